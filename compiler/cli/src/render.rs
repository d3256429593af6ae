//! `rulec render`: pictures of positions and of games.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use rulec_search::State;
use rulec_search::notation::{find_move, split_moves};
use serde_json::Value;

use crate::args::{Engine, RenderArgs};
use crate::interpreted::InterpretedGame;
use crate::{Rules, Verdict, files, pictures, say};

/// The most positions of a strip or an animation.
const MOST_POSITIONS: usize = 2000;

pub(crate) fn render(args: &RenderArgs) -> Result<Verdict> {
    if let Some(file) = &args.svg {
        pictures::only_named(file, "svg")?;
    }
    if let Some(file) = &args.png {
        pictures::only_named(file, "png")?;
    }
    let rules = Rules::load_to_look(&args.rules, Engine::Interp)?;
    rules.show_diagnostics()?;
    let Some(output) = &rules.output else {
        return Ok(Verdict::Bad);
    };
    let game = InterpretedGame::new(output.game.clone())?;
    let start = rulec_engines::interpreted(&game);
    let draw = |state: &State<'_>| pictures::svg(&output.game, &**state, rules.folder());
    let drawn = positions(args, &*start, &draw)?;
    let one = match args.strip {
        Some(columns) => pictures::strip(&drawn, usize::from(columns)),
        None => drawn.last().cloned().unwrap_or_default(),
    };
    if let Some(file) = &args.svg {
        keep(file, one.as_bytes())?;
    }
    if let Some(file) = &args.png {
        let pictures = match args.animate {
            Some(_) => drawn.as_slice(),
            None => std::slice::from_ref(&one),
        };
        keep(file, &painted(args, pictures)?)?;
    }
    Ok(Verdict::Good)
}

/// The pictures of the positions before and behind each of the moves, or of the last of them alone.
fn positions<'g>(
    args: &RenderArgs,
    start: &(dyn rulec_search::AnyState<'g> + 'g),
    draw: &dyn Fn(&State<'g>) -> Result<String>,
) -> Result<Vec<String>> {
    let (start_args, moves) = course(args)?;
    let is_game = args.strip.is_some() || args.animate.is_some();
    if is_game && moves.len() >= MOST_POSITIONS {
        bail!(
            "a game of {} moves is too long to be drawn; the most are {MOST_POSITIONS} positions",
            moves.len()
        );
    }
    let mut state = start_args.reach(start)?;
    let mut drawn = Vec::new();
    for text in &moves {
        if is_game {
            drawn.push(draw(&state)?);
        }
        let code = find_move(&*state, text)?;
        state.play(code, None);
    }
    drawn.push(draw(&state)?);
    Ok(drawn)
}

/// Where the game begins, and its moves.
fn course(args: &RenderArgs) -> Result<(rulec_command::StartArgs, Vec<String>)> {
    let mut start = args.start.clone();
    let Some(file) = &args.record else {
        let after = start.after.take().unwrap_or_default();
        return Ok((start, split_moves(&after).map(str::to_owned).collect()));
    };
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let record: Option<Value> = serde_json::from_str(&text).ok();
    let record = record.filter(|record| record["form"] == "rulec-record-1");
    let moves = record
        .as_ref()
        .and_then(|record| record["moves"].as_array());
    let (Some(record), Some(moves)) = (&record, moves) else {
        bail!(
            "{} is no game that the page of `rulec serve` saved (rulec-record-1)",
            file.display()
        );
    };
    start.state = record["start"].as_str().map(str::to_owned);
    let moves = moves.iter().map(|text| text.as_str().map(str::to_owned));
    let moves: Option<Vec<String>> = moves.collect();
    Ok((
        start,
        moves.context("the moves of the record are no texts")?,
    ))
}

fn keep(file: &Path, bytes: &[u8]) -> Result<()> {
    if file.as_os_str() == "-" {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    files::write(file, bytes)?;
    say(&format!("wrote {}\n", file.display()))
}

/// One PNG file of one picture or more.
#[cfg(feature = "png")]
fn painted(args: &RenderArgs, drawn: &[String]) -> Result<Vec<u8>> {
    use std::collections::BTreeSet;

    use rulec_paint::{Picture, Size};

    // A picture of twice the size is sharp on screens of today.
    let size = args.width.map_or(Size::Scale(2.0), Size::Width);
    let mut pictures = Vec::new();
    let mut unknown = BTreeSet::new();
    for svg in drawn {
        let picture = Picture::paint(svg, size)?;
        unknown.extend(picture.unknown_letters());
        pictures.push(picture);
    }
    if !unknown.is_empty() {
        let letters: Vec<String> = unknown.iter().map(|letter| format!("`{letter}`")).collect();
        eprintln!(
            "note: pictures as PNG have Latin, Greek and Cyrillic letters; a box stands for {}",
            letters.join(", ")
        );
    }
    Ok(match (args.animate, pictures.as_slice()) {
        (Some(time), pictures) => rulec_paint::film(pictures, time)?,
        (None, [one]) => one.png()?,
        (None, _) => bail!("one picture is drawn at a time"),
    })
}

#[cfg(not(feature = "png"))]
fn painted(_: &RenderArgs, _: &[String]) -> Result<Vec<u8>> {
    bail!(
        "this rulec was built without PNG; build it with `--features png`, or write an SVG with --svg"
    )
}
