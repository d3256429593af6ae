//! What games of the rules are like, found out beside the thread that answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rulec_compiler::ir::Game;
use rulec_interp::{Interp, Turn};

use crate::{Host, Played};

/// The stack of the thread that plays: as much as that of a program.
const STACK: usize = 8 << 20;

/// A version of a file to play.
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) version: i32,
    /// The newest version that there is.
    pub(crate) newest: Arc<AtomicI32>,
    pub(crate) game: Arc<Game>,
}

impl Job {
    fn is_newest(&self) -> bool {
        self.newest.load(Ordering::Relaxed) == self.version
    }
}

/// What was found out about a version of a file.
pub(crate) enum Told {
    /// The moves of the start, by family; nothing if nobody decides there.
    Start {
        uri: String,
        version: i32,
        starts: Option<Vec<u64>>,
    },
    /// What random games showed.
    Games {
        uri: String,
        version: i32,
        played: Played,
    },
}

/// The thread, and the ends of its channels.
pub(crate) struct Games {
    jobs: Option<Sender<Job>>,
    pub(crate) done: Receiver<Told>,
    /// The version of the last job: another number ends it.
    last: Option<Arc<AtomicI32>>,
    thread: Option<JoinHandle<()>>,
}

impl Games {
    pub(crate) fn start(host: Host) -> std::io::Result<Self> {
        let (jobs, todo) = unbounded();
        let (tell, done) = unbounded();
        let thread = std::thread::Builder::new()
            .name("games".to_owned())
            .stack_size(STACK)
            .spawn(move || work(host, &todo, &tell))?;
        Ok(Self {
            jobs: Some(jobs),
            done,
            last: None,
            thread: Some(thread),
        })
    }

    pub(crate) fn submit(&mut self, job: Job) {
        self.last = Some(Arc::clone(&job.newest));
        if let Some(jobs) = &self.jobs {
            // It only fails when the thread is gone, and then nothing is played any more.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Games {
    fn drop(&mut self) {
        self.jobs = None;
        // Nobody waits for what is still played.
        if let Some(last) = &self.last {
            last.store(i32::MIN, Ordering::Relaxed);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(host: Host, todo: &Receiver<Job>, tell: &Sender<Told>) {
    for job in todo {
        if !job.is_newest() {
            continue;
        }
        // A defect must not take the editor's server with it.
        let starts = catch_unwind(AssertUnwindSafe(|| starts(&job.game)));
        let told = Told::Start {
            uri: job.uri.clone(),
            version: job.version,
            starts: starts.unwrap_or_default(),
        };
        if tell.send(told).is_err() {
            return;
        }
        let go_on = || job.is_newest();
        let played = catch_unwind(AssertUnwindSafe(|| (host.play)(&job.game, &go_on)));
        if let Ok(Some(played)) = played {
            let told = Told::Games {
                uri: job.uri,
                version: job.version,
                played,
            };
            if tell.send(told).is_err() {
                return;
            }
        }
    }
}

/// How many moves each family has at the start, each told once where several look the same.
fn starts(game: &Game) -> Option<Vec<u64>> {
    let interp = Interp::new(game.clone()).ok()?;
    let state = interp.initial();
    let Turn::Decide(_) = interp.turn(&state) else {
        return None;
    };
    let mut counts = vec![0; game.families.len()];
    for mv in interp.distinct_moves(&state).ok()? {
        if let Some(count) = interp
            .move_numbers(mv, &mut Vec::new())
            .and_then(|family| counts.get_mut(family))
        {
            *count += 1;
        }
    }
    Some(counts)
}
