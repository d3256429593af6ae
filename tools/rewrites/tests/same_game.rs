//! Rewritten rules play the game of the rules they come from: the same moves wherever random games lead, and the same ends.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rulec_compiler::ir::Game;
use rulec_compiler::lang::{Options, of_file};
use rulec_compiler::source::SourceMap;
use rulec_interp::{Interp, Move, State, Turn};
use rulec_rewrites::{Random, Rewrite, rewrites, spellings, whole_spellings};

/// Chains of rewrites that are tried on each file, beside each rewrite by itself.
const CHAINS: u64 = 4;
/// Rewrites of a chain.
const LINKS: usize = 6;
/// Random games of each rewrite.
const GAMES: u64 = 2;
/// Moves of a game at most.
const MOVES: usize = 40;
/// Legal moves after which a game is not continued, counted over its positions.
const EFFORT: usize = 2_000;

fn games(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(language);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let ending = if language == "bgc" { "json" } else { language };
    let mut games: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect();
    games.sort();
    assert!(games.len() > 4, "{}", folder.display());
    games
}

fn compiled(name: &str, text: &str) -> Result<Game, String> {
    let mut sources = SourceMap::new();
    let file = sources
        .add(name, text.as_bytes())
        .map_err(|error| error.to_string())?;
    let language = of_file(name).ok_or("no language")?;
    let mut diagnostics = Default::default();
    let front = (language.compile)(&sources, file, &Options::default(), &mut diagnostics);
    Ok(front.ok_or_else(|| format!("{diagnostics:?}"))?.game)
}

/// The legal moves by their texts, in the order of these.
fn moves(game: &Interp, state: &State) -> Result<Vec<(String, Move)>, String> {
    let legal = match game.turn(state) {
        Turn::Chance => game
            .chance_outcomes(state)
            .into_iter()
            .map(|(mv, _)| mv)
            .collect(),
        _ => game
            .legal_moves(state)
            .map_err(|fault| format!("{fault:?}"))?
            .to_vec(),
    };
    let text = |mv: Move| game.move_text_in(state, mv).replace("the ", "");
    let mut moves: Vec<(String, Move)> = legal.into_iter().map(|mv| (text(mv), mv)).collect();
    moves.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(moves)
}

/// Plays the same random games of both, where `called` tells what the other calls a move of the first.
fn compare(before: &Interp, after: &Interp, called: &dyn Fn(&str) -> String) -> Result<(), String> {
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let (mut one, mut other) = (before.initial(), after.initial());
        let mut effort = 0;
        for ply in 0..MOVES {
            let (mut legal, own) = (moves(before, &one)?, moves(after, &other)?);
            legal.iter_mut().for_each(|(text, _)| *text = called(text));
            legal.sort_by(|(a, _), (b, _)| a.cmp(b));
            let texts = |moves: &[(String, Move)]| {
                moves
                    .iter()
                    .map(|(text, _)| text.clone())
                    .collect::<Vec<_>>()
            };
            if texts(&legal) != texts(&own) {
                return Err(format!(
                    "after {ply} moves: {:?}, but {:?}",
                    texts(&legal),
                    texts(&own)
                ));
            }
            let ends =
                |game: &Interp, state: &State| game.outcome(state).map(|outcome| outcome.winners);
            let (end, own_end) = (ends(before, &one), ends(after, &other));
            if end != own_end {
                return Err(format!(
                    "after {ply} moves: ends with {end:?}, but {own_end:?}"
                ));
            }
            effort += legal.len();
            if legal.is_empty() || effort > EFFORT {
                break;
            }
            let at = random.below(legal.len());
            before.play(&mut one, legal[at].1);
            after.play(&mut other, own[at].1);
        }
    }
    Ok(())
}

/// Some rewrites, one after the other.
fn chain(ending: &str, seed: u64) -> Vec<&'static Rewrite> {
    let mut random = Random::new(seed);
    (0..LINKS).map(|_| random.pick(rewrites(ending))).collect()
}

