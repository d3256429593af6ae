//! What a renaming has to keep so that the rules mean the same after it.
//!
//! An expression whose constants, tables and lists of candidates are the same after a renaming has, in the renamed position, the
//! renamed value of what it has in the position; by induction so have functions, and what play does. What depends on the order
//! of members keeps that only if these members stay where they are.

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::{FixedState, FoldHasher};

use crate::ir::effects::{Effects, constants};
use crate::ir::value::evaluate;
use crate::ir::visit::walk_block;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Fold, FuncId, Game, IdentityId, IdentityTerm,
    LocalId, Over, ParamSource, PlacementForm, PlacementId, StmtKind, TableId, Type, VarId,
};
use crate::opt::listed::{Listed, Scope, asked_by_identities};
use crate::opt::playing::playing;

use super::Renaming;
use super::may::{Members, domain_of};
use super::reach::Reach;
use super::settle::locals_of;

/// Values that are computed of one program.
const MOST_CELLS: usize = 1 << 18;
/// Calls inside of calls that are followed for that.
const DEPTH: usize = 8;
/// Stands where no value comes: no expression has it.
const NOTHING: Const = Const::Seq(Vec::new());

/// The rules of a game, as far as a renaming can change them.
pub(super) struct Rules {
    game: Game,
    /// What has to stay the same, and a place where the rules say it.
    facts: SortedMap<Fact, String>,
}

/// Something that has to stay the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    /// A constant.
    Constant(Type, Const),
    /// A table, for the members that can come as its arguments.
    Table(TableId, Vec<Members>),
    /// A value that follows from members alone, for the members that can come.
    Computed(Vec<Axis>, Vec<Members>, Type, Vec<Const>),
    /// The place of members in the order of their domain.
    Order(DomainId, Members),
    /// A variable that nothing writes.
    Var(VarId),
    /// A placement that nothing writes.
    Placement(PlacementId),
}

impl Rules {
    pub(super) fn of(game: Game) -> Rules {
        let effects = Effects::of(&game);
        let mut live = playing(&game, &effects);
        // What equalities ask, they ask about all members.
        let asked = asked_by_identities(&game, &effects);
        live.extend(&asked);
        let mut finder = Finder {
            reach: Reach::of(&game, &live, &asked),
            listed: Listed::of(&game, &live, &asked),
            constant_vars: constants(&game).vars,
            constant_placements: constants(&game).placements,
            game: &game,
            effects: &effects,
            facts: SortedMap::new(),
            cells: MOST_CELLS,
            identities: SortedSet::new(),
        };
        live.iter().for_each(|&func| finder.function(func));
        (0..game.families.len()).for_each(|family| finder.family(family));
        let facts = finder.facts;
        Rules { game, facts }
    }

    /// The game as it is spelled.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The tables that name places for pieces: private places of each, as the rules tell.
    pub(super) fn tables_between(&self, pieces: DomainId, places: DomainId) -> Vec<Vec<Vec<u32>>> {
        let fits = |fact: &Fact| {
            let Fact::Table(id, _) = fact else {
                return None;
            };
            let table = self.game.table(*id);
            let between =
                table.axes == [Axis::Domain(pieces)] && domain_of(&table.ty) == Some(places);
            between.then(|| table.values.iter().map(named).collect())
        };
        let listed = self.game.families.iter().flat_map(|f| &f.params);
        let listed = listed.filter_map(|param| match &param.source {
            ParamSource::Listed { table, .. } => fits(&Fact::Table(*table, Vec::new())),
            _ => None,
        });
        self.facts.keys().filter_map(fits).chain(listed).collect()
    }

    /// Whether the rules are the same after a renaming.
    ///
    /// # Errors
    /// The place in the rules that is not.
    pub(super) fn keeps(&self, renaming: &Renaming) -> Result<(), &str> {
        let broken = self
            .facts
            .iter()
            .find(|(fact, _)| !self.keeps_fact(fact, renaming));
        match broken {
            Some((_, place)) => Err(place),
            None => Ok(()),
        }
    }

