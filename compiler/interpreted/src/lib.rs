//! The interpreter behind the interface of all games, so that every tool of the runtime works on it;
//! and [`reasons`], by which compiled games say why a move is not legal.

#![forbid(unsafe_code)]

mod explain;
mod forgetful;
mod full;
mod wording;

pub use explain::{Explainer, reasons};
pub use forgetful::Forgetful;

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::{Arc, RwLock};

use anyhow::{Result, bail};
use rulec_compiler::ir::observe::{Plane, planes};
use rulec_compiler::ir::{self, Axis, DomainId, VarId};
use rulec_core::episode::{self, EpisodeInfo, PieceKind};
use rulec_core::{
    ChanceList, Event, Events, Fault, FaultSite, Game, GameInfo, KeyHasher, MoveArgs, MoveFamily,
    MoveList, MoveNumbers, NumberLayer, NumberedArg, NumberedKind, Outcome, Reason, Turn,
};
use rulec_interp as interp;
use rulec_interp::{Interp, Value};

/// A game that is interpreted.
///
/// The interface wants names that live as long as the program. They are leaked, once for each game and once more
/// for each place of the rules that turns out to fault: a command loads one game, and rules have few such places.
pub struct InterpretedGame {
    interp: Interp,
    planes: Vec<Plane>,
    /// Bytes of a state on the engine that runs the game.
    state_bytes: usize,
    info: RwLock<Known>,
}

/// What is told of the game, once somebody asked, and the faults met so far.
#[derive(Default)]
struct Known {
    info: Option<&'static GameInfo>,
    /// The same without what takes long to find.
    about: Option<&'static GameInfo>,
    faults: Vec<interp::Fault>,
    names: BTreeSet<&'static str>,
}

