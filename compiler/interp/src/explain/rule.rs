//! Reasons that are about a rule, or about the position, and not about a move.

use std::sync::Arc;

use super::{Explainer, FamilyId, Otherwise, Reason, Run, Stop, Told, Tries, Type, Value, nothing};
use crate::ir::{ExprKind, Function, visit};

impl Explainer<'_> {
    /// Why no move of a family is legal here.
    pub fn family(&mut self, family: FamilyId) -> Reason {
        if let Some(reason) = self.interp.beforehand(self.state) {
            return reason;
        }
        let wanted = vec![None; self.interp.game().family(family).params.len()];
        let mut best = None;
        self.try_family(family, &wanted, &mut 0, &mut best);
        best.map_or_else(
            || nothing("not-a-move", "there is nothing to try"),
            |(_, reason)| reason,
        )
    }

    /// What no move may leave to the one who is to move, and is so already: in chess, that the king is in check. A reason of
    /// the kind `after`; one of the kind `legal` where there is no such thing.
    pub fn threat(&mut self) -> Reason {
        let fine = || nothing("legal", "nothing threatens");
        if let Some(reason) = self.interp.beforehand(self.state) {
            return reason;
        }
        let Stop::Choose { code, given, .. } = self.state.stop.as_ref() else {
            return fine();
        };
        let program = &self.state.program;
        let mut asked = Vec::new();
        for (at, arm) in program.chooses[*code].arms.iter().enumerate() {
            let family = program.game.family(arm.family);
            let Some(after) = family.after else {
                continue;
            };
            let mut values = given[at].clone();
            // The same question, of another kind of move.
            let told = self.interp.game().function(after);
            let body = (told.body.clone(), values.clone());
            if asked.contains(&body) || !is_about_the_position(told) {
                continue;
            }
            asked.push(body);
            values.extend(family.params.iter().map(|param| match param.ty {
                Type::Set(_) => Value::Set(crate::Members::below(0)),
                _ => Value::Elem(0),
            }));
            let tries = Tries {
                interp: self.interp,
                state: self.state,
                program,
                family: arm.family,
                arm: at,
                given: &given[at],
                wanted: &[],
                tries: &mut 0,
                best: &mut None,
                known: &mut self.known,
            };
            if let Some(told) = tries.as_it_is(after, &values) {
                return Reason {
                    mv: None,
                    ..tries.reason("after", &given[at], told)
                };
            }
        }
        fine()
    }
}

impl Tries<'_, '_> {
    /// Why the position as it is would not be allowed after a move; nothing if it would.
    fn as_it_is(&self, after: crate::ir::FuncId, values: &[Value]) -> Option<Told> {
        let core = Arc::clone(&self.state.core);
        let mut run = Run::new(self.program, core, Otherwise::Ignore);
        run.begin();
        run.record();
        match run.ask_on(after, values) {
            Ok(Some(Value::Bool(false))) => Some(self.decisive(&run.take_record())),
            _ => None,
        }
    }
}

/// Whether a predicate looks at the position alone, whatever the move was.
fn is_about_the_position(function: &Function) -> bool {
    let mut parameters = false;
    visit::walk_exprs(&function.body, &mut |expr| {
        parameters |=
            matches!(expr.kind, ExprKind::Local(local) if local.index() < function.params);
    });
    !parameters
}
