"""A new bot from a template: a file with its tests, or a whole folder."""

from __future__ import annotations

import json
import keyword
import re
import sys
from pathlib import Path

import msgspec

from arena.config.editions import load_edition
from arena.errors import UserError, nearest_hint
from arena.games import built_in_games, import_game, load_game
from arena.resources import templates_folder
from arena.runs.bundled_bots import bundled_opponents, first_edition
from arena.runs.single_match import DEFAULT_RULES
from arena.storage.files.atomic_files import check_place, write_whole


class NewBotFiles(msgspec.Struct):
    """The files that were written: ``files`` in the folder ``home``, and the paths of ``bot`` and ``test`` from there;
    the ``opponents`` and ``rules`` ("": the default ones) of an example table."""

    home: Path
    files: tuple[str, ...]
    bot: str
    test: str
    opponents: tuple[str, ...]
    rules: str


def games_with_template() -> tuple[str, ...]:
    """The games that there is a template of a bot for."""
    return tuple(game for game in built_in_games() if load_game(game).presenting.bot_template is not None)


def new_bot(name: str, folder: Path, game: str, rules: str = "") -> NewBotFiles:
    """Write ``NAME.py``, a bot for ``game``, and ``test_NAME.py`` into ``folder``; its example table has these
    ``rules`` ("": those that ship with arena). Raises UserError for a name that cannot be a class, a game without a
    template or without rules, or a file that exists already."""
    template = _template(game)
    stem = _stem(name)
    check_place(folder, "--folder", folder=True)
    bot, test = f"{stem}.py", f"test_{stem}.py"
    for path in (folder / bot, folder / test):
        if path.exists():
            raise UserError(f"{path} exists already; choose another name or --folder")
    place = f'Path(__file__).with_name("{bot}")'
    return _write_parts(
        folder,
        {bot: template, test: _shared_template("test_bot.py")},
        bot,
        test,
        _template_words(stem, game, place, rules),
    )


def write_bot_folder(name: str, folder: Path, game: str, rules: str = "") -> NewBotFiles:
    """Write a folder ``NAME`` into ``folder``, with a bot for ``game`` that is a folder itself, its tests, a tournament
    against bundled bots, and a README. Raises UserError as :func:`new_bot` does."""
    template = _template(game)
    stem = _stem(name)
    if stem == "tests":
        raise UserError("'tests' is the folder of the bot's tests; choose another name")
    home = folder / stem
    check_place(home, "--folder", folder=True)
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise UserError(f"{home} exists already; choose another name or --folder")
    test = f"tests/test_{stem}.py"
    parts = {
        "README.md": _shared_template("readme.md"),
        f"{stem}/__init__.py": _shared_template("package.py"),
        f"{stem}/bot.py": template,
        test: _shared_template("test_bot.py"),
        "tournament.yaml": _shared_template("tournament.yaml"),
    }
    place = f'Path(__file__).parents[1] / "{stem}"'
    return _write_parts(home, parts, f"{stem}/", test, _template_words(stem, game, place, rules))


def _template(game: str) -> str:
    """The game's template for bots. Raises UserError if it has none."""
    there = f"there are {', '.join(games_with_template())}"
    if "." not in game and game not in built_in_games():
        raise UserError(f"no template for {game!r}{nearest_hint(game, games_with_template())}; {there}")
    template = import_game(game).presenting.bot_template
    if template is None:
        raise UserError(f"the game {game} has no template of a bot (Presenting.bot_template); {there}")
    return template()


def _stem(name: str) -> str:
    """The name of the bot's file or folder, without suffix."""
    if "/" in name or "\\" in name:
        raise UserError(f"{name!r} is a path; give a name, and the folder with --folder")
    stem = re.sub(r"\W+", "_", name.removesuffix(".py")).strip("_").lower()
    if not _class_title(stem).isidentifier():
        raise UserError(f"{name!r} cannot be a bot's name; use letters, digits and _, beginning with a letter")
    if keyword.iskeyword(stem) or stem == "arena" or stem in sys.stdlib_module_names:
        raise UserError(
            f"{stem!r} is a keyword or a module of Python, and {stem}.py would hide it; choose another name"
        )
    return stem


def _class_title(stem: str) -> str:
    return "".join(part.capitalize() for part in stem.split("_"))


def _template_words(stem: str, game: str, place: str, rules: str) -> dict[str, str]:
    """The values that fill the gaps in the templates, except the names of the files. ``place`` is the bot's module, as
    its tests import it."""
    if not rules and "." in game:
        raise UserError(f"no rules of the game {game} ship with arena; name the file that has them: --rules FILE")
    rules = rules or first_edition(game)
    edition = load_edition(rules)
    if edition.game != game:
        raise UserError(f"{rules} has rules of the game {edition.game}, not of {game}")
    if rules.endswith((".yaml", ".yml")):
        rules = str(Path(rules).absolute())
    opponents = bundled_opponents(game, edition.seats, 1)
    return {
        "title": _class_title(stem),
        "stem": stem,
        "game": game,
        "page": import_game(game).presenting.rules_page,
        "place": place,
        "opponents": json.dumps(opponents),
        "entrants": "".join(f"  - {each}\n" for each in opponents if each != stem),  # names are unique
        "table": " ".join([*opponents, *([] if rules == DEFAULT_RULES else ["--rules", rules])]),
        "rules": rules,
    }


def _shared_template(name: str) -> str:
    """A template that is the same for bots of all games."""
    return (templates_folder() / f"{name}.txt").read_text(encoding="utf-8")


def _write_parts(home: Path, parts: dict[str, str], bot: str, test: str, words: dict[str, str]) -> NewBotFiles:
    """Write the ``parts``, templates by file name, into the folder ``home``, filled in with ``words``."""
    for path, text in parts.items():
        write_whole(home / path, text.format(**words, file=bot, test=test).encode())
    rules = "" if words["rules"] == DEFAULT_RULES else words["rules"]
    return NewBotFiles(home, tuple(parts), bot, test, tuple(json.loads(words["opponents"])), rules)
