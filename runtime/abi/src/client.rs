//! The operations in words: what makes and reads their blocks.

use bytemuck::{bytes_of, cast_slice};
use serde_json::{Value, json};

use crate::op;
use crate::port::{Call, Port, Refused};

/// How a batch plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of games.
    pub games: usize,
    /// All that is random follows from it and the number of the game.
    pub seed: u64,
    /// Plies after which a game is stopped.
    pub limit: u32,
    /// Whether a game that is over begins anew at once.
    pub reset: bool,
    /// Whether results of draws are given as moves are; otherwise they are drawn.
    pub given: bool,
    /// Threads of a step.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            games: 1,
            seed: 0,
            limit: 10_000,
            reset: true,
            given: false,
            threads: 1,
        }
    }
}

/// Most games of a batch.
const MOST_GAMES: u64 = 1 << 24;

impl Settings {
    fn write(&self) -> String {
        json!({
            "games": self.games,
            "seed": self.seed,
            "limit": self.limit,
            "reset": self.reset,
            "given": self.given,
            "threads": self.threads,
        })
        .to_string()
    }

    pub(crate) fn read(text: &str) -> Result<Self, Refused> {
        let told = parse(text)?;
        let usual = Self::default();
        let number = |key: &str, usual: u64| told[key].as_u64().unwrap_or(usual);
        let yes = |key: &str, usual: bool| told[key].as_bool().unwrap_or(usual);
        let games = number("games", 1);
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(Refused::usage(format!(
                "a batch has 1 to {MOST_GAMES} games, not {games}"
            )));
        }
        Ok(Self {
            games: games as usize,
            seed: number("seed", 0),
            limit: number("limit", usual.limit.into()).min(u32::MAX.into()) as u32,
            reset: yes("reset", usual.reset),
            given: yes("given", usual.given),
            threads: number("threads", 1).clamp(1, 1024) as usize,
        })
    }
}

/// Settings in JSON.
pub(crate) fn parse(text: &str) -> Result<Value, Refused> {
    serde_json::from_str(text).map_err(|error| Refused::usage(format!("settings: {error}")))
}

/// How masks of legal moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mask {
    /// Not at all.
    #[default]
    None,
    /// A byte a move.
    Bytes,
    /// A bit a move, in words of 64.
    Bits,
}

/// What the cells that a network sees are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Nothing.
    #[default]
    None,
    /// Floating-point numbers.
    F32,
    /// Bytes from 0 to 255; smaller and larger numbers become these.
    U8,
    /// Bytes from -128 to 127; smaller and larger numbers become these.
    I8,
}

/// What is wanted of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Masks.
    pub mask: Mask,
    /// Cells.
    pub cells: Numbers,
}

impl Kinds {
    fn bytes(self) -> [u8; 2] {
        let mask = match self.mask {
            Mask::None => 0,
            Mask::Bytes => 1,
            Mask::Bits => 2,
        };
        [mask, self.cells.byte()]
    }
}

impl Numbers {
    fn byte(self) -> u8 {
        match self {
            Numbers::None => 0,
            Numbers::F32 => 1,
            Numbers::U8 => 2,
            Numbers::I8 => 3,
        }
    }
}

/// Room that a step or a look fills; what has none is not wanted.
#[derive(Default)]
pub struct View<'v> {
    /// Rewards, a row of all players a game: 1 for a win, -1 for a loss.
    pub rewards: &'v mut [f32],
    /// 1 for games that are over with this step.
    pub over: &'v mut [u8],
    /// 1 for those of them that a limit or a fault stopped.
    pub stopped: &'v mut [u8],
    /// Who is to move, -1 for chance, -2 for nobody.
    pub players: &'v mut [i8],
    /// Masks of the legal moves.
    pub mask: &'v mut [u8],
    /// Cells.
    pub cells: &'v mut [u8],
    /// Cells of the last positions of games that are over with this step.
    pub last: &'v mut [u8],
}

/// A game.
pub struct Games(Box<dyn Port>);

/// Positions that step together.
pub struct Batch(Box<dyn Port>);

/// Games in flight, whose positions a network judges together.
pub struct Selfplay(Box<dyn Port>);

/// Carries out an operation that fills nothing.
fn ask(port: &mut dyn Port, op: u32, inputs: &[&[u8]]) -> Result<(u64, Vec<u8>), Refused> {
    let mut call = Call {
        op,
        inputs,
        outputs: &mut [],
        text: Vec::new(),
        made: None,
    };
    let result = port.call(&mut call)?;
    Ok((result, call.text))
}

