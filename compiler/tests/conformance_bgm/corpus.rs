//! Where the cases are.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rulec_compiler::diag::{Diagnostics, Style, render_all};
use rulec_compiler::ir::Game;
use rulec_compiler::lang::Options;
use rulec_compiler::lang::bgm::{self, model::Model};
use rulec_compiler::source::SourceMap;
use rulec_interp::Interp;

use crate::stages::Stage;

/// A game with what it was made from.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) model: Model,
    pub(crate) interp: Interp,
}

/// Whether long counts are made in full.
pub(crate) fn long() -> bool {
    std::env::var("RULEC_LONG").is_ok_and(|value| value == "1")
}

/// What a function makes of some items, on all processors; a panic of one is one of the whole.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            done.push((at, f(item)));
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}

/// The folder of the bgm cases; none if there is no corpus.
///
/// Panics without a corpus where there has to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => shared().join("corpus"),
    };
    let folder = root.join("bgm");
    if folder.is_dir() {
        return Some(folder);
    }
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!needed, "there is no corpus at {}", folder.display());
    eprintln!("SKIPPED: there is no corpus at {}", folder.display());
    None
}

/// The folder of the plain interpreter that made the records; none if it is not there.
///
/// Panics without it where there has to be one.
pub(crate) fn reference(corpus: &Path) -> Option<PathBuf> {
    let folder = corpus.join("../../reference");
    if folder.join("bgm_ref.py").is_file() {
        return Some(folder);
    }
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!needed, "there is no reference at {}", folder.display());
    eprintln!("SKIPPED: there is no reference at {}", folder.display());
    None
}

/// The rule files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_rules = |path: &PathBuf| path.extension().is_some_and(|e| e == "bgm");
    let mut files: Vec<PathBuf> = paths.filter(is_rules).collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds no rules", folder.display());
    files
}

/// The games of the corpus, and the snippets of the seed.
pub(crate) fn cases(stage: Stage) -> Vec<Case> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let mut all = files(&folder);
    all.extend(files(&folder.join("seed")));
    all.iter().map(|path| case(path, stage)).collect()
}

/// The same as lowered, then after the passes.
pub(crate) fn cases_of_all_stages() -> Vec<Case> {
    Stage::ALL.into_iter().flat_map(cases).collect()
}

/// Our own small games for what the corpus does not show.
pub(crate) fn features(stage: Stage) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bgm_features");
    files(&folder)
        .iter()
        .map(|path| case(path, stage))
        .collect()
}

/// Reads a game.
pub(crate) fn case(path: &Path, stage: Stage) -> Case {
    let name = path.file_stem().expect("a name").to_string_lossy();
    let text = std::fs::read(path).expect("the rules can be read");
    let (model, game) = lower(&name, &text);
    let interp = stage.interpreter(game);
    Case {
        name: name.into_owned(),
        path: path.to_owned(),
        model,
        interp,
    }
}

/// Compiles rules without errors.
pub(crate) fn lower(name: &str, text: &[u8]) -> (Model, Game) {
    let mut sources = SourceMap::new();
    let id = sources
        .add(format!("{name}.bgm"), text)
        .expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let source = sources.get(id).expect("just added");
    let model = bgm::load(source, &mut Diagnostics::new());
    let options = Options::default();
    let front = bgm::compile(&sources, id, &options, &mut diagnostics);
    let shown = render_all(&sources, &diagnostics, Style::Plain);
    let front = front.unwrap_or_else(|| panic!("{shown}"));
    (model.expect("it compiles"), front.game)
}
