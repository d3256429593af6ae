//! Why games do not end where rules could end them: the condition before an end that was asked and never held.
//!
//! While a move is played, what stands before the ends of a game is recorded: the tests whose block an end stands in, and the
//! call that worked out what such a test asks for. Of all that failed the one that came farthest tells.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::node::{Kind, Node};
use super::super::program::{OpKind, Routine};
use super::super::record::Noted;
use super::super::run::{Otherwise, Run, Step};
use super::super::state::State;
use super::super::value::Class;
use super::rule::{conditions_asked, part_of};
use super::{Interp, Move, Value};
use crate::source::Span;

/// What kept an end of the game from coming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Place of the end.
    pub end: Span,
    /// Place of the condition: a part of a conjunction that stands for itself.
    pub span: Span,
    /// What it came to each time.
    pub value: bool,
    /// How often it was asked whether the game ends there.
    pub asked: u64,
    /// The least and the greatest of what the condition compares with a fixed number.
    pub compared: Option<(i64, i64)>,
}

/// What is known of the ends of a game, from moves that were played.
#[derive(Default)]
pub struct Ends {
    /// The tests before ends, and what came of them.
    tests: Vec<Test>,
    seen: Vec<Seen>,
    /// For each place of an end the tests whose blocks it stands in, the innermost first, once for each way to say it.
    ends: Vec<(Span, Vec<usize>)>,
}

/// A test, and where the work for it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Test {
    routine: usize,
    from: usize,
    at: usize,
}

#[derive(Default)]
struct Seen {
    asked: u64,
    held: u64,
    best: Option<Best>,
    /// The place of the test as a whole.
    whole: Span,
    /// Which truth values the conditions in it came to, by their expressions.
    values: BTreeMap<usize, [bool; 2]>,
}

/// The part that decided where a test came farthest.
struct Best {
    progress: usize,
    /// Which expression it is, to tell it from others.
    node: usize,
    span: Span,
    value: bool,
    compared: Option<(i64, i64)>,
}

/// The tests that a run watches, and what it recorded of them.
pub(in super::super) struct Watched<'a> {
    tests: Vec<Test>,
    open: Option<(usize, usize)>,
    done: Vec<Done<'a>>,
}

/// A test by its number, whether it held, and what was evaluated for it.
type Done<'a> = (usize, bool, Vec<Noted<'a>>);

impl Interp {
    /// Begins to watch the ends of the game.
    pub fn ends(&self) -> Ends {
        let mut found = Ends::default();
        for (number, routine) in self.program.routines.iter().enumerate() {
            for (at, op) in routine.ops.iter().enumerate() {
                if let OpKind::End(..) = op.kind {
                    let chain = tests(routine, at).map(|test| found.number(number, routine, test));
                    let chain = chain.collect();
                    found.ends.push((op.span, chain));
                }
            }
        }
        found.seen.resize_with(found.tests.len(), Seen::default);
        found
    }

    /// Plays like [`Interp::play`] and watches the ends of the game meanwhile.
    pub fn play_watching(&self, state: &mut State, mv: Move, ends: &mut Ends) -> bool {
        let watched = Watched {
            tests: ends.tests.clone(),
            open: None,
            done: Vec::new(),
        };
        let program = Arc::clone(&state.program);
        let mut run = Run::new(&program, Arc::clone(&state.core), Otherwise::Run);
        run.watched = Some(Box::new(watched));
        let Some((after, done)) = state.after_in(run, mv, Run::take_watched) else {
            return false;
        };
        for (test, held, roots) in &done {
            ends.seen[*test].note(*held, roots);
        }
        drop(done);
        *state = after;
        true
    }
}

/// The tests whose blocks a place stands in, the innermost first.
fn tests(routine: &Routine, place: usize) -> impl Iterator<Item = usize> + '_ {
    (0..place)
        .rev()
        .filter(move |at| matches!(&routine.ops[*at].kind, OpKind::Test(_, exit) if *exit > place))
}

impl Ends {
    /// The number of a test.
    fn number(&mut self, number: usize, routine: &Routine, at: usize) -> usize {
        let test = Test {
            routine: number,
            from: work(routine, at),
            at,
        };
        match self.tests.iter().position(|known| *known == test) {
            Some(known) => known,
            None => {
                self.tests.push(test);
                self.tests.len() - 1
            }
        }
    }

    /// For each end that never came what it was that never held; nothing of those that nothing led to.
    pub fn gates(&self) -> Vec<Gate> {
        let mut found: BTreeMap<Span, (usize, Gate)> = BTreeMap::new();
        let mut came: Vec<Span> = Vec::new();
        for (end, chain) in &self.ends {
            let mut asked = chain.iter().map(|test| &self.seen[*test]);
            let Some(seen) = asked.find(|seen| seen.asked > 0) else {
                continue;
            };
            if seen.held > 0 {
                came.push(*end);
            }
            let (Some(gate), Some(best)) = (seen.gate(*end), &seen.best) else {
                continue;
            };
            let known = found.entry(*end).or_insert((best.progress, gate.clone()));
            if best.progress > known.0 {
                *known = (best.progress, gate);
            }
        }
        found.retain(|end, _| !came.contains(end));
        found.into_values().map(|(_, gate)| gate).collect()
    }
}