impl InterpretedGame {
    /// Makes a game ready to run.
    ///
    /// # Errors
    /// When the program is not sound: a defect of the compiler.
    pub fn new(game: impl Into<Arc<ir::Game>>) -> Result<Self> {
        let interp = match Interp::new(game) {
            Ok(interp) => interp,
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                bail!("the compiled rules are not sound: {}", errors.join("; "));
            }
        };
        Ok(Self {
            planes: planes(interp.game()),
            interp,
            state_bytes: size_of::<interp::State>(),
            info: RwLock::default(),
        })
    }

    /// The same for an engine whose states are of this many bytes.
    #[must_use]
    pub fn with_state_bytes(mut self, bytes: usize) -> Self {
        self.state_bytes = bytes;
        self
    }

    /// The interpreter.
    pub fn interp(&self) -> &Interp {
        &self.interp
    }

    /// The number of a fault. A new one gets a place at the end of a new list, so numbers stay.
    pub fn fault(&self, fault: &interp::Fault) -> Fault {
        let mut known = self
            .info
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = known.faults.iter().position(|f| f == fault);
        let site = found.unwrap_or(known.faults.len());
        if found.is_none() && site <= usize::from(u16::MAX) {
            known.faults.push(fault.clone());
            let faults = self.fault_sites(&known.faults);
            let with = |info: &GameInfo| {
                let info = info.clone();
                &*Box::leak(Box::new(GameInfo { faults, ..info }))
            };
            known.info = known.info.map(with);
            known.about = known.about.map(with);
        }
        Fault {
            site: u16::try_from(site).unwrap_or(u16::MAX),
        }
    }

    fn fault_sites(&self, faults: &[interp::Fault]) -> &'static [FaultSite] {
        leak_list(faults.iter().map(|fault| FaultSite {
            code: fault.code.name(),
            message: leak(fault.code.message()),
            origin: leak(&self.interp.game().origin(fault.span)),
        }))
    }

    /// How a game ended, as the interface tells it.
    pub fn convert(&self, outcome: &interp::Outcome) -> Outcome {
        let reason = match &outcome.reason {
            interp::Reason::Win => Reason::Win,
            interp::Reason::Draw => Reason::Draw,
            interp::Reason::Stuck => Reason::Stuck,
            interp::Reason::Elimination => Reason::Elimination,
            interp::Reason::Limit => Reason::Limit,
            interp::Reason::Fault(fault) => Reason::Fault(self.fault(fault)),
        };
        Outcome {
            reason,
            winners: bits(&outcome.winners),
        }
    }

    /// A name of a variable or signal, leaked at its first use.
    fn name(&self, name: &str) -> &'static str {
        let mut known = self
            .info
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match known.names.get(name) {
            Some(leaked) => leaked,
            None => {
                let leaked = leak(name);
                known.names.insert(leaked);
                leaked
            }
        }
    }

    /// Tells a listener what happened.
    pub fn tell<E: Events>(&self, happened: Vec<interp::Event>, events: &mut E) {
        for event in happened {
            if let interp::Event::Count { counter, member } = event {
                if events.counting() {
                    events.count(counter, member);
                }
                continue;
            }
            if !events.active() {
                continue;
            }
            for event in self.events(event) {
                events.event(event);
            }
        }
    }

    /// What happened, in the numbers that the interface uses for pieces and places.
    fn events(&self, event: interp::Event) -> Vec<Event> {
        let game = self.interp.game();
        let piece = |placement: u32, member: u32| {
            let domain = game.placements[placement as usize].pieces;
            offset(game, &piece_domains(game), domain) + member
        };
        let place = |placement: u32, member: u32| {
            let domain = game.placements[placement as usize].places;
            offset(game, &place_domains(game), domain) + member
        };
        match event {
            interp::Event::Put {
                placement,
                piece: member,
                from,
                to,
            } => {
                let (piece, to) = (piece(placement, member), place(placement, to));
                vec![match from {
                    Some(from) => Event::Moved {
                        piece,
                        from: place(placement, from),
                        to,
                    },
                    None => Event::Placed { piece, at: to },
                }]
            }
            interp::Event::Take {
                placement,
                piece: member,
                from,
            } => vec![Event::Removed {
                piece: piece(placement, member),
                at: place(placement, from),
            }],
            interp::Event::SetContent {
                placement,
                place: at,
                before,
                after,
            } => {
                let at = place(placement, at);
                let removed = before.map(|kind| Event::Removed {
                    piece: piece(placement, kind),
                    at,
                });
                let placed = after.map(|kind| Event::Placed {
                    piece: piece(placement, kind),
                    at,
                });
                removed.into_iter().chain(placed).collect()
            }
            interp::Event::Change {
                var,
                member,
                before,
                after,
            } => {
                let (before, after) = (number(&before), number(&after));
                let change = self.change(VarId(var), member, before, after);
                change.into_iter().collect()
            }
            interp::Event::Count { counter, member } => vec![Event::Counted { counter, member }],
            interp::Event::Log(line) => vec![Event::Log(line)],
            interp::Event::Signal(name, values) => vec![Event::Named {
                name: self.name(&name),
                values: values.iter().map(|(value, _)| number(value)).collect(),
            }],
        }
    }

    /// A change of a score or of a property of a piece; nothing for other variables.
    fn change(&self, id: VarId, member: u32, old: i64, new: i64) -> Option<Event> {
        let game = self.interp.game();
        let var = game.var(id);
        if game.scores == Some(id) {
            return Some(Event::Scored {
                player: member,
                points: new.wrapping_sub(old),
            });
        }
        let pieces = piece_domains(game);
        match var.axes[..] {
            [Axis::Domain(domain)] if pieces.contains(&domain) && var.ty.is_scalar() => {
                Some(Event::StateChanged {
                    piece: offset(game, &pieces, domain) + member,
                    property: self.name(&var.name),
                    value: new,
                })
            }
            _ => None,
        }
    }
}

impl Game for InterpretedGame {
    type State = interp::State;
    type Move = interp::Move;

    fn info(&self) -> &GameInfo {
        let known = self
            .info
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(info) = known.info {
            return info;
        }
        drop(known);
        let found = found(&self.interp, self.about().clone());
        let mut known = self
            .info
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let faults = self.fault_sites(&known.faults);
        known
            .info
            .get_or_insert_with(|| Box::leak(Box::new(GameInfo { faults, ..found })))
    }

