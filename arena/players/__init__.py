"""A bot as the referee sees it: one interface, its faults, the player in this process, and the fake."""
