"""A bot is all its files: what belongs to it, their digest, and what never does."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import product
from pathlib import Path
from time import process_time

import pytest

from arena.errors import BotError
from arena.finding import files
from arena.finding.files import BotFile, digest_of, gather_bot_files
from arena.finding.programs import refer_command, words_here
from arena.finding.reference import digest_of_module, refer_file, refer_module


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with modules, data, a package, and what belongs to nobody's bot."""
    league = tmp_path / "league"
    contents = {
        "helper.py": "import deeper",
        "deeper.py": "TABLE = open('table.csv').read()",
        "table.csv": "1,2",
        "weights.json": "{}",
        "unused.py": "",
        "unused.json": "",
        "tools/__init__.py": "",
        "tools/search.py": "from . import tables",
        "tools/tables.bin": "\0\1",
        "tools/__pycache__/search.cpython-311.pyc": "",
        "tools/.cache": "",
        "league.yaml": "seed: 7",
        ".hidden.json": "",
        "random.py": "",
        "run/config.resolved.yaml": "seed: 7",
        "run/standings.csv": "",
        "lib.js": "const table = require('./table.csv')",
        "main.js": "const lib = require('./lib');",
    }
    for name, content in contents.items():
        (league / name).parent.mkdir(parents=True, exist_ok=True)
        (league / name).write_text(content)
    (tmp_path / "secret.json").write_text("")
    return league


def names(found: tuple[BotFile, ...]) -> list[str]:
    return [file.path for file in found]


BELONGS = {
    "import helper": ["helper.py", "deeper.py", "table.csv"],
    "from helper import x": ["helper.py", "deeper.py", "table.csv"],
    "import os; import helper as h, json": ["helper.py", "deeper.py", "table.csv"],
    "def start(self):\n    from tools.search import best": [
        "tools/__init__.py",
        "tools/search.py",
        "tools/tables.bin",
    ],
    "open(Path(__file__).with_name('weights.json'))": ["weights.json"],
    'it\'s = open("weights.json")': ["weights.json"],
    "import_module('deeper')": ["deeper.py", "table.csv"],
    "open('tools/tables.bin')": ["tools/tables.bin"],
    "import numpy, random, arena.bot": [],
    "open('league.yaml'), open('.hidden.json'), open('run/standings.csv'), open('run/config.resolved.yaml')": [],
    "open('../secret.json'), open('tools/../../secret.json'), open('no.json'), open('tools')": [],
}


@pytest.mark.parametrize("text", BELONGS)
def test_to_a_file_belongs_what_it_imports_and_names_beside_it(text: str, folder: Path) -> None:
    (folder / "mine.py").write_text(text)
    ref = refer_file(str(folder / "mine.py"), None)
    assert names(ref.files)[0] == "mine.py"
    assert sorted(names(ref.files)[1:]) == sorted(BELONGS[text])


def test_an_absolute_path_in_a_bots_text_brings_nothing(folder: Path) -> None:
    (folder / "mine.py").write_text(f"open({str(folder / 'weights.json')!r}), open({str(folder.parent)!r})")
    assert names(refer_file(str(folder / "mine.py"), None).files) == ["mine.py"]


def test_a_link_out_of_the_folder_brings_nothing_by_name_and_is_refused_in_a_folder(folder: Path) -> None:
    (folder / "tools/link.json").symlink_to(folder.parent / "secret.json")
    (folder / "mine.py").write_text("open('tools/link.json')")
    assert names(refer_file(str(folder / "mine.py"), None).files) == ["mine.py"]
    with pytest.raises(BotError, match=r"tools/link\.json is a link that leads out of the bot's folder"):
        gather_bot_files(str(folder / "tools"), [str(folder / "tools")])
    (folder / "tools/link.json").unlink()
    (folder / "tools/again.bin").symlink_to("tables.bin")
    again = {file.path: file.content for file in gather_bot_files(str(folder / "tools"), [str(folder / "tools")])}
    assert again["again.bin"] == again["tables.bin"]


def test_a_pipe_or_device_in_a_bots_folder_is_refused(folder: Path) -> None:
    os.mkfifo(folder / "tools/pipe")
    with pytest.raises(BotError, match="tools/pipe is neither a file nor a folder"):
        gather_bot_files(str(folder / "tools"), [str(folder / "tools")])


def test_more_files_can_be_named_and_what_lies_elsewhere_comes_to_lie_beside_the_bot(folder: Path) -> None:
    (folder / "mine.py").write_text("")
    more = [str(folder / "tools"), str(folder / "unused.json"), str(folder.parent / "secret.json")]
    assert names(refer_file(str(folder / "mine.py"), None, more=more).files) == [
        *["mine.py", "tools/__init__.py", "tools/search.py", "tools/tables.bin", "unused.json", "secret.json"]
    ]


def test_the_files_of_others_are_not_taken(folder: Path) -> None:
    (folder / "mine.py").write_text("import helper, tools\nopen('weights.json')")
    others = [str(folder / "helper.py"), str(folder / "tools")]
    assert names(refer_file(str(folder / "mine.py"), None, others=others).files) == ["mine.py", "weights.json"]


