//! Which local variables exist where.
//!
//! Local variables live in a stack of scopes that every player carries along, so what a name means depends on the fields whose
//! commands the player has run. This walks the ways of the board with everything that may be true of the stack
//! ([`Shape`]): where all ways agree, a name is resolved when the game is compiled; where they do not, the compiled game
//! looks for it.

use rulec_ir::sorted::SortedMap;

use super::ast::{Stmt, StmtKind, each_stmt};
use super::check::{Board, Dest, Place};

/// Most scopes inside each other, the first one included.
pub(super) const MAX_SCOPES: usize = 8;

/// What is known of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    No,
    Yes,
    Maybe,
}

impl Known {
    fn join(self, other: Known) -> Known {
        if self == other { self } else { Known::Maybe }
    }
}

/// A kind of local variable: a name with its type. Declarations that agree in both share one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) name: String,
    /// Greatest value; nothing for truth values.
    pub(super) limit: Option<i64>,
}

/// A scope.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// Whether outer scopes are hidden behind it.
    pub(super) limited: Known,
    /// Which kinds of variable are declared in it.
    pub(super) slots: Vec<Known>,
}

/// What is known of the stack of scopes of the current player; nothing at all if not even its height.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) frames: Option<Vec<Frame>>,
}

/// Why a declaration, or the end or begin of a scope, ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Redeclared,
    NoScope,
    TooMany,
}

impl Shape {
    /// One scope without variables.
    pub(super) fn initial(slots: usize) -> Shape {
        Shape {
            frames: Some(vec![Frame::empty(slots)]),
        }
    }

