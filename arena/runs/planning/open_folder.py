"""Opens the folder of a run: a new one, or one that was begun."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from arena.config.tournament_config import isolation_word
from arena.errors import UserError
from arena.runs.planning.extension import longer_settings
from arena.runs.planning.isolation_level import BotPermissions
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import check_same_plan, facts_of
from arena.storage.files.atomic_files import check_place
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore


def new_run_folder(name: str, out: Path | None) -> Path:
    """An empty folder for a run: ``out``, or ``results/NAME-YYYYMMDD-HHMMSS``. Raises UserError where it is not
    empty."""
    check_place(out or Path("results"), "--out", folder=True)
    if out is None:
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        plain = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
        tries = (Path("results") / f"{plain}-{stamp}{suffix}" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
        out = next(path for path in tries if not path.exists())
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        again = f", or resume it with: {FolderStore(out).resume_command()}" if (out / MANIFEST_FILE).is_file() else ""
        raise UserError(f"{out} exists already; choose another --out{again}")
    return out


def new_store(name: str, out: Path | None) -> FolderStore:
    """An empty store for a run of this name; see :func:`new_run_folder`."""
    return FolderStore(new_run_folder(name, out))


def open_run(
    folder: Path, blocks: int | None = None, matches: int | None = None, trust: bool = False, wider: bool = False
) -> tuple[Plan, FolderStore]:
    """The plan and the store of a run that was begun in ``folder``, to be continued, with this many ``blocks`` or
    ``matches`` if given; ``trust`` and ``wider`` are as for :func:`arena.runs.planning.make_plan.make_plan`. Raises
    UserError where there is no run, where the configuration, bots, rules or isolation are not those it began with, or
    where it already has more blocks."""
    store = _store_of(folder)
    _check_trust(store.facts(), trust)
    more = blocks is not None or matches is not None
    share = store.facts().played_share
    if share is not None and more:
        raise UserError(f"{folder} is share {share}: a longer run has other shares; start all of them again")
    overrides = longer_settings(store.facts(), blocks, matches) if more else []
    count = matches if not overrides else None
    plan = make_plan(folder / CONFIG_FILE, overrides, trust=trust, matches=count, share=share, wider=wider)
    check_same_plan(store.facts(), facts_of(plan, ""), more_blocks=more)
    return plan, store


def reopen_plan(folder: Path, began: Facts, trust: bool = False, wider: bool = False) -> Plan:
    """The plan of what was begun in ``folder`` with these facts. ``trust`` and ``wider`` are as for :func:`open_run`.
    Raises UserError where the configuration, bots, rules or isolation are not those it began with."""
    _check_trust(began, trust)
    plan = make_plan(folder / CONFIG_FILE, trust=trust, wider=wider)
    check_same_plan(began, facts_of(plan, ""))
    return plan


def open_played(folder: Path, word: BotPermissions) -> tuple[Plan, FolderStore]:
    """The plan and the store of the run in ``folder``, for playing some of its matches again without writing anything.
    Its bots are isolated as strongly as this system can, unless ``word`` trusts them, whether or not the run did.
    Raises UserError where there is no run, or where the configuration, bots or rules are not those it began with."""
    store = _store_of(folder)
    overrides = [] if word.require is None else [f"require={word.require}"]
    if isolation_word(word.trust, word.isolate_all) == "all":
        overrides.append("isolation=all")
    plan = make_plan(
        folder / CONFIG_FILE, overrides, trust=word.trust, share=store.facts().played_share, wider=word.wider
    )
    check_same_plan(store.facts(), facts_of(plan, ""), isolated_alike=False)
    return plan, store


def _store_of(folder: Path) -> FolderStore:
    """The store of the run in ``folder``. Raises UserError where there is none."""
    config = folder / CONFIG_FILE
    if not config.is_file():
        raise UserError(f"{folder} holds no run: {config} is missing")
    return FolderStore(folder)


def _check_trust(began: Facts, trust: bool) -> None:
    """Raise UserError where the run began with trusted bots and is not to be continued with them, or the reverse: all
    matches of a run have the same isolation, and the folder does not decide whether bots are trusted."""
    if began.is_trusted and not trust:
        raise UserError("this run began with its bots trusted (isolation none); if you trust them, add --trust")
    if trust and not began.is_trusted:
        level = began.isolation.get("level")
        raise UserError(f"this run began with bots at isolation level {level}: leave out --trust")
