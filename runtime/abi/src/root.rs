//! Choosing by Gumbel noise (Danihelka and others, 2022): better than the network's policy with any number of visits.

use rulec_core::Rng;

use crate::tree::{Node, Tree};

/// Added to the visits of the best child where values are weighed against logits.
const VISITS: f32 = 50.0;

/// Children whose turn it is, and how often each was visited before: one number for each simulation.
///
/// Of `considered` children all get as many visits, then the better half of them again, and so on.
pub(crate) fn halving(considered: usize, simulations: usize) -> Vec<u32> {
    let mut plan = Vec::with_capacity(simulations);
    if considered <= 1 {
        plan.extend(0..simulations as u32);
        return plan;
    }
    let rounds = considered.next_power_of_two().trailing_zeros().max(1) as usize;
    let mut visits = vec![0; considered];
    let mut left = considered;
    while plan.len() < simulations {
        let each = (simulations / (rounds * left)).max(1);
        for _ in 0..each {
            plan.extend_from_slice(&visits[..left]);
            visits[..left].iter_mut().for_each(|count| *count += 1);
        }
        left = (left / 2).max(2);
    }
    plan.truncate(simulations);
    plan
}

/// A number of the Gumbel distribution.
pub(crate) fn gumbel(rng: &mut Rng) -> f32 {
    let uniform = (1.0 - rng.unit()).max(f64::MIN_POSITIVE);
    -libm::log(-libm::log(uniform).min(-f64::MIN_POSITIVE)) as f32
}

/// What the children of a node are worth, those that were not visited by what is known of the others.
pub(crate) struct Completed {
    unknown: f32,
    scale: f32,
}

impl Completed {
    pub(crate) fn of<M: Copy>(tree: &Tree<M>, at: usize, scale: f32) -> Self {
        let children = tree.children(at);
        let own = tree.nodes.get(at).map_or(0.5, |node| node.own);
        let (mut visits, mut most, mut mass, mut sum) = (0, 0, 0.0, 0.0);
        for child in children {
            if let Some(mean) = child.mean() {
                visits += child.visits;
                most = most.max(child.visits);
                mass += child.prior;
                sum += child.prior * mean;
            }
        }
        let unknown = match mass > 0.0 {
            true => (own + visits as f32 * sum / mass) / (1.0 + visits as f32),
            false => own,
        };
        Self {
            unknown,
            scale: (VISITS + most as f32) * scale,
        }
    }

    /// How much the worth of a child counts, in units of logits.
    pub(crate) fn weight<M>(&self, child: &Node<M>) -> f32 {
        self.scale * child.mean().unwrap_or(self.unknown)
    }
}

/// The policy that follows from the network's and from what was found, a chance each child.
pub(crate) fn improved<M: Copy>(tree: &Tree<M>, at: usize, scale: f32, out: &mut Vec<f32>) {
    let completed = Completed::of(tree, at, scale);
    let children = tree.children(at);
    out.clear();
    out.extend(children.iter().map(|child| completed.weight(child)));
    let most = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for (chance, child) in out.iter_mut().zip(children) {
        *chance = child.prior * libm::expf(*chance - most);
    }
    let sum: f32 = out.iter().sum();
    let even = 1.0 / children.len().max(1) as f32;
    for chance in out.iter_mut() {
        *chance = if sum > 0.0 { *chance / sum } else { even };
    }
}

/// The child below the root that comes next: visits follow the improved policy.
pub(crate) fn follow<M: Copy>(tree: &Tree<M>, at: usize, scale: f32, room: &mut Vec<f32>) -> usize {
    improved(tree, at, scale, room);
    let children = tree.children(at);
    let visits: u32 = children.iter().map(|child| child.visits).sum();
    let mut best = (0, f32::NEG_INFINITY);
    for (number, (child, chance)) in children.iter().zip(room.iter()).enumerate() {
        let lag = chance - child.visits as f32 / (1.0 + visits as f32);
        if lag > best.1 {
            best = (number, lag);
        }
    }
    tree.nodes.get(at).map_or(0, |node| node.first as usize) + best.0
}

/// Of the root's children with so many visits the best by noise, logit and worth; by these alone if there is none such.
pub(crate) fn best<M: Copy>(tree: &Tree<M>, noise: &[f32], scale: f32, visits: u32) -> usize {
    let completed = Completed::of(tree, 0, scale);
    let children = tree.children(0);
    let any = !children.iter().any(|child| child.visits == visits);
    let mut best = (0, f32::NEG_INFINITY);
    for (number, child) in children.iter().enumerate() {
        if !any && child.visits != visits {
            continue;
        }
        let noise = noise.get(number).copied().unwrap_or(0.0);
        let score = noise + libm::logf(child.prior.max(1e-30)) + completed.weight(child);
        if score > best.1 {
            best = (number, score);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_are_shared_by_halves() {
        let plan = halving(4, 16);
        // Two rounds: four children twice each, then two of them four times each.
        assert_eq!(plan, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(halving(1, 3), [0, 1, 2]);
        assert_eq!(halving(16, 4), [0, 0, 0, 0]);
        assert!(halving(7, 0).is_empty());
        for (considered, simulations) in [(2, 5), (3, 32), (16, 16), (5, 100)] {
            assert_eq!(halving(considered, simulations).len(), simulations);
        }
    }

    #[test]
    fn noise_has_the_mean_of_its_distribution() {
        let mut rng = Rng::new(1, 0);
        let sum: f64 = (0..100_000).map(|_| f64::from(gumbel(&mut rng))).sum();
        // The constant of Euler and Mascheroni.
        assert!((sum / 1e5 - 0.5772).abs() < 0.02, "{}", sum / 1e5);
    }
}
