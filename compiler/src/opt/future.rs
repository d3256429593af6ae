//! What the rest of a game depends on: the weakest identity of which that can be shown ([`Future`]).
//!
//! It is found in what the rules read. A variable that only ever adds to itself, such as a score that no rule asks for, decides
//! nothing, and neither does a piece that no rule tells from others of its kind. What is not understood is compared.
//!
//! Bounds that hosts set for games that would go on too long ([`Game::limit`]) are left out: a game that a bound stops has no
//! result, and neither has one that goes on for ever. One that a host has set by himself counts.

use rulec_ir::beside::beside;
use rulec_ir::sorted::SortedSet;

use super::fold_constants;
use super::kinds::{self, Kinds};
use super::playing::{family_exprs, playing};
use crate::ir::effects::{Access, Effects, constants};
use crate::ir::visit::walk_block;
use crate::ir::walk::{blocks_mut, walk_all};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, EndReason, EnvId, Expr, ExprKind, Future, Game,
    Identity, IdentityId, IdentityTerm, LocalId, Parts, PlacementId, SnapshotId, Stmt, StmtKind,
    Table, TableId, TrailId, Type, VarId,
};

/// Names of the identities that are added.
const NAME: &str = "future";
const TIMELESS: &str = "future-without-counts";
/// A sum that needs more steps than this to leave its type never does.
const STEPS: i128 = 1 << 32;

/// Looks for what decides, and notes it in the game; adds an identity where there is none yet. `bounded` tells whether a host has
/// set the bound of the game. Gives the game with its constants folded, if that is known then.
pub fn find(game: &mut Game, bounded: bool) -> Option<Game> {
    let (identities, tables) = (game.identities.len(), game.tables.len());
    let bound = game.limit.filter(|_| !bounded);
    // Neither asks for the other.
    let (without, whole) = beside(
        || Simple::without_counts(game, bound),
        || Simple::of(game, bound),
    );
    let mut future = whole.answer(game, NAME);
    let less = without.filter(|less| {
        less.reads.vars != whole.reads.vars || less.reads.trails != whole.reads.trails
    });
    future.timeless = less.map(|less| less.answer(game, TIMELESS).identity);
    game.future = Some(future);
    // Parts of the state are the same wherever constants are folded.
    let added = &game.identities[identities..];
    let mut terms = added.iter().flat_map(|identity| &identity.terms);
    let plain = terms.all(|term| matches!(term, IdentityTerm::Parts(_)));
    let mut folded = whole.folded().filter(|folded| {
        plain && game.tables.len() == tables && folded.identities.len() == identities
    })?;
    folded.identities.extend(added.iter().cloned());
    folded.future.clone_from(&game.future);
    Some(folded)
}

/// A game without what nobody needs, and everything that decisions depend on there.
struct Simple {
    game: Game,
    reads: Access,
    /// Whether it is the game with its constants folded, and nothing else.
    is_folded: bool,
}

impl Simple {
    fn of(game: &Game, bound: Option<VarId>) -> Simple {
        let mut simple = game.clone();
        if bound.is_none() {
            fold_constants::run(&mut simple);
        }
        Simple {
            is_folded: bound.is_none() && reads_all(&simple),
            ..Simple::read(simple, bound)
        }
    }

    /// The game without its rules that only count, if there are some.
    fn without_counts(game: &Game, bound: Option<VarId>) -> Option<Simple> {
        game.switch_names().next()?;
        let mut simple = game.clone();
        for name in game.switch_names() {
            simple.leave_out(name);
        }
        if simple == *game {
            return None;
        }
        fold_constants::run(&mut simple);
        Some(Simple::read(simple, bound))
    }

    fn read(mut game: Game, bound: Option<VarId>) -> Simple {
        drop_unread(&mut game);
        let reads = Reader::new(&game, bound).all();
        Simple {
            game,
            reads,
            is_folded: false,
        }
    }

    /// The game with its constants folded, if it is that.
    fn folded(self) -> Option<Game> {
        self.is_folded.then_some(self.game)
    }

