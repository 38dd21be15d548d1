"""Tables of large fields, spread so that everybody meets everybody equally often."""
