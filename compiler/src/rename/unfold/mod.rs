//! Runs rules on a position that is not known: what they come to, as terms.

mod calls;
mod ends;
mod exprs;
mod points;
mod reads;
mod returns;
mod search;
mod stmts;
mod writes;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::hash::IndexMap;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Block, Const, EndReason, ExprKind, FuncId, Game, LocalId, PlacementForm, PlacementId, Type,
    VarId,
};
use crate::opt::locals::{Locals, each_assigned};

use super::terms::{Bundle, Env, FALSE, Op, Placed, Seen, TRUE, Term, Terms};
use ends::Ends;

/// Rounds of a loop, and calls inside of calls.
const MOST_ROUNDS: usize = 400;
/// Rounds after which it is asked whether a loop is come to at all.
const LONG: usize = 8;
const MOST_CALLS: usize = 64;
/// Pieces that are moved without an order.
const MOST_MOVED: usize = 4;
/// Writes of which it is asked which of them have no order.
const MOST_LAYERED: usize = 64;

/// A write to one of many values.
#[derive(Clone, Debug)]
struct Write {
    when: Term,
    /// How many groups of ends come before it.
    stage: usize,
    /// Where; nothing for a piece that is taken off.
    at: Vec<Term>,
    value: Term,
    /// Whether it is one for each value of a bound variable.
    many: bool,
}

/// What a chain of rules has done so far.
#[derive(Clone, Debug, Default)]
struct Memory {
    plain: SortedMap<VarId, Term>,
    lists: SortedMap<VarId, Vec<Write>>,
    placed: SortedMap<PlacementId, Vec<Write>>,
    env: Env,
    trails: SortedMap<u32, Term>,
}

/// What variables were outside of a function or a round.
struct Outside {
    plain: SortedMap<VarId, Term>,
    env: Env,
}

/// Numbers of the values that are kept while the position is another one.
const KEPT_ARGUMENT: usize = 2_000;
const KEPT_ENV: usize = 3_000;

/// A function at work.
struct Frame {
    locals: Vec<Option<Term>>,
    returned: Option<Term>,
    /// How many conditions of the context are those of its calls.
    entered: usize,
    /// When each variable has a value.
    given: SortedMap<usize, Term>,
    /// Its blocks at work, and how long the context was when they began.
    blocks: Vec<(usize, usize)>,
}

impl Frame {
    fn of(locals: Vec<Option<Term>>, entered: usize) -> Frame {
        Frame {
            locals,
            returned: None,
            entered,
            given: SortedMap::new(),
            blocks: Vec::new(),
        }
    }
}

/// The end of a round of a loop.
#[derive(Clone, Copy)]
struct Round {
    left: Term,
    goes_on: Term,
}

/// What a function gave, with the mistakes on the way.
type Given = (Option<Term>, Vec<Term>);

/// Runs rules.
pub(super) struct Unfold<'t, 'g> {
    pub(super) terms: &'t mut Terms<'g>,
    game: &'g Game,
    memory: Memory,
    frames: Vec<Frame>,
    rounds: Vec<Round>,
    /// When this place is come to, if its function is called. What happens where the game has stopped or ended before does not
    /// matter.
    live: Term,
    /// When the functions and the rounds of loops at work are come to, each as seen from the one before.
    context: Vec<Term>,
    ends: Ends,
    /// The condition in its function of the last end.
    last_end: Option<Term>,
    /// Writes and ends so far.
    changes: usize,
    /// What functions gave, with the mistakes on the way.
    known: IndexMap<(FuncId, Vec<Term>, usize), Given>,
    mistakes: Vec<Term>,
    /// Whether what was found holds only where the functions at work are called.
    depends: bool,
    bound: usize,
    /// The calls around this chain of positions.
    depth: usize,
    /// Variables of the environment that a function left which was run on another position.
    left_by: SortedMap<u32, FuncId>,
    /// Blocks of which the scopes are known, and the variables that only a block names.
    looked_at: SortedSet<usize>,
    scopes: SortedSet<(usize, LocalId)>,
    /// The variables that somebody asks for behind a loop, by its block.
    behind: SortedMap<usize, Locals>,
    /// The block at work.
    block_at: usize,
    /// Where pieces stand at the beginning, as parameters of a move say it.
    stands: SortedMap<(PlacementId, Term), Term>,
    /// When the trial at work has failed.
    failed: Vec<Term>,
    /// What held at the beginning of the chain.
    guard: Term,
}

