//! Conditions in a form that does not depend on how they are spelled: for each combination of answers to what they ask,
//! whether they hold.
//!
//! A question is a stored bucket (which one, or none) or anything else that is true or not. Of `!p*[0,1]`, `p+1` and
//! `last.bucket-3` only those of the five answers about the bucket of the last piece are left that let a move be.

use super::Lower;
use super::sym::Truth;
use crate::ir::visit::expr_nodes;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Type, UnaryOp};
use crate::source::Span;

/// Combinations of answers, at most; a condition with more stays as it is.
const MAX_COMBINATIONS: usize = 1024;

/// Buckets of a board.
const BUCKETS: usize = 4;

/// Something that conditions ask about.
struct Question {
    about: Expr,
    /// How many answers it has.
    answers: usize,
}

/// A part of a condition that is no combination of others: the question that it asks, and the answers with which it holds.
struct Part {
    about: Expr,
    answers: usize,
    holds: u32,
}

/// A condition over numbered questions.
enum Tree {
    Known(bool),
    Asked(usize, u32),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

/// The combinations of answers to some questions: how many there are, and for each question how many answers it has and
/// how many combinations follow each other with the same one.
struct Combinations {
    all: usize,
    each: Vec<(usize, usize)>,
}

impl Combinations {
    /// Those of the questions in this order, the first one changing slowest.
    fn of(questions: &[Question], order: &[usize]) -> Combinations {
        let mut each = vec![(1, 1); questions.len()];
        let mut all = 1;
        for &question in order.iter().rev() {
            each[question] = (questions[question].answers, all);
            all *= questions[question].answers;
        }
        Combinations { all, each }
    }

    /// Those with which a condition holds, a bit for each.
    fn holding(&self, tree: &Tree) -> Vec<u64> {
        let words = self.all.div_ceil(64);
        match tree {
            Tree::Known(value) => vec![if *value { u64::MAX } else { 0 }; words],
            Tree::Asked(question, with) => {
                let (answers, run) = self.each[*question];
                let mut bits = vec![0; words];
                for at in (0..self.all).filter(|at| with >> (at / run % answers) & 1 == 1) {
                    bits[at / 64] |= 1 << (at % 64);
                }
                bits
            }
            Tree::Not(a) => self.holding(a).iter().map(|word| !word).collect(),
            Tree::And(a, b) => self.both(a, b, |a, b| a & b),
            Tree::Or(a, b) => self.both(a, b, |a, b| a | b),
        }
    }

    fn both(&self, a: &Tree, b: &Tree, join: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        let mut bits = self.holding(a);
        for (word, other) in bits.iter_mut().zip(self.holding(b)) {
            *word = join(*word, other);
        }
        bits
    }
}

/// Gives all parts of an expression one place in the rules.
fn placed(expr: &mut Expr, span: Span) {
    expr.span = span;
    expr.each_child_mut(|child| placed(child, span));
}

/// Whether something is divided by what may be zero: a test that stands before it keeps it from being asked.
fn may_fault(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        let divides = matches!(
            &part.kind,
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::RemEuclid, _, by)
                if by.as_const().is_none()
        );
        found |= divides;
    });
    found
}

/// Whether a condition is about a unit.
pub(super) fn of_unit(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(_)));
    found
}

/// All answers of a question.
fn every(answers: usize) -> u32 {
    (1 << answers) - 1
}

