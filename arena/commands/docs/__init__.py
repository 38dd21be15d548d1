"""``arena docs``: the pages, in a terminal, as JSON schemas, and as a site."""
