//! Who plays with the robot, and helps where it cannot go on.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use rulec_vision::Standing;

/// A move that could be made, and what the board looks like after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Text of the move.
    pub text: String,
    /// Its code.
    pub code: u64,
    /// What stands where after it.
    pub after: Standing,
}

/// What the robot says.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The arm answered.
    Ready(String),
    /// The start position was read and is right.
    SelfTest,
    /// Somebody is on turn.
    YourTurn {
        /// Name of the player.
        player: String,
        /// What can be done.
        choices: Vec<Choice>,
    },
    /// A draw fell.
    Draw(String),
    /// The robot will do this; the lines are the plan.
    Plan {
        /// Name of the player.
        player: String,
        /// Text of the move.
        text: String,
        /// The actions, in order.
        lines: Vec<String>,
    },
    /// A hand has been in view for long.
    HandInView,
    /// Nothing has changed for long.
    Waiting,
    /// The board is none of the positions that the rules allow.
    Illegal {
        /// What is wrong, and what nobody may do.
        why: Vec<String>,
        /// How to put it right.
        restore: Vec<String>,
        /// What should stand where.
        wanted: Standing,
    },
    /// Two moves were made, where only one is due.
    TwoMoves {
        /// The first one, which stays.
        first: String,
        /// The second one, to be taken back.
        second: String,
        /// What should stand where.
        wanted: Standing,
    },
    /// Pieces do not stand in the middle of their places, or stand beside them.
    Straighten {
        /// The places.
        places: Vec<String>,
        /// Number of pieces beside all places.
        strays: u32,
    },
    /// The board is not as planned after the arm moved, or before; a person must put it right.
    Restore {
        /// What to do.
        lines: Vec<String>,
        /// What should stand where.
        wanted: Standing,
    },
    /// The arm did not get hold of the piece and tries again.
    Again(String),
    /// Something that only a person can do is due.
    PleaseDo {
        /// What.
        line: String,
        /// What should stand where after it.
        wanted: Standing,
    },
    /// The arm is in trouble, and held.
    ArmFault(String),
    /// The emergency stop is set, and the arm held.
    EStop,
    /// The camera gives no picture.
    EyeFault(String),
    /// A move was made and seen.
    Committed {
        /// Name of the player.
        player: String,
        /// Text of the move.
        text: String,
        /// What stands where now.
        standing: Standing,
    },
    /// The game is over.
    Over(String),
    /// The game ends before its end.
    Stopped(String),
}

impl Message {
    /// The message for people.
    pub fn text(&self) -> String {
        let list = |lines: &[String]| {
            lines
                .iter()
                .map(|line| format!("\n  {line}"))
                .collect::<String>()
        };
        match self {
            Message::Ready(firmware) => format!("the arm answers: {firmware}"),
            Message::SelfTest => "the board is as the game begins".to_owned(),
            Message::YourTurn { player, choices } => {
                format!("{player}, it is your turn ({} moves)", choices.len())
            }
            Message::Draw(text) => format!("drawn: {text}"),
            Message::Plan {
                player,
                text,
                lines,
            } => format!("{player} plays {text}{}", list(lines)),
            Message::HandInView => "a hand is in view: I wait until the board is free".to_owned(),
            Message::Waiting => "I still wait for a move".to_owned(),
            Message::Illegal { why, restore, .. } => {
                format!(
                    "that is against the rules{}\nplease{}",
                    list(why),
                    list(restore)
                )
            }
            Message::TwoMoves { first, second, .. } => {
                format!("two moves were made: {first}, then {second}; please take back the second")
            }
            Message::Straighten { places, strays } => {
                let stray = match strays {
                    0 => String::new(),
                    1 => "; a piece lies beside the board".to_owned(),
                    n => format!("; {n} pieces lie beside the board"),
                };
                format!(
                    "please straighten what stands on {}{stray}",
                    places.join(", ")
                )
            }
            Message::Restore { lines, .. } => format!("please put the board right{}", list(lines)),
            Message::Again(piece) => format!("{piece} was not taken: I try once more"),
            Message::PleaseDo { line, .. } => line.clone(),
            Message::ArmFault(fault) => format!("the arm is held: {fault}"),
            Message::EStop => "emergency stop: the arm is held".to_owned(),
            Message::EyeFault(fault) => fault.clone(),
            Message::Committed { player, text, .. } => format!("{player} has played {text}"),
            Message::Over(outcome) => format!("the game is over: {outcome}"),
            Message::Stopped(why) => format!("stopped: {why}"),
        }
    }

