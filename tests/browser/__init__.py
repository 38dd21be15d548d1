"""Pages tried in a real browser: Chromium, as the system has it."""
