//! Records and samples as files: one file of each, or a folder of shards that can be completed later.

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufReader},
    ops::Range,
    path::{Path, PathBuf},
};

use rulec_core::GameInfo;
use serde_json::Value;

use super::{
    Finished, Images, Keep, Sink,
    record::{self, Records},
    run,
    samples::{self, Samples},
};
use crate::{
    AnyState, Progress,
    files::{NewFile, remove_drafts},
    selfplay::{SelfplayJob, SelfplayReport},
};

/// A folder of shards.
#[derive(Clone, Debug)]
pub struct Shards {
    /// The folder; it is made if it is not there.
    pub folder: PathBuf,
    /// Number of games.
    pub games: u64,
    /// Games of a shard, at least 1.
    pub size: u64,
    /// Whether training samples are written too.
    pub samples: bool,
    /// Whether each sample is followed by its images under the symmetries of the rules.
    pub augment: bool,
    /// Whether shards that are there already are kept, and the others made.
    pub resume: bool,
}

/// Where games are written to.
#[derive(Clone, Debug)]
pub enum Place {
    /// Games of some numbers, in one file.
    File {
        /// File of the records.
        records: PathBuf,
        /// File of the samples.
        samples: Option<PathBuf>,
        /// Whether each sample is followed by its images under the symmetries of the rules.
        augment: bool,
        /// The numbers.
        games: Range<u64>,
    },
    /// Games from number 0 on, in shards.
    Folder(Shards),
}

impl Place {
    /// Number of games.
    pub fn games(&self) -> u64 {
        match self {
            Place::File { games, .. } => games.end.saturating_sub(games.start),
            Place::Folder(shards) => shards.games,
        }
    }

    fn keeps_samples(&self) -> bool {
        match self {
            Place::File { samples, .. } => samples.is_some(),
            Place::Folder(shards) => shards.samples,
        }
    }

    /// The symmetries under which samples get images; none where they get none.
    ///
    /// # Errors
    /// When they should, and the game has no symmetries for that.
    pub(super) fn images(&self, info: &GameInfo) -> io::Result<Option<Images>> {
        let augment = match self {
            Place::File { augment, .. } => *augment,
            Place::Folder(shards) => shards.augment,
        };
        match augment && self.keeps_samples() {
            true => Images::some_of(info).map(Some),
            false => Ok(None),
        }
    }

    /// The files that games are written to, with their numbers, from the first on.
    pub(super) fn outputs(&self) -> Vec<Output> {
        match self {
            Place::File {
                records,
                samples,
                games,
                ..
            } => vec![Output {
                records: records.clone(),
                samples: samples.clone(),
                games: games.clone(),
            }],
            Place::Folder(shards) => {
                let size = shards.size.max(1);
                let count = shards.games.div_ceil(size);
                let shard = |number: u64| {
                    let file = |kind: &str, end: &str| {
                        shards.folder.join(format!("{kind}-{number:06}.{end}"))
                    };
                    Output {
                        records: file("games", "jsonl"),
                        samples: shards.samples.then(|| file("samples", "rls")),
                        games: number * size..((number + 1) * size).min(shards.games),
                    }
                };
                (0..count).map(shard).collect()
            }
        }
    }
}

/// The files of some games.
pub(super) struct Output {
    records: PathBuf,
    samples: Option<PathBuf>,
    games: Range<u64>,
}

/// An error with the file that it is about.
fn about(what: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot {what} {}: {error}", path.display()),
    )
}

/// Whether a file of records is there and complete, and was made by these settings.
///
/// # Errors
/// When it was made by other settings or holds other games.
pub fn is_complete(
    path: &Path,
    info: &GameInfo,
    settings: &Value,
    games: &Range<u64>,
) -> io::Result<bool> {
    finished(path, info, settings, games, &mut |_| {}).map(|end| end.is_some())
}

/// Reads a finished file of records; nothing if there is none or it is broken.
fn finished(
    path: &Path,
    info: &GameInfo,
    settings: &Value,
    games: &Range<u64>,
    tell: &mut dyn FnMut(record::Told),
) -> io::Result<Option<Value>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(about("read", path, &e)),
    };
    let end = match record::read(BufReader::with_capacity(1 << 16, file), info, tell) {
        Ok(end) => end,
        Err(e) if e.kind() == io::ErrorKind::InvalidData => return Ok(None),
        Err(e) => return Err(about("read", path, &e)),
    };
    let same = end["rules_sha256"] == info.rules_sha256
        && end["settings"] == *settings
        && end["from"] == games.start
        && end["to"] == games.end;
    match same {
        true => Ok(Some(end)),
        false => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!(
                "{} holds other games (games {} to {} of {}, {}); choose another folder, or the same options",
                path.display(),
                end["from"],
                end["to"],
                end["game"],
                end["settings"],
            ),
        )),
    }
}

