//! Positions without the names of pieces: which games can forget who of those that are alike stands where.
//!
//! [`crate::rename`] proves which pieces the rules do not tell apart. Where the program, after the passes, reads of a piece no
//! more than the place it stands on, its class and its variables, a position is what stands on each place: a class and the
//! values of these variables. That is looked at here, on the program itself, so it does not depend on how rules are spelled
//! nor on the proof; whatever else a program does with pieces keeps their names, and the reason is told.

mod check;
mod contents;
mod pools;
mod sources;

use rulec_ir::sorted::SortedSet;

use crate::ir::value::evaluate;
use crate::ir::walk::each_stmt;
use crate::ir::{
    Axis, Const, DomainId, Expr, ExprKind, Family, FamilyId, Game, LocalId, ParamSource,
    PlacementForm, PlacementId, StmtKind, Type, VarId,
};

use pools::Pools;

pub use pools::Pool;

/// Contents that are told apart at most: classes, and values of a variable.
const MOST_CONTENTS: usize = 16;

/// How a game forgets names.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The placement whose pieces lose their names.
    pub placement: PlacementId,
    /// For each piece the first that is alike.
    pub first: Vec<u32>,
    /// The classes, by their first members, each ascending.
    pub classes: Vec<Vec<u32>>,
    /// The variables of pieces that rules write, with all values of each.
    pub properties: Vec<(VarId, Vec<Const>)>,
    /// For each family the piece among its parameters.
    pub families: Vec<Option<Mover>>,
    /// The pieces that have places of their own.
    pub pools: Vec<Pool>,
    /// The program, in which a piece that is moved or changed is told by its place.
    pub game: Game,
}

/// A piece among the parameters of a family, and the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mover {
    /// The parameter that is the piece.
    pub piece: usize,
    /// The parameter that is its place.
    pub place: usize,
    /// The pieces that it can be.
    pub candidates: Vec<u32>,
    /// Whether each of them that a move can take stands where it started: nothing is put where moves take them from.
    pub unmoved: bool,
    /// The parameter that is the place of its own to which the piece goes.
    pub own: Option<usize>,
    /// Which places are candidates: a truth about the parameter `place`; all where there is none.
    pub when: Option<Expr>,
}

impl Quotient {
    /// How a game that has passed all passes forgets names.
    ///
    /// # Errors
    /// Why it needs them.
    pub fn of(game: &Game) -> Result<Quotient, String> {
        let placement = the_placement(game)?;
        let pools = Pools::of(game, placement);
        let found = Quotient::with(game, placement, &pools);
        match pools.all.is_empty() {
            true => found,
            false => found.or_else(|why| {
                let found = Quotient::with(game, placement, &Pools::default());
                found.map_err(|_| why)
            }),
        }
    }

    fn with(game: &Game, placement: PlacementId, pools: &Pools) -> Result<Quotient, String> {
        let first = first_alike(game, game.placement(placement).pieces, pools);
        let classes = classes_of(&first);
        if classes.iter().all(|class| class.len() == 1) {
            return Err(String::from("no two pieces are alike"));
        }
        if classes.len() > MOST_CONTENTS {
            return Err(String::from("there are too many kinds of pieces"));
        }
        let entered = entered(game, placement);
        let mut families = Vec::new();
        for family in &game.families {
            let mut mover = match family.is_empty() {
                true => None,
                false => mover(game, placement, family)?,
            };
            if let Some(mover) = &mut mover {
                mover.keep_possible(game, placement, &entered);
                mover.own = pools.param(game, family, mover);
            }
            families.push(mover);
        }
        let own = |mover: &Option<Mover>| mover.as_ref().and_then(|mover| mover.own);
        let own: Vec<Option<usize>> = families.iter().map(own).collect();
        let sources::ByPlace { mut game, told } =
            sources::by_place(game, placement, &families, &own)?;
        contents::tell_by_places(&mut game, placement);
        if !pools.all.is_empty() {
            pools::fill(&mut game, placement, pools, &families, &told)?;
        }
        for (index, mover) in families.iter().enumerate() {
            if let Some(mover) = mover {
                mover.tell(&mut game, index.into());
            }
        }
        // What a move of the family that several are written as names, moves that go by other names do, too.
        let families = (0..families.len()).map(|index| {
            let written = game.written_as(index.into());
            families[written.index()].clone()
        });
        let families = families.collect();
        let mut quotient = Quotient {
            placement,
            first,
            classes,
            properties: Vec::new(),
            families,
            pools: pools.all.clone(),
            game,
        };
        quotient.properties = check::check(&quotient)?;
        Ok(quotient)
    }

