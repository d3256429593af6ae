//! Checks of expressions: what has no value, what has a wrong one for certain or perhaps.

use super::super::ast::{Atom, Expr, ExprKind, Op, RuleSet, VARIABLES, Value};
use super::super::codes;
use super::super::lower::known_order;
use super::super::pieces::{Pieces, int_value};
use super::super::settings::{Mode, Settings};
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// What an expression may be: kinds of values in its set, and whether the set may be empty.
#[derive(Clone, Copy, Debug, Default)]
struct Possible {
    int: bool,
    text: bool,
    piece: bool,
    /// Whether the set may be empty.
    empty: bool,
    /// Whether it has several members for certain.
    several: bool,
    /// Its value, if it is one known integer.
    known: Option<i32>,
}

/// Whether a set never is empty, whatever was removed before.
pub(super) fn never_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) => true,
        ExprKind::Group(inner) => never_empty(inner),
        ExprKind::List(items) => items.iter().any(never_empty),
        ExprKind::Name(path) => {
            matches!(path[0].as_str(), "Nearby" | "Remotest") && path.len() == 1
        }
        _ => false,
    }
}

/// Whether a set is empty for certain before anything was removed.
pub(super) fn empty_at_start(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Group(inner) => empty_at_start(inner),
        ExprKind::List(items) => items.iter().all(empty_at_start),
        ExprKind::Name(path) => matches!(path[0].as_str(), "p" | "pc" | "ps" | "q" | "last"),
        ExprKind::Binary(op, a, b) if !op.compares() => empty_at_start(a) || empty_at_start(b),
        ExprKind::Binary(_, a, _) => empty_at_start(a),
        ExprKind::Not(inner) => never_empty(inner),
        _ => false,
    }
}

/// Whether a set may be empty: anything that depends on what was removed.
fn may_be_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) => false,
        ExprKind::Group(inner) => may_be_empty(inner),
        ExprKind::List(items) => items.iter().all(may_be_empty),
        ExprKind::Name(path) => !matches!(path[0].as_str(), "this" | "Nearby" | "Remotest"),
        ExprKind::Binary(_, a, b) => may_be_empty(a) || may_be_empty(b),
        _ => true,
    }
}

/// The items of a list, or the expression itself.
fn items_of(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::List(items) => items.iter().collect(),
        _ => vec![expr],
    }
}

