"""The rounds of a season as plans, to play their matches again: with the kept files of the versions."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_right

import msgspec

from arena import __version__
from arena.code_digest import PLAYING, code_difference
from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import Version
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.rounds import Round, get_round, plan_of
from arena.match.work import Work
from arena.runs.planning.plan import Plan
from arena.storage.packs.replay_packs import KeptReplays

HELD_PLANS = 8
"""How many plans are cached."""
_BLOCK_NUMBER = re.compile(r"/b([0-9]+)/", re.ASCII)


class SeasonPlans:
    """Gives the matches of a ladder's season as work. ``absent`` has the versions whose files are damaged, each name
    with the problem. ``strangers`` names for each round the other arena that played it, "" where it was this one."""

    line = "its row in the database"

    def __init__(self, place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> None:
        self.place, self.database, self.ladder = place, database, ladder
        self.absent: dict[str, str] = {}
        self._bots: dict[int, BotRef] = {}
        self._plans: dict[int, Plan] = {}
        self._replays = KeptReplays(place.season(ladder.name, ladder.season.number))
        rows = database.execute(
            "SELECT first_block, id, coalesce(json_extract(facts, '$.arena'), ''), "
            "coalesce(json_extract(facts, '$.code'), '{}') FROM rounds WHERE season = ? ORDER BY first_block",
            (ladder.season.id,),
        ).fetchall()
        self._first_blocks = [first for first, _, _, _ in rows]
        self._rounds = [id for _, id, _, _ in rows]
        self.strangers = {id: _stranger(arena, msgspec.json.decode(code)) for _, id, arena, code in rows}

    def work(self, id: str) -> Work | None:
        """Return the match with this name; None where the season has none. Raises UserError where another version of
        arena, or other code of it, has played it: its output may have other bytes."""
        block = _BLOCK_NUMBER.search(id)
        at = bisect_right(self._first_blocks, int(block[1])) - 1 if block is not None else -1
        if at < 0:
            return None
        plan = self._plan(self._rounds[at], id)
        fixture = plan.schedule.find(id)
        return None if fixture is None else plan.work(fixture)

    def replay(self, id: str) -> bytes | None:
        """Return the replay of a match; None if none was stored. Raises ReplayError where it is damaged."""
        return self._replays.get(id)

    def played_here(self) -> list[Round]:
        """The closed rounds of the season that this arena has played, in their order."""
        closed = self.database.execute(
            "SELECT id FROM rounds WHERE season = ? AND state = 'closed' ORDER BY number", (self.ladder.season.id,)
        ).fetchall()
        return [get_round(self.database, id) for (id,) in closed if not self.strangers[id]]

    def bot(self, place: LadderFolder, version: Version) -> BotRef:
        """Return the bot of a version; without files if these are not those submitted."""
        if version.id not in self._bots:
            try:
                self._bots[version.id] = fetch_version(place, version)
            except UserError as problem:
                self.absent[version.name] = str(problem)
                self._bots[version.id] = msgspec.structs.replace(version.reference, files=())
        return self._bots[version.id]

    def _plan(self, round: int, id: str) -> Plan:
        if round not in self._plans:
            if stranger := self.strangers[round]:
                raise UserError(f"match {id} {stranger}; play it again with that one")
            if len(self._plans) == HELD_PLANS:
                self._plans.pop(next(iter(self._plans)))
            found = get_round(self.database, round)
            self._plans[round] = plan_of(self.place, self.database, self.ladder, found, self.bot)
        return self._plans[round]


def _stranger(arena: str, code: dict[str, str]) -> str:
    """Name the other arena that played a round; empty where it was this one."""
    if arena != __version__:
        return f"was {f'played by arena {arena}' if arena else 'not begun'}, this is {__version__}"
    other = code_difference(code, PLAYING)
    return f"was played by other {other}, on which it depends" if other else ""
