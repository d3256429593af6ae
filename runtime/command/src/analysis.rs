//! Commands that count, measure and search.

use std::{
    fmt::Write as _,
    io::Write,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use rulec_core::{ChoiceSet, Fault, GameInfo, Outcome, Turn};
use serde_json::{Value as Json, json};

use super::{Error, StartArgs, Ticker, emit};
use rulec_search::{
    AnyState, Bot, Order, Stopwatch,
    explore::{Exploration, ExploreLimits, Keep},
    numbers::{parse_count, parse_duration, short},
    orbit::Orbits,
    ordered,
    perft::{self, Unit},
    playout::{PlayoutJob, Tally, Until, playouts},
    search::{Method, SearchReport, SearchSettings},
    view,
};

/// Arguments of `perft`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  perft 5\n  perft 4 --divide --threads 2\n  perft 6 --unit turn\n\n\
    A sequence that ends the game is not extended. Results of draws count as moves, but not with `--unit decision`.\n\
    With `--unit turn` all moves that a player makes in a row are one; of turns of several moves that lead to\n\
    equal positions one is counted, as published counts of draughts do.\n\
    Of moves that name pieces that are alike one is played for all, and counts as often; `--one-by-one` plays each."
)]
pub struct PerftArgs {
    /// Greatest length of a sequence
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub depth: u32,
    /// What a sequence is counted in
    #[arg(long, value_enum, default_value_t = UnitArg::Move)]
    pub unit: UnitArg,
    /// Count the sequences of length N for each first move too
    #[arg(long)]
    pub divide: bool,
    /// Count moves once that the rules call equal
    #[arg(long)]
    pub distinct: bool,
    /// Play each of several moves that lead to the same counts, to check that they do
    #[arg(long, conflicts_with = "distinct")]
    pub one_by_one: bool,
    /// Count how shorter sequences ended too
    #[arg(long)]
    pub ended: bool,
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub threads: usize,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// What perft counts in, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UnitArg {
    /// Single moves
    Move,
    /// Turns: all moves that a player makes in a row
    Turn,
    /// Decisions: draws are none, but all their results are followed, also right after the last decision
    Decision,
}

impl From<UnitArg> for Unit {
    fn from(unit: UnitArg) -> Self {
        match unit {
            UnitArg::Move => Unit::Move,
            UnitArg::Turn => Unit::Turn,
            UnitArg::Decision => Unit::Decision,
        }
    }
}

pub(super) fn perft<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &PerftArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let state = args.start.reach(start)?;
    let task = perft::Task {
        depth: args.depth,
        unit: args.unit.into(),
        choices: choice_set(args.distinct),
        one_by_one: args.one_by_one,
    };
    let mut ticker = Ticker::new();
    let mut progress = |done| {
        ticker.tell(|| format!("perft {}: {} %", args.depth, done / 10));
        true
    };
    let (counts, parts) = perft::divide(&*state, &task, args.threads, &mut progress);
    if counts.endless {
        let longest = perft::LONGEST_CHAIN;
        return Err(Error::User(format!(
            "nobody decides anything there: more than {longest} draws follow each other; count with `--unit move`"
        )));
    }
    let faults = counts.faults();
    let path_text = |path: &[u64]| {
        let texts: Vec<String> = path.iter().map(|code| state.move_text(*code)).collect();
        texts.join("; ")
    };
    let mut parts: Vec<(String, u64)> = parts
        .into_iter()
        .map(|(path, n)| (path_text(&path), n))
        .collect();
    parts.sort();
    let value = || {
        let mut value = json!({ "depths": counts.depths[1..], "distinct": args.distinct });
        if args.unit == UnitArg::Turn {
            value["unit"] = "turn".into();
        }
        if args.divide {
            value["divide"] = parts
                .iter()
                .map(|(text, n)| json!({ "move": text, "count": n }))
                .collect();
        }
        if args.ended {
            value["ended"] = json!(counts.ended_by_label());
        }
        if !faults.is_empty() {
            let site = |(fault, n): &(Fault, u64)| {
                let mut value = view::fault_json(state.info(), *fault);
                value["count"] = (*n).into();
                value
            };
            value["faults"] = faults.iter().map(site).collect();
        }
        value
    };
    let text = || {
        let mut text = String::new();
        for (text_of, n) in parts.iter().filter(|_| args.divide) {
            let _ = writeln!(text, "{n:>16}  {text_of}");
        }
        for (depth, n) in (1..).zip(&counts.depths[1..]) {
            let _ = writeln!(text, "depth {depth:2}  {n:>16}");
        }
        for (key, n) in counts.ended_by_label().iter().filter(|_| args.ended) {
            let _ = writeln!(text, "ended {key:12} {n:>12}");
        }
        for (fault, n) in &faults {
            let what = Outcome::fault(*fault).text(state.info());
            let lines = if *n == 1 {
                "line of play"
            } else {
                "lines of play"
            };
            let _ = writeln!(text, "{n} {lines} ended in {what}");
        }
        text
    };
    emit(out, args.json, value, text)
}

