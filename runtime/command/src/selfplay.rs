//! `selfplay`: games between computer players, for statistics, records and training.

use std::{fmt::Write as _, fs, io::Write, ops::Range, path::PathBuf};

use clap::Args;
use rulec_core::ChoiceSet;
use serde_json::{Value, json};

use super::{
    Bar, Error, StartArgs, Ticker,
    analysis::{tally_json, tally_text},
    emit,
};
use rulec_search::{
    AnyState, Bot, Order, State, available_threads,
    numbers::parse_count,
    ordered,
    playout::{PlayoutJob, Until, playouts},
    selfplay::{
        self, Images, Noise, Place, SelfplayJob, SelfplayReport, Shards, Temperature,
        play_to_files, read_book, rotated_seats,
    },
};

/// Where games begin and how moves are drawn, for every command that lets bots play.
#[derive(Args, Clone, Debug)]
pub struct PlayersArgs {
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; all that the machine has if not given
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// Stop a game after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000)]
    pub limit: u32,
    /// Who acts first where several may: uniform (drawn each time), round-robin or free
    #[arg(long, value_name = "ORDER", default_value_t = Order::Uniform)]
    pub order: Order,
    /// Draw moves by the visits of the search, raised to 1/T: `T`, or `T:PLY,...` before certain plies [default: the best move]
    #[arg(long, value_name = "T[:PLY]")]
    pub temperature: Option<Temperature>,
    /// Mix noise into the chances of the moves: its share and the alpha of a Dirichlet distribution
    #[arg(long, value_name = "SHARE:ALPHA")]
    pub noise: Option<Noise>,
    /// Begin with the openings of this file in turn: a line each, moves separated by semicolons, or `state: ` and a position
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Begin with so many random plies, or a number between two
    #[arg(long, value_name = "N[..M]", default_value = "0", value_parser = parse_plies)]
    pub random_plies: (u32, u32),
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
}

impl PlayersArgs {
    /// The position to begin with, with an order of those who act.
    pub(super) fn reach<'g>(&self, start: &(dyn AnyState<'g> + 'g)) -> Result<State<'g>, Error> {
        let state = self.start.reach(start)?;
        Ok(ordered(&*state, self.order, false))
    }

    /// The games that these bots play.
    pub(super) fn job<'g>(
        &self,
        start: &(dyn AnyState<'g> + 'g),
        bots: &[Bot],
        seats: Vec<Vec<usize>>,
    ) -> Result<SelfplayJob<'g>, Error> {
        for bot in bots {
            bot.ready(start.info()).map_err(Error::User)?;
        }
        let openings = match &self.book {
            Some(path) => {
                let wrong = |e: String| Error::User(format!("{}: {e}", path.display()));
                let text =
                    fs::read_to_string(path).map_err(|e| wrong(format!("cannot read: {e}")))?;
                read_book(start, &text).map_err(wrong)?
            }
            None => Vec::new(),
        };
        Ok(SelfplayJob {
            seed: self.seed,
            limit: self.limit,
            bots: bots.to_vec(),
            seats,
            temperature: self.temperature.clone().unwrap_or_default(),
            noise: self.noise,
            openings,
            random_plies: self.random_plies,
        })
    }

    pub(super) fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(available_threads)
    }

    /// Everything that games depend on, for the files that hold them.
    fn settings(&self, bots: &[Bot], rotate: bool) -> Result<Value, Error> {
        let networks: Vec<String> = bots.iter().filter_map(Bot::network).collect();
        let bots: Vec<String> = bots.iter().map(Bot::to_string).collect();
        let mut value = json!({ "seed": self.seed, "bots": bots, "limit": self.limit });
        if !networks.is_empty() {
            value["networks"] = networks.into();
        }
        let mut add = |name: &str, text: Option<String>| {
            if let Some(text) = text {
                value[name] = text.into();
            }
        };
        let order = self.order.to_string();
        add("rotate", rotate.then(|| "yes".to_owned()));
        add("order", (self.order != Order::Uniform).then_some(order));
        add(
            "temperature",
            self.temperature.as_ref().map(Temperature::to_string),
        );
        add("noise", self.noise.map(|n| n.to_string()));
        let (least, most) = self.random_plies;
        add(
            "random_plies",
            (most > 0).then(|| format!("{least}..{most}")),
        );
        add("state", self.start.state.clone());
        add("after", self.start.after.clone());
        if let Some(path) = &self.book {
            let book = fs::read(path)?;
            add(
                "book_crc32",
                Some(format!("{:08x}", crc32fast::hash(&book))),
            );
        }
        Ok(value)
    }
}

