//! Two things at once.

/// The stack of what is done beside something else.
const ROOM: usize = 8 << 20;

/// Does two things at once where there are threads; neither asks for the other.
pub fn beside<A: Send, B>(
    aside: impl FnOnce() -> A + Send + Clone,
    here: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let room = std::thread::Builder::new().stack_size(ROOM);
        let thread = room.spawn_scoped(scope, aside.clone());
        let here = here();
        let aside = match thread.map(|thread| thread.join()) {
            Ok(Ok(aside)) => aside,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => aside(),
        };
        (aside, here)
    })
}

/// Begins something that nobody waits for, if there are threads.
pub fn aside(work: impl FnOnce() + Send + 'static) {
    let room = std::thread::Builder::new().stack_size(ROOM);
    // Where there are none, it is done once somebody asks for it.
    drop(room.spawn(work));
}
