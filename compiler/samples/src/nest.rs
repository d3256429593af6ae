//! A sample of what is in what up to a renaming.

use super::kit::*;
use rulec_ir::ir::builder::{FunctionBuilder, GameBuilder};
use rulec_ir::ir::*;

/// Crates and balls without names: three crates, which may lie in each other, and two balls.
///
/// Positions and moves that differ by a renaming are one: of things that are alike only the first is
/// put somewhere, and of the crates that are alike then only the first receives it. Texts say which kinds
/// there are; the host of the game may shake everything out. A ball in a crate in a crate ends the game.
pub(super) fn crates() -> Game {
    let mut b = GameBuilder::new("crates", "ir", &["solo"]);
    let player = b.game.players;
    let list = ["crate 1", "crate 2", "crate 3", "ball 1", "ball 2"];
    let thing = b.names("Thing", names(&list), HERE);
    let kind = b.names("Kind", names(&["crate", "ball"]), HERE);
    let into = placement(
        &mut b,
        "in",
        (thing, thing),
        PlacementForm::Many,
        vec![None; 5],
    );
    let kinds = [0, 0, 0, 1, 1].map(Const::Elem).to_vec();
    let kinds = table(
        &mut b,
        "kind",
        vec![Axis::Domain(thing)],
        Type::Elem(kind),
        kinds,
    );
    let local = |index: usize| Expr::local(LocalId::from(index), Type::Elem(thing), HERE);
    let kind_of = |b: &GameBuilder, of: Expr| Expr::lookup(&b.game, kinds, vec![of], HERE);
    let values = vec![kind_of(&b, local(0))];
    let nest = b.identity(Identity {
        name: String::from("canonical"),
        terms: vec![IdentityTerm::Nest {
            placement: into,
            when: yes(),
            values,
        }],
    });
    b.game.equality = nest;
    // Whether a thing is the first of those that are alike, given others.
    let first = |b: &mut GameBuilder, name: &str, fixed: usize| {
        let mut f = FunctionBuilder::new(name, Some(Type::Bool), HERE);
        let one = f.param("one", Type::Elem(thing));
        let fixed: Vec<LocalId> = (0..fixed)
            .map(|number| f.param(&format!("fixed {number}"), Type::Elem(thing)))
            .collect();
        let twin = f.local("twin", Type::Elem(thing));
        let mut members = vec![f.get(twin), f.get(one)];
        members.extend(fixed.iter().map(|&local| f.get(local)));
        let alike = Expr::new(ExprKind::Alike(nest, members), Type::Bool, HERE);
        let before = op(BinaryOp::Lt, f.get(twin).ordinal(), f.get(one).ordinal());
        let twins = Expr::fold(Fold::Exists, twin, Over::Domain(thing), before.and(alike));
        b.function(f.body(vec![Stmt::give(twins.not())]))
    };
    let first_alone = first(&mut b, "first", 0);
    let first_beside = first(&mut b, "first beside", 1);
    let fits = {
        let mut f = FunctionBuilder::new("fits", Some(Type::Bool), HERE);
        let what = f.param("what", Type::Elem(thing));
        let holder = f.param("holder", Type::Elem(thing));
        let place = Expr::place_of(&b.game, into, f.get(what));
        let there = place.equals(f.get(holder).some());
        let one = Expr::call(&b.game, first_alone, vec![f.get(what)], HERE);
        let args = vec![f.get(holder), f.get(what)];
        let other = Expr::call(&b.game, first_beside, args, HERE);
        let same = f.get(what).equals(f.get(holder));
        let test = one.and(same.or(other)).and(there.not());
        b.function(f.body(vec![Stmt::give(test)]))
    };
    let what = param("what", thing, ParamSource::All);
    let holder = param("holder", thing, ParamSource::Among(vec![0, 1, 2]));
    let mut put = family("put", vec![what, holder], "{0} into {1}");
    put.guard = Some(fits);
    let put = b.family(put);
    let never = {
        let f = FunctionBuilder::new("never", Some(Type::Bool), HERE);
        b.function(f.body(vec![Stmt::give(Expr::bool(false, HERE))]))
    };
    let mut shake = family("shake", Vec::new(), "everything falls out");
    shake.guard = Some(never);
    let shake = b.family(shake);
    b.game.by_host.push(shake);
    // How many things of its kind before it are first ones: the number of a kind in a text.
    let number = {
        let mut f = FunctionBuilder::new("number", Some(Type::INT), HERE);
        let one = f.param("one", Type::Elem(thing));
        let other = f.local("other", Type::Elem(thing));
        let is_first = Expr::call(&b.game, first_alone, vec![f.get(other)], HERE);
        let [x, y] = [other, one].map(|local| kind_of(&b, f.get(local)));
        let before = op(BinaryOp::Le, f.get(other).ordinal(), f.get(one).ordinal());
        let test = is_first.and(x.equals(y)).and(before);
        let count = Expr::fold(Fold::Count, other, Over::Domain(thing), test);
        b.function(f.body(vec![Stmt::give(count)]))
    };
    let number_of = |b: &GameBuilder, of: Expr| Expr::call(&b.game, number, vec![of], HERE);
    let itself = local(0).equals(local(1));
    let parts = vec![
        ToldPart::Value(kind_of(&b, local(0))),
        ToldPart::Text(String::from(" ")),
        ToldPart::Value(number_of(&b, local(0))),
        ToldPart::Text(String::from(" into ")),
        ToldPart::When(itself.clone(), vec![ToldPart::Text(String::from("itself"))]),
        ToldPart::When(itself.not(), vec![ToldPart::Value(local(1))]),
    ];
    let of = TextOf::Family(put);
    b.game.tellings.push(Telling { of, parts });
    let mut f = FunctionBuilder::new("play", None, HERE);
    let what = f.local("what", Type::Elem(thing));
    let holder = f.local("holder", Type::Elem(thing));
    let each = f.local("each", Type::Elem(thing));
    let deep = f.local("deep", Type::Elem(thing));
    let puts = vec![stmt(StmtKind::Put(into, f.get(what), f.get(holder)))];
    let out = vec![stmt(StmtKind::Take(into, f.get(each)))];
    let shakes = vec![stmt(StmtKind::ForEach(each, Over::Domain(thing), out))];
    let up = |b: &GameBuilder, of: Expr| Expr::place_of(&b.game, into, of);
    let first_up = up(&b, f.get(deep));
    let second_up = up(&b, first_up.clone().get());
    let ball = kind_of(&b, f.get(deep)).equals(elem(kind, 1));
    let is_deep = ball.and(first_up.is_some()).and(second_up.is_some());
    let is_deep = Expr::fold(Fold::Exists, deep, Over::Domain(thing), is_deep);
    let turns = vec![
        choose(
            elem(player, 0),
            vec![arm(put, &[what, holder], puts), arm(shake, &[], shakes)],
        ),
        when(
            is_deep,
            vec![end(EndReason::Win, set_of(player, vec![elem(player, 0)]))],
        ),
    ];
    b.game.process = b.function(f.body(vec![forever(turns)]));
    b.game
}
