//! `rulec difftest A --against B`: whether two rule files, of whatever languages, are the same game.
//!
//! All positions of both are visited (`graph`). Then positions that can be told apart are: by how the game ended,
//! by who may do what, and by what can be reached, until nothing more tells any two apart (`classes`). The games are
//! the same if their starts are not told apart: then in every pair of positions that is reached the moves pair off, and
//! lead to such pairs again. If they are, a shortest line shows why.
//!
//! A renaming of moves that holds all through the game is looked for, or taken from a file (`mapping`).

mod classes;
mod graph;
mod mapping;
mod pairing;

use anyhow::{Result, bail};
use rulec_search::State;
use serde_json::{Value, json};

use classes::Classes;
use graph::Graph;
use mapping::{Mapping, Match};

/// What to compare, and what is known beforehand.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Positions of each game at most.
    pub states: usize,
    /// Texts of moves of the first and of the second game that mean the same.
    pub stated: Vec<(String, String)>,
    /// Steps at most in looking for a renaming of moves.
    pub steps: u64,
}

/// Why two games are not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The moves that lead there, of the first and the second game.
    pub moves: [Vec<String>; 2],
    /// What is there, in the first and the second game.
    pub facts: [String; 2],
}

/// What was found about two games.
#[derive(Clone, Debug)]
pub struct Report {
    /// Names of the games.
    pub names: [String; 2],
    /// Positions that can be reached.
    pub positions: [usize; 2],
    /// Moves and results of draws in all positions.
    pub edges: [usize; 2],
    /// Players by seat.
    pub players: Vec<[String; 2]>,
    /// How many kinds of positions there are that differ in what can come of them.
    pub classes: usize,
    /// Why they differ; nothing if they are the same.
    pub difference: Option<Difference>,
    /// The renaming of moves, if there is one: texts of the first and of the second game.
    pub mapping: Option<Vec<(String, String)>>,
    /// Whether the positions pair off, each with one of the other game, under this renaming or, without one, at all.
    pub one_to_one: bool,
    /// Whether the search for a renaming was given up.
    pub gave_up: bool,
    /// Whether the renaming that was stated does not hold.
    pub stated_fails: bool,
}

/// Compares two games from their starts. `progress` is told the number of positions visited.
///
/// # Errors
/// When one of them has more positions than are wanted, or a rule fails, or a stated text is no move of its game.
pub fn compare(
    starts: [&State<'_>; 2],
    settings: &Settings,
    progress: &dyn Fn(usize),
) -> Result<Report> {
    let first = Graph::of(starts[0], settings.states, progress)?;
    let done = first.states.len();
    let second = Graph::of(starts[1], settings.states, &|n| progress(done + n))?;
    let graphs = [&first, &second];
    let mut report = Report {
        names: graphs.map(|graph| graph.name.clone()),
        positions: graphs.map(|graph| graph.states.len()),
        edges: graphs.map(Graph::edges),
        players: pairs(&first.players, &second.players),
        classes: 0,
        difference: None,
        mapping: None,
        one_to_one: false,
        gave_up: false,
        stated_fails: false,
    };
    if first.players.len() != second.players.len() {
        report.difference = Some(Difference {
            moves: Default::default(),
            facts: graphs.map(|graph| format!("{} players", graph.players.len())),
        });
        return Ok(report);
    }
    let classes = Classes::of(graphs);
    report.classes = classes.count();
    report.difference = classes.difference(graphs);
    if report.difference.is_some() {
        return Ok(report);
    }
    match Mapping::new(graphs, &classes, settings)?.find() {
        Match::Mapping(pairs, one_to_one) => {
            report.mapping = Some(pairs);
            report.one_to_one = one_to_one;
        }
        Match::Nothing => report.stated_fails = !settings.stated.is_empty(),
        Match::GaveUp => report.gave_up = true,
    }
    if report.mapping.is_none() && !report.stated_fails {
        report.one_to_one = pairing::pairing(graphs, &classes, settings.steps).is_some();
    }
    Ok(report)
}

/// The lines of a file that states which moves mean the same: `MOVE = MOVE`, empty lines and such that begin with `# `
/// apart.
///
/// # Errors
/// When a line has another form.
pub fn stated(text: &str) -> Result<Vec<(String, String)>> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("# "));
    lines
        .map(|(number, line)| match line.split_once(" = ") {
            Some((first, second)) => Ok((first.trim().to_owned(), second.trim().to_owned())),
            None => bail!("line {}: `{line}` is not `MOVE = MOVE`", number + 1),
        })
        .collect()
}

fn pairs(first: &[String], second: &[String]) -> Vec<[String; 2]> {
    let both = first.iter().cloned().zip(second.iter().cloned());
    both.map(|(a, b)| [a, b]).collect()
}

/// Lines of a renaming that are shown.
const SHOWN: usize = 60;

impl Report {
    /// Whether the games are the same, and under the renaming that was stated if there was one.
    pub fn is_same(&self) -> bool {
        self.difference.is_none() && !self.stated_fails
    }

    /// For machines.
    pub fn json(&self) -> Value {
        let difference = self
            .difference
            .as_ref()
            .map(|d| json!({ "moves": d.moves, "facts": d.facts }));
        json!({
            "games": self.names,
            "same": self.is_same(),
            "positions": self.positions,
            "moves": self.edges,
            "players": self.players,
            "kinds_of_positions": self.classes,
            "difference": difference,
            "mapping": self.mapping,
            "one_to_one": self.one_to_one,
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        let [a, b] = &self.names;
        if let Some(difference) = &self.difference {
            let line = |moves: &[String]| match moves.is_empty() {
                true => "at the start".to_owned(),
                false => format!("after \"{}\"", moves.join("; ")),
            };
            let part = |at: usize| {
                let (name, fact) = (&self.names[at], &difference.facts[at]);
                format!("  {name} {}: {fact}\n", line(&difference.moves[at]))
            };
            return format!("{a} and {b} are different games:\n{}{}", part(0), part(1));
        }
        if self.stated_fails {
            return format!(
                "{a} and {b} are the same game, but not under the renaming that the file states\n"
            );
        }
        let players: Vec<String> = self
            .players
            .iter()
            .map(|[a, b]| format!("{a} is {b}"))
            .collect();
        let mut text = format!(
            "{a} and {b} are the same game: {} and {} positions, {} and {} moves in them, {} kinds of positions\n\
             players: {}\n",
            self.positions[0],
            self.positions[1],
            self.edges[0],
            self.edges[1],
            self.classes,
            players.join(", ")
        );
        let Some(mapping) = &self.mapping else {
            if self.one_to_one {
                text.push_str("the positions correspond one to one\n");
            }
            text.push_str(match self.gave_up {
                true => "a renaming of moves was not found in the time allowed for it\n",
                false => "no renaming of moves holds all through the game: what a move is called depends on the position\n",
            });
            return text;
        };
        if self.one_to_one {
            text.push_str("the positions correspond one to one under this renaming of moves:\n");
        } else {
            text.push_str("this renaming of moves holds all through the game:\n");
        }
        for (first, second) in mapping.iter().take(SHOWN) {
            text.push_str(&format!("  {first} = {second}\n"));
        }
        if mapping.len() > SHOWN {
            let rest = mapping.len() - SHOWN;
            text.push_str(&format!("  and {rest} more; --json shows all\n"));
        }
        text
    }
}
