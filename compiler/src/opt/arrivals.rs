//! `arrivals`: what is known of a piece whenever it is put somewhere.
//!
//! A legal move says much of the piece that it moves: it stands on a place that the family takes pieces from, and its
//! guard found the target free. That holds until something is moved. What calls a function with such arguments passes it
//! on; where every call of a function does, a [`StmtKind::Put`] in it becomes a [`StmtKind::Bring`], which cannot fault
//! and need not ask what is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{
    Arm, Arrival, BinaryOp, Block, Const, Expr, ExprKind, FuncId, Game, LocalId, ParamSource,
    PlacementForm, PlacementId, Stmt, StmtKind, UnaryOp,
};

use super::locals::each_assigned;
use super::patterns::reach::{Reached, admitted, members};
use super::places::{each_stmt_mut, roots, walk_free};

/// Turns each `put` of which enough is known into a `bring`.
pub fn run(game: &mut Game) {
    let mut known = Brought::new();
    let search = Search {
        game,
        effects: &Effects::of(game),
        reached: &members(game),
    };
    let entries = search.entries();
    for (index, facts) in entries.iter().enumerate() {
        if let Some(facts) = facts {
            let func = FuncId::from(index);
            search.follow(func, facts.clone(), &mut |step| {
                if let Step::Bring(stmt, arrival) = step {
                    known.insert(stmt, arrival);
                }
            });
        }
    }
    for function in &mut game.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            let Some(arrival) = known.remove(&std::ptr::from_ref(&*stmt)) else {
                return;
            };
            if let StmtKind::Put(placement, piece, place) = &stmt.kind {
                let (piece, place) = (piece.clone(), place.clone());
                stmt.kind = StmtKind::Bring(*placement, piece, place, Box::new(arrival));
            }
        });
    }
}

/// Statements by their place in memory: the game stays where it is while they are looked for.
type Brought = BTreeMap<*const Stmt, Arrival>;

/// What is known of local variables at some place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Facts {
    /// Places on which nothing stands.
    free: BTreeSet<(PlacementId, LocalId)>,
    /// Pieces that stand on one of some places.
    stands: BTreeMap<(PlacementId, LocalId), BTreeSet<u32>>,
}

impl Facts {
    /// Keeps what both know.
    fn meet(&mut self, other: &Facts) {
        self.free.retain(|fact| other.free.contains(fact));
        self.stands
            .retain(|key, places| match other.stands.get(key) {
                Some(others) => {
                    places.extend(others);
                    true
                }
                None => false,
            });
    }

    fn forget_local(&mut self, local: LocalId) {
        self.free.retain(|(_, own)| *own != local);
        self.stands.retain(|(_, own), _| *own != local);
    }

    fn forget_placements(&mut self, moved: &BTreeSet<PlacementId>) {
        self.free
            .retain(|(placement, _)| !moved.contains(placement));
        self.stands
            .retain(|(placement, _), _| !moved.contains(placement));
    }

    /// The same under other names: those that a call gives its parameters, or a family the variables of an arm.
    fn renamed(&self, name: impl Fn(LocalId) -> Vec<LocalId>) -> Facts {
        let mut facts = Facts::default();
        for (placement, local) in &self.free {
            facts
                .free
                .extend(name(*local).into_iter().map(|own| (*placement, own)));
        }
        for ((placement, local), places) in &self.stands {
            let own = name(*local).into_iter();
            facts
                .stands
                .extend(own.map(|own| ((*placement, own), places.clone())));
        }
        facts
    }
}

/// What is met on the way through a body.
enum Step {
    Call(FuncId, Facts),
    Bring(*const Stmt, Arrival),
}

struct Search<'a> {
    game: &'a Game,
    effects: &'a Effects,
    reached: &'a Reached,
}

