//! `definite`: reads of the environment that always find a value are no longer tested.
//!
//! A forward analysis ([`crate::ir::flow`]) of "has a value on every path". Calls are followed for each set of variables that
//! they are made with, as far as the function reads them; recursion starts from the assumption that the call never comes back
//! and is repeated until nothing changes. A read is proved if it is in every context in which its function is called.
//!
//! Later passes change the program. [`renew`] proves everything again at the end: a read that is no longer proved is tested
//! again, so that no program leaves the passes with a proof that it does not keep.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::flow::{self, Analysis, Flow};
use crate::ir::{
    EnvId, Expr, ExprKind, FuncId, Game, IdentityTerm, ParamSource, RelationId, Stmt, StmtKind,
};

use crate::ir::walk::{blocks_mut, rewrite_block, roots};

/// Contexts of calls after which it proves nothing more.
const CONTEXTS: usize = 20_000;

/// Clears `checked` on the reads that are proved.
pub fn run(game: &mut Game) {
    let Some(proof) = Proof::of(game) else { return };
    proof.mark(game, &mut |checked, proved| *checked &= !proved);
}

/// Sets `checked` again on the reads that are not proved, or no longer.
pub fn renew(game: &mut Game) {
    let Some(proof) = Proof::of(game) else { return };
    proof.mark(game, &mut |checked, proved| *checked |= !proved);
}

/// The reads that are not tested although nothing proves them.
pub fn unproved(game: &Game) -> usize {
    let mut game = game.clone();
    let Some(proof) = Proof::of(&game) else {
        return 0;
    };
    let mut count = 0;
    proof.mark(&mut game, &mut |checked, proved| {
        count += usize::from(!*checked && !proved);
    });
    count
}

/// The variables that have a value for sure.
type Known = SortedSet<EnvId>;

/// A read, by its place in memory: the game stays where it is meanwhile.
type Site = *const Expr;

/// What the analysis found.
struct Proof {
    reached: SortedSet<FuncId>,
    unproved: SortedSet<Site>,
}

impl Proof {
    /// Nothing if there are too many contexts, or nothing to prove.
    fn of(game: &Game) -> Option<Proof> {
        if game.env.is_empty() {
            return None;
        }
        let effects = Effects::of(game);
        let mut reads = Reads {
            game,
            effects: &effects,
            contexts: SortedMap::new(),
            unproved: SortedSet::new(),
            seen: SortedSet::new(),
            changed: false,
        };
        loop {
            while reads.round() {
                if reads.contexts.len() > CONTEXTS {
                    return None;
                }
            }
            // Everybody else takes it that calls come back: what never does adds nothing then.
            if !reads.let_all_come_back() {
                break;
            }
        }
        Some(Proof {
            reached: reads.contexts.keys().map(|(func, _)| *func).collect(),
            unproved: reads.unproved,
        })
    }

    /// Calls `f` on what is marked at every read that can be reached, and whether it is proved.
    fn mark(&self, game: &mut Game, f: &mut dyn FnMut(&mut bool, bool)) {
        let mut number = 0;
        let functions = game.functions.len();
        blocks_mut(game, &mut |block| {
            // Blocks of the machine come after those of the functions.
            if number >= functions || self.reached.contains(&FuncId::from(number)) {
                rewrite_block(block, &mut |expr| {
                    let proved = !self.unproved.contains(&std::ptr::from_ref(&*expr));
                    if let ExprKind::Env { checked, .. } = &mut expr.kind {
                        f(checked, proved);
                    }
                });
            }
            number += 1;
        });
    }
}

struct Reads<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// What a call adds, by the function and the variables it is made with; nothing while no call came back.
    contexts: SortedMap<(FuncId, Known), Flow<Known>>,
    unproved: SortedSet<Site>,
    /// The contexts looked at in this round.
    seen: SortedSet<(FuncId, Known)>,
    changed: bool,
}

