"""A match of the card game as tables: its rounds, shares, bargains and actions, computed from the contents of a replay.
The rows are described in :mod:`arena.games.cards.log.ledger_rows`.

:mod:`arena.games.cards.log.fold` keeps track of the table. The answer to every bargain is an event; whether a no was
only the default is known from the bot's fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from arena.games.cards import events
from arena.games.cards.cards import CARDS, Card, Color
from arena.games.cards.log.fold import CardsFold
from arena.games.cards.log.fold_cards import CENTRE_PLACE
from arena.games.cards.log.ledger_rows import (
    ActionKind,
    ActionRow,
    Answer,
    BargainKind,
    BargainRow,
    RoundRow,
    ShareRow,
)
from arena.games.cards.moves import Action, Drop, Pass
from arena.games.cards.rules import BASE_MULTIPLIER, Rules
from arena.games.contract import Event, Move


class CardsLedger:
    """Follows one match, as :class:`arena.games.contract.Ledger` describes.

    ``first`` is the index of this round's first bargain; ``turns`` counts the turns of the round so far; ``keeps`` is
    the number of the bargain that the seat on turn keeps with its next action.
    """

    hears: frozenset[str] = frozenset()

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.table = CardsFold(rules, players, None)
        self.rounds: list[RoundRow] = []
        self.shares: list[ShareRow] = []
        self.bargains: list[BargainRow] = []
        self.actions: list[ActionRow] = []
        self.out: set[int] = set()
        self.failed = -1
        self._begin()

    def _begin(self) -> None:
        self.first = len(self.bargains)
        self.turns = 0
        self.keeps: int | None = None
        self.led: Card | None = None

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of every table, by the table's name."""
        return {"rounds": self.rounds, "shares": self.shares, "bargains": self.bargains, "actions": self.actions}

    def answer(self, ask: int, seat: int, hook: str, move: Move) -> None:
        """Do nothing: the events say all that follows from an answer."""

    def fail(self, ask: int, seat: int, hook: str, out: bool) -> None:
        """Record a fault, for which the default was played."""
        if hook == "accept":
            self.failed = seat
        if out:
            self.out.add(seat)

    def follow(self, event: Event) -> None:
        """Apply ``event``. Raises ValueError if it cannot happen now."""
        match event:
            case events.Settled(number, boss, value, amounts):
                color, shares = self.table.color, self._shares(boss)
                self.table.follow(event)
                self._settle(number, boss, color, value, amounts, shares)
            case events.Played() | events.Shifted() | events.Dropped() | events.Passed() | events.Led():
                before = self.table.passes[event.seat]
                self.table.follow(event)
                self._act(event, before)
            case _:
                self.table.follow(event)
                self._bargain(event)

    def _act(self, event: Event, before: int) -> None:
        """Record an action of a seat (C3); ``before`` is the number of disks it had turned before."""
        match event:
            case events.Led(seat, card):
                self.led = card
                self._add(seat, ActionKind.LEAD, card)
            case events.Played(seat, card, to):
                self._add(seat, ActionKind.PLAY, card, front=to)
            case events.Shifted(seat, card, source, to):
                self.actions.append(
                    ActionRow(
                        round=self.table.round,
                        turn=self.turns,
                        seat=seat,
                        kind=ActionKind.SHIFT,
                        card=card,
                        source=source,
                        front=to,
                        bargain=self.actions[-1].bargain,
                    )
                )
            case events.Dropped(seat, card):
                self._add(seat, ActionKind.DROP, card)
            case events.Passed(seat, disks):
                self._add(seat, ActionKind.DOUBLE_PASS if disks - before == 2 else ActionKind.PASS)

    def _add(self, seat: int, kind: ActionKind, card: Card | None = None, front: int | None = None) -> None:
        self.turns += 1
        keeps, self.keeps = self.keeps, None
        self.actions.append(
            ActionRow(
                round=self.table.round, turn=self.turns, seat=seat, kind=kind, card=card, front=front, bargain=keeps
            )
        )

    def _bargain(self, event: Event) -> None:
        """Record an event about Cousins (C4) or the beginning of a round (C3.1)."""
        boss = self.table.boss
        match event:
            case events.RoundBegan():
                self._begin()
            case events.ColorNamed(seat):
                self._add(seat, ActionKind.COLOR)
            case events.Proposed(seat, action) if boss is not None:
                self._offer(BargainKind.PROPOSAL, seat, boss, _action_columns(action))
            case events.Requested(to, want, least) if boss is not None:
                self._offer(BargainKind.REQUEST, boss, to, (want.value, None, None), least)
            case events.Refused(seat):
                answer = Answer.DEFAULT if seat in self.out or seat == self.failed else Answer.NO
                self.bargains[-1] = replace(self.bargains[-1], answer=answer)
                self.failed = -1
            case events.CousinMade():
                self.bargains[-1] = replace(self.bargains[-1], answer=Answer.YES)
                self.keeps = self.bargains[-1].bargain

    def _offer(
        self,
        kind: BargainKind,
        by: int,
        to: int,
        wanted: tuple[str, Card | None, int | None],
        least: int = 0,
    ) -> None:
        """Record a bargain offered between the Boss and a seat; ``wanted`` is the result of :func:`_action_columns`."""
        want, card, front = wanted
        self.bargains.append(
            BargainRow(
                bargain=len(self.bargains) + 1,
                round=self.table.round,
                turn=self.turns + 1,
                kind=kind,
                by=by,
                to=to,
                seat=by if kind is BargainKind.PROPOSAL else to,
                want=want,
                card=card,
                front=front,
                least=least,
                answer=Answer.NO,
                token=0,
            )
        )

    def _shares(self, boss: int) -> list[tuple[bool, int, int]]:
        """By seat: whether it is a Cousin, and the numbers of POTA and reverse cards in front of it."""
        found = []
        for seat in range(self.players):
            potas = reverses = 0
            for kind, count in enumerate(self.table.cards.lying[seat]):
                if count:
                    potas += count if CARDS[kind].is_pota else 0
                    reverses += count if CARDS[kind].is_reverse else 0
            found.append((seat in self.table.cousins, potas, reverses))
        self.total = sum(CARDS[kind].worth * count for kind, count in enumerate(self.table.cards.lying[CENTRE_PLACE]))
        return found

    def _settle(
        self,
        number: int,
        boss: int,
        color: Color | None,
        value: int,
        amounts: tuple[int, ...],
        held: list[tuple[bool, int, int]],
    ) -> None:
        """Record the end of a round (C5); the table has been cleared by then, so its contents are passed."""
        assert color is not None
        for seat, (cousin, potas, reverses) in enumerate(held):
            shares = (seat == boss) + cousin + potas
            due = shares * value * (-1 if reverses % 2 else 1)
            if not (due <= amounts[seat] <= max(due, 0)):
                raise ValueError(f"seat {seat} receives ${amounts[seat]}, due are ${due}")
            self.shares.append(
                ShareRow(
                    round=number,
                    seat=seat,
                    boss=seat == boss,
                    cousin=cousin,
                    potas=potas,
                    reverses=reverses,
                    shares=shares,
                    due=due,
                    amount=amounts[seat],
                )
            )
        for place in range(self.first, len(self.bargains)):
            made = self.bargains[place]
            if made.answer is Answer.YES:
                token = value * (-1 if held[made.seat][2] % 2 else 1)
                self.bargains[place] = replace(made, token=token)
        self.rounds.append(
            RoundRow(
                round=number,
                boss=boss,
                color=color,
                led=self.led,
                turns=self.turns,
                tokens=sum(cousin for cousin, _, _ in held),
                total=self.total,
                multiplier=BASE_MULTIPLIER + self.table.exes,
                value=value,
                amounts=amounts,
            )
        )


def _action_columns(action: Action) -> tuple[str, Card | None, int | None]:
    """The kind of an action, its card, and the seat in front of which the card goes."""
    if isinstance(action, Pass):
        return ("double pass" if action.double else "pass"), None, None
    if isinstance(action, Drop):
        return "drop", action.card, None
    return "play", action.card, action.to


def cards_ledger(rules: Rules, players: int) -> CardsLedger:
    """A ledger that begins before the first event. Raises ValueError for a number of players the edition lacks."""
    if not rules.players[0] <= players <= rules.players[1]:
        raise ValueError(f"{rules.name} is for {rules.players[0]} to {rules.players[1]} players, not {players}")
    return CardsLedger(rules, players)
