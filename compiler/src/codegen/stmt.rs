//! Statements as Rust.

mod loops;
mod noted;

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Body;
use super::code::{Code, Prec, int_tokens, number, typed_int};
use super::declare::{address, assigned, block_address};
use super::names::ident;
use crate::ir::{
    Axis, BinaryOp, Block, Const, Count, Emit, Expr, ExprKind, FaultCode, LocalId, LogPart, Over,
    Placement, PlacementForm, PlacementId, Stmt, StmtKind, Type, VarId,
};
use crate::source::Span;

impl Body<'_> {
    /// The statements of a block with the declarations at its start.
    pub(super) fn block(&mut self, block: &Block) -> TokenStream {
        self.block_before(block, block.len())
    }

    /// The first statements of a block with the declarations at its start.
    pub(super) fn block_before(&mut self, block: &Block, end: usize) -> TokenStream {
        let mut tokens = TokenStream::new();
        if let Some(starts) = self.declarations.starts.get(&block_address(block)) {
            for &local in starts {
                let name = self.local_name(local);
                let ty = &self.locals[local.index()].ty;
                let (rust, dummy) = (self.generator.value_type(ty), self.generator.dummy(ty));
                tokens.extend(quote!(let mut #name: #rust = #dummy;));
            }
        }
        for stmt in block.iter().take(end) {
            tokens.extend(self.stmt_with_notes(stmt));
            if leaves(stmt) {
                break;
            }
        }
        tokens
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let ty = self.locals[local.index()].ty.clone();
                let value = self.fitted(value, &ty, span).tokens;
                self.assign(stmt, *local, value)
            }
            StmtKind::SetEnv(var, value) => {
                let ty = &self.generator.game.env[var.index()].ty;
                let name = &self.generator.env_names[var.index()];
                let value = self.fitted(value, ty, span).tokens;
                let flag = self.generator.checked_env.contains(var).then(|| {
                    let flag = self.generator.env_flag(*var);
                    quote!(env.#flag = true;)
                });
                quote!(env.#name = #value; #flag)
            }
            StmtKind::SetVar(var, index, value) => self.set_var(*var, index, value, span),
            StmtKind::Put(placement, piece, place) => self.put(*placement, piece, place, span),
            StmtKind::Bring(placement, piece, place, known) => {
                let mut brings = self.generator.placement(*placement).bring.iter();
                let method = brings
                    .find(|(other, _)| *other == **known)
                    .map(|(_, method)| method);
                let (piece, place) = (self.brought(*placement, piece), self.expr(place).tokens);
                quote!(s.#method(#piece, #place, ev);)
            }
            StmtKind::Take(placement, piece) => {
                let method = &self.generator.placement(*placement).take;
                let piece = self.expr(piece).tokens;
                quote!(s.#method(#piece, ev);)
            }
            StmtKind::SetContent(placement, place, kind) => {
                let method = &self.generator.placement(*placement).put;
                let (place, kind) = (self.expr(place).tokens, self.expr(kind).tokens);
                quote!(s.#method(#place, #kind, ev);)
            }
            StmtKind::If(cond, yes, no) => self.branch(cond, yes, no),
            StmtKind::For { .. }
            | StmtKind::ForEach(..)
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue => self.repetition(stmt),
            StmtKind::Call { func, args, into } => {
                let call = self.call(*func, args, span).tokens;
                match into {
                    Some(local) => self.assign(stmt, *local, call),
                    None if self.generator.routine(*func).ret.is_some() => quote!(let _ = #call;),
                    None => quote!(#call;),
                }
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| match &self.ret {
                    Some(ty) => self.admitted(value, ty).tokens,
                    None => self.expr(value).tokens,
                });
                self.give(value)
            }
            StmtKind::Emit(emit) => self.emit(emit),
            StmtKind::Fault(message) => {
                let site = self.site(FaultCode::Rule(message.clone()), span);
                let leave = self.leave();
                quote!(cx.fail(#site); #leave)
            }
            StmtKind::Charge => {
                let site = self.site(FaultCode::WorkLimit, span);
                let leave = self.leave();
                quote!(if !cx.spend(#site) { #leave })
            }
            StmtKind::TooDeep => {
                let site = self.site(FaultCode::RecursionLimit, span);
                let leave = self.leave();
                quote!(cx.fail(#site); #leave)
            }
            _ => self.rare(stmt),
        }
    }

    /// Statements about the whole state.
    fn rare(&mut self, stmt: &Stmt) -> TokenStream {
        let rt = self.generator.rt.clone();
        let flow = quote!(ControlFlow);
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::End { reason, winners } => {
                let reason = self.generator.reason(*reason);
                let winners = self.winners(winners);
                quote!(s.end(#reason, #winners); return #flow::Break(#rt::support::Halt::Done);)
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => self.trial(body, *keep, *ok, value.as_ref()),
            StmtKind::Fail => match self.trial_label() {
                Some(label) => quote!(break #label false;),
                None => {
                    let site = self.site(FaultCode::Failed, span);
                    quote!(return #flow::Break(#rt::support::Halt::Fail(#site));)
                }
            },
            StmtKind::Snapshot(slot) => {
                let method = &self.generator.snapshots[slot.index()].save;
                quote!(s.#method();)
            }
            StmtKind::Restore(slot) => {
                let method = &self.generator.snapshots[slot.index()].restore;
                let site = self.site(FaultCode::NoValue, span);
                quote!(s.#method(#site, cx);)
            }
            StmtKind::Note(trail) => {
                let trail = self.generator.game.trail(*trail);
                let field = self.generator.trail_field(trail);
                let digest = self.generator.digest_name(trail.identity);
                let site = self.site(FaultCode::SequenceFull, span);
                quote!({
                    let digest = #digest(s);
                    if !s.#field.note(digest) { cx.fail(#site); }
                })
            }
            StmtKind::Forget(trail) => {
                let field = self
                    .generator
                    .trail_field(self.generator.game.trail(*trail));
                quote!(s.#field.forget();)
            }
            StmtKind::Keep(question) => self.keep(question),
            StmtKind::Stop(point) => {
                let set = self.generator.has_points().then(|| {
                    let point = number(point.index());
                    quote!(s.point = #point;)
                });
                quote!(#set return #flow::Break(#rt::support::Halt::Done);)
            }
            _ => TokenStream::new(),
        }
    }

    /// The bits of the players in a set.
    fn winners(&self, winners: &Expr) -> TokenStream {
        let ty = self.generator.winners_type();
        if let Some(Const::Set(players)) = winners.as_const() {
            let mask = players
                .iter()
                .fold(0u64, |mask, player| mask | 1 << (player % 64));
            let mask = Literal::u64_unsuffixed(mask);
            return quote!(#mask);
        }
        let code = self.expr(winners);
        let receiver = code.receiver();
        quote!(#receiver.0[0] as #ty)
    }

    /// Assigns a local variable, declaring it where this is the place.
    fn assign(&self, stmt: &Stmt, local: LocalId, value: TokenStream) -> TokenStream {
        let name = self.local_name(local);
        let here = self
            .declarations
            .lets
            .get(&address(stmt))
            .is_some_and(|locals| locals.contains(&local));
        if !here {
            return quote!(#name = #value;);
        }
        let ty = self.generator.value_type(&self.locals[local.index()].ty);
        match self.declarations.mutable.contains(&local) {
            true => quote!(let mut #name: #ty = #value;),
            false => quote!(let #name: #ty = #value;),
        }
    }

    /// A value brought into the range of a type, with a fault if it has to be changed.
    fn fitted(&self, value: &Expr, ty: &Type, span: Span) -> Code {
        let rt = &self.generator.rt;
        let code = self.expr(value);
        match ty {
            Type::Int { lo, hi } => {
                let (least, most) = self.range(value);
                if *lo <= least && most <= *hi {
                    return code;
                }
                let (lo, hi) = (int_tokens(*lo), int_tokens(*hi));
                let site = self.site(FaultCode::OutOfRange, span);
                let tokens = &code.tokens;
                Code::atom(quote!(#rt::support::within(#tokens, #lo, #hi, #site, cx))).busy()
            }
            Type::Seq { item, cap } => {
                let Type::Seq {
                    item: found,
                    cap: size,
                } = &value.ty
                else {
                    return code;
                };
                let mut code = code;
                if cap != size {
                    let to = number(*cap as usize);
                    let tokens = code.receiver();
                    code = if cap > size {
                        Code::atom(quote!(#tokens.fit::<#to>().0)).like(&[&code])
                    } else {
                        let site = self.site(FaultCode::SequenceFull, span);
                        let fits = quote!({
                            let (items, fits) = #tokens.fit::<#to>();
                            if !fits { cx.fail(#site); }
                            items
                        });
                        Code::new(fits, Prec::Lowest).busy()
                    };
                }
                match (item.int_range(), found.int_range()) {
                    (Some((lo, hi)), Some((a, b))) if !(lo <= a && b <= hi) => {
                        let (lo, hi) = (int_tokens(lo), int_tokens(hi));
                        let site = self.site(FaultCode::OutOfRange, span);
                        let tokens = code.receiver();
                        let inside = quote!({
                            let items = #tokens;
                            for item in items.iter() {
                                #rt::support::within(item, #lo, #hi, #site, cx);
                            }
                            items
                        });
                        Code::new(inside, Prec::Lowest).busy()
                    }
                    _ => code,
                }
            }
            _ => code,
        }
    }

    fn set_var(&self, id: VarId, index: &[Expr], value: &Expr, span: Span) -> TokenStream {
        let rt = &self.generator.rt;
        let var = self.generator.game.var(id);
        let field = &self.generator.var_fields[id.index()];
        if let Some(changed) = self.changed_member(id, value) {
            return changed;
        }
        if self.generator.property(id).is_some() {
            let value = self.fitted(value, &var.ty, span);
            let value = self.generator.store(&var.ty, value).tokens;
            return self.write_property(id, index, value).unwrap_or_default();
        }
        let flat = self.flat(&var.axes, index);
        let computed = self.fitted(value, &var.ty, span);
        let event = self.change_event(id, value, &flat.flat);
        let stored = |code: Code| self.generator.store(&var.ty, code).tokens;
        if index.is_empty() {
            let stored = stored(computed);
            return match event {
                Some(event) => quote!({ let value = #stored; #event s.#field = value; }),
                None => quote!(s.#field = #stored;),
            };
        }
        let (lets, tests, at) = (&flat.lets, &flat.tests, &flat.flat);
        // An index that reads the state is found before the place is borrowed.
        let plain = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_) | ExprKind::Const(_));
        let simple = index.iter().all(plain)
            && tests.is_empty()
            && lets.is_empty()
            && event.is_none()
            && !computed.busy;
        let held = self.generator.held_changes(id);
        if simple && held.is_empty() {
            let stored = stored(computed);
            return quote!(*#rt::support::at_mut(&mut s.#field, #at) = #stored;);
        }
        let stored = stored(computed);
        let write = quote!(
            let value = #stored;
            #event
            *#rt::support::at_mut(&mut s.#field, at) = value;
            #held
        );
        if tests.is_empty() {
            return quote!({ #lets let at = #at; #write });
        }
        let site = self.site(FaultCode::IndexOutside, span);
        // The value is evaluated before the indexes are tested, but it may use names of its own.
        quote!({
            #lets
            let inside = #(#tests)&&*;
            let at = if inside { #at } else { 0 };
            let value = #stored;
            if inside {
                #event
                *#rt::support::at_mut(&mut s.#field, at) = value;
                #held
            } else {
                cx.fail(#site);
            }
        })
    }

    /// A set with one member more or less than before is changed in place.
    fn changed_member(&self, id: VarId, value: &Expr) -> Option<TokenStream> {
        let ExprKind::Binary(op, before, member) = &value.kind else {
            return None;
        };
        let change = match op {
            BinaryOp::Union => quote!(set),
            BinaryOp::Minus => quote!(clear),
            _ => return None,
        };
        let itself =
            matches!(&before.kind, ExprKind::Var(var, index) if *var == id && index.is_empty());
        let ExprKind::SetOf(members) = &member.kind else {
            return None;
        };
        let ([member], true) = (&members[..], itself) else {
            return None;
        };
        let (field, member) = (
            &self.generator.var_fields[id.index()],
            self.index(member).tokens,
        );
        Some(quote!(s.#field.#change(#member);))
    }

    /// Tells listeners of scores and properties of pieces.
    fn change_event(&self, id: VarId, value: &Expr, _at: &TokenStream) -> Option<TokenStream> {
        let rt = &self.generator.rt;
        let game = self.generator.game;
        let var = game.var(id);
        let [Axis::Domain(domain)] = var.axes[..] else {
            return None;
        };
        let field = &self.generator.var_fields[id.index()];
        let old = Code::atom(quote!(#rt::support::at(&s.#field, at)));
        let new = Code::atom(quote!(value));
        let number_of = |code: &Code| match var.ty {
            Type::Int { .. } | Type::Wrap32 => {
                let tokens = &code.tokens;
                quote!(i64::from(#tokens))
            }
            _ => self.generator.to_i64(&var.ty, code).tokens,
        };
        let (before, after) = (number_of(&old), number_of(&new));
        let _ = value;
        if game.scores == Some(id) {
            return Some(quote!(
                if ev.active() && #before != #after {
                    ev.event(#rt::Event::Scored { player: at as u32, points: i64::wrapping_sub(#after, #before) });
                }
            ));
        }
        let offset = self.generator.piece_offset(domain)?;
        if !var.ty.is_scalar() {
            return None;
        }
        let piece = match offset {
            0 => quote!(at as u32),
            _ => {
                let offset = number(offset);
                quote!(at as u32 + #offset)
            }
        };
        let name = &var.name;
        Some(quote!(
            if ev.active() && #before != #after {
                ev.event(#rt::Event::StateChanged { piece: #piece, property: #name, value: #after });
            }
        ))
    }

    fn put(&self, id: PlacementId, piece: &Expr, place: &Expr, span: Span) -> TokenStream {
        let method = &self.generator.placement(id).put;
        let (piece, place) = (self.brought(id, piece), self.expr(place).tokens);
        match self.generator.game.placement(id) {
            Placement {
                form: PlacementForm::One,
                ..
            } => {
                let site = self.site(FaultCode::PlaceOccupied, span);
                // Nothing is written yet where this is the first to fail, so that there is nothing to give back.
                let leave = (self.flow && self.generator.faults_first.get()).then(|| {
                    let rt = &self.generator.rt;
                    quote!(if cx.failed() {
                        return ControlFlow::Break(#rt::support::Halt::Done);
                    })
                });
                quote!(s.#method(#piece, #place, #site, ev, cx); #leave)
            }
            _ => quote!(s.#method(#piece, #place, ev);),
        }
    }

    fn branch(&mut self, cond: &Expr, yes: &Block, no: &Block) -> TokenStream {
        if let Some(Const::Bool(value)) = cond.as_const() {
            let block = self.block(if *value { yes } else { no });
            return quote!({ #block });
        }
        if yes.is_empty() && !no.is_empty() {
            let (cond, block) = (self.not(cond).tokens, self.block(no));
            return quote!(if #cond { #block });
        }
        let noted = self.noted.get();
        let (cond, yes) = (self.expr(cond).tokens, self.block(yes));
        self.noted.set(noted);
        if no.is_empty() {
            return quote!(if #cond { #yes });
        }
        let no = match no.as_slice() {
            [only] if matches!(only.kind, StmtKind::If(..)) && self.starts_nothing(no) => {
                self.block(no)
            }
            _ => {
                let block = self.block(no);
                quote!({ #block })
            }
        };
        quote!(if #cond { #yes } else #no)
    }

    /// Whether a block that consists of one conditional stays one in Rust.
    fn starts_nothing(&self, block: &Block) -> bool {
        let declared = self.declarations.starts.contains_key(&block_address(block));
        let constant = match &block[0].kind {
            StmtKind::If(cond, ..) => cond.as_const().is_some(),
            _ => true,
        };
        !declared && !constant
    }

    /// Leaves the function with a value.
    fn give(&self, value: Option<TokenStream>) -> TokenStream {
        match (self.flow, value) {
            (true, Some(value)) => quote!(return ControlFlow::Continue(#value);),
            (true, None) => quote!(return ControlFlow::Continue(());),
            (false, Some(value)) => quote!(return #value;),
            (false, None) => quote!(return;),
        }
    }

    /// Leaves the function after a fault.
    fn leave(&self) -> TokenStream {
        let value = self.ret.as_ref().map(|ty| self.generator.dummy(ty));
        self.give(value)
    }

    fn trial(
        &mut self,
        body: &Block,
        keep: bool,
        ok: LocalId,
        value: Option<&(Expr, LocalId)>,
    ) -> TokenStream {
        let effect = self
            .generator
            .effects
            .block(self.generator.game, &self.plain_locals(), body);
        let state = effect.scratch.touches_state();
        let env = !effect.scratch.env.is_empty();
        let fails = effect.fails || trial_fails(body);
        let label = self.enter_trial();
        let inner = self.block(body);
        let result = value.map(|(value, target)| {
            let target_type = &self.locals[target.index()].ty;
            let value = self.admitted(value, target_type).tokens;
            let ty = self.generator.value_type(target_type);
            (value, ty, *target)
        });
        self.leave_trial();
        let declared = self.declared_in(body);
        let saved = assigned(body)
            .into_iter()
            .filter(|local| !declared.contains(local));
        let saved: Vec<LocalId> = saved.collect();
        let names: Vec<_> = saved.iter().map(|&local| self.local_name(local)).collect();
        let backups: Vec<_> = names
            .iter()
            .map(|name| ident(&format!("{name}_before")))
            .collect();
        let name = ident("state_before");
        let notes = self.generator.notes(effect.calls.iter().copied()) || trial_notes(body);
        let backup = self.generator.backup(&effect, &name, notes);
        let (save, give_back) = match backup {
            Some(backup) => {
                let (parts, rest) = (backup.parts, backup.rest);
                (backup.save, quote!(#parts = state_before; #rest))
            }
            None => (quote!(s.clone()), quote!(*s = state_before;)),
        };
        let save_state = state.then(|| quote!(let state_before = #save;));
        let save_env = env.then(|| quote!(let env_before = *env;));
        let undo_state = state.then_some(give_back);
        let undo_env = env.then(|| quote!(*env = env_before;));
        let undo = quote!(#undo_state #undo_env #(#names = #backups;)*);
        let (list, told, pass_on) = self.trial_events(keep, body);
        let (target, store, give) = match &result {
            Some((value, ty, target)) => {
                let dummy = self.generator.dummy(&self.locals[target.index()].ty);
                let name = self.local_name(*target);
                (
                    quote!(let mut result: #ty = #dummy;),
                    quote!(if succeeded { #name = result; }),
                    quote!(result = #value;),
                )
            }
            None => Default::default(),
        };
        let run = match fails {
            true => quote!(let succeeded = #label: { #told #inner #give true };),
            false => quote!(let succeeded = true; { #told #inner #give }),
        };
        let restore = match (keep, undo.is_empty()) {
            (_, true) => TokenStream::new(),
            (true, _) if !fails => TokenStream::new(),
            (true, _) => quote!(if !succeeded { #undo }),
            (false, _) => undo,
        };
        let ok = self.local_name(ok);
        quote!({
            #save_state
            #save_env
            #(let #backups = #names;)*
            #target
            #list
            #run
            #restore
            #pass_on
            #ok = succeeded;
            #store
        })
    }

    /// The variables that a block declares, inner blocks included, and those that its loops bind.
    fn declared_in(&self, block: &Block) -> SortedSet<LocalId> {
        let mut found = SortedSet::new();
        let starts = &self.declarations.starts;
        found.extend(starts.get(&block_address(block)).into_iter().flatten());
        crate::ir::visit::walk_block(block, &mut |stmt| {
            let lets = self.declarations.lets.get(&address(stmt));
            found.extend(lets.into_iter().flatten());
            stmt.blocks(&mut |block| {
                found.extend(starts.get(&block_address(block)).into_iter().flatten());
            });
            if let StmtKind::For { local, .. } | StmtKind::ForEach(local, ..) = &stmt.kind
                && !self.declarations.outer.contains(local)
            {
                found.insert(*local);
            }
        });
        found
    }

    /// Where events of a trial go: nowhere, or into a list that is passed on if its writes stay.
    fn trial_events(&self, keep: bool, body: &Block) -> (TokenStream, TokenStream, TokenStream) {
        let rt = &self.generator.rt;
        match (self.generator.tells(body), keep) {
            (false, _) => Default::default(),
            (true, false) => (
                TokenStream::new(),
                quote!(let ev = &mut #rt::Silent;),
                TokenStream::new(),
            ),
            (true, true) => (
                quote!(let mut told = #rt::support::Told::when(ev.active(), ev.counting());),
                quote!(let ev = &mut told;),
                quote!(if succeeded {
                    told.pass_on(ev);
                }),
            ),
        }
    }

    fn emit(&self, emit: &Emit) -> TokenStream {
        let rt = &self.generator.rt;
        match emit {
            Emit::Count(counter, member) => self.count(counter.0, member.as_ref()),
            Emit::Log(parts) => {
                // Values are evaluated whether anybody listens or not: they may fault.
                let mut lets = TokenStream::new();
                let mut writes = TokenStream::new();
                for (place, part) in parts.iter().enumerate() {
                    writes.extend(match part {
                        LogPart::Text(text) => quote!(out.push_str(#text);),
                        LogPart::Value(value) => {
                            let name = ident(&format!("value_{place}"));
                            let code = self.expr(value).tokens;
                            let ty = self.generator.value_type(&value.ty);
                            lets.extend(quote!(let #name: #ty = #code;));
                            self.generator.show(&value.ty, &quote!(#name))
                        }
                    });
                }
                quote!({
                    #lets
                    if ev.active() {
                        let mut line = String::new();
                        { let out = &mut line; #writes }
                        ev.event(#rt::Event::Log(line));
                    }
                })
            }
            Emit::Signal(name, values) => {
                let mut lets = TokenStream::new();
                let mut list = TokenStream::new();
                for (place, value) in values.iter().enumerate() {
                    let bound = ident(&format!("value_{place}"));
                    let code = self.expr(value).tokens;
                    let ty = self.generator.value_type(&value.ty);
                    lets.extend(quote!(let #bound: #ty = #code;));
                    let bound = Code::atom(quote!(#bound));
                    let number = match value.ty {
                        Type::Set(_) => {
                            let name = &bound.tokens;
                            quote!(#name.0[0] as i64)
                        }
                        Type::Seq { .. } => {
                            let name = &bound.tokens;
                            quote!(#name.len() as i64)
                        }
                        _ => self.generator.to_i64(&value.ty, &bound).tokens,
                    };
                    list.extend(quote!(#number,));
                }
                quote!({
                    #lets
                    if ev.active() {
                        ev.event(#rt::Event::Named { name: #name, values: Vec::from([#list]) });
                    }
                })
            }
        }
    }

    /// Counts a member, or each item of a sequence.
    fn count(&self, counter: u32, member: Option<&Expr>) -> TokenStream {
        let counter = Literal::u32_unsuffixed(counter);
        let Some(member) = member else {
            return quote!(if ev.counting() {
                ev.count(#counter, 0);
            });
        };
        let counts = match member.ty {
            Type::Seq { .. } => {
                let item = ident("item");
                let over = Over::Seq(member.clone());
                let (header, ..) = self.for_each(&item, false, &over);
                quote!(#header {
                    ev.count(#counter, #item as u32);
                })
            }
            _ => {
                let code = self.expr(member).tokens;
                quote!(ev.count(#counter, (#code) as u32);)
            }
        };
        quote!(if ev.counting() {
            #counts
        })
    }

    /// The place of a variable's value in its array.
    pub(super) fn var_place(&self, id: VarId, index: &[Expr], span: Span) -> Option<Code> {
        if index.is_empty() {
            return None;
        }
        let axes = &self.generator.game.var(id).axes;
        let flat = self.flat(axes, index);
        let (lets, tests, at) = (&flat.lets, &flat.tests, &flat.flat);
        let codes: Vec<&Code> = flat.codes.iter().collect();
        Some(match (tests.is_empty(), lets.is_empty()) {
            (true, true) => Code::new(quote!(#at), Prec::Lowest).like(&codes),
            (true, false) => Code::new(quote!({ #lets #at }), Prec::Lowest).like(&codes),
            _ => {
                let site = self.site(FaultCode::IndexOutside, span);
                Code::new(
                    quote!({ #lets if #(#tests)&&* { #at } else { cx.fail(#site); 0 } }),
                    Prec::Lowest,
                )
                .busy()
            }
        })
    }

    /// An item of an array of the state.
    pub(super) fn read_at(&self, at: TokenStream, array: TokenStream, place: &Code) -> Code {
        let tokens = &place.tokens;
        match place.busy {
            // Finding the place may need the state for itself.
            true => Code::new(quote!({ let at = #tokens; #at(&#array, at) }), Prec::Lowest),
            false => Code::atom(quote!(#at(&#array, #tokens))),
        }
        .like(&[place])
    }

    /// The stored value of a variable.
    pub(super) fn read_var(&self, id: VarId, place: Option<Code>) -> Code {
        let rt = &self.generator.rt;
        let path = self.generator.var_path(id);
        match place {
            None => Code::atom(path),
            Some(place) => self.read_at(quote!(#rt::support::at), path, &place),
        }
    }
}

/// Whether nothing after the statement in its block can run.
pub(super) fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Fault(_)
        | StmtKind::TooDeep
        | StmtKind::End { .. }
        | StmtKind::Fail
        | StmtKind::Stop(_) => true,
        StmtKind::If(cond, yes, no) => match cond.as_const() {
            Some(Const::Bool(true)) => ends(yes),
            Some(Const::Bool(false)) => ends(no),
            _ => ends(yes) && ends(no),
        },
        _ => false,
    }
}

/// Whether the end of a block is never reached.
pub(super) fn ends(block: &Block) -> bool {
    block.iter().any(leaves)
}

/// Whether a trial's body contains `fail` itself or calls what may fail.
fn trial_notes(body: &Block) -> bool {
    let mut found = false;
    crate::ir::visit::walk_block(body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Note(_))
    });
    found
}

fn trial_fails(body: &Block) -> bool {
    let mut found = false;
    crate::ir::visit::walk_block(body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Fail)
    });
    found
}
