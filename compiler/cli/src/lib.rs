//! The command `rulec`, as a library for its program and its tests.
//!
//! The compiler itself writes no files and starts no programs; all of that is here.

mod args;
mod attempts;
mod bench;
mod boards;
mod bundle;
mod captive;
mod check;
mod create;
pub mod difftest;
mod editor;
pub mod embed;
mod engines;
mod explain;
mod files;
mod fmt;
mod gallery;
mod look;
mod native;
mod pictures;
mod plan;
mod render;
mod rules;
mod runner;
pub mod samegame;
pub mod scene;
mod serve;
mod shells;
mod tested;
mod warned;
mod ways;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use rulec_command::{self as command, Command};

use args::{
    BuildArgs, CommandLine, DifftestArgs, Emit, Engine, NewArgs, OnGame, RobotArgs, RunArgs,
    SimulationArgs, Verb,
};
pub use bundle::{Bundle, Speed};
pub use captive::captive_rules;
use interpreted::InterpretedGame;
pub use native::{CrateFiles, Toolchain};
pub use rulec_interpreted as interpreted;
pub use rules::Rules;
use runner::Runner;

/// How a command that could be carried out went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// All is well.
    Good,
    /// The rules are wrong, or engines differ.
    Bad,
    /// Told by a program that ran.
    Code(u8),
}

const BAD: u8 = 1;
const USAGE: u8 = 2;

/// Reads the command line of the process and carries it out.
pub fn main() -> ExitCode {
    if let Some(code) = with_networks() {
        return code;
    }
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { 0 });
        }
    };
    match run(line.verb) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(BAD),
        Ok(Verdict::Code(code)) => ExitCode::from(code),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(USAGE)
        }
    }
}

/// Whether only the reader of the output went away.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

fn run(verb: Verb) -> Result<Verdict> {
    match verb {
        Verb::New(args) => new(&args),
        Verb::Check(args) => check::check(&args),
        Verb::Build(args) => build(&args),
        Verb::Run(args) => run_program(&args),
        Verb::Serve(args) => serve::serve(&args),
        Verb::Explain(args) => explain::explain(&args),
        Verb::Play(args) => play(args),
        Verb::Moves(args) => attempts::moves(args),
        Verb::Replay(args) => {
            let rules = Rules::load_to_look(&args.rules, args.engine)?;
            rules.show_diagnostics()?;
            on_rules(rules, args, Command::Replay)
        }
        Verb::Perft(mut args) => {
            // Published counts know no draws by counting.
            args.rules.without.get_or_insert_with(|| "all".to_owned());
            on_game(args, Command::Perft)
        }
        Verb::Search(args) => on_game(args, Command::Search),
        Verb::Solve(args) => on_game(args, Command::Solve),
        Verb::Verify(args) => on_game(args, Command::Verify),
        Verb::Bots(args) => {
            command::bots(&args, &mut io::stdout().lock())?;
            Ok(Verdict::Good)
        }
        Verb::Expectimax(args) => on_game(args, Command::Expectimax),
        Verb::Explore(mut args) => {
            let identity = args.command.identity.as_deref();
            if identity.is_some_and(|name| name.starts_with("full")) {
                // It tells pieces apart by their names, which other programs do not know.
                args.rules.pieces = args::Pieces::Named;
            }
            on_game(args, Command::Explore)
        }
        Verb::Info(args) => on_game(args, Command::Info),
        Verb::Selfplay(args) => on_game(args, Command::Selfplay),
        Verb::Simulate(args) => simulate(&args),
        Verb::Render(args) => render::render(&args),
        Verb::Gallery(args) => gallery::gallery(&args),
        Verb::Look(args) => look::look(&args),
        Verb::Difftest(args) => difftest(&args),
        Verb::Bench(args) => bench::bench(&args),
        Verb::Learn(args) => captive::learn(args),
        Verb::Analyse(args) => analyse(args),
        Verb::Evaluate(args) => on_game(args, Command::Evaluate),
        Verb::Endgames(args) => on_game(args, Command::Endgames),
        Verb::Match(args) => on_game(args, Command::Match),
        Verb::Ugi(args) => on_game(args, Command::Ugi),
        Verb::Attempts(args) => on_game(args, Command::Attempts),
        Verb::Captive(args) => captive::captive(&args),
        Verb::Robot(args) => robot(&args),
        Verb::Host(args) => captive::host(&args),
        Verb::Fmt(args) => fmt::fmt(&args),
        Verb::Lsp(_) => match rulec_lsp::run(editor::HOST)? {
            true => Ok(Verdict::Good),
            false => Ok(Verdict::Bad),
        },
        Verb::Test(args) => tested::test(&args),
        Verb::Coverage(args) => tested::coverage(&args),
        Verb::Mutate(args) => tested::mutate(&args),
        Verb::ExplainCode(args) => explain_code(args.code.as_deref()),
        Verb::Completions(args) => shells::completions(args.shell),
        Verb::Man(args) => shells::man(&args.folder),
    }
}