    /// The pieces.
    pub fn pieces(&self) -> DomainId {
        self.game.placement(self.placement).pieces
    }

    /// The places.
    pub fn places(&self) -> DomainId {
        self.game.placement(self.placement).places
    }

    /// The class of a piece, by number.
    pub fn class_of(&self, piece: u32) -> usize {
        let first = self.first.get(piece as usize);
        let found = self.classes.iter().position(|class| class.first() == first);
        debug_assert!(found.is_some(), "{piece} is a piece of a class");
        found.unwrap_or(0)
    }

    /// The values of a variable that the places of pieces tell.
    pub fn values(&self, var: VarId) -> Option<&[Const]> {
        let found = self.properties.iter().find(|(own, _)| *own == var);
        found.map(|(_, values)| &values[..])
    }

    /// Whether no other piece is like it.
    pub fn is_alone(&self, piece: u32) -> bool {
        self.classes.iter().any(|class| class[..] == [piece])
    }

    /// The class, by number, of the piece whose place an expression asks for by name, if no other is like it: its place tells it.
    pub fn single(&self, place: &Expr) -> Option<usize> {
        let ExprKind::PlaceOf(placement, piece) = &place.kind else {
            return None;
        };
        match piece.as_const() {
            Some(&Const::Elem(piece)) if *placement == self.placement && self.is_alone(piece) => {
                Some(self.class_of(piece))
            }
            _ => None,
        }
    }

    /// Where a piece stands that an expression tells by its place: `get(at[place])`, or the same of an optional content.
    pub fn placed<'e>(&self, piece: &'e Expr) -> Option<Placed<'e>> {
        placed(piece, self.placement)
    }
}

/// A piece that is told by its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'e> {
    /// The place.
    pub place: &'e Expr,
    /// What must hold for anything to stand there.
    pub when: Option<&'e Expr>,
    /// Where it is a fault that nothing stands there.
    pub asked: &'e Expr,
}

fn placed(piece: &Expr, placement: PlacementId) -> Option<Placed<'_>> {
    let ExprKind::Get(content) = &piece.kind else {
        return None;
    };
    let place =
        |content: &'_ Expr| matches!(&content.kind, ExprKind::Content(own, _) if *own == placement);
    let (when, content) = match &content.kind {
        ExprKind::If(when, there, none) if none.as_const() == Some(&Const::None) => {
            (Some(&**when), &**there)
        }
        _ => (None, &**content),
    };
    match &content.kind {
        ExprKind::Content(_, at) if place(content) => Some(Placed {
            place: at,
            when,
            asked: piece,
        }),
        _ => None,
    }
}

impl Mover {
    /// Leaves out pieces that never stand on a place that the move takes its piece from: those that start elsewhere, where no
    /// piece is ever put there.
    fn keep_possible(&mut self, game: &Game, placement: PlacementId, entered: &SortedSet<u32>) {
        let Some(when) = &self.when else { return };
        let placement = game.placement(placement);
        let mut origins = SortedSet::new();
        for place in 0..game.domain(placement.places).len() as u32 {
            if admits(game, when, place) != Some(false) {
                origins.insert(place);
            }
        }
        if origins.is_disjoint(entered) {
            let starts = |piece: &u32| {
                let place = placement.init.get(*piece as usize).copied().flatten();
                place.is_some_and(|place| origins.contains(&place))
            };
            self.candidates.retain(starts);
            self.unmoved = true;
        }
    }

