"""The classes of the bundled bots, for type checkers and editors."""

from pathlib import Path

from arena.bot import Bot
from arena.games.board import BoardBot, BoardView
from arena.games.cards import Card, CardsBot, CardsView
from arena.games.cards.strategy import Choice, Outlook

def bundled_classes() -> dict[str, Path]: ...
def is_bundled(cls: type[Bot]) -> bool: ...

class Closer(CardsBot):
    def __init__(self, few: int = 1) -> None: ...

class Counter(CardsBot): ...

class Cousin(CardsBot):
    def __init__(self, least: int = 5) -> None: ...

class Dealmaker(BoardBot):
    def __init__(self, bar: float = 4.0, ripe: int = 4) -> None: ...
    def hope(self, view: BoardView) -> float: ...

class Fair(BoardBot, CardsBot):  # type: ignore[misc]
    def __init__(self, keep: float = 0.0) -> None: ...

class Greedy(BoardBot):
    def __init__(self, greed: float = 0.4) -> None: ...

class Hard(BoardBot):
    def __init__(self, patience: int = 5, keep: float = 0.4) -> None: ...

class Hoarder(BoardBot):
    def __init__(self, ripe: int = 4) -> None: ...

class Injector(Hard): ...

class Magnate(Dealmaker):
    asked: float

    def __init__(self, bar: float = 4.0, ripe: int = 4, dear: int = 5, asked: float = 1.2) -> None: ...

class Miser(CardsBot):
    def __init__(self, least: int = 10) -> None: ...

class Planner(Dealmaker):
    def __init__(
        self, playouts: int = 24, doubt: float = 1.0, seconds: float = 0.0, bar: float = 4.0, ripe: int = 4
    ) -> None: ...

class RandomLegal(Bot): ...

class Saboteur(BoardBot):
    def __init__(self, toll: float = 1.0) -> None: ...

class Schemer(Usurper):
    def __init__(self, playouts: int = 100, doubt: float = 0.5, few: int = 2, seconds: float = 0.0) -> None: ...

class Silent(Bot): ...

class Spoiler(CardsBot):
    def __init__(self, own: float = 0.5) -> None: ...

class Strategist(Magnate):
    def __init__(self, playouts: int = 100, doubt: float = 0.0, seconds: float = 0.0) -> None: ...

class Tactician(Magnate):
    def __init__(
        self,
        playouts: int = 100,
        single: bool = False,
        exploration: float = 0.4,
        doubt: float = 0.0,
        seconds: float = 0.0,
    ) -> None: ...

class Talker(BoardBot, CardsBot):  # type: ignore[misc]
    def __init__(
        self, language: str = "en", plays: str = "", model: str = "", max_tokens: int = 1000, attempts: int = 3
    ) -> None: ...

class Tycoon(CardsBot):
    rush: float
    hand: list[Card]
    others: int

    def __init__(self, rush: float = 0.3, hope: float = 0.7) -> None: ...
    def look(self, view: CardsView) -> None: ...
    def worth(self, view: CardsView, found: Outlook, hand: list[Card]) -> float: ...
    def options(self, view: CardsView) -> list[Choice]: ...

class Usurper(Tycoon):
    def __init__(
        self,
        rush: float = 0.3,
        hope: float = 0.7,
        pota: int = 200,
        reverse: int = 300,
        move: int = 200,
        more: int = 300,
    ) -> None: ...
    def score(self, view: CardsView, choice: Choice) -> float: ...
