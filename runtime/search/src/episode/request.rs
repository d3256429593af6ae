//! Command lines of the captive server.

use std::path::PathBuf;

use super::log::Form;

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    /// Status and comment.
    Brief,
    /// And the board.
    Standard,
    /// And its picture.
    Full,
}

impl Verbosity {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verbosity::Brief => "BRIEF",
            Verbosity::Standard => "STANDARD",
            Verbosity::Full => "FULL",
        }
    }

    pub(super) fn of(name: &str) -> Option<Verbosity> {
        let all = [Verbosity::Brief, Verbosity::Standard, Verbosity::Full];
        all.into_iter()
            .find(|v| v.name().eq_ignore_ascii_case(name))
    }
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// What the program was made for.
    Own,
    /// A rule set, and a board.
    Board(PathBuf, PathBuf),
    /// A rule set, and how many pieces, shapes and colors.
    Counts(PathBuf, Vec<(u32, u32)>),
    /// A row of a trial list, from 1.
    List(PathBuf, usize),
    /// A rule set and a parameter set of one line.
    Modified(PathBuf, PathBuf),
    /// The series of a trial list or of a plan, all or one row of it.
    Plan {
        /// The trial list, or the folder of the plan.
        plan: PathBuf,
        /// A parameter set of one line whose columns replace those of the list.
        modifier: Option<PathBuf>,
        /// A row, from 1.
        row: Option<usize>,
    },
}

/// What a command line of the captive server says.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is played.
    pub source: Source,
    /// How much is told.
    pub verbosity: Verbosity,
    /// Seed of the boards, 0 for one by chance.
    pub seed: i64,
    /// Folder of the files that are named.
    pub folder: Option<PathBuf>,
    /// Shapes and colors in place of the usual ones.
    pub shapes: Option<Vec<String>>,
    /// See `shapes`.
    pub colors: Option<Vec<String>>,
    /// Condition for training and testing boards, and whether boards are for testing to begin with.
    pub condition: Option<(PathBuf, bool)>,
    /// Which trial list of a plan.
    pub list: Option<String>,
    /// Whether pieces may share a cell.
    pub crowded: bool,
    /// Result file.
    pub log: Option<PathBuf>,
    /// Whether result files go on.
    pub append: bool,
    /// Name of the player in result files.
    pub nickname: String,
    /// Number of the run in result files.
    pub run: i64,
    /// Form of the result file.
    pub form: Form,
    /// File for the detailed transcript.
    pub transcript: Option<PathBuf>,
    /// Address to listen at, instead of the standard streams.
    pub listen: Option<String>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            source: Source::Own,
            verbosity: Verbosity::Full,
            seed: 0,
            folder: None,
            shapes: None,
            colors: None,
            condition: None,
            list: None,
            crowded: false,
            log: None,
            append: false,
            nickname: "captive".to_owned(),
            run: 0,
            form: Form::Long,
            transcript: None,
            listen: None,
        }
    }
}

/// How to call the captive server.
pub const USAGE: &str = "Usage:
  captive [options] rules.txt board.json
  captive [options] rules.txt npieces [nshapes ncolors [shapes-list colors-list]]
  captive [options] trial-list-file.csv rowNumber
  captive [options] R:rule-file.txt:modifier-file.csv
  captive [options] trial-list-file.csv | plan-folder | P:plan:modifier-file.csv [rowNumber]
Without a row number all series of a trial list are served, each with as many episodes as its column max_boards says.
Each of npieces, nshapes and ncolors is n for a single value or n1:n2 for a range; 0 means any.
Options: output=FULL|STANDARD|BRIEF seed=N inputDir=DIR shapes=a;b colors=a;b condTrain=FILE condTest=FILE crowded=true
list=NAME (a trial list of a plan)
log=FILE logappend=true log.nickname=NAME log.run=N log.format=Long|Compact detailedTranscript=FILE listen=HOST:PORT";

