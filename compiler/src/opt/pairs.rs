//! `pairs`: what constants say of two parameters of a move becomes a row of a table.
//!
//! Whether two places are neighbours follows from tables and arithmetic alone. A part of a guard that depends on two parameters
//! and on nothing that changes is computed for all pairs: the second parameter is in the row of the first. Where the first lists
//! what the second can be, and all that it lists have the same answer, that is the answer; and a member, such as the place between two
//! others, is looked up by the first alone where that tells it.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::visit::{expr_nodes, walk_block};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId, Stmt, StmtKind,
    Table, TableId, Type,
};

use super::fold_constants::{drop_functions, drop_tables, simplify};
use super::listed::{Listed, Scope, asked_by_identities};
use super::locals::each_assigned;
use super::simplify::leaves;
use super::tables::{free_name, known_or_new};
use crate::ir::value::evaluate;

/// Pairs of members for which a condition is computed.
const MOST_PAIRS: usize = 16_384;
/// Conditions that are computed in one game.
const MOST_TABLES: usize = 8;
/// Parts of what a guard comes to at its end.
const MOST_NODES: usize = 400;
/// Calls inside of calls that are followed.
const DEPTH: usize = 8;

/// Rewrites the guards of all families.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let first = game.tables.len();
    let settled = settle(game, &effects);
    for index in 0..game.families.len() {
        let family = &game.families[index];
        let Some(guard) = family.guard else { continue };
        let context = family.context.len();
        let params = context..context + family.params.len();
        let known = known(game, guard);
        let mut body = game.function(guard).body.clone();
        let mut pairs = Pairs {
            game,
            effects: &effects,
            params: params.map(LocalId::from).collect(),
            guard,
            first,
        };
        pairs.join(&mut body, &known);
        replace_conditions(&mut body, &known, &mut |cond| pairs.tabled(cond));
        game.functions[guard.index()].body = body;
    }
    if settled || game.tables.len() > first {
        drop_functions(game);
        simplify(game);
        drop_tables(game);
    }
}

/// Puts answers where conditions have the same one for all members that one variable lists for another; whether there were any.
fn settle(game: &mut Game, effects: &Effects) -> bool {
    let all = (0..game.functions.len()).map(FuncId::from).collect();
    let listed = Listed::of(game, &all, &asked_by_identities(game, effects));
    if !listed.any() {
        return false;
    }
    let mut bodies = Vec::new();
    let mut made = Vec::new();
    for func in all {
        let mut settled = Settled {
            game,
            effects,
            listed: &listed,
            func,
            answers: 0,
            made: &mut made,
        };
        let mut body = game.function(func).body.clone();
        let known = known(game, func);
        replace_conditions(&mut body, &known, &mut |cond| settled.settle(cond));
        replace_members(&mut body, &known, &mut |expr| settled.by_one(expr));
        if settled.answers > 0 {
            bodies.push((func, body));
        }
    }
    let any = !bodies.is_empty();
    for (func, body) in bodies {
        game.functions[func.index()].body = body;
    }
    for table in made {
        let name = free_name(&table.name, game.tables.iter().map(|t| t.name.as_str()));
        game.tables.push(Table { name, ..table });
    }
    any
}

/// Conditions of a function that are answered by what candidates are listed.
struct Settled<'a> {
    game: &'a Game,
    effects: &'a Effects,
    listed: &'a Listed<'a>,
    func: FuncId,
    answers: usize,
    /// New tables, behind those of the game.
    made: &'a mut Vec<Table>,
}

