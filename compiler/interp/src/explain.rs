//! Why a move is not legal: the first condition that fails in the rule that comes nearest to it.
//!
//! Candidates for what is wished are tried as the search for legal moves tries them, one family after the other, and
//! what is evaluated is recorded. Where a candidate fails, the last condition that was evaluated is the one that
//! failed; in it the part that decides is looked for. Of all candidates the one that got farthest is told.

mod apart;
mod beside;
mod ends;
mod rule;

pub use beside::Lack;
pub(super) use ends::Watched;
pub use ends::{Ends, Gate};
pub use rule::Barrier;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::node::{Kind, Node};
use super::program::Program;
use super::record::{Noted, Sight};
use super::run::{Otherwise, Run};
use super::state::{Fault, State, Stop};
use super::value::{Members, Value};
use super::{Interp, Move, MoveParts, describe};
use crate::ir::{FamilyId, LocalId, PlacementForm, PlacementId, Type};
use crate::source::Span;

/// Candidates that are tried for one wish at most.
const MOST_TRIES: usize = 3000;
/// Values that a reason shows at most.
const MOST_VALUES: usize = 8;

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What kind of reason it is: `over`, `chance`, `not-a-move`, `legal`, `no-candidate`, `condition`, `after`, `rank`
    /// or `fault`.
    pub kind: &'static str,
    /// The family that came nearest, and the move of it if it is known as a whole.
    pub family: Option<FamilyId>,
    /// The move that came nearest.
    pub mv: Option<Move>,
    /// Place of the condition.
    pub span: Span,
    /// The condition in words of the program.
    pub condition: String,
    /// What it came to.
    pub came_to: String,
    /// What it looked at, and what that was.
    pub values: Vec<(String, String)>,
    /// Whether the condition came to the same when it was evaluated by itself.
    pub confirmed: bool,
    /// How often the condition was asked, with whatever values.
    pub cases: usize,
    /// The functions that it stands in by name, the outermost first.
    pub within: Vec<String>,
    /// What legal moves of the family have in common, and this one lacks.
    pub lacks: Option<Lack>,
    /// What its last argument could be, so that it is legal; where it has none, the first that it lacks.
    pub instead: Vec<String>,
    /// The arguments that it has.
    chosen: Vec<Value>,
    /// The part of the guard that decided, as it is written, and what it came to.
    part: Option<rule::Part>,
}

/// How far a candidate got: the stage, and how much of it.
type Progress = (u32, usize);

/// What a parameter that could be chosen counts for in it.
const PARAMETER: usize = 10;

/// Evaluations that are kept for later questions about one position at most, and candidates and values that were tried.
const MOST_KEPT: usize = 100_000;

/// Questions about one position. What was tried for one of them is not tried again for the next.
pub struct Explainer<'s> {
    interp: &'s Interp,
    state: &'s State,
    /// Whether parts of a condition that held count for how far a candidate came.
    by_parts: bool,
    known: Known<'s>,
}

/// What is known of the candidates of a position.
#[derive(Default)]
struct Known<'s> {
    offers: BTreeMap<Key, Result<Rc<Offer<'s>>, Fault>>,
    /// Evaluations in them.
    kept: usize,
    /// Values that are not offered after others.
    refused: BTreeMap<(Key, Value), Told>,
    judged: BTreeMap<Key, (Progress, Reason)>,
}

/// A family, the values of its context, and those of its first parameters.
type Key = (usize, Vec<Value>);

/// A way in which a family names things: values of its parameters, as far as they are known.
#[derive(Clone, PartialEq)]
struct Way {
    values: Vec<Option<Value>>,
    /// The parameter that got the last of them.
    last: usize,
    /// Whether the parameters have them in the order in which they were named.
    in_order: bool,
}

/// The candidates for a parameter, and what was evaluated for them.
struct Offer<'s> {
    values: Vec<Value>,
    roots: Vec<Noted<'s>>,
}

impl<'s> Explainer<'s> {
    /// Why none of these moves is legal here.
    pub fn moves(&mut self, moves: &[Move]) -> Reason {
        if let Some(reason) = self.interp.beforehand(self.state) {
            return reason;
        }
        let mut best = None;
        let mut tries = 0;
        for &mv in moves {
            if let Some(MoveParts::Family(family, args)) = self.interp.move_parts(mv) {
                let wanted: Vec<Option<Value>> = args.into_iter().map(Some).collect();
                self.try_family(family, &wanted, &mut tries, &mut best);
            }
        }
        match best {
            None => nothing("not-a-move", "the rules know no move of this text"),
            Some((_, reason)) => self.beside(reason),
        }
    }

