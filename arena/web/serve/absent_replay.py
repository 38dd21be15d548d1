"""What an address names and what is not there, or not public."""

from __future__ import annotations

from arena.errors import UserError


class NotFoundError(UserError):
    """There is nothing of this name that whoever asks may see."""