impl<'a> Analysis<'a> for Reads<'a> {
    type Fact = Known;

    const LEARNS: bool = true;

    fn meet(&mut self, mut a: Known, b: Known) -> Known {
        a.retain(|var| b.contains(var));
        a
    }

    fn expr(&mut self, expr: &'a Expr, known: &mut Known) {
        // What was read has a value afterwards.
        if let ExprKind::Env { var, .. } = &expr.kind
            && known.insert(*var)
        {
            self.unproved.insert(std::ptr::from_ref(expr));
        }
    }

    fn known(&mut self, cond: &'a Expr, holds: bool, known: &mut Known) {
        if let ExprKind::EnvIsSet(var) = &cond.kind
            && holds
        {
            known.insert(*var);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt, known: &mut Known) {
        if let StmtKind::SetEnv(var, _) = &stmt.kind {
            known.insert(*var);
        }
    }

    /// Follows a call, once a round in each context.
    fn call(&mut self, func: FuncId, flow: &mut Flow<Known>) {
        let Some(known) = flow else { return };
        let reads = &self.effects.function(func).reads.env;
        let key = (func, known.intersection(reads).copied().collect::<Known>());
        if self.contexts.len() <= CONTEXTS && self.seen.insert(key.clone()) {
            self.contexts.entry(key.clone()).or_insert(None);
            let game = self.game;
            let (end, returns) = flow::body(self, &game.function(func).body, key.1.clone());
            let after = flow::join(self, end, returns);
            let before = self.contexts.get(&key);
            // What was let come back stays so.
            if after.is_some() && before != Some(&after) {
                self.contexts.insert(key.clone(), after);
                self.changed = true;
            }
        }
        match self.contexts.get(&key) {
            Some(Some(after)) => known.extend(after),
            _ => *flow = None,
        }
    }

    fn ask(&mut self, func: FuncId, known: &Known) {
        self.call(func, &mut Some(known.clone()));
    }

    fn relate(&mut self, relation: RelationId, known: &Known) {
        self.ask(self.game.relation(relation).holds, known);
    }

    fn stop(&mut self, _: &Known) -> Known {
        Known::new()
    }
}

impl<'a> Reads<'a> {
    /// Follows everything that starts with an empty environment; whether anything changed.
    fn round(&mut self) -> bool {
        self.changed = false;
        self.seen.clear();
        self.unproved.clear();
        let game = self.game;
        for func in roots(game) {
            self.call(func, &mut Some(Known::new()));
        }
        for family in &game.families {
            for param in &family.params {
                match &param.source {
                    ParamSource::Is(value) => self.alone(value),
                    ParamSource::Subset { of, size } => {
                        self.alone(of);
                        self.alone(size);
                    }
                    _ => {}
                }
            }
            family.class.iter().for_each(|value| self.alone(value));
        }
        for term in game.identities.iter().flat_map(|identity| &identity.terms) {
            match term {
                IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
                IdentityTerm::Each { when, values, .. }
                | IdentityTerm::Bag { when, values, .. }
                | IdentityTerm::Nest { when, values, .. } => {
                    self.alone(when);
                    values.iter().for_each(|value| self.alone(value));
                }
                IdentityTerm::Value(value) => self.alone(value),
            }
        }
        for part in game.tellings.iter().flat_map(|telling| &telling.parts) {
            part.exprs(&mut |expr| self.alone(expr));
        }
        if let Some(machine) = &game.machine {
            flow::machine(self, machine);
        }
        self.changed
    }

    /// Follows an expression that stands outside of functions.
    fn alone(&mut self, expr: &'a Expr) {
        flow::expr(self, expr, Known::new());
    }

