//! Tests of the gs5 front end: text in, text out.

use rulec_ir::sorted::SortedSet;
use std::path::{Path, PathBuf};

use super::*;
use crate::diag::{CodeInfo, Severity, Style, general, render_all};

/// Compiles a file, with the files beside it that have its name and another ending, and the settings that comment lines of
/// the form `# with NAME=VALUE` name.
fn compile_file(path: &Path) -> (Option<Game>, Diagnostics, SourceMap) {
    let name = path.file_name().expect("a file").to_string_lossy();
    let bytes = std::fs::read(path).expect("it can be read");
    let mut others = Vec::new();
    for (ending, file) in [
        ("csv", "csv"),
        ("json", "json"),
        ("cond", "cond/condition.txt"),
    ] {
        let beside = path.with_extension(ending);
        if let Ok(bytes) = std::fs::read(&beside) {
            let name = match ending {
                "cond" => file.to_owned(),
                _ => beside
                    .file_name()
                    .expect("a file")
                    .to_string_lossy()
                    .into_owned(),
            };
            others.push((name, bytes));
        }
    }
    compile_text(&name, &bytes, &others)
}

fn compile_text(
    name: &str,
    bytes: &[u8],
    others: &[(String, Vec<u8>)],
) -> (Option<Game>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("a small file");
    for (name, bytes) in others {
        sources.add(name.as_str(), bytes).expect("a small file");
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    let with = text.lines().filter_map(|line| line.strip_prefix("# with "));
    let settings = with.filter_map(|setting| setting.split_once('='));
    let options = Options {
        settings: settings
            .map(|(a, b)| (a.to_owned(), b.trim().to_owned()))
            .collect(),
        ..Options::default()
    };
    let mut diagnostics = Diagnostics::new();
    let front = compile(&sources, id, &options, &mut diagnostics);
    (front.map(|front| front.game), diagnostics, sources)
}

fn texts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files
}

fn damaged_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail");
    let files = texts(&folder);
    assert!(files.len() >= 60, "only {} damaged files", files.len());
    files
}

#[test]
fn damaged_files_give_the_expected_diagnostics() {
    for path in damaged_files() {
        let (game, diagnostics, sources) = compile_file(&path);
        let name = path.display();
        assert!(!diagnostics.is_empty(), "{name} is not damaged");
        assert_eq!(game.is_none(), diagnostics.has_errors(), "{name}");
        let text = render_all(&sources, &diagnostics, Style::Plain);
        expect_test::expect_file![path.with_extension("stderr")].assert_eq(&text);
    }
}

#[test]
fn every_code_is_provoked_and_explained() {
    let mut seen = SortedSet::new();
    for path in damaged_files() {
        let (_, diagnostics, _) = compile_file(&path);
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code.code));
    }
    // A missing file is told of a trial list that comes first.
    let (_, missing, _) = compile_text("list.csv", b"rule_id\nnowhere\n", &[]);
    seen.extend(missing.iter().map(|diagnostic| diagnostic.code.code));
    let table: Vec<&CodeInfo> = codes::CODES.iter().chain(general::CODES).copied().collect();
    let missing: Vec<&str> = table
        .iter()
        .map(|info| info.code)
        .filter(|code| !seen.contains(code))
        .collect();
    assert!(missing.is_empty(), "nothing in fail/ provokes {missing:?}");
    for info in codes::CODES {
        let letter = match info.severity {
            Severity::Error => "GS5-E01",
            Severity::Warning => "GS5-W02",
        };
        assert!(info.code.starts_with(letter), "{}", info.code);
        assert!(
            info.explanation.len() > 40 && info.explanation.ends_with('.'),
            "{}",
            info.code
        );
    }
}

/// What the reference's list of corner cases accepts without a word: the number there, the rules, a property table.
const SILENT: &[(&str, &str, &str)] = &[
    ("a11", "(bucket:[0, this.pos/(this.pos-8)])\n", ""),
    ("a16", "(bucket:this.pos*2000000000)\n", ""),
    ("a17", "(bucket:[this.pos, p-1])\n", ""),
    (
        "a21",
        "(bucket:[!p*[0,1,2,3], p.suit])\n",
        "image,suit\na,\nb,hearts\n",
    ),
    ("a22", "(suit:hearts)\n", "image,suit\na,*\nb,hearts\n"),
    ("a23", "Order Some=[[1,2],3]\n(pos:Some)\n", ""),
    ("a28", "(count:2, color:red) (count:3, bucket:1)\n", ""),
    ("b19", "(color:red,\tbucket:1)\r\n\t()\r\n", ""),
    (
        "b20",
        "Order Gr\u{f6}\u{df}e=[1,2]\n(pos:Gr\u{f6}\u{df}e)\n",
        "",
    ),
];

#[test]
fn what_may_be_written_is_not_complained_of() {
    for (row, rules, table) in SILENT {
        let others = match table.is_empty() {
            true => Vec::new(),
            false => vec![("cards/properties.csv".to_owned(), table.as_bytes().to_vec())],
        };
        let (game, diagnostics, sources) = compile_text("rules.txt", rules.as_bytes(), &others);
        let text = render_all(&sources, &diagnostics, Style::Plain);
        assert!(game.is_some() && diagnostics.is_empty(), "{row}: {text}");
        let sound = game.map(|game| rulec_ir::ir::verify::verify(&game));
        assert_eq!(sound, Some(Ok(())), "{row}");
    }
}

