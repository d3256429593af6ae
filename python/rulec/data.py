"""Samples that self-play wrote."""

import functools
import glob
import json
import zlib
from pathlib import Path

import numpy as np

from .errors import RulecError, UsageError

MAGIC, END = b"RULECSMP", b"END\n"
# Of a sample; those of samples that are merged have a mean, of the others the first counts.
COLUMNS = ("cells", "value", "player", "searched", "plies_left", "game")
MEANS = ("value", "searched", "plies_left")


def beside(planes, rows):
    """The cells of all planes in one array, of whole numbers as narrow as may be."""
    return np.concatenate(planes, axis=1) if planes else np.zeros((rows, 0), np.int8)


class Shard:
    """A file of samples, of version 1 or 2: its header, and blocks of samples that are read one by one."""

    def __init__(self, path, data=None):
        self._data, self._path = Path(path).read_bytes() if data is None else data, path
        data = self._data
        if len(data) < 36 or bytes(data[:8]) != MAGIC or bytes(data[-4:]) != END:
            raise RulecError(f"{path} is no complete shard")
        version, length = (int(n) for n in np.frombuffer(data, "<u4", 2, 8))
        if version not in (1, 2):
            raise RulecError(f"{path} is of version {version}; this package knows 1 and 2")
        self._head = 16 + length
        if version == 1:
            self._check(self._number(len(data) - 8), [data[:-8]])
        self._index = None if version == 1 else self._blocks()
        self.header = json.loads(bytes(data[16:self._head]))
        # How many samples each block has.
        self.counts = [self.header["samples"]] if version == 1 else [int(block["samples"]) for block in self._index]

    @classmethod
    def mapped(cls, path):
        """The file where it lies: what nobody asks for is not read."""
        if Path(path).stat().st_size == 0:
            raise RulecError(f"{path} is no complete shard")
        return cls(path, np.memmap(path, np.uint8, "r"))

    def read(self, block):
        """The samples of a block."""
        if self._index is None:
            return self._first()
        entry = self._index[block]
        packed = self._data[int(entry["at"]):int(entry["at"]) + int(entry["len"])]
        self._check(int(entry["crc"]), [packed])
        return self._second(zlib.decompress(packed), int(entry["samples"]))

    def empty(self):
        """Nothing, of the right shape."""
        return self._second(b"", 0)

    def _check(self, crc, parts):
        found = 0
        for part in parts:
            found = zlib.crc32(part, found)
        if found != crc:
            raise RulecError(f"{self._path} is broken: a checksum is wrong")

    def _number(self, at, dtype="<u4"):
        return int(np.frombuffer(self._data, dtype, 1, at)[0])

    def _blocks(self):
        data, tail = self._data, len(self._data) - 20
        begin, count = self._number(tail, "<u8"), self._number(tail + 8)
        index = data[begin:tail]
        self._check(self._number(tail + 12), [data[:self._head], index, data[tail:tail + 12]])
        kind = np.dtype([("at", "<u8"), ("len", "<u4"), ("plain", "<u4"), ("samples", "<u4"), ("crc", "<u4")])
        return np.frombuffer(index, kind, count)

    def _first(self):
        data, at = self._data, self._head

        def take(dtype, count):
            nonlocal at
            array = np.frombuffer(data, dtype, count, at)
            at += -(-array.nbytes // 8) * 8
            return array

        n, entries = self.header["samples"], self.header["entries"]
        game, start = take("<u8", n), take("<u8", n + 1).astype(np.int64)
        moves, visits, value, plies_left, player = (take(*part) for part in (
            ("<u4", entries), ("<u4", entries), ("<f4", n), ("<u4", n), ("u1", n)))
        planes = [take(f"<i{p['bytes']}", n * p["cells"]).reshape(n, p["cells"]) for p in self.header["planes"]]
        return Columns(self.header, cells=beside(planes, n), value=value, player=player, searched=np.full(n, np.nan, np.float32),
                       plies_left=plies_left, game=game, count=np.diff(start), moves=moves, visits=visits)

    def _second(self, plain, n):
        at = 0

        def column(dtype, count):
            nonlocal at
            dtype = np.dtype(dtype)
            rows = np.frombuffer(plain, np.uint8, dtype.itemsize * count, at).reshape(dtype.itemsize, count)
            at += rows.size
            return np.ascontiguousarray(rows.T).view(dtype).reshape(count)

        game, value, searched, plies_left, _, count, player = (column(dtype, n) for dtype in (
            "<u8", "<f4", "<f4", "<u4", "<u4", "<u4", "u1"))
        count = count.astype(np.int64)
        moves, visits = (column("<u4", int(count.sum())) for _ in range(2))
        planes = []
        for plane in self.header["planes"]:
            cells, width = plane["cells"], plane["bytes"]
            rows = np.frombuffer(plain, np.uint8, cells * width * n, at).reshape(cells * width, n)
            at += rows.size
            planes.append(np.ascontiguousarray(rows.T).view(f"<i{width}"))
        return Columns(self.header, cells=beside(planes, n), value=value, player=player, searched=searched, plies_left=plies_left,
                       game=game, count=count, moves=moves, visits=visits)


class Columns:
    """Samples in memory, an array for each thing that is known of them."""

    def __init__(self, header, *, count, moves, visits, **columns):
        self.num_moves, self.players = header["move_count"], header["players"]
        for name, column in columns.items():
            setattr(self, name, column)
        self.weight = np.ones(len(self.value), np.float32)
        self._count, self._moves = count, moves.astype(np.int64)
        owner = np.repeat(np.arange(len(count)), count)
        sums = np.bincount(owner, visits, len(count))
        self._chance = (visits / np.maximum(sums, 1)[owner]).astype(np.float32)
        self._start = np.cumsum(count) - count

    @classmethod
    def joined(cls, parts):
        """Those of all parts, one after the other."""
        whole = cls.__new__(cls)
        whole.num_moves, whole.players = parts[0].num_moves, parts[0].players
        for name in (*COLUMNS, "weight", "_count", "_moves", "_chance"):
            setattr(whole, name, np.concatenate([getattr(part, name) for part in parts]))
        whole._start = np.cumsum(whole._count) - whole._count
        return whole

    def merge(self):
        """Makes one sample of those of a position."""
        owner = np.repeat(np.arange(len(self.value)), self._count)
        seen = np.ascontiguousarray(self.cells).view(np.uint8).reshape(len(self.value), -1)
        seen = np.concatenate([seen, self.player[:, None]], axis=1)
        seen = seen.view(f"V{seen.shape[1]}").reshape(-1)
        _, first, group = np.unique(seen, return_index=True, return_inverse=True)
        # In the order in which they came up.
        order = np.argsort(first)
        group, first = np.argsort(order)[group], first[order]
        weight = np.bincount(group)
        keys, place = np.unique(group[owner] * self.num_moves + self._moves, return_inverse=True)
        self._moves, self._count = keys % self.num_moves, np.bincount(keys // self.num_moves, minlength=len(first))
        self._chance = (np.bincount(place, self._chance) / np.repeat(weight, self._count)).astype(np.float32)
        for column in MEANS:
            setattr(self, column, (np.bincount(group, getattr(self, column)) / weight).astype(np.float32))
        for column in set(COLUMNS) - set(MEANS):
            setattr(self, column, getattr(self, column)[first])
        self.weight = weight.astype(np.float32)
        self._start = np.cumsum(self._count) - self._count

    def batch(self, indexes):
        """As `Samples.batch`."""
        counts = self._count[indexes]
        rows = np.repeat(np.arange(len(indexes)), counts)
        entries = np.arange(len(rows)) + np.repeat(self._start[indexes] - (np.cumsum(counts) - counts), counts)
        policy = np.zeros((len(indexes), self.num_moves), np.float32)
        mask = np.zeros((len(indexes), self.num_moves), np.uint8)
        policy[rows, self._moves[entries]] = self._chance[entries]
        mask[rows, self._moves[entries]] = 1
        own = self.value[indexes]
        if self.players == 2:
            value = np.where(self.player[indexes, None] == np.arange(2), own[:, None], 1 - own[:, None])
        else:
            value = own[:, None]
        return self.cells[indexes].astype(np.float32), policy, value.astype(np.float32), self.weight[indexes], mask


class Stored:
    """Samples that stay in their files; some blocks of them are kept in memory."""

    def __init__(self, shards, blocks):
        self._places = [(shard, block) for shard in shards for block in range(len(shard.counts))]
        self.counts = np.array([shard.counts[block] for shard, block in self._places], np.int64)
        self.firsts = np.cumsum(self.counts) - self.counts
        self._empty = shards[0].empty()
        self._read = functools.lru_cache(blocks)(lambda number: self._places[number][0].read(self._places[number][1]))

    def __len__(self):
        return int(self.counts.sum())

    def batch(self, indexes):
        """As `Samples.batch`."""
        if not len(indexes):
            return self._empty.batch(indexes)
        blocks = np.searchsorted(self.firsts + self.counts, indexes, "right")
        order = np.argsort(blocks, kind="stable")
        numbers, begins = np.unique(blocks[order], return_index=True)
        parts = [self._read(int(number)).batch(indexes[rows] - self.firsts[number])
                 for number, rows in zip(numbers, np.split(order, begins[1:]))]
        back = np.argsort(order)
        return tuple(np.concatenate(column)[back] for column in zip(*parts))


class Samples:
    """Samples of some files, all of one game; `paths` is a pattern such as "data/*.rls", or a list of files.

    `samples[i]` is a tuple: what a network sees [cells], the policy of the search [moves], the payoff of each player [players]
    (of two, otherwise that of the player to move [1]), and a weight; `batch(indexes)` gives the same for many at once, and masks of
    the legal moves. PyTorch's DataLoader takes it as a Dataset. `images` is the number of samples of a position: of files written with
    `--augment` the first of so many is the position itself, and the others are its images under the symmetries of the rules.

    With `merge` positions that came up several times are one sample, with the means of policies and payoffs, and as weight how
    often they came up.

    With `lazy` the samples stay in their files, which may be larger than the memory: a block of about a thousand is read when one of
    its samples is asked for, and `blocks` of them are kept. The columns (`cells`, `value`, `player`, ...) are not there then.
    `batches` goes through all samples in random order and reads each block once.
    """

    def __init__(self, paths, merge=False, lazy=False, blocks=64):
        names = sorted(glob.glob(str(paths))) if isinstance(paths, (str, Path)) else [str(path) for path in paths]
        if not names:
            raise RulecError(f"there are no files {paths}")
        if merge and lazy:
            raise UsageError("samples that stay in their files are not merged: leave `merge` or `lazy` out")
        if blocks < 1:
            raise UsageError(f"{blocks} blocks are too few")
        shards = [Shard.mapped(name) if lazy else Shard(name) for name in names]
        header = shards[0].header
        for shard, name in zip(shards, names):
            if (shard.header["rules_sha256"], shard.header["move_count"]) != (header["rules_sha256"], header["move_count"]):
                raise RulecError(f"{name} is of another game than {names[0]}")
        self.num_moves, self.players = header["move_count"], header["players"]
        self.header = header
        each = {(shard.header["settings"] or {}).get("augment", 1) for shard in shards}
        if len(each) > 1:
            raise RulecError("some of the files have samples of images, others have none")
        self.images, self._blocks = each.pop(), blocks
        if lazy:
            self._kept = Stored(shards, blocks)
            self._len = len(self._kept)
            return
        self._kept = Columns.joined([shards[0].empty()] + [shard.read(block) for shard in shards for block in range(len(shard.counts))])
        if merge:
            self._kept.merge()
        for column in (*COLUMNS, "weight"):
            setattr(self, column, getattr(self._kept, column))
        self._len = len(self.value)

    def __len__(self):
        return self._len

    def batch(self, indexes):
        """Cells [b, cells], policies [b, moves], values [b, players], weights [b] and masks [b, moves] of some samples."""
        indexes = np.asarray(indexes, np.int64)
        if len(indexes) and not -self._len <= indexes.min() <= indexes.max() < self._len:
            raise IndexError(f"there are {self._len} samples")
        return self._kept.batch(np.where(indexes < 0, indexes + self._len, indexes))

    def batches(self, size, seed=0):
        """All samples once in random order, so many a batch: what `batch` gives of them, the last one perhaps smaller.

        Samples that stay in their files are mixed with those of as many other blocks as are kept in memory.
        """
        if size < 1:
            raise UsageError(f"{size} samples are too few for a batch")
        rng, left = np.random.default_rng(seed), np.zeros(0, np.int64)
        for group in self._groups(rng):
            left = np.concatenate([left, rng.permutation(group)])
            whole = len(left) // size * size
            for first in range(0, whole, size):
                yield self.batch(left[first:first + size])
            left = left[whole:]
        if len(left):
            yield self.batch(left)

    def _groups(self, rng):
        """Indexes that are to be mixed with each other."""
        if not isinstance(self._kept, Stored):
            yield np.arange(self._len)
            return
        order = rng.permutation(len(self._kept.counts))
        # One block stays free for what is left of the group before.
        most = max(self._blocks - 1, 1)
        for first in range(0, len(order), most):
            yield np.concatenate([self._kept.firsts[n] + np.arange(self._kept.counts[n]) for n in order[first:first + most]])

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.__getitems__([index % len(self)])[0]

    def __getitems__(self, indexes):
        """What the DataLoader of PyTorch asks for: many samples at once."""
        cells, policy, value, weight, _ = self.batch(indexes)
        return list(zip(cells, policy, value, weight))
