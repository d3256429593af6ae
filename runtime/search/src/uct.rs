//! UCT: a tree that grows where moves look good.
//!
//! A visit walks down the tree by upper confidence bounds (Kocsis and Szepesvári, 2006), plays one random game from the
//! first position that is new, and credits everybody on the way. A position gets its children at its second visit.
//! With [`SearchSettings::solve`], ends that are certain are carried up the tree exactly (as in MCTS-Solver, Winands and
//! others, 2008, for any number of players), and a certain root ends the search. Of moves that symmetries take to each other
//! where they keep the position, one is tried and stands for all ([`crate::mirror`]).

use std::sync::{
    Mutex, OnceLock, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use rulec_core::{
    ChanceList, ChoiceSet, Game, Identities, MoveArgs, MoveList, Observe, OpenPlay, Outcome,
    Reason, Rng, Silent, Turn, told_playout,
};

use crate::{
    Progress,
    amaf::Amaf,
    evaluation::{Evaluation, View, chance, mobility::mobility},
    heuristic::Heuristic,
    mirror::{self, Keepers, Kept},
    noise::dirichlet,
    orbit::Mirrors,
    parallel::{lock, on_known_threads},
    search::{Pace, SearchReport, SearchSettings},
    together::{self, Member, Together},
    tree::{Growth, Shares, Tree, Way},
};

/// Lists that a search uses again and again.
struct Scratch<G: Game> {
    moves: MoveList<G::Move>,
    results: ChanceList<G::Move>,
    kept: Kept,
}

impl<G: Game> Scratch<G> {
    fn new() -> Self {
        Self {
            moves: MoveList::new(),
            results: ChanceList::new(),
            kept: Kept::default(),
        }
    }
}

/// The tree of a game.
type TreeOf<G> = Tree<<G as Game>::Move, <G as Game>::State>;

/// Where a walk down the tree ended.
enum Leaf<S> {
    /// At a certain end; none if the rules tell none.
    End(Option<Outcome>),
    /// At a position that a random game should judge.
    New(S),
}

fn growth(settings: &SearchSettings) -> Growth {
    Growth {
        exploration: settings.exploration,
        capacity: settings.nodes,
        solve: settings.solve,
        blend: match settings.heuristic {
            Heuristic::Learnt(_) => settings.minimax as f32,
            _ => 0.0,
        },
    }
}

/// A tree of one node.
fn seed<G: Game>(game: &G, settings: &SearchSettings) -> TreeOf<G> {
    let mut tree = Tree::new(growth(settings));
    if settings.rave > 0.0 {
        let info = game.info();
        let amaf = Amaf::new(settings.rave, info.players.len(), info.move_count);
        tree.judge_by_later_moves(amaf);
    }
    tree
}

/// Searches with UCT.
///
/// `progress` is told the number of games; it stops the search by returning false.
pub fn uct<G: Observe + Identities + MoveArgs + OpenPlay>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    match settings.threads {
        0 | 1 => {
            let mut tree = seed(game, settings);
            grow(game, root, settings, &mut tree, progress)
        }
        _ => on_several(game, root, settings, progress),
    }
}

/// Searches on in a tree that may have been grown before.
pub(crate) fn grow<G: Observe + Identities + MoveArgs + OpenPlay>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    tree: &mut TreeOf<G>,
    progress: Progress<'_>,
) -> SearchReport {
    let games = grow_on(game, root, settings, tree, None, progress);
    told(game, root, settings, tree, games)
}

/// The symmetries that keep the first position, where they are used.
fn kept<G: Identities>(game: &G, root: &G::State, settings: &SearchSettings) -> Kept {
    // What was learnt may judge images of a position otherwise than itself.
    let fair = !matches!(settings.heuristic, Heuristic::Learnt(_));
    match fair && settings.mirrors != Mirrors::Off {
        true => Kept::at(game, root),
        false => Kept::default(),
    }
}

