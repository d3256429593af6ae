//! The server under those who mean it harm, or are killed: bounds, and games that are kept. It only ever talks to 127.0.0.1.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::server::Server;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be there from an earlier run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn kept_in(file: &str, store: &Path) -> Server {
    let store = store.to_str().expect("a plain path");
    Server::start(&games().join(file), &["--store", store])
}

fn open(server: &Server, wish: &Value) -> String {
    let (status, told) = server.post("/api/games", wish);
    assert_eq!(status, 200, "{told}");
    told["id"].as_str().expect("a number").to_owned()
}

/// Time for what a busy machine does late.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tries until something is there.
fn patiently<T>(missing: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(Instant::now() < end, "{missing}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn refused(answer: (u16, Value), status: u16, code: &str) {
    assert_eq!(answer.0, status, "{}", answer.1);
    assert_eq!(answer.1["error"]["code"], code, "{}", answer.1);
}

#[test]
fn endless_texts_are_refused() {
    let server = Server::start(&games().join("s3/tic_tac_toe.s3"), &[]);
    let id = open(&server, &json!({}));
    let path = |action: &str| format!("/api/games/{id}/{action}");
    let long = "x".repeat(1025);
    for (action, wish) in [
        ("move", json!({ "text": long })),
        ("move", json!({ "text": "x".repeat(900_000) })),
        ("explain", json!({ "text": long })),
        ("explain", json!({ "naming": [long] })),
        ("hint", json!({ "bot": long })),
        ("seats", json!({ "bots": { long.clone(): null } })),
    ] {
        refused(server.post(&path(action), &wish), 413, "too-large");
    }
    let record = json!({ "form": "rulec-record-1", "moves": [long] });
    let answer = server.post("/api/games", &json!({ "record": record }));
    refused(answer, 413, "too-large");
    let many = json!({ "naming": vec!["0.1"; 65] });
    refused(server.post(&path("explain"), &many), 400, "bad-request");
    // What is just allowed is answered, and not quoted at its length.
    let answer = server.post(&path("move"), &json!({ "text": "x".repeat(1024) }));
    let message = answer.1["error"]["message"].as_str().unwrap_or_default();
    assert!(
        message.len() < 600 && message.contains("legal moves"),
        "{message}"
    );
    refused(answer, 422, "not-legal");
}

#[test]
fn half_sent_requests_are_closed() {
    let server = Server::start(&games().join("s3/frogs.s3"), &[]);
    let host = &server.host;
    let head = format!("POST /api/games HTTP/1.1\r\nHost: {host}\r\n");
    let body = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"se";
    let begun = [
        (String::new(), 0),
        ("GET /api/ga".to_owned(), 0),
        (head.clone(), 0),
        (format!("{head}{body}"), 408),
    ];
    let waiting = begun.map(|(text, status)| {
        let mut stream = TcpStream::connect(host).expect("the server listens");
        stream.write_all(text.as_bytes()).expect("it is sent");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        (stream, text, status)
    });
    assert_eq!(
        server.get("/api/game")["name"],
        "frogs",
        "others are served"
    );
    for (mut stream, text, status) in waiting {
        let mut answer = String::new();
        let end = stream.read_to_string(&mut answer);
        assert!(end.is_ok(), "{text:?} is not closed: {end:?}");
        let given = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        assert_eq!(given.unwrap_or(0), status, "{text:?}: {answer}");
    }
}

#[test]
fn games_are_there_after_the_server_was_killed() {
    let store = folder("kept-games");
    let server = kept_in("bbgel/crossroads.bbgel", &store);
    let wish = json!({ "seed": 3, "auto": true, "pace": 10, "bots": { "2": "uct:20" } });
    let ids = [open(&server, &wish), open(&server, &json!({ "seed": 4 }))];
    // Chance acts by itself until it is the first player's turn.
    patiently("the first player never has to decide", || {
        let moves = server.get(&format!("/api/games/{}/moves", ids[0]));
        let mine = moves["turn"]["kind"] == "decide" && moves["turn"]["players"] == json!([1]);
        let code = mine.then(|| moves["list"].get(0)).flatten()?["code"].clone();
        let wish = json!({ "code": code, "version": moves["version"] });
        let path = format!("/api/games/{}/move", ids[0]);
        (server.post(&path, &wish).0 == 200).then_some(())
    });
    let (status, _) = server.post(&format!("/api/games/{}/roll", ids[1]), &json!({}));
    assert_eq!(status, 200);
    // A move that was taken back can be made again afterwards, too.
    let second = format!("/api/games/{}", ids[1]);
    if server.post(&format!("{second}/roll"), &json!({})).0 != 200 {
        let first = server.get(&format!("{second}/moves"))["list"][0]["code"].clone();
        let made = server.post(&format!("{second}/move"), &json!({ "code": first }));
        assert_eq!(made.0, 200, "{}", made.1);
    }
    server.post(&format!("{second}/undo"), &json!({}));
    let stopped = json!({ "bots": { "2": null }, "auto": false });
    server.post(&format!("/api/games/{}/seats", ids[0]), &stopped);
    // What was thought about already is over before its result could be another one.
    let seen = |server: &Server, id: &String| server.get(&format!("/api/games/{id}"));
    let still = |server: &Server, id: &String| loop {
        let view = seen(server, id);
        std::thread::sleep(Duration::from_millis(100));
        if seen(server, id)["game"]["version"] == view["game"]["version"] {
            break view;
        }
    };
    let before = ids.each_ref().map(|id| still(&server, id));
    // It is killed, not asked to end.
    drop(server);
    let server = kept_in("bbgel/crossroads.bbgel", &store);
    let mut known = server.get("/api/games")["games"].clone();
    let mut expected = json!(ids);
    for list in [&mut known, &mut expected] {
        list.as_array_mut()
            .expect("a list")
            .sort_by_key(Value::to_string);
    }
    assert_eq!(known, expected);
    for (id, before) in ids.iter().zip(before) {
        let after = seen(&server, id);
        assert_eq!(after["position"], before["position"]);
        for key in [
            "id", "version", "ply", "moves", "bots", "auto", "pace", "seed",
        ] {
            assert_eq!(after["game"][key], before["game"][key], "{key}");
        }
        assert!(after["game"]["ply"].as_u64() > Some(0), "{after}");
    }
    let (status, _) = server.post(&format!("/api/games/{}/undo", ids[1]), &json!({}));
    assert_eq!(status, 200, "it goes on");
    // Another server of the same rules cannot have the same folder.
    let other = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["serve", "--port", "0", "--store"])
        .arg(&store)
        .arg(games().join("bbgel/crossroads.bbgel"))
        .output()
        .expect("the command runs");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("another server"));
}