    fn keeps_fact(&self, fact: &Fact, renaming: &Renaming) -> bool {
        match fact {
            Fact::Constant(ty, value) => renaming.keeps(ty, value),
            Fact::Order(domain, members) => match members {
                None => !renaming.moves(*domain),
                Some(members) => members.iter().all(|&m| renaming.member(*domain, m) == m),
            },
            Fact::Placement(id) => self.keeps_placement(*id, renaming),
            Fact::Table(..) | Fact::Computed(..) | Fact::Var(_) => {
                let function = self.function_of(fact);
                function.is_some_and(|function| function.keeps(&self.game, renaming))
            }
        }
    }

    fn keeps_placement(&self, id: PlacementId, renaming: &Renaming) -> bool {
        let placement = self.game.placement(id);
        let (keys, values) = match placement.form {
            PlacementForm::Anonymous => (placement.places, placement.pieces),
            PlacementForm::One | PlacementForm::Many => (placement.pieces, placement.places),
        };
        let (keys, values) = (renaming.images(keys), renaming.images(values));
        let image = |images: &[u32], member: u32| {
            let image = images.get(member as usize);
            image.copied().unwrap_or(member)
        };
        (0..).zip(&placement.init).all(|(key, value)| {
            let renamed = placement.init[image(keys, key) as usize];
            value.map(|value| image(values, value)) == renamed
        })
    }

    /// A fact that gives a value for each of some arguments.
    fn function_of<'a>(&'a self, fact: &'a Fact) -> Option<Constants<'a>> {
        match fact {
            Fact::Table(id, reach) => {
                let table = self.game.table(*id);
                Some(Constants {
                    axes: &table.axes,
                    reach,
                    ty: &table.ty,
                    values: &table.values,
                    outside: table.outside.as_ref(),
                })
            }
            Fact::Computed(axes, reach, ty, values) => Some(Constants {
                axes,
                reach,
                ty,
                values,
                outside: None,
            }),
            Fact::Var(id) => {
                let var = self.game.var(*id);
                Some(Constants {
                    axes: &var.axes,
                    reach: &[],
                    ty: &var.ty,
                    values: &var.init,
                    outside: None,
                })
            }
            _ => None,
        }
    }

    /// A number for each member of a domain: members with different ones are told apart by the rules, whatever becomes of the
    /// members of the domains that `moved` names.
    pub(super) fn signs(&self, domain: DomainId, moved: &SortedSet<DomainId>) -> Vec<u64> {
        let seed = FixedState::default();
        let mut signs = vec![seed.build_hasher(); self.game.domain(domain).len()];
        for fact in self.facts.keys() {
            match fact {
                Fact::Constant(ty, value) if domain_of(ty) == Some(domain) => {
                    let members = named(value);
                    for (member, sign) in (0..).zip(&mut signs) {
                        members.contains(&member).hash(sign);
                    }
                }
                Fact::Order(of, members) if *of == domain => {
                    for (member, sign) in (0_u32..).zip(&mut signs) {
                        let fixed = members.as_ref().is_none_or(|all| all.contains(&member));
                        fixed.then_some(member).hash(sign);
                    }
                }
                _ => {
                    if let Some(function) = self.function_of(fact) {
                        function.sign(&self.game, domain, moved, &mut signs);
                    }
                }
            }
        }
        signs.iter().map(Hasher::finish).collect()
    }
}

/// The members that a constant is or contains.
fn named(value: &Const) -> Vec<u32> {
    match value {
        Const::Elem(member) => vec![*member],
        Const::Set(members) => members.clone(),
        Const::Seq(items) => items.iter().flat_map(named).collect(),
        _ => Vec::new(),
    }
}

/// Constants by arguments.
struct Constants<'a> {
    axes: &'a [Axis],
    /// The arguments that can come, by axis; all where nothing is said.
    reach: &'a [Members],
    ty: &'a Type,
    values: &'a [Const],
    outside: Option<&'a Const>,
}

