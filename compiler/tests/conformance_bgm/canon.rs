//! Positions and moves in the canonical text of the reference: what is equal up to a renaming of unnamed objects has one
//! text.

use std::collections::{BTreeMap, BTreeSet};

use rulec_interp::{Interp, Move, MoveParts, Reason, State, Value};

use crate::corpus::Case;

/// An object of a position.
#[derive(Clone, Debug, Default)]
struct Object {
    label: String,
    container: Option<usize>,
    owner: Option<String>,
    marks: Vec<usize>,
}

/// The sections of the text of a state, by name; that of containers has none.
fn sections(text: &str) -> BTreeMap<&str, &str> {
    let parts = text.split("; ");
    let split = |part: &'_ str| -> Option<(usize, usize)> {
        let at = part.find(": ")?;
        Some((at, at + 2))
    };
    parts
        .map(|part| match split(part) {
            Some((end, start)) => (&part[..end], &part[start..]),
            None => match part.strip_suffix(':') {
                Some(name) => (name, ""),
                None => ("", part),
            },
        })
        .filter(|(name, part)| !name.is_empty() || part.contains('<'))
        .collect()
}

fn pairs<'t>(section: Option<&&'t str>, sign: char) -> Vec<(&'t str, &'t str)> {
    let words = section.into_iter().flat_map(|text| text.split(' '));
    words.filter_map(|word| word.split_once(sign)).collect()
}

fn members(text: &str) -> BTreeSet<String> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let words = inner
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A position, taken apart.
pub(crate) struct Position {
    objects: Vec<Object>,
    by_name: BTreeMap<String, usize>,
    /// Active players, players who are out, who acted before, the timer.
    rest: String,
}

impl Position {
    pub(crate) fn of(case: &Case, state: &State) -> Position {
        let text = case.interp.state_text(state);
        let sections = sections(&text);
        let (mut objects, mut by_name) = (Vec::new(), BTreeMap::new());
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut names = Vec::new();
        for object in &case.model.objects {
            let ty = &case.model.types[object.ty].name;
            let (label, name) = match &object.name {
                Some(name) => (format!("{ty}:{name}"), name.clone()),
                None => {
                    let number = numbers.entry(object.ty).or_default();
                    *number += 1;
                    (ty.clone(), format!("{ty}#{number}"))
                }
            };
            names.push(name);
            objects.push(Object {
                label,
                container: object.container,
                owner: object.owner.map(|seat| case.model.players[seat].clone()),
                marks: Vec::new(),
            });
        }
        let counted = |name: &str| {
            let ty = name.split('#').next().unwrap_or_default();
            name.contains('#') && sections.contains_key(format!("{ty} loose").as_str())
        };
        for (index, name) in names.iter().enumerate() {
            by_name.insert(name.clone(), index);
        }
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        gone.extend((0..names.len()).filter(|&index| counted(&names[index])));
        if let Some(exists) = sections.get("exists") {
            let exists = members(exists);
            for name in &exists {
                by_name.entry(name.clone()).or_insert_with(|| {
                    let ty = name.split('#').next().unwrap_or_default();
                    objects.push(Object {
                        label: ty.to_owned(),
                        ..Object::default()
                    });
                    objects.len() - 1
                });
            }
            gone.extend(
                by_name
                    .iter()
                    .filter(|(name, _)| !exists.contains(*name))
                    .map(|(_, index)| *index),
            );
        }
        for (name, place) in pairs(sections.get(""), '<') {
            if let Some(&index) = by_name.get(name) {
                objects[index].container = by_name.get(place).copied();
            }
        }
        for (name, owner) in pairs(sections.get("owner"), '=') {
            if let Some(&index) = by_name.get(name) {
                objects[index].owner = (owner != "-").then(|| owner.to_owned());
            }
        }
        for ty in case.model.types.iter().map(|ty| &ty.name) {
            add_counted(&sections, ty, &by_name, &mut objects);
        }
        let (objects, by_name) = without(&objects, &gone, by_name);
        let section = |name: &str| sections.get(name).copied().unwrap_or("");
        let seats = |text: &str| -> String {
            let set = members(text);
            let seats = case.model.players.iter().filter(|name| set.contains(*name));
            seats.cloned().collect::<Vec<_>>().join(",")
        };
        let rest = format!(
            "{}|{}|{}|{}",
            seats(section("active")),
            seats(section("out")),
            section("former").trim_matches('-'),
            section("timer")
        );
        Position {
            objects,
            by_name,
            rest,
        }
    }

