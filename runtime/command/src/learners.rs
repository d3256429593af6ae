//! `learn`: learners that know nothing play a game of episodes, and their errors are shown.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rulec_report::stats::Mean;
use serde_json::{Value, json};

use super::episodes::plus_minus;
use super::{Error, Ticker, emit};
use rulec_search::AnyState;
use rulec_search::episode::learn::{self, Curve, LearnJob, Learner, Results, Series};
use rulec_search::episode::scheme::Scheme;
use rulec_search::files::NewFile;

/// A learner, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LearnerName {
    /// Tries anything
    Random,
    /// Repeats nothing that failed since the last accepted move
    Remembering,
    /// Weighs hypotheses of a small grammar of rules
    Bayes,
    /// All three, to compare
    All,
}

/// Boards of a series that says no number.
const USUAL: usize = 20;

/// Arguments of `learn`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  learn\n  learn --learner bayes --episodes 30 --runs 50 --svg curve.svg\n\n\
    A run plays all series of a trial list one after the other, each with the boards that its column max_boards says: never more.\n\
    What was learnt is kept as long as the rule set stays the same; another one begins without knowledge.\n\n\
    random        tries any piece and any bucket.\n\
    remembering   the same, but nothing twice that failed since the last accepted move; what is immovable is left alone till then.\n\
    bayes         also weighs hypotheses over all boards of a run: an order of the pieces (any; from the top, bottom, left, right,\n\
    \x20             as one reads, from the corners) with a choice of bucket (any; a fixed one; the nearest or so many steps on; so many\n\
    \x20             steps on from the last one, or from the last one of the same shape, color or other property; one for each value of\n\
    \x20             a property). A rule that is none of these it never learns.\n\n\
    Intervals are by the t distribution over the runs; one run has none."
)]
pub struct LearnArgs {
    /// Who learns
    #[arg(long, value_enum, default_value_t = LearnerName::All)]
    pub learner: LearnerName,
    /// Episodes of each series in a run, at most max_boards of a trial list [default: max_boards, else 20]
    #[arg(long, value_name = "N")]
    pub episodes: Option<usize>,
    /// Runs, each by a learner that knows nothing
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub runs: usize,
    /// Seed of boards and learners
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Most attempts of an episode
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub limit: u64,
    /// Draw the learning curve to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

const LEARNERS: [(LearnerName, &str, Learner); 3] = [
    (LearnerName::Random, "random", Learner::Random),
    (
        LearnerName::Remembering,
        "remembering",
        Learner::Remembering,
    ),
    (LearnerName::Bayes, "bayes", Learner::Bayes),
];

/// Lets learners play series one after the other, those of a trial list or a single one.
///
/// # Errors
/// When a game has no episodes or no boards, or writing fails.
pub fn learn<'g>(
    starts: &[&(dyn AnyState<'g> + 'g)],
    args: &LearnArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let series = starts.iter().enumerate();
    let series = series.map(|(number, start)| bounded(*start, args.episodes, number + 1));
    let series = series.collect::<Result<Vec<Series<'_, '_>>, Error>>()?;
    let wanted = |name: LearnerName| args.learner == LearnerName::All || args.learner == name;
    let mut curves: Vec<(&str, Curve)> = Vec::new();
    let mut ticker = Ticker::new();
    for (_, name, learner) in LEARNERS.into_iter().filter(|(own, ..)| wanted(*own)) {
        let job = LearnJob {
            learner,
            runs: args.runs.max(1),
            seed: args.seed,
            limit: args.limit,
        };
        let mut tell = |run: usize| ticker.tell(|| format!("{name}: run {run} of {}", job.runs));
        let results = learn::learn(&series, &job, &mut tell).map_err(Error::User)?;
        curves.push((name, curve(&results)));
    }
    if let Some(path) = &args.svg {
        let rules = series.first().map_or("", |series| series.start.info().name);
        draw(
            path,
            &format!("{rules}: errors by episode, {} runs", args.runs),
            &curves,
        )?;
    }
    let value = || report(args.runs.max(1), &series, &curves);
    emit(out, args.json, value, || table(&series, &curves))
}

