//! Short ways to write the IR, for front ends and tests.

use super::expr::{BinaryOp, Expr, ExprKind, Fold, Over, UnaryOp};
use super::family::Family;
use super::game::{
    EnvVar, Function, Game, Identity, IdentityTerm, Placement, Relation, StatePart, Var,
};
use super::ids::{
    DomainId, EnvId, FamilyId, FuncId, IdentityId, LocalId, PlacementId, RelationId, TableId, VarId,
};
use super::later::Later;
use super::presentation::Presentation;
use super::stmt::{Block, Stmt, StmtKind};
use super::types::{Axis, Const, Domain, Local, Members, Table, Type};
use crate::source::Span;

/// A game under construction: the game itself, and adders that give ids.
pub struct GameBuilder {
    /// What is built so far.
    pub game: Game,
}

impl GameBuilder {
    /// A game with players and one identity, `full`, that compares everything.
    pub fn new(name: &str, language: &str, players: &[&str]) -> GameBuilder {
        let span = Span::default();
        let names = players.iter().map(|&p| p.to_owned()).collect();
        let game = Game {
            version: super::VERSION,
            name: name.to_owned(),
            language: language.to_owned(),
            sources: Vec::new(),
            players: DomainId(0),
            domains: vec![Domain {
                name: "Player".to_owned(),
                members: Members::Names(names),
                span,
            }],
            tables: Vec::new(),
            vars: Vec::new(),
            placements: Vec::new(),
            env: Vec::new(),
            relations: Vec::new(),
            functions: Vec::new(),
            families: Vec::new(),
            draws: Vec::new(),
            snapshots: Vec::new(),
            trails: Vec::new(),
            switches: Vec::new(),
            unsure: Vec::new(),
            identities: vec![Identity {
                name: "full".to_owned(),
                terms: vec![IdentityTerm::Everything],
            }],
            equality: IdentityId(0),
            future: None,
            process: FuncId(0),
            machine: None,
            scores: None,
            by_host: Vec::new(),
            parts: Vec::new(),
            joined: Vec::new(),
            tellings: Vec::new(),
            counters: Vec::new(),
            meters: Vec::new(),
            limit: None,
            probes: Vec::new(),
            episode: None,
            state_text: Vec::<StatePart>::new(),
            presentation: Presentation::default(),
            nest_look: None,
            hand_over: None,
            interchangeable: Later::default(),
            symmetries: Later::default(),
            numbers: Later::default(),
        };
        GameBuilder { game }
    }

    /// Adds a domain of names.
    pub fn names(&mut self, name: &str, members: Vec<String>, span: Span) -> DomainId {
        self.domain(name, Members::Names(members), span)
    }

    /// Adds a domain.
    pub fn domain(&mut self, name: &str, members: Members, span: Span) -> DomainId {
        self.game.domains.push(Domain {
            name: name.to_owned(),
            members,
            span,
        });
        DomainId::from(self.game.domains.len() - 1)
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) -> TableId {
        self.game.tables.push(table);
        TableId::from(self.game.tables.len() - 1)
    }

    /// Adds a variable with one initial value for all indexes.
    pub fn var(&mut self, name: &str, axes: Vec<Axis>, ty: Type, init: Const, span: Span) -> VarId {
        let cells = axes.iter().map(|axis| axis.len(&self.game)).product();
        self.game.vars.push(Var {
            name: name.to_owned(),
            axes,
            ty,
            init: vec![init; cells],
            meter: false,
            span,
        });
        VarId::from(self.game.vars.len() - 1)
    }

    /// Adds a variable of the environment.
    pub fn env(&mut self, name: &str, ty: Type) -> EnvId {
        self.game.env.push(EnvVar {
            name: name.to_owned(),
            ty,
        });
        EnvId::from(self.game.env.len() - 1)
    }

    /// Adds a placement.
    pub fn placement(&mut self, placement: Placement) -> PlacementId {
        self.game.placements.push(placement);
        PlacementId::from(self.game.placements.len() - 1)
    }

    /// Adds a relation.
    pub fn relation(&mut self, relation: Relation) -> RelationId {
        self.game.relations.push(relation);
        RelationId::from(self.game.relations.len() - 1)
    }

    /// Adds a function.
    pub fn function(&mut self, function: Function) -> FuncId {
        self.game.functions.push(function);
        FuncId::from(self.game.functions.len() - 1)
    }

    /// Adds a move family.
    pub fn family(&mut self, family: Family) -> FamilyId {
        self.game.families.push(family);
        FamilyId::from(self.game.families.len() - 1)
    }

