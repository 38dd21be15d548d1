"""Charts: small functions from figures to SVG, whose colours are those of the page that they stand in."""
