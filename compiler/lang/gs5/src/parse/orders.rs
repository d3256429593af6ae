//! Lines that define an order of cells.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, Order, Word};
use crate::codes;
use crate::diag::Diagnostic;
use crate::lex::Kind;
use crate::settings::Mode;

impl Parser<'_> {
    /// `Order NAME = [...]`, behind its first word; `late` where a row stands before it.
    pub(super) fn order_line(&mut self, late: bool) -> Parsed<Order> {
        self.at += 1;
        if late {
            let span = self.previous();
            let found = Diagnostic::new(&codes::LATE_ORDER, span, "an order after a row");
            return Err(Box::new(found.help("move the line before the first row")));
        }
        let Some(Kind::Id(name)) = self.peek() else {
            return Err(self.unexpected("the name of the order"));
        };
        let name = Word {
            text: name.clone(),
            span: self.span(),
        };
        self.at += 1;
        if self.eat(&Kind::Equals).is_none() {
            return Err(self.unexpected("`=`"));
        }
        let Some(Kind::OpenList) = self.peek() else {
            return Err(self.unexpected("a list of groups"));
        };
        let list = self.expr()?;
        if self.peek().is_some() {
            let found = self.unexpected("the end of the line");
            let help = "all groups stand in one list more: `[[1,2], [3,4]]`";
            return Err(Box::new(found.help(help)));
        }
        let groups = self.order_groups(&list)?;
        Ok(Order { name, groups })
    }

    /// The cells of each group, ascending.
    fn order_groups(&mut self, list: &Expr) -> Parsed<Vec<Vec<u32>>> {
        let ExprKind::List(items) = &list.kind else {
            let found =
                Diagnostic::new(&codes::BAD_ORDER, list.span, "an order is a list of groups");
            return Err(Box::new(found));
        };
        let mut seen: Vec<u32> = Vec::new();
        let mut groups = Vec::new();
        for item in items {
            let cells: Vec<&Expr> = match &item.kind {
                ExprKind::List(cells) => cells.iter().collect(),
                ExprKind::Number(_) => vec![item],
                _ => {
                    let message = format!("`{item}` is no group of cells");
                    let found = Diagnostic::new(&codes::BAD_ORDER, item.span, message);
                    if self.settings.mode != Mode::Server {
                        return Err(Box::new(
                            found.label("a number or a list of numbers should stand here"),
                        ));
                    }
                    Vec::new()
                }
            };
            let mut group = Vec::new();
            for cell in cells {
                let number = match cell.kind {
                    ExprKind::Number(n @ 1..=36) => n as u32 - 1,
                    ExprKind::Number(n) => {
                        let message = format!("there is no cell {n}");
                        let found = Diagnostic::new(&codes::BAD_ORDER, cell.span, message);
                        return Err(Box::new(found.label("cells are 1 to 36")));
                    }
                    _ => {
                        let message = format!("`{cell}` is no cell");
                        let found = Diagnostic::new(&codes::BAD_ORDER, cell.span, message);
                        return Err(Box::new(found.label("cells are numbers from 1 to 36")));
                    }
                };
                if seen.contains(&number) {
                    let message = format!("the cell {} stands twice in the order", number + 1);
                    return Err(Box::new(Diagnostic::new(
                        &codes::BAD_ORDER,
                        cell.span,
                        message,
                    )));
                }
                seen.push(number);
                group.push(number);
            }
            group.sort_unstable();
            groups.push(group);
        }
        Ok(groups)
    }
}
