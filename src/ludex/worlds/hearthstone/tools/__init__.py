"""Tools for cards: recorded scenarios, and trying cards out."""
