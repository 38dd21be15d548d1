"""arena: where negotiation bots meet.

Bot authors import :mod:`arena.bot`; everything else is reached through the ``arena`` command
or :mod:`arena.results`.
"""

from arena.engine import use_build

__version__ = "0.2.0"

use_build(__version__, __path__[0])  # before anything else is imported
