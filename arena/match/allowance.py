"""The seconds of thinking that one bot has left in a match."""

from __future__ import annotations

from math import inf

from arena.bot import Limits


class Allowance:
    """What the limits leave to one bot. ``bank`` is what slow asks may still draw on, ``left`` the rest of the total
    for the match (``inf``: there is no total)."""

    def __init__(self, limits: Limits) -> None:
        self.ask, self.bank = limits.ask, limits.bank
        self.left = inf if limits.match is None else limits.match

    @property
    def allowed(self) -> float:
        """Seconds that an ask may take now: its limit and the rest of the bank, but no more than is left of the total
        for the match."""
        return min(self.ask + self.bank, self.left)

    def charge(self, seconds: float) -> None:
        """All thinking comes out of the total for the match, and what is beyond the limit of one ask out of the
        bank."""
        self.left = max(0.0, self.left - seconds)
        over = seconds - self.ask
        if over > 0:
            self.bank = max(0.0, self.bank - over)