    /// What that says of the game as it is.
    fn answer(&self, game: &mut Game, name: &str) -> Future {
        let plain = game.identity(game.equality).terms == [IdentityTerm::Everything];
        match plain {
            true => of_plain(game, &self.game, &self.reads, name),
            false => of_special(game, &self.reads, name),
        }
    }
}

/// Drops values that are given to variables of the environment which nobody asks for, such as the numbers in names of pieces.
pub fn drop_unread(game: &mut Game) {
    let read = read_of_env(game);
    if read.len() == game.env.len() {
        return;
    }
    let whole = game.clone();
    let effects = Effects::of(&whole);
    let idle = |stmt: &Stmt| match &stmt.kind {
        StmtKind::SetEnv(var, value) => {
            let fits = whole.env[var.index()].ty.contains(&value.ty);
            fits && !read.contains(var) && !effects.expr(&whole, value).may_fault
        }
        _ => false,
    };
    blocks_mut(game, &mut |block| drop_idle(block, &idle));
}

/// Whether somebody asks for each variable of the environment, so that there is nothing to drop.
pub fn reads_all(game: &Game) -> bool {
    read_of_env(game).len() == game.env.len()
}

fn read_of_env(game: &Game) -> SortedSet<EnvId> {
    let mut read = SortedSet::new();
    walk_all(game, &mut |expr| {
        if let ExprKind::Env { var, .. } | ExprKind::EnvIsSet(var) = expr.kind {
            read.insert(var);
        }
    });
    read
}

fn drop_idle(block: &mut Block, idle: &dyn Fn(&Stmt) -> bool) {
    block.retain(|stmt| !idle(stmt));
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_idle(inner, idle));
    }
}

/// The answer where equality compares everything.
fn of_plain(game: &mut Game, simple: &Game, reads: &Access, name: &str) -> Future {
    let of_equality = reads.trails.is_empty() && reads.vars.iter().all(|&v| !game.var(v).meter);
    let kinds = kinds::find(simple, reads);
    let of_classes = kinds::classes_fit(game, &kinds, reads);
    let kinds = kinds.with_pools();
    let identity = if !kinds.merges() && of_equality && covers_all(game, reads) {
        game.equality
    } else {
        let terms = terms(game, &kinds, reads);
        add(game, name, terms)
    };
    Future {
        identity,
        timeless: None,
        of_equality,
        of_classes,
    }
}

/// Whether nothing that equality compares was left out.
fn covers_all(game: &Game, reads: &Access) -> bool {
    let constant = constants(game);
    let vars = (0..game.vars.len()).map(VarId::from);
    let mut vars = vars.filter(|v| !game.var(*v).meter && !constant.vars.contains(v));
    let mut placements = (0..game.placements.len()).map(PlacementId::from);
    vars.all(|v| reads.vars.contains(&v))
        && placements.all(|p| constant.placements.contains(&p) || reads.placements.contains(&p))
        && reads.snapshots.len() == game.snapshots.len()
}

fn terms(game: &mut Game, kinds: &Kinds, reads: &Access) -> Vec<IdentityTerm> {
    let mut rest = reads.clone();
    let mut terms = Vec::new();
    if let (Some(placement), true) = (kinds.placement, kinds.merges()) {
        let span = game.placement(placement).span;
        let (pieces, places) = (
            game.placement(placement).pieces,
            game.placement(placement).places,
        );
        let all = |classes: &[u32]| classes.iter().map(|class| i64::from(*class)).collect();
        let (of_pieces, of_places): (Vec<i64>, Vec<i64>) = (all(&kinds.pieces), all(&kinds.places));
        let of_pieces = numbers(game, "pieces that rules tell apart", pieces, &of_pieces);
        let of_places = numbers(game, "places that rules tell apart", places, &of_places);
        let piece = Expr::local(LocalId(0), Type::Elem(pieces), span);
        let place = Expr::place_of(game, placement, piece.clone());
        let mut values = vec![
            Expr::lookup(game, of_pieces, vec![piece.clone()], span),
            Expr::lookup(game, of_places, vec![place], span),
        ];
        if !kinds.pools.is_empty() {
            values.extend(names_away(game, placement, kinds));
        }
        let of_piece = [Axis::Domain(pieces)];
        for &var in &reads.vars {
            if game.var(var).axes == of_piece {
                values.push(Expr::var(game, var, vec![piece.clone()], span));
                rest.vars.remove(&var);
            }
        }
        rest.placements.remove(&placement);
        terms.push(IdentityTerm::Bag {
            domain: pieces,
            when: Expr::bool(true, span),
            values,
        });
    }
    terms.push(IdentityTerm::Parts(parts(&rest)));
    terms
}

