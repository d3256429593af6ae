//! Files that must be rejected, with what is wrong where.

use rulec_compiler::diag::{Diagnostics, Severity};
use rulec_compiler::lang::Options;
use rulec_compiler::lang::bgm;
use rulec_compiler::source::SourceMap;

use crate::corpus::{files, folder};

/// File, code, and line and column of the place.
const WRONG: &[(&str, &str, u32, u32)] = &[
    ("contains_contains", "BGM-E0109", 5, 30),
    ("double_parameter", "BGM-E0115", 3, 20),
    ("effect_without_rule", "BGM-E0105", 3, 5),
    ("in_and_contains_disagree", "BGM-E0111", 8, 14),
    ("property_without_object", "BGM-E0105", 3, 5),
    ("reopened_other_type", "BGM-E0113", 3, 1),
    ("two_containers", "BGM-E0111", 7, 14),
    ("two_owners", "BGM-E0112", 5, 11),
    ("type_and_object", "BGM-E0114", 2, 5),
    ("type_not_last", "BGM-E0110", 5, 25),
    ("unknown_object", "BGM-E0102", 4, 18),
    ("unknown_type", "BGM-E0101", 4, 1),
];

#[test]
fn malformed_files_are_rejected_where_they_are_wrong() {
    let Some(folder) = folder() else { return };
    let mut found = Vec::new();
    for path in files(&folder.join("malformed")) {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let mut sources = SourceMap::new();
        let text = std::fs::read(&path).expect("the file can be read");
        let id = sources.add("malformed.bgm", text).expect("a small file");
        let mut diagnostics = Diagnostics::new();
        let options = Options::default();
        let front = bgm::compile(&sources, id, &options, &mut diagnostics);
        assert!(front.is_none(), "{name} is rejected");
        let errors: Vec<_> = diagnostics
            .iter()
            .filter(|d| d.severity() == Severity::Error)
            .collect();
        assert_eq!(errors.len(), 1, "{name}: {errors:#?}");
        let source = sources.get(id).expect("just added");
        let place = source.position(errors[0].span().start);
        found.push((name, errors[0].code.code, place.line, place.column));
    }
    let found: Vec<_> = found
        .iter()
        .map(|(n, c, l, k)| (n.as_str(), *c, *l, *k))
        .collect();
    assert_eq!(found, WRONG);
}
