//! `turns`: what a move does along walks is done to sets of places.
//!
//! Rules turn a row by walking along it, place by place, often there and back, with counters. What such statements come to is found
//! by running them on a board that is not known ([`crate::board::run`]), as turns in a form that does not depend on how they are
//! spelled ([`crate::board::effects`]): from a place on, along rows of a table, places of one kind are passed until one of another
//! kind stops. The set of all places that are passed gets the new value at once, and counters get their number. Whoever
//! listens hears of one place after the other, in the order of the rules: for them the statements stay as they are.

mod place;
mod splice;
mod stands;
#[cfg(test)]
mod tests;
mod ways;
mod write;

pub use ways::{Way, ways};

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::board::contents::{Contents, Mask};
use crate::board::effects::{Counter, Turn};
use crate::board::run::{Board, Change, Run, Runner, State, Stop};
use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Axis, Const, EnvId, Expr, ExprKind, FuncId, Game, LocalId, PlacementForm, PlacementId,
    StmtKind, Type, VarId,
};
use crate::source::Span;

use super::budget;
use super::env;
use super::fold_constants::{drop_functions, drop_tables, simplify};
use super::locals::{assigned, live_before};
use super::patterns::explore::{Explorer, with_room};
use super::patterns::reach;
use super::possible::Possible;
use super::questions::cases_of;
use super::rays::standing::Standing;
use super::rays::tracked;

/// Places from which turns begin.
const MOST_PLACES: usize = 1024;
/// Runs of one function for a place and a case.
const MOST_TRIES: usize = 24;

/// Rewrites what it can.
pub fn run(game: &mut Game) {
    if game.machine.is_some() || !(0..game.placements.len()).any(|at| turns_pieces(game, at)) {
        return;
    }
    with_room(|| run_inside(game));
}

/// Whether some function gives a variable of pieces that stand on places with room for one a value.
fn turns_pieces(game: &Game, at: usize) -> bool {
    let placement = &game.placements[at];
    let mut found = false;
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            if let StmtKind::SetVar(var, ..) = &stmt.kind {
                found |= game.var(*var).axes == [Axis::Domain(placement.pieces)];
            }
        });
    }
    found && placement.form == PlacementForm::One
}

fn run_inside(game: &mut Game) {
    let mut changed = game.clone();
    place::give_places(&mut changed);
    let mut all = turned(&changed);
    if all.is_empty()
        && let Some(next) = splice::spliced(&changed)
    {
        (all, changed) = (turned(&next), next);
    }
    if let Some(mut changed) = written(changed, &all) {
        drop_functions(&mut changed);
        simplify(&mut changed);
        drop_tables(&mut changed);
        *game = changed;
    }
}

/// The statements of all functions that turn something.
fn turned(game: &Game) -> Vec<TurnedRun> {
    let effects = Effects::of(game);
    let after = env::read_after(game, &effects);
    let reached = reach::members(game);
    let possible = Possible::of(game);
    let facts = Surroundings {
        game,
        effects: &effects,
        reached: &reached,
        possible: &possible,
    };
    let mut order: Vec<FuncId> = (0..game.functions.len()).map(FuncId::from).collect();
    order.sort_by_key(|func| effects.reaches(*func).len());
    let mut all: Vec<TurnedRun> = Vec::new();
    for func in order {
        // What a function has others do is found there.
        let reached = effects.reaches(func);
        if !all.iter().any(|found| reached.contains(&found.func)) {
            all.extend(facts.find(func, &after[func.index()]));
        }
    }
    all
}

/// The game with such statements done to sets, if any can be written.
fn written(mut game: Game, all: &[TurnedRun]) -> Option<Game> {
    let mut work: SortedMap<FuncId, budget::Known> = SortedMap::new();
    let mut written = false;
    for found in all {
        let mut next = game.clone();
        if write::write(&mut next, found).is_none() {
            continue;
        }
        place::use_place(&mut next, found.func, found.from, &found.what.places);
        let own = found.what.work.map(|work| (found.func, work));
        let charged: SortedMap<FuncId, budget::Known> =
            work.clone().into_iter().chain(own).collect();
        // Operations on sets are not charged: that must not matter.
        if charged.is_empty() || budget::drop_charges(&mut next.clone(), &charged) {
            (game, work, written) = (next, charged, true);
        }
    }
    written.then_some(game)
}

/// What is known before a function is looked at.
struct Surroundings<'a> {
    game: &'a Game,
    effects: &'a Effects,
    reached: &'a reach::Reached,
    possible: &'a Possible,
}

