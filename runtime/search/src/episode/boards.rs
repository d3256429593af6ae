//! Boards: drawn from a seed as the original server draws them, or given.

use rulec_core::episode::{Board, BoardSource, EpisodeInfo, FixedPiece, KindFamily};

use super::java::JavaRandom;

/// How often a board is drawn anew until it fits the condition.
const TRIES: usize = 1000;

/// Whether boards are for training or for testing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// No piece fits the condition.
    Train,
    /// Some piece fits the condition.
    Test,
}

/// Where the pieces of a board may stand.
#[derive(Clone, Copy, Debug)]
enum Places {
    All,
    /// All of them on these.
    Only(u64),
    /// At least one of them on these.
    OneOf(u64),
}

/// A source of boards.
#[derive(Clone, Debug)]
pub struct Boards {
    info: &'static EpisodeInfo,
    source: BoardSource,
    random: JavaRandom,
    purpose: Purpose,
    next: usize,
    order: Vec<usize>,
}

impl Boards {
    /// The boards of a game, or of another source of the same kinds, from a seed.
    ///
    /// # Errors
    /// What is wrong with the source, for people.
    pub fn new(info: &'static EpisodeInfo, source: BoardSource, seed: i64) -> Result<Self, String> {
        Self::drawn_by(info, source, JavaRandom::new(seed))
    }

    /// The boards of another game of the same session, whose draws go on from here.
    ///
    /// # Errors
    /// What is wrong with the source, for people.
    pub fn followed_by(
        &self,
        info: &'static EpisodeInfo,
        source: BoardSource,
    ) -> Result<Self, String> {
        Self::drawn_by(info, source, self.random.clone())
    }

    fn drawn_by(
        info: &'static EpisodeInfo,
        source: BoardSource,
        mut random: JavaRandom,
    ) -> Result<Self, String> {
        check(info, &source)?;
        let mut order = Vec::new();
        if let BoardSource::Fixed {
            boards, shuffled, ..
        } = source
        {
            order = (0..boards.len()).collect();
            if shuffled {
                for index in (1..order.len()).rev() {
                    order.swap(index, random.below(index as u32 + 1) as usize);
                }
            }
        }
        Ok(Self {
            info,
            source,
            random,
            purpose: match info.selection {
                Some(selection) if selection.testing => Purpose::Test,
                _ => Purpose::Train,
            },
            next: 0,
            order,
        })
    }

    /// What the next boards are for; without a condition that says which are, it changes nothing.
    pub fn set_purpose(&mut self, purpose: Purpose) {
        self.purpose = purpose;
    }

    /// What the next boards are for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Whether boards for training and for testing differ.
    pub fn has_condition(&self) -> bool {
        self.info.selection.is_some()
    }

