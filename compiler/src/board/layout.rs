//! The order of places: such that steps over the board are shifts of sets.
//!
//! A step from a place to another one adds the difference of their numbers. Rules list places in any order; if few differences
//! belong to each direction, all steps of it are few shifts. Orders by the coordinates of places, as names and pictures tell
//! them, are tried, and judged by the steps that the tables of the game make. Places are renumbered where nothing of the game
//! depends on their order: names, texts, and what rules mean stay as they are.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::walk::{blocks_mut, each_stmt_mut, free_exprs_mut, rewrite, walk_all};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, Fold, FuncId, Game, LogPart, Members,
    Over, ParamSource, PlacementForm, StatePart, StmtKind, ToldPart, Type,
};
use crate::ir::{Chance, Distribution, Emit, visit::walk_block};

/// Places of a board whose order is looked at.
const MOST_PLACES: usize = 1024;
/// Values of the other axes of a table that are looked at.
const MOST_STEPS: usize = 64;

/// Renumbers the places of boards where that makes steps simpler.
pub(crate) fn arrange(game: &mut Game) {
    if game.machine.is_some() || game.episode.is_some() || game.nest_look.is_some() {
        return;
    }
    let mut boards: SortedSet<DomainId> = SortedSet::new();
    for placement in &game.placements {
        let places = placement.places;
        let named = matches!(game.domain(places).members, Members::Names(_));
        if placement.form != PlacementForm::Many
            && named
            && places != game.players
            && game.domain(places).len() <= MOST_PLACES
        {
            boards.insert(places);
        }
    }
    for board in boards {
        if let Some(order) = better_order(game, board)
            && !depends_on_order(game, board)
        {
            renumber(game, board, &order);
        }
    }
}

/// Pairs of places that are one step apart, for each sort of steps.
type Steps = Vec<SortedSet<(u32, u32)>>;

/// For each place its number in an order that is better than the present one by a quarter at least.
fn better_order(game: &Game, board: DomainId) -> Option<Vec<u32>> {
    let steps = steps(game, board);
    let on_steps: SortedSet<u32> = steps.iter().flatten().flat_map(|(a, b)| [*a, *b]).collect();
    let count = game.domain(board).len() as u32;
    let present: Vec<u32> = (0..count).collect();
    let now = cost(&steps, &present);
    let mut best = (now, present);
    for coordinates in coordinates(game, board) {
        for major in [1, 0] {
            let mut places: Vec<u32> = (0..count).collect();
            places.sort_by_key(|place| {
                let at = coordinates[*place as usize].filter(|_| on_steps.contains(place));
                // Places beside the board come last, in the order of the rules.
                (
                    at.is_none(),
                    at.map(|(group, at)| (group, at[major], at[1 - major])),
                    *place,
                )
            });
            let mut order = vec![0; places.len()];
            for (number, place) in (0..).zip(places) {
                order[place as usize] = number;
            }
            let cost = cost(&steps, &order);
            if cost < best.0 {
                best = (cost, order);
            }
        }
    }
    (4 * best.0 <= 3 * now && now > 0).then_some(best.1)
}

/// The differences of numbers that steps have, counted for each sort.
fn cost(steps: &Steps, order: &[u32]) -> usize {
    let differences = |pairs: &SortedSet<(u32, u32)>| {
        let number = |place: u32| i64::from(order[place as usize]);
        let all = pairs.iter().map(|(from, to)| number(*to) - number(*from));
        all.collect::<SortedSet<i64>>().len()
    };
    steps.iter().map(differences).sum()
}

