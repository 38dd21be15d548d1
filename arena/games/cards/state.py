"""The card game as a pure state machine: :class:`State` implements :class:`arena.games.contract.State`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.games.cards.answers.hooks import HOOKS
from arena.games.cards.answers.seat import layout_of
from arena.games.cards.cards import (
    CARDS,
    COLORS,
    centre_listed,
    fronts_listed,
    list_cards,
    seats_in,
)
from arena.games.cards.phases import bargain, rounds
from arena.games.cards.phases.setup import set_up
from arena.games.cards.position import Log, Phase, Position
from arena.games.cards.rules import Rules
from arena.games.cards.table import UNKNOWN_VALUE
from arena.games.cards.views import CardsView
from arena.games.chance import Chance
from arena.games.contract import ONLOOKER, Outcome, View
from arena.games.hand_counts import count_tuple, hand_size


class State(Position):
    """One match of the card game. :meth:`apply` alone changes it."""

    __slots__ = ()

    hooks = HOOKS
    rule = "C3.2"
    open_view = CardsView

    @property
    def outcome(self) -> Outcome | None:
        """The result once the match is over: most money wins, equal money shares the rank (C7.1)."""
        return None if self.termination is None else Outcome.by_money(self.money, self.termination)

    def resolve(self, log: Log) -> None:
        """Let the answers of the phase take effect; except for discards, only one seat is asked in a phase."""
        EFFECTS[self.phase](self, self.answers[0], log)

    def public_view(self, kind: type[Any], besides: Mapping[str, Any]) -> View:
        """What everybody may know now, as a view of class ``kind``; between rounds of the next round."""
        layout, number, boss, on_turn = self.layout, self.round, self.boss, self.on_turn
        if self.phase is Phase.DISCARD:
            number, boss = number + 1, (boss + 1) % layout.players
            on_turn = boss
        color, spread = self.color, self.spread
        view: View = kind(
            seat=ONLOOKER,
            players=layout.players,
            round=number,
            rounds=layout.rounds,
            boss=boss,
            on_turn=on_turn,
            color=None if color == UNKNOWN_VALUE else COLORS[color],
            centre=centre_listed(color, spread.centre),
            fronts=fronts_listed(color, spread.fronts),
            passes=tuple(self.passes),
            tokens=self.tokens,
            cousins=seats_in(self.cousins),
            multiplier=self.multiplier,
            value=self.value,
            hand=(),
            hand_sizes=tuple(map(hand_size, self.hands)),
            money=0,
            deck=len(self.deck) - self.drawn,
            discard_pile=hand_size(self.discards),
            discards=count_tuple(self.known),
            third_x=self.third_x,
            ledger=self.ledger,
            bargain=self.asks[0].topic if self.asks else None,
            bound=self.bound,
            moving=None if self.moving == UNKNOWN_VALUE else CARDS[self.moving],
            moves_left=self.moves_left,
            moved=self.moved,
            **besides,
        )
        return view

    def own_fields(self, seat: int) -> dict[str, Any]:
        """What a seat alone knows: its hand and its money."""
        return {"hand": list_cards(self.hands[seat]), "money": self.money[seat]}


EFFECTS: dict[Phase, Callable[[State, Any, Log], None]] = {
    Phase.LEAD: rounds.lead_round,
    Phase.PROPOSE: bargain.propose_action,
    Phase.ANSWER: bargain.answer_bargain,
    Phase.REQUEST: bargain.request_action,
    Phase.ACCEPT: bargain.accept_request,
    Phase.PLAY: rounds.carry_out,
    Phase.MOVE: rounds.further_move,
    Phase.DISCARD: rounds.discard_between_rounds,
}
"""Functions that let the answers of a phase take effect; each gets the first of them."""


def start_match(rules: Rules, players: int, chance: Chance, log: Log = None) -> State:
    """Set up a match (C2). Raises ValueError for a number of players the edition does not allow."""
    if not rules.players[0] <= players <= rules.players[1]:
        low, high = rules.players
        raise ValueError(f"{rules.name} is for {low} to {high} players, not {players}")
    state = State()
    state.begin(layout_of(rules, players), chance)
    boss = set_up(state, log)
    rounds.begin_round(state, boss, log)
    return state
