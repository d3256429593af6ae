//! Positions of chess and its relatives in Forsyth-Edwards notation.
//!
//! Which letter stands for which piece follows from the names of the pieces, and which part of a position's text tells what from
//! texts of the start and of positions one move on: nothing is known of the game itself. What a text tells beside who is on turn and
//! what stands where is whether something has not moved yet, for castling; what went two steps just now, for en passant; and how
//! long nothing was taken.

use std::collections::{BTreeMap, BTreeSet};

use rulec_core::{ChoiceSet, GameInfo};

use super::squares::{letter, two_numbers};
use rulec_search::{AnyState, view};

/// Parts of texts beside those that are found by what they hold.
const UNMOVED: &str = "moved 0=";
const MOVED_ONCE: &str = "moved 1=";
const JUST_NOW: &str = "age 0=";
const QUIET: &str = "quiet=";
const EMPTY: &str = "-";
const PARTS: &str = " | ";

/// How positions of a game are written.
pub(super) struct Fen {
    /// Letters by the names of pieces, capital ones for the first player.
    letters: BTreeMap<String, char>,
    /// Files and ranks of the places in their order, from 0.
    places: Vec<(usize, usize)>,
    names: Vec<String>,
    files: usize,
    ranks: usize,
    /// The text of the start in its parts, which of them tells what stands where, and the first part for each player.
    start: Vec<String>,
    board: usize,
    turns: [String; 2],
}

