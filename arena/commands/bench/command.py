"""``arena bench``."""

from __future__ import annotations

from contextlib import closing

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.shared_options import SecondsOption, rules_options
from arena.cli.output.terminal import format_table
from arena.commands.bench.speed import measure_speed
from arena.config.tournament_config import MOST_JOBS
from arena.executors.make import make_executor
from arena.runs.single_match import DEFAULT_RULES
from arena.system.platform_support import usable_cores


@click.command(cls=ArenaCommand)
@click.option(
    "--seconds",
    type=SecondsOption(min=0.1, max=3600),
    default=3.0,
    show_default=True,
    help="Seconds to spend on each figure.",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Processes of the tournament; all cores by default."
)
@click.option(
    "--rules", default=DEFAULT_RULES, metavar="NAME", show_default=True, help="Edition: a bundled name or a .yaml file."
)
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(
    seconds: float, jobs: int | None, rules: str, variants: tuple[str, ...], settings: tuple[str, ...], as_json: bool
) -> None:
    """Measure random play, matches of bundled bots (one at a time and in parallel), and verification.

    \b
    Examples:
      arena bench --json
      arena bench --rules schmidt-1994 --rule max_turns=50 --seconds 1
    """
    with closing(make_executor(jobs or usable_cores())) as executor:
        found = measure_speed(executor, seconds, rules, variants, settings)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
        return
    rows = [
        ("for _ in range(5_000_000): pass", f"{found.loop:.3f} s"),
        ("random play, legal moves at every ask, one core", f"{found.asks:,.0f} asks/s"),
        ("the same with a copy() at every ask", f"{found.asks_with_copy:,.0f} asks/s"),
        ("random play in the time of that loop", f"{found.asks_a_loop:,.0f} asks"),
        ("one match of bundled bots", f"{found.match_seconds * 1000:.1f} ms, {found.asks_a_match:,.0f} asks"),
        ("one match after another, one process", f"{found.matches_alone:.1f} matches/s"),
        (f"tournament, {found.jobs} processes", f"{found.matches_in_tournament:.1f} matches/s"),
        ("efficiency: tournament / (alone × processes)", f"{found.efficiency:.0%}"),
        ("verification, one core", f"{found.verified:.1f} matches/s"),
    ]
    click.echo(format_table(rows, wrap=[0], look="plain"))