/// Plays games and writes them to files, each of which appears under its name only when it is complete.
///
/// `settings` says in the files how the games are played; a folder is completed only with equal ones. Gives the statistics of all
/// games, those that were there already among them, and the number of these.
///
/// # Errors
/// When a file cannot be written, with its name; files that are finished stay.
pub fn play_to_files<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob<'g>,
    place: &Place,
    settings: &Value,
    threads: usize,
    progress: Progress<'_>,
) -> io::Result<(SelfplayReport, u64)> {
    let info = start.info();
    let images = place.images(info)?;
    let mut outputs = place.outputs();
    let mut report = SelfplayReport::new(info.players.len(), job.bots.len());
    let _lock = match place {
        Place::Folder(shards) => {
            let lock = prepare(shards)?;
            drop_finished(&mut outputs, shards, info, job, settings, &mut report)?;
            Some(lock)
        }
        Place::File { .. } => None,
    };
    let before = report.tally.games();
    let all = place.outputs().len();
    let keep = Keep {
        moves: true,
        samples: place.keeps_samples(),
        traits: false,
    };
    let ranges: Vec<Range<u64>> = outputs.iter().map(|output| output.games.clone()).collect();
    let mut writer = Writer::new(info, settings, outputs, images);
    // A range without games is a complete file without games.
    let played = writer.skip_empty().and_then(|()| {
        run(
            start,
            job,
            &ranges,
            threads,
            keep,
            Some(&mut writer),
            report,
            progress,
        )
    });
    let done = all - ranges.len() + writer.finished;
    match (played, place) {
        (Ok(report), _) => Ok((report, before)),
        (Err(e), Place::Folder(_)) => Err(io::Error::new(
            e.kind(),
            format!("{e}; {done} of {all} shards are complete, `--resume` makes the others"),
        )),
        (Err(e), _) => Err(e),
    }
}

/// Makes the folder, and keeps other processes out of it.
pub(super) fn prepare(shards: &Shards) -> io::Result<File> {
    let folder = &shards.folder;
    fs::create_dir_all(folder).map_err(|e| about("make the folder", folder, &e))?;
    let path = folder.join(".lock");
    let lock = File::create(&path).map_err(|e| about("write", &path, &e))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                format!("another process is writing to {}", folder.display()),
            ));
        }
        // A file system without locks: two writers make the same bytes anyhow.
        Err(TryLockError::Error(_)) => {}
    }
    let list = |e: io::Error| about("read", folder, &e);
    let prefixes = ["games-", "samples-"];
    remove_drafts(folder, &prefixes).map_err(list)?;
    if !shards.resume {
        for entry in fs::read_dir(folder).map_err(list)? {
            let name = entry.map_err(list)?.file_name();
            let name = name.to_string_lossy();
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    format!(
                        "{} has shards already; complete them with --resume, or choose another folder",
                        folder.display()
                    ),
                ));
            }
        }
    }
    Ok(lock)
}

/// Takes out the shards that are complete and counts their games.
fn drop_finished(
    outputs: &mut Vec<Output>,
    shards: &Shards,
    info: &GameInfo,
    job: &SelfplayJob<'_>,
    settings: &Value,
    report: &mut SelfplayReport,
) -> io::Result<()> {
    if !shards.resume {
        return Ok(());
    }
    let mut missing = Vec::new();
    for output in outputs.drain(..) {
        let mut part = SelfplayReport::new(info.players.len(), job.bots.len());
        let mut tell = |told: record::Told| {
            part.add(job, told.index, &told.playout, Some(told.key));
        };
        let records = finished(&output.records, info, settings, &output.games, &mut tell)?;
        let samples = match &output.samples {
            Some(path) => fs::read(path).is_ok_and(|bytes| samples::is_complete(&bytes)),
            None => true,
        };
        match records.is_some() && samples {
            true => report.merge(&part),
            false => missing.push(output),
        }
    }
    *outputs = missing;
    Ok(())
}

/// Writes finished games to the files that they belong to.
pub(super) struct Writer<'a> {
    info: &'a GameInfo,
    settings: Value,
    outputs: std::vec::IntoIter<Output>,
    open: Option<Open>,
    /// Samples of the file that is open; its room is used again, so that memory stays as it is.
    samples: Samples,
    images: Option<Images>,
    finished: usize,
}

/// Files that are being written.
struct Open {
    output: Output,
    records: Records<NewFile>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        info: &'a GameInfo,
        settings: &Value,
        outputs: Vec<Output>,
        images: Option<Images>,
    ) -> Self {
        Self {
            info,
            settings: settings.clone(),
            outputs: outputs.into_iter(),
            open: None,
            samples: Samples::default(),
            images,
            finished: 0,
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if let Some(output) = self.outputs.next() {
            let path = &output.records;
            let records = NewFile::create(path).map_err(|e| about("write", path, &e))?;
            self.open = Some(Open {
                records: Records::new(records),
                output,
            });
        }
        Ok(())
    }

    /// Writes the file of no games, if that is what is asked for; otherwise finds out early whether files can be written.
    fn skip_empty(&mut self) -> io::Result<()> {
        self.begin()?;
        match &self.open {
            Some(open) if open.output.games.is_empty() => self.end(),
            _ => Ok(()),
        }
    }

    /// Finishes the files that are open. Samples come first: where the records are, everything is.
    fn end(&mut self) -> io::Result<()> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let Open { output, records } = open;
        let range = (output.games.start, output.games.end);
        if let Some(path) = &output.samples {
            NewFile::create(path)
                .and_then(|mut file| {
                    samples::write(&mut file, self.info, &self.settings, range, &self.samples)?;
                    file.finish()
                })
                .map_err(|e| about("write", path, &e))?;
        }
        self.samples.clear();
        records
            .end(self.info, &self.settings, range)
            .and_then(NewFile::finish)
            .map_err(|e| about("write", &output.records, &e))?;
        self.finished += 1;
        Ok(())
    }
}

impl Sink for Writer<'_> {
    fn game(&mut self, game: Finished) -> io::Result<()> {
        if self.open.is_none() {
            self.begin()?;
        }
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let path = &open.output.records;
        open.records
            .push(&game.line)
            .map_err(|e| about("write", path, &e))?;
        match &self.images {
            Some(images) => images.append(&game.samples, &mut self.samples),
            None => self.samples.append(&game.samples),
        }
        match game.index + 1 == open.output.games.end {
            true => self.end(),
            false => Ok(()),
        }
    }
}
