//! From the tree to the IR.
//!
//! The board is an anonymous placement of kinds (player and figure) on cells. Counters live as sets of cells, one for
//! each value that some condition tests: a figure whose counter is beyond them, or that nobody asks, is in none. What
//! depends on vectors and coordinates alone becomes tables; each way to move of each kind becomes a family of moves
//! whose targets are computed from the source as a set.

mod alone;
mod attack;
mod checks;
mod complex;
mod dead_end;
mod effects;
mod exprs;
mod formula;
mod legal;
mod look;
mod moves;
mod process;
mod program;
mod progress;
mod start;
mod tables;
mod trail;

use rulec_ir::sorted::{SortedMap, SortedSet};

use self::formula::{Index, Names};
use self::moves::Arms;
use self::program::Program;
use crate::ast::{Action, ActionSet, Computed, Condition, Game, Match, Progress};
use crate::codes;
use crate::diag::Diagnostics;
use crate::ir::builder::GameBuilder;
use crate::ir::{
    Const, DomainId, FuncId, Game as Ir, Members, Placement, PlacementForm, PlacementId, Source,
    StatePart, TableId, Type, VarId, VarStyle,
};
use crate::source::{SourceMap, Span};

/// Most combinations of player and figure.
const MAX_KINDS: usize = 250;

/// The variables of a game; those that nothing needs are absent.
struct Vars {
    /// Cells whose figure moved so often, by number.
    moved: Vec<VarId>,
    /// Cells whose figure moved so many moves ago, by number.
    age: Vec<VarId>,
    /// Cells whose figure is taken at the end of the chain.
    doomed: Option<VarId>,
    /// The figure that becomes another one at the end of the chain, by its cell, and what it becomes.
    crown: Option<(VarId, VarId)>,
    /// The number of the move, saturated.
    clock: Option<VarId>,
    /// Moves since the last progress.
    quiet: Option<VarId>,
    /// Moves since the start.
    plies: Option<VarId>,
    /// The place of decision that waits for a move.
    phase: Option<VarId>,
    /// The figure that may go on.
    chain: Option<VarId>,
    /// The priority at which it may, where there are several.
    rank: Option<VarId>,
}

/// What lowering works with.
struct Lower<'a> {
    game: &'a Game,
    b: GameBuilder,
    names: Names,
    cell: DomainId,
    kind: DomainId,
    board: PlacementId,
    vars: Vars,
    /// For each figure by name how far its moves are counted, and its age.
    tracked: SortedMap<&'a str, Tracked>,
    /// Tables by what they hold.
    tables: SortedMap<tables::Held, TableId>,
    /// The test whether a figure of a kind is attacked, by kind.
    attacks: SortedMap<usize, FuncId>,
    /// Whether the test for attacks asks itself: then nothing is asked that rules do not ask, because that may never end.
    recursive: bool,
    /// Whether no position before progress can come again, so that it can be forgotten.
    is_final: bool,
    /// The ways to move of each kind.
    programs: Vec<Vec<Program>>,
    /// Complex movements, by number, that are ways to move of a kind like all others.
    alone: SortedSet<(usize, usize)>,
    /// The move families of each player.
    arms: Vec<Arms>,
    /// The places where a player decides.
    nodes: Vec<process::Node<'a>>,
    /// Who may be without a move at the start, where that is asked first.
    asks_at_start: Option<usize>,
    /// The functions that tell how long chains of a player at a priority can become.
    chain_lengths: SortedMap<(usize, i64), FuncId>,
    /// Targets of programs that must take on the way: kind, vectors, function; later programs have none of these.
    taking: Vec<(usize, Vec<Vec<i64>>, FuncId)>,
    /// Truth values that no rule writes: draw rules that can be left out.
    switches: Switches,
}

/// The variables that tell whether a draw rule applies, for the rules that the file has.
#[derive(Default)]
struct Switches {
    repetition: Option<VarId>,
    no_progress: Option<VarId>,
    max_plies: Option<VarId>,
}

/// How far counters of a figure are kept: values below this have a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tracked {
    moves: u32,
    age: u32,
}

