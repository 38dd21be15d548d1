"""`arena ladder check`, `health`, `backup`, `audit` and `rerun`: check a ladder and keep it safe."""
