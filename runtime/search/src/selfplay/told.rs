//! Games that somebody else played, such as self-play with a network, to the files that [`play_to_files`](super::play_to_files)
//! writes.

use std::fs::File;
use std::io;

use rulec_core::{Fault, GameInfo, Outcome, Playout, Reason};
use serde_json::Value;

use super::folder::{Place, Writer, prepare};
use super::play::Played;
use super::samples::Samples;
use super::{Finished, Sink, record};

/// Writes games in the order of their numbers.
pub struct ToldGames {
    writer: Writer<'static>,
    info: &'static GameInfo,
    seed: u64,
    player: String,
    /// Other processes stay out of the folder meanwhile.
    _lock: Option<File>,
}

impl ToldGames {
    /// Makes ready for the games of a place. `settings` says in the files how they are played, `player` who plays.
    ///
    /// # Errors
    /// When files cannot be written, or there are some already.
    pub fn create(
        info: &'static GameInfo,
        place: &Place,
        settings: &Value,
        seed: u64,
        player: &str,
    ) -> io::Result<Self> {
        let images = place.images(info)?;
        let lock = match place {
            Place::Folder(shards) => Some(prepare(shards)?),
            Place::File { .. } => None,
        };
        Ok(Self {
            writer: Writer::new(info, settings, place.outputs(), images),
            info,
            seed,
            player: player.to_owned(),
            _lock: lock,
        })
    }

    /// Writes a game, as a line of self-play of `rulec-abi` tells it.
    ///
    /// # Errors
    /// When it is no such game, or writing fails.
    pub fn push(&mut self, told: &Value) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "a line that tells of no game");
        let index = told["index"].as_u64().ok_or_else(wrong)?;
        let played = played(self.info, index, told).ok_or_else(wrong)?;
        let players = vec![Value::from(&*self.player); self.info.players.len()];
        let line = record::line_of(self.info, self.seed, players, index, &played);
        self.writer.game(Finished {
            index,
            playout: played.playout,
            line,
            samples: played.samples,
        })
    }
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

fn numbers(value: &Value) -> Option<Vec<u32>> {
    value.as_array()?.iter().map(number).collect()
}

fn played(info: &GameInfo, index: u64, told: &Value) -> Option<Played> {
    let plies = number(&told["plies"])?;
    let moves = told["moves"].as_array()?.iter();
    let moves: Option<Vec<String>> = moves.map(|text| Some(text.as_str()?.to_owned())).collect();
    let scores = told["scores"].as_array()?.iter().filter_map(Value::as_i64);
    Some(Played {
        playout: Playout {
            plies,
            moves: told["choices"].as_u64()?,
            counted: plies,
            outcome: outcome(told),
        },
        given: None,
        moves: moves?,
        opened: 0,
        scores: scores.collect(),
        samples: samples(info, index, plies, told)?,
        traits: None,
    })
}

fn outcome(told: &Value) -> Option<Outcome> {
    let reasons = [
        Reason::Win,
        Reason::Draw,
        Reason::Stuck,
        Reason::Elimination,
        Reason::Limit,
    ];
    let reason = match told["reason"].as_str()? {
        "fault" => Reason::Fault(Fault {
            site: told["site"]
                .as_u64()
                .and_then(|n| u16::try_from(n).ok())
                .unwrap_or(u16::MAX),
        }),
        word => reasons.into_iter().find(|reason| reason.word() == word)?,
    };
    let winners = told["winners"].as_array().into_iter().flatten();
    let winners = winners.filter_map(Value::as_u64).filter(|n| *n < 64);
    Some(Outcome {
        reason,
        winners: winners.fold(0, |set, n| set | 1 << n),
    })
}

fn samples(info: &GameInfo, index: u64, plies: u32, told: &Value) -> Option<Samples> {
    let mut samples = Samples::default();
    let list = told["samples"].as_array()?;
    let mut cells = vec![0; info.planes.iter().map(|plane| plane.cells).sum()];
    for (sample, ply) in list.iter().zip(0..) {
        let player = u8::try_from(sample["player"].as_u64()?).ok()?;
        let (moves, weights) = (numbers(&sample["moves"])?, numbers(&sample["weights"])?);
        cells.fill(0);
        for pair in sample["cells"].as_array()?.chunks_exact(2) {
            let at = usize::try_from(pair[0].as_u64()?).ok()?;
            *cells.get_mut(at)? = pair[1].as_i64()?;
        }
        let payoff = told["payoffs"][usize::from(player)].as_f64();
        if moves.len() != weights.len() {
            return None;
        }
        samples.push_cells(&cells, info.planes);
        samples.game.push(index);
        samples.player.push(player);
        samples.value.push(payoff.unwrap_or(0.5) as f32);
        samples.plies_left.push(plies.saturating_sub(ply).max(1));
        samples.choices.push(moves.len() as u32);
        samples.played.push(number(&sample["played"])?);
        let searched = sample["value"].as_f64();
        samples
            .searched
            .push(searched.map_or(f32::NAN, |value| value as f32));
        samples.moves.extend(moves);
        samples.visits.extend(weights);
    }
    Some(samples)
}
