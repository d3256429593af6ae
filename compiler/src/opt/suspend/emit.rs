//! Blocks from the graph.

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::rc::Rc;

use crate::ir::visit::walk_block;
use crate::ir::{
    BinaryOp, Block, Const, Count, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, PointId,
    Stmt, StmtKind, Type, VarId,
};
use crate::opt::locals::{rename_block, replace_reads};
use crate::source::Span;

use super::graph::{Graph, Next, NodeId};
use super::order::Order;
use super::{Liveness, Slots, reset, resting};

/// How many statements may be emitted for each one of the graph while everything is copied.
const GROWTH: usize = 3;

/// Statements that may be emitted in any case.
const ALLOWANCE: usize = 400;

/// A continuation of at most so many statements is copied rather than called.
const SMALL: usize = 3;

/// Labels that are told apart one after the other; more are told apart by halves.
const FEW_LABELS: usize = 12;

/// Branches in each other after which what follows a block that leaves stands behind it, not in another branch.
const DEEP: usize = 40;

/// Makes blocks of the graph.
pub(super) struct Emitter<'a> {
    pub(super) graph: &'a Graph,
    order: &'a Order,
    live: &'a Liveness,
    slots: &'a Slots,
    saved: &'a [VarId],
    resets: Vec<Stmt>,
    points: SortedMap<usize, PointId>,
    locals: Vec<Local>,
    /// Statements that may still be emitted; without it, what is used often becomes functions.
    budget: Option<usize>,
    /// How many edges lead to each node.
    uses: Vec<usize>,
    /// Where and how often each component is entered from outside.
    doors: Vec<SortedMap<NodeId, usize>>,
    /// What became functions so far.
    shared: Vec<Shared>,
    /// Round counters that nothing needs: each round of their loops stops.
    idle: SortedSet<LocalId>,
    first_function: usize,
    span: Span,
}

/// What a function goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shared {
    /// A node.
    Node(NodeId),
    /// A loop, by its component; a parameter tells where in it.
    Loop(usize),
}

/// Nodes with numbers.
#[derive(Default)]
struct Labels {
    nodes: Vec<NodeId>,
    numbers: SortedMap<NodeId, usize>,
}

impl Labels {
    fn new(nodes: &[NodeId]) -> Labels {
        let numbers = nodes.iter().enumerate().rev();
        Labels {
            nodes: nodes.to_vec(),
            numbers: numbers.map(|(number, &node)| (node, number)).collect(),
        }
    }

    fn contains(&self, node: NodeId) -> bool {
        self.numbers.contains_key(&node)
    }
}

/// Where a block is emitted.
#[derive(Clone, Default)]
struct Context {
    /// The component whose loop is around.
    around: Option<usize>,
    /// The nodes at which a round of that loop may start.
    labels: Rc<Labels>,
    /// Tells the label of the next round if there are several.
    next: Option<LocalId>,
    /// What is emitted after the loop.
    after_loop: Option<NodeId>,
    /// What is emitted after the block.
    until: Option<NodeId>,
    /// The slots that may hold something else than their resting values.
    dirty: SortedSet<usize>,
    /// How many branches are around.
    depth: usize,
}

