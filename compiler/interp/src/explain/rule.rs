//! Reasons that are about a rule, or about the position, and not about a move.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::node::{Kind, Node};
use super::super::record::Noted;
use super::{
    Explainer, FamilyId, Otherwise, Progress, Reason, Run, Stop, Told, Tries, Type, Value, nothing,
};
use crate::ir::{ExprKind, Fold, Function, visit};
use crate::source::Span;

/// The condition that no candidate of a rule passes in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// How far the candidate came that came farthest: comparable between positions of one game, for one rule.
    pub progress: (u32, usize),
    /// The rule.
    pub family: FamilyId,
    /// Place of the condition: a part of a conjunction that stands for itself. The rule itself where what fails is not written.
    pub span: Span,
    /// Whether it is written, as a condition that came to a truth value each time.
    pub written: bool,
    /// What it came to.
    pub value: bool,
    /// Whether it asks for no more than who is to move: the rule is for others.
    pub for_others: bool,
}

/// The part of a condition that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    span: Span,
    value: bool,
    for_others: bool,
}

impl Explainer<'_> {
    /// Why no move of a family is legal here.
    pub fn family(&mut self, family: FamilyId) -> Reason {
        if let Some(reason) = self.interp.beforehand(self.state) {
            return reason;
        }
        let wanted = vec![None; self.interp.game().family(family).params.len()];
        let mut best = None;
        self.try_family(family, &wanted, &mut 0, &mut best);
        best.map_or_else(
            || nothing("not-a-move", "there is nothing to try"),
            |(_, reason)| reason,
        )
    }

    /// How far candidates of a family come here, and what stops the one that comes farthest; nothing where one is legal, or
    /// nobody is to choose. Positions in which nobody can move are looked at like others.
    pub fn barrier(&mut self, family: FamilyId) -> Option<Barrier> {
        let wanted = vec![None; self.interp.game().family(family).params.len()];
        let mut best = None;
        self.by_parts = true;
        self.try_family(family, &wanted, &mut 0, &mut best);
        self.by_parts = false;
        let (progress, reason) = best?;
        if reason.kind == "legal" {
            return None;
        }
        let rule = self.interp.game().family(family).span;
        let at = reason
            .part
            .filter(|part| part.span.start > 0 && part.span != rule);
        Some(Barrier {
            progress,
            family,
            span: at.map_or(rule, |part| part.span),
            written: at.is_some(),
            value: at.is_some_and(|part| part.value),
            for_others: at.is_some_and(|part| part.for_others),
        })
    }

    /// What no move may leave to the one who is to move, and is so already: in chess, that the king is in check. A reason of
    /// the kind `after`; one of the kind `legal` where there is no such thing.
    pub fn threat(&mut self) -> Reason {
        let fine = || nothing("legal", "nothing threatens");
        if let Some(reason) = self.interp.beforehand(self.state) {
            return reason;
        }
        let Stop::Choose { code, given, .. } = self.state.stop.as_ref() else {
            return fine();
        };
        let program = &self.state.program;
        let mut asked = Vec::new();
        for (at, arm) in program.chooses[*code].arms.iter().enumerate() {
            let family = program.game.family(arm.family);
            let Some(after) = family.after else {
                continue;
            };
            let mut values = given[at].clone();
            // The same question, of another kind of move.
            let told = self.interp.game().function(after);
            let body = (told.body.clone(), values.clone());
            if asked.contains(&body) || !is_about_the_position(told) {
                continue;
            }
            asked.push(body);
            values.extend(family.params.iter().map(|param| match param.ty {
                Type::Set(_) => Value::Set(crate::Members::below(0)),
                _ => Value::Elem(0),
            }));
            let tries = Tries {
                interp: self.interp,
                state: self.state,
                program,
                family: arm.family,
                arm: at,
                given: &given[at],
                wanted: &[],
                tries: &mut 0,
                best: &mut None,
                by_parts: false,
                known: &mut self.known,
            };
            if let Some(told) = tries.as_it_is(after, &values) {
                return Reason {
                    mv: None,
                    ..tries.reason("after", &given[at], told)
                };
            }
        }
        fine()
    }
}

