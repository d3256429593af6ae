#!/usr/bin/env python3
"""Lets a compiled game play itself on many processes or machines, and merges what they made.

    python3 launch.py --games 100000 --shard-size 1000 --out data --jobs 2 -- ./reversi selfplay --bot uct:100
    python3 launch.py --backend hq --server ~/.hq-server --games 1000000 --out /shared/data -- /shared/reversi selfplay --bot uct:100

The folder gets a file games-FROM-TO.jsonl for each shard (and samples-FROM-TO.rls with --samples), and games.jsonl in the end: the same
bytes as one process would write with `--out games.jsonl`. With --samples there is samples.rls too, with the samples of all shards. Only missing or broken shards are played, so the same command goes on where a
former one was interrupted. Backends: `local` starts processes here; `hq` gives tasks to HyperQueue (`pip install hyperqueue`), with a
server of your own (--server) or one that lives as long as this program (--workers). For a Slurm array no launcher is needed; with 100
shards of 1000 games:

    sbatch --array=0-99 --wrap './reversi selfplay --bot uct:100
        --seed-range $((SLURM_ARRAY_TASK_ID*1000))..$((SLURM_ARRAY_TASK_ID*1000+1000))
        --out data/games-$((SLURM_ARRAY_TASK_ID*1000))-$((SLURM_ARRAY_TASK_ID*1000+1000)).jsonl'

and then this program with the same --games, --shard-size and --out verifies, fills gaps and merges.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Failed(Exception):
    """What went wrong, for people."""


def shards(games, size):
    """The ranges of games of all shards."""
    return [(first, min(first + size, games)) for first in range(0, games, size)]


def records_of(folder, shard):
    return folder / f"games-{shard[0]}-{shard[1]}.jsonl"


def samples_of(folder, shard):
    return folder / f"samples-{shard[0]}-{shard[1]}.rls"


def verify_records(path, shard):
    """The object that ends a file of records; None unless the file is complete and holds these games."""
    crc, size, last = 0, 0, b""
    try:
        with open(path, "rb") as file:
            for line in file:
                crc, size = zlib.crc32(last, crc), size + len(last)
                last = line
        end = json.loads(last)["end"]
        fits = (end["from"], end["to"], end["bytes"]) == (*shard, size) and int(end["crc32"], 16) == crc
        return end if fits else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


MAGIC, VERSION, TAIL, END = b"RULECSMP", 2, 20, b"END\n"
# Of a block: where it is, its bytes, these unpacked, its samples, and the checksum of its bytes.
BLOCK = struct.Struct("<QIIII")


def open_samples(file):
    """The head of a file of samples, its blocks as the index tells them, and where these end; None unless all is as it was written."""
    begin = file.read(16)
    head = begin + file.read(int.from_bytes(begin[12:], "little"))
    file.seek(-TAIL, os.SEEK_END)
    tail_at, tail = file.tell(), file.read()
    if begin[:12] != MAGIC + VERSION.to_bytes(4, "little") or tail[16:] != END:
        return None
    end = file.seek(int.from_bytes(tail[:8], "little"))
    index = file.read(max(0, tail_at - end))
    crc = zlib.crc32(tail[:12], zlib.crc32(index, zlib.crc32(head)))
    blocks = list(BLOCK.iter_unpack(index))
    if crc.to_bytes(4, "little") != tail[12:16] or len(blocks) != int.from_bytes(tail[8:12], "little"):
        return None
    file.seek(len(head))
    return head, blocks, end


def verify_samples(path):
    """Whether a file of samples is complete: that its index is that of its blocks, and the blocks are as they were written."""
    try:
        with open(path, "rb") as file:
            found = open_samples(file)
            if found is None:
                return False
            whole = all(place == file.tell() and zlib.crc32(file.read(size)) == crc for place, size, _, _, crc in found[1])
            return whole and file.tell() == found[2]
    except (OSError, struct.error):
        return False


def is_done(folder, shard, samples):
    whole = verify_records(records_of(folder, shard), shard) is not None
    return whole and (not samples or verify_samples(samples_of(folder, shard)))


def task(game, folder, shard, samples):
    """The command line that makes a shard."""
    line = [*game, "--seed-range", f"{shard[0]}..{shard[1]}", "--out", str(records_of(folder, shard))]
    return line + ["--samples", str(samples_of(folder, shard))] if samples else line


def local(tasks, options):
    """Runs the tasks as processes of this machine, some at once."""

    def one(line):
        run = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return run.stderr.strip().splitlines()[-1:] if run.returncode else []

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        return [line for lines in pool.map(one, tasks) for line in lines]


def hq(tasks, options):
    """Gives the tasks to HyperQueue and waits until each has ended, well or not."""
    try:
        from hyperqueue import Client, Job, LocalCluster
        from hyperqueue.cluster import WorkerConfig
    except ImportError as error:
        raise Failed(f"the backend hq needs the package hyperqueue: {error}") from error

    def submit(client):
        job = Job(max_fails=len(tasks))
        with tempfile.TemporaryDirectory(prefix=".logs-", dir=options.out) as logs:
            for number, line in enumerate(tasks):
                job.program(line, stdout=None, stderr=os.path.join(logs, str(number)), cwd=os.getcwd())
            submitted = client.submit(job)
            client.wait_for_jobs([submitted], raise_on_error=False)
            texts = [path.read_text(errors="replace").strip() for path in Path(logs).iterdir()]
        return [text.splitlines()[-1] for text in texts if text]

    if options.server:
        return submit(Client(options.server))
    with LocalCluster() as cluster:
        for _ in range(options.workers):
            cluster.start_worker(WorkerConfig(cores=1))
        return submit(cluster.client())


BACKENDS = {"local": local, "hq": hq}


def merge(folder, done):
    """Writes games.jsonl: the games of all shards and one last line, whole or not at all."""
    ends = [verify_records(records_of(folder, shard), shard) for shard in done]
    same = [{key: end[key] for key in ("version", "rules_sha256", "settings")} for end in ends]
    for shard, settings in zip(done, same):
        if settings != same[0]:
            raise Failed(f"{records_of(folder, shard)} was made by other rules or options than {records_of(folder, done[0])}")
    crc, size, target = 0, 0, folder / "games.jsonl"
    draft = folder / f".games.jsonl.{os.getpid()}.tmp"
    with open(draft, "wb") as out:
        for shard, end in zip(done, ends):
            with open(records_of(folder, shard), "rb") as file:
                left = end["bytes"]
                while left:
                    block = file.read(min(left, 1 << 20))
                    crc, size, left = zlib.crc32(block, crc), size + len(block), left - len(block)
                    out.write(block)
        first, last = done[0][0], done[-1][1]
        total = ends[0] | {"from": first, "to": last, "games": last - first, "bytes": size, "crc32": f"{crc:08x}"}
        text = json.dumps({"end": total}, separators=(",", ":"), ensure_ascii=False)
        out.write(text.encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())
    os.replace(draft, target)
    return target


def merge_samples(folder, done):
    """Writes samples.rls: the samples of all shards, block by block, whole or not at all."""
    header, blocks, target = None, [], folder / "samples.rls"
    for shard in done:
        path = samples_of(folder, shard)
        with open(path, "rb") as file:
            found = open_samples(file)
        if found is None:
            raise Failed(f"{path} is broken; run this again to go on")
        own = json.loads(found[0][16:])
        if header is None:
            header = own
        elif any(own[key] != header[key] for key in own.keys() - {"from", "to", "samples", "entries"}):
            raise Failed(f"{path} was made by other rules or options than {samples_of(folder, done[0])}")
        else:
            header |= {"to": own["to"], "samples": header["samples"] + own["samples"], "entries": header["entries"] + own["entries"]}
        blocks += [(path, *block) for block in found[1]]
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    head = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little") + text
    draft, index = folder / f".samples.rls.{os.getpid()}.tmp", b""
    with open(draft, "wb") as out:
        out.write(head)
        for path, place, size, *rest in blocks:
            with open(path, "rb") as file:
                file.seek(place)
                index += BLOCK.pack(out.tell(), size, *rest)
                out.write(file.read(size))
        tail = out.tell().to_bytes(8, "little") + len(blocks).to_bytes(4, "little")
        crc = zlib.crc32(tail, zlib.crc32(index, zlib.crc32(head)))
        out.write(index + tail + crc.to_bytes(4, "little") + END)
        out.flush()
        os.fsync(out.fileno())
    os.replace(draft, target)
    return target


def launch(options):
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = shards(options.games, options.shard_size)
    missing = [shard for shard in wanted if not is_done(folder, shard, options.samples)]
    print(f"{len(wanted)} shards, {len(wanted) - len(missing)} complete", file=sys.stderr)
    for round_number in range(1, options.rounds + 1):
        if not missing:
            break
        tasks = [task(options.game, folder, shard, options.samples) for shard in missing]
        complaints = BACKENDS[options.backend](tasks, options)
        before, missing = missing, [shard for shard in missing if not is_done(folder, shard, options.samples)]
        for shard in before:
            # Drafts of tasks that were killed; a file under its own name is replaced whole.
            for path in (records_of(folder, shard), samples_of(folder, shard)):
                for draft in folder.glob(f".{path.name}.*.tmp"):
                    draft.unlink(missing_ok=True)
        print(f"round {round_number}: {len(before)} submitted, {len(missing)} missing", file=sys.stderr)
        for complaint in sorted(set(complaints))[:5]:
            print(f"  {complaint}", file=sys.stderr)
    if missing:
        ranges = ", ".join(f"{first}..{last}" for first, last in missing[:5])
        raise Failed(f"{len(missing)} of {len(wanted)} shards are missing: {ranges}; run this again to go on")
    target = merge(folder, wanted)
    print(f"{target}: {options.games} games")
    if options.samples:
        print(f"{merge_samples(folder, wanted)}: their samples")


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, required=True, metavar="N", help="number of games")
    parser.add_argument("--shard-size", type=int, default=1000, metavar="K", help="games of a shard; 30 to 300 seconds are good [1000]")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder that all workers reach by this name")
    parser.add_argument("--samples", action="store_true", help="training samples too")
    parser.add_argument("--backend", choices=BACKENDS, default="local", help="who runs the tasks [local]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J", help="local: processes at once")
    parser.add_argument("--server", metavar="DIR", help="hq: folder of a running server")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="W", help="hq: workers of one core, without --server")
    parser.add_argument("--rounds", type=int, default=3, metavar="R", help="times that a missing shard is tried [3]")
    parser.add_argument("game", nargs=argparse.REMAINDER, metavar="-- GAME selfplay ...", help="program and options of a game")
    options = parser.parse_args(arguments)
    options.game = options.game[1:] if options.game[:1] == ["--"] else options.game
    if not options.game:
        parser.error("say after -- which game to play, for example: -- ./reversi selfplay --bot uct:100")
    if options.games < 1 or options.shard_size < 1:
        parser.error("--games and --shard-size are at least 1")
    options.out = os.path.abspath(options.out)
    if os.sep in options.game[0]:
        options.game[0] = os.path.abspath(options.game[0])
    if "--threads" not in options.game:
        options.game += ["--threads", "1"]
    return options


def main():
    try:
        launch(options_of(sys.argv[1:]))
    except (Failed, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
