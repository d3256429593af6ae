"""The games of the checkout."""

import os
from pathlib import Path

import pytest

import rulec

GAMES = Path(os.environ.get("RULEC_GAMES", Path(__file__).parents[2] / "games"))

# Of all languages; one with chance, one of three players, one for a single player among them.
TEN = [
    "s3/tic_tac_toe.s3", "s3/connect_four_5x4.s3", "s3/dots_and_boxes.s3", "s3/frogs.s3", "s3/eight_puzzle.s3",
    "bgm/nim.bgm", "bgm/tic_tac_toe.bgm", "bgc/knightthrough.json", "bgc/three_camps.json", "bbgel/crossroads.bbgel",
]

_loaded = {}


def load(name):
    """A game, loaded once."""
    if name not in _loaded:
        _loaded[name] = rulec.load(GAMES / name)
    return _loaded[name]


@pytest.fixture(params=TEN)
def any_game(request):
    return load(request.param)


@pytest.fixture
def tic_tac_toe():
    return load("s3/tic_tac_toe.s3")
