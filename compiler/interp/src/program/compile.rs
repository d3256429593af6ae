//! Bodies to operations.

use super::super::node::Nodes;
use super::{
    ArmCode, ChanceCode, Charge, ChooseCode, DistCode, EmitCode, Op, OpKind, PointCode, Routine,
    Said, Store,
};
use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{
    Arm, Block, Chance, Choose, Distribution, Emit, Expr, FaultCode, Function, Game, Local,
    LocalId, LogPart, Over, Point, Stmt, StmtKind, Type,
};
use crate::source::Span;

/// Makes flat code of statements.
pub(in super::super) struct Compiler<'a> {
    pub(in super::super) game: &'a Game,
    pub(in super::super) nodes: Nodes<'a>,
    pub(in super::super) effects: &'a Effects,
    pub(super) routines: Vec<Routine>,
    pub(super) chooses: Vec<ChooseCode>,
    pub(super) chances: Vec<ChanceCode>,
    pub(super) points: Vec<PointCode>,
    current: Routine,
    /// Where `break` and `continue` of the loops around lead: jumps to patch, and the next round.
    loops: Vec<Loop>,
}

struct Loop {
    breaks: Vec<usize>,
    next: Next,
}

enum Next {
    Known(usize),
    /// Jumps to patch.
    Later(Vec<usize>),
}

/// The type of all items that something ranges over, as a sequence.
fn items_type(over: &Over) -> Type {
    let item = match over {
        Over::Domain(domain) => Type::Elem(*domain),
        Over::Range(..) => Type::INT,
        Over::Set(expr) | Over::Seq(expr) => match &expr.ty {
            Type::Set(domain) => Type::Elem(*domain),
            Type::Seq { item, .. } => item.as_ref().clone(),
            other => other.clone(),
        },
    };
    Type::Seq {
        item: Box::new(item),
        cap: u32::MAX,
    }
}

/// A place to be filled in.
const LATER: usize = usize::MAX;