impl<'t, 'g> Unfold<'t, 'g> {
    /// A chain that begins in a position, with local variables.
    pub(super) fn new(terms: &'t mut Terms<'g>, locals: Vec<Option<Term>>) -> Self {
        Unfold {
            game: terms.game,
            terms,
            memory: Memory::default(),
            frames: vec![Frame::of(locals, 0)],
            rounds: Vec::new(),
            live: TRUE,
            context: Vec::new(),
            ends: Ends::default(),
            last_end: None,
            changes: 0,
            known: IndexMap::default(),
            mistakes: Vec::new(),
            depends: false,
            bound: 0,
            depth: 0,
            left_by: SortedMap::new(),
            looked_at: SortedSet::new(),
            scopes: SortedSet::new(),
            behind: SortedMap::new(),
            block_at: 0,
            stands: SortedMap::new(),
            failed: Vec::new(),
            guard: TRUE,
        }
    }

    /// The same, where a condition held at the beginning.
    pub(super) fn guarded(mut self, holds: Term) -> Self {
        self.guard = holds;
        self
    }

    /// The same, where parameters of a move are known: behind its context, with what they come from.
    pub(super) fn knowing(mut self, params: &[Term], sources: &[Term]) -> Self {
        for (&param, &source) in params.iter().zip(sources) {
            self.stand(source, param);
        }
        self
    }

