"""Files that are written completely or not at all, appended to, or read line by line."""
