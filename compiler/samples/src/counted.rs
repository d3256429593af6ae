//! A sample for what statistics hear of a game.

use super::kit::*;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;

/// A walk around six places, a draw of one to three steps at a time, until it has taken the steps that the limit allows.
///
/// Every place on the way is counted as an item of a sequence, every stop as a member; rounds have no members; what a
/// trial counts that fails is not counted. Steps are a meter.
pub(super) fn counted() -> Game {
    let mut b = GameBuilder::new("counted", "ir", &["walker"]);
    let player = b.game.players;
    let place = numbers(&mut b, "Place", 1, 6);
    let at = plain(&mut b, "at", Type::Elem(place), Const::Elem(0));
    let steps = plain(&mut b, "steps", range(0, 1000), Const::Int(0));
    let limit = plain(&mut b, "limit", range(1, 900), Const::Int(20));
    for var in [steps, limit] {
        b.game.vars[var.index()].meter = true;
    }
    let [passed, stops, rounds, tried] = [
        ("passed", Some(place)),
        ("stops", Some(place)),
        ("rounds", None),
        ("tried", Some(player)),
    ]
    .map(|(name, axis)| {
        b.game.counters.push(Counter {
            name: name.to_owned(),
            axis,
            span: HERE,
        });
        CounterId::from(b.game.counters.len() - 1)
    });
    b.game.meters.push(Meter {
        name: "hours".to_owned(),
        var: steps,
        unit: "h".to_owned(),
        per: 2,
    });
    b.game.limit = Some(limit);
    let way = |from: u32, count: u32| (1..=count).map(move |step| Const::Elem((from + step) % 6));
    let walks = (0..6).flat_map(|from| (1..=3).map(move |count| (from, count)));
    let axes = || vec![Axis::Domain(place), Axis::Range { lo: 1, hi: 3 }];
    let ty = Type::Seq {
        item: Box::new(Type::Elem(place)),
        cap: 3,
    };
    let ways = walks
        .clone()
        .map(|(from, count)| Const::Seq(way(from, count).collect()));
    let ways = table(&mut b, "way", axes(), ty, ways.collect());
    let ends = walks.map(|(from, count)| Const::Elem((from + count) % 6));
    let ends = table(&mut b, "end", axes(), Type::Elem(place), ends.collect());
    let roll = draw(&mut b, "roll", range(1, 3));
    let mut f = FunctionBuilder::new("play", None, HERE);
    let rolled = f.local("rolled", range(1, 3));
    let ok = f.local("ok", Type::Bool);
    let count = |counter, member| stmt(StmtKind::Emit(Emit::Count(counter, member)));
    let look = |b: &GameBuilder, id, f: &FunctionBuilder| {
        Expr::lookup(&b.game, id, vec![get(b, at), f.get(rolled)], HERE)
    };
    let odd = op(BinaryOp::Rem, f.get(rolled), int(2)).equals(int(1));
    let attempt = vec![
        count(tried, Some(elem(player, 0))),
        when(odd, vec![stmt(StmtKind::Fail)]),
    ];
    let done = op(BinaryOp::Ge, get(&b, steps), get(&b, limit));
    let body = vec![
        chance(roll, Distribution::Uniform(int(1), int(3)), rolled),
        trial(attempt, true, ok, None),
        count(passed, Some(look(&b, ways, &f))),
        set(at, look(&b, ends, &f)),
        count(stops, Some(get(&b, at))),
        set(steps, add(get(&b, steps), f.get(rolled))),
        when(
            get(&b, at).equals(elem(place, 0)),
            vec![count(rounds, None)],
        ),
        when(done, vec![end(EndReason::Limit, set_of(player, vec![]))]),
    ];
    b.game.process = b.function(f.body(vec![forever(body)]));
    b.game
}
