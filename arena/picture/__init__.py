"""Pictures of negotiations, drawn as SVG: pure functions from what happened to text."""
