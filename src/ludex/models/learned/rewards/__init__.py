"""Reward models: the gain in score and the ending of a transition."""
