"""Typed closings: ``close`` for the cheapest, ``close with red, blue clan, green from 2 for 6`` for an exact one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest

from arena.games.board.answers.closing import canonical_closing, closing_payments, legal_closings, need_sources
from arena.games.board.answers.seat import table_of
from arena.games.board.cards import Family, count_cards
from arena.games.board.moves import Agreement, Close
from arena.games.board.presenting.human.names import CLAN_WORD, BoardNames
from arena.games.board.presenting.human.terms import Terms, agreement_words, cards_of, placard_owner
from arena.games.board.rules import Rules
from arena.games.board.views import BoardView
from arena.human.lexicon import Unclear

LISTED_CLOSINGS = 6
"""The most closings that are listed, the cheapest first."""
CLOSE_USAGE = "close with CARDS, such as: close with red, blue clan, green from 2 for 6"
CARD_SEPARATORS = (",", "and", ";")


def cheapest_closings(view: BoardView, rules: Rules) -> list[tuple[int, Close]]:
    """The legal closings that cost the Boss least, each with its cost in $M, the cheapest first; of equally cheap ones,
    those with fewer clan cards first."""
    table = table_of(view, rules)

    def rank(close: Close) -> tuple[int, int, str]:
        clans = len(close.clans) + sum(len(terms.clans) for terms in close.partners)
        return sum(closing_payments(table, close)), clans, repr(close)

    found = nsmallest(LISTED_CLOSINGS, legal_closings(table, count_cards(view.hand)), key=rank)
    return [(sum(closing_payments(table, close)), close) for close in found]


def closing_words(close: Close, view: BoardView, names: BoardNames) -> str:
    """The line to type for exactly this closing."""
    said = [names.word(family) for family in close.placards]
    said += [f"{names.word(family)} {CLAN_WORD}" for family in close.clans]
    said += [agreement_words(terms, view, names) for terms in close.partners]
    return f"close with {', '.join(said)}"


def read_closing(
    words: Sequence[str], view: BoardView, rules: Rules, names: BoardNames, seats: Mapping[str, int]
) -> Close:
    """The closing that the words after ``close with`` name. Raises Unclear."""
    placards: list[Family] = []
    clans: list[Family] = []
    partners: list[Agreement] = []
    for part in _split_parts(words):
        terms = Terms(part, names, seats, CLOSE_USAGE)
        seat = terms.seat(CLOSE_USAGE)
        if not terms.families:
            raise Unclear(f"expected a family: {CLOSE_USAGE}")
        if seat is not None and seat != view.seat:
            partners.append(_partner_terms(terms, seat, view, rules, names))
            continue
        for family, kind in terms.families:
            if kind == CLAN_WORD:
                clans.append(family)
            elif kind or placard_owner(view, family) == view.seat:
                placards.append(family)
            elif family in view.laid[view.seat] or count_cards(view.hand)[list(Family).index(family)]:
                clans.append(family)
            else:
                partners.append(_cheapest_terms(family, view, rules, names))
    return canonical_closing(Close(tuple(placards), tuple(clans), tuple(dict.fromkeys(partners))))


def _split_parts(words: Sequence[str]) -> list[list[str]]:
    """The words, split at commas."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in CARD_SEPARATORS:
            parts.append([])
        else:
            parts[-1].append(word)
    found = [part for part in parts if part]
    if not found:
        raise Unclear(f"expected cards: {CLOSE_USAGE}")
    return found


def _partner_terms(terms: Terms, seat: int, view: BoardView, rules: Rules, names: BoardNames) -> Agreement:
    """A partner's cards at the price typed, or else at the lowest price at which the Boss can use them."""
    placards, clans = cards_of(view, seat, terms.families)
    if terms.amounts:
        return Agreement(seat, terms.price(CLOSE_USAGE), placards, clans)
    prices = [
        each.price
        for each in _usable_terms(view, rules)
        if (each.partner, each.placards, each.clans) == (seat, placards, clans)
    ]
    if not prices:
        raise Unclear(f"no agreement and no open offer of seat {seat} has exactly these cards; see: table")
    return Agreement(seat, min(prices), placards, clans)


def _cheapest_terms(family: Family, view: BoardView, rules: Rules, names: BoardNames) -> Agreement:
    """The cheapest terms that bring in exactly this family."""
    able = [each for each in _usable_terms(view, rules) if (*each.placards, *each.clans) == (family,)]
    if not able:
        raise Unclear(f"nobody has agreed or offered to sell only {rules.names[family]}; see: table")
    return min(able, key=lambda each: each.price)


def _usable_terms(view: BoardView, rules: Rules) -> list[Agreement]:
    """All cards of others that the Boss can use: by agreements, open offers, or at their fair share."""
    found = need_sources(table_of(view, rules), count_cards(view.hand), True)
    return [source.partner for source in found if source.partner is not None]
