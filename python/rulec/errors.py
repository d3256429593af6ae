"""What can go wrong."""

import json


class RulecError(Exception):
    """Something of this package went wrong."""


class RulesError(RulecError):
    """The rules have mistakes: `diagnostics` is a list of them, the text shows them."""

    def __init__(self, text, diagnostics="[]"):
        super().__init__(text)
        self.diagnostics = json.loads(diagnostics)


class UsageError(RulecError, ValueError):
    """An argument is not possible."""


class IllegalMove(RulecError, ValueError):
    """A move is not legal where it was to be played."""


class Fault(RulecError, RuntimeError):
    """Rules went wrong while they were played."""


class Busy(RulecError, RuntimeError):
    """Another thread uses the same object."""
