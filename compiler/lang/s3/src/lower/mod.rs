//! From the checked tree of a game to the IR.
//!
//! - Strings become members of domains, strings with variables become tables ([`names`], [`text`]).
//! - Variables become variables of the environment with the types that [`infer`] finds ([`value`]); nothing is tagged
//!   unless a variable or call really has values of several types.
//! - Expressions become expressions of the IR as far as they have no effects, else statements in the order of the
//!   language ([`expr`]). An expression of the file is a function without parameters: its parameters are variables.
//! - A rule is a move family; its guard binds the variables of the patterns and tests the rest; playing a move binds
//!   them again ([`rules`]). Where rules overlap, guards choose one rule for each move.

mod consts;
mod cost;
mod expr;
mod infer;
mod lists;
mod names;
mod presentation;
mod rules;
mod state;
mod steps;
mod tables;
mod text;
mod value;

use indexmap::{IndexMap, IndexSet};

pub use consts::Constant;
pub use steps::{Answer, Evaluation};

use self::cost::Cost;
use self::infer::Types;
use self::lists::Site;
use self::names::{Dom, Names};
use self::tables::Key;
use self::value::Repr;
use super::ast::{Expr as Ast, ExprKind, Game as Tree, IntPattern};
use crate::diag::Diagnostics;
use crate::ir::builder::GameBuilder;
use crate::ir::{EnvId, FuncId, Function, Game, Local, PlacementId, TableId, Type, VarId};
use crate::source::{SourceMap, Span};

/// How the domain of names shows the text without characters: no string of the rules has quotes.
pub const NO_TEXT: &str = "\"\"";

/// Most integers that sets have room for where nothing else bounds their size.
const MAX_NUMBERS: u32 = 1024;

/// Lowers a checked game; after `None` there is an error among the diagnostics.
pub fn lower(tree: &Tree, sources: &SourceMap, diagnostics: &mut Diagnostics) -> Option<Game> {
    lower_with_steps(tree, &[], sources, diagnostics).map(|(game, _)| game)
}

/// Lowers a checked game together with expressions that are evaluated on its start, one after the other in one
/// environment.
///
/// The expressions become functions of the game, see [`Evaluation`].
pub fn lower_with_steps(
    tree: &Tree,
    steps: &[Ast],
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Game, Evaluation)> {
    let mut known = Vec::new();
    loop {
        let mut findings = Diagnostics::new();
        let attempt = lower_knowing(&known, tree, steps, sources, &mut findings);
        // What was lowered before a text became known may have taken it for one that cannot occur.
        if attempt.texts.len() > known.len() {
            known = attempt.texts;
            continue;
        }
        findings.sort();
        let sound = !findings.has_errors();
        diagnostics.append(findings);
        return sound.then_some((attempt.game, attempt.evaluation));
    }
}

/// A game, and the texts that became members of the domain of names on the way.
struct Attempt {
    game: Game,
    evaluation: Evaluation,
    texts: Vec<String>,
}

/// Lowers a game whose domain of names has the known texts from the start.
fn lower_knowing(
    known: &[String],
    tree: &Tree,
    steps: &[Ast],
    sources: &SourceMap,
    findings: &mut Diagnostics,
) -> Attempt {
    let mut names = Names::new(tree, steps);
    for text in known {
        names.name(text);
    }
    let types = Types::infer(tree, &mut names, steps);
    let mut lower = Lower::new(tree, sources, names, types, findings);
    lower.declare();
    let process = lower.process();
    lower.define();
    let evaluation = lower.evaluation(steps);
    lower.finish(process);
    Attempt {
        texts: lower.names.members(Dom::Name).map(str::to_owned).collect(),
        game: lower.out.game,
        evaluation,
    }
}

/// The variables and the placement of the state.
#[derive(Clone, Copy)]
struct Ids {
    at: PlacementId,
    state: VarId,
    owner: VarId,
    z: VarId,
    turn: VarId,
    score: VarId,
}

/// A game on its way to the IR.
struct Lower<'a> {
    game: &'a Tree,
    sources: &'a SourceMap,
    names: Names,
    types: Types<'a>,
    /// How many integers sets may hold, at most [`MAX_NUMBERS`].
    numbers_in_sets: u32,
    diagnostics: &'a mut Diagnostics,
    out: GameBuilder,
    ids: Ids,
    /// Variables of the rules.
    env: IndexMap<&'a str, (EnvId, Repr)>,
    /// For those that hold sets and other values, where the sets are.
    env_sets: IndexMap<&'a str, EnvId>,
    /// The same for what expressions of the file give.
    return_sets: IndexMap<&'a str, EnvId>,
    /// Where the function under construction leaves its set.
    gives_set: Option<EnvId>,
    /// Expressions of the file in use, callees before callers.
    order: Vec<&'a str>,
    funcs: IndexMap<&'a str, FuncId>,
    /// Forms for conditions of those that may change the state elsewhere; here that is a fault.
    guard_funcs: IndexMap<&'a str, FuncId>,
    /// Whether a condition is being lowered.
    guarding: bool,
    returns: IndexMap<&'a str, Repr>,
    pure: IndexMap<&'a str, bool>,
    costs: IndexMap<&'a str, Cost>,
    tables: IndexMap<Key, TableId>,
    sites: Vec<Site<'a>>,
    site_of: IndexMap<*const Ast, usize>,
    /// Local variables of the function under construction.
    locals: Vec<Local>,
}

