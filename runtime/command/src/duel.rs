//! `match`: is one bot better than another?

use std::{fmt::Write as _, io, io::Write};

use clap::Args;
use rulec_core::Outcome;
use rulec_report::stats::{Mean, Sprt, Verdict, elo_of_score};
use serde_json::{Value, json};

use super::{Bar, Error, PlayersArgs, Ticker, emit};
use rulec_search::{
    AnyState, Bot,
    numbers::parse_count,
    selfplay::{Finished, Sink, all_seats, selfplay_with},
};

/// Arguments of `match`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  match uct:1000 uct:500 --games 400\n  \
    match uct:1000 mc:1000 --sprt 0,50 --games 20k\n  match uct:400 uct:400 random --book openings.txt --json\n\n\
    Games are played in rounds: every choice of bots for the seats meets, two bots once each way, more from each of them on and\n\
    backwards. All games of a round begin alike (--book, --random-plies) and draw alike. A score is the mean over the games of a bot and\n\
    over its opponents there: 1 for doing better than one, 0.5 for doing as well. Ratings are differences to the mean of the others, with\n\
    95 % intervals (of the t distribution) that rest on the results of whole rounds. With --sprt A,B the match of two ends as soon as it is certain enough (5 % error each\n\
    way) whether the first is stronger by B points than the second or only by A; the result is the same for any number of threads.")]
