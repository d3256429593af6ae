//! Tests of rules in a file beside them: positions, moves, and what must be true there.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rulec_compiler::diag::closest;
use rulec_compiler::ir::{DomainId, Game, Placement, PlacementForm, PlacementId};
use rulec_interp::{Event, Interp, Move, Outcome, Reason, State};
use toml::{Table, Value};

/// Positions that counting moves may visit.
const EFFORT: u64 = 200_000;

/// The tests of a rule file.
#[derive(Debug)]
pub(super) struct Suite {
    pub(super) tests: Vec<Test>,
}

/// What must be true of a position.
#[derive(Debug, Default)]
pub(super) struct Test {
    pub(super) name: String,
    position: Option<String>,
    after: Vec<String>,
    legal: Option<u64>,
    moves: Option<Vec<String>>,
    has: Vec<String>,
    lacks: Vec<String>,
    to_move: Option<String>,
    outcome: Option<String>,
    /// Places, and the pieces that stand there.
    at: Vec<(String, Vec<String>)>,
    scores: Option<Vec<i64>>,
    perft: Vec<u64>,
}

/// The keys of a test.
const KEYS: [&str; 12] = [
    "name", "position", "after", "legal", "moves", "has", "lacks", "to_move", "outcome", "at",
    "scores", "perft",
];

/// The file of tests that goes with a rule file: its name with `.tests` behind it.
pub(super) fn file(rules: &Path) -> PathBuf {
    let mut name = rules.as_os_str().to_owned();
    name.push(".tests");
    name.into()
}

impl Suite {
    /// Adds tests to the file that goes with a rule file, and tells its name.
    pub(super) fn append(rules: &Path, tests: &str) -> Result<PathBuf> {
        let path = file(rules);
        let mut text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("{}", path.display())),
        };
        if !text.is_empty() && !text.ends_with("\n\n") {
            text.push('\n');
        }
        text.push_str(tests);
        Suite::parse(&text).with_context(|| format!("{}", path.display()))?;
        crate::files::write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Reads the tests of a rule file.
    pub(super) fn read(rules: &Path) -> Result<Suite> {
        let path = file(rules);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} has no tests in {}", rules.display(), path.display()))?;
        Suite::parse(&text).with_context(|| format!("{}", path.display()))
    }

    /// Reads tests: a list `test` of tables, in TOML.
    pub(super) fn parse(text: &str) -> Result<Suite> {
        let table: Table = text.parse()?;
        let mut tests = Vec::new();
        for (key, value) in table {
            let Value::Array(list) = value else {
                bail!("`{key}` is no list of tests: each test begins with `[[test]]`");
            };
            if key != "test" {
                bail!("there is no `{key}`: each test begins with `[[test]]`");
            }
            for (number, test) in list.into_iter().enumerate() {
                let Value::Table(test) = test else {
                    bail!("test {} is no table", number + 1);
                };
                let read = Test::read(number + 1, test);
                tests.push(read.with_context(|| format!("test {}", number + 1))?);
            }
        }
        if tests.is_empty() {
            bail!("there is no test: each begins with `[[test]]`");
        }
        Ok(Suite { tests })
    }

    /// Lines of so many moves, and one more.
    pub(super) fn count(interp: &Interp, state: &State, depth: usize) -> Result<u64> {
        perft(interp, state, depth, &mut { EFFORT }, &mut |_, _| {})
    }

    /// The tests that fail.
    pub(super) fn failures(&self, interp: &Interp) -> Vec<Failure<'_>> {
        self.failures_seen(interp, &mut |_, _| {})
    }

    /// The same, and tells each position that tests come to, with what happened on the way from the one before.
    pub(super) fn failures_seen(&self, interp: &Interp, watch: Watch<'_>) -> Vec<Failure<'_>> {
        let mut wrong = Vec::new();
        for test in &self.tests {
            let mut state = None;
            if let Err(found) = test.run(interp, &mut state, watch) {
                wrong.push(Failure {
                    test,
                    why: found.to_string(),
                    state,
                });
            }
        }
        wrong
    }
}

/// A test that fails.
#[derive(Debug)]
pub(super) struct Failure<'s> {
    test: &'s Test,
    /// What does not hold.
    pub(super) why: String,
    /// Where.
    pub(super) state: Option<State>,
}

