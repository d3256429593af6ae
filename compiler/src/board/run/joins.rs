//! Positions that come together again, and what each of them has done on the way.

use super::*;

impl<'a> Runner<'a> {
    /// Puts ways together after a statement.
    pub(super) fn join(&mut self, mut live: Vec<State>, after: usize) -> Res<Vec<State>> {
        let Some(start) = self.start.clone() else {
            return Ok(live);
        };
        if live.len() == 1 {
            if let Some(only) = live.first_mut() {
                if self.faults || !only.writes.is_empty() || self.work > self.charged {
                    self.note(&start, std::slice::from_ref(only), &[]);
                }
                only.writes = Rc::default();
                self.start = Some(only.clone());
            }
            return Ok(live);
        }
        if live.is_empty() || self.apart.contains(&after) {
            return Ok(live);
        }
        let mut all = start.clone();
        let mut counted: Vec<Vec<i64>> = Vec::new();
        let locals: Vec<&[Value]> = live.iter().map(|state| &state.locals[..]).collect();
        let env: Vec<&[Value]> = live.iter().map(|state| &state.env[..]).collect();
        all.locals = Rc::new(self.joined(&start.locals, &locals, after, &mut counted));
        all.env = Rc::new(self.joined(&start.env, &env, after, &mut counted));
        let vars: SortedSet<VarId> = live
            .iter()
            .flat_map(|state| state.vars.keys().copied())
            .collect();
        for var in vars {
            let mut values = live.iter().map(|state| state.vars.get(&var));
            let first = values.next().flatten().cloned();
            let same = values.all(|value| value == first.as_ref());
            let value = first
                .filter(|_| same)
                .unwrap_or(Value::Unknown(Some(after)));
            Rc::make_mut(&mut all.vars).insert(var, value);
        }
        let written = live.iter().flat_map(|state| state.writes.iter());
        let written: SortedSet<u32> = written.map(|write| write.place).collect();
        for place in written {
            let mut spot = self.spot(&start, place);
            spot.mixed = Some(after);
            Rc::make_mut(&mut all.board).insert(place, Rc::new(spot));
        }
        self.note(&start, &live, &counted);
        self.start = Some(all.clone());
        Ok(vec![all])
    }

    /// Values that several ways have in common.
    pub(super) fn joined(
        &mut self,
        start: &[Value],
        ways: &[&[Value]],
        after: usize,
        counted: &mut Vec<Vec<i64>>,
    ) -> Vec<Value> {
        let mut all = Vec::new();
        for (at, before) in start.iter().enumerate() {
            let own: Vec<&Value> = ways.iter().filter_map(|way| way.get(at)).collect();
            let same = own.windows(2).all(|pair| pair[0] == pair[1]);
            all.push(match (own.first(), same) {
                (Some(first), true) => (*first).clone(),
                _ => match own
                    .iter()
                    .map(|value| since(before, value))
                    .collect::<Option<Vec<i64>>>()
                {
                    Some(steps) => {
                        let before = Before {
                            value: before.clone(),
                            act: self.noted,
                            counter: counted.len(),
                        };
                        counted.push(steps);
                        let origin = self.origin(Some(after), Some(before));
                        Value::Since(origin, 0)
                    }
                    None => Value::Unknown(Some(after)),
                },
            });
        }
        all
    }

    pub(super) fn origin(&mut self, joined: Option<usize>, before: Option<Before>) -> usize {
        self.origins.push(Origin { joined, before });
        self.origins.len() - 1
    }

    /// Notes what the ways from the start of an act did.
    pub(super) fn note(&mut self, start: &State, ways: &[State], counted: &[Vec<i64>]) {
        let mut act = Act {
            faulty: std::mem::take(&mut self.faults),
            ..Act::default()
        };
        self.charged = self.work;
        let mut noted = vec![false; self.board.may.len()];
        for (at, way) in ways.iter().enumerate() {
            let mut tests = SortedMap::new();
            let mut known = start.board.iter().peekable();
            for (place, spot) in way.board.iter() {
                while known.next_if(|(other, _)| *other < place).is_some() {}
                let before = match known.peek() {
                    Some((other, before)) if *other == place => &before.may,
                    _ => &self.board.may[*place as usize],
                };
                // Most are those that were there before, and lie where they lay.
                if spot.may.address() != before.address() && spot.may != *before {
                    tests.insert(*place, spot.may.clone());
                }
                if !std::mem::replace(&mut noted[*place as usize], true) {
                    act.before.insert(*place, before.clone());
                }
            }
            act.ways.push(Way {
                tests,
                writes: way.writes.to_vec(),
                counted: counted
                    .iter()
                    .filter_map(|steps| steps.get(at).copied())
                    .collect(),
            });
        }
        self.noted += 1;
        self.acts.push(act);
    }
}