impl Settled<'_> {
    /// A member that two variables tell, by the one that lists the other, if all that it lists tell the same.
    fn by_one(&mut self, expr: &Expr) -> Option<Expr> {
        let (a, b) = two_locals(self.game, self.effects, expr)?;
        let scope = Scope::Function(self.func);
        let tables = |by, of| Some((by, of, self.listed.tables(scope, by, of)?));
        let (by, of, tables) = tables(a, b).or_else(|| tables(b, a))?;
        let ty = self.game.function(self.func).local(by).ty.clone();
        let Type::Elem(domain) = ty else { return None };
        let mut values = vec![None; self.game.domain(domain).len()];
        let mut locals = vec![None; b.index() + 1];
        for id in tables {
            for (row, members) in (0..).zip(&self.game.table(id).values) {
                let Const::Set(members) = members else {
                    return None;
                };
                locals[by.index()] = Some(Const::Elem(row));
                for member in members {
                    locals[of.index()] = Some(Const::Elem(*member));
                    let value = evaluate(self.game, expr, &locals, DEPTH)?;
                    let own = values.get_mut(row as usize)?;
                    if *own.get_or_insert_with(|| value.clone()) != value {
                        return None;
                    }
                }
            }
        }
        // Members that list nothing are never asked about.
        let any = values.iter().flatten().next()?.clone();
        let values = values
            .into_iter()
            .map(|own| own.unwrap_or_else(|| any.clone()));
        self.answers += 1;
        let by = Expr::local(by, Type::Elem(domain), expr.span);
        Some(self.lookup(values.collect(), domain, by, expr))
    }

    /// A look-up of values by a member.
    fn lookup(&mut self, values: Vec<Const>, domain: DomainId, by: Expr, of: &Expr) -> Expr {
        let table = Table {
            name: format!("members of {}", self.game.function(self.func).name),
            axes: vec![Axis::Domain(domain)],
            ty: of.ty.clone(),
            values,
            outside: None,
            span: of.span,
        };
        let same = |other: &Table| {
            (&other.axes, &other.ty, &other.values) == (&table.axes, &table.ty, &table.values)
        };
        let known = self.game.tables.iter().chain(&*self.made).position(same);
        let id = known.unwrap_or_else(|| {
            self.made.push(table);
            self.game.tables.len() + self.made.len() - 1
        });
        let kind = ExprKind::Lookup(id.into(), vec![by]);
        Expr::new(kind, of.ty.clone(), of.span)
    }

    fn settle(&mut self, expr: &Expr) -> Option<Expr> {
        let (a, b) = two_locals(self.game, self.effects, expr)?;
        let answer = self.answer(expr, a, b)?;
        self.answers += 1;
        let answer = ExprKind::Const(Const::Bool(answer));
        Some(Expr::new(answer, Type::Bool, expr.span))
    }

    /// The answer to a condition, if it is the same for all members that one local variable lists for the other.
    fn answer(&self, cond: &Expr, a: LocalId, b: LocalId) -> Option<bool> {
        let scope = Scope::Function(self.func);
        let tables = |by, of| Some((by, of, self.listed.tables(scope, by, of)?));
        let (by, of, tables) = tables(a, b).or_else(|| tables(b, a))?;
        let rows = tables
            .iter()
            .flat_map(|id| (0..).zip(&self.game.table(*id).values));
        let mut locals = vec![None; b.index() + 1];
        let mut answer = None;
        for (row, members) in rows {
            let Const::Set(members) = members else {
                return None;
            };
            locals[by.index()] = Some(Const::Elem(row));
            for member in members {
                locals[of.index()] = Some(Const::Elem(*member));
                match (evaluate(self.game, cond, &locals, DEPTH)?, answer) {
                    (Const::Bool(own), None) => answer = Some(own),
                    (Const::Bool(own), Some(answer)) if own == answer => {}
                    _ => return None,
                }
            }
        }
        answer
    }
}

/// Replaces conditions in branches and in what is returned, outermost first; parts of those for which there is nothing else are looked
/// at, too. What local variables are known to be stands in what is asked.
fn replace_conditions(
    block: &mut Block,
    known: &SortedMap<LocalId, Expr>,
    other: &mut dyn FnMut(&Expr) -> Option<Expr>,
) {
    for stmt in block {
        if let StmtKind::If(..) | StmtKind::Return(_) = &stmt.kind {
            stmt.children_mut(&mut |expr| replace_condition(expr, known, other));
        }
        stmt.blocks_mut(&mut |inner| replace_conditions(inner, known, other));
    }
}

