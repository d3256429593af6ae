//! Calls, names, constants and types within expressions.

use super::names::Space;
use super::types::{self, Mask};
use super::{Role, Root, Shared, constant};
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Ident, Template, Type, UnaryOp};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::expr::arguments;
use crate::source::Span;

/// Words that the language takes for itself.
const RESERVED: &[&str] = &[
    "IF",
    "FORALL",
    "FORSOME",
    "NOT",
    "ABS",
    "SUBSET",
    "ISPARTOF",
    "IN",
    "SETMINUS",
    "EXCEPTOF",
    "UNION",
    "INTERSECT",
    "AND",
    "OR",
    "EMTPY",
];

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    for root in &facts.roots {
        let mut checker = Checker { facts, diagnostics };
        checker.expr(root.expr);
        checker.root(root);
    }
    for definition in facts.definitions().values() {
        let mut findings = Diagnostics::new();
        let mut checker = Checker {
            facts,
            diagnostics: &mut findings,
        };
        checker.header(&definition.name);
        checker.parameters(&definition.params);
        checker.lines(&definition.body);
        facts.report(definition, findings, diagnostics);
        if !facts.used.contains(definition.name.node.as_str()) {
            unused(&definition.name, diagnostics);
        }
    }
}

fn unused(name: &Ident, diagnostics: &mut Diagnostics) {
    if !is_reserved(&name.node) {
        let message = format!("the expression `{}` is never used", name.node);
        diagnostics.push(Diagnostic::new(&codes::UNUSED, name.span, message));
    }
}

fn is_reserved(name: &str) -> bool {
    let builtin = Builtin::TABLE.iter().any(|row| row.name == name);
    let truth = name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false");
    builtin || truth || RESERVED.contains(&name)
}

/// The part of an expression that a constant keeps from being evaluated.
fn dead_part(expr: &Expr) -> Option<&Expr> {
    let (decision, (if_false, if_true)) = match &expr.kind {
        ExprKind::Binary {
            op: BinaryOp::And,
            left,
            right,
            ..
        } => (left, (Some(right), None)),
        ExprKind::Binary {
            op: BinaryOp::Or,
            left,
            right,
            ..
        } => (left, (None, Some(right))),
        ExprKind::If { condition, yes, no } => (condition, (Some(yes), Some(no))),
        _ => return None,
    };
    match decision.kind {
        ExprKind::Bool(false) => if_false.map(Box::as_ref),
        ExprKind::Bool(true) => if_true.map(Box::as_ref),
        _ => None,
    }
}

struct Checker<'f, 'a, 'd> {
    facts: &'f Shared<'a>,
    diagnostics: &'d mut Diagnostics,
}

