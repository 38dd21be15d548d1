"""A small cluster that tests share which do it no harm. It ends with the tests of this folder: a scheduler and a worker
that do nothing take a twentieth of a core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.conftest import environment_of
from tests.warm_start import WarmCommand

from .fixtures import noted_fork_servers
from .machines import Machines, warm_machines

ForkServersOf = Callable[[int], list[int]]
LaunchThere = Callable[..., WarmCommand]
Stations = Callable[[], set[int]]
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of this folder first. More than half of their time they only wait, for workers that get stuck:
    meanwhile other processes run other tests, and at the end there would be none left."""
    items.sort(key=lambda item: HERE not in item.path.parents)


@pytest.fixture(scope="package")
def shared_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler with one worker of two threads, on the host ``calm``."""
    machines = Machines(tmp_path_factory.mktemp("machines"))
    machines.join("calm", threads=2)
    yield machines
    machines.close()


@pytest.fixture(scope="package")
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


@pytest.fixture
def fork_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ForkServersOf:
    """Gives the fork servers that a worker of a pool has started, or what encloses them, the last one last."""
    return noted_fork_servers(tmp_path, monkeypatch)


@pytest.fixture
def stations(shared_machines: Machines) -> Stations:
    """Gives the stations on the shared host that were not there when the test began."""
    before = set(shared_machines.stations("calm"))
    return lambda: set(shared_machines.stations("calm")) - before


@pytest.fixture
def launch_there(tmp_path: Path) -> Iterator[LaunchThere]:
    """Starts ``arena`` in ``tmp_path`` as ``launch`` does, from a process that has imported Dask already."""
    with ExitStack() as stack:

        def start(*arguments: object) -> WarmCommand:
            words = ["arena", *map(str, arguments)]
            return stack.enter_context(closing(warm_machines().launch(tmp_path, words, environment_of())))

        yield start
