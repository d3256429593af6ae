//! What a simulation showed, in sentences, and what changed between two of them.

use serde_json::{Value, json};

use crate::page::{list, text, tidy};
use crate::stats::normal_tail;

/// Most things that a sentence lists.
const LISTED: usize = 8;
/// How much more often than the others something must happen to be told.
const OFTEN: f64 = 1.6;
/// The chance with which a report claims a difference where there is none.
const DOUBT: f64 = 0.05;

/// What stands out in a report as `simulate --json` gives it: who wins, how long games last, how they end, what never happens,
/// and where tokens gather.
pub fn simulation_words(report: &Value) -> Vec<String> {
    let mut words = vec![favourite(report)];
    words.extend(length(report));
    words.extend(endings(report));
    words.extend(never(report));
    words.extend(gathering(report));
    words
}

/// What stands out in a report as `analyse --json` gives it: whether it helps to begin, and more so in stronger play, draws, and
/// how long games last.
pub(crate) fn analysis_words(report: &Value) -> Vec<String> {
    let strengths = list(&report["strengths"]);
    let (Some(weakest), Some(best)) = (strengths.first(), strengths.last()) else {
        return Vec::new();
    };
    let bot = text(&best["bot"]);
    let mut words = Vec::new();
    let score = &best["first_player"];
    if score.is_object() {
        let told = format!(
            "{:.0} % ({:.0} to {:.0} %) of the points in games of {bot}",
            share(score, "mean"),
            share(score, "low"),
            share(score, "high")
        );
        words.push(if share(score, "low") > 50.0 {
            format!("It helps to begin: whoever does gets {told}.")
        } else if share(score, "high") < 50.0 {
            format!("It does not help to begin: whoever does gets {told}.")
        } else {
            format!("Nobody is favoured as far as the games tell: whoever begins gets {told}.")
        });
        let before = &weakest["first_player"];
        if share(score, "low") > share(before, "high") {
            words.push(format!(
                "It helps more than in games of {}.",
                text(&weakest["bot"])
            ));
        } else if share(score, "high") < share(before, "low") {
            words.push(format!(
                "It helps less than in games of {}.",
                text(&weakest["bot"])
            ));
        }
    }
    let drawn = share(&best["draws"], "rate");
    if drawn > 0.0 {
        let before = share(&weakest["draws"], "rate");
        let than = match strengths.len() {
            0 | 1 => String::new(),
            _ => format!(", {before:.0} % in games of {}", text(&weakest["bot"])),
        };
        words.push(format!("{drawn:.0} % are drawn{than}."));
    }
    if let Some(length) = best["length"]["mean"].as_f64() {
        words.push(format!("A game takes {length:.0} plies on average."));
    }
    let unfinished = share(&best["unfinished"], "rate");
    if unfinished >= 1.0 {
        words.push(format!("{unfinished:.0} % were stopped before their end."));
    }
    words
}