def test_a_folder_is_a_bot_with_all_that_is_in_it(folder: Path) -> None:
    with pytest.raises(BotError, match=r"league is not a bot: it holds neither bot\.py nor __init__\.py"):
        refer_file(str(folder), None)
    (folder / "bot.py").write_text("")
    ref = refer_file(f"{folder}/", "Mine")
    assert (ref.name, ref.file, ref.folder) == ("league/:Mine", "league/bot.py", str(folder.parent))
    assert {"league/unused.json", "league/league.yaml", "league/tools/tables.bin"} <= set(names(ref.files))
    assert not [name for name in names(ref.files) if "run/" in name or "/." in name or name.endswith(".pyc")]


def test_the_digest_of_one_file_is_that_of_its_content_and_of_several_covers_each(folder: Path) -> None:
    (folder / "mine.py").write_text("pass")
    assert refer_file(str(folder / "mine.py"), None).sha256 == sha256(b"pass").hexdigest()
    (folder / "mine.py").write_text("import helper")
    digests = {refer_file(str(folder / "mine.py"), None).sha256}
    for name in ("deeper.py", "table.csv"):
        (folder / name).write_text((folder / name).read_text() + " ")
        digests.add(refer_file(str(folder / "mine.py"), None).sha256)
    (folder / "unused.py").write_text("changed")
    digests.add(refer_file(str(folder / "mine.py"), None).sha256)
    assert len(digests) == 3


def test_the_digest_depends_on_names_and_rights_and_not_on_the_order() -> None:
    a, b = BotFile("a", b"1"), BotFile("b", b"2")
    assert digest_of([a, b]) == digest_of([b, a])
    others = [
        [a, BotFile("c", b"2")],
        [a, BotFile("b", b"2", executable=True)],
        [BotFile("a", b"2"), BotFile("b", b"1")],
    ]
    assert len({digest_of(each) for each in ([a, b], *others)}) == 4


def test_a_folder_that_is_renamed_keeps_its_digest(folder: Path) -> None:
    (folder / "bot.py").write_text("")
    before = refer_file(str(folder), None).sha256
    assert refer_file(str(folder.rename(folder.with_name("other"))), None).sha256 == before


@pytest.mark.parametrize(("limit", "value"), [("MOST_FILES", 3), ("MOST_BYTES", 20)])
def test_too_much_for_one_bot_is_refused(limit: str, value: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, limit, value)
    (folder / "bot.py").write_text("")
    with pytest.raises(BotError, match=r"holds more than .*, too much for one bot"):
        refer_file(str(folder), None)


def test_a_modules_digest_is_that_of_its_whole_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    before = refer_module("tools.search", "Bot").sha256
    (folder / "tools/tables.bin").write_text("changed")
    digest_of_module.cache_clear()
    assert refer_module("tools.search", "Bot").sha256 != before
    assert refer_module("helper", "Bot").sha256 == sha256(b"import deeper").hexdigest()


def test_a_commands_files_are_those_it_names_and_what_they_need(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    ref = refer_command(["sh", "main.js", "--level", "3", str(folder.parent / "secret.json")])
    assert names(ref.files) == ["main.js", "secret.json", "lib.js", "table.csv"]
    assert words_here(ref)[1:] == (f"{folder}/main.js", "--level", "3", f"{folder}/secret.json")
    assert words_here(ref)[0].endswith("/sh")
    own = refer_command(["./tool", "tools/"])
    assert names(own.files) == ["tools/__init__.py", "tools/search.py", "tools/tables.bin", "tool"]
    assert words_here(own) == (f"{folder}/tool", f"{folder}/tools")


def test_an_interpreter_with_its_libraries_around_it_is_not_taken_out_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "bin").mkdir()
    (folder / "bin/python").symlink_to("/bin/sh")
    ref = refer_command(["./bin/python", "helper.py"])
    assert names(ref.files) == ["helper.py", "deeper.py", "table.csv"]
    assert words_here(ref) == (f"{folder}/bin/python", f"{folder}/helper.py")


def test_the_digest_of_a_command_without_files_is_that_of_its_program() -> None:
    ref = refer_command(["cat"])
    assert (ref.files, ref.sha256) == ((), sha256(Path(words_here(ref)[0]).read_bytes()).hexdigest())


def test_very_many_names_in_quotes_are_looked_through_in_moments(folder: Path) -> None:
    words = ",".join(f"'n{number}'" for number in range(40_000))
    (folder / "mine.py").write_text(f"WORDS = [{words}, 'weights']")
    began = process_time()
    assert names(refer_file(str(folder / "mine.py"), None).files) == ["mine.py", "weights.json"]
    assert process_time() - began < 1.5  # a look at the disk for each would take some 3


def test_very_many_imports_are_looked_through_in_moments(folder: Path) -> None:
    (folder / "mine.py").write_text("\n".join(f"import tools.n{number}" for number in range(20_000)))
    began = process_time()
    assert "tools/search.py" in names(refer_file(str(folder / "mine.py"), None).files)
    assert process_time() - began < 1.5


def test_names_that_lead_round_and_round_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (folder / name).symlink_to(".")
    paths = ("/".join(each) for each in product("ab", repeat=14))
    (folder / "mine.py").write_text(",".join(f"'{path}/x'" for path in paths))
    with pytest.raises(BotError, match=r"names of files in more than 10,000 folders; keep long lists in a file"):
        refer_file(str(folder / "mine.py"), None)
    monkeypatch.setattr(files, "MOST_NAMES", 100)
    (folder / "mine.py").write_text(",".join(f"'n{number}'" for number in range(200)))
    with pytest.raises(BotError, match="more than 100 names in quotes"):
        refer_file(str(folder / "mine.py"), None)
