//! Judging positions where a search stops looking ahead.
//!
//! A heuristic gives every player a share of what there is to win, strictly between the payoffs of a loss and of a win.
//! Four of them have the names that the S3 Games have for them; what was amiss with those is said beside each.

use std::{collections::BTreeSet, fmt, str::FromStr};

use rulec_core::Rng;

use crate::evaluation::{self, Evaluation, Learnt};
use crate::walk::{Kind, Walk, look};

/// A way to judge positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Everybody is as well off.
    Zero,
    /// Whoever has the higher score is better off; as [`Heuristic::Zero`] where the rules keep none.
    Scores,
    /// So many random games tell.
    Playouts(u32),
    /// Whoever has more stones is better off: each owner's share of the stones that the text of a position tells. Stones count
    /// where moves lead, not in trays: places of a name that is the target of some move of a few random games.
    ///
    /// The original divides whole numbers, so that it sees a difference only when one side has no stones at all.
    MoreStones,
    /// For puzzles: the number of elements of a position that do not stand where they do in the first win that is found
    /// by luck; it is 0, as in the original, until one is known.
    DistanceFromGoal,
    /// For sliding puzzles: the sum of the ways of all tiles to their places, row by row on a square board.
    ///
    /// The original takes numbers of elements from 1 to 9 for granted; here the side of the board follows from the number of
    /// places.
    Puzzle8,
    /// What was learnt of the game, see [`crate::evaluation`].
    Learnt(Learnt),
}

const NAMES: &[(&str, Heuristic)] = &[
    ("zero", Heuristic::Zero),
    ("scores", Heuristic::Scores),
    ("playouts", Heuristic::Playouts(1)),
    ("MoreStones", Heuristic::MoreStones),
    ("DistanceFromGoal", Heuristic::DistanceFromGoal),
    ("Puzzle8Heuristic", Heuristic::Puzzle8),
];

/// The evaluation of a file.
#[cfg(feature = "programs")]
fn learnt(name: &str) -> Result<Learnt, String> {
    Learnt::read(name)
}

#[cfg(not(feature = "programs"))]
fn learnt(_: &str) -> Result<Learnt, String> {
    Err("evaluations in files need the feature `programs` of rulec-runtime".to_owned())
}

impl FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(number) = text.strip_prefix("playouts") {
            let games = number.trim_start_matches('-');
            let games = match games {
                "" => Ok(1),
                games => games.parse(),
            };
            return games
                .ok()
                .filter(|games| (1..=1_000_000).contains(games))
                .map(Heuristic::Playouts)
                .ok_or_else(|| format!("`{text}`: write a number of games, such as playouts-10"));
        }
        if text.ends_with(evaluation::ENDING) || text == evaluation::BUILT_IN {
            return learnt(text).map(Heuristic::Learnt);
        }
        let found = NAMES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text));
        found.map(|(_, heuristic)| *heuristic).ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            format!(
                "there is no heuristic `{text}`; there are {}, files of `evaluate`, whose names end in .eval.json, and built-in, the one that a program was built with",
                names.join(", ")
            )
        })
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Heuristic::Playouts(games) = self {
            return write!(f, "playouts-{games}");
        }
        if let Heuristic::Learnt(learnt) = self {
            return learnt.fmt(f);
        }
        let found = NAMES.iter().find(|(_, heuristic)| heuristic == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

/// A loss is worth 0 and a win 1; what a heuristic gives lies at least so far from both.
const MARGIN: f64 = 0.01;

/// Judges positions of one game, with what it needs for that.
pub(crate) struct Judgement {
    heuristic: Heuristic,
    players: usize,
    rng: Rng,
    limit: u32,
    scores: Vec<i64>,
    goal: Option<Vec<Stone>>,
    /// Names of places, without indexes, to which moves lead.
    board: BTreeSet<String>,
}

/// An element as the text of a position tells it: its name, its place and its owner from 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stone {
    name: String,
    place: String,
    owner: usize,
}

impl Judgement {
    pub(crate) fn new(heuristic: Heuristic, walk: &mut dyn Walk, seed: u64, limit: u32) -> Self {
        let mut judgement = Self {
            heuristic,
            players: walk.info().players.len().max(1),
            rng: Rng::new(seed, 1 << 40),
            limit,
            scores: Vec::new(),
            goal: None,
            board: BTreeSet::new(),
        };
        if heuristic == Heuristic::MoreStones {
            judgement.board = targets(walk, &mut judgement.rng);
        }
        if heuristic == Heuristic::DistanceFromGoal {
            judgement.goal = lucky_win(walk, &mut judgement.rng);
        }
        judgement
    }

