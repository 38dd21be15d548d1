"""The parts of a run's folder: its manifest and the files of its matches."""
