#!/usr/bin/env python3
"""Learns generation by generation: self-play on many processes or machines, a trainer, and a match that decides which network plays on.

    python3 generations.py --generations 20 --games 20000 --out /shared/run --backend hq --server ~/.hq-server
        --trainer 'python3 my_trainer.py --samples {samples} --before {before} --after {after}'
        -- rulec-onnx games/s3/connect_four.s3

Each generation has a folder of its own: shards and samples.rls of its games as launch.py writes them, network/network.onnx, and match.json with
the score of this network against the one that made the games. The trainer is one command. {samples} is the files of samples of the last --window
generations, {before} the network that made the games (nothing at first), {after} the file that it is to write; what else it wants to keep it may
write beside that. What is done is not done again, so the same command goes on where a former one was interrupted. A compiled game goes after --
alone. The first generation plays with --first-player, so that nobody needs a network to begin with.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import launch
from launch import Failed


def folder_of(options, generation):
    return Path(options.out) / f"{generation:04}"


def write_whole(path, text):
    """Writes a file whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with open(draft, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def passed(options, generation):
    """Whether the network of a generation won its match; nothing if it was not played."""
    try:
        return json.loads((folder_of(options, generation) / "match.json").read_text())["passed"]
    except (OSError, ValueError, KeyError):
        return None


def network_of(options, generation):
    """The network that plays the games of a generation: the last one before it that won its match."""
    for earlier in reversed(range(generation)):
        if passed(options, earlier):
            return folder_of(options, earlier) / "network" / "network.onnx"
    return None


def player(options, network):
    """A player by its network."""
    return options.first_player if network is None else options.player.replace("{network}", str(network))


def selfplay(options, generation):
    folder = folder_of(options, generation)
    line = ["--games", str(options.games), "--shard-size", str(options.shard_size), "--out", str(folder), "--samples", "--backend", options.backend,
            "--jobs", str(options.jobs), "--workers", str(options.workers), "--rounds", str(options.rounds)]
    line += ["--server", options.server] if options.server else []
    program, *rules = options.game
    line += ["--", program, "selfplay", *rules, "--bot", player(options, network_of(options, generation)), "--seed", str(options.seed + generation)]
    launch.launch(launch.options_of([*line, *shlex.split(options.selfplay)]))


def train(options, generation):
    """Lets the trainer write the network, in a folder of another name until all is there."""
    folder, before = folder_of(options, generation), network_of(options, generation)
    first = max(0, generation + 1 - options.window)
    samples = [str(folder_of(options, number) / "samples.rls") for number in range(first, generation + 1)]
    shutil.rmtree(draft := folder / "draft", ignore_errors=True)
    draft.mkdir()
    words = []
    for word in shlex.split(options.trainer):
        if word == "{samples}":
            words += samples
        else:
            words.append(word.replace("{before}", str(before or "")).replace("{after}", str(draft / "network.onnx")))
    run = subprocess.run(words, check=False)
    if run.returncode or not (draft / "network.onnx").exists():
        raise Failed(f"the trainer of generation {generation} made no network (code {run.returncode}): {shlex.join(words)}")
    os.replace(draft, folder / "network")


def compete(options, generation):
    """Plays the new network against the one that made the games."""
    folder, before = folder_of(options, generation), network_of(options, generation)
    program, *rules = options.game
    line = [program, "match", *rules, player(options, folder / "network" / "network.onnx"), player(options, before), "--games", str(options.match_games),
            "--seed", str(options.seed + generation), "--json", *shlex.split(options.match)]
    run = subprocess.run(line, check=False, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        raise Failed(f"the match of generation {generation} failed: {shlex.join(line)}")
    score = json.loads(run.stdout)["bots"][0]["score"]
    told = {"generation": generation, "against": str(before or options.first_player), "score": score, "passed": score["mean"] >= options.gate}
    write_whole(folder / "match.json", json.dumps(told) + "\n")
    print(f"generation {generation}: {score['mean']:.1%} against {told['against']}, {'plays on' if told['passed'] else 'is left'}", flush=True)


def generations(options):
    for generation in range(options.generations):
        if passed(options, generation) is not None:
            continue
        folder = folder_of(options, generation)
        if not (folder / "network").exists():
            selfplay(options, generation)
            train(options, generation)
        compete(options, generation)
    print(f"best: {network_of(options, options.generations) or options.first_player}")


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, required=True, metavar="N")
    parser.add_argument("--games", type=int, required=True, metavar="N", help="games of a generation")
    parser.add_argument("--trainer", required=True, metavar="COMMAND", help="with {samples}, {before} and {after} in it")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder that all workers reach by this name")
    parser.add_argument("--player", default="puct:64:net={network}", help="who plays, with {network} in it [puct:64:net={network}]")
    parser.add_argument("--first-player", default="uct:200", help="who plays before there is a network [uct:200]")
    parser.add_argument("--selfplay", default="--temperature 1 --noise 0.25:0.5", metavar="OPTIONS", help="further options of selfplay")
    parser.add_argument("--match", default="--random-plies 2", metavar="OPTIONS", help="further options of match")
    parser.add_argument("--match-games", type=int, default=100, metavar="N")
    parser.add_argument("--gate", type=float, default=0.5, help="score from which a network plays on [0.5]")
    parser.add_argument("--window", type=int, default=10, help="generations that are learnt from [10]")
    parser.add_argument("--seed", type=int, default=1, help="of the first generation; the next ones count up [1]")
    parser.add_argument("--shard-size", type=int, default=1000, metavar="K")
    for name in ("backend", "jobs", "server", "workers", "rounds"):
        usual = {"backend": "local", "jobs": os.cpu_count(), "server": None, "workers": os.cpu_count(), "rounds": 3}[name]
        parser.add_argument(f"--{name}", type=type(usual) if usual else str, default=usual, help="as launch.py has it")
    parser.add_argument("game", nargs=argparse.REMAINDER, metavar="-- PROGRAM [RULES]", help="a compiled game, or rulec-onnx and rules")
    options = parser.parse_args(arguments)
    options.game = options.game[1:] if options.game[:1] == ["--"] else options.game
    if not options.game:
        parser.error("say after -- what plays, for example: -- rulec-onnx games/s3/connect_four.s3")
    options.out = os.path.abspath(options.out)
    if os.sep in options.game[0]:
        options.game[0] = os.path.abspath(options.game[0])
    return options


def main():
    try:
        generations(options_of(sys.argv[1:]))
    except (Failed, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
