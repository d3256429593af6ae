"""Self-play with a network."""

import json
from dataclasses import dataclass

import numpy as np

from .errors import UsageError
from .vector import DTYPES


@dataclass
class Report:
    """What was played: `payoffs` are means for each player from 0 to 1; of the games in which somebody would have resigned
    `played_on` went on, and in `regretted` of these he did not lose."""

    games: int
    plies: int
    samples: int
    leaves: int
    payoffs: list
    resigned: int
    played_on: int
    regretted: int
    faults: int


def selfplay(game, evaluate, *, games, simulations=32, slots=512, root="gumbel", considered=16, scale=1.0,
             noise=(0.25, None), temperature=((0, 1.0), (20, 0.0)), resign=None, patience=3, play_on=0.1, reuse=True,
             limit=1000, seed=0, first=0, obs="f32", out=None, shard=1000, augment=False,
             threads=1):
    """Plays games with itself, judged by `evaluate`.

    `evaluate(obs, mask)` gets what a network sees of up to `slots` positions, [b, cells], and masks of their legal moves,
    [b, moves], and gives logits of the moves, [b, moves], and payoffs from 0 to 1: [b, players], or [b] or [b, 1] for the
    player to move. Both may be anything that NumPy takes for an array, such as tensors of PyTorch on the CPU.

    - `root`: "gumbel" searches the `considered` best moves by halves, `scale` weighs values against logits; "puct" draws by
      visits, with `noise` (share, alpha; None for 10 / moves), and keeps the tree from move to move unless `reuse` is false
    - `temperature`: pairs of a ply and the temperature from there on, 0 for the best move, above 1 for more even chances than found
    - `resign`: a payoff; who sees less for `patience` decisions of his own resigns, except in a share `play_on` of the games
    - `out`: a folder for shards of `shard` games each, as `rulec selfplay --samples` writes them; with `augment` each sample is followed by
      its images under the symmetries of the rules
    - game number i, from `first` on, follows from the seed, i and the network alone
    """
    share, alpha = noise if noise is not None else (0.0, None)
    settings = {
        "games": games, "first": first, "slots": slots, "simulations": simulations, "root": root,
        "considered": considered, "scale": scale, "noise": share, "alpha": alpha,
        "temperature": [list(step) for step in temperature], "resign": resign, "patience": patience,
        "play_on": play_on, "reuse": reuse, "limit": limit, "seed": seed,
    }
    if obs not in DTYPES or obs is None:
        raise UsageError("obs is f32, u8 or i8")
    core = game._core.selfplay(json.dumps(settings | {"threads": threads, "samples": out is not None}))
    if out is not None:
        if first:
            raise UsageError("shards begin with game 0: leave `first` out, or choose another seed")
        told = {key: settings[key] for key in settings if key not in ("games", "first", "slots")}
        core.write_to(out, games, shard, json.dumps(told), seed, f"network:{root}:{simulations}", augment)
    kind, dtype = DTYPES[obs]
    slots = min(slots, max(games, 1))
    cells = np.zeros((settings["slots"], game.obs_shape[0]), dtype)
    masks = np.zeros((settings["slots"], game.num_moves), np.uint8)
    cell_bytes, mask_bytes = cells.reshape(-1).view(np.uint8), masks.reshape(-1)
    leaves = 0
    while rows := core.gather(cell_bytes, mask_bytes, kind):
        logits, values = evaluate(cells[:rows], masks[:rows])
        core.scatter(flat(logits, (rows, game.num_moves), "logits"), flat(values, None, "values"))
        leaves += rows
    return Report(leaves=leaves, **json.loads(core.report()))


def flat(array, shape, what):
    """Numbers as the library takes them."""
    array = np.asarray(array, np.float32)
    if shape is not None and array.shape != shape:
        raise UsageError(f"the {what} have the shape {array.shape}, but {shape} is needed")
    return np.ascontiguousarray(array).reshape(-1)
