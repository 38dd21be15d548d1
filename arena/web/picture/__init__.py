"""``arena picture``: one negotiation drawn as SVG or HTML."""
