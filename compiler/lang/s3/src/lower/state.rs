//! The state of a game: its variables, its text, its identities.

use super::names::{Dom, Interval, Names};
use super::tables::Key;
use super::{Ids, Lower};
use crate::ast::Game;
use crate::ir::builder::GameBuilder;
use crate::ir::{
    Axis, Const, Expr, Identity, IdentityTerm, LocalId, Placement, PlacementForm, Source,
    StatePart, Type, VarStyle,
};
use crate::source::SourceMap;

/// A game with its domains, but that of names, which is not known yet.
pub(super) fn builder(game: &Game, sources: &SourceMap) -> GameBuilder {
    let file = sources.get(game.span.file);
    let file_name = file.map_or("game", |file| file.name());
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let name = base
        .strip_suffix(".s3")
        .filter(|name| !name.is_empty())
        .unwrap_or(base);
    let players: Vec<&str> = game
        .players
        .iter()
        .map(|player| player.node.as_str())
        .collect();
    let mut out = GameBuilder::new(name, "s3", &players);
    out.game.sources = sources
        .files()
        .iter()
        .map(|file| Source {
            name: file.name().to_owned(),
            sha256: file.sha256().to_owned(),
            lines: file.line_starts().to_vec(),
        })
        .collect();
    let members = |dom: Dom| -> Vec<String> {
        match dom {
            Dom::Element => game.elements.keys().cloned().collect(),
            Dom::Location => game.locations.keys().cloned().collect(),
            Dom::ElementType => game.element_types.keys().cloned().collect(),
            Dom::LocationType => game.location_types.keys().cloned().collect(),
            Dom::Name => Vec::new(),
        }
    };
    for dom in Dom::FIXED {
        out.names(dom.name(), members(dom), game.span);
    }
    out
}

/// The variables and the placement.
pub(super) fn declare(out: &mut GameBuilder, game: &Game, names: &Names, states: Interval) -> Ids {
    let span = game.span;
    let players = out.game.players;
    let elements = Axis::Domain(Dom::Element.id());
    let place = |location: &str| names.member(Dom::Location, location);
    let at = out.placement(Placement {
        name: "at".to_owned(),
        pieces: Dom::Element.id(),
        places: Dom::Location.id(),
        form: PlacementForm::One,
        init: game
            .elements
            .values()
            .map(|element| place(&element.location.node))
            .collect(),
        span,
    });
    let int = |(lo, hi): Interval| Type::Int {
        lo: i64::from(lo),
        hi: i64::from(hi),
    };
    let zero = Const::Int(0);
    let state = out.var("state", vec![elements], int(states), zero.clone(), span);
    let owners = int((0, game.players.len() as i32));
    let owner = out.var("owner", vec![elements], owners, zero.clone(), span);
    let z = out.var("z", vec![elements], Type::Wrap32, zero, span);
    let turn = out.var(
        "turn",
        Vec::new(),
        Type::Elem(players),
        Const::Elem(0),
        span,
    );
    let initial = game.initial_score.map_or(0, |score| score.node);
    let score = Const::Int(i64::from(initial));
    let score = out.var(
        "score",
        vec![Axis::Domain(players)],
        Type::Wrap32,
        score,
        span,
    );
    let values = |f: &dyn Fn(&crate::ast::Element) -> i32| {
        game.elements
            .values()
            .map(|element| Const::Int(i64::from(f(element))))
            .collect()
    };
    out.game.vars[state.index()].init = values(&|element| element.state.node);
    out.game.vars[owner.index()].init = values(&|element| element.player.node);
    out.game.vars[z.index()].init = values(&|element| element.zindex);
    out.game.scores = Some(score);
    let ids = Ids {
        at,
        state,
        owner,
        z,
        turn,
        score,
    };
    out.game.state_text = state_text(out, ids, names);
    ids
}

