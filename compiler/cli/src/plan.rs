//! Plans: what a name on the command line means in rule sets, parameter sets and boards, a series each.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rulec_compiler::lang::gs5;
use rulec_search::episode::request::{Request, Source};

use crate::args::RuleArgs;
use crate::rules::Rules;

/// What to compile for each series of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Its name, or that of its trial list.
    pub(crate) name: String,
    file: PathBuf,
    with: Vec<PathBuf>,
    settings: Vec<(String, String)>,
    /// Rows of the trial list; none for a rule set.
    rows: Vec<usize>,
}

impl Plan {
    /// The plan that a request of the captive server names.
    pub(crate) fn of_request(request: &Request) -> Result<Plan> {
        let folder = request.folder.as_deref();
        let mut plan = match &request.source {
            Source::Own => bail!("there is nothing to play"),
            Source::Board(rules, board) => Plan {
                with: vec![find(folder, "boards", board, "json")],
                ..Plan::alone(find(folder, "rules", rules, "txt"))
            },
            Source::Counts(rules, counts) => {
                let mut plan = Plan::alone(find(folder, "rules", rules, "txt"));
                for (name, (least, most)) in ["pieces", "shapes", "colors"].iter().zip(counts) {
                    plan.set(name, format!("{least}:{most}"));
                }
                plan
            }
            Source::List(list, row) => {
                let file = find(folder, "trial-lists", list, "csv");
                let mut plan = Plan::alone(file);
                plan.rows = vec![*row];
                plan
            }
            Source::Modified(rules, modifier) => Plan {
                with: vec![find(folder, "modifiers", modifier, "csv")],
                ..Plan::alone(find(folder, "rules", rules, "txt"))
            },
            Source::Plan {
                plan,
                modifier,
                row,
            } => {
                let place = find(folder, "trial-lists", plan, "csv");
                let mut plan = Plan::of_lists(&place, request.list.as_deref())?;
                if let Some(modifier) = modifier {
                    plan.with = vec![find(folder, "modifiers", modifier, "csv")];
                }
                if let Some(row) = row {
                    plan.rows.retain(|known| known == row);
                    if plan.rows.is_empty() {
                        bail!("the trial list {} has no row {row}", plan.name);
                    }
                }
                plan
            }
        };
        if let Some((condition, _)) = &request.condition {
            plan.with.push(find(folder, "cond", condition, "txt"));
        }
        if let Some(shapes) = &request.shapes {
            plan.set("shape_list", shapes.join(";"));
        }
        if let Some(colors) = &request.colors {
            plan.set("color_list", colors.join(";"));
        }
        if request.crowded {
            plan.set("crowded", "true".to_owned());
        }
        if request.seed != 0 {
            plan.set("seed", request.seed.to_string());
        }
        Ok(plan)
    }

