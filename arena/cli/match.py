"""``arena match``."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path

import click
import msgspec
from click.core import ParameterSource

from arena.app import match as app
from arena.app.isolation import choose
from arena.app.replays import count_faults
from arena.app.secrecy import judge_seed
from arena.app.wholefile import check_place, write_whole
from arena.bot import Limits
from arena.cli.commands import Seconds, isolation_options
from arena.cli.terminal import table
from arena.config.tournament import MOST_STRIKES
from arena.executors.make import make_executor
from arena.games import load_game
from arena.games.bot import MOST_SECONDS
from arena.penalties import FaultPolicy
from arena.players.faults import FaultKind
from arena.replay.read import read_lines
from arena.tournament.records import MatchRecord


@click.command(short_help="Play one match.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--rules", default=app.DEFAULT_RULES, show_default=True, help="Edition: a bundled name or a .yaml file.")
@click.option("--variant", "variants", multiple=True, help="A variant the edition offers; may be repeated.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Override a rule, e.g. max_turns=50.")
@click.option("--seed", help="Seed of the match; drawn and printed by default.")
@click.option(
    "--ask",
    type=Seconds(min=0, min_open=True, max=MOST_SECONDS),
    default=1.0,
    help="Seconds that a bot may think about each question.",
)
@click.option(
    "--bank",
    type=Seconds(min=0, max=MOST_SECONDS),
    default=10.0,
    help="Seconds for the whole match that slow answers may use up.",
)
@click.option(
    "--match-time",
    type=Seconds(min=0, min_open=True, max=MOST_SECONDS),
    default=60.0,
    help="Seconds that a bot may think in the whole match.",
)
@click.option(
    "--fault-policy",
    type=click.Choice([each.value for each in FaultPolicy]),
    default="substitute",
    help="What a fault costs.",
)
@click.option(
    "--strikes",
    type=click.IntRange(1, MOST_STRIKES),
    default=3,
    help="Faults after which a bot is out (policy substitute).",
)
@isolation_options
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the replay to this file.")
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what isolated bots print to files in this folder.",
)
def match(
    bots: tuple[str, ...],
    rules: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    seed: str | None,
    ask: float,
    bank: float,
    match_time: float,
    fault_policy: str,
    strikes: int,
    trust: bool,
    untrusted: bool,
    as_json: bool,
    out: Path | None,
    logs: Path | None,
) -> None:
    """Play one match. Give one BOT for each seat: a bundled name, file.py, file.py:Class, package.module:Class, or a
    program as cmd:"./bot --flag". Options follow a question mark, as in greedy?greed=0.6.

    \b
    Examples:
      arena match dealmaker greedy fair hard
      arena match ./mybot.py 'greedy?greed=0.6' fair --rules schmidt-1994 --seed 7 --out match.jsonl
    """
    limits = Limits(ask=ask, bank=bank, match=match_time)
    policy, isolation = FaultPolicy(fault_policy), choose(trust, untrusted)
    ready = app.set_up(bots, rules, variants, settings, seed, limits, policy, strikes, isolation)
    if untrusted:
        judge_seed(ready.spec.seed, ready.bots, ready.isolation, untrusted)
    for place, option in ((out, "--out"), (logs, "--logs")):
        if place is not None:
            check_place(place, option, folder=place is logs)
    here = Path.cwd()  # whatever folder a bot may change to
    with closing(make_executor(1, shown=True)) as executor:
        record, replay = app.play_apart(ready, executor, None if logs is None else here / logs)
    if out is not None:
        write_whole(here / out, replay)
    again = ["arena", "match", *bots, "--rules", rules, "--seed", ready.spec.seed]
    again += [word for variant in variants for word in ("--variant", variant)]
    again += [word for setting in settings for word in ("--set", setting)]
    context = click.get_current_context()
    for name in ("ask", "bank", "match_time", "fault_policy", "strikes"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            again += [f"--{name.replace('_', '-')}", str(context.params[name])]
    again += ["--trust"] * trust + ["--untrusted"] * untrusted
    _print(record, ready.spec.edition, ready.spec.seed, shlex.join(again), out, as_json)
    if not as_json:
        _print_faults(record, replay)


def _print_faults(record: MatchRecord, replay: bytes) -> None:
    """Print the bots' faults, equal ones counted together."""
    for fault in count_faults(read_lines(replay)[1]):
        rule = f" [{fault.rule}]" if fault.rule else ""
        who = f"{record.seats[fault.seat].entrant} (seat {fault.seat})"
        what = f"{fault.count} × {fault.kind}{rule} in {fault.hook}: {fault.evidence}"
        click.echo(f"{who}: {what} (first at ask {fault.ask})", err=True)


def _print(result: MatchRecord, edition: str, seed: str, again: str, out: Path | None, as_json: bool) -> None:
    if as_json:
        data = {
            "game": result.game,
            "edition": edition,
            "seed": seed,
            "termination": result.termination,
            "asks": result.asks,
            "void": result.void,
            "seats": [msgspec.structs.asdict(seat) for seat in result.seats],
            "sha256": result.sha256,
            "command": again,
        }
        click.echo(msgspec.json.format(msgspec.json.encode(data)))
        return
    rows = [
        (seat.rank, number, seat.entrant, seat.money, seat.ended, _faults(seat.faults))
        for number, seat in enumerate(result.seats)
    ]
    rows.sort()
    headers = ["rank", "seat", "bot", load_game(result.game).unit, "ended", "faults"]
    click.echo(table(rows, headers, wrap=[2, 5]))
    click.echo(f"\n{edition}: {result.termination} after {result.asks} asks" + (", void" if result.void else ""))
    if out is not None:
        click.echo(f"replay {out}  (narrate it with: arena show {out})")
    click.echo(f"seed {seed}; play it again with:\n  {again}", err=True)


def _faults(faults: dict[FaultKind, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "–"
