//! From games to weights: those of counts, then of places beside them, then how both change with what is left.

use super::{
    Evaluation, PlaneWeights,
    fit::{self, NO_GROUP, Sample},
    lateness,
    lesson::Lesson,
    lines::find::{Seen, seen},
    mirror::Mirror,
    worth::MOVES,
};

/// What is worth less than this part of the most valuable thing is not worth an exchange: where it is certainly not 0, and
/// where that is not known.
const TRIFLE: (f64, f64) = (super::TRIFLE, 0.1);
/// Standard errors that a weight must be away from 0 to count as certain.
const CERTAIN: f64 = 2.0;
/// Penalty of weights of counts: about so many positions speak for 0.
const RIDGE: f64 = 20.0;
/// Penalties of weights of places, of which the one is taken that foretells games best that were left out: one in so many.
const RIDGES: [f64; 4] = [1e2, 1e3, 1e4, 1e5];
const LEFT_OUT: u64 = 4;

/// Largest number whose plane counts: larger ones stand for none that games reach.
const MOST_NUMBER: u64 = 1_000_000;

/// By how much numbers of a plane are divided, so that weights are of one size; beyond all numbers if it does not count.
fn scale(plane: &PlaneWeights) -> f64 {
    let most = plane
        .low
        .unsigned_abs()
        .max(plane.high.unsigned_abs())
        .max(1);
    match plane.is_number() {
        true if most > MOST_NUMBER => f64::INFINITY,
        true => most as f64,
        false => 1.0,
    }
}

/// An evaluation, and the standard errors of the weights of its counts.
pub(super) type Fitted = (Evaluation, Vec<f64>);

/// An evaluation fitted to games, and the errors of the weights of its counts. Games begin with the counts of `begin`.
pub(super) fn fitted(
    layout: &Evaluation,
    mirror: &Mirror,
    lessons: &[Lesson],
    begin: &Sample,
    places: bool,
) -> Fitted {
    let mut evaluation = layout.clone();
    let columns = Columns::of(layout);
    let mut samples: Vec<Sample> = lessons
        .iter()
        .flat_map(|l| l.samples.iter().cloned())
        .collect();
    let scales: Vec<f64> = layout
        .planes
        .iter()
        .flat_map(|plane| std::iter::repeat_n(scale(plane), plane.counts.len()))
        .collect();
    notice_always(&mut evaluation, mirror, &samples);
    for sample in &mut samples {
        let (own, holes) = prospects_of(layout, mirror, sample);
        let own = (columns.prospects as u32..).zip(own);
        sample.counts.extend(own.filter(|(_, x)| *x != 0.0));
        sample.places.extend(holes);
    }
    let counted: Vec<Vec<(u32, f64)>> = samples.iter().map(|s| s.counts.clone()).collect();
    fold(layout, mirror, &scales, &mut samples);
    let mut fit = fit::counts(&samples, columns.all, RIDGE);
    let games = lessons
        .iter()
        .flat_map(|l| l.samples.iter().map(|_| l.index));
    let left_out: Vec<bool> = games.map(|game| game.is_multiple_of(LEFT_OUT)).collect();
    let mut of_places = match places {
        true => places_that_foretell(&samples, &left_out, &mirror.groups, &fit.weights),
        false => Vec::new(),
    };
    centre(layout, &samples, &mut of_places);
    for sample in &mut samples {
        sample.known = fit::logit(sample, &fit.weights, &of_places);
    }
    unfold(&mirror.counts, &mut fit.weights, true);
    unfold(&mirror.counts, &mut fit.errors, false);
    unfold(&mirror.places, &mut of_places, true);
    give_holes(&mut evaluation, mirror, &of_places);
    evaluation.turn = fit.weights[columns.turn];
    give(
        &mut evaluation,
        &fit.weights,
        &scales,
        &of_places,
        |plane| (&mut plane.counts, &mut plane.places),
    );
    // The positions of a game are one observation rather than many.
    let each = (samples.len() as f64 / lessons.len().max(1) as f64)
        .max(1.0)
        .sqrt();
    let errors: Vec<f64> = fit.errors.iter().map(|error| error * each).collect();
    let prospects = &fit.weights[columns.prospects..];
    give_prospects(&mut evaluation, prospects, errors.get(columns.prospects));
    leave_trifles(&mut evaluation, mirror, &errors);
    evaluation.whole = whole(&evaluation, begin);
    if places && evaluation.whole > 0.0 {
        let amounts = amounts(&evaluation);
        let left = counted
            .iter()
            .map(|counts| evaluation.left(evaluation.room + amount(&amounts, counts)));
        let late: Vec<f64> = left.map(lateness).collect();
        let slopes = slopes(mirror, &samples, &late, &left_out, columns.all);
        give_slopes(&mut evaluation, mirror, &scales, slopes, columns.prospects);
    }
    (evaluation.prepared(), errors)
}

