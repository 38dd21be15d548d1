"""How many processes a run is played in."""

from __future__ import annotations

from arena.errors import UserError
from arena.system.platform_support import usable_cores


def default_jobs() -> int:
    """How many processes a command uses that is told nothing else: one for each core."""
    return usable_cores()


def up_to_cores(wanted: int | None, configured: int | None = None) -> int:
    """How many processes to use: those ``wanted`` on the command line, else those ``configured`` in the file up to the
    number of cores, else one for each core. Raises UserError where more are wanted than there are cores."""
    cores = usable_cores()
    if wanted is not None and wanted > cores:
        raise UserError(f"{wanted} jobs on {cores} cores would only slow each other down; give at most {cores}")
    return wanted or min(configured or default_jobs(), cores)


def count_jobs(wanted: int | None, configured: int | None, oversubscribe: bool) -> int:
    """The same for a command that has the option ``--oversubscribe``, which allows more processes than cores."""
    cores = usable_cores()
    if wanted is None or wanted <= cores:
        return up_to_cores(wanted, configured)
    if oversubscribe:
        return wanted
    raise UserError(f"{wanted} jobs on {cores} cores would only slow each other down; to force it, add --oversubscribe")
