//! Networks made in place, of one layer each, and what a search does with them.

#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod game;

use prost::Message;
use rulec_core::{Game, Rng, StateText};
use rulec_onnx::{OnnxError, OnnxEvaluator};
use rulec_search::puct::{Evaluator, Leaf, puct_with};
use rulec_search::search::{Method, SearchSettings};
use rulec_search::{State, start};
use tract_onnx::pb::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, tensor_shape_proto, type_proto,
};

const CELLS: usize = 18;
const MOVES: usize = 9;
const FLOAT: i32 = 1;

/// A layer without activation: `weights` has a row for each number of the position.
struct Layer {
    name: &'static str,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    /// The same output for every position.
    fn constant(name: &'static str, bias: &[f32]) -> Self {
        Self {
            name,
            weights: vec![0.0; CELLS * bias.len()],
            bias: bias.to_vec(),
        }
    }
}

fn tensor(name: String, dims: &[usize], data: &[f32]) -> TensorProto {
    TensorProto {
        name,
        dims: dims.iter().map(|&dim| dim as i64).collect(),
        data_type: FLOAT,
        float_data: data.to_vec(),
        ..TensorProto::default()
    }
}

fn told(name: &str, width: usize) -> ValueInfoProto {
    use tensor_shape_proto::{Dimension, dimension::Value};
    let dim = |value| Dimension {
        denotation: String::new(),
        value: Some(value),
    };
    let shape = TensorShapeProto {
        dim: vec![
            dim(Value::DimParam("n".to_owned())),
            dim(Value::DimValue(width as i64)),
        ],
    };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto {
            denotation: String::new(),
            value: Some(type_proto::Value::TensorType(type_proto::Tensor {
                elem_type: FLOAT,
                shape: Some(shape),
            })),
        }),
        doc_string: String::new(),
    }
}

/// The bytes of a network of independent layers on one input of so many numbers.
fn network(cells: usize, layers: &[Layer]) -> Vec<u8> {
    let mut graph = GraphProto {
        name: "network".to_owned(),
        input: vec![told("position", cells)],
        ..GraphProto::default()
    };
    for Layer {
        name,
        weights,
        bias,
    } in layers
    {
        let of = |part: &str| format!("{name}.{part}");
        graph.initializer.extend([
            tensor(of("weights"), &[cells, bias.len()], weights),
            tensor(of("bias"), &[bias.len()], bias),
        ]);
        graph.node.push(NodeProto {
            op_type: "Gemm".to_owned(),
            name: of("layer"),
            input: vec!["position".to_owned(), of("weights"), of("bias")],
            output: vec![(*name).to_owned()],
            ..NodeProto::default()
        });
        graph.output.push(told(name, bias.len()));
    }
    let model = ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto {
            domain: String::new(),
            version: 13,
        }],
        graph: Some(graph),
        ..ModelProto::default()
    };
    model.encode_to_vec()
}

fn open(layers: &[Layer]) -> OnnxEvaluator {
    OnnxEvaluator::read(&network(CELLS, layers), game::TicTacToe.info(), 4)
        .expect("the network fits the game")
}

fn leaf<'g>(state: State<'g>, moves: &[u64]) -> Leaf<'g> {
    Leaf {
        state,
        moves: moves.to_vec(),
        policy: vec![1.0; moves.len()],
        payoffs: vec![0.5; 2],
    }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-5
}

/// Logits that prefer one cell.
fn fond_of(cell: usize) -> Layer {
    let mut bias = [0.0; MOVES];
    bias[cell] = 5.0;
    Layer::constant("policy", &bias)
}

#[test]
fn a_search_follows_the_policy() {
    for cell in [0, 4, 7] {
        // The outputs in the other order: they are found by their names.
        let network = open(&[Layer::constant("value", &[0.5, 0.5]), fond_of(cell)]);
        let settings = SearchSettings::games(Method::Puct, 40, 1);
        let start = start(&game::TicTacToe);
        let report = puct_with(&*start, &settings, &network, &mut |_| true);
        let best = report.moves.first().expect("a best move");
        assert_eq!(best.code, cell as u64);
        assert!(best.visits > 20, "{} visits", best.visits);
    }
}

