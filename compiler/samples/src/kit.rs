//! Short words for writing samples.

use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;
use rulec_ir::source::{FileId, Span};

/// A made-up place in the rules, different for different numbers.
pub(super) fn at(number: u32) -> Span {
    Span {
        file: FileId(0),
        start: number * 10,
        end: number * 10 + 5,
    }
}

pub(super) const HERE: Span = Span {
    file: FileId(0),
    start: 0,
    end: 1,
};

pub(super) fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

pub(super) fn int(value: i64) -> Expr {
    Expr::int(value, HERE)
}

pub(super) fn yes() -> Expr {
    Expr::bool(true, HERE)
}

pub(super) fn elem(domain: DomainId, member: u32) -> Expr {
    Expr::elem(domain, member, HERE)
}

pub(super) fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    op(BinaryOp::Add, a, b)
}

pub(super) fn set_of(domain: DomainId, items: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::SetOf(items), Type::Set(domain), HERE)
}

pub(super) fn seq_of(item: Type, items: Vec<Expr>) -> Expr {
    let cap = items.len() as u32;
    let item = Box::new(item);
    Expr::new(ExprKind::SeqOf(items), Type::Seq { item, cap }, HERE)
}

pub(super) fn range(lo: i64, hi: i64) -> Type {
    Type::Int { lo, hi }
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt::new(kind, HERE)
}

/// Repeats a block until the game ends.
pub(super) fn forever(body: Block) -> Stmt {
    stmt(StmtKind::While {
        cond: yes(),
        bound: u32::MAX,
        body,
    })
}

pub(super) fn end(reason: EndReason, winners: Expr) -> Stmt {
    stmt(StmtKind::End { reason, winners })
}

pub(super) fn choose(players: Expr, arms: Vec<Arm>) -> Stmt {
    stmt(StmtKind::Choose(Choose {
        players,
        arms,
        otherwise: None,
    }))
}

pub(super) fn arm(family: FamilyId, bind: &[LocalId], body: Block) -> Arm {
    Arm {
        family,
        given: Vec::new(),
        bind: bind.to_vec(),
        body,
    }
}

/// The parts of a text in which `{0}`, `{1}`, ... stand for parameters.
pub(super) fn text(template: &str) -> Vec<TextPart> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        if open > 0 {
            parts.push(TextPart::Text(rest[..open].to_owned()));
        }
        let close = rest[open..].find('}').map_or(rest.len(), |at| open + at);
        let number = rest[open + 1..close].parse();
        parts.push(TextPart::Param(number.expect("a number of a parameter")));
        rest = &rest[close + 1..];
    }
    if !rest.is_empty() {
        parts.push(TextPart::Text(rest.to_owned()));
    }
    parts
}

/// A family without guard; the fields of what it has more are set by the caller.
pub(super) fn family(name: &str, params: Vec<Param>, template: &str) -> Family {
    Family {
        name: name.to_owned(),
        context: Vec::new(),
        params,
        guard: None,
        after: None,
        effect: None,
        rank: None,
        class: Vec::new(),
        text: text(template),
        span: HERE,
    }
}

pub(super) fn param(name: &str, domain: DomainId, source: ParamSource) -> Param {
    Param {
        name: name.to_owned(),
        ty: Type::Elem(domain),
        source,
    }
}

/// A function of one parameter that gives the value of an expression of it.
pub(super) fn function_of(
    b: &mut GameBuilder,
    name: &str,
    ty: Type,
    ret: Type,
    value: impl FnOnce(&Game, Expr) -> Expr,
) -> FuncId {
    let mut f = FunctionBuilder::new(name, Some(ret), HERE);
    let x = f.param("x", ty);
    let value = value(&b.game, f.get(x));
    b.function(f.body(vec![Stmt::give(value)]))
}

pub(super) fn anonymous(
    b: &mut GameBuilder,
    name: &str,
    kinds: DomainId,
    places: DomainId,
    init: Vec<Option<u32>>,
) -> PlacementId {
    b.placement(Placement {
        name: name.to_owned(),
        pieces: kinds,
        places,
        form: PlacementForm::Anonymous,
        init,
        span: HERE,
    })
}

pub(super) fn table(
    b: &mut GameBuilder,
    name: &str,
    axes: Vec<Axis>,
    ty: Type,
    values: Vec<Const>,
) -> TableId {
    b.table(Table {
        name: name.to_owned(),
        axes,
        ty,
        values,
        outside: None,
        span: HERE,
    })
}

pub(super) fn get(b: &GameBuilder, var: VarId) -> Expr {
    Expr::var(&b.game, var, vec![], HERE)
}

pub(super) fn get_at(b: &GameBuilder, var: VarId, index: Expr) -> Expr {
    Expr::var(&b.game, var, vec![index], HERE)
}

