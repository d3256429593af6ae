//! The server: requests that make no sense or may not be made, and many games at once. It only ever talks to 127.0.0.1.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::Server;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn code(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    value["error"]["code"].as_str().unwrap_or(body).to_owned()
}

/// Rules, a score sheet, the names of its moves here, and what the sheet that is written has in it.
const SHEETS: [(&str, &str, &str, &str); 4] = [
    (
        "bgc/chess.json",
        "1. a4 b5 2. axb5 h6 3. b6 h5 4. bxa7 h4 5. axb8=Q *",
        "axb8=Q",
        "axb8=Q",
    ),
    (
        "bgc/chess.json",
        "[Event \"Opera\"]\n\n1. e4 e5 2. Nf3 d6 {Philidor} 3.d4 Bg4 (3... exd4 4. Nxd4) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7\n\
         8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0",
        "Rd8#",
        "[Result \"1-0\"]",
    ),
    (
        "bgc/english_draughts.json",
        "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 *",
        "20x11",
        "16x23 27x18",
    ),
    (
        "bgc/international_draughts.json",
        "1. 32-28 18-23 2. 38-32 12-18 3. 31-27 *",
        "31-27",
        "1. 32-28 18-23 2. 38-32",
    ),
];

#[test]
fn games_are_read_from_score_sheets_and_written_to_them() {
    for (file, sheet, last, written) in SHEETS {
        let server = Server::start(&games().join(file), &[]);
        let (status, made) = server.post("/api/games", &json!({ "sheet": sheet }));
        assert_eq!(status, 200, "{file}: {made}");
        let id = made["id"].as_str().expect("a game");
        let view = server.get(&format!("/api/games/{id}"));
        let moves = view["game"]["moves"].as_array().expect("moves");
        assert_eq!(moves.last().expect("a move")["name"], last, "{file}");
        let (_, text) = server.request("GET", &format!("/api/games/{id}/sheet"), "", "");
        assert!(text.contains(written), "{file}: {text}");
        // What was written is read again.
        let (status, again) = server.post("/api/games", &json!({ "sheet": text }));
        assert_eq!(status, 200, "{file}: {again}");
        let again = again["id"].as_str().expect("a game");
        let other = server.get(&format!("/api/games/{again}"));
        assert_eq!(
            other["position"]["text"], view["position"]["text"],
            "{file}"
        );
        let (status, wrong) = server.post("/api/games", &json!({ "sheet": "1. Zz9" }));
        assert_eq!(
            (status, code(&wrong.to_string())),
            (422, "not-legal".to_owned())
        );
    }
    let server = Server::start(&games().join("s3/reversi.s3"), &[]);
    let (status, _) = server.post("/api/games", &json!({ "sheet": "1. d3" }));
    assert_eq!(status, 400);
}

