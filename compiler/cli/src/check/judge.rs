//! What random games say against a game.

use std::collections::BTreeSet;

use rulec_compiler::diag::{Diagnostic, Diagnostics, command};
use rulec_compiler::ir::{DomainId, EndReason, Game, ParamSource, Placement, PlacementForm};
use rulec_compiler::source::{FileId, Span};

use super::walk::{Played, ends};

/// Games that must have been played before something that never happened is worth a word, and before a rule is suspected
/// that may be for something rare.
const ENOUGH: u64 = 30;
const ENOUGH_FOR_RULES: u64 = 200;
/// The same for a draw, which many rules allow and few games see.
const ENOUGH_FOR_DRAWS: u64 = 5_000;

/// Warnings about what never happened.
pub(super) fn judge(game: &Game, played: &Played) -> Diagnostics {
    let mut found = Diagnostics::new();
    let judge = Judge { game, played };
    let mut all: Vec<Diagnostic> = Vec::new();
    if played.games >= ENOUGH {
        all.extend(judge.end());
        all.extend(judge.win());
        all.extend(judge.players());
    }
    if played.games >= ENOUGH_FOR_RULES {
        all.extend(judge.rules());
        all.extend(judge.ends());
        all.extend(judge.pieces());
    }
    all.into_iter().for_each(|finding| found.push(finding));
    found.sort();
    found
}

/// Whether there is something that more games may show to happen after all.
pub(super) fn misses(game: &Game, played: &Played) -> bool {
    let judge = Judge { game, played };
    let nobody = judge.end().is_some() || judge.win().is_some() || !judge.players().is_empty();
    nobody
        || !(judge.rules().is_empty() && judge.ends_at(0).is_empty() && judge.pieces().is_empty())
}

struct Judge<'a> {
    game: &'a Game,
    played: &'a Played,
}

