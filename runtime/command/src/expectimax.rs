//! `expectimax`: exact values of games with draws of chance.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use serde_json::{Value, json};

use super::{Error, StartArgs, Ticker, emit};
use rulec_search::expectimax::{Expectation, Refused, expectimax};
use rulec_search::{AnyState, numbers::parse_count, view};

/// Arguments of `expectimax`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  expectimax\n  expectimax --after \"roll 2\" --json\n\n\
    Everybody plays for himself, chance by its weights. A win is worth 1, a loss 0."
)]
pub struct ExpectimaxArgs {
    /// Give up when more positions than this can be reached
    #[arg(long, value_name = "N", default_value = "1M", value_parser = parse_count)]
    pub states: u64,
    /// Where to begin.
    #[command(flatten)]
    pub start: StartArgs,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn run<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &ExpectimaxArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let state = args.start.reach(start)?;
    let most = usize::try_from(args.states).unwrap_or(usize::MAX);
    let mut ticker = Ticker::new();
    let found = expectimax(&*state, most, &mut |known| {
        ticker.tell(|| format!("{known} positions"));
        true
    });
    let found = found.map_err(|refused| {
        Error::User(match refused {
            Refused::TooMany => format!(
                "more than {} positions can be reached; --states allows more",
                args.states
            ),
            Refused::Unsettled => {
                "the values do not settle: positions come again for ever".to_owned()
            }
            Refused::Stopped => "stopped".to_owned(),
        })
    })?;
    emit(
        out,
        args.json,
        || as_json(&*state, &found),
        || as_text(&*state, &found),
    )
}

/// The moves, the best for the player on turn first.
fn ordered<'g>(state: &(dyn AnyState<'g> + 'g), found: &Expectation) -> Vec<(u64, Vec<f64>)> {
    let mut moves = found.moves.clone();
    if let Some(mover) = state.player() {
        moves.sort_by(|a, b| b.1[mover].total_cmp(&a.1[mover]));
    }
    moves
}

fn as_json<'g>(state: &(dyn AnyState<'g> + 'g), found: &Expectation) -> Value {
    let moves = ordered(state, found).into_iter();
    let moves: Vec<Value> = moves
        .map(|(code, values)| json!({ "move": state.move_text(code), "values": values }))
        .collect();
    json!({
        "values": found.values,
        "moves": moves,
        "positions": found.positions,
        "sweeps": found.sweeps,
    })
}

fn as_text<'g>(state: &(dyn AnyState<'g> + 'g), found: &Expectation) -> String {
    let info = state.info();
    let mut text = String::new();
    for (player, value) in found.values.iter().enumerate() {
        let _ = writeln!(text, "{value:12.9}  {}", view::player_text(info, player));
    }
    for (code, values) in ordered(state, found) {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.9}")).collect();
        let _ = writeln!(text, "{:<12}  {}", state.move_text(code), values.join("  "));
    }
    let _ = writeln!(text, "{} positions", found.positions);
    text
}
