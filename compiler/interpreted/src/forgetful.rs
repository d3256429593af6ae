//! The interpreter as a machine that forgets the names of pieces: what a compiled game without names is compared with.
//!
//! The rules are run with names. After each move the pieces that are alike change theirs, so that a piece stands where it starts
//! if one of those that are like it does, and the others follow in the order of their places: positions that differ by names
//! alone are one. Pieces on places of their own stand on the first of these.

use std::collections::BTreeMap;

use rulec_compiler::ir::{FamilyId, Joined, PlacementId};
use rulec_compiler::quotient::{Pool, Quotient};
use rulec_core::{
    ChanceList, Event, Events, Explain, Fault, Game, GameInfo, Hosted, Identities, MoveArgs,
    MoveList, Notation, Observe, Observer, OpenPlay, Outcome, Refusal, StateText, TextError, Turn,
    Wish,
};
use rulec_interp::{Move, MoveParts, State, Value};

use crate::InterpretedGame;

/// A game whose pieces lose their names.
pub struct Forgetful {
    game: InterpretedGame,
    placement: PlacementId,
    /// For each piece the first that is alike.
    first: Vec<u32>,
    /// The piece that starts on a place.
    homes: BTreeMap<u32, u32>,
    /// The pieces that have places of their own.
    pools: Vec<Pool>,
    /// For each family the parameters that tell the piece that moves.
    movers: Vec<Option<Mover>>,
    /// Families that are written as one.
    joined: Vec<Joined>,
}

/// The parameters of a family that are a piece, its place and the place of its own to which it goes, if it does.
#[derive(Clone, Copy)]
struct Mover {
    piece: usize,
    place: usize,
    own: Option<usize>,
}

impl Forgetful {
    /// A game whose pieces lose their names as compiled code forgets them.
    pub fn new(game: InterpretedGame, quotient: &Quotient) -> Forgetful {
        let starts = &quotient.game.placement(quotient.placement).init;
        let homes = (0u32..)
            .zip(starts)
            .filter_map(|(piece, place)| Some(((*place)?, piece)));
        let movers = quotient.families.iter().map(|mover| {
            let mover = mover.as_ref()?;
            Some(Mover {
                piece: mover.piece,
                place: mover.place,
                own: mover.own,
            })
        });
        let joined = quotient.game.joined.iter();
        Forgetful {
            game,
            placement: quotient.placement,
            first: quotient.first.clone(),
            homes: homes.collect(),
            pools: quotient.pools.clone(),
            movers: movers.collect(),
            joined: joined.cloned().collect(),
        }
    }

    fn forget(&self, state: &mut State) {
        let interp = self.game.interp();
        let stands = |piece: u32| interp.place_of(state, self.placement, piece);
        let mut names: Vec<u32> = vec![u32::MAX; self.first.len()];
        let mut taken = vec![false; self.first.len()];
        let mut standing: Vec<(u32, u32)> = (0..self.first.len() as u32)
            .map(|piece| (stands(piece).unwrap_or(u32::MAX), piece))
            .collect();
        standing.sort_unstable();
        let mut moved: Vec<(u32, u32)> = Vec::new();
        for pool in &self.pools {
            let is_there = |(place, piece): &&(u32, u32)| {
                pool.places.contains(place) && pool.pieces.contains(piece)
            };
            let there = standing.iter().filter(is_there);
            for ((at, piece), (name, place)) in there.zip(pool.pieces.iter().zip(&pool.places)) {
                names[*piece as usize] = *name;
                taken[*name as usize] = true;
                if at != place {
                    moved.push((*name, *place));
                }
            }
        }
        for &(place, piece) in &standing {
            if names[piece as usize] != u32::MAX {
                continue;
            }
            let name = self.name_at(self.first(piece), place);
            if self.homes.get(&place) == Some(&name) && !taken[name as usize] {
                names[piece as usize] = name;
                taken[name as usize] = true;
            }
        }
        for (_, piece) in standing {
            if names[piece as usize] != u32::MAX {
                continue;
            }
            let first = self.first(piece);
            let free = (0..taken.len()).find(|&name| !taken[name] && self.first[name] == first);
            if let Some(name) = free {
                names[piece as usize] = name as u32;
                taken[name] = true;
            }
        }
        let same = (0u32..).zip(&names).all(|(piece, name)| piece == *name);
        if !same || !moved.is_empty() {
            *state = interp.renamed(state, self.placement, &names, &moved);
        }
    }