    /// Takes it that calls which never come back do, with what they were made with; whether there are any.
    fn let_all_come_back(&mut self) -> bool {
        let mut found = false;
        for ((_, made_with), after) in &mut self.contexts {
            if after.is_none() {
                *after = Some(made_with.clone());
                found = true;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::fold_constants;
    use super::{renew, run, unproved};
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::visit::walk_exprs;
    use crate::ir::*;
    use crate::source::Span;

    /// The `checked` of all reads of a function, in the order of the text.
    fn checked(game: &Game, func: FuncId) -> Vec<bool> {
        let mut found = Vec::new();
        walk_exprs(&game.function(func).body, &mut |expr| {
            if let ExprKind::Env { checked, .. } = expr.kind {
                found.push(checked);
            }
        });
        found
    }

    fn probe(builder: &mut GameBuilder, name: &str, body: Block) -> FuncId {
        let func = FunctionBuilder::new(name, Some(Type::INT), Span::default()).body(body);
        let func = builder.function(func);
        builder.game.probes.push(Probe {
            name: name.to_owned(),
            func,
        });
        func
    }

    fn game() -> (GameBuilder, EnvId) {
        let mut builder = GameBuilder::new("test", "none", &["a"]);
        let process = FunctionBuilder::new("process", None, Span::default()).body(vec![]);
        builder.game.process = builder.function(process);
        let x = builder.env("x", Type::INT);
        (builder, x)
    }

    #[test]
    fn a_read_is_proved_if_every_caller_assigned() {
        let (mut builder, x) = game();
        let span = Span::default();
        let read = || Expr::env(x, Type::INT, span);
        let set = || Stmt::set_env(x, Expr::int(1, span));
        let twice = FunctionBuilder::new("twice", Some(Type::INT), span).body(vec![Stmt::give(
            Expr::binary(BinaryOp::Add, read(), read()),
        )]);
        let inner =
            FunctionBuilder::new("inner", Some(Type::INT), span).body(vec![Stmt::give(read())]);
        let (twice, inner) = (builder.function(twice), builder.function(inner));
        let call = |func| Stmt::give(Expr::new(ExprKind::Call(func, vec![]), Type::INT, span));
        probe(&mut builder, "sets", vec![set(), call(twice)]);
        probe(&mut builder, "sets-too", vec![set(), call(inner)]);
        probe(&mut builder, "forgets", vec![call(twice)]);
        run(&mut builder.game);
        assert_eq!(checked(&builder.game, inner), [false]);
        assert_eq!(
            checked(&builder.game, twice),
            [true, false],
            "the second read follows the first"
        );
    }

    #[test]
    fn operands_stay_behind_what_proves_their_reads() {
        let span = Span::default();
        let cases =
            [BinaryOp::Ne, BinaryOp::Add, BinaryOp::Mul].map(|op| [(op, false), (op, true)]);
        for &(op, called) in cases.as_flattened() {
            let mut builder = game().0;
            let x = builder.env("x", Type::Wrap32);
            let read = || Expr::env(x, Type::Wrap32, span);
            let seven = || Expr::constant(Const::Int(7), Type::Wrap32, span);
            let sum = |more| Expr::binary(BinaryOp::Add, read(), more);
            let mut more = FunctionBuilder::new("more", Some(Type::Wrap32), span);
            let by = more.param("by", Type::Wrap32);
            let by = Expr::new(ExprKind::Local(by), Type::Wrap32, span);
            let more = builder.function(more.body(vec![Stmt::give(sum(by))]));
            let call = Expr::new(ExprKind::Call(more, vec![seven()]), Type::Wrap32, span);
            let second = if called { call } else { sum(seven()) };
            let body = vec![Stmt::give(Expr::binary(op, read(), second))];
            probe(&mut builder, "both", body);
            run(&mut builder.game);
            fold_constants::run(&mut builder.game);
            assert_eq!(unproved(&builder.game), 0, "{op:?}, called: {called}");
        }
    }

    #[test]
    fn branches_and_loops_count_only_if_they_always_run() {
        let (mut builder, x) = game();
        let span = Span::default();
        let read = || Expr::env(x, Type::INT, span);
        let set = || Stmt::set_env(x, Expr::int(1, span));
        let unknown = || Expr::new(ExprKind::EnvIsSet(x), Type::Bool, span);
        let round = |count| {
            let mut function = FunctionBuilder::new("loop", Some(Type::INT), span);
            let local = function.local("i", Type::INT);
            let (from, to) = (Expr::int(1, span), Expr::int(3, span));
            let kind = StmtKind::For {
                local,
                from,
                to,
                count,
                body: vec![set()],
                charged: false,
            };
            function.body(vec![Stmt::new(kind, span), Stmt::give(read())])
        };
        let up = builder.function(round(Count::Up));
        let toward = builder.function(round(Count::Toward));
        for (name, func) in [("up", up), ("toward", toward)] {
            builder.game.probes.push(Probe {
                name: name.to_owned(),
                func,
            });
        }
        let one = probe(
            &mut builder,
            "one",
            vec![
                Stmt::branch(unknown().not(), vec![], vec![set()]),
                Stmt::give(read()),
            ],
        );
        let both = probe(
            &mut builder,
            "both",
            vec![
                Stmt::branch(unknown().not(), vec![set()], vec![]),
                Stmt::give(read()),
            ],
        );
        run(&mut builder.game);
        assert_eq!(checked(&builder.game, up), [true]);
        assert_eq!(checked(&builder.game, toward), [false]);
        assert_eq!(checked(&builder.game, one), [true]);
        assert_eq!(
            checked(&builder.game, both),
            [false],
            "set there, or set already"
        );
    }

    #[test]
    fn recursion_is_followed_to_its_end() {
        let (mut builder, x) = game();
        let span = Span::default();
        let read = || Expr::env(x, Type::INT, span);
        let me = FuncId::from(builder.game.functions.len());
        let less = Expr::binary(BinaryOp::Sub, read(), Expr::int(1, span));
        let stop = Expr::binary(BinaryOp::Lt, read(), Expr::int(1, span));
        let body = vec![
            Stmt::branch(stop, vec![Stmt::new(StmtKind::Return(None), span)], vec![]),
            Stmt::set_env(x, less),
            Stmt::call(me, vec![], None, span),
        ];
        builder.function(FunctionBuilder::new("count", None, span).body(body));
        let call = Stmt::call(me, vec![], None, span);
        let user = probe(
            &mut builder,
            "user",
            vec![
                Stmt::set_env(x, Expr::int(5, span)),
                call,
                Stmt::give(read()),
            ],
        );
        run(&mut builder.game);
        assert_eq!(checked(&builder.game, me), [false, false]);
        assert_eq!(checked(&builder.game, user), [false]);
    }

    #[test]
    fn what_a_call_that_never_comes_back_leaves_out_is_not_proved() {
        let span = Span::default();
        let endless = |me: FuncId| {
            let forever = StmtKind::While {
                cond: Expr::bool(true, span),
                bound: 9,
                body: vec![],
            };
            [
                Stmt::new(StmtKind::Fault(String::from("over")), span),
                Stmt::new(forever, span),
                Stmt::call(me, vec![], None, span),
            ]
        };
        for spelling in 0..3 {
            let (mut builder, x) = game();
            let me = FuncId::from(builder.game.functions.len());
            let body = vec![endless(me)[spelling].clone()];
            builder.function(FunctionBuilder::new("never back", None, span).body(body));
            let y = builder.env("y", Type::INT);
            let asked = Expr::binary(
                BinaryOp::Lt,
                Expr::env(y, Type::INT, span),
                Expr::int(1, span),
            );
            let set = vec![Stmt::set_env(x, Expr::int(1, span))];
            let never = vec![Stmt::call(me, vec![], None, span)];
            let user = probe(
                &mut builder,
                "user",
                vec![
                    Stmt::set_env(y, Expr::int(0, span)),
                    Stmt::branch(asked, set, never),
                    Stmt::give(Expr::env(x, Type::INT, span)),
                ],
            );
            run(&mut builder.game);
            assert_eq!(checked(&builder.game, user), [false, true], "{spelling}");
            crate::opt::scope::run(&mut builder.game);
            let errors = crate::ir::verify::verify(&builder.game).err();
            let errors = errors.unwrap_or_default();
            assert!(!errors.iter().any(|e| e.text.contains("may be read")));
        }
    }

    #[test]
    fn functions_that_identities_ask_start_with_an_empty_environment() {
        let span = Span::default();
        for spelling in 0..3 {
            let (mut builder, x) = game();
            let read = vec![Stmt::give(Expr::env(x, Type::INT, span))];
            let asked = FunctionBuilder::new("asked", Some(Type::INT), span).body(read);
            let asked = builder.function(asked);
            let value = Expr::new(ExprKind::Call(asked, vec![]), Type::INT, span);
            let domain = builder.game.players;
            let when = Expr::bool(true, span);
            let values = vec![value.clone()];
            let term = match spelling {
                0 => IdentityTerm::Value(value.clone()),
                1 => IdentityTerm::Each {
                    domain,
                    when,
                    values,
                },
                _ => IdentityTerm::Bag {
                    domain,
                    when,
                    values,
                },
            };
            builder.game.identities.push(Identity {
                name: String::from("by x"),
                terms: vec![term],
            });
            let set = Stmt::set_env(x, Expr::int(1, span));
            probe(&mut builder, "sets", vec![set, Stmt::give(value)]);
            run(&mut builder.game);
            assert_eq!(checked(&builder.game, asked), [true], "{spelling}");
        }
    }

    #[test]
    fn a_read_that_is_no_longer_proved_is_tested_again() {
        let span = Span::default();
        for spelling in 0..3 {
            let (mut builder, x) = game();
            let set = Stmt::set_env(x, Expr::int(1, span));
            let give = Stmt::give(Expr::env(x, Type::INT, span));
            let user = probe(&mut builder, "user", vec![set.clone(), give.clone()]);
            run(&mut builder.game);
            assert_eq!(checked(&builder.game, user), [false]);
            assert_eq!(unproved(&builder.game), 0);
            let body = &mut builder.game.functions[user.index()].body;
            match spelling {
                0 => {
                    body.remove(0);
                }
                1 => body[0] = Stmt::branch(Expr::bool(false, span), vec![set], vec![]),
                _ => {
                    let trial = StmtKind::Trial {
                        body: vec![set],
                        keep: false,
                        ok: LocalId::from(0),
                        value: None,
                    };
                    body[0] = Stmt::new(trial, span);
                }
            }
            assert_eq!(unproved(&builder.game), 1, "{spelling}");
            renew(&mut builder.game);
            assert_eq!(checked(&builder.game, user), [true], "{spelling}");
            assert_eq!(unproved(&builder.game), 0);
        }
    }
}
