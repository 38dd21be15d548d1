"""What ``threading`` does in each forked process, held back: it takes half of the time that a child needs until it
begins, and there is nothing to do in the child of a process that has a single thread.

Import this module before anything that imports ``threading``. Where that is imported already, nothing is held back.
"""

from __future__ import annotations

import os
from collections.abc import Callable

_register = os.register_at_fork
_held: list[Callable[[], object]] = []


def _hold_back(
    *,
    before: Callable[[], object] | None = None,
    after_in_parent: Callable[[], object] | None = None,
    after_in_child: Callable[[], object] | None = None,
) -> None:
    if before is None and after_in_parent is None and after_in_child is not None:
        _held.append(after_in_child)
    else:
        _register(before=before, after_in_parent=after_in_parent, after_in_child=after_in_child)


os.register_at_fork = _hold_back
try:
    import threading
finally:
    os.register_at_fork = _register


def has_threads() -> bool:
    """Whether this process has more than one thread, so that its children have threads to forget."""
    return threading.active_count() > 1


def forget_threads() -> None:
    """Do in a forked process what was held back."""
    for hook in _held:
        hook()
