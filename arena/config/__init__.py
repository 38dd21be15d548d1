"""YAML files and what they mean: editions, tournaments, ladders, bots' names. Errors name the file, the line and the
key."""
