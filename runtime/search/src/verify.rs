//! The checker of certificates ([`crate::certificate`]). It shares no code with what solves games.
//!
//! What it takes for true: the rules, as the game that it is given plays them, and what that game says of what its rules
//! read: positions are merged by [`GameInfo::future`](rulec_core::GameInfo::future), whatever the certificate or its maker
//! thought, and of moves of one class one is tried only where classes are shown to be exact. Everything else it sees for itself: a
//! strategy is followed against all moves of the others and all results of draws, every end is looked at,
//! and a strategy to win must not come to a position twice on one way.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    hash::Hasher,
};

use rulec_core::{ChoiceSet, KeyHasher, Outcome, Reason, Turn};
use serde_json::Value;

use crate::{AnyState, Progress, State, view::exact_moves};

/// What was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The claim in words.
    pub claim: String,
    /// The position that it is about.
    pub start: String,
    /// Whether that is the start of the game.
    pub from_start: bool,
    /// Positions that were looked at.
    pub positions: u64,
}

/// The lines of a certificate.
struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
}

impl<'t> Reader<'t> {
    /// The lines between the first and the last, after the checksum was found right.
    fn open(text: &'t str) -> Result<(Value, Self), String> {
        let body = text.strip_suffix('\n').ok_or("it is cut off")?;
        let (body, last) = body.rsplit_once('\n').ok_or("it is cut off")?;
        let mut lines: Vec<&str> = body.split('\n').collect();
        let mut right = KeyHasher::new();
        for line in &lines {
            right.write(format!("{line}\n").as_bytes());
        }
        let stated = parse(last)?;
        if stated["checksum"] != format!("{:016x}", right.value()).as_str() {
            return Err("the checksum is wrong: it is damaged".to_owned());
        }
        let head = parse(lines.remove(0))?;
        Ok((head, Self { lines, at: 0 }))
    }

    fn next(&mut self) -> Option<Result<Value, String>> {
        let line = self.lines.get(self.at)?;
        self.at += 1;
        Some(parse(line))
    }

    /// The next line if it is a list of so many texts.
    fn texts(&mut self, count: usize) -> Option<Result<Vec<String>, String>> {
        let line = self.lines.get(self.at)?;
        if !line.starts_with('[') {
            return None;
        }
        self.at += 1;
        let texts = parse(line).and_then(|value| {
            let list = value.as_array().filter(|list| list.len() == count);
            let texts = list.and_then(|list| {
                let texts = list.iter().map(|text| text.as_str().map(str::to_owned));
                texts.collect::<Option<Vec<String>>>()
            });
            texts.ok_or_else(|| format!("`{line}` is not {count} texts"))
        });
        Some(texts)
    }
}

fn parse(line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map_err(|e| format!("a line is not JSON: {e}"))
}

/// Verifies a certificate.
///
/// `most` bounds the positions looked at; `progress` is told their number and stops the check by returning false.
///
/// # Errors
/// Why the certificate does not hold.
pub fn verify<'g>(
    game: &(dyn AnyState<'g> + 'g),
    text: &str,
    most: u64,
    progress: Progress<'_>,
) -> Result<Verified, String> {
    let (head, mut reader) = Reader::open(text)?;
    if head["rulec_certificate"] != crate::certificate::FORMAT {
        return Err("it is of a format that is not known here".to_owned());
    }
    if head["rules_sha256"] != game.info().rules_sha256 {
        return Err("it is about other rules".to_owned());
    }
    let start_text = head["start"].as_str().ok_or("it names no position")?;
    let start = game
        .read(start_text)
        .map_err(|e| format!("its position cannot be read: {e}"))?;
    let mut check = Check {
        looked: 0,
        most,
        progress,
    };
    let claim = &head["claim"];
    let claim = match claim["kind"].as_str() {
        Some("value") => check.value(&start, claim, &mut reader)?,
        Some("way") => check.way(&start, claim, &mut reader)?,
        _ => return Err("its claim is of a kind that is not known here".to_owned()),
    };
    if reader.next().is_some() {
        return Err("it holds more than its claim needs".to_owned());
    }
    Ok(Verified {
        claim,
        from_start: same(&start) == same(&game.fork()),
        start: start_text.to_owned(),
        positions: check.looked,
    })
}

struct Check<'p> {
    looked: u64,
    most: u64,
    progress: Progress<'p>,
}

/// A position on the way at work: what can come next, and whether it was looked at all.
struct Step<'g> {
    key: Vec<u8>,
    next: Vec<State<'g>>,
}

