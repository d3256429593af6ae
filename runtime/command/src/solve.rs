//! `solve` and `bots`: what perfect play leads to, with a certificate.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use rulec_core::GameInfo;
use serde_json::{Value as Json, json};

use super::{
    Error, ExploreArgs, StartArgs, Ticker,
    analysis::{explored, identity, move_texts},
    emit,
};
use rulec_search::{
    AnyState, State,
    certificate::{self, Failure, Writer},
    endgames::{self, Endgames, Probe},
    exhaust::{Engine, Exhaust, ExhaustLimits, Force},
    explore::{Exploration, ExploreLimits, Keep},
    files::NewFile,
    heuristic::Heuristic,
    numbers::{parse_bytes, parse_duration},
    orbit::Orbits,
    puzzle::{self, Cost},
    search::{Method, SearchSettings},
    solve::{self, Value},
    view,
};

/// What to do about games that a search does not come to the end of.
const TOO_DEEP: &str =
    "games may last for ever, or very long: `--method graph` or `--method proof` may tell more";

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SolveMethod {
    /// The graph if it is small enough, else the search
    #[default]
    Auto,
    /// Lists all positions and takes values back from the ends; also for games that can go on for ever
    Graph,
    /// Alpha-beta to all ends with a table, which can be kept in a file
    Search,
    /// Proof numbers with a table, which can be kept in a file: where few answers are left soon; also for games that can go on for ever
    Proof,
}

/// What a move of a puzzle costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CostArg {
    /// One
    #[default]
    Moves,
    /// What the score falls by it
    Score,
}

/// Arguments of `solve`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  solve\n  solve --depth 20 --json\n  solve --cost score\n  \
    solve --certificate proof.cert\n  solve --method search --memory 2G --checkpoint table.bin --time 1h\n\n\
    For games without draws of chance. One player: the way found is a cheapest one.\n\
    Two players: what perfect play leads to; going on for ever counts as a draw, and needs the method graph or proof.\n\
    More players: what each can force against all others.\n\
    A search with --checkpoint that a bound or the user stops goes on where it was when it is started again.\n\
    A certificate is checked by `verify`, which does not solve."
)]
pub struct SolveArgs {
    /// How far to look, and when two positions are the same.
    #[command(flatten)]
    pub explore: ExploreArgs,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// How to solve
    #[arg(long, value_enum, default_value_t)]
    pub method: SolveMethod,
    /// What a move of a puzzle costs
    #[arg(long, value_enum, default_value_t)]
    pub cost: CostArg,
    /// Memory for positions at most, such as 500M or 2G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Keep what the search knows in this file, and begin with what it holds
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Look the position up in the tables of `endgames` in this folder first
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
    /// Write a certificate to this file
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

/// Memory where nothing else is said.
const MEMORY: u64 = 1 << 30;
/// Time between two writings of the checkpoint.
const SAVING: Duration = Duration::from_secs(60);
/// Positions that are listed before the automatic choice takes the search.
const LISTED: u64 = 1_000_000;

pub(super) fn solve<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &SolveArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let state = args.start.reach(start)?;
    let info = start.info();
    if info.has_chance || info.several_at_once {
        return Err(Error::User(
            "solve is for games without draws of chance in which one player at a time moves; `expectimax` works out \
             values of small games with draws, `search` finds good moves in every game"
                .to_owned(),
        ));
    }
    if let Some(folder) = args.tables.as_ref().filter(|_| args.certificate.is_none()) {
        let tables = Endgames::read(folder, info).map_err(Error::User)?;
        if let Some(value) = tables.look_ahead(&*state, &mut Probe::default()) {
            return tell_looked_up(info, value, args.explore.json, out);
        }
    }
    refuse_merging(info, &args.explore)?;
    match info.players.len() {
        0 | 1 => solve_one(&state, args, out),
        2 => solve_two(&state, args, out),
        _ => solve_many(&state, args, out),
    }
}

/// What a table of endgames says of the position.
fn tell_looked_up(
    info: &GameInfo,
    value: endgames::Value,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (number, winner, plies) = match value {
        endgames::Value::Win { player, plies } => {
            let player = usize::from(player);
            let name = info.players.get(player).copied();
            (player + 1, name, Some(plies))
        }
        endgames::Value::Draw | endgames::Value::None => (0, None, None),
    };
    let value = || json!({ "solved": true, "winner": number, "distance": plies, "complete": true, "method": "tables" });
    emit(out, json, value, || match (winner, plies) {
        (Some(winner), Some(plies)) => {
            format!("{winner} wins in {plies} plies with perfect play, by a table of endgames\n")
        }
        (None, Some(plies)) => format!("lost in {plies} plies, by a table of endgames\n"),
        _ => "a draw with perfect play, by a table of endgames\n".to_owned(),
    })
}

