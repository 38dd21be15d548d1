"""What the board game shows of itself: its picture, its table on a page, the moments worth a look."""
