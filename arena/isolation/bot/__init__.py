"""In a bot's process: the request, the lock, and the bot."""