impl<'a> Lower<'a> {
    fn new(
        game: &'a Tree,
        sources: &'a SourceMap,
        names: Names,
        types: Types<'a>,
        diagnostics: &'a mut Diagnostics,
    ) -> Lower<'a> {
        let mut out = state::builder(game, sources);
        let ids = state::declare(&mut out, game, &names, types.state_range());
        let mut sites = Vec::new();
        let mut site_of = IndexMap::new();
        for (at, (expr, site)) in lists::collect(game).into_iter().enumerate() {
            site_of.insert(expr, at);
            sites.push(site);
        }
        let order = call_order(game, types.calls.keys().copied());
        Lower {
            game,
            sources,
            names,
            numbers_in_sets: types.numbers_in_sets().min(MAX_NUMBERS),
            types,
            diagnostics,
            out,
            ids,
            env: IndexMap::new(),
            env_sets: IndexMap::new(),
            return_sets: IndexMap::new(),
            gives_set: None,
            order,
            funcs: IndexMap::new(),
            guard_funcs: IndexMap::new(),
            guarding: false,
            returns: IndexMap::new(),
            pure: IndexMap::new(),
            costs: IndexMap::new(),
            tables: IndexMap::new(),
            sites,
            site_of,
            locals: Vec::new(),
        }
    }

    /// Declares variables and functions.
    fn declare(&mut self) {
        for (name, abs) in self.types.vars.clone() {
            let span = variable_span(self.game, name);
            let repr = self.repr(&abs, &format!("`${name}`"), span);
            let ty = self.ty(&repr);
            let env = self.out.env(name, ty);
            if let Repr::Mixed(item) = &repr {
                let set = self.set_type(item);
                self.env_sets
                    .insert(name, self.out.env(&format!("{name} as a set"), set));
            }
            self.env.insert(name, (env, repr));
        }
        self.declare_lists();
        let game = self.game;
        let guarded = guarded(game, &self.order);
        for (name, definition) in &game.expressions {
            let Some(abs) = self.types.calls.get(name.as_str()).cloned() else {
                continue;
            };
            let what = format!("the value of `{name}`");
            let repr = match abs.is_never() {
                true => Repr::Bool,
                false => self.repr(&abs, &what, definition.name.span),
            };
            if let Repr::Mixed(item) = &repr {
                let set = self.set_type(item);
                self.return_sets
                    .insert(name, self.out.env(&format!("{what} as a set"), set));
            }
            let ret = self.ty(&repr);
            let mut declare = |name: String, doc: String| {
                self.out.function(Function {
                    name,
                    params: 0,
                    locals: Vec::new(),
                    ret: Some(ret.clone()),
                    body: Vec::new(),
                    doc,
                    span: definition.span,
                })
            };
            let func = declare(
                name.clone(),
                format!("The expression `{name}` of the rules."),
            );
            self.funcs.insert(name, func);
            if guarded.contains(name.as_str()) {
                let doc = format!("The expression `{name}` of the rules, as conditions call it.");
                let func = declare(format!("{name}_in_guard"), doc);
                self.guard_funcs.insert(name, func);
            }
            self.returns.insert(name, repr);
        }
        for name in self.order.clone() {
            self.is_pure(name);
            self.is_heavy(name);
        }
    }

    /// Gives the functions of the file their bodies.
    fn define(&mut self) {
        let names: Vec<&'a str> = self.funcs.keys().copied().collect();
        for name in names {
            self.definition(name, self.funcs[name]);
            if let Some(&func) = self.guard_funcs.get(name) {
                self.guarding = true;
                self.definition(name, func);
                self.guarding = false;
            }
        }
    }

    fn finish(&mut self, process: FuncId) {
        self.out.game.process = process;
        self.identities();
        self.fill_name_tables();
        self.add_names();
        self.out.game.presentation = self.presentation();
    }
}

