//! Networks in programs of single games: the program `rulec-onnx` judges positions for them.

use std::{
    env,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio, exit},
    sync::Mutex,
};

use rulec_core::{GameInfo, Rng};
use rulec_search::{
    lock,
    network::{self, JUDGE, Shapes},
    puct::{Evaluator, Leaf},
};

/// The variable that names the program.
pub const VARIABLE: &str = "RULEC_ONNX";

/// Opens a network in another program.
pub(crate) fn open(
    file: &Path,
    info: &GameInfo,
    batch: usize,
) -> Result<Box<dyn Evaluator>, String> {
    let shapes = Shapes::of(info);
    let numbers = [shapes.cells, shapes.moves, shapes.players, batch];
    let mut judges = Judges {
        program: program(),
        file: file.to_owned(),
        numbers: numbers.map(|number| number.to_string()),
        shapes,
        batch,
        idle: Mutex::default(),
    };
    let first = judges.start()?;
    judges.batch = first.batch;
    lock(&judges.idle).push(first);
    Ok(Box::new(judges))
}

/// The program that judges: the one that the variable names, else the companion.
fn program() -> PathBuf {
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    named.unwrap_or_else(|| companion("rulec-onnx"))
}

/// A program that comes with this one: it lies beside it, or in the search path.
pub fn companion(name: &str) -> PathBuf {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let here = env::current_exe().ok();
    let beside = here.map(|here| here.with_file_name(&name));
    beside
        .filter(|path| path.exists())
        .unwrap_or_else(|| name.into())
}

/// A network in other programs, one for each thread that asks.
struct Judges {
    program: PathBuf,
    file: PathBuf,
    numbers: [String; 4],
    shapes: Shapes,
    /// Positions that a program judges at once.
    batch: usize,
    /// Programs that wait for a question.
    idle: Mutex<Vec<Judge>>,
}

struct Judge {
    process: Child,
    asked: ChildStdin,
    told: BufReader<ChildStdout>,
    batch: usize,
    /// Payoffs for each position.
    payoffs: usize,
}

impl Judges {
    fn start(&self) -> Result<Judge, String> {
        let mut process = Command::new(&self.program)
            .arg(JUDGE)
            .arg(&self.file)
            .args(&self.numbers)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => format!(
                    "networks need the program {}: in a checkout of rulec, cargo install --path runtime/onnx; or name it in {VARIABLE}",
                    self.program.display()
                ),
                _ => format!("cannot start {}: {error}", self.program.display()),
            })?;
        let (Some(asked), Some(told)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(format!("cannot talk to {}", self.program.display()));
        };
        let mut told = BufReader::new(told);
        let mut line = String::new();
        let read = told.read_line(&mut line);
        read.map_err(|error| format!("{}: {error}", self.program.display()))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = match words[..] {
            ["judges", batch, payoffs] => batch.parse().ok().zip(payoffs.parse().ok()),
            _ => None,
        };
        let Some((batch, payoffs)) = numbers.filter(|&(batch, _)| batch > 0) else {
            let _ = process.wait();
            return Err(match line.trim_end().strip_prefix("refused ") {
                Some(why) => why.to_owned(),
                None => format!("{} judges no networks", self.program.display()),
            });
        };
        Ok(Judge {
            process,
            asked,
            told,
            batch,
            payoffs,
        })
    }

    /// Asks a program that is free, or a new one; what is wrong with its answer, if it gives one.
    fn ask(&self, leaves: &mut [Leaf<'_>]) -> Result<Result<(), &'static str>, String> {
        let idle = lock(&self.idle).pop();
        let mut judge = idle.map_or_else(|| self.start(), Ok)?;
        let told = judge.ask(leaves, self.shapes);
        let told =
            told.map_err(|error| format!("{} went away: {error}", self.program.display()))?;
        lock(&self.idle).push(judge);
        Ok(told)
    }
}

impl Judge {
    fn ask(
        &mut self,
        leaves: &mut [Leaf<'_>],
        shapes: Shapes,
    ) -> io::Result<Result<(), &'static str>> {
        let mut question = (leaves.len() as u32).to_le_bytes().to_vec();
        question.extend(network::bytes(&network::cells(leaves)));
        self.asked.write_all(&question)?;
        let mut answer = vec![0; 4 * leaves.len() * (shapes.moves + self.payoffs)];
        self.told.read_exact(&mut answer)?;
        let numbers: Vec<f32> = network::numbers(&answer).collect();
        let (logits, payoffs) = numbers.split_at(leaves.len() * shapes.moves);
        Ok(network::take_in(leaves, logits, payoffs))
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        // It ends with its input at the latest, but nobody waits for that.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Evaluator for Judges {
    /// A program that went away is started once more; if that does not help, or what it says makes no sense, this program ends, for a
    /// player without its network would be another one.
    fn evaluate(&self, leaves: &mut [Leaf<'_>], _: &mut Rng) {
        for leaves in leaves.chunks_mut(self.batch) {
            let error = match self.ask(leaves).or_else(|_| self.ask(leaves)) {
                Ok(Ok(())) => continue,
                Ok(Err(wrong)) => format!("{}: {wrong}", self.file.display()),
                Err(error) => error,
            };
            eprintln!("error: {error}");
            exit(1);
        }
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn is_elsewhere(&self) -> bool {
        true
    }
}
