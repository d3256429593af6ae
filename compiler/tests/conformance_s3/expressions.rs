//! The bank of expressions and patterns.
//!
//! Where this compiler differs on purpose, the case stands in [`DEVIATIONS`] with the reason; the list is exact.

use std::collections::{BTreeMap, BTreeSet};

use rulec_compiler::diag::Diagnostics;
use rulec_compiler::ir::effects::Effects;
use rulec_compiler::ir::{FaultCode, FuncId, Game, Probe, Type};
use rulec_compiler::lang::s3::{self, Answer, Constant, ast};
use rulec_interp::{Interp, Tag, Value};
use serde_json::{Value as Json, json};

use crate::corpus::{folder, json, load};
use crate::stages::Stage;

/// Cases that have another result here, as `file: case`, and why. Numbers are sections of the language reference.
const DEVIATIONS: &[(&str, &str)] = &[
    (
        r#"expr_cases.json: $A = 1; $B = 2; "$A$B""#,
        "2.3: both variables are printed",
    ),
    (
        "expr_cases.json: IF(true, 1)",
        "2.4: too few arguments are an error",
    ),
    (
        "expr_cases.json: IF true THEN 1 ELSE 2",
        "2.4: the form of the wiki is accepted",
    ),
    (
        "expr_cases.json: FORALL $X=1 TO 3 $X < 4",
        "2.4: the form of the wiki is accepted",
    ),
    (
        r#"expr_cases.json: EMTPY("s(1,1)")"#,
        "2.4: the spelling of the wiki is accepted",
    ),
    (
        "expr_cases.json: { 1 , 2 , 3 } EXCEPTOF { 2 }",
        "2.3: the spelling of the wiki is accepted",
    ),
    (
        r#"expr_cases.json: s($A,1) ~ "s(7,1)""#,
        "3: literal indexes beside variables match",
    ),
    (
        r#"expr_cases.json: s1($A) ~ "s1(2)""#,
        "3: digits in a base name match",
    ),
    (
        "expr_cases.json: PLAYER ~ 1",
        "3: other expressions are evaluated and compared",
    ),
    (
        "expr_cases.json: 1+1 ~ 2",
        "3: other expressions are evaluated and compared",
    ),
    (
        "expr_cases.json: -1 ~ -1",
        "3: other expressions are evaluated and compared",
    ),
    (
        "expr_cases.json: {}",
        "2.1: braces are separators, as in 2017",
    ),
    (
        "expr_cases.json: { }",
        "2.1: braces are separators, as in 2017",
    ),
    (
        r#"expr_cases_2017.json: $A = 1; $B = 2; "$A$B""#,
        "2.3: both variables are printed",
    ),
    (
        "expr_cases_2017.json: IF(true, 1)",
        "2.4: too few arguments are an error",
    ),
    (
        "expr_cases_2017.json: IF true THEN 1 ELSE 2",
        "2.4: the form of the wiki is accepted",
    ),
    (
        "expr_cases_2017.json: FORALL $X=1 TO 3 $X < 4",
        "2.4: the form of the wiki is accepted",
    ),
    (
        r#"expr_cases_2017.json: EMTPY("s(1,1)")"#,
        "2.4: the spelling of the wiki is accepted",
    ),
    (
        "expr_cases_2017.json: { 1 , 2 , 3 } EXCEPTOF { 2 }",
        "2.3: the spelling of the wiki is accepted",
    ),
    (
        r#"expr_cases_2017.json: s($A,1) ~ "s(7,1)""#,
        "3: literal indexes beside variables match",
    ),
    (
        r#"expr_cases_2017.json: s1($A) ~ "s1(2)""#,
        "3: digits in a base name match",
    ),
    (
        "expr_cases_2017.json: PLAYER ~ 1",
        "3: other expressions are evaluated and compared",
    ),
    (
        "expr_cases_2017.json: 1+1 ~ 2",
        "3: other expressions are evaluated and compared",
    ),
    (
        "expr_cases_2017.json: -1 ~ -1",
        "3: other expressions are evaluated and compared",
    ),
    (
        "expr_cases_2017.json: [1]",
        "7: a list is a target with one pending call",
    ),
    (
        "expr_cases_2017.json: [1,2]",
        "7: a list is a target with one pending call",
    ),
    (
        r#"expr_cases_2017.json: ["s(1,1)",NEXTPLAYER]; PLAYER"#,
        "7: a builtin in a list is an error",
    ),
];

