//! Colours of terminals.

/// Background colours of players and of others, of the 256 of terminals.
pub(super) const PAPER: [u8; 8] = [255, 236, 130, 31, 29, 179, 96, 244];
pub(super) const INK: [u8; 8] = [16, 255, 16, 255, 255, 16, 255, 16];

/// A word on the colour of a player.
pub(super) fn owned(word: &str, seat: usize, colours: bool) -> String {
    let (paper, ink) = (PAPER[seat % 8], INK[seat % 8]);
    match colours {
        true => format!("\x1b[48;5;{paper};38;5;{ink}m {word} \x1b[0m"),
        false => word.to_owned(),
    }
}
