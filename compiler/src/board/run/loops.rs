//! Loops: round after round, as long as it is known which rounds there are.

use super::*;
use crate::ir::{Count, Over};

/// Rounds of one loop.
const MOST_ROUNDS: i64 = 1024;

/// The values that a loop goes through.
type Rounds = Box<dyn Iterator<Item = Const>>;

impl<'a> Runner<'a> {
    /// The rounds of a loop over what is known.
    fn rounds(&mut self, stmt: &'a Stmt, state: &State) -> Res<(Option<LocalId>, Rounds)> {
        match &stmt.kind {
            StmtKind::For {
                local,
                from,
                to,
                count,
                ..
            } => {
                let (from, to) = (self.known(from, state)?, self.known(to, state)?);
                let (Const::Int(from), Const::Int(to)) = (from, to) else {
                    return Err(Stop::Unclear);
                };
                let size = to.checked_sub(from).ok_or(Stop::Unclear)?;
                if size.unsigned_abs() > MOST_ROUNDS as u64 {
                    return Err(self.too_many("this loop has too many rounds"));
                }
                let up = match count {
                    Count::Up => true,
                    Count::Down => false,
                    Count::Toward => from <= to,
                };
                let all: Rounds = match up {
                    true => Box::new((from..=to).map(Const::Int)),
                    false => Box::new((to..=from).rev().map(Const::Int)),
                };
                Ok((Some(*local), all))
            }
            StmtKind::ForEach(local, Over::Domain(domain), _) => {
                let members = 0..self.board.game.domain(*domain).len() as u32;
                Ok((Some(*local), Box::new(members.map(Const::Elem))))
            }
            StmtKind::ForEach(local, Over::Set(set) | Over::Seq(set), _) => {
                match self.known(set, state)? {
                    Const::Set(members) => {
                        let members = members.into_iter().map(Const::Elem);
                        Ok((Some(*local), Box::new(members)))
                    }
                    Const::Seq(items) => Ok((Some(*local), Box::new(items.into_iter()))),
                    _ => Err(Stop::Unclear),
                }
            }
            StmtKind::While { bound, .. } => {
                let most = i64::from(*bound).min(MOST_ROUNDS) as usize;
                Ok((None, Box::new(std::iter::repeat_n(Const::None, most))))
            }
            _ => Err(Stop::Unclear),
        }
    }

    pub(super) fn repeat(&mut self, stmt: &'a Stmt, state: &State, free: bool) -> Res<Parts> {
        let (local, rounds) = self.rounds(stmt, state)?;
        let (body, charged, cond) = match &stmt.kind {
            StmtKind::For { body, charged, .. } => (body, *charged, None),
            StmtKind::ForEach(_, _, body) => (body, false, None),
            StmtKind::While { cond, body, .. } => (body, true, Some(cond)),
            _ => return Err(Stop::Unclear),
        };
        let mut done = Parts::new();
        let mut live = vec![state.clone()];
        for value in rounds {
            let mut next = Vec::new();
            let alone = free && live.len() == 1 && done.is_empty();
            for mut state in live {
                if let Some(local) = local {
                    Rc::make_mut(&mut state.locals)[local.index()] = Value::Const(value.clone());
                }
                self.work += u64::from(charged);
                for (state, flow) in self.round(body, cond, state, alone)? {
                    match flow {
                        Flow::Next | Flow::Continue => next.push(state),
                        Flow::Break => done.push((state, Flow::Next)),
                        flow => done.push((state, flow)),
                    }
                }
            }
            live = next;
            if free && done.is_empty() {
                live = self.join(live, address(stmt) + 1)?;
            }
            if live.is_empty() {
                return Ok(done);
            }
            if live.len() + done.len() > MOST_PARTS {
                return Err(self.too_many("there are too many ways to here"));
            }
        }
        if cond.is_some() {
            return Err(self.too_many("this loop has too many rounds"));
        }
        done.extend(live.into_iter().map(|state| (state, Flow::Next)));
        Ok(done)
    }

    /// A round of a loop; one whose condition does not hold leaves it.
    fn round(
        &mut self,
        body: &'a [Stmt],
        cond: Option<&'a Expr>,
        state: State,
        free: bool,
    ) -> Res<Parts> {
        let Some(cond) = cond else {
            return self.block(body, state, free);
        };
        let parts = match self.truth(cond, &state) {
            Ok(true) => return self.block(body, state, free),
            Ok(false) => return Ok(vec![(state, Flow::Break)]),
            Err(Stop::Needs(place, function)) => self.split(&state, place, function)?,
            Err(stop) => return Err(stop),
        };
        let mut all = Parts::new();
        for state in parts {
            all.extend(self.round(body, Some(cond), state, false)?);
        }
        Ok(all)
    }
}
