"""``arena run``: plays a tournament from a YAML file, or resumes one. Uses runs."""
