//! Index newtypes: every arena of a [`Game`](super::Game) has its own.

macro_rules! declare_id {
    ($(#[$doc:meta] $name:ident $prefix:literal;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            /// The place in the arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                $name(u32::try_from(index).expect("an arena never holds 2^32 items"))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

declare_id! {
    /// A named finite set, in `Game::domains`.
    DomainId "d";
    /// A constant table, in `Game::tables`.
    TableId "t";
    /// A state variable, in `Game::vars`.
    VarId "v";
    /// A variable of the environment, in `Game::env`.
    EnvId "e";
    /// A placement, in `Game::placements`.
    PlacementId "p";
    /// A relation, in `Game::relations`.
    RelationId "r";
    /// A function, in `Game::functions`.
    FuncId "f";
    /// A local variable of a function, in `Function::locals`; parameters come first.
    LocalId "l";
    /// A move family, in `Game::families`.
    FamilyId "m";
    /// A kind of draw, in `Game::draws`.
    DrawId "c";
    /// A snapshot slot, in `Game::snapshots`.
    SnapshotId "s";
    /// An equality of states, in `Game::identities`.
    IdentityId "i";
    /// A history of positions, in `Game::trails`.
    TrailId "h";
    /// Something that is counted while a game is played, in `Game::counters`.
    CounterId "n";
    /// A point where play stops for a decision or a draw, in `Machine::points`.
    PointId "k";
}
