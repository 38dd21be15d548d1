"""How each round of the card game ended, one line each, for ``arena show --deals``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.cards.log.ledger_rows import Answer as Heard
from arena.games.cards.log.ledger_rows import BargainRow, RoundRow
from arena.games.cards.rules import Rules
from arena.games.sentence_names import DealSentences

ROUND_HEADERS = ("round", "Boss", "colour", "offers", "Cousins", "centre", "times", "share", "who got what")


def tell_deals(tables: Mapping[str, Sequence[Any]], rules: Rules, names: Sequence[str]) -> DealSentences:
    """A line for each round; ``names`` are the seats' bots, in seat order."""
    rows = [_round_row(each, tables["bargains"], names) for each in tables["rounds"]]
    return DealSentences("rounds", ROUND_HEADERS, rows, (8, 4, 1))


def _round_row(row: RoundRow, bargains: Sequence[BargainRow], names: Sequence[str]) -> tuple[str, ...]:
    def seat(number: int) -> str:
        return f"{names[number]} ({number})"

    offered = [each for each in bargains if each.round == row.round]
    cousins = ", ".join(dict.fromkeys(seat(each.seat) for each in offered if each.answer is Heard.YES))
    got = ", ".join(f"{seat(number)} {_signed_dollars(amount)}" for number, amount in enumerate(row.amounts) if amount)
    worth = (str(row.total), str(row.multiplier), _signed_dollars(row.value))
    return (str(row.round), seat(row.boss), row.color.value, str(len(offered)), cousins or "–", *worth, got or "–")


def _signed_dollars(amount: int) -> str:
    return f"-${-amount}" if amount < 0 else f"${amount}"
