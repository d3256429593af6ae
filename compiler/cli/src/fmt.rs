//! `rulec fmt`: rule files in their usual form.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use rulec_compiler::lang::{self, LANGUAGES, Language};
use rulec_compiler::source::SourceMap;

use crate::args::FmtArgs;
use crate::{Verdict, files, say};

/// Most lines of a difference that are shown.
const SHOWN: usize = 40;

pub(crate) fn fmt(args: &FmtArgs) -> Result<Verdict> {
    let mut verdict = Verdict::Good;
    for path in &args.files {
        let from_input = path.as_os_str() == "-";
        let bytes = match from_input {
            true => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes)?;
                bytes
            }
            false => {
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?
            }
        };
        let language = language(args.lang.as_deref(), path)?;
        let Some(new) = usual_form(language, path, &bytes)? else {
            // One that cannot be read keeps the others from nothing.
            let mut err = io::stderr().lock();
            writeln!(
                err,
                "error: {} cannot be read, so it stays as it is; see rulec check",
                path.display()
            )?;
            verdict = Verdict::Code(crate::USAGE);
            continue;
        };
        if args.check {
            if new.as_bytes() != bytes {
                say(&difference(path, &String::from_utf8_lossy(&bytes), &new))?;
                if verdict == Verdict::Good {
                    verdict = Verdict::Bad;
                }
            }
        } else if from_input {
            say(&new)?;
        } else if new.as_bytes() != bytes {
            files::write(path, new.as_bytes())?;
            say(&format!("{}\n", path.display()))?;
        }
    }
    Ok(verdict)
}

fn language(name: Option<&str>, path: &Path) -> Result<&'static Language> {
    let file = path.to_string_lossy();
    let found = match name {
        Some(name) => LANGUAGES.iter().find(|language| language.name == name),
        None => lang::of_file(&file),
    };
    match (found, name) {
        (Some(language), _) => Ok(language),
        (None, Some(name)) => bail!("there is no rule language `{name}`"),
        (None, None) => bail!("the name `{file}` does not tell the rule language: use --lang"),
    }
}

fn usual_form(language: &Language, path: &Path, bytes: &[u8]) -> Result<Option<String>> {
    let mut sources = SourceMap::new();
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    sources.add(name, bytes)?;
    let source = &sources.files()[0];
    Ok((language.editing.format)(source))
}

/// The lines that differ, between what both have at their beginning and end.
fn difference(path: &Path, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let pairs = old.iter().zip(&new);
    let head = pairs.take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - head;
    let ends = old.iter().rev().zip(new.iter().rev());
    let tail = ends.take(left).take_while(|(a, b)| a == b).count();
    let mut text = format!("{}:{}\n", path.display(), head + 1);
    let mut put = |sign: char, lines: &[&str]| {
        for line in lines.iter().take(SHOWN) {
            text.push_str(&format!("{sign}{line}\n"));
        }
        if lines.len() > SHOWN {
            text.push_str(&format!("{sign} ... {} more lines\n", lines.len() - SHOWN));
        }
    };
    put('-', &old[head..old.len() - tail]);
    put('+', &new[head..new.len() - tail]);
    if old == new {
        text.push_str("line ends differ\n");
    }
    text
}
