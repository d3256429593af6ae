//! What moves do, draws, and decisions without a legal move.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use rulec_ir::sorted::{SortedMap, SortedSet};

use super::code::{Code, int_tokens, number};
use super::family::tuple;
use super::function::{Needs, bound_locals, distribution_exprs, item_type};
use super::names::ident;
use super::{Body, Generator, PlayInlined};
use crate::ir::visit::walk_block;
use crate::ir::walk::{each_stmt, walk_all};
use crate::ir::{
    Arm, Block, Chance, Choose, Const, Distribution, Expr, ExprKind, FaultCode, FuncId, Function,
    Local, LocalId, OTHERWISE_WORK, Over, Point, Stmt, StmtKind, Type,
};
use crate::source::Span;

impl Generator<'_> {
    /// The function that plays an arm.
    pub(super) fn arm_name(&self, point: usize, index: usize, arm: &Arm) -> Ident {
        let family = &self.family_names[arm.family.index()];
        match self.has_points() || self.choose_arms(point).len() > self.game.families.len() {
            true => format_ident!("play_{family}_{point}_{index}"),
            false => format_ident!("play_{family}"),
        }
    }

    fn choose_arms(&self, point: usize) -> &[Arm] {
        match &self.machine.points[point] {
            Point::Choose(choose) => &choose.arms,
            Point::Chance(..) => &[],
        }
    }

    /// Items for all blocks of the machine.
    pub(super) fn machine_items(&self) -> TokenStream {
        let mut tokens = self.start();
        let once = self.called_once();
        for (point, kind) in self.machine.points.iter().enumerate() {
            match kind {
                Point::Choose(choose) => {
                    for (index, arm) in choose.arms.iter().enumerate() {
                        tokens.extend(self.arm(point, index, arm, &once));
                    }
                    if let Some(otherwise) = &choose.otherwise {
                        let name = format_ident!("otherwise_{point}");
                        let doc = self.doc(
                            "What happens at a decision without a legal move.",
                            choose.players.span,
                        );
                        tokens.extend(self.block_function(&name, doc, otherwise, &[]));
                    }
                }
                Point::Chance(chance, block) => tokens.extend(self.draw(point, chance, block)),
            }
        }
        tokens.extend(self.step());
        tokens.extend(self.settle());
        tokens.extend(self.chance_lists());
        tokens
    }

    fn start(&self) -> TokenStream {
        let rt = &self.rt;
        let doc = quote!(#[doc = " What happens before the first stop."]);
        let block = self.block_function(&format_ident!("run_start"), doc, &self.machine.start, &[]);
        let new_cx = self.new_cx();
        let otherwise = self.run_otherwise(&quote!(&mut s), &quote!(&mut #rt::Silent));
        quote! {
            #block

            /// The start position.
            fn start_position() -> State {
                let mut s = State::new();
                let cx = #new_cx;
                let flow = run_start(&mut s, &mut #rt::Silent, cx);
                s.finish(flow, cx);
                #otherwise
                match cx.fault() {
                    Some(fault) => {
                        s = State::new();
                        s.fail(fault);
                        s.ended = State::AT_START;
                    }
                    None => settle(&mut s),
                }
                s
            }
        }
    }

    /// A function for a block of the machine that starts in an empty environment.
    fn block_function(
        &self,
        name: &Ident,
        doc: TokenStream,
        block: &Block,
        bind: &[LocalId],
    ) -> TokenStream {
        self.function_of(name, doc, &self.machine.locals, block, bind)
    }

    /// The same with other local variables than those of the machine.
    fn function_of(
        &self,
        name: &Ident,
        doc: TokenStream,
        locals: &[Local],
        block: &Block,
        bind: &[LocalId],
    ) -> TokenStream {
        let rt = &self.rt;
        let effect = self.effects.block(self.game, locals, block);
        let needs = Needs::of(&effect, self.tells(block));
        let mut body = Body::of(self, locals, block, bind);
        body.flow = true;
        let params: Vec<TokenStream> = bind.iter().map(|&local| body.parameter(local)).collect();
        let tokens = body.tail(block);
        let env = needs.env.then(|| quote!(let env = &mut Env::new();));
        let inline = self.inline_of_play();
        let forget = self.forget_answers();
        quote! {
            #doc
            #inline
            fn #name<E: #rt::Events>(#(#params,)* s: &mut State, ev: &mut E, cx: &mut #rt::Cx) -> #rt::support::Flow {
                #forget
                #env
                #tokens
            }
        }
    }

    fn arm(&self, point: usize, index: usize, arm: &Arm, once: &SortedSet<FuncId>) -> TokenStream {
        let family = self.game.family(arm.family);
        let name = self.arm_name(point, index, arm);
        let doc = self.doc(
            &format!("Plays a move of the family `{}`.", family.name),
            family.span,
        );
        match self.played_alone(arm, once) {
            Some((function, block)) => {
                let params: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
                self.function_of(&name, doc, &function.locals, &block, &params)
            }
            None => self.block_function(&name, doc, &arm.body, &arm.bind),
        }
    }

    /// Functions that one statement calls, and nothing else asks; the process, which the machine was made of, calls them, too.
    fn called_once(&self) -> SortedSet<FuncId> {
        let mut calls: SortedMap<FuncId, i32> = SortedMap::new();
        let mut add = |stmt: &Stmt, by: i32| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                *calls.entry(*func).or_default() += by;
            }
        };
        each_stmt(self.game, &mut |stmt| add(stmt, 1));
        let process = &self.game.function(self.game.process).body;
        walk_block(process, &mut |stmt| add(stmt, -1));
        let mut asked: SortedSet<FuncId> = SortedSet::new();
        walk_all(self.game, &mut |expr| {
            if let ExprKind::Call(func, _) = &expr.kind {
                asked.insert(*func);
            }
        });
        asked.extend(self.game.families.iter().filter_map(|family| family.effect));
        let once = calls
            .into_iter()
            .filter(|(func, calls)| *calls == 1 && !asked.contains(func));
        once.map(|(func, _)| func).collect()
    }

    /// The function that an arm calls with the arguments of the move, where it does nothing else and nobody else calls it; with
    /// its statements and the stop behind them.
    fn played_alone(&self, arm: &Arm, once: &SortedSet<FuncId>) -> Option<(&Function, Block)> {
        let [call, stop] = &arm.body[..] else {
            return None;
        };
        let (
            StmtKind::Call {
                func,
                args,
                into: None,
            },
            StmtKind::Stop(_),
        ) = (&call.kind, &stop.kind)
        else {
            return None;
        };
        let given = args.iter().map(|arg| match arg.kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        });
        let function = self.game.function(*func);
        let mut leaves = false;
        walk_block(&function.body, &mut |stmt| {
            leaves |= matches!(stmt.kind, StmtKind::Return(_));
        });
        let alone = once.contains(func) && !leaves;
        (alone && given.eq(arm.bind.iter().map(|local| Some(*local)))).then(|| {
            let mut block = function.body.clone();
            block.push(stop.clone());
            (function, block)
        })
    }

    fn draw(&self, point: usize, chance: &Chance, block: &Block) -> TokenStream {
        let name = format_ident!("drawn_{point}");
        let draw = self.game.draw(chance.draw);
        let doc = self.doc(
            &format!("Goes on after the draw `{}`.", draw.name),
            draw.span,
        );
        self.block_function(&name, doc, block, &[chance.into])
    }

    pub(super) fn has_otherwise(&self) -> bool {
        self.decisions()
            .any(|(_, choose)| choose.otherwise.is_some())
    }

    /// Whether what happens without a legal move always ends the game, and nothing before it can fail.
    pub(super) fn otherwise_ends(&self) -> bool {
        self.decisions().all(|(_, choose)| {
            let arms = choose.arms.iter();
            let sure = !self.decision_faults(choose)
                && !arms.into_iter().any(|arm| self.family_faults(arm));
            let ends = choose.otherwise.as_ref();
            sure && ends.is_none_or(always_ends)
        })
    }

    /// Whether what happens without a legal move may wait until somebody asks: it only ends the game, and nothing fails.
    pub(super) fn is_open(&self) -> bool {
        let unfailing = || match self.notes_of_a_move() {
            Some((_, otherwise)) => otherwise == 0,
            None => !self.play_faults(),
        };
        self.has_otherwise() && self.otherwise_ends() && unfailing()
    }

    /// A move whose consequences nobody asks for yet, and those.
    fn open_step(&self) -> TokenStream {
        if !self.is_open() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let new_cx = self.new_cx();
        let (before, undo) = self.undo();
        quote! {
            /// Plays a move, or a result of a draw; whether somebody can move then is left open.
            #[inline]
            fn make_move<E: #rt::Events>(s: &mut State, mv: Move, ev: &mut E) {
                if s.ended == 0 {
                    #before
                    let cx = #new_cx;
                    advance(s, mv, ev, cx);
                    #undo
                }
            }

            /// Ends the game if nobody can move.
            fn conclude(s: &mut State) {
                let cx = #new_cx;
                if !run_otherwise(s, &mut #rt::Silent, cx) {
                    settle(s);
                }
            }
        }
    }

    pub(super) fn run_otherwise(
        &self,
        state: &TokenStream,
        events: &TokenStream,
    ) -> Option<TokenStream> {
        self.has_otherwise()
            .then(|| quote!(run_otherwise(#state, #events, cx);))
    }

    /// Playing a move to the next stop.
    fn step(&self) -> TokenStream {
        let rt = &self.rt;
        let branches = self
            .machine
            .points
            .iter()
            .enumerate()
            .map(|(point, kind)| (point, self.dispatch(point, kind)));
        let body = self.by_point(branches.collect(), quote!(return false));
        let new_cx = self.new_cx();
        let otherwise = match self.has_otherwise() {
            true => quote!(run_otherwise(s, ev, cx)),
            false => quote!(false),
        };
        let (before, undo) = self.undo();
        let others = self.otherwise_function();
        let open = self.open_step();
        let inline = self.inline_of_play();
        let is_split = self.play_inlined.get() != PlayInlined::AsItMay;
        let name = match is_split {
            true => ident("play_inlined"),
            false => ident("play_move"),
        };
        let unless_over = quote!(if s.ended != 0 {
            return false;
        });
        let guarded = is_split.then(|| {
            let inline = match self.play_inlined.get() {
                PlayInlined::Everywhere => quote!(#[inline(always)]),
                _ => quote!(#[inline(never)]),
            };
            quote! {
                /// As [`play_inlined`], for positions in which the game may be over.
                #inline
                fn play_move<E: #rt::Events>(s: &mut State, mv: Move, ev: &mut E) -> bool {
                    #unless_over
                    play_inlined(s, mv, ev)
                }
            }
        });
        let unless_over = (!is_split).then_some(unless_over);
        quote! {
            #open
            #guarded

            /// Plays a move, or a result of a draw, to the next stop; false if there is none such.
            #inline
            fn advance<E: #rt::Events>(s: &mut State, mv: Move, ev: &mut E, cx: &mut #rt::Cx) -> bool {
                let flow = #body;
                s.finish(flow, cx);
                true
            }

            /// Plays a move, or a result of a draw; a fault gives the position back. Whether the game
            /// goes on is not looked at; true tells that it was seen to.
            #inline
            fn #name<E: #rt::Events>(s: &mut State, mv: Move, ev: &mut E) -> bool {
                #unless_over
                #before
                let cx = #new_cx;
                if !advance(s, mv, ev, cx) {
                    return false;
                }
                let goes_on = #otherwise;
                #undo
                goes_on
            }
            #others
        }
    }

    /// The attribute of what moves do.
    fn inline_of_play(&self) -> TokenStream {
        match self.play_inlined.get() {
            PlayInlined::AsItMay => quote!(#[inline]),
            PlayInlined::IntoRandomGames | PlayInlined::Everywhere => quote!(#[inline(always)]),
        }
    }

    /// The call of the function for a move at a point.
    fn dispatch(&self, point: usize, kind: &Point) -> TokenStream {
        match kind {
            Point::Choose(choose) => {
                let arms = self.arms(choose).into_iter().map(|(index, arm)| {
                    let tag = self.tags(arm.family);
                    let play = self.arm_name(point, index, arm);
                    let names = self.family_names(self.game.family(arm.family)).params;
                    let pattern = tuple(&names);
                    let read = format_ident!("{}_args", self.family_names[arm.family.index()]);
                    quote!(#tag => {
                        let #pattern = mv.#read();
                        #play(#(#names,)* s, ev, cx)
                    })
                });
                quote!(match mv.family() {
                    #(#arms)*
                    _ => return false,
                })
            }
            Point::Chance(chance, _) => {
                let tag = number(self.draw_tag(chance.draw.index()));
                let read = format_ident!("{}_value", self.draw_names[chance.draw.index()]);
                let drawn = format_ident!("drawn_{point}");
                quote!(match mv.family() {
                    #tag => #drawn(mv.#read(), s, ev, cx),
                    _ => return false,
                })
            }
        }
    }

    fn otherwise_function(&self) -> TokenStream {
        let rt = &self.rt;
        if !self.has_otherwise() {
            return TokenStream::new();
        }
        let branches = self.decisions().filter_map(|(point, choose)| {
            choose.otherwise.as_ref()?;
            let name = format_ident!("otherwise_{point}");
            let site = number(self.site(FaultCode::WorkLimit, choose.players.span));
            let work = proc_macro2::Literal::u32_unsuffixed(OTHERWISE_WORK);
            let broken = self.decision_faults(choose).then(|| {
                quote!(if decision_fault(s).is_some() {
                    return false;
                })
            });
            if self.otherwise_ends() {
                return Some((
                    point,
                    quote! {
                        match any_move(s) {
                            Ok(false) => {
                                let flow = #name(s, ev, cx);
                                s.finish(flow, cx);
                                return false;
                            }
                            found => return found == Ok(true),
                        }
                    },
                ));
            }
            Some((
                point,
                quote! {
                    #broken
                    match any_move(s) {
                        Ok(false) => {}
                        found => return found == Ok(true),
                    }
                    for _ in 0..#work {
                        if !cx.spend(#site) {
                            return false;
                        }
                    }
                    let flow = #name(s, ev, cx);
                    s.finish(flow, cx);
                },
            ))
        });
        let branches: Vec<_> = branches.collect();
        let body = self.by_point(branches, quote!(return false));
        let again = match self.otherwise_ends() {
            true => quote!(if),
            false => quote!(while),
        };
        quote! {
            /// Goes on while the decision that is due has no legal move and the rules say what happens then. Tells
            /// whether it saw that the decision then due has one.
            fn run_otherwise<E: #rt::Events>(s: &mut State, ev: &mut E, cx: &mut #rt::Cx) -> bool {
                #again s.ended == 0 && !cx.failed() {
                    #body
                }
                false
            }
        }
    }

    /// Whether the expressions of a decision may fault.
    fn decision_faults(&self, choose: &Choose) -> bool {
        let mut found = false;
        choose.children(&mut |expr| found |= self.expr_needs(expr).cx);
        found
    }

    /// Finds out whether the game goes on at the present stop.
    fn settle(&self) -> TokenStream {
        let rt = &self.rt;
        let branches: Vec<_> = self
            .machine
            .points
            .iter()
            .enumerate()
            .filter_map(|(point, kind)| {
                let test = match kind {
                    Point::Choose(choose) if self.decision_faults(choose) => {
                        self.decision_test(choose)
                    }
                    Point::Choose(_) => return None,
                    Point::Chance(chance, _) => self.chance_test(chance),
                };
                Some((point, test))
            })
            .collect();
        let decision = (!branches.is_empty()).then(|| {
            let body = match self.has_points() {
                true => self.by_point(branches, quote!()),
                false => branches.into_iter().map(|(_, body)| body).collect(),
            };
            quote! {
                /// The fault of the expressions of the decision or draw that is due.
                fn decision_fault(s: &State) -> Option<#rt::Fault> {
                    #body
                    None
                }
            }
        });
        let broken = decision.is_some().then(|| {
            quote!(if let Some(fault) = decision_fault(s) {
                s.fail(fault);
                return;
            })
        });
        let draws = self.chance_points();
        let chance = (!draws.is_empty()).then(|| quote!(if #draws { return; }));
        quote! {
            /// Ends the game if nobody can move at the present stop, or a rule runs into a fault there.
            fn settle(s: &mut State) {
                if s.ended != 0 {
                    return;
                }
                #broken
                #chance
                match any_move(s) {
                    Ok(true) => {}
                    Ok(false) => s.ended = State::NO_MOVE,
                    Err(fault) => s.break_off(fault),
                }
            }
            #decision
        }
    }

    /// The test whether a draw is due; nothing where none ever is.
    pub(super) fn chance_points(&self) -> TokenStream {
        let points = self.machine.points.iter().enumerate();
        let points = points.filter(|(_, point)| matches!(point, Point::Chance(..)));
        let points: Vec<_> = points.map(|(index, _)| number(index)).collect();
        match (points.is_empty(), self.has_points()) {
            (true, _) => TokenStream::new(),
            (false, true) => quote!(matches!(s.point, #(#points)|*)),
            (false, false) => quote!(true),
        }
    }

    fn decision_test(&self, choose: &Choose) -> TokenStream {
        let mut tests = TokenStream::new();
        // The players and all contexts are one chain of evaluation.
        let new_cx = self.new_cx();
        let mut own = Needs::default();
        choose.children(&mut |expr| {
            let needs = self.expr_needs(expr);
            own.env |= needs.env;
            own.state_mut |= needs.state_mut;
            if needs.cx {
                let value = self.plain_body(&[expr]).expr(expr).tokens;
                tests.extend(quote!(let _ = #value;));
            }
        });
        let own = own.own(&self.rt);
        quote! {
            let cx = #new_cx;
            #own
            #tests
            if let Some(fault) = cx.fault() {
                return Some(fault);
            }
        }
    }

    /// Whether a draw has results, all of them possible.
    fn chance_test(&self, chance: &Chance) -> TokenStream {
        let new_cx = self.new_cx();
        let visit = self.visit_draw(chance, quote!(let _ = (value, weight);));
        quote! {
            let cx = #new_cx;
            #visit
            if let Some(fault) = cx.fault() {
                return Some(fault);
            }
        }
    }

    /// Runs `each` for every result of a draw with `value` and `weight`.
    pub(super) fn visit_draw(&self, chance: &Chance, each: TokenStream) -> TokenStream {
        let draw = self.game.draw(chance.draw);
        let exprs = distribution_exprs(&chance.dist);
        let all = exprs.iter().map(|expr| self.expr_needs(expr));
        let own = all.fold(Needs::default(), |mut own, needs| {
            own.env |= needs.env;
            own.state_mut |= needs.state_mut;
            own
        });
        let env = own.own(&self.rt);
        match &chance.dist {
            Distribution::Uniform(from, to) => {
                let body = self.plain_body(&exprs);
                let span = from.span;
                let (a, b) = (body.expr(from).tokens, body.expr(to).tokens);
                let none = number(self.site(FaultCode::NoValue, span));
                let check = self.bounds_check(&draw.ty, &[from, to], &["first", "last"], span);
                quote! {
                    #env
                    let first: i64 = #a;
                    let last: i64 = #b;
                    if first > last {
                        cx.fail(#none);
                    } else {
                        #check
                    }
                    if !cx.failed() {
                        for value in first..=last {
                            let weight: u64 = 1;
                            #each
                        }
                    }
                }
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                let mut locals = bound_locals(&self.machine.locals, &exprs);
                if let Some(own) = locals.get_mut(local.index()) {
                    own.ty = item_type(over);
                }
                let body = Body::of(self, &locals, &Vec::new(), &[]);
                let span = weight.span;
                let name = body.local_name(*local);
                let (head, convert, _) = body.for_each(&name, false, over);
                let value = body.expr(weight).tokens;
                let site = |code| number(self.site(code, span));
                let (negative, overflow, none) = (
                    site(FaultCode::OutOfRange),
                    site(FaultCode::Overflow),
                    site(FaultCode::NoValue),
                );
                let item = Expr::local(*local, item_type(over), span);
                let check = self.bounds_check(&draw.ty, &[&item], &["value"], span);
                let once = match over {
                    Over::Seq(seq) => {
                        let items = body.expr(seq).tokens;
                        // Each item of a sequence counts once.
                        quote!(
                            let earlier = #items;
                            let place = seen;
                            seen += 1;
                            if earlier.iter().take(place).any(|item| item == #name) {
                                continue;
                            }
                        )
                    }
                    _ => TokenStream::new(),
                };
                let seen = matches!(over, Over::Seq(_)).then(|| quote!(let mut seen = 0usize;));
                quote! {
                    #env
                    let mut total: u64 = 0;
                    #seen
                    #head {
                        #convert
                        #once
                        let weight: i64 = #value;
                        if weight < 0 {
                            cx.fail(#negative);
                        }
                        let weight = weight.max(0) as u64;
                        match total.checked_add(weight) {
                            Some(sum) => total = sum,
                            None => cx.fail(#overflow),
                        }
                        if cx.failed() {
                            break;
                        }
                        if weight > 0 {
                            let value = #name;
                            #check
                            if cx.failed() {
                                break;
                            }
                            #each
                        }
                    }
                    if total == 0 {
                        cx.fail(#none);
                    }
                }
            }
        }
    }

    /// The test that drawn integers are of the type of the draw.
    fn bounds_check(&self, ty: &Type, values: &[&Expr], names: &[&str], span: Span) -> TokenStream {
        let rt = &self.rt;
        let Type::Int { lo, hi } = ty else {
            return TokenStream::new();
        };
        let inside = values
            .iter()
            .all(|value| match (&value.kind, value.as_const()) {
                (_, Some(Const::Int(value))) => lo <= value && value <= hi,
                _ => ty.contains(&value.ty),
            });
        if inside {
            return TokenStream::new();
        }
        let site = number(self.site(FaultCode::OutOfRange, span));
        let (lo, hi) = (int_tokens(*lo), int_tokens(*hi));
        let names = names.iter().map(|name| super::names::ident(name));
        quote!(#(#rt::support::within(#names, #lo, #hi, #site, cx);)*)
    }

    /// The results of the draw that is due.
    fn chance_lists(&self) -> TokenStream {
        let rt = &self.rt;
        let new_cx = self.new_cx();
        let points = self.machine.points.iter().enumerate();
        let branches = points.filter_map(|(point, kind)| {
            let Point::Chance(chance, _) = kind else {
                return None;
            };
            let name = &self.draw_names[chance.draw.index()];
            let visit = self.visit_draw(chance, quote!(out.push(Move::#name(value), weight);));
            Some((point, quote!({ let cx = #new_cx; #visit })))
        });
        let branches: Vec<_> = branches.collect();
        if branches.is_empty() {
            return TokenStream::new();
        }
        let body = self.by_point(branches, quote!());
        quote! {
            /// Appends the results of the draw that is due, with their weights.
            fn list_results(s: &State, out: &mut #rt::ChanceList<Move>) {
                if s.ended == 0 {
                    #body
                }
            }
        }
    }

    /// The players who decide at the present stop.
    pub(super) fn turn(&self) -> TokenStream {
        let rt = &self.rt;
        let branches = self.machine.points.iter().enumerate().map(|(point, kind)| {
            let turn = match kind {
                Point::Chance(..) => quote!(#rt::Turn::Chance),
                Point::Choose(choose) => {
                    let players = &choose.players;
                    let value = self.evaluate(&self.plain_body(&[players]), players, None);
                    let value = Code::new(value, super::code::Prec::Lowest).receiver();
                    match players.ty {
                        Type::Set(_) => quote!(#rt::Turn::Decide(#value.0[0])),
                        _ => quote!(#rt::Turn::Decide(1 << (#value & 63))),
                    }
                }
            };
            (point, turn)
        });
        let turn = self.by_point(branches.collect(), quote!(#rt::Turn::Over));
        quote! {
            /// Who acts at the present stop, whether or not the game goes on.
            #[inline(always)]
            fn acting(s: &State) -> #rt::Turn {
                #turn
            }
        }
    }
}

/// Whether every way through a block ends the game.
fn always_ends(block: &Block) -> bool {
    block.iter().any(stmt_ends)
}

pub(super) fn stmt_ends(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::End { .. } => true,
        StmtKind::If(_, yes, no) => always_ends(yes) && always_ends(no),
        _ => false,
    }
}
