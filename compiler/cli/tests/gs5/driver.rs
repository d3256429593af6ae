//! Plays episodes by commands, and tells after each of them all that can be known: interpreted in the test itself, and as a
//! part of the programs of compiled rule sets.

use std::path::PathBuf;

use crate::rulec_search::episode::boards::Boards;
use crate::rulec_search::episode::captive::source_of;
use crate::rulec_search::episode::request::{Request, Source};
use crate::rulec_search::episode::session::Session;
use crate::rulec_search::{AnyState, episode::session::Code};

/// Answers commands: `board FILE`, `m ID BUCKET`, `c CELL BUCKET`, `p ID`. An answer is the code, how the episode stands, the
/// counters `row: row counter / counters of atoms`, and `ID=MASK` for each piece.
///
/// # Errors
/// What is wrong with a board or a command.
pub(crate) fn play<'g>(
    start: &(dyn AnyState<'g> + 'g),
    commands: impl Iterator<Item = String>,
    mut answer: impl FnMut(String),
) -> Result<(), String> {
    let info = start.info().episode.ok_or("the game has no episodes")?;
    let mut session: Option<Session<'g>> = None;
    for line in commands {
        let (word, rest) = line.split_once(' ').ok_or("a command needs an argument")?;
        let numbers = || -> Result<Vec<i32>, String> {
            let numbers = rest.split(' ').map(|n| n.parse().map_err(|_| line.clone()));
            numbers.collect()
        };
        let code = match (word, &mut session) {
            ("board", _) => {
                let request = Request {
                    source: Source::Board(PathBuf::new(), rest.into()),
                    ..Request::default()
                };
                let boards = Boards::new(info, source_of(info, &request)?, 1)?;
                session = Some(Session::new(start, info, boards)?);
                0
            }
            (word, Some(session)) => attempt(session, word, &numbers()?)?.number(),
            _ => return Err("there is no board".to_owned()),
        };
        let session = session.as_ref().ok_or("there is no board")?;
        answer(format!("{code} {}", position(session)));
    }
    Ok(())
}

fn attempt(session: &mut Session<'_>, word: &str, numbers: &[i32]) -> Result<Code, String> {
    let target = |n: &i32| usize::try_from(*n).map_err(|_| "a target is below 0".to_owned());
    match (word, numbers) {
        ("m", [id, bucket]) => Ok(session.attempt(*id, target(bucket)?)),
        ("c", [cell, bucket]) => Ok(session.attempt_place(target(cell)? - 1, target(bucket)?)),
        ("p", [id]) => Ok(session.pick(*id)),
        _ => Err(format!(
            "`{word}` with {} numbers is no command",
            numbers.len()
        )),
    }
}

fn position(session: &Session<'_>) -> String {
    let shown = |n: &i64| {
        if *n < 0 {
            "*".to_owned()
        } else {
            n.to_string()
        }
    };
    let counters = session.counters();
    let row = counters[0].max(0) as usize;
    let atoms = session.info().atoms.get(row).map_or(0, |n| *n as usize);
    let atoms: Vec<String> = counters[2..].iter().take(atoms).map(shown).collect();
    let pieces = session.pieces().iter().filter(|piece| piece.here);
    let mut table: Vec<String> = pieces
        .map(|piece| format!("{}={}", piece.id, session.targets(piece)))
        .collect();
    table.sort();
    format!(
        "{} {row}: {} / {} {}",
        session.finish().number(),
        shown(&counters[1]),
        atoms.join(","),
        table.join(" ")
    )
}
