"""What the board game shows of itself: its words for a human, its pictures, its table on a page, its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from arena.games.presenting import MoneyByDeal, Presenting

if TYPE_CHECKING:
    from arena.drawing.deal_pictures import DealPictures
    from arena.games.board.rules import Rules
    from arena.human.question import GameWords
    from arena.ledger.game_tables import LedgerTables
    from arena.study.finding import StudyQuestion
    from arena.web.viewer.game_page import GamePage


def _words(rules: Rules, names: Sequence[str]) -> GameWords:
    from arena.games.board.presenting.human.words import BoardWords

    return BoardWords(rules, names)


def _pictures() -> DealPictures:
    from arena.games.board.presenting.picture import PICTURES

    return PICTURES


def _page() -> GamePage:
    from arena.games.board.presenting.match_page import PAGE

    return PAGE


def _ledger() -> LedgerTables:
    from arena.games.board.presenting.ledger.tables import LEDGER

    return LEDGER


def _money() -> MoneyByDeal:
    from arena.games.board.presenting.money import MONEY

    return MONEY


def _questions() -> Sequence[StudyQuestion]:
    from arena.games.board.presenting.study_questions import QUESTIONS

    return QUESTIONS


def _bot_template() -> str:
    return files(__name__).joinpath("bot.py.txt").read_text(encoding="utf-8")


PRESENTING = Presenting(
    words=_words,
    pictures=_pictures,
    page=_page,
    ledger=_ledger,
    money=_money,
    questions=_questions,
    bot_template=_bot_template,
    rules_page="rules",
)
