//! Ways to move: entries of one figure that do the same, with all that vectors decide settled.

use std::cell::LazyCell;

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::Lower;
use super::formula::at;
use super::formula::{Atom, Formula, Target};
use crate::ast::{Action, ActionSet, Entry};
use crate::source::Span;

/// What an action does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Do {
    Move,
    Take {
        deferred: bool,
    },
    Swap,
    Replace(usize),
    /// At the end of the chain.
    ReplaceLater(usize),
    /// Any of these kinds.
    Choose(Vec<usize>),
    Continue,
}

impl Do {
    /// The name of the action in rules.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Do::Move => "move",
            Do::Take { .. } => "take",
            Do::Swap => "swap",
            Do::Replace(_) | Do::ReplaceLater(_) | Do::Choose(_) => "replace",
            Do::Continue => "continue",
        }
    }
}

/// A set of actions with its condition.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) when: Formula,
    /// The condition where the judged cell does not exist.
    pub(super) missing: Formula,
    pub(super) cancels: bool,
    pub(super) actions: Vec<Do>,
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        let key = |set: &Set| (set.when.clone(), set.missing.clone(), set.cancels);
        key(self) == key(other) && self.actions == other.actions
    }
}

/// Some numbers of steps in a direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ray {
    pub(super) unit: Vec<i64>,
    /// Ascending.
    pub(super) steps: Vec<u32>,
    /// When it fits.
    pub(super) when: Formula,
}

/// A way to move of a kind.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) kind: usize,
    pub(super) priority: i64,
    /// On how many cells on the way something must be taken.
    pub(super) takes: Option<u32>,
    pub(super) destination: Vec<Set>,
    pub(super) transition: Vec<Set>,
    pub(super) rays: Vec<Ray>,
    /// Whether it attacks nobody, because the rules call it a complex movement.
    pub(super) harmless: bool,
    pub(super) span: Span,
}

/// The condition of all sets that cancel, or of all others.
pub(super) fn any(sets: &[Set], cancels: bool) -> Formula {
    let some = sets.iter().filter(|set| set.cancels == cancels);
    Formula::or(some.map(|set| set.when.clone()).collect::<Vec<_>>())
}

/// The same where the judged cell does not exist.
pub(super) fn any_missing(sets: &[Set], cancels: bool) -> Formula {
    let some = sets.iter().filter(|set| set.cancels == cancels);
    Formula::or(some.map(|set| set.missing.clone()).collect::<Vec<_>>())
}

impl Program {
    /// Whether cells on the way matter to a ray.
    pub(super) fn looks_on_way(&self, ray: &Ray) -> bool {
        self.takes.is_some()
            || !self.transition.is_empty() && ray.steps.iter().any(|steps| *steps > 1)
    }

    /// Whether a condition asks who is attacked.
    pub(super) fn asks_attacks(&self) -> bool {
        let sets = self.destination.iter().chain(&self.transition);
        let mut whens = sets.flat_map(|set| [&set.when, &set.missing]);
        whens.any(Formula::asks_attacks) || self.rays.iter().any(|ray| ray.when.asks_attacks())
    }

    /// The vectors along which it leads.
    pub(super) fn vectors(&self) -> Vec<Vec<i64>> {
        let of_ray = |ray: &Ray| {
            let unit = ray.unit.clone();
            let steps = ray.steps.clone().into_iter();
            steps.map(move |n| unit.iter().map(|step| step * i64::from(n)).collect())
        };
        self.rays.iter().flat_map(of_ray).collect()
    }

    /// Whether another way leads along the same vectors, alike but for what is done on the last cell.
    fn leads_as(&self, other: &Program) -> bool {
        let (mut one, mut two) = (self.vectors(), other.vectors());
        one.sort_unstable();
        two.sort_unstable();
        one == two
            && self.priority == other.priority
            && self.harmless == other.harmless
            && self.transition == other.transition
    }

    /// Lets sets apply only where one of these things stands on the last cell.
    fn only_where(&mut self, contents: Vec<bool>) {
        let here = Formula::or([Formula::Atom(Atom::Holds(contents))]);
        for set in &mut self.destination {
            set.when = Formula::and([set.when.clone(), here.clone()]);
        }
        self.destination.retain(|set| set.when != Formula::False);
    }

