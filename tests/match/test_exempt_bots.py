"""What arena ships need not be locked away from arena: bundled bots are exempt from isolation, and nobody else is."""

from __future__ import annotations

import inspect
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.bot import Limits
from arena.config.editions import Edition, load_edition
from arena.errors import BotError
from arena.executors.executor import play_each
from arena.executors.serial import Serial
from arena.finding import depot, exempt_bots, loading, reference
from arena.finding.depot import BotCopies
from arena.finding.exempt_bots import OPTION_LIMIT, bundled_copy, is_exempt
from arena.finding.loading import make_bot
from arena.finding.programs import refer_command
from arena.finding.reference import CONSULTING_BOTS, BotRef, Scalar, bundled_bots, find_file, refer_file
from arena.match import exempt_player
from arena.match.exempt_player import ExemptPlayer
from arena.match.match_spec import MatchSpec
from arena.match.runner import needs_processes
from arena.match.work import Work, WorkResult
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines
from arena.runs.planning.isolation_level import strictest_isolation
from arena.sandbox.demand import Demand
from tests.conftest import WriteBot, small, spec_of

LEVEL = strictest_isolation().level
ISOLATED = Demand(level=LEVEL)
ALL = Demand(level=LEVEL, isolate_all=True)
TRUSTED = Demand()
DEMANDS = {"trusted": TRUSTED, "isolated": ISOLATED, "all isolated": ALL}
CHANGE = "\n# a stranger's from here on\n"
BOARD = "dealmaker", "greedy", "fair", "hard"
CARDS = "tycoon", "closer", "fair", "counter"
CARD_ROUND = load_edition("card-game", changes={"rounds": {4: 1}})


def with_options(name: str, **options: Scalar) -> BotRef:
    return msgspec.structs.replace(find_file(name), options=options)


def copy_of(name: str, folder: Path, change: str = "", file: str = "mine.py") -> BotRef:
    """A bot of the user's own, with the bytes of a bundled one and this change."""
    (folder / file).write_text(bundled_bots()[name].read_text() + change)
    return refer_file(str(folder / file), None)


