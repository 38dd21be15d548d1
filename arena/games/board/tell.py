"""The board game in sentences, with the edition's own names, for ``arena show``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.games.board import events, moves
from arena.games.board.cards import CARD_ID, CLAN, TRAVEL, WILD, Card, Family
from arena.games.board.rules import Rules
from arena.games.contract import Chanced, Event, Move


class Teller:
    """Says events and moves. ``names`` are the seats' bots, in seat order."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules = rules
        self.names = names

    def seat(self, seat: int) -> str:
        """``name (seat)``."""
        return f"{self.names[seat]} ({seat})"

    def family(self, family: Family) -> str:
        """The family's name in this edition."""
        return self.rules.names[family]

    def cards(self, cards: Iterable[Card]) -> str:
        """A list of influence cards."""
        return ", ".join(map(self.card, cards)) or "nothing"

    def card(self, card: Card) -> str:
        """One influence card."""
        kind = CARD_ID[card]
        if kind >= WILD:
            return "wild travel" if kind == WILD else str(card)
        assert card.family is not None
        return f"{self.family(card.family)} {'clan' if kind < CLAN + TRAVEL else 'travel'}"

    def investors(self, placards: Iterable[Family], clans: Iterable[Family]) -> str:
        """Placards and clan cards that take part."""
        said = [self.family(family) for family in placards]
        said += [f"{self.family(family)} (clan card)" for family in clans]
        return ", ".join(said)

    def space(self, space: int) -> str:
        """A space by number, with what it needs."""
        it = self.rules.spaces[space]
        needs = [self.family(family) for family in it.required]
        for group in it.groups:
            if group.choose:
                needs.append(f"{group.choose} of {'/'.join(map(self.family, group.families))}")
        return f"space {space} ({' + '.join(needs)}; {it.dividends} dividends)"

    def play(self, play: Move) -> str:
        """A play of influence cards."""
        match play:
            case moves.Travel(family, clan_of, wild):
                whose = "placard" if clan_of is None else f"clan card of {self.seat(clan_of)}"
                return f"sends the {self.family(family)} {whose} travelling" + (" with a wild card" if wild else "")
            case moves.TakeOver():
                return "plays a boss card"
            case moves.Recruit(placard):
                return f"plays three recruitment cards for the {self.family(placard)} placard"
            case moves.Lay(clans):
                return f"lays {self.investors((), clans)}"
            case _:
                return "plays a STOP" if isinstance(play, moves.Stop) else "plays nothing"

    def offer(self, offer: moves.Offer) -> str:
        """An offer's terms."""
        return (
            f"{self.investors(offer.placards, offer.clans) or 'goodwill'} for ${offer.price}M to {self.seat(offer.to)}"
        )

    def agreement(self, terms: moves.Agreement) -> str:
        """An agreement's terms."""
        cards = self.investors(terms.placards, terms.clans) or "goodwill"
        return f"{cards} of {self.seat(terms.partner)} for ${terms.price}M"

    def event(self, event: Event) -> str | None:
        """One event, or None where it is not worth a line."""
        match event:
            case Chanced() | events.Fizzled():
                return None
            case events.PlacardDealt(placard, seat):
                where = "lies aside" if seat is None else f"goes to {self.seat(seat)}"
                return f"The {self.family(placard)} placard {where}."
            case events.Drew(seat, count, cards):
                return f"{self.seat(seat)} draws {self.cards(cards) if cards else f'{count} cards'}."
            case events.Reshuffled(count):
                return f"The discard pile of {count} cards is shuffled into a new draw pile."
            case events.TurnBegan(turn, seat):
                return f"\nTurn {turn}: {self.seat(seat)}."
            case events.MarkerMoved(space, roll):
                return (f"A {roll} is rolled; the" if roll else "The") + f" marker goes to {self.space(space)}."
            case events.Opened(seat, space, proceeds):
                return f"{self.seat(seat)} opens the deal on {self.space(space)} for ${proceeds}M."
            case events.TickBegan(tick):
                return f"  Tick {tick}."
            case events.EndRolled(roll, ends):
                return f"A {roll} is rolled: the match {'ends' if ends else 'goes on'}."
            case _:
                return self._negotiation(event) or self._ending(event)

    def _negotiation(self, event: Event) -> str | None:
        match event:
            case events.Laid(seat, clans):
                return f"  {self.seat(seat)} lays {self.investors((), clans)}."
            case events.Offered(seat, offers):
                listed = "; ".join(map(self.offer, offers))
                return f"  {self.seat(seat)} " + (f"offers {listed}." if listed else "withdraws all offers.")
            case events.Agreed(agreement):
                return f"  Agreed: {self.agreement(agreement)}."
            case events.AgreementFell(agreement):
                return f"  No longer agreed: {self.agreement(agreement)}."
            case events.Played(seat, play):
                return f"  {self.seat(seat)} {self.play(play)}."
            case events.Stopped(seat):
                return f"  {self.seat(seat)} plays a STOP against it."
            case events.Travelled(family, clan_of):
                what = "placard" if clan_of is None else f"clan card of {self.seat(clan_of)}"
                return f"  The {self.family(family)} {what} is on its travels."
            case events.NewBoss(seat):
                return f"  {self.seat(seat)} is the Boss now."
            case events.Recruited(seat, placard, owner):
                source = "aside" if owner is None else self.seat(owner)
                return f"  The {self.family(placard)} placard goes from {source} to {self.seat(seat)}."
            case events.Named(seat, placards, clans, partners):
                used = [self.investors(placards, clans)] if placards or clans else []
                used += map(self.agreement, partners)
                return f"  {self.seat(seat)} names a closing: {'; '.join(used)}."
            case _:
                return None

    def _ending(self, event: Event) -> str | None:
        match event:
            case events.Closed(number, space, boss, proceeds, paid):
                shares = [f"{self.seat(seat)} ${amount}M" for seat, amount in enumerate(paid) if amount]
                kept = proceeds - sum(paid)
                shares.insert(0, f"{self.seat(boss)} keeps ${kept}M")
                return f"Deal {number} closes on space {space}: ${proceeds}M, {', '.join(shares)}."
            case events.Failed(boss, gave_up):
                why = f"{self.seat(boss)} gives up" if gave_up else "time runs out"
                return f"The negotiation fails: {why}."
            case events.Returned(seat, clans):
                return f"{self.seat(seat)} takes back {self.investors((), clans)}."
            case events.Discarded(seat, cards):
                return f"{self.seat(seat)} discards {self.cards(cards)}."
            case events.TravelEnded(placards, _):
                return f"Back from travelling: {self.investors(placards, ())}."
            case _:
                return None


def tell(event: Event, rules: Rules, names: Sequence[str]) -> str | None:
    """One event in a sentence, or None where it is not worth a line."""
    return Teller(rules, names).event(event)
