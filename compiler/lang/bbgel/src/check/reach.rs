//! Which fields ways lead to, and what ways leave open.

use super::back::may_walk_back;
use super::{Checker, Dest, MAX_LISTED, Place};
use crate::ast::{Def, Program, StmtKind, each_stmt};
use crate::codes;
use crate::diag::Diagnostic;

impl Checker<'_> {
    pub(super) fn end(&mut self, setup: &Program, start: Option<usize>) {
        let by_condition = setup
            .defs
            .iter()
            .any(|def| matches!(def, Def::Game { end: Some(_), .. }));
        let ends: Vec<usize> = (0..self.places.len())
            .filter(|place| self.ends(&self.places[*place]))
            .collect();
        if by_condition || self.unread {
            return;
        }
        let Some(first) = ends.first() else {
            // That an end lacks `force` was told.
            if !self
                .out
                .iter()
                .any(|found| found.code.code == codes::END_NOT_FORCED.code)
            {
                self.no_end();
            }
            return;
        };
        let reached = self.reached(start);
        // A way that leads nowhere was told of, and may be the one that is missing.
        let is_whole = (0..self.places.len()).all(|place| !reached[place] || self.goes_on(place));
        if start.is_none() || self.out.has_errors() || !is_whole {
            return;
        }
        match ends.iter().any(|end| reached[*end]) {
            false => self.out_of_reach(*first, &reached),
            true => self.unreached(&reached),
        }
    }

    /// Tells that no field ends the game. A field that leads nowhere is the one that should.
    fn no_end(&mut self) {
        let message = "no field ends the game, and there is no `endCondition`";
        let is_open = |found: &&Diagnostic| std::ptr::eq(found.code, &codes::NO_CONTROL);
        let open: Vec<Diagnostic> = self.out.iter().filter(is_open).cloned().collect();
        let ends = |place: &&Place| {
            let mut found = false;
            each_stmt(&place.program.code, &mut |stmt| {
                found |= matches!(stmt.kind, StmtKind::GameEnd);
            });
            found
        };
        let half = self.places.iter().find(ends).map(|place| place.span);
        let is_told = |found: &Diagnostic| Some(found.span()) == half;
        match (half, open.as_slice()) {
            (Some(span), _) => {
                self.out.retain(|found| !is_open(&found) || !is_told(found));
                let found = Diagnostic::new(&codes::NO_END, span, message);
                let found = found.label("this one calls `game_end()`, and has no `force`");
                self.out
                    .push(found.help("begin the commands of the field with `force`"));
            }
            (None, [only]) => {
                self.out.retain(|found| !is_open(&found));
                let found = Diagnostic::new(&codes::NO_END, only.span(), message);
                let found = found.label("this one does not say where to go either");
                self.out
                    .push(found.help("give it `force` and `game_end()`"));
            }
            _ => {
                let at = self
                    .places
                    .last()
                    .map_or(self.world.span, |place| place.span);
                let found = Diagnostic::new(&codes::NO_END, at, message);
                self.out
                    .push(found.help("add a field with `force` and `game_end()`"));
            }
        }
    }

    /// Whether all ways of a place lead somewhere.
    fn goes_on(&self, place: usize) -> bool {
        let mut dests = self.places[place]
            .control
            .iter()
            .flat_map(|control| &control.to);
        dests.all(|dest| matches!(dest, Dest::Place(_)))
    }

    /// Tells of an end field that no way leads to.
    fn out_of_reach(&mut self, end: usize, reached: &[bool]) {
        let count = reached.iter().filter(|is| **is).count();
        let message = format!("no way leads to {}", self.called(&self.places[end]));
        let found = Diagnostic::new(&codes::END_OUT_OF_REACH, self.places[end].span, message);
        self.out.push(
            found
                .note(format!(
                    "{count} fields can be reached from the start field"
                ))
                .help("lead a `control goto NUMBER` or `-> NUMBER` there"),
        );
    }

    /// Tells of fields that no way leads to; those that only such fields lead to follow from them.
    fn unreached(&mut self, reached: &[bool]) {
        if may_walk_back(&self.places) {
            return;
        }
        for place in self.first_of(reached) {
            let lost = &self.places[place];
            if lost.field.is_none() {
                continue;
            }
            let message = format!("no way leads to {}", self.called(lost));
            let found = Diagnostic::new(&codes::OUT_OF_REACH, lost.span, message);
            self.out
                .push(found.help("lead a `control goto NUMBER` or `-> NUMBER` there"));
        }
    }

    /// The fewest places that lead to all that are not reached: of a loop that nothing else leads to, its first.
    fn first_of(&self, reached: &[bool]) -> Vec<usize> {
        let mut seen = reached.to_vec();
        let mut first = Vec::new();
        for place in 0..reached.len() {
            if !seen[place] {
                self.walk(place, &mut seen);
                first.push(place);
            }
        }
        // A later one may lead to an earlier one, and no earlier one to a later one.
        let mut seen = reached.to_vec();
        first.reverse();
        first.retain(|place| {
            let is_kept = !seen[*place];
            self.walk(*place, &mut seen);
            is_kept
        });
        first.reverse();
        first
    }

    /// Marks a place and all that its control statement leads to, unless they are marked.
    fn walk(&self, from: usize, seen: &mut [bool]) {
        let mut open = vec![from];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            let control = self.places[place].control.iter();
            open.extend(
                control
                    .flat_map(|control| &control.to)
                    .filter_map(|dest| match dest {
                        Dest::Place(to) => Some(*to),
                        Dest::Nowhere(..) => None,
                    }),
            );
        }
    }

    /// Whether a place ends the game.
    fn ends(&self, place: &Place) -> bool {
        let first = place.normal().next().map(|stmt| &stmt.kind);
        let mut ends = place.wins;
        if matches!(first, Some(StmtKind::Force)) {
            each_stmt(&place.program.code, &mut |stmt| {
                ends |= matches!(stmt.kind, StmtKind::GameEnd);
            });
        }
        ends
    }

    /// Which places ways lead to, from the start on: all that control statements and jumps name.
    fn reached(&self, start: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.places.len()];
        let mut open: Vec<usize> = start.into_iter().collect();
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut reached[index], true) {
                continue;
            }
            let place = &self.places[index];
            for dest in place.control.iter().flat_map(|control| &control.to) {
                if let Dest::Place(to) = dest {
                    open.push(*to);
                }
            }
            let mut named = Vec::new();
            each_stmt(&place.program.code, &mut |stmt| match &stmt.kind {
                StmtKind::Goto(to) | StmtKind::ControlGoto(to) => named.push(to.id),
                StmtKind::ControlIf(_, yes, no) => named.extend([yes.id, no.id]),
                _ => {}
            });
            open.extend(named.iter().filter_map(|id| self.find(place.tile, *id)));
        }
        reached
    }

    /// Tells of scopes that the ways open again and again.
    pub(super) fn open_scopes(&mut self) {
        for at in 0..self.places.len() {
            let code = &self.places[at].program.code;
            let begins = || code.iter().filter(|stmt| stmt.kind == StmtKind::BeginScope);
            let begin = begins().next();
            // What an `if` closes may be closed each time that it matters.
            let mut ends = 0;
            each_stmt(code, &mut |stmt| {
                ends += usize::from(stmt.kind == StmtKind::EndScope);
            });
            let opens = begins().count() > ends;
            let (Some(begin), true) = (begin, opens) else {
                continue;
            };
            let span = begin.span;
            let Some(round) = self.round(at) else {
                continue;
            };
            let mut ids: Vec<String> = round
                .iter()
                .map(|place| self.places[*place].id.to_string())
                .collect();
            if ids.len() > MAX_LISTED {
                ids.splice(
                    MAX_LISTED / 2..ids.len() - MAX_LISTED / 2,
                    ["...".to_owned()],
                );
            }
            let message = "this scope is not closed before it is opened again";
            let found = Diagnostic::new(&codes::SCOPE_LEFT_OPEN, span, message);
            self.out.push(
                found
                    .note(format!(
                        "no field of the way {} has `end_scope()`",
                        ids.join(" -> ")
                    ))
                    .help("close it with `end_scope()` where its variables are no longer needed"),
            );
        }
    }

    /// A way along control statements from a place to itself on which no scope is closed.
    fn round(&self, start: usize) -> Option<Vec<usize>> {
        let closes = |place: usize| {
            let mut found = false;
            each_stmt(&self.places[place].program.code, &mut |stmt| {
                found |= stmt.kind == StmtKind::EndScope;
            });
            found
        };
        let mut before: Vec<Option<usize>> = vec![None; self.places.len()];
        let mut open = std::collections::VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            let control = self.places[at].control.as_ref();
            for dest in control.iter().flat_map(|control| &control.to) {
                let Dest::Place(to) = *dest else { continue };
                if to == start {
                    let back = std::iter::successors(Some(at), |at| before[*at]);
                    let mut way: Vec<usize> = back.collect();
                    way.reverse();
                    way.push(start);
                    return Some(way);
                }
                if before[to].is_none() && !closes(to) {
                    before[to] = Some(at);
                    open.push_back(to);
                }
            }
        }
        None
    }
}
