//! Connections: how many there may be, from whom, and how long they may keep the server waiting.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The most connections at once.
const MOST: usize = 512;
/// The most of those beyond, who are told so; others are closed at once.
const MOST_TOLD: usize = 32;
/// How long a request may take to arrive, head and body each, and how long an idle connection is kept.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Who may connect.
pub(crate) struct Gate {
    most_from_one: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    told: usize,
    by_address: BTreeMap<IpAddr, usize>,
}

/// A connection that is open; it counts as long as somebody holds this.
pub(crate) struct Pass {
    gate: Arc<Gate>,
    address: Option<IpAddr>,
}

/// Who sent a request.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// Held by what outlives the request, such as a WebSocket.
    pub(crate) pass: Arc<Pass>,
}

impl Gate {
    /// A gate for so many connections from one address.
    pub(crate) fn new(most_from_one: Option<usize>) -> Arc<Gate> {
        Arc::new(Gate {
            most_from_one: most_from_one.unwrap_or(MOST),
            open: Mutex::default(),
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Gate>, address: IpAddr) -> Option<Pass> {
        let mut open = self.open();
        let here = open.by_address.get(&address).copied().unwrap_or(0);
        if open.all >= MOST || here >= self.most_from_one {
            return None;
        }
        open.all += 1;
        open.by_address.insert(address, here + 1);
        Some(Pass {
            gate: Arc::clone(self),
            address: Some(address),
        })
    }

    /// For somebody who is told that there is no room.
    fn turn_away(self: &Arc<Gate>) -> Option<Pass> {
        let mut open = self.open();
        if open.told >= MOST_TOLD {
            return None;
        }
        open.told += 1;
        Some(Pass {
            gate: Arc::clone(self),
            address: None,
        })
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut open = self.gate.open();
        let Some(address) = self.address else {
            open.told -= 1;
            return;
        };
        open.all -= 1;
        if let Some(count) = open.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

/// The address that counts: of IPv6 the network, as one who has any of its addresses has all.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => {
            let [a, b, c, d, ..] = long.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        short => short,
    }
}

/// Answers whoever connects, for ever.
pub(crate) async fn serve(listener: TcpListener, router: Router, gate: Arc<Gate>) {
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                if !is_theirs(&error) {
                    // Out of files, for instance: some will be free again.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                continue;
            }
        };
        let address = counted(from.ip());
        match gate.enter(address) {
            Some(pass) => {
                let client = Client {
                    address,
                    pass: Arc::new(pass),
                };
                tokio::spawn(converse(stream, router.clone(), client));
            }
            None => {
                if let Some(pass) = gate.turn_away() {
                    tokio::spawn(turn_away(stream, pass));
                }
            }
        }
    }
}

/// Whether an error concerns only the connection that was about to be made.
fn is_theirs(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

async fn converse(stream: TcpStream, router: Router, client: Client) {
    // Without it answers are only slower.
    let _ = stream.set_nodelay(true);
    let service = Named {
        router: TowerToHyperService::new(router),
        client,
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // A connection that breaks off concerns nobody else.
    let _ = connection.await;
}

/// Says that there is no room, and waits a moment so that it can be read.
async fn turn_away(mut stream: TcpStream, _pass: Pass) {
    const BODY: &str = "{\"error\":{\"code\":\"too-many-connections\",\"message\":\"too many connections are open, from \
                        your address or at all: close some, or come back later\"}}";
    let told = async {
        let answer = format!(
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{BODY}",
            BODY.len()
        );
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    // Whoever does not listen is not told.
    let _ = tokio::time::timeout(Duration::from_millis(500), told).await;
}

/// The router, which is told who asks.
struct Named {
    router: TowerToHyperService<Router>,
    client: Client,
}

impl Service<Request<Incoming>> for Named {
    type Response = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.client.clone());
        self.router.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_only_its_share() {
        let gate = Gate::new(Some(2));
        let address = |text: &str| counted(text.parse().expect("an address"));
        let (one, other) = (address("2001:db8::1"), address("2001:db8:1::1"));
        assert_eq!(one, address("2001:db8::ffff:2"), "one network");
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
        let held = [gate.enter(one), gate.enter(one)];
        assert!(held.iter().all(Option::is_some));
        assert!(gate.enter(one).is_none());
        assert!(gate.enter(other).is_some(), "others have theirs");
        drop(held);
        assert!(gate.enter(one).is_some());
        assert!(gate.open().by_address.is_empty() && gate.open().all == 0);
        let told: Vec<_> = (0..MOST_TOLD + 1).map(|_| gate.turn_away()).collect();
        assert_eq!(told.iter().flatten().count(), MOST_TOLD);
    }
}
