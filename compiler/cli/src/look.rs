//! `rulec look`: how well a board would be read, and reading pictures of one.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use plotters::prelude::*;
use rulec_core::{Game, StateText};
use rulec_vision::Caution;
use rulec_vision::decode::{Reading, Verdict, decode};
use rulec_vision::table::{Conditions, Table};
use rulec_vision::trial::{Tally, trial};
use rulec_vision::{Eyes, Frame, Pair, Scene, original};
use serde_json::{Value, json};

use crate::args::LookArgs;
use crate::interpreted::InterpretedGame;
use crate::{Progress, Verdict as Done, files, rules::Rules, say, scene};

/// The levels of a curve, from easy to three times as hard as the acceptance.
const LEVELS: [f64; 13] = [
    0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.5,
];

pub(crate) fn look(args: &LookArgs) -> Result<Done> {
    let rules = Rules::load(&args.rules, "all")?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Done::Bad);
    };
    let game = InterpretedGame::new(output.game.clone())?;
    let text = args
        .start
        .reach(&*rulec_engines::interpreted(&game))?
        .text();
    let state = match game.parse_state(&text) {
        Ok(state) => state,
        Err(error) => bail!("`{text}` is no position: {error}"),
    };
    let scene = scene::scene_at(&game, &state);
    scene.check()?;
    if let Some(file) = &args.show {
        let conditions = Conditions::ROUGH.times(args.level);
        let picture = Table::new(&scene, conditions, args.seed).frame();
        files::write(file, &picture.to_png()?)?;
        say(&format!("wrote {}\n", file.display()))?;
        return Ok(Done::Good);
    }
    if let Some(picture) = &args.original {
        return by_the_original(&game, &scene, &state, &frame(picture)?, args.json);
    }
    if let (Some(known), Some(picture)) = (&args.known, &args.picture) {
        let corners = corners(&scene, args.corners.as_deref().unwrap_or_default())?;
        let eyes = Eyes::learn(&scene, &corners, &frame(known)?, &scene.standing())?;
        let sight = eyes.look(&frame(picture)?)?;
        let standing = scene.standing();
        let caution = Caution::default();
        let read = decode(&game, &scene, &state, &standing, &sight, &caution);
        let Ok(read) = read else {
            bail!("a rule went wrong while the moves were tried")
        };
        say(&match args.json {
            true => format!("{}\n", reading_json(&read)),
            false => reading_text(&read),
        })?;
        return Ok(match read.verdict {
            Verdict::Ask(_) => Done::Bad,
            _ => Done::Good,
        });
    }
    trials(args, &game, &scene)
}

fn frame(file: &Path) -> Result<Frame> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Frame::from_png(&bytes).with_context(|| format!("{} is no picture", file.display()))
}

/// Pairs of points of the table and of the picture: the corners of the table, from the upper left one clockwise.
fn corners(scene: &Scene, text: &str) -> Result<Vec<Pair>> {
    let mut seen = Vec::new();
    for word in text.split_whitespace() {
        let pair = word.split_once(',');
        let pair = pair.and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        let Some(pair) = pair else {
            bail!("`{word}` is no point of the picture; write X,Y");
        };
        seen.push(pair);
    }
    if seen.len() != 4 {
        bail!(
            "four corners are needed (--corners \"X,Y X,Y X,Y X,Y\"), {} are given",
            seen.len()
        );
    }
    let (left, top, right, bottom) = scene.extent();
    let table = [(left, top), (right, top), (right, bottom), (left, bottom)];
    Ok(table.into_iter().zip(seen).collect())
}

fn by_the_original(
    game: &InterpretedGame,
    scene: &Scene,
    state: &<InterpretedGame as Game>::State,
    picture: &Frame,
    json: bool,
) -> Result<Done> {
    let types = original::types(scene);
    if types.is_empty() {
        bail!("the rules say of no piece what a camera sees of it");
    }
    let report = original::report(&original::detect(picture, &types), &types);
    let Ok(read) = original::read_move(game, scene, state, &scene.standing(), picture) else {
        bail!("a rule went wrong while the moves were tried")
    };
    let text = read.map(|mv| {
        let mut text = String::new();
        game.write_move(mv, &mut text);
        text
    });
    let objects: Vec<&str> = report.lines().filter(|line| *line != "=").collect();
    say(&match (json, &text) {
        (true, Ok(text)) => format!("{}\n", json!({ "objects": objects, "move": text })),
        (true, Err(retry)) => format!(
            "{}\n",
            json!({ "objects": objects, "retry": retry.to_string() })
        ),
        (false, Ok(text)) => format!("{report}{text}\n"),
        (false, Err(retry)) => format!("{report}again, please: {retry}\n"),
    })?;
    Ok(if text.is_ok() { Done::Good } else { Done::Bad })
}

fn reading_json<M>(read: &Reading<M>) -> Value {
    let best = read.best.iter().map(|candidate| {
        let doubts: Vec<String> = candidate.doubts.iter().map(ToString::to_string).collect();
        json!({ "moves": candidate.texts, "score": candidate.score, "doubts": doubts })
    });
    let verdict = match &read.verdict {
        Verdict::Nothing => "nothing".to_owned(),
        Verdict::Moves(_) => "moves".to_owned(),
        Verdict::Ask(question) => question.to_string(),
    };
    json!({
        "verdict": verdict,
        "margin": read.margin.is_finite().then_some(read.margin),
        "against": read.against,
        "best": best.collect::<Vec<_>>(),
    })
}

