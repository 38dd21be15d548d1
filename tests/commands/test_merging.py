"""Shares of a tournament, and copies of a run, are put together to the bytes of one run, or it is said why not."""

from __future__ import annotations

import fcntl
import json
import re
import resource
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.storage.root_digest import root_of
from tests.conftest import CopiedRun
from tests.runs.told import told

SEED = "b7c1d20e9f4a6538e1027d9c54ab36f8"
TOURNAMENT = f"""
name: tiny
seed: {SEED}
entrants: [random-legal, greedy, silent, fair]
editions:
  - {{rules: eagle-gryphon, changes: {{max_turns: 2}}}}
  - {{rules: outline, changes: {{max_turns: 2}}}}
seats: 3
blocks: 2
tables: all
deals: duplicate
isolation: none
"""
MATCHES = 48
SWISS = f"""
name: swiss
seed: {SEED}
entrants: [random-legal, greedy, silent, fair, hard, miser]
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 2}}}}]
seats: 3
format: swiss
rounds: 3
isolation: none
"""


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(TOURNAMENT)
    return path


@pytest.fixture
def whole(copied_run: CopiedRun) -> dict[str, bytes | None]:
    """What the run tells that one machine plays."""
    return told(copied_run(TOURNAMENT, "whole", "-j", 1))


@pytest.fixture
def parts(copied_run: CopiedRun) -> list[str]:
    """The folders of all three shares."""
    return [copied_run(TOURNAMENT, f"part{number}", "--shard", f"{number}/3", "-j", 1).name for number in (1, 2, 3)]


@pytest.fixture
def halves(copied_run: CopiedRun) -> list[str]:
    """The folders of both shares of a run without replays."""
    words = ("-j", 1, "--replays", "none")
    return [copied_run(TOURNAMENT, f"half{number}", "--shard", f"{number}/2", *words).name for number in (1, 2)]


def ids(folder: Path) -> list[str]:
    return [json.loads(line)["id"] for line in (folder / "matches.jsonl").read_bytes().splitlines()]


def keep_first(folder: Path, matches: int) -> None:
    """Make of a complete run one that was killed after so many matches."""
    for name in ("matches.jsonl", "timings.jsonl"):
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        (folder / name).write_bytes(b"".join(lines[:matches]))
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "state": "running"}))
    for path in folder.glob("standings.*"):
        path.unlink()


@pytest.mark.slow
def test_shares_have_every_match_once_and_are_nearly_equally_long(parts: list[str], tmp_path: Path) -> None:
    played = [ids(tmp_path / part) for part in parts]
    assert [len(each) for each in played] == [16, 16, 16]
    assert len({id for each in played for id in each}) == MATCHES
    for each in played:
        assert {sum(id.startswith(label) for id in each) for label in ("eagle", "outline")} == {8}


