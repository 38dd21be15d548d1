"""``arena match``."""

from __future__ import annotations

import shlex
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.match_options import MatchOptions, condition_options, edition_options, words_again
from arena.cli.options.model_options import NamedModelOptions, named_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import SECRET_HELP, isolation_options
from arena.cli.output.terminal import format_table
from arena.cli.print_json import print_json
from arena.config.botspec import COMMAND_PREFIX
from arena.consultation.call_record import with_models
from arena.errors import UserError
from arena.games import load_game
from arena.penalties import FaultKind
from arena.recorded.debugged_matches import debug_match
from arena.recorded.recorded_models import cassette_beside
from arena.replay.fault_counts import FaultCount, count_faults
from arena.replay.read import read_replay_lines
from arena.runs import single_match as app
from arena.runs.models.model_access import executor_of_match
from arena.runs.planning.guessable_seed import judge_seed
from arena.storage.files.atomic_files import check_place, write_whole
from arena.tournament.records.match_record import MatchRecord

UNSAVED_REPLAY = "faults.jsonl"
"""The name of the replay file in suggested commands, if the match that was played did not keep its replay."""


@click.command(cls=ArenaCommand)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@edition_options
@click.option("--seed", help="Seed of the match; by default random, and printed.")
@condition_options
@isolation_options(SECRET_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the replay to this file.")
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the output of isolated bots to files in this folder.",
)
@click.option(
    "--pdb", is_flag=True, help="Play in arena's own process, and open a debugger at every exception of a bot."
)
@click.option("--deals", hidden=True, expose_value=False, callback=lambda *given: _one_deal(given[-1]))
@named_model_options
@gathered(given=MatchOptions, consulted=NamedModelOptions)
def match(
    bots: tuple[str, ...],
    as_json: bool,
    out: Path | None,
    logs: Path | None,
    pdb: bool,
    given: MatchOptions,
    consulted: NamedModelOptions,
) -> None:
    """Play one match, and print the result. Give one BOT for each seat: a bundled name, file.py, file.py:Class,
    package.module:Class, or a program as cmd:"./bot --flag". Options follow a question mark, as in greedy?greed=0.6.

    \b
    Examples:
      arena match dealmaker greedy fair hard
      arena match ./mybot.py 'greedy?greed=0.6' fair --rules schmidt-1994 --seed 7 --out match.jsonl
      arena match ./mybot.py greedy fair --seed 7 --pdb
      arena match talker greedy fair hard --models talk.yaml --out match.jsonl
    """
    setup = given.setup(replace(given, trust=given.trust or pdb).choose())
    if (named := consulted.read()) is not None:
        if pdb:
            raise UserError("bots in the debugger consult no models: leave out --models, or --pdb")
        isolation = msgspec.structs.replace(setup.isolation, isolate_all=True)
        setup = msgspec.structs.replace(setup, limits=named.limits, isolation=isolation)
    if pdb and logs is not None:
        raise UserError("--logs keeps the output of isolated bots; with --pdb it is shown directly")

    def set_up() -> app.ReadyMatch:
        ready = app.set_up_match(bots, setup, here=pdb)
        judge_seed(ready.spec.seed, ready.bots, ready.isolation, given.level)
        for place, option in ((out, "--out"), (logs, "--logs")):
            if place is not None:
                check_place(place, option, folder=place is logs)
        return ready

    here = Path.cwd()  # whatever folder a bot may change to
    if pdb:
        ready, record, replay = debug_match(bots, set_up)
    else:
        ready = set_up()
        if named is not None:
            ready.models = named.of_match(len(bots))
        with closing(executor_of_match(ready, consulted.models)) as executor:
            played = app.play_apart(ready, executor, None if logs is None else here / logs)
        record, replay = played.record, played.replay
        if out is not None and played.cassette is not None and ready.models is not None:
            write_whole(cassette_beside(here / out), with_models(played.cassette, ready.models))
    if out is not None:
        write_whole(here / out, replay)
    again = ["arena", "match", *bots, *words_again(ready.spec.seed)]
    again += ["--trust"] * (pdb and not given.trust) + given.words + consulted.words
    _print_match(record, ready.spec.edition, ready.spec.seed, shlex.join(again), out, as_json)
    if not as_json:
        faults = count_faults(read_replay_lines(replay)[1])
        _print_faults(record, faults)
        if not pdb:
            _print_next(bots, faults, out, again, given.trust)


def _one_deal(deals: str | None) -> None:
    """Raise UsageError where several deals are asked for."""
    if deals is not None:
        raise click.UsageError(
            "a match has one deal; to play the first bot against the others on many deals: "
            f"arena gauntlet BOT OPPONENT... --deals {deals}"
        )


def _print_faults(record: MatchRecord, faults: list[FaultCount]) -> None:
    """Print the bots' faults, equal ones counted together."""
    for fault in faults:
        rule = f" [{fault.rule}]" if fault.rule else ""
        who = f"{record.seats[fault.seat].entrant} (seat {fault.seat})"
        what = f"{fault.count} × {fault.kind}{rule} in {fault.hook}: {fault.evidence}"
        first = f"first at ask {fault.ask}" if fault.ask else "at the start"
        click.echo(f"{who}: {what} ({first})", err=True)


def _print_next(
    bots: tuple[str, ...], faults: list[FaultCount], out: Path | None, again: list[str], trust: bool
) -> None:
    """Print the commands that lead to the first fault of each bot."""
    firsts: dict[int, int] = {}
    for fault in faults:
        firsts[fault.seat] = min(fault.ask, firsts.get(fault.seat, fault.ask))
    if not firsts:
        return
    file = str(out or UNSAVED_REPLAY)
    commands = [] if out is not None else [[*again, "--out", file]]
    for seat, ask in firsts.items():
        if not ask:
            commands.append(["arena", "bots", "check", bots[seat]])
            continue
        commands.append(["arena", "show", file, "--at", f"ask{ask}"])
        refeed = ["arena", "refeed", file, "--bot", bots[seat], "--at", f"ask{ask}"]
        program = bots[seat].startswith(COMMAND_PREFIX)
        commands.append([*refeed, *([] if program else ["--pdb"]), *["--trust"] * (trust and program)])
    click.echo("To go on:", err=True)
    for words in commands:
        click.echo(f"  {shlex.join(words)}", err=True)


def _print_match(result: MatchRecord, edition: str, seed: str, again: str, out: Path | None, as_json: bool) -> None:
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
        print_json(data)
        return
    rows = [
        (seat.rank, number, seat.entrant, seat.money, seat.ended, _fault_counts(seat.faults))
        for number, seat in enumerate(result.seats)
    ]
    rows.sort()
    headers = ["rank", "seat", "bot", load_game(result.game).unit, "ended", "faults"]
    click.echo(format_table(rows, headers, wrap=[2, 5]))
    click.echo(f"\n{edition}: {result.termination} after {result.asks} asks" + (", void" if result.void else ""))
    if out is not None:
        click.echo(f"replay {out}  (read it with: arena show {out})")
    click.echo(f"seed {seed}; play it again with:\n  {again}", err=True)


def _fault_counts(faults: dict[FaultKind, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "–"