fn reading_text<M>(read: &Reading<M>) -> String {
    let mut text = match &read.verdict {
        Verdict::Nothing => "nothing has changed\n".to_owned(),
        Verdict::Moves(_) => String::new(),
        Verdict::Ask(question) => format!("not sure: {question}\n"),
    };
    let asked = matches!(read.verdict, Verdict::Ask(_));
    for candidate in &read.best {
        let moves = match candidate.texts.is_empty() {
            true => "nothing has changed".to_owned(),
            false => candidate.texts.join("; "),
        };
        match (&read.verdict, asked) {
            (Verdict::Nothing, _) => {}
            (_, false) => text.push_str(&format!("{moves}\n")),
            (_, true) => {
                let _ = writeln!(text, "  {moves} ({:.1})", candidate.score);
                for doubt in candidate.doubts.iter().take(4) {
                    let _ = writeln!(text, "    {doubt}");
                }
            }
        }
    }
    text
}

fn trials(args: &LookArgs, game: &InterpretedGame, scene: &Scene) -> Result<Done> {
    let levels = match &args.curve {
        Some(_) => LEVELS.to_vec(),
        None => vec![args.level],
    };
    let total = args.trial.saturating_mul(levels.len() as u64);
    let progress = Progress::new(total, "read", "frames");
    let mut rows: Vec<(f64, Tally)> = Vec::new();
    for (number, &level) in levels.iter().enumerate() {
        let before = number as u64 * args.trial;
        let conditions = Conditions::ROUGH.times(level);
        let mut tell = |done: u64| progress.tell(before + done);
        let caution = Caution::default();
        let tally = trial(
            game, scene, conditions, &caution, args.trial, args.seed, &mut tell,
        )?;
        rows.push((level, tally));
    }
    progress.finish();
    if let Some(file) = &args.curve {
        let svg = curve(&scene.game, &rows).context("the curve could not be drawn")?;
        files::write(file, svg.as_bytes())?;
    }
    let wrong: u64 = rows.iter().map(|(_, tally)| tally.wrong).sum();
    say(&match args.json {
        true => {
            let rows: Vec<Value> = rows
                .iter()
                .map(|(level, tally)| tally_json(*level, tally))
                .collect();
            format!(
                "{}\n",
                json!({ "game": scene.game, "seed": args.seed, "levels": rows })
            )
        }
        false => rows
            .iter()
            .map(|(level, tally)| tally_text(*level, tally))
            .collect(),
    })?;
    Ok(if wrong == 0 { Done::Good } else { Done::Bad })
}

fn tally_json(level: f64, tally: &Tally) -> Value {
    json!({
        "level": level,
        "readings": tally.readings,
        "right": tally.right,
        "wrong": tally.wrong,
        "asked": { "close": tally.close, "strange": tally.strange, "other": tally.other },
        "sessions": tally.sessions,
        "refused": tally.refused,
        "given_up": tally.given_up,
    })
}

fn tally_text(level: f64, tally: &Tally) -> String {
    let share = |count: u64| 100.0 * count as f64 / tally.readings.max(1) as f64;
    format!(
        "level {level}: {} readings, {:.2} % right, {:.2} % asked, {} wrong; {} of {} sessions could not begin\n",
        tally.readings,
        share(tally.right),
        share(tally.asked()),
        tally.wrong,
        tally.given_up,
        tally.given_up + tally.sessions,
    )
}

/// How many readings ended with a question, by the level of trouble.
fn curve(name: &str, rows: &[(f64, Tally)]) -> Option<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (640, 360)).into_drawing_area();
        area.fill(&WHITE).ok()?;
        let last = rows.last().map_or(1.0, |row| row.0);
        let mut chart = ChartBuilder::on(&area)
            .caption(
                format!("{name}: questions asked, by the level of trouble"),
                ("sans-serif", 16),
            )
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..last, 0.0..100.0)
            .ok()?;
        chart
            .configure_mesh()
            .x_desc("level; 1 is noise 8 of 255, light 25 %, hue 8 degrees, blur 1.5 px, corners 3 px, 0.2 off centre, a shadow")
            .y_desc("percent")
            .draw()
            .ok()?;
        let points = |count: &dyn Fn(&Tally) -> u64| -> Vec<(f64, f64)> {
            let share = |tally: &Tally| 100.0 * count(tally) as f64 / tally.readings.max(1) as f64;
            let point = |(level, tally): &(f64, Tally)| (*level, share(tally));
            rows.iter().map(point).collect()
        };
        for (label, colour, points) in [
            ("asked", RGBColor(0, 114, 178), points(&Tally::asked)),
            ("wrong", RGBColor(213, 94, 0), points(&|tally| tally.wrong)),
        ] {
            let line = PathElement::new(points, colour.stroke_width(2));
            chart
                .draw_series(std::iter::once(line))
                .ok()?
                .label(label)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .draw()
            .ok()?;
        area.present().ok()?;
    }
    Some(svg)
}
