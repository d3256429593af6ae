//! Equalities of states as exact bytes.

use std::sync::Arc;

use super::nest;
use super::node::Node;
use super::program::{EachCode, Program, TermCode};
use super::run::{Otherwise, Run};
use super::state::{Control, Core, Reason, Saved, State};
use super::value::encode_len;
use crate::ir::{IdentityId, Parts, VarId};

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
    core: &Arc<Core>,
    identity: IdentityId,
    out: &mut Vec<u8>,
) {
    let terms = &program.identities[identity.index()];
    if let [TermCode::Everything] = terms[..] {
        return encode_everything(program, core, out);
    }
    let mut run = Run::new(program, Arc::clone(core), Otherwise::Ignore);
    for term in terms {
        match term {
            TermCode::Everything => encode_everything(program, core, out),
            TermCode::Each(each) => {
                let at = out.len();
                encode_len(0, out);
                let mut count = 0;
                for member in 0..each.len as u32 {
                    let here = out.len();
                    out.extend(member.to_be_bytes());
                    match encode_member(&mut run, member, each, out) {
                        true => count += 1,
                        false => out.truncate(here),
                    }
                }
                out[at..at + 8].copy_from_slice(&u64::to_be_bytes(count));
            }
            TermCode::Bag(each) => {
                let mut bag: Vec<Vec<u8>> = Vec::new();
                for member in 0..each.len as u32 {
                    let mut bytes = Vec::new();
                    if encode_member(&mut run, member, each, &mut bytes) {
                        bag.push(bytes);
                    }
                }
                bag.sort_unstable();
                encode_len(bag.len(), out);
                bag.into_iter().for_each(|values| out.extend(values));
            }
            TermCode::Nest(placement, each) => {
                let members = nest::members(&mut run, *placement, each);
                nest::encode(&members, out);
            }
            TermCode::Value(value) => {
                run.enter(value.locals());
                encode_value(&mut run, value, out);
            }
            TermCode::Parts(parts) => encode_parts(program, core, parts, out),
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
        encode_saved(saved.as_deref(), out);
    }
}

fn encode_saved(saved: Option<&Saved>, out: &mut Vec<u8>) {
    let Some(saved) = saved else {
        return out.push(0);
    };
    out.push(1);
    let values = saved.vars.iter().flatten();
    values.for_each(|value| value.encode(out));
    saved.placed.iter().for_each(|placed| placed.encode(out));
}

fn encode_parts(program: &Program, core: &Core, parts: &Parts, out: &mut Vec<u8>) {
    for &var in &parts.vars {
        let cells = program.cells(var);
        core.vars[cells].iter().for_each(|value| value.encode(out));
    }
    for placement in &parts.placements {
        core.placed[placement.index()].encode(out);
    }
    for slot in &parts.snapshots {
        encode_saved(core.snapshots[slot.index()].as_deref(), out);
    }
    for trail in &parts.trails {
        let mut noted: Vec<&[u8]> = core.trails[trail.index()].iter().map(|p| &p[..]).collect();
        noted.sort_unstable();
        encode_len(noted.len(), out);
        for position in noted {
            encode_len(position.len(), out);
            out.extend(position);
        }
    }
}

/// Appends the bytes of the values of a member; gives false, and appends nothing, if the condition does not hold.
///
/// A member whose condition faults counts, with the fault for its values.
pub(super) fn encode_member<'a>(
    run: &mut Run<'a>,
    member: u32,
    each: &'a EachCode,
    out: &mut Vec<u8>,
) -> bool {
    run.enter(each.locals);
    run.set_first(0, member);
    match run.bool(&each.when) {
        Ok(false) => return false,
        Ok(true) => {
            for value in &each.values {
                run.fresh();
                encode_value(run, value, out);
            }
        }
        Err(_) => out.push(0),
    }
    true
}

/// Appends a value; one whose evaluation faults equals only others that fault.
fn encode_value<'a>(run: &mut Run<'a>, node: &'a Node, out: &mut Vec<u8>) {
    match run.eval(node) {
        Ok(value) => {
            out.push(1);
            value.encode(out);
        }
        Err(_) => out.push(0),
    }
}
