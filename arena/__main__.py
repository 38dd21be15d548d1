"""``python -m arena`` and the ``arena`` command start here."""

from __future__ import annotations

import gc
import os
import resource
import sys


def start_command() -> None:
    """Run the command, always under hash seed 0.

    A bot that iterates over a set of texts would otherwise play differently each time Python starts. The seed can only
    be chosen before the interpreter starts, so this process replaces itself, before it imports anything slow.
    """
    _open_streams()
    if os.environ.get("PYTHONHASHSEED") != "0" and not sys.flags.ignore_environment:
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    gc.disable()  # what is imported is no garbage; the command that is called enables it
    # numpy reads it when it is loaded: sums that threads share out depend on how many there are, and take longer here
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    limited = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    try:
        if limited:
            _keep_imports_silent()
        from arena.cli.main import main
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:  # without memory imports fail in many ways, a SystemError among them
        if not limited:
            raise
        _end_without_memory()
    try:
        main()
    except SystemError:  # the same, where the command itself is loaded
        if not limited:
            raise
        _end_without_memory()


def _end_without_memory() -> None:
    os.write(2, b"arena: too little memory to start; look at: ulimit -v\n")
    os._exit(1)


def _keep_imports_silent() -> None:
    """Suppress the output of modules that log while they are imported, as hashlib does, with a traceback, for each hash
    whose code does not fit into memory."""
    import logging

    logging.getLogger().addHandler(logging.NullHandler())


def _open_streams() -> None:
    """Open those of standard input, output and error that the caller has closed, connected to nothing. Otherwise the
    next opened file would take their place, and receive what is printed."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w", closefd=False))  # noqa: SIM115 - as long as the program runs
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # file names may be any bytes


if __name__ == "__main__":
    start_command()
