//! Why a move is not legal, in the form that all engines use.

use rulec_compiler::ir;
use rulec_compiler::ir::print::{JsonError, from_json};
use rulec_core::{Explain, Lack, Reasons, Refusal, StateText, Wish};
use rulec_interp as interp;
use rulec_interp::{Interp, Objection, State};

use crate::InterpretedGame;
use crate::wording;

/// What tells the reasons of a compiled game: the interpreter, at work on the program that the game was compiled from.
///
/// `program` is that program, `sources` a list of names and texts of its rule files, both as JSON.
///
/// # Errors
/// What is wrong with the texts.
pub fn reasons(program: &str, sources: &str) -> Result<Reasons, String> {
    let wrong = |error: JsonError| format!("the program that reasons are told from: {error}");
    let program = from_json(program).map_err(wrong)?;
    let sources = serde_json::from_str(sources).map_err(|error| wrong(error.into()))?;
    let game = InterpretedGame::new(program).map_err(|error| error.to_string())?;
    let tell = move |state: &str, wish: Wish<'_>| {
        let state = game.parse_state(state).ok()?;
        game.explain(&state, wish)
    };
    Ok(Reasons {
        tell: Box::new(tell),
        sources,
    })
}

/// Questions about one position of an interpreted game; what was tried for one is not tried again for the next.
pub struct Explainer<'s> {
    interp: &'s Interp,
    state: &'s State,
    explainer: interp::Explainer<'s>,
}

impl<'s> Explainer<'s> {
    /// Questions about a position.
    pub fn new(game: &'s InterpretedGame, state: &'s State) -> Explainer<'s> {
        let interp = game.interp();
        Explainer {
            interp,
            state,
            explainer: interp.explainer(state),
        }
    }

    /// Why no move of a family is legal.
    pub fn family(&mut self, family: ir::FamilyId) -> Refusal {
        let objection = self.explainer.family(family);
        told(self.interp, self.state, &objection)
    }

    /// Why a wish is not legal.
    pub fn explain(&mut self, wish: Wish<'_>) -> Refusal {
        let objection = match wish {
            Wish::Naming(named) => self.explainer.naming(named),
            Wish::Text(text) => {
                let called = self.interp.moves_called(self.state, text);
                self.explainer.moves(&called)
            }
            Wish::Staying => self.explainer.threat(),
        };
        let mut refusal = told(self.interp, self.state, &objection);
        if let (Wish::Text(text), "not-a-move") = (wish, refusal.kind) {
            refusal.condition = wording::unknown(self.interp, self.state, text);
        }
        refusal
    }
}

fn told(interp: &Interp, state: &State, objection: &Objection) -> Refusal {
    let game = interp.game();
    let family = objection.family.map(|id| game.family(id));
    let located = family.is_some();
    Refusal {
        kind: objection.kind,
        family: objection
            .family
            .map_or(String::new(), |id| game.rule_name(id).to_owned()),
        mv: objection
            .mv
            .map_or(String::new(), |mv| match interp.legal_moves(state) {
                Ok(moves) if moves.contains(&mv) => interp.move_text_in(state, mv),
                _ => interp.move_text(mv),
            }),
        rule: family.map_or(String::new(), |family| game.origin(family.span)),
        origin: match located {
            true => game.origin(objection.span),
            false => String::new(),
        },
        span: match located {
            true => (objection.span.start, objection.span.end),
            false => (0, 0),
        },
        file: objection.span.file.0,
        condition: objection.condition.clone(),
        came_to: objection.came_to.clone(),
        values: objection.values.clone(),
        confirmed: objection.confirmed,
        cases: objection.cases,
        within: objection.within.clone(),
        lacks: objection.lacks.map(|lack| lacks(game, lack)),
        instead: objection.instead.clone(),
    }
}

fn lacks(game: &ir::Game, lack: interp::Lack) -> Lack {
    let name = |domain: ir::DomainId, piece: u32| game.domain(domain).member(piece);
    match lack {
        interp::Lack::Takes(domain, piece) => Lack::Takes(name(domain, piece)),
        interp::Lack::Changes(domain, piece) => Lack::Changes(name(domain, piece)),
    }
}
