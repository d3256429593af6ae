//! Everything that a server serves: one game, in its present version, and the games under way.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::kept::other_rules;
use crate::loaded::Loaded;
use crate::problem::Problem;
use crate::store::{Store, is_id};
use crate::table::Table;
use crate::thinkers::{Thinkers, Turns};

/// The most games that are under way at once.
const MOST_TABLES: usize = 1000;
/// How long nobody must have touched a game before it may give way to another.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);

/// Everything that a server serves: one game, in its present version, and the games under way.
pub struct Host {
    rules: RwLock<Rules>,
    tables: Mutex<BTreeMap<String, Entry>>,
    /// Told whenever the rules change.
    pub(crate) changed: watch::Sender<u64>,
    /// Where bots think.
    pub(crate) thinkers: Thinkers,
    /// Held while a game is taken up from its file: one after the other.
    pub(crate) reviving: Arc<tokio::sync::Mutex<()>>,
    keeping: OnceLock<Keeping>,
}

/// Where games are kept, and how many one address may have.
pub(crate) struct Keeping {
    pub(crate) store: Option<Store>,
    pub(crate) most_from_one: Option<usize>,
}

struct Rules {
    loaded: Arc<Loaded>,
    version: u64,
    /// What is wrong with a later version that does not compile.
    broken: Option<Value>,
}

/// A game under way, in memory or in its file.
struct Entry {
    place: Place,
    touched: SystemTime,
    /// Who began it, as far as that is known.
    from: Option<IpAddr>,
}

enum Place {
    Table(Arc<Table>),
    /// In a file, of the present rules or of those before them.
    File(PathBuf, bool),
}

impl Entry {
    fn is_idle(&self, now: SystemTime) -> bool {
        let watched = matches!(&self.place, Place::Table(table) if table.onlookers() > 0);
        !watched
            && now
                .duration_since(self.touched)
                .is_ok_and(|since| since >= IDLE)
    }
}

impl Host {
    /// Serves a game; so many bots may think at once.
    pub fn new(loaded: Loaded, thinkers: usize) -> Arc<Host> {
        Arc::new(Host {
            rules: RwLock::new(Rules {
                loaded: Arc::new(loaded),
                version: 1,
                broken: None,
            }),
            tables: Mutex::new(BTreeMap::new()),
            changed: watch::Sender::new(1),
            thinkers: Thinkers::new(thinkers),
            reviving: Arc::default(),
            keeping: OnceLock::new(),
        })
    }

    /// Keeps games where a store says, and knows those that are there already.
    pub(crate) fn keep(&self, keeping: Keeping) {
        if let Some(store) = &keeping.store {
            let rules = self.loaded().start.about().rules_sha256;
            let mut tables = self.tables();
            for kept in store.list(rules) {
                tables.insert(
                    kept.id,
                    Entry {
                        place: Place::File(kept.file, false),
                        touched: kept.touched,
                        from: None,
                    },
                );
            }
        }
        // A server begins to keep once.
        let _ = self.keeping.set(keeping);
    }

    fn store(&self) -> Option<&Store> {
        self.keeping.get()?.store.as_ref()
    }

    /// Keeps a game as it is now.
    pub(crate) fn save(&self, table: &Table) {
        if let Some(store) = self.store() {
            table.save(store);
        }
    }