/// Whether one position of each orbit is kept.
fn orbits(args: &SolveArgs) -> Orbits {
    args.explore.symmetry.unwrap_or_default()
}

/// The symmetries that keep all players, that which changes nothing counted.
fn symmetries(info: &GameInfo) -> usize {
    1 + info.symmetries.iter().filter(|s| s.keeps_players()).count()
}

/// Positions that are listed at most before a search is tried: as large a graph, whether or not one of each orbit is kept.
fn listed(symmetries: usize, orbits: Orbits) -> u64 {
    match orbits {
        Orbits::On => LISTED / symmetries as u64,
        Orbits::Off => LISTED,
    }
}

/// The limits of a listing of positions, made narrower by the memory.
fn listing<'g>(state: &State<'g>, args: &SolveArgs, most: u64, keep: Keep) -> ExploreLimits {
    let info = state.info();
    let mut bytes = Vec::new();
    state.identity(info.future, &mut bytes);
    let branching = view::options(&**state, view::exact_moves(info)).map_or(1, |o| o.len());
    // The encoding, its place and slots; an edge and its way back for each move; the state itself while it is looked at.
    let each = bytes.len() + 40 + 20 * branching + info.state_bytes;
    let room = args.memory.unwrap_or(MEMORY) / each as u64;
    ExploreLimits {
        identity: info.future,
        choices: view::exact_moves(info),
        depth: args.explore.depth,
        states: args.explore.states.min(room).min(most),
        keep,
        orbits: orbits(args),
    }
}

/// When to stop.
fn end_of(args: &SolveArgs) -> Option<Instant> {
    args.time.and_then(|time| Instant::now().checked_add(time))
}

/// The time that is left.
fn left(end: Option<Instant>) -> Option<Duration> {
    end.map(|end| end.saturating_duration_since(Instant::now()))
}

/// Refuses an identity that merges more than is shown to have the same future.
fn refuse_merging(info: &GameInfo, args: &ExploreArgs) -> Result<(), Error> {
    if args.identity.is_none() && !args.ignore_scores {
        return Ok(());
    }
    let identity = identity(info, args.identity.as_deref(), args.ignore_scores)?;
    match view::is_exact(info, identity) {
        true => Ok(()),
        false => Err(Error::User(format!(
            "it is not shown that positions that are equal under `{}` have the same future, so solving by it could be wrong; without \
             --identity and --ignore-scores positions are merged by all that decides",
            info.identities.get(identity).unwrap_or(&"")
        ))),
    }
}

fn solve_one<'g>(start: &State<'g>, args: &SolveArgs, out: &mut dyn Write) -> Result<(), Error> {
    let cost = match args.cost {
        CostArg::Moves => Cost::Move,
        CostArg::Score => Cost::Score,
    };
    let way = match cost {
        Cost::Move => {
            let found = explored(
                &**start,
                &listing(start, args, u64::MAX, Keep::WayToWin),
                end_of(args),
            );
            puzzle::Way {
                cost: found.way.as_ref().map_or(0, |way| way.len() as u64),
                positions: found.states(),
                complete: found.complete,
                moves: found.way,
            }
        }
        Cost::Score => {
            let mut ticker = Ticker::new();
            let settings = SearchSettings {
                games: Some(listing(start, args, u64::MAX, Keep::Nothing).states),
                time: args.time,
                heuristic: Heuristic::Zero,
                ..SearchSettings::of(Method::AStar)
            };
            puzzle::cheapest(&**start, &settings, cost, &mut |positions| {
                ticker.tell(|| format!("{positions} positions"));
                true
            })
        }
    };
    let moves = way.moves.as_ref().map(|way| move_texts(&**start, way));
    if let (Some(path), Some(moves)) = (&args.certificate, &moves) {
        write_certificate(path, |file| {
            let claim = certificate::way_claim(cost, way.cost);
            let mut writer = Writer::begin(file, start.info(), &start.text(), claim)?;
            writer.way(moves)?;
            Ok(writer.end()?)
        })?;
    }
    let value = || {
        json!({
            "solved": moves.is_some(),
            "moves": moves,
            "cost": moves.as_ref().map(|_| way.cost),
            "states": way.positions,
            "complete": way.complete,
        })
    };
    let text = || match &moves {
        Some(moves) if cost == Cost::Score => format!(
            "a cheapest win costs {} points in {} moves:\n{}\n",
            way.cost,
            moves.len(),
            moves.join("; ")
        ),
        Some(moves) => format!(
            "a shortest win takes {} moves:\n{}\n",
            moves.len(),
            moves.join("; ")
        ),
        None if way.complete => {
            format!(
                "there is no win; all {} positions were visited\n",
                way.positions
            )
        }
        None => format!("no win among {} positions; there are more\n", way.positions),
    };
    emit(out, args.explore.json, value, text)
}

