"""Self-play with a function that judges, and what it writes."""

import numpy as np
import pytest
from conftest import load

import rulec


def even(obs, mask):
    return np.zeros(mask.shape), np.full(len(obs), 0.5)


@pytest.mark.parametrize("root", ["gumbel", "puct"])
def test_games_are_written_and_read(any_game, tmp_path, root):
    report = rulec.selfplay(any_game, even, games=12, simulations=4, slots=5, root=root, limit=60, out=tmp_path, shard=5, seed=1)
    assert report.games == 12 and len(list(tmp_path.glob("samples-*.rls"))) == 3
    samples = rulec.Samples(tmp_path / "samples-*.rls")
    assert len(samples) == report.samples > 0
    cells, policy, value, weight = samples[len(samples) - 1]
    assert cells.shape == any_game.obs_shape and policy.shape == (any_game.num_moves,)
    assert abs(policy.sum() - 1) < 1e-4 and weight == 1 and (0 <= value).all() and (value <= 1).all()
    with pytest.raises(Exception, match="already"):
        rulec.selfplay(any_game, even, games=1, out=tmp_path)


def test_games_do_not_depend_on_what_is_judged_with_them(tic_tac_toe, tmp_path):
    for number, (slots, threads) in enumerate([(1, 1), (32, 1), (32, 2)]):
        rulec.selfplay(tic_tac_toe, even, games=20, simulations=8, slots=slots, threads=threads, out=tmp_path / str(number))
    files = [(tmp_path / str(number) / "samples-000000.rls").read_bytes() for number in range(3)]
    assert files[0] == files[1] == files[2]


def test_masks_are_those_of_the_game(tic_tac_toe):
    seen = []

    def judge(obs, mask):
        seen.append((obs.copy(), mask.copy()))
        return np.zeros(mask.shape), np.full((len(obs), 2), 0.5)

    rulec.selfplay(tic_tac_toe, judge, games=3, simulations=2)
    obs, mask = seen[0]
    start = tic_tac_toe.start()
    assert (obs[0] == start.observe()).all() and (mask[0] == start.mask()).all()


@pytest.mark.parametrize("judge", [
    lambda obs, mask: (np.zeros((1, 1)), np.zeros(len(obs))),
    lambda obs, mask: (np.zeros(mask.shape), np.zeros(len(obs) + 1)),
    lambda obs, mask: (np.full(mask.shape, np.nan), np.zeros(len(obs))),
    lambda obs, mask: (np.zeros(mask.shape), np.full(len(obs), np.nan)),
    lambda obs, mask: (np.zeros(mask.shape), np.full(len(obs), -1.0)),
    lambda obs, mask: (np.zeros(mask.shape), np.full(len(obs), 7.0)),
])
def test_wrong_judgements_are_exceptions(tic_tac_toe, judge):
    with pytest.raises(rulec.UsageError):
        rulec.selfplay(tic_tac_toe, judge, games=2)


def test_wrong_settings_are_exceptions(tic_tac_toe):
    for wrong in ({"simulations": 0}, {"root": "best"}, {"slots": 0}, {"noise": (2, None)}, {"obs": "f64"}):
        with pytest.raises(rulec.UsageError):
            rulec.selfplay(tic_tac_toe, even, games=1, **wrong)


def test_errors_of_the_function_come_through(tic_tac_toe):
    def judge(obs, mask):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        rulec.selfplay(tic_tac_toe, judge, games=1)


def test_who_sees_no_hope_resigns():
    game = load("s3/connect_four_5x4.s3")

    def gloomy(obs, mask):
        return np.zeros(mask.shape), np.full(len(obs), 0.01)

    report = rulec.selfplay(game, gloomy, games=50, simulations=2, resign=0.4, patience=1, play_on=0.5, root="puct")
    assert report.resigned > 0 and 0 < report.played_on < report.resigned


