"""In the fork server: forking, watching and ending bots' processes, and warming up for them."""
