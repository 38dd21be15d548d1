"""``arena branch``: changes one decision of a recorded match and plays on, many times, to see what it was worth. Uses
recorded and match."""
