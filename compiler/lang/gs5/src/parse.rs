//! Text to tree: a line at a time, one error an atom.

mod exprs;
mod orders;
mod recovery;
mod slips;

use self::exprs::{compared_key, is_key};
use self::recovery::empty_atom;
use super::ast::{
    Atom, Condition, Expr, ExprKind, Literal, Op, Order, Positions, Row, RuleSet, Value, Word,
};
use super::codes;
use super::lex::{Kind, Line, Token, lines, tokens};
use super::settings::{Mode, Settings};
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::{SourceFile, Span};

/// Parts of an expression inside each other, at most.
const MAX_DEPTH: usize = 100;

/// Height of the tree of an expression, at most; nothing but chains of operators comes to it.
const MAX_HEIGHT: usize = 250;

/// Reads a rule set. What it gives is sound if there are no errors.
pub(super) fn parse(source: &SourceFile, settings: &Settings, out: &mut Diagnostics) -> RuleSet {
    let mut set = RuleSet::default();
    let mut meaningful = 0;
    for line in lines(source) {
        if line.text.is_empty() || line.text.starts_with('#') {
            let display = line.text.strip_prefix("#Display:");
            if let (Some(display), 0, None) = (display, meaningful, &set.display) {
                set.display = Some(display.trim().to_owned());
            }
            continue;
        }
        meaningful += 1;
        wrapped(source, &line, &set, out);
        let tokens = match tokens(&line) {
            Ok(tokens) => tokens,
            Err((before, error)) => {
                let error = slips::remark(&line, &before, settings).unwrap_or(error);
                out.push(*error);
                continue;
            }
        };
        parse_line(&line, tokens, settings, &mut set, out);
    }
    if set.rows.is_empty() && !out.has_errors() {
        let end = source.text().len() as u32;
        let span = Span::new(source.id(), end, end);
        let found = Diagnostic::new(&codes::NO_ROWS, span, "the rule set has no rows");
        let help = "a row such as `()` accepts everything";
        let text = match source.text().ends_with('\n') || end == 0 {
            true => "()\n",
            false => "\n()\n",
        };
        out.push(found.fix(help, span, text));
    }
    set
}

/// Warns of atoms that look like the end of the row before them, since they stand farther in and have no counter.
fn wrapped(source: &SourceFile, line: &Line<'_>, set: &RuleSet, out: &mut Diagnostics) {
    let Some(before) = set.rows.last().filter(|_| line.text.starts_with('(')) else {
        return;
    };
    let (own, other) = (
        source.position(line.span.start),
        source.position(before.span.start),
    );
    if own.line == other.line + 1 && own.column > other.column + 1 {
        let message = "the line is a row of its own";
        let found = Diagnostic::new(&codes::OWN_ROW, line.span, message);
        let found = found.also(before.span, "the row before it ends here");
        out.push(
            found.help("atoms of one row stand on one line; begin a row of its own farther left"),
        );
    }
}

/// An expression by itself.
#[cfg(test)]
pub(super) fn parse_expr(
    source: &SourceFile,
    settings: &Settings,
    out: &mut Diagnostics,
) -> Option<Expr> {
    let line = lines(source).next()?;
    let tokens = match tokens(&line) {
        Ok(tokens) => tokens,
        Err((_, error)) => {
            out.push(*error);
            return None;
        }
    };
    let mut parser = Parser::new(&tokens, line.span, settings, out);
    let found = parser.expr().and_then(|expr| {
        parser.no_star_or_range(&expr)?;
        match parser.peek() {
            None => Ok(expr),
            Some(_) => Err(parser.unexpected("the end")),
        }
    });
    match found {
        Ok(expr) => Some(expr),
        Err(error) => {
            out.push(*error);
            None
        }
    }
}

