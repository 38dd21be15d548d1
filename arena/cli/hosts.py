"""The hosts of a run: a table of what they played, and of what came of playing it again here."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.app.cores import cores
from arena.app.hosts import HostChecked, HostCount, check_hosts
from arena.app.naming import is_run
from arena.app.replays import Difference
from arena.cli.terminal import table
from arena.errors import Mismatch, UserError
from arena.executors.make import make_executor


def hosts_table(hosts: list[HostCount]) -> str:
    """A line for each host, with a column for each kind of fault that there is."""
    kinds = sorted({kind for host in hosts for kind in host.faults})
    headers = ["host", "matches", "void", "s a match", "faults", *kinds]
    rows = [
        [
            host.host,
            host.matches,
            host.void or "",
            f"{host.seconds / host.matches:.3f}",
            sum(host.faults.values()),
            *(host.faults.get(kind, "") for kind in kinds),
        ]
        for host in hosts
    ]
    return table(rows, headers)


def verify_by_host(folders: tuple[Path, ...], sample: int, quiet: bool, as_json: bool) -> None:
    """Play a sample of each host's matches again, say what came of it, and exit. Raises UserError."""
    if len(folders) != 1 or not is_run(folders[0]):
        raise UserError(f"--by-host expects the folder of one run, got {', '.join(map(str, folders))}")
    found: list[HostChecked] = []
    with closing(make_executor(cores())) as executor:
        for host in check_hosts(folders[0], sample, executor):
            found.append(host)
            if not as_json and (host.differ or not quiet):
                _tell(host)
    differ = any(host.differ for host in found)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode({"verified": not differ, "hosts": found})))
    sys.exit(Mismatch.exit_code if differ else 0)


def _tell(host: HostChecked) -> None:
    timely = f" ({host.timely} with faults of time are not chosen)" if host.timely else ""
    what = "match" if host.matches == 1 else "matches"
    click.echo(f"{host.host}: {host.played - len(host.differ)} of {host.played} identical here, "
               f"of {host.matches} {what}{timely}")  # fmt: skip
    for match in host.differ:
        if match.difference is None:
            click.echo(f"{host.host}: {match.id}: differs; its replay was not kept, so that nothing tells where")
        else:
            click.echo(f"{host.host}: {match.id}: differs; first:\n{told(match.difference)}")


def told(difference: Difference) -> str:
    """Where two plays of a match part, in two lines."""
    then, now = difference.then, difference.now
    if then is not None and now is not None:
        return f"  then {then}\n  now  {now}"
    if then is None and now is None:
        return "  every decision is the same, but the files differ in other lines; try: arena verify"
    return f"  only now: {now}" if then is None else f"  only then: {then}"