/// What perfect play of two players leads to.
struct Solved {
    /// The winner or nobody; nothing if it is not known.
    value: Option<Option<usize>>,
    /// Moves to the end if the winner hurries, where that was worked out.
    distance: Option<u32>,
    line: Option<Vec<u64>>,
    positions: u64,
    complete: bool,
    method: &'static str,
    /// Whether games may last longer than the search goes.
    too_deep: bool,
}

fn solve_two<'g>(start: &State<'g>, args: &SolveArgs, out: &mut dyn Write) -> Result<(), Error> {
    let end = end_of(args);
    let mut solved = None;
    let lists = matches!(args.method, SolveMethod::Auto | SolveMethod::Graph);
    if lists && args.checkpoint.is_none() {
        let most = match args.method {
            SolveMethod::Auto => listed(symmetries(start.info()), orbits(args)),
            _ => u64::MAX,
        };
        solved = by_graph(start, args, &listing(start, args, most, Keep::Graph), end)?;
    }
    let solved = match (solved, args.method) {
        (Some(solved), method) if solved.complete || method == SolveMethod::Graph => solved,
        (Some(solved), _) if args.explore.depth.is_some() => solved,
        _ => by_search(start, args, end)?,
    };
    let line = solved.line.as_ref().map(|line| move_texts(&**start, line));
    let value = || {
        json!({
            "solved": solved.value.is_some(),
            "winner": solved.value.map(|winner| winner.map_or(0, |w| w + 1)),
            "distance": solved.distance,
            "moves": line,
            "states": solved.positions,
            "complete": solved.complete,
            "method": solved.method,
        })
    };
    let text = || two_text(start, &solved, line.as_deref().unwrap_or(&[]));
    emit(out, args.explore.json, value, text)
}

fn two_text<'g>(start: &State<'g>, solved: &Solved, line: &[String]) -> String {
    let positions = solved.positions;
    let line = match line.is_empty() {
        true => "\n".to_owned(),
        false => format!(", for example:\n{}\n", line.join("; ")),
    };
    match (solved.value, solved.distance) {
        (Some(Some(player)), Some(moves)) => {
            let name = view::player_text(start.info(), player);
            format!("{name} wins in {moves} moves with perfect play ({positions} positions){line}")
        }
        (Some(Some(player)), None) => {
            let name = view::player_text(start.info(), player);
            format!("{name} wins with perfect play ({positions} positions){line}")
        }
        (Some(None), _) => format!("nobody can force a win ({positions} positions){line}"),
        (None, _) if solved.method == "graph" => {
            format!("not solved: there are more than {positions} positions\n")
        }
        (None, _) if solved.too_deep => {
            format!("not solved after {positions} positions\n{TOO_DEEP}\n")
        }
        (None, _) => format!("not solved after {positions} positions\n"),
    }
}

/// Lists all positions; nothing if there are too many.
fn by_graph<'g>(
    start: &State<'g>,
    args: &SolveArgs,
    listing: &ExploreLimits,
    end: Option<Instant>,
) -> Result<Option<Solved>, Error> {
    let found = explored(&**start, listing, end);
    let values = if found.complete {
        solve::values(&found.graph)
    } else {
        Vec::new()
    };
    let (value, distance) = match values.first() {
        Some(Value::Win { player, moves }) => (Some(Some(*player)), Some(*moves)),
        Some(Value::Draw) => (Some(None), None),
        None => (None, None),
    };
    if let (Some(path), Some(winner)) = (&args.certificate, value) {
        let strategist = GraphStrategist {
            found: &found,
            values: &values,
            orbits: listing.orbits,
        };
        certify(
            path,
            start,
            winner,
            args,
            &mut |player, force, _, state, moves| strategist.choose(player, force, state, moves),
        )?;
    }
    Ok(Some(Solved {
        value,
        distance,
        line: value.map(|_| line(start, &found, &values, listing.orbits)),
        positions: found.states(),
        complete: found.complete,
        method: "graph",
        too_deep: false,
    }))
}

