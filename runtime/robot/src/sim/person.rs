//! A person who plays with the robot, makes mistakes on purpose, helps as asked, and watches that nothing is believed
//! that is not so.

use std::collections::BTreeSet;
use std::time::Duration;

use rulec_arm::sim::{Saboteur, Trouble};
use rulec_core::{ChoiceSet, Rng, Turn};
use rulec_search::State;
use rulec_vision::{Scene, Standing};

use super::{Incident, Mishap, Report, Shared, locked, strike};
use crate::{Answer, Choice, Ending, Message, Person, Question, Settings, Side};

/// A simulated person.
pub struct SimPerson<'g> {
    scene: Scene,
    /// The game as the person follows it.
    state: State<'g>,
    standing: Standing,
    world: Shared,
    saboteur: Saboteur,
    settings: Settings,
    /// What is still to go wrong: at which turn, counted for persons and for the arm apart.
    coming: Vec<(u32, Incident)>,
    happened: Vec<(usize, Incident)>,
    turns: u32,
    plans: u32,
    /// The move that the person wants to make.
    wanted: Option<Choice>,
    said: Vec<&'static str>,
    defects: Vec<String>,
    moves: u32,
    aloud: bool,
    rng: Rng,
}

/// Looks that a hand is in view while a person moves a piece.
const REACH: u32 = 2;