    /// The share of every player in `out`, in place of what it held.
    pub(crate) fn shares(&mut self, walk: &mut dyn Walk, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.players, 0.5);
        match self.heuristic {
            Heuristic::Zero => {}
            Heuristic::Scores => {
                walk.scores(&mut self.scores);
                compare(self.scores.iter().map(|&score| score as f64), out);
            }
            Heuristic::Playouts(games) => {
                out.fill(0.0);
                for _ in 0..games {
                    let outcome = walk.playout(&mut self.rng, self.limit).outcome;
                    for (player, share) in out.iter_mut().enumerate() {
                        let payoff = outcome.map_or(0.5, |o| o.payoff(player));
                        *share += payoff / f64::from(games.max(1));
                    }
                }
            }
            Heuristic::MoreStones => {
                let mut stones = vec![0.0; self.players];
                for stone in stones_of(&walk.text()) {
                    if !self.board.contains(base(&stone.place)) {
                        continue;
                    }
                    if let Some(count) = stone.owner.checked_sub(1).and_then(|o| stones.get_mut(o))
                    {
                        *count += 1.0;
                    }
                }
                compare(stones.iter().copied(), out);
            }
            Heuristic::Learnt(learnt) => {
                let evaluation = learnt.evaluation();
                let mut chance = |evaluation: &Evaluation| {
                    let view = walk.judged(evaluation);
                    evaluation::chance(evaluation.logit(view, || walk.mobility()))
                };
                if evaluation.is_for_many() {
                    let own = out.iter_mut().enumerate();
                    own.for_each(|(player, own)| *own = chance(evaluation.of(player)));
                    let all: f64 = out.iter().sum();
                    // Files may hold weights of any size, with which nobody has a chance.
                    out.iter_mut()
                        .for_each(|own| *own /= all.max(f64::MIN_POSITIVE));
                } else {
                    let first = chance(evaluation);
                    for (player, own) in out.iter_mut().enumerate() {
                        *own = if player == 0 { first } else { 1.0 - first };
                    }
                }
            }
            Heuristic::DistanceFromGoal | Heuristic::Puzzle8 => {
                let far = self.remaining(walk);
                out.fill(1.0 / (1.0 + 0.1 * far));
            }
        }
        for share in out.iter_mut() {
            *share = share.clamp(MARGIN, 1.0 - MARGIN);
        }
    }

    /// Whether all positions are alike to it.
    pub(crate) fn is_blind(&self) -> bool {
        self.heuristic == Heuristic::Zero
    }

    /// The evaluation that was learnt.
    pub(crate) fn learnt(&self) -> Option<&'static Evaluation> {
        match self.heuristic {
            Heuristic::Learnt(learnt) => Some(learnt.evaluation()),
            _ => None,
        }
    }

    /// About how many moves of one player it takes to a win; 0 where the heuristic says nothing of that.
    pub(crate) fn remaining(&mut self, walk: &mut dyn Walk) -> f64 {
        match self.heuristic {
            Heuristic::Puzzle8 => f64::from(tile_ways(&stones_of(&walk.text()))),
            Heuristic::DistanceFromGoal => match &self.goal {
                Some(goal) => {
                    let here = stones_of(&walk.text());
                    here.iter().filter(|stone| !goal.contains(stone)).count() as f64
                }
                None => 0.0,
            },
            _ => 0.0,
        }
    }
}

/// What one has beside the best of the others, as a share; `out` holds the shares of players who have the same.
fn compare(amounts: impl Iterator<Item = f64> + Clone, out: &mut [f64]) {
    // Most games of most rules keep no scores, and a search asks at each of millions of positions.
    let mut rest = amounts.clone();
    let first = rest.next();
    if rest.all(|amount| Some(amount) == first) {
        return;
    }
    for (player, share) in out.iter_mut().enumerate() {
        let mine = amounts.clone().nth(player).unwrap_or(0.0);
        let others = amounts.clone().enumerate().filter(|(p, _)| *p != player);
        let Some(best) = others.map(|(_, a)| a).reduce(f64::max) else {
            continue;
        };
        *share = 0.5 + 0.5 * (mine - best) / (mine.abs() + best.abs() + 1.0);
    }
}

