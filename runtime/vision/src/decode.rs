//! From what is seen to the move that was made.
//!
//! Rules make reading safe: only positions that a legal move leads to (or two, or none) come into question. Each is scored by
//! the odds of what stands where in it. The best is taken if it is likelier than every other by a margin and what is seen
//! does not speak against it; else a person is asked, who is shown the three best and the places that disagree.

use rulec_core::{Fault, Game, MoveList, Turn};

use crate::eyes::{Doubt, Sight, Thing};
use crate::scene::{LookId, Scene, Standing};

/// How sure a reading must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caution {
    /// By how much the best must be likelier than every other, as a natural logarithm of odds.
    pub margin: f64,
    /// How much all relevant places together may speak against the best, as a natural logarithm of odds.
    pub against: f64,
    /// At most so many sequences of two moves are looked at; beyond, no sequence is accepted.
    pub sequences: usize,
}

impl Default for Caution {
    fn default() -> Self {
        Self {
            margin: 5.0,
            against: 3.0,
            sequences: 20_000,
        }
    }
}

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<M> {
    /// What is to be done with it.
    pub verdict: Verdict<M>,
    /// The three likeliest readings, the best first; fewer if there are fewer, only the best if there is no question.
    pub best: Vec<Candidate<M>>,
    /// By how much the best is likelier than the second, at least.
    pub margin: f64,
    /// How much the relevant places speak against the best, 0 or more.
    pub against: f64,
}

/// What is to be done with a reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<M> {
    /// Nothing has changed: keep waiting.
    Nothing,
    /// These moves were made, one after the other, all by the player on turn.
    Moves(Vec<M>),
    /// Nobody can be sure: a person must say, or look again.
    Ask(Question),
}

/// Why a person must be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Two readings are about as likely.
    Close,
    /// No legal move leads to what is seen.
    Strange,
    /// Several moves lead to what is seen, to positions that are not the same.
    Same,
    /// More than one player seems to have moved.
    Several,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Close => "two readings of the table are about as likely",
            Self::Strange => "no legal move leads to what is on the table",
            Self::Same => "several moves lead to what is on the table",
            Self::Several => "more than one player has moved",
        })
    }
}

/// A way to read what is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// The moves; none if nothing has changed.
    pub moves: Vec<M>,
    /// Their texts.
    pub texts: Vec<String>,
    /// How likely it is, as a natural logarithm of odds against the best.
    pub score: f64,
    /// The places that do not clearly show it.
    pub doubts: Vec<Doubt>,
}

/// A position that may be what is seen.
struct Known<G: Game> {
    moves: Vec<G::Move>,
    state: G::State,
    standing: Standing,
    looks: Vec<Option<LookId>>,
    score: f64,
    /// Whether all moves are of one player.
    one_player: bool,
}

/// Scores positions by what is seen.
struct Judge<'a> {
    scene: &'a Scene,
    sight: &'a Sight,
}

impl Judge<'_> {
    fn relevant(&self) -> impl Iterator<Item = usize> {
        let places = self.scene.places.iter().enumerate();
        places
            .filter(|(_, place)| place.relevant)
            .map(|(number, _)| number)
    }

    fn score(&self, looks: &[Option<LookId>]) -> f64 {
        self.relevant()
            .map(|at| self.sight.odds(at, looks[at]))
            .sum()
    }

    /// Whether two standings show the same where it counts.
    fn same(&self, a: &[Option<LookId>], b: &[Option<LookId>]) -> bool {
        self.relevant().all(|at| a[at] == b[at])
    }

    /// By how much one standing is likelier than another: by the place that tells them apart least, because one piece between two
    /// places speaks at both; unless much more speaks for it than one piece could.
    fn margin(&self, a: &[Option<LookId>], b: &[Option<LookId>]) -> f64 {
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for at in self.relevant().filter(|&at| a[at] != b[at]) {
            let by = self.sight.odds(at, a[at]) - self.sight.odds(at, b[at]);
            sum += by;
            least = f64::min(least, by);
        }
        if sum >= MUCH { sum } else { least }
    }

    /// How much the places speak against a standing, and by how much the one that is surest of another speaks for it: any other
    /// standing is less likely by that at least.
    fn fit(&self, looks: &[Option<LookId>]) -> (f64, f64) {
        let (mut against, mut margin) = (0.0, f64::INFINITY);
        for at in self.relevant() {
            let other = self.sight.likeliest(at, Some(looks[at])).1;
            let by = self.sight.odds(at, looks[at]) - other;
            against += (-by).max(0.0);
            margin = f64::min(margin, by);
        }
        let strays = self.sight.strays(looks);
        let stray = |thing: &&Thing| self.scene.places[thing.place].relevant;
        against += STRAY * strays.iter().filter(stray).count() as f64;
        (against, margin)
    }
}

