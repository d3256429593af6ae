//! Which pieces and places the rules tell apart.
//!
//! Two pieces are of one kind if no constant, table or list of candidates distinguishes them; so are two places. Then the
//! rules treat a position and the one with both exchanged alike, as long as nothing depends on the order of their numbers: where
//! something does, each is a kind of its own. Those that the renaming test has shown to be alike are of one kind, too.

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::hash::Hash;

use super::playing::{family_exprs, playing};
use crate::hash::IndexMap;
use crate::ir::effects::{Access, Effects};
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, Family, Fold, FuncId, Game, LocalId,
    Over, ParamSource, PlacementForm, PlacementId, StmtKind, TableId, Type, VarId,
};

/// The kinds of the pieces and places of one placement.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    /// The placement; nothing where none is of a form that is understood.
    pub(super) placement: Option<PlacementId>,
    /// The kind of each piece.
    pub(super) pieces: Vec<u32>,
    /// The kind of each place.
    pub(super) places: Vec<u32>,
    /// Pieces that are alike, each with the place of its own that changes its name with it.
    pub(super) pools: Vec<Vec<(u32, u32)>>,
}

impl Kinds {
    /// The same, where pieces that are alike with places of their own are of one kind, and so are these places.
    pub(super) fn with_pools(mut self) -> Kinds {
        for pool in &self.pools {
            let (pieces, places): (Vec<u32>, Vec<u32>) = pool.iter().copied().unzip();
            join(&mut self.pieces, &pieces);
            join(&mut self.places, &places);
        }
        self
    }

    /// Whether any two are of one kind.
    pub(super) fn merges(&self) -> bool {
        let repeats = |kinds: &[u32]| kinds.iter().enumerate().any(|(at, &k)| at as u32 != k);
        repeats(&self.pieces) || repeats(&self.places)
    }
}

/// Finds the kinds of pieces and places of the first placement in which pieces have names and places room for one.
pub(super) fn find(game: &Game, reads: &Access) -> Kinds {
    let fits = |id: &&PlacementId| {
        let placement = game.placement(**id);
        let domains = [placement.pieces, placement.places];
        placement.form == PlacementForm::One
            && domains[0] != domains[1]
            && !domains.contains(&game.players)
    };
    let Some(&placement) = reads.placements.iter().find(fits) else {
        return Kinds::default();
    };
    let (pieces, places) = (
        game.placement(placement).pieces,
        game.placement(placement).places,
    );
    let mut signs = [Signs::new(game, pieces), Signs::new(game, places)];
    for sign in &mut signs {
        Marker { game, reads, sign }.all(placement);
    }
    let held = signs.iter().any(|sign| sign.held);
    let [of_pieces, of_places] = signs.map(|sign| {
        let domain = sign.domain;
        let alike = game.interchangeable.iter();
        let alike = alike.filter(|class| class.domain == domain && class.places.is_empty());
        sign.kinds(alike.map(|class| &class.members[..]))
    });
    let pools = game
        .interchangeable
        .iter()
        .filter(|class| class.domain == pieces && class.with_places == Some(places) && !held);
    let pools = pools.filter_map(|class| {
        let single = |all: &Vec<u32>| <[u32; 1]>::try_from(&all[..]).ok().map(|[place]| place);
        let own = class.places.iter().map(single);
        let own: Vec<u32> = own.collect::<Option<_>>()?;
        Some(class.members.iter().copied().zip(own).collect())
    });
    Kinds {
        placement: Some(placement),
        pieces: of_pieces,
        places: of_places,
        pools: pools.collect(),
    }
}

/// Makes members and all that are of a kind with one of them one kind.
fn join(kinds: &mut [u32], members: &[u32]) {
    let joined: SortedSet<u32> = members.iter().map(|m| kinds[*m as usize]).collect();
    let first = joined.first().copied();
    let kinds = kinds.iter_mut().filter(|kind| joined.contains(kind));
    kinds.for_each(|kind| *kind = first.unwrap_or(*kind));
}

/// What is known of the members of a domain.
struct Signs {
    domain: DomainId,
    /// The class of each member: those of one class are alike as far as signs tell.
    classes: Vec<u32>,
    /// How many members each class has.
    sizes: Vec<usize>,
    /// Whether each is a kind of its own, as far as signs tell.
    rigid: bool,
    /// Whether positions hold their names otherwise than by the placement, so that each is a kind of its own.
    held: bool,
}

