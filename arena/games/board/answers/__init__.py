"""What a seat may answer at each hook of the board game, and why a move is refused."""