/// Reads the move that leads from a known position to what is seen.
///
/// `standing` is what stood where in `state`. Where it is another player's turn after the first move, a second one is only taken
/// as a sign that too much has happened.
///
/// # Errors
/// The fault that a rule ran into.
pub fn decode<G: Game>(
    game: &G,
    scene: &Scene,
    state: &G::State,
    standing: &Standing,
    sight: &Sight,
    caution: &Caution,
) -> Result<Reading<G::Move>, Fault> {
    let judge = Judge { scene, sight };
    let looks = standing.looks(scene);
    let mut known = vec![Known::<G> {
        moves: Vec::new(),
        state: state.clone(),
        standing: standing.clone(),
        score: judge.score(&looks),
        looks,
        one_player: true,
    }];
    extend(game, &judge, &mut known, 0, Whose::Any)?;
    let singles = known.len();
    let best = best_of(&known);
    // Where every place clearly shows the best, nothing else can be nearer: sequences need no look.
    let (against, clear) = judge.fit(&known[best].looks);
    if clear < caution.margin {
        // Where the best single move is in doubt already, what others may have added cannot make it surer.
        let close = least_margin(&judge, &known, best) < caution.margin;
        let whose = match close && against <= caution.against {
            true => Whose::Same,
            false => Whose::Any,
        };
        for first in 1..singles {
            if known.len() > caution.sequences {
                break;
            }
            extend(game, &judge, &mut known, first, whose)?;
        }
    }
    Ok(conclude(game, &judge, known, caution))
}

/// Which second moves are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// All.
    Any,
    /// Those of the player who made the first.
    Same,
}

/// By how much a candidate is likelier than every other that shows something else.
fn least_margin<G: Game>(judge: &Judge<'_>, known: &[Known<G>], best: usize) -> f64 {
    let looks = &known[best].looks;
    let others = known
        .iter()
        .filter(|other| !judge.same(&other.looks, looks));
    let margins = others.map(|other| judge.margin(looks, &other.looks));
    margins.fold(f64::INFINITY, f64::min)
}

/// The likeliest; of equals the first, which has the fewest moves.
fn best_of<G: Game>(known: &[Known<G>]) -> usize {
    let mut best = 0;
    for (number, candidate) in known.iter().enumerate() {
        if candidate.score > known[best].score {
            best = number;
        }
    }
    best
}

/// Adds the positions that one more move leads to.
fn extend<G: Game>(
    game: &G,
    judge: &Judge<'_>,
    known: &mut Vec<Known<G>>,
    from: usize,
    whose: Whose,
) -> Result<(), Fault> {
    let mut moves = MoveList::new();
    let Turn::Decide(players) = game.turn(&known[from].state) else {
        return Ok(());
    };
    // The position before the first move is the first of all.
    let first = known[from].moves.first();
    let began = first.map(|&first| game.mover(&known[0].state, first));
    let again = |player: usize| player < 64 && players & (1 << player) != 0;
    if whose == Whose::Same && began.is_some_and(|player| !again(player)) {
        return Ok(());
    }
    game.distinct_moves(&known[from].state, &mut moves)?;
    for &mv in moves.iter() {
        let before = &known[from];
        let mut state = before.state.clone();
        let mut standing = before.standing.clone();
        let player = game.mover(&before.state, mv);
        game.play(&mut state, mv, &mut standing.follow(judge.scene));
        let looks = standing.looks(judge.scene);
        let mut sequence = before.moves.clone();
        sequence.push(mv);
        known.push(Known {
            moves: sequence,
            state,
            standing,
            score: judge.score(&looks),
            looks,
            one_player: began.is_none_or(|began| began == player),
        });
    }
    Ok(())
}

