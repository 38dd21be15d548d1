"""What most bots want to know about a card-game view, ready to import; the views hold everything else.

Every function reads a view (and the rules where editions differ), keeps nothing and changes nothing. Money is whole $,
seats count from 0 clockwise. The central class is :class:`Outlook`: the result of the round if it ended now, or after
an action::

    from arena.games.cards.strategy import after, best_shifts, choices, outlook, wealth

    worth = lambda found: found.receives(view.seat)
    best = max(choices(view, self.rules, worth), key=lambda choice: worth(choice.outlook))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from arena.games.cards import legal
from arena.games.cards.cards import CARD_ID, CARDS, COLORS, Card, Color, counted
from arena.games.cards.moves import Action, Bargain, Drop, Enough, Lead, Pass, Play, Propose, Request, Shift, Want
from arena.games.cards.rules import Rules
from arena.games.cards.seat import table_of
from arena.games.cards.table import Table, paid, share_value, stake
from arena.games.cards.views import CardsView, PlayView


class Outlook(NamedTuple):
    """A round in figures: the ``centre``'s sum, the $ that a point of it is worth (``per_point``: factor × multiplier),
    the ``limit`` of a share's value in $ (None: none), and by seat the ``shares`` (C5.2), the ``reverses`` in front and
    the ``passes`` (disks turned; 2: out)."""

    centre: int
    per_point: int
    limit: int | None
    shares: tuple[int, ...]
    reverses: tuple[int, ...]
    passes: tuple[int, ...]

    @property
    def value(self) -> int:
        """What a share is worth, cut to the limit, in $ (C5.1)."""
        return self.value_of(self.centre)

    def value_of(self, centre: int) -> int:
        """What a share would be worth with this sum in the centre, cut to the limit, in $ (C5.1)."""
        return share_value(self.per_point, centre, self.limit)

    def stake(self, seat: int) -> int:
        """The seat's shares, negative where an odd number of reverse cards lies in front of it (C5.2)."""
        return stake(self.shares[seat], self.reverses[seat])

    @property
    def stakes(self) -> list[int]:
        """:meth:`stake` of every seat."""
        return list(map(stake, self.shares, self.reverses))

    def receives(self, seat: int) -> int:
        """What the seat would receive (negative: pay, as far as its money goes), in $ (C5.2)."""
        return self.stake(seat) * self.value

    def amounts(self, money: Iterable[int]) -> list[int]:
        """What each seat would receive, in $, where they have this ``money``: nobody pays more (C5.3)."""
        value = self.value
        return [paid(stake * value, have) for stake, have in zip(self.stakes, money, strict=True)]

    def lead_of(self, seat: int, money: Iterable[int]) -> float:
        """What the seat would receive more than the others on average, in $, where they have this ``money``."""
        amounts = self.amounts(money)
        return (amounts[seat] * len(amounts) - sum(amounts)) / (len(amounts) - 1)

    def with_token(self, seat: int) -> Outlook:
        """The outlook once the seat has been given a Cousin token (C4.1)."""
        return self._replace(shares=_plus(self.shares, seat, 1))


class Choice(NamedTuple):
    """Something a seat could do, and the outlook after it. Of a move card the action names the moves in its ``shifts``:
    :func:`as_play` makes the answer for the hook ``play``."""

    action: Action
    outlook: Outlook


Worth = Callable[[Outlook], float]


def _plus(counts: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + number, *counts[seat + 1 :])


def outlook(view: CardsView, rules: Rules) -> Outlook:
    """What the round would come to if it ended now (C5)."""
    shares, reverses = [0] * view.players, [0] * view.players
    shares[view.boss] = 1
    for seat in view.cousins:
        shares[seat] += 1
    for seat, front in enumerate(view.fronts):
        flips = sum(card.is_reverse for card in front)
        reverses[seat] = flips
        shares[seat] += len(front) - flips
    return Outlook(
        sum(card.worth for card in view.centre),
        rules.factor * view.multiplier,
        None if rules.limit is None else rules.limit[view.players],
        tuple(shares),
        tuple(reverses),
        view.passes,
    )


def after(found: Outlook, seat: int, action: Action) -> Outlook:
    """The outlook once ``seat`` has done ``action`` (C3.3, C3.4). A move card has only the moves in its ``shifts``."""
    match action:
        case Pass(double):
            return found._replace(passes=_plus(found.passes, seat, 2 if double else 1))
        case Play(card, None, shifts):
            for shift in shifts:
                found = shifted(found, shift)
            return found._replace(centre=found.centre + card.worth) if card.worth else found
        case Play(card, to) if to is not None:
            return _laid(found, to, card, 1)
        case _:
            return found


def shifted(found: Outlook, shift: Shift) -> Outlook:
    """The outlook after one move of a move card (C3.3)."""
    if shift.source is None:
        return found._replace(centre=found.centre - shift.card.worth)
    found = _laid(found, shift.source, shift.card, -1)
    return found if shift.to is None else _laid(found, shift.to, shift.card, 1)


def _laid(found: Outlook, seat: int, card: Card, number: int) -> Outlook:
    if card.is_reverse:
        return found._replace(reverses=_plus(found.reverses, seat, number))
    return found._replace(shares=_plus(found.shares, seat, number))


def accepted(view: CardsView, rules: Rules, bargain: Bargain) -> Outlook:
    """The outlook once ``bargain`` has been struck: the seat on turn has its token and, where the offer names the exact
    action, has done it (C4.2). Of a request only the least that is asked for is counted."""
    found, seat = outlook(view, rules).with_token(view.on_turn), view.on_turn
    match bargain.offer:
        case Propose(action):
            return after(found, seat, action)
        case Request(Want.POSITIVE, least):
            return found._replace(centre=found.centre + least)
        case Request(Want.NEGATIVE, least):
            return found._replace(centre=found.centre - least)
        case Request(Want.POTA):
            return found._replace(shares=_plus(found.shares, view.boss, 1))
        case Request(Want.PASS):
            return after(found, seat, Pass())
        case _:
            return found


