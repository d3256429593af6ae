"""Board games from rule files: positions, batches of them, self-play with networks.

>>> game = rulec.load("connect_four.s3")
>>> state = game.start()
>>> state.play(state.legal()[0])
"""

import json
from pathlib import Path

import numpy as np

from . import _rulec
from ._rulec import State
from .errors import Busy, Fault, IllegalMove, RulecError, RulesError, UsageError
from .data import Samples
from .play import Report, selfplay
from .vector import VectorEnv

__all__ = [
    "Busy", "Fault", "Game", "IllegalMove", "Plane", "Report", "RulecError", "RulesError", "Samples", "State",
    "UsageError", "VectorEnv", "load", "selfplay",
]
__version__ = "0.1.0"


class Plane:
    """A row of cells of what a network sees: its name, `cells`, the first one's number `offset`, and the values
    `low` to `high`."""

    __slots__ = ("name", "cells", "offset", "low", "high")

    def __init__(self, name, cells, offset, low, high):
        self.name, self.cells, self.offset, self.low, self.high = name, cells, offset, low, high

    def __repr__(self):
        return f"Plane({self.name!r}, cells={self.cells}, offset={self.offset}, low={self.low}, high={self.high})"


class Game:
    """A game that was loaded from its rules; make one by `load`."""

    def __init__(self, core, path):
        self._core = core
        self.path = path
        self.description = json.loads(core.describe())
        told = self.description
        self.name = told["name"]
        self.player_names = told["players"]
        self.players = len(told["players"])
        self.num_moves = told["moves"]
        self.planes = [Plane(**plane) for plane in told["planes"]]
        self.obs_shape = (told["cells"],)
        self.places = told["places"]
        self.has_chance = told["has_chance"]
        self.rules_sha256 = told["rules_sha256"]
        self._texts = None

    def start(self, seed=0, explicit_chance=False):
        """The start. Draws are made by the seed, or are to be played like moves (by their number in `results`)."""
        return self._core.start(seed, explicit_chance)

    def move_texts(self):
        """The texts of the moves by index; empty where an index has no text that holds everywhere."""
        if self._texts is None:
            self._texts = json.loads(self._core.move_texts())
        return self._texts

    def move_text(self, index):
        """The text of a move."""
        return self.move_texts()[index]

    def __repr__(self):
        return f"<rulec.Game {self.name!r}: {self.players} players, {self.num_moves} moves, {self.obs_shape[0]} cells>"


def load(path, *, native=False, library=None, settings=None):
    """Loads a game from its rules.

    It plays at once; with `native` it is compiled first, for which cargo is needed, and is many times as fast. `library` is a
    file that `rulec build --lib` made of the same rules. `settings` are those of the rules, as `--set` takes them.
    """
    settings = [(str(key), str(value)) for key, value in (settings or {}).items()]
    path = Path(path)
    core = _rulec.Game(path, native, settings, None if library is None else Path(library))
    return Game(core, path)