/// The steps that tables of the game make.
fn steps(game: &Game, board: DomainId) -> Steps {
    let mut all = Steps::new();
    for table in &game.tables {
        let places = |value: &Const| match (&table.ty, value) {
            (Type::Elem(domain) | Type::Opt(domain), Const::Elem(place)) if *domain == board => {
                vec![*place]
            }
            (Type::Set(domain), Const::Set(places)) if *domain == board => places.clone(),
            _ => Vec::new(),
        };
        let lens: Vec<usize> = table.axes.iter().map(|axis| axis.len(game)).collect();
        let mut own = (0..table.axes.len()).filter(|at| table.axes[*at] == Axis::Domain(board));
        if let Some(at) = own.next() {
            // What is told of two places is no step.
            if own.next().is_some() {
                continue;
            }
            // What other axes tell apart are steps of other sorts.
            let inner: usize = lens[at + 1..].iter().product();
            let others = lens[..at].iter().product::<usize>() * inner;
            if others > MOST_STEPS {
                continue;
            }
            let mut sorts = vec![SortedSet::new(); others];
            for (cell, value) in table.values.iter().enumerate() {
                let (outer, from) = (cell / inner / lens[at], cell / inner % lens[at]);
                let sort = &mut sorts[outer * inner + cell % inner];
                sort.extend(places(value).into_iter().map(|to| (from as u32, to)));
            }
            all.extend(sorts.into_iter().filter(|sort| !sort.is_empty()));
        } else if let [across @ .., along] = &lens[..]
            && across.len() <= 1
            && table
                .axes
                .iter()
                .all(|axis| matches!(axis, Axis::Range { .. }))
        {
            // Neighbours in a table by coordinates.
            let rows = across.first().copied().unwrap_or(1);
            let at = |row: usize, column: usize| {
                let inside = row < rows && column < *along;
                let value = inside.then(|| table.values.get(row * along + column));
                value.flatten().and_then(|value| places(value).pop())
            };
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, usize::MAX)] {
                let cells = (0..rows).flat_map(|row| (0..*along).map(move |column| (row, column)));
                let pairs = cells.filter_map(|(row, column)| {
                    Some((
                        at(row, column)?,
                        at(row + down, column.wrapping_add(right))?,
                    ))
                });
                let pairs: SortedSet<(u32, u32)> = pairs.collect();
                all.extend((!pairs.is_empty()).then_some(pairs));
            }
        }
    }
    all
}

/// Where a place lies: which group it belongs to, and two coordinates.
pub(crate) type Place = Option<(usize, [i64; 2])>;

/// The coordinates of places, as far as they are known: by their names, those with one word together or not, and by pictures.
pub(crate) fn coordinates(game: &Game, board: DomainId) -> [Vec<Place>; 3] {
    let count = game.domain(board).len() as u32;
    let groups = groups(game, board);
    let named = |place: u32| {
        let name = game.domain(board).member(place);
        let numbers = name.split(|c: char| !c.is_ascii_digit());
        let numbers = numbers.filter_map(|number| number.parse().ok());
        <[i64; 2]>::try_from(numbers.collect::<Vec<_>>()).ok()
    };
    let mut pictured = vec![None; count as usize];
    for look in &game.presentation.places {
        if look.domain == board
            && let (Some(at), Some((x, y))) = (pictured.get_mut(look.member as usize), look.at)
        {
            // To thousandths: what is drawn in one row may differ by rounding.
            *at = Some((0, [x, y].map(|value| (1000.0 * value).round() as i64)));
        }
    }
    let together = |place: u32| Some((groups[place as usize], named(place)?));
    let mixed = |place: u32| Some((0, named(place)?));
    [
        (0..count).map(together).collect(),
        (0..count).map(mixed).collect(),
        pictured,
    ]
}

/// For each place the number of those whose names begin as its own does, the most first: a board before trays.
fn groups(game: &Game, board: DomainId) -> Vec<usize> {
    let domain = game.domain(board);
    let word = |place: u32| {
        let name = domain.member(place);
        let end = name.find(|c: char| c.is_ascii_digit());
        name[..end.unwrap_or(name.len())].to_owned()
    };
    let words: Vec<String> = (0..domain.len() as u32).map(word).collect();
    let mut sizes: Vec<(&str, usize)> = Vec::new();
    for word in &words {
        match sizes.iter_mut().find(|(known, _)| known == word) {
            Some((_, size)) => *size += 1,
            None => sizes.push((word, 1)),
        }
    }
    sizes.sort_by_key(|(_, size)| usize::MAX - size);
    let group = |word: &String| sizes.iter().position(|(known, _)| known == word);
    words.iter().map(|word| group(word).unwrap_or(0)).collect()
}

