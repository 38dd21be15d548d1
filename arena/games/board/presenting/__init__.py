"""The parts that show the board game to people: words for a human, pictures, its table on a page, its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from arena.games.presenting import MoneyByDeal, Presenting, RedrawnRules

if TYPE_CHECKING:
    from arena.coding.coding import Coding
    from arena.drawing.deal_pictures import DealPictures
    from arena.games.board.rules import Rules
    from arena.human.question import GameWords
    from arena.ledger.game_tables import LedgerTables
    from arena.study.finding import StudyQuestion
    from arena.web.viewer.game_page import GamePage


def _make_words(rules: Rules, names: Sequence[str]) -> GameWords:
    from arena.games.board.presenting.human.words import BoardWords

    return BoardWords(rules, names)


def _load_pictures() -> DealPictures:
    from arena.games.board.presenting.picture import BOARD_PICTURES

    return BOARD_PICTURES


def _load_page() -> GamePage:
    from arena.games.board.presenting.match_page import BOARD_PAGE

    return BOARD_PAGE


def _load_ledger() -> LedgerTables:
    from arena.games.board.presenting.ledger.tables import BOARD_LEDGER

    return BOARD_LEDGER


def _load_money() -> MoneyByDeal:
    from arena.games.board.presenting.money import BOARD_MONEY

    return BOARD_MONEY


def _load_questions() -> Sequence[StudyQuestion]:
    from arena.games.board.presenting.study_questions import QUESTIONS

    return QUESTIONS


def _make_coding(rules: Rules) -> Coding:
    from arena.games.board.presenting.coding.actions import BoardCoding

    return BoardCoding(rules)


def _bot_template() -> str:
    return files(__name__).joinpath("bot.py.txt").read_text(encoding="utf-8")


def _load_redrawn() -> RedrawnRules:
    from arena.games.board.presenting.sealed.draw_board import BOARD_REDRAWN

    return BOARD_REDRAWN


PRESENTING = Presenting(
    words=_make_words,
    pictures=_load_pictures,
    page=_load_page,
    ledger=_load_ledger,
    money=_load_money,
    questions=_load_questions,
    coding=_make_coding,
    bot_template=_bot_template,
    redrawn=_load_redrawn,
    rules_page="rules",
)
