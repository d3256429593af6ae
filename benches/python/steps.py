"""Steps per CPU second from Python: this package beside pyspiel, and pgx where it is installed.

    python benches/python/steps.py            tic-tac-toe (in two languages), connect four and chess, compiled; figures as JSON at the end

Random legal moves are played. Rounds of all kinds alternate, and medians are told, because other programs share the machine.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path

import numpy as np

import rulec

GAMES = Path(__file__).parents[2] / "games"
FILES = {"tic_tac_toe": "bgm/tic_tac_toe.bgm", "tic_tac_toe_s3": "s3/tic_tac_toe.s3", "connect_four": "s3/connect_four.s3", "chess": "bgc/chess.json"}

# What the peers call them.
PEERS = {"tic_tac_toe_s3": "tic_tac_toe"}


def measured(run, seconds):
    """Steps per CPU second."""
    run(1)
    begin, steps, count = time.process_time(), 0, 1
    while (spent := time.process_time() - begin) < seconds:
        steps += run(count)
        count = min(count * 2, 256)
    return steps / spent


def batch(game, n, **kinds):
    env = rulec.VectorEnv(game, n, seed=1, **kinds)
    moves = np.empty(n, np.int32)

    def run(count):
        for _ in range(count):
            env.sample(moves)
            env.step(moves)
        return count * n
    return run


def single(game, observe):
    def run(count):
        steps, draw = 0, np.random.default_rng(0).random
        for _ in range(count):
            state = game.start()
            while not state.done:
                legal = state.legal_list()
                if observe:
                    state.mask(), state.observe()
                state.play(legal[int(draw() * len(legal))])
                steps += 1
        return steps
    return run


def spiel(name, observe):
    import pyspiel
    game = pyspiel.load_game(name)

    def run(count):
        steps, draw = 0, np.random.default_rng(0).random
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                if observe:
                    np.array(state.legal_actions_mask(), np.uint8), np.array(state.observation_tensor(), np.float32)
                state.apply_action(legal[int(draw() * len(legal))])
                steps += 1
        return steps
    return run


def pgx_batch(name, n):
    import jax
    import jax.numpy as jnp
    import pgx
    env = pgx.make(name)
    again = pgx.experimental.auto_reset(env.step, env.init)

    def step(carry, key):
        state, total = carry
        keys, others = jax.random.split(key)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        state = jax.vmap(again)(state, jax.random.categorical(keys, logits, axis=-1), jax.random.split(others, n))
        return (state, total + state.observation.astype(jnp.float32).sum()), None

    length = 100 if n > 64 else 10

    @jax.jit
    def several(state, key):
        (state, total), _ = jax.lax.scan(step, (state, 0.0), jax.random.split(key, length))
        return state, total
    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), n))
    state, _ = several(state, jax.random.PRNGKey(1))

    def run(count):
        nonlocal state
        for number in range(count):
            state, total = several(state, jax.random.PRNGKey(number))
        total.block_until_ready()
        return count * n * length
    return run


def kinds(name, game, peers):
    yield "batch of 1024, byte masks, f32", batch(game, 1024)
    yield "batch of 1024, byte masks, u8", batch(game, 1024, obs="u8")
    yield "batch of 1024, bit masks, u8", batch(game, 1024, mask="bits", obs="u8")
    yield "batch of 1024, nothing", batch(game, 1024, mask=None, obs=None)
    yield "batch of 1, byte masks, f32", batch(game, 1)
    yield "single", single(game, False)
    yield "single, mask, f32", single(game, True)
    name = PEERS.get(name, name)
    if "pyspiel" in peers:
        yield "pyspiel", spiel(name, False)
        yield "pyspiel, mask, f32", spiel(name, True)
    if "pgx" in peers:
        # Chess takes minutes to compile, and more for larger batches.
        n = 64 if name == "chess" else 1024
        yield f"pgx, batch of {n}, f32", pgx_batch(name, n)


def installed(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return False


def main():
    line = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    line.add_argument("--games", nargs="+", default=list(FILES), choices=FILES)
    line.add_argument("--rounds", type=int, default=5)
    line.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of a kind in a round")
    options = line.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    peers = [name for name in ("pyspiel", "pgx") if installed(name)]
    figures = {}
    for name in options.games:
        game = rulec.load(GAMES / FILES[name], native=True)
        runs = list(kinds(name, game, peers))
        rounds = {kind: [] for kind, _ in runs}
        for _ in range(options.rounds):
            for kind, run in runs:
                rounds[kind].append(measured(run, options.seconds))
        figures[name] = {kind: round(statistics.median(values)) for kind, values in rounds.items()}
        for kind, value in figures[name].items():
            print(f"{name:14} {kind:36} {value:>12,}", flush=True)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
