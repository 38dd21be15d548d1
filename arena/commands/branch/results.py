"""Collects the outcomes of branches as they end, and summarizes them by variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.commands.branch.branches import OWN_CHANCE, BranchedMatch, BranchOutcome, Variant, chance_of
from arena.commands.branch.decision import Decision
from arena.commands.branch.inference.decision_worth import Money, VariantWorth, mean_with_interval, variant_worth
from arena.consultation.call_record import with_models
from arena.games.chance import Chance
from arena.match.following.branch import BranchAnswer, UnrepeatedSeat
from arena.match.work import WorkResult
from arena.recorded.recorded_models import cassette_beside
from arena.replay.formats import encode_as_written
from arena.replay.frame import unpack_replay
from arena.replay.lines import Faulted, Header
from arena.replay.play_difference import first_difference
from arena.replay.read import read_replay_lines
from arena.rerun.sample import has_faults_of_time
from arena.storage.files.atomic_files import write_whole
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import keyed_table, table_csv

AS_RECORDED = "as recorded"
"""The name of the variant that changes nothing."""


class VariantRow(NamedTuple):
    """One variant by its ``name``. ``money`` is the seat's mean over the repetitions; ``worth`` compares the variant
    with the recorded one, and is None for the recorded one itself. ``own`` is the money of all seats in the repetition
    with the match's own random events; empty if that does not count, or is not finished."""

    name: str
    variant: Variant
    money: Estimate
    worth: VariantWorth | None
    own: Money


class OwnChanceDifference(NamedTuple):
    """Where the recorded variant, played with the match's own random events, first differs from the record: the
    ``ask``, its ``seat``, and whether a bot was ``late`` in that play."""

    ask: int
    seat: int
    late: bool


class VariantFault(NamedTuple):
    """Faults of one ``kind`` that ``seat`` made in the branches of a variant (``name``) after the record was left."""

    name: str
    seat: int
    kind: str
    times: int


