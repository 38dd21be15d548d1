"""The rounds of a season as plans, to play their matches again: with the kept files of the versions."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_right
from contextlib import suppress

import msgspec

from arena import __version__
from arena.code_digest import PLAYING, code_difference
from arena.errors import ReplayError, UserError
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import Version
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.play_log import match_played_with
from arena.ladder.database.rounds import Round, get_round, plan_of
from arena.match.work import Work
from arena.replay.read import read_header
from arena.runs.planning.plan import Plan
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, KeptReplays

HELD_PLANS = 8
"""Plans that are held."""
_CLOSED_MATCHES = "FROM rounds r JOIN match_conditions c ON c.round = r.id WHERE r.season = ? AND r.state = 'closed'"
_BLOCK_NUMBER = re.compile(r"/b([0-9]+)/", re.ASCII)


class SeasonPlans:
    """Gives the matches of a ladder's season as work. The bots of versions whose files are damaged are
    ``missing_bots``: by name, why."""

    record_name = "its row in the database"

    def __init__(self, place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> None:
        self.place, self.database, self.ladder = place, database, ladder
        self.missing_bots: dict[str, str] = {}
        self._bots: dict[int, BotRef] = {}
        self._plans: dict[int, Plan] = {}
        folder = place.season(ladder.name, ladder.season.number)
        self._replays, self._cassettes = KeptReplays(folder), KeptReplays(folder, CASSETTES_FOLDER)
        rows = database.execute(
            "SELECT first_block, id, first_match FROM rounds WHERE season = ? ORDER BY first_block",
            (ladder.season.id,),
        ).fetchall()
        self._first_blocks = [first for first, _, _ in rows]
        self._rounds = [(id, first_match) for _, id, first_match in rows]

    def work(self, id: str) -> Work | None:
        """Return the match with this name, with what its models answered; None where the season has none. Raises
        UserError where another version of arena, or other code of it, has played it: its output may have other
        bytes."""
        block = _BLOCK_NUMBER.search(id)
        at = bisect_right(self._first_blocks, int(block[1])) - 1 if block is not None else -1
        if at < 0:
            return None
        round, first_match = self._rounds[at]
        plan = self._plan(round)
        fixture = plan.schedule.find(id)
        if fixture is None:
            return None
        if stranger := self._stranger(first_match + fixture.index, id):
            raise UserError(f"match {id} {stranger}; play it again with that one")
        work = plan.work(fixture)
        return work if work.models is None else msgspec.structs.replace(work, recorded=self._cassettes.get(id) or b"")

    def _stranger(self, number: int, id: str) -> str:
        """Which other arena has played a match; empty where this one has, or nobody. Where its row does not know the
        version, its replay does."""
        found = match_played_with(self.database, number)
        if found is None:
            return ""
        if not found.known:
            with suppress(ReplayError):
                content = self.replay(id)
                arena = found.arena if content is None else read_header(content.partition(b"\n")[0]).arena
                return _stranger(arena, found.code)
        return _stranger(found.arena, found.code)

    def replay(self, id: str) -> bytes | None:
        """Return the replay of a match; None if none was stored. Raises ReplayError where it is damaged."""
        return self._replays.get(id)

    def played_here(self) -> list[Round]:
        """The closed rounds of the season of which this arena has played matches, in their order."""
        rows = self.database.execute(
            f"SELECT DISTINCT r.number, r.id, c.arena, c.code {_CLOSED_MATCHES} ORDER BY r.number",
            (self.ladder.season.id,),
        )
        closed = dict.fromkeys(id for _, id, arena, code in rows if not _stranger(arena, code))
        return [get_round(self.database, id) for id in closed]

    def played_by_others(self) -> frozenset[int]:
        """The matches of the closed rounds of the season that another version or other code of arena played."""
        rows = self.database.execute(f"SELECT c.match, c.arena, c.code {_CLOSED_MATCHES}", (self.ladder.season.id,))
        return frozenset(match for match, arena, code in rows if _stranger(arena, code))

    def first_stranger(self) -> str:
        """Which other arena has played the first match of the closed rounds of the season; empty where this one has."""
        row = self.database.execute(
            f"SELECT c.arena, c.code {_CLOSED_MATCHES} ORDER BY c.match LIMIT 1", (self.ladder.season.id,)
        ).fetchone()
        return "" if row is None else _stranger(*row)

    def bot(self, place: LadderFolder, version: Version) -> BotRef:
        """Return the bot of a version; without files if these are not those submitted."""
        if version.id not in self._bots:
            try:
                self._bots[version.id] = fetch_version(place, version)
            except UserError as problem:
                self.missing_bots[version.name] = str(problem)
                self._bots[version.id] = msgspec.structs.replace(version.reference, files=())
        return self._bots[version.id]

    def _plan(self, round: int) -> Plan:
        if round not in self._plans:
            if len(self._plans) == HELD_PLANS:
                self._plans.pop(next(iter(self._plans)))
            found = get_round(self.database, round)
            self._plans[round] = plan_of(self.place, self.database, self.ladder, found, self.bot)
        return self._plans[round]


def _stranger(arena: str, code: str) -> str:
    """Which other arena has played something: of another version, or with other ``code``, digests of its parts as
    JSON. Empty where it was this one, or is not known."""
    if arena not in ("", __version__):
        return f"was played by arena {arena}, this is {__version__}"
    other = code_difference(msgspec.json.decode(code, type=dict[str, str]), PLAYING)
    return f"was played by other {other}, on which the match depends" if other else ""
