"""``arena verify RUN`` finds what no single replay can show, however the files were made to fit each other."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.storage.root_digest import root_of
from arena.tournament.schedule.deals import Deals, match_seed
from tests.conftest import CopiedRun
from tests.kept import loosen

TOURNAMENT = """
name: tiny
seed: 5
entrants: [random-legal, {bot: greedy, options: {greed: 0.5}}, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
blocks: 2
isolation: none
"""
MATCHES = 2 * 3 * 2
AGREE = "match seeds, schedule, configuration, manifest, standings agree"


@pytest.fixture
def out(copied_run: CopiedRun) -> Path:
    """The folder of a complete run, with replays in files of their own: they are easily changed."""
    out = copied_run(TOURNAMENT, "out")
    loosen(out)
    return out


def change(path: Path, old: str, new: str, count: int = 1) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def found(arena: Any) -> list[str]:
    """What verification finds wrong in the run, but for its root digest, which every change of a record changes."""
    ran = arena("verify", "out", "-q")
    assert (ran.code, ran.err) == (3, "")
    lines: list[str] = ran.out.splitlines()
    told = [line for line in lines if line.startswith("out/manifest.json: root is ")]
    assert len(told) == root_has_changed()
    return [line for line in lines if line not in told]


def root_has_changed() -> bool:
    """Whether the matches of a complete run have another root digest than its manifest says."""
    path = Path("out", "manifest.json")
    stated = json.loads(path.read_bytes()) if path.is_file() else {}
    return stated.get("state") == "complete" and stated["root"] != root_of(Path("out", "matches.jsonl")).digest


def update_digest(out: Path) -> None:
    """Make the manifest's digest right again, as whoever knows how it is made can."""
    path = out / "manifest.json"
    data = json.loads(path.read_text())
    told = [data[key] for key in ("tournament", "seed", "matches", "editions", "entrants", "settings")]
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    data["config_sha256"] = sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(data))


def test_a_run_as_it_was_played_says_so_in_one_line(arena: Any, out: Path) -> None:
    ran = arena("verify", "out")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-2] == f"out: complete, {MATCHES} of {MATCHES} matches; {AGREE}"
    before = (out / "manifest.json").read_text()
    update_digest(out)
    assert json.loads((out / "manifest.json").read_text()) == json.loads(before), "the digest is as documented"


def test_a_run_that_is_named_twice_is_verified_once(arena: Any, out: Path) -> None:
    assert arena("verify", "out", "out", "-q") == arena("verify", "out", "-q")


def test_of_a_run_that_is_played_a_replay_may_be_there_before_its_record(arena: Any, out: Path) -> None:
    name = drop_last_line(out / "matches.jsonl")["replay"]
    change(out / "manifest.json", '"state": "complete"', '"state": "running"')
    assert arena("verify", "out").code == 0
    change(out / "manifest.json", '"state": "running"', '"state": "stopped"')
    assert f"out/{name}: no line of matches.jsonl belongs to it" in found(arena)


def drop_last_line(path: Path) -> dict[str, Any]:
    """Cut off the last record; what it says."""
    *lines, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines))
    record: dict[str, Any] = json.loads(last)
    return record


def test_another_seed_in_manifest_and_configuration_is_found(arena: Any, out: Path) -> None:
    change(out / "manifest.json", '"seed": "5"', '"seed": "6"')
    change(out / "config.resolved.yaml", "seed: '5'", "seed: '6'")
    update_digest(out)
    lines = found(arena)
    assert len(lines) == MATCHES
    match = lines[0].split()[1]
    was, now = (match_seed(seed, Deals.TABLE, 0, match) for seed in ("5", "6"))
    seeds = f"has seed {was}, expected {now} (which follows from the run's seed)"
    assert lines[0].startswith("out/matches.jsonl:1: eagle-gryphon")
    assert lines[0].endswith(seeds)


def test_edited_standings_are_found(arena: Any, out: Path) -> None:
    names = ["crosstable.csv", "seats.csv", "standings.csv", "standings.json", "standings.md"]
    for name in names:
        change(out / name, "eagle", "egal")
    remedy = "write it again with: arena standings out"
    assert sorted(found(arena)) == [f"out/{name}: it contradicts matches.jsonl; {remedy}" for name in names]
    for name in names:
        (out / name).unlink()
    assert sorted(found(arena)) == [f"out/{name}: it is missing; {remedy}" for name in names]
    assert arena("standings", "out").code == 0
    assert arena("verify", "out").code == 0


def drop_first(out: Path) -> dict[str, Any]:
    """Delete a match with its replay; its record."""
    first, *rest = (out / "matches.jsonl").read_bytes().splitlines(keepends=True)
    record: dict[str, Any] = json.loads(first)
    (out / "matches.jsonl").write_bytes(b"".join(rest))
    (out / record["replay"]).unlink()
    return record


def test_a_match_deleted_with_its_replay_is_found(arena: Any, out: Path) -> None:
    record = drop_first(out)
    assert arena("standings", "out").code == 0
    missing = f"the run is complete, but has no line for {record['id']} of the schedule"
    assert found(arena) == [f"out/matches.jsonl: {missing}"]
    change(out / "manifest.json", '"finished": 12', '"finished": 11')
    assert found(arena) == [f"out/matches.jsonl: {missing}"]


