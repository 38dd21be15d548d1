"""The ``arena`` command starts without what only some commands need, and with numpy in one thread."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import click
from click.testing import CliRunner

from arena.cli.main import cli
from arena.ladder.command import ladder

HEAVY = ("numpy", "yaml", "msgspec", "jinja2", "tqdm", "tabulate", "markdown_it", "arena.games")
"""What takes long to load, and the start of arena needs none of."""


def modules_after(*commands: str) -> dict[str, set[str]]:
    """The modules that are loaded when ``arena`` has run with these words, one after another in one process."""
    code = (
        "import sys\nfrom arena.cli.main import main\nfor words in sys.argv[1:]:\n"
        "    sys.argv = ['arena', *words.split()]\n"
        "    try:\n        main()\n    except SystemExit as end:\n        assert not end.code, end.code\n"
        "    print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *commands], capture_output=True, text=True, check=True)
    return {words: set(line.split()) for words, line in zip(commands, ran.stderr.splitlines(), strict=True)}


def test_the_start_loads_no_command_and_nothing_heavy() -> None:
    for words, loaded in modules_after("--version", "--help", "ladder --help").items():
        assert [name for name in HEAVY if name in loaded] == [], words
        rooms = r"arena\.(commands|runs|storage|recorded|web)\..*"
        assert [name for name in loaded if re.fullmatch(rooms, name)] == [], words


def test_no_command_waits_for_numpy_to_be_loaded_that_needs_none() -> None:
    for words, loaded in modules_after("docs rules", "show --help", "rules list").items():
        assert "numpy" not in loaded, words


def test_completion_loads_no_command() -> None:
    environment = {**os.environ, "_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": "arena re", "COMP_CWORD": "1"}
    code = (
        "import sys\nfrom arena.cli.main import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert {line.partition(",")[2] for line in ran.stdout.split()} == {"refeed", "register", "report", "rerun"}
    assert "numpy" not in ran.stderr.split()
    assert not any(name.startswith("arena.commands") for name in ran.stderr.split())


def test_help_lists_every_command_in_a_group_with_a_line_that_fits_a_terminal() -> None:
    for group in (cli, ladder):
        context = click.Context(group)
        shown = CliRunner().invoke(group, ["--help"], terminal_width=80).output
        listed = [name for entries in group.groups.values() for name in entries]
        assert len(set(listed)) == len(listed)
        for title, entries in group.groups.items():
            part = shown.partition(f"\n{title}:\n")[2].partition("\n\n")[0].splitlines()
            assert [line.split()[0] for line in part] == list(entries)
            for line, (name, entry) in zip(part, entries.items(), strict=True):
                assert line.split(maxsplit=1)[1] == entry.help
                command = group.get_command(context, name)
                assert command is not None
                assert (command.name, command.short_help) == (name, None)


def test_numpy_adds_up_in_one_thread_unless_somebody_wants_more() -> None:
    code = (
        "import os, arena.cli.main as cli; cli.main = lambda: print(os.environ['OPENBLAS_NUM_THREADS'])\n"
        "from arena.__main__ import start_command; start_command()"
    )
    plain = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for environment, threads in ((plain, "1"), ({**plain, "OPENBLAS_NUM_THREADS": "3"}, "3")):
        environment = {**environment, "PYTHONHASHSEED": "0"}
        ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        assert ran.stdout == f"{threads}\n"
