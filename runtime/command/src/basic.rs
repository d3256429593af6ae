//! Commands that show a game, a position, or a given sequence of moves.

use std::{fmt::Write as _, io::Write};

use clap::Args;
use rulec_core::{ChoiceSet, Fault, GameInfo, Outcome, Turn};
use serde_json::{Value, json};

use super::{Error, StartArgs, emit};
use rulec_search::{
    AnyState,
    notation::{find_move, split_moves},
    view,
};

/// Arguments of `info`.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  info\n  info --json")]
pub struct InfoArgs {
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `moves`.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  moves\n  moves --after \"FIRST MOVE; SECOND MOVE\" --json")]
pub struct MovesArgs {
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Tell what a network sees of the position too
    #[arg(long)]
    pub observe: bool,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `replay`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  replay --moves \"FIRST MOVE; SECOND MOVE\"\n\n\
    Results of draws stand among the moves."
)]
pub struct ReplayArgs {
    /// The moves, separated by semicolons
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub moves: String,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn info<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &InfoArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let info = start.info();
    let value = || {
        let families = info.families.iter();
        let families: Vec<Value> = families
            .map(|f| json!({ "name": f.name, "params": f.params, "origin": f.origin }))
            .collect();
        let alike = info.alike.iter().map(|class| {
            let (kind, all) = match class.pieces {
                true => ("pieces", info.pieces),
                false => ("places", info.places),
            };
            let names = class
                .members
                .iter()
                .filter_map(|&member| all.get(member as usize));
            json!({ "text": class.text, "kind": kind, "members": names.collect::<Vec<_>>() })
        });
        let alike: Vec<Value> = alike.collect();
        json!({
            "name": info.name,
            "language": info.language,
            "rules_sha256": info.rules_sha256,
            "compiler": info.compiler,
            "players": info.players,
            "families": families,
            "move_count": info.move_count,
            "identities": info.identities,
            "alike": alike,
            "symmetries": symmetries_json(info),
            "fault_sites": info.faults.len(),
            "has_chance": info.has_chance,
            "has_scores": info.has_scores,
            "state_bytes": info.state_bytes,
        })
    };
    let text = || {
        let mut families: Vec<&str> = Vec::new();
        for family in info.families {
            // Parts of a rule go by its name.
            if !families.contains(&family.name) {
                families.push(family.name);
            }
        }
        let yes = |flag| if flag { "yes" } else { "no" };
        let mut rows = vec![
            ("game", info.name.to_owned()),
            ("language", info.language.to_owned()),
            ("rules (SHA-256)", info.rules_sha256.to_owned()),
            ("compiler", info.compiler.to_owned()),
            ("players", info.players.join(", ")),
            ("move families", families.join(", ")),
            ("possible moves", info.move_count.to_string()),
            ("draws", yes(info.has_chance).to_owned()),
            ("scores", yes(info.has_scores).to_owned()),
            ("state", format!("{} bytes", info.state_bytes)),
        ];
        rows.extend(
            info.alike
                .iter()
                .map(|class| ("alike", class.text.to_owned())),
        );
        rows.push(("symmetries", symmetries_text(info)));
        rows.iter()
            .map(|(name, value)| format!("{name:16} {value}\n"))
            .collect()
    };
    emit(out, args.json, value, text)
}

/// How many symmetries there are, how many of them keep the start, and how many keep all players; that which changes nothing
/// counted.
fn orders(info: &GameInfo) -> [usize; 3] {
    let all = info.symmetries;
    let kept =
        |keeps: fn(&rulec_core::Symmetry) -> bool| 1 + all.iter().filter(|s| keeps(s)).count();
    [
        kept(|_| true),
        kept(|s| s.fixes_start),
        kept(rulec_core::Symmetry::keeps_players),
    ]
}

/// The symmetries in a line.
fn symmetries_text(info: &GameInfo) -> String {
    if let Some(why) = info.symmetries_unknown {
        return format!("not known: {why}");
    }
    let [order, start, players] = orders(info);
    let mut text = match order {
        1 => String::from("none found"),
        _ => format!("{order}, of which {start} keep the start"),
    };
    if players < order {
        text.push_str("; sides can be exchanged");
    }
    if let Some(apart) = info.sides_apart {
        text.push_str("; ");
        text.push_str(apart);
    }
    text
}

