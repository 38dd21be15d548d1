"""One recorded match: how it is named, which ask an event belongs to, its sentences, its asks put to a bot. Uses
runs."""
