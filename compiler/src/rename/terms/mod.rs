//! What rules mean, as terms in a normal form: equal terms have one number.
//!
//! A value that depends on conditions is a decision diagram ([`Op::Ite`]) over conditions in the order of their numbers, so that
//! the order in which rules ask does not matter. Arithmetic on what tables say of members is a table itself ([`Op::Table`]): that
//! a place is in the column after another one is a table from places to places, and no number is left of it.

mod apart;
mod diagrams;
mod equal;
mod matters;
mod ops;
mod products;
mod renamed;
mod tables;

use rulec_ir::sorted::SortedMap;

use crate::hash::{IndexMap, IndexSet};
use crate::ir::effects::Effects;
use crate::ir::{
    BinaryOp, Const, DomainId, Expr, Fold, FuncId, Game, PlacementId, Type, UnaryOp, VarId,
    WalkGive,
};

use super::Renaming;
use super::standing::Standing;

/// A term, by number.
pub(super) type Term = u32;

/// Variables of the environment: what they are, and whether they are set.
pub(super) type Env = SortedMap<u32, (Term, Term)>;

/// What a function gave in some position, the mistakes on the way, and what it left in the environment.
#[derive(Clone)]
pub(super) struct Seen {
    pub(super) value: Option<Term>,
    pub(super) mistakes: Vec<Term>,
    pub(super) env: Env,
}

/// A table of terms, by number.
pub(super) type TabId = u32;

/// Terms that a game may need.
const MOST_TERMS: usize = 20_000;
/// The same, where rules ask of sets.
const MOST_OF_SETS: usize = 12_000;
/// Cells of all tables together: about a tenth of a second of work.
const MOST_CELLS: usize = 1 << 19;
/// Cells of a table of two members.
const MOST_PAIRS: usize = 1 << 16;
/// Members of a domain that are asked for one by one.
pub(super) const FEW_MEMBERS: usize = 4;
/// Kinds of pieces that are asked for one by one.
const MOST_KINDS: u32 = 4;
/// Conditions that stand in one diagram, without looking at what it costs.
const FEW_TOGETHER: u32 = 8;
/// Conditions of a diagram that are noted.
const MOST_ASKED: usize = 64;
/// Times that something is run.
const MOST_TIMES: usize = 8;
/// Steps of combining diagrams.
const MOST_STEPS: usize = 150_000;
/// The same, where rules ask of sets.
const MOST_STEPS_OF_SETS: usize = 50_000;
/// The same, of comparing.
const MOST_COMPARED: usize = 300_000;

/// Why the meaning of a game was not found.
pub(super) type Failed = &'static str;

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// A constant.
    Const(Const),
    /// A parameter of a move, and what it can be.
    Param(usize, Option<Vec<u32>>),
    /// A bound variable by its depth, and what it can be.
    Bound(usize, Option<Vec<u32>>),
    /// A table at members.
    Table(TabId),
    /// The second if the first, a condition, holds, else the third.
    Ite,
    /// A variable of the position at indexes.
    Var(VarId),
    /// What stands where in the position.
    Placed(Placed, PlacementId),
    /// An operation of the IR as it is.
    Unary(UnaryOp),
    /// An operation of the IR as it is.
    Binary(BinaryOp),
    /// Any other operation, which does not depend on the order of members.
    Other(Other),
    /// An operation that depends on the order of the members of a domain.
    Ordered(Other, DomainId),
    /// A bundle; its parts have an order, or none.
    Bundle(Bundle),
}

/// A question about a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Placed {
    PlaceOf,
    Content,
    Contents,
    Places,
}

/// An operation of the IR.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Other {
    IsSome,
    Ordinal,
    Member,
    ToWrap,
    ToInt,
    Tag,
    Untag,
    HasTag(Type),
    SetOf,
    SeqOf,
    Size,
    Item,
    Fold(Fold),
    Collect,
    First,
    Walk(WalkGive),
    /// What a walk along a sequence of places gives.
    Along(WalkGive),
    /// Whether a condition holds for one of some rows, which have no order.
    Rows,
    Closure,
    Seen(u32),
    Noted(u32),
    Forgot(u32),
    /// Whether an operation fails.
    Fails,
    /// At least one of many conditions, which have no order.
    Any,
    /// A condition as a whole, whatever it consists of.
    Whole,
    /// A value in the position that some writes lead to.
    After,
    /// Members or items that a variable ranges over.
    Range,
    /// Whether the first of two different numbers is the greater one.
    Greater,
}

