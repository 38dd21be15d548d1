"""Pages in HTML: their frame, their look, and what lets them be safe to open whoever's bots are shown in them."""
