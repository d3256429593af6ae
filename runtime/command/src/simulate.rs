//! `simulate`: many random games, and what designers of games want to know of them.

use std::fmt::Write as _;
use std::io::Write;

use clap::{Args, ValueEnum};
use rulec_core::{GameInfo, Outcome, Reason};
use rulec_report::stats::share_interval;
use serde_json::{Value, json};

use super::{Error, StartArgs, Ticker, emit};
use rulec_search::simulate::{self, Dice, Job, Statistics};
use rulec_search::{AnyState, available_threads, numbers::parse_count, numbers::short, view};

/// Arguments of `simulate`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  simulate --games 100k\n  simulate --games 1M --seed 7 --threads 2 --json\n  \
    simulate --games 20 --dice lcg32 --rows\n\n\
    Chance draws by its weights, players decide at random. Game number i depends on the seed and on i alone, so the report \
    is the same for any number of threads. Speed is told on stderr."
)]
pub struct SimulateArgs {
    /// Number of games
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_count)]
    pub games: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; all that the machine has if not given
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// Source of the random numbers
    #[arg(long, value_enum, default_value_t = DiceArg::Own)]
    pub dice: DiceArg,
    /// Stop a game after so many decisions and draws
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub limit: u32,
    /// Show every game too
    #[arg(long)]
    pub rows: bool,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// A source of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiceArg {
    /// The generator of this program
    Own,
    /// A stated generator of 32 bits; game number i of seed s is that of seed s + i
    Lcg32,
}

pub(super) fn simulate<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &SimulateArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mut ticker = Ticker::new();
    let report = simulation(start, args, &mut |done| {
        ticker.tell(|| format!("{done} of {} games", args.games));
        true
    })?;
    emit(
        out,
        args.json,
        || report.clone(),
        || simulation_text(&report),
    )
}

/// Simulates games and gives the report as JSON; `progress` is told how many games are finished.
///
/// # Errors
/// When the position to begin with cannot be reached.
pub fn simulation<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &SimulateArgs,
    progress: rulec_search::Progress<'_>,
) -> Result<Value, Error> {
    let state = args.start.reach(start)?;
    let job = Job {
        seed: args.seed,
        dice: match args.dice {
            DiceArg::Own => Dice::Own,
            DiceArg::Lcg32 => Dice::Lcg32,
        },
        limit: args.limit,
        rows: args.rows,
    };
    let threads = args.threads.unwrap_or_else(available_threads);
    let statistics = simulate::simulate(&*state, &job, args.games, threads, progress);
    let seconds = statistics.spent.seconds().max(1e-9);
    let speed = short(statistics.results.total() as f64 / seconds);
    // Speed is no part of the report: the same seed gives the same report.
    let _ = writeln!(
        std::io::stderr(),
        "{speed} games/s (per second of {} time)",
        statistics.spent.clock()
    );
    Ok(report(start.info(), args, &statistics))
}

/// The report as JSON.
fn report(info: &GameInfo, args: &SimulateArgs, statistics: &Statistics) -> Value {
    let results = &statistics.results;
    let games = results.total();
    let is = |f: fn(&Outcome) -> bool| results.count(|o| o.is_some_and(|o| f(&o)));
    let faults = is(|o| matches!(o.reason, Reason::Fault(_)));
    let limited = is(|o| matches!(o.reason, Reason::Limit)) + results.count(|o| o.is_none());
    let players: Vec<Value> = (0..info.players.len())
        .map(|player| {
            let wins = results.count(|o| o.is_some_and(|o| o.winners >> (player & 63) & 1 == 1));
            let (low, high) = share_interval(wins, games);
            json!({
                "name": view::player_text(info, player),
                "wins": wins,
                "rate": wins as f64 / games.max(1) as f64,
                "low": low,
                "high": high,
            })
        })
        .collect();
    let sites: Vec<Value> = results
        .faults()
        .map(|(fault, count)| {
            let mut value = view::fault_json(info, fault);
            value["count"] = count.into();
            value
        })
        .collect();
    let meters: Vec<Value> = info
        .meters
        .iter()
        .zip(&statistics.meters)
        .map(|(meter, values)| meter_json(meter, values))
        .collect();
    let counters: Vec<Value> = (0..info.counters.len())
        .map(|index| counter_json(info, statistics, index))
        .collect();
    let mut value = json!({
        "game": info.name,
        "rules_sha256": info.rules_sha256,
        "games": games,
        "seed": args.seed,
        "dice": match args.dice { DiceArg::Own => "own", DiceArg::Lcg32 => "lcg32" },
        "finished": games - faults - limited,
        "limit": limited,
        "errors": faults,
        "error_sites": sites,
        "results": results.by_label(),
        "players": players,
        "meters": meters,
        "counters": counters,
    });
    if args.rows {
        let rows = statistics.rows.iter();
        value["rows"] = rows.map(|row| row_json(info, args, row)).collect();
    }
    value
}

