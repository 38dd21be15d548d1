"""The entry of the ``arena`` command, and what its commands share: options, messages, the terminal, tables on it."""
