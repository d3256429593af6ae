//! The stable printed form, for people and for snapshot tests, and the versioned serialised form.
//!
//! The printed form is indented pseudo-code that names everything. It is complete but for long
//! tables, which show their first values, and for the presentation. Where a game has sources,
//! statements end with the line they came from.

#[cfg(feature = "stored")]
mod block;
#[cfg(feature = "stored")]
mod game;

#[cfg(feature = "stored")]
use std::fmt;

use super::*;

/// Prints a game.
#[cfg(feature = "stored")]
pub fn print(game: &Game) -> String {
    let mut printer = Printer::new(game, Vec::new());
    printer.game();
    printer.out
}

/// The serialised form.
///
/// # Errors
/// None that a game can cause; those of the serialiser.
#[cfg(feature = "stored")]
pub fn to_json(game: &Game) -> Result<String, JsonError> {
    Ok(serde_json::to_string(game)?)
}

/// The game of a serialised form; it is not verified.
///
/// # Errors
/// Another version of the form, or no such form at all.
#[cfg(feature = "stored")]
pub fn from_json(text: &str) -> Result<Game, JsonError> {
    #[derive(serde::Deserialize)]
    struct Head {
        version: u32,
    }
    let head: Head = serde_json::from_str(text)?;
    if head.version != VERSION {
        return Err(JsonError::Version(head.version));
    }
    Ok(serde_json::from_str(text)?)
}

/// Why a serialised form is not read.
#[cfg(feature = "stored")]
#[derive(Debug)]
pub enum JsonError {
    /// It has another version.
    Version(u32),
    /// It is no such form.
    Form(serde_json::Error),
}

#[cfg(feature = "stored")]
impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(found) => write!(
                f,
                "this is version {found} of the form; version {VERSION} is needed"
            ),
            Self::Form(error) => error.fmt(f),
        }
    }
}

#[cfg(feature = "stored")]
impl std::error::Error for JsonError {}

#[cfg(feature = "stored")]
impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        Self::Form(error)
    }
}

/// An expression of an identity as people read it; its first local variable is `it`.
pub fn expr_text(game: &Game, expr: &Expr) -> String {
    Printer::new(game, vec![String::from("it")]).expr(expr)
}

/// A type as people read it.
pub fn type_text(game: &Game, ty: &Type) -> String {
    let name = |domain: &DomainId| match game.domains.get(domain.index()) {
        Some(domain) => domain.name.clone(),
        None => format!("{domain:?}"),
    };
    match ty {
        Type::Bool => String::from("bool"),
        Type::Int { .. } if *ty == Type::INT => String::from("int"),
        Type::Int { lo, hi } => format!("int {lo}..{hi}"),
        Type::Wrap32 => String::from("wrap32"),
        Type::Elem(domain) => name(domain),
        Type::Opt(domain) => format!("{}?", name(domain)),
        Type::Set(domain) => format!("{{{}}}", name(domain)),
        Type::Seq { item, cap } => format!("[{}; {cap}]", type_text(game, item)),
        Type::Tagged => String::from("tagged"),
    }
}

struct Printer<'a> {
    game: &'a Game,
    #[cfg(feature = "stored")]
    out: String,
    #[cfg(feature = "stored")]
    indent: usize,
    /// The names of the local variables in sight.
    locals: Vec<String>,
}

/// The name of something by its number; the number itself if there is no such thing.
fn name_of<T>(arena: &[T], index: usize, name: impl Fn(&T) -> &str) -> String {
    match arena.get(index) {
        Some(item) => name(item).to_owned(),
        None => format!("#{index}"),
    }
}

