//! Which objects are the same up to a renaming of unnamed ones.
//!
//! Two unnamed objects of one type are the same if they are in the same container (or in nothing), have the same owner and
//! are marked by the same parameters of the action under way. That is exact as long as no unnamed object is in or
//! contains another object whose place could tell them apart. Where one may ([`Inventory::nested`]), the whole of who is
//! in whom is compared: a [`IdentityTerm::Nest`], of which [`ExprKind::Alike`] asks.
//!
//! [`Inventory::nested`]: super::inventory::Inventory::nested

use super::super::codes;
use super::{Env, Lower};
use crate::diag::Diagnostic;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Fold, FuncId, IdentityTerm, LocalId, Over, Stmt, TableId,
    ToldPart, Type,
};
use crate::source::Span;

impl Lower<'_> {
    /// Refuses to pick several objects that a player owns if they may be in unnamed containers: which sets of them are
    /// the same does not follow from which of them are.
    pub(super) fn refuse_scattered(&mut self, ty: usize, count: u32, span: Span) {
        let inventory = &self.inventory;
        let outer = (0..self.model.types.len())
            .find(|&outer| inventory.may_be_in[ty][outer] && inventory.unnamed[outer].len() > 1);
        let scattered = outer.filter(|_| count > 1 && inventory.unnamed[ty].len() > 1);
        if let Some(outer) = scattered {
            let types = &self.model.types;
            let message = format!(
                "several of the unnamed `{}` are picked here, and they may be in unnamed `{}`",
                types[ty].name, types[outer].name
            );
            let found = Diagnostic::new(&codes::UNNAMED_CONTAINERS, span, message)
                .also(types[outer].span, "these containers have no names")
                .help("give the containers names, or let objects be picked one at a time");
            self.errors.push(found);
        }
    }

    /// Whether a type has objects that may be the same.
    pub(super) fn has_same(&self, ty: usize) -> bool {
        self.inventory.unnamed[ty].len() > 1
    }

    /// Whether any two objects of a type that are in one container are the same while a rule acts: nothing in them, no
    /// name, owner or parameter can tell them apart, so nobody needs to be asked for some of them.
    pub(super) fn always_same(&self, env: &Env<'_>, ty: usize) -> bool {
        let inventory = &self.inventory;
        let holds = inventory.may_be_in.iter().any(|outer| outer[ty]);
        let owned = inventory.reowned[ty]
            || (self.model.objects.iter()).any(|object| object.ty == ty && object.owner.is_some());
        let named = inventory.unnamed[ty].len() < inventory.of_type[ty].len();
        let marked = env.rule.params.iter().any(|param| param.ty == ty);
        !holds && !owned && !named && !marked
    }

    /// Whether two objects are the same, given others that are told apart from all.
    pub(super) fn same(&mut self, one: Expr, other: Expr, fixed: &[Expr]) -> Expr {
        let span = one.span;
        if let Some(identity) = self.nest {
            let mut members = vec![one, other];
            members.extend(fixed.iter().cloned());
            return Expr::new(ExprKind::Alike(identity, members), Type::Bool, span);
        }
        let func = match self.helpers.same {
            Some(func) => func,
            None => {
                let func = self.same_function();
                self.helpers.same = Some(func);
                func
            }
        };
        Expr::call(&self.out.game, func, vec![one, other], span)
    }

    fn same_function(&mut self) -> FuncId {
        let span = self.model.span;
        let object = Type::Elem(self.object());
        let params = [("one", object.clone()), ("other", object)];
        let doc = "Whether two objects are the same up to a renaming of unnamed objects.";
        let unnamed: Vec<u32> = self.inventory.unnamed.iter().flatten().copied().collect();
        self.function(
            "same",
            &params,
            Some(Type::Bool),
            doc,
            span,
            |lower, args| {
                let (one, other) = (args[0].clone(), args[1].clone());
                let set = lower.slot_set(&unnamed, span);
                let both =
                    [&one, &other].map(|o| Expr::binary(BinaryOp::In, o.clone(), set.clone()));
                let [first, second] = both;
                let mut test = first.and(second);
                let pair = [
                    [
                        lower.type_number(one.clone()),
                        lower.type_number(other.clone()),
                    ],
                    [lower.container(one.clone()), lower.container(other.clone())],
                    [lower.owner_of(one.clone()), lower.owner_of(other.clone())],
                ];
                for [a, b] in pair {
                    test = test.and(a.equals(b));
                }
                for var in lower.ids.bound.clone() {
                    let bound = Expr::var(&lower.out.game, var, Vec::new(), span);
                    let marks = [&one, &other].map(|o| bound.clone().equals(o.clone().some()));
                    let [a, b] = marks;
                    test = test.and(a.equals(b));
                }
                vec![Stmt::give(one.equals(other).or(test))]
            },
        )
    }

    /// Whether an object comes first among those of a set that are the same; the excepted ones are told apart.
    pub(super) fn comes_first(&mut self, object: Expr, among: Expr, except: &[Expr]) -> Expr {
        let span = object.span;
        let local = self.local("twin", Type::Elem(self.ids.object));
        let twin = self.get(local, span);
        let mut test = Expr::binary(
            BinaryOp::Lt,
            twin.clone().ordinal(),
            object.clone().ordinal(),
        );
        for other in except {
            test = test.and(twin.clone().equals(other.clone()).not());
        }
        test = test.and(self.same(twin, object, except));
        Expr::fold(Fold::Exists, local, Over::Set(among), test).not()
    }

    /// Whether two objects of a set are not the same.
    pub(super) fn differ(&mut self, set: Expr, span: Span) -> Expr {
        let one = self.local("one", Type::Elem(self.ids.object));
        let other = self.local("other", Type::Elem(self.ids.object));
        let (a, b) = (self.get(one, span), self.get(other, span));
        let differ = self.same(a, b, &[]).not();
        let inner = Expr::fold(Fold::Exists, other, Over::Set(set.clone()), differ);
        Expr::fold(Fold::Exists, one, Over::Set(set), inner)
    }

    /// The term that compares all objects and who is in whom.
    pub(super) fn nest_term(&mut self) -> Option<IdentityTerm> {
        let (span, object) = (self.model.span, self.object());
        let placement = self.ids.at?;
        let member = Expr::local(LocalId(0), Type::Elem(object), span);
        let slots = 0..self.inventory.slots.len() as u32;
        let unnamed: Vec<u32> = self.inventory.unnamed.iter().flatten().copied().collect();
        let names = slots.map(|slot| match unnamed.contains(&slot) {
            true => Const::Int(-1),
            false => Const::Int(i64::from(slot)),
        });
        let (names, most) = (names.collect(), self.inventory.slots.len() as i64);
        let name = self.table("name", Type::Int { lo: -1, hi: most }, names, None);
        let name = Expr::lookup(&self.out.game, name, vec![member.clone()], span);
        let mut values = vec![
            self.type_number(member.clone()),
            name,
            self.owner_of(member.clone()),
        ];
        for &var in &self.ids.bound {
            let bound = Expr::var(&self.out.game, var, Vec::new(), span);
            values.push(bound.equals(member.clone().some()));
        }
        for counts in self.ids.counts.iter().flatten() {
            if let Some(inside) = counts.inside {
                values.push(Expr::var(
                    &self.out.game,
                    inside,
                    vec![member.clone()],
                    span,
                ));
            }
        }
        let when = match self.ids.alive {
            Some(alive) => {
                let alive = Expr::var(&self.out.game, alive, Vec::new(), span);
                Expr::binary(BinaryOp::In, member, alive)
            }
            None => Expr::bool(true, span),
        };
        Some(IdentityTerm::Nest {
            placement,
            when,
            values,
        })
    }

    /// How an object is written: by its name, or by its type, container and the number of its kind among those
    /// that would be written so.
    pub(super) fn written(
        &mut self,
        object: Expr,
        types: &[usize],
        fixed: &[Expr],
    ) -> Vec<ToldPart> {
        let span = object.span;
        let names = self.written_table();
        let name = Expr::lookup(&self.out.game, names, vec![object.clone()], span);
        let mut parts = vec![ToldPart::Value(name)];
        if types
            .iter()
            .all(|&ty| self.inventory.unnamed[ty].is_empty())
        {
            return parts;
        }
        let unnamed: Vec<u32> = self.inventory.unnamed.iter().flatten().copied().collect();
        let is_unnamed = self.slot_set(&unnamed, span);
        let is_unnamed = Expr::binary(BinaryOp::In, object.clone(), is_unnamed);
        let container = self.container(object.clone());
        let inside = container.clone().is_some();
        let place = Expr::lookup(&self.out.game, names, vec![container.get()], span);
        let place = vec![ToldPart::Text("@".to_owned()), ToldPart::Value(place)];
        parts.push(ToldPart::When(is_unnamed.and(inside), place));
        if types.iter().any(|&ty| self.has_same(ty)) {
            let func = self.kind_number(fixed.len());
            let mut args = vec![object];
            args.extend(fixed.iter().cloned());
            let number = Expr::call(&self.out.game, func, args, span);
            let some = Expr::binary(BinaryOp::Gt, number.clone(), Expr::int(0, span));
            let number = vec![ToldPart::Text("#".to_owned()), ToldPart::Value(number)];
            parts.push(ToldPart::When(some, number));
        }
        parts
    }

    /// The names of named objects, and the types of all others.
    fn written_table(&mut self) -> TableId {
        if let Some(table) = self.helpers.written {
            return table;
        }
        let span = self.model.span;
        let mut names: Vec<String> = Vec::new();
        let mut members = Vec::new();
        for slot in &self.inventory.slots {
            let named = slot
                .object
                .and_then(|o| self.model.objects[o].name.as_ref());
            let name = named.unwrap_or(&self.model.types[slot.ty].name);
            let known = names.iter().position(|known| known == name);
            let member = known.unwrap_or(names.len());
            if known.is_none() {
                names.push(name.clone());
            }
            members.push(Const::Elem(member as u32));
        }
        let domain = self.out.names("Written", names, span);
        let table = self.table("written", Type::Elem(domain), members, None);
        self.helpers.written = Some(table);
        table
    }

    /// The function that numbers the kinds of unnamed objects which are written alike: from 1, or 0 for the only one.
    fn kind_number(&mut self, fixed: usize) -> FuncId {
        while self.helpers.kind_number.len() <= fixed {
            self.helpers.kind_number.push(None);
        }
        if let Some(func) = self.helpers.kind_number[fixed] {
            return func;
        }
        let span = self.model.span;
        let object = Type::Elem(self.object());
        let names: Vec<String> = (1..=fixed)
            .map(|number| format!("fixed {number}"))
            .collect();
        let mut params = vec![("object", object.clone())];
        params.extend(names.iter().map(|name| (name.as_str(), object.clone())));
        let doc = "The number of an object's kind among those that are written alike; 0 for the only one.";
        let unnamed: Vec<u32> = self.inventory.unnamed.iter().flatten().copied().collect();
        let written = self.written_table();
        let func = self.function(
            "kind number",
            &params,
            Some(Type::INT),
            doc,
            span,
            |lower, args| {
                let (one, fixed) = (args[0].clone(), &args[1..]);
                let mut out = crate::ir::Block::new();
                let all = lower.slot_set(&unnamed, span);
                let none = Stmt::give(Expr::int(0, span));
                let is_unnamed = Expr::binary(BinaryOp::In, one.clone(), all.clone());
                out.push(Stmt::branch(
                    is_unnamed.not(),
                    vec![none.clone()],
                    Vec::new(),
                ));
                let among = lower.members(all, span, |lower, other| {
                    lower.is_written_alike(other, &one, fixed, written)
                });
                let among = lower.keep("among", among, &mut out);
                let firsts = lower.members(among.clone(), span, |lower, other| {
                    lower.comes_first(other, among.clone(), fixed)
                });
                let firsts = lower.keep("firsts", firsts, &mut out);
                let many = Expr::new(ExprKind::Size(Box::new(firsts.clone())), Type::INT, span);
                let many = Expr::binary(BinaryOp::Gt, many, Expr::int(1, span));
                out.push(Stmt::branch(many.not(), vec![none], Vec::new()));
                let own = lower.members(firsts.clone(), span, |lower, other| {
                    lower.same(other, one.clone(), fixed)
                });
                let own = lower.least(own, span);
                let own = lower.keep("own", own, &mut out);
                let before = lower.members(firsts, span, |_, other| {
                    Expr::binary(BinaryOp::Le, other.ordinal(), own.clone())
                });
                out.push(Stmt::give(lower.size_of(before)));
                out
            },
        );
        self.helpers.kind_number[fixed] = Some(func);
        func
    }

    /// Whether an unnamed object exists, is not fixed, and has the type and the written container of another.
    fn is_written_alike(
        &mut self,
        other: Expr,
        one: &Expr,
        fixed: &[Expr],
        names: TableId,
    ) -> Expr {
        let span = other.span;
        let mut test = match self.ids.alive {
            Some(alive) => {
                let alive = Expr::var(&self.out.game, alive, Vec::new(), span);
                Expr::binary(BinaryOp::In, other.clone(), alive)
            }
            None => Expr::bool(true, span),
        };
        for fixed in fixed {
            test = test.and(other.clone().equals(fixed.clone()).not());
        }
        let [a, b] = [&other, one].map(|o| self.type_number(o.clone()));
        test = test.and(a.equals(b));
        let [a, b] = [&other, one].map(|o| {
            let container = self.container(o.clone());
            let name = Expr::lookup(&self.out.game, names, vec![container.clone().get()], span);
            let Type::Elem(domain) = name.ty else {
                return container;
            };
            Expr::select(container.is_some(), name.some(), Expr::none(domain, span))
        });
        test.and(a.equals(b))
    }
}
