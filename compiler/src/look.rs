//! How a game looks, as a document for renderers: everything of the IR that pictures need and play does not.
//!
//! The document goes with a compiled game or is handed over at once; the runtime reads it without knowing the IR. What
//! it says about variables and placements fits the numbers that a game tells of a position: [`watched`] are the
//! variables, in this order, behind all placements.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::ir::{DomainId, Game, Picture, Type, VarId};

/// The variables that looks depend on, each once.
pub fn watched(game: &Game) -> Vec<VarId> {
    let mut vars: Vec<VarId> = Vec::new();
    let mut add = |var: Option<VarId>| {
        if let Some(var) = var
            && !vars.contains(&var)
        {
            vars.push(var);
        }
    };
    for look in &game.presentation.pieces {
        add(look.state);
        add(look.z_order);
    }
    if let Some(look) = &game.nest_look {
        add(look.exists);
        add(look.owner);
        for heap in &look.heaps {
            add(heap.inside);
            add(heap.owned);
            add(Some(heap.loose));
        }
    }
    if let Some(episode) = &game.episode {
        add(Some(episode.present));
        add(Some(episode.kinds));
        add(episode.places);
    }
    vars
}

/// The files of all pictures, each once.
pub fn pictures(game: &Game) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut add = |file: &String| {
        if !files.contains(file) {
            files.push(file.clone());
        }
    };
    let look = &game.presentation;
    look.board.iter().for_each(&mut add);
    let of_places = look
        .places
        .iter()
        .filter_map(|place| place.picture.as_ref());
    let of_pieces = look
        .pieces
        .iter()
        .flat_map(|piece| piece.pictures.iter().flatten());
    let all: Vec<&Picture> = of_places.chain(of_pieces).collect();
    all.into_iter().for_each(|picture| add(&picture.file));
    files
}

/// The document.
pub fn document(game: &Game) -> Value {
    let mut domains: BTreeMap<String, Value> = BTreeMap::new();
    let mut know = |id: DomainId| {
        let domain = game.domain(id);
        let members: Vec<String> = (0..domain.len() as u32).map(|m| domain.member(m)).collect();
        let key = id.0.to_string();
        domains
            .entry(key)
            .or_insert_with(|| json!({ "name": domain.name, "members": members }));
        id.0
    };
    let players = know(game.players);
    let placements: Vec<Value> = game
        .placements
        .iter()
        .map(|p| json!({ "pieces": know(p.pieces), "places": know(p.places), "form": p.form }))
        .collect();
    let mut families: Vec<Value> = Vec::new();
    for family in &game.families {
        let params = family.params.iter().map(|param| match param.ty {
            Type::Elem(domain) => i64::from(know(domain)),
            _ => -1,
        });
        families.push(params.collect::<Vec<i64>>().into());
    }
    for draw in &game.draws {
        families.push(match draw.ty {
            Type::Elem(domain) => json!([know(domain)]),
            _ => json!([-1]),
        });
    }
    let vars: Vec<Value> = watched(game)
        .into_iter()
        .map(|id| {
            let var = game.var(id);
            json!({
                "id": id.0,
                "cells": var.init.len(),
                "set": matches!(var.ty, Type::Set(_)),
                "least": var.ty.int_range().map_or(0, |(least, _)| least),
            })
        })
        .collect();
    if let Some(look) = &game.nest_look {
        know(look.pieces);
    }
    let episode = game.episode.as_ref().map(|episode| {
        let family = game.family(episode.family);
        let domain = |at: usize| match family.params.get(at).map(|param| &param.ty) {
            Some(Type::Elem(domain)) => Some(domain.0),
            _ => None,
        };
        let kinds: Vec<Value> = episode
            .looks
            .iter()
            .map(|kind| json!({ "name": kind.name, "properties": kind.properties }))
            .collect();
        json!({
            "present": episode.present,
            "kinds": episode.kinds,
            "places": episode.places,
            "targets": domain(0),
            "units": domain(1),
            "columns": episode.columns,
            "looks": kinds,
        })
    });
    json!({
        "form": 1,
        "players": players,
        "domains": domains,
        "placements": placements,
        "vars": vars,
        "families": families,
        "presentation": game.presentation,
        "nest": game.nest_look,
        "episode": episode,
    })
}
