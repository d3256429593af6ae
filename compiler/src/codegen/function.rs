//! Functions of the rules as Rust functions.

use rulec_ir::sorted::{SortedMap, SortedSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::code::number;
use super::declare::declarations;
use super::names::Case;
use super::stmt::{ends, leaves};
use super::{Body, Generator, LocalName, tells};
use crate::ir::effects::{Effect, Effects};
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::{each_block, each_stmt};
use crate::ir::{
    Block, Distribution, Expr, ExprKind, FaultCode, FuncId, Function, Game, IdentityTerm, Local,
    LocalId, Over, ParamSource, Point, Stmt, StmtKind, Type,
};
use crate::source::Span;

/// What a function takes beside its arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) state: bool,
    pub(super) state_mut: bool,
    pub(super) env: bool,
    pub(super) env_mut: bool,
    /// The listener.
    pub(super) ev: bool,
    /// The context, for faults and work.
    pub(super) cx: bool,
    /// Whether it may end the game, stop or fail a trial.
    pub(super) flow: bool,
    /// Whether it calls itself: its callers pass fault sites for its bounds.
    pub(super) recursive: bool,
}

impl Needs {
    /// What a block or expression with this effect needs.
    pub(super) fn of(effect: &Effect, ev: bool) -> Needs {
        let state_mut = effect.scratch.touches_state();
        let env_mut = !effect.scratch.env.is_empty();
        Needs {
            state: state_mut || effect.reads.touches_state() || effect.ends || effect.suspends,
            state_mut: state_mut || effect.ends || effect.suspends,
            env: env_mut || !effect.reads.env.is_empty(),
            env_mut,
            ev,
            cx: effect.may_fault || effect.works,
            flow: effect.fails || effect.ends || effect.suspends,
            recursive: false,
        }
    }

    /// The arguments that follow those of the rules.
    pub(super) fn arguments(self) -> TokenStream {
        let mut tokens = TokenStream::new();
        if self.state {
            tokens.extend(quote!(s,));
        }
        if self.env {
            tokens.extend(quote!(env,));
        }
        if self.ev {
            tokens.extend(quote!(ev,));
        }
        if self.cx {
            tokens.extend(quote!(cx,));
        }
        tokens
    }

