//! What games reach of rules: the moves, the ends, and the blocks of what moves do.
//!
//! A copy of the game tells where it comes by: each block of a function that does more than give a value begins with a
//! signal.

use std::cell::RefCell;
use std::collections::BTreeMap;

use anyhow::{Result, bail};
use rulec_compiler::ir::effects::Effects;
use rulec_compiler::ir::{Block, Emit, Expr, FuncId, Game, Stmt, StmtKind};
use rulec_compiler::source::{FileId, SourceFile, Span};
use rulec_interp::{Event, State};
use serde_json::{Value, json};

use super::suite::Suite;
use crate::check::walk::{self, Amount, PASSED, Played};
use crate::interpreted::InterpretedGame;

/// What games reached, and what not.
pub(crate) struct Coverage {
    /// What the games were, for people.
    what: &'static str,
    /// Random games, or tests.
    pub(crate) games: u64,
    /// Positions in which somebody decided.
    pub(crate) positions: u64,
    /// The kinds of move: how many of the positions admitted one.
    pub(crate) rules: Vec<Hit>,
    /// The places where the game ends: how often it did.
    pub(crate) ends: Vec<Hit>,
    /// The steps of what moves do: how often they were taken.
    pub(crate) steps: Vec<Hit>,
    /// The places where these part.
    branches: Vec<Branch>,
}

/// A part of rules, and how often it was reached.
pub(crate) struct Hit {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) count: u64,
}

struct Branch {
    span: Span,
    yes: u64,
    no: u64,
}

/// The blocks of a program that tells where it comes by.
#[derive(Default)]
pub(super) struct Blocks {
    /// The statements of each.
    steps: Vec<Vec<Span>>,
    /// The conditions, and the blocks behind them.
    branches: Vec<(Span, usize, usize)>,
}

impl Blocks {
    /// The game with signals at the beginning of its blocks.
    pub(super) fn told(game: &Game) -> (Game, Blocks) {
        let effects = Effects::of(game);
        let mut blocks = Blocks::default();
        let mut game = game.clone();
        for (index, function) in game.functions.iter_mut().enumerate() {
            // What is asked for its value alone must not tell anything.
            if !effects.function(FuncId::from(index)).is_guard() {
                blocks.add(&mut function.body);
            }
        }
        (game, blocks)
    }

    fn add(&mut self, block: &mut Block) -> usize {
        let number = self.steps.len();
        // Where a rule goes wrong is what the compiler adds, no step of the author's.
        let is_fault = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Fault(_));
        let steps = block.iter().filter(|stmt| !is_fault(stmt));
        self.steps.push(steps.map(|stmt| stmt.span).collect());
        for stmt in block.iter_mut() {
            let guards = match &stmt.kind {
                StmtKind::If(_, yes, no) => [yes, no].iter().any(|way| way.iter().any(is_fault)),
                _ => true,
            };
            let mut inner = Vec::new();
            stmt.blocks_mut(&mut |block| inner.push(self.add(block)));
            if let (false, [yes, no]) = (guards, inner.as_slice()) {
                self.branches.push((stmt.span, *yes, *no));
            }
        }
        let span = block.first().map_or(Span::default(), |stmt| stmt.span);
        let values = vec![Expr::int(number as i64, span)];
        let kind = StmtKind::Emit(Emit::Signal(PASSED.to_owned(), values));
        block.insert(0, Stmt { kind, span });
        number
    }
}