impl Signs {
    fn new(game: &Game, domain: DomainId) -> Self {
        Self {
            domain,
            classes: vec![0; game.domain(domain).len()],
            sizes: vec![game.domain(domain).len()],
            rigid: false,
            held: false,
        }
    }

    /// Whether each is a kind of its own, whatever more is found.
    fn is_settled(&self) -> bool {
        self.rigid || self.held || self.sizes.len() >= self.classes.len()
    }

    /// Tells the listed members from the others.
    fn list(&mut self, members: &[u32]) {
        if self.is_settled() {
            return;
        }
        // Only classes of which some members are listed and some are not fall into two.
        let mut listed: IndexMap<u32, SortedSet<u32>> = IndexMap::default();
        for &member in members {
            let class = self.classes[member as usize];
            listed.entry(class).or_default().insert(member);
        }
        for (class, own) in listed {
            let left = self.sizes[class as usize] - own.len();
            if left > 0 {
                self.sizes[class as usize] = left;
                let new = self.sizes.len() as u32;
                own.iter().for_each(|m| self.classes[*m as usize] = new);
                self.sizes.push(own.len());
            }
        }
    }

    /// Tells members apart that have different values.
    fn column<T: Hash + Eq>(&mut self, values: &[T]) {
        if self.is_settled() || values.windows(2).all(|pair| pair[0] == pair[1]) {
            return;
        }
        let mut new: IndexMap<(u32, &T), u32> = IndexMap::default();
        new.reserve(values.len());
        for (class, value) in self.classes.iter_mut().zip(values) {
            let next = new.len() as u32;
            *class = *new.entry((*class, value)).or_insert(next);
        }
        self.sizes = vec![0; new.len()];
        for class in &self.classes {
            self.sizes[*class as usize] += 1;
        }
    }

    fn mentions(&self, ty: &Type) -> bool {
        match ty {
            Type::Elem(d) | Type::Opt(d) | Type::Set(d) => *d == self.domain,
            Type::Seq { item, .. } => self.mentions(item),
            _ => false,
        }
    }

    /// Tells apart what a constant of this type names.
    fn constant(&mut self, value: &Const, ty: &Type) {
        match (value, ty) {
            (Const::Elem(member), Type::Elem(d) | Type::Opt(d)) if *d == self.domain => {
                self.list(&[*member]);
            }
            (Const::Set(members), Type::Set(d)) if *d == self.domain => self.list(members),
            (Const::Seq(items), Type::Seq { item, .. }) => {
                items.iter().for_each(|value| self.constant(value, item));
            }
            (Const::Tagged(ty, value), Type::Tagged) => self.constant(value, ty),
            _ => {}
        }
    }

    /// The kind of each: the first member of it. Members of one class of `alike` are of one kind.
    fn kinds<'a>(self, alike: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
        let mut first: SortedMap<u32, u32> = SortedMap::new();
        let kind = |(at, class): (u32, u32)| match self.rigid || self.held {
            true => at,
            false => *first.entry(class).or_insert(at),
        };
        let mut kinds: Vec<u32> = (0..).zip(self.classes).map(kind).collect();
        for class in alike.filter(|_| !self.held) {
            join(&mut kinds, class);
        }
        kinds
    }
}

/// Marks what the rules tell apart in one domain.
struct Marker<'g, 's> {
    game: &'g Game,
    reads: &'s Access,
    sign: &'s mut Signs,
}

