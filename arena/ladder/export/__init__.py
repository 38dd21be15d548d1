"""A ladder as a static folder for any web host."""
