//! What random games say against a game.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rulec_compiler::diag::{Diagnostic, Diagnostics, command};
use rulec_compiler::ir::{
    DomainId, EndReason, Family, Game, ParamSource, Placement, PlacementForm,
};
use rulec_compiler::source::{FileId, Span};
use rulec_compiler::symbols::{Class, Occurrence};
use rulec_interp::{Barrier, Gate};

use super::about::About;
use super::causes::Told;
use super::turns;
use super::walk::{Played, ends};
use super::why;

/// Games that must have been played before something that never happened is worth a word, and before a rule is suspected
/// that may be for something rare.
const ENOUGH: u64 = 30;
const ENOUGH_FOR_RULES: u64 = 200;
/// The same for a draw, which many rules allow and few games see.
const ENOUGH_FOR_DRAWS: u64 = 5_000;

/// Share of the games, in percent, that must have ended in a fault before what else never happened is not told.
const MANY_FAULTS: u64 = 50;
/// Rules that are shown at most where a player never has a move.
const MOST_SHOWN: usize = 3;
/// Moves before a fault that are told at most.
const MOST_MOVES: usize = 12;

/// Warnings about what never happened.
pub(super) fn judge(about: &About<'_>, played: &Played, seed: u64) -> Told {
    let judge = Judge::new(about, played, seed);
    let mut all = Told::new(about);
    let broken = played.faults * 100 >= played.games * MANY_FAULTS;
    if played.games >= ENOUGH && !broken {
        let players = judge.players();
        let idle = !players.is_empty();
        all.extend(players);
        // What follows from a player who never moves is not told.
        if idle && judge.is_kept_from_moving() {
            return all;
        }
        if !judge.is_kept_from_moving() {
            judge.end(&mut all);
            judge.win(&mut all);
        }
    }
    if played.games >= ENOUGH_FOR_RULES && !broken {
        // Where one rule ends all games before somebody moves, other rules have no time to apply.
        let too_short = judge.only_end().is_some() && !judge.idle_players().is_empty();
        if !too_short {
            if judge.idle_rules().is_empty() {
                all.extend(judge.pieces());
            }
            judge.rules(&mut all);
        }
        judge.ends(&mut all);
    }
    all.sort();
    // Much of the rest may follow from it.
    if played.games >= ENOUGH && !broken {
        all.first(judge.turns());
    }
    all
}

/// The first fault that a random game ended in.
pub(super) fn fault(about: &About<'_>, played: &Played) -> Diagnostics {
    let mut found = Diagnostics::new();
    if let (Some(at), Some(finding)) = (&played.fault_at, &played.fault) {
        let judge = Judge::new(about, played, 0);
        let span = match at.span.start == 0 {
            true => judge.everywhere(),
            false => at.span,
        };
        let message = format!("a random game ended in a fault: {}", at.code.message());
        let (games, all) = (played.faults, played.games);
        let first = finding.moves.len().saturating_sub(MOST_MOVES);
        let moves = finding.moves[first..].join("; ");
        let after = match (moves.is_empty(), first) {
            (true, _) => "before the first move".to_owned(),
            (false, 0) => format!("after `{moves}`"),
            (false, _) => format!("after {first} moves and `{moves}`"),
        };
        let told = Diagnostic::new(&command::FAULT, span, message)
            .note(format!("{after}; {games} of {all} random games ended so"));
        found.push(told);
    }
    found
}

/// Whether there is something that more games may show to happen after all.
pub(super) fn misses(about: &About<'_>, played: &Played) -> bool {
    let judge = Judge::new(about, played, 0);
    judge.has_no_end()
        || judge.has_no_winner()
        || !(judge.idle_players().is_empty()
            && judge.idle_rules().is_empty()
            && judge.never_ends(0).is_empty()
            && judge.pieces().is_empty())
}

struct Judge<'a> {
    about: &'a About<'a>,
    game: &'a Game,
    played: &'a Played,
    seed: u64,
    /// What kept ends from coming, once it is asked for.
    gates: OnceCell<BTreeMap<Span, Gate>>,
}

