"""Bundled bots that are built on another bundled bot: they beat it, and play otherwise exactly where they say so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from arena.bot import Bot
from arena.bundled import Dealmaker, Hoarder, Magnate, Tycoon, Usurper
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board import (
    AcceptView,
    Close,
    CloseView,
    InterruptView,
    OfferView,
    Pass,
    Recruit,
    Stop,
    TakeOver,
    Travel,
)
from arena.games.board.strategy import (
    candidate_closings,
    candidate_offers,
    candidate_plays,
    is_best_offer,
    mine,
    missing,
)
from arena.games.cards import Play, PlayView
from arena.games.cards.strategy import still_in
from arena.games.chance import Chance
from arena.games.contract import Move, View
from arena.rollouts import Policy
from arena.testing import play


def answers(edition: str, bots: list[type[Bot]], seed: str) -> Iterator[tuple[type[Bot], View, Move]]:
    """Every answer of a match: whose bot's, to which view, and the move."""
    rules = load_edition(edition).rules
    state = load_game(rules.game).start(rules, len(bots), Chance(seed), None)
    policies = [Policy(bot, rules, len(bots)) for bot in bots]
    while state.asks:
        for index, ask in enumerate(state.asks):
            move = policies[ask.seat].answer(state, index)
            yield bots[ask.seat], state.view(index), move
            state.apply(index, move)


@cache
def answers_on_the_board() -> list[tuple[type[Bot], View, Move]]:
    """The answers of two matches."""
    bots: list[type[Bot]] = [Magnate, Dealmaker, Magnate, Hoarder]
    return [answer for seed in "06" for answer in answers("eagle-gryphon", bots, seed)]


def plays_on_the_board() -> list[tuple[type[Bot], InterruptView, Move]]:
    """Of two matches the answers to ``interrupt``."""
    return [(bot, view, move) for bot, view, move in answers_on_the_board() if isinstance(view, InterruptView)]


@cache
def plays_of_cards() -> list[tuple[type[Bot], PlayView, Move]]:
    """Of a match the turns at which several rivals could answer."""
    found = answers("card-game", [Usurper, Tycoon, Usurper, Tycoon], "1")
    turns = [(bot, view, move) for bot, view, move in found if isinstance(view, PlayView) and view.moving is None]
    return [(bot, view, move) for bot, view, move in turns if len(still_in(view)) > 2]


def test_the_magnate_takes_over_dear_deals_only() -> None:
    paid = {
        bot: {view.dividend for by, view, move in plays_on_the_board() if by is bot and isinstance(move, TakeOver)}
        for bot in (Magnate, Dealmaker)
    }
    assert min(paid[Magnate]) >= 5 > min(paid[Dealmaker])


def test_the_magnate_recruits_in_its_own_deals_for_what_they_need() -> None:
    triples = [(by, view, move) for by, view, move in plays_on_the_board() if isinstance(move, Recruit)]
    own = [(view, move) for by, view, move in triples if by is Magnate]
    assert own
    assert all(view.seat == view.boss and missing(view.space, mine(view)).wants(move.placard) for view, move in own)
    assert any(view.seat != view.boss for by, view, _ in triples if by is Dealmaker)


def test_candidates_are_legal_and_what_bundled_bots_answer_is_among_them() -> None:
    rules, found = load_edition("eagle-gryphon").rules, set()
    for _, view, move in answers_on_the_board():
        match view:
            case InterruptView():
                tried: list[Move] = [*candidate_plays(view, rules)]
            case CloseView():
                tried = [*candidate_closings(view, rules)]
            case OfferView():
                tried = [*candidate_offers(view, rules, (0.5, 1, 4))]
            case _:
                continue
        assert all(view.refusal(rules, each) is None for each in tried), view
        if not isinstance(view, OfferView):
            assert move in tried or len(tried) > 20, (view, move)
            found.add(type(move))
    assert {TakeOver, Recruit, Travel, Stop, Pass, Close} <= found


def test_of_a_ladder_of_prices_only_the_dearest_is_the_best_for_a_partner() -> None:
    ladders = 0
    for _, view, _ in answers_on_the_board():
        if isinstance(view, AcceptView) and view.by == view.boss:
            same = [each.offer for each in view.offers if each.by == view.by and each.offer.to == view.seat]
            prices = [
                each.price for each in same if (each.placards, each.clans) == (view.offer.placards, view.offer.clans)
            ]
            assert is_best_offer(view) == (view.offer.price == max(prices))
            ladders += len(prices) > 1
    assert ladders > 10


def test_the_usurper_parts_with_potas_before_move_cards_and_the_tycoon_does_not() -> None:
    """While several rivals can answer."""
    early = {Usurper: 0, Tycoon: 0}
    for bot, view, move in plays_of_cards():
        held = [card for card in view.hand if card.is_pota and card.color in (view.color, None)]
        early[bot] += bool(held) and isinstance(move, Play) and move.card.moves == 1
    assert early[Usurper] < early[Tycoon]


def ahead(heir: str, parent: str, others: list[str], rules: str, matches: int) -> float:
    """In how many matches at one table the heir has more money than its parent; a tie counts half."""
    wins = 0.0
    for match in range(matches):
        names = [heir, parent, *others]
        names = names[-match % 4 :] + names[: -match % 4]
        seats = play(*names, rules=rules, seed=f"heirs/{match // 4}").seats
        own, other = seats[names.index(heir)].rank, seats[names.index(parent)].rank
        wins += (own < other) + (own == other) / 2
    return wins


def test_the_magnate_beats_the_dealmaker() -> None:
    """A smoke test on fixed seeds; how strong the bots are is measured by gauntlets."""
    assert ahead("magnate", "dealmaker", ["hoarder", "hard"], "eagle-gryphon", 12) > 6
