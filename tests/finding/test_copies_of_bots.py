"""Bots are played from copies that hold what belongs to them and nothing else."""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import BotError, UserError
from arena.executors.executor import Executor, play_each
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.finding import depot as depots
from arena.finding.depot import BotCopies
from arena.finding.loading import make_bot
from arena.finding.programs import refer_command
from arena.finding.reference import find_file, refer_file
from arena.match.work import Work, place_work
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, strictest_isolation
from arena.runs.planning.make_plan import make_plan
from arena.runs.single_match import MatchSetup, set_up_match

SPEAKER = """
from arena.bot import Reply
from arena.games.board import BoardBot
{imports}
class Speaker(BoardBot):
    def turn(self, view):
        return Reply(self.legal_moves(view)[0], say={says})
"""


def speaker(path: Path, says: str, imports: str = "") -> Path:
    """A bot that says something of what it finds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SPEAKER.format(says=says, imports=imports))
    return path


def said(executor: Executor, *works: Work) -> list[bool]:
    """Whether the bots of these works said ``fine``, and nothing went wrong."""
    done = play_each(executor, works)
    assert [seat.faults for each in done for seat in each.record.seats] == [{}] * 2 * len(done)
    return [b'"say":"fine"' in (each.replay or b"") for each in done]


def work_of(*bots: str, isolated: bool = False) -> Work:
    match = set_up_match(
        bots, MatchSetup(settings=("max_turns=4",), isolation=strictest_isolation() if isolated else TRUSTED_ISOLATION)
    )
    return Work(spec=match.spec, bots=match.bots, demand=match.isolation.demand)


@pytest.fixture(params=[Serial, lambda: Pool(1)], ids=["serial", "pool"])
def executor(request: Any) -> Any:
    with closing(request.param()) as made:
        yield made


@pytest.mark.parametrize("isolated", [False, True])
def test_a_bot_is_played_from_a_copy_whatever_becomes_of_the_original(
    isolated: bool, executor: Executor, tmp_path: Path
) -> None:
    bot = speaker(tmp_path / "speaker.py", "helper.WORD", "import helper\n")
    (tmp_path / "helper.py").write_text(
        "import pathlib\nWORD = pathlib.Path(__file__).with_name('word.txt').read_text()"
    )
    (tmp_path / "word.txt").write_text("fine")
    work = pickle.loads(pickle.dumps(work_of(str(bot), "silent", isolated=isolated)))
    for path in tmp_path.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()  # Python may have put what it compiled beside it
    assert said(executor, work) == [True]


@pytest.mark.parametrize("isolated", [False, True])
def test_a_folder_is_a_bot_and_may_be_a_package(isolated: bool, executor: Executor, tmp_path: Path) -> None:
    folders = {
        "package": ("__init__.py", "from .words import WORD\n"),
        "folder": ("bot.py", "from words import WORD\n"),
    }
    for name, (entry, imports) in folders.items():
        folder = tmp_path / name
        speaker(folder / entry, "WORD", imports)
        (folder / "data").mkdir()
        (folder / "data/word.txt").write_text(f"of the {name}")
        (folder / "words.py").write_text(
            "import pathlib\nWORD = next(pathlib.Path(__file__).parent.glob('*/*.txt')).read_text()"
        )
    both = work_of(*(f"{tmp_path / name}/" for name in folders), isolated=isolated)
    for done in play_each(executor, [both] * 2):
        assert [seat.faults for seat in done.record.seats] == [{}] * 2
        for name in folders:
            assert f'"say":"of the {name}"'.encode() in (done.replay or b""), name


def test_a_bot_file_in_a_package_may_import_relatively(tmp_path: Path) -> None:
    speaker(tmp_path / "mybot/bot.py", "WORD", "from .words import WORD\nfrom . import NAME\n")
    (tmp_path / "mybot/words.py").write_text("WORD = 'fine'")
    (tmp_path / "mybot/__init__.py").write_text("NAME = 1")
    with closing(Serial()) as executor:
        assert said(executor, work_of(f"{tmp_path}/mybot", "silent")) == [True]


def test_two_bots_each_find_their_own_modules_of_the_same_name(executor: Executor, tmp_path: Path) -> None:
    for name in ("a", "b"):
        speaker(tmp_path / name / "bot.py", f"'fine' if WORD == '{name}' else 'wrong'", "from .words import WORD\n")
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / "words.py").write_text(f"WORD = {name!r}")
    done = play_each(executor, [work_of(f"{tmp_path}/a", f"{tmp_path}/b")])
    assert done[0].replay is not None
    assert b'"say":"fine"' in done[0].replay
    assert b'"say":"wrong"' not in done[0].replay


def test_a_copy_is_read_only_and_removed_with_its_executor(tmp_path: Path) -> None:
    bot = speaker(tmp_path / "mybot/bot.py", "'fine'")
    bot.chmod(0o755)
    with BotCopies() as depot:
        ref = depot.place(refer_file(str(bot.parent), None))
        folder = Path(ref.folder)
        assert ref.files == ()
        assert depot.place(refer_file(str(bot.parent), None)).folder == ref.folder
        modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
        assert set(modes.values()) == {0o555}
        assert folder.parent.stat().st_mode & 0o777 == 0o700
    assert not folder.parent.exists()


def test_copies_that_a_killed_process_has_left_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depots.tempfile, "tempdir", str(tmp_path))
    bot = speaker(tmp_path / "mybot/bot.py", "''").parent
    left, foreign = tmp_path / "arena-bots-left", tmp_path / "arena-bots-foreign"
    (left / "0-aa/mybot").mkdir(parents=True)
    (left / "0-aa/mybot/bot.py").touch()
    (left / "0-aa").chmod(0o555)
    (left / depots.DEPOT_LOCK).touch()
    foreign.mkdir()
    with BotCopies() as first, BotCopies() as second:
        in_use = Path(first.place(refer_file(str(bot), None)).folder)
        assert not left.exists()
        second.place(refer_file(str(bot), None))
        assert in_use.is_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arena-bots-foreign", "mybot"]


def test_bundled_bots_are_played_where_they_are_installed_if_they_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with BotCopies() as depot:
        ref = find_file("fair")
        assert depot.place(msgspec.structs.replace(ref, folder="/elsewhere")) == ref
        with pytest.raises(BotError, match="the bundled bot fair differs on this machine"):
            depot.place(msgspec.structs.replace(ref, sha256="0" * 64))


def test_a_folder_for_copies_that_cannot_be_written_to_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depots.tempfile, "tempdir", str(tmp_path / "missing"))
    with (
        BotCopies() as depot,
        pytest.raises(UserError, match=r"cannot be copied to .*missing: No such file .*; TMPDIR names"),
    ):
        depot.place(refer_file(str(speaker(tmp_path / "bot.py", "''")), None))


def test_programs_that_cannot_be_run_from_the_copies_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh")
    program.chmod(0o755)
    ref = refer_command([str(program)])
    monkeypatch.setattr(depots.os, "access", lambda *_: False)
    with BotCopies() as depot, pytest.raises(UserError, match=r"no program can be run in .* \(mounted noexec\?\)"):
        depot.place(ref)


def test_what_a_bot_prints_and_raises_names_its_files_where_the_author_keeps_them(tmp_path: Path, capfd: Any) -> None:
    bot = speaker(tmp_path / "speaker.py", "helper.broken()", "import helper\nprint(__file__, flush=True)\n")
    (tmp_path / "helper.py").write_text("def broken(): return 1 / 0")
    with closing(Pool(1)) as executor:
        (done,) = play_each(executor, [work_of(str(bot), "silent", isolated=True)])
    (printed,) = done.printed
    assert str(bot) in printed.text.decode()
    assert f'File "{tmp_path}/helper.py", line 1, in broken' in printed.text.decode()
    assert b"arena-bots-" not in printed.text


def test_strangers_in_one_folder_do_not_take_each_others_files(tmp_path: Path) -> None:
    speaker(tmp_path / "one.py", "''", "import helper\nNAME = 'two.py'\n")
    speaker(tmp_path / "two.py", "''")
    (tmp_path / "helper.py").touch()
    config = tmp_path / "t.yaml"
    config.write_text("name: t\nentrants: [one.py, two.py]\neditions: [eagle-gryphon]\n")
    own = {
        level: [each.path for each in make_plan(config, [f"require={level}"]).bots[0].files]
        for level in ("none", "process", "locked")
    }
    assert own["none"] == own["process"] == ["one.py", "helper.py", "two.py"]
    assert own["locked"] == ["one.py", "helper.py"]


def test_a_tournament_may_name_more_files_of_a_bot(tmp_path: Path) -> None:
    speaker(
        tmp_path / "bots/one.py", "next(pathlib.Path(__file__).parent.glob('*.txt')).read_text()", "import pathlib\n"
    )
    (tmp_path / "word.txt").write_text("fine")
    config = tmp_path / "t.yaml"
    config.write_text(
        "name: t\nseats: 2\nisolation: none\nentrants: [{bot: bots/one.py, files: [word.txt]}, silent]\n"
        "editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]\n"
    )
    plan = make_plan(config)
    assert [each.path for each in plan.bots[0].files] == ["one.py", "word.txt"]
    assert plan.resolved_config()["entrants"][0]["files"] == (str(tmp_path / "word.txt"),)
    with closing(Serial()) as executor:
        assert said(executor, next(plan.works(plan.schedule))) == [True]


def test_a_bot_placed_in_an_executor_is_loaded_as_the_same_class(tmp_path: Path) -> None:
    bot = speaker(tmp_path / "speaker.py", "'fine'")
    work = work_of(str(bot), "silent")
    with BotCopies() as depot:
        assert type(make_bot(place_work(work, depot).bots[0])).__name__ == "Speaker"
        assert os.path.dirname(place_work(work, depot).bots[0].path) != str(tmp_path)


@pytest.fixture
def crowded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files in which others may write too. A reading that waits there ends the test."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


def place_one(tmp_path: Path) -> str:
    """Unpack a bot, which removes unused copies; the folder that it was unpacked to, which is gone again."""
    path = speaker(tmp_path / "mine.py", "'fine'")
    with BotCopies() as depot:
        return depot.place(refer_file(str(path), None)).folder


@pytest.mark.usefixtures("alarm")
def test_a_pipe_for_a_lock_among_temporary_files_holds_nobody_up(crowded: Path, tmp_path: Path) -> None:
    planted = crowded / "arena-bots-planted"
    planted.mkdir(mode=0o700)
    os.mkfifo(planted / "lock")
    assert place_one(tmp_path).startswith(f"{crowded}/arena-bots-")
    assert planted.is_dir()


def test_a_link_to_a_folder_elsewhere_is_not_taken_for_copies_of_before(crowded: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o750)
    (elsewhere / "lock").touch()
    (elsewhere / "kept.txt").touch()
    (crowded / "arena-bots-planted").symlink_to(elsewhere)
    place_one(tmp_path)
    assert (elsewhere / "kept.txt").exists()
    assert elsewhere.stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("whose", ["of another user", "writable by others"])
def test_a_folder_that_is_not_this_users_alone_is_left_as_it_is(
    whose: str, crowded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = crowded / "arena-bots-planted"
    planted.mkdir()
    (planted / "lock").touch()
    (planted / "deeper").mkdir()
    (planted / "deeper").chmod(0o500)
    planted.chmod(0o700 if whose == "of another user" else 0o777)
    status = planted.stat()
    if whose == "of another user":
        user = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: user + 1)
        depots._remove_unused(str(planted))
    else:
        place_one(tmp_path)
    assert (planted / "deeper").stat().st_mode & 0o777 == 0o500
    assert planted.stat().st_mode == status.st_mode


def test_a_lock_that_is_a_link_is_not_followed(crowded: Path, tmp_path: Path) -> None:
    planted = crowded / "arena-bots-planted"
    planted.mkdir(mode=0o700)
    (tmp_path / "mine.txt").touch()
    (planted / "lock").symlink_to(tmp_path / "mine.txt")
    place_one(tmp_path)
    assert planted.is_dir()


def test_copies_that_a_killed_process_has_left_are_removed(crowded: Path, tmp_path: Path) -> None:
    left = crowded / "arena-bots-left"
    left.mkdir(mode=0o700)
    (left / "lock").touch()
    place_one(tmp_path)
    assert not left.exists()
