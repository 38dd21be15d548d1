"""The contents of a picture of a negotiation, in any game: a lane for each seat, and steps in which things happen.

Each game makes a :class:`Scene` from a replay's lines; :mod:`arena.drawing.draw` draws it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class CardColor(StrEnum):
    """The colours of cards. Each card also shows a letter, so that nobody needs to tell cards apart by colour."""

    RED = "red"
    YELLOW = "yellow"
    BLUE = "blue"
    MAGENTA = "magenta"
    ORANGE = "orange"
    GREEN = "green"
    PLAIN = "plain"


class SceneRecord(msgspec.Struct, frozen=True):
    """Base of the records of a scene."""


class Chip(SceneRecord, frozen=True):
    """A card: a few letters on a colour; ``outlined`` marks the second sort of cards (clan cards, not placards)."""

    text: str
    paint: CardColor
    outlined: bool = False


ScenePart = str | Chip
"""A part of a line: a text or a card."""


class Token(SceneRecord, frozen=True):
    """The terms of one offer as texts and cards, and whether they were ``agreed`` in the end."""

    parts: tuple[ScenePart, ...]
    agreed: bool


class Arrow(SceneRecord, frozen=True):
    """Offers of seat ``source`` to seat ``target``."""

    source: int
    target: int
    tokens: tuple[Token, ...]
    hint: str = ""


class Bond(SceneRecord, frozen=True):
    """Agreements made between two seats."""

    partner: int
    boss: int
    tokens: tuple[Token, ...]
    hint: str = ""


class MarkKind(StrEnum):
    """The sorts of marks on a lane; each looks different."""

    SAY = "say"
    LAY = "lay"
    PLAY = "play"
    BOSS = "boss"
    FELL = "fell"
    FAULT = "fault"


class Mark(SceneRecord, frozen=True):
    """An action of ``seat``. ``stopped_by``: the seat that cancelled it. ``boss``: with it ``seat`` becomes the
    Boss."""

    seat: int
    kind: MarkKind
    parts: tuple[ScenePart, ...]
    hint: str = ""
    stopped_by: int | None = None
    boss: bool = False


class Closing(SceneRecord, frozen=True):
    """A closing named by ``boss``: by seat, the cards it brings in and their price. ``foiled``: it did not go
    through."""

    boss: int
    shares: tuple[tuple[int, tuple[ScenePart, ...]], ...]
    foiled: bool = False
    hint: str = ""


class Banner(SceneRecord, frozen=True):
    """A sentence across all lanes."""

    text: str


Item = Arrow | Bond | Mark | Closing | Banner


class Step(SceneRecord, frozen=True):
    """A period with a ``label``, such as a tick: its ``moments`` in order, each with the items that happen at the same
    time."""

    label: str
    moments: tuple[tuple[Item, ...], ...] = ()


class Lane(SceneRecord, frozen=True):
    """A seat: its ``name``, lines ``about`` what it has at the beginning, and the ``amount`` it gets at the end, in the
    game's unit (None: nothing is paid), with a word for it such as "keeps" (``verb``)."""

    name: str
    about: tuple[tuple[ScenePart, ...], ...] = ()
    amount: int | None = None
    verb: str = ""


class Scene(SceneRecord, frozen=True):
    """One negotiation. ``facts`` are lines below the title; ``boss`` is the last Boss; ``key`` lists the cards with
    their names for the legend; ``unit`` is that of :class:`arena.games.contract.Game`; ``filled`` and ``outlined`` are
    the names of the two sorts of cards; ``offer`` and ``agreement`` are texts for the legend's samples."""

    title: str
    facts: tuple[tuple[ScenePart, ...], ...]
    lanes: tuple[Lane, ...]
    steps: tuple[Step, ...]
    boss: int
    unit: str
    key: tuple[tuple[Chip, str], ...] = ()
    filled: str = ""
    outlined: str = ""
    offer: str = ""
    agreement: str = ""
