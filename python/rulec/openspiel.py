"""Games as games of OpenSpiel."""

import json

import numpy as np
import pyspiel


def register(game, short_name=None, *, max_game_length=1000):
    """Registers a game, so that `pyspiel.load_game(short_name)` loads it; gives the short name.

    Returns are 1 for a win, -1 for a loss, 0 for a draw; those of two players add up to 0. Results of draws are actions of
    chance, by their number among them. A game of `max_game_length` actions ends with returns of 0.
    """
    short_name = short_name or f"rulec_{''.join(c if c.isalnum() else '_' for c in game.name)}"
    two = game.players == 2
    kind = pyspiel.GameType(
        short_name=short_name,
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance
                     else pyspiel.GameType.ChanceMode.DETERMINISTIC),
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if two else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    about = pyspiel.GameInfo(
        num_distinct_actions=max(game.num_moves, 1),
        max_chance_outcomes=max(game.num_moves, 64) if game.has_chance else 0,
        num_players=game.players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if two else None,
        max_game_length=max_game_length,
    )

    class SpielGame(pyspiel.Game):
        """The game as OpenSpiel sees it."""

        def __init__(self, params=None):
            super().__init__(kind, about, params or {})

        def new_initial_state(self):
            return SpielState(self, max_game_length)

        def make_py_observer(self, iig_obs_type=None, params=None):
            if params:
                raise ValueError(f"there are no parameters of observations: {params}")
            return Observer(game)

    _GAMES[short_name] = game
    pyspiel.register_game(kind, SpielGame)
    return short_name


_GAMES = {}


class _Board:
    """A position that can be pickled, which OpenSpiel does with states."""

    def __init__(self, short_name):
        self.short_name = short_name
        self.state = _GAMES[short_name].start(explicit_chance=True)

    def __getstate__(self):
        return {"short_name": self.short_name, "text": self.state.text}

    def __setstate__(self, told):
        self.__init__(told["short_name"])
        self.state.read(told["text"])

    def __deepcopy__(self, memo):
        copy = object.__new__(_Board)
        copy.short_name, copy.state = self.short_name, self.state.copy()
        return copy


class SpielState(pyspiel.State):
    """A position."""

    def __init__(self, spiel, limit):
        super().__init__(spiel)
        self._board = _Board(spiel.get_type().short_name)
        self._left = limit

    @property
    def board(self):
        return self._board.state

    def current_player(self):
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        player = self.board.player
        return pyspiel.PlayerId.CHANCE if player == -1 else player

    def _legal_actions(self, player):
        return sorted(self.board.legal_list())

    def chance_outcomes(self):
        weights = [result["weight"] for result in json.loads(self.board.results())]
        return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]

    def _apply_action(self, action):
        self.board.play(int(action))
        self._left -= 1

    def _action_to_string(self, player, action):
        if player == pyspiel.PlayerId.CHANCE:
            return json.loads(self.board.results())[action]["text"]
        return self.board.move_text(int(action))

    def is_terminal(self):
        return self.board.done or self._left <= 0

    def returns(self):
        returns = [float(value) for value in self.board.returns]
        if len(returns) == 2:
            half = (returns[0] - returns[1]) / 2
            return [half, -half]
        return returns

    def __str__(self):
        return self.board.text


class Observer:
    """What a network sees of a position."""

    def __init__(self, game):
        self.tensor = np.zeros(game.obs_shape, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state, player):
        self.tensor[:] = state.board.observe("f32")

    def string_from(self, state, player):
        return state.board.text
