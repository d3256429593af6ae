//! Warnings: rules that mean something, but hardly what was intended.

use super::super::ast::{RuleKind, Stuck};
use super::super::codes;
use super::super::model::{EffectKind, Model, Players, PlayersBase, Rule, Test, What};
use crate::diag::{Diagnostic, Diagnostics};

/// Warns of what a sound file says in vain.
pub(super) fn hints(model: &Model, diagnostics: &mut Diagnostics) {
    let mut warn = |code, span, message: String| {
        diagnostics.push(Diagnostic::new(code, span, message));
    };
    if !model.rules.iter().any(|rule| rule.kind == RuleKind::Action) {
        let start = crate::source::Span::new(model.span.file, 0, 0);
        let message = String::from("there is no action");
        warn(&codes::NO_ACTIONS, start, message);
    }
    let effects = || model.rules.iter().flat_map(|rule| &rule.effects);
    let made = |ty: usize| {
        let makes =
            |kind: &EffectKind| matches!(kind, EffectKind::Create { ty: made, .. } if *made == ty);
        model.objects.iter().any(|object| object.ty == ty) || effects().any(|e| makes(&e.kind))
    };
    for rule in &model.rules {
        if let Some(param) = rule.params.iter().find(|param| !made(param.ty)) {
            let ty = &model.types[param.ty].name;
            let message = format!(
                "there is never an object of type `{ty}` for `{}`",
                param.name
            );
            warn(&codes::NEVER_POSSIBLE, rule.span, message);
        }
    }
    timer(model, &mut warn);
    turns(model, &mut warn);
    for rule in &model.rules {
        replaced(rule, &mut warn);
    }
    let decides = |rule: &Rule| matches!(rule.kind, RuleKind::Win | RuleKind::Lose);
    let decided = model.players.len() == 1 || model.rules.iter().any(decides);
    let first = model.rules.first().filter(|_| !decided);
    if let (Some(first), Stuck::Draw) = (first, model.stuck) {
        let message = "there is neither a WinCondition nor a LoseCondition, and who is stuck draws";
        warn(&codes::NO_WINNER, first.span, message.to_owned());
    }
    for (index, ty) in model.types.iter().enumerate() {
        let count = model.objects.iter().filter(|o| o.ty == index).count();
        if let Some((max, span)) = ty.max.filter(|(max, _)| (*max as usize) < count) {
            let message = format!(
                "`{}` has {count} objects at the start, more than {max}",
                ty.name
            );
            warn(&codes::BOUND_BELOW_START, span, message);
        }
        if count == 0 && !mentioned(model, index) {
            let message = format!("the type `{}` is never used", ty.name);
            warn(&codes::UNUSED_TYPE, ty.span, message);
        }
    }
}

/// Warns of who may act being said twice in a rule, where the second does not go by the first.
fn replaced(
    rule: &Rule,
    warn: &mut impl FnMut(&'static crate::diag::CodeInfo, crate::source::Span, String),
) {
    let mut known: Option<crate::source::Span> = None;
    for effect in &rule.effects {
        let sets = sets_of_players(&effect.kind);
        let relative =
            |players: &&Players| matches!(players.base, PlayersBase::Active | PlayersBase::Former);
        if sets.iter().any(relative) {
            known = None;
        }
        if let EffectKind::Players(_) = effect.kind
            && let Some(first) = known.replace(effect.span)
        {
            let message = format!("`{}` says later who may act: this does nothing", rule.name);
            return warn(&codes::DOES_NOTHING, first, message);
        }
    }
}

/// The sets of players that an effect speaks of.
fn sets_of_players(kind: &EffectKind) -> Vec<&Players> {
    match kind {
        EffectKind::Players(players) | EffectKind::Own(_, players) => vec![players],
        EffectKind::Distribute { to, .. } => vec![to],
        EffectKind::DisownSome { of, .. } => vec![of],
        _ => Vec::new(),
    }
}

/// Warns of players who never get a turn.
fn turns(
    model: &Model,
    warn: &mut impl FnMut(&'static crate::diag::CodeInfo, crate::source::Span, String),
) {
    let mut effects = model.rules.iter().flat_map(|rule| &rule.effects);
    let changes = effects.any(|effect| matches!(effect.kind, EffectKind::Players(_)));
    // Who is eliminated hands the turn on, unless one is left then, who has won.
    let loses = model.rules.iter().any(|rule| rule.kind == RuleKind::Lose);
    let loses = loses && model.players.len() > 2;
    let action = model
        .rules
        .iter()
        .find(|rule| rule.kind == RuleKind::Action);
    let idle = (0..model.players.len()).filter(|seat| !model.active.contains(seat));
    let idle: Vec<&str> = idle.map(|seat| model.players[seat].as_str()).collect();
    if let (false, false, false, Some(action)) = (changes, loses, idle.is_empty(), action) {
        let message = format!("no rule passes the turn: {} never can act", idle.join(", "));
        warn(&codes::NO_TURN, action.span, message);
    }
}

fn timer(
    model: &Model,
    warn: &mut impl FnMut(&'static crate::diag::CodeInfo, crate::source::Span, String),
) {
    let effects = model.rules.iter().flat_map(|rule| &rule.effects);
    let set = effects
        .filter(|effect| matches!(effect.kind, EffectKind::SetTimer(_)))
        .map(|effect| effect.span);
    let tests = model.rules.iter().flat_map(|rule| &rule.require);
    let read = tests
        .filter(|require| matches!(require.test, Test::Timer))
        .map(|require| require.span);
    match (set.min(), read.min()) {
        (Some(set), None) => warn(
            &codes::DEAD_TIMER,
            set,
            "nothing reads the timer".to_owned(),
        ),
        (None, Some(read)) => warn(
            &codes::DEAD_TIMER,
            read,
            "nothing sets the timer".to_owned(),
        ),
        _ => {}
    }
}

/// Whether a rule mentions a type.
fn mentioned(model: &Model, ty: usize) -> bool {
    let is = |what: &What| matches!(what, What::Type(other) if *other == ty);
    model.rules.iter().any(|rule| {
        let params = rule.params.iter().any(|param| param.ty == ty);
        let requires = rule.require.iter().any(|require| match &require.test {
            Test::In { outer: what, .. }
            | Test::Contains { inner: what, .. }
            | Test::Owns { what, .. } => is(what),
            Test::Timer => false,
        });
        let effects = rule.effects.iter().any(|effect| match &effect.kind {
            EffectKind::Create { ty: other, .. }
            | EffectKind::Distribute { ty: other, .. }
            | EffectKind::DisownSome { ty: other, .. } => *other == ty,
            EffectKind::RemoveSome { what, .. } => is(what),
            _ => false,
        });
        params || requires || effects
    })
}
