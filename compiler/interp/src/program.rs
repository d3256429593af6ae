//! A game made ready to run: structured statements as flat code, so that the place where play
//! stopped is a number and what is still needed there is a list of local variables.

use super::family::{FamilyCode, family};
use super::layout::Layout;
use super::names::Names;
use super::node::{Node, Nodes, Source};
use super::text::{Part, parts};
use super::value::{Members, Value};
use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{
    Arm, Arrival, Axis, Block, Chance, Choose, Count, Distribution, Domain, DomainId, DrawId, Emit,
    EndReason, EnvId, Expr, FamilyId, FaultCode, FuncId, Function, Game, IdentityTerm, Local,
    LocalId, LogPart, Over, Parts, PlacementId, Point, PointId, SnapshotId, Stmt, StmtKind, TextOf,
    ToldPart, TrailId, Type, VarId,
};
use crate::source::Span;

/// A game made ready to run.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) game: Game,
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
    pub(super) fn new(game: Game) -> Program {
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

/// Makes flat code of statements.
pub(super) struct Compiler<'a> {
    pub(super) game: &'a Game,
    pub(super) nodes: Nodes<'a>,
    pub(super) effects: &'a Effects,
    routines: Vec<Routine>,
    chooses: Vec<ChooseCode>,
    chances: Vec<ChanceCode>,
    points: Vec<PointCode>,
    current: Routine,
    /// Where `break` and `continue` of the loops around lead: jumps to patch, and the next round.
    loops: Vec<Loop>,
}

struct Loop {
    breaks: Vec<usize>,
    next: Next,
}

enum Next {
    Known(usize),
    /// Jumps to patch.
    Later(Vec<usize>),
}

/// The type of all items that something ranges over, as a sequence.
fn items_type(over: &Over) -> Type {
    let item = match over {
        Over::Domain(domain) => Type::Elem(*domain),
        Over::Range(..) => Type::INT,
        Over::Set(expr) | Over::Seq(expr) => match &expr.ty {
            Type::Set(domain) => Type::Elem(*domain),
            Type::Seq { item, .. } => item.as_ref().clone(),
            other => other.clone(),
        },
    };
    Type::Seq {
        item: Box::new(item),
        cap: u32::MAX,
    }
}

/// A place to be filled in.
const LATER: usize = usize::MAX;

