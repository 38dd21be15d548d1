"""``arena doctor``."""

from __future__ import annotations

import click
import msgspec

from arena import __version__
from arena.cli.command_classes import ArenaCommand
from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.cli.print_message import print_message
from arena.code_digest import code_digests
from arena.commands.doctor.fairness import FairnessReport, FairnessVerdict, read_fairness
from arena.engine import engine_in_use
from arena.runs.planning.isolation_level import diagnose_layers
from arena.sandbox.policy import Layer
from arena.system.platform_support import allowed_cores, system_name

NO_LANDLOCK = (
    "Landlock is missing or does nothing here, as on kernels before 5.13, under gVisor and in Apple's containers: bots "
    "can read every file that you can. Play only bots that you have read, or use a usual kernel (arena docs isolation "
    "other-systems)."
)


@click.command(cls=ArenaCommand)
@click.option("--fair", is_flag=True, help="Instead look for what makes time limits unfair on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(fair: bool, as_json: bool) -> None:
    """Test every layer of the bots' sandbox. Print which layers work here, which isolation level they reach, how the
    memory of bots and builds is limited, and the digests of arena's own code.

    With --fair, print what makes time limits unfair on this machine, such as cores that change their speed or run two
    threads at once, and what to do about it.

    \b
    Examples:
      arena doctor
      arena doctor --fair
    """
    if fair:
        _print_fairness(read_fairness(allowed=allowed_cores()), as_json)
        return
    found = diagnose_layers()
    if as_json:
        data = {**msgspec.to_builtins(found), "arena": __version__, "engine": engine_in_use(), "code": code_digests()}
        click.echo(msgspec.json.format(msgspec.json.encode(data)))
        return
    rows = [(each.layer.value, "yes" if each.holds else "no", each.found) for each in found.layers]
    click.echo(format_table(rows, ["layer", "holds", "found"], wrap=[2]))
    click.echo()
    levels = list(found.needs)
    reached = levels.index(found.level)
    rows = [
        (level.value, "yes" if place <= reached else "no", ", ".join(needed) or "nothing")
        for place, (level, needed) in enumerate(found.needs.items())
    ]
    click.echo(format_table(rows, ["level", "reached", "also needs"], wrap=[2]))
    click.echo()
    rows = [(each.way.value, "yes" if each.holds else "no", each.found) for each in found.memory]
    click.echo(format_table(rows, ["memory", "holds", "found"], wrap=[2]))
    enough = "strong enough" if reached >= levels.index(found.untrusted) else "too weak"
    click.echo(f"\nlevel {found.level}; this is {enough} for bots of strangers (--require {found.untrusted})")
    if found.missing:
        click.echo(f"\nthis is {system_name()} (arena docs isolation other-systems):\n")
        click.echo(format_table([*found.missing.items()], ["missing", "so"], wrap=[1]))
        click.echo()
    elif any(each.layer is Layer.LANDLOCK and not each.holds for each in found.layers):
        click.echo(fold_to_terminal(NO_LANDLOCK))
    exempt = f"bundled bots run in arena's own process, unless all are isolated: {', '.join(found.exempt)}"
    click.echo(fold_to_terminal(exempt))
    click.echo(f"\narena {__version__}, {engine_in_use()}; its code, by part:\n")
    click.echo(format_table([*code_digests().items()], ["part", "SHA-256 of the sources"]))
    print_message("whether time limits are fair on this machine: arena doctor --fair")


def _print_fairness(fairness: FairnessReport, as_json: bool) -> None:
    """Print the findings about the clock, and what to do about each problem."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(fairness)))
        return
    click.echo(fold_to_terminal(f"{fairness.cpu}, {fairness.cores} cores for this process"))
    click.echo()
    rows = [(each.matter.value, each.verdict.value, each.read) for each in fairness.found]
    click.echo(format_table(rows, ["what", "clock", "read"], wrap=[2]))
    hurting = [each for each in fairness.found if each.verdict is FairnessVerdict.HURTS]
    for each in hurting:
        click.echo(f"\n{fold_to_terminal(f'{each.matter}: {each.why}')}\n  {each.do}")
    unknown = sum(each.verdict is FairnessVerdict.UNKNOWN for each in fairness.found)
    told = f"{len(hurting)} of {len(fairness.found)} hurt, {unknown} unknown"
    click.echo(f"\n{told}; no two matches share a core with -j {fairness.jobs}")
