//! Where games are kept, so that they are there again when the program was ended in whatever way.
//!
//! Each game is one file of JSON in the folder of its rules (named after their checksum), written whole or not at all after
//! every change. A folder belongs to one server at a time, which holds a lock on it. Files that anybody can read, copy and
//! delete, and of which none can harm another, are worth more here than a database: games are few, small and written
//! one by one.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rulec_search::files::write_whole;
use serde_json::Value;

/// The most bytes of a file of a game.
const MOST_BYTES: u64 = 64 << 20;

/// The folder of games.
pub(crate) struct Store {
    root: PathBuf,
    /// The folders of the rules that were served: their names, and the lock if it could be had.
    folders: Mutex<Vec<(String, Option<File>)>>,
    failed: AtomicBool,
}

/// A game that is kept.
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) file: PathBuf,
    pub(crate) touched: SystemTime,
}

impl Store {
    /// Keeps the games of rules with this checksum in a folder.
    ///
    /// # Errors
    /// When the folder cannot be made, or another server uses it.
    pub(crate) fn open(root: &Path, rules: &str) -> io::Result<Store> {
        let store = Store {
            root: root.to_owned(),
            folders: Mutex::default(),
            failed: AtomicBool::new(false),
        };
        let lock = store.lock(rules)?;
        store.remove_drafts(rules);
        store.folders().push((name_of(rules), Some(lock)));
        Ok(store)
    }

    /// Removes what a server that was killed had not finished writing.
    fn remove_drafts(&self, rules: &str) {
        let Ok(entries) = fs::read_dir(self.folder(rules)) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') && name.ends_with(".tmp") {
                self.remove(&entry.path());
            }
        }
    }

    fn folders(&self) -> std::sync::MutexGuard<'_, Vec<(String, Option<File>)>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, rules: &str) -> PathBuf {
        self.root.join(name_of(rules))
    }

    fn lock(&self, rules: &str) -> io::Result<File> {
        let folder = self.folder(rules);
        fs::create_dir_all(&folder)?;
        let file = File::create(folder.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                format!("another server keeps its games in {}", folder.display()),
            )),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// The folder of the rules with this checksum, if this server has it.
    fn owned(&self, rules: &str) -> Option<PathBuf> {
        let name = name_of(rules);
        let mut folders = self.folders();
        if !folders.iter().any(|(known, _)| *known == name) {
            let lock = self.lock(rules).map_err(|error| self.tell(&error)).ok();
            folders.push((name.clone(), lock));
        }
        let (_, lock) = folders.iter().find(|(known, _)| *known == name)?;
        lock.as_ref().map(|_| self.root.join(name))
    }

    /// The games that are kept for the rules with this checksum.
    pub(crate) fn list(&self, rules: &str) -> Vec<Kept> {
        let mut found = Vec::new();
        let Ok(entries) = fs::read_dir(self.folder(rules)) else {
            return found;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Some(id) = name.strip_suffix(".json").filter(|id| is_id(id)) else {
                continue;
            };
            let touched = entry.metadata().and_then(|data| data.modified());
            found.push(Kept {
                id: id.to_owned(),
                file: entry.path(),
                touched: touched.unwrap_or(SystemTime::UNIX_EPOCH),
            });
        }
        found
    }

    /// Whether a game of this number is kept for other rules.
    pub(crate) fn has_elsewhere(&self, id: &str) -> bool {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return false;
        };
        let file = format!("{id}.json");
        is_id(id)
            && entries
                .flatten()
                .any(|entry| entry.path().join(&file).is_file())
    }

    /// What is kept in a file; nothing where it is none of ours.
    pub(crate) fn read(&self, file: &Path) -> Option<Value> {
        let data = fs::metadata(file).ok()?;
        if data.len() > MOST_BYTES {
            return None;
        }
        let kept: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        (kept["form"] == crate::kept::FORM).then_some(kept)
    }

    /// Writes what is to be kept of a game, and tells where; nothing where it cannot be kept.
    pub(crate) fn write(&self, rules: &str, id: &str, kept: &Value) -> Option<PathBuf> {
        let file = self.owned(rules)?.join(format!("{id}.json"));
        match write_whole(&file, format!("{kept}\n").as_bytes()) {
            Ok(()) => Some(file),
            Err(error) => {
                self.tell(&error);
                None
            }
        }
    }

    /// Removes a file of a game.
    pub(crate) fn remove(&self, file: &Path) {
        if let Err(error) = fs::remove_file(file)
            && error.kind() != io::ErrorKind::NotFound
        {
            self.tell(&error);
        }
    }

    /// Says once that games cannot be kept.
    fn tell(&self, error: &io::Error) {
        if !self.failed.swap(true, Ordering::Relaxed) {
            // Without a reader there is nobody to tell.
            let root = self.root.display();
            let _ = writeln!(
                io::stderr(),
                "warning: games cannot be kept in {root}: {error}; they end with this program"
            );
        }
    }
}

/// The name of the folder of rules.
fn name_of(rules: &str) -> String {
    let hex: String = rules
        .chars()
        .filter(char::is_ascii_hexdigit)
        .take(16)
        .collect();
    match hex.is_empty() {
        true => "unnamed".to_owned(),
        false => hex,
    }
}

/// Whether a text is the number of a game, and so no path to elsewhere.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 12 && text.chars().all(|c| c.is_ascii_hexdigit())
}

/// The folder where games are kept if nobody names another.
pub(crate) fn usual_folder() -> Option<PathBuf> {
    rulec_search::files::cache_folder().map(|folder| folder.join("games"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_folder_belongs_to_one_server_and_files_are_whole() {
        let root = std::env::temp_dir().join(format!("rulec-store-{}", std::process::id()));
        let store = Store::open(&root, "0123456789abcdef01").expect("it can be made");
        let refused = Store::open(&root, "0123456789abcdef01").err();
        let refused = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains("another server"), "{refused}");
        let other = Store::open(&root, "fedcba9876543210").expect("other rules have their own");
        let kept = json!({ "form": crate::kept::FORM, "version": 3 });
        let file = store.write("0123456789abcdef01", "00aa11bb22cc", &kept);
        let file = file.expect("it is written");
        assert_eq!(store.read(&file), Some(kept));
        let listed = store.list("0123456789abcdef01");
        assert_eq!(listed.len(), 1, "neither the lock nor a draft is a game");
        assert!(other.has_elsewhere("00aa11bb22cc") && !other.has_elsewhere("00aa11bb22cd"));
        fs::write(&file, "{\"form\":\"rulec-ga").expect("it can be written");
        assert_eq!(
            store.read(&file),
            None,
            "what is none of ours is left alone"
        );
        store.remove(&file);
        assert!(store.list("0123456789abcdef01").is_empty());
        for text in [
            "../../../etc",
            "00aa11bb22c",
            "00aa11bb22c/",
            "00aa11bb22ccc",
        ] {
            assert!(!is_id(text), "{text}");
        }
        drop((store, other));
        fs::remove_dir_all(root).expect("it can be removed");
    }
}