impl Checker<'_, '_, '_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn header(&mut self, name: &Ident) {
        if is_reserved(&name.node) {
            let message = format!("`{}` can never be called", name.node);
            let warning = Diagnostic::new(&codes::UNCALLABLE, name.span, message);
            self.push(
                warning
                    .label("means something else already")
                    .help("choose another name"),
            );
        } else if name.node.starts_with(|c: char| c.is_ascii_digit()) {
            let message = format!("`{}` can never be called", name.node);
            let warning = Diagnostic::new(&codes::UNCALLABLE, name.span, message);
            self.push(
                warning
                    .label("reads as a number")
                    .help("start the name with a letter"),
            );
        }
    }

    fn parameters(&mut self, params: &[Ident]) {
        for (at, param) in params.iter().enumerate() {
            let later = params[at + 1..].iter().find(|p| p.node == param.node);
            if let Some(later) = later {
                let message = format!("the parameter `${}` occurs twice", param.node);
                let warning = Diagnostic::new(&codes::SAME_PARAMETER, param.span, message);
                let warning = warning.label("its argument is lost");
                self.push(warning.also(later.span, "this one counts"));
            }
        }
    }

    fn lines(&mut self, body: &[Expr]) {
        let mut ended: Option<Span> = None;
        for line in body {
            if let Some(span) = ended.take() {
                let warning =
                    Diagnostic::new(&codes::UNREACHABLE, line.span, "the line is never reached");
                self.push(warning.also(span, "always ends the expression here"));
            }
            self.expr(line);
            self.never_holds(line);
            if matches!(line.kind, ExprKind::Bool(false)) {
                ended = Some(line.span);
            }
        }
    }

    /// Checks an expression outside of [EXPRESSIONS] against what it is for.
    fn root(&mut self, root: &Root<'_>) {
        let Some(wanted) = types::wanted(root.role) else {
            return;
        };
        let mask = self.facts.types.of(root.expr);
        let players = self.facts.players();
        if let Role::Condition | Role::Situation = root.role {
            self.never_holds(root.expr);
        }
        match root.role {
            Role::Condition | Role::Situation if mask.excludes(wanted) => {
                let message = format!("this is {}, so it never holds", mask.phrase());
                let warning = Diagnostic::new(&codes::ALWAYS_SAME, root.expr.span, message);
                self.push(warning.note("only `true` makes a condition hold"));
            }
            Role::State | Role::Player if mask.excludes(wanted) => {
                let message = format!("this is {}, so it never matches", mask.phrase());
                self.push(Diagnostic::new(
                    &codes::ALWAYS_SAME,
                    root.expr.span,
                    message,
                ));
            }
            Role::Winner => {
                self.needs(wanted, root.expr, "`winner`");
                self.player_in_range(root.expr, 0, players, "winners run from 0, a draw, to");
            }
            Role::AwardPlayer => {
                self.needs(wanted, root.expr, "the player of an award");
                self.player_in_range(root.expr, 1, players, "players run from 1 to");
            }
            Role::AwardAmount => self.needs(wanted, root.expr, "a score"),
            Role::Targets => {
                self.needs(wanted, root.expr, "`toLocations`");
                self.targets(root.expr);
            }
            Role::Player => self.known_player(root.expr),
            _ => {}
        }
    }

    /// Checks the places that an expression of `toLocations` names itself.
    fn targets(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Str(text) => self.name(Space::Locations, text, None),
            ExprKind::Set(members) => members.iter().for_each(|member| self.targets(member)),
            ExprKind::Lazy(items) => items.iter().take(1).for_each(|item| self.targets(item)),
            ExprKind::If { yes, no, .. } => {
                self.targets(yes);
                self.targets(no);
            }
            ExprKind::Binary {
                op: BinaryOp::Union | BinaryOp::Intersect | BinaryOp::SetMinus,
                left,
                right,
                ..
            } => {
                self.targets(left);
                self.targets(right);
            }
            _ => {}
        }
    }

    fn known_player(&mut self, expr: &Expr) {
        let players = self.facts.players();
        // That there are none is told by itself.
        if players == 0 {
            return;
        }
        if let Some(player) =
            constant(expr).filter(|player| !(1..=i64::from(players)).contains(player))
        {
            let error = Diagnostic::new(
                &codes::UNKNOWN_PLAYER,
                expr.span,
                format!("there is no player {player}"),
            );
            self.push(error.note(format!("players run from 1 to {players}")));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Unary { op, operand, .. } => {
                let wanted = if *op == UnaryOp::Not {
                    Type::Bool
                } else {
                    Type::Int
                };
                self.needs(wanted, operand, &format!("`{}`", op.spelling()));
            }
            ExprKind::Binary {
                op, left, right, ..
            } => self.binary(expr, *op, left, right),
            ExprKind::If { condition, .. } => {
                self.needs(Type::Bool, condition, "the condition of `IF`")
            }
            ExprKind::Loop {
                quantifier,
                from,
                to,
                body,
                ..
            } => {
                let word = quantifier.spelling();
                self.needs(Type::Int, from, &format!("the first value of `{word}`"));
                self.needs(Type::Int, to, &format!("the last value of `{word}`"));
                self.needs(Type::Bool, body, &format!("the body of `{word}`"));
            }
            ExprKind::Builtin { builtin, args, .. } => self.builtin(*builtin, args),
            ExprKind::Call { name, args } => self.call(expr, name, args),
            ExprKind::Lazy(items) => self.list(expr, items),
            _ => {}
        }
        let dead = dead_part(expr);
        for child in expr.children() {
            match dead {
                Some(dead) if std::ptr::eq(dead, child) => self.never_evaluated(child),
                _ => self.expr(child),
            }
        }
    }

    /// Reports a test of two numbers that never holds, where it stands for itself: a line, a condition, a part of one.
    fn never_holds(&mut self, test: &Expr) {
        match &test.kind {
            ExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                left,
                right,
                ..
            } => {
                self.never_holds(left);
                self.never_holds(right);
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                if let (Some(a), Some(b)) = (constant(left), constant(right))
                    && never(*op, a, b)
                {
                    let message = "this is always false";
                    let warning = Diagnostic::new(&codes::ALWAYS_SAME, test.span, message);
                    self.push(warning.note("two numbers are compared, and nothing changes them"));
                }
            }
            _ => {}
        }
    }

    fn never_evaluated(&mut self, expr: &Expr) {
        if !matches!(expr.kind, ExprKind::Bool(_) | ExprKind::Int(_)) {
            let message = "this is never evaluated";
            self.push(Diagnostic::new(&codes::ALWAYS_SAME, expr.span, message));
        }
    }

    /// Reports a value that certainly has another type.
    fn needs(&mut self, wanted: Type, expr: &Expr, who: &str) {
        let mask = self.facts.types.of(expr);
        if mask.excludes(wanted) {
            let message = format!("{who} needs {}, this is {}", wanted.phrase(), mask.phrase());
            let error = Diagnostic::new(&codes::WRONG_TYPE, expr.span, message);
            self.push(error);
        }
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) {
        let who = format!("`{}`", op.spelling());
        if let Some(wanted) = types::operand(op) {
            self.needs(wanted, left, &who);
            if dead_part(expr).is_none() {
                self.needs(wanted, right, &who);
            }
        }
        match op {
            BinaryOp::In => self.needs(Type::Set, right, &who),
            BinaryOp::Div | BinaryOp::Rem if constant(right) == Some(0) => {
                self.push(Diagnostic::new(
                    &codes::ZERO_DIVISION,
                    right.span,
                    "division by zero",
                ));
            }
            BinaryOp::Eq | BinaryOp::Ne => self.comparison(expr, op, left, right),
            _ => {}
        }
        match (op, &right.kind) {
            (BinaryOp::Eq | BinaryOp::Ne, ExprKind::Str(text)) => self.compared_name(left, text),
            (BinaryOp::In, ExprKind::Set(members)) => {
                for member in members {
                    if let ExprKind::Str(text) = &member.kind {
                        self.compared_name(left, text);
                    }
                }
            }
            _ => {}
        }
        if let (BinaryOp::Eq | BinaryOp::Ne, ExprKind::Str(text)) = (op, &left.kind) {
            self.compared_name(right, text);
        }
    }

    fn comparison(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) {
        let (a, b): (Mask, Mask) = (self.facts.types.of(left), self.facts.types.of(right));
        if a.apart(b) {
            let value = op == BinaryOp::Ne;
            let warning = Diagnostic::new(
                &codes::ALWAYS_SAME,
                expr.span,
                format!("this is always {value}"),
            );
            let warning = warning
                .also(left.span, a.phrase())
                .also(right.span, b.phrase());
            self.push(warning.note("values of different types are never equal"));
        }
    }

    /// Checks a string that is compared with the value of a builtin which gives names.
    fn compared_name(&mut self, asked: &Expr, text: &Template) {
        let ExprKind::Builtin { builtin, .. } = &asked.kind else {
            return;
        };
        let game = self.facts.game;
        let types: Vec<&str> = match builtin {
            Builtin::ElType => game.element_types.keys().map(String::as_str).collect(),
            Builtin::LocType => game.location_types.keys().map(String::as_str).collect(),
            Builtin::Content => return self.name(Space::Elements, text, None),
            Builtin::Location => return self.name(Space::Locations, text, None),
            _ => return,
        };
        let Some(name) = text
            .literal()
            .filter(|name| !name.is_empty() && !types.contains(name))
        else {
            return;
        };
        let noun = if *builtin == Builtin::ElType {
            "element type"
        } else {
            "location type"
        };
        let warning = Diagnostic::new(
            &codes::NO_SUCH_NAME,
            text.span,
            format!("no {noun} is called `{name}`"),
        );
        let near = self.facts.names.closest(name, types.into_iter());
        self.push(match near {
            Some(near) => warning.fix(format!("did you mean `{near}`?"), inside(text.span), near),
            None => warning,
        });
    }

    /// Checks that a string can name something; `faulting` is the builtin that faults otherwise.
    fn name(&mut self, space: Space, text: &Template, faulting: Option<Builtin>) {
        let names = &self.facts.names;
        if text.literal() == Some("") && faulting.is_none() || names.possible(space, text) {
            return;
        }
        // A template of another shape may still be filled in to a name, unless it is a calculation.
        let sum = calculation(text);
        if let (Some(slip), None) = (text.slip(), sum.as_ref()) {
            let message = format!("{slip}, so no {} is called so", space.noun());
            self.push(Diagnostic::new(&codes::NO_SUCH_NAME, text.span, message));
            return;
        }
        if text.literal().is_none() && text.indexed().is_none() && sum.is_none() {
            return;
        }
        let shown = shown(text);
        let message = format!("no {} is called `{shown}`", space.noun());
        let code = match (faulting, text.literal()) {
            (Some(_), Some(_)) => &codes::UNKNOWN_NAME,
            _ => &codes::NO_SUCH_NAME,
        };
        let finding = Diagnostic::new(code, text.span, message);
        let finding = match sum {
            Some(sum) => finding
                .label("strings do not calculate: they only fill variables in")
                .help(format!(
                    "calculate first, as in `$NEXT = {sum}`, and write `$NEXT` here"
                )),
            None => names.hint(finding, space, text, inside(text.span)),
        };
        self.push(finding);
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) {
        let signature = builtin.signature();
        for (arg, wanted) in args.iter().zip(signature.params) {
            self.needs(*wanted, arg, &format!("`{}`", signature.name));
        }
        let faulting = (signature.changes_state || builtin == Builtin::ZIndex).then_some(builtin);
        for (arg, space) in args.iter().zip(spaces(builtin)) {
            if let (ExprKind::Str(text), Some(space)) = (&arg.kind, space) {
                self.name(*space, text, faulting);
            }
        }
        let players = self.facts.players();
        match (builtin, args) {
            (Builtin::Score, [player]) => {
                self.player_in_range(player, 1, players, "players run from 1 to")
            }
            (Builtin::SetOwner, [_, owner]) => {
                self.player_in_range(owner, 0, players, "owners run from 0, nobody, to");
            }
            (Builtin::SetState, [element, state]) => {
                let template = match &element.kind {
                    ExprKind::Str(text) => Some(text),
                    _ => None,
                };
                let states = self.facts.names.max_states(template);
                self.in_range(state, 1, states, "states run from 1 to");
            }
            (Builtin::IndexA, [at, _]) => {
                self.in_range(at, 1, i32::MAX, "indexes count from 1, up to")
            }
            _ => {}
        }
    }

    /// The same for a player, where there are any: that there are none is told by itself.
    fn player_in_range(&mut self, expr: &Expr, least: i32, greatest: i32, range: &str) {
        if greatest > 0 {
            self.in_range(expr, least, greatest, range);
        }
    }

    /// Reports a constant out of range.
    fn in_range(&mut self, expr: &Expr, least: i32, greatest: i32, range: &str) {
        let outside = |value: &i64| !(i64::from(least)..=i64::from(greatest)).contains(value);
        if let Some(value) = constant(expr).filter(outside) {
            let error = Diagnostic::new(
                &codes::OUT_OF_RANGE,
                expr.span,
                format!("{value} is out of range"),
            );
            self.push(error.note(format!("{range} {greatest}")));
        }
    }

    fn call(&mut self, expr: &Expr, name: &Ident, args: &[Expr]) {
        let Some(definition) = self.facts.definitions().get(&name.node) else {
            self.unknown_function(expr, name, args);
            return;
        };
        if definition.params.len() != args.len() {
            let message = format!(
                "`{}` takes {}",
                name.node,
                arguments(definition.params.len())
            );
            let error = Diagnostic::new(&codes::ARGUMENT_COUNT, name.span, message);
            let error = error.label(match args.len() {
                1 => "1 is given".to_owned(),
                given => format!("{given} are given"),
            });
            self.push(error.also(definition.name.span, "defined here"));
        }
        if definition.body.is_empty() && !self.facts.lost.contains(&name.node) {
            let error = Diagnostic::new(
                &codes::NO_BODY,
                name.span,
                format!("`{}` has no lines", name.node),
            );
            let error = error
                .label("has no value")
                .also(definition.name.span, "defined here");
            self.push(error.help("write a line between its header and `END`"));
        }
    }

    fn unknown_function(&mut self, expr: &Expr, name: &Ident, args: &[Expr]) {
        let word = name.node.as_str();
        let error = Diagnostic::new(
            &codes::UNKNOWN_FUNCTION,
            name.span,
            format!("unknown function `{word}`"),
        );
        self.push(self.hint(error, expr, name, args));
    }

    fn hint(&self, error: Diagnostic, expr: &Expr, name: &Ident, args: &[Expr]) -> Diagnostic {
        let word = name.node.as_str();
        let facts = self.facts;
        if args.is_empty() && facts.types.knows(word) {
            return error.fix(
                format!("did you mean the variable `${word}`?"),
                name.span,
                format!("${word}"),
            );
        }
        let players = facts.game.players.iter().zip(1..);
        let mut named =
            players.filter(|(player, _)| args.is_empty() && player.node.eq_ignore_ascii_case(word));
        if let Some((_, number)) = named.next() {
            let help = format!("players are numbers: `{word}` is {number}");
            return error.fix(help, name.span, number.to_string());
        }
        if word.contains('\'') {
            return error.help("strings are written with `\"`");
        }
        if facts.names.is_base(word, args.len()) {
            let quoted = quoted(word, args);
            let message = match &quoted {
                Some(text) => format!("names are strings: write `{text}`"),
                None => "names are strings and need quotes".to_owned(),
            };
            return match quoted {
                Some(text) => error.fix(message, expr.span, text),
                None => error.help(message),
            };
        }
        let builtins = Builtin::TABLE.iter().map(|row| row.name);
        let own = facts.definitions().keys().map(String::as_str);
        let known = builtins
            .chain(["IF", "FORALL", "FORSOME", "NOT", "ABS"])
            .chain(own);
        if let Some(near) = facts.names.closest(word, known) {
            return error.fix(format!("did you mean `{near}`?"), name.span, near);
        }
        match facts.headers.get(word) {
            Some(line) if *line == name.span => error
                .note("if this line is a header, the `END` of the expression before it is missing"),
            Some(line) => error.also(
                *line,
                "if this line is its header, the `END` before it is missing",
            ),
            None => {
                let known: Vec<&str> = Builtin::TABLE.iter().map(|row| row.name).collect();
                let list = known.join(", ");
                error.note(format!("there are {list}, and the expressions of the file"))
            }
        }
    }

    fn list(&mut self, expr: &Expr, items: &[Expr]) {
        for item in items {
            let eager = match &item.kind {
                ExprKind::Call { args, .. } => args.iter().find_map(effect),
                _ => effect(item),
            };
            if let Some((span, builtin)) = eager {
                let message = format!(
                    "`{}` runs at once, while moves are generated",
                    builtin.signature().name
                );
                let error = Diagnostic::new(&codes::EAGER_IN_LIST, span, message);
                self.push(error.help("put it into an expression of its own and call that"));
                return;
            }
        }
        let sound = match items {
            [target, followup] => {
                let target_fits = !self.facts.types.of(target).excludes(Type::Str);
                let pending = matches!(target.kind, ExprKind::Call { .. });
                target_fits && !pending && matches!(followup.kind, ExprKind::Call { .. })
            }
            _ => false,
        };
        if !sound {
            let error = Diagnostic::new(
                &codes::BAD_LIST,
                expr.span,
                "the list is no target with a followup",
            );
            let error = error
                .note("the form is `[\"target\", Call]`, the call of an expression of this file");
            self.push(error.help("for a set write braces: `{...}`"));
        }
    }
}

