//! A network in an ONNX file as an [`Evaluator`] of PUCT.
//!
//! # What the network has to be
//! | tensor | shape | meaning |
//! |---|---|---|
//! | its only input, `f32` | `[n, ...]` | [`observe`](rulec_search::AnyState::observe) of `n` positions: all planes, one after the other. What follows `n` may have any shape of as many numbers |
//! | output `policy`, else the first, `f32` | `[n, moves]` | logits of the moves in the order of their dense indexes ([`move_index`](rulec_search::AnyState::move_index)); those of illegal moves are left out |
//! | output `value`, else the second, `f32` | `[n, 1]` or `[n, players]` | payoff, 0 to 1, of the player to move, or of every player |
//!
//! These are the columns of the training samples that `selfplay` writes. Dense indexes are the same in all engines.
//!
//! With one value, the other players of a game for several share what is left.
//!
//! # Example
//! ```no_run
//! use rulec_search::{puct::puct_with, search::{Method, SearchSettings}};
//! # fn think(start: rulec_search::State<'_>) -> Result<(), rulec_onnx::OnnxError> {
//! let network = rulec_onnx::OnnxEvaluator::open("network.onnx".as_ref(), start.info(), 16)?;
//! let settings = SearchSettings::games(Method::Puct, 800, 1);
//! let report = puct_with(&*start, &settings, &network, &mut |_| true);
//! # Ok(())
//! # }
//! ```

use std::panic::catch_unwind;
use std::path::Path;

use rulec_core::{GameInfo, Rng};
use rulec_search::network::{self, Shapes};
use rulec_search::puct::{Evaluator, Leaf};
use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::infer::Factoid;
use tract_onnx::tract_hir::internal::DimLike;

/// Why a network cannot judge a game.
#[derive(Debug, thiserror::Error)]
pub enum OnnxError {
    /// The file cannot be read, or it is no network that can be run.
    #[error("{0:#}")]
    Network(#[from] TractError),
    /// The file is broken in a way that its reader did not expect.
    #[error("the file is no network in ONNX, or a broken one")]
    Broken,
    /// Weights are in another file, as exporters write them, and that is missing.
    #[error(
        "the weights are in {0}, which is missing: keep it beside the network, or export with external_data=False"
    )]
    Apart(String),
    /// The network is not one for this game.
    #[error("the network's {what} {found}, but the game needs {needed}")]
    Shape {
        /// Which part of the network.
        what: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        needed: String,
    },
    /// It runs, but what it says makes no sense.
    #[error("{0}")]
    Nonsense(&'static str),
    /// The game tells nothing that a network could see.
    #[error("the game has no planes that a network could see")]
    NoPlanes,
}

/// A network that judges the positions of one game.
pub struct OnnxEvaluator {
    plan: TypedRunnableModel<TypedModel>,
    /// Positions that are judged together; what is missing is zero.
    batch: usize,
    /// Shape of the input, the batch first.
    input: Vec<usize>,
    policy: usize,
    value: usize,
}

impl OnnxEvaluator {
    /// Reads a network for a game. It judges up to `batch` positions at once, best as many as the search gathers
    /// ([`SearchSettings::batch`](rulec_search::search::SearchSettings::batch), or those of many games); with convolutions one after the other, for these
    /// gain nothing by more positions.
    ///
    /// # Errors
    /// The file is no network, or its tensors are not those of the game.
    pub fn open(file: &Path, info: &GameInfo, batch: usize) -> Result<Self, OnnxError> {
        Self::open_for(file, Shapes::of(info), batch)
    }

