//! `explain`: why a move is not legal.

use std::collections::BTreeMap;

use anyhow::Result;
use rulec_compiler::ir;
use rulec_compiler::source::{FileId, Span};
use rulec_core::{Refusal, Wish};
use rulec_render::Look;
use rulec_search::AnyState;

use crate::args::{Engine, ExplainArgs};
use crate::attempts::{self, Attempt};
use crate::interpreted::InterpretedGame;
use crate::rules::{self, Rules};
use crate::{Verdict, say};

/// The most letters of a condition that are told to people.
const LONGEST: usize = 200;

pub(crate) fn explain(args: &ExplainArgs) -> Result<Verdict> {
    let rules = Rules::load_to_look(&args.rules, Engine::Interp)?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    // The program as the rules spell it: reasons are told in its words.
    let game = InterpretedGame::new(rules::spelled(output).clone())?;
    let state = args.start.reach(&*rulec_engines::interpreted(&game))?;
    if let Some(attempt) = attempts::explain(&rules, &output.lowered, &*state, &args.wish) {
        return tell_attempt(args, &game, &*state, &attempt);
    }
    let look = crate::pictures::look_of(game.interp().game(), &output.game)?;
    let refusal = refuse(&game, &look, &*state, &args.wish);
    let line = line(&rules, &refusal);
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
        let look = crate::pictures::look(game.interp().game())?;
        let mut told = rulec_serve::refusal_json(&refuse(game, &look, state, &args.wish));
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

/// The reason for a text: that of a move as its game writes it or by files and ranks, or names of things.
pub(crate) fn refuse<'g>(
    game: &InterpretedGame,
    look: &Look,
    state: &(dyn AnyState<'g> + 'g),
    wish: &str,
) -> Refusal {
    let by_text = |text: &str| state.explain(Wish::Text(text));
    let known = |refusal: &Refusal| refusal.kind != "not-a-move";
    let first = by_text(wish);
    let found = match &first {
        Some(refusal) if !known(refusal) => Known::new(game.interp().game(), look).things(wish),
        _ => None,
    };
    let meant = found.and_then(|things| {
        let names: Vec<&str> = things.iter().map(|(name, _)| name.as_str()).collect();
        let named: Vec<Thing> = things.iter().map(|(_, thing)| *thing).collect();
        let moved = by_text(&names.join(" ")).filter(known);
        moved.or_else(|| state.explain(Wish::Naming(&named)))
    });
    let refusal = meant.or(first);
    refusal.unwrap_or_else(|| Refusal::plain("not-a-move", "the engine knows no reasons"))
}

/// Numbers of domain and member.
type Thing = (u32, u32);

/// What may be named on a board.
struct Known {
    /// Places and pieces by their names in the rules.
    names: BTreeMap<String, Thing>,
    /// Places by file and rank, such as `e4`, and their names in the rules.
    coordinates: BTreeMap<String, (String, Thing)>,
    /// Length of the longest of them, in bytes.
    longest: usize,
}

impl Known {
    fn new(program: &ir::Game, look: &Look) -> Known {
        let mut names = BTreeMap::new();
        let placed = program.placements.iter();
        let placed =
            placed.flat_map(|placement| [(placement.places, true), (placement.pieces, true)]);
        // What only moves name stands nowhere.
        let params = program.families.iter().flat_map(|family| &family.params);
        let moved = params.filter_map(|param| match param.ty {
            ir::Type::Elem(domain) => Some((domain, false)),
            _ => None,
        });
        // A plain number may be anything.
        let is_name = |name: &String| !name.bytes().all(|letter| letter.is_ascii_digit());
        for (domain, stands) in placed.chain(moved) {
            let members = program.domain(domain);
            for member in 0..members.len() as u32 {
                let name = members.member(member);
                if stands || is_name(&name) {
                    names.entry(name).or_insert((domain.0, member));
                }
            }
        }
        let by_thing: BTreeMap<Thing, &String> =
            names.iter().map(|(name, thing)| (*thing, name)).collect();
        let place = |(number, label): (String, &str)| {
            let (domain, member) = number.split_once('.')?;
            let thing = (domain.parse().ok()?, member.parse().ok()?);
            let name = (*by_thing.get(&thing)?).clone();
            Some((label.to_owned(), (name, thing)))
        };
        let coordinates: BTreeMap<_, _> =
            look.coordinates().into_iter().filter_map(place).collect();
        let all = names.keys().chain(coordinates.keys());
        let longest = all.map(String::len).max().unwrap_or(0);
        Known {
            names,
            coordinates,
            longest,
        }
    }

    /// The things in a list with blanks, commas or hyphens between them, files and ranks also with nothing; nothing if there is
    /// something else in it.
    fn things(&self, list: &str) -> Option<Vec<(String, Thing)>> {
        let between = |c: char| c.is_whitespace() || ",;-\u{2013}\u{2192}".contains(c);
        let mut things = Vec::new();
        let mut rest = list;
        while !rest.is_empty() {
            // A name may begin with a sign, such as `-3,0`.
            rest = match self.thing(rest) {
                Some((length, thing)) => {
                    things.push(thing);
                    &rest[length..]
                }
                None => rest.strip_prefix(between)?,
            };
        }
        (!things.is_empty()).then_some(things)
    }

    /// The thing with the longest name that a text begins with, and the length of the name.
    fn thing(&self, text: &str) -> Option<(usize, (String, Thing))> {
        let ends = |length: &usize| text.is_char_boundary(*length);
        let mut lengths = (1..=text.len().min(self.longest)).rev().filter(ends);
        lengths.find_map(|length| {
            let (name, rest) = text.split_at(length);
            let next = rest.chars().next();
            if let Some(thing) = self.names.get(name)
                && !next.is_some_and(char::is_alphanumeric)
            {
                return Some((length, (name.to_owned(), *thing)));
            }
            let named = self.coordinates.get(&name.to_lowercase())?;
            (!next.is_some_and(|c| c.is_ascii_digit())).then(|| (length, named.clone()))
        })
    }
}

/// The line of the rules that a condition stands in.
fn line(rules: &Rules, refusal: &Refusal) -> Option<(usize, String)> {
    let (start, end) = refusal.span;
    let (number, text) = rules.line(Span::new(FileId(refusal.file), start, end))?;
    (end > 0).then(|| (number as usize, text.to_owned()))
}