    /// Puts in the class of a move what a table says of every piece that it can be: others that are alike may be told apart by
    /// that table.
    fn tell(&self, game: &mut Game, family: FamilyId) {
        let piece = LocalId::from(game.family(family).context.len() + self.piece);
        let told = |expr: &Expr| -> Option<Const> {
            let ExprKind::Lookup(table, index) = &expr.kind else {
                return None;
            };
            let table = game.table(*table);
            let of_piece = matches!(&index[..], [index] if index.kind == ExprKind::Local(piece));
            let mut values = self
                .candidates
                .iter()
                .map(|piece| table.values.get(*piece as usize));
            let first = values.next()?.filter(|_| of_piece)?;
            values
                .all(|value| value == Some(first))
                .then(|| first.clone())
        };
        let class = game.family(family).class.iter();
        let class: Vec<Expr> = class
            .map(|expr| match told(expr) {
                Some(value) => Expr::new(ExprKind::Const(value), expr.ty.clone(), expr.span),
                None => expr.clone(),
            })
            .collect();
        game.families[family.index()].class = class;
    }
}

/// Whether values say the same, along an axis, of each member and of the first that is alike, which is itself where `first` does
/// not tell.
fn same_along(
    game: &Game,
    axes: &[Axis],
    values: &[Const],
    axis: usize,
    first: &dyn Fn(usize) -> Option<u32>,
) -> bool {
    let lens: Vec<usize> = axes.iter().map(|axis| axis.len(game)).collect();
    let stride: usize = lens.iter().skip(axis + 1).product();
    let len = lens.get(axis).copied().unwrap_or(1).max(1);
    values.iter().enumerate().all(|(at, value)| {
        let member = at / stride % len;
        let first = first(member).map_or(member, |first| first as usize);
        values.get(at - member * stride + first * stride) == Some(value)
    })
}

/// Whether a truth about a place, the only local variable in it, holds of one; nothing where constants do not tell.
fn admits(game: &Game, when: &Expr, place: u32) -> Option<bool> {
    let mut last = 0;
    when.walk(&mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            last = last.max(local.index());
        }
    });
    let known = vec![Some(Const::Elem(place)); last + 1];
    match evaluate(game, when, &known, 0)? {
        Const::Bool(admits) => Some(admits),
        _ => None,
    }
}

/// The places that pieces are put on.
fn entered(game: &Game, placement: PlacementId) -> SortedSet<u32> {
    let all = game.domain(game.placement(placement).places).len() as u32;
    let mut places = SortedSet::new();
    each_stmt(game, &mut |stmt| match &stmt.kind {
        StmtKind::Bring(own, _, _, known) if *own == placement => places.extend(&known.to),
        StmtKind::Put(own, ..) if *own == placement => places.extend(0..all),
        _ => {}
    });
    places
}

/// The only placement of pieces with names.
fn the_placement(game: &Game) -> Result<PlacementId, String> {
    let mut named = (0..game.placements.len()).filter(|&index| {
        let placement = &game.placements[index];
        placement.form != PlacementForm::Anonymous
    });
    let (Some(index), None) = (named.next(), named.next()) else {
        return Err(String::from("its pieces do not stand on one board"));
    };
    let placement = &game.placements[index];
    let alone = |other: &crate::ir::Placement| {
        std::ptr::eq(other, placement)
            || other.pieces != placement.pieces && other.places != placement.pieces
    };
    if placement.form != PlacementForm::One || placement.pieces == placement.places {
        return Err(String::from("several pieces may stand on one place"));
    }
    if !game.placements.iter().all(alone) {
        return Err(String::from("its pieces stand on several boards"));
    }
    if placement.init.iter().any(Option::is_none) {
        return Err(String::from("some piece is not on the board at the start"));
    }
    Ok(PlacementId::from(index))
}

/// The classes, by their first members.
fn classes_of(first: &[u32]) -> Vec<Vec<u32>> {
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for (piece, &first) in (0u32..).zip(first) {
        let own = |class: &&mut Vec<u32>| class.first() == Some(&first);
        match classes.iter_mut().find(own) {
            Some(class) => class.push(piece),
            None => classes.push(vec![piece]),
        }
    }
    classes
}

