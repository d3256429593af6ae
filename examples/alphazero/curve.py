"""Draws the score against UCT over CPU minutes, from the logs of training.

    python examples/alphazero/curve.py small/log.jsonl > curve.svg
"""

import argparse
import json
from pathlib import Path

COLOURS = ["#258", "#a60", "#393", "#936"]
LEFT, RIGHT, TOP, BOTTOM = 56, 624, 16, 280


def points(log):
    """CPU minutes, the mean score and its bounds, where there was a match."""
    told = [json.loads(line) for line in Path(log).read_text().splitlines()]
    return [(one["seconds"] / 60, one["uct"]["mean"], one["uct"]["low"], one["uct"]["high"]) for one in told if "uct" in one]


def drawn(runs):
    """Each run a line, and the bounds of its points."""
    most = max(minutes for run in runs for minutes, *_ in run)
    step = next(step for step in (1, 2, 5, 10, 20, 60, 10**9) if most / step <= 10)
    x = lambda minutes: f"{LEFT + (RIGHT - LEFT) * minutes / most:.1f}"
    y = lambda score: f"{BOTTOM - (BOTTOM - TOP) * min(max(score, 0), 1):.1f}"
    yield '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-family="sans-serif" font-size="12">'
    yield '<rect width="640" height="320" fill="#fff"/>'
    for quarter in range(5):
        at = y(quarter / 4)
        yield f'<path d="M{LEFT} {at}H{RIGHT}" stroke="#ddd"/><text x="48" y="{float(at) + 4}" text-anchor="end">{25 * quarter}%</text>'
    for minutes in range(0, int(most) + 1, step):
        yield f'<text x="{x(minutes)}" y="298" text-anchor="middle">{minutes}</text>'
    yield '<text x="340" y="314" text-anchor="middle">CPU minutes of self-play and training</text>'
    for run, colour in zip(runs, COLOURS):
        for minutes, _, low, high in run:
            yield f'<path d="M{x(minutes)} {y(low)}V{y(high)}" stroke="{colour}" stroke-opacity="0.4"/>'
        line = " ".join(f"{x(minutes)},{y(mean)}" for minutes, mean, _, _ in run)
        yield f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>'
    yield "</svg>"


def main():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("logs", nargs="+", help="OUT/log.jsonl of runs with --uct")
    runs = [run for run in map(points, line.parse_args().logs) if run]
    if not runs:
        raise SystemExit("there is no match in these logs: train with --uct")
    print("\n".join(drawn(runs[: len(COLOURS)])))


if __name__ == "__main__":
    main()
