//! Sentences for each kind of condition.

use rulec_core::GameInfo;
use rulec_render::Look;

use super::*;

const INFO: GameInfo = GameInfo {
    players: &["white", "black"],
    ..GameInfo::EMPTY
};

/// Kind, condition, what it came to, values, and the sentence.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

fn told(kind: &'static str, condition: &str, came_to: &str, values: &[(&str, &str)]) -> String {
    let look = Look::default();
    let position = Position::new(&look, &INFO, Turn::Decide(1), "", &[]);
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let refusal = Refusal {
        family: "hop".to_owned(),
        came_to: came_to.to_owned(),
        values: values.iter().map(pair).collect(),
        ..Refusal::plain(kind, condition)
    };
    plain(&position, &refusal, &[])
}

#[test]
fn what_legal_moves_do_and_what_the_rules_call_it_is_said_before_a_bare_condition() {
    let look = Look::default();
    let position = Position::new(&look, &INFO, Turn::Decide(1), "", &[]);
    let refusal = Refusal {
        family: "place".to_owned(),
        came_to: "false".to_owned(),
        values: vec![("DISC".to_owned(), "-1".to_owned())],
        within: ["MayPlace", "Encloses"].map(str::to_owned).to_vec(),
        cases: 9,
        ..Refusal::plain("condition", "DISC = 2")
    };
    assert_eq!(
        plain(&position, &refusal, &[]),
        "Place asks for MayPlace, and Encloses is so nowhere."
    );
    let against = Refusal {
        came_to: "true".to_owned(),
        ..refusal.clone()
    };
    assert_eq!(
        plain(&position, &against, &[]),
        "Place asks for MayPlace, and Encloses stands in the way."
    );
    let taking = Refusal {
        lacks: Some(Lack::Takes("r1".to_owned())),
        ..refusal
    };
    assert_eq!(
        plain(&position, &taking, &[]),
        "It would take nothing, and whoever can take something must."
    );
}