    /// For each place of a pool the first that is free.
    fn free(&self, state: &State) -> BTreeMap<u32, u32> {
        if self.pools.is_empty() {
            return BTreeMap::new();
        }
        let interp = self.game.interp();
        let pieces = 0..self.first.len() as u32;
        let standing = pieces.filter_map(|piece| interp.place_of(state, self.placement, piece));
        let taken: Vec<u32> = standing.collect();
        let mut free = BTreeMap::new();
        for pool in &self.pools {
            let first = pool.places.iter().find(|place| !taken.contains(place));
            free.extend(
                pool.places
                    .iter()
                    .filter_map(|place| Some((*place, *first?))),
            );
        }
        free
    }

    /// The place of its own of a piece.
    fn own_place(&self, piece: u32) -> Option<u32> {
        let mut all = self
            .pools
            .iter()
            .flat_map(|pool| pool.pieces.iter().zip(&pool.places));
        all.find_map(|(own, place)| (*own == piece).then_some(*place))
    }

    fn first(&self, piece: u32) -> u32 {
        self.first.get(piece as usize).copied().unwrap_or(piece)
    }

    /// What a piece is called that stands on a place, by the first of those that are like it.
    fn name_at(&self, first: u32, place: u32) -> u32 {
        let home = self.homes.get(&place).copied();
        home.filter(|home| self.first(*home) == first)
            .unwrap_or(first)
    }

    /// The family by whose name a move with these arguments goes.
    fn named(&self, family: FamilyId, args: &[Value]) -> FamilyId {
        let mut joined = self.joined.iter();
        let joined = joined.find(|joined| joined.names.contains(&family));
        let named = joined.and_then(|joined| match args.get(joined.by) {
            Some(Value::Elem(member)) => joined.names.get(*member as usize).copied(),
            _ => None,
        });
        named.unwrap_or(family)
    }

    /// The move with the piece by which others that are alike are called.
    fn first_named(&self, mv: Move) -> Move {
        let interp = self.game.interp();
        let Some(MoveParts::Family(family, mut args)) = interp.move_parts(mv) else {
            return mv;
        };
        let Some(Some(mover)) = self.movers.get(family.index()).copied() else {
            return mv;
        };
        let (who, at) = (args.get(mover.piece), args.get(mover.place));
        if let (Some(Value::Elem(who)), Some(Value::Elem(at))) = (who, at) {
            let name = self.name_at(self.first(*who), *at);
            args[mover.piece] = Value::Elem(name);
            if let (Some(own), Some(place)) = (mover.own, self.own_place(name)) {
                args[own] = Value::Elem(place);
            }
        }
        let family = self.named(family, &args);
        interp.family_move(family, &args).unwrap_or(mv)
    }
}

/// Hands events on with the names that pieces have where they are alike.
struct FirstNamed<'a, E> {
    events: &'a mut E,
    game: &'a Forgetful,
    /// The first free place of each pool, by all places of it.
    free: BTreeMap<u32, u32>,
}

impl<E: Events> Events for FirstNamed<'_, E> {
    const ACTIVE: bool = E::ACTIVE;
    const COUNTS: bool = E::COUNTS;

    fn active(&self) -> bool {
        self.events.active()
    }

    fn event(&mut self, mut event: Event) {
        match &mut event {
            Event::Moved { piece, from, to } => {
                *piece = self.game.name_at(self.game.first(*piece), *from);
                *to = self.free.get(to).copied().unwrap_or(*to);
            }
            Event::Placed { piece, .. }
            | Event::Removed { piece, .. }
            | Event::StateChanged { piece, .. } => *piece = self.game.first(*piece),
            _ => {}
        }
        self.events.event(event);
    }
}