    fn about(&self) -> &GameInfo {
        let known = self
            .info
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(about) = known.about {
            return about;
        }
        drop(known);
        let mut known = self
            .info
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let faults = self.fault_sites(&known.faults);
        known.about.get_or_insert_with(|| {
            Box::leak(Box::new(GameInfo {
                faults,
                state_bytes: self.state_bytes,
                ..about(&self.interp)
            }))
        })
    }

    fn initial(&self) -> Self::State {
        self.interp.initial()
    }

    fn turn(&self, state: &Self::State) -> Turn {
        match self.interp.turn(state) {
            interp::Turn::Decide(_) if self.interp.outcome(state).is_some() => Turn::Over,
            interp::Turn::Decide(players) => Turn::Decide(bits(&players)),
            interp::Turn::Chance => Turn::Chance,
            interp::Turn::Over => Turn::Over,
        }
    }

    fn player(&self, state: &Self::State) -> Option<usize> {
        match self.interp.turn(state) {
            interp::Turn::Decide(players) => players.first().map(|p| *p as usize),
            interp::Turn::Chance | interp::Turn::Over => None,
        }
    }

    fn mover(&self, state: &Self::State, mv: Self::Move) -> usize {
        let mover = self.interp.mover(state, mv);
        mover.map_or(0, |player| player as usize)
    }

    fn legal_moves(
        &self,
        state: &Self::State,
        out: &mut MoveList<Self::Move>,
    ) -> Result<(), Fault> {
        match self.interp.legal_moves(state) {
            Ok(moves) => out.extend(moves.iter().copied()),
            Err(fault) => return Err(self.fault(fault)),
        }
        Ok(())
    }

    fn distinct_moves(
        &self,
        state: &Self::State,
        out: &mut MoveList<Self::Move>,
    ) -> Result<(), Fault> {
        match self.interp.distinct_moves(state) {
            Ok(moves) => out.extend(moves),
            Err(fault) => return Err(self.fault(&fault)),
        }
        Ok(())
    }

    fn chance_outcomes(&self, state: &Self::State, out: &mut ChanceList<Self::Move>) {
        for (mv, weight) in self.interp.chance_outcomes(state) {
            out.push(mv, weight);
        }
    }

    fn play<E: Events>(&self, state: &mut Self::State, mv: Self::Move, events: &mut E) {
        if !E::ACTIVE && !E::COUNTS {
            self.interp.play(state, mv);
            return;
        }
        let mut happened = Vec::new();
        self.interp.play_with_events(state, mv, &mut happened);
        self.tell(happened, events);
    }

    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        self.interp.outcome(state).map(|o| self.convert(&o))
    }

    fn scores(&self, state: &Self::State, out: &mut Vec<i64>) {
        out.extend(self.interp.scores(state));
    }

    fn key(&self, state: &Self::State) -> u64 {
        let mut bytes = Vec::new();
        let equality = self.interp.game().equality;
        self.interp.identity(state, equality, &mut bytes);
        let mut hasher = KeyHasher::new();
        hasher.write(&bytes);
        hasher.finish()
    }

    fn move_index(&self, mv: Self::Move) -> usize {
        let numbers = self.info().numbers;
        if numbers.kinds.is_empty() {
            return mv.code() as usize;
        }
        let mut args = Vec::new();
        let kind = self.move_args(mv, &mut args);
        numbers.number(kind, &args)
    }

    fn move_code(&self, mv: Self::Move) -> u64 {
        mv.code()
    }

    fn move_from_code(&self, code: u64) -> Option<Self::Move> {
        self.interp.move_from_code(code)
    }

    fn write_move(&self, mv: Self::Move, out: &mut String) {
        self.interp.write_move(mv, out);
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<Self::Move>) {
        out.extend(self.interp.parse_move(text));
    }
}

