//! A game made ready to run: structured statements as flat code, so that the place where play
//! stopped is a number and what is still needed there is a list of local variables.

use std::sync::Arc;

mod compile;

pub(super) use compile::Compiler;

use super::family::{FamilyCode, family};
use super::layout::Layout;
use super::names::Names;
use super::node::{Node, Nodes, Source};
use super::text::{Part, parts};
use super::value::{Members, Value};
use crate::ir::effects::Effects;
use crate::ir::{
    Arrival, Axis, Count, Domain, DomainId, DrawId, EndReason, EnvId, Expr, FamilyId, FaultCode,
    FuncId, Game, IdentityTerm, LocalId, Parts, PlacementId, PointId, SnapshotId, TextOf, ToldPart,
    TrailId, Type, VarId,
};
use crate::source::Span;

/// A game made ready to run.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) game: Arc<Game>,
    /// One for each function, then the machine if there is one, then what is left of guards.
    pub(super) routines: Vec<Routine>,
    pub(super) chooses: Vec<ChooseCode>,
    pub(super) chances: Vec<ChanceCode>,
    pub(super) points: Vec<PointCode>,
    recursive: Vec<bool>,
    pub(super) families: Vec<FamilyCode>,
    pub(super) identities: Vec<Vec<TermCode>>,
    pub(super) tellings: Vec<TellingCode>,
    pub(super) vars: Vec<Grid>,
    /// The variables that nothing writes.
    pub(super) constants: rulec_ir::sorted::SortedSet<crate::ir::VarId>,
    pub(super) tables: Vec<TableCode>,
    pub(super) layout: Layout,
    /// The names of the members of each domain.
    pub(super) names: Vec<Names>,
    pub(super) state_text: Vec<Part>,
    /// Steps that were made so far, by whomever.
    pub(super) steps: std::sync::atomic::AtomicU64,
}

/// Code of a function or of the machine.
#[derive(Debug, Default)]
pub(super) struct Routine {
    pub(super) ops: Vec<Op>,
    /// Number of local variables, hidden ones included.
    pub(super) slots: usize,
    /// Their types.
    pub(super) types: Vec<Type>,
    /// The slots that may be read from each place on; only where the routine suspends.
    pub(super) live: Vec<Members>,
}

