"""What a seat saw and what it answered in the board game, in words, for ``arena show --at``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena.games.board import moves
from arena.games.board.rules import Rules
from arena.games.board.sentences.tell import Teller
from arena.games.board.views import AcceptView, BoardView, DiscardView, OfferView, OpenOffer, Placard
from arena.games.contract import Move, No, Yes
from arena.games.sentence_names import ViewSentence

BOARD_NONE_WORD = "none"


class AskTeller(Teller):
    """Puts views and moves into words. ``names`` are the seats' bots, in seat order."""

    def move(self, move: Move, offering: bool = False) -> str:
        """A seat's answer in words, such as "opens the deal". ``offering``: the seat has offers open."""
        match move:
            case moves.PlaceMarker(space):
                return f"puts the marker on {self.space(space)}"
            case moves.Open(lay):
                return "opens the deal" + (f", laying {self.investors((), lay)}" if lay else "")
            case moves.Roll():
                return "rolls"
            case moves.Draw():
                return "draws"
            case moves.Offers(offers):
                return self.offers_text(offers, offering)
            case moves.Unchanged():
                return "leaves its offers as they are"
            case Yes() | No():
                return "says yes" if isinstance(move, Yes) else "says no"
            case moves.Close(placards, clans, partners):
                used = [self.investors(placards, clans)] if placards or clans else []
                return f"closes with {'; '.join([*used, *map(self.agreement, partners)])}"
            case moves.GiveUp():
                return "gives up"
            case moves.GoOn():
                return "goes on"
            case moves.Discard(cards):
                return f"discards {self.cards(cards)}"
            case _:
                return self.play(move)

    def view(self, view: BoardView) -> Iterator[ViewSentence]:
        """What the seat saw, part by part, without the news."""
        rolled = "; rolled" if view.rolled else ""
        must = "; must deal" if view.must_deal else ""
        yield ViewSentence("turn", f"{view.turn}, of {self.seat(view.on_turn)}{rolled}{must}")
        failed = "; a negotiation failed here on this turn" if view.failed_here else ""
        yield ViewSentence("marker", f"{self.space(view.marker)}{failed}")
        worth = f"a dividend is worth ${view.dividend}M, the space ${view.proceeds}M"
        yield ViewSentence("deal card", f"{view.deal}: {worth}; {len(view.uncovered)} spaces uncovered")
        yield ViewSentence("own hand", self.cards(view.hand))
        yield ViewSentence("own money", f"${view.money}M")
        yield ViewSentence("hand sizes", self.by_seat(map(str, view.hand_sizes)))
        yield ViewSentence("placards", ", ".join(map(self.placard, view.placards)))
        yield ViewSentence("piles", f"{view.draw_pile} cards to draw, {sum(view.discards)} discarded")
        if view.boss is not None:
            yield from self.negotiation(view, view.boss)
        yield from self.topic_sentences(view)

    def negotiation(self, view: BoardView, boss: int) -> Iterator[ViewSentence]:
        """The state of the negotiation, part by part."""
        quiet = f", {view.quiet} quiet so far" if view.quiet else ""
        new = ", new in this tick" if view.new_boss else ""
        yield ViewSentence("Boss", f"{self.seat(boss)}{new}; tick {view.tick}{quiet}")
        laid = [f"{self.seat(seat)} {self.investors((), clans)}" for seat, clans in enumerate(view.laid) if clans]
        yield ViewSentence("laid", "; ".join(laid) or BOARD_NONE_WORD)
        yield ViewSentence("offers open", self.open_offers(view.offers))
        yield ViewSentence("agreements", "; ".join(map(self.agreement, view.agreements)) or BOARD_NONE_WORD)
        if view.can_stop is not None:
            yield ViewSentence("to be stopped", f"{self.seat(view.can_stop.by)} {self.play(view.can_stop.play)}")
        if view.closing is not None:
            yield ViewSentence("closing named", f"{self.seat(view.closing.by)} {self.move(view.closing.closing)}")

    def topic_sentences(self, view: BoardView) -> Iterator[ViewSentence]:
        """What the ask is about, part by part."""
        match view:
            case AcceptView():
                yield ViewSentence("asked about", self.open_offers([OpenOffer(view.by, view.offer)]))
            case DiscardView():
                yield ViewSentence("too many", f"{view.excess} cards")

    def by_seat(self, said: Iterable[str]) -> str:
        """The texts, one for each seat, joined with the seats' names."""
        return ", ".join(f"{self.seat(seat)} {each}" for seat, each in enumerate(said))

    def placard(self, placard: Placard) -> str:
        """Where a placard lies, in words."""
        whose = "aside" if placard.owner is None else self.seat(placard.owner)
        return f"{self.family(placard.family)} {whose}{' (travelling)' if placard.travelling else ''}"

    def open_offers(self, offers: Iterable[OpenOffer]) -> str:
        """Open offers in words, each with the seat that made it."""
        return "; ".join(f"{self.seat(each.by)} offers {self.offer(each.offer)}" for each in offers) or BOARD_NONE_WORD


def tell_move(move: Move, view: BoardView, rules: Rules, names: Sequence[str]) -> str:
    """The answer of a view's seat in words, such as "opens the deal"."""
    offering = isinstance(view, OfferView) and any(each.by == view.seat for each in view.offers)
    return AskTeller(rules, names, view.boss).move(move, offering)


def tell_view(view: BoardView, rules: Rules, names: Sequence[str]) -> list[ViewSentence]:
    """What a seat saw, part by part, without the news."""
    return list(AskTeller(rules, names, view.boss).view(view))