fn meter_json(meter: &rulec_core::Meter, values: &std::collections::BTreeMap<i64, u64>) -> Value {
    let per = meter.per.max(1) as f64;
    let games: u64 = values.values().sum();
    let sum: i128 = values
        .iter()
        .map(|(v, n)| i128::from(*v) * i128::from(*n))
        .sum();
    let mean = sum as f64 / games.max(1) as f64;
    let square: f64 = values
        .iter()
        .map(|(v, n)| (*v as f64 - mean).powi(2) * *n as f64)
        .sum();
    let quantile = |share: f64| {
        let mut rest = (share * games as f64).ceil().max(1.0) as u64;
        let found = values.iter().find(|(_, n)| {
            let found = rest <= **n;
            rest = rest.saturating_sub(**n);
            found
        });
        found.map(|(value, _)| *value as f64 / per)
    };
    let histogram: Vec<Value> = values
        .iter()
        .map(|(value, n)| json!([*value as f64 / per, n]))
        .collect();
    json!({
        "name": meter.name,
        "unit": meter.unit,
        "games": games,
        "min": values.first_key_value().map(|(value, _)| *value as f64 / per),
        "mean": (games > 0).then_some(mean / per),
        "max": values.last_key_value().map(|(value, _)| *value as f64 / per),
        "deviation": (games > 0).then_some((square / games.max(1) as f64).sqrt() / per),
        "quartiles": [quantile(0.25), quantile(0.5), quantile(0.75)],
        "histogram": histogram,
    })
}

fn counter_json(info: &GameInfo, statistics: &Statistics, index: usize) -> Value {
    let counter = &info.counters[index];
    let counts = &statistics.counters[index];
    let with = &statistics.games_with[index];
    let members: Vec<Value> = counter
        .members
        .iter()
        .zip(counts.iter().zip(with))
        .map(|(name, (count, games))| json!({ "name": name, "count": count, "games": games }))
        .collect();
    json!({
        "name": counter.name,
        "total": counts.iter().sum::<u64>(),
        "members": members,
    })
}

fn row_json(info: &GameInfo, args: &SimulateArgs, row: &simulate::Row) -> Value {
    let (status, winner) = match row.outcome {
        None => ("limit", None),
        Some(outcome) => match outcome.reason {
            Reason::Fault(_) => ("error", None),
            Reason::Limit => ("limit", None),
            _ => ("finished", outcome.winner()),
        },
    };
    let mut value = json!({
        "game": row.game,
        "seed": args.seed.wrapping_add(row.game),
        "status": status,
        "winner": winner,
    });
    for (meter, amount) in info.meters.iter().zip(&row.meters) {
        value[meter.name] = json!(*amount as f64 / meter.per.max(1) as f64);
    }
    if let Some(Reason::Fault(fault)) = row.outcome.map(|outcome| outcome.reason) {
        value["error"] = view::fault_json(info, fault);
    }
    value
}

