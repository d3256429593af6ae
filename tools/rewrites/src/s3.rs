//! Rewrites of S3 files, on their syntax tree.
//!
//! Expressions have effects (assignments, and calls that assign their parameters), so a rewrite keeps their order unless
//! what it exchanges is [`quiet`].

mod tree;

use std::collections::BTreeSet;

use rulec_ir::diag::Diagnostics;
use rulec_ir::front::Options;
use rulec_ir::source::{SourceMap, Span};
use rulec_s3::ast::{
    BinaryOp, Builtin, Definition, Expr, ExprKind, Game, IntPattern, Quantifier, Template,
    TemplatePart, UnaryOp,
};

use crate::{Random, Rewrite, shuffle};
use tree::{
    Types, called, calls, each_expr, each_name, each_var, expr, is, lines, not, quiet,
    read_outside, spot,
};

macro_rules! rewrites {
    ($($name:literal $about:literal $apply:expr;)*) => {
        pub(crate) const REWRITES: &[Rewrite] = &[$(Rewrite { name: $name, about: $about, apply: |text, random| changed(text, random, $apply) },)*];
    };
}

rewrites! {
    "locations" "locations in another order" |game, random| reorder(&mut game.locations, random);
    "elements" "elements in another order" |game, random| reorder(&mut game.elements, random);
    "rules" "rules of different elements in another order" rules;
    "definitions" "expressions in another order" |game, random| reorder(&mut game.expressions, random);
    "types" "types in another order" |game, random| {
        reorder(&mut game.element_types, random)?;
        reorder(&mut game.location_types, random)
    };
    "variables" "other names of variables" |game, _| {
        each_var(game, &mut |var| *var = format!("{var}Here"));
        Some(())
    };
    "names" "other names of expressions" |game, _| {
        each_name(game, &mut |name| *name = format!("{name}Holds"));
        Some(())
    };
    "branches" "the branches of an IF swapped" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::If { condition, yes, no } => Some(iff(not(*condition), *no, *yes)),
        _ => None,
    });
    "if-as-or" "an IF as OR and AND" |game, random| each_site(game, random, |kind, types, _| match kind {
        ExprKind::If { condition, yes, no } if quiet(&condition) && types.bool(&yes) && types.bool(&no) => {
            let met = (*condition).clone();
            // What comes between the two looks at the condition must not change what it says.
            if quiet(&yes) {
                let met = binary(BinaryOp::And, met, *yes);
                Some(binary(BinaryOp::Or, met, binary(BinaryOp::And, not(*condition), *no)).kind)
            } else if quiet(&no) {
                let unmet = binary(BinaryOp::And, not(met), *no);
                Some(binary(BinaryOp::Or, unmet, binary(BinaryOp::And, *condition, *yes)).kind)
            } else {
                None
            }
        }
        _ => None,
    });
    "or-as-if" "an OR as IF" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => Some(iff(*left, ExprKind::Bool(true).into_expr(), *right)),
        _ => None,
    });
    "and-as-if" "an AND as IF" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => Some(iff(*left, *right, ExprKind::Bool(false).into_expr())),
        _ => None,
    });
    "de-morgan" "an OR as a negated AND, and the other way round" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right, .. } => {
            let other = if op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
            Some(not(binary(other, not(*left), not(*right))).kind)
        }
        _ => None,
    });
    "not-not" "conditions negated twice" |game, random| each_site(game, random, |kind, types, _| {
        let is_assignment = matches!(kind, ExprKind::Assign { .. });
        let whole = kind.into_expr();
        (!is_assignment && types.bool(&whole)).then(|| not(not(whole)).kind)
    });
    "sides" "the sides of a comparison swapped" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op, left, right, .. } if quiet(&left) && quiet(&right) => {
            let op = match op {
                BinaryOp::Eq | BinaryOp::Ne => op,
                BinaryOp::Lt => BinaryOp::Gt,
                BinaryOp::Gt => BinaryOp::Lt,
                BinaryOp::Le => BinaryOp::Ge,
                BinaryOp::Ge => BinaryOp::Le,
                _ => return None,
            };
            Some(binary(op, *right, *left).kind)
        }
        _ => None,
    });
    "comparisons" "comparisons by their opposites" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op, left, right, .. } => {
            let op = match op {
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                BinaryOp::Lt => BinaryOp::Ge,
                BinaryOp::Ge => BinaryOp::Lt,
                BinaryOp::Gt => BinaryOp::Le,
                BinaryOp::Le => BinaryOp::Gt,
                _ => return None,
            };
            Some(not(binary(op, *left, *right)).kind)
        }
        _ => None,
    });
    "sums" "the terms of a sum swapped" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Mul), left, right, .. } if quiet(&left) && quiet(&right) => {
            Some(binary(op, *right, *left).kind)
        }
        _ => None,
    });
    "conjuncts" "the parts of a quiet AND or OR swapped" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right, .. } if sure(&left) && sure(&right) => {
            Some(binary(op, *right, *left).kind)
        }
        _ => None,
    });
    "quantifiers" "FORALL as a negated FORSOME, and the other way round" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Loop { quantifier, var, from, to, body } => {
            let quantifier = match quantifier {
                Quantifier::All => Quantifier::Some,
                Quantifier::Some => Quantifier::All,
            };
            let body = Box::new(not(*body));
            Some(not(ExprKind::Loop { quantifier, var, from, to, body }.into_expr()).kind)
        }
        _ => None,
    });
    "backwards" "loops that count down" backwards;
    "loops" "loops in loops, the inner one outside" swapped_loops;
    "lines" "an expression on one line, with AND" |game, _| {
        let types = Types::of(game);
        for definition in game.expressions.values_mut() {
            let all = definition.body.iter().all(|line| types.bool(line));
            if all && definition.body.len() > 1 {
                definition.body = vec![conjunction(std::mem::take(&mut definition.body))?];
            }
        }
        Some(())
    };
    "and-lines" "AND at the top of an expression as several lines" |game, _| {
        for definition in game.expressions.values_mut() {
            let mut body = Vec::new();
            for line in std::mem::take(&mut definition.body) {
                lines(line, &mut body);
            }
            definition.body = body;
        }
        Some(())
    };
    "inside" "what is called without arguments written where it is called" inside;
    "outside" "parts of expressions as expressions of their own" |game, random| {
        let mut made: Vec<Definition> = Vec::new();
        let first = game.expressions.len();
        spot(game, random, 6, &mut |part| {
            if matches!(part.kind, ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Var(_) | ExprKind::Call { .. }) {
                return;
            }
            let name = is(format!("Part{}", first + made.len()));
            let call = ExprKind::Call { name: name.clone(), args: Vec::new() }.into_expr();
            let body = vec![std::mem::replace(part, call)];
            made.push(Definition { name, params: Vec::new(), body, span: Span::default() });
        });
        for definition in made {
            game.expressions.insert(definition.name.node.clone(), definition);
        }
        Some(())
    };
    "helpers" "what is first asked on a line kept in a variable" helpers;
    "numbers" "numbers as small sums" |game, random| each_site(game, random, |kind, _, _| match kind {
        ExprKind::Int(value) => Some(binary(BinaryOp::Sub, ExprKind::Int(value + 1).into_expr(), ExprKind::Int(1).into_expr()).kind),
        _ => None,
    });
    "other-player" "PLAYER compared with the other one of two" |game, random| {
        if game.players.len() != 2 {
            return None;
        }
        each_site(game, random, |kind, _, _| match kind {
            ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), left, right, .. } => {
                let player = matches!(left.kind, ExprKind::Builtin { builtin: Builtin::Player, .. });
                let ExprKind::Int(number @ 1..=2) = right.kind else { return None };
                let op = if op == BinaryOp::Eq { BinaryOp::Ne } else { BinaryOp::Eq };
                player.then(|| binary(op, *left, ExprKind::Int(3 - number).into_expr()).kind)
            }
            _ => None,
        })
    };
    "conditions" "player and state of a rule asked in its condition" conditions;
    "sides-apart" "a rule for each player instead of one for both" sides_apart;
}