/// The symmetries, each by what it makes of players and places that change, and of the numbers of moves.
fn symmetries_json(info: &GameInfo) -> Value {
    let renamed = |names: &[&str], new: &[u32]| -> Value {
        let pairs = names.iter().zip(new).enumerate();
        let pairs = pairs.filter(|(old, (_, new))| *old != **new as usize);
        let name = |new: u32| names.get(new as usize).copied().unwrap_or_default();
        let pairs = pairs.map(|(_, (old, new))| ((*old).to_owned(), json!(name(*new))));
        Value::Object(pairs.collect())
    };
    let numbers = |symmetry: &rulec_core::Symmetry| match info.numbers.count {
        0 => Value::Null,
        _ => json!(symmetry.numbers(info.numbers)),
    };
    let all = info.symmetries.iter().map(|symmetry| {
        let planes = symmetry.planes.iter();
        let planes = planes.map(
            |image| json!({ "plane": image.plane, "from": image.from, "values": image.values }),
        );
        json!({
            "fixes_start": symmetry.fixes_start,
            "players": renamed(info.players, symmetry.players),
            "pieces": renamed(info.pieces, symmetry.pieces),
            "places": renamed(info.places, symmetry.places),
            "moves": numbers(symmetry),
            "planes": planes.collect::<Vec<Value>>(),
        })
    });
    let all: Vec<Value> = all.collect();
    let [order, start, players] = orders(info);
    json!({
        "order": order,
        "keep_start": start,
        "keep_players": players,
        "unknown": info.symmetries_unknown,
        "apart": info.sides_apart,
        "all": all,
    })
}

pub(super) fn moves<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &MovesArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let state = args.start.reach(start)?;
    let options = Options::of(&*state);
    let text = || {
        let mut text = state.text();
        text.push('\n');
        list(&*state, &options, args.observe, &mut text);
        text
    };
    let value = || {
        let mut value = options.json(&*state);
        if args.observe {
            value["observed"] = observed(&*state)
                .iter()
                .map(|(plane, values)| json!({ "plane": plane, "values": values }))
                .collect();
        }
        value
    };
    emit(out, args.json, value, text)
}

/// The lines of `moves` below the position: who is on turn, and the legal moves.
pub fn moves_text<'g>(state: &(dyn AnyState<'g> + 'g), observe: bool) -> String {
    let mut text = String::new();
    list(state, &Options::of(state), observe, &mut text);
    text
}

fn list<'g>(state: &(dyn AnyState<'g> + 'g), options: &Options, observe: bool, text: &mut String) {
    let _ = writeln!(text, "{}", options.headline(state));
    for (number, code) in (1..).zip(&options.legal) {
        let _ = writeln!(text, "{number:4}  {}", state.move_text(*code));
    }
    for (plane, values) in observed(state).iter().filter(|_| observe) {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        let _ = writeln!(text, "{plane}: {}", values.join(" "));
    }
}

/// The planes of a position, by name.
fn observed<'g>(state: &(dyn AnyState<'g> + 'g)) -> Vec<(&'g str, Vec<i64>)> {
    let mut values = Vec::new();
    state.observe(&mut values);
    let mut rest = values.into_iter();
    let planes = state.about().planes.iter();
    planes
        .map(|plane| (plane.name, rest.by_ref().take(plane.cells).collect()))
        .collect()
}

/// What can be done in a position.
pub(super) struct Options {
    pub(super) turn: Turn,
    pub(super) legal: Vec<u64>,
    pub(super) distinct: Vec<u64>,
    /// How the game ended, also when only the attempt to move found out.
    pub(super) outcome: Option<Outcome>,
}