#[test]
fn what_may_not_be_asked_is_refused_with_a_reason() {
    let server = Server::start(&games().join("s3/tic_tac_toe.s3"), &[]);
    let id = server.post("/api/games", &json!({ "seed": 1 })).1["id"]
        .as_str()
        .expect("a game")
        .to_owned();
    let game = format!("/api/games/{id}");
    let json_type = "Content-Type: application/json\r\n";
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(2 << 20));
    for (method, path, headers, body, status, word) in [
        ("GET", "/../../etc/passwd", "", "", 404, "not-found"),
        (
            "GET",
            "/picture/../../../etc/passwd",
            "",
            "",
            404,
            "not-found",
        ),
        (
            "GET",
            "/picture/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
            "",
            "",
            404,
            "no-such-picture",
        ),
        ("GET", "/picture/0", "", "", 404, "no-such-picture"),
        ("GET", "/tic_tac_toe.s3", "", "", 404, "not-found"),
        ("GET", "//etc/passwd", "", "", 404, "not-found"),
        ("GET", "/api/games/none", "", "", 404, "no-such-game"),
        ("DELETE", game.as_str(), "", "", 405, "wrong-method"),
        (
            "GET",
            game.as_str(),
            "Origin: http://evil.example\r\n",
            "",
            403,
            "foreign-origin",
        ),
        (
            "GET",
            &format!("{game}/ws"),
            "Origin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
            "",
            403,
            "foreign-origin",
        ),
        (
            "POST",
            &format!("{game}/move"),
            "Content-Type: text/plain\r\n",
            "{}",
            415,
            "not-json",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            "{",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            "[1]",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            "\u{0}\u{1}",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            "{}",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            "{\"text\":\"no move\"}",
            422,
            "not-legal",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            "{\"code\":\"99999999\"}",
            422,
            "not-legal",
        ),
        (
            "POST",
            &format!("{game}/move"),
            json_type,
            &large,
            413,
            "too-large",
        ),
        (
            "POST",
            &format!("{game}/fly"),
            json_type,
            "{}",
            404,
            "no-such-action",
        ),
        (
            "POST",
            &format!("{game}/goto"),
            json_type,
            "{\"ply\":-1}",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/seats"),
            json_type,
            "{\"bots\":{\"9\":\"random\"}}",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/seats"),
            json_type,
            "{\"bots\":{\"1\":\"uct:1e30\"}}",
            400,
            "bad-request",
        ),
        (
            "POST",
            &format!("{game}/roll"),
            json_type,
            "{}",
            409,
            "no-draw",
        ),
        (
            "POST",
            "/api/games",
            json_type,
            "{\"record\":{\"form\":\"other\"}}",
            400,
            "bad-request",
        ),
        (
            "POST",
            "/api/games",
            json_type,
            "{\"seed\":-1}",
            400,
            "bad-request",
        ),
    ] {
        let (given, text) = server.request(method, path, headers, body);
        assert_eq!(
            (given, code(&text).as_str()),
            (status, word),
            "{method} {path} {headers}"
        );
    }
    let (status, text) =
        server.raw(b"GET /api/game HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!((status, code(&text).as_str()), (403, "foreign-host"));
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01"[..],
        b"GET\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ] {
        let (status, _) = server.raw(garbage);
        assert!(
            matches!(status, 0 | 400 | 403 | 505),
            "{garbage:?}: {status}"
        );
    }
    // It still works.
    assert_eq!(
        server.get("/api/game")["name"].as_str(),
        Some("tic_tac_toe")
    );
    let described = server.get("/openapi.json");
    assert!(described["paths"]["/api/games/{id}/moves"].is_object());
}

#[test]
fn the_token_is_needed_where_others_can_connect() {
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["serve", "--address", "0.0.0.0", "--port", "0"])
        .arg(games().join("s3/frogs.s3"))
        .output()
        .expect("the command runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--token"));
    let server = Server::start(&games().join("s3/frogs.s3"), &["--token", "secret1"]);
    let (status, text) = server.request("GET", "/api/game", "", "");
    assert_eq!((status, code(&text).as_str()), (401, "no-token"));
    let shown = "Authorization: Bearer secret1\r\n";
    assert_eq!(server.request("GET", "/api/game", shown, "").0, 200);
    assert_eq!(server.request("GET", "/?token=secret1", "", "").0, 200);
}

#[test]
fn whom_a_draw_is_for_is_told() {
    let server = Server::start(&games().join("bbgel/ladders.bbgel"), &[]);
    let (_, made) = server.post("/api/games", &json!({}));
    let game = format!("/api/games/{}", made["id"].as_str().expect("a game"));
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(server.get(&game)["position"]["drawing"].clone());
        server.post(&format!("{game}/roll"), &json!({}));
    }
    assert_eq!(seen[0], 1);
    assert!(seen.contains(&json!(2)), "{seen:?}");
    let view = server.get(&game);
    let moves = view["game"]["moves"].as_array().expect("moves");
    let told: Vec<&Value> = moves.iter().map(|made| &made["drawing"]).collect();
    assert_eq!(told, seen.iter().collect::<Vec<_>>());
}

#[test]
fn a_draw_names_the_thing_that_is_drawn() {
    let server = Server::start(&games().join("bgm/discard.bgm"), &[]);
    for seed in 0..8 {
        let (_, made) = server.post("/api/games", &json!({ "seed": seed }));
        let game = format!("/api/games/{}", made["id"].as_str().expect("a game"));
        let deal = server.get(&format!("{game}/moves"))["list"][0]["code"].clone();
        server.post(&format!("{game}/move"), &json!({ "code": deal }));
        for _ in 0..3 {
            server.post(&format!("{game}/roll"), &json!({}));
            let last = server.get(&game)["game"]["last"].clone();
            let spots = last["spots"].as_array().expect("places");
            assert_eq!(spots.len(), 1, "{last}");
        }
    }
}