    /// When something on the way is taken.
    pub(super) fn taken(&self) -> Formula {
        let takes = |set: &&Set| {
            let mut actions = set.actions.iter();
            !set.cancels && actions.any(|action| matches!(action, Do::Take { .. }))
        };
        let sets = self.transition.iter().filter(takes);
        Formula::or(sets.map(|set| set.when.clone()).collect::<Vec<_>>())
    }

    /// Whether something happens on the cells on the way.
    pub(super) fn acts_on_way(&self) -> bool {
        let acts =
            |set: &Set| !set.cancels && !set.actions.is_empty() && set.when != Formula::False;
        self.transition.iter().any(acts) && self.rays.iter().any(|ray| self.looks_on_way(ray))
    }

    /// Whether some set lets the figure go on.
    pub(super) fn continues(&self) -> bool {
        let sets = self.destination.iter().chain(&self.transition);
        sets.flat_map(|set| &set.actions)
            .any(|action| *action == Do::Continue)
    }
}

/// Pairs of cells.
type Pairs = Vec<(usize, usize)>;

/// Alternatives of which those that differ in one mask of cells alone are one.
fn joined(items: &[Formula]) -> Vec<Formula> {
    let mut all: Vec<Formula> = items.to_vec();
    for cells in [is_target as fn(&Formula) -> bool, is_source] {
        let mut parts: Vec<(Vec<Formula>, Vec<Formula>)> = Vec::new();
        for item in all {
            let factors = match item {
                Formula::And(factors) => factors,
                other => vec![other],
            };
            let (masks, rest): (Vec<Formula>, Vec<Formula>) = factors.into_iter().partition(cells);
            let mask = Formula::and(masks);
            let same = |(others, _): &&mut (Vec<Formula>, Vec<Formula>)| {
                others.len() == rest.len() && rest.iter().all(|one| others.contains(one))
            };
            match parts.iter_mut().find(same) {
                Some((_, masks)) => masks.push(mask),
                None => parts.push((rest, vec![mask])),
            }
        }
        let whole = |(rest, masks): (Vec<Formula>, Vec<Formula>)| {
            Formula::and(rest.into_iter().chain([Formula::or(masks)]))
        };
        all = parts.into_iter().map(whole).collect();
    }
    all
}

fn is_target(formula: &Formula) -> bool {
    matches!(formula, Formula::Atom(Atom::In(_)))
}

fn is_source(formula: &Formula) -> bool {
    matches!(formula, Formula::Atom(Atom::SelfIn(_)))
}

/// A formula with what is the same for all of some pairs of cells, which are found if it asks for cells at all.
fn settle<F: FnOnce() -> Pairs>(formula: &Formula, pairs: &LazyCell<Pairs, F>) -> Formula {
    let same = |holds: &dyn Fn(&(usize, usize)) -> bool| {
        let mut each = pairs.iter().map(holds);
        let first = each.next()?;
        each.all(|other| other == first).then_some(first)
    };
    let known = match formula {
        Formula::Not(inner) => return settle(inner, pairs).negated(),
        Formula::And(items) => return Formula::and(items.iter().map(|item| settle(item, pairs))),
        Formula::Or(items) => {
            let whole = Formula::or(joined(items));
            return match whole {
                Formula::Or(items) => Formula::or(items.iter().map(|item| settle(item, pairs))),
                other if other == *formula => other,
                other => settle(&other, pairs),
            };
        }
        Formula::Atom(Atom::In(mask)) => same(&|(_, to)| mask[*to]),
        Formula::Atom(Atom::SelfIn(mask)) => same(&|(from, _)| mask[*from]),
        _ => None,
    };
    known.map_or_else(|| formula.clone(), Formula::constant)
}

