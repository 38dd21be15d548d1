"""``arena merge``: makes one run of the shares, or of copies, of a run. Uses storage."""
