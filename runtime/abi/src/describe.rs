//! What is known of a game, as a document.

use rulec_core::{Game, GameInfo};
use serde_json::{Value, json};

/// Packed forms of moves that are looked through for those of each index.
const CODES: u64 = 1 << 22;

/// The document about a game.
pub(crate) fn document(info: &GameInfo) -> Value {
    let mut offset = 0;
    let planes = info.planes.iter().map(|plane| {
        offset += plane.cells;
        json!({
            "name": plane.name,
            "cells": plane.cells,
            "offset": offset - plane.cells,
            "low": plane.values.min,
            "high": plane.values.max,
        })
    });
    let planes: Vec<Value> = planes.collect();
    let families: Vec<&str> = info.families.iter().map(|family| family.name).collect();
    let alike = info.alike.iter().map(
        |alike| json!({ "text": alike.text, "pieces": alike.pieces, "members": alike.members }),
    );
    json!({
        "name": info.name,
        "language": info.language,
        "rules_sha256": info.rules_sha256,
        "compiler": info.compiler,
        "players": info.players,
        "moves": info.move_count,
        "families": families,
        "planes": planes,
        "cells": offset,
        "pieces": info.pieces,
        "places": info.places,
        "alike": alike.collect::<Vec<Value>>(),
        "has_chance": info.has_chance,
        "has_scores": info.has_scores,
        "several_at_once": info.several_at_once,
    })
}

/// The text of one move of each index; empty where none was found.
pub(crate) fn move_texts<G: Game>(game: &G) -> Vec<String> {
    let count = game.info().move_count.min(CODES as usize);
    let mut texts = vec![String::new(); count];
    let mut missing = count;
    for mv in (0..CODES).filter_map(|code| game.move_from_code(code)) {
        if missing == 0 {
            break;
        }
        if let Some(text) = texts.get_mut(game.move_index(mv))
            && text.is_empty()
        {
            game.write_move(mv, text);
            missing -= 1;
        }
    }
    texts
}