    /// The pieces of the next board if they are given, with the numbers that players see.
    pub fn given(&self) -> Option<&'static [FixedPiece]> {
        match self.source {
            BoardSource::Fixed { boards, .. } => {
                let index = self.order.get(self.next % self.order.len().max(1))?;
                boards.get(*index).copied()
            }
            _ => None,
        }
    }

    /// Whether the boards were given, and not drawn.
    pub fn are_named(&self) -> bool {
        matches!(self.source, BoardSource::Fixed { drawn: false, .. })
    }

    /// Leaves out the draws of numbers of pieces and of values for so many boards, as the original server does for boards
    /// that it does not show.
    pub fn skip_ranges(&mut self, boards: u64) {
        for _ in 0..boards {
            match self.source {
                BoardSource::Pairs {
                    pieces,
                    first,
                    second,
                    ..
                } => {
                    for range in [pieces, first, second] {
                        self.random.range(range);
                    }
                }
                BoardSource::Kinds { pieces, .. } | BoardSource::Families { pieces, .. } => {
                    self.random.range(pieces);
                }
                BoardSource::Fixed { .. } => self.next += 1,
            }
        }
    }

    /// Draws the next board.
    ///
    /// # Errors
    /// When no board fits the condition, for people.
    #[inline]
    pub fn draw(&mut self, board: &mut Board) -> Result<(), String> {
        if let Some(pieces) = self.given() {
            self.next += 1;
            put_all(self.info, pieces, board);
            return Ok(());
        }
        match self.info.selection {
            None => {
                self.draw_any(board, Places::All);
                Ok(())
            }
            Some(_) => self.draw_selected(board),
        }
    }

    fn draw_selected(&mut self, board: &mut Board) -> Result<(), String> {
        let Some(selection) = self.info.selection else {
            return Ok(());
        };
        if let Some(places) = selection.only_places {
            return self.draw_on_places(board, places);
        }
        let wanted = self.purpose == Purpose::Test;
        for _ in 0..TRIES {
            self.draw_any(board, Places::All);
            if self.fits(board, selection.rows) == wanted {
                return Ok(());
            }
        }
        Err(format!("none of {TRIES} boards fits the condition"))
    }

    fn draw_on_places(&mut self, board: &mut Board, places: u64) -> Result<(), String> {
        let all = match self.info.places {
            64 => u64::MAX,
            n => (1 << n) - 1,
        };
        if self.purpose == Purpose::Train {
            let allowed = all & !places;
            let most = pieces_of(&self.source).1;
            if !self.info.crowded && allowed.count_ones() < most {
                return Err(format!(
                    "{most} pieces do not fit on {} places",
                    allowed.count_ones()
                ));
            }
            self.draw_any(board, Places::Only(allowed));
            return Ok(());
        }
        let places = places & all;
        if places == 0 {
            return Err("no place fits the condition".to_owned());
        }
        self.draw_any(board, Places::OneOf(places));
        Ok(())
    }

    fn place(&self, board: &Board, unit: usize) -> usize {
        match self.info.crowded {
            true => board.places[unit].into(),
            false => unit,
        }
    }

    fn fits(&self, board: &Board, rows: &[&[u64]]) -> bool {
        rows.iter().any(|kinds| {
            bits(board.present).any(|unit| {
                let places = kinds
                    .get(usize::from(board.kinds[unit]))
                    .copied()
                    .unwrap_or(0);
                places >> self.place(board, unit) & 1 == 1
            })
        })
    }

    /// Draws a board.
    #[inline]
    fn draw_any(&mut self, board: &mut Board, allowed: Places) {
        board.clear();
        let mut kinds = [0_u16; 64];
        let mut cells = [0_u8; 64];
        let mut count = 0;
        match self.source {
            BoardSource::Pairs {
                pieces,
                first,
                second,
                kinds: pairs,
                seconds,
            } => {
                count = self.random.range(pieces) as usize;
                let (a, b) = (self.random.range(first), self.random.range(second));
                self.draw_cells(count, allowed, &mut cells);
                let firsts = pairs.len() as u32 / seconds.max(1);
                let (mut x, mut y) = ([0_u8; 64], [0_u8; 64]);
                self.draw_values(count, a, firsts, &mut x);
                self.draw_values(count, b, seconds, &mut y);
                for piece in 0..count.min(64) {
                    let pair = u32::from(x[piece]) * seconds + u32::from(y[piece]);
                    kinds[piece] = pairs.get(pair as usize).copied().unwrap_or(0);
                }
            }
            BoardSource::Kinds {
                pieces,
                kinds: list,
            } => {
                count = self.random.range(pieces) as usize;
                self.draw_cells(count, allowed, &mut cells);
                for kind in kinds.iter_mut().take(count) {
                    *kind = list[self.random.below(list.len() as u32) as usize];
                }
            }
            BoardSource::Families { pieces, families } => {
                count = self.random.range(pieces) as usize;
                self.draw_cells(count, allowed, &mut cells);
                for kind in kinds.iter_mut().take(count) {
                    *kind = self.draw_member(families);
                }
            }
            BoardSource::Fixed { .. } => {}
        }
        for piece in 0..count.min(64) {
            let unit = match self.info.crowded {
                true => piece,
                false => cells[piece].into(),
            };
            board.put(unit, kinds[piece], cells[piece]);
        }
    }

    /// Cells in ascending order.
    #[inline]
    fn draw_cells(&mut self, count: usize, allowed: Places, cells: &mut [u8; 64]) {
        let places = match allowed {
            Places::Only(allowed) => allowed.count_ones() as usize,
            _ => self.info.places,
        };
        if self.info.crowded {
            for cell in cells.iter_mut().take(count) {
                *cell = self.random.below(places as u32) as u8;
            }
            cells[..count.min(64)].sort_unstable();
        } else {
            let drawn = self.random.subset(places, count, cells);
            let set = drawn
                .iter()
                .fold(0_u64, |set, &cell| set | 1 << (cell & 63));
            for (cell, place) in cells.iter_mut().zip(bits(set)) {
                *cell = place as u8;
            }
        }
        match allowed {
            Places::All => {}
            Places::Only(allowed) => {
                let list: Vec<u8> = bits(allowed).map(|place| place as u8).collect();
                for cell in cells.iter_mut().take(count) {
                    *cell = list[usize::from(*cell)];
                }
            }
            Places::OneOf(wanted) => self.draw_wanted(wanted, &mut cells[..count.min(64)]),
        }
    }

    /// Puts one of the cells among the wanted ones where none is. What stands on the cells is drawn later.
    fn draw_wanted(&mut self, wanted: u64, cells: &mut [u8]) {
        if cells.is_empty() || cells.iter().any(|&cell| wanted >> (cell & 63) & 1 == 1) {
            return;
        }
        let moved = self.random.below(cells.len() as u32) as usize;
        let nth = self.random.below(wanted.count_ones()) as usize;
        if let Some(place) = bits(wanted).nth(nth) {
            cells[moved] = place as u8;
            cells.sort_unstable();
        }
    }

    /// A kind of a family; all families are as likely.
    fn draw_member(&mut self, families: &[KindFamily]) -> u16 {
        let drawn = self.random.below(families.len().max(1) as u32);
        let Some(family) = families.get(drawn as usize) else {
            return 0;
        };
        let draws = family.draws.iter();
        let index = draws.fold(0, |index, &n| index * n + self.random.below(n));
        family.kinds.get(index as usize).copied().unwrap_or(0)
    }

    /// Values of a property: so many different ones, any number if that is 0.
    #[inline]
    fn draw_values(&mut self, count: usize, different: u32, known: u32, out: &mut [u8; 64]) {
        if different == 0 {
            for value in out.iter_mut().take(count) {
                *value = self.random.below(known) as u8;
            }
            return;
        }
        for value in out.iter_mut().take(count) {
            *value = self.random.below(different) as u8;
        }
        let mut places = [0_u8; 64];
        let drawn = self.random.subset(count, different as usize, &mut places);
        for (value, place) in drawn.iter().enumerate() {
            out[usize::from(*place)] = value as u8;
        }
        let mut chosen = [0_u8; 64];
        let chosen = self
            .random
            .subset(known as usize, different as usize, &mut chosen);
        chosen.sort_unstable();
        for value in out.iter_mut().take(count) {
            *value = chosen.get(usize::from(*value)).copied().unwrap_or(0);
        }
    }
}