impl Failure<'_> {
    pub(super) fn name(&self) -> &str {
        &self.test.name
    }

    /// Where pieces stand in what pictures show of the position ([`rulec_core::Observe::appearance`]), moved to where the test wants
    /// them; nothing if it does not speak of that.
    pub(super) fn wanted(&self, interp: &Interp, seen: &[i64]) -> Option<Vec<i64>> {
        let (game, state) = (interp.game(), self.state.as_ref()?);
        let (mut wanted, mut first) = (seen.to_vec(), 0);
        for (number, placement) in game.placements.iter().enumerate() {
            let (places, pieces) = (game.domain(placement.places), game.domain(placement.pieces));
            let by_place = placement.form == PlacementForm::Anonymous;
            for (name, names) in &self.test.at {
                let mut all = 0..places.len() as u32;
                let Some(place) = all.find(|place| places.member(*place) == *name) else {
                    continue;
                };
                let mut set = |at: u32, value: i64| {
                    if let Some(cell) = wanted.get_mut(first + at as usize) {
                        *cell = value;
                    }
                };
                for piece in interp.on_place(state, PlacementId::from(number), place) {
                    set(if by_place { place } else { piece }, -1);
                }
                let known =
                    (0..pieces.len() as u32).filter(|piece| names.contains(&pieces.member(*piece)));
                for piece in known {
                    match by_place {
                        true => set(place, i64::from(piece)),
                        false => set(piece, i64::from(place)),
                    }
                }
            }
            first += if by_place { places.len() } else { pieces.len() };
        }
        (wanted != seen).then_some(wanted)
    }
}

/// Who is told the positions that tests come to, and what happened before them.
pub(super) type Watch<'w> = &'w mut dyn FnMut(&State, &[Event]);

/// Plays a move and tells what happened.
fn play(interp: &Interp, state: &mut State, mv: Move, watch: Watch<'_>) {
    let mut events = Vec::new();
    interp.play_with_events(state, mv, &mut events);
    watch(state, &events);
}

fn text(value: Value, key: &str) -> Result<String> {
    match value {
        Value::String(text) => Ok(text),
        _ => bail!("`{key}` is a text"),
    }
}

/// A list of texts, or one text with `;` between them.
fn texts(value: Value, key: &str) -> Result<Vec<String>> {
    match value {
        Value::String(text) => {
            let parts = text
                .split(';')
                .map(str::trim)
                .filter(|part| !part.is_empty());
            Ok(parts.map(str::to_owned).collect())
        }
        Value::Array(items) => items.into_iter().map(|item| text(item, key)).collect(),
        _ => bail!("`{key}` is a list of moves"),
    }
}

fn count(value: &Value, key: &str) -> Result<u64> {
    let count = value
        .as_integer()
        .and_then(|count| u64::try_from(count).ok());
    count.with_context(|| format!("`{key}` is a number from 0 on"))
}

impl Test {
    fn read(number: usize, table: Table) -> Result<Test> {
        let mut test = Test {
            name: format!("test {number}"),
            ..Test::default()
        };
        for (key, value) in table {
            match key.as_str() {
                "name" => test.name = text(value, &key)?,
                "position" => test.position = Some(text(value, &key)?),
                "after" => test.after = texts(value, &key)?,
                "legal" => test.legal = Some(count(&value, &key)?),
                "moves" => test.moves = Some(texts(value, &key)?),
                "has" => test.has = texts(value, &key)?,
                "lacks" => test.lacks = texts(value, &key)?,
                "to_move" => test.to_move = Some(text(value, &key)?),
                "outcome" => test.outcome = Some(text(value, &key)?),
                "perft" => {
                    let Value::Array(items) = value else {
                        bail!("`perft` is a list of numbers");
                    };
                    let counts = items.iter().map(|item| count(item, "perft"));
                    test.perft = counts.collect::<Result<_>>()?;
                }
                "at" => {
                    let Value::Table(places) = value else {
                        bail!("`at` is a table: `at = {{ PLACE = PIECE }}`");
                    };
                    for (place, pieces) in places {
                        test.at.push((place, texts(pieces, "at")?));
                    }
                }
                "scores" => {
                    let Value::Array(items) = value else {
                        bail!("`scores` is a list of numbers");
                    };
                    let scores = items.iter().map(Value::as_integer);
                    let scores: Option<Vec<i64>> = scores.collect();
                    test.scores = Some(scores.context("`scores` is a list of numbers")?);
                }
                _ => match closest(&key, KEYS) {
                    Some(known) => bail!("there is no key `{key}`; did you mean `{known}`?"),
                    None => bail!("there is no key `{key}`; a test has {}", KEYS.join(", ")),
                },
            }
        }
        Ok(test)
    }

