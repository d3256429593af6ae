//! Rewritten rules become nearly the same program: what the compiler makes of an idea does not hang on how it is spelled.
//!
//! Programs are compared by how many symbols of each sort they have, whatever their names: where a pass no longer knows what
//! a rule means, loops and tests take the place of operations on sets, and there are a tenth more or fewer of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use rulec_compiler::codegen;
use rulec_compiler::ir::visit::{walk_block, walk_exprs};
use rulec_compiler::ir::{ExprKind, MoveNumbers, ParamSource, StmtKind};
use rulec_compiler::opt::legal::sides;
use rulec_compiler::opt::patterns::{Way, ways};
use rulec_compiler::pipeline::{Options, Output, compile_text};
use rulec_compiler::quotient::Quotient;
use rulec_rewrites::{Spelling, rewrites, spellings};

/// Of a thousand symbols, so many may differ.
const MOST: usize = 35;

/// Rewrites of which another program is made, and why.
const OTHER: &[(&str, &str)] = &[
    // Two families of moves instead of one, each with code of its own.
    ("reversi.s3", "sides-apart"),
    // Sets of places are the same, but what is kept in a variable is looked up once in other statements, else each time.
    ("reversi.s3", "helpers"),
    // The code is the same, but tables of the symmetries are missing: they are not found below so many negations.
    ("connect_four.s3", "de-morgan"),
];

/// Symbols by what they are; names and numbers count as one each.
fn symbols(tokens: TokenStream, found: &mut BTreeMap<String, usize>) {
    const WORDS: &[&str] = &[
        "if",
        "else",
        "while",
        "for",
        "loop",
        "match",
        "let",
        "return",
        "fn",
        "u64",
        "count_ones",
    ];
    for token in tokens {
        let kind = match token {
            TokenTree::Group(group) => {
                symbols(group.stream(), found);
                format!("{:?}", group.delimiter())
            }
            TokenTree::Ident(name) if WORDS.iter().any(|word| name == word) => name.to_string(),
            TokenTree::Ident(_) => String::from("name"),
            TokenTree::Punct(punct) => punct.as_char().to_string(),
            TokenTree::Literal(_) => String::from("literal"),
        };
        *found.entry(kind).or_insert(0) += 1;
    }
}

fn output(name: &str, text: &str) -> Output {
    let options = Options::default();
    compile_text(name, text.as_bytes(), &options).expect("rules without errors")
}

fn rust(name: &str, text: &str) -> TokenStream {
    let options = codegen::Options::new("game", "rulec-runtime");
    codegen::render(&output(name, text).game, &options).expect("a program")
}

fn program(name: &str, text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    symbols(rust(name, text), &mut found);
    found
}

