//! A game that is served.

use std::sync::{Arc, OnceLock};

use rulec_core::{FullGame, Reasons};
use rulec_render::{Files, Look};
use rulec_search::State;
use serde_json::{Value, json};

use crate::played::{self, Ply};
use crate::residents::{Resident, Residents};

/// A version of a game, ready to be played.
///
/// Games stay in memory as long as the program runs, as positions point to them: a session of an author loads as many
/// as there were edits that compile.
pub struct Loaded {
    /// The start.
    pub start: State<'static>,
    /// How it looks.
    pub look: Look,
    /// Its picture files.
    pub files: Files,
    /// Names and texts of the rule files, to quote lines from; empty for compiled games.
    pub sources: Vec<(String, String)>,
    /// What the compiler says about the rules, as a list.
    pub diagnostics: Value,
    /// Whether the engine can say why a move is not legal.
    pub explains: bool,
    /// What tells it where the game itself does not know.
    pub(crate) reasons: Option<Reasons>,
    /// Players of the server.
    pub(crate) residents: Residents,
    /// The start as games begin with it, so that it is drawn once for all of them.
    first: OnceLock<Arc<Ply>>,
}

impl Loaded {
    /// A game with its looks, without pictures and sources.
    pub fn new<G: FullGame + 'static>(game: G, look: Look) -> Loaded {
        let game: &'static G = Box::leak(Box::new(game));
        Loaded {
            start: rulec_search::start(game),
            look,
            files: Files::new(),
            sources: Vec::new(),
            diagnostics: json!([]),
            explains: false,
            reasons: None,
            residents: Residents::default(),
            first: OnceLock::new(),
        }
    }

    /// What tells why a move is not legal, for a game that does not know it itself.
    pub fn tell_reasons(&mut self, reasons: Option<Reasons>) {
        if let Some(reasons) = &reasons {
            self.explains = true;
            self.sources.clone_from(&reasons.sources);
        }
        self.reasons = reasons;
    }

    /// Takes in players of the server.
    ///
    /// # Errors
    /// When one of them cannot play the game, or two have one name.
    pub fn take_in(&mut self, all: &[Resident]) -> Result<(), String> {
        self.residents = Residents::ready(all, self.start.info())?;
        Ok(())
    }

    /// Whether two who play may agree to a draw: the rules know draws, or games are written as those of chess and draughts.
    pub(crate) fn draws(&self) -> bool {
        let two = self.start.about().players.len() == 2;
        two && (self.look.knows_draws() || self.form().is_some())
    }

    /// The form in which games of these rules are written; nothing if there is none.
    pub(crate) fn form(&self) -> Option<&'static str> {
        let names = self.look.coordinates();
        let numbered = names
            .values()
            .all(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        match (names.is_empty(), self.look.is_chess()) {
            (true, _) => None,
            (false, true) => Some("pgn"),
            (false, false) => numbered.then_some("pdn"),
        }
    }

    /// The position that games begin with.
    pub(crate) fn first(&self) -> Arc<Ply> {
        Arc::clone(
            self.first
                .get_or_init(|| played::ply(self.start.fork(), None)),
        )
    }

    /// The line of a rule file that a byte lies in: its number from 1, and the text.
    pub(crate) fn line(&self, file: u32, byte: u32) -> Option<(usize, &str)> {
        let (_, text) = self.sources.get(file as usize)?;
        let before = text.as_bytes().get(..byte as usize)?;
        let number = before.iter().filter(|&&b| b == b'\n').count();
        Some((number + 1, text.lines().nth(number)?))
    }
}