fn choice_set(distinct: bool) -> ChoiceSet {
    if distinct {
        ChoiceSet::Distinct
    } else {
        ChoiceSet::All
    }
}

/// Arguments of `bench`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  bench\n  bench --seconds 10 --json\n  bench --bot uct:20000:solve=no\n\n\
    Speeds are per second of processor time where the system tells it."
)]
pub struct BenchArgs {
    /// How long to measure
    #[arg(long, value_name = "S", default_value = "3", value_parser = parse_duration)]
    pub seconds: Duration,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub threads: usize,
    /// Draw from moves that the rules do not call equal
    #[arg(long)]
    pub distinct: bool,
    /// Stop a game after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000)]
    pub limit: u32,
    /// Who acts first where several may: uniform (drawn each time), round-robin or free
    #[arg(long, value_name = "ORDER", default_value_t = Order::Uniform)]
    pub order: Order,
    /// Measure the searches of this player from the start, again and again, in place of random games
    #[arg(long, value_name = "BOT")]
    pub bot: Option<Bot>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Measures the games, or positions, that searches of a player play in a second.
fn bench_searches<'g>(
    start: &(dyn AnyState<'g> + 'g),
    bot: &Bot,
    args: &BenchArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let end = Instant::now().checked_add(args.seconds);
    let watch = Stopwatch::start();
    let (mut searches, mut games) = (0, 0);
    while searches == 0 || end.is_some_and(|end| Instant::now() < end) {
        games += bot.search(start, args.seed.wrapping_add(searches)).games;
        searches += 1;
    }
    let spent = watch.spent();
    let speed = games as f64 / spent.seconds().max(1e-9);
    let value = || {
        json!({
            "bot": bot.to_string(),
            "searches": searches,
            "games": games,
            "seconds": spent.seconds(),
            "clock": spent.clock(),
            "games_per_second": speed,
        })
    };
    emit(out, args.json, value, || {
        let clock = spent.clock();
        format!(
            "{bot}: {} games/s (per second of {clock} time)\n{searches} searches of {} games\n",
            short(speed),
            games / searches.max(1),
        )
    })
}

pub(super) fn bench<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &BenchArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if cfg!(debug_assertions) {
        eprintln_quietly("note: this program was built without optimisation");
    }
    let job = PlayoutJob {
        seed: args.seed,
        limit: args.limit,
        choices: choice_set(args.distinct),
    };
    if let Some(bot) = &args.bot {
        return bench_searches(start, bot, args, out);
    }
    let start = &*ordered(start, args.order, false);
    let tally = playouts(
        start,
        &job,
        Until::Time(args.seconds),
        args.threads,
        &mut |_| true,
    );
    let value = || {
        let mut value = json!({ "playouts": tally.games(), "threads": args.threads });
        add_speeds(&mut value, &tally, "playouts_per_second");
        value
    };
    let text = || {
        let per = |n: u64| short(n as f64 / tally.spent.seconds().max(1e-9));
        let choice = match tally.counted {
            0 => String::new(),
            counted => format!(
                " with {:.1} moves each",
                tally.moves as f64 / counted as f64
            ),
        };
        format!(
            "{} playouts/s, {} plies/s (per second of {} time, {} thread{})\n\
             {} playouts of {:.1} plies{choice}\n",
            per(tally.games()),
            per(tally.plies),
            tally.spent.clock(),
            args.threads,
            if args.threads == 1 { "" } else { "s" },
            tally.games(),
            tally.mean_length(),
        )
    };
    emit(out, args.json, value, text)
}

