//! Looking positions up.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::Path,
    sync::{Mutex, OnceLock},
};

use rulec_core::{ChoiceSet, GameInfo};

use super::{
    Tables,
    ahead::{is_better, result},
    all_fit,
    class::Class,
    frame::{Frame, Room},
    table::{ENDING, Table, Value},
};
use crate::{AnyState, Walk, lock};

/// Plies that are searched forward where no table tells of a position.
pub(super) const DEEPEST: u32 = 40;

/// Tables of one game.
#[derive(Default)]
pub struct Endgames {
    tables: Tables,
    /// The most things that stand in positions of a table.
    most: usize,
}

/// What a look-up needs room for.
#[derive(Default)]
pub struct Probe(Room);

impl Endgames {
    /// The tables of a folder.
    ///
    /// # Errors
    /// When a file cannot be read, is damaged, or is about other rules.
    pub fn read(folder: &Path, info: &GameInfo) -> Result<Endgames, String> {
        let told = |e: io::Error| format!("`{}`: {e}", folder.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(told)? {
            let name = entry.map_err(told)?.file_name();
            let text = name.to_string_lossy();
            if text.ends_with(ENDING) && !text.starts_with('.') {
                names.push(folder.join(&name));
            }
        }
        names.sort();
        let mut tables = Tables::new();
        for name in names {
            let table = Table::read(&name, info)?;
            if let Some(other) = tables.values().next()
                && !alike(&other.frame, &table.frame)
            {
                return Err(format!(
                    "`{}` reads positions in another way than the files beside it: make them again together",
                    name.display()
                ));
            }
            tables.insert(table.class.clone(), table);
        }
        Ok(Endgames::of(tables))
    }

    pub(super) fn of(tables: Tables) -> Endgames {
        let most = tables.keys().map(Class::pieces).max().unwrap_or(0);
        Endgames { tables, most }
    }

    pub(super) fn into_tables(self) -> Tables {
        self.tables
    }

    pub(super) fn frame(&self) -> Option<&Frame> {
        self.tables.values().next().map(|table| &table.frame)
    }

    /// The tables.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = &Table> {
        self.tables.values()
    }

    /// Whether all tables are about a game.
    ///
    /// # Errors
    /// Why not.
    pub fn fits(&self, info: &GameInfo) -> Result<(), String> {
        all_fit(&self.tables, info)
    }

    /// What a position is worth that is not over, if a table tells it.
    ///
    /// A position that is not as those that are set up, in what matters, is told by none: in chess one with a right to castle.
    pub fn look<'g>(&self, state: &(dyn AnyState<'g> + 'g), probe: &mut Probe) -> Option<Value> {
        probe.0.present.clear();
        state.observe_present(&mut probe.0.present);
        self.found(state.player()?, probe)
    }

    /// What a position is worth by the tables, or by those of all its moves where it is none of theirs itself: the rules may keep
    /// something that no later position has, such as that it is the first one.
    pub fn look_ahead<'g>(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        probe: &mut Probe,
    ) -> Option<Value> {
        if let Some(value) = self.look(state, probe) {
            return Some(value);
        }
        // Of its own moves only: where their positions are in no table either, a search would have no end.
        after_moves(self, state, DEEPEST, (probe, &mut 0)).ok()
    }

    /// The same of the position at work.
    pub(crate) fn look_at<W: Walk + ?Sized>(&self, walk: &W, probe: &mut Probe) -> Option<Value> {
        probe.0.present.clear();
        walk.observe_present(&mut probe.0.present);
        self.found(walk.player()?, probe)
    }

    fn found(&self, turn: usize, probe: &mut Probe) -> Option<Value> {
        let frame = self.frame()?;
        let room = &mut probe.0;
        frame.read_off(room);
        if room.pieces.len() > self.most {
            return None;
        }
        let class = Class::of(&room.pieces, frame.contents.len());
        let table = self.tables.get(&class)?;
        let plain = frame.is_plain(turn, room, table.ignored());
        plain
            .then(|| table.value(turn, &room.pieces))
            .filter(|value| *value != Value::None)
    }
}

/// The tables of a folder that players use. They are read when the game is known, and stay in memory as long as the program runs.
#[derive(Clone, Copy)]
pub struct Kept(&'static Folder);

struct Folder {
    name: String,
    tables: OnceLock<Result<Endgames, String>>,
}

impl Kept {
    /// Those of a folder, which is read later.
    ///
    /// # Errors
    /// Never here; always in programs without the feature `programs`.
    pub fn of(folder: &str) -> Result<Kept, String> {
        static KNOWN: Mutex<BTreeMap<String, Kept>> = Mutex::new(BTreeMap::new());
        let new = || {
            Kept(Box::leak(Box::new(Folder {
                name: folder.to_owned(),
                tables: OnceLock::new(),
            })))
        };
        Ok(*lock(&KNOWN).entry(folder.to_owned()).or_insert_with(new))
    }

    /// The tables, if they are about a game.
    ///
    /// # Errors
    /// When they cannot be read or are about other rules, or there are none.
    pub fn read(self, info: &GameInfo) -> Result<&'static Endgames, String> {
        let read = || Endgames::read(Path::new(&self.0.name), info);
        let tables = self.0.tables.get_or_init(read);
        let tables = tables.as_ref().map_err(String::clone)?;
        tables.fits(info)?;
        match tables.tables.is_empty() {
            true => Err(format!("`{}` holds no tables of endgames", self.0.name)),
            false => Ok(tables),
        }
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Kept {}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name)
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name)
    }
}

/// Whether positions are read in the same way.
fn alike(one: &Frame, other: &Frame) -> bool {
    one.contents == other.contents && one.cells == other.cells && one.rest == other.rest
}

/// What the moves of a position make it worth, and how many were made; positions that no table tells are searched up to `DEEPEST`.
pub(super) fn after_moves<'g>(
    tables: &Endgames,
    state: &(dyn AnyState<'g> + 'g),
    depth: u32,
    (probe, made): (&mut Probe, &mut u64),
) -> Result<Value, String> {
    let mut moves = Vec::new();
    let listed = state.moves(ChoiceSet::All, &mut moves);
    if listed.is_err() || depth > DEEPEST {
        return Err(format!("`{}` cannot be searched", state.text()));
    }
    let mover = state.player().unwrap_or(0) as u8;
    let mut best: Option<Value> = None;
    for code in moves {
        let mut next = state.fork();
        next.play(code, None);
        *made += 1;
        let value = match next.outcome() {
            Some(end) => result(end).ok_or_else(|| format!("`{}` is a fault", next.text()))?,
            None => match tables.look(&*next, probe) {
                Some(value) => value,
                None => after_moves(tables, &*next, depth + 1, (probe, made))?,
            },
        };
        let value = match value {
            Value::Win { player, plies } => Value::win(player, plies.saturating_add(1)),
            value => value,
        };
        if best.is_none_or(|best| is_better(value, best, mover)) {
            best = Some(value);
        }
    }
    best.ok_or_else(|| format!("`{}` has no moves", state.text()))
}
