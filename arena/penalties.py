"""Kinds of faults, what a fault costs, and how a seat ended: closed lists that bots, replays, records, the wire and
configuration share."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class ProcessEnd(StrEnum):
    """Whether the process of a bot has ended with a fault."""

    NEVER = "never"
    MAYBE = "may be"
    ALWAYS = "always"


class FaultTraits(NamedTuple):
    """What a kind of fault means.

    ``meaning`` is a sentence, for reports and pages, ``happening`` the same of a ``{bot}``, as the end of a sentence.
    A ``final`` one puts the bot out for the rest of the match under every fault policy. ``gone`` says whether its
    process has ended, or been ended, with the fault. A ``claimable`` one a bot in a process of its own may report of
    itself; the others arena finds. A ``timed`` one depends on how fast a machine is. One ``of_match`` is not told apart
    where single asks are put again. A ``blameless`` one is not the bot's: it is no strike, and makes the match void.
    """

    meaning: str
    happening: str
    final: bool = False
    gone: ProcessEnd = ProcessEnd.NEVER
    claimable: bool = False
    timed: bool = False
    of_match: bool = False
    blameless: bool = False


_NO_TRAITS = FaultTraits("", "")


class FaultKind(StrEnum):
    """What may go wrong with a bot. Every kind counts against the bot and is a strike; what else one means stands
    here and nowhere else."""

    # a new kind is one entry, at the end

    _value_: str
    traits: FaultTraits

    LATE = (
        "late",
        FaultTraits(
            "The answer came after the time limit of an ask.", "{bot} is late", gone=ProcessEnd.MAYBE, timed=True
        ),
    )
    OVERTIME = (
        "overtime",
        # whether there was a process to end is not told, so that the replay is the same with processes and without
        FaultTraits(
            "The bot used up its time for the whole match, and was out.",
            "{bot} has used up its time",
            final=True,
            timed=True,
            of_match=True,
        ),
    )
    DEAD = (
        "dead",
        FaultTraits(
            "The bot's process ended, and the bot was out.",
            "the process of {bot} ends",
            final=True,
            gone=ProcessEnd.ALWAYS,
        ),
    )
    BROKEN = "broken", FaultTraits("The bot's own code raised an error.", "{bot} breaks", claimable=True)
    GARBLED = (
        "garbled",
        FaultTraits(
            "The answer could not be read as a move.",
            "the reply of {bot} is not a valid answer",
            gone=ProcessEnd.MAYBE,
            claimable=True,
        ),
    )
    ILLEGAL = (
        "illegal",
        FaultTraits("The move was against the rules; the rule is named.", "the rules refuse the answer of {bot}"),
    )
    MISSING = (
        "missing",
        FaultTraits(
            "The bot could not be loaded or started, and was out.",
            "{bot} cannot be started",
            final=True,
            claimable=True,
        ),
    )
    REFUSED = (
        "refused",
        FaultTraits(
            "The bot tried what its sandbox forbids.",
            "{bot} tries what its sandbox forbids",
            gone=ProcessEnd.MAYBE,
            claimable=True,
        ),
    )

    UNUSABLE = (
        "unusable",
        FaultTraits(
            "The answers of its language model were of no use.",
            "the model of {bot} gives no answer of use",
        ),
    )
    UNREACHABLE = (
        "unreachable",
        FaultTraits(
            "Its language model was given up; the match is void.",
            "the model of {bot} is out of reach",
            blameless=True,
        ),
    )

    def __new__(cls, name: str, traits: FaultTraits = _NO_TRAITS) -> FaultKind:
        """A kind whose value is its name. The default of ``traits`` is for type checkers only: ``FaultKind("late")``,
        which looks up a kind, passes none."""
        kind = str.__new__(cls, name)
        kind._value_, kind.traits = name, traits
        return kind

    @property
    def ends_match(self) -> bool:
        """Whether the bot is out for the rest of the match under every fault policy."""
        return self.traits.final

    @property
    def always_gone(self) -> bool:
        """Whether the bot's process has ended with every fault of this kind."""
        return self.traits.gone is ProcessEnd.ALWAYS

    @property
    def may_be_gone(self) -> bool:
        """Whether the bot's process may have ended, or been ended, with a fault of this kind."""
        return self.traits.gone is not ProcessEnd.NEVER

    @property
    def can_be_reported(self) -> bool:
        """Whether a bot in a process of its own may report such a fault of itself; the others arena finds."""
        return self.traits.claimable

    @property
    def timed(self) -> bool:
        """Whether such a fault depends on how fast a machine is."""
        return self.traits.timed


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
