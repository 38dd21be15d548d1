"""What a season spends on language models is counted once for all processes that play or check, whatever kills them."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from arena.consultation.model_spec import CallBudget, SeasonBudgets
from arena.consultation.spending import ModelSpending, UsedUp
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.models.season_spending import Payer, SeasonAllowance, spending_in

CALL = ModelSpending(1, 100, 0.5)
SEASON = 1
KILLED = """
import os, signal
from pathlib import Path
from arena.consultation.model_spec import SeasonBudgets
from arena.consultation.spending import ModelSpending
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.models.season_spending import Payer, SeasonAllowance
allowance = SeasonAllowance(LadderFolder(Path("league")), 1, SeasonBudgets(), Payer("new", "ann"))
allowance.reserve("checked", ModelSpending(1, 100, 0.5))
os.kill(os.getpid(), signal.SIGKILL)
"""


def allowance_of(league: Path, payer: Payer | None = None, **budgets: CallBudget) -> SeasonAllowance:
    """What a process that begins now may spend."""
    return SeasonAllowance(LadderFolder(league), SEASON, SeasonBudgets(**budgets), payer)


def spent(league: Path, author: str | None = None) -> ModelSpending:
    """What the database says."""
    with closing(sqlite3.connect(league / "ladder.sqlite")) as database:
        return spending_in(database, SEASON, author)


def test_play_and_submit_at_the_same_time_cannot_overdraw_a_budget(league: Path) -> None:
    playing = allowance_of(league, run=CallBudget(calls=5))
    checking = allowance_of(league, Payer("new", "ann"), run=CallBudget(calls=5))
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(each.reserve, "first:1", CALL) for each in (playing, checking) * 8]
    told = [each.result() for each in asked]
    assert (told.count(None), spent(league)) == (5, ModelSpending(5, 500, 2.5))
    assert all(each.why.startswith("the budget of the season is used up: calls: 5 of 5") for each in told if each)
    ours = spent(league, "mira").calls
    first, second = (playing, checking) if ours else (checking, playing)
    first.settle("first:1", CALL, ModelSpending())
    assert second.reserve("first:1", CALL) is None
    second.settle("first:1", CALL, ModelSpending(1, 7, 0.25))
    assert spent(league) == ModelSpending(5, 407, 2.25)


def test_what_a_process_had_reserved_that_was_killed_counts_at_its_worst(league: Path, tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert spent(league, "ann") == CALL
    refused = allowance_of(league, Payer("new", "ann"), author=CallBudget(money=0.9)).reserve("checked", CALL)
    told = "the budget of author ann in this season is used up: money: $0.5 of $0.9 spent, and this call may take $0.5"
    assert refused == UsedUp(told, stop=False)


def test_nobody_spends_the_budget_of_another(league: Path, rows: sqlite3.Connection) -> None:
    one = CallBudget(calls=1)
    squatting = allowance_of(league, Payer("first", "ann"), entrant=one, author=one)
    assert squatting.reserve("checked", CALL) is None
    playing = allowance_of(league, entrant=one, author=CallBudget(calls=2))
    assert playing.reserve("first:1", CALL) is None
    assert playing.reserve("first:2", CALL) is not None
    assert playing.reserve("chance:1", CALL) is None
    assert spent(league, "mira").calls == 2
    rows.execute("INSERT INTO authors (name, began) VALUES ('bob', '')")
    rows.execute("UPDATE bots SET author = (SELECT id FROM authors WHERE name = 'bob') WHERE name = 'first'")
    playing.settle("first:1", CALL, CALL)  # who reserved it pays, though the bot was handed over meanwhile
    assert (spent(league, "mira").calls, spent(league, "bob").calls) == (2, 0)


def test_a_call_that_cannot_be_settled_counts_as_it_was_reserved(league: Path, rows: sqlite3.Connection) -> None:
    playing = allowance_of(league)
    assert playing.reserve("first:1", CALL) is None
    with write_transaction(rows):
        rows.execute("CREATE TRIGGER full BEFORE UPDATE ON model_spending BEGIN SELECT raise(ABORT, 'full'); END")
    playing.settle("first:1", CALL, ModelSpending())
    assert spent(league) == CALL
