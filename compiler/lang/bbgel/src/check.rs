//! Checks that need no run: what each field is, and where its ways lead.

pub(super) mod back;
mod reach;

use super::ast::{Def, Expr, ExprKind, Program, Stmt, StmtKind, each_stmt, exprs};
use super::codes;
use super::doubts;
use super::parse::{no_statement, parse};
use super::world::{MAX_SIDES, Side, Tile, World};
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::source::Span;

/// Most border points in a row that a token passes in one step.
const MAX_CROSSINGS: u32 = 1000;

/// Most fields that a message lists.
const MAX_LISTED: usize = 20;

/// A board whose texts are read.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) setup: Program,
    pub(super) places: Vec<Place>,
    /// Where tokens enter.
    pub(super) start: usize,
}

/// A field of a placed tile; or a number that a `goto` names and no field has, where a token can stand but not act.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) tile: usize,
    pub(super) id: i64,
    /// The field in its tile; nothing if there is none.
    pub(super) field: Option<usize>,
    /// Whether there are commands at all.
    pub(super) has_text: bool,
    pub(super) program: Program,
    /// Whether its commands run on every pass.
    pub(super) forced: bool,
    /// Whether single tile mode ends a game here.
    pub(super) wins: bool,
    /// Where a token goes from here.
    pub(super) control: Option<Control>,
    pub(super) span: Span,
}

/// A control statement, as a number of the top level of the program.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub(super) stmt: usize,
    pub(super) to: Vec<Dest>,
}

/// Where a way leads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dest {
    Place(usize),
    /// Nowhere: the kind of fault, and the rest of its message.
    Nowhere(&'static str, String),
}

impl Place {
    /// The statements that are no control statements, in order.
    pub(super) fn normal(&self) -> impl Iterator<Item = &Stmt> {
        self.program.code.iter().filter(|stmt| !is_control(stmt))
    }
}

fn is_control(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::ControlGoto(_) | StmtKind::ControlIf(..)
    )
}

/// Reads all texts and checks the board; nothing if there are errors.
pub(super) fn check(world: &World, out: &mut Diagnostics) -> Option<Board> {
    let setup = parse(&world.setup, out);
    let mut checker = Checker {
        world,
        places: Vec::new(),
        unread: world.unread,
        unsure: world.unread,
        out,
    };
    checker.setup(&setup);
    checker.fields(&setup);
    checker.ways();
    let start = checker.start();
    checker.end(&setup, start);
    checker.open_scopes();
    let places = checker.places;
    Some(Board {
        setup,
        places,
        start: start?,
    })
}

/// Reads and checks a text alone.
pub(super) fn check_program(world: &World, out: &mut Diagnostics) -> Program {
    let setup = parse(&world.setup, out);
    let mut checker = Checker {
        world,
        places: Vec::new(),
        unread: false,
        unsure: false,
        out,
    };
    checker.setup(&setup);
    setup
}

struct Checker<'a> {
    world: &'a World,
    places: Vec<Place>,
    /// Whether the commands of a field could not be read, so that what is missing may stand there.
    unread: bool,
    /// Whether the numbers of fields are not sure, so that a way may lead to one that has another number.
    unsure: bool,
    out: &'a mut Diagnostics,
}