    /// The canonical text, objects marked by these moves' arguments.
    fn text(&self, marks: &[String]) -> String {
        let mut objects = self.objects.clone();
        for (number, name) in marks.iter().enumerate() {
            let known = self.by_name.get(name).copied();
            let at = known.or_else(|| self.one_inside(&objects, name));
            let at = at.unwrap_or_else(|| panic!("there is no {name}"));
            objects[at].marks.push(number);
        }
        canonical(&objects)
    }

    /// One of the objects that are only counted, as `TYPE@CONTAINER` names them: one that is not marked yet.
    fn one_inside(&self, objects: &[Object], name: &str) -> Option<usize> {
        let (ty, container) = name.split_once('@')?;
        let container = self.by_name.get(container)?;
        objects.iter().position(|object| {
            object.label == ty && object.container == Some(*container) && object.marks.is_empty()
        })
    }
}

fn add_counted(
    sections: &BTreeMap<&str, &str>,
    ty: &str,
    by_name: &BTreeMap<String, usize>,
    objects: &mut Vec<Object>,
) {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let mut add = |count: usize, container: Option<usize>, owner: Option<&str>| {
        for _ in 0..count {
            objects.push(Object {
                label: ty.to_owned(),
                container,
                owner: owner.map(str::to_owned),
                marks: Vec::new(),
            });
        }
    };
    for (name, count) in pairs(sections.get(format!("{ty} in").as_str()), '=') {
        add(number(count), by_name.get(name).copied(), None);
    }
    for (name, count) in pairs(sections.get(format!("{ty} of").as_str()), '=') {
        add(number(count), None, Some(name));
    }
    if let Some(count) = sections.get(format!("{ty} loose").as_str()) {
        add(number(count), None, None);
    }
}

/// The objects that are there, numbered anew.
fn without(
    objects: &[Object],
    gone: &BTreeSet<usize>,
    by_name: BTreeMap<String, usize>,
) -> (Vec<Object>, BTreeMap<String, usize>) {
    let left: Vec<usize> = (0..objects.len()).filter(|i| !gone.contains(i)).collect();
    let new = |old: usize| left.iter().position(|&index| index == old);
    let kept = left.iter().map(|&index| Object {
        container: objects[index].container.and_then(new),
        ..objects[index].clone()
    });
    let names = by_name.into_iter();
    let names = names.filter_map(|(name, index)| Some((name, new(index)?)));
    (kept.collect(), names.collect())
}

fn canonical(objects: &[Object]) -> String {
    let mut texts = Vec::new();
    let mut seen = vec![false; objects.len()];
    let mut see = |from: usize| {
        let mut open = vec![from];
        while let Some(object) = open.pop() {
            if !std::mem::replace(&mut seen[object], true) {
                open.extend((0..objects.len()).filter(|&i| objects[i].container == Some(object)));
            }
        }
        seen.clone()
    };
    let mut known = vec![false; objects.len()];
    for root in 0..objects.len() {
        if objects[root].container.is_none() {
            texts.push(node(objects, root, None));
            known = see(root);
        }
    }
    for start in 0..objects.len() {
        if known[start] {
            continue;
        }
        let mut path = vec![start];
        let mut here = start;
        let ring = loop {
            here = objects[here].container.expect("it is on or below a loop");
            match path.iter().position(|&object| object == here) {
                Some(at) => break path[at..].to_vec(),
                None => path.push(here),
            }
        };
        known = see(ring[0]);
        let parts: Vec<String> = (0..ring.len())
            .map(|i| {
                node(
                    objects,
                    ring[i],
                    Some(ring[(i + ring.len() - 1) % ring.len()]),
                )
            })
            .collect();
        let turned = (0..parts.len()).map(|i| [&parts[i..], &parts[..i]].concat().join(">"));
        texts.push(format!("({})", turned.min().unwrap_or_default()));
    }
    texts.sort();
    texts.join(" ")
}

