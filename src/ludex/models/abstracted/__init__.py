"""The rules with moves that the world does not have, for search."""
