"""Pictures as SVG: pure functions from a scene to text. The games say what is in the scene."""