    /// Adds an identity.
    pub fn identity(&mut self, identity: Identity) -> IdentityId {
        self.game.identities.push(identity);
        IdentityId::from(self.game.identities.len() - 1)
    }
}

/// A function under construction: its local variables get ids as they are declared.
pub struct FunctionBuilder {
    name: String,
    params: usize,
    locals: Vec<Local>,
    ret: Option<Type>,
    doc: String,
    span: Span,
}

impl FunctionBuilder {
    /// A function without parameters yet.
    pub fn new(name: &str, ret: Option<Type>, span: Span) -> FunctionBuilder {
        FunctionBuilder {
            name: name.to_owned(),
            params: 0,
            locals: Vec::new(),
            ret,
            doc: String::new(),
            span,
        }
    }

    /// Sets the documentation.
    pub fn doc(mut self, doc: impl Into<String>) -> FunctionBuilder {
        self.doc = doc.into();
        self
    }

    /// Declares the next parameter; all parameters come before the first local variable.
    pub fn param(&mut self, name: &str, ty: Type) -> LocalId {
        debug_assert_eq!(self.params, self.locals.len(), "parameters come first");
        self.params += 1;
        self.local(name, ty)
    }

    /// Declares a local variable.
    pub fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    /// The value of a local variable.
    pub fn get(&self, id: LocalId) -> Expr {
        Expr::local(id, self.locals[id.index()].ty.clone(), self.span)
    }

    /// The function with its body.
    pub fn body(self, body: Block) -> Function {
        Function {
            name: self.name,
            params: self.params,
            locals: self.locals,
            ret: self.ret,
            body,
            doc: self.doc,
            span: self.span,
        }
    }
}

