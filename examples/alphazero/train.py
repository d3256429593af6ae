"""Learns a game from nothing: self-play with a network, training, and a match against the start, in turn.

    python examples/alphazero/train.py games/s3/connect_four.s3 --generations 20 --native
    python examples/alphazero/train.py games/s3/connect_four_5x4.s3 --seconds 100 --network numpy

With PyTorch the network is written as ONNX, too: rulec-onnx serve games/s3/connect_four.s3 --bot puct:200:net=net.onnx
"""

import argparse
import time
from pathlib import Path

import numpy as np

import rulec


class NumpyNet:
    """One hidden layer, trained by Adam; for machines without PyTorch."""

    def __init__(self, game, width, rng):
        cells, outputs = game.obs_shape[0], game.num_moves + 1
        self.moves = game.num_moves
        self.scale = np.concatenate([np.full(p.cells, 1 / max(abs(p.low), abs(p.high), 1), np.float32) for p in game.planes])
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

    def __call__(self, obs, mask):
        _, _, logits, value = self.forward(obs)
        return logits, value

    def train(self, samples, batches, size, rng, rate=2e-3):
        losses = []
        for _ in range(batches):
            cells, policy, _, _, mask = samples.batch(chosen := rng.integers(len(samples), size=size))
            own = samples.value[chosen]
            inputs, hidden, logits, value = self.forward(cells)
            logits = np.where(mask == 1, logits, -1e9)
            chances = np.exp(logits - logits.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            losses.append(-(policy * np.log(chances + 1e-9)).sum(axis=1).mean() + ((value - own) ** 2).mean())
            back = np.concatenate([chances - policy, (2 * (value - own) * value * (1 - value))[:, None]], axis=1) / size
            below = (back @ self.weights[2].T) * (hidden > 0)
            self.update([inputs.T @ below, below.sum(axis=0), hidden.T @ back, back.sum(axis=0)], rate)
        return float(np.mean(losses))

    def update(self, slopes, rate):
        self.steps += 1
        for weights, mean, square, slope in zip(self.weights, self.means, self.squares, slopes):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            bold = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            weights -= (bold * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def save(self, path):
        np.savez(path.with_suffix(".npz"), *self.weights)


def torch_net(game, width):
    """Three layers in PyTorch."""
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            scale = [torch.full((p.cells,), 1 / max(abs(p.low), abs(p.high), 1)) for p in game.planes]
            self.register_buffer("scale", torch.cat(scale))
            self.body = nn.Sequential(nn.Linear(game.obs_shape[0], width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
            self.policy, self.value = nn.Linear(width, game.num_moves), nn.Linear(width, 1)
            self.optimiser = torch.optim.Adam(self.parameters(), 2e-3, weight_decay=1e-5)

        def forward(self, planes):
            body = self.body(planes * self.scale)
            return self.policy(body), torch.sigmoid(self.value(body))

        def __call__(self, obs, mask=None):
            if mask is None:
                return super().__call__(obs)
            with torch.inference_mode():
                logits, value = super().__call__(torch.from_numpy(obs))
            return logits.numpy(), value.numpy()

        def train_on(self, samples, batches, size, rng):
            losses = []
            for _ in range(batches):
                cells, policy, _, _, mask = samples.batch(chosen := rng.integers(len(samples), size=size))
                logits, value = super().__call__(torch.from_numpy(cells))
                logits = logits.masked_fill(torch.from_numpy(mask) == 0, -1e9)
                own = torch.from_numpy(samples.value[chosen])
                loss = nn.functional.cross_entropy(logits, torch.from_numpy(policy)) + ((value[:, 0] - own) ** 2).mean()
                self.optimiser.zero_grad()
                loss.backward()
                self.optimiser.step()
                losses.append(loss.item())
            return float(np.mean(losses))

        def save(self, path):
            example = torch.zeros(2, game.obs_shape[0])
            torch.onnx.export(self, (example,), str(path), input_names=["planes"], output_names=["policy", "value"],
                              dynamo=False, opset_version=17, dynamic_axes={name: {0: "n"} for name in ("planes", "policy", "value")})

    return Net()


def match(game, players, rounds, seed):
    """The mean payoff of the first of two networks, which play their favourite moves after two random ones."""
    rng, total = np.random.default_rng(seed), 0.0
    for number in range(rounds):
        state, seats = game.start(), (players if number % 2 == 0 else players[::-1])
        for _ in range(2):
            state.play(int(rng.choice(state.legal())))
        while not state.done:
            mask = state.mask()
            logits, _ = seats[state.player](state.observe()[None], mask[None])
            state.play(int(np.where(mask == 1, logits[0], -np.inf).argmax()))
        total += (state.returns[number % 2] + 1) / 2
    return total / rounds


def main():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("rules")
    line.add_argument("--network", choices=["numpy", "torch"], default="torch")
    line.add_argument("--native", action="store_true", help="compile the game first, which needs cargo")
    line.add_argument("--generations", type=int, default=10)
    line.add_argument("--seconds", type=float, default=float("inf"), help="begin no generation after so many CPU seconds")
    line.add_argument("--games", type=int, default=400, help="games of a generation")
    line.add_argument("--simulations", type=int, default=32)
    line.add_argument("--epochs", type=int, default=8, help="how often a sample is learnt from in a generation")
    line.add_argument("--width", type=int, default=128)
    line.add_argument("--out", type=Path, default=Path("alphazero"))
    line.add_argument("--least", type=float, default=0.0, help="fail if the mean payoff against the start is below this")
    options = line.parse_args()
    game, rng = rulec.load(options.rules, native=options.native), np.random.default_rng(1)
    make = lambda: NumpyNet(game, options.width, np.random.default_rng(2))
    net = make() if options.network == "numpy" else torch_net(game, options.width)
    start = make()
    if options.network == "torch":
        (start := torch_net(game, options.width)).load_state_dict(net.state_dict())
    begin = time.process_time()
    for generation in range(options.generations):
        if time.process_time() - begin > options.seconds:
            break
        folder = options.out / f"{generation:03}"
        report = rulec.selfplay(game, net, games=options.games, simulations=options.simulations, seed=generation, out=folder)
        recent = sorted(options.out.glob("*/samples-*.rls"))[-5:]
        samples = rulec.Samples(recent)
        learn = net.train if options.network == "numpy" else net.train_on
        loss = learn(samples, options.epochs * len(samples) // 128, 128, rng)
        score = match(game, (net, start), 100, generation)
        print(f"{generation:3}: {report.plies / report.games:5.1f} plies, loss {loss:.3f}, {score:.2f} against the start, "
              f"{time.process_time() - begin:.0f} s", flush=True)
    net.save(options.out / "net.onnx")
    final = match(game, (net, start), 200, 999)
    print(f"{final:.2f} against the start in 200 games")
    if final < options.least:
        raise SystemExit(f"less than {options.least}")


if __name__ == "__main__":
    main()
