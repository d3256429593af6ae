//! What is to be written of a game.

/// What the generated code looks like from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Path under which the generated code finds the runtime, `::rulec_runtime` as a rule.
    pub runtime: String,
    /// Name of the generated crate.
    pub crate_name: String,
    /// The dependency of the generated crate on the runtime, as the right side of a line of its
    /// manifest.
    pub dependency: String,
    /// How the game looks, for a crate whose program can serve: see [`crate::look`].
    pub look: Option<String>,
    /// The picture files of such a crate, as the runtime packs them into a text.
    pub pictures: String,
    /// What such a crate tells reasons from, if it does.
    pub reasons: Option<Reasons>,
    /// The text of an evaluation, as `evaluate` writes it, that players of such a program use.
    pub evaluation: Option<String>,
    /// Whether the crate is a shared library instead of a program.
    pub library: bool,
    /// Whether positions keep the names of pieces that nobody can tell apart.
    pub names: bool,
}

/// What a crate needs to say why a move is not legal: the interpreter and what it works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// The dependency of the generated crate on the interpreter, as the right side of a line of its manifest.
    pub dependency: String,
    /// The program as the rules spell it, as JSON.
    pub program: String,
    /// Names and texts of the rule files, as JSON.
    pub sources: String,
}

impl Options {
    /// The options for a crate of this name that finds the runtime by the given manifest line.
    pub fn new(crate_name: &str, dependency: &str) -> Options {
        Options {
            runtime: String::from("::rulec_runtime"),
            crate_name: crate_name.to_owned(),
            dependency: dependency.to_owned(),
            look: None,
            pictures: String::new(),
            reasons: None,
            evaluation: None,
            library: false,
            names: false,
        }
    }

    /// The options for a crate that becomes a shared library, which finds the interface by the given manifest line.
    pub fn library(crate_name: &str, dependency: &str) -> Options {
        Options {
            runtime: String::from("::rulec_abi"),
            library: true,
            ..Options::new(crate_name, dependency)
        }
    }
}