/// Short constructors; types follow from the operands. The span is that of the first operand
/// unless one is given.
impl Expr {
    /// A constant.
    pub fn constant(value: Const, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Const(value), ty, span)
    }

    /// A truth value.
    pub fn bool(value: bool, span: Span) -> Expr {
        Expr::constant(Const::Bool(value), Type::Bool, span)
    }

    /// A 64-bit integer.
    pub fn int(value: i64, span: Span) -> Expr {
        Expr::constant(Const::Int(value), Type::INT, span)
    }

    /// A 32-bit wrapping integer.
    pub fn wrap(value: i32, span: Span) -> Expr {
        Expr::constant(Const::Int(i64::from(value)), Type::Wrap32, span)
    }

    /// A member of a domain.
    pub fn elem(domain: DomainId, member: u32, span: Span) -> Expr {
        Expr::constant(Const::Elem(member), Type::Elem(domain), span)
    }

    /// The absent member of a domain.
    pub fn none(domain: DomainId, span: Span) -> Expr {
        Expr::constant(Const::None, Type::Opt(domain), span)
    }

    /// A local variable.
    pub fn local(id: LocalId, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Local(id), ty, span)
    }

    /// A variable of the environment.
    pub fn env(var: EnvId, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Env { var, checked: true }, ty, span)
    }

    /// A plain or indexed state variable.
    pub fn var(game: &Game, id: VarId, index: Vec<Expr>, span: Span) -> Expr {
        Expr::new(ExprKind::Var(id, index), game.var(id).ty.clone(), span)
    }

    /// A value of a table.
    pub fn lookup(game: &Game, id: TableId, index: Vec<Expr>, span: Span) -> Expr {
        Expr::new(ExprKind::Lookup(id, index), game.table(id).ty.clone(), span)
    }

    /// The place of a piece.
    pub fn place_of(game: &Game, id: PlacementId, piece: Expr) -> Expr {
        let (ty, span) = (Type::Opt(game.placement(id).places), piece.span);
        Expr::new(ExprKind::PlaceOf(id, Box::new(piece)), ty, span)
    }

    /// What stands on a place.
    pub fn content(game: &Game, id: PlacementId, place: Expr) -> Expr {
        let (ty, span) = (Type::Opt(game.placement(id).pieces), place.span);
        Expr::new(ExprKind::Content(id, Box::new(place)), ty, span)
    }

    /// A unary operation.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        let (ty, span) = (operand.ty.clone(), operand.span);
        let ty = if op == UnaryOp::Not { Type::Bool } else { ty };
        Expr::new(ExprKind::Unary(op, Box::new(operand)), ty, span)
    }

    /// A binary operation.
    ///
    /// Long chains of one operation that may be grouped in any way become trees of little depth: however many lines of
    /// rules are strung together, the result does not nest.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        if chain_length(op, &left) + chain_length(op, &right) > LONG_CHAIN {
            return balanced(op, left, right);
        }
        Expr::joined(op, left, right)
    }

    fn joined(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        use BinaryOp::*;
        let ty = match op {
            And | Or | Eq | Ne | Lt | Le | Gt | Ge | Subset | In | SeqSubset => Type::Bool,
            Add | Sub | Mul | Div | Rem | RemEuclid | Min | Max => match left.ty {
                Type::Int { .. } => Type::INT,
                _ => left.ty.clone(),
            },
            Concat => match (&left.ty, &right.ty) {
                (Type::Seq { item, cap: a }, Type::Seq { cap: b, .. }) => Type::Seq {
                    item: item.clone(),
                    cap: a.saturating_add(*b),
                },
                _ => left.ty.clone(),
            },
            Union | Intersect | Minus | UpTo | DownTo | SeqIntersect | SeqMinus => left.ty.clone(),
        };
        let span = left.span;
        Expr::new(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty,
            span,
        )
    }

    /// The same with another span.
    pub fn at(mut self, span: Span) -> Expr {
        self.span = span;
        self
    }

    /// Logical and.
    pub fn and(self, right: Expr) -> Expr {
        Expr::binary(BinaryOp::And, self, right)
    }

    /// Logical or.
    pub fn or(self, right: Expr) -> Expr {
        Expr::binary(BinaryOp::Or, self, right)
    }

    /// Logical not.
    #[expect(clippy::should_implement_trait, reason = "it builds an expression")]
    pub fn not(self) -> Expr {
        Expr::unary(UnaryOp::Not, self)
    }

    /// Equality.
    pub fn equals(self, right: Expr) -> Expr {
        Expr::binary(BinaryOp::Eq, self, right)
    }

    /// One of two values.
    pub fn select(cond: Expr, yes: Expr, no: Expr) -> Expr {
        let (ty, span) = (yes.ty.clone(), cond.span);
        let kind = ExprKind::If(Box::new(cond), Box::new(yes), Box::new(no));
        Expr::new(kind, ty, span)
    }

    /// A member as an optional member.
    pub fn some(self) -> Expr {
        let span = self.span;
        let ty = match self.ty {
            Type::Elem(domain) => Type::Opt(domain),
            ref other => other.clone(),
        };
        Expr::new(ExprKind::Some(Box::new(self)), ty, span)
    }

    /// Whether an optional member is present.
    pub fn is_some(self) -> Expr {
        let span = self.span;
        Expr::new(ExprKind::IsSome(Box::new(self)), Type::Bool, span)
    }

    /// The member of an optional member.
    pub fn get(self) -> Expr {
        let span = self.span;
        let ty = match self.ty {
            Type::Opt(domain) => Type::Elem(domain),
            ref other => other.clone(),
        };
        Expr::new(ExprKind::Get(Box::new(self)), ty, span)
    }

    /// The integer that a member stands for.
    pub fn ordinal(self) -> Expr {
        let span = self.span;
        Expr::new(ExprKind::Ordinal(Box::new(self)), Type::INT, span)
    }

    /// The member of a domain with this ordinal.
    pub fn member(self, domain: DomainId) -> Expr {
        let span = self.span;
        Expr::new(
            ExprKind::Member(domain, Box::new(self)),
            Type::Opt(domain),
            span,
        )
    }

    /// An integer as a 32-bit wrapping one.
    pub fn to_wrap(self) -> Expr {
        let span = self.span;
        Expr::new(ExprKind::ToWrap(Box::new(self)), Type::Wrap32, span)
    }

    /// A 32-bit wrapping integer as an integer.
    pub fn to_int(self) -> Expr {
        let span = self.span;
        Expr::new(ExprKind::ToInt(Box::new(self)), Type::INT, span)
    }

    /// A quantifier, count, sum or extreme.
    pub fn fold(fold: Fold, local: LocalId, over: Over, body: Expr) -> Expr {
        let ty = match fold {
            Fold::Forall | Fold::Exists => Type::Bool,
            Fold::Count | Fold::Sum | Fold::Min | Fold::Max => Type::INT,
        };
        let span = body.span;
        let kind = ExprKind::Fold {
            fold,
            local,
            over: Box::new(over),
            body: Box::new(body),
        };
        Expr::new(kind, ty, span)
    }

    /// The value of a function that writes nothing.
    pub fn call(game: &Game, func: FuncId, args: Vec<Expr>, span: Span) -> Expr {
        let ty = game.function(func).ret.clone().unwrap_or(Type::Bool);
        Expr::new(ExprKind::Call(func, args), ty, span)
    }
}

