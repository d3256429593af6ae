//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rulec_command as command;

use crate::create::shapes::{Kind, board};

/// Compiles board-game rules to fast native programs.
#[derive(Debug, Parser)]
#[command(
    name = "rulec",
    version,
    about = "Compiles board-game rules to fast native programs",
    after_help = "Examples:
  rulec new hop --lang s3              a commented game to start from
  rulec check hop/hop.s3               look for mistakes, play random games
  rulec play hop/hop.s3                play on the terminal, at once
  rulec run hop/hop.s3 -- selfplay     compile it and play many random games

Exit codes: 0 for success, 1 when the rules are wrong (or two engines differ), 2 for a wrong command line
and for what the machine cannot do. Diagnostics go to stderr, results to stdout."
)]
pub(crate) struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Make a folder with a commented game that checks clean and plays
    #[command(after_help = "Examples:
  rulec new hop --lang s3 && rulec check hop/hop.s3
  rulec new lines --lang s3 --kind placing --board 8x8 --players 3
  rulec new runners --lang bgc --kind moving --board 6x8
  rulec new hands --lang bgm --kind cards --players 4
  rulec new dash --lang bbgel --kind racing --players 3")]
    New(NewArgs),
    /// Look for mistakes in a rule file, then play random games: watch invariants, and say who wins and what never happens
    #[command(after_help = "Examples:
  rulec check frogs.s3
  rulec check frogs.s3 --games 0          the rules only
  rulec check frogs.s3 --games 10000      more games, where something is rare
  rulec check frogs.s3 --format json      diagnostics for tools

The same rules, seed and number of games give the same output everywhere. Players at random tell what can happen, not what
happens between good ones: a warning says in how many games it never did.")]
    Check(CheckArgs),
    /// Compile a rule file to a program, a crate, or one of the stages on the way
    #[command(after_help = "Examples:
  rulec build frogs.s3                    the program ./frogs
  rulec build frogs.s3 --crate frogs-rs   a crate of its own
  rulec build frogs.s3 --lib -o frogs.so  a shared library, for Python and C
  rulec build frogs.s3 --emit rust        the Rust text
  rulec build frogs.s3 --emit ir --passes none
  rulec build frogs.s3 --explain          how positions are kept and asked, and why
  rulec build frogs.s3 --explain --json   the same as data
  rulec build frogs.s3 --pieces named     positions that know which frog stands where")]
    Build(BuildArgs),
    /// Compile if needed, then run the program with the arguments after `--`
    #[command(after_help = "Examples:
  rulec run frogs.s3
  rulec run frogs.s3 -- selfplay --games 100000
  rulec run frogs.s3 -- bench --help")]
    Run(RunArgs),
    /// Play in a browser, at once: a local server with one page
    #[command(after_help = "Examples:
  rulec serve frogs.s3                    the page is at http://127.0.0.1:7878/
  rulec serve --watch frogs.s3            edit the rules, and the page goes on with them
  rulec serve frogs.s3 --port 0 --engine native

The page needs no network; /openapi.json describes its JSON for other front ends. Only this machine can connect unless
--address and --token say otherwise, and no file but the pictures that the rules name is served.")]
    Serve(ServeLine),
    /// Say why a move is not legal: the first condition that fails in the nearest rule, and the values in it
    #[command(after_help = "Examples:
  rulec explain chess.json \"4,1 4,4\"
  rulec explain reversi.s3 \"d(1) pool(1) b(1,1)\" --json
  rulec explain frogs.s3 \"gf(1) s(1) s(2)\" --after \"gf(3) s(3) s(4)\"