/// What a bundle of terms stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bundle {
    /// Writes to a variable or a placement, as a set.
    Writes,
    Write,
    /// The value that a variable gets.
    Gets(VarId),
    To(VarId),
    Onto(PlacementId),
    /// How a move ends.
    Ends(&'static str, String, u32),
    Nothing,
    /// Mistakes, as a set.
    Mistakes,
    /// Parts in order.
    Parts(&'static str),
    /// Parts as a set.
    Set(&'static str),
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) args: Box<[Term]>,
    pub(super) ty: Type,
}

/// What a term asks.
struct Look {
    /// The conditions of a diagram, in ascending order.
    asked: Asked,
    /// How many plain conditions there are in it.
    weight: u32,
    /// Whether it says nothing of the position.
    pure: bool,
    /// One more than the greatest number of a bound variable in it.
    depth: usize,
    /// Whether it is a set by what holds of its members.
    described: bool,
}

type Asked = Vec<Term>;

/// Conditions in ascending order, and whether they hold.
type Known = Vec<(Term, bool)>;

fn known_as(known: &Known, condition: Term) -> Option<bool> {
    let at = known.binary_search_by_key(&condition, |(asked, _)| *asked);
    at.ok().map(|at| known[at].1)
}

fn merged(a: &[Term], b: &[Term]) -> Asked {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a, b);
    while let ([x, more @ ..], [y, others @ ..]) = (a, b) {
        all.push(*x.min(y));
        if x <= y {
            a = more;
        }
        if y <= x {
            b = others;
        }
    }
    all.extend_from_slice(a);
    all.extend_from_slice(b);
    all
}

/// A constant function of members, each of a domain, or absent where that is said.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tab {
    pub(super) axes: Vec<(DomainId, bool)>,
    pub(super) ty: Type,
    pub(super) values: Vec<Value>,
}

/// A constant in a table, by number.
pub(super) type Value = u32;

/// Stands in tables for members that never come.
pub(super) const JUNK: Value = 0;
/// Stands in tables for a mistake.
pub(super) const FAULT: Value = 1;
/// An absent member.
pub(super) const ABSENT: Value = 2;
/// The truth values.
pub(super) const NO: Value = 3;
pub(super) const YES: Value = 4;

fn junk() -> Const {
    Const::Seq(vec![Const::None])
}

/// Stands for a mistake.
pub(super) fn fault() -> Const {
    Const::Seq(vec![Const::Seq(Vec::new())])
}

/// Conditions that are always so.
pub(super) const FALSE: Term = 0;
pub(super) const TRUE: Term = 1;

/// How a value follows from the values of atoms.
enum Follows {
    Is(Value),
    /// A table, the atoms that it is about, and how many values each has.
    Table(TabId, Vec<(usize, usize)>),
    Atom(usize, (DomainId, bool)),
}

/// An operation that is computed for all members, and the IR node that says how.
#[derive(Clone, Copy)]
pub(super) struct Shell<'e> {
    pub(super) expr: &'e Expr,
}

/// All terms of a game.
pub(super) struct Terms<'g> {
    pub(super) game: &'g Game,
    nodes: IndexSet<Node>,
    looks: Vec<Look>,
    tabs: IndexSet<Tab>,
    consts: IndexSet<Const>,
    members: Vec<Value>,
    cells: usize,
    steps: usize,
    most_terms: usize,
    most_steps: usize,
    /// How conditions are written.
    form: Form,
    /// The kinds of the members of domains, as far as what stands somewhere is asked kind by kind: first those that are alike.
    kinds: SortedMap<DomainId, Vec<u32>>,
    constants: rulec_ir::sorted::SortedSet<VarId>,
    pub(super) effects: Effects,
    /// What functions give in positions of which nothing is known.
    pub(super) seen: IndexMap<(FuncId, Vec<Term>, Env), Seen>,
    /// Functions whose environment is asked for.
    pub(super) asked_of: rulec_ir::sorted::SortedSet<FuncId>,
    /// Whether one was found, so that what is being run has to be run again.
    pub(super) again: bool,
    ites: IndexMap<(Term, Term, Term), Term>,
    equals: IndexMap<(Term, Term), Term>,
    implied: IndexMap<Term, Known>,
    applied: IndexMap<(Op, Vec<Term>, Vec<Type>), Term>,
    looked_up: IndexMap<(crate::ir::TableId, Vec<Term>), Term>,
    pub(super) failed: Option<Failed>,
    /// The pieces that can come to each place, as far as that is used.
    pub(super) standing: SortedMap<PlacementId, Standing>,
    /// Whether rules ask of sets what they ask of many places.
    pub(super) by_sets: bool,
}