pub struct MatchArgs {
    /// The bots, two or more
    #[arg(value_name = "BOT", num_args = 2.., required = true)]
    pub bots: Vec<Bot>,
    /// Games at most; whole rounds are played
    #[arg(long, value_name = "N", default_value = "200", value_parser = parse_count)]
    pub games: u64,
    /// Stop when it is certain whether the first of two bots is stronger by B points or by A
    #[arg(long, value_name = "A,B", value_parser = parse_sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// How they play.
    #[command(flatten)]
    pub players: PlayersArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Rounds between two looks at the sequential test; fixed, so that threads do not matter.
const ROUNDS_OF_A_LOOK: u64 = 16;
/// Bots of a match at most: the games of a round grow faster than their number.
const MOST_BOTS: usize = 12;

/// What a match has come to.
struct Standing {
    /// Who sits where in the games of a round.
    rows: Vec<Vec<usize>>,
    /// What each bot scored in the games of the round at work, and in how many of them it played.
    round: Vec<(f64, u64)>,
    /// Games of that round.
    played: usize,
    /// For each bot the mean of its scores in a round.
    scores: Vec<Mean>,
    /// Wins, games that it neither won nor lost, losses of each bot.
    results: Vec<[u64; 3]>,
    /// How often the first bot had each sum of scores in a round, in quarters of a point.
    rounds: std::collections::BTreeMap<u64, u64>,
    faults: u64,
}

impl Standing {
    fn new(rows: Vec<Vec<usize>>, bots: usize) -> Self {
        Self {
            rows,
            round: vec![(0.0, 0); bots],
            played: 0,
            scores: vec![Mean::default(); bots],
            results: vec![[0; 3]; bots],
            rounds: Default::default(),
            faults: 0,
        }
    }
}

/// What a seat scores: the mean over the others of 1 for doing better, 0.5 for doing as well.
fn score(outcome: Option<Outcome>, seat: usize, seats: usize) -> f64 {
    let payoff = |seat: usize| outcome.map_or(0.5, |o| o.payoff(seat));
    let others = (0..seats).filter(|other| *other != seat);
    let against = others.map(|other| match payoff(seat).total_cmp(&payoff(other)) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    against.sum::<f64>() / (seats - 1).max(1) as f64
}

impl Sink for Standing {
    fn game(&mut self, game: Finished) -> io::Result<()> {
        let row = &self.rows[(game.index % self.rows.len() as u64) as usize];
        let outcome = game.playout.outcome;
        for (seat, &bot) in row.iter().enumerate() {
            let (sum, games) = &mut self.round[bot];
            *sum += score(outcome, seat, row.len());
            *games += 1;
            let at = match outcome.map_or(0.5, |o| o.payoff(seat)) {
                payoff if payoff > 0.5 => 0,
                payoff if payoff < 0.5 => 2,
                _ => 1,
            };
            self.results[bot][at] += 1;
        }
        self.faults += u64::from(outcome.is_some_and(|o| o.label() == "fault"));
        self.played += 1;
        if self.played == self.rows.len() {
            self.played = 0;
            for (bot, (sum, games)) in self.round.iter_mut().enumerate() {
                self.scores[bot].add(*sum / (*games).max(1) as f64);
                if bot == 0 {
                    *self.rounds.entry((*sum * 4.0).round() as u64).or_insert(0) += 1;
                }
                (*sum, *games) = (0.0, 0);
            }
        }
        Ok(())
    }
}

pub(super) fn duel<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &MatchArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let info = start.info();
    let seats = info.players.len();
    let wrong = |text: String| Err(Error::User(text));
    if seats < 2 {
        return wrong(
            "a match is for games of two or more players; `selfplay` plays alone".to_owned(),
        );
    }
    if args.bots.len() < seats {
        return wrong(format!(
            "the game has {seats} seats; name at least as many bots"
        ));
    }
    if args.sprt.is_some() && (args.bots.len(), seats) != (2, 2) {
        return wrong("--sprt is for two bots in a game for two".to_owned());
    }
    if args.bots.len() > MOST_BOTS {
        return wrong(format!("a match is between {MOST_BOTS} bots at most"));
    }
    let state = args.players.reach(start)?;
    let rows = all_seats(args.bots.len(), seats);
    let job = args.players.job(&*state, &args.bots, rows.clone())?;
    let in_round = rows.len() as u64;
    let rounds = args.games.div_ceil(in_round);
    let mut standing = Standing::new(rows, args.bots.len());
    let mut ticker = Ticker::new();
    let bar = Bar::new(0, rounds * in_round, "games");
    let mut done = 0;
    let mut verdict = Verdict::Open;
    while done < rounds && verdict == Verdict::Open {
        let look = match args.sprt {
            Some(_) => ROUNDS_OF_A_LOOK.min(rounds - done),
            None => rounds,
        };
        let games = done * in_round..(done + look) * in_round;
        let mut progress = |n: u64| {
            ticker.bar(&bar, games.start + n);
            true
        };
        let threads = args.players.thread_count();
        selfplay_with(
            &*state,
            &job,
            games.clone(),
            threads,
            &mut standing,
            &mut progress,
        )?;
        done += look;
        if let Some(test) = &args.sprt {
            verdict = test.verdict(&standing.scores[0]);
        }
    }
    let value = value(args, &standing, done * in_round, verdict);
    emit(out, args.json, || value.clone(), || text(&value))
}

fn value(args: &MatchArgs, standing: &Standing, games: u64, verdict: Verdict) -> Value {
    let bots: Vec<Value> = args
        .bots
        .iter()
        .enumerate()
        .map(|(bot, name)| {
            let scores = &standing.scores[bot];
            let [wins, draws, losses] = standing.results[bot];
            let shown = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
            // One round alone says nothing of how much rounds differ.
            let (mean, margin) = (scores.mean(), scores.small_margin().unwrap_or(1.0));
            let (low, high) = ((mean - margin).max(0.0), (mean + margin).min(1.0));
            json!({
                "bot": name.to_string(),
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "games": wins + draws + losses,
                "score": { "mean": mean, "low": low, "high": high, "count": scores.count },
                "elo": { "mean": shown(mean), "low": shown(low), "high": shown(high) },
            })
        })
        .collect();
    let mut value = json!({
        "games": games,
        "rounds": games / standing.rows.len() as u64,
        "seed": args.players.seed,
        "faults": standing.faults,
        "bots": bots,
        "rounds_by_score": standing
            .rounds
            .iter()
            .map(|(quarters, n)| json!([*quarters as f64 / 4.0, n]))
            .collect::<Vec<_>>(),
    });
    if let Some(test) = &args.sprt {
        let (low, high) = test.bounds();
        value["sprt"] = json!({
            "elo0": test.elo0,
            "elo1": test.elo1,
            "ratio": test.ratio(&standing.scores[0]),
            "low": low,
            "high": high,
            "verdict": match verdict {
                Verdict::Lower => "lower",
                Verdict::Higher => "higher",
                Verdict::Open => "open",
            },
        });
    }
    value
}

fn text(value: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let mut text = format!("{} games in {} rounds\n", value["games"], value["rounds"]);
    let _ = writeln!(
        text,
        "{:20} {:>7} {:>7} {:>7} {:>9}   rating, 95 % between",
        "bot", "won", "drawn", "lost", "score"
    );
    for bot in value["bots"].as_array().into_iter().flatten() {
        let _ = writeln!(
            text,
            "{:20} {:>7} {:>7} {:>7} {:>8.2}%   {:+.0}, {:+.0} and {:+.0}",
            bot["bot"].as_str().unwrap_or_default(),
            number(&bot["wins"]),
            number(&bot["draws"]),
            number(&bot["losses"]),
            100.0 * number(&bot["score"]["mean"]),
            number(&bot["elo"]["mean"]),
            number(&bot["elo"]["low"]),
            number(&bot["elo"]["high"]),
        );
    }
    if value["faults"] != 0 {
        let _ = writeln!(text, "{} games ended in a fault", value["faults"]);
    }
    let sprt = &value["sprt"];
    if sprt.is_object() {
        let says = match sprt["verdict"].as_str() {
            Some("higher") => format!(
                "the first bot is stronger by {} points or more",
                number(&sprt["elo1"])
            ),
            Some("lower") => format!(
                "the first bot is not stronger by {} points",
                number(&sprt["elo1"])
            ),
            _ => "not decided yet".to_owned(),
        };
        let _ = writeln!(
            text,
            "sequential test: {says} (ratio {:.2}, bounds {:.2} and {:.2})",
            number(&sprt["ratio"]),
            number(&sprt["low"]),
            number(&sprt["high"]),
        );
    }
    text
}

/// Reads the two differences of a sequential test.
fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let parsed = text.split_once(',').and_then(|(elo0, elo1)| {
        let number = |text: &str| {
            text.trim()
                .parse::<f64>()
                .ok()
                .filter(|x| x.abs() <= 2000.0)
        };
        number(elo0).zip(number(elo1))
    });
    match parsed {
        Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        }),
        _ => Err(format!(
            "`{text}` is no pair of differences of rating; write for example 0,50"
        )),
    }
}
