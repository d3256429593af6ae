//! The program that plays on a real board: rules are interpreted, the rest is `rulec-robot`.
//!
//! This is a program of its own, so that plain games and `rulec` itself contain no code for serial ports.

mod args;
pub mod pictures;
pub mod setup;
pub mod simulated;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Parser;
use rulec_arm::sequence::Pace;
use rulec_arm::{Link, RealClock, Recorder, Replay, SharedClock, SimClock, WireLog};
use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;
use rulec_cli::scene;
use rulec_core::Game as _;
use rulec_robot::journal::{self, Journal, Record, ReplayEye, ReplayPerson};
use rulec_robot::wizard::{Prompt, Wizard};
use rulec_robot::{
    Ending, Eye, EyeFault, Hand, PictureEye, Rig, Session, Settings, Side, Sight, Tableau,
    Terminal, Watch,
};
use rulec_search::State;
use rulec_vision::Scene;
use serde_json::json;

pub use args::CommandLine;
use pictures::Pictures;

/// Reads the command line of the process and plays.
pub fn main() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match run(&line) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(1)
        }
    }
}

/// A game that is ready for a robot.
pub struct Board {
    /// The game.
    pub game: InterpretedGame,
    /// What a camera knows of it.
    pub scene: Scene,
    /// What the rules say about the arm.
    pub rig: Rig,
}

impl Board {
    /// Reads the rules.
    ///
    /// # Errors
    /// When they cannot be read or are wrong; diagnostics go to stderr.
    pub fn load(file: &Path) -> Result<Board> {
        let rules = Rules::open(file, "all")?;
        rules.show_diagnostics()?;
        let Some(output) = &rules.output else {
            bail!("{} has errors", file.display());
        };
        let game = InterpretedGame::new(output.game.clone())?;
        let scene = scene::scene(&game);
        scene.check()?;
        let rig = setup::rig(&game, &scene);
        Ok(Board { game, scene, rig })
    }
}

/// Whether the game came to its end.
fn run(line: &CommandLine) -> Result<bool> {
    let mut board = Board::load(&line.file)?;
    if let Some(file) = line
        .rig
        .as_ref()
        .filter(|file| file.exists() || !line.calibrate)
    {
        board.rig.load(&board.scene, file)?;
    }
    if let Some(driver) = &line.driver {
        board.rig.arm.driver.clone_from(driver);
    }
    if line.port.is_some() {
        board.rig.arm.port.clone_from(&line.port);
    }
    if line.sim {
        return simulated::run(line, &board);
    }
    let settings = settings(line, &board);
    if let Some(file) = &line.replay {
        return replay(file, &board, settings);
    }
    if line.calibrate {
        return calibrate(line, &mut board);
    }
    match line.dry_run {
        true => dry_run(line, &board, settings),
        false => play(line, &board, settings),
    }
}

/// Settings of a game as the command line says.
pub(crate) fn settings(line: &CommandLine, board: &Board) -> Settings {
    let players = board.game.info().players.len();
    let mut settings = Settings::against_the_last(players, line.bot.clone(), line.seed);
    if !line.sides.is_empty() {
        settings.sides.clone_from(&line.sides);
    }
    settings.confirm = line.confirm;
    settings.dry_run = line.dry_run;
    settings.limit = line.moves;
    if line.sim {
        settings.patience = 20;
        settings.give_up = Some(5_000);
    }
    settings
}

/// Where a game begins, and where it is written down.
pub(crate) struct Beginning<'g> {
    /// The start, or the position of the last move of a log.
    pub(crate) state: State<'g>,
    /// What lies where there, and how often the game was taken up again.
    pub(crate) resumed: Option<(Tableau, u64)>,
    /// What is written down.
    pub(crate) journal: Journal,
}

/// Where the game begins that the command line asks for.
pub(crate) fn beginning<'g>(
    line: &CommandLine,
    board: &'g Board,
    settings: &mut Settings,
) -> Result<Beginning<'g>> {
    let mut state = rulec_engines::interpreted(&board.game);
    if let Some(file) = &line.resume {
        let records = journal::read(file).map_err(anyhow::Error::msg)?;
        if journal::is_finished(&records) {
            bail!(
                "{} tells how its game ended: there is nothing to go on with",
                file.display()
            );
        }
        recall(file, &records, board, settings)?;
        let moves = journal::moves(&records);
        let resumed = resumed(board, &mut state, &moves, times(&records) + 1);
        let resumed = resumed.with_context(|| file.display().to_string())?;
        let journal = Journal::append(file);
        return Ok(Beginning {
            state,
            resumed: Some(resumed),
            journal: journal.with_context(|| format!("cannot write {}", file.display()))?,
        });
    }
    let journal = match &line.log {
        Some(file) => {
            Journal::create(file).with_context(|| format!("cannot write {}", file.display()))?
        }
        None => Journal::none(),
    };
    journal.write(&Record::Start {
        version: journal::VERSION,
        game: board.scene.game.clone(),
        rules: board.game.info().rules_sha256.to_owned(),
        seed: settings.seed,
        settings: kept_settings(settings),
    });
    Ok(Beginning {
        state,
        resumed: None,
        journal,
    })
}

