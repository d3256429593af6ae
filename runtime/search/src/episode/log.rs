//! Result files of the captive server, in the columns of the original.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::session::{Code, Finish, Piece, Session};

/// The form of a result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line an episode that says everything.
    Long,
    /// A line a run, and three numbers an episode.
    Compact,
}

/// A result file: a line for each episode.
pub struct ResultLog {
    file: BufWriter<File>,
    form: Form,
    nickname: String,
    rule: String,
    run: i64,
    episode: u64,
}

impl ResultLog {
    /// Opens a result file; a new one gets its header.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(
        path: &Path,
        append: bool,
        form: Form,
        nickname: &str,
        rule: &str,
        run: i64,
    ) -> io::Result<ResultLog> {
        let (mut file, fresh) = open_log(path, append)?;
        match form {
            Form::Long if fresh => file.write_all(
                b"#nickname,rule_name,trial_id,board_id,number_of_pieces,number_of_moves,move_acc,if_clear\n",
            )?,
            Form::Compact if fresh => file.write_all(
                b"#.nickname,rule_name,trial_id\n#number_of_moves,number_of_errors,if_clear\n",
            )?,
            _ => {}
        }
        if form == Form::Compact {
            writeln!(file, ".{nickname},{rule},{run}")?;
        }
        file.flush()?;
        Ok(ResultLog {
            file,
            form,
            nickname: nickname.to_owned(),
            rule: rule.to_owned(),
            run,
            episode: 0,
        })
    }

    /// Further episodes are of other rules.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn begin_series(&mut self, rule: &str) -> io::Result<()> {
        self.rule = rule.to_owned();
        if self.form == Form::Compact {
            writeln!(self.file, ".{},{rule},{}", self.nickname, self.run)?;
        }
        self.episode = 0;
        self.file.flush()
    }

    /// Writes what came of an episode.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn episode(&mut self, session: &Session<'_>) -> io::Result<()> {
        let cleared = u8::from(session.finish() == Finish::Cleared);
        let (attempts, moves) = (session.attempts, session.moves);
        match self.form {
            Form::Long => {
                let share = match attempts {
                    0 => 0.0,
                    attempts => moves as f64 / attempts as f64,
                };
                let (pieces, episode) = (session.pieces().len(), self.episode);
                writeln!(
                    self.file,
                    "{},{},{},{episode},{pieces},{attempts},{share:?},{cleared}",
                    self.nickname, self.rule, self.run
                )?;
            }
            Form::Compact => {
                let errors = attempts - moves.min(attempts);
                writeln!(self.file, "{attempts},{errors},{cleared}")?;
            }
        }
        self.episode += 1;
        self.file.flush()
    }
}

/// The form of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptForm {
    /// All that is known of an attempt.
    Detailed,
    /// Who tried what, and what came of it.
    Short,
}

impl TranscriptForm {
    const fn header(self) -> &'static str {
        match self {
            TranscriptForm::Detailed => {
                "#playerId,trialListId,seriesNo,ruleId,episodeNo,episodeId,moveNo,timestamp,mover,reactionTime,objectType,\
                 objectId,y,x,bucketId,by,bx,code,objectCnt\n"
            }
            TranscriptForm::Short => {
                "#pid,episodeId,moveNo,timestamp,mover,objectId,y,x,by,bx,code\n"
            }
        }
    }
}

/// An attempt for a transcript.
#[derive(Clone, Copy, Debug)]
pub struct Tried<'a> {
    /// The piece.
    pub piece: &'a Piece,
    /// Where to; nothing where it was only asked whether it can go.
    pub bucket: Option<usize>,
    /// What came of it.
    pub code: Code,
    /// Who tried, from 0.
    pub mover: usize,
}

/// A transcript: a line for each attempt that counts.
pub struct Transcript {
    file: BufWriter<File>,
    form: TranscriptForm,
    nickname: String,
    list: String,
    series: usize,
    rule: String,
    episode: String,
    number: u64,
    last: Instant,
}