#[test]
fn policies_are_soft_maxima_over_legal_moves() {
    let network = open(&[fond_of(4), Layer::constant("value", &[0.25])]);
    let with = game::TicTacToe
        .parse_state("x../.../...")
        .expect("a position");
    let hidden = |state| rulec_search::hide(&game::TicTacToe, state);
    let mut leaves = vec![
        leaf(start(&game::TicTacToe), &[0, 4, 8]),
        leaf(hidden(with), &[1, 2]),
    ];
    network.evaluate(&mut leaves, &mut Rng::new(1, 1));
    let ratio = f64::from(leaves[0].policy[1] / leaves[0].policy[0]);
    assert!((ratio - 5f64.exp()).abs() < 0.01, "{ratio}");
    assert_eq!(leaves[0].policy[0], leaves[0].policy[2]);
    assert_eq!(leaves[1].policy[0], leaves[1].policy[1]);
    // One value is that of the player to move: cross at the start, nought afterwards.
    assert!(near(leaves[0].payoffs[0], 0.25) && near(leaves[0].payoffs[1], 0.75));
    assert!(near(leaves[1].payoffs[1], 0.25) && near(leaves[1].payoffs[0], 0.75));
}

#[test]
fn a_network_sees_the_planes_in_order() {
    // The value of each player is how many cells are his, in tenths; more leaves than are judged at once.
    let mut weights = vec![0.0; CELLS * 2];
    for cell in 0..9 {
        weights[cell * 2] = 0.1;
        weights[(9 + cell) * 2 + 1] = 0.1;
    }
    let value = Layer {
        name: "value",
        weights,
        bias: vec![0.0; 2],
    };
    let network = open(&[fond_of(0), value]);
    let texts = [
        "x../.../...",
        "xo./.../...",
        "xo./x../...",
        "xo./xo./...",
        ".../xx./o..",
    ];
    let mut leaves: Vec<Leaf<'_>> = texts
        .iter()
        .map(|text| {
            let state = game::TicTacToe.parse_state(text).expect("a position");
            leaf(rulec_search::hide(&game::TicTacToe, state), &[8])
        })
        .collect();
    network.evaluate(&mut leaves, &mut Rng::new(1, 1));
    for (leaf, text) in leaves.iter().zip(texts) {
        for (payoff, mark) in leaf.payoffs.iter().zip(['x', 'o']) {
            let count = text.chars().filter(|&c| c == mark).count();
            assert!(near(*payoff, count as f64 / 10.0), "{text}: {payoff}");
        }
    }
}

#[test]
fn networks_for_other_games_are_refused() {
    let info = game::TicTacToe.info();
    let policy = || fond_of(0);
    let value = || Layer::constant("value", &[0.5]);
    let wide = Layer {
        name: "policy",
        weights: vec![0.0; 20 * MOVES],
        bias: vec![0.0; MOVES],
    };
    let wide_value = Layer {
        name: "value",
        weights: vec![0.0; 20],
        bias: vec![0.0],
    };
    for (bytes, part) in [
        (network(20, &[wide, wide_value]), "input has the shape"),
        (network(CELLS, &[policy()]), "outputs are"),
        (
            network(CELLS, &[Layer::constant("policy", &[0.0; 8]), value()]),
            "policy",
        ),
        (
            network(CELLS, &[policy(), Layer::constant("value", &[0.0; 3])]),
            "value",
        ),
    ] {
        match OnnxEvaluator::read(&bytes, info, 4) {
            Err(OnnxError::Shape { what, .. }) => assert_eq!(what, part),
            Err(error) => panic!("{part}: {error}"),
            Ok(_) => panic!("{part}: taken"),
        }
    }
    let garbage = OnnxEvaluator::read(b"no network", info, 4);
    assert!(matches!(garbage, Err(OnnxError::Network(_))));
    let missing = OnnxEvaluator::open("missing.onnx".as_ref(), info, 4);
    assert!(matches!(missing, Err(OnnxError::Network(_))));
}

#[test]
fn what_makes_no_sense_is_told() {
    let state = start(&game::TicTacToe);
    let mut moves = Vec::new();
    let listed = state.moves(rulec_core::ChoiceSet::Distinct, &mut moves);
    listed.expect("no rule fails");
    // Infinite weights of cells that are 0 give no number.
    let endless = |name, width: usize| Layer {
        name,
        weights: vec![f32::INFINITY; CELLS * width],
        bias: vec![0.0; width],
    };
    let policy = || Layer::constant("policy", &[0.0; MOVES]);
    let value = |payoff| Layer::constant("value", &[payoff]);
    for (policy, value, says) in [
        (endless("policy", MOVES), value(0.5), "no number"),
        (policy(), endless("value", 1), "no number"),
        (policy(), value(-1.0), "from 0 (lost) to 1 (won)"),
        (policy(), value(7.0), "from 0 (lost) to 1 (won)"),
    ] {
        let layers = [policy, value];
        let mut leaves = [leaf(state.fork(), &moves)];
        let told = open(&layers).judge_leaves(&mut leaves);
        let told = told.expect_err("it makes no sense").to_string();
        assert!(told.contains(says), "{told}");
        assert_eq!(leaves[0].payoffs, [0.5, 0.5]);
    }
}