/// A new table of numbers, one for each member of a domain, and -1 for none.
fn numbers(game: &mut Game, name: &str, domain: DomainId, values: &[i64]) -> TableId {
    game.tables.push(Table {
        name: name.to_owned(),
        axes: vec![Axis::Domain(domain)],
        ty: Type::Int {
            lo: -1,
            hi: values.iter().copied().fold(values.len() as i64, i64::max),
        },
        values: values.iter().map(|value| Const::Int(*value)).collect(),
        outside: Some(Const::Int(-1)),
        span: game.domain(domain).span,
    });
    (game.tables.len() - 1).into()
}

/// For each piece its number and that of its place where places of their own are not taken as they should be: the piece stands on that of
/// another one, or another one on its own. Everywhere else pieces that are alike with these places are told by kinds: of two positions
/// in which all else is equal one becomes the other when the names of pieces that stand at home, or on common places, are exchanged
/// together with their places.
fn names_away(game: &mut Game, placement: PlacementId, kinds: &Kinds) -> [Expr; 2] {
    let board = game.placement(placement);
    let (pieces, places, span) = (board.pieces, board.places, board.span);
    let counts = [pieces, places].map(|domain| game.domain(domain).len());
    let mut own = vec![-1; counts[0]];
    let mut private = vec![0; counts[1]];
    for (piece, place) in kinds.pools.iter().flatten() {
        own[*piece as usize] = i64::from(*place);
        private[*place as usize] = 1;
    }
    // Pieces without such a place have the number of none.
    let homes = own
        .iter()
        .map(|place| Const::Elem(u32::try_from(*place).unwrap_or(0)));
    let homes = homes.collect();
    let home_number = numbers(game, "number of a piece's own place", pieces, &own);
    let private = numbers(game, "places that are a piece's own", places, &private);
    let all = |count: usize| (0..count as i64).collect::<Vec<_>>();
    let piece_number = numbers(game, "number of a piece", pieces, &all(counts[0]));
    let place_number = numbers(game, "number of a place", places, &all(counts[1]));
    game.tables.push(Table {
        name: "a piece's own place".to_owned(),
        axes: vec![Axis::Domain(pieces)],
        ty: Type::Elem(places),
        values: homes,
        outside: None,
        span,
    });
    let home = TableId::from(game.tables.len() - 1);
    let piece = Expr::local(LocalId(0), Type::Elem(pieces), span);
    let place = Expr::place_of(game, placement, piece.clone());
    let own = Expr::lookup(game, home_number, vec![piece.clone()], span);
    let at = Expr::lookup(game, place_number, vec![place.clone()], span);
    let at_home = own.clone().equals(at.clone());
    let none = || Expr::constant(Const::Int(-1), own.ty.clone(), span);
    let on_private = Expr::lookup(game, private, vec![place], span);
    let on_private = on_private
        .clone()
        .equals(Expr::constant(Const::Int(1), on_private.ty, span));
    let home = Expr::lookup(game, home, vec![piece.clone()], span);
    let taken = Expr::content(game, placement, home).is_some();
    let has_home = own.clone().equals(none()).not();
    let away = at_home.not().and(on_private.or(has_home.and(taken)));
    let number = Expr::lookup(game, piece_number, vec![piece], span);
    [number, at].map(|number| {
        let none = Expr::constant(Const::Int(-1), number.ty.clone(), span);
        Expr::select(away.clone(), number, none)
    })
}

