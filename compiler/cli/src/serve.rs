//! `serve`: the interpreted game in a browser, and again whenever its rules change.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use rulec_serve::{Host, Loaded};

use crate::args::{Engine, ServeLine};
use crate::interpreted::InterpretedGame;
use crate::rules::{self, Rules};
use crate::{Verdict, pictures};

/// Time between two looks at the rule files.
const LOOK: Duration = Duration::from_millis(250);

pub(crate) fn serve(line: &ServeLine) -> Result<Verdict> {
    let read = Rules::load(&line.rules, "all")?;
    read.show_diagnostics()?;
    if read.output.is_none() && !line.watch {
        return Ok(Verdict::Bad);
    }
    if line.engine == Engine::Native {
        let program = read.serving_program(&rules::toolchain(&line.tools)?, false)?;
        return crate::start_native(&program, &line.rules.file);
    }
    let read = match read.output.is_some() {
        true => read,
        false => wait_for_rules(line)?,
    };
    let host = Host::new(loaded(&read)?, line.serve.thinkers());
    if line.watch {
        let (host, line) = (Arc::clone(&host), line.clone());
        let files = read.files();
        std::thread::spawn(move || watch(&host, &line, files));
    }
    rulec_serve::serve(&host, &line.serve, &mut io::stdout()).context("cannot serve")?;
    Ok(Verdict::Good)
}

/// The game as the interpreter runs it, with all that its page shows.
fn loaded(rules: &Rules) -> Result<Loaded> {
    let output = rules.output.as_ref().context("the rules have errors")?;
    // The program as the rules spell it: reasons are told in its words.
    let game = output.lowered.clone();
    let look = pictures::look(&game)?;
    let files = pictures::files(&game, rules.folder());
    let mut loaded = Loaded::new(InterpretedGame::new(game)?, look);
    loaded.files = files;
    loaded.sources = rules.texts();
    loaded.diagnostics = rules.diagnostics_json();
    loaded.explains = true;
    Ok(loaded)
}

/// Dates and lengths of files.
fn stamps(files: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file: &PathBuf| {
        let data = std::fs::metadata(file).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    files.iter().map(stamp).collect()
}

/// Reads the rules again whenever a file changes.
fn watch(host: &Arc<Host>, line: &ServeLine, mut files: Vec<PathBuf>) {
    let mut seen = stamps(&files);
    loop {
        std::thread::sleep(LOOK);
        let now = stamps(&files);
        // An editor may be about to put the file back: what is missing is waited for.
        if now == seen || now.iter().any(Option::is_none) {
            continue;
        }
        seen = now;
        let Ok(read) = Rules::load(&line.rules, "all") else {
            continue;
        };
        // Without a terminal there is nobody to tell; the page shows them too.
        let _ = read.show_diagnostics();
        match loaded(&read) {
            Ok(loaded) => host.replace(loaded),
            Err(_) => host.broken(read.diagnostics_json()),
        }
        if read.output.is_some() {
            files = read.files();
            seen = stamps(&files);
        }
    }
}

/// Waits until the rules compile.
fn wait_for_rules(line: &ServeLine) -> Result<Rules> {
    let files = vec![line.rules.file.clone()];
    let mut seen = stamps(&files);
    loop {
        std::thread::sleep(LOOK);
        let now = stamps(&files);
        if now == seen {
            continue;
        }
        seen = now;
        let read = Rules::load(&line.rules, "all")?;
        read.show_diagnostics()?;
        if read.output.is_some() {
            return Ok(read);
        }
    }
}

/// The folder of a rule file.
pub(crate) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
