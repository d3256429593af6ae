//! Making tables: which ones, within which bounds, and what they need.

use super::{
    Endgames, Error, Frame, Table,
    plan::{self, Made, Settings, Telling, Wish},
};
use crate::AnyState;

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
