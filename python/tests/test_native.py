"""The same games, compiled: needs cargo."""

import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import GAMES, load

import rulec

pytestmark = pytest.mark.skipif(not shutil.which(os.environ.get("CARGO", "cargo")), reason="no cargo")


@pytest.mark.parametrize("name", ["s3/tic_tac_toe.s3", "bbgel/crossroads.bbgel"])
def test_compiled_games_play_the_same(name):
    interpreted, native = load(name), rulec.load(GAMES / name, native=True)
    assert interpreted.description == native.description
    assert interpreted.move_texts() == native.move_texts()
    one, two = (rulec.VectorEnv(game, 16, seed=1, final_obs=True) for game in (interpreted, native))
    for _ in range(100):
        assert (one.obs == two.obs).all() and (one.mask == two.mask).all() and (one.player == two.player).all()
        # Moves have no order of their own, so each draws from another list.
        moves = one.sample()
        for env in (one, two):
            env.step(moves)
        if interpreted.has_chance:
            for game in range(16):
                two.set_text(game, one.text(game))
        else:
            assert (one.reward == two.reward).all() and (one.done == two.done).all()


def test_a_library_of_other_rules_is_refused(tmp_path):
    rules = GAMES / "s3/tic_tac_toe.s3"
    rulec.load(rules, native=True)
    other = tmp_path / "other.s3"
    other.write_bytes(rules.read_bytes() + b"\n")
    cache = os.environ.get("RULEC_CACHE")
    found = [] if cache is None else list((__import__("pathlib").Path(cache) / "bin").glob("*tic_tac_toe*.so"))
    for library in found[:1]:
        with pytest.raises(rulec.RulecError, match="other rules|no library"):
            rulec.load(other, library=library)
    wrong = tmp_path / "wrong.so"
    wrong.write_bytes(b"no library")
    with pytest.raises(rulec.RulecError, match="no library"):
        rulec.load(rules, library=wrong)
    assert np.zeros(1).sum() == 0


def test_a_library_of_another_version_is_refused(tmp_path):
    source, library = tmp_path / "next.c", tmp_path / "next.so"
    source.write_text("""
        static struct { char magic[8]; unsigned version, size; char rest[1000]; } table = {"RULECGAM", 999, sizeof table};
        const void *rulec_game_v1(void) { return &table; }
    """)
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, source], check=True)
    with pytest.raises(rulec.RulecError, match="version 999"):
        rulec.load(GAMES / "s3/tic_tac_toe.s3", library=library)
