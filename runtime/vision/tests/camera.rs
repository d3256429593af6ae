//! The public camera cases: pictures, types and what the original detector reports of them.

use std::path::{Path, PathBuf};

use rulec_vision::Frame;
use rulec_vision::original;

fn cases() -> Option<PathBuf> {
    let given = std::env::var_os("RULEC_CORPUS").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let corpus = given.unwrap_or_else(|| root.join("shared/corpus"));
    let folder = corpus.join("s3/oracle/camera");
    if folder.is_dir() {
        return Some(folder);
    }
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!must, "the corpus is missing: {}", folder.display());
    eprintln!("skipped, no corpus: {}", folder.display());
    None
}

#[test]
fn the_original_mode_has_the_original_results() {
    let Some(folder) = cases() else { return };
    let mut pictures: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "png"))
        .collect();
    pictures.sort();
    assert!(pictures.len() >= 7, "{} pictures", pictures.len());
    for picture in &pictures {
        let text = |end: &str| {
            std::fs::read_to_string(picture.with_extension(end)).expect("beside its picture")
        };
        let types = original::parse_types(&text("types.txt")).expect("types");
        let bytes = std::fs::read(picture).expect("it was listed");
        let frame = Frame::from_png(&bytes).expect("a picture");
        let found = original::report(&original::detect(&frame, &types), &types);
        let expected = text("expected.txt").replace("\r\n", "\n");
        assert_eq!(
            found.trim_end(),
            expected.trim_end(),
            "{}",
            picture.display()
        );
    }
}
