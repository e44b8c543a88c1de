"""Pieces that learned models use."""
