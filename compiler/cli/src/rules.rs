//! Rule files: reading, compiling, telling what is wrong with them.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rulec_compiler::diag::{self, Diagnostic, Diagnostics, Severity, Style};
use rulec_compiler::ir::{Const, Game};
use rulec_compiler::lang::of_file;
use rulec_compiler::quotient::Quotient;
use rulec_compiler::source::{SourceMap, Span, sha256_of};
use rulec_compiler::symbols::Index;
use rulec_compiler::{Options, Output, Without, codegen, companions, compile};
use rulec_interp::Interp;
use rulec_search::evaluation::Evaluation;
use serde_json::Value;

use crate::args::{Engine, Format, Pieces, RuleArgs, ToolArgs, Warnings};
use crate::native::{CrateFiles, Toolchain};
use crate::warned;

/// A rule file that was read and, unless it is wrong, compiled.
pub struct Rules {
    pieces: Pieces,
    file: PathBuf,
    format: Format,
    warnings: Option<Warnings>,
    sources: SourceMap,
    diagnostics: Diagnostics,
    /// Rows of the trial list of which the first was taken, since none was asked for.
    rows: usize,
    /// The text of the evaluation that programs are built with.
    evaluation: Option<String>,
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
        Rules::compile(Wanted::by(args), passes)
    }

    /// As [`Rules::load`], to look at positions: that asks for neither symmetries nor numbers of moves, unless a program is made.
    ///
    /// # Errors
    /// As [`Rules::load`].
    pub(crate) fn load_to_look(args: &RuleArgs, engine: Engine) -> Result<Rules> {
        let wanted = Wanted {
            ahead: engine == Engine::Native,
            ..Wanted::by(args)
        };
        Rules::compile(wanted, "all")
    }

    /// Reads and compiles a file together with others, with messages for people.
    ///
    /// # Errors
    /// When a file cannot be read or the language is unknown.
    pub fn open_with(
        file: &Path,
        with: &[PathBuf],
        settings: &[(String, String)],
        passes: &str,
    ) -> Result<Rules> {
        let wanted = Wanted {
            with: with.to_vec(),
            settings: settings.to_vec(),
            ..Wanted::only(file)
        };
        Rules::compile(wanted, passes)
    }

    /// Another file than the one of the arguments; its name tells its language.
    ///
    /// # Errors
    /// As [`Rules::load`].
    pub(crate) fn load_other(args: &RuleArgs, file: &Path, passes: &str) -> Result<Rules> {
        let wanted = Wanted {
            format: args.format,
            warnings: args.warnings,
            pieces: args.pieces,
            ..Wanted::only(file)
        };
        Rules::compile(wanted, passes)
    }

    /// Another file than the one of the arguments, with all that they say.
    ///
    /// # Errors
    /// As [`Rules::load`].
    pub(crate) fn load_also(args: &RuleArgs, file: &Path, passes: &str) -> Result<Rules> {
        let wanted = Wanted {
            file: file.to_owned(),
            ..Wanted::by(args)
        };
        Rules::compile(wanted, passes)
    }

    /// As [`Rules::load`], with another bound for games whose rules bound them by something that they measure.
    pub(crate) fn load_limited(args: &RuleArgs, limit: Option<i64>) -> Result<Rules> {
        let wanted = Wanted {
            limit,
            ..Wanted::by(args)
        };
        Rules::compile(wanted, "all")
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
        let wanted = Wanted {
            without,
            ..Wanted::only(file)
        };
        Rules::compile(wanted, passes)
    }

    fn compile(wanted: Wanted, passes: &str) -> Result<Rules> {
        let file = wanted.file;
        let mut sources = SourceMap::new();
        let name = file.file_name().unwrap_or(file.as_os_str());
        sources.add(name.to_string_lossy(), read(&file)?)?;
        for other in &wanted.with {
            sources.add(inner_name(other), read(other)?)?;
        }
        let options = Options {
            language: wanted.lang,
            passes: passes.parse()?,
            image_folder: image_folder(&file),
            settings: wanted.settings,
            without: wanted.without,
            limit: wanted.limit,
            ahead: wanted.ahead,
        };
        add_companions(&file, &mut sources, &options)?;
        let (output, diagnostics) = compile(&sources, &options)?;
        let rows = match options.settings.iter().any(|(name, _)| name == "row") {
            false => rows_of(&sources, &options),
            true => 0,
        };
        Ok(Rules {
            rows,
            evaluation: None,
            pieces: wanted.pieces,
            file,
            format: wanted.format,
            warnings: wanted.warnings,
            sources,
            diagnostics,
            output,
        })
    }

    /// Tells on stderr what is wrong with the rules, or may be: warnings only when they are wanted.
    ///
    /// # Errors
    /// When stderr cannot be written.
    pub fn show_diagnostics(&self) -> Result<()> {
        let usual = match self.format {
            Format::Text => Warnings::Once,
            Format::Json => Warnings::Always,
        };
        let wanted = match self.warnings.unwrap_or(usual) {
            _ if self.diagnostics.is_empty() || self.diagnostics.has_errors() => true,
            Warnings::Always => true,
            Warnings::Once => warned::is_news(&self.file, &self.diagnostics_json().to_string()),
            Warnings::Never => false,
        };
        if wanted {
            self.show_all_diagnostics()?;
        }
        if self.rows > 1 && self.format == Format::Text && self.warnings != Some(Warnings::Never) {
            let list = self.file.display();
            writeln!(
                io::stderr(),
                "note: {list} has {} rows; row 1 is taken, --set row=N takes another",
                self.rows
            )?;
        }
        Ok(())
    }

    /// Leaves out what was told before, of other rows of the same list, and remembers the rest.
    pub(crate) fn leave_out(&mut self, told: &mut BTreeSet<String>) {
        let sources = &self.sources;
        self.diagnostics.retain(|found| {
            let span = found.span();
            let file = sources.get(span.file).map_or("", |file| file.name());
            let key = format!(
                "{} {file} {} {}",
                found.code.code, span.start, found.message
            );
            told.insert(key)
        });
    }

    /// Whether there is anything to say of the rules.
    pub(crate) fn is_clean(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Tells on stderr what is wrong with the rules, or may be.
    ///
    /// # Errors
    /// When stderr cannot be written.
    pub(crate) fn show_all_diagnostics(&self) -> Result<()> {
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

    /// What is wrong with the rules, or may be, as text.
    pub(crate) fn diagnostics_text(&self) -> String {
        diag::render_all(&self.sources, &self.diagnostics, Style::Plain)
    }

    /// What is wrong with the rules, or may be.
    pub(crate) fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Adds what follows from warnings at these places.
    pub(crate) fn add_notes(&mut self, notes: &[(Span, String)]) {
        let mut told = Diagnostics::new();
        for found in &std::mem::take(&mut self.diagnostics) {
            let mut found = found.clone();
            if found.code.spoils {
                let place = found.span();
                let own = notes.iter().filter(|(span, _)| *span == place);
                found.notes.extend(own.map(|(_, note)| note.clone()));
            }
            told.push(found);
        }
        self.diagnostics = told;
    }

    /// Adds what random games missed.
    pub(crate) fn add_of_games(&mut self, found: Diagnostics) {
        self.diagnostics.append(found);
    }

    /// Adds a fault that random games ended in, behind the mistakes that it may follow from and before all else. Warnings
    /// of the same places foresaw it: what they know is told with it.
    pub(crate) fn add_fault(&mut self, found: Diagnostics) {
        let mut others = std::mem::take(&mut self.diagnostics);
        let places: Vec<Span> = found.iter().map(Diagnostic::span).collect();
        let foresees = |other: &Diagnostic| {
            other.severity() == Severity::Warning && places.contains(&other.span())
        };
        let mut faults = Diagnostics::new();
        for told in &found {
            let mut told = told.clone();
            let same = |other: &&Diagnostic| foresees(other) && other.span() == told.span();
            let known: Vec<Diagnostic> = others.iter().filter(same).cloned().collect();
            for other in known {
                told.notes.push(other.message);
                told.notes.extend(other.notes);
                told.help = told.help.or(other.help);
            }
            faults.push(told);
        }
        others.retain(|other| !foresees(other));
        let (causes, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = others
            .iter()
            .partition(|other| !found.is_empty() && other.code.spoils);
        causes
            .into_iter()
            .for_each(|cause| self.diagnostics.push(cause.clone()));
        self.diagnostics.append(faults);
        others
            .into_iter()
            .for_each(|other| self.diagnostics.push(other.clone()));
    }

    /// What editors know of the rule file, where its name tells its language.
    pub(crate) fn index(&self) -> Option<Index> {
        let language = of_file(&self.file.to_string_lossy())?;
        let source = self.sources.files().first()?;
        Some((language.editing.index)(source))
    }

    /// The rule file, and those that it goes with.
    pub(crate) fn sources(&self) -> &SourceMap {
        &self.sources
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

    /// What tells the programs of one rule file apart.
    fn variant(&self) -> Result<String> {
        let mut parts = self.left_out()?;
        if self.pieces == Pieces::Named {
            parts.push(String::from("named"));
        }
        if let Some(evaluation) = &self.evaluation {
            let digest = sha256_of(evaluation.as_bytes());
            parts.push(format!("eval {digest}"));
        }
        Ok(parts.join(","))
    }

    /// The same rules, with an evaluation in a file that programs are built with.
    ///
    /// # Errors
    /// When the file cannot be read, is no evaluation, or one of other rules.
    pub(crate) fn with_evaluation(mut self, file: &Path) -> Result<Rules> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let evaluation = Evaluation::from_json(&text)
            .map_err(|error| anyhow::anyhow!("{} is no evaluation: {error}", file.display()))?;
        let own = self.sources.files().first();
        if own.is_none_or(|own| !evaluation.is_of_rules(own.sha256())) {
            bail!(
                "{} was learnt from other rules: run `evaluate` on these to make one that fits",
                file.display()
            );
        }
        self.evaluation = Some(text);
        Ok(self)
    }

    /// The same rules, compiled to a game whose positions know each piece by name.
    #[must_use]
    pub fn with_names(mut self) -> Rules {
        self.pieces = Pieces::Named;
        self
    }

    /// How the compiled game forgets the names of pieces, if it does.
    ///
    /// # Errors
    /// Why it needs them.
    pub fn quotient(&self) -> std::result::Result<Quotient, String> {
        match (&self.output, self.pieces) {
            (Some(output), Pieces::Alike) => Quotient::of(&output.game),
            (_, Pieces::Named) => Err(String::from("they are wanted")),
            (None, _) => Err(String::from("the rules have errors")),
        }
    }

    fn generation(&self, name: &str, dependency: &str) -> codegen::Options {
        let mut options = codegen::Options::new(name, dependency);
        options.names = self.pieces == Pieces::Named;
        options.evaluation.clone_from(&self.evaluation);
        options
    }

    /// The Rust text.
    ///
    /// # Errors
    /// When the rules have errors.
    pub fn rust(&self) -> Result<String> {
        let options = self.generation("game", "");
        Ok(self.compiled()?.rust(&options)?)
    }

    /// The files of a crate with this package name, for a runtime at this path.
    ///
    /// # Errors
    /// When the rules have errors.
    pub fn crate_files(&self, name: &str, runtime: &str) -> Result<CrateFiles> {
        let runtime = serde_json::to_string(runtime)?;
        let dependency = format!("{{ path = {runtime}, default-features = false }}");
        let options = self.generation(name, &dependency);
        Ok(self.compiled()?.crate_files(&options)?)
    }

    /// The files of a crate that becomes a shared library, for the interface at this path.
    ///
    /// # Errors
    /// When the rules have errors.
    pub fn library_crate(&self, name: &str, runtime: &str) -> Result<CrateFiles> {
        let interface = serde_json::to_string(&format!("{runtime}/abi"))?;
        let options = codegen::Options::library(name, &format!("{{ path = {interface} }}"));
        Ok(self.compiled()?.crate_files(&options)?)
    }

    /// The shared library, from the cache or made now.
    ///
    /// # Errors
    /// When the rules have errors or the library cannot be compiled.
    pub fn library(&self, tools: &Toolchain) -> Result<PathBuf> {
        let runtime = tools.runtime.to_string_lossy().replace('\\', "/");
        let variant = format!("lib,{}", self.left_out()?.join(","));
        tools.library(&self.file, &variant, |name| {
            self.library_crate(name, &runtime)
        })
    }

    /// The folder that the rules lie in.
    pub(crate) fn folder(&self) -> &Path {
        folder_of(&self.file)
    }

    /// Names and texts of the rule files.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let files = self.sources.files().iter();
        files
            .map(|file| (file.name().to_owned(), file.text().to_owned()))
            .collect()
    }

    /// The number and the text of the line in which something begins.
    pub(crate) fn line(&self, span: Span) -> Option<(u32, &str)> {
        let file = self.sources.get(span.file)?;
        let line = file.position(span.start).line;
        Some((line, file.slice(file.line_span(line))))
    }

    /// The rule files, as far as it is known where they lie, and the SHA-256 of what was read there.
    pub(crate) fn files(&self) -> Vec<(PathBuf, String)> {
        let here = self.folder();
        let here = here.canonicalize().unwrap_or_else(|_| here.to_owned());
        let lies = |name: &str| {
            let places = here.ancestors().map(|folder| folder.join(name));
            places.into_iter().find(|path| path.is_file())
        };
        let sources = self.sources.files().iter().enumerate();
        let found = sources.filter_map(|(index, source)| {
            let path = match index {
                0 => Some(self.file.clone()),
                _ => lies(source.name()),
            };
            Some((path?, source.sha256().to_owned()))
        });
        found.collect()
    }

    /// The files of a crate whose program can serve: the looks of the game and its pictures go with it, and with
    /// `reasons` the program as the rules spell it, for the interpreter. Its positions keep the names of all pieces.
    ///
    /// # Errors
    /// When the rules have errors.
    pub fn serving_crate(&self, name: &str, runtime: &str, reasons: bool) -> Result<CrateFiles> {
        let interpreter =
            format!("{{ path = \"{runtime}/../compiler/interpreted\", optional = true }}");
        let game = &self.compiled()?.game;
        let runtime = serde_json::to_string(runtime)?;
        let dependency = format!("{{ path = {runtime}, default-features = false }}");
        let mut options = self.generation(name, &dependency);
        // Pictures and moves call a piece by the same number, so that it can be clicked.
        options.names = true;
        options.look = Some(rulec_compiler::look::document(game).to_string());
        let pictures = crate::pictures::files(game, self.folder());
        options.pictures = rulec_render::pack(&pictures);
        if reasons {
            options.reasons = Some(codegen::Reasons {
                dependency: interpreter,
                program: rulec_compiler::ir::print::to_json(spelled(self.compiled()?))?,
                sources: serde_json::to_string(&self.texts())?,
            });
        }
        Ok(self.compiled()?.crate_files(&options)?)
    }

    /// The compiled program with the web board, with or without reasons.
    ///
    /// # Errors
    /// As [`Rules::program`].
    pub(crate) fn serving_program(&self, tools: &Toolchain, reasons: bool) -> Result<PathBuf> {
        let interpreter = tools.runtime.join("../compiler/interpreted/Cargo.toml");
        if reasons && !interpreter.exists() {
            bail!(
                "--reasons needs the compiler beside the runtime: {} is missing",
                interpreter.display()
            );
        }
        let runtime = tools.runtime.to_string_lossy().replace('\\', "/");
        let kind = if reasons { "reasons" } else { "serve" };
        let variant = format!("{kind},{}", self.variant()?);
        tools.program(&self.file, &variant, |name| {
            self.serving_crate(name, &runtime, reasons)
        })
    }

    /// The compiled program, from the cache or made now.
    ///
    /// # Errors
    /// When the rules have errors or the program cannot be compiled.
    pub fn program(&self, tools: &Toolchain) -> Result<PathBuf> {
        let runtime = tools.runtime.to_string_lossy().replace('\\', "/");
        tools.program(&self.file, &self.variant()?, |name| {
            self.crate_files(name, &runtime)
        })
    }
}

/// How many rows a trial list has; 0 for other rules.
fn rows_of(sources: &SourceMap, options: &Options) -> usize {
    let first = sources.files().first();
    let list = first.filter(|file| file.name().to_lowercase().ends_with(".csv"));
    let own = options
        .language
        .as_deref()
        .is_none_or(|language| language == "gs5");
    list.filter(|_| own).map_or(0, |file| {
        rulec_compiler::lang::gs5::rules_of_rows(file.text()).len()
    })
}

/// What to compile.
struct Wanted {
    file: PathBuf,
    lang: Option<String>,
    format: Format,
    warnings: Option<Warnings>,
    with: Vec<PathBuf>,
    settings: Vec<(String, String)>,
    without: Without,
    limit: Option<i64>,
    pieces: Pieces,
    /// Whether somebody will ask for symmetries and numbers of moves.
    ahead: bool,
}

impl Wanted {
    /// What the arguments of a command say.
    fn by(args: &RuleArgs) -> Wanted {
        let without = args.without.as_deref().unwrap_or("none");
        Wanted {
            file: args.file.clone(),
            lang: args.lang.clone(),
            format: args.format,
            warnings: args.warnings,
            with: args.with.clone(),
            settings: args.settings.clone(),
            without: without.parse().unwrap_or_default(),
            limit: None,
            pieces: args.pieces,
            ahead: true,
        }
    }

    /// One file as it is, with messages for people.
    fn only(file: &Path) -> Wanted {
        Wanted {
            file: file.to_owned(),
            lang: None,
            format: Format::Text,
            warnings: None,
            with: Vec::new(),
            settings: Vec::new(),
            without: Without::Nothing,
            limit: None,
            pieces: Pieces::default(),
            ahead: true,
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The name of a further file: from the folder that rules speak of, or with the folder it lies in.
fn inner_name(file: &Path) -> String {
    let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
    let known = |part: &&str| {
        matches!(
            *part,
            "shapes" | "boards" | "rules" | "cond" | "trial-lists"
        )
    };
    let start = parts.iter().position(|part| known(&part.as_ref()));
    let start = start.unwrap_or(parts.len().saturating_sub(2));
    let inner: Vec<_> = parts[start..]
        .iter()
        .filter(|part| !matches!(part.as_ref(), "/" | "." | ".."))
        .collect();
    inner
        .iter()
        .map(|part| part.as_ref())
        .collect::<Vec<_>>()
        .join("/")
}

/// Rounds in which files may name further files.
const ROUNDS: usize = 8;
/// Most files of one folder that are read.
const MOST_FILES: usize = 1000;

/// Reads the files that the files of the map speak of: they are looked for in the folder of the first and in all folders
/// above it. What is not there, the language complains about.
fn add_companions(file: &Path, sources: &mut SourceMap, options: &Options) -> Result<()> {
    find_companions(file, sources, |sources| Ok(companions(sources, options)?))
}

fn find_companions(
    file: &Path,
    sources: &mut SourceMap,
    companions: impl Fn(&SourceMap) -> Result<Vec<String>>,
) -> Result<()> {
    let start = match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let start = start.canonicalize().unwrap_or(start);
    let mut tried: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let wanted = companions(sources)?;
        let new: Vec<String> = wanted
            .into_iter()
            .filter(|name| !tried.contains(name))
            .collect();
        if new.is_empty() {
            break;
        }
        for name in new {
            let found = start
                .ancestors()
                .map(|folder| folder.join(&name))
                .find(|path| path.exists());
            if let Some(path) = found {
                add_found(&path, &name, sources)?;
            }
            tried.push(name);
        }
    }
    Ok(())
}

/// Adds the files that the first one of a map speaks of, as far as they can be read.
pub(crate) fn add_readable(
    file: &Path,
    sources: &mut SourceMap,
    options: &rulec_compiler::lang::Options,
) {
    let language = sources
        .files()
        .first()
        .and_then(|first| of_file(first.name()));
    if let Some(language) = language {
        // What cannot be read the language complains about.
        let _ = find_companions(file, sources, |sources| {
            Ok((language.companions)(sources, options))
        });
    }
}

fn add_found(path: &Path, name: &str, sources: &mut SourceMap) -> Result<()> {
    if !path.is_dir() {
        sources.add(name, read(path)?)?;
        return Ok(());
    }
    let entries =
        std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    for path in files.iter().take(MOST_FILES) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        sources.add(format!("{name}{file}"), read(path)?)?;
    }
    Ok(())
}

/// Where things are, by the options of the command line.
pub(crate) fn toolchain(args: &ToolArgs) -> Result<Toolchain> {
    let (runtime, target) = (args.runtime.as_deref(), args.target_dir.as_deref());
    let mut tools = Toolchain::find(runtime, target, args.lto)?;
    tools.native_cpu = args.native_cpu;
    Ok(tools)
}

/// The folder of the pictures: `images` beside the rules, if there is one.
pub(crate) fn image_folder(file: &Path) -> Option<PathBuf> {
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
    counts.push((game.rules().count(), "rule".to_owned()));
    counts
}

/// The program in whose words reasons and tests are told: as the rules spell it, unless its positions are written otherwise
/// than those of the engines. That is so where play stops within a function, whose variables only the passes make part of the
/// position.
pub(crate) fn spelled(output: &Output) -> &Game {
    let start = |game: &Game| {
        let interp = Interp::new(game.clone()).ok()?;
        Some(interp.state_text(&interp.initial()))
    };
    match start(&output.lowered) == start(&output.game) {
        true => &output.lowered,
        false => &output.game,
    }
}

/// The folder of a rule file.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
