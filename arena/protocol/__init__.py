"""The messages to bots in processes of their own, encoded and decoded."""
