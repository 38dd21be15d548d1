"""What is shown in a browser: reports, matches, pictures, and the server of runs and ladders."""
