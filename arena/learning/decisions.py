"""The decisions of one entrant as arrays, read from the replays of a run: what it saw, what it could do, what it did.

Every match is played again by the rules, and each of the entrant's asks encoded as the environments encode it. An ask
with a single legal action is no decision, as an agent is not asked there either.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from arena.analysis.process_map import SERIAL_MATCHES, in_parts
from arena.coding.coding import Coding, Mask, Observation, coding_of
from arena.errors import Mismatch, ReplayError, UserError, nearest_hint
from arena.match.walk.record_walk import RecordedPhase, RecordWalk
from arena.match.walk.verifier import Verifier
from arena.recorded.replay_names import kept_replay, name_file_in
from arena.storage.packs.replay_packs import replays_of
from arena.storage.record_check import check_result
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import replays_by_game, run_tables
from arena.tournament.records.match_record import MatchRecord

PART_OF_DECISIONS = 8
"""Matches in one task of a process: an array of their decisions is a few megabytes."""


class Decisions(NamedTuple):
    """Decisions in the order of the schedule and of the asks; row N of each array belongs to decision N.

    ``observations`` are float32 of the shape (decisions, :attr:`Coding.size`), ``masks`` int8 of (decisions, actions),
    ``actions`` the numbers of the actions taken. ``exact`` is 1 where the action plays exactly the recorded move, and 0
    where that move has no number and ``actions`` has the nearest. ``blocks``, ``asks`` and ``seats`` say where it was:
    the block of the match, the number of the ask in it, and the seat; ``matches`` is the place of the match in ``ids``.
    ``game`` and ``coding`` say what the numbers mean. ``unlike`` counts decisions for which there is no near action:
    they are left out.
    """

    observations: NDArray[numpy.float32]
    masks: NDArray[numpy.int8]
    actions: NDArray[numpy.int64]
    exact: NDArray[numpy.int8]
    blocks: NDArray[numpy.int64]
    asks: NDArray[numpy.int64]
    seats: NDArray[numpy.int64]
    matches: NDArray[numpy.int64]
    ids: tuple[str, ...]
    game: str
    coding: str
    unlike: int

    def where(self, rows: NDArray[numpy.bool_]) -> Decisions:
        """Those decisions for which ``rows`` is true."""
        chosen = {name: getattr(self, name)[rows] for name in DECISION_ARRAYS}
        return self._replace(**chosen)

    @property
    def exact_share(self) -> float:
        """The share of the decisions whose action plays exactly the recorded move."""
        return float(self.exact.mean())


DECISION_ARRAYS = ("observations", "masks", "actions", "exact", "blocks", "asks", "seats", "matches")
"""The arrays with a row for each decision."""


class DecisionRow(NamedTuple):
    """One decision: what was seen, what was legal, and the action, whether it is exact, the ask, and the seat."""

    observation: Observation
    mask: Mask
    numbers: tuple[int, int, int, int]


class _DecisionOrder(NamedTuple):
    folder: Path
    entrant: str


class _DecisionPart(NamedTuple):
    """The decisions of some matches: ``rows`` by match, the matches' ids and blocks, and the digests of codings."""

    observations: NDArray[numpy.float32]
    masks: NDArray[numpy.int8]
    numbers: NDArray[numpy.int64]
    matches: list[tuple[str, int, int]]  # id, block, number of decisions
    games: set[tuple[str, str]]
    unlike: int


def read_decisions(
    folder: Path,
    entrant: str,
    most_matches: int | None = None,
    jobs: int = 1,
    tell: Callable[[int], object] = lambda matches: None,
) -> Decisions:
    """The decisions of ``entrant`` in the matches of the run in ``folder`` that count and have a replay, or in the
    first ``most_matches`` of them, read by ``jobs`` processes. ``tell`` is called with the number of matches whenever
    some are done.

    Raises UserError for a folder without a run, an entrant that is not in it or has no decisions, a game without a
    coding, and a run of several games or editions whose numbers mean different things; ReplayError or Mismatch, naming
    the replay, for a damaged one.
    """
    FolderStore(folder).facts()
    count, kept = replays_by_game(folder)
    run_tables(kept)  # refuses games that must not be imported
    wanted = islice(_matches_of(folder, entrant), most_matches)
    parts = in_parts(
        _read_part,
        _DecisionOrder(folder.absolute(), entrant),
        wanted,
        jobs if count > SERIAL_MATCHES else 1,
        tuple(kept),
        PART_OF_DECISIONS,
    )
    found = list[_DecisionPart]()
    for part in parts:
        found.append(part)
        tell(len(part.matches))
    return _join_parts(found, entrant)


