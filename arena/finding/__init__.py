"""What a bot's name means: its file, module or command, its class, and the hooks it is asked."""