/// The answer where equality is one that the language defines: what it leaves out of what is read is added.
///
/// What such an equality renames, no rule can name.
fn of_special(game: &mut Game, reads: &Access, name: &str) -> Future {
    let effects = Effects::of(game);
    let mut told = Access::default();
    for term in &game.identity(game.equality).terms {
        let mut expr = |expr: &Expr| told.join(&effects.expr(game, expr).reads);
        match term {
            IdentityTerm::Everything => {
                let vars = (0..game.vars.len()).filter(|&v| !game.vars[v].meter);
                told.vars.extend(vars.map(VarId::from));
                told.placements
                    .extend((0..game.placements.len()).map(PlacementId::from));
                told.snapshots
                    .extend((0..game.snapshots.len()).map(SnapshotId::from));
            }
            IdentityTerm::Each { when, values, .. } | IdentityTerm::Bag { when, values, .. } => {
                std::iter::once(when).chain(values).for_each(&mut expr);
            }
            IdentityTerm::Nest {
                placement,
                when,
                values,
            } => {
                std::iter::once(when).chain(values).for_each(&mut expr);
                told.placements.insert(*placement);
            }
            IdentityTerm::Value(value) => expr(value),
            IdentityTerm::Parts(parts) => {
                told.vars.extend(&parts.vars);
                told.placements.extend(&parts.placements);
                told.snapshots.extend(&parts.snapshots);
                told.trails.extend(&parts.trails);
            }
        }
    }
    let rest = Access {
        vars: &reads.vars - &told.vars,
        placements: &reads.placements - &told.placements,
        snapshots: &reads.snapshots - &told.snapshots,
        trails: &reads.trails - &told.trails,
        ..Access::default()
    };
    let of_equality = !rest.touches_state();
    let identity = match of_equality {
        true => game.equality,
        false => {
            let mut terms = game.identity(game.equality).terms.clone();
            terms.push(IdentityTerm::Parts(parts(&rest)));
            add(game, name, terms)
        }
    };
    Future {
        identity,
        timeless: None,
        of_equality,
        of_classes: true,
    }
}

fn parts(access: &Access) -> Parts {
    Parts {
        vars: access.vars.iter().copied().collect(),
        placements: access.placements.iter().copied().collect(),
        snapshots: access.snapshots.iter().copied().collect(),
        trails: access.trails.iter().copied().collect(),
    }
}

fn add(game: &mut Game, name: &str, terms: Vec<IdentityTerm>) -> IdentityId {
    game.identities.push(Identity {
        name: name.to_owned(),
        terms,
    });
    IdentityId::from(game.identities.len() - 1)
}

/// Finds what is read for a purpose.
struct Reader<'g> {
    game: &'g Game,
    effects: Effects,
    /// The bound that does not count.
    bound: Option<VarId>,
    reads: Access,
}

impl<'g> Reader<'g> {
    fn new(game: &'g Game, bound: Option<VarId>) -> Self {
        Self {
            game,
            effects: Effects::of(game),
            bound,
            reads: Access::default(),
        }
    }

    /// Everything that some decision depends on. What goes into a variable counts once the variable does.
    fn all(mut self) -> Access {
        let game = self.game;
        loop {
            let before = self.reads.clone();
            for func in playing(game, &self.effects) {
                self.block(&game.function(func).body);
            }
            family_exprs(game, &mut |expr| self.expr(expr));
            if self.reads == before {
                break;
            }
        }
        let constant = constants(game);
        self.reads.vars = &self.reads.vars - &constant.vars;
        self.reads.placements = &self.reads.placements - &constant.placements;
        self.reads.env.clear();
        self.reads
    }

