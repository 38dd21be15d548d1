"""Chance that falls anew from some moment on: a law of every game."""

from __future__ import annotations

from collections import Counter
from itertools import chain, permutations
from random import Random
from typing import Any

from msgspec.structs import replace

from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board.rules import Deck
from arena.games.cards.cards import X
from arena.games.chance import Chance
from arena.testing.imagining import play_random_moves

from .cases import CASES, Case, game_of, samples
from .test_imagined import chi_square, critical, looks
from .test_laws import check_outcome
from .try_laws import Laws

law = Laws()
ending_law = Laws(CASES[::2])
PILES = {"board": "pile", "cards": "deck"}


def pile_of(state: Any, game: str) -> bytes:
    pile: bytes = getattr(state, PILES[game])
    return pile[state.drawn :]


@law
def law_nobody_sees_a_difference_and_the_same_cards_are_left(case: Case) -> None:
    for sample in samples(case)[::3]:
        before: Any = sample.state
        after: Any = before.copy()
        after.draw_anew(Chance("anew"))
        assert looks(after) == looks(before)
        assert (after.asks, after.answers, after.hands) == (before.asks, before.answers, before.hands)
        assert [after.view(index) for index in after.pending] == [before.view(index) for index in before.pending]
        if game_of(case).name in PILES:
            assert Counter(pile_of(after, game_of(case).name)) == Counter(pile_of(before, game_of(case).name))


@ending_law
def law_equal_chance_gives_equal_matches_and_another_gives_others(case: Case) -> None:
    state: Any = samples(case)[0].state

    def end(seed: str) -> Any:
        anew = state.copy()
        anew.draw_anew(Chance(seed))
        play_random_moves(anew, Random(1), 10**6)
        check_outcome(anew.outcome, case.players)
        return anew.outcome, looks(anew)

    first = end("one")
    assert end("one") == first
    others = [end("two")]
    if game_of(case).name in PILES:
        assert any(other != first for other in chain(others, map(end, ("three", "four", "five"))))


def test_every_order_of_the_draw_pile_is_as_likely() -> None:
    rules = replace(load_edition("eagle-gryphon").rules, start_hand=1, deck=Deck(0, 0, 1, 2, 2, 2))
    state: Any = load_game(rules.game).start(rules, 3, Chance("small"), None)
    pile = pile_of(state, "board")
    ways = len(set(permutations(pile)))
    seen: Counter[bytes] = Counter()
    for seed in range(4000):
        state.draw_anew(Chance(f"anew {seed}"))
        seen[pile_of(state, "board")] += 1
    assert len(seen) == ways > 6
    assert chi_square(seen, ways) < critical(ways - 1)


def test_C2_3_the_x_cards_stay_in_their_halves_of_the_deck_in_every_place_of_them() -> None:
    rules = load_edition("card-game").rules
    rest = sum(rules.deck.counts()) - 3 * rules.hand[3]
    lower = rest - rest // 2 + 1
    state: Any = load_game("cards").start(rules, 3, Chance("x"), None)
    places: tuple[set[int], set[int]] = (set(), set())
    for seed in range(500):
        state.draw_anew(Chance(f"x {seed}"))
        left = pile_of(state, "cards")
        first, second = (len(left) - place for place, kind in enumerate(left) if kind == X)
        assert second <= lower < first
        places[0].add(first)
        places[1].add(second)
    assert len(places[0]) == len(pile_of(state, "cards")) - lower
    assert len(places[1]) == lower


def test_C6_4_all_x_cards_lie_anywhere_once_the_third_is_shuffled_in() -> None:
    rules = load_edition("card-game").rules
    state: Any = load_game("cards").start(rules, 3, Chance("x"), None)
    state.third_x, state.exes = False, 1
    state.deck, state.drawn = bytes([1, X, 2, X]), 0
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(3000):
        state.draw_anew(Chance(f"x {seed}"))
        seen[tuple(place for place, kind in enumerate(state.deck) if kind == X)] += 1
    assert chi_square(seen, 6) < critical(5)
