"""Splitting a pie: a third game, as small as an honest one can be. Nothing outside this folder knows it.

P1: Each seat draws in secret what walking away is worth to it. P2: In turn one seat proposes a split of the whole pie.
P3: All others answer at once; if all say yes it is split so, else the pie shrinks and the next seat proposes. P4: After
the last round each walks away with its worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import product
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from arena.games.chance import Chance
from arena.games.contract import (
    NO,
    ONLOOKER,
    YES,
    Ask,
    Chanced,
    Event,
    Game,
    Hook,
    Move,
    No,
    Outcome,
    Question,
    Refusal,
    View,
    Yes,
    by_name,
)
from arena.games.game_bot import Answer, Bot
from arena.games.phase_state import Phased, ask_one_seat

Positive = Annotated[int, Meta(ge=1)]


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edition, in $: ``shrinks`` is what a round without agreement costs, ``worth`` the most of walking away."""

    game: str
    name: str
    title: str
    players: tuple[Annotated[int, Meta(ge=2)], Annotated[int, Meta(le=8)]]
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
    """``divide``: the pie, the round from 0, and the seat's own worth (None: an onlooker's)."""

    pie: int
    round: int
    worth: int | None


class RespondView(PieView, frozen=True, kw_only=True):
    """``respond``: also the ``shares`` it answers to."""

    shares: tuple[int, ...]


class Termination(StrEnum):
    """Why a match ends (P3, P4)."""

    AGREEMENT = "agreement"
    NO_AGREEMENT = "no agreement"


Asked = Question[Any, int]
"""The table is a match or a view: both have a ``pie`` and ``players``. The hand is the seat's worth."""


def splits(asked: Asked) -> tuple[Move, ...]:
    """Every way to split the pie (P2)."""
    pie, players = asked.table.pie, asked.table.players
    return tuple(Propose(shares) for shares in product(range(pie + 1), repeat=players) if sum(shares) == pie)


def refuse_split(asked: Asked, move: Propose) -> Refusal | None:
    """Why this is no split of the pie (P2)."""
    pie, players, shares = asked.table.pie, asked.table.players, move.shares
    if len(shares) != players or min(shares) < 0:
        return Refusal("P2", f"expected {players} shares of at least $0")
    return None if sum(shares) == pie else Refusal("P2", f"the shares make ${sum(shares)}, the pie is ${pie}")


def even_split(asked: Asked) -> Move:
    """The same for all, and the rest for seat 0."""
    each, rest = divmod(asked.table.pie, asked.table.players)
    return Propose((each + rest, *(each,) * (asked.table.players - 1)))


HOOKS = by_name(
    Hook(
        "divide",
        "P2",
        (Propose,),
        PieView,
        legal=splits,
        refuse=refuse_split,
        default=even_split,
        question=lambda view, rules: Asked(view, view.seat, view.worth),
    ),
    Hook(
        "respond",
        "P3",
        (Yes, No),
        RespondView,
        legal=lambda asked: (YES, NO),
        refuse=lambda asked, move: None,
        idle=NO,
        shows=lambda asked: {"shares": asked.topic},
        question=lambda view, rules: Asked(view, view.seat, view.worth, view.shares),
    ),
)


