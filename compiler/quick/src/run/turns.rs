//! From one point where play stops to the next.

use super::moves::Want;
use super::{Ending, Halt, Machine, Res, Wait, Why};
use crate::code::*;
use crate::ir::{EndReason, OTHERWISE_WORK};
use crate::op::Flow;

impl<'c> Machine<'c> {
    /// Runs the rules from their start to the first stop.
    ///
    /// # Errors
    /// The site of the fault that a rule ran into.
    pub(crate) fn start(&mut self) -> Result<(Wait, Option<Ending>), Site> {
        let code = self.code;
        self.resume(code.start)
    }

    /// Goes on with a block of the machine: what it binds lies where it belongs. A fault leaves the position as it was, and
    /// nothing is told of the run.
    ///
    /// # Errors
    /// The site of the fault that a rule ran into.
    pub(crate) fn resume(&mut self, block: usize) -> Result<(Wait, Option<Ending>), Site> {
        self.fresh();
        if self.careful {
            self.before.clear();
            self.before
                .extend_from_slice(&self.mem[..self.code.position]);
            if !self.trails.is_empty() {
                self.trails_before.clone_from(&self.trails);
            }
        }
        let playing = self.code.playing;
        self.mem[playing] = i64::from(self.onward);
        self.mem[playing + 1] = -1;
        self.ran(block)
    }

    /// Goes on at a point where play waits, as a run does that comes there; nothing where runs do not go on there, or the moves
    /// are known already.
    pub(crate) fn go_on(&mut self, point: usize) -> Option<Result<(Wait, Option<Ending>), Site>> {
        let code = self.code;
        let Turn::Moves(entry, tries) = code.turns[point] else {
            return None;
        };
        if !self.onward || self.ready {
            return None;
        }
        self.fresh();
        self.found.clear();
        self.mem[code.playing + 1] = point as i64;
        self.mem[code.playing + 2] = 0;
        self.mem[code.candidates] = i64::from(tries);
        self.mem[code.search] += 2;
        Some(self.ran(usize::from(entry)))
    }

    /// Runs operations that may go on where they stop, and sees where they lead.
    fn ran(&mut self, entry: usize) -> Result<(Wait, Option<Ending>), Site> {
        let playing = self.code.playing;
        let flow = self.run(entry);
        self.mem[playing] = 0;
        if let (Ok(Flow::Next), Ok(point)) = (&flow, usize::try_from(self.mem[playing + 1])) {
            self.work_before = self.mem[playing + 2];
            self.ready = true;
            return Ok((Wait::At(point), None));
        }
        self.arrived(flow)
    }

    fn arrived(&mut self, flow: Res<Flow>) -> Result<(Wait, Option<Ending>), Site> {
        let arrived = self.arrive(flow);
        if arrived.is_err() && self.careful {
            self.touch();
            self.mem[..self.before.len()].copy_from_slice(&self.before);
            self.trails.clone_from(&self.trails_before);
            if let Some(events) = &mut self.events {
                events.clear();
            }
        }
        arrived
    }

    /// What happens at a point where nobody can move; nothing if the rules say nothing about that.
    pub(crate) fn nobody(&mut self, point: usize) -> Option<Result<(Wait, Option<Ending>), Site>> {
        let code = self.code;
        let Point::Choose(Choose {
            otherwise: Some(otherwise),
            site,
            ..
        }) = &code.points[point]
        else {
            return None;
        };
        let flow = self.otherwise(*otherwise, *site, self.work_before);
        Some(self.arrived(flow))
    }

    fn otherwise(&mut self, block: usize, site: Site, work: i64) -> Res<Flow> {
        self.fresh();
        self.mem[self.code.work] = work;
        self.spend(OTHERWISE_WORK, site)?;
        self.run(block)
    }

    /// Sees to what had to wait at a point.
    pub(crate) fn settle(&mut self, point: usize) -> Option<Result<(Wait, Option<Ending>), Site>> {
        match &self.code.points[point] {
            Point::Chance(chance) => match self.results(chance) {
                Ok(()) => None,
                Err(Halt) => {
                    let why = Why::Fault(self.halted.site);
                    Some(Ok((Wait::At(point), Some(Ending { why, winners: 0 }))))
                }
            },
            Point::Choose(choose) if choose.otherwise.is_none() => None,
            Point::Choose(_) => match self.find(point, Want::Any) {
                Ok(()) if self.found.count() == 0 => self.nobody(point),
                _ => None,
            },
        }
    }