/// Players of the server have names, and read what visitors' players may not.
#[test]
fn whoever_serves_a_game_offers_players_by_name() {
    let store = folder("offered-players");
    let rules = games().join("s3/tic_tac_toe.s3");
    let start = |bots: &[&str]| {
        let mut args = vec!["--store", store.to_str().expect("a plain path")];
        args.extend(bots.iter().flat_map(|bot| ["--bot", bot]));
        Server::start(&rules, &args)
    };
    let server = start(&["our best=uct:50", "mc:20"]);
    assert_eq!(
        server.get("/api/game")["bots"],
        json!(["our best", "mc:20"])
    );
    let id = open(&server, &json!({ "seed": 1, "bots": { "2": "our best" } }));
    let game = format!("/api/games/{id}");
    let hint = server.post(&format!("{game}/hint"), &json!({ "bot": "our best" }));
    assert_eq!(hint.1["bot"], "our best", "{}", hint.1);
    let moves = server.get(&format!("{game}/moves"));
    let first = json!({ "code": moves["list"][0]["code"] });
    assert_eq!(server.post(&format!("{game}/move"), &first).0, 200);
    patiently("the answer of the player", || {
        (server.get(&game)["game"]["ply"] == 2).then_some(())
    });
    for other in ["our worst", "puct:9:net=net.onnx"] {
        let wish = json!({ "bots": { "1": other } });
        refused(
            server.post(&format!("{game}/seats"), &wish),
            400,
            "bad-request",
        );
    }
    drop(server);
    let server = start(&["our best=uct:60"]);
    assert_eq!(server.get(&game)["game"]["bots"], json!([null, "our best"]));
    drop(server);
    let server = start(&[]);
    assert_eq!(
        server.get(&game)["game"]["bots"],
        json!([null, null]),
        "it left the seat"
    );
    drop(server);
    for (bots, why) in [
        (
            &["one=uct:5", "one=uct:6"][..],
            "two players are called `one`",
        ),
        (&["=uct:5"], "is empty"),
        (&["one=nobody:5"], "nobody"),
        (
            &["one=alphabeta:depth=2:eval=none.eval.json"],
            "none.eval.json",
        ),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"));
        command
            .args(["serve", "--port", "0", "--no-store"])
            .arg(&rules);
        command.args(bots.iter().flat_map(|bot| ["--bot", bot]));
        let told = command.output().expect("the command runs");
        let text = String::from_utf8_lossy(&told.stderr);
        assert!(
            told.status.code() == Some(2) && text.contains(why),
            "{bots:?}: {text}"
        );
    }
}

