"""Plays a sample of a run's matches again with their bots, and says what the sample shows about the whole run.

No match is left out because of its result, and no bot is accused: for a match that comes out otherwise, the audit names
the bot whose answer differed first, and says whether that bot repeats itself at all.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import TypeVar

import msgspec

from arena import __version__
from arena.errors import ReplayError, UserError
from arena.executors.executor import Executor
from arena.match.desk_of_work import recorded_desk
from arena.match.walk.timeline import Timeline
from arena.match.work import Work, WorkResult
from arena.replay.play_difference import first_difference
from arena.rerun.audited_matches import NOBODY, AuditedMatches, AuditListener
from arena.rerun.other_interpreter import play_again
from arena.rerun.repeatability import REASKED_MATCHES, RecordedSeatAsks, RepeatTrials
from arena.rerun.rerun_match import RecordedPlay, differing_match, play_and_compare
from arena.rerun.sample import AuditSample, SampleOptions, draw_sample, has_faults_of_time
from arena.storage.audit_file import AuditBound, AuditDifference, AuditOutcome, AuditResult, AuditTally
from arena.tournament.inference.sample_bound import CONFIDENCE, most_differing
from arena.tournament.records.match_record import MatchRecord

LOOKED_INTO = 50
"""In at most this number of matches with a bot that does not repeat itself, the audit asks the other bots again."""
KeptItem = TypeVar("KeptItem")


def audit_sample(
    matches: AuditedMatches,
    executor: Executor,
    options: SampleOptions,
    listener: AuditListener = NOBODY,
) -> AuditResult:
    """Play again the matches that the ``options`` select, except those of entrants whose bots are absent. Writes
    nothing.

    Raises UserError where no match can be played again, ArenaError where a match could not be played."""
    with RepeatTrials(matches.bots, matches.isolation) as trials:
        return _Auditing(matches, executor, trials, listener).run(options)


class _Auditing:
    def __init__(
        self, matches: AuditedMatches, executor: Executor, trials: RepeatTrials, listener: AuditListener
    ) -> None:
        self.matches, self.executor, self.trials, self.listener = matches, executor, trials, listener
        self.absent = matches.missing_bots
        self.entrants: dict[str, AuditTally] = {}
        self.hosts: dict[str, AuditTally] = {}
        self.others: list[AuditDifference] = []
        self.names: dict[str, tuple[str, ...]] = {}
        """The entrants by seat of each match in ``others``, by its id."""
        self.places: dict[str, int] = {}
        """The line number in ``matches.jsonl``, from 0, of each match in ``others``, by its id."""
        self.identical = Counter[tuple[str, ...]]()
        """How many matches came out identical, by their entrants in the order of seats."""
        self.differed: dict[str, list[tuple[int, WorkResult]]] = {}
        """By entrant, some of the matches in which its answer was the first to differ, as played here. This list and
        those below hold the matches that come first in ``matches.jsonl``, each with its line number there."""
        self.same: dict[str, list[tuple[int, str]]] = {}
        """By entrant, the ids of some matches that came out identical."""
        self.faulty: dict[str, list[tuple[int, str]]] = {}
        """By entrant, the ids of some identical matches in which it had faults."""
        self.missed: list[AuditDifference] = []
        """The matches in which a bot asked a language model what is not recorded of them."""
        self.as_recorded: dict[str, list[tuple[int, str]]] = {}
        """By entrant, the ids of some matches that differ because of other bots, in which its own answers are as
        recorded."""
        self.unsteady: dict[str, str] = {}
        """For each entrant whose bot does not repeat itself, the evidence."""

    def run(self, options: SampleOptions) -> AuditResult:
        root = self.matches.root()
        seed = options.seed or root
        sample = draw_sample(self.matches.records(), seed, options.sample, options.each, self.absent)
        self._check(sample)
        self.entrants = {name: AuditTally(name, sample.entrants.get(name, 0)) for name in self.matches.bots}
        self.hosts = {name: AuditTally(name, sample.hosts[name]) for name in sorted(sample.hosts)}
        for name, why in self.absent.items():
            self.entrants[name].absent = why
        self.listener.sample_drawn(len(sample.match_ids))
        drawn = self._play(sample)
        self._play_twice_more()
        self._explain_misses()
        self._explain()
        when = datetime.now(UTC).isoformat(timespec="seconds")
        self._label(f"{self.matches.audit}, {when[:10]}")
        return AuditResult(
            root=root,
            when=when,
            arena=__version__,
            seed=seed,
            matches=sample.matches,
            timely=sample.timely,
            drawn=len(sample.drawn),
            added=len(sample.added),
            played=len(sample.match_ids),
            identical=len(sample.match_ids) - len(self.others),
            bound=self._bound(sample, drawn),
            entrants=list(self.entrants.values()),
            hosts=list(self.hosts.values()),
            others=sorted(self.others, key=lambda each: each.id),
            root_in_manifest=self.matches.root_before(),
        )

    def _check(self, sample: AuditSample) -> None:
        folder = self.matches.run_name
        if not sample.matches:
            raise UserError(f"{folder} has no finished matches to play again")
        if not sample.eligible:
            why = "; ".join(self.absent.values()) or "all have faults that depend on time"
            raise UserError(f"no match of {folder} can be played again: {why}")

    def _play(self, sample: AuditSample) -> dict[str, tuple[str, ...]]:
        """Play and judge the matches of the sample. Returns the entrants by seat of each drawn match, by its id."""
        places: dict[str, int] = {}
        drawn: dict[str, tuple[str, ...]] = {}

        def chosen() -> Iterator[RecordedPlay]:
            for place, (record, host) in enumerate(self.matches.records()):
                if place in sample.match_ids:
                    places[record.id] = place
                    if place in sample.drawn:
                        drawn[record.id] = _entrant_names(record)
                    try:
                        yield RecordedPlay(record, host, self._work(record.id))
                    except ReplayError as problem:
                        told = f"what models answered in it cannot be read: {problem}"
                        self._judge(places.pop(record.id), record, host, None, differing_match(record, host, told))

        for (record, host, _), done, found in play_and_compare(chosen(), self.matches, self.executor):
            self._judge(places.pop(record.id), record, host, done, found)
            if done is None and found is not None:
                self.missed.append(found)
        for differing in (self.others, self.missed):
            differing.sort(key=lambda each: self.places[each.id])  # whichever was finished first
        return drawn

    def _work(self, id: str) -> Work:
        work = self.matches.work(id)
        if work is None:
            raise UserError(f"{id} is no match of {self.matches.run_name}; see: {self.matches.check}")
        return msgspec.structs.replace(work, replays="all")

    def _judge(
        self, place: int, record: MatchRecord, host: str, done: WorkResult | None, found: AuditDifference | None
    ) -> None:
        """Count the result of the match on line ``place`` (from 0) of ``matches.jsonl``, as played here (``done``;
        None: not to its end)."""
        self.listener.played_again()
        tallies = [self.hosts[host], *(self.entrants[name] for name in _entrant_names(record))]
        for tally in tallies:
            tally.played += 1
            tally.identical += found is None
        if found is None:
            self.identical[_entrant_names(record)] += 1
            for seat in record.seats:
                _keep_first(self.same, seat.entrant, place, record.id)
                if seat.faults:
                    _keep_first(self.faulty, seat.entrant, place, record.id)
            return
        self.others.append(found)
        self.places[found.id] = place
        self.names[found.id] = _entrant_names(record)
        if done is not None and found.came is AuditOutcome.OTHERWISE and not found.problem:
            _keep_first(self.differed, found.entrant, place, done)

    def _play_twice_more(self) -> None:
        """Play some of the differing matches twice more: a bot whose answers differ between two plays here does not
        repeat itself."""
        firsts = [done for _, done in sorted(chain(*self.differed.values()), key=_item_place)]
        if not firsts:
            return
        works = [self._work(done.record.id) for done in firsts]
        more = [play_again(works, self.executor.jobs) for _ in range(2)]
        for first, *again in zip(firsts, *more, strict=True):
            for done in again:
                if done is not None:
                    self._note_unsteady(first, done)

    def _note_unsteady(self, one: WorkResult, other: WorkResult) -> None:
        if one.replay is None or other.replay is None or has_faults_of_time(other.record):
            return
        parted = first_difference(one.replay, other.replay)
        if parted.seat is not None:
            name = one.record.seats[parted.seat].entrant
            told = f"its answers differ between two plays of {one.record.id} here, first at ask {parted.ask}"
            self.unsteady.setdefault(name, told)

    def _explain_misses(self) -> None:
        """Name the bot that differed first in matches in which models could not answer as recorded, and look whether it
        repeats itself."""
        for each in self.missed[:LOOKED_INTO]:
            try:
                asked = {name: self._asked(name, [each.id]) for name in self.names[each.id]}
            except ReplayError:  # of its replay, which cannot show who differed
                continue
            first = self.trials.first_to_differ({name: found[0] for name, found in asked.items() if found})
            if first is None:
                continue
            each.entrant, each.ask = first
            if not self.trials.repeats(each.entrant, asked[each.entrant][0]):
                each.came, each.problem = AuditOutcome.UNREPEATABLE, ""
                told = f"asked twice in {each.id} here, it differs, first at ask {each.ask}"
                self.unsteady.setdefault(each.entrant, told)

    def _explain(self) -> None:
        """Mark the differing matches that bots which do not repeat themselves explain, and check whether all other bots
        in them still answer as recorded."""
        looked = 0
        for each in self.others:
            guilty = [each.entrant] if each.entrant else self.names[each.id]
            if (
                each.came is not AuditOutcome.OTHERWISE
                or each.problem
                or not any(name in self.unsteady for name in guilty)
            ):
                continue
            each.came = AuditOutcome.UNREPEATABLE
            if looked < LOOKED_INTO:
                looked += 1
                self._ask_others(each)

    def _ask_others(self, match: AuditDifference) -> None:
        """Put the recorded asks of a match again to those of its bots that repeat themselves."""
        replay = self.matches.replay(match.id)
        if replay is None:
            return
        timeline = Timeline(replay)
        steady = {seat: name for seat, name in enumerate(self.names[match.id]) if name not in self.unsteady}
        for seat, name in steady.items():
            first = self.trials.first_not_as_recorded(name, RecordedSeatAsks(timeline, seat))
            if first is not None:
                match.came, match.entrant, match.ask, match.difference = AuditOutcome.OTHERWISE, name, first, None
                match.others_as_recorded = False
                return
        match.others_as_recorded = True
        for name in steady.values():
            _keep_first(self.as_recorded, name, self.places[match.id], match.id)

    def _label(self, check: str) -> None:
        """Label every bot that was played again, as far as that shows anything."""
        accused = {each.entrant for each in self.others if each.came is AuditOutcome.OTHERWISE}
        for name, tally in self.entrants.items():
            if name in self.unsteady:
                ids = [done.record.id for _, done in self.differed.get(name, ())]
                ids += [each.id for each in self.missed if each.entrant == name]
                tally.label, more = self.trials.of_clock(name, self._asked(name, ids))
                tally.evidence = f"{self.unsteady[name]}; {more} ({check})"
            elif name not in accused and (found := self.same.get(name, []) or self.as_recorded.get(name, [])):
                asked, faulty = (
                    self._asked(name, [id for _, id in each]) for each in (found, self.faulty.get(name, []))
                )
                tally.label, more = self.trials.of_seed(name, asked, faulty)
                tally.evidence = f"{self._repeated(tally)}; {more} ({check})"

    def _repeated(self, tally: AuditTally) -> str:
        """What shows that a bot repeats itself."""
        if tally.identical:
            return f"{tally.identical} of {tally.played} matches played again: same bytes"
        return f"asked again in {len(self.as_recorded[tally.name])} matches, it answers as recorded"

    def _asked(self, name: str, ids: list[str]) -> list[RecordedSeatAsks]:
        """The recorded asks of the entrant in the matches with these ids, as far as their replays were kept."""
        found = []
        for id in ids:
            if (replay := self.matches.replay(id)) is not None:
                work = self._work(id)
                seats = [seat.entrant for seat in work.spec.seats]
                desk = None if work.models is None else partial(recorded_desk, work)
                found.append(RecordedSeatAsks(Timeline(replay), seats.index(name), desk))
        return found

    def _bound(self, sample: AuditSample, drawn: Mapping[str, tuple[str, ...]]) -> AuditBound | None:
        """How many matches of all those with only repeating bots may differ, at most; None if the sample has none of
        them. The bound is never more than the matches not known to be identical, nor less than those known to
        differ."""
        came = {each.id: each.came for each in self.others}
        steady = [id for id, names in drawn.items() if not any(name in self.unsteady for name in names)]
        judged = [id for id in steady if came.get(id) is not AuditOutcome.LATE]
        differ = sum(came.get(id) is AuditOutcome.OTHERWISE for id in judged)
        without = (*self.unsteady, *self.absent)
        every = sample.eligible
        if self.unsteady:
            every = sum(
                not has_faults_of_time(record) and not any(name in without for name in _entrant_names(record))
                for record, _ in self.matches.records()
            )
        if not judged:
            return None
        most = most_differing(every, len(judged), differ)
        same, other = self._known()
        return AuditBound(every, len(judged), differ, max(other, min(most, every - same)), CONFIDENCE)

    def _known(self) -> tuple[int, int]:
        """Of the matches played again whose bots all repeat themselves, drawn or added: how many came out identical,
        how many otherwise."""
        same = sum(number for names, number in self.identical.items() if not self.unsteady.keys() & set(names))
        others = [each for each in self.others if not self.unsteady.keys() & set(self.names[each.id])]
        return same, sum(each.came is AuditOutcome.OTHERWISE for each in others)


def _entrant_names(record: MatchRecord) -> tuple[str, ...]:
    return tuple(seat.entrant for seat in record.seats)


def _keep_first(found: dict[str, list[tuple[int, KeptItem]]], name: str, place: int, thing: KeptItem) -> None:
    """Keep the few items with the lowest line numbers (``place``), whatever the order of the calls."""
    held = found.setdefault(name, [])
    insort(held, (place, thing), key=_item_place)
    del held[REASKED_MATCHES:]


def _item_place(found: tuple[int, object]) -> int:
    return found[0]
