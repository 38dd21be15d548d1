"""C7 and C8: who wins, and that every key of a rules file has an effect."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import ConfigError
from arena.games.cards import GAME
from arena.games.contract import Outcome

from .scenario import Scenario, edition, fresh, settled


@pytest.mark.parametrize(("players", "rounds"), [(3, 9), (4, 8), (5, 5), (6, 6)])
def test_C7_1_the_match_ends_when_each_has_been_boss_so_often(players: int, rounds: int) -> None:
    state = fresh(players)
    while state.asks:
        state.apply(state.pending[0], state.default(state.pending[0]))
    bosses = [deal.boss for deal in state.ledger]
    assert len(bosses) == rounds
    assert {bosses.count(seat) for seat in range(players)} == {rounds // players}
    assert [(boss + 1) % players for boss in bosses[:-1]] == bosses[1:]
    assert state.outcome is not None
    assert state.outcome.termination == "last round"


@pytest.mark.parametrize(
    ("money", "ranks"),
    [((40, 70, 10, 20), (2, 1, 4, 3)), ((70, 70, 10, 20), (1, 1, 4, 3)), ((0, 5, 5, 5), (4, 1, 1, 1))],
)
def test_C7_1_most_money_wins_and_equal_money_shares_the_rank(money: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    table = Scenario({}, number=8, color="blue", money=dict(enumerate(money)))
    assert table.state.outcome is None
    assert table.all_out().state.outcome == Outcome(money, ranks, "last round")


# C8


def test_C8_pass_bonus() -> None:
    drawn = {}
    for bonus in ("each", "last", "none"):
        table = Scenario({}, color="blue", deck="red +1, red +2, red +3, red +4", pass_bonus=bonus).passes(1, 2, 3, 0)
        drawn[bonus] = [len(table.hand(seat)) for seat in range(4)]
    assert drawn == {"each": [1, 1, 1, 1], "last": [1, 0, 0, 0], "none": [0, 0, 0, 0]}


def test_C8_start_money() -> None:
    assert fresh(4, start_money=0).money == [0] * 4


def test_C8_limit() -> None:
    assert settled("2 blue +4", limit={4: 60})[0] == 60
    assert settled("2 blue +4, 3 blue +3, 3 blue +2", None, "no-limit", exes=3)[0] == 575


def test_C8_factor() -> None:
    assert settled("2 blue +4", factor=7)[0] == 7 * 2 * 8


def test_C8_cousins() -> None:
    assert fresh(3, cousins={3: 2}).view(0).tokens == 2
    assert Scenario({}, "no-cousins", color="blue").asked == "play"


def test_C8_discards_between_rounds() -> None:
    assert Scenario({}, color="blue", discards_between_rounds=4).all_out().view(0).most == 4
    assert Scenario({}, color="blue", discards_between_rounds=0).all_out().asked == "lead"


def test_C8_rounds() -> None:
    assert fresh(4, rounds={4: 1}).view(0).rounds == 4
    assert fresh(4, "long-game").view(0).rounds == 12


def test_C8_hand() -> None:
    assert fresh(4, hand={4: 5}).view(0).hand_sizes == (5,) * 4
    assert Scenario({}, color="blue", hand={4: 3}).all_out().discards().view().hand_sizes == (3,) * 4


def test_C8_players() -> None:
    assert list(GAME.seats(edition(players=[4, 5]))) == [4, 5]
    with pytest.raises(ValueError, match="4 to 5 players, not 3"):
        fresh(3, players=[4, 5])


@pytest.mark.parametrize(
    ("change", "cards"),
    [
        ({}, 102),
        ({"reverse": 0}, 90),
        ({"pota": 9}, 108),
        ({"wild_pota": 0}, 96),
        ({"positive": {4: 5}}, 111),
        ({"negative": {2: 0, 5: 3}}, 105),
        ({"move": {1: 0, 2: 0, 3: 9}}, 108),
    ],
)
def test_C8_deck(change: dict[str, Any], cards: int) -> None:
    state = fresh(4, deck=change)
    assert sum(map(sum, state.hands)) + len(state.deck) - state.drawn == cards + 2


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"hand": {6: 20}}, "deck: 102 cards are too few for 120 in the first hands (C2.3)"),
        ({"players": [5, 4]}, "players: 5 to 4 is no range"),
        (
            {"deck": {"positive": dict.fromkeys((1, 2, 3, 4), 0), "negative": dict.fromkeys((2, 3, 4, 5), 0)}},
            "deck: no card has a value, so no round is worth anything (C5.1)",
        ),
    ],
)
def test_C8_what_cannot_be_played_is_said(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as raised:
        edition(**change)
    assert problem in str(raised.value)