/// The codes of what cannot be read at all.
const SYNTAX: [&str; 6] = [
    "S3-E0108", "S3-E0109", "S3-E0110", "S3-E0111", "S3-E0112", "S3-E0113",
];

/// What became of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Value(Json),
    /// A fault, or an error of the compiler that foresees one.
    Error,
    /// It cannot be read.
    Unreadable,
}

/// A game with expressions beside its rules.
struct Bench {
    game: Game,
    evaluation: s3::Evaluation,
}

/// Lowers a game with expressions; in the game file they stand where ends of the game do.
fn bench(name: &str, rules: &[u8], steps: &[&str]) -> Result<Bench, Outcome> {
    let mut text = rules.to_vec();
    for step in steps {
        text.extend(format!("\n[END OF GAME]\nsituation={step}\nwinner=0\n").into_bytes());
    }
    let (sources, tree, mut diagnostics) = load(name, &text);
    let lowered = tree.and_then(|mut tree| {
        let first = tree.endings.len() - steps.len();
        let added = tree.endings.split_off(first);
        let steps: Vec<ast::Expr> = added.into_iter().map(|ending| ending.situation).collect();
        s3::lower_with_steps(&tree, &steps, &sources, &mut diagnostics)
    });
    match lowered {
        Some((game, evaluation)) => Ok(Bench { game, evaluation }),
        None => Err(refusal(&diagnostics)),
    }
}

fn refusal(diagnostics: &Diagnostics) -> Outcome {
    match diagnostics
        .iter()
        .any(|found| SYNTAX.contains(&found.code.code))
    {
        true => Outcome::Unreadable,
        false => Outcome::Error,
    }
}

fn constant_json(value: &Constant) -> Json {
    match value {
        Constant::Int(value) => json!({ "int": value }),
        Constant::Bool(value) => json!({ "bool": value }),
        Constant::Text(text) => json!({ "str": text }),
        Constant::Set(items) => {
            json!({ "set": items.iter().map(constant_json).collect::<Vec<_>>() })
        }
    }
}

fn value_json(game: &Game, value: &Value, ty: &Type) -> Json {
    let member = |domain, member: u32| match game.domain(domain).member(member) {
        text if text == s3::NO_TEXT => String::new(),
        text => text,
    };
    match (value, ty) {
        (Value::Bool(value), _) => json!({ "bool": value }),
        (Value::Wrap(value), _) => json!({ "int": value }),
        (Value::Elem(at), Type::Elem(domain)) => json!({ "str": member(*domain, *at) }),
        (Value::Opt(None), _) => json!({ "str": "" }),
        (Value::Opt(Some(at)), Type::Opt(domain)) => json!({ "str": member(*domain, *at) }),
        (Value::Seq(items), Type::Seq { item, .. }) => {
            let items: Vec<Json> = items
                .iter()
                .map(|value| value_json(game, value, item))
                .collect();
            json!({ "set": items })
        }
        (Value::Tagged(tag, value), _) => {
            let ty = match tag {
                Tag::Elem(domain) => Type::Elem(*domain),
                Tag::Opt(domain) => Type::Opt(*domain),
                tag => tag.ty(),
            };
            value_json(game, value, &ty)
        }
        other => json!({ "other": format!("{other:?}") }),
    }
}

/// The name by which a function is asked for: passes give functions other numbers.
fn probe_name(func: FuncId) -> String {
    format!("function {}", func.index())
}

/// The functions that are asked.
fn functions_asked(evaluation: &s3::Evaluation) -> BTreeSet<FuncId> {
    let answers = evaluation.steps.iter().chain(evaluation.vars.values());
    let mut funcs: BTreeSet<FuncId> = evaluation.player.into_iter().collect();
    for answer in answers {
        match answer {
            Answer::Constant(_) => {}
            Answer::Function(func) => funcs.extend([*func]),
            Answer::Either {
                is_set,
                set,
                scalar,
            } => funcs.extend([*is_set, *set, *scalar]),
        }
    }
    funcs
}

/// The program of a stage with a probe for each function that is asked. What changes the position is looked at as lowered:
/// nothing in a game may ask that.
fn probed(mut game: Game, asked: &BTreeSet<FuncId>, stage: Stage) -> Interp {
    let effects = Effects::of(&game);
    let quiet = asked.iter().all(|func| effects.function(*func).is_guard());
    if !quiet {
        return Stage::Lowered.interpreter(game);
    }
    let probe = |func: &FuncId| Probe {
        name: probe_name(*func),
        func: *func,
    };
    game.probes = asked.iter().map(probe).collect();
    stage.interpreter(game)
}

