"""Bots that favour a friend: they know each other by a word, pay each other for nothing, and spare each other."""

from __future__ import annotations

import importlib.util
from typing import Any

from arena.bot import Reply, Said
from arena.games.board import BoardBot, Offer, Offers, TakeOver, Travel
from arena.resources import bundled_folder

WORD = "A fine day for business."


def bundled_class(file: str, name: str) -> type[BoardBot]:
    """The class of a bundled bot."""
    spec = importlib.util.spec_from_file_location(f"bundled_{file}", bundled_folder("bots") / f"{file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[BoardBot] = getattr(module, name)
    return found


def move_of(answer: Any) -> Any:
    """The move of an answer with or without words."""
    return answer.move if isinstance(answer, Reply) else answer


def befriend(base: type[BoardBot]) -> type[BoardBot]:
    """The same bot with a friend."""

    class Confederate(base):  # type: ignore[misc, valid-type]
        def __init__(self, gift: int = 6, gives: bool = True) -> None:
            super().__init__()
            self.gift, self.gives = gift, gives
            self.friend = -1

        def listen(self, view: Any) -> bool:
            """Whether the friend is Boss."""
            for event in view.news:
                if isinstance(event, Said) and event.text == WORD and event.seat != view.seat:
                    self.friend = event.seat
            return self.gives and view.boss is not None and view.boss == self.friend

        def offer(self, view: Any) -> Any:
            self.listen(view)
            move = move_of(super().offer(view))
            if self.gives and view.seat == view.boss and self.friend >= 0:
                offers = move.offers if isinstance(move, Offers) else ()
                present = Offer(self.friend, min(self.gift, view.proceeds))
                if view.tick == 1:
                    move = Offers((*offers[: self.rules.max_offers - 1], present))
            return Reply(move, say=WORD)

        def accept(self, view: Any) -> Any:
            self.listen(view)
            bare = not view.offer.placards and not view.offer.clans
            return True if bare and view.by == self.friend == view.boss else super().accept(view)

        def interrupt(self, view: Any) -> Any:
            spared = self.listen(view)
            answer = super().interrupt(view)
            return None if spared and isinstance(move_of(answer), TakeOver | Travel) else answer

    return Confederate


class First(befriend(bundled_class("dealmaker", "Dealmaker"))):  # type: ignore[misc]
    """Dealmaker with a friend."""


class Second(befriend(bundled_class("hoarder", "Hoarder"))):  # type: ignore[misc]
    """Hoarder with a friend."""
