//! The state of a game: domains, variables, the placement, texts and identities.

use super::super::model::{EffectKind, Model, Rule, What};
use super::Lower;
use super::inventory::Inventory;
use crate::ir::builder::GameBuilder;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, Fold, HeapLook, Identity, IdentityId, IdentityTerm,
    LocalId, NestLook, Over, Placement, PlacementForm, PlacementId, Source, StatePart, Type, VarId,
    VarStyle,
};
use crate::source::{SourceMap, Span};

/// Where the state keeps what.
pub(super) struct Ids {
    /// The domain of objects with slots; meaningless if there is none.
    pub(super) object: DomainId,
    /// The container of each object, if any moves.
    pub(super) at: Option<PlacementId>,
    /// The owner of each object, if any changes.
    pub(super) owner: Option<VarId>,
    /// The objects that exist, if that changes.
    pub(super) alive: Option<VarId>,
    /// Who is active: a player, or a set.
    pub(super) active: VarId,
    /// Who is out.
    pub(super) out: Option<VarId>,
    /// Seconds left.
    pub(super) timer: Option<VarId>,
    /// Who acted before.
    pub(super) former: Option<VarId>,
    /// Numbers of objects of counted types.
    pub(super) counts: Vec<Option<Counts>>,
    /// What the parameters of the action under way are bound to, where that must outlast a choice.
    pub(super) bound: Vec<VarId>,
}

/// Where the objects of a counted type are.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    /// By container, unowned.
    pub(super) inside: Option<VarId>,
    /// By owner, in nothing.
    pub(super) owned: Option<VarId>,
    /// In nothing, unowned.
    pub(super) loose: VarId,
    /// All of them, for types that rules create.
    pub(super) all: Option<VarId>,
}

/// A game with its players.
pub(super) fn builder(model: &Model, sources: &SourceMap) -> GameBuilder {
    let file = sources.get(model.span.file);
    let file_name = file.map_or("game", |file| file.name());
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let name = base
        .strip_suffix(".bgm")
        .filter(|name| !name.is_empty())
        .unwrap_or(base);
    let players: Vec<&str> = model.players.iter().map(String::as_str).collect();
    let mut out = GameBuilder::new(name, "bgm", &players);
    out.game.sources = sources
        .files()
        .iter()
        .map(|file| Source {
            name: file.name().to_owned(),
            sha256: file.sha256().to_owned(),
            lines: file.line_starts().to_vec(),
        })
        .collect();
    out
}

/// Whether the parameters of a rule must outlast a choice or draw of it, as marks of unnamed objects.
pub(super) fn keeps_marks(inventory: &Inventory, rule: &Rule) -> bool {
    let slots = |ty: usize| !inventory.counted[ty];
    let stops = rule.effects.iter().any(|effect| match &effect.kind {
        EffectKind::RemoveSome { what, count, .. } => {
            count.is_some() && !matches!(what, What::Type(ty) if inventory.counted[*ty])
        }
        EffectKind::Distribute { ty, .. } => slots(*ty),
        EffectKind::DisownSome { ty, count, .. } => count.is_some() && slots(*ty),
        _ => false,
    });
    stops
        && rule
            .params
            .iter()
            .any(|param| !inventory.unnamed[param.ty].is_empty())
}