fn say(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn new(args: &NewArgs) -> Result<Verdict> {
    let here = std::env::current_dir().context("the present folder is unknown")?;
    let shape = create::shapes::Shape {
        kind: args.kind,
        board: args.board,
        players: args.players,
    };
    let file = create::create(&here, &args.name, &args.lang, &shape)?;
    let file = file.strip_prefix(&here).unwrap_or(&file).display();
    say(&format!("made {file}; next: rulec check {file}\n"))?;
    Ok(Verdict::Good)
}

fn explain_code(code: Option<&str>) -> Result<Verdict> {
    let Some(code) = code else {
        for info in rulec_compiler::lang::codes() {
            say(&format!("{:10} {}\n", info.code, info.title))?;
        }
        return Ok(Verdict::Good);
    };
    let Some(info) = rulec_compiler::lang::explain(code) else {
        bail!(
            "there is no code `{code}`; diagnostics show theirs in brackets, as in error[S3-E0107]"
        );
    };
    say(&format!(
        "{}[{}]: {}\n\n{}\n",
        info.severity, info.code, info.title, info.explanation
    ))?;
    Ok(Verdict::Good)
}

fn build(args: &BuildArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, &args.passes.passes)?;
    rules.show_diagnostics()?;
    let rules = match &args.eval {
        Some(_) if rules.output.is_none() => return Ok(Verdict::Bad),
        Some(file) => rules.with_evaluation(file)?,
        None => rules,
    };
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    if args.explain {
        // As `Rules::serving_crate` has it.
        let rules = if args.serve {
            rules.with_names()
        } else {
            rules
        };
        let explanation = ways::Explanation::of(&rules);
        say(&match args.json {
            true => format!("{}\n", explanation.json()),
            false => explanation.text(),
        })?;
        return Ok(Verdict::Good);
    }
    if let Some(stage) = args.emit {
        say(&match stage {
            Emit::Ast => output.ast.clone(),
            Emit::Ir => rulec_compiler::ir::print::print(&output.game),
            Emit::Rust => rules.rust()?,
        })?;
        return Ok(Verdict::Good);
    }
    let tools = rules::toolchain(&args.tools)?;
    if let Some(folder) = &args.crate_dir {
        let folder = native::absolute(folder)?;
        let name = native::package_name(&args.rules.file);
        let runtime = native::runtime_path(&tools.runtime, &folder);
        let files = match args.serve || args.reasons {
            true => rules.serving_crate(&name, &runtime, args.reasons)?,
            false if args.lib => rules.library_crate(&name, &runtime)?,
            false => rules.crate_files(&name, &runtime)?,
        };
        tools.write_crate(&folder, &files)?;
        say(&format!("wrote the crate {name} to {}\n", folder.display()))?;
        return Ok(Verdict::Good);
    }
    let name = native::package_name(&args.rules.file);
    let output = match &args.output {
        Some(path) => path.clone(),
        None if args.lib => native::library_name(&name).into(),
        None => program_beside(&args.rules.file, &name),
    };
    if output.is_dir() {
        bail!(
            "{} is a folder; name another program with -o",
            output.display()
        );
    }
    let program = match args.serve || args.reasons {
        true => rules.serving_program(&tools, args.reasons)?,
        false if args.lib => rules.library(&tools)?,
        false => rules.program(&tools)?,
    };
    files::copy(&program, &output)?;
    say(&format!("wrote {}\n", output.display()))?;
    Ok(Verdict::Good)
}

/// Where the program of a rule file goes that is not told: into this folder, or into the folder that has its name
/// where the rules stand in that, as `rulec new` makes it.
fn program_beside(rules: &Path, name: &str) -> PathBuf {
    let program = PathBuf::from(native::program_name(name));
    let folder = |path: &Path| path.canonicalize().ok().filter(|path| path.is_dir());
    let within = rules.parent().and_then(folder);
    match within.is_some() && within == folder(&program) {
        true => program.join(&program),
        false => program,
    }
}