impl Lower<'_> {
    /// The sets of two lists for a kind, without those that never apply.
    pub(super) fn sets(&self, lists: [&[ActionSet]; 2], kind: usize) -> Vec<Set> {
        let mut all = Vec::new();
        for set in lists.into_iter().flatten() {
            let when = self
                .names
                .conditions(set.when.as_deref(), kind, Target::Cell);
            let missing = self
                .names
                .conditions(set.when.as_deref(), kind, Target::Missing);
            let cancels = set
                .actions
                .iter()
                .any(|action| action.node == Action::Cancel);
            let actions = set.actions.iter();
            let mut made = Set {
                when,
                missing,
                cancels,
                actions: actions
                    .filter_map(|action| self.action(&action.node, kind))
                    .collect(),
            };
            if made.actions.contains(&Do::Take { deferred: true }) && !cancels {
                // What is taken already blocks.
                let doomed = Formula::Atom(Atom::Doomed);
                all.push(Set {
                    when: Formula::and([made.when.clone(), doomed.clone()]),
                    missing: Formula::False,
                    cancels: true,
                    actions: Vec::new(),
                });
                made.when = Formula::and([made.when, doomed.negated()]);
            }
            all.push(made);
        }
        all.retain(|set| set.when != Formula::False || set.missing != Formula::False);
        all
    }

    fn action(&self, action: &Action, kind: usize) -> Option<Do> {
        let player = &self.names.kinds[kind].0;
        let find = |figure: &str| {
            let mut kinds = self.names.kinds.iter();
            kinds.position(|(p, f)| p == player && f == figure)
        };
        Some(match action {
            Action::Move => Do::Move,
            Action::Take { deferred } => Do::Take {
                deferred: *deferred,
            },
            Action::Swap => Do::Swap,
            Action::Replace(figure) => Do::Replace(find(figure)?),
            Action::ReplaceLater(figure) => Do::ReplaceLater(find(figure)?),
            Action::Choose(figures) => {
                let kinds = figures.iter().filter_map(|figure| find(&figure.node));
                Do::Choose(kinds.collect())
            }
            Action::Continue => Do::Continue,
            Action::Cancel => return None,
        })
    }

    /// What a set does: who changes places with nothing moves, unless it is counted how long ago figures moved.
    pub(super) fn moved(&self, set: &Set, kind: usize, known: &[(Formula, bool)]) -> Vec<Do> {
        let facts = known.iter().map(|(formula, holds)| match holds {
            true => formula.clone(),
            false => formula.clone().negated(),
        });
        let when = Formula::and(facts.chain([set.when.clone()]));
        let mut kinds = 0..self.names.kinds.len();
        let free = kinds.all(|kind| when.with_contents(kind) == Formula::False);
        let mut actions = set.actions.clone();
        if free && self.tracked_kind(kind).age == 0 {
            for action in &mut actions {
                if *action == Do::Swap {
                    *action = Do::Move;
                }
            }
        }
        actions
    }

    /// The ways to move of a kind: the first entry that fits decides.
    pub(super) fn programs_of(&self, kind: usize) -> Vec<Program> {
        let (player, figure) = &self.names.kinds[kind];
        let mut claimed: SortedMap<Vec<i64>, Formula> = SortedMap::new();
        let mut programs: Vec<Program> = Vec::new();
        let Some(global) = self.game.figures.get(figure.as_str()) else {
            return programs;
        };
        for entry in self.game.entries(figure, player) {
            let rays = self.rays(entry, kind, &mut claimed);
            if rays.is_empty() {
                continue;
            }
            let (own, all) = (&entry.actions, &global.actions);
            let destination = self.sets([&own.destination, &all.destination], kind);
            let transition = self.sets([&own.transition, &all.transition], kind);
            let destination = self.settled(destination, &rays, false);
            let transition = self.settled(transition, &rays, true);
            let same = |program: &&mut Program| {
                !program.harmless
                    && program.priority == entry.priority
                    && program.takes == entry.takes
                    && program.destination == destination
                    && program.transition == transition
            };
            match programs.iter_mut().find(same) {
                Some(program) => program.rays.extend(rays),
                None => programs.push(Program {
                    kind,
                    priority: entry.priority,
                    takes: entry.takes,
                    destination,
                    transition,
                    rays,
                    harmless: false,
                    span: entry.span,
                }),
            }
        }
        programs.retain(|program| {
            program
                .destination
                .iter()
                .chain(&program.transition)
                .any(|s| !s.cancels)
        });
        for program in &mut programs {
            self.join_rays(program);
        }
        self.joined_by_contents(programs)
            .into_iter()
            .flat_map(|program| self.apart_by_contents(program))
            .flat_map(|program| self.untangle(program))
            .collect()
    }

    /// Makes one way to move of several that lead along the same vectors where other things stand, such as one that takes and one to
    /// free cells.
    fn joined_by_contents(&self, programs: Vec<Program>) -> Vec<Program> {
        let ordered = |program: &Program| program.takes.is_some() || program.asks_attacks();
        if programs.iter().any(ordered) {
            return programs;
        }
        let mut all: Vec<Program> = Vec::new();
        for mut program in programs {
            let own = self.contents(&program);
            let other = all.iter_mut().find_map(|other| {
                let theirs = self.contents(other);
                let apart = own.iter().zip(&theirs).all(|(own, theirs)| !(own & theirs));
                (apart && other.leads_as(&program)).then_some((other, theirs))
            });
            let Some((other, theirs)) = other else {
                all.push(program);
                continue;
            };
            other.only_where(theirs);
            program.only_where(own);
            other.destination.append(&mut program.destination);
            other.rays.append(&mut program.rays);
            self.join_rays(other);
        }
        all
    }

    /// Makes ways to move of their own of rays that lead where other things may stand: whether an entry says it or what is done on
    /// the last cell, targets are those of some steps that lie in one set.
    fn apart_by_contents(&self, program: Program) -> Vec<Program> {
        if program.takes.is_some() || program.asks_attacks() {
            return vec![program];
        }
        let mut parts: Vec<(Vec<bool>, Program)> = Vec::new();
        for ray in &program.rays {
            let own = Program {
                rays: vec![ray.clone()],
                ..program.clone()
            };
            let contents = self.contents(&own);
            match parts.iter_mut().find(|(known, _)| *known == contents) {
                Some((_, part)) => part.rays.extend(own.rays),
                None => parts.push((contents, own)),
            }
        }
        let all = program.vectors();
        let distinct: SortedSet<&Vec<i64>> = all.iter().collect();
        match distinct.len() == all.len() {
            true => parts.into_iter().map(|(_, part)| part).collect(),
            false => vec![program],
        }
    }

    /// What may stand where a way to move leads: a flag for each kind, the last for nothing.
    fn contents(&self, program: &Program) -> Vec<bool> {
        let may = |contents: usize| {
            let mut rays = program.rays.iter();
            rays.any(|ray| ray.when.with_contents(contents) != Formula::False)
        };
        (0..=self.names.kinds.len()).map(may).collect()
    }

    /// Sets without what the rays decide: conditions on coordinates that hold for all pairs of cells along them, or for none.
    pub(super) fn settled(&self, sets: Vec<Set>, rays: &[Ray], on_way: bool) -> Vec<Set> {
        let pairs = LazyCell::new(|| self.pairs(rays, on_way));
        let asks = |set: &Set| set.when.asks_attacks() || set.missing.asks_attacks();
        let settle = |set: Set| Set {
            when: match asks(&set) {
                // What it asks first may never end.
                true => set.when,
                false => settle(&set.when, &pairs),
            },
            // Nobody goes where no cell is.
            missing: match on_way {
                true => set.missing,
                false => Formula::False,
            },
            ..set
        };
        let mut sets: Vec<Set> = sets.into_iter().map(settle).collect();
        sets.retain(|set| set.when != Formula::False || set.missing != Formula::False);
        sets
    }

    /// Where figures go along rays, and the cells that are judged then: the last ones, or those on the way.
    fn pairs(&self, rays: &[Ray], on_way: bool) -> Pairs {
        let mut pairs = Vec::new();
        for ray in rays {
            for from in 0..self.cell_count() {
                for &steps in &ray.steps {
                    let cell = |n: u32| self.offset(from, &ray.unit, i64::from(n));
                    let Some(end) = cell(steps) else { continue };
                    if at(&ray.when, from, end) == Formula::False {
                        continue;
                    }
                    match on_way {
                        true => pairs.extend((1..steps).filter_map(cell).map(|to| (from, to))),
                        false => pairs.push((from, end)),
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Makes one ray of those that lead the same steps in the same direction on several conditions.
    fn join_rays(&self, program: &mut Program) {
        let mut rays: Vec<Ray> = Vec::new();
        for ray in std::mem::take(&mut program.rays) {
            let same = |other: &&mut Ray| {
                let asks = other.when.asks_attacks() || ray.when.asks_attacks();
                other.unit == ray.unit && other.steps == ray.steps && !asks
            };
            match rays.iter_mut().find(same) {
                Some(other) => other.when = Formula::or([other.when.clone(), ray.when]),
                None => rays.push(ray),
            }
        }
        for ray in &mut rays {
            if !ray.when.asks_attacks() {
                let anywhere = Ray {
                    when: Formula::True,
                    ..ray.clone()
                };
                let pairs = LazyCell::new(|| self.pairs(&[anywhere], false));
                ray.when = settle(&ray.when, &pairs);
            }
        }
        rays.retain(|ray| ray.when != Formula::False);
        program.rays = rays;
    }

    /// The steps that are left to an entry.
    fn rays(
        &self,
        entry: &Entry,
        kind: usize,
        claimed: &mut SortedMap<Vec<i64>, Formula>,
    ) -> Vec<Ray> {
        let when = self
            .names
            .conditions(entry.when.as_deref(), kind, Target::Cell);
        let mut rays: Vec<Ray> = Vec::new();
        if when == Formula::False {
            return rays;
        }
        let signs: &[i64] = if entry.also_reversed { &[1, -1] } else { &[1] };
        for sign in signs {
            let unit: Vec<i64> = entry.delta.iter().map(|step| step * sign).collect();
            let most = self.most_steps(&unit);
            let most = entry.steps.most.map_or(most, |bound| bound.min(most));
            for steps in entry.steps.least..=most {
                let vector: Vec<i64> = unit.iter().map(|s| s * i64::from(steps)).collect();
                let before = claimed.get(&vector).cloned().unwrap_or(Formula::False);
                let fits = Formula::and([before.clone().negated(), when.clone()]);
                // An entry that must take on the way leaves the vector to later ones where it does not.
                if entry.takes.is_none() {
                    claimed.insert(vector, Formula::or([before, when.clone()]));
                }
                if fits == Formula::False {
                    continue;
                }
                let same = |ray: &&mut Ray| ray.unit == unit && ray.when == fits;
                match rays.iter_mut().find(same) {
                    Some(ray) => ray.steps.push(steps),
                    None => rays.push(Ray {
                        unit: unit.clone(),
                        steps: vec![steps],
                        when: fits,
                    }),
                }
            }
        }
        rays
    }

    /// Ways on which different rays pass from one cell to another differently become programs of their own.
    fn untangle(&self, program: Program) -> Vec<Program> {
        if !program.acts_on_way() || self.ways(&program).is_some() {
            return vec![program];
        }
        let alone = |ray: &Ray| Program {
            rays: vec![ray.clone()],
            ..program.clone()
        };
        program.rays.iter().map(alone).collect()
    }

    /// The first cell on the way for each pair of cells; nothing if two rays disagree.
    pub(super) fn ways(&self, program: &Program) -> Option<SortedMap<(usize, usize), usize>> {
        let mut ways: Vec<((usize, usize), usize)> = Vec::new();
        for ray in &program.rays {
            for from in 0..self.cell_count() {
                for steps in &ray.steps {
                    let Some(to) = self.offset(from, &ray.unit, i64::from(*steps)) else {
                        continue;
                    };
                    let between =
                        (1..i64::from(*steps)).filter_map(|n| self.offset(from, &ray.unit, n));
                    let mut at = from;
                    for next in between.chain([to]) {
                        ways.push(((at, to), next));
                        at = next;
                    }
                }
            }
        }
        ways.sort_unstable();
        ways.dedup();
        let disagree = ways.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!disagree).then(|| ways.into_iter().collect())
    }
}
