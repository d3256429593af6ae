//! Which warnings were shown already: nobody wants to read them at every call.

use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rulec_core::KeyHasher;

use crate::files;

/// How long nothing is said again.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Notes of files that are kept; beyond that old ones are removed.
const MOST_NOTES: usize = 1000;

/// Whether these warnings of a file were not shown within a day; notes that they are shown now.
///
/// Where that cannot be noted they are news.
pub(crate) fn is_news(file: &Path, warnings: &str) -> bool {
    rulec_search::files::cache_folder()
        .is_none_or(|cache| is_news_in(&cache.join("warned"), file, warnings))
}

fn is_news_in(folder: &Path, file: &Path, warnings: &str) -> bool {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let note = folder.join(hash(&file.to_string_lossy()));
    let mark = hash(warnings);
    if fs::read_to_string(&note).is_ok_and(|known| known == mark) && age(&note) < DAY {
        return false;
    }
    // A warning that is shown once too often harms nobody.
    if files::make_folder(folder).is_ok() {
        remove_old(folder);
        let _ = files::write(&note, mark.as_bytes());
    }
    true
}

fn hash(text: &str) -> String {
    let mut hasher = KeyHasher::new();
    hasher.write(text.as_bytes());
    format!("{:016x}", hasher.finish())
}

/// Time since a file was written; none if it is from the future.
fn age(file: &Path) -> Duration {
    let written = fs::metadata(file).and_then(|data| data.modified()).ok();
    written
        .and_then(|written| SystemTime::now().duration_since(written).ok())
        .unwrap_or_default()
}

fn remove_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let notes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    if notes.len() >= MOST_NOTES {
        for note in notes.iter().filter(|note| age(note) >= DAY) {
            // The next call tries again.
            let _ = fs::remove_file(note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_news_once_a_day_and_when_they_change() {
        let folder = std::env::temp_dir().join(format!("rulec-warned-{}", std::process::id()));
        let (one, other) = (Path::new("one.s3"), Path::new("other.s3"));
        let told = |file, warnings| is_news_in(&folder, file, warnings);
        assert!(told(one, "a"));
        assert!(!told(one, "a"));
        assert!(told(other, "a"), "each file has its own");
        assert!(told(one, "b"), "they changed");
        assert!(!told(one, "b"));
        for note in fs::read_dir(&folder).expect("it is there").flatten() {
            let file = fs::File::options().write(true).open(note.path());
            let yesterday = SystemTime::now() - DAY - Duration::from_secs(1);
            let dated = file.and_then(|file| file.set_modified(yesterday));
            dated.expect("it can be dated back");
        }
        assert!(told(one, "b"), "a day later");
        fs::remove_dir_all(&folder).expect("it can be removed");
        fs::write(&folder, "no folder").expect("it can be written");
        assert!(told(one, "b") && told(one, "b"), "no place for a note");
        fs::remove_file(&folder).expect("it can be removed");
    }
}
