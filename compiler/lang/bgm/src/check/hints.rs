//! Warnings: rules that mean something, but hardly what was intended.

use indexmap::IndexMap;

use super::super::ast::{RuleKind, Stuck};
use super::super::codes;
use super::super::model::{
    Base, Cmp, EffectKind, Model, Players, PlayersBase, Ref, Require, Rule, Test, What,
};
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
    let replaced = model.rules.iter().filter_map(replaced);
    replaced.for_each(|found| diagnostics.push(found));
    unused_objects(model, diagnostics);
    without_property(model, diagnostics);
}

/// What is told of a rule that says twice who may act, where the second does not go by the first.
fn replaced(rule: &Rule) -> Option<Diagnostic> {
    let mut known: Option<usize> = None;
    for (at, effect) in rule.effects.iter().enumerate() {
        let sets = sets_of_players(&effect.kind);
        let relative =
            |players: &&Players| matches!(players.base, PlayersBase::Active | PlayersBase::Former);
        if sets.iter().any(relative) {
            known = None;
        }
        let EffectKind::Players(_) = effect.kind else {
            continue;
        };
        let Some(first) = known.replace(at) else {
            continue;
        };
        let message = format!("`{}` says later who may act: this does nothing", rule.name);
        let found = Diagnostic::new(&codes::DOES_NOTHING, rule.effects[first].span, message);
        let found = found.also(effect.span, "this says it anew");
        return Some(
            match rule.effects.get(first + 1).filter(|_| first + 1 < at) {
                Some(between) => found
                    .also(between.span, "is a line `Action ...` missing before this?")
                    .help("effects of another action stand below a line `Action` of its own"),
                None => found.help("leave out one of the two"),
            },
        );
    }
    None
}

/// Warns of players who own nothing of what an action asks them for, where there is enough of it for all, nothing is ever given
/// to anybody, and the player has no sort of things of their own instead: where no other action is open to the player, or there
/// is one for each and another has two.
fn without_property(model: &Model, out: &mut Diagnostics) {
    let gives =
        |kind: &EffectKind| matches!(kind, EffectKind::Own(..) | EffectKind::Distribute { .. });
    let mut effects = model.rules.iter().flat_map(|rule| &rule.effects);
    if effects.any(|effect| gives(&effect.kind)) {
        return;
    }
    let owned = |ty: usize| {
        model
            .objects
            .iter()
            .filter(move |o| o.ty == ty && o.owner.is_some())
    };
    let has = |seat: usize, ty: usize| owned(ty).any(|object| object.owner == Some(seat));
    let is_own = |seat: usize, ty: usize| {
        has(seat, ty) && owned(ty).all(|object| object.owner == Some(seat))
    };
    let players = model.players.len();
    let actions = model
        .rules
        .iter()
        .filter(|rule| rule.kind == RuleKind::Action);
    let is_closed = |seat: usize| {
        actions.clone().all(|rule| {
            let mut asked = rule
                .require
                .iter()
                .filter_map(|require| asked_property(model, rule, require));
            asked.any(|ty| !has(seat, ty))
        })
    };
    let mut told: IndexMap<(usize, usize), Vec<&Rule>> = IndexMap::new();
    for rule in actions.clone() {
        let mut asked = rule
            .require
            .iter()
            .filter_map(|require| asked_property(model, rule, require));
        let Some(ty) = asked.next() else {
            continue;
        };
        let count = model
            .objects
            .iter()
            .filter(|object| object.ty == ty)
            .count();
        if count < players || owned(ty).next().is_none() {
            continue;
        }
        // One for each, and somebody has two.
        let shares = count == players && owned(ty).count() == count;
        let without = (0..players).filter(|&seat| {
            !has(seat, ty)
                && (is_closed(seat) || shares)
                && !(0..model.types.len()).any(|other| is_own(seat, other))
        });
        without.for_each(|seat| told.entry((seat, ty)).or_default().push(rule));
    }
    for ((seat, ty), rules) in told {
        let (player, name) = (&model.players[seat], &model.types[ty].name);
        let names: Vec<String> = rules
            .iter()
            .map(|rule| format!("`{}`", rule.name))
            .collect();
        let are = if names.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} {are} never possible for {player}, who owns no `{name}`",
            names.join(", ")
        );
        let found = Diagnostic::new(&codes::OWNS_NOTHING, rules[0].span, message);
        let others = owned(ty).next_back().map(|object| object.span);
        out.push(
            match others {
                Some(span) => found.also(span, "others own objects such as this"),
                None => found,
            }
            .help(format!("should a line `owner` say `{player}`?")),
        );
    }
}

