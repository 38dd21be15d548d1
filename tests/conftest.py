"""What tests of several rooms need: bots written on the spot, small matches of them, and the ``arena`` command."""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from compileall import compile_dir
from contextlib import ExitStack, closing, redirect_stdout, suppress
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, indent
from threading import Thread, main_thread
from time import monotonic, sleep
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from arena.analysis import process_map
from arena.bot import Limits
from arena.cli import main as command
from arena.commands.bots import check
from arena.config.editions import Edition, load_edition
from arena.executors import make
from arena.executors.executor import Executor, UnplayedMatch
from arena.executors.interrupt import SIGNALS
from arena.executors.process_pool.pool import Pool
from arena.executors.retry import Attempt
from arena.executors.serial import Serial
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef, find_file, refer_file
from arena.isolation.worker import fork_server
from arena.isolation.worker.fork_server import ForkServers
from arena.match.isolated_match import UNLOCKED_POLICY, BotHost, play_isolated
from arena.match.match_spec import MatchSpec
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.match.runner import play_here
from arena.match.work import Listener, Work, WorkResult
from arena.penalties import FaultPolicy
from arena.players.player import Player
from arena.recorded import feeding
from arena.replay.lines import Seat
from arena.rerun import audit, play_twice
from arena.rerun.other_interpreter import _play_recorded
from arena.runs import job_count
from arena.runs.planning import load_bots
from arena.sandbox.policy import SandboxPolicy
from arena.system.garbage import collect_garbage_rarely
from arena.web.serve import background_process
from tests.cpu_budget import CpuBudget
from tests.warm_fork_servers import WarmForkServers, starting_warm
from tests.warm_start import WarmCommand, WarmStart, at_start

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does: processes that test share the cores
os.environ.setdefault("ARENA_CACHE", "")  # nothing is kept in the home of who runs the tests

HERE = Path(__file__).parent
HEAD = """\
from __future__ import annotations
import os, signal, subprocess, sys, time
from arena.bot import *; from arena.games.board import *

class Player(BoardBot):
    def choose(self, view):
        return self.random.choice(self.legal_moves(view))

    place_marker = turn = offer = accept = interrupt = close = discard = choose

    def play_on(self, view):
        return Draw() if view.rolled else Roll()

"""
WriteBot = Callable[..., Path]
Arena = Callable[..., "Ran"]
CopiedRun = Callable[..., Path]


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str


CASES = ("all", "third", "others")
"""Which cases of laws and attacks can be tried."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this suite."""
    parser.addoption(
        "--cases",
        choices=CASES,
        default=os.environ.get("TESTED_CASES", "all"),
        help="which laws are tried: of all cases, every third, or all but those; and whether attacks sit in all seats,"
        " in one, or in another one (TESTED_CASES, or all)",
    )
    parser.addoption("--cpu-budget", type=float, help="fail tests that take more seconds of CPU and are not slow")


def pytest_configure(config: pytest.Config) -> None:
    """Compile arena once for the many processes that tests start. Where PYTHONDONTWRITEBYTECODE is set, each of them
    would else do so again, which takes longer than all the rest of its start. Tests of stopping need signals that stop,
    in every process of xdist."""
    if config.getoption("--cases") not in CASES:
        raise pytest.UsageError(f"TESTED_CASES: expected one of {', '.join(CASES)}")
    gc.disable()  # until all tests are collected, because none of them becomes garbage
    heed_signals()
    settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy")  # how long an example takes says more of what else the machine does
    multiprocessing.set_forkserver_preload(["arena.web.report.write_report", "arena.ladder.entry.submit"])
    if (seconds := config.getoption("--cpu-budget")) is not None:
        config.pluginmanager.register(CpuBudget(seconds))
    if "PYTEST_XDIST_WORKER" not in os.environ:
        for name in ("arena", "bots"):
            compile_dir(HERE.parent / name, quiet=2)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where all tests are collected, by several processes: each begins to import them at another place, and finds
    compiled what others were at before it. What pytest makes of the assertions in 300 files takes longer than all the
    rest of its collection."""
    worker: dict[str, Any] | None = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    paths = sorted(HERE.glob("*/**/test_*.py"))
    first = len(paths) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    for path in (*paths[first:], *paths[:first]):
        with suppress(Exception):  # told of when it is collected
            import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))
    sys.dont_write_bytecode = before


def pytest_collection_finish() -> None:
    """Have the garbage collector run rarely, and never examine a test: there are thousands, and each process that is
    forked from this one would write to the pages of them all."""
    gc.collect()
    collect_garbage_rarely()


def heed_signals() -> None:
    """Heed the signals that scripts and ``nohup`` have ignored: what a process ignores, every process that it starts
    ignores too. The suite itself still goes on when its terminal is closed under ``nohup``: a handler that does
    nothing is not inherited."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Heed them again after each test: a command that was stopped ignores them from then on."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        return (yield)
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not handler:
                signal.signal(number, handler)