/// Declares everything.
pub(super) fn declare(out: &mut GameBuilder, model: &Model, inventory: &Inventory) -> Ids {
    let span = model.span;
    let players = out.game.players;
    let has_slots = !inventory.slots.is_empty();
    let object = match has_slots {
        true => {
            let names = inventory.slots.iter().map(|slot| slot.name.clone());
            out.names("Object", names.collect(), span)
        }
        false => players,
    };
    let any = |flags: &[bool]| {
        let slots = |ty: &usize| !inventory.of_type[*ty].is_empty();
        (0..flags.len()).filter(slots).any(|ty| flags[ty])
    };
    let at = (any(&inventory.moved) || inventory.nested).then(|| {
        out.placement(Placement {
            name: "in".to_owned(),
            pieces: object,
            places: object,
            form: PlacementForm::Many,
            init: containers(model, inventory),
            span,
        })
    });
    let owner = any(&inventory.reowned).then(|| {
        let axes = vec![Axis::Domain(object)];
        let id = out.var("owner", axes, Type::Opt(players), Const::None, span);
        out.game.vars[id.index()].init = owners(model, inventory);
        id
    });
    let comes: Vec<bool> = (0..model.types.len())
        .map(|ty| inventory.comes_and_goes(ty))
        .collect();
    let alive = any(&comes).then(|| {
        let slots = inventory.slots.iter().enumerate();
        let here = slots.filter(|(_, slot)| slot.object.is_some());
        let init = Const::Set(here.map(|(index, _)| index as u32).collect());
        out.var("exists", Vec::new(), Type::Set(object), init, span)
    });
    let seats: Vec<u32> = model.active.iter().map(|&seat| seat as u32).collect();
    let active = match inventory.one_active {
        true => {
            let first = Const::Elem(seats.first().copied().unwrap_or(0));
            out.var("active", Vec::new(), Type::Elem(players), first, span)
        }
        false => {
            let init = Const::Set(seats);
            out.var("active", Vec::new(), Type::Set(players), init, span)
        }
    };
    let nobody = Const::Set(Vec::new());
    let eliminated = inventory
        .eliminates
        .then(|| out.var("out", Vec::new(), Type::Set(players), nobody, span));
    let timer = inventory.timer.then(|| {
        let ty = Type::Int {
            lo: 0,
            hi: longest_timer(model),
        };
        out.var("timer", Vec::new(), ty, Const::Int(0), span)
    });
    let former = inventory
        .former
        .then(|| out.var("former", Vec::new(), Type::Opt(players), Const::None, span));
    let counts = (0..model.types.len())
        .map(|ty| inventory.counted[ty].then(|| counts(out, model, inventory, object, ty)))
        .collect();
    let marked = model
        .rules
        .iter()
        .filter(|rule| keeps_marks(inventory, rule));
    let marks = marked.map(|rule| rule.params.len()).max().unwrap_or(0);
    let bound = (1..=marks)
        .map(|number| {
            let name = format!("bound {number}");
            out.var(&name, Vec::new(), Type::Opt(object), Const::None, span)
        })
        .collect();
    Ids {
        object,
        at,
        owner,
        alive,
        active,
        out: eliminated,
        timer,
        former,
        counts,
        bound,
    }
}

/// The identity up to a renaming.
pub(super) fn canonical(out: &mut GameBuilder, terms: Vec<IdentityTerm>) -> IdentityId {
    out.identity(Identity {
        name: "canonical".to_owned(),
        terms,
    })
}

/// The slot of the container of each slot at the start.
pub(super) fn containers(model: &Model, inventory: &Inventory) -> Vec<Option<u32>> {
    let container = |slot: &super::inventory::Slot| {
        let object = model.objects[slot.object?].container?;
        inventory.slot_of[object]
    };
    inventory.slots.iter().map(container).collect()
}

/// The owner of each slot at the start.
pub(super) fn owners(model: &Model, inventory: &Inventory) -> Vec<Const> {
    let owner = |slot: &super::inventory::Slot| {
        let owner = slot.object.and_then(|object| model.objects[object].owner);
        owner.map_or(Const::None, |seat| Const::Elem(seat as u32))
    };
    inventory.slots.iter().map(owner).collect()
}

fn longest_timer(model: &Model) -> i64 {
    let effects = model.rules.iter().flat_map(|rule| &rule.effects);
    let seconds = effects.filter_map(|effect| match effect.kind {
        EffectKind::SetTimer(seconds) => Some(i64::from(seconds)),
        _ => None,
    });
    seconds.max().unwrap_or(0)
}

