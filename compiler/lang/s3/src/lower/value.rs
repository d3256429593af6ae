//! How values are represented, and changing one representation into another.

use super::Lower;
use super::infer::{Abs, Texts};
use super::names::{Dom, EMPTY, Interval};
use crate::ast::Template;
use crate::codes;
use crate::diag::Diagnostic;
use crate::ir::{
    BinaryOp, Block, Const, Domain, DomainId, Expr, ExprKind, Local, LocalId, Over, Stmt, StmtKind,
    Type,
};
use crate::source::Span;

/// What is said where two texts outside of all known ones meet.
pub(super) const UNKNOWN: &str = "a text that the rules nowhere spell out cannot be compared";

/// Largest expression that is written twice rather than kept in a local variable.
const MAX_REPEATED: usize = 16;

/// What the absent member of a domain of texts stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Absent {
    /// The text without characters.
    Empty,
    /// A text that is no member of the domain.
    Other,
}

/// How values are represented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Repr {
    /// A truth value.
    Bool,
    /// A wrapping 32-bit integer.
    Int,
    /// A member of a domain of texts, perhaps absent.
    Text(Dom, Option<Absent>),
    /// A sequence of scalars.
    Set(Box<Repr>),
    /// A target with or without a pending call, see [`super::lists`].
    List,
    /// Anything but sets and lists, with a tag.
    Tagged,
    /// Anything but lists: a tagged value and, if its tag says so, a sequence of these items.
    Mixed(Box<Repr>),
}

/// An integer to fill into a string.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// The integer.
    pub(super) expr: Expr,
    /// What it can be.
    pub(super) range: Interval,
}

/// A string.
#[derive(Clone, Debug)]
pub(super) enum Text<'a> {
    /// A text.
    Const(String),
    /// A string with variables and the integers to fill in.
    Template(&'a Template, Vec<Hole>),
    /// A member of a domain.
    Member(Dom, Option<Absent>, Expr),
}

/// A value; its parts are expressions without effects.
#[derive(Clone, Debug)]
pub(super) enum Val<'a> {
    /// A truth value.
    Bool(Expr),
    /// A wrapping 32-bit integer.
    Int(Expr),
    /// A string.
    Text(Text<'a>),
    /// A sequence, and what its items are.
    Set(Expr, Repr),
    /// The members of a set as they are written.
    Items(Vec<Val<'a>>),
    /// A target with or without a pending call.
    List(Expr),
    /// A tagged value.
    Tagged(Expr),
    /// A tagged value that may stand for a set, and the set.
    Mixed(Mixed),
    /// Never given: evaluation ends in a fault before.
    Never,
}

/// A tagged value and a set; the value counts unless it is the member 0 of the players, which no rule can name.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    /// The value.
    pub(super) scalar: Expr,
    /// The set; empty if the value counts.
    pub(super) set: Expr,
    /// What its items are.
    pub(super) item: Repr,
}

/// The number of nodes of an expression.
fn size(expr: &Expr) -> usize {
    let mut size = 0;
    expr.walk(&mut |_| size += 1);
    size
}

/// Whether later effects cannot change the value of an expression.
fn is_stable(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(_) | ExprKind::Local(_))
}

/// Whether evaluating an expression for nothing does nothing; errs towards no.
fn is_idle(expr: &Expr) -> bool {
    let mut idle = true;
    expr.walk(&mut |expr| {
        idle &= match &expr.kind {
            ExprKind::Env { checked, .. } => !checked,
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
            ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::IsSome(_) | ExprKind::Unary(..) => {
                true
            }
            _ => false,
        }
    });
    idle
}

impl<'a> Lower<'a> {
    /// The representation that holds all these values; one for any value if there is none.
    ///
    /// Sets of sets have none, nor have lists beside other values; that is an error, told once for each place.
    pub(super) fn repr(&mut self, abs: &Abs, what: &str, span: Span) -> Repr {
        match self.find_repr(abs, false) {
            Some(repr) => repr,
            None => {
                let message = format!("{what} would mix sets or lists with other values");
                let error = Diagnostic::new(&codes::MIXED_SETS, span, message);
                self.diagnostics.push(error);
                Repr::Tagged
            }
        }
    }

