//! The renaming test: whether the rules of a game mean the same after members of domains have changed their names, and which
//! members nobody can tell apart by it.
//!
//! A [`Renaming`] permutes members of domains. It keeps a game if every position and the renamed one have the same moves,
//! renamed, and the same ends. That is shown of the program and of nothing else: no language, no kind of rule and no spelling
//! is recognised. The start is not asked, it is a position like others; nor are texts, pictures and what listeners are told, nor
//! which of several mistakes in rules is found first.
//!
//! The renamings that keep a game are a group, whichever way the game is written down. So one is accepted if it keeps the program
//! as lowered or one of those that the first passes make of it ([`SPELLINGS`]), in which names that no rule needs no longer
//! stand. Places on which alike pieces start, and pieces that start on alike places, are also looked at where rules ask of sets what
//! they ask of many places; so are symmetries.

mod classes;
mod colours;
mod graph;
mod may;
mod meaning;
mod mirrors;
mod numbers;
mod reach;
mod rules;
mod sets;
mod settle;
mod shown;
mod standing;
mod stands;
mod symmetries;
mod terms;
#[cfg(test)]
mod tests;
mod told;
mod unfold;
mod values;
mod ways;
mod written;

use std::sync::Arc;

use rulec_ir::beside::{aside, beside};
use rulec_ir::sorted::SortedMap;

use crate::ir::{Const, DomainId, Game, Later, MoveNumbers, Symmetries, Type};
use crate::opt::legal::sides;
use crate::opt::{
    PASSES, budget, definite, families, fold_constants, future, generators, inline, lift, members,
    pairs, patterns, possible, predicates, prune, rounds, scope, specialise, tail_calls, tallies,
    unroll,
};

use rules::Rules;

/// Permutations of the members of some domains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// The new number of each member.
    permutations: SortedMap<DomainId, Vec<u32>>,
}

/// New numbers of the members of the domains that have some.
type Members = SortedMap<DomainId, Vec<u32>>;

fn renaming(members: &Members) -> Renaming {
    Renaming {
        permutations: members.clone(),
    }
}

impl Renaming {
    /// The renaming that changes nothing.
    pub fn new() -> Renaming {
        Renaming::default()
    }

    /// The same, and afterwards two members of a domain are exchanged, which must be in range.
    #[must_use]
    pub fn swapping(mut self, game: &Game, domain: DomainId, a: u32, b: u32) -> Renaming {
        let all = || (0..game.domain(domain).len() as u32).collect();
        let members = self.permutations.entry(domain).or_insert_with(all);
        for member in members {
            *member = match *member {
                m if m == a => b,
                m if m == b => a,
                m => m,
            };
        }
        self
    }

    /// The new number of a member.
    pub fn member(&self, domain: DomainId, member: u32) -> u32 {
        let members = self.permutations.get(&domain);
        let new = members.and_then(|members| members.get(member as usize));
        new.copied().unwrap_or(member)
    }

    /// The new numbers of all members of a domain; nothing where they stay as they are.
    fn images(&self, domain: DomainId) -> &[u32] {
        self.permutations.get(&domain).map_or(&[], Vec::as_slice)
    }

    /// Whether it names some member of a domain anew.
    pub fn moves(&self, domain: DomainId) -> bool {
        self.moved(domain).next().is_some()
    }

    /// The members of a domain that it names anew.
    pub fn moved(&self, domain: DomainId) -> impl Iterator<Item = u32> {
        let members = self.permutations.get(&domain).into_iter().flatten();
        (0..)
            .zip(members)
            .filter(|(old, new)| old != *new)
            .map(|(old, _)| old)
    }

    /// Whether a constant of a type is the same with the new names.
    fn keeps(&self, ty: &Type, value: &Const) -> bool {
        match (value, ty) {
            (Const::Set(members), Type::Set(domain)) => {
                let has = |member: u32| members.binary_search(&member).is_ok();
                let mut moved = self.moved(*domain).filter(|&member| has(member));
                moved.all(|member| has(self.member(*domain, member)))
            }
            _ => self.constant(ty, value) == *value,
        }
    }

    /// A constant of a type with the new names.
    pub fn constant(&self, ty: &Type, value: &Const) -> Const {
        match (value, ty) {
            (Const::Elem(member), Type::Elem(domain) | Type::Opt(domain)) => {
                Const::Elem(self.member(*domain, *member))
            }
            (Const::Set(members), Type::Set(domain)) => {
                let mut set: Vec<u32> = members.iter().map(|&m| self.member(*domain, m)).collect();
                set.sort_unstable();
                Const::Set(set)
            }
            (Const::Seq(items), Type::Seq { item, .. }) => Const::Seq(
                items
                    .iter()
                    .map(|value| self.constant(item, value))
                    .collect(),
            ),
            (Const::Tagged(ty, value), _) => {
                let renamed = self.constant(ty, value);
                Const::Tagged(ty.clone(), Box::new(renamed))
            }
            _ => value.clone(),
        }
    }
}