/// Arguments of `selfplay`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  selfplay --games 100k\n  \
    selfplay --games 200 --bot uct:1000,random --rotate --out games.jsonl\n  \
    selfplay --games 1M --bot uct:100 --temperature 1:10 --out data --threads 2\n  \
    selfplay --games 1M --bot uct:100 --temperature 1:10 --out data --resume\n  \
    selfplay --games 10k --bot uct:100 --temperature 1:10 --out data --augment\n  \
    selfplay --seed-range 5000..6000 --bot uct:100 --out games-5000.jsonl --samples samples-5000.rls\n\n\
    Players are random, mc:GAMES and uct:GAMES, or with a time for each move such as uct:100ms.\n\
    Game number i depends on the seed and on i alone, whatever the number of threads, shards and interruptions (except\n\
    for players with a time): the files are the same byte for byte.\n\
    A name after --out that ends in .jsonl is one file of records; any other is a folder of shards of records\n\
    (games-000000.jsonl) and training samples (samples-000000.rls). A file appears only when it is complete; exit code\n\
    0 tells that all are. FORMATS.md states the bytes.\n\
    Random games without --out are played by the fastest way that the game has, whose games of a seed are others.")]
pub struct SelfplayArgs {
    /// Number of games
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_count)]
    pub games: u64,
    /// Play the games of these numbers only, the second one excluded, into one file
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with_all = ["games", "resume", "shard_size"], requires = "out")]
    pub seed_range: Option<Range<u64>>,
    /// Who plays, from player 1 on and then again from the first
    #[arg(
        long = "bot",
        alias = "bots",
        value_name = "BOTS",
        value_delimiter = ',',
        default_value = "random"
    )]
    pub bots: Vec<Bot>,
    /// Let the players change seats from game to game; games that differ in seats only begin alike and draw alike
    #[arg(long)]
    pub rotate: bool,
    /// Write every game: to a file if the name ends in .jsonl, else to a folder of shards
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Write training samples to this file, where --out is a file
    #[arg(long, value_name = "FILE", requires = "out")]
    pub samples: Option<PathBuf>,
    /// Write no training samples, where --out is a folder
    #[arg(long, conflicts_with = "samples")]
    pub no_samples: bool,
    /// Write each sample also as its images under the symmetries of the rules, see `info`: turned boards, sides exchanged
    #[arg(long, requires = "out", conflicts_with = "no_samples")]
    pub augment: bool,
    /// Games of a shard
    #[arg(long, value_name = "K", default_value = "1000", value_parser = parse_count)]
    pub shard_size: u64,
    /// Keep the shards that are complete and make the others
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// How they play.
    #[command(flatten)]
    pub players: PlayersArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

impl SelfplayArgs {
    fn place(&self) -> Result<Option<Place>, Error> {
        let Some(out) = &self.out else {
            return Ok(None);
        };
        let is_file = self.seed_range.is_some() || out.extension().is_some_and(|e| e == "jsonl");
        let wrong = |text: &str| Err(Error::User(text.to_owned()));
        match is_file {
            true if self.resume => {
                wrong("--resume completes a folder of shards; --out names a file")
            }
            true if self.augment && self.samples.is_none() => {
                wrong("--augment is about training samples; name a file for them with --samples")
            }
            true => Ok(Some(Place::File {
                records: out.clone(),
                samples: self.samples.clone(),
                augment: self.augment,
                games: self.seed_range.clone().unwrap_or(0..self.games),
            })),
            false if self.samples.is_some() => wrong(
                "--samples goes with one file of games; a folder has its samples beside the games",
            ),
            false => Ok(Some(Place::Folder(Shards {
                folder: out.clone(),
                games: self.games,
                size: self.shard_size.max(1),
                samples: !self.no_samples,
                augment: self.augment,
                resume: self.resume,
            }))),
        }
    }
}

