"""In the worker: the players of isolated bots, their processes and pipes, and the fork server's client."""