impl Coverage {
    /// What random games reach, game `n` on stream `n` of the seed, as long as `go_on` holds.
    ///
    /// # Errors
    /// When the game cannot be interpreted.
    pub(crate) fn of_random_games(
        game: &Game,
        seed: u64,
        amount: Amount,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Coverage> {
        let (told, blocks) = Blocks::told(game);
        let told = InterpretedGame::new(told)?;
        let mut played = walk::play(&told, seed, amount, &|_| go_on());
        let mut events = Vec::new();
        told.interp().initial_with_events(&mut events);
        played.hear(game, &events);
        Ok(Coverage::of(game, &blocks, &played, "random games"))
    }

    /// What tests reach.
    ///
    /// # Errors
    /// When the game cannot be interpreted, or fails a test.
    pub(super) fn of_tests(game: &Game, suite: &Suite) -> Result<Coverage> {
        let (told, blocks) = Blocks::told(game);
        let interp = super::interp(&told)?;
        let played = RefCell::new(Played {
            games: suite.tests.len() as u64,
            legal: vec![0; game.families.len()],
            ..Played::default()
        });
        let mut watch = |state: &State, events: &[Event]| {
            let mut played = played.borrow_mut();
            played.hear(game, events);
            if let Some(span) = interp.ended_by(state) {
                *played.ended_by.entry(span).or_default() += 1;
            } else if let Ok(legal) = interp.legal_moves(state)
                && !legal.is_empty()
            {
                *played.choices.entry(legal.len() as u64).or_default() += 1;
                walk::count_families(&interp, legal, &mut played.legal);
            }
        };
        let mut events = Vec::new();
        interp.initial_with_events(&mut events);
        watch(&interp.initial(), &events);
        if let Some(failure) = suite.failures_seen(&interp, &mut watch).first() {
            let (name, why) = (failure.name(), &failure.why);
            bail!("the rules fail {name}: {why}");
        }
        let played = played.into_inner();
        Ok(Coverage::of(game, &blocks, &played, "tests"))
    }

    fn of(game: &Game, blocks: &Blocks, played: &Played, what: &'static str) -> Coverage {
        let rules = game.rules().map(|(index, rule)| Hit {
            name: rule.name.clone(),
            span: rule.span,
            count: played.legal[index],
        });
        let ends = walk::ends(game).into_iter().map(|(span, reason)| Hit {
            name: format!("end: {reason:?}").to_lowercase(),
            span,
            count: played.ended_by.get(&span).copied().unwrap_or(0),
        });
        let passed = |block: usize| played.passed.get(&(block as i64)).copied().unwrap_or(0);
        // What the compiler adds by itself has no place of its own.
        let written = |span: &Span| !span.is_empty() && span.file == FileId(0);
        let mut steps: BTreeMap<Span, u64> = BTreeMap::new();
        for (block, spans) in blocks.steps.iter().enumerate() {
            for span in spans.iter().filter(|span| written(span)) {
                *steps.entry(*span).or_default() += passed(block);
            }
        }
        let mut branches: BTreeMap<Span, Branch> = BTreeMap::new();
        for &(span, yes, no) in blocks.branches.iter().filter(|(span, ..)| written(span)) {
            let branch = branches.entry(span).or_insert(Branch {
                span,
                yes: 0,
                no: 0,
            });
            branch.yes += passed(yes);
            branch.no += passed(no);
        }
        Coverage {
            what,
            games: played.games,
            positions: played.choices.values().sum(),
            rules: rules.collect(),
            ends: ends.collect(),
            steps: steps
                .into_iter()
                .map(|(span, count)| Hit {
                    name: String::new(),
                    span,
                    count,
                })
                .collect(),
            branches: branches.into_values().collect(),
        }
    }

    /// Everything as JSON, by the lines of a file.
    pub(super) fn report(&self, source: &SourceFile) -> Value {
        let line = |span: Span| source.position(span.start).line;
        let here =
            |span: Span| span.file == source.id() && (span.end as usize) <= source.text().len();
        let list = |hits: &[Hit]| -> Vec<Value> {
            let mut hits: Vec<(u32, &str, u64)> = hits
                .iter()
                .filter(|hit| here(hit.span))
                .map(|hit| (line(hit.span), hit.name.as_str(), hit.count))
                .collect();
            hits.sort_unstable();
            let hits = hits.into_iter();
            hits.map(|(line, name, count)| json!({ "line": line, "name": name, "count": count }))
                .collect()
        };
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        let hits = self.rules.iter().chain(&self.ends).chain(&self.steps);
        for hit in hits.filter(|hit| here(hit.span)) {
            let most = lines.entry(line(hit.span)).or_default();
            *most = (*most).max(hit.count);
        }
        let branches = self.branches.iter().filter(|branch| here(branch.span));
        let branches: Vec<Value> = branches
            .map(|branch| json!({ "line": line(branch.span), "yes": branch.yes, "no": branch.no }))
            .collect();
        let lines = lines
            .into_iter()
            .map(|(line, count)| json!({ "line": line, "count": count }));
        json!({
            "file": source.name(),
            "what": self.what,
            "games": self.games,
            "positions": self.positions,
            "rules": list(&self.rules),
            "ends": list(&self.ends),
            "lines": lines.collect::<Vec<_>>(),
            "branches": branches,
        })
    }
}

fn items<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    report[key].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

/// Of things that were counted: how many were reached, and how many there are.
fn reached(list: &[Value]) -> (usize, usize) {
    let hit = list.iter().filter(|item| number(item, "count") > 0);
    (hit.count(), list.len())
}

/// A report for people: the rules and ends, and how much of each kind was reached.
pub(super) fn text(report: &Value) -> String {
    let mut parts: Vec<&Value> = ["rules", "ends"]
        .iter()
        .flat_map(|key| items(report, key))
        .collect();
    parts.sort_by_key(|part| number(part, "line"));
    let mut text = String::new();
    for part in &parts {
        text.push_str(&format!(
            "{:>9}  line {:>4}  {}\n",
            number(part, "count"),
            number(part, "line"),
            part["name"].as_str().unwrap_or_default()
        ));
    }
    let never: Vec<String> = items(report, "lines")
        .iter()
        .filter(|line| number(line, "count") == 0)
        .map(|line| number(line, "line").to_string())
        .collect();
    if !never.is_empty() {
        text.push_str(&format!("never reached: line {}\n", never.join(", ")));
    }
    let hit = parts
        .iter()
        .filter(|part| number(part, "count") > 0)
        .count();
    let (lines, all_lines) = reached(items(report, "lines"));
    let branches = items(report, "branches");
    let ways: usize = branches
        .iter()
        .map(|b| usize::from(number(b, "yes") > 0) + usize::from(number(b, "no") > 0))
        .sum();
    text.push_str(&format!(
        "{hit} of {} rules and ends reached ({} %), {lines} of {all_lines} lines, {ways} of {} branches, in {} {}\n",
        parts.len(),
        100 * hit / parts.len().max(1),
        2 * branches.len(),
        number(report, "games"),
        report["what"].as_str().unwrap_or_default(),
    ));
    text
}

/// The trace file that `genhtml` and editors read: one row a line.
pub(super) fn lcov(report: &Value) -> String {
    let file = report["file"].as_str().unwrap_or_default();
    let mut text = format!("TN:\nSF:{file}\n");
    let parts: Vec<&Value> = ["rules", "ends"]
        .iter()
        .flat_map(|key| items(report, key))
        .collect();
    let name = |part: &Value| part["name"].as_str().unwrap_or_default().to_owned();
    for part in &parts {
        text.push_str(&format!("FN:{},{}\n", number(part, "line"), name(part)));
    }
    for part in &parts {
        text.push_str(&format!("FNDA:{},{}\n", number(part, "count"), name(part)));
    }
    let hit = parts
        .iter()
        .filter(|part| number(part, "count") > 0)
        .count();
    text.push_str(&format!("FNF:{}\nFNH:{hit}\n", parts.len()));
    let (mut found, mut taken) = (0, 0);
    for (block, branch) in items(report, "branches").iter().enumerate() {
        let ways = [number(branch, "yes"), number(branch, "no")];
        for (way, count) in ways.into_iter().enumerate() {
            // Where the condition was never asked there is a dash.
            let shown = match ways {
                [0, 0] => "-".to_owned(),
                _ => count.to_string(),
            };
            let line = number(branch, "line");
            text.push_str(&format!("BRDA:{line},{block},{way},{shown}\n"));
            found += 1;
            taken += u32::from(count > 0);
        }
    }
    text.push_str(&format!("BRF:{found}\nBRH:{taken}\n"));
    for line in items(report, "lines") {
        text.push_str(&format!(
            "DA:{},{}\n",
            number(line, "line"),
            number(line, "count")
        ));
    }
    let (hit, all) = reached(items(report, "lines"));
    text.push_str(&format!("LF:{all}\nLH:{hit}\nend_of_record\n"));
    text
}
