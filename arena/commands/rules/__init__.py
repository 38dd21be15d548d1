"""``arena rules``: lists, shows, compares and checks editions."""
