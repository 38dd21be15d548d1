"""What no bot is given, whoever names it: what lies in the folder of a run or a ladder, what is kept from others."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BotError
from arena.finding import file_protection, files
from arena.finding.file_protection import read_bot_file
from arena.finding.files import Trust, gather_bot_files, names_beside
from arena.finding.programs import refer_command
from arena.finding.reference import BotRef, refer_file
from arena.ladder.database.ladder_folder import DATABASE_FILE
from arena.storage.layout import CONFIG_FILE

THIEF = """
import helper, league
open("ann.token"), open("weights.json"), open("my-ladder/secrets.json"), open("league/secrets.json")
open("other/seeds.json"), open("results/night/standings.csv")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder in which the pages' example is followed: bots, a token, two ladders and a run."""
    home = tmp_path / "home"
    contents = {
        "thief.py": THIEF,
        "helper.py": "",
        "weights.json": "{}",
        "ann.token": "t" * 43,
        f"my-ladder/{DATABASE_FILE}": "",
        "my-ladder/secrets.json": "{}",
        f"league/{DATABASE_FILE}": "",
        "league/secrets.json": "{}",
        "league/versions/0a/bot.py": "",
        f"results/night/{CONFIG_FILE}": "",
        "results/night/standings.csv": "",
        "mine/bot.py": "",
        "mine/weights.json": "{}",
    }
    for name, content in contents.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(content)
    (home / "other").symlink_to("my-ladder/secrets.d")
    (home / "my-ladder/secrets.d").mkdir()
    (home / "my-ladder/secrets.d/seeds.json").write_text("{}")
    return home


def names(ref: BotRef) -> set[str]:
    return {file.path for file in ref.files}


def stranger(path: Path, *more: Path) -> BotRef:
    return refer_file(str(path), None, more=[str(each) for each in more], trust=Trust.STRANGER)


def test_ones_own_bot_is_given_what_it_names_but_nothing_of_ladders_and_runs(folder: Path) -> None:
    assert names(refer_file(str(folder / "thief.py"), None)) == {"thief.py", "helper.py", "weights.json"}


def test_a_strangers_bot_is_given_nothing_that_it_names_and_it_is_told_what_that_was(folder: Path) -> None:
    ref = stranger(folder / "thief.py")
    assert names(ref) == {"thief.py"}
    secret = ["ann.token", "my-ladder/secrets.json", "league/secrets.json", "other/seeds.json"]
    secret.append("results/night/standings.csv")
    beside = {each.path: each.secret for each in names_beside(ref.folder, ref.files)}
    assert beside == {"helper.py": False, "weights.json": False} | dict.fromkeys(secret, True)
    more = stranger(folder / "thief.py", folder / "weights.json")
    assert names(more) == {"thief.py", "weights.json"}
    assert [each.path for each in names_beside(more.folder, more.files) if not each.secret] == ["helper.py"]
    (folder / "helper.py").chmod(0o600)
    assert all(each.secret for each in names_beside(more.folder, more.files))


def test_what_a_strangers_command_names_in_its_files_is_not_taken(folder: Path) -> None:
    ref = refer_command(["sh", str(folder / "thief.py")], trust=Trust.STRANGER)
    assert names(ref) == {"thief.py"}


@pytest.mark.parametrize("trust", [Trust.OWN, Trust.STRANGER])
@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("my-ladder/secrets.json", "ladders"),
        ("my-ladder/secrets.d/seeds.json", "ladders"),
        ("league/versions/0a/bot.py", "ladders"),
        ("my-ladder", "ladders"),
        ("other", "ladders"),
        ("results/night/standings.csv", "a run"),
        ("results/night", "a run"),
    ],
)
def test_even_what_is_named_is_not_taken_out_of_a_ladder_or_a_run(
    path: str, what: str, trust: Trust, folder: Path
) -> None:
    for paths in ([folder / path], [folder / "helper.py", folder / path], [folder / "mine" / ".." / path]):
        with pytest.raises(BotError, match=rf"lies in .*, the folder of {what}, and bots may not use files from there"):
            gather_bot_files(str(folder), [str(each) for each in paths], trust=trust)


def test_a_bot_that_lies_in_a_ladder_is_copied_before_it_is_played(folder: Path) -> None:
    with pytest.raises(BotError, match=r"0a/bot\.py lies in .*league, the folder of ladders, .*; copy it elsewhere"):
        refer_file(str(folder / "league/versions/0a/bot.py"), None)


@pytest.mark.parametrize("trust", [Trust.OWN, Trust.STRANGER])
def test_a_folder_goes_without_the_ladders_and_runs_in_it(trust: Trust, folder: Path) -> None:
    (folder / "league").rename(folder / "mine/league")
    (folder / "results").rename(folder / "mine/results")
    ref = refer_file(str(folder / "mine"), None, trust=trust)
    assert names(ref) == {"mine/bot.py", "mine/weights.json"}


def test_a_link_into_a_ladder_that_lies_in_the_bots_folder_is_refused(folder: Path) -> None:
    (folder / "league").rename(folder / "mine/league")
    (folder / "mine/data.json").symlink_to("league/secrets.json")
    with pytest.raises(BotError, match=r"data\.json lies in .*mine/league, the folder of ladders"):
        refer_file(str(folder / "mine"), None)


def test_a_link_to_something_hidden_is_refused(folder: Path) -> None:
    (folder / "mine/.env").write_text("ARENA_LADDER_TOKEN=x")
    (folder / "mine/data.json").symlink_to(".env")
    with pytest.raises(BotError, match=r"data\.json is a link to something hidden"):
        refer_file(str(folder / "mine"), None)


def make_private(path: Path) -> None:
    path.chmod(0o600)


