//! Effects that mean the same, spelled in several ways, come to the same operations on sets.

use crate::board::tests::{COUNTED, ENCLOSES, MAY_PLACE, USUAL, closed_off, compiled, reversi_by};
use crate::ir::print;

use super::{Way, ways};

/// What is scored, so that the counter matters.
const SCORED: &str = "[SCORINGS]\nsituation=$TURNED > 0\nplayer=3 - PLAYER\nscore=$TURNED + 1\n\n";

/// A disc is placed, and this done in all directions.
fn place(each: &str) -> String {
    format!(
        "Place
  $ME = PLAYER
  $TURNED = 0
  SETSTATE(CONTENT(\"b($X,$Y)\"), $ME)
  FORALL($DX, -1, 1, FORALL($DY, -1, 1, {each}))
  NEXTPLAYER
END

"
    )
}

const THERE_AND_BACK: &str = "TurnBack
  $U = ($U - $DX)
  $V = ($V - $DY)
  IF(($U == $X) AND ($V == $Y), true, TurnDisc)
END

TurnDisc
  SETSTATE(CONTENT(\"b($U,$V)\"), $ME)
  $TURNED = ($TURNED + 1)
  TurnBack
END

";

/// Discs are turned when the calls come back.
const ON_THE_WAY_BACK: &str = "Begin
  $U = ($X + $DX)
  $V = ($Y + $DY)
  STATE(CONTENT(\"b($U,$V)\")) == (3 - $ME)
  Deeper
END

Deeper
  Row
  $U = ($U - $DX)
  $V = ($V - $DY)
  SETSTATE(CONTENT(\"b($U,$V)\"), $ME)
  $TURNED = ($TURNED + 1)
END

Row
  $U = ($U + $DX)
  $V = ($V + $DY)
  IF(STATE(CONTENT(\"b($U,$V)\")) == $ME, true, IF(STATE(CONTENT(\"b($U,$V)\")) == (3 - $ME), Deeper, false))
END

";

const BY_NUMBER: &str = "Turn
  $U = ($X + ($I * $DX))
  $V = ($Y + ($I * $DY))
  SETSTATE(CONTENT(\"b($U,$V)\"), $ME)
  $TURNED = ($TURNED + 1)
END

";

/// Forward again, until a disc is not the opponent's.
const UP_TO_THE_STOP: &str = "Again
  $U = $X
  $V = $Y
  TurnOn
END

TurnOn
  $U = ($U + $DX)
  $V = ($V + $DY)
  IF(STATE(CONTENT(\"b($U,$V)\")) == $ME, true, TurnThis)
END

TurnThis
  SETSTATE(CONTENT(\"b($U,$V)\"), $ME)
  $TURNED = ($TURNED + 1)
  TurnOn
END

";

fn rules(parts: &[&str]) -> String {
    let usual = [ENCLOSES, &closed_off(USUAL)].concat();
    let guard = if parts.concat().contains("Follow") {
        String::new()
    } else {
        usual
    };
    reversi_by(
        &[MAY_PLACE, &guard, &parts.concat()].concat(),
        SCORED,
        |place| place,
    )
}

/// A disc is placed, and another function has the rows around it turned.
fn place_and(around: &str) -> String {
    let each = "FORALL($DX, -1, 1, FORALL($DY, -1, 1, IF(Encloses, TurnBack, true)))";
    place("IF(Encloses, TurnBack, true)").replace(each, "Around(0)") + around
}

/// The directions by a recursion at the end of a function, in the middle of one, and by loops.
const AROUND: [&str; 3] = [
    "Around($D)
  IF($D == 9, true, Here($D))
END

Here($D)
  $DX = (($D / 3) - 1)
  $DY = (($D % 3) - 1)
  IF(Encloses, TurnBack, true)
  Around($D + 1)
END

",
    "Around($D)
  $DX = (($D / 3) - 1)
  $DY = (($D % 3) - 1)
  IF(NOT Encloses, true, TurnBack)
  IF($D < 8, Around($D + 1), true)
END

",
    "Around($D)
  FORALL($DX, -1, 1, FORALL($DY, -1, 1, IF(Encloses, TurnBack, true)))
END

",
];

/// What is done to sets, without names that tell where variables stand; nothing where the rules stay as they are.
fn raised(text: &str) -> Option<String> {
    let printed = print::print(&compiled(text));
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let turned = lines
        .iter()
        .position(|line| line.starts_with("turned = ") || line.starts_with("turned%"))?;
    let set = |line: &&&str| line.starts_with("standing") || line.starts_with("passed");
    let before = lines[..turned].iter().rev().take_while(set).count();
    let after = lines[turned..]
        .iter()
        .position(|line| line.starts_with("$TURNED"))?;
    let plain = lines[turned - before..=turned + after].iter().map(|line| {
        let line = line.split("  @").next().unwrap_or_default();
        let mut parts = line.split('%');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| {
            all + part.trim_start_matches(|c: char| c.is_ascii_digit())
        })
    });
    Some(plain.collect::<Vec<_>>().join("\n"))
}

#[test]
fn turns_do_not_depend_on_how_they_are_spelled() {
    let usual = place("IF(Encloses, TurnBack, true)");
    let wanted = raised(&rules(&[&usual, THERE_AND_BACK])).expect("it is raised");
    assert_eq!(wanted.matches(" up to ").count(), 8, "{wanted}");
    assert_eq!(wanted.matches(" down to ").count(), 8, "{wanted}");
    assert!(
        wanted.contains("$TURNED = (wrap(size(turned)) + $TURNED!)"),
        "{wanted}"
    );
    let spellings = [
        rules(&[&place("IF(NOT Encloses, true, TurnBack)"), THERE_AND_BACK]),
        rules(&[
            &usual.replace(
                "FORALL($DX, -1, 1, FORALL($DY, -1, 1",
                "FORALL($DY, 1, -1, FORALL($DX, -1, 1",
            ),
            THERE_AND_BACK,
        ]),
        rules(&[&place("IF(Begin, true, true)"), ON_THE_WAY_BACK]),
        rules(&[
            &place("IF(Encloses, FORALL($I, 1, $LEN, Turn), true)"),
            COUNTED,
            BY_NUMBER,
        ]),
        rules(&[&place("IF(Encloses, Again, true)"), UP_TO_THE_STOP]),
    ];
    for spelling in &spellings {
        assert_eq!(raised(spelling).as_deref(), Some(&wanted[..]), "{spelling}");
    }
}

#[test]
fn another_function_may_turn_what_a_placed_disc_encloses() {
    let usual = place("IF(Encloses, TurnBack, true)");
    let wanted = raised(&rules(&[&usual, THERE_AND_BACK]));
    for around in AROUND {
        let own = place_and(around);
        assert_eq!(raised(&rules(&[&own, THERE_AND_BACK])), wanted, "{around}");
    }
}

#[test]
fn what_is_no_turn_stays_as_it_is() {
    let usual = place("IF(Encloses, TurnBack, true)");
    let wanted = raised(&rules(&[&usual, THERE_AND_BACK]));
    // Only the last disc of a row; a row with the disc that stops it; the value that it has already.
    let last = THERE_AND_BACK.replace("  $TURNED = ($TURNED + 1)\n  TurnBack\n", "  true\n");
    assert_eq!(raised(&rules(&[&usual, &last])), None);
    let row = "Whole\n  SETSTATE(CONTENT(\"b($U,$V)\"), 3 - $ME)\n  TurnBack\nEND\n\n";
    let whole = place("IF(Encloses, Whole, true)");
    assert_eq!(raised(&rules(&[&whole, row, THERE_AND_BACK])), None);
    // A counter that does not count what is turned.
    let twice = THERE_AND_BACK.replace("$TURNED + 1", "($TURNED + $TURNED) + 1");
    assert_eq!(raised(&rules(&[&usual, &twice])), None);
    // Another number for each disc.
    let three = THERE_AND_BACK.replace("$TURNED + 1", "$TURNED + 3");
    let three = raised(&rules(&[&usual, &three]));
    assert!(three.is_some() && three != wanted, "{three:?}");
}

/// How each function that changes places does so.
fn told(parts: &[&str]) -> Vec<(String, Way)> {
    let game = compiled(&rules(parts));
    let all = ways(&game).into_iter();
    all.map(|(func, way)| (game.function(func).name.clone(), way))
        .collect()
}

#[test]
fn each_effect_says_which_way_it_took() {
    let usual = place("IF(Encloses, TurnBack, true)");
    let by_number = place("IF(Encloses, FORALL($I, 1, $LEN, Turn), true)");
    let again = place("IF(Encloses, Again, true)");
    for raised in [
        told(&[&usual, THERE_AND_BACK]),
        told(&[&by_number, COUNTED, BY_NUMBER]),
        told(&[&again, UP_TO_THE_STOP]),
    ] {
        let at_once = raised.iter().any(|(_, way)| *way == Way::Sets);
        let others = raised
            .iter()
            .all(|(_, way)| !matches!(way, Way::Places { .. }));
        assert!(at_once && others, "{raised:?}");
    }
}

#[test]
fn effects_that_are_no_turns_say_why() {
    let usual = place("IF(Encloses, TurnBack, true)");
    let twice = THERE_AND_BACK.replace("$TURNED + 1", "($TURNED + $TURNED) + 1");
    let last = THERE_AND_BACK.replace("  $TURNED = ($TURNED + 1)\n  TurnBack\n", "  true\n");
    let row = "Whole\n  SETSTATE(CONTENT(\"b($U,$V)\"), 3 - $ME)\n  TurnBack\nEND\n\n";
    let whole = place("IF(Encloses, Whole, true)");
    let found = [
        told(&[&usual, &twice]),
        told(&[&usual, &last]),
        told(&[&whole, row, THERE_AND_BACK]),
    ];
    let whys = found.iter().map(|told| {
        let why = told.iter().find_map(|(_, way)| match way {
            Way::Places { why, .. } => Some(*why),
            _ => None,
        });
        assert!(!told.iter().any(|(_, way)| *way == Way::Sets), "{told:?}");
        why.unwrap_or_default()
    });
    let wanted = [
        "what is looked at or done here depends on more than one place and who moves",
        "other things are changed among the rows",
        "what it changes is no row that some kind of place ends",
    ];
    assert_eq!(whys.collect::<Vec<_>>(), wanted);
}