/// Who gives up or runs out of time has lost; both are kept, and can be taken back.
#[test]
fn games_end_beside_the_rules() {
    let store = folder("ended-games");
    let server = kept_in("bgc/chess.json", &store);
    let id = open(&server, &json!({ "seed": 1 }));
    let game = format!("/api/games/{id}");
    let post = |server: &Server, action: &str, wish: Value| {
        server.post(&format!("{game}/{action}"), &wish)
    };
    let ended = |server: &Server| server.get(&game)["game"]["ended"].clone();
    assert_eq!(post(&server, "move", json!({ "text": "4,1 4,3" })).0, 200);
    let (status, told) = post(&server, "resign", json!({}));
    assert_eq!((status, &told["winner"]), (200, &json!(1)), "{told}");
    assert_eq!(ended(&server)["text"], "white wins: black resigned.");
    refused(
        post(&server, "move", json!({ "text": "4,6 4,4" })),
        409,
        "ended",
    );
    refused(post(&server, "resign", json!({})), 409, "ended");
    let record = server.get(&format!("{game}/record"));
    assert_eq!(record["ended"]["why"], "resigned");
    let again = open(&server, &json!({ "record": record }));
    let again = server.get(&format!("/api/games/{again}"));
    assert_eq!(again["game"]["ended"]["winner"], 1);
    drop(server);
    let server = kept_in("bgc/chess.json", &store);
    assert_eq!(ended(&server)["player"], 2, "it was kept");
    assert_eq!(
        post(&server, "undo", json!({})).1["ply"],
        1,
        "the move stays"
    );
    assert_eq!(ended(&server), Value::Null);
    refused(
        post(&server, "resign", json!({ "player": 3 })),
        400,
        "bad-request",
    );
    refused(
        post(&server, "clock", json!({ "time": "long" })),
        400,
        "bad-request",
    );
    // More than the test can take, so that the clock shows more than at first after the move.
    let clock = json!({ "time": 60_000, "increment": 3_600_000 });
    assert_eq!(post(&server, "clock", clock).0, 200);
    assert_eq!(post(&server, "move", json!({ "text": "4,6 4,4" })).0, 200);
    let view = server.get(&game);
    let clock = &view["game"]["clock"];
    assert_eq!(clock["runs"], 1, "{clock}");
    assert!(clock["left"][1].as_u64() > Some(60_000), "{clock}");
    assert_eq!(post(&server, "clock", json!({ "time": 1 })).0, 200);
    patiently("a clock does not run out", || {
        (post(&server, "flag", json!({})).1["ended"] == true).then_some(())
    });
    assert_eq!(ended(&server)["text"], "black wins: white ran out of time.");
    refused(
        post(&server, "move", json!({ "text": "3,1 3,3" })),
        409,
        "ended",
    );
    post(&server, "undo", json!({}));
    assert_eq!(server.get(&game)["game"]["clock"], Value::Null);
    assert_eq!(post(&server, "move", json!({ "text": "3,1 3,3" })).0, 200);
}