    /// Where a run of the machine leads: where play waits, or how the game ended.
    fn arrive(&mut self, mut flow: Res<Flow>) -> Result<(Wait, Option<Ending>), Site> {
        let code = self.code;
        loop {
            let point = match flow.map_err(|Halt| self.halted.site)? {
                Flow::Stop => self.stopped,
                Flow::End => return Ok((Wait::Nowhere, self.ended)),
                _ => {
                    let why = Why::Rules(EndReason::Draw);
                    return Ok((Wait::Nowhere, Some(Ending { why, winners: 0 })));
                }
            };
            let work = std::mem::take(&mut self.mem[code.work]);
            self.clear_env();
            let wait = Wait::At(point);
            let asked = match &code.points[point] {
                Point::Choose(choose) => self.decide(choose),
                Point::Chance(_) if self.open => Ok(()),
                Point::Chance(chance) => self.results(chance),
            };
            if asked.is_err() {
                let why = Why::Fault(self.halted.site);
                return Ok((wait, Some(Ending { why, winners: 0 })));
            }
            let Point::Choose(Choose {
                otherwise: Some(otherwise),
                site,
                ..
            }) = &code.points[point]
            else {
                return Ok((wait, None));
            };
            if self.open {
                self.work_before = work;
                return Ok((wait, None));
            }
            match self.find(point, Want::Any) {
                Ok(()) if self.found.count() == 0 => {}
                _ => return Ok((wait, None)),
            }
            flow = self.otherwise(*otherwise, *site, work);
        }
    }

    /// Who decides, and what the families are given.
    pub(crate) fn decide(&mut self, choose: &'c Choose) -> Res<()> {
        self.run(choose.decide).map(|_| ())
    }

    /// The results of a draw with their weights, which are [`Machine::drawn`] then.
    pub(crate) fn results(&mut self, chance: &'c Chance) -> Res<()> {
        let mut results = std::mem::take(&mut self.results);
        results.clear();
        let told = self.weigh(chance, &mut results);
        self.results = results;
        told?;
        match self.results.is_empty() {
            true => self.fault(chance.none),
            false => Ok(()),
        }
    }

    /// The results that were found last.
    pub(crate) fn drawn(&self) -> &[(i64, u64)] {
        &self.results
    }

    /// The first result and how many there are, where all have the same weight.
    pub(crate) fn alike(&mut self, chance: &'c Chance) -> Res<Option<(i64, u64)>> {
        let Dist::Uniform(from, to) = &chance.dist else {
            return Ok(None);
        };
        let (from, to) = (self.num(from)?, self.num(to)?);
        if from > to {
            return self.fault(chance.none);
        }
        if is_outside(chance, from) || is_outside(chance, to) {
            return self.fault(chance.outside);
        }
        let span = to.wrapping_sub(from) as u64;
        Ok(span.checked_add(1).map(|count| (from, count)))
    }

    fn weigh(&mut self, chance: &'c Chance, results: &mut Vec<(i64, u64)>) -> Res<()> {
        match &chance.dist {
            Dist::Uniform(from, to) => {
                let (from, to) = (self.num(from)?, self.num(to)?);
                if from <= to && (is_outside(chance, from) || is_outside(chance, to)) {
                    return self.fault(chance.outside);
                }
                results.extend((from..=to).map(|value| (value, 1)));
            }
            Dist::Weighted {
                local,
                over,
                weight,
            } => {
                let mut total = 0_u64;
                let once = matches!(over, Over::Seq(_));
                let mut seen = Vec::new();
                self.each_of(*local, over, |machine, item| {
                    if once && seen.contains(&item) {
                        return Ok(false);
                    }
                    if once {
                        seen.push(item);
                    }
                    let Ok(weight) = u64::try_from(machine.num(weight)?) else {
                        return machine.fault(chance.outside);
                    };
                    let Some(sum) = total.checked_add(weight) else {
                        return machine.fault(chance.overflow);
                    };
                    total = sum;
                    if weight > 0 {
                        if is_outside(chance, item) {
                            return machine.fault(chance.outside);
                        }
                        results.push((item, weight));
                    }
                    Ok(false)
                })?;
            }
        }
        Ok(())
    }
}

fn is_outside(chance: &Chance, value: i64) -> bool {
    let range = chance.range;
    range.is_some_and(|(lo, hi)| !(lo..=hi).contains(&value))
}
