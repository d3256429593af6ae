//! Statements and the machine.

use super::{Made, Maker, unsupported};
use crate::code::*;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Arm as IrArm, Block, Choose as IrChoose, Distribution, Emit as IrEmit, EnvId, Expr, ExprKind,
    FaultCode, LocalId, LogPart, Machine, Point as IrPoint, Stmt, StmtKind, Type, VarId,
};
use crate::op::Op;
use crate::source::Span;

impl Maker<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Made<Vec<Step>> {
        let mut steps = Vec::with_capacity(block.len());
        for (number, stmt) in block.iter().enumerate() {
            if matches!(stmt.kind, StmtKind::Keep(_)) {
                continue;
            }
            let mut step = self.stmt(stmt)?;
            if let Some(before) = number.checked_sub(1)
                && self.decides(&block[before], stmt)
                && let Some(Step::Call(call, _)) = steps.pop()
                && let Step::If(cond, ..) = &mut step
            {
                *cond = Num::Call(Box::new(call));
            }
            steps.push(step);
        }
        if self.is_final {
            self.share(&mut steps);
        }
        Ok(steps)
    }

    fn boxed_block(&mut self, block: &Block) -> Made<Box<[Step]>> {
        Ok(self.block(block)?.into())
    }

    /// Operations of a block of the machine.
    fn entry(&mut self, block: &Block) -> Made<usize> {
        let steps = self.block(block)?;
        self.flatten(&steps, Op::Halt)
    }

    /// Whether nobody misses what is told where nobody listens.
    fn is_silent(&self, emit: &IrEmit) -> bool {
        match emit {
            IrEmit::Log(parts) => parts.iter().all(|part| match part {
                LogPart::Text(_) => true,
                LogPart::Value(value) => self.is_harmless(value),
            }),
            IrEmit::Signal(_, values) => values.iter().all(|value| self.is_harmless(value)),
            IrEmit::Count(..) => true,
        }
    }

    /// What a variable of a type tests before it takes a value of another.
    fn admits(&mut self, ty: &Type, value: &Type, span: Span) -> Admits {
        if ty.contains(value) {
            return Admits::All;
        }
        match ty {
            Type::Int { lo, hi } => Admits::Range(*lo, *hi, self.site(FaultCode::OutOfRange, span)),
            Type::Seq { item, cap } => {
                let (lo, hi) = item.int_range().unwrap_or((i64::MIN, i64::MAX));
                let full = self.site(FaultCode::SequenceFull, span);
                let outside = self.site(FaultCode::OutOfRange, span);
                Admits::Items(i64::from(*cap), lo, hi, full, outside)
            }
            _ => Admits::All,
        }
    }

    fn store(&mut self, to: Target, ty: &Type, value: &Expr, span: Span) -> Store {
        Store {
            to,
            admits: self.admits(ty, &value.ty, span),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Made<Step> {
        let span = stmt.span;
        Ok(match &stmt.kind {
            StmtKind::Let(local, value) => {
                let ty = self.locals[local.index()].1.clone();
                let to = Target::At(self.local(*local)?);
                let store = self.store(to, &ty, value, span);
                Step::Set(store, self.value(value)?)
            }
            StmtKind::SetEnv(var, value) => self.set_env(*var, value, span)?,
            StmtKind::SetVar(var, index, value) => self.set_var(*var, index, value, span)?,
            StmtKind::Put(placement, piece, place)
            | StmtKind::Bring(placement, piece, place, _) => Step::Put(
                placement.index(),
                self.num(piece)?,
                self.num(place)?,
                self.site(FaultCode::PlaceOccupied, span),
            ),
            StmtKind::Take(placement, piece) => Step::Take(placement.index(), self.num(piece)?),
            StmtKind::SetContent(placement, place, kind) => {
                Step::SetContent(placement.index(), self.num(place)?, self.num(kind)?)
            }
            StmtKind::If(cond, yes, no) => Step::If(
                self.num(cond)?,
                self.boxed_block(yes)?,
                self.boxed_block(no)?,
            ),
            StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {
                self.repeated(stmt)?
            }
            StmtKind::Break => Step::Break,
            StmtKind::Continue => Step::Continue,
            StmtKind::Call { func, args, into } => {
                let call = self.call(*func, args, span)?;
                let into = match into {
                    Some(local) => {
                        let words = self.code.funcs[func.index()].value.len();
                        Some((self.local(*local)?, words))
                    }
                    None => None,
                };
                Step::Call(call, into)
            }
            StmtKind::Return(value) => self.leave(value.as_ref())?,
            StmtKind::Emit(emit) => Step::Emit(Box::new(self.told(emit)?), self.is_silent(emit)),
            StmtKind::Fault(message) => {
                Step::Fault(self.site(FaultCode::Rule(message.clone()), span))
            }
            StmtKind::Charge => Step::Spend(self.site(FaultCode::WorkLimit, span)),
            StmtKind::TooDeep => Step::Fault(self.site(FaultCode::RecursionLimit, span)),
            StmtKind::End { reason, winners } => Step::End(*reason, self.set(winners)?),
            StmtKind::Trial { .. } => self.trial(stmt)?,
            StmtKind::Fail => Step::Fail(self.site(FaultCode::Failed, span)),
            StmtKind::Snapshot(slot) => Step::Snapshot(slot.index()),
            StmtKind::Restore(slot) => {
                Step::Restore(slot.index(), self.site(FaultCode::NoValue, span))
            }
            StmtKind::Note(trail) => {
                Step::Note(trail.index(), self.site(FaultCode::SequenceFull, span))
            }
            StmtKind::Forget(trail) => Step::Forget(trail.index()),
            StmtKind::Stop(point) => Step::Stop(point.index()),
            StmtKind::Choose(_) | StmtKind::Chance(_) | StmtKind::Keep(_) => {
                return unsupported("rules that stop in the middle of a function");
            }
        })
    }

    fn set_env(&mut self, var: EnvId, value: &Expr, span: Span) -> Made<Step> {
        let ty = self.game.env[var.index()].ty.clone();
        let (at, flag) = self.env[var.index()];
        let store = self.store(Target::Env(at, flag), &ty, value, span);
        Ok(Step::Set(store, self.value(value)?))
    }

    fn set_var(&mut self, var: VarId, index: &[Expr], value: &Expr, span: Span) -> Made<Step> {
        let declared = self.game.var(var);
        let code = &self.code.vars[var.index()];
        let (base, width, watched) = (code.base, code.width, !code.watchers.is_empty());
        let indexed = self.axes(&declared.axes, index, width)?;
        let base = base + indexed.offset;
        let to = match indexed.axes.is_empty() {
            true => Target::At(base),
            false => Target::Cell(Box::new(Cell {
                base,
                index: indexed.axes,
                outside: None,
                site: self.site(FaultCode::IndexOutside, span),
                sure: indexed.sure,
            })),
        };
        let store = self.store(to, &declared.ty, value, span);
        let value = self.value(value)?;
        let told = self.is_told(var);
        if !told && !watched {
            return Ok(Step::Set(store, value));
        }
        Ok(Step::SetWatched(Box::new(Watched {
            store,
            value,
            var: var.0,
            told,
        })))
    }

    /// Whether listeners hear of changes: a score, or a scalar that is indexed by pieces alone.
    fn is_told(&self, id: VarId) -> bool {
        let var = self.game.var(id);
        match var.axes[..] {
            [crate::ir::Axis::Domain(domain)] => {
                let is_property = self.game.placements.iter().any(|p| p.pieces == domain);
                self.game.scores == Some(id) || (is_property && var.ty.is_scalar())
            }
            _ => false,
        }
    }

    fn leave(&mut self, value: Option<&Expr>) -> Made<Step> {
        Ok(Step::Return(match value {
            Some(value) => {
                let words = self.words(&value.ty)?;
                let to = self.code.funcs[self.owner].value.start;
                Some((self.value(value)?, to, words))
            }
            None => None,
        }))
    }

    /// What a round of a charged loop costs.
    fn charge(&mut self, body: &Block, span: Span) -> Charge {
        let mut stops = false;
        walk_block(body, &mut |stmt| {
            stops |= match &stmt.kind {
                StmtKind::Choose(_) | StmtKind::Chance(_) | StmtKind::Stop(_) => true,
                StmtKind::Call { func, .. } => self.effects.function(*func).suspends,
                _ => false,
            };
        });
        let site = self.site(FaultCode::WorkLimit, span);
        match stops {
            true => Charge::Counted(site),
            false => Charge::Work(site),
        }
    }

    fn repeated(&mut self, stmt: &Stmt) -> Made<Step> {
        let span = stmt.span;
        Ok(match &stmt.kind {
            StmtKind::For {
                local,
                from,
                to,
                count,
                body,
                charged,
            } => Step::For(Box::new(For {
                local: self.local(*local)?,
                from: self.num(from)?,
                to: self.num(to)?,
                count: *count,
                charge: match charged {
                    true => self.charge(body, span),
                    false => Charge::Nothing,
                },
                body: self.boxed_block(body)?,
            })),
            StmtKind::ForEach(local, over, body) => {
                let (over, _) = self.over(over)?;
                let room = match &over {
                    Over::Set(set) => set.words,
                    Over::Seq(seq) => seq.words,
                    _ => 0,
                };
                Step::Each(Box::new(Each {
                    local: self.local(*local)?,
                    room: self.far_room(room),
                    over,
                    body: self.boxed_block(body)?,
                }))
            }
            StmtKind::While { cond, bound, body } => Step::While(Box::new(While {
                cond: self.num(cond)?,
                bound: *bound,
                charge: self.charge(body, span),
                body: self.boxed_block(body)?,
                site: self.site(FaultCode::WorkLimit, span),
            })),
            _ => return unsupported("a loop of another kind"),
        })
    }

    fn trial(&mut self, stmt: &Stmt) -> Made<Step> {
        let StmtKind::Trial {
            body,
            keep,
            ok,
            value,
        } = &stmt.kind
        else {
            return unsupported("a trial of another kind");
        };
        let value = match value {
            Some((value, into)) => {
                let words = self.words(&value.ty)?;
                Some((self.value(value)?, self.local(*into)?, words))
            }
            None => None,
        };
        Ok(Step::Try(Box::new(Trial {
            body: self.boxed_block(body)?,
            keep: *keep,
            ok: self.local(*ok)?,
            value,
            owner: self.owner,
        })))
    }

    fn told(&mut self, emit: &IrEmit) -> Made<Emit> {
        Ok(match emit {
            IrEmit::Log(parts) => {
                let mut said = Vec::new();
                for part in parts {
                    said.push(match part {
                        LogPart::Text(text) => Said::Text(text.clone()),
                        LogPart::Value(value) => Said::Value(self.value(value)?, value.ty.clone()),
                    });
                }
                Emit::Log(said)
            }
            IrEmit::Signal(name, values) => {
                let mut all = Vec::new();
                for value in values {
                    all.push((self.value(value)?, value.ty.clone()));
                }
                Emit::Signal(name.clone(), all)
            }
            IrEmit::Count(counter, member) => {
                let member = member
                    .as_ref()
                    .map(|member| self.value(member))
                    .transpose()?;
                Emit::Count(counter.0, member)
            }
        })
    }

    pub(super) fn machine(&mut self, machine: &Machine) -> Made<()> {
        let begin = self.code.image.len();
        self.owner = self.code.funcs.len();
        self.code.funcs.push(Func::default());
        self.begin(&machine.locals, 0, begin)?;
        self.code.funcs[self.owner].locals = begin..self.code.image.len();
        self.begin_flat();
        self.code.start = self.entry(&machine.start)?;
        for point in &machine.points {
            let point = match point {
                IrPoint::Choose(choose) => Point::Choose(self.choose(choose)?),
                IrPoint::Chance(chance, resume) => {
                    let span = chance_span(&chance.dist);
                    let draw = self.game.draw(chance.draw);
                    let dist = self.dist(&chance.dist)?;
                    Point::Chance(Chance {
                        draw: chance.draw.index(),
                        dist,
                        into: self.local(chance.into)?,
                        resume: self.entry(resume)?,
                        range: draw.ty.int_range(),
                        none: self.site(FaultCode::NoValue, span),
                        outside: self.site(FaultCode::OutOfRange, span),
                        overflow: self.site(FaultCode::Overflow, span),
                    })
                }
            };
            self.code.points.push(point);
        }
        let end = self.code.image.len();
        self.code.funcs[self.owner].frame = begin..end;
        Ok(())
    }

    fn dist(&mut self, dist: &Distribution) -> Made<Dist> {
        Ok(match dist {
            Distribution::Uniform(from, to) => Dist::Uniform(self.num(from)?, self.num(to)?),
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                let (over, _) = self.over(over)?;
                Dist::Weighted {
                    local: self.local(*local)?,
                    over,
                    weight: self.num(weight)?,
                }
            }
        })
    }

    fn choose(&mut self, choose: &IrChoose) -> Made<Choose> {
        let mut arms = Vec::new();
        let mut given = Vec::new();
        let players = self.value(&choose.players)?;
        for arm in &choose.arms {
            let family = arm.family.index();
            let context = self.code.families[family].context.clone();
            for (value, (at, _)) in arm.given.iter().zip(context) {
                given.push((self.value(value)?, at));
            }
            let codes = self.code.families[family].codes.clone();
            let mut steps = self.block(&arm.body)?;
            let handed = self.handed_over(arm, &mut steps);
            let mut bind = Vec::new();
            for (local, (lo, radix)) in arm.bind.iter().zip(codes.digits) {
                let straight = handed.iter().find(|(handed, _)| handed == local);
                let to = match straight {
                    Some((_, to)) => *to,
                    None => self.local(*local)?,
                };
                bind.push(Bound::new(to, lo, radix));
            }
            arms.push(Arm {
                family,
                base: codes.base,
                len: codes.len,
                bind,
                body: self.flatten(&steps, Op::Halt)?,
            });
        }
        let otherwise = match &choose.otherwise {
            Some(block) => Some(self.entry(block)?),
            None => None,
        };
        Ok(Choose {
            decide: self.flatten_decision(&players, &given)?,
            arms,
            otherwise,
            site: self.site(FaultCode::WorkLimit, choose.players.span),
            ranked: false,
            any_does: false,
            splits: false,
            tries: false,
            plan: None,
            turn: None,
            classed: false,
        })
    }
}

