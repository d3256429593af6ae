//! From what is seen to the move that was made.
//!
//! Rules make reading safe: only positions that a legal move leads to (or two, or none) come into question. Each is scored by
//! the odds of what stands where in it. The best is taken if it is likelier than every other by a margin and what is seen
//! does not speak against it; else a person is asked, who is shown the three best and the places that disagree.

use rulec_core::{Fault, Game, MoveList, Turn};

use crate::eyes::{Doubt, Sight};
use crate::judge::{Caution, DOUBTFUL, Judge, Judgement, Looks, Question, Seen};
use crate::scene::{LookId, Scene, Standing};

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
    looks: Looks,
    score: f64,
    /// Whether all moves are of one player.
    one_player: bool,
}

/// A judge of pictures. Its parts are compiled here, with the optimisation of this crate, and not once more for each game.
struct SeenJudge<'a>(Judge<'a, Seen<'a>>);

impl SeenJudge<'_> {
    fn score(&self, looks: &[Option<LookId>]) -> f64 {
        self.0.score(looks)
    }

    fn same(&self, a: &[Option<LookId>], b: &[Option<LookId>]) -> bool {
        self.0.same(a, b)
    }

    fn margin(&self, a: &[Option<LookId>], b: &[Option<LookId>]) -> f64 {
        self.0.margin(a, b)
    }

    fn fit(&self, looks: &[Option<LookId>]) -> (f64, f64) {
        self.0.fit(looks)
    }

    fn weigh(&self, positions: &[(f64, &[Option<LookId>])]) -> Option<Judgement> {
        self.0.weigh(positions)
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
    let seen = Seen { scene, sight };
    let judge = SeenJudge(Judge::new(&seen, caution));
    let looks = standing.looks(scene);
    let mut known = vec![Known::<G> {
        moves: Vec::new(),
        state: state.clone(),
        standing: standing.clone(),
        score: judge.score(&looks),
        looks,
        one_player: true,
    }];
    extend(game, scene, &judge, &mut known, 0, Whose::Any)?;
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
            extend(game, scene, &judge, &mut known, first, whose)?;
        }
    }
    Ok(conclude(game, &seen, &judge, &known))
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
fn least_margin<G: Game>(judge: &SeenJudge<'_>, known: &[Known<G>], best: usize) -> f64 {
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
    scene: &Scene,
    judge: &SeenJudge<'_>,
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
        game.play(&mut state, mv, &mut standing.follow(scene));
        let looks = standing.looks(scene);
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
    seen: &Seen<'_>,
    judge: &SeenJudge<'_>,
    known: &[Known<G>],
) -> Reading<G::Move> {
    let positions = known
        .iter()
        .map(|known| (known.score, known.looks.as_slice()));
    let positions: Vec<(f64, &[Option<LookId>])> = positions.collect();
    // The position that nothing has changed from is always among them.
    let judgement = judge.weigh(&positions).unwrap_or(Judgement {
        best: 0,
        near: vec![0],
        margin: 0.0,
        against: 0.0,
        question: Some(Question::Strange),
    });
    let best = &known[judgement.best];
    // Who shows the same with more moves is out of the question; with as many, it is one.
    let twin = known.iter().any(|other| {
        other.moves.len() == best.moves.len()
            && other.state != best.state
            && judge.same(&other.looks, &best.looks)
    });
    let question = match judgement.question {
        None if twin => Some(Question::Same),
        None if !best.one_player => Some(Question::Several),
        question => question,
    };
    let verdict = match question {
        Some(question) => Verdict::Ask(question),
        None if best.moves.is_empty() => Verdict::Nothing,
        None => Verdict::Moves(best.moves.clone()),
    };
    let shown = match question {
        Some(_) => &judgement.near[..],
        None => &judgement.near[..1],
    };
    let shown = shown.iter().map(|&number| &known[number]);
    Reading {
        verdict,
        best: shown
            .map(|known| candidate(game, seen, known, best.score))
            .collect(),
        margin: judgement.margin,
        against: judgement.against,
    }
}

fn candidate<G: Game>(game: &G, seen: &Seen<'_>, known: &Known<G>, top: f64) -> Candidate<G::Move> {
    let mut doubts = seen.sight.doubts(seen.scene, &known.looks, DOUBTFUL);
    doubts.retain(|doubt| seen.scene.places[doubt.place].relevant);
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
