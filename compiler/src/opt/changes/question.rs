//! Questions of the whole board, read from the sets of places that they compare.

use crate::ir::value;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Fold, FuncId, Game, LocalId, Over, PlacementForm, PlacementId,
    StmtKind, Type,
};
use crate::opt::questions::asked_placement;

use crate::ir::effects::Effects;

/// Lines of a question.
const MOST_LINES: usize = 8192;

/// A question that holds if some line of the board does.
pub(super) struct Question {
    pub(super) func: FuncId,
    pub(super) placement: PlacementId,
    /// The parts, of which one must hold.
    pub(super) parts: Vec<Part>,
    /// For each test of places the contents that pass: of each piece, and last that of an empty place.
    masks: Vec<Vec<bool>>,
}

/// Lines that are asked about together.
pub(super) struct Part {
    /// What must be so beside the board: an expression, and its value.
    pub(super) when: Vec<(Expr, bool)>,
    /// The expression that asks, without what must be so beside the board.
    pub(super) asks: Expr,
    /// The number of a line in it, if there are several, and the first number.
    pub(super) line: Option<(LocalId, i64)>,
    /// The tests of each line.
    pub(super) lines: Vec<Vec<Test>>,
}

/// A test of what stands on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    place: u32,
    mask: usize,
    holds: bool,
}

/// A piece that comes from one place to another that was free.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) pieces: Vec<u32>,
    pub(super) from: Vec<u32>,
    pub(super) to: Vec<u32>,
}

impl Question {
    /// The question that a function asks, if it is one.
    pub(super) fn of(game: &Game, effects: &Effects, func: FuncId) -> Option<Question> {
        let placement = asked_placement(game, effects, func)?;
        let function = game.function(func);
        let [only] = &function.body[..] else {
            return None;
        };
        let StmtKind::Return(Some(value)) = &only.kind else {
            return None;
        };
        if function.params > 0 || game.placement(placement).form != PlacementForm::One {
            return None;
        }
        let mut reader = Reader {
            game,
            placement,
            parts: Vec::new(),
            masks: Vec::new(),
        };
        reader.read(value, &mut Vec::new())?;
        let (parts, masks) = (reader.parts, reader.masks);
        let lines: usize = parts.iter().map(|part| part.lines.len()).sum();
        (1..=MOST_LINES).contains(&lines).then_some(Question {
            func,
            placement,
            parts,
            masks,
        })
    }

    /// Whether it asks of all of its lines whatever is so beside the board.
    pub(super) fn is_plain(&self) -> bool {
        self.parts.iter().all(|part| part.when.is_empty())
    }

    /// Whether no line holds where these pieces stand on these places.
    pub(super) fn fails_at(&self, init: &[Option<u32>]) -> bool {
        let standing = |place: u32| init.iter().position(|on| *on == Some(place));
        let holds = |test: &Test| self.passes(test, standing(test.place));
        let mut lines = self.parts.iter().flat_map(|part| &part.lines);
        !lines.any(|line| line.iter().all(holds))
    }

    fn passes(&self, test: &Test, piece: Option<usize>) -> bool {
        let mask = &self.masks[test.mask];
        let at = piece.unwrap_or(mask.len() - 1);
        mask.get(at).copied().unwrap_or(false) == test.holds
    }

    /// Whether the place that a piece leaves can make no line hold.
    pub(super) fn may_leave(&self, change: &Change) -> bool {
        let gains = |test: &Test| {
            let mut pieces = change.pieces.iter();
            change.from.binary_search(&test.place).is_ok()
                && self.passes(test, None)
                && pieces.any(|piece| !self.passes(test, Some(*piece as usize)))
        };
        let lines = self.parts.iter().flat_map(|part| &part.lines);
        !lines.flatten().any(gains)
    }

    /// The numbers of the lines of a part that may hold because of a piece that has come to a place, and did not before.
    pub(super) fn lines_at(&self, part: &Part, change: &Change, place: u32) -> Vec<usize> {
        let pieces = || change.pieces.iter().map(|piece| Some(*piece as usize));
        let may_hold = |test: &Test| pieces().any(|piece| self.passes(test, piece));
        let through = |line: &[Test]| {
            let own = || line.iter().filter(|test| test.place == place);
            let mut gained = own().filter(|test| !self.passes(test, None));
            gained.any(may_hold) && own().all(may_hold)
        };
        let lines = part.lines.iter().enumerate();
        let lines = lines.filter(|(_, line)| through(line));
        lines.map(|(number, _)| number).collect()
    }
}

struct Reader<'g> {
    game: &'g Game,
    placement: PlacementId,
    parts: Vec<Part>,
    masks: Vec<Vec<bool>>,
}