fn eprintln_quietly(text: &str) {
    // A note is not worth an error.
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn add_speeds(value: &mut Json, tally: &Tally, games_key: &str) {
    let seconds = tally.spent.seconds();
    let per_second = |n: u64| n as f64 / seconds.max(1e-9);
    value["plies"] = tally.plies.into();
    value["moves"] = tally.moves.into();
    value["plies_counted"] = tally.counted.into();
    value["seconds"] = seconds.into();
    value["clock"] = tally.spent.clock().into();
    value[games_key] = per_second(tally.games()).into();
    value["plies_per_second"] = per_second(tally.plies).into();
}

/// The statistics as JSON; `played` of the games took the time that is told.
pub(super) fn tally_json(info: &GameInfo, tally: &Tally, played: u64) -> Json {
    let results = &tally.results;
    let players = 0..info.players.len();
    let wins: Vec<u64> = players.clone().map(|p| wins(tally, p)).collect();
    let payoffs: Vec<f64> = players.map(|p| results.mean_payoff(p)).collect();
    let ended =
        |word| results.count(|o| o.is_some_and(|o| o.winners == 0 && o.reason.word() == word));
    let mut value = json!({
        "games": tally.games(),
        "results": results.by_label(),
        "wins": wins,
        "draws": ended("draw"),
        "stuck": ended("stuck"),
        "faults": ended("fault"),
        "limit": results.count(|o| o.is_none()) + ended("limit"),
        "mean_payoff": payoffs,
        "length": {
            "min": tally.shortest,
            "mean": tally.mean_length(),
            "max": tally.longest,
        },
    });
    let faults = results.faults().map(|(fault, n)| {
        let mut value = view::fault_json(info, fault);
        value["count"] = n.into();
        value
    });
    value["fault_sites"] = faults.collect();
    add_speeds(&mut value, tally, "games_per_second");
    if played < tally.games() {
        let share = played as f64 / tally.games() as f64;
        for key in ["games_per_second", "plies_per_second"] {
            value[key] = (share * value[key].as_f64().unwrap_or(0.0)).into();
        }
    }
    value
}

pub(super) fn wins(tally: &Tally, player: usize) -> u64 {
    tally
        .results
        .count(|o| o.is_some_and(|o| o.winners >> (player & 63) & 1 == 1))
}

/// The statistics for people; `played` of the games took the time that is told.
pub(super) fn tally_text(info: &GameInfo, tally: &Tally, played: u64) -> String {
    let games = tally.games();
    let share = |n: u64| 100.0 * n as f64 / games.max(1) as f64;
    let mut text = format!("{games} games\n");
    for player in 0..info.players.len() {
        let n = wins(tally, player);
        let name = view::player_text(info, player);
        let _ = writeln!(text, "{n:>12}  {:6.2} %  won by {name}", share(n));
    }
    for (label, n) in tally.results.by_label() {
        let word = match &*label {
            "0" => "drawn",
            "limit" => "stopped at the limit of plies",
            word if word.starts_with(|c: char| c.is_ascii_digit()) => continue,
            word => word,
        };
        let _ = writeln!(text, "{n:>12}  {:6.2} %  {word}", share(n));
    }
    for (fault, n) in tally.results.faults() {
        let _ = writeln!(text, "{n:>12}  {}", Outcome::fault(fault).text(info));
    }
    let part = played as f64 / games.max(1) as f64;
    let per = |n: u64| short(part * n as f64 / tally.spent.seconds().max(1e-9));
    let _ = writeln!(
        text,
        "length {}..{}, mean {:.2} plies\n{} games/s, {} plies/s (per second of {} time)",
        tally.shortest.unwrap_or(0),
        tally.longest,
        tally.mean_length(),
        per(games),
        per(tally.plies),
        tally.spent.clock(),
    );
    text
}

/// Arguments of `explore`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  explore --depth 6\n  explore --identity full --json\n\n\
    Under every identity but full, moves that the rules call equal are followed once.\n\
    The ends of the last layer are counted only when nothing lies beyond it."
)]
pub struct ExploreArgs {
    /// Moves from the start at most
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// When two positions are the same; `info` lists the identities. By default the first, or `future` where rules do not tell
    /// pieces apart
    #[arg(long, value_name = "NAME")]
    pub identity: Option<String>,
    /// Take positions for the same that differ only in scores
    #[arg(long)]
    pub ignore_scores: bool,
    /// Stop before the layer that exceeds so many positions
    #[arg(long, value_name = "N", default_value = "10M", value_parser = parse_count)]
    pub states: u64,
    /// Whether positions that symmetries of the rules take to each other are one; by default `explore` counts them all, and `solve`
    /// keeps one
    #[arg(long, value_name = "on|off")]
    pub symmetry: Option<Orbits>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// The index of an identity.
pub(super) fn identity(
    info: &GameInfo,
    name: Option<&str>,
    ignore_scores: bool,
) -> Result<usize, Error> {
    let first = match info.alike.iter().any(|alike| alike.pieces) && !ignore_scores {
        true => info.future,
        false => 0,
    };
    let plain = name
        .or(info.identities.get(first).copied())
        .unwrap_or("canonical");
    let wanted = match ignore_scores && info.has_scores {
        true => format!("{plain}-noscore"),
        false => plain.to_owned(),
    };
    let found = info.identities.iter().position(|known| *known == wanted);
    let default = (info.identities.is_empty() && name.is_none() && wanted == plain).then_some(0);
    found.or(default).ok_or_else(|| {
        let known = info.identities.join(", ");
        Error::User(format!(
            "positions have no identity `{wanted}`; there are: {known}"
        ))
    })
}

pub(super) fn explored<'g>(
    state: &(dyn AnyState<'g> + 'g),
    limits: &ExploreLimits,
    end: Option<Instant>,
) -> Exploration {
    let mut ticker = Ticker::new();
    state.explore(limits, &mut |states| {
        ticker.tell(|| format!("{states} positions"));
        end.is_none_or(|end| Instant::now() < end)
    })
}

