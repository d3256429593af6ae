//! Strings: members of domains, and tables instead of texts with variables in them.

use super::Lower;
use super::names::{Dom, Interval, MAX_SPELT, MAX_TABLE, index_of, spellings, split, tuples};
use super::tables::Key;
use super::value::{Absent, Hole, Text, UNKNOWN};
use crate::ast::{Index, Template, TemplatePart};
use crate::codes;
use crate::diag::Diagnostic;
use crate::ir::{Axis, BinaryOp, Block, Const, Expr, Stmt, Table, TableId, Type};
use crate::source::Span;

impl<'a> Lower<'a> {
    /// Makes the texts that a string can have members of the domain of names.
    pub(super) fn name_text(&mut self, text: &Text<'a>) {
        match text {
            Text::Const(text) => {
                self.names.name(text);
            }
            Text::Template(template, holes) => {
                let ranges: Vec<Interval> = holes.iter().map(|hole| hole.range).collect();
                let texts = match self.names.spell(template, &ranges) {
                    Some(texts) => texts,
                    None => self.names.written_matches(template),
                };
                for id in texts {
                    let text = self.names.text(id).to_owned();
                    self.names.name(&text);
                }
            }
            Text::Member(Dom::Name, ..) => {}
            Text::Member(dom, none, _) => {
                let members: Vec<String> = self.names.members(*dom).map(str::to_owned).collect();
                for text in members {
                    self.names.name(&text);
                }
                if *none == Some(Absent::Empty) {
                    self.names.name("");
                }
            }
        }
    }

    /// A string as a member of a domain: the type is optional unless it certainly is one.
    pub(super) fn member(&mut self, text: &Text<'a>, dom: Dom, span: Span) -> Expr {
        match text {
            Text::Const(text) => match self.names.member(dom, text) {
                Some(member) => Expr::elem(dom.id(), member, span),
                None => Expr::none(dom.id(), span),
            },
            Text::Template(template, holes) => self.template(template, holes, dom, span),
            Text::Member(from, _, expr) if *from == dom => expr.clone(),
            Text::Member(from, none, expr) => {
                self.map_member(*from, *none, expr.clone(), dom, span)
            }
        }
    }

    /// A string with variables as a member of a domain.
    fn template(&mut self, template: &'a Template, holes: &[Hole], dom: Dom, span: Span) -> Expr {
        let ranges: Vec<Interval> = holes.iter().map(|hole| hole.range).collect();
        let mut cells: Vec<(Vec<i32>, u32)> = Vec::new();
        for (member, text) in self.names.members(dom).enumerate() {
            let values = spellings(template, text);
            cells.extend(values.into_iter().map(|values| (values, member as u32)));
        }
        if cells.is_empty() {
            return Expr::none(dom.id(), span);
        }
        cells.sort();
        let total = is_total(&ranges, &cells);
        let axes = match total {
            true => ranges,
            false => bounds(&cells, holes.len()),
        };
        let Some(table) = self.cell_table(template, &axes, &cells, dom, total, span) else {
            return Expr::none(dom.id(), span);
        };
        let holes = holes.iter().map(|hole| hole.expr.clone()).collect();
        Expr::lookup(&self.out.game, table, holes, span)
    }

    fn cell_table(
        &mut self,
        template: &Template,
        axes: &[Interval],
        cells: &[(Vec<i32>, u32)],
        dom: Dom,
        total: bool,
        span: Span,
    ) -> Option<TableId> {
        let lengths: Vec<usize> = axes
            .iter()
            .map(|(lo, hi)| (i64::from(*hi) - i64::from(*lo) + 1) as usize)
            .collect();
        let count = lengths
            .iter()
            .try_fold(1_usize, |count, &length| count.checked_mul(length));
        let Some(count) = count.filter(|&count| count <= MAX_TABLE) else {
            let message = "the indexes of these names lie too far apart";
            self.diagnostics
                .push(Diagnostic::new(&codes::TABLE_TOO_LARGE, span, message));
            return None;
        };
        let key = Key::Template(shape(template), dom, total.then(|| axes.to_vec()));
        Some(self.table(key, |_| {
            let mut values = vec![Const::None; count];
            for (indexes, member) in cells {
                let inside = indexes
                    .iter()
                    .zip(axes)
                    .all(|(i, (lo, hi))| lo <= i && i <= hi);
                let places = indexes.iter().zip(axes).zip(&lengths);
                let cell = places.fold(0_usize, |cell, ((index, (lo, _)), length)| {
                    cell * length + (i64::from(*index) - i64::from(*lo)).max(0) as usize
                });
                if inside {
                    values[cell] = Const::Elem(*member);
                }
            }
            let axis = |&(lo, hi): &Interval| Axis::Range {
                lo: i64::from(lo),
                hi: i64::from(hi),
            };
            Table {
                name: shape(template),
                axes: axes.iter().map(axis).collect(),
                ty: if total {
                    Type::Elem(dom.id())
                } else {
                    Type::Opt(dom.id())
                },
                values,
                outside: (!total).then_some(Const::None),
                span,
            }
        }))
    }