fn parse_line(
    line: &Line<'_>,
    tokens: Vec<Token>,
    settings: &Settings,
    set: &mut RuleSet,
    out: &mut Diagnostics,
) {
    let order = matches!(tokens.first(), Some(Token { kind: Kind::Id(word), .. }) if word.eq_ignore_ascii_case("order"));
    let mut parser = Parser::new(&tokens, line.span, settings, out);
    let result = match order {
        true => parser.order_line(!set.rows.is_empty()).map(|order| {
            set.orders.push(order);
        }),
        false => parser.row().map(|row| {
            if !parser.wrong {
                set.rows.push(row);
            }
        }),
    };
    if let Err(error) = result {
        out.push(*error);
        // The name exists, whatever is wrong with its groups, or the word before it.
        if let [
            first,
            Token {
                kind: Kind::Id(name),
                span,
            },
            more @ ..,
        ] = tokens.as_slice()
            && (order || slips::is_like_an_order(first, more))
        {
            let name = Word {
                text: name.clone(),
                span: *span,
            };
            let groups = Vec::new();
            set.orders.push(Order { name, groups });
        }
    }
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    line: Span,
    settings: &'a Settings,
    out: &'a mut Diagnostics,
    depth: usize,
    /// Height of the tree of the expression that was read last.
    height: usize,
    /// Whether an atom is wrong, as was told.
    wrong: bool,
}

impl<'a> Parser<'a> {
    fn new(
        tokens: &'a [Token],
        line: Span,
        settings: &'a Settings,
        out: &'a mut Diagnostics,
    ) -> Self {
        Parser {
            tokens,
            at: 0,
            line,
            settings,
            out,
            depth: 0,
            height: 0,
            wrong: false,
        }
    }

    fn peek(&self) -> Option<&'a Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn ahead(&self, by: usize) -> Option<&'a Kind> {
        self.tokens.get(self.at + by).map(|token| &token.kind)
    }

