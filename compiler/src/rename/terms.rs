//! What rules mean, as terms in a normal form: equal terms have one number.
//!
//! A value that depends on conditions is a decision diagram ([`Op::Ite`]) over conditions in the order of their numbers, so that
//! the order in which rules ask does not matter. Arithmetic on what tables say of members is a table itself ([`Op::Table`]): that
//! a place is in the column after another one is a table from places to places, and no number is left of it.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, Fold, Game, PlacementId, Type, UnaryOp, VarId, WalkGive,
};

use super::Renaming;
use super::reach::domain_of;
use super::unfold::{Env, Seen};
use crate::ir::FuncId;
use crate::ir::effects::Effects;

/// A term, by number.
pub(super) type Term = u32;
/// A table of terms, by number.
pub(super) type TabId = u32;

/// Terms that a game may need.
const MOST_TERMS: usize = 20_000;
/// The same, where rules ask of sets.
const MOST_OF_SETS: usize = 10_000;
/// Cells of all tables together: about a tenth of a second of work.
const MOST_CELLS: usize = 1 << 19;
/// Cells of a table of two members.
const MOST_PAIRS: usize = 1 << 16;
/// Conditions that stand in one diagram.
const MOST_TOGETHER: u32 = 32;
/// Conditions of a diagram that are noted.
const MOST_ASKED: usize = 64;
/// Times that something is run.
const MOST_TIMES: usize = 8;
/// Steps of combining diagrams.
const MOST_STEPS: usize = 150_000;
/// The same, where rules ask of sets.
const MOST_STEPS_OF_SETS: usize = 50_000;
/// The same, of comparing.
const MOST_COMPARED: usize = 300_000;

/// Why the meaning of a game was not found.
pub(super) type Failed = &'static str;

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// A constant.
    Const(Const),
    /// A parameter of a move, and what it can be.
    Param(usize, Option<Vec<u32>>),
    /// A bound variable by its depth, and what it can be.
    Bound(usize, Option<Vec<u32>>),
    /// A table at members.
    Table(TabId),
    /// The second if the first, a condition, holds, else the third.
    Ite,
    /// A variable of the position at indexes.
    Var(VarId),
    /// What stands where in the position.
    Placed(Placed, PlacementId),
    /// An operation of the IR as it is.
    Unary(UnaryOp),
    /// An operation of the IR as it is.
    Binary(BinaryOp),
    /// Any other operation, which does not depend on the order of members.
    Other(Other),
    /// An operation that depends on the order of the members of a domain.
    Ordered(Other, DomainId),
    /// A bundle; its parts have an order, or none.
    Bundle(Bundle),
}

/// A question about a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Placed {
    PlaceOf,
    Content,
    Contents,
    Places,
}

/// An operation of the IR.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Other {
    IsSome,
    Ordinal,
    Member,
    ToWrap,
    ToInt,
    Tag,
    Untag,
    HasTag(Type),
    SetOf,
    SeqOf,
    Size,
    Item,
    Fold(Fold),
    Collect,
    First,
    Walk(WalkGive),
    /// What a walk along a sequence of places gives.
    Along(WalkGive),
    /// Whether a condition holds for one of some rows, which have no order.
    Rows,
    Closure,
    Seen(u32),
    Noted(u32),
    Forgot(u32),
    /// Whether an operation fails.
    Fails,
    /// At least one of many conditions, which have no order.
    Any,
    /// A condition as a whole, whatever it consists of.
    Whole,
    /// A value in the position that some writes lead to.
    After,
    /// Members or items that a variable ranges over.
    Range,
}

/// What a bundle of terms stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bundle {
    /// Writes to a variable or a placement: as a set, or one after the other.
    Writes(bool),
    Write,
    /// The value that a variable gets.
    Gets(VarId),
    To(VarId),
    Onto(PlacementId),
    /// How a move ends.
    Ends(&'static str, String, u32),
    Nothing,
    /// Mistakes, as a set.
    Mistakes,
    /// Parts in order.
    Parts(&'static str),
    /// Parts as a set.
    Set(&'static str),
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) args: Box<[Term]>,
    pub(super) ty: Type,
}

/// What a term asks.
struct Look {
    /// The conditions of a diagram, in ascending order.
    asked: Asked,
    /// How many plain conditions there are in it.
    weight: u32,
    /// Whether it says nothing of the position.
    pure: bool,
    /// One more than the greatest number of a bound variable in it.
    depth: usize,
    /// Whether it is a set by what holds of its members.
    described: bool,
}

type Asked = Vec<Term>;

/// Conditions in ascending order, and whether they hold.
type Known = Vec<(Term, bool)>;

fn known_as(known: &Known, condition: Term) -> Option<bool> {
    let at = known.binary_search_by_key(&condition, |(asked, _)| *asked);
    at.ok().map(|at| known[at].1)
}

fn merged(a: &[Term], b: &[Term]) -> Asked {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a, b);
    while let ([x, more @ ..], [y, others @ ..]) = (a, b) {
        all.push(*x.min(y));
        if x <= y {
            a = more;
        }
        if y <= x {
            b = others;
        }
    }
    all.extend_from_slice(a);
    all.extend_from_slice(b);
    all
}

/// A constant function of members, each of a domain, or absent where that is said.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tab {
    pub(super) axes: Vec<(DomainId, bool)>,
    pub(super) ty: Type,
    pub(super) values: Vec<Value>,
}

/// A constant in a table, by number.
pub(super) type Value = u32;

/// Stands in tables for members that never come.
pub(super) const JUNK: Value = 0;
/// Stands in tables for a mistake.
pub(super) const FAULT: Value = 1;
/// An absent member.
pub(super) const ABSENT: Value = 2;
/// The truth values.
pub(super) const NO: Value = 3;
pub(super) const YES: Value = 4;

fn junk() -> Const {
    Const::Seq(vec![Const::None])
}

/// Stands for a mistake.
pub(super) fn fault() -> Const {
    Const::Seq(vec![Const::Seq(Vec::new())])
}

/// Conditions that are always so.
pub(super) const FALSE: Term = 0;
pub(super) const TRUE: Term = 1;

/// How a value follows from the values of atoms.
enum Follows {
    Is(Value),
    /// A table, the atoms that it is about, and how many values each has.
    Table(TabId, Vec<(usize, usize)>),
    Atom(usize, (DomainId, bool)),
}

/// An operation that is computed for all members, and the IR node that says how.
#[derive(Clone, Copy)]
pub(super) struct Shell<'e> {
    pub(super) expr: &'e Expr,
}

/// All terms of a game.
pub(super) struct Terms<'g> {
    pub(super) game: &'g Game,
    nodes: IndexSet<Node>,
    looks: Vec<Look>,
    tabs: IndexSet<Tab>,
    consts: IndexSet<Const>,
    members: Vec<Value>,
    cells: usize,
    steps: usize,
    most_terms: usize,
    most_steps: usize,
    constants: std::collections::BTreeSet<VarId>,
    pub(super) effects: Effects,
    /// What functions give in positions of which nothing is known.
    pub(super) seen: IndexMap<(FuncId, Vec<Term>, Env), Seen>,
    /// Functions whose environment is asked for.
    pub(super) asked_of: std::collections::BTreeSet<FuncId>,
    /// Whether one was found, so that what is being run has to be run again.
    pub(super) again: bool,
    ites: IndexMap<(Term, Term, Term), Term>,
    equals: IndexMap<(Term, Term), Term>,
    applied: IndexMap<(Op, Vec<Term>, Vec<Type>), Term>,
    looked_up: IndexMap<(crate::ir::TableId, Vec<Term>), Term>,
    pub(super) failed: Option<Failed>,
    /// The pieces that can come to each place, as far as that is used.
    pub(super) standing: BTreeMap<PlacementId, Standing>,
    /// Whether rules ask of sets what they ask of many places.
    pub(super) by_sets: bool,
}

/// The pieces that can stand on each place.
pub(super) type Standing = Vec<std::collections::BTreeSet<u32>>;

