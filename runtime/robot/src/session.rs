//! A game from the first look to its end.
//!
//! What the robot believes of the board changes only when a look confirms it, or when a person said so. Before the arm
//! moves, the board is looked at: it must be what is believed, straight, and free of hands. After each piece the arm carried
//! it is looked at again.

mod looking;

use std::time::Duration;

use rulec_arm::{Fault, SharedClock, WireLog};
use rulec_core::{ChoiceSet, Event, Rng, Turn};
use rulec_search::{Bot, State};
use rulec_vision::{Looks, Scene};

use crate::decode::{Verdict, decode};
use crate::hand::step_text;
use crate::journal::{Journal, Record, answer_text};
use crate::plan::{piece_name, plan};
use crate::rig::original_limits;
use crate::{
    Action, Answer, Choice, Eye, Hand, Message, Person, PlanError, Question, Reading, Rig, Tableau,
};

/// Who moves the pieces of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The arm, as the computer thinks.
    Arm,
    /// A person.
    Person,
}

/// How a game is played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who moves for each player; those at the end that are missing are persons.
    pub sides: Vec<Side>,
    /// Who thinks for the arm.
    pub bot: Bot,
    /// Seed of what the bot and draws need.
    pub seed: u64,
    /// Whether to ask before the arm moves.
    pub confirm: bool,
    /// Whether to say only what the arm would do: no eye is used, nothing is sent, and the bot plays for all.
    pub dry_run: bool,
    /// Time between two looks.
    pub pause: Duration,
    /// Looks after which somebody who does nothing, or a hand that stays, is mentioned.
    pub patience: u32,
    /// Looks after which waiting ends, if ever.
    pub give_up: Option<u32>,
    /// Moves after which the game is stopped.
    pub limit: u32,
}

impl Settings {
    /// An arm that plays the last player, against persons.
    pub fn against_the_last(players: usize, bot: Bot, seed: u64) -> Settings {
        let mut sides = vec![Side::Person; players.saturating_sub(1)];
        sides.push(Side::Arm);
        Settings {
            sides,
            bot,
            seed,
            confirm: false,
            dry_run: false,
            pause: Duration::from_millis(500),
            patience: 60,
            give_up: None,
            limit: 10_000,
        }
    }
}

/// How a game went.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It came to its end; the outcome in words.
    Over(String),
    /// The start position was not seen, and the person gave up.
    Start,
    /// The emergency stop was set, and not cleared.
    EStop,
    /// The arm is in trouble, and nobody let it go home.
    Arm(Fault),
    /// The camera gave no pictures.
    Eye(String),
    /// A person ended it, or did not confirm a move.
    Quit,
    /// Nothing happened for too long.
    Patience,
    /// The pieces of a move cannot be moved.
    Plan(PlanError),
    /// A rule went wrong.
    Rules(String),
    /// The game did not come to an end.
    Limit,
}

impl Ending {
    /// The ending for people.
    pub fn text(&self) -> String {
        match self {
            Ending::Over(outcome) => outcome.clone(),
            Ending::Start => "the board is not as the game begins".to_owned(),
            Ending::EStop => "emergency stop".to_owned(),
            Ending::Arm(fault) => format!("the arm: {fault}"),
            Ending::Eye(why) => why.clone(),
            Ending::Quit => "as you wish".to_owned(),
            Ending::Patience => "nothing happened for too long".to_owned(),
            Ending::Plan(error) => error.to_string(),
            Ending::Rules(why) => why.clone(),
            Ending::Limit => "the game does not end".to_owned(),
        }
    }
}

