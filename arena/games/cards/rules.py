"""The rules of the card game, resolved: the deck and every house rule (C8) is data.

A rules file (``configs/rules/*.yaml``) names its parent and its differences; :mod:`arena.config.editions` resolves it
into :class:`Rules`. :class:`Layout` is what the engine precomputes from one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.games.cards.cards import COLORS, MOVE, POTA, REVERSE, SUIT_KINDS, SUIT_VALUES
from arena.games.cards.moves import Request, Want
from arena.games.hand_counts import lay_out

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Cards = Annotated[int, Meta(ge=0, le=99)]
Seats = Annotated[int, Meta(ge=3, le=6)]
BASE_MULTIPLIER = 2
"""The multiplier without any X card: the 2X disk (C5.1)."""


class Deck(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The deal cards (C1.1, C1.2): ``positive``, ``negative`` (values without their sign) and ``move`` map a value to
    the number of such cards in each colour; ``reverse`` and ``pota`` are numbers in each colour; ``wild_pota`` and
    ``x`` are total numbers. The first X goes into the upper half of the deck, the second into the lower, the third
    under the disk."""

    positive: dict[Annotated[int, Meta(ge=1, le=4)], Cards]
    negative: dict[Annotated[int, Meta(ge=2, le=5)], Cards]
    reverse: Cards
    pota: Cards
    move: dict[Annotated[int, Meta(ge=1, le=3)], Cards]
    wild_pota: Cards
    x: Annotated[int, Meta(ge=0, le=3)]

    def counts(self) -> bytes:
        """The counts by kind, without X cards."""
        suit = bytearray(SUIT_KINDS)
        for place, value in enumerate(SUIT_VALUES):
            suit[place] = self.positive.get(value, 0) if value > 0 else self.negative.get(-value, 0)
        suit[REVERSE], suit[POTA] = self.reverse, self.pota
        for number in (1, 2, 3):
            suit[MOVE + number - 1] = self.move.get(number, 0)
        return bytes(suit) * len(COLORS) + bytes([self.wild_pota])


class Rules(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A resolved edition. ``hand``, ``rounds`` (how often each seat is Boss), ``limit`` (in $) and ``cousins`` (tokens)
    are by number of players. Every key is described, with its rule, in ``docs/card-rules.md``."""

    game: Literal["cards"]
    name: str
    title: str
    source: str
    players: tuple[Seats, Seats]
    deck: Deck
    hand: dict[Seats, Annotated[int, Meta(ge=1, le=20)]]
    rounds: dict[Seats, Annotated[int, Meta(ge=1, le=20)]]
    limit: dict[Seats, Annotated[int, Meta(ge=1, le=1_000_000_000)]] | None = None
    cousins: dict[Seats, Annotated[int, Meta(ge=0, le=5)]]
    start_money: Count
    factor: Annotated[int, Meta(ge=1, le=1000)]
    pass_bonus: Literal["each", "last", "none"]
    discards_between_rounds: Annotated[int, Meta(ge=0, le=4)]


def seats(rules: Rules) -> range:
    """The numbers of players an edition allows."""
    return range(rules.players[0], rules.players[1] + 1)


def check_rules(rules: Rules) -> list[str]:
    """What is inconsistent in an edition, as ``key: problem`` sentences; empty when it can be played."""
    found = []
    low, high = rules.players
    if low > high:
        found.append(f"players: {low} to {high} is no range")
    for key, rule in (("hand", "C2.1"), ("rounds", "C2.1"), ("limit", "C2.1"), ("cousins", "C1.2")):
        by_players = getattr(rules, key)
        missing = [str(players) for players in seats(rules) if by_players is not None and players not in by_players]
        if missing:
            found.append(f"{key}: nothing for {' and '.join(missing)} players ({rule})")
    needed = max((players * rules.hand.get(players, 0) for players in seats(rules)), default=0)
    if sum(rules.deck.counts()) < needed:
        found.append(f"deck: {sum(rules.deck.counts())} cards are too few for {needed} in the first hands (C2.3)")
    if not any(rules.deck.positive.values()) and not any(rules.deck.negative.values()):
        found.append("deck: no card has a value, so no round is worth anything (C5.1)")
    return found


class Layout:
    """What the engine precomputes for one edition and number of players.

    ``hand``, ``rounds`` (of the whole match), ``limit`` (None: none) and ``cousins`` are those for this number of
    players; ``requests`` are the requests that a Boss may make: entry 0 without, entry 1 with that for a POTA in front
    of itself; ``deck`` are the kinds of all cards but X, in card order, and ``counts`` their counts by
    kind.
    """

    __slots__ = ("counts", "cousins", "deck", "hand", "limit", "players", "requests", "rounds", "rules", "wanted")

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.counts = rules.deck.counts()
        self.deck = lay_out(self.counts)
        self.hand = rules.hand[players]
        self.rounds = rules.rounds[players] * players
        self.limit = None if rules.limit is None else rules.limit[players]
        self.cousins = rules.cousins[players]
        self.wanted = {
            Want.POSITIVE: tuple(sorted(value for value, count in rules.deck.positive.items() if count)),
            Want.NEGATIVE: tuple(sorted(value for value, count in rules.deck.negative.items() if count)),
        }
        valued = tuple(_shared_request(want, least) for want, values in self.wanted.items() for least in values)
        pota = (_shared_request(Want.POTA),) if rules.deck.pota or rules.deck.wild_pota else ()
        reverse = (_shared_request(Want.REVERSE),) if rules.deck.reverse else ()
        others = (*reverse, _shared_request(Want.PASS), _shared_request(Want.GIFT))
        self.requests = ((*valued, *others), (*valued, *pota, *others))


@lru_cache(maxsize=64)
def _shared_request(want: Want, least: int = 0) -> Request:
    """The request as an object shared by all matches and all lists of legal moves."""
    return Request(want, least)