/// The text of a game after a change; nothing where there is no place for it.
fn changed(
    text: &str,
    random: &mut Random,
    change: fn(&mut Game, &mut Random) -> Option<()>,
) -> Option<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("rules.s3", text.as_bytes()).ok()?;
    let source = sources.get(file)?;
    let mut game = rulec_s3::load(source, &Options::default(), &mut Diagnostics::new())?;
    let before = game.to_string();
    change(&mut game, random)?;
    let after = game.to_string();
    (after != before).then_some(after)
}

trait IntoExpr {
    fn into_expr(self) -> Expr;
}

impl IntoExpr for ExprKind {
    fn into_expr(self) -> Expr {
        expr(self)
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary {
        op,
        op_span: Span::default(),
        left: Box::new(left),
        right: Box::new(right),
    })
}

fn iff(condition: Expr, yes: Expr, no: Expr) -> ExprKind {
    ExprKind::If {
        condition: Box::new(condition),
        yes: Box::new(yes),
        no: Box::new(no),
    }
}

fn conjunction(mut parts: Vec<Expr>) -> Option<Expr> {
    let last = parts.pop()?;
    Some(
        parts
            .into_iter()
            .rev()
            .fold(last, |right, left| binary(BinaryOp::And, left, right)),
    )
}

fn reorder<T>(records: &mut indexmap::IndexMap<String, T>, random: &mut Random) -> Option<()> {
    let mut entries: Vec<(String, T)> = std::mem::take(records).into_iter().collect();
    shuffle(&mut entries, random);
    records.extend(entries);
    Some(())
}

