//! Reasons in plain words: what a person would say who knows the position.

use rulec_core::{Lack, Refusal, Turn};
use rulec_render::Position;

/// The longest condition or list that is told, in letters.
const SHORT: usize = 60;

/// Why a move is not legal, as a sentence; the line of the rule says the rest.
///
/// `results` are the texts of what may be drawn where a draw is due.
pub(crate) fn plain(position: &Position<'_>, refusal: &Refusal, results: &[String]) -> String {
    let told = match refusal.kind {
        "over" => "the game has ended".to_owned(),
        "chance" => due(position, results),
        "not-a-move" => refusal.condition.clone(),
        "legal" => "this move is legal".to_owned(),
        "rank" => outranked(position, refusal),
        _ => {
            let known = [
                untimely(refusal),
                alike(refusal),
                turn(position, refusal),
                owned(refusal),
                taken(refusal),
                attacked(position, refusal),
                taken_from(position, refusal),
                elsewhere(position, refusal),
                unreachable(position, refusal),
                offered(position, refusal),
                outside(position, refusal),
                holding(position, refusal),
                counted(position, refusal),
                lacking(position, refusal),
                elsewhere_only(position, refusal),
                one_of_many(refusal),
                of_kind(refusal),
                compared(refusal),
                measured(refusal),
                named(refusal),
            ];
            let found = known.into_iter().flatten().next();
            found.unwrap_or_else(|| format!("the rule for {} does not allow it", refusal.family))
        }
    };
    // Texts that are no moves speak of the rules' own names.
    let told = match refusal.kind {
        "not-a-move" => told,
        _ => position.in_coordinates(&told),
    };
    if told.ends_with('?') {
        return begun(&told);
    }
    format!("{}.", begun(&told))
}

/// A sentence with a capital at its beginning, unless it begins with a name, which is spelled as in the rules: one letter, or
/// signs and digits in it.
fn begun(sentence: &str) -> String {
    let word = sentence.split(' ').next().unwrap_or_default();
    let plain = (word.len() > 1 || word == "a")
        && word
            .chars()
            .all(|letter| letter.is_lowercase() || letter == ',');
    let mut letters = sentence.chars();
    match (plain, letters.next()) {
        (true, Some(first)) => format!("{}{}", first.to_uppercase(), letters.as_str()),
        _ => sentence.to_owned(),
    }
}

/// What is drawn before anybody can move.
fn due(position: &Position<'_>, results: &[String]) -> String {
    if !results.is_empty() && results.iter().all(|text| text.starts_with("roll ")) {
        let who = position
            .drawing()
            .and_then(|player| position.info.players.get(player));
        return match who {
            Some(who) => format!("{who} is to roll first, and what comes is left to the die"),
            None => "the die is to be rolled first".to_owned(),
        };
    }
    match results.split_last() {
        Some((last, rest)) if !rest.is_empty() && rest.len() < 4 => {
            format!("chance decides first: {} or {last}", rest.join(", "))
        }
        _ => "chance decides what comes before anybody can move".to_owned(),
    }
}

/// What something that was looked at came to.
fn value<'r>(refusal: &'r Refusal, name: &str) -> Option<&'r str> {
    let mut values = refusal.values.iter();
    values
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}

/// Moves of this kind are made at other times.
fn untimely(refusal: &Refusal) -> Option<String> {
    let (kind, condition) = (refusal.kind, refusal.condition.as_str());
    let is_so = kind == "no-candidate" && condition == "such moves are not made at this time";
    is_so.then(|| format!("{} is for another time of the game", refusal.family))
}

/// A piece that nobody can tell from another one, which stands for both in moves.
fn alike(refusal: &Refusal) -> Option<String> {
    let (first, own) = refusal
        .condition
        .strip_prefix("alike: ")?
        .split_once(", ")?;
    let first = value(refusal, first).unwrap_or(first);
    let own = value(refusal, own).unwrap_or(own);
    Some(format!(
        "{own} is like {first}, which is the one that moves are written with"
    ))
}

