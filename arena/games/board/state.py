"""The board game as a pure state machine: :class:`State` implements :class:`arena.games.contract.State`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from arena.games.board.answers.hooks import HOOKS
from arena.games.board.answers.legal import ASIDE_OWNER
from arena.games.board.answers.seat import layout_of
from arena.games.board.cards import CARDS, FAMILIES, Family, clans_listed, list_cards
from arena.games.board.moves import Offer, Open
from arena.games.board.phases import negotiation, plays, turn
from arena.games.board.phases.setup import set_up
from arena.games.board.position import Log, Phase, Position
from arena.games.board.priced_question import Priced
from arena.games.board.rules import Rules
from arena.games.board.table import NOBODY_SEAT, by_terms
from arena.games.board.views import BoardView, OpenOffer, OpenPlay, Placard
from arena.games.chance import Chance
from arena.games.contract import ONLOOKER, Move, Outcome, View
from arena.games.hand_counts import count_tuple, hand_size


class State(Position):
    """One match of the board game. :meth:`apply` alone changes it."""

    __slots__ = ()

    hooks = HOOKS
    rule = "B4.5"
    open_view = BoardView

    @property
    def outcome(self) -> Outcome | None:
        """The result once the match is over: most money wins, equal money shares the rank (B7.5)."""
        return None if self.termination is None else Outcome.by_money(self.money, self.termination)

    def legal(self, index: int, prices: Sequence[int] | None = None) -> tuple[Move, ...]:
        """Every legal answer to ``asks[index]``; offers at ``prices`` in $M (None: one and two dividends)."""
        seat, hook, topic = self.asks[index]
        self.listed = moves = HOOKS[hook].legal(Priced(self, seat, self.hands[seat], topic, prices))
        self.listed_for = index
        return moves

    def resolve(self, log: Log) -> None:
        """Let the answers of the phase take effect."""
        EFFECTS[self.phase](self, log)

    def public_view(self, kind: type[Any], besides: Mapping[str, Any]) -> View:
        """What everybody may know at any moment, as a view of class ``kind`` (B5.6)."""
        layout, marker, deal = self.layout, self.marker, self.deal
        view: View = kind(
            seat=ONLOOKER,
            players=layout.players,
            turn=self.turn,
            on_turn=self.on_turn,
            marker=marker,
            space=layout.shown[marker],
            uncovered=_uncovered_spaces(self.covered, len(layout.shown)),
            deal=layout.cards[deal],
            dividend=layout.values[deal],
            proceeds=layout.proceeds[marker][deal],
            placards=_placards(self.owners, self.travelling, self.travel_cards),
            hand=(),
            hand_sizes=tuple(map(hand_size, self.hands)),
            money=0,
            draw_pile=len(self.pile) - self.drawn,
            discards=count_tuple(self.discards),
            ledger=self.ledger,
            rolled=self.rolled,
            must_deal=self.must_deal,
            failed_here=self.failed_here,
            boss=None if self.boss == NOBODY_SEAT else self.boss,
            tick=self.tick,
            quiet=self.quiet,
            laid=_laid_clans(self.laid),
            offers=_open_offers(self.offers),
            agreements=tuple(sorted(self.agreements, key=by_terms)) if self.agreements else (),
            active=_mask_seats(self.active),
            offered=self.offered,
            fresh=self.fresh,
            new_boss=self.new_boss,
            played=self.played,
            can_stop=None if self.play is None else OpenPlay(*self.play),
            closing=self.to_close,
            **besides,
        )
        return view

    def own_fields(self, seat: int) -> dict[str, Any]:
        """What a seat alone knows: its hand and its money."""
        return {"hand": list_cards(self.hands[seat]), "money": self.money[seat]}


def _answer_turn(state: State, log: Log) -> None:
    move = state.answers[0]
    if type(move) is Open:
        negotiation.open_deal(state, move, log)
    else:
        turn.roll_or_draw(state, log)


def _answer_plays(state: State, log: Log) -> None:
    plays.queue_plays(state)
    _run_queue(state, log)


def _answer_stop(state: State, log: Log) -> None:
    plays.answer_stop(state, log)
    _run_queue(state, log)


def _answer_discard(state: State, log: Log) -> None:
    turn.discard_at_limit(state, log)
    if state.queue:
        _run_queue(state, log)


def _run_queue(state: State, log: Log) -> None:
    if plays.take_effect(state, log):
        if state.queue_of is Phase.DISCARD:
            turn.check_hand(state, log)
        else:
            negotiation.after_plays(state, log)


EFFECTS: dict[Phase, Callable[[State, Log], None]] = {
    Phase.MARKER: turn.place_marker,
    Phase.TURN: _answer_turn,
    Phase.DISCARD: _answer_discard,
    Phase.LATE_DISCARD: turn.discard_late,
    Phase.OFFER: negotiation.answer_offers,
    Phase.ACCEPT: negotiation.answer_accepts,
    Phase.INTERRUPT: _answer_plays,
    Phase.STOP: _answer_stop,
    Phase.CLOSE: negotiation.answer_close,
    Phase.LAST_CALL: _answer_plays,
}
"""Functions that let the answers of a phase take effect, once all of them are there."""


@lru_cache(maxsize=4096)
def _placards(owners: bytes, travelling: int, cards: bytes) -> tuple[Placard, ...]:
    return tuple(
        Placard(family, None if owner == ASIDE_OWNER else owner, True, CARDS[cards[index]])
        if travelling >> index & 1
        else Placard(family, None if owner == ASIDE_OWNER else owner)
        for index, (family, owner) in enumerate(zip(FAMILIES, owners, strict=True))
    )


@lru_cache(maxsize=1024)
def _uncovered_spaces(covered: int, spaces: int) -> tuple[int, ...]:
    return tuple(space for space in range(spaces) if not covered >> space & 1)


@lru_cache(maxsize=4096)
def _laid_clans(laid: tuple[bytes, ...]) -> tuple[tuple[Family, ...], ...]:
    return tuple([clans_listed(clans) for clans in laid])


@lru_cache(maxsize=256)
def _open_offers(offers: tuple[tuple[Offer, ...], ...]) -> tuple[OpenOffer, ...]:
    return tuple([OpenOffer(by, offer) for by, each in enumerate(offers) for offer in each])


@lru_cache(maxsize=64)
def _mask_seats(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(6) if mask >> seat & 1)


def start_match(rules: Rules, players: int, chance: Chance, log: Log = None) -> State:
    """Set up a match (B2). Raises ValueError for a number of players the edition does not allow."""
    if not rules.players[0] <= players <= rules.players[1]:
        low, high = rules.players
        raise ValueError(f"{rules.name} is for {low} to {high} players, not {players}")
    state = State()
    state.begin(layout_of(rules, players).with_own_spaces(), chance)
    set_up(state, log)
    return state
