//! A game by stated numbers, written down as the records are.

use rulec_interp::{Event, Interp, State, Value};
use serde_json::{Map, Value as Json, json};

use crate::corpus::{Lcg, drawn, number, seconds, status, value};

/// A game from its start to its end.
pub(crate) struct Played {
    /// `finished`, `max_steps`, or the kind of error.
    pub(crate) status: String,
    pub(crate) winner: Option<u32>,
    pub(crate) turns: i64,
    pub(crate) steps: i64,
    pub(crate) seconds: f64,
    /// Every turn: who, what was rolled, steps.
    pub(crate) record: Vec<Turn>,
    /// Where a fault came from: its message.
    pub(crate) message: String,
    pub(crate) last: State,
    /// Globals and players after the setup; nothing if a draw stands in it.
    pub(crate) first: Option<Json>,
}

/// A turn.
#[derive(Default)]
pub(crate) struct Turn {
    pub(crate) player: u32,
    pub(crate) roll: Option<i64>,
    pub(crate) steps: Vec<Step>,
    /// Draws within the turn, in the form of the records.
    pub(crate) draws: Vec<Json>,
    /// Globals and players when the next turn begins; nothing if that is not known.
    pub(crate) end: Option<Json>,
}

/// A step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Step {
    pub(crate) way: String,
    pub(crate) to: String,
    pub(crate) forced: bool,
    pub(crate) landed: bool,
    pub(crate) rolled_back: bool,
    /// Where forced commands, or those of landing, brought the token.
    pub(crate) jumps: Vec<String>,
    /// Steps left after the step, and after the commands on the way if they change that.
    pub(crate) left: Vec<i64>,
}

struct Writer<'g> {
    game: &'g Interp,
    turns: Vec<Turn>,
    back: bool,
    entered: Vec<bool>,
    tiles: bool,
}

/// Plays a game with the numbers of a seed.
pub(crate) fn play(game: &Interp, seed: u64) -> Played {
    let mut numbers = Lcg::new(seed);
    let mut state = game.initial();
    let players = game.game().player_count();
    let domain = &game.game().placements[0].places;
    let name = game.game().domain(*domain).member(0);
    let mut writer = Writer {
        game,
        turns: Vec::new(),
        back: false,
        entered: vec![false; players],
        tiles: name.contains(':'),
    };
    // Turns before the first stop are not heard of: the first one has no draw before it if the setup has none.
    let mut first = None;
    if writer.at_turn(&state) {
        writer.turns.push(Turn::default());
        first = Some(writer.shown(&state));
    }
    while let Some(mv) = drawn(game, &state, &mut numbers) {
        let fresh = writer.turns.last().is_some_and(|turn| turn.roll.is_none());
        let text = game.move_text(mv);
        let sides = game.chance_outcomes(&state).len();
        let mut events = Vec::new();
        assert!(game.play_with_events(&mut state, mv, &mut events));
        match text.strip_prefix("roll ") {
            Some(rolled) if fresh => {
                let turn = writer.turns.last_mut().expect("a turn");
                turn.roll = Some(rolled.parse().expect("a number"));
            }
            Some(rolled) => {
                let rolled: i64 = rolled.parse().expect("a number");
                writer.draw(json!({ "roll": sides, "value": rolled }));
            }
            None => writer.draw(json!({ "choose_bool": text == "yes" })),
        }
        for event in events {
            writer.event(&event);
        }
        if writer.turns.last().is_some_and(|turn| turn.roll.is_none()) {
            let shown = writer.shown(&state);
            let count = writer.turns.len();
            if count > 1 {
                writer.turns[count - 2].end = Some(shown);
            }
        }
    }
    let (status, winner) = status(game, &state);
    let message = match game.outcome(&state).map(|outcome| outcome.reason) {
        Some(rulec_interp::Reason::Fault(fault)) => fault.code.message().to_owned(),
        _ => String::new(),
    };
    Played {
        status,
        winner,
        turns: number(game, &state, "turns", 0),
        steps: number(game, &state, "steps", 0),
        seconds: seconds(game, &state),
        record: writer.turns,
        message,
        last: state,
        first,
    }
}

