//! `rulec gallery`: a page that shows the games of a folder, and a page for each on which one of its games replays.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use rulec_compiler::lang::of_file;
use rulec_compiler::source::SourceMap;
use rulec_compiler::symbols::Class;
use rulec_core::{Rng, Turn};
use rulec_search::{AnyState, Bot};

use crate::args::{Engine, GalleryArgs};
use crate::check::{self, walk};
use crate::interpreted::InterpretedGame;
use crate::rules::Rules;
use crate::{Verdict, files, pictures, say, serve};

/// Random games for the figures of a game, and the steps of the interpreter that they may take.
const GAMES: u64 = 200;
const WORK: u64 = 2_000_000;
/// Lines that are shown of rules, and letters of what their author says.
const LINES: usize = 3;
const LETTERS: usize = 260;

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:16px/1.45 system-ui,sans-serif;color:light-dark(#24211d,#ece8df);\
background:light-dark(#f6f3ec,#1b1d20);margin:0 auto;max-width:1240px;padding:24px}h1{font-size:26px;margin:0 0 16px}\
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(270px,1fr));gap:18px}\
article{background:light-dark(#fff,#26292e);border-radius:10px;padding:14px;display:flex;flex-direction:column;gap:8px}\
article img{width:100%;height:230px;object-fit:contain;display:block}h2{font-size:19px;margin:0}p{margin:0}\
a{color:light-dark(#1a5fb4,#7fb2f0)}.soft{color:light-dark(#5f594f,#a9adb3);font-size:14px}\
pre{font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}";

/// Writes the pages.
pub(crate) fn gallery(args: &GalleryArgs) -> Result<Verdict> {
    let mut found = Vec::new();
    rule_files(&args.folder, &mut found)?;
    files::make_folder(&args.out)?;
    let mut cards = String::new();
    let mut shown = 0;
    for path in &found {
        // What is no game by itself, such as a part of one, is left out.
        let Ok(rules) = Rules::open(path, "all") else {
            continue;
        };
        if rules.output.is_none() {
            continue;
        }
        let page = page_name(&args.folder, path);
        let card = card(args, path, &rules, &page);
        match card.with_context(|| format!("{}", path.display())) {
            Ok(card) => cards.push_str(&card),
            Err(error) => bail!(error),
        }
        shown += 1;
    }
    if shown == 0 {
        bail!("there are no games in {}", args.folder.display());
    }
    let title = rulec_render::escape(&args.title);
    let index = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n<main>\n{cards}</main>\n</body></html>\n"
    );
    let path = args.out.join("index.html");
    files::write(&path, index.as_bytes())?;
    say(&format!("{shown} games: {}\n", path.display()))?;
    Ok(Verdict::Good)
}

/// The files of a folder whose names tell a rule language, in the order of their names.
fn rule_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            rule_files(&path, found)?;
        } else if of_file(&path.to_string_lossy()).is_some() {
            found.push(path);
        }
    }
    Ok(())
}

/// The name of the page of a game: its path in the folder, in one word.
fn page_name(folder: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    let name: String = inner
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    format!("{name}.html")
}

/// What is shown of a game; its replay is written beside it.
fn card(args: &GalleryArgs, path: &Path, rules: &Rules, page: &str) -> Result<String> {
    let loaded = Arc::new(serve::loaded(rules, Engine::Quick)?);
    let moves = course(&*loaded.start, args);
    let replay = rulec_serve::replay_page(&loaded, &moves);
    files::write(&args.out.join(page), replay.as_bytes())?;
    let output = rules.output.as_ref().context("the rules have errors")?;
    let mut middle = loaded.start.fork();
    for code in &moves[..moves.len() / 2] {
        middle.play(*code, None);
    }
    let picture = pictures::svg(&output.game, &*middle, rules.folder())?;
    let coder = base64::engine::general_purpose::STANDARD;
    let escape = rulec_render::escape;
    let name = loaded.start.about().name.replace('_', " ");
    let mut card = String::new();
    let _ = write!(
        card,
        "<article><a href=\"{page}\"><img alt=\"The board of {}\" loading=\"lazy\" src=\"data:image/svg+xml;base64,{}\"></a>\n\
         <h2>{}</h2>\n",
        escape(&name),
        coder.encode(picture),
        escape(&name),
    );
    let (about, is_words) = beginning(path)?;
    match is_words {
        true => {
            let _ = writeln!(card, "<p>{}</p>", escape(&about));
        }
        false => {
            let _ = writeln!(card, "<pre>{}</pre>", escape(&about));
        }
    }
    let _ = writeln!(
        card,
        "<p class=\"soft\">{}</p>\n<p><a href=\"{page}\">Replay a game of {} moves</a></p></article>",
        escape(&figures(output)?),
        moves.len(),
    );
    Ok(card)
}

/// A game between bots, or at random.
fn course(start: &(dyn AnyState<'static> + 'static), args: &GalleryArgs) -> Vec<u64> {
    let bot = args.bot.clone().unwrap_or(Bot::Random);
    let mut rng = Rng::new(args.seed, 0);
    let mut state = start.fork();
    let mut moves = Vec::new();
    while moves.len() < args.moves {
        let code = match state.turn() {
            Turn::Over => None,
            Turn::Chance => state.results().draw(&mut rng),
            Turn::Decide(_) => bot.choose(&*state, &mut rng),
        };
        let Some(code) = code.filter(|code| state.play(*code, None)) else {
            break;
        };
        moves.push(code);
    }
    moves
}

/// What the author says at the beginning of a file, or its first lines; whether it is the former.
fn beginning(path: &Path) -> Result<(String, bool)> {
    let mut sources = SourceMap::new();
    sources.add(path.to_string_lossy(), std::fs::read(path)?)?;
    let source = &sources.files()[0];
    let language = of_file(&path.to_string_lossy()).context("no rule file")?;
    let index = (language.editing.index)(source);
    let mut words: Vec<&str> = Vec::new();
    let mut line = 1;
    for token in index
        .tokens
        .iter()
        .filter(|token| token.class == Class::Comment)
    {
        let at = source.position(token.span.start).line;
        if at > line + 1 && !words.is_empty() {
            break;
        }
        line = source.position(token.span.end).line;
        let text = source
            .slice(token.span)
            .trim_matches(|c: char| "#/*;".contains(c) || c == ' ');
        words.push(text.strip_prefix("Display:").unwrap_or(text).trim());
    }
    if !words.is_empty() {
        return Ok((shortened(&words.join(" ")), true));
    }
    let lines: Vec<&str> = source.text().lines().take(LINES).collect();
    Ok((lines.join("\n"), false))
}

/// The sentences of a text that fit into a card, the first one in any case.
fn shortened(text: &str) -> String {
    let mut end = 0;
    for (at, _) in text.match_indices(". ") {
        if end > 0 && at > LETTERS {
            break;
        }
        end = at + 1;
    }
    match text.chars().count() <= LETTERS || end == 0 {
        true => text.to_owned(),
        false => text[..end].to_owned(),
    }
}

/// How random games went, in a line.
fn figures(output: &rulec_compiler::Output) -> Result<String> {
    let game = InterpretedGame::new(output.game.clone())?;
    let amount = walk::Amount::Quick {
        games: GAMES,
        work: WORK,
    };
    let played = walk::play(&game, 1, amount, &|_| true);
    let text = check::statistics(&output.game, &played);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    Ok(format!(
        "{} random games: {}",
        played.games,
        lines.join("; ")
    ))
}
