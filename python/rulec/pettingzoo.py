"""Games as environments of PettingZoo, in which agents act in turn."""

import gymnasium
import numpy as np
from pettingzoo import AECEnv


def env(game, *, limit=1000, render_mode=None):
    """An environment of a game: observations are dictionaries with `observation` and `action_mask`.

    Who is not to move has an empty mask. Rewards are 1 for a win, -1 for a loss, 0 for a draw. Draws of chance are made by the
    seed of `reset`. A game of `limit` plies is truncated.
    """
    return BoardEnv(game, limit=limit, render_mode=render_mode)


class BoardEnv(AECEnv):
    """See `env`."""

    metadata = {"name": "rulec_v0", "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 2}

    def __init__(self, game, *, limit, render_mode):
        super().__init__()
        self.metadata = dict(self.metadata, name=f"{game.name}_v0")
        self.game, self.limit, self.render_mode = game, limit, render_mode
        names = game.player_names
        unique = len(set(names)) == len(names)
        self.possible_agents = list(names) if unique else [f"player_{n}" for n in range(game.players)]
        low = np.concatenate([np.full(p.cells, p.low, np.float32) for p in game.planes] or [np.zeros(0, np.float32)])
        high = np.concatenate([np.full(p.cells, p.high, np.float32) for p in game.planes] or [np.zeros(0, np.float32)])
        space = lambda: gymnasium.spaces.Dict({
            "observation": gymnasium.spaces.Box(low, high, dtype=np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (game.num_moves,), np.int8),
        })
        self._observations = {agent: space() for agent in self.possible_agents}
        self._actions = {agent: gymnasium.spaces.Discrete(game.num_moves) for agent in self.possible_agents}
        self.board = None

    def observation_space(self, agent):
        return self._observations[agent]

    def action_space(self, agent):
        return self._actions[agent]

    def observe(self, agent):
        player = self.possible_agents.index(agent)
        own = self.board.player == player
        mask = self.board.mask() if own else np.zeros(self.game.num_moves, np.uint8)
        return {"observation": self.board.observe("f32"), "action_mask": mask.astype(np.int8)}

    def reset(self, seed=None, options=None):
        if seed is not None or self.board is None:
            self._random = np.random.default_rng(seed)
        self.board = self.game.start(int(self._random.integers(1 << 63)))
        self.plies = 0
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: self.board.done for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[max(self.board.player, 0)]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.board.play(int(action))
        self.plies += 1
        self.rewards = dict(zip(self.agents, (float(reward) for reward in self.board.returns)))
        if self.board.done:
            self.terminations = {agent: True for agent in self.agents}
        elif self.plies >= self.limit:
            self.truncations = {agent: True for agent in self.agents}
        if self.board.player >= 0:
            self.agent_selection = self.possible_agents[self.board.player]
        self._accumulate_rewards()
        if self.board.done or self.plies >= self.limit:
            self._deads_step_first()
        if self.render_mode == "ansi":
            self.render()

    def render(self):
        return self.board.text if self.render_mode == "ansi" else None

    def close(self):
        pass