impl Constants<'_> {
    fn reached(&self, axis: usize, at: usize) -> bool {
        let members = self.reach.get(axis).and_then(Option::as_ref);
        members.is_none_or(|members| members.contains(&(at as u32)))
    }

    fn lens(&self, game: &Game) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.len(game)).collect()
    }

    fn keeps(&self, game: &Game, renaming: &Renaming) -> bool {
        let moves = |axis: &Axis| matches!(axis, Axis::Domain(d) if renaming.moves(*d));
        let values =
            domain_of(self.ty).is_some_and(|d| renaming.moves(d)) || *self.ty == Type::Tagged;
        if !values && !self.axes.iter().any(moves) {
            return true;
        }
        if self
            .outside
            .is_some_and(|value| !renaming.keeps(self.ty, value))
        {
            return false;
        }
        let lens = self.lens(game);
        let images = self.axes.iter().map(|axis| match axis {
            Axis::Domain(domain) => renaming.images(*domain),
            Axis::Range { .. } => &[],
        });
        let images: Vec<&[u32]> = images.collect();
        let keeps_cell = |cell: usize| self.keeps_cell(cell, &lens, &images, renaming);
        // Only cells that have a member with a new name, or are at one, can have another value then.
        let named = domain_of(self.ty).map_or(&[][..], |domain| renaming.images(domain));
        let may_change = |value: &Const| match value {
            Const::Elem(member) => named.get(*member as usize).is_some_and(|new| new != member),
            Const::Bool(_) | Const::Int(_) | Const::None => false,
            Const::Set(_) | Const::Seq(_) | Const::Tagged(..) => true,
        };
        let mut cells = (0..).zip(self.values);
        if values && !cells.all(|(cell, value)| !may_change(value) || keeps_cell(cell)) {
            return false;
        }
        self.axes.iter().enumerate().all(|(place, axis)| {
            let Axis::Domain(domain) = axis else {
                return true;
            };
            let inner: usize = lens[place + 1..].iter().product();
            let outer: usize = lens[..place].iter().product();
            renaming.moved(*domain).all(|member| {
                (0..outer).all(|before| {
                    let first = (before * lens[place] + member as usize) * inner;
                    (first..first + inner).all(keeps_cell)
                })
            })
        })
    }

    /// The same of one cell; `images` are the new numbers of members of each axis, nothing where they stay.
    fn keeps_cell(
        &self,
        mut cell: usize,
        lens: &[usize],
        images: &[&[u32]],
        renaming: &Renaming,
    ) -> bool {
        let value = &self.values[cell];
        let (mut target, mut stride) = (0, 1);
        for (place, len) in lens.iter().enumerate().rev() {
            let at = cell % len;
            cell /= len;
            if !self.reached(place, at) {
                return true;
            }
            let renamed = images[place].get(at).map_or(at, |&image| image as usize);
            target += renamed * stride;
            stride *= len;
        }
        match (value, &self.values[target]) {
            (Const::Elem(member), Const::Elem(image)) => match domain_of(self.ty) {
                Some(domain) => renaming.member(domain, *member) == *image,
                None => member == image,
            },
            (value, image) => renaming.constant(self.ty, value) == *image,
        }
    }

    /// Adds to the signs of the members of a domain what these values say of each.
    fn sign(
        &self,
        game: &Game,
        domain: DomainId,
        moved: &SortedSet<DomainId>,
        signs: &mut [FoldHasher<'_>],
    ) {
        let masked = domain_of(self.ty).is_some_and(|d| moved.contains(&d));
        let lens = self.lens(game);
        let mut index = vec![0; lens.len()];
        for (axis, _) in self
            .axes
            .iter()
            .enumerate()
            .filter(|(_, axis)| **axis == Axis::Domain(domain))
        {
            let mut rows: Vec<Vec<u64>> = vec![Vec::new(); signs.len()];
            for (cell, value) in self.values.iter().enumerate() {
                unflatten(cell, &lens, &mut index);
                if !index
                    .iter()
                    .enumerate()
                    .all(|(axis, &at)| self.reached(axis, at))
                {
                    continue;
                }
                let mut hasher = FixedState::default().build_hasher();
                match masked {
                    true => named(value).len().hash(&mut hasher),
                    false => value.hash(&mut hasher),
                }
                for (other, &at) in index.iter().enumerate() {
                    let stays = match self.axes[other] {
                        Axis::Domain(d) => !moved.contains(&d),
                        Axis::Range { .. } => true,
                    };
                    if other != axis && stays {
                        at.hash(&mut hasher);
                    }
                }
                rows[index[axis]].push(hasher.finish());
            }
            for (row, sign) in rows.iter_mut().zip(&mut *signs) {
                row.sort_unstable();
                row.hash(sign);
            }
        }
        if domain_of(self.ty) == Some(domain) {
            let stays = |axis: &Axis| !matches!(axis, Axis::Domain(d) if moved.contains(d));
            let fixed = self.axes.iter().all(stays);
            for (cell, value) in self.values.iter().enumerate() {
                unflatten(cell, &lens, &mut index);
                if !index
                    .iter()
                    .enumerate()
                    .all(|(axis, &at)| self.reached(axis, at))
                {
                    continue;
                }
                for member in named(value) {
                    if let (true, Some(sign)) = (fixed, signs.get_mut(member as usize)) {
                        cell.hash(sign);
                    }
                }
            }
        }
    }
}

