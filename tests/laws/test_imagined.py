"""What a seat may see at any moment; a match imagined from a view, and how evenly it is drawn: laws of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import astuple, replace

from arena.config.editions import load_edition
from arena.games import board, cards, load_game
from arena.games.board.cards import CARD_ID
from arena.games.board.rules import Deck
from arena.games.cards.cards import X
from arena.games.cards.moves import Bargain
from arena.games.cards.rules import Deck as CardDeck
from arena.games.chance import Chance
from arena.games.contract import ONLOOKER, Event, Outcome, State
from arena.testing import check_imagining
from arena.testing.imagining import play_random_moves

from .cases import CASES, Case, Walk, edition_of, played, rules_of, samples, seeds
from .cases import snapshot as everything
from .test_laws import check_outcome, check_plain
from .try_laws import Laws

law = Laws()


@law
def law_a_seat_may_look_at_any_moment_and_sees_what_its_view_says(case: Case) -> None:
    for state, index, seat in ((s.state, s.index, s.ask.seat) for s in samples(case)[CASES.index(case) % 2 :: 2]):
        shared = astuple(state.look(seat))
        assert astuple(state.view(index))[: len(shared)] == shared
        for other in (*range(case.players), ONLOOKER):
            check_plain(state.look(other))
            assert state.look(other).seat == other
    for match in played(case):
        assert match.state.look() == match.state.copy().look()


@law
def law_an_onlooker_sees_what_all_seats_see_and_no_hand(case: Case) -> None:
    for sample in samples(case)[::3]:
        open_fields = [dict(zip(v.__struct_fields__, astuple(v), strict=True)) for v in looks(sample.state)]
        onlooker = open_fields.pop()
        assert onlooker["seat"] == ONLOOKER
        for field, value in onlooker.items():
            if field not in ("seat", "hand", "money", "worth"):
                assert all(each[field] == value for each in open_fields), field
        assert not onlooker.get("hand")
        assert not onlooker.get("money")
        assert onlooker.get("worth") is None


def looks(state: State) -> list[Any]:
    """What each seat may see, and last what an onlooker may."""
    seats = range(state.look().players)
    return [*map(state.look, seats), state.look()]


@law
def law_the_laws_of_imagining_hold_of_every_kind_of_ask(case: Case) -> None:
    for number, sample in enumerate(samples(case)[CASES.index(case) % 6 :: 6]):
        check_imagining(sample.state, sample.index, rules_of(case), number)
        imagined = sample.state.view(sample.index).imagine(rules_of(case), Random(number))
        assert type(imagined) is type(sample.state)


@law
def law_what_is_recalled_gives_that_very_view_too(case: Case) -> None:
    """With every seat's memory of the match so far."""
    log: list[Event] = []
    for number, (state, index) in enumerate(Walk(case, seeds(case)[0], log)):
        if number % 397 == 0:
            view, seat = state.view(index), state.asks[index].seat
            seen = [told for event in log if (told := event.seen_by(seat)) is not None]
            for imagined, weight in view.recall(rules_of(case), Random(number), seen, 2):
                assert imagined.view(index) == view
                assert 0 < weight <= 1


@law
def law_a_match_is_imagined_from_the_view_alone(case: Case) -> None:
    """What is hidden may be another: of equal views the same is imagined, and it differs where the numbers differ."""
    rules, differ = rules_of(case), 0
    some = samples(case)[CASES.index(case) % 2 :: 2]
    for number, sample in enumerate(some):
        view = sample.state.view(sample.index)
        first, again, other = (view.imagine(rules, Random(seed)) for seed in (number, number, number + 1))
        assert held(first) == held(again)
        differ += held(first) != held(other)
        from_other = other.view(sample.index).imagine(rules, Random(number))
        assert held(from_other) == held(first)
    assert differ > len(some) / 4


def held(state: State) -> dict[str, Any]:
    """Everything a state holds, and of its chance the seed."""
    return everything(state) | {"chance": getattr(getattr(state, "chance", None), "seed", None)}


class Imagined(NamedTuple):
    """A match imagined at a sample: at first, some moves later, and for the first of them its outcome."""

    real: State
    first: State
    later: State
    outcome: Outcome | None