impl Judge<'_> {
    /// Where what concerns the whole game is told: at the first line of its file.
    fn everywhere(&self) -> Span {
        let lines = self.game.sources.first().map(|source| &source.lines);
        let second = lines.and_then(|lines| lines.get(1)).copied().unwrap_or(1);
        Span::new(FileId(0), 0, second.saturating_sub(1))
    }

    /// Whether the game is for several: what a player alone does at random solves few puzzles.
    fn is_contest(&self) -> bool {
        self.game.player_count() > 1
    }

    fn in_games(&self) -> String {
        format!("in {} random games", self.played.games)
    }

    fn end(&self) -> Option<Diagnostic> {
        let none = self.is_contest() && self.played.unended == self.played.games;
        none.then(|| {
            Diagnostic::new(
                &command::NO_END,
                self.everywhere(),
                format!("no game came to an end {}", self.in_games()),
            )
        })
    }

    fn win(&self) -> Option<Diagnostic> {
        let won = self.played.ends.keys().any(|(_, winners)| *winners != 0);
        let none = self.is_contest() && !won && self.played.unended < self.played.games;
        none.then(|| {
            Diagnostic::new(
                &command::NOBODY_WINS,
                self.everywhere(),
                format!("nobody won {}", self.in_games()),
            )
        })
    }

    fn players(&self) -> Vec<Diagnostic> {
        let players = self.game.domain(self.game.players);
        if self.played.moves.iter().all(|moves| *moves == 0) {
            return Vec::new();
        }
        let idle = (0..)
            .zip(&self.played.moves)
            .filter(|(_, moves)| **moves == 0);
        idle.map(|(player, _)| {
            let name = players.member(player);
            let message = format!("{name} never had a move to make {}", self.in_games());
            Diagnostic::new(&command::NEVER_TO_MOVE, players.span, message)
                .help("does every rule of the others pass the turn?")
        })
        .collect()
    }

    fn rules(&self) -> Vec<Diagnostic> {
        let families = self.game.families.iter().enumerate();
        let idle = families.filter(|(index, family)| {
            let by_host = self.game.by_host.iter().any(|id| id.index() == *index);
            // A choice in the middle of a move is not offered where only one thing can be chosen.
            let is_choice = !family.context.is_empty();
            let is_nothing = family.params.iter().any(
                |param| matches!(&param.source, ParamSource::Among(candidates) if candidates.is_empty()),
            );
            self.played.legal[*index] == 0 && !by_host && !is_choice && !is_nothing
        });
        idle.map(|(_, family)| {
            let (name, games) = (&family.name, self.in_games());
            let message = format!("no move by `{name}` was ever legal {games}");
            let found = Diagnostic::new(&command::NEVER_LEGAL, family.span, message);
            match self.game.episode {
                Some(_) => found.help(
                    "rules may be for other boards than those of this check: name a trial list and a row of it, or check the \
                     list itself with `--set row=1`",
                ),
                None => found,
            }
        })
        .collect()
    }

    fn ends(&self) -> Vec<Diagnostic> {
        self.ends_at(ENOUGH_FOR_DRAWS)
    }

    /// Warnings about ends that never came; about draws if so many games were played.
    fn ends_at(&self, enough_for_draws: u64) -> Vec<Diagnostic> {
        if self.played.ended_by.is_empty() {
            return Vec::new();
        }
        let first = self.everywhere();
        let ends = ends(self.game);
        let stuck = self.stuck();
        let never = ends.iter().filter(|(span, reason)| {
            let expected = match reason {
                EndReason::Limit | EndReason::Stuck => true,
                // Where games get stuck, its condition is a suspect at once.
                EndReason::Draw => self.played.games < enough_for_draws && stuck == 0,
                EndReason::Win | EndReason::Elimination => !self.is_contest(),
            };
            // What no line of the rules says belongs to the language.
            let written = span.file != first.file || span.start > 0;
            written && !expected && !self.played.ended_by.contains_key(span)
        });
        never
            .map(|(span, reason)| {
                let how = match reason {
                    EndReason::Win => "a win",
                    EndReason::Draw => "a draw",
                    _ => "an end",
                };
                let message = format!("no game ended by this rule for {how} {}", self.in_games());
                let found = Diagnostic::new(&command::NEVER_ENDS_SO, *span, message);
                match reason {
                    EndReason::Draw if stuck > 0 => found.note(format!(
                        "{stuck} games ended because nobody could move; should they be drawn?"
                    )),
                    _ => found,
                }
            })
            .collect()
    }

    /// Games that ended because nobody could move, and no rule says what that is worth.
    fn stuck(&self) -> u64 {
        let ends = self.played.ends.iter();
        let stuck = ends.filter(|((how, _), _)| *how == "stuck");
        stuck.map(|(_, games)| games).sum()
    }

    fn pieces(&self) -> Vec<Diagnostic> {
        let mut domains: Vec<DomainId> = Vec::new();
        for placement in &self.game.placements {
            if !domains.contains(&placement.pieces) {
                domains.push(placement.pieces);
            }
        }
        domains
            .into_iter()
            .filter_map(|domain| self.idle_pieces(domain))
            .collect()
    }

    /// The members of a domain in which something was at any time.
    fn holders(&self, id: DomainId) -> BTreeSet<u32> {
        let placements = self.game.placements.iter().zip(&self.played.used);
        placements
            .filter(|(placement, _)| placement.places == id)
            .flat_map(|(placement, used)| used.iter().chain(placement.init.iter().flatten()))
            .copied()
            .collect()
    }

    /// A warning about the pieces of a domain that were never touched: whole sorts of them, as a single one may be spare.
    fn idle_pieces(&self, id: DomainId) -> Option<Diagnostic> {
        let domain = self.game.domain(id);
        let mut moved: BTreeSet<String> = BTreeSet::new();
        let mut there: BTreeSet<String> = BTreeSet::new();
        let holders = self.holders(id);
        let placements = self.game.placements.iter().enumerate();
        for (index, placement) in placements.filter(|(_, placement)| placement.pieces == id) {
            let touched = &self.played.touched[index];
            moved.extend(touched.iter().map(|piece| sort_of(&domain.member(*piece))));
            if placement.places == id {
                let taken =
                    (0..domain.len() as u32).filter(|&piece| carried(placement, touched, piece));
                moved.extend(taken.map(|piece| sort_of(&domain.member(piece))));
            }
            let pieces = match placement.form {
                PlacementForm::Anonymous => placement.init.iter().flatten().copied().collect(),
                // What holds others is a place.
                _ if placement.places == id => held(placement, &holders),
                _ => (0..domain.len() as u32).collect(),
            };
            there.extend(pieces.iter().map(|piece| sort_of(&domain.member(*piece))));
        }
        let idle: Vec<&str> = there.difference(&moved).map(String::as_str).collect();
        (!idle.is_empty()).then(|| {
            let names = idle.join(", ");
            let message = format!(
                "nothing ever moved, placed or took a piece `{names}` {}",
                self.in_games()
            );
            Diagnostic::new(&command::NEVER_MOVED, domain.span, message)
        })
    }
}

/// The pieces that are in something at the start and never hold anything themselves.
fn held(placement: &Placement, holders: &BTreeSet<u32>) -> Vec<u32> {
    let pieces = (0..).zip(&placement.init);
    pieces
        .filter_map(|(piece, at)| at.is_some().then_some(piece))
        .filter(|piece| !holders.contains(piece))
        .collect()
}

/// Whether a piece lay, at the start, within one that was touched, which takes it along.
fn carried(placement: &Placement, touched: &BTreeSet<u32>, piece: u32) -> bool {
    let within = |piece: &u32| placement.init.get(*piece as usize).copied().flatten();
    let outer = std::iter::successors(within(&piece), within);
    outer
        .take(placement.init.len())
        .any(|holder| touched.contains(&holder))
}

/// The sort of a piece by its name: without numbers and what stands in brackets.
fn sort_of(name: &str) -> String {
    let end = name.find('(').unwrap_or(name.len());
    let plain =
        name[..end].trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '#'));
    match plain.is_empty() {
        true => name.to_owned(),
        false => plain.to_owned(),
    }
}
