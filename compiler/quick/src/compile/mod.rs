//! From the IR to [`Code`].
//!
//! It is made twice: the first time tells which sets of places are worth keeping ([`keep`]), since these are part of
//! positions, which come first in memory.

mod branch;
mod calls;
mod candidates;
mod choice;
mod constants;
mod expr;
mod family;
mod flat;
mod flat_set;
mod flat_value;
mod guard;
mod identity;
mod keep;
mod known;
mod landing;
mod link;
mod operands;
mod own;
mod plan;
mod rays;
mod rounds;
mod set;
mod shared;
mod sift;
mod stmt;
mod tidy;
mod union;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::Unsupported;
use crate::code::*;
use crate::ir::effects::{Effect, Effects};
use crate::ir::{
    Axis as IrAxis, Const, Expr, ExprKind, FaultCode, FuncId, Game, Local, LocalId, PlacementForm,
    Type,
};
use crate::op::{NEAR, Op, Reg};
use crate::source::Span;

pub(crate) type Made<T> = Result<T, Unsupported>;

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Made<T> {
    Err(Unsupported(what.into()))
}

/// Words of a sequence at most.
const MOST_ITEMS: usize = 1 << 12;

/// Words of a set that is worked out word by word.
const MOST_SET: usize = 3;

/// Words of memory at most.
const MOST_WORDS: usize = 1 << 24;

/// Words of a table or constant that operations can name.
const MOST_TABLE: usize = 1 << 12;

/// Operations of a function that is asked again rather than looked up.
const MOST_QUICK: usize = 16;

/// Whether anybody hears of what happens in a run: nothing is done for those who would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listeners {
    Nobody,
    /// There may be some.
    Some,
}

/// Makes code of a game whose rules are a machine. Positions are the same words with listeners and without, and what can go wrong
/// with listeners is among the sites without.
pub(crate) fn code(game: &Game, listeners: Listeners) -> Made<Code> {
    let effects = Effects::of(game);
    let mut first = Maker::new(game, &effects, None, Listeners::Some)?;
    first.all()?;
    let mut second = Maker::new(game, &effects, Some(first.wanted), listeners)?;
    second.all()?;
    let mut code = second.code;
    for (fault, span) in first.code.sites {
        if code.site_of(&fault, span).is_none() {
            code.sites.push((fault, span));
        }
    }
    Ok(code)
}

/// What is kept up to date beside a position.
#[derive(Default)]
struct Wanted {
    /// Sets of places: the placement, and what makes a place a member.
    sets: Vec<(usize, keep::Test)>,
    /// The placements of which it is asked which of several pieces stand on a place.
    crowds: BTreeSet<usize>,
    /// The placements and tables by which it is asked whether a piece stands where the table holds.
    supplies: BTreeSet<(usize, usize)>,
    /// The functions whose values are not worth keeping.
    quick: BTreeSet<usize>,
}

struct Maker<'g> {
    game: &'g Game,
    effects: &'g Effects,
    listeners: Listeners,
    code: Code,
    sites: BTreeMap<(String, Span), Site>,
    constants: BTreeMap<Vec<i64>, At>,
    /// Whether each word is a constant.
    fixed: Vec<bool>,
    /// The constant sets and values of tables, and what is given outside.
    tables: Vec<(At, Option<At>)>,
    /// What the environment has: value, and whether there is one.
    env: Vec<(At, At)>,
    /// What is kept.
    wanted: Wanted,
    /// Whether all that is kept is known.
    is_final: bool,
    /// The local variables of the function at work.
    locals: Vec<(At, Type)>,
    /// Where a test of contents finds the content.
    content: Option<At>,
    /// The function at work.
    owner: usize,
    /// Whether a set that is kept was asked for, or a function that may ask.
    asks_kept: bool,
    /// What is known while operations are made.
    flat: link::Flat,
    /// The bodies of functions.
    bodies: Vec<Option<Rc<Body>>>,
    /// In how many places each function is called.
    calls: Vec<usize>,
    /// The local variables of the function at work that are a word each.
    own_words: Vec<Reg>,
    /// Room for the words that are looked at while copies are left out.
    own: own::Own,
    /// The local variable of which a set is made, and for each member whether anybody asks if it is in that set.
    cared_for: Option<(LocalId, Vec<bool>)>,
}

