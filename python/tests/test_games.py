"""Games, positions and batches."""

import threading

import numpy as np
import pytest
from conftest import GAMES, load

import rulec


def test_random_games_of_single_positions_and_batches_agree(any_game):
    game, rng = any_game, np.random.default_rng(1)
    env = rulec.VectorEnv(game, 3, seed=2)
    states = [game.start() for _ in range(3)]
    for number, state in enumerate(states):
        state.read(env.text(number))
    for _ in range(60):
        moves = np.empty(3, np.int32)
        for number, state in enumerate(states):
            legal = state.legal()
            assert sorted(legal) == list(np.flatnonzero(env.mask[number]))
            assert (state.observe() == env.obs[number]).all() and state.player == env.player[number]
            assert (state.mask() == env.mask[number]).all()
            moves[number] = rng.choice(legal)
            text = state.move_text(moves[number])
            assert state.move_index(text) == moves[number]
        env.step(moves)
        for number, state in enumerate(states):
            if not game.has_chance:
                state.play(int(moves[number]))
                assert state.done == env.done[number]
                assert (state.returns == env.reward[number]).all()
            if env.done[number] or game.has_chance:
                state.read(env.text(number))
            assert state.key == env.keys()[number]


def test_arrays_are_views_that_cannot_be_written(tic_tac_toe):
    env = rulec.VectorEnv(tic_tac_toe, 8)
    obs, mask = env.obs, env.mask
    env.step(env.sample())
    assert obs is env.obs and mask.sum() == 8 * 8
    for array in (env.obs, env.mask, env.player, env.reward, env.done):
        assert not array.flags.owndata
        with pytest.raises(ValueError):
            array[0] = 1


def test_bits_and_bytes_tell_the_same(any_game):
    kinds = [rulec.VectorEnv(any_game, 5, seed=3, mask=mask, obs=obs) for mask, obs in [("bytes", "f32"), ("bits", "i8")]]
    for _ in range(20):
        one, two = kinds
        moves = one.sample()
        two.sample()
        bits = np.unpackbits(two.mask.view(np.uint8), axis=1, bitorder="little")[:, :any_game.num_moves]
        assert (bits == one.mask).all()
        assert (np.clip(one.obs, -128, 127) == two.obs).all()
        for env in kinds:
            env.step(moves)


def test_nothing_need_be_seen(tic_tac_toe):
    env = rulec.VectorEnv(tic_tac_toe, 4, mask=None, obs=None)
    for _ in range(20):
        env.step(env.sample())
    assert env.obs is None and env.mask is None and env.final_obs is None


def test_seeds_make_games(any_game):
    def walk(env):
        texts = []
        for _ in range(30):
            env.step(env.sample())
            texts.append(env.text(1))
        return texts

    first = walk(rulec.VectorEnv(any_game, 4, seed=7))
    env = rulec.VectorEnv(any_game, 4, seed=8)
    walk(env)
    env.reset(seed=7)
    assert walk(env) == first


def test_bad_input_is_an_exception_and_changes_nothing(tic_tac_toe):
    env = rulec.VectorEnv(tic_tac_toe, 2)
    before = env.text(0)
    for actions in ([0], [0, 99], [0, -5], [2**31 - 1, 0], [0, 1, 2]):
        with pytest.raises((rulec.IllegalMove, rulec.UsageError)):
            env.step(np.array(actions, np.int32))
    for actions in (np.array([2**40, 0]), np.array([2**64 - 1, 0], np.uint64), np.array([0.5, 1]), np.array([np.nan, 0]), [[0], [1]]):
        with pytest.raises((rulec.IllegalMove, rulec.UsageError, TypeError)):
            env.step(actions)
    assert env.text(0) == before
    with pytest.raises(rulec.UsageError):
        env.text(5)
    with pytest.raises(rulec.UsageError):
        env.set_text(0, "no position")
    with pytest.raises(rulec.UsageError):
        rulec.VectorEnv(tic_tac_toe, 0)
    with pytest.raises((rulec.UsageError, TypeError, OverflowError)):
        env.reset([7])
    state = tic_tac_toe.start()
    for wrong in (10**6, -3, -1, "nowhere"):
        with pytest.raises(rulec.IllegalMove):
            state.play(wrong)
    with pytest.raises((TypeError, OverflowError)):
        state.play(2**40)
    while not state.done:
        state.play(int(state.legal()[0]))
    with pytest.raises(rulec.IllegalMove, match="over"):
        state.play(0)
    with pytest.raises(rulec.UsageError):
        state.observe("f64")


