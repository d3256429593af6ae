//! Where play stops: what it waits for there, and what is kept of the calls at work.

use std::sync::Arc;

use super::eval::{Res, fault};
use super::node::{Node, Source};
use super::program::{DistCode, OpKind, PointCode};
use super::run::{Exit, Otherwise, Run, Step, distinct};
use super::state::{Control, SavedFrame, State, Stop};
use super::value::{Members, Value};
use crate::ir::{FaultCode, OTHERWISE_WORK, Type};
use crate::source::Span;

impl<'a> Run<'a> {
    /// Stops for a decision or a draw, or runs what happens without a legal move.
    pub(super) fn due(&mut self, control: Control, point: PointCode) -> Res<Step> {
        if self.otherwise == Otherwise::Ignore {
            return Ok(Step::Exit(Box::new(Exit::Stopped(control, Stop::Over))));
        }
        let work = std::mem::take(&mut self.work);
        self.clear_env();
        // Those of a decision that was passed over are not those of this one.
        self.legal = None;
        let stop = self.waits_for(point);
        let PointCode::Choose(code) = point else {
            return Ok(Step::Exit(Box::new(Exit::Stopped(control, stop))));
        };
        let code = &self.program.chooses[code];
        match code.otherwise {
            Some(otherwise) if self.is_stuck(&control, &stop) => {
                self.restore(&control, code.routine, otherwise);
                self.work = work;
                self.spend(OTHERWISE_WORK, code.players.span)?;
                Ok(Step::Frame)
            }
            _ => Ok(Step::Exit(Box::new(Exit::Stopped(control, stop)))),
        }
    }

    /// What play waits for here.
    pub(super) fn waits_for(&mut self, point: PointCode) -> Stop {
        let stop = match point {
            PointCode::Choose(code) => self.decision(code),
            PointCode::Chance(code) => self.draw(code),
        };
        stop.unwrap_or_else(|halt| Stop::Broken(halt.into_fault()))
    }

    /// Whether `otherwise` is due: no legal move, and no fault of a rule either.
    fn is_stuck(&mut self, control: &Control, stop: &Stop) -> bool {
        if !matches!(stop, Stop::Choose { .. }) {
            return false;
        }
        let core = Arc::clone(&self.core);
        let state = State::at(self.program, core, control.clone(), stop.clone());
        let legal = state.legal();
        self.legal = Some(Arc::clone(legal));
        matches!(legal.as_ref(), Ok(moves) if moves.is_empty())
    }

    fn decision(&mut self, index: usize) -> Res<Stop> {
        let code = &self.program.chooses[index];
        let players = match self.eval(&code.players)? {
            Value::Elem(player) => [player].into_iter().collect(),
            Value::Set(players) => players,
            _ => return fault(FaultCode::WrongType, code.players.span),
        };
        let mut given = Vec::with_capacity(code.arms.len());
        for arm in &code.arms {
            given.push(self.all(&arm.given)?);
        }
        Ok(Stop::Choose {
            code: index,
            players,
            given,
        })
    }

    fn draw(&mut self, index: usize) -> Res<Stop> {
        let code = &self.program.chances[index];
        let (draw, span) = (code.draw, code.span());
        let ty = &self.program.game.draw(draw).ty;
        let mut results = Vec::new();
        let mut total = 0_u64;
        match &code.dist {
            DistCode::Uniform(from, to) => {
                let (from, to) = (self.num(from)?, self.num(to)?);
                if from <= to {
                    admits(ty, &Value::Int(from), span)?;
                    admits(ty, &Value::Int(to), span)?;
                }
                results.extend((from..=to).map(|i| (Value::Int(i), 1)));
            }
            DistCode::Weighted {
                local,
                over,
                args,
                weight,
            } => {
                for item in self.weighted_items(*over, args)? {
                    self.set_local(local.index(), item.clone());
                    let weight = self.num(weight)?;
                    let Ok(weight) = u64::try_from(weight) else {
                        return fault(FaultCode::OutOfRange, span);
                    };
                    let Some(sum) = total.checked_add(weight) else {
                        return fault(FaultCode::Overflow, span);
                    };
                    total = sum;
                    if weight > 0 {
                        admits(ty, &item, span)?;
                        results.push((item, weight));
                    }
                }
            }
        }
        match results.is_empty() {
            true => fault(FaultCode::NoValue, span),
            false => Ok(Stop::Chance {
                code: index,
                results,
            }),
        }
    }

    fn weighted_items(&mut self, over: Source, args: &'a [Node]) -> Res<Vec<Value>> {
        let mut items = self.items(over, args)?;
        if matches!(over, Source::Seq) {
            items = distinct(items);
        }
        Ok(items)
    }

    /// The frames as data, with the local variables that may still be read.
    pub(super) fn save(&self) -> Control {
        let top = self.frames.len() - 1;
        let frames = self.frames.iter().enumerate().map(|(depth, frame)| {
            let routine = &self.program.routines[frame.routine];
            let mut live = routine.live[frame.pc].clone();
            if depth < top
                && let OpKind::Call {
                    into: Some(into), ..
                } = &routine.ops[frame.pc - 1].kind
            {
                let into: Members = [into.0].into_iter().collect();
                live = live.combine(&into, |a, b| a & !b);
            }
            let value = |slot: u32| self.locals[frame.base + slot as usize].clone();
            SavedFrame {
                routine: frame.routine,
                pc: frame.pc,
                locals: live
                    .iter()
                    .filter_map(|slot| Some((slot as usize, value(slot)?)))
                    .collect(),
            }
        });
        Control::Frames(frames.collect())
    }
}

fn admits(ty: &Type, value: &Value, span: Span) -> Res<()> {
    match value.check(ty) {
        Ok(()) => Ok(()),
        Err(code) => fault(code, span),
    }
}
