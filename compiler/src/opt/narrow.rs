//! `narrow`: moves begin only where they lead somewhere.
//!
//! A move goes from one of a set of places to one of those that a table gives for it, if that lies in another set, as where
//! nothing stands. From most places none does: those from which one does are had for the whole board at once, by the steps
//! of the table taken backwards. What a guard asks of places that are so many steps away is looked at in the same way. The moves
//! stay the same, in the same order.
//!
//! Where nothing is asked of a move but where it comes from and goes to, all its sources are looked at together anyway.

#[cfg(test)]
mod tests;

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Effects;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Family, FuncId, Function, Game, Local,
    LocalId, Over, ParamSource, PlacementForm, StmtKind, Table, TableId, Type, UnaryOp,
};

use super::fold_constants::drop_functions;
use super::tables::known_or_new;

/// Differences between a place and the places that a table gives for it.
const MOST_STEPS: usize = 3;
/// Nodes of a set of places that is asked for beside the question that asks for it.
const MOST_NODES: usize = 120;
/// Functions that ask others, one in the other.
const DEPTH: usize = 4;

/// Narrows the sources of moves.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for index in 0..game.families.len() {
        let narrow = Narrow {
            game,
            effects: &effects,
        };
        let Some((sources, starts)) = narrow.family(&game.families[index]) else {
            continue;
        };
        let Some(function) = narrowed(game, sources, starts) else {
            continue;
        };
        game.functions.push(function);
        let func = FuncId::from(game.functions.len() - 1);
        game.families[index].params[0].source = ParamSource::Generated(func);
        changed = true;
    }
    if changed {
        drop_functions(game);
    }
}

/// What a place must be for a move to begin there.
enum Start {
    /// It is in a set.
    In(Expr),
    /// A table gives a place for it that is in all of these sets.
    LeadsInto(TableId, Vec<Expr>),
}

struct Narrow<'g> {
    game: &'g Game,
    effects: &'g Effects,
}

