"""The table folded from events: for every game, edition and number of players it is what the state has, and for a seat
it holds nothing that the seat must not know."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.games import load_game
from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.games.contract import Chanced, Event, Fold, no_fold
from arena.replay.lines import Result
from arena.replay.read import read_replay_lines
from arena.replay.read import rules_of as rules_in
from tests.thirdgame.pie import PieTable

from . import board_table, card_table
from .cases import CASES, Case, Walk, edition_of, game_of, played, rules_of, seeds
from .test_laws import check_plain
from .try_laws import Laws

law = Laws()
refusing_law = Laws([case for case in CASES if edition_of(case).game != "tests.thirdgame.pie"])
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.jsonl"))


def pie_tables(state: Any, log: Sequence[Event], folded: Mapping[int | None, PieTable]) -> dict[int | None, PieTable]:
    def table(seat: int | None) -> PieTable:
        worths = tuple(worth if seat in (None, each) else None for each, worth in enumerate(state.hands))
        proposed = state.asks[0].topic or () if state.asks else folded[seat].shares
        return PieTable(state.pie, state.round, proposed, worths)

    return {seat: table(seat) for seat in folded}


TABLES: dict[str, Callable[..., Mapping[int | None, msgspec.Struct]]] = {
    "board": board_table.tables_of,
    "cards": card_table.tables_of,
    "tests.thirdgame.pie": pie_tables,
}
"""The table as the state of each game has it: with all hands (None), and as each seat may see it."""


def folds_of(case: Case) -> dict[int | None, Fold]:
    """One for all hands, and one for each of :func:`some_seats`."""
    return {seat: fold_of(case, seat) for seat in (None, *some_seats(case))}


def some_seats(case: Case) -> tuple[int, ...]:
    """One seat or two: of one case among the first, of the next among the others."""
    first = CASES.index(case) % case.players
    return (first,) if case.variants or case.settings else tuple({first, (first + 2) % case.players})


def fold_of(case: Case, seat: int | None) -> Fold:
    return game_of(case).fold(rules_of(case), case.players, seat)


@law
def law_the_fold_of_the_log_is_the_table_of_the_state(case: Case) -> None:
    for seed in seeds(case)[: 2 if case.players < 4 else 1]:
        check_walk(case, seed)


def check_walk(case: Case, seed: int) -> None:
    log: list[Event] = []
    walk, folds, read = Walk(case, seed, log), folds_of(case), 0
    tables_of = TABLES[edition_of(case).game]

    def check() -> None:
        nonlocal read
        for fold in folds.values():
            for event in log[read:]:
                fold.follow(event)
        tables = {seat: fold.table for seat, fold in folds.items()}
        for seat, expected in tables_of(walk.state, log, tables).items():
            assert tables[seat] == expected, (seat, log[-5:])
        read = len(log)

    for number, _ in enumerate(index for _, index in walk if not index):
        if number % 9 == 0:
            check()
    check()
    assert tuple(log) == played(case)[seeds(case).index(seed)].log


@law
def law_the_fold_for_a_seat_stays_the_same_when_what_is_hidden_from_it_changes(case: Case) -> None:
    log, changed = played(case)[-1].log, 0
    for seat in some_seats(case):
        whole, hidden, own = (fold_of(case, seat) for _ in range(3))
        for number, (event, other) in enumerate(zip(log, with_other_secrets(log, seat), strict=True)):
            seen = event.seen_by(seat)
            changed += event != other
            whole.follow(event)
            hidden.follow(other)
            if seen is not None:
                own.follow(seen)
            if number % 17 == 0:
                assert whole.table == hidden.table == own.table
        assert whole.table == hidden.table == own.table
    assert changed


def with_other_secrets(log: Sequence[Event], seat: int) -> list[Event]:
    """The log with events exchanged that look the same to ``seat``, and other values of chance."""
    rng, alike = random.Random(9), dict[Event | None, list[Event]]()
    for event in log:
        alike.setdefault(event.seen_by(seat), []).append(event)
    for events in alike.values():
        rng.shuffle(events)
    return [alike[event.seen_by(seat)].pop() for event in log]


@law
def law_a_table_is_plain_data_that_no_later_event_changes(case: Case) -> None:
    fold, kept = fold_of(case, None), []
    log = played(case)[0].log
    for number, event in enumerate(log):
        before = fold.table if isinstance(event, Chanced) else None
        fold.follow(event)
        assert before is None or fold.table is before
        if number % max(1, len(log) // 25) == 0:
            kept.append((fold.table, msgspec.json.encode(fold.table)))
    for table, written in kept:
        check_plain(table)
        assert msgspec.json.encode(table) == written
        assert msgspec.json.decode(written, type=type(table)) == table


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_replay_folds_to_the_money_of_its_result(path: Path) -> None:
    header, lines = read_replay_lines(path.read_bytes())
    result = lines[-1]
    assert isinstance(result, Result)
    for seat in (None, *range(len(header.seats))):
        fold = load_game(header.game).fold(rules_in(header), len(header.seats), seat)
        for line in lines:
            fold.follow(line)
        table: Any = fold.table
        assert table.money == tuple(each.money for each in result.seats)
        assert table.over


@refusing_law
def law_a_log_that_cannot_be_is_refused(case: Case) -> None:
    with pytest.raises(ValueError, match="no seat"):
        fold_of(case, case.players)
    with pytest.raises(ValueError, match="players, not 9"):
        game_of(case).fold(rules_of(case), 9, None)
    drawn: Any = next(event for event in played(case)[0].log if getattr(event, "cards", ()))
    with pytest.raises(ValueError, match="a log as another seat sees it"):
        fold_of(case, None).follow(drawn.seen_by(drawn.seat - 1))
    spending = board.Laid | board.Played | board.Discarded | cards.Led | cards.Played
    spent = next(event for event in played(case)[0].log if isinstance(event, spending))
    with pytest.raises(ValueError, match="taken away where"):
        fold_of(case, None).follow(spent)


def test_a_game_without_a_fold_says_so() -> None:
    with pytest.raises(UserError, match="does not define how to follow its table"):
        no_fold(None, 2, None)
