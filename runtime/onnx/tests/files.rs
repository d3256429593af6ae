//! Networks as PyTorch exports them (`networks/make.py`): judged as PyTorch does, and named as players of the command.

#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod game;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rulec_core::{Game, Rng, StateText};
use rulec_onnx::{OnnxError, OnnxEvaluator};
use rulec_search::puct::{Evaluator, Leaf};

/// What ONNX Runtime says of the position with a cross in the middle.
const LOGITS: [f32; 9] = [
    -0.27453834,
    0.07208265,
    -0.01937382,
    0.21489006,
    0.10450697,
    0.2684879,
    -0.19994959,
    0.5071138,
    -0.32819107,
];
const VALUE: f64 = 0.48659536;

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn networks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/networks")
}

fn checkout(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file)
}

#[test]
fn files_of_both_exporters_judge_as_they_did_in_pytorch() {
    for name in ["old.onnx", "new.onnx", "apart.onnx"] {
        for batch in [1, 5] {
            let info = game::TicTacToe.info();
            let network = OnnxEvaluator::open(&networks().join(name), info, batch);
            let network = network.unwrap_or_else(|error| panic!("{name}: {error}"));
            let state = game::TicTacToe
                .parse_state(".../.x./...")
                .expect("a position");
            let moves = vec![0, 1, 2, 3, 5, 6, 7, 8];
            let mut leaf = [Leaf {
                state: rulec_search::hide(&game::TicTacToe, state),
                policy: vec![1.0; moves.len()],
                payoffs: vec![0.5; 2],
                moves,
            }];
            network.evaluate(&mut leaf, &mut Rng::new(1, 1));
            let [leaf] = &leaf;
            for (&code, &weight) in leaf.moves.iter().zip(&leaf.policy) {
                let expected = (LOGITS[code as usize] - LOGITS[7]).exp();
                assert!(
                    (weight - expected).abs() < 1e-4,
                    "{name}: {code} {weight} {expected}"
                );
            }
            assert!(
                (leaf.payoffs[1] - VALUE).abs() < 1e-4,
                "{name}: {:?}",
                leaf.payoffs
            );
        }
    }
}

#[test]
fn weights_that_were_left_behind_are_asked_for() {
    let alone = folder("alone").join("apart.onnx");
    fs::copy(networks().join("apart.onnx"), &alone).expect("copied");
    match OnnxEvaluator::open(&alone, game::TicTacToe.info(), 1) {
        Err(OnnxError::Apart(file)) => assert_eq!(file, "apart.onnx.data"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a network without weights"),
    }
}

/// Broken anywhere, a file is a network all the same or is refused.
#[test]
fn broken_files_stop_nothing() {
    let bytes = fs::read(networks().join("old.onnx")).expect("a file");
    for at in (0..bytes.len()).step_by(23) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x15;
        let _ = OnnxEvaluator::read(&broken, game::TicTacToe.info(), 1);
        let _ = OnnxEvaluator::read(&bytes[..at], game::TicTacToe.info(), 1);
    }
}

fn rulec(arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_rulec-onnx"))
        .args(arguments)
        .output();
    command.expect("the command starts")
}

#[test]
fn commands_play_with_a_network() {
    let folder = folder("commands");
    let rules = checkout("games/s3/tic_tac_toe.s3").display().to_string();
    let network = networks().join("tic_tac_toe_s3.onnx").display().to_string();
    let (bot, samples) = (format!("puct:30:net={network}"), folder.join("samples.rls"));
    let records = folder.join("games.jsonl").display().to_string();
    let plays: [&[&str]; 4] = [
        &["search", &rules, "--bot", &bot, "--json"],
        &["match", &rules, &bot, "random", "--games", "4", "--json"],
        &[
            "selfplay",
            &rules,
            "--bot",
            &bot,
            "--games",
            "3",
            "--out",
            &records,
            "--samples",
            samples.to_str().expect("a name"),
        ],
        &["play", &rules, "--as", "none", "--bot", &bot, "--seed", "1"],
    ];
    for arguments in plays {
        let told = rulec(arguments);
        let errors = String::from_utf8_lossy(&told.stderr);
        assert!(told.status.success(), "{arguments:?}: {errors}");
    }
    assert!(samples.exists());
}

/// Positions of many games are judged together, on one thread or two, in this program or for a compiled game in another one.
#[test]
fn games_do_not_depend_on_what_is_judged_together() {
    let rules = checkout("games/s3/tic_tac_toe.s3").display().to_string();
    let network = networks().join("tic_tac_toe_s3.onnx").display().to_string();
    let ways: [(&str, &[&str]); 3] = [
        ("one", &["--threads", "1"]),
        ("two", &["--threads", "2"]),
        ("native", &["--threads", "2", "--engine", "native"]),
    ];
    let played = ways.map(|(name, way)| {
        let out = folder(name);
        let bots = [
            format!("puct:20:net={network}"),
            format!("puct:9:batch=1:net={network}"),
        ];
        let out_text = out.display().to_string();
        let mut arguments = vec!["selfplay", &rules, "--bot", &bots[0], "--bot", &bots[1]];
        arguments.extend(["--games", "70", "--temperature", "1", "--out", &out_text]);
        arguments.extend(way);
        let told = rulec(&arguments);
        let errors = String::from_utf8_lossy(&told.stderr);
        assert!(told.status.success(), "{name}: {errors}");
        ["games-000000.jsonl", "samples-000000.rls"]
            .map(|file| std::fs::read(out.join(file)).expect("a file of self-play"))
    });
    assert!(played[0].iter().all(|file| file.len() > 1000));
    assert!(played.iter().all(|files| *files == played[0]));
}

#[test]
fn games_of_another_network_are_not_gone_on_with() {
    let rules = checkout("games/s3/tic_tac_toe.s3").display().to_string();
    let place = folder("changed");
    let (network, out) = (place.join("net.onnx"), place.join("games"));
    let made = networks().join("tic_tac_toe_s3.onnx");
    std::fs::copy(&made, &network).expect("a copy");
    let bot = format!("puct:5:net={}", network.display());
    let out = out.display().to_string();
    let line = [
        "selfplay", &rules, "--bot", &bot, "--games", "8", "--out", &out,
    ];
    let go_on = [&line[..], &["--resume"]].concat();
    assert!(rulec(&line).status.success());
    assert!(rulec(&go_on).status.success());
    let mut bytes = std::fs::read(&made).expect("a network");
    // An empty field that readers pass over makes it another file.
    bytes.extend([0x52, 0]);
    std::fs::write(&network, bytes).expect("a file");
    let told = rulec(&go_on);
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(errors.contains("holds other games"), "{errors}");
}

#[test]
fn commands_say_what_is_wrong_with_a_network() {
    let rules = checkout("games/s3/nim.s3").display().to_string();
    let network = networks().join("old.onnx").display().to_string();
    let told = rulec(&["search", &rules, "--bot", &format!("puct:30:net={network}")]);
    let errors = String::from_utf8_lossy(&told.stderr);
    assert_eq!(told.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains(
            "old.onnx: the network's input has the shape [n,18], but the game needs [n, "
        ),
        "{errors}"
    );
}
