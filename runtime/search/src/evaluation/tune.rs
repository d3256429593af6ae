//! What things are worth, tried out: how games end tells what a thing was worth to players who could not make much of it, so each weight
//! is changed and the evaluation plays against itself, and keeps what wins.

use rulec_core::GameInfo;

use super::{
    Evaluation, Learnt,
    fit::Sample,
    fitted::{Fitted, whole},
    learn::Teacher,
    mirror::Mirror,
    mirror::name_of,
};

/// By how much weights are changed, one after the other.
const FACTORS: [f64; 2] = [1.5, 1.2];
/// How often a weight is changed in one direction, as long as that wins.
const MOST_STEPS: usize = 4;
/// Parts in which the games of a trial are played: it ends as soon as a change does not win, or clearly does.
const PARTS: u64 = 4;
/// By how many standard errors of a score a change must win to be kept, in the end and before it.
const CERTAIN: (f64, f64) = (1.5, 2.5);
/// The standard deviation of the points of a game at most.
const DEVIATION: f64 = 0.5;

/// A change of what a thing is worth that won.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is, as far as the game tells.
    pub name: String,
    /// By how much its weight was multiplied.
    pub factor: f64,
    /// The share of the points that the evaluation with the new weight got against the one before.
    pub score: f64,
}

/// A thing that can be exchanged.
struct Thing {
    name: String,
    /// Its counts by plane and value, and those of the same thing of the other player.
    counts: Vec<(usize, usize)>,
    /// Their numbers among those of all planes.
    numbers: Vec<usize>,
    weight: f64,
}

/// The things of an evaluation, the most valuable first.
fn things(info: &GameInfo, evaluation: &Evaluation, mirror: &Mirror) -> Vec<Thing> {
    let planes = evaluation.planes.iter().zip(info.planes).enumerate();
    let counts = planes.flat_map(|(number, (plane, shown))| {
        let values = 0..plane.counts.len();
        values.map(move |value| (number, value, plane, shown))
    });
    let counts: Vec<_> = counts.collect();
    let mut things = Vec::new();
    for (at, &(_, value, plane, shown)) in counts.iter().enumerate() {
        let weight = plane.amount(value);
        if weight == 0.0 || mirror.is_image(at) {
            continue;
        }
        let is_own = |number: &usize| {
            mirror
                .counts
                .get(*number)
                .is_some_and(|(own, _)| *own as usize == at)
        };
        let numbers: Vec<usize> = (0..counts.len()).filter(is_own).collect();
        things.push(Thing {
            name: name_of(info, shown, plane.low + value as i64),
            counts: numbers
                .iter()
                .map(|&n| (counts[n].0, counts[n].1))
                .collect(),
            numbers,
            weight,
        });
    }
    things.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    things
}

/// The evaluation with other weights of some things, and the errors of its counts.
fn changed((evaluation, errors): &Fitted, things: &[Thing], factor: f64, begin: &Sample) -> Fitted {
    let (mut evaluation, mut errors) = (evaluation.clone(), errors.clone());
    for &(plane, value) in things.iter().flat_map(|thing| &thing.counts) {
        let plane = &mut evaluation.planes[plane];
        let weights = [&mut plane.counts, &mut plane.late_counts];
        for weight in weights.into_iter().filter_map(|all| all.get_mut(value)) {
            *weight *= factor;
        }
    }
    for &number in things.iter().flat_map(|thing| &thing.numbers) {
        if let Some(error) = errors.get_mut(number) {
            *error *= factor;
        }
    }
    evaluation.whole = whole(&evaluation, begin);
    (evaluation.prepared(), errors)
}

/// Weights that are changed together.
enum Group<'t> {
    Things(&'t [Thing]),
    Moves,
    Lines,
}

impl Group<'_> {
    fn name(&self) -> String {
        match self {
            Group::Things([thing]) => thing.name.clone(),
            Group::Things(_) => "all things".to_owned(),
            Group::Moves => "moves to choose from".to_owned(),
            Group::Lines => "open lines".to_owned(),
        }
    }

    fn changed(&self, best: &Fitted, factor: f64, begin: &Sample) -> Fitted {
        let (mut evaluation, errors) = best.clone();
        match self {
            Group::Things(things) => return changed(best, things, factor, begin),
            Group::Moves => {
                evaluation.mobility *= factor;
                evaluation.late_mobility *= factor;
            }
            Group::Lines => {
                let lines = evaluation.lines.iter_mut();
                let weights = lines.flat_map(|lines| {
                    let holes = lines.holes.iter_mut().flatten();
                    lines.weights.iter_mut().chain(&mut lines.late).chain(holes)
                });
                weights.for_each(|weight| *weight *= factor);
            }
        }
        (evaluation.prepared(), errors)
    }
}

