"""What the card game shows of itself: its words for a human, its pictures, its table on a page, its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from arena.games.presenting import MoneyByDeal, Presenting

if TYPE_CHECKING:
    from arena.drawing.deal_pictures import DealPictures
    from arena.games.cards.rules import Rules
    from arena.human.question import GameWords
    from arena.ledger.game_tables import LedgerTables
    from arena.web.viewer.game_page import GamePage


def _words(rules: Rules, names: Sequence[str]) -> GameWords:
    from arena.games.cards.presenting.human.words import CardsWords

    return CardsWords(rules, names)


def _pictures() -> DealPictures:
    from arena.games.cards.presenting.picture import PICTURES

    return PICTURES


def _page() -> GamePage:
    from arena.games.cards.presenting.match_page import PAGE

    return PAGE


def _ledger() -> LedgerTables:
    from arena.games.cards.presenting.ledger.tables import LEDGER

    return LEDGER


def _money() -> MoneyByDeal:
    from arena.games.cards.presenting.money import MONEY

    return MONEY


def _bot_template() -> str:
    return files(__name__).joinpath("bot.py.txt").read_text(encoding="utf-8")


PRESENTING = Presenting(
    words=_words,
    pictures=_pictures,
    page=_page,
    ledger=_ledger,
    money=_money,
    bot_template=_bot_template,
    rules_page="card-rules",
)