impl Checker<'_> {
    fn push(&mut self, code: &'static CodeInfo, span: Span, message: String) {
        self.out.push(Diagnostic::new(code, span, message));
    }

    fn tile(&self, index: usize) -> &Tile {
        &self.world.tiles[index]
    }

    /// How messages call a place.
    fn called(&self, place: &Place) -> String {
        match self.world.tiles.len() {
            1 => format!("field {}", place.id),
            _ => format!(
                "field {} on tile `{}`",
                place.id,
                self.tile(place.tile).name
            ),
        }
    }

    fn setup(&mut self, setup: &Program) {
        let mut players = None;
        for def in &setup.defs {
            match def {
                Def::Game { max, span, .. } if *max == Some(0) => {
                    let message = "a die with 0 sides always shows 1".to_owned();
                    self.push(&codes::DIE_WITHOUT_SIDES, *span, message);
                }
                Def::Game {
                    max: Some(sides),
                    span,
                    ..
                } if *sides > MAX_SIDES => {
                    let message = format!("a die with {sides} sides has more than {MAX_SIDES}");
                    self.push(&codes::TOO_LARGE, *span, message);
                }
                Def::Game { .. } => {}
                Def::Players {
                    count,
                    count_span,
                    tokens,
                    span,
                    ..
                } => {
                    if let Some(first) = players {
                        let message = "players are defined a second time";
                        let found = Diagnostic::new(&codes::PLAYERS_TWICE, *span, message)
                            .also(first, "first here");
                        self.out.push(found);
                    }
                    players = Some(*span);
                    if *count == 0 {
                        let message = "a game without players".to_owned();
                        self.push(&codes::NO_PLAYERS, *count_span, message);
                    }
                    if *count > 64 {
                        let message = format!("{count} players are more than 64");
                        self.push(&codes::TOO_LARGE, *count_span, message);
                    }
                    match tokens {
                        Some((0, span)) => {
                            let message = "a player without a token cannot play".to_owned();
                            self.push(&codes::NO_TOKENS, *span, message);
                        }
                        Some((tokens, span)) if tokens.saturating_mul(*count) > 64 => {
                            let message = format!(
                                "{count} players with {tokens} tokens each are more than 64 tokens"
                            );
                            self.push(&codes::TOO_LARGE, *span, message);
                        }
                        _ => {}
                    }
                }
            }
        }
        self.effects(&setup.code);
        for stmt in &setup.code {
            if let StmtKind::Decl(decl) = &stmt.kind {
                let message = format!("`{}` exists for the first player only", decl.name);
                self.push(&codes::SETUP_LOCALS, decl.name_span, message);
            }
        }
    }

    /// Warns of dice that nobody can throw.
    fn dice(&mut self, code: &[Stmt]) {
        let mut dice = Vec::new();
        each_stmt(code, &mut |stmt| {
            for expr in exprs(stmt) {
                expr.each(&mut |inner| {
                    if let ExprKind::Roll(Some(sides)) = &inner.kind
                        && let ExprKind::Int(count) = sides.kind
                    {
                        dice.push((count, inner.span));
                    }
                });
            }
        });
        for (count, span) in dice {
            if count == 0 {
                let message = "a die with 0 sides always shows 1".to_owned();
                self.push(&codes::DIE_WITHOUT_SIDES, span, message);
            } else if count > MAX_SIDES {
                let message = format!("a die with {count} sides has more than {MAX_SIDES}");
                self.push(&codes::MAY_FAIL, span, message);
            }
        }
    }

    /// Warns of changes that are undone.
    fn effects(&mut self, code: &[Stmt]) {
        self.dice(code);
        let mut found = Vec::new();
        each_stmt(code, &mut |stmt| {
            if !matches!(stmt.kind, StmtKind::Log(_) | StmtKind::ControlIf(..)) {
                return;
            }
            for expr in exprs(stmt) {
                expr.each(&mut |inner| {
                    if matches!(inner.kind, ExprKind::Assign(..) | ExprKind::Step { .. }) {
                        found.push(inner.span);
                    }
                });
            }
        });
        for span in found {
            let message = "the variable gets its old value back at once".to_owned();
            self.push(&codes::LOST_EFFECT, span, message);
        }
    }

    /// Tells of the first statement that is a mere name which nothing declares, such as a misspelt `force`; whether there
    /// is one.
    fn misspelt(&mut self, program: &Program, declared: &[String]) -> bool {
        let found = program.code.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) if name.of.is_none() && !declared.contains(&name.name) => {
                Some(no_statement(&name.name, name.span))
            }
            _ => None,
        });
        let is_found = found.is_some();
        if let Some(found) = found {
            self.out.push(found);
        }
        is_found
    }

    /// Reads the texts of all fields.
    fn fields(&mut self, setup: &Program) {
        let mut programs = Vec::new();
        for tile in &self.world.tiles {
            for field in &tile.fields {
                let errors = self.out.count(crate::diag::Severity::Error);
                let program = match &field.text {
                    Some(text) => parse(text, self.out),
                    None => Program::default(),
                };
                let is_read = self.out.count(crate::diag::Severity::Error) == errors;
                programs.push((program, is_read));
            }
        }
        let declared = declared(setup, programs.iter().map(|(program, _)| program));
        let bounds = doubts::Bounds::of(setup, programs.iter().map(|(program, _)| program));
        doubts::check_setup(setup, &bounds, self.out);
        let mut programs = programs.into_iter();
        for (tile_index, tile) in self.world.tiles.iter().enumerate() {
            for (index, field) in tile.fields.iter().enumerate() {
                let twin = tile.fields[..index].iter().find(|f| f.id == field.id);
                if let Some(twin) = twin {
                    let message = format!("there are two fields {} on the tile", field.id);
                    let found = Diagnostic::new(&codes::SAME_NUMBER, field.span, message)
                        .also(twin.span, "the first one");
                    self.out.push(found);
                    self.unsure = true;
                }
                let (mut program, mut is_read) = programs.next().unwrap_or_default();
                is_read &= !self.misspelt(&program, &declared);
                self.unread |= !is_read;
                if is_read {
                    doubts::check(&program.code, &bounds, self.out);
                }
                if let Some(link) = field.link {
                    let target = super::ast::Target {
                        id: link.id,
                        span: link.span,
                    };
                    let stmt = Stmt {
                        kind: StmtKind::ControlGoto(target),
                        span: link.span,
                        line: 1,
                    };
                    program.code.insert(0, stmt);
                }
                for def in std::mem::take(&mut program.defs) {
                    let (Def::Game { span, .. } | Def::Players { span, .. }) = def;
                    let message = "blocks of the setup have no effect on a field".to_owned();
                    self.push(&codes::BLOCK_IN_FIELD, span, message);
                }
                let place = self.place(tile_index, index, program, is_read);
                self.places.push(place);
            }
        }
    }

    fn place(&mut self, tile: usize, index: usize, program: Program, is_read: bool) -> Place {
        let field = &self.world.tiles[tile].fields[index];
        let mut place = Place {
            tile,
            id: field.id,
            field: Some(index),
            has_text: field.text.is_some(),
            program,
            forced: false,
            wins: false,
            control: None,
            span: field.span,
        };
        if let Some(single) = &self.world.single {
            place.wins = single.end.iter().any(|end| end.id == field.id);
        }
        let first_is_force = matches!(
            place.normal().next().map(|stmt| &stmt.kind),
            Some(StmtKind::Force)
        );
        place.forced = first_is_force
            || place.program.code.iter().any(|stmt| {
                matches!(
                    stmt.kind,
                    StmtKind::BeginScope
                        | StmtKind::EndScope
                        | StmtKind::LimitScope
                        | StmtKind::Return(_)
                )
            });
        if !place.has_text {
            let message = format!("{} has no commands", self.called(&place));
            self.push(&codes::NO_COMMANDS, place.span, message);
        } else if is_read {
            self.rules_of(&mut place, first_is_force);
        }
        place
    }

    /// What must hold for the statements of a field.
    fn rules_of(&mut self, place: &mut Place, first_is_force: bool) {
        let called = self.called(place);
        let mut forces = place
            .normal()
            .filter(|stmt| matches!(stmt.kind, StmtKind::Force))
            .map(|stmt| stmt.span);
        let first = forces.next();
        let again: Vec<Span> = forces.collect();
        match first {
            Some(first) if first_is_force => {
                for span in again {
                    let message = format!("`force` stands in {called} already");
                    let found = Diagnostic::new(&codes::FORCE_AGAIN, span, message);
                    self.out.push(found.also(first, "this one counts"));
                }
            }
            Some(first) => {
                for span in std::iter::once(first).chain(again) {
                    let message = format!("`force` is not the first statement of {called}");
                    self.push(&codes::FORCE_NOT_FIRST, span, message);
                }
            }
            None => {}
        }
        let mut has_end = false;
        each_stmt(&place.program.code, &mut |stmt| {
            has_end |= matches!(stmt.kind, StmtKind::GameEnd);
        });
        let open = place
            .program
            .code
            .iter()
            .find(|stmt| matches!(stmt.kind, StmtKind::GameEnd));
        if let Some(open) = open.filter(|_| !first_is_force) {
            let message = format!("{called} ends the game but has no `force`");
            let found = Diagnostic::new(&codes::END_NOT_FORCED, open.span, message);
            self.out
                .push(found.help("begin the commands of the field with `force`"));
        }
        let code = &place.program.code;
        let controls: Vec<usize> = (0..code.len())
            .filter(|at| is_control(&code[*at]))
            .collect();
        match controls[..] {
            [stmt] => {
                place.control = Some(Control {
                    stmt,
                    to: Vec::new(),
                });
            }
            [] if (first_is_force && has_end) || place.wins => {}
            // That it lacks `force` was told.
            [] if open.is_some() || self.world.unread => {}
            [] => {
                let message = format!("{called} does not say where to go");
                let found = Diagnostic::new(&codes::NO_CONTROL, place.span, message);
                let decides = code.iter().find(|stmt| match &stmt.kind {
                    StmtKind::If(_, yes, Some(no)) => is_jump(yes) && is_jump(no),
                    _ => false,
                });
                self.out.push(match decides {
                    Some(stmt) => found
                        .also(
                            stmt.span,
                            "this moves the token at once, and uses up a step",
                        )
                        .help("write `control if ...` to choose the way"),
                    None => found.help(
                        "add `control goto NUMBER`, or `-> NUMBER` to its line in a board as text",
                    ),
                });
            }
            [first, second, ..] => {
                let message = format!("{called} has a second control statement");
                let found = Diagnostic::new(&codes::SEVERAL_CONTROLS, code[second].span, message)
                    .also(code[first].span, "the first one");
                self.out.push(found);
            }
        }
        let mut nested = Vec::new();
        let mut starts = Vec::new();
        for stmt in code {
            each_stmt(std::slice::from_ref(stmt), &mut |inner| {
                if is_control(inner) && !std::ptr::eq(inner, stmt) {
                    nested.push(inner.span);
                }
                if let StmtKind::GameStart(Some(cond)) = &inner.kind {
                    starts.push(cond.span);
                }
            });
        }
        for span in nested {
            let message = "this moves the token at once and does not say where to go".to_owned();
            self.push(&codes::NESTED_CONTROL, span, message);
        }
        for span in starts {
            let message = "the condition is evaluated and ignored".to_owned();
            self.push(&codes::USELESS_START, span, message);
        }
        let code = place.program.code.clone();
        self.effects(&code);
    }

    /// Finds where all ways lead.
    fn ways(&mut self) {
        for index in 0..self.places.len() {
            let place = &self.places[index];
            let (tile, id) = (place.tile, place.id);
            if let Some(control) = place.control.clone() {
                let stmt = place.program.code[control.stmt].clone();
                let to = self.control_targets(&stmt, tile, Some(id));
                if let Some(control) = &mut self.places[index].control {
                    control.to = to;
                }
            }
            let mut jumps = Vec::new();
            each_stmt(&self.places[index].program.code, &mut |stmt| {
                if let StmtKind::Goto(target) = stmt.kind {
                    jumps.push(target);
                }
            });
            for target in jumps {
                self.jump(tile, target);
            }
        }
        if let Some(single) = &self.world.single {
            for target in single.start.iter().take(1).chain(&single.end) {
                if self.find(0, target.id).is_none() {
                    let message = format!("there is no field {}", target.id);
                    self.push(&codes::NO_TARGET, target.span, message);
                }
            }
        }
    }

    /// A `goto`: the token stands on the number even if no field has it.
    fn jump(&mut self, tile: usize, target: super::ast::Target) {
        match self.find(tile, target.id) {
            Some(place) if self.places[place].field.is_some() => {
                let place = &self.places[place];
                if place.forced && place.control.is_none() && place.has_text {
                    let message = format!("nobody wins by a jump to {}", self.called(place));
                    self.push(&codes::GOTO_END, target.span, message);
                }
            }
            known => {
                if !self.unsure {
                    let message = format!("there is no field {} on the tile", target.id);
                    self.push(&codes::NO_TARGET, target.span, message);
                }
                if known.is_none() {
                    self.ghost(tile, target.id, target.span);
                }
            }
        }
    }

    /// A number that no field has, as a place to stand on.
    fn ghost(&mut self, tile: usize, id: i64, span: Span) -> usize {
        self.places.push(Place {
            tile,
            id,
            field: None,
            has_text: false,
            program: Program::default(),
            forced: false,
            wins: false,
            control: None,
            span,
        });
        self.places.len() - 1
    }

    /// The place of a number on a tile.
    fn find(&self, tile: usize, id: i64) -> Option<usize> {
        find_place(&self.places, tile, id)
    }

    /// The fields of a tile, as a sentence.
    fn numbers(&self, tile: usize) -> String {
        let fields = &self.tile(tile).fields;
        let listed = fields.iter().take(MAX_LISTED);
        let mut listed: Vec<String> = listed.map(|field| field.id.to_string()).collect();
        if fields.len() > MAX_LISTED {
            listed.push("...".to_owned());
        }
        format!("fields of the tile are {}", listed.join(", "))
    }

    fn control_targets(&mut self, stmt: &Stmt, tile: usize, own: Option<i64>) -> Vec<Dest> {
        let targets = match &stmt.kind {
            StmtKind::ControlGoto(target) => vec![*target],
            StmtKind::ControlIf(_, yes, no) => vec![*yes, *no],
            _ => Vec::new(),
        };
        let mut to = Vec::new();
        for target in targets {
            if own == Some(target.id) {
                let message = format!("field {} leads to itself", target.id);
                self.push(&codes::CONTROL_TO_ITSELF, target.span, message);
            }
            let dest = match self.find(tile, target.id) {
                Some(place) if self.places[place].field.is_some() => Dest::Place(place),
                found if self.world.single.is_some() => {
                    let message = format!("there is no field {} on the tile", target.id);
                    self.push(&codes::NO_TARGET, target.span, message);
                    let ghost = found.unwrap_or_else(|| self.ghost(tile, target.id, target.span));
                    Dest::Place(ghost)
                }
                _ => cross(self.world, &self.places, tile, target.id),
            };
            if let (Dest::Nowhere(code, message), false) = (&dest, self.unsure) {
                let info = match *code {
                    "target_not_found" => &codes::NO_TARGET,
                    _ => &codes::NO_WAY,
                };
                let found = Diagnostic::new(info, target.span, message.clone());
                let listed = self.numbers(tile);
                self.out.push(match std::ptr::eq(info, &codes::NO_TARGET) {
                    true => found.note(listed),
                    false => found,
                });
            }
            to.push(dest);
        }
        to
    }

    fn start(&mut self) -> Option<usize> {
        let mut starts: Vec<(usize, Span)> = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            let stmt = place
                .program
                .code
                .iter()
                .find(|stmt| matches!(stmt.kind, StmtKind::GameStart(_)));
            if let Some(stmt) = stmt {
                let copies = self.world.placements.iter();
                let copies = copies
                    .filter(|(_, tile)| *tile == place.tile)
                    .count()
                    .max(1);
                starts.extend(std::iter::repeat_n((index, stmt.span), copies));
            }
        }
        match starts[..] {
            [(start, _)] => Some(start),
            [] => {
                let single = self.world.single.as_ref();
                let named = single.and_then(|single| single.start.first());
                if let Some(start) = named.and_then(|start| self.find(0, start.id)) {
                    return Some(start);
                }
                if self.unread {
                    return None;
                }
                let message = "no field has `game_start()`";
                let first = self.places.iter().find(|place| place.field.is_some());
                let at = first.map_or(self.world.span, |place| place.span);
                let found = Diagnostic::new(&codes::NO_START, at, message);
                self.out
                    .push(found.help("add `game_start()` to the field where tokens enter"));
                None
            }
            [(_, first), (_, second), ..] => {
                let message = "a second start field";
                let found = Diagnostic::new(&codes::SEVERAL_STARTS, second, message)
                    .also(first, "the first one");
                self.out.push(found);
                None
            }
        }
    }
}