@pytest.mark.slow
def test_shares_merged_are_the_bytes_of_one_run(
    arena: Any, whole: dict[str, bytes | None], parts: list[str], tmp_path: Path
) -> None:
    merged = arena("merge", *parts[::-1], "--out", "merged", "-q")
    assert merged.code == 0
    assert merged.err == "part3: 16 matches\npart2: 16 matches\npart1: 16 matches\n"
    root = json.loads((tmp_path / "merged" / "manifest.json").read_bytes())["root"]
    assert merged.out.endswith(f"results  merged\nagain    arena run merged/config.resolved.yaml\nroot     {root}\n")
    assert told(tmp_path / "merged") == whole
    verified = arena("verify", "merged")
    assert verified.code == 0
    assert f"merged: complete, {MATCHES} of {MATCHES} matches; " in verified.out
    manifest = json.loads((tmp_path / "merged" / "manifest.json").read_text())
    assert (manifest["state"], manifest["finished"], manifest["share"]) == ("complete", MATCHES, "")
    root = json.loads((tmp_path / "part3" / "manifest.json").read_text())["root"]
    assert manifest["merged"][0] == {"folder": "part3", "share": "3/3", "matches": 16, "root": root}
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_timings_are_merged_in_the_order_of_the_matches(arena: Any, parts: list[str], tmp_path: Path) -> None:
    arena("merge", *parts, "--out", "merged", "-q")
    lines = (tmp_path / "merged" / "timings.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ids(tmp_path / "merged")
    one = (tmp_path / "part2" / "timings.jsonl").read_bytes().splitlines()
    assert set(one) <= set(lines)


def test_standings_of_a_share_are_called_provisional_and_the_audit_knows_that_it_is_one(
    arena: Any, tournament: Path, tmp_path: Path
) -> None:
    ran = arena("run", tournament, "--shard", "2/3", "-o", "part", "-j", 1, "-q")
    begins = f"16 matches (share 2/3) of 4 entrants, seed {SEED}, 1 process, isolation none, into part\n"
    assert ran.err.startswith(begins)
    assert "provisional: only the matches of share 2/3; merge all shares with: arena merge" in ran.err
    assert "Provisional: only the matches of share 2/3." in (tmp_path / "part" / "standings.md").read_text()
    verified = arena("verify", "part")
    assert verified.code == 0
    assert "part: complete, 16 of 16 matches of share 2/3; match seeds, schedule" in verified.out
    again = arena("standings", "part")
    assert again.code == 0
    tables, _, provenance = again.out.partition("\nExploratory: ")
    assert tables in ran.out
    told = provenance.rpartition("\nRoot digest of all 16 matches: ")[2]
    assert f"root     {told}" in ran.out
    assert "provisional: only the matches of share 2/3; merge all shares with: arena merge" in again.err
    exported = arena("export", "part", "--csv", "--table", "matches", "--out", "tables")
    assert exported.code == 0, exported.err


def test_a_share_that_was_killed_is_resumed_as_that_share(arena: Any, parts: list[str], tmp_path: Path) -> None:
    before = told(tmp_path / "part2")
    keep_first(tmp_path / "part2", 5)
    assert arena("run", "--trust", "--resume", "part2", "-j", 1, "-q").code == 0
    assert told(tmp_path / "part2") == before


def test_a_share_cannot_be_made_longer(arena: Any, parts: list[str]) -> None:
    ran = arena("run", "--trust", "--resume", "part1", "--blocks", 9)
    assert (ran.code, ran.err) == (
        2,
        "arena: part1 is share 1/3: a longer run has other shares; start all of them again\n",
    )


def test_a_match_of_another_share_is_found_by_the_audit_and_by_merging(
    arena: Any, parts: list[str], tmp_path: Path
) -> None:
    stolen = (tmp_path / "part1" / "matches.jsonl").read_bytes().splitlines(keepends=True)[0]
    with (tmp_path / "part2" / "matches.jsonl").open("ab") as file:
        file.write(stolen)
    id = json.loads(stolen)["id"]
    problem = f"part2/matches.jsonl:17: {id} is no match of share 2/3, which is what this run plays"
    verified = arena("verify", "part2")
    assert verified.code == 3
    assert problem in verified.out
    merged = arena("merge", *parts, "--out", "merged")
    assert (merged.code, merged.err) == (2, f"arena: {problem}; remove the line to leave it out\n")
    assert not (tmp_path / "merged").exists()


def test_without_one_share_the_run_can_be_resumed_to_the_same_bytes(
    arena: Any, whole: dict[str, bytes | None], parts: list[str], tmp_path: Path
) -> None:
    merged = arena("merge", "part1", "part3", "--out", "merged", "-q")
    assert merged.code == 1
    assert merged.err.endswith(
        f"no matches of: share 2/3\nstopped: 32 of {MATCHES} matches are there\n"
        "play the others with: arena run --resume merged --trust\n"
    )
    assert arena("verify", "merged").code == 0
    assert arena("run", "--trust", "--resume", "merged", "-j", 1, "-q").code == 0
    assert told(tmp_path / "merged") == whole


def test_a_merged_part_is_merged_again_with_the_rest(
    arena: Any, whole: dict[str, bytes | None], parts: list[str], tmp_path: Path
) -> None:
    assert arena("merge", "part1", "part3", "--out", "some", "-q").code == 1
    assert arena("merge", "some", "part2", "--out", "merged", "-q").code == 0
    assert told(tmp_path / "merged") == whole


def test_copies_of_a_run_that_overlap_are_merged(arena: Any, whole: dict[str, bytes | None], tmp_path: Path) -> None:
    """Two machines have resumed copies of the same killed run."""
    for name, matches in (("one", 30), ("two", 25)):
        shutil.copytree(tmp_path / "whole", tmp_path / name)
        keep_first(tmp_path / name, matches)
    lines = (tmp_path / "whole" / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "two" / "matches.jsonl").write_bytes(b"".join(lines[:19:-1]))  # not in the schedule's order
    merged = arena("merge", "one", "two", "--out", "merged", "-q")
    assert merged.code == 0
    assert merged.err == "one: 30 matches\ntwo: 18 matches\n"
    assert told(tmp_path / "merged") == whole


def test_what_is_torn_in_one_copy_is_taken_from_another_or_left_out_and_named(
    arena: Any, whole: dict[str, bytes | None], tmp_path: Path
) -> None:
    for name in ("one", "two"):
        shutil.copytree(tmp_path / "whole", tmp_path / name)
    keep_first(tmp_path / "one", MATCHES)
    with (tmp_path / "one" / "matches.jsonl").open("rb+") as file:
        file.truncate(file.seek(0, 2) - 5)
    merged = arena("merge", "one", "--out", "merged", "-q")
    assert merged.code == 1
    assert "one/matches.jsonl: the last line is cut off; left out\n" in merged.err
    assert f"stopped: {MATCHES - 1} of {MATCHES}" in merged.err
    assert arena("merge", "one", "two", "--out", "both", "-q").code == 0
    assert told(tmp_path / "both") == whole


def change_line(folder: Path, number: int) -> dict[str, Any]:
    """Change the money in a line of ``matches.jsonl`` (from 0); its record, as it is now."""
    path = folder / "matches.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    record: dict[str, Any] = json.loads(lines[number])
    record["seats"][1]["money"] += 48
    lines[number] = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    return record


REMEDY = "copy the run again, or remove the line and play the match again with: arena run --resume part2 --trust\n"


@pytest.mark.parametrize("killed", [False, True])
def test_a_changed_line_of_a_share_is_refused_and_named(
    arena: Any, parts: list[str], tmp_path: Path, killed: bool
) -> None:
    record = change_line(tmp_path / "part2", 4)
    if killed:  # it has no root that could be compared, but its replays tell
        keep_first(tmp_path / "part2", 9)
    merged = arena("merge", *parts, "--out", "merged", "-q")
    assert merged.code == 3
    problem = re.fullmatch(
        rf"arena: part2/matches.jsonl:5: {re.escape(record['id'])}: its replay in part2/replays/0000.zst at byte \d+ "
        rf"has another result: money of seat 1 is (\d+) here, (\d+) there; {re.escape(REMEDY)}",
        merged.err,
    )
    assert problem is not None, merged.err
    assert int(problem[1]) == int(problem[2]) + 48 == record["seats"][1]["money"]
    assert [path.name for path in tmp_path.iterdir() if "merged" in path.name] == []


def test_a_share_without_replays_whose_line_was_changed_is_refused_by_its_root(
    arena: Any, halves: list[str], tmp_path: Path
) -> None:
    root = json.loads((tmp_path / "half2" / "manifest.json").read_bytes())["root"]
    change_line(tmp_path / "half2", 4)
    merged = arena("merge", *halves, "--out", "merged", "-q")
    now = root_of(tmp_path / "half2" / "matches.jsonl").digest
    since = "a line was changed, added or removed after the run was complete"
    assert merged.err == (
        f"arena: half2/manifest.json: root is {root}, by matches.jsonl it is {now}: {since}; "
        + REMEDY.replace("part2", "half2")
    )
    assert (merged.code, (tmp_path / "merged").exists()) == (3, False)


def test_a_line_taken_out_of_a_complete_share_is_missed(arena: Any, parts: list[str], tmp_path: Path) -> None:
    keep_first(tmp_path / "part2", 15)
    manifest = tmp_path / "part2" / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "state": "complete"}))
    merged = arena("merge", *parts, "--out", "merged", "-q")
    assert (merged.code, merged.err.startswith("arena: part2/manifest.json: root is ")) == (3, True)


