//! What functions read, write and may do.

use rulec_ir::ir::effects::*;
use rulec_ir::ir::*;
use rulec_samples as samples;

fn of(name: &str, function: &str) -> (Game, Effect, bool) {
    let game = samples::by_name(name).expect(name);
    let effects = Effects::of(&game);
    let named = |f: &rulec_ir::ir::Function| f.name == function;
    let id = FuncId::from(game.functions.iter().position(named).expect(function));
    let effect = effects.function(id).clone();
    let recursive = effects.is_recursive(id);
    (game, effect, recursive)
}

#[test]
fn a_dropped_trial_writes_only_for_a_while() {
    let (game, effect, _) = of("trials", "may");
    assert!(effect.is_guard() && effect.is_pure() && !effect.fails);
    let scratch = effect
        .scratch
        .vars
        .iter()
        .map(|var| game.var(*var).name.as_str());
    assert_eq!(scratch.collect::<Vec<_>>(), ["total"]);
    let (_, effect, _) = of("trials", "grow");
    assert!(effect.fails && !effect.is_guard() && !effect.writes.env.is_empty());
}

#[test]
fn writing_the_environment_is_for_guards() {
    let (_, effect, recursive) = of("environment", "search");
    assert!(recursive && effect.works && effect.may_fault);
    assert!(effect.is_guard() && !effect.is_pure());
    assert_eq!(effect.reads.env.len(), 1);
    assert_eq!(effect.writes.env.len(), 2);
}

#[test]
fn stops_and_ends_reach_the_callers() {
    let (game, effect, recursive) = of("nested", "play");
    assert!(effect.suspends && effect.ends && !recursive);
    assert_eq!(effect.calls.len(), 1);
    let (_, effect, _) = of("nested", "pick");
    assert!(effect.suspends && !effect.ends);
    let effects = Effects::of(&game);
    assert_eq!(effects.live(&game).len(), game.functions.len());
}

#[test]
fn relations_and_trails_read_what_they_look_at() {
    let (_, effect, _) = of("king", "safe");
    assert_eq!(effect.reads.placements.len(), 1);
    assert_eq!(effect.calls.len(), 1);
    let (game, effect, _) = of("repetition", "play");
    let read: Vec<&str> = effect
        .reads
        .vars
        .iter()
        .map(|v| game.var(*v).name.as_str())
        .collect();
    assert_eq!(read, ["token", "turn", "clock"]);
    assert_eq!(
        (effect.reads.trails.len(), effect.writes.trails.len()),
        (1, 1)
    );
}

#[test]
fn what_cannot_fault_is_known() {
    let (_, effect, _) = of("tic-tac-toe", "wins");
    assert!(!effect.may_fault && effect.is_pure() && !effect.works);
    let (_, effect, _) = of("faults", "play");
    assert!(effect.may_fault);
}

#[test]
fn what_an_effect_does_not_list_never_happens() {
    for seed in 0..150 {
        let game = samples::random_game(seed);
        let effects = Effects::of(&game);
        for index in 0..game.functions.len() {
            let effect = effects.function(FuncId::from(index));
            let wider = |a: &Access, b: &Access| {
                let mut joined = a.clone();
                joined.join(b);
                joined == *a
            };
            assert!(wider(&effect.scratch, &effect.writes), "{seed} {index}");
            for callee in &effect.calls {
                let callee = effects.function(*callee);
                assert!(wider(&effect.reads, &callee.reads), "{seed} {index}");
                assert!(wider(&effect.scratch, &callee.scratch), "{seed} {index}");
                assert!(effect.may_fault || !callee.may_fault, "{seed} {index}");
            }
        }
    }
}
