"""What the drawings of tables are told of an edition."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.games import load_game
from arena.games.board.cards import FAMILIES
from arena.games.board.presenting import page_table as board
from arena.games.board.rules import Rules, deal_proceeds
from arena.games.cards.presenting import page_table as cards
from arena.pages.page_file import PageFile
from arena.replay.read import read_header, rules_of, split_replay
from arena.web.viewer.game_page import game_page
from tests.viewer.replays import GOLDEN

PRESENTING = {"board": Path(board.__file__).parent, "cards": Path(cards.__file__).parent}


def played(game: str) -> list[Any]:
    """The rules and the number of players of every recorded match of a game."""
    headers = [read_header(split_replay(path.read_bytes())[0]) for path in GOLDEN]
    return [
        pytest.param(rules_of(each), len(each.seats), id=path.stem)
        for path, each in zip(GOLDEN, headers, strict=True)
        if each.game == game
    ]


@pytest.mark.parametrize(("rules", "players"), played("board"))
def test_the_board_is_shown_as_the_edition_has_it(rules: Rules, players: int) -> None:
    shown = board.shown_rules(rules, players)
    assert [family.name for family in shown.families] == [rules.names[family] for family in FAMILIES]
    assert len({family.letters for family in shown.families}) == len(FAMILIES)
    assert [deal.number for deal in shown.deals] == [
        card for card in sorted(rules.deals) if card not in rules.skip_deals
    ]
    assert all(rules.deals[deal.number] == deal.value for deal in shown.deals)
    for space, here in zip(shown.spaces, rules.spaces, strict=True):
        assert (space.dividends, space.required, space.groups) == (here.dividends, here.required, here.groups)


@pytest.mark.parametrize(("rules", "players"), played("board"))
def test_a_deal_card_says_what_each_space_pays_under_it(rules: Rules, players: int) -> None:
    for deal in board.shown_rules(rules, players).deals:
        assert deal.pays == tuple(deal_proceeds(rules, space, deal.number) for space in range(len(rules.spaces)))


@pytest.mark.parametrize(("rules", "players"), played("cards"))
def test_the_card_game_is_shown_as_its_rules_have_it(rules: Any, players: int) -> None:
    shown = cards.shown_rules(rules, players)
    assert shown.limit == (None if rules.limit is None else rules.limit[players])
    assert (shown.rounds, shown.cousins) == (rules.rounds[players] * players, rules.cousins[players])


@pytest.mark.parametrize("game", sorted(PRESENTING))
def test_every_file_of_a_drawing_is_there_and_none_is_left_out(game: str) -> None:
    drawing = game_page(load_game(game)).drawing
    assert drawing is not None
    own = [each for each in (*drawing.scripts, *drawing.styles) if isinstance(each, PageFile)]
    assert {PRESENTING[game] / file.path for file in own} == set((PRESENTING[game] / "table").iterdir())
    assert all(each.read() for each in own)
    assert [each for each in (*drawing.scripts, *drawing.styles) if each not in own] == ["table_pieces"] * 2