pub(super) fn explore<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &ExploreArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let info = start.info();
    let identity = identity(info, args.identity.as_deref(), args.ignore_scores)?;
    let is_full = info
        .identities
        .get(identity)
        .is_some_and(|name| name.starts_with("full"));
    let limits = ExploreLimits {
        identity,
        choices: match identity == info.future {
            true => view::exact_moves(info),
            false => choice_set(!is_full),
        },
        depth: args.depth,
        states: args.states,
        keep: Keep::Nothing,
        orbits: args.symmetry.unwrap_or(Orbits::Off),
    };
    let found = explored(start, &limits, None);
    let exact = view::is_exact(info, identity);
    let value = || {
        let terminals: Vec<Json> = found
            .terminals
            .iter()
            .map(|t| json!(t.by_label()))
            .collect();
        json!({
            "new_states": found.new_states,
            "terminals": terminals,
            "complete": found.complete,
            "exact": exact,
        })
    };
    let text = || {
        let mut text = String::from("depth  new positions  ends\n");
        for (depth, n) in found.new_states.iter().enumerate() {
            let ends = found
                .terminals
                .get(depth)
                .map(|t| t.by_label())
                .unwrap_or_default();
            let ends: Vec<String> = ends
                .iter()
                .map(|(label, n)| format!("{label}: {n}"))
                .collect();
            let line = format!("{depth:5}  {n:13}  {}", ends.join(", "));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let rest = if found.complete {
            "complete"
        } else {
            "not complete"
        };
        let _ = writeln!(text, "{} positions, {rest}", found.states());
        if !exact {
            text.push_str(
                "it is not shown that positions that count as the same here have the same future: counts may depend on which is \
                 met first\n",
            );
        }
        text
    };
    emit(out, args.json, value, text)
}

/// The texts of moves that are made one after the other.
pub(super) fn move_texts<'g>(state: &(dyn AnyState<'g> + 'g), codes: &[u64]) -> Vec<String> {
    let mut state = state.fork();
    let text = |code: &u64| {
        let text = state.move_text(*code);
        state.play(*code, None);
        text
    };
    codes.iter().map(text).collect()
}

/// A way to search, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// A tree of upper confidence bounds
    Uct,
    /// The same number of random games after each move
    Mc,
}

