//! Positions of one game that step together.

use std::sync::Arc;

use rulec_core::{
    ChanceList, ChoiceSet, FullGame, GameInfo, MoveList, Outcome, Reason, Rng, bits::bits64,
};
use serde_json::json;

use crate::client::Settings;
use crate::op;
use crate::port::{Call, Port, Refused, unknown};
use crate::row::Cells;
use crate::slot::{Shared, Slot, Status, show_bits, show_bytes};

/// What stands for a game that stays as it is.
const STAYS: u32 = u32::MAX;
/// Games of a thread at least.
const SHARE: usize = 64;

/// A batch of positions that answers operations.
pub(crate) struct BatchPort<G: FullGame> {
    shared: Arc<Shared<G>>,
    settings: Settings,
    slots: Vec<Slot<G>>,
    /// The first fault since somebody asked.
    fault: Option<Outcome>,
}

impl<G: FullGame + 'static> BatchPort<G> {
    pub(crate) fn new(shared: Arc<Shared<G>>, settings: Settings) -> Result<Self, Refused> {
        shared.check()?;
        let streams = 0..settings.games as u64;
        let slot = |stream| {
            let mut slot = Slot::new(&shared, Rng::new(settings.seed, stream));
            // Where several may act a list is needed to leave out the moves of all but the first.
            slot.sets = !shared.game.info().several_at_once;
            slot.arrive(&shared, settings.given);
            slot
        };
        Ok(Self {
            slots: streams.map(slot).collect(),
            shared,
            settings,
            fault: None,
        })
    }

    fn info(&self) -> &GameInfo {
        self.shared.game.info()
    }

    fn slot(&self, call: &Call<'_, '_>) -> Result<&Slot<G>, Refused> {
        let number = call.number(0)? as usize;
        self.slots.get(number).ok_or_else(|| {
            Refused::usage(format!(
                "there is no game {number} in a batch of {}",
                self.slots.len()
            ))
        })
    }

    fn reset(&mut self, call: &Call<'_, '_>) -> Result<(), Refused> {
        let numbers = call.input::<u32>(0)?;
        let seed = match call.input::<u64>(1)? {
            [] => None,
            [seed] => Some(*seed),
            _ => return Err(Refused::usage("one seed is enough")),
        };
        let count = self.slots.len();
        if let Some(wrong) = numbers.iter().find(|number| **number as usize >= count) {
            return Err(Refused::usage(format!(
                "there is no game {wrong} in a batch of {count}"
            )));
        }
        let (shared, given) = (&self.shared, self.settings.given);
        for (stream, slot) in (0u64..).zip(&mut self.slots) {
            if numbers.is_empty() || numbers.contains(&(stream as u32)) {
                if let Some(seed) = seed {
                    slot.rng = Rng::new(seed, stream);
                }
                slot.restart(shared, given);
            }
        }
        Ok(())
    }

    /// The places of moves in the lists of their games.
    fn places(&self, actions: &[i32]) -> Result<Vec<u32>, Refused> {
        if actions.len() != self.slots.len() {
            return Err(Refused::usage(format!(
                "{} moves for {} games",
                actions.len(),
                self.slots.len()
            )));
        }
        let place = |(number, (slot, &action)): (usize, (&Slot<G>, &i32))| match slot.status {
            _ if action == -1 => Ok(STAYS),
            Status::Over(_) => Err(Refused {
                code: Refused::OVER,
                text: format!("game {number} is over"),
            }),
            Status::Chance => usize::try_from(action)
                .ok()
                .filter(|at| *at < self.results(slot).len())
                .map(|at| at as u32)
                .ok_or_else(|| {
                    Refused::mv(format!("game {number}: the draw has no result {action}"))
                }),
            Status::Choice(_) => slot
                .find(&self.shared, action)
                .map(|at| at as u32)
                .ok_or_else(|| self.illegal(number, action)),
        };
        let mut places = Vec::with_capacity(actions.len());
        for both in self.slots.iter().zip(actions).enumerate() {
            places.push(place(both)?);
        }
        Ok(places)
    }

    #[cold]
    fn illegal(&self, number: usize, action: i32) -> Refused {
        Refused::mv(match usize::try_from(action) {
            Ok(action) if action < self.shared.moves => {
                format!("game {number}: move {action} is not legal there")
            }
            _ => format!(
                "game {number}: there is no move {action}, they go from 0 to {}",
                self.shared.moves.saturating_sub(1)
            ),
        })
    }

    fn results(&self, slot: &Slot<G>) -> Vec<(G::Move, u64)> {
        let mut results = ChanceList::new();
        self.shared.game.chance_outcomes(&slot.state, &mut results);
        results.iter().copied().collect()
    }

    fn step<'b>(&mut self, call: &mut Call<'_, 'b>) -> Result<u64, Refused> {
        let places = self.places(call.input::<i32>(0)?)?;
        let count = self.slots.len();
        let kinds = call.input::<u8>(1)?;
        let mut rows = StepRows {
            rewards: call.output(0, count * self.shared.players)?,
            over: call.output(1, count)?,
            stopped: call.output(2, count)?,
            seen: self.seen(call, kinds, 3)?,
            last: Cells::of(call, 6, cells_kind(kinds), count * self.shared.cells)?,
        };
        let (shared, settings) = (&*self.shared, &self.settings);
        let threads = settings.threads.min(count / SHARE).max(1);
        let faults = match threads {
            1 => {
                let slots = &mut self.slots;
                run(
                    #[inline(always)]
                    move || step_slots(shared, settings, slots, &places, rows),
                )
            }
            _ => {
                let share = count.div_ceil(threads);
                let parts = self.slots.chunks_mut(share).zip(places.chunks(share));
                std::thread::scope(|scope| {
                    let parts: Vec<_> = parts
                        .map(|(slots, places)| {
                            let rows = rows.split(slots.len(), shared);
                            scope.spawn(move || {
                                run(
                                    #[inline(always)]
                                    move || step_slots(shared, settings, slots, places, rows),
                                )
                            })
                        })
                        .collect();
                    let mut faults = Faults::default();
                    for part in parts {
                        match part.join() {
                            Ok(found) => faults.merge(found),
                            Err(panic) => std::panic::resume_unwind(panic),
                        }
                    }
                    faults
                })
            }
        };
        self.fault = faults.first;
        Ok(faults.count)
    }

    /// What is to be seen of the positions.
    fn seen<'b>(
        &self,
        call: &mut Call<'_, 'b>,
        kinds: &[u8],
        first: usize,
    ) -> Result<Seen<'b>, Refused> {
        let (count, moves) = (self.slots.len(), self.shared.moves);
        let mut seen = Seen {
            players: call.output(first, count)?,
            bytes: &mut [],
            bits: &mut [],
            cells: Cells::None,
        };
        match kinds.first().copied().unwrap_or(0) {
            0 => {}
            1 => seen.bytes = call.output(first + 1, count * moves)?,
            2 => seen.bits = call.output(first + 1, count * moves.div_ceil(64))?,
            other => {
                return Err(Refused::usage(format!(
                    "there is no kind {other} of masks: 1 is bytes, 2 bits"
                )));
            }
        }
        let cells = count * self.shared.cells;
        seen.cells = Cells::of(call, first + 2, cells_kind(kinds), cells)?;
        Ok(seen)
    }

    fn watch(&mut self, call: &mut Call<'_, '_>) -> Result<(), Refused> {
        let kinds = call.input::<u8>(0)?;
        let mut seen = self.seen(call, kinds, 0)?;
        for (row, slot) in self.slots.iter().enumerate() {
            seen.show(&self.shared, slot, row);
        }
        Ok(())
    }

    fn sample(&mut self, call: &mut Call<'_, '_>) -> Result<(), Refused> {
        let out: &mut [i32] = call.output(0, self.slots.len())?;
        let (shared, slots) = (&*self.shared, &mut self.slots);
        run(
            #[inline(always)]
            || {
                for (action, slot) in out.iter_mut().zip(slots) {
                    *action = slot.draw(shared).map_or(-1, |index| index as i32);
                }
            },
        );
        Ok(())
    }

    fn read(&mut self, call: &Call<'_, '_>) -> Result<(), Refused> {
        let text = call.words(1)?;
        let state = self
            .shared
            .game
            .parse_state(text)
            .map_err(|error| Refused::usage(format!("not a position of this game: {error}")))?;
        self.slot(call)?;
        let number = call.number(0)? as usize;
        let given = self.settings.given;
        if let Some(slot) = self.slots.get_mut(number) {
            slot.state = state;
            slot.ply = 0;
            slot.arrive(&self.shared, given);
        }
        Ok(())
    }

    fn move_text(&self, call: &mut Call<'_, '_>) -> Result<(), Refused> {
        let (slot, action) = (self.slot(call)?, call.number(1)?);
        let mut legal = slot.legal(&self.shared);
        let Some((_, mv)) = legal.find(|(index, _)| *index == action) else {
            return Err(self.illegal(call.number(0)? as usize, action as i32));
        };
        let mut text = String::new();
        self.shared.game.write_move_in(&slot.state, mv, &mut text);
        call.text = text.into_bytes();
        Ok(())
    }

    fn move_of(&self, call: &Call<'_, '_>) -> Result<u64, Refused> {
        let (slot, text) = (self.slot(call)?, call.words(1)?);
        let game = &self.shared.game;
        let mut named = MoveList::new();
        game.parse_move_in(&slot.state, text, &mut named);
        let moves: Vec<(u32, G::Move)> = slot.legal(&self.shared).collect();
        let legal = |mv: &G::Move| moves.iter().any(|(_, legal)| legal == mv);
        let known = |index: &u32| moves.iter().any(|(legal, _)| legal == index);
        // A piece that is like the one that is listed may be named as well.
        let same = || {
            let indexes = named
                .iter()
                .map(|&mv| self.shared.numbering.index(game, mv));
            let mut indexes = indexes.filter(known);
            indexes.next()
        };
        let own = named.iter().find(|mv| legal(mv));
        match own
            .map(|&mv| self.shared.numbering.index(game, mv))
            .or_else(same)
        {
            Some(index) => Ok(u64::from(index)),
            None if named.is_empty() => Err(Refused::mv(format!("`{text}` is no move"))),
            None => Err(Refused::mv(format!("`{text}` is not legal there"))),
        }
    }

    fn status(&self, call: &mut Call<'_, '_>) -> Result<(), Refused> {
        let slot = self.slot(call)?;
        let (outcome, over) = match slot.status {
            Status::Over(outcome) => (outcome, true),
            _ => (None, false),
        };
        let payoffs = (0..self.shared.players)
            .map(|player| outcome.map_or(0.5, |outcome| outcome.payoff(player)));
        let mut scores = Vec::new();
        self.shared.game.scores(&slot.state, &mut scores);
        let document = json!({
            "player": slot.player(),
            "ply": slot.ply,
            "over": over,
            "outcome": outcome.map(|outcome| outcome.text(self.info())),
            "reason": outcome.map(|outcome| outcome.reason.word()),
            "winners": outcome.map(|outcome| bits64(outcome.winners).collect::<Vec<_>>()),
            "payoffs": over.then(|| payoffs.collect::<Vec<f64>>()),
            "scores": scores,
        });
        call.text = document.to_string().into_bytes();
        Ok(())
    }

    fn results_text(&self, call: &mut Call<'_, '_>) -> Result<(), Refused> {
        let slot = self.slot(call)?;
        let game = &self.shared.game;
        let results = self.results(slot).into_iter().map(|(mv, weight)| {
            let mut text = String::new();
            game.write_move_in(&slot.state, mv, &mut text);
            json!({ "text": text, "weight": weight })
        });
        let list: Vec<_> = results.collect();
        call.text = serde_json::Value::from(list).to_string().into_bytes();
        Ok(())
    }

    fn playouts(&self, call: &mut Call<'_, '_>) -> Result<(), Refused> {
        let slot = self.slot(call)?;
        let (games, limit) = (call.number(1)?, call.number(2)?);
        let players = self.shared.players;
        let out: &mut [f64] = call.output(0, players)?;
        let (game, mut rng) = (&self.shared.game, slot.rng.clone());
        let mut room = MoveList::new();
        out.fill(0.0);
        for _ in 0..games {
            let mut state = slot.state.clone();
            let playout =
                game.random_playout(&mut state, &mut rng, limit, ChoiceSet::Distinct, &mut room);
            for (player, sum) in out.iter_mut().enumerate() {
                *sum += playout
                    .outcome
                    .map_or(0.5, |outcome| outcome.payoff(player));
            }
        }
        for sum in out.iter_mut() {
            *sum /= f64::from(games.max(1));
        }
        Ok(())
    }
}

