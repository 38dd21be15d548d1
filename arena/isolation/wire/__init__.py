"""What processes of different kinds say to each other; both ends import it."""