impl Game for Forgetful {
    type State = State;
    type Move = Move;

    fn info(&self) -> &GameInfo {
        self.game.info()
    }

    fn about(&self) -> &GameInfo {
        self.game.about()
    }

    fn initial(&self) -> State {
        let mut state = self.game.initial();
        self.forget(&mut state);
        state
    }

    fn turn(&self, state: &State) -> Turn {
        self.game.turn(state)
    }

    fn player(&self, state: &State) -> Option<usize> {
        self.game.player(state)
    }

    fn mover(&self, state: &State, mv: Move) -> usize {
        self.game.mover(state, mv)
    }

    fn legal_moves(&self, state: &State, out: &mut MoveList<Move>) -> Result<(), Fault> {
        self.game.legal_moves(state, out)
    }

    fn distinct_moves(&self, state: &State, out: &mut MoveList<Move>) -> Result<(), Fault> {
        self.game.distinct_moves(state, out)
    }

    fn chance_outcomes(&self, state: &State, out: &mut ChanceList<Move>) {
        self.game.chance_outcomes(state, out);
    }

    fn play<E: Events>(&self, state: &mut State, mv: Move, events: &mut E) {
        let mut events = FirstNamed {
            events,
            game: self,
            free: self.free(state),
        };
        self.game.play(state, mv, &mut events);
        self.forget(state);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.game.outcome(state)
    }

    fn scores(&self, state: &State, out: &mut Vec<i64>) {
        self.game.scores(state, out);
    }

    fn key(&self, state: &State) -> u64 {
        self.game.key(state)
    }

    fn move_index(&self, mv: Move) -> usize {
        self.game.move_index(mv)
    }

    fn move_code(&self, mv: Move) -> u64 {
        self.game.move_code(mv)
    }

    fn move_from_code(&self, code: u64) -> Option<Move> {
        self.game.move_from_code(code)
    }

    fn write_move(&self, mv: Move, out: &mut String) {
        self.game.write_move(self.first_named(mv), out);
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<Move>) {
        self.game.parse_move(text, out);
    }
}

impl OpenPlay for Forgetful {}

impl MoveArgs for Forgetful {
    fn move_args(&self, mv: Move, args: &mut Vec<i64>) -> usize {
        self.game.move_args(self.first_named(mv), args)
    }

    fn move_order(&self, mv: Move) -> u64 {
        self.game.move_order(mv)
    }
}

impl Notation for Forgetful {}

impl StateText for Forgetful {
    fn write_state(&self, state: &State, out: &mut String) {
        self.game.write_state(state, out);
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let mut state = self.game.parse_state(text)?;
        self.forget(&mut state);
        Ok(state)
    }
}

impl Observe for Forgetful {
    fn meters(&self, state: &State, out: &mut Vec<i64>) {
        self.game.meters(state, out);
    }

    fn observe(&self, state: &State, out: &mut impl Observer) {
        self.game.observe(state, out);
    }

    fn appearance(&self, state: &State, out: &mut Vec<i64>) {
        self.game.appearance(state, out);
    }
}

impl Identities for Forgetful {
    fn identity(&self, state: &State, identity: usize, out: &mut Vec<u8>) {
        self.game.identity(state, identity, out);
    }

    fn image(&self, state: &State, symmetry: usize) -> Option<State> {
        let mut image = self.game.image(state, symmetry)?;
        self.forget(&mut image);
        Some(image)
    }
}

impl Hosted for Forgetful {
    fn host_moves(&self, state: &State, out: &mut MoveList<Move>) {
        self.game.host_moves(state, out);
    }
}

impl Explain for Forgetful {
    fn explain(&self, state: &State, wish: Wish<'_>) -> Option<Refusal> {
        self.game.explain(state, wish)
    }
}
