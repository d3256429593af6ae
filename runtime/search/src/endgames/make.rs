//! Making tables: which ones, within which bounds, and what they need.

use super::{Class, Endgames, Error, Frame, Table, plan};
use crate::AnyState;

/// Is told what is done, how much of it, and of how much; says whether to go on.
pub type Telling<'a> = &'a mut (dyn FnMut(&str, u64, u64) -> bool + Send);

/// Which tables are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// That of these contents.
    Of(Vec<String>),
    /// Those of all contents up to so many.
    UpTo(usize),
}

/// Bounds of the work.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes at most.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// Seed of the random games by which the game is learnt.
    pub seed: u64,
}

/// What the work was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Positions that were set up, and those that were met on the way and are none of a table.
    pub positions: u64,
    /// Those met on the way.
    pub met: u64,
    /// Moves whose result was not known at once.
    pub moves: u64,
}

/// Works out tables and all that they need; each is given to `keep` when it is done, smaller ones first. Tables that are
/// there already are used.
///
/// # Errors
/// When the game is not of that kind, or there is too much.
pub fn make<'g>(
    start: &(dyn AnyState<'g> + 'g),
    wishes: &[Wish],
    known: Endgames,
    settings: &Settings,
    telling: Telling<'_>,
    keep: &mut dyn FnMut(&Table, Made) -> Result<(), Error>,
) -> Result<Endgames, Error> {
    let frame = match known.frame() {
        Some(frame) => frame.clone(),
        None => Frame::learn(start, settings.seed)?,
    };
    let mut plan = plan::Plan::new(start, &frame, settings, known.into_tables());
    plan.wish(wishes)?;
    while let Some(component) = plan.next()? {
        plan.work_out(&component, telling, keep)?;
    }
    Ok(Endgames::of(plan.into_tables()))
}

/// What tables can be about, for people: the contents of a game, and how many of each there always are.
///
/// # Errors
/// When there can be no tables.
pub fn contents<'g>(
    start: &(dyn AnyState<'g> + 'g),
    seed: u64,
) -> Result<Vec<(String, u8)>, Error> {
    let frame = Frame::learn(start, seed)?;
    Ok(frame.contents.into_iter().zip(frame.always).collect())
}

/// The class of some names.
pub(super) fn class_of(frame: &Frame, names: &[String]) -> Result<Class, Error> {
    let mut class = Class(vec![0; frame.contents.len()]);
    for name in names {
        let at = frame.contents.iter().position(|known| known == name);
        let count = at.and_then(|at| class.0.get_mut(at));
        let count =
            count.ok_or_else(|| Error::NoContent(name.clone(), frame.contents.join(", ")))?;
        *count = count.saturating_add(1);
    }
    for (at, (always, count)) in frame.always.iter().zip(&class.0).enumerate() {
        if count < always {
            return Err(Error::Missing(frame.contents[at].clone(), *always));
        }
    }
    Ok(class)
}
