//! What rules mean as a graph of members, terms and cells of tables, for colour refinement.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::{BinaryOp, Const, DomainId, Game, Type};

use super::colours::{Colours, Join, Neighbours, mix};
use super::may::domain_of;
use super::meaning::Meaning;
use super::terms::{ABSENT, Bundle, FAULT, FEW_MEMBERS, JUNK, NO, Op, Other, Term, Terms, YES};

/// Members, terms and cells of tables, and what belongs together.
pub(super) struct Graph {
    pub(super) neighbours: Neighbours,
    /// Colours at the beginning.
    pub(super) colours: Colours,
    /// Where the members of each domain begin.
    pub(super) domains: Vec<u32>,
    /// Number of members: they are the first vertices.
    pub(super) members: usize,
    /// The vertices that stand for terms.
    pub(super) terms: Vec<(u32, Term)>,
}

fn mark(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Graph {
    pub(super) fn of(game: &Game, meaning: &Meaning<'_>) -> Graph {
        let mut domains = Vec::new();
        let mut members = 0;
        for domain in &game.domains {
            domains.push(members);
            members += domain.len() as u32;
        }
        let mut graph = Graph {
            neighbours: Neighbours::default(),
            colours: vec![0; members as usize],
            domains,
            members: members as usize,
            terms: Vec::new(),
        };
        for (index, domain) in game.domains.iter().enumerate() {
            for member in 0..domain.len() as u32 {
                let vertex = graph.member(index.into(), member);
                graph.colours[vertex as usize] = mark(&("member", index));
            }
        }
        // Of those that are alike each keeps its place among them.
        for class in game.interchangeable.iter() {
            for (at, &member) in class.members.iter().enumerate() {
                let vertex = graph.member(class.domain, member);
                let colour = mark(&("alike", class.domain, at, class.members.len()));
                graph.colours[vertex as usize] = colour;
            }
        }
        let mut builder = Builder {
            terms: &meaning.terms,
            known: SortedMap::new(),
            tabs: SortedMap::new(),
            joins: Vec::new(),
            graph: &mut graph,
        };
        for &family in &meaning.families {
            builder.vertex(family);
        }
        for (at, &rest) in meaning.rest.iter().enumerate() {
            let vertex = builder.vertex(rest);
            let colour = &mut builder.graph.colours[vertex as usize];
            *colour = mix(*colour, at as u64 + 1);
        }
        let joins = builder.joins;
        let known = builder.known.into_iter();
        graph.terms = known.map(|(term, vertex)| (vertex, term)).collect();
        graph.neighbours = Neighbours::of(graph.colours.len(), &joins);
        // What nobody speaks of stays where it is.
        let idle = graph.neighbours.each().take(graph.members);
        let idle: Vec<bool> = idle.map(<[_]>::is_empty).collect();
        for (member, _) in idle.iter().enumerate().filter(|(_, idle)| **idle) {
            graph.colours[member] = mark(&("idle", member));
        }
        graph
    }

    pub(super) fn member(&self, domain: DomainId, member: u32) -> u32 {
        self.domains[domain.index()] + member
    }

    /// The domain of the member that a vertex stands for.
    pub(super) fn domain_of(&self, vertex: u32) -> DomainId {
        let at = self.domains.partition_point(|first| *first <= vertex);
        // Domains without members begin where the next one does.
        (at - 1).into()
    }

    fn add(&mut self, colour: u64) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }
}

/// Conditions that ask which of few members something is: each with the member that it asks for.
struct Few {
    domain: DomainId,
    members: usize,
    asked: SortedMap<Term, usize>,
}

/// Builds the graph of terms.
struct Builder<'b, 'g> {
    terms: &'b Terms<'g>,
    known: SortedMap<Term, u32>,
    tabs: SortedMap<u32, u32>,
    joins: Vec<Join>,
    graph: &'b mut Graph,
}

/// What a neighbour is.
const ANY: u32 = 0;
const CONDITION: u32 = 1;
const VALUE: u32 = 2;
const KEY: u32 = 3;
const GIVES: u32 = 4;
const NAMES: u32 = 5;
const TABLE: u32 = 6;
const ROW: u32 = 1_000_000;
const CASE: u32 = 999_999;
const ITEM: u32 = 1_000_001;
const ARGUMENT: u32 = 7;

