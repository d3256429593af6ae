//! Random games: well typed, finite, different for different seeds.
//!
//! They use nearly all kinds of expressions and statements, mostly with harmless values, but faults do
//! occur. Every node has a place in the rules of its own.

use super::kit::HERE;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;
use rulec_ir::source::{FileId, Span};

/// The random game of a seed.
pub fn random_game(seed: u64) -> Game {
    let mut maker = Maker::new(seed);
    maker.declare();
    maker.functions();
    maker.families();
    maker.process();
    maker.identities();
    let mut game = maker.b.game;
    game.sources = vec![super::source(&game.name)];
    game
}

/// What a block may do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Write the environment.
    Guard,
    /// Write the state as well, and say things.
    Effect,
    /// Stop and end the game as well.
    Process,
}

/// A variable that an expression may read, or a function that it may call.
#[derive(Clone)]
struct Pure {
    func: FuncId,
    params: Vec<Type>,
    ret: Type,
}

struct Maker {
    b: GameBuilder,
    state: u64,
    next_span: u32,
    letter: DomainId,
    number: DomainId,
    /// Variables in scope, all assigned.
    scope: Vec<(LocalId, Type)>,
    /// Variables of the function under construction.
    locals: Vec<Local>,
    pure: Vec<Pure>,
    /// Functions for statements: effects and, for the process, those that stop.
    effects: Vec<Pure>,
    stops: Vec<Pure>,
    arms: Vec<FamilyId>,
    in_loop: bool,
    in_trial: bool,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut b = GameBuilder::new(&format!("random-{seed}"), "ir", &[]);
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
        state = state.wrapping_add(seed << 17 | 1);
        let players = ["one", "two", "three"];
        let count = 1 + (seed % 3) as usize;
        let names = players[..count].iter().map(|&name| name.to_owned());
        b.game.domains[0].members = Members::Names(names.collect());
        Maker {
            b,
            state,
            next_span: 1,
            letter: DomainId(1),
            number: DomainId(2),
            scope: Vec::new(),
            locals: Vec::new(),
            pure: Vec::new(),
            effects: Vec::new(),
            stops: Vec::new(),
            arms: Vec::new(),
            in_loop: false,
            in_trial: false,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 20) % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        let index = self.below(list.len());
        list.get(index).cloned()
    }

    fn span(&mut self) -> Span {
        self.next_span += 1;
        let start = self.next_span * 10;
        Span {
            file: FileId(0),
            start,
            end: start + 5,
        }
    }

    fn len(&self, domain: DomainId) -> usize {
        self.b.game.domain(domain).len()
    }

    fn some_domain(&mut self) -> DomainId {
        DomainId::from(self.below(3))
    }

    fn some_member(&mut self, domain: DomainId) -> u32 {
        let len = self.len(domain);
        self.below(len) as u32
    }

    fn some_set(&mut self, domain: DomainId) -> Vec<u32> {
        (0..self.len(domain) as u32)
            .filter(|_| self.one_in(2))
            .collect()
    }

    fn seq_type(&self, item: Type, cap: u32) -> Type {
        let item = Box::new(item);
        Type::Seq { item, cap }
    }

    fn some_type(&mut self) -> Type {
        let domain = self.some_domain();
        match self.below(10) {
            0 => Type::Bool,
            1 => Type::Int { lo: -3, hi: 20 },
            2 => Type::INT,
            3 => Type::Wrap32,
            4 | 5 => Type::Elem(domain),
            6 => Type::Opt(domain),
            7 => Type::Set(domain),
            8 => match self.one_in(2) {
                true => self.seq_type(Type::Elem(domain), 4),
                false => self.seq_type(Type::INT, 4),
            },
            _ => Type::Tagged,
        }
    }

    fn some_const(&mut self, ty: &Type) -> Const {
        match ty {
            Type::Bool => Const::Bool(self.one_in(2)),
            Type::Int { lo, hi } => {
                let value = self.below(8) as i64 - 2;
                Const::Int(value.clamp(*lo, *hi))
            }
            Type::Wrap32 => match self.one_in(6) {
                true => Const::Int(i64::from(i32::MAX)),
                false => Const::Int(self.below(9) as i64 - 3),
            },
            Type::Elem(domain) => Const::Elem(self.some_member(*domain)),
            Type::Opt(domain) => match self.one_in(3) {
                true => Const::None,
                false => Const::Elem(self.some_member(*domain)),
            },
            Type::Set(domain) => Const::Set(self.some_set(*domain)),
            Type::Seq { item, cap } => {
                let len = self.below(*cap as usize);
                Const::Seq((0..len).map(|_| self.some_const(item)).collect())
            }
            Type::Tagged => {
                let domain = self.some_domain();
                let tags = [
                    Type::Bool,
                    Type::INT,
                    Type::Wrap32,
                    Type::Elem(domain),
                    Type::Opt(domain),
                ];
                let ty = self.pick(&tags).unwrap_or(Type::Bool);
                let value = self.some_const(&ty);
                Const::Tagged(Box::new(ty), Box::new(value))
            }
        }
    }

    fn declare(&mut self) {
        let letters = ["a", "b", "c", "d", "e"];
        let count = 2 + self.below(4);
        let names = letters[..count].iter().map(|&name| name.to_owned());
        self.letter = self.b.names("Letter", names.collect(), HERE);
        let lo = self.below(5) as i64 - 2;
        let hi = lo + 1 + self.below(4) as i64;
        self.number = self.b.domain("Number", Members::Range { lo, hi }, HERE);
        self.tables();
        self.variables();
        self.placements();
        let draws = [
            Type::Int { lo: 0, hi: 3 },
            Type::Elem(self.letter),
            Type::Elem(self.number),
        ];
        for (index, ty) in draws.into_iter().enumerate() {
            super::kit::draw(&mut self.b, &format!("draw{index}"), ty);
        }
        let all = |count: usize| 0..count;
        let vars: Vec<VarId> = all(self.b.game.vars.len()).map(VarId::from).collect();
        let kept = vars.into_iter().filter(|_| self.one_in(2)).collect();
        self.b.game.snapshots.push(Snapshot {
            name: String::from("kept"),
            vars: kept,
            placements: vec![PlacementId(0), PlacementId(2)],
        });
    }

    fn tables(&mut self) {
        let (letter, number) = (self.letter, self.number);
        let shapes = [
            (vec![Axis::Domain(letter)], Type::Opt(letter)),
            (vec![Axis::Domain(number)], Type::Opt(number)),
            (vec![Axis::Domain(letter)], Type::Set(letter)),
            (vec![Axis::Domain(number)], Type::Set(number)),
            (vec![Axis::Domain(letter)], Type::Set(number)),
            (
                vec![Axis::Domain(letter), Axis::Domain(number)],
                Type::Int { lo: -3, hi: 9 },
            ),
            (vec![Axis::Range { lo: -1, hi: 3 }], Type::Elem(letter)),
            (
                vec![Axis::Range { lo: 0, hi: 2 }, Axis::Domain(letter)],
                Type::Bool,
            ),
        ];
        for (index, (axes, ty)) in shapes.into_iter().enumerate() {
            let cells: usize = axes.iter().map(|axis| axis.len(&self.b.game)).product();
            let values = (0..cells).map(|_| self.some_const(&ty)).collect();
            let outside = (index >= 5 && self.one_in(2)).then(|| self.some_const(&ty));
            self.b.table(Table {
                name: format!("table{index}"),
                axes,
                ty,
                values,
                outside,
                span: HERE,
            });
        }
    }

    fn variables(&mut self) {
        let (letter, number) = (self.letter, self.number);
        let axes = [
            vec![],
            vec![],
            vec![Axis::Domain(letter)],
            vec![Axis::Domain(number), Axis::Domain(letter)],
            vec![Axis::Range { lo: -1, hi: 2 }],
        ];
        for index in 0..9 {
            let axes = self.pick(&axes).unwrap_or_default();
            let ty = self.some_type();
            let cells: usize = axes.iter().map(|axis| axis.len(&self.b.game)).product();
            let init: Vec<Const> = (0..cells).map(|_| self.some_const(&ty)).collect();
            let var = self
                .b
                .var(&format!("v{index}"), axes, ty, Const::None, HERE);
            self.b.game.vars[var.index()].init = init;
            self.b.game.vars[var.index()].meter = self.one_in(9);
        }
        for index in 0..4 {
            let ty = self.some_type();
            self.b.env(&format!("e{index}"), ty);
        }
        let axes = vec![Axis::Domain(DomainId(0))];
        let score = self.b.var("score", axes, Type::Wrap32, Const::Int(0), HERE);
        self.b.game.scores = self.one_in(2).then_some(score);
    }

    fn placements(&mut self) {
        let (letter, number) = (self.letter, self.number);
        let shapes = [
            (letter, number, PlacementForm::One),
            (number, letter, PlacementForm::Many),
            (letter, number, PlacementForm::Anonymous),
            (letter, letter, PlacementForm::Many),
        ];
        for (index, (pieces, places, form)) in shapes.into_iter().enumerate() {
            let (keys, values) = match form {
                PlacementForm::Anonymous => (places, pieces),
                _ => (pieces, places),
            };
            let mut init: Vec<Option<u32>> = Vec::new();
            for _ in 0..self.len(keys) {
                let at = (!self.one_in(3)).then(|| self.some_member(values));
                let taken = form == PlacementForm::One && init.contains(&at);
                init.push(at.filter(|_| !taken));
            }
            self.b.placement(Placement {
                name: format!("p{index}"),
                pieces,
                places,
                form,
                init,
                span: HERE,
            });
        }
    }

    // Expressions.

    fn node(&mut self, kind: ExprKind, ty: Type) -> Expr {
        let span = self.span();
        Expr::new(kind, ty, span)
    }

    fn literal(&mut self, ty: &Type) -> Expr {
        let value = self.some_const(ty);
        self.node(ExprKind::Const(value), ty.clone())
    }

    fn small(&mut self, value: i64) -> Expr {
        self.node(ExprKind::Const(Const::Int(value)), Type::INT)
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        let name = format!("{name}{}", self.locals.len());
        self.locals.push(Local { name, ty });
        LocalId::from(self.locals.len() - 1)
    }

    /// An expression of the kind of a type; integers of any range.
    fn expr(&mut self, ty: &Type, depth: usize) -> Expr {
        if depth == 0 || self.one_in(5) {
            return self.leaf(ty);
        }
        if self.one_in(9) {
            let cond = self.expr(&Type::Bool, depth - 1);
            let (yes, no) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
            let ty = match (&yes.ty, &no.ty) {
                (Type::Int { .. }, _) => Type::INT,
                (Type::Seq { item, cap }, Type::Seq { cap: other, .. }) => {
                    self.seq_type(item.as_ref().clone(), *cap.max(other))
                }
                (other, _) => other.clone(),
            };
            let kind = ExprKind::If(Box::new(cond), Box::new(yes), Box::new(no));
            return self.node(kind, ty);
        }
        if self.one_in(8)
            && let Some(call) = self.call(ty, depth - 1)
        {
            return call;
        }
        match ty {
            Type::Bool => self.boolean(depth - 1),
            Type::Int { .. } => self.integer(depth - 1),
            Type::Wrap32 => self.wrapping(depth - 1),
            Type::Elem(domain) => self.member(*domain, depth - 1),
            Type::Opt(domain) => self.optional(*domain, depth - 1),
            Type::Set(domain) => self.set(*domain, depth - 1),
            Type::Seq { item, .. } => self.sequence(item, depth - 1),
            Type::Tagged => self.tagged(depth - 1),
        }
    }

    /// An expression of which every value is one of the type.
    fn exact(&mut self, ty: &Type, depth: usize) -> Expr {
        match ty {
            Type::Int { .. } if *ty != Type::INT => self.literal(ty),
            Type::Seq { .. } => self.literal(ty),
            _ => self.expr(ty, depth),
        }
    }

    /// A variable, a cell or a constant.
    fn leaf(&mut self, ty: &Type) -> Expr {
        if self.one_in(2) {
            return self.bare(ty);
        }
        if self.one_in(4) {
            let fits = |index: &usize| self.b.game.env[*index].ty.same_kind(ty);
            let fitting: Vec<usize> = (0..self.b.game.env.len()).filter(fits).collect();
            if let Some(index) = self.pick(&fitting) {
                return self.environment(EnvId::from(index));
            }
        }
        let fits = |index: &usize| self.b.game.vars[*index].ty.same_kind(ty);
        let fitting: Vec<usize> = (0..self.b.game.vars.len()).filter(fits).collect();
        match self.pick(&fitting) {
            Some(index) if !self.one_in(4) => {
                let index = VarId::from(index);
                let cells = self.indexes(index, 0);
                let ty = self.b.game.var(index).ty.clone();
                self.node(ExprKind::Var(index, cells), ty)
            }
            _ => self.literal(ty),
        }
    }

    /// A variable of the environment, nearly always tested first.
    fn environment(&mut self, var: EnvId) -> Expr {
        let ty = self.b.game.env[var.index()].ty.clone();
        let read = self.node(ExprKind::Env { var, checked: true }, ty.clone());
        if self.one_in(12) {
            return read;
        }
        let is_set = self.node(ExprKind::EnvIsSet(var), Type::Bool);
        let other = self.literal(&ty);
        let kind = ExprKind::If(Box::new(is_set), Box::new(read), Box::new(other));
        self.node(kind, ty)
    }

    fn indexes(&mut self, var: VarId, depth: usize) -> Vec<Expr> {
        let axes = self.b.game.var(var).axes.clone();
        axes.iter().map(|axis| self.index(*axis, depth)).collect()
    }

    /// A local variable or a constant.
    fn bare(&mut self, ty: &Type) -> Expr {
        let fits = |(_, other): &&(LocalId, Type)| other.same_kind(ty);
        let fitting: Vec<_> = self.scope.iter().filter(fits).cloned().collect();
        match self.pick(&fitting) {
            Some((local, ty)) if self.one_in(2) => self.node(ExprKind::Local(local), ty),
            _ => self.literal(ty),
        }
    }

    /// An index, nearly always inside.
    fn index(&mut self, axis: Axis, depth: usize) -> Expr {
        let of = |maker: &mut Maker, ty: Type| match depth {
            0 => maker.bare(&ty),
            _ => maker.expr(&ty, depth),
        };
        match axis {
            Axis::Domain(domain) => of(self, Type::Elem(domain)),
            Axis::Range { lo, hi } => {
                let value = of(self, Type::INT);
                if self.one_in(15) {
                    return value;
                }
                self.clamped(value, lo, hi)
            }
        }
    }

    fn clamped(&mut self, value: Expr, lo: i64, hi: i64) -> Expr {
        let (lo, hi) = (self.small(lo), self.small(hi));
        let least = self.binary(BinaryOp::Max, value, lo, Type::INT);
        self.binary(BinaryOp::Min, least, hi, Type::INT)
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
        self.node(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    fn call(&mut self, ty: &Type, depth: usize) -> Option<Expr> {
        let fits = |pure: &&Pure| pure.ret.same_kind(ty);
        let fitting: Vec<Pure> = self.pure.iter().filter(fits).cloned().collect();
        let pure = self.pick(&fitting)?;
        let args = self.arguments(&pure.params, depth.min(1));
        Some(self.node(ExprKind::Call(pure.func, args), pure.ret))
    }

    fn arguments(&mut self, params: &[Type], depth: usize) -> Vec<Expr> {
        params.iter().map(|ty| self.exact(ty, depth)).collect()
    }

    /// Something to range over, and the type of its items.
    fn over(&mut self, depth: usize) -> (Over, Type) {
        let domain = self.some_domain();
        match self.below(5) {
            0 | 1 => (Over::Domain(domain), Type::Elem(domain)),
            2 => (
                Over::Set(self.expr(&Type::Set(domain), depth)),
                Type::Elem(domain),
            ),
            3 => {
                let seq = self.seq_type(Type::INT, 4);
                (Over::Seq(self.expr(&seq, depth)), Type::INT)
            }
            _ => {
                let (lo, hi) = (self.small(-1), self.below(4) as i64);
                let hi = self.small(hi);
                (Over::Range(lo, hi), Type::INT)
            }
        }
    }

    /// An expression under a bound variable.
    fn under(&mut self, local: LocalId, item: Type, ty: &Type, depth: usize) -> Expr {
        self.scope.push((local, item));
        let body = self.expr(ty, depth);
        self.scope.pop();
        body
    }

    fn fold(&mut self, fold: Fold, depth: usize) -> Expr {
        let (over, item) = self.over(depth);
        let local = self.local("x", item.clone());
        let (body, ty) = match fold {
            Fold::Forall | Fold::Exists => (Type::Bool, Type::Bool),
            Fold::Count => (Type::Bool, Type::INT),
            Fold::Sum | Fold::Min | Fold::Max => (Type::INT, Type::INT),
        };
        let body = self.under(local, item, &body, depth);
        let kind = ExprKind::Fold {
            fold,
            local,
            over: Box::new(over),
            body: Box::new(body),
        };
        self.node(kind, ty)
    }

    fn boolean(&mut self, depth: usize) -> Expr {
        let domain = self.some_domain();
        match self.below(13) {
            0 => {
                let a = self.expr(&Type::Bool, depth);
                self.node(ExprKind::Unary(UnaryOp::Not, Box::new(a)), Type::Bool)
            }
            1 | 2 => {
                let op = [BinaryOp::And, BinaryOp::Or][self.below(2)];
                let (a, b) = (self.expr(&Type::Bool, depth), self.expr(&Type::Bool, depth));
                self.binary(op, a, b, Type::Bool)
            }
            3 => {
                let ty = self.some_type();
                let op = [BinaryOp::Eq, BinaryOp::Ne][self.below(2)];
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                self.binary(op, a, b, Type::Bool)
            }
            4 | 5 => {
                let ty = [Type::INT, Type::Wrap32][self.below(2)].clone();
                let ops = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
                let op = ops[self.below(4)];
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                self.binary(op, a, b, Type::Bool)
            }
            6 => {
                let set = Type::Set(domain);
                let (a, b) = (self.expr(&set, depth), self.expr(&set, depth));
                self.binary(BinaryOp::Subset, a, b, Type::Bool)
            }
            7 => {
                let a = self.expr(&Type::Elem(domain), depth);
                let b = self.expr(&Type::Set(domain), depth);
                self.binary(BinaryOp::In, a, b, Type::Bool)
            }
            8 => {
                let seq = self.seq_type(Type::INT, 4);
                match self.one_in(2) {
                    true => {
                        let (a, b) = (self.expr(&Type::INT, depth), self.expr(&seq, depth));
                        self.binary(BinaryOp::In, a, b, Type::Bool)
                    }
                    false => {
                        let (a, b) = (self.expr(&seq, depth), self.expr(&seq, depth));
                        self.binary(BinaryOp::SeqSubset, a, b, Type::Bool)
                    }
                }
            }
            9 => {
                let a = self.expr(&Type::Opt(domain), depth);
                self.node(ExprKind::IsSome(Box::new(a)), Type::Bool)
            }
            10 => self.fold([Fold::Forall, Fold::Exists][self.state as usize % 2], depth),
            11 => {
                let a = self.expr(&Type::Tagged, depth);
                let ty = [Type::Bool, Type::INT, Type::Elem(domain)][self.below(3)].clone();
                self.node(ExprKind::HasTag(ty, Box::new(a)), Type::Bool)
            }
            _ if self.b.game.relations.is_empty() => self.leaf(&Type::Bool),
            _ => {
                let a = self.expr(&Type::Elem(self.letter), depth);
                let b = self.expr(&Type::Elem(self.number), depth);
                self.node(ExprKind::Holds(RelationId(0), vec![a, b]), Type::Bool)
            }
        }
    }

    fn integer(&mut self, depth: usize) -> Expr {
        let domain = self.some_domain();
        match self.below(12) {
            0..=3 => {
                use BinaryOp::*;
                let ops = [Add, Sub, Mul, Min, Max, Add, Div, Rem, RemEuclid];
                let op = ops[self.below(ops.len())];
                let (a, mut b) = (self.expr(&Type::INT, depth), self.expr(&Type::INT, depth));
                if matches!(op, Div | Rem | RemEuclid) && !self.one_in(10) {
                    let one = self.small(1);
                    b = self.binary(Max, b, one, Type::INT);
                }
                if op == Mul {
                    b = self.clamped(b, -3, 3);
                }
                self.binary(op, a, b, Type::INT)
            }
            4 => {
                let a = self.expr(&Type::INT, depth);
                let op = [UnaryOp::Neg, UnaryOp::Abs][self.below(2)];
                self.node(ExprKind::Unary(op, Box::new(a)), Type::INT)
            }
            5 => {
                let a = self.expr(&Type::Elem(domain), depth);
                self.node(ExprKind::Ordinal(Box::new(a)), Type::INT)
            }
            6 => {
                let a = self.expr(&Type::Wrap32, depth);
                self.node(ExprKind::ToInt(Box::new(a)), Type::INT)
            }
            7 => {
                let ty = match self.one_in(2) {
                    true => Type::Set(domain),
                    false => self.seq_type(Type::INT, 4),
                };
                let a = self.expr(&ty, depth);
                self.node(ExprKind::Size(Box::new(a)), Type::INT)
            }
            8 | 9 => {
                let folds = [
                    Fold::Count,
                    Fold::Sum,
                    Fold::Count,
                    Fold::Sum,
                    Fold::Min,
                    Fold::Max,
                ];
                let fold = folds[self.below(6)];
                self.fold(fold, depth)
            }
            10 => {
                let table = TableId(5);
                let a = self.expr(&Type::Elem(self.letter), depth);
                let b = self.expr(&Type::Elem(self.number), depth);
                self.node(ExprKind::Lookup(table, vec![a, b]), Type::INT)
            }
            _ => self.walk(WalkGive::Length, Type::INT, depth),
        }
    }

    /// A walk or closure over one of the two domains that have tables for it.
    fn walk(&mut self, give: WalkGive, ty: Type, depth: usize) -> Expr {
        let (domain, step) = match &ty {
            Type::Set(domain) | Type::Opt(domain) => (*domain, domain.0 - 1),
            _ => (self.letter, 0),
        };
        let start = self.expr(&Type::Opt(domain), depth);
        let local = self.local("w", Type::Elem(domain));
        let pass = self.under(local, Type::Elem(domain), &Type::Bool, depth);
        let kind = ExprKind::Walk {
            start: Box::new(start),
            step: TableId(step),
            local,
            pass: Box::new(pass),
            give,
        };
        self.node(kind, ty)
    }

    fn wrapping(&mut self, depth: usize) -> Expr {
        match self.below(4) {
            0 | 1 => {
                use BinaryOp::*;
                let ops = [Add, Sub, Mul, Min, Max, Add, Sub, Rem, Div];
                let op = ops[self.below(ops.len())];
                let (a, b) = (
                    self.expr(&Type::Wrap32, depth),
                    self.expr(&Type::Wrap32, depth),
                );
                self.binary(op, a, b, Type::Wrap32)
            }
            2 => {
                let a = self.expr(&Type::Wrap32, depth);
                let op = [UnaryOp::Neg, UnaryOp::Abs][self.below(2)];
                self.node(ExprKind::Unary(op, Box::new(a)), Type::Wrap32)
            }
            _ => {
                let a = self.expr(&Type::INT, depth);
                self.node(ExprKind::ToWrap(Box::new(a)), Type::Wrap32)
            }
        }
    }

    fn member(&mut self, domain: DomainId, depth: usize) -> Expr {
        let ty = Type::Elem(domain);
        match self.below(6) {
            0..=2 => {
                let a = self.expr(&Type::Opt(domain), depth);
                if self.one_in(10) {
                    return self.node(ExprKind::Get(Box::new(a)), ty);
                }
                let b = self.expr(&ty, depth);
                self.node(ExprKind::OrElse(Box::new(a), Box::new(b)), ty)
            }
            3 if domain == self.letter => {
                let table = TableId(6);
                let index = self.index(Axis::Range { lo: -1, hi: 3 }, depth);
                self.node(ExprKind::Lookup(table, vec![index]), ty)
            }
            _ => self.leaf(&ty),
        }
    }

    fn optional(&mut self, domain: DomainId, depth: usize) -> Expr {
        let ty = Type::Opt(domain);
        let (letter, number) = (self.letter, self.number);
        let place = |maker: &mut Maker, id: u32, key: DomainId, content: bool| {
            let key = Box::new(maker.expr(&Type::Elem(key), depth));
            let id = PlacementId(id);
            let kind = match content {
                true => ExprKind::Content(id, key),
                false => ExprKind::PlaceOf(id, key),
            };
            maker.node(kind, Type::Opt(domain))
        };
        match self.below(8) {
            0 => {
                let a = self.expr(&Type::Elem(domain), depth);
                self.node(ExprKind::Some(Box::new(a)), ty)
            }
            1 => {
                let a = self.expr(&Type::INT, depth);
                self.node(ExprKind::Member(domain, Box::new(a)), ty)
            }
            2 => {
                let set = self.expr(&Type::Set(domain), depth);
                let local = self.local("f", Type::Elem(domain));
                let when = self.under(local, Type::Elem(domain), &Type::Bool, depth);
                let over = Box::new(Over::Set(set));
                let when = Box::new(when);
                self.node(ExprKind::First { local, over, when }, ty)
            }
            3 if domain == letter => place(self, 0, number, true),
            4 if domain == letter => place(self, 1, number, false),
            5 if domain == letter => place(self, 2, number, true),
            6 if domain == letter => place(self, 3, letter, false),
            3 | 4 if domain == number => place(self, 0, letter, false),
            5 | 6 if domain != DomainId(0) => {
                let give = [WalkGive::Last, WalkGive::Stop][self.below(2)];
                self.walk(give, ty, depth)
            }
            _ => self.leaf(&ty),
        }
    }

    fn set(&mut self, domain: DomainId, depth: usize) -> Expr {
        let ty = Type::Set(domain);
        match self.below(9) {
            0 | 1 => {
                let ops = [
                    BinaryOp::Union,
                    BinaryOp::Intersect,
                    BinaryOp::Minus,
                    BinaryOp::UpTo,
                    BinaryOp::DownTo,
                ];
                let op = ops[self.below(ops.len())];
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                self.binary(op, a, b, ty)
            }
            2 => {
                let a = self.expr(&ty, depth);
                self.node(ExprKind::Unary(UnaryOp::Complement, Box::new(a)), ty)
            }
            3 => {
                let count = self.below(4);
                let items = (0..count).map(|_| self.expr(&Type::Elem(domain), depth));
                let items = items.collect();
                self.node(ExprKind::SetOf(items), ty)
            }
            4 => {
                let local = self.local("c", Type::Elem(domain));
                let when = self.under(local, Type::Elem(domain), &Type::Bool, depth);
                let over = Box::new(Over::Domain(domain));
                let when = Box::new(when);
                self.node(ExprKind::Collect { local, over, when }, ty)
            }
            5 if domain != DomainId(0) => self.walk(WalkGive::Passed, ty, depth),
            6 if domain != DomainId(0) => {
                let from = Box::new(self.expr(&ty, depth));
                let local = self.local("n", Type::Elem(domain));
                let pass = Box::new(self.under(local, Type::Elem(domain), &Type::Bool, depth));
                let edges = TableId(domain.0 + 1);
                let kind = ExprKind::Closure {
                    from,
                    edges,
                    local,
                    pass,
                };
                self.node(kind, ty)
            }
            7 if domain == self.number => {
                let at = Box::new(self.expr(&Type::Elem(self.letter), depth));
                self.node(ExprKind::Contents(PlacementId(1), at), ty)
            }
            8 if domain != DomainId(0) && !self.b.game.relations.is_empty() => {
                let other = if domain == self.letter {
                    self.number
                } else {
                    self.letter
                };
                let known = Some(self.expr(&Type::Elem(other), depth));
                let args = match domain == self.letter {
                    true => vec![None, known],
                    false => vec![known, None],
                };
                self.node(ExprKind::Related(RelationId(0), args), ty)
            }
            _ => self.leaf(&ty),
        }
    }

    fn sequence(&mut self, item: &Type, depth: usize) -> Expr {
        let cap_of = |expr: &Expr| match expr.ty {
            Type::Seq { cap, .. } => cap,
            _ => 0,
        };
        let ty = self.seq_type(item.clone(), 4);
        match self.below(4) {
            0 => {
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                let cap = cap_of(&a).saturating_add(cap_of(&b));
                let ty = self.seq_type(item.clone(), cap);
                self.binary(BinaryOp::Concat, a, b, ty)
            }
            1 => {
                let op = [BinaryOp::SeqIntersect, BinaryOp::SeqMinus][self.below(2)];
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                let ty = a.ty.clone();
                self.binary(op, a, b, ty)
            }
            _ => {
                let count = self.below(3);
                let items: Vec<Expr> = (0..count).map(|_| self.expr(item, depth)).collect();
                let ty = self.seq_type(item.clone(), count as u32);
                self.node(ExprKind::SeqOf(items), ty)
            }
        }
    }

    fn tagged(&mut self, depth: usize) -> Expr {
        let domain = self.some_domain();
        let types = [
            Type::Bool,
            Type::INT,
            Type::Wrap32,
            Type::Elem(domain),
            Type::Opt(domain),
        ];
        let ty = types[self.below(5)].clone();
        let value = self.expr(&ty, depth);
        self.node(ExprKind::Tag(Box::new(value)), Type::Tagged)
    }

    // Functions.

    fn begin(&mut self, params: &[Type]) {
        self.scope.clear();
        self.locals.clear();
        for ty in params {
            let local = self.local("p", ty.clone());
            self.scope.push((local, ty.clone()));
        }
    }

    fn finish(&mut self, name: &str, params: usize, ret: Option<Type>, body: Block) -> FuncId {
        let span = self.span();
        let mut function = FunctionBuilder::new(name, ret, span).body(body);
        function.params = params;
        function.locals = std::mem::take(&mut self.locals);
        self.scope.clear();
        self.b.function(function)
    }

    /// A function that gives the value of an expression.
    fn formula(&mut self, name: &str, params: Vec<Type>, ret: Type) -> FuncId {
        self.begin(&params);
        let value = self.exact(&ret, 3);
        let span = self.span();
        let body = vec![Stmt::new(StmtKind::Return(Some(value)), span)];
        let func = self.finish(name, params.len(), Some(ret.clone()), body);
        self.pure.push(Pure { func, params, ret });
        func
    }

    /// A function that may write the environment and gives a value.
    fn guard(&mut self, name: &str, params: Vec<Type>, ret: Type) -> FuncId {
        self.begin(&params);
        let mut body = self.block(2, 2, Mode::Guard);
        let value = self.exact(&ret, 3);
        let span = self.span();
        body.push(Stmt::new(StmtKind::Return(Some(value)), span));
        self.finish(name, params.len(), Some(ret), body)
    }

    /// A function that calls itself a bounded number of times.
    fn recursive(&mut self) {
        let params = vec![Type::INT, Type::Elem(self.letter)];
        self.begin(&params);
        let id = FuncId::from(self.b.game.functions.len());
        let (n, x) = (LocalId(0), LocalId(1));
        let n_read = self.node(ExprKind::Local(n), Type::INT);
        let zero = self.small(0);
        let done = self.binary(BinaryOp::Le, n_read.clone(), zero, Type::Bool);
        let limit = self.small(9);
        let high = self.binary(BinaryOp::Gt, n_read.clone(), limit, Type::Bool);
        let stop = self.binary(BinaryOp::Or, done, high, Type::Bool);
        let base = self.expr(&Type::INT, 2);
        let one = self.small(1);
        let less = self.binary(BinaryOp::Sub, n_read, one, Type::INT);
        let next = self.expr(&Type::Elem(self.letter), 1);
        let call = self.node(ExprKind::Call(id, vec![less, next]), Type::INT);
        let ord = self.node(ExprKind::Local(x), Type::Elem(self.letter));
        let ord = self.node(ExprKind::Ordinal(Box::new(ord)), Type::INT);
        let sum = self.binary(BinaryOp::Add, call, ord, Type::INT);
        let span = self.span();
        let give = |value: Expr| Stmt::new(StmtKind::Return(Some(value)), span);
        let kind = StmtKind::If(stop, vec![give(base)], vec![]);
        let body = vec![Stmt::new(kind, span), give(sum)];
        let func = self.finish("recursive", 2, Some(Type::INT), body);
        let ret = Type::INT;
        self.pure.push(Pure { func, params, ret });
    }

    fn functions(&mut self) {
        let (letter, number) = (self.letter, self.number);
        for index in 0..3 {
            let params = vec![self.some_type(), Type::Elem(letter)];
            let ret = self.some_type();
            self.formula(&format!("formula{index}"), params, ret);
        }
        let params = vec![Type::Elem(letter), Type::Elem(number)];
        let holds = self.formula("related", params, Type::Bool);
        self.b.relation(Relation {
            name: String::from("relation"),
            params: vec![letter, number],
            holds,
        });
        self.recursive();
        self.formula("late", vec![Type::INT], Type::Bool);
        let probe = self.guard("probe", vec![Type::Elem(letter)], Type::INT);
        self.b.game.probes.push(Probe {
            name: String::from("probe"),
            func: probe,
        });
        for index in 0..2 {
            let params = vec![Type::INT, Type::Elem(number)];
            self.begin(&params);
            let count = 2 + self.below(3);
            let body = self.block(count, 2, Mode::Effect);
            let func = self.finish(&format!("effect{index}"), 2, None, body);
            let ret = Type::Bool;
            self.effects.push(Pure { func, params, ret });
        }
    }

    // Families.

    fn params(&mut self, context: &[Type]) -> Vec<Param> {
        let mut types = context.to_vec();
        let mut params: Vec<Param> = Vec::new();
        for index in 0..1 + self.below(2) {
            let domain = [self.letter, self.number][self.below(2)];
            let source = self.source(domain, &types, &params);
            let ty = match source {
                ParamSource::Subset { .. } => Type::Set(domain),
                _ => Type::Elem(domain),
            };
            types.push(ty.clone());
            params.push(Param {
                name: format!("q{index}"),
                ty,
                source,
            });
        }
        params
    }

    fn source(&mut self, domain: DomainId, types: &[Type], params: &[Param]) -> ParamSource {
        let by_letter = params.iter().position(|p| p.ty == Type::Elem(self.letter));
        match self.below(7) {
            0 => ParamSource::Among(self.some_set(domain)),
            1 => {
                self.begin(types);
                let ty = [Type::Elem(domain), Type::Opt(domain)][self.below(2)].clone();
                ParamSource::Is(self.expr(&ty, 2))
            }
            2 if domain == self.number && by_letter.is_some() => ParamSource::Listed {
                by: by_letter.unwrap_or(0),
                table: TableId(4),
            },
            3 => {
                let name = format!("generator{}", self.b.game.functions.len());
                let ret = match self.one_in(2) {
                    true => Type::Set(domain),
                    false => self.seq_type(Type::Elem(domain), 4),
                };
                ParamSource::Generated(self.guard(&name, types.to_vec(), ret))
            }
            4 => {
                self.begin(types);
                let of = self.expr(&Type::Set(domain), 2);
                let size = match self.one_in(2) {
                    true => self.small(2),
                    false => self.expr(&Type::INT, 1),
                };
                ParamSource::Subset { of, size }
            }
            _ => ParamSource::All,
        }
    }

    fn families(&mut self) {
        let classes = self.one_in(3);
        for index in 0..3 {
            let context: Vec<Type> = match self.one_in(2) {
                true => vec![Type::INT],
                false => vec![],
            };
            let params = self.params(&context);
            let types = context.iter().chain(params.iter().map(|p| &p.ty));
            let types: Vec<Type> = types.cloned().collect();
            let guard = (!self.one_in(3))
                .then(|| self.guard(&format!("guard{index}"), types.clone(), Type::Bool));
            let after = self
                .one_in(4)
                .then(|| self.guard(&format!("after{index}"), types.clone(), Type::Bool));
            let rank = self
                .one_in(4)
                .then(|| self.guard(&format!("rank{index}"), types.clone(), Type::INT));
            self.begin(&types);
            let class = match classes {
                true => vec![self.expr(&Type::Bool, 2), self.expr(&Type::INT, 2)],
                false => vec![],
            };
            let holes: Vec<String> = (0..params.len()).map(|i| format!("{{{i}}}")).collect();
            let template = format!("f{index} {}", holes.join(" "));
            let context = context.into_iter().enumerate();
            let family = Family {
                context: context
                    .map(|(i, ty)| Local {
                        name: format!("g{i}"),
                        ty,
                    })
                    .collect(),
                guard,
                after,
                rank,
                class,
                span: self.span(),
                ..super::kit::family(&format!("family{index}"), params, &template)
            };
            let id = self.b.family(family);
            self.arms.push(id);
        }
    }

    // Statements.

    fn block(&mut self, count: usize, depth: usize, mode: Mode) -> Block {
        let scope = self.scope.len();
        let mut block = Vec::new();
        for _ in 0..count {
            self.statement(depth, mode, &mut block);
        }
        self.scope.truncate(scope);
        block
    }

    fn push(&mut self, kind: StmtKind, block: &mut Block) {
        let span = self.span();
        block.push(Stmt::new(kind, span));
    }

    fn statement(&mut self, depth: usize, mode: Mode, block: &mut Block) {
        let deeper = depth.saturating_sub(1);
        match self.below(16) {
            0 | 1 => self.assign(block),
            2 | 3 => {
                let index = self.below(self.b.game.env.len());
                let ty = self.b.game.env[index].ty.clone();
                let value = self.stored(&ty);
                self.push(StmtKind::SetEnv(EnvId::from(index), value), block);
            }
            4 if depth > 0 => {
                let cond = self.expr(&Type::Bool, 2);
                let yes = self.block(2, deeper, mode);
                let no = self.block(1, deeper, mode);
                self.push(StmtKind::If(cond, yes, no), block);
            }
            5 | 6 if depth > 0 => self.looped(deeper, mode, block),
            7 if depth > 0 => self.trial(deeper, mode, block),
            8 if self.in_loop => {
                let cond = self.expr(&Type::Bool, 2);
                let kind = [StmtKind::Break, StmtKind::Continue][self.below(2)].clone();
                let span = self.span();
                let leave = vec![Stmt::new(kind, span)];
                self.push(StmtKind::If(cond, leave, vec![]), block);
            }
            9 if self.in_trial => {
                let cond = self.expr(&Type::Bool, 2);
                let span = self.span();
                let fail = vec![Stmt::new(StmtKind::Fail, span)];
                self.push(StmtKind::If(cond, fail, vec![]), block);
            }
            _ if mode == Mode::Guard => self.assign(block),
            9 | 10 => self.write_placement(block),
            11 => self.say(block),
            12 => self.remember(block),
            13 => {
                let effects = self.effects.clone();
                if let Some(effect) = self.pick(&effects) {
                    let args = self.arguments(&effect.params, 1);
                    let call = StmtKind::Call {
                        func: effect.func,
                        args,
                        into: None,
                    };
                    self.push(call, block);
                }
            }
            _ => self.write_var(block),
        }
        if mode == Mode::Process && self.one_in(3) {
            self.stop(deeper, block);
        }
    }

    /// A value to store: mostly one that fits.
    fn stored(&mut self, ty: &Type) -> Expr {
        let value = self.expr(ty, 3);
        if self.one_in(12) {
            return value;
        }
        match ty {
            Type::Int { lo, hi } if *ty != Type::INT => self.clamped(value, *lo, *hi),
            Type::Seq { .. } if !ty.contains(&value.ty) => self.literal(ty),
            _ => value,
        }
    }

    fn assign(&mut self, block: &mut Block) {
        let ty = self.some_type();
        let value = self.stored(&ty);
        let local = self.local("l", ty.clone());
        self.push(StmtKind::Let(local, value), block);
        self.scope.push((local, ty));
    }

    fn write_var(&mut self, block: &mut Block) {
        let var = VarId::from(self.below(self.b.game.vars.len()));
        let index = self.indexes(var, 1);
        let ty = self.b.game.var(var).ty.clone();
        let value = self.stored(&ty);
        self.push(StmtKind::SetVar(var, index, value), block);
    }

    fn write_placement(&mut self, block: &mut Block) {
        let (letter, number) = (Type::Elem(self.letter), Type::Elem(self.number));
        match self.below(6) {
            0 => {
                let (piece, at) = (self.expr(&letter, 1), self.expr(&number, 1));
                if !self.one_in(8) {
                    // Makes room first.
                    let there = ExprKind::Content(PlacementId(0), Box::new(at.clone()));
                    let there = self.node(there, Type::Opt(self.letter));
                    let found = self.local("t", Type::Opt(self.letter));
                    self.push(StmtKind::Let(found, there), block);
                    let read = self.node(ExprKind::Local(found), Type::Opt(self.letter));
                    let some = self.node(ExprKind::IsSome(Box::new(read.clone())), Type::Bool);
                    let taken = self.node(ExprKind::Get(Box::new(read)), letter);
                    let span = self.span();
                    let take = Stmt::new(StmtKind::Take(PlacementId(0), taken), span);
                    self.push(StmtKind::If(some, vec![take], vec![]), block);
                }
                self.push(StmtKind::Put(PlacementId(0), piece, at), block);
            }
            1 => {
                let piece = self.expr(&letter, 1);
                self.push(StmtKind::Take(PlacementId(0), piece), block);
            }
            2 => {
                let (piece, at) = (self.expr(&number, 1), self.expr(&letter, 1));
                self.push(StmtKind::Put(PlacementId(1), piece, at), block);
            }
            3 => {
                let (piece, at) = (self.expr(&letter, 1), self.expr(&letter, 1));
                self.push(StmtKind::Put(PlacementId(3), piece, at), block);
            }
            4 => {
                let piece = self.expr(&letter, 1);
                self.push(StmtKind::Take(PlacementId(3), piece), block);
            }
            _ => {
                let at = self.expr(&number, 1);
                let kind = self.expr(&Type::Opt(self.letter), 2);
                self.push(StmtKind::SetContent(PlacementId(2), at, kind), block);
            }
        }
    }

    fn say(&mut self, block: &mut Block) {
        let ty = self.some_type();
        let value = self.expr(&ty, 2);
        let emit = match self.one_in(2) {
            true => Emit::Log(vec![
                LogPart::Text(String::from("value ")),
                LogPart::Value(value),
            ]),
            false => Emit::Signal(String::from("signal"), vec![value]),
        };
        self.push(StmtKind::Emit(emit), block);
    }

    fn remember(&mut self, block: &mut Block) {
        let slot = SnapshotId(0);
        match self.below(4) {
            0 | 1 => self.push(StmtKind::Snapshot(slot), block),
            2 => {
                self.push(StmtKind::Snapshot(slot), block);
                self.write_var(block);
                self.push(StmtKind::Restore(slot), block);
            }
            _ if self.one_in(6) => self.push(StmtKind::Restore(slot), block),
            _ => {}
        }
    }

    fn looped(&mut self, depth: usize, mode: Mode, block: &mut Block) {
        let outer = std::mem::replace(&mut self.in_loop, true);
        let scope = self.scope.len();
        let kind = match self.below(4) {
            0 => {
                let (over, item) = self.over(1);
                let local = self.local("each", item.clone());
                self.scope.push((local, item));
                StmtKind::ForEach(local, over, self.block(2, depth, mode))
            }
            1 => {
                let counter = self.local("n", Type::INT);
                let zero = self.small(0);
                self.push(StmtKind::Let(counter, zero), block);
                let read = self.node(ExprKind::Local(counter), Type::INT);
                let (one, limit) = (self.small(1), self.below(3) as i64 + 1);
                let limit = self.small(limit);
                let more = self.binary(BinaryOp::Add, read.clone(), one, Type::INT);
                let cond = self.binary(BinaryOp::Lt, read, limit, Type::Bool);
                let mut body = Vec::new();
                self.push(StmtKind::Let(counter, more), &mut body);
                body.extend(self.block(2, depth, mode));
                let bound = if self.one_in(10) { 1 } else { 9 };
                StmtKind::While { cond, bound, body }
            }
            _ => {
                let (from, to) = (self.below(4) as i64 - 1, self.below(4) as i64 - 1);
                let (from, to) = (self.small(from), self.small(to));
                let count = [Count::Up, Count::Down, Count::Toward][self.below(3)];
                let local = self.local("i", Type::INT);
                self.scope.push((local, Type::INT));
                StmtKind::For {
                    local,
                    from,
                    to,
                    count,
                    body: self.block(2, depth, mode),
                    charged: self.one_in(2),
                }
            }
        };
        self.scope.truncate(scope);
        self.in_loop = outer;
        self.push(kind, block);
    }

    fn trial(&mut self, depth: usize, mode: Mode, block: &mut Block) {
        let outer = (self.in_loop, self.in_trial);
        (self.in_loop, self.in_trial) = (false, true);
        let inside = match mode {
            Mode::Process => Mode::Effect,
            other => other,
        };
        let ty = Type::INT;
        let start = self.literal(&ty);
        let into = self.local("value", ty.clone());
        self.push(StmtKind::Let(into, start), block);
        let ok = self.local("ok", Type::Bool);
        // What a guard tries it must drop, then it may try anything.
        let keep = mode != Mode::Guard && self.one_in(2);
        let tried = if keep { inside } else { Mode::Effect };
        let body = self.block(3, depth, tried);
        let value = self.expr(&ty, 1);
        (self.in_loop, self.in_trial) = outer;
        let kind = StmtKind::Trial {
            body,
            keep,
            ok,
            value: Some((value, into)),
        };
        self.push(kind, block);
        self.scope.push((ok, Type::Bool));
        self.scope.push((into, ty));
    }

    /// A decision, a draw, a call of a function that stops, or an end.
    fn stop(&mut self, depth: usize, block: &mut Block) {
        match self.below(8) {
            0 | 1 => self.draw(block),
            2 if !self.stops.is_empty() => {
                let stops = self.stops.clone();
                if let Some(stop) = self.pick(&stops) {
                    let args = self.arguments(&stop.params, 1);
                    let into = self.local("got", stop.ret.clone());
                    let call = StmtKind::Call {
                        func: stop.func,
                        args,
                        into: Some(into),
                    };
                    self.push(call, block);
                    self.scope.push((into, stop.ret));
                }
            }
            3 => {
                let cond = self.expr(&Type::Bool, 2);
                let also = self.expr(&Type::Bool, 2);
                let cond = self.binary(BinaryOp::And, cond, also, Type::Bool);
                let end = self.end();
                let end = if self.one_in(6) {
                    let text = String::from("a rule gives up");
                    Stmt::new(StmtKind::Fault(text), end.span)
                } else {
                    end
                };
                self.push(StmtKind::If(cond, vec![end], vec![]), block);
            }
            _ => self.decision(depth, block),
        }
    }

    fn end(&mut self) -> Stmt {
        use EndReason::*;
        let reason = [Win, Draw, Stuck, Elimination, Limit][self.below(5)];
        let winners = self.expr(&Type::Set(DomainId(0)), 2);
        let span = self.span();
        Stmt::new(StmtKind::End { reason, winners }, span)
    }

    fn draw(&mut self, block: &mut Block) {
        let (draw, dist) = match self.below(3) {
            0 => {
                let high = self.below(4) as i64;
                let (lo, hi) = (self.small(0), self.small(high));
                (DrawId(0), Distribution::Uniform(lo, hi))
            }
            kind => {
                let domain = [self.letter, self.number][kind - 1];
                let local = self.local("d", Type::Elem(domain));
                let weight = self.under(local, Type::Elem(domain), &Type::INT, 2);
                let lo = if self.one_in(15) { -1 } else { 0 };
                let mut weight = self.clamped(weight, lo, 5);
                if !self.one_in(10) {
                    let one = self.small(1);
                    weight = self.binary(BinaryOp::Add, weight, one, Type::INT);
                }
                let over = Over::Domain(domain);
                let dist = Distribution::Weighted {
                    local,
                    over,
                    weight,
                };
                (DrawId(kind as u32), dist)
            }
        };
        let ty = self.b.game.draw(draw).ty.clone();
        let into = self.local("drawn", ty.clone());
        self.push(StmtKind::Chance(Chance { draw, dist, into }), block);
        self.scope.push((into, ty));
    }

    fn decision(&mut self, depth: usize, block: &mut Block) {
        let player = DomainId(0);
        let players = match self.one_in(4) {
            true => self.expr(&Type::Set(player), 1),
            false => self.expr(&Type::Elem(player), 2),
        };
        let scope = self.scope.len();
        let mut arms = Vec::new();
        let first = self.below(self.arms.len());
        for offset in 0..1 + self.below(2) {
            let family = self.arms[(first + offset) % self.arms.len()];
            let of = self.b.game.family(family).clone();
            let given = of.context.iter().map(|local| self.exact(&local.ty, 2));
            let given = given.collect();
            let mut bind = Vec::new();
            for param in &of.params {
                let local = self.local("m", param.ty.clone());
                self.scope.push((local, param.ty.clone()));
                bind.push(local);
            }
            let count = 1 + self.below(3);
            let body = self.block(count, depth.min(1), Mode::Process);
            self.scope.truncate(scope);
            arms.push(Arm {
                family,
                given,
                bind,
                body,
            });
        }
        let otherwise = self
            .one_in(3)
            .then(|| self.block(1, depth.min(1), Mode::Process));
        let kind = StmtKind::Choose(Choose {
            players,
            arms,
            otherwise,
        });
        self.push(kind, block);
    }

    fn process(&mut self) {
        self.arms = (0..self.b.game.families.len())
            .map(FamilyId::from)
            .collect();
        let params = vec![Type::INT];
        self.begin(&params);
        let mut body = self.block(1, 1, Mode::Effect);
        self.decision(1, &mut body);
        let value = self.expr(&Type::INT, 2);
        self.push(StmtKind::Return(Some(value)), &mut body);
        let func = self.finish("stops", 1, Some(Type::INT), body);
        let ret = Type::INT;
        self.stops.push(Pure { func, params, ret });

        self.begin(&[]);
        let turn = self.local("turn", Type::INT);
        let mut body = self.block(2, 2, Mode::Effect);
        self.scope.push((turn, Type::INT));
        let mut round = Vec::new();
        let outer = std::mem::replace(&mut self.in_loop, true);
        self.decision(2, &mut round);
        round.extend(self.block(3, 2, Mode::Process));
        self.in_loop = outer;
        self.scope.clear();
        let (from, to) = (self.small(1), self.below(3) as i64 + 1);
        let to = self.small(to);
        let kind = StmtKind::For {
            local: turn,
            from,
            to,
            count: Count::Up,
            body: round,
            charged: true,
        };
        self.push(kind, &mut body);
        if self.one_in(2) {
            let end = self.end();
            body.push(end);
        }
        self.b.game.process = self.finish("process", 0, None, body);
    }

    fn identities(&mut self) {
        let letter = self.letter;
        self.begin(&[Type::Elem(letter)]);
        let when = self.expr(&Type::Bool, 2);
        let values = vec![self.expr(&Type::INT, 2), self.expr(&Type::Opt(letter), 2)];
        let each = IdentityTerm::Each {
            domain: letter,
            when: when.clone(),
            values: values.clone(),
        };
        let bag = IdentityTerm::Bag {
            domain: letter,
            when,
            values,
        };
        self.begin(&[]);
        let value = IdentityTerm::Value(self.expr(&Type::INT, 2));
        for (name, terms) in [("each", vec![each]), ("bag", vec![bag, value])] {
            self.b.identity(Identity {
                name: String::from(name),
                terms,
            });
        }
        self.locals.clear();
        self.scope.clear();
    }
}
