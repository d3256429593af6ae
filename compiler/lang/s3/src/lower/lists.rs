//! Lists `["target", Call(...)]`: moves of `toLocations` with followups of their own.
//!
//! Sets hold scalars, so a list is one integer: the number of its target, plus the number of locations times the
//! call. A call is 0 for a plain target, else 1 plus the number of its place in the rules plus the number of such
//! places times the count of calls that this evaluation made there before. Its arguments wait in sequences of the
//! environment, one for each parameter. Sets wait one behind the other, and a second sequence tells where each starts.
//! Two lists are equal only if they are the same list.

use super::Lower;
use super::infer::Abs;
use super::names::Dom;
use super::value::{Repr, Text, Val};
use crate::ast::{Expr as Ast, ExprKind as AstKind, Game};
use crate::ir::{
    BinaryOp, Block, Const, EnvId, Expr, ExprKind, LocalId, Over, Stmt, StmtKind, Type,
};
use crate::source::Span;

/// A place in the rules that makes lists.
pub(super) struct Site<'a> {
    /// The expression that the list calls, if it has a call.
    pub(super) callee: Option<&'a str>,
    /// The arguments of the call.
    args: &'a [Ast],
    /// Where they wait.
    waiting: Vec<Waiting>,
}

/// Where the arguments for one parameter of a pending call wait.
#[derive(Clone)]
struct Waiting {
    /// The arguments; the members of all of them for sets.
    values: EnvId,
    /// For sets, how many members wait before each.
    starts: Option<EnvId>,
    /// An argument.
    repr: Repr,
}

/// All lists of a game, in the order of the file.
pub(super) fn collect<'a>(game: &'a Game) -> Vec<(*const Ast, Site<'a>)> {
    let mut sites = Vec::new();
    let lines = game
        .expressions
        .values()
        .flat_map(|definition| &definition.body);
    for expr in lines.chain(super::names::roots(game)) {
        collect_in(expr, &mut sites);
    }
    sites
}

fn collect_in<'a>(expr: &'a Ast, sites: &mut Vec<(*const Ast, Site<'a>)>) {
    if let AstKind::Lazy(items) = &expr.kind {
        let call = items.iter().skip(1).find_map(|item| match &item.kind {
            AstKind::Call { name, args } => Some((name.node.as_str(), args.as_slice())),
            _ => None,
        });
        let (callee, args) = call.map_or((None, &[][..]), |(name, args)| (Some(name), args));
        sites.push((
            std::ptr::from_ref(expr),
            Site {
                callee,
                args,
                waiting: Vec::new(),
            },
        ));
    }
    for child in expr.children() {
        collect_in(child, sites);
    }
}

impl<'a> Lower<'a> {
    fn places(&self) -> i64 {
        self.names.count(Dom::Location).max(1) as i64
    }

    /// The type of a list as a scalar.
    pub(super) fn list_type(&self) -> Type {
        let calls = self.sites.len() as i64 * (i64::from(self.set_cap()) + 1);
        Type::Int {
            lo: 0,
            hi: self.places() * (calls + 1) - 1,
        }
    }

    /// Declares where arguments wait.
    pub(super) fn declare_lists(&mut self) {
        for at in 0..self.sites.len() {
            let (args, callee) = (self.sites[at].args, self.sites[at].callee);
            let definition = callee.and_then(|name| self.game.expressions.get(name));
            let params = definition.map_or(&[][..], |definition| &definition.params);
            let mut waiting = Vec::new();
            for (param, arg) in params.iter().zip(args) {
                let abs: Abs = self.types.of(arg);
                if abs.is_never() {
                    continue;
                }
                let name = format!(
                    "{} {} of {}",
                    param.node,
                    at + 1,
                    callee.unwrap_or_default()
                );
                let repr = self.repr(&abs, "an argument of a list", arg.span);
                let item = match &repr {
                    Repr::Set(item) => item.as_ref().clone(),
                    _ => self.item_repr(&abs, arg.span),
                };
                let ty = self.set_type(&item);
                let starts = match &repr {
                    Repr::Set(_) => {
                        let ty = self.set_type(&Repr::Int);
                        Some(self.out.env(&format!("starts of {name}"), ty))
                    }
                    _ => None,
                };
                let values = self.out.env(&name, ty);
                let repr = if starts.is_some() { repr } else { item };
                waiting.push(Waiting {
                    values,
                    starts,
                    repr,
                });
            }
            self.sites[at].waiting = waiting;
        }
    }

    /// Forgets the arguments of an earlier evaluation.
    pub(super) fn clear_lists(&self, span: Span, out: &mut Block) {
        for waiting in self.sites.iter().flat_map(|site| &site.waiting) {
            for env in [Some(waiting.values), waiting.starts].into_iter().flatten() {
                let ty = self.out.game.env[env.index()].ty.clone();
                out.push(Stmt::set_env(env, self.dummy(&ty, span)));
            }
        }
    }