pub(super) fn set(var: VarId, value: Expr) -> Stmt {
    Stmt::set_var(var, vec![], value)
}

pub(super) fn set_at(var: VarId, index: Expr, value: Expr) -> Stmt {
    Stmt::set_var(var, vec![index], value)
}

pub(super) fn when(cond: Expr, body: Block) -> Stmt {
    Stmt::branch(cond, body, vec![])
}

/// The other one of two players.
pub(super) fn opponent(player: DomainId, of: Expr) -> Expr {
    let first = of.equals(elem(player, 0));
    Expr::select(first, elem(player, 1), elem(player, 0))
}

pub(super) fn plain(b: &mut GameBuilder, name: &str, ty: Type, init: Const) -> VarId {
    b.var(name, vec![], ty, init, HERE)
}

pub(super) fn numbers(b: &mut GameBuilder, name: &str, lo: i64, hi: i64) -> DomainId {
    b.domain(name, Members::Range { lo, hi }, HERE)
}

pub(super) fn draw(b: &mut GameBuilder, name: &str, ty: Type) -> DrawId {
    b.game.draws.push(Draw {
        name: name.to_owned(),
        ty,
        text: text(&format!("{name} {{0}}")),
        span: HERE,
    });
    DrawId::from(b.game.draws.len() - 1)
}

pub(super) fn chance(draw: DrawId, dist: Distribution, into: LocalId) -> Stmt {
    stmt(StmtKind::Chance(Chance { draw, dist, into }))
}

pub(super) fn placement(
    b: &mut GameBuilder,
    name: &str,
    (pieces, places): (DomainId, DomainId),
    form: PlacementForm,
    init: Vec<Option<u32>>,
) -> PlacementId {
    b.placement(Placement {
        name: name.to_owned(),
        pieces,
        places,
        form,
        init,
        span: HERE,
    })
}

pub(super) fn count_up(local: LocalId, from: Expr, to: Expr, body: Block) -> Stmt {
    stmt(StmtKind::For {
        local,
        from,
        to,
        count: Count::Up,
        body,
        charged: false,
    })
}

pub(super) fn trial(body: Block, keep: bool, ok: LocalId, value: Option<(Expr, LocalId)>) -> Stmt {
    stmt(StmtKind::Trial {
        body,
        keep,
        ok,
        value,
    })
}

/// A family without parameters.
pub(super) fn word(b: &mut GameBuilder, name: &str) -> FamilyId {
    let family = family(name, vec![], name);
    b.family(family)
}

/// Sets as constants.
pub(super) fn sets(rows: &[&[u32]]) -> Vec<Const> {
    rows.iter().map(|row| Const::Set(row.to_vec())).collect()
}

pub(super) fn unary(op: UnaryOp, a: Expr) -> Expr {
    Expr::unary(op, a)
}

pub(super) fn size(a: Expr) -> Expr {
    Expr::new(ExprKind::Size(Box::new(a)), Type::INT, HERE)
}

/// The names `a1`, `b1`, ... of a board.
pub(super) fn squares(columns: u32, rows: u32) -> Vec<String> {
    let column = |c: u32| char::from(b'a' + c as u8);
    let names =
        (0..rows).flat_map(|r| (0..columns).map(move |c| format!("{}{}", column(c), r + 1)));
    names.collect()
}

/// The square at an offset, nothing off the board.
pub(super) fn offset(columns: u32, rows: u32, square: u32, dx: i32, dy: i32) -> Option<u32> {
    let x = (square % columns) as i32 + dx;
    let y = (square / columns) as i32 + dy;
    let inside = (0..columns as i32).contains(&x) && (0..rows as i32).contains(&y);
    inside.then(|| y as u32 * columns + x as u32)
}

/// The neighbours of every square at these offsets, as sets.
pub(super) fn neighbours(columns: u32, rows: u32, offsets: &[(i32, i32)]) -> Vec<Const> {
    let of = |square: u32| {
        let all = offsets
            .iter()
            .filter_map(|&(dx, dy)| offset(columns, rows, square, dx, dy));
        let mut all: Vec<u32> = all.collect();
        all.sort_unstable();
        Const::Set(all)
    };
    (0..columns * rows).map(of).collect()
}

/// The integer that a member stands for, with its exact range.
pub(super) fn ordinal(b: &GameBuilder, of: Expr) -> Expr {
    let mut expr = of.clone().ordinal();
    if let Type::Elem(domain) = of.ty {
        let domain = b.game.domain(domain);
        let last = domain.len() as u32 - 1;
        expr.ty = range(domain.ordinal(0), domain.ordinal(last));
    }
    expr
}