impl Check<'_> {
    fn count(&mut self) -> Result<(), String> {
        self.looked += 1;
        if self.looked > self.most {
            return Err(format!(
                "not checked: there are more than {} positions",
                self.most
            ));
        }
        match self.progress.go_on(self.looked) {
            true => Ok(()),
            false => Err("not checked: stopped".to_owned()),
        }
    }

    /// A value of two players: the winner has a strategy to win, or both have one not to lose.
    fn value<'g>(
        &mut self,
        start: &State<'g>,
        claim: &Value,
        reader: &mut Reader<'_>,
    ) -> Result<String, String> {
        let info = start.info();
        if info.players.len() != 2 {
            return Err("values are claimed of games for two players only".to_owned());
        }
        let winner = claim["winner"]
            .as_u64()
            .ok_or("its claim is not complete")?;
        let wanted = match winner {
            0 => vec![(0, false), (1, false)],
            w @ 1..=2 => vec![(w as usize - 1, true)],
            _ => return Err("its claim names a player that the game does not have".to_owned()),
        };
        for (player, wins) in wanted {
            let head = reader.next().ok_or("a strategy is missing")??;
            let goal = if wins { "win" } else { "no-loss" };
            if head["player"] != player as u64 + 1 || head["goal"] != goal {
                return Err("its strategies are not those of its claim".to_owned());
            }
            self.strategy(start, player, wins, reader)?;
        }
        Ok(match winner {
            0 => "nobody can force a win".to_owned(),
            w => {
                let name = crate::view::player_text(info, w as usize - 1);
                format!("{name} can force a win")
            }
        })
    }

    fn strategy<'g>(
        &mut self,
        start: &State<'g>,
        player: usize,
        wins: bool,
        reader: &mut Reader<'_>,
    ) -> Result<(), String> {
        let mut moves = BTreeMap::new();
        while let Some(entry) = reader.texts(2) {
            let entry = entry?;
            let state = start
                .read(&entry[0])
                .map_err(|e| format!("`{}` is no position: {e}", entry[0]))?;
            moves.insert(same(&state), (state, entry[1].clone()));
        }
        // Whether all that comes after a position was looked at.
        let mut done: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
        let mut way: Vec<Step<'g>> = Vec::new();
        let mut at = Some(start.fork());
        loop {
            if let Some(state) = at.take() {
                let key = same(&state);
                match done.get(&key) {
                    Some(false) if wins => {
                        return Err(format!("the strategy comes to `{}` again", state.text()));
                    }
                    Some(_) => {}
                    None => {
                        self.count()?;
                        let next = after(&state, &key, player, wins, &moves)?;
                        done.insert(key.clone(), false);
                        way.push(Step { key, next });
                    }
                }
            }
            let Some(step) = way.last_mut() else {
                return Ok(());
            };
            at = step.next.pop();
            if at.is_none() {
                done.insert(std::mem::take(&mut step.key), true);
                way.pop();
            }
        }
    }

    /// A way of a puzzle: it leads to a win at the cost, and none is cheaper.
    fn way<'g>(
        &mut self,
        start: &State<'g>,
        claim: &Value,
        reader: &mut Reader<'_>,
    ) -> Result<String, String> {
        let info = start.info();
        if info.players.len() != 1 || info.has_chance {
            return Err("ways are claimed of games for one player without draws only".to_owned());
        }
        let by_score = match claim["cost"].as_str() {
            Some("moves") => false,
            Some("score") => true,
            _ => return Err("its claim is not complete".to_owned()),
        };
        let total = claim["total"].as_u64().ok_or("its claim is not complete")?;
        let mut state = start.fork();
        let mut cost = 0;
        while let Some(texts) = reader.texts(1) {
            let next = played(&state, &texts?[0])?;
            cost += price(&state, &next, by_score)?;
            state = next;
            self.count()?;
        }
        if !is_won(state.outcome()) {
            return Err("its way does not end with a win".to_owned());
        }
        if cost != total {
            return Err(format!("its way costs {cost} and not {total}"));
        }
        let unit = if by_score { "points" } else { "moves" };
        match self.cheaper(start, by_score, total)? {
            Some(less) => Err(format!("there is a way for {less} {unit}")),
            None => Ok(format!(
                "it can be solved in {total} {unit} and not in fewer"
            )),
        }
    }

    /// The cost of a way that is cheaper than `total`, if there is one: all positions nearer than that are looked at.
    fn cheaper<'g>(
        &mut self,
        start: &State<'g>,
        by_score: bool,
        total: u64,
    ) -> Result<Option<u64>, String> {
        let mut best = BTreeMap::from([(same(start), 0)]);
        let mut states = vec![Some(start.fork())];
        let mut queue = BinaryHeap::from([(Reverse(0), 0)]);
        while let Some((Reverse(cost), index)) = queue.pop() {
            let Some(state) = states[index].take() else {
                continue;
            };
            if best.get(&same(&state)) != Some(&cost) {
                continue;
            }
            self.count()?;
            if is_won(state.outcome()) {
                return Ok(Some(cost));
            }
            for next in choices(&state)? {
                let further = cost + price(&state, &next, by_score)?;
                let key = same(&next);
                let known = best.get(&key).is_some_and(|known| *known <= further);
                if !known && further < total {
                    best.insert(key, further);
                    queue.push((Reverse(further), states.len()));
                    states.push(Some(next));
                }
            }
        }
        Ok(None)
    }
}

