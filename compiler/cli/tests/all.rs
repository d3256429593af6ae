//! The tests of the command as one program: linked once, and none waits for the last test of a file before it.
//!
//! `cargo test -p rulec --test all docs::` runs those of one file.

#[path = "common/chromium.rs"]
mod chromium;
#[path = "common/corpus.rs"]
mod corpus;
#[path = "common/server.rs"]
mod server;

mod browser;
mod check;
mod circles;
mod codes;
mod command;
mod dependencies;
mod difftest;
mod docs;
mod editing;
mod explain;
mod futures;
mod install;
mod layering;
mod mistakes;
mod native;
mod orders;
mod passes;
mod pictures;
mod protocols;
mod published;
mod reasons;
mod same_game;
mod selfplay;
mod serve;
mod serving;
mod solving;
mod words;

#[test]
fn every_file_of_tests_is_among_the_modules() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let own = include_str!("all.rs");
    for entry in std::fs::read_dir(folder).expect("the tests are there") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_file = path.extension().is_some_and(|end| end == "rs") && name != "all";
        assert!(
            !is_file || own.contains(&format!("\nmod {name};\n")),
            "{name}"
        );
    }
}