/// A value as the number that moves and events show.
fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(b) => i64::from(*b),
        Value::Int(i) => *i,
        Value::Wrap(i) => i64::from(*i),
        Value::Elem(member) => i64::from(*member),
        Value::Opt(member) => member.map_or(-1, i64::from),
        Value::Set(members) => members.iter().fold(0, |set, m| set | 1_i64 << (m & 63)),
        Value::Seq(items) => items.len() as i64,
        Value::Tagged(_, value) => number(value),
    }
}

/// The domains of pieces, in the order in which events number their members.
pub fn piece_domains(game: &ir::Game) -> Vec<DomainId> {
    distinct(game.placements.iter().map(|p| p.pieces))
}

/// The domains of places, in the order in which events number their members.
pub fn place_domains(game: &ir::Game) -> Vec<DomainId> {
    distinct(game.placements.iter().map(|p| p.places))
}

fn distinct(domains: impl Iterator<Item = DomainId>) -> Vec<DomainId> {
    let set: indexmap::IndexSet<DomainId> = domains.collect();
    set.into_iter().collect()
}

/// Where the members of a domain begin among the places that the interface numbers; nothing if they are none.
pub fn place_offset(game: &ir::Game, domain: DomainId) -> Option<u32> {
    let domains = place_domains(game);
    domains
        .contains(&domain)
        .then(|| offset(game, &domains, domain))
}

/// The number of the first member of a domain where several stand one after the other.
pub fn offset(game: &ir::Game, domains: &[DomainId], domain: DomainId) -> u32 {
    let before = domains.iter().take_while(|d| **d != domain);
    before.map(|d| game.domain(*d).len() as u32).sum()
}

fn names_of(game: &ir::Game, domains: &[DomainId]) -> &'static [&'static str] {
    let all = domains.iter().map(|id| game.domain(*id));
    leak_all(all.flat_map(|domain| (0..domain.len() as u32).map(|m| domain.member(m))))
}

/// What is known of a game, of which a part is known already: the rest takes long to find.
fn found(interp: &Interp, about: GameInfo) -> GameInfo {
    let game = interp.game();
    let moves = match &*game.numbers {
        Some(numbers) => numbers.count(),
        None => interp.move_count(),
    };
    GameInfo {
        move_count: usize::try_from(moves).unwrap_or(usize::MAX),
        numbers: match &*game.numbers {
            Some(numbers) => Box::leak(Box::new(numbered(numbers))),
            None => &MoveNumbers::EMPTY,
        },
        alike: leak_list(game.interchangeable.iter().map(|class| alike(game, class))),
        symmetries: leak_list(game.symmetries.all.iter().map(|s| symmetry(game, s))),
        symmetries_unknown: game.symmetries.unknown.as_deref().map(leak),
        sides_apart: game.symmetries.told_apart().as_deref().map(leak),
        ..about
    }
}

/// What is known of a game at once.
fn about(interp: &Interp) -> GameInfo {
    let game = interp.game();
    let players = game.domain(game.players);
    let families = (0..).zip(&game.families);
    let families = families.map(|(id, family): (usize, _)| MoveFamily {
        name: leak(game.rule_name(id.into())),
        params: leak_all(family.params.iter().map(|p| p.name.clone())),
        origin: leak(line_of(&game.origin(family.span))),
    });
    let draws = game.draws.iter().map(|draw| MoveFamily {
        name: leak(&draw.name),
        params: &["value"],
        origin: leak(line_of(&game.origin(draw.span))),
    });
    GameInfo {
        name: leak(&game.name),
        language: leak(&game.language),
        rules_sha256: leak(&game.rules_sha256()),
        compiler: concat!("rulec ", env!("CARGO_PKG_VERSION")),
        players: leak_all((0..players.len() as u32).map(|p| players.member(p))),
        families: Vec::leak(families.chain(draws).collect()),
        pieces: names_of(game, &piece_domains(game)),
        places: names_of(game, &place_domains(game)),
        identities: leak_all(
            game.identity_order()
                .map(|id| game.identity(id).name.clone()),
        ),
        future: game
            .identity_order()
            .position(|id| game.future.as_ref().is_some_and(|f| f.identity == id))
            .unwrap_or(0),
        timeless: game
            .identity_order()
            .position(|id| game.timeless() == Some(id)),
        exact_equality: game.future.as_ref().is_none_or(|f| f.of_equality),
        exact_classes: game.future.as_ref().is_none_or(|f| f.of_classes),
        episode: game
            .episode
            .as_ref()
            .map(|episode| &*Box::leak(Box::new(episode_info(game, episode)))),
        counters: counters(game),
        meters: meters(game),
        planes: leak_list(planes(game).into_iter().map(|plane| rulec_core::Plane {
            name: leak(&plane.name),
            cells: plane.cells,
            values: rulec_core::Interval {
                min: plane.low,
                max: plane.high,
            },
        })),
        has_chance: !game.draws.is_empty(),
        has_scores: game.scores.is_some(),
        several_at_once: game.has_sets_of_deciders(),
        ..GameInfo::EMPTY
    }
}