    fn block(&mut self, block: &'g Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'g Stmt) {
        match &stmt.kind {
            StmtKind::SetVar(var, index, value) => return self.set_var(*var, index, value),
            StmtKind::If(cond, yes, no) if self.is_bound(cond) && stops(yes) => {
                return self.block(no);
            }
            StmtKind::Emit(_) => {
                stmt.children(&mut |expr| {
                    if self.effects.expr(self.game, expr).may_fault {
                        self.expr(expr);
                    }
                });
                return;
            }
            StmtKind::Snapshot(slot) | StmtKind::Restore(slot) => {
                let kept = self.game.snapshot(*slot);
                self.reads.vars.extend(&kept.vars);
                self.reads.placements.extend(&kept.placements);
                self.reads.snapshots.insert(*slot);
            }
            // It may be full.
            StmtKind::Note(trail) => self.trail(*trail),
            _ => {}
        }
        stmt.children(&mut |expr| self.expr(expr));
        stmt.blocks(&mut |block| self.block(block));
    }

    fn set_var(&mut self, var: VarId, index: &'g [Expr], value: &'g Expr) {
        let is_score = self.game.scores == Some(var);
        index.iter().for_each(|expr| self.expr(expr));
        if let Some(by) = self.added(var, index, value) {
            let matters = is_score || self.reads.vars.contains(&var);
            if matters || self.effects.expr(self.game, by).may_fault {
                self.expr(by);
            }
            return;
        }
        let stored = &self.game.var(var).ty;
        let fails = !stored.contains(&value.ty) || self.effects.expr(self.game, value).may_fault;
        if is_score {
            // Its changes count, and here they follow from what it was.
            self.reads.vars.insert(var);
        }
        if is_score || fails || self.reads.vars.contains(&var) {
            self.expr(value);
        }
    }

