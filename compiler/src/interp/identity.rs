//! Equalities of states as exact bytes.

use std::sync::Arc;

use super::program::Program;
use super::run::{Otherwise, Run};
use super::state::{Control, Core, Reason, State};
use super::value::{Value, encode_len};
use crate::ir::{DomainId, Expr, IdentityId, IdentityTerm, VarId};

/// The bytes of the identity that equality uses.
pub(super) fn key(state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(state, state.program.game.equality, &mut bytes);
    bytes
}

/// Appends the bytes of a state: outcome, place in the rules, terms.
pub(super) fn encode(state: &State, identity: IdentityId, out: &mut Vec<u8>) {
    encode_outcome(state, out);
    encode_control(state, out);
    encode_terms(&state.program, &state.core, identity, out);
}

fn encode_outcome(state: &State, out: &mut Vec<u8>) {
    let Some(outcome) = &state.outcome else {
        return out.push(0);
    };
    let reason = outcome.reason.word().as_bytes();
    out.push(reason.len() as u8);
    out.extend(reason);
    if let Reason::Fault(fault) = &outcome.reason {
        let what = format!(
            "{} {} {:?}",
            fault.code.name(),
            fault.code.message(),
            fault.span
        );
        encode_len(what.len(), out);
        out.extend(what.as_bytes());
    }
    encode_len(outcome.winners.len(), out);
    for winner in &outcome.winners {
        out.extend(winner.to_be_bytes());
    }
}

fn encode_control(state: &State, out: &mut Vec<u8>) {
    match state.control.as_ref() {
        Control::Nowhere => out.push(0),
        Control::Point(point) => {
            out.push(1);
            out.extend(point.0.to_be_bytes());
            for &var in state.program.saved() {
                let cells = state.program.cells(var);
                state.core.vars[cells].iter().for_each(|v| v.encode(out));
            }
        }
        Control::Frames(frames) => {
            out.push(2);
            encode_len(frames.len(), out);
            for frame in frames {
                encode_len(frame.routine, out);
                encode_len(frame.pc, out);
                encode_len(frame.locals.len(), out);
                for (slot, value) in &frame.locals {
                    encode_len(*slot, out);
                    value.encode(out);
                }
            }
        }
    }
}

/// Appends the bytes of the terms of an identity alone.
pub(super) fn encode_terms(
    program: &Arc<Program>,
    core: &Core,
    identity: IdentityId,
    out: &mut Vec<u8>,
) {
    let terms = &program.game.identity(identity).terms;
    if terms == &[IdentityTerm::Everything] {
        return encode_everything(program, core, out);
    }
    let mut run = Run::new(program, core.clone(), Otherwise::Ignore);
    for term in terms {
        match term {
            IdentityTerm::Everything => encode_everything(program, core, out),
            IdentityTerm::Each {
                domain,
                when,
                values,
            } => {
                let members = members(&mut run, *domain, when, values);
                encode_len(members.len(), out);
                for (member, values) in members {
                    out.extend(member.to_be_bytes());
                    out.extend(values);
                }
            }
            IdentityTerm::Bag {
                domain,
                when,
                values,
            } => {
                let members = members(&mut run, *domain, when, values).into_iter();
                let mut bag: Vec<Vec<u8>> = members.map(|(_, values)| values).collect();
                bag.sort_unstable();
                encode_len(bag.len(), out);
                bag.into_iter().for_each(|values| out.extend(values));
            }
            IdentityTerm::Value(value) => {
                run.begin();
                encode_value(&mut run, value, out);
            }
        }
    }
}

fn encode_everything(program: &Program, core: &Core, out: &mut Vec<u8>) {
    for (index, var) in program.game.vars.iter().enumerate() {
        let id = VarId::from(index);
        if !var.meter && !program.saved().contains(&id) {
            let cells = program.cells(id);
            core.vars[cells].iter().for_each(|value| value.encode(out));
        }
    }
    core.placed.iter().for_each(|placed| placed.encode(out));
    for saved in &core.snapshots {
        let Some(saved) = saved else {
            out.push(0);
            continue;
        };
        out.push(1);
        let values = saved.vars.iter().flatten();
        values.for_each(|value| value.encode(out));
        saved.placed.iter().for_each(|placed| placed.encode(out));
    }
}

/// The members for which the condition holds, and the bytes of their values.
///
/// A member whose condition faults is among them, with the fault for its values.
fn members<'a>(
    run: &mut Run<'a>,
    domain: DomainId,
    when: &'a Expr,
    values: &'a [Expr],
) -> Vec<(u32, Vec<u8>)> {
    let mut found = Vec::new();
    for member in 0..run.program.domain_len(domain) as u32 {
        run.enter_values(&[Value::Elem(member)]);
        let mut bytes = Vec::new();
        match run.bool(when) {
            Ok(false) => continue,
            Ok(true) => {
                for value in values {
                    run.enter_values(&[Value::Elem(member)]);
                    encode_value(run, value, &mut bytes);
                }
            }
            Err(_) => bytes.push(0),
        }
        found.push((member, bytes));
    }
    found
}

/// Appends a value; one whose evaluation faults equals only others that fault.
fn encode_value<'a>(run: &mut Run<'a>, expr: &'a Expr, out: &mut Vec<u8>) {
    match run.eval(expr) {
        Ok(value) => {
            out.push(1);
            value.encode(out);
        }
        Err(_) => out.push(0),
    }
}
