"""The error for an address whose target does not exist or is not public."""

from __future__ import annotations

from arena.errors import UserError


class NotFoundError(UserError):
    """Nothing of this name exists, or the requester may not see it."""
