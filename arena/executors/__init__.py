"""Where matches are played: in this process, in a pool of processes, on a cluster. One interface, :mod:`.executor`."""
