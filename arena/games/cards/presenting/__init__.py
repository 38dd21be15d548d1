"""The parts that show the card game to people: words for a human, pictures, its table on a page, its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from arena.games.presenting import MoneyByDeal, Presenting, RedrawnRules

if TYPE_CHECKING:
    from arena.coding.coding import Coding
    from arena.drawing.deal_pictures import DealPictures
    from arena.games.cards.rules import Rules
    from arena.human.question import GameWords
    from arena.ledger.game_tables import LedgerTables
    from arena.web.viewer.game_page import GamePage


def _make_words(rules: Rules, names: Sequence[str]) -> GameWords:
    from arena.games.cards.presenting.human.words import CardsWords

    return CardsWords(rules, names)


def _load_pictures() -> DealPictures:
    from arena.games.cards.presenting.picture import CARDS_PICTURES

    return CARDS_PICTURES


def _load_page() -> GamePage:
    from arena.games.cards.presenting.match_page import CARDS_PAGE

    return CARDS_PAGE


def _load_ledger() -> LedgerTables:
    from arena.games.cards.presenting.ledger.tables import CARDS_LEDGER

    return CARDS_LEDGER


def _load_money() -> MoneyByDeal:
    from arena.games.cards.presenting.money import CARDS_MONEY

    return CARDS_MONEY


def _make_coding(rules: Rules) -> Coding:
    from arena.games.cards.presenting.coding.actions import CardsCoding

    return CardsCoding(rules)


def _load_redrawn() -> RedrawnRules:
    from arena.games.cards.presenting.redrawn_deck import CARDS_REDRAWN

    return CARDS_REDRAWN


def _bot_template() -> str:
    return files(__name__).joinpath("bot.py.txt").read_text(encoding="utf-8")


PRESENTING = Presenting(
    words=_make_words,
    pictures=_load_pictures,
    page=_load_page,
    ledger=_load_ledger,
    money=_load_money,
    coding=_make_coding,
    bot_template=_bot_template,
    redrawn=_load_redrawn,
    rules_page="card-rules",
)
