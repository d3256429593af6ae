//! Whether what holds of an image is the image of what holds.

use std::collections::BTreeSet;

use rulec_compiler::ir;
use rulec_core::{
    ChanceList, Game, Identities, MoveArgs, MoveList, Observe, Rng, Silent, Symmetry, Turn,
};
use rulec_interpreted::InterpretedGame;

pub(crate) type State = <InterpretedGame as Game>::State;
pub(crate) type Move = <InterpretedGame as Game>::Move;

/// What can happen in a position.
pub(crate) fn choices(game: &InterpretedGame, state: &State) -> MoveList<Move> {
    let mut moves = MoveList::new();
    match game.turn(state) {
        Turn::Over => {}
        Turn::Chance => {
            let mut results = ChanceList::new();
            game.chance_outcomes(state, &mut results);
            moves.extend(results.iter().map(|(mv, _)| *mv));
        }
        Turn::Decide(_) => {
            let listed = game.legal_moves(state, &mut moves);
            assert!(listed.is_ok());
        }
    }
    moves
}

/// Families and arguments of what can happen, under a symmetry.
fn told(
    game: &InterpretedGame,
    state: &State,
    symmetry: Option<&Symmetry>,
) -> BTreeSet<(usize, Vec<i64>)> {
    let one = |mv: &Move| {
        let mut args = Vec::new();
        let mut family = game.move_args(*mv, &mut args);
        if let Some(symmetry) = symmetry {
            family = symmetry.move_args(family, &mut args);
        }
        (family, args)
    };
    choices(game, state).iter().map(one).collect()
}

fn seen(game: &InterpretedGame, state: &State) -> Vec<i64> {
    let mut values = Vec::new();
    game.observe(state, &mut values);
    values
}

/// Whether a player is to decide.
fn acts(game: &InterpretedGame, state: &State, player: usize) -> bool {
    match game.turn(state) {
        Turn::Decide(players) => players >> player & 1 == 1,
        Turn::Over | Turn::Chance => false,
    }
}

fn scores(game: &InterpretedGame, state: &State) -> Vec<i64> {
    let mut scores = Vec::new();
    game.scores(state, &mut scores);
    scores
}

pub(crate) fn compare(file: &str, game: &InterpretedGame, state: &State) {
    let info = game.info();
    for (index, symmetry) in info.symmetries.iter().enumerate() {
        let Some(image) = game.image(state, index) else {
            continue;
        };
        assert_eq!(
            told(game, &image, None),
            told(game, state, Some(symmetry)),
            "{file}: moves under {index}"
        );
        let players = (0..info.players.len()).collect::<Vec<_>>();
        let turn = players
            .iter()
            .map(|&player| (symmetry.player(player), acts(game, state, player)));
        let of_image = players
            .iter()
            .map(|&player| (player, acts(game, &image, player)));
        assert_eq!(
            of_image.collect::<BTreeSet<_>>(),
            turn.collect::<BTreeSet<_>>(),
            "{file}: turns under {index}"
        );
        let (before, after) = (scores(game, state), scores(game, &image));
        for (player, score) in before.iter().enumerate() {
            let of_image = after.get(symmetry.player(player));
            assert_eq!(of_image, Some(score), "{file}: scores under {index}");
        }
        let winners = game.outcome(state).map(|outcome| {
            let all = (0..64).filter(|player| outcome.winners >> player & 1 == 1);
            let all = all.map(|player| 1_u64 << symmetry.player(player));
            (outcome.reason, all.fold(0, |set, player| set | player))
        });
        let of_image = game.outcome(&image).map(|o| (o.reason, o.winners));
        assert_eq!(of_image, winners, "{file}: ends under {index}");
        if let Some(planes) = symmetry.planes(info.planes, &seen(game, state)) {
            assert_eq!(seen(game, &image), planes, "{file}: planes under {index}");
        }
    }
}

/// What can be told of a position.
pub(crate) fn key(game: &InterpretedGame, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.identity(state, 0, &mut bytes);
    bytes
}

/// Compares the images of the position that a move leads to with what the images of the move lead to.
pub(crate) fn follow(file: &str, game: &InterpretedGame, [before, after]: [&State; 2], mv: Move) {
    for (index, symmetry) in game.info().symmetries.iter().enumerate() {
        let images = [before, after].map(|state| game.image(state, index));
        let [Some(before), Some(after)] = images else {
            continue;
        };
        let played = play_image(game, &before, symmetry, mv);
        assert_eq!(key(game, &played), key(game, &after), "{file}: {index}");
    }
}

/// The position after the image of a move.
pub(crate) fn play_image(
    game: &InterpretedGame,
    image: &State,
    symmetry: &Symmetry,
    mv: Move,
) -> State {
    let mut args = Vec::new();
    let family = game.move_args(mv, &mut args);
    let wanted = (symmetry.move_args(family, &mut args), args);
    let moves = choices(game, image);
    let found = moves.iter().find(|mv| {
        let mut args = Vec::new();
        (game.move_args(**mv, &mut args), args) == wanted
    });
    let mut played = image.clone();
    game.play(&mut played, *found.expect("it is legal"), &mut Silent);
    played
}

/// Compares images in random games; half of them begin at an image of the start.
pub(crate) fn walk(file: &str, game: &InterpretedGame, games: u64, moves: usize) {
    let symmetries = game.info().symmetries.len();
    for stream in 0..games {
        let mut rng = Rng::new(7, stream);
        let mut state = game.initial();
        if stream % 2 == 1 && symmetries > 0 {
            let index = rng.below(symmetries as u32) as usize;
            state = game.image(&state, index).unwrap_or(state);
        }
        for _ in 0..moves {
            compare(file, game, &state);
            let moves = choices(game, &state);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let before = state.clone();
            game.play(&mut state, mv, &mut Silent);
            follow(file, game, [&before, &state], mv);
        }
    }
}

/// The first of each class of things that are alike exchanged with the others, one after the other, as if that were symmetries.
pub(crate) fn exchanges(game: &ir::Game) -> Vec<ir::Symmetry> {
    let mut all = Vec::new();
    for class in game.interchangeable.iter() {
        for other in 1..class.members.len() {
            let mut by = ir::Symmetry {
                families: (0..game.families.len() as u32).collect(),
                ..ir::Symmetry::default()
            };
            swap(
                game,
                &mut by,
                class.domain,
                [0, other].map(|at| class.members[at]),
            );
            if let Some(places) = class.with_places {
                let own = class.places[0].iter().zip(&class.places[other]);
                own.for_each(|(a, b)| swap(game, &mut by, places, [*a, *b]));
            }
            all.push(by);
        }
    }
    all
}

/// Exchanges two members of a domain.
fn swap(game: &ir::Game, by: &mut ir::Symmetry, domain: ir::DomainId, [a, b]: [u32; 2]) {
    let all = || (0..game.domain(domain).len() as u32).collect();
    for member in by.members.entry(domain).or_insert_with(all) {
        *member = match *member {
            m if m == a => b,
            m if m == b => a,
            m => m,
        };
    }
}

/// A game that tells of these symmetries.
pub(crate) fn telling(mut game: ir::Game, all: Vec<ir::Symmetry>) -> InterpretedGame {
    let told = ir::Symmetries {
        all,
        ..ir::Symmetries::default()
    };
    game.symmetries = ir::Later::by(move || told);
    InterpretedGame::new(game).expect("it is sound")
}
