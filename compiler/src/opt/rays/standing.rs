//! Sets of places by what stands there, as expressions.

use crate::board::contents::{Cases, Contents, Mask};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, Game, Local, LocalId, Over,
    PlacementForm, PlacementId, Stmt, Table, TableId, Type, UnaryOp,
};
use crate::opt::patterns::explore::Board;
use crate::opt::tables::known_or_new;
use crate::source::Span;

/// What sets of places are told by.
pub(in crate::opt) struct Standing {
    pub(in crate::opt) placement: PlacementId,
    pub(in crate::opt) board: Board,
    pub(in crate::opt) cases: Cases,
}

/// Writes sets, each kept in a variable that is assigned before.
pub(in crate::opt) struct Sets<'a> {
    pub(in crate::opt) game: &'a mut Game,
    of: &'a Standing,
    pub(in crate::opt) places: DomainId,
    /// The parameters of the function that is looked at, in the order in which the function that is written has them.
    own: Vec<usize>,
    pub(in crate::opt) locals: Vec<Local>,
    pub(in crate::opt) body: Block,
    /// The variables that hold the places with some contents.
    masks: Vec<(&'a Mask, LocalId)>,
    pub(in crate::opt) span: Span,
}

impl<'a> Sets<'a> {
    pub(in crate::opt) fn new(
        game: &'a mut Game,
        of: &'a Standing,
        own: Vec<usize>,
        locals: Vec<Local>,
        span: Span,
    ) -> Sets<'a> {
        Sets {
            places: game.placement(of.placement).places,
            game,
            of,
            own,
            locals,
            body: Vec::new(),
            masks: Vec::new(),
            span,
        }
    }

    pub(in crate::opt) fn set_type(&self) -> Type {
        Type::Set(self.places)
    }

    pub(in crate::opt) fn constant(&self, members: Vec<u32>) -> Expr {
        Expr::constant(Const::Set(members), self.set_type(), self.span)
    }

    pub(in crate::opt) fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    /// Keeps a set in a variable.
    pub(in crate::opt) fn keep(&mut self, name: &str, set: Expr) -> LocalId {
        let local = self.local(name, self.set_type());
        self.body.push(Stmt::assign(local, set));
        local
    }

    pub(in crate::opt) fn kept(&self, local: LocalId) -> Expr {
        Expr::local(local, self.set_type(), self.span)
    }

    pub(in crate::opt) fn collected(&self, local: LocalId, when: Expr) -> Expr {
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Domain(self.places)),
            when: Box::new(when),
        };
        Expr::new(kind, self.set_type(), self.span)
    }

    pub(in crate::opt) fn any(&self) -> Contents {
        Contents::of(&vec![true; self.of.board.contents.len() + 1])
    }

    /// The places with some contents, kept in a variable.
    pub(in crate::opt) fn standing(&mut self, mask: &'a Mask) -> Option<Expr> {
        if let Some((_, local)) = self.masks.iter().find(|(known, _)| *known == mask) {
            return Some(self.kept(*local));
        }
        let set = self.in_cases(&self.of.cases, &mask.iter().collect::<Vec<_>>())?;
        let local = self.keep("standing", set);
        self.masks.push((mask, local));
        Some(self.kept(local))
    }

    /// The same, not kept.
    pub(in crate::opt) fn standing_now(&mut self, mask: &Mask) -> Option<Expr> {
        self.in_cases(&self.of.cases, &mask.iter().collect::<Vec<_>>())
    }

    /// A value that is known in each case.
    pub(in crate::opt) fn chosen(&self, values: &[Const], ty: &Type) -> Option<Expr> {
        self.chosen_of(&self.of.cases, &values.iter().collect::<Vec<_>>(), ty)
    }

    fn chosen_of(&self, cases: &Cases, values: &[&Const], ty: &Type) -> Option<Expr> {
        let Some((given, parts)) = cases.split(values) else {
            return Some(Expr::constant(
                (*values.first()?).clone(),
                ty.clone(),
                self.span,
            ));
        };
        let given = self.renumbered(given)?;
        let mut all: Option<Expr> = None;
        for (value, cases, known) in parts.into_iter().rev() {
            let known: Vec<&Const> = known.into_iter().copied().collect();
            let chosen = self.chosen_of(&cases, &known, ty)?;
            let value = Expr::constant(value.clone(), given.ty.clone(), self.span);
            let test = given.clone().equals(value).at(self.span);
            all = Some(match all {
                Some(all) => Expr::select(test, chosen, all),
                None => chosen,
            });
        }
        all
    }

    /// The places with the contents of the case that is given.
    fn in_cases(&mut self, cases: &Cases, known: &[&Contents]) -> Option<Expr> {
        let Some((given, parts)) = cases.split(known) else {
            return self.of_contents(known.first()?);
        };
        let given = self.renumbered(given)?;
        let mut all: Option<Expr> = None;
        for (value, cases, known) in parts.into_iter().rev() {
            let known: Vec<&Contents> = known.into_iter().copied().collect();
            let set = self.in_cases(&cases, &known)?;
            let value = Expr::constant(value.clone(), given.ty.clone(), self.span);
            let test = given.clone().equals(value).at(self.span);
            all = Some(match all {
                Some(all) => Expr::select(test, set, all),
                None => set,
            });
        }
        all
    }

    /// Something given, as an expression of the parameters of the set.
    fn renumbered(&self, given: &Expr) -> Option<Expr> {
        let mut given = given.clone().at(self.span);
        let mut all = true;
        crate::opt::locals::rename_expr(&mut given, &mut |local| match self
            .own
            .iter()
            .position(|param| *param == local.index())
        {
            Some(place) => LocalId::from(place),
            None => {
                all = false;
                local
            }
        });
        all.then_some(given)
    }

    /// The places with one of some contents; the last of them is that of an empty place.
    fn of_contents(&mut self, contents: &Contents) -> Option<Expr> {
        let count = self.of.board.contents.len();
        let holds: Vec<bool> = (0..=count).map(|at| contents.contains(at)).collect();
        let (empty, standing) = holds.split_last()?;
        let one = |value: bool| standing.iter().all(|other| *other == value);
        if one(true) || one(false) {
            let taken = self.taken();
            return Some(match (*empty, one(true)) {
                (true, true) => Expr::unary(UnaryOp::Complement, self.constant(Vec::new())),
                (false, true) => taken,
                (true, false) => Expr::unary(UnaryOp::Complement, taken),
                (false, false) => self.constant(Vec::new()),
            });
        }
        let set = self
            .by_variable(standing)
            .or_else(|| self.by_piece(standing))?;
        Some(match empty {
            false => set,
            true => {
                let free = Expr::unary(UnaryOp::Complement, self.taken());
                Expr::binary(BinaryOp::Union, set, free)
            }
        })
    }

    pub(in crate::opt) fn content(&self, place: LocalId) -> Expr {
        let place = Expr::local(place, Type::Elem(self.places), self.span);
        Expr::content(self.game, self.of.placement, place)
    }

    /// The places where something stands.
    pub(in crate::opt) fn taken(&mut self) -> Expr {
        let place = self.local("place", Type::Elem(self.places));
        self.collected(place, self.content(place).is_some())
    }

    /// The places where a variable of what stands there has some values.
    fn by_variable(&mut self, standing: &[bool]) -> Option<Expr> {
        let board = &self.of.board;
        let (at, var) = (0..board.tracked.len()).find_map(|at| {
            let of = |wanted: &Const| {
                let same = board.contents.iter().zip(standing);
                let mut same = same.filter(|((_, known), _)| known[at] == *wanted);
                let first = same.next().map(|(_, holds)| *holds);
                same.all(|(_, holds)| Some(*holds) == first)
            };
            let mut values = board.contents.iter().map(|(_, known)| &known[at]);
            values.all(of).then_some((at, board.tracked[at]))
        })?;
        let mut values: Vec<Const> = Vec::new();
        for ((_, known), holds) in board.contents.iter().zip(standing) {
            if *holds && !values.contains(&known[at]) {
                values.push(known[at].clone());
            }
        }
        let sets: Vec<Expr> = values
            .into_iter()
            .map(|value| {
                let place = self.local("place", Type::Elem(self.places));
                let stands = self.content(place);
                let piece = stands.clone().get();
                let held = Expr::var(self.game, var, vec![piece], self.span);
                let ty = held.ty.clone();
                let equal = held.equals(Expr::constant(value, ty, self.span));
                self.collected(place, stands.is_some().and(equal))
            })
            .collect();
        sets.into_iter()
            .reduce(|all, one| Expr::binary(BinaryOp::Union, all, one))
    }

    /// The places where one of some pieces stands.
    fn by_piece(&mut self, standing: &[bool]) -> Option<Expr> {
        let board = &self.of.board;
        let pieces = self.game.placement(self.of.placement).pieces;
        let mut holds: Vec<Option<bool>> = vec![None; self.game.domain(pieces).len()];
        for ((piece, _), value) in board.contents.iter().zip(standing) {
            let slot = &mut holds[*piece as usize];
            if *slot.get_or_insert(*value) != *value {
                return None;
            }
        }
        if self.game.placement(self.of.placement).form == PlacementForm::Anonymous {
            let kinds = (0u32..).zip(&holds);
            let kinds = kinds.filter(|(_, holds)| **holds == Some(true));
            let sets = kinds.map(|(kind, _)| {
                let kind = Expr::elem(pieces, kind, self.span);
                let kind = ExprKind::Places(self.of.placement, Box::new(kind));
                Expr::new(kind, self.set_type(), self.span)
            });
            return sets.reduce(|all, one| Expr::binary(BinaryOp::Union, all, one));
        }
        let values = holds.iter().map(|holds| Const::Bool(*holds == Some(true)));
        let table = self.table(
            "what stands",
            pieces,
            Type::Bool,
            values.collect(),
            Some(Const::Bool(false)),
        );
        let place = self.local("place", Type::Elem(self.places));
        let stands = self.content(place);
        let when = Expr::lookup(self.game, table, vec![stands], self.span);
        Some(self.collected(place, when))
    }

    /// A table with these values, one that there is already if possible.
    pub(in crate::opt) fn table(
        &mut self,
        name: &str,
        axis: DomainId,
        ty: Type,
        values: Vec<Const>,
        outside: Option<Const>,
    ) -> TableId {
        let table = Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(axis)],
            ty,
            values,
            outside,
            span: self.span,
        };
        known_or_new(self.game, table)
    }
}
