"""The command line for a match of a check: the words with which ``arena match`` plays it again at the same table."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

import msgspec

from arena.bot import Limits
from arena.commands.bots.league_conditions import LeagueTable
from arena.games.game_bot import MOST_SECONDS
from arena.match.work import Work
from arena.penalties import FaultPolicy
from arena.rerun.play_twice import CHECKED_ENTRANT, CheckedFault

MOST_BY_DEFAULT = 4
"""Seats of a table in commands that get no number of seats, if there are enough bots."""
_DEFAULT_LIMITS, _DEFAULT_STRIKES = Limits(), 3
"""The limits and strikes of ``arena match`` by default."""


class CheckedMatch(msgspec.Struct, frozen=True):
    """One match of a check: its ``work``, the name of the checked ``bot`` on the command line, and the ``words`` that
    name its edition there (empty: nobody can type it)."""

    work: Work
    bot: str
    words: tuple[str, ...]
    trust: bool = False

    @property
    def seat(self) -> int:
        """Where the checked bot sits."""
        return next(seat for seat, each in enumerate(self.work.spec.seats) if each.entrant == CHECKED_ENTRANT)

    @property
    def replay(self) -> str:
        """The name of the replay file when the match is played again."""
        return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', self.work.spec.id)}.jsonl"

    @property
    def command(self) -> str:
        """The command that plays the match again and writes its replay; empty if no command can."""
        if not self.words:
            return ""
        spec = self.work.spec
        names = [self.bot if seat == self.seat else bot.name for seat, bot in enumerate(self.work.bots)]
        given = [*names, *self.words, "--seed", spec.seed]
        given += condition_words(spec.limits, spec.fault_policy, spec.strikes)
        return shlex.join(["arena", "match", *given, *["--trust"] * self.trust, "--out", self.replay])

    def look_at(self, fault: CheckedFault) -> tuple[str, ...]:
        """The commands that play the match of a fault again, show the ask, and put it to the bot once more under a
        debugger; without a debugger if the bot is a program in another language."""
        if not self.command:
            return ()
        if not fault.ask:  # at the start
            return (self.command, shlex.join(["arena", "show", self.replay]))
        ask = ["--at", f"ask{fault.ask}"]
        again = ["arena", "refeed", self.replay, "--bot", self.bot, *ask]
        debugger = [] if self.work.bots[self.seat].command else ["--pdb"]
        return self.command, shlex.join(["arena", "show", self.replay, *ask]), shlex.join([*again, *debugger])


def condition_words(limits: Limits, fault_policy: FaultPolicy, strikes: int) -> Iterator[str]:
    """The options for those conditions that differ from the commands' defaults."""
    match = MOST_SECONDS if limits.match is None else limits.match
    for option, value, usual in (
        ("--ask", limits.ask, _DEFAULT_LIMITS.ask),
        ("--bank", limits.bank, _DEFAULT_LIMITS.bank),
        ("--match-time", match, _DEFAULT_LIMITS.match),
    ):
        if value != usual:
            yield from (option, str(int(value)) if float(value).is_integer() else repr(float(value)))
    if fault_policy is not FaultPolicy.SUBSTITUTE:
        yield from ("--fault-policy", fault_policy.value)
    if strikes != _DEFAULT_STRIKES:
        yield from ("--strikes", str(strikes))


def how_good(bot: str, table: LeagueTable, others: Sequence[str]) -> list[str]:
    """The commands that measure how good the bot is at this table: against ``others``, and in place of the first of
    them, if there are enough bots for the table."""
    conditions = table.conditions
    seats = conditions.seats
    more = [*table.words, *condition_words(conditions.limits, conditions.fault_policy, conditions.strikes)]
    more += ["--seats", str(seats)] * (seats > MOST_BY_DEFAULT)
    found = []
    if table.words and len(others) >= seats - 1:
        found.append(["arena", "gauntlet", bot, *others[: seats - 1], *more])
    if table.words and len(others) >= seats:
        found.append(["arena", "compare", bot, *others[:seats], *more])
    return [shlex.join(words) for words in found]
