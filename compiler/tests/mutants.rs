//! What once broke the compiler, made small: rules that are nonsense, or little more. Each is refused with diagnostics or compiles
//! to code; a program that is not sound after lowering or a pass is neither.

use std::path::{Path, PathBuf};

use rulec_compiler::codegen;
use rulec_compiler::pipeline::{Options, Passes, compile_text};

#[test]
fn rules_that_broke_the_compiler_break_it_no_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy();
        let text = std::fs::read(&file).expect("the rules can be read");
        for passes in [Passes::none(), Passes::all()] {
            let options = Options {
                passes,
                ..Options::default()
            };
            let output = match compile_text(&name, &text, &options) {
                Ok(output) => output,
                Err(error) => {
                    let told = error.to_string();
                    assert!(!told.contains("defect"), "{name}: {told}");
                    continue;
                }
            };
            if let Err(error) = output.rust(&codegen::Options::new("game", "")) {
                let broken = matches!(error, codegen::Error::Unparsable(_));
                assert!(!broken, "{name}: {error}");
            }
        }
    }
}
