"""Matches of a run played again with one thing changed: with seats muted, with another bot, or with nothing changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.executors.executor import Executor, results_of_all
from arena.match.work import Work, WorkResult
from arena.recorded.replay_names import kept_replay
from arena.runs.planning.plan import Plan
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.record_check import check_result
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord


@dataclass(frozen=True)
class MatchVariant:
    """A match played again in one way, called ``name``; ``of`` is its id in the run."""

    of: str
    name: str
    work: Work


def work_again(plan: Plan, record: MatchRecord) -> Work:
    """The work that plays a recorded match of this plan again, and keeps its replay. Raises UserError where it is no
    match of the plan's schedule, or other entrants sat there."""
    fixture = plan.schedule.find(record.id)
    work = None if fixture is None else plan.work(fixture)
    if work is None or [seat.entrant for seat in work.spec.seats] != [seat.entrant for seat in record.seats]:
        raise UserError(f"{record.id} is no match of this run's schedule; see: arena verify")
    return msgspec.structs.replace(work, replays="all")


def make_variant(record: MatchRecord, name: str, work: Work) -> MatchVariant:
    """The variant of a match that ``work`` plays, under an id of its own."""
    spec = msgspec.structs.replace(work.spec, id=f"{record.id}/{name}")
    return MatchVariant(record.id, name, msgspec.structs.replace(work, spec=spec))


def mute_seats(record: MatchRecord, name: str, work: Work, seats: tuple[int, ...]) -> MatchVariant:
    """The variant of a match in which the others do not hear what these seats say."""
    return make_variant(record, name, msgspec.structs.replace(work, muted=seats))


def play_variants(
    executor: Executor, variants: Sequence[MatchVariant], out: Path | None
) -> Iterator[tuple[MatchVariant, WorkResult, bytes]]:
    """Play the variants. Gives each with its result and its replay as it is finished, and writes the replay below the
    folder ``out``, if there is one. Raises ArenaError where a match could not be played."""
    by_id = {each.work.spec.id: each for each in variants}
    for result in results_of_all(executor, (each.work for each in variants)):
        variant, replay = by_id[result.record.id], result.replay
        assert replay is not None
        if out is not None:
            write_whole(_replay_place(out, variant), replay)
        yield variant, result, replay


def _replay_place(out: Path, variant: MatchVariant) -> Path:
    """The path for the variant's replay; its folder is created."""
    folder, id = ("".join(c if c.isalnum() or c in "-_." else "-" for c in text) for text in (variant.name, variant.of))
    path = out / folder / f"{id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def check_empty_folder(out: Path) -> None:
    """Raise UserError where replays cannot be written to the folder ``out``, or it has files already."""
    check_place(out, "--out", folder=True)
    if out.is_dir() and any(out.iterdir()):
        raise UserError(f"{out} is not empty; choose another --out")


def choose_blocks(records: Collection[MatchRecord], number: int) -> list[MatchRecord]:
    """The records of this ``number`` of blocks, chosen by the hash of their numbers."""
    blocks = sorted({each.block for each in records}, key=lambda block: sha256(f"deal {block}".encode()).digest())
    kept = set(blocks[:number])
    return [each for each in records if each.block in kept]


def read_recorded(store: FolderStore, folder: Path, record: MatchRecord) -> bytes:
    """The replay of a match of the run in ``folder``. Raises ReplayError with its name if it is missing, damaged, or
    has another result than the record."""
    replay = kept_replay(store.replay, folder, record)
    check_result(record, replay, str(folder / record.replay))
    return replay
