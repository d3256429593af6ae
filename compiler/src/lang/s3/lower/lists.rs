//! Lists `["target", Call(...)]`: moves of `toLocations` with followups of their own.
//!
//! Sets hold scalars, so a list is one integer: the number of its target, plus the number of locations times the
//! call. A call is 0 for a plain target, else 1 plus the number of its place in the rules plus the number of such
//! places times the count of calls that this evaluation made there before. Its arguments wait in sequences of the
//! environment, one for each parameter. Two lists are equal only if they are the same list.

use super::Lower;
use super::infer::Abs;
use super::names::Dom;
use super::value::{Repr, Text, Val};
use crate::ir::{
    BinaryOp, Block, Const, EnvId, Expr, ExprKind, LocalId, Over, Stmt, StmtKind, Type,
};
use crate::lang::s3::ast::{Expr as Ast, ExprKind as AstKind, Game};
use crate::source::Span;

/// A place in the rules that makes lists.
pub(super) struct Site<'a> {
    /// The expression that the list calls, if it has a call.
    pub(super) callee: Option<&'a str>,
    /// The arguments of the call.
    args: &'a [Ast],
    /// Where they wait.
    waiting: Vec<(EnvId, Repr)>,
}

/// All lists of a game, in the order of the file.
pub(super) fn collect<'a>(game: &'a Game) -> Vec<(*const Ast, Site<'a>)> {
    let mut sites = Vec::new();
    let lines = game
        .expressions
        .values()
        .flat_map(|definition| &definition.body);
    for expr in lines.chain(super::infer::roots(game)) {
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
                let repr = self.item_repr(&abs, arg.span);
                let ty = self.ty(&Repr::Set(Box::new(repr.clone())));
                let name = format!(
                    "{} {} of {}",
                    param.node,
                    at + 1,
                    callee.unwrap_or_default()
                );
                waiting.push((self.out.env(&name, ty), repr));
            }
            self.sites[at].waiting = waiting;
        }
    }

    /// Forgets the arguments of an earlier evaluation.
    pub(super) fn clear_lists(&self, span: Span, out: &mut Block) {
        for (env, _) in self.sites.iter().flat_map(|site| &site.waiting) {
            let ty = self.out.game.env[env.index()].ty.clone();
            out.push(Stmt::set_env(*env, self.dummy(&ty, span)));
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
        for (at, (arg, (env, repr))) in self.sites[site].args.iter().zip(waiting).enumerate() {
            let value = self.any(arg, out);
            let value = self.convert(value, &repr, arg.span, out);
            let value = self.keep(value, out);
            let ty = self.out.game.env[env.index()].ty.clone();
            let seq = Expr::new(
                ExprKind::Env {
                    var: env,
                    checked: true,
                },
                ty,
                arg.span,
            );
            if at == 0 {
                let size = Expr::new(ExprKind::Size(Box::new(seq.clone())), Type::INT, span);
                count = self.keep(size, out);
            }
            let one = Type::Seq {
                item: Box::new(self.ty(&repr)),
                cap: 1,
            };
            let one = Expr::new(ExprKind::SeqOf(vec![value]), one, arg.span);
            out.push(Stmt::set_env(env, Expr::binary(BinaryOp::Concat, seq, one)));
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
        for (param, (env, repr)) in params.iter().zip(waiting) {
            let ty = self.out.game.env[env.index()].ty.clone();
            let seq = Expr::new(
                ExprKind::Env {
                    var: env,
                    checked: true,
                },
                ty,
                span,
            );
            let item = ExprKind::Item(Box::new(seq), Box::new(index.clone()));
            let item = Expr::new(item, self.ty(&repr), span);
            let val = self.val(item, &repr);
            self.assign_var(&param.node, val, span, out);
        }
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
