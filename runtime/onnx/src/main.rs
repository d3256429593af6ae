//! `rulec-onnx`, the command `rulec` with networks: players such as `puct:800:net=FILE.onnx`.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, exit};

use rulec_core::Rng;
use rulec_onnx::OnnxEvaluator;
use rulec_search::network::{self, Shapes};
use rulec_search::puct::{Evaluator, Leaf};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [command, file, numbers @ ..] = &words[..]
        && command == network::JUDGE
    {
        return match judge(file, numbers) {
            Ok(()) => ExitCode::SUCCESS,
            // Who asked went away.
            Err(error) if is_gone(&*error) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        };
    }
    network::enable(|path, info, batch| {
        let network = OnnxEvaluator::open(path, info, batch).map_err(|error| error.to_string())?;
        let file = path.to_owned();
        Ok(Box::new(Strict { file, network }) as Box<dyn Evaluator>)
    });
    rulec_cli::main()
}

/// A network whose player does not play on without it.
struct Strict {
    file: PathBuf,
    network: OnnxEvaluator,
}

impl Evaluator for Strict {
    fn evaluate(&self, leaves: &mut [Leaf<'_>], _: &mut Rng) {
        if let Err(error) = self.network.judge_leaves(leaves) {
            eprintln!("error: {}: {error}", self.file.display());
            exit(1);
        }
    }

    fn batch(&self) -> usize {
        self.network.batch()
    }
}

fn is_gone(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Judges positions for another program, see [`network::JUDGE`].
fn judge(file: &str, numbers: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Result<Vec<usize>, _> = numbers.iter().map(|number| number.parse()).collect();
    let [cells, moves, players, batch] = numbers?[..] else {
        return Err(
            "judge wants FILE CELLS MOVES PLAYERS BATCH; games ask for it by themselves".into(),
        );
    };
    let shapes = Shapes {
        cells,
        moves,
        players,
    };
    let (mut asked, mut told) = (
        BufReader::new(io::stdin().lock()),
        BufWriter::new(io::stdout().lock()),
    );
    let network = match OnnxEvaluator::open_for(Path::new(file), shapes, batch) {
        Ok(network) => network,
        Err(error) => {
            let error = error.to_string().replace('\n', " ");
            writeln!(told, "refused {error}")?;
            return Ok(told.flush()?);
        }
    };
    let batch = network.batch();
    let width = |numbers: &[f32]| numbers.len() / batch;
    let (_, payoffs) = network.judge(&vec![0.0; batch * cells])?;
    writeln!(told, "judges {batch} {}", width(&payoffs))?;
    told.flush()?;
    let mut bytes = vec![0; 4];
    while asked.read_exact(&mut bytes[..4]).is_ok() {
        let count = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        if count > batch {
            return Err(format!("{count} positions at once, in place of {batch}").into());
        }
        bytes.resize((4 * count * cells).max(4), 0);
        asked.read_exact(&mut bytes[..4 * count * cells])?;
        let cells: Vec<f32> = network::numbers(&bytes[..4 * count * cells]).collect();
        let (logits, payoffs) = network.judge(&cells)?;
        for numbers in [
            &logits[..count * width(&logits)],
            &payoffs[..count * width(&payoffs)],
        ] {
            told.write_all(&network::bytes(numbers))?;
        }
        told.flush()?;
    }
    Ok(())
}