/// Ways to write the game down, each made from the one before; none of them uses where a game starts.
const SPELLINGS: &[&[fn(&mut Game)]] = &[
    &[future::drop_unread],
    &[
        fold_constants::run,
        families::run,
        tail_calls::run,
        definite::run,
        scope::run,
        future::drop_unread,
    ],
    &[
        possible::run,
        tallies::run,
        unroll::run,
        specialise::run,
        generators::run,
        settle::run,
    ],
    &[
        rounds::run,
        budget::run,
        members::run,
        lift::run,
        prune::run,
    ],
    &[inline::run, settle::run, pairs::run],
];

/// Notes in a game, as lowered, which pieces and places nobody can tell apart: they are found when somebody asks for them.
pub fn find_alike(game: &mut Game) {
    if game.machine.is_none() && !classes::boards(game).is_empty() {
        let lowered = game.clone();
        game.interchangeable = Later::by(move || classes::of(&lowered, &Judge::of(&lowered)));
    }
}

/// What is known of a game, as lowered, that no pass asks for: found when somebody asks for it.
#[derive(Debug)]
pub struct Known {
    /// Its symmetries.
    pub symmetries: Later<Symmetries>,
    /// The dense numbers of its moves.
    pub numbers: Later<Option<MoveNumbers>>,
}

/// A search for what is known of a game: each part is found when somebody asks for it.
pub struct Search {
    game: Arc<Game>,
    /// The symmetries, where the rules as they are are not too much to look for them in.
    early: Later<Result<Symmetries, String>>,
    numbers: Later<Option<MoveNumbers>>,
}

impl Search {
    /// In a game as lowered, and after the first passes if that was kept.
    pub fn of(game: Arc<Game>, plain: Option<Plain>) -> Search {
        let lowered = game.clone();
        let first = match plain {
            Some(plain) => Later::from(plain),
            None => Later::by(move || Plain::of(&lowered, None)),
        };
        let (own, again) = (game.clone(), first.clone());
        let other = game.clone();
        Search {
            game,
            early: Later::by(move || early(&own, &first)),
            numbers: Later::by(move || numbers(&other, &again)),
        }
    }

    /// Begins at once, beside whatever comes next, if there are threads.
    pub fn begin(&self) {
        let (early, numbers) = (self.early.clone(), self.numbers.clone());
        aside(move || {
            let _: &Result<Symmetries, String> = &early;
            let _: &Option<MoveNumbers> = &numbers;
        });
    }

    /// What is found, with the machine that all passes up to there made of the game, if they ran.
    pub fn after(self, machine: Option<Game>) -> Known {
        let Search {
            game,
            early,
            numbers,
        } = self;
        let symmetries = Later::by(move || {
            let early = (*early).clone();
            let sets = symmetries_of_sets(&game, machine);
            larger(early, sets, &|found| {
                found.of_players(&game) < found.order()
            })
        });
        Known {
            symmetries,
            numbers,
        }
    }
}

impl Known {
    /// Begins to look for symmetries beside whatever comes next, if there are threads.
    pub fn begin(&self) {
        let symmetries = self.symmetries.clone();
        aside(move || {
            let _: &Symmetries = &symmetries;
        });
    }

    /// Notes it in a game.
    pub fn note(&self, game: &mut Game) {
        game.symmetries = self.symmetries.clone();
        game.numbers = self.numbers.clone();
    }
}

/// The dense numbers of the moves of a game.
fn numbers(game: &Game, plain: &Plain) -> Option<MoveNumbers> {
    match game.machine {
        None => numbers::of(game, &composed(game, plain)),
        Some(_) => None,
    }
}

/// The symmetries of a game as its rules are.
fn early(game: &Game, plain: &Plain) -> Result<Symmetries, String> {
    match game.machine {
        None => symmetries::of(game, plain),
        Some(_) => Ok(Symmetries::default()),
    }
}

/// The larger of two groups of renamings that keep a game. Where there is but one that keeps it, it is told why the meaning
/// of the game was not found, if neither way led to it.
fn larger(
    rules: Result<Symmetries, String>,
    sets: Result<Symmetries, String>,
    exchanges: &dyn Fn(&Symmetries) -> bool,
) -> Symmetries {
    match (rules, sets) {
        (Ok(rules), Ok(sets)) if sets.order() > rules.order() => Symmetries {
            apart: rules.apart.filter(|_| !exchanges(&sets)),
            ..sets
        },
        (Ok(rules), _) => rules,
        (Err(_), Ok(sets)) => sets,
        (Err(why), Err(_)) => Symmetries {
            unknown: Some(why),
            ..Symmetries::default()
        },
    }
}

