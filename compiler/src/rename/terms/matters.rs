//! What tables of two members say where nobody listens.
//!
//! Rules that look beyond the edge of a board ask first whether there is something, and what they would find there otherwise is whatever
//! stands in a table. Where conditions on one of its members decide alone, a table of two says no: so tables differ by nothing but what
//! is asked of them.

use super::{Known, NO, Op, Tab, Term, Terms, YES};

/// A condition that is a table, and its atoms.
type Asked = (Term, Tab, Vec<Term>);

impl Terms<'_> {
    /// A condition in which tables of two members say no wherever conditions on one of these members, which it asks as well, make it the
    /// same whatever they say.
    pub(in super::super) fn as_far_as_asked(&mut self, condition: Term) -> Term {
        let asked = &self.looks[condition as usize].asked;
        let tables: Vec<Asked> = asked
            .iter()
            .filter_map(|&term| self.asked_table(term))
            .collect();
        let (pairs, singles): (Vec<Asked>, Vec<Asked>) = tables
            .into_iter()
            .filter(|(.., atoms)| (1..=2).contains(&atoms.len()))
            .partition(|(.., atoms)| atoms.len() == 2);
        let mut told = Vec::new();
        for pair in pairs {
            let of_it = |single: &&Asked| pair.2.contains(&single.2[0]);
            let singles: Vec<&Asked> = singles.iter().filter(of_it).collect();
            if let Some(tab) = self.where_it_matters(condition, &pair, &singles) {
                told.push((pair.0, tab, pair.2));
            }
        }
        // What one says where it does not matter is no part of what another one is asked for.
        told.into_iter().fold(condition, |all, (old, tab, atoms)| {
            let new = self.table(tab, atoms);
            let new = self.diagram(new);
            let [yes, no] = [true, false].map(|holds| self.restricted(all, &vec![(old, holds)]));
            self.choose(new, yes, no)
        })
    }

    /// A condition in which tables of two of some members, by which it looks up what it asks about, say nothing where it cannot hold,
    /// as far as its tables of these two tell.
    pub(in super::super) fn as_far_as_it_holds(&mut self, condition: Term, of: &[Term]) -> Term {
        let asked = self.looks[condition as usize].asked.clone();
        let mut inner: Vec<Term> = Vec::new();
        self.each_part(condition, &mut |me, part| {
            let node = me.node(part);
            let pair = matches!(node.op, Op::Table(_)) && node.args.len() == 2;
            if pair && node.args.iter().all(|arg| of.contains(arg)) && !asked.contains(&part) {
                inner.push(part);
            }
        });
        inner.sort_unstable();
        let told = inner
            .into_iter()
            .map(|old| (old, self.table_where(condition, old)));
        let told: Vec<(Term, Term)> = told.collect();
        told.into_iter().fold(condition, |all, (old, new)| {
            let put = self.put(all, old, new);
            put.map_or(all, |put| self.diagram(put))
        })
    }

    fn asked_table(&self, term: Term) -> Option<Asked> {
        let node = self.node(term);
        match node.op {
            Op::Table(tab) if self.tab(tab).axes.len() == node.args.len() => {
                Some((term, self.tab(tab).clone(), node.args.to_vec()))
            }
            _ => None,
        }
    }

    /// A table of two members that says no wherever it does not matter; nothing where it does that already.
    fn where_it_matters(
        &mut self,
        condition: Term,
        (own, tab, atoms): &Asked,
        singles: &[&Asked],
    ) -> Option<Tab> {
        let [_, second] = tab.axes[..] else {
            return None;
        };
        let width = self.axis_len(second);
        let mut new = tab.clone();
        let mut matters: rulec_ir::sorted::SortedMap<Known, bool> = Default::default();
        for (cell, value) in new.values.iter_mut().enumerate() {
            if *value != YES {
                continue;
            }
            let mut known = Known::new();
            for (asked, single, of) in singles {
                let at = if of[0] == atoms[0] {
                    cell / width
                } else {
                    cell % width
                };
                match single.values.get(at) {
                    Some(&YES) => known.push((*asked, true)),
                    Some(&NO) => known.push((*asked, false)),
                    _ => {}
                }
            }
            known.sort_unstable();
            let matter = match matters.get(&known) {
                Some(matter) => *matter,
                None => {
                    let here = self.restricted(condition, &known);
                    let [yes, no] =
                        [true, false].map(|holds| self.restricted(here, &vec![(*own, holds)]));
                    matters.insert(known, yes != no);
                    yes != no
                }
            };
            if !matter {
                *value = NO;
            }
        }
        (new.values != tab.values).then_some(new)
    }
}
