"""What self-play costs beside the network: microseconds a position that is judged, and with PyTorch the share of time in a small one.

    python benches/python/leaves.py [GAME ...] [--simulations 64] [--slots 512]

Processor time of this thread. A function that says the same of every position costs next to nothing, so what is left is trees, moves, samples and
observations. The networks are those of examples/alphazero with convolutions, for boards that they can see.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import rulec

ROOT = Path(__file__).resolve().parents[2]
USUAL = [ROOT / "games" / name for name in ("s3/tic_tac_toe.s3", "s3/connect_four.s3", "bgc/chess.json")]


def constants(game, options, root):
    """Microseconds a leaf with a function that returns constants."""
    policy, value = np.zeros((options.slots, game.num_moves), np.float32), np.full((options.slots, game.players), 0.5, np.float32)
    judge = lambda cells, mask: (policy[: len(cells)], value[: len(cells)])
    begin = time.process_time()
    told = rulec.selfplay(game, judge, games=options.games, simulations=options.simulations, slots=options.slots, root=root)
    return (time.process_time() - begin) / told.leaves * 1e6


def with_network(game, width, depth, grid, games):
    """The share of time in a network, and microseconds a leaf outside of it."""
    sys.path.insert(0, str(ROOT / "examples/alphazero"))
    from networks import torch_net

    net, inside = torch_net(game, width, depth, grid), 0.0

    def judge(cells, mask):
        nonlocal inside
        begin = time.process_time()
        said = net.judge(cells, mask)
        inside += time.process_time() - begin
        return said

    begin = time.process_time()
    told = rulec.selfplay(game, judge, games=games, simulations=32)
    all_of_it = time.process_time() - begin
    return inside / all_of_it, (all_of_it - inside) / told.leaves * 1e6


def main():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("games_files", nargs="*", metavar="GAME", default=USUAL)
    line.add_argument("--simulations", type=int, default=64)
    line.add_argument("--slots", type=int, default=512)
    line.add_argument("--games", type=int, default=600)
    options = line.parse_args()
    for file in options.games_files:
        game = rulec.load(str(file), native=True)
        told = "   ".join(f"{root} {constants(game, options, root):.2f}" for root in ("gumbel", "puct"))
        print(f"{Path(file).stem}: microseconds a leaf with constants: {told}")
    game = rulec.load(str(ROOT / "games/s3/connect_four.s3"), native=True)
    try:
        import torch
    except ImportError:
        print("without PyTorch there is no network to measure")
        return
    torch.set_num_threads(1)
    for width, depth in ((16, 1), (32, 3)):
        share, ours = with_network(game, width, depth, (6, 7), 300)
        print(f"connect_four, {depth} blocks of {width} convolutions: {share:.0%} of the time in the network, {ours:.2f} microseconds a leaf beside it")


if __name__ == "__main__":
    main()
