"""Places worth going to lie where what they tell of happened."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from arena.games.board import events as board
from arena.games.board.log.ledger_rows import Ending
from arena.games.board.presenting.moments import THEFT_KIND
from arena.games.cards import events as cards
from arena.games.contract import Event
from arena.replay.ledger_events import replay_tables
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines
from arena.web.viewer.match_data import MatchData, match_data
from arena.web.viewer.moment import FoundKind, FoundMoment, Jump, JumpPlace
from arena.web.viewer.moments import top_moments
from tests.viewer.replays import GOLDEN, data_of, talkative

AT: dict[Jump, tuple[type[Event], ...]] = {
    Jump.FAULT: (Faulted,),
    Jump.DEAL: (board.Closed, board.Failed, cards.Settled),
    Jump.BOSS: (board.NewBoss, cards.RoundBegan),
    Jump.PAYMENT: (board.Closed, cards.Settled),
    Jump.MOMENT: (board.Offered, board.Played, board.Closed, cards.Proposed, cards.Requested, cards.Settled),
}


def places(data: MatchData, content: bytes) -> list[tuple[JumpPlace, Event]]:
    """The places of a match, with the events at them."""
    lines = read_replay_lines(content)[1]
    return [(place, lines[place.n - 1]) for place in data.places]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_place_lies_at_an_event_of_its_kind_and_no_such_event_is_left_out(path: Path) -> None:
    found, lines = places(data_of(path), path.read_bytes()), read_replay_lines(path.read_bytes())[1]
    for place, line in found:
        assert isinstance(line, AT[place.jump])
    for jump in (Jump.FAULT, Jump.DEAL, Jump.BOSS):
        assert [place.n for place, _ in found if place.jump is jump] == [
            number for number, line in enumerate(lines, 1) if isinstance(line, AT[jump])
        ]
    for jump in (Jump.MOMENT, Jump.PAYMENT):
        of_kind = [place for place, _ in found if place.jump is jump]
        assert sum(not place.extra for place in of_kind) <= 10
        assert all(place.seats for place in of_kind if place.extra)
        assert max(Counter(seat for place in of_kind for seat in place.seats).values(), default=0) <= 10


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_deals_have_the_numbers_of_the_tables_and_so_have_rounds(path: Path) -> None:
    header, lines = read_replay_lines(path.read_bytes())
    tables = replay_tables(header, lines[1:])
    deals = [place for place in data_of(path).places if place.jump is Jump.DEAL]
    if header.game == "board":
        rows: list[Any] = list(tables["deals"])
        assert [place.number for place in deals] == [*range(1, len(rows) + 1)]
        assert [place.failed for place in deals] == [row.outcome is not Ending.CLOSED for row in rows]
        assert [place.seats for place in deals] == [
            [seat for seat, paid in enumerate(row.paid) if paid or seat == row.boss] for row in rows
        ]
    else:
        assert [place.number for place in deals] == [row.round for row in cast(list[Any], tables["rounds"])]


def test_a_seat_has_its_own_ten_among_those_that_concern_it() -> None:
    data = match_data(talkative())
    for place in data.places:
        named = {int(seat) for seat in re.findall(r"\((\d)\)", place.text)}
        if place.jump in (Jump.MOMENT, Jump.PAYMENT):
            assert set(place.seats) <= named
    lines = read_replay_lines(talkative())[1]
    bosses = [place for place in data.places if place.jump is Jump.BOSS]
    assert [place.seats for place in bosses] == [[line.seat] for line in lines if isinstance(line, board.NewBoss)]


def test_a_moment_tells_what_its_event_did() -> None:
    kinds = Counter[str]()
    for path in GOLDEN:
        for place, line in places(data_of(path), path.read_bytes()):
            if place.jump is not Jump.MOMENT:
                continue
            assert place.of is not None
            kinds[place.of] += 1
            seats = [int(seat) for seat in re.findall(r"\((\d)\)", place.text)]
            match line:
                case board.Offered(seat, offers):
                    assert {seat, *(offer.to for offer in offers)} >= set(seats[:2])
                    prices = {f"${offer.price}M" for offer in offers}
                    assert prices & set(re.findall(r"\$\d+M", place.text))
                case board.Played(seat, play) if place.of == THEFT_KIND:
                    assert seats[0] == seat
                    assert seats[1] != seat
                    assert play.__struct_config__.tag == "boss"
                case board.Closed():
                    assert seats[1] == line.boss
                    assert line.paid[seats[0]]
    assert {FoundKind.GIFT, THEFT_KIND, FoundKind.REFUSED} == set(kinds)


def test_the_biggest_payments_are_those_of_the_closings() -> None:
    found = places(match_data(talkative()), talkative())
    amounts = sorted(
        (
            amount
            for line in read_replay_lines(talkative())[1]
            if isinstance(line, board.Closed)
            for amount in line.paid
        ),
        reverse=True,
    )
    told = sorted((int(place.figure[1:-1]) for place, _ in found if place.jump is Jump.PAYMENT), reverse=True)
    assert told == [amount for amount in amounts if amount][:10]
    assert told


def test_ten_are_kept_with_the_highest_figures_but_four_of_a_kind_while_there_are_others() -> None:
    gifts = [FoundMoment(FoundKind.GIFT, n, "gift", 100 - n, (0, 1)) for n in range(20)]
    thefts = [FoundMoment(THEFT_KIND, 50 + n, "theft", n, (0, 1)) for n in range(3)]
    kept = top_moments([*gifts, *thefts], None)
    assert kept == [*gifts[:4], *reversed(thefts), *gifts[4:7]]
    assert top_moments([gifts[0]._replace(only=[2]), gifts[1]], 1) == [gifts[1]]
    assert top_moments([], None) == []
