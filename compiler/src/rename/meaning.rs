//! What a game means, as terms, and whether a renaming leaves that as it is.
//!
//! The rules are run on a position that is not known, for moves whose parameters are not known: guards, effects, ends. A renaming
//! keeps the game if it takes what each family of moves means to what a family means, and what is asked at each stop to itself.

use rulec_ir::sorted::SortedMap;

use crate::ir::observe::Plane;
use crate::ir::{
    Arm, Const, DomainId, Expr, Family, FuncId, Game, Identity, IdentityTerm, Point, Type,
};
use crate::opt::suspend;
use crate::source::Span;

use super::Renaming;
use super::stands;
use super::terms::{Bundle, FALSE, Form, Op, Renamed, TRUE, Term, Terms};
use super::unfold::Unfold;
use super::written;

/// What a game means.
pub(super) struct Meaning<'g> {
    pub(super) terms: Terms<'g>,
    /// For each family what it means, at all stops.
    pub(super) families: Vec<Term>,
    /// What is asked at stops apart from that.
    pub(super) rest: Vec<Term>,
    /// What each plane of the position asks, if it is told by terms.
    seen: Vec<Option<Term>>,
    /// What happens before the first stop.
    start: Term,
    /// Where the rules say what terms stand for, where they are read as they are written.
    pub(super) places: SortedMap<Term, Span>,
}

/// The parameters of a family.
struct Params {
    /// Context and parameters as terms, which are what they can be where a move is legal.
    known: Vec<Term>,
    /// How many of them are context.
    context: usize,
    /// What each parameter comes from.
    plain: Vec<Term>,
    /// The same, with the mistakes on the way.
    sources: Vec<Term>,
    /// When such a move is legal, as far as its guard says.
    guard: Term,
    /// The mistakes of the guard, whatever the parameters are.
    mistakes: Term,
}

impl Params {
    fn own(&self) -> &[Term] {
        &self.known[self.context..]
    }
}

/// The game with its stops made explicit.
pub(super) fn suspended(game: &Game) -> Game {
    let mut game = game.clone();
    suspend::run(&mut game);
    game
}

