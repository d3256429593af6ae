//! Serial lines to robot arms, through the crate `serialport` without libudev.
//!
//! This is a crate of its own so that no plain game contains code for serial ports.

use std::io;
use std::time::Duration;

use rulec_arm::{Link, SharedClock, Stream};

/// Speeds that arms talk at unless told otherwise, in bits a second.
pub mod baud {
    /// SSC-32, uArm, Mirobot, GRBL.
    pub const COMMON: u32 = 115_200;
    /// Feetech bus servos.
    pub const FEETECH: u32 = 1_000_000;
}

/// How long a read waits for the first byte.
const READ: Duration = Duration::from_millis(10);

/// A line over the serial port of this name, with 8 data bits, 1 stop bit, no parity and no flow control.
///
/// # Errors
/// When there is no such port, or somebody else uses it.
pub fn open(name: &str, baud: u32, clock: SharedClock) -> io::Result<impl Link + use<>> {
    let port = serialport::new(name, baud).timeout(READ).open_native();
    let port = port.map_err(|error| explained(name, &error))?;
    Ok(Stream::new(port, clock))
}

fn explained(name: &str, error: &serialport::Error) -> io::Error {
    let kind = match error.kind() {
        serialport::ErrorKind::NoDevice => io::ErrorKind::NotFound,
        serialport::ErrorKind::Io(kind) => kind,
        _ => io::ErrorKind::Other,
    };
    let known = match ports().join(", ") {
        none if none.is_empty() => "there is no serial port".to_owned(),
        some => format!("there are {some}"),
    };
    io::Error::new(kind, format!("cannot open {name}: {error}; {known}"))
}

/// Names of the serial ports of this machine.
pub fn ports() -> Vec<String> {
    let ports = serialport::available_ports().unwrap_or_default();
    ports.into_iter().map(|port| port.port_name).collect()
}
