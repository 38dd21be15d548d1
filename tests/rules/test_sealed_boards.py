"""New boards, drawn from an edition: always playable, fair to families, and the same from the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from arena.config.editions import load_edition
from arena.games.board.cards import FAMILIES
from arena.games.board.presenting.sealed.draw_board import BOARD_REDRAWN, DECK_CHANGES
from arena.games.board.presenting.sealed.family_names import BEGINNINGS, ENDINGS
from arena.games.board.rules import Rules, check_rules
from arena.games.chance import Chance

BASE: Rules = load_edition("eagle-gryphon").rules
BOARDS = [BOARD_REDRAWN.draw(BASE, Chance(f"board {number}")) for number in range(60)]


def of_board(told: Callable[[Rules], object]) -> set[object]:
    return {told(board) for board in BOARDS}


def test_every_board_can_be_played() -> None:
    assert [check_rules(board) for board in BOARDS] == [[]] * len(BOARDS)


@pytest.mark.parametrize("name", ["outline", "schmidt-1994", "face2face-2003"])
def test_every_edition_can_be_drawn_from(name: str) -> None:
    base = load_edition(name).rules
    drawn = BOARD_REDRAWN.draw(base, Chance("x"))
    assert check_rules(drawn) == []
    kept = set(Rules.__struct_fields__) - {"names", "spaces", "deals", "end_rolls", "deck"}
    assert all(getattr(drawn, key) == getattr(base, key) for key in kept)


def test_a_board_from_one_with_several_choice_groups_has_as_many_investors() -> None:
    base = load_edition("eagle-gryphon", ["reported-board"]).rules
    drawn = BOARD_REDRAWN.draw(base, Chance("x"))
    assert sum(space.needs for space in drawn.spaces) == sum(space.needs for space in base.spaces)


def test_the_same_chance_gives_the_same_board_and_another_gives_another() -> None:
    assert BOARD_REDRAWN.draw(BASE, Chance("board 0")) == BOARDS[0]
    assert len(of_board(lambda board: board.spaces)) == len(BOARDS)


def test_families_are_wanted_equally_and_spaces_need_two_to_five_investors() -> None:
    for board in BOARDS:
        required = Counter(family for space in board.spaces for family in space.required)
        assert set(required) == set(FAMILIES)
        assert max(required.values()) - min(required.values()) <= 1
        assert sum(space.needs for space in board.spaces) == sum(space.needs for space in BASE.spaces)
        assert all(2 <= space.needs <= 5 and 1 <= len(space.required) <= 3 for space in board.spaces)
        assert all(0 <= space.dividends - space.needs <= 2 for space in board.spaces)
        assert all(not set(space.required) & set(space.optional) for space in board.spaces)


def test_deals_and_deck_stay_within_their_bounds() -> None:
    for board in BOARDS:
        worth = list(board.deals.values())
        assert worth == sorted(worth)
        assert all(abs(board.deals[card] - BASE.deals[card]) <= 1 for card in BASE.deals)
        assert all(
            abs(getattr(board.deck, kind) - getattr(BASE.deck, kind)) <= most for kind, most in DECK_CHANGES.items()
        )
        assert set(board.end_rolls) <= set(board.deals)
    assert len(of_board(lambda board: board.deck)) > len(BOARDS) // 2


def test_names_of_a_board_begin_with_different_letters() -> None:
    assert len({each[0] for each in BEGINNINGS}) == len(BEGINNINGS)
    assert len(set(ENDINGS)) == len(ENDINGS)
    assert of_board(lambda board: len({name[0] for name in board.names.values()})) == {6}