    /// The plan that a file, a folder or a name such as `P:plan:modifier` means, with further files and settings.
    pub(crate) fn of_name(
        name: &Path,
        with: &[PathBuf],
        settings: &[(String, String)],
    ) -> Result<Plan> {
        let text = name.to_string_lossy();
        let setting = |wanted: &str| {
            let found = settings.iter().find(|(own, _)| own == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let is_list = || {
            let ending = name
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("csv"));
            ending || name.is_dir()
        };
        let mut plan = if text.starts_with("P:") || text.starts_with("R:") {
            let request = Request::parse(&[text.into_owned()]).map_err(anyhow::Error::msg)?;
            Plan::of_request(&request)?
        } else if is_list() {
            Plan::of_lists(name, setting("list"))?
        } else {
            Plan::alone(name.to_owned())
        };
        if let Some(row) = setting("row") {
            let row = row.parse().with_context(|| format!("`{row}` is no row"))?;
            plan.rows = vec![row];
        }
        plan.with.extend_from_slice(with);
        let own = settings
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "row" | "list"));
        plan.settings.extend(own.cloned());
        Ok(plan)
    }

    /// A rule set, or the first row of a trial list.
    fn alone(file: PathBuf) -> Plan {
        let stem = file.file_stem().unwrap_or_default();
        Plan {
            name: stem.to_string_lossy().into_owned(),
            file,
            with: Vec::new(),
            settings: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// All series of a trial list, or of that of a plan: of this name, else of the first by name.
    fn of_lists(place: &Path, list: Option<&str>) -> Result<Plan> {
        let file = match place.is_dir() {
            false => place.to_owned(),
            true => list_of(place, list)?,
        };
        let text =
            std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let rows = gs5::series_count(&String::from_utf8_lossy(&text));
        if rows == 0 {
            bail!("the trial list {} has no rows", file.display());
        }
        let folder = place.file_name().unwrap_or_default().to_string_lossy();
        let mut plan = Plan::alone(file);
        if place.is_dir() {
            plan.name = format!("{folder}/{}", plan.name);
        }
        plan.rows = (1..=rows).collect();
        Ok(plan)
    }

    fn set(&mut self, name: &str, value: String) {
        self.settings.push((name.to_owned(), value));
    }

    /// Reads and compiles the rules of all series.
    pub(crate) fn compile(&self) -> Result<Vec<Rules>> {
        if self.rows.is_empty() {
            return Ok(vec![self.compile_with(&self.settings)?]);
        }
        let rules = self.rows.iter().map(|row| {
            let mut settings = self.settings.clone();
            settings.push(("row".to_owned(), row.to_string()));
            self.compile_with(&settings)
        });
        rules.collect()
    }

    fn compile_with(&self, settings: &[(String, String)]) -> Result<Rules> {
        Rules::open_with(&self.file, &self.with, settings, "all")
    }
}

/// A row of a trial list or plan, as arguments of commands.
pub(crate) struct Row {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The rule set that it names.
    pub(crate) rule: String,
    /// What to load for it.
    pub(crate) args: RuleArgs,
}

/// The rows that arguments mean which name a trial list or a plan, all of them where none is asked for; nothing for others.
pub(crate) fn rows_of(args: &RuleArgs) -> Result<Option<Vec<Row>>> {
    let text = args.file.to_string_lossy();
    let ending = args.file.extension();
    let is_list = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
        && args.lang.as_deref().is_none_or(|lang| lang == "gs5");
    let is_plan = args.file.is_dir() || text.starts_with("P:");
    // What cannot be read as a list is complained of with its line, where it is compiled.
    if !is_plan && (!is_list || rules_of(&args.file).is_empty()) {
        return Ok(None);
    }
    let plan = Plan::of_name(&args.file, &args.with, &args.settings)?;
    let rules = rules_of(&plan.file);
    let row = |number: &usize| {
        let mut settings = plan.settings.clone();
        settings.push(("row".to_owned(), number.to_string()));
        let args = RuleArgs {
            file: plan.file.clone(),
            with: plan.with.clone(),
            settings,
            ..args.clone()
        };
        Row {
            number: *number,
            rule: rules
                .get(number.saturating_sub(1))
                .cloned()
                .unwrap_or_default(),
            args,
        }
    };
    Ok(Some(plan.rows.iter().map(row).collect()))
}

fn rules_of(list: &Path) -> Vec<String> {
    let text = std::fs::read(list).unwrap_or_default();
    gs5::rules_of_rows(&String::from_utf8_lossy(&text))
}

/// The trial list of this name in the folder of a plan, or the first.
fn list_of(folder: &Path, list: Option<&str>) -> Result<PathBuf> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut lists: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // Numbers of players who left, which the original server writes there.
    let other = |path: &PathBuf| path.file_name().is_some_and(|name| name == "defect.csv");
    lists.retain(|path| path.extension().is_some_and(|e| e == "csv") && !other(path));
    lists.sort();
    let named = |path: &&PathBuf| match list {
        Some(list) => path.file_stem().is_some_and(|stem| stem == list),
        None => true,
    };
    match (lists.iter().find(named), list) {
        (Some(path), _) => Ok(path.clone()),
        (None, None) => bail!("there is no trial list in {}", folder.display()),
        (None, Some(list)) => {
            let known = lists.iter().filter_map(|path| path.file_stem());
            let known: Vec<_> = known.map(|stem| stem.to_string_lossy()).collect();
            bail!(
                "there is no trial list `{list}` in {}, there are {}",
                folder.display(),
                known.join(", ")
            )
        }
    }
}

/// Where a file is: at its name, or below the folder where files of its kind lie; the ending may be left out.
fn find(folder: Option<&Path>, kind: &str, name: &Path, ending: &str) -> PathBuf {
    let plain = match folder {
        Some(folder) => folder.join(name),
        None => name.to_owned(),
    };
    let below = folder.unwrap_or(Path::new("")).join(kind).join(name);
    let with_ending = |path: &Path| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    };
    let places = [with_ending(&plain), below.clone(), with_ending(&below)];
    if plain.exists() {
        return plain;
    }
    places
        .into_iter()
        .find(|path| path.exists())
        .unwrap_or(plain)
}