    /// A target without a call, as a list.
    pub(super) fn plain_target(&mut self, text: Text<'a>, span: Span, out: &mut Block) -> Expr {
        let place = self.location(&text, span, out);
        Expr::new(ExprKind::Ordinal(Box::new(place)), self.list_type(), span)
    }

    /// A string as a location; a fault if it is none.
    pub(super) fn location(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Expr {
        let place = self.member(text, Dom::Location, span);
        self.present(place, "this is no location", span, out)
    }

    /// Evaluates a list.
    pub(super) fn list(&mut self, expr: &'a Ast, items: &'a [Ast], out: &mut Block) -> Val<'a> {
        let found = self.site_of.get(&std::ptr::from_ref(expr)).copied();
        let (Some(site), Some(target)) = (found, items.first()) else {
            self.fault("this is no target", expr.span, out);
            return Val::Never;
        };
        let text = self.text(target, out);
        let place = self.location(&text, target.span, out);
        let mut result = Expr::new(ExprKind::Ordinal(Box::new(place)), Type::INT, expr.span);
        if self.sites[site].callee.is_some() {
            result = self.keep(result, out);
            let call = self.pending(site, expr.span, out);
            let step = Expr::int(self.places(), expr.span);
            let call = Expr::binary(BinaryOp::Mul, call, step);
            result = Expr::binary(BinaryOp::Add, result, call);
        }
        let local = self.local("list", self.list_type());
        out.push(Stmt::assign(local, result));
        Val::List(self.get(local, expr.span))
    }

    /// Evaluates the arguments of a call, puts them aside, and gives the number of the call.
    fn pending(&mut self, site: usize, span: Span, out: &mut Block) -> Expr {
        let mut count = Expr::int(0, span);
        let waiting = self.sites[site].waiting.clone();
        for (at, (arg, waiting)) in self.sites[site].args.iter().zip(waiting).enumerate() {
            let value = self.any(arg, out);
            let value = self.convert(value, &waiting.repr, arg.span, out);
            let value = self.keep(value, out);
            let values = self.env_value(waiting.values, arg.span);
            if at == 0 {
                let calls = match waiting.starts {
                    Some(starts) => self.env_value(starts, span),
                    None => values.clone(),
                };
                count = self.keep(size_of(calls, span), out);
            }
            if let Some(starts) = waiting.starts {
                let start = size_of(values.clone(), span).to_wrap();
                self.append(starts, one(start), arg.span, out);
                self.append(waiting.values, value, arg.span, out);
            } else {
                self.append(waiting.values, one(value), arg.span, out);
            }
        }
        let step = Expr::int(self.sites.len() as i64, span);
        let calls = Expr::binary(BinaryOp::Mul, count, step);
        Expr::binary(BinaryOp::Add, calls, Expr::int(site as i64 + 1, span))
    }

    /// The target of a list.
    pub(super) fn target_of(&self, list: Expr, span: Span) -> Expr {
        let number = Expr::binary(BinaryOp::Rem, list, Expr::int(self.places(), span));
        number.member(Dom::Location.id()).get()
    }

    /// Finds the first member of a set of lists whose target is a location, and keeps its call: 0 for none.
    pub(super) fn find_call(
        &mut self,
        set: Expr,
        to: LocalId,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let call = self.local("call", Type::INT);
        out.push(Stmt::assign(call, Expr::int(0, span)));
        let item = self.local("target", self.list_type());
        let is_target = self
            .target_of(self.get(item, span), span)
            .equals(self.get(to, span));
        let number = Expr::binary(
            BinaryOp::Div,
            self.get(item, span),
            Expr::int(self.places(), span),
        );
        let found = vec![Stmt::assign(call, number), Stmt::new(StmtKind::Break, span)];
        let block = vec![Stmt::branch(is_target, found, Block::new())];
        out.push(Stmt::new(
            StmtKind::ForEach(item, Over::Seq(set), block),
            span,
        ));
        self.get(call, span)
    }

    /// Makes a pending call; `otherwise` if there is none.
    pub(super) fn run_call(&mut self, call: Expr, otherwise: Block, span: Span, out: &mut Block) {
        let count = self.sites.len() as i64;
        let mut rest = otherwise;
        let zero = call.clone().equals(Expr::int(0, span)).at(span);
        let before = Expr::binary(BinaryOp::Sub, call, Expr::int(1, span));
        let site = Expr::binary(BinaryOp::Rem, before.clone(), Expr::int(count.max(1), span));
        let mut calls = Block::new();
        for at in (0..self.sites.len()).rev() {
            let Some(callee) = self.sites[at].callee else {
                continue;
            };
            let Some(&func) = self.funcs.get(callee) else {
                continue;
            };
            let mut block = Block::new();
            let index = Expr::binary(BinaryOp::Div, before.clone(), Expr::int(count, span));
            self.pass_waiting(at, callee, &index, span, &mut block);
            block.push(Stmt::call(func, Vec::new(), None, span));
            let here = site.clone().equals(Expr::int(at as i64, span)).at(span);
            calls = vec![Stmt::branch(here, block, calls)];
        }
        if calls.is_empty() {
            out.append(&mut rest);
        } else {
            out.push(Stmt::branch(zero, rest, calls));
        }
    }

