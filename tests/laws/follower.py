"""A second bookkeeping of the board game: cards and money followed from the log alone, by hand as it were."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena.games.board import events
from arena.games.board.cards import CARDS, CLAN_CARDS, TRAVEL_CARDS, Card, clans_listed
from arena.games.board.moves import Recruit, TakeOver, Travel
from arena.games.contract import Event


class Follower:
    """Hands, laid clan cards, the discard pile, cards on travelling placards, the draw pile, placards, money."""

    def __init__(self, players: int, cards: int) -> None:
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.laid: list[Counter[str]] = [Counter() for _ in range(players)]
        self.discards: Counter[str] = Counter()
        self.on_placards: dict[str, str] = {}
        self.pile = cards
        self.owners: dict[str, int | None] = {}
        self.money = [0] * players
        self.marker = -1
        self.travel = ""

    def follow(self, event: Event) -> None:
        """One event."""
        match event:
            case events.PlacardDealt(placard, seat):
                self.owners[placard] = seat
            case events.Drew(seat, count, cards):
                assert len(cards) == count
                self.hands[seat].update(cards)
                self.pile -= count
            case events.Reshuffled(count):
                assert count == self.discards.total()
                self.pile += count
                self.discards.clear()
            case events.Laid(seat, clans):
                for family in clans:
                    _move(self.hands[seat], self.laid[seat], CLAN_CARDS[family])
            case events.Played(seat, play):
                self._spend(seat, play)
            case events.Stopped(seat):
                _move(self.hands[seat], self.discards, Card.STOP)
            case events.Travelled(family, None):
                _move(self.discards, Counter(), self.travel)
                self.on_placards[family] = self.travel
            case events.Travelled(family, owner):
                assert owner is not None
                _move(self.laid[owner], self.discards, CLAN_CARDS[family])
            case events.TravelEnded(placards, cards):
                assert {str(p): str(c) for p, c in zip(placards, cards, strict=True)} == self.on_placards
                self.discards.update(cards)
                self.on_placards.clear()
            case events.Recruited(seat, placard, owner):
                assert self.owners[placard] == owner
                self.owners[placard] = seat
            case events.Returned(seat, clans):
                for family in clans:
                    _move(self.laid[seat], self.hands[seat], CLAN_CARDS[family])
            case events.Discarded(seat, cards):
                for card in cards:
                    clan = card.family is not None and CLAN_CARDS[card.family] == card
                    _move(self.laid[seat] if clan and self.laid[seat][card] else self.hands[seat], self.discards, card)
            case events.Closed(_, space, boss, proceeds, paid):
                assert space == self.marker
                assert paid[boss] == 0
                assert sum(paid) <= proceeds
                self.money[boss] += proceeds - sum(paid)
                self.money = [have + got for have, got in zip(self.money, paid, strict=True)]
            case events.MarkerMoved(space, _):
                self.marker = space

    def _spend(self, seat: int, play: Any) -> None:
        match play:
            case Travel(family, _, wild):
                self.travel = Card.TRAVEL_WILD if wild else TRAVEL_CARDS[family]
                _move(self.hands[seat], self.discards, self.travel)
            case TakeOver():
                _move(self.hands[seat], self.discards, Card.BOSS)
            case Recruit():
                for _ in range(3):
                    _move(self.hands[seat], self.discards, Card.RECRUITMENT)

    def check(self, state: Any) -> None:
        """That the engine's position is the same."""
        players = range(len(self.hands))
        assert [_positive(hand) for hand in self.hands] == [_counts(state.hands[seat]) for seat in players]
        assert [_positive(laid) for laid in self.laid] == [
            dict(Counter(CLAN_CARDS[family] for family in clans_listed(state.laid[seat]))) for seat in players
        ]
        assert _positive(self.discards) == _counts(state.discards)
        assert self.pile == len(state.pile) - state.drawn
        assert list(self.owners.values()) == [None if owner == 255 else owner for owner in state.owners]
        assert len(self.on_placards) == state.travelling.bit_count()
        assert self.money == state.money


def _move(source: Counter[str], target: Counter[str], card: str) -> None:
    assert source[card] > 0, card
    source[card] -= 1
    target[card] += 1


def _positive(counts: Counter[str]) -> dict[str, int]:
    return {card: count for card, count in counts.items() if count}


def _counts(counts: bytes) -> dict[str, int]:
    return {CARDS[kind]: count for kind, count in enumerate(counts) if count}
