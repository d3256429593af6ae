"""Learns a game from nothing: self-play with a network, training, and matches, in turn.

    python examples/alphazero/train.py games/s3/connect_four_5x4.s3 --native --seconds 1800 --uct 200 --out small
    python examples/alphazero/train.py games/s3/connect_four.s3 --native --grid 6x7 --width 32 --depth 3 --uct 200 --out large
    python examples/alphazero/train.py games/s3/connect_four_5x4.s3 --network numpy --generations 6

With PyTorch each generation writes its network as OUT/net.onnx; rulec-onnx plays with it. The same line goes on where it was interrupted.
"""

import argparse
import json
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
from networks import NumpyNet, torch_net

import rulec


def against_start(game, net, start, rounds, seed):
    """The mean payoff of a network against the one it began as; both play their favourite moves after two random ones."""
    rng, total = np.random.default_rng(seed), 0.0
    for number in range(rounds):
        state, seats = game.start(), ((net, start) if number % 2 == 0 else (start, net))
        for _ in range(2):
            state.play(int(rng.choice(state.legal())))
        while not state.done:
            mask = state.mask()
            logits, _ = seats[state.player].judge(state.observe()[None], mask[None])
            state.play(int(np.where(mask == 1, logits[0], -np.inf).argmax()))
        total += (state.returns[number % 2] + 1) / 2
    return float(total) / rounds


def against_uct(options, number, games):
    """The mean payoff against UCT where both search as much, and its bounds."""
    size = options.uct
    # Payoffs are from 0 to 1, so the unknown weighs half of what is usual where they are from -1 to 1.
    net = f"puct:{size}:c=0.8:net={options.out / 'net.onnx'}"
    line = [options.rulec, "match", options.rules, net, f"uct:{size}", "--games", str(games), "--seed", str(number), "--threads", "1", "--json"]
    told = json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return told["bots"][0]["score"]


def learn(net, samples, options, fresh, rng, rate):
    """Learns as if each of the fresh samples came up some times; the mean loss."""
    losses = []
    for _ in range(int(options.epochs * fresh // options.batch)):
        chosen = rng.integers(len(samples), size=options.batch)
        cells, policy, _, _, mask = samples.batch(chosen)
        losses.append(net.learn(cells, policy, samples.value[chosen], mask, rate))
    return float(np.mean(losses))


def arguments():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("rules")
    line.add_argument("--network", choices=["numpy", "torch"], default="torch")
    line.add_argument("--grid", metavar="RxC", help="the first cells are so many rows and columns, seen by convolutions")
    line.add_argument("--width", type=int, default=128)
    line.add_argument("--depth", type=int, default=2, help="blocks")
    line.add_argument("--native", action="store_true", help="compile the game first, which needs cargo")
    line.add_argument("--generations", type=int, default=10**6)
    line.add_argument("--seconds", type=float, default=float("inf"), help="CPU seconds of self-play and training, those before included")
    line.add_argument("--games", type=int, default=400, help="games of a generation")
    line.add_argument("--simulations", type=int, default=32)
    line.add_argument("--root", choices=["gumbel", "puct"], default="gumbel", help="how moves of self-play are searched and chosen")
    line.add_argument("--temperature", type=float, default=1.0,
                      help="with puct: above 1 both sides err more, and values say for whom that is likelier")
    line.add_argument("--best-from", type=int, default=20, metavar="PLY", help="from there on self-play takes the best moves")
    line.add_argument("--window", type=int, default=10, help="generations that are learnt from")
    line.add_argument("--epochs", type=float, default=8, help="how often a sample is learnt from in a generation")
    line.add_argument("--batch", type=int, default=128, help="samples of a step")
    line.add_argument("--rate", type=float, default=2e-3, help="of learning, at first")
    line.add_argument("--halving", type=float, default=1e9, help="CPU seconds in which it falls to the half")
    line.add_argument("--share", type=float, default=1.0, help="of a generation in the mean of weights that plays; with PyTorch")
    line.add_argument("--augment", action="store_true", help="learn from images of positions too, such as mirrored ones")
    line.add_argument("--out", type=Path, default=Path("alphazero"))
    line.add_argument("--uct", type=int, default=0, metavar="N", help="play matches against UCT of N simulations, with as many of its own")
    line.add_argument("--every", type=int, default=5, help="generations between them")
    line.add_argument("--match-games", type=int, default=40, help="games of such a match; the last one has 200")
    line.add_argument("--rulec", default="rulec-onnx", help="program that plays matches with networks")
    line.add_argument("--least", type=float, default=0.0, help="fail if the mean payoff against the start is below this")
    return line.parse_args()


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    game = rulec.load(options.rules, native=options.native)
    grid = tuple(map(int, options.grid.split("x"))) if options.grid else None
    make = lambda: NumpyNet(game, options.width) if options.network == "numpy" else torch_net(game, options.width, options.depth, grid)
    net, start, kept, log = make(), make(), options.out / "net.pt", options.out / "log.jsonl"
    done = [json.loads(line) for line in log.read_text().splitlines()] if kept.exists() else []
    spent = done[-1]["seconds"] if done else 0.0
    if done:
        net.take(kept)
    for generation in range(len(done), options.generations):
        if spent >= options.seconds:
            break
        begin, rng = time.process_time(), np.random.default_rng(generation)
        shutil.rmtree(folder := options.out / f"{generation:04}", ignore_errors=True)
        report = rulec.selfplay(game, net.judge, games=options.games, simulations=options.simulations, seed=generation, out=folder,
                                augment=options.augment, root=options.root, temperature=((0, options.temperature), (options.best_from, 0.0)))
        played = time.process_time()
        shutil.rmtree(options.out / f"{generation - options.window:04}", ignore_errors=True)
        samples = rulec.Samples(options.out / "*/samples-*.rls")
        rate = options.rate * 0.5 ** (spent / options.halving)
        loss = learn(net, samples, options, report.samples, rng, rate)
        net.settle(options.share if generation else 1)
        spent += time.process_time() - begin
        told = {"generation": generation, "seconds": round(spent, 1), "playing": round(played - begin, 1), "leaves": report.leaves,
                "plies": round(report.plies / report.games, 1), "loss": round(loss, 4)}
        if options.network == "torch":
            net.save(options.out / "net.onnx")
            net.keep(kept)
        if options.network == "torch" and generation % options.every == 0:
            shutil.copy(options.out / "net.onnx", options.out / f"net-{generation:04}.onnx")
        if options.uct and generation % options.every == 0:
            told["uct"] = against_uct(options, generation, options.match_games)
        elif not options.uct:
            told["start"] = against_start(game, net, start, 100, generation)
        print(json.dumps(told), flush=True)
        with open(log, "a") as file:
            file.write(json.dumps(told) + "\n")
    if options.uct:
        print(json.dumps({"seconds": spent, "uct": against_uct(options, 999, 200)}))
    elif (final := against_start(game, net, start, 200, 999)) < options.least:
        raise SystemExit(f"{final:.2f} against the start, less than {options.least}")


if __name__ == "__main__":
    main()
