//! Batches and self-play of a small game, in this process.

use rulec_abi::{Batch, Games, Kinds, Mask, Numbers, Refused, Settings, View, local};
use serde_json::{Value, json};

#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod game;

fn games() -> Games {
    Games::new(Box::new(local(game::TicTacToe)))
}

fn batch(games: usize, seed: u64) -> Batch {
    let settings = Settings {
        games,
        seed,
        ..Settings::default()
    };
    self::games().batch(&settings).expect("it is possible")
}

const KINDS: Kinds = Kinds {
    mask: Mask::Bytes,
    cells: Numbers::F32,
};

#[test]
fn a_game_describes_itself() {
    let mut games = games();
    let told: Value = serde_json::from_str(&games.describe().unwrap()).expect("it is JSON");
    assert_eq!((&told["moves"], &told["cells"]), (&json!(9), &json!(18)));
    assert_eq!(told["planes"][1]["offset"], 9);
    let texts: Vec<String> = serde_json::from_str(&games.move_texts().unwrap()).expect("JSON");
    assert_eq!(texts.len(), 9);
    assert!(texts.iter().all(|text| !text.is_empty()));
}

/// Steps of random games: who is to move, masks, what is seen and who wins, summed up.
fn walk(batch: &mut Batch, games: usize, steps: usize) -> Vec<f64> {
    let mut moves = vec![0; games];
    let (mut rewards, mut over, mut stopped) =
        (vec![0.0; 2 * games], vec![0; games], vec![0; games]);
    let (mut players, mut mask) = (vec![0; games], vec![0; 9 * games]);
    let mut cells = vec![0f32; 18 * games];
    let mut sums = vec![0.0; 5];
    for _ in 0..steps {
        batch.sample(&mut moves).expect("there are moves");
        let mut view = View {
            rewards: &mut rewards,
            over: &mut over,
            stopped: &mut stopped,
            players: &mut players,
            mask: &mut mask,
            cells: bytemuck::cast_slice_mut(&mut cells),
            last: &mut [],
        };
        assert_eq!(batch.step(&moves, KINDS, &mut view), Ok(0));
        for game in 0..games {
            let stones: f32 = cells[18 * game..][..18].iter().sum();
            let free: u32 = mask[9 * game..][..9].iter().map(|n| u32::from(*n)).sum();
            assert_eq!(stones as u32 + free, 9);
            assert_eq!(players[game], (stones as i8) % 2);
            assert_eq!(rewards[2 * game], -rewards[2 * game + 1]);
            assert!(rewards[2 * game] == 0.0 || over[game] == 1);
            sums[0] += f64::from(rewards[2 * game]);
            sums[1] += f64::from(over[game]);
            sums[2] += f64::from(stones);
            sums[3] += f64::from(stopped[game]);
            sums[4] += f64::from(moves[game]);
        }
    }
    sums
}

#[test]
fn random_games_keep_the_rules_and_do_not_depend_on_threads() {
    let sums = walk(&mut batch(300, 5), 300, 100);
    assert!(sums[1] > 3000.0 && sums[0] > 0.0, "{sums:?}");
    let settings = Settings {
        games: 300,
        seed: 5,
        threads: 3,
        ..Settings::default()
    };
    let mut other = games().batch(&settings).expect("it is possible");
    assert_eq!(walk(&mut other, 300, 100), sums);
}

#[test]
fn one_wrong_move_leaves_all_games_as_they_were() {
    let mut batch = batch(3, 0);
    batch
        .step(&[0, 1, 2], Kinds::default(), &mut View::default())
        .expect("they are legal");
    let before = batch.text(0).unwrap();
    for (moves, says) in [
        (vec![1, 1, 1], "game 1: move 1 is not legal"),
        (vec![1, 2, 9], "game 2: there is no move 9"),
        (vec![1, -1, -2], "game 2: there is no move -2"),
        (vec![1, 2], "2 moves for 3 games"),
    ] {
        let error = batch
            .step(&moves, Kinds::default(), &mut View::default())
            .expect_err(says);
        assert!(error.text.contains(says), "{error}");
        assert_eq!(batch.text(0).unwrap(), before);
    }
    let mut small = [0u8; 5];
    let mut view = View {
        over: &mut small,
        ..View::default()
    };
    let error = batch.step(&[1, 2, 3], Kinds::default(), &mut view);
    assert_eq!(error.expect_err("too much room").code, Refused::USE);
    assert!(batch.text(7).is_err() && batch.reset(&[3], None).is_err());
}

