//! The document itself.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::watched;
use crate::ir::{Axis, Const, DomainId, EndReason, Game, Link, Picture, StmtKind, Type, visit};

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

/// Single steps between places, as constant tables of a program after the passes know them: the relation with the
/// fewest pairs in which nearly every place has a partner. Places where pieces are only kept have none.
///
/// Nothing where the rules lay down ways themselves, or no table is such a relation.
pub fn steps(game: &Game) -> Vec<Link> {
    let look = &game.presentation;
    let mut best: Option<Vec<Link>> = None;
    for table in &game.tables {
        let ([Axis::Domain(domain)], Type::Set(of)) = (&table.axes[..], &table.ty) else {
            continue;
        };
        if domain != of {
            continue;
        }
        let shown = |member: u32| {
            let mut all = look.places.iter();
            all.find(|place| place.domain == *domain && place.member == member && place.relevant)
        };
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for place in look.places.iter().filter(|place| place.domain == *domain) {
            *kinds.entry(&place.kind).or_default() += 1;
        }
        let Some(kind) = kinds.iter().max_by_key(|kind| kind.1).map(|kind| *kind.0) else {
            continue;
        };
        let is_board = |member: u32| shown(member).is_some_and(|place| place.kind == kind);
        let mut links = Vec::new();
        for (from, value) in (0..).zip(&table.values) {
            let Const::Set(targets) = value else { continue };
            for &to in targets {
                if to != from && is_board(from) && is_board(to) {
                    let (domain, jump) = (*domain, false);
                    links.push(Link {
                        domain,
                        from,
                        to,
                        jump,
                    });
                }
            }
        }
        let board: Vec<(u32, (f64, f64))> = look
            .places
            .iter()
            .filter(|place| place.domain == *domain && place.kind == kind)
            .filter_map(|place| Some((place.member, place.at?)))
            .collect();
        links.retain(|link| !leaps(link, &board));
        let mut joined: Vec<u32> = links.iter().flat_map(|link| [link.from, link.to]).collect();
        joined.sort_unstable();
        joined.dedup();
        let places = kinds.get(kind).copied().unwrap_or(0);
        let is_whole = joined.len() * 10 >= places * 9;
        let is_less = best.as_ref().is_none_or(|best| links.len() < best.len());
        if is_whole && !links.is_empty() && is_less {
            best = Some(links);
        }
    }
    match look.links.is_empty() {
        true => best.unwrap_or_default(),
        false => Vec::new(),
    }
}

/// Whether a link passes over a place on its way.
fn leaps(link: &Link, places: &[(u32, (f64, f64))]) -> bool {
    let at = |member: u32| {
        let mut all = places.iter();
        all.find(|(known, _)| *known == member).map(|(_, at)| *at)
    };
    let (Some(a), Some(b)) = (at(link.from), at(link.to)) else {
        return false;
    };
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(1.0);
    places.iter().any(|(_, c)| {
        let along = ((c.0 - a.0) * dx + (c.1 - a.1) * dy) / length;
        let aside = ((c.0 - a.0) * dy - (c.1 - a.1) * dx).abs() / length;
        along > 1.0 && along < length - 1.0 && aside < 3.0
    })
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
    let mut document = json!({
        "form": 1,
        "players": players,
        "domains": domains,
        "placements": placements,
        "vars": vars,
        "families": families,
        "presentation": game.presentation,
        "steps": steps(game),
        "nest": game.nest_look,
        "episode": episode,
    });
    if knows_draws(game) {
        document["draws"] = true.into();
    }
    document
}

/// Whether some rule calls a game of several players a draw. What ends because nobody can move or because time is up is none by rule.
fn knows_draws(game: &Game) -> bool {
    let several = game.domain(game.players).len() > 1;
    let mut draws = false;
    for function in game.functions.iter().filter(|_| several) {
        visit::walk_block(&function.body, &mut |stmt| {
            draws |= matches!(
                &stmt.kind,
                StmtKind::End {
                    reason: EndReason::Draw,
                    ..
                }
            );
        });
    }
    draws
}
