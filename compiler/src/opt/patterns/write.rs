//! What a function comes to, written as comparisons of sets.

use rulec_ir::sorted::SortedMap;

use crate::board::contents::Cases;
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, Fold, Function, Game, Local, LocalId,
    Over, Stmt, Table, TableId, Type,
};
use crate::opt::tables::known_or_new;

use super::formula::Cube;
use super::sizes::Count;
use super::{Content, PlaneSet, Products};

/// Products that are not taken apart by what they have in common.
const FEW: usize = 8;
/// Kinds of products, by what they ask for, that are asked one after the other.
const MOST_KINDS: usize = 4;
/// Sets of places that are counted one after the other, and members that each of them says something of, so that this is less than to
/// count for each member.
const MOST_COUNTED: usize = 32;
const FEW_MEMBERS: usize = 2;
/// Values of a table that tells what pieces are.
const MOST_VALUES: usize = 15;
/// Steps from a place to those that a test of it looks at.
const MOST_STEPS: usize = 16;

impl Products {
    /// Replaces the body of the function.
    pub(super) fn write(self, game: &mut Game) {
        let (by, rows) = match self.common_row() {
            Some(row) => (None, vec![Some(row.clone())]),
            None => (self.by, self.rows.clone()),
        };
        let writer = Writer {
            game,
            found: &self,
            by,
            rows,
        };
        let (locals, body) = writer.body();
        let function = &mut game.functions[self.func.index()];
        function.locals.extend(locals);
        function.body.truncate(self.from);
        function.body.extend(body);
    }
}

impl Products {
    /// The products, where they are the same for all members that occur, and there are several.
    fn common_row(&self) -> Option<&Vec<Cube>> {
        let mut rows = self.rows.iter().flatten();
        let first = rows.next()?;
        let second = rows.next()?;
        let alike = first == second && rows.all(|row| row == first);
        (alike && !first.is_empty()).then_some(first)
    }
}

struct Writer<'a> {
    game: &'a mut Game,
    found: &'a Products,
    /// The variable that the products depend on, and the products for each of its members.
    by: Option<(LocalId, DomainId)>,
    rows: Vec<Option<Vec<Cube>>>,
}

/// Tests of a plane at a step from places: where that leads from each of them.
struct Step {
    plane: u32,
    holds: bool,
    to: Vec<Const>,
}

impl PlaneSet {
    /// How many places pass at most, as far as pieces tell that.
    fn most(&self) -> usize {
        let PlaneSet::Is(content) = self else {
            return usize::MAX;
        };
        match content.values.split_last() {
            Some((free, pieces)) if *free != Const::Bool(true) => pieces
                .iter()
                .filter(|one| **one == Const::Bool(true))
                .count(),
            _ => usize::MAX,
        }
    }

    /// Whether it is the places where nothing stands.
    fn is_free(&self) -> bool {
        let PlaneSet::Is(content) = self else {
            return false;
        };
        content.values.split_last().is_some_and(|(last, pieces)| {
            let free = pieces.iter().all(|one| *one == Const::Bool(false));
            free && *last == Const::Bool(true)
        })
    }
}

