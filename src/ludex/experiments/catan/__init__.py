"""Experiments on Catan: size of the game and strength of its agents."""
