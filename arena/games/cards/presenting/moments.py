"""Notable moments of a card game match: gifts, and refusals of Cousin tokens that would have paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.games.cards import events
from arena.games.cards.log.gifts import TOKEN_GIFT
from arena.games.cards.log.ledger_rows import Answer, BargainKind
from arena.games.contract import Event, Game
from arena.replay.ledger_events import Tables
from arena.web.viewer.moment import FoundKind, FoundMoment, MomentTeller, gift_worth


def cards_moments(
    tables: Tables, game: Game, numbered: Sequence[tuple[int, Event]], teller: MomentTeller
) -> Iterator[FoundMoment]:
    """All moments of a match, in no particular order."""
    bargains = [number for number, line in numbered if isinstance(line, events.Proposed | events.Requested)]
    settled = {line.round: number for number, line in numbered if isinstance(line, events.Settled)}
    yield from _gift_moments(tables, game, bargains, settled, teller)
    yield from _refusal_moments(tables, bargains, teller)


def _gift_moments(
    tables: Mapping[str, Sequence[Any]],
    game: Game,
    bargains: Sequence[int],
    settled: Mapping[int, int],
    teller: MomentTeller,
) -> Iterator[FoundMoment]:
    """Tokens and cards by which others gained; found row by row with ``game.giving``, so that each has its line."""
    assert game.giving is not None
    rows = [({"bargains": [row], "shares": []}, bargains[row.bargain - 1]) for row in tables["bargains"]]
    rows += [({"bargains": [], "shares": [row]}, settled[row.round]) for row in tables["shares"]]
    for some, number in rows:
        for gift in game.giving.find({**tables, **some}, len(teller.names)).gifts:
            worth = gift_worth(gift, {})
            if worth <= 0:
                continue
            what = "a Cousin token brings" if gift.kind == TOKEN_GIFT.name else "cards laid there bring"
            text = f"{teller.seat(gift.giver)} gives {teller.seat(gift.receiver)}: {what} {teller.money(worth)}"
            yield FoundMoment(FoundKind.GIFT, number, text, worth, (gift.giver, gift.receiver))


def _refusal_moments(
    tables: Mapping[str, Sequence[Any]], bargains: Sequence[int], teller: MomentTeller
) -> Iterator[FoundMoment]:
    """Refusals of Cousin tokens that would have brought a share of the round; only the last in each round. A no played
    for a bot at fault is included: the other seats cannot tell it from any other."""
    values = {row.round: row.value for row in tables["rounds"]}
    last: dict[int, FoundMoment] = {}
    for row in tables["bargains"]:
        value = values.get(row.round, 0)
        if row.kind is BargainKind.REQUEST and row.answer is not Answer.YES and value > 0:
            text = f"{teller.seat(row.to)} refuses a Cousin token; a share was worth {teller.money(value)} in the end"
            last[row.round] = FoundMoment(FoundKind.REFUSED, bargains[row.bargain - 1], text, value, (row.to, row.by))
    yield from last.values()
