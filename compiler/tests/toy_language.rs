//! A language that only this test knows: a front end is all that the rest of the compiler asks for.
//!
//! Its rules are two numbers, the objects of a heap and how many of them a player may take at most. Who takes the last one
//! wins.

use rulec_compiler::diag::{Diagnostic, Diagnostics};
use rulec_compiler::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_compiler::ir::*;
use rulec_compiler::lang::{Front, Language, Options as Surroundings};
use rulec_compiler::source::{FileId, SourceMap, Span};
use rulec_compiler::symbols::Editing;
use rulec_compiler::{Options, Output, codegen, compile_as};
use rulec_interp::{Interp, State};

rulec_ir::codes! {
    NO_HEAP = Error "TOY-E0101" "two numbers are expected"
        "A file names the objects of the heap and how many may be taken at once: `7 3`.";
}

static TOY: Language = Language {
    name: "toy",
    extensions: &["toy"],
    codes: CODES,
    compile: front,
    companions: |_, _| Vec::new(),
    editing: Editing::NONE,
};

/// The front end: reads, checks and lowers.
fn front(
    sources: &SourceMap,
    file: FileId,
    _: &Surroundings,
    diagnostics: &mut Diagnostics,
) -> Option<Front> {
    let text = sources.get(file)?.text();
    let (start, end) = (0, text.len() as u32);
    let span = Span { file, start, end };
    let numbers: Result<Vec<i64>, _> = text.split_whitespace().map(str::parse).collect();
    let Ok([heap @ 1..=1000, most @ 1..=9]) = numbers.as_deref() else {
        diagnostics.push(Diagnostic::new(&NO_HEAP, span, "these are no two numbers"));
        return None;
    };
    let ast = format!("a heap of {heap}, at most {most} at once");
    let game = lower(*heap, *most, span);
    Some(Front { ast, game })
}

fn lower(objects: i64, most: i64, span: Span) -> Game {
    let mut b = GameBuilder::new("heap", "toy", &["first", "second"]);
    let player = b.game.players;
    let number = b.domain("Number", Members::Range { lo: 1, hi: most }, span);
    let whole = Type::Int { lo: 0, hi: objects };
    let heap = b.var("heap", vec![], whole, Const::Int(objects), span);
    let turn = b.var("turn", vec![], Type::Elem(player), Const::Elem(0), span);
    let get = |b: &GameBuilder, var| Expr::var(&b.game, var, vec![], span);

    let mut guard = FunctionBuilder::new("may take", Some(Type::Bool), span);
    let wanted = guard.param("number", Type::Elem(number));
    let enough = Expr::binary(BinaryOp::Le, guard.get(wanted).ordinal(), get(&b, heap));
    let guard = b.function(guard.body(vec![Stmt::give(enough)]));
    let take = b.family(Family {
        name: "take".to_owned(),
        context: Vec::new(),
        params: vec![Param {
            name: "number".to_owned(),
            ty: Type::Elem(number),
            source: ParamSource::All,
        }],
        guard: Some(guard),
        after: None,
        effect: None,
        rank: None,
        class: Vec::new(),
        text: vec![TextPart::Text("take ".to_owned()), TextPart::Param(0)],
        span,
    });

    let mut play = FunctionBuilder::new("play", None, span);
    let taken = play.local("taken", Type::Elem(number));
    let left = Expr::binary(BinaryOp::Sub, get(&b, heap), play.get(taken).ordinal());
    let winners = ExprKind::SetOf(vec![get(&b, turn)]);
    let end = StmtKind::End {
        reason: EndReason::Win,
        winners: Expr::new(winners, Type::Set(player), span),
    };
    let [one, other] = [0, 1].map(|member| Expr::elem(player, member, span));
    let next = Expr::select(get(&b, turn).equals(one.clone()), other, one);
    let choose = StmtKind::Choose(Choose {
        players: get(&b, turn),
        arms: vec![Arm {
            family: take,
            given: Vec::new(),
            bind: vec![taken],
            body: vec![Stmt::set_var(heap, vec![], left)],
        }],
        otherwise: None,
    });
    let empty = get(&b, heap).equals(Expr::int(0, span));
    let round = vec![
        Stmt::new(choose, span),
        Stmt::branch(empty, vec![Stmt::new(end, span)], vec![]),
        Stmt::set_var(turn, vec![], next),
    ];
    let for_ever = StmtKind::While {
        cond: Expr::bool(true, span),
        bound: u32::MAX,
        body: round,
    };
    b.game.process = b.function(play.body(vec![Stmt::new(for_ever, span)]));
    b.game
}

fn compiled(text: &str) -> (Option<Output>, Vec<&'static str>) {
    let mut sources = SourceMap::new();
    sources.add("heap.toy", text.as_bytes()).expect("one file");
    let options = Options::default();
    let (output, diagnostics) = compile_as(&TOY, &sources, &options).expect("the IR is sound");
    let codes = diagnostics.iter().map(|finding| finding.code.code);
    (output, codes.collect())
}

/// Games of each result, by the player who wins.
fn results(game: &Interp, state: &State, wins: &mut [u64; 2]) {
    for &mv in game.legal_moves(state).expect("nothing fails") {
        let mut next = state.clone();
        game.play(&mut next, mv);
        match game.outcome(&next) {
            Some(outcome) => wins[outcome.winners[0] as usize] += 1,
            None => results(game, &next, wins),
        }
    }
}

#[test]
fn a_language_is_a_front_end_and_nothing_else() {
    let (output, codes) = compiled("4 2");
    let output = output.expect("the rules are right");
    assert_eq!(
        (output.ast.as_str(), codes.len()),
        ("a heap of 4, at most 2 at once", 0)
    );
    for game in [output.lowered.clone(), output.game.clone()] {
        let game = Interp::new(game).expect("it is sound");
        let mut wins = [0; 2];
        results(&game, &game.initial(), &mut wins);
        // 1+1+1+1 and 2+2 are won by the second player, 1+1+2 and its like by the first.
        assert_eq!(wins, [3, 2]);
    }
    let rust = output
        .rust(&codegen::Options::new("heap", ""))
        .expect("it is made");
    assert!(
        rust.contains("pub fn take(number: Number) -> Move"),
        "{rust}"
    );
}

#[test]
fn its_mistakes_are_diagnostics() {
    for text in ["", "7", "seven 3", "7 3 1", "0 1"] {
        let (output, codes) = compiled(text);
        assert!(output.is_none(), "{text}");
        assert_eq!(codes, ["TOY-E0101"], "{text}");
    }
}
