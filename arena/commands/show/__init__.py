"""``arena show``: a match in sentences, ask by ask, or as lines of JSON. Uses recorded."""
