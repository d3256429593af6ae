//! From a rule set and declared pieces to the IR.
//!
//! A **unit** is what an attempt names: a cell, or on crowded boards a piece. What a board holds is given by the host
//! before the rules run: the set of units that are there, and the kind of each. Conditions on properties are sets of
//! kinds, so each is a set of units that is known once the board is ([`Lower::feature`]); rows are combinations of such sets
//! ([`rows`]). Expressions are evaluated here as far as they go ([`sym`]), for each bucket and each class of kinds and cells
//! that they tell apart ([`terms`]); only what compares the cell with that of an earlier piece is asked for each unit. What is
//! left to ask has a normal form ([`conditions`]). After every accepted move the sets of units that each bucket accepts are
//! made anew, and an attempt is a look into them.

mod conditions;
mod memory;
mod orders;
mod play;
mod rows;
mod sym;
mod terms;

#[cfg(test)]
mod tests;

use indexmap::{IndexMap, IndexSet};

use self::memory::Memory;
use self::sym::{KindOf, PlaceOf, Subject, Truth, Value, holds, number};
use super::ast::{RuleSet, Value as Asked};
use super::codes;
use super::pieces::{Kind, Pieces, int_value};
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::builder::GameBuilder;
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Episode, Expr, FamilyId, FixedPiece, FuncId, Function,
    Game, KindInfo, Local, LocalId, Members, PlaceLook, Selection, Shape, Source, Stmt, Table,
    TableId, Type, VarId, range,
};
use crate::source::{SourceMap, Span};

/// Cells of a board.
pub(super) const CELLS: u32 = 36;

/// The nearest bucket of a cell.
pub(super) fn nearest(cell: u32) -> u32 {
    match (cell % 6 < 3, cell / 6 < 3) {
        (true, false) => 0,
        (false, false) => 1,
        (false, true) => 2,
        (true, true) => 3,
    }
}

/// Lowers a checked rule set; after `None` there is an error among the diagnostics.
pub(super) fn lower(
    set: &RuleSet,
    pieces: &Pieces,
    name: &str,
    strict: bool,
    sources: &SourceMap,
    span: Span,
    out: &mut Diagnostics,
) -> Option<Game> {
    let mut lower = Lower::new(set, pieces, name, strict, sources, span);
    lower.declare_memory();
    let process = lower.process();
    lower.b.game.process = process;
    lower.finish_features();
    lower.show();
    let selection = lower.selection();
    let failed = !lower.errors.is_empty();
    lower.errors.drain(..).for_each(|error| out.push(error));
    if failed {
        return None;
    }
    lower.b.game.episode = Some(lower.episode(selection));
    Some(lower.b.game)
}

/// Domains and variables of every game.
struct Ids {
    unit: DomainId,
    cell: DomainId,
    bucket: DomainId,
    kind: DomainId,
    feature: DomainId,
    present: VarId,
    kinds: VarId,
    /// Only on crowded boards.
    cells: Option<VarId>,
    fits: VarId,
    accepted: VarId,
    row: VarId,
    row_left: VarId,
    atoms_left: VarId,
    /// What each metered atom of the active row accepts, by atom and bucket; only where counts exist.
    by_atom: Option<VarId>,
}

/// A game on its way to the IR.
pub(super) struct Lower<'a> {
    set: &'a RuleSet,
    pieces: &'a Pieces,
    strict: bool,
    span: Span,
    b: GameBuilder,
    ids: Ids,
    memory: Memory,
    /// Values of all variables, where they are not those of a position.
    given: Option<IndexMap<String, sym::Set>>,
    /// All texts that expressions compare, by number.
    texts: IndexSet<String>,
    tables: IndexMap<String, TableId>,
    fronts: IndexMap<String, FuncId>,
    features: IndexSet<Vec<u32>>,
    /// Parts of conditions that expressions came to so far.
    parts: usize,
    /// Local variables of the function under construction.
    locals: Vec<Local>,
    errors: Vec<Diagnostic>,
}