@pytest.mark.slow
@pytest.mark.parametrize(("damage", "problem"), [("changed", "is damaged: "), ("cut off", "is missing or cut off; ")])
def test_a_damaged_pack_of_a_share_is_refused_and_its_file_named(
    arena: Any, parts: list[str], tmp_path: Path, damage: str, problem: str
) -> None:
    pack = tmp_path / "part2" / "replays" / "0000.zst"
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 1
    pack.write_bytes(content if damage == "changed" else content[: len(content) // 2])
    merged = arena("merge", *parts, "--out", "merged", "-q")
    assert merged.code == 3
    assert re.match(r"arena: part2/matches.jsonl:\d+: \S+: its replay in part2/replays/0000.zst at byte ", merged.err)
    assert problem in merged.err
    assert merged.err.endswith(REMEDY)
    assert [path.name for path in tmp_path.iterdir() if "merged" in path.name] == []
    shutil.copytree(tmp_path / "part2", tmp_path / "damaged")
    shutil.rmtree(tmp_path / "part2" / "replays")
    assert arena("run", "--trust", "--resume", "part2", "-j", 1, "-q").code == 0
    mended = arena("merge", "damaged", *parts, "--out", "merged", "-q")
    assert (mended.code, "; taken from part2\n" in mended.err) == (0, True)
    assert arena("verify", "merged").code == 0


def test_the_merged_manifest_keeps_the_roots_of_the_shares(arena: Any, parts: list[str], tmp_path: Path) -> None:
    keep_first(tmp_path / "part3", 7)
    assert arena("merge", *parts, "--out", "merged", "-q").code == 1
    roots = [json.loads((tmp_path / part / "manifest.json").read_bytes())["root"] for part in parts[:2]]
    roots.append(root_of(tmp_path / "part3" / "matches.jsonl").digest)
    merged = json.loads((tmp_path / "merged" / "manifest.json").read_bytes())["merged"]
    assert [each["root"] for each in merged] == roots


def test_a_line_that_nobody_can_read_is_named(arena: Any, parts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "part2" / "matches.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"{nothing\n", *lines[4:]]))
    merged = arena("merge", *parts, "--out", "merged")
    assert merged.code == 2
    assert merged.err.startswith("arena: part2/matches.jsonl:4: no match record: ")
    assert not (tmp_path / "merged").exists()


def test_a_match_that_stands_twice_in_one_run_is_named(arena: Any, parts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "part1" / "matches.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[2]]))
    merged = arena("merge", *parts, "--out", "merged")
    twice = f"arena: part1/matches.jsonl: {json.loads(lines[2])['id']} occurs twice; remove one of its lines\n"
    assert (merged.code, merged.err) == (2, twice)


def test_two_results_of_one_match_are_an_error_that_names_the_first_difference(
    arena: Any, whole: dict[str, bytes | None], tmp_path: Path
) -> None:
    shutil.copytree(tmp_path / "whole", tmp_path / "forged")
    keep_first(tmp_path / "forged", MATCHES)
    record = change_line(tmp_path / "forged", 7)
    merged = arena("merge", "whole", "forged", "--out", "merged", "-q")
    money = record["seats"][1]["money"]
    difference = f"seats[1].money: {money - 48} in whole, {money} in forged"
    assert merged.code == 2
    assert merged.err == (
        f"arena: {record['id']} has two results: {difference}; arena verify may show which one is right\n"
    )
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("changes", "told_so"),
    [
        (("--seed", "7"), f'seed: "{SEED}" in whole, "7" in other'),
        (("--blocks", "1"), "blocks: 2 in whole, 1 in other"),
        (("--set", "limits.ask=0.7"), "limits.ask: 1.0 in whole, 0.7 in other"),
        (("--set", "entrants[3]=dealmaker"), 'entrants[3].name: "fair" in whole, "dealmaker" in other'),
        (("--set", "isolation=process"), "isolation: "),
        (("--replays", "none"), 'replays: "all" in whole, "none" in other'),
    ],
)
def test_runs_that_do_not_fit_are_refused_with_the_difference(
    arena: Any, tournament: Path, whole: dict[str, bytes | None], tmp_path: Path, changes: tuple[str, ...], told_so: str
) -> None:
    assert arena("run", tournament, *changes, "--shard", "1/24", "-o", "other", "-j", 1, "-q").code == 0
    merged = arena("merge", "whole", "other", "--out", "merged")
    assert merged.code == 2
    assert merged.err.startswith("arena: whole and other are not runs of one tournament: ")
    assert told_so in merged.err
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("key", "value", "told_so"),
    [
        ("arena", "0.0.1", "part1 was played by arena 0.0.1, this is "),
        ("seed", "7", "part1: manifest.json has been changed: its settings do not have its config_sha256"),
        ("replay_format", "arena-replay/9", 'replay_format: "arena-replay/9" in part1, "arena-replay/'),
        ("share", "7/3", "expected one of the shares 1/3 to 3/3, got 7/3"),
    ],
)
def test_a_manifest_that_says_otherwise_is_refused(
    arena: Any, parts: list[str], tmp_path: Path, key: str, value: str, told_so: str
) -> None:
    path = tmp_path / "part1" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    merged = arena("merge", *parts, "--out", "merged")
    assert merged.code == 2
    assert told_so in merged.err
    assert not (tmp_path / "merged").exists()


def test_a_run_that_is_being_played_is_not_merged(arena: Any, parts: list[str], tmp_path: Path) -> None:
    with (tmp_path / "part2" / "logs" / "lock").open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        merged = arena("merge", *parts, "--out", "merged")
    assert merged.code == 2
    assert re.fullmatch(
        r"arena: part2: another arena \(process \d+\) is playing this run; wait until it ends, or stop it\n", merged.err
    )


def test_two_merges_into_one_folder_do_not_meet(
    arena: Any, whole: dict[str, bytes | None], parts: list[str], tmp_path: Path
) -> None:
    beside = tmp_path / ".merged.merging"
    beside.mkdir()
    with (beside / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        merged = arena("merge", *parts, "--out", "merged")
    assert merged.code == 2
    assert merged.err == "arena: merged: another arena is merging into it; wait until it ends, or stop it\n"
    assert beside.is_dir()


def test_what_a_killed_merge_has_left_is_removed_by_the_next(
    arena: Any, whole: dict[str, bytes | None], parts: list[str], tmp_path: Path
) -> None:
    shutil.copytree(tmp_path / "part1", tmp_path / ".merged.merging" / "run")
    assert arena("merge", *parts, "--out", "merged", "-q").code == 0
    assert told(tmp_path / "merged") == whole
    assert not (tmp_path / ".merged.merging").exists()


def test_a_folder_that_is_there_is_not_merged_into(arena: Any, parts: list[str]) -> None:
    merged = arena("merge", *parts, "--out", "part1")
    assert (merged.code, merged.err) == (
        2,
        "arena: part1 exists already; choose another --out, or resume it with: arena run --resume part1 --trust\n",
    )


@pytest.mark.slow
def test_without_replays_merging_gives_the_same_standings(
    arena: Any, tournament: Path, halves: list[str], tmp_path: Path
) -> None:
    assert arena("run", tournament, "-o", "one", "-j", 1, "-q", "--replays", "none").code == 0
    assert arena("merge", *halves, "--out", "merged", "-q").code == 0
    assert told(tmp_path / "merged") == told(tmp_path / "one")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--shard", "3"), "--shard: expected a share such as 3/16, the third of sixteen, got '3'"),
        (("--shard", "4/3"), "--shard: expected one of the shares 1/3 to 3/3, got 4/3"),
        (("--shard", "1/49"), "share 1/49 would have no match: there are 48; choose at most as many shares"),
        (
            ("--shard", "1/3", "--set", "suspend_after=2"),
            "no share can be played with suspend_after: suspensions follow from all earlier matches",
        ),
    ],
)
def test_shares_that_cannot_be_played_are_refused(
    arena: Any, tournament: Path, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    assert arena("run", tournament, *arguments, "-o", "out") == (2, "", f"arena: {problem}\n")
    assert not (tmp_path / "out").exists()


def test_a_share_needs_a_seed_and_is_offered_one(arena: Any, tournament: Path) -> None:
    tournament.write_text(TOURNAMENT.replace(f"seed: {SEED}\n", ""))
    ran = arena("run", tournament, "--shard", "1/3", "-o", "out")
    assert ran.code == 2
    drawn = re.fullmatch(
        r"arena: --shard: all shares need the same seed; add, for example: --seed ([0-9a-f]{32})\n", ran.err
    )
    assert drawn is not None
    assert arena("run", tournament, "--shard", "1/48", "-o", "out", "-q", "-j", 1, "--seed", drawn[1]).code == 0


def test_an_estimate_is_of_the_share(arena: Any, tournament: Path) -> None:
    ran = arena("run", tournament, "--shard", "1/3", "--dry-run", "--json", "-j", 1)
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["matches"], sorted(found["by_edition"].values())) == (16, [8, 8])


def test_the_status_of_a_share_counts_its_own_matches(arena: Any, parts: list[str], tmp_path: Path) -> None:
    assert arena("status", "part2").out.startswith("run       tiny, share 2/3, in part2: complete")
    (tmp_path / "part2" / "logs" / "progress.json").unlink()
    found = json.loads(arena("status", "part2", "--json").out)
    assert (found["share"], found["finished"], found["matches"]) == ("2/3", 16, 16)


@pytest.mark.slow
def test_copies_of_a_run_whose_tables_follow_from_results_are_merged(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "swiss.yaml").write_text(SWISS)
    assert arena("run", "swiss.yaml", "-o", "whole", "-j", 1, "-q").code == 0
    shared = arena("run", "swiss.yaml", "--shard", "1/2", "-o", "part")
    assert shared.code == 2
    assert shared.err == (
        "arena: no share of this format can be played: its tables follow from the results of earlier blocks\n"
    )
    for name, matches in (("one", 8), ("two", 14)):
        shutil.copytree(tmp_path / "whole", tmp_path / name)
        keep_first(tmp_path / name, matches)
    stopped = arena("merge", "one", "two", "--out", "some", "-q")
    assert (stopped.code, "stopped: 14 of 18 matches are there" in stopped.err) == (1, True)
    assert arena("run", "--trust", "--resume", "some", "-j", 1, "-q").code == 0
    assert told(tmp_path / "some") == told(tmp_path / "whole")


def test_copies_of_a_run_that_suspends_are_complete_without_what_fell_away(
    arena: Any, tournament: Path, write_bot: Any, tmp_path: Path
) -> None:
    write_bot("def turn(self, view):\n    raise ValueError", "broken")
    tournament.write_text(TOURNAMENT.replace("fair]", "./broken.py]") + "strikes: 1\nsuspend_after: 1\n")
    assert arena("run", tournament, "-o", "whole", "-j", 1, "-q").code == 0
    assert len(ids(tmp_path / "whole")) < MATCHES
    shutil.copytree(tmp_path / "whole", tmp_path / "one")
    keep_first(tmp_path / "one", 7)
    assert arena("merge", "one", "whole", "--out", "merged", "-q").code == 0
    assert told(tmp_path / "merged") == told(tmp_path / "whole")
    assert arena("verify", "merged").code == 0


def test_a_folder_without_its_matches_is_refused(arena: Any, parts: list[str], tmp_path: Path) -> None:
    (tmp_path / parts[0] / "matches.jsonl").unlink()
    ran = arena("merge", *parts, "--out", "out")
    assert (ran.code, "matches.jsonl is missing: without it" in ran.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_a_full_disk_is_named_by_the_log_that_did_not_fit(arena: Any, tournament: Path, parts: list[str]) -> None:
    for part in parts:
        log = Path(part) / "logs" / "bots" / "fair.log"
        log.parent.mkdir(exist_ok=True)
        log.write_bytes(b"x" * 150_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
    try:
        merged = arena("merge", *parts, "--out", "merged", "-q")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (merged.code, merged.err.endswith("/run/logs/bots/fair.log: File too large\n")) == (1, True)
    assert [path.name for path in Path().iterdir() if "merged" in path.name] == []
