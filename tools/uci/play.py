#!/usr/bin/env python3
"""Plays chess by the rules of python-chess between a program that speaks UCI and another one.

    play.py --engine "rulec uci games/bgc/chess.json" --opponent stockfish --games 4

Needs the package `chess`. Ends with 1 if the engine made a move that is not legal, died, or did not answer in time. Openings are the
same for two games each, in which colours change.
"""
import argparse
import asyncio
import os
import shlex
import sys

import chess
import chess.engine

# Debian keeps engines where not every shell looks.
os.environ["PATH"] += os.pathsep + "/usr/games"

# Seconds for an answer beyond the time to think: the machine may be busy.
PATIENCE = 120

OPENINGS = ["e2e4 e7e5 g1f3 b8c6", "d2d4 d7d5 c2c4 e7e6", "e2e4 c7c5 g1f3 d7d6", "c2c4 e7e5 b1c3 g8f6"]


async def play(engines, opening, first, limit, plies):
    board = chess.Board()
    for move in opening.split():
        board.push_uci(move)
    while not board.is_game_over(claim_draw=True) and board.ply() < plies:
        # Whether it is the turn of the engine under test.
        own = (board.turn == chess.WHITE) == first
        engine = engines[0] if own else engines[1]
        played = await asyncio.wait_for(engine.play(board, limit, info=chess.engine.INFO_ALL), limit.time + PATIENCE)
        if own and board.ply() > 8 and "score" not in played.info:
            raise chess.engine.EngineError(f"no score in {played.info}")
        board.push(played.move)
    white = board.result(claim_draw=True)
    return {"1-0": 1.0, "0-1": 0.0}.get(white, 0.5) if first else {"1-0": 0.0, "0-1": 1.0}.get(white, 0.5)


async def main():
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--engine", required=True, help="command of the engine under test")
    say.add_argument("--opponent", help="command of the other one; the engine itself if not given")
    say.add_argument("--games", type=int, default=4)
    say.add_argument("--movetime", type=float, default=0.05, help="seconds a move")
    say.add_argument("--plies", type=int, default=200, help="after so many a game counts as drawn")
    args = say.parse_args()
    engines = []
    for command in (args.engine, args.opponent or args.engine):
        _, engine = await chess.engine.popen_uci(shlex.split(command))
        engines.append(engine)
    limit = chess.engine.Limit(time=args.movetime)
    points = 0.0
    try:
        for game in range(args.games):
            opening = OPENINGS[game // 2 % len(OPENINGS)]
            points += await play(engines, opening, game % 2 == 0, limit, args.plies)
    except (chess.engine.EngineError, asyncio.TimeoutError) as fault:
        print(f"fault in game {game + 1}: {fault!r}")
        return 1
    finally:
        for engine in engines:
            await engine.quit()
    print(f"{points} of {args.games}")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
