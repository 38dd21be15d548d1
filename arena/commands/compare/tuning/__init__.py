"""``arena tune``: better values for a bot's options, searched for and then compared with the bot as it was named."""
