//! Which values variables, calls and expressions can have, over the whole game.
//!
//! An abstract evaluation of everything that a rule reaches, repeated until nothing changes. It knows neither the order
//! of moves nor that of assignments, so what it says holds wherever an expression stands. What it finds decides how
//! values are represented; where it is too wide the game is slower, never different.

use rulec_ir::sorted::SortedSet;

use indexmap::{IndexMap, IndexSet};

use super::consts::{Constant, constant};
use super::names::{Dom, EMPTY, Interval, Matches, Names, TextId, roots, split};
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Game, Index, IntPattern, Template, UnaryOp};

/// All 32-bit integers.
pub(super) const FULL: Interval = (i32::MIN, i32::MAX);

/// How often the range of a variable may grow before it is taken for unbounded.
const PATIENCE: u32 = 12;

/// How deep sets in sets are told apart.
const MAX_NESTING: usize = 4;

/// Texts that an expression can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Texts {
    /// Whether any member of the fixed domain is among them.
    pub(super) any: [bool; 4],
    /// Single texts.
    pub(super) known: SortedSet<TextId>,
    /// Whether there are others that nothing in the file spells.
    pub(super) open: bool,
}

/// Values that an expression can have; none at all if it never gives one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Abs {
    /// Integers, within a range.
    pub(super) int: Option<Interval>,
    /// The truth value true.
    pub(super) yes: bool,
    /// The truth value false.
    pub(super) no: bool,
    /// Strings.
    pub(super) text: Option<Texts>,
    /// Sets, with these members.
    pub(super) set: Option<Box<Abs>>,
    /// Lists of a target and a pending call.
    pub(super) list: bool,
}

impl Texts {
    fn one(id: TextId) -> Texts {
        Texts {
            known: SortedSet::from([id]),
            ..Texts::default()
        }
    }

    fn all_of(dom: Dom) -> Texts {
        let mut texts = Texts::one(EMPTY);
        texts.any[dom as usize] = true;
        texts
    }

    fn join(&mut self, other: &Texts) {
        for (any, other) in self.any.iter_mut().zip(other.any) {
            *any |= other;
        }
        self.known.extend(&other.known);
        self.open |= other.open;
    }
}

impl Abs {
    pub(super) fn int(range: Interval) -> Abs {
        Abs {
            int: Some(range),
            ..Abs::default()
        }
    }

    pub(super) fn truth(yes: bool, no: bool) -> Abs {
        Abs {
            yes,
            no,
            ..Abs::default()
        }
    }

    pub(super) fn texts(texts: Texts) -> Abs {
        Abs {
            text: Some(texts),
            ..Abs::default()
        }
    }

    fn set(item: Abs) -> Abs {
        Abs {
            set: Some(Box::new(item)),
            ..Abs::default()
        }
    }

    /// Whether the expression never gives a value.
    pub(super) fn is_never(&self) -> bool {
        *self == Abs::default()
    }

    /// Whether it can be a truth value.
    pub(super) fn is_bool(&self) -> bool {
        self.yes || self.no
    }

    /// How many kinds of values are among them.
    pub(super) fn kinds(&self) -> usize {
        let kinds = [
            self.int.is_some(),
            self.is_bool(),
            self.text.is_some(),
            self.set.is_some(),
            self.list,
        ];
        kinds.into_iter().filter(|&kind| kind).count()
    }

    /// Whether it is a truth value if it gives a value.
    pub(super) fn only_bool(&self) -> bool {
        self.kinds() == usize::from(self.is_bool())
    }

    pub(super) fn join(&mut self, other: &Abs) {
        self.int = match (self.int, other.int) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        self.yes |= other.yes;
        self.no |= other.no;
        self.list |= other.list;
        if let Some(theirs) = &other.text {
            self.text.get_or_insert_default().join(theirs);
        }
        if let Some(theirs) = &other.set {
            self.set.get_or_insert_default().join(theirs);
        }
    }