/// The report of [`simulation`] for people.
pub fn simulation_text(report: &Value) -> String {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let text_of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let games = number(&report["games"]);
    let share = |n: u64| 100.0 * n as f64 / games.max(1) as f64;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut text = format!(
        "{games} games of {}, seed {}\n",
        text_of(&report["game"]),
        report["seed"]
    );
    let words = rulec_report::simulation_words(report);
    words
        .iter()
        .for_each(|words| text.push_str(&format!("{words}\n")));
    let against = &report["against"];
    if let Some(file) = against["file"].as_str() {
        let _ = writeln!(text, "compared with {file}:");
        for words in list(&against["words"]) {
            let _ = writeln!(text, "  {}", text_of(&words));
        }
    }
    for row in list(&report["rows"]) {
        let _ = writeln!(text, "  {row}");
    }
    for (key, what) in [
        ("finished", "finished"),
        ("limit", "stopped at the limit"),
        ("errors", "ended in an error"),
    ] {
        let n = number(&report[key]);
        if n > 0 || key == "finished" {
            let _ = writeln!(text, "{n:>12}  {:6.2} %  {what}", share(n));
        }
    }
    for site in list(&report["error_sites"]) {
        let message = text_of(&site["message"]);
        let _ = writeln!(
            text,
            "{:>12}  {message} ({})",
            number(&site["count"]),
            text_of(&site["origin"])
        );
    }
    text.push_str("\nwon by                 games       share     95 % between\n");
    for player in list(&report["players"]) {
        let percent = |key: &str| 100.0 * player[key].as_f64().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "{:<16} {:>11}  {:8.2} %  {:6.2} % and {:.2} %",
            text_of(&player["name"]),
            number(&player["wins"]),
            percent("rate"),
            percent("low"),
            percent("high"),
        );
    }
    let meters = list(&report["meters"]);
    if !meters.is_empty() {
        text.push_str("\nof a game          least       mean   greatest  deviation     median\n");
    }
    for meter in meters {
        let shown = |value: &Value| match value.as_f64() {
            Some(value) => amount(value, meter["unit"].as_str() == Some("s")),
            None => "-".to_owned(),
        };
        let _ = writeln!(
            text,
            "{:<13} {:>10} {:>10} {:>10} {:>10} {:>10}",
            text_of(&meter["name"]),
            shown(&meter["min"]),
            shown(&meter["mean"]),
            shown(&meter["max"]),
            shown(&meter["deviation"]),
            shown(&meter["quartiles"][1]),
        );
    }
    for counter in list(&report["counters"]) {
        counter_text(&counter, games, &mut text);
    }
    text
}

/// Seconds as minutes and hours, other numbers as they are.
fn amount(value: f64, seconds: bool) -> String {
    if !seconds || value < 60.0 {
        let unit = if seconds { " s" } else { "" };
        return format!("{value:.2}{unit}");
    }
    let whole = value.round() as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// Most members of a counter that the text shows.
const SHOWN: usize = 12;

fn counter_text(counter: &Value, games: u64, text: &mut String) {
    let total = counter["total"].as_u64().unwrap_or(0);
    if total == 0 {
        return;
    }
    let name = counter["name"].as_str().unwrap_or_default();
    let per_game = total as f64 / games.max(1) as f64;
    let _ = writeln!(text, "\n{name}: {total}, {per_game:.2} a game");
    let members = counter["members"].as_array().cloned().unwrap_or_default();
    if members.len() < 2 {
        return;
    }
    let count = |member: &Value| member["count"].as_u64().unwrap_or(0);
    let named = |member: &Value| member["name"].as_str().unwrap_or_default().to_owned();
    let mut sorted: Vec<&Value> = members.iter().filter(|member| count(member) > 0).collect();
    sorted.sort_by_key(|member| std::cmp::Reverse(count(member)));
    for member in sorted.iter().take(SHOWN) {
        let n = count(member);
        let share = 100.0 * n as f64 / total as f64;
        let _ = writeln!(text, "{n:>12}  {share:6.2} %  {}", named(member));
    }
    if sorted.len() > SHOWN {
        let _ = writeln!(text, "              and {} more", sorted.len() - SHOWN);
    }
    let never: Vec<String> = members
        .iter()
        .filter(|m| count(m) == 0)
        .map(named)
        .collect();
    if !never.is_empty() {
        let few: Vec<&str> = never.iter().take(SHOWN).map(String::as_str).collect();
        let more = if never.len() > SHOWN { ", ..." } else { "" };
        let _ = writeln!(
            text,
            "       never  {}: {}{more}",
            never.len(),
            few.join("; ")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_clocks() {
        assert_eq!(amount(12.5, true), "12.50 s");
        assert_eq!(amount(3725.4, true), "1:02:05");
        assert_eq!(amount(3725.4, false), "3725.40");
    }
}