/// What may stand where a function is called.
struct Body {
    steps: Box<[Step]>,
    /// How many operations they are.
    ops: usize,
    /// The local variables that are a word each.
    own: Box<[Reg]>,
}

impl<'g> Maker<'g> {
    fn new(
        game: &'g Game,
        effects: &'g Effects,
        wanted: Option<Wanted>,
        listeners: Listeners,
    ) -> Made<Self> {
        Ok(Maker {
            game,
            effects,
            listeners,
            code: Code::default(),
            sites: BTreeMap::new(),
            constants: BTreeMap::new(),
            fixed: Vec::new(),
            tables: Vec::new(),
            env: Vec::new(),
            is_final: wanted.is_some(),
            wanted: wanted.unwrap_or_default(),
            locals: Vec::new(),
            content: None,
            owner: 0,
            asks_kept: false,
            flat: link::Flat::default(),
            bodies: vec![None; game.functions.len()],
            calls: calls::counted(game),
            own_words: Vec::new(),
            own: own::Own::default(),
            cared_for: None,
        })
    }

    fn all(&mut self) -> Made<()> {
        let Some(machine) = &self.game.machine else {
            return unsupported("rules that are no machine");
        };
        self.position()?;
        self.environment()?;
        self.code.work = self.room(1);
        self.code.version = self.room(1);
        self.code.search = self.room(1);
        self.code.heard = self.room(1);
        self.code.any = self.room(1);
        self.code.candidates = self.room(1);
        self.code.playing = self.room(3);
        self.code.ops.push(Op::Halt);
        let widest = self
            .game
            .domains
            .iter()
            .map(|domain| set_words(domain.len()));
        self.code.spare = self.room(widest.max().unwrap_or(1) + 1);
        self.make_tables()?;
        self.declare_functions()?;
        self.kept_tests()?;
        // What a function calls comes before it.
        let mut order: Vec<FuncId> = (0..self.game.functions.len()).map(FuncId::from).collect();
        order.sort_by_key(|func| self.effects.reaches(*func).len());
        for func in order {
            if self.runs(func) {
                self.function(func.index())?;
            }
        }
        self.machine(machine)?;
        for index in 0..self.game.families.len() {
            self.code.families[index] = self.family(index)?;
        }
        self.decisions();
        self.plans()?;
        self.turns();
        self.draws()?;
        self.identities()?;
        if self.code.image.len() > NEAR || self.code.beyond.len() > MOST_WORDS {
            return unsupported("more memory than is sensible");
        }
        for func in &self.code.funcs {
            let entry = func.entry as u16;
            let back = self.reg(func.back)?;
            self.code.entries.push((entry, back));
        }
        self.code.ops.resize(NEAR, Op::Halt);
        Ok(())
    }

    /// What the families of each decision have in common.
    fn decisions(&mut self) {
        let families = &self.code.families;
        for point in &mut self.code.points {
            let Point::Choose(choose) = point else {
                continue;
            };
            let all = |f: fn(&Family) -> bool| {
                let mut arms = choose.arms.iter();
                arms.all(|arm| f(&families[arm.family]))
            };
            let ranked = !all(|family| family.rank.is_none());
            let splits = all(|family| family.class.is_empty() || (family.splits && family.free));
            let any_does = all(|family| family.harmless);
            let tries = any_does
                && !ranked
                && !all(|family| family.after.is_none())
                && all(|family| family.class.is_empty());
            choose.ranked = ranked;
            choose.splits = splits && !ranked;
            choose.any_does = any_does;
            choose.tries = tries;
        }
    }

    /// Whether a function can run: not the process as it was before it became a machine.
    fn runs(&self, func: FuncId) -> bool {
        let mut stops = false;
        crate::ir::visit::walk_block(&self.game.function(func).body, &mut |stmt| {
            stops |= matches!(
                stmt.kind,
                crate::ir::StmtKind::Choose(_) | crate::ir::StmtKind::Chance(_)
            );
        });
        !stops
    }

    /// So many words of memory.
    fn room(&mut self, words: usize) -> At {
        let at = self.code.image.len();
        self.code.image.resize(at + words, 0);
        at
    }