/// The members of a set, ascending.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Puts given pieces on a board; on a crowded one units follow their order.
pub fn put_all(info: &EpisodeInfo, pieces: &[FixedPiece], board: &mut Board) {
    board.clear();
    for (index, piece) in pieces.iter().enumerate() {
        let unit = match info.crowded {
            true => index,
            false => piece.place.into(),
        };
        board.put(unit, piece.kind, piece.place);
    }
}

fn pieces_of(source: &BoardSource) -> (u32, u32) {
    match source {
        BoardSource::Pairs { pieces, .. }
        | BoardSource::Kinds { pieces, .. }
        | BoardSource::Families { pieces, .. } => *pieces,
        BoardSource::Fixed { boards, .. } => {
            let counts = || boards.iter().map(|board| board.len() as u32);
            (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
        }
    }
}

fn check(info: &EpisodeInfo, source: &BoardSource) -> Result<(), String> {
    let (least, most) = pieces_of(source);
    let room = if info.crowded {
        info.units
    } else {
        info.places
    };
    if least < 1 || most < least || most as usize > room {
        return Err(format!(
            "{least} to {most} pieces: a board has room for 1 to {room}"
        ));
    }
    if let BoardSource::Pairs {
        first,
        second,
        kinds,
        seconds,
        ..
    } = source
    {
        let firsts = kinds.len() as u32 / (*seconds).max(1);
        for (range, known) in [(first, firsts), (second, *seconds)] {
            if range.1 > known || range.1 > least || range.0 > range.1 {
                return Err(format!(
                    "{} to {} different values: there are {known}, and at least {least} pieces",
                    range.0, range.1
                ));
            }
        }
    }
    Ok(())
}
