//! What names nobody asks for come to, in one table of all our games and one of the corpus: classes of pieces and places that are
//! alike, numbers of moves and bytes of a position with and without names, symmetries. And games that were changed so that one place
//! differs.
//!
//! `UPDATE_EXPECT=1 cargo test -p rulec-compiler --test symmetries` makes the tables `ours.txt` and `corpus.txt` again.

mod variants;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use rulec_compiler::ir::{DomainId, Game, Symmetry, Type};
use rulec_compiler::{Options, Output, Passes, codegen, compile_text};

/// A rule file that needs no others, compiled.
fn compiled(name: &str, text: &[u8], passes: Passes) -> Result<Output, String> {
    let options = Options {
        passes,
        ..Options::default()
    };
    compile_text(name, text, &options)
}

fn lowered(name: &str, text: &[u8]) -> Result<Game, String> {
    compiled(name, text, Passes::none()).map(|output| output.lowered)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rule files below a folder, by their paths in it.
fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        let is_one_of = |e: &std::ffi::OsStr| {
            ["s3", "bgm", "bbgel", "world", "json"]
                .iter()
                .any(|l| e == *l)
        };
        if path.is_dir() {
            found.extend(rule_files(&path));
        } else if path.extension().is_some_and(is_one_of) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// How many values there are of a type; very many where it has no end.
fn values(game: &Game, ty: &Type) -> u64 {
    let members = |domain: &DomainId| game.domain(*domain).len() as u64;
    match ty {
        Type::Bool => 2,
        Type::Int { lo, hi } => hi.abs_diff(*lo).saturating_add(1),
        Type::Elem(domain) => members(domain),
        Type::Opt(domain) => members(domain) + 1,
        Type::Set(domain) => 1_u64
            .checked_shl(game.domain(*domain).len() as u32)
            .unwrap_or(u64::MAX),
        _ => u64::MAX,
    }
}

/// How many moves, and results of draws, have different names.
fn named_moves(game: &Game) -> u64 {
    let families = game.families.iter().map(|family| {
        let params = family.params.iter().map(|param| values(game, &param.ty));
        params.fold(1, u64::saturating_mul)
    });
    let draws = game.draws.iter().map(|draw| values(game, &draw.ty));
    families.chain(draws).fold(0, u64::saturating_add)
}

/// A number; those that are no use as numbers of moves are many.
fn number(count: u64) -> String {
    match count {
        0..10_000_000_000 => count.to_string(),
        _ => String::from("many"),
    }
}

/// Bytes of a position.
fn bytes(game: &Game, names: bool) -> String {
    let options = codegen::Options {
        names,
        ..codegen::Options::new("game", "\"1\"")
    };
    match codegen::state_bytes(game, &options) {
        Ok(bytes) => bytes.to_string(),
        Err(error) => error.to_string(),
    }
}

/// What is said of the games below a folder.
fn told(folder: &Path) -> String {
    let mut text = format!(
        "{:34} {:>7} {:>11} {:>7} {:>6} {:>6} {:>5} {:>5}  sides\n",
        "", "classes", "named moves", "numbers", "named", "bytes", "order", "start"
    );
    for path in rule_files(folder) {
        let name = path.strip_prefix(folder).expect("it lies there").display();
        let rules = std::fs::read(&path).expect("the rules can be read");
        let Ok(output) = compiled(&path.to_string_lossy(), &rules, Passes::all()) else {
            continue;
        };
        let game = &output.lowered;
        let found = &game.symmetries;
        let sides = match found.of_players(game) < found.order() {
            true => "exchanged",
            false => "-",
        };
        let numbers = match &*game.numbers {
            None => String::from("-"),
            Some(numbers) => numbers.count().to_string(),
        };
        let _ = writeln!(
            text,
            "{:34} {:7} {:>11} {numbers:>7} {:>6} {:>6} {:5} {:5}  {sides}",
            name.to_string(),
            game.interchangeable.len(),
            number(named_moves(game)),
            bytes(&output.game, true),
            bytes(&output.game, false),
            found.order(),
            found.of_start(),
        );
    }
    text
}

#[test]
fn symmetries_of_our_games() {
    expect_file!["ours.txt"].assert_eq(&told(&workspace().join("games")));
}

#[test]
fn symmetries_of_the_corpus() {
    let folder = match std::env::var_os("RULEC_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("../shared/corpus"),
    };
    if !folder.join("s3").is_dir() {
        let needed = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!needed, "there is no corpus at {}", folder.display());
        eprintln!("SKIPPED: there is no corpus at {}", folder.display());
        return;
    }
    expect_file!["corpus.txt"].assert_eq(&told(&folder));
}