/// Members that are alike, by the numbers that [`GameInfo`] gives them.
fn alike(game: &ir::Game, class: &ir::Interchangeable) -> rulec_core::Alike {
    let domains = match class.pieces {
        true => piece_domains(game),
        false => place_domains(game),
    };
    let before = domains.iter().take_while(|domain| **domain != class.domain);
    let first: usize = before.map(|domain| game.domain(*domain).len()).sum();
    rulec_core::Alike {
        text: leak(&class.text(game)),
        pieces: class.pieces,
        members: leak_list(class.members.iter().map(|member| first as u32 + member)),
    }
}

/// A symmetry as the runtime describes it.
fn symmetry(game: &ir::Game, symmetry: &ir::Symmetry) -> rulec_core::Symmetry {
    let images = symmetry.images(game);
    let list = |members: &[u32]| leak_list(members.iter().copied());
    let arg = |arg: &ir::ArgImage| match arg {
        ir::ArgImage::Same => rulec_core::ArgImage::Same,
        ir::ArgImage::Member(members) => rulec_core::ArgImage::Member(list(members)),
        ir::ArgImage::Set(members) => rulec_core::ArgImage::Bits(list(members)),
    };
    let moves = images
        .moves
        .iter()
        .map(|(family, args)| rulec_core::MoveImage {
            family: *family,
            args: leak_list(args.iter().map(arg)),
        });
    let planes = images.planes.iter().map(|image| rulec_core::PlaneImage {
        plane: image.plane,
        from: list(&image.from),
        values: list(&image.values),
    });
    rulec_core::Symmetry {
        fixes_start: symmetry.fixes_start,
        players: list(&images.players),
        pieces: list(&images.pieces),
        places: list(&images.places),
        moves: leak_list(moves),
        planes: leak_list(planes),
    }
}

/// The dense numbers of moves as the runtime describes them.
fn numbered(numbers: &ir::MoveNumbers) -> MoveNumbers {
    let arg = |arg: &ir::NumberedArg| match arg {
        ir::NumberedArg::Member(_, first) => NumberedArg::Member(leak_list(first.iter().copied())),
        ir::NumberedArg::Int(first, _) => NumberedArg::Int(*first),
        ir::NumberedArg::Set(_, None) => NumberedArg::Bits,
        ir::NumberedArg::Set(_, Some(size)) => NumberedArg::Rank(*size),
    };
    let kinds = numbers.kinds.iter().map(|kind| NumberedKind {
        layer: kind.layer,
        args: leak_list(kind.args.iter().map(arg)),
    });
    let mut next = 0;
    let mut layers = Vec::new();
    for layer in &numbers.layers {
        let mut runs = Vec::new();
        for &(key, count) in &layer.runs {
            runs.push((key, next));
            next += count as usize;
        }
        layers.push(NumberLayer {
            lens: leak_list(layer.lens.iter().copied()),
            runs: Vec::leak(runs),
            end: next,
        });
    }
    MoveNumbers {
        kinds: leak_list(kinds),
        layers: Vec::leak(layers),
        count: next,
    }
}

fn leak_list<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    Vec::leak(items.collect())
}

