"""B1 components, B2 set-up."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.games.board import GAME
from arena.games.board.cards import FAMILIES, Family, list_cards
from arena.games.board.moves import PlaceMarker
from arena.games.board.rules import check_rules, seats
from arena.games.chance import Chance
from arena.games.contract import Event

from .scenario import cards, edition, families, fresh, placed

EDITIONS = ("eagle-gryphon", "face2face-2003", "outline", "schmidt-1994")
TABLES = [(name, players) for name in EDITIONS for players in seats(edition(name))]


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("eagle-gryphon", "Red Yellow Blue Magenta Orange Green"),
        ("face2face-2003", "Cashman Wadsworth Sacks Dougherty Goldman Liebgeld"),
        ("outline", "Cashman Wadsworth Sacks Dougherty Goldman Liebgeld"),
        ("schmidt-1994", "Knetowitz Raffzahn Liebgeld Piepenbrok Talerfeld Heiermann"),
    ],
)
def test_B1_1_each_edition_names_the_six_families_in_its_own_way(name: str, names: str) -> None:
    assert [edition(name).names[family] for family in FAMILIES] == names.split()
    assert families("red yellow blue magenta orange green") == FAMILIES


def test_B1_1_liebgeld_is_green_in_one_edition_and_blue_in_the_other() -> None:
    assert edition("face2face-2003").names[Family.GREEN] == edition("schmidt-1994").names[Family.BLUE] == "Liebgeld"


@pytest.mark.parametrize("name", EDITIONS)
def test_B1_2_there_are_98_influence_cards(name: str) -> None:
    kinds = list_cards(edition(name).deck.counts())
    assert len(kinds) == 98
    by_word = Counter(str(card).split()[0] for card in kinds)
    assert by_word == {"clan": 24, "travel": 21, "recruitment": 33, "boss": 10, "stop": 10}
    assert kinds.count(cards("travel wild")[0]) == 3
    assert {kinds.count(cards(f"clan {family}")[0]) for family in FAMILIES} == {4}


def test_B1_2_kinds_have_an_order() -> None:
    listed_kinds = [str(card) for card in dict.fromkeys(list_cards(edition("outline").deck.counts()))]
    clans, travels = [f"clan {f}" for f in FAMILIES], [f"travel {f}" for f in FAMILIES]
    assert listed_kinds == [*clans, *travels, "travel wild", "recruitment", "boss", "stop"]


@pytest.mark.parametrize("name", EDITIONS)
def test_B1_3_deal_cards_say_what_a_dividend_is_worth_and_what_ends_the_match(name: str) -> None:
    rules = edition(name)
    assert [rules.deals[card] for card in range(1, 16)] == [2] * 3 + [3] * 3 + [4] * 3 + [5] * 6
    assert rules.end_rolls == {9 + n: tuple(range(1, n + 1)) for n in range(1, 6)}


@pytest.mark.parametrize("name", EDITIONS)
def test_B1_4_the_board_has_sixteen_spaces_the_published_one_first(name: str) -> None:
    rules = edition(name)
    assert len(rules.spaces) == 16
    first = rules.spaces[0]
    assert first.required == families("red yellow blue")
    assert (first.choose, first.optional, first.dividends) == (2, families("magenta orange green"), 6)
    assert all(2 <= space.needs <= 5 for space in rules.spaces)
    assert check_rules(rules) == []


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_B2_1_placards_are_dealt_evenly_and_the_rest_lie_aside(name: str, players: int) -> None:
    each = {2: 3, 3: 2, 4: 1, 5: 1, 6: 1}[players]
    owners = fresh(name, players).owners
    assert Counter(owners) == Counter(dict.fromkeys(range(players), each) | {255: 6 - players * each})


def test_B2_1_placards_are_dealt_at_random() -> None:
    assert len({fresh("eagle-gryphon", 6, f"{seed}").owners for seed in range(20)}) > 15


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_B2_2_everybody_has_five_cards_and_no_money(name: str, players: int) -> None:
    state = fresh(name, players)
    assert [sum(hand) for hand in state.hands] == [5] * players
    assert state.money == [0] * players
    assert len(state.pile) - state.drawn == 98 - 5 * players
    assert sum(state.discards) == 0


@pytest.mark.parametrize("name", ["face2face-2003", "outline", "schmidt-1994"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_B2_3_the_first_name_in_the_alphabet_begins(name: str, players: int) -> None:
    for seed in range(8):
        state = fresh(name, players, f"{seed}")
        names = edition(name).names
        dealt = [family for family, owner in zip(FAMILIES, state.owners, strict=True) if owner != 255]
        first = min(dealt, key=lambda family: names[family])
        assert state.on_turn == state.owners[FAMILIES.index(first)]


def test_B2_3_the_names_of_the_edition_decide_not_the_colours() -> None:
    firsts = {name: min(FAMILIES, key=edition(name).names.__getitem__) for name in EDITIONS[1:]}
    assert firsts == {"face2face-2003": Family.RED, "outline": Family.RED, "schmidt-1994": Family.GREEN}


def test_B2_3_in_eagle_gryphon_chance_decides() -> None:
    starters = Counter(fresh("eagle-gryphon", 4, f"{seed}").on_turn for seed in range(60))
    assert set(starters) == {0, 1, 2, 3}
    assert fresh("eagle-gryphon", 4, script={("start",): 2}).on_turn == 2


@pytest.mark.parametrize(
    ("name", "step"), [("face2face-2003", 1), ("schmidt-1994", 1), ("outline", -1), ("eagle-gryphon", -1)]
)
def test_B2_4_a_neighbour_of_the_starting_player_places_the_marker(name: str, step: int) -> None:
    state = fresh(name, 5)
    starter = state.on_turn
    assert [(ask.seat, ask.hook) for ask in state.asks] == [((starter + step) % 5, "place_marker")]
    assert state.legal(0) == tuple(map(PlaceMarker, range(16)))
    assert placed(state, 11).marker == 11
    assert [(ask.seat, ask.hook) for ask in state.asks] == [(starter, "turn")]


def test_B2_4_there_is_no_space_sixteen() -> None:
    state = fresh("eagle-gryphon", 3)
    assert {state.refusal(0, PlaceMarker(space)) is None for space in (16, -1)} == {False}


@pytest.mark.parametrize("players", [2, 7, 1])
def test_B10_a_table_of_the_wrong_size_is_no_match(players: int) -> None:
    with pytest.raises(ValueError, match="3 to 6 players"):
        GAME.start(edition("outline"), players, Chance("x"), list[Event]())