impl<'a> Lower<'a> {
    fn new(
        set: &'a RuleSet,
        pieces: &'a Pieces,
        name: &str,
        strict: bool,
        sources: &SourceMap,
        span: Span,
    ) -> Lower<'a> {
        let mut b = GameBuilder::new(name, "gs5", &["player"]);
        b.game.sources = sources
            .files()
            .iter()
            .map(|file| Source {
                name: file.name().to_owned(),
                sha256: file.sha256().to_owned(),
                lines: file.line_starts().to_vec(),
            })
            .collect();
        let ids = declare(&mut b, set, pieces, span);
        Lower {
            set,
            pieces,
            strict,
            span,
            b,
            ids,
            memory: Memory::default(),
            given: None,
            texts: IndexSet::new(),
            tables: IndexMap::new(),
            fronts: IndexMap::new(),
            features: IndexSet::new(),
            parts: 0,
            locals: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn kinds(&self) -> &'a [Kind] {
        &self.pieces.kinds
    }

    fn crowded(&self) -> bool {
        self.ids.cells.is_some()
    }

    fn unit_set(&self) -> Type {
        Type::Set(self.ids.unit)
    }

    fn no_units(&self, span: Span) -> Expr {
        Expr::constant(Const::Set(Vec::new()), self.unit_set(), span)
    }

    fn cell_set(&self, cells: &[u32], span: Span) -> Expr {
        let set = Const::Set(cells.to_vec());
        Expr::constant(set, Type::Set(self.ids.cell), span)
    }

    fn var(&self, id: VarId, index: Vec<Expr>, span: Span) -> Expr {
        Expr::var(&self.b.game, id, index, span)
    }

    /// A variable that may not exist.
    fn read(&self, id: Option<VarId>, span: Span) -> Option<Expr> {
        id.map(|id| self.var(id, Vec::new(), span))
    }

    fn present(&self, span: Span) -> Expr {
        self.var(self.ids.present, Vec::new(), span)
    }

    fn bucket(&self, bucket: u32, span: Span) -> Expr {
        Expr::elem(self.ids.bucket, bucket, span)
    }

    /// The kind of a unit.
    fn kind_at(&self, unit: Expr, span: Span) -> Expr {
        self.var(self.ids.kinds, vec![unit], span)
    }