impl<'a> Emitter<'a> {
    /// An emitter; one that shares is never short of budget.
    pub(super) fn new(
        game: &Game,
        graph: &'a Graph,
        order: &'a Order,
        live: &'a Liveness,
        (slots, saved): (&'a Slots, &'a [VarId]),
        share: bool,
    ) -> Emitter<'a> {
        let weight: usize = order
            .nodes
            .iter()
            .map(|&node| 1 + size(&graph.nodes[node].stmts))
            .sum();
        let span = game.function(game.process).span;
        let points = order.stops.iter().enumerate();
        let mut uses = vec![0; graph.nodes.len()];
        let inner = order
            .nodes
            .iter()
            .flat_map(|&node| graph.nodes[node].next.targets());
        for node in inner.chain(order.entries.iter().copied()) {
            uses[node] += 1;
        }
        Emitter {
            graph,
            order,
            live,
            slots,
            saved,
            resets: saved.iter().map(|&var| reset(game, var, span)).collect(),
            points: points
                .map(|(point, &stop)| (stop, PointId::from(point)))
                .collect(),
            locals: graph.locals.clone(),
            budget: (!share).then_some(GROWTH * weight + ALLOWANCE),
            uses,
            doors: doors(graph, order),
            shared: Vec::new(),
            idle: idle_counters(graph, order),
            first_function: game.functions.len(),
            span,
        }
    }

    /// Whether the budget is spent: the blocks are incomplete then.
    pub(super) fn is_spent(&self) -> bool {
        self.budget == Some(0)
    }

    /// The local variables of the machine, and the functions that its blocks call.
    pub(super) fn finish(mut self) -> (Vec<Local>, Vec<Function>) {
        let mut functions = Vec::new();
        while let Some(&shared) = self.shared.get(functions.len()) {
            functions.push(self.function(shared, functions.len() + 1));
        }
        (self.locals, functions)
    }

    /// Replaces the local variables in an expression at a stop by what keeps them.
    pub(super) fn restore_expr(&self, expr: &mut Expr) {
        replace_reads(expr, &|local| {
            let slot = self.slots.of[local.index()]?;
            Some(self.kept(local, slot))
        });
    }

    fn kept(&self, local: LocalId, slot: usize) -> Expr {
        let ty = self.locals[local.index()].ty.clone();
        Expr::new(ExprKind::Var(self.saved[slot], Vec::new()), ty, self.span)
    }

    /// What runs from a node up to the next stops: at the start, or after a stop that binds local
    /// variables.
    pub(super) fn chain(&mut self, entry: NodeId, from: Option<(usize, &[LocalId])>) -> Block {
        let (dirty, bound) = match from {
            Some((stop, bound)) => (self.slots.at[stop].clone(), bound),
            None => (SortedSet::new(), [].as_slice()),
        };
        let mut block = Block::new();
        for &local in &self.live.nodes[entry] {
            if bound.contains(&local) {
                continue;
            }
            if self.graph.counters.contains(&local) {
                block.push(Stmt::assign(local, Expr::int(0, self.span)));
            } else if let Some(slot) = self.slots.of[local.index()] {
                block.push(Stmt::assign(local, self.kept(local, slot)));
            }
        }
        let context = Context {
            dirty,
            ..Context::default()
        };
        block.extend(self.emit(entry, &context));
        block
    }

    /// The function for something shared.
    fn function(&mut self, shared: Shared, number: usize) -> Function {
        let dirty = (0..self.saved.len()).collect();
        let context = Context {
            dirty,
            ..Context::default()
        };
        let mut names = self.params(shared);
        let mut body = Block::new();
        let rest = match shared {
            Shared::Node(node) => self.emit_fresh(node, &context),
            Shared::Loop(component) => {
                let labels = self.labels(&self.doors(component));
                let next = (labels.len() > 1).then(|| self.label_local(&labels));
                names.extend(next);
                let given = self.params(shared).into_iter().collect();
                self.begin_loop(&labels, &given, &context, &mut body);
                match self.emit_loop(&labels, next, &context, &mut body) {
                    Some(node) => self.emit(node, &context),
                    None => Block::new(),
                }
            }
        };
        body.extend(rest);
        let params = names.len();
        rename_block(&mut body, &mut |local| {
            let known = names.iter().position(|&name| name == local);
            LocalId::from(known.unwrap_or_else(|| {
                names.push(local);
                names.len() - 1
            }))
        });
        Function {
            name: format!("go_on_{number}"),
            params,
            locals: names
                .iter()
                .map(|local| self.locals[local.index()].clone())
                .collect(),
            ret: None,
            body,
            doc: "What several stops go on with.".to_owned(),
            span: self.span,
        }
    }

    /// The local variables that something shared needs.
    fn params(&self, shared: Shared) -> Vec<LocalId> {
        match shared {
            Shared::Node(node) => self.live.nodes[node].iter().copied().collect(),
            Shared::Loop(component) => {
                let doors = self.doors(component);
                let needs: SortedSet<LocalId> = doors
                    .iter()
                    .flat_map(|&door| &self.live.nodes[door])
                    .copied()
                    .collect();
                needs.into_iter().collect()
            }
        }
    }

    /// A call that goes on at a node.
    fn call_shared(&mut self, shared: Shared, node: NodeId) -> Stmt {
        let span = self.span;
        let known = self.shared.iter().position(|&other| other == shared);
        let number = known.unwrap_or_else(|| {
            self.shared.push(shared);
            self.shared.len() - 1
        });
        let mut args = Vec::new();
        for param in self.params(shared) {
            let ty = self.locals[param.index()].ty.clone();
            args.push(match self.live.nodes[node].contains(&param) {
                true => Expr::local(param, ty, span),
                false => Expr::constant(resting(&ty), ty, span),
            });
        }
        if let Shared::Loop(component) = shared {
            let labels = self.labels(&self.doors(component));
            if let Some(label) = labels.iter().position(|&label| label == node)
                && labels.len() > 1
            {
                args.push(label_value(label, &labels, span));
            }
        }
        Stmt::call(FuncId::from(self.first_function + number), args, None, span)
    }

    fn emit(&mut self, node: NodeId, context: &Context) -> Block {
        match self.leave(node, context) {
            Some(block) => block,
            None => self.emit_fresh(node, context),
        }
    }

    /// How control goes to a node that is emitted elsewhere.
    fn leave(&mut self, node: NodeId, context: &Context) -> Option<Block> {
        let span = self.span;
        if context.until == Some(node) {
            return Some(Block::new());
        }
        if context.after_loop == Some(node) {
            return Some(vec![Stmt::new(StmtKind::Break, span)]);
        }
        if let Some(&label) = context.labels.numbers.get(&node) {
            let value = label_value(label, &context.labels.nodes, span);
            let next = context.next.map(|next| Stmt::assign(next, value));
            let again = Stmt::new(StmtKind::Continue, span);
            return Some(next.into_iter().chain([again]).collect());
        }
        let shared = self.shared_as(node, context)?;
        let call = self.call_shared(shared, node);
        Some(vec![call, Stmt::new(StmtKind::Return(None), span)])
    }

    /// How a node is shared, if it is.
    fn shared_as(&self, node: NodeId, context: &Context) -> Option<Shared> {
        let component = self.order.component[node];
        if self.budget.is_some() || context.around == Some(component) {
            return None;
        }
        if self.order.is_cyclic(node) {
            let uses = &self.doors[component];
            return (uses.values().sum::<usize>() > 1).then_some(Shared::Loop(component));
        }
        (self.uses[node] > 1 && !self.is_small(node)).then_some(Shared::Node(node))
    }

    /// The nodes at which a component is entered.
    fn doors(&self, component: usize) -> Vec<NodeId> {
        self.doors[component].keys().copied().collect()
    }

    /// Whether little happens from a node up to the next stop.
    fn is_small(&self, mut node: NodeId) -> bool {
        let mut sum = 0;
        loop {
            sum += size(&self.graph.nodes[node].stmts);
            match self.graph.nodes[node].next {
                _ if sum > SMALL => return false,
                Next::Goto(to) if !self.order.is_cyclic(node) => node = to,
                Next::Stop(_) | Next::Nowhere => return true,
                _ => return false,
            }
        }
    }

    /// What runs from a node on, whether or not control could also leave for it.
    fn emit_fresh(&mut self, node: NodeId, context: &Context) -> Block {
        let (mut block, mut at) = (Block::new(), node);
        loop {
            let cyclic = self.order.is_cyclic(at);
            if cyclic && context.around != Some(self.order.component[at]) {
                let Some(after) = self.enter_loop(at, context, &mut block) else {
                    return block;
                };
                at = after;
            } else {
                if !self.spend(1 + size(&self.graph.nodes[at].stmts)) {
                    return block;
                }
                let needed = |stmt: &&Stmt| !matches!(stmt.kind, StmtKind::Let(local, _) if self.idle.contains(&local));
                block.extend(self.graph.nodes[at].stmts.iter().filter(needed).cloned());
                let Some(after) = self.emit_next(at, context, &mut block) else {
                    return block;
                };
                at = after;
            }
            if let Some(last) = self.leave(at, context) {
                block.extend(last);
                return block;
            }
        }
    }

    fn spend(&mut self, amount: usize) -> bool {
        if let Some(budget) = &mut self.budget {
            *budget = budget.saturating_sub(amount);
            return *budget > 0;
        }
        true
    }

    /// Emits how a node ends; gives the node that is to follow.
    fn emit_next(&mut self, at: NodeId, context: &Context, block: &mut Block) -> Option<NodeId> {
        let graph = self.graph;
        match &graph.nodes[at].next {
            Next::Goto(to) => Some(*to),
            Next::Nowhere => None,
            Next::Stop(stop) => {
                self.emit_stop(*stop, context, block);
                None
            }
            Next::Round {
                counter,
                bound,
                body,
                span,
            } => {
                if *bound == 0 {
                    block.push(work_limit(*span));
                    block.push(Stmt::new(StmtKind::Return(None), *span));
                    return None;
                }
                if self.order.is_cyclic(at) {
                    let ty = self.locals[counter.index()].ty.clone();
                    block.extend(count_round(
                        Expr::local(*counter, ty, *span),
                        *bound,
                        *counter,
                    ));
                }
                Some(*body)
            }
            Next::Branch(cond, yes, no) => {
                let join = self.join(*yes, *no, context);
                let inner = Context {
                    until: join.or(context.until),
                    depth: context.depth + 1,
                    ..context.clone()
                };
                if join.is_none() && context.depth >= DEEP {
                    for (leaves, cond, rest) in
                        [(*yes, cond.clone(), *no), (*no, cond.clone().not(), *yes)]
                    {
                        if !self.may_fall_through(leaves, context) {
                            let block_of_it = self.emit(leaves, &inner);
                            block.push(Stmt::branch(cond, block_of_it, Block::new()));
                            return Some(rest);
                        }
                    }
                }
                let yes = self.emit(*yes, &inner);
                let no = self.emit(*no, &inner);
                block.push(Stmt::branch(cond.clone(), yes, no));
                join
            }
        }
    }

    fn emit_stop(&mut self, stop: usize, context: &Context, block: &mut Block) {
        for &local in &self.live.stops[stop] {
            if let Some(slot) = self.slots.of[local.index()] {
                let value = Expr::local(local, self.locals[local.index()].ty.clone(), self.span);
                block.push(Stmt::set_var(self.saved[slot], Vec::new(), value));
            }
        }
        for &slot in context.dirty.difference(&self.slots.at[stop]) {
            block.push(self.resets[slot].clone());
        }
        block.push(Stmt::new(StmtKind::Stop(self.points[&stop]), self.span));
    }

    /// Emits the loop around a node; gives the node that is to follow.
    fn enter_loop(
        &mut self,
        entry: NodeId,
        context: &Context,
        block: &mut Block,
    ) -> Option<NodeId> {
        let labels = self.labels(&[entry]);
        let next = (labels.len() > 1).then(|| self.label_local(&labels));
        block.extend(next.map(|next| Stmt::assign(next, label_value(0, &labels, self.span))));
        let given = self.live.nodes[entry].iter().copied().collect();
        self.begin_loop(&labels, &given, context, block);
        self.emit_loop(&labels, next, context, block)
    }

    /// Gives a value to what one label of a loop, or what follows it, reads and another label stores: that the labels
    /// run in this order is plain from the graph, but not from the text of the loop.
    fn begin_loop(
        &self,
        labels: &[NodeId],
        given: &SortedSet<LocalId>,
        context: &Context,
        block: &mut Block,
    ) {
        let Some(&first) = labels.first() else { return };
        let exit = self.only_exit(self.order.component[first]);
        let follows = exit.or(context.until);
        let needs: SortedSet<LocalId> = labels
            .iter()
            .copied()
            .chain(follows)
            .flat_map(|node| &self.live.nodes[node])
            .copied()
            .collect();
        for &local in needs.difference(given) {
            let ty = self.locals[local.index()].ty.clone();
            let value = Expr::constant(resting(&ty), ty, self.span);
            block.push(Stmt::assign(local, value));
        }
    }

    fn label_local(&mut self, labels: &[NodeId]) -> LocalId {
        self.local("next", label_type(labels))
    }

    /// Emits the loop of a component with these labels; gives the node that is to follow.
    fn emit_loop(
        &mut self,
        labels: &[NodeId],
        next: Option<LocalId>,
        context: &Context,
        block: &mut Block,
    ) -> Option<NodeId> {
        let component = self.order.component[*labels.first()?];
        let exit = self.only_exit(component);
        let span = self.span;
        let inner = Context {
            around: Some(component),
            labels: Rc::new(Labels::new(labels)),
            next,
            after_loop: exit.or(context.until),
            until: None,
            dirty: context.dirty.clone(),
            depth: context.depth,
        };
        let bodies = labels.iter().rev();
        let mut bodies: Vec<Block> = bodies
            .map(|&label| self.emit_fresh(label, &inner))
            .collect();
        bodies.reverse();
        let body = match next {
            Some(next) => dispatch(next, labels, 0, bodies, span),
            None => bodies.pop().unwrap_or_default(),
        };
        let ty = Type::Int {
            lo: 0,
            hi: i64::MAX,
        };
        // The rounds that the rules bound are counted by `count_round`.
        let bound = |value| Expr::constant(Const::Int(value), ty.clone(), span);
        let (from, to) = (bound(0), bound(i64::MAX));
        let local = self.local("round", ty);
        let kind = StmtKind::For {
            local,
            from,
            to,
            count: Count::Up,
            body,
            charged: false,
        };
        block.push(Stmt::new(kind, span));
        exit
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    /// The only node outside a component to which control goes from it, if there is just one.
    fn only_exit(&self, component: usize) -> Option<NodeId> {
        let mut exits = SortedSet::new();
        for &node in &self.order.nodes {
            if self.order.component[node] == component {
                let targets = self.graph.nodes[node].next.targets();
                exits.extend(
                    targets
                        .into_iter()
                        .filter(|&to| self.order.component[to] != component),
                );
            }
        }
        (exits.len() == 1).then(|| exits.first().copied()).flatten()
    }

    /// The nodes of a component at which rounds start: the doors first, then enough others for
    /// the rest to be free of circles, and when sharing, for nothing to be emitted twice.
    fn labels(&self, doors: &[NodeId]) -> Vec<NodeId> {
        let mut labels = doors.to_vec();
        if self.budget.is_none() {
            let component = self.order.component[doors[0]];
            let inside = |node: &NodeId| self.order.component[*node] == component;
            let mut uses: SortedMap<NodeId, usize> = SortedMap::new();
            for &node in self.order.nodes.iter().filter(|node| inside(node)) {
                for to in self.graph.nodes[node].next.targets() {
                    *uses.entry(to).or_default() += 1;
                }
            }
            let often = uses
                .iter()
                .filter(|&(node, &uses)| uses > 1 && inside(node) && !doors.contains(node));
            labels.extend(often.map(|(&node, _)| node));
        }
        while let Some(head) = self.back_edge(&labels) {
            labels.push(head);
        }
        labels
    }

    /// The target of an edge that closes a circle without passing a label.
    fn back_edge(&self, labels: &[NodeId]) -> Option<NodeId> {
        let component = self.order.component[*labels.first()?];
        let inside = |to: &NodeId| self.order.component[*to] == component && !labels.contains(to);
        let inner = |node: NodeId| {
            self.graph.nodes[node]
                .next
                .targets()
                .into_iter()
                .filter(inside)
                .collect::<Vec<_>>()
        };
        let mut done: SortedSet<NodeId> = SortedSet::new();
        for &label in labels {
            let mut path = vec![(label, inner(label))];
            while let Some((node, targets)) = path.last_mut() {
                let node = *node;
                match targets.pop() {
                    None => {
                        done.insert(node);
                        path.pop();
                    }
                    Some(to) if done.contains(&to) => {}
                    Some(to) if path.iter().any(|(on_path, _)| *on_path == to) => return Some(to),
                    Some(to) => path.push((to, inner(to))),
                }
            }
        }
        None
    }

    /// The node at which two branches meet again, if everything that both may run starts there.
    fn join(&self, yes: NodeId, no: NodeId, context: &Context) -> Option<NodeId> {
        let (from_yes, from_no) = (self.reach(yes, context), self.reach(no, context));
        let both: SortedSet<NodeId> = from_yes.intersection(&from_no).copied().collect();
        let mut doors: SortedSet<NodeId> = [yes, no]
            .into_iter()
            .filter(|node| both.contains(node))
            .collect();
        for &node in from_yes.symmetric_difference(&from_no) {
            if !self.ends_reach(node, context) {
                let targets = self.graph.nodes[node].next.targets();
                doors.extend(targets.into_iter().filter(|node| both.contains(node)));
            }
        }
        let door = (doors.len() == 1)
            .then(|| doors.first().copied())
            .flatten()?;
        let is_label = context.labels.contains(door);
        (!is_label && Some(door) != context.until && Some(door) != context.after_loop)
            .then_some(door)
    }

    /// The nodes that are emitted with a node.
    fn reach(&self, from: NodeId, context: &Context) -> SortedSet<NodeId> {
        let mut reached = SortedSet::new();
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            if reached.insert(node) && !self.ends_reach(node, context) {
                todo.extend(self.graph.nodes[node].next.targets());
            }
        }
        reached
    }

    /// Whether what starts at a node may come to the end of its block.
    fn may_fall_through(&self, from: NodeId, context: &Context) -> bool {
        let ends = |node: &NodeId| {
            context.until == Some(*node) || matches!(self.graph.nodes[*node].next, Next::Nowhere)
        };
        self.reach(from, context).iter().any(ends)
    }

    /// Whether a node is emitted elsewhere, or falls through.
    fn ends_reach(&self, node: NodeId, context: &Context) -> bool {
        context.until == Some(node)
            || context.after_loop == Some(node)
            || context.labels.contains(node)
            || self.shared_as(node, context).is_some()
    }
}

