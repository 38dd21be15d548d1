"""What the card game's strategy functions say is what the rules then do, wherever random play leads."""

from __future__ import annotations

import random

import pytest

from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.cards import strategy
from arena.games.cards.cards import Card, Color
from arena.games.cards.moves import Action, Bargain, Discard, Pass, Play, Propose, Request, Shift
from arena.games.cards.rules import Rules
from arena.games.cards.state import State
from arena.games.cards.views import AcceptView, CardsView, DiscardView, LeadView, OfferView, PlayView
from arena.games.chance import Chance
from arena.games.contract import Move, Yes

CASES = [(3, ()), (4, ("no-limit",)), (5, ("long-game", "last-pass-draws")), (6, ("no-cousins",))]


def rules_of(variants: tuple[str, ...] = ()) -> Rules:
    rules = load_edition("card-game", variants).rules
    assert isinstance(rules, Rules)
    return rules


def settled(state: State) -> strategy.Outlook:
    """The engine's own figures, as an outlook."""
    seats = range(len(state.money))
    return strategy.Outlook(
        sum(card.worth for card in state.view(0).centre),  # type: ignore[attr-defined]
        state.layout.rules.factor * state.multiplier,
        state.layout.limit,
        tuple(state.shares(seat) for seat in seats),
        tuple(state.spread.fronts[seat][0] for seat in seats),
        tuple(state.passes),
    )


def predicted(view: CardsView, rules: Rules, move: Move) -> strategy.Outlook | None:
    """What ``move`` is said to lead to; None where it settles nothing, or where a card that is drawn may."""
    now = strategy.outlook(view, rules)
    if isinstance(view, AcceptView) and isinstance(view.bargain.offer, Propose) and isinstance(move, Yes):
        return strategy.accepted(view, rules, view.bargain)
    if isinstance(move, Shift):
        return strategy.shifted(now, move)
    return strategy.after(now, view.seat, move) if isinstance(move, Action) else None


def check(view: CardsView, rules: Rules, state: State) -> str:
    """Ask everything that fits ``view``; returns what was advised."""

    def worth(found: strategy.Outlook) -> float:
        return found.receives(view.seat) - sum(found.stakes)

    now = strategy.outlook(view, rules)
    assert now.value == view.value
    assert [now.receives(seat) for seat in range(view.players)] == [state.money_due(s) for s in range(view.players)]
    assert strategy.wealth(view, rules) == state.money
    rest = strategy.unseen(view, rules)
    assert min(rest.values()) >= 0
    others = sum(view.hand_sizes) - len(view.hand)
    exes = 3 - (view.multiplier - 2) - view.third_x  # X cards left in the deck; they are none of the kinds
    assert sum(rest.values()) == others + view.deck - exes + view.discard_pile - sum(view.discards)
    match view:
        case PlayView(moving=card) if card is not None:
            assert view.refusal(rules, strategy.next_shift(view, rules, worth)) is None
            return "shift"
        case PlayView():
            found = strategy.choices(view, rules, worth)
            assert {strategy.as_play(choice.action) for choice in found} == set(view.legal_moves(rules))
            return "play"
        case OfferView() if view.seat != view.boss:
            found = strategy.choices(view, rules, worth, drops=True)
            assert all(view.refusal(rules, Propose(choice.action)) is None for choice in found)
            return "moves proposed" if any(isinstance(a, Play) and a.shifts for a, _ in found) else ""
        case OfferView() if found := strategy.asks(view, rules):
            assert [ask.request for ask in found] == [m for m in view.legal_moves(rules) if isinstance(m, Request)]
            assert all(0 <= ask.chance <= 1 for ask in found)
            return "asks"
        case AcceptView(bargain=Bargain(offer=Request())):
            return granting(view, rules, state, strategy.granted(view, rules, worth))
        case LeadView() if leads := strategy.leads(view):
            assert leads == view.legal_moves(rules)
            return "lead"
        case DiscardView():
            cards = strategy.weakest(view.hand, view.most, lambda card: abs(card.worth), 2.0)
            assert view.refusal(rules, Discard(cards)) is None
            return "discard"
    return ""


def granting(view: AcceptView, rules: Rules, state: State, found: list[strategy.Choice]) -> str:
    """What a seat is said to be able to do if it granted a request is what it may then do (C4.2)."""
    able = any(isinstance(move, Yes) for move in view.legal_moves(rules))
    assert bool(found) == able
    if not able:
        return "cannot grant"
    then = state.copy()
    then.apply(0, Yes())
    assert {strategy.as_play(choice.action) for choice in found} == set(then.legal(0))
    for action, said in found:
        if not isinstance(action, Play) or not action.card.moves:
            assert said == strategy.after(settled(then), view.seat, action)
    return "granted"