impl<'g> Meaning<'g> {
    /// Looks at a game that is a machine, and at what planes of positions ask of it, with its conditions in some form. If its
    /// rules ask of sets what they ask of many places, then in positions where no piece stands
    /// elsewhere than where it can come to.
    ///
    /// # Errors
    /// Why the meaning was not found.
    pub(super) fn of(
        game: &'g Game,
        planes: &[Plane],
        by_sets: bool,
        form: Form,
    ) -> Result<Meaning<'g>, String> {
        let mut terms = Terms::new(game, form);
        if by_sets {
            terms.ask_of_sets();
            terms.standing = stands::of(game);
        }
        let mut meaning = Meaning {
            terms,
            families: Vec::new(),
            rest: Vec::new(),
            seen: Vec::new(),
            start: FALSE,
            places: SortedMap::new(),
        };
        let machine = game.machine.as_ref().ok_or("no machine")?;
        let params: Vec<Params> = game.families.iter().map(|f| meaning.params(f)).collect();
        let mut arms: Vec<Vec<Term>> = vec![Vec::new(); game.families.len()];
        for (index, point) in machine.points.iter().enumerate() {
            meaning.point(game, index, point, &params, &mut arms);
        }
        for ((family, params), arms) in game.families.iter().zip(&params).zip(arms) {
            let own = meaning.family(family, params, arms);
            meaning.families.push(own);
        }
        for trail in &game.trails {
            let identity = game.identity(trail.identity);
            let own = meaning.identity(identity);
            meaning.rest.push(own);
        }
        meaning.start = meaning.terms.settled(|terms| {
            let mut chain = Unfold::new(terms, vec![None; machine.locals.len()]);
            chain.whole(&machine.start);
            chain.done()
        });
        for plane in planes {
            let own = meaning.plane(game, plane);
            meaning.seen.push(own);
        }
        match meaning.terms.failed {
            Some(why) => Err(why.to_owned()),
            None => {
                meaning.terms.compare();
                Ok(meaning)
            }
        }
    }

    /// The same as the rules are written, without running them.
    ///
    /// # Errors
    /// What stands there that is not understood.
    pub(super) fn as_written(game: &'g Game, planes: &[Plane]) -> Result<Meaning<'g>, String> {
        let mut terms = Terms::new(game, Form::FIRST);
        let written::Parts {
            families,
            rest,
            seen,
            start,
            places,
        } = written::read(&mut terms, game, planes)?;
        terms.compare();
        Ok(Meaning {
            terms,
            families,
            rest,
            seen,
            start,
            places,
        })
    }

    fn point(
        &mut self,
        game: &'g Game,
        index: usize,
        point: &'g Point,
        params: &[Params],
        arms: &mut [Vec<Term>],
    ) {
        let machine_locals = game.machine.as_ref().map_or(0, |m| m.locals.len());
        let locals = || vec![None; machine_locals];
        let number = self.terms.constant(Const::Int(index as i64), Type::INT);
        match point {
            Point::Choose(choose) => {
                let mut chain = Unfold::new(&mut self.terms, locals());
                let (players, given) = chain.choice(choose);
                let mistakes = chain.mistakes();
                for (arm, given) in choose.arms.iter().zip(given) {
                    let effect = self.arm(&params[arm.family.index()], arm, locals());
                    let parts = [&[number, effect][..], &given].concat();
                    let own = self.terms.bundle(Bundle::Parts("arm"), parts);
                    arms[arm.family.index()].push(own);
                }
                let otherwise = match &choose.otherwise {
                    Some(block) => self.terms.settled(|terms| {
                        let mut chain = Unfold::new(terms, locals());
                        chain.whole(block);
                        chain.done()
                    }),
                    None => self.terms.bundle(Bundle::Nothing, Vec::new()),
                };
                let parts = vec![number, players, mistakes, otherwise];
                let own = self.terms.bundle(Bundle::Parts("choose"), parts);
                self.rest.push(own);
            }
            Point::Chance(chance, block) => {
                let mut chain = Unfold::new(&mut self.terms, locals());
                let draw = chain.distribution(&chance.dist);
                let mistakes = chain.mistakes();
                let ty = game.draw(chance.draw).ty.clone();
                let value = self.terms.leaf(Op::Param(0, None), ty);
                let mut own = locals();
                if let Some(slot) = own.get_mut(chance.into.index()) {
                    *slot = Some(value);
                }
                let effect = self.terms.settled(|terms| {
                    let mut chain = Unfold::new(terms, own.clone());
                    chain.whole(block);
                    chain.done()
                });
                let parts = vec![number, draw, mistakes, effect];
                let own = self.terms.bundle(Bundle::Parts("draw"), parts);
                self.rest.push(own);
            }
        }
    }

    /// The parameters of a family as terms, behind its context; and what their candidates are.
    fn params(&mut self, family: &Family) -> Params {
        let mut known: Vec<Term> = Vec::new();
        let mut plain = Vec::new();
        for (at, local) in family.context.iter().enumerate() {
            let term = self
                .terms
                .leaf(Op::Param(1000 + at, None), local.ty.clone());
            known.push(term);
        }
        let mut sources = Vec::new();
        for (at, param) in family.params.iter().enumerate() {
            let (source, reach, mistakes) = self.source(family, at, &known);
            sources.extend([source, mistakes]);
            plain.push(source);
            let term = self.terms.leaf(Op::Param(at, reach), param.ty.clone());
            known.push(term);
        }
        let mut params = Params {
            known,
            context: family.context.len(),
            plain,
            sources,
            guard: TRUE,
            mistakes: self.terms.bundle(Bundle::Nothing, Vec::new()),
        };
        if family.guard.is_some() {
            self.list(family, &mut params);
            self.narrow(family, &mut params);
        }
        params
    }

    /// Leaves out what parameters cannot be where others list them: a guard is asked of candidates alone.
    fn list(&mut self, family: &Family, params: &mut Params) {
        let listed = self.listed(params);
        params.guard = listed
            .iter()
            .fold(TRUE, |all, &own| self.terms.and(all, own));
        self.leave_out(family, params, &listed);
    }

    /// Leaves out what parameters cannot be where some conditions hold; whether there is something.
    fn leave_out(&mut self, family: &Family, params: &mut Params, when: &[Term]) -> bool {
        let context = params.known[..params.context].to_vec();
        let own = params.own().to_vec();
        let own = own.iter().map(|&param| self.terms.narrowed(param, when));
        let known: Vec<Term> = context.into_iter().chain(own).collect();
        let narrower = known != params.known;
        params.known = known;
        params.plain = (0..family.params.len())
            .map(|at| self.source(family, at, &params.known).0)
            .collect();
        narrower
    }

    /// What a parameter comes from, where those before it are known; which members that can be, and the mistakes on the way.
    fn source(
        &mut self,
        family: &Family,
        at: usize,
        known: &[Term],
    ) -> (Term, Option<Vec<u32>>, Term) {
        let context = family.context.len();
        let before = &known[..context + at];
        let locals = before.iter().copied().map(Some).collect();
        let mut chain = Unfold::new(&mut self.terms, locals);
        let (source, reach) = chain.source(&family.params[at], context, before);
        (source, reach, chain.mistakes())
    }

    /// Leaves out what parameters cannot be where a guard holds, and asks it for the others.
    fn narrow(&mut self, family: &Family, params: &mut Params) {
        let [holds, mistakes] = self.answers_of(family.guard, params);
        let narrower = self.leave_out(family, params, &[holds]);
        let holds = match narrower {
            true => self.answers_of(family.guard, params)[0],
            false => holds,
        };
        let holds = self.terms.as_far_as_asked(holds);
        let holds = self.terms.as_far_as_it_holds(holds, params.own());
        (params.guard, params.mistakes) = (holds, mistakes);
    }

    /// That parameters are in the sets that others say they are in.
    fn listed(&mut self, params: &Params) -> Vec<Term> {
        let mut all = Vec::new();
        for (&param, &source) in params.own().iter().zip(&params.plain) {
            let node = self.terms.node(source);
            if matches!((&node.op, &node.ty), (Op::Table(_), Type::Set(_))) {
                let inside = self.terms.is_in(param, source);
                all.push(inside);
            }
        }
        all
    }

    fn arm(&mut self, params: &Params, arm: &Arm, mut locals: Vec<Option<Term>>) -> Term {
        for (local, term) in arm.bind.iter().zip(params.own()) {
            if let Some(slot) = locals.get_mut(local.index()) {
                *slot = Some(*term);
            }
        }
        self.terms.settled(|terms| {
            let mut chain = Unfold::new(terms, locals.clone())
                .knowing(params.own(), &params.plain)
                .guarded(params.guard);
            chain.whole(&arm.body);
            chain.done()
        })
    }

    /// What a function gives for parameters, and its mistakes.
    fn answers_of(&mut self, func: Option<FuncId>, params: &Params) -> [Term; 2] {
        let Some(func) = func else {
            let nothing = self.terms.bundle(Bundle::Nothing, Vec::new());
            return [nothing, nothing];
        };
        self.terms.settled(|terms| {
            let mut chain = Unfold::new(terms, Vec::new())
                .knowing(params.own(), &params.plain)
                .guarded(params.guard);
            let value = chain.given(func, params.known.clone());
            let mistakes = chain.mistakes();
            [value, mistakes]
        })
    }

    fn family(&mut self, family: &Family, params: &Params, arms: Vec<Term>) -> Term {
        let mut parts = params.sources.clone();
        parts.extend(params.own());
        parts.extend([params.guard, params.mistakes]);
        for func in [family.after, family.rank] {
            parts.extend(self.answers_of(func, params));
        }
        if family.after.is_some()
            && let Some(effect) = family.effect
        {
            let done = self.terms.settled(|terms| {
                let mut chain = Unfold::new(terms, Vec::new())
                    .knowing(params.own(), &params.plain)
                    .guarded(params.guard);
                chain.given(effect, params.known.clone());
                chain.done()
            });
            parts.push(done);
        }
        let arms = self.terms.bundle(Bundle::Set("arms"), arms);
        parts.push(arms);
        self.terms.bundle(Bundle::Parts("family"), parts)
    }

    /// What a plane asks, if it is not a part of the position as it is.
    fn plane(&mut self, game: &'g Game, plane: &Plane) -> Option<Term> {
        let (identity, at, value) = plane.source.term()?;
        let own = match game.identity(identity).terms.get(at)? {
            IdentityTerm::Each {
                domain,
                when,
                values,
            } => {
                let value = value.and_then(|value| values.get(value..value + 1));
                self.each(*domain, when, value.unwrap_or_default())
            }
            IdentityTerm::Value(value) => {
                let mut chain = Unfold::new(&mut self.terms, Vec::new());
                vec![chain.value(value)]
            }
            _ => vec![self.identity(game.identity(identity))],
        };
        Some(self.terms.bundle(Bundle::Parts("plane"), own))
    }

    /// What is asked of each member of a domain.
    fn each(&mut self, domain: DomainId, when: &Expr, values: &[Expr]) -> Vec<Term> {
        let which = self.terms.leaf(Op::Bound(0, None), Type::Elem(domain));
        let mut chain = Unfold::new(&mut self.terms, vec![Some(which)]);
        let mut own = vec![chain.value(when)];
        own.extend(values.iter().map(|value| chain.value(value)));
        own
    }

    fn identity(&mut self, identity: &Identity) -> Term {
        let mut parts = Vec::new();
        for term in &identity.terms {
            let own = match term {
                IdentityTerm::Each {
                    domain,
                    when,
                    values,
                }
                | IdentityTerm::Bag {
                    domain,
                    when,
                    values,
                } => self.each(*domain, when, values),
                IdentityTerm::Value(value) => {
                    let mut chain = Unfold::new(&mut self.terms, Vec::new());
                    vec![chain.value(value)]
                }
                IdentityTerm::Everything | IdentityTerm::Parts(_) => Vec::new(),
                IdentityTerm::Nest { .. } => {
                    self.terms.fail("an equality of trees");
                    vec![FALSE]
                }
            };
            let own = self.terms.bundle(Bundle::Parts("term"), own);
            parts.push(own);
        }
        // Two positions are the same if nothing tells them apart, whatever is compared first.
        self.terms.bundle(Bundle::Set("identity"), parts)
    }

    /// The family that each becomes under a renaming that keeps the game.
    pub(super) fn keeps(&mut self, renaming: &Renaming) -> Option<Vec<u32>> {
        if !stands::keeps(self.terms.game, &self.terms.standing, renaming) {
            return None;
        }
        let mut by = Renamed::by(renaming);
        for &own in &self.rest {
            if self.terms.renamed(own, &mut by)? != own {
                return None;
            }
        }
        let mut taken = vec![false; self.families.len()];
        let mut images = Vec::new();
        for at in 0..self.families.len() {
            let image = self.terms.renamed(self.families[at], &mut by)?;
            let fits = |other: &usize| self.families[*other] == image && !taken[*other];
            let own = Some(at).filter(fits);
            let other = own.or_else(|| (0..self.families.len()).find(fits))?;
            taken[other] = true;
            images.push(other as u32);
        }
        Some(images)
    }

    /// Whether a renaming keeps what happens before the first stop.
    pub(super) fn keeps_start(&mut self, renaming: &Renaming) -> bool {
        let mut by = Renamed::by(renaming);
        self.terms.renamed(self.start, &mut by) == Some(self.start)
    }

    /// Whether a renaming keeps what planes ask, up to which of them asks it.
    pub(super) fn keeps_seen(&mut self, renaming: &Renaming) -> bool {
        self.seen_after(renaming).is_some()
    }

    /// For each plane the one that asks what it asks under a renaming; nothing unless all do.
    pub(super) fn seen_after(&mut self, renaming: &Renaming) -> Option<Vec<u32>> {
        let mut by = Renamed::by(renaming);
        let seen = self.seen.clone();
        let mut sources: Vec<Option<u32>> = vec![None; seen.len()];
        for (own, term) in seen.iter().enumerate() {
            let new = match term {
                Some(term) => Some(self.terms.renamed(*term, &mut by)?),
                None => None,
            };
            // Planes that ask the same are images of themselves.
            let fits = |at: &usize| seen[*at] == new && sources[*at].is_none();
            let same = Some(own).filter(|own| new.is_none() || fits(own));
            let image = same.or_else(|| (0..seen.len()).find(fits))?;
            sources[image] = Some(own as u32);
        }
        sources.into_iter().collect()
    }
}