def test_a_run_that_is_not_complete_says_so_and_misses_nothing_that_was_finished(arena: Any, out: Path) -> None:
    change(out / "manifest.json", '"state": "complete"', '"state": "stopped"')
    drop_first(out)
    problem = "it has 11 matches, manifest.json has 12 finished ones"
    assert found(arena) == [f"out/matches.jsonl: {problem}"]
    change(out / "manifest.json", '"finished": 12', '"finished": 11')
    ran = arena("verify", "out")
    agree = "match seeds, schedule, configuration, manifest agree; standings are not compared: the run is not complete"
    assert (ran.code, ran.out.splitlines()[-2]) == (0, f"out: stopped, 11 of {MATCHES} matches; {agree}")


def reseal(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the header of a replay and make its closing hash right again."""
    header, *lines = path.read_bytes().splitlines(keepends=True)
    data = json.loads(header)
    change(data)
    lines.insert(0, json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    result = json.loads(lines[-1])
    result["sha256"] = sha256(b"".join(lines[:-1])).hexdigest()
    path.write_bytes(b"".join([*lines[:-1], json.dumps(result, separators=(",", ":")).encode() + b"\n"]))


HEADERS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "the bot's digest": (
        lambda header: header["seats"][0].update(sha256="0" * 64),
        "seats[0].sha256: ",
    ),
    "the bot": (lambda header: header["seats"][0].update(bot="other"), 'seats[0].bot: "random-legal" in the run'),
    "options": (
        lambda header: header["seats"][1].update(options={"greed": 0.9}),
        "seats[1].options.greed: 0.5 in the run, 0.9 in the replay",
    ),
    "the tournament's name": (
        lambda header: header.update(tournament="other"),
        'tournament: "tiny" in the run, "other" in the replay',
    ),
    "limits": (
        lambda header: header["limits"].update(ask=9.5),
        "limits.ask: 1.0 in the run, 9.5 in the replay",
    ),
    "strikes": (lambda header: header.update(strikes=7), "strikes: 3 in the run, 7 in the replay"),
    "the fault policy": (
        lambda header: header.update(fault_policy="void"),
        'fault_policy: "substitute" in the run, "void" in the replay',
    ),
    "the version": (lambda header: header.update(arena="0.0.1"), 'arena: "'),
    "a rule never reached": (lambda header: swap_rule(header), "rules_sha256: "),
    "another block": (lambda header: header.update(block=1), "of another match: block is 0 here, 1 there"),
}


def swap_rule(header: dict[str, Any]) -> None:
    """Another limit that this edition has no use for, with a digest that fits."""
    header["rules"]["late_hand_limit"] += 1
    plain = json.dumps(header["rules"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    header["rules_sha256"] = sha256(plain.encode()).hexdigest()


@pytest.mark.parametrize("what", HEADERS)
def test_what_nothing_in_a_match_depends_on_is_compared_with_the_run(what: str, arena: Any, out: Path) -> None:
    alter, told = HEADERS[what]
    first, *rest = (out / "matches.jsonl").read_text().splitlines(keepends=True)
    record = json.loads(first)
    replay = out / record["replay"]
    reseal(replay, alter)
    sealed = json.loads(replay.read_bytes().splitlines()[-1])["sha256"]
    (out / "matches.jsonl").write_text("".join([first.replace(record["sha256"], sealed), *rest]))
    assert arena("verify", replay).code == 0, "by itself it is a replay like any other"
    (line,) = found(arena)
    assert line.startswith(f"out/matches.jsonl:1: {record['id']}: its replay {record['replay']} is ")
    assert told in line


CONFIGS = {
    "name: tiny": "name: tony",
    "strikes: 3": "strikes: 4",
    "ask: 1.0": "ask: 2.0",
    "greed: 0.5": "greed: 0.6",
    "blocks: 2": "blocks: 3",
}


@pytest.mark.parametrize("old", CONFIGS)
def test_a_configuration_that_is_not_the_manifest_s_is_found(old: str, arena: Any, out: Path) -> None:
    change(out / "config.resolved.yaml", old, CONFIGS[old])
    line = found(arena)[0]
    assert line.startswith("out/config.resolved.yaml: it contradicts manifest.json: ")
    assert f"{old.split()[1]} there, {CONFIGS[old].split()[1]} here".replace("tiny", '"tiny"') in line.replace(
        '"tony"', "tony"
    )


def test_a_manifest_that_was_changed_is_known_by_its_digest(arena: Any, out: Path) -> None:
    change(out / "manifest.json", '"strikes": 3', '"strikes": 4')
    assert found(arena)[0] == ("out/manifest.json: it has been changed: its digest is not the one in config_sha256")


@pytest.mark.parametrize("name", ["manifest.json", "config.resolved.yaml", "matches.jsonl"])
def test_a_run_that_lacks_a_file_does_not_verify(name: str, arena: Any, out: Path) -> None:
    (out / name).unlink()
    assert any(name in line for line in found(arena))


def test_a_record_that_names_no_replay_where_all_are_kept_is_found(arena: Any, out: Path) -> None:
    record = json.loads((out / "matches.jsonl").read_text().splitlines()[0])
    change(out / "matches.jsonl", f'"replay":"{record["replay"]}"', '"replay":""')
    (out / record["replay"]).unlink()
    assert found(arena) == [
        f"out/matches.jsonl:1: {record['id']}: it names no replay, although the run keeps replays (replays: all)"
    ]
