"""A new version of a bot compared with an old one, where one sits exactly where the other sat: what is asked, and what
was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.bot import Limits
from arena.errors import UserError
from arena.games import load_game
from arena.match.work import Replays
from arena.penalties import FaultPolicy
from arena.runs.gauntlet_setup import GauntletOptions, set_up_gauntlet
from arena.runs.planning.open_folder import open_run
from arena.runs.planning.plan import Plan
from arena.runs.single_match import DEFAULT_RULES
from arena.sandbox.probe import Level
from arena.sequential.test_settings import Settings
from arena.storage.resume_command import COMPARISON_FACT
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.tournament.inference.paired import PairedBlock, PairedMeasure
from arena.tournament.schedule.seat_orders import SeatOrders

if TYPE_CHECKING:
    from arena.sequential.sequential_test import SequentialState

COMPARISON_KEY = COMPARISON_FACT
"""Under which ``manifest.json`` keeps what is compared."""


class ComparisonQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison asks: is ``new`` better than ``old``, two entrants, in the ``measure``? ``difference``,
    ``null``, ``alpha`` and ``beta`` are those of the test (:class:`arena.sequential.test_settings.Settings`); at
    ``most`` so many deals are played, whose differences are cut at the ``bound`` either way. With ``lazy`` only that
    part of the new version's matches is played in which it differs."""

    new: str
    old: str
    measure: PairedMeasure = PairedMeasure.BEATEN
    difference: float = 0.3
    null: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05
    most: int = 1000
    lazy: bool = True
    bound: float = 1.0

    def of_game(self, game: str) -> ComparisonQuestion:
        """The same of matches of this game, by which money is bounded (:attr:`arena.games.contract.Game.swing`)."""
        bound = 1.0 if self.measure.share else float(load_game(game).swing)
        return msgspec.structs.replace(self, bound=bound)

    def difference_of(self, block: PairedBlock) -> float:
        """What the test is told of a block."""
        return block.difference(self.measure, self.bound)

    @property
    def settings(self) -> Settings:
        """The settings of the test. Raises UserError for numbers that make none."""
        return Settings(
            measure=self.measure,
            bound=self.bound,
            difference=self.difference,
            null=self.null,
            alpha=self.alpha,
            beta=self.beta,
        )


class ComparisonOptions(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison as the command line asks for it: both versions and the ``field``, as bots are named there, the
    edition, and the conditions."""

    new: str
    old: str
    field: tuple[str, ...]
    rules: str = DEFAULT_RULES
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    seats: int | None = None
    orders: SeatOrders = SeatOrders.ROTATIONS
    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3
    trust: bool = False
    require: Level = Level.NONE
    replays: Replays = "none"


PAIRS_THAT_TELL = 16
"""So many pairs tell whether asking the new version first saves anything."""
LEAST_BEFORE = 0.5
"""The share of the old version's asks that have to be answered alike before the first difference..."""
LEAST_NEVER = 0.1
"""...or the share of pairs that never differ, so that asking first saves more than it costs."""


class TwinSavings(msgspec.Struct):
    """What asking the new version first has saved, in ``pairs`` of matches: how many ``never`` differed, so that
    nothing was played; of the old version's ``asks`` in all of them how many the new one answered alike ``before`` its
    first other answer; and by reason how many had to be played ``whole``."""

    pairs: int = 0
    never: int = 0
    whole: dict[str, int] = {}
    asks: int = 0
    before: int = 0

    @property
    def told_apart(self) -> bool:
        """Whether these pairs are enough to say if anything is saved."""
        return self.pairs >= PAIRS_THAT_TELL

    @property
    def worth_it(self) -> bool:
        """Whether asking first saves more than it costs: it spares what comes before the first difference, but bots are
        made a second time for what comes behind it (figures in ``arena docs measured``)."""
        return 0 < LEAST_BEFORE * self.asks <= self.before or self.never >= LEAST_NEVER * self.pairs


class ComparisonResult(msgspec.Struct, kw_only=True):
    """What a comparison has found. ``state`` is the test's after the last of the ``blocks``, which are all that were
    looked at; ``matches`` are those in them, of which ``void`` pairs do not count, nor do matches ``alone``, without a
    counterpart; ``unread`` blocks lie behind the verdict. ``labels`` are the editions."""

    asked: ComparisonQuestion
    state: SequentialState
    blocks: Sequence[PairedBlock]
    labels: tuple[str, ...]
    field: tuple[str, ...]
    games: tuple[str, ...]
    run: RunState = RunState.COMPLETE
    exit_code: int = 0
    matches: int = 0
    alone: int = 0
    unread: int = 0
    savings: TwinSavings | None = None
    eager: str = ""
    """Why nothing was saved ("": it was)."""
    eager_from: int = 0
    """After so many deals nothing more was saved, because it had not been worth it (0: it went on)."""
    earlier: int = 0
    """Matches that were there before it was gone on with; ``savings`` tells of the others alone."""


UNDECIDED_EXIT = 1
"""The exit code without a verdict."""


def set_up_comparison(
    wanted: ComparisonOptions, asked: ComparisonQuestion, seed: str | None
) -> tuple[Plan, ComparisonQuestion]:
    """The plan of a gauntlet with both versions as challengers, and what is asked with the names that they have in it.
    Raises UserError."""
    _ = asked.settings
    plan = set_up_gauntlet(
        GauntletOptions(
            bot=wanted.new,
            rivals=(wanted.old,),
            opponents=wanted.field,
            rules=wanted.rules,
            variants=wanted.variants,
            settings=wanted.settings,
            deals=asked.most,
            seats=wanted.seats,
            orders=wanted.orders,
            limits=wanted.limits,
            fault_policy=wanted.fault_policy,
            strikes=wanted.strikes,
            trust=wanted.trust,
            require=wanted.require,
            replays=wanted.replays,
        ),
        seed,
    )
    new, old = plan.tournament.challengers
    asked = msgspec.structs.replace(asked, new=new, old=old).of_game(plan.tables[0][0].game)
    return plan, asked


def reopen_comparison(
    folder: Path, most: int | None, trust: bool = False, wider: bool = False
) -> tuple[Plan, ComparisonQuestion, FolderStore]:
    """A comparison that was begun in ``folder``, with at ``most`` so many deals if that is given; ``trust`` and
    ``wider`` are as for :func:`arena.runs.planning.open_folder.open_run`. Raises UserError where there is none, or
    where bots, rules or configuration are not those it began with."""
    began = FolderStore(folder)
    told = began.remembered().get(COMPARISON_KEY)
    if told is None:
        raise UserError(f"{folder} holds no comparison; go on with a run: {began.resume_command()}")
    try:
        asked = msgspec.convert(told, ComparisonQuestion)
    except msgspec.ValidationError as problem:
        raise UserError(f"{folder}: manifest.json: {COMPARISON_KEY}: {problem}") from None
    if most is not None and most < asked.most:
        raise UserError(f"--max-deals: this comparison has up to {asked.most}, and may have more but not fewer")
    asked = msgspec.structs.replace(asked, most=most or asked.most)
    plan, store = open_run(folder, blocks=asked.most, trust=trust, wider=wider)
    return plan, asked, store


def question_facts(asked: ComparisonQuestion, **found: Any) -> dict[str, Any]:
    """What is asked, and what was ``found``, for ``manifest.json``."""
    plain: dict[str, Any] = msgspec.to_builtins(asked)
    return {COMPARISON_KEY: {**plain, **found}}
