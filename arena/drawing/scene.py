"""What a picture of a negotiation shows, whatever the game: lanes for the seats, and steps in which things happen.

A game's part of this room makes a :class:`Scene` of a replay's lines; :mod:`arena.drawing.draw` draws it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class CardColor(StrEnum):
    """The colours of cards. A letter stands in each, so that nobody needs to tell them apart by colour."""

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
    """A card: a few letters on a colour; ``outlined`` for the other of two sorts (a clan card, not a placard)."""

    text: str
    paint: CardColor
    outlined: bool = False


ScenePart = str | Chip
"""What a line of a mark or a heading is made of: words and cards."""


class Token(SceneRecord, frozen=True):
    """The terms of one offer: what is offered, at what price, and whether it was ``agreed`` in the end."""

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
    """Something that ``seat`` does. ``stopped_by``: another seat cancelled it. ``boss``: ``seat`` is the Boss from here
    on."""

    seat: int
    kind: MarkKind
    parts: tuple[ScenePart, ...]
    hint: str = ""
    stopped_by: int | None = None
    boss: bool = False


class Closing(SceneRecord, frozen=True):
    """A closing that ``boss`` names: by seat what each puts in and for how much. ``foiled``: it did not go through."""

    boss: int
    shares: tuple[tuple[int, tuple[ScenePart, ...]], ...]
    foiled: bool = False
    hint: str = ""


class Banner(SceneRecord, frozen=True):
    """A sentence across all lanes."""

    text: str


Item = Arrow | Bond | Mark | Closing | Banner


class Step(SceneRecord, frozen=True):
    """A piece of time with a ``label``, such as a tick: ``moments`` in their order, each of things that happen at
    once."""

    label: str
    moments: tuple[tuple[Item, ...], ...] = ()


class Lane(SceneRecord, frozen=True):
    """A seat: its name, lines of what it has to begin with, and at the end its ``amount`` (in the game's unit), with a
    word such as "keeps" before it; None where nothing is paid."""

    name: str
    about: tuple[tuple[ScenePart, ...], ...] = ()
    amount: int | None = None
    verb: str = ""


class Scene(SceneRecord, frozen=True):
    """One negotiation. ``facts`` are lines below the title; ``boss`` is the last Boss; ``key`` explains the cards:
    each with its name; ``unit`` as of :class:`arena.games.contract.Game`; ``outlined`` and ``filled`` are what the two
    sorts of cards are called, and ``offer`` and ``agreement`` stand in samples."""

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