impl Reader<'_> {
    fn read(&mut self, expr: &Expr, when: &mut Vec<(Expr, bool)>) -> Option<()> {
        match &expr.kind {
            ExprKind::Const(Const::Bool(false)) => Some(()),
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                self.read(left, when)?;
                self.read(right, when)
            }
            ExprKind::If(cond, yes, no) if is_beside_board(cond) => {
                self.read_under(cond, true, yes, when)?;
                self.read_under(cond, false, no, when)
            }
            ExprKind::Binary(BinaryOp::And, cond, rest) if is_beside_board(cond) => {
                self.read_under(cond, true, rest, when)
            }
            _ => self.read_part(expr, when.clone()),
        }
    }

    fn read_under(
        &mut self,
        cond: &Expr,
        value: bool,
        rest: &Expr,
        when: &mut Vec<(Expr, bool)>,
    ) -> Option<()> {
        when.push((cond.clone(), value));
        let read = self.read(rest, when);
        when.pop();
        read
    }

    fn read_part(&mut self, expr: &Expr, when: Vec<(Expr, bool)>) -> Option<()> {
        let (line, body, numbers) = match &expr.kind {
            ExprKind::Fold {
                fold: Fold::Exists,
                local,
                over,
                body,
            } => {
                let Over::Range(first, last) = &**over else {
                    return None;
                };
                let (Some(Const::Int(first)), Some(Const::Int(last))) =
                    (first.as_const(), last.as_const())
                else {
                    return None;
                };
                let count = last.checked_sub(*first)?;
                if !(0..MOST_LINES as i64).contains(&count) || !only_looked_up(body, *local) {
                    return None;
                }
                (Some((*local, *first)), &**body, *first..=*last)
            }
            _ => (None, expr, 0..=0),
        };
        let mut lines = Vec::new();
        for number in numbers {
            let mut tests = Vec::new();
            let number = line.map(|(local, _)| (local, number));
            self.tests(body, number, &mut tests)?;
            lines.push(tests);
        }
        self.parts.push(Part {
            when,
            asks: expr.clone(),
            line,
            lines,
        });
        Some(())
    }

    /// Adds the tests that a product of comparisons of sets makes.
    fn tests(
        &mut self,
        expr: &Expr,
        line: Option<(LocalId, i64)>,
        tests: &mut Vec<Test>,
    ) -> Option<()> {
        let ExprKind::Binary(op, left, right) = &expr.kind else {
            return None;
        };
        match op {
            BinaryOp::And => {
                self.tests(left, line, tests)?;
                self.tests(right, line, tests)
            }
            BinaryOp::Subset => {
                let (mask, places) = (self.mask(right)?, self.places(left, line)?);
                tests.extend(places.into_iter().map(|place| Test {
                    place,
                    mask,
                    holds: true,
                }));
                Some(())
            }
            BinaryOp::Eq => {
                let ExprKind::Binary(BinaryOp::Intersect, set, look) = &left.kind else {
                    return None;
                };
                let (look, wanted) = (self.places(look, line)?, self.places(right, line)?);
                if !wanted.iter().all(|place| look.contains(place)) {
                    return None;
                }
                let mask = self.mask(set)?;
                tests.extend(look.into_iter().map(|place| Test {
                    place,
                    mask,
                    holds: wanted.contains(&place),
                }));
                Some(())
            }
            _ => None,
        }
    }

    /// A constant set of places, that of a line if there are several.
    fn places(&self, expr: &Expr, line: Option<(LocalId, i64)>) -> Option<Vec<u32>> {
        let known = |part: &Expr| match (&part.kind, line) {
            (ExprKind::Local(local), Some((own, number))) if *local == own => {
                Some(Const::Int(number))
            }
            _ => None,
        };
        match computed(self.game, expr, &known)? {
            Const::Set(places) => Some(places),
            _ => None,
        }
    }

    /// The contents that pass the test of a set of places.
    fn mask(&mut self, set: &Expr) -> Option<usize> {
        let ExprKind::Collect { local, over, when } = &set.kind else {
            return None;
        };
        let placement = self.game.placement(self.placement);
        if **over != Over::Domain(placement.places) {
            return None;
        }
        let pieces = (0..self.game.domain(placement.pieces).len() as u32).map(Const::Elem);
        let passes = |content: Const| {
            let known = |part: &Expr| match &part.kind {
                ExprKind::Content(own, at) if *own == self.placement => {
                    (at.kind == ExprKind::Local(*local)).then(|| content.clone())
                }
                _ => None,
            };
            match computed(self.game, when, &known)? {
                Const::Bool(passes) => Some(passes),
                _ => None,
            }
        };
        let mask: Vec<bool> = pieces
            .chain([Const::None])
            .map(passes)
            .collect::<Option<_>>()?;
        let known = self.masks.iter().position(|other| *other == mask);
        Some(known.unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        }))
    }
}

/// The value of an expression, given those of some of its parts.
pub(super) fn computed(
    game: &Game,
    expr: &Expr,
    known: &dyn Fn(&Expr) -> Option<Const>,
) -> Option<Const> {
    if let Some(value) = known(expr) {
        return Some(value);
    }
    let mut parts = Vec::new();
    expr.children(&mut |part| parts.push(computed(game, part, known)));
    let parts: Vec<Const> = parts.into_iter().collect::<Option<_>>()?;
    let parts: Vec<&Const> = parts.iter().collect();
    value::apply(game, expr, &parts)
}

/// Whether an expression depends on plain variables alone.
fn is_beside_board(expr: &Expr) -> bool {
    let mut own = expr.ty == Type::Bool;
    expr.walk(&mut |part| {
        own &= match &part.kind {
            ExprKind::Var(_, index) => index.is_empty(),
            ExprKind::Const(_)
            | ExprKind::Lookup(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Ordinal(_)
            | ExprKind::Some(_)
            | ExprKind::IsSome(_)
            | ExprKind::ToInt(_)
            | ExprKind::ToWrap(_) => true,
            _ => false,
        };
    });
    own
}

/// Whether the number of a line is nothing but the only index of tables of sets.
fn only_looked_up(body: &Expr, line: LocalId) -> bool {
    let (mut read, mut looked_up) = (0, 0);
    body.walk(&mut |part| match &part.kind {
        ExprKind::Local(local) => read += usize::from(*local == line),
        ExprKind::Lookup(_, index) => {
            let own = |index: &Expr| index.kind == ExprKind::Local(line);
            let set = matches!(part.ty, Type::Set(_));
            looked_up += usize::from(set && index.len() == 1 && index.iter().all(own));
        }
        _ => {}
    });
    read == looked_up
}