impl<'g> Terms<'g> {
    pub(super) fn new(game: &'g Game) -> Terms<'g> {
        let mut terms = Terms {
            game,
            nodes: IndexSet::new(),
            looks: Vec::new(),
            tabs: IndexSet::new(),
            consts: IndexSet::new(),
            members: Vec::new(),
            cells: 0,
            steps: 0,
            most_terms: MOST_TERMS,
            most_steps: MOST_STEPS,
            constants: crate::ir::effects::constants(game).vars,
            effects: Effects::of(game),
            seen: IndexMap::new(),
            asked_of: std::collections::BTreeSet::new(),
            again: false,
            ites: IndexMap::new(),
            equals: IndexMap::new(),
            applied: IndexMap::new(),
            looked_up: IndexMap::new(),
            failed: None,
            standing: BTreeMap::new(),
            by_sets: false,
        };
        let first = [
            junk(),
            fault(),
            Const::None,
            Const::Bool(false),
            Const::Bool(true),
        ];
        terms.consts.extend(first);
        let most = game.domains.iter().map(crate::ir::Domain::len).max();
        terms.members = (0..most.unwrap_or(0) as u32)
            .map(|member| terms.number(Const::Elem(member)))
            .collect();
        terms.constant(Const::Bool(false), Type::Bool);
        terms.constant(Const::Bool(true), Type::Bool);
        terms
    }

    pub(super) fn node(&self, term: Term) -> &Node {
        &self.nodes[term as usize]
    }

    pub(super) fn tab(&self, tab: TabId) -> &Tab {
        &self.tabs[tab as usize]
    }

    /// From here on rules ask of sets what they ask of many places: then few terms do, or many do not.
    pub(super) fn ask_of_sets(&mut self) {
        self.by_sets = true;
        self.most_terms = MOST_OF_SETS;
        self.most_steps = MOST_STEPS_OF_SETS;
    }

    /// Allows for the work of comparing what was found.
    pub(super) fn compare(&mut self) {
        self.most_steps = self.steps + MOST_COMPARED;
    }

    /// Notes work; so that what takes too much is given up.
    fn spend(&mut self, work: usize) {
        self.steps += work;
        if self.steps > self.most_steps {
            self.fail("too many conditions");
        }
    }

    /// Whether there is nothing more to be found.
    pub(super) fn stops(&self) -> bool {
        self.failed.is_some() || self.again
    }

    /// Runs something; again, as long as that finds functions whose environment is asked for.
    pub(super) fn settled<T>(&mut self, mut run: impl FnMut(&mut Self) -> T) -> T {
        for _ in 0..MOST_TIMES {
            self.again = false;
            let found = run(self);
            if !self.again {
                return found;
            }
        }
        self.fail("too many functions that leave something");
        self.again = false;
        run(self)
    }

    /// A constant that stands in tables.
    pub(super) fn value(&self, value: Value) -> &Const {
        &self.consts[value as usize]
    }

    fn number(&mut self, value: Const) -> Value {
        match self.consts.get_index_of(&value) {
            Some(known) => known as Value,
            None => self.consts.insert_full(value).0 as Value,
        }
    }

    fn numbers(&mut self, values: &[Const]) -> Vec<Value> {
        values
            .iter()
            .map(|value| self.number(value.clone()))
            .collect()
    }

    pub(super) fn fail(&mut self, why: Failed) {
        self.failed.get_or_insert(why);
    }

    fn insert(&mut self, op: Op, args: Vec<Term>, ty: Type) -> Term {
        if self.nodes.len() >= self.most_terms {
            self.fail("too many terms");
            return FALSE;
        }
        let args = args.into();
        let (at, new) = self.nodes.insert_full(Node { op, args, ty });
        if new {
            self.steps += 1;
            let look = self.look_of(at as Term);
            self.looks.push(look);
        }
        at as Term
    }

    /// What a term that was just made asks.
    fn look_of(&self, term: Term) -> Look {
        let node = self.node(term);
        let looks = |arg: &Term| &self.looks[*arg as usize];
        let weights = |args: &[Term]| {
            args.iter()
                .fold(0, |sum: u32, arg| sum.saturating_add(looks(arg).weight))
        };
        let pure = node.args.iter().all(|arg| looks(arg).pure);
        let asks = match node.op {
            Op::Var(_) | Op::Placed(..) | Op::Other(Other::Seen(_)) => true,
            // What is kept of another position.
            Op::Param(at, _) => at >= 2_000,
            _ => false,
        };
        let (asked, weight) = match (&node.op, &node.args[..]) {
            (Op::Const(_), _) => (Asked::default(), 0),
            (Op::Ite, [condition, yes, no]) => {
                let asked = merged(&looks(yes).asked, &looks(no).asked);
                let asked = merged(&asked, &[*condition]);
                let weight = match asked.len() > MOST_ASKED {
                    true => u32::MAX,
                    false => weights(&asked),
                };
                let noted = asked.into_iter().take(MOST_ASKED + 1).collect();
                (noted, weight)
            }
            (Op::Other(Other::Any | Other::Whole), args) => (Asked::default(), weights(args)),
            _ => (Asked::default(), 1),
        };
        let depths = node.args.iter().map(|arg| looks(arg).depth);
        let own = match node.op {
            Op::Bound(at, _) => at + 1,
            _ => 0,
        };
        Look {
            asked,
            weight,
            pure: pure && !asks,
            depth: depths.fold(own, usize::max),
            described: self.described_by(node),
        }
    }

    /// A number that no bound variable of a term has, nor a greater one.
    pub(super) fn depth_of(&self, term: Term) -> usize {
        self.looks[term as usize].depth
    }

    /// Whether a term is a set by what holds of its members.
    pub(super) fn is_described(&self, term: Term) -> bool {
        self.looks[term as usize].described
    }

    /// Whether a term says nothing of the position.
    pub(super) fn is_pure(&self, term: Term) -> bool {
        self.looks[term as usize].pure
    }

    /// Whether diagrams ask few conditions together.
    fn are_small(&self, terms: &[Term]) -> bool {
        let mut asked: Vec<Term> = Vec::new();
        let mut weight = 0_u32;
        for &term in terms {
            let look = &self.looks[term as usize];
            if look.weight > MOST_TOGETHER {
                return false;
            }
            for &condition in &look.asked {
                if !asked.contains(&condition) {
                    asked.push(condition);
                    weight = weight.saturating_add(self.looks[condition as usize].weight);
                }
            }
            if weight > MOST_TOGETHER {
                return false;
            }
        }
        true
    }

    pub(super) fn constant(&mut self, value: Const, ty: Type) -> Term {
        self.insert(Op::Const(value), Vec::new(), plain(&ty))
    }

    pub(super) fn as_const(&self, term: Term) -> Option<&Const> {
        match &self.node(term).op {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn leaf(&mut self, op: Op, ty: Type) -> Term {
        self.insert(op, Vec::new(), plain(&ty))
    }

    /// A bundle as it is; sets are sorted.
    pub(super) fn bundle(&mut self, bundle: Bundle, mut args: Vec<Term>) -> Term {
        if matches!(
            bundle,
            Bundle::Writes(true) | Bundle::Mistakes | Bundle::Set(_)
        ) {
            args.sort_unstable();
            args.dedup();
        }
        self.insert(Op::Bundle(bundle), args, Type::Bool)
    }

    // ---- conditions

    /// The condition at the top of a diagram.
    fn top(&self, term: Term) -> Option<Term> {
        let node = self.node(term);
        match node.op {
            Op::Ite => node.args.first().copied(),
            _ => None,
        }
    }

    fn is_condition(&self, term: Term) -> bool {
        let node = self.node(term);
        node.ty == Type::Bool && !matches!(node.op, Op::Const(_) | Op::Ite | Op::Bundle(_))
    }

    fn cofactor(&self, term: Term, condition: Term, holds: bool) -> Term {
        let node = self.node(term);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [top, yes, no]) if *top == condition => {
                if holds {
                    *yes
                } else {
                    *no
                }
            }
            _ => term,
        }
    }

    /// A condition as a diagram.
    pub(super) fn diagram(&mut self, term: Term) -> Term {
        match self.is_condition(term) {
            true => self.insert(Op::Ite, vec![term, TRUE, FALSE], Type::Bool),
            false => term,
        }
    }

    pub(super) fn ite(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        let (cond, yes, no) = (self.diagram(cond), self.diagram(yes), self.diagram(no));
        let plain = |term: Term| term == TRUE || term == FALSE;
        if plain(cond) || yes == no || plain(yes) && plain(no) {
            return self.choose(cond, yes, no);
        }
        self.spend(1);
        if self.are_small(&[cond, yes, no]) {
            return self.choose(cond, yes, no);
        }
        if self.node(yes).ty != Type::Bool {
            let cond = self.whole(cond);
            return self.choose(cond, yes, no);
        }
        let not = self.choose(cond, FALSE, TRUE);
        let held = self.all_of(cond, yes);
        let failed = self.all_of(not, no);
        self.any_of(vec![held, failed])
    }

    // ---- positions after each other

    /// A value in the position that some writes lead to.
    pub(super) fn after(&mut self, before: Term, value: Term) -> Term {
        if self.is_pure(value) {
            return value;
        }
        let ty = self.node(value).ty.clone();
        if ty != Type::Bool {
            return self.insert(Op::Other(Other::After), vec![before, value], ty);
        }
        let value = self.diagram(value);
        let holds = self.where_all_hold(value);
        let inner = match holds {
            true => value,
            false => self.choose(value, FALSE, TRUE),
        };
        let after = self.insert(Op::Other(Other::After), vec![before, inner], ty);
        let after = self.diagram(after);
        match holds {
            true => after,
            false => self.choose(after, FALSE, TRUE),
        }
    }

    /// A value that stays what it is while the position becomes another one, under a number.
    pub(super) fn kept(&mut self, slot: usize, value: Term, kept: &mut Vec<Term>) -> Term {
        if self.is_pure(value) {
            return value;
        }
        let Node { op, args, ty } = self.node(value).clone();
        match (op, &args[..]) {
            (Op::Table(tab), [atom]) if self.tab(tab).axes.len() == 1 => {
                let ty = self.node(*atom).ty.clone();
                kept.push(*atom);
                let atom = self.insert(Op::Param(slot, None), Vec::new(), ty);
                let tab = self.tab(tab).clone();
                self.table(tab, vec![atom])
            }
            _ => {
                kept.push(value);
                let own = self.insert(Op::Param(slot, None), Vec::new(), ty);
                self.diagram(own)
            }
        }
    }

    // ---- many conditions

    /// A condition as one that stands for itself.
    fn whole(&mut self, cond: Term) -> Term {
        let look = &self.looks[cond as usize];
        if look.asked.len() <= 1 {
            return cond;
        }
        // Of a condition and its opposite, the one that holds where all its parts do.
        let holds = self.where_all_hold(cond);
        let inner = match holds {
            true => cond,
            false => self.choose(cond, FALSE, TRUE),
        };
        let whole = self.insert(Op::Other(Other::Whole), vec![inner], Type::Bool);
        let whole = self.diagram(whole);
        match holds {
            true => whole,
            false => self.choose(whole, FALSE, TRUE),
        }
    }

    fn where_all_hold(&self, cond: Term) -> bool {
        let mut at = cond;
        while let (Op::Ite, [_, yes, _]) = (&self.node(at).op, &self.node(at).args[..]) {
            at = *yes;
        }
        at == TRUE
    }

    fn all_of(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.choose(a, FALSE, TRUE), self.choose(b, FALSE, TRUE));
        let some = self.any_of(vec![a, b]);
        self.choose(some, FALSE, TRUE)
    }