impl Options {
    pub(super) fn of<'g>(state: &(dyn AnyState<'g> + 'g)) -> Self {
        let list = |choices| view::options(state, choices);
        let listed: Result<_, Fault> =
            list(ChoiceSet::All).and_then(|all| Ok((all, list(ChoiceSet::Distinct)?)));
        match listed {
            Ok((legal, distinct)) => Self {
                turn: state.turn(),
                legal,
                distinct,
                outcome: state.outcome(),
            },
            Err(fault) => Self {
                turn: Turn::Over,
                legal: Vec::new(),
                distinct: Vec::new(),
                outcome: Some(Outcome::fault(fault)),
            },
        }
    }

    /// Who is on turn and how many moves there are, or how the game ended.
    pub(super) fn headline<'g>(&self, state: &(dyn AnyState<'g> + 'g)) -> String {
        if let (Turn::Over, Some(outcome)) = (self.turn, self.outcome) {
            return format!("the game is over: {}", outcome.text(state.about()));
        }
        let mut text = format!("on turn: {}; ", view::turn_text(state.about(), self.turn));
        let _ = match (self.turn, self.legal.len(), self.distinct.len()) {
            (Turn::Chance, all, _) => write!(text, "{all} possible results"),
            (_, 1, 1) => write!(text, "1 legal move"),
            (_, all, distinct) if all == distinct => write!(text, "{all} legal moves"),
            (_, all, distinct) => write!(text, "{all} legal moves, {distinct} of them distinct"),
        };
        for code in state.host_moves() {
            let _ = write!(text, "; the host may tell: {}", state.move_text(code));
        }
        text
    }

    /// The position as JSON.
    pub(super) fn json<'g>(&self, state: &(dyn AnyState<'g> + 'g)) -> Value {
        let results = state.results();
        let weight = |code: u64| results.iter().find(|(c, _)| *c == code).map(|(_, w)| *w);
        let moves: Vec<Value> = self
            .legal
            .iter()
            .map(|code| {
                let mut value = view::move_json(state, *code);
                if let Some(weight) = weight(*code) {
                    value["weight"] = weight.into();
                }
                value
            })
            .collect();
        let mut value = json!({
            "turn": view::turn_json(self.turn),
            "moves": moves,
            "distinct_moves": self.distinct.len(),
            "state": state.text(),
        });
        let host = state.host_moves();
        if !host.is_empty() {
            let texts = host.iter().map(|code| state.move_text(*code));
            value["host"] = texts.collect();
        }
        if let (Turn::Over, Some(outcome)) = (self.turn, self.outcome) {
            value["outcome"] = view::outcome_json(state.about(), Some(outcome), &state.scores());
        }
        value
    }
}

pub(super) fn replay<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &ReplayArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let replay = Replay::of(&*args.start.reach(start)?, split_moves(&args.moves))?;
    let value = || {
        let plies = replay.plies.iter();
        let plies: Vec<Value> = plies
            .map(|ply| json!({ "turn": ply.turn, "legal": ply.legal, "distinct": ply.distinct }))
            .collect();
        json!({ "plies": plies, "outcome": replay.outcome, "state": replay.state })
    };
    let text = || {
        let mut text = String::from(" ply  turn    legal  distinct  move\n");
        for (number, ply) in (1..).zip(&replay.plies) {
            let turn = ply.turn.to_string();
            let turn = turn.trim_matches('"');
            let played = ply.played.as_deref().unwrap_or("");
            let _ = writeln!(
                text,
                "{number:4}  {turn:6} {:6}  {:8}  {played}",
                ply.legal, ply.distinct
            );
        }
        let end = replay.end.as_deref().unwrap_or("the game goes on");
        let _ = writeln!(text, "{end}\n{}", replay.state);
        text
    };
    emit(out, args.json, value, text)
}

struct Ply {
    turn: Value,
    legal: usize,
    distinct: usize,
    played: Option<String>,
}

/// What a sequence of moves did: an entry before each move, and one for the final position unless a rule ended the
/// game there.
struct Replay {
    plies: Vec<Ply>,
    outcome: Value,
    end: Option<String>,
    state: String,
}

impl Replay {
    fn of<'a, 'g>(
        start: &(dyn AnyState<'g> + 'g),
        moves: impl Iterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        let mut state = start.fork();
        let mut plies = Vec::new();
        for (number, text) in (1..).zip(moves) {
            let code =
                find_move(&*state, text).map_err(|e| Error::User(format!("move {number}: {e}")))?;
            let mut ply = Ply::of(&Options::of(&*state));
            ply.played = Some(state.move_text(code));
            plies.push(ply);
            state.play(code, None);
        }
        let options = Options::of(&*state);
        if !options.outcome.is_some_and(|o| o.by_rule()) {
            let mut last = Ply::of(&options);
            if options.turn == Turn::Over {
                last.turn = state.player().map_or(Value::Null, |p| (p + 1).into());
            }
            plies.push(last);
        }
        let info = start.about();
        let outcome = options.outcome;
        Ok(Self {
            plies,
            outcome: outcome.map_or(Value::Null, |o| {
                view::outcome_json(info, Some(o), &state.scores())
            }),
            end: outcome.map(|o| o.text(info)),
            state: state.text(),
        })
    }
}

impl Ply {
    fn of(options: &Options) -> Self {
        Self {
            turn: view::turn_json(options.turn),
            legal: options.legal.len(),
            distinct: options.distinct.len(),
            played: None,
        }
    }
}
