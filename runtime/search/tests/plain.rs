//! A game that says no more than it must is counted, searched, hidden and played against itself.

use rulec_core::{
    ChoiceSet, Events, Fault, Game, GameInfo, MoveList, Outcome, PlainGame, Silent, Turn,
};
use rulec_search::{
    perft,
    search::{Method, SearchSettings, best_move},
    selfplay::{SelfplayJob, Temperature, rotated_seats, selfplay},
    start,
};

/// Two players take one, two or three sticks of ten; whoever takes the last one wins.
struct Sticks;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Left {
    sticks: u8,
    player: u8,
}

static INFO: GameInfo = GameInfo {
    name: "Sticks",
    players: &["a", "b"],
    move_count: 4,
    ..GameInfo::EMPTY
};

impl Game for Sticks {
    type State = Left;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn initial(&self) -> Left {
        let (sticks, player) = (10, 0);
        Left { sticks, player }
    }

    fn turn(&self, left: &Left) -> Turn {
        match left.sticks {
            0 => Turn::Over,
            _ => Turn::Decide(1 << left.player),
        }
    }

    fn legal_moves(&self, left: &Left, out: &mut MoveList<u8>) -> Result<(), Fault> {
        out.extend(1..=left.sticks.min(3));
        Ok(())
    }

    fn play<E: Events>(&self, left: &mut Left, taken: u8, _: &mut E) {
        left.sticks -= taken;
        left.player = 1 - left.player;
    }

    fn outcome(&self, left: &Left) -> Option<Outcome> {
        (left.sticks == 0).then(|| Outcome::win(usize::from(1 - left.player)))
    }

    fn move_code(&self, taken: u8) -> u64 {
        taken.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code)
            .ok()
            .filter(|taken| (1..4).contains(taken))
    }

    fn write_move(&self, taken: u8, out: &mut String) {
        out.push_str(&taken.to_string());
    }
}

impl PlainGame for Sticks {}

#[test]
fn it_is_counted_and_searched() {
    let counted = perft::count(&Sticks, &Sticks.initial(), 4, ChoiceSet::All);
    assert_eq!(counted.depths, [1, 3, 9, 27, 76]);
    let settings = SearchSettings::games(Method::Uct, 2_000, 1);
    let best = best_move(&Sticks, &Sticks.initial(), &settings);
    assert_eq!(best, Some(2), "eight are lost for the other");
}

#[test]
fn its_positions_are_texts() {
    let hidden = start(&Sticks);
    assert_eq!(hidden.text(), "Left { sticks: 10, player: 0 }");
    assert!(hidden.read(&hidden.text()).is_ok());
    let mut other = Sticks.initial();
    Sticks.play(&mut other, 1, &mut Silent);
    let wrong = hidden.read(&format!("{other:?}")).map(|_| ());
    let wrong = wrong.expect_err("only the start is read");
    assert_eq!(
        wrong.to_string(),
        "expected `10, player: 0 }` at position 16, found `9, player: 1 }`"
    );
    assert_eq!(hidden.parse_move("3"), [3]);
}

#[test]
fn it_is_played_by_bots() {
    let bot = |text: &str| text.parse().expect("a bot");
    let job = SelfplayJob {
        seed: 1,
        limit: 100,
        bots: vec![bot("uct:200"), bot("random")],
        seats: rotated_seats(2, 2),
        temperature: Temperature::default(),
        noise: None,
        openings: Vec::new(),
        random_plies: (0, 0),
    };
    let report = selfplay(&*start(&Sticks), &job, 0..40, 2, &mut |_| true);
    let report = report.expect("nothing is written");
    assert_eq!(report.tally.results.total(), 40);
    assert!(report.mean_payoff(0) > 0.8, "{}", report.mean_payoff(0));
}
