//! Many games in one program: what they share is compiled once, and the first argument of the program names the game.
//!
//! Such programs are for comparisons. They are compiled as quickly as can be, with overflow and debug assertions tested;
//! games that have much to count can be optimised one by one.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::native::{CrateFiles, Toolchain, package_name};

/// Games that are modules of one crate; a program of many games consists of several, which are compiled side by side.
const TOGETHER: usize = 20;

/// What a game does by itself: its command line.
const COMMANDS: &str = "\
use std::{ffi::OsString, process::ExitCode};
pub fn run<G: rulec_runtime::FullGame>(game: &G, args: Vec<OsString>) -> ExitCode {
    rulec_runtime::command::game_main_from(game, args)
}
";

/// The code of the program when there is no game of the name.
const UNKNOWN: u8 = 9;

/// How a game is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Without optimisation: compiled in a fraction of a second.
    Quick,
    /// As programs of games are.
    Optimised,
}

/// A program of many games that is to be compiled.
#[derive(Clone, Debug)]
pub struct Bundle {
    name: String,
    entry: String,
    games: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    rust: String,
    speed: Speed,
}

impl Bundle {
    /// A program of this package name without games.
    pub fn new(name: &str) -> Bundle {
        Bundle {
            name: name.to_owned(),
            entry: COMMANDS.to_owned(),
            games: Vec::new(),
        }
    }

    /// The same with other commands: the text of a module with a function
    /// `pub fn run<G: rulec_runtime::FullGame>(game: &G, args: Vec<OsString>) -> ExitCode`.
    #[must_use]
    pub fn with_entry(mut self, module: &str) -> Bundle {
        module.clone_into(&mut self.entry);
        self
    }

    /// Adds a game, which the program's first argument is to name: its code, as [`crate::Rules::rust`] gives it.
    pub fn add(&mut self, name: &str, rust: String, speed: Speed) {
        self.games.push(Entry {
            name: name.to_owned(),
            rust,
            speed,
        });
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Removes the games whose code an error of the build names, and tells their names.
    pub fn remove_named_in(&mut self, errors: &str) -> Vec<String> {
        let modules: Vec<String> = (0..self.games.len()).map(|at| self.module(at)).collect();
        let mut modules = modules.into_iter();
        let mut removed = Vec::new();
        self.games.retain(|game| {
            let file = modules.next().unwrap_or_default() + ".rs";
            let named = errors.contains(&file);
            if named {
                removed.push(game.name.clone());
            }
            !named
        });
        removed
    }

    /// Compiles the program in a folder.
    ///
    /// # Errors
    /// When the crates cannot be written or do not build.
    pub fn build(&self, tools: &Toolchain, folder: &Path) -> Result<PathBuf> {
        tools.write_crate(folder, &self.files(&tools.runtime))?;
        tools.build_as(folder, &self.name, "compare")
    }

    /// Checks the types of the games, without making a program.
    ///
    /// # Errors
    /// When the crates cannot be written or rustc has anything against them.
    pub fn check(&self, tools: &Toolchain, folder: &Path) -> Result<()> {
        tools.write_crate(folder, &self.files(&tools.runtime))?;
        tools.check(folder, "compare")
    }

    /// The module of a game: its number keeps apart what has the same name.
    fn module(&self, at: usize) -> String {
        let name = self.games.get(at).map_or("", |game| &game.name);
        format!("g{at}_{}", package_name(Path::new(name)))
    }

    /// Numbers of games by the crates that they are in, with the speed of each.
    fn parts(&self) -> Vec<(Speed, Vec<usize>)> {
        let of = |speed| {
            let all: Vec<usize> = (0..self.games.len())
                .filter(|&at| self.games[at].speed == speed)
                .collect();
            let parts: Vec<_> = all.chunks(TOGETHER).map(<[usize]>::to_vec).collect();
            parts.into_iter().map(move |part| (speed, part))
        };
        of(Speed::Optimised).chain(of(Speed::Quick)).collect()
    }

    fn files(&self, runtime: &Path) -> CrateFiles {
        let runtime = runtime.to_string_lossy().replace('\\', "/");
        let dependency = format!(
            "rulec-runtime = {{ path = \"{runtime}\", default-features = false, features = [\"command\"] }}\n"
        );
        let package = |name: &str| {
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n"
            )
        };
        let (mut files, mut needs, mut calls) = (Vec::new(), String::new(), String::new());
        let (mut members, mut profiles) = (Vec::new(), String::new());
        for (number, (speed, games)) in self.parts().into_iter().enumerate() {
            let name = format!("{}-{number}", self.name);
            let folder = format!("parts/{number}");
            // Writing to a text cannot fail.
            let _ = writeln!(needs, "{name} = {{ path = \"{folder}\" }}");
            let _ = writeln!(
                calls,
                "        .or_else(|| {}::run(&name, &args))",
                name.replace('-', "_")
            );
            if speed == Speed::Optimised {
                let _ = writeln!(
                    profiles,
                    "\n[profile.compare.package.{name}]\nopt-level = 2"
                );
            }
            let manifest = format!("{}[dependencies]\n{dependency}", package(&name));
            files.push((format!("{folder}/Cargo.toml"), manifest));
            files.push((format!("{folder}/src/lib.rs"), self.part(&games)));
            files.push((format!("{folder}/src/entry.rs"), self.entry.clone()));
            for at in games {
                let path = format!("{folder}/src/{}.rs", self.module(at));
                files.push((path, self.games[at].rust.clone()));
            }
            members.push(format!("\"{folder}\""));
        }
        let main = format!(
            "fn main() -> std::process::ExitCode {{\n    let mut args: Vec<_> = std::env::args_os().collect();\n    \
             if args.len() < 2 {{\n        return std::process::ExitCode::from({UNKNOWN});\n    }}\n    \
             let name = args.remove(1).into_string().unwrap_or_default();\n    None\n{calls}        \
             .unwrap_or(std::process::ExitCode::from({UNKNOWN}))\n}}\n"
        );
        files.push(("src/main.rs".to_owned(), main));
        let manifest = format!(
            "{}[workspace]\nmembers = [{}]\n\n[dependencies]\n{needs}\n{PROFILE}{profiles}",
            package(&self.name),
            members.join(", ")
        );
        files.push(("Cargo.toml".to_owned(), manifest));
        files
    }

