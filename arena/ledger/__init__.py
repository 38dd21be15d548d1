"""The deal ledger: how bots bargain, added up over matches; each figure by block, with its interval and definition."""
