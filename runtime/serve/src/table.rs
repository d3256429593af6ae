//! A game under way, and what can be done with it.

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rulec_command::how_to_explain;
use rulec_core::{Event, Rng, Turn, Wish};
use rulec_render::Position;
use rulec_search::search::{Method, SearchReport, SearchSettings};
use rulec_search::{AnyState, Bot, State};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::course::{Inner, Next, bot, changed, meant};
use crate::learner::Learner;
use crate::loaded::Loaded;
use crate::played::{Ply, made};
use crate::ply::Asked;
use crate::problem::Problem;
use crate::store::Store;
use crate::thinkers::Turns;

/// Games of a search for a hint where nobody says more.
const HINT_GAMES: u64 = 4_000;
/// Games and moves of each that a heat map may be made of.
const HEAT_GAMES: u64 = 1_000;
const HEAT_PLIES: usize = 2_000;
/// Positions of a review at most, the time for all of them, and for each.
const MOST_REVIEWED: usize = 400;
const REVIEW_TIME: Duration = Duration::from_secs(12);
const REVIEW_LEAST: Duration = Duration::from_millis(30);
const REVIEW_MOST: Duration = Duration::from_millis(400);
/// The time for the value of one position while a game is played.
const GLANCE: Duration = Duration::from_millis(250);
/// A loss of value that is marked, and how many are.
const LOSS: f64 = 0.12;
const MOST_LOSSES: usize = 6;
/// Positions of a shared page at most.
const MOST_SHARED: usize = 2_000;
/// Time that a bot which is told a number of games thinks at most.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most things that a question names.
const MOST_THINGS: usize = 64;
/// How often a move is looked for in a game that others change meanwhile.
const TRIES: usize = 8;

/// A game under way.
///
/// Nothing that may take long is done under its lock: a position is taken out, and what was found in it is brought back.
pub(crate) struct Table {
    pub(crate) id: String,
    inner: Mutex<Inner>,
    changed: watch::Sender<u64>,
    saved: Mutex<Saved>,
}

/// What is kept of a game outside of the program.
#[derive(Default)]
struct Saved {
    /// The version that was written last, and where to.
    version: u64,
    file: Option<PathBuf>,
    /// The game is no longer wanted.
    gone: bool,
}

impl Table {
    pub(crate) fn new(
        loaded: Arc<Loaded>,
        wish: &Value,
        turns: &mut Turns,
    ) -> Result<Arc<Table>, Problem> {
        let random = RandomState::new().hash_one(0u64);
        let seed = match &wish["seed"] {
            Value::Null => random >> 32,
            seed => seed
                .as_u64()
                .ok_or_else(|| Problem::bad("`seed` is a whole number from 0"))?,
        };
        let learns = wish["learner"].as_bool().unwrap_or(false);
        if learns && loaded.start.about().episode.is_none() {
            return Err(Problem::bad(
                "`learner` is for rule sets that are played in episodes",
            ));
        }
        let mut inner = Inner::new(loaded, seed);
        inner.learner = learns.then(Learner::default);
        inner.new_board()?;
        inner.seats(wish)?;
        if wish["clock"].is_object() {
            inner.set_clock(&wish["clock"])?;
        }
        if wish["record"].is_object() {
            inner.load(&wish["record"], turns)?;
        }
        if let Some(sheet) = wish["sheet"].as_str() {
            inner.load_sheet(sheet, turns)?;
        }
        let id = format!("{:012x}", RandomState::new().hash_one(1u64) >> 16);
        Ok(Table::with(id, inner, Saved::default()))
    }

    fn with(id: String, inner: Inner, saved: Saved) -> Arc<Table> {
        Arc::new(Table {
            id,
            inner: Mutex::new(inner),
            changed: watch::Sender::new(1),
            saved: Mutex::new(saved),
        })
    }

