"""Ends a run with a hint how to resume it, when its folder cannot be written to any more or its executor is out of
reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import ArenaError, MachinesLost
from arena.storage.layout import MANIFEST_FILE
from arena.storage.run_folder import FolderStore
from arena.storage.store import Store


@contextmanager
def print_resume_on_failure(store: Store) -> Iterator[None]:
    """Context manager: an operating system error inside it, or unreachable machines, end the run. Raises ArenaError
    with the command that resumes the run, if a run has begun in a folder."""
    try:
        yield
    except MachinesLost as problem:
        raise ArenaError(f"{problem}{_resume_sentence(store, '; ')}") from None
    except OSError as problem:
        if not isinstance(store, FolderStore):
            raise
        about, why = problem.filename or store.shown, problem.strerror or problem
        raise ArenaError(f"{about}: {why}{_resume_sentence(store, '; when that is fixed, ')}") from None


def _resume_sentence(store: Store, when: str) -> str:
    """Says how to resume the run in the store; empty if no run has begun in a folder."""
    if not isinstance(store, FolderStore) or not (store.folder / MANIFEST_FILE).is_file():
        return ""
    return f"{when}resume with: {store.resume_command()}"
