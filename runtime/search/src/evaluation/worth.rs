//! What things and prospects are worth, for people.

use rulec_core::GameInfo;

use super::{
    Evaluation,
    mirror::{Mirror, name_of},
};

/// By how many moves more or less numbers of moves are told, so that the weight is of the size of others.
pub(super) const MOVES: f64 = 16.0;

/// What one thing more is worth to the first player.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The plane that shows it.
    pub plane: String,
    /// What it is, as far as the game tells.
    pub name: String,
    /// Logarithm of the odds of winning.
    pub weight: f64,
    /// Its standard error, where it is known.
    pub error: Option<f64>,
    /// The weight as a multiple of the least that is certainly not 0, without its sign; nothing where none is certain.
    pub units: Option<f64>,
}

/// What things are worth; where more than two play, those of each player to him, and those that are nobody's to the first one.
pub(super) fn worth_to_all(
    info: &GameInfo,
    evaluation: &Evaluation,
    mirror: &Mirror,
    errors: &[Vec<f64>],
) -> Vec<Worth> {
    if !evaluation.is_for_many() {
        let errors = errors.first().map_or(&[][..], |errors| errors);
        return worth(info, evaluation, mirror, errors);
    }
    let is_of = |name: &str, player: &str| {
        name.strip_prefix(player)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let mut all = Vec::new();
    for (seat, errors) in errors.iter().enumerate() {
        let told = worth(info, evaluation.of(seat), mirror, errors);
        all.extend(told.into_iter().filter(|one| {
            let owner = info
                .players
                .iter()
                .position(|player| is_of(&one.name, player));
            owner.unwrap_or(0) == seat
        }));
    }
    all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    all
}

/// What things are worth: those of planes that few moves change.
fn worth(info: &GameInfo, evaluation: &Evaluation, mirror: &Mirror, errors: &[f64]) -> Vec<Worth> {
    let mirrored = |count: usize| {
        mirror
            .counts
            .iter()
            .any(|(own, sign)| *sign < 0.0 && *own as usize == count)
    };
    let mut all = Vec::new();
    let mut first = 0;
    for (plane, shown) in evaluation.planes.iter().zip(info.planes) {
        for (value, &weight) in plane.counts.iter().enumerate() {
            let number = plane.low + value as i64;
            let always = plane.always.iter().any(|(always, _)| *always == value);
            if plane.quiet && !always && number != 0 && !mirror.is_image(first + value) {
                let name = name_of(info, shown, number);
                // What both have is called without an owner.
                let owner = info.players.first().filter(|_| mirrored(first + value));
                let bare = owner.and_then(|owner| name.strip_prefix(owner));
                let bare = bare.map(str::trim_start).filter(|bare| !bare.is_empty());
                all.push(Worth {
                    plane: plane.name.clone(),
                    name: bare.map_or(name.clone(), str::to_owned),
                    weight,
                    error: errors.get(first + value).copied(),
                    units: None,
                });
            }
        }
        first += plane.counts.len();
    }
    let certain = |w: &&Worth| w.error.is_some_and(|error| w.weight.abs() > 3.0 * error);
    let unit = all
        .iter()
        .filter(certain)
        .map(|w| w.weight.abs())
        .reduce(f64::min);
    for one in &mut all {
        one.units = unit.map(|unit| one.weight.abs() / unit);
    }
    all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    all.extend(prospects(evaluation, errors, first + 1));
    all
}

/// What prospects are worth: lines that are still open, and moves to choose from. The errors of their weights begin at some place.
fn prospects(evaluation: &Evaluation, errors: &[f64], first: usize) -> Vec<Worth> {
    let one = |name: String, weight: f64, error: Option<&f64>| Worth {
        plane: String::new(),
        name,
        weight,
        error: error.copied(),
        units: None,
    };
    let mut all = Vec::new();
    if evaluation.mobility != 0.0 {
        let error = errors.get(first).map(|error| error / MOVES);
        let name = "a move more to choose from".to_owned();
        all.push(one(name, evaluation.mobility, error.as_ref()));
    }
    if let Some(lines) = evaluation.lines.as_ref().filter(|lines| lines.count()) {
        let length = lines.weights.len() + 1;
        let own = lines.weights.iter().enumerate().map(|(at, &weight)| {
            let name = format!("an open line with {} of {length}", at + 1);
            one(name, weight, errors.get(first + 1 + at))
        });
        all.extend(own.rev());
    }
    all
}