/// The moves of perfect play.
fn line<'g>(start: &State<'g>, found: &Exploration, values: &[Value], orbits: Orbits) -> Vec<u64> {
    let turned = start.info().symmetries.iter().any(|s| s.keeps_players());
    if orbits == Orbits::Off || !turned {
        return solve::line(&found.graph, values);
    }
    // The moves of the graph are those of the position of an orbit that was met first.
    let strategist = GraphStrategist {
        found,
        values,
        orbits,
    };
    let (mut line, mut seen) = (Vec::new(), BTreeSet::new());
    let mut state = start.fork();
    let mut moves = Vec::new();
    while seen.insert(strategist.number(&state)) && state.outcome().is_none() {
        let Some(mover) = state.player() else { break };
        if state
            .moves(view::exact_moves(state.info()), &mut moves)
            .is_err()
        {
            break;
        }
        let worth = |code: u64| {
            let mut next = state.fork();
            next.play(code, None);
            let number = strategist.number(&next)?;
            Some(solve::worth(values[number as usize], mover))
        };
        let known = moves
            .iter()
            .filter_map(|&code| Some((worth(code)?, Reverse(code))));
        let Some((_, Reverse(best))) = known.max() else {
            break;
        };
        line.push(best);
        state.play(best, None);
    }
    line
}

/// Finds moves in a solved graph.
struct GraphStrategist<'f> {
    found: &'f Exploration,
    values: &'f [Value],
    orbits: Orbits,
}

impl GraphStrategist<'_> {
    /// The number of a position in the graph.
    fn number<'g>(&self, state: &State<'g>) -> Option<u32> {
        let mut encoding = Vec::new();
        state.encode(state.info().future, self.orbits, &mut encoding);
        self.found.number(&encoding)
    }

    fn choose<'g>(
        &self,
        player: usize,
        force: Force,
        state: &State<'g>,
        moves: &[u64],
    ) -> Option<u64> {
        let worth = |code: u64| {
            let mut next = state.fork();
            next.play(code, None);
            let number = self.number(&next)?;
            match self.values[number as usize] {
                Value::Win {
                    player: winner,
                    moves,
                } if winner == player => Some((2, u32::MAX - moves)),
                Value::Draw if force == Force::NoLoss => Some((1, 0)),
                _ => None,
            }
        };
        let kept = moves.iter().filter_map(|&code| Some((worth(code)?, code)));
        kept.max_by_key(|(worth, code)| (*worth, u64::MAX - code))
            .map(|(_, code)| code)
    }
}

/// How whole games are searched.
fn engine(args: &SolveArgs) -> Engine {
    match args.method {
        SolveMethod::Proof => Engine::ProofNumber,
        _ => Engine::AlphaBeta,
    }
}