fn unflatten(mut cell: usize, lens: &[usize], index: &mut [usize]) {
    for (at, len) in index.iter_mut().zip(lens).rev() {
        *at = cell % len;
        cell /= len;
    }
}

/// Collects facts.
struct Finder<'g> {
    game: &'g Game,
    effects: &'g Effects,
    reach: Reach<'g>,
    listed: Listed<'g>,
    constant_vars: SortedSet<VarId>,
    constant_placements: SortedSet<PlacementId>,
    facts: SortedMap<Fact, String>,
    /// Values that may still be computed.
    cells: usize,
    /// Identities whose terms were looked at.
    identities: SortedSet<IdentityId>,
}

impl<'g> Finder<'g> {
    fn add(&mut self, fact: Fact, place: impl FnOnce() -> String) {
        self.facts.entry(fact).or_insert_with(place);
    }

    fn order(&mut self, domain: DomainId, members: Members, expr: &Expr) {
        let origin = self.game.origin(expr.span);
        self.add(Fact::Order(domain, members), || {
            format!("an order at {origin}")
        });
    }

    fn function(&mut self, func: FuncId) {
        let scope = Scope::Function(func);
        walk_block(&self.game.function(func).body, &mut |stmt| {
            match &stmt.kind {
                StmtKind::Emit(_) => {
                    // Listeners are told texts and members; only what fails is play.
                    let mut fails = false;
                    stmt.children(&mut |expr| fails |= self.may_fault(expr));
                    if !fails {
                        return;
                    }
                }
                StmtKind::ForEach(_, over, _) => self.ranges(scope, over, stmt.span),
                _ => {}
            }
            stmt.children(&mut |expr| self.expr(scope, expr));
        });
    }

    fn family(&mut self, index: usize) {
        let family = &self.game.families[index];
        let scope = Scope::Family(index);
        for param in &family.params {
            match &param.source {
                ParamSource::Among(members) => {
                    if let Some(domain) = domain_of(&param.ty) {
                        let set = Const::Set(members.clone());
                        self.add(Fact::Constant(Type::Set(domain), set), || {
                            format!("the candidates of {}", family.name)
                        });
                    }
                }
                ParamSource::Is(value) => self.expr(scope, value),
                ParamSource::Listed { by, table } => {
                    let by = LocalId::from(family.context.len() + by);
                    let reach = self.reach.local(scope, by);
                    self.table(*table, vec![reach]);
                }
                ParamSource::Subset { of, size } => {
                    self.expr(scope, of);
                    self.expr(scope, size);
                }
                ParamSource::All | ParamSource::Generated(_) => {}
            }
        }
    }

    fn may_fault(&self, expr: &Expr) -> bool {
        self.effects.expr(self.game, expr).may_fault
    }

