"""Takes over matches of earlier runs: those that would go the same, because their bots repeat themselves.

No record shows whether a bot repeats itself. Therefore some matches of each entrant are played again first, as trials;
if an entrant does not answer as before, none of its matches is taken over.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from arena.errors import ReplayError, one_line_message
from arena.executors.executor import Executor, Look, UnplayedMatch, play_all
from arena.executors.interrupt import defer_stop
from arena.match.match_counts import counts_in
from arena.match.match_spec import header_of_spec
from arena.match.work import Timing, Work, WorkResult, keeps_replay, record_of, unmeasured_timing
from arena.replay.frame import pack_replay
from arena.replay.play_difference import first_difference
from arena.replay.rename_match import carried_over
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import facts_of
from arena.runs.reuse_sources import OldMatch, OldRuns, ReuseKeys
from arena.storage.record_check import result_difference, result_in
from arena.tournament.records.fixture import Fixture
from arena.tournament.schedule.share import Fixtures

REUSE_TRIALS = 3
"""Matches of each entrant that are played again before any of its own is taken over."""


class ReuseResult(msgspec.Struct):
    """What was taken over: the number of matches by folder; how many were played again first, as trials; for each
    entrant that does not repeat itself, where that was seen; and ``notes``, a line each, on matches that were
    skipped."""

    folders: dict[str, int] = {}
    trials: int = 0
    changeable: dict[str, str] = {}
    notes: list[str] = []

    @property
    def matches(self) -> int:
        """The number of all matches that were taken over."""
        return sum(self.folders.values())


def reuse_words(told: ReuseResult, matches: int) -> list[str]:
    """What was taken over for a run of ``matches`` matches, a line each."""
    each = ", ".join(f"{number} of {folder}" for folder, number in told.folders.items())
    again = f"{told.trials} played again first, to test whether bots repeat themselves"
    return [
        f"taken over: {told.matches or 'none'} of {matches} matches{f' ({each})' if each else ''}; {again}",
        *(
            f"{name} does not repeat itself, so none of its matches was taken over: {why}"
            for name, why in told.changeable.items()
        ),
        *told.notes,
    ]


Keep = Callable[[WorkResult | UnplayedMatch], None]
"""Receives every match that is taken over, and the result of every trial."""


class Reuse:
    """Takes over matches of ``old`` runs for the run of this ``plan``, and counts them in ``told``."""

    def __init__(
        self, plan: Plan, old: OldRuns, executor: Executor, keep: Keep, is_due: Callable[[], bool], look: Look
    ) -> None:
        self.plan, self.old, self.executor = plan, old, executor
        self.keep, self.is_due, self.look = keep, is_due, look
        self.told = ReuseResult()
        self._keys = ReuseKeys(facts_of(plan, ""))
        self._passed = [0] * len(plan.names)
        self._first, self._broken = "", 0

    def take(self, fixtures: Fixtures, finished: Container[int]) -> bytearray:
        """Take over as many as possible of these matches, except the ``finished`` ones. Returns for each of them
        whether it is done: taken over, or played as a trial."""
        over = bytearray(len(fixtures))
        found = _ReusableMatches(fixtures, self._candidates(fixtures, finished))
        while not self.is_due() and (chosen := found.trials(self._passed)):
            for at in chosen:
                over[at] = True
            self._try([(fixtures[at], place) for at, place in chosen.items()])
            found.leave_out(chosen, [self.plan.names.index(name) for name in self.told.changeable])
        with defer_stop() as asked:
            for at, place in found:
                asked.stop()
                if self.is_due():
                    break
                over[at] = self._take_over(fixtures[at], place)
        return over

    def _candidates(self, fixtures: Iterable[Fixture], finished: Container[int]) -> Iterator[tuple[int, int]]:
        """Those of the matches that were played before: each match's place among ``fixtures``, and its place in the old
        runs."""
        for at, fixture in enumerate(fixtures):
            if fixture.index not in finished:
                spec = self.plan.work(fixture).spec
                key = self._keys.match_key(spec.game, spec.edition, spec.seed, [seat.entrant for seat in spec.seats])
                if (place := self.old.place(key)) is not None:
                    yield at, place

    def _try(self, chosen: Iterable[tuple[Fixture, int]]) -> None:
        """Play these matches, and compare each with the old match at its place."""
        places: dict[str, tuple[Fixture, int]] = {}

        def works() -> Iterator[Work]:
            for fixture, place in chosen:
                places[fixture.id] = fixture, place
                yield replace(self.plan.work(fixture), replays="all")

        for result in play_all(self.executor, works(), self.look):
            if isinstance(result, UnplayedMatch):
                self.keep(result)
                continue
            self.told.trials += 1
            self._judge(result, *places[result.record.id])
            kept = keeps_replay(self.plan.tournament.replays, result.record)
            self.keep(result if kept else replace(result, packed=None))

    def _judge(self, done: WorkResult, fixture: Fixture, place: int) -> None:
        """Note for the entrants of a match that was played again whether they repeated themselves."""
        old = self._carried(self.plan.work(fixture), place)
        then, now = old.replay if old is not None else None, done.replay
        if then is None or now is None:
            return
        if then == now:
            for entrant in fixture.entrants:
                self._passed[entrant] += 1
            return
        parted = first_difference(then, now).seat
        for seat in range(len(fixture.entrants)) if parted is None else (parted,):
            name = self.plan.names[fixture.entrants[seat]]
            self.told.changeable.setdefault(name, f"{done.record.id} did not go as in {self.old.folder(place)}")

    def _take_over(self, fixture: Fixture, place: int) -> bool:
        """Take over one match; return whether that was possible."""
        done = self._carried(self.plan.work(fixture), place)
        if done is None:
            return False
        self.keep(done if keeps_replay(self.plan.tournament.replays, done.record) else replace(done, packed=None))
        folder = str(self.old.folder(place))
        self.told.folders[folder] = self.told.folders.get(folder, 0) + 1
        return True

    def _carried(self, work: Work, place: int) -> WorkResult | None:
        """The result of the match as playing it would give it; None, with a note, where the old replay is incomplete,
        or disagrees with its line in ``matches.jsonl``."""
        try:
            old = self.old.get(place)
        except ReplayError as problem:
            self._pass_over(f"{self.old.folder(place)}: {one_line_message(problem)}; that match is played")
            return None
        if old is None:
            self._pass_over(f"{self.old.folder(place)}: the replay of a match is missing; it is played")
            return None
        told = result_in(old.replay)
        other = "cut off" if told is None else result_difference(old.record, told)
        try:
            replay, result = carried_over(old.replay, header_of_spec(work.spec))
        except ReplayError as problem:
            other = other or str(problem)
        if other:
            self._pass_over(f"{old.folder}: {old.record.id}: its replay cannot be taken over: {other}; it is played")
            return None
        counts = old.record.counts
        if counts is UNSET:  # of a run of before
            counts = counts_in(old.replay)
        return WorkResult(record_of(work.spec, result, counts), _rename_timing(old, work), pack_replay(replay))

    def _pass_over(self, note: str) -> None:
        """Count a skipped match, and keep the note if it is the first."""
        self._first, self._broken = self._first or note, self._broken + 1
        more = f" (and {self._broken - 1} more)" if self._broken > 1 else ""
        self.told.notes = [self._first + more]


class _ReusableMatches:
    """The matches among ``fixtures`` that were played before, each with its place in ``fixtures`` and in the old
    runs."""

    def __init__(self, fixtures: Fixtures, pairs: Iterable[tuple[int, int]]) -> None:
        self.fixtures = fixtures
        self._at, self._places = array("Q"), array("Q")
        for at, place in pairs:
            self._at.append(at)
            self._places.append(place)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._at, self._places, strict=True)

    def trials(self, passed: Sequence[int]) -> dict[int, int]:
        """The matches to play as trials, spread over all: enough for each entrant to reach :data:`REUSE_TRIALS` with
        those it has ``passed``, as far as there are so many. Empty where every entrant has enough."""
        if min(passed) >= REUSE_TRIALS:
            return {}
        counts = [0] * len(passed)
        for each in self._entrants():
            for entrant in each:
                counts[entrant] += 1
        wanted = [_trial_places(count) for count in counts]
        planned, seen = list(passed), [0] * len(passed)
        chosen: dict[int, int] = {}
        for each, at, place in zip(self._entrants(), self._at, self._places, strict=True):
            if any(seen[entrant] in wanted[entrant] and planned[entrant] < REUSE_TRIALS for entrant in each):
                chosen[at] = place
                for entrant in each:
                    planned[entrant] += 1
            for entrant in each:
                seen[entrant] += 1
        return chosen

    def _entrants(self) -> Iterator[tuple[int, ...]]:
        return (self.fixtures[at].entrants for at in self._at)

    def leave_out(self, chosen: Container[int], entrants: Sequence[int]) -> None:
        """Remove these matches, and all matches of these entrants."""
        absent = frozenset(entrants)
        left = [each for each in self if each[0] not in chosen and absent.isdisjoint(self.fixtures[each[0]].entrants)]
        self._at, self._places = array("Q", (at for at, _ in left)), array("Q", (place for _, place in left))


def _trial_places(count: int) -> frozenset[int]:
    """:data:`REUSE_TRIALS` places among ``count``, evenly spread."""
    return frozenset(count * (2 * each + 1) // (2 * REUSE_TRIALS) for each in range(REUSE_TRIALS))


def _rename_timing(old: OldMatch, work: Work) -> Timing:
    """The timing of an old match with the names of the new run."""
    id, seats = work.spec.id, work.spec.seats
    if old.timing is None or len(old.timing.seats) != len(seats):
        return unmeasured_timing(id)
    renamed = tuple(replace(each, entrant=seat.entrant) for each, seat in zip(old.timing.seats, seats, strict=True))
    return replace(old.timing, id=id, seats=renamed)
