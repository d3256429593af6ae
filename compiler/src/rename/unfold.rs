//! Runs rules on a position that is not known: what they come to, as terms.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::ir::{
    Arm, BinaryOp, Block, Choose, Const, Count, Distribution, EndReason, EnvId, Expr, ExprKind,
    Fold, FuncId, Game, LocalId, Over, Param, ParamSource, PlacementForm, PlacementId, Stmt,
    StmtKind, Type, UnaryOp, VarId,
};

use crate::ir::effects::Access;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::opt::locals::each_assigned;

use super::reach::domain_of;
use super::terms::{Bundle, FALSE, Op, Other, Placed, Shell, TRUE, Term, Terms, fault};

/// Rounds of a loop, and calls inside of calls.
const MOST_ROUNDS: usize = 400;
/// Rounds after which it is asked whether a loop is come to at all.
const LONG: usize = 8;
const MOST_CALLS: usize = 64;

/// A write to one of many values.
#[derive(Clone, Debug)]
struct Write {
    when: Term,
    /// How many ends were possible before it.
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
    plain: BTreeMap<VarId, Term>,
    lists: BTreeMap<VarId, Vec<Write>>,
    placed: BTreeMap<PlacementId, Vec<Write>>,
    env: Env,
    trails: BTreeMap<u32, Term>,
}

/// Variables of the environment: what they are, and whether they are set.
pub(super) type Env = BTreeMap<u32, (Term, Term)>;

/// What a function gave in some position, the mistakes on the way, and what it left in the environment.
#[derive(Clone)]
pub(super) struct Seen {
    value: Option<Term>,
    mistakes: Vec<Term>,
    env: Env,
}

/// What variables were outside of a function or a round.
struct Outside {
    plain: BTreeMap<VarId, Term>,
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
    given: BTreeMap<usize, Term>,
    /// Its blocks at work, and how long the context was when they began.
    blocks: Vec<(usize, usize)>,
}

impl Frame {
    fn of(locals: Vec<Option<Term>>, entered: usize) -> Frame {
        Frame {
            locals,
            returned: None,
            entered,
            given: BTreeMap::new(),
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
    /// The ends in their order: the first whose condition holds is what happens.
    ends: Vec<Term>,
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
    left_by: BTreeMap<u32, FuncId>,
    /// Blocks of which the scopes are known, and the variables that only a block names.
    looked_at: BTreeSet<usize>,
    scopes: BTreeSet<(usize, LocalId)>,
    /// The block at work.
    block_at: usize,
    /// Where pieces stand at the beginning, as parameters of a move say it.
    stands: BTreeMap<(PlacementId, Term), Term>,
    /// When the trial at work has failed.
    failed: Vec<Term>,
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
            ends: Vec::new(),
            last_end: None,
            changes: 0,
            known: IndexMap::new(),
            mistakes: Vec::new(),
            depends: false,
            bound: 0,
            depth: 0,
            left_by: BTreeMap::new(),
            looked_at: BTreeSet::new(),
            scopes: BTreeSet::new(),
            block_at: 0,
            stands: BTreeMap::new(),
            failed: Vec::new(),
        }
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
        let ends = std::mem::take(&mut self.ends);
        let mut parts = vec![self.terms.bundle(Bundle::Parts("ends"), ends)];
        for (var, value) in memory.plain {
            parts.push(self.terms.bundle(Bundle::Gets(var), vec![value]));
        }
        for (var, writes) in memory.lists {
            let writes = self.writes(&writes, true);
            parts.push(self.terms.bundle(Bundle::To(var), vec![writes]));
        }
        for (placement, writes) in memory.placed {
            let anonymous = self.game.placement(placement).form == PlacementForm::Anonymous;
            let writes = self.writes(&writes, anonymous);
            parts.push(self.terms.bundle(Bundle::Onto(placement), vec![writes]));
        }
        parts.extend(memory.trails.into_values());
        parts.push(self.mistakes());
        self.terms.bundle(Bundle::Parts("done"), parts)
    }

    /// Writes as one term: a set, where any order comes to the same.
    fn writes(&mut self, writes: &[Write], may_commute: bool) -> Term {
        let writes: Vec<&Write> = writes.iter().filter(|w| w.when != FALSE).collect();
        let mut commute = may_commute;
        for (index, a) in writes.iter().enumerate() {
            for b in &writes[index + 1..] {
                // Loops share a bound variable, which is not the same member in one and in the other.
                let apart = |me: &mut Self| !a.many && !b.many && me.apart(&a.at, &b.at);
                commute = commute && (a.value == b.value || apart(self));
            }
        }
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
        self.terms.bundle(Bundle::Writes(commute), parts)
    }

    fn apart(&mut self, a: &[Term], b: &[Term]) -> bool {
        let pairs = a.iter().zip(b);
        let mut pairs = pairs.map(|(&a, &b)| self.same_index(a, b));
        pairs.any(|equal| equal == FALSE)
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
        if here != FALSE {
            self.mistakes.push(here);
        }
        value
    }

    /// Notes that something is a mistake under a condition.
    fn mistake(&mut self, when: Term) {
        let here = self.terms.and(self.live, when);
        if here != FALSE {
            self.mistakes.push(here);
        }
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

    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Term {
        if self.terms.failed.is_some() {
            return FALSE;
        }
        let value = self.value_of(expr);
        // A truth value is a diagram.
        if expr.ty == Type::Bool {
            return self.terms.diagram(value);
        }
        value
    }

    fn value_of(&mut self, expr: &Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Const(value) => self.terms.constant(value.clone(), expr.ty.clone()),
            E::Local(local) => {
                let known = self.frame().locals.get(local.index()).copied().flatten();
                match known {
                    Some(value) => {
                        let here = self.here();
                        self.terms.where_holds(here, value)
                    }
                    None => self.refuse("a variable without a value"),
                }
            }
            E::Env { var, .. } => match self.env(var.0) {
                Some((value, set)) => {
                    let unset = self.terms.not(set);
                    let here = self.here();
                    self.unset(here, unset);
                    self.terms.where_holds(here, value)
                }
                None => {
                    self.mistake(TRUE);
                    self.terms.constant(fault(), expr.ty.clone())
                }
            },
            // What is done for listeners alone changes nothing.
            E::Listened => FALSE,
            E::EnvIsSet(var) => {
                let known = self.memory.env.get(&var.0);
                known.map_or(FALSE, |(_, set)| *set)
            }
            E::Var(var, index) => {
                let index: Vec<Term> = index.iter().map(|at| self.value(at)).collect();
                self.read(*var, &index)
            }
            E::Lookup(table, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                let value = self.terms.lookup(Shell { expr }, *table, &args);
                let opaque = self.game.table(*table).outside.is_none();
                self.note(value, opaque)
            }
            E::PlaceOf(placement, piece) => {
                let piece = self.value(piece);
                self.place_of(*placement, piece, &expr.ty)
            }
            E::Content(placement, place) => {
                let place = self.value(place);
                self.content(*placement, place, &expr.ty)
            }
            E::Contents(placement, place) => {
                let place = self.value(place);
                self.members_at(*placement, Placed::Contents, place, &expr.ty)
            }
            E::Places(placement, kind) => {
                let kind = self.value(kind);
                self.members_at(*placement, Placed::Places, kind, &expr.ty)
            }
            _ => self.operation(expr),
        }
    }