pub(super) struct Checker<'a> {
    set: &'a RuleSet,
    pub(super) pieces: Option<&'a Pieces>,
    settings: &'a Settings,
    /// Whether the expression is the value of `bucket`.
    in_bucket: bool,
    out: &'a mut Diagnostics,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        set: &'a RuleSet,
        pieces: Option<&'a Pieces>,
        settings: &'a Settings,
        out: &'a mut Diagnostics,
    ) -> Self {
        Self {
            set,
            pieces,
            settings,
            in_bucket: false,
            out,
        }
    }

    pub(super) fn atom(&mut self, atom: &Atom) {
        if let Some(bucket) = &atom.bucket {
            self.in_bucket = true;
            self.expr(bucket);
            self.in_bucket = false;
            self.text_as_bucket(bucket);
            self.outside(bucket);
            if matches!(&bucket.bare().kind, ExprKind::List(items) if items.is_empty()) {
                let message = "this is no bucket, so the atom accepts nothing";
                self.warn(Diagnostic::new(&codes::NOTHING, bucket.span, message));
            }
        }
        if let Some(code) = &atom.code {
            self.expr(code);
        }
        for condition in &atom.conditions {
            let Value::Expr(expr) = &condition.value else {
                continue;
            };
            let key = condition.key.text.as_str();
            if matches!(key, "shape" | "color") {
                self.lower_case(expr);
            }
            for item in items_of(expr) {
                self.other_look(key, item);
                self.meant_as_range(key, item);
                if !self.unquoted(item) {
                    self.expr(item);
                }
            }
        }
    }

    pub(super) fn warn(&mut self, found: Diagnostic) {
        self.out.push(found);
    }

    fn text_as_bucket(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(_) => {
                let message = "no bucket is named by a string";
                self.warn(Diagnostic::new(&codes::STRING_BUCKET, expr.span, message));
            }
            ExprKind::Name(path) if self.is_look(path) => {
                let key = &path[path.len() - 1];
                let message = format!("the {key} of a piece is no bucket");
                let found = Diagnostic::new(&codes::STRING_BUCKET, expr.span, message);
                let whose = path[..path.len() - 1].join(".");
                let help = format!("did you mean `{whose}.bucket`? As a bucket this fits nothing");
                self.warn(found.help(help));
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.text_as_bucket(item)),
            ExprKind::Group(inner) => self.text_as_bucket(inner),
            _ => {}
        }
    }

    /// Buckets by a number that none of them has.
    fn outside(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(n) if !(0..4).contains(n) => {
                let message = format!("{n} means the bucket {}", n.rem_euclid(4));
                let found = Diagnostic::new(&codes::BUCKET_OUTSIDE, expr.span, message);
                self.warn(found.help("buckets are 0 to 3"));
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.outside(item)),
            ExprKind::Group(inner) => self.outside(inner),
            _ => {}
        }
    }

    /// Lower-case texts among the values of a condition on the look of plain pieces.
    fn lower_case(&mut self, expr: &Expr) {
        let plain = self
            .pieces
            .is_none_or(|p| p.kinds.iter().any(|kind| !kind.pictured));
        if !plain {
            return;
        }
        for item in items_of(expr) {
            if let ExprKind::Text(text) = &item.bare().kind {
                self.text_in_lower_case(text, item.span);
            }
        }
    }

    fn text_in_lower_case(&mut self, text: &str, span: Span) {
        let upper = text.to_uppercase();
        if upper != text {
            let message = format!("`\"{text}\"` never equals the shape or color of a piece");
            let found = Diagnostic::new(&codes::LOWER_CASE, span, message);
            self.warn(found.fix("write it in upper case", span, format!("\"{upper}\"")));
        }
    }

    /// Whether it is `arrow-up` or `arrows/up`, a name that needs quotes.
    fn unquoted(&mut self, item: &Expr) -> bool {
        let ExprKind::Binary(op @ (Op::Sub | Op::Div), a, b) = &item.kind else {
            return false;
        };
        let (Some(a), Some(b)) = (self.unknown(a), self.unknown(b)) else {
            return false;
        };
        let name = format!("{a}{}{b}", op.text());
        let message = format!("`{name}` computes with unknown names");
        let found = Diagnostic::new(&codes::UNQUOTED_NAME, item.span, message);
        self.warn(found.fix("quote the name", item.span, format!("\"{name}\"")));
        true
    }

    /// The name, if it is one that has no value.
    fn unknown<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        match &expr.kind {
            ExprKind::Name(path) if path.len() == 1 && !VARIABLES.contains(&path[0].as_str()) => {
                Some(&path[0])
            }
            _ => None,
        }
    }

    fn expr(&mut self, expr: &Expr) -> Possible {
        match &expr.kind {
            ExprKind::Number(n) => Possible {
                int: true,
                known: Some(*n),
                ..Possible::default()
            },
            ExprKind::Text(_) => Possible {
                text: true,
                ..Possible::default()
            },
            ExprKind::Group(inner) => self.expr(inner),
            ExprKind::List(items) => self.list(items),
            ExprKind::Not(inner) => {
                self.expr(inner);
                Possible {
                    int: true,
                    empty: true,
                    ..Possible::default()
                }
            }
            ExprKind::Name(path) => self.name(path, expr.span),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                match op.compares() {
                    true => self.comparison(*op, (a, left), (b, right), expr.span),
                    false => self.arithmetic(*op, (a, left), (b, right), expr.span),
                }
            }
            ExprKind::Star | ExprKind::Range(..) => Possible::default(),
        }
    }

    fn list(&mut self, items: &[Expr]) -> Possible {
        let mut all = Possible {
            empty: true,
            ..Possible::default()
        };
        let mut numbers = Vec::new();
        for item in items {
            let facts = self.expr(item);
            all.int |= facts.int;
            all.text |= facts.text;
            all.piece |= facts.piece;
            all.empty &= facts.empty;
            all.several |= facts.several;
            numbers.extend(facts.known);
            all.known = facts.known.filter(|_| items.len() == 1);
        }
        numbers.sort_unstable();
        numbers.dedup();
        all.several |= numbers.len() > 1;
        all
    }

    fn name(&mut self, path: &[String], span: Span) -> Possible {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let nothing = Possible {
            empty: true,
            ..Possible::default()
        };
        let number = |empty: bool| Possible {
            int: true,
            empty,
            ..Possible::default()
        };
        let piece = |empty: bool| Possible {
            piece: true,
            empty,
            ..Possible::default()
        };
        match words[..] {
            ["Nearby" | "Remotest"] => number(false),
            ["p" | "pc" | "ps"] => number(true),
            ["this"] => piece(false),
            ["last"] => piece(true),
            ["this", "pos" | "bucket"] => number(false),
            ["last", "pos" | "bucket"] => number(true),
            ["this", key] => {
                self.known_property(key, span);
                self.property(key, false)
            }
            ["last", key] => {
                self.known_property(key, span);
                self.property(key, true)
            }
            ["p", key] => {
                self.known_property(key, span);
                number(true)
            }
            ["q", key] => {
                self.known_property(key, span);
                piece(true)
            }
            ["q", key, "pos" | "bucket"] => {
                self.known_property(key, span);
                number(true)
            }
            ["q", first, key] => {
                self.known_property(first, span);
                self.known_property(key, span);
                self.property(key, true)
            }
            ["q"] => {
                let found = Diagnostic::new(&codes::NOTHING, span, "plain `q` is always empty");
                self.warn(found.help("`q.color` is the last piece of the same color, `q.bucket` that in the same bucket"));
                nothing
            }
            ["pos"] => {
                let found = Diagnostic::new(&codes::BARE_POS, span, "`pos` is no variable");
                self.warn(found.fix("the cell of the piece is `this.pos`", span, "this.pos"));
                nothing
            }
            [
                "this" | "last" | "p" | "q" | "pc" | "ps" | "Nearby" | "Remotest",
                ..,
            ] => {
                let message = format!("`{}` is always empty", path.join("."));
                let found = Diagnostic::new(&codes::NOTHING, span, message);
                self.warn(found.label("what stands before the last dot is no piece"));
                nothing
            }
            [word, ..] => {
                self.unknown_word(word, path.get(1).map(String::as_str), span);
                nothing
            }
            [] => nothing,
        }
    }

    /// A word that is no variable, and what stands behind its dot.
    fn unknown_word(&mut self, word: &str, behind: Option<&str>, span: Span) {
        if known_order(self.set, word) {
            let message = format!("the order `{word}` has no value here");
            let found = Diagnostic::new(&codes::ORDER_AS_VARIABLE, span, message);
            self.warn(found.help(format!("write `pos:{word}`")));
            return;
        }
        super::template(word, span, self.out);
        let message = format!("`{word}` has no value");
        let found = Diagnostic::new(&codes::BARE_WORD, span, message);
        let close = match word.to_lowercase().as_str() {
            "near" | "nearest" | "closest" => Some("Nearby"),
            "far" | "farthest" | "furthest" | "remote" => Some("Remotest"),
            _ => crate::diag::closest(word, VARIABLES.iter().copied()),
        };
        let upper = word.to_uppercase();
        let found = match close.filter(|_| word.len() > 2) {
            Some(close) => found.fix(format!("did you mean `{close}`?"), span, close),
            None if self.in_bucket && behind.is_none() => found.help(
                "buckets are 0 to 3, clockwise from the top left, or computed: `Nearby`, `p`, `last.bucket`",
            ),
            None if behind.is_some() => {
                let behind = behind.unwrap_or_default();
                found.help(format!(
                    "`this.{behind}` is that of the piece that is tried, `last.{behind}` that of the last one"
                ))
            }
            None => found.fix(
                format!("did you mean the text `\"{upper}\"`?"),
                span,
                format!("\"{upper}\""),
            ),
        };
        self.warn(found);
    }

    /// Warns of a property that no declared piece has.
    fn known_property(&mut self, key: &str, span: Span) {
        let Some(pieces) = self.pieces.filter(|pieces| pieces.are_all()) else {
            return;
        };
        let lacks = pieces.kinds.iter().all(|kind| kind.property(key).is_none());
        if !lacks || matches!(key, "pos" | "bucket") {
            return;
        }
        let columns = pieces.kinds.iter().flat_map(|kind| &kind.properties);
        let mut columns: Vec<&str> = columns.map(|(name, _)| name.as_str()).collect();
        columns.extend(["pos", "bucket"]);
        columns.sort_unstable();
        columns.dedup();
        let message = format!("no piece has a property `{key}`");
        let found = Diagnostic::new(&codes::UNKNOWN_PROPERTY, span, message);
        let found = match crate::diag::closest(key, columns.iter().copied()) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.note(format!("properties are {}", columns.join(", "))),
        };
        self.warn(found);
    }

    /// What a property of a declared piece may be.
    fn property(&mut self, key: &str, empty: bool) -> Possible {
        let mut facts = Possible {
            empty,
            ..Possible::default()
        };
        let Some(pieces) = self.pieces else {
            return Possible {
                int: true,
                text: true,
                empty: true,
                ..Possible::default()
            };
        };
        for kind in &pieces.kinds {
            match kind.property(key) {
                None => facts.empty = true,
                Some(raw) if int_value(raw).is_some() => facts.int = true,
                Some(_) => facts.text = true,
            }
        }
        facts
    }

    fn comparison(
        &mut self,
        op: Op,
        (a, left): (&Expr, Possible),
        (b, right): (&Expr, Possible),
        span: Span,
    ) -> Possible {
        let texts = |expr: &Expr| match &expr.bare().kind {
            ExprKind::Text(text) => Some((text.clone(), expr.span)),
            _ => None,
        };
        let look = |expr: &Expr| match &expr.bare().kind {
            ExprKind::Name(path) => path
                .last()
                .is_some_and(|key| matches!(key.as_str(), "shape" | "color")),
            _ => false,
        };
        for (one, other) in [(a, b), (b, a)] {
            let plain = self
                .pieces
                .is_none_or(|p| p.kinds.iter().any(|kind| !kind.pictured));
            if let (Some((text, at)), true, true) = (texts(one), look(other), plain) {
                self.text_in_lower_case(&text, at);
            }
        }
        let strict = self.settings.mode == Mode::Strict;
        // A comparison with nothing on its right side holds.
        let holds = !strict && right.empty && may_be_empty(b);
        if op == Op::Eq && !holds {
            for (one, other) in [(a, b), (b, a)] {
                if let Some((text, at)) = texts(one) {
                    self.no_such_value(&text, at, other);
                }
            }
        }
        if !holds {
            self.other_property(op, a, b, span);
            self.out_of_range(op, (a, left.known), (b, right.known), span);
        }
        let only_int = |f: &Possible| f.int && !f.text && !f.piece;
        let only_text = |f: &Possible| f.text && !f.int && !f.piece;
        if matches!(op, Op::Eq)
            && (only_int(&left) && only_text(&right) || only_text(&left) && only_int(&right))
        {
            let message = "a string and a number are never equal";
            self.warn(Diagnostic::new(&codes::NEVER_EQUAL, span, message));
        }
        if holds && !may_be_empty(a) {
            let found = Diagnostic::new(
                &codes::EMPTY_RIGHT_SIDE,
                b.span,
                "true while this is undefined",
            );
            self.warn(found.label("undefined before the first such move"));
        }
        if matches!(op, Op::Ne) && (left.several || right.several) {
            let found = Diagnostic::new(&codes::ANY_PAIR, span, "`!=` holds if any pair differs");
            let none = format!("!({a}=={b})");
            self.warn(found.fix(format!("that none is equal is `{none}`"), span, none));
        }
        if matches!(a.kind, ExprKind::Not(_)) {
            let found = Diagnostic::new(
                &codes::PRECEDENCE,
                span,
                "`!` belongs to the left side only",
            );
            self.warn(found.help("write `!(x==y)`, or `(!x)==y` if that is meant"));
        }
        for side in [a, b] {
            if let ExprKind::Binary(Op::Mul, x, y) = &side.kind
                && [x, y]
                    .iter()
                    .any(|part| matches!(part.kind, ExprKind::List(_)))
            {
                let message = "the product belongs to one side of the comparison";
                let found = Diagnostic::new(&codes::PRECEDENCE, side.span, message);
                self.warn(found.help("write `(x==y)*[...]` if the comparison chooses the list"));
            }
        }
        Possible {
            int: true,
            empty: true,
            text: !strict && left.text && right.empty,
            piece: false,
            ..Possible::default()
        }
    }

    fn arithmetic(
        &mut self,
        op: Op,
        (a, left): (&Expr, Possible),
        (b, right): (&Expr, Possible),
        span: Span,
    ) -> Possible {
        for (expr, facts) in [(a, left), (b, right)] {
            let other = facts.text || facts.piece;
            if other && !facts.int {
                let message = format!("`{expr}` is no number");
                let found = Diagnostic::new(&codes::NO_NUMBER, expr.span, message);
                let found = found.label(format!("`{}` knows integers only", op.text()));
                match self.settings.mode {
                    Mode::Server => {}
                    _ => self.warn(found),
                }
            } else if other {
                let message = format!("`{expr}` is not always a number");
                self.warn(Diagnostic::new(&codes::MAYBE_NO_NUMBER, expr.span, message));
            }
            self.empty_cells(expr);
        }
        let divides = matches!(op, Op::Div | Op::Rem);
        if divides && right.known == Some(0) {
            let message = "division by zero gives nothing";
            self.warn(Diagnostic::new(&codes::DIVISION_BY_ZERO, b.span, message));
        }
        let mut known = None;
        if let (Some(x), Some(y)) = (left.known, right.known) {
            let (exact, wrapped) = match op {
                Op::Add => (i64::from(x) + i64::from(y), x.wrapping_add(y)),
                Op::Sub => (i64::from(x) - i64::from(y), x.wrapping_sub(y)),
                Op::Mul => (i64::from(x) * i64::from(y), x.wrapping_mul(y)),
                _ => (0, 0),
            };
            if exact != i64::from(wrapped) {
                let found =
                    Diagnostic::new(&codes::OVERFLOW, span, "the result does not fit in 32 bits");
                self.warn(found.label(format!("becomes {wrapped}")));
            }
            known = (!divides).then_some(wrapped);
        }
        Possible {
            int: true,
            empty: left.empty || right.empty || divides,
            several: left.several && right.known.is_some() && matches!(op, Op::Add | Op::Sub),
            known,
            ..Possible::default()
        }
    }

    /// Arithmetic on a column that has empty cells.
    fn empty_cells(&mut self, expr: &Expr) {
        let ExprKind::Name(path) = &expr.bare().kind else {
            return;
        };
        let Some((key, true)) = path.last().map(|key| (key, path.len() > 1)) else {
            return;
        };
        if self
            .pieces
            .is_some_and(|pieces| pieces.empty_cells.contains(key))
        {
            let message = format!("the column `{key}` has empty cells");
            self.warn(Diagnostic::new(&codes::EMPTY_CELL, expr.span, message));
        }
    }
}
