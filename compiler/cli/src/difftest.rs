//! `rulec difftest`: two machines for one game, walked side by side on random games.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use anyhow::{Context, Result, bail};
use rulec_search::State;
use rulec_search::trace::{self, TraceJob};
use serde_json::{Value, json};

/// What to compare.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Positions to compare at least.
    pub positions: u64,
    /// Seed of the random games.
    pub seed: u64,
    /// Plies of a random game at most.
    pub plies: u32,
    /// In one of so many positions the successors are compared too.
    pub deep: u32,
    /// Threads, each with a machine of either kind.
    pub threads: usize,
}

impl Settings {
    fn job(&self, first: u64, games: u64) -> TraceJob {
        TraceJob {
            seed: self.seed,
            first,
            games,
            plies: self.plies,
            deep: self.deep,
        }
    }
}

/// A machine for a game.
pub trait Machine {
    /// Takes a job, so that machines in other processes can work on it at the same time.
    ///
    /// # Errors
    /// When the machine is gone.
    fn begin(&mut self, job: &TraceJob) -> Result<()>;

    /// The result of the job taken last, see [`trace::trace`].
    ///
    /// # Errors
    /// When the machine is gone.
    fn finish(&mut self) -> Result<Vec<Vec<u64>>>;

    /// See [`trace::path`].
    ///
    /// # Errors
    /// When the machine is gone.
    fn path(&mut self, job: &TraceJob, game: u64, position: usize) -> Result<Vec<String>>;

    /// See [`trace::describe`].
    ///
    /// # Errors
    /// When the machine is gone.
    fn describe(&mut self, moves: &[&str]) -> Result<Option<Vec<String>>>;
}

/// A machine in this process.
pub struct Here<'g> {
    start: State<'g>,
    job: Option<TraceJob>,
}

impl<'g> Here<'g> {
    /// The machine of a start state.
    pub fn new(start: State<'g>) -> Self {
        Self { start, job: None }
    }
}

impl Machine for Here<'_> {
    fn begin(&mut self, job: &TraceJob) -> Result<()> {
        self.job = Some(*job);
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<Vec<u64>>> {
        Ok(self
            .job
            .take()
            .map(|job| trace::trace(&self.start, &job))
            .unwrap_or_default())
    }

    fn path(&mut self, job: &TraceJob, game: u64, position: usize) -> Result<Vec<String>> {
        Ok(trace::path(&self.start, job, game, position))
    }

    fn describe(&mut self, moves: &[&str]) -> Result<Option<Vec<String>>> {
        Ok(trace::describe(&self.start, moves))
    }
}

/// A compiled game as a child process: its hidden command `oracle`, see [`trace::serve`].
pub struct Program {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    games: u64,
}

impl Program {
    /// Starts the program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(path: &Path, arguments: &[&str]) -> Result<Self> {
        let mut child = Command::new(path)
            .args(arguments)
            .arg("oracle")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", path.display()))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{} has no pipes", path.display());
        };
        Ok(Self {
            child,
            requests,
            answers: BufReader::new(answers),
            games: 0,
        })
    }

    fn ask(&mut self, request: &str) -> Result<()> {
        writeln!(self.requests, "{request}").context("the compiled game has stopped")?;
        Ok(self.requests.flush()?)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            let status = self.child.wait()?;
            bail!("the compiled game has stopped: {status}");
        }
        Ok(line.trim_end_matches('\n').to_owned())
    }
}

impl Machine for Program {
    fn begin(&mut self, job: &TraceJob) -> Result<()> {
        self.games = job.games;
        self.ask(&format!("trace {}", numbers(job)))
    }

    fn finish(&mut self) -> Result<Vec<Vec<u64>>> {
        (0..self.games)
            .map(|_| {
                let line = self.line()?;
                let numbers = line.split_whitespace().map(|n| u64::from_str_radix(n, 16));
                Ok(numbers.collect::<Result<Vec<u64>, _>>()?)
            })
            .collect()
    }

    fn path(&mut self, job: &TraceJob, game: u64, position: usize) -> Result<Vec<String>> {
        self.ask(&format!("path {game} {position} {}", numbers(job)))?;
        let line = self.line()?;
        let moves = line.split(';').map(str::trim).filter(|m| !m.is_empty());
        Ok(moves.map(str::to_owned).collect())
    }

    fn describe(&mut self, moves: &[&str]) -> Result<Option<Vec<String>>> {
        self.ask(&format!("describe {}", moves.join("; ")))?;
        let count = self.line()?;
        if count == "none" {
            return Ok(None);
        }
        let count: usize = count.parse()?;
        Ok(Some(
            (0..count).map(|_| self.line()).collect::<Result<_>>()?,
        ))
    }
}