/// Lets a tree grow, alone or as that of one of several threads; how many games were played.
fn grow_on<G: Observe + Identities + MoveArgs + OpenPlay>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    tree: &mut TreeOf<G>,
    mut member: Option<&mut Member<'_, G::Move>>,
    progress: Progress<'_>,
) -> u64 {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_GAMES, progress);
    let mut rng = Rng::new(settings.seed, settings.stream);
    let mut way = Way::default();
    let mut scratch = Scratch::<G>::new();
    scratch.kept = kept(game, root, settings);
    add_noise(game, root, settings, tree, &mut rng, &mut scratch);
    let mut done = 0;
    let mut due = match member {
        Some(_) => together::FIRST,
        None => u64::MAX,
    };
    let blend = growth(settings).blend > 0.0;
    tree.expect(settings.bound(SearchSettings::DEFAULT_GAMES));
    while (!settings.solve || tree.proof().is_none()) && pace.go_on() {
        if let Some(amaf) = tree.amaf() {
            amaf.begin();
        }
        let leaf = descend(game, root, tree, &mut way, &mut rng, &mut scratch);
        let hope = match blend {
            true => hoped(game, &leaf, settings, &mut scratch),
            false => None,
        };
        let shares = match leaf {
            Leaf::End(outcome) => Shares::of(outcome),
            Leaf::New(state) => {
                let amaf = tree.amaf();
                judged(game, state, settings, amaf, &mut rng, &mut scratch)
            }
        };
        tree.back_up(&mut way, shares);
        if let Some(first) = hope {
            tree.hope(&way, first as f32);
        }
        done += 1;
        if done == due
            && let Some(member) = &mut member
        {
            due += member.exchange(tree);
        }
    }
    done
}

/// What a tree says, of all moves.
fn told<G: MoveArgs + Identities>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    tree: &TreeOf<G>,
    games: u64,
) -> SearchReport {
    let mut report = tree.report(&|mv| game.move_code(mv));
    report.games = games;
    let keepers = kept(game, root, settings).first;
    let mut moves = MoveList::new();
    if keepers != 0 && game.distinct_moves(root, &mut moves).is_ok() {
        mirror::tell_all(game, keepers, &moves, &mut report);
    }
    report
}

/// The chance of the first of two players where a tree ends: by the rules, or by an evaluation.
fn hoped<G: Observe + OpenPlay>(
    game: &G,
    leaf: &Leaf<G::State>,
    settings: &SearchSettings,
    scratch: &mut Scratch<G>,
) -> Option<f64> {
    match (leaf, settings.heuristic) {
        (Leaf::End(outcome), _) => {
            let outcome = outcome.as_ref()?;
            Some(0.5 + (outcome.payoff(0) - outcome.payoff(1)) / 2.0)
        }
        (Leaf::New(state), Heuristic::Learnt(learnt)) => {
            let evaluation = learnt.evaluation();
            Some(first_chance(game, state, evaluation, &mut scratch.moves))
        }
        _ => None,
    }
}

/// The chance of the first of two players by an evaluation.
fn first_chance<G: Observe + OpenPlay>(
    game: &G,
    state: &G::State,
    evaluation: &Evaluation,
    moves: &mut MoveList<G::Move>,
) -> f64 {
    let view = View::of(game, state, evaluation);
    chance(evaluation.logit(view, || mobility(game, state, &mut None, moves)))
}

/// What a new position is worth: what a random game from it comes to, or what an evaluation says after a few moves of one.
#[inline(always)]
fn judged<G: Observe + OpenPlay>(
    game: &G,
    mut state: G::State,
    settings: &SearchSettings,
    amaf: Option<&mut Amaf>,
    rng: &mut Rng,
    scratch: &mut Scratch<G>,
) -> Shares {
    let learnt = match settings.heuristic {
        Heuristic::Learnt(learnt) => Some(learnt.evaluation()),
        _ => None,
    };
    let limit = match learnt {
        Some(_) => settings.cut.min(settings.limit),
        None => settings.limit,
    };
    let moves = &mut scratch.moves;
    let choices = ChoiceSet::Distinct;
    let playout = match amaf {
        None => game.random_playout(&mut state, rng, limit, choices, moves),
        Some(amaf) => told_playout(game, &mut state, rng, limit, choices, moves, |state, mv| {
            if game.turn(state) != Turn::Chance {
                amaf.made(game.mover(state, mv), game.move_index(mv));
            }
        }),
    };
    match learnt {
        Some(evaluation) if playout.outcome.is_none() => {
            Shares::hoped(first_chance(game, &state, evaluation, moves))
        }
        _ => Shares::of(playout.outcome),
    }
}

/// Bytes of a position up to which a tree keeps those of its nodes, so that a walk down need not play the moves again.
const SMALL: usize = 256;

/// Whether positions are kept: they are small, and plain data, as those of compiled games are.
const fn keeps<G: Game>() -> bool {
    size_of::<G::State>() <= SMALL && !std::mem::needs_drop::<G::State>()
}

