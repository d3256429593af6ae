"""Many games that step together."""

import numpy as np

from .errors import Fault, UsageError

DTYPES = {None: (0, np.dtype("u1")), "f32": (1, np.dtype("f4")), "u8": (2, np.dtype("u1")), "i8": (3, np.dtype("i1"))}
MASKS = {None: 0, "bytes": 1, "bits": 2}
# Bytes of a mask beyond which somebody asked for it by mistake.
LARGEST = 1 << 32


def room(shape, dtype):
    """An array to be filled, its bytes, and the array as others see it: it cannot be written to."""
    own = np.zeros(shape, dtype)
    seen = own.view()
    seen.flags.writeable = False
    return own.reshape(-1).view(np.uint8), seen


def nothing():
    """No room, an array of its own each time."""
    return np.zeros(0, np.uint8), None


def numbers(actions):
    """Actions as integers of 32 bits; those that these cannot hold are no moves either."""
    actions = np.asarray(actions)
    if actions.dtype == np.int32:
        return actions
    if actions.dtype.kind not in "iu" and actions.size:
        raise UsageError(f"actions are integers, not {actions.dtype}")
    return np.clip(actions, -2, 2**31 - 1).astype(np.int32)


class VectorEnv:
    """`n` games of one kind. A game that is over begins anew at once.

    After each step these arrays hold what there is to see. They are the same arrays all the time, so copy what is to be kept, and
    do not read them in another thread while a step runs.

    - `obs` [n, cells]: what a network sees; f32, u8 or i8 (numbers outside of the range become its ends)
    - `mask` [n, moves] u8, or [n, words] u64 with a bit for each move
    - `player` [n] i8: who is to move
    - `reward` [n, players] f32: 1 for a win and -1 for a loss when a game is over, otherwise 0
    - `done`, `stopped` [n] bool: over with this step; that by the limit of plies or a fault
    - `final_obs` [n, cells]: of games that are over, what was to be seen at their end
    """

    def __init__(self, game, n, seed=0, *, obs="f32", mask="bytes", final_obs=False, limit=10_000, threads=1):
        if obs not in DTYPES or mask not in MASKS:
            raise UsageError("obs is f32, u8, i8 or None; mask is bytes, bits or None")
        words = -(-game.num_moves // 64)
        if mask == "bytes" and n * game.num_moves > LARGEST:
            raise UsageError(f"{n} masks of {game.num_moves} bytes are too many; mask='bits' or None")
        self.game, self.n, self.seed = game, n, seed
        self._core = game._core.batch(n, seed, limit, threads)
        self._kinds = (MASKS[mask], DTYPES[obs][0])
        cells, dtype = game.obs_shape[0], DTYPES[obs][1]
        self._obs, self.obs = room((n, cells), dtype) if obs else nothing()
        self._final, self.final_obs = room((n, cells), dtype) if obs and final_obs else nothing()
        shapes = {"bytes": ((n, game.num_moves), np.uint8), "bits": ((n, words), np.uint64)}
        self._mask, self.mask = room(*shapes[mask]) if mask else nothing()
        self._player, self.player = np.zeros(n, np.int8), None
        self._reward, self._done, self._stopped = (
            np.zeros(n * game.players, np.float32), np.zeros(n, np.uint8), np.zeros(n, np.uint8))
        self.player = self._locked(self._player)
        self.reward = self._locked(self._reward.reshape(n, game.players))
        self.done = self._locked(self._done.view(bool))
        self.stopped = self._locked(self._stopped.view(bool))
        self._watch()

    @staticmethod
    def _locked(array):
        array = array.view()
        array.flags.writeable = False
        return array

    def _watch(self):
        self._core.watch(self._player, self._mask, self._obs, *self._kinds)

    def reset(self, games=None, seed=None):
        """Begins all games anew, or those of these numbers; with a seed as if they had begun with it."""
        chosen = [] if games is None else [int(game) for game in games]
        if games is None or chosen:
            self._core.reset(chosen, seed)
        self._watch()
        return self.obs

    def step(self, actions):
        """Plays a move in every game: `actions` [n] are indexes, -1 where a game stays as it is. If one is not legal, none is played."""
        actions = np.ascontiguousarray(numbers(actions), np.int32)
        faults = self._core.step(
            actions, self._reward, self._done, self._stopped, self._player, self._mask, self._obs, self._final,
            *self._kinds)
        if faults:
            raise Fault(f"{faults} games ran into a fault and began anew: {self._core.fault()}")
        return self.obs, self.reward, self.done

    def sample(self, out=None):
        """Legal moves, drawn at random with the games' own random numbers."""
        out = np.empty(self.n, np.int32) if out is None else out
        self._core.sample(out)
        return out

    def text(self, game):
        """The position of a game as text."""
        return self._core.text(game)

    def set_text(self, game, text):
        """Sets up the position of a game."""
        self._core.read(game, text)
        self._watch()

    def keys(self):
        """Keys of all positions: equal ones have equal keys."""
        out = np.empty(self.n, np.uint64)
        self._core.keys(out)
        return out
