"""What ledgers make rows of: what a column means, told beside the field that holds it, and what happened in a match."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Gloss(NamedTuple):
    """The meaning of a field, given as ``Annotated[int, Gloss("what it says", "$M")]``.

    ``text`` says in a few words what the column holds, ``unit`` is the unit of its numbers ("" where they have none).
    A ``key`` belongs to the numbers that tell the rows of one match apart. ``of`` names the table of the same game in
    which the number is the key of a row: ``seats`` for a seat, ``deals`` for the number of a deal.
    """

    text: str
    unit: str = ""
    key: bool = False
    of: str = ""

    @property
    def sentence(self) -> str:
        """The meaning with the unit, as the page of the tables has it."""
        return f"{self.text}, in {self.unit}" if self.unit else self.text


EVENTS = "events"
"""The name of the activities among the tables of a ledger, and of the event log."""


class Activity(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Something that happened: its ``name``, in the ``step`` of the match's negotiation or round number ``case``.
    ``seat`` does it (None: nobody does), ``to`` is the seat to which it is done, ``price`` what an offer or agreement
    costs."""

    case: int
    name: str
    step: int
    seat: int | None = None
    to: int | None = None
    price: int | None = None