impl<G: FullGame + 'static> Port for BatchPort<G> {
    fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
        match call.op {
            op::RESET => self.reset(call)?,
            op::STEP => return self.step(call),
            op::WATCH => self.watch(call)?,
            op::SAMPLE => self.sample(call)?,
            op::LEGAL => {
                let legal = self.slot(call)?.legal(&self.shared);
                let indexes: Vec<u32> = legal.map(|(index, _)| index).collect();
                call.text = bytemuck::cast_slice(&indexes).to_vec();
            }
            op::TEXT => {
                let mut text = String::new();
                let slot = self.slot(call)?;
                self.shared.game.write_state(&slot.state, &mut text);
                call.text = text.into_bytes();
            }
            op::READ => self.read(call)?,
            op::KEY => {
                let out: &mut [u64] = call.output(0, self.slots.len())?;
                for (key, slot) in out.iter_mut().zip(&self.slots) {
                    *key = self.shared.game.key(&slot.state);
                }
            }
            op::MOVE_TEXT => self.move_text(call)?,
            op::MOVE_OF => return self.move_of(call),
            op::STATUS => self.status(call)?,
            op::RESULTS => self.results_text(call)?,
            op::APPEARANCE => {
                let mut shown = Vec::new();
                let slot = self.slot(call)?;
                self.shared.game.appearance(&slot.state, &mut shown);
                call.text = bytemuck::cast_slice(&shown).to_vec();
            }
            op::COPY => {
                call.made = Some(Box::new(BatchPort {
                    shared: self.shared.clone(),
                    settings: self.settings.clone(),
                    slots: self.slots.clone(),
                    fault: None,
                }));
            }
            op::PLAYOUTS => self.playouts(call)?,
            op::FAULT => {
                let fault = self.fault.take();
                let told = fault.map(|outcome| outcome.text(self.info()));
                call.text = told.unwrap_or_default().into_bytes();
            }
            other => return Err(unknown("a batch", other)),
        }
        Ok(0)
    }
}

