//! `suspend`: the process becomes a machine that runs from stop to stop.
//!
//! The process is laid out as a graph whose nodes end where control splits, meets or stops ([`graph`]); functions that
//! stop are inlined, which ends because nothing stops under recursion. Each place where play goes on after a stop
//! then gets a block of its own: what may run from there up to the next stops ([`emit`]). A block leaves at a stop,
//! so nothing has to be copied to follow it; what a loop or a wild jump would repeat too often becomes a loop over the
//! labels of a small region, or a function.
//!
//! A local variable that is needed at a stop is kept in a state variable meanwhile. Variables of one type that are never
//! needed at the same point share one, and whatever a point does not need has its initial value there, so that equal
//! positions are equal states.

mod emit;
mod graph;
mod order;
#[cfg(test)]
mod tests;

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::{
    Block, Const, Expr, Game, LocalId, Machine, Point, StatePart, Stmt, StmtKind, Type, Var, VarId,
    VarStyle,
};
use crate::source::Span;

use super::locals::{Locals, add_chance, add_choose, add_reads, live_before};
use emit::Emitter;
use graph::{Graph, Next, NodeId, StopAt};
use order::Order;

/// Turns the process into a machine.
///
/// The process itself stays, for the reference. A game that has a machine already is left alone.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let graph = Graph::of(game, &Effects::of(game));
    let order = Order::of(&graph);
    let live = Liveness::of(&graph, &order);
    let slots = Slots::assign(&graph, &order, &live);
    let saved = slots.declare(game);
    let kept = saved.clone();
    let parts = (&slots, kept.as_slice());
    let mut emitter = Emitter::new(game, &graph, &order, &live, parts, false);
    let (mut start, mut points) = blocks(&mut emitter, &order);
    if emitter.is_spent() {
        emitter = Emitter::new(game, &graph, &order, &live, parts, true);
        (start, points) = blocks(&mut emitter, &order);
    }
    let (locals, functions) = emitter.finish();
    let mut machine = Machine {
        locals,
        start,
        points,
        saved,
    };
    game.functions.extend(functions);
    reset_at_ends(game, &mut machine);
    show_control(game, &machine);
    game.machine = Some(machine);
}

/// The start block and the points.
fn blocks(emitter: &mut Emitter, order: &Order) -> (Block, Vec<Point>) {
    let start = emitter.chain(emitter.graph.start, None);
    let points = order
        .stops
        .iter()
        .map(|&stop| point(emitter, stop))
        .collect();
    (start, points)
}

/// The point of the machine for a stop.
fn point(emitter: &mut Emitter, stop: usize) -> Point {
    match &emitter.graph.stops[stop] {
        StopAt::Choose(choose, arms, otherwise) => {
            let mut choose = choose.clone();
            choose.children_mut(&mut |expr| emitter.restore_expr(expr));
            for (arm, entry) in choose.arms.iter_mut().zip(arms) {
                arm.body = emitter.chain(*entry, Some((stop, &arm.bind)));
            }
            choose.otherwise = otherwise.map(|entry| emitter.chain(entry, Some((stop, &[]))));
            Point::Choose(choose)
        }
        StopAt::Chance(chance, entry) => {
            let mut chance = chance.clone();
            chance.children_mut(&mut |expr| emitter.restore_expr(expr));
            let block = emitter.chain(*entry, Some((stop, &[chance.into])));
            Point::Chance(chance, block)
        }
    }
}

/// Which local variables are needed where.
struct Liveness {
    /// Before each node.
    nodes: Vec<Locals>,
    /// At each stop, round counters apart.
    stops: Vec<Locals>,
}

impl Liveness {
    fn of(graph: &Graph, order: &Order) -> Liveness {
        let mut live = Liveness {
            nodes: vec![Locals::new(); graph.nodes.len()],
            stops: vec![Locals::new(); graph.stops.len()],
        };
        loop {
            let mut changed = false;
            for &node in order.nodes.iter().rev() {
                let before = live.before(graph, order, node);
                changed |= before.len() > live.nodes[node].len();
                live.nodes[node] = before;
            }
            for &stop in &order.stops {
                let needs = live.at_stop(graph, stop);
                changed |= needs.len() > live.stops[stop].len();
                live.stops[stop] = needs;
            }
            if !changed {
                return live;
            }
        }
    }

    fn before(&self, graph: &Graph, order: &Order, node: NodeId) -> Locals {
        let next = &graph.nodes[node].next;
        let mut after = Locals::new();
        for target in next.targets() {
            after.extend(&self.nodes[target]);
        }
        match next {
            Next::Branch(cond, ..) => add_reads(cond, &mut after),
            Next::Round { counter, .. } if order.is_cyclic(node) => {
                after.insert(*counter);
            }
            Next::Stop(stop) => after.extend(&self.stops[*stop]),
            _ => {}
        }
        live_before(&graph.nodes[node].stmts, &after)
    }

    fn at_stop(&self, graph: &Graph, stop: usize) -> Locals {
        let mut needs = Locals::new();
        match &graph.stops[stop] {
            StopAt::Choose(choose, arms, otherwise) => {
                for (arm, entry) in choose.arms.iter().zip(arms) {
                    let bound = |local: &&LocalId| !arm.bind.contains(local);
                    needs.extend(self.nodes[*entry].iter().filter(bound));
                }
                if let Some(entry) = otherwise {
                    needs.extend(&self.nodes[*entry]);
                }
                add_choose(choose, &mut needs);
            }
            StopAt::Chance(chance, entry) => {
                needs.extend(
                    self.nodes[*entry]
                        .iter()
                        .filter(|&&local| local != chance.into),
                );
                add_chance(chance, &mut needs);
            }
        }
        for counter in &graph.counters {
            needs.remove(counter);
        }
        needs
    }
}

