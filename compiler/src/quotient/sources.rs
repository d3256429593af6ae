//! Pieces that a move brings somewhere are told by the place where they stand.
//!
//! A move names a piece and its place. Where functions get both, each piece that is put somewhere becomes what stands on that
//! place: at most one piece is put somewhere by a move, so nothing has come between.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::walk::each_stmt_mut;
use crate::ir::{
    Block, Expr, ExprKind, FamilyId, FuncId, Game, LocalId, PlacementId, Point, StmtKind, Type,
};

use super::Mover;

/// A piece that moves, by the local variables that tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) piece: LocalId,
    /// The place where it stands.
    pub(super) place: LocalId,
    /// The place of its own to which it goes, if that is a parameter of its move.
    pub(super) own: Option<LocalId>,
}

/// A program, and its functions that get a piece that moves; nothing where calls differ.
pub(super) struct ByPlace {
    pub(super) game: Game,
    pub(super) told: SortedMap<FuncId, Told>,
}

/// The game with pieces that are put somewhere told by their places; `own` are the parameters of families that are places of
/// their own of pieces.
pub(super) fn by_place(
    game: &Game,
    placement: PlacementId,
    movers: &[Option<Mover>],
    own: &[Option<usize>],
) -> Result<ByPlace, String> {
    let mut finder = Finder {
        game,
        effects: Effects::of(game),
        movers,
        own,
        told: SortedMap::new(),
        within: SortedSet::new(),
    };
    let Some(machine) = &game.machine else {
        return Err(String::from("it has no machine"));
    };
    if finder.puts(&machine.start) > 0 {
        return Err(String::from("pieces move before the first decision"));
    }
    let mut arms: Vec<Vec<Option<Told>>> = Vec::new();
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
    finder.asked();
    let told = finder.told.into_iter();
    let told: SortedMap<FuncId, Told> = told
        .filter_map(|(func, told)| Some((func, told?)))
        .collect();
    let mut game = game.clone();
    for (index, function) in game.functions.iter_mut().enumerate() {
        if let Some(told) = told.get(&FuncId::from(index)) {
            rewrite(
                &mut function.body,
                placement,
                *told,
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
                for (arm, told) in choose.arms.iter_mut().zip(own) {
                    if let Some(told) = told {
                        rewrite(&mut arm.body, placement, told, &types);
                    }
                }
            }
        }
    }
    Ok(ByPlace { game, told })
}

fn rewrite(block: &mut Block, placement: PlacementId, told: Told, types: &[Type]) {
    let (piece, place) = (told.piece, told.place);
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
    movers: &'g [Option<Mover>],
    own: &'g [Option<usize>],
    /// For each function that is called with a piece that moves the parameters that tell it; nothing where calls differ.
    told: SortedMap<FuncId, Option<Told>>,
    /// Functions whose statements are being counted.
    within: SortedSet<FuncId>,
}

impl Finder<'_> {
    /// The variables of an arm that tell the piece that moves, if its moves name it.
    fn arm(&mut self, arm: &crate::ir::Arm) -> Result<Option<Told>, String> {
        let family = self.game.family(arm.family);
        if self.puts(&arm.body) > 1 {
            return Err(format!("moves of `{}` move several pieces", family.name));
        }
        let told = self.told_by(arm.family, &|param| arm.bind.get(param).copied());
        let told = told.filter(|told| unchanged(&arm.body, *told));
        self.follow(&arm.body, told);
        Ok(told)
    }

    /// What tells the piece that moves, where `of` says what holds a parameter.
    fn told_by(&self, family: FamilyId, of: &dyn Fn(usize) -> Option<LocalId>) -> Option<Told> {
        let mover = self.movers[family.index()].as_ref()?;
        Some(Told {
            piece: of(mover.piece)?,
            place: of(mover.place)?,
            own: self.own[family.index()].and_then(of),
        })
    }

    /// Notes what functions get that are asked about moves to places of their own.
    fn asked(&mut self) {
        for (index, family) in self.game.families.iter().enumerate() {
            if self.own[index].is_none() {
                continue;
            }
            let context = family.context.len();
            let told = self.told_by(index.into(), &|param| Some((context + param).into()));
            let functions = [family.guard, family.effect, family.rank];
            for func in functions.into_iter().flatten() {
                self.called(func, told);
            }
        }
    }

    /// Notes what the calls of a block hand on.
    fn follow(&mut self, block: &Block, told: Option<Told>) {
        let mut calls = Vec::new();
        walk_block(block, &mut |stmt| {
            if let StmtKind::Call { func, args, .. } = &stmt.kind {
                let at = |local: LocalId| {
                    let at = args
                        .iter()
                        .position(|arg| arg.kind == ExprKind::Local(local));
                    at.map(LocalId::from)
                };
                let given = told.and_then(|told| {
                    Some(Told {
                        piece: at(told.piece)?,
                        place: at(told.place)?,
                        own: told.own.and_then(at),
                    })
                });
                calls.push((*func, given));
            }
        });
        for (func, given) in calls {
            self.called(func, given);
        }
    }

    fn called(&mut self, func: FuncId, given: Option<Told>) {
        let body = &self.game.function(func).body;
        let given = given.filter(|told| unchanged(body, *told));
        match self.told.get(&func) {
            Some(known) if *known == given || known.is_none() => return,
            Some(_) => self.told.insert(func, None),
            None => self.told.insert(func, given),
        };
        let now = self.told.get(&func).copied().flatten();
        self.follow(body, now);
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
fn unchanged(block: &Block, told: Told) -> bool {
    let mut same = true;
    walk_block(block, &mut |stmt| {
        crate::opt::locals::each_assigned(stmt, &mut |local| {
            same &= local != told.piece && local != told.place && Some(local) != told.own;
        });
    });
    same
}
