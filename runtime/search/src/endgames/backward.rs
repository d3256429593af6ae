//! From the ends backwards: who wins, and after how many plies.
//!
//! Results are taken up in the order of their distance. A position whose mover has a move to a position that he wins is won; one is
//! lost when the last of its moves is found to lose, which a counter tells. What is never reached is drawn. Every move is looked
//! at once.

use super::{
    graph::{Graph, Ground, Status},
    table::Value,
};

/// Works out all positions; the values in the order of their numbers.
pub(super) fn values(ground: &Ground<'_, '_>, graph: &mut Graph) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(graph.status.len());
    values.extend(graph.status.iter().map(|status| match status {
        Status::Open => Value::Draw,
        Status::No | Status::Over => Value::None,
    }));
    spread(ground, graph, &mut values);
    // No move leads to a position that the rules forbid, nor did anything that is always there leave it.
    if ground.frame.always.iter().any(|count| *count > 0) {
        for (number, value) in values.iter_mut().enumerate().take(ground.size() as usize) {
            let word = graph.reached.get(number / 64).copied().unwrap_or(0);
            if word >> (number % 64) & 1 == 0 {
                *value = Value::None;
            }
        }
    }
    values
}

/// Spreads results.
fn spread(ground: &Ground<'_, '_>, graph: &mut Graph, values: &mut [Value]) {
    let all = ground.size() as u32;
    let turns = ground.frame.turns.len();
    let movers = std::mem::take(&mut graph.met_movers);
    let mover = |number: u32| match number.checked_sub(all) {
        Some(met) => movers.get(met as usize).copied().unwrap_or(0),
        None => ground.part_of(number).map_or(0, |(_, turn, _)| turn as u8),
    };
    let mut layers = Layers::default();
    for &(number, value) in &graph.ends {
        let Some(own) = values.get_mut(number as usize) else {
            continue;
        };
        // A position that a move ends is over, whatever it would be if it were set up.
        *own = Value::Draw;
        match value {
            Value::Win { player, .. } => layers.add(0, number, player),
            _ => graph.status[number as usize] = Status::No,
        }
    }
    for &(number, plies) in &graph.won {
        layers.add(plies, number, mover(number));
    }
    for number in 0..graph.status.len() as u32 {
        let at = number as usize;
        if graph.status[at] == Status::Open && graph.left[at] == 0 {
            let plies = graph.longest[at].saturating_add(1);
            layers.add(plies, number, other(mover(number), turns));
        }
    }
    let mut plies = 0;
    while let Some(layer) = layers.take(plies) {
        for (number, player) in layer {
            let at = number as usize;
            let drawn = graph.status[at] == Status::No;
            if matches!(values[at], Value::Win { .. }) || drawn {
                continue;
            }
            values[at] = Value::win(player, plies);
            for edge in graph.begins[at]..graph.begins[at + 1] {
                let source = graph.sources[edge as usize];
                let from = source as usize;
                if matches!(values[from], Value::Win { .. }) {
                    continue;
                }
                let mover = mover(source);
                if mover == player {
                    layers.add(plies.saturating_add(1), source, mover);
                    continue;
                }
                graph.longest[from] = graph.longest[from].max(plies);
                graph.left[from] = graph.left[from].saturating_sub(1);
                if graph.left[from] == 0 {
                    layers.add(graph.longest[from].saturating_add(1), source, player);
                }
            }
        }
        plies = match plies.checked_add(1) {
            Some(next) => next,
            None => break,
        };
    }
}

/// Whom a position is lost to if the mover loses it.
fn other(mover: u8, turns: usize) -> u8 {
    match turns {
        2 => 1 - mover.min(1),
        _ => 1,
    }
}

/// Positions whose winner is known, by the plies to the end.
#[derive(Default)]
struct Layers {
    layers: Vec<Vec<(u32, u8)>>,
}

impl Layers {
    fn add(&mut self, plies: u16, number: u32, player: u8) {
        let plies = usize::from(plies);
        if self.layers.len() <= plies {
            self.layers.resize_with(plies + 1, Vec::new);
        }
        self.layers[plies].push((number, player));
    }

    fn take(&mut self, plies: u16) -> Option<Vec<(u32, u8)>> {
        self.layers.get_mut(usize::from(plies)).map(std::mem::take)
    }
}