/// Where the work for a test begins: at the calls before it that end in the variable that it asks.
fn work(routine: &Routine, at: usize) -> usize {
    let OpKind::Test(cond, _) = &routine.ops[at].kind else {
        return at;
    };
    let mut asked = cond;
    while let (Kind::Not, [inner]) = (&asked.kind, &*asked.args) {
        asked = inner;
    }
    let Kind::Local(local) = asked.kind else {
        return at;
    };
    let gives = |at: &usize| match &routine.ops[*at].kind {
        OpKind::Call { into, .. } => into.is_some_and(|into| into.index() == local),
        _ => false,
    };
    (at.checked_sub(1)).filter(gives).unwrap_or(at)
}

impl Seen {
    /// Remembers what conditions came to.
    fn remember(&mut self, roots: &[Noted<'_>]) {
        let mut open: Vec<&Noted<'_>> = roots.iter().collect();
        while let Some(noted) = open.pop() {
            if let Some(Value::Bool(value)) = noted.value {
                let node = std::ptr::from_ref(noted.node).addr();
                self.values.entry(node).or_default()[usize::from(value)] = true;
            }
            open.extend(&noted.kids);
        }
        if let Some(root) = roots.last() {
            self.whole = root.node.span;
        }
    }

    /// What it was that never held: the part that decided, or the test as a whole where that part was asked of several things
    /// and held of some.
    fn gate(&self, end: Span) -> Option<Gate> {
        let best = self.best.as_ref()?;
        let mixed = self.values.get(&best.node) == Some(&[true, true]);
        Some(Gate {
            end,
            span: if mixed { self.whole } else { best.span },
            value: best.value && !mixed,
            asked: self.asked,
            compared: best.compared.filter(|_| !mixed),
        })
    }

    fn note(&mut self, held: bool, roots: &[Noted<'_>]) {
        self.asked += 1;
        if held {
            self.held += 1;
            return;
        }
        self.remember(roots);
        let Some(leaf) = roots.iter().rev().find_map(|root| part_of(root, true)) else {
            return;
        };
        let (progress, node) = (
            conditions_asked(roots),
            std::ptr::from_ref(leaf.node).addr(),
        );
        let compared = compared(leaf.node, roots);
        match &mut self.best {
            Some(best) if best.node == node => {
                best.progress = best.progress.max(progress);
                let both = best.compared.zip(compared);
                best.compared = both.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
            }
            Some(best) if best.progress >= progress => {}
            _ => {
                self.best = Some(Best {
                    progress,
                    node,
                    span: spelled(leaf),
                    value: leaf.value == Some(Value::Bool(true)),
                    compared,
                });
            }
        }
    }
}

/// The place of what decided: of a function that only gives a constant, that of the constant.
fn spelled(leaf: &Noted<'_>) -> Span {
    let constant = |kid: &&Noted<'_>| matches!(kid.node.kind, Kind::Number(_));
    match (&leaf.node.kind, leaf.kids.last().filter(constant)) {
        (Kind::Call(_), Some(kid)) if kid.node.span.start > 0 => kid.node.span,
        _ => leaf.node.span,
    }
}

/// The least and the greatest number that a comparison with a fixed number was asked of.
fn compared(node: &Node, roots: &[Noted<'_>]) -> Option<(i64, i64)> {
    let (Kind::Compare(_) | Kind::Equal(_), [a, b]) = (&node.kind, &*node.args) else {
        return None;
    };
    let side = match (&a.kind, &b.kind) {
        (Kind::Number(_), Kind::Number(_)) => return None,
        (_, Kind::Number(_)) => a,
        (Kind::Number(_), _) => b,
        _ => return None,
    };
    if !matches!(side.class, Class::Int | Class::Wrap) {
        return None;
    }
    let mut found: Option<(i64, i64)> = None;
    let mut open: Vec<&Noted<'_>> = roots.iter().collect();
    while let Some(noted) = open.pop() {
        if let Some(value) = noted
            .value
            .as_ref()
            .filter(|_| std::ptr::eq(noted.node, side))
        {
            let number = value.number();
            let (least, most) = found.unwrap_or((number, number));
            found = Some((least.min(number), most.max(number)));
        }
        open.extend(&noted.kids);
    }
    found
}

impl<'a> Run<'a> {
    /// What was recorded meanwhile.
    fn take_watched(&mut self) -> Vec<Done<'a>> {
        self.watched
            .take()
            .map_or_else(Vec::new, |watched| watched.done)
    }

    /// Before a step: begins to record where the work for a test begins.
    pub(in super::super) fn before_step(&mut self, (routine, pc): (usize, usize)) {
        let depth = self.frames.len();
        let Some(watched) = self
            .watched
            .as_mut()
            .filter(|watched| watched.open.is_none())
        else {
            return;
        };
        let begins = |test: &Test| test.routine == routine && test.from == pc;
        if let Some(test) = watched.tests.iter().position(begins) {
            watched.open = Some((test, depth));
            self.record();
        }
    }

    /// After a step: keeps what was recorded for a test that was made.
    pub(in super::super) fn after_step(&mut self, (routine, pc): (usize, usize), step: &Step) {
        let depth = self.frames.len();
        let Some(watched) = &self.watched else {
            return;
        };
        let Some((test, begun)) = watched.open else {
            return;
        };
        let Test {
            routine: of, at, ..
        } = watched.tests[test];
        if (of, at, begun) != (routine, pc, depth) {
            return;
        }
        let roots = self.take_record();
        if let Some(watched) = &mut self.watched {
            watched.open = None;
            watched.done.push((test, matches!(step, Step::Next), roots));
        }
    }
}
