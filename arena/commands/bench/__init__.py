"""``arena bench``: how fast this machine plays."""
