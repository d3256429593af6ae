//! `rulec difftest` of one rule file or of many: the interpreter against compiled code.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Result, anyhow};
use rulec_compiler::ir::Game;
use rulec_compiler::quotient::Quotient;
use rulec_quick::QuickGame;
use rulec_search::State;
use serde_json::json;

use crate::args::{Compared, DifftestArgs};
use crate::bundle::{Bundle, Speed};
use crate::difftest::{self, Here, Program, Report, Settings};
use crate::interpreted::{Forgetful, InterpretedGame};
use crate::native::Toolchain;
use crate::rules::{self, Rules};
use crate::{Progress, Verdict, say};

fn settings(args: &DifftestArgs) -> Settings {
    Settings {
        positions: args.positions,
        seed: args.seed,
        plies: args.plies,
        deep: args.deep,
        threads: args.threads.unwrap_or_else(rulec_search::available_threads),
    }
}

/// Compares a game with the program that was compiled from it, which is named by so many first arguments.
fn compare(
    args: &DifftestArgs,
    lowered: Game,
    forgets: Option<Quotient>,
    program: &Path,
    arguments: &[&str],
) -> Result<Report> {
    let game = InterpretedGame::new(lowered)?;
    match forgets {
        None => side_by_side(
            args,
            || rulec_engines::interpreted(&game),
            program,
            arguments,
        ),
        Some(quotient) => {
            let game = Forgetful::new(game, &quotient);
            side_by_side(args, || rulec_engines::forgetful(&game), program, arguments)
        }
    }
}

fn side_by_side<'g>(
    args: &DifftestArgs,
    start: impl Fn() -> State<'g> + Sync,
    program: &Path,
    arguments: &[&str],
) -> Result<Report> {
    let progress = Progress::new(args.positions, "compared", "positions");
    let make = || {
        let interpreter = Here::new(start());
        Ok((interpreter, Program::start(program, arguments)?))
    };
    let report = difftest::compare(&settings(args), make, |done| progress.tell(done));
    progress.finish();
    report
}

fn verdict(report: &Report) -> Verdict {
    match report.witness {
        None => Verdict::Good,
        Some(_) => Verdict::Bad,
    }
}

/// Compares games with what runs them here without a compiler.
fn compare_here(args: &DifftestArgs) -> Result<Verdict> {
    let mut verdict = Verdict::Good;
    let files = std::iter::once(&args.rules.file).chain(&args.more);
    for file in files {
        let result = quickly(args, file);
        match &result {
            Ok(report) if self::verdict(report) == Verdict::Good => {}
            _ => verdict = Verdict::Bad,
        }
        match (args.json, result) {
            (false, Ok(report)) if args.more.is_empty() => say(&report.text(names(args)))?,
            (_, Err(error)) if args.more.is_empty() => return Err(error),
            (_, result) => say(&told(args, &file.to_string_lossy(), result))?,
        }
    }
    Ok(verdict)
}

/// Compares a game as it is run here without a compiler.
fn quickly(args: &DifftestArgs, file: &Path) -> Result<Report> {
    let rules = Rules::load_also(&args.rules, file, &args.passes.passes)?;
    rules.show_diagnostics()?;
    let output = rules.output.ok_or_else(|| anyhow!("it has errors"))?;
    let quick = QuickGame::new(output.game)?;
    let game = InterpretedGame::new(output.lowered)?;
    let progress = Progress::new(args.positions, "compared", "positions");
    let make = || {
        let interpreter = Here::new(rulec_engines::interpreted(&game));
        Ok((interpreter, Here::new(rulec_engines::quick(&quick))))
    };
    let report = difftest::compare(&settings(args), make, |done| progress.tell(done));
    progress.finish();
    report
}

/// The names of what is compared.
fn names(args: &DifftestArgs) -> [&'static str; 2] {
    match args.engine {
        Compared::Quick => ["interp", "quick"],
        Compared::Native => ["interp", "native"],
    }
}

/// One rule file, compiled as users compile it.
pub(crate) fn compare_one(args: &DifftestArgs) -> Result<Verdict> {
    if args.engine == Compared::Quick {
        return compare_here(args);
    }
    let rules = Rules::load(&args.rules, &args.passes.passes)?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    let program = rules.program(&rules::toolchain(&args.tools)?)?;
    let forgets = rules.quotient().ok();
    let report = compare(args, output.lowered.clone(), forgets, &program, &[])?;
    match args.json {
        true => say(&format!("{}\n", report.json()))?,
        false => say(&report.text(["interp", "native"]))?,
    }
    Ok(verdict(&report))
}

