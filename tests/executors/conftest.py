"""A small cluster that tests share which do it no harm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .machines import Machines


@pytest.fixture(scope="session")
def shared_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler with one worker of two threads, on the host ``calm``."""
    machines = Machines(tmp_path_factory.mktemp("machines"))
    machines.join("calm", threads=2)
    yield machines
    machines.close()


@pytest.fixture
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler of a test's own, as yet without workers."""
    made = Machines(tmp_path_factory.mktemp("machines"))
    yield made
    made.close()