/// Operations on a path from the root of a chain after which it is grouped anew.
const LONG_CHAIN: usize = 48;

/// Operations on the longer of the two outer paths of a chain of an operation that may be grouped in any way.
fn chain_length(op: BinaryOp, expr: &Expr) -> usize {
    use BinaryOp::{And, Intersect, Or, Union};
    if !matches!(op, And | Or | Union | Intersect) {
        return 0;
    }
    let path = |side: fn(&Expr, BinaryOp) -> Option<&Expr>| {
        std::iter::successors(side(expr, op), |expr| side(expr, op)).count()
    };
    path(|expr, op| operands(expr, op).map(|(left, _)| left))
        .max(path(|expr, op| operands(expr, op).map(|(_, right)| right)))
}

/// The operands of an operation, if an expression is that one.
fn operands(expr: &Expr, op: BinaryOp) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary(other, left, right) if *other == op => Some((left, right)),
        _ => None,
    }
}

/// A chain as a tree in which all paths are about as long, operands in their order.
fn balanced(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let (mut open, mut row) = (vec![right, left], Vec::new());
    while let Some(expr) = open.pop() {
        match expr.kind {
            ExprKind::Binary(other, left, right) if other == op => open.extend([*right, *left]),
            kind => row.push(Expr { kind, ..expr }),
        }
    }
    while row.len() > 1 {
        let mut pairs = Vec::with_capacity(row.len().div_ceil(2));
        let mut rest = row.into_iter();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => Expr::joined(op, first, second),
                None => first,
            });
        }
        row = pairs;
    }
    row.remove(0)
}

/// Short constructors.
impl Stmt {
    /// Gives a local variable a value.
    pub fn assign(local: LocalId, value: Expr) -> Stmt {
        let span = value.span;
        Stmt::new(StmtKind::Let(local, value), span)
    }

    /// Gives a variable of the environment a value.
    pub fn set_env(var: EnvId, value: Expr) -> Stmt {
        let span = value.span;
        Stmt::new(StmtKind::SetEnv(var, value), span)
    }

    /// Gives a state variable a value.
    pub fn set_var(var: VarId, index: Vec<Expr>, value: Expr) -> Stmt {
        let span = value.span;
        Stmt::new(StmtKind::SetVar(var, index, value), span)
    }

    /// One block or the other.
    pub fn branch(cond: Expr, yes: Block, no: Block) -> Stmt {
        let span = cond.span;
        Stmt::new(StmtKind::If(cond, yes, no), span)
    }

    /// Leaves the function with a value.
    pub fn give(value: Expr) -> Stmt {
        let span = value.span;
        Stmt::new(StmtKind::Return(Some(value)), span)
    }

    /// Calls a function.
    pub fn call(func: FuncId, args: Vec<Expr>, into: Option<LocalId>, span: Span) -> Stmt {
        Stmt::new(StmtKind::Call { func, args, into }, span)
    }

    /// Ends the game as a fault.
    pub fn fault(message: impl Into<String>, span: Span) -> Stmt {
        Stmt::new(StmtKind::Fault(message.into()), span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(expr: &Expr) -> usize {
        match &expr.kind {
            ExprKind::Binary(_, left, right) => 1 + depth(left).max(depth(right)),
            _ => 1,
        }
    }

    fn leaves(expr: &Expr, out: &mut Vec<LocalId>) {
        match &expr.kind {
            ExprKind::Binary(_, left, right) => {
                leaves(left, out);
                leaves(right, out);
            }
            ExprKind::Local(id) => out.push(*id),
            _ => {}
        }
    }

    #[test]
    fn long_chains_do_not_nest_and_keep_their_order() {
        let local = |number| Expr::local(LocalId::from(number), Type::Bool, Span::default());
        let from_left = (1..5_000).map(local).fold(local(0), Expr::and);
        let from_right = (0..4_999)
            .rev()
            .map(local)
            .fold(local(4_999), |r, l| l.or(r));
        for chain in [from_left, from_right] {
            assert!(depth(&chain) < 80, "{}", depth(&chain));
            let mut order = Vec::new();
            leaves(&chain, &mut order);
            assert!(order.into_iter().eq((0..5_000).map(LocalId::from)));
        }
        let short = (1..10).map(local).fold(local(0), Expr::and);
        assert_eq!(depth(&short), 10, "short chains stay as they are");
    }
}