fn replace_condition(
    expr: &mut Expr,
    known: &SortedMap<LocalId, Expr>,
    other: &mut dyn FnMut(&Expr) -> Option<Expr>,
) {
    if expr.ty != Type::Bool {
        return;
    }
    let mut whole = expr.clone();
    put(&mut whole, known);
    if let Some(other) = other(&whole) {
        *expr = other;
        return;
    }
    if let ExprKind::Unary(..) | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) = &expr.kind {
        expr.children_mut(&mut |child| replace_condition(child, known, other));
    }
}

/// Replaces expressions whose value is a member, or none, outermost first. What local variables are known to be stands in them.
fn replace_members(
    block: &mut Block,
    known: &SortedMap<LocalId, Expr>,
    other: &mut dyn FnMut(&Expr) -> Option<Expr>,
) {
    fn replace(
        expr: &mut Expr,
        known: &SortedMap<LocalId, Expr>,
        other: &mut dyn FnMut(&Expr) -> Option<Expr>,
    ) {
        if let Type::Elem(_) | Type::Opt(_) = expr.ty
            && !matches!(expr.kind, ExprKind::Local(_) | ExprKind::Const(_))
        {
            let mut whole = expr.clone();
            put(&mut whole, known);
            if let Some(other) = other(&whole) {
                *expr = other;
                return;
            }
        }
        expr.children_mut(&mut |child| replace(child, known, other));
    }
    for stmt in block {
        stmt.children_mut(&mut |expr| replace(expr, known, other));
        stmt.blocks_mut(&mut |inner| replace_members(inner, known, other));
    }
}

/// The two local variables that an expression depends on, if it depends on nothing else.
fn two_locals(game: &Game, effects: &Effects, expr: &Expr) -> Option<(LocalId, LocalId)> {
    let mut locals: Vec<LocalId> = Vec::new();
    expr.walk(&mut |expr| {
        if let ExprKind::Local(local) = &expr.kind
            && !locals.contains(local)
        {
            locals.push(*local);
        }
    });
    locals.sort_unstable();
    let [a, b] = locals[..] else { return None };
    let effect = effects.expr(game, expr);
    (effect.reads.is_empty() && !effect.works).then_some((a, b))
}

/// What local variables are that are given a value once, at the outermost level of a function.
fn known(game: &Game, func: FuncId) -> SortedMap<LocalId, Expr> {
    let function = game.function(func);
    let mut times: SortedMap<LocalId, usize> = SortedMap::new();
    walk_block(&function.body, &mut |stmt| {
        each_assigned(stmt, &mut |local| *times.entry(local).or_default() += 1);
    });
    let mut known: SortedMap<LocalId, Expr> = SortedMap::new();
    for stmt in &function.body {
        if let StmtKind::Let(local, value) = &stmt.kind
            && times.get(local) == Some(&1)
            && game.function(func).local(*local).ty == value.ty
        {
            let mut value = value.clone();
            put(&mut value, &known);
            known.insert(*local, value);
        }
    }
    known
}

fn put(expr: &mut Expr, known: &SortedMap<LocalId, Expr>) {
    if let ExprKind::Local(local) = &expr.kind {
        if let Some(value) = known.get(local) {
            *expr = value.clone();
        }
        return;
    }
    expr.children_mut(&mut |child| put(child, known));
}

struct Pairs<'a> {
    game: &'a mut Game,
    effects: &'a Effects,
    params: Vec<LocalId>,
    guard: FuncId,
    /// The first table that is made.
    first: usize,
}

