"""Networks that learn: one of layers in PyTorch, and a small one in NumPy for machines without it."""

import copy

import numpy as np


def features(game):
    """What the network gets to see: for each plane its cells, and the values that get a row of their own, for 2 is not twice 1."""
    for plane in game.planes:
        few = plane.high - plane.low <= 4
        values = [value for value in range(plane.low, plane.high + 1) if value] if few else None
        yield slice(plane.offset, plane.offset + plane.cells), values, 1 / max(abs(plane.low), abs(plane.high), 1)


class NumpyNet:
    """One hidden layer, trained by Adam."""

    def __init__(self, game, width, seed=2):
        rng, cells, outputs = np.random.default_rng(seed), game.obs_shape[0], game.num_moves + 1
        self.scale = np.concatenate([np.full(part.stop - part.start, scale, np.float32) for part, _, scale in features(game)])
        self.weights = [rng.normal(0, (2 / cells) ** 0.5, (cells, width)), np.zeros(width),
                        rng.normal(0, 0.01, (width, outputs)), np.zeros(outputs)]
        self.weights = [weights.astype(np.float32) for weights in self.weights]
        self.means = [np.zeros_like(w) for w in self.weights]
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def forward(self, obs):
        first, bias, second, offset = self.weights
        inputs = obs * self.scale
        hidden = np.maximum(inputs @ first + bias, 0)
        out = hidden @ second + offset
        return inputs, hidden, out[:, :-1], 1 / (1 + np.exp(-np.clip(out[:, -1], -30, 30)))

    def judge(self, obs, mask):
        _, _, logits, value = self.forward(obs)
        return logits, value

    def settle(self, share):
        """Judges by what it learnt last."""

    def learn(self, cells, policy, value, mask, rate):
        inputs, hidden, logits, judged = self.forward(cells)
        logits = np.where(mask == 1, logits, -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        loss = -(policy * np.log(chances + 1e-9)).sum(axis=1).mean() + ((judged - value) ** 2).mean()
        slope = 2 * (judged - value) * judged * (1 - judged)
        back = np.concatenate([chances - policy, slope[:, None]], axis=1) / len(cells)
        below = (back @ self.weights[2].T) * (hidden > 0)
        self.update([inputs.T @ below, below.sum(axis=0), hidden.T @ back, back.sum(axis=0)], rate)
        return float(loss)

    def update(self, slopes, rate):
        self.steps += 1
        for weights, mean, square, slope in zip(self.weights, self.means, self.squares, slopes):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            bold = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            weights -= (bold * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def torch_net(game, width, depth, grid=None):
    """Blocks in PyTorch, each of which adds to what it gets: of all cells, or, where the first of them are a grid of rows and
    columns, of neighbours."""
    import torch
    from torch import nn
    from torch.nn import functional

    parts = list(features(game))
    area = grid[0] * grid[1] if grid else 0

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            layer = (lambda: nn.Conv2d(width, width, 3, padding=1)) if grid else (lambda: nn.Linear(width, width))
            self.first, self.second = layer(), layer()

        def forward(self, x):
            return functional.relu(x + self.second(functional.relu(self.first(x))))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            board, rest = self.seen(torch.zeros(1, game.obs_shape[0]))
            self.start = nn.Linear(rest.shape[1], width)
            self.stones = nn.Conv2d(board.shape[1], width, 3, padding=1) if grid else None
            self.body = nn.Sequential(*(Block() for _ in range(depth)))
            flat = width * max(area, 1)
            self.policy, self.value = nn.Linear(flat, game.num_moves), nn.Linear(flat, 1)
            self.optimiser = torch.optim.AdamW(self.parameters(), 1e-3, weight_decay=1e-4)

        def seen(self, planes):
            """The grid, and the rest."""
            rows = []
            for place, values, scale in parts:
                cells = planes[:, place]
                rows += [cells * scale] if values is None else [functional.relu(1 - (cells - value).abs()) for value in values]
            if not grid:
                return None, torch.cat(rows, 1)
            layers = len(parts[0][1] or [1])
            board = torch.stack([row[:, :area] for row in rows[:layers]], 1)
            rest = [row[:, area:] if number < layers else row for number, row in enumerate(rows)]
            return board.reshape(-1, layers, *grid), torch.cat(rest, 1)

        def forward(self, planes):
            board, rest = self.seen(planes)
            x = self.start(rest)
            if grid:
                x = x[:, :, None, None] + self.stones(board)
            x = self.body(functional.relu(x)).flatten(1)
            return self.policy(x), torch.sigmoid(self.value(x))

        def judge(self, obs, mask):
            with torch.inference_mode():
                logits, value = self.settled[0](torch.from_numpy(obs))
            return logits.numpy(), value.numpy()

        def settle(self, share):
            """What judges and is saved goes a share of the way to what was learnt: a mean of the last weights errs less than any."""
            with torch.no_grad():
                for mean, learnt in zip(self.settled[0].parameters(), self.parameters()):
                    mean.lerp_(learnt, share)

        def learn(self, cells, policy, value, mask, rate):
            cells, policy, value, mask = (torch.from_numpy(array) for array in (cells, policy, value, mask))
            logits, judged = self(cells)
            loss = functional.cross_entropy(logits.masked_fill(mask == 0, -1e9), policy)
            loss = loss + functional.binary_cross_entropy(judged[:, 0], value)
            self.optimiser.param_groups[0]["lr"] = rate
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            return loss.item()

        def save(self, path):
            """As ONNX: n positions of all cells in, policies and values out."""
            names = ("planes", "policy", "value")
            torch.onnx.export(self.settled[0], (torch.zeros(2, game.obs_shape[0]),), str(path), input_names=names[:1], output_names=names[1:],
                              dynamo=False, opset_version=17, dynamic_axes={name: {0: "n"} for name in names})

        def keep(self, path):
            torch.save([part.state_dict() for part in (self, self.optimiser, self.settled[0])], path)

        def take(self, path):
            for part, kept in zip((self, self.optimiser, self.settled[0]), torch.load(path)):
                part.load_state_dict(kept)

    torch.set_num_threads(1)
    torch.manual_seed(1)
    net = Net()
    net.settled = [copy.deepcopy(net)]
    return net
