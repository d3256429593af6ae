//! The printed form of games, and the serialised one.

use expect_test::expect;
use rulec_ir::ir::print::*;
use rulec_ir::ir::*;
use rulec_samples as samples;

#[test]
fn a_game_is_readable() {
    let game = samples::by_name("trials").expect("a sample");
    expect![[r#"
        game trials (ir), form 1
        source trials.ir

        domain Player (players) = solo
        domain Step = 1..3
        var total: int 0..20 = 0
        var kept: int 0..100 = 0
        env $note: int

        family go "{step}"  @1
          step: Step any
          guard may

        identity full (equality)
          everything

        fn grow(by: int)  @1
          total := (total + by)  @1
          $note = total  @1
          if (total >= 10)  @1
            fail  @1

        fn may(step: Step) -> bool  @1
          local ok: bool
          local was: int
          was = -1  @1
          try and drop  @1
            call grow(ordinal(step))  @1
          tried ok, was = total
          return (ok and (was > total))  @1

        fn play()  @1
          local step: Step
          local ok: bool
          local inner: bool
          local mark: int
          while true  @1
            choose by solo  @1
              go(step):
                mark = 1  @1
                try  @1
                  call grow(ordinal(step))  @1
                  try and drop  @1
                    kept := (kept + 30)  @1
                    mark = 8  @1
                  tried inner
                  if inner  @1
                    kept := (kept + 1)  @1
                  try  @1
                    kept := (kept + 50)  @1
                    mark = 7  @1
                    fail  @1
                  tried inner
                  if not(inner)  @1
                    kept := (kept + 2)  @1
                tried ok, mark = mark
                if (not(ok) or not((mark = 1)))  @1
                  fault "a trial kept what it should drop"  @2
                if not(is_set($note))  @1
                  fault "the environment was dropped"  @3
                if (total >= 9)  @1
                  end win {solo}  @1

        process play
    "#]]
    .assert_eq(&print(&game));
}

#[test]
fn printing_is_complete_and_always_the_same() {
    let mut printed = std::collections::BTreeSet::new();
    for (name, mut game) in samples::all() {
        let text = print(&game);
        assert_eq!(text, print(&game.clone()), "{name}");
        assert!(printed.insert(text), "{name}");
        rulec_compiler::opt::suspend::run(&mut game);
        assert!(printed.insert(print(&game)), "{name}");
    }
    for seed in 0..50 {
        assert!(printed.insert(print(&samples::random_game(seed))));
    }
}

#[test]
fn the_serialised_form_comes_back() {
    for (name, game) in samples::all() {
        let text = to_json(&game).expect("a game has a form");
        assert_eq!(from_json(&text).expect(name), game);
    }
    for seed in 0..50 {
        let game = samples::random_game(seed);
        let text = to_json(&game).expect("a game has a form");
        assert_eq!(from_json(&text).expect("its own form"), game);
    }
}

#[test]
fn other_versions_are_refused() {
    let mut game = samples::by_name("dice").expect("a sample");
    game.version = VERSION + 1;
    let text = to_json(&game).expect("a game has a form");
    let error = from_json(&text).expect_err("another version");
    let message = format!(
        "this is version {} of the form; version 1 is needed",
        VERSION + 1
    );
    assert_eq!(error.to_string(), message);
    for text in ["", "{}", "[1]", "{\"version\":1}", "{\"version\":\"1\"}"] {
        assert!(matches!(from_json(text), Err(JsonError::Form(_))), "{text}");
    }
}