    /// The cell of a unit.
    fn cell_at(&self, unit: Expr, span: Span) -> Expr {
        match self.ids.cells {
            Some(cells) => self.var(cells, vec![unit], span),
            None => unit,
        }
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    fn get(&self, local: LocalId, span: Span) -> Expr {
        Expr::local(local, self.locals[local.index()].ty.clone(), span)
    }

    /// Exact arithmetic, of a type as narrow as its result, so that storing it needs no test.
    fn math(&self, op: BinaryOp, a: Expr, b: i64) -> Expr {
        let right = (b, b);
        let range =
            a.ty.int_range()
                .and_then(|left| range::binary(op, left, right));
        let b = Expr::constant(Const::Int(b), Type::Int { lo: b, hi: b }, a.span);
        let mut value = Expr::binary(op, a, b);
        if let Some((lo, hi)) = range {
            value.ty = Type::Int { lo, hi };
        }
        value
    }

    /// A number of the type of a variable.
    fn count(&self, var: VarId, value: i64, span: Span) -> Expr {
        let ty = self.b.game.var(var).ty.clone();
        Expr::constant(Const::Int(value), ty, span)
    }

    /// Stores a value in a new local variable.
    fn keep(&mut self, name: &str, value: Expr, out: &mut Block) -> Expr {
        let span = value.span;
        let local = self.local(name, value.ty.clone());
        out.push(Stmt::assign(local, value));
        self.get(local, span)
    }

    /// Builds a function with local variables of its own.
    fn function(
        &mut self,
        name: &str,
        params: &[(&str, Type)],
        ret: Option<Type>,
        doc: &str,
        span: Span,
        body: impl FnOnce(&mut Self, &[Expr]) -> Block,
    ) -> FuncId {
        let outer = std::mem::take(&mut self.locals);
        let mut args = Vec::new();
        for (name, ty) in params {
            let local = self.local(name, ty.clone());
            args.push(self.get(local, span));
        }
        let body = body(self, &args);
        let locals = std::mem::replace(&mut self.locals, outer);
        self.b.function(Function {
            name: name.to_owned(),
            params: params.len(),
            locals,
            ret,
            body,
            doc: doc.to_owned(),
            span,
        })
    }

    fn too_many(&mut self, span: Span) {
        let message = "the expression has too many values at once";
        self.errors
            .push(Diagnostic::new(&codes::TOO_MANY_VALUES, span, message));
    }

    /// The number of a text.
    fn text_number(&mut self, text: &str) -> i32 {
        self.texts.insert_full(text.to_owned()).0 as i32
    }

    /// A table of all kinds, made when first needed.
    fn kind_table(
        &mut self,
        name: &str,
        ty: Type,
        value: impl FnMut(&mut Self, usize) -> Const,
    ) -> TableId {
        let axis = Axis::Domain(self.ids.kind);
        let count = self.kinds().len();
        self.table_of(name, axis, count, ty, value)
    }

    fn table_of(
        &mut self,
        name: &str,
        axis: Axis,
        count: usize,
        ty: Type,
        mut value: impl FnMut(&mut Self, usize) -> Const,
    ) -> TableId {
        if let Some(id) = self.tables.get(name) {
            return *id;
        }
        let values = (0..count).map(|index| value(self, index)).collect();
        let id = self.b.table(Table {
            name: name.to_owned(),
            axes: vec![axis],
            ty,
            values,
            outside: None,
            span: self.span,
        });
        self.tables.insert(name.to_owned(), id);
        id
    }

    fn nearest_table(&mut self) -> TableId {
        let axis = Axis::Domain(self.ids.cell);
        let ty = Type::Elem(self.ids.bucket);
        let count = CELLS as usize;
        self.table_of("nearest bucket", axis, count, ty, |_, cell| {
            Const::Elem(nearest(cell as u32))
        })
    }

    /// The value of a property of a kind.
    fn property_value(&mut self, kind: usize, key: &str) -> Option<Value> {
        let raw = self.kinds()[kind].property(key)?.to_owned();
        Some(match int_value(&raw) {
            Some(n) => number(n),
            None => Value::Text(sym::Num::Known(self.text_number(&raw))),
        })
    }

    /// The value of a property of a kind that is not known yet, as alternatives.
    fn property_of(&mut self, key: &str, kind: &Expr, span: Span) -> Vec<(Truth, Value)> {
        let values: Vec<Option<Value>> = (0..self.kinds().len())
            .map(|kind| self.property_value(kind, key))
            .collect();
        let is_int = |value: &Option<Value>| matches!(value, Some(Value::Int(_)));
        let is_text = |value: &Option<Value>| matches!(value, Some(Value::Text(_)));
        let mut found = Vec::new();
        for (what, texts) in [("number", false), ("text", true)] {
            let here: Vec<bool> = values
                .iter()
                .map(|value| if texts { is_text(value) } else { is_int(value) })
                .collect();
            if !here.contains(&true) {
                continue;
            }
            let when = match here.contains(&false) {
                false => Truth::Yes,
                true => {
                    let name = format!("{key} is a {what}");
                    let table =
                        self.kind_table(&name, Type::Bool, |_, kind| Const::Bool(here[kind]));
                    Truth::When(Expr::lookup(&self.b.game, table, vec![kind.clone()], span))
                }
            };
            let name = format!("{key} as a {what}");
            let table = self.kind_table(&name, sym::NUMBER, |_, kind| {
                Const::Int(match &values[kind] {
                    Some(Value::Int(sym::Num::Known(n))) if !texts => i64::from(*n),
                    Some(Value::Text(sym::Num::Known(n))) if texts => i64::from(*n),
                    _ => 0,
                })
            });
            let number = Expr::lookup(&self.b.game, table, vec![kind.clone()], span);
            let number = sym::Num::Computed(number);
            let value = match texts {
                true => Value::Text(number),
                false => Value::Int(number),
            };
            found.push((when, value));
        }
        found
    }

    /// A number that kinds with the same properties share.
    fn look_class(&self, kind: usize) -> i32 {
        let mut own: Vec<_> = self.kinds()[kind].properties.iter().collect();
        own.sort();
        let same = |other: &Kind| {
            let mut theirs: Vec<_> = other.properties.iter().collect();
            theirs.sort();
            theirs == own
        };
        self.kinds().iter().position(same).unwrap_or(kind) as i32
    }

    fn look_class_of(&mut self, kind: Expr, span: Span) -> Expr {
        let table = self.kind_table("look", sym::NUMBER, |lower, kind| {
            Const::Int(i64::from(lower.look_class(kind)))
        });
        Expr::lookup(&self.b.game, table, vec![kind], span)
    }

    /// The units of these kinds; nothing where all kinds are meant.
    fn feature(&mut self, kinds: &[u32], span: Span) -> Option<Expr> {
        if kinds.len() == self.kinds().len() {
            return None;
        }
        if kinds.is_empty() {
            return Some(self.no_units(span));
        }
        let (index, _) = self.features.insert_full(kinds.to_vec());
        let index = Expr::elem(self.ids.feature, index as u32, span);
        Some(self.var(self.ids.fits, vec![index], span))
    }

    /// Gives the variable of features its size, now that all are known.
    fn finish_features(&mut self) {
        let count = self.features.len().max(1);
        let game = &mut self.b.game;
        game.domains[self.ids.feature.index()].members = Members::Range {
            lo: 0,
            hi: count as i64 - 1,
        };
        game.vars[self.ids.fits.index()].init = vec![Const::Set(Vec::new()); count];
        let Some(table) = self.tables.get("features") else {
            return;
        };
        let has = |kind: u32| {
            let features = self.features.iter().enumerate();
            let own = features.filter(|(_, kinds)| kinds.contains(&kind));
            Const::Set(own.map(|(index, _)| index as u32).collect())
        };
        let kinds = self.pieces.kinds.len() as u32;
        game.tables[table.index()].values = (0..kinds).map(has).collect();
    }

    /// The kinds that literals or ranges allow.
    fn allowed_kinds(&self, key: &str, asked: &Asked) -> Vec<u32> {
        let fits = |kind: &Kind| kind.fits(key, asked);
        let all = self.kinds().iter().enumerate();
        let allowed = all.filter(|(_, kind)| fits(kind));
        allowed.map(|(index, _)| index as u32).collect()
    }

    /// How places look to renderers.
    fn show(&mut self) {
        let domain = self.ids.cell;
        let look = |cell: u32| PlaceLook {
            domain,
            member: cell,
            kind: "cell".to_owned(),
            at: Some((
                f64::from(cell % 6) * 60.0 + 90.0,
                f64::from(5 - cell / 6) * 60.0 + 90.0,
            )),
            shape: Some(Shape::Rectangle(60.0, 60.0)),
            picture: None,
            camera: None,
            arm: None,
            relevant: true,
        };
        self.b.game.presentation.places = (0..CELLS).map(look).collect();
    }

    /// The condition that tells boards for training from those for testing.
    fn selection(&mut self) -> Option<Selection> {
        let condition = self.pieces.condition.as_ref()?;
        let mut rows = Vec::new();
        for row in &condition.rows {
            let mut kinds = Vec::new();
            for kind in 0..self.kinds().len() {
                let fits = (0..CELLS).filter(|&cell| {
                    (0..4).any(|bucket| {
                        let fits =
                            |lower: &mut Self, atom| lower.fits_alone(atom, kind, cell, bucket);
                        row.atoms.iter().all(|atom| fits(self, atom))
                    })
                });
                kinds.push(fits.fold(0_u64, |set, cell| set | 1 << cell));
            }
            rows.push(kinds);
        }
        for positions in condition
            .rows
            .iter()
            .flat_map(|row| &row.atoms)
            .flat_map(|atom| atom.positions())
        {
            if let Some(order) = positions.orders.first() {
                let message = format!("the order `{}` depends on the other pieces", order.text);
                self.errors
                    .push(Diagnostic::new(&codes::BAD_CONDITION, order.span, message));
            }
        }
        let only_places = match condition.rows.as_slice() {
            [row] => match row.atoms.as_slice() {
                [atom] if !atom.pos.is_empty() => {
                    let looks = |key: &str| matches!(key, "shape" | "color");
                    let plain = !atom.conditions.iter().any(|c| looks(&c.key.text));
                    let cells = atom.pos.iter().flat_map(|pos| &pos.cells);
                    plain.then(|| cells.fold(0_u64, |set, cell| set | 1 << cell))
                }
                _ => None,
            },
            _ => None,
        };
        Some(Selection {
            rows,
            only_places,
            testing: self.pieces.testing,
        })
    }

    /// Whether an atom accepts a piece for a bucket, with nothing removed before.
    fn fits_alone(&mut self, atom: &super::ast::Atom, kind: usize, cell: u32, bucket: u32) -> bool {
        if !atom.positions().all(|pos| pos.cells.contains(&cell)) {
            return false;
        }
        let subject = Subject {
            kind: KindOf::Known(kind),
            place: PlaceOf::Known(cell),
            bucket,
            memory: false,
        };
        for condition in &atom.conditions {
            let fits = match &condition.value {
                Asked::Expr(expr) => match self.eval(expr, &subject) {
                    Ok(set) => {
                        self.kind_matches(&condition.key.text, &subject.kind, &set, expr.span)
                    }
                    Err(error) => {
                        self.too_many(error.0);
                        Truth::No
                    }
                },
                other => Truth::of(self.kinds()[kind].fits(&condition.key.text, other)),
            };
            if fits != Truth::Yes {
                return false;
            }
        }
        let code = atom.code.as_ref().map(|code| self.eval(code, &subject));
        let buckets = atom
            .bucket
            .as_ref()
            .map(|expr| (self.eval(expr, &subject), expr.span));
        let code = code.is_none_or(|set| set.is_ok_and(|set| holds(&set) == Truth::Yes));
        code && buckets.is_none_or(|(set, span)| {
            set.is_ok_and(|set| Self::names_bucket(&set, bucket, span) == Truth::Yes)
        })
    }

    fn episode(&self, selection: Option<Selection>) -> Episode {
        let look = |kind: &Kind| KindInfo {
            name: kind.name.clone(),
            pictured: kind.pictured,
            properties: kind.properties.clone(),
        };
        Episode {
            family: FamilyId(0),
            present: self.ids.present,
            kinds: self.ids.kinds,
            places: self.ids.cells,
            accepted: self.ids.accepted,
            row: self.ids.row,
            row_left: self.ids.row_left,
            atoms_left: self.ids.atoms_left,
            atoms: self
                .set
                .rows
                .iter()
                .map(|row| row.atoms.len() as u32)
                .collect(),
            rows: self.set.rows.iter().map(|row| row.span).collect(),
            columns: 6,
            looks: self.kinds().iter().map(look).collect(),
            features: self.pieces.features.clone(),
            boards: self.pieces.boards.clone(),
            selection,
            parameters: self.pieces.parameters.clone(),
        }
    }
}

/// Domains and variables of every game.
fn declare(b: &mut GameBuilder, set: &RuleSet, pieces: &Pieces, span: Span) -> Ids {
    let (lo, hi) = (1, i64::from(CELLS));
    let cell = b.domain("Cell", Members::Range { lo, hi }, span);
    let bucket = b.domain("Bucket", Members::Range { lo: 0, hi: 3 }, span);
    let unit = match pieces.crowded {
        true => {
            let names = pieces.unit_names();
            b.names("Piece", names, span)
        }
        false => cell,
    };
    let mut names = IndexSet::new();
    for kind in &pieces.kinds {
        let mut name = kind.name.clone();
        while !names.insert(name.clone()) {
            name.push('\'');
        }
    }
    let kind = b.names("Kind", names.into_iter().collect(), span);
    let feature = b.domain("Feature", Members::Range { lo: 0, hi: 0 }, span);
    let units = Axis::Domain(unit);
    let none = Const::Set(Vec::new());
    let of_units = Type::Set(unit);
    let start = pieces.start_board();
    let unit_of = |index: usize, piece: &FixedPiece| match pieces.crowded {
        true => index as u32,
        false => piece.place,
    };
    let mut here: Vec<u32> = start
        .iter()
        .enumerate()
        .map(|(i, p)| unit_of(i, p))
        .collect();
    here.sort_unstable();
    let present = b.var("present", vec![], of_units.clone(), Const::Set(here), span);
    let kinds = b.var("kind", vec![units], Type::Elem(kind), Const::Elem(0), span);
    let cells = pieces
        .crowded
        .then(|| b.var("cell", vec![units], Type::Elem(cell), Const::Elem(0), span));
    for (index, piece) in start.iter().enumerate() {
        let unit = unit_of(index, piece) as usize;
        b.game.vars[kinds.index()].init[unit] = Const::Elem(piece.kind);
        if let Some(cells) = cells {
            b.game.vars[cells.index()].init[unit] = Const::Elem(piece.place);
        }
    }
    let fits = b.var(
        "fits",
        vec![Axis::Domain(feature)],
        of_units.clone(),
        none.clone(),
        span,
    );
    let buckets = Axis::Domain(bucket);
    let accepted = b.var(
        "accepted",
        vec![buckets],
        of_units.clone(),
        none.clone(),
        span,
    );
    let row = Type::Int {
        lo: 0,
        hi: set.rows.len() as i64 - 1,
    };
    let row = b.var("row", vec![], row, Const::Int(0), span);
    let most = |counts: &mut dyn Iterator<Item = u32>| Type::Int {
        lo: -1,
        hi: counts.max().map_or(0, i64::from),
    };
    let any = Const::Int(-1);
    let ty = most(&mut set.rows.iter().filter_map(|row| row.counter));
    let row_left = b.var("row_left", vec![], ty, any.clone(), span);
    let atoms = set
        .rows
        .iter()
        .map(|row| row.atoms.len())
        .max()
        .unwrap_or(1) as i64;
    let axis = Axis::Range {
        lo: 0,
        hi: atoms - 1,
    };
    let counts = set.rows.iter().flat_map(|row| &row.atoms);
    let ty = most(&mut counts.filter_map(|atom| atom.count));
    let atoms_left = b.var("atoms_left", vec![axis], ty, any, span);
    let metered = set
        .rows
        .iter()
        .any(|row| row.atoms.iter().any(|atom| atom.count.is_some()));
    let by_atom = metered.then(|| b.var("by_atom", vec![axis, buckets], of_units, none, span));
    for derived in [Some(fits), Some(accepted), by_atom].into_iter().flatten() {
        // They follow from the other variables, so no identity needs them.
        b.game.vars[derived.index()].meter = true;
    }
    Ids {
        unit,
        cell,
        bucket,
        kind,
        feature,
        present,
        kinds,
        cells,
        fits,
        accepted,
        row,
        row_left,
        atoms_left,
        by_atom,
    }
}

pub(super) use self::orders::BUILT_IN;

/// Whether an order has this name.
pub(super) fn known_order(set: &RuleSet, name: &str) -> bool {
    orders::groups(set, name).is_some()
}
