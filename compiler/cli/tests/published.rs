//! Families of games whose values are published: our files in other sizes, solved.
//!
//! Sources: connect four: J. Tromp, John's Connect Four Playground; nim: C. L. Bouton, Annals of Mathematics 3 (1901); the tower of Hanoi and
//! the frogs: É. Lucas, Récréations mathématiques, for which the numbers of moves are proved by induction; dots and boxes: small boards were
//! worked out by programs that share nothing with this one, larger ones by J. Barker and R. Korf (AAAI 2012).

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The text of one of our files.
fn bundled(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(file);
    fs::read_to_string(path).expect("it is there")
}

/// The end of a text, from a line on.
fn from<'t>(text: &'t str, line: &str) -> &'t str {
    let at = text.find(line).expect("the file has such a line");
    &text[at..]
}

/// What `solve` says of rules.
fn solved(name: &str, rules: &str, options: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, rules).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .arg("solve")
        .arg(&path)
        .args(options)
        .arg("--json")
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Whether tests may take minutes.
fn is_long() -> bool {
    std::env::var_os("RULEC_LONG").is_some()
}

/// Names of things, each with the lines of its section.
fn list(out: &mut String, names: impl IntoIterator<Item = (String, String)>) {
    for (name, lines) in names {
        // Writing to a string does not fail.
        let _ = writeln!(out, "name={name}\n{lines}");
    }
}

fn each(columns: usize, rows: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=rows).flat_map(move |y| (1..=columns).map(move |x| (x, y)))
}

fn place(kind: &str) -> String {
    format!("type={kind}\npoint=0,0\n")
}

fn connect_four(columns: usize, rows: usize) -> String {
    let own = bundled("s3/connect_four_5x4.s3");
    let end = from(&own, "[EXPRESSIONS]").replace(
        "FORALL($X, 1, 5, NOT EMPTY(\"b($X,4)\"))",
        &format!("FORALL($X, 1, {columns}, NOT EMPTY(\"b($X,{rows})\"))"),
    );
    let mut text = own[..own.find("[LOCATIONS]").expect("places")].to_owned() + "[LOCATIONS]\n";
    let discs = columns * rows;
    list(
        &mut text,
        each(columns, rows).map(|(x, y)| (format!("b({x},{y})"), place("hole"))),
    );
    for (colour, kind) in [("rt", "redTray"), ("yt", "yellowTray")] {
        list(
            &mut text,
            (1..=discs.div_ceil(2)).map(|n| (format!("{colour}({n})"), place(kind))),
        );
    }
    text.push_str("[PLAYER NAMES]\n1=red\n2=yellow\n\n[MOVABLE ELEMENTS]\n");
    for (disc, kind, player, tray) in [("r", "red", 1, "rt"), ("y", "yellow", 2, "yt")] {
        let lines = |n| format!("type={kind}\nplayer={player}\nlocation={tray}({n})\n");
        list(
            &mut text,
            (1..=discs.div_ceil(2)).map(|n| (format!("{disc}({n})"), lines(n))),
        );
    }
    text + &end
}

