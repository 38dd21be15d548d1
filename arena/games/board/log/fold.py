"""The table of the board game after every event, computed from a replay's events alone.

It shares no code for rules with the engine, so that the tests in ``tests/laws`` can check each against the other.
``arena docs replay`` says when the table changes without an event of its own.
"""

from __future__ import annotations

from arena.games.board import events
from arena.games.board.cards import (
    BOSS,
    CARD_ID,
    CARDS,
    FAMILIES,
    FAMILY_ID,
    RECRUITMENT,
    STOP,
    TRAVEL,
    WILD,
    Card,
    clans_listed,
    list_cards,
)
from arena.games.board.log.fold_cards import FoldedCards, remove
from arena.games.board.log.fold_table import BoardTable, TablePlacard
from arena.games.board.log.fold_terms import FoldedTerms
from arena.games.board.moves import Close, Recruit, TakeOver, Travel
from arena.games.board.rules import Rules
from arena.games.board.views import ClosedDeal, NamedClosing, OpenOffer, OpenPlay
from arena.games.contract import Chanced, Event

OF_TURNS = frozenset(
    {
        *(events.TurnBegan, events.MarkerMoved, events.Drew, events.Reshuffled, events.Discarded, events.Opened),
        *(events.PlacardDealt, events.Closed, events.Failed, events.Returned, events.TravelEnded, events.EndRolled),
    }
)
"""Events outside negotiations, and those that begin or end a negotiation."""


