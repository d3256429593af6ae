//! Terms under a renaming.

use crate::hash::IndexMap;
use crate::ir::{BinaryOp, Const, DomainId, Fold, Game, Type};

use super::super::Renaming;
use super::super::may::domain_of;
use super::{FALSE, FAULT, JUNK, Node, Op, Other, Renamed, Tab, TabId, Term, Terms, Value};

impl<'g> Terms<'g> {
    /// The terms under a renaming; nothing where one depends on an order that the renaming does not keep.
    pub(in super::super) fn renamed(&mut self, term: Term, by: &mut Renamed<'_>) -> Option<Term> {
        if let Some(known) = by.terms.get(&term) {
            return *known;
        }
        let Node { op, args, ty } = self.node(term).clone();
        let mut new_args = Vec::with_capacity(args.len());
        for &arg in &args {
            new_args.push(self.renamed(arg, by)?);
        }
        let found = self.renamed_node(op, new_args, ty, by);
        by.terms.insert(term, found);
        found
    }

    fn renamed_node(
        &mut self,
        op: Op,
        args: Vec<Term>,
        ty: Type,
        by: &mut Renamed<'_>,
    ) -> Option<Term> {
        if self.failed.is_some() {
            return None;
        }
        let set = |domain: &Type, members: Vec<u32>| -> Vec<u32> {
            match domain_of(domain) {
                Some(domain) => {
                    let mut new: Vec<u32> = members
                        .iter()
                        .map(|&m| by.renaming.member(domain, m))
                        .collect();
                    new.sort_unstable();
                    new
                }
                None => members,
            }
        };
        Some(match op {
            Op::Const(value) => {
                let mut value = by.renaming.constant(&ty, &value);
                if let (true, Const::Seq(rows)) = (self.holds_rows(&ty), &mut value) {
                    rows.sort();
                }
                self.insert(Op::Const(value), args, ty)
            }
            Op::Param(at, members) => {
                let members = members.map(|members| set(&ty, members));
                self.insert(Op::Param(at, members), args, ty)
            }
            Op::Bound(at, members) => {
                let members = members.map(|members| set(&ty, members));
                self.insert(Op::Bound(at, members), args, ty)
            }
            Op::Ite => match args[..] {
                [cond, yes, no] => {
                    let (cond, yes, no) = (self.diagram(cond), self.diagram(yes), self.diagram(no));
                    self.choose(cond, yes, no)
                }
                _ => return None,
            },
            Op::Other(Other::Any) => self.any_of(args),
            Op::Other(Other::Whole) => match args[..] {
                [cond] => self.whole(cond),
                _ => return None,
            },
            Op::Other(Other::After) => match args[..] {
                [before, value] => self.after(before, value),
                _ => return None,
            },
            Op::Table(tab) if by.puts && !self.are_atoms(&args) => self.table_at(tab, args)?,
            Op::Table(tab) => self.renamed_table(tab, args, ty, by),
            Op::Binary(BinaryOp::In) if by.puts => self.is_in(args[0], args[1]),
            Op::Other(Other::Fold(Fold::Exists) | Other::Rows)
                if by.puts && args.last() == Some(&FALSE) =>
            {
                FALSE
            }
            Op::Ordered(_, domain) if by.renaming.moves(domain) => return None,
            Op::Bundle(bundle) => self.bundle(bundle, args),
            Op::Binary(BinaryOp::Eq) => self.equal(args[0], args[1]),
            Op::Other(Other::Greater) => self.greater(args[0], args[1]),
            op => self.structural(op, args, &ty),
        })
    }

