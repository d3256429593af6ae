//! Games are the same run quickly and by the reference interpreter: moves, ends, texts of positions, scores, events, which
//! positions are equal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rulec_compiler::ir::{
    Axis, BinaryOp, CONTROL_MARK, Const, Expr, ExprKind, Game as IrGame, Stmt, StmtKind, Type, Var,
    VarId,
};
use rulec_compiler::opt::PASSES;
use rulec_compiler::pipeline::{Options, Output, compile, compile_text};
use rulec_compiler::source::{SourceMap, Span};
use rulec_core::{
    ChanceList, ChoiceSet, Event, FullGame, Game, MoveList, Playout, Rng, StateText, Turn,
    listed_playout,
};
use rulec_interpreted::InterpretedGame;
use rulec_quick::QuickGame;
use rulec_random_rules::LANGUAGES;
use rulec_search::perft::{self, Task, Unit};

fn options() -> Options {
    Options::default()
}

/// What random games came across.
#[derive(Default)]
struct Seen {
    positions: usize,
    keys: BTreeMap<u64, u64>,
}

fn texts<G: FullGame>(game: &G, state: &G::State) -> String {
    let mut text = String::new();
    game.write_state(state, &mut text);
    text
}

fn outcome<G: FullGame>(game: &G, state: &G::State) -> String {
    match game.outcome(state) {
        None => String::new(),
        Some(outcome) => match outcome.reason {
            rulec_core::Reason::Fault(fault) => {
                let site = &game.info().faults[usize::from(fault.site)];
                format!("{} {} at {}", site.code, site.message, site.origin)
            }
            reason => format!("{reason:?} {:b}", outcome.winners),
        },
    }
}

/// Everything that both tell of a position, and the moves that are there.
fn tell<G: FullGame>(game: &G, state: &G::State) -> (Vec<String>, Vec<u64>) {
    let mut told = vec![
        texts(game, state),
        format!("{:?} {:?}", game.turn(state), game.player(state)),
        outcome(game, state),
    ];
    let (mut scores, mut meters) = (Vec::new(), Vec::new());
    game.scores(state, &mut scores);
    game.meters(state, &mut meters);
    told.push(format!("scores {scores:?}, meters {meters:?}"));
    let mut moves = MoveList::new();
    let legal = game.legal_moves(state, &mut moves);
    let codes: Vec<u64> = moves.iter().map(|mv| game.move_code(*mv)).collect();
    let mut distinct = MoveList::new();
    let _ = game.distinct_moves(state, &mut distinct);
    let distinct: Vec<u64> = distinct.iter().map(|mv| game.move_code(*mv)).collect();
    told.push(format!(
        "{} legal {codes:?}, distinct {distinct:?}",
        legal.is_ok()
    ));
    let mut results = ChanceList::new();
    game.chance_outcomes(state, &mut results);
    let results: Vec<(u64, u64)> = results
        .iter()
        .map(|(mv, weight)| (game.move_code(*mv), *weight))
        .collect();
    told.push(format!("results {results:?}"));
    let mut next = codes;
    next.extend(results.iter().map(|(mv, _)| mv));
    (told, next)
}

fn compare(
    slow: &InterpretedGame,
    quick: &QuickGame,
    games: u64,
    plies: usize,
    seen: &mut Seen,
) -> Result<(), String> {
    for number in 0..games {
        let mut rng = Rng::new(number, 7);
        let (mut a, mut b) = (slow.initial(), quick.initial());
        let mut played = Vec::new();
        for ply in 0..=plies {
            let ((told_a, next), (told_b, _)) = (tell(slow, &a), tell(quick, &b));
            for (a, b) in told_a.iter().zip(&told_b) {
                // Where play stopped is told by the process there and by the machine here.
                let rules = |text: &str| text.split(CONTROL_MARK).next().map(str::to_owned);
                if rules(a) != rules(b) {
                    return Err(format!("after {played:?}\nreference {a}\nquick     {b}"));
                }
            }
            seen.positions += 1;
            let (key_a, key_b) = (slow.key(&a), quick.key(&b));
            if *seen.keys.entry(key_a).or_insert(key_b) != key_b {
                return Err(format!("after {played:?} other positions are equal"));
            }
            if ply % 16 == 5 {
                let read = quick.parse_state(&told_b[0]);
                let read = read.map_err(|error| format!("after {played:?}: {error}"))?;
                if tell(quick, &read).0 != told_b {
                    return Err(format!("after {played:?} another position is read"));
                }
            }
            if next.is_empty() || slow.turn(&a) == Turn::Over {
                break;
            }
            let code = next[rng.below64(next.len() as u64) as usize];
            played.push(code);
            let (mut events_a, mut events_b): (Vec<Event>, Vec<Event>) = Default::default();
            let (Some(mv), Some(other)) = (slow.move_from_code(code), quick.move_from_code(code))
            else {
                return Err(format!("after {played:?} there is no such move"));
            };
            slow.play(&mut a, mv, &mut events_a);
            quick.play(&mut b, other, &mut events_b);
            if events_a != events_b {
                return Err(format!(
                    "after {played:?} events differ:\nreference {events_a:?}\nquick     {events_b:?}"
                ));
            }
        }
    }
    Ok(())
}

