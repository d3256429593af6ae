//! `rulec check`: the text of rules, and what random games of them are like.

mod about;
mod causes;
mod judge;
mod turns;
pub(crate) mod walk;
mod why;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anyhow::Result;
use rulec_compiler::ir::Game;
use serde_json::{Map, Value, json};

use crate::args::{CheckArgs, Format};
use crate::interpreted::InterpretedGame;
use crate::plan::{self, Row};
use crate::rules::{self, Rules};
use crate::{Verdict, say};
use walk::{Amount, Played};

pub(crate) fn check(args: &CheckArgs) -> Result<Verdict> {
    let rows = plan::rows_of(&args.rules)?;
    let rules = match &rows {
        Some(rows) if rows.len() > 1 => return check_rows(args, rows),
        Some(rows) => rows.first().map_or(&args.rules, |row| &row.args),
        None => &args.rules,
    };
    let mut rules = Rules::load(rules, "all")?;
    let checked = examine(args, &mut rules)?;
    rules.show_all_diagnostics()?;
    match args.json {
        true => say(&format!("{}\n", checked.value))?,
        false => say(&checked.text)?,
    }
    checked.tell_findings()?;
    Ok(if checked.good {
        Verdict::Good
    } else {
        Verdict::Bad
    })
}

/// Checks the rules of each row of a trial list. What one rule set says of itself again in a later row is told once.
fn check_rows(args: &CheckArgs, rows: &[Row]) -> Result<Verdict> {
    let mut told = BTreeSet::new();
    let mut values = Vec::new();
    let mut good = true;
    for row in rows {
        let title = format!("row {} of {}, {}", row.number, rows.len(), row.rule);
        let mut rules = Rules::load(&row.args, "all")?;
        let mut checked = examine(args, &mut rules)?;
        rules.leave_out(&mut told);
        if !rules.is_clean() && row.args.format == Format::Text {
            writeln!(io::stderr(), "{title}:")?;
        }
        rules.show_all_diagnostics()?;
        good &= checked.good;
        if args.json {
            checked.value["row"] = row.number.into();
            checked.value["rule"] = row.rule.as_str().into();
            values.push(checked.value.take());
        } else {
            let text: &str = match checked.text.is_empty() {
                true => "failed: it has errors\n",
                false => &checked.text,
            };
            say(&format!("{title}: {text}"))?;
        }
        checked.tell_findings()?;
    }
    if args.json {
        say(&format!("{}\n", json!({ "ok": good, "rows": values })))?;
    }
    Ok(if good { Verdict::Good } else { Verdict::Bad })
}

/// What came of a check.
struct Checked {
    good: bool,
    text: String,
    value: Value,
    played: Option<Played>,
}

impl Checked {
    fn tell_findings(&self) -> Result<()> {
        self.played.as_ref().map_or(Ok(()), tell_findings)
    }
}

/// Plays random games of rules that have no errors; warnings that come of these are added to those of the rules.
fn examine(args: &CheckArgs, rules: &mut Rules) -> Result<Checked> {
    let Some(output) = &rules.output else {
        return Ok(Checked {
            good: false,
            text: String::new(),
            value: json!({ "ok": false, "diagnostics": rules.diagnostics_json() }),
            played: None,
        });
    };
    let game = InterpretedGame::new(output.game.clone())?;
    let amount = args.games.map_or(Amount::Usual, Amount::Games);
    let about = about::About {
        game: &output.game,
        lowered: &output.lowered,
        sources: rules.sources(),
        index: rules.index(),
        warnings: rules.diagnostics(),
    };
    let misses = |played: &Played| judge::misses(&about, played);
    let played = walk::play(&game, args.seed, amount, &misses);
    let counts = rules::counts(&output.lowered);
    let fault = judge::fault(&about, &played);
    let (found, notes) = judge::judge(&about, &played, args.seed).into_parts();
    let good = played.failures == 0 && played.faults == 0;
    let about = game.interp().game();
    let turns = turns::line(about, &played);
    let text = summary(&counts, &played, good)
        + &statistics(about, &played)
        + &turns
        + &alike(&output.lowered);
    rules.add_notes(&notes);
    rules.add_of_games(found);
    rules.add_fault(fault);
    let value = report(about, &counts, &played, good, rules.diagnostics_json());
    Ok(Checked {
        good,
        text,
        value,
        played: Some(played),
    })
}

