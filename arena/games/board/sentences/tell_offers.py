"""Which seats have offers open, for use in sentences; computed from any part of a negotiation's events."""

from __future__ import annotations

from arena.games.board import events
from arena.games.board.cards import FAMILY_ID, Family
from arena.games.board.log.fold_terms import FoldedTerms
from arena.games.contract import Event


class OpenOffers:
    """Follows the open offers of ``players`` seats, without checks: ``arena verify`` finds contradictory events."""

    def __init__(self, players: int) -> None:
        self.terms = FoldedTerms(players)
        self.laid = [bytearray(len(FAMILY_ID)) for _ in range(players)]

    def has_offer(self, seat: int) -> bool:
        """Whether a seat has any open offers."""
        return bool(self.terms.offers[seat])

    def follow(self, event: Event) -> None:
        """Update the open offers by ``event``."""
        terms = self.terms
        match event:
            case events.Opened(seat):
                self.laid = [bytearray(len(FAMILY_ID)) for _ in range(terms.players)]
                terms.begin(seat)
            case events.NewBoss(seat):
                terms.take_over(seat)
            case events.Closed() | events.Failed():
                terms.begin(None)
            case events.Offered(seat, offers):
                terms.offer(seat, offers)
            case events.Laid(seat, clans):
                for family in clans:
                    self.laid[seat][FAMILY_ID[family]] += 1
            case events.TickBegan() | events.Played() | events.Named():
                terms.lapse()
            case _:
                self._agreed(event)

    def _agreed(self, event: Event) -> None:
        """Update them by an event that may end offers of several seats."""
        terms = self.terms
        match event:
            case events.Agreed(agreement) if terms.boss is not None:
                terms.add_agreement(agreement, self.laid[agreement.partner])
            case events.AgreementFell(agreement) if agreement in terms.agreements:
                terms.drop_agreement(agreement)
            case events.Recruited(_, placard):
                terms.end_placard(placard)
            case events.Travelled(family, None):
                terms.end_placard(family)
            case events.Travelled(family, int(owner)):
                self._travels(owner, family)

    def _travels(self, owner: int, family: Family) -> None:
        laid = self.laid[owner]
        if laid[FAMILY_ID[family]]:
            laid[FAMILY_ID[family]] -= 1
            self.terms.end_clans(owner, laid)