impl Maker<'_> {
    /// The arguments of a move that an arm does nothing with but hand them to a function at its beginning, each with where that
    /// finds it: they are bound there, and the call needs not bring them.
    fn handed_over(&self, arm: &IrArm, steps: &mut [Step]) -> Vec<(LocalId, At)> {
        let (Some(Step::Call(call, _)), Some(StmtKind::Call { func, args, .. })) =
            (steps.first_mut(), arm.body.first().map(|stmt| &stmt.kind))
        else {
            return Vec::new();
        };
        let locals: Option<Vec<LocalId>> = args.iter().map(local_of).collect();
        let Some(locals) = locals.filter(|_| !self.effects.is_recursive(*func)) else {
            return Vec::new();
        };
        let once = |local| arm.bind.contains(local) && mentions(&arm.body, *local) == 1;
        if !locals.iter().all(once) {
            return Vec::new();
        }
        let args = std::mem::take(&mut call.args);
        let to = args.iter().map(|arg| arg.to);
        locals.into_iter().zip(to).collect()
    }

    /// Whether a call is followed by a statement that asks for nothing but its value, which nobody else asks for.
    fn decides(&self, call: &Stmt, next: &Stmt) -> bool {
        let (
            StmtKind::Call {
                into: Some(local), ..
            },
            StmtKind::If(cond, ..),
        ) = (&call.kind, &next.kind)
        else {
            return false;
        };
        let function = self.game.functions.get(self.owner);
        local_of(cond) == Some(*local)
            && function.is_some_and(|function| mentions(&function.body, *local) == 1)
    }
}

/// The local variable that an expression is.
fn local_of(expr: &Expr) -> Option<LocalId> {
    match expr.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

/// How often a local variable is looked at.
fn mentions(block: &Block, local: LocalId) -> usize {
    let mut count = 0;
    walk_exprs(block, &mut |expr| {
        count += usize::from(local_of(expr) == Some(local));
    });
    count
}

fn chance_span(dist: &Distribution) -> Span {
    match dist {
        Distribution::Uniform(from, _) => from.span,
        Distribution::Weighted { weight, .. } => weight.span,
    }
}

/// The local variables that statements give values, with the parameters of a function among them.
pub(super) fn assigns(block: &Block, below: usize) -> bool {
    let mut found = false;
    let mut assigned = |local: &LocalId| found |= local.index() < below;
    walk_block(block, &mut |stmt| match &stmt.kind {
        StmtKind::Let(local, _)
        | StmtKind::For { local, .. }
        | StmtKind::ForEach(local, ..)
        | StmtKind::Call {
            into: Some(local), ..
        } => assigned(local),
        StmtKind::Trial { ok, value, .. } => {
            assigned(ok);
            value.iter().for_each(|(_, local)| assigned(local));
        }
        _ => {}
    });
    found
}
