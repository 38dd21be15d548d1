"""Everything a seat could do on its turn, each with the outlook after it (C3.2, C3.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from arena.games.cards.answers import legal
from arena.games.cards.answers.seat import table_of
from arena.games.cards.cards import count_cards
from arena.games.cards.moves import Action, Drop, Enough, Play, Shift
from arena.games.cards.rules import Rules
from arena.games.cards.strategy.holdings import playable
from arena.games.cards.strategy.outlooks import Outlook, after, outlook, shifted
from arena.games.cards.table import Table
from arena.games.cards.views import CardsView, PlayView

Worth = Callable[[Outlook], float]


class Choice(NamedTuple):
    """An action that a seat could do, and the outlook after it. For a move card the action has its moves in ``shifts``;
    :func:`as_play` turns it into an answer to the hook ``play``."""

    action: Action
    outlook: Outlook


def choices(view: CardsView, rules: Rules, worth: Worth, drops: bool = False) -> list[Choice]:
    """Every action that the viewer, on turn, could do now, passes first, each with the outlook after it; under a
    bargain only what was agreed (C4.2). Each move card makes the moves with the highest ``worth``. With ``drops`` also
    discards of cards, which may be proposed to the Boss."""
    table, now = table_of(view, rules), outlook(view, rules)
    actions = [move for move in legal.legal_plays(table, view.seat, count_cards(view.hand)) if isinstance(move, Action)]
    if drops and table.bound is None:
        actions += [Drop(card) for card in dict.fromkeys(playable(view, rules))]
    best: tuple[Shift, ...] = ()
    most = max((card.moves for card in view.hand if card.color is view.color), default=0)
    if any(isinstance(action, Play) and action.card.moves for action in actions):
        best = _best_shifts(table, now, most, worth)
    found = []
    for action in actions:
        if isinstance(action, Play) and action.card.moves:
            action = Play(action.card, None, best[: action.card.moves])
        found.append(Choice(action, after(now, view.seat, action)))
    return found


def as_play(action: Action) -> Action:
    """The action as an answer to the hook ``play``: a move card without its moves, which are asked for afterwards."""
    return Play(action.card) if isinstance(action, Play) and action.shifts else action


def best_shifts(view: CardsView, rules: Rules, most: int, worth: Worth) -> tuple[Shift, ...]:
    """At least one and at most ``most`` moves of a move card, each the one after which ``worth`` is highest (C3.3);
    after the first, only moves that raise ``worth``. Empty if there is nothing to move."""
    return _best_shifts(table_of(view, rules), outlook(view, rules), most, worth)


def _best_shifts(table: Table, found: Outlook, most: int, worth: Worth) -> tuple[Shift, ...]:
    made: list[Shift] = []
    have = worth(found)
    for _ in range(most):
        ways = [(worth(then := shifted(found, shift)), shift, then) for shift in legal.legal_shifts(table)]
        if not ways:
            break
        gain, shift, then = max(ways, key=lambda way: way[0])
        if made and gain <= have:
            break
        made.append(shift)
        have, found = gain, then
        table.spread = table.spread.apply_shift(shift)
    return tuple(made)


def next_shift(view: PlayView, rules: Rules, worth: Worth) -> Shift | Enough:
    """An answer to ``play`` while a move card is in use: the move after which ``worth`` is highest, or enough if none
    raises it. The first move is made in any case (C3.3)."""
    now = outlook(view, rules)
    (shift,) = _best_shifts(table_of(view, rules), now, 1, worth)
    return shift if not view.moved or worth(shifted(now, shift)) > worth(now) else Enough()