/// The IR of a checked game.
pub(super) fn lower(game: &Game, sources: &SourceMap, out: &mut Diagnostics) -> Option<Ir> {
    let kinds = kinds(game);
    if kinds.len() > MAX_KINDS {
        let message = format!("there are {} kinds of figure", kinds.len());
        out.push(crate::diag::Diagnostic::new(
            &codes::TOO_LARGE,
            game.span,
            message,
        ));
        return None;
    }
    let mut lower = Lower::new(game, kinds, sources);
    lower.declare_counters();
    lower.programs = (0..lower.names.kinds.len())
        .map(|kind| lower.programs_of(kind))
        .collect();
    lower.recursive = lower.programs.iter().flatten().any(Program::asks_attacks);
    lower.movements_alone();
    lower.is_final = lower.progress_is_final();
    lower.dead_ends(out);
    lower.declare_nodes();
    lower.declare_trail();
    lower.declare_attacks();
    lower.families();
    if !lower.can_ever_move() {
        out.push(lower.no_moves());
        return None;
    }
    lower.process();
    lower.look();
    lower.state_text();
    Some(lower.b.game)
}

/// All combinations of player and figure that can come to stand on the board.
fn kinds(game: &Game) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |player: &str, figure: &str| {
        let kind = (player.to_owned(), figure.to_owned());
        if !found.contains(&kind) {
            found.push(kind);
        }
    };
    for start in &game.initial {
        for figure in game.figures.keys().filter(|f| **f == start.figure) {
            add(&start.player, figure);
        }
    }
    let mut at = 0;
    while at < found.len() {
        let (player, figure) = found[at].clone();
        for next in replacements(game, &figure) {
            let kind = (player.clone(), next.to_owned());
            if !found.contains(&kind) {
                found.push(kind);
            }
        }
        at += 1;
    }
    let place = |(player, figure): &(String, String)| {
        (
            game.player(player),
            game.figures.get_index_of(figure.as_str()),
        )
    };
    found.sort_by_key(place);
    found
}

/// What a figure can be replaced by.
fn replacements<'a>(game: &'a Game, figure: &str) -> Vec<&'a str> {
    let mut all = Vec::new();
    for set in sets_of(game, figure) {
        for action in &set.actions {
            match &action.node {
                Action::Replace(name) | Action::ReplaceLater(name) => all.push(name.as_str()),
                Action::Choose(names) => all.extend(names.iter().map(|name| name.node.as_str())),
                _ => {}
            }
        }
    }
    for complex in &game.complex {
        if complex.parts.iter().any(|part| part.figure.node == figure) {
            all.extend(complex.choices());
        }
    }
    all
}

/// All sets that are judged for a figure.
fn sets_of<'a>(game: &'a Game, figure: &str) -> Vec<&'a ActionSet> {
    let mut lists = Vec::new();
    if let Some(figure) = game.figures.get(figure) {
        lists.push(&figure.actions);
        let entries = figure.movement.iter().flat_map(|(_, entries)| entries);
        lists.extend(entries.map(|entry| &entry.actions));
    }
    for complex in &game.complex {
        for part in complex.parts.iter().filter(|p| p.figure.node == figure) {
            lists.push(&part.actions);
            lists.push(&complex.actions);
        }
    }
    let sets = lists
        .into_iter()
        .flat_map(|list| list.destination.iter().chain(&list.transition));
    sets.collect()
}

/// All condition sets that are judged for a figure.
fn conditions_of<'a>(game: &'a Game, figure: &str) -> Vec<&'a Condition> {
    let mut all: Vec<&Condition> = Vec::new();
    for set in sets_of(game, figure) {
        all.extend(set.when.iter().flatten());
    }
    if let Some(figure) = game.figures.get(figure) {
        for entry in figure.movement.iter().flat_map(|(_, entries)| entries) {
            all.extend(entry.when.iter().flatten());
        }
    }
    all
}