fn count(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

fn share(value: &Value, key: &str) -> f64 {
    100.0 * value[key].as_f64().unwrap_or(0.0)
}

fn favourite(report: &Value) -> String {
    let games = count(report, "games");
    let mut players = list(&report["players"]);
    players.sort_by(|a, b| share(b, "rate").total_cmp(&share(a, "rate")));
    let told = |player: &Value| {
        format!(
            "{:.1} % ({:.1} to {:.1} %)",
            share(player, "rate"),
            share(player, "low"),
            share(player, "high")
        )
    };
    match players.as_slice() {
        [] => format!("{games} games were played."),
        [alone] => format!("Of {games} random games {} are won.", told(alone)),
        [first, second, ..] => {
            let names = (text(&first["name"]), text(&second["name"]));
            match share(first, "low") > share(second, "high") {
                true => format!(
                    "{} is favoured: it wins {} of {games} random games, {} {}.",
                    names.0,
                    told(first),
                    names.1,
                    told(second)
                ),
                false => format!(
                    "Nobody is favoured as far as {games} random games can tell: {} wins {}, {} {}.",
                    names.0,
                    told(first),
                    names.1,
                    told(second)
                ),
            }
        }
    }
}

fn length(report: &Value) -> Option<String> {
    let meters = list(&report["meters"]);
    let named = |name: &str| meters.iter().find(|meter| meter["name"] == name);
    let meter = named("turns").or(named("steps")).or(meters.first())?;
    let unit = match text(&meter["unit"]) {
        unit if unit.is_empty() => text(&meter["name"]),
        unit => unit,
    };
    let at = |key: &str| meter[key].as_f64().map(tidy);
    let quartile = |index: usize| meter["quartiles"][index].as_f64().map(tidy);
    Some(format!(
        "Half of the games take {} to {} {unit}; the shortest took {}, the longest {}.",
        quartile(0)?,
        quartile(2)?,
        at("min")?,
        at("max")?
    ))
}

fn endings(report: &Value) -> Option<String> {
    let part = |key: &str| 100.0 * count(report, key) as f64 / count(report, "games").max(1) as f64;
    let mut told = Vec::new();
    if count(report, "limit") > 0 {
        told.push(format!("{:.1} % came to no end", part("limit")));
    }
    if count(report, "errors") > 0 {
        told.push(format!(
            "{:.1} % ended in an error of the rules",
            part("errors")
        ));
    }
    (!told.is_empty()).then(|| format!("Of the games {}.", told.join(" and ")))
}

/// The counter whose members never happened only where nothing ever came there.
fn reach(report: &Value) -> Option<Value> {
    let counters = list(&report["counters"]);
    let named = |name: &str| {
        counters
            .iter()
            .find(|counter| counter["name"] == name)
            .cloned()
    };
    named("visits").or_else(|| named("lines"))
}

fn never(report: &Value) -> Option<String> {
    let counter = reach(report)?;
    let members = list(&counter["members"]);
    let dead = members.iter().filter(|member| count(member, "count") == 0);
    let dead: Vec<String> = dead.map(|member| text(&member["name"])).collect();
    let places = text(&counter["name"]) == "visits";
    match (dead.len(), places) {
        (0, true) => Some(format!(
            "Every one of the {} fields is visited.",
            members.len()
        )),
        (0, false) => None,
        (count, _) => {
            let what = if places { "visited" } else { "reached" };
            let more = count.saturating_sub(LISTED);
            let mut names = dead[..count.min(LISTED)].join(", ");
            if more > 0 {
                names.push_str(&format!(" and {more} more"));
            }
            Some(format!("Never {what}: {names}."))
        }
    }
}

fn gathering(report: &Value) -> Option<String> {
    let counters = list(&report["counters"]);
    let counter = counters
        .iter()
        .find(|counter| counter["name"] == "landings")?;
    let total = count(counter, "total");
    let mut members = list(&counter["members"]);
    let mean = total as f64 / members.len().max(1) as f64;
    members.sort_by_key(|member| std::cmp::Reverse(count(member, "count")));
    let often = members
        .iter()
        .filter(|member| count(member, "count") as f64 > OFTEN * mean)
        .take(3);
    let often: Vec<String> = often
        .map(|member| {
            let part = 100.0 * count(member, "count") as f64 / total.max(1) as f64;
            format!("{} ({part:.1} %)", text(&member["name"]))
        })
        .collect();
    (!often.is_empty()).then(|| format!("Tokens gather on {}.", often.join(", ")))
}

/// A difference between two simulations.
struct Change {
    what: String,
    before: f64,
    after: f64,
    unit: String,
    /// How often chance alone makes a difference as large.
    chance: f64,
}

/// What differs between a simulation and an earlier one by more than chance: as JSON a list `changes`, and how many
/// `comparisons` were made. Claims hold together (Holm 1979) with 95 % confidence.
pub fn simulation_changes(before: &Value, after: &Value) -> Value {
    let mut all = Vec::new();
    let games = (count(before, "games") as f64, count(after, "games") as f64);
    all.extend(shares(before, after, "players", "wins", games));
    for key in ["limit", "errors"] {
        let counts = (count(before, key) as f64, count(after, key) as f64);
        let what = match key {
            "limit" => "games without an end",
            _ => "games that end in an error",
        };
        all.extend(two_shares(what.to_owned(), counts, games));
    }
    all.extend(means(before, after));
    let pairs = list(&before["counters"]);
    for counter in &pairs {
        let name = text(&counter["name"]);
        let others = list(&after["counters"]);
        if let Some(other) = others.iter().find(|other| other["name"] == counter["name"]) {
            let found = shares(counter, other, "members", "games", games);
            all.extend(found.into_iter().map(|change| Change {
                what: format!("games with {name} {}", change.what),
                ..change
            }));
        }
    }
    all.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    let comparisons = all.len();
    let sure = all
        .iter()
        .enumerate()
        .take_while(|(at, change)| change.chance * ((comparisons - at) as f64) < DOUBT);
    let changes: Vec<Value> = sure
        .map(|(_, change)| {
            json!({
                "what": change.what,
                "before": change.before,
                "after": change.after,
                "unit": change.unit,
                "chance": change.chance,
            })
        })
        .collect();
    json!({ "comparisons": comparisons, "changes": changes })
}

/// The changes of [`simulation_changes`] in sentences.
pub fn changes_words(changes: &Value) -> Vec<String> {
    let all = list(&changes["changes"]);
    if all.is_empty() {
        let count = count(changes, "comparisons");
        return vec![format!(
            "Nothing differs by more than chance in {count} comparisons."
        )];
    }
    let sentence = |change: &Value| {
        let number = |key: &str| change[key].as_f64().unwrap_or(0.0);
        let unit = text(&change["unit"]);
        let verb = match number("after") > number("before") {
            true => "more",
            false => "less",
        };
        let amount = |key: &str| {
            format!("{} {unit}", tidy(number(key)))
                .trim_end()
                .to_owned()
        };
        format!(
            "{}: {} instead of {}, {verb} than before.",
            text(&change["what"]),
            amount("after"),
            amount("before")
        )
    };
    all.iter().map(sentence).collect()
}

/// Shares of games of things with names.
fn shares(before: &Value, after: &Value, items: &str, key: &str, games: (f64, f64)) -> Vec<Change> {
    let others = list(&after[items]);
    let pair = |item: &Value| {
        let other = others.iter().find(|other| other["name"] == item["name"])?;
        let counts = (count(item, key) as f64, count(other, key) as f64);
        let what = match items {
            "players" => format!("games won by {}", text(&item["name"])),
            _ => text(&item["name"]),
        };
        two_shares(what, counts, games)
    };
    list(&before[items]).iter().filter_map(pair).collect()
}

/// Whether two shares differ: the test with one pooled share.
fn two_shares(what: String, counts: (f64, f64), games: (f64, f64)) -> Option<Change> {
    let (before, after) = (counts.0 / games.0, counts.1 / games.1);
    let pooled = (counts.0 + counts.1) / (games.0 + games.1);
    let spread = (pooled * (1.0 - pooled) * (1.0 / games.0 + 1.0 / games.1)).sqrt();
    (spread > 0.0).then(|| Change {
        what,
        before: 100.0 * before,
        after: 100.0 * after,
        unit: "%".to_owned(),
        chance: 2.0 * normal_tail((after - before).abs() / spread),
    })
}

/// Whether means differ (Welch 1947; with so many games as the normal distribution has it).
fn means(before: &Value, after: &Value) -> Vec<Change> {
    let others = list(&after["meters"]);
    let pair = |meter: &Value| {
        let other = others.iter().find(|other| other["name"] == meter["name"])?;
        let of = |meter: &Value| {
            let games = count(meter, "games") as f64;
            let deviation = meter["deviation"].as_f64()?;
            (games > 1.0).then_some((meter["mean"].as_f64()?, deviation * deviation / games))
        };
        let ((before, a), (after, b)) = (of(meter)?, of(other)?);
        let spread = (a + b).sqrt();
        (spread > 0.0).then(|| Change {
            what: format!("{} of a game on average", text(&meter["name"])),
            before,
            after,
            unit: text(&meter["unit"]),
            chance: 2.0 * normal_tail((after - before).abs() / spread),
        })
    };
    list(&before["meters"]).iter().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(wins: [u64; 2], visits: [u64; 3], mean: f64) -> Value {
        let games = 1000.0;
        let player = |name: &str, wins: u64| {
            let (low, high) = crate::stats::share_interval(wins, 1000);
            json!({ "name": name, "wins": wins, "rate": wins as f64 / games, "low": low, "high": high })
        };
        let member = |(name, count): (&str, u64)| json!({ "name": name, "count": count, "games": count.min(1000) });
        let fields = ["1", "2", "3"];
        json!({
            "games": 1000, "limit": 0, "errors": 0,
            "players": [player("ann", wins[0]), player("bob", wins[1])],
            "meters": [{ "name": "turns", "unit": "", "games": 1000, "min": 3.0, "max": 99.0, "mean": mean,
                "deviation": 5.0, "quartiles": [10.0, 13.0, 18.0] }],
            "counters": [
                { "name": "visits", "total": 1, "members": fields.into_iter().zip(visits).map(member).collect::<Vec<_>>() },
                { "name": "landings", "total": 1200, "members": [member(("1", 100)), member(("2", 1000)), member(("3", 100))] },
            ],
        })
    }

    #[test]
    fn what_stands_out_is_said() {
        let words = simulation_words(&report([620, 380], [1000, 0, 800], 14.0));
        assert!(
            words[0].starts_with("ann is favoured: it wins 62.0 % (5"),
            "{words:?}"
        );
        assert_eq!(
            words[1..],
            [
                "Half of the games take 10 to 18 turns; the shortest took 3, the longest 99.",
                "Never visited: 2.",
                "Tokens gather on 2 (83.3 %).",
            ]
        );
        let even = simulation_words(&report([505, 495], [1, 1, 1], 14.0));
        assert!(
            even[0].starts_with("Nobody is favoured as far as 1000"),
            "{even:?}"
        );
    }

    #[test]
    fn only_what_chance_does_not_explain_is_a_change() {
        let before = report([505, 495], [500, 500, 500], 14.0);
        let same = simulation_changes(&before, &report([495, 505], [490, 510, 500], 14.1));
        assert_eq!(same["changes"], json!([]));
        assert_eq!(
            changes_words(&same),
            ["Nothing differs by more than chance in 8 comparisons."]
        );
        let other = simulation_changes(&before, &report([600, 400], [500, 500, 500], 16.0));
        let words = changes_words(&other);
        assert_eq!(words.len(), 3, "{words:?}");
        assert_eq!(
            words[0],
            "turns of a game on average: 16 instead of 14, more than before."
        );
    }
}
