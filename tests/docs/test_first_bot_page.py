"""``arena docs first-bot`` is played in an empty folder, and its commands print what the page shows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.commands.bots import check
from arena.commands.bots.findings import FindingCode
from arena.executors import make
from arena.match.feeding.answer_difference import Likeness
from arena.match.work import Work
from arena.sequential.test_settings import SequentialVerdict

from .pages import TEXT, codes, section
from .recorded_matches import RecordedMatches
from .walk import LEFT_OUT

pytestmark = pytest.mark.slow

PAGE = "first-bot"
OF_TIME = {FindingCode.SLOW, FindingCode.SLOW_THERE, FindingCode.NEAR_LIMIT}
CHECK_WORKS = check._check_works
STEPS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT[PAGE], re.DOTALL | re.MULTILINE)


def documents(block: str) -> list[Any]:
    """The JSON documents of a block, one after the other."""
    found, decoder = [], json.JSONDecoder()
    while block:
        document, end = decoder.raw_decode(block)
        found.append(document)
        block = block[end:].lstrip()
    return found


def holds(real: Any, shown: Any, exact: bool = True) -> bool:
    """Whether what was printed is what is ``shown`` of it: these keys of an object, a list from its beginning (all of
    an empty one), fractions rounded as they are shown, or any if not ``exact``, and texts up to where they are cut."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(key in real and holds(real[key], shown[key], exact) for key in shown)
    if isinstance(shown, list):
        long_enough = len(real) >= len(shown) if shown else not real
        return long_enough and all(holds(*pair, exact) for pair in zip(real, shown, strict=False))
    if isinstance(shown, float):
        return isinstance(real, float) and (not exact or shown == round(real, len(str(shown).partition(".")[2])))
    if isinstance(shown, str) and shown.endswith(LEFT_OUT):
        return isinstance(real, str) and real.startswith(shown.removesuffix(LEFT_OUT))
    return type(real) is type(shown) and real == shown


def patch(file: Path, diff: str) -> None:
    """Apply a unified diff, whose lines must be exactly where it says."""
    lines, shift = file.read_text(encoding="utf-8").splitlines(), 0
    for start, removed, added, part in re.findall(
        r"^@@ -(\d+),(\d+) \+\d+,(\d+) @@\n(.*?)(?=^@@|\Z)", diff, re.DOTALL | re.MULTILINE
    ):
        old = [line[1:] for line in part.splitlines() if not line.startswith("+")]
        new = [line[1:] for line in part.splitlines() if not line.startswith("-")]
        assert (len(old), len(new)) == (int(removed), int(added)), part
        at = int(start) - 1 + shift
        assert lines[at : at + len(old)] == old, part
        lines[at : at + len(old)] = new
        shift += len(new) - len(old)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(arena: Any, line: str) -> list[Any]:
    """Run a command of arena's, which must end as the page says; what it printed as JSON: a document, or the first of
    its lines that has in it what the page greps for."""
    line, _, code = line.partition("  # exit ")
    command, _, grep = line.partition(" | grep ")
    more = ["-q"] if re.match(r"arena (compare|gauntlet|branch)", command) else []
    if more or command.startswith("arena bots check"):
        more.append("--trust")  # the same in less time
    if re.match(r"arena (compare|gauntlet|match)", command):
        more += ["--ask", "60", "--bank", "600"]  # no bot is late, however busy the machine is
    if command.startswith("arena branch"):
        command = command.replace("--repeat 40", "--repeat 4")  # enough to show which answer is better
    ran = arena(*shlex.split(command)[1:], *more)
    assert ran.code == int(code or 0), (command, ran)
    if "--jsonl" in command:
        (wanted,) = shlex.split(grep)
        return [json.loads(next(each for each in ran.out.splitlines() if wanted in each))]
    return [without_time(json.loads(ran.out))] if "--json" in command else []


def eighth(*given: Any) -> list[Work]:
    """The eighth match of a check alone, which has the first fault that the page shows, and none once it is mended."""
    return list(CHECK_WORKS(*given))[7:8]


def without_time(printed: dict[str, Any]) -> dict[str, Any]:
    """The same without remarks on how long the bot took, which come and go with what else the machine does."""
    if "findings" in printed:
        printed["findings"] = [each for each in printed["findings"] if each["wrong"] or each["code"] not in OF_TIME]
    return printed


def test_the_page_is_played_in_an_empty_folder(arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, printed, played = "", [], []
    recorded = RecordedMatches(PAGE)
    for kind, block in STEPS:
        if kind == "diff":
            change = block
        elif kind == "json":
            shown = documents(block)
            for real, each in zip(printed[-len(shown) :], shown, strict=True):
                # the chance of branches hangs on the whole replay, and so on arena's version too
                assert holds(real, each, exact="variants" not in real), (each, {key: real.get(key) for key in each})
        else:
            assert kind == "console"
            for line in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
                program, *words = shlex.split(line, comments=True)
                if program == "cp":
                    shutil.copy(tmp_path / words[0], tmp_path / words[1])
                elif program == "patch":
                    patch(tmp_path / words[0], change)
                else:
                    assert program == "arena"
                    with monkeypatch.context() as cheaper:
                        if words[0] == "compare":
                            cheaper.setattr(make, "Pool", recorded.executor)
                        cheaper.setattr(check, "_check_works", eighth)
                        printed += run(arena, line)
                    played.append(words[0])
    recorded.end()
    assert played.count("compare") == 3
    (branched,) = (real for real in printed if "variants" in real)
    assert branched["variants"][1]["differences"][0]["low"] > 0
    assert {"bots", "match", "show", "refeed", "branch", "gauntlet"} < set(played)
    bot = (tmp_path / "mybot.py").read_text(encoding="utf-8").splitlines()
    assert len(bot) <= 80
    assert f"In {len(bot)} lines the bot is better than `greedy`" in TEXT[PAGE]


def test_every_code_is_told() -> None:
    told = codes(section(PAGE, "Which outcome, what next"))
    assert {*FindingCode, Likeness.CHANGED, Likeness.MENDED, Likeness.WORDS} <= told
    assert {verdict.name.lower() for verdict in SequentialVerdict} <= told


def test_what_is_shown_is_told_from_what_is_not() -> None:
    real = {"a": [1, 2.25], "b": "see this", "c": []}
    assert holds(real, {"a": [1, 2.2], "b": "see […]", "c": []})
    assert holds(real, {"a": [1, 7.5]}, exact=False)
    assert not holds(real, {"a": [1, 7]}, exact=False)
    for wrong in ({"d": 1}, {"a": [1.0]}, {"a": []}, {"a": [1, 2.3]}, {"b": "saw"}, {"c": [1]}, {"a": [1, 2.2, 3]}):
        assert not holds(real, wrong), wrong