@pytest.mark.parametrize(("players", "variants"), CASES)
def test_what_is_said_of_a_view_is_so(players: int, variants: tuple[str, ...]) -> None:
    rules, seen = rules_of(variants), set()
    for match in range(2):
        chooser = random.Random(match)
        state = load_game("cards").start(rules, players, Chance(f"strategy/{match}"), None)
        assert isinstance(state, State)
        while state.asks:
            index = state.pending[0]
            view, move = state.view(index), chooser.choice(state.legal(index))
            assert isinstance(view, CardsView)
            seen.add(check(view, rules, state))
            said, round_, exes = predicted(view, rules, move), state.round, state.multiplier
            state.apply(index, move)
            settling = not state.asks or state.asks[0].hook == "discard"
            if said is not None and not settling and (state.round, state.multiplier) == (round_, exes):
                assert settled(state) == said
                seen.add(type(move).__name__)
    assert seen >= {"play", "shift", "lead", "discard", "Play", "Shift", "Pass"}
    assert "no-cousins" in variants or seen >= {"moves proposed", "asks", "granted", "cannot grant", "Yes"}


def test_shares_and_reverses_by_the_examples_of_the_rules() -> None:
    """C5.4."""
    found = strategy.Outlook(4, 10, 150, (2, 3, 0), (0, 0, 0), (0, 0, 0))
    assert (found.value, found.receives(0), found.receives(1)) == (40, 80, 120)
    found = strategy.Outlook(9, 20, 150, (1, 1, 1), (1, 2, 0), (0, 0, 0))
    assert (found.value, found.stakes) == (150, [-1, 1, 1])
    found = strategy.Outlook(-5, 15, None, (1, 1, 2), (1, 2, 0), (0, 0, 0))
    assert found.amounts([50, 50, 100]) == [75, -50, -100]  # C5.3: nobody pays more than it has
    assert found.lead_of(0, [50, 50, 100]) == 150
    assert found.with_token(0).receives(0) == 150


def test_what_an_action_changes() -> None:
    found = strategy.Outlook(3, 10, 150, (1, 0, 0), (0, 0, 0), (0, 0, 0))
    assert strategy.after(found, 1, Pass(double=True)).passes == (0, 2, 0)
    assert strategy.after(found, 1, Play(Card.BLUE_MINUS_5)).centre == -2
    assert strategy.after(found, 1, Play(Card.WILD_POTA, 1)).shares == (1, 1, 0)
    assert strategy.after(found, 1, Play(Card.BLUE_REVERSE, 0)).reverses == (1, 0, 0)
    removed = Play(Card.BLUE_MOVE_1, None, (Shift(Card.BLUE_PLUS_3),))
    assert strategy.after(found, 1, removed).centre == 0


def test_a_forecast_is_what_is_settled_once_all_are_out_and_what_a_hand_makes_of_it_before() -> None:
    out, last = (2, 2, 2), (1, 2, 2)
    money, weights, cards = [50, 50, 100], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]

    def expected(passes: tuple[int, ...], *hand: Card, stake: int = 1, hope: float = 0.7) -> float:
        found = strategy.Outlook(3, 10, 150, (stake, 2, 0), (0, 0, 0), passes)
        return strategy.forecast(found, 0, hand, money, weights, cards, hope)

    assert expected(out, Card.WILD_POTA) == expected(last) == 30 - 0.5 * 60
    assert expected(last, Card.WILD_POTA) == 60 - 0.5 * 60
    assert expected(last, Card.BLUE_PLUS_4) == 70 - 0.5 * 140
    assert expected(last, Card.BLUE_MINUS_5, stake=-1) == 20 + 0.5 * 40
    assert expected(last, Card.BLUE_REVERSE, stake=-2) == 60 - 0.5 * 60
    assert expected(last, stake=-9) == -50 - 0.5 * 60  # C5.3
    few, many = (expected((1, 1, 2), Card.WILD_POTA, hope=hope) for hope in (0.2, 0.9))
    assert few < many


def test_colours_are_weighed_with_the_wild_cards() -> None:
    hand = (Card.BLUE_PLUS_1, Card.RED_PLUS_1, Card.RED_MOVE_1, Card.WILD_POTA)
    assert strategy.suit(hand, Color.BLUE) == (Card.BLUE_PLUS_1, Card.WILD_POTA)
    assert strategy.strength(hand, Color.RED, lambda card: 1.0) == 3
    assert strategy.best_color(hand, lambda card: 1.0) is Color.RED
    assert strategy.weakest(hand, 1, lambda card: card.worth, 2) == (Card.RED_MOVE_1,)