impl Tries<'_, '_> {
    /// How far a guard came that failed, and the part of it that decided, with what that came to. By parts, as many conditions as
    /// were asked, each once: those that are asked in a loop do not count again.
    pub(super) fn progress(&self, roots: &[Noted<'_>]) -> (Progress, Option<Part>) {
        if !self.by_parts {
            return ((3, roots.len()), None);
        }
        ((3, conditions_asked(roots)), self.part(roots))
    }

    /// The part that decided: of what was asked last, unless that is a constant that was given behind a test which let it pass.
    fn part(&self, roots: &[Noted<'_>]) -> Option<Part> {
        let mut given: Option<Span> = None;
        for root in roots.iter().rev() {
            let is_false = root.value == Some(Value::Bool(false));
            if let Kind::Number(_) | Kind::Const(_) = root.node.kind {
                if is_false {
                    given.get_or_insert(root.node.span);
                }
                continue;
            }
            let Some(leaf) = part_of(root, false) else {
                // A test of what was worked out before, which led to the constant.
                if !is_false {
                    given = None;
                }
                continue;
            };
            // The test of a line that let it pass, before a constant that is not recorded.
            if is_false && matches!(root.node.kind, Kind::Not) {
                return None;
            }
            return Some(match given {
                Some(span) if is_false => Part {
                    span,
                    value: false,
                    for_others: false,
                },
                _ => Part {
                    span: leaf.node.span,
                    value: leaf.value == Some(Value::Bool(true)),
                    for_others: self.asks_for_turn(leaf.node),
                },
            });
        }
        None
    }

    /// The part of the candidates for a parameter that lets none be.
    pub(super) fn nothing_of(&self, roots: &[Noted<'_>]) -> Option<Part> {
        let is_empty =
            |noted: &&Noted<'_>| matches!(&noted.value, Some(Value::Set(set)) if set.is_empty());
        let mut empty = roots.iter().rev().find(is_empty)?;
        while let Kind::Sets(_) | Kind::Same | Kind::Call(_) = empty.node.kind
            && let Some(inner) = empty.kids.iter().find(is_empty)
        {
            empty = inner;
        }
        Some(Part {
            span: empty.node.span,
            value: false,
            for_others: false,
        })
    }

    /// Whether an expression reads no more than what says who is to move.
    fn asks_for_turn(&self, node: &Node) -> bool {
        let Stop::Choose { code, .. } = self.state.stop.as_ref() else {
            return false;
        };
        let turn = reads(&self.program.chooses[*code].players);
        let read = reads(node);
        !read.is_empty() && read.is_subset(&turn)
    }

    /// Why the position as it is would not be allowed after a move; nothing if it would.
    fn as_it_is(&self, after: crate::ir::FuncId, values: &[Value]) -> Option<Told> {
        let core = Arc::clone(&self.state.core);
        let mut run = Run::new(self.program, core, Otherwise::Ignore);
        run.begin();
        run.record();
        match run.ask_on(after, values) {
            Ok(Some(Value::Bool(false))) => Some(self.decisive(&run.take_record())),
            _ => None,
        }
    }
}

/// Whether a predicate looks at the position alone, whatever the move was.
fn is_about_the_position(function: &Function) -> bool {
    let mut parameters = false;
    visit::walk_exprs(&function.body, &mut |expr| {
        parameters |=
            matches!(expr.kind, ExprKind::Local(local) if local.index() < function.params);
    });
    !parameters
}

/// How many conditions were asked, each once: those that are asked in a loop do not count again.
pub(super) fn conditions_asked(roots: &[Noted<'_>]) -> usize {
    let mut asked = BTreeSet::new();
    let mut open: Vec<&Noted<'_>> = roots.iter().collect();
    while let Some(noted) = open.pop() {
        if matches!(noted.value, Some(Value::Bool(_))) {
            asked.insert(std::ptr::from_ref(noted.node));
        }
        open.extend(&noted.kids);
    }
    asked.len()
}

/// The part that decided of something that was evaluated by itself. A line that does not hold is there the negation of what is
/// written, at the place of it.
pub(super) fn part_of<'n, 'a>(root: &'n Noted<'a>, members: bool) -> Option<&'n Noted<'a>> {
    match (&root.node.kind, &root.value, root.kids.last()) {
        (Kind::Not, Some(Value::Bool(true)), Some(line)) if line.node.span == root.node.span => {
            part(line, members)
        }
        _ => part(root, members),
    }
}

/// The part of a condition that decided, as it stands in the rules: down through what holds only where all of its parts do.
/// Nothing where that is a value that was worked out before. With `members`, what holds of no member is followed to the one of
/// which most was asked.
fn part<'n, 'a>(noted: &'n Noted<'a>, members: bool) -> Option<&'n Noted<'a>> {
    let Some(Value::Bool(value)) = noted.value else {
        return None;
    };
    let last = || noted.kids.last().and_then(|kid| part(kid, members));
    // What is written is the whole where a negation is no word of its own.
    let whole = |kid: &Noted<'_>| kid.node.span == noted.node.span;
    match (&noted.node.kind, value) {
        (Kind::Number(_) | Kind::Local(_) | Kind::Const(_), _) => None,
        (Kind::Not, _) if noted.kids.last().is_some_and(whole) => last().map(|_| noted),
        (Kind::And, false) | (Kind::Or, true) | (Kind::Not | Kind::Same, _) => last(),
        (Kind::Call(_), _) => last().or(Some(noted)),
        (Kind::Fold(Fold::Exists, _), false) if members => {
            let tried = noted.kids.iter().filter(|kid| is_truth(kid));
            let best = tried.max_by_key(|kid| conditions_asked(std::slice::from_ref(*kid)));
            best.and_then(|kid| part(kid, members)).or(Some(noted))
        }
        _ => Some(noted),
    }
}

fn is_truth(noted: &Noted<'_>) -> bool {
    matches!(noted.value, Some(Value::Bool(_)))
}

/// What of the state an expression reads by itself: numbers of variables, and one of no variable for all else.
fn reads(node: &Node) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind {
            Kind::Var(var) => {
                found.insert(var);
            }
            Kind::Content(_)
            | Kind::Contents(_)
            | Kind::Places(_)
            | Kind::PlaceOf(_)
            | Kind::Env(_)
            | Kind::Call(_)
            | Kind::Local(_) => {
                found.insert(usize::MAX);
            }
            _ => {}
        }
        open.extend(&node.args);
    }
    found
}
