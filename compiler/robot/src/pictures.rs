//! Where the pictures of a real board come from: a folder, or programs.

use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rulec_robot::{Camera, EyeFault};
use rulec_vision::Frame;

/// Pictures as the command line says.
pub enum Pictures {
    /// PNG files in the order of their names; the last one stays.
    Folder(Vec<PathBuf>, usize),
    /// A program that is started for each picture.
    Each(Vec<String>),
    /// A program that runs all the time.
    Running(Server),
}

/// How long a program may take for a picture.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a program that is not needed any more may take to end.
const FAREWELL: Duration = Duration::from_secs(2);
/// The greatest number of bytes of a picture.
const MOST_BYTES: usize = 256 << 20;

impl Pictures {
    /// The source of `dir:FOLDER`, `cmd:PROGRAM` or `PROGRAM`.
    ///
    /// # Errors
    /// When the folder has no pictures, or the program cannot be started.
    pub fn open(source: &str) -> Result<Pictures> {
        if let Some(folder) = source.strip_prefix("dir:") {
            let entries =
                std::fs::read_dir(folder).with_context(|| format!("cannot read {folder}"))?;
            let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
            files.retain(|file| file.extension().is_some_and(|end| end == "png"));
            files.sort();
            if files.is_empty() {
                bail!("{folder} has no PNG files");
            }
            return Ok(Pictures::Folder(files, 0));
        }
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        match source.strip_prefix("cmd:") {
            Some(line) => Ok(Pictures::Each(words(line))),
            None => Ok(Pictures::Running(Server::start(words(source))?)),
        }
    }

    fn bytes(&mut self) -> Result<Vec<u8>> {
        match self {
            Pictures::Folder(files, next) => {
                let file = &files[(*next).min(files.len() - 1)];
                *next += 1;
                std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
            }
            Pictures::Each(words) => output(words),
            Pictures::Running(server) => server.picture(),
        }
    }
}

impl Camera for Pictures {
    fn frame(&mut self) -> Result<Frame, EyeFault> {
        let fault = |error: String| EyeFault(error);
        let bytes = self.bytes().map_err(|error| fault(format!("{error:#}")))?;
        Frame::from_png(&bytes).map_err(|error| fault(error.to_string()))
    }
}

/// Starts a program whose output is read.
fn spawn(words: &[String], input: Stdio) -> Result<Child> {
    let Some((program, arguments)) = words.split_first() else {
        bail!("no program is named");
    };
    Command::new(program)
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {program}"))
}

/// What a program writes, if it ends in time.
fn output(words: &[String]) -> Result<Vec<u8>> {
    let mut child = spawn(words, Stdio::null())?;
    let program = &words[0];
    let Some(mut pipe) = child.stdout.take() else {
        bail!("{program} cannot be read");
    };
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).map(|_| bytes)
    });
    if !ends(&mut child, PATIENCE)? {
        bail!(
            "{program} took more than {} seconds for a picture",
            PATIENCE.as_secs()
        );
    }
    match reader.join() {
        Ok(bytes) => Ok(bytes?),
        Err(_) => bail!("{program} cannot be read"),
    }
}

/// Waits for the end of a program, and ends it if that takes too long; whether it ended by itself.
fn ends(child: &mut Child, patience: Duration) -> io::Result<bool> {
    let end = Instant::now() + patience;
    while child.try_wait()?.is_none() {
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(true)
}

/// A program that writes a picture for each line that it gets. If it ends, or takes too long, it is started again for the next
/// picture.
pub struct Server {
    words: Vec<String>,
    running: Option<Running>,
}

struct Running {
    child: Child,
    /// There until the end.
    input: Option<ChildStdin>,
    pictures: Receiver<io::Result<Vec<u8>>>,
}

impl Server {
    fn start(words: Vec<String>) -> Result<Server> {
        let running = Some(Running::start(&words)?);
        Ok(Server { words, running })
    }

    fn picture(&mut self) -> Result<Vec<u8>> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.words)?,
        };
        let picture = running
            .picture()
            .with_context(|| format!("{} gives no picture", self.words[0]))?;
        self.running = Some(running);
        Ok(picture)
    }
}

