//! The operations, and the blocks that each takes and fills.
//!
//! Numbers are little-endian and of the width that is told; a block of none is not wanted. `n` is the number of games of a batch,
//! `p` of players, `m` of moves, `c` of cells.
//!
//! | operation | takes | fills | gives |
//! |---|---|---|---|
//! | **a game** | | | |
//! | [`DESCRIBE`] | | | a document in JSON as text |
//! | [`MOVE_TEXTS`] | | | the texts of the moves by index, an array in JSON as text |
//! | [`BATCH`] | settings in JSON | | a batch |
//! | [`SELFPLAY`] | settings in JSON | | games in flight |
//! | **a batch** | | | |
//! | [`RESET`] | `u32` numbers of games, none for all; `u64` a seed, or none | | |
//! | [`STEP`] | `i32[n]` moves, -1 where a game stays as it is; two bytes, see [`kinds`](crate::Kinds) | `f32[n, p]` rewards, `u8[n]` over, `u8[n]` stopped, and what [`WATCH`] fills, then what a network saw of the games that are over | how many games ran into a fault |
//! | [`WATCH`] | two bytes | `i8[n]` who is to move, masks, `c` cells for each game | |
//! | [`SAMPLE`] | | `i32[n]` random legal moves, -1 where there is none | |
//! | [`LEGAL`] | `u32` game | | `i32` legal moves as text |
//! | [`TEXT`], [`READ`] | `u32` game, and the text to read | | the position as text |
//! | [`KEY`] | | `u64[n]` | |
//! | [`MOVE_TEXT`] | `u32` game, `u32` move | | the text of the move there |
//! | [`MOVE_OF`] | `u32` game, a text | | the index of the move of that text |
//! | [`STATUS`] | `u32` game | | a document in JSON as text |
//! | [`RESULTS`] | `u32` game | | the results of the draw that is due, in JSON as text |
//! | [`APPEARANCE`] | `u32` game | | `i64` what pictures show, as text |
//! | [`COPY`] | | | a batch |
//! | [`PLAYOUTS`] | `u32` game, `u32` games, `u32` most plies | `f64[p]` mean payoffs | |
//! | [`FAULT`] | | | what went wrong in the last step, as text |
//! | **games in flight** | | | |
//! | [`GATHER`] | one byte: 1 for `f32` cells, 2 for `u8`, 3 for `i8` | rows of `c` cells, `u8[rows, m]` masks | how many rows there are to judge; none when all games are over |
//! | [`SCATTER`] | `f32[rows, m]` logits, `f32[rows, 1]` or `f32[rows, p]` payoffs from 0 to 1 | | |
//! | [`TAKE`] | | | games that are over, each a line of JSON, in the order of their numbers; of the cells of a sample those that are not 0, each after its number |

/// What the game is.
pub const DESCRIBE: u32 = 1;
/// How moves are written.
pub const MOVE_TEXTS: u32 = 2;
/// Makes a batch of positions.
pub const BATCH: u32 = 3;
/// Begins self-play.
pub const SELFPLAY: u32 = 4;
/// Begins games anew.
pub const RESET: u32 = 16;
/// Plays a move in every game.
pub const STEP: u32 = 17;
/// Looks at every game.
pub const WATCH: u32 = 18;
/// Draws a move for every game.
pub const SAMPLE: u32 = 19;
/// The legal moves of a game.
pub const LEGAL: u32 = 20;
/// A position as text.
pub const TEXT: u32 = 21;
/// Sets a position up.
pub const READ: u32 = 22;
/// Keys of all positions.
pub const KEY: u32 = 23;
/// The text of a move.
pub const MOVE_TEXT: u32 = 24;
/// The move of a text.
pub const MOVE_OF: u32 = 25;
/// Who is to move, or how it ended.
pub const STATUS: u32 = 26;
/// The results of a draw.
pub const RESULTS: u32 = 27;
/// What pictures show.
pub const APPEARANCE: u32 = 28;
/// Copies a batch.
pub const COPY: u32 = 29;
/// Plays random games from a position.
pub const PLAYOUTS: u32 = 30;
/// The first fault of the last step, in words.
pub const FAULT: u32 = 31;
/// Collects positions that a network is to judge.
pub const GATHER: u32 = 48;
/// Takes what the network says of them.
pub const SCATTER: u32 = 49;
/// Takes finished games.
pub const TAKE: u32 = 50;
