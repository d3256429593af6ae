//! `rulec captive`, `rulec host` and `rulec learn`: compile all series that the arguments name, and serve them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::Command as Process;

use anyhow::{Context, Result, bail};
use rulec_command as command;
use rulec_search::episode::captive::{self as server, Program};
use rulec_search::episode::host::Course;
use rulec_search::episode::request::{Request, USAGE};

use crate::args::{CaptiveLine, Engine, OnGame};
use crate::plan::{self, Plan};
use crate::rules::{self, Rules};
use crate::runner::Runner;
use crate::{BAD, Verdict, exit_code};

/// Serves a client. What is wrong with the arguments or the rules is told on stderr only, as the original server does.
pub(crate) fn captive(line: &CaptiveLine) -> Result<Verdict> {
    let request = match Request::parse(&line.args) {
        Ok(request) => request,
        Err(message) => return wrong(&message),
    };
    let rules = match Plan::of_request(&request).and_then(|plan| plan.compile()) {
        Ok(rules) => rules,
        Err(error) => return wrong(&format!("{error:#}")),
    };
    if !sound(&rules)? {
        return wrong("cannot create a game generator");
    }
    if line.engine == Engine::Native {
        let [rules] = rules.as_slice() else {
            return wrong("a compiled game is one series: name a row of the trial list");
        };
        let program = rules.program(&rules::toolchain(&line.tools)?)?;
        let status = Process::new(&program)
            .arg("captive")
            .args(&line.args)
            .status()
            .with_context(|| format!("cannot start {}", program.display()))?;
        return Ok(exit_code(status));
    }
    let games = games(&rules, line.engine)?;
    let starts: Vec<_> = games.iter().map(Runner::start).collect();
    let single = starts.len() == 1;
    let programs = starts.iter().map(|start| match single {
        true => Ok(Program::endless(&**start)),
        false => Program::of(&**start),
    });
    let programs = match programs.collect::<Result<Vec<_>, _>>() {
        Ok(programs) => programs,
        Err(message) => return wrong(&message),
    };
    match server::run(&programs, &request, &mut io::stdout().lock()) {
        Ok(()) => Ok(Verdict::Good),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Verdict::Good),
        Err(error) => wrong(&error.to_string()),
    }
}

/// The rules that arguments of the captive server name, a series each.
///
/// # Errors
/// When the arguments make no sense or a file cannot be read. Mistakes in the rules are no errors of this function.
pub fn captive_rules(args: &[String]) -> Result<Vec<Rules>> {
    let request = Request::parse(args).map_err(anyhow::Error::msg)?;
    Plan::of_request(&request)?.compile()
}

fn wrong(message: &str) -> Result<Verdict> {
    writeln!(io::stderr(), "{USAGE}\n{message}")?;
    Ok(Verdict::Code(BAD))
}

/// Tells what is wrong with rules; whether all can be played.
fn sound(rules: &[Rules]) -> Result<bool> {
    for rules in rules.iter().filter(|rules| rules.output.is_none()) {
        rules.show_diagnostics()?;
    }
    Ok(rules.iter().all(|rules| rules.output.is_some()))
}

fn games(rules: &[Rules], engine: Engine) -> Result<Vec<Runner>> {
    let outputs = rules.iter().filter_map(|rules| rules.output.as_ref());
    let games = outputs.map(|output| Runner::new(&output.game, engine));
    games.collect()
}

/// Hosts the series of a plan for people.
pub(crate) fn host(line: &OnGame<command::HostArgs>) -> Result<Verdict> {
    let plan = Plan::of_name(&line.rules.file, &line.rules.with, &line.rules.settings)?;
    let rules = plan.compile()?;
    for rules in &rules {
        rules.show_diagnostics()?;
    }
    if rules.iter().any(|rules| rules.output.is_none()) {
        return Ok(Verdict::Bad);
    }
    if line.engine == Engine::Native {
        let [rules] = rules.as_slice() else {
            bail!("a compiled game is one series: name a row of the trial list with --set row=1");
        };
        let program = rules.program(&rules::toolchain(&line.tools)?)?;
        let arguments = crate::own_arguments(std::env::args_os().skip(1), &line.rules.file);
        let status = Process::new(&program)
            .args(arguments)
            .status()
            .with_context(|| format!("cannot start {}", program.display()))?;
        return Ok(exit_code(status));
    }
    let games = games(&rules, line.engine)?;
    let courses = games.iter().map(|game| Course::of(&*game.start()));
    let courses = courses
        .collect::<Result<Vec<_>, _>>()
        .map_err(anyhow::Error::msg)?;
    let served = command::host(
        courses,
        &plan.name,
        &line.command,
        &mut io::stdin().lock(),
        &mut io::stdout().lock(),
    );
    match served {
        Ok(()) => Ok(Verdict::Good),
        Err(error) if error.exit_code() == 0 => Ok(Verdict::Good),
        Err(error) => Err(error.into()),
    }
}

/// Lets learners play the series of a trial list one after the other, or a rule set.
pub(crate) fn learn(mut line: OnGame<command::LearnArgs>) -> Result<Verdict> {
    let rows = match plan::rows_of(&line.rules)? {
        Some(rows) if rows.len() > 1 => rows,
        Some(rows) if rows.len() == 1 => {
            line.rules = rows[0].args.clone();
            return crate::on_game(line, command::Command::Learn);
        }
        _ => return crate::on_game(line, command::Command::Learn),
    };
    if line.engine == Engine::Native {
        bail!("a compiled game is one series: name a row of the trial list with --set row=1");
    }
    let mut told = BTreeSet::new();
    let mut all = Vec::new();
    for row in &rows {
        let mut rules = Rules::load(&row.args, "all")?;
        rules.leave_out(&mut told);
        rules.show_diagnostics()?;
        all.push(rules);
    }
    if all.iter().any(|rules| rules.output.is_none()) {
        return Ok(Verdict::Bad);
    }
    let games = games(&all, line.engine)?;
    let starts: Vec<_> = games.iter().map(Runner::start).collect();
    let starts: Vec<_> = starts.iter().map(|start| &**start).collect();
    match command::learn(&starts, &line.command, &mut io::stdout().lock()) {
        Ok(()) => Ok(Verdict::Good),
        Err(error) if error.exit_code() == 0 => Ok(Verdict::Good),
        Err(error) => Err(error.into()),
    }
}
