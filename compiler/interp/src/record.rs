//! What was evaluated on the way to an answer, kept for explanations.
//!
//! Nothing is recorded unless somebody asks for a reason, see [`explain`](super::explain).

use std::sync::Arc;

use super::eval::Res;
use super::node::{Kind, Node};
use super::run::Run;
use super::state::Core;
use super::value::{Class, Value};

/// The most evaluations that are kept for one answer; what comes later is not known.
const MOST: usize = 200_000;

/// Evaluations, as they happened.
#[derive(Default)]
pub(super) struct Record<'a> {
    /// Those at work, the innermost last.
    open: Vec<Noted<'a>>,
    /// Those that are done and belong to no other.
    pub(super) roots: Vec<Noted<'a>>,
    count: usize,
}

/// An evaluation.
pub(super) struct Noted<'a> {
    pub(super) node: &'a Node,
    /// What it came to; nothing where it was broken off.
    pub(super) value: Option<Value>,
    /// What was evaluated for it, also in functions that it called.
    pub(super) kids: Vec<Noted<'a>>,
    /// What it looked at.
    pub(super) sight: Option<Box<Sight>>,
}

/// Everything that an expression can look at.
#[derive(Clone)]
pub(super) struct Sight {
    pub(super) locals: Vec<Option<Value>>,
    pub(super) env: Vec<Option<Value>>,
    pub(super) core: Arc<Core>,
    /// The function that it stands in.
    pub(super) routine: Option<usize>,
    /// That function and those that called it, the outermost first.
    pub(super) frames: Vec<usize>,
}

impl<'a> Run<'a> {
    /// Begins to record.
    pub(super) fn record(&mut self) {
        self.record = Some(Box::default());
    }

    /// What was recorded.
    pub(super) fn take_record(&mut self) -> Vec<Noted<'a>> {
        self.record
            .take()
            .map_or_else(Vec::new, |record| record.roots)
    }

    /// Everything that an expression at the present place looks at.
    fn sight(&self) -> Sight {
        Sight {
            locals: self.locals[self.base..].to_vec(),
            env: self.env.clone(),
            core: Arc::clone(&self.core),
            routine: self.frames.last().map(|frame| frame.routine),
            frames: self.frames.iter().map(|frame| frame.routine).collect(),
        }
    }

    /// Evaluates and notes it.
    #[cold]
    pub(super) fn noted<T>(
        &mut self,
        node: &'a Node,
        eval: impl FnOnce(&mut Self, &'a Node) -> Res<T>,
        value: impl FnOnce(&T) -> Value,
    ) -> Res<T> {
        let tells = matches!(node.class, Class::Bool | Class::Whole)
            && !matches!(
                node.kind,
                Kind::And | Kind::Or | Kind::Not | Kind::Number(_) | Kind::Const(_)
            );
        let sight = tells.then(|| Box::new(self.sight()));
        if let Some(record) = &mut self.record {
            record.count += 1;
            if record.count > MOST {
                self.record = None;
                return eval(self, node);
            }
            record.open.push(Noted {
                node,
                value: None,
                kids: Vec::new(),
                sight,
            });
        }
        let result = eval(self, node);
        if let Some(record) = &mut self.record
            && let Some(mut noted) = record.open.pop()
        {
            noted.value = result.as_ref().ok().map(value);
            match record.open.last_mut() {
                Some(outer) => outer.kids.push(noted),
                None => record.roots.push(noted),
            }
        }
        result
    }
}