    /// A word for the kind of message, for logs and tests.
    pub fn kind(&self) -> &'static str {
        match self {
            Message::Ready(_) => "ready",
            Message::SelfTest => "self-test",
            Message::YourTurn { .. } => "your-turn",
            Message::Draw(_) => "draw",
            Message::Plan { .. } => "plan",
            Message::HandInView => "hand",
            Message::Waiting => "waiting",
            Message::Illegal { .. } => "illegal",
            Message::TwoMoves { .. } => "two-moves",
            Message::Straighten { .. } => "straighten",
            Message::Restore { .. } => "restore",
            Message::Again(_) => "again",
            Message::PleaseDo { .. } => "please-do",
            Message::ArmFault(_) => "arm-fault",
            Message::EStop => "e-stop",
            Message::EyeFault(_) => "eye-fault",
            Message::Committed { .. } => "committed",
            Message::Over(_) => "over",
            Message::Stopped(_) => "stopped",
        }
    }
}

/// What the robot asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether to do what was planned.
    Confirm,
    /// Which of these moves was made.
    Which {
        /// The likeliest moves; an answer is a number from 0.
        moves: Vec<Choice>,
        /// The places that do not fit the first.
        places: Vec<String>,
    },
    /// Whether the arm may go home from where it is, after a fault.
    Rehome,
    /// Whether the emergency stop may be cleared.
    ClearStop,
    /// Whether to look once more at a start position that is not right.
    LookAgain,
}

impl Question {
    /// The question for people.
    pub fn text(&self) -> String {
        match self {
            Question::Confirm => "shall I? [yes/no]".to_owned(),
            Question::Which { moves, places } => {
                let options = moves.iter().enumerate();
                let options: String =
                    options.map(|(n, m)| format!("\n  {}: {}", n + 1, m.text)).collect();
                let unclear = match places.is_empty() {
                    true => String::new(),
                    false => format!(" ({} cannot be made out)", places.join(", ")),
                };
                format!("which move was it{unclear}? [number, or no for none of these]{options}")
            }
            Question::Rehome => {
                "free the gripper, move the arm clear of the board by hand; may it go home now? [yes/no]"
                    .to_owned()
            }
            Question::ClearStop => "clear the emergency stop and go home? [yes/no]".to_owned(),
            Question::LookAgain => "shall I look again? [yes/no]".to_owned(),
        }
    }
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes.
    Yes,
    /// No, or none of these.
    No,
    /// This one, from 0.
    Number(usize),
}

/// Who hears what the robot says and answers what it asks.
pub trait Person {
    /// Hears something.
    fn tell(&mut self, message: &Message);

    /// Answers something.
    fn ask(&mut self, question: &Question) -> Answer;

    /// Whether the person wants to stop the game.
    fn quits(&mut self) -> bool {
        false
    }
}

/// A person at a terminal. The line `stop` is the emergency stop at any time, `quit` ends the game.
pub struct Terminal {
    lines: Receiver<String>,
    quit: Arc<AtomicBool>,
}

impl Terminal {
    /// Reads lines in a thread of its own, so that `stop` is heard while the robot works; `stop` sets `key`.
    pub fn new(key: Arc<AtomicBool>) -> Terminal {
        let (send, lines) = channel();
        let quit = Arc::new(AtomicBool::new(false));
        let quits = Arc::clone(&quit);
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                match line.trim() {
                    "stop" | "s" => key.store(true, Ordering::SeqCst),
                    "quit" | "q" => quits.store(true, Ordering::SeqCst),
                    _ => {}
                }
                if send.send(line.trim().to_owned()).is_err() {
                    return;
                }
            }
            // Nobody will answer any more.
            quits.store(true, Ordering::SeqCst);
        });
        Terminal { lines, quit }
    }

    /// A terminal that is only written to: every question is answered with no.
    pub fn silent() -> Terminal {
        let (_, lines) = channel();
        Terminal {
            lines,
            quit: Arc::default(),
        }
    }

    /// The next line; nothing when there are no more.
    pub fn line(&mut self) -> Option<String> {
        self.lines.recv().ok()
    }
}

fn print(text: &str) {
    // Without a reader there is nobody to tell.
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

impl Person for Terminal {
    fn tell(&mut self, message: &Message) {
        print(&message.text());
    }

    fn ask(&mut self, question: &Question) -> Answer {
        // What was said before the question is no answer to it.
        while self.lines.try_recv().is_ok() {}
        loop {
            print(&question.text());
            let Some(line) = self.line() else {
                return Answer::No;
            };
            match (line.as_str(), line.parse::<usize>()) {
                ("y" | "yes", _) => return Answer::Yes,
                ("n" | "no" | "quit" | "q" | "stop" | "s", _) => return Answer::No,
                (_, Ok(number)) if number > 0 => return Answer::Number(number - 1),
                _ => {}
            }
        }
    }

    fn quits(&mut self) -> bool {
        self.quit.load(Ordering::SeqCst)
    }
}
