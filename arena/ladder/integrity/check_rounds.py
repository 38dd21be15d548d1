"""Checks the rounds of a season: they are complete, and their matches agree with seeds, tables and replays."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, pairwise

import msgspec

from arena.errors import Mismatch, ReplayError, UserError, one_line_message
from arena.foreign_files import DECODE_ERRORS
from arena.ladder.database.bot_versions.versions import Version, entered_versions
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.match_rows import FinishedMatch, finished_matches, version_names
from arena.ladder.database.play_log import arena_of_matches
from arena.ladder.database.rounds import Round, get_round, models_of_versions, schedule_of, season_seed
from arena.ladder.database.season_secrets import round_seed
from arena.ladder.database.stored_ratings import ratings_after
from arena.ladder.play.round_store import with_seed
from arena.match.match_counts import counts_in
from arena.match.walk.verify import verify_replay
from arena.match.work import keeps_replay
from arena.replay.read import read_header
from arena.storage.cassette_check import cassette_problems
from arena.storage.packs.replay_packs import KeptReplays
from arena.storage.record_check import (
    counts_difference,
    has_closing_hash,
    match_difference,
    result_difference,
    result_in,
)
from arena.storage.replay_check import header_differences
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.settings import differences_line as differences_in_one_line
from arena.tournament.bits import Bits
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.roster import Roster
from arena.tournament.schedule.schedule import Schedule
from arena.tournament.schedule.seat_orders import seat_orders

LAST_DIGIT = 2e-6
"""The relative difference that the ratings of two machines may have."""
PROGRESS_MATCHES = 100
"""How many matches are checked between two reports of progress."""


class RoundCounts(msgspec.Struct):
    """How many rounds, matches and replays were checked, and replays verified by the rules."""

    rounds: int = 0
    matches: int = 0
    replays: int = 0
    verified: int = 0


class RoundChecker:
    """Checks the rounds of a ladder's season; verifies ``deep`` of their replays by the rules."""

    def __init__(
        self,
        place: LadderFolder,
        database: sqlite3.Connection,
        ladder: Ladder,
        deep: int,
        progress: Callable[[int], object],
    ) -> None:
        self.place, self.database, self.ladder, self.deep, self.progress = place, database, ladder, deep, progress
        self.counts = RoundCounts()
        self.name = f"season {ladder.season.number} of {ladder.name}"
        self.kept = KeptReplays(place.season(ladder.name, ladder.season.number))
        self.names = version_names(database)
        self.versions = {each.version.id: each.version for each in entered_versions(database, ladder.id)}
        rows = database.execute(
            "SELECT id FROM rounds WHERE season = ? ORDER BY number", (ladder.season.id,)
        ).fetchall()
        self.rounds = [get_round(database, id) for (id,) in rows]
        self.first_blocks = [round.first_block for round in self.rounds]
        self.schedule: tuple[int, Schedule | None] = (-1, None)
        try:
            self.seed = season_seed(place, ladder)
        except UserError:
            self.seed = ""  # that it is missing is told already
        self.told = Bits()
        """The numbers of matches whose replays were kept."""

    def problems(self) -> Iterator[str]:
        """Yield every problem, a line each."""
        yield from self._order()
        deep = self._drawn()
        for round in self.rounds:
            self.counts.rounds += 1
            facts, problems = self._facts(round)
            yield from problems
            yield from self._matches(round, facts, deep)
        yield from self._untold()
        yield from self._ratings()

    def _order(self) -> Iterator[str]:
        """Yield a problem where rounds do not follow one another, or lack tables for some of their matches."""
        orders = len(seat_orders(self.ladder.config.seat_orders, self.ladder.seats))
        for before, after in pairwise(self.rounds):
            if not before.closed:
                yield f"round {before.number} of {self.name} is open, but another was begun after it"
            if after.number != before.number + 1 or after.first_block != before.next_block:
                yield f"round {after.number} of {self.name} does not follow round {before.number}; restore a backup"
        for round in self.rounds:
            if round.matches != len(round.tables) * orders:
                told = f"{round.matches} matches, its {len(round.tables)} tables make {len(round.tables) * orders}"
                yield f"round {round.number} of {self.name} has {told}; restore a backup"

    def _facts(self, round: Round) -> tuple[Facts | None, list[str]]:
        """Return the facts that were stored when a round began, and their problems."""
        (text,) = self.database.execute("SELECT facts FROM rounds WHERE id = ?", (round.id,)).fetchone()
        where = f"round {round.number} of {self.name}"
        if text is None:
            return None, [f"{where} is closed, but lacks the conditions with which it began"] if round.closed else []
        try:
            facts = msgspec.json.decode(text, type=Facts)
        except DECODE_ERRORS:
            return None, []  # that it cannot be read is told already
        problems = []
        if not facts.seed and self.seed:  # it is open
            facts = with_seed(facts, round_seed(self.seed, round.number))
        if facts.seed and facts.config_sha256 != facts.digest():
            problems.append(
                f"{where}: the conditions with which it began do not have the digest in config_sha256; restore a backup"
            )
        if self.seed and facts.seed != round_seed(self.seed, round.number):
            problems.append(f"{where}: its seed does not follow from that of the season; restore a backup")
        if facts.editions != {self.ladder.label: self.ladder.edition.digest}:
            problems.append(f"{where} was not played under the rules of the ladder; restore a backup")
        uses = models_of_versions(self.database, self.ladder)
        playing = [self.versions[each] for each in round.version_rows]
        expected = {version.name: _bot_facts(version, uses[version.id]) for version in playing}
        for name in {**expected, **facts.entrants}:
            if expected.get(name) != facts.entrants.get(name):
                problems.append(f"{where}: the bot of {name} is not the version of that name; restore a backup")
        return facts, problems

    def _matches(self, round: Round, facts: Facts | None, deep: frozenset[int]) -> Iterator[str]:
        """Yield the problems of a round's matches, and those of missing ones."""
        names = [self.names[version] for version in round.version_rows]
        seed = facts.seed if facts is not None else ""
        roster = Roster(schedule_of(self.ladder, round), names, seed, Deals.TABLE, called="round")
        end, there = round.first_match + round.matches, 0
        played_by = arena_of_matches(self.database, round.id)
        for each in finished_matches(self.database, self.ladder.edition.game, self.names, round.first_match, end):
            there += 1
            told = facts and msgspec.structs.replace(facts, arena=played_by.get(each.number, facts.arena))
            for problem in self._match(round, roster, each, told, each.number in deep):
                yield f"match {each.number} ({each.record.id}) {problem}"
            if there % PROGRESS_MATCHES == 0:
                self.progress(PROGRESS_MATCHES)
        self.progress(there % PROGRESS_MATCHES)
        self.counts.matches += there
        yield from self._missing(round, there)

    def _missing(self, round: Round, there: int) -> Iterator[str]:
        """Yield the matches of a closed round that are neither finished nor left out for good."""
        (strays,) = self.database.execute(
            "SELECT count(*) FROM matches WHERE round = ? AND (id < ? OR id >= ?)",
            (round.id, round.first_match, round.first_match + round.matches),
        ).fetchone()
        if strays:
            yield f"round {round.number} of {self.name} has {strays} matches with numbers of others; restore a backup"
        (left_out,) = self.database.execute(
            "SELECT count(*) FROM left_out WHERE round = ? AND final AND match NOT IN "
            "(SELECT id FROM matches WHERE round = ?)",
            (round.id, round.id),
        ).fetchone()
        if round.closed and there + left_out != round.matches:
            told = f"{there} are finished and {left_out} left out"
            yield f"round {round.number} of {self.name} is closed with {round.matches} matches, but {told}"

    def _match(
        self, round: Round, roster: Roster, match: FinishedMatch, facts: Facts | None, deep: bool
    ) -> Iterator[str]:
        """Yield the problems of a match: with its tables and seeds, and with its replay."""
        record = match.record
        if roster.seed and (wrong := roster.problem(record)):  # else it is open, and the season's seed not here
            yield f"{wrong}; restore a backup"
        elif roster.number(record.id) != match.number - round.first_match:
            yield "has another number than its place in the round; restore a backup"
        if not record.replay:
            if keeps_replay(self.ladder.config.replays, record):
                yield f"has no replay, though the ladder keeps them (replays: {self.ladder.config.replays})"
            return
        self.told.add(match.number)
        try:
            content = self.kept.get(record.id)
        except ReplayError as problem:
            yield f"has a damaged replay: {problem}; restore a backup"
            return
        if content is None:
            yield "has lost its replay; restore a backup"
            return
        self.counts.replays += 1
        if self.ladder.config.models:
            for wrong in cassette_problems(self.kept.folder, record.id, content):
                yield f"lacks what models answered{wrong}; restore a backup"
        for wrong in self._replay(record, content, facts):
            yield f"{wrong}; play it again with: arena ladder rerun {self.place.shown} {match.number}"
        if deep:
            yield from self._verified(content)

    def _replay(self, record: MatchRecord, content: bytes, facts: Facts | None) -> Iterator[str]:
        """Yield the contradictions between a replay and its match, and a wrong closing hash."""
        result = result_in(content)
        if result is None:
            yield "has a replay that is cut off"
            return
        if not has_closing_hash(content, result):
            yield "has a replay whose closing hash does not fit its lines"
        if other := result_difference(record, result):
            yield f"has a replay with another result: {other}"
        try:
            header = read_header(content.partition(b"\n")[0])
        except ReplayError as problem:
            yield f"has a replay that cannot be read: {problem}"
            return
        if other := match_difference(record, header):
            yield f"has a replay of another match: {other}"
        with suppress(ReplayError):  # deep, it is verified
            if other := counts_difference(record, counts_in(content)):
                yield f"has a replay with other counts: {other}"
        config = self.ladder.config
        if facts is not None and (
            changed := header_differences(header, facts, config.fault_policy, config.strikes, config.limits)
        ):
            told = differences_in_one_line(changed, "in the round", "in the replay")
            yield f"has a replay that is not of this round: {told}"

    def _verified(self, content: bytes) -> Iterator[str]:
        """Yield a problem if a replay does not follow by the rules from its decisions."""
        self.counts.verified += 1
        try:
            verify_replay(content)
        except (Mismatch, ReplayError) as problem:
            yield f"does not verify: {one_line_message(problem)}"

    def _drawn(self) -> frozenset[int]:
        """Choose the matches to verify: those with the smallest SHA-256 of the season's commitment and number."""
        if not self.deep:
            return frozenset()
        rows = chain.from_iterable(
            self.database.execute("SELECT id FROM matches WHERE round = ? AND replay", (round.id,))
            for round in self.rounds
        )
        by = self.ladder.season.seed_sha256
        ranked = sorted(rows, key=lambda row: sha256(f"{by}/{row[0]}".encode()).digest())
        return frozenset(id for (id,) in ranked[: self.deep])

    def _untold(self) -> Iterator[str]:
        """Yield the replays in the packs that belong to no match; those of an open round may not be added yet."""
        left_out = Bits()
        for (number,) in self.database.execute(
            "SELECT l.match FROM left_out l JOIN rounds r ON r.id = l.round WHERE r.season = ?",
            (self.ladder.season.id,),
        ):
            left_out.add(number)
        try:
            for id in self.kept.ids():
                number = self._number(id)
                if number is None or (number and number not in self.told and number not in left_out):
                    yield f"{self.name}: the packs have a replay of {id}, which is not in the database"
        except ReplayError as problem:
            yield f"{self.name}: {problem}; restore a backup"

    def _number(self, id: str) -> int | None:
        """Return a match's number; 0 for a match of an open round, None where the season has no match of this name."""
        block = id.rpartition("/b")[2].partition("/")[0]
        at = bisect_right(self.first_blocks, int(block)) - 1 if block.isdigit() else -1
        if at < 0:
            return None
        if self.schedule[0] != at:  # packs have the matches of one round behind another
            self.schedule = at, schedule_of(self.ladder, self.rounds[at])
        fixture = self.schedule[1].find(id) if self.schedule[1] is not None else None
        if fixture is None:
            return None
        return self.rounds[at].first_match + fixture.index if self.rounds[at].closed else 0

    def _ratings(self) -> Iterator[str]:
        """Yield the stored ratings after the last closed round that do not follow from its matches."""
        last = max((round for round in self.rounds if round.closed), key=lambda round: round.number, default=None)
        if last is None:
            return
        kept = self.database.execute(
            "SELECT version, place, tier, value, low, high, matches, blocks FROM ratings WHERE round = ?", (last.id,)
        ).fetchall()
        anew = ratings_after(self.database, self.ladder, last.number, {row[0] for row in kept})
        by_version = {each.version: msgspec.structs.astuple(each) for each in anew}
        for row in kept:
            if not _equal_rows(row, by_version.get(row[0], ())):
                told = f"the rating of {self.names[row[0]]} does not follow from its matches"
                yield f"round {last.number} of {self.name}: {told}; restore a backup"


def _equal_rows(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    """Return whether two rows are equal up to the precision of :data:`LAST_DIGIT`."""
    return len(one) == len(other) and all(
        a == b or (a is not None and b is not None and abs(a - b) <= LAST_DIGIT * max(1.0, abs(a)))
        for a, b in zip(one, other, strict=True)
    )


def _bot_facts(version: Version, models: tuple[str, ...]) -> dict[str, object]:
    """Return the bot of a version, which may consult these models, as the facts of a round describe it."""
    ref = version.reference
    facts: dict[str, object] = {"bot": ref.name, "sha256": ref.sha256, "options": ref.options}
    return {**facts, "models": list(models)} if models else facts
