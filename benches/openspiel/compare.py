#!/usr/bin/env python3
"""Compares UCT of compiled games with the MCTSBot of OpenSpiel: simulations per second of processor time.

    python3 -m venv venv && venv/bin/pip install open_spiel
    venv/bin/python benches/openspiel/compare.py --rulec target/release/rulec [--seconds S] [--rounds N] [--json FILE]

Both play one random game from each new leaf, in one thread, without carrying proofs up the tree; a search has the same number
of simulations on both sides. Runs of the two alternate, so that what else the machine does touches both; of each the median
counts; `--json benches/results/openspiel.json` keeps them. Every round searches the start position again and again with other seeds.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys

import pyspiel

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Name of OpenSpiel, rule file, simulations of a search, and how many times faster it should be.
GAMES = [
    ("tic_tac_toe", "games/bgm/tic_tac_toe.bgm", 20_000, 3),
    ("connect_four", "games/s3/connect_four.s3", 20_000, 3),
    ("breakthrough", "games/bgc/breakthrough.json", 10_000, 5),
    ("chess", "games/bgc/chess.json", 500, 3),
]


def processor_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def open_spiel(name, simulations, seconds):
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
    state = game.new_initial_state()
    played = 0
    spent = 0.0
    seed = 0
    while spent < seconds:
        seed += 1
        # uct_c, simulations, megabytes, solve, seed, verbose
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, simulations, 1000, False, seed, False)
        begun = processor_seconds()
        bot.mcts_search(state)
        spent += processor_seconds() - begun
        played += simulations
    return played / spent


def compiled(program, simulations, seconds):
    bot = f"uct:{simulations}:solve=no:reuse=no"
    command = [program, "bench", "--bot", bot, "--seconds", str(seconds), "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return answer["games_per_second"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulec", default="rulec", help="the command")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each run")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side")
    parser.add_argument("--games", help="only these, with commas between")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--programs", help="folder for the compiled games", default="/tmp")
    args = parser.parse_args()
    wanted = args.games.split(",") if args.games else [row[0] for row in GAMES]
    rows = []
    print(f"{'game':14} {'OpenSpiel':>12} {'compiled':>12} {'ratio':>7} {'bar':>5}")
    for name, rules, simulations, bar in GAMES:
        if name not in wanted:
            continue
        program = str(pathlib.Path(args.programs) / f"uct-{name}")
        subprocess.run([args.rulec, "build", str(ROOT / rules), "-o", program], check=True, stdout=subprocess.DEVNULL)
        ours, theirs = [], []
        for _ in range(args.rounds):
            theirs.append(open_spiel(name, simulations, args.seconds))
            ours.append(compiled(program, simulations, args.seconds))
        row = {
            "game": name,
            "simulations": simulations,
            "open_spiel": statistics.median(theirs),
            "compiled": statistics.median(ours),
            "bar": bar,
        }
        row["ratio"] = row["compiled"] / row["open_spiel"]
        rows.append(row)
        print(f"{name:14} {row['open_spiel']:12.0f} {row['compiled']:12.0f} {row['ratio']:7.2f} {bar:5}", flush=True)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if all(row["ratio"] >= row["bar"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
