//! Rule files: reading, compiling, telling what is wrong with them.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rulec_compiler::diag::{self, Diagnostics, Style};
use rulec_compiler::ir::{Const, Game};
use rulec_compiler::source::SourceMap;
use rulec_compiler::{Options, Output, Without, codegen, compile};
use serde_json::Value;

use crate::args::{Format, RuleArgs, ToolArgs};
use crate::native::{CrateFiles, Toolchain};

/// A rule file that was read and, unless it is wrong, compiled.
pub struct Rules {
    file: PathBuf,
    format: Format,
    sources: SourceMap,
    diagnostics: Diagnostics,
    /// What the compiler made of it; nothing if there are errors.
    pub output: Option<Output>,
}

impl Rules {
    /// Reads and compiles a file.
    ///
    /// # Errors
    /// When the file cannot be read, or the language or a pass is unknown. Mistakes in the rules are no errors of
    /// this function: they are diagnostics.
    pub(crate) fn load(args: &RuleArgs, passes: &str) -> Result<Rules> {
        let without = args.without.as_deref().unwrap_or("none");
        let without = without.parse().unwrap_or_default();
        Rules::compile(
            &args.file,
            args.lang.as_deref(),
            args.format,
            passes,
            without,
        )
    }

    /// As the command does, with messages for people.
    ///
    /// # Errors
    /// When the file cannot be read or its language is unknown.
    pub fn open(file: &Path, passes: &str) -> Result<Rules> {
        Rules::open_without(file, passes, Without::Nothing)
    }

    /// The same with some rules left out.
    ///
    /// # Errors
    /// When the file cannot be read, its language is unknown, or it has no such rules.
    pub fn open_without(file: &Path, passes: &str, without: Without) -> Result<Rules> {
        Rules::compile(file, None, Format::Text, passes, without)
    }

    fn compile(
        file: &Path,
        lang: Option<&str>,
        format: Format,
        passes: &str,
        without: Without,
    ) -> Result<Rules> {
        let bytes =
            std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.file_name().unwrap_or(file.as_os_str());
        let mut sources = SourceMap::new();
        sources.add(name.to_string_lossy(), bytes)?;
        let options = Options {
            language: lang.map(str::to_owned),
            passes: passes.parse()?,
            image_folder: image_folder(file),
            without,
        };
        let (output, diagnostics) = compile(&sources, &options)?;
        Ok(Rules {
            file: file.to_owned(),
            format,
            sources,
            diagnostics,
            output,
        })
    }

    /// Tells on stderr what is wrong with the rules, or may be.
    pub(crate) fn show_diagnostics(&self) -> Result<()> {
        if self.diagnostics.is_empty() {
            return Ok(());
        }
        let mut out = io::stderr().lock();
        match self.format {
            Format::Json => writeln!(out, "{}", self.diagnostics_json())?,
            Format::Text => {
                let style = match out.is_terminal() && std::env::var_os("NO_COLOR").is_none() {
                    true => Style::Coloured,
                    false => Style::Plain,
                };
                let text = diag::render_all(&self.sources, &self.diagnostics, style);
                out.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// The diagnostics for tools.
    pub(crate) fn diagnostics_json(&self) -> Value {
        diag::json(&self.sources, &self.diagnostics)
    }

    fn compiled(&self) -> Result<&Output> {
        match &self.output {
            Some(output) => Ok(output),
            None => bail!("{} has errors", self.file.display()),
        }
    }

    /// The names of the rules that are left out.
    fn left_out(&self) -> Result<Vec<String>> {
        let game = &self.compiled()?.lowered;
        let off = game.switches.iter().map(|switch| game.var(*switch));
        let off = off.filter(|var| var.init == [Const::Bool(false)]);
        Ok(off.map(|var| var.name.clone()).collect())
    }

    /// The Rust text.
    ///
    /// # Errors
    /// When the rules have errors.
    pub fn rust(&self) -> Result<String> {
        let options = codegen::Options::new("game", "");
        Ok(self.compiled()?.rust(&options)?)
    }

    /// The files of a crate with this package name, for a runtime at this path.
    ///
    /// # Errors
    /// When the rules have errors.
    pub fn crate_files(&self, name: &str, runtime: &str) -> Result<CrateFiles> {
        let runtime = serde_json::to_string(runtime)?;
        let dependency = format!("{{ path = {runtime}, default-features = false }}");
        let options = codegen::Options::new(name, &dependency);
        Ok(self.compiled()?.crate_files(&options)?)
    }

    /// The compiled program, from the cache or made now.
    ///
    /// # Errors
    /// When the rules have errors or the program cannot be compiled.
    pub fn program(&self, tools: &Toolchain) -> Result<PathBuf> {
        let runtime = tools.runtime.to_string_lossy().replace('\\', "/");
        let left_out = self.left_out()?.join(",");
        tools.program(&self.file, &left_out, |name| {
            self.crate_files(name, &runtime)
        })
    }
}

/// Where things are, by the options of the command line.
pub(crate) fn toolchain(args: &ToolArgs) -> Result<Toolchain> {
    Toolchain::find(
        args.runtime.as_deref(),
        args.target_dir.as_deref(),
        args.lto,
    )
}

/// The folder of the pictures: `images` beside the rules, if there is one.
fn image_folder(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?.join("images");
    folder.is_dir().then_some(folder)
}

/// What a game consists of: how many of what, the word in the singular.
pub(crate) fn counts(game: &Game) -> Vec<(usize, String)> {
    let mut counts = vec![(game.player_count(), "player".to_owned())];
    let mut domains = Vec::new();
    for placement in &game.placements {
        domains.extend([placement.places, placement.pieces]);
    }
    domains.dedup();
    for id in domains {
        let domain = game.domain(id);
        counts.push((domain.len(), domain.name.to_lowercase()));
    }
    counts.push((game.families.len(), "rule".to_owned()));
    counts
}
