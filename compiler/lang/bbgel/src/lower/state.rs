//! The state of a game: domains, variables, meters, counters, and how a position is written.

use rulec_ir::sorted::SortedMap;

use super::{Lower, Mode};
use crate::ast::{self, StmtKind};
use crate::check::{Board, find_place};
use crate::ir::builder::GameBuilder;
use crate::ir::{
    Axis, Const, Counter, CounterId, DomainId, Expr, Link, Local, LocalId, Members, Meter,
    PlaceLook, Placement, PlacementForm, PlacementId, Shape as Outline, SnapshotId, Source,
    StatePart, Table, TableId, Type, VarId, VarStyle,
};
use crate::scopes::Scopes;
use crate::source::{SourceMap, Span};
use crate::world::World;

use super::expr::Ty;

/// Steps left may lie in this range; beyond it a game ends as a fault.
const MOST_STEPS: i64 = 1 << 40;

/// Steps that a token remembers to walk back.
pub(super) const MEMORY: i64 = 1000;

/// What the state is made from.
pub(super) struct Input<'a> {
    pub(super) world: &'a World,
    pub(super) board: &'a Board,
    pub(super) scopes: &'a Scopes,
    pub(super) mode: Mode,
    pub(super) back: bool,
    pub(super) players: usize,
    pub(super) tokens: usize,
    /// Units of simulated time in a second.
    pub(super) per: i64,
}

/// What players last returned.
#[derive(Clone, Debug)]
pub(super) struct Returned {
    pub(super) ty: Ty,
    /// 0 for nothing, 1 for an integer, 2 for a truth value.
    pub(super) kind: VarId,
    pub(super) value: VarId,
}

/// Where the state keeps what, and the variables of the process.
pub(super) struct Ids {
    pub(super) place: DomainId,
    pub(super) line: DomainId,
    /// The lines that are counted, by their places in the file.
    pub(super) lines: SortedMap<(u32, u32), u32>,
    pub(super) at: Option<PlacementId>,
    /// The tokens of each player, where players have several.
    pub(super) tokens: Option<TableId>,
    pub(super) turn: VarId,
    pub(super) next: TableId,
    pub(super) previous: TableId,
    pub(super) suspended: Option<VarId>,
    pub(super) result: Option<Returned>,
    /// The scope of a player at a level.
    pub(super) scope: Option<TableId>,
    pub(super) values: Vec<VarId>,
    pub(super) present: Vec<Option<VarId>>,
    pub(super) limited: Option<VarId>,
    pub(super) depth: Option<VarId>,
    /// The places that tokens came from, and how many there are.
    pub(super) past: Option<(VarId, VarId, TableId)>,
    pub(super) time: VarId,
    pub(super) steps: VarId,
    pub(super) turns: VarId,
    pub(super) began: VarId,
    pub(super) limit: VarId,
    pub(super) counters: Counters,
    /// In a program without a board: the number that the player went to, and the steps left at the end.
    pub(super) raw_field: Option<VarId>,
    pub(super) kept_left: Option<VarId>,
    /// Variables that a position shows.
    pub(super) shown: Vec<VarId>,
    pub(super) left: LocalId,
    pub(super) here: LocalId,
    pub(super) won: LocalId,
    pub(super) rolled_back: LocalId,
    /// Variables of the players' block that the present player has already.
    pub(super) declared: usize,
    /// The field whose commands are lowered.
    pub(super) field: usize,
}

/// What is counted while a game is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counters {
    pub(super) visits: CounterId,
    pub(super) landings: CounterId,
    pub(super) forced: CounterId,
    pub(super) jumps: CounterId,
    pub(super) backward: CounterId,
    pub(super) lines: CounterId,
    pub(super) turns: CounterId,
    pub(super) suspended: CounterId,
    pub(super) rollbacks: CounterId,
}

