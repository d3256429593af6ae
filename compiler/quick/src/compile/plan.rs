//! Plans of moves: the search for the legal moves of a decision as operations.
//!
//! A plan binds parameters in nested loops over sets, asks each question as soon as what it looks at is bound, and adds what is
//! left: moves one by one, or all that differ in the last parameter as one set. It does in the same order what
//! [`crate::run::moves`] does step by step, for decisions that have no plan and for the distinct moves of those whose moves
//! have classes.

use super::link::{Label, Leave};
use super::{Made, Maker, operands};
use crate::code::*;
use crate::ir::{Const, Stmt, StmtKind};
use crate::op::*;

/// Operations of a condition that is asked again rather than looked up.
const MOST_ASKED: usize = 12;

/// Pieces that are tried one by one, whether or not they have candidates at all.
const MOST_TRIED: u32 = 2;

/// Values of a parameter whose candidates are listed, which are told apart in one word.
const MOST_ITEMS: u64 = 64;

/// An arm while its plan is made.
pub(super) struct Planned<'a> {
    point: usize,
    arm: usize,
    number: usize,
    pub(super) family: &'a Family,
    /// The rank that the moves so far have, if ranks decide.
    pub(super) highest: Option<Reg>,
}

impl Maker<'_> {
    /// Makes the plans of all decisions.
    pub(super) fn plans(&mut self) -> Made<()> {
        let families = std::mem::take(&mut self.code.families);
        for point in 0..self.code.points.len() {
            let Point::Choose(choose) = &self.code.points[point] else {
                continue;
            };
            let arms: Vec<usize> = choose.arms.iter().map(|arm| arm.family).collect();
            let ranked = choose.ranked;
            let fits = |family: &Family| {
                // Operations compare numbers with a sign.
                let mut radices = family.codes.digits.iter().map(|(_, radix)| *radix);
                let mut items = family.params.iter().zip(&family.codes.digits);
                radices.all(|radix| i64::try_from(radix).is_ok())
                    && items.all(|(param, (_, radix))| {
                        !matches!(param.source, Source::Seq(_)) || *radix <= MOST_ITEMS
                    })
            };
            if !self.is_final || !arms.iter().all(|&family| fits(&families[family])) {
                continue;
            }
            let turn = self.turn_code(choose.decide)?;
            let plan = self.plan(point, &arms, ranked, &families)?;
            if let Point::Choose(choose) = &mut self.code.points[point] {
                choose.plan = Some(plan);
                choose.turn = turn;
                choose.classed = arms
                    .iter()
                    .any(|&family| !families[family].class.is_empty());
            }
        }
        self.code.families = families;
        Ok(())
    }

    /// Says how random games go on at each point.
    pub(super) fn turns(&mut self) {
        for point in &self.code.points {
            let turn = match point {
                Point::Choose(Choose {
                    turn: Some(turn),
                    tries,
                    ..
                }) => Turn::Moves(*turn, *tries),
                Point::Choose(_) => Turn::Leaves,
                Point::Chance(chance) => chance.alike().unwrap_or(Turn::Leaves),
            };
            self.code.turns.push(turn);
        }
    }

    /// What tells who decides, in front of the search for moves; where that begins.
    fn turn_code(&mut self, decide: usize) -> Made<Option<u16>> {
        let entry = u16::try_from(self.code.ops.len()).ok();
        let ops = self.code.ops[decide..].iter();
        let ops: Vec<Op> = ops.take_while(|op| **op != Op::Halt).copied().collect();
        // Nothing was done since the stop otherwise.
        let works = ops
            .iter()
            .any(|op| matches!(op, Op::Charge | Op::Call(_) | Op::Invoke(_) | Op::Slow(_)));
        let sets = ops.iter().any(|op| {
            let given = operands::given(&mut op.clone()).copied();
            let changed = operands::changed(*op).into_iter().flatten();
            let mut words = given.into_iter().chain(changed);
            words.any(|word| self.code.env.contains(&usize::from(word)))
        });
        self.code.ops.extend(ops);
        self.begin_flat();
        match self.code.env.is_empty() {
            _ if !works && !sets => {}
            true => {
                let (work, zero) = (self.reg(self.code.work)?, self.number(0)?);
                self.emit(Op::Move(work, zero));
            }
            false => self.slow(Slow::Fresh)?,
        }
        Ok(entry)
    }

    fn plan(
        &mut self,
        point: usize,
        arms: &[usize],
        ranked: bool,
        families: &[Family],
    ) -> Made<usize> {
        let begin = self.code.ops.len();
        self.begin_flat();
        let known = match ranked {
            true => self.known_ranks(arms, families),
            false => None,
        };
        let highest = match ranked && known.is_none() {
            true => {
                let (highest, least) = (self.temp()?, self.number(i64::MIN)?);
                self.emit(Op::Move(highest, least));
                Some(highest)
            }
            false => None,
        };
        let mut order: Vec<usize> = (0..arms.len()).collect();
        if let Some(known) = &known {
            order.sort_by_key(|arm| std::cmp::Reverse(known[*arm]));
        }
        let all_found = self.label();
        for (place, &arm) in order.iter().enumerate() {
            if let (Some(known), true) = (&known, place > 0)
                && known[arm] < known[order[place - 1]]
            {
                let some = self.temp()?;
                self.slow(Slow::SomeFound(some))?;
                self.jump(Op::If(some, 0), all_found);
            }
            let number = arms[arm];
            let family = &families[number];
            self.own_rooms(family);
            let planned = Planned {
                point,
                arm,
                number,
                family,
                highest,
            };
            let end = self.label();
            let used = self.begin_arm();
            let first = Packed {
                base: family.codes.base as i64,
                digits: Box::default(),
            };
            self.asked(&planned, 0, end)?;
            self.bound(&planned, 0, &first, end)?;
            self.end_arm(used);
            self.here(end);
        }
        self.here(all_found);
        self.emit(Op::Draw);
        self.tidy(begin, None);
        self.link()?;
        Ok(begin)
    }

    /// The ranks of all moves of each arm, where they are known and nobody can tell which arm is looked at first: of moves that
    /// are legal only those of one rank are left.
    fn known_ranks(&self, arms: &[usize], families: &[Family]) -> Option<Vec<i64>> {
        let rank = |family: &Family| {
            let Some(func) = family.rank else {
                return Some(0);
            };
            let [Stmt { kind, .. }] = &self.game.functions[func].body[..] else {
                return None;
            };
            match kind {
                StmtKind::Return(Some(value)) => match value.as_const()? {
                    Const::Int(rank) => Some(*rank),
                    _ => None,
                },
                _ => None,
            }
        };
        let arms = arms.iter().map(|number| &families[*number]);
        let harmless = arms.clone().all(|family| family.harmless);
        let ranks = arms.map(rank);
        harmless.then(|| ranks.collect())?
    }

    /// Candidates that begin with the parameters that are bound, of which all is asked; `next` goes on with others.
    fn bound(
        &mut self,
        planned: &Planned<'_>,
        bound: usize,
        first: &Packed,
        next: Label,
    ) -> Made<()> {
        let family = planned.family;
        let Some(param) = family.params.get(bound) else {
            return self.add(planned, first, next);
        };
        let set = match &param.source {
            Source::Is(_) | Source::Place(..) => {
                return self.following(planned, bound, first, next);
            }
            Source::Seq(func) => return self.items_of(planned, bound, *func, first),
            _ => self.candidates_of(planned, bound, next)?,
        };
        if bound == 0 {
            self.all_alone(planned, next)?;
        }
        let set = self.supplied(planned, bound, set)?;
        if planned.highest.is_none() && self.is_product(family, bound) {
            return self.product(planned, bound, set, first, next);
        }
        if let Some(rows) = self.rows_of(planned, bound, set) {
            let first = self.packed_at(first)?;
            return self.find_rows(RowsFound { first, ..rows });
        }
        if let Some(steps) = self.steps_of(planned, bound, set)? {
            let first = self.packed_at(first)?;
            let steps = StepsFound { first, ..steps };
            let steps = Self::listed(&mut self.code.found_steps, steps)?;
            self.emit(Op::FindSteps(steps));
            return Ok(());
        }
        let set = self.that_meet(planned, bound, set)?;
        let is_last = bound + 1 == family.params.len();
        if is_last && family.free && planned.highest.is_none() {
            if param.words == 1 {
                let set = self.reg(set)?;
                let first = self.form(first)?;
                self.emit(Op::FindAll(first, set));
                return Ok(());
            }
            let first = self.packed_at(first)?;
            return self.slow(Slow::FindAll(first, set, param.words));
        }
        let (top, end) = (self.label(), self.label());
        let at = self.reg(param.at)?;
        match param.words {
            1 => {
                let (set, foot) = (self.reg(set)?, self.label());
                let rest = match is_fresh(param, bound, set) {
                    true => set,
                    false => self.temp()?,
                };
                if rest != set {
                    self.emit(Op::Move(rest, set));
                }
                self.jump(Op::Next(at, rest, 0), end);
                let first = self.gathered(first)?;
                self.here(top);
                self.asked(planned, bound + 1, foot)?;
                let first = with_digit(planned, bound, at, &first);
                self.bound(planned, bound + 1, &first, foot)?;
                self.here(foot);
                self.jump(Op::Again(at, rest, 0), top);
            }
            words => {
                let (rest, zero) = (self.far_room(words), self.number(0)?);
                self.slow(Slow::Copy(set, rest, words))?;
                self.here(top);
                self.slow(Slow::NextMember(rest, words, at))?;
                self.jump(Op::IfLess(at, zero, 0), end);
                self.asked(planned, bound + 1, top)?;
                let first = with_digit(planned, bound, at, first);
                self.bound(planned, bound + 1, &first, top)?;
                self.jump(Op::Jump(0), top);
            }
        }
        self.here(end);
        Ok(())
    }

    /// The pieces of a set that stand where the parameter that follows takes them from, if nothing is asked before of the others.
    fn supplied(&mut self, planned: &Planned<'_>, bound: usize, set: At) -> Made<At> {
        let Some(supply) = supply_of(planned.family, bound) else {
            return Ok(set);
        };
        let words = planned.family.params[bound].words;
        let both = self.room(words);
        for i in 0..words {
            let (to, one, other) = (
                self.reg(both + i)?,
                self.reg(set + i)?,
                self.reg(supply + i)?,
            );
            self.emit(Op::Both(to, one, other));
        }
        Ok(both)
    }

    /// The pieces of a set that have candidates at all for the parameter behind their place, if nothing is asked before of the
    /// others.
    fn that_meet(&mut self, planned: &Planned<'_>, bound: usize, set: At) -> Made<At> {
        let family = planned.family;
        let [one, second, third, ..] = &family.params[bound..] else {
            return Ok(set);
        };
        let Source::Row(by, table) = third.source else {
            return Ok(set);
        };
        let places = match &second.source {
            Source::Place(places, ..) => *places,
            Source::Is(Num::Among(places, piece)) => match **piece {
                Num::At(at) if at == one.at => *places,
                _ => return Ok(set),
            },
            _ => return Ok(set),
        };
        let mut asked = family.questions.iter().map(|question| question.bound);
        let is_asked = asked.any(|asked| (bound + 1..=bound + 2).contains(&asked));
        let size = |at| {
            self.code
                .image
                .get(at)
                .map_or(0, |set: &i64| set.count_ones())
        };
        let many = match one.source {
            Source::Members(at) => size(at),
            _ => MOST_TRIED + 1,
        };
        let fits = one.words == 1 && third.words == 1 && by == second.at;
        let fits = fits && many > MOST_TRIED && table < NEAR;
        let mut late = third.late.iter();
        let pass = late.find_map(|set| match set.kind {
            SetKind::At(at) => Some(at),
            _ => None,
        });
        let Some(pass) = pass.filter(|_| fits && (!is_asked || family.harmless)) else {
            return Ok(set);
        };
        let (to, pieces) = (self.temp()?, self.reg(set)?);
        let (places, table, pass) = (self.reg(places)?, self.reg(table)?, self.reg(pass)?);
        let meeting = Meeting {
            places,
            table,
            pass,
        };
        let meeting = Self::listed(&mut self.code.meetings, meeting)?;
        self.emit(Op::Meet(to, pieces, meeting));
        Ok(usize::from(to))
    }

    /// Pieces, the place of each, and candidates in which neither has a say.
    fn product(
        &mut self,
        planned: &Planned<'_>,
        bound: usize,
        set: At,
        first: &Packed,
        next: Label,
    ) -> Made<()> {
        let family = planned.family;
        let last = self.candidates_of(planned, bound + 2, next)?;
        let mut late = family.questions.iter();
        let pieces = match late.any(|question| question.bound > bound) {
            true => self.asked_apart(planned, bound, set)?,
            false => set,
        };
        let Source::Place(places, ..) = family.params[bound + 1].source else {
            return Ok(());
        };
        let radix = |param: usize| family.codes.digits[param].1;
        let first = self.packed_at(first)?;
        let product = Product {
            first,
            pieces,
            words: family.params[bound].words,
            places,
            strides: [radix(bound + 1) * radix(bound + 2), radix(bound + 2)],
            last,
            last_words: family.params[bound + 2].words,
        };
        let is_short = product.words == 1 && product.last_words == 1;
        let is_near = product.pieces < NEAR && product.last < NEAR;
        let product = Self::listed(&mut self.code.products, product)?;
        if !(is_short && is_near) {
            return self.slow(Slow::Product(product));
        }
        self.emit(Op::FindProduct(product));
        Ok(())
    }

    /// Candidates that a function lists, each once.
    fn items_of(
        &mut self,
        planned: &Planned<'_>,
        bound: usize,
        func: usize,
        first: &Packed,
    ) -> Made<()> {
        let (lo, _) = planned.family.codes.digits[bound];
        self.ask(planned, func, bound)?;
        let value = self.code.funcs[func].value.clone();
        let room = self.far_room(value.len());
        let listed = Seq {
            words: value.len(),
            to: 0,
            kind: SeqKind::At(value.start),
        };
        self.slow(Slow::Keep(Val::Seq(listed), room))?;
        let (number, seen, zero) = (self.temp()?, self.temp()?, self.number(0)?);
        let (top, end) = (self.label(), self.label());
        let at = self.reg(planned.family.params[bound].at)?;
        self.emit(Op::Move(number, zero));
        self.emit(Op::Move(seen, zero));
        self.here(top);
        self.slow(Slow::NextItem(room, number, at))?;
        self.jump(Op::IfLess(number, zero, 0), end);
        let mut digit = at;
        if lo != 0 {
            let least = self.number(lo.wrapping_neg())?;
            digit = self.temp()?;
            self.emit(Op::Plus(digit, at, least));
        }
        self.jump(Op::IfHas(seen, digit, 0), top);
        self.emit(Op::Insert(seen, digit));
        self.asked(planned, bound + 1, top)?;
        let first = with_digit(planned, bound, digit, first);
        self.bound(planned, bound + 1, &first, top)?;
        self.jump(Op::Jump(0), top);
        self.here(end);
        Ok(())
    }

    /// Whether what is left are members of a set, the place of each, and candidates in which neither has a say.
    fn is_product(&self, family: &Family, bound: usize) -> bool {
        let second = family.params.get(bound + 1).map(|param| &param.source);
        let asked = family
            .questions
            .iter()
            .any(|question| question.bound > bound);
        family.product == Some(bound)
            && matches!(second, Some(Source::Place(..)))
            && supply_of(family, bound).is_some()
            && (!asked || family.harmless)
    }

    /// The members of a set of one word, for each of which with its place all questions are answered with yes.
    fn asked_apart(&mut self, planned: &Planned<'_>, bound: usize, set: At) -> Made<At> {
        let family = planned.family;
        let [one, second, ..] = &family.params[bound..] else {
            return Ok(set);
        };
        let (kept, rest) = (self.temp()?, self.temp()?);
        let (at, zero, all) = (self.reg(one.at)?, self.number(0)?, self.reg(set)?);
        let (top, foot, end) = (self.label(), self.label(), self.label());
        self.emit(Op::Move(rest, all));
        self.emit(Op::Move(kept, zero));
        self.jump(Op::Next(at, rest, 0), end);
        self.here(top);
        self.asked(planned, bound + 1, foot)?;
        if let Source::Place(places, ..) = &second.source {
            let place = Num::Among(*places, Box::new(Num::At(one.at)));
            let there = self.reg(second.at)?;
            self.num_into(&place, there)?;
        }
        self.asked(planned, bound + 2, foot)?;
        self.emit(Op::Insert(kept, at));
        self.here(foot);
        self.jump(Op::Again(at, rest, 0), top);
        self.here(end);
        Ok(usize::from(kept))
    }

    /// The questions that can be asked once so many parameters are bound; `next` goes on where one is answered with no.
    fn asked(&mut self, planned: &Planned<'_>, bound: usize, next: Label) -> Made<()> {
        for question in &planned.family.questions {
            if question.bound == bound {
                self.question(planned, question, next)?;
            }
        }
        Ok(())
    }

    /// The number of a packed form.
    fn form(&mut self, packed: &Packed) -> Made<u16> {
        Self::listed(&mut self.code.packed, packed.clone())
    }

    /// Where a packed form lies.
    fn packed_at(&mut self, packed: &Packed) -> Made<Reg> {
        if packed.digits.is_empty() {
            return self.number(packed.base);
        }
        let (to, packed) = (self.temp()?, self.form(packed)?);
        self.emit(Op::Pack(to, packed));
        Ok(to)
    }

    /// The same packed form for a loop, which does not add up what is known before.
    fn gathered(&mut self, packed: &Packed) -> Made<Packed> {
        if packed.digits.len() < 2 {
            return Ok(packed.clone());
        }
        let at = self.packed_at(packed)?;
        Ok(Packed {
            base: 0,
            digits: [(at, 1)].into(),
        })
    }

    /// A parameter that follows from those before.
    fn following(
        &mut self,
        planned: &Planned<'_>,
        bound: usize,
        first: &Packed,
        next: Label,
    ) -> Made<()> {
        let family = planned.family;
        let param = &family.params[bound];
        let (lo, radix) = family.codes.digits[bound];
        let (at, zero) = (self.reg(param.at)?, self.number(0)?);
        if !is_look(&param.source) {
            self.afresh(planned)?;
        }
        match &param.source {
            Source::Place(places, table, _) => {
                let before = bound.saturating_sub(1);
                let piece = family.params[before].at;
                let place = Num::Among(*places, Box::new(Num::At(piece)));
                self.num_into(&place, at)?;
                if supply_of(family, before).is_some() {
                    // Nobody else is among the candidates.
                    return self.followed(planned, bound, at, first, next);
                }
                let counts = self.temp()?;
                self.jump(Op::IfLess(at, zero, 0), next);
                let known = Num::Among(*table, Box::new(Num::At(param.at)));
                self.num_into(&known, counts)?;
                self.jump(Op::Unless(counts, 0), next);
            }
            Source::Is(num) => {
                self.num_into(num, at)?;
                if lo == 0 && !self.is_there(planned.number, bound) {
                    self.jump(Op::IfLess(at, zero, 0), next);
                }
            }
            _ => {}
        }
        let mut digit = at;
        if param.words == 0 || lo != 0 {
            let (least, most) = (self.number(lo.wrapping_neg())?, self.number(radix as i64)?);
            digit = self.temp()?;
            self.emit(Op::Plus(digit, at, least));
            self.jump(Op::IfLess(digit, zero, 0), next);
            self.jump(Op::IfAtMost(most, digit, 0), next);
        }
        self.followed(planned, bound, digit, first, next)
    }

    /// What comes behind a parameter that follows, whose digit is known.
    fn followed(
        &mut self,
        planned: &Planned<'_>,
        bound: usize,
        digit: Reg,
        first: &Packed,
        next: Label,
    ) -> Made<()> {
        if bound == 0 {
            self.all_alone(planned, next)?;
        }
        self.asked(planned, bound + 1, next)?;
        let first = with_digit(planned, bound, digit, first);
        self.bound(planned, bound + 1, &first, next)
    }

    /// A new chain of evaluation.
    pub(super) fn afresh(&mut self, planned: &Planned<'_>) -> Made<()> {
        let zero = self.number(0)?;
        for at in &planned.family.afresh {
            let at = self.reg(*at)?;
            self.emit(Op::Move(at, zero));
        }
        Ok(())
    }

    /// Runs a function of the context and so many parameters.
    pub(super) fn ask(&mut self, planned: &Planned<'_>, func: usize, bound: usize) -> Made<()> {
        if self.code.funcs[func].recursive {
            return self.slow(Slow::Ask(planned.number, func, bound));
        }
        self.hand(planned, func, bound)?;
        self.call_of(func)
    }

    /// Gives a function the context and so many parameters, in a new chain of evaluation.
    fn hand(&mut self, planned: &Planned<'_>, func: usize, bound: usize) -> Made<()> {
        let mut to = self.code.funcs[func].head.start;
        self.afresh(planned)?;
        for (at, words) in &planned.family.context {
            self.copy(*at, to, *words)?;
            to += words;
        }
        for param in &planned.family.params[..bound] {
            self.copy(param.at, to, 1)?;
            to += 1;
        }
        Ok(())
    }

    /// A question: on to other candidates if the answer is no.
    fn question(&mut self, planned: &Planned<'_>, question: &Question, next: Label) -> Made<()> {
        if let (Some(holds), Ask::Holds(entry, _)) = (&question.holds, &question.ask) {
            let ops = self.code.ops[*entry..].iter();
            let long = ops.take_while(|op| **op != Op::Halt).count();
            let calls = self.code.ops[*entry..*entry + long].iter().any(|op| {
                matches!(
                    op,
                    Op::Num(..) | Op::Word(..) | Op::Slow(_) | Op::Invoke(_) | Op::Call(_)
                )
            });
            if question.asked.is_none() || (long <= MOST_ASKED && !calls) {
                return self.branch(holds, next, false);
            }
        }
        let body = match (&question.ask, question.asked) {
            (Ask::Rest(func), None) => self.bodies.get(*func).cloned().flatten(),
            _ => None,
        };
        if let Some(body) = body {
            self.afresh(planned)?;
            let on = self.label();
            self.stands_in(&body, Leave::Answer(next, false, on))?;
            self.here(on);
            return Ok(());
        }
        let Some(asked) = question.asked else {
            let answer = self.answer(planned, question)?;
            self.jump(Op::Unless(answer, 0), next);
            return Ok(());
        };
        let (answer, known) = (self.temp()?, self.label());
        self.jump(Op::Answered(answer, asked, 0), known);
        let value = self.answer(planned, question)?;
        self.emit(Op::Move(answer, value));
        self.emit(Op::Answer(answer, asked));
        self.here(known);
        self.jump(Op::Unless(answer, 0), next);
        Ok(())
    }

    /// Works out the answer of a question.
    fn answer(&mut self, planned: &Planned<'_>, question: &Question) -> Made<Reg> {
        match (&question.ask, &question.holds) {
            (Ask::Function(func), _) => {
                self.ask(planned, *func, planned.family.params.len())?;
                self.reg(self.code.funcs[*func].value.start)
            }
            (Ask::Rest(func), _) => {
                self.afresh(planned)?;
                self.call_of(*func)?;
                self.reg(self.code.funcs[*func].value.start)
            }
            (Ask::Holds(..), Some(holds)) => self.operand(holds),
            (Ask::Holds(_, answer), None) => self.reg(*answer),
        }
    }

    /// Adds a candidate for which the guard holds.
    fn add(&mut self, planned: &Planned<'_>, mv: &Packed, next: Label) -> Made<()> {
        let family = planned.family;
        if family.after.is_some() {
            let (answer, behind) = (self.temp()?, self.label());
            let candidates = self.reg(self.code.candidates)?;
            self.jump(Op::If(candidates, 0), behind);
            self.slow(Slow::Judge(planned.point, planned.arm, answer))?;
            self.jump(Op::Unless(answer, 0), next);
            self.here(behind);
        }
        if let Some(highest) = planned.highest {
            let (rank, found) = (self.temp()?, self.label());
            self.rank(planned, rank)?;
            self.jump(Op::IfLess(rank, highest, 0), next);
            self.jump(Op::IfEqual(rank, highest, 0), found);
            self.emit(Op::Move(highest, rank));
            self.slow(Slow::FindNone)?;
            self.here(found);
        }
        let mv = self.form(mv)?;
        self.emit(Op::Find(mv));
        Ok(())
    }

    /// Works out the rank of a candidate.
    fn rank(&mut self, planned: &Planned<'_>, to: Reg) -> Made<()> {
        let family = planned.family;
        let Some(func) = family.rank else {
            let zero = self.number(0)?;
            self.emit(Op::Move(to, zero));
            return Ok(());
        };
        if let Some(body) = self.small(func) {
            self.hand(planned, func, family.params.len())?;
            let end = self.label();
            self.stands_in(&body, Leave::Into(to, end))?;
            self.here(end);
            return Ok(());
        }
        self.ask(planned, func, family.params.len())?;
        let value = self.reg(self.code.funcs[func].value.start)?;
        self.emit(Op::Move(to, value));
        Ok(())
    }
}

