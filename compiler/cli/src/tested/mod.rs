//! `rulec test`, `rulec coverage` and `rulec mutate`: do rules mean what their author means?

mod mutants;
mod suite;

use std::path::Path;

use anyhow::{Result, bail};
use rulec_compiler::diag::Diagnostics;
use rulec_compiler::ir::Game;
use rulec_compiler::lang::{self, Language, Options};
use rulec_compiler::source::SourceMap;
use rulec_core::Rng;
use rulec_interp::Interp;
use serde_json::json;

use crate::args::{CoverageArgs, MutateArgs, TestArgs};
use crate::check::walk::{self, Amount, Played};
use crate::interpreted::InterpretedGame;
use crate::rules::Rules;
use crate::{Verdict, files, say};
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
    let suite = Suite::read(&args.rules.file)?;
    let failures = suite.failures(&interp(&output.lowered)?);
    let passed = suite.tests.len() - failures.len();
    if args.json {
        let failed: Vec<_> = failures
            .iter()
            .map(|(name, why)| json!({ "test": name, "why": why }))
            .collect();
        say(&format!(
            "{}\n",
            json!({ "passed": passed, "failed": failed })
        ))?;
    } else {
        for (name, why) in &failures {
            say(&format!("FAILED {name}: {why}\n"))?;
        }
        say(&format!("{passed} passed, {} failed\n", failures.len()))?;
    }
    Ok(match failures.is_empty() {
        true => Verdict::Good,
        false => Verdict::Bad,
    })
}

/// Which rules and ends random games reach.
pub(crate) fn coverage(args: &CoverageArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    let game = InterpretedGame::new(output.lowered.clone())?;
    let played = walk::play(&game, args.seed, Amount::Games(args.games), &|_| false);
    let mut map = SourceMap::new();
    map.add(
        args.rules.file.to_string_lossy(),
        std::fs::read(&args.rules.file)?,
    )?;
    let hits = hits(game.interp().game(), &played, &map);
    let reached = hits.iter().filter(|hit| hit.count > 0).count();
    if let Some(path) = &args.lcov {
        files::write(path, lcov(&args.rules.file, &hits).as_bytes())?;
    }
    for hit in &hits {
        say(&format!(
            "{:>9}  line {:>4}  {}\n",
            hit.count, hit.line, hit.name
        ))?;
    }
    let percent = 100 * reached / hits.len().max(1);
    say(&format!(
        "{reached} of {} rules and ends reached ({percent} %) in {} games\n",
        hits.len(),
        played.games
    ))?;
    Ok(Verdict::Good)
}

/// A rule or an end, and how often it was reached.
struct Hit {
    name: String,
    line: u32,
    count: u64,
}

fn hits(game: &Game, played: &Played, map: &SourceMap) -> Vec<Hit> {
    let file = &map.files()[0];
    let line = |span: rulec_compiler::source::Span| file.position(span.start).line;
    let families = game.families.iter().zip(&played.legal);
    let mut hits: Vec<Hit> = families
        .map(|(family, count)| Hit {
            name: family.name.clone(),
            line: line(family.span),
            count: *count,
        })
        .collect();
    for (span, reason) in walk::ends(game) {
        hits.push(Hit {
            name: format!("end: {reason:?}").to_lowercase(),
            line: line(span),
            count: played.ended_by.get(&span).copied().unwrap_or(0),
        });
    }
    hits.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    hits
}

/// The trace file that `genhtml` and editors read: one row a line.
fn lcov(path: &Path, hits: &[Hit]) -> String {
    let mut text = format!("TN:\nSF:{}\n", path.display());
    for hit in hits {
        text.push_str(&format!("FN:{},{}\n", hit.line, hit.name));
    }
    for hit in hits {
        text.push_str(&format!("FNDA:{},{}\n", hit.count, hit.name));
    }
    let reached = hits.iter().filter(|hit| hit.count > 0).count();
    text.push_str(&format!("FNF:{}\nFNH:{reached}\n", hits.len()));
    let mut lines: Vec<(u32, u64)> = Vec::new();
    for hit in hits {
        match lines.last_mut() {
            Some((line, count)) if *line == hit.line => *count = (*count).max(hit.count),
            _ => lines.push((hit.line, hit.count)),
        }
    }
    for (line, count) in &lines {
        text.push_str(&format!("DA:{line},{count}\n"));
    }
    let reached = lines.iter().filter(|(_, count)| *count > 0).count();
    text.push_str(&format!(
        "LF:{}\nLH:{reached}\nend_of_record\n",
        lines.len()
    ));
    text
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
    let failures = suite.failures(&interp(&output.lowered)?);
    if let Some((name, why)) = failures.first() {
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
    for mutant in all.iter().step_by(step) {
        let fate = fate(
            language,
            &output.lowered,
            &suite,
            source.name(),
            &mutant.text(source),
        );
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

fn fate(language: &Language, original: &Game, suite: &Suite, name: &str, text: &str) -> Fate {
    let mut map = SourceMap::new();
    let Ok(file) = map.add(name, text) else {
        return Fate::Unviable;
    };
    let mut findings = Diagnostics::new();
    let front = (language.compile)(&map, file, &Options::default(), &mut findings);
    let Some(game) = front.map(|front| front.game) else {
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
