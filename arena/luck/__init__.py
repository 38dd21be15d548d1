"""Luck taken out of money: what chance brought above its expected value, valued by a function fitted on other matches.

Pure functions from replays, as bytes, to numbers. ``excess`` follows a match, ``value`` is the function that values it,
``ridge_fit`` fits that function, ``corrected`` adds up matches, ``gain`` says what the correction was worth.
"""
