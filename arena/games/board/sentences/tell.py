"""The board game's events and moves in sentences, with the edition's own names, for ``arena show``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from arena.games.board import events, moves
from arena.games.board.cards import CARD_ID, CLAN, TRAVEL, WILD, Card, Family
from arena.games.board.rules import Rules
from arena.games.board.sentences.tell_offers import OpenOffers
from arena.games.contract import Chanced, Event, Move


class Teller:
    """Puts events and moves into words. ``names`` are the seats' bots, in seat order; ``boss`` is the Boss of the
    negotiation (None outside one), because the Boss's offers are to buy, and those of others to sell."""

    def __init__(self, rules: Rules, names: Sequence[str], boss: int | None = None) -> None:
        self.rules = rules
        self.names = names
        self.boss = boss
        self.open = OpenOffers(len(names))
        self.last: tuple[Event, str | None] | None = None

    def seat(self, seat: int) -> str:
        """The seat as ``name (number)``."""
        return f"{self.names[seat]} ({seat})"

    def family(self, family: Family) -> str:
        """The family's name in this edition."""
        return self.rules.names[family]

    def cards(self, cards: Iterable[Card]) -> str:
        """A list of influence cards in words."""
        return ", ".join(map(self.card, cards)) or "nothing"

    def card(self, card: Card) -> str:
        """One influence card in words."""
        kind = CARD_ID[card]
        if kind >= WILD:
            return "wild travel" if kind == WILD else str(card)
        assert card.family is not None
        return f"{self.family(card.family)} {'clan' if kind < CLAN + TRAVEL else 'travel'}"

    def investors(self, placards: Iterable[Family], clans: Iterable[Family]) -> str:
        """Placards and clan cards that take part, in words."""
        said = [self.family(family) for family in placards]
        said += [f"{self.family(family)} (clan card)" for family in clans]
        return ", ".join(said)

    def space(self, space: int) -> str:
        """A space by its number and needs."""
        it = self.rules.spaces[space]
        needs = [self.family(family) for family in it.required]
        for group in it.groups:
            if group.choose:
                needs.append(f"{group.choose} of {'/'.join(map(self.family, group.families))}")
        return f"space {space} ({' + '.join(needs)}; {it.dividends} dividends)"

    def play(self, play: Move) -> str:
        """A play of influence cards in words."""
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
        """The addressee and terms of an offer, in words that follow "offers": the Boss pays, others sell to it."""
        return f"{self.seat(offer.to)} {self.terms(offer)}"

    def offers(self, offers: Iterable[moves.Offer]) -> str:
        """Several offers of a seat in the same words; an addressee common to all is named once."""
        same = groupby(offers, key=lambda offer: offer.to)
        return "; ".join(f"{self.seat(to)} {'; '.join(map(self.terms, each))}" for to, each in same)

    def offers_text(self, offers: Sequence[moves.Offer], offering: bool) -> str:
        """What a seat offers from now on, in words; ``offering``: it had offers open before."""
        if offers:
            return f"offers {self.offers(offers)}"
        return "withdraws all offers" if offering else "offers nothing"

    def terms(self, offer: moves.Offer) -> str:
        """An offer's terms in words."""
        cards = self.investors(offer.placards, offer.clans) or "goodwill"
        return f"{cards} for ${offer.price}M" if offer.to == self.boss else f"${offer.price}M for its {cards}"

    def agreement(self, terms: moves.Agreement) -> str:
        """An agreement's terms in words."""
        cards = self.investors(terms.placards, terms.clans) or "goodwill"
        return f"{cards} of {self.seat(terms.partner)} for ${terms.price}M"

    def event(self, event: Event) -> str | None:
        """One event as a sentence, or None if not worth a line. Events must come in order; one may be repeated."""
        if self.last is not None and self.last[0] == event:
            return self.last[1]
        match event:
            case events.Opened(seat) | events.NewBoss(seat):
                self.boss = seat
            case events.Closed() | events.Failed():
                self.boss = None
        said = self.sentence(event)
        self.open.follow(event)
        self.last = event, said
        return said

    def sentence(self, event: Event) -> str | None:
        """One event as a sentence, or None, given the current Boss."""
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
                return f"  {self.seat(seat)} {self.offers_text(offers, self.open.has_offer(seat))}."
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
            case events.Closed(_, space, boss, proceeds, paid):
                shares = [f"{self.seat(seat)} ${amount}M" for seat, amount in enumerate(paid) if amount]
                shares.insert(0, f"{self.seat(boss)} keeps ${event.kept}M")
                return f"The deal on space {space} closes: ${proceeds}M, {', '.join(shares)}."
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


def tell(rules: Rules, names: Sequence[str]) -> Callable[[Event], str | None]:
    """A function that puts the events of one match, passed in order, into sentences (None: not worth a line)."""
    return Teller(rules, names).event