/// The value of a function on the start of a game.
fn ask(interp: &Interp, func: FuncId) -> Result<Json, FaultCode> {
    let name = probe_name(func);
    let mut probes = interp.game().probes.iter();
    let probe = probes.find(|probe| probe.name == name);
    let func = probe.map_or(func, |probe| probe.func);
    let ty = interp
        .game()
        .function(func)
        .ret
        .clone()
        .expect("it gives a value");
    let answer = interp
        .ask(&interp.initial(), func, &[], &[])
        .map_err(|fault| fault.code)?;
    let value = answer.value.expect("it gives a value");
    Ok(value_json(interp.game(), &value, &ty))
}

fn tell(interp: &Interp, answer: &Answer) -> Result<Json, FaultCode> {
    match answer {
        Answer::Constant(value) => Ok(constant_json(value)),
        Answer::Function(func) => ask(interp, *func),
        Answer::Either {
            is_set,
            set,
            scalar,
        } => {
            let is_set = ask(interp, *is_set)? == json!({ "bool": true });
            ask(interp, if is_set { *set } else { *scalar })
        }
    }
}

/// The results of all steps, the variables after them, and the player after them.
fn evaluate(
    name: &str,
    rules: &[u8],
    steps: &[&str],
    stage: Stage,
) -> (Vec<Outcome>, BTreeMap<String, Json>, Json) {
    let bench = match bench(name, rules, steps) {
        Ok(bench) => bench,
        Err(outcome) => return (vec![outcome], BTreeMap::new(), json!(1)),
    };
    let interp = probed(bench.game, &functions_asked(&bench.evaluation), stage);
    let outcome = |answer: &Answer| match tell(&interp, answer) {
        Ok(value) => Outcome::Value(value),
        Err(_) => Outcome::Error,
    };
    let outcomes: Vec<Outcome> = bench.evaluation.steps.iter().map(outcome).collect();
    let mut vars = BTreeMap::new();
    if outcomes
        .iter()
        .all(|outcome| matches!(outcome, Outcome::Value(_)))
    {
        for (name, answer) in &bench.evaluation.vars {
            match tell(&interp, answer) {
                Ok(value) => {
                    vars.insert(name.clone(), value);
                }
                Err(FaultCode::UnsetVariable) => {}
                Err(code) => panic!("{steps:?}: {code:?}"),
            }
        }
    }
    let player = bench.evaluation.player.map(|func| ask(&interp, func));
    let player = match player {
        Some(Ok(player)) => player["int"].clone(),
        _ => json!(1),
    };
    (outcomes, vars, player)
}

fn check_expression(case: &Json, rules: &[u8], stage: Stage) -> Result<(), String> {
    let game = case["game"].as_str().expect("a game");
    let steps = case["steps"].as_array().expect("steps");
    let texts: Vec<&str> = steps
        .iter()
        .filter_map(|step| step["expr"].as_str())
        .collect();
    let (outcomes, vars, player) = evaluate(game, rules, &texts, stage);
    let expected = |step: &Json| {
        if step.get("value").is_some() {
            Outcome::Value(step["value"].clone())
        } else if step.get("eval_error").is_some() {
            Outcome::Error
        } else {
            Outcome::Unreadable
        }
    };
    for (at, step) in steps.iter().enumerate() {
        let found = outcomes.get(at).unwrap_or(&outcomes[0]);
        let wanted = expected(step);
        // What the original reports while it runs may be found while the rules are read.
        let foreseen = wanted == Outcome::Error && *found == Outcome::Unreadable;
        if *found != wanted && !foreseen {
            return Err(format!("`{}`: {found:?}, not {wanted:?}", texts[at]));
        }
    }
    if !outcomes
        .iter()
        .all(|outcome| matches!(outcome, Outcome::Value(_)))
    {
        return Ok(());
    }
    let wanted: BTreeMap<String, Json> = case["vars_after"]
        .as_object()
        .expect("variables")
        .clone()
        .into_iter()
        .collect();
    if vars != wanted {
        return Err(format!("variables {vars:?}, not {wanted:?}"));
    }
    if player != case["player_after"] {
        return Err(format!("player {player}, not {}", case["player_after"]));
    }
    Ok(())
}

