//! The course of a game: its positions, who plays, and how it goes on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rulec_core::{Board, Rng, Turn};
use rulec_search::episode::boards::Boards;
use rulec_search::notation::find_move;
use rulec_search::search::SearchSettings;
use rulec_search::{AnyState, Bot, State};
use serde_json::{Value, json};

use crate::contest::{Clock, Ended, Why};
use crate::learner::Learner;
use crate::loaded::Loaded;
use crate::played::{Made, Ply, made, ply};
use crate::ply::{Asked, log_of};
use crate::problem::Problem;
use crate::residents::Residents;
use crate::sheet;
use crate::thinkers::Turns;
use crate::view;

/// The most positions of a game that are kept.
const MOST_PLIES: usize = 20_000;
/// The most games of a search that a request may ask for, and the most time.
const MOST_GAMES: u64 = 10_000_000;
const MOST_TIME: Duration = Duration::from_secs(600);
/// Entries of a table and nodes of a tree that it has at most: 256 MB, and half as much again.
const MOST_ENTRIES: usize = 1 << 24;
const MOST_NODES: usize = 1 << 23;
/// Its threads at most.
const MOST_THREADS: u32 = 16;

pub(crate) struct Inner {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) plies: Vec<Arc<Ply>>,
    /// The position that is shown; later ones can be gone to again.
    pub(crate) at: usize,
    pub(crate) bots: Vec<Option<Bot>>,
    /// Whether draws are made without being asked for.
    pub(crate) auto: bool,
    /// Time between what happens by itself.
    pub(crate) pace: Duration,
    pub(crate) seed: u64,
    pub(crate) rng: Rng,
    /// Goes up with every change of the game.
    pub(crate) version: u64,
    /// Whether a bot, or chance, is at work.
    pub(crate) driven: bool,
    pub(crate) thinking: Value,
    pub(crate) notice: String,
    pub(crate) learner: Option<Learner>,
    pub(crate) boards: Option<Boards>,
    /// How it ended beside the rules.
    pub(crate) ended: Option<Ended>,
    pub(crate) clock: Option<Clock>,
    /// Who offers a draw, from 0.
    pub(crate) offer: Option<usize>,
    /// Boards that were drawn.
    pub(crate) drawn: u64,
    /// How often the game was taken up from where it is kept: each time random numbers are new ones.
    pub(crate) revived: u64,
}

