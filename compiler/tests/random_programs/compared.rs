//! What rules mean before and after the passes.

use rulec_compiler::ir::Game;
use rulec_compiler::opt::{PASSES, Pass, definite};
use rulec_compiler::pipeline::{Options, Passes, Without, compile};
use rulec_compiler::source::SourceMap;
use rulec_compiler::{diag, ir::verify::verify};
use rulec_random_rules::Rules;
use rulec_same_play::{Extent, Seen};

/// How much is compared of one rule set.
pub(crate) struct Extents {
    pub(crate) all: Extent,
    pub(crate) alone: Extent,
    /// Whether each pass is switched off in turn, too.
    pub(crate) each_pass: bool,
}

impl Default for Extents {
    fn default() -> Extents {
        let extent = |games, moves| Extent {
            games,
            moves,
            effort: 1_000,
        };
        Extents {
            all: extent(2, 30),
            alone: extent(1, 20),
            each_pass: false,
        }
    }
}

/// What many rule sets came to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) rules: u64,
    pub(crate) positions: u64,
    pub(crate) ends: u64,
    pub(crate) faults: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, seen: Seen) {
        self.rules += 1;
        self.positions += seen.positions;
        self.ends += seen.ends;
        self.faults += seen.faults;
    }
}

/// What a comparison says of rules.
pub(crate) enum Verdict {
    Same(Seen),
    /// The rules should have been legal.
    Refused(String),
    Wrong(String),
}

const REFUSED: &str = "refused:";

/// Compares the meaning of rules before and after the passes.
pub(crate) fn judge(rules: &Rules, extents: &Extents) -> Verdict {
    match compared(rules, extents) {
        Ok(seen) => Verdict::Same(seen),
        Err(what) if what.starts_with(REFUSED) => Verdict::Refused(what),
        Err(what) => Verdict::Wrong(what),
    }
}

fn compared(rules: &Rules, extents: &Extents) -> Result<Seen, String> {
    let lowered = lower(rules)?;
    let seen = same(&lowered, "all passes", |_| true, extents.all)?;
    if extents.each_pass {
        for off in PASSES.iter().filter(|pass| !pass.needed) {
            let name = format!("all passes but {}", off.name);
            same(&lowered, &name, |pass| pass.name != off.name, extents.alone)?;
        }
    }
    Ok(seen)
}

/// The program as the front end makes it.
fn lower(rules: &Rules) -> Result<Game, String> {
    let options = Options {
        language: None,
        passes: Passes::none(),
        image_folder: None,
        without: Without::Nothing,
        settings: rules.settings.clone(),
        limit: None,
        ahead: false,
    };
    let mut sources = SourceMap::new();
    for (name, text) in &rules.files {
        sources
            .add(name, text.as_bytes())
            .map_err(|error| error.to_string())?;
    }
    let (output, diagnostics) = compile(&sources, &options).map_err(|error| error.to_string())?;
    let refused = || {
        let findings = diag::render_all(&sources, &diagnostics, diag::Style::Plain);
        format!("{REFUSED}\n{findings}")
    };
    Ok(output.ok_or_else(refused)?.lowered)
}

/// Compares a game with what some passes make of it.
fn same(
    game: &Game,
    name: &str,
    wanted: impl Fn(&Pass) -> bool,
    extent: Extent,
) -> Result<Seen, String> {
    let passes = || PASSES.iter().filter(|pass| wanted(pass));
    let mut after = game.clone();
    for pass in passes() {
        if pass.name == "renew" {
            let lost = definite::unproved(&after);
            if lost > 0 {
                return Err(format!("{name}: reads lost their proof ({lost})"));
            }
        }
        (pass.run)(&mut after);
    }
    if verify(&after).is_err() {
        return Err(unsound(game, name, &mut passes()));
    }
    rulec_same_play::compare(game, &after, extent).map_err(|what| format!("{name}: {what}"))
}

/// After which pass a game is not sound.
fn unsound(game: &Game, name: &str, passes: &mut dyn Iterator<Item = &'static Pass>) -> String {
    let mut after = game.clone();
    for pass in passes {
        (pass.run)(&mut after);
        if let Err(errors) = verify(&after) {
            return format!("{name}: unsound after {}: {}", pass.name, errors[0]);
        }
    }
    format!("{name}: unsound")
}