    /// The present version.
    pub fn loaded(&self) -> Arc<Loaded> {
        Arc::clone(&self.read().loaded)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Rules> {
        self.rules.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Rules> {
        self.rules.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games in memory; those in files are of old rules from now on, if that is what they are told.
    fn in_memory(&self, of_old_rules: bool) -> Vec<Arc<Table>> {
        let mut found = Vec::new();
        for entry in self.tables().values_mut() {
            match &mut entry.place {
                Place::Table(table) => found.push(Arc::clone(table)),
                Place::File(_, old) => *old |= of_old_rules,
            }
        }
        found
    }

    /// The rules changed: games under way go on with the new ones as far as their moves are still legal.
    pub fn replace(self: &Arc<Host>, mut loaded: Loaded) {
        loaded.residents = self.loaded().residents.kept_for(loaded.start.info());
        let loaded = Arc::new(loaded);
        let version = {
            let mut rules = self.write();
            rules.loaded = Arc::clone(&loaded);
            rules.version += 1;
            rules.broken = None;
            rules.version
        };
        let tables = self.in_memory(true);
        for table in &tables {
            table.adopt(&loaded);
            self.save(table);
        }
        self.changed.send_replace(version);
        for table in tables {
            table.touch();
        }
    }

    /// A game that was begun or taken up while the rules changed goes on with the new ones, too.
    fn catch_up(&self, table: &Table) {
        while table.adopt(&self.loaded()) {
            self.save(table);
            table.touch();
        }
    }

    /// The rules changed and do not compile: games go on with the old ones.
    pub fn broken(&self, diagnostics: Value) {
        let version = {
            let mut rules = self.write();
            rules.version += 1;
            rules.broken = Some(diagnostics);
            rules.version
        };
        self.changed.send_replace(version);
        for table in self.in_memory(false) {
            table.touch();
        }
    }

    /// The version of the rules and what the compiler says about them.
    pub fn rules_json(&self) -> Value {
        let rules = self.read();
        json!({
            "version": rules.version,
            "broken": rules.broken.is_some(),
            "diagnostics": rules.broken.as_ref().unwrap_or(&rules.loaded.diagnostics),
        })
    }

    /// What is known of the game.
    pub(crate) fn game_json(&self) -> Value {
        let loaded = self.loaded();
        let info = loaded.start.about();
        let marks: Vec<Value> = loaded
            .look
            .marks()
            .map(|((domain, member), chosen, possible)| {
                json!({ "ref": format!("{domain}.{member}"), "chosen": chosen, "possible": possible })
            })
            .collect();
        json!({
            "name": info.name,
            "language": info.language,
            "rules_sha256": info.rules_sha256,
            "compiler": info.compiler,
            "players": info.players,
            "has_chance": info.has_chance,
            "has_scores": info.has_scores,
            "episodes": info.episode.is_some(),
            "explains": loaded.explains,
            "drawings": rulec_render::drawings(&loaded.look),
            "sides": loaded.look.sides().iter().map(|(name, ..)| *name).collect::<Vec<_>>(),
            "paints": loaded.look.sides().iter().map(|(_, fill, _)| *fill).collect::<Vec<_>>(),
            "chips": loaded.look.chips(),
            "coordinates": loaded.look.coordinates(),
            "marks": marks,
            "sheet": loaded.form(),
            "draws": loaded.draws(),
            "bots": loaded.residents.names(),
        })
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of all games.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.tables().keys().cloned().collect()
    }

    /// A game that is in memory.
    pub(crate) fn present(&self, id: &str) -> Option<Arc<Table>> {
        let mut tables = self.tables();
        let entry = tables.get_mut(id)?;
        entry.touched = SystemTime::now();
        match &entry.place {
            Place::Table(table) => Some(Arc::clone(table)),
            Place::File(..) => None,
        }
    }

    /// Whether a game is in a file, and nowhere else.
    pub(crate) fn is_in_file(&self, id: &str) -> bool {
        let tables = self.tables();
        matches!(
            tables.get(id),
            Some(Entry {
                place: Place::File(..),
                ..
            })
        )
    }

    /// Takes a game up from its file; true if it was not in memory before.
    pub(crate) fn revive(&self, id: &str) -> Result<(Arc<Table>, bool), Problem> {
        if let Some(table) = self.present(id) {
            return Ok((table, false));
        }
        let file = self.tables().get(id).and_then(|entry| match &entry.place {
            Place::File(file, old) => Some((file.clone(), *old)),
            Place::Table(_) => None,
        });
        let (Some((file, old)), Some(store)) = (file, self.store()) else {
            return Err(self.missing(id));
        };
        let kept = store.read(&file).ok_or_else(other_rules)?;
        let table = Table::revive(id.to_owned(), (&kept, file), self.loaded(), old)?;
        if old {
            self.save(&table);
        }
        if let Some(entry) = self.tables().get_mut(id) {
            entry.place = Place::Table(Arc::clone(&table));
        }
        self.catch_up(&table);
        Ok((table, true))
    }

    fn missing(&self, id: &str) -> Problem {
        let elsewhere = is_id(id) && self.store().is_some_and(|store| store.has_elsewhere(id));
        match elsewhere {
            true => other_rules(),
            false => Problem::new(404, "no-such-game", "no game of this number is under way"),
        }
    }

    /// Begins a game. Where there are too many, one that nobody touched for a day goes.
    pub(crate) fn open(
        &self,
        wish: &Value,
        from: Option<IpAddr>,
        turns: &mut Turns,
    ) -> Result<Arc<Table>, Problem> {
        self.make_room(&self.tables(), from)?;
        let table = Table::new(self.loaded(), wish, turns)?;
        let gone = {
            let mut tables = self.tables();
            let gone = self.make_room(&tables, from)?;
            let place = Place::Table(Arc::clone(&table));
            let touched = SystemTime::now();
            let entry = Entry {
                place,
                touched,
                from,
            };
            tables.insert(table.id.clone(), entry);
            for (id, _) in &gone {
                tables.remove(id);
            }
            gone
        };
        for (_, place) in gone {
            match (place, self.store()) {
                (Place::Table(table), store) => table.forget(store),
                (Place::File(file, _), Some(store)) => store.remove(&file),
                (Place::File(..), None) => {}
            }
        }
        self.save(&table);
        self.catch_up(&table);
        Ok(table)
    }

    /// Which games must go so that there is room for one more.
    fn make_room(
        &self,
        tables: &BTreeMap<String, Entry>,
        from: Option<IpAddr>,
    ) -> Result<Vec<(String, Place)>, Problem> {
        let now = SystemTime::now();
        let mut gone = Vec::new();
        let most = self.keeping.get().and_then(|keeping| keeping.most_from_one);
        if let (Some(most), Some(from)) = (most, from) {
            let own = |entry: &Entry| entry.from == Some(from);
            if tables.values().filter(|entry| own(entry)).count() >= most {
                gone.push(idlest(tables, now, own).ok_or_else(|| {
                    Problem::new(
                        429,
                        "too-many-games",
                        format!(
                            "{most} games from your address are under way, and one that nobody touches for a day goes \
                             first: go on with one of them"
                        ),
                    )
                })?);
            }
        }
        if gone.is_empty() && tables.len() >= MOST_TABLES {
            gone.push(idlest(tables, now, |_| true).ok_or_else(|| {
                Problem::new(
                    503,
                    "full",
                    format!(
                        "{MOST_TABLES} games are under way, all of them touched within a day: go on with one of them, or \
                         come back later"
                    ),
                )
            })?);
        }
        Ok(gone)
    }
}

/// The game that was not touched for the longest time, if that is long enough.
fn idlest(
    tables: &BTreeMap<String, Entry>,
    now: SystemTime,
    of: impl Fn(&Entry) -> bool,
) -> Option<(String, Place)> {
    let idle = tables
        .iter()
        .filter(|(_, entry)| of(entry) && entry.is_idle(now));
    let (id, entry) = idle.min_by_key(|(_, entry)| entry.touched)?;
    let place = match &entry.place {
        Place::Table(table) => Place::Table(Arc::clone(table)),
        Place::File(file, old) => Place::File(file.clone(), *old),
    };
    Some((id.clone(), place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_idle_after_a_day() {
        let entry = Entry {
            place: Place::File(PathBuf::new(), false),
            touched: SystemTime::UNIX_EPOCH,
            from: None,
        };
        let after = |seconds| entry.is_idle(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert!(after(24 * 60 * 60));
        assert!(!after(24 * 60 * 60 - 1));
    }
}
