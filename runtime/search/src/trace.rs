//! What a game does on random games, in a form that can be compared with another machine for the same rules.
//!
//! Two machines (the interpreter and compiled code, say) agree if their traces are equal: a trace has one number for
//! each position, made from everything that the rules define there and from nothing else. Order of move lists,
//! packing of moves and layout of states are left out, equality of states is compared as a partition.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::io::{self, BufRead, Write};

use rulec_core::{ChoiceSet, KeyHasher, Outcome, Reason, Rng, Turn, bits::bits64};

use crate::{AnyState, State};

/// Which random games to trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceJob {
    /// Seed of the run; the number of a game is its stream.
    pub seed: u64,
    /// Number of the first game.
    pub first: u64,
    /// Number of games.
    pub games: u64,
    /// Plies of a game at most, draws included.
    pub plies: u32,
    /// In one of so many positions the successors are looked at too; 1 is always.
    pub deep: u32,
}

/// The trace of every game of a job: one number a position.
pub fn trace(start: &State<'_>, job: &TraceJob) -> Vec<Vec<u64>> {
    (job.first..job.first.saturating_add(job.games))
        .map(|game| {
            let mut positions = Vec::new();
            walk(start, job, game, |number, _| positions.push(number));
            positions
        })
        .collect()
}

/// The texts of the moves of a traced game, up to the position with this number.
pub fn path(start: &State<'_>, job: &TraceJob, game: u64, position: usize) -> Vec<String> {
    let mut moves = Vec::new();
    walk(start, job, game, |_, mv| {
        moves.extend(mv.map(str::to_owned));
    });
    moves.truncate(position);
    moves
}

/// Everything that the rules define in the position after some moves, with its successors: one fact
/// a line, its name and its value with a tab between them. `None` if the moves cannot be played.
pub fn describe(start: &State<'_>, moves: &[&str]) -> Option<Vec<String>> {
    let mut classes = Classes::default();
    let mut state = start.fork();
    for text in moves {
        classes.number(&*state);
        let choice = Choice::of(&*state).into_iter().find(|c| c.text == *text)?;
        state.play(choice.code, None);
    }
    let position = Position::new(&*state, &mut classes);
    let mut lines = position.lines;
    lines.extend(successors(&*state, &position.choices, &mut classes));
    Some(lines)
}

/// The texts of the moves that a description tells of.
pub fn moves_of(description: &[String]) -> impl Iterator<Item = &str> {
    description
        .iter()
        .filter_map(|line| line.strip_prefix(MOVE)?.split('\t').next())
}

const MOVE: &str = "move ";

/// Answers requests until the input ends: the other side of a comparison with a compiled game.
///
/// A request is a line, and so is each part of its answer:
/// - `trace SEED FIRST GAMES PLIES DEEP`: for every game its numbers in hex
/// - `path GAME POSITION SEED FIRST GAMES PLIES DEEP`: the moves up to a position, separated by semicolons
/// - `describe MOVE; MOVE; ...`: the number of lines, then the lines; `none` if the moves cannot be played
///
/// # Errors
/// When reading or writing fails.
pub fn serve(start: &State<'_>, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        for answer in answer(start, &line?) {
            writeln!(output, "{}", answer.replace('\n', " "))?;
        }
        output.flush()?;
    }
    Ok(())
}

fn answer(start: &State<'_>, request: &str) -> Vec<String> {
    let (what, rest) = request.split_once(' ').unwrap_or((request, ""));
    let numbers: Vec<u64> = rest.split(' ').filter_map(|n| n.parse().ok()).collect();
    match (what, &numbers[..]) {
        ("trace", job) if let Some(job) = TraceJob::of(job) => trace(start, &job)
            .iter()
            .map(|positions| {
                let numbers: Vec<String> = positions.iter().map(|n| format!("{n:x}")).collect();
                numbers.join(" ")
            })
            .collect(),
        ("path", [game, position, job @ ..]) if let Some(job) = TraceJob::of(job) => {
            vec![path(start, &job, *game, *position as usize).join("; ")]
        }
        ("describe", _) => {
            let moves: Vec<&str> = rest.split(';').map(str::trim).collect();
            let moves: Vec<&str> = moves.into_iter().filter(|m| !m.is_empty()).collect();
            match describe(start, &moves) {
                None => vec!["none".to_owned()],
                Some(lines) => [lines.len().to_string()].into_iter().chain(lines).collect(),
            }
        }
        _ => vec!["unknown request".to_owned()],
    }
}

impl TraceJob {
    fn of(numbers: &[u64]) -> Option<Self> {
        let &[seed, first, games, plies, deep] = numbers else {
            return None;
        };
        Some(Self {
            seed,
            first,
            games,
            plies: u32::try_from(plies).ok()?,
            deep: u32::try_from(deep).ok()?,
        })
    }
}

/// Plays one random game and tells the number of every position and the move that was played there.
fn walk(start: &State<'_>, job: &TraceJob, game: u64, mut tell: impl FnMut(u64, Option<&str>)) {
    let mut rng = Rng::new(job.seed, game);
    let mut classes = Classes::default();
    let mut state = start.fork();
    for ply in 0..=job.plies {
        let position = Position::new(&*state, &mut classes);
        let mut number = hash(&position.lines);
        if number.is_multiple_of(u64::from(job.deep.max(1))) {
            let after = successors(&*state, &position.choices, &mut classes);
            number = number.rotate_left(1) ^ hash(&after);
        }
        let choice = match ply < job.plies {
            true => Choice::draw(&position.choices, &mut rng),
            false => None,
        };
        tell(number, choice.map(|c| c.text.as_str()));
        match choice {
            Some(choice) => state.play(choice.code, None),
            None => break,
        };
    }
}

