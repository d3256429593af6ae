//! `families`: rules that differ in constants which one argument of a move tells are written alike.
//!
//! An author may write a rule for each column of a board, with the number of the column in it. Where all places that a move of
//! such a rule can name lie in one column, that number is what a table says of the place. With the table in its stead the rules do
//! the same, so that everything they come to is found once, and their moves are drawn as those of one rule.

mod called;
#[cfg(test)]
mod tests;

use rulec_ir::sorted::SortedMap;

use crate::ir::same::{placeless, placeless_block};
use crate::ir::visit::walk_block;
use crate::ir::walk::{each_use, rewrite_block};
use crate::ir::{
    Axis, Block, Const, DomainId, Expr, ExprKind, FamilyId, FuncId, Game, LocalId, ParamSource,
    StmtKind, Table, Type,
};

use super::locals::assigns;
use super::playing::plays_of;
use super::tables::known_or_new;

/// Writes rules alike that differ in such constants.
pub fn run(game: &mut Game) {
    if game.machine.is_some() || game.families.len() < 2 {
        return;
    }
    called::open(game);
    let mut groups: Vec<Vec<Rule>> = Vec::new();
    for rule in rules(game) {
        match groups.iter_mut().find(|group| group[0].shape == rule.shape) {
            Some(group) => group.push(rule),
            None => groups.push(vec![rule]),
        }
    }
    for group in groups.iter().filter(|group| group.len() > 1) {
        write_alike(game, group);
    }
}

/// A family with the functions that are its own.
struct Rule {
    family: FamilyId,
    /// For each parameter its candidates, where they are listed.
    among: Vec<Option<Vec<u32>>>,
    functions: Vec<FuncId>,
    shape: Shape,
    /// The integers in its functions, in order.
    numbers: Vec<i64>,
}

/// What a rule is apart from integers, listed candidates, and places in the rules.
#[derive(PartialEq)]
struct Shape {
    params: Vec<(Type, Option<ParamSource>)>,
    functions: Vec<(Block, Vec<Type>)>,
}

/// The rules whose functions nobody else uses.
fn rules(game: &Game) -> Vec<Rule> {
    let mut uses = vec![0; game.functions.len()];
    each_use(game, &mut |func| uses[func.index()] += 1);
    let mut played: SortedMap<usize, Vec<FuncId>> = SortedMap::new();
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            if let StmtKind::Choose(choose) = &stmt.kind {
                for arm in &choose.arms {
                    let plays = played.entry(arm.family.index()).or_default();
                    plays.extend(plays_of(arm));
                }
            }
        });
    }
    let families = game.families.iter().enumerate();
    families
        .filter_map(|(index, family)| {
            let own = [family.guard, family.after, family.effect, family.rank];
            let plays = played.get(&index).cloned().unwrap_or_default();
            let functions: Vec<FuncId> = own.into_iter().flatten().chain(plays).collect();
            let alone = functions.iter().all(|func| {
                uses[func.index()] == 1 && game.function(*func).params == family.params.len()
            });
            let alone = alone && family.context.is_empty();
            alone.then(|| Rule::of(game, FamilyId::from(index), functions))
        })
        .collect()
}

impl Rule {
    /// Whether two rules differ in no more than what `but` takes away from their functions.
    fn is_like(&self, other: &Rule, but: fn(&Block) -> Block) -> bool {
        let (one, two) = (&self.shape, &other.shape);
        let mut functions = one.functions.iter().zip(&two.functions);
        one.params == two.params
            && one.functions.len() == two.functions.len()
            && functions.all(|((a, types), (b, others))| types == others && but(a) == but(b))
    }

    fn of(game: &Game, family: FamilyId, functions: Vec<FuncId>) -> Rule {
        let mut numbers = Vec::new();
        let bodies = functions.iter().map(|func| {
            let function = game.function(*func);
            let mut body = function.body.clone();
            each_number(&mut body, &mut |expr, value| {
                numbers.push(value);
                expr.kind = ExprKind::Const(Const::Int(0));
            });
            let types = function.locals.iter().map(|local| local.ty.clone());
            (placeless_block(&body), types.collect())
        });
        let bodies = bodies.collect();
        let params = game.family(family).params.iter();
        let among = params.clone().map(|param| match &param.source {
            ParamSource::Among(members) => Some(members.clone()),
            _ => None,
        });
        let params = params.clone().map(|param| {
            let source = match &param.source {
                ParamSource::Among(_) => None,
                ParamSource::Is(value) => Some(ParamSource::Is(placeless(value))),
                other => Some(other.clone()),
            };
            (param.ty.clone(), source)
        });
        Rule {
            family,
            among: among.collect(),
            functions,
            shape: Shape {
                params: params.collect(),
                functions: bodies,
            },
            numbers,
        }
    }
}

