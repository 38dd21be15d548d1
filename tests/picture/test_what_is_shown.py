"""A picture shows what happened, no more and no less; with a seat, only what that seat knew."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.drawing.scene import Arrow, Banner, Bond, Closing, Item, Mark, MarkKind, Scene, Step
from arena.games.board import Agreement, Family, Offer, TakeOver, events
from arena.games.board import Card as BoardCard
from arena.games.board.presenting.picture_steps import family_chips
from arena.games.cards import Card
from arena.games.cards import events as card_events
from arena.games.contract import Chanced
from arena.penalties import FaultKind
from arena.replay.lines import Answered, Faulted
from arena.replay.read import rules_of

from .drawings import REPLAYS, drawn, replay, scene, spans, telling

BOARD = [name for name in REPLAYS if not name.startswith("card-game")]
CARDS = [name for name in REPLAYS if name.startswith("card-game")]


def items(shown: Scene) -> list[Item]:
    return [item for step in shown.steps for moment in step.moments for item in moment]


def marks(shown: Scene, kind: MarkKind) -> list[Mark]:
    return [item for item in items(shown) if isinstance(item, Mark) and item.kind is kind]


@pytest.mark.parametrize("name", BOARD)
def test_every_play_agreement_and_closing_of_a_deal_is_shown_once(name: str) -> None:
    header, lines = replay(name)
    for span in telling(header, lines):
        deal, shown = lines[span.first : span.last], scene(header, lines, span)
        happened = [type(line) for line in deal]
        stopped = [mark for mark in items(shown) if isinstance(mark, Mark) and mark.stopped_by is not None]
        assert len(stopped) == happened.count(events.Stopped)
        assert sum(mark.boss for mark in marks(shown, MarkKind.BOSS)) == 1 + happened.count(events.NewBoss)
        assert len(marks(shown, MarkKind.PLAY)) == happened.count(events.Played) - happened.count(events.NewBoss)
        assert len(marks(shown, MarkKind.FELL)) == happened.count(events.AgreementFell)
        closings = [item for item in items(shown) if isinstance(item, Closing)]
        assert len(closings) == happened.count(events.Named)
        assert [not closing.foiled for closing in closings].count(True) == happened.count(events.Closed)
        ticks = sum(step.label.startswith("tick") for step in shown.steps)
        quiet = [step for step in shown.steps if step.moments == ((Banner("nothing new"),),)]
        assert ticks == happened.count(events.TickBegan) - _taken_together(quiet)
        agreed = [token for item in items(shown) if isinstance(item, Bond) for token in item.tokens]
        in_closings = happened.count(events.Agreed) - len(agreed)
        assert 0 <= in_closings <= sum(len(closing.shares) for closing in closings) * 2
        assert all(token.agreed for token in agreed)


def _taken_together(quiet: list[Step]) -> int:
    """How many ticks fewer there are because quiet ones share a band."""
    together = [step.label.removeprefix("ticks ").split("–") for step in quiet if "–" in step.label]
    return sum(int(last) - int(first) for first, last in together)


@pytest.mark.parametrize("name", BOARD)
def test_the_money_of_a_deal_is_that_of_its_last_line(name: str) -> None:
    header, lines = replay(name)
    for span in spans(header, lines)[:12]:
        end, shown = lines[span.last - 1], scene(header, lines, span)
        amounts = [lane.amount for lane in shown.lanes]
        if isinstance(end, events.Closed):
            kept = end.proceeds - sum(end.paid)
            assert amounts == [paid + kept * (seat == end.boss) for seat, paid in enumerate(end.paid)]
            assert f"closes for ${end.proceeds}M and keeps ${kept}M" in shown.title
            assert f"${kept}M" in drawn(header, lines, span) or not kept
        else:
            assert isinstance(end, events.Failed)
            assert amounts == [None] * len(amounts)
            assert "nobody is paid" in drawn(header, lines, span)


@pytest.mark.parametrize("name", CARDS)
def test_every_bargain_and_payment_of_a_round_is_shown(name: str) -> None:
    header, lines = replay(name)
    for span in spans(header, lines):
        round_, shown = lines[span.first : span.last], scene(header, lines, span)
        happened = [type(line) for line in round_]
        arrows = [item for item in items(shown) if isinstance(item, Arrow)]
        assert len(arrows) == sum(map(happened.count, (card_events.Proposed, card_events.Requested)))
        cousins = happened.count(card_events.CousinMade)
        assert sum(token.agreed for arrow in arrows for token in arrow.tokens) == cousins
        assert sum(isinstance(item, Bond) for item in items(shown)) == cousins
        played = sum(map(happened.count, (card_events.Played, card_events.Dropped, card_events.Shifted)))
        assert len(marks(shown, MarkKind.PLAY)) == played
        assert len(marks(shown, MarkKind.LAY)) == happened.count(card_events.Passed) + happened.count(
            card_events.XOpened
        )
        end = round_[-1]
        assert isinstance(end, card_events.Settled)
        assert tuple(lane.amount for lane in shown.lanes) == end.amounts
        assert span.number == end.round


def _deal(*happened: Any) -> tuple[Any, Scene]:
    """A deal of three seats in which seat 1 is the Boss."""
    header, lines = replay("schmidt-1994-3p")
    before = lines[: spans(header, lines)[0].first]
    told = [*before, events.Opened(1, 0, 12), events.TickBegan(1), *happened, events.Failed(1, True)]
    return header, scene(header, told, spans(header, told)[0])


def _offers(shown: Scene) -> list[tuple[int, int, list[bool]]]:
    found = [item for item in items(shown) if isinstance(item, Arrow)]
    return [(arrow.source, arrow.target, [token.agreed for token in arrow.tokens]) for arrow in found]


RED, BLUE = (Family.RED,), (Family.BLUE,)


def test_an_offer_is_agreed_only_while_it_is_open() -> None:
    offered = events.Offered(0, (Offer(1, 3, RED), Offer(1, 2, BLUE)))
    _, shown = _deal(offered, events.TickBegan(2), events.Agreed(Agreement(0, 2, BLUE)))
    assert _offers(shown) == [(0, 1, [True, False])]  # agreed ones first
    withdrawn = events.Offered(0, (Offer(1, 3, RED),))
    _, shown = _deal(offered, withdrawn, events.TickBegan(2), events.Agreed(Agreement(0, 2, BLUE)))
    assert _offers(shown) == [(0, 1, [False, False])]


def test_the_offers_of_the_boss_lapse_with_the_tick() -> None:
    offered, agreed = events.Offered(1, (Offer(2, 3, RED),)), events.Agreed(Agreement(2, 3, RED))
    assert _offers(_deal(offered, agreed)[1]) == [(1, 2, [True])]
    assert _offers(_deal(offered, events.TickBegan(2), agreed)[1]) == [(1, 2, [False])]


def test_an_offer_that_is_sent_again_is_drawn_once_but_anew_under_another_boss() -> None:
    offered = events.Offered(0, (Offer(1, 3, RED),))
    once = _offers(_deal(offered, events.TickBegan(2), offered)[1])
    assert once == [(0, 1, [False])]
    change = (events.Played(2, TakeOver()), events.NewBoss(2), events.TickBegan(2))
    anew = _offers(_deal(offered, *change, events.Offered(0, (Offer(2, 3, RED),)))[1])
    assert anew == [(0, 1, [False]), (0, 2, [False])]


def test_families_are_told_apart_by_letters_in_every_edition() -> None:
    for name in BOARD:
        chips = family_chips(rules_of(replay(name)[0]))
        assert len({chip.text for chip in chips.values()}) == 6
    rules = rules_of(replay(BOARD[0])[0])
    names = dict(zip(Family, ("Anna", "Anne", "Ben", "Bert", "Carl", "Cleo"), strict=True))
    said = [chip.text for chip in family_chips(replace(rules, names=names)).values()]
    assert said == ["R", "Y", "B", "M", "O", "G"]  # Anna and Anne differ too late
    names = dict(zip(Family, ("Ann", "Abe", "Ben", "Bert", "Carl", "Cleo"), strict=True))
    assert [chip.text for chip in family_chips(replace(rules, names=names)).values()][:2] == ["Ann", "Abe"]


# What a seat knew ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*BOARD[::3], *CARDS[::2]])
def test_what_is_hidden_from_a_seat_changes_nothing_in_its_picture(name: str) -> None:
    header, lines = replay(name)
    seat = 1
    other = replace(header, seed="another seed")
    changed = [_hidden_changed(line, seat) for line in lines]
    assert sum(new != old for new, old in zip(changed, lines, strict=True)) > 10
    for span in telling(header, lines):
        assert drawn(header, lines, span, seat) == drawn(other, changed, span, seat)
        assert header.seed in drawn(header, lines, span)


def _hidden_changed(line: Any, seat: int) -> Any:
    """The line with other content where ``seat`` may not see it."""
    match line:
        case events.Drew(who, count) if who != seat:
            return events.Drew(who, count, (BoardCard.STOP,) * count)
        case card_events.Drew(who, count) if who != seat:
            return card_events.Drew(who, count, (Card.WILD_POTA,) * count)
        case card_events.Discarded(who, count) if who != seat:
            return card_events.Discarded(who, count, (Card.WILD_POTA,) * count)
        case Chanced(name):
            return Chanced(name, (), 0)
        case Answered(seat=who) if who != seat:
            return replace(line, note="secret", move=msgspec.Raw(b'{"move":"pass"}'))
        case _:
            return line


def test_faults_are_shown_to_those_who_may_know_them() -> None:
    header, lines = replay("schmidt-1994-3p")
    span = spans(header, lines)[0]
    fault = Faulted(9, 2, "offer", FaultKind.LATE, "0.2 s", 1)
    told = [*lines[: span.last - 1], fault, *lines[span.last - 1 :]]
    span = spans(header, told)[0]
    assert [mark.seat for mark in marks(scene(header, told, span), MarkKind.FAULT)] == [2]
    assert [mark.seat for mark in marks(scene(header, told, span, seat=2), MarkKind.FAULT)] == [2]
    assert marks(scene(header, told, span, seat=0), MarkKind.FAULT) == []
