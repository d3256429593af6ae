//! `explain`: why a move is not legal.

use anyhow::Result;
use rulec_compiler::source::{FileId, Span};
use rulec_core::{Refusal, Wish};
use rulec_search::AnyState;

use crate::args::ExplainArgs;
use crate::attempts::{self, Attempt};
use crate::interpreted::InterpretedGame;
use crate::rules::{self, Rules};
use crate::{Verdict, say};

/// The most letters of a condition that are told to people.
const LONGEST: usize = 200;

pub(crate) fn explain(args: &ExplainArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    // The program as the rules spell it: reasons are told in its words.
    let game = InterpretedGame::new(rules::spelled(output).clone())?;
    let state = args.start.reach(&*rulec_search::start(&game))?;
    if let Some(attempt) = attempts::explain(&rules, &output.lowered, &*state, &args.wish) {
        return tell_attempt(args, &game, &*state, &attempt);
    }
    let refusal = refuse(&game, &*state, &args.wish);
    let line = line(&rules, &refusal);
    let look = crate::pictures::look(game.interp().game())?;
    let plain = rulec_serve::plain_reason(&look, &*state, &refusal);
    if args.json {
        let mut told = rulec_serve::refusal_json(&refusal);
        told["plain"] = plain.into();
        if let Some((number, text)) = &line {
            told["line"] = serde_json::json!({ "number": number, "text": text });
        }
        say(&format!("{told}\n"))?;
        return Ok(Verdict::Good);
    }
    let mut text = format!("{plain}\n");
    if let Some((number, line)) = line {
        let origin = &refusal.origin;
        text.push_str(&format!("  --> {origin}\n{number:4} | {line}\n"));
        let sentence = refusal.sentence();
        let mut told: String = sentence.chars().take(LONGEST).collect();
        if told.len() < sentence.len() {
            told.push_str(" \u{2026} (all of it: --json)");
        }
        text.push_str(&format!("   = in the words of the program: {told}\n"));
    }
    say(&text)?;
    Ok(Verdict::Good)
}

/// What is said of an attempt in a game of episodes: what its piece can do, and which row is active.
fn tell_attempt<'g>(
    args: &ExplainArgs,
    game: &InterpretedGame,
    state: &(dyn AnyState<'g> + 'g),
    attempt: &Attempt,
) -> Result<Verdict> {
    if args.json {
        let mut told = rulec_serve::refusal_json(&refuse(game, state, &args.wish));
        told["plain"] = attempt.plain.as_str().into();
        told["row"] = attempt.row.as_str().into();
        if let Some((number, text)) = &attempt.line {
            told["line"] = serde_json::json!({ "number": number, "text": text });
        }
        say(&format!("{told}\n"))?;
        return Ok(Verdict::Good);
    }
    let mut text = format!("{}\n", attempt.plain);
    if let Some((number, line)) = &attempt.line {
        text.push_str(&format!("  --> {}\n{number:4} | {line}\n", attempt.origin));
    }
    text.push_str(&format!("   = {}\n", attempt.row));
    say(&text)?;
    Ok(Verdict::Good)
}

/// The reason for a text: that of a move, or names of things separated by semicolons.
pub(crate) fn refuse<'g>(
    game: &InterpretedGame,
    state: &(dyn AnyState<'g> + 'g),
    wish: &str,
) -> Refusal {
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
    let (start, end) = refusal.span;
    let (number, text) = rules.line(Span::new(FileId(refusal.file), start, end))?;
    (end > 0).then(|| (number as usize, text.to_owned()))
}
