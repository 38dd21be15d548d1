"""Views as numbers, numbers as moves, and bots that are networks between them: what the environments and learned bots
share. Imports neither Gymnasium nor PettingZoo, so that a learned bot needs NumPy alone. How a bot is learned: ``arena
docs learning``.
"""
