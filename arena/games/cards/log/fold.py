"""The table of the card game after every event, computed from a replay's events alone.

It shares no code for rules with the engine, so that the tests in ``tests/laws`` can check each against the other.
``arena docs replay`` says when the table changes without an event of its own.
"""

from __future__ import annotations

from arena.games.cards import events
from arena.games.cards.cards import CARDS, Card, Color, list_cards
from arena.games.cards.log.fold_cards import CENTRE_PLACE, FoldedCards
from arena.games.cards.log.fold_table import CardsTable
from arena.games.cards.moves import Bargain, Play, Propose, Request, Shift, Want
from arena.games.cards.rules import Rules
from arena.games.cards.views import Deal
from arena.games.contract import Chanced, Event


class CardsFold:
    """Follows one match, as :class:`arena.games.contract.Fold` describes. ``agreed`` is the bargain by which the seat
    on turn has become a Cousin and which it has not kept yet."""

    def __init__(self, rules: Rules, players: int, seat: int | None) -> None:
        self.rules, self.players, self.seat = rules, players, seat
        self.made: CardsTable | None = None
        self.cards = FoldedCards(sum(rules.deck.counts()) + min(2, rules.deck.x), players, seat)
        self.third_x = rules.deck.x == 3
        self.exes = 0
        self.money = [rules.start_money] * players
        self.ledger: tuple[Deal, ...] = ()
        self.round = 0
        self.boss: int | None = None
        self.over = False
        self._clear_round()

    def _clear_round(self) -> None:
        self.color: Color | None = None
        self.on_turn: int | None = None
        self.passes = [0] * self.players
        self.tokens = 0
        self.cousins: set[int] = set()
        self.bargain: Bargain | None = None
        self.agreed: Propose | Request | None = None
        self._put_down()

    def _put_down(self) -> None:
        """End the use of the current move card, if any."""
        self.moving: Card | None = None
        self.moves_left = 0
        self.moved: tuple[Shift, ...] = ()

    @property
    def table(self) -> CardsTable:
        """The current table."""
        if self.made is None:
            self.made = self._table()
        return self.made

    @property
    def value(self) -> int:
        """What a share is worth now, cut to the limit, in $ (C5.1)."""
        total = sum(CARDS[kind].worth * count for kind, count in enumerate(self.cards.lying[CENTRE_PLACE]) if count)
        worth = self.rules.factor * (2 + self.exes) * total
        if self.rules.limit is None:
            return worth
        limit = self.rules.limit[self.players]
        return max(-limit, min(limit, worth))

    def follow(self, event: Event) -> None:
        """Apply ``event`` to the table. Raises ValueError if it cannot happen now."""
        seen = event if self.seat is None else event.seen_by(self.seat)
        if seen is None or isinstance(seen, Chanced):
            return
        self.made = None
        self._turn(seen)

    def _turn(self, event: Event) -> None:
        """Apply an event of a seat's turn (C3); pass any other to :meth:`_bargaining`."""
        match event:
            case events.Passed(seat, disks):
                self._act(seat)
                self.passes[seat] = disks
                self._next()
            case events.Played(seat, card, to):
                self._play(seat, card, to)
            case events.Shifted(_, card, source, to):
                self._shift(Shift(card, source, to))
            case events.Dropped(seat, card):
                self._act(seat)
                self.cards.spend(seat, card)
                self.cards.discard(card)
                self._next()
            case events.Led(seat, card):
                self.color = card.color
                self.cards.play(seat, card, CENTRE_PLACE)
                self._next()
            case events.ColorNamed(_, color):
                self.color = color
                self._next()
            case _:
                self._bargaining(event)

    def _play(self, seat: int, card: Card, to: int | None) -> None:
        agreed = self._act(seat)
        if not card.moves:
            self.cards.play(seat, card, CENTRE_PLACE if to is None else to)
            self._next()
            return
        self.cards.spend(seat, card)
        self.cards.discard(card)
        self.moving, self.moves_left = card, card.moves
        if isinstance(agreed, Propose) and isinstance(agreed.action, Play):
            self.moves_left = len(agreed.action.shifts)

    def _shift(self, shift: Shift) -> None:
        self.cards.shift(shift.card, CENTRE_PLACE if shift.source is None else shift.source, shift.to)
        self.moved += (shift,)
        self.moves_left -= 1
        if not self.moves_left or not self._movable():
            self._next()

    def _movable(self) -> bool:
        """Whether the current move card can move anything more: each card once, none of a seat that is out (C3.3)."""
        lying = sum(self.cards.lying[CENTRE_PLACE])
        for seat, disks in enumerate(self.passes):
            if disks < 2:
                lying += sum(self.cards.lying[seat]) - sum(shift.to == seat for shift in self.moved)
        return lying > 0

    def _act(self, seat: int) -> Propose | Request | None:
        """Begin an action of ``seat``; return the bargain that it keeps with it. If the seat before it left moves of a
        move card unused, which is no event, this ends that seat's turn (C3.3)."""
        self._put_down()
        self.on_turn = seat
        agreed, self.agreed = self.agreed, None
        return agreed

    def _next(self) -> None:
        """Pass the turn to the next seat clockwise that is still in; to nobody if all are out (C3.2, C3.5)."""
        self._put_down()
        turn = self.on_turn or 0
        order = [(turn + step) % self.players for step in range(1, self.players + 1)]
        self.on_turn = next((seat for seat in order if self.passes[seat] < 2), None)

    def _bargaining(self, event: Event) -> None:
        """Apply an event about Cousins (C4); pass any other to :meth:`_between`."""
        match event:
            case events.Proposed(seat, action):
                self._act(seat)
                self.bargain = Bargain(seat, Propose(action))
            case events.Requested(to, want, least):
                if self.boss is None:
                    raise ValueError("a request before the first round")
                self._act(to)
                self.bargain = Bargain(self.boss, Request(want, least))
            case events.Refused():
                self.bargain = None
            case events.CousinMade(seat):
                if self.bargain is None:
                    raise ValueError(f"seat {seat} becomes a Cousin without a bargain")
                self.agreed, self.bargain = self.bargain.offer, None
                self.cousins.add(seat)
                self.tokens -= 1
            case _:
                self._between(event)

    def _between(self, event: Event) -> None:
        """Apply a draw of cards or an event between rounds (C5, C6). Other lines of a replay are ignored."""
        match event:
            case events.Drew(seat, count, cards):
                self.cards.draw(seat, count, cards)
            case events.XOpened():
                self.cards.open_x()
                self.exes += 1
            case events.Reshuffled(count, third_x):
                self.cards.reshuffle(count, third_x)
                self.third_x = self.third_x and not third_x
            case events.Discarded(seat, count, cards):
                self.cards.discard_face_down(seat, count, cards)
            case events.RoundBegan(number, boss):
                self.round, self.boss, self.on_turn = number, boss, boss
                self.tokens = self.rules.cousins[self.players]
            case events.Settled(number, boss, value, amounts):
                self._settle(number, boss, value, amounts)

    def _settle(self, number: int, boss: int, value: int, amounts: tuple[int, ...]) -> None:
        if self.color is None or (number, boss, value) != (self.round, self.boss, self.value):
            raise ValueError(f"round {number} settles at ${value} a share; by the cards on the table at ${self.value}")
        self.money = [have + amount for have, amount in zip(self.money, amounts, strict=True)]
        self.ledger = (*self.ledger, Deal(number, boss, self.color, value, amounts))
        self.cards.clear_table()
        self._clear_round()
        self.over = number == self.rules.rounds[self.players] * self.players

    def _table(self) -> CardsTable:
        cards, agreed = self.cards, self.agreed
        return CardsTable(
            round=self.round,
            boss=self.boss,
            color=self.color,
            on_turn=self.on_turn,
            centre=list_cards(bytes(cards.lying[CENTRE_PLACE])),
            fronts=tuple(list_cards(bytes(cards.lying[seat])) for seat in range(self.players)),
            passes=tuple(self.passes),
            tokens=self.tokens,
            cousins=tuple(sorted(self.cousins)),
            exes=self.exes,
            multiplier=2 + self.exes,
            value=self.value,
            hands=tuple(None if hand is None else list_cards(bytes(hand)) for hand in cards.hands),
            hand_sizes=tuple(cards.sizes),
            deck=cards.deck,
            third_x=self.third_x,
            discard_pile=cards.discarded,
            discards=tuple(cards.face_up),
            face_down=list_cards(bytes(cards.face_down)),
            money=tuple(self.money),
            bargain=self.bargain,
            bound=agreed if isinstance(agreed, Request) and agreed.want is not Want.GIFT else None,
            moving=self.moving,
            moves_left=self.moves_left,
            moved=self.moved,
            ledger=self.ledger,
            over=self.over,
        )


def cards_fold(rules: Rules, players: int, seat: int | None) -> CardsFold:
    """A fold that begins before the match's first event, with every hand (None) or as ``seat`` sees it."""
    if not rules.players[0] <= players <= rules.players[1]:
        raise ValueError(f"{rules.name} is for {rules.players[0]} to {rules.players[1]} players, not {players}")
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat}; seats are 0 to {players - 1}")
    return CardsFold(rules, players, seat)