/// A piece is on the board already, and the rule takes those that are elsewhere.
fn taken_from(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let list = refusal
        .condition
        .strip_prefix("from in ")
        .and_then(braced)?;
    if refusal.kind != "condition" || refusal.came_to != "false" {
        return None;
    }
    let (piece, at) = position.standing_on(value(refusal, "from")?)?;
    let named = refusal.mv.split(' ').next().filter(|name| *name != at);
    let piece = named.unwrap_or(piece);
    let places = position.places_in(list)?;
    let family = &refusal.family;
    Some(match position.kind_of_places(&places) {
        Some(kind) if places.len() > 1 => {
            format!("{piece} on {at} stays there: {family} takes from {kind}")
        }
        _ => format!("{piece} on {at} stays there: {family} takes nothing from there"),
    })
}

/// It is somebody else's turn.
fn turn(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let condition = refusal.condition.as_str();
    let asks = condition.starts_with("phase = ") || condition.ends_with("number of player[turn]");
    let named = |name: &str| position.info.players.contains(&name);
    let asks = asks || condition.strip_prefix("turn = ").is_some_and(named);
    match asks && refusal.came_to == "false" {
        true => mover(position).map(its_turn),
        false => None,
    }
}

/// Who alone may move.
fn mover<'p>(position: &Position<'p>) -> Option<&'p str> {
    match position.turn {
        Turn::Decide(players) if players.count_ones() == 1 => {
            let number = players.trailing_zeros() as usize;
            position.info.players.get(number).copied()
        }
        _ => None,
    }
}

fn its_turn(player: &str) -> String {
    let plural = player.ends_with('s') && !player.ends_with("ss");
    let ending = if plural { "'" } else { "'s" };
    format!("it is {player}{ending} turn")
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
    // What the move itself names explains itself.
    let known = refusal.mv.is_empty() || refusal.mv.split(' ').any(|name| name == place);
    Some(match (refusal.came_to.as_str(), value(refusal, what)) {
        ("true", Some(piece)) if known => {
            format!("{place} is not empty: {} stands there", some(piece))
        }
        ("true", Some(piece)) => {
            format!(
                "{place} must be empty before that, and {} stands there",
                some(piece)
            )
        }
        ("true", None) => format!("{place} is not empty"),
        _ if known => format!("{place} is empty"),
        _ => format!("{place} is empty, and must not be"),
    })
}

/// A piece of a kind, such as `a white man`; one with a name of its own by that.
fn some(piece: &str) -> String {
    let named = piece.contains(['(', '#', '{']) || !piece.contains(' ');
    match (named, piece.starts_with(['a', 'e', 'i', 'o', 'u'])) {
        (true, _) => piece.to_owned(),
        (false, true) => format!("an {piece}"),
        (false, false) => format!("a {piece}"),
    }
}

/// After the move, something could be taken that must not.
fn attacked(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let (at, from) = attack(position, refusal)?;
    let (attacker, from) = position.standing_on(from)?;
    // Where the move itself leads, something else may stand now.
    if refusal.mv.split(' ').next_back() == Some(at) {
        return Some(format!("{at} is attacked by the {attacker} on {from}"));
    }
    let (target, at) = position.standing_on(at)?;
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
    let is_place = |name: &str, at: &str| !name.contains(' ') && position.place_named(at).is_some();
    let mut values = refusal.values.iter().rev();
    let (_, at) = values.find(|(name, at)| is_place(name, at))?;
    // Of several that threaten it the first is told.
    let from = match position.places_in(from) {
        Some(places) => *places.first()?,
        None => from,
    };
    Some((at, from))
}

/// The place where something of the one to move is threatened, so that no move may leave it so: in chess, check.
pub(crate) fn threatened(position: &Position<'_>, refusal: &Refusal) -> Option<(u32, u32)> {
    let (at, _) = attack(position, refusal)?;
    position.place_named(at)
}