/// For each piece the first that is alike, whatever places they have but those of pools.
fn first_alike(game: &Game, pieces: DomainId, pools: &Pools) -> Vec<u32> {
    let mut first: Vec<u32> = (0..game.domain(pieces).len() as u32).collect();
    for class in game.interchangeable.iter() {
        let own = pools.are_pool(&class.members);
        if class.domain == pieces && class.pieces && (class.with_places.is_none() || own) {
            for &member in &class.members {
                if let Some(own) = first.get_mut(member as usize) {
                    *own = class.members[0];
                }
            }
        }
    }
    first
}

/// Whether a type is about pieces.
pub(crate) fn mentions(ty: &Type, pieces: DomainId) -> bool {
    match ty {
        Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => *domain == pieces,
        Type::Seq { item, .. } => mentions(item, pieces),
        Type::Tagged => true,
        Type::Bool | Type::Int { .. } | Type::Wrap32 => false,
    }
}

/// The piece among the parameters of a family.
fn mover(game: &Game, placement: PlacementId, family: &Family) -> Result<Option<Mover>, String> {
    let pieces = game.placement(placement).pieces;
    let needs = |what: &str| format!("moves of `{}` {what}", family.name);
    if family
        .context
        .iter()
        .any(|local| mentions(&local.ty, pieces))
    {
        return Err(needs("depend on a piece that is given"));
    }
    let mut own = (0..family.params.len()).filter(|&at| mentions(&family.params[at].ty, pieces));
    let Some(piece) = own.next() else {
        return Ok(None);
    };
    if own.next().is_some() || family.params[piece].ty != Type::Elem(pieces) {
        return Err(needs("name several pieces"));
    }
    let candidates = match &family.params[piece].source {
        ParamSource::All => (0..game.domain(pieces).len() as u32).collect(),
        ParamSource::Among(list) => list.clone(),
        _ => return Err(needs("choose their piece by a rule")),
    };
    let local = LocalId::from(family.context.len() + piece);
    let places = game.placement(placement).places;
    let follows = |at: &usize| {
        let param = &family.params[*at];
        let ParamSource::Is(expr) = &param.source else {
            return None;
        };
        let own = LocalId::from(family.context.len() + at);
        (param.ty == Type::Elem(places)).then_some(())?;
        Some((*at, stands(expr, placement, local, own)?))
    };
    let mut found = (piece + 1..family.params.len()).filter_map(|at| follows(&at));
    let (Some((place, when)), None) = (found.next(), found.next()) else {
        return Err(needs("do not name the place of their piece"));
    };
    Ok(Some(Mover {
        piece,
        place,
        candidates,
        unmoved: false,
        own: None,
        when,
    }))
}

/// What must hold of a place, the variable `own`, where an expression gives the place of a piece or nothing.
fn stands(
    expr: &Expr,
    placement: PlacementId,
    piece: LocalId,
    own: LocalId,
) -> Option<Option<Expr>> {
    let is_place = |expr: &Expr| matches!(&expr.kind, ExprKind::PlaceOf(of, who) if *of == placement && who.kind == ExprKind::Local(piece));
    if is_place(expr) {
        return Some(None);
    }
    let ExprKind::If(cond, yes, no) = &expr.kind else {
        return None;
    };
    if !is_place(yes) || no.as_const() != Some(&Const::None) {
        return None;
    }
    let mut when = (**cond).clone();
    replace(&mut when, &|expr| is_place(expr), &|expr| {
        let Type::Opt(places) = expr.ty else { return };
        let place = Expr::local(own, Type::Elem(places), expr.span);
        *expr = Expr::new(
            ExprKind::Some(Box::new(place)),
            Type::Opt(places),
            expr.span,
        );
    });
    let mut plain = true;
    when.walk(&mut |expr| plain &= expr.kind != ExprKind::Local(piece));
    plain.then_some(Some(when))
}

fn replace(expr: &mut Expr, is: &dyn Fn(&Expr) -> bool, put: &dyn Fn(&mut Expr)) {
    if is(expr) {
        put(expr);
        return;
    }
    expr.children_mut(&mut |child| replace(child, is, put));
}
