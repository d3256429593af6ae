//! Checks shards of training samples and converts them to Parquet and NPZ.

mod blocks;
mod columns;
mod npz;
mod shard;

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use shard::Shard;

/// Check shards of training samples and convert them
#[derive(Parser)]
#[command(
    version,
    after_help = "Examples:\n  rulec-shards data/samples-*.rls\n  rulec-shards data/samples-*.rls --to parquet\n  \
    rulec-shards data/samples-000000.rls --to npz --out npz\n\n\
    Without --to shards are checked only. A converted file has the name of its shard with another ending and appears when\n\
    it is complete. FORMATS.md of rulec-search says what is in them. Exit code 1 tells that a shard is not complete."
)]
struct CommandLine {
    /// The shards
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// What to convert them to
    #[arg(long, value_enum)]
    to: Option<Form>,
    /// Folder of the converted files, made if it is not there; beside the shards if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Columns for data frames: a row a sample
    Parquet,
    /// Arrays for NumPy
    Npz,
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let mut code = ExitCode::SUCCESS;
    if let Some(folder) = line.out.as_ref().filter(|_| line.to.is_some())
        && let Err(error) = fs::create_dir_all(folder)
    {
        // Where nothing can be written, nothing can be told.
        let _ = writeln!(
            io::stderr(),
            "error: cannot make {}: {error}",
            folder.display()
        );
        return ExitCode::from(1);
    }
    for path in &line.shards {
        let told = match handle(path, &line) {
            Ok(text) => writeln!(io::stdout(), "{text}"),
            Err(error) => {
                code = ExitCode::from(1);
                writeln!(io::stderr(), "error: {error:#}")
            }
        };
        if told.is_err() {
            break;
        }
    }
    code
}

fn handle(path: &Path, line: &CommandLine) -> Result<String> {
    let shard = Shard::read(path)?;
    let Some(form) = line.to else {
        return Ok(format!(
            "{}: {} samples of {}",
            path.display(),
            shard.samples(),
            shard.header["game"]
        ));
    };
    let ending = match form {
        Form::Parquet => "parquet",
        Form::Npz => "npz",
    };
    let name = path.with_extension(ending);
    let target = match (&line.out, name.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        (None, _) => name,
        (Some(_), None) => bail!("{} has no name", path.display()),
    };
    let draft = target.with_extension(format!("{ending}.tmp"));
    let written = convert(&shard, form, &draft)
        .and_then(|()| Ok(fs::rename(&draft, &target)?))
        .with_context(|| format!("cannot write {}", target.display()));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&draft);
    }
    written.map(|()| format!("wrote {}", target.display()))
}

fn convert(shard: &Shard, form: Form, draft: &Path) -> Result<()> {
    let mut file = BufWriter::new(File::create(draft)?);
    match form {
        Form::Parquet => columns::write(shard, &mut file)?,
        Form::Npz => npz::write(shard, &mut file)?,
    }
    Ok(file.into_inner()?.sync_all()?)
}
