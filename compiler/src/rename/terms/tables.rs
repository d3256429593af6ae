//! Terms that follow from few others, as tables of them.

use rulec_ir::sorted::SortedMap;

use crate::hash::IndexMap;
use crate::ir::{Const, DomainId, Game, Type};

use super::super::may::domain_of;
use super::{
    ABSENT, FALSE, FAULT, FEW_MEMBERS, Follows, JUNK, MOST_CELLS, MOST_PAIRS, NO, Op, Placed, TRUE,
    Tab, TabId, Term, Terms, Value, YES, plain,
};

/// Operands of an operation whose values are noted while it is tabulated.
const NOTED: usize = 3;
/// Constants for each cell of a table that has room for what each of them comes to.
const MOST_ROOM: usize = 64;

/// What an operation came to for the operands that a table had so far.
enum Noted {
    /// No operands come twice.
    Never,
    /// By the number of the only operand.
    One(Vec<Option<Value>>),
    Few(IndexMap<[Value; NOTED], Value>),
}

impl Noted {
    fn of(follows: &[Follows], atoms: usize, cells: usize, consts: usize) -> Noted {
        let is_operand = |atom: usize| {
            let mut follows = follows.iter();
            follows.any(|own| matches!(own, Follows::Atom(place, _) if *place == atom))
        };
        if (0..atoms).all(is_operand) {
            return Noted::Never;
        }
        match follows.len() == 1 && consts <= cells.saturating_mul(MOST_ROOM) {
            true => Noted::One(vec![None; consts]),
            false => Noted::Few(IndexMap::default()),
        }
    }

    fn get(&self, given: &[Value]) -> Option<Value> {
        match (self, given) {
            (Noted::One(known), [only]) => known.get(*only as usize).copied().flatten(),
            (Noted::Few(known), _) => known.get(&key(given)?).copied(),
            _ => None,
        }
    }

    fn note(&mut self, given: &[Value], found: Value) {
        match (self, given) {
            (Noted::One(known), [only]) => {
                if let Some(known) = known.get_mut(*only as usize) {
                    *known = Some(found);
                }
            }
            (Noted::Few(known), _) => {
                if let Some(key) = key(given) {
                    known.insert(key, found);
                }
            }
            _ => {}
        }
    }
}

/// The operands as a key, if they are few: those that are not there are the value that none has.
fn key(given: &[Value]) -> Option<[Value; NOTED]> {
    let mut key = [JUNK; NOTED];
    key.get_mut(..given.len())?.copy_from_slice(given);
    Some(key)
}

impl<'g> Terms<'g> {
    /// Applies something to values that may depend on conditions.
    pub(in super::super) fn lift(
        &mut self,
        args: &[Term],
        on_leaves: &mut dyn FnMut(&mut Self, &[Term]) -> Term,
    ) -> Term {
        // Most values depend on no condition.
        if self.failed.is_none() && args.iter().all(|&arg| self.top(arg).is_none()) {
            let found = on_leaves(self, args);
            return self.diagram(found);
        }
        self.lift_with(args.to_vec(), on_leaves, &mut IndexMap::default())
    }

    fn lift_with(
        &mut self,
        args: Vec<Term>,
        on_leaves: &mut dyn FnMut(&mut Self, &[Term]) -> Term,
        known: &mut IndexMap<Vec<Term>, Term>,
    ) -> Term {
        if self.failed.is_some() {
            return FALSE;
        }
        if let Some(known) = known.get(&args) {
            return *known;
        }
        let found = match args.iter().filter_map(|&arg| self.top(arg)).min() {
            None => {
                // A condition that stands as a value is one of its two values.
                let found = on_leaves(self, &args);
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
                let yes = self.lift_with(yes, on_leaves, known);
                let no = self.lift_with(no, on_leaves, known);
                let top = self.insert(Op::Ite, vec![top, TRUE, FALSE], Type::Bool);
                self.choose(top, yes, no)
            }
        };
        known.insert(args, found);
        found
    }

    // ---- tables

    /// What a member that is not known can be: its domain, and whether it may be absent.
    pub(super) fn axis_of(&self, term: Term) -> Option<(DomainId, bool)> {
        match self.node(term).ty {
            Type::Elem(domain) => Some((domain, false)),
            Type::Opt(domain) => Some((domain, true)),
            _ => None,
        }
    }

    /// A table as it is, which nothing is asked of.
    pub(in super::super) fn table_as_it_is(
        &mut self,
        axes: &[(DomainId, bool)],
        ty: &Type,
        values: &[Const],
    ) -> Term {
        self.cells += values.len();
        if self.cells > MOST_CELLS {
            self.fail("too many values");
            return FALSE;
        }
        let tab = Tab {
            axes: axes.to_vec(),
            ty: plain(ty),
            values: self.numbers(values),
        };
        let tab = self.tabs.insert_full(tab).0 as TabId;
        self.insert(Op::Table(tab), Vec::new(), plain(ty))
    }

    pub(super) fn axis_len(&self, axis: (DomainId, bool)) -> usize {
        self.game.domain(axis.0).len() + usize::from(axis.1)
    }

