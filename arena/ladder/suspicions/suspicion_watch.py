"""Looks after each round at who answers alike and who gives whom, within a budget of time.

What is not done in time is done after a later round: gifts are added up from the replays of the season's closed rounds,
the newest first; pairs of versions are compared, those with the newest version first, each once. The gifts of all pairs
are judged anew when the matches read have grown by a tenth. Because that happens again and again, each judgement has a
smaller error rate than that of a run; this makes false findings rarer, but does not bound them for the season
(:mod:`arena.collusion.pair_search`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from time import monotonic

from arena.analysis.gifts_of_run import GiftsByGame
from arena.collusion.pair_search import ERROR_LEVEL, LEAST_BLOCKS, LEAST_ENTRANTS, PairFinding, PairVerdict, judge_pairs
from arena.errors import ReplayError
from arena.games import load_game
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import EnteredVersion, VersionState, entered_versions
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.match_rows import FinishedMatch, finished_matches
from arena.ladder.database.rounds import Round
from arena.ladder.entry.entry_asks import LIKENESS_MATCHES, recorded_matches
from arena.ladder.entry.likeness import RecordedSeat, find_alike
from arena.ladder.suspicions.suspicion_rows import (
    AlikeProof,
    GiftProof,
    PairLook,
    Suspicion,
    SuspicionKind,
    compared_pairs,
    standing_suspicions,
    store_looks,
)
from arena.replay.ledger_events import tables_in
from arena.runs.planning.isolation_level import Isolation
from arena.storage.packs.replay_packs import KeptReplays

ROUND_SHARE = 0.1
"""The time for looking, as a share of the time that was played, where none is given."""
LEAST_SECONDS = 0.25
"""With less time than this it is not worth while to begin; it is left for the next rounds."""
WATCH_LEVEL = ERROR_LEVEL / 4
"""The probability that any honest pair stands out when gifts are judged once."""
JUDGED_GROWTH = 1.1
"""Gifts are judged anew when so many times as many matches are read."""


class SuspicionWatch:
    """Watches a season of a ladder. ``seconds`` are spent after each round (None: :data:`ROUND_SHARE` of the time that
    it took); what one round leaves over, or takes too much, the next ones have."""

    def __init__(
        self, place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, seconds: float | None
    ) -> None:
        self._place, self._database, self._ladder, self._seconds = place, database, ladder, seconds
        self._replays = KeptReplays(place.season(ladder.name, ladder.season.number))
        self._gifts = GiftsByGame()
        self._read, self._rounds_read = set[int](), set[int]()
        self._judged = 0
        self._left = self._judging = 0.0

    def look(self, round: Round, isolation: Isolation, played: float) -> list[Suspicion]:
        """Look after a closed round, whose matches took so many seconds (``played``); return what stands now that did
        not before."""
        self._left += played * ROUND_SHARE if self._seconds is None else self._seconds
        if self._left < LEAST_SECONDS:
            return []
        began = monotonic()
        until, before = began + self._left, set(map(_key, standing_suspicions(self._database, self._ladder)))
        self._look_at_gifts(round, began + self._left / 2)
        self._look_for_clones(round, isolation, until)
        self._left -= monotonic() - began
        return [each for each in standing_suspicions(self._database, self._ladder) if _key(each) not in before]

    def _look_at_gifts(self, round: Round, until: float) -> None:
        """Add up gifts until that time, and judge the pairs if there is something new."""
        giving = load_game(self._ladder.edition.game).giving
        if giving is None:
            return
        entered = entered_versions(self._database, self._ladder.id)
        names = {each.version.id: each.version.name for each in entered}
        for match in self._unread_matches(names):
            if monotonic() > until:
                break
            self._add_match(match)
        sums = self._gifts.sums.get(self._ladder.edition.game)
        if sums is None or sums.matches < self._judged * JUDGED_GROWTH or self._judging > max(0.0, self._left):
            return
        table, self._judged = sums.table(), sums.matches
        if len(table.names) < LEAST_ENTRANTS or table.blocks < LEAST_BLOCKS:
            return
        began, season = monotonic(), self._ladder.season.number
        found = judge_pairs(table, f"{self._ladder.name}.{season} {sums.matches}", WATCH_LEVEL)
        self._judging = monotonic() - began
        rows = {name: row for row, name in names.items()}
        unit = load_game(self._ladder.edition.game).unit
        stand = [_gift_look(each, rows, unit, sums.matches) for each in found if each.verdict is PairVerdict.STANDS_OUT]
        store_looks(self._database, self._ladder, round.id, stand, judged=sums.matches)

    def _unread_matches(self, names: dict[int, str]) -> Iterator[FinishedMatch]:
        """The matches of closed rounds that were not read yet, the newest rounds first."""
        rounds = self._database.execute(
            "SELECT number, first_match, matches FROM rounds WHERE season = ? AND state = 'closed' "
            "ORDER BY number DESC",
            (self._ladder.season.id,),
        ).fetchall()
        for number, first, matches in rounds:
            if number in self._rounds_read:
                continue
            every = finished_matches(self._database, self._ladder.edition.game, names, first, first + matches)
            for match in every:
                if match.number not in self._read:
                    yield match
                    self._read.add(match.number)
            self._rounds_read.add(number)
            self._read.difference_update(range(first, first + matches))

    def _add_match(self, match: FinishedMatch) -> None:
        """Add the gifts of a match that counts and has a replay; `arena ladder check` reports damaged ones."""
        if match.record.void or not match.record.replay:
            return
        try:
            replay = self._replays.get(match.record.id)
            if replay is not None:
                self._gifts.add(match.record, tables_in(replay))
        except ReplayError:
            return

    def _look_for_clones(self, round: Round, isolation: Isolation, until: float) -> None:
        """Ask each version that plays what others were asked, until that time."""
        compared = compared_pairs(self._database, self._ladder)
        active = [
            each
            for each in reversed(entered_versions(self._database, self._ladder.id))
            if each.state is VersionState.ACTIVE
        ]
        for at, new in enumerate(active):
            others = [
                each
                for each in active[at + 1 :]
                if (new.version.id, each.version.id) not in compared and each.version.bot != new.version.bot
            ]
            if others and monotonic() < until:
                self._compare(round, new, others, isolation, until)

    def _compare(
        self, round: Round, new: EnteredVersion, others: list[EnteredVersion], isolation: Isolation, until: float
    ) -> None:
        """Compare a version with older ones, as far as the time allows. A pair is done when all recorded matches of the
        older one were asked, or one answer differs; with few matches it is looked at again."""
        given = dict[str, int]()
        rows = {each.version.name: each.version.id for each in others}

        def recorded() -> Iterator[RecordedSeat]:
            for each in recorded_matches(
                self._place, self._database, self._ladder, [other.version for other in others]
            ):
                if each.name not in given and monotonic() > until:
                    return
                given[each.name] = given.get(each.name, 0) + 1
                yield each

        alike = {each.name: each for each in find_alike(fetch_version(self._place, new.version), recorded(), isolation)}
        looks = [
            PairLook(
                SuspicionKind.ALIKE,
                new.version.id,
                rows[name],
                name in alike,
                AlikeProof(alike[name].asks, alike[name].matches) if name in alike else AlikeProof(0, matches),
            )
            for name, matches in given.items()
            if name in alike or matches >= LIKENESS_MATCHES
        ]
        store_looks(self._database, self._ladder, round.id, looks)


def _key(found: Suspicion) -> tuple[SuspicionKind, str, str]:
    return found.kind, found.one, found.two


def _gift_look(found: PairFinding, rows: dict[str, int], unit: str, judged: int) -> PairLook:
    """A gift that stands out of so many matches (``judged``), to be stored."""
    kind = SuspicionKind.MUTUAL_GIFT if found.mutual else SuspicionKind.GIFT
    gift, luck, spread = found.gift, found.luck, found.spread
    assert gift.mean is not None, "it stands out"
    assert luck is not None, "it stands out"
    assert spread is not None, "it stands out"
    low, high = gift.mean if gift.low is None else gift.low, gift.mean if gift.high is None else gift.high
    proof = GiftProof(round(gift.mean, 3), round(low, 3), round(high, 3), unit, found.matches, luck, spread, judged)
    return PairLook(kind, rows[found.giver], rows[found.receiver], True, proof)