/// Plays moves that were made before, by their texts, and tells what lies where after them.
///
/// # Errors
/// When a text is no move of its position, or its pieces cannot be moved.
pub fn catch_up(
    scene: &Scene,
    rig: &Rig,
    state: &mut State<'_>,
    moves: &[String],
) -> Result<Tableau, String> {
    let mut table = Tableau::new(scene, rig);
    for (number, text) in moves.iter().enumerate() {
        let mut codes: Vec<u64> = match state.turn() {
            Turn::Chance => state.results().iter().map(|(code, _)| *code).collect(),
            _ => Vec::new(),
        };
        if let Turn::Decide(_) = state.turn() {
            // A rule that went wrong leaves no moves, which is told below.
            let _ = state.moves(ChoiceSet::All, &mut codes);
        }
        let code = codes
            .into_iter()
            .find(|code| state.move_text(*code) == *text);
        let code = code.ok_or_else(|| format!("move {}, `{text}`, is not possible", number + 1))?;
        let way = way(scene, rig, state, &table, code).map_err(|error| error.to_string())?;
        state.play(code, None);
        table = way.after;
    }
    Ok(table)
}

fn way(
    scene: &Scene,
    rig: &Rig,
    state: &State<'_>,
    table: &Tableau,
    code: u64,
) -> Result<Way, PlanError> {
    let mut next = state.fork();
    let mut events = Vec::new();
    next.play(code, Some(&mut events));
    let actions = plan(scene, rig, table, &events)?;
    let mut after = table.clone();
    actions.iter().for_each(|action| after.apply(action));
    for event in &events {
        if let Event::StateChanged { .. } = event {
            after.standing.apply(scene, event);
        }
    }
    Ok(Way {
        code,
        text: state.move_text(code),
        actions,
        after,
        key: next.key(),
    })
}

type Flow<T> = Result<T, Ending>;

/// A move with what it does on the table.
struct Way {
    code: u64,
    text: String,
    actions: Vec<Action>,
    after: Tableau,
    key: u64,
}

/// Looks without a picture after which the eye is given up.
const BLIND: u32 = 10;
/// Readings that are not sure, one after the other, until a person is asked.
const UNSURE: u32 = 3;
/// By how much what a place shows must be likelier than anything else to count, as a natural logarithm.
const CLEAR: f64 = 1.0;
/// Faults of the arm in one motion of a piece until it is given up.
const TROUBLES: u32 = 6;
/// How much deeper the second try to take a piece goes.
const DEEPER: f64 = 0.08;
/// Pairs of moves that are looked at to find out that two were made.
const PAIRS: usize = 5_000;

/// A game that is being played.
pub struct Session<'s, 'g> {
    scene: &'s Scene,
    rig: &'s Rig,
    state: State<'g>,
    table: Tableau,
    eye: &'s mut dyn Eye,
    hand: Option<&'s mut Hand>,
    person: &'s mut dyn Person,
    clock: SharedClock,
    settings: Settings,
    journal: Journal,
    wire: Option<WireLog>,
    rng: Rng,
    hands: u32,
    looks: u32,
}

impl<'s, 'g> Session<'s, 'g> {
    /// A game at its start. Without a hand, such as in a dry run, the arm's part is only said.
    #[expect(clippy::too_many_arguments, reason = "these are the parts of a robot")]
    pub fn new(
        scene: &'s Scene,
        rig: &'s Rig,
        state: State<'g>,
        eye: &'s mut dyn Eye,
        hand: Option<&'s mut Hand>,
        person: &'s mut dyn Person,
        clock: SharedClock,
        settings: Settings,
    ) -> Session<'s, 'g> {
        Session {
            scene,
            rig,
            state,
            table: Tableau::new(scene, rig),
            eye,
            hand,
            person,
            clock,
            rng: Rng::new(settings.seed, 1),
            settings,
            journal: Journal::none(),
            wire: None,
            hands: 0,
            looks: 0,
        }
    }

    /// Goes on with what lies where, in a game whose state is the one that this belongs to (see [`catch_up`]). `times` tells
    /// how often the game was taken up again, so that other random numbers are drawn than before.
    pub fn resumed(mut self, table: Tableau, times: u64) -> Session<'s, 'g> {
        self.table = table;
        self.rng = Rng::new(self.settings.seed, 1 + (times << 8));
        self
    }

    /// Writes down what happens, with what goes over the wire.
    pub fn record(mut self, journal: Journal, wire: Option<WireLog>) -> Session<'s, 'g> {
        self.journal = journal;
        self.wire = wire;
        self
    }

    /// What the robot believes that lies where.
    pub fn table(&self) -> &Tableau {
        &self.table
    }

