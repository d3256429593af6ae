//! Pictures of a camera, a video file or numbered pictures for `rulec robot --camera`, as PNG files on standard output.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use clap::Parser;
use rulec_vision::Frame;
use rulec_vision_opencv::{Camera, CameraError, Source};

/// Writes a PNG file to standard output for each line on standard input.
#[derive(Debug, Parser)]
#[command(
    name = "rulec-camera",
    version,
    after_help = "Examples:
  rulec robot tic_tac_toe.s3 --rig my.toml --camera 'rulec-camera 0'
  rulec-camera 0 --size 1280x720 --once > table.png
  rulec robot tic_tac_toe.s3 --rig my.toml --camera 'rulec-camera game.avi'
  rulec robot tic_tac_toe.s3 --rig my.toml --camera 'rulec-camera frames/%06d.png'

At the end of a video file or of numbered pictures the last picture stays. A camera that gives no more pictures ends the program
with exit code 1; `rulec robot` says so and starts it again. OPENCV_LOG_LEVEL=ERROR silences OpenCV."
)]
struct CommandLine {
    /// Number of a camera (the first is 0), a video file, a picture, or a pattern of numbered pictures such as frame_%02d.png
    source: String,
    /// Write one picture, whatever comes on standard input, and end
    #[arg(long)]
    once: bool,
    /// Width and height to ask a camera for, such as 1280x720; it may give others
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Pictures to leave out before each: those that a camera took before it was asked [default: 4 for a camera, else 0]
    #[arg(long, value_name = "N")]
    skip: Option<u32>,
}

/// How many pictures drivers of cameras keep, which are older than the question.
const KEPT: u32 = 4;

fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x');
    let sides = sides.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    sides
        .filter(|&(a, b)| a > 0 && b > 0)
        .ok_or_else(|| "width and height in pixels, such as 1280x720".to_owned())
}

fn main() -> ExitCode {
    match run(&CommandLine::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(1)
        }
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn run(line: &CommandLine) -> Outcome {
    let source = Source::parse(&line.source);
    let live = matches!(source, Source::Device(_));
    let mut eye = Eye {
        camera: Camera::open(&source, line.size)?,
        skip: line.skip.unwrap_or(if live { KEPT } else { 0 }),
        live,
        last: None,
    };
    if line.once {
        return write(&eye.frame()?);
    }
    for request in io::stdin().lock().lines() {
        request?;
        write(&eye.frame()?)?;
    }
    Ok(())
}

fn write(frame: &Frame) -> Outcome {
    let mut out = io::stdout().lock();
    out.write_all(&frame.to_png()?)?;
    Ok(out.flush()?)
}

/// A source and its last picture.
struct Eye {
    camera: Camera,
    skip: u32,
    live: bool,
    last: Option<Frame>,
}

impl Eye {
    /// The next picture; of files the last one where there is no other.
    fn frame(&mut self) -> Result<Frame, CameraError> {
        let skipped = self.camera.skip(self.skip);
        match (skipped.and_then(|()| self.camera.frame()), &self.last) {
            (Ok(frame), _) => {
                self.last = Some(frame.clone());
                Ok(frame)
            }
            (Err(CameraError::Ended(_)), Some(last)) if !self.live => Ok(last.clone()),
            (Err(error), _) => Err(error),
        }
    }
}
