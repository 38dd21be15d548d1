"""The schedule: editions, blocks, tables, seat orders, deals, shares."""