impl Lower<'_> {
    /// Adds the domain of names if something is one.
    fn add_names(&mut self) {
        let shown = |text: &str| {
            if text.is_empty() {
                NO_TEXT.to_owned()
            } else {
                text.to_owned()
            }
        };
        let names: Vec<String> = self.names.members(Dom::Name).map(shown).collect();
        let game = &self.out.game;
        let functions = game.functions.iter();
        let locals = functions.flat_map(|function| function.locals.iter().map(|local| &local.ty));
        let values = game
            .functions
            .iter()
            .filter_map(|function| function.ret.as_ref());
        let vars = game.env.iter().map(|var| &var.ty);
        let mut types = locals.chain(values).chain(vars);
        if !names.is_empty() || types.any(mentions_names) {
            self.out.names(Dom::Name.name(), names, self.game.span);
        }
    }
}

fn mentions_names(ty: &Type) -> bool {
    match ty {
        Type::Elem(dom) | Type::Opt(dom) | Type::Set(dom) => *dom == Dom::Name.id(),
        Type::Seq { item, .. } => mentions_names(item),
        Type::Tagged => true,
        _ => false,
    }
}

/// The expressions of the file that conditions or `toLocations` reach and that may change the state.
fn guarded<'a>(game: &'a Tree, order: &[&'a str]) -> IndexSet<&'a str> {
    let body = |name: &str| {
        game.expressions
            .get(name)
            .map_or(&[][..], |found| &found.body)
    };
    let mut changing: IndexSet<&str> = IndexSet::new();
    let mut count = None;
    while count.replace(changing.len()) != Some(changing.len()) {
        for &name in order {
            if body(name).iter().any(|line| changes_state(line, &changing)) {
                changing.insert(name);
            }
        }
    }
    let mut reached = IndexSet::new();
    for rule in game.rules.values() {
        let numbers = [&rule.state, &rule.player].into_iter().flatten();
        let numbers = numbers.filter_map(|pattern| match pattern {
            IntPattern::Equals(expr) => Some(expr),
            IntPattern::Bind(_) => None,
        });
        let awards = rule
            .awards
            .iter()
            .flat_map(|award| [&award.player, &award.amount]);
        for expr in rule
            .condition
            .iter()
            .chain(&rule.targets)
            .chain(numbers)
            .chain(awards)
        {
            infer::callees(expr, &mut reached);
        }
    }
    let mut at = 0;
    while let Some(&name) = reached.get_index(at) {
        body(name)
            .iter()
            .for_each(|line| infer::callees(line, &mut reached));
        at += 1;
    }
    reached.retain(|name| changing.contains(name));
    reached
}

/// Whether evaluating an expression may change the state, given the calls that do.
fn changes_state(expr: &Ast, changing: &IndexSet<&str>) -> bool {
    let itself = match &expr.kind {
        ExprKind::Builtin { builtin, .. } => builtin.signature().changes_state,
        ExprKind::Call { name, .. } => changing.contains(name.node.as_str()),
        _ => false,
    };
    itself
        || expr
            .children()
            .into_iter()
            .any(|child| changes_state(child, changing))
}

/// Where a variable first occurs.
fn variable_span(game: &Tree, name: &str) -> Span {
    let params = game
        .expressions
        .values()
        .flat_map(|definition| &definition.params);
    let patterns = game
        .rules
        .values()
        .flat_map(|rule| [&rule.element, &rule.from, &rule.to]);
    let found = params
        .chain(patterns.flat_map(|pattern| pattern.vars()))
        .find(|var| var.node == name);
    let lines = game
        .expressions
        .values()
        .flat_map(|definition| &definition.body);
    let roots = names::roots(game);
    let assigned = || {
        lines
            .chain(roots)
            .find_map(|expr| assignment_span(expr, name))
    };
    found
        .map(|var| var.span)
        .or_else(assigned)
        .unwrap_or(game.span)
}

fn assignment_span(expr: &Ast, name: &str) -> Option<Span> {
    match &expr.kind {
        ExprKind::Assign { var, .. } | ExprKind::Loop { var, .. } if var.node == name => {
            Some(var.span)
        }
        _ => expr
            .children()
            .into_iter()
            .find_map(|child| assignment_span(child, name)),
    }
}

/// Expressions of the file, callees before callers as far as they do not call each other.
fn call_order<'a>(game: &'a Tree, used: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let callees = |name: &str| {
        let mut callees = IndexSet::new();
        for line in game
            .expressions
            .get(name)
            .map_or(&[][..], |definition| &definition.body)
        {
            infer::callees(line, &mut callees);
        }
        callees
    };
    let mut order = IndexSet::new();
    let mut seen = IndexSet::new();
    for name in used {
        let mut open: Vec<(&str, bool)> = vec![(name, false)];
        while let Some((name, done)) = open.pop() {
            if done {
                order.insert(name);
            } else if seen.insert(name) {
                open.push((name, true));
                open.extend(callees(name).into_iter().map(|callee| (callee, false)));
            }
        }
    }
    order.into_iter().collect()
}