fn dots_and_boxes(columns: usize, rows: usize) -> String {
    let own = bundled("s3/dots_and_boxes.s3");
    let end = from(&own, "[EXPRESSIONS]")
        .replace("== 9", &format!("== {}", columns * rows))
        .replace(
            "winner=IF(SCORE(1) > SCORE(2), 1, 2)",
            "winner=IF(SCORE(1) > SCORE(2), 1, IF(SCORE(1) == SCORE(2), 0, 2))",
        );
    let mut text = own[..own.find("[LOCATIONS]").expect("places")].to_owned() + "[LOCATIONS]\n";
    let lines = columns * (rows + 1) + (columns + 1) * rows;
    list(
        &mut text,
        each(columns, rows + 1).map(|(x, y)| (format!("h({x},{y})"), place("horizontal"))),
    );
    list(
        &mut text,
        each(columns + 1, rows).map(|(x, y)| (format!("v({x},{y})"), place("vertical"))),
    );
    for kind in ["box", "store"] {
        list(
            &mut text,
            each(columns, rows).map(|(x, y)| (format!("{kind}({x},{y})"), place(kind))),
        );
    }
    list(
        &mut text,
        (1..=lines).map(|n| (format!("pool({n})"), place("pool"))),
    );
    text.push_str("[PLAYER NAMES]\n1=first\n2=second\n\n[MOVABLE ELEMENTS]\n");
    let line = |n| {
        (
            format!("line({n})"),
            format!("type=line\nlocation=pool({n})\n"),
        )
    };
    list(&mut text, (1..=lines).map(line));
    let marker = |(x, y)| {
        (
            format!("marker({x},{y})"),
            format!("type=marker\nlocation=store({x},{y})\n"),
        )
    };
    list(&mut text, each(columns, rows).map(marker));
    text + end.as_str()
}

fn frogs(green: usize, red: usize) -> String {
    let own = bundled("s3/frogs.s3");
    let (begin, end) = (from(&own, "[ELEMENT TYPES]"), from(&own, "[EXPRESSIONS]"));
    let all = green + red + 1;
    let end = end
        .replace("FORALL($I, 1, 3,", &format!("FORALL($I, 1, {red},"))
        .replace(
            "FORALL($I, 5, 7,",
            &format!("FORALL($I, {}, {all},", red + 2),
        );
    let mut text = begin[..begin.find("// point:").expect("places")].to_owned() + "[LOCATIONS]\n";
    list(
        &mut text,
        (1..=all).map(|n| (format!("s({n})"), place("pad"))),
    );
    text.push_str("[PLAYER NAMES]\n1=gardener\n\n[MOVABLE ELEMENTS]\n");
    let frog = |kind: &str, at: usize| format!("type={kind}\nplayer=1\nlocation=s({at})\n");
    list(
        &mut text,
        (1..=green).map(|n| (format!("gf({n})"), frog("greenFrog", n))),
    );
    list(
        &mut text,
        (1..=red).map(|n| (format!("rf({n})"), frog("redFrog", green + 1 + n))),
    );
    text + &end
}

/// The tower as in our file: discs stand in each other, and only one that contains nothing is free.
fn hanoi(discs: usize) -> String {
    let kinds: Vec<String> = (1..=discs).map(|n| format!("Disc{n}")).collect();
    let mut text = format!(
        "Type Peg {}\nPlayers solver\nPeg west\nPeg centre\nPeg east\n",
        kinds.join(" ")
    );
    for n in (1..=discs).rev() {
        let below = if n == discs {
            "west".to_owned()
        } else {
            format!("d{}", n + 1)
        };
        let _ = writeln!(text, "Disc{n} d{n}\n    in {below}");
    }
    for n in 1..=discs {
        for below in n + 1..=discs + 1 {
            let kind = if below > discs {
                "Peg".to_owned()
            } else {
                format!("Disc{below}")
            };
            let _ = writeln!(text, "Action Put{n}On{below} Disc{n} d {kind} below");
            (1..n).for_each(|m| text.push_str(&format!("    require not contains d Disc{m}\n")));
            (1..below)
                .for_each(|m| text.push_str(&format!("    require not contains below Disc{m}\n")));
            text.push_str("    effect put d below\n");
        }
    }
    text.push_str("WinCondition Done\n");
    for n in 1..=discs {
        let below = if n == discs {
            "east".to_owned()
        } else {
            format!("d{}", n + 1)
        };
        let _ = writeln!(text, "    require in d{n} {below}");
    }
    text
}

