//! What it costs to compile the games that are measured.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use rulec_cli::{Rules, Toolchain};
use serde_json::{Value, json};

use crate::watch;

/// The rule files of the games in the table.
const FILES: &[&str] = &[
    "s3/tic_tac_toe.s3",
    "s3/connect_four.s3",
    "bgc/breakthrough.json",
    "bgc/knightthrough.json",
    "s3/reversi.s3",
    "s3/gomoku.s3",
    "s3/nine_mens_morris.s3",
    "s3/frogs.s3",
];

/// Compiles each game once, prints what it took and gives it as JSON.
///
/// Seconds from rules to Rust are by the clock, those of building are processor time without what all games share;
/// sizes are of the program and of its longest function in lines.
///
/// # Errors
/// Where a game does not compile or the toolchain is not there.
pub fn all() -> Result<Vec<Value>> {
    let tools = Toolchain::find(None, None, false)?;
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    // The first game builds the runtime too.
    one(&tools, &games.join(FILES[0]))?;
    println!(
        "{:18} {:>9} {:>12} {:>10} {:>9}",
        "game", "Rust s", "build CPU s", "bytes", "longest"
    );
    let mut rows = Vec::new();
    for file in FILES {
        let row = one(&tools, &games.join(file))?;
        let number = |key: &str| row[key].as_f64().unwrap_or(0.0);
        println!(
            "{:18} {:>9.3} {:>12.2} {:>10} {:>9}",
            row["game"].as_str().unwrap_or_default(),
            number("rust_seconds"),
            number("build_cpu_seconds"),
            number("program_bytes"),
            number("longest_function_lines"),
        );
        rows.push(row);
    }
    Ok(rows)
}

fn one(tools: &Toolchain, file: &Path) -> Result<Value> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let begun = Instant::now();
    let rules = Rules::open(file, "all")?;
    let text = rules.rust()?;
    let rust = begun.elapsed().as_secs_f64();
    // A name of its own, so that nothing of the game is built yet.
    let name = format!("built-{stem}-{}", std::process::id()).replace('_', "-");
    let folder = tools.cache.join("crates").join(&name);
    let runtime = tools.runtime.to_string_lossy();
    tools.write_crate(&folder, &rules.crate_files(&name, &runtime)?)?;
    let (program, build) = watch::children(|| tools.build(&folder, &name))?;
    let bytes = std::fs::metadata(&program)?.len();
    std::fs::remove_dir_all(&folder)?;
    std::fs::remove_file(&program)?;
    Ok(json!({
        "game": stem,
        "rust_seconds": rust,
        "build_cpu_seconds": build.cpu_seconds,
        "build_peak_bytes": build.peak_bytes,
        "program_bytes": bytes,
        "longest_function_lines": longest_function(&text),
    }))
}

/// The lines of the longest function, as rustfmt lays them out.
fn longest_function(text: &str) -> usize {
    let mut longest = 0;
    let mut open: Option<(usize, usize)> = None;
    for (number, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let begins = ["fn ", "pub fn ", "const fn ", "pub const fn "];
        match open {
            // What stands on one line is not long.
            None if line.ends_with('}') => {}
            None if begins
                .iter()
                .any(|word| line.trim_start().starts_with(word)) =>
            {
                open = Some((number, indent));
            }
            Some((first, depth)) if line.trim_start().starts_with('}') && indent == depth => {
                longest = longest.max(number - first + 1);
                open = None;
            }
            _ => {}
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_are_measured() {
        let text = "struct A {\n}\nimpl A {\n    fn a() {\n        b();\n    }\n}\nfn c() {}\nfn d(\n) {\n}\n";
        assert_eq!(super::longest_function(text), 3);
    }
}