/// A step and its place in the rules.
#[derive(Debug)]
pub(super) struct Op {
    pub(super) kind: OpKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum OpKind {
    Let(LocalId, Node, Store),
    SetEnv(EnvId, Node, Store),
    SetVar(VarId, Box<[Node]>, Node, Store),
    Put(PlacementId, Node, Node),
    /// A put of which something is known.
    Bring(PlacementId, Node, Node, Box<Arrival>),
    Take(PlacementId, Node),
    SetContent(PlacementId, Node, Node),
    /// Goes on if the condition holds, else elsewhere.
    Test(Node, usize),
    Jump(usize),
    /// Starts a counting loop: the next value in `slot`, the end in the one after it.
    ForStart {
        slot: usize,
        from: Node,
        to: Node,
        count: Count,
        exit: usize,
    },
    /// Begins a round.
    ForRound {
        slot: usize,
        local: LocalId,
        charge: Charge,
    },
    /// Ends a round: on to the next one unless that was the last.
    ForStep {
        slot: usize,
        round: usize,
    },
    /// Puts the items into `slot`, the last one first.
    EachStart {
        slot: usize,
        over: Source,
        /// The operands of the source.
        args: Vec<Node>,
    },
    EachRound {
        slot: usize,
        local: LocalId,
        exit: usize,
    },
    /// Forgets the rounds of a loop.
    CountFrom {
        slot: usize,
    },
    WhileRound {
        slot: usize,
        cond: Node,
        bound: u32,
        charge: Charge,
        exit: usize,
    },
    Call {
        func: FuncId,
        args: Box<[Node]>,
        into: Option<LocalId>,
    },
    Return(Option<Node>),
    Emit(EmitCode),
    Fault(FaultCode),
    /// Spends a unit of work.
    Spend,
    End(EndReason, Node),
    TrialStart {
        keep: bool,
        ok: LocalId,
        exit: usize,
    },
    TrialEnd {
        ok: LocalId,
        value: Option<(Node, LocalId)>,
    },
    Fail,
    Snapshot(SnapshotId),
    Restore(SnapshotId),
    Note(TrailId),
    Forget(TrailId),
    Choose(usize),
    Chance(usize),
    Stop(PointId),
}

/// What to test before a variable takes a value.
#[derive(Debug)]
pub(super) enum Store {
    /// Nothing: the variable admits all values of its kind.
    Any,
    /// An integer of a closed range.
    Range(i64, i64),
    /// A value of a type.
    Check(Type),
}

impl Store {
    fn of(ty: &Type) -> Store {
        match ty {
            Type::Int { lo, hi } => Store::Range(*lo, *hi),
            Type::Seq { .. } => Store::Check(ty.clone()),
            _ => Store::Any,
        }
    }
}

#[derive(Debug)]
pub(super) enum EmitCode {
    Log(Vec<Said>),
    /// Its name, its values and their types.
    Signal(String, Box<[Node]>, Vec<Type>),
    /// The counter, and the member or sequence of members.
    Count(u32, Option<Node>),
}

/// A part of a line of a log.
#[derive(Debug)]
pub(super) enum Said {
    Text(String),
    Value(Node, Type),
}

/// The text of a move or draw in its position.
#[derive(Debug)]
pub(super) struct TellingCode {
    pub(super) of: TextOf,
    pub(super) parts: Vec<ToldCode>,
}

/// A part of such a text.
#[derive(Debug)]
pub(super) enum ToldCode {
    Text(String),
    Value(Node, Type),
    When(Node, Vec<ToldCode>),
    Each(usize, Node, Vec<ToldCode>),
}

impl ToldCode {
    /// Number of local variables that the expressions need.
    fn locals(&self) -> usize {
        match self {
            ToldCode::Text(_) => 0,
            ToldCode::Value(node, _) => node.locals(),
            ToldCode::When(node, parts) => {
                let parts = parts.iter().map(ToldCode::locals);
                parts.max().unwrap_or(0).max(node.locals())
            }
            ToldCode::Each(local, node, parts) => {
                let parts = parts.iter().map(ToldCode::locals);
                parts.max().unwrap_or(0).max(node.locals()).max(local + 1)
            }
        }
    }
}

impl TellingCode {
    /// Number of local variables that the expressions need.
    pub(super) fn locals(&self) -> usize {
        self.parts.iter().map(ToldCode::locals).max().unwrap_or(0)
    }
}

/// A term of an identity; the member is local variable 0.
#[derive(Debug)]
pub(super) enum TermCode {
    Everything,
    /// The members for which a condition holds, and their values.
    Each(EachCode),
    /// The values alone.
    Bag(EachCode),
    /// The values and who is in whom by a placement, up to a renaming.
    Nest(usize, EachCode),
    Value(Node),
    Parts(Parts),
}

#[derive(Debug)]
pub(super) struct EachCode {
    /// Number of members.
    pub(super) len: usize,
    pub(super) when: Node,
    pub(super) values: Box<[Node]>,
    /// Number of local variables that the expressions need.
    pub(super) locals: usize,
}

/// What a round of a loop costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charge {
    Nothing,
    /// A unit of the work budget.
    Work,
    /// Nothing, but rounds without a stop in between are counted in this slot: the loop may stop.
    Counted(usize),
}

#[derive(Debug)]
pub(super) struct ChooseCode {
    pub(super) routine: usize,
    pub(super) players: Node,
    pub(super) arms: Vec<ArmCode>,
    pub(super) otherwise: Option<usize>,
}

#[derive(Debug)]
pub(super) struct ArmCode {
    pub(super) family: FamilyId,
    pub(super) given: Box<[Node]>,
    pub(super) bind: Vec<LocalId>,
    pub(super) entry: usize,
}

#[derive(Debug)]
pub(super) struct ChanceCode {
    pub(super) routine: usize,
    pub(super) draw: DrawId,
    pub(super) dist: DistCode,
    pub(super) into: LocalId,
    pub(super) resume: usize,
}

