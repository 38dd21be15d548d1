"""What the operating system offers, and what it tells of processes."""