    /// Whether one of some conditions holds.
    pub(super) fn any_of(&mut self, conditions: Vec<Term>) -> Term {
        let mut parts = Vec::new();
        for condition in conditions {
            self.alternatives(condition, &mut parts);
        }
        loop {
            parts.sort_unstable();
            parts.dedup();
            self.spend(1 + parts.len() / 32);
            if parts.contains(&TRUE) || self.failed.is_some() {
                return TRUE;
            }
            let Some(known) = self.known_to_fail(&parts) else {
                return TRUE;
            };
            let mut next = Vec::with_capacity(parts.len());
            let mut changed = false;
            for &part in &parts {
                let simpler = self.where_others_fail(part, &parts, &known);
                changed |= simpler != part;
                match simpler == part {
                    true => next.push(part),
                    false => self.alternatives(simpler, &mut next),
                }
            }
            if !changed {
                break;
            }
            parts = next;
        }
        if self.are_small(&parts) {
            let all = parts.into_iter().rev();
            return all.fold(FALSE, |sum, part| self.choose(part, TRUE, sum));
        }
        match parts[..] {
            [] => FALSE,
            [only] => only,
            _ => {
                let any = self.insert(Op::Other(Other::Any), parts, Type::Bool);
                self.diagram(any)
            }
        }
    }

    /// The conditions that decide alone, and what they are where none of the parts holds.
    ///
    /// Nothing where one of two opposites holds.
    fn known_to_fail(&self, parts: &[Term]) -> Option<Known> {
        let mut known = Known::with_capacity(parts.len());
        for &part in parts {
            if let Some((condition, holds)) = self.alone(part) {
                known.push((condition, !holds));
            }
        }
        known.sort_unstable();
        let opposite = |pair: &[(Term, bool)]| pair[0].0 == pair[1].0;
        (!known.windows(2).any(opposite)).then_some(known)
    }

