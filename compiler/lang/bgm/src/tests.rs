//! Tests of the bgm front end: text in, text out.

use std::path::{Path, PathBuf};

use super::*;
use crate::diag::{CodeInfo, Severity, Style, general, render_all};
use rulec_compiler::pipeline;
use rulec_interp::Interp;

fn compile_text(name: &str, bytes: &[u8]) -> (Option<Front>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("small file");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let front = compile(&sources, id, &options, &mut diagnostics);
    (front, diagnostics, sources)
}

fn bgm_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "bgm"));
    files.sort();
    files
}

/// Damaged files with their diagnostics beside them; `UPDATE_EXPECT=1` writes what is found.
fn damaged_files() -> Vec<PathBuf> {
    let files = bgm_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fail"));
    assert!(files.len() >= 40, "only {} damaged files", files.len());
    files
}

fn compile_file(path: &Path) -> (Option<Front>, Diagnostics, SourceMap) {
    let name = path.file_name().expect("a file").to_string_lossy();
    compile_text(&name, &std::fs::read(path).expect("readable"))
}

#[test]
fn damaged_files_give_the_expected_diagnostics() {
    for path in damaged_files() {
        let (front, diagnostics, sources) = compile_file(&path);
        assert!(!diagnostics.is_empty(), "{} is not damaged", path.display());
        let refused = front.is_none();
        assert_eq!(refused, diagnostics.has_errors(), "{}", path.display());
        let text = render_all(&sources, &diagnostics, Style::Plain);
        expect_test::expect_file![path.with_extension("stderr")].assert_eq(&text);
    }
}

#[test]
fn every_code_is_provoked_and_explained() {
    let mut seen = rulec_ir::sorted::SortedSet::new();
    for path in damaged_files() {
        let (_, diagnostics, _) = compile_file(&path);
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code.code));
    }
    let table: Vec<&CodeInfo> = codes::CODES.iter().chain(general::CODES).copied().collect();
    for info in &table {
        assert!(
            seen.contains(info.code),
            "no file in fail/ provokes {}",
            info.code
        );
        let letter = match info.severity {
            Severity::Error => "-E0",
            Severity::Warning => "-W0",
        };
        assert!(info.code.contains(letter), "{}", info.code);
        let long = info.explanation.len() > 40 && info.explanation.ends_with('.');
        assert!(long, "{}", info.code);
    }
}

