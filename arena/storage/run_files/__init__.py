"""The parts of a run's folder: its manifest, the files of its matches."""
