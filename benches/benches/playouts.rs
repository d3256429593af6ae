//! Random games of compiled rules, and the same games written by hand.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rulec_benches::{
    around, bgm, breakthrough, connect_four, frogs, gomoku, hand, knightthrough, ladders, morris,
    nine_mens_morris, reversi, s3, tic_tac_toe,
};
use rulec_runtime::search::episode::attempts::{self, AttemptJob, AttemptTally};
use rulec_runtime::search::simulate::{Dice, Job, Statistics, simulate_streams};
use rulec_runtime::{ChoiceSet, Game, MoveList, OpenPlay, Rng, listed_playout};

const LIMIT: u32 = 1_000;

fn compiled<G: OpenPlay>(criterion: &mut Criterion, name: &str, game: &G) {
    let mut moves = MoveList::new();
    let mut number = 0;
    criterion.bench_function(&format!("{name}/compiled"), |bench| {
        bench.iter(|| {
            number += 1;
            let mut state = game.initial();
            let mut rng = Rng::new(1, number);
            game.random_playout(&mut state, &mut rng, LIMIT, ChoiceSet::Distinct, &mut moves)
        });
    });
}

/// The same with a list of the moves of each ply.
fn listed<G: OpenPlay>(criterion: &mut Criterion, name: &str, game: &G) {
    let mut moves = MoveList::new();
    let mut number = 0;
    criterion.bench_function(&format!("{name}/compiled, listed"), |bench| {
        bench.iter(|| {
            number += 1;
            let mut state = game.initial();
            let mut rng = Rng::new(1, number);
            let set = ChoiceSet::Distinct;
            listed_playout(game, &mut state, &mut rng, LIMIT, set, &mut moves)
        });
    });
}

fn by_hand(criterion: &mut Criterion, name: &str, game: fn(&mut Rng) -> hand::Ended) {
    let mut number = 0;
    criterion.bench_function(&format!("{name}/by hand"), |bench| {
        bench.iter(|| {
            number += 1;
            black_box(game(&mut Rng::new(1, number)))
        });
    });
}

/// Episodes of a player who tries at random: boards, starts and attempts.
fn episodes(criterion: &mut Criterion) {
    let mut seed = 0;
    criterion.bench_function("around/100 episodes", |bench| {
        bench.iter(|| {
            seed += 1;
            let job = AttemptJob {
                source: None,
                seed,
                episodes: 100,
                limit: u64::MAX,
            };
            let mut tally = AttemptTally::default();
            attempts::run(&around::Game, &job, &mut tally);
            tally
        });
    });
}

fn playouts(criterion: &mut Criterion) {
    compiled(criterion, "frogs", &frogs::Game);
    by_hand(criterion, "frogs", hand::frogs);
    // Two languages, one IR: the same game from bgm is meant to be within a factor of 2 of that from s3.
    compiled(criterion, "tic-tac-toe", &tic_tac_toe::Game);
    compiled(criterion, "tic-tac-toe from bgm", &bgm::tic_tac_toe::Game);
    compiled(criterion, "nim", &s3::nim::Game);
    compiled(criterion, "nim from bgm", &bgm::nim::Game);
    by_hand(criterion, "tic-tac-toe", hand::tic_tac_toe);
    compiled(criterion, "reversi", &reversi::Game);
    by_hand(criterion, "reversi", hand::reversi);
    compiled(criterion, "connect four", &connect_four::Game);
    by_hand(criterion, "connect four", hand::connect_four);
    compiled(criterion, "breakthrough", &breakthrough::Game);
    by_hand(criterion, "breakthrough", hand::breakthrough);
    compiled(criterion, "knightthrough", &knightthrough::Game);
    by_hand(criterion, "knightthrough", hand::knightthrough);
    compiled(criterion, "gomoku", &gomoku::Game);
    by_hand(criterion, "gomoku", hand::gomoku);
    compiled(criterion, "nine men's morris", &nine_mens_morris::Game);
    by_hand(criterion, "nine men's morris", morris::nine_mens_morris);
}

/// Random games with a list of the moves of each ply.
fn lists(criterion: &mut Criterion) {
    listed(criterion, "tic-tac-toe", &tic_tac_toe::Game);
    by_hand(criterion, "tic-tac-toe, listed", hand::tic_tac_toe_listed);
    listed(criterion, "connect four", &connect_four::Game);
    by_hand(criterion, "connect four, listed", hand::connect_four_listed);
    listed(criterion, "breakthrough", &breakthrough::Game);
    by_hand(criterion, "breakthrough, listed", hand::breakthrough_listed);
}

/// Whole games of dice, played alone and with everything counted.
fn dice(criterion: &mut Criterion) {
    compiled(criterion, "ladders", &ladders::Game);
    let job = Job {
        seed: 1,
        dice: Dice::Own,
        limit: LIMIT,
        rows: false,
    };
    let start = ladders::Game.initial();
    criterion.bench_function("ladders/1000 games counted", |bench| {
        bench.iter(|| {
            let mut statistics = Statistics::default();
            simulate_streams(&ladders::Game, &start, &job, 0..1000, &mut statistics);
            black_box(statistics.results.total())
        });
    });
}

criterion_group!(benches, playouts, lists, dice, episodes);
criterion_main!(benches);