fn fill<'b>(
    port: &mut dyn Port,
    op: u32,
    inputs: &[&'b [u8]],
    outputs: &mut [&'b mut [u8]],
) -> Result<u64, Refused> {
    port.call(&mut Call {
        op,
        inputs,
        outputs,
        text: Vec::new(),
        made: None,
    })
}

fn make(port: &mut dyn Port, op: u32, inputs: &[&[u8]]) -> Result<Box<dyn Port>, Refused> {
    let mut call = Call {
        op,
        inputs,
        outputs: &mut [],
        text: Vec::new(),
        made: None,
    };
    port.call(&mut call)?;
    call.made
        .ok_or_else(|| Refused::usage("the game made nothing"))
}

fn text(port: &mut dyn Port, op: u32, inputs: &[&[u8]]) -> Result<String, Refused> {
    let (_, bytes) = ask(port, op, inputs)?;
    String::from_utf8(bytes).map_err(|error| Refused::usage(error.to_string()))
}

impl Games {
    /// What answers for a game.
    pub fn new(port: Box<dyn Port>) -> Self {
        Self(port)
    }

    /// The document about the game, in JSON.
    ///
    /// # Errors
    /// As [`Port::call`].
    pub fn describe(&mut self) -> Result<String, Refused> {
        text(&mut *self.0, op::DESCRIBE, &[])
    }

    /// The texts of moves by index, in JSON.
    ///
    /// # Errors
    /// As [`Port::call`].
    pub fn move_texts(&mut self) -> Result<String, Refused> {
        text(&mut *self.0, op::MOVE_TEXTS, &[])
    }

    /// Positions, at the start at first.
    ///
    /// # Errors
    /// When the settings are not possible.
    pub fn batch(&mut self, settings: &Settings) -> Result<Batch, Refused> {
        let settings = settings.write();
        make(&mut *self.0, op::BATCH, &[settings.as_bytes()]).map(Batch)
    }

    /// Begins self-play, with [settings](crate) in JSON.
    ///
    /// # Errors
    /// When the settings are not possible.
    pub fn selfplay(&mut self, settings: &Value) -> Result<Selfplay, Refused> {
        let settings = settings.to_string();
        make(&mut *self.0, op::SELFPLAY, &[settings.as_bytes()]).map(Selfplay)
    }
}

impl Batch {
    /// Begins games anew: those of these numbers, or all; with the random numbers of a seed, or those that come next.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn reset(&mut self, games: &[u32], seed: Option<u64>) -> Result<(), Refused> {
        let seed: Vec<u64> = seed.into_iter().collect();
        let inputs = [cast_slice(games), cast_slice(&seed)];
        ask(&mut *self.0, op::RESET, &inputs).map(|_| ())
    }

    /// Plays a move in every game, or a result where these are given; -1 leaves a game as it is. Gives the number of games that ran into a fault.
    ///
    /// # Errors
    /// When a move is not legal; no game has moved then.
    pub fn step(
        &mut self,
        moves: &[i32],
        kinds: Kinds,
        view: &mut View<'_>,
    ) -> Result<u64, Refused> {
        let outputs: &mut [&mut [u8]] = &mut [
            bytemuck::cast_slice_mut(view.rewards),
            view.over,
            view.stopped,
            bytemuck::cast_slice_mut(view.players),
            view.mask,
            view.cells,
            view.last,
        ];
        let inputs = [cast_slice(moves), &kinds.bytes()[..]];
        fill(&mut *self.0, op::STEP, &inputs, outputs)
    }

    /// Looks at every game.
    ///
    /// # Errors
    /// When a room has the wrong size.
    pub fn watch(&mut self, kinds: Kinds, view: &mut View<'_>) -> Result<(), Refused> {
        let outputs: &mut [&mut [u8]] = &mut [
            bytemuck::cast_slice_mut(view.players),
            view.mask,
            view.cells,
        ];
        fill(&mut *self.0, op::WATCH, &[&kinds.bytes()], outputs).map(|_| ())
    }

    /// Draws a legal move for every game; -1 where there is none.
    ///
    /// # Errors
    /// When there is not a place for each game.
    pub fn sample(&mut self, out: &mut [i32]) -> Result<(), Refused> {
        let outputs: &mut [&mut [u8]] = &mut [bytemuck::cast_slice_mut(out)];
        fill(&mut *self.0, op::SAMPLE, &[], outputs).map(|_| ())
    }

    /// The legal moves of a game, by index.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn legal(&mut self, game: u32) -> Result<Vec<i32>, Refused> {
        let (_, bytes) = ask(&mut *self.0, op::LEGAL, &[bytes_of(&game)])?;
        let words = bytes.chunks_exact(4);
        Ok(words
            .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    }

    /// A position as text.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn text(&mut self, game: u32) -> Result<String, Refused> {
        text(&mut *self.0, op::TEXT, &[bytes_of(&game)])
    }

    /// Sets a position up.
    ///
    /// # Errors
    /// When the text is none of a position.
    pub fn read(&mut self, game: u32, text: &str) -> Result<(), Refused> {
        let inputs = [bytes_of(&game), text.as_bytes()];
        ask(&mut *self.0, op::READ, &inputs).map(|_| ())
    }

    /// Keys of all positions: equal positions have equal ones.
    ///
    /// # Errors
    /// When there is not a place for each game.
    pub fn keys(&mut self, out: &mut [u64]) -> Result<(), Refused> {
        let outputs: &mut [&mut [u8]] = &mut [bytemuck::cast_slice_mut(out)];
        fill(&mut *self.0, op::KEY, &[], outputs).map(|_| ())
    }

    /// The text of a legal move.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn move_text(&mut self, game: u32, index: u32) -> Result<String, Refused> {
        let inputs: [&[u8]; 2] = [bytes_of(&game), bytes_of(&index)];
        text(&mut *self.0, op::MOVE_TEXT, &inputs)
    }

    /// The legal move of a text.
    ///
    /// # Errors
    /// When there is none.
    pub fn move_of(&mut self, game: u32, text: &str) -> Result<i32, Refused> {
        let inputs = [bytes_of(&game), text.as_bytes()];
        let (index, _) = ask(&mut *self.0, op::MOVE_OF, &inputs)?;
        Ok(i32::try_from(index).unwrap_or(-1))
    }

    /// Who is to move, or how the game ended, in JSON.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn status(&mut self, game: u32) -> Result<String, Refused> {
        text(&mut *self.0, op::STATUS, &[bytes_of(&game)])
    }

    /// The results of the draw that is due with their weights, in JSON.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn results(&mut self, game: u32) -> Result<String, Refused> {
        text(&mut *self.0, op::RESULTS, &[bytes_of(&game)])
    }

    /// What pictures show of a position.
    ///
    /// # Errors
    /// When there is no such game.
    pub fn appearance(&mut self, game: u32) -> Result<Vec<i64>, Refused> {
        let (_, bytes) = ask(&mut *self.0, op::APPEARANCE, &[bytes_of(&game)])?;
        let mut words = Vec::new();
        for word in bytes.chunks_exact(8) {
            let mut number = [0; 8];
            number.copy_from_slice(word);
            words.push(i64::from_le_bytes(number));
        }
        Ok(words)
    }

    /// A copy of all games.
    ///
    /// # Errors
    /// As [`Port::call`].
    pub fn copy(&mut self) -> Result<Batch, Refused> {
        make(&mut *self.0, op::COPY, &[]).map(Batch)
    }

    /// Plays random games from a position and gives the mean payoff of each player, from 0 to 1.
    ///
    /// # Errors
    /// When there is no such game, or not a place for each player.
    pub fn playouts(
        &mut self,
        game: u32,
        games: u32,
        limit: u32,
        out: &mut [f64],
    ) -> Result<(), Refused> {
        let outputs: &mut [&mut [u8]] = &mut [bytemuck::cast_slice_mut(out)];
        let inputs: [&[u8]; 3] = [bytes_of(&game), bytes_of(&games), bytes_of(&limit)];
        fill(&mut *self.0, op::PLAYOUTS, &inputs, outputs).map(|_| ())
    }

    /// The first fault of the last step, in words.
    ///
    /// # Errors
    /// As [`Port::call`].
    pub fn fault(&mut self) -> Result<String, Refused> {
        text(&mut *self.0, op::FAULT, &[])
    }
}

