"""Packs: files of compressed replays in a run's folder, each with its index (``arena docs results``)."""
