//! Whether a program reads of a piece no more than its place, its class and its variables.
//!
//! A piece is a value that may come from what stands on a place or from the move. It may be looked up in tables that say the same
//! of all that are alike, asked whether it is there, and handed on. Variables of pieces that rules write are read and written
//! where the piece is told by its place. Whatever else a rule does with a piece needs its name.

use rulec_ir::sorted::SortedSet;

use super::{MOST_CONTENTS, Mover, Quotient, mentions};
use crate::ir::effects::{Access, constants};
use crate::ir::walk::each_stmt;
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId, Over,
    ParamSource, Point, Stmt, StmtKind, TableId, Type, VarId,
};

/// The variables of pieces that rules write, with their values.
pub(super) fn check(quotient: &Quotient) -> Result<Vec<(VarId, Vec<Const>)>, String> {
    let game = &quotient.game;
    let mut check = Check {
        quotient,
        game,
        pieces: quotient.pieces(),
        constant: constants(game),
        waiting: Vec::new(),
        moved: None,
        seen: SortedSet::new(),
    };
    check.parts()?;
    let properties = check.properties()?;
    check.families()?;
    check.machine()?;
    while let Some(func) = check.waiting.pop() {
        let body = &game.function(func).body;
        check.block(body)?;
    }
    Ok(properties)
}

struct Check<'q> {
    quotient: &'q Quotient,
    game: &'q Game,
    pieces: DomainId,
    /// What no rule writes.
    constant: Access,
    /// Functions to look at.
    waiting: Vec<FuncId>,
    /// The variable that holds the piece of a move, and which pieces it can be, where that is looked at.
    moved: Option<(LocalId, &'q [u32])>,
    seen: SortedSet<FuncId>,
}

impl<'q> Check<'q> {
    fn mentions(&self, ty: &Type) -> bool {
        mentions(ty, self.pieces)
    }

    fn refuse<T>(&self, expr: &Expr, what: &str) -> Result<T, String> {
        Err(format!("{} {what}", self.game.origin(expr.span)))
    }

    /// What a game may not have besides.
    fn parts(&self) -> Result<(), String> {
        let game = self.game;
        let no = |what: &str| Err(String::from(what));
        if !game.snapshots.is_empty() || !game.trails.is_empty() {
            return no("positions are compared with earlier ones, or given back");
        }
        if game.episode.is_some() || !game.tellings.is_empty() {
            return no("a host gives its positions, or moves are told by the position");
        }
        if game.vars.iter().any(|var| self.mentions(&var.ty)) {
            return no("variables hold pieces");
        }
        if self.keeps_pieces() {
            return no("variables of rules hold pieces");
        }
        if game.draws.iter().any(|draw| self.mentions(&draw.ty)) {
            return no("pieces are drawn");
        }
        Ok(())
    }

    /// Whether a rule gives a variable of rules a piece, which others may read.
    fn keeps_pieces(&self) -> bool {
        let mut keeps = false;
        each_stmt(self.game, &mut |stmt| {
            if let StmtKind::SetEnv(var, _) = &stmt.kind {
                keeps |= self.mentions(&self.game.env[var.index()].ty);
            }
        });
        keeps
    }

    fn properties(&self) -> Result<Vec<(VarId, Vec<Const>)>, String> {
        let mut properties = Vec::new();
        for (index, var) in self.game.vars.iter().enumerate() {
            let id = VarId::from(index);
            let by_piece = |axis: &Axis| *axis == Axis::Domain(self.pieces);
            let Some(axis) = var.axes.iter().position(by_piece) else {
                continue;
            };
            if self.constant.vars.contains(&id) {
                // Positions show it of each piece, also where no rule asks for it.
                match self.same_along(&var.axes, &var.init, axis) {
                    true => continue,
                    false => return Err(format!("`{}` tells alike pieces apart", var.name)),
                }
            }
            if self.is_of_single_pieces(id) {
                continue;
            }
            let values = match var.ty {
                Type::Int { lo, hi } if hi - lo < MOST_CONTENTS as i64 => {
                    (lo..=hi).map(Const::Int).collect()
                }
                Type::Bool => vec![Const::Bool(false), Const::Bool(true)],
                _ => return Err(format!("`{}` has too many values", var.name)),
            };
            if var.axes.len() > 1 || var.meter || self.game.scores == Some(id) {
                return Err(format!("`{}` is not of pieces alone", var.name));
            }
            properties.push((id, values));
        }
        Ok(properties)
    }