    /// Takes a game up from what was kept of it in a file; `changed` allows other rules than it was played by.
    pub(crate) fn revive(
        id: String,
        (kept, file): (&Value, PathBuf),
        loaded: Arc<Loaded>,
        changed: bool,
    ) -> Result<Arc<Table>, Problem> {
        let inner = Inner::revive(loaded, kept, changed)?;
        let saved = Saved {
            version: 0,
            file: Some(file),
            gone: false,
        };
        Ok(Table::with(id, inner, saved))
    }

    fn saved(&self) -> MutexGuard<'_, Saved> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the game as it is now, unless that was done already.
    pub(crate) fn save(&self, store: &Store) {
        let mut saved = self.saved();
        let (version, kept, rules) = {
            let inner = self.lock();
            if saved.gone || saved.version == inner.version {
                return;
            }
            (
                inner.version,
                inner.kept(),
                inner.loaded.start.about().rules_sha256,
            )
        };
        let Some(file) = store.write(rules, &self.id, &kept) else {
            return;
        };
        if let Some(old) = saved.file.take().filter(|old| *old != file) {
            store.remove(&old);
        }
        saved.version = version;
        saved.file = Some(file);
    }

    /// The game is not wanted any more: nothing is kept of it.
    pub(crate) fn forget(&self, store: Option<&Store>) {
        let mut saved = self.saved();
        saved.gone = true;
        if let (Some(file), Some(store)) = (saved.file.take(), store) {
            store.remove(&file);
        }
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

    /// Goes on with other rules: the moves so far are played again as far as they are legal. False where they are those it has.
    pub(crate) fn adopt(&self, loaded: &Arc<Loaded>) -> bool {
        let mut inner = self.lock();
        let other = !Arc::ptr_eq(&inner.loaded, loaded);
        if other {
            inner.adopt(loaded);
        }
        other
    }

    /// Carries out what somebody asks for; what [takes long](Table::takes_long) lets others have their turns.
    pub(crate) fn act(
        &self,
        action: &str,
        wish: &Value,
        turns: &mut Turns,
    ) -> Result<Value, Problem> {
        match action {
            "hint" => return self.hint(wish, turns),
            "explain" => return self.explain(wish),
            "heat" => return self.heat(wish, turns),
            "review" => return self.review(turns),
            "value" => return self.worth(turns),
            _ => {}
        }
        let told = match action {
            "move" => self.play_wish(wish)?,
            _ => self.change(action, wish)?,
        };
        self.touch();
        Ok(told)
    }

    /// Makes a move: it is looked for in the position as it was asked for, while others may look at the game.
    fn play_wish(&self, wish: &Value) -> Result<Value, Problem> {
        for _ in 0..TRIES {
            let (state, version) = {
                let mut inner = self.lock();
                inner.press();
                inner.may_play(wish)?;
                (inner.state().fork(), inner.version)
            };
            let made = meant(&*state, wish)?;
            let mut inner = self.lock();
            inner.press();
            inner.goes_on()?;
            if inner.version == version {
                let told = json!({ "played": made.text });
                inner.play_now(made);
                inner.version += 1;
                return Ok(told);
            }
        }
        Err(changed())
    }

    fn change(&self, action: &str, wish: &Value) -> Result<Value, Problem> {
        let mut inner = self.lock();
        let goes_back = matches!(action, "undo" | "redo" | "goto" | "continue");
        if goes_back && inner.learner.is_some() {
            return Err(Problem::new(
                403,
                "hidden",
                "attempts of a learner are not taken back",
            ));
        }
        inner.press();
        let told = match action {
            "resign" => inner.resign(wish),
            "offer" => inner.offer(wish),
            "answer" => inner.answer(wish),
            "clock" => inner.set_clock(wish),
            // Whoever looks on saw a clock run out: it was counted above.
            "flag" => Ok(json!({ "ended": inner.ended.is_some() })),
            "roll" => inner.roll(),
            "undo" => inner.undo(),
            "redo" => inner.redo(),
            "goto" => inner.go_to(wish),
            "continue" => inner.go_on(),
            "seats" => inner.seats(wish),
            "attempt" => attempt(&mut inner, wish),
            "board" => inner.next_board(),
            "restart" => inner.restart(),
            _ => Err(Problem::new(
                404,
                "no-such-action",
                format!(
                    "`{action}` is nothing that can be done; there are move, roll, undo, redo, goto, continue, seats, \
                     attempt, board, restart, resign, offer, answer, clock, flag, hint, value, explain, heat and review"
                ),
            )),
        }?;
        inner.press();
        inner.version += 1;
        Ok(told)
    }

    /// The position, how to search it, and its rules, for work without the lock: the game may get other rules meanwhile.
    fn looked_at(&self) -> Result<(State<'static>, u64, Arc<Loaded>), Problem> {
        let mut inner = self.lock();
        if inner.learner.is_some() {
            return Err(Problem::new(
                403,
                "hidden",
                "the rule is hidden in the learner's view",
            ));
        }
        let seed = inner.rng.u64();
        Ok((inner.state().fork(), seed, Arc::clone(&inner.loaded)))
    }

    /// Whether carrying it out may take long: it is done where bots think.
    pub(crate) fn takes_long(action: &str) -> bool {
        matches!(action, "hint" | "heat" | "review" | "value")
    }

    fn hint(&self, wish: &Value, turns: &mut Turns) -> Result<Value, Problem> {
        let (state, seed, loaded) = self.looked_at()?;
        let bot = match &wish["bot"] {
            Value::Null => Bot::Search(SearchSettings {
                time: Some(Duration::from_secs(3)),
                ..SearchSettings::games(Method::Uct, HINT_GAMES, 0)
            }),
            text => bot(text, &loaded.residents)?
                .ok_or_else(|| Problem::bad("`bot` names who gives the hint"))?,
        };
        if !matches!(state.turn(), Turn::Decide(_)) {
            return Err(Problem::new(
                409,
                "nothing-to-decide",
                "nobody has to decide here",
            ));
        }
        let report = bot.search_told(&*state, seed, &mut |_| turns.pass());
        Ok(thought(&loaded, &*state, &bot, &report))
    }

    fn explain(&self, wish: &Value) -> Result<Value, Problem> {
        let (state, _, loaded) = self.looked_at()?;
        let mut named = Vec::new();
        let wish = match (wish["text"].as_str(), wish["naming"].as_array()) {
            (Some(text), _) => Wish::Text(text),
            (None, Some(list)) if list.len() > MOST_THINGS => {
                return Err(Problem::bad(format!(
                    "`naming` lists {MOST_THINGS} things at most"
                )));
            }
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
                Wish::Naming(_) | Wish::Staying => "MOVE",
            };
            Problem::new(501, "no-reasons", how_to_explain(&*state, text))
        })?;
        let line = loaded.line(refusal.file, refusal.span.0);
        let mut told = crate::refusal_json(&refusal);
        let observed = state.appearance();
        let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
        told["plain"] = crate::reason::plain(&position, &refusal, &crate::results(&*state)).into();
        if let (Some((number, text)), true) = (line, refusal.span.1 > 0) {
            told["line"] = json!({ "number": number, "text": text });
        }
        Ok(told)
    }

    /// How often pieces come to each place in random games from here on.
    fn heat(&self, wish: &Value, turns: &mut Turns) -> Result<Value, Problem> {
        let (state, seed, loaded) = self.looked_at()?;
        let games = wish["games"].as_u64().unwrap_or(200).clamp(1, HEAT_GAMES);
        let mut counts = std::collections::BTreeMap::<String, u64>::new();
        let (mut events, mut played) = (Vec::new(), 0);
        let end = std::time::Instant::now() + Duration::from_secs(5);
        for game in 0..games {
            if !turns.pass() {
                break;
            }
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

    /// What the position that is shown is worth for the first player, after a moment's thought; nothing where chance decides.
    fn worth(&self, turns: &mut Turns) -> Result<Value, Problem> {
        let (state, seed, _) = self.looked_at()?;
        let settings = SearchSettings {
            time: Some(GLANCE),
            seed,
            ..SearchSettings::games(Method::Uct, HINT_GAMES, 0)
        };
        let value = value(&*state, &settings, turns);
        Ok(json!({ "value": value.map(|value| (value * 1000.0).round() / 1000.0) }))
    }

    /// The value of each position for the first player, and the moves after which it was least for who made them.
    fn review(&self, turns: &mut Turns) -> Result<Value, Problem> {
        let (_, seed, _) = self.looked_at()?;
        let plies = self.lock().plies.clone();
        let count = plies.len().clamp(1, MOST_REVIEWED) as u32;
        let each = (REVIEW_TIME / count).clamp(REVIEW_LEAST, REVIEW_MOST);
        let settings = SearchSettings {
            time: Some(each),
            seed,
            ..SearchSettings::games(Method::Uct, HINT_GAMES, 0)
        };
        let mut values: Vec<f64> = Vec::new();
        for ply in plies.iter().take(MOST_REVIEWED) {
            if !turns.pass() {
                return Err(Problem::new(503, "gone", "nobody waits for it any more"));
            }
            let before = values.last().copied().unwrap_or(0.5);
            values.push(value(&*ply.state, &settings, turns).unwrap_or(before));
        }
        let worst = worst(&plies, &values);
        let values: Vec<f64> = values
            .iter()
            .map(|v| (v * 1000.0).round() / 1000.0)
            .collect();
        Ok(json!({ "values": values, "worst": worst }))
    }

    /// The game as a score sheet.
    pub(crate) fn sheet(&self) -> Result<String, Problem> {
        let (plies, loaded) = self.told()?;
        let ended = self.lock().ended;
        crate::sheet::write(&loaded, &plies, ended).ok_or_else(|| {
            Problem::new(
                404,
                "no-sheet",
                "there is no usual form for games of these rules",
            )
        })
    }

    /// The positions of a game whose rule is not hidden.
    fn told(&self) -> Result<(Vec<Arc<Ply>>, Arc<Loaded>), Problem> {
        let inner = self.lock();
        if inner.learner.is_some() {
            return Err(Problem::new(
                403,
                "hidden",
                "the rule is hidden in the learner's view",
            ));
        }
        Ok((inner.plies.clone(), Arc::clone(&inner.loaded)))
    }

    /// The game as a page that replays without a server.
    pub(crate) fn share(&self) -> Result<String, Problem> {
        let (plies, loaded) = self.told()?;
        Ok(crate::share::page(
            &loaded,
            &plies[..plies.len().min(MOST_SHARED)],
            self.lock().ended,
        ))
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

    /// The time that whoever is to move may think by the clock.
    fn time_to_think(&self, state: &(dyn AnyState<'static> + 'static)) -> Duration {
        let Turn::Decide(players) = state.turn() else {
            return PATIENCE;
        };
        let inner = self.lock();
        let clock = inner.clock.as_ref();
        let share = clock.and_then(|clock| clock.share(players.trailing_zeros() as usize));
        share.unwrap_or(Duration::MAX)
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
        let name = self.lock().loaded.residents.name_of(bot);
        let mut tell = |games: u64| {
            let go_on = turns.pass() && self.lock().version == version;
            if told.elapsed() > Duration::from_millis(200) {
                told = std::time::Instant::now();
                self.lock().thinking = json!({ "bot": name, "games": games });
                self.touch();
            }
            go_on
        };
        let mut rng = Rng::new(seed, 1);
        // Whoever waits for a bot waits for a time, however quick the engine is.
        let share = self.time_to_think(state);
        let timed = match bot {
            Bot::Search(settings) => Bot::Search(SearchSettings {
                time: Some(settings.time.unwrap_or(PATIENCE).min(share)),
                ..*settings
            }),
            Bot::Random => Bot::Random,
        };
        let (code, report) = match bot {
            Bot::Random => (bot.choose(state, &mut rng), SearchReport::default()),
            _ => {
                let report = timed.search_told(state, seed, &mut tell);
                (
                    report.best().or_else(|| bot.choose(state, &mut rng)),
                    report,
                )
            }
        };
        let mut inner = self.lock();
        inner.thinking = Value::Null;
        inner.press();
        if inner.version == version
            && inner.ended.is_none()
            && let Some(code) = code
        {
            let mut played = made(code, state.move_text(code), "bot", state.mover(code) + 1);
            played.thought = match bot {
                Bot::Random => Value::Null,
                _ => thought(&inner.loaded, state, bot, &report),
            };
            inner.play_now(played);
            inner.version += 1;
        }
        drop(inner);
        self.touch();
    }
}

/// What a position is worth for the first player; nothing where chance decides.
fn value(
    state: &(dyn AnyState<'static> + 'static),
    settings: &SearchSettings,
    turns: &mut Turns,
) -> Option<f64> {
    match state.turn() {
        Turn::Over => Some(state.outcome()?.payoff(0)),
        Turn::Chance => None,
        Turn::Decide(_) => {
            let bot = Bot::Search(*settings);
            let report = bot.search_told(state, settings.seed, &mut |_| turns.pass());
            let best = report.moves.first()?;
            let for_mover = best.value;
            Some(match state.mover(best.code) {
                0 => for_mover,
                _ => 1.0 - for_mover,
            })
        }
    }
}

/// The numbers from 1 of the moves that lost most for those who made them.
fn worst(plies: &[Arc<Ply>], values: &[f64]) -> Vec<usize> {
    let loss = |at: usize| -> f64 {
        let change = values[at] - values[at - 1];
        match plies[at].made.as_ref().map(|made| made.player) {
            Some(0) | None => 0.0,
            Some(1) => -change,
            Some(_) => change,
        }
    };
    let mut losses: Vec<(usize, f64)> = (1..values.len()).map(|at| (at, loss(at))).collect();
    losses.retain(|(_, loss)| *loss > LOSS);
    losses.sort_by(|a, b| b.1.total_cmp(&a.1));
    losses.truncate(MOST_LOSSES);
    losses.into_iter().map(|(at, _)| at).collect()
}

/// Tries to bring a unit to a target, in the learner's view.
fn attempt(inner: &mut Inner, wish: &Value) -> Result<Value, Problem> {
    let number = |key: &str| {
        wish[key]
            .as_u64()
            .map(|n| n as usize)
            .ok_or_else(|| Problem::bad(format!("`{key}` is a number from 0")))
    };
    let (unit, target) = (number("unit")?, number("target")?);
    let state = inner.state().fork();
    let (loaded, observed) = (Arc::clone(&inner.loaded), state.appearance());
    let position = Position::new(&loaded.look, state.about(), state.turn(), "", &observed);
    let is_there = position.units().contains(&(unit as i64));
    let Some(learner) = &mut inner.learner else {
        return Err(Problem::bad("attempts are for the learner's view"));
    };
    let (told, next) = learner.attempt(state, (unit, is_there), target);
    if let Some((state, code, text)) = next {
        inner.push(state, made(code, text, "player", 1));
    }
    Ok(told)
}

/// `"0.12"`: a domain and a member.
fn thing_of(text: &str) -> Option<(u32, u32)> {
    let (domain, member) = text.split_once('.')?;
    Some((domain.parse().ok()?, member.parse().ok()?))
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
fn thought(
    loaded: &Loaded,
    state: &(dyn AnyState<'static> + 'static),
    bot: &Bot,
    report: &SearchReport,
) -> Value {
    let moves = report.moves.iter().take(8).map(|m| {
        json!({
            "text": state.move_text(m.code),
            "name": crate::view::name_of(loaded, state, m.code),
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
    let name = loaded.residents.name_of(bot);
    json!({ "bot": name, "games": report.games, "moves": moves, "line": line })
}
