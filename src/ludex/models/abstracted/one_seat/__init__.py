"""A game of several seats as one seat sees it when a model stands for the others."""