impl<'a> Compiler<'a> {
    pub(super) fn new(game: &'a Game, effects: &'a Effects) -> Compiler<'a> {
        Compiler {
            game,
            nodes: Nodes { game },
            effects,
            routines: Vec::new(),
            chooses: Vec::new(),
            chances: Vec::new(),
            points: Vec::new(),
            current: Routine::default(),
            loops: Vec::new(),
        }
    }

    /// What a charged loop with this body costs; the types of local variables do not matter here.
    fn charge(&mut self, body: &Block) -> Charge {
        let mut stops = false;
        walk_block(body, &mut |stmt| {
            stops |= match &stmt.kind {
                StmtKind::Choose(_) | StmtKind::Chance(_) | StmtKind::Stop(_) => true,
                StmtKind::Call { func, .. } => self.effects.function(*func).suspends,
                _ => false,
            };
        });
        match stops {
            true => Charge::Counted(self.slots(1, Type::INT)),
            false => Charge::Work,
        }
    }

    pub(super) fn function(&mut self, function: &Function, suspends: bool) {
        self.routine(&function.locals, &function.body, function.span);
        self.finish(suspends);
    }

    /// Adds a routine that never stops, after all others; gives its number.
    pub(in super::super) fn extra(&mut self, locals: &[Local], body: &Block, span: Span) -> usize {
        self.routine(locals, body, span);
        self.finish(false);
        self.routines.len() - 1
    }

    fn routine(&mut self, locals: &[Local], body: &Block, span: Span) {
        self.current = Routine {
            slots: locals.len(),
            types: locals.iter().map(|l| l.ty.clone()).collect(),
            ..Routine::default()
        };
        self.block(body);
        self.push(OpKind::Return(None), span);
    }

    pub(super) fn machine(&mut self, machine: &crate::ir::Machine) {
        self.current = Routine {
            slots: machine.locals.len(),
            types: machine.locals.iter().map(|l| l.ty.clone()).collect(),
            ..Routine::default()
        };
        let end = Span::default();
        self.block(&machine.start);
        self.push(OpKind::Return(None), end);
        for point in &machine.points {
            let code = match point {
                Point::Choose(choose) => {
                    let code = self.choose(choose);
                    for (index, arm) in choose.arms.iter().enumerate() {
                        self.chooses[code].arms[index].entry = self.here();
                        self.block(&arm.body);
                        self.push(OpKind::Return(None), end);
                    }
                    if let Some(otherwise) = &choose.otherwise {
                        self.chooses[code].otherwise = Some(self.here());
                        self.block(otherwise);
                        self.push(OpKind::Return(None), end);
                    }
                    PointCode::Choose(code)
                }
                Point::Chance(chance, block) => {
                    let code = self.chance(chance);
                    self.chances[code].resume = self.here();
                    self.block(block);
                    self.push(OpKind::Return(None), end);
                    PointCode::Chance(code)
                }
            };
            self.points.push(code);
        }
        let routine = std::mem::take(&mut self.current);
        self.routines.push(routine);
    }

    fn finish(&mut self, suspends: bool) {
        let mut routine = std::mem::take(&mut self.current);
        if suspends {
            routine.live = super::super::live::live(&routine, &self.chooses, &self.chances);
        }
        self.routines.push(routine);
    }

    fn here(&self) -> usize {
        self.current.ops.len()
    }

    fn push(&mut self, kind: OpKind, span: Span) -> usize {
        self.current.ops.push(Op { kind, span });
        self.here() - 1
    }

    /// Hidden slots for so many values of a type; the first of them.
    fn slots(&mut self, count: usize, ty: Type) -> usize {
        let first = self.current.slots;
        self.current.slots += count;
        self.current.types.resize(first + count, ty);
        first
    }

    /// Makes the jump at a place lead here.
    fn land(&mut self, at: usize) {
        let here = self.here();
        match &mut self.current.ops[at].kind {
            OpKind::Test(_, to)
            | OpKind::Jump(to)
            | OpKind::ForStart { exit: to, .. }
            | OpKind::EachRound { exit: to, .. }
            | OpKind::WhileRound { exit: to, .. }
            | OpKind::TrialStart { exit: to, .. } => *to = here,
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let (span, nodes) = (stmt.span, self.nodes);
        let kind = match &stmt.kind {
            StmtKind::Let(local, value) => {
                let store = Store::of(&self.current.types[local.index()]);
                OpKind::Let(*local, nodes.node(value), store)
            }
            StmtKind::SetEnv(var, value) => {
                let store = Store::of(&self.game.env[var.index()].ty);
                OpKind::SetEnv(*var, nodes.node(value), store)
            }
            StmtKind::SetVar(var, index, value) => {
                let store = Store::of(&self.game.var(*var).ty);
                OpKind::SetVar(*var, nodes.all(index), nodes.node(value), store)
            }
            StmtKind::Put(placement, piece, place) => {
                OpKind::Put(*placement, nodes.node(piece), nodes.node(place))
            }
            StmtKind::Bring(placement, piece, place, known) => {
                let (piece, place) = (nodes.node(piece), nodes.node(place));
                OpKind::Bring(*placement, piece, place, known.clone())
            }
            StmtKind::Take(placement, piece) => OpKind::Take(*placement, nodes.node(piece)),
            StmtKind::SetContent(placement, place, kind) => {
                OpKind::SetContent(*placement, nodes.node(place), nodes.node(kind))
            }
            StmtKind::Call { func, args, into } => OpKind::Call {
                func: *func,
                args: nodes.all(args),
                into: *into,
            },
            StmtKind::Return(value) => OpKind::Return(value.as_ref().map(|v| nodes.node(v))),
            StmtKind::Emit(emit) => OpKind::Emit(self.emit(emit)),
            StmtKind::Fault(message) => OpKind::Fault(FaultCode::Rule(message.clone())),
            StmtKind::Charge => OpKind::Spend,
            StmtKind::TooDeep => OpKind::Fault(FaultCode::RecursionLimit),
            StmtKind::End { reason, winners } => OpKind::End(*reason, nodes.node(winners)),
            StmtKind::Fail => OpKind::Fail,
            StmtKind::Snapshot(slot) => OpKind::Snapshot(*slot),
            StmtKind::Restore(slot) => OpKind::Restore(*slot),
            StmtKind::Note(trail) => OpKind::Note(*trail),
            StmtKind::Forget(trail) => OpKind::Forget(*trail),
            StmtKind::Stop(point) => OpKind::Stop(*point),
            StmtKind::Keep(_) => return,
            StmtKind::If(..)
            | StmtKind::For { .. }
            | StmtKind::ForEach(..)
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Trial { .. }
            | StmtKind::Choose(_)
            | StmtKind::Chance(_) => return self.control(stmt),
        };
        self.push(kind, span);
    }

    fn emit(&self, emit: &Emit) -> EmitCode {
        match emit {
            Emit::Log(parts) => {
                let part = |part: &LogPart| match part {
                    LogPart::Text(text) => Said::Text(text.clone()),
                    LogPart::Value(value) => Said::Value(self.nodes.node(value), value.ty.clone()),
                };
                EmitCode::Log(parts.iter().map(part).collect())
            }
            Emit::Signal(name, values) => {
                let types = values.iter().map(|value| value.ty.clone()).collect();
                EmitCode::Signal(name.clone(), self.nodes.all(values), types)
            }
            Emit::Count(counter, member) => {
                EmitCode::Count(counter.0, member.as_ref().map(|m| self.nodes.node(m)))
            }
        }
    }

    fn control(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => self.branch(cond, yes, no, span),
            StmtKind::For { .. } => self.counting(stmt),
            StmtKind::ForEach(local, over, body) => self.each(*local, over, body, span),
            StmtKind::While { cond, bound, body } => self.repeat(cond, *bound, body, span),
            StmtKind::Break => {
                let jump = self.push(OpKind::Jump(LATER), span);
                if let Some(innermost) = self.loops.last_mut() {
                    innermost.breaks.push(jump);
                }
            }
            StmtKind::Continue => {
                let jump = self.push(OpKind::Jump(LATER), span);
                match self.loops.last_mut().map(|l| &mut l.next) {
                    Some(Next::Known(to)) => {
                        let to = *to;
                        self.current.ops[jump].kind = OpKind::Jump(to);
                    }
                    Some(Next::Later(jumps)) => jumps.push(jump),
                    None => {}
                }
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => {
                let start = OpKind::TrialStart {
                    keep: *keep,
                    ok: *ok,
                    exit: LATER,
                };
                let start = self.push(start, span);
                self.block(body);
                let value = value.as_ref();
                let value = value.map(|(value, into)| (self.nodes.node(value), *into));
                let ok = *ok;
                self.push(OpKind::TrialEnd { ok, value }, span);
                self.land(start);
            }
            StmtKind::Choose(choose) => {
                let code = self.choose(choose);
                self.push(OpKind::Choose(code), span);
                self.arms(code, choose, span);
            }
            StmtKind::Chance(chance) => {
                let code = self.chance(chance);
                self.push(OpKind::Chance(code), span);
                self.chances[code].resume = self.here();
            }
            _ => {}
        }
    }

    fn branch(&mut self, cond: &Expr, yes: &Block, no: &Block, span: Span) {
        let test = self.push(OpKind::Test(self.nodes.node(cond), LATER), span);
        self.block(yes);
        if no.is_empty() {
            return self.land(test);
        }
        let jump = self.push(OpKind::Jump(LATER), span);
        self.land(test);
        self.block(no);
        self.land(jump);
    }

    fn counting(&mut self, stmt: &Stmt) {
        let StmtKind::For {
            local,
            from,
            to,
            count,
            body,
            charged,
        } = &stmt.kind
        else {
            return;
        };
        let slot = self.slots(2, Type::INT);
        let charge = match charged {
            true => self.charge(body),
            false => Charge::Nothing,
        };
        if let Charge::Counted(slot) = charge {
            self.push(OpKind::CountFrom { slot }, stmt.span);
        }
        let start = OpKind::ForStart {
            slot,
            from: self.nodes.node(from),
            to: self.nodes.node(to),
            count: *count,
            exit: LATER,
        };
        let start = self.push(start, stmt.span);
        let round = OpKind::ForRound {
            slot,
            local: *local,
            charge,
        };
        let round = self.push(round, stmt.span);
        let around = self.body(body, Next::Later(Vec::new()));
        if let Next::Later(jumps) = around.next {
            jumps.into_iter().for_each(|jump| self.land(jump));
        }
        self.push(OpKind::ForStep { slot, round }, stmt.span);
        around.breaks.into_iter().for_each(|jump| self.land(jump));
        self.land(start);
    }

    fn each(&mut self, local: LocalId, over: &Over, body: &Block, span: Span) {
        let slot = self.slots(1, items_type(over));
        let (over, args) = self.nodes.over(over);
        self.push(OpKind::EachStart { slot, over, args }, span);
        let exit = LATER;
        let round = self.push(OpKind::EachRound { slot, local, exit }, span);
        self.rounds(body, round, span);
    }

    fn repeat(&mut self, cond: &Expr, bound: u32, body: &Block, span: Span) {
        let slot = self.slots(1, Type::INT);
        let charge = self.charge(body);
        self.push(OpKind::CountFrom { slot }, span);
        let round = OpKind::WhileRound {
            slot,
            cond: self.nodes.node(cond),
            bound,
            charge,
            exit: LATER,
        };
        let round = self.push(round, span);
        self.rounds(body, round, span);
    }

    fn rounds(&mut self, body: &Block, round: usize, span: Span) {
        let around = self.body(body, Next::Known(round));
        self.push(OpKind::Jump(round), span);
        around.breaks.into_iter().for_each(|jump| self.land(jump));
        self.land(round);
    }

    fn body(&mut self, body: &Block, next: Next) -> Loop {
        self.loops.push(Loop {
            breaks: Vec::new(),
            next,
        });
        self.block(body);
        self.loops.pop().expect("the loop was pushed here")
    }

    fn choose(&mut self, choose: &Choose) -> usize {
        let nodes = self.nodes;
        let arm = |arm: &Arm| ArmCode {
            family: arm.family,
            given: nodes.all(&arm.given),
            bind: arm.bind.clone(),
            entry: LATER,
        };
        self.chooses.push(ChooseCode {
            routine: self.routines.len(),
            players: nodes.node(&choose.players),
            arms: choose.arms.iter().map(arm).collect(),
            otherwise: None,
        });
        self.chooses.len() - 1
    }

    fn arms(&mut self, code: usize, choose: &Choose, span: Span) {
        let mut exits = Vec::new();
        for (index, arm) in choose.arms.iter().enumerate() {
            self.chooses[code].arms[index].entry = self.here();
            self.block(&arm.body);
            exits.push(self.push(OpKind::Jump(LATER), span));
        }
        if let Some(otherwise) = &choose.otherwise {
            self.chooses[code].otherwise = Some(self.here());
            self.block(otherwise);
        }
        exits.into_iter().for_each(|jump| self.land(jump));
    }

    fn chance(&mut self, chance: &Chance) -> usize {
        let dist = match &chance.dist {
            Distribution::Uniform(from, to) => {
                DistCode::Uniform(self.nodes.node(from), self.nodes.node(to))
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                let (over, args) = self.nodes.over(over);
                DistCode::Weighted {
                    local: *local,
                    over,
                    args,
                    weight: self.nodes.node(weight),
                }
            }
        };
        self.chances.push(ChanceCode {
            routine: self.routines.len(),
            draw: chance.draw,
            dist,
            into: chance.into,
            resume: LATER,
        });
        self.chances.len() - 1
    }
}