    /// Why nothing that names all of these is legal here: domains and members.
    pub fn naming(&mut self, named: &[(u32, u32)]) -> Reason {
        if let Some(reason) = self.interp.beforehand(self.state) {
            return reason;
        }
        let is_there = |&(domain, member): &(u32, u32)| {
            let domain = self.interp.game().domains.get(domain as usize);
            domain.is_some_and(|domain| (member as usize) < domain.len())
        };
        if !named.iter().all(is_there) {
            return nothing("not-a-move", "there is nothing of this number");
        }
        let alike: Vec<Vec<(u32, u32)>> = named
            .iter()
            .map(|&thing| self.interp.likenesses(self.state, thing))
            .collect();
        // Who drags a piece names it first: rules that name the same things in another order come second.
        let mut best: [Option<(Progress, Reason)>; 2] = [None, None];
        let mut tries = 0;
        for index in 0..self.interp.game().families.len() {
            let family = FamilyId::from(index);
            for way in self.interp.assignments(family, &alike) {
                let best = &mut best[usize::from(!way.in_order)];
                self.try_family(family, &way.values, &mut tries, best);
            }
        }
        let [first, second] = best;
        let stage = |(progress, _): &(Progress, Reason)| (progress.0, progress.1 / PARAMETER);
        let best = match (first, second) {
            (Some(first), Some(second)) if stage(&second) > stage(&first) => Some(second),
            (first, second) => first.or(second),
        };
        match best {
            None => self.apart(named),
            Some((_, reason)) => self.beside(reason),
        }
    }

    /// Tries the candidates of a family with these values, and keeps the reason of the one that gets farthest.
    fn try_family(
        &mut self,
        family: FamilyId,
        wanted: &[Option<Value>],
        tries: &mut usize,
        best: &mut Option<(Progress, Reason)>,
    ) {
        let Stop::Choose { code, given, .. } = self.state.stop.as_ref() else {
            return;
        };
        let program: &'s Arc<Program> = &self.state.program;
        let arms = &program.chooses[*code].arms;
        let Some(arm) = arms.iter().position(|arm| arm.family == family) else {
            return keep(best, (0, 0), || Reason {
                family: Some(family),
                ..nothing("no-candidate", "such moves are not made at this time")
            });
        };
        let mut search = Tries {
            interp: self.interp,
            state: self.state,
            program,
            family,
            arm,
            given: &given[arm],
            wanted,
            tries,
            best,
            by_parts: self.by_parts,
            known: &mut self.known,
        };
        search.extend(&mut given[arm].clone());
    }
}

impl Interp {
    /// Questions about why moves are not legal in a position.
    pub fn explainer<'s>(&'s self, state: &'s State) -> Explainer<'s> {
        Explainer {
            interp: self,
            state,
            by_parts: false,
            known: Known::default(),
        }
    }

    /// What is to say where nobody decides.
    fn beforehand(&self, state: &State) -> Option<Reason> {
        if self.outcome(state).is_some() {
            return Some(nothing("over", "the game has ended"));
        }
        match state.stop.as_ref() {
            Stop::Choose { .. } => None,
            Stop::Chance { .. } => Some(nothing("chance", "a draw is due before anybody can move")),
            Stop::Broken(_) | Stop::Over => Some(nothing("over", "the game has ended")),
        }
    }

    /// The ways in which a family can name things, each of which has others alike: values of its parameters, as far as they
    /// are known.
    fn assignments(&self, family: FamilyId, named: &[Vec<(u32, u32)>]) -> Vec<Way> {
        let params = &self.game().family(family).params;
        let mut ways = vec![Way {
            values: vec![None; params.len()],
            last: 0,
            in_order: true,
        }];
        for alike in named {
            let mut next = Vec::new();
            for way in &ways {
                for &(domain, member) in alike {
                    let fits = |at: &usize| {
                        way.values[*at].is_none()
                            && params[*at].ty == Type::Elem(crate::ir::DomainId(domain))
                    };
                    for at in (0..params.len()).filter(fits) {
                        let mut way = way.clone();
                        way.values[at] = Some(Value::Elem(member));
                        way.in_order &= at >= way.last;
                        way.last = at;
                        if !next.contains(&way) {
                            next.push(way);
                        }
                    }
                }
            }
            ways = next;
            ways.truncate(24);
        }
        ways
    }

