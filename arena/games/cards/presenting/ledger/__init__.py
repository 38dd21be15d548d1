"""The ledger of the card game, table by table.

To add a figure: add a field to the class of sums of its table, code that adds to it, an entry in the table's figures,
and its line in ``arena docs ledger``; a test compares them.
"""
