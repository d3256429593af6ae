//! Whether tables are right, as far as looking one move ahead tells.
//!
//! A table is right if the value of each position follows from those that its moves lead to, and those of ends are what the rules say: that
//! is checked for positions drawn at random, with an engine of the reader's choice. What a move leads to is looked up as it is; where no
//! table tells of it, it is searched forward.

use rulec_core::{Rng, Turn};

use super::{
    Endgames, Telling,
    frame::Room,
    probe::Probe,
    probe::after_moves,
    table::{Table, Value},
};
use crate::AnyState;

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions whose value was compared.
    pub positions: u64,
    /// Numbers that are said to be no positions of play, and were looked at.
    pub none: u64,
    /// Positions that moves led to and that were looked up or searched.
    pub moves: u64,
}

/// Checks a number of positions of each table that are drawn at random.
///
/// # Errors
/// The first position that is not right, and why.
pub fn check<'g>(
    start: &(dyn AnyState<'g> + 'g),
    tables: &Endgames,
    samples: u64,
    seed: u64,
    telling: Telling<'_>,
) -> Result<Checked, String> {
    let mut checker = Checker {
        start,
        tables,
        probe: Probe::default(),
        room: Room::default(),
        checked: Checked::default(),
    };
    for (stream, table) in tables.tables().enumerate() {
        let mut rng = Rng::new(seed, stream as u64);
        let all = table.len() <= samples;
        let count = if all { table.len() } else { samples };
        for sample in 0..count {
            let number = if all {
                sample
            } else {
                rng.below64(table.len())
            };
            checker.position(table, number)?;
            if sample % 64 == 63 && !telling(&table.name(), sample + 1, count) {
                return Err("stopped".to_owned());
            }
        }
    }
    Ok(checker.checked)
}

struct Checker<'a, 'g> {
    start: &'a (dyn AnyState<'g> + 'g),
    tables: &'a Endgames,
    probe: Probe,
    room: Room,
    checked: Checked,
}

impl<'g> Checker<'_, 'g> {
    fn position(&mut self, table: &Table, number: u64) -> Result<(), String> {
        let mut pieces = Vec::new();
        let (turn, apart) = table.placement(number, &mut pieces);
        let told = table.at(number);
        let state = match apart {
            true => table
                .frame
                .set_up(self.start, turn, &pieces, &mut self.room)
                .ok(),
            false => None,
        };
        let Some(state) = state else {
            self.checked.none += 1;
            return match told {
                Value::None => Ok(()),
                _ => Err(format!(
                    "{}: number {number} is no position, but has a value",
                    table.name()
                )),
            };
        };
        if told == Value::None || !matches!(state.turn(), Turn::Decide(_)) {
            // Whether a move leads here is not known; what it would be worth is seen where one does.
            self.checked.none += 1;
            return Ok(());
        }
        self.checked.positions += 1;
        let counted = (&mut self.probe, &mut self.checked.moves);
        let found = after_moves(self.tables, &*state, 0, counted)?;
        // A position that is over for who comes to it is worth what its end is.
        let over = matches!(told, Value::Win { plies: 0, .. });
        match found == told || over {
            true => Ok(()),
            false => Err(format!(
                "{}: `{}` is said to be {told:?}, but its moves make it {found:?}",
                table.name(),
                state.text()
            )),
        }
    }
}