/// Where local variables are kept across stops.
struct Slots {
    slots: Vec<Slot>,
    /// The slot of each local variable that has one.
    of: Vec<Option<usize>>,
    /// The slots in use at each stop.
    at: Vec<SortedSet<usize>>,
}

struct Slot {
    name: String,
    ty: Type,
}

impl Slots {
    /// Gives every local variable that is needed at a stop the first slot of its type that is free at
    /// all such stops.
    fn assign(graph: &Graph, order: &Order, live: &Liveness) -> Slots {
        let mut slots = Slots {
            slots: Vec::new(),
            of: vec![None; graph.locals.len()],
            at: vec![SortedSet::new(); graph.stops.len()],
        };
        for &stop in &order.stops {
            for &local in &live.stops[stop] {
                if slots.of[local.index()].is_none() {
                    slots.place(graph, live, local);
                }
            }
        }
        slots
    }

    fn place(&mut self, graph: &Graph, live: &Liveness, local: LocalId) {
        let stops: Vec<usize> = (0..live.stops.len())
            .filter(|&stop| live.stops[stop].contains(&local))
            .collect();
        let local_type = &graph.locals[local.index()];
        let free = |slot: &usize| stops.iter().all(|&stop| !self.at[stop].contains(slot));
        let fits = |slot: &usize| self.slots[*slot].ty == local_type.ty && free(slot);
        let slot = (0..self.slots.len()).find(fits).unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            let (name, ty) = (local_type.name.clone(), local_type.ty.clone());
            self.slots.push(Slot { name, ty });
        }
        self.of[local.index()] = Some(slot);
        for stop in stops {
            self.at[stop].insert(slot);
        }
    }

    /// Adds a state variable for each slot.
    fn declare(&self, game: &mut Game) -> Vec<VarId> {
        let span = game.function(game.process).span;
        let mut saved = Vec::new();
        for slot in &self.slots {
            let name = free_name(game, &slot.name);
            saved.push(VarId::from(game.vars.len()));
            game.vars.push(Var {
                name,
                axes: Vec::new(),
                ty: slot.ty.clone(),
                init: vec![resting(&slot.ty)],
                meter: false,
                span,
            });
        }
        saved
    }
}

/// A name that no variable has yet.
fn free_name(game: &Game, name: &str) -> String {
    let taken = |name: &str| game.vars.iter().any(|var| var.name == name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| !taken(name))
        .unwrap_or_default()
}

/// The value of a saved variable at points that do not need it.
fn resting(ty: &Type) -> Const {
    match ty {
        Type::Bool => Const::Bool(false),
        Type::Int { lo, hi } => Const::Int(0.clamp(*lo, *hi)),
        Type::Wrap32 => Const::Int(0),
        Type::Elem(_) => Const::Elem(0),
        Type::Opt(_) => Const::None,
        Type::Set(_) => Const::Set(Vec::new()),
        Type::Seq { .. } => Const::Seq(Vec::new()),
        Type::Tagged => Const::Tagged(Box::new(Type::Bool), Box::new(Const::Bool(false))),
    }
}

/// The statement that gives a saved variable its resting value.
fn reset(game: &Game, var: VarId, span: Span) -> Stmt {
    let var_type = game.var(var).ty.clone();
    Stmt::set_var(
        var,
        Vec::new(),
        Expr::constant(resting(&var_type), var_type, span),
    )
}

/// Gives the saved variables their resting values wherever the game ends.
fn reset_at_ends(game: &mut Game, machine: &mut Machine) {
    if machine.saved.is_empty() {
        return;
    }
    let span = game.function(game.process).span;
    let resets: Block = machine
        .saved
        .iter()
        .map(|&var| reset(game, var, span))
        .collect();
    for function in &mut game.functions {
        insert_at_ends(&mut function.body, &resets);
    }
    insert_at_ends(&mut machine.start, &resets);
    for point in &mut machine.points {
        match point {
            Point::Choose(choose) => {
                choose.blocks_mut(&mut |block| insert_at_ends(block, &resets));
            }
            Point::Chance(_, block) => insert_at_ends(block, &resets),
        }
    }
}

fn insert_at_ends(block: &mut Block, resets: &Block) {
    for mut stmt in std::mem::take(block) {
        if matches!(stmt.kind, StmtKind::End { .. }) {
            block.extend(resets.iter().cloned());
        }
        stmt.blocks_mut(&mut |inner| insert_at_ends(inner, resets));
        block.push(stmt);
    }
}

/// Shows the control state in the text of states, if there is more than one.
fn show_control(game: &mut Game, machine: &Machine) {
    let is_one = machine.points.len() < 2 && machine.saved.is_empty();
    if is_one || game.state_text.is_empty() {
        return;
    }
    let text = |text: &str| StatePart::Text(text.to_owned());
    game.state_text
        .extend([text(crate::ir::CONTROL_MARK), StatePart::Point]);
    for &var in &machine.saved {
        let label = format!(" {}=", game.var(var).name);
        game.state_text
            .extend([text(&label), StatePart::Var(var, VarStyle::Named)]);
    }
}
