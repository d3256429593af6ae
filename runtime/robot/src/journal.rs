//! What happened, one JSON object a line: what was seen, said, asked and answered, planned, and sent over the wire.
//! A journal can be played back without camera, arm and person.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rulec_arm::Entry;
use serde::{Deserialize, Serialize};

use crate::{Answer, Eye, EyeFault, Message, Person, Question, Sight};

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Record {
    /// The beginning.
    Start {
        /// Version of this format.
        version: u32,
        /// Name of the game.
        game: String,
        /// SHA-256 of its rules.
        rules: String,
        /// Seed of the random numbers.
        seed: u64,
        /// The command line that the settings came from.
        settings: Vec<String>,
    },
    /// What the eye saw, and where the picture is.
    Look {
        /// What it saw; nothing if it gave no picture.
        sight: Option<Sight>,
        /// The error where there was no picture.
        error: Option<String>,
        /// Name of the picture, if it was saved.
        picture: Option<String>,
    },
    /// What the robot said.
    Say {
        /// Kind of message.
        kind: String,
        /// The message.
        text: String,
    },
    /// What it asked, and what was answered: `yes`, `no` or a number from 0.
    Ask {
        /// The question.
        text: String,
        /// The answer.
        answer: String,
    },
    /// What went over the wire since the last line.
    Wire {
        /// The bytes.
        entries: Vec<Entry>,
    },
    /// A move or draw that was made and seen.
    Move {
        /// The move as the game writes it in its position.
        text: String,
    },
    /// The program was started again after the moves so far; what follows is a game that goes on from there.
    Resume,
}

/// The version of journals that is written. Those of version 1, which have no moves, are read too.
pub const VERSION: u32 = 2;

/// A journal that is being written, or nothing.
#[derive(Clone, Default)]
pub struct Journal {
    out: Option<Arc<Mutex<dyn Write + Send>>>,
}

impl Journal {
    /// No journal.
    pub fn none() -> Journal {
        Journal::default()
    }

    /// A journal in a file. Each line is written at once, so that what happened before a crash is there.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> io::Result<Journal> {
        Ok(Journal::to(BufWriter::new(File::create(path)?)))
    }

    /// A journal that goes on in a file, behind its last whole line.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn append(path: &Path) -> io::Result<Journal> {
        let whole = whole_lines(&fs::read(path)?);
        let mut file = File::options().write(true).open(path)?;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let journal = Journal::to(BufWriter::new(file));
        journal.write(&Record::Resume);
        Ok(journal)
    }

    /// A journal that goes elsewhere.
    pub fn to(out: impl Write + Send + 'static) -> Journal {
        Journal {
            out: Some(Arc::new(Mutex::new(out))),
        }
    }

    /// Writes a line. A journal that cannot be written does not stop the game.
    pub fn write(&self, record: &Record) {
        let Some(out) = &self.out else {
            return;
        };
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(line) = serde_json::to_string(record) {
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    }
}

/// Length of the whole lines of a file.
fn whole_lines(bytes: &[u8]) -> usize {
    let last = bytes.iter().rposition(|byte| *byte == b'\n');
    last.map_or(0, |at| at + 1)
}

/// The moves of a journal.
pub fn moves(records: &[Record]) -> Vec<String> {
    let moves = records.iter().filter_map(|record| match record {
        Record::Move { text } => Some(text.clone()),
        _ => None,
    });
    moves.collect()
}

/// Whether a journal tells the end of its game; one that was cut off does not.
pub fn is_finished(records: &[Record]) -> bool {
    let last = records.iter().rev().find_map(|record| match record {
        Record::Say { kind, .. } => Some(kind.as_str()),
        _ => None,
    });
    matches!(last, Some("over" | "stopped"))
}