    /// Plays to the end.
    pub fn run(&mut self) -> Ending {
        let ending = match self.play() {
            Ok(ending) | Err(ending) => ending,
        };
        let message = match &ending {
            Ending::Over(outcome) => Message::Over(outcome.clone()),
            other => Message::Stopped(other.text()),
        };
        self.say(message);
        ending
    }

    fn play(&mut self) -> Flow<Ending> {
        if !self.settings.dry_run {
            self.self_test()?;
            self.begin()?;
        }
        for _ in 0..self.settings.limit {
            if let Some(outcome) = self.state.outcome() {
                return Ok(Ending::Over(outcome.text(self.state.info())));
            }
            match self.state.turn() {
                Turn::Over => return Ok(Ending::Over("over".to_owned())),
                Turn::Chance => self.draw()?,
                Turn::Decide(_) => {
                    let player = self.state.player().unwrap_or(0);
                    match self.settings.sides.get(player) {
                        _ if self.settings.dry_run => self.arm_turn(player)?,
                        Some(Side::Arm) => self.arm_turn(player)?,
                        _ => self.person_turn(player)?,
                    }
                }
            }
        }
        Ok(Ending::Limit)
    }

    fn say(&mut self, message: Message) {
        self.note_wire();
        self.journal.write(&Record::Say {
            kind: message.kind().to_owned(),
            text: message.text(),
        });
        self.person.tell(&message);
    }

    fn ask(&mut self, question: &Question) -> Answer {
        self.note_wire();
        let answer = self.person.ask(question);
        self.journal.write(&Record::Ask {
            text: question.text(),
            answer: answer_text(answer),
        });
        answer
    }

    fn note_wire(&mut self) {
        let entries = self.wire.as_ref().map(WireLog::take).unwrap_or_default();
        if !entries.is_empty() {
            self.journal.write(&Record::Wire { entries });
        }
    }

    fn player_name(&self, player: usize) -> String {
        let names = self.state.info().players;
        names
            .get(player)
            .map_or_else(|| format!("player {}", player + 1), |n| (*n).to_owned())
    }

    fn looks_of(&self, table: &Tableau) -> Looks {
        table.standing.looks(self.scene)
    }

    // --- Moves ---

    /// All moves of a position with what they do on the table.
    fn ways(&self, state: &State<'g>, table: &Tableau) -> Flow<Vec<Way>> {
        let mut codes = Vec::new();
        if let Err(fault) = state.moves(ChoiceSet::All, &mut codes) {
            let site = state.info().faults.get(usize::from(fault.site));
            let text = site.map_or_else(String::new, |site| site.message.to_owned());
            return Err(Ending::Rules(format!("a rule went wrong: {text}")));
        }
        codes
            .iter()
            .map(|code| self.way(state, table, *code))
            .collect()
    }

    fn way(&self, state: &State<'g>, table: &Tableau, code: u64) -> Flow<Way> {
        way(self.scene, self.rig, state, table, code).map_err(Ending::Plan)
    }

    /// A move was made and seen.
    fn commit(&mut self, player: usize, way: &Way) {
        self.state.play(way.code, None);
        self.journal.write(&Record::Move {
            text: way.text.clone(),
        });
        self.table = way.after.clone();
        self.looks = 0;
        let message = Message::Committed {
            player: self.player_name(player),
            text: way.text.clone(),
            standing: self.table.standing.clone(),
        };
        self.say(message);
    }

    /// A draw falls; what it does on the table is done like a move.
    fn draw(&mut self) -> Flow<()> {
        let results = self.state.results();
        let total: u64 = results.iter().map(|(_, weight)| *weight).sum();
        let mut at = self.rng.below64(total.max(1));
        let mut drawn = None;
        for (code, weight) in results.iter() {
            if at < *weight {
                drawn = Some(*code);
                break;
            }
            at -= weight;
        }
        let Some(code) = drawn else {
            return Err(Ending::Rules("a draw has no results".to_owned()));
        };
        let way = self.way(&self.state, &self.table, code)?;
        self.say(Message::Draw(way.text.clone()));
        self.do_all(&way.actions)?;
        self.commit(0, &way);
        Ok(())
    }

