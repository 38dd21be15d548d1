"""Charts: small functions that draw figures as SVG, in the colours of the page that contains them."""