impl<'g> SimPerson<'g> {
    pub(super) fn new(
        scene: &Scene,
        state: State<'g>,
        world: Shared,
        saboteur: Saboteur,
        settings: Settings,
        incidents: Vec<(u32, Incident)>,
        aloud: bool,
    ) -> SimPerson<'g> {
        SimPerson {
            scene: scene.clone(),
            state,
            standing: scene.standing(),
            world,
            saboteur,
            rng: Rng::new(settings.seed, 4),
            settings,
            coming: incidents,
            happened: Vec::new(),
            turns: 0,
            plans: 0,
            wanted: None,
            said: Vec::new(),
            defects: Vec::new(),
            moves: 0,
            aloud,
        }
    }

    /// The game goes on from a position in which the pieces stand so.
    pub(super) fn stands(&mut self, standing: &Standing) {
        self.standing.clone_from(standing);
    }

    /// What goes wrong before the game begins.
    pub(super) fn prepare(&mut self) {
        let at_start = |incident: &Incident| *incident == Incident::WrongStart;
        if let Some(found) = self
            .coming
            .iter()
            .position(|(_, incident)| at_start(incident))
        {
            self.coming.remove(found);
            if let Some((from, to)) = self.wrong_shove() {
                locked(&self.world).shove(from, Some(to));
                self.happened.push((0, Incident::WrongStart));
            }
        }
    }

    /// What came of it.
    pub(super) fn report(mut self, ending: Ending, time: Duration) -> Report {
        for (from, incident) in &self.happened {
            let answers = incident.answers();
            let after = &self.said[(*from).min(self.said.len())..];
            if !answers.is_empty() && !after.iter().any(|said| answers.contains(said)) {
                self.defects
                    .push(format!("{incident:?} happened, and nothing was said of it"));
            }
        }
        let last = self
            .happened
            .iter()
            .any(|(_, incident)| incident.is_final());
        match (&ending, last) {
            (Ending::Over(_), false) | (Ending::EStop | Ending::Eye(_), true) => {}
            (other, _) => self
                .defects
                .push(format!("the game ended with: {}", other.text())),
        }
        Report {
            ending,
            said: self.said,
            happened: self
                .happened
                .into_iter()
                .map(|(_, incident)| incident)
                .collect(),
            defects: self.defects,
            moves: self.moves,
            time,
        }
    }

    /// The incident that is due now among those of the arm, or of persons.
    fn due(&mut self, arm: bool) -> Option<Incident> {
        let turn = if arm { self.plans } else { self.turns };
        let is_due =
            |(at, incident): &(u32, Incident)| *at <= turn && incident.is_of_the_arm() == arm;
        let found = self.coming.iter().position(is_due)?;
        Some(self.coming.remove(found).1)
    }

    fn note(&mut self, incident: Incident) {
        self.happened.push((self.said.len(), incident));
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        match from.is_empty() {
            true => None,
            false => Some(from[self.rng.below(from.len() as u32) as usize]),
        }
    }

    /// A piece and an empty place that no move and no two moves bring it to.
    fn wrong_shove(&mut self) -> Option<(usize, usize)> {
        let now = self.standing.looks(&self.scene);
        let mut allowed: BTreeSet<Vec<Option<u8>>> = BTreeSet::new();
        for (next, standing) in successors(&self.scene, &self.state, &self.standing) {
            allowed.insert(standing.looks(&self.scene));
            for (_, second) in successors(&self.scene, &next, &standing) {
                allowed.insert(second.looks(&self.scene));
            }
        }
        let places = 0..now.len();
        let full: Vec<usize> = places.clone().filter(|at| now[*at].is_some()).collect();
        let free: Vec<usize> = places.filter(|at| now[*at].is_none()).collect();
        for _ in 0..50 {
            let (from, to) = (self.pick(&full)?, self.pick(&free)?);
            let mut looks = now.clone();
            looks.swap(from, to);
            if !allowed.contains(&looks) {
                return Some((from, to));
            }
        }
        None
    }

    /// A person's turn: the move, or something that is none.
    fn play(&mut self, choices: &[Choice]) {
        let incident = self.due(false);
        self.turns += 1;
        let at = self.rng.below(choices.len().max(1) as u32) as usize;
        let Some(choice) = choices.get(at).cloned() else {
            return;
        };
        self.wanted = Some(choice.clone());
        let patience = self.settings.patience;
        let (mut after, mut hand) = (self.rng.below(3), REACH);
        match incident {
            Some(Incident::HandStays) => {
                self.note(Incident::HandStays);
                (after, hand) = (0, patience + 5);
            }
            Some(Incident::NobodyMoves) => {
                self.note(Incident::NobodyMoves);
                after = 3 * patience + 5;
            }
            Some(Incident::Fog) => {
                let places = self.changed(&choice.after);
                self.note(Incident::Fog);
                locked(&self.world).fog(places, 4 * patience);
                after = 0;
            }
            Some(wrong @ (Incident::Illegal | Incident::Stray)) => {
                if let Some((from, to)) = self.wrong_shove() {
                    self.note(wrong);
                    let to = (wrong == Incident::Illegal).then_some(to);
                    let mut world = locked(&self.world);
                    world.keep_hand(REACH);
                    return world.shove(from, to);
                }
            }
            Some(Incident::TwoMoves) => {
                if let Some(standing) = self.second(&choice) {
                    self.note(Incident::TwoMoves);
                    return locked(&self.world).arrange_soon(&standing, 0, hand);
                }
            }
            Some(Incident::Blind) => {
                self.note(Incident::Blind);
                locked(&self.world).blind(5);
            }
            Some(Incident::BlindForGood) => {
                self.note(Incident::BlindForGood);
                locked(&self.world).blind(u32::MAX);
            }
            _ => {}
        }
        locked(&self.world).arrange_soon(&choice.after, after, hand);
    }

    /// The places that a move changes.
    fn changed(&self, after: &Standing) -> Vec<usize> {
        let (now, then) = (self.standing.looks(&self.scene), after.looks(&self.scene));
        (0..now.len()).filter(|at| now[*at] != then[*at]).collect()
    }

    /// What the board looks like after a second move that is not the same as one move.
    fn second(&mut self, first: &Choice) -> Option<Standing> {
        let single: BTreeSet<_> = successors(&self.scene, &self.state, &self.standing)
            .into_iter()
            .map(|(_, standing)| standing.looks(&self.scene))
            .collect();
        let mut next = self.state.fork();
        next.play(first.code, None);
        let seconds = successors(&self.scene, &next, &first.after).into_iter();
        let now = self.standing.looks(&self.scene);
        let mut other = seconds.map(|(_, standing)| standing).filter(|standing| {
            let looks = standing.looks(&self.scene);
            looks != now && !single.contains(&looks)
        });
        other.next()
    }

    /// The arm is about to move.
    fn sabotage(&mut self) {
        let incident = self.due(true);
        self.plans += 1;
        let Some(incident) = incident else {
            return;
        };
        let uses = 3 + self.rng.below(20);
        let full: Vec<usize> = (0..self.standing.len())
            .filter(|at| self.standing.piece(*at).is_some())
            .collect();
        match incident {
            Incident::OffCentre => {
                if let Some(place) = self.pick(&full) {
                    self.note(incident);
                    locked(&self.world).push_off_centre(place);
                }
            }
            Incident::Bump => {
                if let Some((from, to)) = self.wrong_shove() {
                    self.note(incident);
                    locked(&self.world).shove(from, Some(to));
                }
            }
            Incident::Miss => locked(&self.world).mishaps(&[Mishap::Miss]),
            Incident::MissAlways => locked(&self.world).mishaps(&[Mishap::Miss; 2]),
            Incident::Drop => locked(&self.world).mishaps(&[Mishap::Drop]),
            Incident::WrongPlace => locked(&self.world).mishaps(&[Mishap::WrongPlace]),
            Incident::EStop | Incident::EStopForGood => locked(&self.world).stop_soon(uses),
            _ => match strike(incident) {
                Some(Ok(fault)) => self.saboteur.strike(fault),
                Some(Err(trouble)) => locked(&self.world).trouble_soon(uses, trouble),
                None => {}
            },
        }
        if !matches!(incident, Incident::OffCentre | Incident::Bump) {
            self.note(incident);
        }
    }

    /// A move was made, says the robot: the person follows, and looks whether it is so.
    fn follow(&mut self, text: &str, believed: &Standing) {
        self.moves += 1;
        // Several families may share a text; one of the moves is legal.
        let (mut legal, mut events) = (Vec::new(), Vec::new());
        let known = self.state.moves(ChoiceSet::All, &mut legal).is_ok();
        let found = self.state.parse_move(text).into_iter();
        match found.filter(|code| legal.contains(code)).min() {
            Some(code) if known && self.state.turn() != Turn::Over => {
                self.state.play(code, Some(&mut events));
            }
            _ => self.defects.push(format!("`{text}` is no move")),
        }
        for event in &events {
            self.standing.apply(&self.scene, event);
        }
        let truth = locked(&self.world).truth();
        let believed = believed.looks(&self.scene);
        if truth != believed {
            self.defects.push(format!(
                "after {text} the board is {truth:?}, believed is {believed:?}"
            ));
        }
        if self.standing.looks(&self.scene) != believed {
            self.defects.push(format!(
                "after {text} the rules want another board than is believed"
            ));
        }
        self.wanted = None;
    }

    fn put_right(&mut self, wanted: &Standing) {
        let mut world = locked(&self.world);
        world.arrange(wanted);
        world.keep_hand(REACH);
    }
}