impl<'a> Judge<'a> {
    fn new(about: &'a About<'a>, played: &'a Played, seed: u64) -> Judge<'a> {
        Judge {
            about,
            game: about.game,
            played,
            seed,
            gates: OnceCell::new(),
        }
    }

    /// What kept an end from coming, where that is a condition that is written.
    fn gate(&self, end: Span) -> Option<&Gate> {
        let find = || why::gates(self.about.lowered, self.seed);
        let gate = self.gates.get_or_init(find).get(&end)?;
        (gate.span.start > 0).then_some(gate)
    }

    /// Where what concerns the whole game is told: at the first line that is no comment.
    fn everywhere(&self) -> Span {
        let tokens = self.about.index.as_ref().map(|index| &index.tokens);
        let mut tokens = tokens.into_iter().flatten();
        let first = tokens.find(|token| token.class != Class::Comment);
        let start = first.map_or(Span::new(FileId(0), 0, 0), |token| token.span);
        let Some(source) = self.about.sources.get(start.file) else {
            return start;
        };
        let line = source.line_span(source.position(start.start).line);
        Span::new(line.file, line.start, line.end.max(line.start + 1))
    }

    /// Where something with a name is declared, as editors know it.
    fn declared(&self, name: &str) -> Option<Span> {
        let index = self.about.index.as_ref()?;
        let mut all = index.occurrences.iter();
        let is_it = |one: &&Occurrence| {
            let symbol = index.symbols.get(one.symbol);
            let named = symbol.is_some_and(|symbol| symbol.name == name);
            one.definition && (named || one.member.as_deref() == Some(name))
        };
        all.find(is_it).map(|one| one.span)
    }

    /// The first of the places where rules let somebody win.
    fn first_win(&self, game: &Game) -> Option<Span> {
        let ends = ends(game);
        let wins = |reason: &EndReason| matches!(reason, EndReason::Win | EndReason::Elimination);
        let mut wins = ends.iter().filter(|(_, reason)| wins(reason));
        wins.find(|(span, _)| span.start > 0).map(|(span, _)| *span)
    }

    /// Whether the game is for several: what a player alone does at random solves few puzzles.
    fn is_contest(&self) -> bool {
        self.game.player_count() > 1
    }

    fn in_games(&self) -> String {
        format!("in {} random games", self.played.games)
    }

    fn has_no_end(&self) -> bool {
        self.is_contest() && self.played.unended == self.played.games
    }

    fn end(&self, all: &mut Told) {
        if self.has_no_end() {
            let wins = self.first_win(self.about.lowered);
            let at = wins.unwrap_or_else(|| self.everywhere());
            let message = format!("no game came to an end {}", self.in_games());
            let found = Diagnostic::new(&command::NO_END, at, message);
            self.without_end(self.with_keeping(found), self.about.lowered, all);
        }
    }

    fn has_no_winner(&self) -> bool {
        let won = self.played.ends.keys().any(|(_, winners)| *winners != 0);
        self.is_contest() && !won && self.played.unended < self.played.games
    }

    fn win(&self, all: &mut Told) {
        if !self.has_no_winner() {
            return;
        }
        let message = format!("nobody won {}", self.in_games());
        let wins = self.first_win(self.game);
        let at = wins.unwrap_or_else(|| self.everywhere());
        let found = self.with_keeping(Diagnostic::new(&command::NOBODY_WINS, at, message));
        match (wins, self.stuck()) {
            (Some(_), _) => self.without_end(found.label("this never came"), self.game, all),
            (None, stuck) if stuck == self.played.games => {
                all.push(found.note(
                    "no rule lets anybody win, and all games ended because nobody could move",
                ))
            }
            (None, _) => all.push(found.note("no rule lets anybody win")),
        }
    }

    /// Tells that none of the ends by which somebody wins came, with what stopped the first: as a note of the warning that knows
    /// the cause, where there is one for each.
    fn without_end(&self, found: Diagnostic, game: &Game, all: &mut Told) {
        let wins = |reason: &EndReason| matches!(reason, EndReason::Win | EndReason::Elimination);
        let ends = ends(game).into_iter();
        let ends: Vec<Span> = ends
            .filter(|(span, reason)| wins(reason) && span.start > 0)
            .map(|(span, _)| span)
            .collect();
        let stopped = |end: &Span| self.gate(*end).map_or(*end, |gate| gate.span);
        let causes: Option<Vec<Span>> = ends.iter().map(|end| all.cause(stopped(end))).collect();
        match causes.as_deref() {
            Some([first, ..]) => {
                all.because(*first, format!("so {}", found.message));
                all.explained(ends);
            }
            _ => all.push(self.with_gate(found, ends.first().copied())),
        }
    }

    /// Shows what kept an end from coming.
    fn with_gate(&self, found: Diagnostic, end: Option<Span>) -> Diagnostic {
        match end.and_then(|end| self.gate(end)) {
            Some(gate) if gate.span != gate.end => found.also(gate.span, always_or_never(gate)),
            _ => found,
        }
    }

    /// Rules that move things again and again and never pass the turn, where others that move things do.
    fn turns(&self) -> Option<Diagnostic> {
        match self.is_contest() {
            true => turns::kept(self.game, self.played),
            false => None,
        }
    }

    /// Players who never moved while others did, or who were to move and had no move.
    fn idle_players(&self) -> Vec<u32> {
        let moves = &self.played.moves;
        let nobody = moves.iter().all(|moves| *moves == 0);
        if nobody && (!self.is_contest() || self.idle_rules().is_empty()) {
            return Vec::new();
        }
        let idle = (0..).zip(moves.iter().zip(&self.played.turns));
        idle.filter(|(_, (moves, turns))| **moves == 0 && (!nobody || **turns > 0))
            .map(|(player, _)| player)
            .collect()
    }

    fn players(&self) -> Vec<Diagnostic> {
        let idle = self.idle_players();
        let was_on_turn = |player: &u32| self.played.turns[*player as usize] > 0;
        let stuck: Vec<u32> = idle.iter().copied().filter(was_on_turn).collect();
        let why = why::barriers(self.about.lowered, self.seed, &[], &stuck);
        // That the others are stuck comes first where somebody never is to move.
        idle.iter()
            .filter(|player| stuck.is_empty() || was_on_turn(player))
            .map(|player| match was_on_turn(player) {
                true => self.never_able(*player, &why),
                false => self.never_to_move(*player),
            })
            .collect()
    }

    /// Whether somebody never moves because no move passes the turn, or because nothing is legal then; else games always end
    /// before.
    fn is_kept_from_moving(&self) -> bool {
        let idle = self.idle_players();
        let on_turn = |player: &u32| self.played.turns[*player as usize] > 0;
        !idle.is_empty() && (idle.iter().any(on_turn) || self.keeping().next().is_some())
    }

    /// Rules that were played and never passed the turn.
    fn keeping(&self) -> impl Iterator<Item = &Family> {
        let counts = self.played.made.iter().zip(&self.played.handed);
        let families = self.game.families.iter().zip(counts);
        families
            .filter(|(family, (made, handed))| **made > 0 && **handed == 0 && family.span.start > 0)
            .map(|(family, _)| family)
    }

    /// The place of the rule by which every game ended, if there is one.
    fn only_end(&self) -> Option<Span> {
        let mut ends = self.played.ended_by.iter();
        let (span, games) = ends.next()?;
        (ends.next().is_none() && *games == self.played.games && span.start > 0).then_some(*span)
    }

    fn player_name(&self, player: u32) -> String {
        self.game.domain(self.game.players).member(player)
    }

    /// The turn never came to a player: which rules were played and never passed it.
    fn never_to_move(&self, player: u32) -> Diagnostic {
        let (name, games) = (self.player_name(player), self.in_games());
        let message = format!("{name} never had a move to make {games}");
        let mut keeping = self.keeping();
        let Some(first) = keeping.next() else {
            let at = self.declared(&name).unwrap_or_else(|| self.everywhere());
            let found = Diagnostic::new(&command::NEVER_TO_MOVE, at, message);
            return match self.only_end() {
                Some(end) => found.also(end, "all games ended by this rule before"),
                None => found.note(format!("no move ever gave the turn to {name}")),
            };
        };
        let found = Diagnostic::new(&command::NEVER_TO_MOVE, first.span, message)
            .label("no move by this rule ever passed the turn");
        keeping.take(MOST_SHOWN - 1).fold(found, |found, family| {
            found.also(family.span, "nor by this one")
        })
    }

    /// A player was to move, and nothing was legal: what stops the rules.
    fn never_able(&self, player: u32, why: &why::Barriers) -> Diagnostic {
        let (name, games) = (self.player_name(player), self.in_games());
        let message = format!("{name} came to move and never had a legal move {games}");
        let positions = why.by_player.get(&player).copied().unwrap_or(0);
        let stopped = why.of_players.get(&player).map_or(&[][..], Vec::as_slice);
        let shown = self.shown(stopped);
        let text = |barrier: &&Barrier| {
            let rule = self.about.lowered.rule_name(barrier.family);
            match barrier.written {
                true => format!("`{rule}` stops here: {}", self.stops(barrier, positions)),
                false => format!("nothing by `{rule}` is legal then"),
            }
        };
        let Some((first, more)) = shown.split_first() else {
            let at = self.everywhere();
            return Diagnostic::new(&command::NEVER_TO_MOVE, at, message)
                .note("no rule has a candidate then");
        };
        let found =
            Diagnostic::new(&command::NEVER_TO_MOVE, first.span, message).label(text(first));
        more.iter().fold(found, |found, barrier| {
            found.also(barrier.span, text(barrier))
        })
    }

    /// The barriers of a player that are worth a look, the farthest first: those of rules by which nothing was ever legal, if
    /// there are any; never those of rules for other players, if there are others.
    fn shown<'b>(&self, stopped: &'b [Barrier]) -> Vec<&'b Barrier> {
        let idle = self.idle_rules();
        let own = |one: &&Barrier| !one.for_others;
        let own: Vec<&Barrier> = stopped.iter().filter(own).collect();
        let own = match own.is_empty() {
            true => stopped.iter().collect(),
            false => own,
        };
        let dead = |one: &&Barrier| idle.contains(&one.family.index());
        let dead: Vec<&Barrier> = own.iter().copied().filter(dead).collect();
        let all = if dead.is_empty() { own } else { dead };
        let mut shown: Vec<&Barrier> = Vec::new();
        for barrier in all {
            let new = shown.iter().all(|other| other.span != barrier.span);
            if shown.len() < MOST_SHOWN && new {
                shown.push(barrier);
            }
        }
        shown
    }

    /// What stops a rule, in words that stand at the place of the condition.
    fn stops(&self, barrier: &Barrier, positions: u64) -> String {
        let lowered = self.about.lowered;
        let own = lowered.rule_of(barrier.family).index();
        let mut rivals = lowered.rules().filter(|(index, family)| {
            let (around, at) = (family.span, barrier.span);
            *index != own
                && around.file == at.file
                && around.start <= at.start
                && at.end <= around.end
        });
        match (barrier.value, rivals.next()) {
            (true, Some((_, rival))) => {
                format!("what comes so far is a move by `{}` already", rival.name)
            }
            (true, None) => {
                format!("always true, where all before it held ({positions} positions)")
            }
            (false, _) => format!("never true, where all before it held ({positions} positions)"),
        }
    }

    /// Rules by which nothing was ever legal.
    fn idle_rules(&self) -> Vec<usize> {
        let idle = self.about.lowered.rules().filter(|(index, family)| {
            let by_host = self.game.by_host.iter().any(|id| id.index() == *index);
            // A choice in the middle of a move is not offered where only one thing can be chosen.
            let is_choice = !family.context.is_empty();
            let is_nothing = family.params.iter().any(
                |param| matches!(&param.source, ParamSource::Among(candidates) if candidates.is_empty()),
            );
            self.played.legal[*index] == 0 && !by_host && !is_choice && !is_nothing
        });
        idle.map(|(index, _)| index).collect()
    }

    fn rules(&self, all: &mut Told) {
        let idle = self.idle_rules();
        let why = why::barriers(self.about.lowered, self.seed, &idle, &[]);
        for index in idle {
            let family = &self.game.families[index];
            let message = format!(
                "no move by `{}` was ever legal {}",
                family.name,
                self.in_games()
            );
            let barrier = why.of_rules.get(&index).filter(|barrier| barrier.written);
            if let Some(cause) = barrier.and_then(|barrier| all.cause(barrier.span)) {
                all.because(cause, format!("so {message}"));
                continue;
            }
            let found = Diagnostic::new(&command::NEVER_LEGAL, family.span, message);
            let found = match barrier {
                Some(barrier) => found.also(barrier.span, self.stops(barrier, why.positions)),
                None => found,
            };
            all.push(match self.game.episode {
                Some(_) => found.help(
                    "rules may be for other boards than those of this check: name a trial list and a row of it, or check the \
                     list itself with `--set row=1`",
                ),
                None => found,
            });
        }
    }

    /// The places of ends that never came, and how they end games; of draws if so many games were played.
    fn never_ends(&self, enough_for_draws: u64) -> Vec<(Span, EndReason)> {
        if self.played.ended_by.is_empty() {
            return Vec::new();
        }
        let first = self.everywhere();
        let stuck = self.stuck();
        let never = ends(self.game).into_iter().filter(|(span, reason)| {
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
        never.collect()
    }

    /// Tells of ends that never came.
    fn ends(&self, all: &mut Told) {
        let stuck = self.stuck();
        let games = self.in_games();
        let mut found: IndexMap<&str, Diagnostic> = IndexMap::new();
        for (span, reason) in self.never_ends(ENOUGH_FOR_DRAWS) {
            if all.is_explained(span) {
                continue;
            }
            let how = match reason {
                EndReason::Win => "a win",
                EndReason::Draw => "a draw",
                _ => "an end",
            };
            let gate = self.gate(span);
            if let Some(cause) = all.cause(gate.map_or(span, |gate| gate.span)) {
                let line = self.line(span);
                let note = format!("so no game ended by the rule in line {line} for {how} {games}");
                all.because(cause, note);
                continue;
            }
            if let Some(told) = found.get_mut(how) {
                if told.labels.iter().all(|label| label.span != span) {
                    *told = self.with_gate(told.clone().also(span, "nor by this one"), Some(span));
                }
                continue;
            }
            let message = format!("no game ended by this rule for {how} {games}");
            let told = Diagnostic::new(&command::NEVER_ENDS_SO, span, message);
            let told = match reason {
                EndReason::Draw if stuck > 0 => told.note(format!(
                    "{stuck} games ended because nobody could move; should they be drawn?"
                )),
                _ => self.with_keeping(told),
            };
            found.insert(how, self.with_gate(told, Some(span)));
        }
        // What nobody won by is told already.
        let told: Vec<Span> = all.spans();
        let new = |end: &Diagnostic| !told.contains(&end.span());
        all.extend(found.into_values().filter(new));
    }

    fn line(&self, span: Span) -> usize {
        let source = self.about.sources.get(span.file);
        source.map_or(0, |source| source.position(span.start).line as usize)
    }

    /// Says which rules were played and never passed the turn, where others did: something that never comes may follow from it.
    fn with_keeping(&self, found: Diagnostic) -> Diagnostic {
        let passes = self.played.handed.iter().any(|handed| *handed > 0);
        let keeping: Vec<String> = (self.keeping().filter(|_| passes && self.is_contest()))
            .take(MOST_SHOWN)
            .map(|family| format!("`{}`", family.name))
            .collect();
        match keeping.is_empty() {
            true => found,
            false => found.note(format!(
                "no move by {} ever passed the turn; is that meant?",
                keeping.join(" or ")
            )),
        }
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
            let pieces = (0..domain.len() as u32).map(|piece| domain.member(piece));
            let mut pieces = pieces.filter(|piece| idle.contains(&sort_of(piece).as_str()));
            let at = pieces.find_map(|piece| self.declared(&piece));
            let at = at.unwrap_or_else(|| self.everywhere());
            Diagnostic::new(&command::NEVER_MOVED, at, message)
        })
    }
}

/// What came of the condition that kept an end from coming.
fn always_or_never(gate: &Gate) -> String {
    let what = match gate.value {
        true => "always true",
        false => "never true",
    };
    let compared = match gate.compared {
        Some((least, most)) if least == most => format!("; what it compares was always {least}"),
        Some((least, most)) => format!("; what it compares was {least} to {most}"),
        None => String::new(),
    };
    let times = gate.asked;
    format!("{what}, where all before it held (asked {times} times){compared}")
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