/// The counters of loops whose every round stops.
fn idle_counters(graph: &Graph, order: &Order) -> SortedSet<LocalId> {
    let mut idle: SortedSet<LocalId> = graph.counters.iter().copied().collect();
    for &node in &order.nodes {
        if let Next::Round { counter, .. } = graph.nodes[node].next
            && order.is_cyclic(node)
        {
            idle.remove(&counter);
        }
    }
    idle
}

/// How often the nodes of each component are entered from outside.
fn doors(graph: &Graph, order: &Order) -> Vec<SortedMap<NodeId, usize>> {
    let mut doors = vec![SortedMap::new(); order.nodes.len()];
    let mut add = |node: NodeId| {
        *doors[order.component[node]].entry(node).or_insert(0) += 1;
    };
    for &node in &order.nodes {
        let targets = graph.nodes[node].next.targets().into_iter();
        targets
            .filter(|&to| order.component[to] != order.component[node])
            .for_each(&mut add);
    }
    order.entries.iter().copied().for_each(&mut add);
    doors
}

fn label_type(labels: &[NodeId]) -> Type {
    Type::Int {
        lo: 0,
        hi: labels.len() as i64 - 1,
    }
}

/// The number of a label, as a constant of the type that fits all of them.
fn label_value(label: usize, labels: &[NodeId], span: Span) -> Expr {
    let value = Const::Int(label as i64);
    Expr::constant(value, label_type(labels), span)
}