fn all(language: &str) {
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for path in games(language) {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let before =
            Interp::new(compiled(&name, &text).expect("our games have no errors")).expect("sound");
        let ending = name.rsplit('.').next().unwrap_or_default();
        let each = rewrites(ending).iter().map(|rewrite| vec![rewrite]);
        let neighbours = rewrites(ending)
            .windows(2)
            .map(|pair| pair.iter().collect());
        let random = (0..CHAINS).map(|seed| chain(ending, seed));
        for chain in each.chain(neighbours).chain(random) {
            let mut written = text.clone();
            for rewrite in &chain {
                if let Some(other) = rewrite.apply(&written, 1) {
                    used.insert(rewrite.name);
                    written = other;
                }
            }
            if written == text {
                continue;
            }
            let game = compiled(&name, &written)
                .and_then(|game| Interp::new(game).map_err(|errors| format!("{errors:?}")));
            if let Err(what) = game.and_then(|after| compare(&before, &after, &str::to_owned)) {
                let names: Vec<&str> = chain.iter().map(|rewrite| rewrite.name).collect();
                wrong.push(format!("{name}, {}: {what}\n", names.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let ending = if language == "bgc" { "json" } else { language };
    for rewrite in rewrites(ending) {
        assert!(
            used.contains(rewrite.name),
            "no game has a place for: {}",
            rewrite.about
        );
    }
}

#[test]
fn rewritten_s3_rules_play_the_same_game() {
    all("s3");
}

#[test]
fn rewritten_bgc_rules_play_the_same_game() {
    all("bgc");
}

#[test]
fn rules_spelled_by_hand_play_the_same_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3");
    let game = |name: &str, text: &str| {
        Interp::new(compiled(name, text).expect("no errors")).expect("sound")
    };
    let mut wrong = Vec::new();
    for spelling in spellings().expect("they can be read") {
        let text = std::fs::read_to_string(folder.join(&spelling.game)).expect("it can be read");
        let (before, after) = (
            game(&spelling.game, &text),
            game(&spelling.game, &spelling.text),
        );
        let called = |text: &str| spelling.renamed(text);
        if let Err(what) = compare(&before, &after, &called) {
            wrong.push(format!("{}, {}: {what}", spelling.game, spelling.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many lines of play there are of each length up to one.
fn lines(game: &Interp, state: &State, plies: usize) -> Vec<usize> {
    let mut all = vec![0; plies];
    let Some(deeper) = plies.checked_sub(1) else {
        return all;
    };
    for (_, mv) in moves(game, state).expect("no faults") {
        let mut next = state.clone();
        game.play(&mut next, mv);
        all[0] += 1;
        for (one, more) in all[1..].iter_mut().zip(lines(game, &next, deeper)) {
            *one += more;
        }
    }
    all
}

/// Moves that name other things are other texts, so lines of play are counted; and no more objects are told apart, but for one
/// that a spelling may add.
#[test]
fn bgm_rules_spelled_by_hand_play_the_same_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/bgm");
    let mut wrong = Vec::new();
    for spelling in whole_spellings().expect("they can be read") {
        let text = std::fs::read_to_string(folder.join(&spelling.game)).expect("it can be read");
        let [before, after] = [&text, &spelling.text]
            .map(|text| compiled(&spelling.game, text).expect("rules without errors"));
        let objects = |game: &Game| {
            game.domains
                .iter()
                .map(|domain| domain.len())
                .sum::<usize>()
        };
        if objects(&after) > objects(&before) + 1 {
            wrong.push(format!(
                "{}, {}: more objects",
                spelling.game, spelling.name
            ));
        }
        let [before, after] = [before, after].map(|game| Interp::new(game).expect("sound"));
        let [before, after] = [before, after].map(|game| lines(&game, &game.initial(), 3));
        if before != after {
            let name = &spelling.name;
            wrong.push(format!(
                "{}, {name}: {before:?}, but {after:?}",
                spelling.game
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
