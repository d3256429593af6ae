//! Figures that ask whether they are attacked.

use super::{STEP, STRIP, along, strip};
use crate::ir::FaultCode;

#[test]
fn figures_that_ask_about_each_other_without_end_fault_where_they_ask() {
    let asks = r#"{"computed": {"is_attacked": false}}"#;
    let old = r#"{"actions": ["move"], "if": [{"computed": {"is_empty": true}}]}"#;
    let new = format!(
        r#"{{"actions": ["take", "move"], "if": [{asks}]}}, {{"actions": ["cancel"], "if": [{{"computed": {{"is_own": true}}}}]}}"#
    );
    let beside = r#""b": {"runner": [{"x": 2}]}"#;
    let changes = [(old, &new[..]), (r#""b": {"runner": [{"x": 5}]}"#, beside)];
    let game = strip(&changes);
    let start = game.initial();
    let fault = game.legal_moves(&start).expect_err("no end");
    assert_eq!(fault.code, FaultCode::RecursionLimit);
    let text = changes
        .iter()
        .fold(STRIP.to_owned(), |text, (old, new)| text.replace(old, new));
    assert_eq!(Some(fault.span.start as usize), text.find(asks));
}

#[test]
fn a_condition_that_decides_keeps_later_ones_from_being_asked() {
    // Whoever asks on 1 whether it is attacked asks the other, who asks in turn.
    let takes = r#"{"movement": [{"x": 1, "also_reversed": true}], "cell_actions": {"destination": [
        {"actions": ["take"], "if": [{"computed": {"is_figure": 0}}, {"computed": {"is_attacked": 0}}]}]}}"#;
    let near = (
        r#""b": {"runner": [{"x": 5}]}"#,
        r#""b": {"runner": [{"x": 2}]}"#,
    );
    let game = strip(&[(STEP, takes), near]);
    assert_eq!(along(&game, &[]), "0 1");
}
