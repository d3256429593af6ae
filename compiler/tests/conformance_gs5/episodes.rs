//! Recorded episodes: acceptance tables, rows, counters, codes.

use std::collections::{BTreeMap, BTreeSet};

use rulec_compiler::ir::{Episode, VarId};
use rulec_interp::{Interp, Reason, State, Value};
use serde_json::Value as Json;

use crate::corpus::{compile, files, folder, json, list, text};
use crate::stages::Stage;

/// Files with their texts, and settings.
type Declared = (Vec<(String, String)>, Vec<(&'static str, String)>);

/// The pieces of some cases as files and settings, with one more setting for crowded boards.
pub(crate) fn pieces(cases: &[&Json], crowded: bool) -> Declared {
    let mut shapes = BTreeSet::new();
    let mut colors = BTreeSet::new();
    let mut tables: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    let mut most = 1;
    for piece in cases.iter().flat_map(|case| list(&case["board"])) {
        if piece["image"].is_string() {
            let own = piece["props"].as_object().expect("properties");
            let columns: Vec<String> = own.keys().cloned().collect();
            let mut cells = vec![text(&piece["image"]).to_owned()];
            cells.extend(own.values().map(|value| text(value).to_owned()));
            tables.entry(columns).or_default().insert(cells);
        } else {
            shapes.insert(text(&piece["shape"]));
            colors.insert(text(&piece["color"]));
        }
    }
    for case in cases {
        most = most.max(list(&case["board"]).len());
    }
    let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
    let files = tables.iter().enumerate().map(|(index, (columns, rows))| {
        let mut csv = String::from("image");
        for column in columns {
            csv.push_str(&format!(",{column}"));
        }
        for row in rows {
            csv.push('\n');
            csv.push_str(&row.iter().map(quoted).collect::<Vec<_>>().join(","));
        }
        (format!("properties{index}.csv"), csv)
    });
    let mut settings = vec![
        ("mode", "server".to_owned()),
        ("crowded", crowded.to_string()),
    ];
    settings.push(("pieces", most.to_string()));
    if !shapes.is_empty() {
        let join = |set: &BTreeSet<&str>| set.iter().copied().collect::<Vec<_>>().join(";");
        settings.push(("shape_list", join(&shapes)));
        settings.push(("color_list", join(&colors)));
    }
    (files.collect(), settings)
}

/// Whether pieces share cells.
fn is_crowded(case: &Json) -> bool {
    let cells: BTreeSet<i64> = list(&case["board"])
        .iter()
        .filter_map(|p| p["pos"].as_i64())
        .collect();
    cells.len() < list(&case["board"]).len()
}

struct Walker<'a> {
    interp: &'a Interp,
    episode: &'a Episode,
    state: State,
    /// Units by id.
    units: BTreeMap<i64, u32>,
    cells: BTreeMap<i64, i64>,
    on: BTreeSet<i64>,
}

impl<'a> Walker<'a> {
    fn start(interp: &'a Interp, case: &Json, crowded: bool) -> Walker<'a> {
        let episode = interp.game().episode.as_ref().expect("an episode");
        let domain = match interp.game().var(episode.kinds).ty {
            rulec_compiler::ir::Type::Elem(domain) => interp.game().domain(domain),
            _ => panic!("kinds are members"),
        };
        let mut given: Vec<(VarId, usize, Value)> = Vec::new();
        let (mut units, mut cells) = (BTreeMap::new(), BTreeMap::new());
        let count = interp.game().var(episode.kinds).init.len();
        for unit in 0..count {
            given.push((episode.kinds, unit, Value::Elem(0)));
        }
        for (index, piece) in list(&case["board"]).iter().enumerate() {
            let name = match piece["image"].as_str() {
                Some(image) => image.to_owned(),
                None => format!("{}_{}", text(&piece["color"]), text(&piece["shape"])),
            };
            let kind = (0..domain.len() as u32).find(|kind| domain.member(*kind) == name);
            let kind = kind.unwrap_or_else(|| panic!("no kind {name}"));
            let (id, pos) = (
                piece["id"].as_i64().expect("an id"),
                piece["pos"].as_i64().expect("a cell"),
            );
            let unit = if crowded {
                index as u32
            } else {
                pos as u32 - 1
            };
            given.push((episode.kinds, unit as usize, Value::Elem(kind)));
            if let Some(places) = episode.places {
                given.push((places, unit as usize, Value::Elem(pos as u32 - 1)));
            }
            units.insert(id, unit);
            cells.insert(id, pos);
        }
        let present = units.values().copied().collect();
        given.push((episode.present, 0, Value::Set(present)));
        let state = interp.start(&given).expect("the board fits");
        let on = units.keys().copied().collect();
        Walker {
            interp,
            episode,
            state,
            units,
            cells,
            on,
        }
    }

    fn number(&self, var: VarId, cell: usize) -> i64 {
        match self.interp.var(&self.state, var, cell) {
            Some(Value::Int(n)) => n,
            other => panic!("no number: {other:?}"),
        }
    }

    fn finish(&self) -> i64 {
        match self
            .interp
            .outcome(&self.state)
            .map(|outcome| outcome.reason.clone())
        {
            None => 0,
            Some(Reason::Win) => 1,
            Some(Reason::Stuck) => 2,
            Some(other) => panic!("ended by {other:?}"),
        }
    }

    /// The buckets of a piece, a bit each.
    fn buckets(&self, id: i64) -> i64 {
        let unit = self.units[&id];
        let accepts =
            |bucket: &usize| match self.interp.var(&self.state, self.episode.accepted, *bucket) {
                Some(Value::Set(units)) => units.contains(unit),
                other => panic!("no set: {other:?}"),
            };
        (0..4).filter(accepts).map(|bucket| 1 << bucket).sum()
    }

    fn counters(&self) -> String {
        let shown = |n: i64| if n < 0 { "*".to_owned() } else { n.to_string() };
        let row = self.number(self.episode.row, 0) as usize;
        let atoms = self.episode.atoms[row] as usize;
        let left: Vec<String> = (0..atoms)
            .map(|atom| shown(self.number(self.episode.atoms_left, atom)))
            .collect();
        format!(
            "{} / {}",
            shown(self.number(self.episode.row_left, 0)),
            left.join(",")
        )
    }

    fn check(&self, wanted: &Json, finish: i64) {
        if finish == 2 {
            return;
        }
        assert_eq!(
            self.number(self.episode.row, 0),
            wanted["row"].as_i64().expect("a row"),
            "row"
        );
        assert_eq!(self.counters(), text(&wanted["counters"]), "counters");
        if finish != 0 {
            return;
        }
        let table: BTreeMap<i64, i64> = self.on.iter().map(|&id| (id, self.buckets(id))).collect();
        let recorded = wanted["table"].as_object().expect("a table");
        let recorded = recorded
            .iter()
            .map(|(id, mask)| (id.parse().expect("an id"), mask.as_i64().expect("a mask")));
        let recorded: BTreeMap<i64, i64> = recorded.collect();
        let lacks = |id: &i64| recorded.get(id).copied().unwrap_or(0);
        let wanted: BTreeMap<i64, i64> = self.on.iter().map(|&id| (id, lacks(&id))).collect();
        assert_eq!(table, wanted, "table");
    }

    fn attempt(&mut self, id: i64, bucket: i64) -> i64 {
        if !self.on.contains(&id) {
            return -10;
        }
        let buckets = self.buckets(id);
        if buckets == 0 {
            return 7;
        }
        if buckets & (1 << bucket) == 0 {
            return 4;
        }
        let unit = self.units[&id];
        let game = self.interp.game();
        let (rulec_compiler::ir::Type::Elem(domain), true) =
            (&game.family(self.episode.family).params[1].ty, true)
        else {
            panic!("units are members");
        };
        let name = game.domain(*domain).member(unit);
        let move_text = match self.episode.places {
            Some(_) => format!("id:{name} {bucket}"),
            None => format!("{name} {bucket}"),
        };
        let moves = self.interp.parse_move(&move_text);
        assert_eq!(moves.len(), 1, "{move_text}");
        let legal = self.interp.legal_moves(&self.state).expect("no fault");
        assert!(legal.contains(&moves[0]), "{move_text} is no legal move");
        self.interp.play(&mut self.state, moves[0]);
        self.on.remove(&id);
        0
    }

    fn step(&mut self, step: &[Json]) {
        let number = |index: usize| step[index].as_i64().expect("a number");
        let (code, finish, after) = match text(&step[0]) {
            "m" => (self.attempt(number(1), number(2)), &step[3..5], step.get(5)),
            "c" => {
                let here: Vec<i64> = self
                    .on
                    .iter()
                    .copied()
                    .filter(|id| self.cells[id] == number(1))
                    .collect();
                let code = match here[..] {
                    [] => 3,
                    [id] => self.attempt(id, number(2)),
                    _ => -11,
                };
                (code, &step[3..5], step.get(5))
            }
            _ => {
                let code = match self.on.contains(&number(1)) {
                    true if self.buckets(number(1)) == 0 => 7,
                    true => 0,
                    false => -10,
                };
                (code, &step[2..4], None)
            }
        };
        assert_eq!(code, finish[0].as_i64().expect("a code"), "code");
        assert_eq!(
            self.finish(),
            finish[1].as_i64().expect("a finish code"),
            "finish"
        );
        if let Some(after) = after {
            self.check(after, self.finish());
        }
    }
}

fn run_case(interp: &Interp, case: &Json, crowded: bool) {
    let mut walker = Walker::start(interp, case, crowded);
    let finish = case["start"]["finish"].as_i64().expect("a finish code");
    assert_eq!(walker.finish(), finish, "finish at the start");
    walker.check(&case["start"], finish);
    for step in list(&case["walk"]) {
        walker.step(list(step));
    }
    if case["walk_error"].is_null() && list(&case["walk"]).len() < 200 {
        assert_eq!(
            walker.finish(),
            case["end"]["finish"].as_i64().expect("a finish code")
        );
        assert_eq!(
            walker.on.len() as u64,
            case["end"]["left"].as_u64().expect("a number")
        );
    }
}

#[test]
fn episodes_go_as_recorded() {
    let Some(folder) = folder() else { return };
    let files = files(&folder.join("oracle/rulesets"), "json");
    assert!(!files.is_empty());
    let (mut played, mut refused, mut wrong) = (0, 0, Vec::new());
    for path in files {
        let record = json(&path);
        let rules = match record["rules_file"].as_str() {
            Some(file) => std::fs::read(folder.join(file)).expect("it can be read"),
            None => text(&record["rules_text"]).as_bytes().to_vec(),
        };
        for crowded in [false, true] {
            let cases: Vec<&Json> = list(&record["cases"])
                .iter()
                .filter(|case| is_crowded(case) == crowded)
                .collect();
            if cases.is_empty() {
                continue;
            }
            let (tables, settings) = pieces(&cases, crowded);
            let compiled = compile("rules.txt", &rules, &tables, &settings);
            let Some(game) = compiled.game else {
                let fails = cases.iter().all(|case| !case["error"].is_null());
                match fails {
                    true => refused += cases.len(),
                    false => wrong.push(format!("{}\n{}", path.display(), compiled.findings)),
                }
                continue;
            };
            let interps = Stage::ALL.map(|stage| stage.interpreter(game.clone()));
            for (index, case) in cases.iter().enumerate() {
                if !case["error"].is_null() {
                    refused += 1;
                    continue;
                }
                for interp in &interps {
                    let run = std::panic::AssertUnwindSafe(|| run_case(interp, case, crowded));
                    match std::panic::catch_unwind(run) {
                        Ok(()) => played += 1,
                        Err(error) => {
                            let message =
                                error.downcast_ref::<String>().cloned().unwrap_or_default();
                            wrong.push(format!("{} case {index}: {message}", path.display()));
                        }
                    }
                }
            }
        }
    }
    println!("{played} episodes as recorded, {refused} that the server cannot start");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