fn by_search<'g>(
    start: &State<'g>,
    args: &SolveArgs,
    end: Option<Instant>,
) -> Result<Solved, Error> {
    let mut limits = ExhaustLimits {
        engine: engine(args),
        nodes: None,
        time: args.time,
        memory: args.memory.unwrap_or(MEMORY),
        orbits: orbits(args),
    };
    let mut solved = Solved {
        value: None,
        distance: None,
        line: None,
        positions: 0,
        complete: false,
        method: match limits.engine {
            Engine::AlphaBeta => "search",
            Engine::ProofNumber => "proof",
        },
        too_deep: false,
    };
    let name = start.info().rules_sha256;
    let mut walk = start.walk();
    let mut ticker = Ticker::new();
    let mut due = Instant::now() + SAVING;
    let saves = args.checkpoint.is_some();
    // The search is left to write the file, and goes on with the table that it has.
    let mut force = None;
    let mut kept: Option<Vec<u8>> = read_checkpoint(args)?;
    while force.is_none() {
        let mut progress = |positions: u64| {
            ticker.tell(|| format!("{} positions", solved.positions + positions));
            !saves || Instant::now() < due
        };
        let timed = ExhaustLimits {
            time: left(end),
            ..limits
        };
        let mut exhaust = Exhaust::new(&mut *walk, 0, &timed, &mut progress);
        if let Some(bytes) = &kept {
            exhaust
                .read(name, bytes)
                .map_err(|e| Error::User(format!("the checkpoint cannot be used: {e}")))?;
        }
        force = exhaust.force();
        let positions = exhaust.positions();
        if saves {
            let mut bytes = Vec::new();
            exhaust.write(name, &mut bytes)?;
            write_checkpoint(args, &bytes)?;
            kept = Some(bytes);
        }
        if let Some(force) = force {
            certify_search(start, args, &mut exhaust, force)?;
        }
        let too_deep = exhaust.is_too_deep();
        drop(exhaust);
        while walk.depth() > 0 {
            walk.up();
        }
        solved.positions += positions;
        if too_deep && args.method == SolveMethod::Auto && !saves {
            limits.engine = Engine::ProofNumber;
            solved.method = "proof";
            continue;
        }
        solved.too_deep = too_deep;
        let out_of_time = end.is_some_and(|end| Instant::now() >= end);
        if force.is_none() && (out_of_time || too_deep || !saves) {
            break;
        }
        due = Instant::now() + SAVING;
    }
    solved.value = force.map(|force| match force {
        Force::Win => Some(0),
        Force::NoLoss => None,
        Force::Nothing => Some(1),
    });
    solved.complete = solved.value.is_some();
    Ok(solved)
}

fn read_checkpoint(args: &SolveArgs) -> Result<Option<Vec<u8>>, Error> {
    match &args.checkpoint {
        Some(path) if path.exists() => {
            let wrong = |e| Error::User(format!("cannot read {}: {e}", path.display()));
            fs::read(path).map(Some).map_err(wrong)
        }
        _ => Ok(None),
    }
}

fn write_checkpoint(args: &SolveArgs, bytes: &[u8]) -> Result<(), Error> {
    let Some(path) = &args.checkpoint else {
        return Ok(());
    };
    let wrong = |e| Error::User(format!("cannot write {}: {e}", path.display()));
    let mut file = NewFile::create(path).map_err(wrong)?;
    file.write_all(bytes).map_err(wrong)?;
    file.finish().map_err(wrong)
}

/// Writes the certificate of a solved game with the moves that the search knows.
fn certify_search<'g>(
    start: &State<'g>,
    args: &SolveArgs,
    exhaust: &mut Exhaust<'_, '_>,
    force: Force,
) -> Result<(), Error> {
    let Some(path) = &args.certificate else {
        return Ok(());
    };
    let winner = match force {
        Force::Win => Some(0),
        Force::NoLoss => None,
        Force::Nothing => Some(1),
    };
    certify(
        path,
        start,
        winner,
        args,
        &mut |player, force, way, state, moves| {
            // The search knows what player 1 can force: player 2 wins where that is nothing.
            for &code in way {
                exhaust.walk().down(code);
            }
            let kept = match (player, force) {
                (0, force) => exhaust.keeps(force, moves),
                (_, force) => {
                    let too_much = match force {
                        Force::Win => Force::NoLoss,
                        _ => Force::Win,
                    };
                    let _ = state;
                    moves.iter().copied().find(|&code| {
                        exhaust.walk().down(code);
                        let can = exhaust.can(too_much);
                        exhaust.walk().up();
                        can == Some(false)
                    })
                }
            };
            for _ in way {
                exhaust.walk().up();
            }
            kept
        },
    )
}

/// Chooses a move of a player who wants to force something: given the way to the position, the position and its moves.
type Choose<'c, 'g> = &'c mut dyn FnMut(usize, Force, &[u64], &State<'g>, &[u64]) -> Option<u64>;

fn certify<'g>(
    path: &Path,
    start: &State<'g>,
    winner: Option<usize>,
    args: &SolveArgs,
    choose: Choose<'_, 'g>,
) -> Result<(), Error> {
    write_certificate(path, |file| {
        let claim = certificate::value_claim(winner);
        let mut writer = Writer::begin(file, start.info(), &start.text(), claim)?;
        let wanted: Vec<(usize, Force)> = match winner {
            Some(winner) => vec![(winner, Force::Win)],
            None => vec![(0, Force::NoLoss), (1, Force::NoLoss)],
        };
        for (player, force) in wanted {
            let most = args.explore.states;
            writer.strategy(&**start, player, force, most, &mut |way, state, moves| {
                choose(player, force, way, state, moves)
            })?;
        }
        Ok(writer.end()?)
    })
}

