//! `rulec captive`: compiles what the arguments name, and serves it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use anyhow::{Context, Result};
use rulec_search::command::{self, Command};
use rulec_search::episode::request::{Request, Source, USAGE};

use crate::args::{CaptiveLine, Engine};
use crate::interpreted::InterpretedGame;
use crate::rules::{self, Rules};
use crate::{BAD, Verdict, exit_code};

/// Serves a client. What is wrong with the arguments or the rules is told on stderr only, as the original server does.
pub(crate) fn captive(line: &CaptiveLine) -> Result<Verdict> {
    let request = match Request::parse(&line.args) {
        Ok(request) if request.source != Source::Own => request,
        Ok(_) => return wrong("there is nothing to play"),
        Err(message) => return wrong(&message),
    };
    let rules = match load(&request) {
        Ok(rules) => rules,
        Err(error) => return wrong(&format!("{error:#}")),
    };
    let Some(output) = &rules.output else {
        rules.show_diagnostics()?;
        return wrong("cannot create a game generator");
    };
    let args = command::CaptiveArgs {
        args: line.args.clone(),
    };
    if line.engine == Engine::Native {
        let program = rules.program(&rules::toolchain(&line.tools)?)?;
        let status = Process::new(&program)
            .arg("captive")
            .args(&args.args)
            .status()
            .with_context(|| format!("cannot start {}", program.display()))?;
        return Ok(exit_code(status));
    }
    let game = InterpretedGame::new(output.game.clone())?;
    let served = command::run(&game, &Command::Captive(args), &mut io::stdout().lock());
    match served {
        Ok(()) => Ok(Verdict::Good),
        Err(error) if error.exit_code() == 0 => Ok(Verdict::Good),
        Err(error) => wrong(&error.to_string()),
    }
}

fn wrong(message: &str) -> Result<Verdict> {
    writeln!(io::stderr(), "{USAGE}\n{message}")?;
    Ok(Verdict::Code(BAD))
}

/// Compiles what a request names.
pub(crate) fn load(request: &Request) -> Result<Rules> {
    let place = |file: &Path| match &request.folder {
        Some(folder) => folder.join(file),
        None => file.to_owned(),
    };
    let mut with: Vec<PathBuf> = Vec::new();
    let mut settings: Vec<(String, String)> = Vec::new();
    let mut set = |name: &str, value: String| settings.push((name.to_owned(), value));
    let file = match &request.source {
        Source::Own => PathBuf::new(),
        Source::Board(rules, board) => {
            with.push(place(board));
            place(rules)
        }
        Source::Counts(rules, counts) => {
            for (name, (least, most)) in ["pieces", "shapes", "colors"].iter().zip(counts) {
                set(name, format!("{least}:{most}"));
            }
            place(rules)
        }
        Source::List(list, row) => {
            set("row", row.to_string());
            place(list)
        }
        Source::Modified(rules, modifier) => {
            with.push(place(modifier));
            place(rules)
        }
    };
    if let Some(condition) = &request.condition {
        with.push(place(condition));
    }
    if let Some(shapes) = &request.shapes {
        set("shape_list", shapes.join(";"));
    }
    if let Some(colors) = &request.colors {
        set("color_list", colors.join(";"));
    }
    if request.crowded {
        set("crowded", "true".to_owned());
    }
    Rules::open_with(&file, &with, &settings, "all")
}
