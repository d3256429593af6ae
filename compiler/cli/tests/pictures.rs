//! Pictures of positions: `rulec render` against files that were looked at, and what PNG files show.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::corpus;

/// A picture, its rules, and the moves before it.
const PICTURES: [(&str, &str, &str); 7] = [
    // The board is turned, because black is to move.
    ("chess", "games/bgc/chess.json", "4,1 4,3; 2,6 2,4; 6,0 5,2"),
    (
        "draughts",
        "games/bgc/english_draughts.json",
        "2,2 3,3; 5,5 4,4",
    ),
    ("hexguard", "games/bgc/hexguard.json", ""),
    ("three_camps", "games/bgc/three_camps.json", ""),
    // Files and ranks stand on the plate.
    (
        "morris",
        "games/s3/nine_mens_morris.s3",
        "man(1,1) tray(1,1) p(1,1); man(2,1) tray(2,1) p(3,5)",
    ),
    // Places lie as their names say.
    (
        "compass",
        "games/bgm/tic_tac_toe.bgm",
        "cross DrawCross m; nought DrawNought nw",
    ),
    ("towers", "games/bgm/hanoi.bgm", ""),
];

#[test]
fn positions_are_drawn_as_before() {
    let folder = corpus::root().join("compiler/cli/tests/pictures");
    for (name, rules, moves) in PICTURES {
        let output = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["render", rules, "--after", moves, "--svg", "-"])
            .current_dir(corpus::root())
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        let drawn = String::from_utf8(output.stdout).expect("SVG is text");
        let file = folder.join(format!("{name}.svg"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, &drawn).expect("the picture can be written");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            drawn == kept,
            "{name} looks different; UPDATE_EXPECT=1 keeps what is drawn now"
        );
    }
}

fn render(rules: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["render", rules, "--warnings", "never"])
        .args(arguments)
        .current_dir(corpus::root())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