def decisions_of_match(
    content: bytes, entrant: str, coding: Coding | None = None
) -> tuple[list[DecisionRow], Coding, int]:
    """The decisions of all seats of ``entrant`` in a replay, in the order of the asks, the coding, and the number of
    decisions that no action is near to. Raises ReplayError, Mismatch, and UserError as :func:`coding_of`."""
    walk = RecordWalk(Verifier(content), copies=False)
    seats = [seat for seat, each in enumerate(walk.header.seats) if each.entrant == entrant]
    coding = coding_of(walk.header.game, walk.rules) if coding is None else coding
    rows, unlike = list[DecisionRow](), 0
    for phase in walk.phases():
        asked = [
            (index, coding.observe(phase.state.view(index)), coding.choices(phase.state, index))
            for index, ask in enumerate(phase.asks)
            if ask.seat in seats
        ]
        if not any(len(choices) > 1 for _, _, choices in asked):
            continue
        state = phase.state.copy()
        for index, observation, choices in asked:
            move = _answered_move(walk, phase, state, index)
            if move is None or len(choices) < 2:
                continue
            action = coding.action_of(state, index, move, choices)
            if action is None:
                unlike += 1
                continue
            exact = coding.finished(state, index, choices[action]) == move
            numbers = (action, int(exact), phase.first + index, phase.asks[index].seat)
            rows.append(DecisionRow(observation, coding.mask(choices), numbers))
    walk.finish()
    return rows, coding, unlike


def _answered_move(walk: RecordWalk, phase: RecordedPhase, before: Any, index: int) -> Any:
    """The move with which an ask was answered, None where the answer was a fault."""
    answer = phase.answers[index]
    if answer is None or answer.fault is not None:
        return None
    move = answer.move or walk.game.hooks[phase.asks[index].hook].idle
    return move if move is not None and before.refusal(index, move) is None else None


def _matches_of(folder: Path, entrant: str) -> Sequence[MatchRecord]:
    """The matches of an entrant that count and have a replay, in the schedule's order."""
    entrants, found, played = set[str](), list[MatchRecord](), False
    for record in records_in_order(folder):
        names = {seat.entrant for seat in record.seats}
        entrants |= names
        if entrant in names:
            played = True
            if record.replay and not record.void:
                found.append(record)
    if not played:
        near = nearest_hint(entrant, sorted(entrants))
        raise UserError(f"{folder}: no entrant {entrant!r} has played in it{near}")
    if not found:
        raise UserError(f"{folder}: {entrant} has no match with a replay; play with `replays: all`")
    return found


def _read_part(order: _DecisionOrder, records: Sequence[MatchRecord]) -> _DecisionPart:
    observations, masks, numbers = list[Observation](), list[Mask](), list[tuple[int, ...]]()
    matches, games, unlike = list[tuple[str, int, int]](), set[tuple[str, str]](), 0
    for record in records:
        path = order.folder / record.replay
        try:
            content = kept_replay(replays_of(order.folder).get, order.folder, record)
            check_result(record, content, str(path))
            rows, coding, missing = decisions_of_match(content, order.entrant)
        except Mismatch as problem:
            raise Mismatch(f"{path}: {problem}") from None
        except ReplayError as problem:
            raise name_file_in(path, problem) from None
        observations += [row.observation for row in rows]
        masks += [row.mask for row in rows]
        numbers += [row.numbers for row in rows]
        matches.append((record.id, record.block, len(rows)))
        games.add((record.game, coding.digest()))
        unlike += missing
    return _DecisionPart(
        _stacked(observations), _stacked(masks), numpy.array(numbers, numpy.int64), matches, games, unlike
    )


def _stacked(rows: list[Any]) -> NDArray[Any]:
    return numpy.stack(rows) if rows else numpy.zeros((0, 0))


def _join_parts(parts: Sequence[_DecisionPart], entrant: str) -> Decisions:
    games = {game for part in parts for game in part.games}
    if len(games) > 1:
        names = ", ".join(sorted({game for game, _ in games}))
        raise UserError(
            f"the matches of {entrant} are of editions whose actions or observations are not the same ({names}); "
            "play a run of one edition"
        )
    whole = [part for part in parts if len(part.numbers)]
    if not whole:
        raise UserError(f"{entrant} decided nothing in these matches")
    ((game, digest),) = games
    numbers = numpy.concatenate([part.numbers for part in whole])
    matches = [match for part in parts for match in part.matches]
    counts = numpy.array([count for *_, count in matches])
    return Decisions(
        numpy.concatenate([part.observations for part in whole]),
        numpy.concatenate([part.masks for part in whole]),
        numbers[:, 0].copy(),
        numbers[:, 1].astype(numpy.int8),
        numpy.repeat(numpy.array([block for _, block, _ in matches], numpy.int64), counts),
        numbers[:, 2].copy(),
        numbers[:, 3].copy(),
        numpy.repeat(numpy.arange(len(matches), dtype=numpy.int64), counts),
        tuple(id for id, *_ in matches),
        game,
        digest,
        sum(part.unlike for part in parts),
    )


def encode_decisions(decisions: Decisions) -> bytes:
    """The bytes of a compressed ``.npz`` file with the arrays of ``decisions``, ``ids``, ``game``, ``coding`` and
    ``unlike``, each an array of its name."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {name: numpy.asarray(value) for name, value in decisions._asdict().items()}
    numpy.savez_compressed(file, **arrays)
    return file.getvalue()