/// The pattern of a rule that is added to a game.
fn rule(rules: &[u8], element: &str, state: &str) -> Option<ast::Rule> {
    let mut text = rules.to_vec();
    let added = format!(
        "\n[GAME RULES]\nname=probe\nelement={element}\nfrom=nowhere\nto=nowhere\nstate={state}\n"
    );
    text.extend(added.into_bytes());
    let (_, tree, _) = load("pattern", &text);
    tree?.rules.swap_remove("probe")
}

fn check_pattern(case: &Json, rules: &[u8]) -> Result<(), String> {
    let pattern = case["pattern"].as_str().expect("a pattern");
    let name = case["name"].as_str().expect("a name");
    let found = rule(rules, pattern, "1").and_then(|rule| {
        let bindings = rule.element.match_name(name)?;
        let bindings = bindings
            .into_iter()
            .map(|(var, value)| (var.to_owned(), json!({ "int": value })));
        Some(Json::Object(bindings.collect()))
    });
    let wanted = (case["matches"] == true).then(|| case["vars"].clone());
    match found == wanted {
        true => Ok(()),
        false => Err(format!(
            "`{pattern}` and `{name}`: {found:?}, not {wanted:?}"
        )),
    }
}

fn check_int_pattern(case: &Json, rules: &[u8], stage: Stage) -> Result<(), String> {
    let pattern = case["pattern"].as_str().expect("a pattern");
    let value = json!({ "int": case["value"] });
    let found = match rule(rules, "nothing", pattern).and_then(|rule| rule.state) {
        Some(ast::IntPattern::Bind(var)) => {
            Some(Json::Object([(var.node, value)].into_iter().collect()))
        }
        Some(ast::IntPattern::Equals(_)) => {
            let (outcomes, ..) = evaluate("pattern", rules, &[pattern], stage);
            (outcomes == [Outcome::Value(value)]).then(|| json!({}))
        }
        None => None,
    };
    let wanted = (case["matches"] == true).then(|| case["vars"].clone());
    match found == wanted {
        true => Ok(()),
        false => Err(format!(
            "`{pattern}` and {value:?}: {found:?}, not {wanted:?}",
            value = case["value"]
        )),
    }
}

fn title(file: &str, case: &Json) -> String {
    match case["steps"].as_array() {
        Some(steps) => {
            let steps: Vec<&str> = steps
                .iter()
                .filter_map(|step| step["expr"].as_str())
                .collect();
            format!("{file}: {}", steps.join("; "))
        }
        None => {
            let other = if case["name"].is_null() {
                &case["value"]
            } else {
                &case["name"]
            };
            format!(
                "{file}: {} ~ {}",
                case["pattern"].as_str().unwrap_or_default(),
                other
            )
        }
    }
}

#[test]
fn expressions_and_patterns_mean_what_they_mean_to_the_originals() {
    let Some(folder) = folder() else { return };
    let mut deviations: BTreeMap<&str, bool> = DEVIATIONS
        .iter()
        .map(|(title, _)| (*title, false))
        .collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in ["expr_cases.json", "expr_cases_2017.json"] {
        let cases = json(&folder.join("oracle").join(file));
        for case in cases.as_array().expect("a list") {
            count += 1;
            let game = case["game"].as_str().unwrap_or("TicTacToe");
            let rules = folder.join(game).join(format!("{game}.s3"));
            let rules = std::fs::read(rules).expect("the rules can be read");
            let result = match case["kind"].as_str() {
                Some("expr") => Stage::ALL
                    .into_iter()
                    .try_for_each(|stage| check_expression(case, &rules, stage)),
                Some("pattern") => check_pattern(case, &rules),
                _ => Stage::ALL
                    .into_iter()
                    .try_for_each(|stage| check_int_pattern(case, &rules, stage)),
            };
            let title = title(file, case);
            if let Err(difference) = result {
                match deviations.get_mut(title.as_str()) {
                    Some(seen) => *seen = true,
                    None => wrong.push(format!("{title}\n    {difference}")),
                }
            }
        }
    }
    assert!(count > 0, "there are cases");
    let unused: Vec<&str> = deviations
        .iter()
        .filter(|(_, seen)| !**seen)
        .map(|(title, _)| *title)
        .collect();
    assert!(unused.is_empty(), "no longer different: {unused:#?}");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