/// How conditions are written: all forms say the same, and which of them shows a symmetry depends on the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// Conditions that stand in one diagram.
    pub(super) together: u32,
    /// Whether what stands somewhere is asked kind by kind, so that "a piece, and not a red one" is "a blue one".
    pub(super) by_kinds: bool,
}

impl Form {
    /// The first to be tried.
    pub(super) const FIRST: Form = Form {
        together: 32,
        by_kinds: false,
    };
    /// Where that is too much.
    pub(super) const SMALL: Form = Form {
        together: 16,
        by_kinds: false,
    };
    /// Where that does not exchange sides.
    pub(super) const BY_KINDS: Form = Form {
        together: 32,
        by_kinds: true,
    };
}

/// The kind of each member of domains of pieces that have few kinds, by the pieces that are alike.
fn kinds_of(game: &Game, form: Form) -> SortedMap<DomainId, Vec<u32>> {
    let mut all = SortedMap::new();
    if !form.by_kinds {
        return all;
    }
    for class in game.interchangeable.iter().filter(|class| class.pieces) {
        let len = game.domain(class.domain).len() as u32;
        let own: &mut Vec<u32> = all
            .entry(class.domain)
            .or_insert_with(|| (0..len).collect());
        for member in &class.members {
            own[*member as usize] = class.members[0];
        }
    }
    all.retain(|_, own: &mut Vec<u32>| {
        let mut kinds = own.clone();
        kinds.sort_unstable();
        kinds.dedup();
        (2..MOST_KINDS as usize).contains(&kinds.len())
    });
    all
}

