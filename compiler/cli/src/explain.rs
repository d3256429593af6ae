//! `explain`: why a move is not legal.

use anyhow::Result;
use rulec_compiler::interp::{Interp, Objection, State};
use rulec_core::{Game, Refusal, Wish};
use rulec_search::AnyState;

use crate::args::ExplainArgs;
use crate::interpreted::InterpretedGame;
use crate::rules::Rules;
use crate::{Verdict, say};

pub(crate) fn explain(args: &ExplainArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    // The program as the rules spell it: reasons are told in its words.
    let game = InterpretedGame::new(output.lowered.clone())?;
    let state = args.start.reach(&*rulec_search::start(&game))?;
    let refusal = refuse(&game, &*state, &args.wish);
    let line = line(&rules, &refusal);
    if args.json {
        let mut told = rulec_serve::refusal_json(&refusal);
        if let Some((number, text)) = &line {
            told["line"] = serde_json::json!({ "number": number, "text": text });
        }
        say(&format!("{told}\n"))?;
        return Ok(Verdict::Good);
    }
    let mut text = format!("{}\n", refusal.sentence());
    if let Some((number, line)) = line {
        text.push_str(&format!("  --> {}\n{number:4} | {line}\n", refusal.origin));
    }
    say(&text)?;
    Ok(Verdict::Good)
}

/// The reason for a text: that of a move, or names of things separated by semicolons.
fn refuse<'g>(game: &InterpretedGame, state: &(dyn AnyState<'g> + 'g), wish: &str) -> Refusal {
    let by_text = || state.explain(Wish::Text(wish));
    let program = game.interp().game();
    let mut named = Vec::new();
    for name in wish
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let of = |placement: &rulec_compiler::ir::Placement| [placement.places, placement.pieces];
        let found = program.placements.iter().flat_map(of).find_map(|domain| {
            let members = 0..program.domain(domain).len() as u32;
            let member = members
                .into_iter()
                .find(|&m| program.domain(domain).member(m) == name)?;
            Some((domain.0, member))
        });
        match found {
            Some(thing) => named.push(thing),
            None => named.clear(),
        }
    }
    let refusal = match named.is_empty() {
        true => by_text(),
        false => match by_text().filter(|refusal| refusal.kind != "not-a-move") {
            Some(refusal) => Some(refusal),
            None => state.explain(Wish::Naming(&named)),
        },
    };
    refusal.unwrap_or_else(|| Refusal::plain("not-a-move", "the engine knows no reasons"))
}

/// The line of the rules that a condition stands in.
fn line(rules: &Rules, refusal: &Refusal) -> Option<(usize, String)> {
    let texts = rules.texts();
    let (_, text) = texts
        .get(refusal.file as usize)
        .filter(|_| refusal.span.1 > 0)?;
    let before = text.as_bytes().get(..refusal.span.0 as usize)?;
    let number = before.iter().filter(|&&b| b == b'\n').count();
    Some((number + 1, text.lines().nth(number)?.to_owned()))
}

/// The interpreter's reason in the form that all engines use.
pub(crate) fn refusal(interp: &Interp, state: &State, wish: Wish<'_>) -> Refusal {
    let objection = match wish {
        Wish::Naming(named) => interp.explain_naming(state, named),
        Wish::Text(text) => interp.explain_moves(state, &interp.parse_move(text)),
    };
    told(interp, state, &objection)
}

fn told(interp: &Interp, state: &State, objection: &Objection) -> Refusal {
    let game = interp.game();
    let family = objection.family.map(|id| game.family(id));
    let located = family.is_some();
    Refusal {
        kind: objection.kind,
        family: family.map_or(String::new(), |family| family.name.clone()),
        mv: objection
            .mv
            .map_or(String::new(), |mv| match interp.legal_moves(state) {
                Ok(moves) if moves.contains(&mv) => interp.move_text_in(state, mv),
                _ => interp.move_text(mv),
            }),
        rule: family.map_or(String::new(), |family| game.origin(family.span)),
        origin: match located {
            true => game.origin(objection.span),
            false => String::new(),
        },
        span: match located {
            true => (objection.span.start, objection.span.end),
            false => (0, 0),
        },
        file: objection.span.file.0,
        condition: objection.condition.clone(),
        came_to: objection.came_to.clone(),
        values: objection.values.clone(),
        confirmed: objection.confirmed,
    }
}

/// The reason of a game's own engine, for tests of engines.
pub fn reason_of(
    game: &InterpretedGame,
    state: &<InterpretedGame as Game>::State,
    wish: Wish<'_>,
) -> Refusal {
    refusal(game.interp(), state, wish)
}
