//! Players that the computer plays, and how they are written.
//!
//! A player is a name, then options after colons: `uct:1000`, `uct:5s:c=1.4:reuse=no`, `alphabeta:depth=6`. A plain number
//! bounds the games or positions of each move, a plain time the time; all other options are `key=value`. Names are read in
//! either case. [`BOTS`] lists the players and [`OPTIONS`] the options.

use std::{fmt, str::FromStr};

use rulec_core::{ChoiceSet, GameInfo, Rng};

use crate::{
    AnyState, Order, Progress, Thinker, alphabeta,
    endgames::Kept,
    evaluation,
    heuristic::Heuristic,
    network::Network,
    numbers::{parse_bytes, parse_count, parse_duration},
    order,
    s3::Strategy,
    search::{Judge, Method, SearchReport, SearchSettings},
};

/// A computer player, written `random`, `mc:1000`, `uct:10000`, `uct:5s` or `alphabeta:depth=6`.
#[derive(Clone, Debug, PartialEq)]
pub enum Bot {
    /// Every legal move has the same chance.
    Random,
    /// Searches within bounds; seed and stream of the settings are not used.
    Search(SearchSettings),
}

/// A player: its names (the first is written), how it searches, and its options.
pub struct BotRow {
    /// Its names, the usual one first.
    pub names: &'static [&'static str],
    /// How it searches; nothing for the random player.
    pub method: Option<Method>,
    /// The keys of its options beside `nodes` and `time`.
    pub options: &'static [&'static str],
    /// What it does, for people.
    pub about: &'static str,
}

/// All players.
pub const BOTS: &[BotRow] = &[
    BotRow {
        names: &["random"],
        method: None,
        options: &[],
        about: "every legal move has the same chance",
    },
    BotRow {
        names: &["mc", "flat"],
        method: Some(Method::Flat),
        options: &["limit"],
        about: "the same number of random games after each move",
    },
    BotRow {
        names: &["uct", "mcts"],
        method: Some(Method::Uct),
        options: &[
            "c", "solve", "reuse", "threads", "noise", "alpha", "limit", "tree", "hash", "eval",
            "cut", "minimax", "rave", "symmetry",
        ],
        about: "a tree of upper confidence bounds over random games",
    },
    BotRow {
        names: &["puct"],
        method: Some(Method::Puct),
        options: &[
            "c", "judge", "net", "batch", "noise", "alpha", "limit", "tree",
        ],
        about: "a tree guided by an evaluator of positions",
    },
    BotRow {
        names: &["alphabeta", "ab"],
        method: Some(Method::AlphaBeta),
        options: &[
            "depth", "eval", "tables", "table", "hash", "threads", "without", "reuse", "limit",
            "symmetry",
        ],
        about: "looks ahead with alpha-beta; for two players",
    },
    BotRow {
        names: &["expectimax"],
        method: Some(Method::AlphaBeta),
        options: &[
            "depth", "eval", "table", "hash", "threads", "without", "reuse", "limit", "symmetry",
        ],
        about: "the same, which weighs the results of draws of chance",
    },
    BotRow {
        names: &["maxn"],
        method: Some(Method::MaxN),
        options: &["depth", "eval", "limit"],
        about: "looks ahead, everybody for himself",
    },
    BotRow {
        names: &["paranoid"],
        method: Some(Method::Paranoid),
        options: &[
            "depth", "eval", "table", "hash", "threads", "without", "reuse", "limit", "symmetry",
        ],
        about: "looks ahead, all others against the player",
    },
    BotRow {
        names: &["pns", "proof"],
        method: Some(Method::ProofNumber),
        options: &["table", "hash", "symmetry"],
        about: "proves that a move wins, by proof numbers",
    },
    BotRow {
        names: &["bfs"],
        method: Some(Method::BreadthFirst),
        options: &["depth"],
        about: "a shortest way to a win, breadth first; for puzzles",
    },
    BotRow {
        names: &["dfs"],
        method: Some(Method::DepthFirst),
        options: &["depth"],
        about: "a way to a win, deepest first; for puzzles",
    },
    BotRow {
        names: &["astar"],
        method: Some(Method::AStar),
        options: &["eval"],
        about: "a shortest way to a win, nearest first; for puzzles",
    },
    BotRow {
        names: &["MiniMax"],
        method: Some(Method::S3(Strategy::MiniMax)),
        options: &["eval", "limit"],
        about: "strategy of S3 Games: a tree layer by layer",
    },
    BotRow {
        names: &["MiniMaxStochastic"],
        method: Some(Method::S3(Strategy::MiniMaxStochastic)),
        options: &["eval", "limit"],
        about: "strategy of S3 Games: 70 of 100 of its own moves",
    },
    BotRow {
        names: &["MonteCarlo"],
        method: Some(Method::S3(Strategy::MonteCarlo)),
        options: &["limit"],
        about: "strategy of S3 Games: trials, counts wins",
    },
    BotRow {
        names: &["MonteCarloRatio"],
        method: Some(Method::S3(Strategy::MonteCarloRatio)),
        options: &["limit"],
        about: "strategy of S3 Games: trials, weighed by the choices of the others",
    },
    BotRow {
        names: &["MonteCarloRatio2"],
        method: Some(Method::S3(Strategy::MonteCarloRatio2)),
        options: &["limit"],
        about: "strategy of S3 Games: trials, weighed by their length",
    },
];

