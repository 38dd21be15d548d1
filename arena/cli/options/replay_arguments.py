"""How a replay is named on the command line, as a file or as a match of a run, and an event of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from arena.errors import UserError, cut_text
from arena.recorded.event_address import Address
from arena.recorded.replay_names import is_run, name_of, runs_in
from arena.storage.packs.replay_packs import KeptReplays, id_in

Function = TypeVar("Function", bound=Callable[..., Any])
FILE_TYPE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER_TYPE = click.Path(exists=True, file_okay=False, path_type=Path)
PATH_TYPE = click.Path(exists=True, path_type=Path)
OFFERED_IDS = 500
"""Completion offers at most this number of match ids."""
MOST_DIGITS = 18
"""Digits of the longest number that is read; no file has so many lines."""


ADDRESS = re.compile(rf"#?(?:event[ =]?)?(?:(?P<ask>ask)[ =-]?)?(?P<number>[0-9]{{1,{MOST_DIGITS}}})")
"""What is read as an address of an event or an ask."""
ADDRESS_METAVAR = "EVENT|askN"


class AskAddress(click.ParamType[Address]):
    """The address of an event or an ask as an option's value: ``412`` or ``#412`` for a line of the replay, ``ask47``
    for an ask, also where its answer has no line. What commands and pages print of either is understood:
    ``#event=412``, ``ask 47``, ``#ask=47``."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Address:
        """The address. Fails with a usage error."""
        if isinstance(value, Address):
            return value
        found = ADDRESS.fullmatch(str(value).strip())
        if found is None or int(found["number"]) < 1:
            wanted = "an event (a line of the replay, from 1) such as 412, or an ask such as ask47"
            self.fail(f"expected {wanted}; got {cut_text(repr(value))}", param, ctx)
        number = int(found["number"])
        return Address(None, number) if found["ask"] else Address(number, None)


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Selects an ask of a match: by an address (``at``), and by the ``seat`` that is asked."""

    at: Address | None
    seat: int | None

    @property
    def event(self) -> int | None:
        """The event of the address, if it is one's."""
        return None if self.at is None else self.at.event

    @property
    def ask(self) -> int | None:
        """The ask of the address, if it is one's."""
        return None if self.at is None else self.at.ask


@dataclass(frozen=True, slots=True)
class RangeOptions:
    """Selects the events of a match between two addresses."""

    first: Address | None
    last: Address | None

    @property
    def is_given(self) -> bool:
        """Whether one of the ends is given."""
        return self.first is not None or self.last is not None

    def events(self, path: Path, seat: int | None) -> tuple[int | None, int | None]:
        """The first and the last event in the replay at ``path``, by the ``seat``'s own count if there is one; None for
        an end that is not given. Raises as :func:`arena.recorded.ask_detail.event_of` does."""
        from arena.recorded.ask_detail import event_of  # needed by few commands with these options

        first, last = (None if each is None else event_of(path, each, seat) for each in (self.first, self.last))
        return first, last


def at_option(help: str) -> Callable[[Function], Function]:
    """The option ``--at``, an address of an event or an ask."""
    return click.option("--at", type=AskAddress(), metavar=ADDRESS_METAVAR, help=help)


def range_options(first_help: str, last_help: str) -> Callable[[Function], Function]:
    """Add the options ``--from`` and ``--to``, gathered as :class:`RangeOptions`."""

    def add(command: Function) -> Function:
        for name, to, text in (("--to", "last", last_help), ("--from", "first", first_help)):
            command = click.option(name, to, type=AskAddress(), metavar=ADDRESS_METAVAR, help=text)(command)
        return command

    return add


def replay_argument(command: Function) -> Function:
    """Add the argument that names one replay; the command gets the name as ``file``."""
    return _replay_argument(command, required=True)


def optional_replay_argument(command: Function) -> Function:
    """Add the argument that may name one replay; where it does not, ``file`` is None."""
    return _replay_argument(command, required=False)


def _replay_argument(command: Function, required: bool) -> Function:
    return click.argument(
        "file",
        nargs=-1,
        required=required,
        metavar="FILE|DIR MATCH",
        callback=_read_replay_name,
        shell_complete=complete_replays,
    )(command)


