"""A human at the table: typed words read as moves, the table drawn as text, and the conversation of one seat.

Reading and drawing look at a seat's view alone, so that nothing is shown which the seat may not know.
"""