@lru_cache(maxsize=2)
def imagined_matches(case: Case) -> tuple[Imagined, ...]:
    """One of every third sample, played on."""
    found = []
    for number, sample in enumerate(samples(case)[CASES.index(case) % 3 :: 3]):
        first = sample.state.view(sample.index).imagine(rules_of(case), Random(number))
        state, rng = first.copy(), Random(number)
        play_random_moves(state, rng, 25)
        later = state.copy()
        if number == 0:
            play_random_moves(state, rng, 10**6)
        found.append(Imagined(sample.state, first, later, state.outcome))
    return tuple(found)


@law
def law_an_imagined_match_can_be_played_to_the_end(case: Case) -> None:
    check_outcome(imagined_matches(case)[0].outcome, case.players)


@law
def law_the_cards_of_an_imagined_match_are_those_of_the_deck(case: Case) -> None:
    count = COUNTED.get(edition_of(case).game)
    matches: Any = imagined_matches(case) if count else ()
    for real, first, later, _ in matches:
        assert count is not None
        assert count(first) == count(real) == count(later)
        assert tuple(map(sum, first.hands)) == tuple(map(sum, real.hands))
        assert first.money == real.money


def count_board(state: Any) -> Counter[int]:
    found = Counter(state.pile[state.drawn :])
    for counts in (*state.hands, state.discards, *map(bytes, state.laid)):
        found.update({kind: count for kind, count in enumerate(counts) if count})
    found.update(CARD_ID[placard.card] for placard in state.look().placards if placard.card is not None)
    return found


def count_cards(state: Any) -> Counter[int]:
    found = Counter(state.deck[state.drawn :])
    for counts in (*state.hands, state.discards):
        found.update({kind: count for kind, count in enumerate(counts) if count})
    seen = state.look()
    found.update(cards.CARDS.index(card) for row in (seen.centre, *seen.fronts) for card in row)
    found[X] += state.exes + state.third_x
    return found


COUNTED: dict[str, Callable[[Any], Counter[int]]] = {"board": count_board, "cards": count_cards}


# Drawn fairly


def critical(free: int) -> float:
    """What a chi-square statistic with so many degrees of freedom exceeds once in a thousand times (Wilson and
    Hilferty's approximation)."""
    part = 2 / (9 * free)
    return float(free * (1 - part + 3.09 * part**0.5) ** 3)


def chi_square(observed: Counter[Any], ways: int) -> float:
    """How far counts are from being equal in all ``ways``."""
    expected = observed.total() / ways
    return sum((count - expected) ** 2 for count in observed.values()) / expected + expected * (ways - len(observed))


SMALL_BOARD = replace(
    load_edition("eagle-gryphon").rules,
    deck=Deck(clan=0, travel=0, wild_travel=1, recruitment=2, boss=1, stop=1),
    start_hand=1,
)
SMALL_CARDS = replace(
    load_edition("card-game").rules,
    deck=CardDeck(positive={1: 1}, negative={}, reverse=0, pota=0, move={}, wild_pota=1, x=2),
    hand={3: 1},
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "pile", "own", "ways"),
    [
        (SMALL_BOARD, "pile", board.Card.STOP, 12),  # four cards, two of them equal
        (SMALL_CARDS, "deck", cards.Card.WILD_POTA, 12),  # three cards in six orders, an X on either side of the last
    ],
    ids=["board", "cards"],
)
def test_all_ways_to_deal_are_equally_likely_whatever_the_real_one_is(
    rules: Any, pile: str, own: Any, ways: int
) -> None:
    """In many matches in which seat 0 holds the same card: what is imagined is spread evenly over what there is."""
    both: Counter[Any] = Counter()
    for seed in range(4000):
        real: Any = load_game(rules.game).start(rules, 3, Chance(f"deal {seed}"), None)
        index = 0
        seat = real.asks[index].seat
        if real.look(seat).hand == (own,):
            imagined: Any = real.view(index).imagine(rules, Random(seed))
            both[hidden(real, seat, pile), hidden(imagined, seat, pile)] += 1
    assert both.total() > ways * ways * 5
    imagined_alone: Counter[Any] = Counter()
    for (_, drawn), count in both.items():
        imagined_alone[drawn] += count
    assert len(imagined_alone) == ways
    assert chi_square(imagined_alone, ways) < critical(ways - 1)
    assert chi_square(both, ways * ways) < critical(ways * ways - 1)
    hits = sum(count for (held, drawn), count in both.items() if held == drawn)
    assert abs(hits - both.total() / ways) < 3.3 * (both.total() / ways) ** 0.5


