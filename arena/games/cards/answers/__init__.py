"""What a seat may answer at each hook of the card game, and why a move is refused."""
