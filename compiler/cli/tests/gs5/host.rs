//! Hosting for people: picks, points, incentives, players, plans, transcripts.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use crate::{own, rulec, scratch, text};

/// The rules that all plans speak of: written once, as other tests read them at the same time.
static RULES: LazyLock<()> = LazyLock::new(|| {
    let rules = scratch("plans").join("rules");
    std::fs::create_dir_all(&rules).expect("a folder can be made");
    for (name, text) in [("any.txt", "()\n"), ("second.txt", "(bucket:1)\n")] {
        std::fs::write(rules.join(name), text).expect("it can be written");
    }
});

/// A folder with a plan of the project's own.
fn plan(name: &str, lists: &[(&str, &str)]) -> PathBuf {
    LazyLock::force(&RULES);
    let folder = scratch("plans").join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    for (list, rows) in lists {
        std::fs::write(folder.join(format!("{list}.csv")), rows).expect("it can be written");
    }
    folder
}

fn host(file: &Path, more: &[&str], lines: &str) -> Vec<Value> {
    let mut args = vec!["host".to_owned(), file.display().to_string()];
    args.extend(["--seed", "5", "--json"].map(str::to_owned));
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    let output = rulec(&args, lines.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let told = String::from_utf8(output.stdout).expect("it is text");
    told.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect()
}

fn codes(answers: &[Value]) -> Vec<i64> {
    answers
        .iter()
        .filter_map(|answer| answer["code"].as_i64())
        .collect()
}

/// `id:0 0` to `id:8 0`.
fn clear(from: usize, to: usize) -> String {
    (from..to).map(|id| format!("id:{id} 0\n")).collect()
}

#[test]
fn picks_ask_and_count() {
    let file = own("around.txt");
    // The first piece may go anywhere, the next to one bucket only.
    let lines = "pick id:0\nid:0 0\nid:1 0\nid:1 1\npick id:0\npick 40\npick\n13\nid:2 7\nhello world again\n";
    let answers = host(&file, &[], lines);
    assert_eq!(
        codes(&answers),
        [0, 0, 4, 0, -10, 3, -1, -1, -2, -1],
        "{answers:?}"
    );
    let attempts: Vec<u64> = answers
        .iter()
        .filter_map(|a| a["attempts"].as_u64())
        .collect();
    assert_eq!(attempts, [1, 2, 3, 4, 4, 4]);
}

#[test]
fn points_fall_with_errors_and_doubles_hold() {
    let rows = "rule_id,max_boards,min_objects,max_objects,min_points,max_points,b,x2_after,x4_after\n\
                any,3,4,4,2,10,1.5,5,100\nsecond,1,4,4,2,10,1.5,1000,1000\n";
    let folder = plan("doubling", &[("trial_1", rows), ("defect", "nothing\n")]);
    // Eight good moves in a row: the factor is promised in the second episode and holds at its end.
    let second = "id:0 0\nid:0 1\nid:1 1\nid:2 1\nid:3 1\n";
    let lines = format!(
        "{}next\n{}next\n{}next\n{second}next\n",
        clear(0, 4),
        clear(0, 4),
        clear(0, 4)
    );
    let answers = host(&folder, &[], &lines);
    let ends: Vec<&Value> = answers.iter().filter(|a| a["ended"].is_string()).collect();
    assert_eq!(ends.len(), 4, "{answers:?}");
    let points: Vec<i64> = ends
        .iter()
        .filter_map(|end| end["points"][0].as_i64())
        .collect();
    assert_eq!(points, [10, 10, 10, 9]);
    let totals: Vec<i64> = ends
        .iter()
        .filter_map(|end| end["totals"][0].as_i64())
        .collect();
    assert_eq!(totals, [10, 40, 60, 69]);
    assert_eq!(
        answers.last().map(|a| text(&a["said"])),
        Some("that was all")
    );
}

#[test]
fn four_times_the_points_end_a_series_early() {
    let rows = "rule_id,max_boards,min_objects,max_objects,min_points,max_points,b,x2_likelihood,x4_likelihood,feedback_switches\n\
                second,5,4,4,0,8,1.5,10,60,free\n";
    let folder = plan("likelihood", &[("trial_1", rows)]);
    // A good move is four times as likely as by chance: 4, 16, 64.
    let answers = host(&folder, &[], "id:0 1\nid:1 1\nid:2 1\nid:3 1\nnext\n");
    let promised: Vec<i64> = answers
        .iter()
        .filter_map(|a| a["factor_promised"].as_i64())
        .collect();
    assert_eq!(promised, [1, 2, 4, 4], "{answers:?}");
    assert_eq!(codes(&answers), [0, 0, 0, -4]);
    let end = answers
        .iter()
        .find(|a| a["ended"].is_string())
        .expect("an end");
    assert_eq!(
        (text(&end["ended"]), end["finish"].as_i64()),
        ("early win", Some(5))
    );
    assert_eq!(end["totals"][0], 32);
}

#[test]
fn a_bonus_is_won_by_boards_in_a_row_and_lost_by_errors() {
    let rows = "rule_id,max_boards,min_objects,max_objects,min_points,max_points,b,activate_bonus_at,clear_how_many,bonus_extra_pts,clearing_threshold\n\
                second,9,4,4,0,8,1.5,2,2,30,1.3\n";
    let folder = plan("bonus", &[("trial_1", rows)]);
    let good = "id:0 1\nid:1 1\nid:2 1\nid:3 1\n";
    // Too early, then won.
    let won = host(
        &folder,
        &[],
        &format!("bonus\n{good}next\nbonus\n{good}next\n{good}next\n"),
    );
    let ends: Vec<&Value> = won.iter().filter(|a| a["ended"].is_string()).collect();
    let bonus: Vec<i64> = ends
        .iter()
        .filter_map(|end| end["bonus"].as_i64())
        .collect();
    assert_eq!(bonus, [0, 0, 30], "{won:?}");
    assert_eq!(text(&won[1]["said"]), "there is no bonus to begin now");
    // Four pieces allow five attempts: after two errors the rest does not suffice.
    let lost = host(
        &folder,
        &[],
        &format!("{good}next\nbonus\nid:0 0\nid:0 0\nid:0 1\nid:1 1\nid:2 1\nid:3 1\nnext\n"),
    );
    let end = lost
        .iter()
        .filter(|a| a["ended"].is_string())
        .nth(1)
        .expect("an end");
    assert_eq!(
        (
            text(&end["ended"]),
            end["finish"].as_i64(),
            end["points"][0].as_i64()
        ),
        ("lost", Some(4), Some(0))
    );
    assert_eq!(lost.last().map(|a| text(&a["said"])), Some("that was all"));
}

#[test]
fn two_players_take_turns() {
    let rows = "rule_id,max_boards,min_objects,max_objects,min_points,max_points,b\nsecond,1,4,4,0,8,1.5\n";
    let together = plan("coop.pair", &[("trial_1", rows)]);
    let answers = host(
        &together,
        &[],
        "1: id:0 1\n1: id:1 1\n2: id:1 1\nid:2 1\nid:3 1\n",
    );
    assert_eq!(codes(&answers), [0, -9, 0, 0, 0]);
    let end = answers.last().expect("an end");
    assert_eq!(end["points"], serde_json::json!([8, 8]), "{answers:?}");
    let against = plan("adve.pair", &[("trial_1", rows)]);
    // The first goes on until an error; each is paid for own removals and errors.
    let answers = host(
        &against,
        &[],
        "id:0 1\nid:1 1\nid:2 1\nid:3 0\n1: id:3 1\n2: id:3 1\n",
    );
    assert_eq!(codes(&answers), [0, 0, 0, 4, -9, 0]);
    let end = answers.last().expect("an end");
    // 8/(1+exp(-1.5)) times three quarters, and 8/(1+exp(-3)) times one quarter.
    assert_eq!(end["points"], serde_json::json!([5, 2]), "{answers:?}");
}

#[test]
fn modifiers_replace_columns_of_plans() {
    let rows = "rule_id,max_boards,min_objects,max_objects\nany,2,4,4\nsecond,2,5,5\n";
    plan("modified", &[("trial_1", rows)]);
    let folder = scratch("plans");
    let modifiers = folder.join("modifiers");
    std::fs::create_dir_all(&modifiers).expect("a folder can be made");
    std::fs::write(
        modifiers.join("six.csv"),
        "max_boards,min_objects,max_objects\n1,6,6\n",
    )
    .expect("it can be written");
    let input = format!("inputDir={}", folder.display());
    let args = |plan: &str| ["captive", &input, "seed=2", "output=BRIEF", plan].map(str::to_owned);
    let output = rulec(&args("P:modified:six"), b"NEW\nNEW\nEXIT\n");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let boards = told.lines().filter(|line| line.starts_with('{'));
    let pieces: Vec<usize> = boards
        .map(|line| line.matches("\"id\":").count() - 1)
        .collect();
    // One board of each series, and then there is nothing more.
    assert_eq!(
        pieces,
        [6, 6],
        "{told} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        told.contains("-4 0 0\n# All series of the plan are over"),
        "{told}"
    );
    let plain = rulec(
        &["captive", &input, "seed=2", "output=BRIEF", "modified", "2"].map(str::to_owned),
        b"EXIT\n",
    );
    let told = String::from_utf8_lossy(&plain.stdout).into_owned();
    assert_eq!(told.matches("\"id\":").count() - 1, 5, "{told}");
}

#[test]
fn transcripts_have_the_columns_of_the_original() {
    let file = own("around.txt");
    let folder = scratch("transcripts");
    let (long, short) = (folder.join("long.csv"), folder.join("short.csv"));
    for path in [&long, &short] {
        let _ = std::fs::remove_file(path);
    }
    let paths = [long.display().to_string(), short.display().to_string()];
    let more = [
        "--name",
        "ann",
        "--transcript",
        &paths[0],
        "--short-transcript",
        &paths[1],
    ];
    host(
        &file,
        &more,
        "pick id:0\nid:0 3\nid:77 1\nid:1 3\nnext\nid:0 0\n",
    );
    let read = |path: &Path| std::fs::read_to_string(path).expect("it was written");
    let (long, short) = (read(&long), read(&short));
    let cells = |text: &str| -> Vec<Vec<String>> {
        text.lines()
            .skip(1)
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect()
    };
    assert!(
        short.starts_with("#pid,episodeId,moveNo,timestamp,mover,objectId,y,x,by,bx,code\n"),
        "{short}"
    );
    let rows = cells(&short);
    let codes: Vec<&str> = rows.iter().map(|row| row[10].as_str()).collect();
    assert_eq!(codes, ["0", "0", "4", "0"], "{short}");
    assert_eq!(
        (rows[0][8].as_str(), rows[1][8].as_str()),
        ("", "0"),
        "{short}"
    );
    assert_ne!(
        rows[2][1], rows[3][1],
        "the second episode has a name of its own"
    );
    let rows = cells(&long);
    let left: Vec<&str> = rows.iter().map(|row| row[18].as_str()).collect();
    assert_eq!(left, ["9", "8", "8", "8"], "{long}");
    assert_eq!(
        (rows[0][0].as_str(), rows[3][4].as_str()),
        ("ann", "1"),
        "{long}"
    );
}