    pub(super) fn begin(&mut self, slots: usize) -> Result<(), Refused> {
        match &mut self.frames {
            Some(frames) if frames.len() == MAX_SCOPES => Err(Refused::TooMany),
            Some(frames) => {
                frames.push(Frame::empty(slots));
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub(super) fn end(&mut self) -> Result<(), Refused> {
        match &mut self.frames {
            Some(frames) if frames.len() == 1 => Err(Refused::NoScope),
            Some(frames) => {
                frames.pop();
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub(super) fn limit(&mut self) {
        if let Some(top) = self.frames.as_mut().and_then(|frames| frames.last_mut()) {
            top.limited = Known::Yes;
        }
    }

    pub(super) fn declare(&mut self, slots: &[Slot], slot: usize) -> Result<(), Refused> {
        let Some(top) = self.frames.as_mut().and_then(|frames| frames.last_mut()) else {
            return Ok(());
        };
        for (other, known) in top.slots.iter_mut().enumerate() {
            if slots[other].name == slots[slot].name {
                if *known == Known::Yes {
                    return Err(Refused::Redeclared);
                }
                *known = Known::No;
            }
        }
        top.slots[slot] = Known::Yes;
        Ok(())
    }

    /// What is true of both.
    pub(super) fn join(&self, other: &Shape) -> Shape {
        let frames = match (&self.frames, &other.frames) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                let joined = a.iter().zip(b).map(|(a, b)| a.join(b));
                Some(joined.collect())
            }
            _ => None,
        };
        Shape { frames }
    }
}

impl Frame {
    fn empty(slots: usize) -> Frame {
        Frame {
            limited: Known::No,
            slots: vec![Known::No; slots],
        }
    }

    fn join(&self, other: &Frame) -> Frame {
        let slots = self.slots.iter().zip(&other.slots);
        Frame {
            limited: self.limited.join(other.limited),
            slots: slots.map(|(a, b)| a.join(*b)).collect(),
        }
    }
}

/// What is known of the stack at every place.
#[derive(Debug)]
pub(super) struct Scopes {
    pub(super) slots: Vec<Slot>,
    /// Behind the setup, for the first player.
    pub(super) after_setup: Shape,
    /// When a token comes to a place; nothing where none can come.
    pub(super) arrive: Vec<Option<Shape>>,
    /// When it goes on from there.
    pub(super) leave: Vec<Option<Shape>>,
    /// Whether the height of the stack is unknown somewhere.
    pub(super) dynamic: bool,
    /// For each kind of variable, whether it is unknown somewhere if it exists.
    pub(super) uncertain: Vec<bool>,
    /// Whether it is unknown somewhere if a scope is limited.
    pub(super) uncertain_limit: bool,
    /// Most scopes inside each other.
    pub(super) height: usize,
}

/// The stack by the place of the token, while a program runs.
type Flow = SortedMap<usize, Shape>;

struct Walk<'a> {
    board: &'a Board,
    back: bool,
    scopes: Scopes,
    changed: bool,
}

/// Walks all ways; `back` tells whether tokens may walk backward.
pub(super) fn analyse(board: &Board, back: bool) -> Scopes {
    let mut slots: Vec<Slot> = Vec::new();
    let mut collect = |stmt: &Stmt| {
        if let StmtKind::Decl(decl) = &stmt.kind {
            let slot = Slot {
                name: decl.name.clone(),
                limit: decl.limit,
            };
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
    };
    each_stmt(&board.setup.code, &mut collect);
    for place in &board.places {
        each_stmt(&place.program.code, &mut collect);
    }
    let count = slots.len();
    let places = board.places.len();
    let scopes = Scopes {
        after_setup: Shape::initial(count),
        arrive: vec![None; places],
        leave: vec![None; places],
        dynamic: false,
        uncertain: vec![false; count],
        uncertain_limit: false,
        height: 1,
        slots,
    };
    let mut walk = Walk {
        board,
        back,
        scopes,
        changed: false,
    };
    walk.run();
    walk.scopes
}

impl Walk<'_> {
    fn run(&mut self) {
        let count = self.scopes.slots.len();
        let mut flow: Flow = [(usize::MAX, Shape::initial(count))].into();
        flow = self.block(&self.board.setup.code, flow, usize::MAX);
        let after = flow.into_values().reduce(|a, b| a.join(&b));
        let after = after.unwrap_or_else(|| Shape::initial(count));
        let start = Shape::initial(count).join(&after);
        self.scopes.after_setup = after;
        self.note(&start);
        if self.board.start < self.board.places.len() {
            self.come(self.board.start, &start);
        }
        loop {
            self.changed = false;
            for index in 0..self.board.places.len() {
                self.visit(index);
            }
            if !self.changed {
                return;
            }
        }
    }

    /// Remembers what is uncertain in a shape.
    fn note(&mut self, shape: &Shape) {
        let Some(frames) = &shape.frames else {
            self.scopes.dynamic = true;
            self.scopes.height = MAX_SCOPES;
            return;
        };
        self.scopes.height = self.scopes.height.max(frames.len());
        for frame in frames {
            self.scopes.uncertain_limit |= frame.limited == Known::Maybe;
            for (uncertain, known) in self.scopes.uncertain.iter_mut().zip(&frame.slots) {
                *uncertain |= *known == Known::Maybe;
            }
        }
    }

    fn merge(entry: &mut Option<Shape>, shape: &Shape) -> bool {
        let joined = match entry {
            Some(known) => known.join(shape),
            None => shape.clone(),
        };
        let changed = entry.as_ref() != Some(&joined);
        *entry = Some(joined);
        changed
    }

    fn come(&mut self, place: usize, shape: &Shape) {
        if Self::merge(&mut self.scopes.arrive[place], shape) {
            self.changed = true;
            if let Some(shape) = self.scopes.arrive[place].clone() {
                self.note(&shape);
            }
        }
    }

    fn stay(&mut self, place: usize, shape: &Shape) {
        if Self::merge(&mut self.scopes.leave[place], shape) {
            self.changed = true;
            if let Some(shape) = self.scopes.leave[place].clone() {
                self.note(&shape);
            }
        }
    }

    fn visit(&mut self, index: usize) {
        let board = self.board;
        let place: &Place = &board.places[index];
        if let Some(shape) = self.scopes.arrive[index].clone() {
            let flow = self.block(&place.program.code, [(index, shape.clone())].into(), index);
            for (to, shape) in &flow {
                self.stay(*to, shape);
                if *to != index {
                    self.come(*to, shape);
                }
            }
            if !place.forced {
                self.stay(index, &shape);
            }
        }
        let Some(shape) = self.scopes.leave[index].clone() else {
            return;
        };
        for dest in place.control.iter().flat_map(|control| &control.to) {
            if let Dest::Place(to) = dest {
                self.come(*to, &shape);
            }
        }
        if self.back {
            for to in 0..self.board.places.len() {
                self.come(to, &shape);
            }
        }
    }

    fn block(&mut self, code: &[Stmt], mut flow: Flow, index: usize) -> Flow {
        for (at, stmt) in code.iter().enumerate() {
            let control = self
                .board
                .places
                .get(index)
                .and_then(|place| place.control.as_ref());
            let is_own = control.is_some_and(|control| {
                control.stmt == at
                    && std::ptr::eq(code, self.board.places[index].program.code.as_slice())
            });
            if !is_own {
                flow = self.stmt(stmt, flow, index);
            }
        }
        flow
    }

    fn stmt(&mut self, stmt: &Stmt, flow: Flow, index: usize) -> Flow {
        let slots = self.scopes.slots.clone();
        let each = |change: &dyn Fn(&mut Shape) -> Result<(), Refused>| {
            let mut next = Flow::new();
            for (place, mut shape) in flow.clone() {
                if change(&mut shape).is_ok() {
                    next.insert(place, shape);
                }
            }
            next
        };
        let next = match &stmt.kind {
            StmtKind::Decl(decl) => {
                let is = |slot: &Slot| slot.name == decl.name && slot.limit == decl.limit;
                let slot = slots.iter().position(is).unwrap_or(0);
                each(&|shape| shape.declare(&slots, slot))
            }
            StmtKind::BeginScope => each(&|shape| shape.begin(slots.len())),
            StmtKind::EndScope => each(&|shape| shape.end()),
            StmtKind::LimitScope => each(&|shape| {
                shape.limit();
                Ok(())
            }),
            StmtKind::Rollback if index != usize::MAX => Flow::new(),
            StmtKind::If(_, yes, no) => {
                let mut joined = self.block(yes, flow.clone(), index);
                let other = self.block(no.as_deref().unwrap_or_default(), flow, index);
                for (place, shape) in other {
                    let entry = joined.get(&place).map(|known| known.join(&shape));
                    joined.insert(place, entry.unwrap_or(shape));
                }
                joined
            }
            StmtKind::Goto(target) if index != usize::MAX => self.jump(flow, index, &[target.id]),
            StmtKind::ControlGoto(target) if index != usize::MAX => {
                self.jump(flow, index, &[target.id])
            }
            StmtKind::ControlIf(_, yes, no) if index != usize::MAX => {
                self.jump(flow, index, &[yes.id, no.id])
            }
            _ => flow,
        };
        for shape in next.values() {
            self.note(shape);
        }
        next
    }

    /// The token goes to one of some numbers of the same tile; across borders it may come to any place.
    fn jump(&self, flow: Flow, index: usize, ids: &[i64]) -> Flow {
        let Some(shape) = flow.into_values().reduce(|a, b| a.join(&b)) else {
            return Flow::new();
        };
        let places = &self.board.places;
        let tile = places[index].tile;
        let mut next = Flow::new();
        for id in ids {
            match super::check::find_place(places, tile, *id) {
                Some(place) => {
                    next.insert(place, shape.clone());
                }
                None => next.extend((0..places.len()).map(|place| (place, shape.clone()))),
            }
        }
        next
    }
}
