"""How the source is laid out and named: what can be held by counting."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .source import read_module

ARENA = Path("arena")
TWINS = ("arena/games/board", "arena/games/cards")  # two games answer the same questions, by the same names
FILES_OF_A_COMMAND = {"__init__", "command", "words", "results"}
MOST_FILES = 16
ONE_WORD_SHARE = 0.12

# What says nothing as the whole name of a function, class or file: pronouns, adverbs, participles without a noun.
EMPTY_WORDS = set(
    re.findall(
        r"\w+",
        """
    about again alike alone already also always apart around asked at before below beside between both by called came
    chosen counted done drawn each either else elsewhere ended every everybody everything few filled for found from
    given gone had happened helper helpers here how in inside it its joined just kept known left less listed looked
    made manager many meant met mine moved much named near never new nothing now of on once one only other others out
    over own part parts played put read_again refused said same seen shown since so some still taken that them then
    there these they thing things this those told together too twice unlike util utils wanted was what when where which
    who whole whose why with within without worded written
    """,
    )
)


class Definition(NamedTuple):
    name: str
    file: str
    is_class: bool
    is_command: bool


def _files() -> list[Path]:
    return sorted(path for path in ARENA.rglob("*.py") if "data" not in path.parts)


def _definitions() -> Iterator[Definition]:
    """The functions and classes that stand at the top of a file, private ones too."""
    for path in _files():
        for each in read_module(path.absolute()).top:
            command = re.search(r"\b(command|group)\(", " ".join(each.decorators)) is not None
            yield Definition(each.name, path.as_posix(), each.is_class, command)


def _is_twin(file: str) -> bool:
    return file.startswith(TWINS)


def _files_by_name(definitions: list[Definition]) -> dict[str, list[str]]:
    named = defaultdict(list)
    for each in definitions:
        named[each.name].append(each.file)
    return {name: files for name, files in named.items() if len(files) > 1}


def test_no_folder_has_so_many_files_that_one_has_to_search() -> None:
    counts: dict[str, int] = defaultdict(int)
    for path in _files():
        counts[path.parent.as_posix()] += 1
    assert {folder: count for folder, count in counts.items() if count > MOST_FILES} == {}


def test_a_file_name_stands_once() -> None:
    named = defaultdict(list)
    for path in _files():
        if path.stem not in FILES_OF_A_COMMAND and not _is_twin(path.as_posix()):
            named[path.stem].append(path.as_posix())
    assert {stem: files for stem, files in named.items() if len(files) > 1 and stem != "bot"} == {}


def test_a_class_name_stands_once() -> None:
    classes = [each for each in _definitions() if each.is_class and not each.name.startswith("_")]
    assert _files_by_name([each for each in classes if not _is_twin(each.file)]) == {}


def test_the_name_of_a_public_function_stands_once() -> None:
    functions = [each for each in _definitions() if not each.is_class and not each.name.startswith("_")]
    assert _files_by_name([each for each in functions if not (each.is_command or _is_twin(each.file))]) == {}


def test_no_name_says_nothing() -> None:
    # events and messages of the wire say what happened: Played, Told
    events = re.compile(r"arena/games/(\w+/events|game_bot)\.py|arena/protocol/messages\.py|arena/games/\w+/strategy/")
    named = [each for each in _definitions() if not each.is_command and not events.match(each.file)]
    names = {(each.name, each.file) for each in named} | {(path.stem, path.as_posix()) for path in _files()}
    assert {(name, file) for name, file in names if name.strip("_").lower() in EMPTY_WORDS} == set()


def test_few_public_functions_have_a_name_of_one_word() -> None:
    public = [e for e in _definitions() if not (e.is_class or e.is_command or e.name.startswith("_"))]
    single = [each for each in public if "_" not in each.name]
    assert len(single) <= ONE_WORD_SHARE * len(public), sorted(each.name for each in single)


def test_whoever_opens_a_database_closes_it() -> None:
    # leaving the block of a connection ends its transaction alone; what stays open warns from Python 3.13 on
    opening = re.compile(r"with sqlite3\.connect\(")
    tests = Path("tests").rglob("*.py")
    assert [str(path) for path in tests if opening.search(path.read_text("utf-8"))] == []


def test_what_pages_import_from_arena_is_there() -> None:
    import importlib

    texts = (page.read_text("utf-8") for page in sorted((ARENA / "docs").glob("*.md")))
    for module, names in re.findall(r"from (arena[\w.]*) import ([\w, ]+)", "\n".join(texts)):
        loaded = importlib.import_module(module)
        for name in (word.split(" as ")[0].strip() for word in names.split(",")):
            if name and not hasattr(loaded, name):
                importlib.import_module(f"{module}.{name}")
