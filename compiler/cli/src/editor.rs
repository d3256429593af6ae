//! What the server of editors cannot know by itself: files beside the rules, random games, reasons.

use rulec_compiler::ir::{FamilyId, Game};
use rulec_interpreted::Explainer;
use rulec_lsp::{Host, Mark, Part, Played};

use rulec_core::Game as _;

use crate::check::walk::Amount;
use crate::interpreted::InterpretedGame;
use crate::pictures;
use crate::rules;
use crate::tested::cover::{Coverage, Hit};

/// Random games of rules that are being written, and the steps of the interpreter that they may take: about a second.
const GAMES: u64 = 300;
const WORK: u64 = 2_000_000;

/// For [`rulec_lsp::run`].
pub(crate) const HOST: Host = Host {
    companions: rules::add_readable,
    images: rules::image_folder,
    play,
    why,
};

fn play(game: &Game, go_on: &dyn Fn() -> bool) -> Option<Played> {
    let amount = Amount::Quick {
        games: GAMES,
        work: WORK,
    };
    let found = Coverage::of_random_games(game, 1, amount, go_on).ok()?;
    let mark = |part: Part| {
        move |hit: Hit| Mark {
            part,
            name: hit.name,
            span: hit.span,
            count: hit.count,
        }
    };
    let (games, positions) = (found.games, found.positions);
    let marks = (found.rules.into_iter().map(mark(Part::Rule)))
        .chain(found.ends.into_iter().map(mark(Part::End)))
        .chain(found.steps.into_iter().map(mark(Part::Step)));
    // What was broken off says nothing.
    go_on().then(|| Played {
        games,
        positions,
        marks: marks.collect(),
    })
}

fn why(game: &Game, family: FamilyId) -> Option<String> {
    let look = pictures::look(game).ok()?;
    let game = InterpretedGame::new(game.clone()).ok()?;
    let refusal = Explainer::new(&game, &game.initial()).family(family);
    let start = rulec_engines::interpreted(&game);
    Some(rulec_serve::plain_reason(&look, &*start, &refusal))
}