/// The positions that can come after one while a player follows his strategy; an end must be what he wants.
fn after<'g>(
    state: &State<'g>,
    key: &[u8],
    player: usize,
    wins: bool,
    moves: &BTreeMap<Vec<u8>, (State<'g>, String)>,
) -> Result<Vec<State<'g>>, String> {
    if let Some(outcome) = state.outcome() {
        return ended(state, outcome, player, wins);
    }
    let decides = match state.turn() {
        Turn::Decide(players) if players.count_ones() > 1 => {
            return Err("several players may move at once, which is not claimed about".to_owned());
        }
        Turn::Decide(players) => players == 1 << player,
        _ => false,
    };
    if decides {
        // The moves are those of the equal position that the strategy speaks of.
        let Some((state, text)) = moves.get(key) else {
            return Err(format!("the strategy has no move for `{}`", state.text()));
        };
        return Ok(vec![played(state, text)?]);
    }
    let next = choices(state)?;
    match next.is_empty() {
        true => ended(state, Outcome::nobody(Reason::Stuck), player, wins),
        false => Ok(next),
    }
}

fn ended<'g>(
    state: &State<'g>,
    outcome: Outcome,
    player: usize,
    wins: bool,
) -> Result<Vec<State<'g>>, String> {
    let rank = outcome.rank(player);
    let fine = if wins { rank >= 1.0 } else { rank >= 0.5 };
    match fine && !matches!(outcome.reason, Reason::Fault(_)) {
        true => Ok(Vec::new()),
        false => Err(format!(
            "the strategy allows the end `{}`: {}",
            state.text(),
            outcome.text(state.info())
        )),
    }
}

fn is_won(outcome: Option<Outcome>) -> bool {
    outcome.is_some_and(|outcome| outcome.is_won())
}

/// What a move costs: one, or what the score falls by. A score that rises is refused, for then the cheapest way is not found
/// by looking at near positions first.
fn price<'g>(before: &State<'g>, after: &State<'g>, by_score: bool) -> Result<u64, String> {
    if !by_score {
        return Ok(1);
    }
    let score = |state: &State<'g>| state.scores().first().copied().unwrap_or(0);
    u64::try_from(score(before).saturating_sub(score(after)))
        .map_err(|_| "a score rises, so it is no cost".to_owned())
}

/// The position after a legal move, by its text.
fn played<'g>(state: &State<'g>, text: &str) -> Result<State<'g>, String> {
    let mut legal = Vec::new();
    let listed = state.moves(ChoiceSet::All, &mut legal);
    listed.map_err(|fault| Outcome::fault(fault).text(state.info()))?;
    match legal.iter().find(|code| state.move_text(**code) == text) {
        Some(code) => {
            let mut next = state.fork();
            next.play(*code, None);
            Ok(next)
        }
        None => Err(format!("`{text}` is not legal in `{}`", state.text())),
    }
}

/// The positions after all moves, or after all results of the draw that is due.
fn choices<'g>(state: &State<'g>) -> Result<Vec<State<'g>>, String> {
    let mut codes = Vec::new();
    match state.turn() {
        Turn::Over => {}
        Turn::Chance => codes.extend(state.results().iter().map(|(code, _)| *code)),
        Turn::Decide(_) => {
            let listed = state.moves(exact_moves(state.info()), &mut codes);
            listed.map_err(|fault| Outcome::fault(fault).text(state.info()))?;
        }
    }
    let after = |code| {
        let mut next = state.fork();
        next.play(code, None);
        next
    };
    Ok(codes.into_iter().map(after).collect())
}

/// The encoding under the identity by which positions are the same.
fn same<'g>(state: &State<'g>) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.identity(state.info().future, &mut bytes);
    bytes
}