    fn span(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(token) => token.span,
            None => self.line.after(),
        }
    }

    fn previous(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(at) => self.tokens[at].span,
            None => self.line,
        }
    }

    fn eat(&mut self, kind: &Kind) -> Option<Span> {
        if self.peek() != Some(kind) {
            return None;
        }
        self.at += 1;
        Some(self.previous())
    }

    /// What stands here is none of what could.
    fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let span = self.span();
        let Some(kind) = self.peek() else {
            let message = format!("the line ends where {wanted} should stand");
            let found = Diagnostic::new(&codes::SYNTAX, span, message);
            return Box::new(found.help("a row and all that is in it stands on one line"));
        };
        let comment = match kind {
            Kind::Percent => true,
            Kind::Slash => self.ahead(1) == Some(&Kind::Slash),
            _ => false,
        };
        if comment {
            let message = format!("{} starts no comment", kind.text());
            let found = Diagnostic::new(&codes::COMMENT, span, message);
            return Box::new(found.fix("comments start with `#`", span, "#"));
        }
        let message = format!("{} cannot stand here", kind.text());
        let found = Diagnostic::new(&codes::SYNTAX, span, message);
        Box::new(found.label(format!("{wanted} should stand here")))
    }

    /// The bracket that closes what was opened there.
    fn close(&mut self, kind: &Kind, opener: Span) -> Parsed<Span> {
        if let Some(span) = self.eat(kind) {
            return Ok(span);
        }
        if let Some(found) = self.slip(kind, opener) {
            return Err(Box::new(found));
        }
        let span = self.span();
        let found = match self.peek() {
            None | Some(Kind::Close | Kind::CloseList) => {
                let message = format!("{} is missing", kind.text());
                let found = Diagnostic::new(&codes::UNBALANCED, opener, message);
                let found = found.label("opened here");
                match kind {
                    Kind::Close => found.fix("close it with `)`", span_before(span), ")"),
                    _ => found.fix("close it with `]`", span_before(span), "]"),
                }
            }
            Some(Kind::Dot) => self.dot_error(span),
            Some(Kind::Equals) => self.equals_error(span),
            Some(Kind::Compare(_)) => self.chained(span),
            Some(
                Kind::Id(_)
                | Kind::Number(_)
                | Kind::Text(_)
                | Kind::Open
                | Kind::OpenList
                | Kind::Not,
            ) => {
                let is_list = matches!(self.peek(), Some(Kind::OpenList));
                let message = match is_list {
                    true => "a comma or `*` is missing",
                    false => "a comma is missing",
                };
                let found = Diagnostic::new(&codes::COMMA, span, message);
                let found = found.also(opener, "still open here");
                match kind {
                    Kind::Close => found.fix(
                        "separate them, or close with `)` before",
                        span_before(span),
                        ", ",
                    ),
                    _ if is_list => found.help(
                        "a comma separates them; both together are joined by `*`, as in `!p*[0,1,2,3]`",
                    ),
                    _ => found.fix(
                        "separate them, or close with `]` before",
                        span_before(span),
                        ", ",
                    ),
                }
            }
            Some(_) => {
                let found = self.unexpected(&kind.text());
                return Err(Box::new(found.also(opener, "opened here")));
            }
        };
        Err(Box::new(found))
    }

    fn equals_error(&self, span: Span) -> Diagnostic {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at].kind);
        if before == Some(&Kind::Compare(Op::Ne)) {
            let whole = self.previous().to(span);
            let found = Diagnostic::new(&codes::NOT_EQUAL, whole, "`!==` is no operator");
            return found.fix("write `!=`", whole, "!=");
        }
        let found = Diagnostic::new(&codes::SINGLE_EQUALS, span, "`=` is no comparison");
        found.fix("write `==`", span, "==")
    }

    fn chained(&self, span: Span) -> Diagnostic {
        let found = Diagnostic::new(&codes::CHAINED, span, "a second comparison");
        found
            .label("the value so far is a comparison already")
            .help("that both hold is `(a<b)*(b<c)`")
    }

    fn row(&mut self) -> Parsed<Row> {
        let start = self.span();
        let counter = match self.peek() {
            Some(Kind::Number(n)) => {
                self.at += 1;
                let value = *n as u32;
                if value == 0 {
                    let found =
                        Diagnostic::new(&codes::ZERO_COUNT, start, "the row is always skipped");
                    self.out.push(found.label("accepts no move"));
                }
                Some(value)
            }
            Some(Kind::Star) => {
                self.at += 1;
                None
            }
            _ => None,
        };
        let mut atoms = Vec::new();
        while let Some(kind) = self.peek() {
            match kind {
                Kind::Open => atoms.push(self.atom_or_error()?),
                Kind::Close | Kind::CloseList => {
                    let message = format!("nothing is open that {} closes", kind.text());
                    let found = Diagnostic::new(&codes::UNBALANCED, self.span(), message);
                    return Err(Box::new(found.fix("remove it", self.span(), "")));
                }
                Kind::Comma if !atoms.is_empty() => {
                    let message = "atoms are separated by nothing";
                    let found = Diagnostic::new(&codes::COMMA, self.span(), message);
                    return Err(Box::new(found.fix("remove the comma", self.span(), "")));
                }
                Kind::Comma => {
                    let message = "no comma stands behind the counter of a row";
                    let found = Diagnostic::new(&codes::COMMA, self.span(), message);
                    return Err(Box::new(found.fix("remove the comma", self.span(), "")));
                }
                _ if counter.is_none() && atoms.is_empty() && self.at == 0 => {
                    let found = self.unexpected("a counter or `(`");
                    return Err(match kind {
                        Kind::Id(word) => Box::new(found.did_you_mean(word, start, ["Order"])),
                        _ => found,
                    });
                }
                _ => {
                    let found = self.behind_atoms().map(Box::new);
                    return Err(found.unwrap_or_else(|| self.unexpected("`(`")));
                }
            }
        }
        if atoms.is_empty() {
            let found = Diagnostic::new(&codes::NO_ATOMS, self.line, "the row has no atom");
            return Err(Box::new(found.help("`()` accepts everything")));
        }
        Ok(Row {
            counter,
            atoms,
            span: start.to(self.previous()),
        })
    }

    fn atom(&mut self) -> Parsed<Atom> {
        let opener = self.span();
        self.at += 1;
        let mut fields: Vec<(Option<Word>, Expr)> = Vec::new();
        let close = loop {
            if fields.is_empty()
                && let Some(span) = self.eat(&Kind::Close)
            {
                break span;
            }
            if let Some(Kind::Comma | Kind::Close) = self.peek() {
                let found = Diagnostic::new(&codes::COMMA, self.span(), "a field is missing here");
                return Err(Box::new(match self.peek() {
                    Some(Kind::Close) => found.fix("remove the comma", self.previous(), ""),
                    _ => found,
                }));
            }
            fields.push(self.field()?);
            if self.eat(&Kind::Comma).is_some() {
                continue;
            }
            break self.close(&Kind::Close, opener)?;
        };
        let span = opener.to(close);
        let keyed = fields.iter().filter(|(key, _)| key.is_some()).count();
        if keyed == fields.len() {
            return self.keyed_atom(fields, span);
        }
        if keyed > 0 {
            let odd = fields.iter().find(|(key, _)| key.is_none());
            let at = odd.map_or(span, |(_, value)| value.span);
            let found = Diagnostic::new(&codes::MIXED_STYLES, at, "a field without a key");
            let found = found.label("other fields of the atom have keys");
            let list = self.values_without_list(&fields);
            return Err(Box::new(match list {
                Some(list) => found.help(list),
                None => found,
            }));
        }
        self.plain_atom(fields, span)
    }

    fn field(&mut self) -> Parsed<(Option<Word>, Expr)> {
        let negated = self.peek() == Some(&Kind::Not);
        let key = match (self.peek(), self.ahead(1)) {
            (Some(Kind::Id(name)), Some(Kind::Equals)) if is_key(name) => {
                self.at += 1;
                let message = format!("`=` does not stand behind the key `{name}`");
                let found = Diagnostic::new(&codes::SINGLE_EQUALS, self.span(), message);
                return Err(Box::new(found.fix("write `:`", self.span(), ":")));
            }
            (Some(Kind::Id(name)), Some(Kind::Colon)) => {
                let word = Word {
                    text: name.clone(),
                    span: self.span(),
                };
                self.at += 2;
                Some(word)
            }
            _ => None,
        };
        if self.peek() == Some(&Kind::Star) {
            let span = self.span();
            self.at += 1;
            let kind = ExprKind::Star;
            return Ok((key, Expr { kind, span }));
        }
        let value = self.expr()?;
        if self.peek() == Some(&Kind::Colon) {
            let whole = value.span.to(self.span());
            return Err(Box::new(match negated {
                true => Diagnostic::new(&codes::SYNTAX, whole, "`!` does not stand before a key")
                    .help("list the values that are allowed, or compare: `code:!(this.shape==\"STAR\")`"),
                false => Diagnostic::new(&codes::SYNTAX, whole, "this is no key")
                    .label("a key is one word"),
            }));
        }
        Ok((key, value))
    }

    fn keyed_atom(&mut self, fields: Vec<(Option<Word>, Expr)>, span: Span) -> Parsed<Atom> {
        let mut atom = empty_atom(span);
        let mut seen: Vec<Word> = Vec::new();
        for (key, value) in fields {
            let Some(key) = key else { continue };
            if let Some(first) = seen.iter().find(|other| other.text == key.text)
                && key.text != "pos"
            {
                let message = format!("`{}` is used twice", key.text);
                let found = Diagnostic::new(&codes::KEY_TWICE, key.span, message);
                return Err(Box::new(found.also(first.span, "used here before")));
            }
            seen.push(key.clone());
            if matches!(value.kind, ExprKind::Star) {
                let message = format!("`{}:*` stands for any", key.text);
                let found = Diagnostic::new(&codes::STAR_VALUE, value.span, message);
                self.out.push(found.help("leave the field out"));
                continue;
            }
            match key.text.as_str() {
                "count" => atom.count = self.count(&value)?,
                "pos" => atom.pos.push(self.positions(&value)?),
                "postpos" => atom.postpos = Some(self.positions(&value)?),
                "bucket" => atom.bucket = Some(self.plain_value(value)?),
                "code" => atom.code = Some(self.plain_value(value)?),
                _ => atom.conditions.push(self.condition(key, value)?),
            }
        }
        Ok(atom)
    }

    fn plain_atom(&mut self, fields: Vec<(Option<Word>, Expr)>, span: Span) -> Parsed<Atom> {
        let values: Vec<Expr> = fields.into_iter().map(|(_, value)| value).collect();
        let count = values.len();
        let compared = values.iter().find_map(compared_key).map(str::to_owned);
        let Ok([number, shapes, colors, positions, buckets]) = <[Expr; 5]>::try_from(values) else {
            let message = format!("an atom without keys has five fields, not {count}");
            let found = Diagnostic::new(&codes::FIELD_COUNT, span, message);
            return Err(Box::new(
                found.help(match compared {
                    Some(key) => format!("behind a key stands `:`, as in `{key}:`"),
                    None => {
                        "they are `(count, shapes, colors, positions, buckets)`; `*` stands for any"
                            .to_owned()
                    }
                }),
            ));
        };
        let any = |value: &Expr| matches!(value.kind, ExprKind::Star);
        let mut atom = empty_atom(span);
        if !any(&number) {
            atom.count = self.count(&number)?;
        }
        for (key, value) in [("shape", shapes), ("color", colors)] {
            if !any(&value) {
                let key = Word {
                    text: key.to_owned(),
                    span: value.span,
                };
                atom.conditions.push(self.condition(key, value)?);
            }
        }
        if !any(&positions) {
            atom.pos.push(self.positions(&positions)?);
        }
        if !any(&buckets) {
            atom.bucket = Some(self.plain_value(buckets)?);
        }
        Ok(atom)
    }

    fn count(&mut self, value: &Expr) -> Parsed<Option<u32>> {
        match value.bare().kind {
            ExprKind::Number(0) => {
                let found =
                    Diagnostic::new(&codes::ZERO_COUNT, value.span, "the atom never accepts");
                self.out.push(found.label("accepts no move"));
                Ok(Some(0))
            }
            ExprKind::Number(n) if n > 0 => Ok(Some(n as u32)),
            ExprKind::Number(_) if self.settings.mode == Mode::Server => Ok(None),
            ExprKind::Number(_) => {
                let found =
                    Diagnostic::new(&codes::NEGATIVE_COUNT, value.span, "the count is negative");
                Err(Box::new(found.help("leave the count out for no limit")))
            }
            _ => {
                self.no_star_or_range(value)?;
                let message = format!("`{value}` is no count");
                let found = Diagnostic::new(&codes::BAD_COUNT, value.span, message);
                Err(Box::new(found.label("a number should stand here")))
            }
        }
    }

    fn positions(&mut self, value: &Expr) -> Parsed<Positions> {
        let mut found = Positions {
            cells: Vec::new(),
            orders: Vec::new(),
            span: value.span,
        };
        self.add_positions(value, &mut found)?;
        found.cells.sort_unstable();
        found.cells.dedup();
        Ok(found)
    }

    fn add_positions(&mut self, value: &Expr, found: &mut Positions) -> Parsed<()> {
        match &value.kind {
            ExprKind::List(items) => {
                for item in items {
                    self.add_positions(item, found)?;
                }
            }
            ExprKind::Group(inner) => self.add_positions(inner, found)?,
            ExprKind::Number(n @ 1..=36) => found.cells.push(*n as u32 - 1),
            ExprKind::Number(_) if self.settings.mode == Mode::Server => {}
            ExprKind::Number(n) => {
                let message = format!("there is no cell {n}");
                let found = Diagnostic::new(&codes::NO_SUCH_CELL, value.span, message);
                return Err(Box::new(found.label("cells are 1 to 36")));
            }
            ExprKind::Name(parts) => found.orders.push(Word {
                text: parts.join("."),
                span: value.span,
            }),
            ExprKind::Text(text) => found.orders.push(Word {
                text: text.clone(),
                span: value.span,
            }),
            ExprKind::Range(lo, hi) => {
                if *lo < 1 || *hi > 36 {
                    let message = format!("there are no cells {lo} to {hi}");
                    let found = Diagnostic::new(&codes::NO_SUCH_CELL, value.span, message);
                    return Err(Box::new(found.label("cells are 1 to 36")));
                }
                let message = "a range of cells is an extension";
                self.out
                    .push(Diagnostic::new(&codes::RANGE_LIST, value.span, message));
                self.empty_range(*lo, *hi, value.span);
                found.cells.extend((*lo..=*hi).map(|n| n as u32 - 1));
            }
            ExprKind::Star => return Err(self.star(value.span)),
            ExprKind::Not(_) | ExprKind::Binary(..) => {
                let message = format!("`{value}` is neither a cell nor an order");
                let found = Diagnostic::new(&codes::POSITIONS, value.span, message);
                return Err(Box::new(
                    found.help("compare `this.pos` in `code:` instead"),
                ));
            }
        }
        Ok(())
    }

    fn condition(&mut self, key: Word, value: Expr) -> Parsed<Condition> {
        if let Some(ranges) = ranges(&value) {
            let proper = match &value.kind {
                ExprKind::List(items) => items.len() == 1 && ranges.iter().all(|(a, _)| *a >= 0),
                _ => false,
            };
            if matches!(key.text.as_str(), "shape" | "color") {
                let message = format!("a range cannot be a value of `{}`", key.text);
                return Err(Box::new(Diagnostic::new(
                    &codes::RANGE_HERE,
                    value.span,
                    message,
                )));
            }
            if !proper {
                let message = "this form of a range is an extension";
                self.out
                    .push(Diagnostic::new(&codes::RANGE_LIST, value.span, message));
            }
            for (lo, hi) in &ranges {
                self.empty_range(*lo, *hi, value.span);
            }
            let value = Value::Ranges(ranges);
            return Ok(Condition { key, value });
        }
        self.no_star_or_range(&value)?;
        let value = match literals(&value) {
            Some(literals) => Value::Literals(literals),
            None => Value::Expr(value),
        };
        Ok(Condition { key, value })
    }

    fn empty_range(&mut self, lo: i32, hi: i32, span: Span) {
        if lo > hi {
            let message = format!("nothing is between {lo} and {hi}");
            let found = Diagnostic::new(&codes::EMPTY_RANGE, span, message);
            self.out
                .push(found.fix("turn it around", span, format!("[{hi}..{lo}]")));
        }
    }

    fn plain_value(&mut self, value: Expr) -> Parsed<Expr> {
        self.no_star_or_range(&value)?;
        Ok(value)
    }

    fn star(&self, span: Span) -> Box<Diagnostic> {
        let found = Diagnostic::new(&codes::SYNTAX, span, "`*` is no value");
        Box::new(found.help("leave the field out to allow any"))
    }

    fn no_star_or_range(&self, value: &Expr) -> Parsed<()> {
        let mut found = None;
        value.visit(&mut |expr| match expr.kind {
            ExprKind::Star | ExprKind::Range(..) if found.is_none() => found = Some(expr),
            _ => {}
        });
        match found {
            None => Ok(()),
            Some(expr) if matches!(expr.kind, ExprKind::Star) => Err(self.star(expr.span)),
            Some(expr) => {
                let message = "a range cannot stand here";
                let found = Diagnostic::new(&codes::RANGE_HERE, expr.span, message);
                Err(Box::new(
                    found.help("list the numbers, or compare with `>=` and `<=`"),
                ))
            }
        }
    }
}

