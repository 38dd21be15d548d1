"""Shares of a tournament: one of N parts of nearly equal length, each played on a machine of its own.

Which matches a share has follows from the schedule and from the share's own two numbers alone, so machines that know
nothing of each other play every match exactly once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Protocol

import msgspec

from arena.errors import UserError
from arena.tournament.records.fixture import Fixture
from arena.tournament.schedule.schedule import Schedule

MOST_SHARES = 1_000_000
_SHARE_PATTERN = re.compile(r"([0-9]{1,9})/([0-9]{1,9})", re.ASCII)


class Share(msgspec.Struct, frozen=True):
    """The share ``number`` (from 1) ``of`` so many.

    The schedule is cut into runs of as many matches as there are shares, and each share gets one match of each run. So
    all shares have nearly equally many matches of every edition, and of every block with more matches than there are
    shares. Which match of a run a share gets changes from run to run by a pseudo-random number. Otherwise a share could
    get the same table, or the same seat order, all the time, and a slow bot would keep one machine busy long after all
    others are done.
    """

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def count(self, matches: int) -> int:
        """How many of the first ``matches`` of a schedule are this share's."""
        runs, rest = divmod(matches, self.of)
        return runs + (self._place(runs) < rest)

    def schedule_index(self, at: int) -> int:
        """The index in the schedule of match ``at`` (from 0) of this share."""
        return at * self.of + self._place(at)

    def has_match(self, index: int) -> bool:
        """Whether the match with this index in the schedule is this share's."""
        run, place = divmod(index, self.of)
        return self._place(run) == place

    def _place(self, run: int) -> int:
        """The position, within a run of matches, of the match that belongs to this share."""
        turned = int.from_bytes(sha256(f"share/{self.of}/{run}".encode()).digest()[:8])
        return (self.number - 1 + turned) % self.of


def read_share(text: str) -> Share:
    """Parse a share such as ``3/16``. Raises UserError for anything else."""
    found = _SHARE_PATTERN.fullmatch(text)
    if found is None:
        raise UserError(f"expected a share such as 3/16, the third of sixteen, got {text!r}")
    share = Share(int(found[1]), int(found[2]))
    if not 1 <= share.of <= MOST_SHARES:
        raise UserError(f"expected 1 to {MOST_SHARES:,} shares, got {text}")
    if not 1 <= share.number <= share.of:
        raise UserError(f"expected one of the shares 1/{share.of} to {share.of}/{share.of}, got {text}")
    return share


class Fixtures(Protocol):
    """Matches to be played, in the schedule's order: a schedule, a share of it, or some that are listed."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Fixture: ...

    def __iter__(self) -> Iterator[Fixture]: ...


class SharedSchedule:
    """Implements :class:`Fixtures`: the matches of one ``share`` of a ``schedule``, computed when they are needed."""

    def __init__(self, schedule: Schedule, share: Share) -> None:
        self.schedule, self.share = schedule, share
        self._length = share.count(len(schedule))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int, /) -> Fixture:
        """The match number ``index``, from 0; -1 is the last. Raises IndexError beyond the ends."""
        return self.schedule[self.share.schedule_index(range(self._length)[index])]

    def __iter__(self) -> Iterator[Fixture]:
        return (self.schedule[self.share.schedule_index(at)] for at in range(self._length))


def fixtures_of(schedule: Schedule, share: Share | None) -> Fixtures:
    """The matches of a schedule that are played: those of this share, or all."""
    return schedule if share is None else SharedSchedule(schedule, share)


def check_shareable(schedule: Schedule, share: Share) -> None:
    """Raise UserError if the share would have no match, or if the choice of matches depends on the results of earlier
    ones, which no single machine has."""
    if share.of > len(schedule):
        raise UserError(f"share {share} would have no match: there are {len(schedule)}; choose at most as many shares")
    if schedule.suspend_after is not None:
        raise UserError("no share can be played with suspend_after: suspensions follow from all earlier matches")
    if schedule.looks_back:
        raise UserError("no share of this format can be played: its tables follow from the results of earlier blocks")
