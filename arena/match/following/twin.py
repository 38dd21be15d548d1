"""What a twin of a match is, and how much of it had to be played."""

from __future__ import annotations

import msgspec

from arena.finding.reference import BotRef
from arena.match.match_spec import MatchSpec


class Twin(msgspec.Struct, frozen=True, kw_only=True):
    """A second match of the same deal at the same table, in which only the bot in ``seat`` differs. With ``again`` the
    twin is not played: instead, all other bots get their asks again, to see whether they repeat themselves."""

    spec: MatchSpec
    bots: tuple[BotRef, ...]
    seat: int
    again: bool = False


class TwinAskCounts(msgspec.Struct, frozen=True):
    """How much of a twin had to be played: how many of the seat's ``asks`` in the first match the other bot answered
    alike before it answered ``otherwise`` (None: it answered all alike). ``unlike`` is the entrant that did not repeat
    its answers, so that the twin was played from its beginning; ``whole`` is another reason for that ("": there is
    none)."""

    asks: int = 0
    otherwise: int | None = None
    unlike: str = ""
    whole: str = ""
