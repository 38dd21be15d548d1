"""What a fault costs, and how a seat ended: two closed lists that bots, replays, records and configuration share."""

from __future__ import annotations

from enum import StrEnum


class FaultPolicy(StrEnum):
    """What a fault costs: ``substitute`` plays the default and counts a strike; ``forfeit`` puts the bot out at the
    first fault and ranks it last; ``void`` makes the match count for nothing."""

    SUBSTITUTE = "substitute"
    FORFEIT = "forfeit"
    VOID = "void"


class SeatEnd(StrEnum):
    """How a seat ended: its bot ``played`` to the end, was put out for its faults (``struck-out``), or was put out
    under the policy ``forfeit``, which ranks its seat last."""

    PLAYED = "played"
    STRUCK_OUT = "struck-out"
    FORFEIT = "forfeit"
