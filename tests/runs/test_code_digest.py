"""What tells two programs of one version apart: digests of arena's own code, and what each command makes of them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import arena as package
from arena.code_digest import GAMES, PARTS, PLAYING, SCHEDULED, SHOWN_ONLY, code_digests, of_parts
from tests.conftest import CopiedRun

SOURCES = Path(package.__file__).parent
SEED = "b7c1d20e9f4a6538e1027d9c54ab36f8"
TOURNAMENT = f"""
name: tiny
seed: {SEED}
entrants: [random-legal, greedy, silent]
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 3}}}}]
seats: 3
tables: all
deals: duplicate
blocks: 2
isolation: none
"""


DIGESTS = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from arena.code_digest import _digest, code_digests
found = [code_digests()]
for name in sys.argv[2:]:
    path = Path(sys.argv[1], "arena", name)
    source = path.read_bytes() if path.exists() else b""
    path.write_bytes(source + b"#")
    _digest.cache_clear()
    found.append(code_digests())
    path.write_bytes(source) if source else path.unlink()
print(json.dumps(found))
"""


def digests_in(place: Path, *changed: str) -> list[dict[str, str]]:
    """The digests that arena has where its sources lie at ``place``, a folder or a zip file; then those with a byte
    more in one of these files, which may be new."""
    command = [sys.executable, "-c", DIGESTS, str(place), *changed]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, cwd=place.parent)
    found: list[dict[str, str]] = json.loads(ran.stdout)
    return found


def copy_of_sources(to: Path) -> Path:
    shutil.copytree(SOURCES, to / "arena", ignore=shutil.ignore_patterns("__pycache__", "data", "docs"))
    return to


def test_the_same_sources_have_the_same_digests_wherever_they_lie(tmp_path: Path) -> None:
    here = code_digests()
    assert {"rules", "rules.board", "rules.cards", "referee", "schedule", "statistics"} == set(here)
    copy = copy_of_sources(tmp_path / "copy")
    (copy / "arena" / "match" / "__pycache__").mkdir(exist_ok=True)
    (copy / "arena" / "match" / "__pycache__" / "referee.pyc").write_bytes(b"compiled")
    assert digests_in(copy) == [here]
    with zipfile.ZipFile(tmp_path / "arena.zip", "w") as packed:
        for path in sorted(copy.rglob("*.py"), reverse=True):
            source = path.relative_to(copy / "arena")
            if covered(source.as_posix(), tuple(here)) or len(source.parts) == 1:  # what is digested, and finds it
                packed.write(path, path.relative_to(copy))
    assert digests_in(tmp_path / "arena.zip") == [here]


CHANGED = {
    "match/referee.py": ["referee"],  # a new file
    "match/runner.py": ["referee"],
    "games/board/settle.py": ["rules.board"],
    "games/board/strategy/__init__.py": ["rules.board"],
    "games/chance.py": ["rules"],
    "tournament/schedule/deals.py": ["schedule"],
    "tournament/measures/measures.py": ["statistics"],
    "games/board/sentences/tell.py": [],
    "web/serve/__init__.py": [],
}
"""The parts whose digests change with a byte in a file."""


def test_a_changed_byte_changes_the_digest_of_its_part_alone(tmp_path: Path) -> None:
    here, *others = digests_in(copy_of_sources(tmp_path / "copy"), *CHANGED)
    found = {
        changed: [part for part in here if there[part] != here[part]]
        for changed, there in zip(CHANGED, others, strict=True)
    }
    assert found == CHANGED


def test_without_sources_nothing_is_known(tmp_path: Path) -> None:
    copy = copy_of_sources(tmp_path / "copy")
    command = [sys.executable, "-m", "compileall", "-b", "-l", "-q", str(copy / "arena")]
    subprocess.run(command, check=True)
    for path in copy.rglob("*.py"):  # what lies deeper is not loaded
        path.unlink()
    assert digests_in(copy) == [{}]