/// Something is not where it should be: a kind of piece on a place, or a thing in another one.
fn elsewhere(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    if refusal.came_to != "false" {
        return None;
    }
    let (thing, set) = refusal.condition.split_once(" in ")?;
    if let Some(kind) = set.strip_prefix("places of ") {
        return Some(match position.standing_on(thing) {
            Some((piece, place)) => format!("no {kind} stands on {place}, but {piece}"),
            None => format!("{thing} is empty"),
        });
    }
    let plain = |text: &str| !text.contains(['{', '}', '(']);
    if braced(set).is_some_and(|list| plain(list) && plain(thing)) {
        let (family, list) = (&refusal.family, spaced(position, set)?);
        return Some(format!("{family} is for {list}, not for {thing}"));
    }
    let place = set.strip_prefix("what stands on ")?;
    let place = value(refusal, place).unwrap_or(place);
    if place.contains(' ') {
        return None;
    }
    Some(match spaced(position, value(refusal, "the set")?) {
        Some(others) => {
            let verb = if others.contains([',', ';']) {
                "are"
            } else {
                "is"
            };
            format!("{thing} is not on {place}; {others} {verb}")
        }
        None if value(refusal, "the set") == Some("{}") => {
            format!("{thing} is not on {place}: it is empty")
        }
        None => format!("{thing} is not on {place}"),
    })
}

/// The members of a set, apart, if they are few. Names of places may hold commas themselves.
fn spaced(position: &Position<'_>, set: &str) -> Option<String> {
    let list = short(braced(set)?)?;
    Some(match position.places_in(list) {
        Some(places) if places.iter().any(|place| place.contains(',')) => places.join("; "),
        _ => list.replace(',', ", "),
    })
}

/// What is between the braces of a set.
fn braced(set: &str) -> Option<&str> {
    set.strip_prefix('{')?.strip_suffix('}')
}

/// A list that is short enough to be told.
fn short(list: &str) -> Option<&str> {
    (!list.is_empty() && list.chars().count() <= SHORT).then_some(list)
}

/// A value that cannot be chosen for a parameter; who acts is one too.
fn offered(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let (name, list) = refusal.condition.split_once(" among ")?;
    if refusal.kind != "no-candidate" || refusal.came_to != "false" || name.contains(' ') {
        return None;
    }
    let list = braced(list)?;
    let wanted = value(refusal, name)?;
    // A letter says nothing to whoever has not read the rules.
    let means_nothing = name.chars().count() <= 2;
    Some(match (name, list) {
        ("player", "") => mover(position)
            .filter(|mover| *mover != wanted)
            .map_or_else(|| "nobody can do that now".to_owned(), its_turn),
        ("player", list) => format!("{list} may do that now, and {wanted} may not"),
        (_, "") => format!("there is nothing to choose for {name}, not {wanted} either"),
        ("from", list) => match position.standing_on(wanted) {
            None if position.place_named(wanted).is_some() => {
                format!(
                    "{wanted} is empty: {}",
                    source(position, &refusal.family, list)
                )
            }
            _ => format!("what moves is on {list}, not on {wanted}"),
        },
        ("to", list) => {
            let open = list.strip_suffix(", \u{2026}");
            let places = position.places_in(open.unwrap_or(list)).unwrap_or_default();
            match position.kind_of_places(&places) {
                Some(kind) if places.len() > 3 => {
                    let kind = some(&format!("{kind} ")).trim_end().to_owned();
                    format!("{} ends on {kind}, and {wanted} is none", refusal.family)
                }
                _ => format!("{} is for {list}, not for {wanted}", refusal.family),
            }
        }
        (_, list) if means_nothing => {
            format!("{} is for {list}, not for {wanted}", refusal.family)
        }
        (_, list) => format!("{name} can be {list} here, and not {wanted}"),
    })
}