fn run_program(args: &RunArgs) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, &args.passes.passes)?;
    rules.show_diagnostics()?;
    if rules.output.is_none() {
        return Ok(Verdict::Bad);
    }
    let tools = rules::toolchain(&args.tools)?;
    let drawn = |word: &String| matches!(word.as_str(), "serve" | "play");
    let program = match args.args.first().is_some_and(drawn) {
        true => rules.serving_program(&tools, false)?,
        false => rules.program(&tools)?,
    };
    let arguments = match args.args.is_empty() {
        true => vec![OsString::from("selfplay")],
        false => args.args.iter().map(OsString::from).collect(),
    };
    let status = Process::new(&program)
        .args(arguments)
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(exit_code(status))
}

/// Lets the program that runs networks do what needs one, if it is there and this is not it.
fn with_networks() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let wanted = words.any(|word| word.to_string_lossy().contains(":net="));
    if !wanted || rulec_search::network::is_enabled() {
        return None;
    }
    let status = Process::new(command::companion("rulec-onnx"))
        .args(std::env::args_os().skip(1))
        .status();
    let code = u8::try_from(status.ok()?.code()?).unwrap_or(BAD);
    Some(ExitCode::from(code))
}

/// Runs the program for real boards, which is one of its own.
fn robot(args: &RobotArgs) -> Result<Verdict> {
    let program = command::companion("rulec-robot");
    match Process::new(&program).args(&args.args).status() {
        Ok(status) => Ok(exit_code(status)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "the program rulec-robot is missing: in the checkout that rulec was installed from, run \
             cargo install --path compiler/robot; archives have it beside rulec"
        ),
        Err(error) => Err(error).with_context(|| format!("cannot start {}", program.display())),
    }
}

/// The code of a program that ended; one that was killed has none of its own.
fn exit_code(status: std::process::ExitStatus) -> Verdict {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Verdict::Code(code.unwrap_or(BAD))
}

/// A command that every game has, on the engine that was asked for.
fn on_game<A: clap::Args>(args: OnGame<A>, command: fn(A) -> Command) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    on_rules(rules, args, command)
}

/// The same with rules that were loaded and complained of.
fn on_rules<A: clap::Args>(
    rules: Rules,
    args: OnGame<A>,
    command: fn(A) -> Command,
) -> Result<Verdict> {
    if args.engine == Engine::Native && rules.output.is_some() {
        let program = rules.program(&rules::toolchain(&args.tools)?)?;
        return start_native(&program, &args.rules.file);
    }
    // What else is known of the rules nobody asks for.
    let Some(output) = rules.output else {
        return Ok(Verdict::Bad);
    };
    let game = output.game;
    let command = command(args.command);
    // Certificates and tables are checked by the meaning of the rules itself.
    let engine = match &command {
        Command::Verify(_) => Engine::Interp,
        Command::Endgames(args) if args.verify.is_some() => Engine::Interp,
        _ => args.engine,
    };
    let mut out = io::stdout().lock();
    let done = match Runner::of(game, engine)? {
        Runner::Quick(game) => command::run(&*game, &command, &mut out),
        Runner::Interpreted(game) => command::run(&*game, &command, &mut out),
    };
    match done {
        Ok(()) => Ok(Verdict::Good),
        Err(error) if error.exit_code() == 0 => Ok(Verdict::Good),
        Err(command::Error::Refuted(why)) => {
            writeln!(io::stderr(), "error: {why}")?;
            Ok(Verdict::Bad)
        }
        Err(error) => Err(error.into()),
    }
}

/// Plays on the terminal, with the board drawn and reasons in the words of the rules.
fn play(args: OnGame<command::PlayArgs>) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    if args.engine == Engine::Native {
        let program = rules.serving_program(&rules::toolchain(&args.tools)?, false)?;
        return start_native(&program, &args.rules.file);
    }
    let spelled = rules::spelled(output);
    let look = pictures::look_of(spelled, &output.game)?;
    let game = Runner::telling(&output.game, spelled, args.engine)?;
    let played = rulec_serve::play(&*game.start(), &args.command, &look, None);
    match played {
        Ok(()) => Ok(Verdict::Good),
        Err(error) if error.exit_code() == 0 => Ok(Verdict::Good),
        Err(error) => Err(error.into()),
    }
}

/// Starts the program of a game with the arguments of this one that it knows.
fn start_native(program: &Path, file: &Path) -> Result<Verdict> {
    let arguments = own_arguments(std::env::args_os().skip(1), file);
    let mut process = Process::new(program);
    if rulec_search::network::is_enabled()
        && let Ok(here) = std::env::current_exe()
    {
        process.env(command::NETWORKS_VARIABLE, here);
    }
    let status = process
        .args(arguments)
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(match status.code() {
        Some(0) => Verdict::Good,
        Some(_) => Verdict::Code(USAGE),
        None => exit_code(status),
    })
}