impl<'g> Marker<'g, '_> {
    fn all(&mut self, placement: PlacementId) {
        let game = self.game;
        let effects = Effects::of(game);
        self.sign.held |= self.state_is_in_the_way(placement);
        let functions = playing(game, &effects);
        for &func in &functions {
            self.block(&effects, &game.function(func).body);
            self.sign.held |= effects.function(func).suspends && self.outlives(&effects, func);
        }
        family_exprs(game, &mut |expr| {
            expr.walk(&mut |e| self.expr(&effects, e));
        });
        for family in &game.families {
            family.params.iter().for_each(|param| match &param.source {
                ParamSource::Among(members) if self.sign.mentions(&param.ty) => {
                    self.sign.list(members);
                }
                ParamSource::Listed { table, .. } => self.table(*table),
                _ => {}
            });
        }
    }

    /// Whether something else than the placement and plain values of pieces is indexed by the domain or holds members.
    fn state_is_in_the_way(&self, placement: PlacementId) -> bool {
        let game = self.game;
        let domain = self.sign.domain;
        let of_piece = [Axis::Domain(game.placement(placement).pieces)];
        let var = |id: &VarId| {
            let var = game.var(*id);
            let indexed = var.axes.contains(&Axis::Domain(domain));
            let simple = var.axes == of_piece && var.ty.is_scalar() && var.ty != Type::Tagged;
            self.sign.mentions(&var.ty) || var.ty == Type::Tagged || indexed && !simple
        };
        let other = |id: &PlacementId| {
            let other = game.placement(*id);
            *id != placement && [other.pieces, other.places].contains(&domain)
        };
        self.reads.vars.iter().any(var)
            || self.reads.placements.iter().any(other)
            || !self.reads.snapshots.is_empty()
            || !self.reads.trails.is_empty()
    }

    fn block(&mut self, effects: &Effects, block: &'g Block) {
        walk_exprs(block, &mut |expr| self.expr(effects, expr));
        walk_block(block, &mut |stmt| {
            if let StmtKind::ForEach(_, over, _) = &stmt.kind {
                self.sign.rigid |= self.ranges(over);
            }
        });
    }

    /// Whether something ranges over members in the order of their numbers.
    fn ranges(&self, over: &Over) -> bool {
        match over {
            Over::Domain(domain) => *domain == self.sign.domain,
            Over::Set(set) => self.sign.mentions(&set.ty),
            _ => false,
        }
    }

    fn expr(&mut self, effects: &Effects, expr: &'g Expr) {
        let fails = |expr: &Expr| effects.expr(self.game, expr).may_fault;
        let rigid = match &expr.kind {
            ExprKind::Const(value) => {
                self.sign.constant(value, &expr.ty);
                false
            }
            ExprKind::Lookup(table, _) => {
                self.table(*table);
                false
            }
            ExprKind::Walk { step, .. } => {
                self.table(*step);
                false
            }
            ExprKind::Closure { edges, pass, .. } => {
                self.table(*edges);
                self.sign.mentions(&expr.ty) && fails(pass)
            }
            ExprKind::Ordinal(member) | ExprKind::Tag(member) => self.sign.mentions(&member.ty),
            ExprKind::Member(domain, _) => *domain == self.sign.domain,
            ExprKind::Untag(_) => self.sign.mentions(&expr.ty),
            ExprKind::First { over, .. } => self.ranges(over),
            ExprKind::Fold {
                fold, over, body, ..
            } => {
                let stops = matches!(fold, Fold::Forall | Fold::Exists);
                self.ranges(over) && stops && fails(body)
            }
            ExprKind::Binary(BinaryOp::UpTo | BinaryOp::DownTo, ..) => self.sign.mentions(&expr.ty),
            _ => false,
        };
        self.sign.rigid |= rigid;
    }

    /// Tells apart what a table tells apart, and what it names.
    fn table(&mut self, id: TableId) {
        if self.sign.is_settled() {
            return;
        }
        let table = self.game.table(id);
        let outside = table.outside.iter();
        for value in table.values.iter().chain(outside) {
            if self.sign.mentions(&table.ty) || table.ty == Type::Tagged {
                self.sign.constant(value, &table.ty);
            }
        }
        for (place, axis) in table.axes.iter().enumerate() {
            if *axis != Axis::Domain(self.sign.domain) {
                continue;
            }
            let after = &table.axes[place + 1..];
            let inner: usize = after.iter().map(|axis| axis.len(self.game)).product();
            let count = self.sign.classes.len();
            for block in table.values.chunks(count * inner) {
                for at in 0..inner {
                    let values = block.iter().skip(at).step_by(inner);
                    self.sign.column(&values.collect::<Vec<_>>());
                }
            }
        }
    }

    /// Whether a function that stops keeps members in local variables while it does.
    fn outlives(&self, effects: &Effects, func: FuncId) -> bool {
        let function = self.game.function(func);
        let kept = |at: usize| self.sign.mentions(&function.locals[at].ty);
        let kept: Vec<usize> = (0..function.locals.len()).filter(|&at| kept(at)).collect();
        if kept.is_empty() {
            return false;
        }
        let all = uses(&function.body, function.locals.len());
        let mut within = vec![0; function.locals.len()];
        walk_block(&function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &stmt.kind else {
                return;
            };
            for arm in &choose.arms {
                let body = effects.block(self.game, &function.locals, &arm.body);
                if body.suspends {
                    continue;
                }
                let inside = uses(&arm.body, within.len());
                within
                    .iter_mut()
                    .zip(inside)
                    .for_each(|(n, more)| *n += more);
                arm.bind.iter().for_each(|local| within[local.index()] += 1);
            }
        });
        kept.iter()
            .any(|&at| at < function.params || all[at] != within[at])
    }
}

