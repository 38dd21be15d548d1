"""One folder for each command or family of commands, named as it is typed. No command imports another; what several
need lies in the rooms below."""
