//! `changes`: questions of the whole board that were false before a move are asked about what the move changed.
//!
//! A rule that ends the game where some line is full asks that of the whole board after every move. In every position in which a
//! player decides no line is full, or the game had ended there. A move changes few places, so a line that is full after
//! it runs through one of these: of all lines ([`question`]) those that a new piece may have filled are asked about
//! ([`write`]), by its place.
//!
//! Why that holds is gone through along every way from one stop to the next ([`walk`]): between a change that may fill
//! lines and the next stop the question is asked, and where its answer is yes the game ends. What is not of this kind,
//! such as two pieces that are put before the question is asked, a move after which it is not asked, or a slot of the
//! past that is given back, leaves the whole question where it is.
//!
//! The first position is looked at when the game is compiled. A position that comes from elsewhere, as from a text, may have
//! full lines and go on: a variable says whether that is possible, which is so in all positions but those that the
//! process of the rules itself has come to, and then the whole question is asked.

mod question;
#[cfg(test)]
mod tests;
mod walk;
mod write;

use crate::ir::effects::Effects;
use crate::ir::{Const, Expr, FuncId, Game, Stmt, Type, Var, VarId};

use super::fold_constants::{drop_functions, drop_tables, simplify};
use super::params::drop_unread;
use super::tables::free_name;
use question::Question;
use walk::Walk;

/// Lines from which on it is worth while to ask about those through a place.
const FEWEST_LINES: usize = 16;

/// Asks questions about what moves change.
pub fn run(game: &mut Game) {
    // What a host gives begins anywhere. Texts that tell all variables would tell what is known, and be believed.
    if game.machine.is_some() || game.episode.is_some() || game.state_text.is_empty() {
        return;
    }
    drop_unread(game);
    let mut found = false;
    let mut effects = Effects::of(game);
    let mut live = effects.live(game);
    for func in (0..game.functions.len()).map(FuncId::from) {
        if !live.contains(&func) {
            continue;
        }
        let Some(question) = Question::of(game, &effects, func) else {
            continue;
        };
        if worth_while(&question)
            && let Some(changed) = asked_of_changes(game, &effects, &question)
        {
            *game = changed;
            found = true;
            effects = Effects::of(game);
            live = effects.live(game);
        }
    }
    if found {
        drop_functions(game);
        simplify(game);
        drop_tables(game);
        super::legal::run(game);
    }
}

fn worth_while(question: &Question) -> bool {
    let lines = question.parts.iter().map(|part| part.lines.len());
    lines.sum::<usize>() >= FEWEST_LINES
}

/// The game with one question asked of what moves change, where that is shown to be the same.
fn asked_of_changes(game: &Game, effects: &Effects, question: &Question) -> Option<Game> {
    let mut changed = game.clone();
    let unsure = declare(&mut changed, question);
    let mut walk = Walk::new(changed, effects, question, unsure);
    walk.process()?;
    let mut changed = walk.finished()?;
    let init = &changed.placement(question.placement).init;
    if question.fails_at(init) {
        let span = changed.function(changed.process).span;
        let sure = Stmt::set_var(unsure, Vec::new(), Expr::bool(false, span));
        let process = changed.process.index();
        changed.functions[process].body.insert(0, sure);
    }
    Some(changed)
}

/// Adds the variable that says whether a line may be full where a player decides.
fn declare(game: &mut Game, question: &Question) -> VarId {
    let function = game.function(question.func);
    let wanted = format!("{} not known", function.name);
    let span = function.span;
    let name = free_name(&wanted, game.vars.iter().map(|var| var.name.as_str()));
    let id = VarId::from(game.vars.len());
    game.vars.push(Var {
        name,
        axes: Vec::new(),
        ty: Type::Bool,
        init: vec![Const::Bool(true)],
        // It says what is known of a position, and is no part of it.
        meter: true,
        span,
    });
    game.unsure.push(id);
    id
}
