"""Reward models: score and end, learned from how a grid changes."""
