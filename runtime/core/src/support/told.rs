//! Events of something that is only tried.

use crate::{Event, Events};

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