impl Chance {
    /// The draw as one of numbers in a row, where it is always the same and cannot go wrong.
    fn alike(&self) -> Option<Turn> {
        let Dist::Uniform(Num::Const(from), Num::Const(to)) = self.dist else {
            return None;
        };
        let within = self.range.is_none_or(|(lo, hi)| lo <= from && to <= hi);
        let span = u64::try_from(to.checked_sub(from)?).ok()?;
        let resume = u16::try_from(self.resume).ok()?;
        (within && self.into < NEAR).then_some(Turn::Draw(self.into, from, span + 1, resume))
    }
}

/// Where the set of the pieces lies to which candidates of a parameter come down, since the next one is where they stand; nothing
/// if something is asked about the others before that.
pub(super) fn supply_of(family: &Family, bound: usize) -> Option<At> {
    let Source::Place(_, _, supply) = family.params.get(bound + 1)?.source else {
        return None;
    };
    let mut asked = family.questions.iter();
    let is_asked = asked.any(|question| question.bound == bound + 1);
    let is_set = !matches!(
        family.params[bound].source,
        Source::Is(_) | Source::Place(..) | Source::Seq(_)
    );
    (is_set && (family.harmless || !is_asked)).then_some(supply)
}

/// Whether the candidates of a parameter are found anew whenever they are gone through, so that they need not stay.
fn is_fresh(param: &Param, bound: usize, set: Reg) -> bool {
    match param.source {
        Source::Members(members) if usize::from(set) == members => false,
        Source::Members(_) => bound == 0 || usize::from(set) != param.room,
        Source::Computed(_) => usize::from(set) == param.room,
        _ => true,
    }
}

/// The packed form with one more digit, which lies there.
fn with_digit(planned: &Planned<'_>, bound: usize, at: Reg, first: &Packed) -> Packed {
    let behind = planned.family.codes.digits[bound + 1..].iter();
    let stride: u64 = behind.map(|(_, radix)| radix).product();
    let digits = first.digits.iter().copied();
    Packed {
        base: first.base,
        digits: digits.chain([(at, stride as i64)]).collect(),
    }
}

/// Whether a parameter follows from those before by looking at a word.
fn is_look(source: &Source) -> bool {
    match source {
        Source::Place(..) | Source::Is(Num::At(_)) => true,
        Source::Is(Num::Among(_, index)) => matches!(index.as_ref(), Num::At(_)),
        _ => false,
    }
}
