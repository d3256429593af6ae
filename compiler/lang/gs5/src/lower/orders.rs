//! Orders of cells and their front groups.

use super::{CELLS, Lower};
use crate::ast::RuleSet;
use crate::ir::{BinaryOp, Block, Expr, FuncId, Stmt, Type};
use crate::source::Span;

/// Names of the built-in orders.
pub(crate) const BUILT_IN: &[&str] = &[
    "T",
    "B",
    "L",
    "R",
    "L1",
    "L2",
    "L3",
    "L4",
    "NearestObject",
    "Farthest",
];

/// The groups of an order, the front one first; cells count from 0.
pub(crate) fn groups(set: &RuleSet, name: &str) -> Option<Vec<Vec<u32>>> {
    let own = set
        .orders
        .iter()
        .rev()
        .find(|order| order.name.text == name);
    match own {
        Some(order) => Some(order.groups.clone()),
        None => built_in(name),
    }
}

fn built_in(name: &str) -> Option<Vec<Vec<u32>>> {
    let rows = |top: bool| (0..6_u32).map(move |y| if top { 5 - y } else { y });
    let columns = |left: bool| (0..6_u32).map(move |x| if left { x } else { 5 - x });
    let row = |y: u32| (0..6).map(move |x| x + 6 * y).collect::<Vec<u32>>();
    let column = |x: u32| (0..6).map(move |y| x + 6 * y).collect::<Vec<u32>>();
    let single = |cells: Vec<u32>| cells.into_iter().map(|cell| vec![cell]).collect::<Vec<_>>();
    Some(match name {
        "T" => rows(true).map(row).collect(),
        "B" => rows(false).map(row).collect(),
        "L" => columns(true).map(column).collect(),
        "R" => columns(false).map(column).collect(),
        "L1" => single(rows(true).flat_map(row).collect()),
        "L2" => single(rows(true).flat_map(|y| row(y).into_iter().rev()).collect()),
        "L3" => single(
            columns(false)
                .flat_map(|x| column(x).into_iter().rev())
                .collect(),
        ),
        "L4" => single(
            columns(true)
                .flat_map(|x| column(x).into_iter().rev())
                .collect(),
        ),
        "NearestObject" => by_distance(),
        "Farthest" => by_distance().into_iter().rev().collect(),
        _ => return None,
    })
}

/// Cells by their squared distance to the nearest corner.
fn by_distance() -> Vec<Vec<u32>> {
    let distance = |cell: &u32| {
        let (x, y) = (cell % 6 + 1, cell / 6 + 1);
        x.min(7 - x).pow(2) + y.min(7 - y).pow(2)
    };
    let mut distances: Vec<u32> = (0..CELLS).map(|cell| distance(&cell)).collect();
    distances.sort_unstable();
    distances.dedup();
    let group = |wanted| (0..CELLS).filter(|cell| distance(cell) == wanted).collect();
    distances.into_iter().map(group).collect()
}

impl Lower<'_> {
    /// The function that gives the front group of an order among some cells.
    fn front(&mut self, name: &str, span: Span) -> FuncId {
        if let Some(id) = self.fronts.get(name) {
            return *id;
        }
        let groups = groups(self.set, name).unwrap_or_default();
        let cells = Type::Set(self.ids.cell);
        let doc = format!("The front group of the order `{name}` among some cells.");
        let ret = Some(cells.clone());
        let title = format!("front of {name}");
        let id = self.function(
            &title,
            &[("among", cells)],
            ret,
            &doc,
            span,
            |lower, args| {
                let among = &args[0];
                let mut body = Block::new();
                for group in groups.iter().filter(|group| !group.is_empty()) {
                    let mut group = group.clone();
                    group.sort_unstable();
                    let group = lower.cell_set(&group, span);
                    let front = Expr::binary(BinaryOp::Intersect, among.clone(), group);
                    let some = front.clone().equals(lower.cell_set(&[], span)).not();
                    body.push(Stmt::branch(some, vec![Stmt::give(front)], Vec::new()));
                }
                body.push(Stmt::give(among.clone()));
                body
            },
        );
        self.fronts.insert(name.to_owned(), id);
        id
    }

    /// Some cells and those in front of some orders, when orders look at the last ones.
    pub(super) fn allowed_cells(
        &mut self,
        cells: &[u32],
        orders: &[&str],
        among: &Expr,
        span: Span,
    ) -> Expr {
        let mut allowed = (!cells.is_empty()).then(|| self.cell_set(cells, span));
        for order in orders {
            let func = self.front(order, span);
            let front = Expr::call(&self.b.game, func, vec![among.clone()], span);
            allowed = Some(match allowed {
                Some(allowed) => Expr::binary(BinaryOp::Union, allowed, front),
                None => front,
            });
        }
        allowed.unwrap_or_else(|| self.cell_set(&[], span))
    }
}
