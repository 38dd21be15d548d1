"""Swiss tournaments, knockouts and lists are played, broken off, resumed, made longer and verified like any others."""

from __future__ import annotations

import csv
import json
import textwrap
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.executors.executor import Look, UnplayedMatch, no_look
from arena.executors.serial import Serial
from arena.match.work import WorkResult
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.storage.run_facts.facts import RunState
from arena.storage.schedule_order import records_in_order
from arena.storage.store import MemoryStore
from tests.conftest import CopiedRun

pytestmark = pytest.mark.slow

SEVEN = """
name: night
seed: 5
isolation: none
entrants: [random-legal, greedy, silent, hard, fair, {bot: silent, name: quiet}, {bot: fair, name: also fair}]
editions:
- {rules: eagle-gryphon, changes: {max_turns: 2}, seats: 3}
- {rules: eagle-gryphon, changes: {max_turns: 1}, seats: 2}
"""
HEAD = SEVEN.replace("fair, {bot: silent, name: quiet}, ", "")
"""Five entrants, the fewest of whom two tables are drawn, and one sits out."""
ONE = HEAD.replace("- {rules: eagle-gryphon, changes: {max_turns: 2}, seats: 3}\n", "")
"""With tables of two alone, for which a knockout would else have three blocks."""
FORMATS = {
    "swiss": "format: swiss\nrounds: 3\nblocks: 6\n",
    "knockout": "format: knockout\n",  # 2 rounds at tables of three, 3 at tables of two: 6 blocks
    "list": "format: list\nseat_orders: listed\nfixtures: f.csv\n",
}
HEADS = {"swiss": ONE, "knockout": HEAD, "list": SEVEN}
TEXTS = {name: HEADS[name] + keys for name, keys in FORMATS.items()}
"""Of two editions but for swiss tournaments, of which that would be twice as many matches."""
MORE = {"swiss": "", "knockout": "blocks: 6\n"}
CSV = "block,a,b,c\n" + "".join(
    f"{block},{row}\n"
    for block in range(6)
    for row in ("fair,hard,quiet", "also fair,silent", "greedy,random-legal,silent", "hard,greedy")
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text(CSV)
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.yaml").write_text(text)


def results(folder: Path) -> dict[str, bytes]:
    found = [*folder.glob("*.csv"), *folder.glob("standings.*"), folder / "matches.jsonl"]
    return {path.name: path.read_bytes() for path in found}


def as_played(folder: Path) -> list[bytes]:
    """The lines of all matches in the order in which they were played."""
    lines = (folder / "matches.jsonl").read_bytes().splitlines(keepends=True)
    return sorted(lines, key=lambda line: json.loads(line)["block"])


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_the_bytes_do_not_depend_on_processes_or_on_when_a_run_was_broken_off(
    name: str, arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    expected = results(copied_run(TEXTS[name], "out"))
    assert arena("run", f"{name}.yaml", "-o", "two", "-q", "-j", "2").code == 0
    assert results(tmp_path / "two") == expected
    verified = arena("verify", "two", "-q")
    assert (verified.code, verified.out) == (0, "")
    lines = as_played(tmp_path / "out")
    (tmp_path / "two" / "matches.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    assert arena("run", "--trust", "--resume", "two", "-q", "-j", "1").code == 0
    assert results(tmp_path / "two") == expected


@pytest.mark.parametrize("name", FORMATS)
def test_a_run_resumed_at_boundaries_of_blocks_and_within_blocks_is_the_unbroken_one(name: str, tmp_path: Path) -> None:
    if name == "knockout":
        (tmp_path / f"{name}.yaml").write_text(ONE + FORMATS[name] + MORE[name])
    plan, whole = make_plan(tmp_path / f"{name}.yaml", trust=True), MemoryStore()
    with closing(Serial()) as executor:
        runs.start_run(plan, whole, executor)
    records = sorted(whole.records(), key=lambda record: record.block)
    blocks = [record.block for record in records]
    assert set(blocks) == set(range(6))
    for block in (3, 4):
        store = MemoryStore()
        store.began = whole.began
        cut = blocks.index(block) + block % 2 * 2  # at a boundary, and within a block
        store.kept = {record.id: record for record in records[:cut]}
        with closing(Serial()) as executor:
            outcome = runs.resume_run(plan, store, executor)
        assert outcome.state is RunState.COMPLETE
        assert list(store.records()) == list(whole.records())
        assert store.standings == whole.standings


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_what_follows_from_a_match_that_is_missing_is_played_again(name: str, arena: Any, tmp_path: Path) -> None:
    changing = """
        from os import urandom
        from arena.games.board import BoardBot, Draw, Open, Roll

        class Changing(BoardBot):
            def turn(self, view):
                moves = [each for each in self.legal_moves(view) if isinstance(each, Draw | Open | Roll)]
                return moves[urandom(1)[0] % len(moves)] if moves else None
    """
    (tmp_path / "changing.py").write_text(textwrap.dedent(changing))
    entrants = "".join(f"- {{bot: ./changing.py, name: c{number}}}\n" for number in range(5))
    head = ONE.replace("[random-legal, greedy, silent, hard,", "\n" + entrants + "#")
    (tmp_path / "changing.yaml").write_text(head + FORMATS[name] + MORE[name])
    assert arena("run", "changing.yaml", "-o", "out", "-q").code == 0
    matches = tmp_path / "out" / "matches.jsonl"
    lines = as_played(tmp_path / "out")
    gone = next(at for at, line in enumerate(lines) if json.loads(line)["block"] == 2)  # in the second of three rounds
    matches.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
    resumed = arena("run", "--trust", "--resume", "out", "-q")
    assert resumed.code == 0
    assert "from others that are missing: played again" in resumed.err
    verified = arena("verify", "out", "-q")
    assert (verified.code, verified.out) == (0, "")


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_the_tables_of_a_round_follow_from_the_results_of_those_before(
    name: str, arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    copied_run(TEXTS[name], "out")
    lines = as_played(tmp_path / "out")
    changed = []
    for line in lines:
        record = json.loads(line)
        if record["block"] == 0:  # the other way round
            for seat in record["seats"]:
                seat["rank"] = len(record["seats"]) + 1 - seat["rank"]
        changed.append(json.dumps(record).encode() + b"\n")
    (tmp_path / "out" / "matches.jsonl").write_bytes(b"".join(changed))
    told = arena("verify", "out", "-q")
    assert told.code == 3
    assert " is no match of this run" in told.out


def test_a_swiss_run_made_longer_has_more_rounds_and_is_as_if_it_had_begun_with_them(
    arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    (tmp_path / "long.yaml").write_text(ONE + "format: swiss\nrounds: 4\nblocks: 8\n")
    assert arena("run", "long.yaml", "-o", "long", "-q").code == 0
    copied_run(TEXTS["swiss"], "out").rename(tmp_path / "short")
    refused = arena("run", "--trust", "--resume", "short", "--blocks", 7, "-q")
    assert (refused.code, refused.err) == (2, "arena: --blocks: each round has 2 blocks: take 6 or 8, got 7\n")
    assert arena("run", "--trust", "--resume", "short", "--blocks", 8, "-q").code == 0
    assert results(tmp_path / "short") == results(tmp_path / "long")
    assert arena("verify", "short", "-q").code == 0
    more = 8 * (2 * 2) // 4 * 5
    assert arena("run", "--trust", "--resume", "short", "--matches", more, "-q").code == 0
    assert json.loads((tmp_path / "short" / "manifest.json").read_text())["settings"]["rounds"] == 5
    assert arena("verify", "short", "-q").code == 0


@pytest.mark.parametrize(("name", "why"), [("knockout", "to its final"), ("list", "to the end of its list")])
def test_what_has_an_end_of_its_own_cannot_be_made_longer(
    name: str, why: str, arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    copied_run(TEXTS[name], "out")
    refused = arena("run", "--trust", "--resume", "out", "--blocks", 12)
    told = f"arena: a {name} cannot be made longer: its 6 blocks lead {why}\n"
    assert (refused.code, refused.err) == (2, told)
    assert arena("run", "--trust", "--resume", "out", "--blocks", 6, "-q").code == 0


def test_a_knockout_names_the_winner_and_where_the_others_were_out(arena: Any, tmp_path: Path) -> None:
    ran = arena("run", "knockout.yaml", "-o", "out", "-q")
    with (tmp_path / "out" / "placings.csv").open() as file:
        rows = list(csv.DictReader(file))
    labels = list(dict.fromkeys(row["edition"] for row in rows))
    assert len(labels) == 2
    told = " ".join(ran.out.split())
    written = (tmp_path / "out" / "standings.md").read_text()
    for label, rounds in zip(labels, (2, 3), strict=True):
        of_label = [row for row in rows if row["edition"] == label]
        assert [row["place"] for row in of_label] == [str(place) for place in range(1, 6)]
        assert [row["out_in_round"] for row in of_label].count("") == 1
        assert of_label[1]["out_in_round"] == str(rounds)
        assert f"{label}: {of_label[0]['entrant']} has won; out in the final: {of_label[1]['entrant']}" in told
        assert f"\n{label}: {of_label[0]['entrant']} has won; " in written
    before = results(tmp_path / "out")
    again = arena("standings", "out")
    assert ran.out.rpartition("results  ")[0].split()[-40:] == again.out.partition("Exploratory")[0].split()[-40:]
    assert results(tmp_path / "out") == before
    (tmp_path / "out" / "placings.csv").write_text("")
    changed = arena("verify", "out", "-q")
    assert (changed.code, "placings.csv: it contradicts matches.jsonl" in changed.out) == (3, True)


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_dry_run_says_what_is_known_beforehand(name: str, arena: Any, tmp_path: Path) -> None:
    (tmp_path / f"{name}.yaml").write_text(SEVEN + FORMATS[name])
    told = " ".join(arena("run", f"{name}.yaml", "--dry-run").out.split())
    expected = {
        "swiss": "3 rounds of 2 blocks, each with 3 tables and 1 bye; the results of earlier rounds decide",
        "knockout": "3 rounds of 2 blocks: 7 entrants at 3 tables, then 4 entrants at 2 tables, then the final of 2",
    }
    assert expected[name] in told
    drawn = json.loads(arena("run", f"{name}.yaml", "--dry-run", "--json").out)["drawn"]
    assert [told.partition(" ")[0] for told in drawn.values()] == ["3" if name == "swiss" else "2", "3"]


def test_a_list_plays_each_table_as_it_is_written_and_its_folder_stands_alone(
    arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    copied_run(TEXTS["list"], "out")
    (tmp_path / "f.csv").unlink()
    lines = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    played = Counter((line["block"], ",".join(seat["entrant"] for seat in line["seats"])) for line in lines)
    rows = CSV.splitlines()[1:]
    assert played == Counter((int(row.partition(",")[0]), row.partition(",")[2]) for row in rows)
    assert arena("run", "out/config.resolved.yaml", "-o", "again", "-q").code == 0
    assert results(tmp_path / "again") == results(tmp_path / "out")


def test_a_list_is_played_without_those_who_cannot_be_loaded(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0")
    text = TEXTS["list"].replace("also fair}]", "also fair}, ./broken.py]")
    (tmp_path / "l.yaml").write_text(text)
    (tmp_path / "f.csv").write_text("0,broken,fair,hard\n1,hard,fair\n2,broken,silent\n3,hard,fair,silent\n")
    assert arena("run", "l.yaml", "-o", "out", "-q", "--skip-broken").code == 0
    lines = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    assert [line["block"] for line in lines] == [3, 1]
    assert arena("verify", "out", "-q").code == 0
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    (tmp_path / "f.csv").write_text("0,broken,fair,hard\n")
    refused = arena("run", "l.yaml", "-q", "--skip-broken")
    assert (refused.code, "fixtures: every table has a bot that cannot be loaded" in refused.err) == (2, True)


class Flaky(Serial):
    """Cannot play a match of block 1."""

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        first = True
        for result in super().completed(look):
            if first and isinstance(result, WorkResult) and result.record.block == 1:
                first = False
                yield UnplayedMatch(result.record.id, "no luck")
            else:
                yield result


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_match_that_cannot_be_played_keeps_later_rounds_waiting(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.yaml").write_text(ONE + FORMATS[name] + MORE[name])
    plan, store, whole = make_plan(tmp_path / f"{name}.yaml", trust=True), MemoryStore(), MemoryStore()
    with closing(Serial()) as executor:
        assert runs.start_run(plan, whole, executor).state is RunState.COMPLETE
    plan = make_plan(tmp_path / f"{name}.yaml", trust=True)
    with closing(Flaky()) as executor:
        outcome = runs.start_run(plan, store, executor)
    assert outcome.state is RunState.INCOMPLETE
    assert {record.block for record in store.records()} == {0, 1}
    with closing(Serial()) as executor:
        outcome = runs.resume_run(plan, store, executor)
    assert outcome.state is RunState.COMPLETE
    assert list(store.records()) == list(whole.records())


DIES = """
from arena.games.board import BoardBot

class Dies(BoardBot):
    def turn(self, view):
        raise ValueError("dead")
"""


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_whoever_is_suspended_is_left_out_when_tables_are_drawn(name: str, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES)
    head = ONE if name == "swiss" else HEAD  # in a knockout of two at a table it is out too soon
    text = (head + FORMATS[name]).replace("silent, hard", "./dies.py, hard") + "suspend_after: 3\nstrikes: 1\n"
    (tmp_path / "s.yaml").write_text(text)
    ran = arena("run", "s.yaml", "-o", "out", "-q", "-j", "1")
    assert ran.code == 0
    first = json.loads((tmp_path / "out" / "manifest.json").read_text())["suspended"]["dies"]
    lines = as_played(tmp_path / "out")
    seen = {json.loads(line)["block"] for line in lines if b'"dies"' in line}
    assert max(seen) < first < 6
    assert arena("verify", "out", "-q").code == 0
    expected = results(tmp_path / "out")
    (tmp_path / "out" / "matches.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    assert arena("run", "--trust", "--resume", "out", "-q", "-j", "1").code == 0
    assert results(tmp_path / "out") == expected


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_void_matches_are_played_but_decide_nothing(name: str, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES)
    text = (ONE + FORMATS[name] + MORE[name]).replace("silent, hard", "./dies.py, hard") + "fault_policy: void\n"
    (tmp_path / "v.yaml").write_text(text)
    assert arena("run", "v.yaml", "-o", "out", "-q").code == 0
    lines = as_played(tmp_path / "out")
    assert any(json.loads(line)["void"] for line in lines)
    assert arena("verify", "out", "-q").code == 0


@pytest.mark.parametrize("name", FORMATS)
def test_an_unfinished_run_is_in_order_and_can_be_looked_at(
    name: str, arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    copied_run(TEXTS[name], "out")
    whole = [record.id for record in records_in_order(tmp_path / "out")]
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"state": "complete"', '"state": "running"'))
    lines = as_played(tmp_path / "out")[:-3]
    (tmp_path / "out" / "matches.jsonl").write_bytes(b"".join(lines[::-1]))
    kept = {json.loads(line)["id"] for line in lines}
    assert [record.id for record in records_in_order(tmp_path / "out")] == [id for id in whole if id in kept]
    assert arena("export", "out", "-o", "tables").code == 0
    assert arena("standings", "out").code == 0
