#!/usr/bin/env python3
"""Tests of the launcher with a compiled game: `python3 test_launch.py GAME [hq]`.

Every backend must give the bytes of one process, also after a task was killed. With `hq` the backend of that name is tested too, for which the
package hyperqueue must be there.
"""

import contextlib
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import generations
import launch

GAMES, SIZE = 160, 40
BOT = ["selfplay", "--bot", "uct:20000:solve=no", "--temperature", "1", "--seed", "5"]


def alone(game, folder):
    """What one process writes."""
    out = Path(folder) / "alone.jsonl"
    subprocess.run([game, *BOT, "--games", str(GAMES), "--threads", "1", "--out", out], check=True, stdout=subprocess.DEVNULL)
    return out.read_bytes()


def players(folder):
    """Processes that play into a folder, each with the file that it makes."""
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                line = (process / "cmdline").read_text().split("\0")
                if "--seed-range" in line and str(folder) in line[line.index("--out") + 1]:
                    yield int(process.name), Path(line[line.index("--out") + 1])


def kill_one(folder, killed):
    """Kills the first process that is seen at work: stopped first, so that it cannot finish in between."""
    end = time.monotonic() + 600
    while time.monotonic() < end:
        for process, target in players(folder):
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGSTOP)
                if not target.exists():
                    os.kill(process, signal.SIGKILL)
                    killed.put(process)
                    return
                os.kill(process, signal.SIGCONT)


def run(backend, game, folder, *more):
    arguments = ["--backend", backend, "--games", str(GAMES), "--shard-size", str(SIZE), "--out", str(folder), "--samples"]
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        launch.launch(launch.options_of([*arguments, *more, "--", game, *BOT]))
    return told.getvalue()


def backend_gives_the_same_bytes_after_a_kill(backend, game, expected):
    with tempfile.TemporaryDirectory() as folder:
        # A process of its own: a thread would wait for the backend, which does not give way while it waits itself.
        killed = multiprocessing.Queue()
        killer = multiprocessing.Process(target=kill_one, args=(folder, killed))
        killer.start()
        told = run(backend, game, folder, "--jobs", "2", "--workers", "2")
        killer.join()
        assert not killed.empty(), "no task was seen at work"
        assert "round 2: " in told, f"nothing was tried again:\n{told}"
        assert (Path(folder) / "games.jsonl").read_bytes() == expected, "other bytes"
        assert not list(Path(folder).glob(".*.tmp")), "a draft is left"


