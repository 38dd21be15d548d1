"""Plays a factorial study: for every setting of rules, seats and opponents an ordinary run of a gauntlet, in which the
bot sits once with each combination of its options. All runs have one seed, so that all cells play the same deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.config.botspec import Scalar
from arena.config.study_yaml import ON, FactorStudy
from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.runs.gauntlet_setup import GauntletOptions, option_text, set_up_gauntlet
from arena.runs.planning.guessable_seed import draw_seed
from arena.runs.planning.open_folder import open_run
from arena.runs.planning.plan import Plan
from arena.storage.files.atomic_files import write_whole
from arena.storage.layout import MANIFEST_FILE, read_records
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.study.factor_design import FactorDesign
from arena.study.factor_effects import CellMeans
from arena.tournament.measures.measures import Number

STUDY_FILE = "study.json"
"""The file in a study's folder that has the study and its seed."""


class StudyRun(NamedTuple):
    """One run of a study: the name of its ``folder``, what it plays, and the ``cells`` of its challengers, in their
    order."""

    folder: str
    options: GauntletOptions
    cells: tuple[int, ...]


class StoredStudy(msgspec.Struct, frozen=True):
    """What the folder of a study has of it: the ``study`` without its length, and the ``seed`` of all runs."""

    study: FactorStudy
    seed: str


def study_runs(study: FactorStudy, design: FactorDesign, trust: bool) -> list[StudyRun]:
    """The runs of a study, in the order of the cells."""
    groups: dict[tuple[int, ...], list[int]] = {}
    of_bot = [factor.option is not None for factor in study.factors.values()]
    for place, cell in enumerate(design.cells):
        around = tuple(0 if own else level for own, level in zip(of_bot, cell, strict=True))
        groups.setdefault(around, []).append(place)
    return [
        StudyRun(f"run-{number}", _gauntlet(study, [design.cells[place] for place in cells], trust), tuple(cells))
        for number, cells in enumerate(groups.values(), 1)
    ]


def _gauntlet(study: FactorStudy, cells: Sequence[Sequence[int]], trust: bool) -> GauntletOptions:
    """The gauntlet of cells that differ in nothing but the bot's options."""
    variants, changes = list(study.variants), dict(study.changes)
    opponents, seats = study.opponents, study.seats
    for factor, level in zip(study.factors.values(), cells[0], strict=True):
        if factor.variant is not None and factor.names[level] == ON:
            variants.append(factor.variant)
        elif factor.rule is not None and factor.levels is not None:
            changes[factor.rule] = factor.levels[level]
        elif factor.fields is not None:
            opponents = factor.fields[level]
        elif factor.seats is not None:
            seats = factor.seats[level]
    values = [_bot_options(study, cell) for cell in cells]
    return GauntletOptions(
        bot=study.bot,
        opponents=opponents,
        values=values if values[0] else (),
        rules=study.rules,
        variants=tuple(variants),
        settings=tuple(f"{key}={option_text(value)}" for key, value in changes.items()),
        deals=study.deals,
        seats=seats,
        orders=study.seat_orders,
        trust=trust,
        replays="none",
    )


def _bot_options(study: FactorStudy, cell: Sequence[int]) -> Mapping[str, Scalar]:
    factors = zip(study.factors.values(), cell, strict=True)
    return {each.option: each.levels[level] for each, level in factors if each.option and each.levels}


def open_study(study: FactorStudy, out: Path) -> StoredStudy:
    """What is stored in the study's folder; a new one gets a seed. Raises UserError where the folder belongs to another
    study."""
    path = out / STUDY_FILE
    lasting = msgspec.structs.replace(study, deals=1, find=None, power=0.9, seed=None)
    if not path.exists():
        if out.exists() and any(out.iterdir()):
            raise UserError(f"{out} is not empty, and holds no study; choose another --out")
        stored = StoredStudy(lasting, str(study.seed) if study.seed is not None else draw_seed())
        write_whole(path, msgspec.json.format(msgspec.json.encode(stored)) + b"\n")
        return stored
    try:
        stored = msgspec.json.decode(read_foreign_file(path), type=StoredStudy)
    except (OSError, *DECODE_ERRORS) as problem:
        raise UserError(f"{path} cannot be read: {problem}") from None
    if stored.study != lasting or (study.seed is not None and str(study.seed) != stored.seed):
        raise UserError(f"{out} holds another study, or another version of it; choose another --out")
    return stored


class RunToPlay(NamedTuple):
    """A run that is still to be played, or to be played on."""

    plan: Plan
    store: FolderStore
    resumed: bool


def runs_to_play(runs: Sequence[StudyRun], out: Path, seed: str, deals: int, trust: bool) -> list[RunToPlay]:
    """The runs that do not have all their matches. All are planned before the first one is played, so that a mistake
    costs nothing. Raises UserError as :func:`arena.runs.planning.open_folder.open_run`."""
    found = []
    for each in runs:
        folder = out / each.folder
        if not (folder / MANIFEST_FILE).exists():
            found.append(RunToPlay(set_up_gauntlet(each.options, seed), FolderStore(folder), False))
            continue
        store = FolderStore(folder)
        more = deals > store.facts().blocks
        if more or store.state() is not RunState.COMPLETE:
            plan, store = open_run(folder, deals if more else None, trust=trust)
            found.append(RunToPlay(plan, store, True))
    return found


class StudyBlocks(NamedTuple):
    """The ``means`` of all cells in each block that all cells have played, how many ``matches`` count, and how many
    blocks are ``left_out`` because a cell has no match there that counts."""

    means: Sequence[CellMeans]
    matches: int
    left_out: int


def read_study(study: FactorStudy, design: FactorDesign, runs: Sequence[StudyRun], out: Path) -> StudyBlocks:
    """The results of the study's runs, finished or not."""
    sums: dict[int, dict[int, tuple[Number, int]]] = {}
    matches = 0
    for each in runs:
        folder = out / each.folder
        if not (folder / MANIFEST_FILE).exists():
            continue
        cells = dict(zip(_challengers(folder), each.cells, strict=True))
        for record in read_records(folder):
            block = sums.setdefault(record.block, {})
            if record.void:
                continue
            matches += 1
            for seat, sat in enumerate(record.seats):
                if sat.entrant in cells:
                    total, count = block.get(cells[sat.entrant], (0, 0))
                    block[cells[sat.entrant]] = total + study.measure.seat_value(record, seat), count + 1
    whole = [block for _, block in sorted(sums.items()) if len(block) == len(design.cells)]
    means = [[float(block[cell][0]) / block[cell][1] for cell in range(len(design.cells))] for block in whole]
    return StudyBlocks(means, matches, len(sums) - len(whole))


def _challengers(folder: Path) -> Sequence[str]:
    settings: Mapping[str, Any] = FolderStore(folder).facts().settings
    return list(settings["challengers"])
