//! The programs that a case is run on: as the front end made it, and after all passes.

use rulec_compiler::ir::Game;
use rulec_compiler::opt::PASSES;
use rulec_interp::Interp;

/// Which program is interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What the rules mean.
    Lowered,
    /// What code is made from.
    Passed,
}

impl Stage {
    /// Both.
    pub(crate) const ALL: [Stage; 2] = [Stage::Lowered, Stage::Passed];

    /// Of things that take long: all as lowered, but after the passes only one in so many, unless `RULEC_LONG` asks for all.
    pub(crate) fn some<T>(self, all: Vec<T>, one_in: usize) -> Vec<T> {
        let step = match (self, std::env::var_os("RULEC_LONG")) {
            (Stage::Passed, None) => one_in,
            _ => 1,
        };
        all.into_iter().step_by(step).collect()
    }

    /// Cases with their stages: all as lowered, one in so many after the passes.
    pub(crate) fn each<T>(all: impl Fn() -> Vec<T>, one_in: usize) -> Vec<(Stage, T)> {
        let stages = Stage::ALL.into_iter();
        let of = |stage: Stage| {
            let cases = stage.some(all(), one_in).into_iter();
            cases.map(move |case| (stage, case))
        };
        stages.flat_map(of).collect()
    }

    /// The program of this stage, ready to run.
    pub(crate) fn interpreter(self, mut game: Game) -> Interp {
        if self == Stage::Passed {
            for pass in PASSES {
                (pass.run)(&mut game);
            }
        }
        let name = game.name.clone();
        Interp::new(game).unwrap_or_else(|errors| panic!("{name}, {self:?}: {errors:?}"))
    }
}
