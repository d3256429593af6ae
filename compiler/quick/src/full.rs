//! What only some users of a game need: texts and reasons from the interpreter, numbers from the words of a position.

use std::sync::OnceLock;

use rulec_core::{
    Board, Explain, Game, Hosted, Identities, MoveArgs, MoveList, Notation, Observe, Observer,
    OpenPlay, Refusal, StateText, TextError, Wish,
};
use rulec_interp::Move;
use rulec_ir::ir;

use crate::code::Point;
use crate::image::Plan;
use crate::run::{Machine, Wait};
use crate::{QuickGame, Shared, State};

impl OpenPlay for QuickGame {}

impl MoveArgs for QuickGame {
    fn move_args(&self, mv: Move, args: &mut Vec<i64>) -> usize {
        self.interpreted.move_args(mv, args)
    }

    fn move_order(&self, mv: Move) -> u64 {
        mv.code()
    }
}

impl Notation for QuickGame {
    fn write_move_in(&self, state: &State, mv: Move, out: &mut String) {
        match self.shared.interp.game().tellings.is_empty() {
            true => self.interpreted.write_move(mv, out),
            false => self
                .interpreted
                .write_move_in(&self.interpreted(state), mv, out),
        }
    }

    fn parse_move_in(&self, state: &State, text: &str, out: &mut MoveList<Move>) {
        match self.shared.interp.game().tellings.is_empty() {
            true => self.interpreted.parse_move(text, out),
            false => self
                .interpreted
                .parse_move_in(&self.interpreted(state), text, out),
        }
    }
}

impl StateText for QuickGame {
    fn write_state(&self, state: &State, out: &mut String) {
        self.interpreted.write_state(&self.interpreted(state), out);
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let state = self.interpreted.parse_state(text)?;
        Ok(self.state(&state))
    }
}

impl Observe for QuickGame {
    fn meters(&self, state: &State, out: &mut Vec<i64>) {
        let meters = self.shared.interp.game().meters.iter();
        out.extend(meters.map(|meter| state.words[self.shared.code.vars[meter.var.index()].base]));
    }

    fn observe(&self, state: &State, out: &mut impl Observer) {
        self.shared
            .with(state, |machine| machine.observe(&self.shared.planes, out));
    }

    fn appearance(&self, state: &State, out: &mut Vec<i64>) {
        self.interpreted.appearance(&self.interpreted(state), out);
    }
}

impl Shared {
    /// Makes the position of a machine, a copy of these words, an image, as far as identities look at it.
    fn turn(&self, plan: &Plan, words: &[i64], machine: &mut Machine<'_>) {
        plan.store(words, &mut machine.mem);
        if self.code.identities_ask_kept {
            plan.keep(words, machine);
        }
        machine.touch();
    }
}

impl QuickGame {
    /// The number of an identity in the code.
    fn inner(&self, identity: usize) -> Option<usize> {
        let mut order = self.shared.interp.game().identity_order();
        order.nth(identity).map(|id| id.index())
    }

    /// The key of a position under an identity.
    fn key_under(&self, state: &State, identity: usize) -> u64 {
        let identity = self.inner(identity);
        let key = |identity| {
            self.shared.with(state, |machine| {
                machine.key(identity, state.wait, state.over)
            })
        };
        identity.map_or(0, key)
    }

    /// What a symmetry makes of a position; nothing where that cannot be said, as where rules noted positions before.
    fn plan(&self, state: &State, symmetry: usize) -> Option<&Plan> {
        let Shared {
            plans,
            code,
            interp,
            ..
        } = self.shared.as_ref();
        let stored = code
            .snapshots
            .iter()
            .any(|slot| state.words[slot.flag] != 0);
        if stored || state.trails.iter().any(|trail| trail.len() > 0) {
            return None;
        }
        plans.plan(interp.game(), code, symmetry)
    }
}

impl Identities for QuickGame {
    fn identity(&self, state: &State, identity: usize, out: &mut Vec<u8>) {
        if let Some(identity) = self.inner(identity) {
            state.identity(identity, out);
        }
    }