impl<'a> Compiler<'a> {
    fn new(game: &'a Game, effects: &'a Effects) -> Compiler<'a> {
        Compiler {
            game,
            nodes: Nodes { game },
            effects,
            routines: Vec::new(),
            chooses: Vec::new(),
            chances: Vec::new(),
            points: Vec::new(),
            current: Routine::default(),
            loops: Vec::new(),
        }
    }

    /// What a charged loop with this body costs; the types of local variables do not matter here.
    fn charge(&mut self, body: &Block) -> Charge {
        let mut stops = false;
        walk_block(body, &mut |stmt| {
            stops |= match &stmt.kind {
                StmtKind::Choose(_) | StmtKind::Chance(_) | StmtKind::Stop(_) => true,
                StmtKind::Call { func, .. } => self.effects.function(*func).suspends,
                _ => false,
            };
        });
        match stops {
            true => Charge::Counted(self.slots(1, Type::INT)),
            false => Charge::Work,
        }
    }

    fn function(&mut self, function: &Function, suspends: bool) {
        self.routine(&function.locals, &function.body, function.span);
        self.finish(suspends);
    }

    /// Adds a routine that never stops, after all others; gives its number.
    pub(super) fn extra(&mut self, locals: &[Local], body: &Block, span: Span) -> usize {
        self.routine(locals, body, span);
        self.finish(false);
        self.routines.len() - 1
    }

    fn routine(&mut self, locals: &[Local], body: &Block, span: Span) {
        self.current = Routine {
            slots: locals.len(),
            types: locals.iter().map(|l| l.ty.clone()).collect(),
            ..Routine::default()
        };
        self.block(body);
        self.push(OpKind::Return(None), span);
    }

    fn machine(&mut self, machine: &crate::ir::Machine) {
        self.current = Routine {
            slots: machine.locals.len(),
            types: machine.locals.iter().map(|l| l.ty.clone()).collect(),
            ..Routine::default()
        };
        let end = Span::default();
        self.block(&machine.start);
        self.push(OpKind::Return(None), end);
        for point in &machine.points {
            let code = match point {
                Point::Choose(choose) => {
                    let code = self.choose(choose);
                    for (index, arm) in choose.arms.iter().enumerate() {
                        self.chooses[code].arms[index].entry = self.here();
                        self.block(&arm.body);
                        self.push(OpKind::Return(None), end);
                    }
                    if let Some(otherwise) = &choose.otherwise {
                        self.chooses[code].otherwise = Some(self.here());
                        self.block(otherwise);
                        self.push(OpKind::Return(None), end);
                    }
                    PointCode::Choose(code)
                }
                Point::Chance(chance, block) => {
                    let code = self.chance(chance);
                    self.chances[code].resume = self.here();
                    self.block(block);
                    self.push(OpKind::Return(None), end);
                    PointCode::Chance(code)
                }
            };
            self.points.push(code);
        }
        let routine = std::mem::take(&mut self.current);
        self.routines.push(routine);
    }

    fn finish(&mut self, suspends: bool) {
        let mut routine = std::mem::take(&mut self.current);
        if suspends {
            routine.live = super::live::live(&routine, &self.chooses, &self.chances);
        }
        self.routines.push(routine);
    }

    fn here(&self) -> usize {
        self.current.ops.len()
    }

    fn push(&mut self, kind: OpKind, span: Span) -> usize {
        self.current.ops.push(Op { kind, span });
        self.here() - 1
    }

    /// Hidden slots for so many values of a type; the first of them.
    fn slots(&mut self, count: usize, ty: Type) -> usize {
        let first = self.current.slots;
        self.current.slots += count;
        self.current.types.resize(first + count, ty);
        first
    }

    /// Makes the jump at a place lead here.
    fn land(&mut self, at: usize) {
        let here = self.here();
        match &mut self.current.ops[at].kind {
            OpKind::Test(_, to)
            | OpKind::Jump(to)
            | OpKind::ForStart { exit: to, .. }
            | OpKind::EachRound { exit: to, .. }
            | OpKind::WhileRound { exit: to, .. }
            | OpKind::TrialStart { exit: to, .. } => *to = here,
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let (span, nodes) = (stmt.span, self.nodes);
        let kind = match &stmt.kind {
            StmtKind::Let(local, value) => {
                let store = Store::of(&self.current.types[local.index()]);
                OpKind::Let(*local, nodes.node(value), store)
            }
            StmtKind::SetEnv(var, value) => {
                let store = Store::of(&self.game.env[var.index()].ty);
                OpKind::SetEnv(*var, nodes.node(value), store)
            }
            StmtKind::SetVar(var, index, value) => {
                let store = Store::of(&self.game.var(*var).ty);
                OpKind::SetVar(*var, nodes.all(index), nodes.node(value), store)
            }
            StmtKind::Put(placement, piece, place) => {
                OpKind::Put(*placement, nodes.node(piece), nodes.node(place))
            }
            StmtKind::Bring(placement, piece, place, known) => {
                let (piece, place) = (nodes.node(piece), nodes.node(place));
                OpKind::Bring(*placement, piece, place, known.clone())
            }
            StmtKind::Take(placement, piece) => OpKind::Take(*placement, nodes.node(piece)),
            StmtKind::SetContent(placement, place, kind) => {
                OpKind::SetContent(*placement, nodes.node(place), nodes.node(kind))
            }
            StmtKind::Call { func, args, into } => OpKind::Call {
                func: *func,
                args: nodes.all(args),
                into: *into,
            },
            StmtKind::Return(value) => OpKind::Return(value.as_ref().map(|v| nodes.node(v))),
            StmtKind::Emit(emit) => OpKind::Emit(self.emit(emit)),
            StmtKind::Fault(message) => OpKind::Fault(FaultCode::Rule(message.clone())),
            StmtKind::Charge => OpKind::Spend,
            StmtKind::TooDeep => OpKind::Fault(FaultCode::RecursionLimit),
            StmtKind::End { reason, winners } => OpKind::End(*reason, nodes.node(winners)),
            StmtKind::Fail => OpKind::Fail,
            StmtKind::Snapshot(slot) => OpKind::Snapshot(*slot),
            StmtKind::Restore(slot) => OpKind::Restore(*slot),
            StmtKind::Note(trail) => OpKind::Note(*trail),
            StmtKind::Forget(trail) => OpKind::Forget(*trail),
            StmtKind::Stop(point) => OpKind::Stop(*point),
            StmtKind::If(..)
            | StmtKind::For { .. }
            | StmtKind::ForEach(..)
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Trial { .. }
            | StmtKind::Choose(_)
            | StmtKind::Chance(_) => return self.control(stmt),
        };
        self.push(kind, span);
    }

    fn emit(&self, emit: &Emit) -> EmitCode {
        match emit {
            Emit::Log(parts) => {
                let part = |part: &LogPart| match part {
                    LogPart::Text(text) => Said::Text(text.clone()),
                    LogPart::Value(value) => Said::Value(self.nodes.node(value), value.ty.clone()),
                };
                EmitCode::Log(parts.iter().map(part).collect())
            }
            Emit::Signal(name, values) => {
                let types = values.iter().map(|value| value.ty.clone()).collect();
                EmitCode::Signal(name.clone(), self.nodes.all(values), types)
            }
            Emit::Count(counter, member) => {
                EmitCode::Count(counter.0, member.as_ref().map(|m| self.nodes.node(m)))
            }
        }
    }

    fn control(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => self.branch(cond, yes, no, span),
            StmtKind::For { .. } => self.counting(stmt),
            StmtKind::ForEach(local, over, body) => self.each(*local, over, body, span),
            StmtKind::While { cond, bound, body } => self.repeat(cond, *bound, body, span),
            StmtKind::Break => {
                let jump = self.push(OpKind::Jump(LATER), span);
                if let Some(innermost) = self.loops.last_mut() {
                    innermost.breaks.push(jump);
                }
            }
            StmtKind::Continue => {
                let jump = self.push(OpKind::Jump(LATER), span);
                match self.loops.last_mut().map(|l| &mut l.next) {
                    Some(Next::Known(to)) => {
                        let to = *to;
                        self.current.ops[jump].kind = OpKind::Jump(to);
                    }
                    Some(Next::Later(jumps)) => jumps.push(jump),
                    None => {}
                }
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => {
                let start = OpKind::TrialStart {
                    keep: *keep,
                    ok: *ok,
                    exit: LATER,
                };
                let start = self.push(start, span);
                self.block(body);
                let value = value.as_ref();
                let value = value.map(|(value, into)| (self.nodes.node(value), *into));
                let ok = *ok;
                self.push(OpKind::TrialEnd { ok, value }, span);
                self.land(start);
            }
            StmtKind::Choose(choose) => {
                let code = self.choose(choose);
                self.push(OpKind::Choose(code), span);
                self.arms(code, choose, span);
            }
            StmtKind::Chance(chance) => {
                let code = self.chance(chance);
                self.push(OpKind::Chance(code), span);
                self.chances[code].resume = self.here();
            }
            _ => {}
        }
    }

    fn branch(&mut self, cond: &Expr, yes: &Block, no: &Block, span: Span) {
        let test = self.push(OpKind::Test(self.nodes.node(cond), LATER), span);
        self.block(yes);
        if no.is_empty() {
            return self.land(test);
        }
        let jump = self.push(OpKind::Jump(LATER), span);
        self.land(test);
        self.block(no);
        self.land(jump);
    }

    fn counting(&mut self, stmt: &Stmt) {
        let StmtKind::For {
            local,
            from,
            to,
            count,
            body,
            charged,
        } = &stmt.kind
        else {
            return;
        };
        let slot = self.slots(2, Type::INT);
        let charge = match charged {
            true => self.charge(body),
            false => Charge::Nothing,
        };
        if let Charge::Counted(slot) = charge {
            self.push(OpKind::CountFrom { slot }, stmt.span);
        }
        let start = OpKind::ForStart {
            slot,
            from: self.nodes.node(from),
            to: self.nodes.node(to),
            count: *count,
            exit: LATER,
        };
        let start = self.push(start, stmt.span);
        let round = OpKind::ForRound {
            slot,
            local: *local,
            charge,
        };
        let round = self.push(round, stmt.span);
        let around = self.body(body, Next::Later(Vec::new()));
        if let Next::Later(jumps) = around.next {
            jumps.into_iter().for_each(|jump| self.land(jump));
        }
        self.push(OpKind::ForStep { slot, round }, stmt.span);
        around.breaks.into_iter().for_each(|jump| self.land(jump));
        self.land(start);
    }

    fn each(&mut self, local: LocalId, over: &Over, body: &Block, span: Span) {
        let slot = self.slots(1, items_type(over));
        let (over, args) = self.nodes.over(over);
        self.push(OpKind::EachStart { slot, over, args }, span);
        let exit = LATER;
        let round = self.push(OpKind::EachRound { slot, local, exit }, span);
        self.rounds(body, round, span);
    }

    fn repeat(&mut self, cond: &Expr, bound: u32, body: &Block, span: Span) {
        let slot = self.slots(1, Type::INT);
        let charge = self.charge(body);
        self.push(OpKind::CountFrom { slot }, span);
        let round = OpKind::WhileRound {
            slot,
            cond: self.nodes.node(cond),
            bound,
            charge,
            exit: LATER,
        };
        let round = self.push(round, span);
        self.rounds(body, round, span);
    }

    fn rounds(&mut self, body: &Block, round: usize, span: Span) {
        let around = self.body(body, Next::Known(round));
        self.push(OpKind::Jump(round), span);
        around.breaks.into_iter().for_each(|jump| self.land(jump));
        self.land(round);
    }

    fn body(&mut self, body: &Block, next: Next) -> Loop {
        self.loops.push(Loop {
            breaks: Vec::new(),
            next,
        });
        self.block(body);
        self.loops.pop().expect("the loop was pushed here")
    }

    fn choose(&mut self, choose: &Choose) -> usize {
        let nodes = self.nodes;
        let arm = |arm: &Arm| ArmCode {
            family: arm.family,
            given: nodes.all(&arm.given),
            bind: arm.bind.clone(),
            entry: LATER,
        };
        self.chooses.push(ChooseCode {
            routine: self.routines.len(),
            players: nodes.node(&choose.players),
            arms: choose.arms.iter().map(arm).collect(),
            otherwise: None,
        });
        self.chooses.len() - 1
    }

    fn arms(&mut self, code: usize, choose: &Choose, span: Span) {
        let mut exits = Vec::new();
        for (index, arm) in choose.arms.iter().enumerate() {
            self.chooses[code].arms[index].entry = self.here();
            self.block(&arm.body);
            exits.push(self.push(OpKind::Jump(LATER), span));
        }
        if let Some(otherwise) = &choose.otherwise {
            self.chooses[code].otherwise = Some(self.here());
            self.block(otherwise);
        }
        exits.into_iter().for_each(|jump| self.land(jump));
    }

    fn chance(&mut self, chance: &Chance) -> usize {
        let dist = match &chance.dist {
            Distribution::Uniform(from, to) => {
                DistCode::Uniform(self.nodes.node(from), self.nodes.node(to))
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                let (over, args) = self.nodes.over(over);
                DistCode::Weighted {
                    local: *local,
                    over,
                    args,
                    weight: self.nodes.node(weight),
                }
            }
        };
        self.chances.push(ChanceCode {
            routine: self.routines.len(),
            draw: chance.draw,
            dist,
            into: chance.into,
            resume: LATER,
        });
        self.chances.len() - 1
    }
}