/// The elements that the text of a position of s3 tells; none for other texts.
fn stones_of(text: &str) -> Vec<Stone> {
    let stone = |part: &str| {
        let (name, rest) = part.split_once('@')?;
        let mut fields = rest.split('/');
        let place = fields.next()?.to_owned();
        let owner = fields.nth(1)?.parse().ok()?;
        Some(Stone {
            name: name.to_owned(),
            place,
            owner,
        })
    };
    text.split(';').filter_map(stone).collect()
}

/// A name without its indexes.
fn base(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

/// Random games in which the targets of moves are looked for, and moves of each.
const SCOUTS: (u32, usize) = (10, 200);

/// The names of the places to which the moves of some random games lead: the third word of a move of s3.
fn targets(walk: &mut dyn Walk, rng: &mut Rng) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut moves = Vec::new();
    let begun = walk.depth();
    for _ in 0..SCOUTS.0 {
        while walk.depth() < begun + SCOUTS.1 && look(walk, &mut moves) == Kind::Choice {
            let code = moves[rng.below64(moves.len() as u64) as usize];
            if let Some(target) = walk.move_text(code).split(' ').nth(2) {
                found.insert(base(target).to_owned());
            }
            walk.down(code);
        }
        while walk.depth() > begun {
            walk.up();
        }
    }
    found
}

/// The number in the parentheses of a name such as `t(3)`.
fn number(name: &str) -> Option<u32> {
    let (_, rest) = name.split_once('(')?;
    rest.strip_suffix(')')?.parse().ok()
}

/// The sum of the ways of all tiles: tile `i` belongs to place `i`, places are numbered row by row.
fn tile_ways(stones: &[Stone]) -> u32 {
    let numbered = stones
        .iter()
        .filter_map(|stone| Some((number(&stone.name)?, number(&stone.place)?)));
    let tiles: Vec<(u32, u32)> = numbered.filter(|(a, b)| *a > 0 && *b > 0).collect();
    let side = ((tiles.len() + 1) as f64).sqrt().round().max(1.0) as u32;
    let way = |&(tile, place): &(u32, u32)| {
        let at = |n: u32| ((n - 1) % side, (n - 1) / side);
        let ((a, b), (c, d)) = (at(tile), at(place));
        a.abs_diff(c) + b.abs_diff(d)
    };
    tiles.iter().map(way).sum()
}

/// Random games in which [`Heuristic::DistanceFromGoal`] looks for a win, and moves of each.
const LUCK: (u32, usize) = (200, 500);

/// The elements at the end of the first random game that somebody wins.
fn lucky_win(walk: &mut dyn Walk, rng: &mut Rng) -> Option<Vec<Stone>> {
    let mut moves = Vec::new();
    for _ in 0..LUCK.0 {
        let begun = walk.depth();
        let mut won = None;
        while walk.depth() < begun + LUCK.1 {
            match look(walk, &mut moves) {
                Kind::Choice => {
                    walk.down(moves[rng.below64(moves.len() as u64) as usize]);
                }
                Kind::End(outcome) if outcome.is_won() => {
                    won = Some(stones_of(&walk.text()));
                    break;
                }
                _ => break,
            }
        }
        while walk.depth() > begun {
            walk.up();
        }
        if won.is_some() {
            return won;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for heuristic in [
            Heuristic::Zero,
            Heuristic::Scores,
            Heuristic::Playouts(12),
            Heuristic::MoreStones,
            Heuristic::DistanceFromGoal,
            Heuristic::Puzzle8,
        ] {
            assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
        }
        for wrong in ["", "playouts-0", "playouts-x", "nothing"] {
            assert!(wrong.parse::<Heuristic>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn tiles_are_told_from_texts() {
        let solved = "t(1)@s(1)/1/0/0;t(2)@s(2)/2/0/0;t(3)@s(3)/3/0/0;1|-1|[0]";
        assert_eq!(tile_ways(&stones_of(solved)), 0);
        let turned = "t(1)@s(4)/1/0/0;t(2)@s(2)/2/0/0;t(3)@s(1)/3/0/0;1|-1|[0]";
        assert_eq!(tile_ways(&stones_of(turned)), 2 + 1);
        assert!(stones_of("4,4,4;2;0;0").is_empty());
    }

    #[test]
    fn more_of_something_is_better_in_any_proportion() {
        let mut shares = vec![0.5; 2];
        compare([3.0, 2.0].into_iter(), &mut shares);
        assert!(shares[0] > 0.5 && shares[1] < 0.5);
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-12);
    }
}
