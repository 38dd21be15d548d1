"""How a bot's process is locked in, layer by layer, and which layers hold on this system."""
