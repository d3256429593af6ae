//! Conditions as decision diagrams, and what is known where they hold.

use rulec_ir::sorted::SortedMap;

use crate::ir::Type;

use super::{
    FALSE, JUNK, Known, NO, Node, Op, Other, TRUE, Tab, Term, Terms, Value, YES, known_as,
};

impl<'g> Terms<'g> {
    /// The condition at the top of a diagram.
    pub(super) fn top(&self, term: Term) -> Option<Term> {
        let node = self.node(term);
        match node.op {
            Op::Ite => node.args.first().copied(),
            _ => None,
        }
    }

    fn is_condition(&self, term: Term) -> bool {
        let node = self.node(term);
        node.ty == Type::Bool && !matches!(node.op, Op::Const(_) | Op::Ite | Op::Bundle(_))
    }

    pub(super) fn cofactor(&self, term: Term, condition: Term, holds: bool) -> Term {
        let node = self.node(term);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [top, yes, no]) if *top == condition => {
                if holds {
                    *yes
                } else {
                    *no
                }
            }
            _ => term,
        }
    }

    /// A condition as a diagram.
    pub(in super::super) fn diagram(&mut self, term: Term) -> Term {
        match self.is_condition(term) {
            true => self.insert(Op::Ite, vec![term, TRUE, FALSE], Type::Bool),
            false => term,
        }
    }

    pub(in super::super) fn ite(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        let (cond, yes, no) = (self.diagram(cond), self.diagram(yes), self.diagram(no));
        let plain = |term: Term| term == TRUE || term == FALSE;
        if plain(cond) || yes == no || plain(yes) && plain(no) {
            return self.choose(cond, yes, no);
        }
        self.spend(1);
        if self.are_small(&[cond, yes, no]) {
            let found = self.choose(cond, yes, no);
            return self.as_table(found);
        }
        if self.node(yes).ty != Type::Bool {
            let cond = self.whole(cond);
            return self.choose(cond, yes, no);
        }
        let not = self.choose(cond, FALSE, TRUE);
        let held = self.all_of(cond, yes);
        let failed = self.all_of(not, no);
        self.any_of(vec![held, failed])
    }

    /// A condition that asks several tables of the same two members, as the one table that it is.
    fn as_table(&mut self, term: Term) -> Term {
        let asked = &self.looks[term as usize].asked;
        let [first, others @ ..] = &asked[..] else {
            return term;
        };
        let pair = &self.node(*first).args;
        let is_table = |asked: &Term| {
            let node = self.node(*asked);
            matches!(node.op, Op::Table(tab) if self.tab(tab).axes.len() == 2) && node.args == *pair
        };
        let plain = self.node(term).ty == Type::Bool && !others.is_empty() && pair.len() == 2;
        if !plain || !asked.iter().all(is_table) {
            return term;
        }
        let (asked, pair) = (asked.clone(), pair.to_vec());
        let tables = asked.iter().filter_map(|asked| match self.node(*asked).op {
            Op::Table(tab) => Some((*asked, self.tab(tab).clone())),
            _ => None,
        });
        let tables: SortedMap<Term, Tab> = tables.collect();
        let Some(mut whole) = tables.values().next().cloned() else {
            return term;
        };
        for cell in 0..whole.values.len() {
            whole.values[cell] = self.cell_of(term, cell, &tables);
        }
        self.spend(1 + whole.values.len() / 16);
        let table = self.table(whole, pair);
        self.diagram(table)
    }

    /// What a diagram over tables is in one of their cells.
    fn cell_of(&self, term: Term, cell: usize, tables: &SortedMap<Term, Tab>) -> Value {
        let mut at = term;
        while let (Op::Ite, &[asked, yes, no]) = (&self.node(at).op, &self.node(at).args[..]) {
            at = match tables.get(&asked).and_then(|tab| tab.values.get(cell)) {
                Some(&YES) => yes,
                Some(&NO) => no,
                Some(other) => return *other,
                None => return JUNK,
            };
        }
        if at == TRUE { YES } else { NO }
    }

    // ---- positions after each other

    /// A value in the position that some writes lead to.
    pub(in super::super) fn after(&mut self, before: Term, value: Term) -> Term {
        if self.is_pure(value) {
            return value;
        }
        let ty = self.node(value).ty.clone();
        if ty != Type::Bool {
            // Of few values each by itself: which of them it is, rules may ask then.
            if let (Op::Ite, &[asked, yes, no]) = (&self.node(value).op, &self.node(value).args[..])
                && self.ask_few(&[value])
            {
                let asked = self.after(before, asked);
                let (yes, no) = (self.after(before, yes), self.after(before, no));
                return self.ite(asked, yes, no);
            }
            return self.insert(Op::Other(Other::After), vec![before, value], ty);
        }
        let value = self.diagram(value);
        let holds = self.where_all_hold(value);
        let inner = match holds {
            true => value,
            false => self.choose(value, FALSE, TRUE),
        };
        let after = self.insert(Op::Other(Other::After), vec![before, inner], ty);
        let after = self.diagram(after);
        match holds {
            true => after,
            false => self.choose(after, FALSE, TRUE),
        }
    }

    /// A value that stays what it is while the position becomes another one, under a number.
    pub(in super::super) fn kept(
        &mut self,
        slot: usize,
        value: Term,
        kept: &mut Vec<Term>,
    ) -> Term {
        if self.is_pure(value) {
            return value;
        }
        let Node { op, args, ty } = self.node(value).clone();
        match (op, &args[..]) {
            (Op::Table(tab), [atom]) if self.tab(tab).axes.len() == 1 => {
                let ty = self.node(*atom).ty.clone();
                kept.push(*atom);
                let atom = self.insert(Op::Param(slot, None), Vec::new(), ty);
                let tab = self.tab(tab).clone();
                self.table(tab, vec![atom])
            }
            _ => {
                kept.push(value);
                let own = self.insert(Op::Param(slot, None), Vec::new(), ty);
                self.diagram(own)
            }
        }
    }

    // ---- many conditions

    /// A condition as one that stands for itself.
    pub(super) fn whole(&mut self, cond: Term) -> Term {
        let look = &self.looks[cond as usize];
        if look.asked.len() <= 1 {
            return cond;
        }
        // Of a condition and its opposite, the one that holds where all its parts do.
        let holds = self.where_all_hold(cond);
        let inner = match holds {
            true => cond,
            false => self.choose(cond, FALSE, TRUE),
        };
        let whole = self.insert(Op::Other(Other::Whole), vec![inner], Type::Bool);
        let whole = self.diagram(whole);
        match holds {
            true => whole,
            false => self.choose(whole, FALSE, TRUE),
        }
    }

    fn where_all_hold(&self, cond: Term) -> bool {
        let mut at = cond;
        while let (Op::Ite, [_, yes, _]) = (&self.node(at).op, &self.node(at).args[..]) {
            at = *yes;
        }
        at == TRUE
    }

    fn all_of(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.choose(a, FALSE, TRUE), self.choose(b, FALSE, TRUE));
        let some = self.any_of(vec![a, b]);
        self.choose(some, FALSE, TRUE)
    }

    /// Whether one of some conditions holds.
    pub(in super::super) fn any_of(&mut self, conditions: Vec<Term>) -> Term {
        let mut parts = Vec::new();
        for condition in conditions {
            self.alternatives(condition, &mut parts);
        }
        loop {
            parts.sort_unstable();
            parts.dedup();
            self.spend(1 + parts.len() / 32);
            if parts.contains(&TRUE) || self.failed.is_some() {
                return TRUE;
            }
            let Some(known) = self.known_to_fail(&parts) else {
                return TRUE;
            };
            let mut next = Vec::with_capacity(parts.len());
            let mut changed = false;
            for &part in &parts {
                let simpler = self.where_others_fail(part, &parts, &known);
                changed |= simpler != part;
                match simpler == part {
                    true => next.push(part),
                    false => self.alternatives(simpler, &mut next),
                }
            }
            if !changed {
                break;
            }
            parts = next;
        }
        if self.are_small(&parts) {
            let all = parts.into_iter().rev();
            return all.fold(FALSE, |sum, part| self.choose(part, TRUE, sum));
        }
        let parts = self.in_products(parts);
        match parts[..] {
            [] => FALSE,
            [only] => only,
            _ => {
                let any = self.insert(Op::Other(Other::Any), parts, Type::Bool);
                self.diagram(any)
            }
        }
    }

    /// The conditions that decide alone, and what they are where none of the parts holds.
    ///
    /// Nothing where one of two opposites holds.
    fn known_to_fail(&self, parts: &[Term]) -> Option<Known> {
        let mut known = Known::with_capacity(parts.len());
        for &part in parts {
            if let Some((condition, holds)) = self.alone(part) {
                known.push((condition, !holds));
            }
        }
        known.sort_unstable();
        let opposite = |pair: &[(Term, bool)]| pair[0].0 == pair[1].0;
        (!known.windows(2).any(opposite)).then_some(known)
    }

    /// A diagram of one condition: which, and whether it has to hold.
    fn alone(&self, term: Term) -> Option<(Term, bool)> {
        let node = self.node(term);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [condition, TRUE, FALSE]) => Some((*condition, true)),
            (Op::Ite, [condition, FALSE, TRUE]) => Some((*condition, false)),
            _ => None,
        }
    }

    /// One of some parts, where it matters: where the others do not hold.
    fn where_others_fail(&mut self, part: Term, parts: &[Term], known: &Known) -> Term {
        if let Some((condition, holds)) = self.alone(part) {
            let inner = self.node(condition);
            if holds || !matches!(inner.op, Op::Other(Other::Any)) {
                return part;
            }
            let args = inner.args.clone();
            self.spend(args.len() / 8);
            let of_known = |&arg: &Term| {
                let own = self.alone(arg);
                own.is_some_and(|(asked, holds)| known_as(known, asked) == Some(holds))
            };
            if args.iter().any(of_known) {
                return FALSE;
            }
            let fails = |arg: &Term| parts.binary_search(arg).is_ok();
            let rest: Vec<Term> = args.iter().copied().filter(|arg| !fails(arg)).collect();
            if rest.len() < args.len() {
                let some = self.any_of(rest);
                return self.choose(some, FALSE, TRUE);
            }
            return part;
        }
        self.spend(self.looks[part as usize].asked.len() / 8);
        let asked = &self.looks[part as usize].asked;
        match asked.iter().any(|&asked| known_as(known, asked).is_some()) {
            true => self.restricted(part, known),
            false => part,
        }
    }

    /// A value as far as it matters where a condition holds.
    pub(in super::super) fn where_holds(&mut self, condition: Term, value: Term) -> Term {
        if condition == TRUE || self.looks[value as usize].asked.is_empty() {
            return value;
        }
        let known = self.implied(condition);
        // Where none of many holds, none of them does.
        let mut never = rulec_ir::sorted::SortedSet::new();
        for &(asked, _) in known.iter().filter(|(_, holds)| !*holds) {
            if matches!(self.node(asked).op, Op::Other(Other::Any)) {
                never.extend(self.node(asked).args.to_vec());
            }
        }
        for &(asked, holds) in &known {
            let (yes, no) = if holds { (FALSE, TRUE) } else { (TRUE, FALSE) };
            let opposite = self.insert(Op::Ite, vec![asked, yes, no], Type::Bool);
            never.insert(opposite);
        }
        let value = match self.alternatives_of(value) {
            Some((parts, some)) if parts.iter().any(|part| never.contains(part)) => {
                let rest = parts.into_iter().filter(|part| !never.contains(part));
                let rest: Vec<Term> = rest.collect();
                let any = self.any_of(rest);
                self.choose(any, some, if some == TRUE { FALSE } else { TRUE })
            }
            _ => value,
        };
        let asked = &self.looks[value as usize].asked;
        match asked.iter().any(|&asked| known_as(&known, asked).is_some()) {
            true => self.restricted(value, &known),
            false => value,
        }
    }

    /// What is so wherever a condition holds, in whatever order its diagram asks.
    fn implied(&mut self, condition: Term) -> Known {
        if let Some(known) = self.implied.get(&condition) {
            return known.clone();
        }
        let (Op::Ite, &[asked, yes, no]) =
            (&self.node(condition).op, &self.node(condition).args[..])
        else {
            return Known::new();
        };
        self.spend(1);
        let mut known = match (yes, no) {
            (_, FALSE) => self.implied(yes),
            (FALSE, _) => self.implied(no),
            _ => {
                let (one, other) = (self.implied(yes), self.implied(no));
                let both = |pair: &(Term, bool)| other.binary_search(pair).is_ok();
                one.into_iter().filter(both).collect()
            }
        };
        if yes == FALSE || no == FALSE {
            known.push((asked, no == FALSE));
            known.sort_unstable();
        }
        self.implied.insert(condition, known.clone());
        known
    }

    /// Whether something that is so wherever one condition holds is not so wherever another one does.
    pub(in super::super) fn are_opposed(&mut self, a: Term, b: Term) -> bool {
        let (a, b) = (self.certain(a), self.certain(b));
        self.spend(1 + a.len().min(b.len()) / 32);
        let opposite = |(asked, holds): &(Term, bool)| known_as(&b, *asked) == Some(!holds);
        a.iter().any(opposite)
    }

    /// What is so wherever a condition holds; where none of many holds, none of them does.
    fn certain(&mut self, condition: Term) -> Known {
        let mut known = self.implied(condition);
        let more: Vec<(Term, bool)> = known
            .iter()
            .filter(|(_, holds)| !holds)
            .filter(|(asked, _)| matches!(self.node(*asked).op, Op::Other(Other::Any)))
            .flat_map(|(asked, _)| self.node(*asked).args.iter())
            .filter_map(|part| self.alone(*part))
            .map(|(asked, holds)| (asked, !holds))
            .collect();
        if !more.is_empty() {
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        known
    }

    pub(super) fn restricted(&mut self, term: Term, known: &Known) -> Term {
        self.restricted_with(term, known, &mut SortedMap::new())
    }

    /// The same, once for each part of the diagram.
    fn restricted_with(
        &mut self,
        term: Term,
        known: &Known,
        done: &mut SortedMap<Term, Term>,
    ) -> Term {
        let node = self.node(term);
        let (Op::Ite, [condition, yes, no]) = (&node.op, &node.args[..]) else {
            return term;
        };
        let (condition, yes, no) = (*condition, *yes, *no);
        if let Some(done) = done.get(&term) {
            return *done;
        }
        self.spend(1);
        if self.failed.is_some() {
            return FALSE;
        }
        let found = match known_as(known, condition) {
            Some(true) => self.restricted_with(yes, known, done),
            Some(false) => self.restricted_with(no, known, done),
            None => {
                let yes = self.restricted_with(yes, known, done);
                let no = self.restricted_with(no, known, done);
                self.split(condition, yes, no)
            }
        };
        done.insert(term, found);
        found
    }

    /// The parts of which one has to hold so that a condition does.
    fn alternatives(&mut self, condition: Term, parts: &mut Vec<Term>) {
        if condition == FALSE {
            return;
        }
        let mut rest = condition;
        while let Some((first, others)) = self.first_alternative(rest) {
            self.alternative(first, parts);
            rest = others;
        }
        self.alternative(rest, parts);
    }

    /// Conditions, where a value says whether one of them holds; and what it is where one does.
    fn alternatives_of(&self, value: Term) -> Option<(Vec<Term>, Term)> {
        let node = self.node(value);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [condition, yes @ (TRUE | FALSE), TRUE | FALSE]) => {
                let inner = self.node(*condition);
                let some = matches!(inner.op, Op::Other(Other::Any));
                some.then(|| (inner.args.to_vec(), *yes))
            }
            _ => None,
        }
    }

    fn alternative(&mut self, part: Term, parts: &mut Vec<Term>) {
        let node = self.node(part);
        if let (Op::Ite, [condition, TRUE, FALSE]) = (&node.op, &node.args[..])
            && matches!(self.node(*condition).op, Op::Other(Other::Any))
        {
            parts.extend(&self.node(*condition).args);
            return;
        }
        parts.push(part);
    }

    /// A diagram as one or another that asks other conditions, later ones.
    fn first_alternative(&mut self, diagram: Term) -> Option<(Term, Term)> {
        let mut open = rulec_ir::sorted::SortedSet::from([(self.top(diagram)?, diagram)]);
        while let Some((_, node)) = open.pop_first() {
            for &next in self.node(node).args.get(1..)? {
                match next {
                    TRUE => {}
                    FALSE => return None,
                    _ => {
                        open.insert((self.top(next)?, next));
                    }
                }
            }
            if open.len() == 1 {
                let (_, rest) = open.pop_first()?;
                let first = self.without_rest(diagram, rest, &mut Default::default());
                return Some((first, rest));
            }
        }
        None
    }

    /// A diagram with nothing where it comes to `rest`; what was found of its parts is `known`.
    fn without_rest(
        &mut self,
        diagram: Term,
        rest: Term,
        known: &mut SortedMap<Term, Term>,
    ) -> Term {
        if diagram == rest {
            return FALSE;
        }
        if let Some(known) = known.get(&diagram) {
            return *known;
        }
        self.spend(1);
        let node = self.node(diagram);
        let (Op::Ite, [condition, yes, no]) = (&node.op, &node.args[..]) else {
            return diagram;
        };
        let (condition, yes, no) = (*condition, *yes, *no);
        let yes = self.without_rest(yes, rest, known);
        let no = self.without_rest(no, rest, known);
        let found = self.split(condition, yes, no);
        known.insert(diagram, found);
        found
    }

    pub(super) fn choose(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        match cond {
            TRUE => return yes,
            FALSE => return no,
            _ if yes == no => return yes,
            // A mistake, which is noted where it happens.
            _ if self.as_const(cond).is_some() => return no,
            _ if yes == TRUE && no == FALSE => return cond,
            _ => {}
        }
        if self.failed.is_some() {
            return FALSE;
        }
        if let Some(known) = self.ites.get(&(cond, yes, no)) {
            return *known;
        }
        self.steps += 1;
        if self.steps > self.most_steps {
            self.fail("too many conditions");
            return FALSE;
        }
        let tops = [cond, yes, no].map(|term| self.top(term));
        let Some(top) = tops.into_iter().flatten().min() else {
            self.fail("no condition");
            return FALSE;
        };
        let part =
            |terms: &Self, holds| [cond, yes, no].map(|term| terms.cofactor(term, top, holds));
        let [c, y, n] = part(self, true);
        let held = self.choose(c, y, n);
        let [c, y, n] = part(self, false);
        let failed = self.choose(c, y, n);
        let found = self.split(top, held, failed);
        self.ites.insert((cond, yes, no), found);
        found
    }

    /// A diagram whose top condition comes before all others.
    fn split(&mut self, top: Term, held: Term, failed: Term) -> Term {
        if held == failed {
            return held;
        }
        let ty = match self.node(held).ty.clone() {
            Type::Elem(_) => self.node(failed).ty.clone(),
            ty => ty,
        };
        self.insert(Op::Ite, vec![top, held, failed], ty)
    }

    pub(in super::super) fn and(&mut self, a: Term, b: Term) -> Term {
        self.ite(a, b, FALSE)
    }

    pub(in super::super) fn or(&mut self, a: Term, b: Term) -> Term {
        self.ite(a, TRUE, b)
    }

    pub(in super::super) fn not(&mut self, a: Term) -> Term {
        self.ite(a, FALSE, TRUE)
    }
}
