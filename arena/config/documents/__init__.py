"""YAML documents: read, checked against types, patched; each error names file, line and key."""
