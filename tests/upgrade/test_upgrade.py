"""Who comes from arena 0.1.0 with a bot, a run and a ladder of it, and does what the page says, loses nothing."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena import __version__
from tests.conftest import Arena
from tests.docs.pages import section

pytestmark = pytest.mark.slow

THERE = Path(__file__).parent / "0.1.0"
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for line in re.findall(r"^arena .*$", section("changes", "To upgrade from 0.1.0"), re.MULTILINE)
]
"""What the page tells to type, as words after ``arena``."""
TABLES = 6
MIGRATIONS_THEN, APPLICATION = 2, 0x41524E41


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bot, the run ``first`` and the ladder ``league`` of 0.1.0, which is the current one."""
    shutil.copy(THERE / "modest.py", tmp_path)
    shutil.copytree(THERE / "run", tmp_path / "first")
    config = tmp_path / "first" / "config.resolved.yaml"
    config.write_text(config.read_text().replace("/home/ann", str(tmp_path)))
    shutil.copytree(THERE / "ladder", tmp_path / "league")
    with closing(sqlite3.connect(tmp_path / "league" / "ladder.sqlite")) as database:
        database.executescript((tmp_path / "league" / "ladder.sql").read_text())
        database.execute("DELETE FROM tables WHERE block >= ?", (TABLES,))  # a shorter round
        database.execute("UPDATE rounds SET matches = ?", (3 * TABLES,))
        database.commit()
        database.execute(f"PRAGMA user_version = {MIGRATIONS_THEN}")
        database.execute(f"PRAGMA application_id = {APPLICATION}")
    (tmp_path / "league" / "ladder.sql").unlink()
    (tmp_path / "league" / "secrets.json").chmod(0o600)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rewrite_bot(there: Path) -> None:
    """What the page says of bots."""
    bot = there / "modest.py"
    text = bot.read_text().replace("from arena.bot import Bot\n", "from arena.games.board import BoardBot\n")
    bot.write_text(text.replace("class Modest(Bot)", "class Modest(BoardBot)"))


def test_the_page_is_followed_with_a_bot_a_run_and_a_ladder(there: Path, arena: Arena, few_matches: None) -> None:
    check, verify, again, backup, look, play, show = COMMANDS
    refused = arena(*check)
    assert refused.code != 0
    assert "Write class Modest(BoardBot) after 'from arena.games.board import BoardBot'" in refused.out + refused.err
    rewrite_bot(there)
    assert arena(*check).code == 0
    before = arena(*verify)
    assert before.code == 0, before.out
    assert "first: complete, 3 of 3 matches; match seeds, schedule, configuration, manifest agree" in before.out
    assert arena(*again).code == 0
    assert arena("verify", "second").code == 0
    assert json.loads((there / "second" / "manifest.json").read_bytes())["arena"] == __version__
    assert arena(*backup).code == 0
    assert arena(*look).out == "league: 3 versions, 1 rounds, 4 matches, 4 replays; no problem found\n"
    here = ("--rounds", 1, "--weaker-isolation")  # the ladder was begun on a machine with bubblewrap
    played = arena(*play[: play.index("--minutes")], *here)
    assert (played.code, "no faults" in played.out) == (0, True), played.out
    whole = arena(*look, "--deep", 9)
    assert (
        whole.out == "league: 3 versions, 1 rounds, 18 matches, 18 replays, 9 verified by the rules; no problem found\n"
    )
    shown = arena(*show).out
    assert re.search(r"4 matches by arena 0\.1\.0.*\n.*14 matches by arena " + re.escape(__version__), shown), shown
    assert arena("ladder", "check", "league-0.1.0").code == 0


@pytest.mark.parametrize(
    "command",
    ["standings first", "status first", "ratings first", "ledger first", "luck first", "losses first modest",
     "report first --out report.html", "export first --out tables"],
)  # fmt: skip
def test_a_run_of_0_1_0_is_read_by_every_command(command: str, there: Path, arena: Arena) -> None:
    assert arena(*command.split()).code == 0


def test_what_0_1_0_has_begun_is_not_resumed_merged_or_audited_and_says_so(there: Path, arena: Arena) -> None:
    rewrite_bot(there)
    for command in ("run --resume first", "audit first", "merge first --out whole"):
        ran = arena(*command.split())
        assert ran.code == 2, command
        assert f"arena 0.1.0, this is {__version__}" in ran.err, command
    number = arena("ladder", "rerun", "league", 1)
    assert (number.code, f"was played by arena 0.1.0, this is {__version__}" in number.err) == (2, True)