impl Fen {
    /// How to write positions of the game that begins here; nothing if they cannot be written so.
    pub(super) fn of<'g>(start: &(dyn AnyState<'g> + 'g)) -> Option<Fen> {
        let info = start.info();
        let letters = letters(info)?;
        let squares: Option<Vec<_>> = info.places.iter().map(|name| two_numbers(name)).collect();
        let squares: Vec<(i64, i64)> = squares?.into_iter().map(|(_, at)| at).collect();
        let least = squares
            .iter()
            .copied()
            .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))?;
        let places: Vec<(usize, usize)> = squares
            .iter()
            .map(|at| ((at.0 - least.0) as usize, (at.1 - least.1) as usize))
            .collect();
        let files = places.iter().map(|at| at.0).max()? + 1;
        let ranks = places.iter().map(|at| at.1).max()? + 1;
        let text = parts(&start.text());
        let board = text
            .iter()
            .position(|part| part.split(',').count() == places.len())?;
        let first = view::options(start, ChoiceSet::Distinct).ok()?;
        let mut next = start.fork();
        next.play(*first.first()?, None);
        let turns = [text.first()?.clone(), parts(&next.text()).first()?.clone()];
        let differs = start.player() == Some(0) && next.player() == Some(1) && board > 0;
        let whole = files * ranks == places.len() && files <= 26 && turns[0] != turns[1];
        (differs && whole).then_some(Fen {
            letters,
            places,
            names: info.places.iter().map(|&name| name.to_owned()).collect(),
            files,
            ranks,
            start: text,
            board,
            turns,
        })
    }

    /// The text of the position that a FEN describes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(&self, fen: &str) -> Result<String, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let cells = self.cells(fields.first().copied().unwrap_or_default())?;
        let turn = match fields.get(1).copied() {
            Some("w") => 0,
            Some("b") => 1,
            _ => return Err("the second field of a FEN is w or b".to_owned()),
        };
        let rights = fields.get(2).copied().unwrap_or(EMPTY);
        let passing = fields.get(3).copied().unwrap_or(EMPTY);
        let passing = self.passed(passing, turn)?;
        let text = |(at, part): (usize, &String)| match part {
            _ if at == 0 => self.turns[turn].clone(),
            _ if at == self.board => self.line(&cells),
            part if part.starts_with(UNMOVED) => self.set(UNMOVED, &self.unmoved(&cells, rights)),
            part if part.starts_with(MOVED_ONCE) => self.set(MOVED_ONCE, &passing),
            part if part.starts_with(JUST_NOW) => self.set(JUST_NOW, &passing),
            part if part.starts_with(QUIET) => {
                let quiet = fields.get(4).and_then(|n| n.parse::<u32>().ok());
                format!("{QUIET}{}", quiet.unwrap_or(0))
            }
            part => match part.split_once("={") {
                Some((name, _)) => format!("{name}={{}}"),
                None => part.clone(),
            },
        };
        let texts: Vec<String> = self.start.iter().enumerate().map(text).collect();
        Ok(texts.join(PARTS))
    }

    /// The FEN of a position, given by its text; nothing if that has not the form of the start's.
    pub(super) fn write(&self, text: &str) -> Option<String> {
        let found = parts(text);
        let cells: Vec<&str> = found.get(self.board)?.split(',').collect();
        if cells.len() != self.places.len() {
            return None;
        }
        let mut board = vec![None; self.files * self.ranks];
        for (name, at) in cells.iter().zip(&self.places) {
            *board.get_mut(at.1 * self.files + at.0)? = self.letters.get(*name).copied();
        }
        let rows = board.chunks(self.files).rev().map(row);
        let placement = rows.collect::<Vec<_>>().join("/");
        let turn = usize::from(found.first() != Some(&self.turns[0]));
        let told = |name: &str| -> BTreeSet<String> {
            let part = found.iter().find_map(|part| part.strip_prefix(name));
            let inner = part.unwrap_or_default().trim_matches(['{', '}']);
            let numbers: Vec<&str> = inner.split(',').collect();
            // The name of a place holds a comma itself.
            numbers.chunks(2).map(|pair| pair.join(",")).collect()
        };
        let rights = self.rights(&board, &told(UNMOVED));
        let just_now = &told(JUST_NOW) & &told(MOVED_ONCE);
        let passing = just_now.iter().find_map(|name| {
            let at = self.places[self.names.iter().position(|known| known == name)?];
            let behind = if turn == 0 {
                at.1 + 1
            } else {
                at.1.checked_sub(1)?
            };
            Some(square(at.0, behind))
        });
        let quiet = found.iter().find_map(|part| part.strip_prefix(QUIET));
        Some(format!(
            "{placement} {} {rights} {} {} 1",
            if turn == 0 { "w" } else { "b" },
            passing.as_deref().unwrap_or(EMPTY),
            quiet.unwrap_or("0"),
        ))
    }

    /// The letters of a first field, by rank and file.
    fn cells(&self, field: &str) -> Result<Vec<Option<char>>, String> {
        let mut cells = vec![None; self.files * self.ranks];
        let rows: Vec<&str> = field.split('/').collect();
        let wrong = || {
            format!(
                "a FEN of this game has {} ranks of {} files",
                self.ranks, self.files
            )
        };
        if rows.len() != self.ranks {
            return Err(wrong());
        }
        for (row, cells) in rows.iter().rev().zip(cells.chunks_mut(self.files)) {
            let (mut file, mut skip) = (0_usize, 0_usize);
            for c in row.chars() {
                if let Some(digit) = c.to_digit(10) {
                    skip = (skip * 10 + digit as usize).min(self.files + 1);
                    continue;
                }
                file += std::mem::take(&mut skip);
                if !self.letters.values().any(|known| *known == c) {
                    return Err(format!("no piece has the letter `{c}`"));
                }
                *cells.get_mut(file).ok_or_else(wrong)? = Some(c);
                file += 1;
            }
            if file + skip != self.files {
                return Err(wrong());
            }
        }
        Ok(cells)
    }

    fn at(&self, cells: &[Option<char>], place: (usize, usize)) -> Option<char> {
        cells.get(place.1 * self.files + place.0).copied().flatten()
    }

    fn line(&self, cells: &[Option<char>]) -> String {
        let name = |&place: &(usize, usize)| {
            let letter = self.at(cells, place)?;
            let mut known = self.letters.iter();
            known
                .find(|(_, c)| **c == letter)
                .map(|(name, _)| name.as_str())
        };
        let names = self.places.iter().map(|place| name(place).unwrap_or(EMPTY));
        names.collect::<Vec<_>>().join(",")
    }

    /// What has not moved yet: what stands as it does at the start, kings and rooks only as far as they may castle.
    fn unmoved(&self, cells: &[Option<char>], rights: &str) -> Vec<usize> {
        let home: Vec<&str> = self.start[self.board].split(',').collect();
        let may = |letter: char, file: usize| {
            let white = letter.is_uppercase();
            let side = |c: char| if white { c.to_ascii_uppercase() } else { c };
            match letter.to_ascii_lowercase() {
                'k' => rights.contains(side('k')) || rights.contains(side('q')),
                'r' if file + 1 == self.files => rights.contains(side('k')),
                'r' if file == 0 => rights.contains(side('q')),
                'r' => false,
                _ => true,
            }
        };
        let stays = |at: &usize| {
            let place = self.places[*at];
            let letter = self.at(cells, place);
            letter.is_some_and(|c| {
                home.get(*at).and_then(|name| self.letters.get(*name)) == Some(&c)
                    && may(c, place.0)
            })
        };
        (0..self.places.len()).filter(stays).collect()
    }

    fn rights(&self, board: &[Option<char>], unmoved: &BTreeSet<String>) -> String {
        let fresh = |letter: char, file: Option<usize>| {
            self.places.iter().zip(&self.names).any(|(place, name)| {
                file.is_none_or(|file| file == place.0)
                    && self.at(board, *place) == Some(letter)
                    && unmoved.contains(name)
            })
        };
        let corners = [
            ('K', 'R', self.files - 1),
            ('Q', 'R', 0),
            ('k', 'r', self.files - 1),
            ('q', 'r', 0),
        ];
        let held = corners.iter().filter(|(right, rook, file)| {
            let king = if right.is_uppercase() { 'K' } else { 'k' };
            fresh(king, None) && fresh(*rook, Some(*file))
        });
        let held: String = held.map(|(right, _, _)| *right).collect();
        if held.is_empty() {
            EMPTY.to_owned()
        } else {
            held
        }
    }

    /// The place of what went two steps over a square just now, where there is one.
    fn passed(&self, square: &str, turn: usize) -> Result<Vec<usize>, String> {
        if square == EMPTY {
            return Ok(Vec::new());
        }
        let wrong = || format!("`{square}` is no square");
        let file = square.bytes().next().ok_or_else(wrong)?.wrapping_sub(b'a') as usize;
        let rank: usize = square
            .get(1..)
            .and_then(|rank| rank.parse().ok())
            .ok_or_else(wrong)?;
        // The rank is counted from 1, and the piece stands beyond the square.
        let beyond = if turn == 0 {
            rank.checked_sub(2)
        } else {
            Some(rank)
        };
        let found = self
            .places
            .iter()
            .position(|place| Some(place.1) == beyond && place.0 == file);
        found.map(|place| vec![place]).ok_or_else(wrong)
    }

    fn set(&self, name: &str, places: &[usize]) -> String {
        let names: Vec<&str> = places.iter().map(|&at| self.names[at].as_str()).collect();
        format!("{name}{{{}}}", names.join(","))
    }
}

