//! Mutated rule files against the whole compiler: reading, lowering, passes, code generation, and reading that code.
//!
//! No mutant may make the compiler panic, take more than 5 seconds of processor time or more than a gigabyte. A mutant
//! follows from the seed and its number alone. Workers are processes of their own with a bound on memory; the first
//! process watches their time, and starts another one behind a mutant that ended one.
//!
//! ```text
//! rulec-fuzz [--count N] [--seed N] [--first N] [--deep N] [--check N] [--language NAME] [--workers N] FOLDER...
//! ```
//!
//! `FOLDER`s hold the rule files to start from. Of the mutants that are legal rules one in `--deep` goes through all
//! passes and code generation, the others only through those that are needed. The code of the first `--check` of them is
//! type-checked by rustc, as modules of one crate.

#![allow(clippy::print_stdout)]

mod mutate;
mod stages;
mod typed;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use mutate::Seeds;
use stages::Stage;

/// Processor time of one mutant, in seconds.
const SECONDS: u64 = 5;
/// Address space of a worker in kilobytes.
const KILOBYTES: u64 = 1 << 20;

/// What to do.
#[derive(Clone)]
struct Job {
    count: u64,
    seed: u64,
    first: u64,
    deep: u64,
    check: u64,
    language: Option<String>,
    workers: u64,
    folders: Vec<PathBuf>,
    /// Where mutants that went wrong and code to check are written.
    out: PathBuf,
    worker: bool,
}

impl Job {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Job, String> {
        let mut job = Job {
            count: 20_000,
            seed: 1,
            first: 0,
            deep: 1,
            check: 0,
            language: None,
            workers: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
            folders: Vec::new(),
            out: std::env::temp_dir().join("rulec-fuzz"),
            worker: false,
        };
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                job.folders.push(PathBuf::from(word));
                continue;
            }
            if word == "--worker" {
                job.worker = true;
                continue;
            }
            let value = words.next().ok_or(format!("{word} needs a value"))?;
            let number = || {
                value
                    .parse::<u64>()
                    .map_err(|e| format!("{word} {value}: {e}"))
            };
            match word.as_str() {
                "--count" => job.count = number()?,
                "--seed" => job.seed = number()?,
                "--first" => job.first = number()?,
                "--deep" => job.deep = number()?.max(1),
                "--check" => job.check = number()?,
                "--workers" => job.workers = number()?.max(1),
                "--language" => job.language = Some(value),
                "--out" => job.out = PathBuf::from(value),
                _ => return Err(format!("unknown option {word}")),
            }
        }
        Ok(job)
    }

    /// The same for a worker that tries every so manieth mutant from one on.
    fn words(&self, first: u64) -> Vec<String> {
        let mut words = vec!["--worker".to_owned()];
        let numbers = [
            ("--count", self.count),
            ("--seed", self.seed),
            ("--first", first),
            ("--deep", self.deep),
            ("--check", self.check),
            ("--workers", self.workers),
        ];
        for (name, number) in numbers {
            words.extend([name.to_owned(), number.to_string()]);
        }
        if let Some(language) = &self.language {
            words.extend(["--language".to_owned(), language.clone()]);
        }
        words.extend(["--out".to_owned(), self.out.display().to_string()]);
        words.extend(
            self.folders
                .iter()
                .map(|folder| folder.display().to_string()),
        );
        words
    }
}

