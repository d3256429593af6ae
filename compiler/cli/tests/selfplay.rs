//! Self-play by processes that are killed, that disturb each other, and that cannot write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/s3/tic_tac_toe.s3");
const GAMES: &str = "300";

fn selfplay(out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulec"));
    command
        .args([
            "selfplay",
            GAME,
            "--games",
            GAMES,
            "--bot",
            "uct:8",
            "--temperature",
            "1:4",
        ])
        .args(["--noise", "0.25:0.5", "--random-plies", "0..2", "--out"])
        .arg(out)
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn run(out: &Path, more: &[&str]) -> Output {
    selfplay(out, more).output().expect("rulec starts")
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("rulec-selfplay-{name}-{}", std::process::id()));
        // What an earlier process of the same number left.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder can be made");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The files of a folder but the lock, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.expect("the folder can be read"))
        .filter(|entry| entry.file_name() != ".lock")
        .map(|entry| {
            let bytes = fs::read(entry.path()).expect("the file can be read");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

#[test]
fn threads_shards_and_kills_change_nothing() {
    let folder = Folder::new("kills");
    let (whole, killed) = (folder.0.join("whole"), folder.0.join("killed"));
    let output = run(&whole, &["--threads", "1", "--shard-size", "25"]);
    assert!(output.status.success(), "{}", error(&output));
    let expected = files(&whole);
    assert_eq!(expected.len(), 24, "{:?}", expected.keys());

    // Ten kills at moments that a fixed generator chooses.
    let mut rng = rulec_core::Rng::new(8, 0);
    let mut interrupted = 0;
    for _ in 0..10 {
        let mut child = selfplay(
            &killed,
            &["--threads", "2", "--shard-size", "25", "--resume"],
        )
        .spawn()
        .expect("rulec starts");
        // A slow machine takes its time until it begins to play.
        while child.try_wait().is_ok_and(|status| status.is_none())
            && !killed.join(".lock").exists()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(u64::from(rng.below(200))));
        child.kill().expect("the process is ours");
        let status = child.wait().expect("the process ends");
        interrupted += u32::from(!status.success());
        for (name, bytes) in files(&killed) {
            let draft = name.starts_with('.');
            assert!(
                draft || expected.get(&name) == Some(&bytes),
                "{name} is not whole"
            );
        }
    }
    let output = run(
        &killed,
        &["--threads", "2", "--shard-size", "25", "--resume"],
    );
    assert!(output.status.success(), "{}", error(&output));
    assert!(files(&killed) == expected, "after {interrupted} kills");

    // Other shards hold the same games, and so does one file of a range.
    let lines = |name: &str, bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).expect("records are UTF-8");
        assert!(
            text.lines()
                .next_back()
                .is_some_and(|l| l.starts_with("{\"end\":")),
            "{name}"
        );
        let games = text.lines().filter(|l| !l.starts_with("{\"end\":"));
        games.map(str::to_owned).collect::<Vec<_>>()
    };
    let games = |files: &BTreeMap<String, Vec<u8>>| {
        let records = files.iter().filter(|(name, _)| name.starts_with("games-"));
        records
            .flat_map(|(name, bytes)| lines(name, bytes))
            .collect::<Vec<_>>()
    };
    let other = folder.0.join("other");
    let output = run(&other, &["--shard-size", "70", "--no-samples"]);
    assert!(output.status.success(), "{}", error(&output));
    assert_eq!(games(&files(&other)), games(&expected));
    let one = folder.0.join("range");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulec"));
    command
        .args([
            "selfplay",
            GAME,
            "--seed-range",
            "90..110",
            "--bot",
            "uct:8",
            "--temperature",
            "1:4",
        ])
        .args(["--noise", "0.25:0.5", "--random-plies", "0..2", "--out"])
        .arg(&one);
    assert!(command.output().expect("rulec starts").status.success());
    let range = lines("range", &fs::read(&one).expect("the file is there"));
    assert_eq!(range, games(&expected)[90..110]);
}

#[test]
fn what_is_broken_is_made_again_and_what_is_other_is_refused() {
    let folder = Folder::new("broken");
    let out = folder.0.join("shards");
    let shards = ["--shard-size", "100"];
    assert!(run(&out, &shards).status.success());
    let expected = files(&out);

    let again = run(&out, &shards);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        error(&again).contains("has shards already; complete them with --resume"),
        "{}",
        error(&again)
    );

    let broken = out.join("games-000001.jsonl");
    let mut bytes = expected["games-000001.jsonl"].clone();
    bytes[50] ^= 1;
    fs::write(&broken, bytes).expect("the file can be written");
    fs::remove_file(out.join("samples-000002.rls")).expect("the file is there");
    fs::write(out.join(".games-000002.jsonl.1.tmp"), "half").expect("the file can be written");
    let resumed = run(&out, &["--shard-size", "100", "--resume"]);
    assert!(resumed.status.success(), "{}", error(&resumed));
    assert!(files(&out) == expected);

    for other in [
        &["--shard-size", "100", "--resume", "--seed", "2"][..],
        &["--shard-size", "50", "--resume"],
    ] {
        let refused = run(&out, other);
        assert_eq!(refused.status.code(), Some(2), "{other:?}");
        assert!(
            error(&refused).contains("holds other games"),
            "{}",
            error(&refused)
        );
    }
    assert!(files(&out) == expected);
}

#[test]
fn what_cannot_be_written_is_told_and_finished_shards_stay() {
    let folder = Folder::new("unwritable");
    let file = folder.0.join("file");
    fs::write(&file, "").expect("the file can be written");
    let refused = run(&file.join("shards"), &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        error(&refused).contains("cannot make the folder"),
        "{}",
        error(&refused)
    );

    // A folder stands where the samples of the third shard should go.
    let out = folder.0.join("shards");
    let obstacle = out.join("samples-000002.rls");
    fs::create_dir_all(obstacle.join("x")).expect("the folder can be made");
    let stopped = run(&out, &["--shard-size", "100", "--resume", "--threads", "2"]);
    assert_eq!(stopped.status.code(), Some(2));
    let told = error(&stopped);
    assert!(
        told.contains("cannot write") && told.contains("samples-000002.rls"),
        "{told}"
    );
    assert!(
        told.contains("2 of 3 shards are complete, `--resume` makes the others"),
        "{told}"
    );
    fs::remove_dir_all(obstacle).expect("the folder is there");
    assert_eq!(files(&out).len(), 4);
    let finished = run(&out, &["--shard-size", "100", "--resume"]);
    assert!(finished.status.success(), "{}", error(&finished));
    assert_eq!(files(&out).len(), 6);
}