fn counts(
    out: &mut GameBuilder,
    model: &Model,
    inventory: &Inventory,
    object: DomainId,
    ty: usize,
) -> Counts {
    let (info, span) = (&model.types[ty], model.span);
    let objects = || model.objects.iter().filter(|object| object.ty == ty);
    let number = Type::Int {
        lo: 0,
        hi: inventory.pool[ty].max(objects().count()) as i64,
    };
    let zero = Const::Int(0);
    // What no object of the game has room for is in nothing.
    let contained = !inventory.slots.is_empty() && inventory.may_be_in[ty].iter().any(|&may| may);
    let inside = contained.then(|| {
        let name = format!("{} in", info.name);
        let id = out.var(
            &name,
            vec![Axis::Domain(object)],
            number.clone(),
            zero.clone(),
            span,
        );
        let mut values = vec![0; inventory.slots.len()];
        let containers = objects().filter_map(|object| inventory.slot_of[object.container?]);
        containers.for_each(|slot| values[slot as usize] += 1);
        out.game.vars[id.index()].init = values.into_iter().map(Const::Int).collect();
        id
    });
    let has_owner = inventory.reowned[ty] || objects().any(|object| object.owner.is_some());
    let owned = has_owner.then(|| {
        let name = format!("{} of", info.name);
        let axes = vec![Axis::Domain(out.game.players)];
        let id = out.var(&name, axes, number.clone(), zero.clone(), span);
        let mut values = vec![0; model.players.len()];
        objects()
            .filter_map(|object| object.owner)
            .for_each(|seat| values[seat] += 1);
        out.game.vars[id.index()].init = values.into_iter().map(Const::Int).collect();
        id
    });
    let loose = objects().filter(|object| object.container.is_none() && object.owner.is_none());
    let (loose, all) = (loose.count() as i64, objects().count() as i64);
    let mut plain = |what: &str, value: i64| {
        let name = format!("{} {what}", info.name);
        out.var(&name, Vec::new(), number.clone(), Const::Int(value), span)
    };
    Counts {
        inside,
        owned,
        loose: plain("loose", loose),
        all: inventory.created[ty].then(|| plain("in all", all)),
    }
}

