//! `serve`: the interpreted game in a browser, and again whenever its rules change.

use std::fmt;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Error, Result};
use rulec_compiler::diag;
use rulec_compiler::source::sha256_of;
use rulec_serve::{Host, Loaded};
use serde_json::{Value, json};

use crate::args::{Engine, ServeLine};
use crate::rules::{self, Rules};
use crate::runner::Runner;
use crate::{Verdict, pictures};

/// Time between two looks at the rule files.
const LOOK: Duration = Duration::from_millis(250);
/// The stack of the thread that compiles beside the server: as much as that of a program.
const STACK: usize = 16 << 20;

pub(crate) fn serve(line: &ServeLine) -> Result<Verdict> {
    let load = || Rules::load(&line.rules, "all");
    let first = survive(load);
    let read = match first {
        Err(error) if line.watch && error.is::<BrokeDown>() => {
            tell(&error);
            None
        }
        other => Some(other?),
    };
    if let Some(read) = &read {
        read.show_diagnostics()?;
        if read.output.is_none() && !line.watch {
            return Ok(Verdict::Bad);
        }
        if line.engine == Engine::Native {
            let program = read.serving_program(&rules::toolchain(&line.tools)?, false)?;
            return crate::start_native(&program, &line.rules.file);
        }
    }
    let (mut game, files) = match read {
        Some(read) if read.output.is_some() => (loaded(&read, line.engine)?, read.files()),
        Some(read) => wait_for_rules(read.files(), load),
        None => {
            let file = &line.rules.file;
            let read = fingerprint(file).unwrap_or_default();
            wait_for_rules(vec![(file.clone(), read)], load)
        }
    };
    game.take_in(&line.serve.bots).map_err(Error::msg)?;
    let host = Host::new(game, line.serve.thinkers());
    if line.watch {
        let (host, rules) = (Arc::clone(&host), line.rules.clone());
        let watcher = std::thread::Builder::new()
            .name("watcher".to_owned())
            .stack_size(STACK);
        watcher.spawn(move || {
            let mut watched = Watched(files);
            loop {
                std::thread::sleep(LOOK);
                watched.look(&host, &|| Rules::load(&rules, "all"));
            }
        })?;
    }
    rulec_serve::serve(&host, &line.serve, &mut io::stdout()).context("cannot serve")?;
    Ok(Verdict::Good)
}

/// The compiler broke off: a defect of it, whatever the rules are.
#[derive(Debug)]
struct BrokeDown(String);

impl fmt::Display for BrokeDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = &self.0;
        write!(
            f,
            "the compiler broke down on these rules, which is a defect of it ({why}); their next version is tried again"
        )
    }
}

impl std::error::Error for BrokeDown {}

/// Does work that must not end whoever does it.
fn survive<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // What a panic leaves half done is thrown away: a version of the rules is taken over as a whole or not at all.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(BrokeDown(text.unwrap_or("without a word").to_owned()).into())
        }
    }
}

/// Says on the terminal why a version of the rules was not taken.
fn tell(error: &Error) {
    // Without a terminal there is nobody to tell; the page shows it too.
    let _ = writeln!(io::stderr(), "error: {error:#}");
}

/// The same for the page.
fn diagnostics(error: &Error) -> Value {
    let code = match error.is::<BrokeDown>() {
        true => &diag::command::BROKE_DOWN,
        false => &diag::command::NOT_READ,
    };
    json!([{
        "code": code.code,
        "severity": code.severity,
        "message": format!("{error:#}"),
        "labels": [],
        "notes": [],
        "help": null,
    }])
}

/// The game as an engine runs it here, with all that its page shows.
pub(crate) fn loaded(rules: &Rules, engine: Engine) -> Result<Loaded> {
    let output = rules.output.as_ref().context("the rules have errors")?;
    // The program as the rules spell it: reasons are told in its words.
    let lowered = crate::rules::spelled(output);
    let look = pictures::look_of(lowered, &output.game)?;
    let files = pictures::files(lowered, rules.folder());
    let mut loaded = match Runner::telling(&output.game, lowered, engine)? {
        Runner::Quick(game) => Loaded::new(*game, look),
        Runner::Interpreted(game) => Loaded::new(*game, look),
    };
    loaded.files = files;
    loaded.sources = rules.texts();
    loaded.diagnostics = rules.diagnostics_json();
    loaded.explains = true;
    Ok(loaded)
}

/// Rule files, and the SHA-256 of what was read there.
type Files = Vec<(PathBuf, String)>;

/// Rule files as they were read last: what is written while they are compiled is a change too.
struct Watched(Files);

impl Watched {
    /// Whether a file has another text than before.
    fn changed(&mut self) -> bool {
        let now: Vec<Option<String>> = self.0.iter().map(|(file, _)| fingerprint(file)).collect();
        // An editor may be about to put a file back: what cannot be read is waited for.
        let differs = |((_, before), now): (&(PathBuf, String), &Option<String>)| {
            now.as_ref().is_some_and(|now| now != before)
        };
        if !self.0.iter().zip(&now).any(differs) {
            return false;
        }
        for ((_, text), now) in self.0.iter_mut().zip(now) {
            *text = now.unwrap_or_default();
        }
        true
    }

    /// Looks at the files of a version from now on; those of the one before, too, where it does not compile, perhaps for
    /// want of them.
    fn follow(&mut self, files: Files, compiles: bool) {
        let before = std::mem::replace(&mut self.0, files);
        for old in before.into_iter().filter(|_| !compiles) {
            if !self.0.iter().any(|(file, _)| *file == old.0) {
                self.0.push(old);
            }
        }
    }