    /// Words for what nothing but trees and slow operations reach, so that the words that operations can name are left to
    /// others: sequences and wide sets while they are worked out. A function that calls itself keeps all its words aside, which
    /// are those in a row.
    fn far_room(&mut self, words: usize) -> At {
        let owner = self.code.funcs.get(self.owner);
        match words > MOST_SET && !owner.is_some_and(|func| func.recursive) {
            true => self.beyond(&vec![0; words]),
            false => self.room(words),
        }
    }

    /// Words behind those that operations can name.
    fn beyond(&mut self, words: &[i64]) -> At {
        let at = NEAR + self.code.beyond.len();
        self.code.beyond.extend(words);
        at
    }

    fn site(&mut self, code: FaultCode, span: Span) -> Site {
        let key = (code.site(), span);
        if let Some(site) = self.sites.get(&key) {
            return *site;
        }
        let site = self.code.sites.len() as Site;
        self.code.sites.push((code, span));
        self.sites.insert(key, site);
        site
    }

    /// Two kinds of fault at one place, one after the other.
    fn two_sites(&mut self, codes: [FaultCode; 2], span: Span) -> Site {
        let site = self.code.sites.len() as Site;
        self.code.sites.extend(codes.map(|code| (code, span)));
        site
    }

    /// Two sites that are known, one after the other.
    fn both_sites(&mut self, first: Site, second: Site) -> Site {
        let site = self.code.sites.len() as Site;
        for known in [first, second] {
            let known = self.code.fault(known);
            self.code.sites.push(known);
        }
        site
    }

    fn domain_words(&self, domain: crate::ir::DomainId) -> usize {
        set_words(self.game.domain(domain).len())
    }

    /// Words of a value of a type.
    fn words(&self, ty: &Type) -> Made<usize> {
        match ty {
            Type::Set(domain) => Ok(self.domain_words(*domain)),
            Type::Seq { cap, item } => match (item.as_ref(), *cap as usize) {
                (Type::Tagged, _) => unsupported("values of several types"),
                (_, cap) if cap >= MOST_ITEMS => unsupported("sequences that may be very long"),
                (_, cap) => Ok(cap + 1),
            },
            Type::Tagged => unsupported("values of several types"),
            _ => Ok(1),
        }
    }

    /// The words of a constant.
    fn words_of(&self, value: &Const, ty: &Type) -> Made<Vec<i64>> {
        let mut words = Vec::new();
        self.add_words(value, ty, &mut words)?;
        Ok(words)
    }

    /// Adds the words of a constant.
    fn add_words(&self, value: &Const, ty: &Type, words: &mut Vec<i64>) -> Made<()> {
        let first = words.len();
        match (value, ty) {
            (Const::Bool(b), _) => words.push(i64::from(*b)),
            (Const::Int(i), _) => words.push(*i),
            (Const::Elem(member), _) => words.push(i64::from(*member)),
            (Const::None, _) => words.push(-1),
            (Const::Set(members), Type::Set(domain)) => {
                words.resize(first + self.domain_words(*domain), 0);
                for member in members {
                    words[first + *member as usize / 64] |= 1 << (member % 64);
                }
            }
            (Const::Seq(items), Type::Seq { item, .. }) => {
                words.push(items.len() as i64);
                for value in items {
                    self.add_words(value, item, words)?;
                }
                let all = first + self.words(ty)?;
                words.resize(all.max(words.len()), 0);
            }
            _ => return unsupported("constants of several types"),
        }
        Ok(())
    }

    /// Where a constant lies.
    fn constant(&mut self, words: Vec<i64>) -> At {
        if let Some(at) = self.constants.get(&words) {
            return *at;
        }
        let at = match words.len() > MOST_TABLE {
            true => self.beyond(&words),
            false => self.fixed_room(&words),
        };
        self.constants.insert(words, at);
        at
    }

    /// Words that never change.
    fn fixed_room(&mut self, words: &[i64]) -> At {
        let at = self.room_of(words);
        self.fixed.resize(at, false);
        self.fixed.resize(at + words.len(), true);
        at
    }

    /// The set of all members of a domain.
    fn full(&mut self, len: usize) -> At {
        self.set_constant(len, &(0..len as u32).collect::<Vec<_>>())
    }