/// How far it went with a function that is not done to sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Board,
    Place,
    Run,
    Turns,
    Together,
    Written,
    Charged,
}

/// Why a function is not done to sets, and where that is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Why {
    stage: Stage,
    at: Span,
    why: &'static str,
}

impl Why {
    fn new(stage: Stage, at: Span, why: &'static str) -> Why {
        Why { stage, at, why }
    }
}

/// Statements of a function that turn something.
struct TurnedRun {
    func: FuncId,
    /// The parameter that is the place from which turns begin.
    from: LocalId,
    standing: Standing,
    what: What,
}

/// What they do.
struct What {
    /// The first of the statements, and the one behind the last.
    region: (usize, usize),
    /// The places that the function is called for.
    places: SortedSet<u32>,
    /// For each place the ways from it.
    ways: SortedMap<u32, Vec<Vec<u32>>>,
    pass: Mask,
    stop: Mask,
    /// The contents that must not stand on some places.
    never: Vec<(SortedSet<u32>, Mask)>,
    var: VarId,
    /// The value that it gets in each case.
    values: Vec<Const>,
    /// What variables of the environment get.
    env: Vec<(EnvId, Gets)>,
    /// What is charged in the function, if anything is.
    work: Option<budget::Known>,
}

/// What a variable gets: a constant, or so much more for each place that is turned.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Gets {
    Const(Const),
    Each(i64),
}

/// A run for one place in one case.
struct Seen {
    from: u32,
    case: usize,
    run: Run,
}

impl Surroundings<'_> {
    fn find(&self, func: FuncId, after: &SortedSet<EnvId>) -> Result<TurnedRun, Why> {
        let placement = self.placement(func)?;
        let from = self.from(func, placement)?;
        let effect = self.effects.function(func);
        let used = effect.reads.vars.union(&effect.writes.vars).copied();
        let tracked = tracked(self.game, placement, &used.collect());
        let explorer = Explorer::tracking(self.game, self.effects, placement, tracked);
        let written = assigned(&self.game.function(func).body);
        let params = (0..self.game.function(func).params).map(|param| {
            let told = param != from.index() && !written.contains(&LocalId::from(param));
            self.possible.param(func, param).filter(|_| told)
        });
        let params: Vec<_> = params.collect();
        let cases = cases_of(self.game, self.effects, func, &params);
        let standing = Standing {
            placement,
            board: explorer.board(),
            cases,
        };
        let board = Board {
            game: self.game,
            effects: self.effects,
            placement,
            contents: &standing.board.contents,
            tracked: &standing.board.tracked,
            may: stands::of(self.game, placement, &standing.board.contents),
        };
        let until = self.until(func, &board);
        let seen = self.runs((func, until), from, &board, &standing)?;
        let rows = Rows {
            game: self.game,
            effects: self.effects,
            func,
            until,
            board: &board,
            seen: &seen,
            standing: &standing,
        };
        let what = rows.what(after)?;
        Ok(TurnedRun {
            func,
            from,
            standing,
            what,
        })
    }

    /// The only placement of pieces with variables that a function writes.
    fn placement(&self, func: FuncId) -> Result<PlacementId, Why> {
        let effect = self.effects.function(func);
        let mut all = effect.reads.placements.iter().copied().filter(|placement| {
            let placement = self.game.placement(*placement);
            let of_pieces =
                |var: &VarId| self.game.var(*var).axes == [Axis::Domain(placement.pieces)];
            placement.form == PlacementForm::One && effect.writes.vars.iter().any(of_pieces)
        });
        let why = |why| Why::new(Stage::Board, self.game.function(func).span, why);
        match (all.next(), all.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(why(
                "it moves pieces, or changes other things than they are",
            )),
            _ => Err(why("it changes pieces of several boards")),
        }
    }

    /// The only parameter that is a place and read.
    fn from(&self, func: FuncId, placement: PlacementId) -> Result<LocalId, Why> {
        let (game, function) = (self.game, self.game.function(func));
        let places = game.placement(placement).places;
        let mut read = SortedSet::new();
        walk_exprs(&function.body, &mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                read.insert(*local);
            }
        });
        let written = assigned(&function.body);
        let params = (0..function.params).map(LocalId::from);
        let mut own = params
            .filter(|param| read.contains(param) && !written.contains(param))
            .filter(|param| function.local(*param).ty == Type::Elem(places));
        let why = |why| Why::new(Stage::Place, function.span, why);
        match (own.next(), own.next()) {
            (None, _) => Err(why("no place is given from which it begins")),
            (_, Some(_)) => Err(why("it begins from two places")),
            _ if game.domain(places).len() > MOST_PLACES => {
                Err(why("the board has more than 1024 places"))
            }
            (Some(from), None) => Ok(from),
        }
    }

    /// Where the last statement ends that may turn something: what comes after it has no part in this.
    fn until(&self, func: FuncId, board: &Board<'_>) -> usize {
        let function = self.game.function(func);
        if self.effects.is_recursive(func) {
            return function.body.len();
        }
        let last = function.body.iter().rposition(|stmt| {
            let stmts = std::slice::from_ref(stmt);
            let effect = self.effects.block(self.game, &function.locals, stmts);
            let mut written = effect.writes.vars.iter();
            written.any(|var| board.tracked.contains(var))
        });
        last.map_or(0, |last| last + 1)
    }

    /// What the function does for each place in each case, up to some statement.
    fn runs(
        &self,
        (func, until): (FuncId, usize),
        from: LocalId,
        board: &Board<'_>,
        standing: &Standing,
    ) -> Result<Vec<Seen>, Why> {
        let function = self.game.function(func);
        let places = self
            .game
            .domain(self.game.placement(board.placement).places)
            .len() as u32;
        let mut runner = Runner::new(board);
        let mut seen = Vec::new();
        for case in 0..standing.cases.count() {
            let given = given(self.game, self.effects, func, standing, case);
            for place in 0..places {
                if !self.reached.may_be(func, from.index(), place) {
                    continue;
                }
                let args =
                    (0..function.params)
                        .map(LocalId::from)
                        .map(|param| match param == from {
                            true => Some(Const::Elem(place)),
                            false => given.args.get(&param).cloned(),
                        });
                let args: Vec<_> = args.collect();
                let run = best(&mut runner, (func, until), &args, &given.vars);
                // One that does something else soon does so wherever it begins.
                if run.stop == Some(Stop::Unclear)
                    && run.acts.iter().all(|told| told.turn.is_none())
                {
                    return Err(why(&run));
                }
                seen.push(Seen {
                    from: place,
                    case,
                    run,
                });
            }
        }
        let turns = |seen: &Seen| seen.run.acts.iter().any(|told| told.turn.is_some());
        let none = || {
            let stopped = seen.iter().find(|seen| seen.run.stop.is_some());
            match stopped {
                Some(seen) => why(&seen.run),
                None => Why::new(
                    Stage::Turns,
                    function.span,
                    "what it changes is no row that some kind of place ends",
                ),
            }
        };
        match seen.iter().any(turns) {
            true => Ok(seen),
            false => Err(none()),
        }
    }
}