/// Where what a rule moves is: in a store, on a place, or on one of several.
fn source(position: &Position<'_>, family: &str, list: &str) -> String {
    let open = list.strip_suffix(", \u{2026}").unwrap_or(list);
    let places = position.places_in(open).unwrap_or_default();
    let stored = !places.is_empty() && places.iter().all(|at| position.is_store_named(at));
    let kind = position.kind_of_places(&places).filter(|_| stored);
    match (kind, position.standing_on(list)) {
        (Some(kind), _) => format!("{family} takes from {kind}"),
        (None, Some((piece, at))) => format!("{piece} is on {at}"),
        (None, None) => format!("what moves is on {list}"),
    }
}

/// Moves of a higher rank come first.
fn outranked(position: &Position<'_>, refusal: &Refusal) -> String {
    let first = value(refusal, "a move that comes first");
    match (lacking(position, refusal), first) {
        (Some(lacks), _) if matches!(refusal.lacks, Some(Lack::Takes(_))) => lacks,
        (_, Some(first)) => format!("another move comes first: {first}"),
        _ => "another move comes first".to_owned(),
    }
}

/// All moves that are legal do something that this one would not.
fn lacking(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    Some(match refusal.lacks.as_ref()? {
        Lack::Takes(_) => "it would take nothing, and whoever can take something must".to_owned(),
        Lack::Changes(piece) => {
            let (kind, turns) = position.kind_called(piece)?;
            let does = if turns { "turn over" } else { "change" };
            format!("it would {does} no {kind}, and only moves that do are legal")
        }
    })
}

/// Comparisons, and how they are said.
const SIGNS: [(&str, &str); 4] = [
    (" > ", "more than"),
    (" < ", "less than"),
    (" \u{2265} ", "at least"),
    (" \u{2264} ", "at most"),
];

/// So many of some things are somewhere, and the rule asks for another number.
fn counted(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let signs = SIGNS.iter().chain([&(" = ", "")]);
    let (counted, wanted, words) = signs.clone().find_map(|(sign, words)| {
        let (counted, wanted) = refusal.condition.split_once(sign)?;
        Some((counted, wanted, *words))
    })?;
    let (place, list) = counted
        .strip_prefix("number of what stands on ")?
        .split_once(" and in ")?;
    let list = spaced(position, list)?;
    let is = value(refusal, counted)?;
    let is = if is == "0" { "none" } else { is };
    let place = value(refusal, place).unwrap_or(place);
    let verb = if matches!(is, "none" | "1") {
        "is"
    } else {
        "are"
    };
    (refusal.came_to == "false")
        .then(|| {
            format!("{is} of {list} {verb} on {place}, and the rule asks for {words} {wanted}")
        })
        .map(|told| told.replace("  ", " "))
}

/// A piece on the board could go elsewhere, or nowhere.
fn elsewhere_only(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let (rest, to) = refusal.mv.rsplit_once(' ')?;
    position.place_named(to)?;
    let mut names = rest.rsplit(' ');
    let (piece, from) = names.find_map(|name| position.standing_on(name))?;
    let who = match piece.contains(['(', '#']) || !piece.contains(' ') {
        true => format!("{piece} on {from}"),
        false => format!("the {piece} on {from}"),
    };
    let list = refusal.instead.join(", ");
    if list == "\u{2026}" {
        return None;
    }
    Some(match (position.is_store_named(from), list.is_empty()) {
        (true, true) => return None,
        (true, false) => format!("{to} is no place for it now, but {}", short(&list)?),
        (false, true) => {
            let why = named(refusal).map_or(String::new(), |why| format!(": {why}"));
            format!("{who} cannot go to {to}, nor anywhere else now{why}")
        }
        (false, false) => format!("{who} cannot go to {to}, but to {}", short(&list)?),
    })
}

