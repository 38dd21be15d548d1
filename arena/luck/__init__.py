"""Luck taken out of money: what chance brought above its expected value, valued by a function fitted on other matches.

Pure: replays come in as bytes, what comes out are numbers. ``excess`` follows a match, ``value`` is the function that
values it, ``fit`` makes one, ``corrected`` adds matches up, ``gain`` says what it was worth.
"""
