//! `rulec test`, `rulec coverage` and `rulec mutate`: do rules mean what their author means?

pub(crate) mod cover;
mod mutants;
mod record;
mod suite;

use anyhow::{Result, bail};
use rulec_compiler::diag::Diagnostics;
use rulec_compiler::ir::Game;
use rulec_compiler::lang::{self, Language, Options};
use rulec_compiler::source::SourceMap;
use rulec_compiler::{Passes, Without};
use rulec_core::{Game as _, Observe as _, Rng};
use rulec_interp::Interp;
use rulec_render::{Ink, Position};
use serde_json::json;

use crate::args::{CoverageArgs, MutateArgs, TestArgs};
use crate::check::walk::Amount;
use crate::interpreted::InterpretedGame;
use crate::rules::{self, Rules};
use crate::{Verdict, files, say};
use cover::Coverage;
use suite::Suite;

/// Random games that two mutants which no test tells apart are compared on.
const SAME_GAMES: u64 = 20;
const SAME_MOVES: usize = 60;

fn interp(game: &Game) -> Result<Interp> {
    match Interp::new(game.clone()) {
        Ok(interp) => Ok(interp),
        Err(errors) => bail!("defect of the compiler: {errors:?}"),
    }
}

/// Runs the tests that lie beside rule files.
pub(crate) fn test(args: &TestArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    if let Some(count) = args.record {
        let known = match suite::file(&args.rules.file).exists() {
            true => Suite::read(&args.rules.file)?.tests.len(),
            false => 0,
        };
        let tests = record::tests(rules::spelled(output), args.seed, count, known)?;
        let path = Suite::append(&args.rules.file, &tests)?;
        say(&format!("{}\n", path.display()))?;
        return Ok(Verdict::Good);
    }
    let suite = Suite::read(&args.rules.file)?;
    let program = rules::spelled(output);
    let failures = suite.failures(&interp(program)?);
    let passed = suite.tests.len() - failures.len();
    if args.json {
        let failed: Vec<_> = failures
            .iter()
            .map(|failure| json!({ "test": failure.name(), "why": failure.why }))
            .collect();
        say(&format!(
            "{}\n",
            json!({ "passed": passed, "failed": failed })
        ))?;
    } else {
        for failure in &failures {
            say(&format!("FAILED {}: {}\n", failure.name(), failure.why))?;
            say(&boards(program, failure)?)?;
        }
        say(&format!("{passed} passed, {} failed\n", failures.len()))?;
    }
    Ok(match failures.is_empty() {
        true => Verdict::Good,
        false => Verdict::Bad,
    })
}

/// The board of a test that fails, and beside it the one that it wants if it says what stands where; nothing for games without.
fn boards(game: &Game, failure: &suite::Failure<'_>) -> Result<String> {
    let Some(state) = &failure.state else {
        return Ok(String::new());
    };
    let look = crate::pictures::look(game)?;
    let game = InterpretedGame::new(game.clone())?;
    let mut seen = Vec::new();
    game.appearance(state, &mut seen);
    let turn = game.turn(state);
    let drawn = |seen: &[i64]| {
        let position = Position::new(&look, game.about(), turn, "", seen);
        rulec_render::terminal(&position, Ink::default())
    };
    let Some(found) = drawn(&seen) else {
        return Ok(String::new());
    };
    let wanted = failure.wanted(game.interp(), &seen);
    Ok(match wanted.and_then(|wanted| drawn(&wanted)) {
        Some(wanted) => format!("wanted:\n{wanted}\nfound:\n{found}\n"),
        None => format!("{found}\n"),
    })
}

/// Which parts of rules random games reach, or the tests beside them.
pub(crate) fn coverage(args: &CoverageArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    let coverage = match args.tests {
        true => {
            let suite = Suite::read(&args.rules.file)?;
            Coverage::of_tests(rules::spelled(output), &suite)?
        }
        false => {
            let amount = Amount::Quick {
                games: args.games,
                work: u64::MAX,
            };
            Coverage::of_random_games(&output.lowered, args.seed, amount, &|| true)?
        }
    };
    let path = &args.rules.file;
    let mut map = SourceMap::new();
    map.add(path.to_string_lossy(), std::fs::read(path)?)?;
    let report = coverage.report(&map.files()[0]);
    if let Some(path) = &args.lcov {
        files::write(path, cover::lcov(&report).as_bytes())?;
    }
    if let Some(path) = &args.html {
        let page = rulec_report::coverage_page(&report, map.files()[0].text());
        files::write(path, page.as_bytes())?;
    }
    match args.json {
        true => say(&format!("{report}\n"))?,
        false => say(&cover::text(&report))?,
    }
    Ok(Verdict::Good)
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// A test noticed it.
    Caught,
    /// No test did, and it plays differently.
    Missed,
    /// No test did, and random games are the same.
    Equivalent,
    /// It is no game.
    Unviable,
}