/// Whether a comparison of two numbers does not hold.
fn never(op: BinaryOp, a: i64, b: i64) -> bool {
    match op {
        BinaryOp::Eq => a != b,
        BinaryOp::Ne => a == b,
        BinaryOp::Lt => a >= b,
        BinaryOp::Le => a > b,
        BinaryOp::Gt => a <= b,
        BinaryOp::Ge => a < b,
        _ => false,
    }
}

/// The first builtin in an expression that changes the state, without looking into calls.
fn effect(expr: &Expr) -> Option<(Span, Builtin)> {
    match &expr.kind {
        ExprKind::Builtin {
            builtin, name_span, ..
        } if builtin.signature().changes_state => Some((*name_span, *builtin)),
        _ => expr.children().into_iter().find_map(effect),
    }
}

/// The span of a string without its quotes.
fn inside(span: Span) -> Span {
    if span.len() < 2 {
        span
    } else {
        Span::new(span.file, span.start + 1, span.end - 1)
    }
}

/// The sum or the like that stands in a string as an index, such as `$A+1`.
fn calculation(text: &Template) -> Option<String> {
    let whole = shown(text);
    let inner = whole.split_once('(')?.1.strip_suffix(')')?;
    let is_sum = |part: &&str| {
        let begins = part.starts_with('$') || part.starts_with(|c: char| c.is_ascii_digit());
        let plain = |c: char| c.is_ascii_alphanumeric() || "$_+-*/%".contains(c);
        begins && part.contains(['+', '-', '*', '/', '%']) && part.chars().all(plain)
    };
    let sum = inner.split(',').find(is_sum)?;
    let at = sum.find(['+', '-', '*', '/', '%'])?;
    let (left, right) = sum.split_at(at);
    Some(format!("{left} {} {}", &right[..1], &right[1..]))
}