impl<'a> Printer<'a> {
    fn new(game: &'a Game, locals: Vec<String>) -> Printer<'a> {
        Printer {
            game,
            #[cfg(feature = "stored")]
            out: String::new(),
            #[cfg(feature = "stored")]
            indent: 0,
            locals,
        }
    }

    fn ty(&self, ty: &Type) -> String {
        type_text(self.game, ty)
    }

    fn domain(&self, id: DomainId) -> String {
        name_of(&self.game.domains, id.index(), |d| &d.name)
    }

    fn var(&self, id: VarId) -> String {
        name_of(&self.game.vars, id.index(), |v| &v.name)
    }

    fn env(&self, id: EnvId) -> String {
        let name = name_of(&self.game.env, id.index(), |v| &v.name);
        format!("${name}")
    }

    fn placement(&self, id: PlacementId) -> String {
        name_of(&self.game.placements, id.index(), |p| &p.name)
    }

    fn func(&self, id: FuncId) -> String {
        name_of(&self.game.functions, id.index(), |f| &f.name)
    }

    fn table(&self, id: TableId) -> String {
        name_of(&self.game.tables, id.index(), |t| &t.name)
    }

    fn trail(&self, id: TrailId) -> String {
        name_of(&self.game.trails, id.index(), |t| &t.name)
    }

    /// A local variable: its name, with its number where the name is not unique.
    fn local(&self, id: LocalId) -> String {
        let Some(name) = self.locals.get(id.index()) else {
            return format!("%{}", id.0);
        };
        let same = self.locals.iter().filter(|other| *other == name).count();
        match same > 1 || name.is_empty() {
            true => format!("{name}%{}", id.0),
            false => name.clone(),
        }
    }

    fn member(&self, domain: DomainId, member: u32) -> String {
        match self.game.domains.get(domain.index()) {
            Some(domain) if (member as usize) < domain.len() => domain.member(member),
            _ => format!("#{member}"),
        }
    }

    fn constant(&self, value: &Const, ty: &Type) -> String {
        let domain = match ty {
            Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => Some(*domain),
            _ => None,
        };
        let member = |member: u32| match domain {
            Some(domain) => self.member(domain, member),
            None => format!("#{member}"),
        };
        match (value, ty) {
            (Const::Bool(b), _) => b.to_string(),
            (Const::Int(i), Type::Wrap32) => format!("{i}w"),
            (Const::Int(i), _) => i.to_string(),
            (Const::Elem(m), Type::Opt(_)) => format!("some {}", member(*m)),
            (Const::Elem(m), _) => member(*m),
            (Const::None, _) => String::from("none"),
            (Const::Set(members), _) => {
                let members: Vec<String> = members.iter().map(|m| member(*m)).collect();
                format!("{{{}}}", members.join(", "))
            }
            (Const::Seq(items), Type::Seq { item, .. }) => {
                let items: Vec<String> = items.iter().map(|i| self.constant(i, item)).collect();
                format!("[{}]", items.join(", "))
            }
            (Const::Seq(_), _) => String::from("[?]"),
            (Const::Tagged(ty, value), _) => {
                format!("tag {}: {}", self.ty(ty), self.constant(value, ty))
            }
        }
    }

    fn over(&self, over: &Over) -> String {
        match over {
            Over::Domain(domain) => self.domain(*domain),
            Over::Set(set) => self.expr(set),
            Over::Seq(seq) => self.expr(seq),
            Over::Range(from, to) => format!("{}..{}", self.expr(from), self.expr(to)),
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        let exprs: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        exprs.join(", ")
    }

    fn index(&self, index: &[Expr]) -> String {
        match index.is_empty() {
            true => String::new(),
            false => format!("[{}]", self.exprs(index)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        use ExprKind as E;
        match &expr.kind {
            E::Const(value) => self.constant(value, &expr.ty),
            E::Local(local) => self.local(*local),
            E::Env { var, checked: true } => self.env(*var),
            E::Env { var, .. } => format!("{}!", self.env(*var)),
            E::EnvIsSet(var) => format!("is_set({})", self.env(*var)),
            E::Listened => "listened".to_owned(),
            E::Var(var, index) => format!("{}{}", self.var(*var), self.index(index)),
            E::Lookup(table, index) => format!("{}{}", self.table(*table), self.index(index)),
            E::PlaceOf(id, a) => format!("{}.place({})", self.placement(*id), self.expr(a)),
            E::Content(id, a) => format!("{}[{}]", self.placement(*id), self.expr(a)),
            E::Contents(id, a) => format!("{}.all({})", self.placement(*id), self.expr(a)),
            E::Places(id, a) => format!("{}.places({})", self.placement(*id), self.expr(a)),
            E::Unary(op, a) => format!("{}({})", unary_text(*op), self.expr(a)),
            E::Binary(op, a, b) => self.binary(*op, a, b),
            E::If(cond, yes, no) => {
                let (cond, yes, no) = (self.expr(cond), self.expr(yes), self.expr(no));
                format!("(if {cond} then {yes} else {no})")
            }
            E::Some(a) => format!("some({})", self.expr(a)),
            E::IsSome(a) => format!("is_some({})", self.expr(a)),
            E::Get(a) => format!("get({})", self.expr(a)),
            E::OrElse(a, b) => format!("({} else {})", self.expr(a), self.expr(b)),
            E::Ordinal(a) => format!("ordinal({})", self.expr(a)),
            E::Member(domain, a) => format!("{}({})", self.domain(*domain), self.expr(a)),
            E::ToWrap(a) => format!("wrap({})", self.expr(a)),
            E::ToInt(a) => format!("int({})", self.expr(a)),
            E::Tag(a) => format!("tag({})", self.expr(a)),
            E::Untag(a) => format!("untag({}: {})", self.expr(a), self.ty(&expr.ty)),
            E::HasTag(ty, a) => format!("has_tag({}: {})", self.expr(a), self.ty(ty)),
            E::SetOf(items) => format!("{{{}}}", self.exprs(items)),
            E::SeqOf(items) => format!("[{}]", self.exprs(items)),
            E::Size(a) => format!("size({})", self.expr(a)),
            E::Item(a, at) => format!("{}.item({})", self.expr(a), self.expr(at)),
            _ => self.expr_more(expr),
        }
    }

    fn expr_more(&self, expr: &Expr) -> String {
        use ExprKind as E;
        let under = |word: &str, local: &LocalId, over: &Over, body: &Expr| {
            let (local, over) = (self.local(*local), self.over(over));
            format!("{word}({local} in {over}: {})", self.expr(body))
        };
        match &expr.kind {
            E::Fold {
                fold,
                local,
                over,
                body,
            } => {
                let word = match fold {
                    super::Fold::Forall => "forall",
                    super::Fold::Exists => "exists",
                    super::Fold::Count => "count",
                    super::Fold::Sum => "sum",
                    super::Fold::Min => "min",
                    super::Fold::Max => "max",
                };
                under(word, local, over, body)
            }
            E::Collect { local, over, when } => under("collect", local, over, when),
            E::First { local, over, when } => under("first", local, over, when),
            E::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let give = match give {
                    WalkGive::Length => "length",
                    WalkGive::Passed => "passed",
                    WalkGive::Reached => "reached",
                    WalkGive::Last => "last",
                    WalkGive::Stop => "stop",
                };
                let (start, step) = (self.expr(start), self.table(*step));
                let (local, pass) = (self.local(*local), self.expr(pass));
                format!("walk_{give}({local} from {start} by {step}: {pass})")
            }
            E::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let (from, edges) = (self.expr(from), self.table(*edges));
                let (local, pass) = (self.local(*local), self.expr(pass));
                format!("closure({local} from {from} by {edges}: {pass})")
            }
            E::Call(func, args) => format!("{}({})", self.func(*func), self.exprs(args)),
            E::Holds(relation, args) => {
                let name = name_of(&self.game.relations, relation.index(), |r| &r.name);
                format!("{name}({})", self.exprs(args))
            }
            E::Related(relation, args) => {
                let name = name_of(&self.game.relations, relation.index(), |r| &r.name);
                let arg = |arg: &Option<Expr>| match arg {
                    Some(arg) => self.expr(arg),
                    None => String::from("_"),
                };
                let args: Vec<String> = args.iter().map(arg).collect();
                format!("{name}({})", args.join(", "))
            }
            E::Seen(trail) => format!("seen({})", self.trail(*trail)),
            E::Alike(identity, members) => {
                let name = self.game.identities.get(identity.index());
                let name = name.map_or("?", |identity| identity.name.as_str());
                format!("alike({name}: {})", self.exprs(members))
            }
            _ => String::new(),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        use BinaryOp::*;
        let sign = match op {
            And => "and",
            Or => "or",
            Eq => "=",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "rem",
            RemEuclid => "mod",
            Min => "min",
            Max => "max",
            Union => "|",
            Intersect => "&",
            Minus => "\\",
            UpTo => "up to",
            DownTo => "down to",
            Subset => "subset",
            In => "in",
            Concat => "++",
            SeqIntersect => "&&",
            SeqMinus => "--",
            SeqSubset => "within",
        };
        format!("({} {sign} {})", self.expr(a), self.expr(b))
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "not",
        UnaryOp::Neg => "neg",
        UnaryOp::Abs => "abs",
        UnaryOp::Complement => "complement",
    }
}
