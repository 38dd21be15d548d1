"""C1 and C2: what the deck consists of, and how the table looks before the first lead."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.games.cards import GAME
from arena.games.cards.cards import CARDS, COLORS, Card, X, list_cards
from arena.games.cards.events import Drew, RoundBegan
from arena.games.cards.phases.setup import set_up
from arena.games.chance import Chance
from arena.games.contract import Chanced, Event

from .scenario import Scenario, counts, edition, fresh

EVERY_TABLE = (3, 4, 5, 6)
ALL = list_cards(edition().deck.counts())


def test_C1_1_each_colour_has_32_deal_cards_by_kind() -> None:
    assert len([card for card in ALL if card.color is not None]) == 96
    for color in COLORS:
        own = [card for card in ALL if card.color is color]
        assert len(own) == 32
        assert len([card for card in own if card.worth > 0]) == 10
        assert len([card for card in own if card.worth < 0]) == 4
        assert len([card for card in own if card.is_reverse]) == 4
        assert len([card for card in own if card.is_pota]) == 7
        assert len([card for card in own if card.moves]) == 7


def test_C1_1_the_values_and_moves_in_each_colour() -> None:
    for color in COLORS:
        own = [card for card in ALL if card.color is color]
        assert Counter(card.worth for card in own if card.worth) == {
            **dict(zip((1, 2, 3, 4), (2, 3, 3, 2), strict=True)),
            **dict.fromkeys((-2, -3, -4, -5), 1),
        }
        assert Counter(card.moves for card in own if card.moves) == {1: 3, 2: 2, 3: 2}


def test_C1_2_six_wild_cards_are_of_no_one_colour_and_three_are_x_cards() -> None:
    assert [card for card in ALL if card.color is None] == [Card.WILD_POTA] * 6
    assert (Card.WILD_POTA.is_pota, Card.WILD_POTA.is_reverse) == (True, False)
    assert (Card.WILD_POTA.worth, Card.WILD_POTA.moves) == (0, 0)
    assert edition().deck.x == 3


def test_C1_3_cards_have_an_order() -> None:
    suit = ("+1", "+2", "+3", "+4", "-5", "-4", "-3", "-2", "reverse", "pota", "move 1", "move 2", "move 3")
    named = [f"{color} {name}" for color in ("blue", "green", "red") for name in suit]
    assert [*named, "wild pota"] == [card.value for card in CARDS]


def test_C1_3_what_a_card_says_is_what_its_name_says() -> None:
    for card in CARDS:
        color, _, name = card.partition(" ")
        assert card.color == (None if color == "wild" else color)
        assert card.worth == (int(name) if name[0] in "+-" else 0)
        assert card.moves == (int(name[-1]) if name.startswith("move") else 0)
        assert (card.is_pota, card.is_reverse) == (name == "pota", name == "reverse")


@pytest.mark.parametrize(
    ("players", "hand", "times", "limit", "cousins"),
    [(3, 10, 3, 150, 1), (4, 8, 2, 200, 2), (5, 8, 1, 250, 2), (6, 8, 1, 250, 2)],
)
def test_C2_1_hands_rounds_limit_and_tokens_go_by_the_number_of_players(
    players: int, hand: int, times: int, limit: int, cousins: int
) -> None:
    state = fresh(players)
    view = state.view(0)
    assert view.hand_sizes == (hand,) * players
    assert (view.rounds, state.layout.limit, view.tokens) == (times * players, limit, cousins)


@pytest.mark.parametrize("players", EVERY_TABLE)
def test_C2_2_everybody_begins_with_50_dollars_and_both_disks_in(players: int) -> None:
    state = fresh(players)
    assert state.money == [50] * players
    assert list(state.passes) == [0] * players
    assert state.multiplier == 2


@pytest.mark.parametrize("players", EVERY_TABLE)
def test_C2_2_the_first_boss_is_random(players: int) -> None:
    bosses = {fresh(players, seed=str(seed)).boss for seed in range(60)}
    assert bosses == set(range(players))


@pytest.mark.parametrize("players", EVERY_TABLE)
def test_C2_3_hands_are_dealt_of_deal_cards_and_all_cards_are_somewhere(players: int) -> None:
    state = fresh(players)
    rest = list(state.deck[state.drawn :])
    dealt = [sum(held) for held in zip(*state.hands, strict=True)]
    assert rest.count(X) == 2
    assert [count + rest.count(kind) for kind, count in enumerate(dealt)] == list(edition().deck.counts())
    assert state.third_x


def test_C2_3_the_first_boss_is_dealt_first_then_clockwise() -> None:
    for seed in range(6):
        log: list[Event] = []
        state = GAME.start(edition(), 5, Chance(str(seed)), log)
        boss = state.view(0).boss
        assert [event.seat for event in log if isinstance(event, Drew)] == [(boss + step) % 5 for step in range(5)]
        assert log[-1] == RoundBegan(1, boss)
        (deck,) = [event.value for event in log if isinstance(event, Chanced) and event.name == "deck"]
        drawn = [sorted(event.cards) for event in log if isinstance(event, Drew)]
        assert drawn == [sorted(deck[8 * step : 8 * step + 8]) for step in range(5)]


@pytest.mark.parametrize(
    ("players", "hand", "upper", "lower"),
    [(3, 10, 36, 36), (4, 8, 35, 35), (5, 8, 31, 31), (6, 8, 27, 27), (3, 9, 37, 38)],
)
def test_C2_3_one_x_is_in_each_half_and_the_odd_card_in_the_lower(
    players: int, hand: int, upper: int, lower: int
) -> None:
    highest, lowest = set(), set()
    for seed in range(150):
        state = fresh(players, seed=str(seed), hand={players: hand})
        rest = list(state.deck[state.drawn :])
        assert len(rest) == upper + lower + 2
        assert rest[: upper + 1].count(X) == rest[upper + 1 :].count(X) == 1
        highest.add(rest.index(X))
        lowest.add(rest.index(X, upper + 1) - upper - 1)
    assert (min(highest), max(highest)) == (0, upper)
    assert (min(lowest), max(lowest)) == (0, lower)


@pytest.mark.parametrize(("x", "in_deck", "under_disk"), [(0, 0, False), (1, 1, False), (2, 2, False), (3, 2, True)])
def test_C2_3_only_a_third_x_lies_under_the_disk(x: int, in_deck: int, under_disk: bool) -> None:
    state = fresh(4, deck={"x": x})
    assert list(state.deck[state.drawn :]).count(X) == in_deck
    assert state.third_x is under_disk
    if x == 1:
        assert state.deck.index(X) - state.drawn <= 35


def test_C2_3_a_deck_that_is_dealt_out_has_its_x_cards_left() -> None:
    small = {"positive": {1: 4, 2: 0, 3: 0, 4: 0}, "negative": {2: 0, 3: 0, 4: 0, 5: 0}, "move": {1: 0, 2: 0, 3: 0}}
    state = fresh(4, hand={4: 5}, deck={**small, "reverse": 0, "pota": 2, "wild_pota": 2}, players=[4, 4])
    assert list(state.deck[state.drawn :]) == [X, X]


def test_C2_set_up_follows_the_seed_alone() -> None:
    one, other, third = fresh(4, seed="a"), fresh(4, seed="a"), fresh(4, seed="b")
    assert (one.hands, one.deck, one.boss) == (other.hands, other.deck, other.boss)
    assert one.hands != third.hands
    assert set_up(one, None) == other.boss


@pytest.mark.parametrize("players", [2, 7])
def test_C2_1_other_numbers_of_players_are_turned_away(players: int) -> None:
    with pytest.raises(ValueError, match="is for 3 to 6 players"):
        fresh(players)


def test_the_scenarios_hold_every_card_once() -> None:
    table = Scenario(
        {0: "2 blue +1, red move 3"}, color="blue", centre="blue +4", fronts={2: "wild pota, blue reverse"}
    )
    held = [sum(counts) for counts in zip(*table.state.hands, strict=True)]
    lying = counts("blue +4, wild pota, blue reverse")
    rest = [table.state.deck.count(kind) for kind in range(len(CARDS))]
    assert [sum(each) for each in zip(held, lying, rest, strict=True)] == list(edition().deck.counts())
