//! Random games: each is a run, and is played again with copies of positions once a rule goes wrong.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use rulec_core::bits::bits64;
use rulec_core::{ChoiceSet, Playout, PlayoutSums, RandomStreams, Rng};

use crate::code::{Chance, Point, Site};
use crate::ir::EndReason;
use crate::run::{Ending, Halt, Machine, RandomGame, Wait, Want, Why};
use crate::{QuickGame, Run, Shared, State, stuck};

/// What came of a ply of a random game.
enum Ply {
    Played,
    /// There is no legal move.
    Nobody,
    /// There were as many draws as there may be.
    Stopped,
    /// A rule went wrong while moves were looked for.
    Fault(Site),
}

impl<'s> Run<'s> {
    /// Makes the run ready for random games, with the position before each move kept for faults or without.
    fn for_random_games(&mut self, choices: ChoiceSet, careful: bool) {
        let machine = &mut self.machine;
        let classed = |point: &Point| matches!(point, Point::Choose(choose) if choose.classed);
        let is_all = choices == ChoiceSet::All || !machine.code.points.iter().any(classed);
        machine.open = true;
        machine.careful = careful;
        machine.onward = !careful && is_all;
    }

    /// Plays a random game from where the run stands: what it came to, and what tells how it ended. Nothing if a rule went wrong
    /// and the position before it was not kept.
    fn random_game(
        &mut self,
        rng: &mut Rng,
        limit: u32,
        choices: ChoiceSet,
        by_turns: bool,
    ) -> Option<(Playout, Option<Ending>)> {
        self.machine.random = RandomGame::new(rng.clone(), limit, by_turns);
        let end = self.play_on(limit, choices).or(self.over);
        let faulted = matches!(
            end,
            Some(Ending {
                why: Why::Fault(_),
                ..
            })
        );
        if faulted && !self.machine.careful {
            return None;
        }
        let end = end.or_else(|| self.stuck());
        let random = &self.machine.random;
        *rng = random.rng.clone();
        let playout = Playout {
            plies: random.plies,
            moves: random.moves,
            counted: random.counted,
            outcome: None,
        };
        Some((playout, end))
    }

    /// Whether nobody can move where play stands.
    fn stuck(&mut self) -> Option<Ending> {
        match self.wait {
            Wait::At(point) if matches!(self.machine.code.points[point], Point::Choose(_)) => {
                stuck(&mut self.machine, point)
            }
            _ => None,
        }
    }

    /// Plays at random until the rules end the game or a limit is reached; the end if nobody can move, or looking for moves
    /// goes wrong.
    fn play_on(&mut self, limit: u32, choices: ChoiceSet) -> Option<Ending> {
        let code = self.machine.code;
        while let (Wait::At(point), None) = (self.wait, self.over) {
            let random = &self.machine.random;
            match &code.points[point] {
                Point::Chance(_) if random.draws == limit => {
                    self.settle(point);
                    break;
                }
                Point::Choose(_) if random.plies == limit => {
                    self.settle(point);
                    break;
                }
                Point::Chance(chance) => self.random_result(point, chance),
                Point::Choose(_) => {
                    let several = random.by_turns && self.machine.several();
                    if !several && let Some(arrived) = self.machine.go_on(point) {
                        self.arrive(arrived);
                        continue;
                    }
                    let played = match several {
                        true => self.ply_in_turn(point, choices),
                        false => self.random_ply(point, choices),
                    };
                    let why = match played {
                        Ply::Played => continue,
                        Ply::Stopped => {
                            self.settle(point);
                            break;
                        }
                        Ply::Nobody => match self.machine.nobody(point) {
                            Some(arrived) => {
                                self.arrive(arrived);
                                continue;
                            }
                            None => Why::Rules(EndReason::Stuck),
                        },
                        Ply::Fault(site) => Why::Fault(site),
                    };
                    return Some(Ending { why, winners: 0 });
                }
            }
        }
        None
    }

    /// Sees to what had to wait at the point where play stands.
    fn settle(&mut self, point: usize) {
        self.machine.open = false;
        let arrived = self.machine.settle(point);
        self.machine.open = true;
        if let Some(arrived) = arrived {
            self.arrive(arrived);
        }
    }

    /// Goes on with a random result of a draw.
    fn random_result(&mut self, point: usize, chance: &'s Chance) {
        self.machine.random.draws += 1;
        let drawn = match self.machine.alike(chance) {
            Ok(Some((first, count))) => Ok(first + self.machine.random.rng.below64(count) as i64),
            Ok(None) => self.machine.results(chance).map(|()| {
                let total = self.machine.drawn().iter().map(|(_, weight)| weight).sum();
                let mut rest = self.machine.random.rng.below64(total);
                let drawn = self.machine.drawn().iter().find(|(_, weight)| {
                    let here = rest < *weight;
                    rest = rest.saturating_sub(*weight);
                    here
                });
                drawn.map_or(0, |(value, _)| *value)
            }),
            Err(halt) => Err(halt),
        };
        match drawn {
            Ok(value) => {
                self.machine.mem[chance.into] = value;
                let result = self.machine.resume(chance.resume);
                self.arrive(result);
            }
            Err(Halt) => {
                let why = Why::Fault(self.machine.halted.site);
                self.wait = Wait::At(point);
                self.over = Some(Ending { why, winners: 0 });
            }
        }
    }

