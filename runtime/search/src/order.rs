//! Who acts first where several players may.
//!
//! The list of moves of such a position holds those of all of them. A search, a random game or a game between bots
//! needs to know whose move comes next: [`Order`] says so, and a game with an order is a game like any other, in
//! which it is one player's turn at a time.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use rulec_core::bits::bits64;
use rulec_core::{
    ChanceList, ChoiceSet, Event, Events, Explain, Fault, Game, GameInfo, Hosted, Identities,
    MoveArgs, MoveFamily, MoveList, Notation, Observe, Observer, OpenPlay, Outcome, PlayoutSums,
    RandomStreams, Rng, StateText, TextError, Turn,
};

use crate::any::{AnyState, State, hide};

/// In which order players act where several may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each time one is drawn of those who can move, all with the same chance.
    #[default]
    Uniform,
    /// In the order of seats, from the one after who acted last; who cannot move is skipped.
    RoundRobin,
    /// None: every move of everybody is as likely as any other.
    Free,
}

impl Order {
    const ALL: [(Order, &'static str); 3] = [
        (Order::Uniform, "uniform"),
        (Order::RoundRobin, "round-robin"),
        (Order::Free, "free"),
    ];
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Order::ALL.iter().find(|(_, name)| *name == text);
        found.map(|(order, _)| *order).ok_or_else(|| {
            format!("there is no order `{text}`; there are uniform, round-robin and free")
        })
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Order::ALL.iter().find(|(order, _)| order == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

/// A position in which one player acts at a time; the position itself where that is so anyway.
///
/// With `first_free`, the first decision is still that of everybody: a search weighs the moves of all of them.
pub fn ordered<'g>(state: &(dyn AnyState<'g> + 'g), order: Order, first_free: bool) -> State<'g> {
    let info = state.info();
    if order == Order::Free || !info.several_at_once {
        return state.fork();
    }
    // The names of the game live as long as the program that plays it; a command asks once.
    let mut families = info.families.to_vec();
    families.push(MoveFamily {
        name: "acts",
        params: &["player"],
        origin: "",
    });
    let game: &'g Ordered<'g> = Box::leak(Box::new(Ordered {
        order,
        info: GameInfo {
            families: Vec::leak(families),
            has_chance: info.has_chance || order == Order::Uniform,
            several_at_once: false,
            ..info.clone()
        },
        start: state.fork(),
        first_free,
    }));
    hide(game, game.initial())
}

/// A game with an order.
struct Ordered<'g> {
    order: Order,
    info: GameInfo,
    start: State<'g>,
    first_free: bool,
}

/// A position of such a game.
struct Position<'g> {
    state: State<'g>,
    /// Who acts, if several may and one is chosen.
    actor: Option<u8>,
    /// Who may and can act, where one is still to be chosen.
    able: u64,
    /// Whether everybody decides all the same.
    free: bool,
    /// Who acted last, or the last seat.
    last: u8,
    /// One move of every class, where that was asked to see who can move.
    distinct: Option<Vec<u64>>,
}

/// A move of the game, or the choice of who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Step {
    Move(u64),
    Actor(u8),
}

/// The codes of choices of who acts are the last ones.
const ACTORS: u64 = u64::MAX - 64;

impl<'g> Position<'g> {
    /// The position, with who acts as far as that is no chance.
    fn of(state: State<'g>, last: u8, order: Order) -> Self {
        let mut position = Position {
            actor: None,
            able: 0,
            free: false,
            last,
            distinct: None,
            state,
        };
        position.arrive(order);
        position
    }

    /// Finds who acts in a position to which play has come.
    fn arrive(&mut self, order: Order) {
        (self.actor, self.able, self.free, self.distinct) = (None, 0, false, None);
        match self.state.turn() {
            Turn::Decide(players) if players.count_ones() > 1 => {}
            _ => return,
        }
        let mut moves = Vec::new();
        // After a fault nobody can move, and the game itself tells of it.
        let listed = self.state.moves(ChoiceSet::Distinct, &mut moves);
        for &code in &moves {
            self.able |= 1 << (self.state.mover(code) & 63);
        }
        let after_last = bits64(self.able).find(|&p| p > usize::from(self.last));
        let first = bits64(self.able).next();
        match (order, self.able.count_ones()) {
            (Order::RoundRobin, _) => self.actor = after_last.or(first).map(|p| p as u8),
            (_, 1) => self.actor = first.map(|p| p as u8),
            _ => {}
        }
        self.distinct = listed.is_ok().then_some(moves);
    }

