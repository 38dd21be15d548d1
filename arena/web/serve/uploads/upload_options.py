"""What an operator allows of uploads."""

from __future__ import annotations

import msgspec

CHECKS_A_DAY = 10
"""How many uploads of an author are checked on one day by default."""
LARGEST_UPLOAD = 16
"""The maximum size of an upload by default, in MiB."""


class UploadOptions(msgspec.Struct, frozen=True):
    """What the operator allows of uploads: how many of an author are checked ``a_day`` (UTC), how many bytes the
    ``largest`` has, whether a ladder's file may ask for more than the usual sandbox (``wider``), and whether checks may
    ask the language models that it names (``models``)."""

    a_day: int = CHECKS_A_DAY
    largest: int = LARGEST_UPLOAD << 20
    wider: bool = False
    models: bool = False