/// Where the counts of a position that are no counts of things stand behind these.
#[derive(Clone, Copy)]
struct Columns {
    /// Who is on turn.
    turn: usize,
    /// Moves to choose from, then open lines.
    prospects: usize,
    /// How many there are.
    all: usize,
}

impl Columns {
    fn of(layout: &Evaluation) -> Columns {
        let turn = layout.planes.iter().map(|p| p.counts.len()).sum();
        let lines = layout.lines.as_ref().map_or(0, |l| l.weights.len());
        Columns {
            turn,
            prospects: turn + 1,
            all: turn + 2 + lines,
        }
    }
}

/// Gives weights what they grow by from the beginning to the end of games, if that foretells anything.
fn give_slopes(
    evaluation: &mut Evaluation,
    mirror: &Mirror,
    scales: &[f64],
    (mut counts, mut places): (Vec<f64>, Vec<f64>),
    prospects: usize,
) {
    if counts.is_empty() {
        return;
    }
    unfold(&mirror.counts, &mut counts, true);
    unfold(&mirror.places, &mut places, true);
    give(evaluation, &counts, scales, &places, |plane| {
        (&mut plane.late_counts, &mut plane.late_places)
    });
    give_late_prospects(evaluation, &counts[prospects..]);
}

/// Gives features that favour nobody no weight, scales others, and gives those that mirror others the numbers of these.
fn fold(layout: &Evaluation, mirror: &Mirror, scales: &[f64], samples: &mut [Sample]) {
    let (fair_counts, fair_places) = favouring_nobody(layout, mirror);
    for sample in samples {
        let keep = |fair: &[bool], at: u32| !fair.get(at as usize).is_some_and(|fair| *fair);
        sample.counts.retain(|(at, _)| keep(&fair_counts, *at));
        sample.places.retain(|(at, _)| keep(&fair_places, *at));
        sample
            .counts
            .iter_mut()
            .for_each(|(at, x)| *x /= scales.get(*at as usize).unwrap_or(&1.0));
        mirror.fold(&mut sample.counts);
        for (at, x) in &mut sample.places {
            let (own, sign) = mirror
                .places
                .get(*at as usize)
                .copied()
                .unwrap_or((*at, 1.0));
            (*at, *x) = (own, sign);
        }
    }
}

/// What is counted beside things: by how many moves the first player has more to choose from, and lines that are open; and the places that
/// these lack.
fn prospects_of(
    layout: &Evaluation,
    mirror: &Mirror,
    sample: &Sample,
) -> (Vec<f64>, Vec<(u32, f64)>) {
    let lines = layout.lines.as_ref();
    let seen = lines.map_or(Seen::default(), |lines| {
        seen(lines, &layout.planes, &sample.places)
    });
    let all = [sample.mobility / MOVES].into_iter().chain(seen.open);
    let holes = seen.holes.into_iter();
    let holes = holes.map(|(player, place)| (mirror.of_player(player, place), 1.0));
    (all.collect(), holes.collect())
}

/// Gives them their weights. Moves are counted in search only if it is certain that they matter, for that takes time.
fn give_prospects(evaluation: &mut Evaluation, weights: &[f64], error: Option<&f64>) {
    let mobility = weights.first().copied().unwrap_or(0.0);
    let certain = error.is_none_or(|error| mobility.abs() > CERTAIN * error);
    evaluation.mobility = if certain { mobility / MOVES } else { 0.0 };
    evaluation.late_mobility = 0.0;
    if let Some(lines) = &mut evaluation.lines {
        lines.weights = weights.get(1..).unwrap_or_default().to_vec();
        lines.late = Vec::new();
    }
}

/// Gives lines what the places are worth that they lack.
fn give_holes(evaluation: &mut Evaluation, mirror: &Mirror, places: &[f64]) {
    let Some(lines) = &mut evaluation.lines else {
        return;
    };
    let last = lines.lines.iter().flatten().max().copied();
    let own = |player: usize| -> Vec<f64> {
        let all = 0..=last.unwrap_or(0);
        all.map(|place| {
            let at = mirror.of_player(player, place) as usize;
            places.get(at).copied().unwrap_or(0.0)
        })
        .collect()
    };
    lines.holes = match places.is_empty() {
        true => [Vec::new(), Vec::new()],
        false => [own(0), own(1)],
    };
}

/// Gives them what their weights grow by to the end of games.
fn give_late_prospects(evaluation: &mut Evaluation, weights: &[f64]) {
    if evaluation.mobility != 0.0 {
        evaluation.late_mobility = weights.first().copied().unwrap_or(0.0) / MOVES;
    }
    if let Some(lines) = &mut evaluation.lines {
        lines.late = weights.get(1..).unwrap_or_default().to_vec();
    }
}

