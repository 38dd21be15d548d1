"""The ledger of the card game, table by table.

To add a figure: a field in the class of sums of its table, what adds to it below, an entry in the table's figures, and
its line in ``arena docs ledger``; a test compares them.
"""