    /// A thing, and what stands for it: its place, or what stands on it.
    fn likenesses(&self, state: &State, (domain, member): (u32, u32)) -> Vec<(u32, u32)> {
        let mut found = vec![(domain, member)];
        for (index, placement) in self.game().placements.iter().enumerate() {
            let id = PlacementId::from(index);
            if placement.form == PlacementForm::Anonymous || placement.pieces == placement.places {
                continue;
            }
            if placement.pieces.0 == domain {
                found.extend(
                    self.place_of(state, id, member)
                        .map(|place| (placement.places.0, place)),
                );
            } else if placement.places.0 == domain {
                let here = self.on_place(state, id, member);
                found.extend(here.into_iter().map(|piece| (placement.pieces.0, piece)));
            }
        }
        found
    }
}

/// Keeps a reason that is nearer than the best so far.
fn keep(
    best: &mut Option<(Progress, Reason)>,
    progress: Progress,
    reason: impl FnOnce() -> Reason,
) {
    if best.as_ref().is_none_or(|(before, _)| progress > *before) {
        *best = Some((progress, reason()));
    }
}

fn nothing(kind: &'static str, text: &str) -> Reason {
    Reason {
        kind,
        family: None,
        mv: None,
        span: Span::default(),
        condition: text.to_owned(),
        came_to: String::new(),
        values: Vec::new(),
        confirmed: true,
        cases: 1,
        within: Vec::new(),
        lacks: None,
        chosen: Vec::new(),
        instead: Vec::new(),
        part: None,
    }
}

/// Candidates of a family.
struct Tries<'t, 's> {
    interp: &'s Interp,
    state: &'s State,
    program: &'s Arc<Program>,
    family: FamilyId,
    arm: usize,
    given: &'t [Value],
    wanted: &'t [Option<Value>],
    tries: &'t mut usize,
    best: &'t mut Option<(Progress, Reason)>,
    by_parts: bool,
    known: &'t mut Known<'s>,
}