    fn renamed_table(
        &mut self,
        tab: TabId,
        args: Vec<Term>,
        ty: Type,
        by: &mut Renamed<'_>,
    ) -> Term {
        let new = match by.tabs.get(&tab) {
            Some(known) => *known,
            None => {
                let new = self.permuted(tab, by.renaming);
                let new = self.tabs.insert_full(new).0 as TabId;
                by.tabs.insert(tab, new);
                new
            }
        };
        let whole = self.tab(new).axes.len() == args.len();
        if let (true, [first, second]) = (whole, &args[..])
            && first > second
        {
            let tab = self.turned(new);
            return self.table(tab, vec![*second, *first]);
        }
        match whole {
            true => {
                let tab = self.tab(new).clone();
                self.table(tab, args)
            }
            false => self.insert(Op::Table(new), args, ty),
        }
    }

    /// Whether terms are different members of which nothing is known.
    fn are_atoms(&self, terms: &[Term]) -> bool {
        let plain = |term: &Term| !matches!(self.node(*term).op, Op::Const(_) | Op::Table(_));
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == terms.len() && terms.iter().all(plain)
    }

    /// A table at values that follow from members.
    fn table_at(&mut self, tab: TabId, args: Vec<Term>) -> Option<Term> {
        let tab = self.tab(tab).clone();
        if tab.axes.len() != args.len() {
            return None;
        }
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let values: Vec<Const> = tab.values.iter().map(|v| self.value(*v).clone()).collect();
        let mut cell = |_: &Game, at: &[&Const]| {
            let mut cell = 0;
            for (value, len) in at.iter().zip(&lens) {
                let at = match value {
                    Const::Elem(member) => *member as usize,
                    _ => len - 1,
                };
                cell = cell * len + at;
            }
            values.get(cell).cloned()
        };
        self.tabulate(&args, true, &tab.ty, &mut cell)
    }

    /// A table of two with its axes exchanged.
    fn turned(&self, tab: TabId) -> Tab {
        let tab = self.tab(tab);
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let values = (0..lens[1])
            .flat_map(|b| (0..lens[0]).map(move |a| (a, b)))
            .map(|(a, b)| tab.values[a * lens[1] + b]);
        Tab {
            axes: vec![tab.axes[1], tab.axes[0]],
            ty: tab.ty.clone(),
            values: values.collect(),
        }
    }

    fn permuted(&mut self, tab: TabId, renaming: &Renaming) -> Tab {
        let tab = self.tab(tab).clone();
        let moves = |d: DomainId| renaming.moves(d);
        let rows = self.holds_rows(&tab.ty);
        let values_move = domain_of(&tab.ty).is_some_and(moves) || tab.ty == Type::Tagged;
        if !values_move && !tab.axes.iter().any(|axis| moves(axis.0)) {
            return tab;
        }
        let lens: Vec<usize> = tab.axes.iter().map(|&axis| self.axis_len(axis)).collect();
        let images: Vec<_> = (tab.axes.iter())
            .map(|axis| renaming.images(axis.0))
            .collect();
        let mut values = tab.values.clone();
        let mut known: IndexMap<Value, Value> = IndexMap::default();
        for (cell, &value) in tab.values.iter().enumerate() {
            let (mut rest, mut target, mut stride) = (cell, 0, 1);
            for (images, len) in images.iter().zip(&lens).rev() {
                let at = rest % len;
                rest /= len;
                // One that may be absent has a cell more.
                target += stride * images.get(at).map_or(at, |image| *image as usize);
                stride *= len;
            }
            let target = if tab.axes.is_empty() { cell } else { target };
            let new = match known.get(&value) {
                _ if !values_move || value == JUNK || value == FAULT => value,
                Some(known) => *known,
                None => {
                    let mut new = renaming.constant(&tab.ty, self.value(value));
                    if let (true, Const::Seq(items)) = (rows, &mut new) {
                        items.sort();
                    }
                    let new = self.number(new);
                    known.insert(value, new);
                    new
                }
            };
            if let Some(slot) = values.get_mut(target) {
                *slot = new;
            }
        }
        Tab {
            axes: tab.axes,
            ty: tab.ty,
            values,
        }
    }
}
