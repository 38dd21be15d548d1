"""Splitting a pie: a third game, as small as an honest one can be. Nothing outside this folder knows it.

P1: Each seat draws in secret what walking away is worth to it. P2: In turn one seat proposes a split of the whole pie.
P3: All others answer at once; if all say yes it is split so, else the pie shrinks and the next seat proposes. P4: After
the last round each walks away with its worth.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from arena.errors import IllegalMove
from arena.games.chance import Chance
from arena.games.contract import NO, YES, Ask, Chanced, Event, Game, Hook, Move, No, Outcome, Refusal, View, Yes

Positive = Annotated[int, Meta(ge=1)]


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edition, in $: ``shrinks`` is what a round without agreement costs, ``worth`` the most of walking away."""

    game: str
    name: str
    title: str
    players: tuple[Annotated[int, Meta(ge=2)], Annotated[int, Meta(le=3)]]
    pie: Annotated[int, Meta(ge=1, le=20)]
    shrinks: Positive
    rounds: Positive
    worth: Positive


class Propose(Move, frozen=True, tag="propose"):
    """What each seat shall get (P2)."""

    shares: tuple[int, ...]


class Valued(Event, frozen=True, tag="valued"):
    """A seat's worth, which it alone sees (P1)."""

    seat: int
    worth: int | None = None

    def seen_by(self, seat: int) -> Valued:
        return self if seat == self.seat else Valued(self.seat)


class Proposed(Event, frozen=True, tag="proposed"):
    """A split on the table (P2)."""

    seat: int
    shares: tuple[int, ...]


class Refused(Event, frozen=True, tag="refused"):
    """These seats said no (P3)."""

    seats: tuple[int, ...]


class PieView(View, frozen=True, kw_only=True):
    """What a seat knows: the pie, the round from 0, its own worth, and the ``shares`` it answers to."""

    pie: int
    round: int
    worth: int
    shares: tuple[int, ...] = ()

    def legal_moves(self, rules: Rules) -> tuple[Move, ...]:
        splits = () if self.shares else product(range(self.pie + 1), repeat=self.players)
        return tuple(Propose(shares) for shares in splits if sum(shares) == self.pie) or (YES, NO)

    def refusal(self, rules: Rules, move: Move) -> Refusal | None:
        if self.shares:
            return None if move in (YES, NO) else Refusal("P3", "expected yes or no")
        if not isinstance(move, Propose) or len(move.shares) != self.players or min(move.shares) < 0:
            return Refusal("P2", f"expected {self.players} shares of at least $0")
        whole = sum(move.shares) == self.pie
        return None if whole else Refusal("P2", f"the shares make ${sum(move.shares)}, the pie is ${self.pie}")


class Pie:
    """A match. All it holds is immutable, so that a copy is cheap."""

    __slots__ = ("answers", "asks", "outcome", "pie", "round", "rules", "shares", "worths")

    def __init__(self, rules: Rules, players: int, chance: Chance, log: list[Event] | None) -> None:
        self.rules, self.pie, self.round = rules, rules.pie, 0
        self.worths = tuple(chance.below(rules.worth + 1, "worth", seat) for seat in range(players))
        self.outcome: Outcome | None = None
        for seat, worth in enumerate(self.worths):
            if log is not None:
                log += [Chanced("worth", (seat,), worth), Valued(seat, worth)]
        self._ask((0,), "divide")

    def _ask(self, seats: Sequence[int], hook: str, shares: tuple[int, ...] = ()) -> None:
        self.asks = tuple(Ask(seat, hook) for seat in seats)
        self.answers: tuple[Move | None, ...] = (None,) * len(seats)
        self.shares = shares

    @property
    def pending(self) -> tuple[int, ...]:
        return tuple(index for index, answer in enumerate(self.answers) if answer is None)

    def view(self, index: int, news: tuple[Event, ...] = ()) -> PieView:
        seat, players = self.asks[index].seat, len(self.worths)
        known: dict[str, Any] = {"pie": self.pie, "round": self.round, "shares": self.shares}
        return PieView(seat=seat, players=players, news=news, worth=self.worths[seat], **known)

    def legal(self, index: int) -> tuple[Move, ...]:
        return self.view(index).legal_moves(self.rules)

    def default(self, index: int) -> Move:
        each, rest = divmod(self.pie, len(self.worths))
        return NO if self.shares else Propose((each + rest, *(each,) * (len(self.worths) - 1)))

    def refusal(self, index: int, move: Move) -> Refusal | None:
        return self.view(index).refusal(self.rules, move) if index in self.pending else Refusal("P3", "answered twice")

    def apply(self, index: int, move: Move, log: list[Event] | None = None) -> None:
        if (refused := self.refusal(index, move)) is not None:
            raise IllegalMove(*refused)
        self.answers = (*self.answers[:index], move, *self.answers[index + 1 :])
        if not self.pending:
            self._take_effect([] if log is None else log)

    def _take_effect(self, log: list[Event]) -> None:
        players = len(self.worths)
        match self.answers[0]:
            case Propose(shares):
                proposer = self.asks[0].seat
                log.append(Proposed(proposer, shares))
                self._ask([seat for seat in range(players) if seat != proposer], "respond", shares)
            case _ if NO not in self.answers:
                self._end(self.shares, "agreement")
            case _:
                against = zip(self.asks, self.answers, strict=True)
                log.append(Refused(tuple(ask.seat for ask, answer in against if answer == NO)))
                self.round, self.pie = self.round + 1, self.pie - self.rules.shrinks
                self._ask((self.round % players,), "divide")
                if self.round == self.rules.rounds:
                    self._end(self.worths, "no agreement")

    def _end(self, money: tuple[int, ...], termination: str) -> None:
        self.outcome = Outcome(money, tuple(1 + sum(other > mine for other in money) for mine in money), termination)
        self._ask((), "")

    def copy(self) -> Pie:
        return copy.copy(self)


def check_rules(rules: Rules) -> list[str]:
    """What is inconsistent in an edition."""
    low, high = rules.players
    last = rules.pie - rules.shrinks * (rules.rounds - 1)
    found = [f"players: {low} to {high} is no range"] if low > high else []
    return found if last > 0 else [*found, f"rounds: nothing is left of the pie in round {rules.rounds}"]


def tell(event: Event, rules: Rules, names: Sequence[str]) -> str | None:
    """An event in a sentence."""
    match event:
        case Valued(seat, worth) if worth is not None:
            return f"Walking away is worth ${worth} to {names[seat]}."
        case Proposed(seat, shares):
            return f"{names[seat]} proposes {', '.join(f'${share}' for share in shares)}."
        case Refused(seats):
            return f"{', '.join(names[seat] for seat in seats)} refuse."
    return None


GAME = Game(
    name=__name__.removeprefix("arena.games."),
    hooks={
        "divide": Hook("divide", (Propose,), PieView),
        "respond": Hook("respond", (Yes, No), PieView, idle=NO),
    },
    rules_type=Rules,
    events=(Chanced, Valued, Proposed, Refused),
    start=Pie,
    check_rules=check_rules,
    seats=lambda rules: range(rules.players[0], rules.players[1] + 1),
    tell=tell,
)
