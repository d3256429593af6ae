//! Games of this process behind a port.

use std::sync::Arc;

use rulec_core::FullGame;

use crate::arena::Arena;
use crate::batch::BatchPort;
use crate::client::Settings;
use crate::ffi::Handle;
use crate::port::{Call, Port, Refused, unknown};
use crate::slot::Shared;
use crate::{describe, op};

/// A game of this process.
pub fn local<G>(game: G) -> impl Port
where
    G: FullGame + 'static,
{
    GamePort(Arc::new(Shared::new(game)))
}

struct GamePort<G: FullGame>(Arc<Shared<G>>);

impl<G: FullGame + 'static> Port for GamePort<G> {
    fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
        let shared = &self.0;
        match call.op {
            op::DESCRIBE => {
                let document = describe::document(shared.game.info());
                call.text = document.to_string().into_bytes();
            }
            op::MOVE_TEXTS => {
                let texts = serde_json::Value::from(describe::move_texts(&shared.game));
                call.text = texts.to_string().into_bytes();
            }
            op::BATCH => {
                let settings = Settings::read(call.words(0)?)?;
                call.made = Some(Box::new(BatchPort::new(shared.clone(), settings)?));
            }
            op::SELFPLAY => {
                let settings = crate::asked::Settings::read(call.words(0)?)?;
                call.made = Some(Box::new(Arena::new(shared.clone(), settings)?));
            }
            other => return Err(unknown("a game", other)),
        }
        Ok(0)
    }
}

/// The same port, but that panics become errors, after which it is not used any more.
pub fn guarded(port: Box<dyn Port>) -> Box<dyn Port> {
    Box::new(Guarded(Handle::of(port)))
}

struct Guarded(Handle);

impl Port for Guarded {
    fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
        let result = self.0.call(call);
        call.made = call.made.take().map(guarded);
        result
    }
}
