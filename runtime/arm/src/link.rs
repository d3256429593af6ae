//! Lines that carry bytes both ways.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use crate::SharedClock;

/// A line to a controller.
pub trait Link: Send {
    /// Sends all of the bytes.
    ///
    /// # Errors
    /// When the line is gone.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Appends what has come, waiting at most so long for the first byte. Nothing may have come.
    ///
    /// # Errors
    /// When the line is gone.
    fn receive(&mut self, into: &mut Vec<u8>, wait: Duration) -> io::Result<()>;
}

impl<L: Link + ?Sized> Link for Box<L> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        (**self).send(bytes)
    }

    fn receive(&mut self, into: &mut Vec<u8>, wait: Duration) -> io::Result<()> {
        (**self).receive(into, wait)
    }
}

/// A line over anything that reads and writes, such as a serial port or a socket.
///
/// A read must come back by itself after a short while, with [`io::ErrorKind::TimedOut`] or
/// [`io::ErrorKind::WouldBlock`] if nothing came: set a read timeout of some milliseconds on it.
pub struct Stream<S> {
    stream: S,
    clock: SharedClock,
}

impl<S: Read + Write + Send> Stream<S> {
    /// A line over `stream`.
    pub fn new(stream: S, clock: SharedClock) -> Stream<S> {
        Stream { stream, clock }
    }
}

impl<S: Read + Write + Send> Link for Stream<S> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    fn receive(&mut self, into: &mut Vec<u8>, wait: Duration) -> io::Result<()> {
        let end = self.clock.now() + wait;
        let mut buffer = [0; 256];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => {
                    let gone = "the other end was closed";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, gone));
                }
                Ok(count) => {
                    into.extend_from_slice(&buffer[..count]);
                    return Ok(());
                }
                Err(error) if is_idle(error.kind()) && self.clock.now() < end => {}
                Err(error) if is_idle(error.kind()) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

fn is_idle(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// A line over TCP, such as to a serial server or a controller with a network of its own.
pub type TcpLink = Stream<TcpStream>;

impl TcpLink {
    /// Connects to `host:port` within five seconds.
    ///
    /// # Errors
    /// When nobody is there.
    pub fn connect(address: &str, clock: SharedClock) -> io::Result<TcpLink> {
        let none = || io::Error::new(io::ErrorKind::NotFound, "the address has no host");
        let target = address.to_socket_addrs()?.next().ok_or_else(none)?;
        let stream = TcpStream::connect_timeout(&target, Duration::from_secs(5))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_millis(10)))?;
        stream.set_write_timeout(Some(Duration::from_secs(1)))?;
        Ok(Stream::new(stream, clock))
    }
}