/// How often the game of a log was taken up again.
fn times(records: &[Record]) -> u64 {
    let again = records.iter().filter(|record| **record == Record::Resume);
    again.count() as u64
}

/// Brings a state to the end of some moves; what lies where there.
fn resumed(
    board: &Board,
    state: &mut State<'_>,
    moves: &[String],
    times: u64,
) -> Result<(Tableau, u64)> {
    let table = rulec_robot::catch_up(&board.scene, &board.rig, state, moves);
    Ok((table.map_err(anyhow::Error::msg)?, times))
}

/// What of the settings a replay needs, as words.
fn kept_settings(settings: &Settings) -> Vec<String> {
    let sides = settings.sides.iter().map(|side| match side {
        Side::Arm => "arm",
        Side::Person => "person",
    });
    vec![
        sides.collect::<Vec<_>>().join(","),
        settings.bot.to_string(),
        settings.confirm.to_string(),
        settings.patience.to_string(),
    ]
}

/// Tells how a game ended.
fn tell(line: &CommandLine, ending: &Ending) -> Result<bool> {
    let over = matches!(ending, Ending::Over(_));
    let limited = *ending == Ending::Limit && line.moves < 10_000;
    if line.json {
        let value = json!({ "over": over, "ending": ending.text() });
        writeln!(io::stdout(), "{value}")?;
    }
    Ok(over || limited)
}

/// Checks every pose before anything moves.
fn check(board: &Board, caps: &rulec_arm::Caps) -> Result<()> {
    if let Err(errors) = board.rig.check(&board.scene, caps) {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        bail!("{}", lines.join("\n  "));
    }
    Ok(())
}

/// An eye for where none is needed.
struct NoEye;

impl Eye for NoEye {
    fn look(&mut self) -> Result<Sight, EyeFault> {
        Err(EyeFault("there is no camera".to_owned()))
    }
}

fn dry_run(line: &CommandLine, board: &Board, mut settings: Settings) -> Result<bool> {
    let (make, _) = setup::driver(&board.rig.arm)?;
    let clock = SimClock::new();
    // A line that nothing may be sent over.
    let nowhere = Replay::new(Vec::new(), clock.shared());
    let mut hand = Hand::new(
        make(Box::new(nowhere), clock.shared()),
        clock.shared(),
        Pace::ORIGINAL,
    );
    check(board, hand.caps())?;
    let mut person = Terminal::silent();
    let mut eye = NoEye;
    let beginning = beginning(line, board, &mut settings)?;
    let session = Session::new(
        &board.scene,
        &board.rig,
        beginning.state,
        &mut eye,
        Some(&mut hand),
        &mut person,
        clock.shared(),
        settings,
    )
    .record(beginning.journal, None);
    tell(line, &from(session, beginning.resumed).run())
}

fn play(line: &CommandLine, board: &Board, mut settings: Settings) -> Result<bool> {
    let clock = RealClock::shared();
    let (make, usual) = setup::driver(&board.rig.arm)?;
    let Some(source) = &line.camera else {
        bail!(
            "name a camera with --camera (PROGRAM, dir:FOLDER or cmd:PROGRAM), or play with --sim or --dry-run"
        );
    };
    let mut pictures = Pictures::open(source)?;
    let eyes = setup::eyes(
        &board.scene,
        &board.rig,
        &mut pictures,
        line.calibration.as_deref(),
    )?;
    if let Some(folder) = &line.pictures {
        std::fs::create_dir_all(folder)?;
    }
    let mut eye = PictureEye::new(pictures, eyes, line.pictures.clone());
    let wire = WireLog::new();
    let link = setup::line(&board.rig.arm, usual, Arc::clone(&clock))?;
    let link: Box<dyn Link> = Box::new(Recorder::new(link, Arc::clone(&clock), wire.clone()));
    let arm = make(link, Arc::clone(&clock));
    check(board, arm.caps())?;
    let watch = Watch::start(arm.stopper(), line.stop_file.clone(), true)?;
    let mut hand = Hand::new(arm, Arc::clone(&clock), Pace::ORIGINAL);
    let mut person = Terminal::new(watch.key());
    let beginning = beginning(line, board, &mut settings)?;
    let session = Session::new(
        &board.scene,
        &board.rig,
        beginning.state,
        &mut eye,
        Some(&mut hand),
        &mut person,
        clock,
        settings,
    )
    .record(beginning.journal, Some(wire));
    let ending = from(session, beginning.resumed).run();
    drop(watch);
    tell(line, &ending)
}

