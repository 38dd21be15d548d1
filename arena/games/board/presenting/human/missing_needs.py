"""Sentences about what a deal still lacks, and about what an agreement would leave the Boss."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from arena.games.board.answers.closing import Source, closing_payments, fixed_costs, legal_closings, need_sources
from arena.games.board.answers.seat import table_of
from arena.games.board.cards import FAMILY_ID, Family, count_cards
from arena.games.board.deal_money import kept_by_boss
from arena.games.board.moves import Agreement
from arena.games.board.rules import Rules
from arena.games.board.sentences.tell import Teller
from arena.games.board.table import Table
from arena.games.board.views import AcceptView, BoardView


def missing_needs_text(view: BoardView, rules: Rules, teller: Teller) -> str:
    """Why the Boss, whose ``view`` this is, cannot close yet: which needs are not filled, who has the cards, and what
    the Boss offers for them; or that all the cards together cost too much. Empty if the deal can be closed."""
    table, hand = table_of(view, rules), count_cards(view.hand)
    if next(legal_closings(table, hand), None) is not None:
        return ""
    usable = need_sources(table, hand, True)
    together = 0
    for source in usable:
        together |= source.mask
    lacking = table.layout.needs[view.marker] - table.layout.filled[view.marker][together]
    if lacking <= 0:
        return _too_dear(table, usable)
    required = [family for family in view.space.required if not together >> FAMILY_ID[family] & 1]
    others = [family for family in view.space.families if not together >> FAMILY_ID[family] & 1]
    others = [family for family in others if family not in required]
    said = [_source_phrase(family, view, teller) for family in required]
    more = lacking - len(required)
    if more > 0:
        said.append(f"{more} more of {_join_alternatives([_source_phrase(family, view, teller) for family in others])}")
    return f"Missing: {'; '.join(said)}."


def _join_alternatives(said: Sequence[str]) -> str:
    return " or ".join(said)


def _source_phrase(family: Family, view: BoardView, teller: Teller) -> str:
    """A phrase that says who could bring in a family, and what the Boss offers for it."""
    name = teller.family(family)
    placard = next(each for each in view.placards if each.family == family)
    offers = [each.offer for each in view.offers if each.by == view.seat]
    mine = [each for each in offers if family in (*each.placards, *each.clans)]
    if mine:
        return f"{name} (you offer {teller.seat(mine[0].to)} ${mine[0].price}M for it)"
    if placard.travelling:
        return f"{name} (its placard travels; a clan card would do)"
    if placard.owner is None:
        return f"{name} (its placard lies aside; a clan card would do)"
    return f"{name} ({teller.seat(placard.owner)} has its placard and has named no price)"


def _too_dear(table: Table, usable: Sequence[Source]) -> str:
    """A sentence about the cost of the cheapest cards that fill all needs."""
    filled, needs = table.layout.filled[table.marker], table.layout.needs[table.marker]
    best = {0: fixed_costs(table)}
    for source in usable:
        for mask, cost in list(best.items()):
            union = mask | source.mask
            if not mask & source.mask and filled[union] == union.bit_count():
                best[union] = min(best.get(union, cost + source.cost), cost + source.cost)
    costs = [cost for mask, cost in best.items() if filled[mask] == needs]
    if not costs:
        return "The offered cards overlap: no choice of them fills each need once."
    return f"Filling all needs would cost ${min(costs)}M or more; the deal pays only ${table.proceeds}M."


def left_by(view: AcceptView, rules: Rules, teller: Teller) -> str:
    """A sentence about the most the Boss, whose ``view`` this is, can keep in a closing if it accepts this offer."""
    offer = view.offer
    terms = Agreement(view.by, offer.price, offer.placards, offer.clans)
    agreed = replace(view, agreements=(*view.agreements, terms))
    table = table_of(agreed, rules)
    every = legal_closings(table, count_cards(view.hand))
    used = [each for each in every if terms in each.partners or not (terms.placards or terms.clans)]
    if used:
        kept = kept_by_boss(view.proceeds, min(sum(closing_payments(table, each)) for each in used))
        return f"You could close with it and keep ${kept}M of ${view.proceeds}M."
    lack = missing_needs_text(agreed, rules, teller)
    if lack.startswith("Missing"):
        return f"With it the deal cannot be closed yet. {lack}"
    return "No closing with it is possible: all needs together would cost more than the deal pays."
