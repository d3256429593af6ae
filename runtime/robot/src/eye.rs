//! What sees the board.

use serde::{Deserialize, Serialize};

/// How well each place fits each thing that may stand there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// By place: the log-likelihood of being empty, then of each look of the scene. Empty where the eye cannot see.
    pub fit: Vec<Vec<f64>>,
    /// Places whose piece stands too far from their middle for the gripper.
    pub off_centre: Vec<usize>,
    /// Pieces that stand on no place.
    pub strays: u32,
}

impl Reading {
    /// What a place most likely holds, 0 for nothing and 1 more than the look else, and by how much that fits better
    /// than anything else; nothing where the eye cannot see.
    pub fn best(&self, place: usize) -> Option<(usize, f64)> {
        let fit = self.fit.get(place).filter(|fit| !fit.is_empty())?;
        let (best, value) = fit.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let others = fit.iter().enumerate().filter(|(class, _)| *class != best);
        let second = others
            .map(|(_, fit)| *fit)
            .fold(f64::NEG_INFINITY, f64::max);
        Some((best, value - second))
    }
}

/// What the eye says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Sight {
    /// Something moves, or a hand or the arm is in view.
    Hand,
    /// The board.
    Board(Reading),
}

/// Why the eye sees nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the camera gives no picture: {0}")]
pub struct EyeFault(pub String);

/// Something that sees the board.
pub trait Eye {
    /// Looks now.
    ///
    /// # Errors
    /// When there is no picture.
    fn look(&mut self) -> Result<Sight, EyeFault>;

    /// The name under which the last picture was saved, if it was.
    fn picture(&self) -> Option<String> {
        None
    }
}