    pub(super) fn axis_value(&self, axis: (DomainId, bool), at: usize) -> Value {
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
                let mut can = vec![false; len];
                for &member in members {
                    *can.get_mut(member as usize)? = true;
                }
                Some(can)
            }
            Op::Placed(Placed::Content, placement) => {
                let standing = self.standing.get(placement)?;
                let places = self.possible(*node.args.first()?)?;
                let places = places.into_iter().map(usize::try_from);
                let places: Vec<usize> = places.collect::<Result<_, _>>().ok()?;
                let mut can = standing.on_one_of(places)?;
                can.resize(len, false);
                // There may be nothing.
                *can.last_mut()? = true;
                Some(can)
            }
            Op::Placed(Placed::PlaceOf, placement) => {
                let standing = self.standing.get(placement)?;
                let pieces = self.possible(*node.args.first()?);
                let stands = |piece: usize| {
                    let mut pieces = pieces.iter();
                    pieces.all(|pieces| pieces.contains(&(piece as i64)))
                };
                let mut can = standing.holds_one(stands);
                // It may be nowhere.
                can.resize(len, true);
                Some(can)
            }
            _ => None,
        }
    }

    /// The atoms of a term as a function of members: none for a constant.
    pub(super) fn atoms(&self, term: Term, as_member: bool) -> Option<Vec<Term>> {
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
                let at = |place: &usize| {
                    debug_assert!(*place < index.len(), "an index that is followed is given");
                    index.get(*place).copied().unwrap_or(0)
                };
                let cell = axes
                    .iter()
                    .fold(0, |cell, (place, len)| cell * len + at(place));
                self.tab(*tab).values.get(cell).copied().unwrap_or(JUNK)
            }
            Follows::Atom(place, axis) => {
                debug_assert!(*place < index.len(), "an index that is followed is given");
                let at = index.get(*place).copied().unwrap_or(0);
                self.axis_value(*axis, at)
            }
        }
    }

    /// Computes something for all members that some terms follow from; nothing where they follow from more than two, or too many.
    pub(in super::super) fn tabulate(
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
        let mut noted = Noted::of(&follows, atoms.len(), cells, self.consts.len());
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
            } else if let Some(known) = noted.get(&given) {
                known
            } else {
                let found = match given[..] {
                    [one] => compute(game, &[self.value(one)]),
                    [one, two] => compute(game, &[self.value(one), self.value(two)]),
                    _ => {
                        let own = given.iter().map(|&value| self.value(value));
                        compute(game, &own.collect::<Vec<_>>())
                    }
                };
                let found = found.map_or(FAULT, |found| self.number(found));
                noted.note(&given, found);
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
    pub(super) fn table(&mut self, mut tab: Tab, mut atoms: Vec<Term>) -> Term {
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
        if let ([(domain, false)], [atom], Type::Bool) = (&tab.axes[..], &atoms[..], &tab.ty)
            && tab.values.iter().all(|value| [YES, NO].contains(value))
            && (3..=FEW_MEMBERS).contains(&tab.values.len())
        {
            return self.one_by_one(*domain, &tab.values, *atom);
        }
        if let ([(domain, true)], [atom], Type::Bool) = (&tab.axes[..], &atoms[..], &tab.ty)
            && let Some(kinds) = self.kinds_in(*domain, &tab.values)
        {
            return self.kind_by_kind(*domain, &kinds, &tab.values, *atom);
        }
        let ty = tab.ty.clone();
        let tab = self.tabs.insert_full(tab).0 as TabId;
        self.insert(Op::Table(tab), atoms, ty)
    }

    /// A condition on one of few members, by whether it is the first of them, and else the second, and so on: then it does not matter
    /// which of them rules ask for, and which is left.
    fn one_by_one(&mut self, domain: DomainId, values: &[Value], atom: Term) -> Term {
        let holds = |value: Value| if value == YES { TRUE } else { FALSE };
        let mut found = values.last().map_or(FALSE, |last| holds(*last));
        for (at, &value) in values.iter().enumerate().rev().skip(1) {
            let mut tab = Tab {
                axes: vec![(domain, false)],
                ty: Type::Bool,
                values: vec![NO; values.len()],
            };
            tab.values[at] = YES;
            let tab = self.tabs.insert_full(tab).0 as TabId;
            let is_it = self.insert(Op::Table(tab), vec![atom], Type::Bool);
            let is_it = self.diagram(is_it);
            found = self.choose(is_it, holds(value), found);
        }
        found
    }

    /// The kinds of pieces that a condition on what stands somewhere speaks of, each by its first, where it says the same of all of a kind.
    fn kinds_in(&self, domain: DomainId, values: &[Value]) -> Option<Vec<u32>> {
        let own = self.kinds.get(&domain)?;
        let mut said: SortedMap<u32, Value> = SortedMap::new();
        for (&kind, &value) in own.iter().zip(values).filter(|(_, value)| **value != JUNK) {
            if ![YES, NO].contains(&value) || *said.entry(kind).or_insert(value) != value {
                return None;
            }
        }
        let nothing = *values.last()?;
        [YES, NO]
            .contains(&nothing)
            .then(|| said.into_keys().collect())
    }

    /// A condition on what stands somewhere by whether it is of the first kind, and else of the second, and so on, and else nothing: then
    /// it does not matter by which of them rules say so.
    fn kind_by_kind(
        &mut self,
        domain: DomainId,
        kinds: &[u32],
        values: &[Value],
        atom: Term,
    ) -> Term {
        let own = self.kinds.get(&domain).cloned().unwrap_or_default();
        let holds = |value: Option<&Value>| if value == Some(&YES) { TRUE } else { FALSE };
        let mut found = holds(values.last());
        for &kind in kinds.iter().rev() {
            let mut tab = Tab {
                axes: vec![(domain, true)],
                ty: Type::Bool,
                values: values.to_vec(),
            };
            let mut value = FALSE;
            for (cell, said) in tab.values.iter_mut().enumerate() {
                let is_it = own.get(cell) == Some(&kind);
                if *said != JUNK {
                    if is_it {
                        value = holds(Some(said));
                    }
                    *said = if is_it { YES } else { NO };
                }
            }
            let tab = self.tabs.insert_full(tab).0 as TabId;
            let is_it = self.insert(Op::Table(tab), vec![atom], Type::Bool);
            let is_it = self.diagram(is_it);
            found = self.choose(is_it, value, found);
        }
        found
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
}
