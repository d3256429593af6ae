//! Events of something that is only tried.

use crate::{Event, Events};

/// Keeps the events of a trial until it is known whether it took place.
#[derive(Debug, Default)]
pub struct Told {
    active: bool,
    events: Vec<Event>,
}

impl Told {
    /// Keeps events if somebody listens outside.
    #[inline(always)]
    pub const fn when(active: bool) -> Self {
        Self {
            active,
            events: Vec::new(),
        }
    }

    /// Tells them to the listener outside.
    #[inline(always)]
    pub fn pass_on<E: Events>(self, listener: &mut E) {
        for event in self.events {
            listener.event(event);
        }
    }
}

impl Events for Told {
    #[inline(always)]
    fn active(&self) -> bool {
        self.active
    }

    fn event(&mut self, event: Event) {
        self.events.push(event);
    }
}
