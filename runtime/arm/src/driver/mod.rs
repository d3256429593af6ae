//! Drivers: one file for each family of controllers.

pub(crate) mod gcode;
pub(crate) mod ssc32;
pub mod sts;
