//! Families of moves: what decides about candidates is taken apart, so that a condition on one parameter is asked once for all
//! of its candidates, and others as soon as what they look at is bound.
//!
//! As the reference interpreter does: what moves forward, what ran before it and the candidates that are then not made can
//! neither fault nor spend work.

use super::constants::constant;
use super::expr::names;
use super::guard::{Split, is_true, parameters_in};
use super::stmt::assigns;
use super::{Made, Maker, harmless, unsupported};
use crate::code::*;
use crate::ir::effects::Effect;
use crate::ir::visit::walk_exprs;
use crate::ir::{
    Const, Expr, ExprKind, Family as IrFamily, FuncId, Function, LocalId, Param as IrParam,
    ParamSource, PlacementForm, Stmt, StmtKind, Type,
};
use crate::op::Asked;

/// Answers that are remembered for one question at most.
const MOST_ANSWERS: usize = 1 << 16;

/// Answers that lie among the words that operations can name.
const MOST_NEAR: usize = 1 << 10;

impl Maker<'_> {
    /// How moves of a family are packed.
    pub(super) fn codes(&mut self, family: &IrFamily) -> Made<Codes> {
        let types = family.params.iter().map(|param| &param.ty);
        let before = self.code.families.last().map(|family| &family.codes);
        let base = before.map_or(0, |codes| codes.base + codes.len);
        self.packed(base, types.collect())
    }

    fn packed(&self, base: u64, types: Vec<&Type>) -> Made<Codes> {
        let mut digits = Vec::new();
        let mut len = 1_u64;
        for ty in types {
            let digit = match ty {
                Type::Elem(domain) | Type::Opt(domain) => {
                    (0, self.game.domain(*domain).len() as u64)
                }
                Type::Int { lo, hi } => (*lo, (hi.wrapping_sub(*lo) as u64).saturating_add(1)),
                Type::Set(_) => return unsupported("moves that name sets"),
                _ => (0, 1),
            };
            len = match len.checked_mul(digit.1) {
                Some(len) => len,
                None => return unsupported("more moves than have numbers"),
            };
            digits.push(digit);
        }
        match base.checked_add(len) {
            Some(_) => Ok(Codes { base, len, digits }),
            None => unsupported("more moves than have numbers"),
        }
    }

    pub(super) fn draws(&mut self) -> Made<()> {
        for draw in &self.game.draws {
            let families = self.code.families.iter().map(|family| &family.codes);
            let before = families.chain(&self.code.draws).last();
            let base = before.map_or(0, |codes| codes.base + codes.len);
            let codes = self.packed(base, vec![&draw.ty])?;
            self.code.draws.push(codes);
        }
        Ok(())
    }

    pub(super) fn family(&mut self, index: usize) -> Made<Family> {
        let game = self.game;
        let family = &game.families[index];
        let made = self.code.families[index].clone();
        let context = family.context.len();
        // The context lies in positions, parameters beside.
        self.locals.clear();
        for (local, (at, _)) in family.context.iter().zip(&made.context) {
            self.locals.push((*at, local.ty.clone()));
        }
        for param in &family.params {
            let at = self.room(1);
            self.locals.push((at, param.ty.clone()));
        }
        let frame = self.locals.clone();
        let mut params = Vec::new();
        let mut is_harmless = true;
        for (number, param) in family.params.iter().enumerate() {
            let source = self.source(family, number, &mut is_harmless)?;
            let words = match param.ty {
                Type::Elem(domain) => self.domain_words(domain),
                _ => 0,
            };
            params.push(Param {
                at: frame[context + number].0,
                source,
                sets: Vec::new(),
                late: Vec::new(),
                is_alone: false,
                room: self.room(words),
                rest: self.room(words),
                words,
            });
            self.locals.truncate(frame.len());
        }
        let mut questions = Vec::new();
        if let Some(guard) = family.guard {
            let sound = self.guard(index, guard, &frame, &mut params, &mut questions)?;
            is_harmless &= sound || harmless(self.effects.function(guard));
        }
        for func in [family.after, family.rank].into_iter().flatten() {
            is_harmless &= harmless(self.effects.function(func));
        }
        if let Some(effect) = family.effect {
            // Nobody hears of a move that is tried.
            let effect = self.effects.function(effect);
            let stays = !(effect.suspends || effect.ends || effect.fails);
            is_harmless &= stays && !(effect.may_fault || effect.works);
        }
        // What is judged after the move plays the move: all of it where no effect says what is looked at.
        is_harmless &= family.after.is_none() || family.effect.is_some();
        self.locals = frame;
        let last = LocalId((context + family.params.len()).saturating_sub(1) as u32);
        let mut class = Vec::new();
        for expr in &family.class {
            class.push(self.value(expr)?);
        }
        for param in &mut params {
            param.is_alone = matches!(param.source, Source::Members(_)) && param.late.is_empty();
        }
        let is_alone = params.last().is_none_or(|param| param.is_alone);
        let afresh = self.cleared(family);
        let free = is_free(&params, &questions) && family.after.is_none();
        let product = (free && is_alone)
            .then(|| is_product(&params, &questions))
            .flatten();
        Ok(Family {
            params,
            questions,
            free,
            product,
            after: family.after.map(|func| func.index()),
            effect: family.effect.map(|func| func.index()),
            rank: family.rank.map(|func| func.index()),
            class,
            of_last: family.class.iter().map(|expr| names(expr, last)).collect(),
            splits: self.splits(family, last) && is_alone,
            harmless: is_harmless,
            afresh,
            ..made
        })
    }

    /// The words that are to be 0 whenever something is asked while moves of a family are looked for.
    fn cleared(&self, family: &IrFamily) -> Vec<At> {
        let asked = [family.guard, family.after, family.effect, family.rank];
        let mut all = Effect::default();
        for func in asked.into_iter().flatten() {
            all.join(self.effects.function(func));
        }
        for param in &family.params {
            match &param.source {
                ParamSource::Generated(func) => all.join(self.effects.function(*func)),
                ParamSource::Is(expr) => all.join(&self.effect(expr)),
                _ => {}
            }
        }
        let flags = all.reads.env.iter().map(|var| self.env[var.index()].1);
        all.works
            .then_some(self.code.work)
            .into_iter()
            .chain(flags)
            .collect()
    }

    /// Whether the values of the class that look at the last parameter look at it alone, and one of them tells all of its
    /// candidates apart.
    fn splits(&self, family: &IrFamily, last: LocalId) -> bool {
        let mut apart = false;
        for expr in family.class.iter().filter(|expr| names(expr, last)) {
            let Some(values) = self.values(expr, last, &family.params) else {
                return false;
            };
            let distinct: std::collections::BTreeSet<&Const> = values.iter().collect();
            apart |= distinct.len() == values.len();
        }
        apart
    }

    /// The values of an expression for all candidates of the last parameter, if it looks at nothing else.
    fn values(&self, expr: &Expr, last: LocalId, params: &[IrParam]) -> Option<Vec<Const>> {
        let param = params.last()?;
        let Type::Elem(domain) = param.ty else {
            return None;
        };
        let members: Vec<u32> = match &param.source {
            ParamSource::Among(members) => members.clone(),
            _ => (0..self.game.domain(domain).len() as u32).collect(),
        };
        let value = |member: &u32| {
            let bound = |expr: &Expr| match expr.kind {
                ExprKind::Local(local) if local == last => Some(Const::Elem(*member)),
                _ => None,
            };
            constant(self.game, expr, &bound)
        };
        members.iter().map(value).collect()
    }

    fn source(&mut self, family: &IrFamily, number: usize, safe: &mut bool) -> Made<Source> {
        let param = &family.params[number];
        let len = match param.ty {
            Type::Elem(domain) => self.game.domain(domain).len(),
            Type::Int { .. } | Type::Opt(_) => 0,
            _ => return unsupported("moves that name sets"),
        };
        Ok(match &param.source {
            ParamSource::All => Source::Members(self.full(len)),
            ParamSource::Among(members) => Source::Members(self.set_constant(len, members)),
            ParamSource::Is(expr) => {
                *safe &= self.is_harmless(expr);
                let before = (family.context.len() + number).checked_sub(1);
                match before.and_then(|before| self.place_among(LocalId(before as u32), expr)) {
                    Some((places, table, supply)) if number > 0 => {
                        Source::Place(places, table, supply)
                    }
                    _ => Source::Is(self.num(expr)?),
                }
            }
            ParamSource::Listed { by, table } => {
                let by = self.locals[family.context.len() + by].0;
                Source::Row(by, self.tables[table.index()].0)
            }
            ParamSource::Generated(func) => {
                let effect = self.effects.function(*func);
                *safe &= harmless(effect) && !self.effects.is_recursive(*func);
                match &self.game.function(*func).ret {
                    Some(Type::Set(_)) => self.computed(family, number, *func)?,
                    Some(Type::Seq { .. }) => Source::Seq(func.index()),
                    _ => return unsupported("candidates of another kind"),
                }
            }
            ParamSource::Subset { .. } => return unsupported("moves that name sets"),
        })
    }

    /// Where the places of pieces lie, the table that says which of them count, and the set of the pieces for which they do, if an
    /// expression is the place of a piece where that counts.
    fn place_among(&mut self, piece: LocalId, expr: &Expr) -> Option<(At, At, At)> {
        let ExprKind::If(cond, place, none) = &expr.kind else {
            return None;
        };
        let placement = |expr: &Expr| match &expr.kind {
            ExprKind::PlaceOf(placement, a) => {
                matches!(a.kind, ExprKind::Local(l) if l == piece).then_some(*placement)
            }
            _ => None,
        };
        let ExprKind::Lookup(table, index) = &cond.kind else {
            return None;
        };
        let ([index], known) = (&index[..], self.game.table(*table)) else {
            return None;
        };
        let of = placement(place)?;
        let same = placement(index) == Some(of) && none.as_const() == Some(&Const::None);
        let places = self.game.placement(of).places;
        let fits = known.axes == [crate::ir::Axis::Domain(places)]
            && known.outside == Some(Const::Bool(false));
        let at = self.code.placements[of.index()].place_of?;
        (same && fits).then(|| {
            let supply = self.supply(of, *table);
            (at, self.tables[table.index()].0, supply)
        })
    }

    /// What a function gives as candidates: the set that it is, where it is no more than an expression.
    fn computed(&mut self, family: &IrFamily, number: usize, func: FuncId) -> Made<Source> {
        let function = self.game.function(func);
        let bound = family.context.len() + number;
        let [
            Stmt {
                kind: StmtKind::Return(Some(value)),
                ..
            },
        ] = &function.body[..]
        else {
            return Ok(Source::Set(func.index()));
        };
        if function.params != bound || self.effects.is_recursive(func) {
            return Ok(Source::Set(func.index()));
        }
        let frame = self.locals.clone();
        self.locals.truncate(bound);
        for local in &function.locals[bound..] {
            let words = self.words(&local.ty)?;
            let at = self.room(words);
            self.locals.push((at, local.ty.clone()));
        }
        let set = self.set(value)?;
        self.locals = frame;
        Ok(Source::Computed(set))
    }

    /// Takes a guard apart; whether nothing in it can fault, whatever types say.
    fn guard(
        &mut self,
        family: usize,
        guard: FuncId,
        frame: &[(At, Type)],
        params: &mut [Param],
        questions: &mut Vec<Question>,
    ) -> Made<bool> {
        let function = self.game.function(guard);
        let whole = Question {
            bound: params.len(),
            ask: Ask::Function(guard.index()),
            asked: None,
            holds: None,
        };
        if self.effects.is_recursive(guard) || assigns(&function.body, function.params) {
            questions.push(whole);
            return Ok(false);
        }
        let mut split = Split {
            maker: self,
            family: &self.game.families[family],
            function,
            conditions: Vec::new(),
            harmless: true,
            sound: false,
        };
        let body = split.in_place(&function.body);
        let rest = split.block(&body);
        let (conditions, sound) = (split.conditions, split.sound);
        for condition in &conditions {
            self.condition(family, function, condition, frame, params, questions)?;
        }
        if !matches!(&rest[..], [Stmt { kind: StmtKind::Return(Some(value)), .. }] if is_true(value))
        {
            let func = self.rest(function, &rest, frame)?;
            let looked = parameters_in(function, |f| walk_exprs(&rest, f));
            let ir = &self.game.families[family];
            let safe = ir
                .params
                .iter()
                .all(|param| self.source_is_safe(&param.source));
            let bound = match (sound || harmless(self.effects.function(guard))) && safe {
                true => needed(&looked, ir.context.len()),
                false => whole.bound,
            };
            let mut question = Question {
                bound,
                ask: Ask::Rest(func),
                ..whole
            };
            self.remember(family, &looked, frame, &mut question)?;
            questions.push(question);
        }
        Ok(sound)
    }

    /// What is left of a guard as a function of its own.
    fn rest(&mut self, function: &Function, rest: &[Stmt], frame: &[(At, Type)]) -> Made<usize> {
        let value = self.room(1);
        let back = self.room(1);
        let index = self.code.funcs.len();
        self.code.funcs.push(Func {
            back,
            head: value..value + 1,
            value: value..value + 1,
            ..Func::default()
        });
        self.owner = index;
        let begin = self.code.image.len();
        self.locals = frame.to_vec();
        self.own_words.clear();
        for local in &function.locals[function.params..] {
            let words = self.words(&local.ty)?;
            let at = match words {
                1 => self.own_room(),
                words => self.room(words),
            };
            self.locals.push((at, local.ty.clone()));
        }
        self.code.funcs[index].locals = begin..self.code.image.len();
        let entry = self.function_body(&rest.to_vec())?;
        let end = self.code.image.len();
        let func = &mut self.code.funcs[index];
        func.entry = entry;
        func.frame = begin..end;
        Ok(index)
    }

    /// A condition that moves forward: a set of candidates, or a question.
    fn condition(
        &mut self,
        family: usize,
        function: &Function,
        condition: &Expr,
        frame: &[(At, Type)],
        params: &mut [Param],
        questions: &mut Vec<Question>,
    ) -> Made<()> {
        let ir = &self.game.families[family];
        let context = ir.context.len();
        // The guard's own local variables are those that the condition binds.
        self.locals = frame.to_vec();
        for local in &function.locals[function.params..] {
            let words = self.words(&local.ty)?;
            let at = self.room(words);
            self.locals.push((at, local.ty.clone()));
        }
        let looked = parameters_in(function, |f| condition.walk(f));
        let others: Vec<usize> = looked.iter().copied().filter(|&l| l >= context).collect();
        let sources_safe = ir
            .params
            .iter()
            .all(|param| self.source_is_safe(&param.source));
        if let [only] = others[..]
            && let Type::Elem(domain) = ir.params[only - context].ty
            && let Source::Members(members) = params[only - context].source
            && sources_safe
        {
            let local = crate::ir::LocalId(only as u32);
            let len = self.game.domain(domain).len();
            self.cared_for = match &ir.params[only - context].source {
                ParamSource::Among(among) => {
                    let cared = (0..len as u32).map(|member| among.contains(&member));
                    Some((local, cared.collect()))
                }
                _ => None,
            };
            let taken_apart = self.take_apart(local, domain, condition, false);
            self.cared_for = None;
            let (pure, rest) = taken_apart?;
            let words = super::set_words(len);
            let members = Set {
                words,
                to: 0,
                kind: SetKind::At(members),
            };
            let among = match pure {
                None => members,
                Some(pure) => Set {
                    words,
                    to: if words > 1 { self.far_room(words) } else { 0 },
                    kind: SetKind::Intersect(Box::new((members, pure))),
                },
            };
            if rest.is_empty() {
                params[only - context].sets.push(among);
                return Ok(());
            }
            let mut body = None;
            for part in rest {
                let part = self.num(part)?;
                body = Some(match body {
                    None => part,
                    Some(before) => Num::And(Box::new((before, part))),
                });
            }
            let range = Range {
                local: self.locals[only].0,
                over: Over::Set(among),
                body,
            };
            let set = Set {
                words,
                to: self.far_room(words),
                kind: SetKind::Collect(Box::new(range)),
            };
            params[only - context].sets.push(set);
            return Ok(());
        }
        let needed = needed(&looked, context);
        if let Some(last) = needed.checked_sub(1)
            && let Type::Elem(domain) = ir.params[last].ty
            && matches!(params[last].source, Source::Members(_) | Source::Row(..))
            && sources_safe
        {
            let local = LocalId((context + last) as u32);
            if let (Some(set), rest) = self.take_apart(local, domain, condition, false)?
                && rest.is_empty()
            {
                params[last].late.push(set);
                return Ok(());
            }
        }
        let unsafe_source = ir
            .params
            .iter()
            .rposition(|param| !self.source_is_safe(&param.source));
        let holds = self.num(condition)?;
        self.begin_flat();
        let (entry, answer) = self.flatten_num(&holds)?;
        let mut question = Question {
            bound: needed.max(unsafe_source.map_or(0, |last| last + 1)),
            ask: Ask::Holds(entry, answer),
            asked: None,
            holds: Some(holds),
        };
        self.remember(family, &looked, frame, &mut question)?;
        questions.push(question);
        Ok(())
    }

    /// Whether looking for the candidates of a parameter can neither fault nor spend work.
    fn source_is_safe(&self, source: &ParamSource) -> bool {
        match source {
            ParamSource::All | ParamSource::Among(_) | ParamSource::Listed { .. } => true,
            ParamSource::Is(expr) => self.is_harmless(expr),
            ParamSource::Generated(func) => {
                harmless(self.effects.function(*func)) && !self.effects.is_recursive(*func)
            }
            ParamSource::Subset { .. } => false,
        }
    }

    /// Whether a parameter is where a piece stands that no other stands with.
    fn is_place_of(&self, param: Option<&IrParam>, piece: LocalId) -> bool {
        let Some(ParamSource::Is(expr)) = param.map(|param| &param.source) else {
            return false;
        };
        let mut found = false;
        expr.walk(&mut |expr| {
            found |= matches!(&expr.kind, ExprKind::PlaceOf(placement, of)
                if matches!(of.kind, ExprKind::Local(local) if local == piece)
                    && self.game.placement(*placement).form != PlacementForm::Many);
        });
        found
    }

    /// Gives a question room for its answers, if it looks at less than is bound.
    fn remember(
        &mut self,
        family: usize,
        looked: &[usize],
        frame: &[(At, Type)],
        question: &mut Question,
    ) -> Made<()> {
        let ir = &self.game.families[family];
        let context = ir.context.len();
        let mut by = Vec::new();
        let mut answers = 1_usize;
        for &place in looked.iter().filter(|&&place| place >= context) {
            let Type::Elem(domain) = ir.params[place - context].ty else {
                return Ok(());
            };
            by.push((frame[place].0, answers));
            answers = answers.saturating_mul(self.game.domain(domain).len());
            if answers > MOST_ANSWERS {
                return Ok(());
            }
        }
        // A piece is told by the place that it follows it to, if no other stands there.
        let tells = |param: usize| {
            let after = looked.contains(&(context + param + 1));
            after && self.is_place_of(ir.params.get(param + 1), LocalId((context + param) as u32))
        };
        let told = |param: &usize| looked.contains(&(context + param)) || tells(*param);
        if question.bound == 0 || (0..question.bound).filter(told).count() < question.bound {
            let first = match answers > MOST_NEAR {
                true => self.beyond(&vec![0; answers]),
                false => self.room(answers),
            };
            let by = by.into();
            let asked = Asked { first, by };
            question.asked = Some(Self::listed(&mut self.code.asked, asked)?);
        }
        Ok(())
    }
}

