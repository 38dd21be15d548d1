"""A pilot: a few blocks of a tournament, or the finished part of a run, from which the necessary length is
estimated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from arena.errors import ArenaError, UserError, nearest_hint
from arena.executors.executor import Executor
from arena.match.work import this_host
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.runs.play_run import start_run
from arena.runs.run_options import RunListener, RunOptions
from arena.storage.layout import MATCHES_FILE, TIMINGS_FILE
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.recorded_schedule import roster_of_facts
from arena.storage.run_folder import FolderStore
from arena.storage.store import MemoryStore
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.measures.measures import MEASURES, Measure
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.balance import Balance, cycle_of, is_even
from arena.tournament.schedule.schedule import ALL_EDITIONS, Schedule


class Pilot(msgspec.Struct, frozen=True, kw_only=True):
    """The played part of a tournament. ``schedule`` has all blocks of the pilot; each call of ``records`` gives the
    finished matches. ``seconds`` is the mean duration of a match by the label of its edition, on the machine ``host``
    ("": several); ``bytes`` is the size of a match on disk; ``names`` are the entrants. The number of blocks of a
    longer run must be a multiple of ``cycle``. ``measures`` are those of the standings; ``kept`` says whether the
    matches are in a run that can be extended."""

    schedule: Schedule
    records: Callable[[], Iterable[MatchRecord]]
    seconds: dict[str, float]
    bytes: float
    names: tuple[str, ...]
    cycle: int
    measures: tuple[Measure, ...] = MEASURES
    host: str = ""
    kept: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The editions' labels, in order."""
        return tuple(edition.label for edition in self.schedule.editions)

    def labelled_editions(self, label: str | None) -> tuple[str, ...]:
        """The editions whose matches the standings with this label cover: one, or all. Raises UserError with the
        nearest label."""
        if label is None or label == ALL_EDITIONS:
            return self.labels
        if label not in self.labels:
            known = (*self.labels, ALL_EDITIONS)
            raise UserError(
                f"--edition: no edition {label!r}{nearest_hint(label, known)}; there are {', '.join(known)}"
            )
        return (label,)

    def whole_blocks(self, labels: Sequence[str]) -> frozenset[int]:
        """The blocks in which every match of these editions is finished. Raises UserError if there are too few."""
        played = Counter((record.edition, record.block) for record in self.records())
        whole = []
        for block in sorted({block for _, block in played}):
            sizes = ((label, self.schedule.block_size(self.labels.index(label), block)) for label in labels)
            if all(played[label, block] == size for label, size in sizes):
                whole.append(block)
        if len(whole) < LEAST_CLUSTERS:
            other = "; choose one with --edition" if len(self.labels) > 1 and len(labels) > 1 else ""
            of = labels[0] if len(labels) == 1 else "all editions together"
            raise UserError(
                f"expected {LEAST_CLUSTERS} complete blocks of {of} or more to estimate how blocks differ, "
                f"got {len(whole)}{other}"
            )
        return frozenset(whole)

    def sizes(self, blocks: int) -> list[int]:
        """The number of matches of each edition in this number of blocks. Raises UserError if it is more than can be
        played."""
        schedule = self.schedule
        longer = Schedule(schedule.entrants, schedule.editions, blocks, schedule.orders, schedule.format)
        return [longer.edition_size(edition) for edition in range(len(longer.editions))]


def plan_pilot(
    config: Path, settings: Sequence[str], blocks: int, trust: bool = False, seed: str | None = None
) -> tuple[Plan, int]:
    """The plan of a pilot of a tournament with ``blocks`` blocks, and the cycle of the tournament itself. Raises
    UserError for a format whose runs cannot be extended."""
    wanted = make_plan(config, settings, seed, trust)
    cycle = _block_cycle(wanted.schedule, wanted.tournament.balance)
    overrides = [*settings, f"blocks={blocks}", f"balance={Balance.ENTRANTS}"]
    return make_plan(config, overrides, seed or wanted.seed, trust), cycle


def play_pilot(plan: Plan, cycle: int, executor: Executor, listener: RunListener) -> tuple[Pilot, int]:
    """Play a pilot without storing it; returns it, and the exit code: 0, or another if somebody stopped it. Raises
    ArenaError if a match could not be played."""
    store = MemoryStore()
    outcome = start_run(plan, store, executor, RunOptions(measured=False), listener)
    if outcome.unplayed:
        first = outcome.unplayed[0]
        raise ArenaError(f"the pilot is incomplete: {first.id} could not be played: {first.reason}")
    return _pilot_of(plan, store, cycle), outcome.exit_code


def _pilot_of(plan: Plan, store: MemoryStore, cycle: int) -> Pilot:
    seconds = _label_means((record.edition, store.timed[record.id].seconds) for record in store.records())
    lines = sum(len(msgspec.json.encode(each)) + 1 for each in (*store.records(), *store.timings()))
    packed = sum(map(len, store.frames.values()))
    return Pilot(
        schedule=plan.schedule,
        records=store.records,
        seconds=seconds,
        bytes=(lines + packed) / max(1, len(store.kept)),
        names=plan.names,
        cycle=cycle,
        measures=plan.measures,
        host=this_host(),
    )


def open_pilot(folder: Path) -> Pilot:
    """The finished part of the run in ``folder`` as a pilot; needs no bots. Raises UserError if there is no run, for a
    share of a run, and for a format whose runs cannot be extended."""
    store = FolderStore(folder)
    facts = store.facts()
    if facts.played_share is not None:
        raise UserError(f"{folder} is share {facts.share} of a run; merge all shares first: arena merge")
    schedule = roster_of_facts(facts, facts.settings, str(folder / "manifest.json")).schedule
    labels = {record.id: record.edition for record in store.records()}
    timings = [each for each in store.timings() if each.id in labels and each.seconds > 0]
    hosts = {each.host for each in timings}
    return Pilot(
        schedule=schedule,
        records=store.records,
        seconds=_label_means((labels[each.id], each.seconds) for each in timings),
        bytes=sum(_file_sizes(folder)) / max(1, len(labels)),
        names=tuple(facts.entrants),
        cycle=_block_cycle(schedule, _run_balance(facts)),
        measures=facts.measures,
        host=hosts.pop() if len(hosts) == 1 else "",
        kept=True,
    )


def _run_balance(facts: Facts) -> Balance:
    return Balance(facts.settings.get("balance", Balance.PAIRS))


def _block_cycle(schedule: Schedule, balance: Balance) -> int:
    """The cycle: the number of blocks in a longer run must be a multiple of it. Raises UserError if the run cannot be
    extended."""
    if schedule.looks_back or any(schedule.format.blocks(each.seats) is not None for each in schedule.editions):
        raise UserError(
            "expected a round robin or a gauntlet, whose blocks are all alike; this format fixes the length of the "
            "tournament, or its tables follow from results"
        )
    return cycle_of(schedule) if balance is Balance.PAIRS and is_even(schedule) else 1


def _label_means(numbers: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean of the numbers with each label."""
    found: dict[str, tuple[float, int]] = {}
    for label, number in numbers:
        total, count = found.get(label, (0.0, 0))
        found[label] = total + number, count + 1
    return {label: total / count for label, (total, count) in found.items()}


def _file_sizes(folder: Path) -> Iterator[int]:
    """The sizes of the files of a run that grow with its matches."""
    for path in (folder / MATCHES_FILE, folder / TIMINGS_FILE, *(folder / "replays").rglob("*")):
        if path.is_file():
            yield path.stat().st_size