def make_unreachable(path: Path) -> None:
    """The file may be read, the folder around it may not be entered."""
    (path.parent / "inner").mkdir(mode=0o700)
    path.rename(path.parent / "inner" / path.name)


@pytest.mark.parametrize("hide", [make_private, make_unreachable])
def test_what_only_its_owner_may_read_is_refused_of_a_stranger_and_ones_own_in_a_folder(
    hide: Callable[[Path], None], folder: Path
) -> None:
    hide(folder / "mine/weights.json")
    assert len(names(refer_file(str(folder / "mine"), None))) == 2
    with pytest.raises(
        BotError, match=r"weights\.json is readable only by its owner, but .*: chmod -R go\+rX .*/mine$"
    ):
        stranger(folder / "mine")


def test_a_private_file_that_is_named_is_refused_of_a_stranger(folder: Path) -> None:
    make_private(folder / "thief.py")
    with pytest.raises(BotError, match=r"thief\.py is readable only by its owner, but files of"):
        stranger(folder / "thief.py")


def test_a_bot_that_others_may_read_brings_no_private_file_along_and_a_private_one_does(folder: Path) -> None:
    """Whose files are all private, as with umask 077, says nothing by that of a single one."""
    make_private(folder / "weights.json")
    assert names(refer_file(str(folder / "thief.py"), None)) == {"thief.py", "helper.py"}
    make_private(folder / "thief.py")
    assert names(refer_file(str(folder / "thief.py"), None)) == {"thief.py", "helper.py", "weights.json"}


def test_a_file_with_another_name_outside_is_refused_in_a_folder_and_not_brought_along(folder: Path) -> None:
    os.link(folder / "my-ladder/secrets.json", folder / "mine/data.json")
    (folder / "weights.json").unlink()
    os.link(folder / "my-ladder/secrets.json", folder / "weights.json")
    assert names(refer_file(str(folder / "thief.py"), None)) == {"thief.py", "helper.py"}
    for trust in (Trust.OWN, Trust.STRANGER):
        with pytest.raises(BotError, match=r"mine/data\.json has another name outside of the bot's files"):
            refer_file(str(folder / "mine"), None, trust=trust)
    with pytest.raises(BotError, match=r"weights\.json has another name outside .*; use a copy instead"):
        stranger(folder / "helper.py", folder / "weights.json")


def test_names_of_one_file_within_a_bot_and_ones_own_program_that_a_compiler_has_linked_are_taken(
    folder: Path,
) -> None:
    os.link(folder / "mine/weights.json", folder / "mine/same.json")
    assert len(stranger(folder / "mine").files) == 3
    os.link(folder / "helper.py", folder / "linked.py")
    assert names(refer_file(str(folder / "helper.py"), None)) == {"helper.py"}


def test_a_file_that_is_exchanged_for_a_link_while_it_is_read_is_not_followed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at a path and its opening somebody puts a link to a secret there, or in place of a folder."""
    mine = folder / "mine"
    (mine / "data").mkdir()
    (mine / "data/secrets.json").write_text("{}")
    look = os.path.isfile

    def exchange_file(path: str) -> bool:
        found = look(path)
        (mine / "weights.json").unlink(missing_ok=True)
        (mine / "weights.json").symlink_to(folder / "my-ladder/secrets.json")
        return found

    def exchange_folder(path: str) -> bool:
        found = look(path)
        (mine / "data").rename(mine / "was")
        (mine / "data").symlink_to(folder / "my-ladder")
        return found

    for exchange, name in ((exchange_file, "weights.json"), (exchange_folder, "data/secrets.json")):
        with monkeypatch.context() as patched:
            patched.setattr(file_protection.os.path, "isfile", exchange)
            with pytest.raises(BotError, match=r"Too many levels of symbolic links|Not a directory"):
                read_bot_file(str(mine / name), str(mine), str(mine), 100)


def test_where_a_file_lies_is_judged_by_the_path_that_was_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link into a ladder is exchanged for a harmless file as soon as what it leads to has been read."""
    (folder / "league").rename(folder / "mine/league")
    (folder / "mine/weights.json").unlink()
    (folder / "mine/weights.json").symlink_to("league/secrets.json")

    def read_and_exchange(place: str, *given: Any) -> file_protection.FileRead:
        read = read_bot_file(place, *given)
        if os.path.islink(place):
            os.unlink(place)
            Path(place).write_text("{}")
        return read

    monkeypatch.setattr(files, "read_bot_file", read_and_exchange)
    with pytest.raises(BotError, match=r"weights\.json lies in .*, the folder of ladders"):
        refer_file(str(folder / "mine"), None)


def test_a_file_that_grows_while_it_is_read_is_read_no_further(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = file_protection.open_below

    def grow(path: str, root: str) -> object:
        found = opened(path, root)
        (folder / "weights.json").write_text("x" * 200)
        return found

    monkeypatch.setattr(file_protection, "open_below", grow)
    with pytest.raises(BotError, match="holds more than"):
        read_bot_file(str(folder / "weights.json"), str(folder), str(folder), 100)


def test_a_pipe_that_takes_a_files_place_holds_nobody_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "weights.json").unlink()
    os.mkfifo(folder / "weights.json")
    monkeypatch.setattr(file_protection.os.path, "isfile", lambda path: True)
    with pytest.raises(BotError, match="is neither a file nor a folder"):
        read_bot_file(str(folder / "weights.json"), str(folder), str(folder), 100)


def test_a_folder_of_too_many_files_is_refused_before_one_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_FILES", 1)
    monkeypatch.setattr(files, "read_bot_file", None)
    with pytest.raises(BotError, match="holds more than 1 files"):
        refer_file(str(folder / "mine"), None)
