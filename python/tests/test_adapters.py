"""The conformance tests of the libraries that the adapters are for."""

import numpy as np
import pytest
from conftest import TEN, load

import rulec

pettingzoo = pytest.importorskip("pettingzoo")
gymnasium = pytest.importorskip("gymnasium")
pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo(any_game, capsys):
    from pettingzoo.test import api_test, seed_test

    from rulec.pettingzoo import env
    api_test(env(any_game, limit=200), num_cycles=200, verbose_progress=False)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: env(any_game, limit=100), num_cycles=50)


@pytest.mark.filterwarnings("ignore")
def test_gymnasium(any_game):
    from gymnasium.utils.env_checker import check_env

    from rulec.gymnasium import Env
    check_env(Env(any_game, limit=200), skip_render_check=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["s3/tic_tac_toe.s3", "s3/connect_four_5x4.s3", "bgm/nim.bgm"])
def test_many_environments_are_as_single_ones(name):
    """Beside `SyncVectorEnv` of single environments, against an opponent that takes the first legal move."""
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    from rulec.gymnasium import Env, VectorEnv
    game = load(name)
    first = lambda obs, mask: mask.argmax(axis=1)
    single = SyncVectorEnv([lambda: Env(game, player=1, opponent=first)] * 6, autoreset_mode=AutoresetMode.SAME_STEP)
    many = VectorEnv(game, 6, player=1, opponent=first)
    assert many.observation_space == single.observation_space and many.action_space == single.action_space
    seen = [env.reset(seed=3) for env in (single, many)]
    rng, over = np.random.default_rng(0), 0
    for _ in range(60):
        assert (seen[0][0] == seen[1][0]).all()
        masks = seen[1][-1]["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        # Now and then one that is not legal.
        if rng.random() < 0.2 and (illegal := np.flatnonzero(masks[0] == 0)).size:
            actions[0] = illegal[0]
        seen = [env.step(actions) for env in (single, many)]
        for one, two in zip(seen[0][1:4], seen[1][1:4]):
            assert (np.asarray(one) == np.asarray(two)).all()
        over += seen[1][2].sum()
        if seen[1][2].any():
            for i in np.flatnonzero(seen[1][2]):
                assert (seen[0][4]["final_obs"][i] == seen[1][4]["final_obs"][i]).all()
    assert over > 0


@pytest.mark.parametrize("name", TEN)
def test_openspiel(name):
    from open_spiel.python.algorithms import generate_playthrough

    from rulec.openspiel import register
    short = register(load(name), "rulec_" + "".join(c if c.isalnum() else "_" for c in name))
    spiel = pyspiel.load_game(short)
    pyspiel.random_sim_test(spiel, num_sims=3, serialize=True, verbose=False)
    text = generate_playthrough.playthrough(short, action_sequence=None, seed=1)
    assert "game: rulec_" in text
    assert generate_playthrough.playthrough(short, action_sequence=None, seed=1) == text


def test_openspiel_adds_up(tic_tac_toe):
    from rulec.openspiel import register
    spiel = pyspiel.load_game(register(tic_tac_toe, "rulec_adds_up"))
    state = spiel.new_initial_state()
    while not state.is_terminal():
        copy = state.clone()
        state.apply_action(state.legal_actions()[0])
        assert str(copy) != str(state)
    assert sum(state.returns()) == 0 and isinstance(tic_tac_toe, rulec.Game)