    /// The member of another domain with the same text.
    fn map_member(
        &mut self,
        from: Dom,
        none: Option<Absent>,
        expr: Expr,
        to: Dom,
        span: Span,
    ) -> Expr {
        let empty = match none {
            Some(Absent::Empty) => self.names.member(to, ""),
            _ => None,
        };
        let shared = from == Dom::Name
            || to == Dom::Name
            || self
                .names
                .members(from)
                .any(|text| self.names.member(to, text).is_some());
        if !shared && empty.is_none() {
            return Expr::none(to.id(), span);
        }
        let outside = empty.map_or(Const::None, Const::Elem);
        let table = self.map_table(from, to, outside);
        Expr::lookup(&self.out.game, table, vec![expr], span)
    }

    /// A string in a representation that can hold it.
    pub(super) fn text_as(
        &mut self,
        text: Text<'a>,
        dom: Dom,
        none: Option<Absent>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        if dom == Dom::Name {
            self.name_text(&text);
        }
        let expr = self.member(&text, dom, span);
        let is_optional = matches!(expr.ty, Type::Opt(_));
        match none {
            Some(_) if is_optional => expr,
            Some(_) => match expr.as_const() {
                Some(value) => Expr::constant(value.clone(), Type::Opt(dom.id()), span),
                None => expr.some(),
            },
            None if !is_optional => expr,
            None => {
                let expr = self.share(expr, out);
                self.require(expr.clone().is_some(), UNKNOWN, span, out);
                if expr.as_const() == Some(&Const::None) {
                    return self.dummy(&Type::Elem(dom.id()), span);
                }
                expr.get()
            }
        }
    }

