"""Hands the summary of `arena ladder play` to a command of the operator's and to a webhook when play ends."""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from arena.cli.print_message import print_message
from arena.errors import UserError

COMMAND_SECONDS, WEBHOOK_SECONDS = 300, 20
"""Seconds that the command and the webhook may take."""
STANDARD_ERROR = 2
"""Where the command prints: standard output has the summary alone."""
HIDDEN_OPTIONS = ("--webhook", "--on-end")
"""Options whose values may hold secrets: a recorded command is without them."""


@dataclass(frozen=True, slots=True)
class NoticeOptions:
    """Whom to tell when play ends: a shell command (``on_end``), and the address of a ``webhook``."""

    on_end: str | None
    webhook: str | None

    def check(self) -> None:
        """Raise UserError where the webhook's address is not one of http or https."""
        if self.webhook is not None:
            address = urlsplit(self.webhook)
            if address.scheme not in ("http", "https") or not address.hostname:
                raise UserError("--webhook: expected an address that begins with https:// or http://")

    def send(self, summary: Mapping[str, Any], text: str) -> None:
        """Hand over the ``summary``, and to the webhook also the ``text`` that says the same. A failure prints a
        message and changes nothing else."""
        if self.on_end is not None:
            _run_command(self.on_end, msgspec.json.encode(summary), str(summary["exit_code"]))
        if self.webhook is not None:
            _post(self.webhook, msgspec.json.encode({**summary, "text": text, "content": text}))


def notice_options(command: Any) -> Any:
    """Add the options of :class:`NoticeOptions`."""
    on_end = click.option(
        "--on-end", metavar="CMD", help="When play ends, run this shell command with the summary (JSON) as its input."
    )
    webhook = click.option(
        "--webhook",
        metavar="URL",
        envvar="ARENA_LADDER_WEBHOOK",
        help="When play ends, POST the summary there; better given as ARENA_LADDER_WEBHOOK, which stays hidden.",
    )
    return on_end(webhook(command))


def _run_command(command: str, summary: bytes, exit_code: str) -> None:
    try:
        ran = subprocess.run(
            command,
            shell=True,
            check=False,
            input=summary + b"\n",
            stdout=STANDARD_ERROR,
            timeout=COMMAND_SECONDS,
            env={**os.environ, "ARENA_EXIT_CODE": exit_code},
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        print_message(f"--on-end failed: {problem}")
        return
    if ran.returncode:
        print_message(f"--on-end failed: the command ended with exit code {ran.returncode}")


def _post(url: str, body: bytes) -> None:
    """POST the body. Messages name the host alone: the rest of such an address is often a secret."""
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json", "User-Agent": "arena"})
    try:
        with urllib.request.urlopen(asked, timeout=WEBHOOK_SECONDS):
            pass
    except (OSError, ValueError) as problem:  # HTTP errors are OSErrors
        print_message(f"--webhook to {urlsplit(url).hostname} failed: {problem}")