def hidden(state: Any, seat: int, pile: str) -> Any:
    """What a seat does not see: the others' hands from its left, and the order of the pile."""
    others = [state.hands[(seat + step) % 3] for step in (1, 2)]
    return tuple(map(bytes, others)), getattr(state, pile)[state.drawn :]


def test_C4_2_a_seat_that_proposes_a_card_is_imagined_with_it_and_with_several_as_often_as_it_holds_them() -> None:
    """Four cards are unseen, three of them wild. In three of the six ways to hold two both are wild."""
    deck = CardDeck(positive={1: 1}, negative={}, reverse=0, pota=0, move={}, wild_pota=3, x=0)
    rules = replace(load_edition("card-game").rules, deck=deck, hand={3: 2})
    state: Any = load_game("cards").start(rules, 3, Chance("proposal"), None)
    fields = {name: getattr(state.view(0), name) for name in cards.CardsView.__struct_fields__}
    wild = cards.Card.WILD_POTA
    boss = fields["boss"]
    fields |= {"hand": (cards.Card.BLUE_PLUS_1, cards.Card.GREEN_PLUS_1), "on_turn": (boss + 1) % 3}
    fields |= {"bargain": Bargain((boss + 1) % 3, cards.Propose(cards.Play(wild, boss)))}
    held = Counter(
        cards.AcceptView(**fields).imagine(rules, Random(seed)).hands[(boss + 1) % 3][-1] for seed in range(1000)
    )
    assert set(held) == {1, 2}
    assert chi_square(held, 2) < critical(1)


def test_C2_3_the_x_cards_are_imagined_in_their_halves_of_the_deck() -> None:
    """Also when the first of them, or half of the deck, has been drawn."""
    rules = load_edition("card-game").rules
    rest = sum(rules.deck.counts()) - 3 * rules.hand[3]
    lower = rest - rest // 2 + 1
    seen: set[tuple[int, bool]] = set()
    for seed in range(6):
        state: Any = load_game("cards").start(rules, 3, Chance(f"x {seed}"), None)
        rng = Random(seed)
        while state.asks and state.third_x:
            imagined: Any = state.view(0).imagine(rules, rng)
            left = imagined.deck
            places = [len(left) - place for place, kind in enumerate(left) if kind == X]
            assert len(places) == 2 - state.exes
            assert sum(place <= lower for place in places) == min(1, len(places))
            seen.add((state.exes, len(left) > lower))
            state.apply(0, rng.choice(state.legal(0)))
            for index in state.pending if state.asks and len(state.asks) > 1 else ():
                state.apply(index, rng.choice(state.legal(index)))
    assert {(0, True), (1, True)} <= seen


def test_B4_5_initiative_orders_are_imagined_evenly_among_those_that_fit_the_plays_seen() -> None:
    """Three of four seats have laid cards in an order seen by all: four orders are left, each as likely."""
    rules = load_edition("eagle-gryphon").rules
    state: Any = load_game("board").start(rules, 4, Chance("initiative"), None)
    view = replace(state.view(0), played=((2, 0, 3),))
    orders = Counter(view.imagine(rules, Random(seed)).initiative for seed in range(1000))
    assert all(order.index(2) < order.index(0) < order.index(3) for order in orders)
    assert len(orders) == 4
    assert chi_square(orders, 4) < critical(3)
    view = replace(view, played=((2, 0), (3, 1)))
    orders = Counter(view.imagine(rules, Random(seed)).initiative for seed in range(1000))
    assert all(order.index(2) < order.index(0) and order.index(3) < order.index(1) for order in orders)
    assert len(orders) == 6
    assert chi_square(orders, 6) < critical(5)