#[test]
fn one_state_is_a_batch_of_one() {
    let settings = Settings {
        reset: false,
        ..Settings::default()
    };
    let mut state = games().batch(&settings).expect("it is possible");
    let step = |state: &mut Batch, mv| state.step(&[mv], Kinds::default(), &mut View::default());
    for mv in [0, 3, 1, 4] {
        let text = state.move_text(0, mv as u32).unwrap();
        assert_eq!(state.move_of(0, &text), Ok(mv));
        step(&mut state, mv).expect("it is legal");
    }
    assert_eq!(state.legal(0).unwrap(), [2, 5, 6, 7, 8]);
    let mut copy = state.copy().expect("it can be copied");
    step(&mut copy, 2).expect("it wins");
    let status: Value = serde_json::from_str(&copy.status(0).unwrap()).expect("JSON");
    assert_eq!(status["payoffs"], json!([1.0, 0.0]));
    assert_eq!(
        step(&mut copy, 5).expect_err("it is over").code,
        Refused::OVER
    );
    assert_eq!(state.legal(0).unwrap().len(), 5);
    let mut mean = [0.0; 2];
    state.playouts(0, 200, 100, &mut mean).unwrap();
    assert!(
        mean[0] > 0.5 && (mean[0] + mean[1] - 1.0).abs() < 1e-9,
        "{mean:?}"
    );
    let (mut one, mut two) = ([0], [0]);
    state.keys(&mut one).unwrap();
    copy.reset(&[], Some(1)).unwrap();
    for mv in [0, 3, 1, 4] {
        step(&mut copy, mv).expect("it is legal");
    }
    copy.keys(&mut two).unwrap();
    assert_eq!(one, two);
}

/// Plays games with a judge, and gives the lines.
fn selfplay(settings: &Value, judge: &dyn Fn(&[f32]) -> f32) -> Vec<Value> {
    let slots = settings["slots"].as_u64().unwrap_or(512) as usize;
    let mut play = games().selfplay(settings).expect("it is possible");
    let (mut cells, mut mask) = (vec![0f32; slots * 18], vec![0u8; slots * 9]);
    let mut lines = String::new();
    loop {
        let rows = play
            .gather(
                Numbers::F32,
                bytemuck::cast_slice_mut(&mut cells),
                &mut mask,
            )
            .expect("there is room");
        lines += &play.take().expect("there are lines");
        if rows == 0 {
            break;
        }
        let values: Vec<f32> = cells.chunks(18).take(rows).map(judge).collect();
        play.scatter(&vec![0.0; rows * 9], &values)
            .expect("it fits");
    }
    let lines = lines.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("they are JSON")
}

#[test]
fn games_follow_from_their_number_alone() {
    for root in ["puct", "gumbel"] {
        let run = |slots: u64, first: u64, games: u64, threads: u64| {
            let settings = json!({
                "games": games, "first": first, "slots": slots, "simulations": 20, "seed": 3, "root": root,
                "threads": threads,
            });
            selfplay(&settings, &|_| 0.5)
        };
        let all = run(64, 0, 100, 1);
        let indexes: Vec<u64> = all.iter().filter_map(|g| g["index"].as_u64()).collect();
        assert_eq!(indexes, Vec::from_iter(0..100));
        assert_eq!(run(7, 0, 100, 1), all);
        assert_eq!(run(64, 0, 100, 3), all);
        assert_eq!(run(64, 60, 40, 1), all[60..]);
        for game in &all {
            let samples = game["samples"].as_array().expect("a list");
            assert_eq!(samples.len() as u64, game["plies"].as_u64().unwrap());
            for sample in samples {
                let played = &sample["played"];
                let moves = sample["moves"].as_array().expect("a list");
                let weights = sample["weights"].as_array().expect("a list");
                assert!(moves.contains(played) && moves.len() == weights.len());
                // Numbers of cells with their values; there are 18 cells.
                let cells = sample["cells"].as_array().expect("a list");
                let numbers = cells.iter().step_by(2);
                assert!(cells.len() % 2 == 0 && numbers.is_sorted_by_key(|at| at.as_u64()));
                assert!(cells.last().is_none_or(|value| *value != 0));
            }
        }
        let settings = json!({
            "games": 100, "slots": 64, "simulations": 20, "seed": 3, "root": root, "samples": false,
        });
        let bare = selfplay(&settings, &|_| 0.5);
        for (game, bare) in all.iter().zip(&bare) {
            assert_eq!(bare["samples"], json!([]));
            for part in ["moves", "payoffs", "decisions"] {
                assert_eq!(bare[part], game[part]);
            }
        }
    }
}