    /// What is added to a variable or taken from it, if that is all that happens and no game is so long that it leaves
    /// its type.
    fn added(&self, var: VarId, index: &[Expr], value: &'g Expr) -> Option<&'g Expr> {
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &value.kind else {
            return None;
        };
        let same = |expr: &Expr| match &expr.kind {
            ExprKind::Var(read, at) => {
                let alike = at.iter().zip(index).all(|(a, b)| a.kind == b.kind);
                *read == var && at.len() == index.len() && alike
            }
            _ => false,
        };
        let by = match op {
            _ if same(a) => b,
            BinaryOp::Add if same(b) => a,
            _ => return None,
        };
        let far = match (&self.game.var(var).ty, &by.ty) {
            (Type::Wrap32, _) => true,
            (
                Type::Int { lo, hi },
                Type::Int {
                    lo: least,
                    hi: most,
                },
            ) => {
                let widest = i128::from(*least).abs().max(i128::from(*most).abs()).max(1);
                (i128::from(*hi) - i128::from(*lo)) / widest >= STEPS
            }
            _ => false,
        };
        far.then_some(by)
    }

    fn expr(&mut self, expr: &'g Expr) {
        if self.is_bound(expr) {
            return;
        }
        match &expr.kind {
            ExprKind::Var(var, _) => {
                self.reads.vars.insert(*var);
            }
            ExprKind::PlaceOf(placement, _)
            | ExprKind::Content(placement, _)
            | ExprKind::Contents(placement, _)
            | ExprKind::Places(placement, _) => {
                self.reads.placements.insert(*placement);
            }
            ExprKind::Seen(trail) => self.trail(*trail),
            ExprKind::Alike(identity, _) => self.identity(*identity),
            _ => {}
        }
        expr.children(&mut |child| self.expr(child));
    }

    fn trail(&mut self, trail: TrailId) {
        self.reads.trails.insert(trail);
        self.identity(self.game.trail(trail).identity);
    }

    fn identity(&mut self, identity: IdentityId) {
        let reads = self.effects.identity(self.game, identity).reads;
        self.reads.join(&reads);
    }

    /// Whether an expression compares something measured with the bound of the game, or says how much is left.
    fn is_bound(&self, expr: &Expr) -> bool {
        let Some(bound) = self.bound else {
            return false;
        };
        let var = |expr: &Expr| match &expr.kind {
            ExprKind::Var(var, _) => Some(*var),
            _ => None,
        };
        match &expr.kind {
            ExprKind::Binary(_, a, b) => match (var(a), var(b)) {
                (Some(a), Some(b)) if a == bound || b == bound => {
                    let other = if a == bound { b } else { a };
                    self.game.var(other).meter
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a block ends the game at the bound.
fn stops(block: &Block) -> bool {
    let limit = |stmt: &Stmt| {
        matches!(&stmt.kind, StmtKind::End { reason: EndReason::Limit, winners }
            if winners.as_const() == Some(&Const::Set(Vec::new())))
    };
    let mut others = false;
    walk_block(block, &mut |stmt| {
        others |= matches!(stmt.kind, StmtKind::End { .. }) && !limit(stmt);
    });
    block.last().is_some_and(limit) && !others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::source::Span;

    /// What the future of a game depends on that counts something up, step by step for ever.
    fn counting(ty: Type, step: Expr) -> bool {
        let span = Span::default();
        let mut builder = GameBuilder::new("counting", "none", &["a"]);
        let count = builder.var("count", vec![], ty, Const::Int(0), span);
        let sum = Expr::binary(
            BinaryOp::Add,
            Expr::var(&builder.game, count, vec![], span),
            step,
        );
        let body = vec![Stmt::set_var(count, vec![], sum)];
        let forever = StmtKind::While {
            cond: Expr::bool(true, span),
            bound: u32::MAX,
            body,
        };
        let process = FunctionBuilder::new("process", None, span);
        let process = process.body(vec![Stmt::new(forever, span)]);
        builder.game.process = builder.function(process);
        let mut game = builder.game;
        find(&mut game, false);
        let future = game.future.expect("it was looked for");
        future.identity == game.equality
    }

    #[test]
    fn a_sum_that_leaves_its_type_in_no_game_decides_nothing() {
        let span = Span::default();
        let one = || Expr::constant(Const::Int(1), Type::Int { lo: 1, hi: 1 }, span);
        assert!(!counting(Type::INT, one()));
        // It leaves these sooner or later, and that ends the game.
        assert!(counting(Type::Int { lo: 0, hi: 9 }, one()));
        let large = Type::Int { lo: 0, hi: 1 << 40 };
        assert!(counting(large.clone(), Expr::int(1 << 20, span)));
        assert!(!counting(large, one()));
    }

    #[test]
    fn what_is_added_to_a_score_decides() {
        let span = Span::default();
        let reads = |is_score: bool| {
            let mut builder = GameBuilder::new("scoring", "none", &["a"]);
            let small = Type::Int { lo: 0, hi: 9 };
            let sum = builder.var("sum", vec![], Type::INT, Const::Int(0), span);
            let bonus = builder.var("bonus", vec![], small, Const::Int(3), span);
            let read = |var| Expr::var(&builder.game, var, vec![], span);
            let added = Expr::binary(BinaryOp::Add, read(sum), read(bonus));
            let body = vec![
                Stmt::set_var(sum, vec![], added),
                Stmt::set_var(
                    bonus,
                    vec![],
                    Expr::constant(Const::Int(4), Type::Int { lo: 4, hi: 4 }, span),
                ),
            ];
            let process = FunctionBuilder::new("process", None, span).body(body);
            builder.game.process = builder.function(process);
            builder.game.scores = is_score.then_some(sum);
            let mut game = builder.game;
            find(&mut game, false);
            let future = game.future.clone().expect("it was looked for");
            let effects = Effects::of(&game);
            let reads = effects.identity(&game, future.identity).reads.vars;
            [reads.contains(&sum), reads.contains(&bonus)]
        };
        assert_eq!(reads(true), [false, true]);
        assert_eq!(reads(false), [false, false]);
    }

    #[test]
    fn a_test_of_the_bound_that_may_end_a_game_otherwise_is_no_bound_alone() {
        let span = Span::default();
        let end = |reason| {
            let winners = Expr::constant(
                Const::Set(Vec::new()),
                Type::Set(crate::ir::DomainId(0)),
                span,
            );
            Stmt::new(StmtKind::End { reason, winners }, span)
        };
        let own = Stmt::branch(Expr::bool(true, span), vec![end(EndReason::Draw)], vec![]);
        assert!(stops(&vec![end(EndReason::Limit)]));
        assert!(!stops(&vec![own, end(EndReason::Limit)]));
        assert!(!stops(&vec![end(EndReason::Draw)]));
    }
}
