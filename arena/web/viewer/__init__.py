"""A match as a page on which every event can be looked at: from the lines of a replay to what the page is given."""
