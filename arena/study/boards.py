"""Does the order of the bots depend on the board, or on a variant? Each edition is compared with the first one, on the
same seeds of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from arena.study.finding import (
    MeansByKey,
    StudyAnswer,
    StudyColumn,
    StudyLine,
    StudyMatch,
    StudyTable,
    chance_words,
    interval_holds,
)
from arena.tournament.measures.measures import MeasureUnit, shared_wins

EDITION_COLUMNS = (StudyColumn("wins", MeasureUnit.SHARE), StudyColumn("more wins", MeasureUnit.SHARE, 0.0))


def compare_boards(matches: Iterable[StudyMatch]) -> StudyAnswer:
    """A line for each edition and bot, in the order of their wins there."""
    wins = MeansByKey[tuple[str, str]]()
    played = 0
    for played, (record, _) in enumerate(matches, 1):  # noqa: B007 - the last number is wanted
        for seat, won in zip(record.seats, shared_wins(tuple([seat.rank for seat in record.seats])), strict=True):
            wins.add((record.edition, seat.entrant), record.block, float(won))
    editions = list(dict.fromkeys(edition for edition, _ in wins))
    lines, words = [], []
    for edition in editions:
        order = _order_bots(wins, edition)
        for name in order:
            more = None if edition == editions[0] else wins.difference_from((edition, name), (editions[0], name))
            lines.append(StudyLine((edition, name), (wins.mean((edition, name), True), more)))
        words.append(f"{edition}: {', '.join(order)}{_reversals_text(wins, editions[0], edition, order)}.")
    table = StudyTable(
        f"Bots, compared with {editions[0] if editions else 'nothing'}",
        ("edition", "bot"),
        EDITION_COLUMNS,
        tuple(lines),
    )
    return StudyAnswer(played, (table,), (*words, chance_words([table])))


def _order_bots(wins: MeansByKey[tuple[str, str]], edition: str) -> list[str]:
    """The bots by their wins in an edition, the best first."""
    names = sorted(name for there, name in wins if there == edition)
    return sorted(names, key=lambda name: -(wins.mean((edition, name)).mean or 0.0))


def _reversals_text(wins: MeansByKey[tuple[str, str]], base: str, edition: str, order: Sequence[str]) -> str:
    """The pairs of bots whose order is reversed, where the intervals of both differences exclude 0."""
    if edition == base:
        return ""
    found = []
    for ahead, behind in combinations(order, 2):
        here, there = (
            wins.difference_from((edition, ahead), (edition, behind)),
            wins.difference_from((base, ahead), (base, behind)),
        )
        if (there.mean or 0.0) < 0 and not interval_holds(there, 0) and not interval_holds(here, 0):
            found.append(f"{ahead} before {behind}")
    return f"; significantly reversed: {', '.join(found)}" if found else "; no pair is significantly reversed"