impl Teacher<'_, '_> {
    /// Changes what things are worth as long as that wins games of the evaluation against itself.
    pub(super) fn tune(
        &mut self,
        info: &GameInfo,
        mut best: Fitted,
        mirror: &Mirror,
        begin: &Sample,
    ) -> Result<(Fitted, Vec<Change>), String> {
        let mut changes = Vec::new();
        self.leave_moves(&mut best, &mut changes)?;
        let things = things(info, &best.0, mirror);
        // First all of them beside where they stand, then each beside the others.
        let all = [&things[..]].into_iter().filter(|all| all.len() > 1);
        let groups = all.chain(things.chunks(1)).map(Group::Things);
        let moves = best.0.counts_moves().then_some(Group::Moves);
        let lines = best.0.lines.as_ref().filter(|lines| lines.count());
        let lines = lines.map(|_| Group::Lines);
        let groups: Vec<Group<'_>> = groups.chain(moves).chain(lines).collect();
        for size in FACTORS {
            for group in &groups {
                self.turn_up_or_down(group, size, &mut best, begin, &mut changes)?;
            }
        }
        Ok((best, changes))
    }

    /// Leaves it at what things are worth unless it wins games to count moves too, for that takes time.
    fn leave_moves(&mut self, best: &mut Fitted, changes: &mut Vec<Change>) -> Result<(), String> {
        if !best.0.counts_moves() || self.settings.trials < PARTS {
            return Ok(());
        }
        let without = Evaluation {
            mobility: 0.0,
            late_mobility: 0.0,
            ..best.0.clone()
        };
        let score = self.wins(&best.0, &without)?;
        changes.extend(score.map(|score| Change {
            name: Group::Moves.name(),
            factor: 1.0,
            score,
        }));
        if score.is_none() {
            best.0 = without;
        }
        Ok(())
    }

    /// Changes weights by a factor, or else by the contrary, as long as that wins.
    fn turn_up_or_down(
        &mut self,
        group: &Group<'_>,
        size: f64,
        best: &mut Fitted,
        begin: &Sample,
        changes: &mut Vec<Change>,
    ) -> Result<(), String> {
        for factor in [size, 1.0 / size] {
            let before = changes.len();
            for _ in 0..MOST_STEPS {
                let new = group.changed(best, factor, begin);
                let Some(score) = self.wins(&new.0, &best.0)? else {
                    break;
                };
                *best = new;
                changes.push(Change {
                    name: group.name(),
                    factor,
                    score,
                });
            }
            if changes.len() > before {
                break;
            }
        }
        Ok(())
    }

    /// The share of the points of an evaluation against another one, if it is as good as certain that it is better.
    fn wins(&mut self, new: &Evaluation, old: &Evaluation) -> Result<Option<f64>, String> {
        let rivals = [new, old].map(|one| Learnt::keep("a trial", one.clone()));
        let part = self.settings.trials / PARTS;
        let (mut points, mut games) = (0.0, 0);
        let mut lead = 0.0;
        for _ in 0..PARTS {
            if part == 0 {
                break;
            }
            points +=
                self.score(rivals[0], Some(rivals[1]), part, "trials of weights")? * part as f64;
            games += part;
            lead = (points / games as f64 - 0.5) * (games as f64).sqrt() / DEVIATION;
            if lead < 0.0 || lead > CERTAIN.1 {
                break;
            }
        }
        Ok((lead >= CERTAIN.0).then(|| points / games as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::PlaneWeights;

    #[test]
    fn a_thing_and_its_image_get_another_weight_and_no_other_thing_does() {
        let plane = |weight: f64| PlaneWeights {
            counts: vec![0.0, weight],
            late_counts: vec![0.0, weight / 2.0],
            quiet: true,
            ..PlaneWeights::of_bits(2)
        };
        let evaluation = Evaluation::of_planes(vec![plane(1.0), plane(-1.0), plane(3.0)]);
        let errors = vec![0.0, 0.25, 0.0, 0.25, 0.0, 0.5];
        let thing = Thing {
            name: "pawn".to_owned(),
            counts: vec![(0, 1), (1, 1)],
            numbers: vec![1, 3],
            weight: 1.0,
        };
        // Two of the first kind are there at the beginning, and one of the third.
        let begin = Sample {
            counts: vec![(1, 1.0), (3, 1.0), (5, 1.0)],
            ..Sample::default()
        };
        let (new, errors) = changed(&(evaluation, errors), &[thing], 2.0, &begin);
        let counts: Vec<f64> = new.planes.iter().map(|plane| plane.counts[1]).collect();
        let late: Vec<f64> = new
            .planes
            .iter()
            .map(|plane| plane.late_counts[1])
            .collect();
        assert_eq!(counts, [2.0, -2.0, 3.0]);
        assert_eq!(late, [1.0, -1.0, 1.5]);
        assert_eq!(errors, [0.0, 0.5, 0.0, 0.5, 0.0, 0.5]);
        assert_eq!(new.whole, 2.0 + 2.0 + 3.0);
    }
}
