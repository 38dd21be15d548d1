"""The pages of ``arena docs``."""