pub(super) fn selfplay<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &SelfplayArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let place = args.place()?;
    let (report, before) = play_games(start, args, place.as_ref())?;
    let info = start.info();
    let bots: Vec<String> = args.bots.iter().map(Bot::to_string).collect();
    let recorded = place.is_some();
    let value = || {
        let mut value = tally_json(info, &report.tally, report.tally.games() - before);
        value["seed"] = args.players.seed.into();
        if !report.bots.is_empty() {
            let payoffs = bots.iter().enumerate();
            value["bots"] = payoffs
                .map(|(i, bot)| json!({ "bot": bot, "mean_payoff": report.mean_payoff(i) }))
                .collect();
        }
        if recorded {
            value["repeated"] = report.repeated.repeated().into();
            value["repeated_exactly"] = report.repeated.is_exact().into();
            value["found"] = before.into();
        }
        value
    };
    let text = || {
        let mut text = tally_text(info, &report.tally, report.tally.games() - before);
        for (i, bot) in bots.iter().enumerate().take(report.bots.len()) {
            let _ = writeln!(text, "{bot}: mean payoff {:.3}", report.mean_payoff(i));
        }
        if recorded {
            let about = if report.repeated.is_exact() {
                ""
            } else {
                "about "
            };
            let share = 100.0 * report.repeated.repeated();
            let _ = writeln!(text, "{about}{share:.2} % of the games repeat another one");
        }
        if before > 0 {
            let _ = writeln!(text, "{before} of them were there already");
        }
        text
    };
    emit(out, args.json, value, text)
}

fn play_games<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &SelfplayArgs,
    place: Option<&Place>,
) -> Result<(SelfplayReport, u64), Error> {
    let state = &*args.players.reach(start)?;
    let threads = args.players.thread_count();
    let seats = match args.rotate {
        true => rotated_seats(args.bots.len(), state.info().players.len()),
        false => Vec::new(),
    };
    let job = args.players.job(state, &args.bots, seats)?;
    let games = place.map_or(args.games, Place::games);
    let mut ticker = Ticker::new();
    let mut bar: Option<Bar> = None;
    let mut progress = |done: u64| {
        let bar = bar.get_or_insert_with(|| Bar::new(done.saturating_sub(1), games, "games"));
        ticker.bar(bar, done);
        true
    };
    if let Some(place) = place {
        let mut settings = args.players.settings(&args.bots, args.rotate)?;
        if args.augment {
            settings["augment"] = Images::of(state.info()).each().into();
        }
        return play_to_files(state, &job, place, &settings, threads, &mut progress)
            .map_err(|e| Error::User(e.to_string()));
    }
    let plain = job.openings.is_empty() && job.random_plies.1 == 0;
    if plain && args.bots.iter().all(|bot| *bot == Bot::Random) {
        let random = PlayoutJob {
            seed: job.seed,
            limit: job.limit,
            choices: ChoiceSet::All,
        };
        let report = SelfplayReport {
            tally: playouts(state, &random, Until::Games(games), threads, &mut progress),
            ..SelfplayReport::default()
        };
        return Ok((report, 0));
    }
    let report = selfplay::selfplay(state, &job, 0..games, threads, &mut progress)?;
    Ok((report, 0))
}

/// Reads a range of numbers, `A..B`, the second excluded.
///
/// # Errors
/// When the text is none, or the second number is less than the first.
pub fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let wrong = || format!("`{text}` is no range of numbers; write for example 0..1000");
    let (first, last) = text.split_once("..").ok_or_else(wrong)?;
    let range = parse_count(first).map_err(|_| wrong())?..parse_count(last).map_err(|_| wrong())?;
    match range.start <= range.end {
        true => Ok(range),
        false => Err(wrong()),
    }
}

/// A number of plies, or the least and the greatest.
fn parse_plies(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n <= 1_000_000);
    let parsed = match text.split_once("..") {
        Some((least, most)) => number(least).zip(number(most)),
        None => number(text).map(|n| (n, n)),
    };
    parsed
        .filter(|(least, most)| least <= most)
        .ok_or_else(|| format!("`{text}` is no number of plies; write for example 4 or 0..8"))
}