impl<'s> Tries<'_, 's> {
    fn reason(&self, kind: &'static str, values: &[Value], told: Told) -> Reason {
        let args = &values[self.given.len()..];
        let family = self.program.game.family(self.family);
        let whole = args.len() == family.params.len();
        let mv = whole
            .then(|| self.program.layout.pack(self.family, args))
            .flatten();
        // What the compiler added stands at the beginning of a file; the rule itself says more.
        let span = match told.span.start == 0 {
            true => family.span,
            false => told.span,
        };
        Reason {
            kind,
            family: Some(self.family),
            mv,
            span,
            condition: told.condition,
            came_to: told.came_to,
            values: told.values,
            confirmed: told.confirmed,
            cases: told.cases,
            within: told.within,
            lacks: None,
            chosen: args.to_vec(),
            instead: Vec::new(),
            part: None,
        }
    }

    fn fault(&self, values: &[Value], fault: &Fault) -> (Progress, Reason) {
        let told = Told {
            span: fault.span,
            ..Told::plain("the rule runs into a fault", fault.code.message())
        };
        ((1, 0), self.reason("fault", values, told))
    }

    fn key(&self, values: &[Value]) -> Key {
        (self.family.index(), values.to_vec())
    }

    /// Goes on with the values of the context and of some parameters.
    fn extend(&mut self, values: &mut Vec<Value>) {
        if *self.tries >= MOST_TRIES {
            return;
        }
        let bound = values.len() - self.given.len();
        let program = self.program;
        let Some(param) = program.game.family(self.family).params.get(bound) else {
            *self.tries += 1;
            return self.try_whole(values);
        };
        let offer = match self.offered(bound, values) {
            Ok(offer) => offer,
            Err(fault) => {
                let (progress, reason) = self.fault(values, &fault);
                return keep(self.best, progress, || reason);
            }
        };
        match self.wanted[bound].clone() {
            Some(value) if !offer.values.contains(&value) => {
                let told = self.not_offered((&param.name, &param.ty), values, &value, &offer);
                let progress = (2, PARAMETER * bound + told.score);
                if self.best.as_ref().is_none_or(|(best, _)| progress > *best) {
                    let reason = self.reason("no-candidate", values, told);
                    *self.best = Some((progress, reason));
                }
            }
            Some(value) => {
                values.push(value);
                self.extend(values);
                values.pop();
            }
            None => {
                if offer.values.is_empty() {
                    let told = Told::plain(&format!("there is nothing for {}", param.name), "so");
                    let part = self.nothing_of(&offer.roots);
                    let reason = Reason {
                        part,
                        ..self.reason("no-candidate", values, told)
                    };
                    keep(self.best, (2, PARAMETER * bound), || reason);
                }
                for value in &offer.values {
                    values.push(value.clone());
                    self.extend(values);
                    values.pop();
                }
            }
        }
    }

    /// Tries a candidate with all its values.
    fn try_whole(&mut self, values: &[Value]) {
        let key = self.key(values);
        if !self.known.judged.contains_key(&key) {
            if self.known.judged.len() > MOST_KEPT {
                self.known.judged.clear();
            }
            let judged = self.judge(values);
            self.known.judged.insert(key.clone(), judged);
        }
        if let Some((progress, reason)) = self.known.judged.get(&key) {
            keep(self.best, *progress, || reason.clone());
        }
    }

    /// A run on the present position in which the values are local variables.
    fn run(&self, values: &[Value]) -> Run<'s> {
        let mut run = Run::new(
            self.program,
            Arc::clone(&self.state.core),
            Otherwise::Ignore,
        );
        let code = &self.program.families[self.family.index()];
        run.enter(code.locals.max(values.len()));
        for (slot, value) in values.iter().enumerate() {
            run.set_local(slot, value.clone());
        }
        run
    }

    /// The candidates for a parameter, and what was evaluated for them.
    fn offered(&mut self, bound: usize, values: &[Value]) -> Result<Rc<Offer<'s>>, Fault> {
        let key = self.key(values);
        if let Some(known) = self.known.offers.get(&key) {
            return known.clone();
        }
        let mut run = self.run(values);
        run.record();
        let offered = run.candidates(self.family, bound, values.len(), self.given.len());
        let roots = run.take_record();
        if self.known.kept > MOST_KEPT {
            self.known.offers.clear();
            self.known.kept = 0;
        }
        self.known.kept += roots.iter().map(Noted::count).sum::<usize>() + 1;
        let offer = offered.map(|values| Rc::new(Offer { values, roots }));
        self.known.offers.insert(key, offer.clone());
        offer
    }

    /// That a value is not among the candidates for a parameter of this name and type.
    fn not_offered(
        &mut self,
        (name, ty): (&str, &Type),
        values: &[Value],
        value: &Value,
        offer: &Offer<'s>,
    ) -> Told {
        let key = (self.key(values), value.clone());
        if let Some(told) = self.known.refused.get(&key) {
            return told.clone();
        }
        if self.known.refused.len() > MOST_KEPT {
            self.known.refused.clear();
        }
        let told = self.refusal(name, ty, value, offer);
        self.known.refused.insert(key, told.clone());
        told
    }

    fn refusal(&self, name: &str, ty: &Type, value: &Value, offer: &Offer<'s>) -> Told {
        // What matters is the last value: the set that the function gives.
        let set = offer
            .roots
            .iter()
            .rev()
            .find(|noted| matches!(noted.value, Some(Value::Set(_) | Value::Seq(_))));
        if let (Some(set), Value::Elem(member)) = (set, value) {
            return self.lacks(set, *member);
        }
        let offered = &offer.values;
        let text = |value: &Value| self.interp.value_text(value, ty);
        let mut list: Vec<String> = offered.iter().take(MOST_VALUES).map(text).collect();
        if offered.len() > MOST_VALUES {
            list.push("\u{2026}".to_owned());
        }
        Told {
            values: vec![(name.to_owned(), text(value))],
            confirmed: !offered.contains(value),
            ..Told::plain(&format!("{name} among {{{}}}", list.join(", ")), "false")
        }
    }

    /// Guard, position afterwards, rank.
    fn judge(&self, values: &[Value]) -> (Progress, Reason) {
        let program = self.program;
        let family = program.game.family(self.family);
        if let Some(guard) = family.guard {
            let mut run = self.run(values);
            run.record();
            match run.ask_locals(guard.index(), values.len(), family.span) {
                Ok(Some(Value::Bool(true))) => {}
                Ok(_) => {
                    let roots = run.take_record();
                    let told = self.decisive(&roots);
                    let (progress, part) = self.progress(&roots);
                    let reason = Reason {
                        part,
                        ..self.reason("condition", values, told)
                    };
                    return (progress, reason);
                }
                Err(fault) => return self.fault(values, &fault),
            }
        }
        if let Some(after) = family.after {
            match self.after(values, family, after.index()) {
                Ok(None) => {}
                Ok(Some(told)) => return ((4, 0), self.reason("after", values, told)),
                Err(fault) => return self.fault(values, &fault),
            }
        }
        let args = &values[self.given.len()..];
        let mv = program.layout.pack(self.family, args);
        let legal = self.interp.legal_moves(self.state).unwrap_or(&[]);
        if mv.is_some_and(|mv| legal.contains(&mv)) {
            let told = Told::plain("this move is legal", "");
            return ((6, 0), self.reason("legal", values, told));
        }
        let told = self.outranked(values, family, legal);
        ((5, 0), self.reason("rank", values, told))
    }

    /// Why the position after the move is not allowed; nothing if it is.
    fn after(
        &self,
        values: &[Value],
        family: &crate::ir::Family,
        after: usize,
    ) -> Result<Option<Told>, Fault> {
        let Stop::Choose { code, .. } = self.state.stop.as_ref() else {
            return Ok(None);
        };
        let code = &self.program.chooses[*code];
        let mut run = Run::new(
            self.program,
            Arc::clone(&self.state.core),
            Otherwise::Ignore,
        );
        match family.effect {
            Some(effect) => run.do_on(effect, values)?,
            None => {
                let arm = &code.arms[self.arm];
                let args = values[self.given.len()..].iter().cloned();
                let bind: Vec<(LocalId, Value)> = arm.bind.iter().copied().zip(args).collect();
                run.resume(&self.state.control, code.routine, arm.entry, &bind)?;
            }
        }
        run.begin();
        run.record();
        match run.ask_on(crate::ir::FuncId::from(after), values)? {
            Some(Value::Bool(true)) => Ok(None),
            _ => Ok(Some(self.decisive(&run.take_record()))),
        }
    }

    /// The move is less than others: they come first.
    fn outranked(&self, values: &[Value], family: &crate::ir::Family, legal: &[Move]) -> Told {
        let own = family.rank.map(|rank| {
            let mut run = self.run(values);
            match run.ask_locals(rank.index(), values.len(), family.span) {
                Ok(Some(Value::Int(rank))) => rank.to_string(),
                _ => "?".to_owned(),
            }
        });
        let first = legal
            .first()
            .map(|&mv| self.interp.move_text_in(self.state, mv));
        let mut told = Told::plain("only moves of the highest rank are legal", "true");
        told.span = family
            .rank
            .map_or(family.span, |rank| self.program.game.function(rank).span);
        told.values.push((
            "rank of this move".to_owned(),
            own.unwrap_or_else(|| "0".to_owned()),
        ));
        if let Some(first) = first {
            told.values
                .push(("a move that comes first".to_owned(), first));
        }
        told
    }

    /// The condition that decided: the last one that was evaluated and says something.
    fn decisive(&self, roots: &[Noted<'_>]) -> Told {
        for noted in roots.iter().rev() {
            if let Some(leaf) = speaking(noted) {
                return Told {
                    cases: roots.iter().map(|root| root.times(leaf.node)).sum(),
                    within: self.within(leaf),
                    ..self.told(leaf)
                };
            }
        }
        Told::plain("the guard of the rule", "false")
    }

    fn told(&self, leaf: &Noted<'_>) -> Told {
        let came_to = match &leaf.value {
            Some(Value::Bool(value)) => value.to_string(),
            Some(value) => self.interp.value_text(value, &leaf.node.ty),
            None => "broken off".to_owned(),
        };
        let routine = leaf.sight.as_ref().and_then(|sight| sight.routine);
        Told {
            span: leaf.node.span,
            condition: describe::text(self.program, leaf.node, routine),
            came_to,
            values: self.values(leaf),
            confirmed: self.again(leaf) == leaf.value,
            score: 1,
            cases: 1,
            within: Vec::new(),
        }
    }

    /// What an expression looked at.
    fn values(&self, leaf: &Noted<'_>) -> Vec<(String, String)> {
        let routine = leaf.sight.as_ref().and_then(|sight| sight.routine);
        let mut found: Vec<(String, String)> = Vec::new();
        let mut waiting: Vec<&Noted<'_>> = leaf.kids.iter().rev().collect();
        while let Some(noted) = waiting.pop()
            && found.len() < MOST_VALUES
        {
            let reads = !matches!(noted.node.kind, Kind::Number(_) | Kind::Const(_));
            if let Some(value) = &noted.value
                && reads
            {
                let name = describe::text(self.program, noted.node, routine);
                let value = self.interp.value_text(value, &noted.node.ty);
                if name != value
                    && name.len() < 200
                    && !found.iter().any(|(known, _)| *known == name)
                {
                    found.push((name, value));
                }
            }
            let inside = matches!(
                noted.node.kind,
                Kind::Call(_) | Kind::Fold(..) | Kind::Collect(_)
            );
            if !inside {
                waiting.extend(noted.kids.iter().rev());
            }
        }
        found
    }

    /// The value of an expression, evaluated once more by itself with what it looked at.
    fn again(&self, leaf: &Noted<'_>) -> Option<Value> {
        self.value_at(leaf.node, leaf.sight.as_deref()?)
    }

    fn value_at(&self, node: &Node, sight: &Sight) -> Option<Value> {
        let mut run = Run::new(self.program, Arc::clone(&sight.core), Otherwise::Ignore);
        run.enter(sight.locals.len().max(node.locals()));
        run.set_env(&sight.env);
        for (slot, value) in sight.locals.iter().enumerate() {
            if let Some(value) = value {
                run.set_local(slot, value.clone());
            }
        }
        run.eval(node).ok()
    }

    /// Why a member is not in a set that was computed.
    fn lacks(&self, set: &Noted<'_>, member: u32) -> Told {
        let has = |noted: &Noted<'_>| match &noted.value {
            Some(Value::Set(set)) => set.contains(member),
            Some(Value::Seq(items)) => items.contains(&Value::Elem(member)),
            _ => false,
        };
        let next = match &set.node.kind {
            Kind::Sets(crate::ir::BinaryOp::Intersect) => set.kids.iter().find(|kid| !has(kid)),
            Kind::Sets(crate::ir::BinaryOp::Minus) => set.kids.first().filter(|kid| !has(kid)),
            Kind::If => match self.chosen(set, member) {
                Ok(told) => return told,
                Err(next) => next,
            },
            Kind::Same => set.kids.last(),
            Kind::Call(_) => set
                .kids
                .iter()
                .rev()
                .find(|kid| matches!(kid.value, Some(Value::Set(_)))),
            Kind::Collect(bound) => {
                let of_member = |kid: &&Noted<'_>| {
                    let local = kid
                        .first_sight()
                        .and_then(|sight| sight.locals.get(bound.local));
                    local == Some(&Some(Value::Elem(member)))
                };
                let tested = set.kids.iter().find(of_member);
                if let Some(leaf) = tested.and_then(speaking) {
                    return self.told(leaf);
                }
                None
            }
            _ => None,
        };
        if let Some(next) = next {
            return self.lacks(next, member);
        }
        let taken = match &set.node.kind {
            Kind::Complement(_) => set.kids.first(),
            Kind::Sets(crate::ir::BinaryOp::Minus) => set.kids.get(1),
            _ => None,
        };
        if let Some(taken) = taken.filter(|kid| has(kid)) {
            return self.has(taken, member);
        }
        let name = match set.node.ty {
            Type::Set(domain) => self.program.game.domain(domain).member(member),
            _ => member.to_string(),
        };
        let routine = set.sight.as_ref().and_then(|sight| sight.routine);
        let mut values = self.values(set);
        if let Some(value) = set.value.as_ref().filter(|value| self.is_short(value)) {
            values.insert(
                0,
                (
                    "the set".to_owned(),
                    self.interp.value_text(value, &set.node.ty),
                ),
            );
        }
        let again = match set.node.kind {
            Kind::Const(_) => set.value.clone(),
            _ => self.again(set),
        };
        Told {
            span: set.node.span,
            condition: format!(
                "{name} in {}",
                describe::text(self.program, set.node, routine)
            ),
            came_to: "false".to_owned(),
            values,
            confirmed: again == set.value && !has(set),
            cases: 1,
            within: Vec::new(),
            score: usize::from(!matches!(set.node.kind, Kind::Places(_) | Kind::Const(_))),
        }
    }

    /// That a member is in a set that was computed, though it should not: in which part.
    fn has(&self, set: &Noted<'_>, member: u32) -> Told {
        let part =
            |kid: &&Noted<'_>| matches!(&kid.value, Some(Value::Set(set)) if set.contains(member));
        if let Kind::Sets(crate::ir::BinaryOp::Union) = set.node.kind
            && let Some(part) = set.kids.iter().find(part)
        {
            return self.has(part, member);
        }
        let name = match set.node.ty {
            Type::Set(domain) => self.program.game.domain(domain).member(member),
            _ => member.to_string(),
        };
        let told = self.told(set);
        Told {
            condition: format!("{name} in {}", told.condition),
            came_to: "true".to_owned(),
            values: self.values(set),
            ..told
        }
    }

    /// Of a set that a condition chooses: why, if it is the condition that matters, else the set that was chosen.
    fn chosen<'n, 'a>(
        &self,
        set: &'n Noted<'a>,
        member: u32,
    ) -> Result<Told, Option<&'n Noted<'a>>> {
        let [cond, branch] = &set.kids[..] else {
            return Err(set.kids.last());
        };
        let Some(leaf) = speaking(cond) else {
            return Err(Some(branch));
        };
        let taken = cond.value == Some(Value::Bool(true));
        let other = set.node.args.get(if taken { 2 } else { 1 });
        let offers = other.and_then(|other| self.value_at(other, set.sight.as_deref()?));
        let offers = matches!(offers, Some(Value::Set(set)) if set.contains(member));
        let empty = matches!(&branch.value, Some(Value::Set(set)) if set.is_empty());
        match offers || empty && matches!(branch.node.kind, Kind::Const(_)) {
            true => Ok(Told {
                score: if offers { 2 } else { 0 },
                ..self.told(leaf)
            }),
            false => Err(Some(branch)),
        }
    }

    fn is_short(&self, value: &Value) -> bool {
        match value {
            Value::Set(set) => Members::len(set) <= 2 * MOST_VALUES,
            _ => true,
        }
    }
}