fn node(objects: &[Object], at: usize, skip: Option<usize>) -> String {
    let object = &objects[at];
    let mut text = object.label.clone();
    if let Some(owner) = &object.owner {
        text.push('@');
        text.push_str(owner);
    }
    for mark in &object.marks {
        text.push_str(&format!("*{mark}"));
    }
    let inside =
        (0..objects.len()).filter(|&i| objects[i].container == Some(at) && Some(i) != skip);
    let mut inside: Vec<String> = inside.map(|i| node(objects, i, None)).collect();
    if !inside.is_empty() {
        inside.sort();
        text.push_str(&format!("{{{}}}", inside.join(",")));
    }
    text
}

/// The result for every player, in words of the reference.
pub(crate) fn result(case: &Case, state: &State) -> Option<Vec<i64>> {
    let outcome = case.interp.outcome(state)?;
    let players = 0..case.model.players.len() as u32;
    let (some, won, lost) = match &outcome.reason {
        Reason::Win => (true, 1, -1),
        Reason::Elimination => (true, 1, -1),
        Reason::Draw | Reason::Stuck => (!outcome.winners.is_empty(), 0, -1),
        other => panic!("{}: {other:?}", case.name),
    };
    Some(
        players
            .map(|player| match outcome.winners.contains(&player) {
                true => won,
                false if some => lost,
                false => 0,
            })
            .collect(),
    )
}

/// A position between actions, or the end, as one text.
pub(crate) fn key(case: &Case, state: &State) -> String {
    let position = Position::of(case, state);
    let objects = position.text(&[]);
    match result(case, state) {
        Some(result) => format!("{objects}|end {result:?}"),
        None => format!("{objects}|{}", position.rest),
    }
}

/// Who acts, the name of the action, and the position with the objects of its parameters marked.
pub(crate) fn label(case: &Case, state: &State, mv: Move) -> String {
    let Some(MoveParts::Family(family, args)) = case.interp.move_parts(mv) else {
        panic!("{}: a draw is no move", case.name);
    };
    let game = case.interp.game();
    let family = game.family(family);
    let texts: Vec<String> = args
        .iter()
        .zip(&family.params)
        .map(|(value, param)| case.interp.value_text(value, &param.ty))
        .collect();
    let shown = case.interp.move_text(mv);
    let action = text_of_action(&shown);
    let position = Position::of(case, state);
    // What is only counted is told by the text, not by an argument.
    let told: Vec<String> = shown.split(' ').skip(2).map(str::to_owned).collect();
    let marks = match told.len() > args.len() - 1 {
        true => &told[..],
        false => &texts[1..],
    };
    format!("{} {action} {}", texts[0], position.text(marks))
}

fn text_of_action(text: &str) -> String {
    text.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// Whether a move is a choice in the middle of an action.
pub(crate) fn is_choice(interp: &Interp, mv: Move) -> bool {
    match interp.move_parts(mv) {
        Some(MoveParts::Family(family, _)) => !interp.game().family(family).context.is_empty(),
        _ => false,
    }
}

/// The player of a move, by name.
pub(crate) fn player(case: &Case, mv: Move) -> String {
    match case.interp.move_parts(mv) {
        Some(MoveParts::Family(_, args)) => match &args[0] {
            Value::Elem(seat) => case.model.players[*seat as usize].clone(),
            other => panic!("{other:?} is no player"),
        },
        _ => panic!("a draw has no player"),
    }
}