/// The positions after each move.
fn successors<'g>(
    scene: &Scene,
    state: &State<'g>,
    standing: &Standing,
) -> Vec<(State<'g>, Standing)> {
    let mut codes = Vec::new();
    // A rule that goes wrong allows no moves; the session tells it.
    if state.moves(ChoiceSet::All, &mut codes).is_err() {
        return Vec::new();
    }
    let after = |code: &u64| {
        let (mut next, mut standing, mut events) = (state.fork(), standing.clone(), Vec::new());
        next.play(*code, Some(&mut events));
        events.iter().for_each(|event| standing.apply(scene, event));
        (next, standing)
    };
    codes.iter().map(after).collect()
}

impl Person for SimPerson<'_> {
    fn tell(&mut self, message: &Message) {
        if self.aloud {
            // Without a reader there is nobody to tell.
            use std::io::Write as _;
            let _ = writeln!(std::io::stdout().lock(), "{}", message.text());
        }
        self.said.push(message.kind());
        match message {
            Message::YourTurn { choices, .. } => self.play(choices),
            Message::Plan { .. } => self.sabotage(),
            Message::Committed { text, standing, .. } => self.follow(text, standing),
            Message::Illegal { wanted, .. } => {
                self.put_right(wanted);
                if let Some(choice) = self.wanted.clone() {
                    locked(&self.world).arrange_soon(&choice.after, 4, 0);
                }
            }
            Message::TwoMoves { wanted, .. }
            | Message::Restore { wanted, .. }
            | Message::PleaseDo { wanted, .. } => self.put_right(wanted),
            Message::Straighten { .. } => locked(&self.world).straighten(),
            _ => {}
        }
    }

    fn ask(&mut self, question: &Question) -> Answer {
        if self.aloud {
            use std::io::Write as _;
            let _ = writeln!(std::io::stdout().lock(), "{}", question.text());
        }
        self.said.push(match question {
            Question::Confirm => "ask-confirm",
            Question::Which { .. } => "ask-which",
            Question::Rehome => "ask-rehome",
            Question::ClearStop => "ask-clear",
            Question::LookAgain => "ask-look",
        });
        match question {
            Question::Which { moves, .. } => {
                let wanted = self.wanted.as_ref().map(|choice| choice.code);
                match moves.iter().position(|choice| Some(choice.code) == wanted) {
                    Some(number) => Answer::Number(number),
                    None => Answer::No,
                }
            }
            Question::Rehome => {
                self.saboteur.repent();
                // Who has to help switches the power off and on.
                let needed = [Incident::Mute, Incident::Overload];
                if self
                    .happened
                    .iter()
                    .any(|(_, incident)| needed.contains(incident))
                {
                    locked(&self.world).trouble_soon(0, Trouble::Reboot);
                }
                Answer::Yes
            }
            Question::ClearStop => {
                let last = self.happened.last().map(|(_, incident)| *incident);
                match last {
                    Some(Incident::EStopForGood) => Answer::No,
                    _ => Answer::Yes,
                }
            }
            Question::Confirm | Question::LookAgain => Answer::Yes,
        }
    }

    fn quits(&mut self) -> bool {
        let nobody = !self.settings.sides.contains(&Side::Person);
        // Only a game without end is left, and only where nobody could end it otherwise.
        nobody && self.moves > self.settings.limit
    }
}