/// How often each local variable is read or assigned.
fn uses(block: &Block, locals: usize) -> Vec<usize> {
    let mut uses = vec![0; locals];
    let mut add = |local: LocalId| {
        if let Some(count) = uses.get_mut(local.index()) {
            *count += 1;
        }
    };
    walk_exprs(block, &mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            add(*local);
        }
    });
    walk_block(block, &mut |stmt| match &stmt.kind {
        StmtKind::Let(local, _) | StmtKind::ForEach(local, ..) | StmtKind::For { local, .. } => {
            add(*local);
        }
        StmtKind::Call { into, .. } => into.iter().for_each(|local| add(*local)),
        StmtKind::Trial { ok, value, .. } => {
            add(*ok);
            value.iter().for_each(|(_, local)| add(*local));
        }
        StmtKind::Choose(choose) => {
            let bound = choose.arms.iter().flat_map(|arm| &arm.bind);
            bound.for_each(|local| add(*local));
        }
        StmtKind::Chance(chance) => add(chance.into),
        _ => {}
    });
    uses
}

/// Whether moves of one class differ only by pieces and places of one kind, and by nothing else that is read.
pub(super) fn classes_fit(game: &Game, kinds: &Kinds, reads: &Access) -> bool {
    if game.families.iter().all(|family| family.class.is_empty()) {
        return true;
    }
    let Some(placement) = kinds.placement else {
        return false;
    };
    let pieces = game.placement(placement).pieces;
    let of_piece = Axis::Domain(pieces);
    if reads
        .vars
        .iter()
        .any(|v| game.var(*v).axes.contains(&of_piece))
    {
        return false;
    }
    let fits =
        |family: &Family| family.class.is_empty() || class_fits(game, kinds, placement, family);
    game.families.iter().all(fits)
}

fn class_fits(game: &Game, kinds: &Kinds, placement: PlacementId, family: &Family) -> bool {
    let board = game.placement(placement);
    let piece_param = |local: &LocalId| {
        let at = local.index().checked_sub(family.context.len());
        let param = at.and_then(|at| family.params.get(at));
        param.is_some_and(|param| param.ty == Type::Elem(board.pieces))
    };
    family.params.iter().enumerate().all(|(at, param)| {
        let local = LocalId::from(family.context.len() + at);
        let Type::Elem(domain) = param.ty else {
            return family
                .class
                .iter()
                .any(|e| e.kind == ExprKind::Local(local));
        };
        let count = game.domain(domain).len() as u32;
        let candidates = match &param.source {
            ParamSource::Among(list) => list.clone(),
            _ => (0..count).collect(),
        };
        let follows = match &param.source {
            ParamSource::Is(value) => matches!(&value.kind, ExprKind::PlaceOf(p, piece)
                if *p == placement && matches!(&piece.kind, ExprKind::Local(l) if piece_param(l))),
            _ => false,
        };
        let mut known: SortedMap<Vec<&Const>, u32> = SortedMap::new();
        candidates.iter().all(|&member| {
            let class = class_of(game, family, local, member);
            // A piece takes its place with it; any other place must be the same.
            let kind = match domain {
                d if d == board.pieces => kinds.pieces[member as usize],
                d if d == board.places && follows => kinds.places[member as usize],
                _ => member,
            };
            *known.entry(class).or_insert(kind) == kind
        })
    })
}

/// What the class of a move tells of one argument.
fn class_of<'g>(game: &'g Game, family: &Family, local: LocalId, member: u32) -> Vec<&'g Const> {
    let tables = family.class.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Lookup(table, index) => match &index[..] {
            [only] if only.kind == ExprKind::Local(local) => Some(game.table(*table)),
            _ => None,
        },
        _ => None,
    });
    tables
        .filter_map(|table| table.values.get(member as usize))
        .collect()
}