    /// Whether a variable by pieces is written only of pieces, by name, that are alike with no other, and says the same of all that
    /// are alike.
    fn is_of_single_pieces(&self, var: VarId) -> bool {
        let own = self.game.var(var);
        let mut single = own.axes == [Axis::Domain(self.pieces)];
        each_stmt(self.game, &mut |stmt| {
            if let StmtKind::SetVar(written, index, _) = &stmt.kind
                && *written == var
            {
                single &= match index.first().and_then(Expr::as_const) {
                    Some(Const::Elem(piece)) => self.is_alone(*piece),
                    _ => false,
                };
            }
        });
        single && self.same_along(&own.axes, &own.init, 0)
    }

    fn families(&mut self) -> Result<(), String> {
        let game = self.game;
        let families = game.families.iter().zip(&self.quotient.families);
        for (family, mover) in families.filter(|(family, _)| !family.is_empty()) {
            if family.after.is_some() {
                return Err(format!(
                    "moves of `{}` are judged by the position after them",
                    family.name
                ));
            }
            let functions = [family.guard, family.effect, family.rank];
            functions
                .into_iter()
                .flatten()
                .for_each(|func| self.wait(func));
            for (at, param) in family.params.iter().enumerate() {
                match &param.source {
                    ParamSource::All => {}
                    ParamSource::Among(list) => {
                        if self.mentions(&param.ty) && !self.is_whole(list) {
                            return Err(format!(
                                "moves of `{}` take some of alike pieces",
                                family.name
                            ));
                        }
                    }
                    ParamSource::Is(expr) => match mover {
                        Some(mover) if mover.place == at => {
                            mover.when.iter().try_for_each(|when| self.expr(when))?;
                        }
                        _ => self.expr(expr)?,
                    },
                    ParamSource::Listed { by, table } => {
                        let moved = |mover: &Mover| mover.piece == *by && mover.own != Some(at);
                        if mover.as_ref().is_some_and(moved) {
                            self.same_of_alike(*table, 0)
                                .map_err(|table| format!("`{table}` tells alike pieces apart"))?;
                        }
                    }
                    ParamSource::Generated(func) => self.wait(*func),
                    ParamSource::Subset { of, size } => {
                        self.expr(of)?;
                        self.expr(size)?;
                    }
                }
            }
            self.moved = mover.as_ref().map(|mover| {
                let local = LocalId::from(family.context.len() + mover.piece);
                (local, &mover.candidates[..])
            });
            let told = family.class.iter().try_for_each(|expr| self.expr(expr));
            self.moved = None;
            told?;
        }
        Ok(())
    }

    fn machine(&mut self) -> Result<(), String> {
        let game = self.game;
        let Some(machine) = &game.machine else {
            return Ok(());
        };
        self.block(&machine.start)?;
        for point in &machine.points {
            let mut exprs = Vec::new();
            let mut blocks = Vec::new();
            match point {
                Point::Choose(choose) => {
                    choose.children(&mut |expr| exprs.push(expr));
                    choose.blocks(&mut |block| blocks.push(block));
                }
                Point::Chance(chance, block) => {
                    chance.children(&mut |expr| exprs.push(expr));
                    blocks.push(block);
                }
            }
            exprs.into_iter().try_for_each(|expr| self.expr(expr))?;
            blocks.into_iter().try_for_each(|block| self.block(block))?;
        }
        Ok(())
    }