fn parts(text: &str) -> Vec<String> {
    text.split(PARTS).map(str::to_owned).collect()
}

fn square(file: usize, rank: usize) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn row(cells: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut free = 0;
    for cell in cells.iter().chain([&Some('/')]) {
        match cell {
            None => free += 1,
            Some(c) => {
                if free > 0 {
                    text.push_str(&free.to_string());
                }
                free = 0;
                text.push(*c);
            }
        }
    }
    text.pop();
    text
}

/// A letter for each piece, a different one; nothing where names do not give that, or do not begin with those of the two players.
fn letters(info: &GameInfo) -> Option<BTreeMap<String, char>> {
    let [first, second] = info.players else {
        return None;
    };
    let mut letters = BTreeMap::new();
    for &name in info.pieces {
        let of = |player: &str| {
            name.strip_prefix(player)
                .and_then(|rest| rest.strip_prefix(' '))
        };
        let c = match (of(first), of(second)) {
            (Some(kind), _) => letter(kind)?.to_ascii_uppercase(),
            (None, Some(kind)) => letter(kind)?,
            (None, None) => return None,
        };
        if !c.is_ascii_alphabetic() || letters.values().any(|known| *known == c) {
            return None;
        }
        letters.insert(name.to_owned(), c);
    }
    (!letters.is_empty()).then_some(letters)
}