/// Rewrites expressions wherever a function gives another spelling, or at some of these places.
fn each_site(
    game: &mut Game,
    random: &mut Random,
    mut other: impl FnMut(ExprKind, &Types, &mut Random) -> Option<ExprKind>,
) -> Option<()> {
    let types = Types::of(game);
    let chance = *random.pick(&[100, 100, 60]);
    each_expr(game, &mut |part| {
        if let Some(kind) = other(part.kind.clone(), &types, random)
            && random.percent(chance)
        {
            part.kind = kind;
        }
    });
    Some(())
}

/// Whether it cannot be told if an expression is computed at all.
fn sure(part: &Expr) -> bool {
    let here = match &part.kind {
        ExprKind::Binary { op, .. } => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
        ExprKind::Builtin { builtin, .. } => matches!(
            builtin,
            Builtin::Empty
                | Builtin::Content
                | Builtin::State
                | Builtin::ElType
                | Builtin::Owner
                | Builtin::Player
        ),
        _ => true,
    };
    here && quiet(part) && part.children().into_iter().all(sure)
}

/// The text of a pattern before its first index or variable.
fn base(pattern: &Template) -> &str {
    match pattern.parts.first() {
        Some(TemplatePart::Text(text)) => text.node.split('(').next().unwrap_or_default(),
        _ => "",
    }
}

fn rules(game: &mut Game, random: &mut Random) -> Option<()> {
    let mut rules: Vec<_> = std::mem::take(&mut game.rules).into_iter().collect();
    for end in (1..rules.len()).rev() {
        let at = random.below(end + 1);
        let own = base(&rules[at].1.element).to_owned();
        let apart = rules[at + 1..=end].iter().all(|(_, rule)| {
            let other = base(&rule.element);
            !own.is_empty() && !other.is_empty() && own != other
        });
        if apart {
            rules[at..=end].rotate_left(1);
        }
    }
    game.rules.extend(rules);
    Some(())
}

/// Loops count down where their variables are of no use outside and nothing in them can tell.
fn backwards(game: &mut Game, _: &mut Random) -> Option<()> {
    let outside = read_outside(game);
    let fresh: BTreeSet<String> = called(game, &outside);
    each_expr(game, &mut |part| {
        if let ExprKind::Loop {
            var,
            from,
            to,
            body,
            ..
        } = &mut part.kind
            && quiet(from)
            && quiet(to)
            && !outside.contains(&var.node)
            && (looks(body)
                || calls(body).is_some_and(|names| names.iter().all(|name| fresh.contains(name))))
        {
            std::mem::swap(from, to);
        }
    });
    Some(())
}

/// Whether an expression only looks, loops apart.
fn looks(part: &Expr) -> bool {
    match &part.kind {
        ExprKind::Loop { .. } => part.children().into_iter().all(looks),
        _ => {
            quiet(part)
                || (!matches!(part.kind, ExprKind::Assign { .. } | ExprKind::Call { .. })
                    && is_read(part)
                    && part.children().into_iter().all(looks))
        }
    }
}

/// Whether it is no builtin that writes.
fn is_read(part: &Expr) -> bool {
    !matches!(&part.kind, ExprKind::Builtin { builtin, .. } if builtin.signature().changes_state)
}

fn swapped_loops(game: &mut Game, random: &mut Random) -> Option<()> {
    let outside = read_outside(game);
    each_site(game, random, |kind, _, _| {
        let ExprKind::Loop {
            quantifier,
            var,
            from,
            to,
            body,
        } = kind
        else {
            return None;
        };
        let ExprKind::Loop {
            quantifier: inner,
            var: own,
            from: first,
            to: last,
            body,
        } = body.kind
        else {
            return None;
        };
        let number = |part: &Expr| match &part.kind {
            ExprKind::Int(_) => true,
            ExprKind::Unary {
                op: UnaryOp::Neg,
                operand,
                ..
            } => matches!(operand.kind, ExprKind::Int(_)),
            _ => false,
        };
        let fixed = [&from, &to, &first, &last]
            .into_iter()
            .all(|bound| number(bound));
        let hidden =
            !outside.contains(&var.node) && !outside.contains(&own.node) && var.node != own.node;
        if quantifier != inner || !fixed || !hidden || !looks(&body) {
            return None;
        }
        let within = ExprKind::Loop {
            quantifier,
            var,
            from,
            to,
            body,
        }
        .into_expr();
        Some(ExprKind::Loop {
            quantifier,
            var: own,
            from: first,
            to: last,
            body: Box::new(within),
        })
    })
}