#[test]
fn search_finds_what_wins() {
    // With enough visits nobody loses tic-tac-toe, whatever the network says.
    for root in ["puct", "gumbel"] {
        let settings = json!({
            "games": 8, "slots": 8, "simulations": 2000, "root": root, "noise": 0.0,
            "temperature": [[0, 0.0]], "scale": 1.0,
        });
        let lines = selfplay(&settings, &|_| 0.5);
        for game in &lines {
            assert_eq!(game["winners"], json!([]), "{root}: {}", game["moves"]);
        }
    }
}

#[test]
fn the_hotter_the_more_even_are_moves() {
    for root in ["puct", "gumbel"] {
        let best = |heat: f64| {
            let settings = json!({
                "games": 300, "slots": 64, "simulations": 16, "root": root, "noise": 0.0, "scale": 0.1,
                "temperature": [[0, heat]],
            });
            // Who has the middle has won: crosses are the first nine cells, noughts the others.
            let lines = selfplay(&settings, &|cells| {
                let (crosses, noughts) = cells.split_at(9);
                let has = |own: &[f32]| own[4] > 0.0;
                let crosses_move = crosses.iter().sum::<f32>() == noughts.iter().sum::<f32>();
                match (has(crosses), has(noughts)) {
                    (false, false) => 0.5,
                    (true, _) => f32::from(crosses_move),
                    (_, true) => f32::from(!crosses_move),
                }
            });
            let first = lines.iter().map(|game| &game["samples"][0]["played"]);
            first.filter(|played| **played == json!(4)).count()
        };
        let counts = [0.0, 1.0, 4.0].map(best);
        assert_eq!(counts[0], 300, "{root}");
        assert!(
            counts[1] < 300 && counts[2] + 50 < counts[1],
            "{root}: {counts:?}"
        );
    }
}

#[test]
fn wrong_judgements_are_refused() {
    let mut play = games()
        .selfplay(&json!({ "games": 2, "slots": 2 }))
        .expect("it is possible");
    assert!(play.scatter(&[], &[]).is_err());
    let mut cells = vec![0f32; 36];
    let cells = bytemuck::cast_slice_mut(&mut cells);
    assert_eq!(play.gather(Numbers::F32, cells, &mut []), Ok(2));
    let error = |r: Result<(), Refused>| r.expect_err("it is wrong").text;
    assert!(error(play.scatter(&[0.0; 9], &[0.5; 2])).contains("9 logits"));
    assert!(error(play.scatter(&[0.0; 18], &[0.5; 3])).contains("3 values"));
    assert!(error(play.scatter(&[0.0; 18], &[f32::NAN; 2])).contains("no number"));
    assert!(error(play.scatter(&[f32::NAN; 18], &[0.5; 2])).contains("no number"));
    assert_eq!(play.scatter(&[0.0; 18], &[0.5; 4]), Ok(()));
    for wrong in [
        json!({ "simulations": 0 }),
        json!({ "root": "best" }),
        json!({ "noise": 2 }),
        json!({ "temperature": "hot" }),
    ] {
        assert!(games().selfplay(&wrong).is_err(), "{wrong}");
    }
}
