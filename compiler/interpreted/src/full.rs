//! What only some users of a game need, asked of the interpreter.

use rulec_compiler::{ir, look};
use rulec_core::{
    Board, Explain, Game, Hosted, Identities, MoveArgs, MoveList, Notation, Observe, Observer,
    OpenPlay, Refusal, StateText, TextError, Wish,
};
use rulec_interp::Value;

use crate::explain::Explainer;
use crate::{InterpretedGame, number};

impl OpenPlay for InterpretedGame {}

impl MoveArgs for InterpretedGame {
    fn move_args(&self, mv: Self::Move, args: &mut Vec<i64>) -> usize {
        self.interp.move_numbers(mv, args).unwrap_or(usize::MAX)
    }

    fn move_order(&self, mv: Self::Move) -> u64 {
        mv.code()
    }
}

impl Notation for InterpretedGame {
    fn write_move_in(&self, state: &Self::State, mv: Self::Move, out: &mut String) {
        out.push_str(&self.interp.move_text_in(state, mv));
    }

    fn parse_move_in(&self, state: &Self::State, text: &str, out: &mut MoveList<Self::Move>) {
        out.extend(self.interp.parse_move_in(state, text));
    }
}

impl StateText for InterpretedGame {
    fn write_state(&self, state: &Self::State, out: &mut String) {
        self.interp.write_state(state, out);
    }

    fn parse_state(&self, text: &str) -> Result<Self::State, TextError> {
        self.interp.parse_state(text).map_err(|error| TextError {
            position: error.position,
            expected: error.expected,
            found: error.found,
        })
    }
}

impl Observe for InterpretedGame {
    fn meters(&self, state: &Self::State, out: &mut Vec<i64>) {
        let meters = self.interp.game().meters.iter();
        let value = |meter: &ir::Meter| self.interp.var(state, meter.var, 0);
        out.extend(meters.filter_map(value).map(|value| number(&value)));
    }

    fn observe(&self, state: &Self::State, out: &mut impl Observer) {
        let mut values = Vec::new();
        self.interp.observe(state, &self.planes, &mut values);
        values.into_iter().for_each(|value| out.value(value));
    }

    fn appearance(&self, state: &Self::State, out: &mut Vec<i64>) {
        let game = self.interp.game();
        let absent = |member: Option<u32>| member.map_or(-1, i64::from);
        for (index, placement) in game.placements.iter().enumerate() {
            let id = ir::PlacementId::from(index);
            match placement.form {
                ir::PlacementForm::Anonymous => {
                    let places = 0..game.domain(placement.places).len() as u32;
                    let kind = |place| self.interp.on_place(state, id, place).first().copied();
                    out.extend(places.map(|place| absent(kind(place))));
                }
                _ => {
                    let pieces = 0..game.domain(placement.pieces).len() as u32;
                    out.extend(pieces.map(|piece| absent(self.interp.place_of(state, id, piece))));
                }
            }
        }
        for var in look::watched(game) {
            for cell in 0..game.var(var).init.len() {
                match self.interp.var(state, var, cell) {
                    Some(Value::Set(members)) => {
                        out.push(members.len() as i64);
                        out.extend(members.iter().map(i64::from));
                    }
                    Some(value) => out.push(number(&value)),
                    None => out.push(-1),
                }
            }
        }
    }
}

impl Identities for InterpretedGame {
    fn identity(&self, state: &Self::State, identity: usize, out: &mut Vec<u8>) {
        if let Some(id) = self.interp.game().identity_order().nth(identity) {
            self.interp.identity(state, id, out);
        }
    }

    fn image(&self, state: &Self::State, symmetry: usize) -> Option<Self::State> {
        let by = self.interp.game().symmetries.all.get(symmetry)?;
        self.interp.image(state, by)
    }
}

impl Hosted for InterpretedGame {
    fn start(&self, board: &Board) -> Option<Self::State> {
        let game = self.interp.game();
        let episode = game.episode.as_ref()?;
        let info = self.info().episode?;
        if info.units < 64 && board.present >> info.units != 0 {
            return None;
        }
        let mut given = Vec::new();
        let mut present = Vec::new();
        for unit in 0..info.units {
            let here = board.present >> unit & 1 == 1;
            let (kind, place) = match here {
                true => (u32::from(board.kinds[unit]), u32::from(board.places[unit])),
                false => (0, 0),
            };
            if kind as usize >= info.kinds.len() || place as usize >= info.places {
                return None;
            }
            given.push((episode.kinds, unit, Value::Elem(kind)));
            given.extend(
                episode
                    .places
                    .map(|places| (places, unit, Value::Elem(place))),
            );
            if here {
                present.push(unit as u32);
            }
        }
        given.push((
            episode.present,
            0,
            Value::Set(present.into_iter().collect()),
        ));
        self.interp.start(&given)
    }

    fn accepted(&self, state: &Self::State, target: usize) -> u64 {
        let episode = self.interp.game().episode.as_ref();
        let value = episode.and_then(|episode| self.interp.var(state, episode.accepted, target));
        match value {
            Some(Value::Set(units)) => units.iter().fold(0, |set, unit| set | 1 << (unit & 63)),
            _ => 0,
        }
    }

    fn attempt(&self, target: usize, unit: usize) -> Option<Self::Move> {
        let episode = self.interp.game().episode.as_ref()?;
        let args = [Value::Elem(target as u32), Value::Elem(unit as u32)];
        self.interp.family_move(episode.family, &args)
    }

    fn counters(&self, state: &Self::State, out: &mut Vec<i64>) {
        let Some(episode) = &self.interp.game().episode else {
            return;
        };
        let atoms = self.interp.game().var(episode.atoms_left).init.len();
        let cells = [
            (episode.row, 1),
            (episode.row_left, 1),
            (episode.atoms_left, atoms),
        ];
        for (var, count) in cells {
            let values = (0..count).filter_map(|cell| self.interp.var(state, var, cell));
            out.extend(values.map(|value| number(&value)));
        }
    }

    fn host_moves(&self, state: &Self::State, out: &mut MoveList<Self::Move>) {
        out.extend(self.interp.host_moves(state));
    }
}

impl Explain for InterpretedGame {
    fn explain(&self, state: &Self::State, wish: Wish<'_>) -> Option<Refusal> {
        Some(Explainer::new(self, state).explain(wish))
    }
}
