"""``arena ladder check`` and ``backup``: whether anything in a ladder is lost or changed, and a copy of it."""