impl Transcript {
    /// Opens a transcript.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(
        path: &Path,
        append: bool,
        form: TranscriptForm,
        nickname: &str,
        rule: &str,
    ) -> io::Result<Transcript> {
        let (mut file, fresh) = open_log(path, append)?;
        if fresh {
            file.write_all(form.header().as_bytes())?;
            file.flush()?;
        }
        let mut transcript = Transcript {
            file,
            form,
            nickname: nickname.to_owned(),
            list: String::new(),
            series: 0,
            rule: rule.to_owned(),
            episode: String::new(),
            number: 0,
            last: Instant::now(),
        };
        transcript.begin();
        transcript.number = 0;
        Ok(transcript)
    }

    /// A new series begins: the name of its trial list, its number and its rules. The next episode is its first.
    pub fn begin_series(&mut self, list: &str, series: usize, rule: &str) {
        self.list = list.to_owned();
        self.series = series;
        self.rule = rule.to_owned();
        self.begin();
        self.number = 0;
    }

    /// A new episode begins.
    pub fn begin(&mut self) {
        let now = since_epoch();
        let mut mix = now.as_nanos() as u64;
        let mut letters = String::new();
        for _ in 0..6 {
            mix = mix
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let digit = (mix >> 33) as u32 % 36;
            letters.extend(char::from_digit(digit, 36).map(|c| c.to_ascii_uppercase()));
        }
        self.episode = format!("{}-{letters}", stamp(now, false));
        self.number += 1;
        self.last = Instant::now();
    }

    /// Writes an attempt; those that do not count are left out.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn attempt(&mut self, session: &Session<'_>, tried: &Tried<'_>) -> io::Result<()> {
        if !tried.code.counts() {
            return Ok(());
        }
        let info = session.info();
        let piece = tried.piece;
        let kind = &info.kinds[usize::from(piece.kind)];
        let waited = self.last.elapsed().as_millis() as f64 / 1000.0;
        self.last = Instant::now();
        let place = usize::from(piece.place);
        let (x, y) = (place % info.columns + 1, place / info.columns + 1);
        let bucket = tried.bucket.map(|bucket| (bucket, bucket_place(bucket)));
        let (number, code, mover) = (session.attempts - 1, tried.code.number(), tried.mover);
        let time = stamp(since_epoch(), true);
        let (name, episode) = (&self.nickname, &self.episode);
        match self.form {
            TranscriptForm::Detailed => {
                let to = bucket.map_or(",,".to_owned(), |(n, (bx, by))| format!("{n},{by},{bx}"));
                let left = session.pieces().iter().filter(|piece| piece.here).count();
                writeln!(
                    self.file,
                    "{name},{},{},{},{},{episode},{number},{time},{mover},{waited:?},{},{},{y},{x},{to},{code},{left}",
                    self.list, self.series, self.rule, self.number, kind.name, piece.id,
                )?;
            }
            TranscriptForm::Short => {
                let to = bucket.map_or(",".to_owned(), |(_, (bx, by))| format!("{by},{bx}"));
                writeln!(
                    self.file,
                    "{name},{episode},{number},{time},{mover},{},{y},{x},{to},{code}",
                    piece.id,
                )?;
            }
        }
        self.file.flush()
    }
}

/// Where a bucket is: column and row, outside of the corners.
pub(super) const fn bucket_place(bucket: usize) -> (u8, u8) {
    match bucket {
        0 => (0, 7),
        1 => (7, 7),
        2 => (7, 0),
        _ => (0, 0),
    }
}

/// A file to write lines to, and whether it is new.
fn open_log(path: &Path, append: bool) -> io::Result<(BufWriter<File>, bool)> {
    let fresh = !append || !path.exists();
    let mut options = OpenOptions::new();
    options.create(true).append(append).write(true);
    if !append {
        options.truncate(true);
    }
    Ok((BufWriter::new(options.open(path)?), fresh))
}

fn since_epoch() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

/// `20261121-004101`, or with thousandths of a second.
fn stamp(now: Duration, thousandths: bool) -> String {
    let seconds = now.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days are counted from the first of March of the year 0, so that leap days come last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let date = format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}");
    match thousandths {
        true => format!("{date}.{:03}", now.subsec_millis()),
        false => date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_dates() {
        assert_eq!(
            stamp(Duration::from_millis(951_782_400_123), true),
            "20000229-000000.123"
        );
        assert_eq!(
            stamp(Duration::from_secs(1_795_222_861), false),
            "20261121-010101"
        );
    }
}