#[derive(Debug)]
pub(super) enum DistCode {
    Uniform(Node, Node),
    Weighted {
        local: LocalId,
        over: Source,
        /// The operands of the source.
        args: Vec<Node>,
        weight: Node,
    },
}

impl ChanceCode {
    /// The place that faults of the draw name.
    pub(super) fn span(&self) -> Span {
        match &self.dist {
            DistCode::Uniform(from, _) => from.span,
            DistCode::Weighted { weight, .. } => weight.span,
        }
    }
}

/// What stands at a point of the machine, by number.
#[derive(Clone, Copy, Debug)]
pub(super) enum PointCode {
    Choose(usize),
    Chance(usize),
}

/// The cells of something indexed.
#[derive(Debug)]
pub(super) struct Grid {
    /// The first cell among all.
    pub(super) base: usize,
    pub(super) axes: Vec<AxisCode>,
    /// Number of cells.
    len: usize,
    /// Whether listeners hear of changes: a score, or a scalar that is indexed by pieces alone.
    pub(super) is_told: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct AxisCode {
    /// The integer that index 0 stands for; 0 for domains.
    pub(super) lo: i64,
    pub(super) len: usize,
    /// Number of cells from one index to the next.
    pub(super) stride: usize,
}

#[derive(Debug)]
pub(super) struct TableCode {
    pub(super) grid: Grid,
    pub(super) values: Vec<Value>,
    /// The values of scalars as numbers.
    pub(super) numbers: Vec<i64>,
    pub(super) outside: Option<Value>,
}

impl Program {
    /// Makes a verified game ready to run.
    pub(super) fn new(game: Arc<Game>) -> Program {
        let effects = Effects::of(&game);
        let mut compiler = Compiler::new(&game, &effects);
        for index in 0..game.functions.len() {
            let suspends = effects.function(FuncId::from(index)).suspends;
            compiler.function(&game.functions[index], suspends);
        }
        if let Some(machine) = &game.machine {
            compiler.machine(machine);
        }
        let families = (0..game.families.len())
            .map(|index| family(&mut compiler, FamilyId::from(index)))
            .collect();
        let functions = (0..game.functions.len()).map(FuncId::from);
        let recursive = functions.map(|f| effects.is_recursive(f)).collect();
        let Compiler {
            routines,
            chooses,
            chances,
            points,
            ..
        } = compiler;
        let mut program = Program {
            routines,
            chooses,
            chances,
            points,
            recursive,
            families,
            identities: game.identities.iter().map(|i| terms(&game, i)).collect(),
            tellings: game.tellings.iter().map(|t| telling(&game, t)).collect(),
            vars: var_grids(&game),
            constants: crate::ir::effects::constants(&game).vars,
            tables: table_codes(&game),
            layout: Layout::of(&game),
            names: game
                .domains
                .iter()
                .map(|d| Names::new(member_names(d)))
                .collect(),
            state_text: Vec::new(),
            steps: std::sync::atomic::AtomicU64::new(0),
            game,
        };
        let has_one_control = program.only_control().is_some();
        program.state_text = parts(&program.game, has_one_control);
        program
    }

    /// The routine of the machine.
    pub(super) fn machine(&self) -> Option<usize> {
        self.game
            .machine
            .as_ref()
            .map(|_| self.game.functions.len())
    }

    /// The variables that hold what lives across stops of the machine.
    pub(super) fn saved(&self) -> &[VarId] {
        self.game
            .machine
            .as_ref()
            .map_or(&[], |machine| &machine.saved)
    }

    pub(super) fn domain_len(&self, domain: DomainId) -> usize {
        self.game.domain(domain).len()
    }

    /// The cells of a variable among all cells.
    pub(super) fn cells(&self, var: VarId) -> std::ops::Range<usize> {
        let grid = &self.vars[var.index()];
        grid.base..grid.base + grid.len
    }