fn numbers(job: &TraceJob) -> String {
    let TraceJob {
        seed,
        first,
        games,
        plies,
        deep,
    } = job;
    format!("{seed} {first} {games} {plies} {deep}")
}

impl Drop for Program {
    fn drop(&mut self) {
        // It ends when its input does; an error means that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A position in which the machines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The moves that lead to it.
    pub moves: Vec<String>,
    /// The facts that differ: what the first machine says and what the second says.
    pub facts: Vec<(String, String)>,
    /// Length of the random game in which a difference was met first.
    pub found_after: usize,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Positions compared.
    pub positions: u64,
    /// Games compared.
    pub games: u64,
    /// A shortest difference, if there is any.
    pub witness: Option<Witness>,
}

impl Report {
    /// For machines.
    pub fn json(&self) -> Value {
        let witness = self.witness.as_ref().map(|w| {
            let facts: Vec<Value> = w
                .facts
                .iter()
                .map(|(a, b)| json!({ "first": a, "second": b }))
                .collect();
            json!({ "moves": w.moves, "found_after": w.found_after, "differences": facts })
        });
        json!({ "positions": self.positions, "games": self.games, "difference": witness })
    }

    /// For people.
    pub fn text(&self, names: [&str; 2]) -> String {
        let Some(witness) = &self.witness else {
            return format!(
                "no difference in {} positions of {} games\n",
                self.positions, self.games
            );
        };
        let moves = match witness.moves.is_empty() {
            true => "in the start position".to_owned(),
            false => format!("after \"{}\"", witness.moves.join("; ")),
        };
        let mut text = format!(
            "difference {moves} (found after {} moves of a random game):\n",
            witness.found_after
        );
        for (first, second) in &witness.facts {
            text.push_str(&format!(
                "  {:>8}: {first}\n  {:>8}: {second}\n",
                names[0], names[1]
            ));
        }
        text
    }
}

/// Games that a thread compares at a time.
const BATCH: u64 = 2;

/// Compares two machines on random games until enough positions are compared or they differ.
///
/// The result does not depend on the number of threads: it is about the first game that differs. `progress` is told
/// the number of positions compared.
///
/// # Errors
/// When a machine cannot be made or stops.
pub fn compare<M: Machine, N: Machine>(
    settings: &Settings,
    make: impl Fn() -> Result<(M, N)> + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Report> {
    let shared = Shared::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.threads.max(1))
            .map(|_| scope.spawn(|| shared.work(settings, &make, &progress)))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| bail!("a thread of the comparison stopped"))
        })
    })?;
    let total = lock(&shared.done).total(settings.positions);
    let witness = match total.found {
        Some(found) => Some(witness(settings, found, make()?)?),
        None => None,
    };
    Ok(Report {
        positions: total.positions,
        games: total.games,
        witness,
    })
}

/// What the batches of games gave, by their first games.
#[derive(Default)]
struct Done(BTreeMap<u64, Batch>);

/// Positions compared, and the first game and position that differ.
struct Batch {
    positions: u64,
    found: Option<(u64, usize)>,
}

/// What a comparison came to.
struct Total {
    positions: u64,
    games: u64,
    found: Option<(u64, usize)>,
}

impl Done {
    /// The sum up to the batch with which there are enough positions or in which there is a difference: threads that
    /// were ahead do not count.
    fn total(&self, enough: u64) -> Total {
        let mut total = Total {
            positions: 0,
            games: 0,
            found: None,
        };
        for batch in self.0.values() {
            if total.found.is_some() || total.positions >= enough {
                break;
            }
            total.positions += batch.positions;
            total.games += BATCH;
            total.found = batch.found;
        }
        total
    }
}

/// What the threads of a comparison share.
#[derive(Default)]
struct Shared {
    next: AtomicU64,
    stop: AtomicBool,
    positions: AtomicU64,
    done: Mutex<Done>,
}

