"""What to do on one's turn, and with a hand: opening, drawing, recruiting, discarding (B3, B5.4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from arena.games.board.answers import legal
from arena.games.board.answers.judge import refuse_opening
from arena.games.board.answers.seat import owners_of
from arena.games.board.cards import CARD_ID, Card, Family
from arena.games.board.moves import Discard, Draw, Open, Recruit, Roll
from arena.games.board.rules import Rules
from arena.games.board.spaces import Space
from arena.games.board.strategy.needs import Missing, mine, missing, on_table
from arena.games.board.table import NOBODY_SEAT
from arena.games.board.views import BoardView, DiscardView, TurnView
from arena.games.contract import State


def may_open(view: TurnView, rules: Rules) -> bool:
    """Whether a deal may be opened now (B4.9, B8)."""
    return refuse_opening(rules, len(view.hand), view.failed_here) is None


def no_deal(view: TurnView) -> Roll | Draw | Open:
    """The answer to ``turn`` of a seat that wants no deal: roll, then draw, or open if a variant forbids drawing."""
    return legal.turn_without_deal(view.rolled, view.must_deal)


def demand(view: BoardView, rules: Rules, family: Family) -> float:
    """How much the uncovered spaces want ``family``: the dividends of the spaces that require it, and for each choice
    group that contains it a fraction of the dividends."""
    total = 0.0
    for index in view.uncovered:  # not sum(): from Python 3.12 on it rounds otherwise than before
        total += _family_wants(rules.spaces[index]).get(family, 0.0)
    return total


@lru_cache(maxsize=1024)
def _family_wants(space: Space) -> dict[Family, float]:
    """How much ``space`` wants each family, in dividends."""
    wants = dict.fromkeys(space.required, float(space.dividends))
    for group in space.groups:
        for family in group.families:
            wants[family] = wants.get(family, 0.0) + space.dividends * group.choose / len(group.families) / 2
    return wants


def recruitable(view: BoardView) -> tuple[Family, ...]:
    """The placards a recruitment triple may take: those aside while there are any, else the others' (B5.4)."""
    return legal.takeable_placards(view.seat, owners_of(view))


def can_recruit(view: BoardView) -> bool:
    """Whether the viewer holds three recruitment cards and there is a placard to take."""
    return view.hand.count(Card.RECRUITMENT) >= 3 and bool(recruitable(view))


def best_recruit(view: BoardView, rules: Rules, needed: Missing | None = None) -> Recruit:
    """The recruitment of the placard most in :func:`demand`, preferably one that ``needed`` wants. Call
    :func:`can_recruit` first."""
    takeable = recruitable(view)
    wanted = [family for family in takeable if needed is not None and needed.wants(family)]
    return Recruit(max(wanted or takeable, key=lambda family: demand(view, rules, family)))


def within_reach(view: BoardView) -> bool:
    """Whether the viewer's cards and those on the table can fill the space, or could with the placard that a
    recruitment triple in hand would take from those aside."""
    needed = missing(view.space, mine(view) | on_table(view))
    if needed.number == 0:
        return True
    aside = any(placard.owner is None and needed.wants(placard.family) for placard in view.placards)
    return needed.number == 1 and aside and can_recruit(view)


def until_turn(view: BoardView, turns: int) -> Callable[[State], bool]:
    """A function for the ``until`` of a rollout: it says whether ``turns`` more turns have begun since this view
    and no deal is being negotiated."""
    first = view.turn + turns

    def is_reached(state: Any) -> bool:
        return bool(state.turn >= first and state.boss == NOBODY_SEAT)

    return is_reached


def fit_hand(view: DiscardView, rules: Rules, worth: Callable[[Card], float]) -> Discard | Recruit:
    """An answer to ``discard``: a recruitment triple for the placard most in demand if the edition allows it, else the
    cards of least ``worth``. From the third on, each card of a kind counts half."""
    if can_recruit(view) and legal.triple_fits(rules, view.cards_only):
        return best_recruit(view, rules)
    valued, seen = [], dict.fromkeys(view.hand, 0)
    for card in view.hand:
        seen[card] += 1
        valued.append((worth(card) / (1 if seen[card] < 3 or card is Card.RECRUITMENT else 2), CARD_ID[card], card))
    valued.sort()
    return Discard(tuple(card for _, _, card in valued[: view.excess]))