    /// Assigns the arguments that wait to the parameters.
    fn pass_waiting(&mut self, at: usize, callee: &str, index: &Expr, span: Span, out: &mut Block) {
        let definition = self.game.expressions.get(callee);
        let params = definition.map_or(&[][..], |definition| &definition.params);
        let waiting = self.sites[at].waiting.clone();
        for (param, waiting) in params.iter().zip(waiting) {
            let values = self.env_value(waiting.values, span);
            let value = match waiting.starts {
                Some(starts) => self.waiting_set(values, starts, index, span, out),
                None => item(values, index.clone(), self.ty(&waiting.repr), span),
            };
            let val = self.val(value, &waiting.repr);
            self.assign_var(&param.node, val, span, out);
        }
    }

    /// The set of a call among the members of the sets that wait.
    fn waiting_set(
        &mut self,
        values: Expr,
        starts: EnvId,
        index: &Expr,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let index = self.keep(index.clone(), out);
        let starts = self.env_value(starts, span);
        let start = |index: Expr| item(starts.clone(), index, Type::Wrap32, span).to_int();
        let first = self.keep(start(index.clone()), out);
        let next = Expr::binary(BinaryOp::Add, index, Expr::int(1, span));
        let next = self.keep(next, out);
        let end = self.local("end", Type::INT);
        let is_last = size_of(starts.clone(), span).equals(next.clone()).at(span);
        out.push(Stmt::branch(
            is_last,
            vec![Stmt::assign(end, size_of(values.clone(), span))],
            vec![Stmt::assign(end, start(next))],
        ));
        let ty = values.ty.clone();
        let Type::Seq { item: member, .. } = ty.clone() else {
            return values;
        };
        let set = self.local("set", ty.clone());
        out.push(Stmt::assign(set, self.dummy(&ty, span)));
        let at = self.local("at", Type::INT);
        out.push(Stmt::assign(at, Expr::int(0, span)));
        let value = self.local("member", *member);
        let number = self.get(at, span);
        let longer = one(self.get(value, span));
        let longer = Expr::binary(BinaryOp::Concat, self.get(set, span), longer);
        let not_before = Expr::binary(BinaryOp::Ge, number.clone(), first);
        let is_mine = Expr::binary(BinaryOp::Lt, number.clone(), self.get(end, span));
        let is_mine = not_before.and(is_mine).at(span);
        let body = vec![
            Stmt::branch(is_mine, vec![Stmt::assign(set, longer)], Block::new()),
            Stmt::assign(at, Expr::binary(BinaryOp::Add, number, Expr::int(1, span))),
        ];
        let each = StmtKind::ForEach(value, Over::Seq(values), body);
        out.push(Stmt::new(each, span));
        self.get(set, span)
    }

    /// The value of a variable that `clear_lists` has set.
    fn env_value(&self, var: EnvId, span: Span) -> Expr {
        let ty = self.out.game.env[var.index()].ty.clone();
        Expr::new(ExprKind::Env { var, checked: true }, ty, span)
    }

    /// Appends a sequence to one of the environment.
    fn append(&self, var: EnvId, more: Expr, span: Span, out: &mut Block) {
        let longer = Expr::binary(BinaryOp::Concat, self.env_value(var, span), more);
        out.push(Stmt::set_env(var, longer));
    }

    /// An optional member that must be there.
    pub(super) fn present(
        &mut self,
        expr: Expr,
        message: &str,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let Type::Opt(dom) = expr.ty else { return expr };
        match expr.as_const() {
            Some(Const::Elem(member)) => Expr::elem(dom, *member, span),
            Some(_) => {
                self.fault(message, span, out);
                self.dummy(&Type::Elem(dom), span)
            }
            None => {
                let expr = self.share(expr, out);
                self.require(expr.clone().is_some(), message, span, out);
                expr.get()
            }
        }
    }
}

/// The length of a sequence.
fn size_of(seq: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Size(Box::new(seq)), Type::INT, span)
}

/// A sequence of one value.
fn one(value: Expr) -> Expr {
    let (span, item) = (value.span, Box::new(value.ty.clone()));
    Expr::new(
        ExprKind::SeqOf(vec![value]),
        Type::Seq { item, cap: 1 },
        span,
    )
}

/// An item of a sequence.
fn item(seq: Expr, index: Expr, ty: Type, span: Span) -> Expr {
    Expr::new(ExprKind::Item(Box::new(seq), Box::new(index)), ty, span)
}