/// More games than this are played by a compiled program, unless the command line says otherwise.
const MANY_GAMES: u64 = 20_000;

fn simulate(args: &SimulationArgs) -> Result<Verdict> {
    let rules = Rules::load_limited(&args.rules, args.max_steps)?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    let mut report = simulated(args, &rules)?;
    if let Some(other) = &args.against {
        let old = Rules::load_also(&args.rules, other, "all")?;
        old.show_diagnostics()?;
        if old.output.is_none() {
            return Ok(Verdict::Bad);
        }
        let before = simulated(args, &old)?;
        let mut changes = rulec_report::simulation_changes(&before, &report);
        changes["file"] = other.to_string_lossy().into();
        changes["words"] = rulec_report::changes_words(&changes).into();
        report["against"] = changes;
    }
    let page = || rulec_report::simulation_page(&report, &boards::boards(&output.lowered));
    match &args.html {
        Some(file) if file.as_os_str() == "-" => {
            say(&page())?;
            return Ok(Verdict::Good);
        }
        Some(file) => files::write(file, page().as_bytes())?,
        None => {}
    }
    match args.command.json {
        true => say(&format!("{report}\n"))?,
        false => say(&command::simulation_text(&report))?,
    }
    Ok(Verdict::Good)
}

/// The report of a simulation of rules that compile.
fn simulated(args: &SimulationArgs, rules: &Rules) -> Result<serde_json::Value> {
    let many = args.command.games > MANY_GAMES;
    let engine = args.engine.unwrap_or(match many {
        true => Engine::Native,
        false => Engine::Quick,
    });
    if engine == Engine::Native {
        return native_report(&args.tools, rules, &args.rules.file);
    }
    let output = rules.output.as_ref().context("the rules have errors")?;
    let game = Runner::new(&output.game, engine)?;
    let progress = Progress::new(args.command.games, "played", "games");
    let start = game.start();
    let report = command::simulation(&*start, &args.command, &mut |done| {
        progress.tell(done);
        true
    })?;
    progress.finish();
    Ok(report)
}

/// What a game is like; the report draws the board as the rules do.
fn analyse(args: OnGame<command::AnalyseArgs>) -> Result<Verdict> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    if args.command.html.is_none() || output.game.episode.is_some() {
        return on_rules(rules, args, Command::Analyse);
    }
    let report = match args.engine {
        Engine::Native => native_report(&args.tools, &rules, &args.rules.file)?,
        engine => {
            let game = Runner::new(&output.game, engine)?;
            let start = game.start();
            let progress = Progress::new(args.command.games, "played", "games");
            let report = command::analysis(&*start, &args.command, &mut |_, done| {
                progress.tell(done);
            });
            progress.finish();
            report?
        }
    };
    if let Some(file) = &args.command.html {
        let places: Vec<&str> = report["places"]
            .as_array()
            .map(|names| names.iter().filter_map(|name| name.as_str()).collect())
            .unwrap_or_default();
        let page =
            rulec_report::analysis_page(&report, &boards::spots_of_places(&output.game, &places));
        files::write(file, page.as_bytes())?;
    }
    match args.command.json {
        true => say(&format!("{report}\n"))?,
        false => say(&command::analysis_text(&report))?,
    }
    Ok(Verdict::Good)
}

/// The report, as JSON, of the compiled program for this command line.
fn native_report(
    tools: &args::ToolArgs,
    rules: &Rules,
    file: &std::path::Path,
) -> Result<serde_json::Value> {
    let program = rules.program(&rules::toolchain(tools)?)?;
    let own = [
        OsString::from("--engine"),
        OsString::from("--max-steps"),
        OsString::from("--html"),
        OsString::from("--against"),
    ];
    let mut line = Vec::new();
    let mut skip = false;
    for argument in own_arguments(std::env::args_os().skip(1), file) {
        let text = argument.to_string_lossy().into_owned();
        let name = text.split('=').next().unwrap_or_default();
        if std::mem::take(&mut skip) {
            continue;
        }
        if own.iter().any(|option| *option == *name) {
            skip = !text.contains('=');
        } else if text != "--json" {
            line.push(argument);
        }
    }
    line.push(OsString::from("--json"));
    let output = Process::new(&program)
        .args(line)
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    if !output.status.success() {
        bail!("the compiled game could not make the report");
    }
    serde_json::from_slice(&output.stdout).context("the compiled game wrote no report")
}

