//! Games in episodes ([`EpisodeInfo`](rulec_core::EpisodeInfo)): boards, attempts, the captive server, learners, analysis.

#[cfg(feature = "programs")]
pub mod analyse;
pub mod attempts;
pub mod boards;
#[cfg(feature = "programs")]
pub mod captive;
#[cfg(feature = "programs")]
pub mod host;
pub mod java;
#[cfg(feature = "programs")]
pub mod learn;
#[cfg(feature = "programs")]
pub mod log;
#[cfg(feature = "programs")]
pub mod request;
#[cfg(feature = "programs")]
pub mod scheme;
#[cfg(feature = "programs")]
pub mod session;
#[cfg(feature = "programs")]
pub mod show;
#[cfg(feature = "programs")]
mod words;
