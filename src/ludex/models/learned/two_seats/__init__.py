"""Learned models of games of two seats that act at the same time."""