/// Arguments of `search`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  search --nodes 100k\n  search --time 5s --after \"FIRST MOVE\"\n  \
    search --bot alphabeta:depth=6\n  search --bot uct:1M:threads=2\n\n\
    Values are the mean payoff of the player on turn: 1 for a win, 0.5 where nobody wins, 0 for a loss.\n\
    A value marked with ! is exact."
)]
pub struct SearchArgs {
    /// Random games to play, each of which adds a node to the tree
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub nodes: Option<u64>,
    /// Time to take
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// How to search
    #[arg(long, value_enum, default_value = "uct")]
    pub method: MethodArg,
    /// Search as this player does, such as alphabeta:depth=6 or puct:800; `bots` lists them
    #[arg(long, value_name = "BOT", conflicts_with_all = ["method", "exploration", "limit"])]
    pub bot: Option<Bot>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Weight of the unknown against the good
    #[arg(long, value_name = "C", default_value_t = 1.0)]
    pub exploration: f64,
    /// Stop a random game after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000)]
    pub limit: u32,
    /// Who acts first where several may: uniform (drawn each time), round-robin or free
    #[arg(long, value_name = "ORDER", default_value_t = Order::Uniform)]
    pub order: Order,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn search<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &SearchArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let state = args.start.reach(start)?;
    let method = match args.method {
        MethodArg::Uct => Method::Uct,
        MethodArg::Mc => Method::Flat,
    };
    let plain = SearchSettings {
        games: args.nodes,
        time: args.time,
        exploration: args.exploration,
        limit: args.limit,
        ..SearchSettings::games(method, 0, args.seed)
    };
    let settings = match &args.bot {
        None => plain,
        Some(Bot::Random) => {
            let text = "the random player does not search; name another with --bot";
            return Err(Error::User(text.to_owned()));
        }
        Some(Bot::Search(settings)) => SearchSettings {
            games: args.nodes.or(settings.games),
            time: args.time.or(settings.time),
            seed: args.seed,
            ..*settings
        },
    };
    let mut ticker = Ticker::new();
    let ordered = ordered(&*state, args.order, true);
    let report = ordered.search(&settings, &mut |games| {
        ticker.tell(|| format!("{games} games"));
        true
    });
    let line = move_texts(&*ordered, &report.line);
    let value = || search_json(&*state, &report, &line);
    emit(out, args.json, value, || {
        search_text(&*state, &report, &line)
    })
}

fn search_json<'g>(
    state: &(dyn AnyState<'g> + 'g),
    report: &SearchReport,
    line: &[String],
) -> Json {
    let info = state.info();
    let proof = |end: Option<Outcome>| end.map(|o| view::outcome_json(info, Some(o), &[]));
    let moves = report.moves.iter().map(|m| {
        let mut value = view::move_json(state, m.code);
        value["visits"] = m.visits.into();
        value["value"] = m.value.into();
        value["exact"] = m.proof.is_some().into();
        value
    });
    json!({
        "turn": view::turn_json(state.turn()),
        "best": report.best().map(|code| state.move_text(code)),
        "moves": moves.collect::<Vec<_>>(),
        "line": line,
        "games": report.games,
        "nodes": report.nodes,
        "depth": report.depth,
        "proof": proof(report.proof),
    })
}

fn search_text<'g>(
    state: &(dyn AnyState<'g> + 'g),
    report: &SearchReport,
    line: &[String],
) -> String {
    let info = state.info();
    let mut text = match state.turn() {
        Turn::Over => state
            .outcome()
            .map_or(String::new(), |o| format!("{}\n", o.text(info))),
        turn => format!("on turn: {}\n", view::turn_text(info, turn)),
    };
    for m in &report.moves {
        let mark = if m.proof.is_some() { '!' } else { ' ' };
        let name = state.move_text(m.code);
        let _ = writeln!(text, "{:10}  {:.4}{mark}  {name}", m.visits, m.value);
    }
    if !line.is_empty() {
        let _ = writeln!(text, "line: {}", line.join("; "));
    }
    let _ = match report.depth {
        Some(depth) => writeln!(text, "{} positions, {depth} moves ahead", report.games),
        None => writeln!(text, "{} games, {} nodes", report.games, report.nodes),
    };
    if let Some(end) = report.proof {
        let _ = writeln!(text, "with best play: {}", end.text(info));
    }
    text
}
