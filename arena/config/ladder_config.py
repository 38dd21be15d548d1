"""The content of a ladder's file: which game is played at which tables, under which rules, and who may enter how."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from arena.bot import Limits
from arena.config.tournament_config import Entrant, Isolation, Jobs, Strikes
from arena.consultation.model_spec import ModelSpec, SeasonBudgets
from arena.match.work import Replays
from arena.penalties import FaultPolicy
from arena.sandbox.policy import Amounts
from arena.sandbox.probe import Level
from arena.tournament.schedule.seat_orders import SeatOrders

Tables = Annotated[int, Meta(ge=1, le=1_000_000)]
Few = Annotated[int, Meta(ge=1, le=1_000_000)]
Zone = Annotated[float, Meta(ge=0, lt=0.5)]


class Published(StrEnum):
    """When something becomes public."""

    ROUND = "round"
    """When the round in which it was played is closed."""

    SEASON = "season"
    """When the season is closed."""

    NEVER = "never"
    """Never."""


class RatedBy(StrEnum):
    """What the order of the standings is based on."""

    ORDER = "order"
    """The order in which bots finish."""

    MONEY = "money"
    """The money that bots make."""


class Qualifier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a submitted version must show before it is admitted: in ``matches`` against the anchors, which count for
    nothing else, it finishes ahead of at least the share ``ahead`` of its opponents."""

    matches: Few
    ahead: Annotated[float, Meta(gt=0, lt=1)]


class Promotion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which versions of another ladder of the folder enter this one: when a season of the ladder ``source`` (key
    ``from``) is closed, the ``best`` of its final standings, without anchors."""

    source: str = msgspec.field(name="from")
    best: Few


class EntryRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may enter, and how often; None: no limit. ``versions_a_day`` and ``bots`` apply to one author; with
    ``one_team`` the bots of an author never sit at the same table. Only the newest ``versions`` of each bot play. A
    version plays ``check_matches``, each twice, before it is admitted; with ``must_repeat`` its answers must be the
    same in both plays. A ``qualifier`` follows, if there is one. Building it may take ``build_seconds`` and
    ``build_memory`` MB. ``tokens``: only holders of an author's token may submit. ``models`` are the language models
    that submitted bots may consult, the first being their own."""

    versions_a_day: Few | None = None
    bots: Few | None = None
    one_team: bool = True
    versions: Few = 1
    check_matches: Few = 8
    must_repeat: bool = False
    qualifier: Qualifier | None = None
    build_seconds: Few = 300
    build_memory: Few = 2048
    tokens: bool = False
    models: tuple[str, ...] = ()


class Publish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the seeds and the replays of matches become public, and the cassettes, which hold what bots asked models and
    what these answered."""

    seeds: Published = Published.ROUND
    replays: Published = Published.ROUND
    cassettes: Published = Published.NEVER


class LadderConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole ladder file, checked and spelled out: paths are absolute, every anchor has its name.

    ``rules``, ``variants`` and ``changes`` name the edition as in a tournament file, ``seats`` is the number of seats
    at its tables (None: the maximum that the edition allows, but at most 4). The ``anchors`` are bots that always play;
    ratings are relative to the first of them.

    A round has ``round_tables`` tables (None: as many as there are bots, at least 24, and at least a hundredth of those
    played before). The policy ``pairing``, a name or ``module:Name``, chooses them. A version is new until it has
    played ``newcomer_tables``. Two versions count as equal where the share of matches in which one finishes above the
    other is within ``indifference`` of one half: no more matches are spent on telling them apart. A version is
    suspended after ``suspend_after`` matches of a season in which it was put out for its faults (None: never). A match
    that could not be played, through no fault of a bot, is retried ``retries`` times. ``promotion`` says which versions
    come from another ladder.

    ``models`` are the language models that bots may consult, by name: submitted bots those of ``entry.models``, each
    anchor those of its own key. ``consulting`` is what this may cost, ``slots`` how many matches are then under way at
    once (None: some).
    """

    name: str
    rules: str
    variants: tuple[str, ...] = ()
    changes: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=2, le=100)] | None = None
    anchors: tuple[Entrant, ...] = ()
    rated_by: RatedBy = RatedBy.ORDER
    pairing: str = "open-pairs"
    round_tables: Tables | None = None
    newcomer_tables: Tables = 24
    indifference: Zone = 0.02
    seat_orders: SeatOrders = SeatOrders.ROTATIONS
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: Strikes = 3
    suspend_after: Strikes | None = 20
    retries: Few = 2
    limits: Limits = Limits()
    isolation: Isolation = "process"
    require: Level = Level.NONE
    sandbox: Amounts = Amounts()
    replays: Replays = "all"
    entry: EntryRules = EntryRules()
    publish: Publish = Publish()
    promotion: Promotion | None = None
    models: dict[str, ModelSpec] = {}
    consulting: SeasonBudgets = SeasonBudgets()
    slots: Jobs | None = None
