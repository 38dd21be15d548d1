"""The board game as a pure state machine: :class:`State` implements :class:`arena.games.contract.State`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from arena.games.board import negotiation, plays, turn
from arena.games.board.answers import HOOKS, RULES_OF, default_answer, legal_answers, refuse_answer
from arena.games.board.cards import FAMILIES, clans_listed, listed
from arena.games.board.legal import ASIDE
from arena.games.board.moves import Open
from arena.games.board.position import Log, Phase, Position
from arena.games.board.rules import Layout, Rules
from arena.games.board.setup import set_up
from arena.games.board.table import NOBODY, by_terms
from arena.games.board.views import OpenOffer, OpenPlay, Placard
from arena.games.chance import Chance
from arena.games.contract import Event, Move, Outcome, Refusal, View


class State(Position):
    """One match of the board game. :meth:`apply` alone changes it."""

    __slots__ = ()

    @property
    def outcome(self) -> Outcome | None:
        """B7.5 once the match is over: most money wins, equal money shares the rank."""
        return Outcome.by_money(self.money, self.termination) if self.phase is Phase.OVER else None

    def legal(self, index: int, prices: Sequence[int] | None = None) -> tuple[Move, ...]:
        """Every legal answer to ``asks[index]``; offers at ``prices`` in $M (None: one and two dividends)."""
        seat, hook, topic = self.asks[index]
        return legal_answers(self, seat, self.hands[seat], hook, topic, prices)

    def default(self, index: int) -> Move:
        """What is played for a seat that does not answer."""
        seat, hook, _ = self.asks[index]
        return default_answer(self, seat, self.hands[seat], hook)

    def refusal(self, index: int, move: Move) -> Refusal | None:
        """Why ``move`` may not answer ``asks[index]``, or None."""
        if not 0 <= index < len(self.asks):
            return Refusal("B4.5", f"there is no ask {index}")
        if self.answers[index] is not None:
            return Refusal("B4.5", "this ask has been answered")
        seat, hook, topic = self.asks[index]
        try:
            return refuse_answer(self, seat, self.hands[seat], hook, topic, move)
        except (AttributeError, KeyError, TypeError) as problem:  # only a move that is no proper value comes here
            return Refusal(RULES_OF[hook], f"a field of {type(move).__name__} holds what it must not: {problem}")

    def resolve(self, log: Log) -> None:
        """The answers of the phase take effect."""
        phase = self.phase
        if phase is Phase.OFFER:
            negotiation.answer_offers(self, log)
        elif phase is Phase.ACCEPT:
            negotiation.answer_accepts(self, log)
        elif phase is Phase.INTERRUPT or phase is Phase.LAST_CALL:
            plays.queue_plays(self)
            self._run_queue(log)
        elif phase is Phase.STOP:
            plays.answer_stop(self, log)
            self._run_queue(log)
        elif phase is Phase.CLOSE:
            negotiation.answer_close(self, log)
        elif phase is Phase.TURN:
            move = self.answers[0]
            if isinstance(move, Open):
                negotiation.open_deal(self, move, log)
            else:
                turn.roll_or_draw(self, log)
        elif phase is Phase.DISCARD:
            turn.discard(self, log)
            if self.queue:
                self._run_queue(log)
        elif phase is Phase.LATE_DISCARD:
            turn.discard_late(self, log)
        else:
            turn.place_marker(self, log)

    def _run_queue(self, log: Log) -> None:
        if plays.take_effect(self, log):
            if self.queue_of is Phase.DISCARD:
                turn.check_hand(self, log)
            else:
                negotiation.after_plays(self, log)

    def view(self, index: int, news: tuple[Event, ...] = ()) -> View:
        """What the asked seat may know; ``news`` has been filtered for it."""
        seat, hook, topic = self.asks[index]
        extra: dict[str, Any] = {}
        if hook == "accept":
            by, offer = topic
            extra = {"by": by, "offer": offer}
        elif hook == "interrupt":
            can_stop = None if topic is None else OpenPlay(*topic)
            extra = {"can_stop": can_stop, "last_call": self.to_close is not None}
        elif hook == "discard":
            extra = {"excess": self.excess[seat], "cards_only": self.cards_only}
        rules = self.layout.rules
        view_type: type[Any] = HOOKS[hook].view
        view: View = view_type(
            seat=seat,
            players=self.layout.players,
            news=news,
            turn=self.turn,
            on_turn=self.on_turn,
            marker=self.marker,
            space=self.layout.shown[self.marker],
            uncovered=_uncovered(self.covered, len(rules.spaces)),
            deal=self.layout.cards[self.deal],
            dividend=self.dividend,
            proceeds=self.proceeds,
            placards=_placards(self.owners, self.travelling),
            hand=listed(self.hands[seat]),
            hand_sizes=tuple(map(sum, self.hands)),
            money=self.money[seat],
            draw_pile=len(self.pile) - self.drawn,
            discards=tuple(self.discards),
            ledger=self.ledger,
            rolled=self.rolled,
            must_deal=self.must_deal,
            failed_here=self.failed_here,
            boss=None if self.boss == NOBODY else self.boss,
            tick=self.tick,
            quiet=self.quiet,
            laid=tuple(map(clans_listed, self.laid)),
            offers=tuple(OpenOffer(by, offer) for by, offers in enumerate(self.offers) for offer in offers),
            agreements=tuple(sorted(self.agreements, key=by_terms)),
            active=_seats(self.active),
            **extra,
        )
        return view


@lru_cache(maxsize=4096)
def _placards(owners: bytes, travelling: int) -> tuple[Placard, ...]:
    return tuple(
        Placard(family, None if owner == ASIDE else owner, bool(travelling >> index & 1))
        for index, (family, owner) in enumerate(zip(FAMILIES, owners, strict=True))
    )


@lru_cache(maxsize=1024)
def _uncovered(covered: int, spaces: int) -> tuple[int, ...]:
    return tuple(space for space in range(spaces) if not covered >> space & 1)


@lru_cache(maxsize=64)
def _seats(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(6) if mask >> seat & 1)


def start(rules: Rules, players: int, chance: Chance, log: Log = None) -> State:
    """Set up a match (B2). Raises ValueError for a number of players the edition does not allow."""
    if not rules.players[0] <= players <= rules.players[1]:
        low, high = rules.players
        raise ValueError(f"{rules.name} is for {low} to {high} players, not {players}")
    state = State(Layout(rules, players), chance)
    set_up(state, log)
    return state