/// Whether statements are nothing but a jump.
fn is_jump(code: &[Stmt]) -> bool {
    matches!(
        code,
        [Stmt {
            kind: StmtKind::Goto(_),
            ..
        }]
    )
}

/// The names that setup and fields declare.
fn declared<'a>(setup: &Program, fields: impl Iterator<Item = &'a Program>) -> Vec<String> {
    let mut names = Vec::new();
    for def in &setup.defs {
        let (Def::Game { vars, .. } | Def::Players { vars, .. }) = def;
        names.extend(vars.iter().map(|decl| decl.name.clone()));
    }
    let mut locals = |program: &Program| {
        each_stmt(&program.code, &mut |stmt| {
            if let StmtKind::Decl(decl) = &stmt.kind {
                names.push(decl.name.clone());
            }
        });
    };
    locals(setup);
    fields.for_each(locals);
    names
}

/// The place of a number on a tile.
pub(super) fn find_place(places: &[Place], tile: usize, id: i64) -> Option<usize> {
    places
        .iter()
        .position(|place| place.tile == tile && place.id == id)
}

/// Where a token comes that leaves a tile by a border point, through as many tiles as it takes.
pub(super) fn cross(world: &World, places: &[Place], tile: usize, id: i64) -> Dest {
    let nowhere = |code: &'static str, message: String| Dest::Nowhere(code, message);
    let (mut tile, mut id) = (tile, id);
    for crossing in 0..MAX_CROSSINGS {
        if crossing > 0
            && let Some(place) = find_place(places, tile, id)
            && places[place].field.is_some()
        {
            return Dest::Place(place);
        }
        let point = Side::ALL.into_iter().find_map(|side| {
            let points = &world.tiles[tile].borders[side as usize];
            let point = points.iter().find(|point| point.id == id)?;
            Some((side, point.along))
        });
        let name = &world.tiles[tile].name;
        let Some((side, along)) = point else {
            return match crossing {
                0 => nowhere(
                    "target_not_found",
                    format!("there is neither a field nor a border point {id} on tile `{name}`"),
                ),
                _ => nowhere(
                    "border_target_not_found",
                    format!(
                        "a border point of tile `{name}` leads to {id}, which is neither a field nor a border point of it"
                    ),
                ),
            };
        };
        let ((dx, dy), opposite) = side.across();
        let (x, y) = world.tiles[tile].at;
        let beside = world
            .placements
            .iter()
            .find(|(at, _)| *at == (x + dx, y + dy));
        let Some((_, beside)) = beside else {
            let message = format!("there is no tile at the {} of tile `{name}`", side.word());
            return nowhere("no_neighbour_tile", message);
        };
        let points = &world.tiles[*beside].borders[opposite as usize];
        let other = &world.tiles[*beside].name;
        let Some(point) = points.iter().find(|point| point.along == along) else {
            let message = format!(
                "tile `{other}` has no border point opposite of point {id} of tile `{name}`"
            );
            return nowhere("no_matching_border_point", message);
        };
        let Some(next) = point.next.map(|next| next.id) else {
            let message = format!(
                "from the border point {} of tile `{other}` no field follows",
                point.id
            );
            return nowhere("border_point_without_next", message);
        };
        (tile, id) = (*beside, next);
    }
    nowhere(
        "border_loop",
        "the way leads around from border to border for ever".to_owned(),
    )
}