/// Changes the rules in one place at a time, and tells which changes no test notices.
pub(crate) fn mutate(args: &MutateArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    let suite = Suite::read(&args.rules.file)?;
    let program = rules::spelled(output);
    let failures = suite.failures(&interp(program)?);
    if let Some(failure) = failures.first() {
        let (name, why) = (failure.name(), &failure.why);
        say(&format!("the rules as they are fail {name}: {why}\n"))?;
        return Ok(Verdict::Code(4));
    }
    let file = args.rules.file.to_string_lossy();
    let Some(language) = lang::of_file(&file) else {
        bail!("the name `{file}` does not tell the rule language");
    };
    let mut map = SourceMap::new();
    let name = args
        .rules
        .file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    map.add(name, std::fs::read(&args.rules.file)?)?;
    let source = &map.files()[0];
    let all = mutants::all(language, source);
    let step = all.len().div_ceil(args.most.max(1)).max(1);
    let mut counts = [0usize; 4];
    // The passes take longer than all else, so mutants go through them only where the tests speak of what comes out.
    let passed = !std::ptr::eq(program, &raw const output.lowered);
    for mutant in all.iter().step_by(step) {
        let text = mutant.text(source);
        let game = match passed {
            true => compiled(source.name(), &text),
            false => lowered(language, source.name(), &text),
        };
        let fate = fate(program, &suite, game);
        counts[fate as usize] += 1;
        if matches!(fate, Fate::Missed) {
            say(&format!("missed {}\n", mutant.told(source)))?;
        }
    }
    let [caught, missed, equivalent, unviable] = counts;
    let percent = 100 * caught / (caught + missed).max(1);
    say(&format!(
        "{caught} caught, {missed} missed ({percent} % caught), {equivalent} play the same, {unviable} are no games\n"
    ))?;
    Ok(match missed {
        0 => Verdict::Good,
        _ => Verdict::Code(2),
    })
}

/// The game of a text as the front end makes it, if it is one.
fn lowered(language: &Language, name: &str, text: &str) -> Option<Game> {
    let mut map = SourceMap::new();
    let file = map.add(name, text).ok()?;
    let mut findings = Diagnostics::new();
    let front = (language.compile)(&map, file, &Options::default(), &mut findings);
    front.map(|front| front.game)
}

/// The game of a text after the passes, if it is one.
fn compiled(name: &str, text: &str) -> Option<Game> {
    let options = rulec_compiler::Options {
        language: None,
        passes: Passes::all(),
        image_folder: None,
        without: Without::default(),
        settings: Vec::new(),
        limit: None,
        ahead: false,
    };
    let output = rulec_compiler::compile_text(name, text.as_bytes(), &options);
    output.ok().map(|output| output.game)
}

fn fate(original: &Game, suite: &Suite, mutant: Option<Game>) -> Fate {
    let Some(game) = mutant else {
        return Fate::Unviable;
    };
    let Ok(mutant) = Interp::new(game) else {
        return Fate::Unviable;
    };
    if !suite.failures(&mutant).is_empty() {
        return Fate::Caught;
    }
    match interp(original).is_ok_and(|original| same(&original, &mutant)) {
        true => Fate::Equivalent,
        false => Fate::Missed,
    }
}

/// Whether random games of two games show the same, move for move.
fn same(a: &Interp, b: &Interp) -> bool {
    (0..SAME_GAMES).all(|game| {
        let mut rng = Rng::new(1, game);
        let mut states = (a.initial(), b.initial());
        for _ in 0..SAME_MOVES {
            let ((seen, moves), (other, others)) =
                (suite::seen(a, &states.0), suite::seen(b, &states.1));
            if seen != other {
                return false;
            }
            if moves.is_empty() {
                break;
            }
            let at = rng.below(moves.len() as u32) as usize;
            a.play(&mut states.0, moves[at]);
            b.play(&mut states.1, others[at]);
        }
        true
    })
}
