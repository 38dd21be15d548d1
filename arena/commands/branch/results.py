"""What comes of playing the variants of a decision: gathered as branches end, and told as far as it is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.commands.branch.branches import OWN_CHANCE, BranchedMatch, BranchOutcome, Variant, chance_of
from arena.commands.branch.decision import Decision
from arena.commands.branch.inference.decision_worth import Money, VariantWorth, mean_with_interval, variant_worth
from arena.games.chance import Chance
from arena.match.following.branching import BranchAnswer, UnrepeatedSeat
from arena.replay.formats import encode_as_written
from arena.replay.lines import Faulted, Header
from arena.replay.play_difference import first_difference
from arena.replay.read import read_replay_lines
from arena.rerun.sample import has_faults_of_time
from arena.storage.files.atomic_files import write_whole
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import keyed_table, table_csv

AS_RECORDED = "as recorded"
"""What the variant is called that changes nothing."""


class VariantRow(NamedTuple):
    """One variant by its ``name``. ``money`` is the seat's mean over the repetitions; ``worth`` what the variant is
    worth beside as recorded, None for that itself. ``own`` is all seats' money in the match's own chance; empty where
    that does not count, or is not known yet."""

    name: str
    variant: Variant
    money: Estimate
    worth: VariantWorth | None
    own: Money


class OwnChanceDifference(NamedTuple):
    """Where the match as recorded, played on in its own chance, was another than it is recorded: the ``ask`` that was
    answered otherwise first, and its ``seat``; ``late``: a bot was late there."""

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
    """The branches of one decision: its ``variants`` by name, the first of which changes nothing, each in the match's
    own chance and in ``repeats`` repetitions more."""

    def __init__(self, decision: Decision, variants: Mapping[str, Variant], repeats: int) -> None:
        """Raises UserError where chance cannot fall anew in this game, if it has to."""
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
        """All repetitions, the match's own chance first."""
        return range(OWN_CHANCE, self.repeats + 1)

    @property
    def total(self) -> int:
        """How many branches there are to play."""
        return len(self.variants) * len(self.numbers)

    def add(self, outcome: BranchOutcome) -> None:
        """One branch has ended."""
        self.outcomes[outcome.variant, outcome.number] = outcome

    def money(self, variant: Variant) -> list[Money]:
        """What the seats had, by repetition without the match's own chance; empty where a branch does not count."""
        return [self._money(variant, number) for number in self.numbers if number != OWN_CHANCE]

    def _money(self, variant: Variant, number: int) -> Money:
        found = self.outcomes.get((variant, number))
        return () if found is None else found.money

    def rows(self) -> list[VariantRow]:
        """Every variant, as recorded first."""
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

    def unrepeated(self) -> list[UnrepeatedSeat]:
        """Who did not answer as recorded when it was asked again, each with the first such ask, by seat. A bot that
        takes over a seat answers for itself there."""
        first: dict[int, int] = {}
        for outcome in self.outcomes.values():
            told = outcome.done.branched if outcome.done is not None else None
            for seat, ask in told.unrepeated if told is not None else ():
                if outcome.variant.answer is not BranchAnswer.OWN or seat != self.decision.seat:
                    first[seat] = min(ask, first.get(seat, ask))
        return [UnrepeatedSeat(*each) for each in sorted(first.items())]

    def parted(self) -> OwnChanceDifference | None:
        """Where the match as recorded came out otherwise in its own chance; None where it did not, or is not known."""
        done = self._own_chance(self.variants[AS_RECORDED])
        if done is None or self._is_as_recorded(done):
            return None
        parted = first_difference(self.match.content, done)
        assert parted.ask is not None  # chance and rules are the same, and so is the header
        assert parted.seat is not None
        record = self.outcomes[self.variants[AS_RECORDED], OWN_CHANCE].done
        return OwnChanceDifference(parted.ask, parted.seat, record is not None and has_faults_of_time(record.record))

    def _own_chance(self, variant: Variant) -> bytes | None:
        """The replay of a variant in the match's own chance."""
        found = self.outcomes.get((variant, OWN_CHANCE))
        return None if found is None or found.done is None else found.done.replay

    def _is_as_recorded(self, replay: bytes) -> bool:
        """Whether a replay is that of the match byte for byte, but for what it is called."""
        header, (first, *lines) = self.match.timeline.header, read_replay_lines(replay)[1]
        assert isinstance(first, Header)
        named = msgspec.structs.replace(first, id=header.id)
        return encode_as_written([named, *lines], header) == self.match.content

    def lost(self) -> dict[str, int]:
        """Why branches do not count, and how many do not for it."""
        return dict(Counter(each.why for each in self.outcomes.values() if each.why))

    def failed(self) -> list[VariantFault]:
        """The faults of all branches since the record was left, in the order of variants and seats."""
        names = {variant: name for name, variant in self.variants.items()}
        found: Counter[tuple[str, int, str]] = Counter()
        for outcome in self.outcomes.values():
            for seat, each in enumerate(outcome.done.record.seats if outcome.done is not None else ()):
                for kind, count in each.faults.items():
                    found[names[outcome.variant], seat, kind] += count - self._before[seat, kind]
        order = list(self.variants)
        told = [VariantFault(*key, count) for key, count in found.items() if count]
        return sorted(told, key=lambda each: (order.index(each.name), each.seat, each.kind))

    def replays(self) -> dict[str, bytes]:
        """The replays in the match's own chance, by the name of a file."""
        names = ["recorded.jsonl"]
        changed = len(self.variants) - 1
        names += ["changed.jsonl"] if changed == 1 else [f"changed-{number}.jsonl" for number in range(1, changed + 1)]
        found = zip(names, map(self._own_chance, self.variants.values()), strict=True)
        return {name: replay for name, replay in found if replay is not None}


def write_replays(branches: Branches, folder: Path) -> list[Path]:
    """Write the replays in the match's own chance into a folder, which is made; where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, replay in branches.replays().items():
        write_whole(folder / name, replay)
        written.append(folder / name)
    return written


BRANCH_COLUMNS = ("variant", "repetition", "chance", "seat", "entrant", "money")


def branches_csv(branches: Branches) -> str:
    """Every branch as CSV, a line for each seat; money is empty where a branch does not count. Repetition 0 is the
    match's own chance, whose seed is that of the match."""
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
