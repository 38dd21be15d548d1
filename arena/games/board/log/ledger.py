"""A match of the board game as tables: its deals, offers, agreements, payments and plays, computed from the contents of
a replay. The rows are described in :mod:`arena.games.board.log.ledger_rows`.

:mod:`arena.games.board.log.fold` keeps track of the table. A replay has no line for an ask of the accept phase that was
answered no. Which offers were asked about follows from the events; the number of the first such ask follows from the
number of any ask to ``offer`` in the same tick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from arena.games.board import events
from arena.games.board.cards import CLAN_CARDS, FAMILY_ID, TRAVEL_CARDS, Card, Family, mask_of
from arena.games.board.log.deal_chances import bids_cover_asks, can_close, family_masks, shapley_values
from arena.games.board.log.fold import BoardFold
from arena.games.board.log.ledger_deals import DealBook
from arena.games.board.log.ledger_offers import FreeToPromise, OfferBook
from arena.games.board.log.ledger_rows import Answer, Ending, OfferOutcome, PlayKind, PlayRow
from arena.games.board.moves import Recruit, TakeOver, Travel
from arena.games.board.rules import Rules
from arena.games.contract import Chanced, Event, Move, Yes

ENDED_BY = {
    events.Agreed: OfferOutcome.UNDERCUT,
    events.Travelled: OfferOutcome.LAPSED,
    events.Recruited: OfferOutcome.LAPSED,
}
"""The events that end some of the open offers (B4.5, B4.8), with the outcome that these offers get."""
OFFER_EVENTS = frozenset({events.Offered, events.Laid})
"""The events of the offer phase, which come before any answer to an offer (B4.5)."""
CARD_CHANGES = frozenset({events.Opened, events.Recruited})
"""The events of a negotiation after which seats may have cards for a deal that they had not before."""
LEDGER_EVENTS = OFFER_EVENTS | {
    events.Opened,
    events.TickBegan,
    events.Agreed,
    events.AgreementFell,
    events.Named,
    events.Closed,
    events.Failed,
    events.Played,
    events.Stopped,
    events.NewBoss,
}
"""The events from which table rows are made; other events only change the cards and money on the table."""


class BoardLedger:
    """Follows one match, as :class:`arena.games.contract.Ledger` describes.

    ``wanted`` are two masks: the families that the space requires, and those of its choice groups. ``answered`` says
    whether an offer of this tick has been answered. ``boss_card`` is the index of the play that made the current Boss
    (-1: the Boss opened the deal).
    """

    hears = frozenset({"offer", "accept"})

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.table = BoardFold(rules, players, None)
        self.offers = OfferBook(players)
        self.deals = DealBook(rules, players)
        self.plays: list[PlayRow] = []
        self.initiative: Sequence[int] = ()
        self.answered = False
        self.wanted = (0, 0)
        self.boss_card = -1

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of every table, by the table's name."""
        return {
            "deals": self.deals.rows,
            "offers": self.offers.rows,
            "agreements": self.deals.agreements,
            "payments": self.deals.payments,
            "plays": self.plays,
        }

    def answer(self, ask: int, seat: int, hook: str, move: Move) -> None:
        """Record an answer found in the replay."""
        if hook == "offer":
            self.offers.first = ask - seat + self.players
        elif hook == "accept":
            self.answered = True
            self.offers.answer(ask, Answer.YES if isinstance(move, Yes) else Answer.NO)
        else:
            self._accepted()

    def fail(self, ask: int, seat: int, hook: str, out: bool) -> None:
        """Record a fault, for which the default was played."""
        if hook == "offer":
            self.offers.first = ask - seat + self.players
        elif hook == "accept":
            self.answered = True
            self.offers.answer(ask, Answer.DEFAULT)
        if out:
            self.offers.out[seat] = ask

    def follow(self, event: Event) -> None:
        """Apply ``event``. Raises ValueError if it cannot happen now."""
        if isinstance(event, Chanced):
            if event.name == "initiative":
                self._accepted()
                self.initiative = event.value  # type: ignore[assignment]
            return
        if self.offers.asked and (self.answered or type(event) not in OFFER_EVENTS):
            self._accepted()
        if type(event) in LEDGER_EVENTS:
            self._before(event)
        self.table.follow(event)
        if type(event) in CARD_CHANGES and self.table.terms.boss is not None and not self.deals.rows[-1].closable:
            self._check_closable()
        ended = ENDED_BY.get(type(event))
        if ended is not None and self.table.terms.boss is not None:
            self.offers.close_other_offers(self.table.terms.offers, ended)

    def _accepted(self) -> None:
        """Finish the accept phase, if there was one."""
        self.answered = False
        boss = self.table.terms.boss
        if self.offers.asked and boss is not None:
            proceeds = self.deals.rows[-1].proceeds
            self.offers.take_effect(boss, self.initiative, FreeToPromise(self.table.cards, self.table.terms, proceeds))

    def _before(self, event: Event) -> None:
        """Record an event of a negotiation before the table changes by it; pass a play to :meth:`_play`."""
        match event:
            case events.Offered(seat, offers):  # the most frequent first
                self.offers.set_out(seat, offers, self.deals.rows[-1], self.wanted)
            case events.TickBegan(tick):
                self.deals.tick(tick)
            case events.Opened():
                self._open(event)
            case events.Agreed(made):
                self.deals.add_agreement(made, self.offers.offer_for_agreement(made, self.deals.rows[-1].boss))
            case events.AgreementFell(terms):
                self.deals.drop_agreement(terms)
            case events.Named():
                self.deals.named = event
            case events.Closed():
                self.deals.close(event, self.table.active, self._shapley(event))
                if self.boss_card >= 0:
                    self.plays[self.boss_card] = replace(self.plays[self.boss_card], gained=self.deals.rows[-1].kept)
                self.offers.end_all(OfferOutcome.REFUSED)
            case events.Failed(_, gave_up):
                self.deals.fail(Ending.GIVEN_UP if gave_up else self._ran_out(), self._is_missed())
                self.offers.end_all(OfferOutcome.REFUSED)
            case _:
                self._play(event)

    def _open(self, event: events.Opened) -> None:
        number = self.table.deals[0]
        space = self.rules.spaces[event.space]
        self.deals.open(event, self.table.turn, number)
        self.wanted = mask_of(space.required), mask_of(f for group in space.groups for f in group.families)
        self.offers.forget()
        self.boss_card = -1

    def _check_closable(self) -> None:
        if can_close(self.rules.spaces[self.deals.rows[-1].space], family_masks(self.table)):
            self.deals.set_closable()

    def _is_missed(self) -> bool:
        deal = self.deals.rows[-1]
        return bids_cover_asks(self.table, self.rules.spaces[deal.space], deal.proceeds, self.offers.known)

    def _shapley(self, event: events.Closed) -> tuple[int, ...]:
        space = self.rules.spaces[event.space]
        return shapley_values(space, event.proceeds, event.boss, family_masks(self.table))

    def _ran_out(self) -> Ending:
        """Why time ran out (B4.9): too many quiet ticks, or too many ticks."""
        quiet = 0 if self.table.terms.fresh else self.table.terms.quiet + 1
        return Ending.QUIET if quiet >= self.rules.quiet_ticks else Ending.OUT_OF_TICKS

    def _play(self, event: Event) -> None:
        """Record a play of influence cards (B5)."""
        match event:
            case events.Laid(seat, clans):
                cards = tuple(CLAN_CARDS[family] for family in sorted(clans, key=FAMILY_ID.__getitem__))
                self._add(seat, PlayKind.LAY, cards)
            case events.Played(seat, Travel(family, clan_of, wild)):
                card = Card.TRAVEL_WILD if wild else TRAVEL_CARDS[family]
                of = self.table.owners[FAMILY_ID[family]] if clan_of is None else clan_of
                self._add(seat, PlayKind.TRAVEL, (card,), family, clan_of is not None, of)
            case events.Played(seat, TakeOver()):
                self._add(seat, PlayKind.BOSS, (Card.BOSS,))
            case events.Played(seat, Recruit(family)):
                cards = (Card.RECRUITMENT,) * 3
                self._add(seat, PlayKind.RECRUIT, cards, family, of=self.table.owners[FAMILY_ID[family]])
            case events.Stopped(seat):
                self.plays[-1] = replace(self.plays[-1], stopped_by=seat)
            case events.NewBoss(seat):
                self.boss_card = len(self.plays) - 1
                self.plays[-1] = replace(self.plays[-1], gained=0)
                self.deals.take_over(seat)
                self.offers.end_all(OfferOutcome.LAPSED)

    def _add(
        self,
        seat: int,
        kind: PlayKind,
        cards: tuple[Card, ...],
        family: Family | None = None,
        clan: bool = False,
        of: int | None = None,
    ) -> None:
        negotiating = self.table.terms.boss is not None
        self.plays.append(
            PlayRow(
                deal=self.deals.rows[-1].deal if negotiating else None,
                turn=self.table.turn,
                tick=self.table.terms.tick,
                seat=seat,
                kind=kind,
                cards=cards,
                family=family,
                clan=clan,
                of=of,
            )
        )


def board_ledger(rules: Rules, players: int) -> BoardLedger:
    """A ledger that begins before the first event. Raises ValueError for a number of players the edition lacks."""
    if not rules.players[0] <= players <= rules.players[1]:
        raise ValueError(f"{rules.name} is for {rules.players[0]} to {rules.players[1]} players, not {players}")
    return BoardLedger(rules, players)