/// What is told of a condition.
#[derive(Clone)]
struct Told {
    span: Span,
    condition: String,
    came_to: String,
    values: Vec<(String, String)>,
    confirmed: bool,
    /// How near it is, beside others of the same kind.
    score: usize,
    cases: usize,
    within: Vec<String>,
}

impl Told {
    fn plain(condition: &str, came_to: &str) -> Told {
        Told {
            span: Span::default(),
            condition: condition.to_owned(),
            came_to: came_to.to_owned(),
            values: Vec::new(),
            confirmed: true,
            score: 0,
            cases: 1,
            within: Vec::new(),
        }
    }
}

impl Noted<'_> {
    /// How many evaluations it is, with all for it.
    fn count(&self) -> usize {
        1 + self.kids.iter().map(Noted::count).sum::<usize>()
    }

    /// How often an expression was evaluated for it.
    fn times(&self, node: &Node) -> usize {
        let own = usize::from(std::ptr::eq(self.node, node));
        own + self.kids.iter().map(|kid| kid.times(node)).sum::<usize>()
    }

    /// What it or the first of what was evaluated for it looked at.
    fn first_sight(&self) -> Option<&Sight> {
        match &self.sight {
            Some(sight) => Some(sight),
            None => self.kids.iter().find_map(Noted::first_sight),
        }
    }
}

/// The part of a condition that decided; nothing where it is a constant or a variable that was computed before.
fn speaking<'n, 'a>(noted: &'n Noted<'a>) -> Option<&'n Noted<'a>> {
    match &noted.node.kind {
        Kind::Number(_) | Kind::Const(_) | Kind::Local(_) => None,
        Kind::Not | Kind::And | Kind::Or | Kind::If | Kind::Same => {
            noted.kids.iter().rev().find_map(speaking)
        }
        Kind::Call(_) => {
            let inside = noted.kids.iter().rev().find_map(speaking);
            inside.or((is_truth(noted)).then_some(noted))
        }
        Kind::Fold(crate::ir::Fold::Forall, _) if noted.value == Some(Value::Bool(false)) => {
            noted.kids.last().and_then(speaking).or(Some(noted))
        }
        Kind::Fold(crate::ir::Fold::Exists, _) if noted.value == Some(Value::Bool(true)) => {
            noted.kids.last().and_then(speaking).or(Some(noted))
        }
        _ => is_truth(noted).then_some(noted),
    }
}

fn is_truth(noted: &Noted<'_>) -> bool {
    matches!(noted.value, Some(Value::Bool(_))) && noted.sight.is_some()
}
