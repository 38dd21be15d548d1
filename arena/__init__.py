"""arena: where negotiation bots meet.

Bot authors import :mod:`arena.bot`; everything else is reached through the ``arena`` command
or :mod:`arena.results`.
"""

__version__ = "0.1.0"
