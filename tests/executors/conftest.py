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


@pytest.fixture(scope="session")
def lent_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler that tests use one after another."""
    made = Machines(tmp_path_factory.mktemp("machines"))
    yield made
    made.close()


@pytest.fixture
def machines(lent_machines: Machines) -> Iterator[Machines]:
    """A scheduler as yet without workers, for a test that does it no harm."""
    yield lent_machines
    lent_machines.kill_all()
    lent_machines.await_workers(0)


@pytest.fixture
def own_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler of a test's own, as yet without workers."""
    made = Machines(tmp_path_factory.mktemp("machines"))
    yield made
    made.close()
