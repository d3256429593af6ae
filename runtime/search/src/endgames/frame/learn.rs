//! How the frame of a game is found out, and positions are set up in it.

use std::{collections::BTreeMap, fmt::Write as _, ops::Range};

use rulec_core::{ChoiceSet, Rng};

use super::{
    super::{Error, class::Piece},
    Frame, Room, first_cells,
};
use crate::{AnyState, State};

/// Random games that are looked at, and plies of each at most.
const GAMES: u32 = 48;
const PLIES: u32 = 600;
/// Contents and places at most.
const MOST: usize = 255;

impl Frame {
    /// Finds out how positions of a game are set up.
    pub(crate) fn learn<'g>(start: &(dyn AnyState<'g> + 'g), seed: u64) -> Result<Frame, Error> {
        let info = start.info();
        if info.players.is_empty() || info.players.len() > 2 || info.has_chance {
            return Err(Error::Players);
        }
        let contents: Vec<String> = info.pieces.iter().map(|&name| name.to_owned()).collect();
        let places: Vec<String> = info.places.iter().map(|&name| name.to_owned()).collect();
        let fits = |names: &[String]| (1..=MOST).contains(&names.len());
        if !fits(&contents) || !fits(&places) || info.planes.is_empty() {
            return Err(Error::NoBoard);
        }
        let lists = Lists {
            contents: &contents,
            places: places.len(),
        };
        if lists.find(&start.text()).is_none() {
            return Err(Error::NoBoard);
        }
        let play = Play::watch(start, &lists, seed)?;
        let planes = first_cells(info);
        let mut frame = Frame {
            contents,
            places,
            turns: play.turns,
            always: play.always,
            cells: Vec::new(),
            rest: Vec::new(),
            planes,
            meanings: Vec::new(),
        };
        frame.learn_cells(start)?;
        frame.give_meanings();
        Ok(frame)
    }

    /// Finds the cell of each content on each place.
    fn learn_cells<'g>(&mut self, start: &(dyn AnyState<'g> + 'g)) -> Result<(), Error> {
        let mut room = Room::default();
        for turn in 0..self.turns.len() {
            let empty = self.observed(start, turn, &[], &mut room)?;
            self.rest.push(empty);
        }
        for content in 0..self.contents.len() {
            for place in 0..self.places.len() {
                let piece = (content as u8, place as u16);
                let seen = self.observed(start, 0, &[piece], &mut room)?;
                let new = seen.into_iter().find(|entry| !self.rest[0].contains(entry));
                self.cells.push(new.ok_or(Error::Hidden)?);
            }
        }
        let mut sorted = self.cells.clone();
        sorted.sort_unstable();
        sorted.dedup();
        match sorted.len() == self.cells.len() {
            true => Ok(()),
            false => Err(Error::Hidden),
        }
    }

    fn observed<'g>(
        &self,
        start: &(dyn AnyState<'g> + 'g),
        turn: usize,
        pieces: &[Piece],
        room: &mut Room,
    ) -> Result<Vec<(usize, i64)>, Error> {
        let state = self.set_up(start, turn, pieces, room);
        let state = state.map_err(Error::Refused)?;
        room.present.clear();
        state.observe_present(&mut room.present);
        Ok(room.present.entries().to_vec())
    }

    /// The position in which a player is on turn and these things stand there.
    ///
    /// # Errors
    /// What the rules have against it.
    pub(crate) fn set_up<'g>(
        &self,
        start: &(dyn AnyState<'g> + 'g),
        turn: usize,
        pieces: &[Piece],
        room: &mut Room,
    ) -> Result<State<'g>, String> {
        let none = || "nobody is on turn".to_owned();
        let (before, after) = self.turns.get(turn).ok_or_else(none)?;
        room.text.clear();
        room.text.push_str(before);
        for place in 0..self.places.len() {
            if place > 0 {
                room.text.push(',');
            }
            let here = pieces.iter().find(|piece| usize::from(piece.1) == place);
            let name = here.and_then(|piece| self.contents.get(usize::from(piece.0)));
            room.text.push_str(name.map_or("-", String::as_str));
        }
        room.text.push_str(after);
        start.read(&room.text).map_err(|error| error.to_string())
    }

    /// Reads what stands in a position, and what else is to be said of it.
    pub(crate) fn look<'g>(&self, state: &(dyn AnyState<'g> + 'g), room: &mut Room) {
        room.present.clear();
        state.observe_present(&mut room.present);
        self.read_off(room);
    }

    /// The planes in which what was read is not as in positions that are set up for this player.
    pub(crate) fn differing(&self, turn: usize, room: &Room) -> Vec<usize> {
        let none = Vec::new();
        let rest = self.rest.get(turn).unwrap_or(&none);
        let only = |a: &[(usize, i64)], b: &[(usize, i64)]| -> Vec<usize> {
            let lone = a.iter().filter(|entry| !b.contains(entry));
            lone.map(|entry| self.plane(entry.0)).collect()
        };
        let mut planes = only(rest, &room.rest);
        planes.extend(only(&room.rest, rest));
        planes.sort_unstable();
        planes.dedup();
        planes
    }
}

/// Lists of what stands on each place, in texts.
struct Lists<'n> {
    contents: &'n [String],
    places: usize,
}