impl Running {
    fn start(words: &[String]) -> Result<Running> {
        let mut child = spawn(words, Stdio::piped())?;
        let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{} cannot be read", words[0]);
        };
        let (sender, pictures) = channel();
        // Ends with the program, or when nobody listens any more.
        std::thread::spawn(move || {
            loop {
                let picture = read_png(&mut output);
                let over = picture.is_err();
                if sender.send(picture).is_err() || over {
                    return;
                }
            }
        });
        Ok(Running {
            child,
            input: Some(input),
            pictures,
        })
    }

    fn picture(&mut self) -> Result<Vec<u8>> {
        if let Some(input) = &mut self.input {
            input.write_all(b"\n")?;
            input.flush()?;
        }
        match self.pictures.recv_timeout(PATIENCE) {
            Ok(picture) => Ok(picture?),
            Err(RecvTimeoutError::Timeout) => {
                bail!("it took more than {} seconds", PATIENCE.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => bail!("it has ended"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A program that reads lines ends where there are no more; one that does not is ended.
        self.input = None;
        let _ = ends(&mut self.child, FAREWELL);
    }
}

/// The bytes of the next PNG file of a stream.
fn read_png(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let bad = |text| Err(io::Error::new(io::ErrorKind::InvalidData, text));
    let mut bytes = vec![0; 8];
    stream.read_exact(&mut bytes)?;
    if bytes != *b"\x89PNG\r\n\x1a\n" {
        return bad("what it writes is no PNG file");
    }
    loop {
        // Length, kind, as many bytes, checksum.
        let start = bytes.len();
        bytes.resize(start + 8, 0);
        stream.read_exact(&mut bytes[start..])?;
        let length = bytes[start..start + 4]
            .iter()
            .fold(0, |sum, byte| (sum << 8) | usize::from(*byte));
        let last = bytes[start + 4..start + 8] == *b"IEND";
        if length > MOST_BYTES - start.min(MOST_BYTES) {
            return bad("its picture is too large");
        }
        let start = bytes.len();
        bytes.resize(start + length + 4, 0);
        stream.read_exact(&mut bytes[start..])?;
        if last {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulec_vision::colour::Rgb;

    fn picture(grey: u8) -> Frame {
        Frame::new(30, 20, Rgb([grey; 3]))
    }

    #[test]
    fn pictures_of_a_stream_are_told_apart() {
        let files: Vec<Vec<u8>> = [1, 2, 3]
            .map(|grey| picture(grey).to_png().expect("pixels"))
            .to_vec();
        let all = files.concat();
        let mut stream = &all[..];
        for file in &files {
            assert_eq!(&read_png(&mut stream).expect("a file"), file);
        }
        assert!(read_png(&mut stream).is_err());
        for cut in 0..files[0].len() {
            assert!(read_png(&mut &files[0][..cut]).is_err());
        }
        let mut long = files[0].clone();
        long[8] = 0xff;
        assert!(read_png(&mut &long[..]).is_err());
        assert!(read_png(&mut &b"GIF89a, which is no PNG file"[..]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_asked_for_each_picture_and_started_again_when_it_ends() {
        let folder = std::env::temp_dir().join(format!("rulec-pictures-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for grey in [1, 2] {
            let file = folder.join(format!("{grey}.png"));
            std::fs::write(file, picture(grey).to_png().expect("pixels")).expect("written");
        }
        let script = folder.join("camera.sh");
        let path = folder.display();
        let lines = format!("read _; cat {path}/1.png; read _ || exit; cat {path}/2.png\n");
        std::fs::write(&script, lines).expect("written");
        let mut pictures = Pictures::open(&format!("sh {}", script.display())).expect("a program");
        for grey in [1, 2] {
            assert_eq!(pictures.frame().expect("a picture"), picture(grey));
        }
        let fault = pictures.frame().expect_err("it has ended");
        assert!(fault.0.starts_with("sh gives no picture"), "{fault}");
        assert_eq!(pictures.frame().expect("a new one"), picture(1));
        drop(pictures);
        let once = format!("cmd:cat {path}/2.png");
        let mut pictures = Pictures::open(&once).expect("a program");
        assert_eq!(pictures.frame().expect("a picture"), picture(2));
        std::fs::remove_dir_all(&folder).expect("it was made here");
    }
}
