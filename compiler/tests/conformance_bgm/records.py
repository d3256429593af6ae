"""Plays seeded random games with the reference and tells everything about the positions on the way.

Arguments: folder of bgm_ref.py, rule file, number of games, greatest number of actions.
Prints {"games": [[key, ...], ...], "positions": {key: {"result": ..., "moves": [text, ...]}}}.
"""
import json
import sys
from fractions import Fraction

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import bgm_ref as ref

game = ref.Game(open(sys.argv[2]).read())
leaves = {}


def key(s):
    objects = ref.text(game, s)
    result = s.result if s.result is not None or game.moves(s) else game.outcome(s)
    if result is not None:
        return '%s|end %s' % (objects, [result[p] for p in game.players])
    seats = lambda players: ','.join(p for p in game.players if p in players)
    former = (s.former or '') if game.uses_former else ''
    timer = str(s.timer) if game.uses_timer else ''
    return '|'.join([objects, seats(s.active), seats(s.elim), former, timer])


def spread(node, weight, out):
    """The distribution over what comes after the draws that are due."""
    if node[0] == 'chance':
        total = sum(w for w, _ in node[1])
        for w, s in node[1]:
            spread(game.settle(s.copy()), weight * Fraction(w, total), out)
    else:
        text = shown(node)
        out[text] = out.get(text, Fraction(0)) + weight


def shown(node):
    if node[0] in ('play', 'end'):
        k = key(node[1])
        leaves[k] = node[1]
        return k
    if node[0] == 'choice':
        options = sorted(told(game.settle(s.copy())) for s in node[2])
        return 'choice of %s [%s]' % (node[1], ' ; '.join(options))
    return told(node)


def told(node):
    out = {}
    spread(node, Fraction(1), out)
    if len(out) == 1:
        return next(iter(out))
    return 'draw [%s]' % ' ; '.join(sorted('%d/%d %s' % (p.numerator, p.denominator, t) for t, p in out.items()))


positions = {}


def position(k):
    """Its record, and the positions that its moves may lead to."""
    if k in positions:
        return positions[k]
    s = states[k]
    moves, nexts = [], []
    result = None
    if s.result is not None:
        result = [s.result[p] for p in game.players]
    else:
        for p, rule, binding in game.moves(s):
            leaves.clear()
            text = told(game.start(s, rule, binding, p))
            marked = ref.text(game, s, tuple(binding.values()))
            moves.append('%s %s %s -> %s' % (p, game.rules[rule].name, marked, text))
            states.update({n: t for n, t in leaves.items() if n not in states})
            nexts.append(sorted(leaves))
        if not moves:
            result = [game.outcome(s)[p] for p in game.players]
    positions[k] = (dict(result=result, moves=sorted(moves)), nexts)
    return positions[k]


start = game.initial()
states = {key(start): start}
games = []
for seed in range(int(sys.argv[3])):
    random = ref.splitmix(seed)
    k = key(start)
    path = [k]
    for _ in range(int(sys.argv[4])):
        nexts = position(k)[1]
        if not nexts:
            break
        option = nexts[next(random) % len(nexts)]
        k = option[next(random) % len(option)]
        path.append(k)
    position(k)
    games.append(path)
print(json.dumps(dict(games=games, positions={k: r for k, (r, _) in positions.items()})))
