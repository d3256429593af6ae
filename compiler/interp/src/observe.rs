//! What a network sees of a position, as numbers.

use std::sync::Arc;

use super::node::Node;
use super::program::{EachCode, TermCode};
use super::run::{Otherwise, Run};
use super::state::State;
use super::value::Value;
use crate::ir::observe::{Plane, PlaneSource};
use crate::ir::{PlacementForm, Type};

/// Appends the values of planes.
pub(super) fn observe(state: &State, planes: &[Plane], out: &mut Vec<i64>) {
    let program = &state.program;
    let mut run = Run::new(program, Arc::clone(&state.core), Otherwise::Ignore);
    for plane in planes {
        match plane.source {
            PlaneSource::Term(id, term) => match &program.identities[id.index()][term] {
                TermCode::Value(node) => {
                    run.enter(node.locals());
                    let value = run.eval(node).ok();
                    push(value.as_ref(), plane.cells, out);
                }
                TermCode::Each(each) => {
                    let members = 0..each.len as u32;
                    out.extend(members.map(|member| i64::from(holds(&mut run, each, member))));
                }
                _ => {}
            },
            PlaneSource::Value(id, term, at) => {
                if let TermCode::Each(each) = &program.identities[id.index()][term] {
                    for member in 0..each.len as u32 {
                        out.push(member_value(&mut run, each, &each.values[at], member));
                    }
                }
            }
            PlaneSource::Var(var) => {
                let ty = &program.game.var(var).ty;
                let each = match ty {
                    Type::Set(domain) => program.domain_len(*domain),
                    _ => 1,
                };
                let values = &state.core.vars[program.cells(var)];
                values.iter().for_each(|value| push(Some(value), each, out));
            }
            PlaneSource::Placement(id) => {
                let placed = &state.core.placed[id.index()];
                let many = program.game.placement(id).form == PlacementForm::Many;
                let cells = (0..plane.cells as u32).map(|key| match many {
                    true => placed.place_of(key),
                    false => placed.content(key),
                });
                out.extend(cells.map(|member| member.map_or(0, |m| i64::from(m) + 1)));
            }
        }
    }
}

fn holds<'a>(run: &mut Run<'a>, each: &'a EachCode, member: u32) -> bool {
    run.enter(each.locals);
    run.set_first(0, member);
    run.bool(&each.when).unwrap_or(false)
}

fn member_value<'a>(run: &mut Run<'a>, each: &'a EachCode, value: &'a Node, member: u32) -> i64 {
    if !holds(run, each, member) {
        return 0;
    }
    run.fresh();
    run.eval(value).ok().map_or(0, |value| number(&value))
}

fn push(value: Option<&Value>, cells: usize, out: &mut Vec<i64>) {
    match value {
        Some(Value::Set(members)) => {
            out.extend((0..cells as u32).map(|member| i64::from(members.contains(member))));
        }
        Some(value) => out.push(number(value)),
        None => out.extend(std::iter::repeat_n(0, cells)),
    }
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(value) => i64::from(*value),
        Value::Int(value) => *value,
        Value::Wrap(value) => i64::from(*value),
        Value::Elem(member) => i64::from(*member) + 1,
        Value::Opt(member) => member.map_or(0, |member| i64::from(member) + 1),
        Value::Set(_) | Value::Seq(_) | Value::Tagged(..) => 0,
    }
}
