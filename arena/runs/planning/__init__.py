"""From a tournament file, or bots named on the command line, to a plan: editions, bots found and loaded, isolation,
schedule, and the folder that is opened for it."""
