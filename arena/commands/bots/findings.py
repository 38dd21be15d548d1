"""The findings of a check: each has a stable code, a sentence, and the commands to continue with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

import msgspec

from arena.bot import Limits
from arena.commands.bots.checked_match import CheckedMatch
from arena.penalties import FaultKind
from arena.rerun.play_twice import CheckedFault, TwicePlayed

NEAR_SHARE = 0.5
"""From this part of a limit on, the check warns that the bot is near it: another or a busy machine takes longer."""


class FindingCode(StrEnum):
    """The codes of findings, besides the kinds of faults (:class:`arena.players.faults.FaultKind`)."""

    PUT_OUT = "put-out"
    """The bot was put out of matches for its faults."""

    NOT_REPEATING = "not-repeating"
    """The bot answered otherwise when the same match was played again."""

    OTHER_GAME = "other-game"
    """The bot plays no game of the league."""

    NO_HOOKS = "no-hooks"
    """The bot implements no hook: only default moves are played for it."""

    SLOW = "slow"
    """An ask took longer than its time limit: the excess was taken from the bank."""

    SLOW_THERE = "slow-there"
    """The bot would exceed a limit on the league's machine."""

    NEAR_LIMIT = "near-limit"
    """The bot used a large part of a time limit."""

    MEMORY = "memory"
    """The bot used a large part of its memory limit."""


class BotFinding(msgspec.Struct, frozen=True):
    """One finding: its ``code``, whether it is ``wrong`` (else it is only worth knowing), a ``sentence`` about it, and
    the commands to continue with, in order (``next``)."""

    code: FindingCode | FaultKind
    wrong: bool
    sentence: str
    next: tuple[str, ...] = ()


class LimitUse(msgspec.Struct, frozen=True):
    """How much of a limit was used: ``what``, the subject of a sentence, the ``key`` of the limit, and the amounts
    ``used`` and allowed (``limit``)."""

    what: str
    key: str
    used: float
    limit: float

    @property
    def limit_share(self) -> float:
        """The used part of the limit."""
        return self.used / self.limit

    def in_words(self) -> str:
        """As a sentence without a full stop, with the percentage."""
        return f"{self.what} took {seconds_text(self.used)} of {self.limit:g} s, {100 * self.limit_share:.0f} %"


def seconds_text(value: float) -> str:
    """Seconds with two significant digits."""
    return f"{value:.2g} s" if 0.001 <= value < 10 else f"{value * 1e6:.0f} µs" if value < 0.001 else f"{value:.0f} s"


def used_of(played: TwicePlayed, limits: Limits) -> list[LimitUse]:
    """How much of each limit of time was used."""
    found = [LimitUse("the slowest ask", "ask", played.worst, limits.ask)]
    if limits.match is not None:
        found.append(LimitUse("the match with most thinking", "match", played.longest, limits.match))
    return [*found, LimitUse("the slowest start", "start", played.slowest_start, limits.start)]


def findings_of(
    played: TwicePlayed, matches: Mapping[str, CheckedMatch], limits: Limits, memory: int, ratio: float | None
) -> Iterator[BotFinding]:
    """The findings about the matches of a check, given by id. ``limits`` and ``memory`` (MB; 0: none) are those of the
    check; ``ratio`` is this machine's speed relative to the league's (None: not known)."""
    for fault in played.faults:
        match = matches.get(fault.match)
        yield BotFinding(
            FaultKind(fault.kind), True, f"{fault_in_words(fault)} ({where_first(fault)})", _look_at(fault, match)
        )
    if played.put_out:
        more = f" and {len(played.put_out) - 1} more" if len(played.put_out) > 1 else ""
        yield BotFinding(FindingCode.PUT_OUT, True, f"it was put out for its faults in {played.put_out[0]}{more}")
    if not played.repeats:
        yield _not_repeating(played.differs, matches.get(played.differs))
    if not played.asks and not played.faults:
        told = "it implements no hook: defaults are played for it"
        yield BotFinding(FindingCode.NO_HOOKS, False, told, ("arena docs bots",))
    yield from _slow_findings(played, limits, ratio)
    if memory and played.memory > NEAR_SHARE * memory * 2**20:
        told = f"it held up to {played.memory / 2**20:.0f} of {memory} MB of memory"
        yield BotFinding(FindingCode.MEMORY, False, told, ("arena docs slow-bots",))


def _look_at(fault: CheckedFault, match: CheckedMatch | None) -> tuple[str, ...]:
    found = match.look_at(fault) if match is not None else ()
    return (*found, "arena docs slow-bots") if FaultKind(fault.kind).timed else found


def fault_in_words(fault: CheckedFault) -> str:
    """A fault in words, with its number."""
    rule = f" [{fault.rule}]" if fault.rule else ""
    return f"{fault.count} × {fault.kind}{rule} in {fault.hook}: {fault.evidence}"


def where_first(fault: CheckedFault) -> str:
    """Where the first fault of this kind happened."""
    ask = f", ask {fault.ask}" if fault.ask else ""
    return f"first in {fault.edition}, {fault.players} players, seed {fault.seed}{ask}"


def _not_repeating(differs: str, match: CheckedMatch | None) -> BotFinding:
    told = (
        f"it does not repeat itself: it answers differently when {differs} is played again; look for the module "
        f"random, clocks, the order of sets, and data left by an earlier match (Randomness in arena docs bots)"
    )
    again: tuple[str, ...] = ()
    if match is not None and match.command:
        again = (match.command, f"arena rerun {match.replay}")
    return BotFinding(FindingCode.NOT_REPEATING, True, told, (*again, "arena docs bots"))


def _slow_findings(played: TwicePlayed, limits: Limits, ratio: float | None) -> Iterator[BotFinding]:
    """The findings about the bot's time."""
    where = ("arena docs slow-bots",)
    for used in used_of(played, limits):
        if used.key == "ask" and used.limit_share > 1:
            bank = f"longer answers use up {limits.bank:g} s a match (limits.bank); beyond that, an answer is a fault"
            yield BotFinding(FindingCode.SLOW, False, f"{used.in_words()} (limits.ask): {bank}", where)
        elif used.limit_share > NEAR_SHARE:
            yield BotFinding(FindingCode.NEAR_LIMIT, False, f"{used.in_words()} (limits.{used.key})", where)
        if ratio is not None and used.limit_share <= 1 < used.limit_share * ratio:
            here, in_league = seconds_text(used.used), seconds_text(used.used * ratio)
            there = f"{used.what} took {here} here, about {in_league} on the league's"
            yield BotFinding(
                FindingCode.SLOW_THERE, False, f"{there} machine, of {used.limit:g} s (limits.{used.key})", where
            )
