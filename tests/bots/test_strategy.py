"""What the board game's strategy functions advise is legal, and as cheap as the engine's own choice, wherever random
play leads."""

from __future__ import annotations

import random

import pytest

from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board import strategy
from arena.games.board.answers.closing import cheapest_closing, closing_payments
from arena.games.board.answers.seat import table_of
from arena.games.board.cards import FAMILIES, Family, count_cards
from arena.games.board.moves import Offers
from arena.games.board.rules import Rules
from arena.games.board.spaces import Choice, Space
from arena.games.board.views import CloseView, DiscardView, InterruptView, OfferView, TurnView
from arena.games.chance import Chance
from arena.games.contract import View

CASES = [("eagle-gryphon", 4, ()), ("outline", 3, ()), ("face2face-2003", 5, ()), ("face2face-2003", 2, ())]
CASES += [("eagle-gryphon", 4, ("must-deal", "cards-to-deal")), ("schmidt-1994", 6, ())]
CASES += [("eagle-gryphon", 4, ("reported-board",)), ("outline", 3, ("reported-board",))]

ASKS = 1_000
"""How many asks are looked at, and more where something has not been advised yet."""
ADVISED = {"turn", "bids", "goods", "closing", "spoilers"}


def check(view: View, rules: Rules) -> str:
    """Ask everything that fits ``view``; returns what was advised."""
    match view:
        case TurnView():
            assert view.refusal(rules, strategy.no_deal(view)) is None
            return "turn"
        case OfferView() if view.seat == view.boss:
            offers = strategy.bids(view, rules, [0, view.dividend / 2, 7.3], strategy.mine(view))
            assert view.refusal(rules, Offers(offers)) is None
            return "bids" if offers else ""
        case OfferView():
            offers = strategy.goods(view, rules, 1.5 * view.dividend)
            assert view.refusal(rules, Offers(offers)) is None
            return "goods" if offers else ""
        case InterruptView(can_stop=None):
            plays = strategy.spoilers(view)
            assert all(view.refusal(rules, play) is None for play in plays)
            return "spoilers" if plays else ""
        case CloseView():
            deal, table, hand = strategy.best_closing(view, rules), table_of(view, rules), count_cards(view.hand)
            engine = cheapest_closing(table, hand, with_offers=True)
            assert (deal is None) == (engine is None)
            if deal is None or engine is None:
                return ""
            assert view.refusal(rules, deal.close) is None
            assert deal.cost == sum(closing_payments(table, deal.close)) == sum(closing_payments(table, engine))
            return "closing"
        case DiscardView():
            assert view.refusal(rules, strategy.fit_hand(view, rules, lambda card: 1.0)) is None
            return "discard"
    return ""


@pytest.mark.parametrize(("name", "players", "variants"), CASES)
def test_advice_is_legal_and_cheapest(name: str, players: int, variants: tuple[str, ...]) -> None:
    rules, seen = load_edition(name, variants).rules, set()
    asks = 0
    for match in range(2):
        chooser = random.Random(match)
        state = load_game("board").start(rules, players, Chance(f"strategy/{match}"), None)
        while state.asks and not (asks >= ASKS and seen >= ADVISED):
            index = state.pending[0]
            seen.add(check(state.view(index), rules))
            state.apply(index, chooser.choice(state.legal(index)))
            asks += 1
    assert seen >= ADVISED


def test_money_is_counted_from_the_ledger() -> None:
    state = load_game("board").start(load_edition("eagle-gryphon").rules, 4, Chance("money"), None)
    chooser, checked = random.Random(3), 0
    while state.asks:
        view = state.view(state.pending[0])
        assert strategy.wealth(view)[view.seat] == view.money  # type: ignore[arg-type, attr-defined]
        checked += view.money > 0  # type: ignore[attr-defined]
        state.apply(state.pending[0], chooser.choice(state.legal(state.pending[0])))
    assert checked


def test_missing_counts_a_family_once() -> None:
    space = Space(6, (Family.RED, Family.BLUE), 2, (Family.MAGENTA, Family.ORANGE, Family.GREEN))
    assert strategy.missing(space, [Family.RED, Family.ORANGE, Family.YELLOW]) == (
        (Family.BLUE,),
        1,
        (Family.MAGENTA, Family.GREEN),
    )
    assert strategy.missing(space, FAMILIES).number == 0
    assert strategy.fillable(space, [Family.RED, Family.BLUE, Family.MAGENTA, Family.GREEN])
    assert not strategy.missing(space, [Family.MAGENTA, Family.GREEN]).wants(Family.ORANGE)


def test_missing_names_the_families_that_help_any_group() -> None:
    red, yellow, blue, magenta, orange, green = FAMILIES
    space = Space(4, (red,), choices=(Choice(1, (magenta, green)), Choice(2, (orange, blue, yellow))))
    assert strategy.missing(space, ()) == ((red,), 3, (magenta, green, orange, blue, yellow))
    assert strategy.missing(space, (red, green)) == ((), 2, (orange, blue, yellow))
    assert strategy.missing(space, (green, magenta, blue)) == ((red,), 1, (orange, yellow))
    assert strategy.missing(space, (red, yellow, blue, orange)) == ((), 1, (magenta, green))
    assert not strategy.fillable(space, (red, yellow, blue, orange))
    assert strategy.fillable(space, (red, yellow, blue, green))


def test_missing_counts_a_family_of_two_groups_for_one_of_them() -> None:
    red, yellow, blue, *_ = FAMILIES
    space = Space(3, choices=(Choice(1, (red, yellow)), Choice(1, (yellow, blue))))
    assert strategy.missing(space, (yellow,)) == ((), 1, (red, blue))
    assert strategy.missing(space, (red,)) == ((), 1, (yellow, blue))
    assert strategy.fillable(space, (red, blue))
