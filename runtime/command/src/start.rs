//! Where a command begins.

use std::path::PathBuf;

use clap::Args;
use rulec_core::episode::BoardSource;
use rulec_core::{Board, EpisodeInfo, GameInfo};
use rulec_search::episode::boards::Boards;
use rulec_search::episode::captive::source_of;
use rulec_search::episode::request::{Request, Source};
use rulec_search::notation::{find_move, split_moves};
use rulec_search::{AnyState, State};

use super::Error;

/// Where to begin.
#[derive(Args, Clone, Debug, Default)]
pub struct StartArgs {
    /// Begin with this position, in the text form that `moves` shows
    #[arg(long, value_name = "TEXT")]
    pub state: Option<String>,
    /// Begin on a board: a number is the seed of one that is drawn, otherwise it is a file; for games whose boards a host gives
    #[arg(
        long,
        value_name = "SEED|FILE",
        allow_negative_numbers = true,
        conflicts_with = "state"
    )]
    pub board: Option<String>,
    /// Play these moves first, separated by semicolons
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub after: Option<String>,
}

impl StartArgs {
    /// The position that is meant.
    ///
    /// # Errors
    /// When the text is no position, or a move is not legal.
    pub fn reach<'g>(&self, start: &(dyn AnyState<'g> + 'g)) -> Result<State<'g>, Error> {
        let mut state = match &self.state {
            Some(text) => start
                .read(text)
                .map_err(|e| Error::User(format!("`{text}` is no position: {e}")))?,
            None => match &self.board {
                Some(board) => on_board(start, board).map_err(Error::User)?,
                None => start.fork(),
            },
        };
        for text in split_moves(self.after.as_deref().unwrap_or("")) {
            let code = find_move(&*state, text)?;
            state.play(code, None);
        }
        Ok(state)
    }
}

/// The start on a board that a host gives.
fn on_board<'g>(start: &(dyn AnyState<'g> + 'g), text: &str) -> Result<State<'g>, String> {
    let mut board = Board::EMPTY;
    let (info, source, seed) = source_of_board(start.about(), text)?;
    Boards::new(info, source, seed)?.draw(&mut board)?;
    let begun = start.begin(&board);
    begun.ok_or_else(|| "the rules have no such board".to_owned())
}

/// Where a board comes from that a text names: a seed, or a file.
pub(super) fn source_of_board(
    game: &GameInfo,
    text: &str,
) -> Result<(&'static EpisodeInfo, BoardSource, i64), String> {
    let info = game.episode;
    let info = info.ok_or("no host gives this game its boards: it has one start")?;
    let seed = text.parse::<i64>().ok();
    let source = match seed {
        Some(_) => info.boards,
        None => {
            let request = Request {
                source: Source::Board(PathBuf::new(), text.into()),
                ..Request::default()
            };
            source_of(info, &request)?
        }
    };
    Ok((info, source, seed.unwrap_or(1)))
}