impl<'a> Lower<'a> {
    fn new(game: &'a Game, kinds: Vec<(String, String)>, sources: &SourceMap) -> Lower<'a> {
        let players: Vec<&str> = game.players.iter().map(|p| p.node.as_str()).collect();
        let mut b = GameBuilder::new(&game.name, "bgc", &players);
        b.game.sources = sources
            .files()
            .iter()
            .map(|file| Source {
                name: file.name().to_owned(),
                sha256: file.sha256().to_owned(),
                lines: file.line_starts().to_vec(),
            })
            .collect();
        let span = game.span;
        let text = |cell: &Vec<i64>| {
            let parts: Vec<String> = cell.iter().map(i64::to_string).collect();
            parts.join(",")
        };
        let cells: Vec<Vec<i64>> = game.cells.iter().map(|cell| cell.node.clone()).collect();
        let cell = b.names("Cell", cells.iter().map(text).collect(), span);
        let mut kind_names: Vec<String> = kinds
            .iter()
            .map(|(player, figure)| format!("{player} {figure}"))
            .collect();
        if kind_names.is_empty() {
            kind_names.push("nothing".to_owned());
        }
        let kind = b.domain("Kind", Members::Names(unique(kind_names)), span);
        let mut init = vec![None; cells.len()];
        for start in &game.initial {
            let is = |(p, f): &(String, String)| *p == start.player && *f == start.figure;
            init[start.cell] = kinds.iter().position(is).map(|kind| kind as u32);
        }
        let board = b.placement(Placement {
            name: "board".to_owned(),
            pieces: kind,
            places: cell,
            form: PlacementForm::Anonymous,
            init,
            span,
        });
        Lower {
            game,
            b,
            names: Names {
                kinds,
                index: Index::of(&cells),
                cells,
            },
            cell,
            kind,
            board,
            vars: Vars {
                moved: Vec::new(),
                age: Vec::new(),
                doomed: None,
                crown: None,
                clock: None,
                quiet: None,
                plies: None,
                phase: None,
                chain: None,
                rank: None,
            },
            tracked: SortedMap::new(),
            tables: SortedMap::new(),
            attacks: SortedMap::new(),
            recursive: false,
            is_final: false,
            programs: Vec::new(),
            alone: SortedSet::new(),
            arms: Vec::new(),
            nodes: Vec::new(),
            asks_at_start: None,
            chain_lengths: SortedMap::new(),
            taking: Vec::new(),
            switches: Switches::default(),
        }
    }

    fn span(&self) -> Span {
        self.game.span
    }

    /// Declares the sets and numbers that conditions and draw rules need.
    fn declare_counters(&mut self) {
        self.track();
        let moves = self.tracked.values().map(|t| t.moves).max().unwrap_or(0);
        let age = self.tracked.values().map(|t| t.age).max().unwrap_or(0);
        let starts = self.b.game.placements[self.board.index()].init.clone();
        let span = self.span();
        let cells = |lower: &Self, f: &dyn Fn(Tracked) -> bool| {
            let on = (0u32..).zip(&starts);
            let on = on.filter_map(|(cell, kind)| Some((cell, (*kind)?)));
            let members = on.filter(|(_, kind)| f(lower.tracked_kind(*kind as usize)));
            Const::Set(members.map(|(cell, _)| cell).collect())
        };
        for number in 0..moves {
            let init = match number {
                0 => cells(self, &|t| t.moves > 0),
                _ => Const::Set(Vec::new()),
            };
            let name = format!("moved {number}");
            let ty = Type::Set(self.cell);
            self.vars
                .moved
                .push(self.b.var(&name, Vec::new(), ty, init, span));
        }
        for number in 0..age {
            // At the start all figures count as moved one move ago.
            let init = match number {
                1 => cells(self, &|t| t.age > 1),
                _ => Const::Set(Vec::new()),
            };
            let name = format!("age {number}");
            let ty = Type::Set(self.cell);
            self.vars
                .age
                .push(self.b.var(&name, Vec::new(), ty, init, span));
        }
        self.declare_numbers();
    }

    fn declare_numbers(&mut self) {
        let span = self.span();
        let mut latest = None;
        let (mut doomed, mut crown) = (false, false);
        for figure in self.game.figures.keys() {
            for condition in conditions_of(self.game, figure) {
                let tested = condition.clock.iter().filter_map(formula::counter);
                latest = latest.max(tested.max());
            }
            let sets = sets_of(self.game, figure);
            for action in sets.iter().flat_map(|set| &set.actions) {
                doomed |= action.node == Action::Take { deferred: true };
                crown |= matches!(action.node, Action::ReplaceLater(_));
            }
        }
        if crown {
            let ty = Type::Opt(self.cell);
            let cell = self.b.var("crowned", Vec::new(), ty, Const::None, span);
            let ty = Type::Opt(self.kind);
            let kind = self.b.var("crown", Vec::new(), ty, Const::None, span);
            self.vars.crown = Some((cell, kind));
        }
        if doomed {
            let ty = Type::Set(self.cell);
            let none = Const::Set(Vec::new());
            self.vars.doomed = Some(self.b.var("doomed", Vec::new(), ty, none, span));
        }
        let number = |lower: &mut Self, name: &str, lo: i64, hi: i64| {
            let ty = Type::Int { lo, hi };
            lower.b.var(name, Vec::new(), ty, Const::Int(lo), span)
        };
        if let Some(latest) = latest {
            let latest = i64::from(latest).max(0) + 1;
            self.vars.clock = Some(number(self, "clock", 1, latest.max(1)));
        }
        let Some(rules) = &self.game.draws else {
            return;
        };
        if let Some(rule) = &rules.no_progress {
            self.vars.quiet = Some(number(self, "quiet", 0, i64::from(rule.plies)));
            self.switches.no_progress = Some(self.switch("no_progress"));
        }
        if let Some(most) = rules.max_plies {
            self.vars.plies = Some(number(self, "plies", 0, i64::from(most)));
            self.switches.max_plies = Some(self.switch("max_plies"));
        }
        if rules.repetition.is_some() {
            self.switches.repetition = Some(self.switch("repetition"));
        }
    }

    /// A rule that can be left out.
    fn switch(&mut self, name: &str) -> VarId {
        let on = Const::Bool(true);
        let var = self.b.var(name, Vec::new(), Type::Bool, on, self.game.span);
        self.b.game.switches.push(var);
        var
    }

    fn tracked_kind(&self, kind: usize) -> Tracked {
        let figure = self.names.kinds[kind].1.as_str();
        self.tracked.get(figure).copied().unwrap_or_default()
    }

    /// Finds out how far counters are asked for.
    fn track(&mut self) {
        let game = self.game;
        let mut tracked: SortedMap<&str, Tracked> = game
            .figures
            .keys()
            .map(|name| (name.as_str(), Tracked::default()))
            .collect();
        let mut note = |matching: &Match, own: Option<&str>| {
            let Some(value) = &matching.moves_made else {
                return;
            };
            let Some(number) = formula::counter(&value.node) else {
                return;
            };
            for (name, slot) in &mut tracked {
                let named = |wanted: &crate::ast::Spanned<_>| {
                    crate::script::Value::String((*name).to_owned()).loosely_equals(&wanted.node)
                };
                let meant = match own {
                    Some(own) => own == *name,
                    None => matching.figure.as_ref().is_none_or(named),
                };
                if meant {
                    slot.moves = slot.moves.max(number + 1);
                }
            }
        };
        let checks = game.win.values().chain(game.forbidden.values()).flatten();
        for check in checks {
            note(&check.filter, None);
        }
        let mut ages: Vec<(&str, u32)> = Vec::new();
        for name in game.figures.keys() {
            for condition in conditions_of(game, name) {
                note(&condition.own, Some(name));
                note(&condition.target, None);
                for (computed, wanted) in &condition.computed {
                    if let (Computed::Age, Some(age)) = (computed, formula::counter(wanted)) {
                        ages.push((name, age + 1));
                    }
                }
            }
        }
        for (name, age) in ages {
            if let Some(slot) = tracked.get_mut(name) {
                slot.age = slot.age.max(age);
            }
        }
        // A figure that can become another one is counted as far as that one.
        for _ in 0..tracked.len() {
            for name in game.figures.keys() {
                for next in replacements(game, name) {
                    let other = tracked.get(next).copied().unwrap_or_default();
                    if let Some(slot) = tracked.get_mut(name.as_str()) {
                        slot.moves = slot.moves.max(other.moves);
                        slot.age = slot.age.max(other.age);
                    }
                }
            }
        }
        self.tracked = tracked;
    }

    /// The text of states: who moves, then row by row what stands on each cell, then counters.
    fn state_text(&mut self) {
        let text = |text: &str| StatePart::Text(text.to_owned());
        let mut parts = Vec::new();
        if let Some(phase) = self.vars.phase {
            parts.push(StatePart::Var(phase, VarStyle::Named));
        }
        parts.push(text(" | "));
        parts.push(StatePart::Each {
            domain: self.cell,
            order: (0..self.cell_count() as u32).collect(),
            separator: ",".to_owned(),
            parts: vec![StatePart::Content(self.board)],
        });
        let vars = self.b.game.vars.iter().enumerate();
        for (number, var) in vars {
            let id = VarId::from(number);
            if Some(id) != self.vars.phase && !self.b.game.switches.contains(&id) {
                parts.push(text(&format!(" | {}=", var.name)));
                parts.push(StatePart::Var(id, VarStyle::Named));
            }
        }
        parts.push(text(" | "));
        parts.push(StatePart::Outcome);
        self.b.game.state_text = parts;
    }

    /// What of draw rules counts as progress.
    fn progress(&self) -> &'a [Progress] {
        let rules = self.game.draws.as_ref();
        let rule = rules.and_then(|rules| rules.no_progress.as_ref());
        rule.map_or(&[], |rule| &rule.progress)
    }
}

/// The names, made different where two are the same.
fn unique(names: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let mut candidate = name.clone();
        let mut number = 1;
        while out.contains(&candidate) {
            number += 1;
            candidate = format!("{name} {number}");
        }
        out.push(candidate);
    }
    out
}
