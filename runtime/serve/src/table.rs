//! A game under way: its positions, who plays, and what can be done with it.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rulec_core::{Board, Event, Rng, Turn, Wish};
use rulec_render::Position;
use rulec_search::command::{find_move, how_to_explain};
use rulec_search::episode::boards::Boards;
use rulec_search::search::{Method, SearchReport, SearchSettings};
use rulec_search::{AnyState, Bot, State};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::learner::Learner;
use crate::loaded::Loaded;
use crate::problem::Problem;
use crate::thinkers::Turns;
use crate::view;

/// The most positions of a game that are kept.
const MOST_PLIES: usize = 20_000;
/// The most games of a search that a request may ask for, and the most time.
const MOST_GAMES: u64 = 10_000_000;
const MOST_TIME: Duration = Duration::from_secs(600);
/// Games of a search for a hint where nobody says more.
const HINT_GAMES: u64 = 4_000;
/// Games and moves of each that a heat map may be made of.
const HEAT_GAMES: u64 = 1_000;
const HEAT_PLIES: usize = 2_000;

/// A position and what led to it.
pub(crate) struct Ply {
    state: State<'static>,
    made: Option<Made>,
    /// What can be done, and all that is shown, as JSON: each is made once, when somebody asks for it.
    moves: OnceLock<Moves>,
    position: OnceLock<String>,
}

/// What can be done, as JSON.
struct Moves {
    turn: String,
    list: String,
}

/// What led to a position.
#[derive(Clone)]
struct Made {
    text: String,
    /// `player`, `bot` or `chance`.
    by: &'static str,
    /// The number of the player from 1; 0 for chance.
    player: usize,
    log: Vec<String>,
    /// What a bot thought.
    thought: Value,
}

/// A game under way.
pub(crate) struct Table {
    pub(crate) id: String,
    inner: Mutex<Inner>,
    changed: watch::Sender<u64>,
}

pub(crate) struct Inner {
    loaded: Arc<Loaded>,
    plies: Vec<Arc<Ply>>,
    /// The position that is shown; later ones can be gone to again.
    at: usize,
    bots: Vec<Option<Bot>>,
    /// Whether draws are made without being asked for.
    auto: bool,
    /// Time between what happens by itself.
    pace: Duration,
    seed: u64,
    rng: Rng,
    /// Goes up with every change of the game.
    version: u64,
    /// Whether a bot, or chance, is at work.
    driven: bool,
    thinking: Value,
    notice: String,
    learner: Option<Learner>,
    boards: Option<Boards>,
}

