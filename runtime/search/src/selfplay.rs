//! Games between computer players, counted and recorded.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use rulec_core::{Outcome, Playout, Reason, Rng, Turn};
use serde_json::{Value, json};

use crate::{
    AnyState, Bot, Progress, ResultCounts, Stopwatch,
    parallel::{lock, on_threads},
    playout::Tally,
    view,
};

/// Which games to play. Game `i` depends on the seed and on `i` alone, unless a player is bound by time.
#[derive(Clone, Debug)]
pub struct SelfplayJob {
    /// The run seed.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// Plies after which a game is stopped.
    pub limit: u32,
    /// Who plays, from player 1 on and then again from the first; at least one.
    pub bots: Vec<Bot>,
    /// Whether the players change seats from game to game.
    pub rotate: bool,
}

impl SelfplayJob {
    /// The bot that has a seat in a game.
    pub fn bot(&self, game: u64, seat: usize) -> usize {
        let shift = if self.rotate {
            game as usize % self.bots.len()
        } else {
            0
        };
        (seat + shift) % self.bots.len()
    }
}

/// The statistics of self-play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfplayReport {
    /// Of all games.
    pub tally: Tally,
    /// The results of each bot in each seat.
    pub bots: Vec<Vec<ResultCounts>>,
}

impl SelfplayReport {
    /// The mean payoff of a bot over its seats and games.
    pub fn mean_payoff(&self, bot: usize) -> f64 {
        let seats = &self.bots[bot];
        let sum = |(seat, results): (usize, &ResultCounts)| {
            results.mean_payoff(seat) * results.total() as f64
        };
        let sum: f64 = seats.iter().enumerate().map(sum).sum();
        let total: u64 = seats.iter().map(ResultCounts::total).sum();
        sum / total.max(1) as f64
    }
}

/// One game that was played.
struct Game {
    playout: Playout,
    moves: Vec<String>,
    scores: Vec<i64>,
}

/// Plays games between bots on some threads, and writes each to `out` as one line of JSON, in the order of the games.
///
/// # Errors
/// When writing fails.
pub fn selfplay<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob,
    threads: usize,
    out: Option<&mut (dyn Write + Send)>,
    progress: Progress<'_>,
) -> io::Result<SelfplayReport> {
    let record = out.is_some();
    let next = AtomicU64::new(0);
    let seats = start.info().players.len();
    let report = SelfplayReport {
        bots: vec![vec![ResultCounts::default(); seats]; job.bots.len()],
        ..SelfplayReport::default()
    };
    let lines = Lines {
        out,
        next: 0,
        waiting: BTreeMap::new(),
        failure: None,
    };
    let shared = Mutex::new((report, lines, progress));
    on_threads(threads.max(1), &|| {
        let watch = Stopwatch::start();
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= job.games {
                break;
            }
            let game = play(start, job, index, record);
            let line = record.then(|| record_line(start, job, index, &game));
            let mut guard = lock(&shared);
            let (report, lines, progress) = &mut *guard;
            report.tally.add(&game.playout);
            for seat in 0..seats {
                report.bots[job.bot(index, seat)][seat].add(game.playout.outcome);
            }
            lines.push(index, line.unwrap_or_default());
            if lines.failure.is_some() || !progress(report.tally.games()) {
                next.store(job.games, Relaxed);
            }
        }
        lock(&shared).0.tally.spent.merge(watch.spent());
    });
    let (report, lines, _) = shared.into_inner().unwrap_or_else(|e| e.into_inner());
    match lines.failure {
        Some(failure) => Err(failure),
        None => Ok(report),
    }
}

fn play<'g>(start: &(dyn AnyState<'g> + 'g), job: &SelfplayJob, index: u64, record: bool) -> Game {
    let mut state = start.fork();
    let mut rng = Rng::new(job.seed, index);
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    let mut draws = 0;
    let mut playout = Playout {
        plies: 0,
        moves: 0,
        counted: 0,
        outcome: None,
    };
    loop {
        let code = match state.turn() {
            Turn::Over => break playout.outcome = state.outcome(),
            Turn::Chance if draws == job.limit => break,
            Turn::Chance => {
                draws += 1;
                state.results().draw(&mut rng)
            }
            Turn::Decide(_) if playout.plies == job.limit => break,
            Turn::Decide(players) => {
                if let Err(fault) = state.moves(rulec_core::ChoiceSet::All, &mut legal) {
                    break playout.outcome = Some(Outcome::fault(fault));
                }
                playout.plies += 1;
                playout.counted += 1;
                playout.moves += legal.len() as u64;
                let bot = job.bot(index, players.trailing_zeros() as usize);
                job.bots[bot].choose(&*state, &mut rng)
            }
        };
        let Some(code) = code else {
            break playout.outcome = Some(Outcome::nobody(Reason::Stuck));
        };
        if record {
            moves.push(state.move_text(code));
        }
        state.play(code, None);
    }
    Game {
        playout,
        moves,
        scores: state.scores(),
    }
}

/// The record of one game, one line of JSON. Draws stand among the moves, so the game can be replayed from it.
fn record_line<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob,
    index: u64,
    game: &Game,
) -> String {
    let info = start.info();
    let seats = 0..info.players.len();
    let players: Vec<Value> = seats
        .map(|s| job.bots[job.bot(index, s)].to_string().into())
        .collect();
    let label = game
        .playout
        .outcome
        .map_or("limit".to_owned(), |o| o.label());
    let line = json!({
        "game": info.name,
        "rules_sha256": info.rules_sha256,
        "seed": job.seed,
        "index": index,
        "players": players,
        "moves": game.moves,
        "plies": game.playout.plies,
        "result": label,
        "outcome": view::outcome_json(info, game.playout.outcome, &game.scores),
    });
    format!("{line}\n")
}

/// Lines that arrive in any order and are written in theirs.
struct Lines<'o> {
    out: Option<&'o mut (dyn Write + Send)>,
    next: u64,
    waiting: BTreeMap<u64, String>,
    failure: Option<io::Error>,
}

impl Lines<'_> {
    fn push(&mut self, index: u64, line: String) {
        let Some(out) = self.out.as_mut() else {
            return;
        };
        self.waiting.insert(index, line);
        while let Some(line) = self.waiting.remove(&self.next) {
            self.next += 1;
            if let Err(failure) = out.write_all(line.as_bytes()) {
                self.failure.get_or_insert(failure);
            }
        }
    }
}

/// A file that appears under its name only when it is complete.
///
/// It is written under another name beside its place, which is removed again when it is not finished.
pub struct NewFile {
    path: PathBuf,
    draft: PathBuf,
    file: Option<BufWriter<File>>,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When the draft cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let draft = path.with_file_name(format!(".{}.{}.tmp", name.display(), process::id()));
        let file = BufWriter::new(File::create(&draft)?);
        Ok(Self {
            path: path.to_owned(),
            draft,
            file: Some(file),
        })
    }

    /// Brings everything to the disk and gives the file its name.
    ///
    /// # Errors
    /// When writing or renaming fails; no file of the name is made then.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error);
            let renamed = file
                .and_then(|file| file.sync_all())
                .and_then(|()| fs::rename(&self.draft, &self.path));
            if renamed.is_err() {
                // The first error is the one to report.
                let _ = fs::remove_file(&self.draft);
            }
            return renamed;
        }
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Nothing can be done about a draft that cannot be removed.
            let _ = fs::remove_file(&self.draft);
        }
    }
}