impl Search<'_> {
    /// What is known of the parameters of each function whenever it is called; nothing of those that nothing calls.
    fn entries(&self) -> Vec<Option<Facts>> {
        let mut entries = vec![None; self.game.functions.len()];
        for root in roots(self.game) {
            entries[root.index()] = Some(Facts::default());
        }
        walk_free(self.game, &mut |expr| {
            if let ExprKind::Call(func, _) = &expr.kind {
                entries[func.index()] = Some(Facts::default());
            }
        });
        let mut open: Vec<FuncId> = (0..entries.len()).map(FuncId::from).collect();
        while let Some(func) = open.pop() {
            let Some(facts) = entries[func.index()].clone() else {
                continue;
            };
            self.follow(func, facts, &mut |step| {
                let Step::Call(callee, facts) = step else {
                    return;
                };
                let entry = &mut entries[callee.index()];
                let before = entry.clone();
                match entry {
                    Some(known) => known.meet(&facts),
                    None => *entry = Some(facts),
                }
                if *entry != before {
                    open.push(callee);
                }
            });
        }
        entries
    }

    fn follow(&self, func: FuncId, facts: Facts, f: &mut dyn FnMut(Step)) {
        let mut assigned = BTreeSet::new();
        let body = &self.game.function(func).body;
        walk_block(body, &mut |stmt| {
            each_assigned(stmt, &mut |local| {
                assigned.insert(local);
            })
        });
        let mut walk = Walk {
            search: self,
            func,
            assigned,
            facts,
            f,
        };
        walk.block(body);
    }

    /// What a legal move of a family says of the variables that an arm binds its arguments to.
    fn of_move(&self, arm: &Arm) -> Facts {
        let family = self.game.family(arm.family);
        let context = family.context.len();
        let mut facts = Facts::default();
        for param in &family.params {
            if let ParamSource::Is(source) = &param.source {
                facts.stands.extend(self.standing(source));
            }
        }
        if let Some(guard) = family.guard {
            facts.free = free_in(&self.game.function(guard).body);
        }
        facts.renamed(|local| {
            let bound = local
                .index()
                .checked_sub(context)
                .and_then(|param| arm.bind.get(param));
            bound.copied().into_iter().collect()
        })
    }

    /// The piece whose place an argument is, and the places that it can be.
    fn standing(&self, source: &Expr) -> Option<((PlacementId, LocalId), BTreeSet<u32>)> {
        let (place, among) = match &source.kind {
            ExprKind::If(_, yes, _) => (&**yes, Some(admitted(self.game, source)?)),
            _ => (source, None),
        };
        let ExprKind::PlaceOf(placement, piece) = &place.kind else {
            return None;
        };
        let ExprKind::Local(piece) = piece.kind else {
            return None;
        };
        let all = || self.all(self.game.placement(*placement).places);
        Some(((*placement, piece), among.unwrap_or_else(all)))
    }

    fn all(&self, domain: crate::ir::DomainId) -> BTreeSet<u32> {
        (0..self.game.domain(domain).len() as u32).collect()
    }
}

/// The places that are free wherever a guard holds: what it tests before it does anything else, and what it gives at its end.
fn free_in(guard: &Block) -> BTreeSet<(PlacementId, LocalId)> {
    let mut found = BTreeSet::new();
    let mut assigned = BTreeSet::new();
    for stmt in guard {
        match &stmt.kind {
            StmtKind::Let(..) => {}
            StmtKind::If(cond, yes, no) if no.is_empty() && is_no(yes) => {
                add_free(cond, false, &mut found);
            }
            StmtKind::Return(Some(value)) => add_free(value, true, &mut found),
            _ => break,
        }
    }
    walk_block(guard, &mut |stmt| {
        each_assigned(stmt, &mut |local| {
            assigned.insert(local);
        })
    });
    found.retain(|(_, local)| !assigned.contains(local));
    found
}

fn is_no(block: &Block) -> bool {
    let [only] = &block[..] else { return false };
    matches!(&only.kind, StmtKind::Return(Some(value)) if value.as_const() == Some(&Const::Bool(false)))
}

