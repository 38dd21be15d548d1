"""A recorded match walked from its replay, line by line: verified, and looked at ask by ask."""