    fn find_repr(&mut self, abs: &Abs, is_item: bool) -> Option<Repr> {
        if abs.list {
            let alone = abs.int.is_none() && !abs.is_bool() && abs.set.is_none();
            return alone.then_some(Repr::List);
        }
        if let Some(item) = &abs.set {
            if is_item {
                return None;
            }
            let item = Box::new(self.find_repr(item, true)?);
            return Some(if abs.kinds() > 1 {
                Repr::Mixed(item)
            } else {
                Repr::Set(item)
            });
        }
        Some(match &abs.text {
            _ if abs.kinds() > 1 => Repr::Tagged,
            Some(texts) => self.text_repr(texts, is_item),
            None if abs.is_bool() => Repr::Bool,
            None => Repr::Int,
        })
    }

    /// The representation of the members of a set; an error as in [`Lower::repr`].
    pub(super) fn item_repr(&mut self, item: &Abs, span: Span) -> Repr {
        let set = Abs {
            set: Some(Box::new(item.clone())),
            ..Abs::default()
        };
        match self.repr(&set, "a member", span) {
            Repr::Set(item) => *item,
            _ => Repr::Int,
        }
    }

    fn text_repr(&self, texts: &Texts, is_item: bool) -> Repr {
        let open = texts.open && !is_item;
        let flagged: Vec<Dom> = Dom::FIXED
            .into_iter()
            .filter(|&dom| texts.any[dom as usize])
            .collect();
        let words: Vec<&str> = texts
            .known
            .iter()
            .filter(|&&id| id != EMPTY)
            .map(|&id| self.names.text(id))
            .collect();
        let holds = |dom: &Dom| {
            words
                .iter()
                .all(|word| self.names.member(*dom, word).is_some())
        };
        let dom = match flagged.as_slice() {
            [] if words.is_empty() => None,
            [] => [
                Dom::Location,
                Dom::Element,
                Dom::ElementType,
                Dom::LocationType,
            ]
            .into_iter()
            .find(holds),
            [dom] => Some(*dom).filter(holds),
            _ => None,
        };
        let empty = texts.known.contains(&EMPTY);
        match dom.filter(|_| !(empty && open)) {
            Some(dom) if open => Repr::Text(dom, Some(Absent::Other)),
            Some(dom) => Repr::Text(dom, empty.then_some(Absent::Empty)),
            None => Repr::Text(Dom::Name, open.then_some(Absent::Other)),
        }
    }

    /// The type of a representation.
    pub(super) fn ty(&self, repr: &Repr) -> Type {
        match repr {
            Repr::Bool => Type::Bool,
            Repr::Int => Type::Wrap32,
            Repr::Text(dom, None) => Type::Elem(dom.id()),
            Repr::Text(dom, Some(_)) => Type::Opt(dom.id()),
            Repr::Set(item) => self.set_type(item),
            Repr::List => self.list_type(),
            Repr::Tagged | Repr::Mixed(_) => Type::Tagged,
        }
    }

    /// The type of sets with items in a representation.
    pub(super) fn set_type(&self, item: &Repr) -> Type {
        Type::Seq {
            item: Box::new(self.ty(item)),
            cap: self.set_cap(),
        }
    }

    /// Most members of a set that is kept in a variable.
    pub(super) fn set_cap(&self) -> u32 {
        let places = (4 * self.game.locations.len().max(16)).min(1 << 16) as u32;
        places.max(self.numbers_in_sets)
    }