impl Selfplay {
    /// Collects positions to judge, a row of cells and a mask each; gives how many there are, none when all games are over.
    ///
    /// # Errors
    /// When a room has the wrong size.
    pub fn gather(
        &mut self,
        numbers: Numbers,
        cells: &mut [u8],
        mask: &mut [u8],
    ) -> Result<usize, Refused> {
        let outputs: &mut [&mut [u8]] = &mut [cells, mask];
        let rows = fill(&mut *self.0, op::GATHER, &[&[numbers.byte()]], outputs)?;
        Ok(rows as usize)
    }

    /// Takes the judgement: logits of all moves, and the payoff of who is to move, or those of all players.
    ///
    /// # Errors
    /// When there are not as many numbers as there should be, or one of them is no number.
    pub fn scatter(&mut self, logits: &[f32], values: &[f32]) -> Result<(), Refused> {
        let inputs = [cast_slice(logits), cast_slice(values)];
        ask(&mut *self.0, op::SCATTER, &inputs).map(|_| ())
    }

    /// Takes the games that are over, as lines of JSON in the order of their numbers.
    ///
    /// # Errors
    /// As [`Port::call`].
    pub fn take(&mut self) -> Result<String, Refused> {
        text(&mut *self.0, op::TAKE, &[])
    }
}
