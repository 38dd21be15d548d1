"""Removes luck from a run's money, and fits value functions to runs; reads their replays in several processes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.analysis.process_map import SERIAL_MATCHES, in_parts
from arena.errors import ReplayError, UserError, cut_text
from arena.foreign_files import read_argument
from arena.games import load_game
from arena.luck.corrected import Corrected, Totals
from arena.luck.excess import Excess, excess_of
from arena.luck.ridge_fit import ValueFit
from arena.luck.value import ValueFunction, ValueSource, luck_corrections, read_value, write_value
from arena.recorded.replay_names import kept_replay
from arena.replay.lines import Header
from arena.replay.read import read_replay_lines, rules_of
from arena.resources import luck_values
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.packs.replay_packs import replays_of
from arena.storage.record_check import check_result
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import replays_by_game
from arena.tournament.records.match_record import MatchRecord

Tell = Callable[[int], object]
MOST_RULES = 32
"""The rules of at most this number of editions are kept in memory."""


class LuckResult(NamedTuple):
    """A run's money without luck: the ``value`` function with its name and digest, the corrected money by edition
    (``found``), the number of ``matches`` that count, and of matches left out: without a replay, and without weights
    for their game and number of players."""

    value: ValueFunction
    found: tuple[Corrected, ...]
    matches: int
    without_replay: int
    without_weights: int


class ExcessPart(NamedTuple):
    """Some matches that count, each with its excess (None: no replay, or a game that does not define its chances)."""

    records: Sequence[MatchRecord]
    excess: Sequence[Excess | None]


class ExcessOrder(NamedTuple):
    """The argument of each task: plain data, which can be sent to a process."""

    folder: Path


def take_out(folder: Path, values: Path | None = None, jobs: int = 1, tell: Tell = lambda matches: None) -> LuckResult:
    """Remove luck from the money of the run in ``folder`` by the value function in the file ``values`` (None: the one
    that ships with arena). ``tell`` is called with the number of matches whenever some are done.

    Raises UserError for a folder without a run, for an invalid value function or one fitted on this very tournament,
    and if no match can be corrected; ReplayError for a damaged replay.
    """
    store, value = FolderStore(folder), load_value(values)
    facts = store.facts()
    if any(source.seed == facts.seed for source in value.sources):
        raise UserError(
            f"{folder} was played from the seed {cut_text(facts.seed)!r}, and this value function was fitted on its "
            f"matches: it would remove more than luck; fit another with: arena luck OTHER-RUN --fit FILE"
        )
    totals, counts = Totals(), [0, 0, 0]
    for part in excess_parts(folder, jobs):
        for record, excess in zip(part.records, part.excess, strict=True):
            found = _match_corrections(value, record, excess)
            if found is not None:
                totals.add(record, found)
            counts[0 if found is not None else 1 if not record.replay else 2] += 1
        tell(len(part.records))
    matches, without_replay, without_weights = counts
    if not matches:
        raise UserError(_nothing_sentence(folder, without_replay, without_weights))
    return LuckResult(value, totals.corrected_editions(tuple(facts.editions)), matches, without_replay, without_weights)


def load_value(file: Path | None) -> ValueFunction:
    """The value function in a file (None: the one that ships with arena). Raises UserError where there is none."""
    path = luck_values() if file is None else file
    try:
        content = read_argument(path)
    except OSError as problem:
        raise UserError(f"{path}: {problem.strerror or problem}") from None
    return read_value(content, str(path))


def match_luck(value: ValueFunction, record: MatchRecord, replay: bytes | None) -> tuple[int, ...] | None:
    """The money that luck brought each seat of a match, in millionths of the unit of money. None if it cannot be
    computed: the match is void, has no replay, or there are no weights for its game. Raises ReplayError for a damaged
    replay."""
    return None if record.void else _match_corrections(value, record, _excess(record, replay))


def _match_corrections(value: ValueFunction, record: MatchRecord, excess: Excess | None) -> tuple[int, ...] | None:
    weights = value.weights_for(record.game, len(record.seats))
    if excess is None or weights is None:
        return None
    try:
        return luck_corrections(excess, weights)
    except ValueError as problem:
        raise UserError(f"the value function {value.name!r} does not fit the game {record.game!r}: {problem}") from None


def _nothing_sentence(folder: Path, without_replay: int, without_weights: int) -> str:
    if without_replay:
        kept = f"none of its {without_replay} matches has a replay, and luck is computed from replays"
        return f"{folder}: {kept}; play with `replays: all`"
    if without_weights:
        return f"{folder}: there are no weights for the games and numbers of players of its {without_weights} matches"
    return f"{folder}: no match has been finished that counts"


def fit_value_function(
    folders: Sequence[Path], out: Path, jobs: int = 1, tell: Tell = lambda matches: None
) -> ValueFunction:
    """Fit a value function to the matches of these runs, and write it to the file ``out``, after which it is named.

    Raises UserError for a folder without a run, or with too few matches; ReplayError for a damaged replay.
    """
    check_place(out, "--fit")
    fitted, sources = ValueFit(), []
    for folder in folders:
        facts, counted = FolderStore(folder).facts(), 0
        for part in excess_parts(folder, jobs):
            counted += sum([add_to(fitted, record, excess) for record, excess in zip(*part, strict=True)])
            tell(len(part.records))
        sources.append(ValueSource(facts.tournament, facts.seed, counted))
    value = fitted.value(out.stem, sources)
    write_whole(out, write_value(value))
    return value


def add_to(fitted: ValueFit, record: MatchRecord, excess: Excess | None) -> bool:
    """Add a match to the fit if it counts and its ``excess`` is known; returns whether it was added."""
    chances = load_game(record.game).chances
    if excess is None or chances is None or record.void:
        return False
    money = [seat.money for seat in record.seats]
    entrants = [seat.entrant for seat in record.seats]
    fitted.add(record.game, chances.features, record.edition, entrants, money, excess)
    return True


def excess_parts(folder: Path, jobs: int = 1) -> Iterator[ExcessPart]:
    """The matches of the run in ``folder`` that are not void, with their excess, in chunks. Raises the same errors as
    :func:`fit_value_function`."""
    FolderStore(folder).facts()
    matches, kept = replays_by_game(folder)
    counting = (record for record in records_in_order(folder) if not record.void)
    return in_parts(
        _excess_part, ExcessOrder(folder.absolute()), counting, jobs if matches > SERIAL_MATCHES else 1, tuple(kept)
    )


def _excess_part(order: ExcessOrder, records: Sequence[MatchRecord]) -> ExcessPart:
    """The excess of some matches."""
    kept = replays_of(order.folder)
    replays = (kept_replay(kept.get, order.folder, record) if record.replay else None for record in records)
    return ExcessPart(records, [_excess(record, replay) for record, replay in zip(records, replays, strict=True)])


def _excess(record: MatchRecord, replay: bytes | None) -> Excess | None:
    chances = load_game(record.game).chances
    if replay is None or chances is None:
        return None
    try:
        header, lines = read_replay_lines(replay)
        if (header.game, len(header.seats)) != (record.game, len(record.seats)):
            raise ValueError("line 1: another game or number of seats than matches.jsonl names")
        found = excess_of(chances, _header_rules(header), len(header.seats), lines[1:])
    except (ReplayError, ValueError) as problem:
        raise ReplayError(f"{record.replay}: {problem}") from None
    check_result(record, replay, record.replay)
    return found


_RULES_CACHE: dict[str, Any] = {}
"""The checked rules of replay headers, by their text: matches of one edition share them, and what is computed from
them."""


def _header_rules(header: Header) -> Any:
    key = f"{header.game} {header.rules_sha256} {json.dumps(header.rules, sort_keys=True)}"
    if key not in _RULES_CACHE:
        if len(_RULES_CACHE) >= MOST_RULES:
            _RULES_CACHE.clear()
        _RULES_CACHE[key] = rules_of(header)
    return _RULES_CACHE[key]
