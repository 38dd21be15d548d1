"""How each negotiation of the board game ended, one line each, for ``arena show --deals``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.board.log.ledger_rows import DealRow
from arena.games.board.rules import Rules
from arena.games.sentence_names import DealSentences

DEAL_HEADERS = ("deal", "turn", "space", "ticks", "Boss", "worth", "ends", "who got what")


def tell_deals(tables: Mapping[str, Sequence[Any]], rules: Rules, names: Sequence[str]) -> DealSentences:
    """A line for each deal; ``names`` are the seats' bots, in seat order."""
    return DealSentences("deals", DEAL_HEADERS, [_deal_row(deal, names) for deal in tables["deals"]], (7, 4))


def _deal_row(deal: DealRow, names: Sequence[str]) -> tuple[str, ...]:
    def seat(number: int) -> str:
        return f"{names[number]} ({number})"

    got = [f"{seat(deal.boss)} ${deal.kept}M"] if deal.kept else []
    got += [f"{seat(number)} ${amount}M" for number, amount in enumerate(deal.paid) if amount]
    bosses = [deal.opened_by] if deal.boss == deal.opened_by else [deal.opened_by, deal.boss]
    who = " → ".join(map(seat, bosses))
    numbers = map(str, (deal.deal, deal.turn, deal.space, deal.ticks))
    return (*numbers, who, f"${deal.proceeds}M", deal.outcome.value, ", ".join(got) or "–")
