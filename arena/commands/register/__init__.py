"""``arena register``: a preregistration of a run. Uses runs and storage."""