def replays_argument(command: Function) -> Function:
    """Add the argument that names replays, runs and matches of runs; the command gets the names as ``paths``."""
    return click.argument(
        "paths",
        nargs=-1,
        required=True,
        metavar="FILE|DIR [MATCH]...",
        callback=_read_replay_names,
        shell_complete=complete_replays,
    )(command)


def replay_or_run_argument(command: Function) -> Function:
    """Add the argument that names one replay, or a folder of replays; the command gets the name as ``place``."""
    return click.argument(
        "place",
        nargs=-1,
        required=True,
        metavar="FILE|DIR [MATCH]",
        callback=_one_or_run,
        shell_complete=complete_replays,
    )(command)


def _one_or_run(context: click.Context, param: click.Parameter, words: Sequence[str]) -> Any:
    """The name of the one replay, or the folder of a run or of replays."""
    path = Path(words[0]) if len(words) == 1 else None
    if path is None or context.resilient_parsing or not path.is_dir() or (runs_in(path) and not is_run(path)):
        return _read_replay_name(context, param, words)
    return path


def _read_replay_name(context: click.Context, param: click.Parameter, words: Sequence[str]) -> Any:
    """The name of one replay. Raises UserError for the folder of a run."""
    if context.resilient_parsing:
        return words
    if not words:
        return None
    if len(words) == 2:
        return name_of(FOLDER_TYPE.convert(words[0], param, context), words[1])
    if len(words) > 2:
        raise click.UsageError(f"expected FILE, or DIR and MATCH; got {len(words)} words", context)
    path = Path(words[0])
    if is_run(path):
        example = _example_arguments(path)
        said = f"say which match of it, such as: {context.command_path} {example}" if example else "it has none"
        raise UserError(f"{path} is a run's folder, expected a replay; {said}")
    if runs := runs_in(path):
        example = next(filter(None, map(_example_arguments, runs)), "")
        said = f"name one and a match, such as: {context.command_path} {example}" if example else "they have none"
        raise UserError(f"{path} holds {len(runs)} run{'s' * (len(runs) > 1)}, expected a replay; {said}")
    return _packed_replay_name(path) or FILE_TYPE.convert(words[0], param, context)


def _example_arguments(run: Path) -> str:
    """A run's folder and one of its matches with a replay, as one types them; empty if the run has no replay."""
    first = next(KeptReplays(run).ids(), None)
    return "" if first is None else f"{quote(str(run))} {quote(first)}"


def _packed_replay_name(path: Path) -> Path | None:
    """The name of the packed replay that ``path`` refers to; None if it refers to none."""
    found = None if path.exists() else id_in(path)
    return name_of(*found) if found is not None and found[0].is_dir() else None


def _read_replay_names(context: click.Context, param: click.Parameter, words: Sequence[str]) -> Any:
    """The names of all replays, and folders."""
    if context.resilient_parsing:
        return words
    found: list[Path] = []
    run, ids = Path(), set[Path]()
    for word in words:
        path = Path(word)
        if path.exists() or not (is_run(run) and re.search(r"/b\d+/", word)) or id_in(path):
            found.append(_packed_replay_name(path) or PATH_TYPE.convert(word, param, context))
            run = path if is_run(path) else run
        else:
            ids.add(run)
            found.append(name_of(run, word))
    return tuple(path for path in found if path not in ids)


def complete_replays(context: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Shell completion: files, or after a run's folder its matches."""
    words = context.params.get("folder"), *(context.params.get(param.name or "") or ())
    words = tuple(word for word in words if word)
    if words and is_run(Path(words[-1])):
        ids = (id for id in KeptReplays(Path(words[-1])).ids() if id.startswith(incomplete))
        return [CompletionItem(id) for id in islice(ids, OFFERED_IDS)]
    return PATH_TYPE.shell_complete(context, param, incomplete)


def bots_by_entrant(given: Iterable[str]) -> dict[str, str]:
    """Parse the values of ``--bot ENTRANT=BOT`` into bots by entrant. Raises UserError for a value without ``=``."""
    found = {}
    for each in given:
        entrant, equals, bot = each.partition("=")
        if not equals:
            raise UserError(f"--bot {each}: expected ENTRANT=BOT, such as mybot=./mybot.py")
        found[entrant] = bot
    return found