def loaded(*modules: str) -> list[str]:
    """The files of arena that these modules load, below its folder."""
    code = f"import sys, {', '.join(modules)}; print(*(m.__file__ for n, m in sys.modules.items() if n[:5] == 'arena'))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return sorted(Path(path).relative_to(SOURCES).as_posix() for path in ran.stdout.split())


def covered(path: str, parts: tuple[str, ...]) -> bool:
    """Whether a source belongs to one of these parts."""
    places = [place for part in parts for place in PARTS.get(part, ("games",))]
    return any(path == place or path.startswith(f"{place}/") for place in places)


def test_all_that_is_loaded_where_matches_are_played_belongs_to_a_part() -> None:
    """So that no later room decides how matches go without being told of."""
    play = (
        "arena.match.runner",
        "arena.match.isolated_match",
        "arena.isolation.server.serve_worker",
        "arena.isolation.bot.session",
    )
    games = [f"arena.games.{part.removeprefix(f'{GAMES}.')}" for part in code_digests() if part.startswith(f"{GAMES}.")]
    harmless = {"__init__.py", "engine.py", "resources.py", "tournament/__init__.py", "tournament/records/__init__.py"}
    assert [path for path in loaded(*play, *games) if not covered(path, PLAYING)] == sorted(harmless)
    schedule = "arena.tournament.schedule.roster", "arena.tournament.formats.make_format"
    harmless = {"__init__.py", "engine.py", "tournament/__init__.py", "tournament/tables/__init__.py"}
    assert {path for path in loaded(*schedule) if not covered(path, SCHEDULED)} == harmless
    standings = "arena.tournament.standings.standings_text", "arena.tournament.standings.standings"
    harmless.remove("tournament/tables/__init__.py")
    assert {path for path in loaded(*standings) if not covered(path, (*SCHEDULED, "statistics"))} == harmless


def test_all_places_of_parts_are_there_and_hold_sources() -> None:
    for place in [*(place for places in PARTS.values() for place in places)]:
        path = SOURCES / place
        assert path.is_file() or list(path.rglob("*.py")), place
    for game in ("board", "cards"):
        assert all((SOURCES / "games" / game / name).is_dir() for name in SHOWN_ONLY)


@pytest.fixture
def run(copied_run: CopiedRun) -> Path:
    """A complete run that knows its code."""
    folder = copied_run(TOURNAMENT, "run", "-j", 1)
    assert json.loads((folder / "manifest.json").read_bytes())["code"] == code_digests({"board"})
    return folder


