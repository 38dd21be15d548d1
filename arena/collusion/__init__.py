"""Collusion and clones: who gives whom more than others, and whose answers are alike."""