    /// Whether a routine is a function that calls itself, directly or through others.
    pub(super) fn is_recursive(&self, routine: usize) -> bool {
        self.recursive.get(routine) == Some(&true)
    }
}

fn member_names(domain: &Domain) -> Vec<String> {
    (0..domain.len() as u32).map(|m| domain.member(m)).collect()
}

fn grid(game: &Game, base: usize, axes: &[Axis]) -> Grid {
    let mut cells = 1;
    let axis = |axis: &Axis| {
        let (stride, len) = (cells, axis.len(game));
        cells *= len;
        AxisCode {
            lo: match axis {
                Axis::Domain(_) => 0,
                Axis::Range { lo, .. } => *lo,
            },
            len,
            stride,
        }
    };
    let mut axes: Vec<AxisCode> = axes.iter().rev().map(axis).collect();
    axes.reverse();
    Grid {
        base,
        axes,
        len: cells,
        is_told: false,
    }
}

fn var_grids(game: &Game) -> Vec<Grid> {
    let mut base = 0;
    let mut grids = Vec::new();
    for (index, var) in game.vars.iter().enumerate() {
        let mut grid = grid(game, base, &var.axes);
        grid.is_told = match var.axes[..] {
            [Axis::Domain(domain)] => {
                let is_property = game.placements.iter().any(|p| p.pieces == domain);
                game.scores == Some(VarId::from(index)) || (is_property && var.ty.is_scalar())
            }
            _ => false,
        };
        grids.push(grid);
        base += var.init.len();
    }
    grids
}

fn table_codes(game: &Game) -> Vec<TableCode> {
    let code = |table: &crate::ir::Table| {
        let values: Vec<Value> = table
            .values
            .iter()
            .filter_map(|value| Value::of_const(value, &table.ty))
            .collect();
        TableCode {
            grid: grid(game, 0, &table.axes),
            numbers: values.iter().map(Value::number).collect(),
            values,
            outside: table
                .outside
                .as_ref()
                .and_then(|value| Value::of_const(value, &table.ty)),
        }
    };
    game.tables.iter().map(code).collect()
}

fn terms(game: &Game, identity: &crate::ir::Identity) -> Vec<TermCode> {
    let nodes = Nodes { game };
    let each = |domain: &DomainId, when: &Expr, values: &[Expr]| {
        let (when, values) = (nodes.node(when), nodes.all(values));
        let needed = values.iter().chain([&when]).map(Node::locals);
        EachCode {
            len: game.domain(*domain).len(),
            locals: needed.max().unwrap_or(0).max(1),
            when,
            values,
        }
    };
    let term = |term: &IdentityTerm| match term {
        IdentityTerm::Everything => TermCode::Everything,
        IdentityTerm::Each {
            domain,
            when,
            values,
        } => TermCode::Each(each(domain, when, values)),
        IdentityTerm::Bag {
            domain,
            when,
            values,
        } => TermCode::Bag(each(domain, when, values)),
        IdentityTerm::Nest {
            placement,
            when,
            values,
        } => {
            let pieces = game.placement(*placement).pieces;
            TermCode::Nest(placement.index(), each(&pieces, when, values))
        }
        IdentityTerm::Value(value) => TermCode::Value(nodes.node(value)),
        IdentityTerm::Parts(parts) => TermCode::Parts(parts.clone()),
    };
    identity.terms.iter().map(term).collect()
}

fn telling(game: &Game, telling: &crate::ir::Telling) -> TellingCode {
    let parts = told_parts(Nodes { game }, &telling.parts);
    let of = telling.of;
    TellingCode { of, parts }
}

fn told_parts(nodes: Nodes<'_>, parts: &[ToldPart]) -> Vec<ToldCode> {
    let part = |part: &ToldPart| match part {
        ToldPart::Text(text) => ToldCode::Text(text.clone()),
        ToldPart::Value(value) => ToldCode::Value(nodes.node(value), value.ty.clone()),
        ToldPart::When(cond, parts) => ToldCode::When(nodes.node(cond), told_parts(nodes, parts)),
        ToldPart::Each(local, set, parts) => {
            ToldCode::Each(local.index(), nodes.node(set), told_parts(nodes, parts))
        }
    };
    parts.iter().map(part).collect()
}