fn compare(path: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = std::fs::read_to_string(folder.join(path)).expect("the game is there");
    let (_, name) = path.split_once('/').expect("a folder");
    let (_, ending) = name.split_once('.').expect("an ending");
    let before = program(name, &text);
    let all: usize = before.values().sum();
    let mut wrong = Vec::new();
    for rewrite in rewrites(ending) {
        let Some(written) = rewrite.apply(&text, 1) else {
            continue;
        };
        if OTHER.contains(&(name, rewrite.name)) {
            continue;
        }
        let after = program(name, &written);
        let kinds = before
            .keys()
            .chain(after.keys().filter(|kind| !before.contains_key(*kind)));
        let count = |program: &BTreeMap<String, usize>, kind: &String| {
            program.get(kind).copied().unwrap_or(0)
        };
        let differ: usize = kinds
            .map(|kind| count(&before, kind).abs_diff(count(&after, kind)))
            .sum();
        if differ * 1000 > all * MOST {
            wrong.push(format!(
                "{}: {differ} of {all} symbols differ",
                rewrite.about
            ));
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

/// Rewrites whose positions keep the names of pieces although those of the original forget them, and why.
const NAMED: &[(&str, &str)] = &[];

#[test]
fn rewritten_rules_forget_the_names_of_pieces_as_their_originals_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3");
    let files = std::fs::read_dir(folder).expect("the games are there");
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    let (mut seen, mut wrong) = (0, Vec::new());
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "s3"))
    {
        let name = path.file_name().expect("it is a file").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("it can be read");
        let classes = |text: &str| {
            let quotient = Quotient::of(&output(&name, text).game);
            quotient.map(|quotient| quotient.classes.len())
        };
        let Ok(before) = classes(&text) else { continue };
        for rewrite in rewrites("s3") {
            let Some(written) = rewrite.apply(&text, 1) else {
                continue;
            };
            seen += 1;
            let after = classes(&written);
            if after != Ok(before) && !NAMED.contains(&(&name, rewrite.name)) {
                wrong.push(format!("{name} with {}: {after:?}", rewrite.about));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 100, "{seen} rewrites");
}

/// Spellings of which fewer symmetries are found than of their originals, and why.
const FEWER: &[(&str, &str)] = &[
    // Sides are told apart: the tray of yellow is asked, or who wins where nothing says that the scores add up to nine.
    ("connect_four.s3", "trays_are_empty"),
    ("dots_and_boxes.s3", "lines_are_used_up"),
    // Sides are not seen to be exchanged where one question is asked of both.
    ("connect_four.s3", "anywhere_like_the_new_disc"),
    // Whether a row is closed stays a loop or a recursion.
    ("reversi.s3", "lengths_kept"),
];

/// Spellings with more numbers of moves than their originals, and why.
const MORE_NUMBERS: &[(&str, &str)] = &[
    // Where a frog may go is asked of what stands somewhere, which numbers do not see.
    ("frogs.s3", "ways_by_place"),
    ("frogs.s3", "ways_listed"),
    ("frogs.s3", "ways_to_one_target"),
    // Several rules have moves from and to the same points.
    ("nine_mens_morris.s3", "a_rule_for_each_ring"),
    ("nine_mens_morris.s3", "round_and_across"),
    ("nine_mens_morris.s3", "slide_and_fly"),
    ("reversi.s3", "a_rule_for_each_side"),
];

/// What is told of a program.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// How many moves have numbers, if they have.
    moves: Option<u64>,
    /// How many members are alike others.
    alike: usize,
    /// How many symmetries the rules have, and how many of these the start.
    symmetries: [usize; 2],
    /// How many questions are asked of one place after another.
    questions: usize,
}

fn told(name: &str, text: &str) -> Told {
    let game = output(name, text).game;
    // Where one rule speaks of two trays, their places are one class.
    let classes = game.interchangeable.iter();
    let places = |(_, way): &(_, Way)| matches!(way, Way::Places { .. });
    Told {
        moves: game.numbers.as_ref().map(MoveNumbers::count),
        alike: classes.map(|class| class.members.len()).sum(),
        symmetries: [game.symmetries.order(), game.symmetries.of_start()],
        questions: ways(&game).iter().filter(|way| places(way)).count(),
    }
}

/// All spellings, each with what is told of its original and of itself: compiled once for all tests.
fn all_spellings() -> &'static [(Spelling, [Told; 2])] {
    static ALL: LazyLock<Vec<(Spelling, [Told; 2])>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3");
        let mut originals = BTreeMap::new();
        let mut all = Vec::new();
        for spelling in spellings().expect("they can be read") {
            let before = *originals.entry(spelling.game.clone()).or_insert_with(|| {
                let text = std::fs::read_to_string(folder.join(&spelling.game));
                told(&spelling.game, &text.expect("it can be read"))
            });
            let after = told(&spelling.game, &spelling.text);
            all.push((spelling, [before, after]));
        }
        all
    });
    &ALL
}