class Made:
    """Counts the exempt players that are made, by the bot's name."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        plain = ExemptPlayer.__init__

        def noted(player: ExemptPlayer, bot: BotRef, *more: Any) -> None:
            self.names.append(bot.name)
            plain(player, bot, *more)

        monkeypatch.setattr(exempt_player.ExemptPlayer, "__init__", noted)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    return Made(monkeypatch)


def results(bots: Sequence[BotRef], demand: Demand, *specs: MatchSpec) -> list[WorkResult]:
    """Matches of these bots, one after another in one worker."""
    with closing(Serial()) as executor:
        return play_each(executor, [Work(spec=spec, bots=tuple(bots), demand=demand) for spec in specs])


def in_every_mixture(bots: Sequence[BotRef], spec: MatchSpec) -> dict[str, WorkResult]:
    return {name: results(bots, demand, spec)[0] for name, demand in DEMANDS.items()}


def faults_in(done: WorkResult) -> list[tuple[int, str, str, bool]]:
    assert done.replay is not None
    lines = read_replay_lines(done.replay)[1]
    return [(line.seat, line.kind.value, line.evidence, line.gone) for line in lines if isinstance(line, Faulted)]


# Who is exempt


def test_every_bundled_bot_is_exempt() -> None:
    assert [name for name in bundled_bots() if not is_exempt(find_file(name), ISOLATED)] == []
    assert [name for name in bundled_bots() if is_exempt(find_file(name), ALL)] == []


def test_what_counts_are_the_bytes_not_the_name(tmp_path: Path) -> None:
    assert is_exempt(copy_of("greedy", tmp_path), ISOLATED)
    assert not is_exempt(copy_of("greedy", tmp_path, " ", "greedy.py"), ISOLATED)
    assert not is_exempt(msgspec.structs.replace(find_file("greedy"), sha256="0" * 64), ISOLATED)
    forged = msgspec.structs.replace(copy_of("greedy", tmp_path, CHANGE, "greedy.py"), bundled=True)
    assert not is_exempt(forged, ISOLATED)


def test_a_folder_bots_of_the_user_hides_no_bundled_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)
    stranger = copy_of("greedy", tmp_path / "bots", CHANGE, "greedy.py")
    assert find_file("greedy").sha256 != stranger.sha256
    assert not is_exempt(refer_file("bots/greedy.py", None), ISOLATED)


def test_who_makes_something_of_a_bundled_bot_is_a_stranger(tmp_path: Path) -> None:
    copy_of("greedy", tmp_path, file="shipped.py")
    wrapper = tmp_path / "wrapper.py"
    wrapper.write_text("from shipped import Greedy\nclass Mine(Greedy): pass\n")
    whole = tmp_path / "whole"
    whole.mkdir()
    copy_of("greedy", whole, file="bot.py")
    (whole / "more.txt").write_text("more")
    strangers = [
        refer_file(str(wrapper), None),
        refer_file(str(tmp_path / "shipped.py"), "Greedy"),
        refer_file(str(whole), None),
        refer_command(["python3", str(bundled_bots()["greedy"])], {}),
        BotRef(name="bots.greedy:Greedy", sha256=find_file("greedy").sha256, module="bots.greedy", cls="Greedy"),
    ]
    assert [bot.name for bot in strangers if is_exempt(bot, ISOLATED)] == []


def test_a_link_to_a_bundled_bot_is_no_bot_and_one_beside_it_counts_as_what_it_was_read_as(tmp_path: Path) -> None:
    os.symlink(bundled_bots()["greedy"], tmp_path / "greedy.py")
    with pytest.raises(BotError, match="a link that leads out of the bot's folder"):
        refer_file(str(tmp_path / "greedy.py"), None)
    copy_of("greedy", tmp_path, file="real.py")
    os.symlink("real.py", tmp_path / "linked.py")
    linked = refer_file(str(tmp_path / "linked.py"), None)
    (tmp_path / "real.py").write_text("raise SystemExit('never executed')")
    loaded = bundled_copy(linked)
    assert loaded.path == str(bundled_bots()["greedy"].absolute())
    assert type(make_bot(loaded)).__name__ == "Greedy"


def test_options_that_are_plain_numbers_are_data(tmp_path: Path) -> None:
    for value in (0, 0.4, -3, True, OPTION_LIMIT):
        assert is_exempt(with_options("greedy", greed=value), ISOLATED), value
    for value in ("0.4", "/etc/passwd", 1e300, float("inf"), float("nan"), OPTION_LIMIT + 1):
        assert not is_exempt(with_options("greedy", greed=value), ISOLATED), value


def test_bundled_bots_take_numbers_alone_and_compute_with_them() -> None:
    for name in bundled_bots():
        taken = inspect.signature(type(make_bot(find_file(name))).__init__).parameters.values()
        kinds = {each.name: each.annotation for each in taken if each.name not in ("self", "args", "kwargs")}
        harmless = {"int", "float", "bool"} | ({"str"} if name in CONSULTING_BOTS else set())
        assert set(kinds.values()) <= harmless, f"{name}: else say in arena/finding/exempt_bots.py why it does no harm"


def test_a_bot_that_takes_text_is_isolated_when_it_gets_some() -> None:
    assert is_exempt(with_options("talker", attempts=2), ISOLATED)
    assert not is_exempt(with_options("talker", language="nl"), ISOLATED)


@pytest.mark.parametrize("less", [{"memory": 511}, {"cpu": 3599}, {"threads": 31}, {"files": 63}])
def test_whoever_gives_bots_less_than_is_usual_has_all_of_them_isolated(less: dict[str, int]) -> None:
    assert not is_exempt(find_file("greedy"), Demand(level=LEVEL, **less))
    assert is_exempt(find_file("greedy"), Demand(level=LEVEL, **{name: 2 * value + 2 for name, value in less.items()}))


def test_the_bytes_that_are_executed_are_those_that_were_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shipped_copy(tmp_path, monkeypatch)
    ref = find_file("greedy")
    assert is_exempt(ref, ISOLATED)
    (folder / "greedy.py").write_text("raise SystemExit('swapped')")
    with pytest.raises(BotError, match="has changed since arena first read it"):
        make_bot(bundled_copy(ref))


def shipped_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled bots that counts as arena's own."""
    folder = tmp_path / "shipped"
    shutil.copytree(next(iter(bundled_bots().values())).parent, folder)
    for module in (reference, exempt_bots, depot):
        monkeypatch.setattr(module, "bundled_folder", lambda name: folder)
    return folder