class TimeBound:
    """Fails a test in the main thread, with a traceback, when it has taken so many seconds, and once more in each half
    minute after that, if something has caught the failure. The ways that pytest-timeout has would not do: matches in
    this process use the alarm clock themselves, and a thread could only end the whole process. One thread watches all
    tests of a process: to start one for each takes longer than most of them."""

    def __init__(self) -> None:
        self._seconds, self._due = 0.0, inf
        self._before = signal.getsignal(signal.SIGUSR2)  # where the tests of a file cannot be collected, none begins
        Thread(target=self._watch, daemon=True).start()

    def begin(self, seconds: float) -> None:
        """A test begins."""
        self._before = signal.signal(signal.SIGUSR2, self._fail)
        self._seconds, self._due = seconds, monotonic() + seconds

    def end(self) -> None:
        """The test has ended, in time or not."""
        self._due = inf
        signal.signal(signal.SIGUSR2, self._before)

    def _watch(self) -> None:
        while True:
            sleep(1.0)
            if monotonic() > self._due:
                signal.pthread_kill(main_thread().ident or 0, signal.SIGUSR2)
                self._due += 30

    def _fail(self, number: int, frame: object) -> None:
        if self._due < inf:
            pytest.fail(f"it has not ended in {self._seconds:g} seconds")


time_bound = lru_cache(TimeBound)


