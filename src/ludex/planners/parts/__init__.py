"""Pieces used by two or more planners."""