/// Whether something of a game may depend on the order of the members of a domain.
fn depends_on_order(game: &Game, domain: DomainId) -> bool {
    let member = |ty: &Type| matches!(ty, Type::Elem(d) | Type::Opt(d) if *d == domain);
    let set = |ty: &Type| *ty == Type::Set(domain);
    let over = |over: &Over| match over {
        Over::Domain(other) => *other == domain,
        Over::Set(of) => set(&of.ty),
        Over::Seq(_) | Over::Range(..) => false,
    };
    let mut found = false;
    walk_all(game, &mut |expr| {
        found |= match &expr.kind {
            ExprKind::Ordinal(of) => member(&of.ty),
            ExprKind::Member(other, _) => *other == domain,
            ExprKind::First { over: all, .. } => over(all),
            ExprKind::Fold { fold, body, .. } => {
                matches!(fold, Fold::Min | Fold::Max) && member(&body.ty)
            }
            ExprKind::Binary(op, a, _) => {
                use BinaryOp as B;
                let ordered = matches!(op, B::Lt | B::Le | B::Gt | B::Ge | B::Min | B::Max);
                let ranges = matches!(op, B::UpTo | B::DownTo);
                (ordered && member(&a.ty)) || (ranges && set(&a.ty))
            }
            _ => false,
        };
    });
    let effects = Effects::of(game);
    let weighted = |chance: &Chance| match &chance.dist {
        Distribution::Weighted { over: all, .. } => over(all),
        Distribution::Uniform(..) => false,
    };
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            found |= match &stmt.kind {
                StmtKind::ForEach(_, all, body) => {
                    let mut given = None;
                    over(all) && !only_asks(game, &effects, body, &mut given)
                }
                StmtKind::Chance(chance) => weighted(chance),
                StmtKind::Emit(Emit::Log(parts)) => parts
                    .iter()
                    .any(|part| matches!(part, LogPart::Value(value) if set(&value.ty))),
                StmtKind::Emit(Emit::Signal(_, values)) => {
                    values.iter().any(|value| set(&value.ty))
                }
                _ => false,
            };
        });
    }
    let subsets =
        |source: &ParamSource| matches!(source, ParamSource::Subset { of, .. } if set(&of.ty));
    let params = game.families.iter().flat_map(|family| &family.params);
    found |= params.into_iter().any(|param| subsets(&param.source));
    let parts = game.tellings.iter().flat_map(|telling| &telling.parts);
    found
        || parts.into_iter().any(|part| tells_in_order(part, domain))
        || written_in_order(game, &game.state_text, domain)
}

/// Whether the body of a loop does nothing but return one constant: then only whether there is a round matters.
fn only_asks<'a>(
    game: &Game,
    effects: &Effects,
    body: &'a Block,
    given: &mut Option<&'a Const>,
) -> bool {
    let safe = |expr: &Expr| {
        let effect = effects.expr(game, expr);
        let mut called = effect.calls.iter();
        let faults = |func: &FuncId| {
            let effect = effects.function(*func);
            effect.may_fault || effect.works || effect.fails || !effect.is_guard()
        };
        !effect.may_fault && !effect.works && !called.any(faults)
    };
    body.iter().all(|stmt| match &stmt.kind {
        StmtKind::Return(Some(value)) => value
            .as_const()
            .is_some_and(|value| *given.get_or_insert(value) == value),
        StmtKind::ForEach(_, Over::Domain(_), body) => only_asks(game, effects, body, given),
        StmtKind::ForEach(_, Over::Set(of), body) => {
            safe(of) && only_asks(game, effects, body, given)
        }
        _ => false,
    })
}

/// Whether a text lists members of a domain.
fn tells_in_order(part: &ToldPart, domain: DomainId) -> bool {
    match part {
        ToldPart::Text(_) => false,
        ToldPart::Value(value) => value.ty == Type::Set(domain),
        ToldPart::When(_, parts) => parts.iter().any(|part| tells_in_order(part, domain)),
        ToldPart::Each(_, of, parts) => {
            of.ty == Type::Set(domain) || parts.iter().any(|part| tells_in_order(part, domain))
        }
    }
}

/// Whether the text of a position writes sets of members, or values for all members without saying in which order.
fn written_in_order(game: &Game, parts: &[StatePart], domain: DomainId) -> bool {
    parts.iter().any(|part| match part {
        StatePart::Each {
            domain: other,
            parts,
            ..
        } if *other == domain => parts.iter().any(
            |part| matches!(part, StatePart::Var(var, _) if game.var(*var).ty == Type::Set(domain)),
        ),
        StatePart::Each { parts, .. } => written_in_order(game, parts, domain),
        StatePart::Var(var, _) => {
            let var = game.var(*var);
            var.ty == Type::Set(domain) || var.axes.contains(&Axis::Domain(domain))
        }
        StatePart::Snapshot(_) => true,
        StatePart::Text(_)
        | StatePart::Index
        | StatePart::Place(_)
        | StatePart::Content(_)
        | StatePart::Outcome
        | StatePart::Point => false,
    })
}

