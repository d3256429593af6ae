//! Rules that mean the same, spelled in several ways, come to the same board.

use std::fmt::Write as _;

use crate::ir::{Const, Game};
use crate::pipeline::{Options, compile_text};

const SIZE: usize = 6;

/// Reversi without passing on a small board, with these functions that say whether `$ME` may place a disc on `$X`,`$Y`.
fn reversi(functions: &str) -> String {
    reversi_listed(functions, |place| place)
}

/// The same with the squares in another order: which of them is listed next.
fn reversi_listed(functions: &str, listed: impl Fn(usize) -> usize) -> String {
    let place =
        "Place\n  SETSTATE(CONTENT(\"b($X,$Y)\"), PLAYER)\n  NEXTPLAYER\nEND\n\n".to_owned();
    reversi_by(&(functions.to_owned() + &place), "", listed)
}

/// Reversi with these functions that say whether and how `$ME` places a disc, and this after the functions.
pub(crate) fn reversi_by(functions: &str, after: &str, listed: impl Fn(usize) -> usize) -> String {
    let mut text = String::from(
        "[ELEMENT TYPES]\nname=disc\nstates=2\n\n[LOCATION TYPES]\nname=square\nshape=rectangular(9,9)\npoint=0,0\n\n\
         [LOCATIONS]\n",
    );
    let mut location = |name: String, x: usize, y: usize| {
        let _ = writeln!(text, "name={name}\ntype=square\npoint={x},{y}\n");
    };
    for place in (0..SIZE * SIZE).map(listed) {
        let (x, y) = (1 + place % SIZE, 1 + place / SIZE);
        location(format!("b({x},{y})"), 10 * x, 10 * y);
    }
    for pool in 1..=SIZE * SIZE - 4 {
        location(format!("pool({pool})"), 10 * pool, 100);
    }
    text += "[PLAYER NAMES]\n1=black\n2=white\n\n[MOVABLE ELEMENTS]\n";
    let start = [("b(3,3)", 2), ("b(4,4)", 2), ("b(3,4)", 1), ("b(4,3)", 1)];
    let pools = (1..=SIZE * SIZE - 4).map(|pool| (format!("pool({pool})"), 1));
    let discs = pools.chain(start.map(|(place, state)| (place.to_owned(), state)));
    for (number, (place, state)) in (1..).zip(discs) {
        let _ = writeln!(
            text,
            "name=d({number})\ntype=disc\nstate={state}\nlocation={place}\n"
        );
    }
    let _ = write!(
        text,
        "[EXPRESSIONS]\n{functions}\
         CanPlace($ME)\n  FORSOME($X, 1, {SIZE}, FORSOME($Y, 1, {SIZE}, MayPlace($ME)))\nEND\n\n\
         Stuck\n  NOT CanPlace(PLAYER)\nEND\n\n\
         {after}[END OF GAME]\nsituation=Stuck\nwinner=0\n\n\
         [GAME RULES]\nname=place\nelement=d($N)\nfrom=pool($S)\nto=b($X,$Y)\ncondition=MayPlace(PLAYER)\nfollowup=Place\n"
    );
    text
}

/// The game of some rules after all passes.
pub(crate) fn compiled(text: &str) -> Game {
    let options = Options::default();
    compile_text("rules.s3", text.as_bytes(), &options)
        .expect("sound rules")
        .game
}

/// The functions that give sets of places, without what they are called and where the rules stand. Tables of steps are called
/// by their first step.
fn sets(text: &str) -> Vec<String> {
    let game = compiled(text);
    let printed = crate::ir::print::print(&game);
    let functions = printed.split("\nfn ").skip(1);
    let sets = functions.filter(|function| function.starts_with("places of "));
    let body = |function: &str| {
        let lines = function.lines().take_while(|line| !line.is_empty()).skip(1);
        let plain = lines.map(|line| line.split("  @").next().unwrap_or_default());
        let mut body = plain.collect::<Vec<_>>().join("\n");
        for table in &game.tables {
            let mut steps = (0u32..).zip(&table.values);
            let step = steps.find_map(|(from, to)| match to {
                Const::Elem(to) => Some(format!("{from} to {to}")),
                _ => None,
            });
            let (name, step) = (&table.name, step.unwrap_or_default());
            body = body.replace(&format!("by {name}:"), &format!("by {step}:"));
            body = body.replace(&format!("from {name}["), &format!("from {step}["));
        }
        body
    };
    sets.map(body).collect()
}