    /// A value that an expression of a representation has.
    pub(super) fn val(&self, expr: Expr, repr: &Repr) -> Val<'a> {
        match repr {
            Repr::Bool => Val::Bool(expr),
            Repr::Int => Val::Int(expr),
            Repr::Text(dom, none) => Val::Text(Text::Member(*dom, *none, expr)),
            Repr::Set(item) => Val::Set(expr, item.as_ref().clone()),
            Repr::List => Val::List(expr),
            Repr::Tagged | Repr::Mixed(_) => Val::Tagged(expr),
        }
    }

    /// The scalar of a mixed value that is a set.
    fn mark(&self, span: Span) -> Expr {
        let player = Type::Elem(self.out.game.players);
        Expr::constant(
            Const::Tagged(Box::new(player), Box::new(Const::Elem(0))),
            Type::Tagged,
            span,
        )
    }

    /// Whether a mixed value is a set.
    pub(super) fn is_set(&self, scalar: Expr, span: Span) -> Expr {
        self.has_tag(Type::Elem(self.out.game.players), scalar, span)
    }

    /// A value as a mixed one.
    pub(super) fn mix(&mut self, val: Val<'a>, item: &Repr, span: Span, out: &mut Block) -> Mixed {
        let repr = Repr::Set(Box::new(item.clone()));
        let item = item.clone();
        match val {
            Val::Set(..) | Val::Items(_) => {
                let set = self.convert(val, &repr, span, out);
                Mixed {
                    scalar: self.mark(span),
                    set,
                    item,
                }
            }
            Val::Mixed(mixed) => {
                let scalar = self.keep(mixed.scalar, out);
                let set = self.convert_seq(mixed.set, &mixed.item, &item, span, out);
                Mixed { scalar, set, item }
            }
            val => {
                let scalar = self.convert(val, &Repr::Tagged, span, out);
                Mixed {
                    scalar,
                    set: self.dummy(&self.ty(&repr), span),
                    item,
                }
            }
        }
    }

    /// Whether a domain has no members. That of names is made last, and has some.
    fn is_empty(&self, domain: DomainId) -> bool {
        let domains = &self.out.game.domains;
        domains.get(domain.index()).is_some_and(Domain::is_empty)
    }

    /// Some value of a type, for places that are never reached.
    pub(super) fn dummy(&self, ty: &Type, span: Span) -> Expr {
        let value = match ty {
            Type::Bool => Const::Bool(false),
            Type::Opt(_) => Const::None,
            // A game without pieces has none to name.
            Type::Elem(domain) if self.is_empty(*domain) => {
                return Expr::none(*domain, span).get();
            }
            Type::Elem(_) => Const::Elem(0),
            Type::Set(_) => Const::Set(Vec::new()),
            Type::Seq { .. } => Const::Seq(Vec::new()),
            Type::Tagged => Const::Tagged(Box::new(Type::Bool), Box::new(Const::Bool(false))),
            Type::Int { lo, .. } => Const::Int(*lo),
            Type::Wrap32 => Const::Int(0),
        };
        Expr::constant(value, ty.clone(), span)
    }

    /// A new local variable of the function under construction.
    pub(super) fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    /// The value of a local variable.
    pub(super) fn get(&self, local: LocalId, span: Span) -> Expr {
        Expr::local(local, self.locals[local.index()].ty.clone(), span)
    }

    /// Keeps the value of an expression in a local variable unless nothing can change it.
    pub(super) fn keep(&mut self, expr: Expr, out: &mut Block) -> Expr {
        if is_stable(&expr) {
            return expr;
        }
        let span = expr.span;
        let local = self.local("value", expr.ty.clone());
        out.push(Stmt::assign(local, expr));
        self.get(local, span)
    }

    /// An expression that may be written several times.
    pub(super) fn share(&mut self, expr: Expr, out: &mut Block) -> Expr {
        if size(&expr) <= MAX_REPEATED {
            expr
        } else {
            self.keep(expr, out)
        }
    }

    /// A value that later effects cannot change.
    pub(super) fn keep_val(&mut self, val: Val<'a>, out: &mut Block) -> Val<'a> {
        match val {
            Val::Bool(expr) => Val::Bool(self.keep(expr, out)),
            Val::Int(expr) => Val::Int(self.keep(expr, out)),
            Val::Text(Text::Const(text)) => Val::Text(Text::Const(text)),
            Val::Text(Text::Template(template, holes)) => {
                let keep = |hole: Hole| Hole {
                    expr: self.keep(hole.expr, out),
                    ..hole
                };
                let holes = holes.into_iter().map(keep).collect();
                Val::Text(Text::Template(template, holes))
            }
            Val::Text(Text::Member(dom, none, expr)) => {
                Val::Text(Text::Member(dom, none, self.keep(expr, out)))
            }
            Val::Set(expr, item) => Val::Set(self.keep(expr, out), item),
            Val::Items(items) => Val::Items(
                items
                    .into_iter()
                    .map(|item| self.keep_val(item, out))
                    .collect(),
            ),
            Val::List(expr) => Val::List(self.keep(expr, out)),
            Val::Tagged(expr) => Val::Tagged(self.keep(expr, out)),
            Val::Mixed(mixed) => Val::Mixed(Mixed {
                scalar: self.keep(mixed.scalar, out),
                set: self.keep(mixed.set, out),
                item: mixed.item,
            }),
            Val::Never => Val::Never,
        }
    }

    /// Evaluates a value for its faults only.
    pub(super) fn discard(&mut self, val: Val<'a>, out: &mut Block) {
        match val {
            Val::Text(Text::Template(_, holes)) => {
                holes
                    .into_iter()
                    .for_each(|hole| self.discard_expr(hole.expr, out));
            }
            Val::Items(items) => items.into_iter().for_each(|item| self.discard(item, out)),
            Val::Bool(expr)
            | Val::Int(expr)
            | Val::Text(Text::Member(_, _, expr))
            | Val::Set(expr, _)
            | Val::List(expr)
            | Val::Tagged(expr) => self.discard_expr(expr, out),
            Val::Mixed(mixed) => self.discard_expr(mixed.scalar, out),
            Val::Text(Text::Const(_)) | Val::Never => {}
        }
    }

    pub(super) fn discard_expr(&mut self, expr: Expr, out: &mut Block) {
        if !is_idle(&expr) {
            let local = self.local("unused", expr.ty.clone());
            out.push(Stmt::assign(local, expr));
        }
    }

    /// Ends the game with a message that quotes the rules.
    pub(super) fn fault(&self, message: &str, span: Span, out: &mut Block) {
        let quote = self
            .sources
            .get(span.file)
            .map_or("", |file| file.slice(span));
        let message = match quote {
            "" => message.to_owned(),
            _ => format!("`{quote}`: {message}"),
        };
        out.push(Stmt::fault(message, span));
    }

    /// A fault unless the condition holds.
    pub(super) fn require(&self, condition: Expr, message: &str, span: Span, out: &mut Block) {
        let mut block = Block::new();
        self.fault(message, span, &mut block);
        out.push(Stmt::new(
            StmtKind::If(condition.not(), block, Block::new()),
            span,
        ));
    }

    /// The value in a representation; a fault if it has another type.
    pub(super) fn convert(
        &mut self,
        val: Val<'a>,
        repr: &Repr,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        match (val, repr) {
            (Val::Bool(expr), Repr::Bool)
            | (Val::Int(expr), Repr::Int)
            | (Val::List(expr), Repr::List)
            | (Val::Tagged(expr), Repr::Tagged) => expr,
            (Val::Text(text), Repr::Text(dom, none)) => self.text_as(text, *dom, *none, span, out),
            (Val::Text(text), Repr::List) => self.plain_target(text, span, out),
            (Val::Items(items), Repr::Set(item)) => self.seq_of(items, item, span, out),
            (Val::Set(expr, from), Repr::Set(item)) => {
                self.convert_seq(expr, &from, item, span, out)
            }
            (val @ (Val::Bool(_) | Val::Int(_) | Val::Text(_)), Repr::Tagged) => {
                self.tag(val, span, out)
            }
            (Val::Tagged(expr), Repr::Bool | Repr::Int) => self.untag(expr, self.ty(repr), span),
            (Val::Tagged(expr), Repr::Text(dom, none)) => {
                let text = self.untag_text(expr, span);
                self.text_as(text, *dom, *none, span, out)
            }
            (Val::Mixed(mixed), Repr::Set(item)) => {
                let test = self.is_set(mixed.scalar, span);
                self.require(test, "this is not a set", span, out);
                self.convert_seq(mixed.set, &mixed.item, item, span, out)
            }
            (Val::Mixed(mixed), Repr::Tagged) => {
                let scalar = self.share(mixed.scalar, out);
                let test = self.is_set(scalar.clone(), span).not();
                self.require(test, "this is a set", span, out);
                scalar
            }
            (Val::Mixed(mixed), repr @ (Repr::Bool | Repr::Int | Repr::Text(..))) => {
                self.convert(Val::Tagged(mixed.scalar), repr, span, out)
            }
            (Val::Never, repr) => self.dummy(&self.ty(repr), span),
            (val, repr) => {
                self.discard(val, out);
                let message = format!("this is not {}", phrase(repr));
                self.fault(&message, span, out);
                self.dummy(&self.ty(repr), span)
            }
        }
    }

    /// A scalar with its tag.
    fn tag(&mut self, val: Val<'a>, span: Span, out: &mut Block) -> Expr {
        let expr = match val {
            Val::Text(text) => {
                self.name_text(&text);
                self.text_as(text, Dom::Name, Some(Absent::Other), span, out)
            }
            Val::Bool(expr) | Val::Int(expr) => expr,
            _ => return self.dummy(&Type::Tagged, span),
        };
        Expr::new(ExprKind::Tag(Box::new(expr)), Type::Tagged, span)
    }

    pub(super) fn untag(&self, expr: Expr, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Untag(Box::new(expr)), ty, span)
    }

    /// The string of a tagged value.
    pub(super) fn untag_text(&self, expr: Expr, span: Span) -> Text<'a> {
        let expr = self.untag(expr, Type::Opt(Dom::Name.id()), span);
        Text::Member(Dom::Name, Some(Absent::Other), expr)
    }

    /// Whether a tagged value has a type.
    pub(super) fn has_tag(&self, ty: Type, expr: Expr, span: Span) -> Expr {
        Expr::new(ExprKind::HasTag(ty, Box::new(expr)), Type::Bool, span)
    }

    /// A sequence of values.
    fn seq_of(&mut self, items: Vec<Val<'a>>, repr: &Repr, span: Span, out: &mut Block) -> Expr {
        let mut exprs: Vec<Expr> = Vec::new();
        for item in items {
            let mut block = Block::new();
            let expr = self.convert_item(item, repr, span, &mut block);
            if !block.is_empty() {
                exprs = exprs.into_iter().map(|expr| self.keep(expr, out)).collect();
                out.append(&mut block);
            }
            exprs.push(expr);
        }
        let cap = exprs.len() as u32;
        let ty = Type::Seq {
            item: Box::new(self.ty(repr)),
            cap,
        };
        let consts: Option<Vec<Const>> =
            exprs.iter().map(|expr| expr.as_const().cloned()).collect();
        match consts {
            Some(values) => Expr::constant(Const::Seq(values), ty, span),
            None => Expr::new(ExprKind::SeqOf(exprs), ty, span),
        }
    }

    /// A member of a set; texts that the rules nowhere spell cannot be told apart, so they are refused.
    fn convert_item(&mut self, item: Val<'a>, repr: &Repr, span: Span, out: &mut Block) -> Expr {
        let expr = self.convert(item, repr, span, out);
        if *repr != Repr::Tagged || expr.as_const().is_some() {
            return expr;
        }
        let expr = self.keep(expr, out);
        let name = Type::Opt(Dom::Name.id());
        let is_text = self.has_tag(name.clone(), expr.clone(), span);
        let known = self.untag(expr.clone(), name, span).is_some();
        self.require(is_text.not().or(known), UNKNOWN, span, out);
        expr
    }

    /// A sequence with its items in another representation.
    fn convert_seq(
        &mut self,
        seq: Expr,
        from: &Repr,
        to: &Repr,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        if from == to {
            return seq;
        }
        let Type::Seq { cap, .. } = seq.ty else {
            return seq;
        };
        let ty = Type::Seq {
            item: Box::new(self.ty(to)),
            cap,
        };
        if cap == 0 {
            return Expr::constant(Const::Seq(Vec::new()), ty, span);
        }
        let result = self.local("converted", ty.clone());
        out.push(Stmt::assign(result, self.dummy(&ty, span)));
        let item = self.local("item", self.ty(from));
        let mut block = Block::new();
        let val = self.val(self.get(item, span), from);
        let val = self.convert_item(val, to, span, &mut block);
        let one = Type::Seq {
            item: Box::new(self.ty(to)),
            cap: 1,
        };
        let one = Expr::new(ExprKind::SeqOf(vec![val]), one, span);
        let longer = Expr::binary(BinaryOp::Concat, self.get(result, span), one);
        block.push(Stmt::assign(result, longer));
        out.push(Stmt::new(
            StmtKind::ForEach(item, Over::Seq(seq), block),
            span,
        ));
        self.get(result, span)
    }
}

/// A representation in words.
fn phrase(repr: &Repr) -> &'static str {
    match repr {
        Repr::Bool => "a truth value",
        Repr::Int => "an integer",
        Repr::Text(..) => "a string",
        Repr::Set(_) => "a set",
        Repr::List => "a target",
        Repr::Tagged | Repr::Mixed(_) => "an integer, a string or a truth value",
    }
}