fn hash(lines: &[String]) -> u64 {
    let mut hasher = KeyHasher::new();
    for line in lines {
        hasher.write(line.as_bytes());
    }
    hasher.finish()
}

/// A move or a result of a draw.
struct Choice {
    text: String,
    family: usize,
    weight: u64,
    code: u64,
}

impl Choice {
    /// What can happen next, in an order that does not depend on the machine; nothing after a fault.
    fn of(state: &dyn AnyState<'_>) -> Vec<Choice> {
        let mut choices: Vec<Choice> = match state.turn() {
            Turn::Over => Vec::new(),
            Turn::Chance => {
                let results = state.results();
                results
                    .iter()
                    .map(|&(code, weight)| Choice::new(state, code, weight))
                    .collect()
            }
            Turn::Decide(_) => {
                let mut codes = Vec::new();
                match state.moves(ChoiceSet::All, &mut codes) {
                    Ok(()) => codes
                        .into_iter()
                        .map(|code| Choice::new(state, code, 1))
                        .collect(),
                    Err(_) => Vec::new(),
                }
            }
        };
        choices.sort_by(|a, b| (&a.text, a.family).cmp(&(&b.text, b.family)));
        choices
    }

    fn new(state: &dyn AnyState<'_>, code: u64, weight: u64) -> Choice {
        Choice {
            text: state.move_text(code),
            family: state.move_args(code).0,
            weight,
            code,
        }
    }

    fn draw<'c>(choices: &'c [Choice], rng: &mut Rng) -> Option<&'c Choice> {
        let total = choices.iter().map(|c| c.weight).sum();
        let mut rest = rng.below64(total);
        choices.iter().find(|choice| {
            let found = rest < choice.weight;
            rest = rest.saturating_sub(choice.weight);
            found
        })
    }
}

/// The facts about a position, and what can happen next.
struct Position {
    lines: Vec<String>,
    choices: Vec<Choice>,
}

impl Position {
    fn new(state: &dyn AnyState<'_>, classes: &mut Classes) -> Position {
        let choices = Choice::of(state);
        let text = state.text();
        let reads_back = match state.read(&text) {
            Ok(other) => other.text() == text && other.key() == state.key(),
            Err(_) => false,
        };
        let mut lines = vec![
            format!("state\t{text}"),
            format!("reads back\t{reads_back}"),
            format!("turn\t{:?}", state.turn()),
            format!("outcome\t{}", outcome_text(state, state.outcome())),
            format!("scores\t{:?}", state.scores()),
            format!("legal moves\t{}", count_text(state, ChoiceSet::All)),
            format!("distinct moves\t{}", count_text(state, ChoiceSet::Distinct)),
            format!("classes\t{:?}", classes.number(state)),
        ];
        let families = state.info().families;
        lines.extend(choices.iter().map(|choice| {
            let family = families.get(choice.family).map_or("draw", |f| f.name);
            format!("{MOVE}{}\t{family}, weight {}", choice.text, choice.weight)
        }));
        Position { lines, choices }
    }
}

/// Successors of a position that are looked at: all of them unless there are very many.
const SUCCESSORS: usize = 24;

/// One line for each move, evenly chosen where there are very many: the position after it, its outcome and what it
/// equals.
fn successors(state: &dyn AnyState<'_>, choices: &[Choice], classes: &mut Classes) -> Vec<String> {
    let line = |choice: &Choice| {
        let mut next = state.fork();
        next.play(choice.code, None);
        let outcome = outcome_text(&*next, next.outcome());
        let class = classes.number(&*next);
        format!("after {}\t{} {outcome} {class:?}", choice.text, next.text())
    };
    let step = choices.len().div_ceil(SUCCESSORS).max(1);
    choices.iter().step_by(step).map(line).collect()
}

/// The number of moves, or the fault that looking for them ran into.
fn count_text(state: &dyn AnyState<'_>, choices: ChoiceSet) -> String {
    let mut codes = Vec::new();
    match (state.turn(), state.moves(choices, &mut codes)) {
        (Turn::Decide(_), Err(fault)) => outcome_text(state, Some(Outcome::fault(fault))),
        _ => codes.len().to_string(),
    }
}

fn outcome_text(state: &dyn AnyState<'_>, outcome: Option<Outcome>) -> String {
    let Some(outcome) = outcome else {
        return "none".to_owned();
    };
    if let Reason::Fault(fault) = outcome.reason
        && let Some(site) = state.info().faults.get(usize::from(fault.site))
    {
        return format!("fault {} at {}: {}", site.code, site.origin, site.message);
    }
    let winners: Vec<usize> = bits64(outcome.winners).map(|p| p + 1).collect();
    format!("{} won by {winners:?}", outcome.reason.word())
}

/// The classes of equal positions met so far, for every identity, numbered in the order of their first members.
#[derive(Default)]
struct Classes {
    known: BTreeMap<(usize, Vec<u8>), usize>,
    keys: BTreeMap<u64, usize>,
}

impl Classes {
    /// The class of a state under each identity, and under equality of keys.
    fn number(&mut self, state: &dyn AnyState<'_>) -> Vec<usize> {
        let next = self.keys.len();
        let mut numbers = vec![*self.keys.entry(state.key()).or_insert(next)];
        for identity in 0..state.info().identities.len() {
            let mut bytes = Vec::new();
            state.identity(identity, &mut bytes);
            let next = self.known.len();
            numbers.push(*self.known.entry((identity, bytes)).or_insert(next));
        }
        numbers
    }
}