/// Compiles with all passes; what goes wrong inside of the compiler panics.
fn survives(text: &[u8]) -> bool {
    let mut sources = SourceMap::new();
    sources.add("game.bgm", text).expect("small file");
    let options = pipeline::Options {
        passes: pipeline::Passes::none(),
        ..pipeline::Options::default()
    };
    match pipeline::compile(&sources, &options) {
        Ok((output, diagnostics)) => {
            assert_eq!(output.is_none(), diagnostics.has_errors());
            output.is_some()
        }
        Err(error) => panic!("{error}\n{}", String::from_utf8_lossy(text)),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Changes words and lines of a file at random.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    for _ in 0..=random.below(3) {
        let line = random.below(lines.len());
        let length = lines[line].len();
        match random.below(6) {
            0 => {
                lines.remove(line);
            }
            1 => {
                let other = random.below(lines.len());
                lines.swap(line, other);
            }
            2 => {
                let again = lines[line].clone();
                lines.insert(line, again);
            }
            3 if length > 0 => {
                lines[line].remove(random.below(length));
            }
            4 => lines[line].insert(random.below(length + 1), words[random.below(words.len())]),
            _ if length > 0 => lines[line][random.below(length)] = words[random.below(words.len())],
            _ => {}
        }
        if lines.is_empty() {
            break;
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    lines.join("\n")
}

#[test]
fn mutated_files_never_panic() {
    let own = bgm_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../games/bgm"));
    let mut sound = 0;
    for (seed, path) in own.iter().chain(&damaged_files()).enumerate() {
        let bytes = std::fs::read(path).expect("readable");
        let text = String::from_utf8_lossy(&bytes);
        let mut random = Random(seed as u64);
        for _ in 0..25 {
            sound += usize::from(survives(mutated(&text, &mut random).as_bytes()));
        }
        let cut = random.below(bytes.len());
        survives(&bytes[..cut]);
    }
    assert!(sound > 100, "only {sound} mutated files are sound");
}

fn sound(text: &str) -> Interp {
    let (front, diagnostics, sources) = compile_text("game.bgm", text.as_bytes());
    let shown = render_all(&sources, &diagnostics, Style::Plain);
    let front = front.unwrap_or_else(|| panic!("{shown}"));
    Interp::new(front.game).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn texts(game: &Interp, state: &rulec_interp::State) -> Vec<String> {
    let moves = game.legal_moves(state).expect("no fault");
    moves
        .iter()
        .map(|&mv| game.move_text_in(state, mv))
        .collect()
}

#[test]
fn moves_that_cannot_be_finished_are_not_offered() {
    let game = sound(
        "Players 1\nBox outer\nBox inner\nin outer\nBall ball\nin inner\n\
         Action Up Ball b\neffect put b b.in.in\neffect put b b.in.in\n\
         Action Out Ball b\neffect put b b.in.in\n",
    );
    assert_eq!(texts(&game, &game.initial()), ["p1 Out ball"]);
}

#[test]
fn a_full_pool_is_a_fault_that_names_the_type() {
    let game =
        sound("Type Heap\nType Stone max 2\nPlayers 1\nHeap h\nAction Add\neffect put Stone h\n");
    let mut state = game.initial();
    for left in [true, true, false] {
        let moves = game.legal_moves(&state).expect("no fault").to_vec();
        assert!(game.play(&mut state, moves[0]));
        match (left, game.outcome(&state)) {
            (true, None) => {}
            (false, Some(outcome)) => {
                let text = format!("{outcome:?}");
                assert!(text.contains("another `Stone`: at most 2"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_draw_of_equal_objects_has_exact_weights() {
    // Of three red and two blue beads two are dealt to the only player.
    let game = sound(
        "Players 1\nBag bag\ncontains Red 3\ncontains Blue 2\nAction Deal\n\
         require contains bag Red 3\neffect distribute bag all Red 2\n\
         Action Show Red r\nrequire owns r\neffect disown r\n",
    );
    let mut state = game.initial();
    let moves = game.legal_moves(&state).expect("no fault").to_vec();
    assert!(game.play(&mut state, moves[0]));
    // All three are the same: there is nothing to draw, and one of the two in hand stands for both.
    assert_eq!(texts(&game, &state).len(), 1);
}

/// What is told after some moves of a game: how it ended, or the moves that are possible.
fn after(text: &str, moves: &[&str]) -> String {
    let game = sound(text);
    let mut state = game.initial();
    for text in moves {
        let legal = texts(&game, &state).join(", ");
        let found = match game.parse_move_in(&state, text)[..] {
            [found] => found,
            _ => *game
                .host_moves(&state)
                .iter()
                .find(|&&mv| game.move_text(mv) == *text)
                .unwrap_or_else(|| panic!("`{text}` is none of {legal}")),
        };
        assert!(game.play(&mut state, found), "`{text}` is none of {legal}");
    }
    match game.outcome(&state) {
        Some(outcome) => format!("{:?} {:?}", outcome.reason, outcome.winners),
        None => texts(&game, &state).join(", "),
    }
}

/// Checks what games tell: their rules, the moves that are played, what is told then.
fn told(cases: &[(&str, &[&str], &str)]) {
    for (rules, moves, expected) in cases {
        assert_eq!(after(rules, moves), *expected, "{moves:?}\n{rules}");
    }
}

#[test]
fn extensions_mean_what_the_reference_says() {
    let stuck = |how: &str| {
        format!(
            "Players a b c\nStuck {how}\nBox x\nBall y\nin x\nAction Go Ball k\nrequire in k x\n\
             effect remove k\neffect players player.left\n"
        )
    };
    let (lose, win) = (stuck("lose"), stuck("win"));
    told(&[
        // E1, E2: comments, declared types with a bound.
        (
            "# rules\nType Heap # one\nType Stone max 1\nPlayers 1\nHeap h\nAction Add # a stone\n\
             require not contains h Stone\neffect put Stone h\n",
            &[],
            "p1 Add",
        ),
        // E3: players by number or by name, and who is active.
        (
            "Players 3\nactive p2 p3\nBox x\nAction Wait\n",
            &[],
            "p2 Wait, p3 Wait",
        ),
        (
            "Players a b\nactive all\nBox x\nAction Wait\n",
            &[],
            "a Wait, b Wait",
        ),
        // E4: who cannot act draws, loses or wins.
        (&stuck("draw"), &["a Go y"], "Stuck []"),
        (&lose, &["a Go y"], "Win [0, 2]"),
        (&win, &["a Go y"], "Win [1]"),
        // E5: an action takes so many seconds, but not the one that sets the timer.
        (
            "Players 1\nClock 2\nBox x\nAction Set\nrequire not timer\neffect settimer 3\nAction Use\n\
             require timer\n",
            &["p1 Set", "p1 Use"],
            "p1 Use",
        ),
        (
            "Players 1\nClock 2\nBox x\nAction Set\nrequire not timer\neffect settimer 3\nAction Use\n\
             require timer\n",
            &["p1 Set", "p1 Use", "p1 Use"],
            "p1 Set",
        ),
        // E6, E7: many equal objects, and owners at the start.
        (
            "Players a b\nBox x\ncontains Ball 3\nBall mine\nowner a\nAction Take Ball k\nrequire owns k\n\
             effect put k x\nAction Get Ball k\nrequire in k x\nrequire not owns k\neffect own k\n",
            &[],
            "a Take mine, a Get Ball@x",
        ),
        // E8: a draw by the rules.
        (
            "Players 2\nBox x\nAction Put\neffect put Ball x\nDrawCondition Full\nrequire contains x Ball 2\n",
            &["p1 Put", "p1 Put"],
            "Draw []",
        ),
        // E9, E10: one object to one player, by name.
        (
            "Players a b\nactive all\nBall k\nAction Give Ball k\nrequire not owns k\neffect own k b\n\
             WinCondition Has\nrequire owns Ball\n",
            &["a Give k"],
            "Win [1]",
        ),
        // E11: exactly so many.
        (
            "Players a b\nBall\nowner a\nBall\nowner a\nAction Two\nrequire owns Ball 2\nAction One\n\
             require owns Ball 1\n",
            &[],
            "a Two",
        ),
    ]);
}

#[test]
fn snippets_of_the_seed_are_read_unchanged() {
    // Indentation is not significant, types are inferred, objects are opened again.
    told(&[
        (
            "Players 1\nFarm C\n  contains A\nFarm D\n  contains B\nCow A\nCow B\nAction Park Cow c Farm r\n\
             require in c r\neffect remove c\n",
            &[],
            "p1 Park A C, p1 Park B D",
        ),
        (
            "Players 1\nStore store\nList shoppingList\ncontains Apple 2\ncontains Bread\nHouse h\ncontains Apple\n\
             contains Bread\nAction Fetch Apple a\nrequire in a h\neffect put a store\nAction Get Bread b\n\
             require in b h\neffect put b store\nWinCondition All\n\
             require contains store shoppingList.contains.type\n",
            &["p1 Fetch Apple@h", "p1 Get Bread@h"],
            "Win [0]",
        ),
        (
            "Players 1\nCrate c\ncontains Egg 3\nAction EmptyContainer Crate c\nrequire contains c Egg\n\
             effect remove c.contains\nAction Left Egg e\nrequire not in e c\n",
            &["p1 EmptyContainer c"],
            "p1 Left Egg",
        ),
    ]);
}

#[test]
fn a_host_with_a_clock_lets_seconds_pass() {
    let rules = "Players a b\nClock 0\nBomb x\nAction Arm\nrequire not timer\neffect settimer 2\neffect own x\n\
         Action Throw\nrequire timer\nrequire owns x\neffect own x player.left\neffect players player.left\n\
         LoseCondition Bang\nrequire not timer\nrequire owns x\n";
    let second = "a second passes";
    told(&[
        (rules, &["a Arm", "a Throw", "b Throw"], "a Throw"),
        (rules, &["a Arm", second, "a Throw"], "b Throw"),
        (rules, &["a Arm", second, "a Throw", second], "Win [0]"),
        (rules, &["a Arm", second, second], "Win [1]"),
    ]);
}

#[test]
fn unnamed_objects_are_written_by_type_container_and_kind() {
    let rules = "Players a b\nactive all\nShelf s\ncontains Box 2\nShelf t\ncontains Box\nBall\nowner a\nBall\n\
         owner b\nAction Fill Ball k Box x\nrequire not in k Box\neffect put k x\nAction Look Ball k\n\
         require in k Box\neffect remove k\n";
    told(&[
        (
            rules,
            &[],
            "a Fill Ball#1 Box@s, a Fill Ball#1 Box@t, a Fill Ball#2 Box@s, a Fill Ball#2 Box@t, \
             b Fill Ball#1 Box@s, b Fill Ball#1 Box@t, b Fill Ball#2 Box@s, b Fill Ball#2 Box@t",
        ),
        // The other ball goes beside the first one, into the other box on the shelf, or to the other shelf.
        (
            rules,
            &["a Fill Ball#1 Box@s"],
            "a Fill Ball Box@s#1, a Fill Ball Box@s#2, a Fill Ball Box@t, b Fill Ball Box@s#1, \
             b Fill Ball Box@s#2, b Fill Ball Box@t, a Look Ball@Box, b Look Ball@Box",
        ),
        (
            rules,
            &["a Fill Ball#1 Box@s", "b Fill Ball Box@s#2"],
            "a Look Ball@Box#1, a Look Ball@Box#2, b Look Ball@Box#1, b Look Ball@Box#2",
        ),
    ]);
}

#[test]
fn bounds_follow_from_what_rules_require() {
    let guessed = |require: &str| {
        let text = format!(
            "Players 1\nHeap h\nHeap g\ncontains Stone 2\nAction Add Heap x\n{require}effect put Stone x 2\n"
        );
        let (front, diagnostics, _) = compile_text("game.bgm", text.as_bytes());
        assert!(front.is_some(), "{require}");
        diagnostics
            .iter()
            .any(|d| d.code.code == codes::DEFAULT_POOL.code)
    };
    for bounded in [
        "require not contains x Stone\n",
        "require contains x Stone < 3\n",
        "require contains x Stone 2\n",
        "require not contains x Stone > 4\n",
    ] {
        assert!(!guessed(bounded), "{bounded}");
    }
    for unbounded in [
        "",
        "require contains x Stone\n",
        "require not contains x Stone < 2\n",
    ] {
        assert!(guessed(unbounded), "{unbounded}");
    }
    // Two heaps of at most four stones, as the rule admits with two more than two each.
    let rules = "Players 1\nHeap h\nHeap g\nAction Add Heap x\nrequire contains x Stone < 3\n\
         effect put Stone x 2\n";
    let all = ["p1 Add h", "p1 Add h", "p1 Add g", "p1 Add g"];
    told(&[(rules, &all, "Stuck []")]);
}

#[test]
fn actions_of_one_name_are_written_with_numbers() {
    told(&[(
        "Players 1\nBox x\nBall k\nAction Go\neffect remove k\nAction Go Ball b\neffect put b x\n",
        &["p1 Go#2 k"],
        "p1 Go, p1 Go#2 k",
    )]);
}

/// The text of all games and features.
fn good_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["tests/bgm_features", "../games/bgm"];
    let files = folders
        .iter()
        .flat_map(|folder| bgm_files(&root.join(folder)));
    let read = |path: PathBuf| std::fs::read_to_string(path).expect("the rules can be read");
    files.map(read).collect()
}

#[test]
fn files_with_a_line_too_few_never_break_the_compiler() {
    let mut sound = 0;
    for text in good_texts() {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        for gone in 0..lines.len() {
            let rest = lines.iter().enumerate().filter(|(at, _)| *at != gone);
            let rest: Vec<&str> = rest.map(|(_, line)| *line).collect();
            sound += usize::from(survives(rest.join("\n").as_bytes()));
        }
        // Without objects, and without rules.
        for kinds in [
            ["Type", "Players"].as_slice(),
            &["Type", "Players", "Action", "WinCondition"],
        ] {
            let kept = lines.iter().filter(|line| {
                let first = line.split(' ').next().unwrap_or_default();
                kinds.contains(&first)
            });
            let kept: Vec<&str> = kept.copied().collect();
            survives(kept.join("\n").as_bytes());
        }
    }
    assert!(sound > 100, "{sound}");
}

#[test]
fn odd_numbers_never_break_the_compiler() {
    let mut sound = 0;
    for text in good_texts() {
        let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for (at, word) in words.iter().enumerate() {
            if word.trim().parse::<u32>().is_err() {
                continue;
            }
            for number in ["0", "-1", "7", "65536"] {
                let mut words = words.clone();
                let other = word.replace(word.trim(), number);
                words[at] = &other;
                sound += usize::from(survives(words.concat().as_bytes()));
            }
        }
    }
    assert!(sound > 20, "{sound}");
}

#[test]
fn repeated_lines_do_not_nest() {
    let start = "Type Box Ball\nPlayers 2\nBox x\ncontains Ball 9\nBox y\nin x\n";
    for (head, line) in [
        ("Action A\n", "require in y x\n"),
        ("Action A\n", "effect put y x\neffect remove y.in\n"),
        (
            "Action A Ball b\n",
            "effect remove Ball x 1\neffect put b x\n",
        ),
        (
            "Action A\neffect remove y\nWinCondition\n",
            "require in y x\n",
        ),
        (
            "Action A\neffect remove y\n",
            "LoseCondition\nrequire in y x\n",
        ),
        ("", "Action A\nrequire in y x\neffect players player.left\n"),
    ] {
        let count = if line.contains("Ball") { 100 } else { 500 };
        let text = format!("{start}{head}{}", line.repeat(count));
        assert!(survives(text.as_bytes()), "{line}");
    }
}

/// Whether rules are accepted, and what is said of them.
fn findings(text: &str) -> (bool, String) {
    let (front, diagnostics, sources) = compile_text("game.bgm", text.as_bytes());
    (
        front.is_some(),
        render_all(&sources, &diagnostics, Style::Plain),
    )
}

#[test]
fn bounds_follow_from_what_actions_exchange() {
    let start = "Type Pawn Queen King\nPlayers 1\nKing board\ncontains Pawn 8\nKing k\nKing l\n";
    for (bounded, rule) in [
        (
            true,
            "Action A Pawn p\neffect delete p\neffect put Queen board\n",
        ),
        (
            true,
            "Action A Pawn p\neffect put Queen board 3\neffect delete p\n",
        ),
        (
            true,
            "Action A\neffect delete k\neffect put Queen board 4\n",
        ),
        (
            true,
            "Action A\neffect delete k\neffect create Pawn\nAction B Pawn p\neffect delete p\neffect create Queen\n",
        ),
        (
            false,
            "Action A Pawn p\neffect delete p.contains\neffect create Queen\n",
        ),
        (
            false,
            "Action A Queen p\neffect delete p\neffect create Queen\neffect create Queen\n",
        ),
        (
            false,
            "Action A\neffect remove Pawn board 1\neffect delete k\neffect create Queen\n",
        ),
    ] {
        let (_, told) = findings(&format!("{start}{rule}Action Z Queen q\neffect own q\n"));
        assert_eq!(!told.contains("W0204"), bounded, "{rule}{told}");
    }
}

#[test]
fn pools_that_nothing_bounds_leave_room_for_choices() {
    let start = "Type Deck Card\nPlayers 2\nactive all\nDeck d\ncontains Card 6\nAction A\neffect put Card d\n";
    for (rule, room) in [
        ("Action B Card c\neffect remove Card d 2\n", 48),
        ("Action B Card c\neffect distribute d all Card 2\n", 60),
        ("Action B Card c\neffect remove c\n", 70),
    ] {
        let (sound, told) = findings(&format!("{start}{rule}"));
        assert!(
            sound && told.contains(&format!("; {room} are provided")),
            "{told}"
        );
    }
    let many = start.replace("Card 6", "Card 90");
    let (sound, told) = findings(&format!("{many}Action B Card c\neffect remove Card d 2\n"));
    assert!(
        !sound && told.contains("E0121") && told.contains("Type Card max NUMBER"),
        "{told}"
    );
}

#[test]
fn an_object_that_is_made_has_no_name_of_a_deleted_one() {
    let rules =
        "Type Ta max 3\nPlayers p1\nTa o1\nTa o4\nAction Del\neffect delete o4\neffect create Ta\n";
    told(&[(rules, &["p1 Del"], "Stuck []")]);
}

#[test]
fn fewer_objects_than_at_the_start_may_be_bounded() {
    let game = sound("Type Ta max 1\nPlayers p1\nTa x\nTa y\nAction Make Ta a\neffect create Ta\n");
    let mut state = game.initial();
    let moves = game.legal_moves(&state).expect("no fault").to_vec();
    assert!(game.play(&mut state, moves[0]));
    let outcome = format!("{:?}", game.outcome(&state));
    assert!(outcome.contains("another `Ta`: at most 1"), "{outcome}");
}

#[test]
fn what_is_made_may_have_no_container_in_the_game() {
    let game = sound(
        "Type Box\nType Card max 3\nPlayers 2\nAction a1 Card p0 Card p1\neffect put Box p1\n",
    );
    assert!(texts(&game, &game.initial()).is_empty());
}

#[test]
fn a_reserved_name_of_an_object_is_told_once() {
    let (_, told) = findings(
        "Type Box\nPlayers 2\nBox left\nAction A Box b\nrequire in b left\neffect put b left\neffect players player.left\n",
    );
    assert_eq!(told.matches("error[").count(), 1, "{told}");
}