impl Narrow<'_> {
    /// The function that gives the sources of a family, and what they must be.
    fn family(&self, family: &Family) -> Option<(FuncId, Vec<Start>)> {
        let [from, to, ..] = &family.params[..] else {
            return None;
        };
        let ParamSource::Generated(sources) = from.source else {
            return None;
        };
        let asked = family.guard.is_some() || family.after.is_some();
        if !asked || !family.context.is_empty() || !matches!(from.ty, Type::Elem(_)) {
            return None;
        }
        let mut starts = Vec::new();
        if let ParamSource::Generated(targets) = to.source
            && let Some(set) = self.answer(targets, 1)
        {
            self.targets(set, &mut starts);
        }
        if let Some(guard) = family.guard
            && let Some(test) = self.answer(guard, family.params.len())
        {
            self.tests(test, DEPTH, &mut starts);
        }
        (!starts.is_empty()).then_some((sources, starts))
    }

    /// What a function of so many arguments gives at once, if it never fails.
    fn answer(&self, func: FuncId, params: usize) -> Option<&Expr> {
        let function = self.game.function(func);
        let effect = self.effects.function(func);
        if effect.may_fault || !effect.is_pure() || function.params != params {
            return None;
        }
        match &function.body[..] {
            [stmt] => match &stmt.kind {
                StmtKind::Return(value) => value.as_ref(),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a place must be for a set of targets not to be empty.
    fn targets(&self, set: &Expr, starts: &mut Vec<Start>) {
        let (mut parts, mut fixed) = (Vec::new(), Vec::new());
        let mut open = vec![set];
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::Binary(BinaryOp::Intersect, a, b) => open.extend([&**b, &**a]),
                ExprKind::Binary(BinaryOp::Minus, a, b) if self.is_fixed(b) => {
                    fixed.push(Expr::unary(UnaryOp::Complement, (**b).clone()));
                    open.push(a);
                }
                _ if self.is_fixed(part) => fixed.push(part.clone()),
                _ => parts.push(part),
            }
        }
        let rows = parts.iter().filter_map(|part| row(part));
        starts.extend(rows.map(|table| Start::LeadsInto(table, fixed.clone())));
        for part in parts {
            let ExprKind::If(when, then, none) = &part.kind else {
                continue;
            };
            if !is_empty(none) {
                continue;
            }
            if let ExprKind::Binary(BinaryOp::In, member, set) = &when.kind
                && is_source(member)
                && self.is_fixed(set)
            {
                starts.push(Start::In((**set).clone()));
            }
            self.targets(then, starts);
        }
    }

    /// What a place must be for all tests of a guard to hold, as far as that is about other places so many steps away.
    fn tests(&self, test: &Expr, depth: usize, starts: &mut Vec<Start>) {
        let mut parts = Vec::new();
        operands(test, BinaryOp::And, &mut parts);
        let mut asked: SortedMap<TableId, Vec<Expr>> = SortedMap::new();
        for part in parts {
            match &part.kind {
                ExprKind::Call(func, args) if depth > 0 => {
                    let given = (0..).map(LocalId::from).map(ExprKind::Local);
                    let same = args.iter().zip(given).all(|(arg, own)| arg.kind == own);
                    if let Some(test) = self.answer(*func, args.len()).filter(|_| same) {
                        self.tests(test, depth - 1, starts);
                    }
                }
                ExprKind::Binary(BinaryOp::In, member, set) if self.is_fixed(set) => {
                    if let Some(table) = row(member) {
                        asked.entry(table).or_default().push((**set).clone());
                    }
                }
                ExprKind::Binary(BinaryOp::Eq, a, b) => {
                    if let Some((table, set)) = self.stands(a, b).or_else(|| self.stands(b, a)) {
                        asked.entry(table).or_default().push(set);
                    }
                }
                _ => {}
            }
        }
        starts.extend(
            asked
                .into_iter()
                .map(|(table, sets)| Start::LeadsInto(table, sets)),
        );
    }

    /// The places of a kind that must stand on the place that a table gives.
    fn stands(&self, content: &Expr, kind: &Expr) -> Option<(TableId, Expr)> {
        let ExprKind::Content(id, place) = &content.kind else {
            return None;
        };
        let kind = match (&kind.kind, &kind.ty) {
            (ExprKind::Some(kind), _) => (**kind).clone(),
            (ExprKind::Const(value @ Const::Elem(_)), Type::Opt(kinds)) => Expr::new(
                ExprKind::Const(value.clone()),
                Type::Elem(*kinds),
                kind.span,
            ),
            _ => return None,
        };
        let placement = self.game.placement(*id);
        if placement.form != PlacementForm::Anonymous || !self.is_fixed(&kind) {
            return None;
        }
        let places = ExprKind::Places(*id, Box::new(kind));
        let set = Expr::new(places, Type::Set(placement.places), content.span);
        Some((row(place)?, set))
    }

    /// Whether something is the same for all sources, had without a fault, and short.
    fn is_fixed(&self, expr: &Expr) -> bool {
        let (mut plain, mut nodes) = (true, 0);
        expr.walk(&mut |expr| {
            plain &= !matches!(expr.kind, ExprKind::Local(_));
            nodes += 1;
        });
        let effect = self.effects.expr(self.game, expr);
        plain
            && nodes <= MOST_NODES
            && effect.is_pure()
            && !effect.may_fault
            && effect.reads.env.is_empty()
    }
}

/// A function that gives the sources which are what they must be; nothing where that is not known in a few steps.
fn narrowed(game: &mut Game, sources: FuncId, starts: Vec<Start>) -> Option<Function> {
    let mut function = game.function(sources).clone();
    let Some(Type::Set(domain)) = function.ret else {
        return None;
    };
    let [stmt] = &mut function.body[..] else {
        return None;
    };
    let StmtKind::Return(Some(set)) = &mut stmt.kind else {
        return None;
    };
    let members = constant_part(game, set, domain);
    let place = LocalId::from(function.locals.len());
    let tests = starts
        .into_iter()
        .filter_map(|start| test(game, (domain, &members), place, start));
    let test = tests.reduce(Expr::and)?;
    let span = test.span;
    let collect = ExprKind::Collect {
        local: place,
        over: Box::new(Over::Domain(domain)),
        when: Box::new(test),
    };
    intersect(set, Expr::new(collect, Type::Set(domain), span));
    function.locals.push(Local {
        name: String::from("place"),
        ty: Type::Elem(domain),
    });
    Some(function)
}

