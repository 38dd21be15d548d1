"""``arena run``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.executor_options import ExecutorOptions, executor_options
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.options.model_options import RunModelOptions, model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import SECRET_HELP, DurationOption, run_permission_options, running_command
from arena.cli.output.run_and_print import RunPrintOptions, play_and_print
from arena.cli.print_message import print_message
from arena.code_digest import statistics_note
from arena.commands.run.dry_run import show_estimate
from arena.config.tournament_config import MOST_BLOCKS, MOST_JOBS, MOST_STRIKES, RESOLVED_CONFIG, isolation_word
from arena.errors import ConfigError, UserError
from arena.executors.executor import EXECUTORS
from arena.match.executor_kind import ExecutorKind
from arena.match.work import Replays
from arena.penalties import FaultPolicy
from arena.plugins import is_plugin
from arena.runs import play_run as app
from arena.runs.early_stop import RunBounds
from arena.runs.gauntlet_setup import ROUND_ROBIN, round_robin_settings
from arena.runs.job_count import count_jobs
from arena.runs.models.model_access import check_recorded_models
from arena.runs.planning.make_plan import find_config, make_plan
from arena.runs.planning.open_folder import new_store, open_run
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import facts_of
from arena.runs.planning.registered_plan import read_registration
from arena.runs.reuse_sources import ask_for_seed
from arena.runs.run_options import RunOptions
from arena.sandbox.probe import Level
from arena.storage.run_facts.facts import RunState
from arena.storage.run_facts.registration_check import find_deviations
from arena.tournament.measures.custom_measures import with_made
from arena.tournament.schedule.schedule import MOST_MATCHES
from arena.tournament.schedule.seat_orders import SeatOrders
from arena.tournament.schedule.share import Share, read_share

RESUME_OPTIONS = ("jobs", "blocks", "time_limit", "max_fault_rate")
"""Options that override a key of the tournament file, and may be given with ``--resume``."""


@dataclass(frozen=True, slots=True)
class ConfigKeyOptions:
    """The options that override the key of the same name in the tournament file; None: not given."""

    blocks: int | None
    seat_orders: str | None
    fault_policy: str | None
    strikes: int | None
    replays: str | None
    jobs: int | None
    require: Level | None
    time_limit: float | None
    max_fault_rate: float | None

    def given(self) -> dict[str, object]:
        """The given options, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def bounds(self, own: RunBounds) -> RunBounds:
        """The bounds of the run: from these options, else from its ``own`` bounds."""
        return RunBounds(self.time_limit or own.seconds, self.max_fault_rate or own.fault_rate)

    def blame(self, problem: ConfigError) -> ConfigError:
        """The problem, attributed to the option that gave the value instead of to ``--set``, if there is such an
        option."""
        key = problem.file.removeprefix("--set ")
        if key == problem.file or key not in self.given():
            return problem
        return ConfigError(problem.message, file=f"--{key.replace('_', '-')}")