impl Pairs<'_> {
    /// Gives what a guard comes to at its end by one table, as much of it as two parameters decide.
    fn join(&mut self, body: &mut Block, known: &SortedMap<LocalId, Expr>) {
        let starts = 0..body.len().saturating_sub(1);
        let mut ends = starts.filter_map(|at| {
            let value = self.value(&body[at..], known.clone())?;
            Some((at, self.tabled(&value)?))
        });
        if let Some((at, row)) = ends.next() {
            let span = row.span;
            body.truncate(at);
            body.push(Stmt::new(StmtKind::Return(Some(row)), span));
        }
    }

    /// The truth that a block gives, if constants and known variables decide it.
    fn value(&self, block: &[Stmt], mut known: SortedMap<LocalId, Expr>) -> Option<Expr> {
        let constant = |expr: &Expr, known: &SortedMap<LocalId, Expr>| {
            let mut expr = expr.clone();
            put(&mut expr, known);
            let effect = self.effects.expr(self.game, &expr);
            let plain = effect.reads.is_empty() && effect.is_pure() && !effect.works;
            (plain && expr_nodes(&expr) <= MOST_NODES).then_some(expr)
        };
        let (stmt, rest) = block.split_first()?;
        let (local, given) = match &stmt.kind {
            StmtKind::Let(local, value) => (*local, value.clone()),
            StmtKind::Call { func, args, into } => {
                let ty = self.game.function(*func).ret.clone()?;
                let call = ExprKind::Call(*func, args.clone());
                ((*into)?, Expr::new(call, ty, stmt.span))
            }
            StmtKind::Return(Some(value)) => return constant(value, &known),
            // What follows stands in one branch only.
            StmtKind::If(cond, yes, no)
                if yes.last().is_some_and(leaves) || no.last().is_some_and(leaves) =>
            {
                let cond = constant(cond, &known)?;
                let yes = self.value(&[&yes[..], rest].concat(), known.clone())?;
                let no = self.value(&[&no[..], rest].concat(), known)?;
                let branches = ExprKind::If(Box::new(cond), Box::new(yes), Box::new(no));
                let whole = Expr::new(branches, Type::Bool, stmt.span);
                return (expr_nodes(&whole) <= MOST_NODES).then_some(whole);
            }
            _ => return None,
        };
        let given = constant(&given, &known)?;
        known.insert(local, given.clone());
        let value = self.value(rest, known)?;
        let effect = self.effects.expr(self.game, &given);
        if !effect.may_fault && !effect.fails {
            return Some(value);
        }
        // What follows may not ask for it, and it goes wrong all the same.
        let is_had = Expr::binary(BinaryOp::Eq, given.clone(), given).at(stmt.span);
        let whole = is_had.and(value);
        (expr_nodes(&whole) <= MOST_NODES).then_some(whole)
    }

    /// The same condition of two parameters by a table.
    fn tabled(&mut self, cond: &Expr) -> Option<Expr> {
        let (a, b) = two_locals(self.game, self.effects, cond)?;
        let own = self.params.contains(&a) && self.params.contains(&b);
        own.then(|| self.row(cond, a, b))?
    }

    fn domain(&self, local: LocalId) -> Option<DomainId> {
        match self.game.function(self.guard).local(local).ty {
            Type::Elem(domain) => Some(domain),
            _ => None,
        }
    }

    /// Whether the second parameter is in the row of the first.
    fn row(&mut self, cond: &Expr, a: LocalId, b: LocalId) -> Option<Expr> {
        let (by, of) = (self.domain(a)?, self.domain(b)?);
        let (rows, width) = (self.game.domain(by).len(), self.game.domain(of).len());
        if rows * width > MOST_PAIRS || self.game.tables.len() - self.first >= MOST_TABLES {
            return None;
        }
        let mut locals = vec![None; b.index() + 1];
        let mut values = Vec::new();
        for row in 0..rows as u32 {
            locals[a.index()] = Some(Const::Elem(row));
            let mut members = Vec::new();
            for member in 0..width as u32 {
                locals[b.index()] = Some(Const::Elem(member));
                match evaluate(self.game, cond, &locals, DEPTH)? {
                    Const::Bool(true) => members.push(member),
                    Const::Bool(false) => {}
                    _ => return None,
                }
            }
            values.push(Const::Set(members));
        }
        let span = cond.span;
        let table = self.table(by, of, values, cond);
        let row = Expr::lookup(
            self.game,
            table,
            vec![Expr::local(a, Type::Elem(by), span)],
            span,
        );
        let member = Expr::local(b, Type::Elem(of), span);
        Some(Expr::binary(BinaryOp::In, member, row).at(span))
    }

    fn table(&mut self, by: DomainId, of: DomainId, values: Vec<Const>, cond: &Expr) -> TableId {
        let table = Table {
            name: format!("pairs of {}", self.game.function(self.guard).name),
            axes: vec![Axis::Domain(by)],
            ty: Type::Set(of),
            values,
            outside: None,
            span: cond.span,
        };
        known_or_new(self.game, table)
    }
}
