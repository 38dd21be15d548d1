"""``python -m arena`` and the ``arena`` command start here."""

from __future__ import annotations

import os
import sys


def start() -> None:
    """Run the command, always under hash seed 0.

    A bot that iterates over a set of texts would otherwise play differently each time Python starts. The seed can
    only be chosen before the interpreter runs, so this one replaces itself, before anything slow is imported.
    """
    if os.environ.get("PYTHONHASHSEED") != "0" and not sys.flags.ignore_environment:
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    try:
        from arena.cli.main import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()


if __name__ == "__main__":
    start()
