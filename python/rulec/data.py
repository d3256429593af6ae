"""Samples that self-play wrote."""

import glob
import json
import zlib
from pathlib import Path

import numpy as np

from .errors import RulecError

MAGIC, END = b"RULECSMP", b"END\n"
# Of a sample; those of samples that are merged have a mean, of the others the first counts.
COLUMNS = ("cells", "value", "player", "searched", "plies_left", "game")
MEANS = ("value", "searched", "plies_left")


def beside(planes, rows):
    """The cells of all planes in one array, of whole numbers as narrow as may be."""
    return np.concatenate(planes, axis=1) if planes else np.zeros((rows, 0), np.int8)


class Shard:
    """A file of samples in memory, of version 1 or 2."""

    def __init__(self, path):
        self._data, self._path = Path(path).read_bytes(), path
        data = self._data
        if len(data) < 36 or data[:8] != MAGIC or data[-4:] != END:
            raise RulecError(f"{path} is no complete shard")
        version, length = (int(n) for n in np.frombuffer(data, "<u4", 2, 8))
        if version not in (1, 2):
            raise RulecError(f"{path} is of version {version}; this package knows 1 and 2")
        self._head = 16 + length
        (self._first if version == 1 else self._second)()

    def _check(self, crc, parts):
        found = 0
        for part in parts:
            found = zlib.crc32(part, found)
        if found != crc:
            raise RulecError(f"{self._path} is broken: a checksum is wrong")

    def _number(self, at, dtype="<u4"):
        return int(np.frombuffer(self._data, dtype, 1, at)[0])

    def _first(self):
        data = self._data
        self._check(self._number(len(data) - 8), [data[:-8]])
        self.header = json.loads(data[16:self._head])
        self._at = self._head
        n, entries = self.header["samples"], self.header["entries"]
        self.game = self._take("<u8", n)
        self.start = self._take("<u8", n + 1).astype(np.int64)
        self.moves = self._take("<u4", entries)
        self.visits = self._take("<u4", entries)
        self.value = self._take("<f4", n)
        self.plies_left = self._take("<u4", n)
        self.player = self._take("u1", n)
        self.searched = np.full(n, np.nan, np.float32)
        planes = [self._take(f"<i{p['bytes']}", n * p["cells"]).reshape(n, p["cells"]) for p in self.header["planes"]]
        self.cells = beside(planes, n)

    def _take(self, dtype, count):
        array = np.frombuffer(self._data, dtype, count, self._at)
        self._at += -(-array.nbytes // 8) * 8
        return array

    def _second(self):
        data, tail = self._data, len(self._data) - 20
        begin, count = self._number(tail, "<u8"), self._number(tail + 8)
        index = data[begin:tail]
        self._check(self._number(tail + 12), [data[:self._head], index, data[tail:tail + 12]])
        self.header = json.loads(data[16:self._head])
        kind = np.dtype([("at", "<u8"), ("len", "<u4"), ("plain", "<u4"), ("samples", "<u4"), ("crc", "<u4")])
        columns = [[] for _ in range(10)]
        for block in np.frombuffer(index, kind, count):
            packed = data[int(block["at"]):int(block["at"]) + int(block["len"])]
            self._check(int(block["crc"]), [packed])
            for column, part in zip(columns, self._block(zlib.decompress(packed), int(block["samples"]))):
                column.append(part)
        if not count:
            columns = [[part] for part in self._block(b"", 0)]
        joined = [np.concatenate(column) for column in columns]
        (self.game, self.value, self.searched, self.plies_left, self.played, choices, self.player, self.moves, self.visits,
         self.cells) = joined
        self.start = np.append(0, np.cumsum(choices, dtype=np.int64))

    def _block(self, plain, n):
        at = 0

        def column(dtype, count):
            nonlocal at
            dtype = np.dtype(dtype)
            rows = np.frombuffer(plain, np.uint8, dtype.itemsize * count, at).reshape(dtype.itemsize, count)
            at += rows.size
            return np.ascontiguousarray(rows.T).view(dtype).reshape(count)

        parts = [column(dtype, n) for dtype in ("<u8", "<f4", "<f4", "<u4", "<u4", "<u4", "u1")]
        entries = int(parts[5].sum(dtype=np.int64))
        parts += [column("<u4", entries), column("<u4", entries)]
        planes = []
        for plane in self.header["planes"]:
            cells, width = plane["cells"], plane["bytes"]
            rows = np.frombuffer(plain, np.uint8, cells * width * n, at).reshape(cells * width, n)
            at += rows.size
            planes.append(np.ascontiguousarray(rows.T).view(f"<i{width}"))
        return [*parts, beside(planes, n)]

    def __len__(self):
        return len(self.value)


class Samples:
    """Samples of some files, all of one game; `paths` is a pattern such as "data/*.rls", or a list of files.

    `samples[i]` is a tuple: what a network sees [cells], the policy of the search [moves], the payoff of each player [players]
    (of two, otherwise that of the player to move [1]), and a weight; `batch(indexes)` gives the same for many at once, and masks of
    the legal moves. PyTorch's DataLoader takes it as a Dataset. `images` is the number of samples of a position: of files written with
    `--augment` the first of so many is the position itself, and the others are its images under the symmetries of the rules.

    With `merge` positions that came up several times are one sample, with the means of policies and payoffs, and as weight how
    often they came up.
    """

    def __init__(self, paths, merge=False):
        names = sorted(glob.glob(str(paths))) if isinstance(paths, (str, Path)) else [str(path) for path in paths]
        if not names:
            raise RulecError(f"there are no files {paths}")
        shards = [Shard(name) for name in names]
        header = shards[0].header
        for shard, name in zip(shards, names):
            if (shard.header["rules_sha256"], shard.header["move_count"]) != (header["rules_sha256"], header["move_count"]):
                raise RulecError(f"{name} is of another game than {names[0]}")
        self.num_moves, self.players = header["move_count"], header["players"]
        self.header = header
        each = {(shard.header["settings"] or {}).get("augment", 1) for shard in shards}
        if len(each) > 1:
            raise RulecError("some of the files have samples of images, others have none")
        self.images = each.pop()
        for column in COLUMNS:
            setattr(self, column, np.concatenate([getattr(shard, column) for shard in shards]))
        self.weight = np.ones(len(self.value), np.float32)
        self._moves = np.concatenate([shard.moves for shard in shards]).astype(np.int64)
        self._count = np.concatenate([np.diff(shard.start) for shard in shards])
        visits = np.concatenate([shard.visits for shard in shards]).astype(np.float64)
        owner = np.repeat(np.arange(len(self)), self._count)
        sums = np.bincount(owner, visits, len(self))
        self._chance = (visits / np.maximum(sums, 1)[owner]).astype(np.float32)
        if merge:
            self._merge(owner)
        self._start = np.cumsum(self._count) - self._count

    def _merge(self, owner):
        seen = np.ascontiguousarray(self.cells).view(np.uint8).reshape(len(self), -1)
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

    def __len__(self):
        return len(self.value)

    def batch(self, indexes):
        """Cells [b, cells], policies [b, moves], values [b, players], weights [b] and masks [b, moves] of some samples."""
        indexes = np.asarray(indexes, np.int64)
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

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.__getitems__([index % len(self)])[0]

    def __getitems__(self, indexes):
        """What the DataLoader of PyTorch asks for: many samples at once."""
        cells, policy, value, weight, _ = self.batch(indexes)
        return list(zip(cells, policy, value, weight))
