//! Who may ask: the token, the host that was meant, the page that asks.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Uri, header};

use crate::problem::Problem;

/// What requests must show.
#[derive(Clone, Debug)]
pub struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

impl Guard {
    /// A guard of a server at an address. Without a token, requests must mean this machine by name, so that pages of
    /// other sites cannot reach it by giving their own name its address.
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token }
    }

    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let text =
            |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if self.token.is_none() && !self.is_own(host) {
            return Err(Problem::new(
                403,
                "foreign-host",
                format!(
                    "`{host}` is not a name of this machine: use http://{}/",
                    self.address
                ),
            ));
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let own = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"));
            if own.is_none_or(|own| !own.eq_ignore_ascii_case(host)) {
                return Err(Problem::new(
                    403,
                    "foreign-origin",
                    format!("pages of `{origin}` may not ask here"),
                ));
            }
        }
        let Some(token) = &self.token else {
            return Ok(());
        };
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let query = uri.query().unwrap_or_default();
        let asked = query
            .split('&')
            .find_map(|part| part.strip_prefix("token="));
        let shown = [bearer, asked]
            .into_iter()
            .flatten()
            .any(|shown| same(shown, token));
        match shown {
            true => Ok(()),
            false => Err(Problem::new(
                401,
                "no-token",
                "show the token: `?token=...` in the address, or the header `Authorization: Bearer ...`",
            )),
        }
    }

    /// Whether a host that a request means is this server, by a name that only this machine has.
    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let names = [
            format!("127.0.0.1:{port}"),
            format!("localhost:{port}"),
            format!("[::1]:{port}"),
            self.address.to_string(),
        ];
        names.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |all, (x, y)| all | (x ^ y))
            == 0
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn status_of(guard: &Guard, uri: &str, headers: &[(header::HeaderName, &'static str)]) -> u16 {
        let uri: Uri = uri.parse().expect("an address");
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name.clone(), HeaderValue::from_static(value));
        }
        guard
            .check(&uri, &map)
            .map_or_else(|problem| problem.status, |()| 200)
    }

    #[test]
    fn only_this_machine_and_its_own_page_may_ask() {
        let guard = Guard::new("127.0.0.1:99".parse().expect("an address"), None);
        for (host, origin, status) in [
            ("127.0.0.1:99", None, 200),
            ("localhost:99", Some("http://localhost:99"), 200),
            ("localhost:98", None, 403),
            ("evil.example:99", None, 403),
            ("127.0.0.1:99", Some("http://evil.example"), 403),
            ("127.0.0.1:99", Some("http://127.0.0.1:98"), 403),
            ("127.0.0.1:99", Some("null"), 403),
        ] {
            let mut headers = vec![(header::HOST, host)];
            headers.extend(origin.map(|origin| (header::ORIGIN, origin)));
            assert_eq!(
                status_of(&guard, "/", &headers),
                status,
                "{host} {origin:?}"
            );
        }
    }

    #[test]
    fn a_token_must_be_shown() {
        let guard = Guard::new(
            "0.0.0.0:99".parse().expect("an address"),
            Some("secret1".to_owned()),
        );
        let host = (header::HOST, "board.example:99");
        for (uri, token, status) in [
            ("/", None, 401),
            ("/?token=secret1", None, 200),
            ("/?token=secret2", None, 401),
            ("/?token=secret", None, 401),
            ("/", Some("Bearer secret1"), 200),
            ("/", Some("secret1"), 401),
        ] {
            let mut headers = vec![host.clone()];
            headers.extend(token.map(|token| (header::AUTHORIZATION, token)));
            assert_eq!(status_of(&guard, uri, &headers), status, "{uri} {token:?}");
        }
    }
}