@pytest.hookimpl(optionalhook=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool:
    """Have a bound for this test."""
    time_bound().begin(settings.timeout)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_timeout_cancel_timer(item: pytest.Item) -> bool:
    """The test has ended in time, or has failed."""
    time_bound().end()
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many processes ``-n auto`` means: half as many again as there are cores, because tests often wait, for
    processes that start or for limits that bots run into."""
    cores = len(os.sched_getaffinity(0))
    return cores + (cores + 1) // 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Have each process run neighbouring tests, so that one makes what tests of a module share, and take from others
    when it is done."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture
def write_bot(tmp_path: Path) -> WriteBot:
    """Writes a bot that plays at random, but for what ``body`` (lines of its class) defines, and gives its file."""

    def write(body: str, name: str = "player", head: str = HEAD) -> Path:
        return write_player(tmp_path, body, name, head)

    return write


def write_player(folder: Path, body: str, name: str = "player", head: str = HEAD) -> Path:
    """As ``write_bot``, into any folder: for bots that tests of a module share."""
    path = folder / f"{name}.py"
    path.write_text(head + indent(dedent(body), "    "), encoding="utf-8")
    return path


@lru_cache
def small(rules: str = "eagle-gryphon", turns: int = 12) -> Edition:
    """An edition cut to a few turns."""
    return load_edition(rules, changes={"max_turns": turns})


def seat_of(number: int, ref: BotRef) -> Seat:
    return Seat(f"{ref.name}#{number}", ref.name, ref.sha256, ref.options)


def spec_of(refs: Sequence[BotRef], edition: Edition | None = None, **more: Any) -> MatchSpec:
    """A match of these bots, by seat."""
    chosen = edition or small()
    return MatchSpec(
        id=more.pop("id", "match"),
        tournament="test",
        block=0,
        game=chosen.game,
        edition=chosen.label,
        rules=chosen.rules,
        rules_data=chosen.data,
        rules_sha256=chosen.digest,
        seats=tuple(seat_of(number, ref) for number, ref in enumerate(refs)),
        seed=more.pop("seed", "seed"),
        limits=more.pop("limits", Limits(10.0, 10.0, 0.0)),
        fault_policy=FaultPolicy(more.pop("policy", "substitute")),
        **more,
    )


def play(
    spec: MatchSpec,
    refs: Sequence[BotRef],
    policy: SandboxPolicy | None = None,
    printed: Listener = lambda printed: None,
    servers: ForkServers | None = None,
) -> MatchResult:
    """One match, in this process, or under a ``policy``, as programs always are, in processes of the bots' own."""
    if policy is None and not any(ref.command for ref in refs):
        return play_here(spec, tuple(refs))
    with ForkServers() as own, BotCopies() as depot:
        server = (servers or own).server_for(policy or UNLOCKED_POLICY)
        return play_isolated(spec, tuple(map(depot.place, refs)), BotHost(server), printed)


Contest = Callable[..., MatchResult]


@pytest.fixture
def contest() -> Contest:
    """Plays one small match of bots (files, bundled names) in this process."""

    def run(*bots: Path | str, **more: Any) -> MatchResult:
        refs = [refer_file(str(bot), None) if isinstance(bot, Path) else find_file(bot) for bot in bots]
        return play_here(spec_of(refs, **more), tuple(refs))

    return run


@pytest.fixture
def refereed() -> Contest:
    """Plays one small match of players that are there already, such as scripted ones."""

    def run(*players: Player, **more: Any) -> MatchResult:
        return Referee(spec_of([find_file("silent")] * len(players), **more), players).play()

    return run


class SerialHere(Serial):
    """Plays in this process, where what trusted bots print goes to standard error."""

    def _play(self, attempt: Attempt) -> WorkResult | UnplayedMatch | None:
        with redirect_stdout(sys.stderr):
            return super()._play(attempt)


def pool_or_serial(jobs: int, shown: bool = False) -> Executor:
    """A pool where several processes are to play; a single one's matches are played in this process."""
    return SerialHere() if jobs == 1 else Pool(jobs, shown)


@pytest.fixture
def arena(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Arena:
    """Runs the ``arena`` command in this process, with ``tmp_path`` as the current folder. What it plays, it plays here
    too, one match after another, unless it is told otherwise: to fork a pool's process takes longer than a match. So
    it does with what is played twice, but for tests that ask for ``other_interpreter``, and with the first look at
    trusted bots, but for tests that ask for ``loaded_apart``."""
    if "other_interpreter" not in request.fixturenames:
        request.getfixturevalue("again_here")
    if "loaded_apart" not in request.fixturenames:
        monkeypatch.setattr(load_bots, "can_fork", lambda: False)  # as on systems without fork
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(job_count, "default_jobs", lambda: 1)
    monkeypatch.setattr(make, "Pool", pool_or_serial)
    monkeypatch.delenv("COLUMNS", raising=False)  # xdist sets it

    def run(*arguments: object) -> Ran:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["arena", *map(str, arguments)])
        code: object = 0
        try:
            command.main()
        except SystemExit as ended:
            code = ended.code or 0
        assert isinstance(code, int)
        return Ran(code, *capfd.readouterr())

    return run


@pytest.fixture
def pool(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the command play in a process of its own, as it does for users, even where a single one plays."""
    monkeypatch.setattr(make, "Pool", Pool)


@pytest.fixture(scope="session")
def mypy_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What mypy remembers of arena, for all that run it, in whichever process."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "mypy"


@pytest.fixture(scope="session")
def kept_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of runs that several tests begin with."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def copied_run(arena: Arena, kept_runs: Path, tmp_path: Path) -> Callable[..., Path]:
    """Gives the folder of a complete run, a copy that may be changed: ``arena run CONFIG -o OUT WORDS``, played once
    for all tests of this process. CONFIG is the text of a tournament file; its bots are bundled, or the same in all
    tests that have this text."""

    def copy(config: str, out: str, *words: object) -> Path:
        kept = kept_runs / sha256(repr((config, out, words)).encode()).hexdigest()[:16]
        if kept.exists():
            shutil.copytree(kept, tmp_path / out)
        else:
            (tmp_path / "copied.yaml").write_text(config, encoding="utf-8")
            assert arena("run", "copied.yaml", "-o", out, *words, "-q").code == 0
            (tmp_path / "copied.yaml").unlink()
            shutil.copytree(tmp_path / out, kept)
        return tmp_path / out

    return copy


@pytest.fixture
def alarm() -> Iterator[None]:
    """Ends a test that waits for ever, as for somebody who writes into a pipe."""

    def ring(*_: object) -> None:
        raise AssertionError("it waits for ever")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def play_again_here(works: Sequence[Work], jobs: int) -> list[WorkResult | None]:
    """Play them once more, last first, as :func:`play_again` does in another interpreter."""
    with closing(make.make_executor(jobs)) as executor:
        return _play_recorded(works[::-1], executor)[::-1]


@pytest.fixture
def again_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has what ``arena audit`` and ``arena bots check`` play once more played in this process, in place of another
    interpreter with another hash seed."""
    for module in (audit, play_twice):
        monkeypatch.setattr(module, "play_again", play_again_here)


@pytest.fixture
def other_interpreter() -> None:
    """Has the command play once more in another interpreter, as for users; else it does so in this process."""


@pytest.fixture
def loaded_apart() -> None:
    """Has the command see in processes of their own whether trusted bots can be loaded, as for users; else it does so
    in this process."""


@pytest.fixture
def asked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has commands ask trusted bots again in this process, as on systems without fork."""
    monkeypatch.setattr(feeding, "can_fork", lambda: False)


@pytest.fixture
def few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has ``arena bots check`` play its first match alone, in place of one of each edition and number of players."""
    works = check._check_works
    monkeypatch.setattr(check, "_check_works", lambda *given: [next(works(*given))])


def environment_of(**more: str) -> dict[str, str]:
    """The environment in which ``python -m arena`` finds this checkout from any folder."""
    kept = {name: value for name, value in os.environ.items() if name != "COLUMNS"}  # xdist sets it
    return {**kept, "PYTHONPATH": str(Path(__file__).parents[1]), **more}


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes] | WarmCommand]]:
    """Starts ``python -m arena`` in ``tmp_path``, as the leader of a process group of its own: forked as
    :func:`run_arena` does, if it can be."""
    with ExitStack() as stack:

        def start(*arguments: object, **environment: str) -> subprocess.Popen[bytes] | WarmCommand:
            words, here, warm = [*map(str, arguments)], environment_of(**environment), warm_start()
            if warm.environment == at_start(here):
                return stack.enter_context(closing(warm.launch(tmp_path, words, here)))
            process = subprocess.Popen(
                [sys.executable, "-m", "arena", *words],
                cwd=tmp_path,
                env=here,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            stack.callback(process.communicate)
            stack.callback(process.kill)
            return process

        yield start


@pytest.fixture
def real_arena(tmp_path: Path) -> Arena:
    """Runs ``python -m arena`` in a process of its own, in ``tmp_path``."""

    def run(*arguments: object, **environment: str) -> Ran:
        return run_arena(tmp_path, *arguments, **environment)

    return run


COLD = ("attacks", "players", "sandbox")
"""The folders of tests whose fork servers are started as users' are; elsewhere a test is marked ``cold``."""


START_COLD = fork_server.start_server


@lru_cache
def warm_fork_servers() -> WarmForkServers:
    """The process from which this one's fork servers are forked."""
    folder = TemporaryDirectory()
    started = WarmForkServers(Path(folder.name))
    atexit.register(folder.cleanup)
    atexit.register(started.close)
    return started


@lru_cache
def warm_starter() -> Callable[[Any, int], Any]:
    """Starts fork servers from that process, which has the engine that the environment names when it is made."""
    return starting_warm(warm_fork_servers().address, START_COLD)


def start_warm(*given: Any) -> Any:
    """Start a fork server from :func:`warm_starter`'s process."""
    return warm_starter()(*given)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Choose how fork servers, and processes that read matches or make reports, start in this test. A fixture for all
    tests would take longer than the rest of most tests' setup."""
    cold = item.path.parent.name in COLD or item.get_closest_marker("cold") is not None
    if not cold and "PYTEST_XDIST_WORKER" in os.environ:
        warm_starter()  # where many tests run: else each process of a pool that needs it would start its own
    fork_server.start_server = START_COLD if cold else start_warm
    # forks of this process, or of multiprocessing's fork server, which have imported what is needed
    process_map.CONTEXT = multiprocessing.get_context("spawn" if cold else "fork")
    background_process.CONTEXT = multiprocessing.get_context("spawn" if cold else "forkserver")


@lru_cache
def warm_start() -> WarmStart:
    """The process from which this one's commands are forked."""
    started = WarmStart(environment_of(), warm_fork_servers().address)
    atexit.register(started.close)
    return started


def run_arena(folder: Path, *arguments: object, **environment: str) -> Ran:
    """Run ``python -m arena`` in this folder, in a process of its own: forked from one that has imported arena, or
    where the environment is not that of all others, from the start."""
    words, here, warm = [*map(str, arguments)], environment_of(**environment), warm_start()
    if warm.environment == at_start(here):
        return Ran(*warm.run(folder, words, here))
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=folder,
        env=here,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
