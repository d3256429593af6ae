//! A server of a rule file, and requests to it.

#![allow(dead_code, reason = "each test uses its part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A server that is ended with this value.
pub(crate) struct Server {
    child: Child,
    /// Host and port.
    pub host: String,
}

impl Server {
    /// Serves a rule file at a free port.
    pub(crate) fn start(file: &Path, arguments: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rulec"));
        command
            .arg("serve")
            .arg(file)
            .args(["--port", "0"])
            .args(arguments);
        Server::run(command)
    }

    /// Starts a program that serves and tells its address as the last word of a line.
    ///
    /// Games are kept nowhere, unless the arguments say where.
    pub(crate) fn run(mut command: Command) -> Server {
        if !command.get_args().any(|argument| argument == "--store") {
            command.arg("--no-store");
        }
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().rsplit(' ').next().unwrap_or_default();
        let host = address
            .trim_start_matches("http://")
            .split('/')
            .next()
            .unwrap_or_default();
        assert!(host.contains(':'), "{command:?}: {line}");
        Server {
            child,
            host: host.to_owned(),
        }
    }

    /// The address of the page.
    pub(crate) fn page(&self) -> String {
        format!("http://{}/", self.host)
    }

    /// Sends bytes as they are and gives the status and the body of the answer.
    pub(crate) fn raw(&self, request: &[u8]) -> (u16, String) {
        let (status, _, body) = self.whole(request);
        (status, body)
    }

    /// Status, head and body of the answer to bytes.
    fn whole(&self, request: &[u8]) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("a limit");
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .unwrap_or(0);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (status, head.to_owned(), body.to_owned())
    }

    /// The answer to a request that is carried out, and the milliseconds that the server says it had it.
    pub(crate) fn timed(&self, path: &str) -> (Value, f64) {
        let host = &self.host;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let (status, head, body) = self.whole(request.as_bytes());
        assert_eq!(status, 200, "{path}: {body}");
        let spent = head.split_once("server-timing: total;dur=");
        let spent = spent.and_then(|(_, rest)| rest.lines().next()?.trim().parse().ok());
        let value = serde_json::from_str(&body).expect("JSON");
        (value, spent.expect("the server tells it"))
    }

    /// A request with further header lines.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            self.host,
            body.len()
        );
        self.raw(request.as_bytes())
    }

    /// The answer to a request that is carried out.
    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, body) = self.request("GET", path, "", "");
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// Status and answer of a request with a JSON body.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let kind = "Content-Type: application/json\r\n";
        let (status, body) = self.request("POST", path, kind, &body.to_string());
        (status, serde_json::from_str(&body).unwrap_or_default())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