def change_code(folder: Path, part: str, digest: str = "0" * 64) -> None:
    """Have the run be one of other code in a part; all parts: of an arena that told of none."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["code"] = {**manifest["code"], part: digest} if part else {}
    path.write_text(json.dumps(manifest))


def take_out_a_line(folder: Path) -> None:
    """Have something be left to play."""
    path = folder / "matches.jsonl"
    path.write_bytes(path.read_bytes().partition(b"\n")[2])
    manifest = json.loads((folder / "manifest.json").read_bytes())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "state": "stopped"}))


@pytest.mark.parametrize("part", ["referee", "rules", "rules.board", "schedule"])
def test_a_run_of_other_code_that_matters_is_neither_resumed_nor_audited(arena: Any, run: Path, part: str) -> None:
    change_code(run, part)
    problem = f"other code of arena {package.__version__} ({part}), on which its matches depend"
    resumed = arena("run", "--resume", "run", "--trust", "-j", 1, "-q")
    assert (resumed.code, resumed.err) == (
        2,
        f"arena: this run began with {problem}; resume it with that code, or start a new run\n",
    )
    audited = arena("audit", "run", "--trust", "-j", 1)
    assert (audited.code, audited.err) == (2, f"arena: run was played by {problem}; audit it with that one\n")


@pytest.mark.slow
def test_other_statistics_do_not_keep_a_run_from_being_played_on_and_audited(arena: Any, run: Path) -> None:
    change_code(run, "statistics")
    verified = arena("verify", "run")
    why = f"standings are not compared: other code of arena {package.__version__} (statistics) wrote them"
    assert (verified.code, why in verified.out) == (0, True)
    assert arena("audit", "run", "--trust", "-j", 1).code == 0
    take_out_a_line(run)
    resumed = arena("run", "--resume", "run", "--trust", "-j", 1, "-q")
    note = f"run: it was played by other code of arena {package.__version__} (statistics); no match depends on that"
    assert (resumed.code, note in resumed.err) == (0, True)
    assert json.loads((run / "manifest.json").read_bytes())["code"] == code_digests({"board"})
    assert "standings agree" in arena("verify", "run").out


@pytest.mark.slow
def test_a_run_from_before_digests_is_resumed_as_ever_and_claims_none(arena: Any, run: Path) -> None:
    change_code(run, "")
    take_out_a_line(run)
    assert arena("run", "--resume", "run", "--trust", "-j", 1, "-q").code == 0
    assert json.loads((run / "manifest.json").read_bytes())["code"] == {}
    assert arena("audit", "run", "--trust", "-j", 1).code == 0


def test_matches_of_other_code_are_not_taken_over(arena: Any, run: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    change_code(run, "referee")
    ran = arena("run", "tiny.yaml", "--reuse", "run", "-o", "new", "-j", 1, "-q")
    told = f"no match of it can be taken over: other code of arena {package.__version__} (referee) has played it"
    assert (ran.code, ran.err.endswith(f"arena: --reuse run: {told}\n")) == (2, True)
    change_code(run, "referee", code_digests()["referee"])
    change_code(run, "schedule")  # matches are found by what decides them, not by their places
    assert arena("run", "tiny.yaml", "--reuse", "run", "-o", "new", "-j", 1, "-q").code == 0


def test_playing_a_match_again_says_that_other_code_played_it(arena: Any, run: Path) -> None:
    id = json.loads((run / "matches.jsonl").read_bytes().partition(b"\n")[0])["id"]
    assert "code" not in arena("rerun", "run", id, "--trust").err
    change_code(run, "rules.board")
    ran = arena("rerun", "run", id, "--trust")
    told = (
        f"was played by other code of arena {package.__version__} (rules.board): if it differs now, that may be the "
        f"reason"
    )
    assert (ran.code, told in ran.err) == (0, True)


@pytest.mark.parametrize(
    ("part", "code", "told"),
    [
        ("referee", 2, "part1 and part2 were played by different {}, on which their matches depend"),
        ("schedule", 2, "part2 was played by other {}, on which merging depends; merge with that one"),
        (
            "statistics",
            0,
            "part2: it was played by other {}; no match depends on that code, and standings are computed here",
        ),
    ],
)
def test_shares_of_different_code_are_merged_if_it_does_not_matter(
    arena: Any, copied_run: CopiedRun, tmp_path: Path, part: str, code: int, told: str
) -> None:
    parts = [copied_run(TOURNAMENT, f"part{number}", "--shard", f"{number}/2", "-j", 1) for number in (1, 2)]
    change_code(parts[1], part)
    merged = arena("merge", "part1", "part2", "--out", "merged", "-q")
    assert (merged.code, told.format(f"code of arena {package.__version__} ({part})") in merged.err) == (code, True)
    if code == 0:
        manifest = json.loads((tmp_path / "merged" / "manifest.json").read_bytes())
        assert manifest["code"] == code_digests({"board"})
        assert "standings agree" in arena("verify", "merged").out


def test_the_doctor_shows_the_code(arena: Any) -> None:
    found = json.loads(arena("doctor", "--json").out)
    assert (found["arena"], found["code"]) == (package.__version__, code_digests())
    assert all(digest in arena("doctor").out for digest in code_digests().values())


def test_only_what_plays_counts_among_machines() -> None:
    assert set(of_parts(code_digests(), PLAYING)) == {"rules", "rules.board", "rules.cards", "referee"}