/// Takes the settings of a log, which must be of these rules.
fn recall(file: &Path, records: &[Record], board: &Board, settings: &mut Settings) -> Result<()> {
    let Some(Record::Start {
        game,
        rules,
        seed,
        settings: kept,
        ..
    }) = records.first()
    else {
        bail!("{} has no beginning", file.display());
    };
    if *game != board.scene.game || *rules != board.game.info().rules_sha256 {
        bail!("{} is of other rules than these", file.display());
    }
    settings.seed = *seed;
    if let [sides, bot, confirm, patience] = &kept[..] {
        let side = |word: &str| match word {
            "arm" => Side::Arm,
            _ => Side::Person,
        };
        settings.sides = sides.split(',').map(side).collect();
        settings.bot = bot.parse().map_err(anyhow::Error::msg)?;
        settings.confirm = confirm == "true";
        settings.patience = patience.parse()?;
    }
    Ok(())
}

/// How a part of a log, played again, compares.
enum Replayed {
    Same(Ending),
    /// The log breaks off; so far nothing differed.
    CutOff,
    Different(String),
    /// The log goes on for so many lines.
    Longer(usize),
}

/// Plays a journal again: the same things must be said, as far as it goes.
fn replay(file: &Path, board: &Board, mut settings: Settings) -> Result<bool> {
    let records = journal::read(file).map_err(anyhow::Error::msg)?;
    recall(file, &records, board, &mut settings)?;
    let mut found = Replayed::CutOff;
    let mut before = 0;
    for (part, records_of_part) in records
        .split(|record| *record == Record::Resume)
        .enumerate()
    {
        let mut state = rulec_engines::interpreted(&board.game);
        let moves = journal::moves(&records[..before]);
        let resumed = resumed(board, &mut state, &moves, part as u64)?;
        before += records_of_part.len() + 1;
        let resumed = (part > 0).then_some(resumed);
        found = replay_part(board, state, resumed, records_of_part, settings.clone())?;
        if !matches!(found, Replayed::CutOff) {
            break;
        }
    }
    let mut out = io::stdout().lock();
    match &found {
        Replayed::Same(ending) => {
            writeln!(out, "the same as then, to the end: {}", ending.text())?;
        }
        Replayed::CutOff => writeln!(
            out,
            "the same as then, as far as the log goes: it breaks off after {} moves; --resume {} goes on from there",
            journal::moves(&records).len(),
            file.display()
        )?,
        Replayed::Different(difference) => writeln!(out, "not the same as then:\n{difference}")?,
        Replayed::Longer(left) => writeln!(
            out,
            "the same as then, but the log goes on for {left} lines"
        )?,
    }
    Ok(matches!(found, Replayed::Same(_) | Replayed::CutOff))
}

fn replay_part(
    board: &Board,
    state: State<'_>,
    resumed: Option<(Tableau, u64)>,
    records: &[Record],
    settings: Settings,
) -> Result<Replayed> {
    let mut entries = Vec::new();
    for record in records {
        if let Record::Wire { entries: more } = record {
            entries.extend(more.iter().cloned());
        }
    }
    let clock: SharedClock = SimClock::new().shared();
    let (make, _) = setup::driver(&board.rig.arm)?;
    let line = Box::new(Replay::new(entries, Arc::clone(&clock)));
    let mut hand = Hand::new(
        make(line, Arc::clone(&clock)),
        Arc::clone(&clock),
        Pace::ORIGINAL,
    );
    let mut eye = ReplayEye::new(records);
    let mut person = ReplayPerson::new(records);
    let session = Session::new(
        &board.scene,
        &board.rig,
        state,
        &mut eye,
        Some(&mut hand),
        &mut person,
        clock,
        settings,
    );
    let ending = from(session, resumed).run();
    Ok(match (person.difference.take(), person.left()) {
        (Some(difference), _) => Replayed::Different(difference),
        (None, _) if person.cut_off => Replayed::CutOff,
        (None, 0) => Replayed::Same(ending),
        (None, left) => Replayed::Longer(left),
    })
}

/// A session from where its game goes on.
fn from<'s, 'g>(session: Session<'s, 'g>, resumed: Option<(Tableau, u64)>) -> Session<'s, 'g> {
    match resumed {
        Some((table, times)) => session.resumed(table, times),
        None => session,
    }
}

/// Reads and writes lines of the terminal.
struct Lines(Terminal);

impl Prompt for Lines {
    fn say(&mut self, text: &str) {
        // Without a reader there is nobody to tell.
        let _ = writeln!(io::stdout(), "{text}");
    }

    fn line(&mut self) -> Option<String> {
        self.0.line()
    }
}

fn calibrate(line: &CommandLine, board: &mut Board) -> Result<bool> {
    let Some(file) = &line.rig else {
        bail!("name the file of the rig with --rig");
    };
    let clock = RealClock::shared();
    let (make, usual) = setup::driver(&board.rig.arm)?;
    let link = setup::line(&board.rig.arm, usual, Arc::clone(&clock))?;
    let mut arm = make(link, Arc::clone(&clock));
    let watch = Watch::start(arm.stopper(), line.stop_file.clone(), true)?;
    let mut prompt = Lines(Terminal::new(watch.key()));
    Wizard {
        scene: &board.scene,
        rig: &mut board.rig,
        file,
        arm: &mut *arm,
        clock: &*clock,
        prompt: &mut prompt,
    }
    .run()?;
    Ok(true)
}