fn write_certificate(
    path: &Path,
    write: impl FnOnce(&mut NewFile) -> Result<(), Failure>,
) -> Result<(), Error> {
    let wrong = |e| Error::User(format!("cannot write {}: {e}", path.display()));
    let mut file = NewFile::create(path).map_err(wrong)?;
    write(&mut file).map_err(|failure| match failure {
        Failure::Io(e) => wrong(e),
        Failure::Lost => {
            Error::User("no certificate: a move of the strategy was not found".to_owned())
        }
        Failure::TooMany => Error::User(
            "no certificate: its strategy has too many positions; --states allows more".to_owned(),
        ),
    })?;
    file.finish().map_err(wrong)
}

/// What each of several players can force against all others.
fn solve_many<'g>(start: &State<'g>, args: &SolveArgs, out: &mut dyn Write) -> Result<(), Error> {
    if args.certificate.is_some() || args.checkpoint.is_some() {
        let text = "certificates and checkpoints are for one or two players";
        return Err(Error::User(text.to_owned()));
    }
    let mut ticker = Ticker::new();
    let mut limits = ExhaustLimits {
        engine: engine(args),
        nodes: None,
        time: args.time,
        memory: args.memory.unwrap_or(MEMORY),
        orbits: orbits(args),
    };
    let end = end_of(args);
    let mut positions = 0;
    let mut forces: BTreeMap<usize, Option<Force>> = BTreeMap::new();
    let mut stopped = false;
    for player in 0..start.info().players.len() {
        let mut progress = |positions: u64| {
            ticker.tell(|| format!("player {}: {positions} positions", player + 1));
            true
        };
        let mut force = |limits: &ExhaustLimits| {
            let mut walk = start.walk();
            let timed = ExhaustLimits {
                time: left(end),
                ..*limits
            };
            let mut exhaust = Exhaust::new(&mut *walk, player, &timed, &mut progress);
            let force = exhaust.force();
            positions += exhaust.positions();
            (force, exhaust.is_too_deep())
        };
        let (mut found, mut too_deep) = force(&limits);
        if too_deep && args.method == SolveMethod::Auto {
            limits.engine = Engine::ProofNumber;
            (found, too_deep) = force(&limits);
        }
        forces.insert(player, found);
        stopped |= too_deep;
    }
    let solved = forces.values().all(Option::is_some);
    let word = |force: Option<Force>| force.map(certificate::goal_word);
    let value = || {
        let each = forces.values().map(|force| word(*force));
        let each: Vec<Json> = each.map(Json::from).collect();
        json!({ "solved": solved, "forces": each, "states": positions })
    };
    let text = || {
        let mut text = String::new();
        for (player, force) in &forces {
            let name = view::player_text(start.info(), *player);
            let what = match force {
                Some(Force::Win) => "can force a win",
                Some(Force::NoLoss) => "can force that nobody else wins alone",
                Some(Force::Nothing) => "can be beaten by the others together",
                None => "not solved",
            };
            let _ = writeln!(text, "{name}: {what}");
        }
        let _ = writeln!(text, "{positions} positions");
        if stopped {
            let _ = writeln!(text, "{TOO_DEEP}");
        }
        text
    };
    emit(out, args.explore.json, value, text)
}

/// Arguments of `bots`.
#[derive(Args, Clone, Debug)]
pub struct BotsArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists the players that the computer plays, and their options.
///
/// # Errors
/// When writing fails.
pub fn bots(args: &BotsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let value = || {
        let row = |row: &rulec_search::bot::BotRow| json!({ "names": row.names, "about": row.about, "options": row.options });
        let option =
            |row: &rulec_search::bot::OptionRow| json!({ "key": row.key, "about": row.about });
        json!({
            "bots": rulec_search::bot::BOTS.iter().map(row).collect::<Vec<_>>(),
            "options": rulec_search::bot::OPTIONS.iter().map(option).collect::<Vec<_>>(),
        })
    };
    emit(out, args.json, value, rulec_search::bot::bots_help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_large_a_graph_is_listed_with_symmetries() {
        assert_eq!(listed(8, Orbits::Off), LISTED);
        assert_eq!(listed(8, Orbits::On) * 8, LISTED);
        assert_eq!(listed(1, Orbits::On), LISTED);
    }
}