    // --- The arm's turn ---

    fn arm_turn(&mut self, player: usize) -> Flow<()> {
        let Some(code) = self.settings.bot.choose(&*self.state, &mut self.rng) else {
            return Err(Ending::Rules("there is no move to choose".to_owned()));
        };
        let way = self.way(&self.state, &self.table, code)?;
        let message = Message::Plan {
            player: self.player_name(player),
            text: way.text.clone(),
            lines: self.plan_lines(&way.actions)?,
        };
        self.say(message);
        if self.settings.confirm && self.ask(&Question::Confirm) != Answer::Yes {
            return Err(Ending::Quit);
        }
        self.do_all(&way.actions)?;
        self.commit(player, &way);
        Ok(())
    }

    /// The actions in words; in a dry run with every pose.
    fn plan_lines(&self, actions: &[Action]) -> Flow<Vec<String>> {
        let caps = match &self.hand {
            Some(hand) => hand.caps().clone(),
            None => original_limits(),
        };
        let mut lines = Vec::new();
        for action in actions {
            lines.push(action.text(self.scene, self.rig));
            if let (
                true,
                &Action::Carry {
                    from,
                    to,
                    by_arm: true,
                    ..
                },
            ) = (self.settings.dry_run, action)
            {
                let steps = Hand::motions(&caps, self.rig, from, to, 0.0).map_err(Ending::Arm)?;
                lines.extend(steps.iter().map(|step| format!("  {}", step_text(step))));
            }
        }
        Ok(lines)
    }

    /// Does actions one after the other, and looks after each.
    fn do_all(&mut self, actions: &[Action]) -> Flow<()> {
        let mut table = self.table.clone();
        for action in actions {
            let before = table.clone();
            table.apply(action);
            match (*action, self.hand.is_some(), self.settings.dry_run) {
                (_, _, true) => {}
                (
                    Action::Carry {
                        piece,
                        from,
                        to,
                        by_arm: true,
                    },
                    true,
                    _,
                ) => self.carry(piece, (from, to), &before, &table)?,
                _ => {
                    let line = action.text(self.scene, self.rig);
                    let wanted = table.standing.clone();
                    self.say(Message::PleaseDo { line, wanted });
                    self.see(&table)?;
                }
            }
        }
        Ok(())
    }

    /// Lets the arm carry a piece, and looks whether it did.
    fn carry(
        &mut self,
        piece: u32,
        (from, to): (usize, usize),
        before: &Tableau,
        after: &Tableau,
    ) -> Flow<()> {
        let (old, new) = (self.looks_of(before), self.looks_of(after));
        let (mut again, mut troubles) = (false, 0);
        loop {
            self.prepare(before)?;
            let deeper = if again { DEEPER } else { 0.0 };
            let Some(hand) = &mut self.hand else {
                return Ok(());
            };
            let moved = hand.carry(self.rig, from, to, deeper);
            if let Err(fault) = &moved {
                troubles += 1;
                if fault.before_motion() || troubles > TROUBLES {
                    return Err(Ending::Arm(fault.clone()));
                }
                self.trouble(fault.clone())?;
            }
            let reading = self.steady()?;
            if self.shows(&reading, &new) {
                return Ok(());
            }
            let untouched = self.shows(&reading, &old);
            match (moved.is_err(), untouched, again) {
                // The arm was in trouble before it took the piece.
                (true, true, _) => {}
                (true, false, _) => {
                    self.restore(&reading, before);
                    self.see(before)?;
                }
                (false, true, false) => {
                    self.say(Message::Again(piece_name(self.scene, piece)));
                    again = true;
                }
                (false, _, _) => {
                    self.restore(&reading, after);
                    return self.see(after);
                }
            }
        }
    }