/// Calls `f` on every constant integer of a block with its value.
fn each_number(block: &mut Block, f: &mut dyn FnMut(&mut Expr, i64)) {
    rewrite_block(block, &mut |expr| {
        if let ExprKind::Const(Const::Int(value)) = expr.kind {
            f(expr, value);
        }
    });
}

/// What one parameter tells of the numbers in which rules of one shape differ.
struct Told {
    domain: DomainId,
    param: usize,
    /// For each number what it is by members of the domain, where rules differ in it.
    values: Vec<Vec<Option<i64>>>,
}

/// What tells the numbers in which rules of one shape differ, if one parameter tells all of them.
fn told(game: &Game, group: &[Rule]) -> Option<Told> {
    let params = 0..group[0].among.len();
    let differ = |param: &usize| {
        let first = &group[0].among[*param];
        group.iter().any(|rule| rule.among[*param] != *first)
    };
    let differing: Vec<usize> = params.filter(differ).collect();
    let [param] = differing[..] else { return None };
    let (Type::Elem(domain), _) = group[0].shape.params[param] else {
        return None;
    };
    let all = 0..group[0].numbers.len();
    let values: Option<Vec<Vec<Option<i64>>>> = all
        .map(|at| {
            let first = group[0].numbers[at];
            let same = group.iter().all(|rule| rule.numbers[at] == first);
            match same {
                true => Some(Vec::new()),
                false => told_by_member(game, group, (domain, param), at),
            }
        })
        .collect();
    // What still differs keeps the rules apart.
    let values = values?;
    let sets = |func: &FuncId| assigns(&game.function(*func).body, LocalId::from(param));
    let set = group.iter().any(|rule| rule.functions.iter().any(sets));
    (!set).then_some(Told {
        domain,
        param,
        values,
    })
}

/// Looks numbers up in which rules of one shape differ, where one parameter tells them.
fn write_alike(game: &mut Game, group: &[Rule]) {
    let Some(told) = told(game, group) else {
        return;
    };
    for rule in group {
        let mut at = 0;
        for func in &rule.functions {
            let mut body = std::mem::take(&mut game.functions[func.index()].body);
            each_number(&mut body, &mut |expr, _| {
                if !told.values[at].is_empty() {
                    look_up(game, expr, &told.values[at], (told.domain, told.param));
                }
                at += 1;
            });
            game.functions[func.index()].body = body;
        }
    }
}

/// What the number at a position is, by the members that the parameter can be; nothing where rules that have a member in common
/// differ.
fn told_by_member(
    game: &Game,
    group: &[Rule],
    (domain, param): (DomainId, usize),
    at: usize,
) -> Option<Vec<Option<i64>>> {
    let mut values = vec![None; game.domain(domain).len()];
    for rule in group {
        for member in rule.among[param].as_ref()? {
            let value = values.get_mut(*member as usize)?;
            if value.is_some_and(|known| known != rule.numbers[at]) {
                return None;
            }
            *value = Some(rule.numbers[at]);
        }
    }
    Some(values)
}

/// Puts the look-up of a number in its place: in a table that there is, if one says that of all members that matter.
fn look_up(
    game: &mut Game,
    expr: &mut Expr,
    values: &[Option<i64>],
    (domain, param): (DomainId, usize),
) {
    let axes = vec![Axis::Domain(domain)];
    let fits = |table: &Table| {
        let mut pairs = table.values.iter().zip(values);
        table.axes == axes
            && table.ty == expr.ty
            && pairs.all(|(value, wanted)| wanted.is_none_or(|wanted| *value == Const::Int(wanted)))
    };
    let known = game.tables.iter().position(fits);
    let table = known.map(crate::ir::TableId::from).unwrap_or_else(|| {
        // What is said of other members is asked nowhere.
        let other = values.iter().flatten().next().copied().unwrap_or(0);
        let values = values.iter();
        let values = values.map(|value| Const::Int(value.unwrap_or(other)));
        let table = Table {
            name: format!("rules by {}", game.domain(domain).name),
            axes,
            ty: expr.ty.clone(),
            values: values.collect(),
            outside: None,
            span: expr.span,
        };
        known_or_new(game, table)
    });
    let member = Expr::local(LocalId::from(param), Type::Elem(domain), expr.span);
    expr.kind = ExprKind::Lookup(table, vec![member]);
}