fn main() -> ExitCode {
    let job = match Job::parse(std::env::args().skip(1)) {
        Ok(job) => job,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let seeds = Seeds::read(&job.folders, job.language.as_deref());
    if seeds.is_empty() {
        eprintln!("error: there are no rule files in the folders");
        return ExitCode::from(2);
    }
    if std::fs::create_dir_all(job.out.join("code")).is_err() {
        eprintln!("error: cannot write to {}", job.out.display());
        return ExitCode::from(2);
    }
    match job.worker {
        true => {
            work(&job, &seeds);
            ExitCode::SUCCESS
        }
        false => watch_all(&job, &seeds),
    }
}

/// Tries mutants and tells of each: before it `N`, after it `N STAGE`, or `N panic TEXT`.
fn work(job: &Job, seeds: &Seeds) {
    std::panic::set_hook(Box::new(stages::note_panic));
    let mut number = job.first;
    while number < job.count {
        println!("{number}");
        let mutant = seeds.mutant(job.seed, number);
        let deep = (number / job.workers).is_multiple_of(job.deep);
        match stages::run(&mutant, deep) {
            Ok((stage, code)) => {
                println!("{number} {}", stage as usize);
                if let Some(code) = code
                    && number - job.first < job.check.saturating_mul(CHECK_AMONG)
                {
                    let _ = std::fs::write(job.out.join(format!("code/{number}.rs")), code);
                }
            }
            Err(message) => {
                let small = stages::minimise(&mutant, deep, &message);
                let file = job.out.join(format!("{number}-{}", small.file_name()));
                let _ = std::fs::write(&file, small.text());
                println!("{number} panic {message} ({})", file.display());
            }
        }
        number += job.workers;
    }
}

/// Code to check is taken from so many times as many mutants: most are no legal rules.
const CHECK_AMONG: u64 = 400;

/// What was found out.
#[derive(Default)]
struct Tally {
    reached: BTreeMap<usize, u64>,
    wrong: Vec<String>,
}

fn watch_all(job: &Job, seeds: &Seeds) -> ExitCode {
    println!(
        "{} mutants of {} rule files, seed {}",
        job.count - job.first,
        seeds.len(),
        job.seed
    );
    let found: Vec<Tally> = std::thread::scope(|scope| {
        let watchers: Vec<_> = (0..job.workers)
            .map(|at| scope.spawn(move || watch(job, seeds, job.first + at)))
            .collect();
        let found = watchers
            .into_iter()
            .map(|watcher| watcher.join().unwrap_or_default());
        found.collect()
    });
    let mut wrong: Vec<String> = found.iter().flat_map(|f| f.wrong.clone()).collect();
    for (index, stage) in Stage::NAMES.iter().enumerate() {
        let count: u64 = found.iter().filter_map(|f| f.reached.get(&index)).sum();
        println!("{count} {stage}");
    }
    if job.check > 0 {
        match typed::check(&job.out, job.check) {
            Ok(checked) => println!("the code of {checked} mutants has sound types"),
            Err(error) => wrong.push(error),
        }
    }
    for error in &wrong {
        println!("WRONG: {error}");
    }
    println!("{} went wrong", wrong.len());
    ExitCode::from(u8::from(!wrong.is_empty()))
}

/// Starts workers one after the other until all their mutants were tried.
fn watch(job: &Job, seeds: &Seeds, first: u64) -> Tally {
    let mut found = Tally::default();
    let mut next = first;
    while next < job.count {
        let mut child = match start(job, next) {
            Ok(child) => child,
            Err(error) => {
                found.wrong.push(format!("no worker: {error}"));
                return found;
            }
        };
        let (at, slow) = (AtomicU64::new(next), AtomicBool::new(false));
        let ended = AtomicBool::new(false);
        let out = child.stdout.take();
        std::thread::scope(|scope| {
            scope.spawn(|| time_limit(&mut child, &at, &slow, &ended));
            for line in out
                .into_iter()
                .flat_map(|out| BufReader::new(out).lines())
                .flatten()
            {
                note(&line, &at, &mut found);
            }
            ended.store(true, Relaxed);
        });
        let good = child.wait().is_ok_and(|status| status.success());
        if good {
            break;
        }
        // It was stopped, or has stopped itself, in the mutant that it told last.
        let number = at.load(Relaxed);
        let why = match slow.load(Relaxed) {
            true => format!("takes more than {SECONDS} seconds"),
            false => "ends the process: no memory, or no stack".to_owned(),
        };
        let mutant = seeds.mutant(job.seed, number);
        let file = job.out.join(format!("{number}-{}", mutant.file_name()));
        let _ = std::fs::write(&file, mutant.text());
        found
            .wrong
            .push(format!("mutant {number} {why} ({})", file.display()));
        next = number + job.workers;
    }
    found
}

fn note(line: &str, at: &AtomicU64, found: &mut Tally) {
    let mut words = line.splitn(2, ' ');
    let Some(Ok(number)) = words.next().map(str::parse) else {
        return;
    };
    match words.next() {
        None => at.store(number, Relaxed),
        Some(rest) => match rest.parse() {
            Ok(stage) => *found.reached.entry(stage).or_default() += 1,
            Err(_) => found.wrong.push(format!("mutant {number}: {rest}")),
        },
    }
}

/// A worker with a bound on its memory.
fn start(job: &Job, first: u64) -> std::io::Result<Child> {
    let program = std::env::current_exe()?;
    Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {KILOBYTES}; exec \"$0\" \"$@\""))
        .arg(program)
        .args(job.words(first))
        .stdout(Stdio::piped())
        .spawn()
}

/// Kills a worker that stays too long at one mutant.
fn time_limit(child: &mut Child, at: &AtomicU64, slow: &AtomicBool, ended: &AtomicBool) {
    let (mut number, mut since) = (at.load(Relaxed), 0);
    while !ended.load(Relaxed) {
        std::thread::sleep(Duration::from_millis(100));
        let (now, used) = (at.load(Relaxed), processor_time(child.id()));
        if now != number {
            (number, since) = (now, used);
        } else if used.saturating_sub(since) > SECONDS * 100 {
            slow.store(true, Relaxed);
            // It may have ended just now.
            let _ = child.kill();
            return;
        }
    }
}

/// Processor time of a process in hundredths of a second, where the system tells it.
fn processor_time(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split(' ');
    fields
        .skip(12)
        .take(2)
        .filter_map(|n| n.parse::<u64>().ok())
        .sum()
}