/// Adds the places that are free if a condition holds, or does not.
fn add_free(cond: &Expr, holds: bool, found: &mut BTreeSet<(PlacementId, LocalId)>) {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => add_free(inner, !holds, found),
        ExprKind::Binary(BinaryOp::And, a, b) if holds => {
            add_free(a, true, found);
            add_free(b, true, found);
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if !holds => {
            add_free(a, false, found);
            add_free(b, false, found);
        }
        ExprKind::IsSome(inner) if !holds => {
            if let ExprKind::Content(placement, at) = &inner.kind
                && let ExprKind::Local(local) = at.kind
            {
                found.insert((*placement, local));
            }
        }
        _ => {}
    }
}

/// The way through a body.
struct Walk<'a, 'f> {
    search: &'a Search<'a>,
    func: FuncId,
    /// The variables that the function gives values; those of parameters say nothing of calls then.
    assigned: BTreeSet<LocalId>,
    facts: Facts,
    f: &'f mut dyn FnMut(Step),
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        stmt.children(&mut |expr| {
            expr.walk(&mut |expr| {
                if let ExprKind::Call(func, args) = &expr.kind {
                    self.call(*func, args);
                }
            });
        });
        match &stmt.kind {
            StmtKind::Call { func, args, .. } => self.call(*func, args),
            StmtKind::Put(placement, piece, place) => {
                if let Some(arrival) = self.arrival(*placement, piece, place) {
                    (self.f)(Step::Bring(std::ptr::from_ref(stmt), arrival));
                }
            }
            _ => {}
        }
        let search = self.search;
        let locals = &search.game.function(self.func).locals;
        let effect = search
            .effects
            .block(search.game, locals, std::slice::from_ref(stmt));
        let moved = effect.scratch.placements;
        if !matches!(stmt.kind, StmtKind::If(..)) {
            self.facts.forget_placements(&moved);
        }
        if let StmtKind::Choose(choose) = &stmt.kind {
            for arm in &choose.arms {
                self.facts = search.of_move(arm);
                self.block(&arm.body);
            }
            self.facts = Facts::default();
            choose.otherwise.iter().for_each(|block| self.block(block));
            self.facts = Facts::default();
            return;
        }
        if effect.suspends {
            self.facts = Facts::default();
        }
        walk_block(std::slice::from_ref(stmt), &mut |stmt| {
            each_assigned(stmt, &mut |local| self.facts.forget_local(local));
        });
        let mut inner = Vec::new();
        stmt.blocks(&mut |block| inner.push(block));
        let before = self.facts.clone();
        for block in inner {
            self.facts = before.clone();
            self.block(block);
        }
        self.facts = before;
        self.facts.forget_placements(&moved);
    }

    /// Tells what a call passes on.
    fn call(&mut self, func: FuncId, args: &[Expr]) {
        let given = self.facts.renamed(|local| {
            let is_it = |arg: &Expr| arg.kind == ExprKind::Local(local);
            let params = (0..).map(LocalId::from).zip(args);
            params
                .filter(|(_, arg)| is_it(arg))
                .map(|(param, _)| param)
                .collect()
        });
        (self.f)(Step::Call(func, given));
    }

    fn arrival(&self, placement: PlacementId, piece: &Expr, place: &Expr) -> Option<Arrival> {
        let (ExprKind::Local(piece), ExprKind::Local(place)) = (&piece.kind, &place.kind) else {
            return None;
        };
        let found = self.search.game.placement(placement);
        let from = self.facts.stands.get(&(placement, *piece))?;
        let free = self.facts.free.contains(&(placement, *place));
        (free && found.form == PlacementForm::One).then(|| Arrival {
            pieces: self.among(*piece, found.pieces),
            from: from.iter().copied().collect(),
            to: self.among(*place, found.places),
        })
    }

    /// The members that a variable can be.
    fn among(&self, local: LocalId, domain: crate::ir::DomainId) -> Vec<u32> {
        let search = self.search;
        let params = search.game.function(self.func).params;
        let known = (local.index() < params && !self.assigned.contains(&local))
            .then(|| search.reached.members(self.func, local.index()))
            .flatten();
        match known {
            Some(members) => members.iter().copied().collect(),
            None => search.all(domain).into_iter().collect(),
        }
    }
}
