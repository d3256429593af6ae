//! What a move does, told as it happens: for robots, displays, logs and transcripts.

/// One thing that happened while a move was played, in the order of happening.
///
/// Pieces and places are indexes into [`GameInfo::pieces`](crate::GameInfo::pieces) and
/// [`GameInfo::places`](crate::GameInfo::places); players count from 0.
/// Where a game has no single pieces but only kinds of them, the piece is the kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A piece went from one place to another.
    Moved {
        /// The piece or kind.
        piece: u32,
        /// Where it was.
        from: u32,
        /// Where it is now.
        to: u32,
    },
    /// A piece came to the board.
    Placed {
        /// The piece or kind.
        piece: u32,
        /// Where it is now.
        at: u32,
    },
    /// A piece left the board.
    Removed {
        /// The piece or kind.
        piece: u32,
        /// Where it was.
        at: u32,
    },
    /// A property of a piece changed, such as its side, owner or height in a stack.
    StateChanged {
        /// The piece or kind.
        piece: u32,
        /// Name of the property.
        property: &'static str,
        /// Its new value.
        value: i64,
    },
    /// A player gained points, or lost them if negative.
    Scored {
        /// The player.
        player: u32,
        /// The difference.
        points: i64,
    },
    /// Somebody else is on turn now.
    TurnPassed {
        /// The player whose turn begins.
        player: u32,
    },
    /// Something that only the rules have a name for, with its values.
    Named {
        /// The name.
        name: &'static str,
        /// The values.
        values: Vec<i64>,
    },
    /// One more of something that statistics count.
    Counted {
        /// The counter, an index into [`GameInfo::counters`](crate::GameInfo::counters).
        counter: u32,
        /// The member that is counted; 0 where the counter has no members.
        member: u32,
    },
    /// A line that the rules want shown.
    Log(String),
}

/// Receives the events of [`Game::play`](crate::Game::play).
///
/// The game is compiled once for each receiver. It asks [`Events::ACTIVE`] before it builds an
/// event, so that play without a receiver ([`Silent`]) costs nothing.
/// A move that ends in a fault may have sent events; they did not take place.
pub trait Events {
    /// Whether events are wanted at all.
    const ACTIVE: bool = true;

    /// Whether this receiver wants events now; never unless [`Events::ACTIVE`].
    #[inline(always)]
    fn active(&self) -> bool {
        Self::ACTIVE
    }

    /// Whether counts are wanted ([`Events::count`]).
    const COUNTS: bool = Self::ACTIVE;

    /// Whether this receiver wants counts now; never unless [`Events::COUNTS`].
    #[inline(always)]
    fn counting(&self) -> bool {
        Self::COUNTS && (!Self::ACTIVE || self.active())
    }

    /// Takes the next event.
    fn event(&mut self, event: Event);

    /// Takes a count. A receiver that counts much does so here, without an event being built.
    #[inline(always)]
    fn count(&mut self, counter: u32, member: u32) {
        self.event(Event::Counted { counter, member });
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Silent;

impl Events for Silent {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn event(&mut self, _: Event) {}
}

impl Events for Vec<Event> {
    fn event(&mut self, event: Event) {
        self.push(event);
    }
}

impl<E: Events> Events for &mut E {
    const ACTIVE: bool = E::ACTIVE;
    const COUNTS: bool = E::COUNTS;

    #[inline(always)]
    fn active(&self) -> bool {
        (**self).active()
    }

    #[inline(always)]
    fn counting(&self) -> bool {
        (**self).counting()
    }

    #[inline(always)]
    fn count(&mut self, counter: u32, member: u32) {
        (**self).count(counter, member);
    }

    #[inline(always)]
    fn event(&mut self, event: Event) {
        (**self).event(event);
    }
}