impl Lower<'_> {
    /// What is left to do when all rules are lowered: texts and identities.
    pub(super) fn finish_state(&mut self) {
        self.out.game.state_text = self.state_text();
        self.out.game.nest_look = Some(self.look());
        let renamed = self.inventory.unnamed.iter().any(|slots| slots.len() > 1);
        if let Some(id) = self.nest {
            let term = self.nest_term();
            let kept: Vec<VarId> = self
                .ids
                .counts
                .iter()
                .flatten()
                .filter_map(|c| c.inside)
                .collect();
            let rest = self.rest_terms(&kept);
            self.out.game.identities[id.index()].terms = term.into_iter().chain(rest).collect();
            self.out.game.equality = id;
        } else if renamed {
            let terms = self.canonical_terms();
            self.out.game.equality = canonical(&mut self.out, terms);
        } else {
            self.out.game.equality = IdentityId(0);
        }
    }

    /// What pictures show.
    fn look(&self) -> NestLook {
        let types = &self.model.types;
        let slots = &self.inventory.slots;
        let name = |slot: &super::inventory::Slot| {
            let object = slot.object.map(|object| &self.model.objects[object]);
            object.is_some_and(|object| object.name.is_some())
        };
        let owners = owners(self.model, &self.inventory).into_iter();
        let seat = |owner: Const| match owner {
            Const::Elem(seat) => Some(seat),
            _ => None,
        };
        let heap = |(ty, counts): (usize, &Option<Counts>)| {
            let counts = (*counts)?;
            Some(HeapLook {
                kind: types[ty].name.clone(),
                inside: counts.inside,
                owned: counts.owned,
                loose: counts.loose,
            })
        };
        NestLook {
            pieces: self.ids.object,
            kinds: slots.iter().map(|s| types[s.ty].name.clone()).collect(),
            named: slots.iter().map(name).collect(),
            placement: self.ids.at,
            first: containers(self.model, &self.inventory),
            exists: self.ids.alive,
            owner: self.ids.owner,
            first_owners: owners.map(seat).collect(),
            heaps: self
                .ids
                .counts
                .iter()
                .enumerate()
                .filter_map(heap)
                .collect(),
        }
    }

    fn state_text(&self) -> Vec<StatePart> {
        let text = |text: &str| StatePart::Text(text.to_owned());
        let game = &self.out.game;
        let each =
            |domain: DomainId, order: Vec<u32>, separator: &str, part: StatePart| StatePart::Each {
                domain,
                order,
                separator: " ".to_owned(),
                parts: vec![StatePart::Index, text(separator), part],
            };
        let all = |domain: DomainId| (0..game.domain(domain).len() as u32).collect::<Vec<u32>>();
        let mut parts = Vec::new();
        if let Some(at) = self.ids.at {
            parts.push(each(
                self.object(),
                all(self.object()),
                "<",
                StatePart::Place(at),
            ));
            parts.push(text("; "));
        }
        for (index, var) in game.vars.iter().enumerate() {
            let part = StatePart::Var(VarId::from(index), VarStyle::Named);
            parts.push(text(&format!("{}: ", var.name)));
            match var.axes[..] {
                [Axis::Domain(domain)] => parts.push(each(domain, all(domain), "=", part)),
                _ => parts.push(part),
            }
            parts.push(text("; "));
        }
        parts.push(StatePart::Outcome);
        parts
    }

    /// What positions have in common that differ by a renaming of unnamed objects.
    fn canonical_terms(&mut self) -> Vec<IdentityTerm> {
        let span = self.model.span;
        let object = self.object();
        let slots = 0..self.inventory.slots.len() as u32;
        let unnamed: Vec<u32> = self.inventory.unnamed.iter().flatten().copied().collect();
        let named: Vec<u32> = slots.filter(|slot| !unnamed.contains(slot)).collect();
        let member = Expr::local(LocalId(0), Type::Elem(object), span);
        let container = self.container(member.clone());
        let owner = self.owner_of(member.clone());
        let mut values = vec![container, owner];
        for &var in &self.ids.bound {
            let bound = Expr::var(&self.out.game, var, Vec::new(), span);
            values.push(bound.equals(member.clone().some()));
        }
        let among = |lower: &Self, slots: &[u32]| {
            let set = lower.slot_set(slots, span);
            let among = Expr::binary(BinaryOp::In, member.clone(), set);
            match lower.ids.alive {
                Some(alive) => {
                    let alive = Expr::var(&lower.out.game, alive, Vec::new(), span);
                    among.and(Expr::binary(BinaryOp::In, member.clone(), alive))
                }
                None => among,
            }
        };
        let mut terms = Vec::new();
        if !named.is_empty() {
            terms.push(IdentityTerm::Each {
                domain: object,
                when: among(self, &named),
                values: values.clone(),
            });
        }
        let mut with_type = vec![self.type_number(member.clone())];
        with_type.extend(values);
        terms.push(IdentityTerm::Bag {
            domain: object,
            when: among(self, &unnamed),
            values: with_type,
        });
        terms.extend(self.rest_terms(&[]));
        terms
    }

    /// The terms that compare what is not said of single objects, and not in these variables.
    fn rest_terms(&self, told: &[VarId]) -> Vec<IdentityTerm> {
        let span = self.model.span;
        let skipped: Vec<VarId> = [self.ids.owner, self.ids.alive]
            .into_iter()
            .flatten()
            .chain(self.ids.bound.iter().copied())
            .chain(told.iter().copied())
            .collect();
        let mut terms = Vec::new();
        for index in 0..self.out.game.vars.len() {
            let id = VarId::from(index);
            if skipped.contains(&id) {
                continue;
            }
            terms.extend(self.variable_terms(id, span));
        }
        terms
    }

    /// The terms that compare a variable.
    fn variable_terms(&self, id: VarId, span: Span) -> Vec<IdentityTerm> {
        let game = &self.out.game;
        let var = game.var(id);
        match (&var.axes[..], &var.ty) {
            ([Axis::Domain(domain)], _) => {
                let member = Expr::local(LocalId(0), Type::Elem(*domain), span);
                vec![IdentityTerm::Each {
                    domain: *domain,
                    when: Expr::bool(true, span),
                    values: vec![Expr::var(game, id, vec![member], span)],
                }]
            }
            (_, Type::Set(domain)) => {
                let member = Expr::local(LocalId(0), Type::Elem(*domain), span);
                let set = Expr::var(game, id, Vec::new(), span);
                vec![IdentityTerm::Each {
                    domain: *domain,
                    when: Expr::binary(BinaryOp::In, member, set),
                    values: Vec::new(),
                }]
            }
            _ => vec![IdentityTerm::Value(Expr::var(game, id, Vec::new(), span))],
        }
    }

    /// The sum of a count over containers for which a condition holds.
    pub(super) fn sum_inside(
        &mut self,
        var: VarId,
        span: Span,
        when: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let object = self.object();
        let local = self.local("place", Type::Elem(object));
        let place = self.get(local, span);
        let number = Expr::var(&self.out.game, var, vec![place.clone()], span);
        let number = Expr::select(when(self, place), number, Expr::int(0, span));
        let number = Expr {
            ty: Type::INT,
            ..number
        };
        Expr::fold(Fold::Sum, local, Over::Domain(object), number)
    }
}
