"""What the commands do, one module each; the only place that joins the rooms."""