/// The empty place before a span.
fn span_before(span: Span) -> Span {
    Span::new(span.file, span.start, span.start)
}

/// The ranges of a value that has some; single numbers count as ranges then.
fn ranges(value: &Expr) -> Option<Vec<(i32, i32)>> {
    let ExprKind::List(items) = &value.kind else {
        return None;
    };
    let has_range = items
        .iter()
        .any(|item| matches!(item.kind, ExprKind::Range(..)));
    let range = |item: &Expr| match item.kind {
        ExprKind::Range(a, b) => Some((a, b)),
        ExprKind::Number(n) => Some((n, n)),
        _ => None,
    };
    has_range
        .then(|| items.iter().map(range).collect())
        .flatten()
}

/// The literals of a value that consists of nothing else.
fn literals(value: &Expr) -> Option<Vec<(Literal, Span)>> {
    let literal = |item: &Expr| match &item.kind {
        ExprKind::Name(parts) if parts.len() == 1 => {
            Some((Literal::Text(parts[0].clone()), item.span))
        }
        ExprKind::Text(text) => Some((Literal::Text(text.clone()), item.span)),
        ExprKind::Number(n) => Some((Literal::Number(*n), item.span)),
        _ => None,
    };
    match &value.kind {
        ExprKind::List(items) => items.iter().map(literal).collect(),
        _ => literal(value).map(|item| vec![item]),
    }
}
