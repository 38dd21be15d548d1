"""`arena ladder check`, `backup`, `audit` and `rerun`: check a ladder and keep it safe."""