pub(crate) const MAY_PLACE: &str = "MayPlace($ME)
  EMPTY(\"b($X,$Y)\")
  FORSOME($DX, -1, 1, FORSOME($DY, -1, 1, Encloses))
END

";

pub(crate) const ENCLOSES: &str = "Encloses
  $U = ($X + $DX)
  $V = ($Y + $DY)
  STATE(CONTENT(\"b($U,$V)\")) == (3 - $ME)
  ClosedOff
END

";

pub(crate) fn closed_off(end: &str) -> String {
    format!(
        "ClosedOff\n  $U = ($U + $DX)\n  $V = ($V + $DY)\n  $DISC = STATE(CONTENT(\"b($U,$V)\"))\n  {end}\nEND\n\n"
    )
}

pub(crate) const USUAL: &str = "IF($DISC == (3 - $ME), ClosedOff, $DISC == $ME)";

const BY_LENGTH: &str = "RowOf
  $U = ($X + (($LEN + 1) * $DX))
  $V = ($Y + (($LEN + 1) * $DY))
  STATE(CONTENT(\"b($U,$V)\")) == $ME
  FORALL($I, 1, $LEN, Theirs)
END

Theirs
  $U = ($X + ($I * $DX))
  $V = ($Y + ($I * $DY))
  STATE(CONTENT(\"b($U,$V)\")) == (3 - $ME)
END

";

/// A function for each colour, chosen by `$ME`.
fn colours_apart() -> String {
    let of = |name: &str, own: &str, other: &str| {
        format!(
            "{name}May
  EMPTY(\"b($X,$Y)\")
  FORSOME($DX, -1, 1, FORSOME($DY, -1, 1, {name}Takes))
END

{name}Takes
  $U = ($X + $DX)
  $V = ($Y + $DY)
  STATE(CONTENT(\"b($U,$V)\")) == {other}
  {name}Ends
END

{name}Ends
  $U = ($U + $DX)
  $V = ($V + $DY)
  IF(STATE(CONTENT(\"b($U,$V)\")) == {other}, {name}Ends, STATE(CONTENT(\"b($U,$V)\")) == {own})
END

"
        )
    };
    let choice = "MayPlace($ME)\n  IF($ME == 1, BlackMay, WhiteMay)\nEND\n\n";
    [choice, &of("Black", "1", "2"), &of("White", "2", "1")].concat()
}

pub(crate) const COUNTED: &str = "Encloses
  $LEN = 0
  Follow
  $LEN > 0
END

Follow
  $U = ($X + (($LEN + 1) * $DX))
  $V = ($Y + (($LEN + 1) * $DY))
  $DISC = STATE(CONTENT(\"b($U,$V)\"))
  IF($DISC == (3 - $ME), OneMore, IF($DISC == $ME, true, Nothing))
END

OneMore
  $LEN = ($LEN + 1)
  Follow
END

Nothing
  $LEN = 0
END

";

const HELPERS: &str = "Theirs
  STATE(CONTENT(\"b($U,$V)\")) == (3 - $ME)
END

Mine
  STATE(CONTENT(\"b($U,$V)\")) == $ME
END

";

#[test]
fn walks_do_not_depend_on_how_they_are_spelled() {
    let theirs = "STATE(CONTENT(\"b($U,$V)\")) == (3 - $ME)";
    let ended = |end: &str| [MAY_PLACE, ENCLOSES, &closed_off(end)].concat();
    let begun =
        |may_place: String, more: &str| [&may_place, ENCLOSES, &closed_off(USUAL), more].concat();
    let other = |from: &str, to: &str| MAY_PLACE.replace(from, to);
    let wanted = sets(&reversi(&ended(USUAL)));
    assert_eq!(wanted.len(), 1, "{wanted:#?}");
    assert_eq!(wanted[0].matches("walk_passed").count(), 8, "{wanted:#?}");
    let spellings = [
        // Branches, and what they are made of.
        ended("IF($DISC == $ME, true, IF($DISC == (3 - $ME), ClosedOff, false))"),
        ended("IF($DISC != (3 - $ME), $DISC == $ME, ClosedOff)"),
        ended("IF(EMPTY(\"b($U,$V)\"), false, IF($DISC == $ME, true, ClosedOff))"),
        ended("($DISC == $ME) OR (($DISC == (3 - $ME)) AND ClosedOff)"),
        ended("NOT (($DISC != $ME) AND NOT (($DISC == (3 - $ME)) AND ClosedOff))"),
        // Tests with other words.
        begun(MAY_PLACE.to_owned(), "").replacen(
            &format!("  {theirs}\n"),
            "  NOT EMPTY(\"b($U,$V)\")\n  STATE(CONTENT(\"b($U,$V)\")) != $ME\n",
            1,
        ),
        // Loops.
        begun(
            other(
                "$DX, -1, 1, FORSOME($DY, -1, 1",
                "$DY, -1, 1, FORSOME($DX, -1, 1",
            ),
            "",
        ),
        begun(
            other(
                "FORSOME($DX, -1, 1, FORSOME($DY, -1, 1, Encloses))",
                "NOT FORALL($DX, 1, -1, FORALL($DY, -1, 1, NOT Encloses))",
            ),
            "",
        ),
        begun(other("Encloses", "FORSOME($LEN, 1, 4, RowOf)"), BY_LENGTH),
        begun(
            other("Encloses", "FORSOME($LEN, 4, 1, RowOf)"),
            &BY_LENGTH.replace("1, $LEN", "$LEN, 1"),
        ),
        // Lengths that are counted, a function for each colour.
        [MAY_PLACE, COUNTED].concat(),
        colours_apart(),
        // Helpers.
        [
            MAY_PLACE,
            &ENCLOSES.replace(theirs, "Theirs"),
            &closed_off("IF(Theirs, ClosedOff, Mine)"),
            HELPERS,
        ]
        .concat(),
        begun(
            other(
                "FORSOME($DX, -1, 1, FORSOME($DY, -1, 1, Encloses))",
                "Row(1,0) OR (Row(-1,0) OR (Row(0,1) OR (Row(0,-1) OR (Row(1,1) OR (Row(-1,-1) OR (Row(1,-1) OR Row(-1,1)))))))",
            ),
            "Row($DX,$DY)\n  Encloses\nEND\n\n",
        ),
    ];
    for spelling in &spellings {
        assert_eq!(sets(&reversi(spelling)), wanted, "{spelling}");
    }
}

#[test]
fn walks_that_mean_something_else_are_told_apart() {
    let of = |end: &str| sets(&reversi(&[MAY_PLACE, ENCLOSES, &closed_off(end)].concat()));
    let usual = of(USUAL);
    assert_ne!(of("IF($DISC == $ME, ClosedOff, $DISC == (3 - $ME))"), usual);
    assert_ne!(
        of("IF($DISC == (3 - $ME), ClosedOff, EMPTY(\"b($U,$V)\"))"),
        usual
    );
}

#[test]
fn walks_that_are_not_asked_where_they_could_hold_are_missed() {
    let of = |bound: u32| {
        let rows = format!(
            "(($X < {bound}) AND Row(1,0)) OR (Row(-1,0) OR (Row(0,1) OR (Row(0,-1) OR (Row(1,1) OR (Row(-1,-1) OR (Row(1,-1) OR Row(-1,1)))))))"
        );
        let all = "FORSOME($DX, -1, 1, FORSOME($DY, -1, 1, Encloses))";
        let may_place = MAY_PLACE.replace(all, &rows);
        let row = "Row($DX,$DY)\n  Encloses\nEND\n\n";
        sets(&reversi(
            &[&may_place, row, ENCLOSES, &closed_off(USUAL)].concat(),
        ))
    };
    let usual = sets(&reversi(
        &[MAY_PLACE, ENCLOSES, &closed_off(USUAL)].concat(),
    ));
    // One place is left to the right of the fifth: no walk passes it and is stopped behind it.
    assert_eq!(of(5), usual);
    assert_ne!(of(4), usual);
}

#[test]
fn places_may_be_listed_in_any_order() {
    let functions = [MAY_PLACE, ENCLOSES, &closed_off(USUAL)].concat();
    let wanted = sets(&reversi(&functions));
    let snake = |place: usize| match place / SIZE % 2 {
        0 => place,
        _ => place / SIZE * SIZE + SIZE - 1 - place % SIZE,
    };
    let shuffled = |place: usize| place * 23 % (SIZE * SIZE);
    assert_eq!(sets(&reversi_listed(&functions, snake)), wanted);
    assert_eq!(sets(&reversi_listed(&functions, shuffled)), wanted);
}

/// A game on a small board that ends when the stone that was put on `$C`,`$R` is in a `Line`.
fn lines_game(functions: &str) -> String {
    let mut text = String::from(
        "[ELEMENT TYPES]\nname=black\nstates=1\n\nname=white\nstates=1\n\n[LOCATION TYPES]\nname=square\nshape=rectangular(9,9)\npoint=0,0\n\n\
         name=tray\nrelevant=no\nshape=rectangular(9,9)\npoint=0,0\n\n[LOCATIONS]\n",
    );
    for place in 0..SIZE * SIZE {
        let (x, y) = (1 + place % SIZE, 1 + place / SIZE);
        let _ = writeln!(text, "name=b({x},{y})\ntype=square\npoint={x},{y}\n");
    }
    let mut stones = String::new();
    for (owner, side, kind) in [(1, "u", "black"), (2, "v", "white")] {
        for number in 1..=SIZE * SIZE / 2 {
            let _ = writeln!(
                text,
                "name={side}t({number})\ntype=tray\npoint=0,{number}\n"
            );
            let _ = writeln!(
                stones,
                "name={side}({number})\ntype={kind}\nplayer={owner}\nlocation={side}t({number})\n"
            );
        }
    }
    let _ = write!(
        text,
        "[PLAYER NAMES]\n1=black\n2=white\n\n[MOVABLE ELEMENTS]\n{stones}[EXPRESSIONS]\n{functions}\
         [END OF GAME]\nsituation=Line\nwinner=3 - PLAYER\n\n[GAME RULES]\n"
    );
    for (owner, side) in [(1, "u"), (2, "v")] {
        let _ = writeln!(
            text,
            "name=put{owner}\nelement={side}($N)\nplayer={owner}\nfrom={side}t($S)\nto=b($C,$R)\nfollowup=NEXTPLAYER\n"
        );
    }
    text
}

/// The lines that are looked for: for each place their places, in any order.
fn lines(text: &str) -> Vec<Vec<Vec<Vec<u32>>>> {
    let game = compiled(text);
    let tables = game.tables.iter();
    let tables = tables.filter(|table| table.name.starts_with("lines"));
    let mut all: Vec<Vec<Vec<Vec<u32>>>> = tables
        .map(|table| {
            let each = game.domains.iter().map(|domain| domain.len());
            let places = each.max().unwrap_or(1).min(table.values.len());
            // Who asks knows that the place itself is in the line, or asks that too.
            let row = |(place, row): (u32, &[Const])| -> Vec<Vec<u32>> {
                let members = row.iter().map(|set| match set {
                    Const::Set(members) => members.clone(),
                    _ => Vec::new(),
                });
                let others =
                    |members: Vec<u32>| members.into_iter().filter(|own| *own != place).collect();
                let mut lines: Vec<Vec<u32>> = members.map(others).collect();
                lines.sort_unstable();
                lines.dedup();
                lines
            };
            let rows = (0u32..).zip(table.values.chunks(table.values.len() / places));
            rows.map(row).collect()
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn lines_do_not_depend_on_the_numbers_by_which_they_are_told() {
    let directions =
        |what: &str| format!("({what}(1, 0) OR {what}(0, 1)) OR ({what}(1, 1) OR {what}(1, -1))");
    let mine = "Mine($U,$V)\n  OWNER(CONTENT(\"b($U,$V)\")) == 3 - PLAYER\nEND\n\n";
    let line =
        |what: &str, rest: &str| format!("Line\n  {}\nEND\n\n{rest}{mine}", directions(what));
    let three = line(
        "Three",
        "Three($DX,$DY)\n  FORSOME($A, -2, 0, FORALL($I, $A, $A + 2, Mine($C + ($I * $DX), $R + ($I * $DY))))\nEND\n\n",
    );
    let spellings = [
        // How far it goes to both sides.
        line(
            "Long",
            "Long($DX,$DY)\n  (Length($C + $DX, $R + $DY, $DX, $DY) + Length($C - $DX, $R - $DY, 0 - $DX, 0 - $DY)) >= 2\nEND\n\n\
             Length($U,$V,$EX,$EY)\n  IF(Mine($U, $V), 1 + Length($U + $EX, $V + $EY, $EX, $EY), 0)\nEND\n\n",
        ),
        // How many of three are mine.
        line(
            "Three",
            "Three($DX,$DY)\n  FORSOME($A, -2, 0, Counted)\nEND\n\n\
             Counted\n  $COUNT = 0\n  FORALL($I, $A, $A + 2, Count($C + ($I * $DX), $R + ($I * $DY)))\n  $COUNT == 3\nEND\n\n\
             Count($U,$V)\n  $COUNT = $COUNT + IF(Mine($U, $V), 1, 0)\nEND\n\n",
        ),
        // What is left of three.
        line(
            "Three",
            "Three($DX,$DY)\n  FORSOME($A, 0, 2, Left(3, $C - ($A * $DX), $R - ($A * $DY)) == 0)\nEND\n\n\
             Left($L,$U,$V)\n  IF(($L == 0) OR NOT Mine($U, $V), $L, Left($L - 1, $U + $DX, $V + $DY))\nEND\n\n",
        ),
    ];
    let wanted = lines(&lines_game(&three));
    assert!(!wanted.is_empty());
    for spelling in &spellings {
        assert_eq!(lines(&lines_game(spelling)), wanted, "{spelling}");
    }
}