    fn set_constant(&mut self, len: usize, members: &[u32]) -> At {
        let mut words = vec![0_i64; set_words(len)];
        for member in members {
            words[*member as usize / 64] |= 1 << (member % 64);
        }
        self.constant(words)
    }

    /// Gives positions their words.
    fn position(&mut self) -> Made<()> {
        for var in &self.game.vars {
            let width = self.words(&var.ty)?;
            let base = self.room(width * var.init.len());
            for (cell, init) in var.init.iter().enumerate() {
                let words = self.words_of(init, &var.ty)?;
                self.code.image[base + cell * width..][..words.len()].copy_from_slice(&words);
            }
            self.code.vars.push(VarCode {
                base,
                width,
                cells: var.init.len(),
                ty: var.ty.clone(),
                watchers: Vec::new(),
            });
        }
        for index in 0..self.game.placements.len() {
            self.placement(index);
        }
        for slot in &self.game.snapshots {
            let flag = self.room(1);
            let mut copies = Vec::new();
            for var in &slot.vars {
                let var = &self.code.vars[var.index()];
                let (from, words) = (var.base, var.width * var.cells);
                copies.push((from, self.room(words), words));
            }
            for placement in &slot.placements {
                let placement = self.code.placements[placement.index()].clone();
                for (from, words) in placement.parts() {
                    copies.push((from, self.room(words), words));
                }
            }
            let placements = slot.placements.iter().map(|p| p.index()).collect();
            self.code.snapshots.push(SnapshotCode {
                flag,
                copies,
                placements,
            });
        }
        let words = set_words(self.game.player_count());
        self.code.players = self.room(words);
        self.kept_room();
        self.given_room()
    }

    fn placement(&mut self, index: usize) {
        let placement = &self.game.placements[index];
        let pieces = self.game.domain(placement.pieces).len();
        let places = self.game.domain(placement.places).len();
        let number = |member: &Option<u32>| member.map_or(-1, i64::from);
        let init: Vec<i64> = placement.init.iter().map(number).collect();
        let (place_of, content) = match placement.form {
            PlacementForm::Anonymous => (None, Some(self.room_of(&init))),
            PlacementForm::Many => (Some(self.room_of(&init)), None),
            PlacementForm::One => {
                let mut content = vec![-1; places];
                for (piece, place) in init.iter().enumerate().filter(|(_, place)| **place >= 0) {
                    content[*place as usize] = piece as i64;
                }
                (Some(self.room_of(&init)), Some(self.room_of(&content)))
            }
        };
        self.code.placements.push(PlacementCode {
            place_of,
            content,
            pieces,
            places,
            crowds: None,
            supplies: Vec::new(),
            kept: Vec::new(),
            tested: Vec::new(),
            kinds: Vec::new(),
            changes: Vec::new(),
            many: 0,
        });
    }

    fn room_of(&mut self, words: &[i64]) -> At {
        let at = self.code.image.len();
        self.code.image.extend(words);
        at
    }

    /// Words for what decisions give their families.
    fn given_room(&mut self) -> Made<()> {
        for family in &self.game.families {
            let mut context = Vec::new();
            for local in &family.context {
                let words = self.words(&local.ty)?;
                context.push((self.room(words), words));
            }
            let codes = self.codes(family)?;
            self.code.families.push(Family {
                codes,
                context,
                params: Vec::new(),
                questions: Vec::new(),
                after: None,
                effect: None,
                rank: None,
                class: Vec::new(),
                of_last: Vec::new(),
                splits: false,
                harmless: false,
                afresh: Vec::new(),
                free: false,
                product: None,
            });
        }
        self.code.position = self.code.image.len();
        Ok(())
    }

    fn environment(&mut self) -> Made<()> {
        let begin = self.code.image.len();
        for var in &self.game.env {
            let words = self.words(&var.ty)?;
            let at = self.room(words);
            let flag = self.room(1);
            self.env.push((at, flag));
        }
        self.code.env = begin..self.code.image.len();
        Ok(())
    }

