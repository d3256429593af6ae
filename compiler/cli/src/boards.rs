//! Where places lie on the board, for heat maps.

use rulec_compiler::ir::{Game, PlaceLook, Shape};
use rulec_report::{Board, Spot};

use crate::interpreted::place_offset;

/// For every counter of places the places that have a look.
pub(crate) fn boards(game: &Game) -> Vec<Board> {
    let counters = game.counters.iter().enumerate();
    counters
        .filter_map(|(counter, about)| {
            let axis = about.axis?;
            let looks = game.presentation.places.iter();
            let spots = looks.filter(|look| look.domain == axis);
            let spots: Vec<Spot> = spots
                .filter_map(|look| spot(game, look, look.member as usize))
                .collect();
            Some(Board { counter, spots })
        })
        .collect()
}

/// The places of all placements, by their numbers in [`rulec_core::GameInfo::places`]; in rows where the rules draw none.
pub(crate) fn spots_of_places(game: &Game, names: &[&str]) -> Vec<Spot> {
    let looks = game.presentation.places.iter();
    let spots: Vec<Spot> = looks
        .filter_map(|look| {
            let first = place_offset(game, look.domain)?;
            spot(game, look, (first + look.member) as usize)
        })
        .collect();
    match spots.is_empty() {
        true => Spot::rows(names),
        false => spots,
    }
}

fn spot(game: &Game, look: &PlaceLook, member: usize) -> Option<Spot> {
    let (x, y) = look.at?;
    let (width, height) = match &look.shape {
        Some(Shape::Rectangle(width, height)) => (*width, *height),
        Some(Shape::Circle(radius)) => (2.0 * radius, 2.0 * radius),
        _ => (Spot::SIDE, Spot::SIDE),
    };
    Some(Spot {
        member,
        name: game.domain(look.domain).member(look.member),
        x,
        y,
        width,
        height,
    })
}
