"""The human's seat: what is asked at all, what is told, and how the table looks."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from arena.bot import Said
from arena.config.editions import bundled_rules, load_edition, load_source
from arena.games import load_game
from arena.games.board.moves import ROLL, UNCHANGED, Close
from arena.games.board.views import AcceptView, CloseView, InterruptView, OfferView, TurnView
from arena.games.cards import views as cards
from arena.games.contract import Yes, hook_of
from arena.human.game_words import words_for
from arena.human.human_player import HumanPlayer
from arena.human.terminals.ink import PLAIN_INK, Ink, strip_escapes
from tests.human.scripted import scripted
from tests.human.typing import asks

NAMES = ["ann", "bob", "human", "dan"]


def player(*lines: str, rules: str = "eagle-gryphon") -> tuple[HumanPlayer, list[str]]:
    """A human who types these lines, and what is shown."""
    edition = load_edition(rules)
    game = load_game(edition.game)
    screen, shown = scripted(lines)
    return HumanPlayer(game, words_for(game, edition.rules, NAMES), edition.rules, NAMES, screen), shown


def put(human: HumanPlayer, view: Any) -> Any:
    human.post(hook_of(type(view)), view, 1.0)
    return human.take(1.0)


def test_who_skips_is_asked_nothing_that_enter_answers_until_the_deal_is_over() -> None:
    human, shown = player("skip", "roll")
    views = [view for _, _, view in asks(load_edition("eagle-gryphon"), 4, "skip", 300)]
    rules = load_edition("eagle-gryphon").rules
    offer = next(v for v in views if isinstance(v, OfferView) and v.boss != v.seat)
    later = [v for v in views if isinstance(v, InterruptView) and (v.turn, v.seat) == (offer.turn, offer.seat)]
    assert put(human, offer).move == human.words.asked(offer).idle
    assert put(human, next(v for v in later if v.boss == offer.boss)).fault is None
    accept = next(v for v in views if isinstance(v, AcceptView) and v.refusal(rules, Yes()) is None)
    same_deal = replace(accept, turn=offer.turn, boss=offer.boss, seat=offer.seat)
    assert put(human, same_deal).move == human.words.asked(accept).idle
    assert len(human.screen.lines.lines) == 1  # type: ignore[attr-defined]
    turn = next(v for v in views if isinstance(v, TurnView) and not v.rolled and not v.must_deal)
    assert put(human, turn).move == ROLL  # Enter is no answer, and another turn has begun
    assert shown.count("   Skipping: Enter is pressed for you until this deal is over.") == 1


def test_who_skips_as_the_boss_is_asked_where_the_deal_can_be_closed() -> None:
    human, _ = player("skip", "close")
    rules = human.rules
    views = [view for _, _, view in asks(load_edition("eagle-gryphon"), 4, "talk", 400)]
    able = next(v for v in views if isinstance(v, CloseView) and len(v.legal_moves(rules)) > 2)
    common = {name: getattr(able, name) for name in able.__struct_fields__}
    assert put(human, OfferView(**common)).move == UNCHANGED
    assert isinstance(put(human, able).move, Close)


def test_who_left_is_asked_nothing_more_in_the_same_phase() -> None:
    human, shown = player("quit", "yes", "no")
    views = [view for _, _, view in asks(load_edition("eagle-gryphon"), 4, "news", 300)]
    view = next(v for v in views if isinstance(v, AcceptView) and v.refusal(human.rules, Yes()) is None)
    for _ in range(2):
        human.post(hook_of(AcceptView), view, 1.0)
    assert [human.take(1.0).gone for _ in range(2)] == [True, True]
    assert human.screen.lines.lines == ["no"]  # type: ignore[attr-defined]
    assert sum("You leave the table" in line for line in shown) == 1


def test_an_answer_without_a_choice_is_given_without_asking() -> None:
    human, _ = player()
    for _, _, view in asks(load_edition("eagle-gryphon"), 4, "forced", 200):
        if isinstance(view, InterruptView) and not view.hand:
            assert put(human, view).move == view.legal_moves(human.rules)[0]
            return
        forced = human.words.forced(view)
        if forced is not None:
            assert put(human, view).move == forced
    assert human.told == []


def test_the_news_of_a_phase_is_told_once_whatever_is_asked() -> None:
    human, _ = player("no", "no")
    views = [view for _, _, view in asks(load_edition("eagle-gryphon"), 4, "news", 300)]
    rules = load_edition("eagle-gryphon").rules
    view = next(v for v in views if isinstance(v, AcceptView) and v.refusal(rules, Yes()) is None)
    heard = replace(view, news=(Said(1, "a\x1b[31mb"),))
    for _ in range(2):
        human.post(hook_of(AcceptView), heard, 1.0)
    assert [type(human.take(1.0).move) for _ in range(2)] == [type(human.words.asked(view).idle)] * 2
    assert human.told == ['  bob (1) says: "a�[31mb"']


@pytest.mark.parametrize("name", [name for name in bundled_rules() if not load_source(name).abstract])
def test_tables_fit_and_colours_only_colour(name: str) -> None:
    edition = load_edition(name)
    names = ["dealmaker", "saboteur-with-a-name", "human", "fair"]
    words = words_for(load_game(edition.game), edition.rules, names)
    drawings = [words.table, words.brief, *words.more_pages().values()]
    for _, _, view in list(asks(edition, 4, "wide", 120))[::7]:
        for draw, width in product(drawings, (60, 80, 100)):
            lines = draw(view, width, PLAIN_INK)
            assert [strip_escapes(line) for line in draw(view, width, Ink(True))] == lines
            assert all(len(line) <= width for line in lines), max(lines, key=len)


def test_between_rounds_the_next_boss_has_its_cousin_tokens() -> None:
    edition = load_edition("card-game")
    words = words_for(load_game("cards"), edition.rules, NAMES)
    views = [view for _, _, view in asks(edition, 4, "wide", 300)]
    between = next(view for view in views if isinstance(view, cards.DiscardView))
    assert f"the next Boss gets {edition.rules.cousins[4]} Cousin tokens" in " ".join(
        words.table(between, 80, PLAIN_INK)
    )


def test_tables_are_drawn_from_the_view_alone() -> None:
    """Whatever is hidden, a seat with the same view is shown the same table."""
    edition = load_edition("eagle-gryphon")
    words = words_for(load_game("board"), edition.rules, NAMES)
    changed = 0
    for state, _, view in list(asks(edition, 4, "hidden", 160))[::9]:
        other = view.imagine(edition.rules, random.Random(1))
        twin = other.view(other.asks.index(view.ask(edition.rules)))
        changed += other.hands != state.hands  # type: ignore[attr-defined]
        for draw in (words.table, words.brief, *words.more_pages().values()):
            assert draw(twin, 80, PLAIN_INK) == draw(view, 80, PLAIN_INK)
        assert words.asked(twin).choices == words.asked(view).choices
        assert words.asked(twin).question == words.asked(view).question
    assert changed > 5