#[test]
fn taking_back_goes_to_the_last_own_decision() {
    let server = Server::start(&games().join("bgm/tic_tac_toe.bgm"), &[]);
    let (_, made) = server.post("/api/games", &json!({}));
    let game = format!("/api/games/{}", made["id"].as_str().expect("a game"));
    let ply = || server.get(&game)["game"]["ply"].as_u64();
    for _ in 0..3 {
        let first = server.get(&format!("{game}/moves"))["list"][0]["code"].clone();
        let (status, told) = server.post(&format!("{game}/move"), &json!({ "code": first }));
        assert_eq!(status, 200, "{told}");
    }
    // A move that was meant for what was shown before is refused.
    let list = server.get(&format!("{game}/moves"));
    let late = list["version"].as_u64().map(|version| version - 1);
    let wish = json!({ "code": list["list"][0]["code"], "version": late });
    assert_eq!(server.post(&format!("{game}/move"), &wish).0, 409);
    assert_eq!(ply(), Some(3));
    for expected in [2, 1, 0] {
        server.post(&format!("{game}/undo"), &json!({}));
        assert_eq!(ply(), Some(expected));
    }
    assert_eq!(server.post(&format!("{game}/undo"), &json!({})).0, 409);
    server.post(&format!("{game}/redo"), &json!({}));
    assert_eq!(ply(), Some(1));
}

#[test]
fn what_takes_a_piece_off_the_board_has_an_x_and_is_read_back() {
    let server = Server::start(&games().join("s3/nine_mens_morris.s3"), &[]);
    let begin = |wish: &Value| {
        let made = server.post("/api/games", wish).1;
        format!("/api/games/{}", made["id"].as_str().expect("a game"))
    };
    let names = |game: &str| -> Vec<String> {
        let view = server.get(game);
        let moves = view["game"]["moves"].as_array().expect("moves");
        let names = moves.iter().map(|mv| mv["name"].as_str().expect("a name"));
        names.map(str::to_owned).collect()
    };
    let game = begin(&json!({ "seed": 1 }));
    for mv in [
        "man(1,1) tray(1,1) p(1,1)",
        "man(2,1) tray(2,1) p(2,1)",
        "man(1,2) tray(1,2) p(1,2)",
        "man(2,2) tray(2,2) p(2,2)",
        "man(1,3) tray(1,3) p(1,3)",
        // A mill: a man of the other side goes.
        "man(2,1) p(2,1) box(2,1)",
    ] {
        let (status, answer) = server.post(&format!("{game}/move"), &json!({ "text": mv }));
        assert_eq!(status, 200, "{mv}: {answer}");
    }
    assert_eq!(names(&game), ["a7", "b6", "d7", "d6", "g7", "xb6"]);
    let record = server.get(&format!("{game}/record"));
    let again = begin(&json!({ "record": record }));
    assert_eq!(names(&again), names(&game));
}

/// Rules, and the drawings that stand for the players.
const CHIPS: [(&str, &[&str]); 4] = [
    ("s3/river_crossing.s3", &["person-blue"]),
    ("s3/frogs.s3", &["person-white"]),
    ("s3/fox_and_hounds.s3", &["fox-white", "hound-black"]),
    ("bgm/tic_tac_toe.bgm", &["saltire-red", "ring-blue"]),
];

#[test]
fn the_piece_of_a_players_name_stands_for_the_player() {
    for (file, chips) in CHIPS {
        let server = Server::start(&games().join(file), &[]);
        assert_eq!(server.get("/api/game")["chips"], json!(chips), "{file}");
    }
}

#[test]
fn records_are_saved_and_loaded_and_undone() {
    let server = Server::start(&games().join("bbgel/crossroads.bbgel"), &[]);
    let new = |wish: &Value| {
        server.post("/api/games", wish).1["id"]
            .as_str()
            .expect("a game")
            .to_owned()
    };
    let id = new(&json!({ "seed": 3, "auto": true, "bots": { "1": "random", "2": "random" } }));
    let path = format!("/api/games/{id}");
    let end = Instant::now() + Duration::from_secs(300);
    let over = loop {
        let view = server.get(&path);
        if view["position"]["turn"]["kind"] == "over" {
            break view;
        }
        assert!(Instant::now() < end, "{view}");
        std::thread::sleep(Duration::from_millis(20));
    };
    let record = server.get(&format!("{path}/record"));
    let again = new(&json!({ "record": record }));
    let view = server.get(&format!("/api/games/{again}"));
    assert_eq!(view["position"]["text"], over["position"]["text"]);
    assert_eq!(view["game"]["ply"], over["game"]["ply"]);
    let (status, _) = server.post(&format!("/api/games/{again}/undo"), &json!({}));
    assert_eq!(status, 200);
    let back = server.get(&format!("/api/games/{again}"));
    assert!(back["game"]["ply"].as_u64() < view["game"]["ply"].as_u64());
    let (status, heat) = server.post(&format!("/api/games/{again}/heat"), &json!({ "games": 5 }));
    assert_eq!((status, heat["games"].as_u64()), (200, Some(5)), "{heat}");
}

