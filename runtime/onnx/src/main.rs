//! `rulec-onnx`, the command `rulec` with networks: players such as `puct:800:net=FILE.onnx`.

use std::process::ExitCode;

use rulec_onnx::OnnxEvaluator;
use rulec_search::puct::Evaluator;

/// Positions that are judged together, as many as the search gathers as a rule.
const BATCH: usize = 8;

fn main() -> ExitCode {
    rulec_search::network::enable(|path, info| {
        let network = OnnxEvaluator::open(path, info, BATCH).map_err(|error| error.to_string())?;
        Ok(Box::new(network) as Box<dyn Evaluator>)
    });
    rulec_cli::main()
}