/// A series with as many episodes as are asked for and it has; says on stderr where it has fewer.
fn bounded<'s, 'g>(
    start: &'s (dyn AnyState<'g> + 'g),
    asked: Option<usize>,
    number: usize,
) -> Result<Series<'s, 'g>, Error> {
    let info = start.info().episode;
    let info = info.ok_or_else(|| Error::User("the game has no episodes".to_owned()))?;
    let scheme = Scheme::read(info.parameters).map_err(Error::User)?;
    let most = match scheme.boards {
        u64::MAX => None,
        boards => Some(usize::try_from(boards).unwrap_or(usize::MAX)),
    };
    if let (Some(most), Some(asked)) = (most, asked)
        && asked > most
    {
        // Without a reader there is nobody to tell.
        let _ = writeln!(
            io::stderr(),
            "note: series {number} has max_boards {most}, {asked} are asked for"
        );
    }
    let wished = asked.or(most).unwrap_or(USUAL).max(1);
    Ok(Series {
        start,
        episodes: wished.min(most.unwrap_or(usize::MAX)),
    })
}

fn curve(all: &[Results]) -> Curve {
    let mut curve = Curve::default();
    for results in all {
        let mut mean = Mean::default();
        results.errors.iter().for_each(|errors| mean.add(*errors));
        curve.errors.push(mean.mean());
        curve.margins.push(mean.small_margin());
        let runs = mean.count.max(1) as f64;
        curve.cleared.push(results.cleared as f64 / runs);
    }
    curve
}

fn draw(path: &Path, title: &str, curves: &[(&str, Curve)]) -> Result<(), Error> {
    let shown: Vec<(&str, &Curve)> = curves.iter().map(|(name, curve)| (*name, curve)).collect();
    let wrong = |e| Error::User(format!("cannot write {}: {e}", path.display()));
    let mut file = NewFile::create(path).map_err(wrong)?;
    file.write_all(learn::picture(title, &shown).as_bytes())
        .map_err(wrong)?;
    file.finish().map_err(wrong)
}

fn report(runs: usize, series: &[Series<'_, '_>], curves: &[(&str, Curve)]) -> Value {
    let one = |(name, curve): &(&str, Curve)| {
        json!({
            "learner": name,
            "errors": curve.errors,
            "margins": curve.margins,
            "cleared": curve.cleared,
        })
    };
    let series = series.iter();
    let series = series.map(|series| json!({ "rule": series.rule(), "episodes": series.episodes }));
    json!({
        "runs": runs,
        "series": series.collect::<Vec<_>>(),
        "curves": curves.iter().map(one).collect::<Vec<_>>(),
    })
}

/// Errors by episode, a column a learner; each series under a line of its own where there are several.
fn table(series: &[Series<'_, '_>], curves: &[(&str, Curve)]) -> String {
    let mut text = String::from("mean errors (95 % interval) by episode\n  episode");
    // Writing to a string does not fail.
    for (name, _) in curves {
        let _ = write!(text, " {name:>18}");
    }
    text.push('\n');
    let mut episode = 0;
    for (number, one) in (1..).zip(series) {
        if series.len() > 1 {
            let _ = writeln!(text, "series {number}: {}", one.rule());
        }
        for _ in 0..one.episodes {
            let _ = write!(text, "  {:>7}", episode + 1);
            for (_, curve) in curves {
                let margin = plus_minus(curve.margins[episode], 1);
                let shown = format!("{:.1}{margin}", curve.errors[episode]);
                let _ = write!(text, " {shown:>18}");
            }
            text.push('\n');
            episode += 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_runs_have_wide_intervals_and_one_has_none() {
        let results = |errors: &[f64]| Results {
            errors: errors.to_vec(),
            cleared: 1,
        };
        let curve = curve(&[results(&[8.0, 9.0]), results(&[8.0])]);
        let margin = curve.margins[0].expect("two runs");
        assert!((margin - 6.353).abs() < 1e-3, "{margin}");
        assert_eq!((curve.errors[0], curve.margins[1]), (8.5, None));
        assert_eq!(plus_minus(curve.margins[1], 1), "");
    }
}