fn cells_kind(kinds: &[u8]) -> u8 {
    kinds.get(1).copied().unwrap_or(0)
}

#[derive(Default)]
struct Faults {
    count: u64,
    first: Option<Outcome>,
}

impl Faults {
    fn merge(&mut self, other: Faults) {
        self.count += other.count;
        self.first = self.first.or(other.first);
    }
}

/// What is to be seen of positions: a row each.
struct Seen<'r> {
    players: &'r mut [i8],
    bytes: &'r mut [u8],
    bits: &'r mut [u64],
    cells: Cells<'r>,
}

impl<'r> Seen<'r> {
    #[inline]
    fn show<G: FullGame>(&mut self, shared: &Shared<G>, slot: &Slot<G>, row: usize) {
        if let Some(player) = self.players.get_mut(row) {
            *player = slot.player();
        }
        let width = shared.moves;
        if let Some(mask) = self.bytes.get_mut(row * width..(row + 1) * width) {
            show_bytes(shared, slot, mask);
        }
        let width = width.div_ceil(64);
        if let Some(mask) = self.bits.get_mut(row * width..(row + 1) * width) {
            show_bits(shared, slot, mask);
        }
        self.cells
            .show(&shared.game, &slot.state, row, shared.cells);
    }

    fn split<G: FullGame>(&mut self, count: usize, shared: &Shared<G>) -> Seen<'r> {
        Seen {
            players: cut(&mut self.players, count),
            bytes: cut(&mut self.bytes, count * shared.moves),
            bits: cut(&mut self.bits, count * shared.moves.div_ceil(64)),
            cells: self.cells.split(count * shared.cells),
        }
    }
}