/// What happens next by itself.
pub(crate) enum Next {
    /// Nothing: somebody must do something.
    Nothing,
    Draw,
    Think(Bot, State<'static>, u64, u64),
}

impl Table {
    pub(crate) fn new(loaded: Arc<Loaded>, wish: &Value) -> Result<Arc<Table>, Problem> {
        let random = RandomState::new().hash_one(0u64);
        let seed = match &wish["seed"] {
            Value::Null => random >> 32,
            seed => seed
                .as_u64()
                .ok_or_else(|| Problem::bad("`seed` is a whole number from 0"))?,
        };
        let info = loaded.start.info();
        let boards = match info.episode {
            Some(episode) => Boards::new(episode, episode.boards, (seed & 0x7fff_ffff) as i64).ok(),
            None => None,
        };
        let mut inner = Inner {
            bots: vec![None; info.players.len()],
            plies: vec![loaded.first()],
            loaded,
            at: 0,
            auto: false,
            pace: Duration::ZERO,
            seed,
            rng: Rng::new(seed, 0),
            version: 1,
            driven: false,
            thinking: Value::Null,
            notice: String::new(),
            learner: wish["learner"]
                .as_bool()
                .unwrap_or(false)
                .then(Learner::default),
            boards,
        };
        if inner.learner.is_some() && info.episode.is_none() {
            return Err(Problem::bad(
                "`learner` is for rule sets that are played in episodes",
            ));
        }
        inner.new_board()?;
        inner.seats(wish)?;
        if wish["record"].is_object() {
            inner.load(&wish["record"])?;
        }
        Ok(Arc::new(Table {
            id: format!("{:012x}", RandomState::new().hash_one(1u64) >> 16),
            inner: Mutex::new(inner),
            changed: watch::Sender::new(1),
        }))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn onlookers(&self) -> usize {
        self.changed.receiver_count()
    }

    /// Tells those who look on.
    pub(crate) fn touch(&self) {
        self.changed.send_modify(|number| *number += 1);
    }

    /// Everything that is shown of the game, as JSON.
    pub(crate) fn view(&self) -> String {
        let (game, ply, loaded, hides) = {
            let inner = self.lock();
            (
                inner.json(&self.id),
                Arc::clone(inner.ply()),
                Arc::clone(&inner.loaded),
                inner.learner.is_some(),
            )
        };
        let position = ply.position(&loaded);
        match hides {
            false => format!("{{\"game\":{game},\"position\":{position}}}"),
            true => {
                let mut position: Value = serde_json::from_str(position).unwrap_or_default();
                position["moves"] = json!({ "complete": false, "list": [] });
                position["text"] = "".into();
                format!("{{\"game\":{game},\"position\":{position}}}")
            }
        }
    }

    /// What can be done, who acts, and the version of the game, as JSON.
    pub(crate) fn moves(&self) -> String {
        let (asked, loaded) = {
            let inner = self.lock();
            (inner.asked(), Arc::clone(&inner.loaded))
        };
        if let Asked { ply: Some(ply), .. } = &asked {
            ply.moves(&loaded);
        }
        asked.answer().unwrap_or_default()
    }

    /// The same, if it is known already and nobody is just changing the game: so that it can be told at once.
    pub(crate) fn known_moves(&self) -> Option<String> {
        self.inner.try_lock().ok()?.asked().answer()
    }

    /// Goes on with other rules: the moves so far are played again as far as they are legal.
    pub(crate) fn adopt(&self, loaded: &Arc<Loaded>) {
        let mut inner = self.lock();
        inner.adopt(loaded);
    }

    /// Carries out what somebody asks for; what [takes long](Table::takes_long) lets others have their turns.
    pub(crate) fn act(
        &self,
        action: &str,
        wish: &Value,
        turns: &mut Turns,
    ) -> Result<Value, Problem> {
        if matches!(action, "undo" | "redo" | "goto" | "continue") && self.lock().learner.is_some()
        {
            return Err(Problem::new(
                403,
                "hidden",
                "attempts of a learner are not taken back",
            ));
        }
        let done = match action {
            "move" => self.lock().play_wish(wish),
            "roll" => self.lock().roll(),
            "undo" => self.lock().undo(),
            "redo" => self.lock().redo(),
            "goto" => self.lock().go_to(wish),
            "continue" => self.lock().go_on(),
            "seats" => self.lock().seats(wish),
            "attempt" => self.attempt(wish),
            "board" => self.lock().next_board(),
            "restart" => self.lock().restart(),
            "hint" => return self.hint(wish, turns),
            "explain" => return self.explain(wish),
            "heat" => return self.heat(wish, turns),
            _ => {
                return Err(Problem::new(
                    404,
                    "no-such-action",
                    format!(
                        "`{action}` is nothing that can be done; there are move, roll, undo, redo, goto, continue, seats, \
                         attempt, board, restart, hint, explain and heat"
                    ),
                ));
            }
        };
        let told = done?;
        self.lock().version += 1;
        self.touch();
        Ok(told)
    }

    fn attempt(&self, wish: &Value) -> Result<Value, Problem> {
        let mut inner = self.lock();
        let number = |key: &str| {
            wish[key]
                .as_u64()
                .map(|n| n as usize)
                .ok_or_else(|| Problem::bad(format!("`{key}` is a number from 0")))
        };
        let (unit, target) = (number("unit")?, number("target")?);
        let state = inner.state().fork();
        let (loaded, observed) = (Arc::clone(&inner.loaded), state.appearance());
        let position = Position::new(&loaded.look, state.info(), state.turn(), "", &observed);
        let is_there = position.units().contains(&(unit as i64));
        let Some(learner) = &mut inner.learner else {
            return Err(Problem::bad("attempts are for the learner's view"));
        };
        let (told, next) = learner.attempt(state, (unit, is_there), target);
        if let Some((state, text)) = next {
            inner.push(state, made(text, "player", 1));
        }
        Ok(told)
    }

    /// The position and how to search it, for work without the lock.
    fn looked_at(&self) -> Result<(State<'static>, u64), Problem> {
        let mut inner = self.lock();
        if inner.learner.is_some() {
            return Err(Problem::new(
                403,
                "hidden",
                "the rule is hidden in the learner's view",
            ));
        }
        let seed = inner.rng.u64();
        Ok((inner.state().fork(), seed))
    }

    /// Whether carrying it out may take long: it is done where bots think.
    pub(crate) fn takes_long(action: &str) -> bool {
        matches!(action, "hint" | "heat")
    }

    fn hint(&self, wish: &Value, turns: &mut Turns) -> Result<Value, Problem> {
        let (state, seed) = self.looked_at()?;
        let bot = match &wish["bot"] {
            Value::Null => Bot::Search(SearchSettings {
                time: Some(Duration::from_secs(3)),
                ..SearchSettings::games(Method::Uct, HINT_GAMES, 0)
            }),
            text => bot(text)?.ok_or_else(|| Problem::bad("`bot` names who gives the hint"))?,
        };
        if !matches!(state.turn(), Turn::Decide(_)) {
            return Err(Problem::new(
                409,
                "nothing-to-decide",
                "nobody has to decide here",
            ));
        }
        let report = bot.search_told(&*state, seed, &mut |_| {
            turns.pass();
            true
        });
        Ok(thought(&*state, &bot, &report))
    }

    fn explain(&self, wish: &Value) -> Result<Value, Problem> {
        let (state, _) = self.looked_at()?;
        let loaded = Arc::clone(&self.lock().loaded);
        let mut named = Vec::new();
        let wish = match (wish["text"].as_str(), wish["naming"].as_array()) {
            (Some(text), _) => Wish::Text(text),
            (None, Some(list)) => {
                for thing in list {
                    named.push(thing.as_str().and_then(thing_of).ok_or_else(|| {
                        Problem::bad(
                            "`naming` lists things such as \"0.12\": numbers of domain and member",
                        )
                    })?);
                }
                Wish::Naming(&named)
            }
            _ => return Err(Problem::bad("name a move by `text`, or things by `naming`")),
        };
        let elsewhere = || (loaded.reasons.as_ref()?.tell)(&state.text(), wish);
        let refusal = state.explain(wish).or_else(elsewhere).ok_or_else(|| {
            let text = match wish {
                Wish::Text(text) => text,
                Wish::Naming(_) => "MOVE",
            };
            Problem::new(501, "no-reasons", how_to_explain(&*state, text))
        })?;
        let line = loaded.line(refusal.file, refusal.span.0);
        let mut told = crate::refusal_json(&refusal);
        if let (Some((number, text)), true) = (line, refusal.span.1 > 0) {
            told["line"] = json!({ "number": number, "text": text });
        }
        Ok(told)
    }

    /// How often pieces come to each place in random games from here on.
    fn heat(&self, wish: &Value, turns: &mut Turns) -> Result<Value, Problem> {
        let (state, seed) = self.looked_at()?;
        let games = wish["games"].as_u64().unwrap_or(200).clamp(1, HEAT_GAMES);
        let loaded = Arc::clone(&self.lock().loaded);
        let mut counts = std::collections::BTreeMap::<String, u64>::new();
        let (mut events, mut played) = (Vec::new(), 0);
        let end = std::time::Instant::now() + Duration::from_secs(5);
        for game in 0..games {
            turns.pass();
            let mut rng = Rng::new(seed, game);
            let mut state = state.fork();
            for _ in 0..HEAT_PLIES {
                let Some(code) = any_move(&*state, &mut rng) else {
                    break;
                };
                events.clear();
                state.play(code, Some(&mut events));
                for event in &events {
                    if let Event::Moved { to: at, .. } | Event::Placed { at, .. } = event
                        && let Some((domain, member)) = loaded.look.place(*at)
                    {
                        *counts.entry(format!("{domain}.{member}")).or_default() += 1;
                    }
                }
            }
            played += 1;
            if std::time::Instant::now() > end {
                break;
            }
        }
        Ok(json!({ "games": played, "places": counts }))
    }

    /// What happens next by itself; whoever asks first sees to it.
    pub(crate) fn next(&self, driving: bool) -> (Next, Duration) {
        let mut inner = self.lock();
        if inner.driven && !driving {
            return (Next::Nothing, Duration::ZERO);
        }
        let next = inner.next();
        inner.driven = !matches!(next, Next::Nothing);
        if !inner.driven {
            inner.thinking = Value::Null;
        }
        (next, inner.pace)
    }

    /// Makes the draw that is due.
    pub(crate) fn draw(&self) {
        let mut inner = self.lock();
        // Somebody may have been quicker.
        if let Next::Draw = inner.next() {
            let _ = inner.roll();
            inner.version += 1;
        }
        drop(inner);
        self.touch();
    }

    /// A bot could not think: nothing more happens by itself until somebody does something.
    pub(crate) fn give_up(&self, problem: &Problem) {
        let mut inner = self.lock();
        inner.driven = false;
        inner.thinking = Value::Null;
        inner.notice = format!("the bot gives up: {}", problem.message);
        drop(inner);
        self.touch();
    }

    /// Lets a bot think and move, unless the game changes meanwhile.
    pub(crate) fn think(
        &self,
        bot: &Bot,
        state: &(dyn AnyState<'static> + 'static),
        (seed, version): (u64, u64),
        turns: &mut Turns,
    ) {
        let mut told = std::time::Instant::now();
        let mut tell = |games: u64| {
            turns.pass();
            let go_on = self.lock().version == version;
            if told.elapsed() > Duration::from_millis(200) {
                told = std::time::Instant::now();
                self.lock().thinking = json!({ "bot": bot.to_string(), "games": games });
                self.touch();
            }
            go_on
        };
        let mut rng = Rng::new(seed, 1);
        let (code, report) = match bot {
            Bot::Random => (bot.choose(state, &mut rng), SearchReport::default()),
            _ => {
                let report = bot.search_told(state, seed, &mut tell);
                (
                    report.best().or_else(|| bot.choose(state, &mut rng)),
                    report,
                )
            }
        };
        let mut inner = self.lock();
        inner.thinking = Value::Null;
        if inner.version == version
            && let Some(code) = code
        {
            let mut played = made(state.move_text(code), "bot", state.mover(code) + 1);
            played.thought = match bot {
                Bot::Random => Value::Null,
                _ => thought(state, bot, &report),
            };
            inner.play(code, played);
            inner.version += 1;
        }
        drop(inner);
        self.touch();
    }
}

fn ply(state: State<'static>, made: Option<Made>) -> Arc<Ply> {
    Arc::new(Ply {
        state,
        made,
        moves: OnceLock::new(),
        position: OnceLock::new(),
    })
}

fn made(text: String, by: &'static str, player: usize) -> Made {
    Made {
        text,
        by,
        player,
        log: Vec::new(),
        thought: Value::Null,
    }
}

impl Ply {
    /// The position that a version of a game begins with.
    pub(crate) fn first(loaded: &Loaded) -> Arc<Ply> {
        ply(loaded.start.fork(), None)
    }

