//! Games in episodes ([`EpisodeInfo`](rulec_core::EpisodeInfo)): boards, attempts, the captive server, learners, analysis.

pub mod analyse;
pub mod attempts;
pub mod boards;
pub mod captive;
pub mod host;
pub mod java;
pub mod learn;
pub mod log;
pub mod request;
pub mod scheme;
pub mod session;
pub mod show;
mod words;