/// An option of players.
pub struct OptionRow {
    /// Its key.
    pub key: &'static str,
    /// What it takes and means, for people.
    pub about: &'static str,
    read: fn(&mut SearchSettings, &str) -> Result<(), String>,
    write: fn(&SearchSettings) -> String,
}

/// All options.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow {
        key: "nodes",
        about: "N: random games, or positions, for each move",
        read: |s, text| set(&mut s.games, parse_count(text).map(Some)),
        write: |s| s.games.map_or(String::new(), |games| games.to_string()),
    },
    OptionRow {
        key: "time",
        about: "TIME: time for each move, such as 2s",
        read: |s, text| set(&mut s.time, parse_duration(text).map(Some)),
        write: |s| {
            s.time
                .map_or(String::new(), |time| format!("{}ms", time.as_millis()))
        },
    },
    OptionRow {
        key: "depth",
        about: "N: moves to look ahead at most",
        read: |s, text| {
            set(
                &mut s.depth,
                count_in(text, 1, 1_000_000).map(|n| Some(n as u32)),
            )
        },
        write: |s| s.depth.map_or(String::new(), |depth| depth.to_string()),
    },
    OptionRow {
        key: "c",
        about: "X: weight of the unknown against the good",
        read: |s, text| set(&mut s.exploration, number_in(text, 0.0, 1e6)),
        write: |s| s.exploration.to_string(),
    },
    OptionRow {
        key: "solve",
        about: "yes or no: carry certain ends up the tree",
        read: |s, text| set(&mut s.solve, yes_or_no(text)),
        write: |s| yes_no(s.solve),
    },
    OptionRow {
        key: "reuse",
        about: "yes or no: keep the tree, or the table, from move to move",
        read: |s, text| set(&mut s.reuse, yes_or_no(text)),
        write: |s| yes_no(s.reuse),
    },
    OptionRow {
        key: "threads",
        about: "N: threads of one search; those of uct have trees of their own and tell each other, those of alpha-beta share the table",
        read: |s, text| set(&mut s.threads, count_in(text, 1, 1024).map(|n| n as u32)),
        write: |s| s.threads.to_string(),
    },
    OptionRow {
        key: "noise",
        about: "X from 0 to 1: share of noise at the root",
        read: |s, text| set(&mut s.noise, number_in(text, 0.0, 1.0)),
        write: |s| s.noise.to_string(),
    },
    OptionRow {
        key: "alpha",
        about: "X above 0: the smaller, the fewer moves the noise favours",
        read: |s, text| set(&mut s.alpha, number_in(text, 0.001, 1000.0)),
        write: |s| s.alpha.to_string(),
    },
    OptionRow {
        key: "limit",
        about: "N: plies after which a random game is stopped",
        read: |s, text| {
            set(
                &mut s.limit,
                count_in(text, 0, u32::MAX.into()).map(|n| n as u32),
            )
        },
        write: |s| s.limit.to_string(),
    },
    OptionRow {
        key: "tree",
        about: "N: nodes of the tree at most",
        read: |s, text| set(&mut s.nodes, count_in(text, 1, 1 << 31).map(|n| n as usize)),
        write: |s| s.nodes.to_string(),
    },
    OptionRow {
        key: "table",
        about: "N: entries of the table of positions at most, 16 bytes each",
        read: |s, text| set(&mut s.table, count_in(text, 4, 1 << 32).map(|n| n as usize)),
        write: |s| s.table.to_string(),
    },
    OptionRow {
        key: "hash",
        about: "BYTES: memory of the table, or the tree, at most, such as 64M",
        read: |s, text| {
            let bytes = parse_bytes(text)?;
            s.table = usize::try_from(bytes / alphabeta::ENTRY_BYTES as u64).unwrap_or(usize::MAX);
            s.nodes = usize::try_from(bytes / NODE_BYTES)
                .unwrap_or(usize::MAX)
                .min(1 << 31);
            Ok(())
        },
        // As `table` and `tree`.
        write: |_| String::new(),
    },
    OptionRow {
        key: "without",
        about: "NAMES: techniques of alpha-beta to leave out, such as lmr+pvs: table, pvs, aspiration, killers, history, counters, lmr, \
                quiescence, futility, extensions, passing, shallow, probing",
        read: |s, text| set(&mut s.techniques, text.parse()),
        write: |s| s.techniques.to_string(),
    },
    OptionRow {
        key: "symmetry",
        about: "off, moves (one is tried of those that symmetries of the rules take to each other) or positions (these have one entry of \
                the table too)",
        read: |s, text| set(&mut s.mirrors, text.parse()),
        write: |s| s.mirrors.to_string(),
    },
    OptionRow {
        key: "eval",
        about: "NAME: heuristic where looking ahead stops: zero, scores, playouts-N, MoreStones, DistanceFromGoal, \
                Puzzle8Heuristic, a file of `evaluate`, or built-in",
        read: |s, text| set(&mut s.heuristic, text.parse()),
        write: |s| s.heuristic.to_string(),
    },
    OptionRow {
        key: "tables",
        about: "FOLDER: tables of `endgames` in which positions are looked up",
        read: |s, text| {
            s.tables = Some(Kept::of(text)?);
            Ok(())
        },
        write: |s| s.tables.map_or(String::new(), |tables| tables.to_string()),
    },
    OptionRow {
        key: "cut",
        about: "N: plies of a random game after which eval judges",
        read: |s, text| {
            set(
                &mut s.cut,
                count_in(text, 0, u32::MAX.into()).map(|n| n as u32),
            )
        },
        write: |s| s.cut.to_string(),
    },
    OptionRow {
        key: "minimax",
        about: "X from 0 to 1: share of what eval says, if everybody takes what is best by it",
        read: |s, text| set(&mut s.minimax, number_in(text, 0.0, 1.0)),
        write: |s| s.minimax.to_string(),
    },
    OptionRow {
        key: "rave",
        about: "N: visits at which what came of a move made later counts as much, for games of placing, such as 500; 0 for never",
        read: |s, text| set(&mut s.rave, number_in(text, 0.0, 1e9).map(|n| n as f32)),
        write: |s| s.rave.to_string(),
    },
    OptionRow {
        key: "judge",
        about: "uniform or rollout-N: what judges positions",
        read: |s, text| set(&mut s.judge, judge(text)),
        write: |s| match s.judge {
            Judge::Uniform => "uniform".to_owned(),
            Judge::Rollout(games) => format!("rollout-{games}"),
            Judge::Network(_) => "rollout-1".to_owned(),
        },
    },
    OptionRow {
        key: "net",
        about: "FILE: network in ONNX that judges positions, in the program rulec-onnx",
        read: |s, text| {
            let network = Network::of(text).map(Judge::Network);
            set(&mut s.judge, network)
        },
        write: |s| match s.judge {
            Judge::Network(network) => network.to_string(),
            _ => String::new(),
        },
    },
    OptionRow {
        key: "batch",
        about: "N: positions that are judged at once",
        read: |s, text| set(&mut s.batch, count_in(text, 1, 4096).map(|n| n as u16)),
        write: |s| s.batch.to_string(),
    },
];