    fn is_open(&self) -> bool {
        !self.free && self.actor.is_none() && self.able.count_ones() > 1
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.state.identity(0, &mut bytes);
        bytes.push(self.actor.map_or(u8::MAX, |actor| actor));
        bytes.push(self.last);
        bytes
    }
}

impl Clone for Position<'_> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.fork(),
            actor: self.actor,
            able: self.able,
            free: self.free,
            last: self.last,
            distinct: self.distinct.clone(),
        }
    }
}

impl PartialEq for Position<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Position<'_> {}

impl Hash for Position<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.key().hash(hasher);
    }
}

impl Ordered<'_> {
    fn list(&self, state: &Position<'_>, choices: ChoiceSet) -> Result<Vec<Step>, Fault> {
        let mut codes = match (&state.distinct, choices) {
            _ if state.is_open() => Vec::new(),
            (Some(codes), ChoiceSet::Distinct) => codes.clone(),
            _ => {
                let mut codes = Vec::new();
                state.state.moves(choices, &mut codes)?;
                codes
            }
        };
        if let Some(actor) = state.actor {
            codes.retain(|&code| state.state.mover(code) == usize::from(actor));
        }
        Ok(codes.into_iter().map(Step::Move).collect())
    }
}

impl<'g> Game for Ordered<'g> {
    type State = Position<'g>;
    type Move = Step;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn initial(&self) -> Position<'g> {
        let seats = self.info.players.len().clamp(1, 64);
        let mut start = Position::of(self.start.fork(), seats as u8 - 1, self.order);
        if self.first_free {
            (start.free, start.actor) = (true, None);
        }
        start
    }

    fn turn(&self, state: &Position<'g>) -> Turn {
        match (state.state.turn(), state.actor) {
            (Turn::Decide(_), Some(actor)) => Turn::Decide(1 << (actor & 63)),
            (Turn::Decide(_), None) if state.is_open() => Turn::Chance,
            (turn, _) => turn,
        }
    }

    fn legal_moves(&self, state: &Position<'g>, out: &mut MoveList<Step>) -> Result<(), Fault> {
        out.extend(self.list(state, ChoiceSet::All)?);
        Ok(())
    }

    fn distinct_moves(&self, state: &Position<'g>, out: &mut MoveList<Step>) -> Result<(), Fault> {
        out.extend(self.list(state, ChoiceSet::Distinct)?);
        Ok(())
    }

    fn player(&self, state: &Position<'g>) -> Option<usize> {
        match state.actor {
            Some(actor) => Some(usize::from(actor)),
            None => state.state.player(),
        }
    }

    fn mover(&self, state: &Position<'g>, mv: Step) -> usize {
        match mv {
            Step::Move(code) => state.state.mover(code),
            Step::Actor(actor) => usize::from(actor),
        }
    }

    fn chance_outcomes(&self, state: &Position<'g>, out: &mut ChanceList<Step>) {
        if state.is_open() {
            bits64(state.able).for_each(|player| out.push(Step::Actor(player as u8), 1));
        } else {
            for &(code, weight) in &state.state.results() {
                out.push(Step::Move(code), weight);
            }
        }
    }

    fn play<E: Events>(&self, state: &mut Position<'g>, mv: Step, events: &mut E) {
        let code = match mv {
            Step::Actor(actor) => return state.actor = Some(actor),
            Step::Move(code) => code,
        };
        let last = match state.actor {
            Some(actor) => actor,
            None => match state.state.turn() {
                Turn::Decide(_) => state.state.mover(code) as u8,
                _ => state.last,
            },
        };
        let mut told: Vec<Event> = Vec::new();
        state.state.play(code, E::ACTIVE.then_some(&mut told));
        told.into_iter().for_each(|event| events.event(event));
        state.last = last;
        state.arrive(self.order);
    }

    fn random_playouts(
        &self,
        start: &Position<'g>,
        games: &RandomStreams,
        buffer: &mut MoveList<Step>,
        sums: &mut PlayoutSums,
    ) {
        let is_turn = start.is_open() || start.able.count_ones() < 2;
        let is_drawn = self.order == Order::Uniform && !start.free && is_turn;
        if is_drawn && start.state.random_turns(games, sums) {
            return;
        }
        for stream in games.streams.clone() {
            let (mut state, mut rng) = (start.clone(), Rng::new(games.seed, stream));
            let (limit, choices) = (games.limit, games.choices);
            sums.add(&self.random_playout(&mut state, &mut rng, limit, choices, buffer));
        }
    }

    fn outcome(&self, state: &Position<'g>) -> Option<Outcome> {
        state.state.outcome()
    }

    fn scores(&self, state: &Position<'g>, out: &mut Vec<i64>) {
        out.extend(state.state.scores());
    }

    fn key(&self, state: &Position<'g>) -> u64 {
        let actor = state.actor.map_or(64, u64::from);
        state.state.key() ^ actor.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(state.last)
    }

    fn move_index(&self, mv: Step) -> usize {
        match mv {
            Step::Move(code) => self.start.move_index(code),
            Step::Actor(actor) => self.info.move_count + usize::from(actor),
        }
    }

    fn move_code(&self, mv: Step) -> u64 {
        match mv {
            Step::Move(code) => code,
            Step::Actor(actor) => ACTORS + u64::from(actor),
        }
    }

    fn move_from_code(&self, code: u64) -> Option<Step> {
        Some(match code.checked_sub(ACTORS) {
            Some(actor) => Step::Actor(actor as u8),
            None => Step::Move(code),
        })
    }

    fn write_move(&self, mv: Step, out: &mut String) {
        match mv {
            Step::Move(code) => out.push_str(&self.start.move_text(code)),
            Step::Actor(actor) => {
                let name = self.info.players.get(usize::from(actor));
                out.push_str(name.copied().unwrap_or("?"));
                out.push_str(" acts");
            }
        }
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<Step>) {
        out.extend(self.start.parse_move(text).into_iter().map(Step::Move));
    }
}

