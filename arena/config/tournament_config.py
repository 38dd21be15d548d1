"""The content of a tournament file: which bots play which editions, how often, in which seats and under which
limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from arena.bot import Limits
from arena.config.botspec import Scalar
from arena.consultation.model_spec import CallBudgets, ModelSpec
from arena.errors import UserError
from arena.finding.file_protection import RUN_FILE
from arena.match.executor_kind import ExecutorKind
from arena.match.work import Replays
from arena.penalties import FaultPolicy
from arena.sandbox.policy import Amounts
from arena.sandbox.probe import Level
from arena.tournament.formats.list_format import ListTable, read_tables
from arena.tournament.formats.make_format import Formats, RoundRobinTables
from arena.tournament.formats.team_tables.teams import Teams, teams_of
from arena.tournament.measures.custom_measures import CustomMeasure
from arena.tournament.schedule.balance import Balance
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.seat_orders import SeatOrders

Isolation = Literal["process", "none", "all"]
"""``process``: bots are isolated, except bundled ones; ``none``: bots are trusted; ``all``: all bots are isolated."""
MOST_BLOCKS, MOST_STRIKES, MOST_JOBS = 1_000_000_000, 1_000_000, 1_000
Blocks = Annotated[int, Meta(ge=1, le=MOST_BLOCKS)]
Strikes = Annotated[int, Meta(ge=1, le=MOST_STRIKES)]
Share = Annotated[float, Meta(gt=0, le=1)]
Rounds = Annotated[int, Meta(ge=1, le=MOST_BLOCKS)]
Jobs = Annotated[int, Meta(ge=1, le=MOST_JOBS)]

NAME_LENGTH = 40

RESOLVED_CONFIG = RUN_FILE
"""The name of a tournament file that arena has written out: a key that such a file lacks is newer than the file."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot with options and a name of its own. In the file a plain string is short for ``bot`` and may have options
    (``greedy?greed=0.4``); the default of ``name`` is the class, file stem or bundled name. ``cmd``, the words of a
    command, may be given instead of ``bot``. ``files`` are files and folders that belong to the bot, besides those that
    arena finds itself (:func:`arena.finding.files.gather_bot_files`). Entrants of one ``team`` never meet ("": no
    team). ``models`` are the language models that the bot may consult, its own first; in the file one name will do."""

    bot: str = ""
    cmd: tuple[str, ...] = ()
    name: str = ""
    options: dict[str, Scalar] = {}
    files: tuple[str, ...] = ()
    team: str = ""
    models: tuple[str, ...] = ()


class EditionEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules (a bundled name or a file's path), some of their variants, single changes (RFC 7396), and the sizes of
    its tables (None: those of the tournament). In the file a plain string is short for ``rules``, and ``seats`` may be
    a single number."""

    rules: str
    variants: tuple[str, ...] = ()
    changes: dict[str, Any] = {}
    seats: tuple[int, ...] | None = None


