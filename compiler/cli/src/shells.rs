//! What shells and `man` read: completions and manual pages, both made from the command line.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::CommandLine;
use crate::{Verdict, files, say};

/// Writes the completions of a shell to standard output.
pub(crate) fn completions(shell: Shell) -> Result<Verdict> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "rulec", &mut text);
    say(&String::from_utf8(text).context("completions are text")?)?;
    Ok(Verdict::Good)
}

/// Writes `rulec.1` and a page `rulec-COMMAND.1` for each command to a folder.
pub(crate) fn man(folder: &Path) -> Result<Verdict> {
    files::make_folder(folder)?;
    let mut whole = CommandLine::command();
    // Names such as `rulec check`, and the options that all commands have.
    whole.build();
    page(&whole, "rulec", folder)?;
    for command in whole.get_subcommands() {
        if command.get_name() != "help" {
            page(command, &format!("rulec-{}", command.get_name()), folder)?;
        }
    }
    say(&format!("wrote the manual pages to {}\n", folder.display()))?;
    Ok(Verdict::Good)
}

fn page(command: &clap::Command, name: &str, folder: &Path) -> Result<()> {
    let page = clap_mangen::Man::new(command.clone()).title(name.to_uppercase());
    let mut text = Vec::new();
    page.render(&mut text)
        .context("a page in memory has room")?;
    files::write(&folder.join(format!("{name}.1")), &text)
}
