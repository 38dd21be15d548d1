"""The cost of faults: strikes, bots put out, and the results by seat."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.contract import Move, Outcome
from arena.penalties import FaultKind, FaultPolicy, SeatEnd
from arena.players.faults import Fault
from arena.players.seat_result import SeatResult
from arena.replay.lines import Faulted, Header


class Conduct:
    """The faults of the bots in one match. ``out`` and ``ended`` are by seat; ``void`` is for the match."""

    def __init__(self, policy: FaultPolicy, strikes: int, seats: int) -> None:
        self.policy, self.allowed = policy, strikes
        self.strikes = [0] * seats
        self.faults: list[dict[FaultKind, int]] = [{} for _ in range(seats)]
        self.out = [False] * seats
        self.ended = [SeatEnd.PLAYED] * seats
        self.void = False

    def fault(self, ask: int, seat: int, hook: str, fault: Fault, gone: bool, played: Move | None) -> Faulted:
        """Count a fault, decide whether the bot is put out, and return the replay's line. ``gone``: the bot's process
        has ended; ``played`` is the move played instead."""
        self.faults[seat][fault.kind] = self.faults[seat].get(fault.kind, 0) + 1
        blameless = fault.kind.traits.blameless
        self.strikes[seat] += not blameless
        self.void = self.void or blameless or self.policy is FaultPolicy.VOID
        strict = self.policy is not FaultPolicy.SUBSTITUTE and not blameless
        if gone or fault.kind.ends_match or ask == 0 or strict or self.strikes[seat] >= self.allowed:
            self.out[seat] = True
            self.ended[seat] = SeatEnd.FORFEIT if self.policy is FaultPolicy.FORFEIT else SeatEnd.STRUCK_OUT
        return Faulted(
            ask=ask,
            seat=seat,
            hook=hook,
            kind=fault.kind,
            evidence=fault.evidence,
            strike=self.strikes[seat],
            out=self.out[seat],
            gone=gone,
            rule=fault.rule,
            reply=fault.reply,
            move=msgspec.UNSET if played is None else msgspec.Raw(msgspec.json.encode(played)),
        )

    def results(self, entrants: Sequence[str], outcome: Outcome) -> tuple[SeatResult, ...]:
        """Results by seat: the game's ranks, but forfeits rank behind all others and share the last rank."""
        places = [
            (True, 0) if how is SeatEnd.FORFEIT else (False, rank)
            for how, rank in zip(self.ended, outcome.ranks, strict=True)
        ]
        return tuple(
            SeatResult(
                entrant=entrants[seat],
                money=outcome.money[seat],
                rank=1 + sum(other < places[seat] for other in places),
                ended=self.ended[seat],
                faults=dict(sorted(self.faults[seat].items())),
            )
            for seat in range(len(places))
        )


def conduct_of(header: Header) -> Conduct:
    """The conduct for the fault policy in a replay's header."""
    return Conduct(header.fault_policy, header.strikes, len(header.seats))