@click.command(cls=ArenaCommand)
@click.argument("named", nargs=-1, metavar="CONFIG|BOT...")
@click.option("--seed", help="Seed of the whole tournament.")
@click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default.")
@click.option(
    "-n",
    "--blocks",
    type=click.IntRange(1, MOST_BLOCKS),
    help="Number of blocks, a multiple of the cycle; by default one cycle.",
)
@click.option("--matches", type=click.IntRange(1, MOST_MATCHES), help="Number of matches, in place of --blocks.")
@click.option(
    "--seat-orders",
    type=click.Choice([each.value for each in SeatOrders]),
    help="Seat orders in which a table plays each block.",
)
@click.option("--fault-policy", type=click.Choice([each.value for each in FaultPolicy]), help="What a fault costs.")
@click.option(
    "--strikes", type=click.IntRange(1, MOST_STRIKES), help="Faults after which a bot is out (policy substitute)."
)
@click.option("--time-limit", type=DurationOption(), metavar="DURATION", help="Stop after this time: 90s, 30m, 2h.")
@click.option(
    "--max-fault-rate",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="SHARE",
    help="Stop when more than this share of all seats have faults, e.g. 0.2.",
)
@click.option("--replays", type=click.Choice(get_args(Replays)), help="Which replays to keep.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change any key of CONFIG, e.g. limits.ask=0.5; repeatable.",
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for the results; results/NAME-TIME by default."
)
@click.option(
    "--registration",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Play what `arena register` wrote into FILE, with the seed in FILE.secret.",
)
@click.option("--shard", metavar="I/N", help="Play share I of N of the matches, for `arena merge`; needs --seed.")
@click.option(
    "--reuse",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Reuse matches of the run in DIR that would come out the same; repeatable.",
)
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Resume an interrupted run.")
@click.option("--retry-void", is_flag=True, help="With --resume: play void matches again.")
@run_permission_options(SECRET_HELP)
@game_option
@plugin_option
@click.option("--skip-broken", is_flag=True, help="Leave out bots that cannot be loaded, and play the others.")
@click.option(
    "--dry-run", is_flag=True, help="Check everything, play a few trial matches, print an estimate of the time."
)
@click.option(
    "--pilot",
    type=click.IntRange(1, MOST_BLOCKS),
    metavar="BLOCKS",
    help="With --dry-run: number of blocks to play, to estimate the design factor.",
)
@click.option(
    "--longest",
    is_flag=True,
    help="With --dry-run: also print the longest possible time, if bots use up their time limits.",
)
@click.option("--oversubscribe", is_flag=True, help="Allow more jobs than cores.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
@click.option(
    "--table-every",
    type=DurationOption(),
    metavar="DURATION",
    help="Show provisional standings this often, e.g. every 30s or 10m.",
)
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@executor_options
@model_options
@gathered(keys=ConfigKeyOptions, machines=ExecutorOptions, consulted=RunModelOptions, printing=RunPrintOptions)
def run(
    named: tuple[str, ...],
    seed: str | None,
    matches: int | None,
    settings: tuple[str, ...],
    out: Path | None,
    registration: Path | None,
    shard: str | None,
    reuse: tuple[Path, ...],
    resume: Path | None,
    retry_void: bool,
    trust: bool,
    isolate_all: bool,
    wider: bool,
    skip_broken: bool,
    dry_run: bool,
    pilot: int | None,
    longest: bool,
    oversubscribe: bool,
    keys: ConfigKeyOptions,
    machines: ExecutorOptions,
    consulted: RunModelOptions,
    printing: RunPrintOptions,
) -> None:
    """Play the tournament in CONFIG, a YAML file or the name of one that ships with arena; or a round robin between two
    or more BOTs.

    Bots are named as for `arena match`. Unless CONFIG names another format, a block is a round of a few tables at which
    everybody sits equally often, and over a cycle of blocks all pairs of entrants meet equally often. Each table plays
    its own deal in several seat orders. Everything is written to one folder; `arena docs results` explains each file.

    \b
    Examples:
      arena run configs/tournaments/quick.yaml
      arena run dealmaker fair hard ./mybot.py --blocks 10
      arena run quick --blocks 10 --seed 42 -j 2 --set limits.ask=0.2
      arena run quick --matches 960 --dry-run
      arena run --resume results/quick-20260101-120000
      arena run --resume results/quick-20260101-120000 --blocks 20
      arena run quick --scheduler tcp://10.0.0.1:8786
      arena run quick --seed 42 --shard 3/16 --out part3
      arena run league.yaml --seed 42 --reuse results/league-of-june
      arena run --resume results/quick-20260101-120000 --retry-void
      arena run quick --time-limit 2h --max-fault-rate 0.2 --table-every 30s
    """
    if pilot is not None and not dry_run:
        raise click.UsageError("--pilot is an option of --dry-run; add --dry-run")
    if longest and not dry_run:
        raise click.UsageError("--longest is an option of --dry-run; add --dry-run")
    if keys.blocks is not None and matches is not None:
        raise click.UsageError("give either --blocks or --matches")
    if resume is not None:
        given = [name for name in keys.given() if name not in RESUME_OPTIONS]
        if named or seed or settings or out or registration or shard or dry_run or skip_broken or isolate_all or given:
            raise click.UsageError(
                "--resume uses the settings the run began with; add only --blocks or --matches (for more of them), "
                "--reuse, --retry-void, --trust, --wider-sandbox, --time-limit, --max-fault-rate, -j, --oversubscribe, "
                "--executor, --scheduler, --slots, --cassette, --money, --give-up, --allow-models, "
                "--json, --table-every or -q"
            )
        try:
            plan, store = open_run(resume, keys.blocks, matches, trust, wider)
        except ConfigError as problem:
            raise keys.blame(problem) from None
        if note := statistics_note(store.facts().code):
            print_message(f"{resume}: {note}")
        plan = _played_by(plan, machines, keys.jobs, recorded=True)
        options = RunOptions(
            command=running_command(), bounds=keys.bounds(app.bounds_of(plan)), reuse=reuse, retry_void=retry_void
        )
        check_recorded_models(plan.tournament.models, consulted.models)
        jobs = count_jobs(keys.jobs, plan.tournament.jobs, oversubscribe)
        play_and_print(plan, store, jobs, options, printing, resumed=True, consulted=consulted)
        return
    if retry_void:
        raise click.UsageError("--retry-void plays void matches of a run again; name the run with --resume DIR")
    if not named:
        raise click.UsageError(
            "name a tournament file, such as: arena run configs/tournaments/quick.yaml; or two or more bots, such as: "
            "arena run dealmaker ./mybot.py"
        )
    config, settings = named[0], tuple(settings)
    if len(named) > 1:
        config, settings = ROUND_ROBIN, (*round_robin_settings(named), *settings)
    overrides = [f"{key}={value}" for key, value in keys.given().items()]
    if isolation_word(trust, isolate_all) == "all":
        settings = (*settings, "isolation=all")
    if skip_broken:
        settings = (*settings, "skip_broken=true")
    share = None if shard is None else _shard_option(shard)
    registered = None
    if registration is not None:
        if seed is not None:
            raise click.UsageError("--registration has the seed; leave out --seed")
        registered, seed = read_registration(registration)
    try:
        plan = make_plan(find_config(config), [*overrides, *settings], seed, trust, matches, share, wider)
    except ConfigError as problem:
        if len(named) > 1 and problem.file.startswith("--set entrants"):
            raise UserError(problem.message) from None  # the user has typed bots, and no --set
        raise keys.blame(problem) from None
    plan = msgspec.structs.replace(plan, registration=registered)
    for deviation in find_deviations(facts_of(plan, ""), RunState.COMPLETE) if registered is not None else ():
        print_message(f"this deviates from the registration: {deviation}")
    recorded = Path(config).name == RESOLVED_CONFIG
    plan = _played_by(plan, machines, keys.jobs, recorded=recorded)
    if recorded:
        check_recorded_models(plan.tournament.models, consulted.models)
    if reuse and not (seed or plan.tournament.seed):
        raise ask_for_seed(reuse[0])
    for warning in plan.old_names:
        print_message(warning)
    jobs = count_jobs(keys.jobs, plan.tournament.jobs, oversubscribe)
    if dry_run and reuse:
        raise click.UsageError("--dry-run and --reuse cannot be combined; leave out one")
    if dry_run:
        show_estimate(plan, jobs, printing.as_json, pilot, longest)
        return
    name = plan.tournament.name + (f"-share-{share.number}-of-{share.of}" if share is not None else "")
    options = RunOptions(command=running_command(), reuse=reuse)
    play_and_print(plan, new_store(name, out), jobs, options, printing, resumed=False, consulted=consulted)


def _shard_option(text: str) -> Share:
    """Parse the value of ``--shard``. Raises UserError."""
    try:
        return read_share(text)
    except UserError as problem:
        raise UserError(f"--shard: {problem}") from None


def _played_by(plan: Plan, machines: ExecutorOptions, jobs: int | None, recorded: bool) -> Plan:
    """The plan with the executor from the command line. If the configuration is ``recorded`` in a run's folder, its
    scheduler is not used without the option ``--scheduler``, since a scheduler can run any code here. Raises UserError
    if the executor or a measure comes from outside arena and may not be imported (:mod:`arena.plugins`)."""
    way, given = machines.choose(plan.tournament.executor), machines.scheduler
    scheduler = plan.tournament.scheduler if given is None else given
    if recorded and way == ExecutorKind.DASK and scheduler != given:
        raise UserError(
            f"the configuration in the folder names the Dask scheduler {scheduler}, and a scheduler can run any code "
            f"here; if it is yours, add --scheduler {scheduler}, else --executor pool"
        )
    if way == ExecutorKind.DASK and scheduler and jobs is not None:
        raise click.UsageError("--jobs is for this machine; the number of matches on a Dask worker is its --nthreads")
    if is_plugin(way):
        EXECUTORS.load(way)
    with_made(plan.tournament.measures)
    return msgspec.structs.replace(
        plan, tournament=msgspec.structs.replace(plan.tournament, executor=way, scheduler=scheduler)
    )
