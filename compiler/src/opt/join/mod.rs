//! `join`: rules that do the same are written as one.
//!
//! An author may write a rule for each column, for each stone or for each direction. Where such rules differ in no more than
//! constants and tables, and one argument of a move tells which of them made it, one family with the candidates of all makes the
//! same moves: what differs is looked up by that argument. Its moves still go by the names of the rules that the author wrote
//! ([`Joined`]), so numbers, texts and statistics are as before; but candidates are listed, counted and drawn once.

mod guard;
mod rule;
#[cfg(test)]
mod tests;
mod write;

use crate::ir::walk::each_stmt_mut;
use crate::ir::{FamilyId, Game, Joined, ParamSource, StmtKind, Type};

use self::rule::{Rule, candidates};
use super::fold_constants::drop_functions;

/// Writes groups of such rules as one family each.
pub fn run(game: &mut Game) {
    if game.machine.is_some() || game.families.len() < 2 {
        return;
    }
    drop_arms(game, &|game, family| game.family(family).is_empty());
    let mut groups: Vec<Vec<Rule>> = Vec::new();
    for rule in rule::all(game) {
        match groups.iter_mut().find(|group| group[0].shape == rule.shape) {
            Some(group) => group.push(rule),
            None => groups.push(vec![rule]),
        }
    }
    let mut changed = false;
    for group in &groups {
        let params = 0..game.family(group[0].family).params.len();
        let parted = params.map(|by| parts(game, group, by));
        for part in parted.min_by_key(Vec::len).unwrap_or_default() {
            if part.group.len() > 1 {
                part.write(game);
                changed = true;
            }
        }
    }
    if changed {
        drop_functions(game);
    }
}

/// Leaves these families out of each decision that others are left for.
fn drop_arms(game: &mut Game, drops: &dyn Fn(&Game, FamilyId) -> bool) {
    let mut functions = std::mem::take(&mut game.functions);
    for function in &mut functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            if let StmtKind::Choose(choose) = &mut stmt.kind
                && choose.arms.iter().any(|arm| !drops(game, arm.family))
            {
                choose.arms.retain(|arm| !drops(game, arm.family));
            }
        });
    }
    game.functions = functions;
}

/// Rules of one shape, and the argument that tells them apart.
struct Part<'a> {
    group: Vec<&'a Rule>,
    /// The parameter.
    by: usize,
    /// For each member of its domain the rule that it tells, by position in the group.
    rules: Vec<Option<usize>>,
}

/// Parts of a group, as few as there can be with this parameter; those of one rule stay as they are.
fn parts<'a>(game: &Game, group: &'a [Rule], by: usize) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    for rule in group {
        let with = |part: &Part<'a>| {
            let mut group = part.group.clone();
            group.push(rule);
            Part::of(game, group, by).filter(|part| part.fits(game))
        };
        let found = parts.iter_mut().find_map(|part| Some((with(part)?, part)));
        match found {
            Some((more, part)) => *part = more,
            None => parts.push(Part {
                group: vec![rule],
                by,
                rules: Vec::new(),
            }),
        }
    }
    parts
}

impl<'a> Part<'a> {
    /// The rules, if no two of them have a candidate for this parameter in common.
    fn of(game: &Game, group: Vec<&'a Rule>, by: usize) -> Option<Part<'a>> {
        let Type::Elem(domain) = game.family(group[0].family).params[by].ty else {
            return None;
        };
        // Of rules of several players one alone is on turn.
        if domain == game.players {
            return None;
        }
        let mut rules = vec![None; game.domain(domain).len()];
        for (at, rule) in group.iter().enumerate() {
            for member in candidates(game, rule.family, by)? {
                let told = rules.get_mut(member as usize)?;
                if told.replace(at).is_some() {
                    return None;
                }
            }
        }
        Some(Part { group, by, rules })
    }

    /// The families as one, and by which name each move goes.
    fn joined(&self) -> Joined {
        let family = self.group[0].family;
        let name = |told: &Option<usize>| told.map_or(family, |at| self.group[at].family);
        Joined {
            family,
            by: self.by,
            names: self.rules.iter().map(name).collect(),
        }
    }

    /// Whether all in which the rules differ follows from the argument.
    fn fits(&self, game: &Game) -> bool {
        self.sources_fit(game) && self.holes_fit(game) && self.guards_fit(game)
    }

    /// Whether one source of each parameter makes the candidates of all rules.
    fn sources_fit(&self, game: &Game) -> bool {
        let params = 0..game.family(self.group[0].family).params.len();
        params.filter(|param| *param != self.by).all(|param| {
            let sources = self.group.iter().map(|rule| &rule.sources[param]);
            let same = sources
                .clone()
                .all(|source| *source == self.group[0].sources[param]);
            let told = |source: &ParamSource| match source {
                ParamSource::Among(_) => param > self.by,
                ParamSource::Listed { by, .. } => *by == self.by,
                _ => false,
            };
            same || sources.clone().all(told)
        })
    }

    /// The families but the one that has all moves.
    fn others(&self) -> Vec<FamilyId> {
        self.group[1..].iter().map(|rule| rule.family).collect()
    }
}
