//! Games in episodes for people: the board of `moves`, and what `explain` says of an attempt.

use std::io::{self, IsTerminal};

use anyhow::Result;
use rulec_command as command;
use rulec_compiler::ir::{Episode, Game};
use rulec_core::kinds::in_words;
use rulec_render::{Ink, Position};
use rulec_search::AnyState;

use crate::args::{Engine, OnGame};
use crate::interpreted::InterpretedGame;
use crate::rules::Rules;
use crate::{Verdict, pictures, say};

/// Shows a position and its legal moves; boards that a host gives are drawn.
pub(crate) fn moves(args: OnGame<command::MovesArgs>) -> Result<Verdict> {
    let rules = Rules::load_to_look(&args.rules, args.engine)?;
    rules.show_diagnostics()?;
    let drawn = rules
        .output
        .as_ref()
        .filter(|output| output.game.episode.is_some());
    let plain = args.command.json || args.engine == Engine::Native;
    let Some(output) = drawn.filter(|_| !plain) else {
        return crate::on_rules(rules, args, command::Command::Moves);
    };
    let game = InterpretedGame::new(output.game.clone())?;
    let state = args
        .command
        .start
        .reach(&*rulec_engines::interpreted(&game))?;
    let look = pictures::look(&output.game)?;
    let (text, seen) = (state.text(), state.appearance());
    let position = Position::new(&look, state.about(), state.turn(), &text, &seen);
    let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let ink = Ink {
        colours,
        symbols: false,
    };
    let board = rulec_render::terminal(&position, ink).unwrap_or_default();
    say(&(board + &command::moves_text(&*state, args.command.observe)))?;
    Ok(Verdict::Good)
}

/// What is to say of an attempt.
pub(crate) struct Attempt {
    /// What the piece can do now.
    pub(crate) plain: String,
    /// Which row is active.
    pub(crate) row: String,
    /// Number and text of its line.
    pub(crate) line: Option<(u32, String)>,
    /// Its place: file, line and column.
    pub(crate) origin: String,
}

/// What is to say of an attempt that names a unit and a target by two words; nothing where the wish is no such attempt.
pub(crate) fn explain<'g>(
    rules: &Rules,
    game: &Game,
    state: &(dyn AnyState<'g> + 'g),
    wish: &str,
) -> Option<Attempt> {
    let episode = game.episode.as_ref()?;
    let words: Vec<&str> = wish
        .split([',', ' ', ';'])
        .filter(|word| !word.is_empty())
        .collect();
    let [unit, target] = words[..] else {
        return None;
    };
    let params = &game.family(episode.family).params;
    let member = |word: &str, at: usize| {
        let rulec_compiler::ir::Type::Elem(domain) = params.get(at)?.ty else {
            return None;
        };
        let domain = game.domain(domain);
        (0..domain.len() as u32).find(|&member| domain.member(member) == word)
    };
    // The target comes first among the parameters, the unit first in the text.
    let (target, unit) = (member(target, 0)?, member(unit, 1)?);
    let counters = state.counters();
    let row = usize::try_from(*counters.first()?).ok()?;
    let span = episode.rows.get(row);
    let line = span.and_then(|span| rules.line(*span));
    Some(Attempt {
        origin: span.map(|span| game.origin(*span)).unwrap_or_default(),
        plain: verdict(game, state, unit, target)?,
        row: active(episode, row, counters.get(1).copied().unwrap_or(-1)),
        line: line.map(|(number, text)| (number, text.to_owned())),
    })
}

/// Which row is active, and how many moves it has left.
fn active(episode: &Episode, row: usize, left: i64) -> String {
    let left = match left {
        ..=0 => String::new(),
        1 => ", for 1 more move at most".to_owned(),
        n => format!(", for {n} more moves at most"),
    };
    let rows = episode.atoms.len();
    format!(
        "row {} of {rows} is active{left}; it alone decides",
        row + 1
    )
}

/// What a unit can do now, and what the target takes.
fn verdict<'g>(
    game: &Game,
    state: &(dyn AnyState<'g> + 'g),
    unit: u32,
    target: u32,
) -> Option<String> {
    let episode = game.episode.as_ref()?;
    let look = pictures::look(game).ok()?;
    let (text, seen) = (state.text(), state.appearance());
    let position = Position::new(&look, state.about(), state.turn(), &text, &seen);
    let params = &game.family(episode.family).params;
    let name = |at: usize, member: u32| match params.get(at).map(|param| &param.ty) {
        Some(rulec_compiler::ir::Type::Elem(domain)) => game.domain(*domain).member(member),
        _ => member.to_string(),
    };
    let info = state.about().episode?;
    let what = if info.crowded { "piece" } else { "cell" };
    let called = |unit: u32| {
        let kind = position.kind_of_unit(unit as usize);
        let kind = kind.and_then(|kind| info.kinds.get(kind));
        let kind = kind.map(in_words).unwrap_or_default();
        format!("the {kind} of {what} {}", name(1, unit))
    };
    if !position.units().contains(&i64::from(unit)) {
        return Some(format!("There is no piece on {what} {}.", name(1, unit)));
    }
    let takes = |target: u32| state.accepted(target as usize);
    let open: Vec<String> = (0..info.targets as u32)
        .filter(|&other| takes(other) >> (unit & 63) & 1 == 1)
        .map(|other| name(0, other))
        .collect();
    let piece = called(unit);
    if takes(target) >> (unit & 63) & 1 == 1 {
        return Some(format!(
            "That is accepted: {piece} can go to bucket {}.",
            name(0, target)
        ));
    }
    let mut text = match open.is_empty() {
        true => format!("Immovable (code 7): no atom of the row takes {piece} now, to any bucket."),
        false => format!(
            "Denied (code 4): {piece} cannot go to bucket {}, but to {}.",
            name(0, target),
            open.join(", ")
        ),
    };
    let others = (0..64).filter(|unit| takes(target) >> unit & 1 == 1);
    let others: Vec<String> = others.map(called).collect();
    text.push_str(&match others.len() {
        0 => format!(" Bucket {} takes nothing now.", name(0, target)),
        _ => format!(" Bucket {} takes {}.", name(0, target), others.join(", ")),
    });
    Some(text)
}
