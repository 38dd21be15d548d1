"""``arena models``: tries the language models of a tournament."""