/// Gives the members of a domain other numbers, in all of a game.
fn renumber(game: &mut Game, domain: DomainId, order: &[u32]) {
    let new = Numbers { domain, order };
    let axes: Vec<usize> = game.domains.iter().map(|domain| domain.len()).collect();
    if let Members::Names(names) = &mut game.domains[domain.index()].members {
        new.permute(names, 1);
    }
    for table in &mut game.tables {
        new.values(&table.axes, &table.ty, &mut table.values, &axes);
        table
            .outside
            .iter_mut()
            .for_each(|value| new.value(&table.ty, value));
    }
    for var in &mut game.vars {
        new.values(&var.axes, &var.ty, &mut var.init, &axes);
    }
    for placement in &mut game.placements {
        let (of, in_all) = match placement.form {
            PlacementForm::Anonymous => (placement.places, placement.pieces),
            PlacementForm::One | PlacementForm::Many => (placement.pieces, placement.places),
        };
        if of == domain {
            new.permute(&mut placement.init, 1);
        }
        if in_all == domain {
            placement
                .init
                .iter_mut()
                .flatten()
                .for_each(|at| *at = new.of(*at));
        }
    }
    for param in game
        .families
        .iter_mut()
        .flat_map(|family| &mut family.params)
    {
        if let (Type::Elem(of), ParamSource::Among(members)) = (&param.ty, &mut param.source)
            && *of == domain
        {
            new.members(members);
        }
    }
    let placements = game.placements.clone();
    let constant = |expr: &mut Expr| {
        rewrite(expr, &mut |expr| {
            if let ExprKind::Const(value) = &mut expr.kind {
                new.value(&expr.ty, value);
            }
        });
    };
    free_exprs_mut(game, &mut |expr| constant(expr));
    blocks_mut(game, &mut |block| {
        each_stmt_mut(block, &mut |stmt| {
            stmt.children_mut(&mut |expr| constant(expr));
            if let StmtKind::Bring(placement, _, _, arrival) = &mut stmt.kind {
                let placement = &placements[placement.index()];
                if placement.pieces == domain {
                    new.members(&mut arrival.pieces);
                }
                if placement.places == domain {
                    new.members(&mut arrival.from);
                    new.members(&mut arrival.to);
                }
            }
        });
    });
    new.state_text(&mut game.state_text);
    let looks = &mut game.presentation;
    new.looks(&mut looks.places, |look| (look.domain, &mut look.member));
    new.looks(&mut looks.colours, |look| (look.domain, &mut look.member));
    new.looks(&mut looks.pieces, |look| (look.domain, &mut look.member));
    new.looks(&mut looks.owners, |look| (look.domain, &mut look.member));
}

/// Other numbers for the members of a domain.
struct Numbers<'a> {
    domain: DomainId,
    order: &'a [u32],
}

impl Numbers<'_> {
    fn of(&self, member: u32) -> u32 {
        self.order[member as usize]
    }

    fn members(&self, members: &mut [u32]) {
        members
            .iter_mut()
            .for_each(|member| *member = self.of(*member));
        members.sort_unstable();
    }

    fn value(&self, ty: &Type, value: &mut Const) {
        match (ty, value) {
            (Type::Elem(domain) | Type::Opt(domain), Const::Elem(member))
                if *domain == self.domain =>
            {
                *member = self.of(*member);
            }
            (Type::Set(domain), Const::Set(members)) if *domain == self.domain => {
                self.members(members);
            }
            (Type::Seq { item, .. }, Const::Seq(items)) => {
                items.iter_mut().for_each(|value| self.value(item, value));
            }
            (_, Const::Tagged(ty, value)) => self.value(&ty.clone(), value),
            _ => {}
        }
    }

    /// Values by member, each as many as `size`.
    fn permute<T: Clone>(&self, values: &mut [T], size: usize) {
        let old = values.to_vec();
        for (member, values_of) in old.chunks(size).enumerate() {
            let at = self.order[member % self.order.len()] as usize;
            let first = member / self.order.len() * self.order.len();
            values[(first + at) * size..][..size].clone_from_slice(values_of);
        }
    }

    fn values(&self, axes: &[Axis], ty: &Type, values: &mut [Const], members: &[usize]) {
        values.iter_mut().for_each(|value| self.value(ty, value));
        let mut size = 1;
        for axis in axes.iter().rev() {
            if *axis == Axis::Domain(self.domain) && size > 0 {
                self.permute(values, size);
            }
            size *= match axis {
                Axis::Domain(domain) => members[domain.index()],
                Axis::Range { lo, hi } => (hi - lo + 1) as usize,
            };
        }
    }

    fn state_text(&self, parts: &mut [StatePart]) {
        for part in parts {
            if let StatePart::Each {
                domain,
                order,
                parts,
                ..
            } = part
            {
                if *domain == self.domain {
                    order
                        .iter_mut()
                        .for_each(|member| *member = self.of(*member));
                }
                self.state_text(parts);
            }
        }
    }

    /// What is told of members, in the order of their numbers.
    fn looks<T: Clone>(&self, looks: &mut [T], of: impl Fn(&mut T) -> (DomainId, &mut u32)) {
        let mut own: Vec<(u32, T)> = Vec::new();
        for look in looks.iter_mut() {
            let (domain, member) = of(look);
            if domain == self.domain {
                *member = self.of(*member);
                let member = *member;
                own.push((member, look.clone()));
            }
        }
        own.sort_by_key(|(member, _)| *member);
        let mut own = own.into_iter();
        for look in looks {
            if of(look).0 == self.domain
                && let Some((_, next)) = own.next()
            {
                *look = next;
            }
        }
    }
}