Exit code 0 also when the move is legal; `kind` in the JSON tells.")]
    Explain(ExplainArgs),
    /// Play on the terminal
    Play(OnGame<command::PlayArgs>),
    /// Show a position and its legal moves
    Moves(OnGame<command::MovesArgs>),
    /// Play given moves and show who was on turn and how many moves were legal
    Replay(OnGame<command::ReplayArgs>),
    /// Count the sequences of moves of each length
    ///
    /// Draws by counting, such as by repetition, are left out unless `--without none` asks for them.
    Perft(OnGame<command::PerftArgs>),
    /// Look for the best move
    Search(OnGame<command::SearchArgs>),
    /// Find a cheapest win of a puzzle, or what perfect play leads to; write a certificate of it
    Solve(OnGame<command::SolveArgs>),
    /// Check a certificate of `solve` with the interpreter, without solving
    Verify(OnGame<command::VerifyArgs>),
    /// List the players that the computer plays, and their options
    Bots(command::BotsArgs),
    /// Work out exact values of a game with draws of chance
    Expectimax(OnGame<command::ExpectimaxArgs>),
    /// Visit every position that can be reached
    Explore(OnGame<command::ExploreArgs>),
    /// Let computer players play many games, for statistics, records and training
    Selfplay(OnGame<command::SelfplayArgs>),
    /// Play many random games and report who wins, how long games last and what happens where
    #[command(after_help = "Examples:
  rulec simulate ladders.bbgel --games 100k
  rulec simulate ladders.world --games 1M --seed 7 --html report.html
  rulec simulate ladders.world --games 20 --dice lcg32 --rows --json

Chance draws by its weights, players decide at random. Game number i depends on the seed and on i alone: the report is
the same for any number of threads and for both engines. Speed is told on stderr.")]
    Simulate(SimulationArgs),
    /// Show what is known of a game
    Info(OnGame<command::InfoArgs>),
    /// Make a page of the games of a folder: pictures, figures, and a replay of each
    #[command(after_help = "Examples:
  rulec gallery games --out gallery           index.html and a page for each game, readable without a network
  rulec gallery games --out gallery --bot uct:100")]
    Gallery(GalleryArgs),
    /// Draw a position or a game as a picture, SVG or PNG
    #[command(after_help = "Examples:
  rulec render frogs.s3 --svg start.svg
  rulec render frogs.s3 --after \"gf(3) s(3) s(4)\" --png after.png --width 800
  rulec render chess.json --record game.json --strip 8 --svg game.svg
  rulec render chess.json --record game.json --animate --png game.png")]
    Render(RenderArgs),
    /// Read a board from pictures, or say how well it would be read
    #[command(after_help = "Examples:
  rulec look frogs.s3 --trial 500                how well a simulated camera reads this game
  rulec look frogs.s3 --trial 500 --curve c.svg  the same, drawn against the level of trouble
  rulec look frogs.s3 --show table.png           what the simulated camera sees
  rulec look frogs.s3 --known start.png --picture now.png --corners \"31,20 610,22 622,180 19,178\"
  rulec look frogs.s3 --original frame.png       by the detector of the original system

