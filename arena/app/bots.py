"""Bots: what there is, a new one from the template, and a check of one against the bundled ones."""

from __future__ import annotations

import ast
import difflib
import keyword
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import msgspec

from arena.app.again import play_again
from arena.app.isolation import Isolation, files_of
from arena.app.loading import check_loading, refer
from arena.app.replays import count_faults, load
from arena.app.rules import list_editions
from arena.app.schema import GAMES
from arena.app.specs import spec_of
from arena.config.botspec import parse_bot
from arena.config.editions import Edition, load_edition
from arena.errors import UserError
from arena.executors.pool import Pool
from arena.games import load_game
from arena.match.spec import MatchSpec
from arena.match.work import Done, Work, write_whole
from arena.players.loading import BotRef, bundled_bots, find_file
from arena.resources import templates
from arena.sandbox.probe import Level
from arena.tournament.records import MatchRecord

CHECKED = "checked"


class Described(msgspec.Struct):
    """A bundled bot: name, first line of its description, file."""

    name: str
    description: str
    file: str


def list_bots() -> list[Described]:
    """The bots that ship with arena, described by their first lines."""
    found = []
    for name, path in bundled_bots().items():
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found.append(Described(name, text.partition("\n")[0], str(path)))
    return found


def new_bot(name: str, folder: Path) -> tuple[Path, Path]:
    """Write ``NAME.py`` and ``test_NAME.py`` into ``folder``. Raises UserError for a name that cannot be a class, or a
    file that exists already."""
    if "/" in name or "\\" in name:
        raise UserError(f"{name!r} is a path; give a name, and the folder with --folder")
    stem = re.sub(r"\W+", "_", name.removesuffix(".py")).strip("_").lower()
    title = "".join(part.capitalize() for part in stem.split("_"))
    if not title.isidentifier():
        raise UserError(f"{name!r} cannot be a bot's name; take letters, digits and _, beginning with a letter")
    if keyword.iskeyword(stem) or stem == "arena" or stem in sys.stdlib_module_names:
        raise UserError(f"{stem!r} is a word or a module of Python's, and {stem}.py would hide it; choose another name")
    bot, test = folder / f"{stem}.py", folder / f"test_{stem}.py"
    for path, template in ((bot, "bot.py.txt"), (test, "test_bot.py.txt")):
        if path.exists():
            raise UserError(f"{path} exists already; choose another name or --folder")
        text = (templates() / template).read_text(encoding="utf-8")
        write_whole(path, text.format(title=title, file=bot.name, test=test.name).encode())
    return bot, test


class FaultSeen(msgspec.Struct):
    """A fault that a check met, with the first place it was met at."""

    kind: str
    rule: str
    hook: str
    evidence: str
    edition: str
    players: int
    seed: str
    count: int = 1


class Report(msgspec.Struct):
    """What a check found. ``asks`` counts by hook; ``start`` and times an ask are in seconds; ``memory`` is the most
    that the bot's process held, ``sent`` and ``received`` the mean of a message, in bytes (0: it had no process);
    ``repeats`` is whether every match played twice came out the same; ``misspelt`` are methods that look like hooks
    and are none, with the nearest."""

    bot: str
    level: Level
    matches: int
    asks: dict[str, int]
    faults: list[FaultSeen]
    start: float
    mean: float
    median: float
    worst: float
    memory: int
    sent: float
    received: float
    repeats: bool
    differs: str = ""
    misspelt: list[tuple[str, str]] = []

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong with the bot."""
        return not self.faults and self.repeats and not self.misspelt


def check_bot(name: str, jobs: int, isolation: Isolation) -> Report:
    """Play the bot in every edition and number of players against the bundled ones, everything twice: the second
    time in another interpreter with another hash seed, and in the opposite order."""
    ref = refer(parse_bot(name))
    check_loading([ref], isolation)
    with tempfile.TemporaryDirectory() as folder:
        works = list(_works(ref, Path(folder), isolation))
        with closing(Pool(jobs)) as pool:
            done = list(pool.run(works))
        report = _report(name, isolation.level, works, done, play_again(works, jobs), Path(folder))
    report.misspelt = _misspelt(ref)
    return report


def _misspelt(ref: BotRef) -> list[tuple[str, str]]:
    """Methods in the bot's file whose names are nearly those of hooks."""
    hooks = [name for game in GAMES for name in load_game(game).hooks]
    if not ref.path or ref.command:
        return []
    try:
        tree = ast.parse(Path(ref.path).read_text(encoding="utf-8", errors="replace"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # its faults say what is wrong
    methods = [
        item.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    known = [*hooks, "start", "finish"]
    close = [(name, difflib.get_close_matches(name, known, n=1, cutoff=0.75)) for name in methods if name not in known]
    return [(name, found[0]) for name, found in close if found]


def _works(ref: BotRef, folder: Path, isolation: Isolation) -> Iterator[Work]:
    """Every edition × number of players, the bot in changing seats."""
    others = [find_file(name) for name in bundled_bots()]
    number = 0
    for listed in list_editions():
        edition = load_edition(listed.name)
        for players in edition.seats:
            number += 1
            opponents = list(islice(cycle(others), number, number + players - 1))
            seat = number % players
            bots = (*opponents[:seat], ref, *opponents[seat:])
            yield Work(
                spec=_spec(edition, bots, seat, number),
                bots=bots,
                folder=str(folder),
                replays="faults",
                policy=isolation.policy,
                hidden=files_of(bots),
            )


def _spec(edition: Edition, bots: tuple[BotRef, ...], seat: int, number: int) -> MatchSpec:
    names = [CHECKED if index == seat else f"{bot.name}#{index}" for index, bot in enumerate(bots)]
    id = f"{edition.label}-{len(bots)}p"
    return spec_of(edition, names, bots, id=id, tournament="check", seed=f"check-{number}", strikes=10)


def _report(
    name: str, level: Level, works: list[Work], done: list[Done], again: list[MatchRecord], folder: Path
) -> Report:
    asks: Counter[str] = Counter()
    seats = [seat for each in done for seat in each.timing.seats if seat.entrant == CHECKED]
    for seat in seats:
        asks.update(seat.hooks)
    put = max(1, asks.total())
    differing = [one.record.id for one, two in zip(done, again, strict=True) if one.record != two]
    return Report(
        bot=name,
        level=level,
        matches=len(done) + len(again),
        asks=dict(asks),
        faults=_faults(works, done, folder),
        start=median(seat.start for seat in seats),
        mean=sum(seat.total for seat in seats) / put,
        median=median(seat.median for seat in seats),
        worst=max(seat.worst for seat in seats),
        memory=max(seat.memory for seat in seats),
        sent=sum(seat.sent for seat in seats) / put,
        received=sum(seat.received for seat in seats) / put,
        repeats=not differing,
        differs=differing[0] if differing else "",
    )


def _faults(works: list[Work], done: list[Done], folder: Path) -> list[FaultSeen]:
    """The checked bot's faults, equal ones counted together."""
    found: dict[tuple[str, str, str], FaultSeen] = {}
    for work, each in zip(works, done, strict=True):
        seat = next(index for index, one in enumerate(work.spec.seats) if one.entrant == CHECKED)
        if not each.record.seats[seat].faults:
            continue
        for fault in count_faults(load(folder / each.record.replay)[1]):
            key = (fault.kind, fault.rule, fault.hook)
            if fault.seat != seat:
                continue
            if key in found:
                found[key].count += fault.count
            else:
                spec = work.spec
                found[key] = FaultSeen(*key, fault.evidence, spec.edition, len(spec.seats), spec.seed, fault.count)
    return list(found.values())