/// `name@location/state/owner/zindex;` for each element by name, then `player|winner|[scores]`.
fn state_text(out: &GameBuilder, ids: Ids, names: &Names) -> Vec<StatePart> {
    let text = |text: &str| StatePart::Text(text.to_owned());
    let var = |id| StatePart::Var(id, VarStyle::Named);
    let elements: Vec<&str> = names.members(Dom::Element).collect();
    let mut order: Vec<u32> = (0..elements.len() as u32).collect();
    order.sort_by_key(|&element| elements[element as usize]);
    let element = vec![
        StatePart::Index,
        text("@"),
        StatePart::Place(ids.at),
        text("/"),
        var(ids.state),
        text("/"),
        var(ids.owner),
        text("/"),
        var(ids.z),
        text(";"),
    ];
    let players = out.game.players;
    let all = (0..out.game.domain(players).len() as u32).collect();
    let (none, comma) = (String::new(), ", ".to_owned());
    vec![
        StatePart::Each {
            domain: Dom::Element.id(),
            order,
            separator: none,
            parts: element,
        },
        StatePart::Var(ids.turn, VarStyle::Numbered),
        text("|"),
        StatePart::Outcome,
        text("|["),
        StatePart::Each {
            domain: players,
            order: all,
            separator: comma,
            parts: vec![var(ids.score)],
        },
        text("]"),
    ]
}

impl Lower<'_> {
    /// The equalities of states; `full` is there already.
    pub(super) fn identities(&mut self) {
        let span = self.game.span;
        let relevant = |ty: &str| {
            self.game
                .location_types
                .get(ty)
                .is_none_or(|ty| ty.relevant)
        };
        let values: Vec<bool> = self
            .game
            .locations
            .values()
            .map(|location| relevant(&location.ty.node))
            .collect();
        let all = values.iter().all(|&relevant| relevant);
        let values = values.into_iter().map(Const::Bool).collect();
        let location = Expr::local(LocalId(0), Type::Elem(Dom::Location.id()), span);
        let content = Expr::content(&self.out.game, self.ids.at, location.clone());
        let mut when = content.clone().is_some();
        if !all {
            let name = "Location is relevant";
            let table = self.given(Key::Relevant, name, Dom::Location, Type::Bool, values, span);
            when = Expr::lookup(&self.out.game, table, vec![location], span).and(when);
        }
        let types = self.type_table(Dom::Element, false);
        let element = content.get();
        let mut values = vec![Expr::lookup(
            &self.out.game,
            types,
            vec![element.clone()],
            span,
        )];
        values.extend(self.element_values(element));
        let board = IdentityTerm::Each {
            domain: Dom::Location.id(),
            when,
            values,
        };
        let element = Expr::local(LocalId(0), Type::Elem(Dom::Element.id()), span);
        let mut values = vec![Expr::place_of(&self.out.game, self.ids.at, element.clone())];
        values.extend(self.element_values(element));
        let when = Expr::bool(true, span);
        let elements = IdentityTerm::Each {
            domain: Dom::Element.id(),
            when,
            values,
        };
        let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
        let turn = IdentityTerm::Value(turn);
        let scores = self.score_terms();
        let mut add = |name: &str, first: &IdentityTerm, rest: &[IdentityTerm]| {
            let mut terms = vec![first.clone(), turn.clone()];
            terms.extend_from_slice(rest);
            self.out.identity(Identity {
                name: name.to_owned(),
                terms,
            });
        };
        add("canonical", &board, &scores);
        add("canonical-noscore", &board, &[]);
        add("full-noscore", &elements, &[]);
    }

    /// State, owner and z-index of an element.
    fn element_values(&self, element: Expr) -> [Expr; 3] {
        let span = element.span;
        let vars = [self.ids.state, self.ids.owner, self.ids.z];
        vars.map(|var| Expr::var(&self.out.game, var, vec![element.clone()], span))
    }

    fn score_terms(&self) -> Vec<IdentityTerm> {
        let players = self.out.game.players;
        let score = |player| {
            let player = Expr::elem(players, player, self.game.span);
            let score = Expr::var(&self.out.game, self.ids.score, vec![player], self.game.span);
            IdentityTerm::Value(score)
        };
        (0..self.game.players.len() as u32).map(score).collect()
    }
}