    /// The board must be what is believed, straight, and free, before the arm moves.
    fn prepare(&mut self, table: &Tableau) -> Flow<()> {
        let looks = self.looks_of(table);
        let mut said = false;
        for count in 0_u32.. {
            let reading = self.steady()?;
            let right = self.shows(&reading, &looks);
            if right && reading.off_centre.is_empty() {
                break;
            }
            if !said || count.is_multiple_of(self.settings.patience) {
                match right {
                    false => self.restore(&reading, table),
                    true => {
                        let names = reading.off_centre.iter();
                        let names = names.map(|at| self.scene.places[*at].name.clone());
                        let places = names.collect();
                        let strays = reading.strays;
                        self.say(Message::Straighten { places, strays });
                    }
                }
            }
            said = true;
        }
        self.looks = 0;
        Ok(())
    }

    // --- A person's turn ---

    fn person_turn(&mut self, player: usize) -> Flow<()> {
        let ways = self.ways(&self.state, &self.table)?;
        let choice = |way: &Way| Choice {
            text: way.text.clone(),
            code: way.code,
            after: way.after.standing.clone(),
        };
        let choices: Vec<Choice> = ways.iter().map(choice).collect();
        let message = Message::YourTurn {
            player: self.player_name(player),
            choices: choices.clone(),
        };
        self.say(message);
        let (stages, positions) = self.stages(&ways);
        let (mut unsure, mut quiet, mut told) = (0, 0_u32, None);
        loop {
            let reading = self.steady()?;
            match decode(&reading, &positions) {
                Verdict::Is(0) => {
                    quiet += 1;
                    unsure = 0;
                    told = None;
                    if quiet.is_multiple_of(self.settings.patience) {
                        self.say(Message::Waiting);
                    }
                }
                Verdict::Is(number) => {
                    let alike = self.alike(&reading, &ways, &positions, &stages, number);
                    if let [(way, done)] = alike[..] {
                        return self.finish(player, &ways[way], done);
                    }
                    if self.which(player, &ways, &choices, &alike, Vec::new())? {
                        return Ok(());
                    }
                }
                Verdict::Other(near) => {
                    unsure = 0;
                    let shown: Vec<_> = (0..reading.fit.len())
                        .map(|at| reading.best(at).map(|b| b.0))
                        .collect();
                    if told.as_ref() != Some(&shown) {
                        self.not_allowed(&reading, &ways, &stages, &near)?;
                        told = Some(shown);
                    }
                }
                Verdict::Unsure(near, places) => {
                    unsure += 1;
                    if unsure < UNSURE {
                        continue;
                    }
                    unsure = 0;
                    let moves = near.iter().filter(|n| **n > 0);
                    let moves: Vec<(usize, usize)> = moves.map(|n| stages[*n]).collect();
                    if self.which(player, &ways, &choices, &moves, places)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The positions that may be seen: nothing has changed, then each move, whole or with only its first actions done, with
    /// the number of the move and of the actions.
    fn stages(&self, ways: &[Way]) -> (Vec<(usize, usize)>, Vec<Looks>) {
        let mut stages = vec![(usize::MAX, 0)];
        let mut positions = vec![self.looks_of(&self.table)];
        for (number, way) in ways.iter().enumerate() {
            stages.push((number, way.actions.len()));
            positions.push(self.looks_of(&way.after));
        }
        for (number, way) in ways.iter().enumerate() {
            let mut table = self.table.clone();
            for done in 1..way.actions.len() {
                table.apply(&way.actions[done - 1]);
                stages.push((number, done));
                positions.push(self.looks_of(&table));
            }
        }
        (stages, positions)
    }

    /// The stages that look like one of them and lead to different positions, with that one.
    fn alike(
        &self,
        reading: &Reading,
        ways: &[Way],
        positions: &[Looks],
        stages: &[(usize, usize)],
        number: usize,
    ) -> Vec<(usize, usize)> {
        let visible = |at: usize| reading.best(at).is_some();
        let mut found = vec![stages[number]];
        for (looks, stage) in positions.iter().zip(stages).skip(1) {
            let mut places = looks.iter().zip(&positions[number]).enumerate();
            let same = places.all(|(at, (a, b))| a == b || !visible(at));
            let known = found
                .iter()
                .any(|(way, _)| ways[*way].key == ways[stage.0].key);
            if same && !known {
                found.push(*stage);
            }
        }
        found
    }

    /// Asks which of some moves was made, and makes it; false if it was none.
    fn which(
        &mut self,
        player: usize,
        ways: &[Way],
        choices: &[Choice],
        moves: &[(usize, usize)],
        places: Vec<usize>,
    ) -> Flow<bool> {
        let question = Question::Which {
            moves: moves.iter().map(|(way, _)| choices[*way].clone()).collect(),
            places: places
                .iter()
                .map(|at| self.scene.places[*at].name.clone())
                .collect(),
        };
        match self.ask(&question) {
            Answer::Number(number) if number < moves.len() => {
                let (way, done) = moves[number];
                self.finish(player, &ways[way], done)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Does what is left of a move that a person began, such as taking a piece, and commits it.
    fn finish(&mut self, player: usize, way: &Way, done: usize) -> Flow<()> {
        if done < way.actions.len() {
            let (first, rest) = way.actions.split_at(done);
            let lines = self.plan_lines(rest)?;
            let text = format!("the rest of {}", way.text);
            let player = self.player_name(player);
            self.say(Message::Plan {
                player,
                text,
                lines,
            });
            let before = self.table.clone();
            first.iter().for_each(|action| self.table.apply(action));
            let result = self.do_all(rest);
            self.table = before;
            result?;
        }
        self.commit(player, way);
        Ok(())
    }

    /// Says why what is seen is no move: two were made, or the rules forbid it.
    fn not_allowed(
        &mut self,
        reading: &Reading,
        ways: &[Way],
        stages: &[(usize, usize)],
        near: &[usize],
    ) -> Flow<()> {
        if let Some((first, second)) = self.two_moves(reading, ways)? {
            let wanted = ways[first].after.standing.clone();
            let first = ways[first].text.clone();
            self.say(Message::TwoMoves {
                first,
                second,
                wanted,
            });
            return Ok(());
        }
        let looks = self.looks_of(&self.table);
        let class = |look: &Option<u8>| look.map_or(0, |look| usize::from(look) + 1);
        let seen = |at: usize| reading.best(at).map(|(class, _)| class);
        let changed =
            (0..looks.len()).filter(|at| seen(*at).is_some_and(|s| s != class(&looks[*at])));
        let (left, come): (Vec<usize>, Vec<usize>) = changed.partition(|at| seen(*at) == Some(0));
        let name = |at: usize| self.scene.places[at].name.clone();
        let mut why = Vec::new();
        match (left[..].first(), come[..].first(), left.len() + come.len()) {
            (Some(&from), Some(&to), 2) if seen(to) == Some(class(&looks[from])) => {
                let piece = self.table.piece(from).unwrap_or_default();
                let piece = piece_name(self.scene, piece);
                why.push(format!(
                    "no rule lets {piece} go from {} to {}",
                    name(from),
                    name(to)
                ));
            }
            _ => {
                let all = left.iter().chain(&come).map(|at| name(*at));
                let all: Vec<String> = all.collect();
                why.push(format!("no move changes just {}", all.join(", ")));
            }
        }
        let nearest = near
            .iter()
            .find(|number| **number > 0)
            .map(|number| stages[*number].0);
        if let Some(way) = nearest {
            why.push(format!("the nearest move is {}", ways[way].text));
        }
        let table = self.table.clone();
        let restore = self.repairs(reading, &table);
        let wanted = table.standing;
        self.say(Message::Illegal {
            why,
            restore,
            wanted,
        });
        Ok(())
    }

    /// The two moves that lead to what is seen, if two do.
    fn two_moves(&self, reading: &Reading, ways: &[Way]) -> Flow<Option<(usize, String)>> {
        let mut looked = 0;
        for (number, way) in ways.iter().enumerate() {
            let mut next = self.state.fork();
            next.play(way.code, None);
            if next.outcome().is_some() || !matches!(next.turn(), Turn::Decide(_)) {
                continue;
            }
            for second in self.ways(&next, &way.after)? {
                looked += 1;
                if self.shows(reading, &self.looks_of(&second.after)) {
                    return Ok(Some((number, second.text)));
                }
                if looked > PAIRS {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}
