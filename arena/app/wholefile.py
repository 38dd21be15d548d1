"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file, or its parts, so that it is there whole or not at all; what is no regular file (a device) is
    written to."""
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