    /// As [`OnnxEvaluator::open`], for a game of which only the numbers that it takes and gives are known.
    ///
    /// # Errors
    /// As [`OnnxEvaluator::open`].
    pub fn open_for(file: &Path, shapes: Shapes, batch: usize) -> Result<Self, OnnxError> {
        let onnx = tract_onnx::onnx();
        let proto = onnx.proto_model_for_path(file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        if let Some(missing) = missing_part(&proto, folder) {
            return Err(OnnxError::Apart(missing));
        }
        Self::parse(proto, folder.to_str(), shapes, batch)
    }

    /// Reads a network from bytes, see [`OnnxEvaluator::open`].
    ///
    /// # Errors
    /// As [`OnnxEvaluator::open`].
    pub fn read(mut bytes: &[u8], info: &GameInfo, batch: usize) -> Result<Self, OnnxError> {
        let proto = tract_onnx::onnx().proto_model_for_read(&mut bytes)?;
        Self::parse(proto, None, Shapes::of(info), batch)
    }

    /// Takes a network that was decoded, with the folder of its other files.
    fn parse(
        mut proto: ModelProto,
        folder: Option<&str>,
        shapes: Shapes,
        batch: usize,
    ) -> Result<Self, OnnxError> {
        if let Some(graph) = &mut proto.graph {
            // What the exporter knew of tensors inside. It speaks of a batch of any size, which contradicts the size that is set here.
            graph.value_info.clear();
        }
        // A reader of files that are as they should be stops at one that is not.
        let whole = catch_unwind(|| {
            let parsed = tract_onnx::onnx().parse(&proto, folder)?;
            Self::of(parsed.model, shapes, batch)
        });
        whole.unwrap_or(Err(OnnxError::Broken))
    }

    fn of(model: InferenceModel, shapes: Shapes, batch: usize) -> Result<Self, OnnxError> {
        if shapes.cells == 0 {
            return Err(OnnxError::NoPlanes);
        }
        let convolves = model
            .nodes()
            .iter()
            .any(|node| node.op.name().contains("Conv"));
        let batch = if convolves { 1 } else { batch.clamp(1, 4096) };
        let input = input_shape(&model, batch, shapes.cells)?;
        let names: Vec<String> = model
            .output_outlets()?
            .iter()
            .map(|outlet| model.outlet_label(*outlet).unwrap_or_default().to_owned())
            .collect();
        if names.len() < 2 {
            return Err(shape(
                "outputs are",
                names.len(),
                "2: `policy`, with a logit for each move, and `value`",
            ));
        }
        let named = |name: &str, usual| names.iter().position(|n| n == name).unwrap_or(usual);
        let (policy, value) = (named("policy", 0), named("value", 1));
        let fact = InferenceFact::dt_shape(f32::datum_type(), &input);
        let model = model.with_input_fact(0, fact)?.into_optimized()?;
        let (logits, payoffs) = (
            "logits of its moves",
            "payoffs from 0 to 1: of the player to move, or of each",
        );
        check(&model, policy, "policy", batch, &[shapes.moves], logits)?;
        check(&model, value, "value", batch, &[1, shapes.players], payoffs)?;
        let network = Self {
            plan: model.into_runnable()?,
            batch,
            input,
            policy,
            value,
        };
        // A network that cannot run is found now, where there is somebody to tell.
        network.run(&[])?;
        Ok(network)
    }

    /// What the network says of the numbers of up to a batch of positions.
    fn run(&self, cells: &[f32]) -> TractResult<TVec<TValue>> {
        let mut numbers = cells.to_vec();
        numbers.resize(self.input.iter().product(), 0.0);
        let input = Tensor::from_shape(&self.input, &numbers)?;
        self.plan.run(tvec!(input.into()))
    }

    /// What the network says of up to [`batch`](Evaluator::batch) positions, given by the numbers of their planes one after the other:
    /// logits and payoffs of as many positions as it judges at once, of which those beyond the last one given mean nothing.
    ///
    /// # Errors
    /// The network fails, which it did not when it was opened.
    pub fn judge(&self, cells: &[f32]) -> Result<(Vec<f32>, Vec<f32>), OnnxError> {
        let outputs = self.run(cells)?;
        let numbers = |output: usize| -> TractResult<Vec<f32>> {
            Ok(outputs[output].as_slice::<f32>()?.to_vec())
        };
        Ok((numbers(self.policy)?, numbers(self.value)?))
    }

    /// Judges any number of positions of a search.
    ///
    /// # Errors
    /// The network fails, or what it says makes no sense ([`Leaf::take_in`]). Positions may then be judged in part.
    pub fn judge_leaves(&self, leaves: &mut [Leaf<'_>]) -> Result<(), OnnxError> {
        leaves
            .chunks_mut(self.batch)
            .try_for_each(|leaves| self.judge_batch(leaves))
    }

    fn judge_batch(&self, leaves: &mut [Leaf<'_>]) -> Result<(), OnnxError> {
        let (logits, payoffs) = self.judge(&network::cells(leaves))?;
        // Of as many positions as it judges at once the first ones were asked about.
        let own = |numbers: &[f32]| numbers.len() / self.batch * leaves.len();
        let (logits, payoffs) = (&logits[..own(&logits)], &payoffs[..own(&payoffs)]);
        network::take_in(leaves, logits, payoffs).map_err(OnnxError::Nonsense)
    }
}

impl Evaluator for OnnxEvaluator {
    /// A network that fails while it runs, or says what makes no sense, judges nothing: leaves keep even policies and payoffs of a half. Who
    /// wants to know calls [`OnnxEvaluator::judge_leaves`].
    fn evaluate(&self, leaves: &mut [Leaf<'_>], _: &mut Rng) {
        let _ = self.judge_leaves(leaves);
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

fn shape(what: &'static str, found: impl ToString, needed: impl ToString) -> OnnxError {
    OnnxError::Shape {
        what,
        found: found.to_string(),
        needed: needed.to_string(),
    }
}

/// The shape of the input with the size of the batch in it.
fn input_shape(
    model: &InferenceModel,
    batch: usize,
    cells: usize,
) -> Result<Vec<usize>, OnnxError> {
    let inputs = model.input_outlets()?.len();
    if inputs != 1 {
        let needed = "one: all planes, one after the other";
        return Err(shape("inputs are", inputs, needed));
    }
    let fact = model.input_fact(0)?;
    let rest: Option<Vec<usize>> = fact
        .shape
        .dims()
        .skip(1)
        .map(|dim| dim.concretize().and_then(|dim| dim.to_usize().ok()))
        .collect();
    match rest {
        Some(rest) if !rest.is_empty() && rest.iter().product::<usize>() == cells => {
            Ok(std::iter::once(batch).chain(rest).collect())
        }
        _ => {
            let found = format!("[{:?}]", fact.shape);
            let needed = format!("[n, {cells}], all planes of n positions");
            Err(shape("input has the shape", found, needed))
        }
    }
}

/// The name of a file with weights that is not there.
fn missing_part(proto: &ModelProto, folder: &Path) -> Option<String> {
    let tensors = proto.graph.iter().flat_map(|graph| &graph.initializer);
    let mut parts = tensors.flat_map(|tensor| &tensor.external_data);
    let missing =
        parts.find(|entry| entry.key == "location" && !folder.join(&entry.value).exists());
    missing.map(|entry| entry.value.clone())
}

/// Whether an output has a row of one of the widths for each position.
fn check(
    model: &TypedModel,
    output: usize,
    what: &'static str,
    batch: usize,
    widths: &[usize],
    meaning: &str,
) -> Result<(), OnnxError> {
    let fact = model.output_fact(output)?;
    let found = fact.shape.as_concrete().map(<[usize]>::to_vec);
    let float = fact.datum_type == f32::datum_type();
    let fits = |width: &usize| {
        found.as_ref().is_some_and(|found| {
            found.first() == Some(&batch) && found.iter().product::<usize>() == batch * width
        })
    };
    if float && widths.iter().any(fits) {
        return Ok(());
    }
    let widths: Vec<String> = widths.iter().map(|width| format!("[n, {width}]")).collect();
    // The batch is not of the network.
    let found = fact.shape.iter().enumerate().map(|(axis, dim)| match axis {
        0 if dim.to_usize().is_ok_and(|dim| dim == batch) => "n".to_owned(),
        _ => format!("{dim:?}"),
    });
    Err(shape(
        what,
        format!(
            "has the shape [{}] of {:?}",
            found.collect::<Vec<_>>().join(", "),
            fact.datum_type
        ),
        format!("{} of f32, {meaning}", widths.join(" or ")),
    ))
}