/// The symmetries that are found in the machine that the passes made. Which passes are asked for must not matter, so where some are
/// not, they all run for this alone; so they do where what moves do is written for each side apart, for then sides are told apart.
fn symmetries_of_sets(game: &Game, machine: Option<Game>) -> Result<Symmetries, String> {
    let machine = machine.filter(|machine| sides::apart(machine).is_empty());
    let machine = machine.unwrap_or_else(|| machine_of(game));
    symmetries::of_sets(game, machine)
}

/// A game after the first passes, which is where the others begin and where symmetries are looked for.
#[derive(Clone)]
pub struct Plain(Game);

impl Plain {
    /// How many of the passes these are: those by which the second of the spellings begins.
    pub const PASSES: usize = 5;

    /// Runs the first passes, of which the very first, which folds constants, may have run already.
    pub fn of(game: &Game, folded: Option<Game>) -> Plain {
        let mut first = PASSES[..Plain::PASSES].iter();
        let mut plain = match folded {
            Some(folded) => {
                first.next();
                folded
            }
            None => game.clone(),
        };
        first.for_each(|pass| (pass.run)(&mut plain));
        Plain(plain)
    }

    /// The game after them.
    pub fn game(&self) -> &Game {
        &self.0
    }

    /// The game after them, taken out.
    pub fn into_game(self) -> Game {
        self.0
    }
}

/// The game in the last spelling in which guards are quick to run and still test everything.
fn composed(game: &Game, plain: &Plain) -> Game {
    // The first spelling is the game itself if there is nothing to drop: then the next one is begun already.
    let (mut program, done) = match future::reads_all(game) {
        true => (plain.game().clone(), SPELLINGS[0].len() + Plain::PASSES),
        false => (game.clone(), 0),
    };
    let passes = SPELLINGS[..COMPOSED].iter().copied().flatten();
    passes.skip(done).for_each(|pass| pass(&mut program));
    program
}

/// A game after all passes up to the one that makes a machine of it, but that which writes moves for each side apart.
fn machine_of(game: &Game) -> Game {
    let mut game = game.clone();
    let mut passes = PASSES.iter().filter(|pass| pass.name != "sides");
    while let (None, Some(pass)) = (&game.machine, passes.next()) {
        (pass.run)(&mut game);
    }
    game
}

/// The spellings up to that in which guards are quick to run and still test everything.
const COMPOSED: usize = 3;

/// The rules in these spellings: those of one are looked at while the next one is made of it.
fn spelled(mut game: Game, spellings: &[&[fn(&mut Game)]]) -> Vec<Rules> {
    let Some((passes, more)) = spellings.split_first() else {
        return Vec::new();
    };
    passes.iter().for_each(|pass| pass(&mut game));
    if more.is_empty() {
        return vec![Rules::of(game)];
    }
    let (rules, mut others) = beside(|| Rules::of(game.clone()), || spelled(game.clone(), more));
    others.insert(0, rules);
    others
}

/// The judge of renamings of one game.
pub struct Judge {
    spellings: Vec<Rules>,
}

impl Judge {
    /// Looks at a game as lowered, before any pass.
    pub fn of(game: &Game) -> Judge {
        if game.machine.is_some() {
            return Judge {
                spellings: Vec::new(),
            };
        }
        Judge {
            spellings: spelled(game.clone(), SPELLINGS),
        }
    }

    /// The same by one more spelling, in which what is asked of many places is asked of sets of them: it takes long to make.
    fn by_sets(&self) -> Judge {
        let spelled = |rules: &Rules| {
            let mut game = rules.game().clone();
            predicates::run(&mut game);
            patterns::run(&mut game);
            fold_constants::run(&mut game);
            scope::run(&mut game);
            future::drop_unread(&mut game);
            settle::run(&mut game);
            Rules::of(game)
        };
        Judge {
            spellings: self.spellings.last().map(spelled).into_iter().collect(),
        }
    }

    /// Whether a renaming keeps the game.
    ///
    /// # Errors
    /// The place in the rules where it is not shown.
    pub fn keeps(&self, renaming: &Renaming) -> Result<(), String> {
        let mut why = String::from("the rules are a machine already");
        for (at, rules) in self.spellings.iter().enumerate() {
            match rules.keeps(renaming) {
                Ok(()) => return Ok(()),
                Err(place) if at == 0 => why = place.to_owned(),
                Err(_) => {}
            }
        }
        Err(why)
    }
}
