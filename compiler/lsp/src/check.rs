//! Checking files beside the thread that answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use indexmap::IndexMap;
use rulec_compiler::diag::{self, Diagnostic, Diagnostics, Severity};
use rulec_compiler::ir::Game;
use rulec_compiler::lang::{Language, Options};
use rulec_compiler::source::SourceMap;

use crate::{Host, document};

/// The stack of the thread that checks: as much as that of a program.
const STACK: usize = 8 << 20;

/// A version of a file to check.
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) version: i32,
    pub(crate) language: &'static Language,
    pub(crate) sources: SourceMap,
}

/// What was found in a version of a file.
pub(crate) struct Checked {
    pub(crate) uri: String,
    pub(crate) version: i32,
    pub(crate) sources: SourceMap,
    pub(crate) findings: Vec<Diagnostic>,
    /// The game, if there are no errors.
    pub(crate) game: Option<Game>,
}

/// The thread, and the ends of its channels.
pub(crate) struct Checker {
    jobs: Option<Sender<Job>>,
    pub(crate) done: Receiver<Checked>,
    thread: Option<JoinHandle<()>>,
}

impl Checker {
    pub(crate) fn start(host: Host) -> std::io::Result<Self> {
        let (jobs, todo) = unbounded();
        let (tell, done) = unbounded();
        let thread = std::thread::Builder::new()
            .name("checks".to_owned())
            .stack_size(STACK)
            .spawn(move || work(host, &todo, &tell))?;
        Ok(Self {
            jobs: Some(jobs),
            done,
            thread: Some(thread),
        })
    }

    pub(crate) fn submit(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // It only fails when the thread is gone, and then nothing is checked any more.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(host: Host, todo: &Receiver<Job>, tell: &Sender<Checked>) {
    // The newest version of each file.
    let mut waiting: IndexMap<String, Job> = IndexMap::new();
    loop {
        let first = match waiting.is_empty() {
            true => todo.recv().ok(),
            false => None,
        };
        if first.is_none() && waiting.is_empty() {
            return;
        }
        for job in first.into_iter().chain(todo.try_iter()) {
            waiting.insert(job.uri.clone(), job);
        }
        let Some((_, job)) = waiting.shift_remove_index(0) else {
            continue;
        };
        if tell.send(check(host, job)).is_err() {
            return;
        }
    }
}

fn check(host: Host, job: Job) -> Checked {
    let mut sources = job.sources;
    let mut options = Options::default();
    if let Some(path) = document::path(&job.uri) {
        options.image_folder = (host.images)(&path);
        (host.companions)(&path, &mut sources, &options);
    }
    // A defect of a front end must not take the editor's server with it.
    let found = catch_unwind(AssertUnwindSafe(|| {
        findings(&sources, job.language, &options)
    }));
    let (findings, game) = found.unwrap_or_default();
    Checked {
        uri: job.uri,
        version: job.version,
        findings,
        sources,
        game,
    }
}

/// What a fresh check of the first file of a map finds, and the game if that is no error.
fn findings(
    sources: &SourceMap,
    language: &Language,
    options: &Options,
) -> (Vec<Diagnostic>, Option<Game>) {
    let mut diagnostics = Diagnostics::new();
    let first = sources.files().first();
    let front =
        first.and_then(|first| (language.compile)(sources, first.id(), options, &mut diagnostics));
    diag::lookalike::tell(sources, &mut diagnostics);
    diagnostics.sort();
    let findings: Vec<Diagnostic> = diagnostics.iter().cloned().collect();
    let sound = findings
        .iter()
        .all(|found| found.severity() != Severity::Error);
    (findings, front.filter(|_| sound).map(|front| front.game))
}