/// Whether all members of the set that the last parameter comes from pass.
fn is_free(params: &[Param], questions: &[Question]) -> bool {
    let is_set = |param: &Param| {
        !matches!(
            param.source,
            Source::Is(_) | Source::Place(..) | Source::Seq(_)
        )
    };
    params.last().is_some_and(is_set)
        && questions
            .iter()
            .all(|question| question.bound < params.len())
}

/// The number of the third last parameter, if it comes from a set and the one after it follows from it, and no question is about
/// the last one; questions about the other two are answered quickly for a set of one word only.
fn is_product(params: &[Param], questions: &[Question]) -> Option<usize> {
    let number = params.len().checked_sub(3)?;
    let comes_from_set = !matches!(
        params[number].source,
        Source::Is(_) | Source::Place(..) | Source::Seq(_)
    );
    let follows = matches!(params[number + 1].source, Source::Is(_) | Source::Place(..));
    let mut late = questions.iter().map(|question| question.bound);
    let asked = match params[number].words {
        1 => late.any(|bound| bound > number + 2),
        _ => late.any(|bound| bound > number),
    };
    (comes_from_set && follows && !asked).then_some(number)
}

/// How many parameters have to be bound for what looks at these values, so many of which are context.
fn needed(looked: &[usize], context: usize) -> usize {
    looked.last().map_or(0, |&last| {
        last.saturating_sub(context) + usize::from(last >= context)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rulec_compiler::pipeline::{Options, compile_text};

    use crate::compile::{self, Listeners};
    use crate::op::Op;

    /// How many steps back the moves of Connect Four take whose rules are spelled so.
    fn steps_back(spelling: Option<&str>) -> usize {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let mut text = read("games/s3/connect_four.s3");
        if let Some(spelling) = spelling {
            let start = text.find("[EXPRESSIONS]").unwrap_or_default();
            text.truncate(start);
            text += &read(&format!(
                "tools/rewrites/spellings/connect_four@{spelling}.s3"
            ));
        }
        let compiled = compile_text("connect_four.s3", text.as_bytes(), &Options::default());
        let game = compiled.ok().map(|output| output.game);
        let code = game.and_then(|game| compile::code(&game, Listeners::Nobody).ok());
        let ops = code.map(|code| code.ops).unwrap_or_default();
        let is_step = |op: &&Op| matches!(op, Op::StepBack(..) | Op::Slide(..));
        ops.iter().filter(is_step).count()
    }

    /// What a table says of candidates that the rest of the guard decides, or of places that are none, is nothing to the others.
    #[test]
    fn places_above_a_disc_are_a_step_back_however_rules_are_spelled() {
        let usual = steps_back(None);
        assert!(usual > 0);
        for spelling in [
            "a_rule_for_each_row",
            "a_rule_for_the_bottom_row",
            "owner_below",
        ] {
            assert_eq!(steps_back(Some(spelling)), usual, "{spelling}");
        }
    }
}
