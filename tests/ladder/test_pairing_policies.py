"""The policy by which a ladder chooses its tables: one of arena's own, or one from outside, which is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.begin_ladder import begin_new_ladder
from arena.ladder.rating.pairing import ChosenTable, PairingPlayer, PairingRules, choose_tables
from arena.ladder.rating.pairing_policy import POLICIES, PairingPolicy, find_policy
from arena.runs.planning.isolation_level import BotPermissions
from tests.conftest import Arena
from tests.docs.pages import rows

POLICY = """
import pathlib
from arena.ladder.rating.pairing import ChosenTable
from arena.ladder.rating.pairing_policy import PairingPolicy

pathlib.Path("imported").touch()


def first_ones(players, met, scales, seats, count, wanted, seed):
    names = tuple(player.name for player in players[:seats])
    return [ChosenTable(names, "they come first")] * 2


FIRST = PairingPolicy(first_ones, "whoever comes first")
"""
LADDER = """
name: own
rules: eagle-gryphon
changes: {max_turns: 2}
seats: 3
anchors: [greedy, fair, silent, hard]
isolation: none
pairing: policies:FIRST
"""


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """What lies in this folder, which is the current one, can be imported, and was not yet."""
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.syspath_prepend(str(folder))
        yield
    sys.modules.pop("policies", None)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ladder of such a policy."""
    folder = tmp_path_factory.mktemp("policies")
    (folder / "policies.py").write_text(POLICY)
    (folder / "own.yaml").write_text(LADDER)
    with _importable(folder):
        begin_new_ladder(LadderFolder(folder / "league", BotPermissions(trust=True)), folder / "own.yaml", None, [])
    (folder / "imported").unlink()
    return folder


@pytest.fixture
def folder(begun: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of it, which is the test's own."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    with _importable(tmp_path):
        yield tmp_path


def test_it_chooses_the_tables_of_a_ladder_that_names_it(folder: Path, arena: Arena) -> None:
    ran = arena("ladder", "play", "league", "--rounds", 1, "--plugin", "policies:FIRST", "--trust", "-q")
    assert ran.code == 0, ran
    with closing(sqlite3.connect(next((folder / "league").glob("*.sqlite*")))) as database:
        assert {why for (why,) in database.execute("SELECT why FROM tables")} == {"they come first"}


def test_it_is_not_imported_because_the_folder_of_a_ladder_names_it(folder: Path, arena: Arena) -> None:
    ran = arena("ladder", "play", "league", "--rounds", 1, "--trust", "-q")
    assert ran.code == 2
    told = "there is no pairing policy 'policies:FIRST' here; if you trust it, add: --plugin policies:FIRST"
    assert told in ran.out + ran.err
    assert not (folder / "imported").exists()


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (
            "open-pair",
            f"pairing: expected {', '.join(POLICIES)} or module:Name, got 'open-pair' (did you mean 'open-pairs'?)",
        ),
        (
            "policies:first_ones",
            "pairing: policies:first_ones is no pairing policy: expected a PairingPolicy, got <fun",
        ),
        ("policies:FRST", "pairing: policies:FRST: the module policies has no 'FRST' (did you mean 'FIRST'?)"),
    ],
)
def test_a_mistake_is_told_when_the_ladder_begins(named: str, told: str, folder: Path, arena: Arena) -> None:
    ran = arena("ladder", "init", "other", "--config", "own.yaml", "--set", f"pairing={named}")
    assert (ran.code, told in ran.err) == (2, True), ran
    assert not (folder / "other").exists()


def _gives(*tables: Any) -> PairingPolicy:
    return PairingPolicy(lambda *given: tables, "")


def _fails(*given: Any) -> Any:
    raise KeyError("met")


NO_TABLE, ODD = _gives(), _gives(("ann:1", "ben:1"))
SHORT, TWICE = _gives(ChosenTable(("ann:1",), "")), _gives(ChosenTable(("ann:1", "ann:1"), ""))
ABSENT, TEAM = _gives(ChosenTable(("ann:1", "eve:1"), "")), _gives(ChosenTable(("ann:1", "ann:2"), ""))
FAILING = PairingPolicy(_fails, "")
PLAYERS = [PairingPlayer("ann:1", "ann", 0), PairingPlayer("ann:2", "ann", 0), PairingPlayer("ben:1", "", 0)]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("NO_TABLE", "chooses no table"),
        ("ODD", "chooses ('ann:1', 'ben:1'): expected a ChosenTable"),
        ("SHORT", "chooses the table ann:1: expected 2 players"),
        ("TWICE", "chooses the table ann:1, ann:1: two are the same, or of one team"),
        ("TEAM", "chooses the table ann:1, ann:2: two are the same, or of one team"),
        ("ABSENT", "chooses the table ann:1, eve:1: eve:1 is not among those that play"),
        ("FAILING", "fails: KeyError: 'met'"),
    ],
)
def test_what_a_policy_from_outside_chooses_is_checked(name: str, told: str) -> None:
    with pytest.raises(UserError) as caught:
        find_policy(f"{__name__}:{name}")(PLAYERS, {}, (), 2, 4, PairingRules(24, 0.02), "seed")
    assert str(caught.value) == f"the pairing policy {__name__}:{name} {told}"


def test_the_default_is_what_every_ladder_had() -> None:
    assert find_policy("open-pairs") is choose_tables


def test_the_page_has_every_policy() -> None:
    assert {row[0].strip("`"): row[1] for row in rows("ladder-standings", "Pairing policies")} == {
        name: policy.meaning for name, policy in POLICIES.items()
    }


def test_a_ladder_that_began_before_there_were_policies_has_the_default(folder: Path, arena: Arena) -> None:
    place = next((folder / "league").glob("*.sqlite*"))
    with closing(sqlite3.connect(place)) as database, database:
        ((keys,),) = database.execute("SELECT keys FROM ladders")
        before = {key: value for key, value in json.loads(keys).items() if key != "pairing"}
        database.execute("UPDATE ladders SET keys = ?", (json.dumps(before),))
    ran = arena("ladder", "play", "league", "--matches", 3, "--trust", "-q")
    assert ran.code == 0, ran