/// Why a run did not go on.
fn why(run: &Run) -> Why {
    let why = match (&run.limit, &run.stop) {
        (Some(limit), _) => limit,
        (None, Some(Stop::Joined(_))) => "what is done here depends on what was changed before",
        _ => "what is looked at or done here depends on more than one place and who moves",
    };
    Why::new(Stage::Run, run.at, why)
}

/// The run of a function that finds most turns, of those that put ways together in more and fewer places.
fn best(
    runner: &mut Runner<'_>,
    (func, until): (FuncId, usize),
    args: &[Option<Const>],
    vars: &[(VarId, Const)],
) -> Run {
    let mut best: Option<((usize, usize), Run, SortedSet<usize>)> = None;
    for _ in 0..MOST_TRIES {
        let run = runner.run((func, until), args, vars);
        let turns = run.acts.iter().filter(|told| told.turn.is_some()).count();
        let score = (turns, run.before.iter().flatten().count());
        let joined = match run.stop {
            Some(Stop::Joined(after)) => Some(after),
            _ => None,
        };
        if best.as_ref().is_none_or(|(known, ..)| score >= *known) {
            best = Some((score, run, runner.apart.clone()));
        }
        if joined.is_none_or(|after| !runner.apart.insert(after)) {
            break;
        }
    }
    let Some((_, run, apart)) = best else {
        return Run::default();
    };
    runner.apart = apart;
    run
}

/// What is known in a case.
struct Given {
    args: SortedMap<LocalId, Const>,
    vars: Vec<(VarId, Const)>,
}