    fn make_tables(&mut self) -> Made<()> {
        for table in &self.game.tables {
            let mut words = Vec::with_capacity(table.values.len());
            for value in &table.values {
                self.add_words(value, &table.ty, &mut words)?;
            }
            let at = match words.len() > MOST_TABLE {
                true => self.beyond(&words),
                false => self.fixed_room(&words),
            };
            let outside = match &table.outside {
                Some(value) => {
                    let words = self.words_of(value, &table.ty)?;
                    Some(self.constant(words))
                }
                None => None,
            };
            self.tables.push((at, outside));
        }
        Ok(())
    }

    /// Gives functions their words, so that calls know where arguments go.
    fn declare_functions(&mut self) -> Made<()> {
        for (index, function) in self.game.functions.iter().enumerate() {
            let back = self.room(1);
            let begin = self.code.image.len();
            for local in &function.locals[..function.params] {
                let words = self.words(&local.ty)?;
                self.room(words);
            }
            let value_words = match &function.ret {
                Some(ty) => self.words(ty)?,
                None => 0,
            };
            let value = self.room(value_words);
            self.code.funcs.push(Func {
                entry: 0,
                back,
                head: begin..value + value_words,
                locals: 0..0,
                frame: 0..0,
                value: value..value + value_words,
                recursive: self.effects.is_recursive(FuncId::from(index)),
                memo: None,
            });
        }
        for index in 0..self.game.functions.len() {
            let quick = self.wanted.quick.contains(&index);
            if !quick && self.is_worth_remembering(FuncId::from(index)) {
                let args = self.code.funcs[index].value.start - self.code.funcs[index].head.start;
                self.code.funcs[index].memo = Some(self.room(1 + args));
            }
        }
        Ok(())
    }

    /// Whether the value of a function is kept for the case that it is asked again in the same position: it depends on
    /// nothing else, and looks at many things.
    fn is_worth_remembering(&self, func: FuncId) -> bool {
        let function = self.game.function(func);
        let effect = self.effects.function(func);
        let (reads, scratch) = (&effect.reads, &effect.scratch);
        let alone = reads.env.is_empty() && reads.trails.is_empty() && scratch.is_empty();
        let mut loops = 0;
        crate::ir::visit::walk_exprs(&function.body, &mut |expr| {
            loops += usize::from(matches!(
                expr.kind,
                ExprKind::Fold { .. }
                    | ExprKind::Collect { .. }
                    | ExprKind::First { .. }
                    | ExprKind::Walk { .. }
                    | ExprKind::Closure { .. }
                    | ExprKind::Call(..)
            ));
        });
        alone
            && harmless(effect)
            && !effect.suspends
            && loops > 1
            && function.ret.is_some()
            && !self.effects.is_recursive(func)
    }

    /// Begins a function: its parameters lie where calls put them.
    fn begin(&mut self, locals: &[Local], params: usize, mut at: At) -> Made<()> {
        self.locals.clear();
        self.own_words.clear();
        for (number, local) in locals.iter().enumerate() {
            let words = self.words(&local.ty)?;
            let here = match number < params {
                true => at,
                false => self.room(words),
            };
            self.locals.push((here, local.ty.clone()));
            if words == 1 && here < NEAR {
                self.own_words.push(here as Reg);
            }
            at += words;
        }
        Ok(())
    }

    /// A word that belongs to the function at work.
    fn own_room(&mut self) -> At {
        let at = self.room(1);
        if at < NEAR {
            self.own_words.push(at as Reg);
        }
        at
    }

    fn function(&mut self, index: usize) -> Made<()> {
        let function = &self.game.functions[index];
        let params = self.code.funcs[index].head.start;
        let begin = self.code.image.len();
        self.begin(&function.locals, function.params, params)?;
        self.code.funcs[index].locals = begin..self.code.image.len();
        self.owner = index;
        let entry = self.function_body(&function.body)?;
        let end = self.code.image.len();
        let func = &mut self.code.funcs[index];
        func.entry = entry;
        func.frame = begin..end;
        if !self.is_final && func.memo.is_some() && is_quick(&self.code.ops[entry..]) {
            self.wanted.quick.insert(index);
        }
        Ok(())
    }