#[test]
fn where_a_piece_can_go_is_what_legal_moves_say_and_not_the_rule_that_came_nearest() {
    let look = Look::default();
    let position = Position::new(&look, &INFO, Turn::Decide(1), "", &[]);
    let to = |instead: &[&str]| {
        let refusal = Refusal {
            came_to: "false".to_owned(),
            values: [("the set", "{e3,e4,e5}"), ("from", "e2")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            instead: instead.iter().map(|&place| place.to_owned()).collect(),
            ..Refusal::plain("no-candidate", "e6 in targets[from]")
        };
        plain(&position, &refusal, &[])
    };
    assert_eq!(
        to(&["e4", "e3"]),
        "What is on e2 cannot go to e6, but to e3, e4."
    );
    assert_eq!(
        to(&["e3", "\u{2026}"]),
        "What is on e2 cannot go to e6, but to e3 and others."
    );
    assert_eq!(
        to(&[]),
        "What is on e2 cannot go to e6, nor anywhere else now."
    );
}

#[test]
fn each_kind_of_condition_has_a_sentence() {
    let cases: [Case; 25] = [
        ("over", "the game has ended", "", &[], "The game has ended."),
        (
            "no-candidate",
            "phase = black_move",
            "false",
            &[("phase", "white_move")],
            "It is white's turn.",
        ),
        (
            "condition",
            "COLOUR = number of player[turn]",
            "false",
            &[("COLOUR", "2")],
            "It is white's turn.",
        ),
        (
            "condition",
            "owner[c] = player",
            "false",
            &[("owner[c]", "-"), ("c", "r1"), ("player", "ann")],
            "r1 belongs to nobody, and not to ann.",
        ),
        (
            "condition",
            "there is what stands on to",
            "true",
            &[("what stands on to", "gf(2)"), ("to", "s(2)")],
            "s(2) is not empty: gf(2) stands there.",
        ),
        (
            "condition",
            "there is what stands on to",
            "false",
            &[("to", "s(2)")],
            "s(2) is empty.",
        ),
        (
            "no-candidate",
            "4,5 in targets[from]",
            "false",
            &[("the set", "{4,3}"), ("from", "4,1")],
            "What is on 4,1 cannot go to 4,5, nor anywhere else now.",
        ),
        (
            "condition",
            "DISTANCE = 1",
            "false",
            &[("DISTANCE", "5")],
            "DISTANCE is 5, and the rule asks for 1.",
        ),
        (
            "condition",
            "B = (A + 2)",
            "false",
            &[("B", "4"), ("A + 2", "3"), ("A", "1")],
            "B is 4, and the rule asks for A + 2, here 3.",
        ),
        (
            "condition",
            "A \u{2260} B",
            "false",
            &[("A", "4"), ("B", "4")],
            "A must not be 4.",
        ),
        (
            "no-candidate",
            "e4 in places of white king",
            "false",
            &[("the set", "{e1}")],
            "e4 is empty.",
        ),
        (
            "no-candidate",
            "truck in what stands on gate",
            "false",
            &[("the set", "{van}")],
            "Truck is not on gate; van is.",
        ),
        (
            "no-candidate",
            "player among {guard}",
            "false",
            &[("player", "driver")],
            "Guard may do that now, and driver may not.",
        ),
        (
            "no-candidate",
            "c among {r1, r2}",
            "false",
            &[("c", "b1")],
            "Hop is for r1, r2, not for b1.",
        ),
        (
            "no-candidate",
            "15 in accepted[bucket]",
            "false",
            &[("the set", "{}"), ("bucket", "0")],
            "Nothing is accepted for bucket 0.",
        ),
        (
            "condition",
            "Cross in[at] > 0",
            "true",
            &[("Cross in[at]", "1"), ("at", "sw")],
            "There is Cross in sw already.",
        ),
        (
            "condition",
            "(what stands on d and in {small}) \u{2260} {}",
            "true",
            &[("what stands on d and in {small}", "{small}"), ("d", "big")],
            "Big holds small, and must not.",
        ),
        (
            "condition",
            "Match in[r] + 0 \u{2265} 3",
            "false",
            &[("Match in[r] + 0", "1"), ("r", "top")],
            "Top has 1 Match, and must have at least 3.",
        ),
        (
            "no-candidate",
            "r4 in {b1,b2}",
            "false",
            &[],
            "Hop is for b1, b2, not for r4.",
        ),
        (
            "condition",
            "number of what stands on deck and in {r1,r2} = 2",
            "false",
            &[("number of what stands on deck and in {r1,r2}", "0")],
            "None of r1, r2 is on deck, and the rule asks for 2.",
        ),
        (
            "no-candidate",
            "such moves are not made at this time",
            "",
            &[],
            "Hop is for another time of the game.",
        ),
        (
            "condition",
            "alike: twin, p",
            "true",
            &[("twin", "Parcel#3"), ("p", "Parcel#4")],
            "Parcel#4 is like Parcel#3, which is the one that moves are written with.",
        ),
        (
            "condition",
            "is Crate[place of p]",
            "true",
            &[("place of p", "Crate#1"), ("p", "Parcel#1")],
            "Parcel#1 is in Crate#1, and must not be in a Crate.",
        ),
        (
            "condition",
            "is Crate[p]",
            "false",
            &[("p", "Parcel#1")],
            "Parcel#1 is no Crate, and must be one.",
        ),
        (
            "condition",
            "(A or B) and C",
            "false",
            &[],
            "The rule for hop does not allow it.",
        ),
    ];
    for (kind, condition, came_to, values, sentence) in cases {
        assert_eq!(
            told(kind, condition, came_to, values),
            sentence,
            "{condition}"
        );
    }
}

#[test]
fn a_draw_that_is_due_is_said_with_what_may_come() {
    let look = Look::default();
    let position = Position::new(&look, &INFO, Turn::Chance, "", &[]);
    let refusal = Refusal::plain("chance", "a draw is due before anybody can move");
    let told = |results: &[&str]| {
        let results: Vec<String> = results.iter().map(|&text| text.to_owned()).collect();
        plain(&position, &refusal, &results)
    };
    assert_eq!(
        told(&["roll 1", "roll 2"]),
        "The die is to be rolled first."
    );
    assert_eq!(
        told(&["is dealt r1", "is dealt r2", "is dealt r3"]),
        "Chance decides first: is dealt r1, is dealt r2 or is dealt r3."
    );
    let many: Vec<String> = (0..9).map(|card| format!("is dealt {card}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(
        told(&many),
        "Chance decides what comes before anybody can move."
    );
}

#[test]
fn a_piece_that_stays_stands_there_already() {
    let look = Look::default();
    let position = Position::new(&look, &INFO, Turn::Decide(1), "", &[]);
    let refusal = Refusal {
        came_to: "false".to_owned(),
        values: vec![("from".to_owned(), "e2".to_owned())],
        ..Refusal::plain("no-candidate", "e2 in targets[from]")
    };
    assert_eq!(
        plain(&position, &refusal, &[]),
        "What is on e2 stands there already."
    );
}