/// A draw needs both players; it is kept, and can be taken back.
#[test]
fn draws_are_agreed_by_both() {
    let store = folder("agreed-games");
    let server = kept_in("bgc/chess.json", &store);
    assert_eq!(server.get("/api/game")["draws"], true);
    let id = open(&server, &json!({ "seed": 1 }));
    let game = format!("/api/games/{id}");
    let post = |action: &str, wish: Value| server.post(&format!("{game}/{action}"), &wish);
    let offer = || server.get(&game)["game"]["offer"].clone();
    refused(post("answer", json!({ "agree": true })), 409, "no-offer");
    assert_eq!(post("offer", json!({})).1["offered"], 1);
    // Who offers may move; who moves instead of answering does not agree.
    assert_eq!(post("move", json!({ "text": "4,1 4,3" })).0, 200);
    assert_eq!(offer(), 1);
    assert_eq!(post("move", json!({ "text": "4,6 4,4" })).0, 200);
    assert_eq!(offer(), Value::Null);
    post("seats", json!({ "bots": { "2": "random" } }));
    let (_, told) = post("offer", json!({}));
    assert_eq!(told["agreed"], false, "a bot that does not think");
    post("seats", json!({ "bots": { "2": "" } }));
    assert_eq!(post("offer", json!({})).1["offered"], 1);
    let (status, told) = post("offer", json!({ "player": 2 }));
    assert_eq!((status, &told["why"]), (200, &json!("agreed")), "{told}");
    refused(post("move", json!({ "text": "3,1 3,3" })), 409, "ended");
    assert_eq!(
        server.get(&format!("{game}/record"))["ended"]["why"],
        "agreed"
    );
    drop(server);
    let server = kept_in("bgc/chess.json", &store);
    let ended = &server.get(&game)["game"]["ended"];
    assert_eq!(ended["text"], "a draw: both agreed.");
    assert_eq!(ended["winner"], Value::Null);
    server.post(&format!("{game}/undo"), &json!({}));
    assert_eq!(server.get(&game)["game"]["ended"], Value::Null);
    let alone = kept_in("s3/frogs.s3", &folder("no-draws"));
    let id = open(&alone, &json!({}));
    refused(
        alone.post(&format!("/api/games/{id}/offer"), &json!({})),
        400,
        "bad-request",
    );
}

/// The only file of a game in a store.
fn file_of(store: &Path, id: &str) -> PathBuf {
    let folders = std::fs::read_dir(store).expect("it is there").flatten();
    let files = folders.map(|folder| folder.path().join(format!("{id}.json")));
    let mut files = files.filter(|file| file.is_file());
    files.next().expect("the game is kept")
}

