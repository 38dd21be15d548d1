"""The sandbox of a bot's process, layer by layer, and the check which layers work on this system."""
