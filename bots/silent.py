"""Says nothing and does nothing: every hook has its default."""

from arena.bot import Bot


class Silent(Bot):
    """Rolls, draws, and lets the others deal."""