impl Writer<'_> {
    /// Whether a first turn has begun already.
    fn at_turn(&self, state: &State) -> bool {
        number(self.game, state, "turns", 0) > 0
    }

    fn draw(&mut self, draw: Json) {
        if let Some(turn) = self.turns.last_mut() {
            turn.draws.push(draw);
        }
    }

    fn place(&self, member: u32) -> String {
        let domain = self.game.game().placements[0].places;
        let name = self.game.game().domain(domain).member(member);
        match self.tiles {
            true => name,
            false => format!("0:{name}"),
        }
    }

    fn event(&mut self, event: &Event) {
        if let Event::Signal(_, values) = event {
            return self.left(values);
        }
        let Event::Count { counter, member } = event else {
            return;
        };
        let name = self.game.game().counters[*counter as usize].name.clone();
        if name == "turns" || name == "suspended" {
            self.turns.push(Turn {
                player: *member,
                roll: (name == "suspended").then_some(0),
                ..Turn::default()
            });
            return;
        }
        if ["lines", "rollbacks"].contains(&name.as_str()) {
            if let Some(turn) = self.turns.last_mut().filter(|_| name == "rollbacks") {
                last(turn).rolled_back = true;
            }
            return;
        }
        let place = self.place(*member);
        let (back, entered) = (self.back, self.entered.clone());
        let Some(turn) = self.turns.last_mut() else {
            return;
        };
        match name.as_str() {
            "backward" => self.back = true,
            "visits" => {
                let way = match (back, entered[turn.player as usize]) {
                    (true, _) => "back",
                    (_, false) => "enter",
                    _ => "forward",
                };
                self.entered[turn.player as usize] = true;
                self.back = false;
                turn.steps.push(Step {
                    way: way.to_owned(),
                    to: place,
                    ..Step::default()
                });
            }
            "forced" => last(turn).forced = true,
            "landings" => last(turn).landed = true,
            "jumps" => last(turn).jumps.push(place),
            _ => {}
        }
    }

    /// Steps that are left now. Those before it in a row that is told at once had one more each.
    fn left(&mut self, values: &[(Value, String)]) {
        let (Some(turn), [(Value::Int(left), _)]) = (self.turns.last_mut(), values) else {
            return;
        };
        let open = turn.steps.iter().rev();
        let open = open.take_while(|step| step.left.is_empty()).count();
        let count = turn.steps.len();
        let row = turn.steps[count - open.max(1)..].iter_mut().rev();
        for (step, more) in row.zip(0..) {
            if step.left.last() != Some(&(left + more)) {
                step.left.push(left + more);
            }
        }
    }

    /// Globals and players as the records show them.
    pub(crate) fn shown(&self, state: &State) -> Json {
        shown(self.game, state, self.tiles)
    }
}

fn last(turn: &mut Turn) -> &mut Step {
    turn.steps.last_mut().expect("a step")
}

/// Globals and players as the records show them.
pub(crate) fn shown(game: &Interp, state: &State, tiles: bool) -> Json {
    let vars = &game.game().vars;
    let mut globals = Map::new();
    for var in vars {
        if let Some(name) = var.name.strip_prefix("global ") {
            let value = value(game, state, &var.name, 0);
            globals.extend(value.map(|value| (name.to_owned(), value)));
        }
    }
    let places = game.game().placements[0].places;
    let count = game.game().domain(places).len() as u32;
    let tokens = game.game().domain(game.game().placements[0].pieces).len();
    let each = tokens / game.game().player_count();
    let player = |seat: usize| {
        let token = (seat * each) as u32;
        let at = (0..count).find(|place| {
            let on = game.on_place(state, rulec_compiler::ir::PlacementId(0), *place);
            on.contains(&token)
        });
        let at = at.map(|place| {
            let name = game.game().domain(places).member(place);
            if tiles { name } else { format!("0:{name}") }
        });
        let mut own = Map::new();
        for var in vars {
            if let Some(name) = var.name.strip_prefix("player ") {
                let value = value(game, state, &var.name, seat);
                own.extend(value.map(|value| (name.to_owned(), value)));
            }
        }
        let asleep = value(game, state, "asleep", seat).unwrap_or(json!(0));
        json!({ "pos": at, "vars": own, "suspend": asleep })
    };
    let players: Vec<Json> = (0..game.game().player_count()).map(player).collect();
    json!({ "globals": globals, "players": players })
}