/// The type of which a requirement asks whether the acting player owns something.
fn asked_property(model: &Model, rule: &Rule, require: &Require) -> Option<usize> {
    let Test::Owns { what, cmp, number } = &require.test else {
        return None;
    };
    // Who owns nothing owns less than any number, too.
    if *cmp == Cmp::Less || *cmp == Cmp::Equal && *number == 0 {
        return None;
    }
    let found = match what {
        What::Type(ty) => Some(*ty),
        What::Objects(reference) if reference.steps.is_empty() => Some(match reference.base {
            Base::Param(param) => rule.params[param].ty,
            Base::Object(object) => model.objects[object].ty,
        }),
        _ => None,
    };
    found.filter(|_| !require.not)
}

/// Warns of named objects that no rule has to do with, although others of their type are named in rules.
fn unused_objects(model: &Model, out: &mut Diagnostics) {
    let named = objects_in_rules(model);
    for (index, object) in model.objects.iter().enumerate() {
        let Some(name) = object.name.as_ref().filter(|_| !named.contains(&index)) else {
            continue;
        };
        let holds = model
            .objects
            .iter()
            .any(|other| other.container == Some(index));
        let twin = named
            .iter()
            .find(|other| model.objects[**other].ty == object.ty);
        let Some(twin) = twin.and_then(|twin| model.objects[*twin].name.as_ref()) else {
            continue;
        };
        if holds || object.container.is_some() || mentioned(model, object.ty) {
            continue;
        }
        let message = format!("no rule has to do with `{name}`");
        let found = Diagnostic::new(&codes::UNUSED_OBJECT, object.span, message);
        let ty = &model.types[object.ty].name;
        out.push(found.note(format!(
            "rules name objects of type `{ty}` one by one, such as `{twin}`, and none names this one"
        )));
    }
}

/// The objects that rules call by their names.
fn objects_in_rules(model: &Model) -> Vec<usize> {
    let mut found = Vec::new();
    for rule in &model.rules {
        let tests = rule
            .require
            .iter()
            .flat_map(|require| refs_of_test(&require.test));
        let effects = rule
            .effects
            .iter()
            .flat_map(|effect| refs_of_effect(&effect.kind));
        for reference in tests.chain(effects) {
            match reference.base {
                Base::Object(object) if !found.contains(&object) => found.push(object),
                _ => {}
            }
        }
    }
    found
}

fn ref_of(what: &What) -> Option<&Ref> {
    match what {
        What::Type(_) => None,
        What::Objects(reference) | What::TypesOf(reference) => Some(reference),
    }
}

fn refs_of_test(test: &Test) -> Vec<&Ref> {
    match test {
        Test::In { inner, outer, .. } => std::iter::once(inner).chain(ref_of(outer)).collect(),
        Test::Contains { outer, inner, .. } => {
            std::iter::once(outer).chain(ref_of(inner)).collect()
        }
        Test::Owns { what, .. } => ref_of(what).into_iter().collect(),
        Test::Timer => Vec::new(),
    }
}

fn refs_of_effect(kind: &EffectKind) -> Vec<&Ref> {
    match kind {
        EffectKind::Put(what, into) => vec![what, into],
        EffectKind::Create { into, .. } => into.iter().collect(),
        EffectKind::RemoveSome { what, from, .. } => {
            ref_of(what).into_iter().chain([from]).collect()
        }
        EffectKind::Remove(what)
        | EffectKind::Delete(what)
        | EffectKind::Disown(what)
        | EffectKind::Own(what, _) => vec![what],
        EffectKind::Distribute { from, .. } => vec![from],
        EffectKind::DisownSome { .. } | EffectKind::Players(_) | EffectKind::SetTimer(_) => {
            Vec::new()
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
    model.rules.iter().any(|rule| {
        let is = |what: &What| match what {
            What::Type(other) => *other == ty,
            // What a reference with steps comes to may be of any type.
            What::TypesOf(reference) => {
                !reference.steps.is_empty()
                    || ty
                        == match reference.base {
                            Base::Param(param) => rule.params[param].ty,
                            Base::Object(object) => model.objects[object].ty,
                        }
            }
            What::Objects(_) => false,
        };
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