fn files() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("RULEC_CORPUS");
    let corpus = corpus.map_or_else(|| here.join("../../../shared/corpus"), PathBuf::from);
    let mut files = Vec::new();
    let mut folders = vec![here.join("../../games"), corpus];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn compiled(path: &Path) -> Option<Output> {
    let name = path.file_name()?.to_str()?;
    let known = ["s3", "bgm", "bbgel", "world", "tile", "json"];
    let ending = path.extension()?.to_str()?;
    known.contains(&ending).then_some(())?;
    let text = std::fs::read(path).ok()?;
    compile_text(name, &text, &options()).ok()
}

#[test]
fn games_play_as_in_the_reference_interpreter() {
    let only = std::env::var("RULEC_GAMES").unwrap_or_default();
    let long = std::env::var_os("RULEC_LONG").is_some();
    let (games, plies) = if long { (40, 400) } else { (4, 60) };
    let (mut compared, mut left, mut wrong) = (0, Vec::new(), Vec::new());
    for path in files() {
        let name = path.display().to_string();
        if !name.contains(&only) {
            continue;
        }
        let Some(output) = compiled(&path) else {
            continue;
        };
        let quick = match QuickGame::new(output.game) {
            Ok(quick) => quick,
            Err(error) => {
                left.push(format!("{name}: {error}"));
                continue;
            }
        };
        let slow = InterpretedGame::new(output.lowered).expect("the game is sound");
        let mut seen = Seen::default();
        match compare(&slow, &quick, games, plies, &mut seen) {
            Ok(()) => compared += 1,
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    println!(
        "{compared} games compared; not run quickly:\n{}",
        left.join("\n")
    );
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(
        compared >= 20 || !only.is_empty(),
        "only {compared} games were found"
    );
}

/// Random games without a list at each ply are those with one, but where candidates are drawn and judged then.
/// Most sequences that are counted one by one in a game.
const MOST_SEQUENCES: u64 = 8_000;

#[test]
fn moves_that_lead_to_the_same_counts_may_be_played_once() {
    let mut weighed = 0;
    for path in files() {
        let Some(output) = compiled(&path) else {
            continue;
        };
        let Ok(game) = QuickGame::new(output.game) else {
            continue;
        };
        if game.info().alike.is_empty() || !game.info().exact_classes {
            continue;
        }
        let start = rulec_search::start(&game);
        for unit in [Unit::Move, Unit::Decision] {
            let count = |depth, one_by_one| {
                let choices = ChoiceSet::All;
                let task = Task {
                    depth,
                    unit,
                    choices,
                    one_by_one,
                };
                let (counts, mut parts) = perft::divide(&*start, &task, 1, &mut |_| true);
                parts.sort();
                (counts, parts)
            };
            let few = |depth: &u32| count(*depth, false).0.depths[*depth as usize] < MOST_SEQUENCES;
            let depth = (1..8).take_while(few).last().unwrap_or(1) + 1;
            assert_eq!(count(depth, false), count(depth, true), "{path:?} {unit:?}");
        }
        weighed += 1;
    }
    assert!(weighed > 20, "{weighed}");
}

/// Compares random games with those that list all moves of each position; where a rule goes wrong the first of them is played again.
fn random_games(quick: &QuickGame, judged: bool, name: &str) {
    let mut room = MoveList::new();
    for (number, choices) in (0..6).zip([ChoiceSet::All, ChoiceSet::Distinct].iter().cycle()) {
        let (mut a, mut b) = (quick.initial(), quick.initial());
        let (mut first, mut second) = (Rng::new(number, 3), Rng::new(number, 3));
        let drawn = quick.random_playout(&mut a, &mut first, 80, *choices, &mut room);
        let listed = listed_playout(quick, &mut b, &mut second, 80, *choices, &mut room);
        assert_eq!(drawn.outcome, quick.outcome(&a), "{name}");
        if !judged {
            let told = |playout: &Playout| (playout.plies, playout.moves, playout.outcome);
            assert_eq!(told(&drawn), told(&listed), "{name}");
            assert_eq!(texts(quick, &a), texts(quick, &b), "{name}");
        }
    }
}

/// Whether positions after moves are judged.
fn is_judged(game: &IrGame) -> bool {
    game.families.iter().any(|family| family.after.is_some())
}

#[test]
fn random_games_are_those_with_lists() {
    for path in files() {
        let Some(output) = compiled(&path) else {
            continue;
        };
        let judged = is_judged(&output.game);
        let Ok(quick) = QuickGame::new(output.game) else {
            continue;
        };
        random_games(&quick, judged, &path.display().to_string());
    }
}

/// Random programs of each language.
const PROGRAMS: u64 = 60;
const MANY_PROGRAMS: u64 = 3_000;

#[test]
fn random_programs_play_as_in_the_reference_interpreter() {
    let long = std::env::var_os("RULEC_LONG").is_some();
    let programs = if long { MANY_PROGRAMS } else { PROGRAMS };
    let mut wrong = Vec::new();
    for language in LANGUAGES {
        let (mut compared, mut positions) = (0, 0);
        let mut left: BTreeMap<String, usize> = BTreeMap::new();
        for seed in 0..programs {
            let rules = language.rules(seed);
            let mut sources = SourceMap::new();
            for (name, text) in &rules.files {
                sources.add(name, text.as_bytes()).expect("a small file");
            }
            let options = Options {
                settings: rules.settings.clone(),
                ..options()
            };
            let Ok((Some(output), _)) = compile(&sources, &options) else {
                continue;
            };
            let judged = is_judged(&output.game);
            let quick = match QuickGame::new(output.game) {
                Ok(quick) => quick,
                Err(error) => {
                    *left.entry(error.to_string()).or_insert(0) += 1;
                    continue;
                }
            };
            let slow = InterpretedGame::new(output.lowered).expect("the game is sound");
            let mut seen = Seen::default();
            if let Err(error) = compare(&slow, &quick, 3, 30, &mut seen) {
                wrong.push(format!("{}, seed {seed}: {error}", language.name));
            }
            random_games(&quick, judged, &format!("{}, seed {seed}", language.name));
            compared += 1;
            positions += seen.positions;
        }
        println!(
            "{}: {compared} programs, {positions} positions, not run quickly {left:?}",
            language.name
        );
        assert!(
            compared > 0,
            "{} has no program that is run quickly",
            language.name
        );
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// A game after those passes that are needed, or after all of them.
fn passed(mut game: IrGame, all: bool) -> IrGame {
    for pass in PASSES.iter().filter(|pass| all || pass.needed) {
        (pass.run)(&mut game);
    }
    game
}

/// Random games of the IR.
const GAMES: u64 = 100;
const MANY_GAMES: u64 = 5_000;
/// Those among others that differed once: a decision behind a move runs into a fault.
const FOUND: [u64; 2] = [366, 1162];

/// The samples and random games have all kinds of statements, trials in loops and functions that call themselves among them,
/// and run into faults.
#[test]
fn games_of_the_ir_play_as_in_the_reference_interpreter() {
    let long = std::env::var_os("RULEC_LONG").is_some();
    let seeds = 0..if long { MANY_GAMES } else { GAMES };
    let samples = rulec_samples::all().into_iter();
    let samples = samples.map(|(name, game)| (name.to_owned(), game));
    let random = seeds.chain(FOUND);
    let random = random.map(|seed| (format!("seed {seed}"), rulec_samples::random_game(seed)));
    let (mut compared, mut wrong) = (0, Vec::new());
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for (name, game) in samples.chain(random) {
        for all in [false, true] {
            let game = passed(game.clone(), all);
            let quick = match QuickGame::new(game.clone()) {
                Ok(quick) => quick,
                Err(error) => {
                    *left.entry(error.to_string()).or_insert(0) += 1;
                    continue;
                }
            };
            compared += 1;
            let name = format!("{name}, all passes {all}");
            random_games(&quick, is_judged(&game), &name);
            let slow = InterpretedGame::new(game).expect("the game is sound");
            if let Err(error) = compare(&slow, &quick, 3, 30, &mut Seen::default()) {
                wrong.push(format!("{name}: {error}"));
            }
        }
    }
    println!("{compared} games compared, not run quickly {left:?}");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(compared >= 20, "only {compared} games are run quickly");
}

/// A game that begins with the making of a long sequence in many steps, the last item of which divides.
fn roomy() -> IrGame {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3/nim.s3");
    let mut game = compiled(&file).expect("it compiles").game;
    let span = Span::default();
    let of = |cap| Type::Seq {
        item: Box::new(Type::INT),
        cap,
    };
    let mut var = |name: &str, ty: Type, init: Const| {
        game.vars.push(Var {
            name: name.to_owned(),
            axes: Vec::new(),
            ty,
            init: vec![init],
            meter: true,
            span,
        });
        VarId::from(game.vars.len() - 1)
    };
    let items = var("items", of(4000), Const::Seq(Vec::new()));
    let ratio = var("ratio", Type::INT, Const::Int(0));
    let int = |kind| Expr::new(kind, Type::INT, span);
    let number = |value| int(ExprKind::Const(Const::Int(value)));
    let before = || Box::new(Expr::new(ExprKind::Var(items, Vec::new()), of(4000), span));
    let mut start = Vec::new();
    for n in 0..20 {
        let next = Expr::new(ExprKind::SeqOf(vec![number(19 - n)]), of(1), span);
        let kind = ExprKind::Binary(BinaryOp::Concat, before(), Box::new(next));
        let value = Expr::new(kind, of(4001), span);
        let kind = StmtKind::SetVar(items, Vec::new(), value);
        start.push(Stmt { kind, span });
    }
    let last = int(ExprKind::Item(before(), Box::new(number(19))));
    let value = ExprKind::Binary(BinaryOp::Div, Box::new(number(1)), Box::new(last));
    let kind = StmtKind::SetVar(ratio, Vec::new(), int(value));
    start.push(Stmt { kind, span });
    let machine = game.machine.as_mut().expect("a machine");
    machine.start.splice(0..0, start);
    game
}

/// What is worked out on the way may take more words than operations can name.
#[test]
fn long_sequences_leave_room_for_the_rest() {
    let game = roomy();
    let slow = InterpretedGame::new(game.clone()).expect("the game is sound");
    let quick = QuickGame::new(game).expect("it is run quickly");
    let told = outcome(&quick, &quick.initial());
    assert!(told.starts_with("division-by-zero"), "{told}");
    assert_eq!(outcome(&slow, &slow.initial()), told);
}

/// A game whose start begins with an assignment to a cell outside of its variable, of one divided by a number, or of a
/// sequence of that alone.
fn assigning(is_seq: bool, by: i64) -> IrGame {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/s3/nim.s3");
    let mut game = compiled(&file).expect("it compiles").game;
    let span = Span::default();
    let int = |kind| Expr::new(kind, Type::INT, span);
    let number = |value| int(ExprKind::Const(Const::Int(value)));
    let (ty, init) = match is_seq {
        true => {
            let item = Box::new(Type::INT);
            (Type::Seq { item, cap: 2 }, Const::Seq(Vec::new()))
        }
        false => (Type::INT, Const::Int(0)),
    };
    let mut var = |name: &str, axes: Vec<Axis>, ty: &Type, init: Vec<Const>| {
        game.vars.push(Var {
            name: name.to_owned(),
            axes,
            ty: ty.clone(),
            init,
            meter: true,
            span,
        });
        VarId::from(game.vars.len() - 1)
    };
    let by = var("by", Vec::new(), &Type::INT, vec![Const::Int(by)]);
    let axes = vec![Axis::Range { lo: 0, hi: 1 }];
    let cells = var("cells", axes, &ty, vec![init.clone(), init]);
    let by = Box::new(int(ExprKind::Var(by, Vec::new())));
    let ratio = int(ExprKind::Binary(BinaryOp::Div, Box::new(number(1)), by));
    let value = match is_seq {
        true => Expr::new(ExprKind::SeqOf(vec![ratio]), ty, span),
        false => ratio,
    };
    let kind = StmtKind::SetVar(cells, vec![number(2)], value);
    let machine = game.machine.as_mut().expect("a machine");
    machine.start.insert(0, Stmt { kind, span });
    game
}

#[test]
fn a_value_is_worked_out_before_its_index_is_tested() {
    for is_seq in [false, true] {
        for (by, fault) in [(0, "division-by-zero"), (1, "index-outside")] {
            let game = assigning(is_seq, by);
            let slow = InterpretedGame::new(game.clone()).expect("the game is sound");
            let quick = QuickGame::new(game).expect("it is run quickly");
            let told = outcome(&quick, &quick.initial());
            assert!(told.starts_with(fault), "{told}");
            assert_eq!(outcome(&slow, &slow.initial()), told);
        }
    }
}
