//! Games in episodes: a host sets up a board, a player tries to bring its pieces to targets, and the rules say which targets
//! accept which pieces.

/// Most units of a board.
pub const MOST_UNITS: usize = 64;

/// A board that a host gives. Units that are not present have kind 0 and place 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The units on the board, a bit each.
    pub present: u64,
    /// The kind of each unit.
    pub kinds: [u16; MOST_UNITS],
    /// The place of each unit; means nothing where the units are the places.
    pub places: [u8; MOST_UNITS],
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Self = Self {
        present: 0,
        kinds: [0; MOST_UNITS],
        places: [0; MOST_UNITS],
    };

    /// Takes all pieces off.
    #[inline]
    pub fn clear(&mut self) {
        let mut units = self.present;
        while units != 0 {
            let unit = units.trailing_zeros() as usize % MOST_UNITS;
            self.kinds[unit] = 0;
            self.places[unit] = 0;
            units &= units - 1;
        }
        self.present = 0;
    }

    /// Puts a piece on the board.
    #[inline]
    pub fn put(&mut self, unit: usize, kind: u16, place: u8) {
        let unit = unit % MOST_UNITS;
        self.present |= 1 << unit;
        self.kinds[unit] = kind;
        self.places[unit] = place;
    }
}

/// What is known of a game in episodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeInfo {
    /// Number of targets.
    pub targets: usize,
    /// Number of units: of places, or of pieces at most where places are shared.
    pub units: usize,
    /// Number of places.
    pub places: usize,
    /// Columns of the board; its first place is in the lower left corner.
    pub columns: usize,
    /// Whether pieces may share a place; then units are pieces, otherwise they are places.
    pub crowded: bool,
    /// The kinds of pieces.
    pub kinds: &'static [PieceKind],
    /// Number of atoms of each row.
    pub atoms: &'static [u32],
    /// Values that a host may list for each property.
    pub features: &'static [(&'static str, &'static [&'static str])],
    /// Where boards come from if the host does not say.
    pub boards: BoardSource,
    /// Which boards are for training and which for testing.
    pub selection: Option<Selection>,
    /// What the files beside the rules tell a host that means nothing to the rules, such as points.
    pub parameters: &'static [(&'static str, &'static str)],
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// Its name, that of its picture if it has one.
    pub name: &'static str,
    /// Whether the name is that of a picture.
    pub pictured: bool,
    /// Names and values of its properties.
    pub properties: &'static [(&'static str, &'static str)],
}

impl PieceKind {
    /// The value of a property.
    pub fn property(&self, name: &str) -> Option<&'static str> {
        let found = self.properties.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| *value)
    }
}

/// Where boards come from. Ranges are closed; as counts of values, 0 stands for any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSource {
    /// So many pieces of kinds that are pairs of values of two properties.
    Pairs {
        /// Number of pieces.
        pieces: (u32, u32),
        /// Number of different values of the first property.
        first: (u32, u32),
        /// Number of different values of the second property.
        second: (u32, u32),
        /// The kind of each pair, by first value and then by second.
        kinds: &'static [u16],
        /// Number of second values.
        seconds: u32,
    },
    /// So many pieces, each of one of these kinds.
    Kinds {
        /// Number of pieces.
        pieces: (u32, u32),
        /// The kinds.
        kinds: &'static [u16],
    },
    /// So many pieces, each of a kind of one of these families.
    Families {
        /// Number of pieces.
        pieces: (u32, u32),
        /// The families. One is drawn, all being as likely, and then one of its kinds.
        families: &'static [KindFamily],
    },
    /// These boards, one after the other.
    Fixed {
        /// The boards.
        boards: &'static [&'static [FixedPiece]],
        /// Whether their order is drawn.
        shuffled: bool,
        /// Whether the boards were drawn and are not given by name: players see no labels of pieces then.
        drawn: bool,
    },
}

/// Kinds that are drawn by several draws, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindFamily {
    /// How many choices each draw has.
    pub draws: &'static [u32],
    /// The kind of each combination; the last draw counts single steps.
    pub kinds: &'static [u16],
}

/// A piece of a board that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPiece {
    /// Its number for players.
    pub id: i32,
    /// Its kind.
    pub kind: u16,
    /// Its place.
    pub place: u8,
}

/// Which boards are for training, those on which no piece fits any row, and which for testing, those on which some piece
/// fits some row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each row and kind the places where such a piece fits, a bit each.
    pub rows: &'static [&'static [u64]],
    /// The places, a bit each, if the condition speaks of nothing else.
    pub only_places: Option<u64>,
    /// Whether boards are for testing unless the host says otherwise.
    pub testing: bool,
}