/// A loop over positions, for the processor that it runs on.
struct Loop<F>(F);

impl<T, F: FnOnce() -> T> rulec_cpu::Job for Loop<F> {
    type Output = T;

    #[inline(always)]
    fn run(self) -> T {
        (self.0)()
    }
}

fn run<T>(body: impl FnOnce() -> T) -> T {
    rulec_cpu::run(Loop(body))
}

/// What a step fills.
struct StepRows<'r> {
    rewards: &'r mut [f32],
    over: &'r mut [u8],
    stopped: &'r mut [u8],
    seen: Seen<'r>,
    last: Cells<'r>,
}

impl<'r> StepRows<'r> {
    fn split<G: FullGame>(&mut self, count: usize, shared: &Shared<G>) -> StepRows<'r> {
        StepRows {
            rewards: cut(&mut self.rewards, count * shared.players),
            over: cut(&mut self.over, count),
            stopped: cut(&mut self.stopped, count),
            seen: self.seen.split(count, shared),
            last: self.last.split(count * shared.cells),
        }
    }
}

fn cut<'r, T>(rows: &mut &'r mut [T], len: usize) -> &'r mut [T] {
    let all = std::mem::take(rows);
    let (head, rest) = all.split_at_mut(len.min(all.len()));
    *rows = rest;
    head
}