impl Builder<'_, '_> {
    fn vertex(&mut self, term: Term) -> u32 {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let node = self.terms.node(term).clone();
        let colour = self.colour(&node.op);
        let vertex = self.graph.add(mix(colour, mark(&self.type_mark(&node.ty))));
        self.known.insert(term, vertex);
        if let Op::Ite = node.op {
            // The order of conditions is no part of what a diagram means.
            let (mut conditions, mut values) = (SortedSet::new(), SortedSet::new());
            self.parts(term, &mut conditions, &mut values, &mut SortedSet::new());
            let few = self.of_few(&conditions);
            for (&member, asked) in &few {
                self.cases(term, vertex, member, asked);
            }
            for condition in conditions {
                // Of more than two members all but one are asked for, which does not matter.
                let of_many = |few: &Few| few.members > 2 && few.asked.contains_key(&condition);
                if !few.values().any(of_many) {
                    let other = self.vertex(condition);
                    self.join(vertex, other, CONDITION);
                }
            }
            for value in values {
                let other = self.vertex(value);
                self.join(vertex, other, VALUE);
            }
            return vertex;
        }
        match &node.op {
            Op::Const(value) => self.names(vertex, &node.ty, value, NAMES),
            Op::Param(_, Some(members)) | Op::Bound(_, Some(members)) => {
                let set = Const::Set(members.clone());
                self.names(vertex, &node.ty, &set, NAMES);
            }
            Op::Table(tab) => {
                let tab = self.table(*tab);
                self.join(vertex, tab, TABLE);
            }
            _ => {}
        }
        let sorted = matches!(
            node.op,
            Op::Bundle(Bundle::Writes | Bundle::Mistakes | Bundle::Set(_))
                | Op::Other(Other::Any | Other::Greater)
        ) || matches!(
            node.op,
            Op::Table(_) | Op::Binary(BinaryOp::Union | BinaryOp::Intersect)
        ) || node.args.len() == 2 && matches!(node.op, Op::Binary(_));
        for (at, &arg) in node.args.iter().enumerate() {
            let other = self.vertex(arg);
            let label = if sorted { ANY } else { ARGUMENT + at as u32 };
            self.join(vertex, other, label);
        }
        vertex
    }

    fn join(&mut self, a: u32, b: u32, label: u32) {
        self.joins.push((a, b, label));
    }

    fn type_mark(&self, ty: &Type) -> String {
        match domain_of(ty) {
            Some(_) => String::from("members"),
            None => format!("{ty:?}"),
        }
    }

