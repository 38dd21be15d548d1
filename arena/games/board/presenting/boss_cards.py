"""A study: who gains from boss cards (B5.3)? How deals taken over end, and what bots win and lose by them."""

from __future__ import annotations

from collections.abc import Iterable

from arena.games.board.log.ledger_rows import Ending, PlayKind
from arena.study.finding import MeansByKey, StudyAnswer, StudyColumn, StudyLine, StudyMatch, StudyTable
from arena.tournament.measures.measures import MeasureUnit

DEAL_COLUMNS = (
    StudyColumn("of all deals", MeasureUnit.SHARE),
    StudyColumn("closed", MeasureUnit.SHARE),
    StudyColumn("first Boss gets", MeasureUnit.SHARE),
    StudyColumn("last Boss keeps", MeasureUnit.SHARE),
)
ENTRANT_COLUMNS = (
    StudyColumn("boss cards", MeasureUnit.POINTS),
    StudyColumn("kept by them", MeasureUnit.MONEY),
    StudyColumn("lost to others", MeasureUnit.MONEY),
    StudyColumn("gain", MeasureUnit.MONEY, 0.0),
)


def boss_cards(matches: Iterable[StudyMatch]) -> StudyAnswer:
    """Two tables: deals with and without a change of Boss, by edition; and gains and losses by entrant."""
    frequency, closes = MeansByKey[tuple[str, bool]](), MeansByKey[tuple[str, bool]]()
    first, last = MeansByKey[tuple[str, bool]](), MeansByKey[tuple[str, bool]]()
    cards, kept = MeansByKey[tuple[str, str]](), MeansByKey[tuple[str, str]]()
    lost, gain = MeansByKey[tuple[str, str]](), MeansByKey[tuple[str, str]]()
    played = 0
    for played, (record, tables) in enumerate(matches, 1):  # noqa: B007 - the last number is wanted
        names = [seat.entrant for seat in record.seats]
        losses, gains, number = [0] * len(names), [0] * len(names), [0] * len(names)
        for deal in tables.get("deals", ()):
            taken, closed = deal.new_bosses > 0, deal.outcome is Ending.CLOSED
            for each in (True, False):
                frequency.add((record.edition, each), record.block, float(taken is each))
            closes.add((record.edition, taken), record.block, float(closed))
            if not closed:
                continue
            if deal.proceeds:
                own = deal.amounts[deal.opened_by]
                first.add((record.edition, taken), record.block, own / deal.proceeds)
                last.add((record.edition, taken), record.block, deal.kept / deal.proceeds)
            if deal.boss != deal.opened_by:
                losses[deal.opened_by] += deal.kept
        for play in tables.get("plays", ()):
            if play.kind is PlayKind.BOSS:
                number[play.seat] += 1
                gains[play.seat] += play.gained or 0
        for seat, name in enumerate(names):
            key = (record.edition, name)
            cards.add(key, record.block, number[seat])
            kept.add(key, record.block, gains[seat])
            lost.add(key, record.block, losses[seat])
            gain.add(key, record.block, gains[seat] - losses[seat])
    deals = [
        StudyLine(
            (key[0], "taken over" if key[1] else "not taken over"),
            (frequency.mean(key, True), closes.mean(key, True), first.mean(key), last.mean(key)),
        )
        for key in frequency
    ]
    who = [
        StudyLine(key, (cards.mean(key), kept.mean(key), lost.mean(key), gain.mean(key)))
        for key in sorted(cards, key=lambda key: key[1])
    ]
    words = (
        (
            "Shares of the proceeds are those of deals that were closed. Deals that are taken over differ from other "
            "deals, so the figures do not show the effect of taking over. The gain is the money per match that a bot "
            "kept from deals that it took over, minus what others kept from deals that it had opened."
        ),
    )
    return StudyAnswer(
        played,
        (
            StudyTable("Deals", ("edition", "Boss"), DEAL_COLUMNS, tuple(deals)),
            StudyTable("Bots, a match", ("edition", "bot"), ENTRANT_COLUMNS, tuple(who)),
        ),
        words,
    )