    /// # Errors
    /// What does not hold.
    fn run(&self, interp: &Interp, here: &mut Option<State>, watch: Watch<'_>) -> Result<()> {
        let state = here.insert(match &self.position {
            Some(position) => interp.parse_state(position).map_err(anyhow::Error::msg)?,
            None => interp.initial(),
        });
        watch(state, &[]);
        for wanted in &self.after {
            let mv = self.find(interp, state, wanted)?;
            let Some(mv) = mv else {
                let legal = texts_of(interp, state)?;
                bail!("`{wanted}` is not legal; these are: {}", some_of(&legal));
            };
            play(interp, state, mv, watch);
        }
        let legal = texts_of(interp, state)?;
        if let Some(wanted) = self.legal
            && wanted != legal.len() as u64
        {
            bail!(
                "{wanted} moves should be legal, and {} are: {}",
                legal.len(),
                some_of(&legal)
            );
        }
        if let Some(wanted) = &self.moves {
            let missing: Vec<String> = wanted
                .iter()
                .filter(|m| !legal.contains(m))
                .cloned()
                .collect();
            let surplus: Vec<String> = legal
                .iter()
                .filter(|m| !wanted.contains(m))
                .cloned()
                .collect();
            if !missing.is_empty() || !surplus.is_empty() {
                bail!(
                    "not legal: {}; legal, but not listed: {}",
                    some_of(&missing),
                    some_of(&surplus)
                );
            }
        }
        for wanted in &self.has {
            if self.find(interp, state, wanted)?.is_none() {
                bail!("`{wanted}` should be legal");
            }
        }
        for unwanted in &self.lacks {
            if self.find(interp, state, unwanted)?.is_some() {
                bail!("`{unwanted}` should not be legal");
            }
        }
        if let Some(wanted) = &self.to_move {
            let found = to_move(interp, state);
            if found != *wanted {
                bail!("`{wanted}` should be to move, and it is `{found}`");
            }
        }
        if let Some(wanted) = &self.outcome {
            let found = told(interp, interp.outcome(state));
            if found != *wanted {
                bail!("the outcome should be `{wanted}`, and is `{found}`");
            }
        }
        for (place, wanted) in &self.at {
            let found = standing(interp, state, place)?;
            for piece in wanted {
                known_piece(interp, piece)?;
            }
            let (mut here, mut named) = (found.clone(), wanted.clone());
            here.sort();
            named.sort();
            if here != named {
                let said = |pieces: &[String]| match pieces {
                    [] => "nothing".to_owned(),
                    pieces => pieces.join(", "),
                };
                bail!(
                    "{} should be on `{place}`, and there is {}",
                    said(wanted),
                    said(&found)
                );
            }
        }
        if let Some(wanted) = &self.scores {
            let found = interp.scores(state);
            if found != *wanted {
                bail!("the scores should be {wanted:?}, and are {found:?}");
            }
        }
        for (depth, wanted) in self.perft.iter().enumerate() {
            let mut effort = EFFORT;
            let found = perft(interp, state, depth, &mut effort, watch)?;
            if found != *wanted {
                bail!(
                    "{wanted} lines of {} moves are wanted, and there are {found}",
                    depth + 1
                );
            }
        }
        Ok(())
    }

    fn find(&self, interp: &Interp, state: &State, text: &str) -> Result<Option<Move>> {
        let text = text.trim();
        let drawn = interp.chance_outcomes(state).into_iter().map(|(mv, _)| mv);
        let legal = interp
            .legal_moves(state)
            .map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
        let named =
            |mv: &Move| interp.move_text_in(state, *mv) == text || interp.move_text(*mv) == text;
        Ok(legal.iter().copied().chain(drawn).find(named))
    }
}

/// Refuses what is no piece of the game.
fn known_piece(interp: &Interp, name: &str) -> Result<()> {
    let pieces = members(interp.game(), |placement| placement.pieces);
    match pieces.iter().any(|piece| piece == name) {
        true => Ok(()),
        false => Err(unknown("piece", name, &pieces)),
    }
}

/// The names of what placements are about.
fn members(game: &Game, domain: impl Fn(&Placement) -> DomainId) -> Vec<String> {
    let domains = game
        .placements
        .iter()
        .map(|placement| game.domain(domain(placement)));
    domains
        .flat_map(|domain| (0..domain.len() as u32).map(|member| domain.member(member)))
        .collect()
}

/// What there is instead of what is not there.
fn unknown(what: &str, name: &str, known: &[String]) -> anyhow::Error {
    match closest(name, known.iter().map(String::as_str)) {
        Some(near) => anyhow::anyhow!("there is no {what} `{name}`; did you mean `{near}`?"),
        None => anyhow::anyhow!(
            "there is no {what} `{name}`; there are {}",
            known[..known.len().min(8)].join(", ")
        ),
    }
}