    fn stand(&mut self, source: Term, place: Term) {
        let node = self.terms.node(source).clone();
        match (&node.op, &node.args[..]) {
            (Op::Placed(Placed::PlaceOf, placement), [piece]) => {
                self.stands.insert((*placement, *piece), place);
            }
            (Op::Ite, [_, yes, no]) => {
                let none = |me: &Self, term| me.terms.as_const(term) == Some(&Const::None);
                match (none(self, *yes), none(self, *no)) {
                    (true, _) => self.stand(*no, place),
                    (_, true) => self.stand(*yes, place),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// What a function gives for arguments.
    pub(super) fn given(&mut self, func: FuncId, args: Vec<Term>) -> Term {
        let value = self.call(func, args);
        value.unwrap_or(FALSE)
    }

    /// The mistakes that may happen on the way, as one term.
    pub(super) fn mistakes(&mut self) -> Term {
        let all = std::mem::take(&mut self.mistakes);
        self.terms.bundle(Bundle::Mistakes, all)
    }

    /// All that the chain has done, as one term.
    pub(super) fn done(mut self) -> Term {
        let memory = std::mem::take(&mut self.memory);
        let mut parts = vec![self.ended()];
        for (var, value) in memory.plain {
            parts.push(self.terms.bundle(Bundle::Gets(var), vec![value]));
        }
        for (var, writes) in memory.lists {
            let writes = self.written(&writes);
            parts.push(self.terms.bundle(Bundle::To(var), vec![writes]));
        }
        for (placement, writes) in memory.placed {
            let writes = self.moved(placement, &writes);
            parts.push(self.terms.bundle(Bundle::Onto(placement), vec![writes]));
        }
        parts.extend(memory.trails.into_values());
        parts.push(self.mistakes());
        self.terms.bundle(Bundle::Parts("done"), parts)
    }

    /// Writes to a variable as one term: in layers, within each of which any order comes to the same.
    fn written(&mut self, writes: &[Write]) -> Term {
        // Loops share a bound variable, which is not the same member in one and in the other.
        self.in_layers(writes, &mut |me, a, b| {
            let apart =
                |me: &mut Self| !a.many && !b.many && me.apart(&a.at, &b.at, &[a.when, b.when]);
            a.value == b.value || apart(me)
        })
    }

    /// What is done to a placement as one term: in layers, within each of which any order comes to the same.
    fn moved(&mut self, placement: PlacementId, writes: &[Write]) -> Term {
        if self.game.placement(placement).form == PlacementForm::Anonymous {
            return self.written(writes);
        }
        let happen = writes.iter().filter(|write| write.when != FALSE);
        let happen: Vec<&Write> = happen.collect();
        // That pieces keep apart says nothing once one of them has gone elsewhere.
        let mut own_ways = happen.len() <= MOST_MOVED;
        for (index, a) in happen.iter().enumerate() {
            for b in &happen[index + 1..] {
                own_ways = own_ways && self.keep_apart(placement, [a, b]);
            }
        }
        self.in_layers(writes, &mut |me, a, b| {
            let both = me.terms.are_opposed(a.when, b.when);
            own_ways || !a.many && !b.many && both
        })
    }

    /// Writes in layers, each write behind those before it with which it may not change its place: what is the same for all orders that come
    /// to the same (Foata's normal form; Cartier and Foata, 1969).
    fn in_layers(
        &mut self,
        writes: &[Write],
        commute: &mut dyn FnMut(&mut Self, &Write, &Write) -> bool,
    ) -> Term {
        let writes = writes.iter().filter(|write| write.when != FALSE);
        let writes: Vec<&Write> = writes.collect();
        let mut layers: Vec<Vec<&Write>> = Vec::new();
        for write in &writes {
            let few = writes.len() <= MOST_LAYERED;
            let mut behind = |me: &mut Self, layer: &Vec<&Write>| {
                let mut layer = layer.iter();
                !few || layer.any(|other| !commute(me, other, write))
            };
            let last = (0..layers.len())
                .rev()
                .find(|at| behind(self, &layers[*at]));
            let own = last.map_or(0, |last| last + 1);
            match layers.get_mut(own) {
                Some(layer) => layer.push(write),
                None => layers.push(vec![write]),
            }
        }
        let all: Vec<Term> = (layers.iter()).map(|layer| self.together(layer)).collect();
        match all[..] {
            [only] => only,
            _ => self.terms.bundle(Bundle::Parts("layers"), all),
        }
    }

    /// Whether two pieces go their own ways: each to a place on which the other one neither stands nor comes.
    fn keep_apart(&mut self, placement: PlacementId, [a, b]: [&Write; 2]) -> bool {
        if a.many || b.many || self.terms.equal(a.value, b.value) != FALSE {
            return false;
        }
        if !a.at.is_empty() && !b.at.is_empty() && !self.apart(&a.at, &b.at, &[a.when, b.when]) {
            return false;
        }
        let places = Type::Opt(self.game.placement(placement).places);
        [[a, b], [b, a]].into_iter().all(|[piece, other]| {
            let Some(&to) = other.at.first() else {
                return true;
            };
            let from = self.place_after(placement, piece.value, &places, &[]);
            let meets = self.terms.equal(from, to);
            let never = |when: Term, terms: &mut Terms<'_>| terms.never_both(when, meets);
            meets == FALSE || never(piece.when, self.terms) || never(other.when, self.terms)
        })
    }

    fn together(&mut self, writes: &[&Write]) -> Term {
        let parts: Vec<Term> = writes
            .iter()
            .map(|write| {
                let stage = Const::Int(write.stage as i64);
                let stage = self.terms.constant(stage, Type::INT);
                let parts = [&[stage, write.when, write.value], &write.at[..]].concat();
                let one = self.terms.bundle(Bundle::Write, parts);
                match write.many {
                    true => self.terms.bundle(Bundle::Parts("each"), vec![one]),
                    false => one,
                }
            })
            .collect();
        self.terms.bundle(Bundle::Writes, parts)
    }

    /// Whether two cells are different ones, wherever each of some conditions holds.
    fn apart(&mut self, a: &[Term], b: &[Term], where_hold: &[Term]) -> bool {
        let pairs: Vec<_> = a.iter().zip(b).collect();
        pairs.into_iter().any(|(&a, &b)| {
            let equal = self.same_index(a, b);
            let mut conditions = where_hold.iter();
            equal == FALSE || conditions.any(|&when| self.terms.never_both(when, equal))
        })
    }

    /// Whether two indexes are the same, both of which are there: nothing is written elsewhere.
    ///
    /// Pieces that are found on places are the same where the places are.
    fn same_index(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return TRUE;
        }
        let (game, stands) = (self.game, &self.stands);
        let named =
            |placement: PlacementId| game.placement(placement).form != PlacementForm::Anonymous;
        self.terms.lift(&[a, b], &mut |terms, args| {
            let place = |terms: &Terms<'_>,
                         term: Term,
                         other: Term|
             -> Option<(PlacementId, Term)> {
                match (&terms.node(term).op, &terms.node(term).args[..]) {
                    (Op::Placed(Placed::Content, at), [place]) if named(*at) => Some((*at, *place)),
                    _ => match &terms.node(other).op {
                        Op::Placed(Placed::Content, at) => {
                            stands.get(&(*at, term)).map(|place| (*at, *place))
                        }
                        _ => None,
                    },
                }
            };
            let (a, b) = (args[0], args[1]);
            match (place(terms, a, b), place(terms, b, a)) {
                (Some((first, a)), Some((second, b))) if first == second => terms.equal(a, b),
                _ => terms.equal(a, b),
            }
        })
    }

    // ---- expressions

    fn leaf(&mut self, op: Op, ty: &Type) -> Term {
        self.terms.leaf(op, ty.clone())
    }

    fn frame(&mut self) -> &mut Frame {
        // There is always one.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn set_local(&mut self, local: LocalId, value: Term) {
        // Who has left the block that alone knows the variable does not ask for it.
        if self.scopes.contains(&(self.block_at, local)) {
            return self.bind(local, value);
        }
        // Where its block is not come to, nobody asks for it.
        let block_at = |me: &mut Self| {
            let frame = me.frame();
            let entered = frame.entered;
            let blocks = frame.blocks.clone();
            let own = blocks
                .iter()
                .rev()
                .find(|(block, _)| me.scopes.contains(&(*block, local)));
            own.map_or(entered, |(_, depth)| *depth)
        };
        let depth = block_at(self);
        let live = self.since(depth);
        let here = self.here();
        let at = local.index();
        let old = self.frame().locals.get(at).copied().flatten();
        let new = match old {
            Some(old) => {
                let live = self.as_far_as(at, here, live);
                self.terms.ite(live, value, old)
            }
            None => {
                self.frame().given.insert(at, here);
                value
            }
        };
        let locals = &mut self.frame().locals;
        if locals.len() <= at {
            locals.resize(at + 1, None);
        }
        locals[at] = Some(new);
    }

    /// When a variable gets another value, as far as it matters: where it has one.
    fn as_far_as(&mut self, at: usize, here: Term, live: Term) -> Term {
        let Some(given) = self.frame().given.get(&at).copied() else {
            return live;
        };
        let given = self.terms.or(given, here);
        self.frame().given.insert(at, given);
        self.terms.where_holds(given, live)
    }

    fn bind(&mut self, local: LocalId, value: Term) {
        let at = local.index();
        let here = self.here();
        self.frame().given.insert(at, here);
        let locals = &mut self.frame().locals;
        if locals.len() <= at {
            locals.resize(at + 1, None);
        }
        locals[at] = Some(value);
    }

    /// Notes that a value may be a mistake here.
    fn note(&mut self, value: Term, opaque: bool) -> Term {
        let fails = self.terms.fails(value, opaque);
        let here = self.terms.and(self.live, fails);
        if !self.terms.never(here) {
            self.add_mistake(here);
        }
        value
    }

    /// Notes that something is a mistake under a condition.
    fn mistake(&mut self, when: Term) {
        let here = self.terms.and(self.live, when);
        if !self.terms.never(here) {
            self.add_mistake(here);
        }
    }

    /// Notes a mistake, and how many groups of ends come before it: where one of those happens it does not.
    fn add_mistake(&mut self, mistake: Term) {
        let noted = match self.ends.stage() {
            0 => mistake,
            stage => {
                let stage = self.terms.constant(Const::Int(stage as i64), Type::INT);
                self.terms
                    .bundle(Bundle::Parts("behind"), vec![stage, mistake])
            }
        };
        self.mistakes.push(noted);
    }

    /// Under a condition.
    fn under(&mut self, cond: Term, f: impl FnOnce(&mut Self) -> Term) -> Term {
        let before = self.live;
        self.live = self.terms.and(before, cond);
        let value = match self.live {
            FALSE => FALSE,
            _ => f(self),
        };
        self.live = before;
        value
    }
}

/// What tells blocks apart.
fn place_of(block: &Block) -> usize {
    block.as_ptr() as usize
}

/// How often each variable is named in a block.
fn accesses(block: &Block) -> SortedMap<LocalId, usize> {
    let mut times: SortedMap<LocalId, usize> = SortedMap::new();
    walk_exprs(block, &mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            *times.entry(*local).or_default() += 1;
        }
    });
    walk_block(block, &mut |stmt| {
        each_assigned(stmt, &mut |local| *times.entry(local).or_default() += 1);
    });
    times
}

fn reason_word(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Win => "win",
        EndReason::Draw => "draw",
        EndReason::Stuck => "stuck",
        EndReason::Elimination => "elimination",
        EndReason::Limit => "limit",
    }
}