impl<'g> OpenPlay for Ordered<'g> {}

impl<'g> MoveArgs for Ordered<'g> {
    fn move_args(&self, mv: Step, args: &mut Vec<i64>) -> usize {
        match mv {
            Step::Move(code) => {
                let (family, found) = self.start.move_args(code);
                args.extend(found);
                family
            }
            Step::Actor(actor) => {
                args.push(i64::from(actor));
                self.info.families.len() - 1
            }
        }
    }

    fn move_order(&self, mv: Step) -> u64 {
        match mv {
            Step::Move(code) => self.start.move_order(code),
            Step::Actor(actor) => ACTORS + u64::from(actor),
        }
    }
}

impl<'g> Notation for Ordered<'g> {
    fn write_move_in(&self, state: &Position<'g>, mv: Step, out: &mut String) {
        match mv {
            Step::Move(code) => out.push_str(&state.state.move_text(code)),
            Step::Actor(_) => self.write_move(mv, out),
        }
    }

    fn parse_move_in(&self, state: &Position<'g>, text: &str, out: &mut MoveList<Step>) {
        let found = state.state.parse_move(text);
        out.extend(found.into_iter().map(Step::Move));
    }
}

impl<'g> StateText for Ordered<'g> {
    fn write_state(&self, state: &Position<'g>, out: &mut String) {
        out.push_str(&state.state.text());
    }

    fn parse_state(&self, text: &str) -> Result<Position<'g>, TextError> {
        let seats = self.info.players.len().clamp(1, 64);
        Ok(Position::of(
            self.start.read(text)?,
            seats as u8 - 1,
            self.order,
        ))
    }
}

impl<'g> Observe for Ordered<'g> {
    fn observe(&self, state: &Position<'g>, out: &mut impl Observer) {
        let mut values = Vec::new();
        state.state.observe(&mut values);
        values.into_iter().for_each(|value| out.value(value));
    }

    fn appearance(&self, state: &Position<'g>, out: &mut Vec<i64>) {
        out.extend(state.state.appearance());
    }
}

impl<'g> Identities for Ordered<'g> {
    fn identity(&self, state: &Position<'g>, identity: usize, out: &mut Vec<u8>) {
        state.state.identity(identity, out);
        out.push(state.actor.map_or(u8::MAX, |actor| actor));
        out.push(state.last);
    }
}

impl<'g> Hosted for Ordered<'g> {
    fn host_moves(&self, state: &Position<'g>, out: &mut MoveList<Step>) {
        let found = state.state.host_moves();
        out.extend(found.into_iter().map(Step::Move));
    }
}

impl<'g> Explain for Ordered<'g> {}

/// Whether a code of a game with an order says who acts, which is no part of the game's own record.
#[cfg(feature = "programs")]
pub(crate) fn is_actor(code: u64) -> bool {
    code >= ACTORS
}