class Pie(Phased):
    """A match; ``hands`` is what walking away is worth to each seat."""

    hooks, rule, open_view = HOOKS, "P3", PieView
    outcome: Outcome | None = None

    def __init__(self, rules: Rules, players: int, chance: Chance, log: list[Event] | None) -> None:
        self.rules, self.players, self.pie, self.round = rules, players, rules.pie, 0
        self.hands = tuple(chance.below(rules.worth + 1, "worth", seat) for seat in range(players))
        for seat, worth in enumerate(self.hands):
            if log is not None:
                log += [Chanced("worth", (seat,), worth), Valued(seat, worth)]
        self.ask("divide", ask_one_seat("divide", 0))

    def public_view(self, kind: type[Any], besides: Mapping[str, Any]) -> View:
        view: View = kind(seat=ONLOOKER, players=self.players, pie=self.pie, round=self.round, worth=None, **besides)
        return view

    def own_fields(self, seat: int) -> dict[str, Any]:
        return {"worth": self.hands[seat]}

    def draw_anew(self, chance: Chance) -> None:
        """Nothing is left to chance once the worths are drawn (P1)."""

    def resolve(self, log: list[Event] | None) -> None:
        log = [] if log is None else log
        match self.answers[0]:
            case Propose(shares):
                proposer = self.asks[0].seat
                log.append(Proposed(proposer, shares))
                others = (seat for seat in range(self.players) if seat != proposer)
                self.ask("respond", tuple(Ask(seat, "respond", shares) for seat in others))
            case _ if NO not in self.answers:
                self._end(self.asks[0].topic, Termination.AGREEMENT)
            case _:
                against = zip(self.asks, self.answers, strict=True)
                log.append(Refused(tuple(ask.seat for ask, answer in against if answer == NO)))
                self.round, self.pie = self.round + 1, self.pie - self.rules.shrinks
                self.ask("divide", ask_one_seat("divide", self.round % self.players))
                if self.round == self.rules.rounds:
                    self._end(self.hands, Termination.NO_AGREEMENT)

    def _end(self, money: Sequence[int], termination: Termination) -> None:
        self.outcome = Outcome.by_money(money, termination)
        self.ask("over", ())


class PieTable(msgspec.Struct, frozen=True):
    """The pie, the round from 0, the split proposed last, and what walking away is worth by seat (None: unknown)."""

    pie: int
    round: int
    shares: tuple[int, ...]
    worths: tuple[int | None, ...]


class PieFold:
    """The table, folded from events."""

    def __init__(self, rules: Rules, players: int, seat: int | None) -> None:
        self.rules, self.seat = rules, seat
        self.table = PieTable(rules.pie, 0, (), (None,) * players)

    def follow(self, event: Event) -> None:
        """One event."""
        table = self.table
        match event if self.seat is None else event.seen_by(self.seat):
            case Valued(seat, worth):
                worths = (*table.worths[:seat], worth, *table.worths[seat + 1 :])
                self.table = PieTable(table.pie, table.round, table.shares, worths)
            case Proposed(_, shares):
                self.table = PieTable(table.pie, table.round, shares, table.worths)
            case Refused():
                self.table = PieTable(table.pie - self.rules.shrinks, table.round + 1, (), table.worths)


def imagine(view: PieView, rules: Rules, rng: Random) -> Pie:
    """A match of which a seat knows so much: what walking away is worth to the others is drawn (P1)."""
    state = Pie(rules, view.players, Chance(""), None)
    drawn = (rng.randrange(rules.worth + 1) for _ in range(view.players))
    state.hands = tuple(view.worth if seat == view.seat else worth for seat, worth in enumerate(drawn))
    state.pie, state.round = view.pie, view.round
    proposer = view.round % view.players
    state.ask("divide", ask_one_seat("divide", proposer))
    if isinstance(view, RespondView):
        others = (seat for seat in range(view.players) if seat != proposer)
        state.ask("respond", tuple(Ask(seat, "respond", view.shares) for seat in others))
    return state


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


class PieBot(Bot, game=__name__.removeprefix("arena.games.")):
    """Base class of bots that split pies."""

    rules: Rules

    def divide(self, view: PieView) -> Answer[Propose]:
        """What each seat shall get (P2). Default: even shares."""
        raise NotImplementedError

    def respond(self, view: RespondView) -> Answer[Yes | No | bool] | None:
        """Whether to take ``view.shares`` (P3). Default: no."""
        raise NotImplementedError


GAME = Game(
    name=__name__.removeprefix("arena.games."),
    hooks=HOOKS,
    rules_type=Rules,
    events=(Chanced, Valued, Proposed, Refused),
    terminations=Termination,
    start=Pie,
    check_rules=check_rules,
    seats=lambda rules: range(rules.players[0], rules.players[1] + 1),
    tell=lambda rules, names: lambda event: tell(event, rules, names),
    fold=PieFold,
    folded=PieTable,
    imagine=imagine,
)