/// The names of the players of a game.
fn names(game: &Game) -> Vec<String> {
    let players = game.domain(game.players);
    (0..players.len() as u32)
        .map(|player| players.member(player))
        .collect()
}

/// Everything as JSON.
fn report(
    game: &Game,
    counts: &[(usize, String)],
    played: &Played,
    good: bool,
    diagnostics: Value,
) -> Value {
    let spread = |counts: &BTreeMap<u64, u64>| {
        Spread::of(counts).map(|spread| {
            json!({ "min": spread.least, "max": spread.most, "median": spread.median, "mean": spread.mean })
        })
    };
    let names = names(game);
    let won: Vec<Value> = (played.ends.iter())
        .filter(|((_, winners), _)| *winners != 0)
        .map(|((how, winners), games)| json!({ "players": numbers(*winners), "how": how, "games": games }))
        .collect();
    let ended = |how: &str| played.ends.get(&(how, 0)).copied().unwrap_or(0);
    let rules: Map<String, Value> = (game.rules())
        .map(|(index, rule)| (rule.name.clone(), json!(played.legal[index])))
        .collect();
    let ends: Map<String, Value> = (played.ended_by.iter())
        .map(|(span, games)| (game.origin(*span), json!(games)))
        .collect();
    let alike: Vec<String> = (game.interchangeable.iter())
        .map(|class| class.text(game))
        .collect();
    let symmetries = json!({
        "order": game.symmetries.order(),
        "keep_start": game.symmetries.of_start(),
        "keep_players": game.symmetries.of_players(game),
        "unknown": game.symmetries.unknown,
        "apart": game.symmetries.told_apart(),
    });
    json!({
        "ok": good,
        "counts": counts.iter().map(|(n, what)| (what.clone(), json!(n))).collect::<Map<_, _>>(),
        "games": played.games,
        "positions": played.positions,
        "watched": played.watched,
        "work": played.work,
        "players": names,
        "won": won,
        "drawn": ended("draw"),
        "stuck": ended("stuck"),
        "eliminated": ended("elimination"),
        "limit": ended("limit"),
        "unended": played.unended,
        "faults": played.faults,
        "length": spread(&played.lengths),
        "choices": spread(&played.choices),
        "moves_by_player": played.moves,
        "positions_by_rule": rules,
        "games_by_end": ends,
        "alike": alike,
        "symmetries": symmetries,
        "invariant_failures": played.failures,
        "diagnostics": diagnostics,
    })
}

/// The numbers of players, from 1.
fn numbers(players: u64) -> Vec<u32> {
    (0..64)
        .filter(|p| players >> p & 1 == 1)
        .map(|p| p + 1)
        .collect()
}

/// One line: what the game consists of, and how its random games went.
fn summary(counts: &[(usize, String)], played: &Played, good: bool) -> String {
    let counts: Vec<String> = counts
        .iter()
        .map(|(n, what)| format!("{n} {what}{}", if *n == 1 { "" } else { "s" }))
        .collect();
    let mut line = format!(
        "{}: {}",
        if good { "ok" } else { "failed" },
        counts.join(", ")
    );
    if played.games > 0 {
        line.push_str(&format!(
            "; {} random games: {} invariant failures",
            played.games, played.failures
        ));
        if played.watched < played.positions {
            line.push_str(&format!(
                " ({} of {} positions watched)",
                played.watched, played.positions
            ));
        }
    }
    line.push('\n');
    line
}

