//! How players are written and read.

use super::*;

#[test]
fn players_are_written_as_they_are_read() {
    let same = [
        "random",
        "mc:1000",
        "uct:10000",
        "uct:5000ms",
        "uct:500:c=1.4:solve=no:threads=2",
        "uct:100:noise=0.25:alpha=1",
        "puct:64:judge=uniform:batch=16",
        "alphabeta:depth=6",
        "alphabeta:5000:depth=3:table=4096:eval=playouts-4",
        "alphabeta:1000ms:reuse=no:threads=2:without=pvs+lmr",
        "alphabeta:depth=4:symmetry=positions",
        "uct:100:symmetry=off",
        "maxn:depth=2",
        "paranoid:depth=4",
        "pns:100000",
        "astar:eval=Puzzle8Heuristic",
        "MiniMaxStochastic:2000:eval=MoreStones",
        "MonteCarloRatio2:300",
    ];
    for text in same {
        let bot: Bot = text.parse().expect(text);
        assert_eq!(bot.to_string(), text);
        assert_eq!(bot.to_string().parse(), Ok(bot));
    }
    let long = [
        ("mcts", "uct:10000"),
        ("UCT:2k", "uct:2000"),
        ("ab:depth=2", "alphabeta:depth=2"),
        ("ab:depth=2:hash=1M", "alphabeta:depth=2:table=62500"),
        ("uct:9:hash=96K", "uct:9:tree=1000"),
        ("expectimax:depth=2", "alphabeta:depth=2"),
        ("montecarlo:time=1s", "MonteCarlo:1000ms"),
        ("Random", "random"),
        ("BFS", "bfs"),
        ("AStar", "astar"),
    ];
    for (text, short) in long {
        assert_eq!(text.parse::<Bot>().expect(text).to_string(), short);
    }
}

#[test]
fn wrong_players_are_refused_with_what_there_is() {
    for (text, says) in [
        ("", "there are random, mc, uct"),
        ("chess", "no player is called `chess`"),
        ("random:3", "takes no options"),
        ("uct:depth=3", "`uct` has no option `depth`"),
        ("alphabeta:depth=0", "out of range"),
        ("uct:c=nan", "no number from 0"),
        ("uct:soon", "no time"),
        ("uct:100:solve=maybe", "yes or no"),
        (
            "uct:100:threads=2:sharing=tree",
            "`threads=N` gives each a tree",
        ),
        ("puct:judge=oracle", "uniform or rollout"),
        ("puct:judge=uniform:judge=rollout", "one thing judges"),
        ("uct:eval=zero", "wants a file of `evaluate`"),
        ("alphabeta:without=luck", "there is no technique `luck`"),
    ] {
        let error = text.parse::<Bot>().expect_err(text);
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn every_option_of_a_player_exists() {
    for row in BOTS {
        for key in row.options {
            assert!(OPTIONS.iter().any(|option| option.key == *key), "{key}");
        }
    }
    let help = bots_help();
    assert!(help.contains("threads"));
    // Those that can be left out are listed as they are in messages.
    assert!(
        help.contains(&crate::alphabeta::Techniques::names()),
        "{help}"
    );
}
