"""What a game from outside hands over is shown, and what it does not hand over is made up for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.games.contract import Event, Game
from arena.games.presenting import Presenting
from arena.human.game_words import words_for
from arena.human.plain_words import PlainWords
from arena.ledger.game_tables import OTHER_GAMES, ledger_tables
from arena.web.report.figures.money_over_deals import money_by_deal
from arena.web.viewer.game_page import GamePage, NumberedEvents, PageLevel, game_page
from arena.web.viewer.moment import Jump, JumpPlace
from arena.web.viewer.moments import jump_places
from tests.changed_copy import ROOT
from tests.conftest import Ran, run_arena
from tests.thirdgame.pie import GAME, PieFold, Proposed, Refused, Rules, Valued

HERE = Path(__file__).parent
RULES = Rules("pie", "pie", "", (2, 3), 12, 2, 4, 5)
NAMES = ("ann", "bob")
LINES: tuple[Event, ...] = (Valued(0, 3), Valued(1, 4), Proposed(0, (5, 7)), Refused((1,)))


class Money(msgspec.Struct, frozen=True):
    """The seats' money: here what was proposed last."""

    money: tuple[int, ...]


class MoneyFold(PieFold):
    """The table of a game that says what money its seats have."""

    def __init__(self, rules: Rules, players: int, seat: int | None) -> None:
        super().__init__(rules, players, seat)
        self.table: Any = Money((0,) * players)

    def follow(self, event: Event) -> None:
        if isinstance(event, Proposed):
            self.table = Money(event.shares)


def refusals(numbered: NumberedEvents) -> Iterator[JumpPlace]:
    """The end of each round."""
    for number, event in numbered:
        if isinstance(event, Refused):
            yield JumpPlace(number, Jump.DEAL, seats=[0, 1], number=1, failed=True)


def places(game: Game) -> list[JumpPlace]:
    return jump_places(game, RULES, LINES, {}, NAMES, None)


def test_a_game_that_hands_over_nothing_is_shown_by_what_every_game_has() -> None:
    assert GAME.presenting == Presenting()
    assert isinstance(words_for(GAME, RULES, NAMES), PlainWords)
    assert game_page(GAME) == GamePage()
    assert ledger_tables(GAME.name) is OTHER_GAMES
    assert money_by_deal(GAME.name) is None
    assert places(GAME) == []


def test_whose_tables_have_money_gets_payments_to_jump_to() -> None:
    found = places(replace(GAME, fold=MoneyFold))
    assert [(place.n, place.jump, place.text, place.seats) for place in found] == [
        (3, Jump.PAYMENT, "ann (0) receives $5", [0]),
        (3, Jump.PAYMENT, "bob (1) receives $7", [1]),
    ]


def test_a_part_of_another_class_is_named_with_the_game_that_hands_it_over() -> None:
    expected = {"words": (lambda game: words_for(game, RULES, NAMES), "GameWords"), "page": (game_page, "GamePage")}
    for part, (show, kind) in expected.items():
        odd = replace(GAME, presenting=Presenting(**{part: lambda *_: {}}))
        with pytest.raises(UserError, match=f"^the game '{GAME.name}' hands over a dict, expected a {kind}$"):
            show(odd)


def test_a_game_may_hand_over_one_part_and_no_other() -> None:
    page = GamePage(levels=(PageLevel("round", lambda event, *_: isinstance(event, Refused)),), jumps=refusals)
    shown = replace(GAME, presenting=Presenting(page=lambda: page))
    assert [(place.n, place.number, place.failed) for place in places(shown)] == [(4, 1, True)]
    assert isinstance(words_for(shown, RULES, NAMES), PlainWords)


GAME_FILE = """
from dataclasses import replace
from arena.games.game_bot import Bot
from arena.games.presenting import Presenting
from tests.thirdgame import pie

TEMPLATE = "# {title}\\nfrom pies.game import PiesBot\\nclass {title}(PiesBot): ...\\n"

class PiesBot(Bot, game="pies.game"):
    def divide(self, view):
        return self.legal_moves(view)[0]
    def respond(self, view):
        return True

GAME = replace(pie.GAME, name="pies.game", presenting=Presenting(bot_template=lambda: TEMPLATE))
"""


@pytest.mark.slow
def test_a_bot_of_a_game_from_outside_is_made_of_the_template_that_it_hands_over(tmp_path: Path) -> None:
    package = tmp_path / "pies"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "game.py").write_text(GAME_FILE, encoding="utf-8")
    rules = (HERE / "pie.yaml").read_text(encoding="utf-8").replace("tests.thirdgame.pie", "pies.game")
    (tmp_path / "pie.yaml").write_text(rules, encoding="utf-8")

    def arena(*words: object) -> Ran:
        return run_arena(tmp_path, *words, PYTHONPATH=f"{tmp_path}:{ROOT}")

    ran = arena("bots", "new", "My Bot", "--game", "pies.game", "--rules", "pie.yaml")
    assert ran.code == 0, ran.err
    (match,) = re.findall(r"^  arena (match .*)$", ran.out, re.MULTILINE)
    assert match.endswith(f"--rules {tmp_path / 'pie.yaml'}")
    assert arena(*shlex.split(match), "--trust").code == 0
    assert "class MyBot(PiesBot)" in (tmp_path / "my_bot.py").read_text(encoding="utf-8")

    ran = arena("bots", "new", "other", "--game", "pies.game")
    assert (ran.code, ran.out) == (2, "")
    assert "no rules of the game pies.game ship with arena; name the file that has them: --rules FILE" in ran.err
    ran = arena("bots", "new", "other", "--game", "tests.thirdgame.pie", "--rules", HERE / "pie.yaml")
    assert (ran.code, ran.out) == (2, "")
    told = "the game tests.thirdgame.pie has no template of a bot (Presenting.bot_template)"
    assert f"{told}; there are board, cards" in ran.err