#[test]
fn a_compiled_game_shows_what_the_interpreter_shows() {
    let file = games().join("s3/frogs.s3");
    let program = std::env::temp_dir().join(format!("rulec-frogs-{}", std::process::id()));
    let built = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["build", "--serve", "-o"])
        .args([&program, &file])
        .output()
        .expect("the command runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let mut command = std::process::Command::new(&program);
    command.args(["serve", "--port", "0"]);
    let servers = [Server::run(command), Server::start(&file, &[])];
    let shown = servers.each_ref().map(|server| {
        let id = server.post("/api/games", &json!({ "seed": 1 })).1["id"]
            .as_str()
            .expect("a game")
            .to_owned();
        let path = format!("/api/games/{id}");
        for text in ["gf(3) s(3) s(4)", "rf(1) s(5) s(3)"] {
            let (status, told) = server.post(&format!("{path}/move"), &json!({ "text": text }));
            assert_eq!(status, 200, "{told}");
        }
        let view = server.get(&path);
        let moves = view["position"]["moves"]["list"].as_array().expect("moves");
        let mut moves: Vec<String> = moves
            .iter()
            .map(|mv| format!("{} {}", mv["text"], mv["spots"]))
            .collect();
        moves.sort();
        (view["position"]["svg"].clone(), moves)
    });
    assert_eq!(shown[0], shown[1]);
    let wish = json!({ "text": "gf(1) s(1) s(2)" });
    let [compiled, interpreted] = servers.each_ref().map(|server| reason(server, &wish));
    assert_eq!([compiled.0, interpreted.0], [501, 200]);
    let how = compiled.1["error"]["message"].as_str().unwrap_or_default();
    assert!(how.contains("rulec explain RULE_FILE --state '"), "{how}");
    // On the terminal they are drawn alike, too; the order of moves is the engine's own.
    let drawn = |mut command: std::process::Command| {
        let mut child = command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("its input");
        input
            .write_all(b"gf(3) s(3) s(4)\nundo\nredo\n")
            .expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("the program ends");
        let text = String::from_utf8(output.stdout).expect("text");
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches(|c: char| " 0123456789".contains(c)));
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let mut own = std::process::Command::new(&program);
    own.args(["play", "--seed", "1"]);
    let mut other = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"));
    other.arg("play").arg(&file).args(["--seed", "1"]);
    let [own, other] = [drawn(own), drawn(other)];
    assert!(own.iter().any(|line| line.contains('\u{b7}')), "{own:?}");
    assert_eq!(own, other);
    let _ = std::fs::remove_file(&program);
}

/// The answer to a question about a new game.
fn reason(server: &Server, wish: &Value) -> (u16, Value) {
    let opened = server.post("/api/games", &json!({})).1;
    let id = opened["id"].as_str().expect("a game");
    server.post(&format!("/api/games/{id}/explain"), wish)
}

