//! Which local variables a suspended routine still needs.
//!
//! Two positions are equal only if the local variables that live across their stop are. So a
//! variable that no path reads before it is assigned again must not count.

use super::node::{Kind, Node};
use super::program::{ChanceCode, ChooseCode, DistCode, EmitCode, Op, OpKind, Routine, Said};
use super::value::Members;
use crate::ir::Count;

/// The slots that may be read from each place of the routine on.
pub(super) fn live(
    routine: &Routine,
    chooses: &[ChooseCode],
    chances: &[ChanceCode],
) -> Vec<Members> {
    let mut live = vec![Members::EMPTY; routine.ops.len() + 1];
    let steps: Vec<Step> = (0..routine.ops.len())
        .map(|pc| step(pc, &routine.ops[pc], chooses, chances))
        .collect();
    loop {
        let mut changed = false;
        for pc in (0..steps.len()).rev() {
            let before = before(&steps[pc], &live);
            changed |= before != live[pc];
            live[pc] = before;
        }
        if !changed {
            return live;
        }
    }
}

fn before(step: &Step, live: &[Members]) -> Members {
    let mut before = step.uses.clone();
    for (to, assigned) in &step.next {
        let mut needed = live[*to].clone();
        let assigned: Members = assigned.iter().map(|&slot| slot as u32).collect();
        needed = needed.combine(&assigned, |a, b| a & !b);
        before = before.combine(&needed, |a, b| a | b);
    }
    before
}

/// What a step reads, and where it leads with what assigned.
struct Step {
    uses: Members,
    next: Vec<(usize, Vec<usize>)>,
}

fn step(pc: usize, op: &Op, chooses: &[ChooseCode], chances: &[ChanceCode]) -> Step {
    let mut uses = Uses::default();
    let next = match &op.kind {
        OpKind::Let(local, value, _) => {
            uses.expr(value);
            vec![(pc + 1, vec![local.index()])]
        }
        OpKind::Test(cond, to) => {
            uses.expr(cond);
            vec![(pc + 1, vec![]), (*to, vec![])]
        }
        OpKind::Jump(to) => vec![(*to, vec![])],
        OpKind::ForStart {
            slot,
            from,
            to,
            count,
            exit,
        } => {
            uses.exprs([from, to]);
            let mut next = vec![(pc + 1, vec![*slot, slot + 1])];
            if *count != Count::Toward {
                next.push((*exit, vec![]));
            }
            next
        }
        OpKind::ForRound { slot, local, .. } => {
            uses.slot(*slot);
            vec![(pc + 1, vec![local.index()])]
        }
        OpKind::ForStep { slot, round } => {
            uses.slot(*slot);
            uses.slot(slot + 1);
            vec![(*round, vec![*slot]), (pc + 1, vec![])]
        }
        OpKind::EachStart { slot, args, .. } => {
            uses.exprs(args);
            vec![(pc + 1, vec![*slot])]
        }
        OpKind::EachRound { slot, local, exit } => {
            uses.slot(*slot);
            vec![(pc + 1, vec![local.index()]), (*exit, vec![])]
        }
        // Rounds are counted from the last stop on: the count is not kept.
        OpKind::WhileRound { cond, exit, .. } => {
            uses.expr(cond);
            match cond.as_bool() {
                Some(true) => vec![(pc + 1, vec![])],
                _ => vec![(pc + 1, vec![]), (*exit, vec![])],
            }
        }
        OpKind::Call { args, into, .. } => {
            uses.exprs(args);
            vec![(pc + 1, into.iter().map(|l| l.index()).collect())]
        }
        OpKind::TrialStart { ok, exit, .. } => {
            vec![(pc + 1, vec![]), (*exit, vec![ok.index()])]
        }
        OpKind::TrialEnd { ok, value } => {
            uses.exprs(value.iter().map(|(value, _)| value));
            let into = value.iter().map(|(_, local)| local.index());
            vec![(pc + 1, into.chain([ok.index()]).collect())]
        }
        OpKind::Choose(code) => return choose(&chooses[*code]),
        OpKind::Chance(code) => {
            let chance = &chances[*code];
            match &chance.dist {
                DistCode::Uniform(a, b) => uses.exprs([a, b]),
                DistCode::Weighted {
                    local,
                    args,
                    weight,
                    ..
                } => {
                    uses.exprs(args);
                    uses.under(local.index(), weight);
                }
            }
            vec![(pc + 1, vec![chance.into.index()])]
        }
        OpKind::Return(value) => {
            uses.exprs(value);
            vec![]
        }
        OpKind::End(_, winners) => {
            uses.expr(winners);
            vec![]
        }
        OpKind::Fault(_) | OpKind::Fail | OpKind::Stop(_) => vec![],
        other => {
            uses.plain(other);
            vec![(pc + 1, vec![])]
        }
    };
    Step {
        uses: uses.slots,
        next,
    }
}

fn choose(code: &ChooseCode) -> Step {
    let mut uses = Uses::default();
    uses.expr(&code.players);
    let mut next = Vec::new();
    for arm in &code.arms {
        uses.exprs(&arm.given);
        next.push((arm.entry, arm.bind.iter().map(|l| l.index()).collect()));
    }
    if let Some(otherwise) = code.otherwise {
        next.push((otherwise, vec![]));
    }
    Step {
        uses: uses.slots,
        next,
    }
}

/// Collects the slots that expressions read.
#[derive(Default)]
struct Uses {
    slots: Members,
    bound: Vec<usize>,
}

impl Uses {
    fn slot(&mut self, slot: usize) {
        if !self.bound.contains(&slot) {
            self.slots.insert(slot as u32);
        }
    }

    fn exprs<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Node>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn under(&mut self, local: usize, body: &Node) {
        self.bound.push(local);
        self.expr(body);
        self.bound.pop();
    }

    fn expr(&mut self, node: &Node) {
        if let Kind::Local(local) = node.kind {
            return self.slot(local);
        }
        match (node.kind.binds(), node.args.split_last()) {
            (Some(local), Some((body, before))) => {
                self.exprs(before);
                self.under(local, body);
            }
            _ => self.exprs(&node.args),
        }
    }

    /// Adds what a step without jumps and assignments to slots reads.
    fn plain(&mut self, op: &OpKind) {
        match op {
            OpKind::SetEnv(_, a, _) | OpKind::Take(_, a) => self.expr(a),
            OpKind::SetVar(_, index, a, _) => {
                self.exprs(index);
                self.expr(a);
            }
            OpKind::Put(_, a, b) | OpKind::Bring(_, a, b, _) | OpKind::SetContent(_, a, b) => {
                self.exprs([a, b])
            }
            OpKind::Emit(EmitCode::Signal(_, values, _)) => self.exprs(values),
            OpKind::Emit(EmitCode::Count(_, member)) => self.exprs(member),
            OpKind::Emit(EmitCode::Log(parts)) => {
                for part in parts {
                    if let Said::Value(value, _) = part {
                        self.expr(value);
                    }
                }
            }
            _ => {}
        }
    }
}
