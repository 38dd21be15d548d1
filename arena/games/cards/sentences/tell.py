"""The card game's events and actions in sentences, for ``arena show``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.games.cards import events
from arena.games.cards.answers.judge import request_text
from arena.games.cards.moves import Action, Drop, Pass, Play, Request, Shift
from arena.games.cards.rules import Rules
from arena.games.contract import Chanced, Event


class Teller:
    """Puts events and actions into words. ``names`` are the seats' bots, in seat order."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def seat(self, seat: int) -> str:
        """The seat as ``name (number)``."""
        return f"{self.names[seat]} ({seat})"

    def action(self, action: Action) -> str:
        """A proposed action in words."""
        match action:
            case Pass(double):
                return "pass twice" if double else "pass"
            case Drop(card):
                return f"discard {card}"
            case Play(card, to, shifts):
                where = f" in front of {self.seat(to)}" if to is not None else ""
                moves = ", ".join(map(self.shift, shifts))
                return f"play {card}{where}" + (f" to move {moves}" if moves else "")

    def shift(self, shift: Shift | events.Shifted) -> str:
        """One move of a move card in words."""
        source = "the centre" if shift.source is None else self.seat(shift.source)
        to = "the discard pile" if shift.to is None else self.seat(shift.to)
        return f"{shift.card} from {source} to {to}"

    def event(self, event: Event) -> str | None:
        """One event as a sentence, or None if it is not worth a line."""
        match event:
            case Chanced():
                return None
            case events.RoundBegan(number, boss):
                return f"\nRound {number}: {self.seat(boss)} is the Boss."
            case events.Led(seat, card):
                return f"{self.seat(seat)} leads {card}."
            case events.ColorNamed(seat, color):
                return f"{self.seat(seat)} has nothing to lead and names {color}."
            case events.Played(seat, card, to):
                where = "" if to is None else " in front of itself" if to == seat else f" in front of {self.seat(to)}"
                return f"{self.seat(seat)} plays {card}{where}."
            case events.Shifted():
                return f"  {self.shift(event)}."
            case events.Dropped(seat, card):
                return f"{self.seat(seat)} discards {card} without effect."
            case events.Passed(seat, disks):
                return f"{self.seat(seat)} passes" + (" and is out." if disks == 2 else ".")
            case _:
                return self._bargain(event) or self._between(event)

    def _bargain(self, event: Event) -> str | None:
        match event:
            case events.Proposed(seat, action):
                return f"  {self.seat(seat)} offers to {self.action(action)} for a Cousin token."
            case events.Requested(to, want, least):
                return f"  The Boss offers {self.seat(to)} a Cousin token for {request_text(Request(want, least))}."
            case events.Refused(seat):
                return f"  {self.seat(seat)} says no."
            case events.CousinMade(seat):
                return f"  Agreed: {self.seat(seat)} is a Cousin."
            case _:
                return None

    def _between(self, event: Event) -> str | None:
        match event:
            case events.Drew(seat, count, cards):
                return (
                    f"{self.seat(seat)} draws {', '.join(cards) if cards else _cards_text(count)}." if count else None
                )
            case events.XOpened(seat, multiplier):
                return f"{self.seat(seat)} draws an X: the multiplier is {multiplier} now."
            case events.Reshuffled(count, third_x):
                with_x = ", with the third X," if third_x else ""
                return f"The discard pile of {_cards_text(count)}{with_x} is the new deck."
            case events.Settled(number, _, value, amounts):
                received = ", ".join(
                    f"{self.seat(s)} {_signed_dollars(amount)}" for s, amount in enumerate(amounts) if amount
                )
                return (
                    f"Round {number} settles at {_signed_dollars(value)} a share: {received or 'nobody gets anything'}."
                )
            case events.Discarded(seat, count, cards):
                return f"{self.seat(seat)} discards {', '.join(cards) if cards else _cards_text(count)}."
            case _:
                return None


def _cards_text(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _signed_dollars(dollars: int) -> str:
    return f"-${-dollars}" if dollars < 0 else f"${dollars}"


def tell(rules: Rules, names: Sequence[str]) -> Callable[[Event], str | None]:
    """A function that puts the events of one match into sentences (None: not worth a line)."""
    return Teller(names).event