    fn wait(&mut self, func: FuncId) {
        if self.seen.insert(func) {
            self.waiting.push(func);
        }
    }

    fn block(&mut self, block: &Block) -> Result<(), String> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        let refuse = |what: &str| Err(format!("{} {what}", self.game.origin(stmt.span)));
        match &stmt.kind {
            StmtKind::Put(own, piece, place) | StmtKind::Bring(own, piece, place, _) => {
                if *own != self.quotient.placement {
                    return refuse("moves a piece of another board");
                }
                if self
                    .quotient
                    .placed(piece)
                    .is_none_or(|placed| placed.when.is_some())
                {
                    return refuse("moves a piece of which the place is not known");
                }
                self.expr(piece)?;
                return self.expr(place);
            }
            StmtKind::Take(..) => return refuse("takes a piece off the board"),
            StmtKind::Snapshot(_) | StmtKind::Restore(_) => {
                return refuse("gives back a position");
            }
            StmtKind::SetVar(var, index, value) => {
                self.property(*var, index, stmt.span)?;
                self.expr(value)?;
                return index.iter().try_for_each(|index| self.expr(index));
            }
            StmtKind::Emit(_) => {
                let mut told = false;
                stmt.children(&mut |expr| told |= self.mentions(&expr.ty));
                if told {
                    return refuse("tells a piece");
                }
            }
            StmtKind::ForEach(_, over, _) => self.over(over, stmt.span)?,
            StmtKind::Call { func, .. } => self.wait(*func),
            StmtKind::Choose(_) | StmtKind::Chance(_) => return refuse("decides"),
            _ => {}
        }
        let mut exprs = Vec::new();
        stmt.children(&mut |expr| exprs.push(expr));
        exprs.into_iter().try_for_each(|expr| self.expr(expr))?;
        let mut blocks = Vec::new();
        stmt.blocks(&mut |block| blocks.push(block));
        blocks.into_iter().try_for_each(|block| self.block(block))
    }

    fn over(&self, over: &Over, span: crate::source::Span) -> Result<(), String> {
        let pieces = match over {
            Over::Domain(domain) => *domain == self.pieces,
            Over::Set(set) | Over::Seq(set) => self.mentions(&set.ty),
            Over::Range(..) => false,
        };
        match pieces {
            true => Err(format!("{} goes over pieces", self.game.origin(span))),
            false => Ok(()),
        }
    }

    /// A variable of a piece is told by the place of the piece, or says the same of all that are alike.
    fn property(
        &self,
        var: VarId,
        index: &[Expr],
        span: crate::source::Span,
    ) -> Result<(), String> {
        let own = self.game.var(var);
        let Some(axis) = own
            .axes
            .iter()
            .position(|axis| *axis == Axis::Domain(self.pieces))
        else {
            return Ok(());
        };
        let told = match self.constant.vars.contains(&var) {
            true => self.same_along(&own.axes, &own.init, axis),
            false if self.is_of_single_pieces(var) => true,
            false => index
                .iter()
                .all(|piece| self.quotient.placed(piece).is_some()),
        };
        match told {
            true => Ok(()),
            false => Err(format!(
                "{} asks `{}` of a piece by name",
                self.game.origin(span),
                own.name
            )),
        }
    }

    /// Whether values say the same of all that are alike along an axis.
    fn same_along(&self, axes: &[Axis], values: &[Const], axis: usize) -> bool {
        let first = |member: usize| self.quotient.first.get(member).copied();
        super::same_along(self.game, axes, values, axis, &first)
    }

    /// Whether a table says the same of all that are alike; its name otherwise.
    fn same_of_alike(&self, table: TableId, axis: usize) -> Result<(), String> {
        let table = self.game.table(table);
        match self.same_along(&table.axes, &table.values, axis) {
            true => Ok(()),
            false => Err(table.name.clone()),
        }
    }

    /// Whether a table by the piece of a move says the same of all that are alike and can be moved.
    fn is_moved(&self, arg: &Expr, table: TableId) -> bool {
        let Some((local, candidates)) = self.moved else {
            return false;
        };
        let table = self.game.table(table);
        let first = |piece: &u32| self.quotient.first.get(*piece as usize);
        let same = |piece: &u32| {
            let first = first(piece).and_then(|first| table.values.get(*first as usize));
            first == table.values.get(*piece as usize)
        };
        arg.kind == ExprKind::Local(local) && table.axes.len() == 1 && candidates.iter().all(same)
    }

    /// Whether a set of pieces has all that are alike or none.
    fn is_whole(&self, set: &[u32]) -> bool {
        let classes = &self.quotient.classes;
        classes.iter().all(|class| {
            let own = class.iter().filter(|piece| set.contains(piece)).count();
            own == 0 || own == class.len()
        })
    }

    fn is_alone(&self, piece: u32) -> bool {
        self.quotient.is_alone(piece)
    }

    fn expr(&mut self, expr: &Expr) -> Result<(), String> {
        use ExprKind as E;
        if self.mentions(&expr.ty) {
            let known = match &expr.kind {
                E::Local(_) | E::Get(_) | E::Some(_) | E::If(..) | E::OrElse(..) | E::Call(..) => {
                    !matches!(expr.ty, Type::Set(_) | Type::Seq { .. } | Type::Tagged)
                }
                E::Content(placement, _) => *placement == self.quotient.placement,
                E::Const(value) => matches!(value, Const::Elem(_) | Const::None),
                _ => false,
            };
            if !known {
                return self.refuse(expr, "gives a piece by name");
            }
        }
        match &expr.kind {
            E::Lookup(table, index) => {
                for (axis, arg) in index.iter().enumerate() {
                    if self.mentions(&arg.ty)
                        && !self.is_moved(arg, *table)
                        && let Err(table) = self.same_of_alike(*table, axis)
                    {
                        return self.refuse(expr, &format!("asks `{table}` of a piece by name"));
                    }
                }
            }
            E::Var(var, index) => self.property(*var, index, expr.span)?,
            E::IsSome(_) | E::Get(_) | E::Some(_) | E::If(..) | E::OrElse(..) => {}
            E::Call(func, _) => self.wait(*func),
            E::PlaceOf(..) if self.quotient.single(expr).is_some() => return Ok(()),
            E::Holds(relation, _) | E::Related(relation, _) => {
                self.operands(expr)?;
                self.wait(self.game.relation(*relation).holds);
            }
            E::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) if self.mentions(&a.ty) => {
                let alone = |other: &Expr| match other.as_const() {
                    Some(Const::None) => true,
                    Some(Const::Elem(piece)) => self.is_alone(*piece),
                    _ => false,
                };
                let wraps = |other: &Expr| match &other.kind {
                    E::Some(inner) => alone(inner),
                    _ => alone(other),
                };
                if !wraps(a) && !wraps(b) {
                    return self.refuse(expr, "compares a piece by name");
                }
            }
            E::Binary(BinaryOp::In, member, set) if self.mentions(&member.ty) => {
                let whole = matches!(set.as_const(), Some(Const::Set(set)) if self.is_whole(set));
                if !whole {
                    return self.refuse(expr, "asks for a piece by name");
                }
                return self.expr(member);
            }
            E::Fold { over, .. } | E::Collect { over, .. } | E::First { over, .. } => {
                self.over(over, expr.span)?;
                self.operands(expr)?;
            }
            _ => self.operands(expr)?,
        }
        let mut children = Vec::new();
        expr.children(&mut |child| children.push(child));
        children.into_iter().try_for_each(|child| self.expr(child))
    }

    /// Operands that are no pieces.
    fn operands(&self, expr: &Expr) -> Result<(), String> {
        let mut named = false;
        expr.children(&mut |child| named |= self.mentions(&child.ty));
        match named {
            true => self.refuse(expr, "needs the name of a piece"),
            false => Ok(()),
        }
    }
}