/// Bytes of a node of a tree, with the position where that is kept.
const NODE_BYTES: u64 = 96;

fn set<T>(field: &mut T, value: Result<T, String>) -> Result<(), String> {
    value.map(|value| *field = value)
}

fn count_in(text: &str, least: u64, most: u64) -> Result<u64, String> {
    match parse_count(text)? {
        n if (least..=most).contains(&n) => Ok(n),
        n => Err(format!("{n} is out of range, which is {least} to {most}")),
    }
}

fn number_in(text: &str, least: f64, most: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (least..=most).contains(&x) => Ok(x),
        _ => Err(format!("`{text}` is no number from {least} to {most}")),
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{text}`: write yes or no")),
    }
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

fn judge(text: &str) -> Result<Judge, String> {
    if text == "uniform" {
        return Ok(Judge::Uniform);
    }
    let games = match text.strip_prefix("rollout") {
        Some("") => Some(1),
        Some(rest) => rest.strip_prefix('-').and_then(|n| n.parse().ok()),
        None => None,
    };
    games
        .filter(|games| (1..=1_000_000).contains(games))
        .map(Judge::Rollout)
        .ok_or_else(|| format!("`{text}`: write uniform or rollout-N"))
}

impl Bot {
    /// A player that searches by a method with the default options.
    pub fn of(method: Method) -> Self {
        Bot::Search(defaults(method))
    }

    /// The move that the player makes, `None` where there is none. It begins afresh; [`Seat`] remembers.
    pub fn choose<'g>(&self, state: &(dyn AnyState<'g> + 'g), rng: &mut Rng) -> Option<u64> {
        self.seat().choose(state, rng)
    }

    /// Gets what the player needs for a game.
    ///
    /// # Errors
    /// When its network cannot be read or is not one for the game, or its evaluation or its tables are about other rules.
    pub fn ready(&self, info: &GameInfo) -> Result<(), String> {
        if let Bot::Search(SearchSettings {
            tables: Some(tables),
            ..
        }) = self
        {
            tables.read(info)?;
        }
        match self {
            Bot::Search(SearchSettings {
                judge: Judge::Network(network),
                batch,
                ..
            }) => network.evaluator(info, (*batch).into()).map(|_| ()),
            Bot::Search(SearchSettings {
                heuristic: Heuristic::Learnt(learnt),
                method,
                ..
            }) => match learnt.evaluation().misfit(info) {
                Some(misfit) => Err(misfit),
                None if *method == Method::Uct && info.players.len() > 2 => Err(
                    "uct takes evaluations of two players: with more, `paranoid` and `maxn` do"
                        .to_owned(),
                ),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// What the player thinks of its moves; nothing for the random one.
    pub fn search<'g>(&self, state: &(dyn AnyState<'g> + 'g), seed: u64) -> SearchReport {
        self.seat().search(state, seed)
    }

    /// As [`Bot::search`], telling from time to time how many games were played; it ends where nobody wants more.
    pub fn search_told<'g>(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        seed: u64,
        progress: Progress<'_>,
    ) -> SearchReport {
        self.seat().search_told(state, seed, progress)
    }

    /// The first option of a player's text that names a file or a folder, for those who do not let others choose what is read. Reading the text
    /// opens it.
    pub fn file_option(text: &str) -> Option<&str> {
        let options = text.split(':').filter_map(|part| part.split_once('='));
        let mut keys = options.filter_map(|(key, value)| match key {
            "net" | "tables" => Some(key),
            "eval" => value.contains(evaluation::ENDING).then_some(key),
            _ => None,
        });
        keys.next()
    }

    /// A search of the player that stops where its network has to judge, with the number of positions that it looks at and the network;
    /// `None` for players that search without one, or as long as the clock lets them.
    #[cfg(feature = "programs")]
    pub(crate) fn inquiry<'g>(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        seed: u64,
    ) -> Option<(crate::puct::Inquiry<'g>, u64, &'static Network)> {
        let Bot::Search(settings) = self else {
            return None;
        };
        let Judge::Network(network) = settings.judge else {
            return None;
        };
        if settings.method != Method::Puct || settings.time.is_some() {
            return None;
        }
        let settings = SearchSettings { seed, ..*settings };
        let ordered = order::ordered(state, Order::default(), true);
        let inquiry = crate::puct::Inquiry::new(ordered, &settings);
        Some((
            inquiry,
            settings.bound(crate::puct::DEFAULT_VISITS),
            network,
        ))
    }

    /// A hash of the network that judges for the player, so that games of another one are told apart.
    pub fn network(&self) -> Option<String> {
        match self {
            Bot::Search(SearchSettings {
                judge: Judge::Network(network),
                ..
            }) => network.fingerprint(),
            _ => None,
        }
    }

    /// The player at a table: what it learns is kept from move to move.
    pub fn seat<'g>(&self) -> Seat<'g> {
        Seat {
            bot: self.clone(),
            memory: None,
            table: alphabeta::Memory::default(),
        }
    }

    fn row(&self) -> &'static BotRow {
        let found = BOTS.iter().find(|row| match self {
            Bot::Random => row.method.is_none(),
            Bot::Search(settings) => row.method == Some(settings.method),
        });
        // Every method has a row, as a test shows.
        found.unwrap_or(&BOTS[0])
    }
}

/// A player in the middle of a game.
pub struct Seat<'g> {
    bot: Bot,
    memory: Option<Box<dyn Thinker + 'g>>,
    table: alphabeta::Memory,
}

impl<'g> Seat<'g> {
    /// Lets another player take the seat. What was learnt is kept if it searches in the same way, within whatever bounds.
    pub fn give_to(&mut self, bot: &Bot) {
        let alike = match (&self.bot, bot) {
            (Bot::Search(own), Bot::Search(other)) => {
                let bounds = SearchSettings {
                    games: other.games,
                    time: other.time,
                    depth: other.depth,
                    aim: other.aim,
                    ..*own
                };
                bounds == *other
            }
            _ => false,
        };
        match alike {
            true => self.bot = bot.clone(),
            false => *self = bot.seat(),
        }
    }

    /// The move that the player makes, `None` where there is none.
    pub fn choose(&mut self, state: &(dyn AnyState<'g> + 'g), rng: &mut Rng) -> Option<u64> {
        let mut moves = Vec::new();
        let choices = match self.bot {
            Bot::Random => ChoiceSet::All,
            Bot::Search(_) => ChoiceSet::Distinct,
        };
        state.moves(choices, &mut moves).ok()?;
        if let Bot::Search(_) = self.bot
            && moves.len() > 1
            && let Some(best) = self.search(state, rng.u64()).best()
        {
            return Some(best);
        }
        moves.get(rng.below64(moves.len() as u64) as usize).copied()
    }

    /// What the player thinks of its moves; nothing for the random one.
    pub fn search(&mut self, state: &(dyn AnyState<'g> + 'g), seed: u64) -> SearchReport {
        self.search_told(state, seed, &mut |_| true)
    }

    /// As [`Seat::search`], telling from time to time how many games were played; it ends where nobody wants more.
    pub fn search_told(
        &mut self,
        state: &(dyn AnyState<'g> + 'g),
        seed: u64,
        progress: Progress<'_>,
    ) -> SearchReport {
        let Bot::Search(settings) = &self.bot else {
            return SearchReport::default();
        };
        let settings = SearchSettings { seed, ..*settings };
        if state.info().several_at_once {
            let ordered = order::ordered(state, Order::default(), true);
            return ordered.search(&settings, progress);
        }
        let ahead = matches!(settings.method, Method::AlphaBeta | Method::Paranoid);
        if ahead && settings.reuse {
            return alphabeta::alphabeta_on(state, &settings, progress, &mut self.table);
        }
        if settings.method != Method::Uct || !settings.reuse || settings.threads > 1 {
            return state.search(&settings, progress);
        }
        let mut identities = Vec::new();
        for identity in 0..state.info().identities.len().max(1) {
            state.identity(identity, &mut identities);
        }
        let known = self.memory.take().and_then(|mut memory| {
            let found = memory.follow(&identities);
            found.then_some(memory)
        });
        let memory = known.unwrap_or_else(|| state.thinker(&settings));
        self.memory.insert(memory).think(&settings, progress)
    }
}

/// The settings that a method has where its options say nothing.
fn defaults(method: Method) -> SearchSettings {
    let mut settings = SearchSettings::of(method);
    match method {
        Method::Uct | Method::Flat => settings.games = Some(SearchSettings::DEFAULT_GAMES),
        Method::Puct => settings.exploration = 1.5,
        _ => {}
    }
    settings
}

impl FromStr for Bot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let named = |row: &&BotRow| {
            row.names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        };
        let Some(row) = BOTS.iter().find(named) else {
            let names: Vec<&str> = BOTS.iter().map(|row| row.names[0]).collect();
            return Err(format!(
                "no player is called `{name}`; there are {}, with options such as uct:1000 or uct:2s:c=1.4",
                names.join(", ")
            ));
        };
        let Some(method) = row.method else {
            return match parts.next() {
                None => Ok(Bot::Random),
                Some(_) => Err(format!("`{name}` takes no options")),
            };
        };
        let mut settings = defaults(method);
        let mut bounded = false;
        let mut judged = false;
        for part in parts {
            let (key, value) = match part.split_once('=') {
                Some(pair) => pair,
                None if parse_count(part).is_ok() => ("nodes", part),
                None => ("time", part),
            };
            let bound = ["nodes", "time"].contains(&key);
            if key == "sharing" && row.options.contains(&"threads") {
                return Err(format!(
                    "`{text}`: threads share no tree any more, which was slower than one thread; without `sharing`, `threads=N` gives each \
                     a tree of its own and adds what they find"
                ));
            }
            if !bound && !row.options.contains(&key) {
                return Err(unknown_option(row, key));
            }
            if ["judge", "net"].contains(&key) && std::mem::replace(&mut judged, true) {
                return Err(format!(
                    "`{text}`: one thing judges positions, `judge` or `net`"
                ));
            }
            if bound && !std::mem::replace(&mut bounded, true) {
                settings.games = None;
            }
            let option = OPTIONS.iter().find(|option| option.key == key);
            if let Some(option) = option {
                (option.read)(&mut settings, value).map_err(|e| format!("`{text}`: {key}: {e}"))?;
            }
        }
        let usual = defaults(method).heuristic;
        if method == Method::Uct
            && settings.heuristic != usual
            && !matches!(settings.heuristic, Heuristic::Learnt(_))
        {
            return Err(format!(
                "`{text}`: eval: `{}` wants a file of `evaluate`, whose name ends in .eval.json",
                row.names[0]
            ));
        }
        Ok(Bot::Search(settings))
    }
}

fn unknown_option(row: &BotRow, key: &str) -> String {
    let known: Vec<&str> = ["nodes", "time"]
        .iter()
        .chain(row.options)
        .copied()
        .collect();
    format!(
        "`{}` has no option `{key}`; it has {}",
        row.names[0],
        known.join(", ")
    )
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row();
        f.write_str(row.names[0])?;
        let Bot::Search(settings) = self else {
            return Ok(());
        };
        let usual = defaults(settings.method);
        for option in OPTIONS {
            let value = (option.write)(settings);
            match option.key {
                "nodes" | "time" if !value.is_empty() => write!(f, ":{value}")?,
                key if row.options.contains(&key) && value != (option.write)(&usual) => {
                    write!(f, ":{key}={value}")?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// All players and their options, for help texts.
pub fn bots_help() -> String {
    let mut text = String::from("Players, with options after colons (uct:5s:c=1.4):\n");
    for row in BOTS {
        text.push_str(&format!("  {:18} {}\n", row.names.join(", "), row.about));
    }
    text.push_str("Options (a plain number is nodes, a plain time is time):\n");
    for option in OPTIONS {
        let with = BOTS.iter().filter(|row| row.options.contains(&option.key));
        let names: Vec<&str> = with.map(|row| row.names[0]).collect();
        let who = match names.is_empty() {
            true => "all but random".to_owned(),
            false => names.join(", "),
        };
        text.push_str(&format!("  {:8} {} [{who}]\n", option.key, option.about));
    }
    text
}

#[cfg(test)]
mod tests;