#[test]
fn a_game_of_other_rules_is_left_alone() {
    let store = folder("kept-other");
    let file = folder("kept-rules").join("frogs.s3");
    let rules = std::fs::read_to_string(games().join("s3/frogs.s3")).expect("it is there");
    std::fs::write(&file, &rules).expect("it can be written");
    let serve = || Server::start(&file, &["--store", store.to_str().expect("a plain path")]);
    let server = serve();
    let id = open(&server, &json!({ "seed": 1 }));
    let wish = json!({ "text": "gf(3) s(3) s(4)" });
    assert_eq!(server.post(&format!("/api/games/{id}/move"), &wish).0, 200);
    drop(server);
    let kept = std::fs::read(file_of(&store, &id)).expect("it is kept");
    std::fs::write(&file, format!("{rules}\n// changed\n")).expect("it can be written");
    let server = serve();
    let (status, told) = server.request("GET", &format!("/api/games/{id}"), "", "");
    let told = serde_json::from_str(&told).expect("JSON");
    refused((status, told), 409, "other-rules");
    drop(server);
    // A file that says what the rules do not allow is no game of these rules either.
    std::fs::write(&file, &rules).expect("it can be written");
    let text = String::from_utf8(kept.clone()).expect("text");
    let forged = text.replace("gf(3) s(3) s(4)", "gf(1) s(1) s(4)");
    assert_ne!(forged, text);
    std::fs::write(file_of(&store, &id), &forged).expect("it can be written");
    let server = serve();
    let (status, _) = server.request("GET", &format!("/api/games/{id}"), "", "");
    assert_eq!(status, 409);
    let left = std::fs::read_to_string(file_of(&store, &id)).expect("it is there");
    assert_eq!(left, forged, "it is left as it was");
    drop(server);
    std::fs::write(file_of(&store, &id), kept).expect("it can be written");
    assert_eq!(serve().get(&format!("/api/games/{id}"))["game"]["ply"], 1);
}

#[test]
fn a_full_server_ends_only_games_that_nobody_touched_for_a_day() {
    let store = folder("kept-full");
    let server = kept_in("s3/frogs.s3", &store);
    let id = open(&server, &json!({ "seed": 1 }));
    drop(server);
    let file = file_of(&store, &id);
    for number in 1..1000 {
        let copy = file.with_file_name(format!("{number:012x}.json"));
        std::fs::copy(&file, copy).expect("it can be copied");
    }
    let server = kept_in("s3/frogs.s3", &store);
    refused(server.post("/api/games", &json!({})), 503, "full");
    assert_eq!(server.get(&format!("/api/games/{id}"))["game"]["ply"], 0);
    drop(server);
    for (number, hours) in [(7, 25), (8, 30), (9, 23)] {
        let copy = file.with_file_name(format!("{number:012x}.json"));
        let opened = std::fs::File::options().write(true).open(copy);
        let then = SystemTime::now() - Duration::from_secs(hours * 3600);
        let dated = opened.and_then(|file| file.set_modified(then));
        dated.expect("it can be dated back");
    }
    let server = kept_in("s3/frogs.s3", &store);
    let there = |number: u64| file.with_file_name(format!("{number:012x}.json")).exists();
    // Who looks at a game touches it.
    assert_eq!(server.get("/api/games/000000000007")["game"]["ply"], 0);
    open(&server, &json!({}));
    assert_eq!([there(7), there(8), there(9)], [true, false, true]);
    refused(server.post("/api/games", &json!({})), 503, "full");
}

#[test]
fn one_address_has_a_share_of_games_and_connections() {
    let shares = ["--most-games", "2", "--most-connections", "3"];
    let server = Server::start(&games().join("s3/frogs.s3"), &shares);
    for _ in 0..2 {
        open(&server, &json!({}));
    }
    refused(server.post("/api/games", &json!({})), 429, "too-many-games");
    // The end of those before may not have been noticed yet, so that one of these is none of the three that are let in.
    let (held, answer) = patiently("there is room for a fourth", || {
        let held = [(); 3].map(|()| TcpStream::connect(&server.host).expect("the server listens"));
        let (status, told) = server.request("GET", "/api/game", "", "");
        (status == 503).then_some((held, told))
    });
    assert!(answer.contains("too-many-connections"), "{answer}");
    drop(held);
    patiently("there is no room again", || {
        (server.request("GET", "/api/game", "", "").0 == 200).then_some(())
    });
    let described = server.get("/openapi.json");
    let text = described.to_string();
    for word in [
        "too-many-games",
        "too-many-connections",
        "1024 bytes",
        "10 seconds",
        "other-rules",
    ] {
        assert!(text.contains(word), "{word} is not described");
    }
}
