"""Compares a new version of a bot with an old one in exactly the same seats: the question, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.bot import Limits
from arena.commands.compare.outlook import Outlook
from arena.config.tournament_config import Tournament
from arena.errors import UserError
from arena.games import load_game
from arena.match.work import Replays
from arena.penalties import FaultPolicy
from arena.runs.gauntlet_setup import GauntletOptions, ready_series, tournament_of
from arena.runs.models.named_models import NamedModels
from arena.runs.planning.open_folder import open_run
from arena.runs.planning.plan import Plan
from arena.runs.single_match import DEFAULT_RULES
from arena.sandbox.probe import Level
from arena.sequential.test_settings import Settings
from arena.storage.resume_command import COMPARISON_FACT
from arena.storage.run_facts.facts import RunState
from arena.storage.run_facts.registration_check import EXPLORATORY
from arena.storage.run_folder import FolderStore
from arena.tournament.inference.paired import PairedBlock, PairedMeasure
from arena.tournament.schedule.seat_orders import SeatOrders

if TYPE_CHECKING:
    from arena.sequential.sequential_test import SequentialState

COMPARISON_KEY = COMPARISON_FACT
"""The key in ``manifest.json`` for the question of a comparison and its result."""


class ComparisonQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The question of a comparison: is the entrant ``new`` better than ``old``, by the ``measure``? ``difference``,
    ``null``, ``alpha`` and ``beta`` are those of the test (:class:`arena.sequential.test_settings.Settings`). At
    ``most`` this number of deals is played; their differences are cut to ±``bound``. With ``lazy``, a match of the new
    version is played only from its first different answer on."""

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

    def of_game(self, game: str, pairs: int) -> ComparisonQuestion:
        """The same question for deals of this game with so many ``pairs``: with the bound on shares that follows from
        these (:meth:`arena.tournament.inference.paired.PairedMeasure.deal_bound`), or the bound on money that the game
        sets (:attr:`arena.games.contract.Game.swing`)."""
        bound = self.measure.deal_bound(pairs) if self.measure.share else float(load_game(game).swing)
        return msgspec.structs.replace(self, bound=bound)

    def difference_of(self, block: PairedBlock) -> float:
        """The difference in a block, as the test counts it."""
        return block.difference(self.measure, self.bound)

    @property
    def settings(self) -> Settings:
        """The settings of the test. Raises UserError for numbers that the test does not allow."""
        return Settings(
            measure=self.measure,
            bound=self.bound,
            difference=self.difference,
            null=self.null,
            alpha=self.alpha,
            beta=self.beta,
        )


class ComparisonOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a comparison: both versions and the bots of the ``field``, as named on the command line, the
    edition, the conditions of play, and the language models that all bots may consult (``named``)."""

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
    isolate_all: bool = False
    require: Level = Level.NONE
    replays: Replays = "none"
    named: NamedModels | None = None


PAIRS_THAT_TELL = 16
"""After this number of pairs, it is clear whether asking the new version first saves work."""
LEAST_BEFORE = 0.5
"""Asking first pays off if this share of the old version's asks is answered alike before the first difference..."""
LEAST_NEVER = 0.1
"""...or if this share of pairs never differs."""


class TwinSavings(msgspec.Struct):
    """The work saved by asking the new version first, in ``pairs`` of matches. ``never`` counts the pairs without any
    difference, whose second match was not played; ``asks`` the old version's asks in all pairs, and ``before`` those
    that the new version answered alike before its first different answer; ``whole`` counts, by reason, the pairs whose
    matches both had to be played in full."""

    pairs: int = 0
    never: int = 0
    whole: dict[str, int] = {}
    asks: int = 0
    before: int = 0

    @property
    def told_apart(self) -> bool:
        """Whether these pairs are enough to judge if asking first saves work."""
        return self.pairs >= PAIRS_THAT_TELL

    @property
    def worth_it(self) -> bool:
        """Whether asking first saves more than it costs: it saves the part of a match before the first difference, but
        the bots must be started a second time for the rest (figures in ``arena docs measured``)."""
        return 0 < LEAST_BEFORE * self.asks <= self.before or self.never >= LEAST_NEVER * self.pairs


class ComparisonResult(msgspec.Struct, kw_only=True):
    """The result of a comparison. ``state`` is the state of the test after the last of the ``blocks``, which are those
    that were judged; ``matches`` counts the matches in them. Pairs with a void match do not count, nor do matches
    without a counterpart (``alone``); ``unread`` blocks came after the verdict. ``labels`` are the editions."""

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
    """Why asking first was not used ("": it was)."""
    eager_from: int = 0
    """Asking first was given up after this number of deals, because it did not pay off (0: it was not given up)."""
    outlook: Outlook | None = None
    """How many more deals there may be, where there is no verdict."""
    earlier: int = 0
    """Matches that existed before the comparison was resumed; ``savings`` counts only the others."""
    standing: str = EXPLORATORY
    """Whether the test was registered, in a sentence."""


UNDECIDED_EXIT = 1
"""The exit code without a verdict."""


def set_up_comparison(
    wanted: ComparisonOptions, asked: ComparisonQuestion, seed: str | None
) -> tuple[Plan, ComparisonQuestion]:
    """The plan of a gauntlet with both versions as challengers, and the question, which names the versions as that
    gauntlet's entrants. Raises UserError for wrong options."""
    _ = asked.settings
    return plan_comparison(
        tournament_of(
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
                isolate_all=wanted.isolate_all,
                require=wanted.require,
                replays=wanted.replays,
                named=wanted.named,
            )
        ),
        asked,
        seed,
    )


def plan_comparison(
    tournament: Tournament, asked: ComparisonQuestion, seed: str | None
) -> tuple[Plan, ComparisonQuestion]:
    """The plan of this gauntlet, whose challengers are the new version and the old one, and the question with their
    names. Raises UserError where it cannot be played."""
    plan = ready_series(tournament, seed)
    new, old = plan.tournament.challengers
    pairs = plan.schedule.matches_in(0) // 2
    asked = msgspec.structs.replace(asked, new=new, old=old).of_game(plan.tables[0][0].game, pairs)
    return plan, asked


def reopen_comparison(
    folder: Path, most: int | None, trust: bool = False, wider: bool = False
) -> tuple[Plan, ComparisonQuestion, FolderStore]:
    """Open the comparison that was begun in ``folder``; ``most``, if given, is the new greatest number of deals.
    ``trust`` and ``wider`` are as for :func:`arena.runs.planning.open_folder.open_run`. Raises UserError if there is
    none, or if bots, rules or configuration have changed since it began."""
    began = FolderStore(folder)
    told = began.manifest_data().get(COMPARISON_KEY)
    if told is None:
        raise UserError(f"{folder} holds no comparison; to resume a run: {began.resume_command()}")
    try:
        asked = msgspec.convert(told, ComparisonQuestion)
    except msgspec.ValidationError as problem:
        raise UserError(f"{folder}: manifest.json: {COMPARISON_KEY}: {problem}") from None
    if most is not None and most < asked.most:
        raise UserError(f"--max-deals: this comparison has up to {asked.most}, and may have more but not fewer")
    asked = msgspec.structs.replace(asked, most=most or asked.most)
    plan, store = open_run(folder, blocks=asked.most, trust=trust, wider=wider)
    return plan.with_all_isolated() if plan.tournament.models else plan, asked, store


def question_facts(asked: ComparisonQuestion, **found: Any) -> dict[str, Any]:
    """The question and what was ``found``, as stored in ``manifest.json``."""
    plain: dict[str, Any] = msgspec.to_builtins(asked)
    return {COMPARISON_KEY: {**plain, **found}}