# Where they are played


@pytest.mark.parametrize(("rules", "names"), [("eagle-gryphon", BOARD), ("card-game", CARDS)])
def test_a_match_is_the_same_bytes_in_every_mixture(
    rules: str, names: tuple[str, ...], tmp_path: Path, made: Made
) -> None:
    stranger, *others = names
    bots = [copy_of(stranger, tmp_path, CHANGE), *map(find_file, others)]
    spec = spec_of(bots, load_edition(rules, changes=SHORT[rules]))
    found = in_every_mixture(bots, spec)
    assert len({done.replay for done in found.values()}) == 1
    assert made.names == others, "once, where strangers alone are isolated"
    memory = {name: [seat.memory > 0 for seat in done.timing.seats] for name, done in found.items()}
    assert memory == {"trusted": [False] * 4, "isolated": [True, False, False, False], "all isolated": [True] * 4}


SHORT: dict[str, dict[str, Any]] = {"eagle-gryphon": {"max_turns": 12}, "card-game": {"rounds": {4: 1}}}


def test_a_match_of_bundled_bots_needs_no_fork_server(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = tuple(map(find_file, BOARD))
    spec = spec_of(bots)
    monkeypatch.setattr("arena.match.runner.ForkServers.server_for", lambda *_: pytest.fail("none is needed"))
    assert results(bots, ISOLATED, spec)[0].replay == results(bots, TRUSTED, spec)[0].replay
    assert not needs_processes(Work(spec=spec, bots=bots, demand=ISOLATED))
    assert needs_processes(Work(spec=spec, bots=bots, demand=ALL))


def test_beside_a_program_bundled_bots_stay_in_the_process(made: Made, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    bots = [refer_command([str(program)], {}), find_file("greedy")]
    for demand in (TRUSTED, ISOLATED):
        results(bots, demand, spec_of(bots, small(turns=2)))
    assert made.names == ["greedy", "greedy"]


def test_an_exempt_bot_that_breaks_breaks_as_an_isolated_one(tmp_path: Path, made: Made) -> None:
    bots = [with_options("hard", patience=0), copy_of("greedy", tmp_path, CHANGE), with_options("greedy", gread=1)]
    found = in_every_mixture(bots, spec_of(bots, small(turns=20)))
    assert made.names == ["hard", "greedy"]
    assert found["isolated"].replay == found["all isolated"].replay == found["trusted"].replay
    assert {kind for _, kind, _, _ in faults_in(found["isolated"])} == {"broken", "missing"}
    printed = [found[name].printed for name in ("isolated", "all isolated")]
    told = [[(part.number, part.hook, part.text.splitlines()[-1]) for part in parts[0].parts] for parts in printed]
    assert told[0] == told[1] != []
    assert {output.seat for output in printed[0]} == {output.seat for output in printed[1]} == {0}


SLOW = """
import time
from arena.games.board import *

class Slow(BoardBot):
    def offer(self, view):
        time.sleep(4.0)
"""
QUICK = """
def turn(self, view):
    return Open() if not view.rolled and not view.failed_here else self.play_on(view)
def offer(self, view): return None
"""


@pytest.fixture
def slow_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of ``slow``, a bundled bot that takes four seconds for each offer."""
    file = shipped_copy(tmp_path, monkeypatch) / "slow.py"
    file.write_text(SLOW)
    return file


def test_an_exempt_bot_that_is_late_is_gone_as_an_isolated_one(
    write_bot: WriteBot, slow_file: Path, made: Made
) -> None:
    # far beyond the limit: what a process waits for a core is not counted, and may be seconds on a busy machine
    slow_file.write_text(SLOW.replace("4.0", "60.0"))
    stranger = refer_file(str(write_bot(QUICK)), None)
    bots = [find_file("slow"), stranger, find_file("slow")]
    spec = spec_of(bots, small(turns=4), limits=Limits(10.0, 2.0, 0.0))
    (exempt,) = results(bots, ISOLATED, spec)
    apart = refer_file(str(slow_file), None)
    (isolated,) = results([apart, stranger, apart], ALL, spec)
    assert made.names == ["slow", "slow"]
    assert exempt.replay == isolated.replay
    assert [(seat, kind, gone) for seat, kind, _, gone in faults_in(exempt)] == [(0, "late", True), (2, "late", True)]
    assert [len(seat.late) for seat in exempt.timing.seats] == [1, 0, 1]


@pytest.mark.usefixtures("slow_file")
def test_while_an_exempt_bot_thinks_nobody_else_s_time_runs(write_bot: WriteBot, made: Made) -> None:
    stranger = refer_file(str(write_bot(QUICK)), None)
    bots = [find_file("slow"), stranger, stranger]
    spec = spec_of(bots, small(turns=3), limits=Limits(10.0, 10.0, 0.0))
    (done,) = results(bots, ISOLATED, spec)
    slow, *quick = done.timing.seats
    assert made.names == ["slow"]
    assert slow.worst > 2.0
    assert slow.hooks["offer"] >= 1
    assert all(seat.hooks.get("offer", 0) >= 1 for seat in quick)
    assert max(seat.worst for seat in quick) < 2.0


SLEEPING = """
import time

def sleeping(hook):
    def slow(self, view):
        time.sleep(0.01)
        return hook(self, view)
    return slow

Tycoon.accept, Tycoon.offer = sleeping(Tycoon.accept), sleeping(Tycoon.offer)
"""


def test_a_slow_stranger_that_is_asked_several_things_at_once_has_its_time_for_each(tmp_path: Path, made: Made) -> None:
    slow = copy_of("tycoon", tmp_path, SLEEPING)
    bots = [slow, find_file("closer"), slow, find_file("counter")]
    found = in_every_mixture(bots, spec_of(bots, CARD_ROUND))
    assert len({done.replay for done in found.values()}) == 1
    assert max(seat.worst for seat in found["isolated"].timing.seats) < 1
    assert made.names == ["closer", "counter"]


# What a stranger could learn through them: nothing, because nothing is shared and nothing stays


def test_each_seat_has_a_module_of_its_own() -> None:
    for name in bundled_bots():
        one, other = (type(make_bot(bundled_copy(find_file(name)))) for _ in range(2))
        assert one is not other, name
        assert namespace_of(one) is not namespace_of(other), name


def namespace_of(cls: type[Any]) -> Any:
    function = next((each for each in vars(cls).values() if inspect.isfunction(each)), None)
    return cls if function is None else function.__globals__


@pytest.mark.parametrize(
    ("edition", "names"),
    [
        (small(turns=8), ("greedy", "greedy", "dealmaker", "random-legal")),
        (small(turns=8), ("hard", "saboteur", "hoarder", "hard")),
        (CARD_ROUND, ("tycoon", "tycoon", "cousin", "random-legal")),
        (CARD_ROUND, ("spoiler", "miser", "closer", "spoiler")),
    ],
)
def test_no_match_tells_the_next_one_in_its_worker_anything(edition: Edition, names: tuple[str, ...]) -> None:
    bots = [find_file(name) for name in names]
    specs = [spec_of(bots, edition, id=f"match{number}", seed=f"seed {number}") for number in range(2)]
    alone = [results(bots, ISOLATED, spec)[0].replay for spec in specs]
    forth = [done.replay for done in results(bots, ISOLATED, *specs)]
    back = [done.replay for done in results(bots, ISOLATED, *reversed(specs))]
    assert forth == alone
    assert back[::-1] == alone


def test_a_copy_of_the_user_is_played_as_the_bundled_bot_from_the_installed_file(
    tmp_path: Path, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [copy_of("greedy", tmp_path), find_file("fair")]
    loaded = list[str]()
    plain = loading._compile_bundled

    def noted(path: str, digest: str) -> Any:
        loaded.append(path)
        return plain(path, digest)

    monkeypatch.setattr(loading, "_compile_bundled", noted)
    with BotCopies() as copies:
        placed = copies.place(bots[0])
        assert is_exempt(placed, ISOLATED)
    results(bots, ISOLATED, spec_of(bots, small(turns=2)))
    assert made.names == ["mine.py", "fair"]
    assert set(loaded) == {str(bundled_bots()[name].absolute()) for name in ("greedy", "fair")}


@pytest.fixture(autouse=True)
def forget_digests() -> Iterator[None]:
    """A test may put other files in the place of the bundled ones."""
    yield
    exempt_bots._files_by_digest.cache_clear()
