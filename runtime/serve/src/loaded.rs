//! A game that is served, and what becomes of it when its rules change.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use rulec_core::{Game, Reasons};
use rulec_render::{Files, Look};
use rulec_search::State;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::problem::Problem;
use crate::table::{Ply, Table};
use crate::thinkers::Thinkers;

/// A version of a game, ready to be played.
///
/// Games stay in memory as long as the program runs, as positions point to them: a session of an author loads as many
/// as there were edits that compile.
pub struct Loaded {
    /// The start.
    pub start: State<'static>,
    /// How it looks.
    pub look: Look,
    /// Its picture files.
    pub files: Files,
    /// Names and texts of the rule files, to quote lines from; empty for compiled games.
    pub sources: Vec<(String, String)>,
    /// What the compiler says about the rules, as a list.
    pub diagnostics: Value,
    /// Whether the engine can say why a move is not legal.
    pub explains: bool,
    /// What tells it where the game itself does not know.
    pub(crate) reasons: Option<Reasons>,
    /// The start as games begin with it, so that it is drawn once for all of them.
    first: OnceLock<Arc<Ply>>,
}

impl Loaded {
    /// A game with its looks, without pictures and sources.
    pub fn new<G: Game + 'static>(game: G, look: Look) -> Loaded {
        let game: &'static G = Box::leak(Box::new(game));
        Loaded {
            start: rulec_search::start(game),
            look,
            files: Files::new(),
            sources: Vec::new(),
            diagnostics: json!([]),
            explains: false,
            reasons: None,
            first: OnceLock::new(),
        }
    }

    /// What tells why a move is not legal, for a game that does not know it itself.
    pub fn tell_reasons(&mut self, reasons: Option<Reasons>) {
        if let Some(reasons) = &reasons {
            self.explains = true;
            self.sources.clone_from(&reasons.sources);
        }
        self.reasons = reasons;
    }

    /// The position that games begin with.
    pub(crate) fn first(&self) -> Arc<Ply> {
        Arc::clone(self.first.get_or_init(|| Ply::first(self)))
    }

    /// The line of a rule file that a byte lies in: its number from 1, and the text.
    pub(crate) fn line(&self, file: u32, byte: u32) -> Option<(usize, &str)> {
        let (_, text) = self.sources.get(file as usize)?;
        let before = text.as_bytes().get(..byte as usize)?;
        let number = before.iter().filter(|&&b| b == b'\n').count();
        Some((number + 1, text.lines().nth(number)?))
    }
}

/// The most games that are under way at once.
const MOST_TABLES: usize = 1000;

/// Everything that a server serves: one game, in its present version, and the games under way.
pub struct Host {
    rules: RwLock<Rules>,
    tables: Mutex<Vec<Arc<Table>>>,
    /// Told whenever the rules change.
    pub(crate) changed: watch::Sender<u64>,
    /// Where bots think.
    pub(crate) thinkers: Thinkers,
}

struct Rules {
    loaded: Arc<Loaded>,
    version: u64,
    /// What is wrong with a later version that does not compile.
    broken: Option<Value>,
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
            tables: Mutex::new(Vec::new()),
            changed: watch::Sender::new(1),
            thinkers: Thinkers::new(thinkers),
        })
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

    /// The rules changed: games under way go on with the new ones as far as their moves are still legal.
    pub fn replace(self: &Arc<Host>, loaded: Loaded) {
        let loaded = Arc::new(loaded);
        let version = {
            let mut rules = self.write();
            rules.loaded = Arc::clone(&loaded);
            rules.version += 1;
            rules.broken = None;
            rules.version
        };
        for table in self.tables().iter() {
            table.adopt(&loaded);
        }
        self.changed.send_replace(version);
        for table in self.tables().iter() {
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
        for table in self.tables().iter() {
            table.touch();
        }
    }

    /// The version of the rules and what the compiler says about them.
    pub(crate) fn rules_json(&self) -> Value {
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
        let info = loaded.start.info();
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
            "marks": marks,
        })
    }

    pub(crate) fn tables(&self) -> MutexGuard<'_, Vec<Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn table(&self, id: &str) -> Result<Arc<Table>, Problem> {
        let tables = self.tables();
        let found = tables.iter().find(|table| table.id == id);
        found.cloned().ok_or_else(|| {
            Problem::new(
                404,
                "no-such-game",
                "no game of this number is under way; it may have ended with the server",
            )
        })
    }

    /// Begins a game. Of too many, the one that was begun first and has no onlookers goes.
    pub(crate) fn open(self: &Arc<Host>, wish: &Value) -> Result<Arc<Table>, Problem> {
        let table = Table::new(self.loaded(), wish)?;
        let mut tables = self.tables();
        if tables.len() >= MOST_TABLES {
            let idle = tables.iter().position(|table| table.onlookers() == 0);
            match idle {
                Some(index) => drop(tables.remove(index)),
                None => return Err(Problem::new(503, "full", "too many games are under way")),
            }
        }
        tables.push(Arc::clone(&table));
        Ok(table)
    }
}