impl Lower<'_> {
    /// The condition in normal form, with all its parts at one place in the rules.
    pub(super) fn normal(&self, condition: Truth, span: Span) -> Truth {
        let Truth::When(mut expr) = condition else {
            return condition;
        };
        placed(&mut expr, span);
        if may_fault(&expr) {
            return Truth::When(expr);
        }
        let mut questions = Vec::new();
        let Some(tree) = self.tree(&expr, &mut questions) else {
            return Truth::When(expr);
        };
        let order = in_order(&questions);
        let combinations = Combinations::of(&questions, &order);
        let bits = combinations.holding(&tree);
        let table: Vec<bool> = (0..combinations.all)
            .map(|at| bits[at / 64] >> (at % 64) & 1 == 1)
            .collect();
        let ordered: Vec<&Question> = order.iter().map(|at| &questions[*at]).collect();
        self.asked(&ordered, &table)
    }

    /// The condition over its questions; nothing where these have too many answers.
    fn tree(&self, expr: &Expr, questions: &mut Vec<Question>) -> Option<Tree> {
        let both = |a: &Expr, b: &Expr, questions: &mut Vec<Question>| {
            let a = Box::new(self.tree(a, questions)?);
            Some((a, Box::new(self.tree(b, questions)?)))
        };
        Some(match &expr.kind {
            ExprKind::Const(Const::Bool(value)) => Tree::Known(*value),
            ExprKind::Unary(UnaryOp::Not, a) => Tree::Not(Box::new(self.tree(a, questions)?)),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let (a, b) = both(a, b, questions)?;
                Tree::And(a, b)
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = both(a, b, questions)?;
                Tree::Or(a, b)
            }
            _ => {
                let part = self.part(expr);
                let known = questions.iter().position(|q| q.about == part.about);
                let question = known.unwrap_or(questions.len());
                if known.is_none() {
                    let all: usize = questions.iter().map(|q| q.answers).product();
                    if all * part.answers > MAX_COMBINATIONS {
                        return None;
                    }
                    let Part { about, answers, .. } = part;
                    questions.push(Question { about, answers });
                }
                Tree::Asked(question, part.holds)
            }
        })
    }

    /// What a part asks. The answer about a bucket is its number, and that after the last one is that there is none.
    fn part(&self, expr: &Expr) -> Part {
        match &expr.kind {
            ExprKind::IsSome(stored) if stored.ty == Type::Opt(self.ids.bucket) => Part {
                about: (**stored).clone(),
                answers: BUCKETS + 1,
                holds: every(BUCKETS),
            },
            ExprKind::Binary(BinaryOp::Eq, stored, wanted) => {
                let answers = match &stored.ty {
                    Type::Opt(domain) if *domain == self.ids.bucket => BUCKETS + 1,
                    Type::Elem(domain) if *domain == self.ids.bucket => BUCKETS,
                    _ => return compared(expr),
                };
                let wanted = match &wanted.kind {
                    ExprKind::Some(inner) => inner.as_const(),
                    _ => wanted.as_const(),
                };
                match wanted {
                    Some(Const::Elem(bucket)) => Part {
                        about: (**stored).clone(),
                        answers,
                        holds: 1 << bucket,
                    },
                    _ => compared(expr),
                }
            }
            _ => compared(expr),
        }
    }

    /// A condition from whether it holds for each combination of answers, those of the first question slowest.
    fn asked(&self, questions: &[&Question], table: &[bool]) -> Truth {
        let Some((question, others)) = questions.split_first() else {
            return Truth::of(table[0]);
        };
        let each = table.len() / question.answers;
        let mut cases: Vec<(&[bool], u32)> = Vec::new();
        for (answer, part) in table.chunks(each).enumerate() {
            match cases.iter_mut().find(|(other, _)| *other == part) {
                Some((_, answers)) => *answers |= 1 << answer,
                None => cases.push((part, 1 << answer)),
            }
        }
        // What holds with every answer needs none.
        let within = |(less, _): &&(&[bool], u32)| {
            cases
                .iter()
                .all(|(more, _)| less.iter().zip(*more).all(|(a, b)| b >= a))
        };
        let always = cases.iter().find(within).map(|(part, _)| *part);
        let some = cases.iter().filter(|(part, _)| Some(*part) != always);
        let some = some.map(|&(part, answers)| {
            let is = self.answered(question, answers);
            is.and(self.asked(others, part))
        });
        let some = Truth::any(some);
        match always {
            Some(part) => some.or(self.asked(others, part)),
            None => some,
        }
    }

    /// Whether the answer to a question is one of these.
    fn answered(&self, question: &Question, answers: u32) -> Truth {
        let all = every(question.answers);
        let about = &question.about;
        if answers == all {
            return Truth::Yes;
        }
        if about.ty == Type::Bool {
            let holds = Truth::When(about.clone());
            return if answers == 2 { holds } else { negated(holds) };
        }
        let stored = question.answers > BUCKETS;
        if stored && answers == every(BUCKETS) {
            return Truth::When(about.clone().is_some());
        }
        let none = stored && answers >> BUCKETS & 1 == 1;
        if none && answers.count_ones() == 2 {
            let absent = Truth::When(about.clone().is_some().not());
            return absent.or(self.answered(question, answers & every(BUCKETS)));
        }
        if none || !stored && answers.count_ones() as usize > BUCKETS / 2 {
            return self.answered(question, all & !answers).not();
        }
        let span = about.span;
        Truth::any(
            (0..BUCKETS as u32)
                .filter(|bucket| answers >> bucket & 1 == 1)
                .map(|bucket| {
                    let bucket = Expr::elem(self.ids.bucket, bucket, span);
                    let bucket = if stored { bucket.some() } else { bucket };
                    Truth::When(about.clone().equals(bucket))
                }),
        )
    }
}

/// The questions in an order that does not depend on which is asked first: short ones before long ones, such as whether a piece
/// was removed before what it was, and what is asked of each unit at last.
fn in_order(questions: &[Question]) -> Vec<usize> {
    let mut order: Vec<(bool, usize, String, usize)> = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let name = format!("{:?}", question.about.kind);
        order.push((
            of_unit(&question.about),
            expr_nodes(&question.about),
            name,
            at,
        ));
    }
    order.sort();
    order.into_iter().map(|(.., at)| at).collect()
}

/// A comparison the way that it is asked everywhere, or what else is true or not.
fn compared(expr: &Expr) -> Part {
    let truth = |about: Expr, holds: bool| Part {
        about,
        answers: 2,
        holds: if holds { 2 } else { 1 },
    };
    let ExprKind::Binary(op, a, b) = &expr.kind else {
        return truth(expr.clone(), true);
    };
    let (op, a, b, holds) = match op {
        BinaryOp::Ne => (BinaryOp::Eq, a, b, false),
        BinaryOp::Gt => (BinaryOp::Lt, b, a, true),
        BinaryOp::Le => (BinaryOp::Lt, b, a, false),
        BinaryOp::Ge => (BinaryOp::Lt, a, b, false),
        _ => (*op, a, b, true),
    };
    let (a, b) = match op == BinaryOp::Eq && b.as_const().is_none() && a.as_const().is_some() {
        true => (b, a),
        false => (a, b),
    };
    truth(
        Expr::binary(op, (**a).clone(), (**b).clone()).at(expr.span),
        holds,
    )
}

/// The opposite of a truth value, a comparison by the opposite comparison.
fn negated(truth: Truth) -> Truth {
    let Truth::When(Expr {
        kind: ExprKind::Binary(op, a, b),
        span,
        ..
    }) = &truth
    else {
        return truth.not();
    };
    let op = match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Lt => BinaryOp::Ge,
        _ => return truth.not(),
    };
    Truth::When(Expr::binary(op, (**a).clone(), (**b).clone()).at(*span))
}