/// A PNG on the standard output.
fn painted(rules: &str, arguments: &[&str]) -> Vec<u8> {
    let output = render(rules, &[&["--png", "-"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{rules} {arguments:?}: {errors}");
    output.stdout
}

/// A picture: pixels of red, green, blue and how opaque they are.
struct Pixels {
    width: usize,
    height: usize,
    data: Vec<u8>,
}

impl Pixels {
    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        let at = (y * self.width + x) * 4;
        self.data[at..at + 4].try_into().expect("four bytes")
    }

    /// Lays the next frame of an animation over this one.
    fn next(&mut self, reader: &mut png::Reader<Cursor<&[u8]>>) {
        let mut part = vec![0; reader.output_buffer_size().expect("it fits")];
        reader.next_frame(&mut part).expect("a frame");
        let frame = *reader.info().frame_control().expect("an animation");
        let row = frame.width as usize * 4;
        for (y, pixels) in part[..row * frame.height as usize]
            .chunks_exact(row)
            .enumerate()
        {
            let at = ((frame.y_offset as usize + y) * self.width + frame.x_offset as usize) * 4;
            self.data[at..at + row].copy_from_slice(pixels);
        }
    }
}

fn first(bytes: &[u8]) -> (Pixels, png::Reader<Cursor<&[u8]>>) {
    let decoder = png::Decoder::new(Cursor::new(bytes));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut data = vec![0; reader.output_buffer_size().expect("it fits")];
    let info = reader.next_frame(&mut data).expect("a picture");
    let (width, height) = (info.width as usize, info.height as usize);
    let pixels = Pixels {
        width,
        height,
        data,
    };
    (pixels, reader)
}

const WHITE: [u8; 4] = [0xfb, 0xf8, 0xf0, 255];
const BLACK: [u8; 4] = [0x33, 0x30, 0x2c, 255];
const LIGHT: [u8; 4] = [0xf0, 0xd9, 0xb5, 255];
const DARK: [u8; 4] = [0xb5, 0x88, 0x63, 255];
const FELT: [u8; 4] = [0x4a, 0x9a, 0x6c, 255];

const CHESS: &str = "games/bgc/chess.json";
const REVERSI: &str = "games/s3/reversi.s3";

#[test]
fn a_png_is_as_wide_as_asked_and_shows_the_colours_of_pieces_and_squares() {
    let chess = first(&painted(CHESS, &[])).0;
    assert_eq!(
        (chess.width, chess.height),
        (1024, 1024),
        "two pixels for one"
    );
    let chess = first(&painted(CHESS, &["--width", "400"])).0;
    assert_eq!((chess.width, chess.height), (400, 400));
    // The heads of the pawns before the kings, and squares between them.
    assert_eq!(chess.at(225, 315), WHITE);
    assert_eq!(chess.at(225, 65), BLACK);
    assert_eq!(chess.at(225, 225), LIGHT);
    assert_eq!(chess.at(225, 175), DARK);
    let reversi = first(&painted(REVERSI, &["--width", "800"])).0;
    assert_eq!(reversi.width, 800);
    let row: Vec<[u8; 4]> = [250, 350, 450].map(|x| reversi.at(x, 350)).into();
    assert_eq!(row, [FELT, BLACK, WHITE], "c5, d5 and e5");
}

#[test]
fn letters_are_painted_without_fonts_of_the_system() {
    // No environment leads to fonts or folders of a user.
    let output = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args([
            "render",
            "games/bgm/nim.bgm",
            "--warnings",
            "never",
            "--png",
            "-",
        ])
        .current_dir(corpus::root())
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let nim = first(&output.stdout).0;
    let svg = String::from_utf8(render("games/bgm/nim.bgm", &["--svg", "-"]).stdout).expect("text");
    let line = svg.lines().find(|line| line.contains(">bottom<"));
    let line = line.expect("a heap with its name");
    let number = |name: &str| -> f64 {
        let text = line
            .split(&format!(" {name}=\""))
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        text.and_then(|text| text.parse().ok()).expect("a number")
    };
    let (x, y, size) = (number("x"), number("y"), number("font-size"));
    let dark = |x: usize, y: usize| nim.at(x, y)[..3].iter().all(|part| *part < 0x60);
    let across = (2.0 * x) as usize..(2.0 * (x + 3.0 * size)) as usize;
    let ink =
        across.flat_map(|x| (((y - size) * 2.0) as usize..(y * 2.0) as usize).map(move |y| (x, y)));
    let share = ink.clone().filter(|(x, y)| dark(*x, *y)).count() as f64 / ink.count() as f64;
    assert!((0.05..0.5).contains(&share), "{share} of it is ink");
}

#[test]
fn an_animation_shows_every_position_of_a_game() {
    let moves = ["d(1) pool(1) b(6,5)", "d(2) pool(2) b(6,4)"];
    let line = moves.join("; ");
    let film = painted(
        REVERSI,
        &["--after", &line, "--animate", "500", "--width", "800"],
    );
    let (mut shown, mut reader) = first(&film);
    let control = *reader.info().animation_control().expect("an animation");
    assert_eq!((control.num_frames, control.num_plays), (3, 0));
    for count in 0..=moves.len() {
        if count > 0 {
            shown.next(&mut reader);
        }
        let still = painted(
            REVERSI,
            &["--after", &moves[..count].join("; "), "--width", "800"],
        );
        let still = first(&still).0;
        assert_eq!(shown.height, still.height);
        assert!(shown.data == still.data, "position {count} differs");
    }
    let once = painted(REVERSI, &["--width", "800"]);
    assert!(
        film.len() < 2 * once.len(),
        "a frame holds what changed: {} of {}",
        film.len(),
        once.len()
    );
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

#[test]
fn a_saved_game_becomes_a_strip() {
    let record = scratch("game.json");
    let game = serde_json::json!({
        "form": "rulec-record-1",
        "moves": ["d(1) pool(1) b(6,5)", "d(2) pool(2) b(6,4)"],
    });
    std::fs::write(&record, game.to_string()).expect("it can be written");
    let record = record.to_str().expect("a name");
    let strip = first(&painted(
        REVERSI,
        &["--record", record, "--strip", "3", "--width", "900"],
    ))
    .0;
    let alone = first(&painted(REVERSI, &["--width", "300"])).0;
    assert_eq!(strip.width, 900);
    assert!(strip.height.abs_diff(alone.height) < 8, "three in a row");
    std::fs::write(scratch("other.json"), "{}").expect("it can be written");
    let other = scratch("other.json");
    let refused = render(
        REVERSI,
        &["--record", other.to_str().expect("a name"), "--svg", "-"],
    );
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && said.contains("saved"),
        "{said}"
    );
}

#[test]
fn pictures_of_another_kind_than_the_name_says_are_refused() {
    for (arguments, expected) in [
        (["--png", "board.svg"], "--png writes PNG"),
        (["--svg", "board.png"], "--svg writes SVG"),
        (["--width", "300"], "--png <OUT>"),
        (["--animate", "300"], "--png <OUT>"),
    ] {
        let output = render(CHESS, &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && said.contains(expected),
            "{arguments:?}: {said}"
        );
    }
}

/// Whatever the renderer draws for the games of this folder, the painter knows.
#[test]
fn every_game_can_be_painted() {
    let mut count = 0;
    let mut folders = vec![corpus::root().join("games")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let ending = path
                .extension()
                .and_then(|ending| ending.to_str())
                .unwrap_or_default();
            let name = path.to_string_lossy().into_owned();
            let is_rules = match ending {
                "s3" | "bgm" | "bbgel" => true,
                "json" => folder.ends_with("bgc"),
                "txt" => folder.ends_with("gs5"),
                _ => false,
            };
            if !is_rules {
                continue;
            }
            let picture = painted(&name, &["--width", "200"]);
            assert_eq!(first(&picture).0.width, 200, "{name}");
            count += 1;
        }
    }
    assert!(count > 30, "{count} games");
}

/// A rule file of ours with other words in place of some.
fn changed(rules: &str, from: &str, to: &str, name: &str) -> String {
    let text = std::fs::read_to_string(corpus::root().join(rules)).expect("the rules");
    assert!(text.contains(from), "{rules} has {from}");
    let file = scratch(name);
    std::fs::write(&file, text.replace(from, to)).expect("it can be written");
    file.to_str().expect("a name").to_owned()
}

#[test]
fn files_and_ranks_are_those_that_the_first_player_sees() {
    let rules = changed(
        "games/bgc/breakthrough.json",
        r#"{"white": 0, "black": 180}"#,
        r#"{"white": 180, "black": 0}"#,
        "turned.json",
    );
    let told = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(["explain", &rules, "0,1 0,3"])
        .output()
        .expect("the program starts");
    let told = String::from_utf8(told.stdout).expect("text");
    let line = told.lines().next();
    assert_eq!(
        line,
        Some("The white man on h7 cannot go to h5, but to g6, h6.")
    );
    let svg = String::from_utf8(render(&rules, &["--svg", "-"]).stdout).expect("text");
    let at = |label: &str, axis: &str| -> f64 {
        let line = svg
            .lines()
            .find(|line| line.ends_with(&format!(">{label}</text>")));
        let rest = line.and_then(|line| line.split_once(&format!(" {axis}=\"")));
        let value = rest.and_then(|(_, rest)| rest.split_once('"'));
        value
            .and_then(|(value, _)| value.parse().ok())
            .expect("a label")
    };
    assert!(at("a", "x") < at("h", "x") && at("8", "y") < at("1", "y"));
}

#[test]
fn colours_of_rules_may_be_names() {
    let rules = changed(CHESS, "#f0d9b5", "grey", "grey.json");
    let chess = first(&painted(&rules, &["--width", "400"])).0;
    assert_eq!(chess.at(225, 225), [0x80, 0x80, 0x80, 255]);
}

#[test]
fn fields_are_called_by_the_numbers_that_the_rules_write_on_them() {
    let Some(corpus) = corpus::s3_corpus() else {
        return;
    };
    let world = corpus.with_file_name("bbgel/worlds/laddergame.world");
    let svg = render(world.to_str().expect("a name"), &["--svg", "-"]).stdout;
    let svg = String::from_utf8(svg).expect("text");
    for number in 1..=100 {
        assert_eq!(
            svg.matches(&format!(">{number}</text>")).count(),
            1,
            "{number}"
        );
    }
    // Its fields have other numbers by which the rules speak of them.
    assert!(!svg.contains(">109</text>"));
}