/// What hosts of episodes know of the game.
fn episode_info(game: &ir::Game, episode: &ir::Episode) -> EpisodeInfo {
    let units = game.var(episode.kinds).init.len();
    let places = match episode.places.map(|places| &game.var(places).ty) {
        Some(ir::Type::Elem(domain)) => game.domain(*domain).len(),
        _ => units,
    };
    let kind = |kind: &ir::KindInfo| PieceKind {
        name: leak(&kind.name),
        pictured: kind.pictured,
        properties: leak_list(
            kind.properties
                .iter()
                .map(|(name, value)| (leak(name), leak(value))),
        ),
    };
    let features = episode.features.iter();
    EpisodeInfo {
        targets: game.var(episode.accepted).init.len(),
        units,
        places,
        columns: episode.columns as usize,
        crowded: episode.places.is_some(),
        kinds: leak_list(episode.looks.iter().map(kind)),
        atoms: leak_list(episode.atoms.iter().copied()),
        features: leak_list(
            features.map(|(name, values)| (leak(name), leak_all(values.iter().cloned()))),
        ),
        boards: board_source(&episode.boards),
        selection: episode
            .selection
            .as_ref()
            .map(|selection| episode::Selection {
                rows: leak_list(
                    selection
                        .rows
                        .iter()
                        .map(|kinds| leak_list(kinds.iter().copied())),
                ),
                only_places: selection.only_places,
                testing: selection.testing,
            }),
        parameters: leak_list(
            episode
                .parameters
                .iter()
                .map(|(name, value)| (leak(name), leak(value))),
        ),
    }
}

fn board_source(source: &ir::BoardSource) -> episode::BoardSource {
    let list = |kinds: &[u32]| leak_list(kinds.iter().map(|&kind| kind as u16));
    match source {
        ir::BoardSource::Pairs {
            pieces,
            first,
            second,
            kinds,
            seconds,
        } => episode::BoardSource::Pairs {
            pieces: *pieces,
            first: *first,
            second: *second,
            kinds: list(kinds),
            seconds: *seconds,
        },
        ir::BoardSource::Kinds { pieces, kinds } => episode::BoardSource::Kinds {
            pieces: *pieces,
            kinds: list(kinds),
        },
        ir::BoardSource::Families { pieces, families } => episode::BoardSource::Families {
            pieces: *pieces,
            families: leak_list(families.iter().map(|family| episode::KindFamily {
                draws: leak_list(family.draws.iter().copied()),
                kinds: list(&family.kinds),
            })),
        },
        ir::BoardSource::Fixed {
            boards,
            shuffled,
            drawn,
        } => episode::BoardSource::Fixed {
            boards: leak_list(boards.iter().map(|board| {
                leak_list(board.iter().map(|piece| episode::FixedPiece {
                    id: piece.id,
                    kind: piece.kind as u16,
                    place: piece.place as u8,
                }))
            })),
            shuffled: *shuffled,
            drawn: *drawn,
        },
    }
}

/// What is counted while a game is played.
fn counters(game: &ir::Game) -> &'static [rulec_core::Counter] {
    let counters = game.counters.iter().map(|counter| rulec_core::Counter {
        name: leak(&counter.name),
        members: match counter.axis {
            Some(axis) => names_of(game, &[axis]),
            None => &[""],
        },
    });
    Vec::leak(counters.collect())
}

/// What the rules measure.
fn meters(game: &ir::Game) -> &'static [rulec_core::Meter] {
    let meters = game.meters.iter().map(|meter| rulec_core::Meter {
        name: leak(&meter.name),
        unit: leak(&meter.unit),
        per: meter.per,
    });
    Vec::leak(meters.collect())
}

/// `file:line` of `file:line:column`.
fn line_of(origin: &str) -> &str {
    origin.rsplit_once(':').map_or(origin, |(line, _)| line)
}

fn bits(players: &[u32]) -> u64 {
    players.iter().fold(0, |set, p| set | 1 << (p & 63))
}

fn leak(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

fn leak_all(texts: impl Iterator<Item = String>) -> &'static [&'static str] {
    Vec::leak(texts.map(|text| leak(&text)).collect())
}