/// The block of one of the labels from a number on, which a local variable tells.
fn dispatch(
    next: LocalId,
    labels: &[NodeId],
    from: usize,
    mut bodies: Vec<Block>,
    span: Span,
) -> Block {
    let number = Expr::local(next, label_type(labels), span);
    if bodies.len() > FEW_LABELS {
        let half = bodies.len() / 2;
        let upper = dispatch(next, labels, from + half, bodies.split_off(half), span);
        let lower = dispatch(next, labels, from, bodies, span);
        let test = Expr::binary(BinaryOp::Lt, number, label_value(from + half, labels, span));
        return vec![Stmt::branch(test, lower, upper)];
    }
    let last = bodies.pop().unwrap_or_default();
    let others = bodies.into_iter().enumerate().rev();
    others.fold(last, |rest, (index, body)| {
        let value = label_value(from + index, labels, span);
        vec![Stmt::branch(number.clone().equals(value), body, rest)]
    })
}

/// Counts a round of a loop that may stop.
fn count_round(counter: Expr, bound: u32, local: LocalId) -> [Stmt; 2] {
    let span = counter.span;
    let more = Expr::binary(BinaryOp::Add, counter.clone(), Expr::int(1, span));
    let over = Expr::binary(BinaryOp::Gt, counter, Expr::int(i64::from(bound), span));
    let limit = vec![work_limit(span), Stmt::new(StmtKind::Return(None), span)];
    [
        Stmt::assign(local, more),
        Stmt::branch(over, limit, Vec::new()),
    ]
}

/// A statement that faults as a loop does that makes too many rounds.
fn work_limit(span: Span) -> Stmt {
    let cond = Expr::bool(true, span);
    Stmt::new(
        StmtKind::While {
            cond,
            bound: 0,
            body: Vec::new(),
        },
        span,
    )
}

/// Number of statements, at any depth.
fn size(block: &[Stmt]) -> usize {
    let mut count = 0;
    walk_block(block, &mut |_| count += 1);
    count
}