def broken_shards_are_made_again(game, expected):
    with tempfile.TemporaryDirectory() as folder:
        run("local", game, folder, "--jobs", "2")
        shard = Path(folder) / f"games-{SIZE}-{2 * SIZE}.jsonl"
        text = bytearray(shard.read_bytes())
        text[len(text) // 2] ^= 1
        shard.write_bytes(text)
        samples = Path(folder) / f"samples-0-{SIZE}.rls"
        samples.write_bytes(samples.read_bytes()[:-1])
        told = run("local", game, folder, "--jobs", "2")
        assert "round 1: 2 submitted, 0 missing" in told, told
        assert (Path(folder) / "games.jsonl").read_bytes() == expected


def samples_are_merged(game):
    with tempfile.TemporaryDirectory() as folder:
        run("local", game, folder, "--jobs", "2")
        merged, own = Path(folder) / "samples.rls", Path(folder) / "alone.rls"
        subprocess.run([game, *BOT, "--games", str(GAMES), "--threads", "1", "--out", Path(folder) / "alone.jsonl", "--samples", own],
                       check=True, stdout=subprocess.DEVNULL)
        assert launch.verify_samples(merged), "the merged file is not whole"
        assert unpacked(merged) == unpacked(own), "other samples than those of one process"
        broken = bytearray(merged.read_bytes())
        broken[len(broken) // 2] ^= 1
        merged.write_bytes(broken)
        assert not launch.verify_samples(merged), "a broken file is called whole"


def unpacked(path):
    """The header of a file of samples, and the numbers of the games of all samples."""
    with open(path, "rb") as file:
        head, blocks, _ = launch.open_samples(file)
        games = []
        for place, size, _, count, _ in blocks:
            file.seek(place)
            # Of a column all lowest bytes come first, then the next ones.
            column = zlib.decompress(file.read(size))[:8 * count]
            games += [int.from_bytes(column[sample::count], "little") for sample in range(count)]
    return json.loads(head[16:]), games


def other_options_are_not_mixed(game):
    with tempfile.TemporaryDirectory() as folder:
        run("local", game, folder, "--jobs", "2")
        (Path(folder) / f"games-0-{SIZE}.jsonl").unlink()
        try:
            launch.launch(launch.options_of(
                ["--games", str(GAMES), "--shard-size", str(SIZE), "--out", folder, "--", game, *BOT[:-1], "6"]))
        except launch.Failed as error:
            assert "other rules or options" in str(error), error
        else:
            raise AssertionError("shards of two seeds were merged")


def what_fails_is_told(game):
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as told:
        try:
            launch.launch(launch.options_of(
                ["--games", "4", "--shard-size", "2", "--rounds", "1", "--out", folder, "--", game, "selfplay", "--state", "none"]))
        except launch.Failed as error:
            assert "2 of 2 shards are missing: 0..2, 2..4" in str(error), error
        else:
            raise AssertionError("shards of nothing are complete")
        assert "is no position" in told.getvalue(), told.getvalue()


TRAINER = """
import pathlib, sys
before, after, *samples = sys.argv[1:]
assert samples and all(pathlib.Path(path).name == "samples.rls" for path in samples)
pathlib.Path(after).write_text(before)
"""


def learn(game, folder, generations_wanted, trainer=TRAINER, gate="0"):
    """Some generations whose players need no network."""
    generations.generations(generations.options_of([
        "--generations", str(generations_wanted), "--games", "6", "--shard-size", "3", "--out", str(folder), "--jobs", "2", "--match-games", "4",
        "--player", "uct:20", "--first-player", "random", "--selfplay", "--temperature 1", "--gate", gate,
        "--trainer", f"{sys.executable} -c '{trainer}' '{{before}}' {{after}} {{samples}}", "--", game]))


def generations_go_on_where_they_were_interrupted(game):
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()) as told:
        learn(game, folder, 1)
        first = {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*") if path.is_file()}
        for trainer in ("raise SystemExit(1)", "pass"):
            try:
                learn(game, folder, 2, trainer)
            except launch.Failed as error:
                assert "made no network" in str(error), error
            else:
                raise AssertionError("a generation without a network went on")
        learn(game, folder, 2)
        assert all(path.stat().st_mtime_ns == time for path, time in first.items()), "the first generation was made again"
        networks = [Path(folder) / f"{number:04}" / "network" / "network.onnx" for number in range(2)]
        assert networks[0].read_text() == "" and networks[1].read_text() == str(networks[0]), "not the network before"
        assert f"best: {networks[1]}" in told.getvalue(), told.getvalue()


def a_network_that_loses_is_left(game):
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()) as told:
        learn(game, folder, 2, gate="1.1")
        assert (Path(folder) / "0001" / "network" / "network.onnx").read_text() == "", "it played on"
        assert told.getvalue().endswith("best: random\n"), told.getvalue()


def main():
    game, backends = os.path.abspath(sys.argv[1]), ["local", *sys.argv[2:]]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        expected = alone(game, folder)
    tests = [(f"{backend} gives the same bytes after a kill", backend_gives_the_same_bytes_after_a_kill, (backend, game, expected))
             for backend in backends]
    tests += [
        ("samples are merged", samples_are_merged, (game,)),
        ("broken shards are made again", broken_shards_are_made_again, (game, expected)),
        ("other options are not mixed", other_options_are_not_mixed, (game,)),
        ("what fails is told", what_fails_is_told, (game,)),
        ("generations go on where they were interrupted", generations_go_on_where_they_were_interrupted, (game,)),
        ("a network that loses is left", a_network_that_loses_is_left, (game,)),
    ]
    for name, test, arguments in tests:
        try:
            test(*arguments)
            print(f"ok: {name}")
        except Exception as error:  # noqa: BLE001: each failure counts and the others go on
            failed += 1
            print(f"FAILED: {name}: {error!r}")
    print(f"test result: launcher. {len(tests) - failed} passed; {failed} failed;")
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main()
