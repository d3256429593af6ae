//! Chess by our rules as a chess program: positions in Forsyth-Edwards notation, moves, bounds of searches, and what managers ask meanwhile.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// A chess program at the other end of two pipes.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn open(file: &str, bot: &str) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["uci", file, "--bot", bot])
            .current_dir(games())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Engine {
            process,
            input,
            output,
        }
    }

    /// One that speaks UCI.
    fn start(file: &str, bot: &str) -> Engine {
        let mut engine = Engine::open(file, bot);
        engine.say("uci");
        let hello = engine.until("uciok");
        assert!(
            hello
                .iter()
                .any(|line| line.starts_with("option name Hash type spin"))
        );
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// The lines up to one that begins with a word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let bytes = self.output.read_line(&mut line).expect("it speaks");
            assert!(bytes > 0, "it ended after {lines:?}");
            lines.push(line.trim().to_owned());
            if line.starts_with(word) {
                return lines;
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        let lines = self.until("response ");
        let last = lines.last().map_or("", |line| line.as_str());
        last.trim_start_matches("response ").to_owned()
    }

    fn fen(&mut self, position: &str) -> String {
        self.say(&format!("position {position}"));
        self.ask("query fen")
    }

    fn moves(&mut self, position: &str) -> Vec<String> {
        self.say(&format!("position {position}"));
        let mut moves: Vec<String> = self
            .ask("query moves")
            .split(' ')
            .map(str::to_owned)
            .collect();
        moves.sort();
        moves
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.process.wait().expect("it ends").success());
    }
}

#[test]
fn chess_positions_are_read_and_written_in_forsyth_edwards_notation() {
    let mut engine = Engine::start("bgc/chess.json", "random");
    assert_eq!(engine.fen("startpos"), START);
    for fen in [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ] {
        assert_eq!(engine.fen(&format!("fen {fen}")), fen);
    }
    // The same by moves and by a FEN.
    let moves = "startpos moves a2a3 d7d5 a3a4 d5d4 e2e4";
    let fen = engine.fen(moves);
    assert!(fen.contains(" b KQkq e3 "), "{fen}");
    assert_eq!(engine.moves(moves), engine.moves(&format!("fen {fen}")));
    // En passant, castling and promotion as chess programs write them.
    assert!(
        engine
            .moves(&format!("fen {fen}"))
            .contains(&"d4e3".to_owned())
    );
    let castling = engine.moves("fen r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert!(
        ["e1g1", "e1c1"]
            .iter()
            .all(|mv| castling.contains(&(*mv).to_owned()))
    );
    let promotion = engine.moves("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for mv in ["a7a8q", "a7a8r", "a7a8b", "a7a8n"] {
        assert!(promotion.contains(&mv.to_owned()), "{promotion:?}");
    }
    for wrong in [
        "8/8/8 w - - 0 1",
        "9/8/8/8/8/8/8/8 w - - 0 1",
        "xxxxxxxx/8/8/8/8/8/8/8 w",
        "8/8/8/8/8/8/8/8 x",
    ] {
        engine.say(&format!("position fen {wrong}"));
        assert_eq!(engine.until("info string error").len(), 1);
    }
    engine.quit();
}

#[test]
fn managers_are_answered_while_a_search_goes_on_and_bounds_are_kept() {
    let mut engine = Engine::start("bgc/chess.json", "alphabeta:eval=zero");
    engine.say("position startpos moves e2e4 e7e5");
    engine.say("go infinite");
    engine.say("isready");
    let before = engine.until("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")));
    engine.say("stop");
    engine.until("bestmove ");
    engine.say("go depth 2");
    let lines = engine.until("bestmove ");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 2 ")),
        "{lines:?}"
    );
    assert!(
        !lines.iter().any(|line| line.starts_with("info depth 3 ")),
        "{lines:?}"
    );
    // Mate in one.
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    engine.say("go nodes 20000");
    let lines = engine.until("bestmove ");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove d1d8"));
    assert!(
        lines.iter().any(|line| line.contains("score mate 1 ")),
        "{lines:?}"
    );
    engine.say("setoption name Hash value 16");
    engine.say("setoption name move overhead value 5");
    engine.say("setoption name nothing value 5");
    let refused = engine.until("info string error");
    assert_eq!(refused.len(), 1, "{refused:?}");
    engine.quit();
}

/// The last of some lines.
fn last(lines: &[String]) -> &str {
    lines.last().map_or("", |line| line.as_str())
}

#[test]
fn xboard_is_answered_and_played_against() {
    let mut engine = Engine::open("bgc/chess.json", "alphabeta:eval=zero");
    engine.say("xboard");
    engine.say("protover 2");
    let features = engine.until("feature done=1").join("\n");
    for feature in [
        "setboard=1",
        "usermove=1",
        "ping=1",
        "variants=\"normal\"",
        "analyze=1",
    ] {
        assert!(features.contains(feature), "{features}");
    }
    // The program plays the second player, as deep as it is told, and says what it thinks.
    for line in ["new", "sd 2", "post", "usermove e2e5"] {
        engine.say(line);
    }
    assert_eq!(engine.until("Illegal move").len(), 1);
    engine.say("usermove e2e4");
    engine.say("ping 1");
    let lines = engine.until("pong 1");
    let moves = lines
        .iter()
        .filter(|line| line.starts_with("move "))
        .count();
    let thought = lines.iter().filter(|line| line.starts_with("2 ")).count();
    assert!(moves == 1 && thought >= 1, "{lines:?}");
    // Positions are set, and a won game is told.
    for line in [
        "force",
        "setboard 7k/5K2/6Q1/8/8/8/8/8 w - - 0 1",
        "sd 3",
        "nopost",
        "go",
    ] {
        engine.say(line);
    }
    assert_eq!(engine.until("move ").len(), 1);
    assert!(last(&engine.until("1-0 ")).contains('{'));
    // Moves are taken back, and the other side is played.
    for line in [
        "new",
        "force",
        "usermove e2e4",
        "usermove e7e5",
        "remove",
        "usermove d2d4",
        "undo",
        "ping 2",
    ] {
        engine.say(line);
    }
    assert_eq!(engine.until("pong 2").len(), 1);
    for line in [
        "usermove g1f3",
        "sd 1",
        "playother",
        "usermove d7d5",
        "ping 3",
    ] {
        engine.say(line);
    }
    let lines = engine.until("pong 3");
    assert!(
        lines.len() == 2 && lines[0].starts_with("move "),
        "{lines:?}"
    );
    // Clocks are kept, and who is asked to move at once does.
    for line in [
        "new",
        "level 40 5 0",
        "time 6000",
        "otim 6000",
        "usermove e2e4",
    ] {
        engine.say(line);
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    engine.say("?");
    engine.until("move ");
    // Analysis goes on until something is asked.
    for line in ["force", "analyze"] {
        engine.say(line);
    }
    engine.until("2 ");
    engine.say("usermove d2d4");
    engine.until("2 ");
    engine.say("exit");
    engine.say("nonsense");
    assert!(last(&engine.until("Error")).contains("unknown command"));
    // Who stops a search is heard before another one begins, and numbers of any size are taken.
    for line in [
        "new",
        "st 60",
        "level 0 999999999999999999 0",
        "st 60",
        "sd 9999999999999999",
        "go",
    ] {
        engine.say(line);
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    engine.say("force");
    engine.say("ping 9");
    let lines = engine.until("pong 9");
    assert!(
        !lines.iter().any(|line| line.starts_with("move ")),
        "{lines:?}"
    );
    engine.quit();
}