    /// The conditions and the values of a diagram.
    fn parts(
        &self,
        term: Term,
        conditions: &mut SortedSet<Term>,
        values: &mut SortedSet<Term>,
        seen: &mut SortedSet<Term>,
    ) {
        if !seen.insert(term) {
            return;
        }
        let node = self.terms.node(term);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [condition, yes, no]) => {
                conditions.insert(*condition);
                self.parts(*yes, conditions, values, seen);
                self.parts(*no, conditions, values, seen);
            }
            _ => {
                values.insert(term);
            }
        }
    }

    /// The members of few that conditions ask for one by one.
    fn of_few(&self, conditions: &SortedSet<Term>) -> SortedMap<Term, Few> {
        let mut all: SortedMap<Term, Few> = SortedMap::new();
        for &condition in conditions {
            let node = self.terms.node(condition);
            let (Op::Table(tab), &[member]) = (&node.op, &node.args[..]) else {
                continue;
            };
            let tab = self.terms.tab(*tab);
            let [(domain, false)] = tab.axes[..] else {
                continue;
            };
            let yes = tab.values.iter().position(|value| *value == YES);
            let others = tab.values.iter().filter(|value| **value == NO).count();
            let members = tab.values.len();
            if let (Some(at), true) = (yes, others + 1 == members && members <= FEW_MEMBERS) {
                let asked = SortedMap::new();
                let few = all.entry(member).or_insert(Few {
                    domain,
                    members,
                    asked,
                });
                few.asked.insert(condition, at);
            }
        }
        all
    }

    /// What a diagram comes to for each of few members.
    fn cases(&mut self, term: Term, vertex: u32, of: Term, few: &Few) {
        let of = self.vertex(of);
        for member in 0..few.members {
            let mut values = SortedSet::new();
            let known = few.asked.iter().map(|(term, at)| (*term, *at == member));
            let known: SortedMap<Term, bool> = known.collect();
            self.values_where(term, &known, &mut values, &mut SortedSet::new());
            let own = self.graph.add(mark(&"case"));
            self.join(own, vertex, CASE);
            self.join(own, of, CONDITION);
            let member = self.graph.member(few.domain, member as u32);
            self.join(own, member, KEY);
            for value in values {
                let value = self.vertex(value);
                self.join(own, value, VALUE);
            }
        }
    }

    /// The values of a diagram where some conditions hold, and some do not.
    fn values_where(
        &self,
        term: Term,
        known: &SortedMap<Term, bool>,
        values: &mut SortedSet<Term>,
        seen: &mut SortedSet<Term>,
    ) {
        if !seen.insert(term) {
            return;
        }
        let node = self.terms.node(term);
        match (&node.op, &node.args[..]) {
            (Op::Ite, &[condition, yes, no]) => {
                let holds = known.get(&condition);
                if holds != Some(&false) {
                    self.values_where(yes, known, values, seen);
                }
                if holds != Some(&true) {
                    self.values_where(no, known, values, seen);
                }
            }
            _ => {
                values.insert(term);
            }
        }
    }

    fn colour(&self, op: &Op) -> u64 {
        match op {
            Op::Const(value) => mark(&("const", self.plain(value))),
            Op::Param(at, members) => mark(&("param", at, members.as_ref().map(Vec::len))),
            Op::Bound(at, members) => mark(&("bound", at, members.as_ref().map(Vec::len))),
            Op::Table(_) => mark(&"table"),
            other => mark(other),
        }
    }

    /// A constant without the names in it.
    fn plain(&self, value: &Const) -> Const {
        match value {
            Const::Elem(_) => Const::Elem(0),
            Const::Set(members) => Const::Int(members.len() as i64),
            Const::Seq(items) => {
                let mut items: Vec<Const> = items.iter().map(|item| self.plain(item)).collect();
                items.sort();
                Const::Seq(items)
            }
            other => other.clone(),
        }
    }

    fn names(&mut self, vertex: u32, ty: &Type, value: &Const, label: u32) {
        let Some(domain) = domain_of(ty) else { return };
        match value {
            Const::Elem(member) => {
                let other = self.graph.member(domain, *member);
                self.join(vertex, other, label);
            }
            Const::Set(members) => {
                for member in members {
                    let other = self.graph.member(domain, *member);
                    self.join(vertex, other, label);
                }
            }
            Const::Seq(items) if self.terms.holds_rows(ty) => {
                let Type::Seq { item, .. } = ty else { return };
                for row in items {
                    let own = self.graph.add(mark(&("row", self.plain(row))));
                    self.join(vertex, own, ROW);
                    self.names(own, item, row, label);
                }
            }
            Const::Seq(items) => {
                for (at, item) in (0..).zip(items) {
                    if let Const::Elem(member) = item {
                        let other = self.graph.member(domain, *member);
                        self.join(vertex, other, ITEM + at);
                    }
                }
            }
            _ => {}
        }
    }

    fn table(&mut self, id: u32) -> u32 {
        if let Some(known) = self.tabs.get(&id) {
            return *known;
        }
        let tab = self.terms.tab(id).clone();
        let vertex = self
            .graph
            .add(mark(&("tab", tab.axes.len(), tab.values.len())));
        self.tabs.insert(id, vertex);
        let game = self.terms.game;
        let lens: Vec<usize> = (tab.axes.iter())
            .map(|axis| game.domain(axis.0).len() + usize::from(axis.1))
            .collect();
        if tab.axes.is_empty() {
            // By numbers: each cell is one of its own.
            for (cell, value) in tab.values.iter().enumerate() {
                let value = self.terms.value(*value);
                let own = self.graph.add(mark(&("cell", cell, self.plain(value))));
                self.join(own, vertex, TABLE);
                self.names(own, &tab.ty, value, GIVES);
            }
            return vertex;
        }
        if tab.values[..] == [YES, NO] {
            // Of two members the one or the other: a condition or its opposite.
            return vertex;
        }
        let nothing = [JUNK, FAULT, ABSENT, NO];
        for (cell, value) in tab.values.iter().enumerate() {
            if nothing.contains(value) {
                continue;
            }
            let value = self.terms.value(*value);
            let own = self.graph.add(mark(&("cell", self.plain(value))));
            self.join(own, vertex, TABLE);
            let mut rest = cell;
            for (axis, len) in tab.axes.iter().zip(&lens).rev() {
                let at = rest % len;
                rest /= len;
                if at < game.domain(axis.0).len() {
                    let member = self.graph.member(axis.0, at as u32);
                    self.join(own, member, KEY);
                }
            }
            self.names(own, &tab.ty, value, GIVES);
        }
        vertex
    }
}
