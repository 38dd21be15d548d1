"""``arena rerun``: plays one match again with its bots, and compares. Uses recorded."""