    /// Operations of the body of the function at work, which has begun.
    fn function_body(&mut self, body: &crate::ir::Block) -> Made<usize> {
        let steps = self.block(body)?.into_boxed_slice();
        let own: Box<[Reg]> = self.own_words.as_slice().into();
        self.begin_flat();
        let back = self.reg(self.code.funcs[self.owner].back)?;
        let entry = self.flatten(&steps, Op::Return(back))?;
        let ops = self.code.ops.len() - entry;
        let mut tries = false;
        crate::ir::visit::walk_block(body, &mut |stmt| {
            tries |= matches!(stmt.kind, crate::ir::StmtKind::Trial { .. });
        });
        if !tries {
            let many = self.bodies.len().max(self.owner + 1);
            self.bodies.resize(many, None);
            self.bodies[self.owner] = Some(Rc::new(Body { steps, ops, own }));
        }
        Ok(entry)
    }

    /// Where the parameters of a function begin.
    fn params_at(&self, func: FuncId) -> At {
        self.code.funcs[func.index()].head.start
    }

    fn local(&self, local: LocalId) -> Made<At> {
        match self.locals.get(local.index()) {
            Some((at, _)) => Ok(*at),
            None => unsupported("a local variable without a declaration"),
        }
    }

    /// Room for a bound variable that no function declares.
    fn bind(&mut self, local: LocalId, ty: &Type) -> Made<At> {
        if let Some((at, _)) = self.locals.get(local.index()) {
            return Ok(*at);
        }
        while self.locals.len() <= local.index() {
            let at = self.room(1);
            self.locals.push((at, ty.clone()));
        }
        self.local(local)
    }

    fn effect(&self, expr: &Expr) -> Effect {
        self.effects.expr(self.game, expr)
    }

    /// Whether evaluating it can neither fault nor spend work.
    fn is_harmless(&self, expr: &Expr) -> bool {
        harmless(&self.effect(expr))
    }

    /// The axes of something indexed.
    fn axes(&mut self, axes: &[IrAxis], index: &[Expr], width: usize) -> Made<Indexed> {
        let mut stride = width;
        let mut strides = Vec::new();
        for axis in axes.iter().rev() {
            strides.push(stride);
            stride *= axis.len(self.game);
        }
        strides.reverse();
        let (mut made, mut offset, mut sure) = (Vec::new(), 0, true);
        for ((axis, expr), stride) in axes.iter().zip(index).zip(strides) {
            let lo = match axis {
                IrAxis::Domain(_) => 0,
                IrAxis::Range { lo, .. } => *lo,
            };
            let (index, len) = (self.num(expr)?, axis.len(self.game) as u64);
            if let Num::Const(index) = index
                && (index.wrapping_sub(lo) as u64) < len
            {
                offset += index.wrapping_sub(lo) as usize * stride;
                continue;
            }
            sure &= matches!(axis, IrAxis::Domain(domain) if expr.ty == Type::Elem(*domain));
            made.push(Axis {
                index,
                lo,
                len,
                stride,
            });
        }
        Ok(Indexed {
            offset,
            axes: made.into(),
            sure,
        })
    }
}

/// Whether operations are done sooner than it is looked up whether that is needed.
fn is_quick(ops: &[Op]) -> bool {
    let is_long = |op: &Op| match op {
        Op::Num(..) | Op::Word(..) | Op::Invoke(_) | Op::Call(_) | Op::Try(_) => true,
        Op::Again(..) | Op::Up(..) => true,
        Op::Jump(far) => *far < 0,
        _ => false,
    };
    ops.len() <= MOST_QUICK && !ops.iter().any(is_long)
}

/// Where indexes lead: constants among them are known by how far.
struct Indexed {
    offset: usize,
    axes: Box<[Axis]>,
    /// Whether none of the others can be outside.
    sure: bool,
}

impl PlacementCode {
    /// The runs of words that say what stands where.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (At, usize)> {
        let pieces = self.place_of.map(|at| (at, self.pieces));
        let places = self.content.map(|at| (at, self.places));
        pieces.into_iter().chain(places)
    }
}

fn harmless(effect: &Effect) -> bool {
    !(effect.may_fault || effect.works || effect.fails || effect.emits || effect.ends)
}

/// Words of a set of members of a domain of this size.
pub(crate) fn set_words(len: usize) -> usize {
    len.div_ceil(64).max(1)
}