/// The names of the pieces that stand on a place.
fn standing(interp: &Interp, state: &State, name: &str) -> Result<Vec<String>> {
    let game = interp.game();
    let (mut pieces, mut known) = (Vec::new(), false);
    for (number, placement) in game.placements.iter().enumerate() {
        let id = PlacementId::from(number);
        let places = game.domain(placement.places);
        let place = (0..places.len() as u32).find(|place| places.member(*place) == name);
        known |= place.is_some();
        let here = place.map(|place| interp.on_place(state, id, place));
        let names = game.domain(placement.pieces);
        pieces.extend(here.into_iter().flatten().map(|piece| names.member(piece)));
    }
    if known {
        return Ok(pieces);
    }
    let places = members(game, |placement| placement.places);
    Err(unknown("place", name, &places))
}

/// What can be seen of a position: whose turn it is, how the game ended, and the moves.
pub(super) type Seen = (String, String, Vec<String>);

/// What can be seen of a position, and the moves in the same order; what a rule goes wrong in has none.
pub(super) fn seen(interp: &Interp, state: &State) -> (Seen, Vec<Move>) {
    let drawn = interp.chance_outcomes(state).into_iter().map(|(mv, _)| mv);
    let legal = interp.distinct_moves(state).unwrap_or_default();
    let moves: Vec<Move> = legal.into_iter().chain(drawn).collect();
    let texts = moves.iter().map(|mv| interp.move_text_in(state, *mv));
    let outcome = told(interp, interp.outcome(state));
    ((to_move(interp, state), outcome, texts.collect()), moves)
}

/// The texts of the moves that are legal, or of what can be drawn; each once.
fn texts_of(interp: &Interp, state: &State) -> Result<Vec<String>> {
    let drawn = interp.chance_outcomes(state).into_iter().map(|(mv, _)| mv);
    let legal = interp
        .distinct_moves(state)
        .map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    let all = legal.into_iter().chain(drawn);
    Ok(all.map(|mv| interp.move_text_in(state, mv)).collect())
}

fn some_of(moves: &[String]) -> String {
    const SHOWN: usize = 12;
    match moves.len() {
        0 => "none".to_owned(),
        count if count > SHOWN => {
            format!("{}, and {} more", moves[..SHOWN].join("; "), count - SHOWN)
        }
        _ => moves.join("; "),
    }
}

fn player(interp: &Interp, player: u32) -> String {
    let game = interp.game();
    game.domain(game.players).member(player)
}

fn to_move(interp: &Interp, state: &State) -> String {
    use rulec_interp::Turn;
    match interp.turn(state) {
        Turn::Decide(players) => {
            let names: Vec<String> = players.iter().map(|p| player(interp, *p)).collect();
            names.join(", ")
        }
        Turn::Chance => "chance".to_owned(),
        Turn::Over => "nobody".to_owned(),
    }
}

/// `NAME wins`, `draw`, `nobody can move`, `fault`, or `open`.
fn told(interp: &Interp, outcome: Option<Outcome>) -> String {
    let Some(outcome) = outcome else {
        return "open".to_owned();
    };
    let names: Vec<String> = outcome.winners.iter().map(|w| player(interp, *w)).collect();
    match outcome.reason {
        Reason::Fault(_) => "fault".to_owned(),
        _ if names.len() == 1 => format!("{} wins", names[0]),
        _ if !names.is_empty() => format!("{} win", names.join(", ")),
        Reason::Stuck => "nobody can move".to_owned(),
        _ => "draw".to_owned(),
    }
}

/// Lines of `depth + 1` moves.
fn perft(
    interp: &Interp,
    state: &State,
    depth: usize,
    effort: &mut u64,
    watch: Watch<'_>,
) -> Result<u64> {
    if interp.outcome(state).is_some() {
        return Ok(0);
    }
    let moves = interp
        .distinct_moves(state)
        .map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    let drawn = interp.chance_outcomes(state).into_iter().map(|(mv, _)| mv);
    let moves: Vec<Move> = moves.into_iter().chain(drawn).collect();
    if depth == 0 {
        return Ok(moves.len() as u64);
    }
    let mut sum = 0;
    for mv in moves {
        *effort = effort
            .checked_sub(1)
            .context("the counts are too large for a test")?;
        let mut next = state.clone();
        play(interp, &mut next, mv, watch);
        sum += perft(interp, &next, depth - 1, effort, watch)?;
    }
    Ok(sum)
}
