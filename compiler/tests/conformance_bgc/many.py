"""Random games of the reference interpreter: many.py BGC_REF.PY PLIES LIST, a file name in each line of LIST.

Prints a line of JSON for each file: a walk as `bgc_ref.py walk` tells it, where each position has besides what stands on
the board after each legal move, or why the interpreter gave up.
"""
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("bgc_ref", sys.argv[1])
ref = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ref)


def figures(game, state):
    """What stands where."""
    cells = ((cell, state["board"][cell]) for cell in game.cells)
    return [
        {"at": list(cell), "player": figure["player"], "figure": figure["figure"]}
        for cell, figure in cells
        if figure.get("figure") is not None
    ]


def walk(path, seed, plies):
    """A random line of play."""
    game = ref.load(path)
    state = game.initial()
    rng, seen = ref.splitmix(seed), []
    while True:
        shown, moves = ref.show(game, state)
        if not moves or len(seen) == plies:
            return {"plies": seen, "final": shown}
        nexts = [game.apply(state, move) for move in moves]
        chosen = next(rng) % len(moves)
        seen.append(dict(shown, chosen=chosen, next=[{"figures": figures(game, n)} for n in nexts]))
        state = nexts[chosen]


for seed, line in enumerate(open(sys.argv[3])):
    try:
        print(json.dumps(walk(line.rstrip("\n"), seed, int(sys.argv[2]))))
    except RecursionError:
        print(json.dumps({"error": "recursion"}))
    except Exception as error:  # a game on which the interpreter breaks is told, and counted by the caller
        print(json.dumps({"error": repr(error)}))