/// How the games went, some lines of it.
pub(crate) fn statistics(game: &Game, played: &Played) -> String {
    if played.games == 0 {
        return String::new();
    }
    let mut ends: Vec<(String, u64)> = Vec::new();
    let solitary = game.player_count() == 1;
    let names = names(game);
    let alone = match game.episode {
        Some(_) => "cleared",
        None => "won",
    };
    for (player, name) in names.iter().enumerate() {
        // Also who never wins is told.
        let wins = |((_, winners), _): &(&(&str, u64), &u64)| *winners == 1 << player;
        let games = played.ends.iter().filter(wins).map(|(_, games)| games);
        let how = match solitary {
            true => alone.to_owned(),
            false => format!("won by {name}"),
        };
        ends.push((how, games.sum()));
    }
    let several = (played.ends.iter()).filter(|((_, winners), _)| winners.count_ones() > 1);
    for ((_, winners), games) in several {
        let who: Vec<&str> = numbers(*winners)
            .iter()
            .filter_map(|number| names.get(*number as usize - 1).map(String::as_str))
            .collect();
        ends.push((format!("won by {}", who.join(" and ")), *games));
    }
    let ended = |how: &str| played.ends.get(&(how, 0)).copied().unwrap_or(0);
    let lost = match solitary {
        true => "lost",
        false => "nobody left",
    };
    for (what, games) in [
        ("drawn", ended("draw")),
        ("stuck", ended("stuck")),
        (lost, ended("elimination")),
        ("stopped by a limit of the rules", ended("limit")),
        ("without an end", played.unended),
        ("faulted", played.faults),
    ] {
        if games > 0 {
            ends.push((what.to_owned(), games));
        }
    }
    let share = |games: u64| 100.0 * games as f64 / played.games as f64;
    let ends: Vec<String> = (ends.iter())
        .map(|(what, games)| format!("{what} {games} ({:.0}%)", share(*games)))
        .collect();
    let mut text = format!("  {}\n", ends.join(", "));
    let plies = match game.draws.is_empty() {
        true => "moves",
        false => "moves and results of chance",
    };
    if let Some(spread) = Spread::of(&played.lengths) {
        text.push_str(&format!(
            "  length: {} {} at the median, {} to {}\n",
            spread.median, plies, spread.least, spread.most
        ));
    }
    if let Some(spread) = Spread::of(&played.choices) {
        text.push_str(&format!(
            "  legal moves where there is a choice to make: {} at the median, {:.1} on average, {} to {}\n",
            spread.median, spread.mean, spread.least, spread.most
        ));
    }
    text
}

/// The pieces and places that the rules do not tell apart, a line each, and the symmetries.
fn alike(game: &Game) -> String {
    let classes = game.interchangeable.iter();
    let classes = classes.map(|class| format!("  {}\n", class.text(game)));
    let symmetries = &game.symmetries;
    let told = symmetries.unknown.is_some() || symmetries.told_apart().is_some();
    let found = (symmetries.order() > 1 || told)
        .then(|| format!("  symmetries: {}\n", symmetries.text(game)));
    classes.chain(found).collect()
}

/// Least, median, mean and most of numbers that were counted.
struct Spread {
    least: u64,
    median: u64,
    most: u64,
    mean: f64,
}

impl Spread {
    fn of(counts: &BTreeMap<u64, u64>) -> Option<Spread> {
        let all: u64 = counts.values().sum();
        let mut below = 0;
        let median = counts.iter().find_map(|(value, count)| {
            below += count;
            (below * 2 >= all).then_some(*value)
        })?;
        let sum: u64 = counts.iter().map(|(value, count)| value * count).sum();
        Some(Spread {
            least: *counts.first_key_value()?.0,
            median,
            most: *counts.last_key_value()?.0,
            mean: sum as f64 / all as f64,
        })
    }
}

fn tell_findings(played: &Played) -> Result<()> {
    if let Some(finding) = &played.failure {
        let (what, moves) = (&finding.what, finding.moves.join("; "));
        let what = format!("an invariant does not hold: {what}");
        writeln!(io::stderr(), "{what}\n  after \"{moves}\"")?;
    }
    Ok(())
}
