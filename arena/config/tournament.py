"""The tournament file: who plays which editions, how often, at which seats and under which limits."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from arena.config.botspec import Scalar, parse_bot
from arena.config.document import Document, child, item
from arena.config.expected import found
from arena.config.patch import override
from arena.config.typed import convert
from arena.config.yamlfile import read
from arena.errors import BotError, nearest

SeatOrders = Literal["rotations", "balanced", "all"]
FaultPolicy = Literal["substitute", "forfeit", "void"]
Replays = Literal["all", "faults", "none"]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0)]

SEATS = range(2, 7)
NAME_LENGTH = 40


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the file's records."""


class Entrant(_Section):
    """A bot with options, under a name of its own. In the file a plain string stands for ``bot``, and may
    bring options (``greedy?greed=0.4``); ``name`` is by default the class, file stem or bundled name."""

    bot: str
    name: str = ""
    options: dict[str, Scalar] = {}


class Edition(_Section):
    """Rules (a bundled name or a file's path), variants of theirs, and single differences (RFC 7396). In the
    file a plain string stands for ``rules``."""

    rules: str
    variants: tuple[str, ...] = ()
    set: dict[str, Any] = {}


class Limits(_Section):
    """Seconds: to be ready (``start``), for one answer (``ask``), and what slow answers may draw on in a whole
    match (``bank``)."""

    start: Seconds = 10.0
    ask: Seconds = 1.0
    bank: Annotated[float, Meta(ge=0)] = 10.0


class Tournament(_Section):
    """A whole tournament file, checked and spelled out: every entrant has its name, paths are absolute.

    None leaves it to the caller: ``seed`` to be drawn, ``seats`` as many as there are entrants up to the
    edition's maximum, ``jobs`` all cores. In the file ``seed`` may be a number and ``seats`` a single one.
    """

    name: str
    entrants: tuple[Entrant, ...]
    editions: tuple[Edition, ...]
    seed: str | None = None
    seats: tuple[int, ...] | None = None
    blocks: Positive = 1
    seat_orders: SeatOrders = "rotations"
    fault_policy: FaultPolicy = "substitute"
    strikes: Positive = 3
    limits: Limits = Limits()
    jobs: Positive | None = None
    replays: Replays = "all"


def load_tournament(path: str | os.PathLike[str], overrides: Iterable[str] = (), *, files: bool = True) -> Tournament:
    """The tournament in the file at ``path``, after the ``key=value`` overrides in their order.

    Paths of bots and rules count from the file's folder, else from the current one. ``files=False`` does not
    ask whether they exist, for looking at a finished run. Raises ConfigError for all that is wrong without
    knowing bots or rules.
    """
    document = _spelled_out(read(path))
    for setting in overrides:
        document = _spelled_out(override(document, setting))
    tournament = convert(document, Tournament)
    _check_name(document, "name", tournament.name)
    _check_seed(document, tournament.seed)
    _check_seats(document, tournament)
    folder = Path(path).parent
    return msgspec.structs.replace(
        tournament,
        entrants=_entrants(document, tournament.entrants, folder, files),
        editions=_editions(document, tournament.editions, folder, files),
    )


def to_data(tournament: Tournament) -> dict[str, Any]:
    """Everything in plain data, defaults included; dumped as YAML it loads as an equal tournament."""
    data: dict[str, Any] = msgspec.to_builtins(tournament)
    return data


def _spelled_out(document: Document) -> Document:
    """The document with every short form written out, so that overrides and types meet one form only."""
    if not isinstance(document.data, dict):
        return document
    data = dict(document.data)
    if isinstance(data.get("entrants"), list):
        data["entrants"] = [
            _entrant(document, item("entrants", index), entry) for index, entry in enumerate(data["entrants"])
        ]
    if isinstance(data.get("editions"), list):
        data["editions"] = [
            _edition(document, item("editions", index), entry) for index, entry in enumerate(data["editions"])
        ]
    for key, short in (("seed", str), ("seats", lambda number: [number])):
        if type(data.get(key)) is int:
            data[key] = short(data[key])
    return document.replaced(data)


def _entrant(document: Document, path: str, entry: Any) -> Any:
    if isinstance(entry, dict):
        return entry
    if not isinstance(entry, str):
        raise document.error(path, f"expected a bot or a mapping with the key 'bot', got {found(entry)}")
    try:
        spec = parse_bot(entry)
    except BotError as problem:
        raise document.error(path, str(problem)) from None
    return {"bot": spec.text, **({"options": spec.options} if spec.options else {})}


