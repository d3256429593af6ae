//! From the model of a game to the IR.
//!
//! - Objects that rules can point at have a slot, a member of the domain `Object`; of all others only numbers are kept
//!   ([`inventory`]). Containment is a placement whose places are objects; what never moves is in tables ([`state`]).
//! - References and requirements are expressions ([`refs`], [`requirements`]), effects are statements ([`effects`]). An effect
//!   that may fail makes a test of the action's guard, or a trial where it depends on the effects before it.
//! - Which objects are lost is a decision or a draw in the middle of an action ([`picks`]).
//! - Actions are move families ([`actions`]), conditions are tested after each of them ([`conditions`]).
//! - Unnamed objects that a renaming takes to each other are the same, which mostly are those of one type in one
//!   container with one owner: of such candidates the first one stands for all, and the identity of positions compares
//!   how many there are ([`same`]).

mod actions;
mod conditions;
mod effects;
mod inventory;
mod normal;
mod picks;
mod players;
mod pools;
mod refs;
mod requirements;
mod same;
mod state;
mod vain;
mod weights;

use self::inventory::Inventory;
use self::state::Ids;
use super::codes;
use super::model::{Model, Rule};
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::builder::GameBuilder;
use crate::ir::count::move_count;
use crate::ir::{
    Block, Const, DomainId, Expr, FuncId, Function, Game, IdentityId, Local, LocalId, TableId, Type,
};
use crate::source::{SourceMap, Span};

/// Most slots for objects.
const MAX_SLOTS: usize = 1_000;

/// Lowers a checked game; after `None` there is an error among the diagnostics.
pub(super) fn lower(
    model: &Model,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Game> {
    let model = &normal::normal(model);
    let inventory = Inventory::of(model);
    if !bounded(model, &inventory, diagnostics) {
        return None;
    }
    vain::warn(model, &inventory, diagnostics);
    let mut lower = Lower::new(model, inventory, sources);
    let process = lower.process();
    lower.out.game.process = process;
    lower.finish_state();
    let game = lower.out.game;
    let failed = !lower.errors.is_empty();
    for error in lower.errors {
        diagnostics.push(error);
    }
    if failed {
        return None;
    }
    if move_count(&game).is_none() {
        let message = "the moves of the game are more than 64 bits can number";
        diagnostics.push(Diagnostic::new(&codes::TOO_LARGE, model.span, message));
        return None;
    }
    Some(game)
}

/// Whether there is room for all objects; tells what bounds were guessed.
fn bounded(model: &Model, inventory: &Inventory, diagnostics: &mut Diagnostics) -> bool {
    for (ty, info) in model.types.iter().enumerate() {
        if inventory.guessed[ty] {
            let message = format!(
                "nothing says how many objects of type `{}` there can be; {} are provided",
                info.name, inventory.pool[ty]
            );
            let found = Diagnostic::new(&codes::DEFAULT_POOL, info.span, message)
                .help(format!("declare `Type {} max NUMBER`", info.name));
            diagnostics.push(found);
        }
    }
    let few = inventory.slots.len() <= MAX_SLOTS;
    if !few {
        let largest = (0..model.types.len()).max_by_key(|&ty| inventory.of_type[ty].len());
        let span = largest.map_or(model.span, |ty| model.types[ty].span);
        let message = format!(
            "rules can point at {} objects, more than {MAX_SLOTS}",
            inventory.slots.len()
        );
        let found = Diagnostic::new(&codes::TOO_LARGE, span, message);
        diagnostics.push(found.help(help_with_max(model, inventory, largest.as_slice())));
    }
    few
}

/// What to do about too many objects of these types.
fn help_with_max(model: &Model, inventory: &Inventory, types: &[usize]) -> String {
    let made = types.iter().copied().filter(|&ty| inventory.created[ty]);
    let most = made.max_by_key(|&ty| inventory.of_type[ty].len());
    match most {
        Some(ty) => format!(
            "bound their number: `Type {} max NUMBER`",
            model.types[ty].name
        ),
        None => "open fewer objects".to_owned(),
    }
}

/// A game on its way to the IR.
struct Lower<'a> {
    model: &'a Model,
    inventory: Inventory,
    out: GameBuilder,
    ids: Ids,
    /// Local variables of the function under construction.
    locals: Vec<Local>,
    /// Helper functions and tables, made when first needed.
    helpers: Helpers,
    /// The identity that compares who is in whom, where unnamed objects may be in unnamed ones.
    nest: Option<IdentityId>,
    errors: Vec<Diagnostic>,
}

