//! What of the graph can be reached, in which order, and where it runs in circles without a stop.

use super::graph::{Graph, NodeId, StopAt};

/// The reachable part of a graph.
pub(super) struct Order {
    /// Reachable nodes, from the start on.
    pub(super) nodes: Vec<NodeId>,
    /// Reachable stops, in the order of the points of the machine.
    pub(super) stops: Vec<usize>,
    /// The nodes at which a chain of evaluation starts.
    pub(super) entries: Vec<NodeId>,
    /// The strongly connected component of each node, along edges that do not stop.
    pub(super) component: Vec<usize>,
    cyclic: Vec<bool>,
}

impl Order {
    pub(super) fn of(graph: &Graph) -> Order {
        let mut order = Order {
            nodes: Vec::new(),
            stops: Vec::new(),
            entries: vec![graph.start],
            component: vec![usize::MAX; graph.nodes.len()],
            cyclic: Vec::new(),
        };
        let mut seen = vec![false; graph.nodes.len()];
        order.reach(graph, graph.start, &mut seen);
        let mut next = 0;
        while let Some(&stop) = order.stops.get(next) {
            next += 1;
            for entry in graph.stops[stop].entries() {
                order.entries.push(entry);
                order.reach(graph, entry, &mut seen);
            }
        }
        order.find_components(graph);
        order
    }

    /// Whether control can come back to the node without a stop.
    pub(super) fn is_cyclic(&self, node: NodeId) -> bool {
        self.cyclic[self.component[node]]
    }

    /// Adds what can be reached without a stop, and the stops reached, in the order of the text.
    fn reach(&mut self, graph: &Graph, from: NodeId, seen: &mut [bool]) {
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            self.nodes.push(node);
            if let super::Next::Stop(stop) = graph.nodes[node].next
                && !self.stops.contains(&stop)
            {
                self.stops.push(stop);
            }
            todo.extend(graph.nodes[node].next.targets().into_iter().rev());
        }
    }

    /// Tarjan's algorithm with a stack of its own: programs may be long.
    fn find_components(&mut self, graph: &Graph) {
        let count = graph.nodes.len();
        let mut search = Search {
            number: vec![usize::MAX; count],
            low: vec![0; count],
            next: 0,
            open: Vec::new(),
        };
        for index in 0..self.nodes.len() {
            let root = self.nodes[index];
            if search.number[root] == usize::MAX {
                self.search_from(graph, root, &mut search);
            }
        }
    }

    fn search_from(&mut self, graph: &Graph, root: NodeId, search: &mut Search) {
        search.enter(root);
        let mut path = vec![(root, graph.nodes[root].next.targets())];
        while let Some((node, targets)) = path.last_mut() {
            let node = *node;
            let Some(target) = targets.pop() else {
                path.pop();
                if let Some((parent, _)) = path.last() {
                    search.low[*parent] = search.low[*parent].min(search.low[node]);
                }
                if search.low[node] == search.number[node] {
                    self.close(graph, node, search);
                }
                continue;
            };
            if search.number[target] == usize::MAX {
                search.enter(target);
                path.push((target, graph.nodes[target].next.targets()));
            } else if self.component[target] == usize::MAX {
                search.low[node] = search.low[node].min(search.number[target]);
            }
        }
    }

    fn close(&mut self, graph: &Graph, root: NodeId, search: &mut Search) {
        let component = self.cyclic.len();
        let mut size = 0;
        while let Some(node) = search.open.pop() {
            self.component[node] = component;
            size += 1;
            if node == root {
                break;
            }
        }
        let own = graph.nodes[root].next.targets().contains(&root);
        self.cyclic.push(size > 1 || own);
    }
}

struct Search {
    number: Vec<usize>,
    low: Vec<usize>,
    next: usize,
    open: Vec<NodeId>,
}

impl Search {
    fn enter(&mut self, node: NodeId) {
        self.number[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.open.push(node);
    }
}

impl StopAt {
    /// Where play goes on after the stop.
    pub(super) fn entries(&self) -> Vec<NodeId> {
        match self {
            StopAt::Choose(_, arms, otherwise) => arms.iter().chain(otherwise).copied().collect(),
            StopAt::Chance(_, entry) => vec![*entry],
        }
    }
}