/// Rows of matches as in our file: who finds none left has lost.
fn nim(rows: [usize; 3]) -> String {
    let mut text = "Type Row Match\nPlayers first second\n".to_owned();
    for (number, matches) in rows.iter().enumerate() {
        let _ = writeln!(text, "Row row{number}\n    contains Match {matches}");
    }
    for taken in 1..=rows.into_iter().max().unwrap_or(1) {
        let _ = writeln!(
            text,
            "Action Take{taken} Row r\n    effect remove Match r {taken}\n    effect players player.left"
        );
    }
    text.push_str("LoseCondition\n");
    (0..3)
        .for_each(|number| text.push_str(&format!("    require not contains row{number} Match\n")));
    text
}

#[test]
fn puzzles_take_the_published_number_of_moves() {
    let mut cases = Vec::new();
    let long = if is_long() {
        &[(5, 5), (8, 8)][..]
    } else {
        &[]
    };
    for &(m, n) in [(1, 1), (1, 3), (2, 2), (3, 2), (4, 3)].iter().chain(long) {
        cases.push((format!("frogs_{m}_{n}.s3"), frogs(m, n), m * n + m + n));
    }
    for n in 1..=if is_long() { 8 } else { 5 } {
        cases.push((format!("hanoi_{n}.bgm"), hanoi(n), (1 << n) - 1));
    }
    for (name, rules, moves) in cases {
        let found = solved(&name, &rules, &[]);
        assert_eq!(
            found["moves"].as_array().map(Vec::len),
            Some(moves),
            "{name}"
        );
    }
}

#[test]
fn nim_is_won_by_who_leaves_no_sum() {
    for rows in [
        [1, 1, 1],
        [1, 2, 3],
        [1, 2, 2],
        [2, 4, 6],
        [3, 4, 6],
        [1, 4, 5],
        [5, 5, 0],
    ] {
        let sum = rows.iter().fold(0, |sum, row| sum ^ row);
        let name = format!("nim_{}_{}_{}.bgm", rows[0], rows[1], rows[2]);
        let found = solved(&name, &nim(rows), &["--method", "search"]);
        assert_eq!(found["winner"], if sum == 0 { 2 } else { 1 }, "{name}");
    }
}

#[test]
fn small_boards_of_connect_four_and_of_dots_and_boxes_end_as_is_published() {
    // Rules, who wins (0 for nobody), and whether the board is small.
    let mut cases = Vec::new();
    let fours = match is_long() {
        true => &[
            (4, 4, 0),
            (5, 4, 0),
            (6, 4, 2),
            (4, 5, 0),
            (5, 5, 0),
            (4, 6, 0),
        ][..],
        false => &[(4, 4, 0)],
    };
    for &(columns, rows, winner) in fours {
        cases.push((
            format!("connect_four_{columns}_{rows}.s3"),
            connect_four(columns, rows),
            winner,
            columns * rows <= 20,
        ));
    }
    let boxes = match is_long() {
        true => &[
            (1, 1, 2),
            (1, 2, 0),
            (1, 3, 2),
            (1, 4, 0),
            (2, 2, 1),
            (2, 3, 2),
            (2, 4, 1),
            (3, 3, 2),
        ][..],
        false => &[(1, 1, 2), (1, 2, 0), (1, 3, 2), (1, 4, 0), (2, 2, 1)],
    };
    for &(columns, rows, winner) in boxes {
        cases.push((
            format!("dots_{columns}_{rows}.s3"),
            dots_and_boxes(columns, rows),
            winner,
            columns * rows <= 4,
        ));
    }
    for (name, rules, winner, small) in cases {
        let engine = if is_long() { "native" } else { "quick" };
        // Proof numbers take longer here.
        let methods = if small {
            &["search", "proof"][..]
        } else {
            &["search"]
        };
        for method in methods {
            let found = solved(&name, &rules, &["--method", method, "--engine", engine]);
            assert_eq!(
                (&found["winner"], &found["solved"]),
                (&winner.into(), &true.into()),
                "{name} by {method}"
            );
        }
    }
}