fn conclude<G: Game>(
    game: &G,
    judge: &Judge<'_>,
    mut known: Vec<Known<G>>,
    caution: &Caution,
) -> Reading<G::Move> {
    let best = known.swap_remove(best_of(&known));
    let (against, clear) = judge.fit(&best.looks);
    // Who shows the same with more moves is out of the question; with as many, it is one.
    let count = best.moves.len();
    let twin = known.iter().any(|other| {
        other.moves.len() == count
            && other.state != best.state
            && judge.same(&other.looks, &best.looks)
    });
    known.retain(|other| !judge.same(&other.looks, &best.looks));
    known.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.moves.len().cmp(&b.moves.len()))
    });
    let margins = known
        .iter()
        .map(|other| judge.margin(&best.looks, &other.looks));
    let margin = margins.fold(f64::INFINITY, f64::min).max(clear);
    let question = if against > caution.against {
        Some(Question::Strange)
    } else if margin < caution.margin {
        Some(Question::Close)
    } else if twin {
        Some(Question::Same)
    } else if !best.one_player {
        Some(Question::Several)
    } else {
        None
    };
    let verdict = match question {
        Some(question) => Verdict::Ask(question),
        None if best.moves.is_empty() => Verdict::Nothing,
        None => Verdict::Moves(best.moves.clone()),
    };
    let top = best.score;
    let mut shown = vec![candidate(game, judge, &best, top)];
    if question.is_some() {
        let mut seen: Vec<&Known<G>> = vec![&best];
        for other in &known {
            if seen.len() < 3 && !seen.iter().any(|s| judge.same(&s.looks, &other.looks)) {
                seen.push(other);
                shown.push(candidate(game, judge, other, top));
            }
        }
    }
    Reading {
        verdict,
        best: shown,
        margin,
        against,
    }
}

fn candidate<G: Game>(
    game: &G,
    judge: &Judge<'_>,
    known: &Known<G>,
    top: f64,
) -> Candidate<G::Move> {
    let mut doubts = judge.sight.doubts(judge.scene, &known.looks, DOUBTFUL);
    doubts.retain(|doubt| judge.scene.places[doubt.place].relevant);
    let text = |&mv: &G::Move| {
        let mut text = String::new();
        game.write_move(mv, &mut text);
        text
    };
    Candidate {
        texts: known.moves.iter().map(text).collect(),
        moves: known.moves.clone(),
        score: known.score - top,
        doubts,
    }
}

/// How much a piece on the board that a standing does not account for speaks against it.
const STRAY: f64 = 5.0;
/// What speaks for a standing from more places than a single piece stands between.
const MUCH: f64 = 25.0;
/// Places that show something by less than this are told to people.
const DOUBTFUL: f64 = 3.0;

/// Of the legal moves that lead to the same position as `mv`, the one that fits best what is seen everywhere, also on trays: whoever
/// takes a piece may take any that is alike, and an arm must know which ones are left.
///
/// # Errors
/// The fault that a rule ran into.
pub fn same_but_seen<G: Game>(
    game: &G,
    scene: &Scene,
    state: &G::State,
    standing: &Standing,
    sight: &Sight,
    mv: G::Move,
) -> Result<G::Move, Fault> {
    let after = |mv: G::Move| {
        let (mut state, mut standing) = (state.clone(), standing.clone());
        game.play(&mut state, mv, &mut standing.follow(scene));
        let looks = standing.looks(scene).into_iter().enumerate();
        let score: f64 = looks.map(|(at, look)| sight.odds(at, look)).sum();
        (state, score)
    };
    let mut moves = MoveList::new();
    game.legal_moves(state, &mut moves)?;
    let (aim, score) = after(mv);
    let mut best = (mv, score);
    for &other in moves.iter() {
        let (state, score) = after(other);
        if state == aim && score > best.1 {
            best = (other, score);
        }
    }
    Ok(best.0)
}
