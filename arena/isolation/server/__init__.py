"""In the fork server: forks, watches and ends bots' processes, and warms up for them."""