#[test]
fn spellings_have_the_moves_alike_members_and_symmetries_of_their_originals() {
    let mut wrong = Vec::new();
    for (spelling, [before, after]) in all_spellings() {
        let (game, name) = (spelling.game.as_str(), spelling.name.as_str());
        let fewer = FEWER.contains(&(game, name));
        let more = MORE_NUMBERS.contains(&(game, name));
        let more_moves = after.moves > before.moves;
        let same = after.alike == before.alike && (more_moves || after.moves == before.moves);
        if !same || more_moves != more || (after.symmetries == before.symmetries) == fewer {
            wrong.push(format!("{game}, {name}: {after:?}, not {before:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tic_tac_toe() {
    compare("s3/tic_tac_toe.s3");
}

#[test]
fn connect_four() {
    compare("s3/connect_four.s3");
}

#[test]
fn reversi() {
    compare("s3/reversi.s3");
}

#[test]
fn breakthrough() {
    compare("bgc/breakthrough.json");
}

#[test]
fn moves_of_figures_are_drawn_without_a_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/bgc");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for name in ["breakthrough.json", "hexguard.json", "knightthrough.json"] {
        let text = std::fs::read_to_string(folder.join(name)).expect("it can be read");
        let spelled = rewrites("json").iter().filter_map(|rewrite| {
            let written = rewrite.apply(&text, 1)?;
            Some((rewrite.name, written))
        });
        for (how, text) in std::iter::once(("as it is", text.clone())).chain(spelled) {
            seen += 1;
            if rust(name, &text).to_string().contains("support :: Seq") {
                wrong.push(format!("{name}, {how}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 9, "{seen}");
}

#[test]
fn whether_an_action_is_possible_is_a_condition_whatever_it_does_first() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/bgm/nim.bgm");
    let text = std::fs::read_to_string(file).expect("it can be read");
    let turn = "    effect players player.left\n";
    let turned = (1..=5).fold(text.clone(), |text, number| {
        let taken = format!("    effect remove Match r {number}\n");
        text.replace(&format!("{taken}{turn}"), &format!("{turn}{taken}"))
    });
    let required = turned.replace(
        &format!("Action Take2 Row r\n{turn}"),
        &format!("Action Take2 Row r\n    require contains r Match > 1\n{turn}"),
    );
    assert!(text != turned && turned != required, "{required}");
    for text in [text, turned, required] {
        let game = output("nim.bgm", &text).game;
        let mut tried = Vec::new();
        for function in &game.functions {
            walk_block(&function.body, &mut |stmt| {
                if let StmtKind::Trial { .. } = stmt.kind {
                    tried.push(function.name.clone());
                }
            });
        }
        assert!(tried.is_empty(), "{tried:?} in\n{text}");
    }
}

/// A step of a white pawn to the last row, and to any other.
const PROMOTION: &str = r#"[
    {
        "y": 1,
        "if": [{ "self": { "player": "white" }, "target": { "coordinates": { "y": 7 } } }],
        "cell_actions": { "destination": [{
            "actions": [{ "action": "replace", "parameters": { "new_figure": ["queen", "rook"] } }, "move"],
            "if": [{ "computed": { "is_empty": true } }]
        }] }
    },
    {
        "y": 1,
        "if": [{ "self": { "player": "white" } }],
        "cell_actions": { "destination": [{ "actions": ["move"], "if": [{ "computed": { "is_empty": true } }] }] }
    }
]"#;

#[test]
fn figures_that_promote_by_an_entry_of_its_own_make_a_program() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/bgc/chess.json");
    let text = std::fs::read_to_string(file).expect("it can be read");
    let mut game: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let entries: Vec<serde_json::Value> = serde_json::from_str(PROMOTION).expect("JSON");
    let pawn = game.pointer_mut("/figures/pawn/movement");
    let pawn = pawn.and_then(serde_json::Value::as_array_mut);
    pawn.expect("pawns move").splice(1..2, entries);
    let rust = rust("chess.json", &game.to_string()).to_string();
    assert!(!rust.contains("! ()"), "a condition is empty");
}

/// Spellings whose recursion is charged for, call by call, so that no set stands for it. What is turned over is found by sets all the
/// same.
const ONE_BY_ONE: &[(&str, &str)] = &[
    // Guards that call what holds for all candidates; the calls look at no place.
    ("reversi.s3", "lengths_kept"),
    // A middle is worked out where a move is made, after its guard has found it, and nobody needs it there.
    ("frogs.s3", "ways_by_condition"),
];

#[test]
fn questions_spelled_by_hand_are_asked_of_sets() {
    let mut wrong = Vec::new();
    for (spelling, [before, after]) in all_spellings() {
        let (game, name) = (spelling.game.as_str(), spelling.name.as_str());
        let (before, after) = (before.questions, after.questions);
        if (after > before) != ONE_BY_ONE.contains(&(game, name)) {
            wrong.push(format!("{game}, {name}: {after} questions, not {before}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_ends_a_game_anywhere_is_asked_where_a_move_changed_the_board() {
    let mut seen = 0;
    for spelling in spellings().expect("they can be read") {
        if !spelling.name.starts_with("anywhere") {
            continue;
        }
        seen += 1;
        let game = output(&spelling.game, &spelling.text).game;
        let name = format!("{}, {}", spelling.game, spelling.name);
        let ends = match spelling.name.as_str() {
            // One is asked for each colour of the new disc.
            "anywhere_two_ends" | "anywhere_like_the_new_disc" => 2,
            _ => 1,
        };
        assert_eq!(game.unsure.len(), ends, "{name}");
    }
    assert!(seen > 7, "{seen}");
}

#[test]
fn loops_count_at_once_unless_a_round_leaves_something_to_the_next() {
    let all = spellings().expect("they can be read");
    let counted = all
        .iter()
        .find(|spelling| spelling.name == "counted_places");
    let text = &counted.expect("it is there").text;
    let places = "IF(MayPlace($ME), ";
    let bounded = text.replace(places, "IF(($PLACES < 3) AND MayPlace($ME), ");
    let carried = text.replace(
        places,
        "$SEEN = $LAST\n  $LAST = $Y\n  IF(($SEEN < 5) AND MayPlace($ME), ",
    );
    let carried = carried.replace("  $PLACES = 0\n", "  $PLACES = 0\n  $LAST = 0\n");
    assert!(bounded != *text && carried != bounded);
    for (text, loops) in [(text, 0), (&bounded, 1), (&carried, 1)] {
        let game = output("reversi.s3", text).game;
        let mut found = 0;
        for function in game.functions.iter().filter(|f| f.name == "PlacesOf") {
            walk_block(&function.body, &mut |stmt| {
                found += usize::from(matches!(stmt.kind, StmtKind::For { .. }));
            });
        }
        assert_eq!(found.min(1), loops, "{text}");
    }
}

#[test]
fn pieces_that_are_asked_one_after_the_other_are_asked_at_once() {
    let mut seen = 0;
    for spelling in spellings().expect("they can be read") {
        if spelling.game != "fox_and_hounds.s3" || !spelling.name.starts_with("hounds_by_") {
            continue;
        }
        seen += 1;
        let game = output(&spelling.game, &spelling.text).game;
        let mut named = BTreeSet::new();
        for function in &game.functions {
            walk_exprs(&function.body, &mut |expr| {
                if let ExprKind::PlaceOf(_, piece) = &expr.kind {
                    named.extend(piece.as_const().map(|piece| format!("{piece:?}")));
                }
            });
        }
        assert_eq!(named.len(), 1, "{}: {named:?}", spelling.name);
    }
    assert_eq!(seen, 3);
}

#[test]
fn one_rule_for_both_players_is_written_for_each() {
    let mut seen = 0;
    for spelling in spellings().expect("they can be read") {
        if !spelling.name.starts_with("one_rule") {
            continue;
        }
        seen += 1;
        let name = format!("{}, {}", spelling.game, spelling.name);
        let game = output(&spelling.game, &spelling.text).game;
        assert_eq!(sides::apart(&game).len(), 1, "{name}");
        // Who moves next is known in each copy of the step, and pieces that one player has are drawn without a choice.
        let rust = rust(&spelling.game, &spelling.text).to_string();
        assert!(rust.contains("'game :"), "{name}");
        assert!(rust.contains("= list_0 . first ()"), "{name}");
    }
    assert!(seen > 4, "{seen}");
}

#[test]
fn one_rule_that_leads_pieces_different_ways_is_written_for_each() {
    let mut seen = 0;
    for spelling in spellings().expect("they can be read") {
        let game = output(&spelling.game, &spelling.text).game;
        if !spelling.name.starts_with("ways_") || spelling.game != "frogs.s3" {
            assert!(game.parts.is_empty(), "{}", spelling.name);
            continue;
        }
        seen += 1;
        assert_eq!(game.parts.len(), game.rules().count(), "{}", spelling.name);
        for part in &game.parts {
            let [own, rule] = [part.family, part.rule].map(|id| &game.family(id).params[0].source);
            let halves = [vec![0, 1, 2], vec![3, 4, 5]].map(ParamSource::Among);
            assert_eq!([rule, own], [&halves[0], &halves[1]], "{}", spelling.name);
        }
    }
    assert!(seen > 4, "{seen}");
}

#[test]
fn rules_for_parts_of_a_board_are_drawn_as_one() {
    let mut seen = 0;
    for spelling in spellings().expect("they can be read") {
        let own = ["a_rule_for_each_column", "a_column_for_each_rule"];
        if !own.contains(&spelling.name.as_str()) {
            continue;
        }
        seen += 1;
        let rust = rust(&spelling.game, &spelling.text).to_string();
        let counts = |arm: &usize| {
            let (alone, beside) = (format!("let count_{arm} "), format!(", count_{arm})"));
            rust.contains(&alone) || rust.contains(&beside)
        };
        let counted = (0..14).filter(counts);
        // One for each side.
        assert_eq!(counted.count(), 2, "{}", spelling.name);
        assert!(!rust.contains("targets_2"), "{}", spelling.name);
    }
    assert_eq!(seen, 2);
}

#[test]
fn runs_counted_both_ways_are_lines_without_ends() {
    let mut seen = 0;
    for spelling in spellings().expect("they can be read") {
        if spelling.game != "connect_four.s3" || !spelling.name.starts_with("lengths") {
            continue;
        }
        seen += 1;
        let game = output(&spelling.game, &spelling.text).game;
        let mut tables = game.tables.iter().map(|table| table.name.as_str());
        let ends = tables.find(|name| name.starts_with("lines with ends"));
        assert_eq!(ends, None, "{}", spelling.name);
    }
    assert!(seen > 2, "{seen}");
}