    fn moves(&self, loaded: &Loaded) -> &Moves {
        self.moves.get_or_init(|| Moves {
            turn: view::turn_json(self.state.turn()).to_string(),
            list: view::moves(loaded, &*self.state).to_string(),
        })
    }

    /// All that is shown of the position.
    fn position(&self, loaded: &Loaded) -> &str {
        self.position.get_or_init(|| {
            let rest = view::position(loaded, &*self.state).to_string();
            let moves = &self.moves(loaded).list;
            format!("{{\"moves\":{moves},{}", rest.get(1..).unwrap_or_default())
        })
    }
}

/// A request for what can be done.
struct Asked {
    /// The position; nothing where moves are hidden.
    ply: Option<Arc<Ply>>,
    version: u64,
}

impl Asked {
    /// The answer, if the moves of the position are known.
    fn answer(&self) -> Option<String> {
        let version = self.version;
        let Some(ply) = &self.ply else {
            return Some(json!({ "version": version, "complete": false, "list": [] }).to_string());
        };
        let Moves { turn, list } = ply.moves.get()?;
        let list = list.get(1..).unwrap_or_default();
        Some(format!("{{\"version\":{version},\"turn\":{turn},{list}"))
    }
}

/// `"0.12"`: a domain and a member.
fn thing_of(text: &str) -> Option<(u32, u32)> {
    let (domain, member) = text.split_once('.')?;
    Some((domain.parse().ok()?, member.parse().ok()?))
}

/// A bot by its name; nothing for a person.
fn bot(text: &Value) -> Result<Option<Bot>, Problem> {
    let name = match text {
        Value::Null => return Ok(None),
        Value::String(name) if name.is_empty() => return Ok(None),
        Value::String(name) => name,
        _ => {
            return Err(Problem::bad(
                "a bot is named by a text such as \"uct:1000\"",
            ));
        }
    };
    let bot: Bot = name.parse().map_err(Problem::bad)?;
    if let Bot::Search(settings) = &bot
        && (settings.games.is_some_and(|games| games > MOST_GAMES)
            || settings.time.is_some_and(|time| time > MOST_TIME))
    {
        return Err(Problem::bad(
            "a search here has ten million games or ten minutes at most",
        ));
    }
    Ok(Some(bot))
}

/// A move, or a result of a draw, at random.
fn any_move(state: &(dyn AnyState<'static> + 'static), rng: &mut Rng) -> Option<u64> {
    match state.turn() {
        Turn::Chance => state.results().draw(rng),
        Turn::Decide(_) => Bot::Random.choose(state, rng),
        Turn::Over => None,
    }
}

/// What a search thinks, for people.
fn thought(state: &(dyn AnyState<'static> + 'static), bot: &Bot, report: &SearchReport) -> Value {
    let moves = report.moves.iter().take(8).map(|m| {
        json!({
            "text": state.move_text(m.code),
            "visits": m.visits,
            "value": (m.value * 1000.0).round() / 1000.0,
            "proved": m.proof.is_some(),
        })
    });
    let moves: Vec<Value> = moves.collect();
    let mut line = Vec::new();
    let mut here = state.fork();
    for &code in report.line.iter().take(12) {
        line.push(here.move_text(code));
        if here.turn() == Turn::Over || !here.play(code, None) {
            break;
        }
    }
    json!({ "bot": bot.to_string(), "games": report.games, "moves": moves, "line": line })
}

/// What happened, as lines for people.
fn log_of(state: &(dyn AnyState<'static> + 'static), events: &[Event]) -> Vec<String> {
    let info = state.info();
    let name = |names: &[&'static str], index: u32| names.get(index as usize).map_or("?", |n| *n);
    let mut lines = Vec::new();
    for event in events {
        match event {
            Event::Removed { piece, at } => {
                lines.push(format!(
                    "{} leaves {}",
                    name(info.pieces, *piece),
                    name(info.places, *at)
                ));
            }
            Event::Scored { player, points } => {
                let who = info.players.get(*player as usize).map_or("?", |n| *n);
                lines.push(format!("{who} {points:+}"));
            }
            Event::Log(line) => lines.push(line.clone()),
            _ => {}
        }
    }
    lines.truncate(40);
    lines
}

impl Inner {
    fn ply(&self) -> &Arc<Ply> {
        &self.plies[self.at.min(self.plies.len() - 1)]
    }

    fn state(&self) -> &(dyn AnyState<'static> + 'static) {
        &*self.ply().state
    }

    fn asked(&self) -> Asked {
        let hides = self.learner.is_some();
        Asked {
            ply: (!hides).then(|| Arc::clone(self.ply())),
            version: self.version,
        }
    }

    fn push(&mut self, state: State<'static>, made: Made) {
        self.plies.truncate(self.at + 1);
        self.plies.push(ply(state, Some(made)));
        self.at += 1;
        self.notice.clear();
    }

    fn play(&mut self, code: u64, mut made: Made) {
        let mut state = self.state().fork();
        let mut events = Vec::new();
        state.play(code, Some(&mut events));
        made.log = log_of(&*state, &events);
        self.push(state, made);
    }

    fn has_room(&self) -> Result<(), Problem> {
        match self.plies.len() < MOST_PLIES {
            true => Ok(()),
            false => Err(Problem::new(
                409,
                "too-long",
                "the game has as many moves as are kept",
            )),
        }
    }

    fn play_wish(&mut self, wish: &Value) -> Result<Value, Problem> {
        self.has_room()?;
        if self.learner.is_some() {
            return Err(Problem::bad("in the learner's view moves are attempts"));
        }
        if let Some(version) = wish["version"].as_u64()
            && version != self.version
        {
            return Err(Problem::new(
                409,
                "changed",
                "the game has changed meanwhile",
            ));
        }
        let state = self.state().fork();
        let code = match (wish["code"].as_str(), wish["text"].as_str()) {
            (Some(code), _) => {
                let code: u64 = code
                    .parse()
                    .map_err(|_| Problem::bad("`code` is the number of a move as text"))?;
                let mut legal = rulec_search::view::options(&*state, rulec_core::ChoiceSet::All)
                    .map_err(|_| Problem::new(409, "fault", "the rules run into a fault here"))?;
                legal.extend(state.host_moves());
                match legal.contains(&code) {
                    true => code,
                    false => {
                        return Err(Problem::new(
                            422,
                            "not-legal",
                            "this move is not legal here",
                        ));
                    }
                }
            }
            (None, Some(text)) => find_move(&*state, text)
                .map_err(|error| Problem::new(422, "not-legal", error.to_string()))?,
            _ => return Err(Problem::bad("name the move by `text` or `code`")),
        };
        let text = state.move_text(code);
        let (by, player) = match state.turn() {
            Turn::Chance => ("chance", 0),
            _ => ("player", state.mover(code) + 1),
        };
        self.play(code, made(text.clone(), by, player));
        Ok(json!({ "played": text }))
    }

    fn roll(&mut self) -> Result<Value, Problem> {
        self.has_room()?;
        let state = self.state().fork();
        if state.turn() != Turn::Chance {
            return Err(Problem::new(409, "no-draw", "no draw is due"));
        }
        let results = state.results();
        let Some(code) = results.draw(&mut self.rng) else {
            return Err(Problem::new(409, "no-draw", "the draw has no results"));
        };
        let text = state.move_text(code);
        self.play(code, made(text.clone(), "chance", 0));
        Ok(json!({ "rolled": text }))
    }

    /// Whether somebody at a screen decides in a position.
    fn is_ours(&self, ply: &Ply) -> bool {
        match ply.state.turn() {
            Turn::Decide(players) => {
                (0..self.bots.len()).any(|p| players >> (p & 63) & 1 == 1 && self.bots[p].is_none())
            }
            Turn::Chance => !self.auto,
            Turn::Over => false,
        }
    }

    fn undo(&mut self) -> Result<Value, Problem> {
        if self.at == 0 {
            return Err(Problem::new(
                409,
                "no-move",
                "there is nothing to take back",
            ));
        }
        let found = (0..self.at).rev().find(|&at| self.is_ours(&self.plies[at]));
        self.at = found.unwrap_or(self.at - 1);
        Ok(json!({ "ply": self.at }))
    }

    fn redo(&mut self) -> Result<Value, Problem> {
        if self.at + 1 >= self.plies.len() {
            return Err(Problem::new(409, "no-move", "there is nothing to do again"));
        }
        self.at += 1;
        Ok(json!({ "ply": self.at }))
    }

    fn go_to(&mut self, wish: &Value) -> Result<Value, Problem> {
        match wish["ply"].as_u64().map(|ply| ply as usize) {
            Some(ply) if ply < self.plies.len() => {
                self.at = ply;
                Ok(json!({ "ply": ply }))
            }
            _ => Err(Problem::bad(format!(
                "`ply` is a number from 0 to {}",
                self.plies.len() - 1
            ))),
        }
    }

    /// Forgets what came after the present position.
    fn go_on(&mut self) -> Result<Value, Problem> {
        self.plies.truncate(self.at + 1);
        Ok(json!({ "ply": self.at }))
    }

    fn restart(&mut self) -> Result<Value, Problem> {
        self.plies = vec![self.loaded.first()];
        self.at = 0;
        self.new_board()?;
        Ok(json!({ "ply": 0 }))
    }

    fn next_board(&mut self) -> Result<Value, Problem> {
        if self.boards.is_none() {
            return Err(Problem::bad("the game has no boards"));
        }
        self.restart()
    }

    /// Begins on the next board, if the game has boards.
    fn new_board(&mut self) -> Result<(), Problem> {
        let Some(boards) = &mut self.boards else {
            return Ok(());
        };
        let mut board = Board::EMPTY;
        let drawn = boards.draw(&mut board);
        drawn.map_err(|error| Problem::new(409, "no-board", error))?;
        if let Some(state) = self.loaded.start.begin(&board) {
            self.plies = vec![ply(state, None)];
            self.at = 0;
        }
        if let Some(learner) = &mut self.learner {
            learner.next_episode();
        }
        Ok(())
    }

    fn seats(&mut self, wish: &Value) -> Result<Value, Problem> {
        if let Some(bots) = wish["bots"].as_object() {
            let mut new = self.bots.clone();
            for (player, name) in bots {
                let number = player.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let seat = number.and_then(|number| new.get_mut(number));
                match seat {
                    Some(seat) => *seat = bot(name)?,
                    None => {
                        return Err(Problem::bad(format!(
                            "there is no player {player}; they count from 1"
                        )));
                    }
                }
            }
            self.bots = new;
        }
        if let Some(auto) = wish["auto"].as_bool() {
            self.auto = auto;
        }
        if let Some(pace) = wish["pace"].as_u64() {
            self.pace = Duration::from_millis(pace.min(10_000));
        }
        Ok(json!({}))
    }

    fn next(&mut self) -> Next {
        if self.at + 1 != self.plies.len()
            || self.plies.len() >= MOST_PLIES
            || self.learner.is_some()
        {
            return Next::Nothing;
        }
        let state = self.state();
        match state.turn() {
            Turn::Over => Next::Nothing,
            Turn::Chance => match self.auto || self.bots.iter().all(Option::is_some) {
                true => Next::Draw,
                false => Next::Nothing,
            },
            Turn::Decide(players) => {
                let bots = (0..self.bots.len()).filter(|p| players >> (p & 63) & 1 == 1);
                let mut bots = bots.map(|p| self.bots[p].clone());
                // Where several may act, bots do only if nobody at a screen may.
                match bots.by_ref().collect::<Option<Vec<Bot>>>() {
                    Some(bots) if !bots.is_empty() => {
                        let state = state.fork();
                        let version = self.version;
                        Next::Think(bots[0].clone(), state, self.rng.u64(), version)
                    }
                    _ => Next::Nothing,
                }
            }
        }
    }

    fn adopt(&mut self, loaded: &Arc<Loaded>) {
        let texts: Vec<Made> = self
            .plies
            .iter()
            .filter_map(|ply| ply.made.clone())
            .collect();
        let wanted = self.at;
        let text = self.state().text();
        let first = match self.boards.is_some() {
            true => loaded.start.read(&self.plies[0].state.text()).ok(),
            false => None,
        };
        self.loaded = Arc::clone(loaded);
        self.bots.resize(loaded.start.info().players.len(), None);
        self.plies = vec![first.map_or_else(|| loaded.first(), |state| ply(state, None))];
        self.at = 0;
        let count = texts.len();
        for made in texts {
            let state = self.state().fork();
            let Ok(code) = find_move(&*state, &made.text) else {
                break;
            };
            self.play(code, made);
        }
        let kept = self.at;
        self.notice = match kept == count {
            true => "the rules have changed; all moves are still legal".to_owned(),
            false => format!("the rules have changed; {kept} of {count} moves are still legal"),
        };
        if kept < wanted
            && let Ok(state) = loaded.start.read(&text)
        {
            self.plies = vec![ply(state, None)];
            self.at = 0;
            self.notice =
                "the rules have changed; the position is kept, without the moves before it"
                    .to_owned();
        } else {
            self.at = wanted.min(kept);
        }
        self.version += 1;
    }

    /// The game as a record that [`Inner::load`] reads.
    pub(crate) fn record(&self) -> Value {
        let moves = self.plies.iter().filter_map(|ply| ply.made.as_ref());
        let moves: Vec<&str> = moves.map(|made| made.text.as_str()).collect();
        let info = self.loaded.start.info();
        json!({
            "form": "rulec-record-1",
            "game": info.name,
            "language": info.language,
            "rules_sha256": info.rules_sha256,
            "start": self.plies[0].state.text(),
            "moves": moves,
            "seed": self.seed,
        })
    }

    fn load(&mut self, record: &Value) -> Result<(), Problem> {
        if record["form"] != "rulec-record-1" {
            return Err(Problem::bad(
                "`record` is a record that this server wrote (form rulec-record-1)",
            ));
        }
        let start = record["start"].as_str().unwrap_or_default();
        if start != self.loaded.start.text() {
            let state = self.loaded.start.read(start);
            let state = state.map_err(|error| {
                Problem::new(
                    422,
                    "not-legal",
                    format!("the start of the record: {error}"),
                )
            })?;
            self.plies = vec![ply(state, None)];
        }
        let moves = record["moves"]
            .as_array()
            .ok_or_else(|| Problem::bad("`moves` is a list of texts"))?;
        for (number, text) in (1..).zip(moves) {
            let text = text
                .as_str()
                .ok_or_else(|| Problem::bad("`moves` is a list of texts"))?;
            let wish = json!({ "text": text });
            self.play_wish(&wish).map_err(|error| Problem {
                message: format!("move {number} of the record: {}", error.message),
                ..error
            })?;
        }
        self.notice.clear();
        Ok(())
    }

    fn json(&self, id: &str) -> Value {
        let moves: Vec<Value> = self
            .plies
            .iter()
            .filter_map(|ply| ply.made.as_ref())
            .map(|made| json!({ "text": made.text, "by": made.by, "player": made.player }))
            .collect();
        let last = self.ply().made.as_ref();
        let last = last.map(|made| {
            json!({ "text": made.text, "by": made.by, "player": made.player, "log": made.log, "thought": made.thought })
        });
        let bots: Vec<Option<String>> = self
            .bots
            .iter()
            .map(|bot| bot.as_ref().map(Bot::to_string))
            .collect();
        json!({
            "id": id,
            "version": self.version,
            "ply": self.at,
            "plies": self.plies.len() - 1,
            "moves": moves,
            "last": last,
            "bots": bots,
            "auto": self.auto,
            "pace": self.pace.as_millis() as u64,
            "seed": self.seed,
            "thinking": self.thinking,
            "notice": self.notice,
            "learner": self.learner.as_ref().map(Learner::json),
        })
    }
}
