//! The rule languages.
//!
//! Each language is a crate that turns its texts into the IR and knows nothing of the others; [`LANGUAGES`] is the one
//! place that lists them. A feature of its name leaves each of them in.

#[cfg(feature = "bbgel")]
pub use rulec_bbgel as bbgel;
#[cfg(feature = "bgc")]
pub use rulec_bgc as bgc;
#[cfg(feature = "bgm")]
pub use rulec_bgm as bgm;
#[cfg(feature = "gs5")]
pub use rulec_gs5 as gs5;
pub use rulec_ir::front::{Front, Language, Options};
#[cfg(feature = "s3")]
pub use rulec_s3 as s3;

use crate::diag::{CodeInfo, command, general};

/// For languages whose files speak of no others.
#[cfg(any(feature = "s3", feature = "bgm", feature = "bbgel", feature = "bgc"))]
fn alone(_: &crate::source::SourceMap, _: &Options) -> Vec<String> {
    Vec::new()
}

/// All languages.
pub static LANGUAGES: &[Language] = &[
    #[cfg(feature = "s3")]
    Language {
        name: "s3",
        extensions: &["s3"],
        codes: s3::codes::CODES,
        compile: s3::compile,
        companions: alone,
        #[cfg(feature = "editing")]
        editing: s3::EDITING,
    },
    #[cfg(feature = "bgm")]
    Language {
        name: "bgm",
        extensions: &["bgm"],
        codes: bgm::codes::CODES,
        compile: bgm::compile,
        companions: alone,
        #[cfg(feature = "editing")]
        editing: bgm::EDITING,
    },
    #[cfg(feature = "bbgel")]
    Language {
        name: "bbgel",
        extensions: &["bbgel", "world", "tile"],
        codes: bbgel::codes::CODES,
        compile: bbgel::compile,
        companions: alone,
        #[cfg(feature = "editing")]
        editing: bbgel::EDITING,
    },
    #[cfg(feature = "bgc")]
    Language {
        name: "bgc",
        extensions: &["json"],
        codes: bgc::codes::CODES,
        compile: bgc::compile,
        companions: alone,
        #[cfg(feature = "editing")]
        editing: bgc::EDITING,
    },
    #[cfg(feature = "gs5")]
    Language {
        name: "gs5",
        extensions: &["txt", "csv"],
        codes: gs5::codes::CODES,
        compile: gs5::compile,
        companions: gs5::companions,
        #[cfg(feature = "editing")]
        editing: gs5::EDITING,
    },
];

/// The language of a file name, by its extension.
pub fn of_file(name: &str) -> Option<&'static Language> {
    let (_, extension) = name.rsplit_once('.')?;
    LANGUAGES
        .iter()
        .find(|language| language.extensions.contains(&extension))
}

/// All kinds of diagnostics: those that no language owns, then those of each language, in the order of their tables.
pub fn codes() -> impl Iterator<Item = &'static CodeInfo> {
    let tables = LANGUAGES.iter().map(|language| language.codes);
    let general = [general::CODES, command::CODES].into_iter();
    general.chain(tables).flatten().copied()
}

/// The kind of diagnostic that a code stands for, in any case of letters.
pub fn explain(code: &str) -> Option<&'static CodeInfo> {
    codes().find(|info| info.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_a_language_is_explained() {
        for language in LANGUAGES {
            assert!(!language.codes.is_empty(), "{}", language.name);
            for info in language.codes {
                assert_eq!(explain(info.code), Some(*info));
            }
        }
    }
}
