//! What a game does on random games, in a form that can be compared with another machine for the same rules.
//!
//! Two machines (the interpreter and compiled code, say) agree if their traces are equal: a trace has one number for
//! each position, made from what the rules define there and from nothing else. Order of move lists,
//! packing of moves and layout of states are left out, equality of states is compared as a partition.
//!
//! Some facts cost much more than the others: successors and what is told while they are reached, texts of moves,
//! classes of moves, and reading texts back. Successors are part of the numbers of some positions only
//! ([`TraceJob::deep`]); so is the rest of these where there are many moves.

use std::collections::{BTreeMap, BTreeSet};
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
    walk(start, job, game, |_, played| {
        moves.extend(played.map(|(state, code)| state.move_text(code)));
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
        let choice = Choice::of(&*state).into_iter();
        let named = choice.filter(|c| state.move_text(c.code) == *text);
        let choice = named.min_by_key(|c| c.name)?;
        state.play(choice.code, None);
    }
    let position = Position::new(&*state, &mut classes);
    let mut lines = position.lines.clone();
    lines.extend(details(&*state));
    lines.extend(texts(&*state, &position.choices));
    let some = position.sample(SUCCESSORS);
    lines.extend(successors(&*state, some, &mut classes));
    lines.extend(draws(&*state));
    lines.extend(image(&*state));
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

/// Plays one random game and tells the number of every position, the position and the move that was played there.
fn walk(
    start: &State<'_>,
    job: &TraceJob,
    game: u64,
    mut tell: impl FnMut(u64, Option<(&dyn AnyState<'_>, u64)>),
) {
    let mut rng = Rng::new(job.seed, game);
    let mut classes = Classes::default();
    let mut state = start.fork();
    for ply in 0..=job.plies {
        let mut position = Position::new(&*state, &mut classes);
        let mut number = position.number();
        let deep = number.is_multiple_of(u64::from(job.deep.max(1)));
        if deep || position.choices.len() <= FEW {
            let mut lines = details(&*state);
            lines.extend(texts(&*state, position.sample(TEXTS)));
            number = number.rotate_left(1) ^ hash(&lines);
        }
        if deep {
            let mut after = successors(&*state, position.sample(SUCCESSORS), &mut classes);
            after.extend(draws(&*state));
            after.extend(image(&*state));
            number = number.rotate_left(1) ^ hash(&after);
        }
        let choice = match ply < job.plies {
            true => Choice::draw(&mut position.choices, &mut rng),
            false => None,
        };
        tell(number, choice.map(|c| (&*state, c.code)));
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
#[derive(Clone, Copy)]
struct Choice {
    /// A number made from family and arguments: the same for every machine.
    name: u64,
    weight: u64,
    code: u64,
}

impl Choice {
    /// What can happen next; nothing after a fault.
    fn of(state: &dyn AnyState<'_>) -> Vec<Choice> {
        let mut choices = Vec::new();
        let found = state.each_choice(&mut |next| {
            let name = KeyHasher::new().word(next.family as u64);
            let name = next
                .args
                .iter()
                .fold(name, |name, &arg| name.word(arg as u64));
            choices.push(Choice {
                name: name.value(),
                weight: next.weight,
                code: next.code,
            });
        });
        match found {
            Ok(()) => choices,
            Err(_) => Vec::new(),
        }
    }

    /// Draws one by its weight; the list gets another order.
    fn draw(choices: &mut [Choice], rng: &mut Rng) -> Option<Choice> {
        if choices.iter().all(|c| c.weight == 1) {
            let at = rng.below64(choices.len() as u64) as usize;
            return match choices.is_empty() {
                true => None,
                false => Some(*choices.select_nth_unstable_by_key(at, |c| c.name).1),
            };
        }
        choices.sort_unstable_by_key(|c| c.name);
        let total = choices.iter().map(|c| c.weight).sum();
        let mut rest = rng.below64(total);
        let drawn = choices.iter().find(|choice| {
            let found = rest < choice.weight;
            rest = rest.saturating_sub(choice.weight);
            found
        });
        drawn.copied()
    }
}

/// The facts about a position that cost little, and what can happen next.
struct Position {
    lines: Vec<String>,
    choices: Vec<Choice>,
}

impl Position {
    fn new(state: &dyn AnyState<'_>, classes: &mut Classes) -> Position {
        let choices = Choice::of(state);
        let lines = vec![
            format!("state\t{}", without_control(&state.text())),
            format!("turn\t{:?}", state.turn()),
            format!("outcome\t{}", outcome_text(state, state.outcome())),
            format!("scores\t{:?}", state.scores()),
            format!("choices\t{}", choices.len()),
            format!("classes\t{:?}", classes.number(state)),
        ];
        Position { lines, choices }
    }

    fn number(&self) -> u64 {
        let choice = |c: &Choice| KeyHasher::new().word(c.name).word(c.weight).value();
        let choices = self.choices.iter().map(choice);
        hash(&self.lines) ^ choices.fold(0, u64::wrapping_add)
    }

    /// About so many of the choices, the same ones for every machine; all of them if there are no more.
    fn sample(&self, wanted: usize) -> impl Iterator<Item = &Choice> + Clone {
        let one_in = self.choices.len().div_ceil(wanted).max(1) as u64;
        let position = KeyHasher::new().word(hash(&self.lines[..1]));
        let picked = move |c: &&Choice| position.word(c.name).value().is_multiple_of(one_in);
        self.choices.iter().filter(picked)
    }
}

/// The text of a state up to the mark of the control state: machines name the places where play stops as they like.
fn without_control(text: &str) -> &str {
    text.rfind("@@").map_or(text, |end| &text[..end])
}

/// Where there are no more choices than this, all that can be compared is compared but successors.
const FEW: usize = 24;

/// Texts of moves that are looked at, about.
const TEXTS: usize = 500;

/// Successors of a position that are looked at, about.
const SUCCESSORS: usize = 24;

/// Whether the text of the position is read as it is written, and the numbers of moves.
fn details(state: &dyn AnyState<'_>) -> Vec<String> {
    let text = state.text();
    let reads_back = match state.read(&text) {
        Ok(other) => other.text() == text && other.key() == state.key(),
        Err(_) => false,
    };
    let host = state.host_moves().into_iter().map(|code| {
        let mut next = state.fork();
        next.play(code, None);
        let after = without_control(&next.text()).to_owned();
        format!(
            "host {}\t{after} {}",
            state.move_text(code),
            outcome_text(&*next, next.outcome())
        )
    });
    let host: Vec<String> = host.collect();
    let mut lines = vec![
        format!("reads back\t{reads_back}"),
        format!("legal moves\t{}", count_text(state, ChoiceSet::All)),
        format!("distinct moves\t{}", count_text(state, ChoiceSet::Distinct)),
        format!("set of moves\t{}", is_set_true(state)),
    ];
    lines.extend(host);
    lines
}

/// Whether the set of moves, where there is one, holds those of the list in its order, by their numbers.
fn is_set_true(state: &dyn AnyState<'_>) -> bool {
    let Some(set) = state.set_moves() else {
        return true;
    };
    let mut codes = Vec::new();
    let listed = state.moves(ChoiceSet::Distinct, &mut codes).is_ok();
    let numbered = set
        .iter()
        .all(|&(index, code)| state.move_index(code) == index);
    listed && numbered && set.iter().map(|(_, code)| *code).eq(codes)
}

/// One line for each move.
fn texts<'c>(
    state: &dyn AnyState<'_>,
    choices: impl IntoIterator<Item = &'c Choice>,
) -> Vec<String> {
    let families = state.info().families;
    let line = |choice: &Choice| {
        let (family, args) = state.move_args(choice.code);
        let family = families.get(family).map_or("draw", |f| f.name);
        let text = state.move_text(choice.code);
        let (mover, weight) = (state.mover(choice.code), choice.weight);
        let number = match state.info().numbers.kinds {
            [] => String::new(),
            _ => format!(", number {}", state.move_index(choice.code)),
        };
        format!("{MOVE}{text}\t{family} {args:?} by {mover}, weight {weight}{number}")
    };
    let mut lines: Vec<String> = choices.into_iter().map(line).collect();
    lines.sort_unstable();
    lines
}

/// One line for each move: the position after it, its outcome, what happened on the way and what it equals.
fn successors<'c>(
    state: &dyn AnyState<'_>,
    choices: impl IntoIterator<Item = &'c Choice>,
    classes: &mut Classes,
) -> Vec<String> {
    let mut choices: Vec<&Choice> = choices.into_iter().collect();
    choices.sort_unstable_by_key(|c| c.name);
    let line = |choice: &Choice| {
        let mut next = state.fork();
        let mut events = Vec::new();
        next.play(choice.code, Some(&mut events));
        let outcome = next.outcome();
        if let Some(Reason::Fault(_)) = outcome.map(|o| o.reason) {
            // What a move tells that ends in a fault did not take place.
            events.clear();
        }
        let outcome = outcome_text(&*next, outcome);
        let class = classes.number(&*next);
        let text = state.move_text(choice.code);
        let exchanged = match exchanges_untold(state, choice.code, &*next) {
            true => " exchanges what the game did not foretell",
            false => "",
        };
        format!(
            "after {text}\t{} {outcome} {class:?} {events:?}{exchanged}",
            without_control(&next.text())
        )
    };
    choices.into_iter().map(line).collect()
}

/// Whether a move changes how many things there are of a kind of which the game said that it exchanges none.
fn exchanges_untold(state: &dyn AnyState<'_>, code: u64, next: &dyn AnyState<'_>) -> bool {
    if state.exchange_planes().is_empty() || state.may_exchange(code) {
        return false;
    }
    let counts = |state: &dyn AnyState<'_>| {
        let mut cells = Vec::new();
        state.observe(&mut cells);
        let mut cells = cells.into_iter();
        let planes = state.info().planes.iter().map(|plane| {
            let mut plane: Vec<i64> = cells.by_ref().take(plane.cells).collect();
            plane.sort_unstable();
            plane
        });
        let planes: Vec<Vec<i64>> = planes.collect();
        let shown = state
            .exchange_planes()
            .iter()
            .filter_map(|&at| planes.get(at).cloned());
        shown.collect::<Vec<_>>()
    };
    counts(state) != counts(next)
}

/// Where there are no more moves than this, it is seen that random games draw each of them.
const DRAWN: usize = 4;

/// Draws of each of so few moves: one that is as likely as others is missed once in 10^12 times.
const DRAWS: usize = 25;

/// Legal moves beyond which it is not looked at what they lead to.
const MOST: usize = 64;

/// Whether random games draw each move that can be played here, and no other: of moves with equal futures any one.
fn draws(state: &dyn AnyState<'_>) -> Vec<String> {
    if state.info().has_chance || !matches!(state.turn(), Turn::Decide(_)) {
        return Vec::new();
    }
    let future = |state: &dyn AnyState<'_>| {
        let mut bytes = Vec::new();
        state.identity(state.info().future, &mut bytes);
        bytes
    };
    // What moves lead to, if they are few, and how many they are.
    let after = |choices| -> Option<(BTreeSet<Vec<u8>>, usize)> {
        let mut codes = Vec::new();
        state.moves(choices, &mut codes).ok()?;
        let all = codes.iter().take(MOST).map(|code| {
            let mut next = state.fork();
            next.play(*code, None);
            future(&*next)
        });
        (1..=MOST)
            .contains(&codes.len())
            .then(|| (all.collect(), codes.len()))
    };
    let Some((legal, _)) = after(ChoiceSet::All) else {
        return Vec::new();
    };
    let line = |(name, choices)| {
        let (wanted, count) = after(choices).filter(|(_, count)| *count <= DRAWN)?;
        let mut rng = Rng::new(state.key(), 0);
        let drawn = (0..DRAWS * count).filter_map(|_| state.drawn(choices, &mut rng));
        let drawn: BTreeSet<Vec<u8>> = drawn.map(|next| future(&*next)).collect();
        let each = drawn.len() >= wanted.len() && drawn.is_subset(&legal);
        Some(format!("random games draw {name}\t{each}"))
    };
    let sets = [
        ("each legal move", ChoiceSet::All),
        ("each distinct move", ChoiceSet::Distinct),
    ];
    sets.into_iter().filter_map(line).collect()
}

/// What can be told without names of the image of the position under one of the symmetries; which one follows from the position.
fn image(state: &dyn AnyState<'_>) -> Option<String> {
    let symmetries = state.info().symmetries.len() as u64;
    let position = hash(&[without_control(&state.text()).to_owned()]);
    let which = position.checked_rem(symmetries)? as usize;
    let Some(image) = state.image(which) else {
        return Some(format!("image {which}\tnone"));
    };
    let mut codes = Vec::new();
    // Which move stands for others of its class may depend on names, so all are told; none where the game is over.
    let found = image.outcome().is_some() || image.moves(ChoiceSet::All, &mut codes).is_ok();
    let indexes: BTreeSet<usize> = codes.iter().map(|code| image.move_index(*code)).collect();
    Some(format!(
        "image {which}\t{:?} {} {:?} {found} {indexes:?}",
        image.turn(),
        outcome_text(&*image, image.outcome()),
        image.scores(),
    ))
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
    keys: [BTreeMap<u64, usize>; 3],
}

impl Classes {
    /// The class of a state under equality of each key, and under each identity.
    fn number(&mut self, state: &dyn AnyState<'_>) -> Vec<usize> {
        let keys = [state.key(), state.future_key(), state.timeless_key()];
        let mut numbers = Vec::new();
        for (known, key) in self.keys.iter_mut().zip(keys) {
            let next = known.len();
            numbers.push(*known.entry(key).or_insert(next));
        }
        for identity in 0..state.info().identities.len() {
            let mut bytes = Vec::new();
            state.identity(identity, &mut bytes);
            let next = self.known.len();
            numbers.push(*self.known.entry((identity, bytes)).or_insert(next));
        }
        numbers
    }
}
