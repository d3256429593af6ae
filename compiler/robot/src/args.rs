//! The command line.

use std::path::PathBuf;

use clap::Parser;
use rulec_robot::Side;
use rulec_search::Bot;

/// Plays a game on a real board, with a camera and an arm, or on a simulated one.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "rulec-robot",
    bin_name = "rulec robot",
    version,
    about = "Plays a game on a real board, with a camera and an arm, or on a simulated one",
    after_help = "Examples:
  rulec robot tic_tac_toe.s3 --sim                 camera, table, arm and person are simulated
  rulec robot tic_tac_toe.s3 --sim --faults all --games 50 --json
  rulec robot frogs.s3 --dry-run --moves 3         say what the arm would do, with every pose
  rulec robot frogs.s3 --calibrate --rig my.toml --port /dev/ttyUSB0
  rulec robot tic_tac_toe.s3 --rig my.toml --camera 'rulec-camera 0' --log game.jsonl
  rulec robot tic_tac_toe.s3 --rig my.toml --log game.jsonl \\
    --camera 'cmd:ffmpeg -loglevel error -f v4l2 -i /dev/video0 -frames:v 1 -f image2pipe -c:v png -'
  rulec robot tic_tac_toe.s3 --replay game.jsonl   play a game again from its log, and compare
  rulec robot tic_tac_toe.s3 --rig my.toml --camera 'rulec-camera 0' --resume game.jsonl

While it plays: the line `stop`, Control-C, or the file of --stop-file hold the arm at once, whatever the program does. It
stays held until you say that it may go on. `quit` ends the game.
Exit codes: 0 when the game came to its end, 1 when it was stopped or something is wrong, 2 for a wrong command line."
)]
pub struct CommandLine {
    /// Rule file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What is known of the table and the arm: poses, slots, port, corners
    #[arg(long, value_name = "FILE")]
    pub rig: Option<PathBuf>,
    /// Serial port of the arm, or tcp:HOST:PORT [default: that of the rig]
    #[arg(long, value_name = "PORT")]
    pub port: Option<String>,
    /// Controller of the arm: ssc32, ssc32-2017, sts, uarm, mirobot or grbl [default: that of the rig, else ssc32]
    #[arg(long, value_name = "NAME")]
    pub driver: Option<String>,
    /// Where pictures come from: a program with its arguments that runs all the time and writes a PNG file to stdout for each
    /// line on stdin, such as `rulec-camera 0`; cmd:PROGRAM, which is started for each picture and writes one PNG file to stdout;
    /// or dir:FOLDER (numbered PNG files)
    #[arg(long, value_name = "SOURCE")]
    pub camera: Option<String>,
    /// Colours and place of the table, learnt before; learnt now from the start position and saved here if there is no such file
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Who moves the pieces of each player: `arm` or `person`, by commas [default: the arm the last player's]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = side)]
    pub sides: Vec<Side>,
    /// Who thinks for the arm: random, mc:GAMES or uct:GAMES, or a time such as uct:2s
    #[arg(long, value_name = "PLAYER", default_value = "uct:2000")]
    pub bot: Bot,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Ask before each motion of the arm
    #[arg(long)]
    pub confirm: bool,
    /// Only say what the arm would do; no camera, and nothing is sent
    #[arg(long, conflicts_with_all = ["sim", "port", "camera"])]
    pub dry_run: bool,
    /// Stop after so many moves
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub moves: u32,
    /// Simulate camera, table, arm and the persons
    #[arg(long)]
    pub sim: bool,
    /// Simulated games to play
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sim")]
    pub games: u64,
    /// What goes wrong in simulated games: none, or all kinds in turn
    #[arg(long, value_name = "KIND", default_value = "none", requires = "sim", value_parser = ["none", "all"])]
    pub faults: String,
    /// What the simulated camera is like: table (no picture: the table itself), calm or rough
    #[arg(long, value_name = "KIND", default_value = "calm", requires = "sim", value_parser = ["table", "calm", "rough"])]
    pub view: String,
    /// Keep every picture in this folder
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// Write down what happens: looks, plans, questions, answers, bytes
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Play a log again, without camera, arm and person, and say where it differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sim", "dry_run", "port", "camera", "log"])]
    pub replay: Option<PathBuf>,
    /// Go on with a game whose log was cut off, from its last move; what happens is added to the log
    #[arg(long, value_name = "FILE", conflicts_with_all = ["log", "replay"])]
    pub resume: Option<PathBuf>,
    /// Find out where the arm reaches the places, step by step, and save it in the rig
    #[arg(long, requires = "rig", conflicts_with_all = ["dry_run", "replay", "resume"])]
    pub calibrate: bool,
    /// Hold the arm as soon as this file exists
    #[arg(long, value_name = "FILE")]
    pub stop_file: Option<PathBuf>,
    /// Write one JSON object to stdout at the end, instead of what is said
    #[arg(long)]
    pub json: bool,
}

fn side(text: &str) -> Result<Side, String> {
    match text {
        "arm" => Ok(Side::Arm),
        "person" => Ok(Side::Person),
        _ => Err("`arm` or `person`".to_owned()),
    }
}
