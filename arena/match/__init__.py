"""The referee: one match between players, with a clock; a recorded match checked, walked and branched; matches as
work."""