impl Writer<'_> {
    fn function(&self) -> &Function {
        self.game.function(self.found.func)
    }

    fn body(mut self) -> (Vec<Local>, Block) {
        let span = self.found.span;
        let first = self.function().locals.len();
        let mut locals = Vec::new();
        let found = self.found;
        let each: Vec<Vec<&Content>> = (0..found.cases.count())
            .map(|case| {
                found
                    .planes
                    .iter()
                    .filter_map(|plane| plane.in_case(case))
                    .collect()
            })
            .collect();
        let known: Vec<&Vec<&Content>> = each.iter().collect();
        let value = match found.planes.iter().all(|plane| plane.in_case(0).is_some()) {
            true => self.in_cases(&found.cases, &known, (first, &mut locals)),
            false => self.whole(&found.planes, (first, &mut locals)),
        };
        let value = match self.found.negated {
            true => value.not(),
            false => value,
        };
        let mut body: Block = Vec::new();
        for (var, after) in &self.found.env {
            body.push(Stmt::set_env(*var, after.clone()));
        }
        body.push(Stmt::give(value.at(span)));
        (locals, body)
    }

    /// The places that pass a test.
    fn collected(&mut self, plane: &PlaneSet, (first, locals): (usize, &mut Vec<Local>)) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let local = LocalId::from(first + locals.len());
        locals.push(Local {
            name: "place".to_owned(),
            ty: Type::Elem(places),
        });
        let place = Expr::local(local, Type::Elem(places), span);
        let when = self.test(plane, place);
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Domain(places)),
            when: Box::new(when),
        };
        Expr::new(kind, Type::Set(places), span)
    }

    /// Whether some product holds, by planes with the contents of the case that is given.
    fn in_cases(
        &mut self,
        cases: &Cases,
        known: &[&Vec<&Content>],
        (first, locals): (usize, &mut Vec<Local>),
    ) -> Expr {
        let span = self.found.span;
        let Some((given, parts)) = cases.split(known) else {
            let contents = known
                .first()
                .into_iter()
                .flat_map(|contents| contents.iter());
            let planes: Vec<PlaneSet> = contents
                .map(|content| PlaneSet::Is((*content).clone()))
                .collect();
            let (rows, by) = (self.rows.clone(), self.by);
            let value = self.whole(&planes, (first, locals));
            (self.rows, self.by) = (rows, by);
            return value;
        };
        let given = given.clone().at(span);
        let mut all: Option<Expr> = None;
        for (value, cases, known) in parts.into_iter().rev() {
            let known: Vec<&Vec<&Content>> = known.into_iter().copied().collect();
            let holds = self.in_cases(&cases, &known, (first, &mut *locals));
            let value = Expr::constant(value.clone(), given.ty.clone(), span);
            let test = given.clone().equals(value).at(span);
            all = Some(match all {
                Some(all) => Expr::select(test, holds, all),
                None => holds,
            });
        }
        all.unwrap_or_else(|| Expr::bool(false, span))
    }

    /// Whether some product of planes holds: those that ask for the same planes are a list of lines.
    fn whole(&mut self, planes: &[PlaneSet], (first, locals): (usize, &mut Vec<Local>)) -> Expr {
        if self.parts() == 1
            && let Some(steps) = self.steps()
        {
            let sets: Vec<Expr> = planes
                .iter()
                .map(|plane| self.collected(plane, (first, &mut *locals)))
                .collect();
            let value = self.at_steps(planes, &sets, &steps);
            return match self.possible() {
                Some(possible) => possible.and(value),
                None => value,
            };
        }
        let kinds = self.kinds();
        if kinds.len() < 2 || kinds.len() > MOST_KINDS {
            return self.some_of_kind(planes, (first, locals));
        }
        let each = kinds.into_iter().map(|rows| {
            let by = self.by;
            self.rows = rows;
            let some = self.some_of_kind(planes, (first, &mut *locals));
            self.by = by;
            some
        });
        let any = each.reduce(|all, one| Expr::binary(BinaryOp::Or, all, one));
        any.unwrap_or_else(|| Expr::bool(false, self.found.span))
    }

    /// The products by the planes whose places must pass and must not.
    fn kinds(&self) -> Vec<Vec<Option<Vec<Cube>>>> {
        let planes = |tests: &[u32]| -> Vec<u32> {
            let mut planes: Vec<u32> = tests.iter().map(|test| test / self.found.places).collect();
            planes.sort_unstable();
            planes.dedup();
            planes
        };
        let kind = |cube: &Cube| planes(&[&cube.holds[..], &cube.fails].concat());
        let mut all: SortedMap<Vec<u32>, Vec<Option<Vec<Cube>>>> = SortedMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            for cube in row.iter().flatten() {
                let none = || self.rows.iter().map(|row| row.as_ref().map(|_| Vec::new()));
                let own = all.entry(kind(cube)).or_insert_with(|| none().collect());
                own[at].get_or_insert_default().push(cube.clone());
            }
        }
        all.into_values().collect()
    }

    /// Whether some product holds, where all of them ask for the same planes.
    fn some_of_kind(
        &mut self,
        planes: &[PlaneSet],
        (first, locals): (usize, &mut Vec<Local>),
    ) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let sets = planes.iter();
        let sets: Vec<Expr> = sets
            .map(|plane| self.collected(plane, (first, &mut *locals)))
            .collect();
        if let Some(count) = Count::of(&self.rows, self.found.places) {
            return self.counted(count, &sets);
        }
        match self.parts() {
            0 => Expr::bool(false, span),
            1 => self.some_product(&sets, None),
            parts if parts > FEW && self.take_apart(planes).is_some() => {
                let local = LocalId::from(first + locals.len());
                locals.push(Local {
                    name: "one".to_owned(),
                    ty: Type::Elem(places),
                });
                let plane = self.take_apart(planes).unwrap_or_default();
                self.group_by(local, plane);
                let mut line = None;
                if self.parts() > 1 {
                    let ty = self.line_type();
                    line = Some(LocalId::from(first + locals.len()));
                    locals.push(Local {
                        name: "line".to_owned(),
                        ty,
                    });
                }
                let inner = self.some_product(&sets, line);
                Expr::fold(Fold::Exists, local, Over::Set(sets[plane].clone()), inner).at(span)
            }
            _ => {
                let line = LocalId::from(first + locals.len());
                locals.push(Local {
                    name: "line".to_owned(),
                    ty: self.line_type(),
                });
                self.some_product(&sets, Some(line))
            }
        }
    }

    /// Whether so many of some places pass a test as a count says.
    fn counted(&mut self, count: Count, sets: &[Expr]) -> Expr {
        let span = self.found.span;
        let set = &sets[count.plane];
        if let Some(value) = self.counted_together(&count, set) {
            return value;
        }
        let places = self.game.placement(self.found.placement).places;
        let most = count
            .rows
            .iter()
            .flatten()
            .map(|(_, number)| *number as i64);
        let number = Type::Int {
            lo: 0,
            hi: most.max().unwrap_or(0),
        };
        let (among, numbers): (Vec<Const>, Vec<Const>) = count
            .rows
            .into_iter()
            .map(Option::unwrap_or_default)
            .map(|(among, number)| (Const::Set(among), Const::Int(number as i64)))
            .unzip();
        let name = format!("places counted by {}", self.function().name);
        let among = self.of_member(&name, Type::Set(places), among);
        let wanted = self.of_member("number wanted", number, numbers);
        let value = Expr::binary(count.test, self.size(set, among), wanted).at(span);
        match self.possible() {
            Some(possible) => possible.and(value),
            None => value,
        }
    }

    /// How many of some places are in a set.
    fn size(&self, set: &Expr, among: Expr) -> Expr {
        let held = Expr::binary(BinaryOp::Intersect, set.clone(), among);
        let places = self.game.placement(self.found.placement).places;
        let ty = Type::Int {
            lo: 0,
            hi: self.game.domain(places).len() as i64,
        };
        Expr::new(ExprKind::Size(Box::new(held)), ty, self.found.span)
    }

    /// The same where few sets of places are counted for many members: each count says for which of them it holds.
    fn counted_together(&mut self, count: &Count, set: &Expr) -> Option<Expr> {
        let span = self.found.span;
        let (_, domain) = self.by?;
        let mut groups: SortedMap<&[u32], Vec<(u32, usize)>> = SortedMap::new();
        for (member, row) in (0..).zip(&count.rows) {
            if let Some((among, number)) = row {
                groups.entry(among).or_default().push((member, *number));
            }
        }
        let members: usize = groups.values().map(Vec::len).sum();
        if groups.len() > MOST_COUNTED || members < FEW_MEMBERS * groups.len() {
            return None;
        }
        let places = self.game.placement(self.found.placement).places;
        let mut all: Option<Expr> = None;
        for (among, members) in groups {
            let holds = |size: usize| {
                let with = members.iter().filter(|(_, number)| match count.test {
                    BinaryOp::Eq => *number == size,
                    _ => *number <= size,
                });
                Const::Set(with.map(|(member, _)| *member).collect())
            };
            let axis = Axis::Range {
                lo: 0,
                hi: among.len() as i64,
            };
            let values = (0..=among.len()).map(holds).collect();
            let none = Some(Const::Set(Vec::new()));
            let name = format!("members counted by {}", self.function().name);
            let table = self.table(&name, vec![axis], Type::Set(domain), values, none);
            let among = Const::Set(among.to_vec());
            let among = Expr::constant(among, Type::Set(places), span);
            let found = self.lookup(table, vec![self.size(set, among)]);
            all = Some(match all {
                Some(all) => Expr::binary(BinaryOp::Union, all, found),
                None => found,
            });
        }
        let (member, _) = self.member()?;
        Some(Expr::binary(BinaryOp::In, member, all?).at(span))
    }

    /// What depends on the parameter alone.
    fn of_member(&mut self, name: &str, ty: Type, mut values: Vec<Const>) -> Expr {
        let span = self.found.span;
        if values.iter().all(|value| *value == values[0])
            && let Some(only) = values.pop()
        {
            return Expr::constant(only, ty, span);
        }
        let Some((member, axis)) = self.member() else {
            return Expr::constant(values.swap_remove(0), ty, span);
        };
        let table = self.table(name, vec![axis], ty, values, None);
        self.lookup(table, vec![member])
    }

    fn parts(&self) -> usize {
        self.rows.iter().flatten().map(Vec::len).max().unwrap_or(0)
    }

    fn line_type(&self) -> Type {
        Type::Int {
            lo: 0,
            hi: self.parts() as i64 - 1,
        }
    }

    /// The plane of which every product names exactly one place that passes, if there is such a plane; of several the one that
    /// fewest pieces can be in.
    fn take_apart(&self, planes: &[PlaneSet]) -> Option<usize> {
        if self.by.is_some() {
            return None;
        }
        let once = |plane: &usize| {
            let of_plane = |test: &&u32| (**test / self.found.places) as usize == *plane;
            let mut cubes = self.rows.iter().flatten().flatten();
            cubes.all(|cube| cube.holds.iter().filter(of_plane).count() == 1)
        };
        let found = (0..planes.len()).filter(once);
        found.min_by_key(|plane| planes[*plane].most())
    }

    /// Makes the products depend on the one place of a plane that each of them names.
    fn group_by(&mut self, local: LocalId, plane: usize) {
        let places = self.game.placement(self.found.placement).places;
        let mut rows: Vec<Vec<Cube>> = vec![Vec::new(); self.found.places as usize];
        for mut cube in self.rows.drain(..).flatten().flatten() {
            let of_plane = |test: &u32| (*test / self.found.places) as usize == plane;
            if let Some(at) = cube.holds.iter().position(of_plane) {
                let test = cube.holds.remove(at);
                rows[(test % self.found.places) as usize].push(cube);
            }
        }
        self.rows = rows.into_iter().map(Some).collect();
        self.by = Some((local, places));
    }

    /// Whether some product holds; the variable numbers them if there are several.
    fn some_product(&mut self, sets: &[Expr], line: Option<LocalId>) -> Expr {
        let span = self.found.span;
        let value = match line {
            None => self.product(sets, None),
            Some(local) => {
                let ty = self.line_type();
                let last = self.parts() as i64 - 1;
                let bound = |value: i64| {
                    let ty = Type::Int {
                        lo: value,
                        hi: value,
                    };
                    Expr::constant(Const::Int(value), ty, span)
                };
                let over = Over::Range(bound(0), bound(last));
                let body = self.product(sets, Some(Expr::local(local, ty, span)));
                Expr::fold(Fold::Exists, local, over, body).at(span)
            }
        };
        match self.possible() {
            Some(possible) => possible.and(value),
            None => value,
        }
    }

    /// The parameter that the products depend on.
    fn member(&self) -> Option<(Expr, Axis)> {
        let (local, domain) = self.by?;
        let local = Expr::local(local, Type::Elem(domain), self.found.span);
        Some((local, Axis::Domain(domain)))
    }

    /// Whether some product can hold, where that depends on the parameter.
    fn possible(&mut self) -> Option<Expr> {
        let some = |row: &Option<Vec<Cube>>| row.as_ref().is_none_or(|cubes| !cubes.is_empty());
        if self.rows.iter().all(some) {
            return None;
        }
        let values = self.rows.iter().map(|row| Const::Bool(some(row)));
        let values = values.collect();
        let (member, axis) = self.member()?;
        let table = self.table("possible", vec![axis], Type::Bool, values, None);
        Some(self.lookup(table, vec![member]))
    }

    /// Where guards ask it of candidates: the tests of planes by the step from the place that is asked about, with the place that
    /// each place is tested at, if they are few. They are asked of all places at once then.
    fn steps(&self) -> Option<Vec<Step>> {
        let places = self.game.placement(self.found.placement).places;
        let (_, domain) = self.by.filter(|_| self.found.guards)?;
        if domain != places {
            return None;
        }
        let mut steps: SortedMap<(u32, bool, i64), Vec<Const>> = SortedMap::new();
        for (member, row) in (0u32..).zip(&self.rows) {
            let cubes = row.iter().flatten();
            for cube in cubes {
                let held = cube.holds.iter().map(|test| (test, true));
                for (test, holds) in held.chain(cube.fails.iter().map(|test| (test, false))) {
                    let (plane, at) = (test / self.found.places, test % self.found.places);
                    let key = (plane, holds, i64::from(at) - i64::from(member));
                    let none = vec![Const::None; self.found.places as usize];
                    let to = steps.entry(key).or_insert(none);
                    *to.get_mut(member as usize)? = Const::Elem(at);
                }
            }
        }
        (steps.len() <= MOST_STEPS).then(|| {
            let step = |((plane, holds, _), to)| Step { plane, holds, to };
            steps.into_iter().map(step).collect()
        })
    }

    /// The product of tests at some steps: each holds where there is no such place.
    fn at_steps(&mut self, planes: &[PlaneSet], sets: &[Expr], steps: &[Step]) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let mut all: Option<Expr> = None;
        for step in steps {
            let Some((member, axis)) = self.member() else {
                break;
            };
            let passes = |writer: &Self, place: Expr| {
                let plane = step.plane as usize;
                if planes.get(plane).is_some_and(PlaneSet::is_free) {
                    let stands = Expr::content(writer.game, writer.found.placement, place);
                    let taken = stands.is_some();
                    return if step.holds { taken.not() } else { taken };
                }
                let within = Expr::binary(BinaryOp::In, place, sets[plane].clone());
                if step.holds { within } else { within.not() }
            };
            let own = |(to, row): (&Const, &Option<Vec<Cube>>)| {
                *to != Const::None || row.as_ref().is_none_or(Vec::is_empty)
            };
            let there = (0u32..).zip(&step.to);
            let here = |(at, to): (u32, &Const)| *to == Const::None || *to == Const::Elem(at);
            let test = if there.into_iter().all(here) && step.to.iter().zip(&self.rows).all(own) {
                passes(self, member)
            } else {
                let name = format!("step of {}", self.function().name);
                let ty = Type::Opt(places);
                let table = self.table(&name, vec![axis], ty, step.to.clone(), None);
                let there = self.lookup(table, vec![member]);
                let test = passes(self, there.clone().get());
                let none = there.clone().is_some().not();
                Expr::binary(BinaryOp::Or, none, there.is_some().and(test))
            };
            all = Some(match all {
                Some(all) => all.and(test),
                None => test,
            });
        }
        all.unwrap_or_else(|| Expr::bool(true, span)).at(span)
    }

    /// A product, the one of a number if there are several.
    fn product(&mut self, sets: &[Expr], line: Option<Expr>) -> Expr {
        let span = self.found.span;
        let mut all: Option<Expr> = None;
        for (plane, set) in sets.iter().enumerate() {
            let any = |of: fn(&Cube) -> &Vec<u32>| {
                let cubes = self.rows.iter().flatten().flatten();
                let mut tests = cubes.flat_map(of);
                tests.any(|test| (test / self.found.places) as usize == plane)
            };
            let (holds, fails) = (any(|cube| &cube.holds), any(|cube| &cube.fails));
            let held = self.places(plane, &line, "lines", |cube| cube.holds.clone());
            let test = match (holds, fails) {
                (false, false) => continue,
                (true, false) => Expr::binary(BinaryOp::Subset, held, set.clone()),
                (_, true) => {
                    let both = |cube: &Cube| [&cube.holds[..], &cube.fails].concat();
                    let looked = self.places(plane, &line, "lines with ends", both);
                    let seen = Expr::binary(BinaryOp::Intersect, set.clone(), looked);
                    Expr::binary(BinaryOp::Eq, seen, held)
                }
            };
            all = Some(match all {
                Some(all) => all.and(test),
                None => test,
            });
        }
        all.unwrap_or_else(|| Expr::bool(true, span)).at(span)
    }

    /// The places of a plane that products name.
    fn places(
        &mut self,
        plane: usize,
        line: &Option<Expr>,
        name: &str,
        of: impl Fn(&Cube) -> Vec<u32>,
    ) -> Expr {
        let (span, all) = (self.found.span, self.found.places);
        let places = self.game.placement(self.found.placement).places;
        let own = |cube: &Cube| {
            let tests = of(cube).into_iter();
            let tests = tests.filter(|test| (test / all) as usize == plane);
            let mut places: Vec<u32> = tests.map(|test| test % all).collect();
            places.sort_unstable();
            Const::Set(places)
        };
        let parts = self.parts();
        let mut values = Vec::new();
        for row in &self.rows {
            let cubes = row.as_deref().unwrap_or_default();
            // The last product stands again where there are fewer; where there is none, it is not asked.
            let last = cubes.last().map_or(Const::Set(Vec::new()), own);
            let sets = cubes.iter().map(own).chain(std::iter::repeat(last));
            values.extend(sets.take(parts));
        }
        let mut axes = Vec::new();
        let mut index = Vec::new();
        if let Some((member, axis)) = self.member() {
            axes.push(axis);
            index.push(member);
        }
        if let Some(line) = line {
            axes.push(Axis::Range {
                lo: 0,
                hi: parts as i64 - 1,
            });
            index.push(line.clone());
        }
        if axes.is_empty() {
            let only = values.pop().unwrap_or(Const::Set(Vec::new()));
            return Expr::constant(only, Type::Set(places), span);
        }
        let name = format!("{name} of {}", self.function().name);
        let table = self.table(&name, axes, Type::Set(places), values, None);
        self.lookup(table, index)
    }

    /// Whether a place passes the test of a plane.
    fn test(&mut self, plane: &PlaneSet, place: Expr) -> Expr {
        let content =
            |this: &Self, place: Expr| Expr::content(this.game, this.found.placement, place);
        let stands = content(self, place);
        match plane {
            PlaneSet::Is(function) => {
                let (last, pieces) = function.values.split_last().expect("an empty place");
                let same = |value: bool| pieces.iter().all(|one| *one == Const::Bool(value));
                match (last, same(true), same(false)) {
                    (Const::Bool(false), true, _) => stands.is_some(),
                    (Const::Bool(true), _, true) => stands.is_some().not(),
                    _ => match self.kind_of_piece(function) {
                        Some((table, value)) => {
                            let ty = self.game.table(table).ty.clone();
                            let value = Expr::constant(value, ty, self.found.span);
                            self.lookup(table, vec![stands]).equals(value)
                        }
                        None => self.of_content(function, stands),
                    },
                }
            }
            PlaneSet::InCases(_) => Expr::bool(false, self.found.span),
            PlaneSet::EqualsGiven(function, given) => {
                let value = self.of_content(function, stands);
                value.equals(given.clone().at(self.found.span))
            }
            PlaneSet::EqualsOf(function, other) => {
                let value = self.of_content(function, stands);
                let subject = self.subject();
                let there = content(self, subject);
                let other = self.of_content(other, there);
                value.equals(other)
            }
        }
    }

    /// The table that tells kinds of pieces apart, and the kind that passes a test, if all of that kind pass it and no others.
    fn kind_of_piece(&self, test: &Content) -> Option<(TableId, Const)> {
        let pieces = self.game.placement(self.found.placement).pieces;
        let (empty, passed) = test.values.split_last()?;
        let value_of = |table: &Table| {
            let known = table.axes == [Axis::Domain(pieces)] && table.ty != Type::Bool;
            let outside = table.outside.as_ref().filter(|_| known)?;
            let mut kinds: Vec<&Const> = Vec::new();
            for value in &table.values {
                if !kinds.contains(&value) {
                    kinds.push(value);
                }
            }
            if kinds.len() >= MOST_VALUES {
                return None;
            }
            let mut own = passed.iter().zip(&table.values);
            let (_, wanted) = own.find(|(passed, _)| **passed == Const::Bool(true))?;
            let mut pairs = passed.iter().zip(&table.values);
            let same = pairs.all(|(passed, value)| *passed == Const::Bool(value == wanted));
            (same && *empty == Const::Bool(outside == wanted)).then(|| wanted.clone())
        };
        let tables = (0usize..).zip(&self.game.tables);
        let mut found =
            tables.filter_map(|(id, table)| Some((TableId::from(id), value_of(table)?)));
        found.next()
    }

    /// The place with which others are compared.
    fn subject(&mut self) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let subjects = || (0u32..).zip(&self.found.subjects);
        if let Some((local, domain)) = self.found.by {
            let member = Expr::local(local, Type::Elem(domain), span);
            let axis = Axis::Domain(domain);
            let own = axis == Axis::Domain(places)
                && subjects().all(|(member, subject)| subject.is_none_or(|other| other == member));
            if own {
                return member;
            }
            let values = subjects().map(|(_, subject)| Const::Elem(subject.unwrap_or(0)));
            let values = values.collect();
            let table = self.table("subject", vec![axis], Type::Elem(places), values, None);
            return self.lookup(table, vec![member]);
        }
        let only = subjects().find_map(|(_, subject)| *subject).unwrap_or(0);
        Expr::elem(places, only, span)
    }

    /// A function of what stands somewhere.
    fn of_content(&mut self, function: &Content, stands: Expr) -> Expr {
        let pieces = self.game.placement(self.found.placement).pieces;
        let mut values = function.values.clone();
        let outside = values.pop();
        let itself = (0..)
            .zip(&values)
            .all(|(piece, value)| *value == Const::Elem(piece));
        if itself && outside == Some(Const::None) && function.ty == Type::Opt(pieces) {
            return stands;
        }
        let axes = vec![Axis::Domain(pieces)];
        let table = self.table("what stands", axes, function.ty.clone(), values, outside);
        self.lookup(table, vec![stands])
    }

    fn lookup(&self, table: TableId, index: Vec<Expr>) -> Expr {
        Expr::lookup(self.game, table, index, self.found.span)
    }

    /// A table with these values, one that there is already if possible.
    fn table(
        &mut self,
        name: &str,
        axes: Vec<Axis>,
        ty: Type,
        values: Vec<Const>,
        outside: Option<Const>,
    ) -> TableId {
        let table = Table {
            name: name.to_owned(),
            axes,
            ty,
            values,
            outside,
            span: self.found.span,
        };
        known_or_new(self.game, table)
    }
}
