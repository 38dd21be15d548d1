"""What several commands print: tables, progress, how a run ended, what resumes it."""