/// Gives each plane its part of the weights of counts and of places.
fn give(
    evaluation: &mut Evaluation,
    counts: &[f64],
    scales: &[f64],
    places: &[f64],
    of: impl Fn(&mut PlaneWeights) -> (&mut Vec<f64>, &mut Vec<f64>),
) {
    let (mut first, mut place) = (0, 0);
    for plane in &mut evaluation.planes {
        let values = plane.counts.len();
        let cells = plane.cells * values;
        let own = first..first + values;
        let scaled = counts[own.clone()].iter().zip(&scales[own]);
        let (of_counts, of_places) = of(plane);
        *of_counts = scaled.map(|(weight, scale)| weight / scale).collect();
        *of_places = places
            .get(place..place + cells)
            .unwrap_or_default()
            .to_vec();
        first += values;
        place += cells;
    }
}

/// For each count how much that can be exchanged it is.
fn amounts(evaluation: &Evaluation) -> Vec<f64> {
    let of = |plane: &PlaneWeights| -> Vec<f64> {
        (0..plane.counts.len())
            .map(|value| plane.left(value))
            .collect()
    };
    evaluation.planes.iter().flat_map(of).collect()
}

/// What all things are worth that can be exchanged at the beginning.
pub(super) fn whole(evaluation: &Evaluation, begin: &Sample) -> f64 {
    evaluation.room + amount(&amounts(evaluation), &begin.counts)
}

fn amount(amounts: &[f64], counts: &[(u32, f64)]) -> f64 {
    let of = |&(at, number): &(u32, f64)| amounts.get(at as usize).unwrap_or(&0.0) * number;
    counts.iter().map(of).sum()
}

/// By how much weights of counts and of places grow from the beginning to the end of games, beside what is known of samples; none where that
/// foretells nothing.
fn slopes(
    mirror: &Mirror,
    samples: &[Sample],
    late: &[f64],
    left_out: &[bool],
    counts: usize,
) -> (Vec<f64>, Vec<f64>) {
    let places = mirror.groups.len();
    // What it is worth to be on turn is the same all the time.
    let sloped = samples.iter().zip(late).map(|(sample, late)| {
        let own = sample
            .counts
            .iter()
            .filter(|(at, _)| *at as usize != mirror.counts.len());
        let own = own.map(|&(at, x)| (places as u32 + at, x));
        let of_values = sample.places.iter().copied();
        let of_values = of_values.filter(|(at, _)| (*at as usize) < mirror.of_values);
        let all = of_values.chain(own);
        Sample {
            counts: Vec::new(),
            places: all.map(|(at, x)| (at, x * late)).collect(),
            others: Vec::new(),
            ..*sample
        }
    });
    let sloped: Vec<Sample> = sloped.collect();
    let none = std::iter::repeat_n([NO_GROUP; fit::GROUPS], counts);
    let groups: Vec<[u32; fit::GROUPS]> = mirror.groups.iter().copied().chain(none).collect();
    let mut weights = places_that_foretell(&sloped, left_out, &groups, &[]);
    match weights.is_empty() {
        true => (Vec::new(), Vec::new()),
        false => (weights.split_off(places), weights),
    }
}

/// Notes of which things each player has the same number in all positions of play.
fn notice_always(evaluation: &mut Evaluation, mirror: &Mirror, samples: &[Sample]) {
    let mut seen = vec![(0, 0.0, true); mirror.counts.len()];
    for (at, number) in samples.iter().flat_map(|sample| &sample.counts) {
        if let Some((times, first, same)) = seen.get_mut(*at as usize) {
            *same &= *times == 0 || *first == *number;
            *first = *number;
            *times += 1;
        }
    }
    let mut first = 0;
    for plane in &mut evaluation.planes {
        let values = plane.counts.len();
        plane.always.clear();
        for value in (0..values).filter(|_| plane.cells > 1 && values > 1) {
            let (times, number, same) = seen[first + value];
            if let Some(sign) = mirror.owner(first + value)
                && same
                && times == samples.len()
            {
                plane.always.push((value, sign * number));
            }
        }
        first += values;
    }
}

/// For each count and each place whether it favours nobody.
fn favouring_nobody(layout: &Evaluation, mirror: &Mirror) -> (Vec<bool>, Vec<bool>) {
    let (mut counts, mut places) = (Vec::new(), Vec::new());
    for (number, plane) in layout.planes.iter().enumerate() {
        let fair = mirror.favours_nobody(number, plane);
        let values = plane.counts.len();
        counts.extend(std::iter::repeat_n(fair, values));
        places.extend(std::iter::repeat_n(fair, plane.cells * values));
    }
    (counts, places)
}