    /// What an operation comes to.
    fn operation(&mut self, expr: &Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Unary(UnaryOp::Not, a) => {
                let a = self.value(a);
                self.terms.not(a)
            }
            E::Unary(op, a) => {
                let a = self.value(a);
                if let Some(set) = self.terms.of_sets(&Op::Unary(*op), &[a], &expr.ty) {
                    return set;
                }
                self.terms.apply(Shell { expr }, &Op::Unary(*op), &[a])
            }
            E::Binary(op, a, b) => self.binary(expr, *op, a, b),
            E::If(cond, yes, no) => {
                let cond = self.value(cond);
                let not = self.terms.not(cond);
                let yes = self.under(cond, |me| me.value(yes));
                let no = self.under(not, |me| me.value(no));
                self.terms.ite(cond, yes, no)
            }
            E::Some(a) => self.value(a),
            E::IsSome(a) => {
                let a = self.value(a);
                self.terms.is_some(a)
            }
            E::Get(a) => {
                let a = self.value(a);
                let there = self.terms.is_some(a);
                let absent = self.terms.not(there);
                self.mistake(absent);
                a
            }
            E::OrElse(a, b) => {
                let a = self.value(a);
                let there = self.terms.is_some(a);
                let absent = self.terms.not(there);
                let b = self.under(absent, |me| me.value(b));
                self.terms.ite(there, a, b)
            }
            E::Ordinal(a) => {
                let op = match domain_of(&a.ty) {
                    Some(domain) => Op::Ordered(Other::Ordinal, domain),
                    None => Op::Other(Other::Ordinal),
                };
                let a = self.value(a);
                self.terms.apply(Shell { expr }, &op, &[a])
            }
            E::Member(domain, a) => {
                let a = self.value(a);
                self.terms
                    .apply(Shell { expr }, &Op::Ordered(Other::Member, *domain), &[a])
            }
            E::ToWrap(a) => self.plain_op(expr, Other::ToWrap, &[a]),
            E::ToInt(a) => self.plain_op(expr, Other::ToInt, &[a]),
            E::Tag(a) => self.plain_op(expr, Other::Tag, &[a]),
            E::Untag(a) => {
                let value = self.plain_op(expr, Other::Untag, &[a]);
                self.note(value, true)
            }
            E::HasTag(ty, a) => self.plain_op(expr, Other::HasTag(ty.clone()), &[a]),
            E::SetOf(items) => {
                let items: Vec<&Expr> = items.iter().collect();
                self.plain_op(expr, Other::SetOf, &items)
            }
            E::SeqOf(items) => {
                let items: Vec<&Expr> = items.iter().collect();
                self.plain_op(expr, Other::SeqOf, &items)
            }
            E::Size(a) => {
                let set = self.value(a);
                let size = Op::Other(Other::Size);
                match self.terms.of_sets(&size, &[set], &expr.ty) {
                    Some(size) => size,
                    None => self.terms.apply(Shell { expr }, &size, &[set]),
                }
            }
            E::Item(a, b) => {
                let value = self.plain_op(expr, Other::Item, &[a, b]);
                self.note(value, true)
            }
            _ => self.over_all(expr),
        }
    }

    /// What a question about members, steps, functions or trails comes to.
    fn over_all(&mut self, expr: &Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(expr, *fold, *local, over, body),
            E::Collect { local, over, when } => {
                let parts = self.quantified(*local, over, when);
                self.bound_op(Op::Other(Other::Collect), parts, &expr.ty)
            }
            E::First { local, over, when } => {
                let parts = self.quantified(*local, over, when);
                match domain_of(&expr.ty) {
                    Some(domain) => {
                        let op = Op::Ordered(Other::First, domain);
                        self.bound_op(op, parts, &expr.ty)
                    }
                    None => self.refuse("an order of numbers"),
                }
            }
            E::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let start = self.value(start);
                let [which, edges, pass] = self.along(*step, *local, pass);
                self.terms.lift(&[start], &mut |terms, start| {
                    let gives = (*give, &expr.ty);
                    let along = terms.walked(start[0], *step, which, pass, gives);
                    along.unwrap_or_else(|| {
                        let args = vec![which, start[0], edges, pass];
                        terms.structural(Op::Other(Other::Walk(*give)), args, &expr.ty)
                    })
                })
            }
            E::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let from = self.value(from);
                let [which, edges, pass] = self.along(*edges, *local, pass);
                let parts = [which, from, edges, pass];
                self.bound_op(Op::Other(Other::Closure), parts, &expr.ty)
            }
            E::Call(func, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                self.given(*func, args)
            }
            E::Holds(relation, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                self.given(self.game.relation(*relation).holds, args)
            }
            E::Seen(trail) => {
                let noted = self.memory.trails.get(&trail.0).copied();
                let args = Vec::from_iter(noted);
                let op = Op::Other(Other::Seen(trail.0));
                self.terms.structural(op, args, &expr.ty)
            }
            _ => self.refuse("a question about all members"),
        }
    }

    /// Notes a read of a variable that is not set under a condition, as far as this place is come to then.
    fn unset(&mut self, here: Term, unset: Term) {
        if self.terms.and(here, unset) == FALSE {
            return;
        }
        let now = self.now();
        match self.terms.and(now, unset) {
            FALSE => self.depends = true,
            _ => self.mistake(unset),
        }
    }

    /// A variable of the environment.
    fn env(&mut self, var: u32) -> Option<(Term, Term)> {
        if let Some(func) = self.left_by.get(&var) {
            // Somebody asks for what a function left there, so it has to be run like any other.
            self.terms.asked_of.insert(*func);
            self.terms.again = true;
        }
        self.memory.env.get(&var).copied()
    }

    fn refuse(&mut self, why: &'static str) -> Term {
        self.terms.fail(why);
        FALSE
    }

    fn plain_op(&mut self, expr: &Expr, other: Other, args: &[&Expr]) -> Term {
        let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
        self.terms.apply(Shell { expr }, &Op::Other(other), &args)
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> Term {
        use BinaryOp as B;
        let first = self.value(a);
        match op {
            B::And => {
                let second = self.under(first, |me| me.value(b));
                return self.terms.and(first, second);
            }
            B::Or => {
                let not = self.terms.not(first);
                let second = self.under(not, |me| me.value(b));
                return self.terms.or(first, second);
            }
            _ => {}
        }
        let second = self.value(b);
        match op {
            B::Eq | B::Ne => {
                let equal = match a.ty {
                    Type::Bool => {
                        let not = self.terms.not(second);
                        self.terms.ite(first, second, not)
                    }
                    _ => self.terms.equal(first, second),
                };
                match op {
                    B::Eq => equal,
                    _ => self.terms.not(equal),
                }
            }
            B::In => self.terms.is_in(first, second),
            B::UpTo | B::DownTo => {
                if let Some(cut) = self.terms.cut(first, second, op == B::UpTo, &expr.ty) {
                    return cut;
                }
                let op = match domain_of(&expr.ty) {
                    Some(domain) => Op::Ordered(
                        Other::Walk(if op == B::UpTo {
                            crate::ir::WalkGive::Stop
                        } else {
                            crate::ir::WalkGive::Last
                        }),
                        domain,
                    ),
                    None => Op::Binary(op),
                };
                self.terms.apply(Shell { expr }, &op, &[first, second])
            }
            _ => {
                let own = Op::Binary(op);
                if let Some(set) = self.terms.of_sets(&own, &[first, second], &expr.ty) {
                    return set;
                }
                let value = self.terms.apply(Shell { expr }, &own, &[first, second]);
                let opaque = matches!(op, B::Div | B::Rem | B::RemEuclid)
                    || expr.ty.int_range().is_some()
                        && matches!(op, B::Add | B::Sub | B::Mul | B::Concat);
                self.note(value, opaque)
            }
        }
    }

    /// A variable, what it ranges over, and a body for it.
    fn quantified(&mut self, local: LocalId, over: &Over, body: &Expr) -> [Term; 3] {
        let (over, ty, members) = self.over(over);
        let (which, body) = self.body(local, ty, members, over, body);
        [which, over, body]
    }

    /// A range as a term, with the type of its members, and which they are at most.
    fn over(&mut self, over: &Over) -> (Term, Type, Option<Vec<u32>>) {
        match over {
            Over::Domain(domain) => {
                let all = (0..self.game.domain(*domain).len() as u32).collect();
                let all = self.terms.constant(Const::Set(all), Type::Set(*domain));
                (all, Type::Elem(*domain), None)
            }
            Over::Set(set) => {
                let ty = match domain_of(&set.ty) {
                    Some(domain) => Type::Elem(domain),
                    None => Type::Bool,
                };
                let set = self.value(set);
                let members = match self.terms.as_const(set) {
                    Some(Const::Set(members)) => Some(members.clone()),
                    _ => None,
                };
                (set, ty, members)
            }
            Over::Seq(seq) => {
                let ty = match &seq.ty {
                    Type::Seq { item, .. } => (**item).clone(),
                    _ => Type::Bool,
                };
                (self.value(seq), ty, None)
            }
            Over::Range(from, to) => {
                let ends = vec![self.value(from), self.value(to)];
                let range = self
                    .terms
                    .structural(Op::Other(Other::Range), ends, &Type::INT);
                (range, Type::INT, None)
            }
        }
    }

    fn body(
        &mut self,
        local: LocalId,
        ty: Type,
        members: Option<Vec<u32>>,
        over: Term,
        body: &Expr,
    ) -> (Term, Term) {
        let which = self.leaf(Op::Bound(self.bound, members), &ty);
        self.bind(local, which);
        self.bound += 1;
        let before = (self.live, std::mem::take(&mut self.mistakes));
        let depth = self.context.len();
        if self.terms.by_sets {
            self.context.push(self.live);
        }
        self.live = TRUE;
        let value = self.value(body);
        self.context.truncate(depth);
        self.bound -= 1;
        let inner = std::mem::replace(&mut self.mistakes, before.1);
        self.live = before.0;
        if !inner.is_empty() {
            let inner = self.terms.bundle(Bundle::Mistakes, inner);
            let within = vec![over, inner, self.live];
            let within = self.terms.bundle(Bundle::Parts("within"), within);
            self.mistakes.push(within);
        }
        (which, value)
    }

    fn along(&mut self, table: crate::ir::TableId, local: LocalId, pass: &Expr) -> [Term; 3] {
        let game = self.game;
        let table = game.table(table);
        let Some(crate::ir::Axis::Domain(domain)) = table.axes.first() else {
            return [FALSE; 3];
        };
        let ty = Type::Elem(*domain);
        let over = self.leaf(Op::Bound(self.bound, None), &ty);
        let steps = self.terms.whole_table(table, over);
        let (which, pass) = self.body(local, ty, None, over, pass);
        [which, steps, pass]
    }

    /// An operation with a bound variable in it.
    fn bound_op<const N: usize>(&mut self, op: Op, args: [Term; N], ty: &Type) -> Term {
        // What it ranges over may depend on conditions, what it asks does in any case.
        let last = N - 1;
        let body = args[last];
        self.terms.lift(&args[..last], &mut |terms, given| {
            let args = [given, &[body]].concat();
            terms.structural(op.clone(), args, ty)
        })
    }

    fn fold(&mut self, expr: &Expr, fold: Fold, local: LocalId, over: &Over, body: &Expr) -> Term {
        if let Over::Range(from, to) = over {
            let (from, to) = (self.value(from), self.value(to));
            if let (Some(Const::Int(from)), Some(Const::Int(to))) =
                (self.terms.as_const(from), self.terms.as_const(to))
            {
                let (from, to) = (*from, *to);
                if to.saturating_sub(from) < MOST_ROUNDS as i64
                    && matches!(fold, Fold::Forall | Fold::Exists)
                {
                    return self.unrolled(fold, local, from..=to, body);
                }
            }
        }
        let [which, over, body] = self.quantified(local, over, body);
        match fold {
            Fold::Exists if self.terms.is_described(over) => {
                let inside = self.terms.is_in(which, over);
                let both = self.terms.and(inside, body);
                return self.terms.some(which, both);
            }
            Fold::Forall if self.terms.is_described(over) => {
                let inside = self.terms.is_in(which, over);
                let not = self.terms.not(body);
                let both = self.terms.and(inside, not);
                let some = self.terms.some(which, both);
                return self.terms.not(some);
            }
            _ => {}
        }
        let parts = [which, over, body];
        let value = self.bound_op(Op::Other(Other::Fold(fold)), parts, &expr.ty);
        let opaque = matches!(fold, Fold::Min | Fold::Max | Fold::Sum);
        self.note(value, opaque)
    }

    fn unrolled(
        &mut self,
        fold: Fold,
        local: LocalId,
        range: std::ops::RangeInclusive<i64>,
        body: &Expr,
    ) -> Term {
        let all = fold == Fold::Forall;
        if let Some(rows) = self.by_rows(fold, local, range.clone(), body) {
            return rows;
        }
        let mut sum = if all { TRUE } else { FALSE };
        for number in range {
            let number = self.terms.constant(Const::Int(number), Type::INT);
            self.bind(local, number);
            let open = if all { sum } else { self.terms.not(sum) };
            let next = self.under(open, |me| me.value(body));
            sum = match all {
                true => self.terms.and(sum, next),
                false => self.terms.or(sum, next),
            };
        }
        sum
    }

    /// The same, where no round depends on those before, which are asked together; nothing where one does.
    fn by_rows(
        &mut self,
        fold: Fold,
        local: LocalId,
        range: std::ops::RangeInclusive<i64>,
        body: &Expr,
    ) -> Option<Term> {
        if !self.terms.by_sets {
            return None;
        }
        let (mistakes, changes) = (self.mistakes.len(), self.changes);
        let (memory, left_by) = (self.memory.clone(), self.left_by.clone());
        let (ends, last_end) = (self.ends.len(), self.last_end);
        let mut parts = Vec::new();
        for number in range {
            let number = self.terms.constant(Const::Int(number), Type::INT);
            self.bind(local, number);
            let part = self.value(body);
            if self.mistakes.len() != mistakes || self.changes != changes {
                // A round that is not come to has left nothing.
                (self.memory, self.left_by) = (memory, left_by);
                self.ends.truncate(ends);
                self.last_end = last_end;
                self.changes += 1;
                self.mistakes.truncate(mistakes);
                return None;
            }
            parts.push(match fold {
                Fold::Forall => self.terms.not(part),
                _ => part,
            });
        }
        let some = self.terms.some_of(parts);
        Some(match fold {
            Fold::Forall => self.terms.not(some),
            _ => some,
        })
    }

    // ---- the position

    fn read(&mut self, var: VarId, index: &[Term]) -> Term {
        let ty = self.game.var(var).ty.clone();
        if index.is_empty() {
            return match self.memory.plain.get(&var) {
                Some(value) => *value,
                None => self.base(Op::Var(var), &[], &ty),
            };
        }
        let constant = self.terms.constant_var(var, index);
        let mut value = match constant {
            Some(value) => value,
            None => self.base(Op::Var(var), index, &ty),
        };
        let writes = self.memory.lists.get(&var).cloned().unwrap_or_default();
        for write in writes {
            if write.many {
                return self.refuse("a look at what a loop wrote");
            }
            let mut same = write.when;
            for (&at, &own) in write.at.iter().zip(index) {
                let equal = self.same_index(at, own);
                same = self.terms.and(same, equal);
            }
            value = self.terms.ite(same, write.value, value);
        }
        value
    }

    /// What the position says at the beginning.
    fn base(&mut self, op: Op, index: &[Term], ty: &Type) -> Term {
        self.terms.lift(index, &mut |terms, index| {
            terms.structural(op.clone(), index.to_vec(), ty)
        })
    }

    fn place_of(&mut self, placement: PlacementId, piece: Term, ty: &Type) -> Term {
        let writes = self.placed(placement);
        self.place_after(placement, piece, ty, &writes)
    }

    /// The place of a piece after some writes.
    fn place_after(
        &mut self,
        placement: PlacementId,
        piece: Term,
        ty: &Type,
        writes: &[Write],
    ) -> Term {
        let known = self.stands.get(&(placement, piece)).copied();
        let mut value = match known {
            Some(place) => place,
            None => self.base(Op::Placed(Placed::PlaceOf, placement), &[piece], ty),
        };
        let none = self.terms.constant(Const::None, ty.clone());
        for write in writes {
            let equal = self.terms.equal(write.value, piece);
            let here = self.terms.and(write.when, equal);
            let place = write.at.first().copied().unwrap_or(none);
            value = self.terms.ite(here, place, value);
        }
        value
    }

    fn content(&mut self, placement: PlacementId, place: Term, ty: &Type) -> Term {
        let mut value = self.base(Op::Placed(Placed::Content, placement), &[place], ty);
        let none = self.terms.constant(Const::None, ty.clone());
        let anonymous = self.game.placement(placement).form == PlacementForm::Anonymous;
        let places = Type::Opt(self.game.placement(placement).places);
        let writes = self.placed(placement);
        for (at, write) in writes.iter().enumerate() {
            if !anonymous {
                let before = self.place_after(placement, write.value, &places, &writes[..at]);
                let left = self.terms.equal(before, place);
                let left = self.terms.and(write.when, left);
                value = self.terms.ite(left, none, value);
            }
            if let Some(&at) = write.at.first() {
                let here = self.terms.equal(at, place);
                let here = self.terms.and(write.when, here);
                value = self.terms.ite(here, write.value, value);
            }
        }
        value
    }

    fn placed(&self, placement: PlacementId) -> Vec<Write> {
        self.memory
            .placed
            .get(&placement)
            .cloned()
            .unwrap_or_default()
    }

    /// The pieces on a place, or the places of a kind.
    fn members_at(&mut self, placement: PlacementId, what: Placed, at: Term, ty: &Type) -> Term {
        let mut value = self.base(Op::Placed(what, placement), &[at], ty);
        for write in self.placed(placement) {
            let (key, member) = match (what, write.at.first()) {
                (Placed::Places, Some(&place)) => (Some(write.value), place),
                (_, Some(&place)) => (Some(place), write.value),
                (_, None) => (None, write.value),
            };
            let one = self.set_op(Op::Other(Other::SetOf), &[member], ty);
            let with = self.set_op(Op::Binary(BinaryOp::Union), &[value, one], ty);
            let without = self.set_op(Op::Binary(BinaryOp::Minus), &[value, one], ty);
            let equal = key.map_or(FALSE, |key| self.terms.equal(key, at));
            let new = self.terms.ite(equal, with, without);
            value = self.terms.ite(write.when, new, value);
        }
        value
    }

    fn set_op(&mut self, op: Op, args: &[Term], ty: &Type) -> Term {
        self.terms.lift(args, &mut |terms, args| {
            terms.structural(op.clone(), args.to_vec(), ty)
        })
    }

    // ---- statements

    fn call(&mut self, func: FuncId, args: Vec<Term>) -> Option<Term> {
        if self.depth + self.frames.len() > MOST_CALLS {
            self.terms.fail("too deep");
            return None;
        }
        let key = (func, args.clone(), self.changes);
        if let Some((value, mistakes)) = self.known.get(&key).cloned() {
            self.happen(mistakes);
            return value;
        }
        if self.looks_back(func) {
            return self.call_after(func, &args);
        }
        let function = self.game.function(func);
        let mut locals: Vec<Option<Term>> = args.into_iter().map(Some).collect();
        locals.resize(function.locals.len(), None);
        let before = self.live;
        let outside = self.enter();
        let rounds = std::mem::take(&mut self.rounds);
        let mistakes = std::mem::take(&mut self.mistakes);
        self.frames.push(Frame::of(locals, self.context.len()));
        let outer = self.block_at;
        self.whole(&function.body);
        self.block_at = outer;
        let frame = self.frames.pop();
        self.rounds = rounds;
        // What depends on who calls is known again where nobody does.
        let depends = self.depends;
        if self.frames.len() <= 1 {
            self.depends = false;
        }
        let still = key.2 == self.changes && !depends && !self.terms.again;
        self.come_back(before, outside);
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        self.happen(own.clone());
        let value = frame.and_then(|frame| frame.returned);
        if still {
            self.known.insert(key, (value, own));
        }
        value
    }

    /// Whether a function only looks at the position, and sees something that was written.
    fn looks_back(&self, func: FuncId) -> bool {
        let effect = self.terms.effects.function(func);
        let only_looks = effect.is_guard() && !effect.fails;
        if !only_looks || self.terms.asked_of.contains(&func) || !self.memory.trails.is_empty() {
            return false;
        }
        let memory = &self.memory;
        let mut vars = memory.plain.keys().chain(memory.lists.keys());
        let mut placed = memory.placed.keys();
        vars.any(|var| effect.reads.vars.contains(var))
            || placed.any(|at| effect.reads.placements.contains(at))
    }

    /// What a function gives in the position that the writes so far lead to, which is one that is not known like any other.
    fn call_after(&mut self, func: FuncId, args: &[Term]) -> Option<Term> {
        let reads = self.terms.effects.function(func).reads.clone();
        let mut kept = Vec::new();
        let args: Vec<Term> = (KEPT_ARGUMENT..)
            .zip(args)
            .map(|(slot, &arg)| self.terms.kept(slot, arg, &mut kept))
            .collect();
        let mut env = BTreeMap::new();
        for (&var, &(value, set)) in &self.memory.env {
            if reads.env.contains(&EnvId(var)) {
                let slot = KEPT_ENV + 2 * var as usize;
                let value = self.terms.kept(slot, value, &mut kept);
                let set = self.terms.kept(slot + 1, set, &mut kept);
                env.insert(var, (value, set));
            }
        }
        let before = self.leads_to(&reads, kept);
        let key = (func, args.clone(), env.clone());
        let seen = match self.terms.seen.get(&key).cloned() {
            Some(seen) => seen,
            None => {
                let seen = self.call_afresh(func, args, env);
                if !self.terms.again {
                    self.terms.seen.insert(key, seen.clone());
                }
                seen
            }
        };
        if !seen.mistakes.is_empty() {
            let all = self.terms.bundle(Bundle::Mistakes, seen.mistakes);
            let all = self.terms.bundle(Bundle::Parts("after"), vec![before, all]);
            self.happen(vec![all]);
        }
        for (var, (value, set)) in seen.env {
            self.left_by.insert(var, func);
            let value = self.terms.after(before, value);
            let set = self.terms.after(before, set);
            self.write_env(var, value, set);
        }
        seen.value.map(|value| self.terms.after(before, value))
    }

    /// The writes so far, as far as somebody reads what is written.
    fn leads_to(&mut self, reads: &Access, kept: Vec<Term>) -> Term {
        let memory = self.memory.clone();
        let mut parts = vec![self.terms.bundle(Bundle::Parts("kept"), kept)];
        for (var, value) in memory.plain {
            if reads.vars.contains(&var) {
                parts.push(self.terms.bundle(Bundle::Gets(var), vec![value]));
            }
        }
        for (var, writes) in memory.lists {
            if reads.vars.contains(&var) {
                let writes = self.writes(&writes, true);
                parts.push(self.terms.bundle(Bundle::To(var), vec![writes]));
            }
        }
        for (placement, writes) in memory.placed {
            if reads.placements.contains(&placement) {
                let anonymous = self.game.placement(placement).form == PlacementForm::Anonymous;
                let writes = self.writes(&writes, anonymous);
                parts.push(self.terms.bundle(Bundle::Onto(placement), vec![writes]));
            }
        }
        self.terms.bundle(Bundle::Parts("before"), parts)
    }

    fn call_afresh(&mut self, func: FuncId, args: Vec<Term>, env: Env) -> Seen {
        let memory = Memory {
            env: env.clone(),
            ..Memory::default()
        };
        let locals = Vec::new();
        let mut chain = Unfold::new(self.terms, locals);
        chain.memory = memory;
        chain.bound = self.bound;
        chain.depth = self.depth + self.frames.len();
        let value = chain.call(func, args);
        let mistakes = std::mem::take(&mut chain.mistakes);
        let mut written = std::mem::take(&mut chain.memory.env);
        written.retain(|var, now| env.get(var) != Some(now));
        Seen {
            value,
            mistakes,
            env: written,
        }
    }

    /// What is written is noted as seen from the function or the round at work, which alone looks at it until it is over.
    fn write_env(&mut self, var: u32, value: Term, set: Term) {
        let live = self.live;
        self.changes += 1;
        let new = match self.memory.env.get(&var).copied() {
            Some((old, was)) => {
                let value = self.terms.ite(live, value, old);
                (value, self.terms.ite(live, set, was))
            }
            None => (value, self.terms.and(live, set)),
        };
        self.memory.env.insert(var, new);
    }

    /// Enters a function or a round of a loop; what variables were before.
    fn enter(&mut self) -> Outside {
        self.context.push(self.live);
        self.live = TRUE;
        Outside {
            plain: self.memory.plain.clone(),
            env: self.memory.env.clone(),
        }
    }

    /// Leaves a function or a round that was come to under a condition.
    fn come_back(&mut self, before: Term, outside: Outside) {
        self.context.pop();
        self.live = before;
        let mut changed = false;
        for (var, value) in std::mem::take(&mut self.memory.plain) {
            let old = match outside.plain.get(&var) {
                Some(old) => *old,
                None => {
                    let ty = self.game.var(var).ty.clone();
                    self.base(Op::Var(var), &[], &ty)
                }
            };
            let new = self.terms.ite(before, value, old);
            changed |= new != value;
            self.memory.plain.insert(var, new);
        }
        for (var, (value, set)) in std::mem::take(&mut self.memory.env) {
            let (old, was) = outside.env.get(&var).copied().unwrap_or((value, FALSE));
            let new = match (value, set) == (old, was) {
                true => (old, was),
                false => (
                    self.terms.ite(before, value, old),
                    self.terms.ite(before, set, was),
                ),
            };
            changed |= new != (value, set);
            self.memory.env.insert(var, new);
        }
        self.changes += usize::from(changed);
    }

    /// When this place is come to.
    fn now(&mut self) -> Term {
        self.since(0)
    }

    /// When this place is come to, as seen from where the context was shorter.
    fn since(&mut self, depth: usize) -> Term {
        let context = self.context.get(depth..).unwrap_or_default().to_vec();
        let calls = context.into_iter().rev();
        calls.fold(self.live, |now, call| self.terms.and(call, now))
    }

    /// When this place is come to, as seen from its function.
    fn here(&mut self) -> Term {
        let entered = self.frame().entered;
        self.since(entered)
    }

    /// Notes the mistakes of a function that is called here.
    fn happen(&mut self, mistakes: Vec<Term>) {
        if mistakes.is_empty() {
            return;
        }
        if self.live == TRUE {
            self.mistakes.extend(mistakes);
            return;
        }
        let all = self.terms.bundle(Bundle::Mistakes, mistakes);
        let here = self
            .terms
            .bundle(Bundle::Parts("under"), vec![self.live, all]);
        self.mistakes.push(here);
    }

    /// Runs a block that is no part of another one.
    pub(super) fn whole(&mut self, block: &Block) {
        if self.looked_at.insert(place_of(block)) {
            let all = accesses(block);
            self.find_scopes(block, &all);
        }
        self.block(block);
    }

    /// Notes the variables that nobody names outside of a block, and outside of those in it.
    fn find_scopes(&mut self, block: &Block, all: &BTreeMap<LocalId, usize>) {
        for (local, times) in accesses(block) {
            if all.get(&local) == Some(&times) {
                self.scopes.insert((place_of(block), local));
            }
        }
        for stmt in block {
            stmt.blocks(&mut |inner| self.find_scopes(inner, all));
        }
    }

    fn block(&mut self, block: &Block) {
        let depth = self.context.len();
        self.frame().blocks.push((place_of(block), depth));
        self.statements(block);
        self.frame().blocks.pop();
    }

    fn statements(&mut self, block: &Block) {
        for stmt in block {
            if self.live == FALSE || self.terms.stops() {
                return;
            }
            self.block_at = place_of(block);
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        use StmtKind as S;
        match &stmt.kind {
            S::Let(local, value) => {
                let value = self.value(value);
                self.set_local(*local, value);
            }
            S::SetEnv(var, value) => {
                let value = self.value(value);
                if self.now() == TRUE {
                    self.left_by.remove(&var.0);
                }
                self.write_env(var.0, value, TRUE);
            }
            S::SetVar(var, index, value) => self.set_var(*var, index, value),
            S::Put(placement, piece, place) | S::Bring(placement, piece, place, _) => {
                let (value, at) = (self.value(piece), self.value(place));
                self.place(*placement, vec![at], value);
            }
            S::Take(placement, piece) => {
                let value = self.value(piece);
                self.place(*placement, Vec::new(), value);
            }
            S::SetContent(placement, place, kind) => {
                let (at, value) = (self.value(place), self.value(kind));
                self.place(*placement, vec![at], value);
            }
            S::If(cond, yes, no) => {
                let cond = self.value(cond);
                let before = self.live;
                let not = self.terms.not(cond);
                let after_yes = self.branch(before, cond, yes);
                let after_no = self.branch(before, not, no);
                self.live = self.terms.or(after_yes, after_no);
            }
            S::For {
                local,
                from,
                to,
                count,
                body,
                ..
            } => self.counted(*local, from, to, *count, body),
            S::ForEach(local, over, body) => self.each(*local, over, body),
            S::While { cond, body, .. } => {
                self.looped(
                    &mut |me, _| {
                        let cond = me.value(cond);
                        Some(cond)
                    },
                    body,
                );
            }
            S::Break => self.leave(|round| &mut round.left),
            S::Continue => self.leave(|round| &mut round.goes_on),
            S::Call { func, args, into } => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                let value = self.call(*func, args);
                if let (Some(local), Some(value)) = (into, value) {
                    self.set_local(*local, value);
                }
            }
            S::Return(value) => {
                if let Some(value) = value {
                    self.give(value);
                }
                self.live = FALSE;
            }
            S::Emit(_) | S::Charge => {}
            S::Fault(_) | S::TooDeep | S::End { .. } | S::Stop(_) => self.end(stmt),
            S::Note(trail) => self.trail(trail.0, Other::Noted(trail.0)),
            S::Forget(trail) => self.trail(trail.0, Other::Forgot(trail.0)),
            S::Trial {
                body,
                keep,
                ok,
                value,
            } => self.trial(body, *keep, *ok, value.as_ref()),
            S::Fail => {
                let live = self.now();
                match self.failed.pop() {
                    Some(before) => {
                        let after = self.terms.or(before, live);
                        self.failed.push(after);
                    }
                    None => self.terms.fail("a failure outside of a trial"),
                }
                self.live = FALSE;
            }
            S::Snapshot(_) | S::Restore(_) => self.terms.fail("a snapshot"),
            S::Choose(_) | S::Chance(_) => {
                self.terms.fail("a stop inside");
            }
        }
    }

    /// Gives a value back from a function.
    fn give(&mut self, value: &Expr) {
        let value = self.value(value);
        let live = self.here();
        let old = self.frame().returned;
        let new = match old {
            Some(old) => {
                let live = self.as_far_as(usize::MAX, live, live);
                self.terms.ite(live, value, old)
            }
            None => {
                self.frame().given.insert(usize::MAX, live);
                value
            }
        };
        self.frame().returned = Some(new);
    }

    /// Ends what is unfolded, or the game.
    fn end(&mut self, stmt: &Stmt) {
        let (leaf, with) = match &stmt.kind {
            StmtKind::Fault(text) => (Bundle::Ends("fault", text.clone(), 0), Vec::new()),
            StmtKind::TooDeep => (Bundle::Ends("deep", String::new(), 0), Vec::new()),
            StmtKind::End { reason, winners } => {
                let leaf = Bundle::Ends("end", reason_word(*reason).to_owned(), 0);
                (leaf, vec![self.value(winners)])
            }
            StmtKind::Stop(point) => (Bundle::Ends("stop", String::new(), point.0), Vec::new()),
            _ => return,
        };
        let leaf = self.terms.bundle(leaf, with);
        self.exit(leaf);
    }

    fn trial(&mut self, body: &Block, keep: bool, ok: LocalId, value: Option<&(Expr, LocalId)>) {
        let (before, ends) = (self.live, self.ends.len());
        let memory = self.memory.clone();
        let locals = self.frame().locals.clone();
        let rounds = std::mem::take(&mut self.rounds);
        self.failed.push(FALSE);
        self.block(body);
        self.rounds = rounds;
        let failed = self.failed.pop().unwrap_or(FALSE);
        let not = self.terms.not(failed);
        let succeeds = self.terms.and(before, not);
        self.changes += 1;
        if self.ends.len() != ends {
            self.terms.fail("an end in a trial");
            return;
        }
        self.live = succeeds;
        let given = value.map(|(value, local)| (self.value(value), *local));
        match keep {
            true => self.keep(memory, &locals, succeeds),
            false => {
                self.memory = memory;
                self.frame().locals = locals;
            }
        }
        if let Some((value, local)) = given {
            self.set_local(local, value);
        }
        self.live = before;
        self.set_local(ok, not);
    }

    /// Keeps what a trial wrote where it succeeded.
    fn keep(&mut self, old: Memory, locals: &[Option<Term>], succeeds: Term) {
        let mut new = std::mem::take(&mut self.memory);
        for (var, value) in &mut new.plain {
            let before = match old.plain.get(var) {
                Some(before) => *before,
                None => {
                    let ty = self.game.var(*var).ty.clone();
                    self.base(Op::Var(*var), &[], &ty)
                }
            };
            *value = self.terms.ite(succeeds, *value, before);
        }
        let lists = new.lists.iter_mut().map(|(var, writes)| {
            let before = old.lists.get(var).map_or(0, Vec::len);
            (writes, before)
        });
        let placed = new.placed.iter_mut().map(|(placement, writes)| {
            let before = old.placed.get(placement).map_or(0, Vec::len);
            (writes, before)
        });
        for (writes, before) in lists.chain(placed) {
            for write in writes.iter_mut().skip(before) {
                write.when = self.terms.and(write.when, succeeds);
            }
        }
        for (var, (value, set)) in &mut new.env {
            let (before, was) = old.env.get(var).copied().unwrap_or((*value, FALSE));
            *value = self.terms.ite(succeeds, *value, before);
            *set = self.terms.ite(succeeds, *set, was);
        }
        if new.trails != old.trails {
            self.terms.fail("a note in a trial");
        }
        self.memory = new;
        for (at, before) in locals.iter().enumerate() {
            let after = self.frame().locals.get(at).copied().flatten();
            if let (Some(before), Some(after)) = (before, after)
                && *before != after
            {
                let kept = self.terms.ite(succeeds, after, *before);
                self.frame().locals[at] = Some(kept);
            }
        }
    }

    /// Runs a branch; when it is left at its end. Where it has ended the game that does not matter, so it is left always then.
    fn branch(&mut self, before: Term, cond: Term, block: &Block) -> Term {
        let entered = self.terms.and(before, cond);
        self.live = entered;
        self.last_end = None;
        self.block(block);
        let ended = self.live == FALSE && self.last_end == Some(entered);
        match ended && self.rounds.is_empty() {
            true => entered,
            false => self.live,
        }
    }

    fn trail(&mut self, trail: u32, what: Other) {
        let before = self.memory.trails.get(&trail).copied();
        let when = self.now();
        self.changes += 1;
        let args = [Vec::from_iter(before), vec![when]].concat();
        let after = self.terms.structural(Op::Other(what), args, &Type::INT);
        self.memory.trails.insert(trail, after);
    }

    fn exit(&mut self, leaf: Term) {
        let when = self.now();
        let end = self.terms.bundle(Bundle::Parts("end"), vec![when, leaf]);
        self.ends.push(end);
        self.last_end = Some(self.live);
        self.changes += 1;
        self.live = FALSE;
    }

    fn leave(&mut self, which: impl Fn(&mut Round) -> &mut Term) {
        let live = self.live;
        if let Some(mut round) = self.rounds.pop() {
            let slot = which(&mut round);
            *slot = self.terms.or(*slot, live);
            self.rounds.push(round);
        }
        self.live = FALSE;
    }

    fn set_var(&mut self, var: VarId, index: &[Expr], value: &Expr) {
        let index: Vec<Term> = index.iter().map(|at| self.value(at)).collect();
        let ty = &self.game.var(var).ty;
        let narrow = !ty.contains(&value.ty);
        let value = self.value(value);
        if narrow && self.terms.as_const(value).is_none() {
            // A value outside of the range is a mistake.
            self.note(value, true);
        }
        self.changes += 1;
        if index.is_empty() {
            let live = self.live;
            let old = self.read(var, &[]);
            let new = self.terms.ite(live, value, old);
            self.memory.plain.insert(var, new);
            return;
        }
        let live = self.now();
        let stage = self.ends.len();
        let writes = self.memory.lists.entry(var).or_default();
        writes.push(Write {
            when: live,
            stage,
            at: index,
            value,
            many: false,
        });
    }

    fn place(&mut self, placement: PlacementId, at: Vec<Term>, value: Term) {
        let when = self.now();
        self.changes += 1;
        let stage = self.ends.len();
        let writes = self.memory.placed.entry(placement).or_default();
        writes.push(Write {
            when,
            stage,
            at,
            value,
            many: false,
        });
    }

    /// Runs rounds while there is a next one.
    fn looped(&mut self, next: &mut dyn FnMut(&mut Self, usize) -> Option<Term>, body: &Block) {
        self.as_seen_from_here(&mut |me| me.rounds(next, body));
    }

    /// Runs something as if it was always come to, which says when it is left.
    fn as_seen_from_here(&mut self, run: &mut dyn FnMut(&mut Self)) {
        let before = self.live;
        let outside = self.enter();
        let mistakes = std::mem::take(&mut self.mistakes);
        run(self);
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        let left = self.live;
        self.come_back(before, outside);
        self.happen(own);
        self.live = self.terms.and(before, left);
    }

    fn rounds(&mut self, next: &mut dyn FnMut(&mut Self, usize) -> Option<Term>, body: &Block) {
        let mut left = FALSE;
        for round in 0..=MOST_ROUNDS {
            if self.live == FALSE || self.terms.stops() {
                break;
            }
            let Some(cond) = next(self, round) else {
                left = self.terms.or(left, self.live);
                self.live = FALSE;
                break;
            };
            let not = self.terms.not(cond);
            let over = self.terms.and(self.live, not);
            left = self.terms.or(left, over);
            self.live = self.terms.and(self.live, cond);
            if self.live == FALSE {
                break;
            }
            // A loop that goes on for long may do so only where nobody calls it.
            if round >= LONG && self.now() == FALSE {
                self.depends = true;
                self.live = FALSE;
                break;
            }
            if round == MOST_ROUNDS {
                self.terms.fail("too many rounds");
                break;
            }
            let ended = self.round(body);
            left = self.terms.or(left, ended.left);
            self.live = ended.goes_on;
        }
        self.live = left;
    }

    /// Runs one round of a loop; when it is left, and when it goes on.
    fn round(&mut self, body: &Block) -> Round {
        let before = self.live;
        let outside = self.enter();
        let mistakes = std::mem::take(&mut self.mistakes);
        self.rounds.push(Round {
            left: FALSE,
            goes_on: FALSE,
        });
        self.block(body);
        let ended = self.rounds.pop();
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        let done = self.live;
        self.come_back(before, outside);
        self.happen(own);
        let mut ended = ended.unwrap_or(Round {
            left: FALSE,
            goes_on: FALSE,
        });
        let goes_on = self.terms.or(done, ended.goes_on);
        ended.left = self.terms.and(before, ended.left);
        ended.goes_on = self.terms.and(before, goes_on);
        ended
    }

    fn counted(&mut self, local: LocalId, from: &Expr, to: &Expr, count: Count, body: &Block) {
        let (from, to) = (self.value(from), self.value(to));
        let (Some(Const::Int(from)), Some(Const::Int(to))) =
            (self.terms.as_const(from), self.terms.as_const(to))
        else {
            return self.counted_from(local, from, to, count, body);
        };
        let (from, to) = (*from, *to);
        let down = count == Count::Down || count == Count::Toward && to < from;
        self.looped(
            &mut |me, round| {
                let round = round as i64;
                let number = if down { from - round } else { from + round };
                let more = if down { number >= to } else { number <= to };
                more.then(|| {
                    let number = me.terms.constant(Const::Int(number), Type::INT);
                    me.bind(local, number);
                    TRUE
                })
            },
            body,
        );
    }

    /// A loop whose bounds follow from members.
    fn counted_from(&mut self, local: LocalId, from: Term, to: Term, count: Count, body: &Block) {
        let span = crate::source::Span::default();
        let int = |local: u32| Expr::local(LocalId(local), Type::INT, span);
        let step =
            |op, a, b, ty| Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span);
        let apply = |me: &mut Self, op: BinaryOp, a: Term, b: Term, ty: Type| {
            let expr = step(op, int(0), int(1), ty);
            me.terms
                .apply(Shell { expr: &expr }, &Op::Binary(op), &[a, b])
        };
        let down = match count {
            Count::Down => TRUE,
            Count::Up => FALSE,
            Count::Toward => apply(self, BinaryOp::Lt, to, from, Type::Bool),
        };
        let up = self.terms.not(down);
        self.looped(
            &mut |me, round| {
                let far = me.terms.constant(Const::Int(round as i64), Type::INT);
                let higher = apply(me, BinaryOp::Add, from, far, Type::INT);
                let lower = apply(me, BinaryOp::Sub, from, far, Type::INT);
                let number = me.terms.ite(down, lower, higher);
                me.bind(local, number);
                let above = apply(me, BinaryOp::Ge, lower, to, Type::Bool);
                let below = apply(me, BinaryOp::Le, higher, to, Type::Bool);
                let above = me.terms.and(down, above);
                let below = me.terms.and(up, below);
                Some(me.terms.or(above, below))
            },
            body,
        );
    }

    fn each(&mut self, local: LocalId, over: &Over, body: &Block) {
        let (set, ty, _) = self.over(over);
        if self.terms.is_described(set) && self.write_each(local, set, &ty, body) {
            return;
        }
        let all: Vec<Term> = match (self.terms.as_const(set).cloned(), &ty) {
            (Some(Const::Set(members)), _) => members
                .iter()
                .map(|&member| self.terms.constant(Const::Elem(member), ty.clone()))
                .collect(),
            (Some(Const::Seq(items)), _) => items
                .iter()
                .map(|item| self.terms.constant(item.clone(), ty.clone()))
                .collect(),
            (None, Type::Elem(domain)) if !matches!(over, Over::Seq(_)) => {
                let members = 0..self.game.domain(*domain).len() as u32;
                members
                    .map(|member| self.terms.constant(Const::Elem(member), ty.clone()))
                    .collect()
            }
            _ => {
                self.terms.fail("a loop over what is not known");
                return;
            }
        };
        self.as_seen_from_here(&mut |me| me.one_after_the_other(local, &all, set, body));
    }

    /// A loop that only writes the same value for each member of a set; whether it is one.
    fn write_each(&mut self, local: LocalId, set: Term, ty: &Type, body: &Block) -> bool {
        let [only] = &body[..] else { return false };
        let StmtKind::SetVar(var, index, value) = &only.kind else {
            return false;
        };
        let declared = self.game.var(*var);
        if index.is_empty() || !declared.ty.contains(&value.ty) {
            return false;
        }
        // What a round writes is not seen by those after it.
        let mut sees = false;
        for expr in index.iter().chain([value]) {
            expr.walk(&mut |part| {
                sees |= match &part.kind {
                    ExprKind::Var(other, _) => other == var,
                    ExprKind::Call(..) | ExprKind::Holds(..) => true,
                    _ => false,
                };
            });
        }
        if sees {
            return false;
        }
        let (mistakes, changes) = (std::mem::take(&mut self.mistakes), self.changes);
        let depth = self.bound.max(self.terms.depth_of(set));
        let which = self.leaf(Op::Bound(depth, None), ty);
        self.bind(local, which);
        let before = std::mem::replace(&mut self.bound, depth + 1);
        let inside = self.terms.is_in(which, set);
        let (at, value) = self.under_each(inside, index, value);
        self.bound = before;
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        let mut depends = self.changes != changes;
        self.terms
            .each_part(value, &mut |_, part| depends |= part == which);
        if depends {
            return false;
        }
        if !own.is_empty() {
            let inner = self.terms.bundle(Bundle::Mistakes, own);
            let within = vec![which, inner, self.live];
            let within = self.terms.bundle(Bundle::Parts("within"), within);
            self.mistakes.push(within);
        }
        let now = self.now();
        let when = self.terms.and(now, inside);
        let stage = self.ends.len();
        self.changes += 1;
        self.memory.lists.entry(*var).or_default().push(Write {
            when,
            stage,
            at,
            value,
            many: true,
        });
        true
    }

    /// Indexes and a value for a member that is in a set.
    fn under_each(&mut self, inside: Term, index: &[Expr], value: &Expr) -> (Vec<Term>, Term) {
        let before = std::mem::replace(&mut self.live, inside);
        let at = index.iter().map(|at| self.value(at)).collect();
        let value = self.value(value);
        self.live = before;
        (at, value)
    }

    fn one_after_the_other(&mut self, local: LocalId, all: &[Term], set: Term, body: &Block) {
        let known = self.terms.as_const(set).is_some();
        let mut left = FALSE;
        for &member in all {
            if self.live == FALSE || self.terms.stops() {
                break;
            }
            let cond = match known {
                true => TRUE,
                false => self.terms.is_in(member, set),
            };
            let before = self.live;
            self.bind(local, member);
            self.live = self.terms.and(before, cond);
            let not = self.terms.not(cond);
            let passed = self.terms.and(before, not);
            let ended = self.round(body);
            left = self.terms.or(left, ended.left);
            self.live = self.terms.or(passed, ended.goes_on);
        }
        self.live = self.terms.or(self.live, left);
    }

    // ---- decisions

    /// The candidates for a parameter as a term, and what it can be.
    pub(super) fn source(
        &mut self,
        param: &Param,
        context: usize,
        before: &[Term],
    ) -> (Term, Option<Vec<u32>>) {
        match &param.source {
            ParamSource::All => (self.terms.bundle(Bundle::Parts("all"), Vec::new()), None),
            ParamSource::Among(members) => {
                let ty = match domain_of(&param.ty) {
                    Some(domain) => Type::Set(domain),
                    None => Type::Bool,
                };
                let set = self.terms.constant(Const::Set(members.clone()), ty);
                (set, Some(members.clone()))
            }
            ParamSource::Is(value) => {
                let value = self.value(value);
                let reach = domain_of(&param.ty).and_then(|_| self.terms.reach(value));
                (value, reach)
            }
            ParamSource::Listed { by, table } => {
                let game = self.game;
                let table = game.table(*table);
                let of = before.get(context + by).copied().unwrap_or(FALSE);
                let rows = self.terms.whole_table(table, of);
                (rows, self.terms.within(rows))
            }
            ParamSource::Generated(func) => {
                let value = self.given(*func, before.to_vec());
                let reach = match self.terms.as_const(value) {
                    Some(Const::Set(members)) => Some(members.clone()),
                    _ => None,
                };
                (value, reach)
            }
            ParamSource::Subset { of, size } => {
                let parts = vec![self.value(of), self.value(size)];
                (self.terms.bundle(Bundle::Parts("subset"), parts), None)
            }
        }
    }

    /// The players and the contexts of a decision.
    pub(super) fn choice(&mut self, choose: &Choose) -> (Term, Vec<Vec<Term>>) {
        let players = self.value(&choose.players);
        let given = |me: &mut Self, arm: &Arm| -> Vec<Term> {
            arm.given.iter().map(|value| me.value(value)).collect()
        };
        let given = choose.arms.iter().map(|arm| given(self, arm)).collect();
        (players, given)
    }

    /// A draw.
    pub(super) fn distribution(&mut self, dist: &Distribution) -> Term {
        let parts = match dist {
            Distribution::Uniform(from, to) => vec![self.value(from), self.value(to)],
            Distribution::Weighted {
                local,
                over,
                weight,
            } => self.quantified(*local, over, weight).to_vec(),
        };
        self.terms.bundle(Bundle::Parts("draw"), parts)
    }
}

/// What tells blocks apart.
fn place_of(block: &Block) -> usize {
    block.as_ptr() as usize
}

/// How often each variable is named in a block.
fn accesses(block: &Block) -> BTreeMap<LocalId, usize> {
    let mut times: BTreeMap<LocalId, usize> = BTreeMap::new();
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
