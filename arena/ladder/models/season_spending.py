"""What a season of a ladder has spent on language models, in its matches and in the checks of submissions. The count is
in the ladder's database, where each process that plays or checks reads it and adds to it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Lock
from typing import NamedTuple

import msgspec

from arena.consultation.model_spec import SeasonBudgets
from arena.consultation.spending import MORE_MONEY, ModelSpending, SpendingAccount, UsedUp, first_refusal
from arena.errors import ArenaError
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder

log = logging.getLogger(__name__)


class Payer(NamedTuple):
    """Who pays for calls: a ``bot``, by its name, and its ``author``."""

    bot: str
    author: str


NOBODY = Payer("", "")
"""Who pays for the calls by which a ladder tries its models: the season alone."""


class SeasonAllowance:
    """Implements :class:`arena.consultation.spending.CallAllowance` for the season in this row: each bot has a budget
    (the entrants are its versions, ``BOT:NUMBER``), each author, and all together. ``payer`` pays for the calls of all
    entrants, as in the check of a submission; None: each bot for its own."""

    def __init__(self, place: LadderFolder, season: int, budgets: SeasonBudgets, payer: Payer | None = None) -> None:
        self.budgets, self._place, self._season, self._by_author = budgets, place, season, budgets.author
        self._payer = payer
        self._payers: dict[str, Payer] = {}
        self._lock = Lock()

    def reserve(self, entrant: str, most: ModelSpending) -> UsedUp | None:
        """Reserve what a call takes at most. Returns why it is not allowed, and reserves nothing then."""
        with self._writing() as database:
            payer, season = self._payer_of(database, entrant), self._season
            accounts = []
            if payer != NOBODY:
                bot, author = f"the budget of {payer.bot}", f"the budget of author {payer.author}"
                spent = spending_in(database, season, payer.author, payer.bot)
                accounts.append(SpendingAccount(f"{bot} in this season", spent, self.budgets.entrant, shared=False))
                spent = spending_in(database, season, payer.author)
                accounts.append(SpendingAccount(f"{author} in this season", spent, self._by_author, shared=False))
            accounts.append(
                SpendingAccount(
                    "the budget of the season",
                    spending_in(database, season),
                    self.budgets.run,
                    more_money=MORE_MONEY,
                )
            )
            if (used_up := first_refusal(accounts, most)) is None:
                add_spending(database, season, payer, most)
            return used_up

    def settle(self, entrant: str, reserved: ModelSpending, spent: ModelSpending) -> None:
        """Put what a call took in place of what was reserved for it. Where that cannot be stored, the call counts as
        what was reserved."""
        change = msgspec.structs.replace(spent)
        change.add(reserved, -1)
        try:
            with self._writing() as database:
                add_spending(database, self._season, self._payer_of(database, entrant), change)
        except (ArenaError, sqlite3.Error, OSError) as problem:
            log.warning("a call of a model counts with the most that it can cost: %s", problem)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The database, in a transaction; other processes, and other threads, wait."""
        with (
            self._lock,
            closing(open_database(self._place.database, self._place.shown, write=True)) as database,
            write_transaction(database),
        ):
            yield database

    def _payer_of(self, database: sqlite3.Connection, entrant: str) -> Payer:
        """Who pays for an entrant: always the same for one allowance, even if its bot is handed over meanwhile."""
        if self._payer is not None:
            return self._payer
        if not entrant:
            return NOBODY
        bot = entrant.partition(":")[0]
        if bot not in self._payers:
            found = database.execute(
                "SELECT a.name FROM bots b JOIN authors a ON a.id = b.author WHERE b.name = ?", (bot,)
            ).fetchone()
            self._payers[bot] = Payer(bot, "" if found is None else found[0])
        return self._payers[bot]


def season_allowance(place: LadderFolder, ladder: Ladder, payer: Payer | None = None) -> SeasonAllowance:
    """What may still be spent in the season of a ladder, by each bot, or by one ``payer`` for all."""
    return SeasonAllowance(place, ladder.season.id, ladder.config.consulting, payer)


def spending_in(
    database: sqlite3.Connection, season: int, author: str | None = None, bot: str | None = None
) -> ModelSpending:
    """What was spent in the season in this row: by all, by one ``author``, or for one ``bot`` of an author: others, who
    submitted a bot under this name before, did not spend his budget."""
    row = database.execute(
        "SELECT coalesce(sum(calls), 0), coalesce(sum(tokens), 0), round(coalesce(sum(money), 0.0), 9), "
        "coalesce(sum(estimated), 0) FROM model_spending "
        "WHERE season = ?1 AND author = coalesce(?2, author) AND bot = coalesce(?3, bot)",
        (season, author, bot),
    ).fetchone()
    return ModelSpending(*row)


def add_spending(database: sqlite3.Connection, season: int, payer: Payer, spent: ModelSpending) -> None:
    """Add what somebody has spent, in the caller's transaction."""
    database.execute(
        "INSERT INTO model_spending (season, author, bot, calls, tokens, money, estimated) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
        "tokens = tokens + excluded.tokens, money = money + excluded.money, estimated = estimated + excluded.estimated",
        (season, payer.author, payer.bot, spent.calls, spent.tokens, spent.money, spent.estimated),
    )


class SpentOnModels(msgspec.Struct, frozen=True):
    """What was spent on language models in a season for the bots of an ``author`` ("": in all, also for trying the
    models): ``calls``, ``tokens``, and ``money`` in dollars, which is too little where a price is unknown.
    ``estimated`` of the calls count as the most that they may have taken."""

    author: str
    calls: int
    tokens: int
    money: float
    estimated: int


def season_spending(database: sqlite3.Connection, ladder: Ladder) -> list[SpentOnModels]:
    """What was spent in the season of a ladder, by all first, then by author; empty where it has no models."""
    if not ladder.config.models:
        return []
    season = ladder.season.id
    authors = database.execute(
        "SELECT DISTINCT author FROM model_spending WHERE season = ? AND author <> '' ORDER BY author", (season,)
    ).fetchall()
    by_all = spending_in(database, season)
    every = [("", by_all), *((name, spending_in(database, season, name)) for (name,) in authors)]
    return [SpentOnModels(name, each.calls, each.tokens, round(each.money, 6), each.estimated) for name, each in every]
