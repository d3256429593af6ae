//! Rules that never pass the turn.

use rulec_compiler::diag::{Diagnostic, command};
use rulec_compiler::ir::{Family, Game};

use super::walk::Played;

/// How often a rule must have been played twice in a row before its turn is missed.
const OFTEN: u64 = 20;
/// Rules that are shown at most.
const MOST_SHOWN: usize = 3;

/// A line about rules that were played and never passed the turn, where others of a game for several did.
pub(super) fn line(game: &Game, played: &Played) -> String {
    let passes = played.handed.iter().any(|handed| *handed > 0);
    let counts = game
        .families
        .iter()
        .zip(played.made.iter().zip(&played.handed));
    let keeping = counts.filter(|(_, (made, handed))| **made > 0 && **handed == 0);
    let names: Vec<&str> = keeping.map(|(family, _)| family.name.as_str()).collect();
    match passes && game.player_count() > 1 && !names.is_empty() {
        true => format!("  never passes the turn: {}\n", names.join(", ")),
        false => String::new(),
    }
}

/// A warning about rules that move things, may do so again and again, and never passed the turn, where others that move things
/// always did. Nothing where some rule is there to pass the turn after others, and never begins one.
pub(super) fn kept(game: &Game, played: &Played) -> Option<Diagnostic> {
    let with = |wanted: &dyn Fn(usize) -> bool| -> Vec<&Family> {
        let families = game.families.iter().enumerate();
        families
            .filter(|(index, family)| wanted(*index) && family.span.start > 0)
            .map(|(_, family)| family)
            .collect()
    };
    let ends_turns = |index: usize| played.handed[index] > 0 && played.fresh[index] == 0;
    if (0..game.families.len()).any(ends_turns) {
        return None;
    }
    let always =
        with(&|index| played.passing[index] > 0 && played.handed[index] == played.made[index]);
    let never = with(&|index| played.again[index] >= OFTEN && played.handed[index] == 0);
    let (first, others) = never.split_first()?;
    let passing = always.first()?;
    let message = format!(
        "no move by `{}` passed the turn in {} random games",
        first.name, played.games
    );
    let found = Diagnostic::new(&command::TURN_KEPT, first.span, message)
        .label("the same player goes on, again and again");
    let others = others.iter().filter(|other| other.span != first.span);
    let found = others
        .take(MOST_SHOWN - 1)
        .fold(found, |found, other| found.also(other.span, "and here"));
    Some(found.note(format!("moves by `{}` pass it", passing.name)))
}
