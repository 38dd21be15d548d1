"""One match between players, with a clock: the referee, what it writes down, what faults cost."""