/// A rule file of many.
struct Case {
    file: PathBuf,
    /// What it was compiled to; else why there is nothing.
    compiled: Result<Compiled>,
}

/// A rule file as it was compiled.
struct Compiled {
    /// The program as the rules spell it.
    lowered: Game,
    /// How its code forgets the names of pieces, if it does.
    forgets: Option<Quotient>,
    rust: String,
}

/// The name of the program of many rule files.
const TOGETHER: &str = "compared";

/// Many rule files as one program. Whatever is wrong with one, the others are compared.
pub(crate) fn compare_many(args: &DifftestArgs) -> Result<Verdict> {
    if args.engine == Compared::Quick {
        return compare_here(args);
    }
    let tools = rules::toolchain(&args.tools)?;
    let mut cases = compile_all(args);
    // All comparisons of many files have one place in the cache: another one waits until this one has ended.
    let _lock = tools.lock(TOGETHER)?;
    let program = build(args, &tools, &mut cases)?;
    let mut verdict = Verdict::Good;
    for case in cases {
        let file = case.file.to_string_lossy().into_owned();
        let result = case
            .compiled
            .and_then(|it| compare(args, it.lowered, it.forgets, &program, &[&file]));
        match &result {
            Ok(report) if self::verdict(report) == Verdict::Good => {}
            _ => verdict = Verdict::Bad,
        }
        say(&told(args, &file, result))?;
    }
    Ok(verdict)
}

fn told(args: &DifftestArgs, file: &str, result: Result<Report>) -> String {
    match (args.json, result) {
        (false, Ok(report)) => format!("{file}: {}", report.text(names(args))),
        (false, Err(error)) => format!("{file}: error: {error:#}\n"),
        (true, Ok(report)) => {
            let mut value = report.json();
            value["file"] = json!(file);
            format!("{value}\n")
        }
        (true, Err(error)) => {
            format!(
                "{}\n",
                json!({ "file": file, "error": format!("{error:#}") })
            )
        }
    }
}

/// Compiles all files to code, as many at a time as there are processors.
fn compile_all(args: &DifftestArgs) -> Vec<Case> {
    let mut files = vec![args.rules.file.clone()];
    files.extend(args.more.iter().cloned());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..rulec_search::available_threads() {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Relaxed)) {
                    let case = Case {
                        file: file.clone(),
                        compiled: compiled(args, file),
                    };
                    done.lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .push(case);
                }
            });
        }
    });
    let mut cases = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    cases.sort_by_key(|case| files.iter().position(|file| *file == case.file));
    cases
}

fn compiled(args: &DifftestArgs, file: &Path) -> Result<Compiled> {
    let rules = Rules::load_also(&args.rules, file, &args.passes.passes)?;
    rules.show_diagnostics()?;
    let rust = rules.rust()?;
    let forgets = rules.quotient().ok();
    let output = rules.output.ok_or_else(|| anyhow!("it has errors"))?;
    Ok(Compiled {
        lowered: output.lowered,
        forgets,
        rust,
    })
}

/// Builds the program; games whose code does not build are left out of it.
fn build(args: &DifftestArgs, tools: &Toolchain, cases: &mut [Case]) -> Result<PathBuf> {
    let speed = match args.optimised {
        true => Speed::Optimised,
        false => Speed::Quick,
    };
    let mut bundle = Bundle::new(TOGETHER);
    for case in cases.iter() {
        if let Ok(compiled) = &case.compiled {
            bundle.add(&case.file.to_string_lossy(), compiled.rust.clone(), speed);
        }
    }
    let folder = tools.cache.join("crates").join(TOGETHER);
    loop {
        let error = match bundle.build(tools, &folder) {
            Ok(program) => return Ok(program),
            Err(error) => error,
        };
        let wrong = bundle.remove_named_in(&format!("{error:#}"));
        if wrong.is_empty() {
            return Err(error);
        }
        for case in cases.iter_mut() {
            if wrong
                .iter()
                .any(|name| *name == case.file.to_string_lossy())
            {
                case.compiled = Err(anyhow!("its code does not build: {error:#}"));
            }
        }
    }
}
