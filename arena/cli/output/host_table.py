"""The hosts of a run as a table, and the first difference of two plays of a match."""

from __future__ import annotations

from arena.cli.output.terminal import format_table
from arena.replay.play_difference import PlayDifference
from arena.runs.host_counts import HostCount


def hosts_table(hosts: list[HostCount]) -> str:
    """A table with a row for each host, and a column for each kind of fault that occurs."""
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
    return format_table(rows, headers)


def difference_lines(difference: PlayDifference) -> str:
    """The first difference of two plays of a match, in two lines."""
    then, now = difference.then, difference.now
    if then is not None and now is not None:
        return f"  then {then}\n  now  {now}"
    if then is None and now is None:
        return "  every decision is the same, but other lines of the files differ; try: arena verify"
    return f"  only now: {now}" if then is None else f"  only then: {then}"
