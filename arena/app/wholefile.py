"""Files that are written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file, or its parts, atomically: the file is complete or not there. Anything but a regular file (a device)
    is written to directly."""
    parts = [content] if isinstance(content, bytes) else content
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            device.writelines(parts)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        file.writelines(parts)
    unfinished.replace(path)