/// Something holds things that it must not hold, or none of those that it must.
fn holding(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let condition = refusal.condition.as_str();
    let unequal = condition.strip_suffix(" \u{2260} {}");
    let held = unequal.or_else(|| condition.strip_suffix(" = {}"))?;
    let held = held
        .strip_prefix('(')
        .and_then(|held| held.strip_suffix(')'))
        .unwrap_or(held);
    let (place, wanted) = match held.strip_prefix("what stands on ")?.split_once(" and in ") {
        Some((place, set)) => (place, set.to_owned()),
        None => (held.strip_prefix("what stands on ")?, String::new()),
    };
    let place = value(refusal, place).unwrap_or(place);
    if place.contains(' ') {
        return None;
    }
    match unequal.is_some() == (refusal.came_to == "true") {
        true => Some(format!(
            "{place} holds {}, and must not",
            spaced(position, value(refusal, held)?)?
        )),
        false if wanted.is_empty() => Some(format!("{place} holds nothing")),
        false => Some(format!(
            "{place} holds none of {}",
            spaced(position, &wanted)?
        )),
    }
}

/// The rule looks for something that a condition holds for, and there is nothing: the last thing that it looked at is no reason.
fn one_of_many(refusal: &Refusal) -> Option<String> {
    match refusal.cases {
        0 | 1 => None,
        _ => named(refusal),
    }
}

/// What the rule asks for by name, where it has one.
fn named(refusal: &Refusal) -> Option<String> {
    let asked = |name: &&String| name.starts_with(char::is_alphabetic) && !name.contains(' ');
    let mut names = refusal.within.iter().filter(asked);
    let outer = names.next()?;
    let family = &refusal.family;
    if refusal.came_to == "true" {
        return Some(match names.next() {
            Some(next) => format!("{family} asks for {outer}, and {next} stands in the way"),
            None => format!("{family} asks for {outer}, and that is not so"),
        });
    }
    Some(match (names.next_back(), refusal.cases) {
        (None, _) => format!("{family} asks for {outer}, and that is not so"),
        (Some(inner), 0 | 1) => format!("{family} asks for {outer}, and {inner} is not so"),
        (Some(inner), _) => format!("{family} asks for {outer}, and {inner} is so nowhere"),
    })
}

/// Something is not in a set that depends on a choice.
fn outside(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    let (thing, set) = refusal.condition.split_once(" in ")?;
    let (name, param) = set.strip_suffix(']')?.split_once('[')?;
    let chosen = value(refusal, param)?;
    let set = value(refusal, "the set")?;
    if refusal.came_to != "false" || name.contains('(') {
        return None;
    }
    Some(match spaced(position, set) {
        Some(list) => format!("{thing} is not {name} for {param} {chosen}; these are: {list}"),
        None if set == "{}" => format!("nothing is {name} for {param} {chosen}"),
        None => format!("{thing} is not {name} for {param} {chosen}"),
    })
}

/// A number is too large or too small.
fn measured(refusal: &Refusal) -> Option<String> {
    let condition = refusal.condition.as_str();
    let (left, right, words) = SIGNS.iter().find_map(|(sign, words)| {
        let (left, right) = condition.split_once(sign)?;
        Some((left, right, *words))
    })?;
    let (left, right) = (side(left)?, side(right)?);
    let is = value(refusal, left)?;
    let left = left.strip_suffix(" + 0").unwrap_or(left);
    let right = value(refusal, right).unwrap_or(right);
    // The indexes of a variable by what they are.
    let what = match left.strip_suffix(']').and_then(|left| left.split_once('[')) {
        Some(("state", index)) => {
            format!("the state of {}", value(refusal, index).unwrap_or(index))
        }
        Some((name, index)) => format!("{name} {}", value(refusal, index).unwrap_or(index)),
        None => left.to_owned(),
    };
    if (words, right, refusal.came_to.as_str()) == ("more than", "0", "true") {
        // A number of things that must not be there.
        let place = left.strip_suffix(']').and_then(|left| left.split_once('['));
        if let Some((name, index)) = place.filter(|(name, _)| name.ends_with(" in")) {
            let place = value(refusal, index).unwrap_or(index);
            return Some(format!("there is {name} {place} already"));
        }
    }
    if let Some((thing, place)) = what.split_once(" in ")
        && !what.starts_with("number of ")
        && refusal.came_to == "false"
    {
        return Some(format!(
            "{place} has {is} {thing}, and must have {words} {right}"
        ));
    }
    let must = match refusal.came_to.as_str() {
        "true" => "must not be",
        _ => "must be",
    };
    Some(format!("{what} is {is}, and {must} {words} {right}"))
}

