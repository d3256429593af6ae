//! Turns of several moves on random positions, some of which come back to themselves.

#[path = "common/graph.rs"]
mod graph;

use std::collections::BTreeSet;

use graph::Graph;
use rulec_core::{ChoiceSet, Game, MoveList, Rng, Turn};
use rulec_search::turns::turns;

/// Where the turn from a position can end: what can be reached before somebody else is on turn.
fn ends(game: &Graph, from: usize) -> BTreeSet<usize> {
    let mover = game.turn(&from);
    let (mut met, mut open, mut ends) = (BTreeSet::from([from]), vec![from], BTreeSet::new());
    while let Some(place) = open.pop() {
        let mut list = MoveList::new();
        game.legal_moves(&place, &mut list)
            .expect("no move of a graph faults");
        for &next in list.iter() {
            if game.turn(&next) != mover {
                ends.insert(next);
            } else if met.insert(next) {
                open.push(next);
            }
        }
    }
    ends
}

#[test]
fn turns_that_can_go_round_end_wherever_they_can() {
    let mut rng = Rng::new(5, 0);
    let mut round = 0;
    for _ in 0..300 {
        let game = Graph::random(14, &mut rng);
        if game.turn(&0) == Turn::Over {
            continue;
        }
        let found = turns(&game, &0, ChoiceSet::All).expect("no move of a graph faults");
        let wanted = ends(&game, 0);
        if wanted.is_empty() {
            assert_eq!(found.len(), 1, "a turn that can only go round is one turn");
            round += 1;
            continue;
        }
        let found: BTreeSet<usize> = found.into_iter().map(|end| end.state).collect();
        assert_eq!(found, wanted);
    }
    assert!(round > 0);
}
