//! What to say of a text that is no move.

use std::collections::BTreeSet;

use rulec_compiler::diag::closest;
use rulec_compiler::ir::TextPart;
use rulec_interp::{Interp, Move, MoveParts, State};

/// The most names of things that are looked through.
const MOST_NAMES: usize = 100_000;

/// What is wrong with a text that is no move: a word that means nothing in this game, or how moves are written.
pub(crate) fn unknown(interp: &Interp, state: &State, text: &str) -> String {
    if interp
        .parse_move(text)
        .iter()
        .any(|&mv| is_drawn(interp, mv))
    {
        return "that is left to chance, and nothing is to be drawn here".to_owned();
    }
    let legal = interp.legal_moves(state).unwrap_or(&[]);
    let legal: Vec<String> = (legal.iter())
        .map(|&mv| interp.move_text_in(state, mv))
        .collect();
    let (known, complete) = words(interp, &legal);
    let written = || text.split_whitespace();
    // A number may be a value of a parameter, whichever it can take here.
    let unheard = |word: &&str| !known.contains(*word) && word.parse::<i64>().is_err();
    if let Some(word) = written().find(unheard).filter(|_| complete) {
        let meant = closest(word, known.iter().map(String::as_str))
            .map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        return format!("nothing in this game is called `{word}`{meant}");
    }
    let shared = |mv: &&String| {
        let theirs: BTreeSet<&str> = mv.split_whitespace().collect();
        written().filter(|word| theirs.contains(word)).count()
    };
    match legal.iter().rev().max_by_key(shared) {
        Some(example) => format!("no move is written like that; `{example}` is one"),
        None => "no move is written like that".to_owned(),
    }
}

fn is_drawn(interp: &Interp, mv: Move) -> bool {
    matches!(interp.move_parts(mv), Some(MoveParts::Draw(..)))
}

/// The words that texts of moves may consist of: names of everything there is, and the words of rules; and whether these are all.
fn words(interp: &Interp, legal: &[String]) -> (BTreeSet<String>, bool) {
    let game = interp.game();
    let complete = game
        .domains
        .iter()
        .map(|domain| domain.len())
        .sum::<usize>()
        <= MOST_NAMES;
    let members = (game.domains.iter())
        .flat_map(|domain| (0..domain.len() as u32).map(|member| domain.member(member)));
    let texts = (game.families.iter().map(|family| &family.text))
        .chain(game.draws.iter().map(|draw| &draw.text))
        .flatten();
    let literals = texts.filter_map(|part| match part {
        TextPart::Text(text) => Some(text.clone()),
        TextPart::Param(_) => None,
    });
    let mut known = BTreeSet::new();
    for name in members
        .take(MOST_NAMES)
        .chain(literals)
        .chain(legal.iter().cloned())
    {
        known.extend(name.split_whitespace().map(str::to_owned));
    }
    (known, complete)
}