/// Reads a journal. A last line that was cut off, because the program was killed while it wrote, is none.
///
/// # Errors
/// When the file cannot be read, or a whole line of it.
pub fn read(path: &Path) -> Result<Vec<Record>, String> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let text = std::str::from_utf8(&bytes[..whole_lines(&bytes)])
        .map_err(|error| format!("{name}: {error}"))?;
    let record = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| format!("{name}, line {}: {error}", number + 1))
    };
    let records: Vec<Record> = text
        .lines()
        .enumerate()
        .map(record)
        .collect::<Result<_, _>>()?;
    match records.first() {
        Some(Record::Start { version, .. }) if (1..=VERSION).contains(version) => Ok(records),
        Some(Record::Start { version, .. }) => Err(format!(
            "{name}: version {version}; this program reads {VERSION}"
        )),
        _ => Err(format!("{name}: this is no journal of a robot game")),
    }
}

/// An eye that sees what a journal says.
pub struct ReplayEye {
    looks: std::vec::IntoIter<(Option<Sight>, Option<String>)>,
}

impl ReplayEye {
    /// The eye of a journal.
    pub fn new(records: &[Record]) -> ReplayEye {
        let looks = records.iter().filter_map(|record| match record {
            Record::Look { sight, error, .. } => Some((sight.clone(), error.clone())),
            _ => None,
        });
        ReplayEye {
            looks: looks.collect::<Vec<_>>().into_iter(),
        }
    }
}

impl Eye for ReplayEye {
    fn look(&mut self) -> Result<Sight, EyeFault> {
        match self.looks.next() {
            Some((Some(sight), _)) => Ok(sight),
            Some((None, error)) => Err(EyeFault(error.unwrap_or_default())),
            None => Err(EyeFault("the journal ends here".to_owned())),
        }
    }
}

/// A person who answers what a journal says, and hears whether the robot says the same as then.
pub struct ReplayPerson {
    said: std::vec::IntoIter<String>,
    answers: std::vec::IntoIter<String>,
    /// The first thing that the robot says otherwise than the journal.
    pub difference: Option<String>,
    /// Whether the journal was cut off before the robot was at its end.
    pub cut_off: bool,
    is_finished: bool,
    quits: bool,
}

impl ReplayPerson {
    /// The person of a journal.
    pub fn new(records: &[Record]) -> ReplayPerson {
        let said = records.iter().filter_map(|record| match record {
            Record::Say { text, .. } => Some(text.clone()),
            _ => None,
        });
        let answers = records.iter().filter_map(|record| match record {
            Record::Ask { answer, .. } => Some(answer.clone()),
            _ => None,
        });
        ReplayPerson {
            said: said.collect::<Vec<_>>().into_iter(),
            answers: answers.collect::<Vec<_>>().into_iter(),
            difference: None,
            cut_off: false,
            is_finished: is_finished(records),
            quits: false,
        }
    }

    /// Lines that the journal has and the robot did not say.
    pub fn left(&self) -> usize {
        self.said.len()
    }
}

impl Person for ReplayPerson {
    fn tell(&mut self, message: &Message) {
        let text = message.text();
        let then = self.said.next();
        if then.is_none() && !self.is_finished {
            self.cut_off = true;
            self.quits = true;
            return;
        }
        if then.as_ref() != Some(&text) && self.difference.is_none() {
            let then = then.unwrap_or_else(|| "nothing".to_owned());
            self.difference = Some(format!("said now: {text}\nsaid then: {then}"));
            self.quits = true;
        }
    }

    fn ask(&mut self, _: &Question) -> Answer {
        self.answers
            .next()
            .and_then(|text| parse_answer(&text))
            .unwrap_or(Answer::No)
    }

    fn quits(&mut self) -> bool {
        self.quits
    }
}

/// An answer as journals have it.
pub fn answer_text(answer: Answer) -> String {
    match answer {
        Answer::Yes => "yes".to_owned(),
        Answer::No => "no".to_owned(),
        Answer::Number(number) => number.to_string(),
    }
}

fn parse_answer(text: &str) -> Option<Answer> {
    match text {
        "yes" => Some(Answer::Yes),
        "no" => Some(Answer::No),
        number => number.parse().ok().map(Answer::Number),
    }
}
