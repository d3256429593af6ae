//! Events of changes, and of something that is only tried.

use crate::{Event, Events};

/// Tells that another piece stands on a place, or none.
#[inline(never)]
pub fn tell_content<E: Events>(ev: &mut E, at: u32, before: Option<u32>, now: Option<u32>) {
    if before == now {
        return;
    }
    if let Some(piece) = before {
        ev.event(Event::Removed { piece, at });
    }
    if let Some(piece) = now {
        ev.event(Event::Placed { piece, at });
    }
}

/// Keeps the events of a trial until it is known whether it took place.
#[derive(Debug, Default)]
pub struct Told {
    active: bool,
    counting: bool,
    events: Vec<Event>,
}

impl Told {
    /// Keeps events if somebody listens outside.
    #[inline(always)]
    pub const fn when(active: bool, counting: bool) -> Self {
        Self {
            active,
            counting,
            events: Vec::new(),
        }
    }

    /// Tells them to the listener outside.
    #[inline(always)]
    pub fn pass_on<E: Events>(self, listener: &mut E) {
        for event in self.events {
            match event {
                Event::Counted { counter, member } => listener.count(counter, member),
                event => listener.event(event),
            }
        }
    }
}

impl Events for Told {
    #[inline(always)]
    fn active(&self) -> bool {
        self.active
    }

    #[inline(always)]
    fn counting(&self) -> bool {
        self.counting
    }

    fn event(&mut self, event: Event) {
        self.events.push(event);
    }
}
