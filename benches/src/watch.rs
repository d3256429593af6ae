//! What child processes cost, as Linux tells it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What child processes cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Processor time of all of them, in the system too. 0 where the system does not tell.
    pub cpu_seconds: f64,
    /// Largest memory of one of them. 0 where the system does not tell.
    pub peak_bytes: u64,
}

/// How often memory is looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// Runs something that starts child processes and waits for them, and tells what they cost.
///
/// # Errors
/// Those of the work.
pub fn children<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, Cost), E> {
    let (done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
    let before = cpu_seconds();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                peak.fetch_max(peak_of_descendants(), Relaxed);
                std::thread::sleep(INTERVAL);
            }
        });
        let result = work();
        done.store(true, Relaxed);
        result
    });
    let cost = Cost {
        cpu_seconds: cpu_seconds() - before,
        peak_bytes: peak.load(Relaxed),
    };
    Ok((result?, cost))
}

/// Processor time of children that were waited for. The kernel counts it in hundredths of a second.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    // Fields 16 and 17 of proc(5), counted from the third, which follows the name.
    let ticks = fields.split(' ').skip(13).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The largest peak of memory of a process below this one.
fn peak_of_descendants() -> u64 {
    let mut processes = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_string_lossy().parse::<u32>();
        if let (Ok(pid), Ok(status)) = (pid, fs::read_to_string(entry.path().join("status"))) {
            let number = |key: &str| {
                let line = status.lines().find_map(|line| line.strip_prefix(key));
                line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok())
            };
            let parent = number("PPid:").unwrap_or(0) as u32;
            processes.insert(pid, (parent, number("VmHWM:").unwrap_or(0) * 1024));
        }
    }
    let own = std::process::id();
    let is_below = |mut pid: u32| {
        while let Some((parent, _)) = processes.get(&pid) {
            if *parent == own {
                return true;
            }
            pid = *parent;
        }
        false
    };
    let below = processes.iter().filter(|(pid, _)| is_below(**pid));
    below.map(|(_, (_, peak))| *peak).max().unwrap_or(0)
}