/// Helper functions and tables.
#[derive(Default)]
struct Helpers {
    container: Option<FuncId>,
    above: Option<FuncId>,
    same: Option<FuncId>,
    left: [Option<FuncId>; 2],
    left_table: [Option<TableId>; 2],
    is_type: Vec<Option<TableId>>,
    type_of: Option<TableId>,
    first_container: Option<TableId>,
    first_contents: Option<TableId>,
    first_above: Option<TableId>,
    first_within: Option<TableId>,
    first_below: Option<TableId>,
    first_owner: Option<TableId>,
    binomial: Option<TableId>,
    seat_after: Option<TableId>,
    weight: Option<FuncId>,
    written: Option<TableId>,
    kind_number: Vec<Option<FuncId>>,
}

/// What a rule sees: who acts, and what its parameters are.
#[derive(Clone)]
struct Env<'a> {
    rule: &'a Rule,
    player: Expr,
    params: Vec<Expr>,
    /// Whether the acting player is certainly not out.
    in_game: bool,
}

impl<'a> Lower<'a> {
    fn new(model: &'a Model, inventory: Inventory, sources: &SourceMap) -> Lower<'a> {
        let mut out = state::builder(model, sources);
        let ids = state::declare(&mut out, model, &inventory);
        let nest = inventory
            .nested
            .then(|| state::canonical(&mut out, Vec::new()));
        let helpers = Helpers {
            is_type: vec![None; model.types.len()],
            ..Helpers::default()
        };
        Lower {
            model,
            inventory,
            out,
            ids,
            locals: Vec::new(),
            helpers,
            nest,
            errors: Vec::new(),
        }
    }

    /// The domain of objects with slots.
    fn object(&self) -> DomainId {
        self.ids.object
    }

    fn players(&self) -> DomainId {
        self.out.game.players
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    fn get(&self, local: LocalId, span: Span) -> Expr {
        Expr::local(local, self.locals[local.index()].ty.clone(), span)
    }

    /// Stores a value in a new local variable.
    fn keep(&mut self, name: &str, value: Expr, out: &mut Block) -> Expr {
        let span = value.span;
        let local = self.local(name, value.ty.clone());
        out.push(crate::ir::Stmt::assign(local, value));
        self.get(local, span)
    }

    /// Builds a function with local variables of its own.
    fn function<'s>(
        &'s mut self,
        name: &str,
        params: &[(&str, Type)],
        ret: Option<Type>,
        doc: &str,
        span: Span,
        body: impl FnOnce(&mut Lower<'a>, &[Expr]) -> Block,
    ) -> FuncId {
        let outer = std::mem::take(&mut self.locals);
        let mut args = Vec::new();
        for (name, ty) in params {
            let local = self.local(name, ty.clone());
            args.push(self.get(local, span));
        }
        let body = body(self, &args);
        let locals = std::mem::replace(&mut self.locals, outer);
        let name = self.free_name(name);
        self.out.function(Function {
            name,
            params: params.len(),
            locals,
            ret,
            body,
            doc: doc.to_owned(),
            span,
        })
    }

    /// A name that no function has yet.
    fn free_name(&self, name: &str) -> String {
        let functions = &self.out.game.functions;
        let taken = |name: &str| functions.iter().any(|function| function.name == name);
        if !taken(name) {
            return name.to_owned();
        }
        let mut number = 2;
        while taken(&format!("{name}_{number}")) {
            number += 1;
        }
        format!("{name}_{number}")
    }

    /// The slots as a set.
    fn slot_set(&self, slots: &[u32], span: Span) -> Expr {
        let mut slots = slots.to_vec();
        slots.sort_unstable();
        slots.dedup();
        Expr::constant(Const::Set(slots), Type::Set(self.object()), span)
    }

    fn no_objects(&self, span: Span) -> Expr {
        self.slot_set(&[], span)
    }
}