    fn table(&mut self, table: TableId, reach: Vec<Members>) {
        let name = &self.game.table(table).name;
        self.add(Fact::Table(table, reach), || format!("the table `{name}`"));
    }

    /// Members that are visited in the order of their numbers.
    fn ranges(&mut self, scope: Scope, over: &'g Over, span: crate::source::Span) {
        let domain = match over {
            Over::Domain(domain) => Some(*domain),
            Over::Set(set) => domain_of(&set.ty),
            Over::Seq(_) | Over::Range(..) => None,
        };
        if let Some(domain) = domain {
            let members = self.reach.ranged(scope, over);
            let origin = self.game.origin(span);
            self.add(Fact::Order(domain, members), || {
                format!("an order at {origin}")
            });
        }
    }

    fn expr(&mut self, scope: Scope, expr: &'g Expr) {
        if let Some(fact) = self.computed(scope, expr) {
            let origin = self.game.origin(expr.span);
            self.add(fact, || format!("a property at {origin}"));
            return;
        }
        self.node(scope, expr);
        expr.children(&mut |child| self.expr(scope, child));
    }

    /// The values of an expression that follows from one or two members and nothing else.
    fn computed(&mut self, scope: Scope, expr: &Expr) -> Option<Fact> {
        let only_looks_up = |expr: &Expr| match &expr.kind {
            ExprKind::Lookup(_, args) => args
                .iter()
                .all(|arg| matches!(arg.kind, ExprKind::Local(_))),
            kind => matches!(kind, ExprKind::Local(_) | ExprKind::Const(_)),
        };
        if only_looks_up(expr) {
            return None;
        }
        let locals: Vec<LocalId> = locals_of(expr).into_iter().collect();
        let domains: Option<Vec<DomainId>> = locals
            .iter()
            .map(|&local| self.domain_of_local(scope, local))
            .collect();
        let effect = self.effects.expr(self.game, expr);
        if !(1..=2).contains(&locals.len()) || !effect.reads.is_empty() || effect.works {
            return None;
        }
        let axes: Vec<Axis> = domains?.into_iter().map(Axis::Domain).collect();
        let lens: Vec<usize> = axes.iter().map(|axis| axis.len(self.game)).collect();
        let cells: usize = lens.iter().product();
        self.cells = self.cells.checked_sub(cells)?;
        let reach: Vec<Members> = locals
            .iter()
            .map(|&local| self.reach.local(scope, local))
            .collect();
        let reached = |axis: usize, at: usize| {
            let members = reach[axis].as_ref();
            members.is_none_or(|members| members.contains(&(at as u32)))
        };
        let together = self.together(scope, &locals);
        let mut index = vec![0; lens.len()];
        let mut known = vec![None; locals.last()?.index() + 1];
        let mut values = Vec::with_capacity(cells);
        for cell in 0..cells {
            unflatten(cell, &lens, &mut index);
            let together = together.as_ref().is_none_or(|together| together(&index));
            if !together || !(0..).zip(&index).all(|(axis, &at)| reached(axis, at)) {
                values.push(NOTHING);
                continue;
            }
            for (local, &at) in locals.iter().zip(&index) {
                known[local.index()] = Some(Const::Elem(at as u32));
            }
            values.push(evaluate(self.game, expr, &known, DEPTH)?);
        }
        Some(Fact::Computed(axes, reach, expr.ty.clone(), values))
    }

