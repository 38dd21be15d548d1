"""What a bot asks a language model, and what it is told; which answers it may ask for."""
