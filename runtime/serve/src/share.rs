//! A game as one page that needs no server: all positions, and what led to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulec_core::Turn;
use rulec_render::{Position, Style};
use serde_json::{Value, json};

use crate::contest::Ended;
use crate::course::{Inner, legal};
use crate::loaded::Loaded;
use crate::played::{Ply, made};

const PAGE: &str = include_str!("share.html");
const STYLE: &str = include_str!("page.css");

/// The most places that are marked after a move.
const MOST_MARKS: usize = 12;

/// A page on which a game replays without a server: its moves and draws from the start, as far as they are legal.
pub fn replay_page(loaded: &Arc<Loaded>, moves: &[u64]) -> String {
    let mut inner = Inner::new(Arc::clone(loaded), 0);
    for &code in moves {
        let state = inner.state();
        if !legal(state).is_ok_and(|legal| legal.contains(&code)) {
            break;
        }
        let (by, player) = match state.turn() {
            Turn::Chance => ("chance", 0),
            _ => ("player", state.mover(code) + 1),
        };
        let text = state.move_text(code);
        inner.play(made(code, text, by, player));
    }
    page(loaded, &inner.plies, None)
}

/// The page. Lines that pictures share are in it once.
pub(crate) fn page(loaded: &Loaded, plies: &[Arc<Ply>], ended: Option<Ended>) -> String {
    let mut numbers = BTreeMap::<String, usize>::new();
    let mut lines: Vec<String> = Vec::new();
    let mut positions = Vec::new();
    for ply in plies {
        let drawn = picture(loaded, ply);
        let numbered = drawn.lines().map(|line| {
            *numbers.entry(line.to_owned()).or_insert_with(|| {
                lines.push(line.to_owned());
                lines.len() - 1
            })
        });
        positions.push(numbered.collect::<Vec<usize>>());
    }
    let moves: Vec<Value> = plies.iter().filter_map(|ply| told(ply)).collect();
    let end = plies.last().and_then(|ply| match ply.state.turn() {
        Turn::Over => Some(ply.state.outcome()?.text(ply.state.about())),
        _ => None,
    });
    let names = loaded.start.about().players;
    let beside = ended.map(|ended| ended.text(names));
    let game = json!({
        "lines": lines,
        "positions": positions,
        "moves": moves,
        "end": end.or(beside).unwrap_or_default(),
    });
    // Nothing in a text of the rules ends the script that the game lies in.
    let game = game.to_string().replace('<', "\\u003c");
    let title = rulec_render::escape(&loaded.start.about().name.replace('_', " "));
    let parts = [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{drawings}}", &rulec_render::drawings(&loaded.look)),
        ("{{game}}", &game),
    ];
    fill(PAGE, &parts)
}

/// A page with its parts filled in, each where it is named; what parts hold is not looked at again.
pub(crate) fn fill(page: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find("{{") {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        match parts.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, part)) => {
                filled.push_str(part);
                rest = &rest[name.len()..];
            }
            None => {
                filled.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    filled + rest
}

fn picture(loaded: &Loaded, ply: &Ply) -> String {
    let state = &ply.state;
    let (turn, observed) = (state.turn(), state.appearance());
    let position = Position::new(&loaded.look, state.about(), turn, "", &observed);
    let style = Style {
        files: &loaded.files,
        address: None,
        marked: true,
        whole: false,
    };
    rulec_render::svg(&position, &style)
}

/// A move with the places that are marked after it.
fn told(ply: &Ply) -> Option<Value> {
    let made = ply.made.as_ref()?;
    let marks = made.steps.iter().flat_map(|step| {
        let mark = |end: &str| step[end].as_str().map(|place| json!([end, place]));
        [mark("from"), mark("to")].into_iter().flatten()
    });
    let mut marks: Vec<Value> = marks.take(MOST_MARKS).collect();
    if marks.is_empty() {
        marks.extend(made.spots.iter().map(|place| json!(["to", place])));
    }
    let name = if made.name.is_empty() {
        &made.text
    } else {
        &made.name
    };
    Some(json!({ "name": name, "marks": marks }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_filled_in_once() {
        let filled = fill(
            "a {{one}} b {{two}} {{three}}",
            &[("{{one}}", "{{two}}"), ("{{two}}", "2")],
        );
        assert_eq!(filled, "a {{two}} b 2 {{three}}");
    }
}
