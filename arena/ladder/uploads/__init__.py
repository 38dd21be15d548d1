"""Bots that authors upload over HTTP: a queue in the ladder's database, each checked as a submission."""