def test_broken_files_are_refused(tic_tac_toe, tmp_path):
    rulec.selfplay(tic_tac_toe, even, games=4, simulations=2, out=tmp_path / "a")
    file = tmp_path / "a" / "samples-000000.rls"
    data = bytearray(file.read_bytes())
    for at in (0, 9, 40, len(data) // 2, len(data) - 1):
        broken = tmp_path / "broken.rls"
        changed = bytearray(data)
        changed[at] ^= 1
        broken.write_bytes(changed)
        for lazy in (False, True):
            with pytest.raises(rulec.RulecError):
                rulec.Samples([broken], lazy=lazy).batch([0])
    broken.write_bytes(b"")
    with pytest.raises(rulec.RulecError, match="no complete shard"):
        rulec.Samples([broken], lazy=True)


def test_samples_are_followed_by_their_images(tic_tac_toe, tmp_path):
    for name, augment in [("plain", False), ("turned", True)]:
        rulec.selfplay(tic_tac_toe, even, games=6, simulations=4, out=tmp_path / name, augment=augment)
    plain = rulec.Samples(tmp_path / "plain" / "*.rls")
    turned = rulec.Samples(tmp_path / "turned" / "*.rls")
    assert (plain.images, turned.images, len(turned)) == (1, 8, 8 * len(plain))
    every = np.arange(len(plain))
    for own, other in zip(plain.batch(every), turned.batch(8 * every)):
        assert (own == other).all()
    # An image has as much of everything, elsewhere.
    for image in range(8):
        cells, policy, value, _, mask = turned.batch(8 * every + image)
        assert (cells.sum(1) == plain.cells.sum(1)).all() and (value == plain.batch(every)[2]).all()
        assert np.allclose(np.sort(policy), np.sort(plain.batch(every)[1])) and (mask.sum(1) == plain.batch(every)[4].sum(1)).all()
    with pytest.raises(rulec.RulecError, match="images"):
        rulec.Samples([*map(str, tmp_path.glob("*/samples-*.rls"))])
    with pytest.raises(Exception, match="no symmetry"):
        rulec.selfplay(load("s3/fox_and_hounds.s3"), even, games=1, out=tmp_path / "none", augment=True)


def test_positions_that_came_up_several_times_are_merged(tic_tac_toe, tmp_path):
    rulec.selfplay(tic_tac_toe, even, games=40, simulations=4, out=tmp_path)
    plain, merged = (rulec.Samples(tmp_path / "*.rls", merge=merge) for merge in (False, True))
    sums = {}
    for cells, policy, value, weight, player in zip(*plain.batch(range(len(plain)))[:4], plain.player):
        known = sums.setdefault((player, cells.tobytes()), [0, 0, 0])
        for at, number in enumerate((policy, value, weight)):
            known[at] = known[at] + number
    assert len(merged) == len(sums) < len(plain) and merged.weight.max() > 30
    for cells, policy, value, weight, player in zip(*merged.batch(range(len(merged)))[:4], merged.player):
        policies, values, times = sums[player, cells.tobytes()]
        assert weight == times and np.allclose(policy * times, policies, atol=1e-4) and np.allclose(value * times, values, atol=1e-4)


def test_many_samples_at_once_are_as_single_ones(tic_tac_toe, tmp_path):
    rulec.selfplay(tic_tac_toe, even, games=5, simulations=4, out=tmp_path)
    samples, chosen = rulec.Samples(tmp_path / "*.rls"), [7, 0, 3, 7]
    for many, index in zip(samples.__getitems__(chosen), chosen):
        assert all((one == other).all() for one, other in zip(many, samples[index]))


@pytest.mark.parametrize("blocks", [1, 3, 64])
def test_samples_that_stay_in_their_files_are_the_same(tic_tac_toe, tmp_path, blocks):
    rulec.selfplay(tic_tac_toe, even, games=500, simulations=2, out=tmp_path, shard=200)
    plain, lazy = rulec.Samples(tmp_path / "*.rls"), rulec.Samples(tmp_path / "*.rls", lazy=True, blocks=blocks)
    assert len(lazy) == len(plain) and len(lazy._kept.counts) > 3
    chosen = np.random.default_rng(blocks).integers(-len(plain), len(plain), 100)
    for indexes in (chosen, [], [len(plain) - 1]):
        assert all((one == other).all() for one, other in zip(plain.batch(indexes), lazy.batch(indexes), strict=True))
    assert all((one == other).all() for one, other in zip(plain[-3], lazy[-3]))
    for wrong in (len(plain), -len(plain) - 1):
        with pytest.raises(IndexError):
            lazy.batch([wrong])
    with pytest.raises(rulec.UsageError):
        rulec.Samples(tmp_path / "*.rls", lazy=True, merge=True)
    # One pass has every sample once.
    for samples in (plain, lazy):
        passes = [list(samples.batches(64, seed=seed)) for seed in (1, 1, 2)]
        assert [len(batch[0]) for batch in passes[0][:-1]] == [64] * (len(samples) // 64)
        rows = [np.concatenate([batch[0] for batch in one]) for one in passes]
        assert (rows[0] == rows[1]).all() and (rows[0] != rows[2]).any()
        assert (np.sort(rows[0], axis=0) == np.sort(plain.cells, axis=0)).all()


def test_samples_are_a_dataset_of_pytorch(tic_tac_toe, tmp_path):
    data = pytest.importorskip("torch.utils.data")
    rulec.selfplay(tic_tac_toe, even, games=8, simulations=4, out=tmp_path)
    samples, seen = rulec.Samples(tmp_path / "*.rls"), 0
    for cells, policy, value, weight in data.DataLoader(samples, batch_size=16, shuffle=True):
        seen += len(weight)
        assert cells.shape[1:] == tic_tac_toe.obs_shape and policy.shape[1:] == (tic_tac_toe.num_moves,) and value.shape[1:] == (2,)
    assert seen == len(samples)