class Tournament(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole tournament file, checked and spelled out: every entrant has its name, paths are absolute.

    ``require`` is the lowest acceptable isolation level. ``skip_broken`` leaves out entrants whose bots cannot be
    loaded.

    ``suspend_after`` is the number of matches in which an entrant's bot was put out for its faults, after which the
    entrant is suspended for the rest of the run (:mod:`arena.tournament.records.suspension`); None suspends nobody.

    None leaves the choice to the caller: ``seed`` is drawn, ``seats`` is the number of entrants up to the edition's
    maximum, ``blocks`` the number that completes a cycle of the format (:mod:`arena.tournament.formats.format`),
    ``jobs`` all cores. In the file ``seed`` may be a number, and ``seats`` a single number.

    ``time_limit`` (seconds) and ``max_fault_rate`` (the share of bots' places that may have faults) stop a run early
    (:mod:`arena.runs.early_stop`); None: no limit.

    ``executor`` says where matches are played, a kind or the ``module:Name`` of one from outside arena, and
    ``scheduler``, for ``dask`` alone, is the address of the Dask scheduler; None: that of a cluster on this machine
    that the run starts itself.

    ``challengers`` are entrants' names, for the format `gauntlet` alone, ``tables`` are for a round robin, ``rounds``
    for `swiss`, ``fixtures`` for `list`. As loaded, a round robin has its ``tables``, every tournament its ``deals``,
    and a list a line for each table (:func:`arena.config.fixture_lists.read_fixtures`).

    ``measures`` names the measures of its standings, besides those that all standings have.

    ``models`` are the language models that entrants may consult, by name, ``consulting`` what this may cost.
    ``slots`` is how many matches are under way at once in one process, for bots that wait or consult models; None:
    matches are played by processes, unless there are models.
    """

    name: str
    entrants: tuple[Entrant, ...]
    editions: tuple[EditionEntry, ...]
    seed: str | None = None
    seats: tuple[int, ...] | None = None
    blocks: Blocks | None = None
    deals: Deals | None = None
    seat_orders: SeatOrders = SeatOrders.ROTATIONS
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: Strikes = 3
    suspend_after: Strikes | None = None
    limits: Limits = Limits()
    time_limit: Annotated[float, Meta(gt=0)] | None = None
    max_fault_rate: Share | None = None
    jobs: Jobs | None = None
    executor: str = ExecutorKind.POOL
    scheduler: Annotated[str, Meta(min_length=1)] | None = None
    replays: Replays = "all"
    isolation: Isolation = "process"
    require: Level = Level.NONE
    skip_broken: bool = False
    sandbox: Amounts = Amounts()
    format: Formats = Formats.ROUND_ROBIN
    challengers: tuple[str, ...] = ()
    tables: RoundRobinTables | None = None
    balance: Balance = Balance.PAIRS
    rounds: Rounds | None = None
    fixtures: str | tuple[str | tuple[int | str, ...], ...] = ()
    measures: dict[str, CustomMeasure] = {}
    models: dict[str, ModelSpec] = {}
    consulting: CallBudgets = CallBudgets()
    slots: Jobs | None = None

    @property
    def most_seats(self) -> int:
        """The maximum number of seats at a table that the entrants can fill: with challengers, one of these and all
        others; with mixtures all, because copies of a bot may meet."""
        if self.format is Formats.MIXTURES:
            return len(self.entrants) * self.largest_table
        return len(self.entrants) - max(0, len(self.challengers) - 1)

    @property
    def largest_table(self) -> int:
        """The largest number of seats that the file names for a table of its editions; 0 where it names none."""
        return max([0, *(size for edition in self.editions for size in edition.seats or self.seats or ())])

    @property
    def challenger_indices(self) -> tuple[int, ...]:
        """The indices of the challengers among the entrants."""
        names = [entrant.name for entrant in self.entrants]
        return tuple(names.index(name) for name in self.challengers)

    @property
    def list_tables(self) -> tuple[ListTable, ...]:
        """The tables of the list, after loading."""
        lines = [each for each in self.fixtures if isinstance(each, str)]
        return read_tables(lines, [entrant.name for entrant in self.entrants])

    @property
    def teams(self) -> Teams | None:
        """The teams of the entrants; None where no entrant has a team."""
        if not any(entrant.team for entrant in self.entrants):
            return None
        return teams_of([entrant.team for entrant in self.entrants])

    @property
    def deal_sharing(self) -> Deals:
        """Which matches share a deal: ``deals``, or the default."""
        if self.deals is not None:
            return self.deals
        together = self.format in (Formats.GAUNTLET, Formats.MIXTURES) or self.played_tables is RoundRobinTables.ALL
        return Deals.DUPLICATE if together else Deals.TABLE

    @property
    def played_tables(self) -> RoundRobinTables | None:
        """Which tables of a round robin are played: ``tables``, or the default; None in another format."""
        if self.format is not Formats.ROUND_ROBIN:
            return None
        return self.tables or RoundRobinTables.SPREAD


def isolation_word(trust: bool, isolate_all: bool) -> Isolation:
    """The value of the key ``isolation`` for bots that are to be trusted, or all of which are to be isolated. Raises
    UserError for both together."""
    if trust and isolate_all:
        raise UserError("trusted bots are not isolated: choose one of --trust and --isolate-all")
    return "none" if trust else "all" if isolate_all else "process"


def to_data(tournament: Tournament) -> dict[str, Any]:
    """Everything in plain data, defaults included but for models; dumped as YAML it loads as an equal tournament."""
    data: dict[str, Any] = msgspec.to_builtins(tournament)
    for entrant in data["entrants"]:
        del entrant["cmd"]  # it stands in ``bot`` by now
        if not entrant["models"]:
            del entrant["models"]
    for key, value in (("models", {}), ("consulting", msgspec.to_builtins(CallBudgets())), ("slots", None)):
        if data[key] == value:
            del data[key]  # runs without models are as they were
    return data
