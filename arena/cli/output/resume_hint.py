"""What is said when the folder of a run cannot be written to any more, or those who play cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import ArenaError, MachinesLost
from arena.storage.layout import MANIFEST_FILE
from arena.storage.run_folder import FolderStore
from arena.storage.store import Store


@contextmanager
def print_resume_on_failure(store: Store) -> Iterator[None]:
    """Inside of it an error of the system, or machines that are out of reach, end the run with a line that says, where
    one has begun in a folder, by which command it is resumed. Raises ArenaError."""
    try:
        yield
    except MachinesLost as problem:
        raise ArenaError(f"{problem}{_resume_sentence(store, '; ')}") from None
    except OSError as problem:
        if not isinstance(store, FolderStore):
            raise
        about, why = problem.filename or store.shown, problem.strerror or problem
        raise ArenaError(f"{about}: {why}{_resume_sentence(store, '; when that is mended, ')}") from None


def _resume_sentence(store: Store, when: str) -> str:
    """How to resume the run in the store; nothing where none has begun in a folder."""
    if not isinstance(store, FolderStore) or not (store.folder / MANIFEST_FILE).is_file():
        return ""
    return f"{when}resume with: {store.resume_command()}"
