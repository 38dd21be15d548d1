"""``arena export``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options.game_options import game_option
from arena.cli.print_json import print_json
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.export.export_decisions import export_decisions
from arena.commands.export.export_tables import export_package
from arena.commands.export.export_tables import export_run as write_tables
from arena.learning.fit_settings import MOST_MATCHES
from arena.runs.job_count import up_to_cores
from arena.storage.tables.table_files import TableFormat


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option("--csv", "format", flag_value=TableFormat.CSV, default=True, help="Write CSV files (the default).")
@click.option("--parquet", "format", flag_value=TableFormat.PARQUET, help="Write Parquet files; needs pyarrow.")
@click.option(
    "--package", is_flag=True, help="Write a package for an archive: Parquet, all columns explained, scripts."
)
@click.option("--author", "authors", multiple=True, metavar="NAME", help="Who is to be cited for it; repeatable.")
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), help="Folder for the files; DIR/tables or DIR/package by default."
)
@click.option("--table", "-t", "names", multiple=True, metavar="NAME", help="Only this table; repeatable.")
@click.option("--decisions", metavar="ENTRANT", help="Write what ENTRANT saw and did as arrays, and no tables.")
@click.option("--matches", type=click.IntRange(1), help=f"Matches to read for --decisions; {MOST_MATCHES} by default.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@game_option
def export(
    folder: Path,
    format: TableFormat,
    package: bool,
    authors: tuple[str, ...],
    out: Path | None,
    names: tuple[str, ...],
    decisions: str | None,
    matches: int | None,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the matches in DIR as tables, one file a table.

    Every game has matches and seats; the board game also has deals, offers (who offered what, who agreed or refused),
    agreements, payments and plays; the card game has rounds, shares, bargains and actions; both have events, a log for
    process mining. Unfinished runs work too.
    Rows are in the schedule's order. `arena docs tables` describes every column, and how to read the tables directly in
    Python. With --decisions, decisions.npz has observations, legal actions and the actions taken as NumPy arrays
    (`arena docs learning`).

    \b
    Examples:
      arena export results/quick-20260101-120000 --csv
      arena export results/quick-20260101-120000 --parquet --table offers --out offers
      arena export results/quick-20260101-120000 --package --author "Ada Lovelace"
      arena export results/quick-20260101-120000 --decisions dealmaker
    """
    from tqdm import tqdm

    if authors and not package:
        raise click.UsageError("--author is for --package")
    if package and names:
        raise click.UsageError("a package has all tables: leave out --table")
    if decisions is not None and (package or names or format != TableFormat.CSV):
        raise click.UsageError("--decisions writes arrays and no tables: leave out --parquet, --package and --table")
    if matches is not None and decisions is None:
        raise click.UsageError("--matches is for --decisions")
    jobs = up_to_cores(jobs)
    hidden = True if quiet else None  # None: shown on terminals alone
    with tqdm(unit=" matches", file=MESSAGE_STREAM, disable=hidden, leave=False) as bar:
        if decisions is not None:
            done = export_decisions(folder, out, decisions, matches or MOST_MATCHES, jobs, bar.update)
        elif package:
            done = export_package(folder, out, authors, jobs, bar.update)
        else:
            done = write_tables(folder, out, TableFormat(format), names, jobs, bar.update)
    if done.without_replay:
        kept = done.matches - done.without_replay
        print_message(f"arena: {done.without_replay} of {done.matches} matches have no replay: they are only in {kept}")
    if as_json:
        print_json(done)
        return
    for name, path in done.files.items():
        rows = f"{done.rows[name]:>10,} rows" if name in done.rows else " " * 15
        click.echo(f"{rows}  {path}")
