"""Sliders on a page: inputs that a reader moves, and main numbers that follow."""