    /// Reads the rules again if a file changed. Whatever happens, the next change is looked for.
    fn look(&mut self, host: &Arc<Host>, load: &dyn Fn() -> Result<Rules>) {
        if !self.changed() {
            return;
        }
        match survive(|| renew(host, load)) {
            Ok((files, compiles)) => self.follow(files, compiles),
            Err(error) => {
                tell(&error);
                host.broken(diagnostics(&error));
            }
        }
    }
}

/// SHA-256 of a file, if it can be read.
fn fingerprint(file: &Path) -> Option<String> {
    Some(sha256_of(&std::fs::read(file).ok()?))
}

/// Takes a new version of the rules over if it compiles, and tells of which files with which texts it is made, and whether it does.
fn renew(host: &Arc<Host>, load: &dyn Fn() -> Result<Rules>) -> Result<(Files, bool)> {
    let read = load()?;
    // Without a terminal there is nobody to tell; the page shows them too.
    let _ = read.show_all_diagnostics();
    if read.output.is_none() {
        host.broken(read.diagnostics_json());
        return Ok((read.files(), false));
    }
    host.replace(loaded(&read, Engine::Quick)?);
    Ok((read.files(), true))
}

/// Waits until the rules compile: the game, and the files that it is made of.
fn wait_for_rules(files: Files, load: impl Fn() -> Result<Rules>) -> (Loaded, Files) {
    let mut watched = Watched(files);
    loop {
        std::thread::sleep(LOOK);
        if !watched.changed() {
            continue;
        }
        let tried = survive(|| {
            let read = load()?;
            read.show_all_diagnostics()?;
            let game = read
                .output
                .is_some()
                .then(|| loaded(&read, Engine::Quick))
                .transpose()?;
            Ok((game, read.files()))
        });
        match tried {
            Ok((Some(game), files)) => return (game, files),
            Ok((None, files)) => watched.follow(files, false),
            Err(error) => tell(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_watcher_survives_a_compiler_that_breaks_down() {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3");
        let file = std::env::temp_dir().join(format!("rulec-watched-{}.s3", std::process::id()));
        std::fs::copy(games.join("frogs.s3"), &file).expect("it can be copied");
        let read = Rules::open(&file, "all").expect("it can be read");
        let host = Host::new(loaded(&read, Engine::Quick).expect("a game"), 1);
        let mut watched = Watched(read.files());
        let tries = Cell::new(0);
        let load = || {
            tries.set(tries.get() + 1);
            match tries.get() {
                1 => panic!("byte index 7 is not a char boundary"),
                2 => anyhow::bail!("cannot read it"),
                _ => Rules::open(&file, "all"),
            }
        };
        let mut save = |text: &str| {
            let rules = std::fs::read_to_string(games.join("frogs.s3")).expect("it is there");
            std::fs::write(&file, rules + text).expect("it can be written");
            watched.look(&host, &load);
            host.rules_json()
        };
        for (text, code) in [("\n", "RC-E0002"), ("\n\n", "RC-E0003")] {
            let told = save(text);
            assert_eq!(told["broken"], true);
            assert_eq!(told["diagnostics"][0]["code"], code, "{told}");
        }
        let told = save("\n\n\n");
        assert_eq!(
            (told["broken"].as_bool(), told["version"].as_u64()),
            (Some(false), Some(4))
        );
        assert_eq!(tries.get(), 3);
        std::fs::remove_file(file).expect("it can be removed");
    }

    #[test]
    fn a_file_that_is_gone_hides_no_change_of_another() {
        let name = |part: &str| format!("rulec-watched-{part}-{}", std::process::id());
        let [one, other, new] =
            ["one", "other", "new"].map(|part| std::env::temp_dir().join(name(part)));
        let save = |file: &Path, text: &str| std::fs::write(file, text).expect("it is saved");
        let listed = |file: &PathBuf| (file.clone(), fingerprint(file).expect("it is there"));
        for file in [&one, &other, &new] {
            save(file, "as before");
        }
        let mut watched = Watched([&one, &other].map(listed).to_vec());
        std::fs::remove_file(&other).expect("it is there");
        assert!(!watched.changed(), "it may be put back");
        save(&one, "without the other");
        assert!(watched.changed() && !watched.changed());
        // What a version that does not compile asks for is looked at, and what it may have missed.
        watched.follow([&one, &new].map(listed).to_vec(), false);
        save(&other, "as before");
        assert!(watched.changed(), "it was missed");
        save(&new, "mended");
        assert!(watched.changed() && !watched.changed());
        watched.follow(vec![listed(&one)], true);
        save(&other, "no part of it");
        assert!(!watched.changed());
        // Nobody misses them if this fails.
        let _ = [one, other, new].map(std::fs::remove_file);
    }

    #[test]
    fn what_is_saved_while_the_rules_are_compiled_is_read_next() {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3");
        let name = format!("rulec-saved-meanwhile-{}.s3", std::process::id());
        let file = std::env::temp_dir().join(name);
        let rules = std::fs::read_to_string(games.join("frogs.s3")).expect("it is there");
        let save = |end: &str| std::fs::write(&file, format!("{rules}{end}")).expect("it is saved");
        save("");
        let first = Rules::open(&file, "all").expect("it can be read");
        let host = Host::new(loaded(&first, Engine::Quick).expect("a game"), 1);
        save("\n");
        let mut watched = Watched(first.files());
        let reads = Cell::new(0);
        let load = || {
            let read = Rules::open(&file, "all");
            reads.set(reads.get() + 1);
            if reads.get() == 1 {
                save("\n\n");
            }
            read
        };
        for expected in [1, 2, 2] {
            watched.look(&host, &load);
            assert_eq!(reads.get(), expected);
        }
        std::fs::remove_file(&file).expect("it can be removed");
    }
}