--known shows the position (the start, or --state, --after); colours are learnt from it. --corners are those of the
area around all places, in pixels, from the upper left one clockwise. Exit code 1: a person must be asked, or a
simulated reading was wrong.")]
    Look(LookArgs),
    /// Walk the interpreter and the compiled game side by side, or prove two rule files the same game
    #[command(after_help = "Examples:
  rulec difftest reversi.s3 --positions 1e5 --seed 7
  rulec difftest games/s3/*.s3 games/bgm/*.bgm --positions 1000
  rulec difftest tic_tac_toe.bgm --against tic_tac_toe.s3
  rulec difftest nim.bgm --against nim.s3 --map moves.txt --json

Engines are compared on random games. Games are compared in all their positions: from the starts on, moves must pair
off and lead to positions where they do again, with equal players on turn, chances and results. A renaming of moves
that holds all through the game is looked for and shown; lines of --map (`X PlaceX c1 = cross1 b(1,1)`) state it, or
part of it. A difference is shrunk to a short sequence of moves. Exit code 1 tells that there is one.")]
    Difftest(DifftestArgs),
    /// Measure random games a second of rule files, on every engine in one run
    #[command(after_help = "Examples:
  rulec bench reversi.s3                                    the reference interpreter and what runs rules at once
  rulec bench games/s3/*.s3 --engines interp,quick,native   compiled programs too, which are built first
  rulec bench games/bgm/*.bgm --seconds 3 --json

Speeds are per second of processor time where the system tells it, of one thread: the median of three rounds in which the
engines take turns. Behind the speeds stands each engine's speed by that of the one before it.")]
    Bench(BenchArgs),
    /// Let a learner play episodes that it knows nothing of, and show how its errors fall
    Learn(OnGame<command::LearnArgs>),
    /// Say what a game is like: who wins, how long it takes, how much there is to choose from
    Analyse(OnGame<command::AnalyseArgs>),
    /// Let bots play against each other and say which is stronger
    Match(OnGame<command::MatchArgs>),
    /// Learn what things are worth in a game of two players or more, for players who look ahead
    Evaluate(OnGame<command::EvaluateArgs>),
    /// Work out tables of endgames backwards from the ends, or check them
    Endgames(OnGame<command::EndgamesArgs>),
    /// Play as tournament managers, boards and chess programs ask, in the Universal Game Interface, UCI or the protocol of xboard
    #[command(visible_aliases = ["uci", "xboard"])]
    Ugi(OnGame<command::UgiArgs>),
    /// Play episodes with a player who tries at random, and measure the speed
    Attempts(OnGame<command::AttemptsArgs>),
    /// Offer episodes to a learning program, in the protocol of the Captive Game Server
    #[command(after_help = rulec_search::episode::request::USAGE)]
    Captive(CaptiveLine),
    /// Play on a real board with a camera and an arm, or on a simulated one
    ///
    /// The program rulec-robot does it, which lies beside this one; everything after `robot` is for it.
    #[command(
        disable_help_flag = true,
        after_help = "Examples:
  rulec robot tic_tac_toe.s3 --sim
  rulec robot frogs.s3 --dry-run
  rulec robot --help"
    )]
    Robot(RobotArgs),
    /// Host episodes for people: attempts, picks, points, one player or two
    ///
    /// FILE may be a rule set, a trial list, the folder of a plan, or a name such as P:plan:modifier or R:rules:modifier.
    /// All series of a trial list are played, one after the other, unless `--set row=N` names one; `--set list=NAME` names
    /// a trial list of a plan.
    Host(OnGame<command::HostArgs>),
    /// Write rule files in their usual form: blanks, order of keys, spelling of sections; comments stay
    #[command(after_help = "Examples:
  rulec fmt games/s3/*.s3
  rulec fmt --check frogs.s3              what would change; exit code 1 if something would
  rulec fmt --lang s3 - < frogs.s3        from standard input to standard output

A file that cannot be read stays as it is, and the exit code is 2.")]
    Fmt(FmtArgs),
    /// Serve an editor over standard streams, in the Language Server Protocol
    Lsp(LspArgs),
    /// Run the tests in the file FILE.tests beside the rules
    #[command(after_help = "A test is a table of FILE.tests, in TOML:

  [[test]]
  name = \"the second player answers\"
  after = \"cross1 b(1,1)\"       moves from the start, `;` between them; or from `position = TEXT`
  legal = 8                      so many moves are legal; `moves = [...]`: exactly these; `has`, `lacks`: among others
  to_move = \"nought\"
  outcome = \"open\"             or `NAME wins`, `draw`, `nobody can move`, `fault`
  at = { \"b(1,1)\" = \"cross1\", \"b(2,2)\" = \"\" }   what stands where: a piece, a list of them, or nothing
  scores = [3, 0]                of the players in their order
  perft = [8, 56]                lines of one move, of two, ...

Exit code 1 tells that a test fails.")]
    Test(TestArgs),
    /// Tell which parts of the rules random games reach, or the tests of FILE.tests
    #[command(
        after_help = "Rules count the positions in which they admit a move, ends the games that ended there. Lines and branches are those of what
moves do; conditions of moves count with their rule."
    )]
    Coverage(CoverageArgs),
    /// Change the rules in one place at a time, and tell which changes no test of FILE.tests notices
    #[command(
        after_help = "Changes: comparisons and signs become others, numbers grow by one, conditions turn around, lines of rules disappear.
Changes that play the same in random games are counted apart. Exit codes: 2 when changes were missed, 4 when the rules as
they are fail a test."
    )]
    Mutate(MutateArgs),
    /// Explain a code that a diagnostic shows, such as S3-E0107, or list all codes
    ExplainCode(ExplainCodeArgs),
    /// Write the completions of a shell: what Tab offers after `rulec`
    #[command(after_help = "Examples:
  rulec completions bash > ~/.local/share/bash-completion/completions/rulec
  rulec completions zsh > ~/.zfunc/_rulec              with ~/.zfunc in $fpath
  rulec completions fish > ~/.config/fish/completions/rulec.fish")]
    Completions(CompletionsArgs),
    /// Write the manual pages, one for each command, to a folder
    #[command(after_help = "Example:
  rulec man ~/.local/share/man/man1 && man rulec-check")]
    Man(ManArgs),
}

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder, made if it is not there
    pub(crate) folder: PathBuf,
}

/// Arguments of `test`.
#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Run none, but add at most N tests of what the rules do today, for those who mean to change them
    #[arg(long, value_name = "N")]
    pub(crate) record: Option<usize>,
    /// Seed of the random games that are recorded
    #[arg(long, value_name = "N", default_value_t = 1, requires = "record")]
    pub(crate) seed: u64,
    /// Write a JSON summary to stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `coverage`.
#[derive(Args, Debug)]
pub(crate) struct CoverageArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Random games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) games: u64,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What the tests in FILE.tests reach, instead of random games
    #[arg(long, conflicts_with_all = ["games", "seed"])]
    pub(crate) tests: bool,
    /// Write a trace file that genhtml and editors read
    #[arg(long, value_name = "FILE")]
    pub(crate) lcov: Option<PathBuf>,
    /// Write a page with the rules and what was reached of them
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a JSON summary to stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `mutate`.
#[derive(Args, Debug)]
pub(crate) struct MutateArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Most changes that are tried, evenly spread over the file
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) most: usize,
}

/// Arguments of `fmt`.
#[derive(Args, Debug)]
pub(crate) struct FmtArgs {
    /// Rule files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing, and show what would change
    #[arg(long)]
    pub(crate) check: bool,
    /// Rule language, where the name of the file does not tell
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: Option<String>,
}

/// Arguments of `lsp`.
#[derive(Args, Debug)]
pub(crate) struct LspArgs {
    /// Does nothing: editors that know several ways to talk to a server say so
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

/// Arguments of `robot`: those of another program.
#[derive(Args, Debug)]
pub(crate) struct RobotArgs {
    /// What the program rulec-robot takes
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    pub(crate) args: Vec<OsString>,
}

/// Arguments of `new`.
#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    /// Name of the game and of its folder
    pub(crate) name: String,
    /// Rule language
    #[arg(long, default_value = "s3", value_name = "LANGUAGE")]
    pub(crate) lang: String,
    /// What one does in it
    #[arg(long)]
    pub(crate) kind: Option<Kind>,
    /// Columns and rows, such as 8x8; of a race, how its track is laid out
    #[arg(long, value_name = "WxH", value_parser = board)]
    pub(crate) board: Option<(u32, u32)>,
    /// Number of players
    #[arg(long, value_name = "N")]
    pub(crate) players: Option<u32>,
}

/// The rule file and how to read it.
#[derive(Args, Clone, Debug)]
pub(crate) struct RuleArgs {
    /// Rule file; its language is told by the ending of its name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Rule language, where the name of the file does not tell
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: Option<String>,
    /// A further file that the rules go with, such as a property table, a board or a trial list; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// A setting of the language, such as pieces=9; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<(String, String)>,
    /// How to write diagnostics
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// When to show warnings about the rules; errors are always shown [default: once; with --format json always]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(crate) warnings: Option<Warnings>,
    /// Draw rules to leave out: `all`, `none`, or names such as `repetition`
    #[arg(long, value_name = "LIST")]
    pub(crate) without: Option<String>,
    /// What a compiled game knows of pieces that the rules do not tell apart
    #[arg(long, value_enum, default_value_t = Pieces::Alike)]
    pub(crate) pieces: Pieces,
}

/// What compiled games know of pieces that the rules do not tell apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pieces {
    /// Where they stand, not who is who: smaller positions; moves are written with the first of those that are alike
    #[default]
    Alike,
    /// Which of them stands where, as the rules name them
    Named,
}

/// `name=value`.
fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(format!("`{text}` is no setting, such as pieces=9")),
    }
}

/// Arguments of `captive`.
#[derive(Args, Debug)]
pub(crate) struct CaptiveLine {
    /// What runs the rules
    #[arg(long, value_enum, default_value_t = Engine::Quick)]
    pub(crate) engine: Engine,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
    /// What to play and options, as the original server takes them
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) args: Vec<String>,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With excerpts of the rules, for people
    Text,
    /// One array of objects on stderr, for tools
    Json,
}

/// When warnings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Warnings {
    /// At every call
    Always,
    /// Once a day for a file, and whenever they change
    Once,
    /// Not at all; `check` shows them all the same
    Never,
}

/// Passes of the compiler.
#[derive(Args, Clone, Debug)]
pub(crate) struct PassArgs {
    /// Passes to run: `all`, `none`, a list of names, or names to leave out with `-` before them
    #[arg(
        long,
        value_name = "LIST",
        default_value = "all",
        allow_hyphen_values = true
    )]
    pub(crate) passes: String,
}

/// Where compiled games find what they need.
#[derive(Args, Clone, Debug)]
pub(crate) struct ToolArgs {
    /// Folder of the crate rulec-runtime [default: that of $RULEC_RUNTIME, else of the checkout that rulec was built from]
    #[arg(long, value_name = "DIR")]
    pub(crate) runtime: Option<PathBuf>,
    /// Target folder that all games share [default: in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Fat link-time optimisation: seconds more to compile, seldom faster
    #[arg(long)]
    pub(crate) lto: bool,
    /// Use all that this machine's processor can do: some games play up to 1.4 times as fast, but the program may not run elsewhere
    #[arg(long)]
    pub(crate) native_cpu: bool,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Random games to play [default: as many as a fixed budget of work allows, at most 1000, or 20000 where something never happened]
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write a JSON summary to stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `build`.
#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Program to write [default: named after the rule file, in this folder, or beside the rules in a folder of that name]
    #[arg(short, long, value_name = "BIN")]
    pub(crate) output: Option<PathBuf>,
    /// Write a crate to this folder instead of a program
    #[arg(long = "crate", value_name = "DIR", conflicts_with = "output")]
    pub(crate) crate_dir: Option<PathBuf>,
    /// A shared library with the C interface of rulec-abi instead of a program
    #[arg(long, conflicts_with_all = ["emit", "serve", "reasons"])]
    pub(crate) lib: bool,
    /// With the web board and the coloured board of the terminal (`serve`, `play`)
    #[arg(long, conflicts_with = "emit")]
    pub(crate) serve: bool,
    /// As --serve, and it says why moves are not legal: the interpreter is built in, which takes minutes the first time
    /// and makes the program some megabytes larger
    #[arg(long, conflicts_with = "emit")]
    pub(crate) reasons: bool,
    /// With an evaluation that `evaluate` wrote: players use it by the name `built-in`, and `ugi` if it is not told another player
    #[arg(long, value_name = "FILE", conflicts_with_all = ["emit", "lib"])]
    pub(crate) eval: Option<PathBuf>,
    /// Print a stage of the compiler instead
    #[arg(long, value_enum, conflicts_with_all = ["output", "crate_dir"])]
    pub(crate) emit: Option<Emit>,
    /// Say instead how positions are kept: whether they tell alike pieces apart, and why; of each question about several
    /// places whether sets of places are compared, or why it is asked of one place after another; and which moves are written
    /// for each side apart
    #[arg(long, conflicts_with_all = ["output", "crate_dir", "emit"])]
    pub(crate) explain: bool,
    /// With --explain: write one JSON object
    #[arg(long, requires = "explain")]
    pub(crate) json: bool,
    /// The passes.
    #[command(flatten)]
    pub(crate) passes: PassArgs,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
}

/// A stage of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The syntax tree
    Ast,
    /// The typed program after the passes
    Ir,
    /// The Rust text
    Rust,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// The passes.
    #[command(flatten)]
    pub(crate) passes: PassArgs,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
    /// Arguments of the program [default: selfplay]
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) args: Vec<String>,
}

/// Arguments of a command that every game has.
#[derive(Args, Debug)]
pub(crate) struct OnGame<A: Args> {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// What runs the rules
    #[arg(long, value_enum, default_value_t = Engine::Quick)]
    pub(crate) engine: Engine,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
    /// The command's own arguments.
    #[command(flatten)]
    pub(crate) command: A,
}

/// Arguments of `serve`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServeLine {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// What runs the rules
    #[arg(long, value_enum, default_value_t = Engine::Quick)]
    pub(crate) engine: Engine,
    /// Read the rules again whenever their files change
    #[arg(long, conflicts_with = "engine")]
    pub(crate) watch: bool,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
    /// The server.
    #[command(flatten)]
    pub(crate) serve: rulec_serve::ServeArgs,
}

/// What runs the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Starts at once and runs the rules quickly; the few games that it cannot run are interpreted
    Quick,
    /// The reference interpreter: starts at once, slow
    Interp,
    /// A compiled program: compiles if needed
    Native,
}

/// Arguments of `bench`.
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// More rule files
    #[arg(value_name = "FILE")]
    pub(crate) more: Vec<PathBuf>,
    /// The engines, in the order of the columns
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Engine::Interp, Engine::Quick])]
    pub(crate) engines: Vec<Engine>,
    /// How long to measure an engine in each round
    #[arg(long, value_name = "S", default_value = "1", value_parser = rulec_search::parse_duration)]
    pub(crate) seconds: std::time::Duration,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write JSON, an object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
}

/// What `difftest` compares with the reference interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compared {
    /// What runs rules without a compiler
    Quick,
    /// The compiled program
    Native,
}

/// Arguments of `simulate`.
#[derive(Args, Debug)]
pub(crate) struct SimulationArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// What runs the rules [default: native for more than 20000 games, else quick]
    #[arg(long, value_enum)]
    pub(crate) engine: Option<Engine>,
    /// Steps after which the rules stop a game, where they count steps [default: what the rules say]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=1 << 30))]
    pub(crate) max_steps: Option<i64>,
    /// Write a report with charts to this file, readable without a network; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Simulate another version of the rules as well, and say what differs by more than chance
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
    /// The simulation.
    #[command(flatten)]
    pub(crate) command: command::SimulateArgs,
}

/// Arguments of `render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// The position.
    #[command(flatten)]
    pub(crate) start: command::StartArgs,
    /// Play the moves of a game that the page of `serve` saved
    #[arg(long, value_name = "FILE", conflicts_with_all = ["state", "board", "after"])]
    pub(crate) record: Option<PathBuf>,
    /// SVG file to write; `-` is the standard output
    #[arg(long, value_name = "OUT", required_unless_present = "png")]
    pub(crate) svg: Option<PathBuf>,
    /// PNG file to write; `-` is the standard output
    #[arg(long, value_name = "OUT")]
    pub(crate) png: Option<PathBuf>,
    /// Pixels of the PNG from left to right [default: two for each of the SVG]
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = clap::value_parser!(u32).range(16..=8192))]
    pub(crate) width: Option<u32>,
    /// Make the PNG an animation of the positions before and behind each of the moves, each shown for so many
    /// milliseconds [default: 800]
    #[arg(long, value_name = "MILLISECONDS", num_args = 0..=1, default_missing_value = "800", requires = "png",
        conflicts_with_all = ["strip", "svg"], value_parser = clap::value_parser!(u16).range(20..))]
    pub(crate) animate: Option<u16>,
    /// Draw the positions before and behind each of the moves, so many in a row
    #[arg(long, value_name = "COLUMNS", num_args = 0..=1, default_missing_value = "4",
        value_parser = clap::value_parser!(u8).range(1..=40))]
    pub(crate) strip: Option<u8>,
}

/// Arguments of `gallery`.
#[derive(Args, Debug)]
pub(crate) struct GalleryArgs {
    /// Folder with rule files; those in folders inside it are shown too
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// Folder that the pages are written to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Title of the page
    #[arg(long, value_name = "TEXT", default_value = "Games")]
    pub(crate) title: String,
    /// Who plays the games that are replayed: random, uct:GAMES or another bot [default: random]
    #[arg(long, value_name = "BOT")]
    pub(crate) bot: Option<rulec_search::Bot>,
    /// Most moves and draws of each
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) moves: usize,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Arguments of `look`.
#[derive(Args, Debug)]
pub(crate) struct LookArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// The position that is known.
    #[command(flatten)]
    pub(crate) start: command::StartArgs,
    /// A picture (PNG) of the known position, to learn colours from
    #[arg(long, value_name = "PNG", requires = "picture")]
    pub(crate) known: Option<PathBuf>,
    /// A picture (PNG) of what came of it
    #[arg(long, value_name = "PNG", requires_all = ["known", "corners"])]
    pub(crate) picture: Option<PathBuf>,
    /// The corners of the table in the pictures: four pairs X,Y
    #[arg(long, value_name = "POINTS")]
    pub(crate) corners: Option<String>,
    /// A picture (PNG) to read in the way of the original system, by the ranges and pixels of the rules
    #[arg(long, value_name = "PNG", conflicts_with = "picture")]
    pub(crate) original: Option<PathBuf>,
    /// Write what the simulated camera sees
    #[arg(long, value_name = "PNG")]
    pub(crate) show: Option<PathBuf>,
    /// How many simulated frames are read, for each level
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) trial: u64,
    /// Level of trouble: 0 is a perfect camera, 1 a cheap one in bad light
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = level)]
    pub(crate) level: f64,
    /// Draw how often a person is asked at levels up to 3.5
    #[arg(long, value_name = "SVG")]
    pub(crate) curve: Option<PathBuf>,
    /// Seed of tables and games
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if (0.0..=10.0).contains(&level) => Ok(level),
        _ => Err("a number from 0 to 10 is wanted".to_owned()),
    }
}

/// Arguments of `difftest`.
#[derive(Args, Debug)]
pub(crate) struct DifftestArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// More rule files: all become one program, which is compiled quickly instead of optimised
    #[arg(value_name = "FILE", conflicts_with = "against")]
    pub(crate) more: Vec<PathBuf>,
    /// What is compared with the reference interpreter: the compiled program, or what runs the rules here without a compiler
    #[arg(long, value_enum, default_value_t = Compared::Native)]
    pub(crate) engine: Compared,
    /// With several files: optimise them as programs are
    #[arg(long, requires = "more")]
    pub(crate) optimised: bool,
    /// Another rule file: prove that it is the same game, instead of comparing engines
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// With --against: a file of moves that mean the same, a line `MOVE = MOVE` each [default: found by search]
    #[arg(long, value_name = "FILE", requires = "against")]
    pub(crate) map: Option<PathBuf>,
    /// With --against: positions of each game at most
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = count)]
    pub(crate) states: u64,
    /// Positions to compare at least
    #[arg(long, value_name = "N", default_value = "10000", value_parser = count)]
    pub(crate) positions: u64,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Plies of a random game at most
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) plies: u32,
    /// Compare the successors of a position too in one of so many
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) deep: u32,
    /// Threads [default: one a processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The passes.
    #[command(flatten)]
    pub(crate) passes: PassArgs,
    /// The tools.
    #[command(flatten)]
    pub(crate) tools: ToolArgs,
}

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// The move as `moves` writes it or by files and ranks (`e2 e5`), or names of things on the board with blanks between
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    pub(crate) wish: String,
    /// The position.
    #[command(flatten)]
    pub(crate) start: command::StartArgs,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `explain-code`.
#[derive(Args, Debug)]
pub(crate) struct ExplainCodeArgs {
    /// The code; without it all codes are listed
    pub(crate) code: Option<String>,
}

/// A count, also as `1e6`.
fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    let scientific = plain.split_once(['e', 'E']).and_then(|(digits, power)| {
        let power = 10u64.checked_pow(power.parse().ok()?)?;
        digits.parse::<u64>().ok()?.checked_mul(power)
    });
    scientific.ok_or_else(|| format!("`{text}` is no count, such as 1000 or 1e6"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn counts_may_be_scientific() {
        assert_eq!(
            ["12", "1e6", "3E2", "10_000"].map(count),
            [Ok(12), Ok(1_000_000), Ok(300), Ok(10_000)]
        );
        for text in ["", "e", "-1", "1e99", "many", "1.5"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