class BoardFold:
    """Follows one match, as :class:`arena.games.contract.Fold` describes.

    ``deals`` are the numbers of the deal cards still to be played; ``on_placards`` are the travel cards by family;
    ``clearing`` is true after a deal has closed, while its cards are cleared away; ``to_fit`` are the seats whose hands
    must come down to the limit before the next turn (None while the turn goes on).
    """

    def __init__(self, rules: Rules, players: int, seat: int | None) -> None:
        self.rules, self.players, self.seat = rules, players, seat
        self.made: BoardTable | None = None
        self.cards = FoldedCards(sum(rules.deck.counts()), players, seat)
        self.terms = FoldedTerms(players)
        self.owners: list[int | None] = [None] * len(FAMILIES)
        self.on_placards: list[Card | None] = [None] * len(FAMILIES)
        self.money = [0] * players
        self.ledger: tuple[ClosedDeal, ...] = ()
        self.deals = [card for card in sorted(rules.deals) if card not in rules.skip_deals]
        self.covered: tuple[int, ...] = ()
        self.marker: int | None = None
        self.turn = 0
        self.on_turn: int | None = None
        self.next_on_turn = 0
        self.rolled = self.must_deal = self.failed_here = self.clearing = self.over = False
        self.active: set[int] = set()
        self.play: OpenPlay | None = None
        self.travel = Card.TRAVEL_WILD
        self.to_fit: range | None = None

    @property
    def table(self) -> BoardTable:
        """The current table."""
        if self.made is None:
            self.made = self._table()
        return self.made

    def follow(self, event: Event) -> None:
        """Apply ``event`` to the table. Raises ValueError if it cannot happen now."""
        seen = event if self.seat is None else event.seen_by(self.seat)
        if seen is None or isinstance(seen, Chanced):
            return
        self.made = None
        if type(seen) in OF_TURNS:  # many: they need not be held against every event of negotiations first
            self._turn(seen)
        else:
            self._negotiation(seen)

    def _negotiation(self, event: Event) -> None:
        """Apply an event of a negotiation (B4, B5); pass any other to :meth:`_effect`."""
        match event:
            case events.TickBegan(tick):
                self.terms.begin_tick(tick)
            case events.Offered(seat, offers):
                self.terms.offer(seat, offers)
            case events.Laid(seat, clans):
                self.cards.lay(seat, clans)
                self._activate(seat)
            case events.Agreed(agreement):
                self.terms.add_agreement(agreement, self.cards.laid[agreement.partner])
            case events.AgreementFell(agreement):
                self.terms.drop_agreement(agreement)
            case events.Played():
                self._play(event)
            case events.Stopped(seat):
                self.cards.discard(seat, STOP)
                self._activate(seat)
                self.play = None
                self._fit()
            case events.Named(seat, placards, clans, partners):
                self.terms.fresh = True
                self.terms.lapse()
                self.terms.named = NamedClosing(seat, Close(placards, clans, partners))
            case _:
                self._effect(event)

    def _play(self, event: events.Played) -> None:
        seat, play = event.seat, event.play
        match play:
            case Travel(family, _, wild):
                kind = WILD if wild else TRAVEL + FAMILY_ID[family]
                self.travel = CARDS[kind]
                self.cards.discard(seat, kind)
            case TakeOver():
                self.cards.discard(seat, BOSS)
            case Recruit():
                self.cards.discard(seat, RECRUITMENT, 3)
        self.terms.lapse()
        self._activate(seat)
        if self.terms.boss is not None or self.rules.triple_at_limit != "unstoppable":
            self.play = OpenPlay(seat, play)

    def _activate(self, seat: int) -> None:
        self.active.add(seat)
        self.terms.fresh = True

    def _effect(self, event: Event) -> None:
        """Apply the effect of a play that was not stopped (B5.2 to B5.4); pass any other event to :meth:`_turn`."""
        match event:
            case events.Travelled(family, None):
                self.play = None
                remove(self.cards.discards, CARD_ID[self.travel])  # it lies on the placard until the end (B6.1)
                self.on_placards[FAMILY_ID[family]] = self.travel
                self.terms.end_placard(family)
            case events.Travelled(family, int(owner)):
                self.play = None
                self.cards.discard_laid(owner, family)
                self.terms.end_clans(owner, self.cards.laid[owner])
            case events.NewBoss(seat):
                self.play = None
                if self.rules.former_boss_is_active and self.terms.boss is not None:
                    self.active.add(self.terms.boss)
                self.terms.take_over(seat)
            case events.Recruited(seat, placard, owner):
                self.play = None
                if self.owners[FAMILY_ID[placard]] != owner:
                    raise ValueError(f"the {placard} placard is not recruited from where it lies")
                self.owners[FAMILY_ID[placard]] = seat
                self.terms.end_placard(placard)
                self._fit()
            case _:
                self._turn(event)

    def _turn(self, event: Event) -> None:
        """Apply an event of the set-up or a turn (B2, B3); pass any other to :meth:`_ending`."""
        match event:
            case events.TurnBegan(turn, seat):
                self.turn, self.on_turn = turn, seat
                self.rolled, self.to_fit, self.active = False, None, set()
                least = self.rules.must_deal_with
                self.must_deal = least is not None and self.cards.sizes[seat] >= least
            case events.MarkerMoved(space, roll):
                self.marker, self.failed_here = space, False
                self.rolled = self.rolled or roll is not None
                if self.clearing:
                    self._end_deal()
            case events.Drew(seat, count, cards):
                self.cards.draw(seat, count, cards)
                if self.turn:
                    self._end_turn(range(seat, seat + 1))
            case events.Reshuffled(count):
                self.cards.reshuffle(count)
            case events.Discarded(seat, cards):
                for card in cards:
                    if self.clearing:
                        self.cards.discard_laid(seat, FAMILIES[CARD_ID[card]])
                    else:
                        self.cards.discard(seat, CARD_ID[card])
                self._fit()
            case events.Opened(seat):
                self.terms.begin(seat)
            case events.PlacardDealt(placard, owner):
                self.owners[FAMILY_ID[placard]] = owner
            case _:
                self._ending(event)

    def _ending(self, event: Event) -> None:
        """Apply an event that ends a negotiation (B6, B7). Other lines of a replay are ignored."""
        match event:
            case events.Closed(number, space, boss, proceeds, paid):
                self._close(ClosedDeal(number, space, boss, proceeds, paid))
            case events.Failed():
                self._end_negotiation()
                self.failed_here = True
                self._end_turn(range(0))
            case events.Returned(seat, clans):
                self.cards.take_back(seat, clans)
            case events.TravelEnded(_, cards):
                if cards != tuple(filter(None, self.on_placards)):
                    raise ValueError("the cards on travelling placards are others")
                for card in cards:
                    self.cards.discards[CARD_ID[card]] += 1
                self.on_placards = [None] * len(FAMILIES)
            case events.EndRolled(_, ends):
                self.over = self.over or ends

    def _close(self, deal: ClosedDeal) -> None:
        if self.deals[:1] != [deal.number] or deal.space != self.marker:
            raise ValueError(f"deal card {deal.number} on space {deal.space} is not the one that was open")
        self.ledger = (*self.ledger, deal)
        for seat, amount in enumerate(deal.amounts):
            self.money[seat] += amount
        self.covered = tuple(sorted((*self.covered, deal.space)))
        del self.deals[0]
        self.over = not self.deals
        self.clearing, self.failed_here = True, False
        self._end_negotiation()

    def _end_negotiation(self) -> None:
        last = self.on_turn if self.rules.turn_order == "fixed" else self.terms.boss
        if last is None:
            raise ValueError("a negotiation ends that has not begun")
        self.next_on_turn = (last + 1) % self.players
        self.active = set()
        self.terms.begin(None)

    def _end_deal(self) -> None:
        """Pass the turn to the next seat, once all hands fit a late hand limit if one begins now (B8)."""
        self.clearing = False
        self.on_turn = self.next_on_turn
        since = self.rules.late_limit_from
        begins = since is not None and self.ledger[-1].number < since <= self.deals[0]
        self._end_turn(range(self.players if begins else 0))

    def _end_turn(self, to_fit: range) -> None:
        """End the turn, except for the discards of the seats ``to_fit``, whose hands may be too large."""
        self.to_fit = to_fit
        self._fit()

    def _fit(self) -> None:
        """End the match after its last turn, when all hands fit: it runs out of turns without an event (B3.5)."""
        if self.to_fit is None or self.turn < self.rules.max_turns:
            return
        since, limit = self.rules.late_limit_from, self.rules.hand_limit
        if since is not None and self.deals and self.deals[0] >= since:
            limit = min(limit, self.rules.late_hand_limit)
        self.over = self.over or all(self.cards.sizes[seat] <= limit for seat in self.to_fit)

    def _table(self) -> BoardTable:
        cards, terms = self.cards, self.terms
        return BoardTable(
            turn=self.turn,
            on_turn=self.on_turn,
            rolled=self.rolled,
            must_deal=self.must_deal,
            marker=self.marker,
            failed_here=self.failed_here,
            covered=self.covered,
            deal=self.deals[0] if self.deals else None,
            placards=tuple(map(TablePlacard, FAMILIES, self.owners, self.on_placards)),
            hands=tuple(None if hand is None else list_cards(bytes(hand)) for hand in cards.hands),
            hand_sizes=tuple(cards.sizes),
            laid=tuple(clans_listed(bytes(laid)) for laid in cards.laid),
            draw_pile=cards.pile,
            discards=tuple(cards.discards),
            money=tuple(self.money),
            boss=terms.boss,
            tick=terms.tick,
            quiet=terms.quiet,
            offers=tuple(OpenOffer(by, offer) for by, offers in enumerate(terms.offers) for offer in offers),
            agreements=tuple(sorted(terms.agreements, key=lambda a: (a.partner, a.price, a.placards, a.clans))),
            active=tuple(sorted(self.active)),
            play=self.play,
            named=terms.named,
            ledger=self.ledger,
            over=self.over,
        )


def board_fold(rules: Rules, players: int, seat: int | None) -> BoardFold:
    """A fold that begins before the match's first event, with every hand (None) or as ``seat`` sees it."""
    if not rules.players[0] <= players <= rules.players[1]:
        raise ValueError(f"{rules.name} is for {rules.players[0]} to {rules.players[1]} players, not {players}")
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat}; seats are 0 to {players - 1}")
    return BoardFold(rules, players, seat)