impl Lists<'_> {
    /// Where the list is in a text, and which content stands on each place.
    fn find(&self, text: &str) -> Option<(Range<usize>, Vec<Option<u8>>)> {
        let starts = text.char_indices().map(|(at, _)| at);
        let found = starts.filter_map(|at| {
            let (len, list) = self.read(&text[at..])?;
            Some((at..at + len, list))
        });
        found
            .into_iter()
            .find(|(_, list)| self.places > 1 || list.iter().any(Option::is_some))
    }

    /// The length of the list that a text begins with, and what it tells.
    fn read(&self, text: &str) -> Option<(usize, Vec<Option<u8>>)> {
        let mut rest = text;
        let mut list = Vec::with_capacity(self.places);
        for place in 0..self.places {
            if place > 0 {
                rest = rest.strip_prefix(',')?;
            }
            let names = self.contents.iter().enumerate();
            let longest = names
                .filter(|(_, name)| rest.starts_with(name.as_str()))
                .max_by_key(|(_, name)| name.len());
            match longest {
                Some((content, name)) => {
                    list.push(Some(content as u8));
                    rest = &rest[name.len()..];
                }
                None => {
                    rest = rest.strip_prefix('-')?;
                    list.push(None);
                }
            }
        }
        (!rest.starts_with(',')).then_some((text.len() - rest.len(), list))
    }
}

/// What random games show.
struct Play {
    turns: Vec<(String, String)>,
    always: Vec<u8>,
}

/// A form of texts: how often it was met, and the first one met in any game, with its ply.
struct Form {
    met: u32,
    ply: u32,
    text: (String, String),
}

impl Play {
    fn watch<'g>(
        start: &(dyn AnyState<'g> + 'g),
        lists: &Lists<'_>,
        seed: u64,
    ) -> Result<Play, Error> {
        let players = start.info().players.len();
        let mut forms: Vec<BTreeMap<String, Form>> = Vec::new();
        forms.resize_with(players, BTreeMap::new);
        let mut always: Option<Vec<Option<u8>>> = None;
        for game in 0..GAMES {
            let mut rng = Rng::new(seed, u64::from(game));
            let mut state = start.fork();
            for ply in 0..PLIES {
                let text = state.text();
                let Some((range, list)) = lists.find(&text) else {
                    return Err(Error::NoBoard);
                };
                note_counts(&mut always, &list, lists.contents.len());
                if state.outcome().is_none()
                    && let Some(player) = state.player()
                    && let Some(forms) = forms.get_mut(player)
                {
                    note_form(forms, &text, range, ply);
                }
                match state.drawn(ChoiceSet::All, &mut rng) {
                    Some(next) => state = next,
                    None => break,
                }
            }
        }
        let most = |forms: BTreeMap<String, Form>| {
            let best = forms.into_values().reduce(|a, b| match b.met > a.met {
                true => b,
                false => a,
            });
            best.map(|form| form.text)
        };
        let turns: Option<Vec<_>> = forms.into_iter().map(most).collect();
        let always = always.unwrap_or_default();
        Ok(Play {
            turns: turns.ok_or(Error::Players)?,
            always: always.into_iter().map(|c| c.unwrap_or(0)).collect(),
        })
    }
}

fn note_counts(always: &mut Option<Vec<Option<u8>>>, list: &[Option<u8>], contents: usize) {
    let mut counts = vec![0_u8; contents];
    for content in list.iter().flatten() {
        if let Some(count) = counts.get_mut(usize::from(*content)) {
            *count = count.saturating_add(1);
        }
    }
    match always {
        None => *always = Some(counts.into_iter().map(Some).collect()),
        Some(known) => {
            for (known, count) in known.iter_mut().zip(counts) {
                *known = known.filter(|known| *known == count);
            }
        }
    }
}

fn note_form(forms: &mut BTreeMap<String, Form>, text: &str, list: Range<usize>, ply: u32) {
    let (before, after) = (&text[..list.start], &text[list.end..]);
    let text = (emptied(before), emptied(after));
    let mut key = without_numbers(&text.0);
    let _ = write!(key, "\n{}", without_numbers(&text.1));
    let form = forms.entry(key).or_insert_with(|| Form {
        met: 0,
        ply,
        text: text.clone(),
    });
    form.met += 1;
    if ply < form.ply {
        (form.ply, form.text) = (ply, text);
    }
}

/// The text with empty sets in place of all.
fn emptied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        inside = inside && c != '}';
        if !inside {
            out.push(c);
        }
        inside = inside || c == '{';
    }
    out
}

fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_in_texts() {
        let contents = ["king".to_owned(), "kings man".to_owned()];
        let lists = Lists {
            contents: &contents,
            places: 3,
        };
        let text = "white-king | king,-,kings man | a={1,2} | -1";
        let (range, list) = lists.find(text).unwrap();
        assert_eq!(&text[range], "king,-,kings man");
        assert_eq!(list, [Some(0), None, Some(1)]);
        assert!(lists.find("king,-").is_none());
        assert!(
            lists
                .find("king,-,king,-")
                .is_some_and(|found| found.0.start > 0)
        );
    }

    #[test]
    fn sets_are_emptied() {
        assert_eq!(emptied("a={1,2} | b={} | 7"), "a={} | b={} | 7");
    }
}