    /// The parameters that follow those of the rules.
    pub(super) fn params(self, rt: &TokenStream) -> TokenStream {
        let mut tokens = TokenStream::new();
        match (self.state, self.state_mut) {
            (_, true) => tokens.extend(quote!(s: &mut State,)),
            (true, _) => tokens.extend(quote!(s: &State,)),
            _ => {}
        }
        match (self.env, self.env_mut) {
            (_, true) => tokens.extend(quote!(env: &mut Env,)),
            (true, _) => tokens.extend(quote!(env: &Env,)),
            _ => {}
        }
        if self.ev {
            tokens.extend(quote!(ev: &mut E,));
        }
        if self.cx {
            tokens.extend(quote!(cx: &mut #rt::Cx,));
        }
        tokens
    }

    /// What a question needs of its own: an environment, a copy of the state if it is written for a
    /// while, and nobody who listens.
    pub(super) fn own(self, rt: &TokenStream) -> TokenStream {
        let env = self.env.then(|| quote!(let env = &mut Env::new();));
        let state = self.state_mut.then(|| quote!(let s = &mut s.clone();));
        let ev = self.ev.then(|| quote!(let ev = &mut #rt::Silent;));
        quote!(#env #state #ev)
    }

    /// The generic parameters.
    pub(super) fn generics(self, rt: &TokenStream) -> TokenStream {
        match self.ev {
            true => quote!(<E: #rt::Events>),
            false => TokenStream::new(),
        }
    }
}

/// Functions up to this size, in nodes, are always inlined. Sizes include what is inlined into a function itself.
const SMALL: usize = 24;
/// Functions up to this size are always inlined where they are called only once.
const ONCE: usize = 1500;
/// Functions whose copies together stay below this size are always inlined: constants set before a call
/// then reach into it.
const COPIES: usize = 6000;
/// Functions beyond this size are never hinted to be inlined.
const LARGE: usize = 1500;

impl Generator<'_> {
    /// What every function needs.
    pub(super) fn find_needs(&self) -> Vec<Needs> {
        let telling = self.telling();
        let needs = |index: usize| {
            let func = FuncId::from(index);
            let mut needs = Needs::of(self.effects.function(func), telling[index]);
            needs.recursive = self.effects.is_recursive(func);
            needs.cx |= needs.recursive;
            needs
        };
        (0..self.game.functions.len()).map(needs).collect()
    }

    /// Which functions tell listeners something, apart from trials that are dropped.
    fn telling(&self) -> Vec<bool> {
        let mut telling = vec![false; self.game.functions.len()];
        loop {
            let tells = |function: &Function| self.block_tells(&function.body, &telling);
            let next: Vec<bool> = self.game.functions.iter().map(tells).collect();
            if next == telling {
                return telling;
            }
            telling = next;
        }
    }

    fn block_tells(&self, block: &Block, telling: &[bool]) -> bool {
        block.iter().any(|stmt| self.stmt_tells(stmt, telling))
    }

    fn stmt_tells(&self, stmt: &Stmt, telling: &[bool]) -> bool {
        match &stmt.kind {
            StmtKind::Trial { keep: false, .. } => false,
            StmtKind::Call { func, .. } => telling[func.index()],
            kind => {
                let mut found = tells(self.game, kind);
                stmt.blocks(&mut |block| found |= self.block_tells(block, telling));
                found
            }
        }
    }

    /// Whether a block tells listeners something, the functions it calls included.
    pub(super) fn tells(&self, block: &Block) -> bool {
        let telling: Vec<bool> = self.needs.iter().map(|needs| needs.ev).collect();
        self.block_tells(block, &telling)
    }

    /// All functions that can run.
    pub(super) fn functions(&self) -> TokenStream {
        let live = self.live();
        let calls = self.call_counts();
        let sizes = self.inlined_sizes(&calls);
        let mut tokens = TokenStream::new();
        for (index, function) in self.game.functions.iter().enumerate() {
            let func = FuncId::from(index);
            if live.contains(&func) {
                tokens.extend(self.function(func, function, sizes[index], calls[index]));
            }
        }
        tokens.extend(self.env_struct());
        tokens
    }

    /// The functions that can run without the process, which the machine replaces.
    fn live(&self) -> rulec_ir::sorted::SortedSet<FuncId> {
        let mut live = self.effects.live(self.game);
        let process = self.game.process;
        let mut called = false;
        for func in &live {
            called |= self.effects.reaches(*func).contains(&process);
        }
        if !called {
            live.remove(&process);
        }
        // What only the process calls may still suspend in ways that no machine has.
        live.retain(|func| !self.has_decision(*func));
        live
    }

    fn has_decision(&self, func: FuncId) -> bool {
        let mut found = false;
        let mut look = |func: FuncId| {
            walk_block(&self.game.function(func).body, &mut |stmt| {
                found |= matches!(stmt.kind, StmtKind::Choose(_) | StmtKind::Chance(_));
            });
        };
        look(func);
        self.effects.reaches(func).iter().copied().for_each(look);
        found
    }

    /// The size of each function with everything that is always inlined into it.
    fn inlined_sizes(&self, calls: &[usize]) -> Vec<usize> {
        let mut sizes = vec![None; calls.len()];
        for func in (0..calls.len()).map(FuncId::from) {
            self.inlined_size(func, calls, &mut sizes);
        }
        sizes.into_iter().map(Option::unwrap_or_default).collect()
    }

    fn inlined_size(&self, func: FuncId, calls: &[usize], sizes: &mut [Option<usize>]) -> usize {
        if let Some(known) = sizes[func.index()] {
            return known;
        }
        let function = self.game.function(func);
        let mut total = size(function);
        // What calls itself is never inlined, so that this is not asked for its callers.
        sizes[func.index()] = Some(total);
        for callee in self.called_in(&function.body) {
            if self.for_listeners.contains(&callee) {
                continue;
            }
            let size = self.inlined_size(callee, calls, sizes);
            let inlined = is_always_inlined(size, calls[callee.index()]);
            if inlined && !self.needs(callee).recursive {
                total = total.saturating_add(size);
            }
        }
        sizes[func.index()] = Some(total);
        total
    }

    /// The functions that a block calls, once for each call.
    pub(super) fn called_in(&self, block: &Block) -> Vec<FuncId> {
        let mut called = Vec::new();
        walk_block(block, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                called.push(*func);
            }
        });
        walk_exprs(block, &mut |expr| match &expr.kind {
            ExprKind::Call(func, _) => called.push(*func),
            ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
                called.push(self.game.relation(*relation).holds);
            }
            _ => {}
        });
        called
    }

    fn call_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.game.functions.len()];
        let mut count = |func: &FuncId| {
            if let Some(count) = counts.get_mut(func.index()) {
                *count += 1;
            }
        };
        each_stmt(self.game, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                count(func);
            }
        });
        for_each_expr(self.game, &mut |expr| match &expr.kind {
            ExprKind::Call(func, _) => count(func),
            ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
                count(&self.game.relation(*relation).holds);
            }
            _ => {}
        });
        for family in &self.game.families {
            [family.guard, family.after, family.effect, family.rank]
                .iter()
                .flatten()
                .for_each(&mut count);
        }
        counts
    }

    fn function(
        &self,
        func: FuncId,
        function: &Function,
        size: usize,
        calls: usize,
    ) -> TokenStream {
        let rt = &self.rt;
        let needs = self.needs(func);
        let params: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
        let mut body = Body::of(self, &function.locals, &function.body, &params);
        body.flow = needs.flow;
        body.ret = function.ret.clone();
        let block = body.tail(&function.body);
        let own_name = &self.function_names[func.index()];
        let worked_out = self.worked_out(func);
        let answering = worked_out
            .as_ref()
            .and_then(|name| self.answering(func, name));
        let name = worked_out.as_ref().unwrap_or(own_name);
        let value = function.ret.as_ref().map(|ty| self.value_type(ty));
        let ret = match (needs.flow, value) {
            (true, Some(value)) => quote!(-> #rt::support::Flow<#value>),
            (true, None) => quote!(-> #rt::support::Flow),
            (false, Some(value)) => quote!(-> #value),
            (false, None) => quote!(),
        };
        let declared = params.iter().map(|&local| body.parameter(local));
        let rest = needs.params(rt);
        let generics = needs.generics(rt);
        let doc = match function.doc.is_empty() {
            true => self.doc(&format!("`{}`.", function.name), function.span),
            false => self.doc(&function.doc, function.span),
        };
        let inline = match self.for_listeners.contains(&func) {
            true => quote!(#[inline(never)]),
            false => inline(needs, size, calls),
        };
        if !needs.recursive {
            return quote! {
                #doc
                #inline
                fn #name #generics (#(#declared,)* #rest) #ret { #block }
                #answering
            };
        }
        self.recursive(
            func,
            function,
            quote!(#doc #inline),
            ret,
            &declared.collect::<Vec<_>>(),
            block,
        )
    }

    /// A recursive function: its bounds are tested around its body.
    fn recursive(
        &self,
        func: FuncId,
        function: &Function,
        attributes: TokenStream,
        ret: TokenStream,
        declared: &[TokenStream],
        block: TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let needs = self.needs(func);
        let name = &self.function_names[func.index()];
        let inner = super::names::ident(&format!("{name}_body"));
        let (rest, generics, arguments) = (needs.params(rt), needs.generics(rt), needs.arguments());
        let names: Vec<_> = (0..function.params)
            .map(|index| super::names::ident(&format!("arg_{index}")))
            .collect();
        let types: Vec<_> = function.locals[..function.params]
            .iter()
            .map(|local| self.value_type(&local.ty))
            .collect();
        let dummy = match (&function.ret, needs.flow) {
            (Some(ty), false) => self.dummy(ty),
            (Some(ty), true) => {
                let dummy = self.dummy(ty);
                quote!(ControlFlow::Continue(#dummy))
            }
            (None, true) => quote!(ControlFlow::Continue(())),
            (None, false) => quote!(()),
        };
        quote! {
            #attributes
            fn #name #generics (#(#names: #types,)* work: u16, deep: u16, #rest) #ret {
                if !cx.spend(work) || !cx.enter(deep) {
                    return #dummy;
                }
                let value = #inner(#(#names,)* #arguments);
                cx.leave();
                value
            }
            fn #inner #generics (#(#declared,)* #rest) #ret { #block }
        }
    }

    /// The environment, if there is any.
    fn env_struct(&self) -> TokenStream {
        if self.game.env.is_empty() {
            return quote! {
                #[derive(Clone, Copy)]
                struct Env;
                impl Env {
                    #[inline(always)]
                    const fn new() -> Env { Env }
                }
            };
        }
        let fields = self
            .game
            .env
            .iter()
            .zip(&self.env_names)
            .map(|(var, name)| {
                let ty = self.value_type(&var.ty);
                quote!(#name: #ty)
            });
        let values = self
            .game
            .env
            .iter()
            .zip(&self.env_names)
            .map(|(var, name)| {
                let dummy = self.dummy(&var.ty);
                quote!(#name: #dummy)
            });
        let flags: Vec<_> = self
            .checked_env
            .iter()
            .map(|&var| self.env_flag(var))
            .collect();
        quote! {
            /// The variables that the functions of one evaluation share.
            #[derive(Clone, Copy)]
            struct Env {
                #(#fields,)*
                #(#flags: bool,)*
            }
            impl Env {
                /// The environment at the start of an evaluation.
                #[inline(always)]
                fn new() -> Env {
                    Env { #(#values,)* #(#flags: false,)* }
                }
            }
        }
    }

    /// The value of a function asked in a fresh evaluation, in the context `cx`: its bounds are
    /// those at its own place.
    pub(super) fn ask(&self, func: FuncId, args: &[TokenStream]) -> TokenStream {
        let rt = &self.rt;
        let needs = self.needs(func);
        let own = needs.own(rt);
        let call = self.plain_call(func, args);
        if !needs.flow {
            return match own.is_empty() {
                false => quote!({ #own #call }),
                true => call,
            };
        }
        let dummy = match &self.game.function(func).ret {
            Some(ty) => self.dummy(ty),
            None => quote!(()),
        };
        quote!({
            #own
            match #call {
                ControlFlow::Continue(value) => value,
                ControlFlow::Break(#rt::support::Halt::Fail(site)) => { cx.fail(site); #dummy }
                ControlFlow::Break(#rt::support::Halt::Done) => #dummy,
            }
        })
    }

    /// A call in the position, environment, listener and context at hand.
    fn plain_call(&self, func: FuncId, args: &[TokenStream]) -> TokenStream {
        let needs = self.needs(func);
        let name = &self.function_names[func.index()];
        let sites = needs.recursive.then(|| {
            let span = self.game.function(func).span;
            self.bound_sites(span)
        });
        let rest = needs.arguments();
        quote!(#name(#(#args,)* #sites #rest))
    }

    /// A call for what a function does to the position `s` that is at hand; its value is dropped.
    pub(super) fn perform(&self, func: FuncId, args: &[TokenStream]) -> TokenStream {
        let rt = &self.rt;
        let needs = self.needs(func);
        let listener = needs.ev.then(|| quote!(let ev = &mut #rt::Silent;));
        let env = needs.env.then(|| quote!(let env = &mut Env::new();));
        let call = self.plain_call(func, args);
        let call = match needs.flow {
            false => call,
            true => quote!(if let ControlFlow::Break(#rt::support::Halt::Fail(site)) = #call {
                cx.fail(site);
            }),
        };
        quote!({ #listener #env #call; })
    }

    /// The arguments that name where the bounds of a recursive function are exceeded.
    pub(super) fn bound_sites(&self, span: Span) -> TokenStream {
        let work = number(self.site(FaultCode::WorkLimit, span));
        let deep = number(self.site(FaultCode::RecursionLimit, span));
        quote!(#work, #deep,)
    }

    /// A fresh context for one chain of evaluation.
    pub(super) fn new_cx(&self) -> TokenStream {
        let own = self.own_cx();
        quote!(&mut #own)
    }

    /// A context as a value.
    pub(super) fn own_cx(&self) -> TokenStream {
        let rt = &self.rt;
        let work = proc_macro2::Literal::u32_unsuffixed(crate::ir::WORK_BUDGET);
        let depth = proc_macro2::Literal::u32_unsuffixed(crate::ir::RECURSION_LIMIT);
        quote!(#rt::Cx::new(#work, #depth))
    }
}

/// The functions that are called where somebody listens, and nowhere else.
pub(super) fn for_listeners(game: &Game, effects: &Effects) -> SortedSet<FuncId> {
    let (mut listened, mut all) = (SortedMap::new(), SortedMap::new());
    let count = |block: &[Stmt], calls: &mut SortedMap<FuncId, usize>| {
        walk_block(block, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                *calls.entry(*func).or_insert(0) += 1;
            }
        });
    };
    each_block(game, &mut |block| {
        count(block, &mut all);
        walk_block(block, &mut |stmt| {
            if let StmtKind::If(cond, told, _) = &stmt.kind
                && effects.expr(game, cond).emits
            {
                count(told, &mut listened);
            }
        });
    });
    let alone = |(func, calls): (&FuncId, &usize)| (all.get(func) == Some(calls)).then_some(*func);
    let mut found: SortedSet<FuncId> = listened.iter().filter_map(alone).collect();
    for_each_expr(game, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            found.remove(func);
        }
    });
    found
}

fn inline(needs: Needs, size: usize, calls: usize) -> TokenStream {
    if needs.recursive {
        return TokenStream::new();
    }
    if is_always_inlined(size, calls) {
        quote!(#[inline(always)])
    } else if size <= LARGE {
        quote!(#[inline])
    } else {
        TokenStream::new()
    }
}

fn is_always_inlined(size: usize, calls: usize) -> bool {
    let copies_are_small = calls == 1 || calls * size <= COPIES;
    size <= SMALL || (size <= ONCE && copies_are_small)
}

/// The size of a function in nodes, without what it calls.
fn size(function: &Function) -> usize {
    nodes_of(&function.body)
}

/// The statements and expressions of a block.
pub(super) fn nodes_of(block: &Block) -> usize {
    let mut nodes = 0;
    walk_block(block, &mut |_| nodes += 1);
    walk_exprs(block, &mut |_| nodes += 1);
    nodes
}

impl<'a> Body<'a> {
    /// A body with names for its local variables.
    pub(super) fn of(
        generator: &'a Generator<'a>,
        locals: &[Local],
        block: &Block,
        params: &[LocalId],
    ) -> Body<'a> {
        let mut scope = generator.local_scope.clone();
        let name = |local: &Local| LocalName {
            name: scope.ident(&local.name, Case::Snake),
            ty: local.ty.clone(),
        };
        let mut body = Body::over(generator, locals.iter().map(name).collect());
        body.declarations = declarations(block, params, locals.len());
        body
    }

    /// A parameter with its type.
    pub(super) fn parameter(&self, local: LocalId) -> TokenStream {
        let name = self.local_name(local);
        let ty = self.generator.value_type(&self.locals[local.index()].ty);
        match self.declarations.mutable.contains(&local) {
            true => quote!(mut #name: #ty),
            false => quote!(#name: #ty),
        }
    }

    /// A block whose value is that of the function: what stands last returns without saying so.
    pub(super) fn tail(&mut self, block: &Block) -> TokenStream {
        // The last statement that is reached.
        let leaving = block.iter().position(leaves);
        let Some(at) = leaving.or(block.len().checked_sub(1)) else {
            return self.falling();
        };
        let StmtKind::If(cond, yes, no) = &block[at].kind else {
            return self.plain_tail(block);
        };
        if !(ends(yes) && ends(no)) || cond.as_const().is_some() {
            return self.plain_tail(block);
        }
        let before = self.block_before(block, at);
        let cond = self.expr(cond).tokens;
        let (yes, no) = (self.tail(yes), self.tail(no));
        quote!(#before if #cond { #yes } else { #no })
    }

    fn plain_tail(&mut self, block: &Block) -> TokenStream {
        let tokens = self.block(block);
        match ends(block) {
            true => unreturn(tokens),
            false => {
                let falling = self.falling();
                quote!(#tokens #falling)
            }
        }
    }

    /// What a function gives whose body runs to its end.
    fn falling(&self) -> TokenStream {
        match (&self.ret, self.flow) {
            (Some(ty), false) => self.generator.dummy(ty),
            (Some(ty), true) => {
                let dummy = self.generator.dummy(ty);
                quote!(ControlFlow::Continue(#dummy))
            }
            (None, true) => quote!(ControlFlow::Continue(())),
            (None, false) => TokenStream::new(),
        }
    }
}

/// Turns a last `return x;` into `x`.
fn unreturn(tokens: TokenStream) -> TokenStream {
    let trees: Vec<_> = tokens.clone().into_iter().collect();
    let is = |at: usize, text: &str| trees.get(at).is_some_and(|tree| tree.to_string() == text);
    let Some(end) = trees.len().checked_sub(1) else {
        return tokens;
    };
    if !is(end, ";") {
        return tokens;
    }
    let start = (0..end)
        .rev()
        .find(|&at| is(at, ";"))
        .map_or(0, |at| at + 1);
    let Some(at) = (start..end).rev().find(|&at| is(at, "return")) else {
        return tokens;
    };
    // Only a `return` that begins the last statement.
    let begins = at == start
        || matches!(&trees[at - 1], proc_macro2::TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace);
    match begins {
        true => {
            let (before, after) = (&trees[..at], &trees[at + 1..end]);
            quote!(#(#before)* #(#after)*)
        }
        false => tokens,
    }
}

/// Calls `f` on every expression of a game.
pub(super) fn for_each_expr(game: &Game, f: &mut dyn FnMut(&Expr)) {
    each_block(game, &mut |block| walk_exprs(block, f));
    for point in game.machine.iter().flat_map(|machine| &machine.points) {
        match point {
            Point::Choose(choose) => choose.children(&mut |expr| expr.walk(f)),
            Point::Chance(chance, _) => chance.children(&mut |expr| expr.walk(f)),
        }
    }
    for family in &game.families {
        for param in &family.params {
            match &param.source {
                ParamSource::Is(expr) => expr.walk(f),
                ParamSource::Subset { of, size } => {
                    of.walk(f);
                    size.walk(f);
                }
                _ => {}
            }
        }
        for expr in &family.class {
            expr.walk(f);
        }
    }
    for identity in &game.identities {
        for term in &identity.terms {
            match term {
                IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
                IdentityTerm::Each { when, values, .. }
                | IdentityTerm::Bag { when, values, .. }
                | IdentityTerm::Nest { when, values, .. } => {
                    when.walk(f);
                    values.iter().for_each(|value| value.walk(f));
                }
                IdentityTerm::Value(value) => value.walk(f),
            }
        }
    }
    for part in game.tellings.iter().flat_map(|telling| &telling.parts) {
        part.exprs(&mut |expr| expr.walk(f));
    }
}

/// Local variables for an expression outside functions: the given ones and those that its own
/// binders bind.
pub(super) fn bound_locals(given: &[Local], exprs: &[&Expr]) -> Vec<Local> {
    let mut locals = given.to_vec();
    let mut add = |local: LocalId, ty: Type| {
        while locals.len() <= local.index() {
            let name = format!("x{}", locals.len());
            locals.push(Local {
                name,
                ty: Type::INT,
            });
        }
        if local.index() >= given.len() {
            locals[local.index()].ty = ty;
        }
    };
    for expr in exprs {
        expr.walk(&mut |expr| match &expr.kind {
            ExprKind::Fold { local, over, .. }
            | ExprKind::Collect { local, over, .. }
            | ExprKind::First { local, over, .. } => add(*local, item_type(over)),
            ExprKind::Walk { start, local, .. } => add(*local, element(&start.ty)),
            ExprKind::Closure { from, local, .. } => add(*local, element(&from.ty)),
            _ => {}
        });
    }
    locals
}

/// The type of what a bound variable takes.
pub(super) fn item_type(over: &Over) -> Type {
    match over {
        Over::Domain(domain) => Type::Elem(*domain),
        Over::Set(set) => element(&set.ty),
        Over::Seq(seq) => match &seq.ty {
            Type::Seq { item, .. } => (**item).clone(),
            other => other.clone(),
        },
        Over::Range(..) => Type::INT,
    }
}

fn element(ty: &Type) -> Type {
    match ty {
        Type::Opt(domain) | Type::Set(domain) => Type::Elem(*domain),
        other => other.clone(),
    }
}

/// The expressions of a distribution.
pub(super) fn distribution_exprs(dist: &Distribution) -> Vec<&Expr> {
    match dist {
        Distribution::Uniform(from, to) => vec![from, to],
        Distribution::Weighted { over, weight, .. } => {
            let mut exprs = vec![weight];
            over.children(&mut |expr| exprs.push(expr));
            exprs
        }
    }
}