    /// Whether two strings are equal.
    pub(super) fn same_text(
        &mut self,
        a: Text<'a>,
        b: Text<'a>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        match (&a, &b) {
            (Text::Const(a), Text::Const(b)) => Expr::bool(a == b, span),
            (Text::Const(word), other) | (other, Text::Const(word)) => {
                self.is_text(other, &word.clone(), span, out)
            }
            (Text::Member(left, la, x), Text::Member(right, ra, y)) if left == right => {
                let (x, y) = (x.clone(), y.clone());
                self.same_member((x, *la), (y, *ra), span, out)
            }
            _ => {
                self.name_text(&a);
                self.name_text(&b);
                let x = self.named(&a, span);
                let y = self.named(&b, span);
                self.same_member(x, y, span, out)
            }
        }
    }

    /// A string as a name, absent if it is another text.
    fn named(&mut self, text: &Text<'a>, span: Span) -> (Expr, Option<Absent>) {
        let expr = self.member(text, Dom::Name, span);
        let none = matches!(expr.ty, Type::Opt(_)).then_some(Absent::Other);
        (expr, none)
    }

    /// Whether two members of one domain stand for one text.
    fn same_member(
        &mut self,
        (x, x_none): (Expr, Option<Absent>),
        (y, y_none): (Expr, Option<Absent>),
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let optional = |expr: Expr| match expr.ty {
            Type::Opt(_) => expr,
            _ => match expr.as_const().cloned() {
                Some(value) => {
                    let Type::Elem(dom) = expr.ty else {
                        return expr;
                    };
                    Expr::constant(value, Type::Opt(dom), expr.span)
                }
                None => expr.some(),
            },
        };
        match (x_none, y_none) {
            (None, None) => x.equals(y).at(span),
            (Some(Absent::Other), Some(Absent::Other)) => {
                let (x, y) = (self.share(optional(x), out), self.share(optional(y), out));
                let known = x.clone().is_some().or(y.clone().is_some());
                self.require(known, UNKNOWN, span, out);
                x.equals(y).at(span)
            }
            (Some(a), Some(b)) if a != b => {
                let (x, y) = (self.share(optional(x), out), optional(y));
                x.clone().is_some().and(x.equals(y)).at(span)
            }
            _ => optional(x).equals(optional(y)).at(span),
        }
    }

    /// Whether a string is a certain text.
    fn is_text(&mut self, text: &Text<'a>, word: &str, span: Span, out: &mut Block) -> Expr {
        match text {
            Text::Member(_, Some(Absent::Empty), expr) if word.is_empty() => {
                expr.clone().is_some().not().at(span)
            }
            Text::Member(dom, none, expr) => match (self.names.member(*dom, word), expr.ty.clone())
            {
                (Some(member), Type::Opt(_)) => {
                    let word = Expr::constant(Const::Elem(member), expr.ty.clone(), span);
                    expr.clone().equals(word).at(span)
                }
                (Some(member), _) => expr
                    .clone()
                    .equals(Expr::elem(dom.id(), member, span))
                    .at(span),
                (None, _) if *none == Some(Absent::Other) => {
                    let expr = self.share(expr.clone(), out);
                    self.require(expr.is_some(), UNKNOWN, span, out);
                    Expr::bool(false, span)
                }
                (None, _) => {
                    self.discard_expr(expr.clone(), out);
                    Expr::bool(false, span)
                }
            },
            Text::Template(template, holes) => self.spells(template, holes, word, span),
            Text::Const(text) => Expr::bool(text == word, span),
        }
    }

    /// Whether the values of the holes make a string spell a word.
    fn spells(&self, template: &Template, holes: &[Hole], word: &str, span: Span) -> Expr {
        let ways = spellings(template, word).into_iter().map(|values| {
            let tests = holes
                .iter()
                .zip(values)
                .map(|(hole, value)| hole.expr.clone().equals(Expr::wrap(value, span)).at(span));
            tests.reduce(Expr::and)
        });
        let never = Expr::bool(false, span);
        ways.flatten().reduce(Expr::or).unwrap_or(never)
    }

    /// An index of a string, counted from 1; a fault if it has none.
    pub(super) fn index(
        &mut self,
        which: i32,
        text: &Text<'a>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let place = usize::try_from(i64::from(which) - 1).ok();
        let known = match text {
            Text::Const(text) => {
                let indexes = split(text).map(|(_, indexes)| indexes).unwrap_or_default();
                let value = place.and_then(|place| indexes.get(place).copied());
                Some(value.map(|value| Expr::wrap(value, span)))
            }
            Text::Template(template, holes) => template
                .indexed()
                .map(|indexed| nth(&indexed.indexes, place, holes, template, span)),
            Text::Member(..) => None,
        };
        match known {
            Some(Some(expr)) => expr,
            Some(None) => self.no_index(span, out),
            None => self.member_index(place, text, span, out),
        }
    }

    fn no_index(&mut self, span: Span, out: &mut Block) -> Expr {
        self.fault("the string has no such index", span, out);
        Expr::wrap(0, span)
    }

    fn member_index(
        &mut self,
        place: Option<usize>,
        text: &Text<'a>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let (dom, expr) = self.any_member(text, span);
        let has = |text: &str| {
            place
                .filter(|&place| index_of(text, place).is_some())
                .is_some()
        };
        let all = self.names.members(dom).all(has);
        let none = !self.names.members(dom).any(has);
        let Some(place) = place.filter(|_| !none) else {
            return self.no_index(span, out);
        };
        let expr = match all && dom != Dom::Name {
            true => expr,
            false => {
                let expr = self.share(expr, out);
                let expr = if matches!(expr.ty, Type::Opt(_)) {
                    expr.get()
                } else {
                    expr
                };
                let table = self.has_index_table(dom, place);
                let has = Expr::lookup(&self.out.game, table, vec![expr.clone()], span);
                self.require(has, "the string has no such index", span, out);
                expr
            }
        };
        let table = self.index_table(dom, place);
        let expr = if matches!(expr.ty, Type::Opt(_)) {
            expr.get()
        } else {
            expr
        };
        Expr::lookup(&self.out.game, table, vec![expr], span)
    }

    /// A string as a member of the domain it comes from, or else of that of names.
    fn any_member(&mut self, text: &Text<'a>, span: Span) -> (Dom, Expr) {
        match text {
            Text::Member(dom, _, expr) => (*dom, expr.clone()),
            _ => {
                self.name_text(text);
                (Dom::Name, self.member(text, Dom::Name, span))
            }
        }
    }

    /// An index of a string that the rules compute.
    pub(super) fn any_index(
        &mut self,
        which: Expr,
        text: &Text<'a>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        if let Text::Const(text) = text
            && let Some((_, indexes)) = split(text)
            && !indexes.is_empty()
        {
            return self.listed_index(which, text, &indexes, span, out);
        }
        let longest = match text {
            Text::Template(template, _) => template.indexed().map(|indexed| indexed.indexes.len()),
            _ => None,
        };
        let longest = longest.unwrap_or_else(|| self.longest_index(text, span));
        let which = self.keep(which, out);
        let result = self.local("index", Type::Wrap32);
        let mut otherwise = Block::new();
        otherwise.push(Stmt::assign(result, Expr::wrap(0, span)));
        self.fault("the string has no such index", span, &mut otherwise);
        for at in (1..=longest as i32).rev() {
            let mut block = Block::new();
            let value = self.index(at, text, span, &mut block);
            block.push(Stmt::assign(result, value));
            let here = which.clone().equals(Expr::wrap(at, span)).at(span);
            otherwise = vec![Stmt::branch(here, block, otherwise)];
        }
        out.append(&mut otherwise);
        self.get(result, span)
    }

    /// An index of a constant string: its indexes are a list that the rules look something up in.
    fn listed_index(
        &mut self,
        which: Expr,
        text: &str,
        indexes: &[i32],
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let which = self.share(which, out);
        let least = Expr::binary(BinaryOp::Ge, which.clone(), Expr::wrap(1, span));
        let last = Expr::wrap(indexes.len() as i32, span);
        let most = Expr::binary(BinaryOp::Le, which.clone(), last);
        let within = least.and(most);
        self.require(within, "the string has no such index", span, out);
        let table = self.indexes_table(text, indexes);
        Expr::lookup(&self.out.game, table, vec![which], span)
    }

    fn longest_index(&mut self, text: &Text<'a>, span: Span) -> usize {
        if let Text::Const(text) = text {
            return split(text).map_or(0, |(_, indexes)| indexes.len());
        }
        let (dom, _) = self.any_member(text, span);
        let count = |text: &str| split(text).map_or(0, |(_, indexes)| indexes.len());
        self.names.members(dom).map(count).max().unwrap_or(0)
    }

    /// The part of a string before its indexes.
    pub(super) fn unindex(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Text<'a> {
        let no_name = |lower: &Self, out: &mut Block| {
            lower.fault("the string is no name with indexes", span, out);
            Text::Const(String::new())
        };
        match text {
            Text::Const(text) => match split(text) {
                Some((base, _)) => Text::Const(base.to_owned()),
                None => no_name(self, out),
            },
            Text::Template(template, holes) if template.indexed().is_some() => {
                holes
                    .iter()
                    .for_each(|hole| self.discard_expr(hole.expr.clone(), out));
                let base = template.indexed().map_or("", |indexed| indexed.base);
                Text::Const(base.to_owned())
            }
            _ => {
                let (dom, expr) = self.any_member(text, span);
                let bases: Vec<String> = self
                    .names
                    .members(dom)
                    .filter_map(|text| Some(split(text)?.0.to_owned()))
                    .collect();
                if bases.len() < self.names.count(dom) && dom != Dom::Name {
                    return no_name(self, out);
                }
                for base in bases {
                    self.names.name(&base);
                }
                let empty = matches!(text, Text::Member(_, Some(Absent::Empty), _));
                if empty {
                    self.names.name("");
                }
                let expr = match dom {
                    Dom::Name => {
                        let expr = self.share(expr, out);
                        let table = self.table_of_names();
                        let name = if matches!(expr.ty, Type::Opt(_)) {
                            expr.clone().get()
                        } else {
                            expr.clone()
                        };
                        let is_name = Expr::lookup(&self.out.game, table, vec![name], span);
                        self.require(is_name, "the string is no name with indexes", span, out);
                        expr
                    }
                    _ => expr,
                };
                let table = self.base_table(dom, empty);
                let expr = Expr::lookup(&self.out.game, table, vec![expr], span);
                Text::Member(Dom::Name, Some(Absent::Other), expr)
            }
        }
    }
}