/// Whether some symmetry takes one member to another, by their names.
fn takes(game: &Game, [a, b]: [&str; 2]) -> bool {
    let in_domain = |symmetry: &Symmetry| {
        symmetry.members.iter().any(|(domain, new)| {
            let domain = game.domain(*domain);
            let pairs = (0..).zip(new);
            pairs
                .into_iter()
                .any(|(old, new)| domain.member(old) == a && domain.member(*new) == b)
        })
    };
    game.symmetries.all.iter().any(in_domain)
}

#[test]
fn what_a_rule_tells_apart_is_not_symmetric() {
    let mut wrong = String::new();
    for variant in variants::VARIANTS {
        let path = workspace().join("games").join(variant.file);
        let rules = std::fs::read_to_string(&path).expect("the rules can be read");
        let changed = rules.replacen(variant.from, variant.to, 1);
        assert_ne!(rules, changed, "{} has no `{}`", variant.file, variant.from);
        let original = lowered(variant.file, rules.as_bytes()).expect("our games compile");
        let game = match lowered(variant.file, changed.as_bytes()) {
            Ok(game) => game,
            Err(error) => {
                let _ = writeln!(wrong, "{}: {error}", variant.to);
                continue;
            }
        };
        let pair = variant.apart;
        if !takes(&original, pair) {
            let _ = writeln!(wrong, "{pair:?} are apart without `{}`", variant.to);
        }
        // There may be others instead: without one diagonal, rows and columns can be permuted alike.
        if takes(&game, pair) {
            let _ = writeln!(wrong, "{pair:?} are symmetric after `{}`", variant.to);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(variants::VARIANTS.len() >= 40);
}

#[test]
fn where_a_game_starts_is_asked_of_symmetries_of_the_start_alone() {
    let changes = [
        (
            variants::REVERSI,
            "state=2\nlocation=b(4,4)",
            "state=1\nlocation=b(4,4)",
            [16, 2],
        ),
        (
            variants::MORRIS,
            "location=tray(1,1)",
            "location=p(1,1)",
            [16, 2],
        ),
    ];
    for (file, from, to, orders) in changes {
        let rules = std::fs::read_to_string(workspace().join("games").join(file)).expect("rules");
        let changed = rules.replacen(from, to, 1);
        assert_ne!(rules, changed, "{file} has no `{from}`");
        let found = lowered(file, changed.as_bytes())
            .expect("it compiles")
            .symmetries;
        assert_eq!([found.order(), found.of_start()], orders, "{file}: {to}");
    }
}

#[test]
fn what_planes_show_of_a_piece_that_is_like_others_is_asked_too() {
    let path = workspace().join("games").join(variants::REVERSI);
    let rules = std::fs::read_to_string(path).expect("the rules can be read");
    let place = "location=b(4,4)\n";
    let changed = rules.replacen(place, &format!("{place}player=1\n"), 1);
    assert_ne!(rules, changed);
    let found = |rules: &str| {
        let game = lowered(variants::REVERSI, rules.as_bytes()).expect("it compiles");
        let shown = game.symmetries.all.iter().filter(|s| s.keeps_planes);
        [
            game.symmetries.order(),
            game.symmetries.of_start(),
            shown.count(),
        ]
    };
    assert_eq!(found(&rules), [16, 4, 15]);
    assert_eq!(found(&changed), [16, 2, 0]);
}

#[test]
fn symmetries_do_not_depend_on_how_rules_are_spelled() {
    let gomoku = "s3/gomoku.s3";
    // A line is looked for through the last stone from some number of stones before it, or anywhere on the board.
    let spellings: [(&str, &str, [usize; 2]); 6] = [
        (variants::REVERSI, "by_length", [16, 4]),
        (variants::REVERSI, "directions_written_out", [16, 4]),
        (variants::REVERSI, "turned_on_the_way_back", [16, 4]),
        (gomoku, "ends_first", [8, 8]),
        (gomoku, "anywhere", [8, 8]),
        (gomoku, "anywhere_two_ends", [8, 8]),
    ];
    for (file, spelling, orders) in spellings {
        let rules = respelled(file, spelling);
        let found = lowered(file, rules.as_bytes()).expect("it compiles");
        let found = found.symmetries;
        assert_eq!([found.order(), found.of_start()], orders, "{spelling}");
    }
}

/// A game of ours with its rules spelled another way.
fn respelled(file: &str, spelling: &str) -> String {
    let path = workspace().join("games").join(file);
    let rules = std::fs::read_to_string(&path).expect("the rules can be read");
    let (board, _) = rules
        .split_once("[EXPRESSIONS]")
        .expect("it has expressions");
    let name = path.file_stem().expect("a name").to_string_lossy();
    let path = format!("tools/rewrites/spellings/{name}@{spelling}.s3");
    let own = std::fs::read_to_string(workspace().join(path)).expect("it can be read");
    format!("{board}{own}")
}

#[test]
fn lines_anywhere_on_a_board_are_symmetric_unless_some_are_left_out() {
    let rules = respelled("s3/gomoku.s3", "anywhere");
    let changes = [
        // Lines from one column less, from one row less, of one direction less, and with nothing asked behind their end.
        ("FORSOME($C, 1, 15,", "FORSOME($C, 2, 15,", [2, 2]),
        ("FORSOME($R, 1, 15,", "FORSOME($R, 1, 14,", [1, 1]),
        ("OR FiveAlong(1, -1)", "OR FiveAlong(1, 0)", [4, 4]),
        ("  NOT Same(5)\n", "", [1, 1]),
    ];
    compare("gomoku.s3", &rules, &changes);
}

#[test]
fn values_are_exchanged_however_rules_ask_which_they_are() {
    let path = workspace().join("games").join(variants::REVERSI);
    let rules = std::fs::read_to_string(path).expect("the rules can be read");
    let all = "$DISC == $ME)";
    for asked in [
        "NOT ($DISC != $ME))",
        "IF($ME > 1, $DISC > 1, ($DISC * 3) == 3))",
    ] {
        let changed = rules.replacen(all, asked, 1);
        assert_ne!(rules, changed);
        let found = lowered(variants::REVERSI, changed.as_bytes()).expect("it compiles");
        let found = found.symmetries;
        assert_eq!([found.order(), found.of_start()], [16, 4], "{asked}");
    }
}

/// Text of a rule file and what stands there instead, with how many symmetries there are then and how many keep the start.
type Change<'a> = (&'a str, &'a str, [usize; 2]);

/// Compares the symmetries of a file that was changed in one place or none.
fn compare(name: &str, rules: &str, changes: &[Change<'_>]) {
    let mut wrong = String::new();
    for &(from, to, orders) in changes {
        let changed = rules.replacen(from, to, 1);
        assert!(from.is_empty() || rules != changed, "there is no `{from}`");
        let found = lowered(name, changed.as_bytes())
            .expect("it compiles")
            .symmetries;
        let found = [found.order(), found.of_start()];
        if found != orders {
            let _ = writeln!(wrong, "{to}: {found:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_would_be_found_beyond_the_edge_tells_nothing_apart_where_nobody_asks_for_it() {
    let path = workspace().join("games/s3/frogs_sets.s3");
    let rules = std::fs::read_to_string(path).expect("the rules can be read");
    let jump = "IF(EMPTY(\"s($NEXT)\"), {}, FreePad(\"s($BEYOND)\"))";
    let red = "toLocations=Targets(-1)";
    let changes = [
        ("", "", [2, 2]),
        // The edge is asked for by name, by number, and not at all where a pad of the kind is named.
        (
            jump,
            "IF((LOCTYPE(\"s($BEYOND)\") == \"pad\") AND (NOT EMPTY(\"s($NEXT)\")), FreePad(\"s($BEYOND)\"), {})",
            [2, 2],
        ),
        (
            jump,
            "IF(($BEYOND > 0) AND ($BEYOND <= 7), IF(EMPTY(\"s($NEXT)\"), {}, FreePad(\"s($BEYOND)\")), {})",
            [2, 2],
        ),
        (red, "toLocations=Targets(-1)\ncondition=$K != 1", [2, 2]),
        // One pad of one colour, or one that is jumped over.
        (red, "toLocations=Targets(-1)\ncondition=$K != 2", [1, 1]),
        (
            jump,
            "IF(EMPTY(\"s($NEXT)\") OR ($NEXT == 6), {}, FreePad(\"s($BEYOND)\"))",
            [1, 1],
        ),
        // Reds jump from one pad less, greens end on one pad less.
        (
            jump,
            "IF(($BEYOND > 1) AND ($BEYOND <= 7), IF(EMPTY(\"s($NEXT)\"), {}, FreePad(\"s($BEYOND)\")), {})",
            [1, 1],
        ),
        ("FORALL($I, 5, 7,", "FORALL($I, 6, 7,", [1, 1]),
    ];
    compare("frogs_sets.s3", &rules, &changes);
}

#[test]
fn what_happens_beside_a_place_is_symmetric_unless_the_edge_or_an_order_tells_sides_apart() {
    let rules = include_str!("lights_out.s3");
    let changes = [
        ("", "", [8, 8]),
        // In another order.
        (
            "  Flip($C,$R)\n  Flip($C + 1, $R)\n",
            "  Flip($C + 1, $R)\n  Flip($C,$R)\n",
            [8, 8],
        ),
        // One side of four, one lamp, and one corner.
        ("  Flip($C - 1, $R)\n", "", [2, 2]),
        ("  Flip($C, $R + 1)\n", "  Flip($C, $R + 2)\n", [2, 2]),
        ("FORALL($X, 1, 3,", "FORALL($X, 1, 2,", [2, 2]),
        (
            "to=p($C,$R)\n",
            "to=p($C,$R)\ncondition=($C > 1) OR ($R > 1)\n",
            [2, 2],
        ),
        // Two turns of one lamp have an order, wherever it lies.
        (
            "  Flip($C + 1, $R)\n  Flip($C - 1, $R)\n",
            "  Flip($C + 1, $R)\n  Flip(IF($C == 1, 2, $C - 1), $R)\n",
            [2, 2],
        ),
        // A lamp that shines when it starts.
        (
            "state=2\nlocation=b(1,1)",
            "state=1\nlocation=b(1,1)",
            [8, 2],
        ),
    ];
    compare("lights_out.s3", rules, &changes);
}

#[test]
fn what_goes_to_the_first_free_place_is_symmetric_unless_the_way_there_tells_sides_apart() {
    let rules = include_str!("solitaire.s3");
    let changes = [
        ("", "", [8, 8]),
        // From the other end of the box.
        ("$B, 1, 20", "$B, 20, 1", [8, 8]),
        // Upwards alone, or rows alone.
        ("(ABS($R - $TR)) == 2", "($R - $TR) == 2", [2, 2]),
        (
            "NOT EMPTY(\"h($X,$Y)\")",
            "NOT EMPTY(\"h($TC,$Y)\")",
            [4, 4],
        ),
        // One hole into which no peg jumps.
        (
            "condition=Jump\n",
            "condition=(($TC != 2) OR ($TR != 1)) AND Jump\n",
            [1, 1],
        ),
        // One hole that has to be empty, and another one at the start.
        (
            "situation=NOT EMPTY(\"box(19)\")",
            "situation=(NOT EMPTY(\"box(19)\")) AND EMPTY(\"h(1,3)\")",
            [2, 2],
        ),
        ("location=h(2,1)", "location=h(3,3)", [8, 1]),
    ];
    compare("solitaire.s3", rules, &changes);
}

#[test]
fn sides_that_lay_dominoes_across_each_other_are_exchanged_unless_something_tells_them_apart() {
    let rules = include_str!("dominoes.s3");
    let other_way = "IF(PLAYER == 1, Free($C, $R + 1), Free($C - 1, $R))\n";
    let changes = [
        ("", "", [2, 1]),
        (
            "IF(PLAYER == 1, Free($C, $R + 1), Free($C + 1, $R))\n",
            other_way,
            [1, 1],
        ),
        ("winner=3 - PLAYER", "winner=2", [1, 1]),
        // One of them takes the other halves from the other end, which exchanges these too, or leaves one where it is.
        (
            "FORSOME($K, 1, 8,",
            "FORSOME($K, IF(PLAYER == 1, 1, 8), IF(PLAYER == 1, 8, 1),",
            [2, 1],
        ),
        (
            "FORSOME($K, 1, 8,",
            "FORSOME($K, IF(PLAYER == 1, 1, 2), 8,",
            [1, 1],
        ),
        // One square.
        (
            "condition=Fits\n",
            "condition=(($C != 1) OR ($R != 2)) AND Fits\n",
            [1, 1],
        ),
        (
            "condition=Fits\n",
            "condition=(($C != 2) OR ($R != 2)) AND Fits\n",
            [2, 1],
        ),
    ];
    compare("dominoes.s3", rules, &changes);
}

#[test]
fn dominoes_between_two_squares_are_turned_over_unless_a_square_or_a_side_is_named() {
    let rules = include_str!("pair_dominoes.s3");
    let tall = "  Free($C, $R + 1)\n";
    let changes = [
        ("", "", [8, 4]),
        // In another order, and by the other square.
        (
            "  Free($C, $R)\n  Free($C, $R + 1)\n",
            "  Free($C, $R + 1)\n  Free($C, $R)\n",
            [8, 4],
        ),
        // One place, two that are opposite, and all in the middle, of one side.
        (
            tall,
            "  Free($C, $R + 1)\n  ($C != 1) OR ($R != 1)\n",
            [1, 1],
        ),
        (
            tall,
            "  Free($C, $R + 1)\n  ($C != 2) OR ($R != 2)\n  ($C != 3) OR ($R != 2)\n",
            [4, 4],
        ),
        (tall, "  Free($C, $R + 1)\n  $R != 2\n", [4, 4]),
        // What stands on one place is asked of one side.
        (
            "  Free($C + 1, $R)\n",
            "  Free($C + 1, $R)\n  ($C < 3) OR (NOT EMPTY(\"v(1,1)\"))\n",
            [1, 1],
        ),
        // A square that is covered from one side only.
        ("  EMPTY(\"h($W,$Y)\")\n", "", [2, 2]),
        // Who wins.
        ("winner=3 - PLAYER", "winner=2", [4, 4]),
        // The loop forgets a column.
        (
            "FORALL($C, 1, 4, FORALL($R, 1, 3",
            "FORALL($C, 1, 3, FORALL($R, 1, 3",
            [2, 2],
        ),
    ];
    compare("pair_dominoes.s3", rules, &changes);
}

#[test]
fn columns_that_are_pushed_are_permuted_unless_one_is_named() {
    let rules = include_str!("pushed_columns.s3");
    let changes = [
        ("", "", [6, 6]),
        // One square, and one column.
        (
            "situation=Row(\"red\")\n",
            "situation=Row(\"red\") AND (NOT EMPTY(\"b(1,1)\"))\n",
            [2, 2],
        ),
        (
            "to=g($C)\n",
            "to=g($C)\ncondition=($C == 1) OR (NOT EMPTY(\"b(1,3)\"))\n",
            [2, 2],
        ),
        // Columns are asked in pairs.
        ("FORALL($X, 1, 3, ELTYPE", "FORALL($X, 1, 2, ELTYPE", [2, 2]),
    ];
    compare("pushed_columns.s3", rules, &changes);
}

#[test]
fn players_who_only_follow_each_other_are_exchanged_by_turns() {
    // Rules that name who is next keep turns, of however many players; no two of three change places.
    let race = |players: &str, rules: &str| {
        let head = "name race\n\nsetup:\n    game { maxDiceValue 3; int pot {90} = 0 }\n";
        let fields = "field 1 \"start\" -> 2:\n    game_start()\nfield 2 -> 3:\n";
        let rest = "field 3 -> 4:\nfield 4 \"end\":\n    force\n    game_end()\n";
        format!("{head}    {players} {{ int gold {{9}} = 1 }}\n\n{fields}{rules}{rest}")
    };
    let mut wrong = String::new();
    for (players, order) in [("2 players", 2), ("3 players", 3), ("4 players", 4)] {
        for rules in [
            "",
            "    if cp.gold > 2 then\n        cp.gold--\n        np.gold++\n    end\n",
            "    if not (cp.gold <= 2) then\n        np.gold++\n        cp.gold--\n    end\n",
            "    sleep(np, 1)\n    pot++\n",
            // What a turn that is taken back gives back is kept for each player, in whatever order.
            "    force\n    sleep(np, 1)\n    if cp.gold < 1 then rollback() end\n",
            "    force\n    np.gold--\n    sleep(pp, 1)\n    if np.gold < 1 then\n        rollback()\n    end\n",
        ] {
            let text = race(players, rules);
            let found = lowered("race.bbgel", text.as_bytes()).expect("it compiles");
            let found = &found.symmetries;
            if found.order() != order {
                let _ = writeln!(wrong, "{players}: {} of {rules}", found.order());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_tells_sides_apart_is_told_with_its_place() {
    let told = |file: &str| {
        let path = workspace().join("games").join(file);
        let rules = std::fs::read_to_string(path).expect("the rules can be read");
        let game = lowered(file, rules.as_bytes()).expect("it compiles");
        (game.symmetries.apart.clone(), rules)
    };
    // Only after the moves of one side figures grow older.
    let (apart, rules) = told("bgc/chess.json");
    let apart = apart.expect("sides are told apart");
    let older = rules.find("\"type\": \"next_move\"").expect("they do");
    let line = 1 + rules[..older].matches('\n').count();
    assert!(
        apart.starts_with("white and black are told apart at ")
            && apart.contains(&format!(":{line}:")),
        "{apart}: {line}"
    );
    assert_eq!(told("bgc/breakthrough.json").0, None);
}

#[test]
fn what_tells_the_sides_of_a_board_apart_is_told() {
    let told = |file: &str, from: &str, to: &str| {
        let path = workspace().join("games").join(file);
        let rules = std::fs::read_to_string(path).expect("the rules can be read");
        let changed = rules.replacen(from, to, 1);
        assert!(from.is_empty() || rules != changed, "{file}: `{from}`");
        let game = lowered(file, changed.as_bytes()).expect("it compiles");
        game.symmetries.mirrors.clone()
    };
    let cross = "to=b($C,$R)\nfollowup=NEXTPLAYER\n\nname=placeNought";
    let nought = "name=placeNought";
    let ttt = "s3/tic_tac_toe.s3";
    let jump = "condition=Jump(-1)";
    let rows: &[(&str, &str, &str, &[&str])] = &[
        // A board that is its own mirror image both ways; a row is but one way.
        (ttt, "", "", &[]),
        ("s3/frogs.s3", "", "", &[]),
        // A board of hexagons whose cells are named along two of its three lines, and a track.
        ("bgc/three_camps.json", "", "", &[]),
        ("bbgel/crossroads.bbgel", "", "", &[]),
        // What one rule asks, of columns, of rows, and of one place; it does not matter how.
        (
            ttt,
            cross,
            &format!("to=b($C,$R)\ncondition=$C != 1\nfollowup=NEXTPLAYER\n\n{nought}"),
            &["left and right are told apart by what `placeCross` asks (b(1,1) from b(3,1))"],
        ),
        (
            ttt,
            cross,
            &format!("to=b($C,$R)\ncondition=NOT ($R > 2)\nfollowup=NEXTPLAYER\n\n{nought}"),
            &["top and bottom are told apart by what `placeCross` asks (b(1,1) from b(1,3))"],
        ),
        (
            ttt,
            cross,
            &format!("to=b(1,$R)\nfollowup=NEXTPLAYER\n\n{nought}"),
            &["left and right are told apart by what `placeCross` asks (b(1,1) from b(3,1))"],
        ),
        (
            "s3/frogs.s3",
            jump,
            "condition=Step(-2)",
            &["left and right are told apart by what `greenJump` asks (s(1) from s(7))"],
        ),
        // How the game ends.
        (
            "s3/eight_puzzle.s3",
            "",
            "",
            &[
                "left and right are told apart by what comes of `slide` (s(7) from s(9))",
                "top and bottom are told apart by what comes of `slide` (s(3) from s(9))",
            ],
        ),
    ];
    let mut wrong = String::new();
    for (file, from, to, expected) in rows {
        let found = told(file, from, to);
        if found != *expected {
            let _ = writeln!(wrong, "{file} with `{to}`: {found:#?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