    /// A diagram of one condition: which, and whether it has to hold.
    fn alone(&self, term: Term) -> Option<(Term, bool)> {
        let node = self.node(term);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [condition, TRUE, FALSE]) => Some((*condition, true)),
            (Op::Ite, [condition, FALSE, TRUE]) => Some((*condition, false)),
            _ => None,
        }
    }

    /// One of some parts, where it matters: where the others do not hold.
    fn where_others_fail(&mut self, part: Term, parts: &[Term], known: &Known) -> Term {
        if let Some((condition, holds)) = self.alone(part) {
            let inner = self.node(condition);
            if holds || inner.op != Op::Other(Other::Any) {
                return part;
            }
            let args = inner.args.to_vec();
            self.spend(args.len() / 8);
            let of_known = |&arg: &Term| {
                let own = self.alone(arg);
                own.is_some_and(|(asked, holds)| known_as(known, asked) == Some(holds))
            };
            if args.iter().any(of_known) {
                return FALSE;
            }
            let fails = |arg: &Term| parts.binary_search(arg).is_ok();
            let rest: Vec<Term> = args.iter().copied().filter(|arg| !fails(arg)).collect();
            if rest.len() < args.len() {
                let some = self.any_of(rest);
                return self.choose(some, FALSE, TRUE);
            }
            return part;
        }
        self.spend(self.looks[part as usize].asked.len() / 8);
        let asked = &self.looks[part as usize].asked;
        match asked.iter().any(|&asked| known_as(known, asked).is_some()) {
            true => self.restricted(part, known),
            false => part,
        }
    }

    /// A value as far as it matters where a condition holds.
    pub(super) fn where_holds(&mut self, condition: Term, value: Term) -> Term {
        if condition == TRUE || self.looks[value as usize].asked.is_empty() {
            return value;
        }
        let mut known = Known::new();
        let mut at = condition;
        while let (Op::Ite, [asked, yes, no]) = (&self.node(at).op, &self.node(at).args[..]) {
            let holds = match (*yes, *no) {
                (_, FALSE) => true,
                (FALSE, _) => false,
                _ => break,
            };
            known.push((*asked, holds));
            at = if holds { *yes } else { *no };
        }
        // Where none of many holds, none of them does.
        let mut never = std::collections::BTreeSet::new();
        known.sort_unstable();
        for &(asked, _) in known.iter().filter(|(_, holds)| !*holds) {
            if self.node(asked).op == Op::Other(Other::Any) {
                never.extend(self.node(asked).args.to_vec());
            }
        }
        for &(asked, holds) in &known {
            let (yes, no) = if holds { (FALSE, TRUE) } else { (TRUE, FALSE) };
            let opposite = self.insert(Op::Ite, vec![asked, yes, no], Type::Bool);
            never.insert(opposite);
        }
        let value = match self.alternatives_of(value) {
            Some((parts, some)) if parts.iter().any(|part| never.contains(part)) => {
                let rest = parts.into_iter().filter(|part| !never.contains(part));
                let rest: Vec<Term> = rest.collect();
                let any = self.any_of(rest);
                self.choose(any, some, if some == TRUE { FALSE } else { TRUE })
            }
            _ => value,
        };
        let asked = &self.looks[value as usize].asked;
        match asked.iter().any(|&asked| known_as(&known, asked).is_some()) {
            true => self.restricted(value, &known),
            false => value,
        }
    }

    fn restricted(&mut self, term: Term, known: &Known) -> Term {
        self.restricted_with(term, known, &mut BTreeMap::new())
    }

    /// The same, once for each part of the diagram.
    fn restricted_with(
        &mut self,
        term: Term,
        known: &Known,
        done: &mut BTreeMap<Term, Term>,
    ) -> Term {
        let node = self.node(term);
        let (Op::Ite, [condition, yes, no]) = (&node.op, &node.args[..]) else {
            return term;
        };
        let (condition, yes, no) = (*condition, *yes, *no);
        if let Some(done) = done.get(&term) {
            return *done;
        }
        self.spend(1);
        if self.failed.is_some() {
            return FALSE;
        }
        let found = match known_as(known, condition) {
            Some(true) => self.restricted_with(yes, known, done),
            Some(false) => self.restricted_with(no, known, done),
            None => {
                let yes = self.restricted_with(yes, known, done);
                let no = self.restricted_with(no, known, done);
                self.split(condition, yes, no)
            }
        };
        done.insert(term, found);
        found
    }

    /// The parts of which one has to hold so that a condition does.
    fn alternatives(&mut self, condition: Term, parts: &mut Vec<Term>) {
        if condition == FALSE {
            return;
        }
        let mut rest = condition;
        while let Some((first, others)) = self.first_alternative(rest) {
            self.alternative(first, parts);
            rest = others;
        }
        self.alternative(rest, parts);
    }

    /// Conditions, where a value says whether one of them holds; and what it is where one does.
    fn alternatives_of(&self, value: Term) -> Option<(Vec<Term>, Term)> {
        let node = self.node(value);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [condition, yes @ (TRUE | FALSE), TRUE | FALSE]) => {
                let inner = self.node(*condition);
                let some = inner.op == Op::Other(Other::Any);
                some.then(|| (inner.args.to_vec(), *yes))
            }
            _ => None,
        }
    }

    fn alternative(&mut self, part: Term, parts: &mut Vec<Term>) {
        let node = self.node(part);
        if let (Op::Ite, [condition, TRUE, FALSE]) = (&node.op, &node.args[..])
            && self.node(*condition).op == Op::Other(Other::Any)
        {
            parts.extend(self.node(*condition).args.to_vec());
            return;
        }
        parts.push(part);
    }

    /// A diagram as one or another that asks other conditions, later ones.
    fn first_alternative(&mut self, diagram: Term) -> Option<(Term, Term)> {
        let mut open = std::collections::BTreeSet::from([(self.top(diagram)?, diagram)]);
        while let Some((_, node)) = open.pop_first() {
            let args = self.node(node).args.to_vec();
            for &next in args.get(1..)? {
                match next {
                    TRUE => {}
                    FALSE => return None,
                    _ => {
                        open.insert((self.top(next)?, next));
                    }
                }
            }
            if open.len() == 1 {
                let (_, rest) = open.pop_first()?;
                let first = self.without_rest(diagram, rest, &mut Default::default());
                return Some((first, rest));
            }
        }
        None
    }

    /// A diagram with nothing where it comes to `rest`; what was found of its parts is `known`.
    fn without_rest(
        &mut self,
        diagram: Term,
        rest: Term,
        known: &mut BTreeMap<Term, Term>,
    ) -> Term {
        if diagram == rest {
            return FALSE;
        }
        if let Some(known) = known.get(&diagram) {
            return *known;
        }
        self.spend(1);
        let node = self.node(diagram);
        let (Op::Ite, [condition, yes, no]) = (&node.op, &node.args[..]) else {
            return diagram;
        };
        let (condition, yes, no) = (*condition, *yes, *no);
        let yes = self.without_rest(yes, rest, known);
        let no = self.without_rest(no, rest, known);
        let found = self.split(condition, yes, no);
        known.insert(diagram, found);
        found
    }

    fn choose(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        match cond {
            TRUE => return yes,
            FALSE => return no,
            _ if yes == no => return yes,
            // A mistake, which is noted where it happens.
            _ if self.as_const(cond).is_some() => return no,
            _ if yes == TRUE && no == FALSE => return cond,
            _ => {}
        }
        if self.failed.is_some() {
            return FALSE;
        }
        if let Some(known) = self.ites.get(&(cond, yes, no)) {
            return *known;
        }
        self.steps += 1;
        if self.steps > self.most_steps {
            self.fail("too many conditions");
            return FALSE;
        }
        let tops = [cond, yes, no].map(|term| self.top(term));
        let Some(top) = tops.into_iter().flatten().min() else {
            self.fail("no condition");
            return FALSE;
        };
        let part =
            |terms: &Self, holds| [cond, yes, no].map(|term| terms.cofactor(term, top, holds));
        let [c, y, n] = part(self, true);
        let held = self.choose(c, y, n);
        let [c, y, n] = part(self, false);
        let failed = self.choose(c, y, n);
        let found = self.split(top, held, failed);
        self.ites.insert((cond, yes, no), found);
        found
    }

    /// A diagram whose top condition comes before all others.
    fn split(&mut self, top: Term, held: Term, failed: Term) -> Term {
        if held == failed {
            return held;
        }
        let ty = match self.node(held).ty.clone() {
            Type::Elem(_) => self.node(failed).ty.clone(),
            ty => ty,
        };
        self.insert(Op::Ite, vec![top, held, failed], ty)
    }

    pub(super) fn and(&mut self, a: Term, b: Term) -> Term {
        self.ite(a, b, FALSE)
    }

    pub(super) fn or(&mut self, a: Term, b: Term) -> Term {
        self.ite(a, TRUE, b)
    }

    pub(super) fn not(&mut self, a: Term) -> Term {
        self.ite(a, FALSE, TRUE)
    }

    /// Applies something to values that may depend on conditions.
    pub(super) fn lift(
        &mut self,
        args: &[Term],
        on_leaves: &mut dyn FnMut(&mut Self, &[Term]) -> Term,
    ) -> Term {
        let mut known = IndexMap::new();
        self.lift_with(args, on_leaves, &mut known)
    }

    fn lift_with(
        &mut self,
        args: &[Term],
        on_leaves: &mut dyn FnMut(&mut Self, &[Term]) -> Term,
        known: &mut IndexMap<Vec<Term>, Term>,
    ) -> Term {
        if self.failed.is_some() {
            return FALSE;
        }
        if let Some(known) = known.get(args) {
            return *known;
        }
        let tops: Vec<Option<Term>> = args.iter().map(|&arg| self.top(arg)).collect();
        let found = match tops.into_iter().flatten().min() {
            None => {
                // A condition that stands as a value is one of its two values.
                let plain: Vec<Term> = args.to_vec();
                let found = on_leaves(self, &plain);
                self.diagram(found)
            }
            Some(top) => {
                self.steps += 1;
                if self.steps > self.most_steps {
                    self.fail("too many conditions");
                    return FALSE;
                }
                let part = |terms: &Self, holds| -> Vec<Term> {
                    let parts = args.iter().map(|&arg| terms.cofactor(arg, top, holds));
                    parts.collect()
                };
                let (yes, no) = (part(self, true), part(self, false));
                let yes = self.lift_with(&yes, on_leaves, known);
                let no = self.lift_with(&no, on_leaves, known);
                let top = self.insert(Op::Ite, vec![top, TRUE, FALSE], Type::Bool);
                self.choose(top, yes, no)
            }
        };
        known.insert(args.to_vec(), found);
        found
    }

    // ---- tables

    /// What a member that is not known can be: its domain, and whether it may be absent.
    fn axis_of(&self, term: Term) -> Option<(DomainId, bool)> {
        match self.node(term).ty {
            Type::Elem(domain) => Some((domain, false)),
            Type::Opt(domain) => Some((domain, true)),
            _ => None,
        }
    }

    fn axis_len(&self, axis: (DomainId, bool)) -> usize {
        self.game.domain(axis.0).len() + usize::from(axis.1)
    }

    fn axis_value(&self, axis: (DomainId, bool), at: usize) -> Value {
        match at < self.game.domain(axis.0).len() {
            true => self.members.get(at).copied().unwrap_or(JUNK),
            false => ABSENT,
        }
    }

    /// Which members a term can be, absent as one more; nothing for all.
    fn reaches(&self, atom: Term, len: usize) -> Option<Vec<bool>> {
        let node = self.node(atom);
        match &node.op {
            Op::Param(_, Some(members)) | Op::Bound(_, Some(members)) => {
                Some((0..len as u32).map(|at| members.contains(&at)).collect())
            }
            Op::Placed(Placed::Content, placement) => {
                let standing = self.standing.get(placement)?;
                let mut can = vec![false; len];
                *can.last_mut()? = true;
                for place in self.possible(*node.args.first()?)? {
                    let pieces = standing.get(usize::try_from(place).ok()?)?;
                    for &piece in pieces {
                        *can.get_mut(piece as usize)? = true;
                    }
                }
                Some(can)
            }
            _ => None,
        }
    }

    /// The atoms of a term as a function of members: none for a constant.
    fn atoms(&self, term: Term, as_member: bool) -> Option<Vec<Term>> {
        let node = self.node(term);
        match &node.op {
            Op::Const(_) => Some(Vec::new()),
            Op::Table(_) => Some(node.args.to_vec()),
            Op::Ite | Op::Bundle(_) => None,
            _ if as_member && self.axis_of(term).is_some() => Some(vec![term]),
            _ => None,
        }
    }

    /// How the value of a term follows from those of atoms.
    fn follows(&self, term: Term, atoms: &[Term]) -> Follows {
        let node = self.node(term);
        let position = |atom: &Term| atoms.iter().position(|known| known == atom);
        match &node.op {
            Op::Const(value) => match self.consts.get_index_of(value) {
                Some(value) => Follows::Is(value as Value),
                None => Follows::Is(JUNK),
            },
            Op::Table(tab) => {
                let axes = self.tab(*tab).axes.iter().zip(&node.args);
                let axes = axes.map(|(axis, atom)| {
                    (position(atom).unwrap_or(usize::MAX), self.axis_len(*axis))
                });
                Follows::Table(*tab, axes.collect())
            }
            _ => match (position(&term), self.axis_of(term)) {
                (Some(place), Some(axis)) => Follows::Atom(place, axis),
                _ => Follows::Is(JUNK),
            },
        }
    }

    fn at(&self, follows: &Follows, index: &[usize]) -> Value {
        match follows {
            Follows::Is(value) => *value,
            Follows::Table(tab, axes) => {
                let cell = axes.iter().fold(0, |cell, (place, len)| {
                    cell * len + index.get(*place).copied().unwrap_or(0)
                });
                self.tab(*tab).values.get(cell).copied().unwrap_or(JUNK)
            }
            Follows::Atom(place, axis) => {
                let at = index.get(*place).copied().unwrap_or(0);
                self.axis_value(*axis, at)
            }
        }
    }

    /// Computes something for all members that some terms follow from; nothing where they follow from more than two, or too many.
    pub(super) fn tabulate(
        &mut self,
        args: &[Term],
        as_members: bool,
        ty: &Type,
        compute: &mut dyn FnMut(&Game, &[&Const]) -> Option<Const>,
    ) -> Option<Term> {
        let mut atoms: Vec<Term> = Vec::new();
        for &arg in args {
            atoms.extend(self.atoms(arg, as_members)?);
        }
        atoms.sort_unstable();
        atoms.dedup();
        let axes: Vec<(DomainId, bool)> = atoms
            .iter()
            .map(|&atom| self.axis_of(atom))
            .collect::<Option<_>>()?;
        let lens: Vec<usize> = axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let cells: usize = lens.iter().product();
        if atoms.len() > 2 || atoms.len() == 2 && cells > MOST_PAIRS {
            return None;
        }
        self.cells += cells;
        self.spend(1 + cells / 16);
        if self.cells > MOST_CELLS || self.failed.is_some() {
            self.fail("too many values");
            return Some(FALSE);
        }
        for &arg in args {
            if let Some(value) = self.as_const(arg).cloned() {
                self.number(value);
            }
        }
        let follows: Vec<Follows> = args.iter().map(|&arg| self.follows(arg, &atoms)).collect();
        let comes: Vec<Vec<bool>> = (atoms.iter().zip(&lens))
            .map(|(&atom, &len)| {
                let own = self.reaches(atom, len);
                own.unwrap_or_else(|| vec![true; len])
            })
            .collect();
        let mut values = Vec::with_capacity(cells);
        let mut index = vec![0; atoms.len()];
        let mut known: IndexMap<Vec<Value>, Value> = IndexMap::new();
        let mut given = Vec::new();
        let game = self.game;
        for cell in 0..cells {
            let mut rest = cell;
            for (at, len) in index.iter_mut().zip(&lens).rev() {
                *at = rest % len;
                rest /= len;
            }
            if !comes.iter().zip(&index).all(|(comes, &at)| comes[at]) {
                values.push(JUNK);
                continue;
            }
            given.clear();
            given.extend(follows.iter().map(|follows| self.at(follows, &index)));
            let value = if given.contains(&JUNK) {
                JUNK
            } else if given.contains(&FAULT) {
                FAULT
            } else if let Some(known) = known.get(&given) {
                *known
            } else {
                let own: Vec<&Const> = given.iter().map(|&value| self.value(value)).collect();
                let found = compute(game, &own);
                let found = found.map_or(FAULT, |found| self.number(found));
                known.insert(given.clone(), found);
                found
            };
            values.push(value);
        }
        Some(self.table(
            Tab {
                axes,
                ty: plain(ty),
                values,
            },
            atoms,
        ))
    }

    /// A table at atoms in ascending order, as simple as it can be said.
    fn table(&mut self, mut tab: Tab, mut atoms: Vec<Term>) -> Term {
        if let ([axis], [atom]) = (&tab.axes[..], &atoms[..])
            && let Some(comes) = self.reaches(*atom, self.axis_len(*axis))
        {
            let never = tab.values.iter_mut().zip(comes).filter(|(_, comes)| !comes);
            never.for_each(|(value, _)| *value = JUNK);
        }
        let mut at = 0;
        while at < atoms.len() {
            match self.without(&tab, at) {
                Some(fewer) => {
                    tab = fewer;
                    atoms.remove(at);
                }
                None => at += 1,
            }
        }
        if atoms.is_empty() {
            let value = tab.values.pop().unwrap_or(JUNK);
            let value = self.value(value).clone();
            return self.constant(value, tab.ty);
        }
        if let ([axis], [atom]) = (&tab.axes[..], &atoms[..]) {
            let domain = domain_of(&tab.ty);
            let stays = |(at, value): (usize, &Value)| {
                *value == JUNK || *value == self.axis_value(*axis, at)
            };
            if domain == Some(axis.0)
                && !matches!(tab.ty, Type::Set(_) | Type::Seq { .. })
                && tab.values.iter().enumerate().all(stays)
            {
                return *atom;
            }
            // One of two members is not the other.
            if tab.values[..] == [NO, YES] {
                tab.values.reverse();
                let tab = self.tabs.insert_full(tab).0 as TabId;
                let turned = self.insert(Op::Table(tab), atoms, Type::Bool);
                return self.not(turned);
            }
        }
        let ty = tab.ty.clone();
        let tab = self.tabs.insert_full(tab).0 as TabId;
        self.insert(Op::Table(tab), atoms, ty)
    }

    /// The table without one of its axes, if it does not matter.
    fn without(&self, tab: &Tab, axis: usize) -> Option<Tab> {
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let inner: usize = lens[axis + 1..].iter().product();
        let outer: usize = lens[..axis].iter().product();
        let mut values = Vec::with_capacity(inner * outer);
        for before in 0..outer {
            for after in 0..inner {
                let cells = (0..lens[axis])
                    .map(|at| &tab.values[(before * lens[axis] + at) * inner + after]);
                let mut known: Option<Value> = None;
                for &value in cells.filter(|value| **value != JUNK) {
                    match known {
                        Some(other) if other != value => return None,
                        _ => known = Some(value),
                    }
                }
                values.push(known.unwrap_or(JUNK));
            }
        }
        let mut axes = tab.axes.clone();
        axes.remove(axis);
        let ty = tab.ty.clone();
        Some(Tab { axes, ty, values })
    }

    // ---- operations

    /// Whether two members are the same.
    pub(super) fn equal(&mut self, a: Term, b: Term) -> Term {
        self.lift(&[a, b], &mut |terms, args| {
            terms.equal_leaves(args[0], args[1])
        })
    }

    /// The members that a value can be, absent ones as one more; nothing for all.
    fn possible(&self, term: Term) -> Option<std::collections::BTreeSet<i64>> {
        let node = self.node(term);
        let number = |value: &Const| match value {
            Const::Elem(member) => Some(i64::from(*member)),
            Const::None => Some(-1),
            _ => None,
        };
        match &node.op {
            Op::Const(value) => Some(number(value)?).map(|n| [n].into()),
            Op::Param(_, Some(members)) | Op::Bound(_, Some(members)) => {
                Some(members.iter().map(|&m| i64::from(m)).collect())
            }
            Op::Table(tab) => {
                let values = &self.tab(*tab).values;
                let values = values
                    .iter()
                    .filter(|value| **value != JUNK && **value != FAULT);
                values.map(|&value| number(self.value(value))).collect()
            }
            _ => None,
        }
    }

    /// A table at atoms in ascending order.
    pub(super) fn table_of(
        &mut self,
        axes: Vec<(DomainId, bool)>,
        ty: Type,
        values: Vec<Value>,
        atoms: Vec<Term>,
    ) -> Term {
        self.table(Tab { axes, ty, values }, atoms)
    }

    /// Some rows as one value, in which they have no order.
    pub(super) fn joined(&mut self, rows: &[Value]) -> Value {
        let same = |value: &Value| rows.contains(value);
        if let Some(value) = [JUNK, FAULT].into_iter().find(same) {
            return value;
        }
        let mut all: Vec<Const> = rows.iter().map(|row| self.value(*row).clone()).collect();
        all.sort();
        all.dedup();
        self.number(Const::Seq(all))
    }

    /// Whether a member is in a set of which nothing is known.
    pub(super) fn is_in_unknown(&mut self, member: Term, set: Term) -> Term {
        let inside = |_: &Game, values: &[&Const]| {
            crate::ir::value::binary(BinaryOp::In, &Type::Bool, values[0], values[1])
        };
        let args = [member, set];
        self.tabulate(&args, true, &Type::Bool, &mut { inside })
            .unwrap_or_else(|| {
                self.structural(Op::Binary(BinaryOp::In), args.to_vec(), &Type::Bool)
            })
    }

    fn equal_leaves(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return TRUE;
        }
        if let Some(empty) = self.is_empty(a, b) {
            return empty;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.equals.get(&key) {
            return *known;
        }
        let found = self.equal_anew(key.0, key.1);
        self.equals.insert(key, found);
        found
    }

    fn equal_anew(&mut self, a: Term, b: Term) -> Term {
        if let (Some(one), Some(other)) = (self.possible(a), self.possible(b))
            && one.is_disjoint(&other)
        {
            return FALSE;
        }
        let same = |_: &Game, values: &[&Const]| Some(Const::Bool(values[0] == values[1]));
        let members = self.axis_of(a).is_some() && self.axis_of(b).is_some();
        let (a, b) = (a.min(b), a.max(b));
        let atoms = |terms: &Self, term| terms.atoms(term, true).unwrap_or_default();
        let mut all = [atoms(self, a), atoms(self, b)].concat();
        all.sort_unstable();
        all.dedup();
        let constant = self.as_const(a).is_some() || self.as_const(b).is_some();
        let tabulated = match members {
            // That two members are the same does not depend on their names.
            true if all.len() > 1 && !constant => None,
            _ => self.tabulate(&[a, b], true, &Type::Bool, &mut { same }),
        };
        tabulated.unwrap_or_else(|| self.insert(Op::Binary(BinaryOp::Eq), vec![a, b], Type::Bool))
    }

    /// An operation of the IR on values that may depend on conditions.
    pub(super) fn apply(&mut self, shell: Shell<'_>, op: &Op, args: &[Term]) -> Term {
        self.lift(args, &mut |terms, args| terms.apply_leaves(shell, op, args))
    }

    fn apply_leaves(&mut self, shell: Shell<'_>, op: &Op, args: &[Term]) -> Term {
        let expr = shell.expr;
        let mut types = vec![expr.ty.clone()];
        expr.children(&mut |child| types.push(child.ty.clone()));
        let key = (op.clone(), args.to_vec(), types);
        if let Some(known) = self.applied.get(&key) {
            return *known;
        }
        let found = self.apply_anew(shell, op, args);
        self.applied.insert(key, found);
        found
    }

    fn apply_anew(&mut self, shell: Shell<'_>, op: &Op, args: &[Term]) -> Term {
        let expr = shell.expr;
        let mut compute =
            |game: &Game, values: &[&Const]| crate::ir::value::apply(game, expr, values);
        if let Some(found) = self.tabulate(args, true, &expr.ty, &mut compute) {
            return found;
        }
        self.structural(op.clone(), args.to_vec(), &expr.ty)
    }

    /// A table of the game at members.
    pub(super) fn lookup(
        &mut self,
        shell: Shell<'_>,
        id: crate::ir::TableId,
        args: &[Term],
    ) -> Term {
        self.lift(args, &mut |terms, args| {
            let key = (id, args.to_vec());
            if let Some(known) = terms.looked_up.get(&key) {
                return *known;
            }
            let found = terms.lookup_leaves(shell, id, args);
            terms.looked_up.insert(key, found);
            found
        })
    }

    fn lookup_leaves(&mut self, shell: Shell<'_>, id: crate::ir::TableId, args: &[Term]) -> Term {
        let terms = self;
        let table = terms.game.table(id);
        {
            let expr = shell.expr;
            let mut compute =
                |game: &Game, values: &[&Const]| crate::ir::value::apply(game, expr, values);
            if let Some(found) = terms.tabulate(args, true, &expr.ty, &mut compute) {
                return found;
            }
            let axes: Option<Vec<(DomainId, bool)>> = (table.axes.iter().zip(args))
                .map(|(axis, &arg)| match axis {
                    Axis::Domain(_) => terms.axis_of(arg),
                    Axis::Range { .. } => None,
                })
                .collect();
            let Some(axes) = axes else {
                // By numbers: nothing but the same table is the same.
                let parts = args.to_vec();
                let values = terms.numbers(&table.values);
                let tab = Tab {
                    axes: Vec::new(),
                    ty: plain(&table.ty),
                    values,
                };
                let tab = terms.tabs.insert_full(tab).0 as TabId;
                return terms.insert(Op::Table(tab), parts, plain(&table.ty));
            };
            let lens: Vec<usize> = axes.iter().map(|&axis| terms.axis_len(axis)).collect();
            let cells: usize = lens.iter().product();
            terms.cells += cells;
            if terms.cells > MOST_CELLS {
                terms.fail("too many values");
                return FALSE;
            }
            let mut values = Vec::with_capacity(cells);
            let mut index = vec![0; lens.len()];
            for cell in 0..cells {
                let mut rest = cell;
                for (at, len) in index.iter_mut().zip(&lens).rev() {
                    *at = rest % len;
                    rest /= len;
                }
                let given: Vec<&Const> = (axes.iter().zip(&index))
                    .map(|(&axis, &at)| terms.value(terms.axis_value(axis, at)))
                    .collect();
                let found = compute(terms.game, &given);
                let found = found.map_or(FAULT, |found| terms.number(found));
                values.push(found);
            }
            let tab = Tab {
                axes,
                ty: plain(&table.ty),
                values,
            };
            let ty = tab.ty.clone();
            let tab = terms.tabs.insert_full(tab).0 as TabId;
            terms.insert(Op::Table(tab), args.to_vec(), ty)
        }
    }

    /// A table of one member at a member that is not known.
    pub(super) fn whole_table(&mut self, table: &crate::ir::Table, of: Term) -> Term {
        let mut row = |_: &Game, values: &[&Const]| match values[0] {
            Const::Elem(member) => table.values.get(*member as usize).cloned(),
            _ => None,
        };
        let found = self.tabulate(&[of], true, &table.ty, &mut row);
        found.unwrap_or(FALSE)
    }

    /// A variable that nothing writes, at members.
    pub(super) fn constant_var(&mut self, var: VarId, index: &[Term]) -> Option<Term> {
        if !self.constants.contains(&var) {
            return None;
        }
        let declared = self.game.var(var);
        self.steps += 1;
        let mut found = true;
        let value = self.lift(index, &mut |terms, index| {
            let mut cell = |game: &Game, values: &[&Const]| {
                let cell = crate::ir::value::cell(game, &declared.axes, values)?;
                declared.init.get(cell).cloned()
            };
            let value = terms.tabulate(index, true, &declared.ty, &mut cell);
            found &= value.is_some();
            value.unwrap_or(FALSE)
        });
        found.then_some(value)
    }

    /// A parameter, and what it can be where a condition holds.
    pub(super) fn narrowed(&mut self, param: Term, when: Term) -> Term {
        let Node { op, ty, .. } = self.node(param).clone();
        let (Op::Param(at, known) | Op::Bound(at, known), Type::Elem(domain)) = (op.clone(), &ty)
        else {
            return param;
        };
        let all = 0..self.game.domain(*domain).len() as u32;
        let all: Vec<u32> = known.clone().unwrap_or_else(|| all.clone().collect());
        let can = |member: &u32| {
            let mut seen = std::collections::BTreeSet::new();
            self.can_hold(when, param, *member as usize, &mut seen)
        };
        let members: Vec<u32> = all.iter().copied().filter(can).collect();
        let whole = members.len() == self.game.domain(*domain).len();
        let members = (!whole).then_some(members);
        let op = match op {
            Op::Param(..) => Op::Param(at, members),
            _ => Op::Bound(at, members),
        };
        self.leaf(op, ty)
    }

    /// Whether a condition can hold where a parameter is a member, as far as tables of that parameter say.
    fn can_hold(
        &self,
        when: Term,
        param: Term,
        member: usize,
        seen: &mut std::collections::BTreeSet<Term>,
    ) -> bool {
        let node = self.node(when);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [cond, yes, no]) => {
                if !seen.insert(when) {
                    return false;
                }
                let said = match &self.node(*cond).op {
                    Op::Table(tab) if self.node(*cond).args[..] == [param] => {
                        self.tab(*tab).values.get(member)
                    }
                    _ => None,
                };
                match said {
                    Some(&YES) => self.can_hold(*yes, param, member, seen),
                    Some(&NO) => self.can_hold(*no, param, member, seen),
                    _ => {
                        self.can_hold(*yes, param, member, seen)
                            || self.can_hold(*no, param, member, seen)
                    }
                }
            }
            _ => when != FALSE,
        }
    }

    /// The members that a value can be; nothing for all.
    pub(super) fn reach(&self, value: Term) -> Option<Vec<u32>> {
        let mut all = std::collections::BTreeSet::new();
        self.reached(value, &mut Vec::new(), &mut all)?;
        Some(all.into_iter().collect())
    }

    fn reached(
        &self,
        value: Term,
        held: &mut Vec<Term>,
        all: &mut std::collections::BTreeSet<u32>,
    ) -> Option<()> {
        let node = self.node(value);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [cond, yes, no]) => {
                held.push(*cond);
                let found = self.reached(*yes, held, all);
                held.pop();
                found?;
                self.reached(*no, held, all)
            }
            (Op::Const(Const::Elem(member)), _) => {
                all.insert(*member);
                Some(())
            }
            (Op::Const(_), _) => Some(()),
            (Op::Table(tab), args) if self.tab(*tab).axes.len() == args.len() => {
                for value in &self.tab(*tab).values {
                    if let Const::Elem(member) = self.value(*value) {
                        all.insert(*member);
                    }
                }
                Some(())
            }
            _ => {
                let tables = held.iter().filter_map(|&cond| match &self.node(cond).op {
                    Op::Table(tab) if self.node(cond).args[..] == [value] => Some(self.tab(*tab)),
                    _ => None,
                });
                let mut members: Option<Vec<u32>> = None;
                for tab in tables {
                    let domain = tab.axes[0].0;
                    let len = self.game.domain(domain).len() as u32;
                    let holds = |m: &u32| tab.values.get(*m as usize) == Some(&YES);
                    let own = (0..len).filter(holds);
                    members = Some(match members {
                        Some(known) => own.filter(|m| known.contains(m)).collect(),
                        None => own.collect(),
                    });
                }
                all.extend(members?);
                Some(())
            }
        }
    }

    /// An operation as it stands, on values that do not depend on conditions.
    pub(super) fn structural(&mut self, op: Op, mut args: Vec<Term>, ty: &Type) -> Term {
        let symmetric = matches!(
            op,
            Op::Binary(
                BinaryOp::Eq
                    | BinaryOp::Add
                    | BinaryOp::Mul
                    | BinaryOp::Min
                    | BinaryOp::Max
                    | BinaryOp::Union
                    | BinaryOp::Intersect
            ) | Op::Other(Other::SetOf)
        );
        if symmetric {
            args.sort_unstable();
        }
        self.insert(op, args, plain(ty))
    }

    /// Whether an optional member is there.
    pub(super) fn is_some(&mut self, term: Term) -> Term {
        self.lift(&[term], &mut |terms, args| {
            let arg = args[0];
            if matches!(terms.node(arg).ty, Type::Elem(_))
                && !matches!(terms.node(arg).op, Op::Const(_))
            {
                return TRUE;
            }
            let key = (Op::Other(Other::IsSome), vec![arg], Vec::new());
            if let Some(known) = terms.applied.get(&key) {
                return *known;
            }
            let there = |_: &Game, values: &[&Const]| Some(Const::Bool(*values[0] != Const::None));
            let found = terms
                .tabulate(&[arg], true, &Type::Bool, &mut { there })
                .unwrap_or_else(|| {
                    terms.structural(Op::Other(Other::IsSome), vec![arg], &Type::Bool)
                });
            terms.applied.insert(key, found);
            found
        })
    }

    /// Whether a value is a mistake.
    pub(super) fn fails(&mut self, term: Term, opaque: bool) -> Term {
        self.lift(&[term], &mut |terms, args| {
            let arg = args[0];
            match &terms.node(arg).op {
                Op::Const(value) => {
                    if *value == fault() {
                        TRUE
                    } else {
                        FALSE
                    }
                }
                Op::Table(tab) if terms.tab(*tab).axes.len() != terms.node(arg).args.len() => {
                    match opaque {
                        true => terms.structural(Op::Other(Other::Fails), vec![arg], &Type::Bool),
                        false => FALSE,
                    }
                }
                Op::Table(tab) if terms.tab(*tab).values.contains(&FAULT) => {
                    let (mut tab, atoms) = (terms.tab(*tab).clone(), terms.node(arg).args.to_vec());
                    tab.ty = Type::Bool;
                    for value in &mut tab.values {
                        if *value != JUNK {
                            *value = if *value == FAULT { YES } else { NO };
                        }
                    }
                    terms.table(tab, atoms)
                }
                // What a position holds, and what is given, is never a mistake.
                Op::Table(_) | Op::Param(..) | Op::Bound(..) | Op::Var(_) | Op::Placed(..) => FALSE,
                _ if opaque => terms.structural(Op::Other(Other::Fails), vec![arg], &Type::Bool),
                _ => FALSE,
            }
        })
    }

    // ---- renaming

    /// The terms under a renaming; nothing where one depends on an order that the renaming does not keep.
    pub(super) fn renamed(&mut self, term: Term, by: &mut Renamed<'_>) -> Option<Term> {
        if let Some(known) = by.terms.get(&term) {
            return *known;
        }
        let Node { op, args, ty } = self.node(term).clone();
        let mut new_args = Vec::with_capacity(args.len());
        for &arg in &args {
            new_args.push(self.renamed(arg, by)?);
        }
        let found = self.renamed_node(op, new_args, ty, by);
        by.terms.insert(term, found);
        found
    }

    fn renamed_node(
        &mut self,
        op: Op,
        args: Vec<Term>,
        ty: Type,
        by: &mut Renamed<'_>,
    ) -> Option<Term> {
        if self.failed.is_some() {
            return None;
        }
        let set = |domain: &Type, members: Vec<u32>| -> Vec<u32> {
            match domain_of(domain) {
                Some(domain) => {
                    let mut new: Vec<u32> = members
                        .iter()
                        .map(|&m| by.renaming.member(domain, m))
                        .collect();
                    new.sort_unstable();
                    new
                }
                None => members,
            }
        };
        Some(match op {
            Op::Const(value) => {
                let value = by.renaming.constant(&ty, &value);
                self.insert(Op::Const(value), args, ty)
            }
            Op::Param(at, members) => {
                let members = members.map(|members| set(&ty, members));
                self.insert(Op::Param(at, members), args, ty)
            }
            Op::Bound(at, members) => {
                let members = members.map(|members| set(&ty, members));
                self.insert(Op::Bound(at, members), args, ty)
            }
            Op::Ite => match args[..] {
                [cond, yes, no] => {
                    let (cond, yes, no) = (self.diagram(cond), self.diagram(yes), self.diagram(no));
                    self.choose(cond, yes, no)
                }
                _ => return None,
            },
            Op::Other(Other::Any) => self.any_of(args),
            Op::Other(Other::Whole) => match args[..] {
                [cond] => self.whole(cond),
                _ => return None,
            },
            Op::Other(Other::After) => match args[..] {
                [before, value] => self.after(before, value),
                _ => return None,
            },
            Op::Table(tab) if by.puts && !self.are_atoms(&args) => self.table_at(tab, args)?,
            Op::Table(tab) => self.renamed_table(tab, args, ty, by),
            Op::Binary(BinaryOp::In) if by.puts => self.is_in(args[0], args[1]),
            Op::Other(Other::Fold(Fold::Exists) | Other::Rows)
                if by.puts && args.last() == Some(&FALSE) =>
            {
                FALSE
            }
            Op::Ordered(_, domain) if by.renaming.moves(domain) => return None,
            Op::Bundle(bundle) => self.bundle(bundle, args),
            Op::Binary(BinaryOp::Eq) => self.equal(args[0], args[1]),
            op => self.structural(op, args, &ty),
        })
    }

    fn renamed_table(
        &mut self,
        tab: TabId,
        args: Vec<Term>,
        ty: Type,
        by: &mut Renamed<'_>,
    ) -> Term {
        let new = match by.tabs.get(&tab) {
            Some(known) => *known,
            None => {
                let new = self.permuted(tab, by.renaming);
                let new = self.tabs.insert_full(new).0 as TabId;
                by.tabs.insert(tab, new);
                new
            }
        };
        let whole = self.tab(new).axes.len() == args.len();
        if let (true, [first, second]) = (whole, &args[..])
            && first > second
        {
            let tab = self.turned(new);
            return self.table(tab, vec![*second, *first]);
        }
        match whole {
            true => {
                let tab = self.tab(new).clone();
                self.table(tab, args)
            }
            false => self.insert(Op::Table(new), args, ty),
        }
    }

    /// Whether terms are different members of which nothing is known.
    fn are_atoms(&self, terms: &[Term]) -> bool {
        let plain = |term: &Term| !matches!(self.node(*term).op, Op::Const(_) | Op::Table(_));
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == terms.len() && terms.iter().all(plain)
    }

    /// A table at values that follow from members.
    fn table_at(&mut self, tab: TabId, args: Vec<Term>) -> Option<Term> {
        let tab = self.tab(tab).clone();
        if tab.axes.len() != args.len() {
            return None;
        }
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let values: Vec<Const> = tab.values.iter().map(|v| self.value(*v).clone()).collect();
        let mut cell = |_: &Game, at: &[&Const]| {
            let mut cell = 0;
            for (value, len) in at.iter().zip(&lens) {
                let at = match value {
                    Const::Elem(member) => *member as usize,
                    _ => len - 1,
                };
                cell = cell * len + at;
            }
            values.get(cell).cloned()
        };
        self.tabulate(&args, true, &tab.ty, &mut cell)
    }

    /// A table of two with its axes exchanged.
    fn turned(&self, tab: TabId) -> Tab {
        let tab = self.tab(tab);
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let values = (0..lens[1])
            .flat_map(|b| (0..lens[0]).map(move |a| (a, b)))
            .map(|(a, b)| tab.values[a * lens[1] + b]);
        Tab {
            axes: vec![tab.axes[1], tab.axes[0]],
            ty: tab.ty.clone(),
            values: values.collect(),
        }
    }

    fn permuted(&mut self, tab: TabId, renaming: &Renaming) -> Tab {
        let tab = self.tab(tab).clone();
        let moves = |d: DomainId| renaming.moves(d);
        let rows = self.holds_rows(&tab.ty);
        let values_move = domain_of(&tab.ty).is_some_and(moves) || tab.ty == Type::Tagged;
        if !values_move && !tab.axes.iter().any(|axis| moves(axis.0)) {
            return tab;
        }
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let mut values = tab.values.clone();
        let mut known: IndexMap<Value, Value> = IndexMap::new();
        for (cell, &value) in tab.values.iter().enumerate() {
            let (mut rest, mut target, mut stride) = (cell, 0, 1);
            for (axis, len) in tab.axes.iter().zip(&lens).rev() {
                let at = rest % len;
                rest /= len;
                target += stride * renaming.member(axis.0, at as u32) as usize;
                stride *= len;
            }
            let target = if tab.axes.is_empty() { cell } else { target };
            let new = match known.get(&value) {
                _ if !values_move || value == JUNK || value == FAULT => value,
                Some(known) => *known,
                None => {
                    let mut new = renaming.constant(&tab.ty, self.value(value));
                    if let (true, Const::Seq(items)) = (rows, &mut new) {
                        items.sort();
                    }
                    let new = self.number(new);
                    known.insert(value, new);
                    new
                }
            };
            if let Some(slot) = values.get_mut(target) {
                *slot = new;
            }
        }
        Tab {
            axes: tab.axes,
            ty: tab.ty,
            values,
        }
    }
}

/// What is known of terms under a renaming.
pub(super) struct Renamed<'r> {
    pub(super) renaming: &'r Renaming,
    terms: IndexMap<Term, Option<Term>>,
    tabs: IndexMap<TabId, TabId>,
    /// Whether a part is put in the place of another one.
    puts: bool,
}

impl<'r> Renamed<'r> {
    pub(super) fn by(renaming: &'r Renaming) -> Self {
        Renamed {
            renaming,
            terms: IndexMap::new(),
            tabs: IndexMap::new(),
            puts: false,
        }
    }

    /// Puts a term in the place of another one.
    pub(super) fn with(renaming: &'r Renaming, from: Term, to: Term) -> Self {
        Renamed {
            terms: IndexMap::from([(from, Some(to))]),
            puts: true,
            ..Renamed::by(renaming)
        }
    }
}

/// A type without the ranges of its numbers.
pub(super) fn plain(ty: &Type) -> Type {
    match ty {
        Type::Int { .. } => Type::INT,
        Type::Seq { item, cap } => Type::Seq {
            item: Box::new(plain(item)),
            cap: *cap,
        },
        other => other.clone(),
    }
}
