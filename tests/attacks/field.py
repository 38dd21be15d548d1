"""A league with hostile entrants: its folder with honest bots, attackers, and what they would like to have."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from arena.bot import Limits
from arena.executors.executor import Executor, play_all
from arena.match.work import WorkResult
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.storage.files.atomic_files import write_whole
from arena.storage.logs.bot_logs import BotLogs
from arena.storage.packs.replay_packs import replay_path
from arena.tournament.records.fixture import Fixture
from arena.tournament.schedule.deals import block_seed
from tests.conftest import CASES

from . import attempts, misdeeds, programs

HONEST = ("greedy", "fair")
SEED = "5eed0f1ea90e1d8b47c2a6904e17f3d2"
BLOCKS, SEATS = 4, 2
LIMITS = Limits(start=4.0, ask=0.5, bank=0.5, match=4.0)
SETTINGS = """\
seed: {seed}
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 5}}}}]
seats: {seats}
blocks: {blocks}
tables: all
limits: {{start: {limits.start}, ask: {limits.ask}, bank: {limits.bank}, match: {limits.match}}}
sandbox: {{memory: 256}}
"""


class League:
    """A folder with a tournament of :data:`HONEST` bots and attackers, and secrets in it and beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.outside = folder / "league", folder / "outside"
        self.results = self.folder / "results"
        self.expected: dict[str, frozenset[str]] = {}
        self.entrants: list[str] = []
        self.attackers: list[str] = []
        for made in (self.folder, self.outside, self.folder / "__pycache__", self.folder / ".git"):
            made.mkdir()
        (self.outside / "secret.txt").write_text("secret")
        (self.folder / ".git" / "config").write_text("secret")
        (self.folder / "__pycache__" / "bystander.pyc").write_text("secret")
        (self.folder / "link.txt").symlink_to("../outside/secret.txt")
        (self.folder / "link-to-home").symlink_to("../outside")
        (self.folder / "link-to-other.py").symlink_to("bystander.py")
        self.tournament = self.folder / "t.yaml"
        places = {
            "league": str(self.folder),
            "other": str(self.folder / "bystander.py"),
            "home": str(self.outside),
            "results": str(self.results),
            "tournament": str(self.tournament),
            "far": [str(self.outside)],
            "seeds": [SEED, *(block_seed(SEED, block) for block in range(BLOCKS))],
            "port": 9,
            "socket": str(self.outside / "socket"),
            "abstract": "arena",
        }
        (self.folder / "places.json").write_text(json.dumps(places))
        self.secrets = [str(self.outside / "secret.txt"), str(self.tournament), places["other"]]
        self.secrets += [str(self.results / "config.resolved.yaml"), str(self.results / "matches.jsonl")]
        self._add("bystander", misdeeds.HEAD, frozenset())

    def invite_pythons(self) -> None:
        """All attacks written in Python."""
        for name, kinds in attempts.TRIED_TOGETHER.items():
            self._add(name, attempts.code(*kinds), frozenset())
        for name, misdeed in misdeeds.MISDEEDS.items():
            self._add(name, misdeeds.code(misdeed.body), misdeed.faults)

    def invite_programs(self) -> None:
        """The attacks that are programs, as far as there is a compiler, and node."""
        secrets = ":".join(self.secrets)  # a word that named a file would make it the bot's own
        if shutil.which("cc"):
            source, program = self.folder / "attack.c", self.folder / "attack"
            source.write_text(programs.C)
            subprocess.run(["cc", "-O1", "-pthread", "-o", program, source], check=True)
            source.unlink()
            for way, faults in programs.C_WAYS.items():
                self._program(f"c-{way}", [str(program), way, secrets], faults)
        if shutil.which("node"):
            (self.folder / "attack.js").write_text(programs.NODE)
            self._program("node", ["node", "attack.js", secrets], ())

    def _add(self, name: str, code: str, faults: frozenset[str]) -> None:
        (self.folder / f"{name}.py").write_text(code, encoding="utf-8")
        self._enter(name, f"{{bot: ./{name}.py, name: {name}}}", faults)

    def _program(self, name: str, words: list[str], faults: Iterable[str]) -> None:
        self._enter(name, f"{{cmd: {json.dumps(words)}, name: {name}}}", frozenset(faults))

    def _enter(self, name: str, entry: str, faults: frozenset[str]) -> None:
        self.entrants.append(entry)
        self.attackers.append(name)
        self.expected[name] = faults

    def plan(self, attackers: bool = True) -> Plan:
        """The tournament; honest bots come first, so that their matches have the same ids with and without others.
        Alone they are trusted."""
        entrants = [*HONEST, *(self.entrants if attackers else ())]
        lines = "".join(f"  - {entrant}\n" for entrant in entrants)
        settings = SETTINGS.format(seed=SEED, seats=SEATS, blocks=BLOCKS, limits=LIMITS)
        self.tournament.write_text(f"name: league\nentrants:\n{lines}{settings}")
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            return make_plan(Path("t.yaml"), ["require=locked"] if attackers else [], trust=not attackers)
        finally:
            os.chdir(before)


def honest(plan: Plan) -> list[Fixture]:
    """The matches of honest bots alone."""
    return [each for block in range(BLOCKS) for each in table(plan, block, len(HONEST) - 1)]


def seats_of(attacker: int, cases: str) -> list[int]:
    """The seats in which an attacker plays: all of them, or a single one, which moves on by one from attacker to
    attacker. The ``others`` are tried in another seat than the ``third``."""
    return [*range(SEATS)] if cases == "all" else [(CASES.index(cases) - attacker) % SEATS]


def gauntlet(plan: Plan, cases: str) -> Iterator[Fixture]:
    """Each attacker with the first honest bot, in one block and in :func:`seats_of` it; among them, evenly, the matches
    of honest bots."""
    attackers = range(len(HONEST), len(plan.bots))
    tables = {attacker: table(plan, attacker % BLOCKS, attacker) for attacker in attackers}
    hostile = [tables[each][seat] for seat in range(SEATS) for each in attackers if seat in seats_of(each, cases)]
    between = honest(plan)
    for number, fixture in enumerate(hostile):
        yield fixture
        now, then = (count * len(between) // len(hostile) for count in (number, number + 1))
        yield from between[now:then]


def table(plan: Plan, block: int, other: int) -> list[Fixture]:
    """The matches of one block between the first entrant and an ``other``: they come first in the schedule."""
    first = block * plan.schedule.block_size(0) + (other - 1) * SEATS
    found = [plan.schedule[first + order] for order in range(SEATS)]
    assert all(set(each.entrants) == {0, other} for each in found)
    return found


def play_league(
    plan: Plan, fixtures: Iterable[Fixture], folder: Path, executor: Executor, look: Callable[[], None] = lambda: None
) -> list[WorkResult]:
    """Play and keep what ``arena run`` does; ``look`` is called whenever a match is done."""
    found, logs = [], BotLogs(folder / "logs" / "bots")
    with closing(executor):
        for done in play_all(executor, map(plan.work, fixtures)):
            assert isinstance(done, WorkResult), done
            assert done.replay is not None
            write_whole(folder / replay_path(done.record.id), done.replay)
            for printed in done.printed:
                logs.add(done.record, printed)
            found.append(done)
            look()
    return found
