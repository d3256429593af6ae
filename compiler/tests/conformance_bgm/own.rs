//! Our own games against their perft tables.

use std::path::Path;

use crate::corpus::{case, files, long};
use crate::games::{Memo, explore, perft};
use crate::stages::Stage;

#[test]
fn own_games_have_the_counts_of_their_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/bgm");
    for (stage, path) in Stage::each(|| files(&folder), 1) {
        let case = case(&path, stage);
        let table = std::fs::read_to_string(path.with_extension("perft"));
        let table = table.unwrap_or_else(|_| panic!("{} has a table", case.name));
        let found = explore(&case);
        for line in table.lines() {
            let line = match long() {
                true => line.strip_prefix("long ").unwrap_or(line),
                false => line,
            };
            let words: Vec<&str> = line.split(' ').collect();
            let numbers = words.iter().filter_map(|word| word.parse().ok());
            let numbers: Vec<u64> = numbers.collect();
            match words[0] {
                "all" => {
                    let start = case.interp.initial();
                    let mut memo = Memo::new();
                    for (index, &count) in numbers.iter().enumerate() {
                        let sequences = perft(&case, &start, index + 1, &mut memo);
                        assert_eq!(sequences, count, "{} depth {}", case.name, index + 1);
                    }
                }
                "states" => assert_eq!(Some(&found.states), numbers.first(), "{}", case.name),
                "solve" => {
                    // The solved position is the only end, and as far from the start as any.
                    assert_eq!(found.results.values().sum::<u64>(), 1, "{}", case.name);
                    assert_eq!(Some(&found.farthest), numbers.first(), "{}", case.name);
                }
                "#" | "long" => {}
                other => panic!("{}: `{other}` is no line of a table", case.name),
            }
        }
    }
}