    /// Whether two members come together, where one of two local variables lists what the other one can be.
    ///
    /// A renaming that keeps the lists keeps that, too.
    fn together(&self, scope: Scope, locals: &[LocalId]) -> Option<impl Fn(&[usize]) -> bool + '_> {
        let &[a, b] = locals else { return None };
        let forwards = self.listed.tables(scope, a, b).map(|tables| (tables, 0, 1));
        let backwards = || self.listed.tables(scope, b, a).map(|tables| (tables, 1, 0));
        let (tables, by, of) = forwards.or_else(backwards)?;
        Some(move |index: &[usize]| {
            let lists = |table: &TableId| {
                let row = self.game.table(*table).values.get(index[by]).map(named);
                row.is_none_or(|row| row.contains(&(index[of] as u32)))
            };
            tables.iter().any(lists)
        })
    }

    /// The domain of which a local variable holds a member, if it does.
    fn domain_of_local(&self, scope: Scope, local: LocalId) -> Option<DomainId> {
        let at = local.index();
        let ty = match scope {
            Scope::Function(func) => &self.game.function(func).locals.get(at)?.ty,
            Scope::Family(family) => {
                let family = &self.game.families[family];
                match at.checked_sub(family.context.len()) {
                    None => &family.context[at].ty,
                    Some(param) => &family.params.get(param)?.ty,
                }
            }
            Scope::Free => return None,
        };
        match ty {
            Type::Elem(domain) => Some(*domain),
            _ => None,
        }
    }

    fn node(&mut self, scope: Scope, expr: &'g Expr) {
        match &expr.kind {
            ExprKind::Const(value) if domain_of(&expr.ty).is_some() || expr.ty == Type::Tagged => {
                let origin = self.game.origin(expr.span);
                self.add(Fact::Constant(expr.ty.clone(), value.clone()), || {
                    format!("a name at {origin}")
                });
            }
            ExprKind::Lookup(table, args) => {
                let args = args.iter().map(|arg| match domain_of(&arg.ty) {
                    Some(_) => self.reach.value(scope, arg),
                    None => None,
                });
                let args = args.collect();
                self.table(*table, args);
            }
            ExprKind::Var(var, _) if self.constant_vars.contains(var) => {
                let name = &self.game.var(*var).name;
                self.add(Fact::Var(*var), || format!("the constant `{name}`"));
            }
            ExprKind::PlaceOf(placement, _)
            | ExprKind::Content(placement, _)
            | ExprKind::Contents(placement, _)
            | ExprKind::Places(placement, _)
                if self.constant_placements.contains(placement) =>
            {
                let name = &self.game.placement(*placement).name;
                self.add(Fact::Placement(*placement), || {
                    format!("the constant `{name}`")
                });
            }
            ExprKind::Walk { step, local, .. } => {
                let reach = self.reach.local(scope, *local);
                self.table(*step, vec![reach]);
            }
            ExprKind::Closure {
                edges, local, pass, ..
            } => {
                let reach = self.reach.local(scope, *local);
                self.table(*edges, vec![reach.clone()]);
                if let (true, Some(domain)) = (self.may_fault(pass), domain_of(&expr.ty)) {
                    self.order(domain, reach, expr);
                }
            }
            ExprKind::Ordinal(member) => {
                if let Some(domain) = domain_of(&member.ty) {
                    self.order(domain, self.reach.value(scope, member), expr);
                }
            }
            ExprKind::Member(domain, _) => self.order(*domain, None, expr),
            ExprKind::First { over, .. } => self.ranges(scope, over, expr.span),
            ExprKind::Fold {
                fold, over, body, ..
            } => {
                let stops = matches!(fold, Fold::Forall | Fold::Exists);
                if stops && self.may_fault(body) {
                    self.ranges(scope, over, expr.span);
                }
            }
            ExprKind::Binary(BinaryOp::UpTo | BinaryOp::DownTo, ..) => {
                if let Some(domain) = domain_of(&expr.ty) {
                    self.order(domain, None, expr);
                }
            }
            ExprKind::Seen(trail) => self.identity(self.game.trail(*trail).identity),
            ExprKind::Alike(identity, _) => self.identity(*identity),
            _ => {}
        }
    }

    /// An equality that rules ask.
    fn identity(&mut self, identity: IdentityId) {
        if !self.identities.insert(identity) {
            return;
        }
        for term in &self.game.identity(identity).terms {
            match term {
                IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
                IdentityTerm::Each { when, values, .. }
                | IdentityTerm::Bag { when, values, .. }
                | IdentityTerm::Nest { when, values, .. } => {
                    self.expr(Scope::Free, when);
                    values
                        .iter()
                        .for_each(|value| self.expr(Scope::Free, value));
                }
                IdentityTerm::Value(value) => self.expr(Scope::Free, value),
            }
        }
    }
}
