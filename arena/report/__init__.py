"""Pictures and pages made of what a match or a tournament left: pure functions from data to text."""