fn shown(text: &Template) -> String {
    use crate::ast::TemplatePart::{Text, Var};
    let part = |part: &_| match part {
        Text(text) => text.node.clone(),
        Var(var) => format!("${}", var.node),
    };
    text.parts.iter().map(part).collect()
}

/// `s($L)` as a string, if its arguments can stand in one.
fn quoted(word: &str, args: &[Expr]) -> Option<String> {
    let indexes: Option<Vec<String>> = args
        .iter()
        .map(|arg| match &arg.kind {
            ExprKind::Var(name) => Some(format!("${name}")),
            _ => constant(arg).map(|value| value.to_string()),
        })
        .collect();
    let indexes = indexes?;
    let list = if indexes.is_empty() {
        String::new()
    } else {
        format!("({})", indexes.join(","))
    };
    Some(format!("\"{word}{list}\""))
}

/// What the arguments of a builtin name.
fn spaces(builtin: Builtin) -> &'static [Option<Space>] {
    const ELEMENT: Option<Space> = Some(Space::Elements);
    const LOCATION: Option<Space> = Some(Space::Locations);
    match builtin {
        Builtin::LocType | Builtin::Content | Builtin::Empty => &[LOCATION],
        Builtin::ElType | Builtin::State | Builtin::Location | Builtin::Owner | Builtin::ZIndex => {
            &[ELEMENT]
        }
        Builtin::Move => &[ELEMENT, LOCATION, LOCATION],
        Builtin::SetOwner | Builtin::SetState | Builtin::SetZIndex => &[ELEMENT],
        _ => &[],
    }
}