    /// Cuts off sets in sets beyond a depth.
    fn cut(&mut self, depth: usize) {
        if let Some(item) = &mut self.set {
            match depth {
                0 => **item = Abs::default(),
                _ => item.cut(depth - 1),
            }
        }
    }

    /// Whether a value of both can be equal to one of the other: conservative.
    fn meets(&self, other: &Abs) -> bool {
        let ints = match (self.int, other.int) {
            (Some(a), Some(b)) => a.0 <= b.1 && b.0 <= a.1,
            _ => false,
        };
        ints || (self.yes && other.yes)
            || (self.no && other.no)
            || (self.text.is_some() && other.text.is_some())
            || (self.set.is_some() && other.set.is_some())
            || (self.list && other.list)
    }
}

/// What was found out about a game.
pub(super) struct Types<'a> {
    game: &'a Game,
    /// Values of variables.
    pub(super) vars: IndexMap<&'a str, Abs>,
    /// Values of calls of the expressions in use.
    pub(super) calls: IndexMap<&'a str, Abs>,
    exprs: IndexMap<*const Expr, Abs>,
    growth: IndexMap<&'a str, u32>,
    changed: bool,
}

impl<'a> Types<'a> {
    /// Infers the values of a game whose environment also meets further expressions.
    pub(super) fn infer(game: &'a Game, names: &mut Names, further: &'a [Expr]) -> Types<'a> {
        let mut types = Types {
            game,
            vars: IndexMap::new(),
            calls: IndexMap::new(),
            exprs: IndexMap::new(),
            growth: IndexMap::new(),
            changed: true,
        };
        types.bind_patterns();
        let roots: Vec<&Expr> = roots(game).into_iter().chain(further).collect();
        while std::mem::take(&mut types.changed) {
            for root in &roots {
                types.eval(root, names);
            }
            let mut at = 0;
            while let Some((&name, _)) = types.calls.get_index(at) {
                types.eval_body(name, names);
                at += 1;
            }
        }
        types
    }

    /// The values of an expression; none if nothing evaluates it.
    pub(super) fn of(&self, expr: &Expr) -> Abs {
        self.exprs
            .get(&std::ptr::from_ref(expr))
            .cloned()
            .unwrap_or_default()
    }

    /// How many different integers a set can hold at most.
    pub(super) fn numbers_in_sets(&self) -> u32 {
        let all = self.vars.values().chain(self.calls.values());
        let items = all
            .chain(self.exprs.values())
            .filter_map(|abs| abs.set.as_ref());
        let count = |item: &Abs| item.int.map_or(0, |(lo, hi)| hi.abs_diff(lo));
        let most = items.map(|item| count(item)).max().unwrap_or(0);
        most.saturating_add(1)
    }

    /// Most states of a type of elements, at least 1.
    fn max_state(&self) -> i32 {
        let states = self.game.element_types.values().map(|ty| ty.states.node);
        let initial = self
            .game
            .elements
            .values()
            .map(|element| element.state.node);
        states.chain(initial).max().unwrap_or(1).max(1)
    }

    fn min_state(&self) -> i32 {
        self.game
            .elements
            .values()
            .map(|element| element.state.node)
            .min()
            .unwrap_or(1)
            .min(1)
    }

    /// Least and greatest state of an element.
    pub(super) fn state_range(&self) -> Interval {
        (self.min_state(), self.max_state())
    }

    fn players(&self) -> i32 {
        self.game.players.len() as i32
    }

    fn bind_patterns(&mut self) {
        let game = self.game;
        for rule in game.rules.values() {
            let elements = || game.elements.values().map(|element| &element.name);
            let locations = || game.locations.values().map(|location| &location.name);
            let patterns = [
                (&rule.element, Matches::of(&rule.element, elements())),
                (&rule.from, Matches::of(&rule.from, locations())),
                (&rule.to, Matches::of(&rule.to, locations())),
            ];
            for (pattern, matches) in patterns {
                for (at, var) in matches.vars.iter().enumerate() {
                    let name = pattern.vars().find(|name| name.node == *var);
                    if let (Some(name), Some(range)) = (name, matches.range(at)) {
                        self.assign(&name.node, Abs::int(range));
                    }
                }
            }
            if let Some(IntPattern::Bind(var)) = &rule.state {
                self.assign(&var.node, Abs::int((self.min_state(), self.max_state())));
            }
            if let Some(IntPattern::Bind(var)) = &rule.player {
                self.assign(&var.node, Abs::int((1, self.players())));
            }
        }
    }

    fn assign(&mut self, var: &'a str, mut value: Abs) {
        value.cut(MAX_NESTING);
        let old = self.vars.entry(var).or_default();
        let mut new = old.clone();
        new.join(&value);
        if new != *old {
            widen(old, &mut new, self.growth.entry(var).or_default());
            *old = new;
            self.changed = true;
        }
    }

    fn eval_body(&mut self, name: &'a str, names: &mut Names) {
        let game = self.game;
        let Some(definition) = game.expressions.get(name) else {
            return;
        };
        let mut value = Abs::default();
        for (at, line) in definition.body.iter().enumerate() {
            let line = self.eval(line, names);
            if at + 1 == definition.body.len() {
                value.join(&line);
            } else {
                value.no |= line.no;
            }
            if line.is_never() || line == Abs::truth(false, true) {
                break;
            }
        }
        value.cut(MAX_NESTING);
        let old = self.calls.entry(name).or_default();
        let mut new = old.clone();
        new.join(&value);
        if new != *old {
            // A variable of the same name shares the count; it only gives up a little earlier.
            let growth = self.growth.entry(&definition.name.node).or_default();
            widen(old, &mut new, growth);
            *old = new;
            self.changed = true;
        }
    }

    fn eval(&mut self, expr: &'a Expr, names: &mut Names) -> Abs {
        let abs = match constant(expr) {
            Some(value) => of_constant(&value, names),
            None => self.eval_kind(expr, names),
        };
        self.exprs.insert(std::ptr::from_ref(expr), abs.clone());
        abs
    }

    fn eval_kind(&mut self, expr: &'a Expr, names: &mut Names) -> Abs {
        match &expr.kind {
            ExprKind::Int(value) => Abs::int((*value, *value)),
            ExprKind::Bool(value) => Abs::truth(*value, !*value),
            ExprKind::Str(template) => Abs::texts(self.template(template, names)),
            ExprKind::Var(name) => self.vars.get(name.as_str()).cloned().unwrap_or_default(),
            ExprKind::Set(items) => {
                let mut all = Abs::default();
                for item in items {
                    let item = self.eval(item, names);
                    all.join(&item);
                }
                Abs::set(all)
            }
            ExprKind::Lazy(items) => {
                for item in items {
                    match &item.kind {
                        ExprKind::Call { name, args } => {
                            self.pass(&name.node, args, names);
                        }
                        _ => {
                            self.eval(item, names);
                        }
                    }
                }
                Abs {
                    list: true,
                    ..Abs::default()
                }
            }
            ExprKind::Unary { op, operand, .. } => self.unary(*op, operand, names),
            ExprKind::Binary {
                op, left, right, ..
            } => self.binary(*op, left, right, names),
            ExprKind::Assign { var, value } => {
                let value = self.eval(value, names);
                if value.is_never() {
                    return value;
                }
                self.assign(&var.node, value);
                Abs::truth(true, false)
            }
            ExprKind::If { condition, yes, no } => {
                let condition = self.eval(condition, names);
                let mut value = Abs::default();
                if condition.yes {
                    value.join(&self.eval(yes, names));
                }
                if condition.no {
                    value.join(&self.eval(no, names));
                }
                value
            }
            ExprKind::Loop {
                var,
                from,
                to,
                body,
                ..
            } => {
                let from = self.eval(from, names).int;
                let to = self.eval(to, names).int;
                let (Some(from), Some(to)) = (from, to) else {
                    return Abs::default();
                };
                let range = (from.0.min(to.0), from.1.max(to.1));
                self.assign(&var.node, Abs::int(range));
                let body = self.eval(body, names);
                Abs::truth(body.yes, body.no)
            }
            ExprKind::Builtin { builtin, args, .. } => self.builtin(*builtin, args, names),
            ExprKind::Call { name, args } => match self.pass(&name.node, args, names) {
                true => self
                    .calls
                    .get(name.node.as_str())
                    .cloned()
                    .unwrap_or_default(),
                false => Abs::default(),
            },
        }
    }

    /// Assigns arguments; false if one of them never has a value.
    fn pass(&mut self, name: &str, args: &'a [Expr], names: &mut Names) -> bool {
        let game = self.game;
        let Some(definition) = game.expressions.get(name) else {
            return false;
        };
        for (param, arg) in definition.params.iter().zip(args) {
            let value = self.eval(arg, names);
            if value.is_never() {
                return false;
            }
            self.assign(&param.node, value);
        }
        self.calls.entry(&definition.name.node).or_insert_with(|| {
            self.changed = true;
            Abs::default()
        });
        true
    }

    /// The ranges of the holes of a string, if all can have values.
    fn holes(&self, template: &Template) -> Option<Vec<Interval>> {
        let range = |name: &str| self.vars.get(name)?.int;
        template.vars().map(|var| range(&var.node)).collect()
    }

    fn template(&self, template: &Template, names: &mut Names) -> Texts {
        let Some(holes) = self.holes(template) else {
            return Texts::default();
        };
        match names.spell(template, &holes) {
            Some(known) => Texts {
                known: known.into_iter().collect(),
                ..Texts::default()
            },
            None => {
                let known = names.written_matches(template).into_iter().collect();
                Texts {
                    known,
                    open: true,
                    ..Texts::default()
                }
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr, names: &mut Names) -> Abs {
        let value = self.eval(operand, names);
        let wide = |f: &dyn Fn(i64, i64) -> (i64, i64)| match value.int {
            Some((lo, hi)) => Abs::int(narrow(f(i64::from(lo), i64::from(hi)))),
            None => Abs::default(),
        };
        match op {
            UnaryOp::Not => Abs::truth(value.no, value.yes),
            UnaryOp::Neg => wide(&|lo, hi| (-hi, -lo)),
            UnaryOp::Abs => wide(&|lo, hi| {
                let least = if lo <= 0 && hi >= 0 {
                    0
                } else {
                    lo.abs().min(hi.abs())
                };
                (least, lo.abs().max(hi.abs()))
            }),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr, names: &mut Names) -> Abs {
        let a = self.eval(left, names);
        match op {
            BinaryOp::And => {
                let b = if a.yes {
                    self.eval(right, names)
                } else {
                    Abs::default()
                };
                return Abs::truth(a.yes && b.yes, a.no || (a.yes && b.no));
            }
            BinaryOp::Or => {
                let b = if a.no {
                    self.eval(right, names)
                } else {
                    Abs::default()
                };
                return Abs::truth(a.yes || (a.no && b.yes), a.no && b.no);
            }
            _ => {}
        }
        let b = self.eval(right, names);
        if a.is_never() || b.is_never() {
            return Abs::default();
        }
        match op {
            BinaryOp::Eq => equality(&a, &b),
            BinaryOp::Ne => {
                let equal = equality(&a, &b);
                Abs::truth(equal.no, equal.yes)
            }
            BinaryOp::In => match &b.set {
                Some(item) => Abs::truth(a.meets(item), true),
                None => Abs::default(),
            },
            BinaryOp::Subset => match (&a.set, &b.set) {
                (Some(_), Some(_)) => Abs::truth(true, true),
                _ => Abs::default(),
            },
            BinaryOp::Union => match (a.set, b.set) {
                (Some(mut a), Some(b)) => {
                    a.join(&b);
                    Abs::set(*a)
                }
                _ => Abs::default(),
            },
            BinaryOp::SetMinus | BinaryOp::Intersect => match (a.set, b.set) {
                (Some(a), Some(_)) => Abs::set(*a),
                _ => Abs::default(),
            },
            _ => match (a.int, b.int) {
                (Some(a), Some(b)) => integers(op, a, b),
                _ => Abs::default(),
            },
        }
    }

    /// The value of an argument that names something; what it can be matters only if it is not spelt out.
    fn argument(&mut self, arg: &'a Expr, names: &mut Names) -> bool {
        match &arg.kind {
            ExprKind::Str(template) => self.holes(template).is_some(),
            _ => self.eval(arg, names).text.is_some(),
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &'a [Expr], names: &mut Names) -> Abs {
        use Builtin as B;
        let ints = |types: &Self, at: usize| args.get(at).and_then(|arg| types.of(arg).int);
        let mut sound = true;
        for (arg, ty) in args.iter().zip(builtin.signature().params) {
            sound &= match ty {
                crate::ast::Type::Str => self.argument(arg, names),
                _ => self.eval(arg, names).int.is_some(),
            };
            if !sound {
                return Abs::default();
            }
        }
        match builtin {
            B::LocType => Abs::texts(Texts::all_of(Dom::LocationType)),
            B::ElType => Abs::texts(Texts::all_of(Dom::ElementType)),
            B::Location => Abs::texts(Texts::all_of(Dom::Location)),
            B::Content => Abs::texts(Texts::all_of(Dom::Element)),
            B::State => Abs::int((self.min_state().min(-1), self.max_state())),
            B::Owner => Abs::int((-1, self.players())),
            B::Player => Abs::int((1, self.players())),
            B::Index => self.index(Some((1, 1)), &args[0], names),
            B::IndexA => self.index(ints(self, 0), &args[1], names),
            B::Unindex => self.unindex(&args[0], names),
            B::Score | B::ZIndex => Abs::int(FULL),
            B::Empty | B::Move => Abs::truth(true, true),
            B::SetOwner | B::SetState | B::SetZIndex | B::NextPlayer => Abs::truth(true, false),
        }
    }

    /// The range of an index of a string.
    fn index(&mut self, which: Option<Interval>, arg: &'a Expr, names: &mut Names) -> Abs {
        if let ExprKind::Str(template) = &arg.kind
            && let (Some(indexed), Some((which, last))) = (template.indexed(), which)
            && which == last
        {
            let index = usize::try_from(which - 1)
                .ok()
                .and_then(|at| indexed.indexes.get(at));
            return match index {
                Some(Index::Literal(value)) => Abs::int((*value, *value)),
                Some(Index::Var(var)) => Abs {
                    int: self.vars.get(var.node.as_str()).and_then(|var| var.int),
                    ..Abs::default()
                },
                None => Abs::default(),
            };
        }
        let texts = self.eval(arg, names).text.unwrap_or_default();
        if texts.open {
            return Abs::int(FULL);
        }
        let mut all = Abs::default();
        for text in every(&texts, names) {
            for index in split(&text).map(|(_, indexes)| indexes).unwrap_or_default() {
                all.join(&Abs::int((index, index)));
            }
        }
        all
    }

    fn unindex(&mut self, arg: &'a Expr, names: &mut Names) -> Abs {
        let texts = match &arg.kind {
            ExprKind::Str(template) => match template.indexed() {
                Some(indexed) => Texts::one(names.intern(indexed.base)),
                None => self.template(template, names),
            },
            _ => self.eval(arg, names).text.unwrap_or_default(),
        };
        let mut bases = Texts {
            open: texts.open,
            ..Texts::default()
        };
        for text in every(&texts, names) {
            if let Some((base, _)) = split(&text) {
                bases.known.insert(names.intern(base));
            }
        }
        Abs::texts(bases)
    }
}

/// All texts, spelt out.
pub(super) fn every(texts: &Texts, names: &Names) -> Vec<String> {
    let mut all: Vec<String> = texts
        .known
        .iter()
        .map(|&id| names.text(id).to_owned())
        .collect();
    for dom in Dom::FIXED {
        if texts.any[dom as usize] {
            all.extend(names.members(dom).map(str::to_owned));
        }
    }
    all
}

/// The abstract value of a constant.
fn of_constant(value: &Constant, names: &mut Names) -> Abs {
    match value {
        Constant::Int(value) => Abs::int((*value, *value)),
        Constant::Bool(value) => Abs::truth(*value, !*value),
        Constant::Text(text) => Abs::texts(Texts::one(names.intern(text))),
        Constant::Set(items) => {
            let mut all = Abs::default();
            for item in items {
                all.join(&of_constant(item, names));
            }
            Abs::set(all)
        }
    }
}

fn equality(a: &Abs, b: &Abs) -> Abs {
    let same = a.kinds() == 1 && b.kinds() == 1 && a.int.is_some() && a.int == b.int;
    let certain = same && a.int.is_some_and(|(lo, hi)| lo == hi);
    Abs::truth(a.meets(b), !certain)
}

/// Lets a range that keeps growing grow to the end.
fn widen(old: &Abs, new: &mut Abs, growth: &mut u32) {
    let (Some(before), Some(after)) = (old.int, &mut new.int) else {
        return;
    };
    if before == *after {
        return;
    }
    *growth += 1;
    if *growth > PATIENCE {
        if after.0 < before.0 {
            after.0 = i32::MIN;
        }
        if after.1 > before.1 {
            after.1 = i32::MAX;
        }
    }
}

/// A range of 64-bit results as one of wrapped 32-bit results.
fn narrow((lo, hi): (i64, i64)) -> Interval {
    match (i32::try_from(lo), i32::try_from(hi)) {
        (Ok(lo), Ok(hi)) => (lo, hi),
        _ => FULL,
    }
}

fn integers(op: BinaryOp, a: Interval, b: Interval) -> Abs {
    use crate::ir::{BinaryOp as Ir, range};
    let (x, y) = (
        (i64::from(a.0), i64::from(a.1)),
        (i64::from(b.0), i64::from(b.1)),
    );
    let arithmetic = |op| Abs::int(range::binary(op, x, y).map_or(FULL, narrow));
    match op {
        BinaryOp::Lt => Abs::truth(a.0 < b.1, a.1 >= b.0),
        BinaryOp::Le => Abs::truth(a.0 <= b.1, a.1 > b.0),
        BinaryOp::Gt => Abs::truth(a.1 > b.0, a.0 <= b.1),
        BinaryOp::Ge => Abs::truth(a.1 >= b.0, a.0 < b.1),
        BinaryOp::Add => arithmetic(Ir::Add),
        BinaryOp::Sub => arithmetic(Ir::Sub),
        BinaryOp::Mul => arithmetic(Ir::Mul),
        _ if b == (0, 0) => Abs::default(),
        BinaryOp::Div => {
            let size = x.0.abs().max(x.1.abs());
            Abs::int(range::binary(Ir::Div, x, y).map_or_else(|| narrow((-size, size)), narrow))
        }
        BinaryOp::Rem => {
            let size = (y.0.abs().max(y.1.abs()) - 1).min(x.0.abs().max(x.1.abs()));
            Abs::int(narrow((
                if x.0 < 0 { -size } else { 0 },
                if x.1 > 0 { size } else { 0 },
            )))
        }
        _ => Abs::default(),
    }
}

/// The expressions that an expression calls, directly.
pub(super) fn callees<'a>(expr: &'a Expr, into: &mut IndexSet<&'a str>) {
    if let ExprKind::Call { name, .. } = &expr.kind {
        into.insert(&name.node);
    }
    for child in expr.children() {
        callees(child, into);
    }
}
