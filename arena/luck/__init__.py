"""Luck taken out of money: corrections for the deal, draws and dice."""
