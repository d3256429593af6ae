//! The emergency stop: a key, a signal or a file, watched by a thread of its own.
//!
//! It does not depend on the game's loop: it has its own way to the arm ([`Stopper`]), and the latch that it sets refuses
//! every motion until somebody clears it on purpose.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rulec_arm::{Stop, Stopper};

/// Why the arm was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A key.
    Key,
    /// A signal, such as of Control-C.
    Signal,
    /// The file came into being.
    File,
}

/// How often files and flags are looked at.
const TICK: Duration = Duration::from_millis(20);

/// Watches for reasons to stop.
pub struct Watch {
    stopper: Stopper,
    key: Arc<AtomicBool>,
    cause: Arc<AtomicU8>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

fn number(cause: Cause) -> u8 {
    match cause {
        Cause::Key => 1,
        Cause::Signal => 2,
        Cause::File => 3,
    }
}

impl Watch {
    /// Begins to watch, for signals and, where there is one, for a file. Holds the arm at the first reason.
    ///
    /// # Errors
    /// When signals cannot be caught.
    pub fn start(stopper: Stopper, file: Option<PathBuf>, signals: bool) -> io::Result<Watch> {
        let signal = Arc::new(AtomicBool::new(false));
        if signals {
            for kind in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
                // The second one of the same kind ends the program as usual.
                let known = Arc::clone(&signal);
                signal_hook::flag::register_conditional_default(kind, Arc::clone(&known))?;
                signal_hook::flag::register(kind, known)?;
            }
        }
        let [key, over] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let cause = Arc::new(AtomicU8::new(0));
        let watcher = {
            let (stopper, key, over) = (stopper.clone(), Arc::clone(&key), Arc::clone(&over));
            let cause = Arc::clone(&cause);
            move || {
                while !over.load(Ordering::SeqCst) {
                    let seen = if key.swap(false, Ordering::SeqCst) {
                        Some(Cause::Key)
                    } else if signal.swap(false, Ordering::SeqCst) {
                        Some(Cause::Signal)
                    } else if file.as_ref().is_some_and(|file| file.exists()) {
                        Some(Cause::File)
                    } else {
                        None
                    };
                    if let Some(seen) = seen {
                        cause.store(number(seen), Ordering::SeqCst);
                        // The latch is set even if the line is gone; there is nothing more to do from here.
                        let _ = stopper.stop(Stop::Hold);
                    }
                    std::thread::sleep(TICK);
                }
            }
        };
        Ok(Watch {
            stopper,
            key,
            cause,
            over,
            thread: Some(std::thread::spawn(watcher)),
        })
    }

    /// A flag that stops the arm when somebody sets it, such as for a key.
    pub fn key(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.key)
    }

    /// Stops the arm now.
    pub fn stop(&self) {
        self.cause.store(number(Cause::Key), Ordering::SeqCst);
        let _ = self.stopper.stop(Stop::Hold);
    }

    /// Why the arm was stopped last, if it was.
    pub fn cause(&self) -> Option<Cause> {
        match self.cause.load(Ordering::SeqCst) {
            1 => Some(Cause::Key),
            2 => Some(Cause::Signal),
            3 => Some(Cause::File),
            _ => None,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulec_arm::sim::{SimLink, Ssc32Device};
    use rulec_arm::{Arm, SimClock, Ssc32, Ssc32Profile};
    use std::sync::Mutex;
    use std::time::Instant;

    fn arm() -> Ssc32 {
        let profile = Ssc32Profile::original();
        let device = Ssc32Device::new(profile.clone(), "SSC32");
        let clock = SimClock::new();
        let link = SimLink::new(Arc::new(Mutex::new(device)), clock.shared());
        Ssc32::new(Box::new(link), clock.shared(), profile)
    }

    fn wait_for(latch: &rulec_arm::Latch) {
        let begun = Instant::now();
        while !latch.is_set() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "nothing was stopped"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_file_and_a_key_stop_the_arm_and_it_stays_so() {
        let file = std::env::temp_dir().join(format!("rulec-stop-{}", std::process::id()));
        let arm = arm();
        let watch = Watch::start(arm.stopper(), Some(file.clone()), false).expect("a watch");
        assert_eq!(watch.cause(), None);
        watch.key().store(true, Ordering::SeqCst);
        wait_for(&arm.latch());
        assert_eq!(watch.cause(), Some(Cause::Key));
        arm.latch().clear();
        std::fs::write(&file, "").expect("a file");
        wait_for(&arm.latch());
        assert_eq!(watch.cause(), Some(Cause::File));
        // While the file is there the latch cannot be cleared for long.
        arm.latch().clear();
        wait_for(&arm.latch());
        std::fs::remove_file(&file).expect("it is there");
    }
}