/// Walks down the tree to a certain end or to a new position.
#[inline(always)]
fn descend<G: MoveArgs>(
    game: &G,
    root: &G::State,
    tree: &mut TreeOf<G>,
    way: &mut Way,
    rng: &mut Rng,
    scratch: &mut Scratch<G>,
) -> Leaf<G::State> {
    way.restart();
    let mut at = 0;
    let mut keepers = scratch.kept.first;
    // The position at work where positions are not kept, and how this node was reached from the one before.
    let mut running = (!keeps::<G>()).then(|| root.clone());
    let mut last: Option<(usize, G::Move)> = None;
    loop {
        if let Some(outcome) = tree.proof_at(at) {
            return Leaf::End(Some(outcome));
        }
        if !tree.is_open(at) {
            let state = match (&running, last) {
                (Some(state), _) => state.clone(),
                (None, None) => root.clone(),
                (None, Some((from, mv))) => {
                    let mut state = tree.state_at(from).unwrap_or(root).clone();
                    game.play(&mut state, mv, &mut Silent);
                    state
                }
            };
            let turn = game.turn(&state);
            if turn == Turn::Over {
                return Leaf::End(tree.prove(way, game.outcome(&state)));
            }
            if tree.is_fresh(at) {
                return Leaf::New(state);
            }
            if let Err(outcome) = open(game, &state, turn, keepers, tree, at, scratch) {
                return Leaf::End(tree.prove(way, Some(outcome)));
            }
            if running.is_none() {
                tree.keep(at, state);
            }
        }
        let next = if tree.is_draw(at) {
            scratch.results.clear();
            let state = running.as_ref().or(tree.state_at(at)).unwrap_or(root);
            game.chance_outcomes(state, &mut scratch.results);
            let drawn = scratch.results.draw_index(rng);
            drawn.map(|index| (tree.enter(way, at, index), scratch.results[index].0))
        } else {
            tree.select(way, at, rng)
        };
        let Some((child, mv)) = next else {
            return Leaf::End(tree.prove(way, Some(Outcome::nobody(Reason::Stuck))));
        };
        if let Some(state) = &mut running {
            game.play(state, mv, &mut Silent);
        }
        keepers = scratch.kept.after(game, keepers, mv, child);
        last = Some((at, mv));
        at = child;
    }
}

/// Gives a node its children; the end of the game where there are none.
fn open<G: MoveArgs>(
    game: &G,
    state: &G::State,
    turn: Turn,
    keepers: Keepers,
    tree: &mut TreeOf<G>,
    at: usize,
    scratch: &mut Scratch<G>,
) -> Result<(), Outcome> {
    let stuck = Outcome::nobody(Reason::Stuck);
    if turn == Turn::Chance {
        scratch.results.clear();
        game.chance_outcomes(state, &mut scratch.results);
        if scratch.results.is_empty() {
            return Err(stuck);
        }
        tree.open(at, scratch.results.iter().map(|&(mv, _)| (mv, None)));
        if let Some(amaf) = tree.amaf() {
            amaf.add(scratch.results.iter().map(|_| 0));
        }
        return Ok(());
    }
    scratch.moves.clear();
    game.distinct_moves(state, &mut scratch.moves)
        .map_err(Outcome::fault)?;
    if scratch.moves.is_empty() {
        return Err(stuck);
    }
    if keepers != 0 {
        mirror::keep_one_of_each(game, keepers, &mut scratch.moves);
    }
    let mover = match turn {
        Turn::Decide(players) if players.count_ones() == 1 => {
            Some(players.trailing_zeros() as usize)
        }
        _ => None,
    };
    let children = scratch.moves.iter().map(|&mv| {
        let mover = mover.unwrap_or_else(|| game.mover(state, mv));
        (mv, Some(mover))
    });
    tree.open(at, children);
    if let Some(amaf) = tree.amaf() {
        amaf.add(scratch.moves.iter().map(|&mv| game.move_index(mv)));
    }
    Ok(())
}

/// Weighs the moves of the root anew by noise, where that is asked for.
fn add_noise<G: MoveArgs>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    tree: &mut TreeOf<G>,
    rng: &mut Rng,
    scratch: &mut Scratch<G>,
) {
    tree.set_noise(Vec::new());
    let turn = game.turn(root);
    if settings.noise <= 0.0 || !matches!(turn, Turn::Decide(_)) {
        return;
    }
    if !tree.is_open(0) {
        let keepers = scratch.kept.first;
        if open(game, root, turn, keepers, tree, 0, scratch).is_err() {
            return;
        }
        if keeps::<G>() {
            tree.keep(0, root.clone());
        }
    }
    let share = settings.noise.min(1.0);
    let count = tree.root_children();
    let noise = dirichlet(settings.alpha.clamp(1e-3, 1e3), count, rng);
    let factor = |x: f64| (1.0 - share + share * x * count as f64) as f32;
    tree.set_noise(noise.into_iter().map(factor).collect());
}

