//! Questions about the lines through one place.

use rulec_ir::sorted::SortedMap;

use super::question::{Change, Part, Question};
use crate::ir::walk::rewrite;
use crate::ir::{
    Axis, Const, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Over, Stmt, Table,
    TableId, Type,
};
use crate::opt::locals::rename_expr;
use crate::opt::tables::{free_name, known_or_new};

/// The place that has changed, in functions that ask about it.
const PLACE: LocalId = LocalId(0);

/// Adds a function that asks about the lines through a place to which a piece has come for sure, or else may have come: of those of
/// some parts.
pub(super) fn through(
    game: &mut Game,
    question: &Question,
    (change, sure): (&Change, bool),
    parts: &[usize],
) -> FuncId {
    let asked = game.function(question.func).clone();
    let places = game.placement(question.placement).places;
    let mut locals = vec![Local {
        name: "changed".to_owned(),
        ty: Type::Elem(places),
    }];
    locals.extend(asked.locals.iter().cloned());
    let mut all: Option<Expr> = None;
    for part in parts.iter().filter_map(|part| question.parts.get(*part)) {
        let mut writer = Writer {
            game: &mut *game,
            question,
            change,
            sure,
            part,
            name: &asked.name,
        };
        let Some(value) = writer.part(&mut locals) else {
            continue;
        };
        all = Some(match all {
            Some(all) => all.or(value),
            None => value,
        });
    }
    let value = all.unwrap_or_else(|| Expr::bool(false, asked.span));
    let body = vec![Stmt::give(value.at(asked.span))];
    add(
        game,
        Function {
            name: format!("{} through the changed place", asked.name),
            params: 1,
            locals,
            body,
            ..asked
        },
    )
}

/// Adds a function that asks about all lines, whatever is so beside the board.
pub(super) fn anywhere(game: &mut Game, question: &Question) -> FuncId {
    let asked = game.function(question.func).clone();
    let parts = question.parts.iter().map(|part| part.asks.clone());
    let value = parts.reduce(Expr::or);
    let value = value.unwrap_or_else(|| Expr::bool(false, asked.span));
    let body = vec![Stmt::give(value.at(asked.span))];
    let name = format!("{} of anybody", asked.name);
    add(
        game,
        Function {
            name,
            body,
            ..asked
        },
    )
}

/// Adds a function under a name that is free.
pub(super) fn add(game: &mut Game, function: Function) -> FuncId {
    let names = game.functions.iter().map(|other| other.name.as_str());
    let name = free_name(&function.name, names);
    game.functions.push(Function { name, ..function });
    FuncId::from(game.functions.len() - 1)
}

struct Writer<'a> {
    game: &'a mut Game,
    question: &'a Question,
    change: &'a Change,
    /// Whether it took place; else the place may be one to which nothing can come.
    sure: bool,
    part: &'a Part,
    name: &'a str,
}

impl Writer<'_> {
    /// What a part asks of the lines through the place; nothing if there are none.
    fn part(&mut self, locals: &mut Vec<Local>) -> Option<Expr> {
        let places = self.game.placement(self.question.placement).places;
        let count = self.game.domain(places).len() as u32;
        let lines_at = |place: u32| match self.change.to.binary_search(&place) {
            Ok(_) => self.question.lines_at(self.part, self.change, place),
            Err(_) => Vec::new(),
        };
        let rows: Vec<Vec<usize>> = (0..count).map(lines_at).collect();
        let most = rows.iter().map(Vec::len).max().filter(|most| *most > 0)?;
        let mut asks = self.part.asks.clone();
        let line = LocalId::from(locals.len());
        let old = self.part.line.map(|(line, _)| line);
        rename_expr(&mut asks, &mut |local| match Some(local) == old {
            true => line,
            false => LocalId::from(local.index() + 1),
        });
        if let Some((_, first)) = self.part.line {
            let last = most as i64 - 1;
            let (name, ty) = ("line".to_owned(), Type::Int { lo: 0, hi: last });
            locals.push(Local { name, ty });
            self.look_up(&mut asks, line, first, &rows, most);
        }
        let has_line = |place: u32| rows.get(place as usize).is_some_and(|row| !row.is_empty());
        let everywhere = match self.sure {
            true => self.change.to.iter().copied().all(has_line),
            false => (0..count).all(has_line),
        };
        if everywhere {
            return Some(asks);
        }
        let values = rows.iter().map(|row| Const::Bool(!row.is_empty()));
        let table = Table {
            name: format!("lines through places of {}", self.name),
            axes: vec![Axis::Domain(places)],
            ty: Type::Bool,
            values: values.collect(),
            outside: None,
            span: asks.span,
        };
        let table = known_or_new(self.game, table);
        Some(Expr::lookup(self.game, table, vec![self.place()], asks.span).and(asks))
    }

    fn place(&self) -> Expr {
        let places = self.game.placement(self.question.placement).places;
        Expr::local(PLACE, Type::Elem(places), self.part.asks.span)
    }

    /// Looks up the lines through the place instead of all lines.
    fn look_up(
        &mut self,
        asks: &mut Expr,
        line: LocalId,
        first: i64,
        rows: &[Vec<usize>],
        most: usize,
    ) {
        let (place, span) = (self.place(), asks.span);
        let ty = Type::Int {
            lo: 0,
            hi: most as i64 - 1,
        };
        if let ExprKind::Fold { over, .. } = &mut asks.kind {
            let bound = |value: i64| {
                let ty = Type::Int {
                    lo: value,
                    hi: value,
                };
                Expr::constant(Const::Int(value), ty, span)
            };
            **over = Over::Range(bound(0), bound(most as i64 - 1));
        }
        let mut tables: SortedMap<TableId, TableId> = SortedMap::new();
        rewrite(asks, &mut |part| {
            let ExprKind::Lookup(table, index) = &mut part.kind else {
                return;
            };
            if !matches!(&index[..], [only] if only.kind == ExprKind::Local(line)) {
                return;
            }
            let own = tables.entry(*table);
            *table = *own.or_insert_with(|| self.rows_of(*table, first, rows, most));
            *index = vec![place.clone(), Expr::local(line, ty.clone(), span)];
        });
    }

    /// The rows of a table that belong to the lines through each place. The last line stands again where there are fewer; where
    /// there is none, it is not asked.
    fn rows_of(&mut self, table: TableId, first: i64, rows: &[Vec<usize>], most: usize) -> TableId {
        let known = self.game.table(table).clone();
        let start = match known.axes.first() {
            Some(Axis::Range { lo, .. }) => first - lo,
            _ => first,
        };
        let of_line = |line: Option<&usize>| {
            let at = line.and_then(|line| usize::try_from(start + *line as i64).ok());
            let value = at.and_then(|at| known.values.get(at));
            value.cloned().unwrap_or(Const::Set(Vec::new()))
        };
        let values = rows.iter().flat_map(|row| {
            let each = (0..most).map(|at| row.get(at).or(row.last()));
            each.map(of_line).collect::<Vec<_>>()
        });
        let places = self.game.placement(self.question.placement).places;
        let last = most as i64 - 1;
        let table = Table {
            name: format!("{} through", known.name),
            axes: vec![Axis::Domain(places), Axis::Range { lo: 0, hi: last }],
            values: values.collect(),
            ..known
        };
        known_or_new(self.game, table)
    }
}
