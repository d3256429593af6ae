//! A game compiled from its rules: see [`game`].

#![forbid(unsafe_code)]

pub mod game;