/// Each thread grows a tree of its own from a stream of its own, and tells the others of what was visited often.
fn on_several<G: Observe + Identities + MoveArgs + OpenPlay>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let shared = Mutex::new(progress);
    let together: OnceLock<Together<G::Move>> = OnceLock::new();
    let grown = Mutex::new(Vec::new());
    on_known_threads(settings.threads as usize, &|index, threads| {
        // What a clock stops depends on how threads run in any case.
        let together = together.get_or_init(|| Together::new(threads, settings.time.is_none()));
        let (place, parts) = (index as u64, threads as u64);
        let games = settings.bound(SearchSettings::DEFAULT_GAMES);
        let own = SearchSettings {
            games: Some(games / parts + u64::from(place < games % parts)),
            stream: settings.stream ^ place << 48,
            nodes: settings.nodes / threads,
            ..*settings
        };
        let mut told = 0;
        let mut tell = |games: u64| {
            done.fetch_add(games - told, Relaxed);
            told = games;
            if index == 0 && !lock(&shared).go_on(done.load(Relaxed)) {
                stop.store(true, Relaxed);
            }
            !stop.load(Relaxed)
        };
        let mut tree = seed(game, &own);
        let mut member = together.member(index);
        let games = grow_on(game, root, &own, &mut tree, Some(&mut member), &mut tell);
        member.leave(&mut tree);
        lock(&grown).push((index, games, member, tree));
    });
    let mut grown = grown.into_inner().unwrap_or_else(PoisonError::into_inner);
    grown.sort_by_key(|(index, ..)| *index);
    let games = grown.iter().map(|(_, games, ..)| games).sum();
    let nodes = grown.iter().map(|(.., tree)| tree.size()).sum();
    let Some((_, _, member, tree)) = grown.first_mut() else {
        return SearchReport::default();
    };
    member.learn(tree);
    SearchReport {
        nodes,
        ..told(game, root, settings, tree, games)
    }
}

/// A search that keeps its tree from move to move.
pub(crate) struct Memory<'g, G: Game> {
    game: &'g G,
    root: G::State,
    tree: TreeOf<G>,
}

/// Moves after which a position is still looked for in the tree of an earlier one, and nodes looked at for that.
const SOUGHT_DEPTH: u32 = 6;
const SOUGHT_NODES: usize = 20_000;

impl<'g, G: Identities + Observe + MoveArgs + OpenPlay> Memory<'g, G> {
    pub(crate) fn new(game: &'g G, root: G::State, settings: &SearchSettings) -> Self {
        Self {
            game,
            root,
            tree: seed(game, settings),
        }
    }

    /// Looks for the position with this encoding under all identities in the tree, and makes it the root; false if it
    /// is not there.
    fn seek(&mut self, target: &[u8]) -> bool {
        let mut layer = vec![(self.root.clone(), 0)];
        let mut looked = 0;
        for _ in 0..=SOUGHT_DEPTH {
            let mut next = Vec::new();
            for (state, at) in layer {
                looked += 1;
                if looked > SOUGHT_NODES {
                    return false;
                }
                if all_identities(self.game, &state) == target {
                    if at != 0 {
                        (self.tree, self.root) = (self.tree.subtree(at), state);
                    }
                    return true;
                }
                for (mv, child) in self.tree.visited(at) {
                    let mut after = state.clone();
                    self.game.play(&mut after, mv, &mut Silent);
                    next.push((after, child));
                }
            }
            layer = next;
        }
        false
    }
}

/// The encodings of a position under all identities of its game.
fn all_identities<G: Identities>(game: &G, state: &G::State) -> Vec<u8> {
    let mut bytes = Vec::new();
    for identity in 0..game.info().identities.len().max(1) {
        game.identity(state, identity, &mut bytes);
    }
    bytes
}

/// A search that remembers.
pub trait Thinker: Send {
    /// Goes on to a position, given by its encodings under all identities; false if it is not known yet.
    fn follow(&mut self, identities: &[u8]) -> bool;
    /// Searches on from the position.
    fn think(&mut self, settings: &SearchSettings, progress: Progress<'_>) -> SearchReport;
}

impl<G: Identities + Observe + MoveArgs + OpenPlay> Thinker for Memory<'_, G> {
    fn follow(&mut self, identities: &[u8]) -> bool {
        self.seek(identities)
    }

    fn think(&mut self, settings: &SearchSettings, progress: Progress<'_>) -> SearchReport {
        // What is known counts towards the games that are wanted.
        let games = settings.bound(SearchSettings::DEFAULT_GAMES);
        let rest = match settings.time {
            None => games.saturating_sub(self.tree.visits()),
            Some(_) => games,
        };
        let own = SearchSettings {
            games: Some(rest),
            ..*settings
        };
        grow(self.game, &self.root, &own, &mut self.tree, progress)
    }
}
