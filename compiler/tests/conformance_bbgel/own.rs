//! Our own games: what is known of them.