fn given(game: &Game, effects: &Effects, func: FuncId, standing: &Standing, case: usize) -> Given {
    let function = game.function(func);
    let value = |expr: &Expr| {
        let values = standing.cases.values(game, expr)?;
        values.get(case).cloned()
    };
    let params = (0..function.params).map(LocalId::from);
    let args = params.filter_map(|param| {
        let ty = function.local(param).ty.clone();
        Some((param, value(&Expr::local(param, ty, function.span))?))
    });
    let reads = effects.function(func).reads.vars.iter().copied();
    let scalars = reads.filter(|var| game.var(*var).axes.is_empty());
    let vars = scalars.filter_map(|var| {
        Some((
            var,
            value(&Expr::var(game, var, Vec::new(), function.span))?,
        ))
    });
    Given {
        args: args.collect(),
        vars: vars.collect(),
    }
}

/// What runs tell of statements that turn something.
struct Rows<'a> {
    game: &'a Game,
    effects: &'a Effects,
    func: FuncId,
    until: usize,
    board: &'a Board<'a>,
    seen: &'a [Seen],
    standing: &'a Standing,
}

impl Rows<'_> {
    fn what(&self, after: &SortedSet<EnvId>) -> Result<What, Why> {
        let span = self.game.function(self.func).span;
        let why = |why| Why::new(Stage::Together, span, why);
        let region = self
            .region()
            .ok_or_else(|| why("other things are changed among the rows"))?;
        let turns = self.turns(region);
        let masks = self.masks(&turns);
        let (pass, stop) = masks.ok_or_else(|| {
            why("what is passed, or what ends a row, is not the same for all rows")
        })?;
        let values = self.values(&turns);
        let (var, values) = values.ok_or_else(|| why("not all rows get the same value"))?;
        let known = self.known(&turns);
        let completed = |mask: Mask| {
            mask.iter()
                .map(|mask| self.completed(mask, &known))
                .collect()
        };
        let works = self.seen.iter().map(|seen| seen.run.work).max();
        let len = self.game.function(self.func).body.len();
        let work = works.filter(|work| *work > 0).map(|work| budget::Known {
            work,
            rest: len - self.until,
        });
        let whole = self.seen.iter().all(|seen| seen.run.stop.is_none());
        if work.is_some() && !whole {
            return Err(self
                .seen
                .iter()
                .find(|seen| seen.run.stop.is_some())
                .map_or_else(
                    || why("it cannot be followed to its end"),
                    |seen| self::why(&seen.run),
                ));
        }
        let ways = self.ways(&turns);
        let changes = self.changes(region, after);
        Ok(What {
            region,
            places: self.seen.iter().map(|seen| seen.from).collect(),
            ways: ways.ok_or_else(|| why("the rows are not the same whoever moves"))?,
            never: self.never(&turns),
            pass: completed(pass),
            stop: completed(stop),
            var,
            values,
            env: changes.ok_or_else(|| {
                why("what is counted or kept meanwhile is no number for each place that is changed")
            })?,
            work,
        })
    }

    /// The statements from the first turn to the last one, if nothing else is among them.
    fn region(&self) -> Option<(usize, usize)> {
        let len = self.game.function(self.func).body.len();
        let (mut bad, mut turns) = (vec![false; len], vec![false; len]);
        let mut whole = vec![true; len + 1];
        for seen in self.seen {
            for (whole, before) in whole.iter_mut().zip(&seen.run.before) {
                *whole &= before.is_some();
            }
            for told in seen.run.acts.iter().filter(|told| !told.act.is_idle()) {
                let kind = if told.turn.is_some() {
                    &mut turns
                } else {
                    &mut bad
                };
                kind[told.stmts.0..=told.stmts.1].fill(true);
            }
        }
        let mut start = turns
            .iter()
            .zip(&bad)
            .position(|(turns, bad)| *turns && !bad)?;
        let mut end = (start..len)
            .take_while(|at| !bad[*at])
            .filter(|at| turns[*at])
            .last()?
            + 1;
        while !whole[start] {
            start = start.checked_sub(1).filter(|at| !bad[*at])?;
        }
        while !whole[end] {
            end = Some(end + 1).filter(|end| *end <= len && !bad[*end - 1])?;
        }
        Some((start, end))
    }

    /// The turns among some statements, with the place from which they begin and the case.
    fn turns(&self, (start, end): (usize, usize)) -> Vec<(u32, usize, &Turn)> {
        let mut all = Vec::new();
        for seen in self.seen {
            for told in &seen.run.acts {
                if start <= told.stmts.0 && told.stmts.1 < end {
                    all.extend(told.turn.as_ref().map(|turn| (seen.from, seen.case, turn)));
                }
            }
        }
        all
    }

    /// What is passed and what stops in each case, if that is the same for all turns.
    fn masks(&self, turns: &[(u32, usize, &Turn)]) -> Option<(Mask, Mask)> {
        let none = Contents::of(&vec![false; self.board.contents.len() + 1]);
        let mut pass = vec![none.clone(); self.standing.cases.count()];
        let mut stop = pass.clone();
        for (_, case, turn) in turns {
            pass[*case] = pass[*case].joined(&turn.pass);
            stop[*case] = stop[*case].joined(&turn.stop);
        }
        let same = turns.iter().all(|(_, case, turn)| {
            let (pass, stop) = (&pass[*case], &stop[*case]);
            let last = turn.places.len() - 1;
            let both = pass.met(stop, true);
            turn.before.iter().enumerate().all(|(at, before)| {
                let passes = at == last || before.met(pass, true) == before.met(&turn.pass, true);
                let stops = at == 0 || before.met(stop, true) == before.met(&turn.stop, true);
                passes && stops && before.met(&both, true).is_empty()
            })
        });
        same.then_some((pass, stop))
    }

    /// The variable that gets a value, and which it is in each case.
    fn values(&self, turns: &[(u32, usize, &Turn)]) -> Option<(VarId, Vec<Const>)> {
        let var = turns.first()?.2.var;
        let mut values: Vec<Option<Const>> = vec![None; self.standing.cases.count()];
        for (_, case, turn) in turns {
            if turn.var != var
                || *values[*case].get_or_insert_with(|| turn.value.clone()) != turn.value
            {
                return None;
            }
        }
        let values = values.into_iter().collect::<Option<_>>()?;
        Some((*self.board.tracked.get(var)?, values))
    }

    /// The ways from each place, if they are the same in all cases.
    fn ways(&self, turns: &[(u32, usize, &Turn)]) -> Option<SortedMap<u32, Vec<Vec<u32>>>> {
        let mut all: SortedMap<u32, Vec<Vec<Vec<u32>>>> = SortedMap::new();
        let cases = self.standing.cases.count();
        for (from, case, turn) in turns {
            let each = all.entry(*from).or_insert_with(|| vec![Vec::new(); cases]);
            each[*case].push(turn.places.clone());
        }
        let same = all.into_iter().map(|(from, mut each)| {
            each.iter_mut().for_each(|ways| ways.sort());
            each.dedup();
            let [ways] = &each[..] else { return None };
            Some((from, ways.clone()))
        });
        same.collect()
    }

    /// The contents that can stand on the ways at all.
    fn known(&self, turns: &[(u32, usize, &Turn)]) -> Contents {
        let none = Contents::of(&vec![false; self.board.contents.len() + 1]);
        let before = turns.iter().flat_map(|(_, _, turn)| &turn.before);
        before.fold(none, |some, before| match before.is_within(&some) {
            true => some,
            false => some.joined(before),
        })
    }

    /// What texts of positions could put where the rules never bring it: places on the ways, and others that were looked at.
    fn never(&self, turns: &[(u32, usize, &Turn)]) -> Vec<(SortedSet<u32>, Mask)> {
        let places = turns.iter().flat_map(|(_, _, turn)| &turn.places);
        let on: SortedSet<u32> = places.copied().collect();
        let looked = self.seen.iter().flat_map(|seen| &seen.run.looked);
        let off: SortedSet<u32> = looked.copied().filter(|at| !on.contains(at)).collect();
        let groups = [on, off].into_iter().filter_map(|places| {
            let never: Vec<bool> = (0..=self.board.contents.len())
                .map(|at| {
                    let mut all = places.iter();
                    !all.all(|place| self.board.may[*place as usize].contains(at))
                })
                .collect();
            let mask = vec![Contents::of(&never); self.standing.cases.count()];
            never.contains(&true).then_some((places, mask))
        });
        groups.collect()
    }

    /// A set of contents with those that do not matter, which are like others with the same variables.
    fn completed(&self, mask: &Contents, known: &Contents) -> Contents {
        let contents = self.board.contents;
        let each = contents.iter().enumerate().map(|(at, (_, own))| {
            if known.contains(at) {
                return mask.contains(at);
            }
            let mut others = contents.iter().enumerate();
            others.any(|(other, (_, values))| {
                values == own && known.contains(other) && mask.contains(other)
            })
        });
        let empty = mask.contains(contents.len());
        Contents::of(&each.chain([empty]).collect::<Vec<_>>())
    }

    /// What variables of the environment hold after the statements and is read there; nothing where that cannot be told.
    fn changes(
        &self,
        region: (usize, usize),
        after: &SortedSet<EnvId>,
    ) -> Option<Vec<(EnvId, Gets)>> {
        let function = self.game.function(self.func);
        let (inside, rest) = (
            &function.body[region.0..region.1],
            &function.body[region.1..],
        );
        let written = self
            .effects
            .block(self.game, &function.locals, inside)
            .writes
            .env;
        let read = self
            .effects
            .block(self.game, &function.locals, rest)
            .reads
            .env;
        let mut all = Vec::new();
        for var in written
            .iter()
            .filter(|var| after.contains(var) || read.contains(var))
        {
            let gets = self.gets(region, &|run, state| run.env(state, *var))?;
            all.extend(gets.map(|gets| (*var, gets)));
        }
        let assigned = assigned(inside);
        let live = live_before(rest, &SortedSet::new());
        for local in live.into_iter().filter(|local| assigned.contains(local)) {
            if self
                .gets(region, &|run, state| run.local(state, local))?
                .is_some()
            {
                return None;
            }
        }
        let still = self.seen.iter().all(|seen| {
            let (start, end) = (&seen.run.before[region.0], &seen.run.before[region.1]);
            let given = given(self.game, self.effects, self.func, self.standing, seen.case);
            match (start, end) {
                (Some(start), Some(end)) => start.same_vars(end) && start.knows(&given.vars),
                _ => false,
            }
        });
        still.then_some(all)
    }

    /// What a variable gets: nothing inside if it is as before.
    #[allow(
        clippy::option_option,
        reason = "whether it can be told, and whether it changes"
    )]
    fn gets(
        &self,
        (start, end): (usize, usize),
        read: &dyn Fn(&Run, &State) -> Change,
    ) -> Option<Option<Gets>> {
        let mut all: Option<Gets> = None;
        // Of runs that leave it as it was, whether they turn something, and its value if that is known.
        let mut still: Vec<(bool, Option<Const>)> = Vec::new();
        let mut found = |gets: Gets| *all.get_or_insert_with(|| gets.clone()) == gets;
        for Seen { run, .. } in self.seen {
            let (before, after) = (run.before[start].as_ref()?, run.before[end].as_ref()?);
            let turning = run.acts.iter().enumerate().filter(|(_, told)| {
                start <= told.stmts.0 && told.stmts.1 < end && told.turn.is_some()
            });
            let turning: SortedSet<usize> = turning.map(|(at, _)| at).collect();
            let fits = match (read(run, before), read(run, after)) {
                (Change::Sum(a, from, old), Change::Sum(b, to, new)) if a == b => {
                    let added = new.iter().filter(|act| !old.contains(act));
                    let added: Vec<&(usize, usize)> = added.collect();
                    let mut counting = SortedSet::new();
                    let counts = added.iter().all(|(act, counter)| {
                        match run.acts.get(*act).map(|told| told.act.counter(*counter)) {
                            Some(Counter::Still) => true,
                            Some(Counter::Each(each)) => {
                                counting.insert(*act);
                                found(Gets::Each(each))
                            }
                            _ => false,
                        }
                    });
                    match (from == to, added.is_empty()) {
                        (true, true) => {
                            let value = a.is_none().then_some(Const::Int(from));
                            still.push((!turning.is_empty(), value));
                            true
                        }
                        (true, false) => counts && counting == turning,
                        (false, true) if b.is_none() => found(Gets::Const(Const::Int(to))),
                        _ => false,
                    }
                }
                (Change::Const(from), Change::Const(to)) if from == to => {
                    still.push((!turning.is_empty(), Some(from)));
                    true
                }
                (_, Change::Const(to)) => found(Gets::Const(to)),
                _ => false,
            };
            if !fits {
                return None;
            }
        }
        let fits = match &all {
            // What is constant must be so in all runs, and what counts must count wherever something is turned.
            Some(Gets::Const(value)) => still.iter().all(|(_, own)| own.as_ref() == Some(value)),
            Some(Gets::Each(_)) => !still.iter().any(|(turns, _)| *turns),
            None => true,
        };
        fits.then_some(all)
    }
}
