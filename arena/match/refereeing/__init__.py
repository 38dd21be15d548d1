"""One match between players, with a clock: the referee, the minutes it keeps, what faults cost."""
