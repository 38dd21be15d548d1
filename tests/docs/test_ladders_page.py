"""The page on unattended ladders says what `arena ladder play` prints, and its unit files and cron line run commands
that exist."""

from __future__ import annotations

import configparser
import re
import shlex

import click
import pytest

from arena.cli.main import cli
from arena.ladder.command import ladder
from arena.ladder.command.play.play_command import _play_summary
from arena.ladder.database.ladder_folder import BOT_LOGS, LADDER_LOG, LADDER_PROGRESS, LAST_PLAY
from arena.ladder.play.results import PlayResult
from arena.ladder.show.ladder_health import HealthProblem
from arena.runs.early_stop import GRACE_SECONDS
from arena.storage.logs.job_log import LOG_FILE_BYTES, OLDER_LOGS
from tests.docs.pages import FLAT, TEXT, blocks, codes, rows, section

PAGE = "ladders"


def command_lines() -> list[str]:
    """Every command of arena's in the unit files and the lines for cron."""
    found = re.findall(r"venv/bin/arena (.*?)(?: >>.*)?$", TEXT[PAGE], re.MULTILINE)
    assert len(found) == 5
    return found


def test_every_key_of_the_summary_is_described() -> None:
    assert [row[0].strip("`") for row in rows(PAGE, "The summary")] == list(_play_summary(PlayResult("league", 1)))


@pytest.mark.parametrize("line", command_lines())
def test_what_cron_and_systemd_run_are_commands_with_their_options(line: str) -> None:
    name, *rest = shlex.split(line)
    command = cli.get_command(click.Context(cli), name)
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(command), rest.pop(0))
    assert command is not None
    with command.make_context(name, rest) as context:
        assert context.params


def test_unit_files_can_be_read() -> None:
    service, timer, health = (configparser.ConfigParser(strict=False) for _ in range(3))
    for parser, text in zip((service, timer, health), blocks(PAGE, "ini"), strict=True):
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read_string(text)
    assert service["Service"]["Type"] == "oneshot"
    assert float(service["Service"]["TimeoutStopSec"]) > GRACE_SECONDS
    assert "OnCalendar" in timer["Timer"]
    assert health["Service"]["ExecStart"].endswith("ladder health league")


def test_every_problem_of_a_ladder_s_health_is_described() -> None:
    assert [row[0].strip("`") for row in rows(PAGE, "Who hears of it")] == list(HealthProblem)


def test_every_command_of_ladders_is_listed() -> None:
    listed = [row[0] for row in rows(PAGE, "Commands")]
    assert sorted(listed) == sorted(f"`arena ladder {name}`" for name in ladder.table)


def test_files_and_amounts_are_those_of_the_code() -> None:
    named = codes(section(PAGE, "What it writes"))
    assert {LADDER_LOG, LADDER_PROGRESS, LAST_PLAY, f"{BOT_LOGS}/"} <= named
    assert f"of {LOG_FILE_BYTES // 10**6} MB, the three before it" in FLAT[PAGE]
    assert OLDER_LOGS == 3
    assert f"within {GRACE_SECONDS:.0f} s" in FLAT[PAGE]
