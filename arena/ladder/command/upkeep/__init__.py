"""`arena ladder check`, `backup`, `audit` and `rerun`: a ladder checked and kept safe."""