/// Weights of places with the penalty that foretells games best that were left out; none where they foretell nothing.
fn places_that_foretell(
    samples: &[Sample],
    left_out: &[bool],
    groups: &[[u32; fit::GROUPS]],
    counts: &[f64],
) -> Vec<f64> {
    let part = |wanted: bool| -> Vec<Sample> {
        let chosen = samples
            .iter()
            .zip(left_out)
            .filter(|(_, left)| **left == wanted);
        chosen.map(|(sample, _)| sample.clone()).collect()
    };
    let (learnt_from, left) = (part(false), part(true));
    let loss = |ridge: &f64| {
        let weights = fit::places(&learnt_from, groups, *ridge, counts);
        fit::loss(&left, counts, &weights)
    };
    let losses = RIDGES.iter().map(|ridge| (loss(ridge), *ridge));
    let best = losses.min_by(|a, b| a.0.total_cmp(&b.0));
    match best.filter(|(best, _)| *best < fit::loss(&left, counts, &[])) {
        Some((_, ridge)) => fit::places(samples, groups, ridge, counts),
        None => Vec::new(),
    }
}

/// Takes from the weights of places what a thing is worth on the average, which is said by its count: what players hope for is less extreme
/// than how games end, and things would lose worth by that.
fn centre(layout: &Evaluation, samples: &[Sample], weights: &mut [f64]) {
    let mut seen = vec![0.0; weights.len()];
    for (at, x) in samples.iter().flat_map(|sample| &sample.places) {
        if let Some(seen) = seen.get_mut(*at as usize) {
            *seen += x.abs();
        }
    }
    let mut first = 0;
    for plane in &layout.planes {
        let values = plane.counts.len();
        let end = (first + plane.cells * values).min(weights.len());
        for value in 0..values {
            let places = || (first + value..end).step_by(values);
            let all: f64 = places().map(|at| seen[at]).sum();
            let mean = places().map(|at| seen[at] * weights[at]).sum::<f64>() / all.max(1.0);
            let met = places().filter(|at| seen[*at] > 0.0);
            met.for_each(|at| weights[at] -= mean);
        }
        first = end;
    }
}

/// Gives what has the weight of something else its number, with or without the other sign.
fn unfold(mirror: &[(u32, f64)], numbers: &mut [f64], signed: bool) {
    for (at, (own, sign)) in mirror.iter().enumerate() {
        if *own as usize != at
            && let Some(known) = numbers.get(*own as usize).copied()
            && let Some(number) = numbers.get_mut(at)
        {
            *number = if signed { sign * known } else { known };
        }
    }
}

/// Lets exchanges be only of planes that show something of worth.
///
/// What is of one player counts until it is certain that it is a trifle: random games tell little of it, and players who do not look at
/// it give it away.
fn leave_trifles(evaluation: &mut Evaluation, mirror: &Mirror, errors: &[f64]) {
    let worth = |plane: &PlaneWeights| {
        plane
            .counts
            .iter()
            .fold(0.0_f64, |most, w| most.max(w.abs()))
    };
    let quiet = evaluation.planes.iter().filter(|plane| plane.quiet);
    let most = quiet.map(worth).fold(0.0, f64::max);
    let mut first = 0;
    for (number, plane) in evaluation.planes.iter_mut().enumerate() {
        let hopeful = mirror.is_owned(number)
            && plane.counts.iter().enumerate().any(|(value, weight)| {
                let error = errors.get(first + value).copied().unwrap_or(0.0);
                weight.abs() + CERTAIN * error >= TRIFLE.0 * most
            });
        let certain = plane.counts.iter().enumerate().any(|(value, weight)| {
            errors
                .get(first + value)
                .is_none_or(|error| weight.abs() > CERTAIN * error)
        });
        first += plane.counts.len();
        let least = if certain { TRIFLE.0 } else { TRIFLE.1 };
        plane.quiet &= hopeful || worth(plane) >= least * most;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_places_are_even_beside_those_of_counts() {
        let text = r#"{"format": "rulec evaluation 1", "rules": "", "turn": 0.0, "forced": false, "planes": [{"name": "board",
            "cells": 3, "low": 0, "high": 1, "quiet": true, "counts": [0.0, 1.0], "places": []}]}"#;
        let layout = Evaluation::from_json(text).expect("it is one");
        // The thing stands in the first place three times as often as in the second one, and never in the third.
        let sample = |at: u32| Sample {
            places: vec![(at, 1.0)],
            ..Sample::default()
        };
        let samples = [1, 1, 1, 3].map(sample);
        let mut weights = [0.0, 0.4, 0.0, 0.8, 0.0, 0.0];
        centre(&layout, &samples, &mut weights);
        let expected = [0.0, -0.1, 0.0, 0.3, 0.0, 0.0];
        assert!(
            weights
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-12),
            "{weights:?}"
        );
    }
}