#[inline(always)]
fn step_slots<G: FullGame>(
    shared: &Shared<G>,
    settings: &Settings,
    slots: &mut [Slot<G>],
    places: &[u32],
    mut rows: StepRows<'_>,
) -> Faults {
    let mut faults = Faults::default();
    rows.rewards.fill(0.0);
    rows.over.fill(0);
    rows.stopped.fill(0);
    let given = settings.given;
    for (row, (slot, &place)) in slots.iter_mut().zip(places).enumerate() {
        match slot.status {
            _ if place == STAYS => {
                rows.seen.show(shared, slot, row);
                continue;
            }
            Status::Chance => play_result(shared, slot, place as usize),
            _ => slot.play(shared, place as usize, given),
        }
        let limited = slot.ply >= settings.limit;
        let end = match slot.status {
            Status::Over(outcome) => Some(outcome),
            _ if limited => Some(None),
            _ => None,
        };
        if let Some(outcome) = end {
            finish(&mut rows, row, shared.players, outcome);
            if let Some(Reason::Fault(_)) = outcome.map(|outcome| outcome.reason) {
                faults.merge(Faults {
                    count: 1,
                    first: outcome,
                });
            }
            rows.last.show(&shared.game, &slot.state, row, shared.cells);
            match settings.reset {
                true => slot.restart(shared, given),
                false => slot.status = Status::Over(outcome),
            }
        }
        rows.seen.show(shared, slot, row);
    }
    faults
}

/// Plays a result of a draw, by its place in the list of results.
fn play_result<G: FullGame>(shared: &Shared<G>, slot: &mut Slot<G>, place: usize) {
    let mut results = ChanceList::new();
    shared.game.chance_outcomes(&slot.state, &mut results);
    if let Some((result, _)) = results.as_slice().get(place) {
        shared.game.play_open(&mut slot.state, *result);
        slot.arrive(shared, true);
    }
}

/// Tells how a game ended: 1 for a win, -1 for a loss, 0 for a draw or where nobody knows.
fn finish(rows: &mut StepRows<'_>, row: usize, players: usize, outcome: Option<Outcome>) {
    if let Some(over) = rows.over.get_mut(row) {
        *over = 1;
    }
    let stopped = outcome.is_none_or(|o| matches!(o.reason, Reason::Limit | Reason::Fault(_)));
    if let Some(cell) = rows.stopped.get_mut(row) {
        *cell = u8::from(stopped);
    }
    if let (Some(outcome), Some(rewards)) = (
        outcome,
        rows.rewards.get_mut(row * players..(row + 1) * players),
    ) {
        for (player, reward) in rewards.iter_mut().enumerate() {
            *reward = (2.0 * outcome.payoff(player) - 1.0) as f32;
        }
    }
}
