"""``arena gauntlet`` and ``arena null``: one bot against others, or against copies of itself, on many deals. Uses
runs."""
