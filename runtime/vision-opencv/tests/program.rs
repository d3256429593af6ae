//! The program `rulec-camera`, with pictures and video files that were made here.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use opencv::core::Size;
use opencv::prelude::*;
use opencv::videoio::VideoWriter;
use rulec_vision::Frame;
use rulec_vision::colour::Rgb;
use rulec_vision_opencv::mat;

/// A folder that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("rulec-camera-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Pictures of 160 x 120 that get brighter.
fn pictures() -> Vec<Frame> {
    (0..3)
        .map(|n| Frame::new(160, 120, Rgb([40 + n * 60, 90, 200 - n * 60])))
        .collect()
}

/// What the program writes when it is asked as often as that.
fn ask(arguments: &[&str], times: usize) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulec-camera"))
        .args(arguments)
        .env("OPENCV_LOG_LEVEL", "ERROR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built");
    let mut input = child.stdin.take().expect("a pipe");
    // It may have ended already.
    let _ = input.write_all("\n".repeat(times).as_bytes());
    drop(input);
    child.wait_with_output().expect("it ends")
}

/// The pictures of a stream of PNG files.
fn frames(bytes: &[u8]) -> Vec<Frame> {
    let end = b"IEND";
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(4).position(|four| four == end) {
        let (file, more) = rest.split_at(at + 8);
        found.push(Frame::from_png(file).expect("a picture"));
        rest = more;
    }
    assert!(rest.is_empty(), "{} bytes too many", rest.len());
    found
}

fn path(file: &Path) -> &str {
    file.to_str().expect("plain letters")
}

#[test]
fn numbered_pictures_come_one_by_one_and_the_last_stays() {
    let scratch = Scratch::new("pictures");
    let made = pictures();
    for (number, frame) in made.iter().enumerate() {
        let file = scratch.0.join(format!("f_{number:03}.png"));
        std::fs::write(file, frame.to_png().expect("pixels")).expect("written");
    }
    let pattern = scratch.0.join("f_%03d.png");
    let output = ask(&[path(&pattern)], 5);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let seen = frames(&output.stdout);
    assert_eq!(seen, [0, 1, 2, 2, 2].map(|n| made[n].clone()));
    let output = ask(&[path(&pattern), "--skip", "1"], 1);
    assert_eq!(frames(&output.stdout), [made[1].clone()]);
    let output = ask(&[path(&pattern), "--once"], 0);
    assert_eq!(frames(&output.stdout), [made[0].clone()]);
    assert_eq!(ask(&[path(&pattern)], 0).stdout, []);
}

#[test]
fn a_video_file_is_played_picture_by_picture() {
    let scratch = Scratch::new("video");
    let file = scratch.0.join("game.avi");
    let fourcc = VideoWriter::fourcc('M', 'J', 'P', 'G').expect("four letters");
    let mut writer =
        VideoWriter::new(path(&file), fourcc, 10.0, Size::new(160, 120), true).expect("a writer");
    assert!(writer.is_opened().expect("OpenCV runs"));
    let made = pictures();
    for frame in &made {
        writer.write(&mat(frame).expect("room")).expect("written");
    }
    writer.release().expect("written");
    let output = ask(&[path(&file)], 4);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let seen = frames(&output.stdout);
    assert_eq!(seen.len(), 4);
    for (seen, number) in seen.iter().zip([0, 1, 2, 2]) {
        let made = &made[number];
        assert_eq!((seen.width(), seen.height()), (160, 120));
        let (Some(Rgb(a)), Some(Rgb(b))) = (seen.get(80, 60), made.get(80, 60)) else {
            panic!("inside")
        };
        // The video file keeps colours but roughly.
        assert!(
            a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 12),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn what_cannot_be_opened_is_told() {
    for (source, told) in [
        ("97", "camera 97 cannot be opened"),
        ("nowhere.avi", "nowhere.avi cannot be opened"),
    ] {
        let output = ask(&[source], 1);
        assert_eq!(output.status.code(), Some(1), "{source}");
        assert!(output.stdout.is_empty());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(told), "{said}");
    }
    assert_eq!(ask(&["0", "--size", "big"], 0).status.code(), Some(2));
}
