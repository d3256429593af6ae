//! Clients that behave badly.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::{own, rulec};

#[test]
fn a_client_that_sends_garbage_gets_an_answer() {
    let rules = own("around.txt").display().to_string();
    let args = ["captive", "seed=1", "output=BRIEF", &rules, "5"].map(str::to_owned);
    let mut input = b"MOVE\xff\xfe 1\n\x00\x01\nMOVE \"\nMOVE 1 2 3 4 5\nMOVE 99999999999999999999 1\n(((\nMODE 3\nCOND 5\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\nMOVE 0 0\nmove 1");
    let output = rulec(&args, &input);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = String::from_utf8(output.stdout).expect("it is text");
    let codes: Vec<&str> = found
        .lines()
        .filter(|line| !line.starts_with(['#', '{']))
        .collect();
    let expected = [
        "6 0 0", "-2 0 0", "-1 0 0", "-2 0 0", "-2 0 0", "-10 0 0", "-1 0 0", "-2 0 0", "-2 0 0",
        "-1 0 0", "0 0 1", "-2 0 1",
    ];
    assert_eq!(codes, expected, "{found}");
}

/// A server at a socket, stopped when it goes.
struct Server {
    child: std::process::Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let rules = own("around.txt");
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["captive", "listen=127.0.0.1:0", "seed=3"])
            .arg(rules)
            .arg("5")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where");
        let address = line
            .trim()
            .rsplit(' ')
            .next()
            .expect("an address")
            .to_owned();
        Server { child, address }
    }

    fn client(&self, line: &str) -> (TcpStream, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(line.as_bytes()).expect("it reads");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        (stream, reader)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn clients_of_a_socket_do_not_disturb_each_other() {
    let server = Server::start();
    let line = |reader: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        line.trim_end().to_owned()
    };
    let (mut good, mut answers) = server.client("GAME 5 output=BRIEF\n");
    assert_eq!(line(&mut answers), "6 0 0");
    line(&mut answers);
    line(&mut answers);
    // Garbage, a client that leaves at once, one that leaves in the middle of a line.
    let (_, mut refused) = server.client("HELLO\n");
    assert_eq!(line(&mut refused), "-1 0 0");
    drop(server.client("GAME 5\n"));
    drop(server.client("GAME 5\nMOVE 1"));
    let (_, mut wrong) = server.client("GAME 99 99 99\n");
    assert_eq!(line(&mut wrong), "-5 0 0");
    let (_, mut other) = server.client("GAME 5\n");
    assert_eq!(line(&mut other), "6 0 0");
    good.write_all(b"MOVE 0 0\nMOVE 99 0\nEXIT\n")
        .expect("it reads");
    let rest: Vec<String> = (0..6).map(|_| line(&mut answers)).collect();
    assert_eq!(
        rest,
        ["0 0 1", "# null", "-10 0 1", "# null", "5 0 1", "# Goodbye"]
    );
}

/// The status lines of answers.
fn statuses(told: &str) -> Vec<&str> {
    let lines = told.lines();
    lines.filter(|line| !line.starts_with(['#', '{'])).collect()
}

/// What a client of a socket is told until the server closes, after it sent this and closed its side.
fn told_to(server: &Server, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(&server.address).expect("it listens");
    stream.write_all(bytes).expect("it reads");
    stream
        .shutdown(std::net::Shutdown::Write)
        .expect("it is open");
    let mut told = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut told).expect("it answers");
    String::from_utf8(told).expect("it is text")
}

#[test]
fn a_client_of_the_standard_streams_may_leave_in_the_middle() {
    let rules = own("around.txt").display().to_string();
    let args = ["captive", "seed=1", "output=BRIEF", &rules, "5"].map(str::to_owned);
    // Nothing at all, half a word, half a move, a line without an end that is too long.
    let endless = vec![b'M'; 300_000];
    for (input, expected) in [
        (&b""[..], &["6 0 0"][..]),
        (b"MOV", &["6 0 0", "-1 0 0"]),
        (b"MOVE 0", &["6 0 0", "-2 0 0"]),
        (b"MOVE 0 0\r\nMOVE 1 1", &["6 0 0", "0 0 1", "0 0 2"]),
        (&endless, &["6 0 0", "-1 0 0"]),
        (b"\n\n\t \n# MOVE 0 0\n", &["6 0 0", "-1 0 0"]),
    ] {
        let output = rulec(&args, input);
        assert!(output.status.success());
        let told = String::from_utf8(output.stdout).expect("it is text");
        assert_eq!(statuses(&told)[..expected.len()], *expected, "{told}");
    }
}

#[test]
fn a_client_of_a_socket_that_sends_garbage_disturbs_nobody() {
    let server = Server::start();
    let (mut good, mut answers) = server.client("GAME 5 output=BRIEF seed=1\n");
    let mut line = || {
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        line.trim_end().to_owned()
    };
    assert_eq!(line(), "6 0 0");
    line();
    line();
    let mut huge = b"GAME 5 output=BRIEF\n".to_vec();
    huge.extend(vec![b'z'; 1 << 20]);
    huge.extend(b"\nMOVE \xff\xfe \x00\nMOVE 0 0\n");
    let told = told_to(&server, &huge);
    assert_eq!(
        statuses(&told),
        ["6 0 0", "-1 0 0", "-2 0 0", "0 0 1"],
        "{told}"
    );
    assert_eq!(
        statuses(&told_to(&server, &vec![b'q'; 1 << 20])),
        ["-1 0 0"]
    );
    assert_eq!(statuses(&told_to(&server, b"\x00\xff\n")), ["-1 0 0"]);
    assert_eq!(statuses(&told_to(&server, b"")), ["-1 0 0"]);
    assert_eq!(statuses(&told_to(&server, b"GAME nonsense\n")), ["-2 0 0"]);
    // One that says nothing and keeps its line, and one that goes without reading its answers.
    let _silent = TcpStream::connect(&server.address).expect("it listens");
    let mut deaf = TcpStream::connect(&server.address).expect("it listens");
    deaf.write_all(b"GAME 5\nDISPLAY\nDISPLAY\n")
        .expect("it reads");
    drop(deaf);
    good.write_all(b"MOVE 0 0\n").expect("it reads");
    assert_eq!(line(), "0 0 1");
}