impl<'g> Terms<'g> {
    /// For a game, with conditions in some form.
    pub(super) fn new(game: &'g Game, form: Form) -> Terms<'g> {
        let mut terms = Terms {
            game,
            nodes: IndexSet::default(),
            looks: Vec::new(),
            tabs: IndexSet::default(),
            consts: IndexSet::default(),
            members: Vec::new(),
            cells: 0,
            steps: 0,
            most_terms: MOST_TERMS,
            most_steps: MOST_STEPS,
            form,
            kinds: kinds_of(game, form),
            constants: crate::ir::effects::constants(game).vars,
            effects: Effects::of(game),
            seen: IndexMap::default(),
            asked_of: rulec_ir::sorted::SortedSet::new(),
            again: false,
            ites: IndexMap::default(),
            equals: IndexMap::default(),
            implied: IndexMap::default(),
            applied: IndexMap::default(),
            looked_up: IndexMap::default(),
            failed: None,
            standing: SortedMap::new(),
            by_sets: false,
        };
        let first = [
            junk(),
            fault(),
            Const::None,
            Const::Bool(false),
            Const::Bool(true),
        ];
        terms.consts.extend(first);
        let most = game.domains.iter().map(crate::ir::Domain::len).max();
        terms.members = (0..most.unwrap_or(0) as u32)
            .map(|member| terms.number(Const::Elem(member)))
            .collect();
        terms.constant(Const::Bool(false), Type::Bool);
        terms.constant(Const::Bool(true), Type::Bool);
        terms
    }

    pub(super) fn node(&self, term: Term) -> &Node {
        &self.nodes[term as usize]
    }

    /// For each term whether it is one of some, or one of them is a part of it. Parts come before what they are parts of.
    pub(super) fn with_parts(&self, some: &rulec_ir::sorted::SortedSet<Term>) -> Vec<bool> {
        let mut has_one = Vec::with_capacity(self.nodes.len());
        for (term, node) in (0..).zip(&self.nodes) {
            let mut parts = node.args.iter();
            let own = some.contains(&term) || parts.any(|part| has_one[*part as usize]);
            has_one.push(own);
        }
        has_one
    }

    pub(super) fn tab(&self, tab: TabId) -> &Tab {
        &self.tabs[tab as usize]
    }

    /// From here on rules ask of sets what they ask of many places: then few terms do, or many do not.
    pub(super) fn ask_of_sets(&mut self) {
        self.by_sets = true;
        self.most_terms = MOST_OF_SETS;
        self.most_steps = MOST_STEPS_OF_SETS;
    }

    /// Allows for the work of comparing what was found.
    pub(super) fn compare(&mut self) {
        self.most_steps = self.steps + MOST_COMPARED;
        self.most_terms = self.most_steps;
    }

    /// Notes work; so that what takes too much is given up.
    fn spend(&mut self, work: usize) {
        self.steps += work;
        if self.steps > self.most_steps {
            self.fail("too many conditions");
        }
    }

    /// Whether there is nothing more to be found.
    pub(super) fn stops(&self) -> bool {
        self.failed.is_some() || self.again
    }

    /// Runs something; again, as long as that finds functions whose environment is asked for.
    pub(super) fn settled<T>(&mut self, mut run: impl FnMut(&mut Self) -> T) -> T {
        for _ in 0..MOST_TIMES {
            self.again = false;
            let found = run(self);
            if !self.again {
                return found;
            }
        }
        self.fail("too many functions that leave something");
        self.again = false;
        run(self)
    }

    /// A constant that stands in tables.
    pub(super) fn value(&self, value: Value) -> &Const {
        &self.consts[value as usize]
    }

    pub(super) fn number(&mut self, value: Const) -> Value {
        // Most are truth values and members, whose numbers are known.
        match &value {
            Const::Bool(value) => return if *value { YES } else { NO },
            Const::None => return ABSENT,
            Const::Elem(member) => {
                if let Some(known) = self.members.get(*member as usize) {
                    return *known;
                }
            }
            _ => {}
        }
        match self.consts.get_index_of(&value) {
            Some(known) => known as Value,
            None => self.consts.insert_full(value).0 as Value,
        }
    }

    fn numbers(&mut self, values: &[Const]) -> Vec<Value> {
        values
            .iter()
            .map(|value| self.number(value.clone()))
            .collect()
    }

    pub(super) fn fail(&mut self, why: Failed) {
        self.failed.get_or_insert(why);
    }

    fn insert(&mut self, op: Op, args: Vec<Term>, ty: Type) -> Term {
        if self.nodes.len() >= self.most_terms {
            self.fail("too many terms");
            return FALSE;
        }
        let args = args.into();
        let (at, new) = self.nodes.insert_full(Node { op, args, ty });
        if new {
            self.steps += 1;
            let look = self.look_of(at as Term);
            self.looks.push(look);
        }
        at as Term
    }

    /// What a term that was just made asks.
    fn look_of(&self, term: Term) -> Look {
        let node = self.node(term);
        let looks = |arg: &Term| &self.looks[*arg as usize];
        let weights = |args: &[Term]| {
            args.iter()
                .fold(0, |sum: u32, arg| sum.saturating_add(looks(arg).weight))
        };
        let pure = node.args.iter().all(|arg| looks(arg).pure);
        let asks = match node.op {
            Op::Var(_) | Op::Placed(..) | Op::Other(Other::Seen(_)) => true,
            // What is kept of another position.
            Op::Param(at, _) => at >= 2_000,
            _ => false,
        };
        let (asked, weight) = match (&node.op, &node.args[..]) {
            (Op::Const(_), _) => (Asked::default(), 0),
            (Op::Ite, [condition, yes, no]) => {
                let asked = merged(&looks(yes).asked, &looks(no).asked);
                let asked = merged(&asked, &[*condition]);
                let weight = match asked.len() > MOST_ASKED {
                    true => u32::MAX,
                    false => weights(&asked),
                };
                let noted = asked.into_iter().take(MOST_ASKED + 1).collect();
                (noted, weight)
            }
            (Op::Other(Other::Any | Other::Whole), args) => (Asked::default(), weights(args)),
            _ => (Asked::default(), 1),
        };
        let depths = node.args.iter().map(|arg| looks(arg).depth);
        let own = match node.op {
            Op::Bound(at, _) => at + 1,
            _ => 0,
        };
        Look {
            asked,
            weight,
            pure: pure && !asks,
            depth: depths.fold(own, usize::max),
            described: self.described_by(node),
        }
    }

    /// A number that no bound variable of a term has, nor a greater one.
    pub(super) fn depth_of(&self, term: Term) -> usize {
        self.looks[term as usize].depth
    }

    /// Whether a term is a set by what holds of its members.
    pub(super) fn is_described(&self, term: Term) -> bool {
        self.looks[term as usize].described
    }

    /// Whether a term says nothing of the position.
    pub(super) fn is_pure(&self, term: Term) -> bool {
        self.looks[term as usize].pure
    }

    /// Whether two diagrams have a condition in common.
    pub(super) fn ask_the_same(&self, a: Term, b: Term) -> bool {
        let other = &self.looks[b as usize].asked;
        let mut own = self.looks[a as usize].asked.iter();
        own.any(|asked| other.binary_search(asked).is_ok())
    }

    /// Whether diagrams ask so few conditions that they can be put together.
    pub(super) fn are_small(&self, terms: &[Term]) -> bool {
        self.ask_at_most(terms, self.form.together)
    }

    /// Whether diagrams ask so few conditions that it costs nothing to put them together.
    pub(super) fn ask_few(&self, terms: &[Term]) -> bool {
        self.ask_at_most(terms, FEW_TOGETHER)
    }

    fn ask_at_most(&self, terms: &[Term], most: u32) -> bool {
        let mut asked: Vec<Term> = Vec::new();
        let mut weight = 0_u32;
        for &term in terms {
            let look = &self.looks[term as usize];
            if look.weight > most {
                return false;
            }
            for &condition in &look.asked {
                if !asked.contains(&condition) {
                    asked.push(condition);
                    weight = weight.saturating_add(self.looks[condition as usize].weight);
                }
            }
            if weight > most {
                return false;
            }
        }
        true
    }

    pub(super) fn constant(&mut self, value: Const, ty: Type) -> Term {
        self.insert(Op::Const(value), Vec::new(), plain(&ty))
    }

    pub(super) fn as_const(&self, term: Term) -> Option<&Const> {
        match &self.node(term).op {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// What a term is the opposite of, as rules are written.
    pub(super) fn negated(&self, term: Term) -> Option<Term> {
        let node = self.node(term);
        let negates = node.op == Op::Bundle(Bundle::Parts("not"));
        negates.then(|| node.args[0])
    }

    pub(super) fn leaf(&mut self, op: Op, ty: Type) -> Term {
        self.insert(op, Vec::new(), plain(&ty))
    }

    /// A bundle as it is; sets are sorted.
    pub(super) fn bundle(&mut self, bundle: Bundle, mut args: Vec<Term>) -> Term {
        if matches!(bundle, Bundle::Writes | Bundle::Mistakes | Bundle::Set(_)) {
            args.sort_unstable();
            args.dedup();
        }
        self.insert(Op::Bundle(bundle), args, Type::Bool)
    }

    // ---- conditions
}

/// What is known of terms under a renaming.
pub(super) struct Renamed<'r> {
    pub(super) renaming: &'r Renaming,
    terms: IndexMap<Term, Option<Term>>,
    tabs: IndexMap<TabId, TabId>,
    /// Whether a part is put in the place of another one.
    puts: bool,
}

impl<'r> Renamed<'r> {
    pub(super) fn by(renaming: &'r Renaming) -> Self {
        Renamed {
            renaming,
            terms: IndexMap::default(),
            tabs: IndexMap::default(),
            puts: false,
        }
    }

    /// Puts a term in the place of another one.
    pub(super) fn with(renaming: &'r Renaming, from: Term, to: Term) -> Self {
        Renamed {
            terms: IndexMap::from_iter([(from, Some(to))]),
            puts: true,
            ..Renamed::by(renaming)
        }
    }
}

/// A type without the ranges of its numbers.
pub(super) fn plain(ty: &Type) -> Type {
    match ty {
        Type::Int { .. } => Type::INT,
        Type::Seq { item, cap } => Type::Seq {
            item: Box::new(plain(item)),
            cap: *cap,
        },
        other => other.clone(),
    }
}
