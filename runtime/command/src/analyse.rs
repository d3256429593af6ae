//! `analyse`: what a game is like, at several strengths of play.

use std::{fmt::Write as _, io::Write, path::PathBuf};

use clap::Args;
use rulec_core::{GameInfo, Reason};
use rulec_report::{
    Spot, analysis_page,
    stats::{Mean, share_json},
};
use serde_json::{Value, json};

use super::{Error, PlayersArgs, Ticker, emit, episodes};
use rulec_search::{
    AnyState, Bot,
    files::write_whole,
    numbers::parse_count,
    selfplay::{SelfplayReport, watch},
    view,
};

/// Arguments of `analyse`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  analyse\n  analyse --games 2000 --bots random,uct:100,uct:1000 --html report.html\n  \
    analyse --games 500 --random-plies 2 --json\n\n\
    Each bot plays games against itself: score of the first player, draws, length, moves to choose from (distinct ones, and all\n\
    legal ones, of which the rules may call some equal), positions with a choice, how often\n\
    the lead changes (as the search sees it), repeated games, and the places that pieces come to. The same seed gives the same report\n\
    for any number of threads. A game that a host runs in episodes is looked at board by board instead (--boards, --positions):\n\
    whether boards can always be cleared, and what a random player has to expect."
)]
pub struct AnalyseArgs {
    /// Games of each bot
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_count)]
    pub games: u64,
    /// The bots, one after the other [default: random,uct:50]
    #[arg(long, value_name = "BOTS", value_delimiter = ',')]
    pub bots: Vec<Bot>,
    /// Write a report with charts to this file, readable without a network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Boards to look at, in a game of episodes
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub boards: usize,
    /// Most positions that are visited for one board
    #[arg(long, value_name = "N", default_value = "20k", value_parser = parse_count)]
    pub positions: u64,
    /// How they play.
    #[command(flatten)]
    pub players: PlayersArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn analyse<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &AnalyseArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if start.info().episode.is_some() {
        return episodes::analyse(start, args, out);
    }
    let mut ticker = Ticker::new();
    let report = analysis(start, args, &mut |bot, done| {
        ticker.tell(|| format!("{bot}: {done} of {} games", args.games));
    })?;
    if let Some(path) = &args.html {
        let spots = Spot::rows(start.info().places);
        write_whole(path, analysis_page(&report, &spots).as_bytes())
            .map_err(|e| Error::User(format!("cannot write {}: {e}", path.display())))?;
    }
    emit(out, args.json, || report.clone(), || analysis_text(&report))
}

/// Lets the bots play and gives the report as JSON; `progress` is told the bot and how many of its games are finished.
///
/// # Errors
/// When the position to begin with cannot be reached, or the book cannot be read.
pub fn analysis<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &AnalyseArgs,
    progress: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<Value, Error> {
    let info = start.info();
    let state = args.players.reach(start)?;
    let threads = args.players.thread_count();
    let default = || {
        ["random", "uct:50"]
            .iter()
            .filter_map(|bot| bot.parse().ok())
    };
    let bots: Vec<Bot> = match args.bots.is_empty() {
        true => default().collect(),
        false => args.bots.clone(),
    };
    let mut strengths = Vec::new();
    for bot in &bots {
        let name = bot.to_string();
        let job = args
            .players
            .job(&*state, std::slice::from_ref(bot), Vec::new())?;
        let report = watch(&*state, &job, 0..args.games, threads, &mut |done| {
            progress(&name, done);
            true
        })?;
        strengths.push(strength(info, &name, &report));
    }
    Ok(json!({
        "game": info.name,
        "rules_sha256": info.rules_sha256,
        "games": args.games,
        "seed": args.players.seed,
        "strengths": strengths,
        "places": info.places,
    }))
}