/// A place that a piece does not get to, or that one of its own side stands on.
fn unreachable(position: &Position<'_>, refusal: &Refusal) -> Option<String> {
    if refusal.kind != "no-candidate" {
        return None;
    }
    let (place, set) = refusal.condition.split_once(" in ")?;
    if let (Some(piece), "true") = (set.strip_prefix("places of "), refusal.came_to.as_str()) {
        return (piece.chars().count() <= SHORT)
            .then(|| format!("{place} is taken: {} stands there", some(piece)));
    }
    let from = value(refusal, "from")?;
    let who = match position.standing_on(from) {
        Some((piece, from)) => format!("the {piece} on {from}"),
        None => format!("what is on {from}"),
    };
    if from == place {
        return Some(format!("{who} stands there already"));
    }
    let stands = position.standing_on(place).map(|(piece, _)| some(piece));
    let place = match stands.filter(|piece| piece.chars().count() <= SHORT) {
        Some(piece) => format!("{place}, where {piece} stands"),
        None => place.to_owned(),
    };
    // The rule that came nearest may be one of several, and ask for more.
    let mut ways: Vec<String> = Vec::new();
    let mut more = "";
    for place in &refusal.instead {
        match place.as_str() {
            "\u{2026}" => more = " and others",
            place => ways.push(position.in_coordinates(place)),
        }
    }
    if ways.is_empty() {
        return Some(format!("{who} cannot go to {place}, nor anywhere else now"));
    }
    ways.sort();
    let apart = ways.iter().any(|place| place.contains(','));
    let ways = ways.join(if apart { "; " } else { ", " });
    Some(format!("{who} cannot go to {place}, but to {ways}{more}"))
}

/// Something is of a kind that it must not be of, or of another one than it must.
fn of_kind(refusal: &Refusal) -> Option<String> {
    let (kind, what) = refusal.condition.strip_prefix("is ")?.split_once('[')?;
    let what = what.strip_suffix(']')?;
    let thing = value(refusal, what).or((!what.contains(' ')).then_some(what))?;
    let is_so = refusal.came_to == "true";
    let must = if is_so { "must not" } else { "must" };
    Some(match (what.strip_prefix("place of "), is_so) {
        (Some(piece), _) => {
            let piece = value(refusal, piece).unwrap_or(piece);
            format!("{piece} is in {thing}, and {must} be in a {kind}")
        }
        (None, true) => format!("{thing} is a {kind}, and must not be one"),
        (None, false) => format!("{thing} is no {kind}, and must be one"),
    })
}

/// A number or a name is another one than the rule asks for, or one that it does not admit.
fn compared(refusal: &Refusal) -> Option<String> {
    let condition = refusal.condition.as_str();
    let (left, right, equal) = match condition.split_once(" = ") {
        Some((left, right)) => (left, right, true),
        None => {
            let (left, right) = condition.split_once(" \u{2260} ")?;
            (left, right, false)
        }
    };
    let (left, right) = (side(left)?, side(right)?);
    let wanted = match value(refusal, right) {
        Some(number) if right.contains(' ') => format!("{right}, here {number}"),
        Some(value) => value.to_owned(),
        None => right.to_owned(),
    };
    if equal == (refusal.came_to == "true") {
        return Some(format!("{left} must not be {wanted}"));
    }
    let is = value(refusal, left)?;
    Some(format!("{left} is {is}, and the rule asks for {wanted}"))
}

/// A side of a comparison that is short enough to be told, without the brackets around it.
fn side(text: &str) -> Option<&str> {
    let counted = text.starts_with("number of ") && text.chars().count() <= SHORT;
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let text = inner.unwrap_or(text);
    let words = ["if ", "there is ", " and ", " or ", " in ", "("];
    let plain = text.chars().count() <= SHORT / 2 && !words.iter().any(|word| text.contains(word));
    (counted || plain).then_some(text)
}

#[cfg(test)]
mod tests;