def _edition(document: Document, path: str, entry: Any) -> Any:
    if isinstance(entry, dict):
        return entry
    if not isinstance(entry, str):
        raise document.error(path, f"expected rules or a mapping with the key 'rules', got {found(entry)}")
    return {"rules": entry}


def _entrants(document: Document, entrants: tuple[Entrant, ...], folder: Path, files: bool) -> tuple[Entrant, ...]:
    """The entrants with resolved bots and names of their own."""
    if len(entrants) < 2:
        raise document.error("entrants", f"expected at least 2 entrants, got {len(entrants)}")
    resolved: list[Entrant] = []
    names: dict[str, str] = {}
    for index, entrant in enumerate(entrants):
        path = item("entrants", index)
        entrant = _resolved(document, path, entrant, folder, files)
        if entrant.name in names:
            raise document.error(
                path, f"{names[entrant.name]} is called {entrant.name!r} too; give each a 'name' of its own"
            )
        names[entrant.name] = path
        resolved.append(entrant)
    return tuple(resolved)


def _resolved(document: Document, path: str, entrant: Entrant, folder: Path, files: bool) -> Entrant:
    bot_path, name_path = child(path, "bot"), child(path, "name")
    try:
        spec = parse_bot(entrant.bot)
    except BotError as problem:
        raise document.error(bot_path, str(problem)) from None
    if spec.options or "?" in entrant.bot:
        raise document.error(bot_path, "options after '?' stand in plain strings only; write them under 'options'")
    index = int(path.removeprefix("entrants[").removesuffix("]"))
    named = "name" in document.data["entrants"][index]
    name = entrant.name if named else spec.default_name
    _check_name(document, name_path, name)
    if spec.kind == "file":
        spec = msgspec.structs.replace(spec, target=_file(document, bot_path, spec.target, folder, files))
    return msgspec.structs.replace(entrant, bot=spec.text, name=name)


def _editions(document: Document, editions: tuple[Edition, ...], folder: Path, files: bool) -> tuple[Edition, ...]:
    """The editions with resolved files."""
    if not editions:
        raise document.error("editions", "expected at least 1 edition, got an empty list")
    resolved: list[Edition] = []
    for index, edition in enumerate(editions):
        path = item("editions", index)
        for place, variant in enumerate(edition.variants):
            if variant in edition.variants[:place]:
                raise document.error(item(child(path, "variants"), place), f"the variant {variant!r} stands twice")
        if edition.rules.endswith((".yaml", ".yml")):
            rules = _file(document, child(path, "rules"), edition.rules, folder, files)
            edition = msgspec.structs.replace(edition, rules=rules)
        if edition in resolved:
            raise document.error(path, f"the same as {item('editions', resolved.index(edition))}")
        resolved.append(edition)
    return tuple(resolved)


def _file(document: Document, key: str, target: str, folder: Path, files: bool) -> str:
    """The absolute path of ``target``, from ``folder`` if it is there, else from the current folder."""
    near, here = (os.path.abspath(os.path.join(base, target)) for base in (folder, "."))
    path = near if os.path.isfile(near) else here
    if files and not os.path.isfile(path):
        try:
            close = nearest(os.path.basename(near), sorted(os.listdir(os.path.dirname(near))))
        except OSError:
            close = ""
        looked = near if near == here else f"{near} or {here}"
        raise document.error(key, f"no file {looked}{close}")
    return path


def _check_name(document: Document, path: str, name: str) -> None:
    if not name.strip():
        raise document.error(path, "expected a name, got empty text")
    if len(name) > NAME_LENGTH:
        raise document.error(path, f"expected a name of at most {NAME_LENGTH} characters, got {len(name)}")
    if "/" in name or not name.isprintable():
        raise document.error(path, f"expected a name without '/' and control characters, got {name!r}")


def _check_seed(document: Document, seed: str | None) -> None:
    if seed is not None and (not seed or not seed.isprintable()):
        raise document.error("seed", f"expected text without line breaks and control characters, got {seed!r}")


def _check_seats(document: Document, tournament: Tournament) -> None:
    seats = tournament.seats
    if seats is None:
        return
    if not seats:
        raise document.error("seats", "expected numbers of seats, got an empty list")
    for index, number in enumerate(seats):
        path = item("seats", index)
        if number not in SEATS:
            raise document.error(path, f"expected {SEATS[0]} to {SEATS[-1]} seats, got {number}")
        if number in seats[:index]:
            raise document.error(path, f"{number} stands twice")
        if number > len(tournament.entrants):
            raise document.error(path, f"{number} seats, but only {len(tournament.entrants)} entrants")