    fn image(&self, state: &State, symmetry: usize) -> Option<State> {
        let plan = self.plan(state, symmetry)?;
        let mut image = state.clone();
        self.shared.with(state, |machine| {
            plan.store(&state.words, &mut machine.mem);
            plan.keep(&state.words, machine);
            let code = machine.code;
            if let Wait::At(point) = state.wait
                && let Point::Choose(choose) = &code.points[point]
            {
                // A fault is the outcome there, too.
                let _ = machine.decide(choose);
            }
            image.words.copy_from_slice(machine.words());
        });
        image.over = plan.end(state.over);
        image.stuck = OnceLock::new();
        Some(image)
    }

    fn each_image(&self, state: &State, symmetries: &[usize], show: &mut dyn FnMut(usize, &State)) {
        let mut image = state.clone();
        for &symmetry in symmetries {
            let Some(plan) = self.plan(state, symmetry) else {
                continue;
            };
            image.words.copy_from_slice(&state.words);
            match self.shared.code.identities_ask_kept {
                true => self.shared.with(state, |machine| {
                    self.shared.turn(plan, &state.words, machine);
                    image.words.copy_from_slice(machine.words());
                }),
                false => plan.store(&state.words, &mut image.words),
            }
            image.over = plan.end(state.over);
            show(symmetry, &image);
        }
    }

    fn least_identity(
        &self,
        state: &State,
        identity: usize,
        symmetries: &[usize],
        out: &mut Vec<u8>,
    ) {
        let Some(identity) = self.inner(identity) else {
            return;
        };
        let from = out.len();
        let mut other = Vec::new();
        self.shared.with(state, |machine| {
            machine.identity(identity, state.wait, state.over, out);
            for &symmetry in symmetries {
                let Some(plan) = self.plan(state, symmetry) else {
                    continue;
                };
                machine.mem[..state.words.len()].copy_from_slice(&state.words);
                self.shared.turn(plan, &state.words, machine);
                let place = (state.wait, plan.end(state.over));
                other.clear();
                if machine.identity_at_most(identity, place, &out[from..], &mut other)
                    && other[..] < out[from..]
                {
                    out.truncate(from);
                    out.extend_from_slice(&other);
                }
            }
        });
    }

    fn future_key(&self, state: &State) -> u64 {
        self.key_under(state, self.info().future)
    }

    fn timeless_key(&self, state: &State) -> u64 {
        let info = self.info();
        self.key_under(state, info.timeless.unwrap_or(info.future))
    }
}

impl Hosted for QuickGame {
    fn start(&self, board: &Board) -> Option<State> {
        let state = self.interpreted.start(board)?;
        Some(self.state(&state))
    }

    fn accepted(&self, state: &State, target: usize) -> u64 {
        let Some(episode) = &self.shared.interp.game().episode else {
            return 0;
        };
        let var = &self.shared.code.vars[episode.accepted.index()];
        match target < var.cells {
            true => state.words[var.base + target * var.width] as u64,
            false => 0,
        }
    }

    fn attempt(&self, target: usize, unit: usize) -> Option<Move> {
        self.interpreted.attempt(target, unit)
    }

    fn counters(&self, state: &State, out: &mut Vec<i64>) {
        let Some(episode) = &self.shared.interp.game().episode else {
            return;
        };
        let cells = |var: ir::VarId, cells: usize| {
            let at = self.shared.code.vars[var.index()].base;
            &state.words[at..at + cells]
        };
        let atoms = self.shared.code.vars[episode.atoms_left.index()].cells;
        out.extend_from_slice(cells(episode.row, 1));
        out.extend_from_slice(cells(episode.row_left, 1));
        out.extend_from_slice(cells(episode.atoms_left, atoms));
    }

    fn host_moves(&self, state: &State, out: &mut MoveList<Move>) {
        if !self.shared.interp.game().by_host.is_empty() {
            self.interpreted.host_moves(&self.interpreted(state), out);
        }
    }
}

impl Explain for QuickGame {
    fn explain(&self, state: &State, wish: Wish<'_>) -> Option<Refusal> {
        if let Some(spelled) = &self.spelled {
            let mut text = String::new();
            self.write_state(state, &mut text);
            if let Ok(state) = spelled.parse_state(&text) {
                return spelled.explain(&state, wish);
            }
        }
        self.interpreted.explain(&self.interpreted(state), wish)
    }
}
