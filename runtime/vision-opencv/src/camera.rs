//! Where frames come from.

use std::path::PathBuf;

use opencv::core::Mat;
use opencv::prelude::*;
use opencv::videoio::{CAP_ANY, CAP_PROP_FRAME_HEIGHT, CAP_PROP_FRAME_WIDTH, VideoCapture};
use rulec_vision::Frame;

use crate::{CameraError, frame};

/// A camera, or what stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A camera by its number, the first is 0.
    Device(i32),
    /// A video file or a single picture.
    File(PathBuf),
    /// Numbered pictures, such as `frame_%02d.png`.
    Pictures(String),
}

impl Source {
    /// A source as a command line names it: a number, a pattern with `%`, or a file.
    pub fn parse(text: &str) -> Self {
        match text.parse() {
            Ok(number) => Self::Device(number),
            Err(_) if text.contains('%') => Self::Pictures(text.to_owned()),
            Err(_) => Self::File(text.into()),
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Device(number) => write!(f, "camera {number}"),
            Self::File(file) => write!(f, "{}", file.display()),
            Self::Pictures(pattern) => f.write_str(pattern),
        }
    }
}

/// An open camera, video file or sequence of pictures.
pub struct Camera {
    source: Source,
    capture: VideoCapture,
    picture: Mat,
}

impl Camera {
    /// Opens a source. A camera is asked for frames of `size` (width, height) if that is given; it may give others.
    ///
    /// # Errors
    /// When there is no such source.
    pub fn open(source: &Source, size: Option<(u32, u32)>) -> Result<Self, CameraError> {
        let mut capture = match source {
            Source::Device(number) => VideoCapture::new(*number, CAP_ANY)?,
            Source::File(file) => VideoCapture::from_file(file, CAP_ANY)?,
            Source::Pictures(pattern) => VideoCapture::from_file(pattern, CAP_ANY)?,
        };
        if !capture.is_opened()? {
            return Err(CameraError::Closed(source.to_string()));
        }
        if let (Source::Device(_), Some((width, height))) = (source, size) {
            capture.set(CAP_PROP_FRAME_WIDTH, f64::from(width))?;
            capture.set(CAP_PROP_FRAME_HEIGHT, f64::from(height))?;
        }
        Ok(Self {
            source: source.clone(),
            capture,
            picture: Mat::default(),
        })
    }

    /// The next frame.
    ///
    /// # Errors
    /// When there is none: the camera was unplugged, the file is at its end.
    pub fn frame(&mut self) -> Result<Frame, CameraError> {
        let read = self.capture.read(&mut self.picture)?;
        if !read || self.picture.empty() {
            return Err(CameraError::Ended(self.source.to_string()));
        }
        frame(&self.picture)
    }

    /// Drops frames, such as those that a camera took before the arm had left, or while it adjusted to the light.
    ///
    /// # Errors
    /// When there are not as many.
    pub fn skip(&mut self, count: u32) -> Result<(), CameraError> {
        for _ in 0..count {
            if !self.capture.grab()? {
                return Err(CameraError::Ended(self.source.to_string()));
            }
        }
        Ok(())
    }
}