/// A game with its players.
pub(super) fn builder(world: &World, players: usize, sources: &SourceMap) -> GameBuilder {
    let names: Vec<String> = (1..=players).map(|seat| format!("player {seat}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut b = GameBuilder::new(&world.name, "bbgel", &names);
    b.game.sources = sources
        .files()
        .iter()
        .map(|file| Source {
            name: file.name().to_owned(),
            sha256: file.sha256().to_owned(),
            lines: file.line_starts().to_vec(),
        })
        .collect();
    b
}

/// Costs in whole units, and how many units make a second.
pub(super) fn units(costs: &[f64]) -> (Vec<i64>, i64) {
    const SCALES: [i64; 10] = [1, 2, 4, 5, 10, 20, 100, 1000, 10_000, 1_000_000];
    let fits = |per: &i64| {
        costs.iter().all(|cost| {
            let scaled = cost * *per as f64;
            (scaled - scaled.round()).abs() < 1e-9 * scaled.max(1.0)
        })
    };
    let per = SCALES.into_iter().find(fits).unwrap_or(1_000_000);
    let scaled = costs.iter().map(|cost| (cost * per as f64).round() as i64);
    (scaled.collect(), per)
}

/// Type and first value of a variable.
pub(super) fn kept_type(limit: Option<i64>) -> (Type, Const) {
    match limit {
        Some(limit) => (
            Type::Int {
                lo: -(limit + 1),
                hi: limit,
            },
            Const::Int(0),
        ),
        None => (Type::Bool, Const::Bool(false)),
    }
}

/// For each player who sits so many seats on.
fn neighbours(b: &mut GameBuilder, input: &Input<'_>, name: &str, step: usize) -> TableId {
    let players = b.game.players;
    let values = (0..input.players)
        .map(|seat| Const::Elem(((seat + step) % input.players) as u32))
        .collect();
    b.table(Table {
        name: name.to_owned(),
        axes: vec![Axis::Domain(players)],
        ty: Type::Elem(players),
        values,
        outside: None,
        span: input.world.span,
    })
}

/// What is measured: time, steps, turns, where the turn began, and the limit of them.
fn meters(b: &mut GameBuilder, input: &Input<'_>) -> [VarId; 5] {
    let span = input.world.span;
    let meter = |b: &mut GameBuilder, name: &str, ty: Type, init: i64| {
        let id = b.var(name, vec![], ty, Const::Int(init), span);
        b.game.vars[id.index()].meter = true;
        id
    };
    let counted = |hi: i64| Type::Int { lo: 0, hi };
    let time = meter(b, "time", Type::INT, 0);
    let steps = meter(b, "steps", counted(1 << 40), 0);
    let turns = meter(b, "turns", counted(1 << 40), 0);
    // Where a turn began is measured as well: it must not tell positions apart.
    let began = meter(b, "began", counted(1 << 40), 0);
    let limit = meter(b, "limit", counted(1 << 31), super::USUAL_LIMIT);
    if input.mode == Mode::Game {
        b.game.limit = Some(limit);
    }
    for (name, var, unit, per) in [
        ("time", time, "s", input.per),
        ("rounds", turns, "", input.players as i64),
        ("turns", turns, "", 1),
        ("steps", steps, "", 1),
    ] {
        b.game.meters.push(Meter {
            name: name.to_owned(),
            var,
            unit: unit.to_owned(),
            per,
        });
    }
    [time, steps, turns, began, limit]
}

/// Declares everything but the variables of the setup.
pub(super) fn declare(b: &mut GameBuilder, input: &Input<'_>, locals: &mut Vec<Local>) -> Ids {
    let span = input.world.span;
    let players = b.game.players;
    let names = place_names(input);
    let place = b.names("Field", names, span);
    let (line_names, lines) = line_names(input);
    let line = b.names("Line", line_names, span);
    let token_table = tokens(b, input);
    let at = (input.mode == Mode::Game).then(|| placement(b, input, place));
    let turn = b.var("turn", vec![], Type::Elem(players), Const::Elem(0), span);
    b.game.presentation.drawing = Some(turn);
    let next = neighbours(b, input, "next player", 1);
    let previous = neighbours(b, input, "previous player", input.players - 1);
    let each = || vec![Axis::Domain(players)];
    let sleeps = uses(input, &|stmt| matches!(stmt.kind, StmtKind::Sleep(..)));
    let suspended = (sleeps || input.mode == Mode::Program).then(|| {
        let ty = Type::Int {
            lo: 0,
            hi: i64::MAX,
        };
        b.var("asleep", each(), ty, Const::Int(0), span)
    });
    let result = returned(b, input);
    let [time, steps, turns, began, limit] = meters(b, input);
    let counters = counters(b, place, line, span);
    let scope = (!input.scopes.slots.is_empty() || input.scopes.dynamic)
        .then(|| pairs(b, "Scope", input.scopes.height as i64, input));
    let (values, present, limited, depth) = scope_vars(b, input, scope.map(|(domain, _)| domain));
    let past = (input.back && input.mode == Mode::Game).then(|| {
        let (steps, table) = pairs(b, "Step", MEMORY, input);
        let axes = vec![Axis::Domain(steps)];
        let past = b.var("past", axes, Type::Opt(place), Const::None, span);
        let ty = Type::Int { lo: 0, hi: MEMORY };
        let count = b.var("way", each(), ty, Const::Int(0), span);
        (past, count, table)
    });
    let raw_field = (input.mode == Mode::Program).then(|| {
        let ty = Type::Int {
            lo: -1,
            hi: i64::MAX,
        };
        b.var("field", each(), ty, Const::Int(-1), span)
    });
    let kept_left = (input.mode == Mode::Program)
        .then(|| b.var("left", vec![], Type::INT, Const::Int(0), span));
    let mut local = |name: &str, ty: Type| {
        locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(locals.len() - 1)
    };
    let steps_left = Type::Int {
        lo: -MOST_STEPS,
        hi: MOST_STEPS,
    };
    Ids {
        left: local("left", steps_left),
        here: local("here", Type::Elem(place)),
        won: local("won", Type::Bool),
        rolled_back: local("rolled_back", Type::Bool),
        place,
        line,
        lines,
        at,
        tokens: token_table,
        turn,
        next,
        previous,
        suspended,
        result,
        scope: scope.map(|(_, table)| table),
        values,
        present,
        limited,
        depth,
        past,
        time,
        steps,
        turns,
        began,
        limit,
        counters,
        raw_field,
        kept_left,
        shown: Vec::new(),
        declared: 0,
        field: 0,
    }
}

/// Whether a statement of some kind stands in a text of the game.
fn uses(input: &Input<'_>, is: &dyn Fn(&ast::Stmt) -> bool) -> bool {
    let mut found = false;
    let programs = input.board.places.iter().map(|place| &place.program);
    for program in programs.chain([&input.board.setup]) {
        ast::each_stmt(&program.code, &mut |stmt| found |= is(stmt));
    }
    found
}

fn place_names(input: &Input<'_>) -> Vec<String> {
    let single = input.world.tiles.len() == 1;
    let name = |place: &crate::check::Place| match single {
        true => place.id.to_string(),
        false => format!("{}:{}", place.tile, place.id),
    };
    let mut names: Vec<String> = input.board.places.iter().map(name).collect();
    if names.is_empty() {
        names.push("board".to_owned());
    }
    names
}

/// The lines with statements: their names, and the numbers of their statements by place in the file.
fn line_names(input: &Input<'_>) -> (Vec<String>, SortedMap<(u32, u32), u32>) {
    let mut names: Vec<String> = Vec::new();
    let mut lines = SortedMap::new();
    let places = place_names(input);
    let mut add = |of: &str, stmt: &ast::Stmt| {
        let mut name = format!("{of}, line {}: {}", stmt.line, headline(stmt));
        if names.contains(&name) {
            name = format!("{name} ({})", names.len());
        }
        lines.insert((stmt.span.start, stmt.span.end), names.len() as u32);
        names.push(name);
    };
    for (place, name) in input.board.places.iter().zip(&places) {
        let of = format!("field {name}");
        ast::each_stmt(&place.program.code, &mut |stmt| add(&of, stmt));
    }
    if names.is_empty() {
        names.push("none".to_owned());
    }
    (names, lines)
}

/// A statement in a few words.
fn headline(stmt: &ast::Stmt) -> String {
    let text = match &stmt.kind {
        StmtKind::If(cond, ..) => format!("(if {cond} ...)"),
        _ => stmt.to_string(),
    };
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// The tokens of each player, where a player has several.
fn tokens(b: &mut GameBuilder, input: &Input<'_>) -> Option<TableId> {
    if input.tokens == 1 || input.mode == Mode::Program {
        return None;
    }
    let span = input.world.span;
    let names = (1..=input.players)
        .flat_map(|seat| (1..=input.tokens).map(move |token| format!("player {seat}/{token}")));
    let token = b.names("Token", names.collect(), span);
    let count = (input.players * input.tokens) as u32;
    let players = b.game.players;
    let numbers = Axis::Range {
        lo: 0,
        hi: input.tokens as i64 - 1,
    };
    Some(b.table(Table {
        name: "token".to_owned(),
        axes: vec![Axis::Domain(players), numbers],
        ty: Type::Elem(token),
        values: (0..count).map(Const::Elem).collect(),
        outside: None,
        span,
    }))
}

fn placement(b: &mut GameBuilder, input: &Input<'_>, places: DomainId) -> PlacementId {
    let pieces = match input.tokens {
        1 => b.game.players,
        _ => {
            let tokens = b
                .game
                .domains
                .iter()
                .position(|domain| domain.name == "Token");
            tokens.map_or(b.game.players, DomainId::from)
        }
    };
    let count = b.game.domain(pieces).len();
    b.placement(Placement {
        name: "at".to_owned(),
        pieces,
        places,
        form: PlacementForm::Many,
        init: vec![None; count],
        span: input.world.span,
    })
}

fn returned(b: &mut GameBuilder, input: &Input<'_>) -> Option<Returned> {
    if !uses(input, &|stmt| matches!(stmt.kind, StmtKind::Return(_))) {
        return None;
    }
    let (mut ints, mut bools) = (false, false);
    let programs = input.board.places.iter().map(|place| &place.program);
    for program in programs.chain([&input.board.setup]) {
        ast::each_stmt(&program.code, &mut |stmt| {
            if let StmtKind::Return(value) = &stmt.kind {
                match plain_type(value) {
                    Ty::Int => ints = true,
                    Ty::Bool => bools = true,
                    Ty::Dyn => (ints, bools) = (true, true),
                }
            }
        });
    }
    let ty = match (ints, bools) {
        (true, false) => Ty::Int,
        (false, true) => Ty::Bool,
        _ => Ty::Dyn,
    };
    let span = input.world.span;
    let each = || vec![Axis::Domain(b.game.players)];
    let (first, second) = (each(), each());
    let kind = b.var(
        "result kind",
        first,
        Type::Int { lo: 0, hi: 2 },
        Const::Int(0),
        span,
    );
    let value = b.var("result", second, Type::INT, Const::Int(0), span);
    Some(Returned { ty, kind, value })
}

/// The type of a value as far as its form tells.
fn plain_type(expr: &ast::Expr) -> Ty {
    use ast::{Binary, ExprKind, Unary};
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::LeftSteps
        | ExprKind::NumPlayers
        | ExprKind::Step { .. }
        | ExprKind::Roll(_) => Ty::Int,
        ExprKind::Bool(_) | ExprKind::ChooseBool => Ty::Bool,
        ExprKind::Unary(Unary::Not, _) => Ty::Bool,
        ExprKind::Unary(..) => Ty::Int,
        ExprKind::Binary(op, ..) => match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => Ty::Int,
            _ => Ty::Bool,
        },
        ExprKind::Ternary(_, yes, _) => plain_type(yes),
        ExprKind::Assign(_, value) => plain_type(value),
        ExprKind::Result | ExprKind::Name(_) => Ty::Dyn,
    }
}

/// Variables for the scopes: values by kind of variable, marks where they are needed.
fn scope_vars(
    b: &mut GameBuilder,
    input: &Input<'_>,
    scope: Option<DomainId>,
) -> (Vec<VarId>, Vec<Option<VarId>>, Option<VarId>, Option<VarId>) {
    let (scopes, span) = (input.scopes, input.world.span);
    let players = b.game.players;
    let levels = || vec![Axis::Domain(scope.unwrap_or(players))];
    let mut values = Vec::new();
    let mut present = Vec::new();
    for (slot, kind) in scopes.slots.iter().enumerate() {
        let name = match kind.limit {
            Some(limit) => format!("local {} {{{limit}}}", kind.name),
            None => format!("local {}", kind.name),
        };
        let (ty, init) = kept_type(kind.limit);
        values.push(b.var(&name, levels(), ty, init, span));
        let marked = scopes.dynamic || scopes.uncertain[slot];
        present.push(marked.then(|| {
            let name = format!("has {name}");
            b.var(&name, levels(), Type::Bool, Const::Bool(false), span)
        }));
    }
    let needs_limit = scope.is_some()
        && (scopes.dynamic || scopes.uncertain_limit)
        && uses(input, &|stmt| matches!(stmt.kind, StmtKind::LimitScope));
    let limited =
        needs_limit.then(|| b.var("limited", levels(), Type::Bool, Const::Bool(false), span));
    let depth = scopes.dynamic.then(|| {
        let ty = Type::Int {
            lo: 0,
            hi: crate::scopes::MAX_SCOPES as i64 - 1,
        };
        b.var(
            "scopes",
            vec![Axis::Domain(players)],
            ty,
            Const::Int(0),
            span,
        )
    });
    (values, present, limited, depth)
}

/// A domain with so many members for each player, and the table from a player and a number to them.
fn pairs(b: &mut GameBuilder, name: &str, each: i64, input: &Input<'_>) -> (DomainId, TableId) {
    let span = input.world.span;
    let count = input.players as i64 * each;
    let domain = b.domain(
        name,
        Members::Range {
            lo: 0,
            hi: count - 1,
        },
        span,
    );
    let axes = vec![
        Axis::Domain(b.game.players),
        Axis::Range {
            lo: 0,
            hi: each - 1,
        },
    ];
    let table = b.table(Table {
        name: format!("{name} of player"),
        axes,
        ty: Type::Elem(domain),
        values: (0..count as u32).map(Const::Elem).collect(),
        outside: None,
        span,
    });
    (domain, table)
}

fn counters(b: &mut GameBuilder, place: DomainId, line: DomainId, span: Span) -> Counters {
    let players = b.game.players;
    let mut add = |name: &str, axis: Option<DomainId>| {
        b.game.counters.push(Counter {
            name: name.to_owned(),
            axis,
            span,
        });
        CounterId::from(b.game.counters.len() - 1)
    };
    Counters {
        visits: add("visits", Some(place)),
        landings: add("landings", Some(place)),
        forced: add("forced", Some(place)),
        jumps: add("jumps", Some(place)),
        backward: add("backward", Some(place)),
        lines: add("lines", Some(line)),
        turns: add("turns", Some(players)),
        suspended: add("suspended", Some(players)),
        rollbacks: add("rollbacks", None),
    }
}

impl Lower<'_> {
    /// What is left to do when everything is lowered: texts, looks, domains that nothing uses.
    pub(super) fn finish(&mut self) {
        let text = |text: &str| StatePart::Text(text.to_owned());
        let game = &self.b.game;
        let mut parts = vec![
            text("turn="),
            StatePart::Var(self.ids.turn, VarStyle::Numbered),
        ];
        let each = |domain: DomainId, part: StatePart| StatePart::Each {
            domain,
            order: (0..game.domain(domain).len() as u32).collect(),
            separator: ",".to_owned(),
            parts: vec![part],
        };
        if let Some(at) = self.ids.at {
            parts.push(text("; at="));
            parts.push(each(game.placement(at).pieces, StatePart::Place(at)));
        }
        let all = (0..game.vars.len()).map(VarId::from);
        for id in all.filter(|id| *id != self.ids.turn) {
            let var = game.var(id);
            parts.push(text(&format!("; {}=", var.name)));
            let value = StatePart::Var(id, VarStyle::Named);
            parts.push(match var.axes[..] {
                [Axis::Domain(domain)] => each(domain, value),
                _ => value,
            });
        }
        for slot in 0..game.snapshots.len() {
            parts.push(text("; kept="));
            parts.push(StatePart::Snapshot(SnapshotId::from(slot)));
        }
        parts.push(text("; "));
        parts.push(StatePart::Outcome);
        self.b.game.state_text = parts;
        self.looks();
    }

    /// Where fields are drawn: tiles side by side.
    fn looks(&mut self) {
        let tiles = &self.world.tiles;
        let (mut width, mut height) = (0.0_f64, 0.0_f64);
        for tile in tiles {
            width = width.max(tile.size.0);
            height = height.max(tile.size.1);
        }
        let least = |of: fn(&(i64, i64)) -> i64| tiles.iter().map(|t| of(&t.at)).min().unwrap_or(0);
        let (left, top) = (least(|at| at.0), least(|at| at.1));
        for (member, place) in self.board.places.iter().enumerate() {
            let Some(field) = place.field else { continue };
            let tile = &tiles[place.tile];
            let field = &tile.fields[field];
            let at = field.area.map(|[x, y, w, h]| {
                (
                    x + w / 2.0 + width * (tile.at.0 - left) as f64,
                    y + h / 2.0 + height * (tile.at.1 - top) as f64,
                )
            });
            self.b.game.presentation.places.push(PlaceLook {
                domain: self.ids.place,
                member: member as u32,
                kind: match field.label.is_empty() {
                    true => "field".to_owned(),
                    false => field.label.clone(),
                },
                at,
                shape: field.area.map(|[_, _, w, h]| Outline::Rectangle(w, h)),
                picture: None,
                camera: None,
                arm: None,
                relevant: true,
            });
        }
        self.links();
    }

    /// The ways from field to field: the usual ones by control commands, jumps by `goto`.
    fn links(&mut self) {
        let places = &self.board.places;
        let mut links: Vec<Link> = Vec::new();
        for (from, place) in places.iter().enumerate() {
            let mut add = |id: i64, jump: bool| {
                let Some(to) = find_place(places, place.tile, id) else {
                    return;
                };
                let link = Link {
                    domain: self.ids.place,
                    from: from as u32,
                    to: to as u32,
                    jump,
                };
                if !links.contains(&link) {
                    links.push(link);
                }
            };
            ast::each_stmt(&place.program.code, &mut |stmt| match &stmt.kind {
                StmtKind::ControlGoto(target) => add(target.id, false),
                StmtKind::ControlIf(_, yes, no) => {
                    add(yes.id, false);
                    add(no.id, false);
                }
                StmtKind::Goto(target) => add(target.id, true),
                _ => {}
            });
        }
        self.b.game.presentation.links = links;
    }

    /// The first token of the current player.
    pub(super) fn token(&self, span: Span) -> Expr {
        match self.ids.tokens {
            Some(table) => {
                let index = vec![self.me(span), super::int(0, span)];
                Expr::lookup(&self.b.game, table, index, span)
            }
            None => self.me(span),
        }
    }
}
