"""``arena ledger``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from arena.cli.options.game_options import game_option
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import PrintOptions
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.errors import UserError
from arena.runs.job_count import up_to_cores
from arena.storage.tables.table_files import TableFormat

if TYPE_CHECKING:  # numpy is slow to load
    from arena.analysis.run_ledger import LedgerOptions
    from arena.ledger.ledger_fold import DealLedger


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The ``format`` of files to write (None: write no files), and their folder (``out``)."""

    format: str | None
    out: Path | None


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--table", "-t", "names", multiple=True, metavar="NAME", help="Only this table, with all figures; repeatable."
)
@click.option("--by", multiple=True, metavar="KEY", help="Separate by edition, players or block; repeatable.")
@click.option(
    "--over",
    multiple=True,
    metavar="KEY",
    help="Combine rows that differ only in this column, such as entrant; repeatable.",
)
@click.option("--entrant", default="", metavar="NAME", help="Only figures about this entrant.")
@click.option("--csv", "format", flag_value=TableFormat.CSV, help="Write all tables as CSV files.")
@click.option("--parquet", "format", flag_value=TableFormat.PARQUET, help="Write Parquet files; needs pyarrow.")
@click.option("--out", "-o", type=click.Path(path_type=Path), help="Folder for the files; DIR/ledger by default.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print tables and definitions as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@game_option
@gathered(files=FileOptions, printing=PrintOptions)
def ledger(
    folder: Path,
    names: tuple[str, ...],
    by: tuple[str, ...],
    over: tuple[str, ...],
    entrant: str,
    jobs: int | None,
    files: FileOptions,
    printing: PrintOptions,
) -> None:
    """Show how the bots of the run in DIR bargain, over all its matches. The run may be unfinished.

    For each bot, as Boss and as partner: the outcomes of its offers, the money it keeps, prices asked and paid, how
    prices change from tick to tick, who pays whom and who favours whom, what its cards earned, and why deals failed.
    Without --table it prints an overview; with --table, all figures of a table and their definitions. Means and shares
    have 95 % intervals by block. `arena docs ledger` has every table and definition.

    \b
    Examples:
      arena ledger results/quick-20260101-120000
      arena ledger results/quick-20260101-120000 --table ticks --by edition --over entrant
      arena ledger results/quick-20260101-120000 --parquet --by edition --out ledger
    """
    jobs = up_to_cores(jobs)
    if files.out is not None and files.format is None:
        raise UserError("--out is for files: add --csv or --parquet")
    from arena.analysis.run_ledger import LedgerOptions
    from arena.commands.ledger.ledger_files import check_files

    wanted = LedgerOptions(names, by, over, entrant)
    wanted.check(folder)
    place, format = files.out or folder / "ledger", files.format
    if format is not None:
        check_files(place, TableFormat(format))
    found = _read_ledger(folder, jobs, "block" in by, printing.quiet)
    if format is not None:
        _write_tables(found, place, TableFormat(format), wanted, printing.as_json)
    else:
        _print_ledger(folder, found, wanted, printing.as_json)
    if left := _left_out(found):
        print_message(f"arena: {left}")


def _read_ledger(folder: Path, jobs: int, by_block: bool, quiet: bool) -> DealLedger:
    from tqdm import tqdm

    from arena.analysis.run_ledger import ledger_of

    hidden = True if quiet else None  # None: shown on terminals alone
    with tqdm(unit=" matches", file=MESSAGE_STREAM, disable=hidden, leave=False) as bar:
        return ledger_of(folder, jobs, bar.update, by_block)


def _print_ledger(folder: Path, found: DealLedger, wanted: LedgerOptions, as_json: bool) -> None:
    from arena.commands.ledger.words import print_ledger_json, print_tables

    if as_json:
        print_ledger_json(found, wanted)
    else:
        print_tables(folder, found, wanted)


def _write_tables(found: DealLedger, out: Path, format: TableFormat, wanted: LedgerOptions, as_json: bool) -> None:
    from arena.commands.ledger.ledger_files import write_ledger

    done = write_ledger(found, out, format, wanted)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(done)))
        return
    for name, path in done.files.items():
        click.echo(f"{done.rows[name]:>10,} rows  {path}")


def _left_out(found: DealLedger) -> str:
    """What is not in the ledger."""
    told = [
        f"{found.voids} void" if found.voids else "",
        f"{found.without_replay} without replay" if found.without_replay else "",
        *(f"{number} of {game}, which has no tables" for game, number in found.others.items()),
    ]
    left = ", ".join(each for each in told if each)
    return f"{found.matches} matches are counted; left out: {left}" if left else ""