fn inside(game: &mut Game, random: &mut Random) -> Option<()> {
    let types = Types::of(game);
    let plain = game.expressions.values().filter(|definition| {
        let whole =
            definition.body.len() == 1 || definition.body.iter().all(|line| types.bool(line));
        definition.params.is_empty()
            && whole
            && !tree::reaches(game, &definition.name.node, &definition.name.node)
    });
    let plain: Vec<Definition> = plain.cloned().collect();
    each_site(game, random, |kind, _, _| {
        let ExprKind::Call { name, args } = kind else {
            return None;
        };
        let definition = plain
            .iter()
            .find(|definition| definition.name.node == name.node)?;
        args.is_empty()
            .then(|| conjunction(definition.body.clone()))?
            .map(|body| body.kind)
    })
}

/// The part of an expression that is computed first, if it is something worth a variable.
fn first(part: &mut Expr) -> Option<&mut Expr> {
    let asks = match &part.kind {
        ExprKind::Builtin { builtin, .. } => {
            use rulec_s3::ast::Type;
            *builtin != Builtin::Player
                && matches!(builtin.signature().result, Type::Int | Type::Str)
        }
        _ => false,
    };
    if asks && quiet(part) {
        return Some(part);
    }
    match &mut part.kind {
        ExprKind::Unary { operand, .. } => first(operand),
        ExprKind::Binary { left, .. } => first(left),
        ExprKind::Assign { value, .. } => first(value),
        ExprKind::If { condition, .. } => first(condition),
        ExprKind::Loop { from, .. } => first(from),
        ExprKind::Builtin { args, .. } | ExprKind::Call { args, .. } => first(args.first_mut()?),
        _ => None,
    }
}

fn helpers(game: &mut Game, _: &mut Random) -> Option<()> {
    let mut number = 0;
    for definition in game.expressions.values_mut() {
        let mut body = Vec::new();
        for mut line in std::mem::take(&mut definition.body) {
            if let Some(part) = first(&mut line) {
                number += 1;
                let name = format!("First{number}");
                let value = Box::new(std::mem::replace(
                    part,
                    ExprKind::Var(name.clone()).into_expr(),
                ));
                body.push(
                    ExprKind::Assign {
                        var: is(name),
                        value,
                    }
                    .into_expr(),
                );
            }
            body.push(line);
        }
        definition.body = body;
    }
    Some(())
}

fn conditions(game: &mut Game, _: &mut Random) -> Option<()> {
    for rule in game
        .rules
        .values_mut()
        .filter(|rule| rule.targets.is_none())
    {
        let builtin = |builtin, args| {
            ExprKind::Builtin {
                builtin,
                name_span: Span::default(),
                args,
            }
            .into_expr()
        };
        let mut parts = Vec::new();
        if let Some(IntPattern::Equals(state)) = rule
            .state
            .take_if(|state| matches!(state, IntPattern::Equals(_)))
        {
            let own = ExprKind::Str(rule.element.clone()).into_expr();
            parts.push(binary(
                BinaryOp::Eq,
                builtin(Builtin::State, vec![own]),
                state,
            ));
        }
        if let Some(IntPattern::Equals(player)) = rule
            .player
            .take_if(|player| matches!(player, IntPattern::Equals(_)))
        {
            parts.push(binary(
                BinaryOp::Eq,
                builtin(Builtin::Player, Vec::new()),
                player,
            ));
        }
        parts.extend(rule.condition.take());
        rule.condition = conjunction(parts);
    }
    Some(())
}

fn sides_apart(game: &mut Game, _: &mut Random) -> Option<()> {
    let rules = std::mem::take(&mut game.rules);
    for (name, rule) in rules {
        if rule.player.is_some() {
            game.rules.insert(name, rule);
            continue;
        }
        for player in 1..=game.players.len() as i32 {
            let mut own = rule.clone();
            own.name.node = format!("{name}{player}");
            own.player = Some(IntPattern::Equals(ExprKind::Int(player).into_expr()));
            game.rules.insert(own.name.node.clone(), own);
        }
    }
    Some(())
}