fn nth(
    indexes: &[Index<'_>],
    place: Option<usize>,
    holes: &[Hole],
    template: &Template,
    span: Span,
) -> Option<Expr> {
    let place = place?;
    Some(match indexes.get(place)? {
        Index::Literal(value) => Expr::wrap(*value, span),
        Index::Var(var) => {
            let at = template
                .vars()
                .position(|other| std::ptr::eq(other, *var))?;
            holes.get(at)?.expr.clone()
        }
    })
}

/// A string with variables without their names.
fn shape(template: &Template) -> String {
    let parts = template.parts.iter().map(|part| match part {
        TemplatePart::Text(text) => text.node.as_str(),
        TemplatePart::Var(_) => "$",
    });
    parts.collect()
}

/// Whether every value of the holes spells a member.
fn is_total(ranges: &[Interval], cells: &[(Vec<i32>, u32)]) -> bool {
    let count = ranges.iter().try_fold(1_i64, |count, (lo, hi)| {
        count
            .checked_mul(i64::from(*hi) - i64::from(*lo) + 1)
            .filter(|&count| count <= MAX_SPELT)
    });
    let found = |values: &Vec<i32>| cells.binary_search_by(|(cell, _)| cell.cmp(values)).is_ok();
    count.is_some() && tuples(ranges).iter().all(found)
}

/// The least box around all cells.
fn bounds(cells: &[(Vec<i32>, u32)], holes: usize) -> Vec<Interval> {
    let range = |hole: usize| {
        let values = cells.iter().map(|(values, _)| values[hole]);
        let (lo, hi) = values.fold((i32::MAX, i32::MIN), |(lo, hi), v| (lo.min(v), hi.max(v)));
        (lo, hi)
    };
    (0..holes).map(range).collect()
}
