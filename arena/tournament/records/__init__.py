"""The record of one match, and the results of earlier blocks, computed from records."""
