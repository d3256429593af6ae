//! Pieces that a move brings somewhere are told by the place where they stand.
//!
//! A move names a piece and its place. Where functions get both, each piece that is put somewhere becomes what stands on that
//! place: at most one piece is put somewhere by a move, so nothing has come between.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::walk::each_stmt_mut;
use crate::ir::{Block, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, Point, StmtKind, Type};

/// A piece and its place, by the local variables that hold them.
type Pair = (LocalId, LocalId);

/// The game with pieces that are put somewhere told by their places.
pub(super) fn by_place(game: &Game, placement: PlacementId) -> Result<Game, String> {
    let mut finder = Finder {
        game,
        effects: Effects::of(game),
        placement,
        pairs: SortedMap::new(),
        within: SortedSet::new(),
    };
    let Some(machine) = &game.machine else {
        return Err(String::from("it has no machine"));
    };
    if finder.puts(&machine.start) > 0 {
        return Err(String::from("pieces move before the first decision"));
    }
    let mut arms: Vec<Vec<Option<Pair>>> = Vec::new();
    for point in &machine.points {
        let mut own = Vec::new();
        match point {
            Point::Choose(choose) => {
                for arm in &choose.arms {
                    own.push(finder.arm(arm)?);
                }
                if let Some(otherwise) = &choose.otherwise
                    && finder.puts(otherwise) > 0
                {
                    return Err(String::from("pieces move where nobody can move"));
                }
            }
            Point::Chance(_, block) => {
                if finder.puts(block) > 0 {
                    return Err(String::from("pieces move after a draw"));
                }
            }
        }
        arms.push(own);
    }
    let pairs = finder.pairs;
    let mut game = game.clone();
    for (index, function) in game.functions.iter_mut().enumerate() {
        if let Some(Some(pair)) = pairs.get(&FuncId::from(index)) {
            rewrite(
                &mut function.body,
                placement,
                *pair,
                &function
                    .locals
                    .iter()
                    .map(|local| local.ty.clone())
                    .collect::<Vec<_>>(),
            );
        }
    }
    if let Some(machine) = &mut game.machine {
        let types: Vec<Type> = machine
            .locals
            .iter()
            .map(|local| local.ty.clone())
            .collect();
        for (point, own) in machine.points.iter_mut().zip(arms) {
            if let Point::Choose(choose) = point {
                for (arm, pair) in choose.arms.iter_mut().zip(own) {
                    if let Some(pair) = pair {
                        rewrite(&mut arm.body, placement, pair, &types);
                    }
                }
            }
        }
    }
    Ok(game)
}

fn rewrite(block: &mut Block, placement: PlacementId, (piece, place): Pair, types: &[Type]) {
    each_stmt_mut(block, &mut |stmt| {
        let (StmtKind::Put(own, who, _) | StmtKind::Bring(own, who, _, _)) = &mut stmt.kind else {
            return;
        };
        if *own != placement || who.kind != ExprKind::Local(piece) {
            return;
        }
        let (Type::Elem(pieces), Some(ty)) = (who.ty.clone(), types.get(place.index())) else {
            return;
        };
        let at = Expr::local(place, ty.clone(), who.span);
        let content = Expr::new(
            ExprKind::Content(placement, Box::new(at)),
            Type::Opt(pieces),
            who.span,
        );
        *who = Expr::new(ExprKind::Get(Box::new(content)), who.ty.clone(), who.span);
    });
}

struct Finder<'g> {
    game: &'g Game,
    effects: Effects,
    placement: PlacementId,
    /// For each function that is called with a piece and its place the parameters that hold them; nothing where calls differ.
    pairs: SortedMap<FuncId, Option<Pair>>,
    /// Functions whose statements are being counted.
    within: SortedSet<FuncId>,
}

impl Finder<'_> {
    /// The variables of an arm that hold a piece and its place, if its moves name them.
    fn arm(&mut self, arm: &crate::ir::Arm) -> Result<Option<Pair>, String> {
        let family = self.game.family(arm.family);
        if self.puts(&arm.body) > 1 {
            return Err(format!("moves of `{}` move several pieces", family.name));
        }
        let mover = super::mover(self.game, self.placement, family)?;
        let pair = mover
            .and_then(|mover| Some((*arm.bind.get(mover.piece)?, *arm.bind.get(mover.place)?)));
        let pair = pair.filter(|pair| unchanged(&arm.body, *pair));
        self.follow(&arm.body, pair);
        Ok(pair)
    }

    /// Notes what the calls of a block hand on.
    fn follow(&mut self, block: &Block, pair: Option<Pair>) {
        let mut calls = Vec::new();
        walk_block(block, &mut |stmt| {
            if let StmtKind::Call { func, args, .. } = &stmt.kind {
                let at = |local: LocalId| {
                    args.iter()
                        .position(|arg| arg.kind == ExprKind::Local(local))
                };
                let given = pair.and_then(|(piece, place)| Some((at(piece)?, at(place)?)));
                calls.push((
                    *func,
                    given.map(|(a, b)| (LocalId::from(a), LocalId::from(b))),
                ));
            }
        });
        for (func, given) in calls {
            let body = &self.game.function(func).body;
            let given = given.filter(|pair| unchanged(body, *pair));
            match self.pairs.get(&func) {
                Some(known) if *known == given || known.is_none() => continue,
                Some(_) => self.pairs.insert(func, None),
                None => self.pairs.insert(func, given),
            };
            let now = self.pairs.get(&func).copied().flatten();
            self.follow(body, now);
        }
    }

    /// How many pieces a block puts somewhere at most; what stands in a loop counts twice.
    fn puts(&mut self, block: &Block) -> usize {
        let mut count = 0;
        for stmt in block {
            match &stmt.kind {
                StmtKind::Put(..) | StmtKind::Bring(..) => count += 1,
                StmtKind::Call { func, .. } => {
                    if !self.within.insert(*func) {
                        continue;
                    }
                    let own = self.puts(&self.game.function(*func).body);
                    self.within.remove(func);
                    let often = if self.effects.is_recursive(*func) {
                        2
                    } else {
                        1
                    };
                    count += often * own;
                }
                StmtKind::If(_, yes, no) => count += self.puts(yes).max(self.puts(no)),
                _ => {
                    let mut inner = Vec::new();
                    stmt.blocks(&mut |block| inner.push(block));
                    for block in inner {
                        count += 2 * self.puts(block);
                    }
                }
            }
        }
        count
    }
}

/// Whether nothing in a block gives these variables another value.
fn unchanged(block: &Block, (piece, place): Pair) -> bool {
    let mut same = true;
    walk_block(block, &mut |stmt| {
        crate::opt::locals::each_assigned(stmt, &mut |local| {
            same &= local != piece && local != place;
        });
    });
    same
}
