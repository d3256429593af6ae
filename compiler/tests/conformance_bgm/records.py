"""Plays seeded random games with the reference and tells everything about the positions on the way.

Arguments: folder of bgm_ref.py, number of games, greatest number of actions, rule files.
Prints a line for each file: {"games": [[key, ...], ...], "positions": {key: {"result": ..., "moves": [text, ...]}}}.
"""
import json
import sys
from fractions import Fraction

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import bgm_ref as ref

FAULT = 'fault'


class Game(ref.Game):
    """The reference, with what section 6 says of references that fail and the plain interpreter passes over."""

    def effect(self, s, e):
        bound = s.pend['bind']
        if e[0] == 'own' and self.objs(s, e[1], bound) is None:
            raise ref.Fail()
        if e[0] == 'remove' and len(e) > 2 and self.types_of(s, e[1], bound) is None:
            raise ref.Fail()
        return super().effect(s, e)


class Play:
    """Random games of one file."""

    def __init__(self, path):
        self.game = Game(open(path).read())
        self.positions = {}
        self.leaves = {}
        start = self.game.initial()
        self.start = self.key(start)
        self.states = {self.start: start}

    def moves(self, s):
        """Who acts, the rule, the binding, and what comes of it: nothing where there is no room for an object."""
        game = self.game
        for p in sorted(s.active, key=game.P.get):
            for number, rule in enumerate(game.rules):
                if rule.kind != 'Action':
                    continue
                for binding in game.bindings(s, rule, p):
                    try:
                        yield p, number, binding, game.start(s, number, binding, p)
                    except ref.Fail:
                        continue
                    except ref.Bad:
                        yield p, number, binding, None

    def key(self, s):
        game = self.game
        objects = ref.text(game, s)
        stuck = s.result is None and next(self.moves(s), None) is None
        result = game.outcome(s) if stuck else s.result
        if result is not None:
            return '%s|end %s' % (objects, [result[p] for p in game.players])
        seats = lambda players: ','.join(p for p in game.players if p in players)
        former = (s.former or '') if game.uses_former else ''
        timer = str(s.timer) if game.uses_timer else ''
        return '|'.join([objects, seats(s.active), seats(s.elim), former, timer])

    def settle(self, s):
        try:
            return self.game.settle(s.copy())
        except ref.Bad:
            return None

    def spread(self, node, weight, out):
        """The distribution over what comes after the draws that are due."""
        if node is not None and node[0] == 'chance':
            total = sum(w for w, _ in node[1])
            for w, s in node[1]:
                self.spread(self.settle(s), weight * Fraction(w, total), out)
        else:
            text = self.shown(node)
            out[text] = out.get(text, Fraction(0)) + weight

    def shown(self, node):
        if node is None:
            return FAULT
        if node[0] in ('play', 'end'):
            k = self.key(node[1])
            self.leaves[k] = node[1]
            return k
        if node[0] == 'choice':
            options = sorted(self.told(self.settle(s)) for s in node[2])
            return 'choice of %s [%s]' % (node[1], ' ; '.join(options))
        return self.told(node)

    def told(self, node):
        out = {}
        self.spread(node, Fraction(1), out)
        if len(out) == 1:
            return next(iter(out))
        shares = ('%d/%d %s' % (p.numerator, p.denominator, t) for t, p in out.items())
        return 'draw [%s]' % ' ; '.join(sorted(shares))

    def position(self, k):
        """Its record, and the positions that its moves may lead to."""
        if k in self.positions:
            return self.positions[k]
        game, s = self.game, self.states[k]
        texts, nexts = [], []
        result = None
        if s.result is not None:
            result = [s.result[p] for p in game.players]
        else:
            for p, rule, binding, node in self.moves(s):
                self.leaves.clear()
                text = self.told(node)
                marked = ref.text(game, s, tuple(binding.values()))
                texts.append('%s %s %s -> %s' % (p, game.rules[rule].name, marked, text))
                self.states.update({n: t for n, t in self.leaves.items() if n not in self.states})
                nexts.append(sorted(self.leaves))
            if not texts:
                result = [game.outcome(s)[p] for p in game.players]
        self.positions[k] = (dict(result=result, moves=sorted(texts)), [n for n in nexts if n])
        return self.positions[k]

    def walk(self, seed, actions):
        random = ref.splitmix(seed)
        k = self.start
        path = [k]
        for _ in range(actions):
            nexts = self.position(k)[1]
            if not nexts:
                break
            option = nexts[next(random) % len(nexts)]
            k = option[next(random) % len(option)]
            path.append(k)
        self.position(k)
        return path


games, actions = int(sys.argv[2]), int(sys.argv[3])
for path in sys.argv[4:]:
    play = Play(path)
    walks = [play.walk(seed, actions) for seed in range(games)]
    records = {k: record for k, (record, _) in play.positions.items()}
    print(json.dumps(dict(games=walks, positions=records)), flush=True)
