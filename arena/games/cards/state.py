"""The card game as a pure state machine: :class:`State` implements :class:`arena.games.contract.State`."""

from __future__ import annotations

from typing import Any

from arena.games.cards import bargain, rounds
from arena.games.cards.answers import HOOKS, default_answer, legal_answers, refuse_answer
from arena.games.cards.cards import CARDS, COLORS, centre_listed, fronts_listed, listed, numbers, seats_in, size
from arena.games.cards.moves import Action
from arena.games.cards.position import Log, Phase, Position
from arena.games.cards.rules import Layout, Rules
from arena.games.cards.settle import discard
from arena.games.cards.setup import set_up
from arena.games.cards.table import UNKNOWN
from arena.games.chance import Chance
from arena.games.contract import Event, Move, Outcome, Refusal, View


class State(Position):
    """One match of the card game. :meth:`apply` alone changes it."""

    __slots__ = ()

    @property
    def outcome(self) -> Outcome | None:
        """C7.1 once the match is over: most money wins, equal money shares the rank."""
        return Outcome.by_money(self.money, self.termination) if self.phase is Phase.OVER else None

    def legal(self, index: int) -> tuple[Move, ...]:
        """Every legal answer to ``asks[index]``; proposals of a move card only with one move each."""
        seat, hook, topic = self.asks[index]
        return legal_answers(self, seat, self.hands[seat], hook, topic)

    def default(self, index: int) -> Move:
        """What is played for a seat that does not answer."""
        seat, hook, _ = self.asks[index]
        return default_answer(self, seat, self.hands[seat], hook)

    def refusal(self, index: int, move: Move) -> Refusal | None:
        """Why ``move`` may not answer ``asks[index]``, or None."""
        if not 0 <= index < len(self.asks):
            return Refusal("C3.2", f"there is no ask {index}")
        if self.answers[index] is not None:
            return Refusal("C6.2", "this ask has been answered")
        seat, hook, topic = self.asks[index]
        return refuse_answer(self, seat, self.hands[seat], hook, topic, move)

    def resolve(self, log: Log) -> None:
        """The answers of the phase take effect; but for discards, one seat alone is asked."""
        phase, move = self.phase, self.answers[0]
        assert move is not None
        if phase is Phase.PLAY:
            assert isinstance(move, Action)
            rounds.act(self, move, log)
        elif phase is Phase.PROPOSE:
            bargain.propose(self, move, log)
        elif phase is Phase.REQUEST:
            bargain.request(self, move, log)
        elif phase is Phase.ANSWER:
            bargain.answer(self, move, log)
        elif phase is Phase.ACCEPT:
            bargain.accept(self, move, log)
        elif phase is Phase.MOVE:
            rounds.further_move(self, move, log)
        elif phase is Phase.DISCARD:
            discard(self, log)
            rounds.begin(self, (self.boss + 1) % self.layout.players, log)
        else:
            rounds.lead(self, move, log)

    def view(self, index: int, news: tuple[Event, ...] = ()) -> View:
        """What the asked seat may know; ``news`` has been filtered for it."""
        seat, hook, topic = self.asks[index]
        extra: dict[str, Any] = {}
        number, boss = self.round, self.boss
        if hook == "accept":
            extra = {"bargain": topic}
        elif hook == "play":
            moving = None if self.moving == UNKNOWN else CARDS[self.moving]
            extra = {"bound": self.bound, "moving": moving, "moves_left": self.moves_left, "moved": self.moved}
        elif hook == "discard":
            extra = {"most": self.layout.rules.discards_between_rounds}
            number, boss = number + 1, (boss + 1) % self.layout.players
        color, spread = self.color, self.spread
        view_type: type[Any] = HOOKS[hook].view
        view: View = view_type(
            seat=seat,
            players=self.layout.players,
            news=news,
            round=number,
            rounds=self.layout.rounds,
            boss=boss,
            on_turn=boss if hook == "discard" else self.on_turn,
            color=None if color == UNKNOWN else COLORS[color],
            centre=centre_listed(color, spread.centre),
            fronts=fronts_listed(color, spread.fronts),
            passes=numbers(self.passes),
            tokens=self.tokens,
            cousins=seats_in(self.cousins),
            multiplier=self.multiplier,
            value=self.value,
            hand=listed(self.hands[seat]),
            hand_sizes=tuple(map(size, self.hands)),
            money=self.money[seat],
            deck=len(self.deck) - self.drawn,
            discard_pile=size(self.discards),
            discards=numbers(self.known),
            third_x=self.third_x,
            ledger=self.ledger,
            **extra,
        )
        return view


def start(rules: Rules, players: int, chance: Chance, log: Log = None) -> State:
    """Set up a match (C2). Raises ValueError for a number of players the edition does not allow."""
    if not rules.players[0] <= players <= rules.players[1]:
        low, high = rules.players
        raise ValueError(f"{rules.name} is for {low} to {high} players, not {players}")
    state = State(Layout(rules, players), chance)
    boss = set_up(state, log)
    rounds.begin(state, boss, log)
    return state