#[test]
fn every_corner_case_of_the_reference_is_covered() {
    let files = damaged_files();
    let names = files.iter().filter_map(|path| path.file_name()?.to_str());
    let damaged: SortedSet<&str> = names.filter_map(|name| name.get(..3)).collect();
    let silent: SortedSet<&str> = SILENT.iter().map(|(row, ..)| *row).collect();
    let rows = (1..=30)
        .map(|n| format!("a{n:02}"))
        .chain((1..=22).map(|n| format!("b{n:02}")));
    let missing: Vec<String> = rows
        .filter(|row| !damaged.contains(row.as_str()) && !silent.contains(row.as_str()))
        .collect();
    assert!(missing.is_empty(), "nothing covers {missing:?}");
}

#[test]
fn own_rule_sets_have_no_errors() {
    let files = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../games/gs5"));
    assert!(!files.is_empty());
    for path in files {
        let (game, diagnostics, sources) = compile_file(&path);
        let text = render_all(&sources, &diagnostics, Style::Plain);
        assert!(game.is_some(), "{text}");
    }
}

/// Small damage at many places: nothing panics, and what is refused is told.
/// Rules that mean the same, spelled in several ways.
const ALIKE: &[&[&str]] = &[
    // Which kinds: by a key, by code, an atom for each.
    &[
        "(color:[red,blue], bucket:0)",
        "(code:this.color==[\"BLUE\",\"RED\"], bucket:0)",
        "(color:blue, bucket:4) (color:red, bucket:[0,4])",
    ],
    // Which cells: by a list, by arithmetic, in several atoms, with what asks nothing.
    &[
        "(pos:[1,2,3], bucket:p)",
        "(code:this.pos<=3, bucket:p)",
        "(pos:[3,1], bucket:p) (code:this.pos*2==4, bucket:p) (pos:2, bucket:p)",
        "(pos:[1,2,3], code:this, bucket:p)",
    ],
    // Which quarter of the board: by its bucket, by its cells.
    &[
        "(bucket:Nearby, color:red)",
        "(bucket:Remotest+2, color:red)",
        "(color:red, code:this.bucket==Nearby)",
        "(color:red, bucket:[0,1,2,3]*(this.bucket==Nearby))",
    ],
    // Which bucket, by where the last piece went: arithmetic, a comparison, each by itself.
    &[
        "(bucket:[!p*[0,1], p+1])",
        "(bucket:[(p+5)%4, !p*0, !p])",
        "(code:[!p*(this.bucket<2), (p+1)%4==this.bucket])",
        "(bucket:!p*[0,1]) (bucket:p+1) (code:!p, bucket:0)",
    ],
    // A comparison of cells, turned around and moved.
    &[
        "(code:this.pos>=last.pos, bucket:0)",
        "(code:!(this.pos<last.pos), bucket:0) (code:!last, bucket:0)",
    ],
];

#[test]
fn rules_that_mean_the_same_become_the_same_program() {
    for spellings in ALIKE {
        let mut first = None;
        for text in *spellings {
            let (game, diagnostics, sources) = compile_text("rules.txt", text.as_bytes(), &[]);
            let told = render_all(&sources, &diagnostics, Style::Plain);
            let game = game.unwrap_or_else(|| panic!("{text}: {told}"));
            let program = crate::ir::print::print(&game);
            let rows = program
                .split("\n\n")
                .filter(|part| part.starts_with("fn rebuild"));
            let program = rows.collect::<Vec<_>>().join("\n\n");
            let first = first.get_or_insert_with(|| program.clone());
            assert_eq!(program, *first, "{text}");
        }
    }
}

#[test]
fn many_rows_and_long_products_are_no_trouble() {
    let rows = "1 (bucket:0)\n".repeat(1000);
    let product = format!("(code:{})", ["[p,pc,ps,1,2,3]"; 7].join("*"));
    for text in [rows, product] {
        let (game, ..) = compile_text("rules.txt", text.as_bytes(), &[]);
        rulec_interp::Interp::new(game.expect("no errors")).expect("a sound program");
    }
}

#[test]
fn mutated_files_never_panic() {
    let mut seed = 1_u64;
    let mut next = move |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    };
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../games/gs5");
    let bits: [&[u8]; 16] = [
        b"(", b")", b"[", b"]", b",", b":", b"..", b"=", b"==", b"!", b"*", b"p", b"this.", b"99",
        b"\xff", b"\"",
    ];
    for path in texts(&games).into_iter().chain(damaged_files()) {
        let bytes = std::fs::read(&path).expect("it can be read");
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + next(3) {
                let at = next(damaged.len());
                match next(3) {
                    0 if !damaged.is_empty() => {
                        damaged.remove(at);
                    }
                    1 => damaged.truncate(at),
                    _ => {
                        let bit = bits[next(bits.len())];
                        damaged.splice(at..at, bit.iter().copied());
                    }
                }
            }
            let (game, diagnostics, _) = compile_text("damaged.txt", &damaged, &[]);
            assert_eq!(game.is_none(), diagnostics.has_errors());
        }
    }
}
