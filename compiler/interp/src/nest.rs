//! Who is in whom, up to a renaming: plain texts of trees and loops, in which what is interchangeable looks alike.

use std::sync::Arc;

use super::identity::encode_member;
use super::program::{EachCode, Program, TermCode};
use super::run::{Otherwise, Run};
use super::state::Core;
use super::value::encode_len;
use crate::ir::IdentityId;

/// What is known of the members that are there: the bytes of their values and who they are in.
pub(super) type Members = Vec<Option<Member>>;

/// A member that is there.
#[derive(Clone)]
pub(super) struct Member {
    label: Vec<u8>,
    up: Option<usize>,
}

/// The members for which the condition holds.
pub(super) fn members<'a>(run: &mut Run<'a>, placement: usize, each: &'a EachCode) -> Members {
    let mut all = Members::new();
    for member in 0..each.len as u32 {
        let mut label = Vec::new();
        let there = encode_member(run, member, each, &mut label);
        let up = run.core.placed[placement].place_of(member);
        all.push(there.then_some(Member {
            label,
            up: up.map(|up| up as usize),
        }));
    }
    for index in 0..all.len() {
        let up = all[index].as_ref().and_then(|member| member.up);
        let here = up.filter(|&up| all[up].is_some());
        if let Some(member) = &mut all[index] {
            member.up = here;
        }
    }
    all
}

/// Appends bytes that are equal for two sets of members if and only if a renaming takes one to the other.
pub(super) fn encode(members: &Members, out: &mut Vec<u8>) {
    let ring = |start: usize| {
        let mut path = vec![start];
        let mut here = members[start].as_ref()?.up;
        while let Some(member) = here {
            if member == start {
                return Some(path);
            }
            if path.contains(&member) {
                return None;
            }
            path.push(member);
            here = members[member].as_ref()?.up;
        }
        None
    };
    let rings: Vec<Option<Vec<usize>>> = (0..members.len()).map(ring).collect();
    let on_ring = |member: usize| rings[member].is_some();
    let mut trees: Vec<Vec<u8>> = Vec::new();
    let mut loops: Vec<Vec<u8>> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let Some(member) = member else { continue };
        if member.up.is_none() {
            trees.push(form(members, index, &on_ring));
        }
        let Some(ring) = &rings[index] else { continue };
        if ring.iter().min() == Some(&index) {
            let parts: Vec<Vec<u8>> = ring.iter().map(|&m| form(members, m, &on_ring)).collect();
            let turned = (0..parts.len()).map(|i| [&parts[i..], &parts[..i]].concat());
            let mut bytes = Vec::new();
            list(turned.min().unwrap_or_default(), &mut bytes);
            loops.push(bytes);
        }
    }
    trees.sort_unstable();
    loops.sort_unstable();
    list(trees, out);
    list(loops, out);
}

/// A member and what it contains, but for the member of its loop.
fn form(members: &Members, index: usize, on_ring: &dyn Fn(usize) -> bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(member) = &members[index] else {
        return bytes;
    };
    encode_len(member.label.len(), &mut bytes);
    bytes.extend(&member.label);
    let inside = members.iter().enumerate().filter(|(inner, member)| {
        member.as_ref().is_some_and(|m| m.up == Some(index)) && !on_ring(*inner)
    });
    let mut inside: Vec<Vec<u8>> = inside.map(|(i, _)| form(members, i, on_ring)).collect();
    inside.sort_unstable();
    list(inside, &mut bytes);
    bytes
}

fn list(parts: Vec<Vec<u8>>, out: &mut Vec<u8>) {
    encode_len(parts.len(), out);
    parts.into_iter().for_each(|part| out.extend(part));
}

/// Whether marking the one member gives the same as marking the other, fixed ones marked each by itself.
pub(super) fn alike(
    program: &Arc<Program>,
    core: &Arc<Core>,
    identity: IdentityId,
    pair: [u32; 2],
    fixed: &[u32],
) -> bool {
    let mut run = Run::new(program, Arc::clone(core), Otherwise::Ignore);
    let mut nest = program.identities[identity.index()].iter();
    let nest = nest.find_map(|term| match term {
        TermCode::Nest(placement, each) => Some((placement, each)),
        _ => None,
    });
    let Some((placement, each)) = nest else {
        return false;
    };
    let mut members = members(&mut run, *placement, each);
    for (place, member) in fixed.iter().enumerate() {
        if let Some(member) = &mut members[*member as usize] {
            member.label.extend((place as u32 + 1).to_be_bytes());
        }
    }
    let marked = pair.map(|member| {
        let mut members = members.clone();
        let member = members[member as usize].as_mut()?;
        member.label.push(0);
        let mut bytes = Vec::new();
        encode(&members, &mut bytes);
        Some(bytes)
    });
    marked[0].is_some() && marked[0] == marked[1]
}