def test_wrong_rules_are_an_exception_with_the_diagnostics(tmp_path):
    file = tmp_path / "broken.s3"
    file.write_text("game(")
    with pytest.raises(rulec.RulesError) as error:
        rulec.load(file)
    assert error.value.diagnostics and "broken.s3" in str(error.value)
    with pytest.raises(rulec.RulecError):
        rulec.load(tmp_path / "missing.s3")


def test_a_position_is_drawn_and_explained(tic_tac_toe):
    state = tic_tac_toe.start()
    copy = state.copy()
    move = int(state.legal()[0])
    text = state.move_text(move)
    state.play(text)
    assert copy.key != state.key and copy.text == tic_tac_toe.start().text
    assert state._repr_svg_().lstrip().startswith("<svg")
    assert "sentence" in state.explain(text)
    assert tic_tac_toe.move_texts()[move] == text
    mean = copy.playouts(200)
    assert mean.shape == (2,) and mean[0] > mean[1]


def test_results_of_draws_are_given_or_made():
    goose = load("bbgel/toll_race.bbgel")
    state = goose.start(explicit_chance=True)
    seen = 0
    for _ in range(200):
        if state.done:
            break
        if state.player == -1:
            seen += 1
            state.play(0)
        else:
            state.play(int(state.legal()[0]))
    assert seen > 0


def test_threads_do_not_change_games(any_game):
    one, two = (rulec.VectorEnv(any_game, 256, seed=1, threads=threads) for threads in (1, 2))
    for _ in range(10):
        moves = one.sample()
        assert (moves == two.sample()).all()
        one.step(moves)
        two.step(moves)
        assert (one.obs == two.obs).all() and (one.done == two.done).all()


def test_another_thread_is_told_to_wait_or_gets_its_turn(tic_tac_toe):
    env, errors = rulec.VectorEnv(tic_tac_toe, 2000), []

    def run():
        for _ in range(50):
            try:
                env.keys()
            except rulec.Busy:
                pass
            except Exception as error:  # pragma: no cover
                errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_games_are_found(any_game):
    assert any_game.players >= 1 and any_game.obs_shape[0] == sum(plane.cells for plane in any_game.planes)
    assert (GAMES / any_game.path).exists()


FAULTY = """
name faulty

setup:
    game { maxDiceValue 2 }
    2 players {}

field 1 "start" -> 2:
    game_start()
field 2 "crossroads":
    control if choose_bool() then goto 3 else goto 4 end
field 3 "pit" -> 5:
    force
    if 1 / (roll(2) - 1) == 1 then
        sleep(cp, 2)
    end
field 4 "road" -> 5:
field 5 "home":
    force
    game_end()
"""


def test_rules_that_fault_are_an_exception_and_the_games_begin_anew(tmp_path):
    file = tmp_path / "faulty.bbgel"
    file.write_text(FAULTY)
    env, faults = rulec.VectorEnv(rulec.load(file), 64), 0
    for _ in range(30):
        try:
            env.step(env.sample())
        except rulec.Fault as error:
            faults += 1
            assert "divi" in str(error).lower() and env.stopped.any() and (env.stopped <= env.done).all()
    assert faults and not (env.player == -2).any()
    even = lambda obs, mask: (np.zeros(mask.shape), np.full(len(obs), 0.5))
    assert 0 < rulec.selfplay(rulec.load(file), even, games=50, simulations=2).faults < 50
