"""What standings count, and the exact sums that they are made of."""
