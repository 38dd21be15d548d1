"""What is said when the folder of a run cannot be written to any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.app.folder import MANIFEST, FolderStore
from arena.app.store import Store
from arena.errors import ArenaError


@contextmanager
def resumable(store: Store) -> Iterator[None]:
    """Inside of it an error of the system ends the run with a line that says, where one has begun in a folder, how to
    resume it. Raises ArenaError."""
    try:
        yield
    except OSError as problem:
        if not isinstance(store, FolderStore):
            raise
        about, why = problem.filename or store.shown, problem.strerror or problem
        begun = (store.folder / MANIFEST).is_file()
        again = f"; when that is mended, resume with: arena run --resume {store.shown}" if begun else ""
        raise ArenaError(f"{about}: {why}{again}") from None