/// The condition on a place that a move may begin there.
fn test(
    game: &mut Game,
    (domain, members): (DomainId, &[u32]),
    place: LocalId,
    start: Start,
) -> Option<Expr> {
    let (table, sets) = match start {
        Start::In(set) => {
            let span = set.span;
            let here = Expr::local(place, Type::Elem(domain), span);
            return Some(Expr::binary(BinaryOp::In, here, set));
        }
        Start::LeadsInto(table, sets) => (table, sets),
    };
    let known = game.table(table);
    let (span, name) = (known.span, known.name.clone());
    let mut steps: SortedMap<i64, Vec<(u32, u32)>> = SortedMap::new();
    let within = sets.iter().filter_map(|set| match set.as_const() {
        Some(Const::Set(members)) => Some(members),
        _ => None,
    });
    let within: Vec<&Vec<u32>> = within.collect();
    for &from in members {
        for to in given(known.values.get(from as usize)?)? {
            if within.iter().all(|set| set.contains(&to)) {
                let by = i64::from(to) - i64::from(from);
                steps.entry(by).or_default().push((from, to));
            }
        }
    }
    if steps.len() > MOST_STEPS {
        return None;
    }
    let set = (sets.into_iter()).reduce(|a, b| Expr::binary(BinaryOp::Intersect, a, b));
    let leads = steps.into_values().map(|pairs| {
        let mut values = vec![Const::None; game.domain(domain).len()];
        for (from, to) in pairs {
            values[from as usize] = Const::Elem(to);
        }
        let step = known_or_new(
            game,
            Table {
                name: format!("step of {name}"),
                axes: vec![Axis::Domain(domain)],
                ty: Type::Opt(domain),
                values,
                outside: None,
                span,
            },
        );
        let here = Expr::local(place, Type::Elem(domain), span);
        let next = Expr::lookup(game, step, vec![here], span);
        let there = Expr::new(
            ExprKind::Get(Box::new(next.clone())),
            Type::Elem(domain),
            span,
        );
        let leads = Expr::new(ExprKind::IsSome(Box::new(next)), Type::Bool, span);
        match set.clone() {
            Some(set) => leads.and(Expr::binary(BinaryOp::In, there, set)),
            None => leads,
        }
    });
    let nowhere = Expr::bool(false, span);
    Some(leads.reduce(Expr::or).unwrap_or(nowhere))
}

/// The members that a constant among the operands of a set leaves.
fn constant_part(game: &Game, set: &Expr, domain: DomainId) -> Vec<u32> {
    let mut parts = Vec::new();
    let inner = match &set.kind {
        ExprKind::If(_, then, none) if is_empty(none) => then,
        _ => set,
    };
    operands(inner, BinaryOp::Intersect, &mut parts);
    let mut members: Vec<u32> = (0..game.domain(domain).len() as u32).collect();
    for part in parts {
        if let Some(Const::Set(known)) = part.as_const() {
            members.retain(|member| known.contains(member));
        }
    }
    members
}

/// Makes a set its intersection with another; where it is empty on a condition, that one is not asked for.
fn intersect(set: &mut Expr, other: Expr) {
    match &mut set.kind {
        ExprKind::If(_, then, none) if is_empty(none) => intersect(then, other),
        _ => {
            let own = std::mem::replace(set, Expr::bool(false, other.span));
            *set = Expr::binary(BinaryOp::Intersect, own, other);
        }
    }
}

/// The operands of an operation and of those among them that are the same operation.
fn operands<'e>(expr: &'e Expr, op: BinaryOp, out: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(own, a, b) if *own == op => {
            operands(a, op, out);
            operands(b, op, out);
        }
        _ => out.push(expr),
    }
}

/// The table that is looked up for the source of a move.
fn row(expr: &Expr) -> Option<TableId> {
    match &expr.kind {
        ExprKind::Lookup(table, index) => match &index[..] {
            [index] if is_source(index) => Some(*table),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is the first parameter, the source of a move.
fn is_source(expr: &Expr) -> bool {
    expr.kind == ExprKind::Local(LocalId(0))
}

fn is_empty(set: &Expr) -> bool {
    set.as_const() == Some(&Const::Set(Vec::new()))
}

/// The members that a value of a table gives.
fn given(value: &Const) -> Option<Vec<u32>> {
    match value {
        Const::Elem(member) => Some(vec![*member]),
        Const::None => Some(Vec::new()),
        Const::Set(members) => Some(members.clone()),
        _ => None,
    }
}
