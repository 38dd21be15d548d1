"""A match summed up: in every golden replay it agrees with the tables made of it, which are folded in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import UnsetType

from arena.games import built_in_games, load_game
from arena.games.board.log.ledger_rows import Ending, PlayKind
from arena.games.cards.log.ledger_rows import ActionKind, BargainKind
from arena.games.cards.log.ledger_rows import Answer as CardsAnswer
from arena.games.summary import FigureUnit, SummaryFigure, value_of
from arena.match.match_counts import counts_in
from arena.replay.ledger_events import tables_in
from arena.replay.read import read_replay_lines

Rows = Mapping[str, Sequence[Any]]
HERE = Path(__file__).parents[1] / "golden"
GOLDEN = [*sorted(HERE.glob("*.jsonl")), *sorted(HERE.glob("*.*.*/*.jsonl"))[::8]]


def counts_by_seat(content: bytes) -> tuple[str, list[dict[str, int]]]:
    """The game, and the counts of each seat by name."""
    header, counts = read_replay_lines(content)[0], counts_in(content)
    assert not isinstance(counts, UnsetType)
    by_seat = zip(*counts.values(), strict=True)
    return header.game, [dict(zip(counts, numbers, strict=True)) for numbers in by_seat]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_counts_of_a_replay_are_those_of_its_tables(path: Path) -> None:
    content = path.read_bytes()
    game, found = counts_by_seat(content)
    expected = {"board": board_counts, "cards": cards_counts}[game]
    assert found == [expected(tables_in(content), seat) for seat in range(len(found))]


def board_counts(rows: Rows, seat: int) -> dict[str, int]:
    closed = [deal for deal in rows["deals"] if deal.outcome is Ending.CLOSED]
    led = [deal for deal in closed if deal.boss == seat]
    joined = [deal for deal in closed if deal.paid[seat]]
    taken = [deal for deal in led if deal.new_bosses]
    plays = [play for play in rows["plays"] if play.seat == seat]

    def of(kind: PlayKind) -> tuple[int, int]:
        those = [play for play in plays if play.kind is kind]
        return len(those), sum(play.stopped_by is not None for play in those)

    boss_cards, travels, recruitments = of(PlayKind.BOSS), of(PlayKind.TRAVEL), of(PlayKind.RECRUIT)
    return {
        "opened": sum(deal.opened_by == seat for deal in rows["deals"]),
        "closed": len(led),
        "kept": sum(deal.kept for deal in led),
        "paid": sum(sum(deal.paid) for deal in led),
        "failed": sum(deal.boss == seat and deal.outcome is not Ending.CLOSED for deal in rows["deals"]),
        "partnered": len(joined),
        "received": sum(deal.paid[seat] for deal in joined),
        "boss_cards": boss_cards[0],
        "boss_cards_stopped": boss_cards[1],
        "takeovers": len(taken),
        "kept_by_takeover": sum(deal.kept for deal in taken),
        "travels": travels[0],
        "travels_stopped": travels[1],
        "recruitments": recruitments[0],
        "recruitments_stopped": recruitments[1],
        "stops": sum(play.stopped_by == seat for play in rows["plays"]),
    }


def cards_counts(rows: Rows, seat: int) -> dict[str, int]:
    shares = [share for share in rows["shares"] if share.seat == seat]
    bosses = {each.round: each.boss for each in rows["rounds"]}
    made = [each for each in rows["bargains"] if each.answer is CardsAnswer.YES]

    def received(boss: bool, cousin: bool) -> list[int]:
        return [share.amount for share in shares if (share.boss, share.cousin) == (boss, cousin)]

    def offered(kind: BargainKind, those: Sequence[Any]) -> int:
        return sum(each.kind is kind and each.by == seat for each in those)

    plays = [action for action in rows["actions"] if action.seat == seat and action.kind is ActionKind.PLAY]
    as_boss, as_cousin, otherwise = received(True, False), received(False, True), received(False, False)
    return {
        "led": len(as_boss),
        "received_as_boss": sum(as_boss),
        "cousined": len(as_cousin),
        "received_as_cousin": sum(as_cousin),
        "others": len(otherwise),
        "received_otherwise": sum(otherwise),
        "proposals": offered(BargainKind.PROPOSAL, rows["bargains"]),
        "granted": offered(BargainKind.PROPOSAL, made),
        "requests": offered(BargainKind.REQUEST, rows["bargains"]),
        "taken": offered(BargainKind.REQUEST, made),
        "tokens": sum(bosses.get(each.round) == seat for each in made),
        "potas": sum(play.card.is_pota and play.front == seat for play in plays),
        "reverses": sum(play.card.is_reverse and play.front not in (None, seat) for play in plays),
    }


@pytest.mark.parametrize("game", built_in_games())
def test_every_figure_is_made_of_counts_that_there_are(game: str) -> None:
    summary = load_game(game).summary
    assert summary is not None
    assert len(set(summary.counts)) == len(summary.counts)
    for figure in summary.figures:
        assert figure.of in summary.counts
        assert figure.per in ("", *summary.counts)
        assert not summary.figures[0].below
    told = [figure.told for figure in summary.figures if not figure.below]
    assert len(set(told)) == len(told)


def test_a_figure_is_a_mean_over_matches_or_over_another_count() -> None:
    sums = {"closed": 4, "kept": 30, "opened": 0}
    assert value_of(SummaryFigure("closed", "closed"), sums, 8) == 0.5
    assert value_of(SummaryFigure("kept of each", "kept", "closed", FigureUnit.MONEY), sums, 8) == 7.5
    assert value_of(SummaryFigure("kept of each", "kept", "opened", FigureUnit.MONEY), sums, 8) is None