impl Request {
    /// Reads a command line: `option=value` or `-Doption=value`, mixed with what is played.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn parse(args: &[String]) -> Result<Request, String> {
        let mut request = Request::default();
        let mut plain = Vec::new();
        for arg in args {
            let option = arg.strip_prefix("-D").unwrap_or(arg);
            match option.split_once('=') {
                Some((name, value)) if !name.contains(['/', '\\', ':']) => {
                    request.option(name, value)?
                }
                _ if arg.starts_with('-') => return Err(format!("there is no option `{arg}`")),
                _ => plain.push(arg.as_str()),
            }
        }
        request.source = request.source_of(&plain)?;
        if request.transcript.is_some() && request.log.is_none() {
            return Err("detailedTranscript needs log".to_owned());
        }
        Ok(request)
    }

    fn option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = || format!("`{value}` is no value of {name}");
        let yes = || value.to_lowercase().parse::<bool>().map_err(|_| wrong());
        let list = || {
            Some(
                value
                    .split(';')
                    .map(|word| word.trim().to_owned())
                    .collect(),
            )
        };
        match name {
            "output" => self.verbosity = Verbosity::of(value).ok_or_else(wrong)?,
            "seed" => self.seed = value.parse().map_err(|_| wrong())?,
            "inputDir" => self.folder = Some(value.into()),
            "shapes" => self.shapes = list(),
            "colors" => self.colors = list(),
            // The boards of both are told apart by one condition.
            "condTrain" | "condTest" if self.condition.is_some() => {
                return Err(
                    "condTrain and condTest exclude each other: they say which boards come first"
                        .to_owned(),
                );
            }
            "condTrain" | "condTest" => self.condition = Some((value.into(), name == "condTest")),
            "list" => self.list = Some(value.to_owned()),
            "crowded" => self.crowded = yes()?,
            "log" => self.log = Some(value.into()),
            "logappend" | "log.append" => match yes() {
                Ok(append) => self.append = append,
                // The original takes the name of the file that goes on.
                Err(_) => {
                    self.append = true;
                    self.log = Some(value.into());
                }
            },
            "log.nickname" => self.nickname = value.to_owned(),
            "log.run" => self.run = value.parse().map_err(|_| wrong())?,
            "log.format" => {
                self.form = match value.to_lowercase().as_str() {
                    "long" => Form::Long,
                    "compact" => Form::Compact,
                    _ => return Err(wrong()),
                }
            }
            "detailedTranscript" => self.transcript = Some(value.into()),
            "listen" => self.listen = Some(value.to_owned()),
            _ => return Err(format!("there is no option `{name}`")),
        }
        Ok(())
    }

    /// Whether a name is that of the folder of a plan.
    fn is_folder(&self, name: &str) -> bool {
        let folder = self.folder.clone().unwrap_or_default();
        folder.join(name).is_dir() || folder.join("trial-lists").join(name).is_dir()
    }

    fn source_of(&mut self, plain: &[&str]) -> Result<Source, String> {
        let is = |name: &str, ending: &str| name.to_lowercase().ends_with(ending);
        let Some((&first, rest)) = plain.split_first() else {
            return Ok(Source::Own);
        };
        if let Some(pair) = first.strip_prefix("R:") {
            let (rules, modifier) = pair
                .split_once(':')
                .ok_or("R: needs a rule set and a modifier")?;
            return Ok(Source::Modified(rules.into(), modifier.into()));
        }
        let row_of = |rest: &[&str]| match rest {
            [] => Ok(None),
            [row] => match row.parse::<usize>() {
                Ok(row) if row > 0 => Ok(Some(row)),
                _ => Err("rows of a trial list are numbered from 1".to_owned()),
            },
            _ => Err("after a plan comes the number of a row, or nothing".to_owned()),
        };
        let plan = |plan: &str, modifier: Option<&str>, row: Option<usize>| Source::Plan {
            plan: plan.into(),
            modifier: modifier.map(PathBuf::from),
            row,
        };
        if let Some(pair) = first.strip_prefix("P:") {
            let (name, modifier) = pair
                .split_once(':')
                .ok_or("P: needs a plan and a modifier")?;
            return Ok(plan(name, Some(modifier), row_of(rest)?));
        }
        if is(first, ".csv") {
            return Ok(match row_of(rest)? {
                Some(row) => Source::List(first.into(), row),
                None => plan(first, None, None),
            });
        }
        if !is(first, ".txt") && self.is_folder(first) {
            return Ok(plan(first, None, row_of(rest)?));
        }
        let numbers = |words: &[&str]| {
            words
                .iter()
                .map(|word| range(word))
                .collect::<Result<Vec<_>, _>>()
        };
        if range(first).is_ok() {
            return Ok(Source::Counts(PathBuf::new(), numbers(plain)?));
        }
        match rest {
            [board] if is(board, ".json") => Ok(Source::Board(first.into(), (*board).into())),
            [_] | [_, _, _] => Ok(Source::Counts(first.into(), numbers(rest)?)),
            [a, b, c, shapes, colors] => {
                self.option("shapes", shapes)?;
                self.option("colors", colors)?;
                Ok(Source::Counts(first.into(), numbers(&[a, b, c])?))
            }
            _ => Err("after the rule set comes a board, or one or three numbers".to_owned()),
        }
    }
}

/// `k` or `a:b`.
fn range(text: &str) -> Result<(u32, u32), String> {
    let (a, b) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>();
    match (number(a), number(b)) {
        (Ok(a), Ok(b)) if a <= b => Ok((a, b)),
        _ => Err(format!(
            "`{text}` is neither a number nor a range such as 4:8"
        )),
    }
}
