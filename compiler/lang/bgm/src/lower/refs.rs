//! References: from objects to containers, contents and types.

use super::super::model::{Base, Ref, Step};
use super::inventory::Inventory;
use super::state::{containers, owners};
use super::{Env, Lower};
use crate::ir::{
    Axis, BinaryOp, Block, Const, Expr, ExprKind, Fold, Over, Stmt, StmtKind, Table, TableId, Type,
};
use crate::source::Span;

/// What a reference leads to.
#[derive(Clone)]
pub(super) enum Objects {
    /// One object for certain.
    One(Expr),
    /// One object, or none: then the reference fails.
    Perhaps(Expr),
    /// Any number of objects, and whether the reference holds, if that is in doubt.
    Many(Expr, Option<Expr>),
}

impl Lower<'_> {
    /// The objects of a reference.
    pub(super) fn objects(&mut self, env: &Env<'_>, reference: &Ref) -> Objects {
        let span = reference.span;
        let base_type = Inventory::base_type(self.model, env.rule, reference);
        let base = match reference.base {
            Base::Param(param) => env.params[param].clone().at(span),
            Base::Object(object) => {
                let slot = self.inventory.slot_of[object].unwrap_or_default();
                Expr::elem(self.object(), slot, span)
            }
        };
        let path = self.inventory.path(self.model, env.rule, reference);
        let exists = self.ids.alive.filter(|_| self.inventory.deleted[base_type]);
        let exists = exists.map(|alive| {
            let alive = Expr::var(&self.out.game, alive, Vec::new(), span);
            Expr::binary(BinaryOp::In, base.clone(), alive)
        });
        let mut here = match &exists {
            Some(exists) => {
                let none = Expr::none(self.object(), span);
                Objects::Perhaps(Expr::select(exists.clone(), base.some(), none))
            }
            None => Objects::One(base),
        };
        for (step, types) in reference.steps.iter().zip(&path) {
            let moves = (0..types.len()).any(|ty| types[ty] && self.inventory.moved[ty]);
            here = match step {
                Step::In => self.step_in(here, moves),
                Step::Contains => self.step_contains(here, exists.clone()),
            };
        }
        here
    }

    fn step_in(&mut self, here: Objects, moves: bool) -> Objects {
        match here {
            Objects::One(object) if moves => Objects::Perhaps(self.container(object)),
            Objects::One(object) | Objects::Perhaps(object) if !moves => {
                let (table, span) = (self.first_container(), object.span);
                Objects::Perhaps(Expr::lookup(&self.out.game, table, vec![object], span))
            }
            Objects::One(object) => Objects::Perhaps(self.container(object)),
            Objects::Perhaps(object) => Objects::Perhaps(self.container_of_optional(object)),
            Objects::Many(set, holds) => {
                let (span, object) = (set.span, self.object());
                let outer = self.local("outer", Type::Elem(object));
                let inner = self.local("inner", Type::Elem(object));
                let container = self.container(self.get(inner, span));
                let same = container.equals(self.get(outer, span).some());
                let any = Expr::fold(Fold::Exists, inner, Over::Set(set), same);
                let kind = ExprKind::Collect {
                    local: outer,
                    over: Box::new(Over::Domain(object)),
                    when: Box::new(any),
                };
                Objects::Many(Expr::new(kind, Type::Set(object), span), holds)
            }
        }
    }

    /// The contents of objects: perhaps none, which fails only if the first object of the reference does not exist.
    fn step_contains(&mut self, here: Objects, exists: Option<Expr>) -> Objects {
        match here {
            Objects::One(object) => Objects::Many(self.contents(object), exists),
            Objects::Perhaps(object) => {
                let span = object.span;
                let inside = self.contents(object.clone().get());
                let none = self.no_objects(span);
                Objects::Many(Expr::select(object.is_some(), inside, none), exists)
            }
            Objects::Many(set, holds) => Objects::Many(set, holds),
        }
    }

    /// The container of an object.
    pub(super) fn container(&mut self, object: Expr) -> Expr {
        match self.ids.at {
            Some(at) => Expr::place_of(&self.out.game, at, object),
            None => {
                let (table, span) = (self.first_container(), object.span);
                Expr::lookup(&self.out.game, table, vec![object], span)
            }
        }
    }

    /// The container of an object that may be absent.
    fn container_of_optional(&mut self, object: Expr) -> Expr {
        let Some(at) = self.ids.at else {
            let (table, span) = (self.first_container(), object.span);
            return Expr::lookup(&self.out.game, table, vec![object], span);
        };
        let (ty, span) = (Type::Opt(self.object()), object.span);
        let func = match self.helpers.container {
            Some(func) => func,
            None => {
                let params = [("object", ty.clone())];
                let doc = "The container of an object, absent if there is none or no object.";
                let whole = self.model.span;
                let func =
                    self.function("container", &params, Some(ty), doc, whole, |lower, args| {
                        let object = args[0].clone();
                        let place = Expr::place_of(&lower.out.game, at, object.clone().get());
                        let none = Expr::none(lower.object(), whole);
                        vec![Stmt::give(Expr::select(object.is_some(), place, none))]
                    });
                self.helpers.container = Some(func);
                func
            }
        };
        Expr::call(&self.out.game, func, vec![object], span)
    }

    /// What is directly in an object.
    pub(super) fn contents(&mut self, object: Expr) -> Expr {
        let (ty, span) = (Type::Set(self.object()), object.span);
        match self.ids.at {
            Some(at) => Expr::new(ExprKind::Contents(at, Box::new(object)), ty, span),
            None => {
                let table = match self.helpers.first_contents {
                    Some(table) => table,
                    None => {
                        let places = containers(self.model, &self.inventory);
                        let inside = |outer: u32| {
                            let inner = (0..places.len() as u32)
                                .filter(|&i| places[i as usize] == Some(outer));
                            Const::Set(inner.collect())
                        };
                        let values = (0..places.len() as u32).map(inside).collect();
                        let table = self.table("contents", ty, values, None);
                        self.helpers.first_contents = Some(table);
                        table
                    }
                };
                Expr::lookup(&self.out.game, table, vec![object], span)
            }
        }
    }

    /// All that an object of one of these types is in, at any depth.
    pub(super) fn above(&mut self, object: Expr, types: &[usize]) -> Expr {
        let (set, span) = (Type::Set(self.object()), object.span);
        if types.iter().all(|&ty| self.inventory.fixed[ty]) {
            let table = match self.helpers.first_above {
                Some(table) => table,
                None => {
                    let chains = self.first_chains().into_iter();
                    let values = chains.map(|c| Const::Set(c.into_iter().collect()));
                    let table = self.table("all around", set, values.collect(), None);
                    self.helpers.first_above = Some(table);
                    table
                }
            };
            return Expr::lookup(&self.out.game, table, vec![object], span);
        }
        if self.inventory.fixed_around(types) {
            let table = self.within_table(set);
            let container = self.container(object);
            let around = vec![container.clone().get()];
            let around = Expr::lookup(&self.out.game, table, around, span);
            return Expr::select(container.is_some(), around, self.no_objects(span));
        }
        let func = match self.helpers.above {
            Some(func) => func,
            None => {
                let func = self.above_function(set);
                self.helpers.above = Some(func);
                func
            }
        };
        Expr::call(&self.out.game, func, vec![object], span)
    }

    /// The table of each object with all that it is in at the start.
    fn within_table(&mut self, set: Type) -> TableId {
        if let Some(table) = self.helpers.first_within {
            return table;
        }
        let chains = self.first_chains().into_iter().enumerate();
        let values = chains.map(|(slot, mut chain)| {
            chain.insert(slot as u32);
            Const::Set(chain.into_iter().collect())
        });
        let table = self.table("it and all around", set, values.collect(), None);
        self.helpers.first_within = Some(table);
        table
    }

    /// All objects that are in an object at any depth at the start.
    pub(super) fn below(&mut self, container: Expr) -> Expr {
        let (set, span) = (Type::Set(self.object()), container.span);
        let table = match self.helpers.first_below {
            Some(table) => table,
            None => {
                let chains = self.first_chains();
                let inside = |outer: u32| {
                    let inner = 0..chains.len() as u32;
                    let inner = inner.filter(|&slot| chains[slot as usize].contains(&outer));
                    Const::Set(inner.collect())
                };
                let values = (0..chains.len() as u32).map(inside).collect();
                let table = self.table("all inside", set, values, None);
                self.helpers.first_below = Some(table);
                table
            }
        };
        Expr::lookup(&self.out.game, table, vec![container], span)
    }

    /// All that each object is in at the start, at any depth.
    fn first_chains(&self) -> Vec<rulec_ir::sorted::SortedSet<u32>> {
        let places = containers(self.model, &self.inventory);
        let chain = |slot: usize| {
            let mut seen = rulec_ir::sorted::SortedSet::new();
            let mut here = places[slot];
            while let Some(place) = here
                && seen.insert(place)
            {
                here = places[place as usize];
            }
            seen
        };
        (0..places.len()).map(chain).collect()
    }

    fn above_function(&mut self, set: Type) -> crate::ir::FuncId {
        let span = self.model.span;
        let object = self.object();
        let params = [("object", Type::Elem(object))];
        let doc = "All that an object is in, at any depth; on a loop also itself.";
        self.function(
            "around",
            &params,
            Some(set.clone()),
            doc,
            span,
            |lower, args| {
                let seen = lower.local("seen", set);
                let here = lower.local("here", Type::Opt(object));
                let (seen_value, here_value) = (lower.get(seen, span), lower.get(here, span));
                let fresh =
                    Expr::binary(BinaryOp::In, here_value.clone().get(), seen_value.clone()).not();
                let one = ExprKind::SetOf(vec![here_value.clone().get()]);
                let one = Expr::new(one, Type::Set(object), span);
                let more = Expr::binary(BinaryOp::Union, seen_value.clone(), one);
                let up = lower.container(here_value.clone().get());
                let first = lower.container(args[0].clone());
                vec![
                    Stmt::assign(seen, lower.no_objects(span)),
                    Stmt::assign(here, first),
                    Stmt::new(
                        StmtKind::While {
                            cond: here_value.is_some().and(fresh),
                            bound: lower.inventory.slots.len() as u32 + 1,
                            body: vec![Stmt::assign(seen, more), Stmt::assign(here, up)],
                        },
                        span,
                    ),
                    Stmt::give(seen_value),
                ]
            },
        )
    }

    /// The owner of an object.
    pub(super) fn owner_of(&mut self, object: Expr) -> Expr {
        let span = object.span;
        match self.ids.owner {
            Some(owner) => Expr::var(&self.out.game, owner, vec![object], span),
            None => {
                let table = match self.helpers.first_owner {
                    Some(table) => table,
                    None => {
                        let values = owners(self.model, &self.inventory);
                        let ty = Type::Opt(self.players());
                        let table = self.table("owner", ty, values, None);
                        self.helpers.first_owner = Some(table);
                        table
                    }
                };
                Expr::lookup(&self.out.game, table, vec![object], span)
            }
        }
    }

    /// The container of an object that never moves.
    pub(super) fn first_container(&mut self) -> TableId {
        if let Some(table) = self.helpers.first_container {
            return table;
        }
        // Objects that may change containers are not looked up there: where they begin must not tell them apart.
        let inventory = &self.inventory;
        let slots = inventory.slots.iter();
        let stays = slots.map(|slot| !inventory.moved[slot.ty]);
        let places = containers(self.model, inventory).into_iter().zip(stays);
        let values = places.map(|(place, stays)| {
            let place = place.filter(|_| stays);
            place.map_or(Const::None, Const::Elem)
        });
        let values: Vec<Const> = values.collect();
        let ty = Type::Opt(self.object());
        let table = self.table("container", ty, values, Some(Const::None));
        self.helpers.first_container = Some(table);
        table
    }

    /// The number of the type of an object; -1 for an absent one.
    pub(super) fn type_number(&mut self, object: Expr) -> Expr {
        let span = object.span;
        let table = match self.helpers.type_of {
            Some(table) => table,
            None => {
                let types = self.inventory.slots.iter();
                let values = types.map(|slot| Const::Int(slot.ty as i64)).collect();
                let ty = Type::Int {
                    lo: -1,
                    hi: self.model.types.len() as i64,
                };
                let table = self.table("type", ty, values, Some(Const::Int(-1)));
                self.helpers.type_of = Some(table);
                table
            }
        };
        Expr::lookup(&self.out.game, table, vec![object], span)
    }

    /// Whether an object, which may be absent, is of a type.
    pub(super) fn is_of_type(&mut self, object: Expr, ty: usize) -> Expr {
        let span = object.span;
        let table = match self.helpers.is_type[ty] {
            Some(table) => table,
            None => {
                let types = self.inventory.slots.iter();
                let values = types.map(|slot| Const::Bool(slot.ty == ty)).collect();
                let name = format!("is {}", self.model.types[ty].name);
                let table = self.table(&name, Type::Bool, values, Some(Const::Bool(false)));
                self.helpers.is_type[ty] = Some(table);
                table
            }
        };
        Expr::lookup(&self.out.game, table, vec![object], span)
    }

    /// A table over the objects.
    pub(super) fn table(
        &mut self,
        name: &str,
        ty: Type,
        mut values: Vec<Const>,
        outside: Option<Const>,
    ) -> TableId {
        let object = self.object();
        // Where there is no object at all, players stand for objects, and none of them is ever looked up.
        let all = self.out.game.domain(object).len();
        values.resize(all, outside.clone().unwrap_or(Const::None));
        self.out.table(Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(object)],
            ty,
            values,
            outside,
            span: self.model.span,
        })
    }

    /// The objects of a type that are in a set.
    pub(super) fn of_type(&self, set: Expr, ty: usize) -> Expr {
        let span = set.span;
        let members = self.slot_set(&self.inventory.of_type[ty], span);
        Expr::binary(BinaryOp::Intersect, set, members)
    }

    /// The objects of a type that exist, for loops and quantifiers.
    pub(super) fn existing(&self, ty: usize, span: Span) -> Expr {
        let members = self.slot_set(&self.inventory.of_type[ty], span);
        match self.ids.alive {
            Some(alive) if self.inventory.comes_and_goes(ty) => {
                let alive = Expr::var(&self.out.game, alive, Vec::new(), span);
                Expr::binary(BinaryOp::Intersect, alive, members)
            }
            _ => members,
        }
    }

    /// A set that is used more than once, as a local variable.
    pub(super) fn kept_set(&mut self, objects: Objects, out: &mut Block) -> Expr {
        let set = match objects {
            Objects::Many(set, _) => set,
            Objects::One(object) => {
                let (ty, span) = (Type::Set(self.object()), object.span);
                Expr::new(ExprKind::SetOf(vec![object]), ty, span)
            }
            Objects::Perhaps(object) => {
                let (ty, span) = (Type::Set(self.object()), object.span);
                let one = Expr::new(ExprKind::SetOf(vec![object.clone().get()]), ty, span);
                let none = self.no_objects(span);
                Expr::select(object.is_some(), one, none)
            }
        };
        self.keep("objects", set, out)
    }
}
