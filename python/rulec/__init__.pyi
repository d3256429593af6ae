from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._rulec import State as State
from .data import Samples as Samples
from .errors import Busy as Busy, Fault as Fault, IllegalMove as IllegalMove, RulecError as RulecError
from .errors import RulesError as RulesError, UsageError as UsageError
from .play import Report as Report

__version__: str

class Plane:
    name: str
    cells: int
    offset: int
    low: int
    high: int

class Game:
    path: Path
    description: dict[str, Any]
    name: str
    player_names: list[str]
    players: int
    num_moves: int
    planes: list[Plane]
    obs_shape: tuple[int]
    places: list[str]
    has_chance: bool
    rules_sha256: str
    def start(self, seed: int = 0, explicit_chance: bool = False) -> State: ...
    def move_texts(self) -> list[str]: ...
    def move_text(self, index: int) -> str: ...

def load(path: PathLike[str] | str, *, native: bool = False, library: PathLike[str] | str | None = None,
         settings: Mapping[str, object] | None = None) -> Game: ...

class VectorEnv:
    game: Game
    n: int
    seed: int
    obs: NDArray[Any] | None
    mask: NDArray[Any] | None
    player: NDArray[np.int8]
    reward: NDArray[np.float32]
    done: NDArray[np.bool_]
    stopped: NDArray[np.bool_]
    final_obs: NDArray[Any] | None
    def __init__(self, game: Game, n: int, seed: int = 0, *, obs: str | None = "f32", mask: str | None = "bytes",
                 final_obs: bool = False, limit: int = 10_000, threads: int = 1) -> None: ...
    def reset(self, games: Sequence[int] | None = None, seed: int | None = None) -> NDArray[Any] | None: ...
    def step(self, actions: ArrayLike) -> tuple[NDArray[Any] | None, NDArray[np.float32], NDArray[np.bool_]]: ...
    def sample(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]: ...
    def text(self, game: int) -> str: ...
    def set_text(self, game: int, text: str) -> None: ...
    def keys(self) -> NDArray[np.uint64]: ...

def selfplay(game: Game, evaluate: Callable[[NDArray[Any], NDArray[np.uint8]], tuple[Any, Any]], *, games: int,
             simulations: int = 32, slots: int = 512, root: str = "gumbel", considered: int = 16, scale: float = 1.0,
             noise: tuple[float, float | None] | None = (0.25, None),
             temperature: Sequence[tuple[int, float]] = ((0, 1.0), (20, 0.0)), resign: float | None = None,
             patience: int = 3, play_on: float = 0.1, reuse: bool = True, limit: int = 1000, seed: int = 0,
             first: int = 0, obs: str = "f32", out: PathLike[str] | str | None = None, shard: int = 1000,
             augment: bool = False, threads: int = 1) -> Report: ...