/// Options of `rulec` that the program of a game does not have, and whether a value follows them.
const OUR_OPTIONS: &[(&str, bool)] = &[
    ("--lang", true),
    ("--format", true),
    ("--warnings", true),
    ("--without", true),
    ("--with", true),
    ("--set", true),
    ("--engine", true),
    ("--pieces", true),
    ("--runtime", true),
    ("--target-dir", true),
    ("--lto", false),
    ("--native-cpu", false),
];

/// A command line without the rule file and our own options: that of the program of the game.
fn own_arguments(
    line: impl Iterator<Item = OsString>,
    file: &std::path::Path,
) -> impl Iterator<Item = OsString> {
    let mut kept = Vec::new();
    let mut file = Some(file.as_os_str());
    let mut line = line.peekable();
    while let Some(argument) = line.next() {
        let text = argument.to_string_lossy();
        let name = text.split('=').next().unwrap_or_default();
        if let Some((_, has_value)) = OUR_OPTIONS.iter().find(|(option, _)| *option == name) {
            if *has_value && !text.contains('=') {
                line.next();
            }
        } else if file == Some(argument.as_os_str()) {
            file = None;
        } else {
            kept.push(argument);
        }
    }
    kept.into_iter()
}

/// Proves that two rule files are the same game, or shows where they differ.
fn same_game(args: &DifftestArgs, other: &Path) -> Result<Verdict> {
    let mut games = Vec::new();
    for rules in [
        Rules::load(&args.rules, &args.passes.passes)?,
        Rules::load_other(&args.rules, other, &args.passes.passes)?,
    ] {
        rules.show_diagnostics()?;
        let Some(output) = rules.output else {
            return Ok(Verdict::Bad);
        };
        games.push(InterpretedGame::new(output.lowered)?);
    }
    let stated = match &args.map {
        Some(file) => samegame::stated(
            &std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?,
        )?,
        None => Vec::new(),
    };
    let settings = samegame::Settings {
        states: usize::try_from(args.states).unwrap_or(usize::MAX),
        stated,
        steps: 20_000_000,
    };
    let starts: Vec<_> = games.iter().map(rulec_engines::interpreted).collect();
    let progress = Progress::new(args.states.saturating_mul(2), "visited", "positions");
    let tell = |done: usize| progress.tell(done as u64);
    let report = samegame::compare([&starts[0], &starts[1]], &settings, &tell)?;
    progress.finish();
    match args.json {
        true => say(&format!("{}\n", report.json()))?,
        false => say(&report.text())?,
    }
    Ok(match report.is_same() {
        true => Verdict::Good,
        false => Verdict::Bad,
    })
}

fn difftest(args: &DifftestArgs) -> Result<Verdict> {
    match &args.against {
        Some(other) => same_game(args, other),
        None if args.more.is_empty() => engines::compare_one(args),
        None => engines::compare_many(args),
    }
}

/// How far a long comparison is: a bar on a terminal, else a line now and then.
struct Progress {
    bar: Option<indicatif::ProgressBar>,
    total: u64,
    /// What is done, and to what.
    words: (&'static str, &'static str),
    said: Mutex<Instant>,
}

/// Time between two lines of progress where there is no terminal.
const QUIET: Duration = Duration::from_secs(20);

impl Progress {
    fn new(total: u64, done: &'static str, what: &'static str) -> Progress {
        let terminal = io::stderr().is_terminal();
        Progress {
            bar: terminal.then(|| indicatif::ProgressBar::new(total)),
            total,
            words: (done, what),
            said: Mutex::new(Instant::now()),
        }
    }

    fn tell(&self, done: u64) {
        if let Some(bar) = &self.bar {
            return bar.set_position(done.min(self.total));
        }
        let mut said = self
            .said
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if said.elapsed() >= QUIET {
            *said = Instant::now();
            // Without a reader there is nobody to tell.
            let (verb, what) = self.words;
            let _ = writeln!(io::stderr(), "{verb} {done} of {} {what}", self.total);
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_gets_only_its_own_arguments() {
        let line = "perft --engine native a.s3 5 --lto --runtime=x --json --distinct a.s3 --format json \
             --warnings never";
        let line = line.split_whitespace().map(OsString::from);
        let own: Vec<OsString> = own_arguments(line, "a.s3".as_ref()).collect();
        assert_eq!(own, ["perft", "5", "--json", "--distinct", "a.s3"]);
    }
}
