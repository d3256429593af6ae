//! Compares compiled games with the original engine of S3 Games, and measures the compiler.
//!
//! Usage: `cargo run --release -p rulec-benches -- [SECONDS] [RULES.s3 ...]`. Without files it takes the games of the
//! corpus (`$RULEC_CORPUS`, else `../shared/corpus`) and ours. It judges nothing: it prints tables.

use rulec_benches::watch;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rulec_cli::{Rules, Toolchain};
use serde_json::Value;

/// Random playouts per second of processor time of the original engine (Java 17, games cut at 200 plies), and how many
/// times that a compiled game should reach, where that is asked for.
const ORIGINAL: &[(&str, f64, Option<f64>)] = &[
    ("Alquerque", 17.7, Some(500.0)),
    ("Frogs", 8183.5, None),
    ("MasterMind", 69.7, None),
    ("Mill", 508.2, None),
    ("Nim", 1967.4, None),
    ("Puzzle8", 262.6, None),
    ("Reversi", 45.3, Some(1000.0)),
    ("Squares", 7.9, Some(1000.0)),
    ("TicTacToe", 3492.3, Some(500.0)),
];

/// Plies after which the original engine's games were cut.
const PLIES: &str = "200";

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).peekable();
    let seconds = match arguments.next_if(|a| a.parse::<f64>().is_ok()) {
        Some(seconds) => seconds,
        None => "3".to_owned(),
    };
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let files = if files.is_empty() { bundled()? } else { files };
    if files.is_empty() {
        bail!("there is no rule file to measure");
    }
    let tools = Toolchain::find(None, None, false)?;
    // The first game builds the runtime too.
    measure(&tools, &files[0], &seconds)?;
    println!("{HEADER}");
    for file in &files {
        println!("{}", measure(&tools, file, &seconds)?.row());
    }
    Ok(())
}

const HEADER: &str = "\
game               playouts/s   plies/s   original    ratio   bar   check ms  Rust ms  build CPU s  peak MB  lines
------------------------------------------------------------------------------------------------------------------";

/// What was measured of a game.
struct Measured {
    name: String,
    playouts: f64,
    plies: f64,
    check: f64,
    rust: f64,
    build: watch::Cost,
    lines: usize,
}

fn measure(tools: &Toolchain, file: &Path, seconds: &str) -> Result<Measured> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let begun = Instant::now();
    let rules = Rules::open(file, "all")?;
    let check = begun.elapsed().as_secs_f64();
    let text = rules.rust()?;
    let rust = begun.elapsed().as_secs_f64();

    // A name of its own, so that nothing of the game is built yet.
    let name = format!("bench-{}-{}", stem.to_lowercase(), std::process::id());
    let folder = tools.cache.join("crates").join(&name);
    let runtime = tools.runtime.to_string_lossy();
    tools.write_crate(&folder, &rules.crate_files(&name, &runtime)?)?;
    let (program, build) = watch::children(|| tools.build(&folder, &name))?;
    let speed = bench(&program, seconds);
    std::fs::remove_dir_all(&folder)?;
    std::fs::remove_file(&program)?;
    let speed = speed?;
    Ok(Measured {
        name: stem.into_owned(),
        playouts: speed["playouts_per_second"].as_f64().unwrap_or(0.0),
        plies: speed["plies_per_second"].as_f64().unwrap_or(0.0),
        check,
        rust,
        build,
        lines: text.lines().count(),
    })
}

fn bench(program: &Path, seconds: &str) -> Result<Value> {
    let output = Command::new(program)
        .args(["bench", "--json", "--limit", PLIES, "--seconds", seconds])
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

impl Measured {
    fn row(&self) -> String {
        let original = ORIGINAL.iter().find(|(name, ..)| *name == self.name);
        let (figure, ratio, bar) = match original {
            Some((_, figure, bar)) => (
                figure.to_string(),
                format!("{:.0}x", self.playouts / figure),
                bar.map_or(String::new(), |bar| format!("{bar:.0}x")),
            ),
            None => Default::default(),
        };
        format!(
            "{:16} {:12.0} {:9.0} {figure:>10} {ratio:>8} {bar:>5} {:10.1} {:8.1} {:12.2} {:8.0} {:6}",
            self.name,
            self.playouts,
            self.plies,
            self.check * 1e3,
            self.rust * 1e3,
            self.build.cpu_seconds,
            self.build.peak_bytes as f64 / 1e6,
            self.lines,
        )
    }
}

/// The games of the corpus, if it is there, and ours.
fn bundled() -> Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = match std::env::var_os("RULEC_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root.join("../shared/corpus"),
    };
    let mut files = Vec::new();
    for folder in subfolders(&corpus.join("s3")) {
        files.extend(rule_files(&folder));
    }
    files.extend(rule_files(&root.join("games/s3")));
    Ok(files)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    paths
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let mut folders = entries(folder);
    folders.retain(|path| path.is_dir());
    folders
}

fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.extension().is_some_and(|e| e == "s3"));
    files
}