    fn part(&self, games: &[usize]) -> String {
        let (mut modules, mut arms) = (String::new(), String::new());
        for &at in games {
            let module = self.module(at);
            let _ = writeln!(modules, "mod {module};");
            let _ = writeln!(
                arms,
                "        {:?} => Some(entry::run(&{module}::Game, args.to_vec())),",
                self.games[at].name
            );
        }
        format!(
            "use std::{{ffi::OsString, process::ExitCode}};\nmod entry;\n{modules}\n\
             pub fn run(name: &str, args: &[OsString]) -> Option<ExitCode> {{\n    match name {{\n{arms}        \
             _ => None,\n    }}\n}}\n"
        )
    }
}

/// One profile for all such programs, so that they share what they depend on.
const PROFILE: &str = "\
[profile.compare]
inherits = \"dev\"
debug = false
incremental = false

[profile.compare.package.rulec-core]
opt-level = 1

[profile.compare.package.serde_json]
opt-level = 1
";

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(games: usize) -> Bundle {
        let mut bundle = Bundle::new("some");
        for at in 0..games {
            let speed = match at % 2 {
                0 => Speed::Quick,
                _ => Speed::Optimised,
            };
            bundle.add(&format!("game {at}"), "pub struct Game;".to_owned(), speed);
        }
        bundle
    }

    #[test]
    fn games_are_in_one_part_each_with_those_of_their_speed() {
        let bundle = bundle(2 * TOGETHER + 2);
        let parts = bundle.parts();
        assert_eq!(parts.len(), 4);
        let mut all: Vec<usize> = parts.iter().flat_map(|(_, games)| games.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..2 * TOGETHER + 2).collect::<Vec<_>>());
        for (speed, games) in parts {
            assert!(games.iter().all(|&at| bundle.games[at].speed == speed));
        }
    }

    #[test]
    fn games_that_do_not_build_are_removed_by_name() {
        let mut bundle = bundle(12);
        let error = "error[E0308]: mismatched types\n --> parts/0/src/g11_game_11.rs:3:1";
        assert_eq!(bundle.remove_named_in(error), ["game 11"]);
        assert_eq!(bundle.games.len(), 11);
        assert!(bundle.remove_named_in("error: no space left").is_empty());
    }
}