fn strength(info: &GameInfo, bot: &str, report: &SelfplayReport) -> Value {
    let (traits, results) = (&report.traits, &report.tally.results);
    let games = results.total();
    let draws = results.count(|o| o.is_some_and(|o| o.winners == 0 && o.reason == Reason::Draw));
    let unfinished =
        results.count(|o| o.is_none_or(|o| matches!(o.reason, Reason::Limit | Reason::Fault(_))));
    let players = 0..info.players.len();
    let payoffs = |player: usize| {
        let mut mean = Mean::default();
        for quarters in 0..=4u64 {
            let payoff = quarters as f64 / 4.0;
            let of = |o: Option<rulec_core::Outcome>| o.map_or(0.5, |o| o.payoff(player));
            // Payoffs other than quarters are those of shared wins of three and more; they count as the nearest one.
            mean.add_many(
                payoff,
                results.count(|o| (of(o) * 4.0).round() as u64 == quarters),
            );
        }
        mean
    };
    let wins: Vec<Value> = players
        .map(|player| {
            let wins = results.count(|o| o.is_some_and(|o| o.winners >> (player & 63) & 1 == 1));
            let mut value = share_json(wins, games);
            value["name"] = view::player_text(info, player).into();
            value["score"] = payoffs(player).json();
            value
        })
        .collect();
    let histogram = |counts: &std::collections::BTreeMap<u32, u64>| {
        let mut mean = Mean::default();
        for (value, n) in counts {
            mean.add_many(f64::from(*value), *n);
        }
        let mut value = mean.json();
        value["min"] = counts.keys().next().copied().into();
        value["max"] = counts.keys().next_back().copied().into();
        value["histogram"] = counts.iter().map(|(value, n)| json!([value, n])).collect();
        value
    };
    let positions: u64 = traits.choices.values().sum();
    let choices: u64 = traits.choices.range(2..).map(|(_, n)| n).sum();
    let mut branching = histogram(&traits.choices);
    let mean = |(sum, n): &(u64, u64)| *sum as f64 / (*n).max(1) as f64;
    branching["by_ply"] = traits.by_ply.iter().map(mean).collect();
    let searched: u64 = traits.leads.values().sum();
    let faults = results.faults().map(|(fault, n)| {
        let mut value = view::fault_json(info, fault);
        if let Some(object) = value.as_object_mut() {
            object.remove("site");
        }
        value["count"] = n.into();
        value
    });
    json!({
        "bot": bot,
        "games": games,
        "results": results.by_label(),
        "players": wins,
        "first_player": payoffs(0).json(),
        "draws": share_json(draws, games),
        "unfinished": share_json(unfinished, games),
        "faults": faults.collect::<Vec<_>>(),
        "length": histogram(&traits.lengths),
        "branching": branching,
        "legal_moves": histogram(&traits.legal),
        "decisions": share_json(choices, positions),
        "lead_changes": (searched > 0).then(|| histogram(&traits.leads)),
        "comebacks": (searched > 0).then(|| share_json(traits.comebacks, searched)),
        "repeated": report.repeated.repeated(),
        "repeated_exactly": report.repeated.is_exact(),
        "places": traits.places,
    })
}

/// The report of [`analysis`] for people.
pub fn analysis_text(report: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let mut text = format!(
        "{} games of each bot, seed {}\n",
        report["games"], report["seed"]
    );
    for one in report["strengths"].as_array().into_iter().flatten() {
        let _ = writeln!(text, "\n{}", one["bot"].as_str().unwrap_or_default());
        let mut row = |what: &str, value: &Value, key: &str, factor: f64, unit: &str| {
            if value.is_object() {
                let shown = |value: &Value| factor * number(value);
                let _ = writeln!(
                    text,
                    "  {what:28} {:9.2}{unit}   {:.2} to {:.2}",
                    shown(&value[key]),
                    shown(&value["low"]),
                    shown(&value["high"]),
                );
            }
        };
        row(
            "score of the first player",
            &one["first_player"],
            "mean",
            100.0,
            " %",
        );
        for player in one["players"].as_array().into_iter().flatten() {
            let name = format!("won by {}", player["name"].as_str().unwrap_or_default());
            row(&name, player, "rate", 100.0, " %");
        }
        row("drawn", &one["draws"], "rate", 100.0, " %");
        if one["unfinished"]["count"] != 0 {
            row("unfinished", &one["unfinished"], "rate", 100.0, " %");
        }
        row("length in plies", &one["length"], "mean", 1.0, "  ");
        row("distinct moves", &one["branching"], "mean", 1.0, "  ");
        row("legal moves", &one["legal_moves"], "mean", 1.0, "  ");
        row(
            "positions with a choice",
            &one["decisions"],
            "rate",
            100.0,
            " %",
        );
        row("changes of lead", &one["lead_changes"], "mean", 1.0, "  ");
        row("won from behind", &one["comebacks"], "rate", 100.0, " %");
        let about = match one["repeated_exactly"] == true {
            true => "",
            false => "   about",
        };
        let _ = writeln!(
            text,
            "  {:28} {:9.2} %{about}",
            "repeated games",
            100.0 * number(&one["repeated"])
        );
    }
    text
}