class Branches:
    """The branches of one decision: its ``variants`` by name, the first of which changes nothing. Each is played once
    with the match's own random events, and in ``repeats`` more repetitions with others."""

    def __init__(self, decision: Decision, variants: Mapping[str, Variant], repeats: int) -> None:
        """Raises UserError if repetitions are asked for and the game cannot draw its random events anew."""
        self.decision, self.repeats = decision, repeats
        if repeats:
            decision.found.phase.state.copy().draw_anew(Chance(decision.match.spec.seed))
        self.variants = {AS_RECORDED: Variant(decision.number), **variants}
        self.outcomes: dict[tuple[Variant, int], BranchOutcome] = {}
        self._before = _faults_before(decision)

    @property
    def match(self) -> BranchedMatch:
        """The match."""
        return self.decision.match

    @property
    def numbers(self) -> range:
        """The numbers of all repetitions, first the one with the match's own random events."""
        return range(OWN_CHANCE, self.repeats + 1)

    @property
    def total(self) -> int:
        """How many branches there are to play."""
        return len(self.variants) * len(self.numbers)

    def add(self, outcome: BranchOutcome) -> None:
        """Add the outcome of a branch that has ended."""
        self.outcomes[outcome.variant, outcome.number] = outcome

    def money(self, variant: Variant) -> list[Money]:
        """The money by seat, for each repetition but the one with the match's own random events; empty where a branch
        does not count."""
        return [self._money(variant, number) for number in self.numbers if number != OWN_CHANCE]

    def _money(self, variant: Variant, number: int) -> Money:
        found = self.outcomes.get((variant, number))
        return () if found is None else found.money

    def rows(self) -> list[VariantRow]:
        """A row for every variant, the recorded one first."""
        seat, recorded = self.decision.seat, self.money(self.variants[AS_RECORDED])
        found = []
        for name, variant in self.variants.items():
            own, money = self._money(variant, OWN_CHANCE), self.money(variant)
            if name == AS_RECORDED:
                found.append(
                    VariantRow(name, variant, mean_with_interval([each[seat] for each in money if each]), None, own)
                )
                continue
            judged = variant_worth(recorded, money, seat)
            found.append(VariantRow(name, variant, judged.money, judged, own))
        return found

    def unrepeated_seats(self) -> list[UnrepeatedSeat]:
        """The seats whose bots did not answer as recorded when asked again, each with its first such ask. A bot that
        takes over a seat does not count."""
        first: dict[int, int] = {}
        for outcome in self.outcomes.values():
            told = outcome.done.branched if outcome.done is not None else None
            for seat, ask in told.unrepeated if told is not None else ():
                if outcome.variant.answer is not BranchAnswer.OWN or seat != self.decision.seat:
                    first[seat] = min(ask, first.get(seat, ask))
        return [UnrepeatedSeat(*each) for each in sorted(first.items())]

    def own_chance_difference(self) -> OwnChanceDifference | None:
        """Where the recorded variant first differs from the record when played with the match's own random events; None
        if it does not, or is not finished."""
        done = self._own_chance(self.variants[AS_RECORDED])
        if done is None or self._is_as_recorded(done):
            return None
        parted = first_difference(self.match.content, done)
        assert parted.ask is not None  # chance and rules are the same, and so is the header
        assert parted.seat is not None
        record = self.outcomes[self.variants[AS_RECORDED], OWN_CHANCE].done
        return OwnChanceDifference(parted.ask, parted.seat, record is not None and has_faults_of_time(record.record))

    def _own_chance(self, variant: Variant) -> bytes | None:
        """The replay of a variant played with the match's own random events."""
        done = self._played_with_own_chance(variant)
        return None if done is None else done.replay

    def _played_with_own_chance(self, variant: Variant) -> WorkResult | None:
        found = self.outcomes.get((variant, OWN_CHANCE))
        return None if found is None else found.done

    def _is_as_recorded(self, replay: bytes) -> bool:
        """Whether a replay equals that of the match byte for byte, apart from its id."""
        header, (first, *lines) = self.match.timeline.header, read_replay_lines(replay)[1]
        assert isinstance(first, Header)
        named = msgspec.structs.replace(first, id=header.id)
        return encode_as_written([named, *lines], header) == self.match.content

    def lost_counts(self) -> dict[str, int]:
        """The reasons why branches do not count, with the number of branches for each."""
        return dict(Counter(each.why for each in self.outcomes.values() if each.why))

    def branch_faults(self) -> list[VariantFault]:
        """The faults in all branches after the recorded part, in the order of variants and seats."""
        names = {variant: name for name, variant in self.variants.items()}
        found: Counter[tuple[str, int, str]] = Counter()
        for outcome in self.outcomes.values():
            for seat, each in enumerate(outcome.done.record.seats if outcome.done is not None else ()):
                for kind, count in each.faults.items():
                    found[names[outcome.variant], seat, kind] += count - self._before[seat, kind]
        order = list(self.variants)
        told = [VariantFault(*key, count) for key, count in found.items() if count]
        return sorted(told, key=lambda each: (order.index(each.name), each.seat, each.kind))

    def kept_matches(self) -> dict[str, WorkResult]:
        """The variants played with the match's own random events, by the file name of their replays."""
        names = ["recorded.jsonl"]
        changed = len(self.variants) - 1
        names += ["changed.jsonl"] if changed == 1 else [f"changed-{number}.jsonl" for number in range(1, changed + 1)]
        found = zip(names, map(self._played_with_own_chance, self.variants.values()), strict=True)
        return {name: done for name, done in found if done is not None and done.replay is not None}


def write_replays(branches: Branches, folder: Path) -> list[Path]:
    """Write the replays of the variants played with the match's own random events into ``folder``, which is created if
    needed, each with the cassette of its calls of models beside it; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written, models = [], branches.match.recorded.models
    for name, done in branches.kept_matches().items():
        path = folder / name
        if done.cassette is not None and models is not None:
            write_whole(cassette_beside(path), with_models(unpack_replay(done.cassette), models))
        write_whole(path, done.replay or b"")
        written.append(path)
    return written


BRANCH_COLUMNS = ("variant", "repetition", "chance", "seat", "entrant", "money")


def branches_csv(branches: Branches) -> str:
    """Every branch as CSV, a line for each seat; money is empty if a branch does not count. Repetition 0 has the
    match's own random events; its chance column shows the seed of the match."""
    return table_csv(keyed_table(BRANCH_COLUMNS, list(_csv_rows(branches))))


def _csv_rows(branches: Branches) -> Iterator[Sequence[object]]:
    match, decision = branches.match, branches.decision
    for name, variant in branches.variants.items():
        for number in branches.numbers:
            outcome = branches.outcomes.get((variant, number))
            if outcome is None:
                continue
            chance = chance_of(match, decision.number, number) or match.spec.seed
            for seat, entrant in enumerate(match.entrants):
                money = outcome.money[seat] if outcome.money else None
                yield name, number, chance, seat, entrant, money


def _faults_before(decision: Decision) -> Counter[tuple[int, str]]:
    """The faults that are recorded before the decision, by seat and kind."""
    lines = read_replay_lines(decision.match.content)[1]
    return Counter(
        (line.seat, line.kind.value) for line in lines if isinstance(line, Faulted) and line.ask < decision.number
    )