    /// One ply of a random game, and those that follow as far as the machine goes on by itself.
    fn random_ply(&mut self, point: usize, choices: ChoiceSet) -> Ply {
        let tries = self.machine.tries(point);
        let ready = std::mem::take(&mut self.machine.ready);
        let want = match choices {
            _ if tries => Want::Candidates,
            ChoiceSet::All => Want::All,
            ChoiceSet::Distinct => Want::Distinct,
        };
        if !ready && let Err(Halt) = self.machine.find(point, want) {
            return Ply::Fault(self.machine.halted.site);
        }
        let count = self.machine.found.count();
        let mv = match tries {
            true => match self.machine.try_at_random(point) {
                Ok(mv) => mv,
                Err(Halt) => return Ply::Fault(self.machine.halted.site),
            },
            false => (count > 0)
                .then(|| self.machine.random.rng.below64(count))
                .and_then(|n| {
                    let machine = &self.machine;
                    machine.found.nth(n, machine.code, &machine.mem)
                }),
        };
        let Some(mv) = mv else {
            return Ply::Nobody;
        };
        let random = &mut self.machine.random;
        if !tries {
            random.moves += count;
            random.counted += 1;
        }
        random.plies += 1;
        self.play(mv);
        Ply::Played
    }

    /// One ply of a random game where several may act: one of those who can move is drawn, then one of his moves.
    fn ply_in_turn(&mut self, point: usize, choices: ChoiceSet) -> Ply {
        let machine = &mut self.machine;
        let is_known = std::mem::take(&mut machine.ready) && !machine.tries(point);
        let want = match choices {
            ChoiceSet::All => Want::All,
            ChoiceSet::Distinct => Want::Distinct,
        };
        if !is_known && let Err(Halt) = machine.find(point, want) {
            return Ply::Fault(machine.halted.site);
        }
        match draw_in_turn(self.shared, machine) {
            Ok(mv) => {
                machine.random.plies += 1;
                self.play(mv);
                Ply::Played
            }
            Err(ply) => ply,
        }
    }
}

/// Draws one of those who can move, and one of his moves among those that were found.
fn draw_in_turn(shared: &Shared, machine: &mut Machine<'_>) -> Result<u64, Ply> {
    let (found, code, mem) = (&machine.found, machine.code, &machine.mem);
    let moves = || found.codes(code, mem).map(|mv| (mv, shared.mover(mv)));
    let random = &mut machine.random;
    let (mut able, mut by) = (0_u64, [0_u64; 64]);
    for (_, mover) in moves() {
        able |= 1 << mover;
        by[mover] += 1;
    }
    let mut actors = bits64(able);
    let actor = match able.count_ones() {
        0 | 1 => actors.next(),
        _ if random.draws == random.limit => return Err(Ply::Stopped),
        many => {
            random.draws += 1;
            actors.nth(random.rng.below(many) as usize)
        }
    };
    let actor = actor.ok_or(Ply::Nobody)?;
    let number = random.rng.below64(by[actor]) as usize;
    let mut his = moves().filter(|(_, mover)| *mover == actor);
    let (mv, _) = his.nth(number).ok_or(Ply::Nobody)?;
    random.moves += by[actor];
    random.counted += 1;
    Ok(mv)
}

impl QuickGame {
    /// Plays a random game to its end from a position, which is where it led then.
    pub(crate) fn random_game(
        &self,
        state: &mut State,
        rng: &mut Rng,
        limit: u32,
        choices: ChoiceSet,
    ) -> Playout {
        loop {
            let careful = self.shared.faults.load(Ordering::Relaxed);
            let mut run = Run::at(&self.shared, state);
            run.for_random_games(choices, careful);
            if let Some((playout, end)) = run.random_game(rng, limit, choices, false) {
                run.finish(state);
                if state.over.is_none() {
                    state.stuck = OnceLock::from(end);
                }
                return self.with_outcome(playout, end);
            }
            // Once more, with the position before each move kept: a fault gives it back.
            self.shared.faults.store(true, Ordering::Relaxed);
            self.shared.give(run.machine.into_memory());
        }
    }

    /// Plays random games from one position, all in one memory; one player acts at a time where several may, or everybody does.
    pub(crate) fn random_games(
        &self,
        start: &State,
        games: &RandomStreams,
        by_turns: bool,
        sums: &mut PlayoutSums,
    ) {
        let careful = self.shared.faults.load(Ordering::Relaxed);
        let mut run = Run::at(&self.shared, start);
        run.for_random_games(games.choices, careful);
        for stream in games.streams.clone() {
            let (playout, end) = loop {
                run.again(start);
                let mut rng = Rng::new(games.seed, stream);
                let (limit, choices) = (games.limit, games.choices);
                if let Some(played) = run.random_game(&mut rng, limit, choices, by_turns) {
                    break played;
                }
                self.shared.faults.store(true, Ordering::Relaxed);
                run.for_random_games(games.choices, true);
            };
            sums.add(&self.with_outcome(playout, end));
        }
        self.shared.give(run.machine.into_memory());
    }

    fn with_outcome(&self, playout: Playout, end: Option<Ending>) -> Playout {
        let outcome = end.map(|end| self.converted(end));
        Playout { outcome, ..playout }
    }
}