/// What happens next by itself.
pub(crate) enum Next {
    /// Nothing: somebody must do something.
    Nothing,
    Draw,
    Think(Box<Bot>, State<'static>, u64, u64),
}

/// A bot by its name; nothing for a person.
pub(crate) fn bot(text: &Value, residents: &Residents) -> Result<Option<Bot>, Problem> {
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
    if let Some(resident) = residents.find(name) {
        return Ok(Some(resident.clone()));
    }
    // What is asked for over the network reads no files.
    if let Some(option) = Bot::file_option(name) {
        return Err(Problem::bad(format!(
            "a server reads no files for whoever asks: leave out `{option}`"
        )));
    }
    let bot: Bot = name.parse().map_err(Problem::bad)?;
    match &bot {
        Bot::Search(settings) if !is_modest(settings) => Err(Problem::bad(
            "a search here has ten million games, ten minutes, eight million nodes, a table of 256 MB and 16 threads at most",
        )),
        _ => Ok(Some(bot)),
    }
}

/// Whether a search takes no more than a server gives to whoever asks.
fn is_modest(settings: &SearchSettings) -> bool {
    settings.games.is_none_or(|games| games <= MOST_GAMES)
        && settings.time.is_none_or(|time| time <= MOST_TIME)
        && settings.table <= MOST_ENTRIES
        && settings.nodes <= MOST_NODES
        && settings.threads <= MOST_THREADS
}

/// The game is not what whoever asks has seen.
pub(crate) fn changed() -> Problem {
    Problem::new(409, "changed", "the game has changed meanwhile")
}

/// The move that a wish means in a position, by its code or its text.
pub(crate) fn meant(
    state: &(dyn AnyState<'static> + 'static),
    wish: &Value,
) -> Result<Made, Problem> {
    let code = match (wish["code"].as_str(), wish["text"].as_str()) {
        (Some(code), _) => {
            let code: u64 = code
                .parse()
                .map_err(|_| Problem::bad("`code` is the number of a move as text"))?;
            match legal(state)?.contains(&code) {
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
        (None, Some(text)) => find_move(state, text)
            .map_err(|error| Problem::new(422, "not-legal", error.to_string()))?,
        _ => return Err(Problem::bad("name the move by `text` or `code`")),
    };
    let (by, player) = match state.turn() {
        Turn::Chance => ("chance", 0),
        _ => ("player", state.mover(code) + 1),
    };
    Ok(made(code, state.move_text(code), by, player))
}

/// Everything that can be done in a position, also by the host of the game.
pub(crate) fn legal(state: &(dyn AnyState<'static> + 'static)) -> Result<Vec<u64>, Problem> {
    let mut legal = rulec_search::view::options(state, rulec_core::ChoiceSet::All)
        .map_err(|_| Problem::new(409, "fault", "the rules run into a fault here"))?;
    legal.extend(state.host_moves());
    Ok(legal)
}

impl Inner {
    /// The start of a game, without a board yet where a host gives boards.
    pub(crate) fn new(loaded: Arc<Loaded>, seed: u64) -> Inner {
        let info = loaded.start.about();
        let boards = info.episode.and_then(|episode| {
            Boards::new(episode, episode.boards, (seed & 0x7fff_ffff) as i64).ok()
        });
        Inner {
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
            learner: None,
            boards,
            ended: None,
            clock: None,
            offer: None,
            drawn: 0,
            revived: 0,
        }
    }

    pub(crate) fn ply(&self) -> &Arc<Ply> {
        &self.plies[self.at.min(self.plies.len() - 1)]
    }

    pub(crate) fn state(&self) -> &(dyn AnyState<'static> + 'static) {
        &*self.ply().state
    }

    pub(crate) fn asked(&self) -> Asked {
        let hides = self.learner.is_some();
        Asked {
            ply: (!hides).then(|| Arc::clone(self.ply())),
            version: self.version,
        }
    }

    pub(crate) fn push(&mut self, state: State<'static>, made: Made) {
        self.plies.truncate(self.at + 1);
        self.plies.push(ply(state, Some(made)));
        self.at += 1;
        self.notice.clear();
    }

    pub(crate) fn play(&mut self, mut made: Made) {
        let mut state = self.state().fork();
        let mut events = Vec::new();
        made.name = view::name_of(&self.loaded, &*state, made.code);
        made.drawing = view::drawing(&self.loaded, &*state);
        made.spots = view::spots(&self.loaded, &*state, made.code);
        state.play(made.code, Some(&mut events));
        made.steps = view::steps(&self.loaded, &*state, &events);
        if let Some(mover) = made.player.checked_sub(1) {
            made.name.push_str(view::sign(&self.loaded, &*state, mover));
        }
        made.log = log_of(&*state, &events);
        self.push(state, made);
    }

    /// The same of a move that is made now, not played again: clocks count it.
    pub(crate) fn play_now(&mut self, made: Made) {
        let mover = made.player.checked_sub(1);
        self.play(made);
        if let Some(mover) = mover {
            self.moved_on(mover);
        }
        if let (Some(clock), Some(mover)) = (&mut self.clock, mover) {
            clock.moved(mover);
        }
        self.press();
    }

    /// Whose clock runs: who alone decides in the last position, while nobody looks back.
    fn on_the_clock(&self) -> Option<usize> {
        let last = self.at + 1 == self.plies.len() && self.ended.is_none();
        match self.state().turn() {
            Turn::Decide(players) if last && players.is_power_of_two() => {
                Some(players.trailing_zeros() as usize)
            }
            _ => None,
        }
    }

    /// Counts the time of whoever was to move until now.
    pub(crate) fn press(&mut self) {
        let next = self.on_the_clock();
        let Some(clock) = &mut self.clock else {
            return;
        };
        if let Some(player) = clock.press(next, Instant::now())
            && self.ended.is_none()
        {
            let why = Why::Time;
            self.ended = Some(Ended { player, why });
            self.offer = None;
            self.version += 1;
        }
    }

    /// Refuses what cannot be done in a game that ended beside the rules.
    pub(crate) fn goes_on(&self) -> Result<(), Problem> {
        let names = &self.loaded.start.about().players;
        match self.ended {
            None => Ok(()),
            Some(ended) => Err(Problem::new(
                409,
                "ended",
                ended.json(names)["text"].as_str().unwrap_or_default(),
            )),
        }
    }

    /// Somebody gives up: the player of a number from 1, or who alone is to move.
    pub(crate) fn resign(&mut self, wish: &Value) -> Result<Value, Problem> {
        self.goes_on()?;
        let names = &self.loaded.start.about().players;
        if names.len() > 2 || self.learner.is_some() {
            return Err(Problem::bad("games of one player or two can be given up"));
        }
        self.not_over()?;
        let player = self.who(wish)?;
        let why = Why::Resigned;
        let ended = Ended { player, why };
        self.ended = Some(ended);
        self.offer = None;
        Ok(ended.json(names))
    }

    /// Puts a clock beside the game, as for its first move, or takes it away.
    pub(crate) fn set_clock(&mut self, wish: &Value) -> Result<Value, Problem> {
        self.clock = Clock::wanted(wish, self.bots.len())?;
        Ok(json!({}))
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

    /// Whether a move may be made now; which one, is for [`meant`] to find without holding up others.
    pub(crate) fn may_play(&self, wish: &Value) -> Result<(), Problem> {
        self.has_room()?;
        self.goes_on()?;
        if self.learner.is_some() {
            return Err(Problem::bad("in the learner's view moves are attempts"));
        }
        match wish["version"].as_u64() {
            Some(version) if version != self.version => Err(changed()),
            _ => Ok(()),
        }
    }

    pub(crate) fn roll(&mut self) -> Result<Value, Problem> {
        self.has_room()?;
        self.goes_on()?;
        let state = self.state().fork();
        if state.turn() != Turn::Chance {
            return Err(Problem::new(409, "no-draw", "no draw is due"));
        }
        let results = state.results();
        let Some(code) = results.draw(&mut self.rng) else {
            return Err(Problem::new(409, "no-draw", "the draw has no results"));
        };
        let text = state.move_text(code);
        self.play_now(made(code, text.clone(), "chance", 0));
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

    pub(crate) fn undo(&mut self) -> Result<Value, Problem> {
        self.offer = None;
        // Who gave up may think again; who ran out of time plays on without a clock.
        if let Some(ended) = self.ended.take() {
            if ended.why == Why::Time {
                self.clock = None;
            }
            return Ok(json!({ "ply": self.at }));
        }
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

    pub(crate) fn redo(&mut self) -> Result<Value, Problem> {
        if self.at + 1 >= self.plies.len() {
            return Err(Problem::new(409, "no-move", "there is nothing to do again"));
        }
        self.at += 1;
        Ok(json!({ "ply": self.at }))
    }

    pub(crate) fn go_to(&mut self, wish: &Value) -> Result<Value, Problem> {
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
    pub(crate) fn go_on(&mut self) -> Result<Value, Problem> {
        self.plies.truncate(self.at + 1);
        (self.ended, self.offer) = (None, None);
        Ok(json!({ "ply": self.at }))
    }

    pub(crate) fn restart(&mut self) -> Result<Value, Problem> {
        self.plies = vec![self.loaded.first()];
        self.at = 0;
        (self.ended, self.offer) = (None, None);
        if let Some(clock) = &mut self.clock {
            clock.again();
        }
        self.new_board()?;
        Ok(json!({ "ply": 0 }))
    }

    pub(crate) fn next_board(&mut self) -> Result<Value, Problem> {
        if self.boards.is_none() {
            return Err(Problem::bad("the game has no boards"));
        }
        self.restart()
    }

    /// Begins on the next board, if the game has boards.
    pub(crate) fn new_board(&mut self) -> Result<(), Problem> {
        let Some(boards) = &mut self.boards else {
            return Ok(());
        };
        let mut board = Board::EMPTY;
        let drawn = boards.draw(&mut board);
        drawn.map_err(|error| Problem::new(409, "no-board", error))?;
        self.drawn += 1;
        if let Some(state) = self.loaded.start.begin(&board) {
            self.plies = vec![ply(state, None)];
            self.at = 0;
        }
        if let Some(learner) = &mut self.learner {
            learner.next_episode();
        }
        Ok(())
    }

    /// What the players of all seats are called; nothing for people.
    pub(crate) fn bot_names(&self) -> Vec<Option<String>> {
        let name = |bot| self.loaded.residents.name_of(bot);
        let seats = self.bots.iter();
        seats.map(|bot| bot.as_ref().map(name)).collect()
    }

    pub(crate) fn seats(&mut self, wish: &Value) -> Result<Value, Problem> {
        if let Some(bots) = wish["bots"].as_object() {
            let mut new = self.bots.clone();
            for (player, name) in bots {
                let number = player.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let seat = number.and_then(|number| new.get_mut(number));
                match seat {
                    Some(seat) => *seat = bot(name, &self.loaded.residents)?,
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

    pub(crate) fn next(&mut self) -> Next {
        if self.at + 1 != self.plies.len()
            || self.plies.len() >= MOST_PLIES
            || self.learner.is_some()
            || self.ended.is_some()
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
                        Next::Think(Box::new(bots[0].clone()), state, self.rng.u64(), version)
                    }
                    _ => Next::Nothing,
                }
            }
        }
    }

    pub(crate) fn adopt(&mut self, loaded: &Arc<Loaded>) {
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
        self.offer = None;
        let players = loaded.start.about().players.len();
        if players != self.bots.len() {
            (self.ended, self.clock) = (None, None);
        }
        self.bots.resize(players, None);
        // A network or an evaluation of the rules before need not be one of these.
        for seat in &mut self.bots {
            *seat = seat
                .take()
                .filter(|bot| bot.ready(loaded.start.info()).is_ok());
        }
        self.plies = vec![first.map_or_else(|| loaded.first(), |state| ply(state, None))];
        self.at = 0;
        let count = texts.len();
        for made in texts {
            let state = self.state().fork();
            let Ok(code) = find_move(&*state, &made.text) else {
                break;
            };
            self.play(Made { code, ..made });
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
        let info = self.loaded.start.about();
        json!({
            "form": "rulec-record-1",
            "game": info.name,
            "language": info.language,
            "rules_sha256": info.rules_sha256,
            "start": self.plies[0].state.text(),
            "moves": moves,
            "seed": self.seed,
            "ended": self.ended.map(|ended| ended.json(info.players)),
        })
    }

    /// Plays the moves of a record; others get their turns in between.
    pub(crate) fn load(&mut self, record: &Value, turns: &mut Turns) -> Result<(), Problem> {
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
            if !text.is_string() {
                return Err(Problem::bad("`moves` is a list of texts"));
            }
            if !turns.pass() {
                return Err(Problem::new(503, "gone", "nobody waits for it any more"));
            }
            let wish = json!({ "text": text });
            let played = self
                .may_play(&wish)
                .and_then(|()| meant(self.state(), &wish));
            let made = played.map_err(|error| Problem {
                message: format!("move {number} of the record: {}", error.message),
                ..error
            })?;
            self.play(made);
        }
        self.ended = Ended::read(&record["ended"], self.bots.len());
        self.notice.clear();
        Ok(())
    }

    /// Plays the moves of a score sheet.
    pub(crate) fn load_sheet(&mut self, text: &str, turns: &mut Turns) -> Result<(), Problem> {
        if self.loaded.form().is_none() {
            return Err(Problem::bad(
                "`sheet` is for games of chess and draughts by rules that call them so",
            ));
        }
        let words = sheet::moves(text).map_err(|why| Problem::bad(format!("the sheet: {why}")))?;
        for word in words {
            if !turns.pass() {
                return Err(Problem::new(503, "gone", "nobody waits for it any more"));
            }
            let found = sheet::find(&self.loaded, self.state(), &word);
            let found = found.ok_or_else(|| {
                let number = self.at + 1;
                let message = format!("move {number} of the sheet, `{word}`, is not legal");
                Problem::new(422, "not-legal", message)
            })?;
            for code in found {
                self.has_room()?;
                let (text, player) = (self.state().move_text(code), self.state().mover(code) + 1);
                self.play(made(code, text, "player", player));
            }
        }
        self.ended = sheet::ended(&self.loaded, self.state(), text);
        self.notice.clear();
        Ok(())
    }

    pub(crate) fn json(&self, id: &str) -> Value {
        let moves: Vec<Value> = self
            .plies
            .iter()
            .filter_map(|ply| ply.made.as_ref())
            .map(|made| json!({ "text": made.text, "name": made.name, "by": made.by, "player": made.player, "drawing": made.drawing }))
            .collect();
        let last = self.ply().made.as_ref();
        let last = last.map(|made| {
            json!({
                "text": made.text,
                "name": made.name,
                "by": made.by,
                "player": made.player,
                "drawing": made.drawing,
                "log": made.log,
                "steps": made.steps,
                "spots": made.spots,
                "thought": made.thought,
            })
        });
        json!({
            "id": id,
            "version": self.version,
            "ply": self.at,
            "plies": self.plies.len() - 1,
            "moves": moves,
            "last": last,
            "bots": self.bot_names(),
            "auto": self.auto,
            "pace": self.pace.as_millis() as u64,
            "seed": self.seed,
            "thinking": self.thinking,
            "notice": self.notice,
            "learner": self.learner.as_ref().map(Learner::json),
            "ended": self.ended.map(|ended| ended.json(self.loaded.start.about().players)),
            "clock": self.clock.as_ref().map(|clock| clock.json(Instant::now())),
            "offer": self.offer.map(|player| player + 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Bot, Problem, Residents, bot};

    /// A player that a visitor names.
    fn visitors(name: &str) -> Result<Option<Bot>, Problem> {
        bot(&json!(name), &Residents::default())
    }

    #[test]
    fn searches_have_bounds() {
        for name in [
            "uct:1e8",
            "uct:700s",
            "uct:10:tree=1e8",
            "uct:10:threads=1000",
            "alphabeta:depth=2:hash=8G",
        ] {
            let refused = visitors(name).expect_err("takes too much");
            assert!(refused.message.contains("at most"), "{name}");
        }
        assert!(visitors("alphabeta:depth=2:hash=64M:threads=4").is_ok());
    }

    #[test]
    fn players_that_name_files_are_refused_before_anything_is_read() {
        for name in [
            "puct:10:net=net.onnx",
            "alphabeta:depth=2:tables=/",
            "uct:10:eval=../chess.eval.json",
        ] {
            let refused = visitors(name).expect_err("names a file");
            assert!(refused.message.contains("reads no files"), "{name}");
        }
        for name in [
            "uct:10",
            "alphabeta:depth=2:eval=zero",
            "puct:10:judge=uniform",
        ] {
            assert!(visitors(name).is_ok(), "{name}");
        }
    }
}
