"""Plans and plays a run: from a tournament file to finished matches, resumed, stopped early, taken over from older
runs. Uses storage, executors and config."""