/// Building the interpreter in takes minutes: only with `RULEC_LONG=1`.
#[test]
fn a_compiled_game_with_reasons_tells_those_of_the_interpreter() {
    if std::env::var_os("RULEC_LONG").is_none() {
        eprintln!("skipped: it takes long, see RULEC_LONG");
        return;
    }
    let program = std::env::temp_dir().join(format!("rulec-reasons-{}", std::process::id()));
    for (file, texts) in [
        ("s3/frogs.s3", ["gf(1) s(1) s(2)", "gf(3) s(3) s(4)", "fly"]),
        ("bgc/breakthrough.json", ["0,1 0,2", "0,0 0,1", "0,1 3,3"]),
    ] {
        let file = games().join(file);
        let built = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["build", "--reasons", "-o"])
            .args([&program, &file])
            .output()
            .expect("the command runs");
        let errors = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{errors}");
        let mut command = std::process::Command::new(&program);
        command.args(["serve", "--port", "0"]);
        let servers = [Server::run(command), Server::start(&file, &[])];
        assert_eq!(servers[0].get("/api/game")["explains"], true);
        let texts = texts.map(|text| json!({ "text": text }));
        let naming = [
            ["0.0", "0.1"],
            ["1.0", "1.1"],
            ["0.2", "1.3"],
            ["2.0", "1.1"],
        ];
        let naming = naming.map(|things| json!({ "naming": things }));
        for wish in texts.iter().chain(&naming) {
            let [own, other] = servers.each_ref().map(|server| reason(server, wish));
            assert_eq!(own.0, 200, "{}", own.1);
            assert_eq!(own, other, "{wish}");
        }
    }
    let _ = std::fs::remove_file(&program);
}

/// Many games, each against a bot with a small budget, while legal moves are asked for: no move is lost.
#[test]
fn many_games_at_once_lose_no_move() {
    let long = std::env::var_os("RULEC_LONG").is_some();
    let file = games().join("s3/tic_tac_toe.s3");
    if !long {
        return play_many(&Server::start(&file, &[]), 20, 60);
    }
    play_many(&Server::start(&file, &[]), 200, 400);
    // A compiled game, as users have it.
    let program = std::env::temp_dir().join(format!("rulec-many-{}", std::process::id()));
    let built = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["build", "--serve", "-o"])
        .args([&program, &file])
        .status();
    assert!(built.expect("the command runs").success());
    let mut command = std::process::Command::new(&program);
    command.args(["serve", "--port", "0"]);
    play_many(&Server::run(command), 200, 400);
    let _ = std::fs::remove_file(&program);
}

fn play_many(server: &Server, count: u64, most: usize) {
    let begun = Instant::now();
    let times = std::sync::Mutex::new(Vec::new());
    let finished = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..count {
            let (times, finished) = (&times, &finished);
            scope.spawn(move || {
                let wish = json!({ "seed": number, "bots": { "2": "uct:50" } });
                let (_, opened) = server.post("/api/games", &wish);
                let path = format!("/api/games/{}", opened["id"].as_str().expect("a game"));
                let mut mine = 0;
                for _ in 0..most {
                    let asked = Instant::now();
                    let (moves, spent) = server.timed(&format!("{path}/moves"));
                    let spent = Duration::from_secs_f64(spent / 1e3);
                    times.lock().expect("a list").push((asked.elapsed(), spent));
                    match (
                        moves["turn"]["kind"].as_str(),
                        moves["turn"]["players"][0].as_u64(),
                    ) {
                        (Some("over"), _) => {
                            finished.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                            break;
                        }
                        (_, Some(1)) => {
                            let list = moves["list"].as_array().expect("moves");
                            let mv = &list[(number as usize * 7 + mine) % list.len()];
                            let (status, told) = server.post(
                                &format!("{path}/move"),
                                &json!({ "code": mv["code"], "version": moves["version"] }),
                            );
                            assert_eq!(status, 200, "{told}");
                            mine += 1;
                        }
                        _ => std::thread::sleep(Duration::from_millis(200)),
                    }
                }
                let view = server.get(&path);
                let by = |who: &str| {
                    let moves = view["game"]["moves"].as_array().expect("moves");
                    moves.iter().filter(|mv| mv["by"] == who).count()
                };
                assert_eq!(by("player"), mine, "a move is lost: {view}");
                let bots = by("bot");
                assert!(bots == mine || bots + 1 == mine, "{view}");
            });
        }
    });
    let times = times.into_inner().expect("a list");
    eprintln!(
        "{count} games, {} of them to the end, in {:.1?}; {} requests for legal moves",
        finished.into_inner(),
        begun.elapsed(),
        times.len(),
    );
    let (mut asked, mut served): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    for (who, times) in [
        ("to the client", &mut asked),
        ("in the server", &mut served),
    ] {
        times.sort();
        let at = |part: usize| times[(times.len() - 1) * part / 100];
        let (half, most, all) = (at(50), at(99), at(100));
        eprintln!("  {who}: median {half:.1?}, p99 {most:.1?}, longest {all:.1?}");
    }
}