def choices(view: CardsView, rules: Rules, worth: Worth, drops: bool = False) -> list[Choice]:
    """Everything the viewer, on turn, could do now, passes first, each with the outlook after it; under a bargain only
    what was agreed (C4.2). Each move card makes the moves that ``worth`` likes best. With ``drops`` also discarding
    cards, which may be proposed to the Boss."""
    table, now = table_of(view, rules), outlook(view, rules)
    actions = [move for move in legal.plays(table, view.seat, counted(view.hand)) if isinstance(move, Action)]
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
    """The action as the hook ``play`` wants it: of a move card without its moves, which are asked for afterwards."""
    return Play(action.card) if isinstance(action, Play) and action.shifts else action


def best_shifts(view: CardsView, rules: Rules, most: int, worth: Worth) -> tuple[Shift, ...]:
    """At least one and at most ``most`` moves of a move card, each the one after which ``worth`` is highest (C3.3); no
    further one where none makes it higher. Empty where there is nothing to move."""
    return _best_shifts(table_of(view, rules), outlook(view, rules), most, worth)


def _best_shifts(table: Table, found: Outlook, most: int, worth: Worth) -> tuple[Shift, ...]:
    made: list[Shift] = []
    have = worth(found)
    for _ in range(most):
        ways = [(worth(then := shifted(found, shift)), shift, then) for shift in legal.shifts(table)]
        if not ways:
            break
        gain, shift, then = max(ways, key=lambda way: way[0])
        if made and gain <= have:
            break
        made.append(shift)
        have, found = gain, then
        table.spread = table.spread.shifted(shift)
    return tuple(made)


def next_shift(view: PlayView, rules: Rules, worth: Worth) -> Shift | Enough:
    """An answer to ``play`` while a move card is in use: the move after which ``worth`` is highest, or enough where
    none makes it higher. The first move is made in any case (C3.3)."""
    now = outlook(view, rules)
    (shift,) = _best_shifts(table_of(view, rules), now, 1, worth)
    return shift if not view.moved or worth(shifted(now, shift)) > worth(now) else Enough()


def playable(view: CardsView, rules: Rules) -> tuple[Card, ...]:
    """The cards in hand that could be played in this round, in card order (C3.2): those of its colour (move cards only
    while there is something to move) and wild ones. Empty before the lead."""
    if view.color is None:
        return ()
    movable = legal.can_shift(table_of(view, rules))
    return tuple(card for card in suit(view.hand, view.color) if movable or not card.moves)


def suit(hand: Iterable[Card], color: Color) -> tuple[Card, ...]:
    """The cards that can be played in a round of ``color``: those of the colour and wild ones, in the given order."""
    return tuple(card for card in hand if card.color is color or card.color is None)


def leads(view: CardsView) -> tuple[Lead, ...]:
    """The cards the viewer could lead, each kind once, in card order (C3.1); empty where it must name a colour."""
    return tuple(Lead(card) for card in dict.fromkeys(view.hand) if card.worth)


def still_in(view: CardsView) -> tuple[int, ...]:
    """The seats that are still in, ascending (C3.4)."""
    return tuple(seat for seat, turned in enumerate(view.passes) if turned < 2)


def wealth(view: CardsView, rules: Rules) -> list[int]:
    """Everybody's money by seat: the start money and what every settlement brought (C5.3)."""
    money = [rules.start_money] * view.players
    for deal in view.ledger:
        for seat, amount in enumerate(deal.amounts):
            money[seat] += amount
    return money


def unseen(view: CardsView, rules: Rules) -> dict[Card, int]:
    """How many cards of each kind the viewer sees neither in its hand, nor on the table, nor among the discards laid
    face up since the last shuffle: they are in other hands, in the deck, or were discarded face down (C6.2)."""
    counts = list(rules.deck.counts())
    for card in (*view.hand, *view.centre, *(card for front in view.fronts for card in front)):
        counts[CARD_ID[card]] -= 1
    return {card: counts[kind] - view.discards[kind] for kind, card in enumerate(CARDS)}


def expected_cards(view: CardsView, rules: Rules, color: Color) -> list[float]:
    """How many cards each seat is expected to hold that can be played in a round of ``color``, wild ones included: of
    the others' cards as many as of all unseen ones, of the viewer's own the number."""
    rest = unseen(view, rules)
    fitting = sum(count for card, count in rest.items() if card.color is color or card.color is None)
    rate = fitting / max(1, sum(rest.values()))
    found = [size * rate for size in view.hand_sizes]
    found[view.seat] = len(suit(view.hand, color))
    return found


def strength(hand: Iterable[Card], color: Color, weigh: Callable[[Card], float]) -> float:
    """What a hand can do in a round of ``color``: the sum of what ``weigh`` makes of each of its cards."""
    return sum(weigh(card) for card in suit(hand, color))


def best_color(hand: Iterable[Card], weigh: Callable[[Card], float]) -> Color:
    """The colour of greatest :func:`strength`; of equal ones the first in card order."""
    cards = tuple(hand)
    return max(COLORS, key=lambda color: strength(cards, color, weigh))


def weakest(hand: Iterable[Card], most: int, weigh: Callable[[Card], float], below: float) -> tuple[Card, ...]:
    """At most ``most`` cards that ``weigh`` puts below ``below``, the lightest first: an answer to ``discard``."""
    light = sorted((weigh(card), index, card) for index, card in enumerate(hand) if weigh(card) < below)
    return tuple(card for _, _, card in light[:most])
