"""Games as environments of Gymnasium: one player learns, others are given.

Observations are cells; `info["action_mask"]` tells which actions are legal. An action that is not legal loses the game, as the
others have no other way to answer it.
"""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .vector import VectorEnv as Games
from .vector import numbers


def _spaces(game):
    low = np.concatenate([np.full(p.cells, p.low, np.float32) for p in game.planes] or [np.zeros(0, np.float32)])
    high = np.concatenate([np.full(p.cells, p.high, np.float32) for p in game.planes] or [np.zeros(0, np.float32)])
    return gymnasium.spaces.Box(low, high, dtype=np.float32), gymnasium.spaces.Discrete(game.num_moves)


def _opponent(opponent):
    if opponent == "random":
        return None
    if not callable(opponent):
        raise ValueError("the opponent is 'random', or a function of observations and masks that gives moves")
    return opponent


class Env(gymnasium.Env):
    """One game at a time. `opponent` is "random", or a function that gets observations [1, cells] and masks [1, moves] and
    gives a move [1]."""

    metadata = {"render_modes": ["ansi"], "render_fps": 2}

    def __init__(self, game, *, player=0, opponent="random", limit=1000, render_mode=None):
        self.game, self.player, self.limit, self.render_mode = game, player, limit, render_mode
        self.observation_space, self.action_space = _spaces(game)
        self._opponent = _opponent(opponent)
        self._board = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._board = self.game.start(int(self.np_random.integers(1 << 63)))
        self._plies = 0
        self._others()
        return self._board.observe("f32"), {"action_mask": self._board.mask()}

    def _others(self):
        board = self._board
        while not board.done and board.player != self.player and self._plies < self.limit:
            if self._opponent is None:
                legal = board.legal()
                move = int(legal[self.np_random.integers(len(legal))])
            else:
                move = int(self._opponent(board.observe("f32")[None], board.mask()[None])[0])
            board.play(move)
            self._plies += 1

    def step(self, action):
        board = self._board
        if board.done or self._plies >= self.limit:
            raise gymnasium.error.ResetNeeded("the game is over")
        mask = board.mask()
        if not (0 <= action < len(mask) and mask[action]):
            return board.observe("f32"), -1.0, True, False, {"action_mask": mask, "illegal": True}
        board.play(int(action))
        self._plies += 1
        self._others()
        truncated = not board.done and self._plies >= self.limit
        reward = float(board.returns[self.player])
        return board.observe("f32"), reward, board.done, truncated, {"action_mask": board.mask(), "illegal": False}

    def render(self):
        return self._board.text if self.render_mode == "ansi" else None


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many games at a time; one that is over begins anew in the same step (`AutoresetMode.SAME_STEP`).

    `opponent` is "random", or a function that gets observations [n, cells] and masks [n, moves] of all games and gives moves
    [n], of which those are played where it is not the learner's turn.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, game, num_envs, *, player=0, opponent="random", limit=1000, threads=1):
        self.game, self.num_envs, self.player = game, num_envs, player
        self.single_observation_space, self.single_action_space = _spaces(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponent = _opponent(opponent)
        self.games = Games(game, num_envs, final_obs=True, limit=limit, threads=threads)

    def reset(self, *, seed=None, options=None):
        if isinstance(seed, (list, tuple)):
            seed = next((one for one in seed if one is not None), None)
        super().reset(seed=seed)
        self.games.reset(seed=seed)
        nothing = self._gathered()
        self._others(*nothing)
        return self.games.obs.copy(), {"action_mask": self.games.mask.copy()}

    def _gathered(self):
        n = self.num_envs
        return np.zeros(n, np.float64), np.zeros(n, bool), np.zeros(n, bool), np.zeros_like(self.games.obs)

    def _play(self, actions, rewards, over, stopped, last):
        """Plays the actions of the games where one is not -1, and adds what came of it."""
        games = self.games
        games.step(actions)
        fresh = games.done & ~over
        rewards[fresh] += games.reward[fresh, self.player]
        last[fresh] = games.final_obs[fresh]
        stopped |= games.stopped & fresh
        over |= fresh

    def _others(self, *gathered):
        games = self.games
        while (others := (games.player != self.player) & (games.player >= 0)).any():
            moves = games.sample() if self._opponent is None else np.asarray(self._opponent(games.obs, games.mask))
            self._play(np.where(others, moves, -1).astype(np.int32), *gathered)

    def step(self, actions):
        games, rows = self.games, np.arange(self.num_envs)
        actions = numbers(actions)
        inside = (actions >= 0) & (actions < games.mask.shape[1])
        illegal = ~inside | (games.mask[rows, np.where(inside, actions, 0)] == 0)
        gathered = self._gathered()
        rewards, over, stopped, last = gathered
        if illegal.any():
            rewards[illegal], over[illegal], last[illegal] = -1.0, True, games.obs[illegal]
            games.reset(np.flatnonzero(illegal))
        self._play(np.where(illegal, -1, actions).astype(np.int32), *gathered)
        self._others(*gathered)
        infos = {"action_mask": games.mask.copy(), "_action_mask": np.ones(self.num_envs, bool),
                 "illegal": illegal, "_illegal": np.ones(self.num_envs, bool)}
        if over.any():
            infos |= {"final_obs": np.array([last[i] if over[i] else None for i in rows], object), "_final_obs": over.copy()}
        return games.obs.copy(), rewards, over & ~stopped, stopped, infos