impl Shared {
    fn work<M: Machine, N: Machine>(
        &self,
        settings: &Settings,
        make: &(impl Fn() -> Result<(M, N)> + Sync),
        progress: &(impl Fn(u64) + Sync),
    ) -> Result<()> {
        let (mut one, mut two) = make()?;
        while !self.stop.load(Relaxed) {
            let first = self.next.fetch_add(BATCH, Relaxed);
            let job = settings.job(first, BATCH);
            two.begin(&job)?;
            one.begin(&job)?;
            let (ours, theirs) = (one.finish()?, two.finish()?);
            let found = first_difference(&ours, &theirs)
                .map(|(game, position)| (first + game as u64, position));
            if found.is_some() {
                self.stop.store(true, Relaxed);
            }
            let positions = ours.iter().map(|g| g.len() as u64).sum::<u64>();
            lock(&self.done).0.insert(first, Batch { positions, found });
            let total = self.positions.fetch_add(positions, Relaxed) + positions;
            if total >= settings.positions {
                self.stop.store(true, Relaxed);
            }
            progress(total);
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn first_difference(ours: &[Vec<u64>], theirs: &[Vec<u64>]) -> Option<(usize, usize)> {
    ours.iter()
        .zip(theirs)
        .enumerate()
        .find(|(_, (a, b))| a != b)
        .map(|(game, (a, b))| {
            let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
            (game, same)
        })
}

/// A shortest sequence of moves after which the machines differ.
fn witness<M: Machine, N: Machine>(
    settings: &Settings,
    (game, position): (u64, usize),
    (one, two): (M, N),
) -> Result<Witness> {
    let mut pair = Pair { one, two };
    let job = settings.job(game, 1);
    let path = pair.one.path(&job, game, position)?;
    let moves = match pair.shallow()? {
        Some(moves) => moves,
        None => pair.shrink(path)?,
    };
    let mut facts = pair.facts(&moves)?.unwrap_or_default();
    if facts.is_empty() {
        let unclear = "seen in the game, but not when its moves are played again";
        facts.push((unclear.to_owned(), unclear.to_owned()));
    }
    Ok(Witness {
        moves,
        facts,
        found_after: position,
    })
}

/// Positions that the search for a shallow difference looks at.
const SHALLOW: usize = 1_000;

struct Pair<M, N> {
    one: M,
    two: N,
}

impl<M: Machine, N: Machine> Pair<M, N> {
    /// What differs after some moves, nothing if they agree; `None` if neither can play the moves.
    fn facts<S: AsRef<str>>(&mut self, moves: &[S]) -> Result<Option<Vec<(String, String)>>> {
        let moves: Vec<&str> = moves.iter().map(AsRef::as_ref).collect();
        let none = || vec!["cannot play these moves".to_owned()];
        Ok(
            match (self.one.describe(&moves)?, self.two.describe(&moves)?) {
                (None, None) => None,
                (a, b) => Some(differing(&a.unwrap_or_else(none), &b.unwrap_or_else(none))),
            },
        )
    }

    fn differs<S: AsRef<str>>(&mut self, moves: &[S]) -> Result<bool> {
        Ok(self.facts(moves)?.is_some_and(|facts| !facts.is_empty()))
    }

    /// The first difference in the order of breadth-first search, if it is near the start.
    fn shallow(&mut self) -> Result<Option<Vec<String>>> {
        let mut queue = VecDeque::from([Vec::<String>::new()]);
        for _ in 0..SHALLOW {
            let Some(moves) = queue.pop_front() else {
                break;
            };
            if self.differs(&moves)? {
                return Ok(Some(moves));
            }
            if queue.len() < SHALLOW {
                let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
                let description = self.one.describe(&texts)?.unwrap_or_default();
                queue.extend(trace::moves_of(&description).map(|next| {
                    let next = [next.to_owned()];
                    moves.iter().cloned().chain(next).collect()
                }));
            }
        }
        Ok(None)
    }

    /// Leaves moves out as long as the machines still differ after the rest, or after a part of it.
    ///
    /// Stretches of every length are tried, then pairs wherever they stand, since the moves of two players often have
    /// to go together.
    fn shrink(&mut self, mut moves: Vec<String>) -> Result<Vec<String>> {
        loop {
            let before = moves.len();
            for width in (1..=before / 2).rev() {
                let mut at = 0;
                while at < moves.len() {
                    let end = (at + width).min(moves.len());
                    let mut fewer = moves.clone();
                    fewer.drain(at..end);
                    match self.differs(&fewer)? {
                        true => moves = fewer,
                        false => at += width,
                    }
                }
            }
            self.leave_out_pairs(&mut moves)?;
            if moves.len() == before {
                return Ok(moves);
            }
        }
    }

    fn leave_out_pairs(&mut self, moves: &mut Vec<String>) -> Result<()> {
        let mut first = 0;
        while first < moves.len() {
            let mut second = first + 1;
            while second < moves.len() {
                let mut fewer = moves.clone();
                fewer.remove(second);
                fewer.remove(first);
                match self.differs(&fewer)? {
                    true => (*moves, second) = (fewer, first + 1),
                    false => second += 1,
                }
            }
            first += 1;
        }
        Ok(())
    }
}

/// The facts of two descriptions that are not equal, in pairs by their names.
fn differing(one: &[String], two: &[String]) -> Vec<(String, String)> {
    let [ours, theirs] = [one, two].map(|lines| {
        let facts = lines
            .iter()
            .map(|line| line.split_once('\t').unwrap_or((line, "")));
        facts.collect::<BTreeMap<&str, &str>>()
    });
    let names: BTreeSet<&str> = ours.keys().chain(theirs.keys()).copied().collect();
    let show = |name: &str, value: Option<&&str>| match value {
        Some(value) => format!("{name}: {value}"),
        None => format!("{name}: -"),
    };
    names
        .into_iter()
        .filter(|name| ours.get(name) != theirs.get(name))
        .map(|name| (show(name, ours.get(name)), show(name, theirs.get(name))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of `a` and `b` up to a length; a broken machine has another opinion about words that it was given.
    struct Words {
        length: usize,
        broken: fn(&[&str]) -> bool,
        job: TraceJob,
    }

    impl Words {
        fn new(length: usize, broken: fn(&[&str]) -> bool) -> Self {
            let job = settings(1).job(0, 0);
            Self {
                length,
                broken,
                job,
            }
        }

        fn word(&self, game: u64) -> Vec<&'static str> {
            (0..self.length)
                .map(|at| if game >> (at % 5) & 1 == 1 { "a" } else { "b" })
                .collect()
        }
    }

    impl Machine for Words {
        fn begin(&mut self, job: &TraceJob) -> Result<()> {
            self.job = *job;
            Ok(())
        }

        fn finish(&mut self) -> Result<Vec<Vec<u64>>> {
            let job = self.job;
            let trace = |game| {
                let word = self.word(game);
                let number = |n| u64::from((self.broken)(&word[..n]));
                (0..=word.len()).map(number).collect()
            };
            Ok((job.first..job.first + job.games).map(trace).collect())
        }

        fn path(&mut self, _: &TraceJob, game: u64, position: usize) -> Result<Vec<String>> {
            let word = self.word(game);
            Ok(word[..position].iter().map(|&w| w.to_owned()).collect())
        }

        fn describe(&mut self, moves: &[&str]) -> Result<Option<Vec<String>>> {
            if moves.len() > self.length {
                return Ok(None);
            }
            let mut lines = vec![format!("broken\t{}", (self.broken)(moves))];
            if moves.len() < self.length {
                lines.extend(["move a\tletter".to_owned(), "move b\tletter".to_owned()]);
            }
            Ok(Some(lines))
        }
    }

    fn settings(threads: usize) -> Settings {
        Settings {
            positions: 10_000,
            seed: 1,
            plies: 100,
            deep: 1,
            threads,
        }
    }

    fn compared(length: usize, threads: usize, broken: fn(&[&str]) -> bool) -> Report {
        let make = || Ok((Words::new(length, |_| false), Words::new(length, broken)));
        compare(&settings(threads), make, |_| {}).expect("the machines work")
    }

    #[test]
    fn equal_machines_are_compared_to_the_end() {
        let report = compared(30, 2, |_| false);
        assert_eq!(report.witness, None);
        assert!(report.positions >= 10_000, "{report:?}");
        assert!(report.text(["one", "two"]).starts_with("no difference in "));
    }

    #[test]
    fn a_difference_near_the_start_gets_the_shortest_witness() {
        for threads in [1, 3] {
            let report = compared(30, threads, |word| word.ends_with(&["a", "b"]));
            let witness = report.witness.expect("they differ");
            assert_eq!(witness.moves, ["a", "b"]);
            let facts = [("broken: false".to_owned(), "broken: true".to_owned())];
            assert_eq!(witness.facts, facts);
        }
    }

    #[test]
    fn a_difference_far_from_the_start_is_shrunk() {
        let many = |word: &[&str]| word.iter().filter(|w| **w == "a").count() >= 12;
        let report = compared(60, 2, many);
        let witness = report.witness.expect("they differ");
        assert_eq!(witness.moves, ["a"; 12]);
        assert!(witness.found_after >= 12);
    }

    #[test]
    fn a_machine_that_stops_is_an_error() {
        let program = if cfg!(windows) { "hostname" } else { "true" };
        let make = || {
            Ok((
                Words::new(3, |_| false),
                Program::start(Path::new(program), &[])?,
            ))
        };
        let error = compare(&settings(1), make, |_| {}).expect_err("it stops");
        assert!(format!("{error:#}").contains("has stopped"), "{error:#}");
    }
}
