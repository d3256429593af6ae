//! Reasons in plain words: what a person would say who knows the position.

use rulec_core::{Refusal, Turn};
use rulec_render::Position;

/// The longest condition or list that is told, in letters.
const SHORT: usize = 60;

/// Why a move is not legal, as a sentence; the line of the rule says the rest.
pub(crate) fn plain(position: &Position<'_>, refusal: &Refusal) -> String {
    let told = match refusal.kind {
        "over" => "the game has ended".to_owned(),
        "chance" => "a draw is due before anybody can move".to_owned(),
        "not-a-move" => "no rule speaks of that".to_owned(),
        "legal" => "this move is legal".to_owned(),
        "rank" => match value(refusal, "a move that comes first") {
            Some(first) => format!("another move comes first: {first}"),
            None => "another move comes first".to_owned(),
        },
        _ => {
            let known = [
                turn(position, refusal),
                owned(refusal),
                taken(refusal),
                attacked(position, refusal),
                unreachable(position, refusal),
                compared(refusal),
            ];
            let found = known.into_iter().flatten().next();
            found.unwrap_or_else(|| format!("the rule for {} does not allow it", refusal.family))
        }
    };
    let told = position.in_coordinates(&told);
    let mut letters = told.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// What something that was looked at came to.
fn value<'r>(refusal: &'r Refusal, name: &str) -> Option<&'r str> {
    let mut values = refusal.values.iter();
    values
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}

/// It is somebody else's turn.
fn turn(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let condition = refusal.condition.as_str();
    let asks = condition.starts_with("phase = ") || condition.ends_with("number of player[turn]");
    let Turn::Decide(players) = position.turn else {
        return None;
    };
    if !asks || refusal.came_to != "false" || players.count_ones() != 1 {
        return None;
    }
    let mover = position
        .info
        .players
        .get(players.trailing_zeros() as usize)?;
    Some(format!("it is {mover}'s turn"))
}

/// Something belongs to another player, or to nobody.
fn owned(refusal: &Refusal) -> Option<String> {
    let (left, player) = refusal.condition.split_once(" = ")?;
    let thing = left.strip_prefix("owner[")?.strip_suffix(']')?;
    if refusal.came_to != "false" {
        return None;
    }
    let thing = value(refusal, thing).unwrap_or(thing);
    let player = value(refusal, player).unwrap_or(player);
    Some(match value(refusal, left) {
        None | Some("-") => format!("{thing} belongs to nobody, and not to {player}"),
        Some(owner) => format!("{thing} belongs to {owner}, not to {player}"),
    })
}

/// A place is taken, or empty.
fn taken(refusal: &Refusal) -> Option<String> {
    let condition = refusal.condition.as_str();
    let what = condition.strip_prefix("there is ")?;
    let place = what.strip_prefix("what stands on ")?;
    let place = value(refusal, place).unwrap_or(place);
    if place.chars().count() > SHORT {
        return None;
    }
    match (refusal.came_to.as_str(), value(refusal, what)) {
        ("true", Some(piece)) => Some(format!("{place} is not empty: {piece} stands there")),
        ("true", None) => Some(format!("{place} is not empty")),
        _ => Some(format!("{place} is empty")),
    }
}

/// After the move, something could be taken that must not.
fn attacked(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let (at, from) = attack(position, refusal)?;
    let ((attacker, from), (target, at)) = (position.standing_on(from)?, position.standing_on(at)?);
    Some(match target.ends_with("king") {
        true => format!("the {target} would be in check from the {attacker} on {from}"),
        false => format!("the {target} on {at} could be taken by the {attacker} on {from}"),
    })
}

/// The names of the places where something could be taken that must not, and from where.
fn attack<'r>(position: &Position<'_>, refusal: &'r Refusal) -> Option<(&'r str, &'r str)> {
    let set = refusal.condition.strip_suffix(" \u{2260} {}")?;
    let set = set
        .strip_prefix('(')
        .and_then(|set| set.strip_suffix(')'))
        .unwrap_or(set);
    if refusal.kind != "after" || refusal.came_to != "true" {
        return None;
    }
    let from = value(refusal, set)?.strip_prefix('{')?.strip_suffix('}')?;
    let is_place = |name: &str, at: &str| !name.contains(' ') && position.standing_on(at).is_some();
    let mut values = refusal.values.iter().rev();
    let (_, at) = values.find(|(name, at)| is_place(name, at))?;
    // Of several that threaten it the first is told.
    Some((at, from.split(", ").next()?))
}

/// The place where something of the one to move is threatened, so that no move may leave it so: in chess, check.
pub(crate) fn threatened(position: &Position<'_>, refusal: &Refusal) -> Option<(u32, u32)> {
    let (at, _) = attack(position, refusal)?;
    position.place_named(at)
}

/// A place that a piece does not get to, or that one of its own side stands on.
fn unreachable(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    if refusal.kind != "no-candidate" {
        return None;
    }
    let (place, set) = refusal.condition.split_once(" in ")?;
    if let (Some(piece), "true") = (set.strip_prefix("places of "), refusal.came_to.as_str()) {
        return (piece.chars().count() <= SHORT)
            .then(|| format!("{place} is taken: {piece} stands there"));
    }
    let from = value(refusal, "from")?;
    let who = match position.standing_on(from) {
        Some((piece, from)) => format!("the {piece} on {from}"),
        None => format!("what is on {from}"),
    };
    let ways = value(refusal, "the set").and_then(|set| {
        let set = set.strip_prefix('{')?.strip_suffix('}')?;
        (!set.is_empty() && set.chars().count() <= SHORT).then(|| set.to_owned())
    });
    Some(match ways {
        Some(ways) => format!("{who} cannot go to {place}, but to {ways}"),
        None => format!("{who} cannot go to {place}"),
    })
}

/// A number or a name is another one than the rule asks for.
fn compared(refusal: &Refusal) -> Option<String> {
    let (left, right) = refusal.condition.split_once(" = ")?;
    let is_name = |text: &str| text.chars().count() <= SHORT / 2 && !text.contains('(');
    if refusal.came_to != "false" || !is_name(left) || !is_name(right) {
        return None;
    }
    let is = value(refusal, left)?;
    let wanted = value(refusal, right).unwrap_or(right);
    Some(format!("{left} is {is}, and the rule asks for {wanted}"))
}

#[cfg(test)]
mod tests {
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
        plain(&position, &refusal)
    }

    #[test]
    fn each_kind_of_condition_has_a_sentence() {
        let cases: [Case; 9] = [
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
                "R1 belongs to nobody, and not to ann.",
            ),
            (
                "condition",
                "there is what stands on to",
                "true",
                &[("what stands on to", "gf(2)"), ("to", "s(2)")],
                "S(2) is not empty: gf(2) stands there.",
            ),
            (
                "condition",
                "there is what stands on to",
                "false",
                &[("to", "s(2)")],
                "S(2) is empty.",
            ),
            (
                "no-candidate",
                "4,5 in targets[from]",
                "false",
                &[("the set", "{4,3}"), ("from", "4,1")],
                "What is on 4,1 cannot go to 4,5, but to 4,3.",
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
}
